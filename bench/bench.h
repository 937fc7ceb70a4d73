/* bench.h: what the benchmark programs share: the clock, and the end when something fails. */
#ifndef BENCH_H
#define BENCH_H

#include <cairn/cairn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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

#endif
