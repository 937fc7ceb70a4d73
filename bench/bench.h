/* bench.h: what the benchmark programs share: the clock, requests to callgrind, the end when
 * something fails, random numbers and cells, planners that are ready. */
#ifndef BENCH_H
#define BENCH_H

#include <cairn/cairn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION (void)0
#define CALLGRIND_STOP_INSTRUMENTATION (void)0
#define CALLGRIND_DUMP_STATS_AT(text) (void)(text)
#endif

/* Processor time of the thread. */
static inline double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static inline void check(cairn_status status, const char *what)
{
    if (status == CAIRN_OK) return;
    fprintf(stderr, "%s: %s\n", what, cairn_status_text(status));
    exit(1);
}

/* A linear congruence of 64 bits (Knuth), its upper half. */
static inline uint32_t random_below(uint64_t *state, uint32_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(((*state >> 32) * n) >> 32);
}

/* One that can be stood on. */
static inline cairn_node random_cell(const cairn_space *space, uint64_t *state)
{
    cairn_node node;
    do node = random_below(state, cairn_space_node_count(space));
    while (!cairn_space_usable(space, node));
    return node;
}

/* Builds what the algorithm needs. */
static inline cairn_search *search_of(cairn_space *space, const char *algorithm,
                                      cairn_planner **planner)
{
    cairn_search *search;
    check(cairn_planner_create(space, algorithm, planner, NULL), algorithm);
    check(cairn_planner_build(*planner, NULL, NULL), algorithm);
    check(cairn_search_create(*planner, NULL, &search), algorithm);
    return search;
}

#endif
