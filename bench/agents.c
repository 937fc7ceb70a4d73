/* agents.c: what many agents take: `bench_agents [-n COUNT] [-p PIECE] [-w WORK] [-a ALGORITHM]…
 * [MAP…]`.
 *
 * COUNT agents (1000) walk from random places to random ones that they can reach, all of them
 * within WORK units a turn (20000). Without maps three are generated, of 512². A row for each map
 * and algorithm tells what an agent keeps (its path and the navigator, mean and most), what all of
 * them keep, by the count of the context, what the pool of searches and the index take, what the
 * agents would take if each had a search as large as the largest of the pool, as a multiple; and
 * how many turns it took until all had arrived, with the mean time of a turn.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <cairn/io.h>

#include <stdlib.h>
#include <string.h>

enum { TURNS = 100000, CHOSEN = 32 };

typedef struct setup {
    uint32_t count;
    cairn_navigator_options options;
    uint64_t work;
} setup;

typedef struct crowd {
    cairn_context *context;
    cairn_space *space;
    cairn_planner *planner;
    cairn_navigator **agents;
    size_t before; /* bytes of the context without agents */
    uint64_t held, most;
} crowd;

static bool crowd_open(crowd *c, const setup *how, const char *spec)
{
    uint64_t seed = 7;
    c->agents = calloc(how->count, sizeof *c->agents);
    if (!c->agents || cairn_planner_create(c->space, spec, &c->planner, NULL) ||
        cairn_planner_build(c->planner, NULL, NULL))
        return false;
    c->before = cairn_context_memory(c->context).bytes;
    cairn_node from = 0, to;
    while (!cairn_space_usable(c->space, from)) from++;
    for (uint32_t i = 0; i < how->count; i++, from = to) {
        if (cairn_navigator_create(c->planner, &how->options, &c->agents[i])) return false;
        if (cairn_random_reachable(c->space, from, &seed, &to)) return false;
        cairn_navigator_start(c->agents[i], from, to);
    }
    return true;
}

static void crowd_close(crowd *c, const setup *how)
{
    for (uint32_t i = 0; c->agents && i < how->count; i++) cairn_navigator_destroy(c->agents[i]);
    cairn_planner_destroy(c->planner);
    free(c->agents);
}

static void crowd_measure(crowd *c, uint32_t count)
{
    c->held = c->most = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bytes = cairn_navigator_sums(c->agents[i]).bytes;
        c->held += bytes;
        if (bytes > c->most) c->most = bytes;
    }
}

static void crowd_walk(crowd *c, const setup *how, const char *map, const char *spec)
{
    cairn_turn turn = {.work = how->work};
    uint32_t turns = 0;
    double start = now_us();
    for (; turns < TURNS && turn.arrived + turn.stopped < how->count; turns++)
        cairn_navigators_next(c->agents, how->count, &turn, NULL);
    double took = now_us() - start;
    crowd_measure(c, how->count);
    cairn_pool_use pool = cairn_planner_pool(c->planner);
    size_t all = cairn_context_memory(c->context).bytes - c->before - pool.bytes;
    double search = pool.searches ? (double)pool.bytes / pool.searches : 0;
    printf("%-14s %-12s %6.0f %6llu %7.2f %7.2f %7.2f %6.0f %6u %7.1f\n", map, spec,
           (double)c->held / how->count, (unsigned long long)c->most, (double)all / 1048576,
           (double)pool.bytes / 1048576, (double)cairn_planner_index_bytes(c->planner) / 1048576,
           (search * how->count + (double)all) / (double)all, turns, took / turns);
}

static int each_algorithm(cairn_context *context, cairn_grid *grid, const setup *how,
                          const char *map, const char *const *specs)
{
    int failed = 0;
    crowd c = {.context = context};
    if (cairn_space_of_grid(grid, NULL, &c.space, NULL)) return 1;
    for (; *specs; specs++) {
        bool ok = crowd_open(&c, how, *specs);
        if (ok) crowd_walk(&c, how, map, *specs);
        if (!ok) fprintf(stderr, "%s: cannot serve %s\n", *specs, map);
        failed |= !ok;
        crowd_close(&c, how);
        c.planner = NULL;
        c.agents = NULL;
    }
    cairn_space_destroy(c.space);
    return failed;
}

static int generated_maps(cairn_context *context, const setup *how, const char *const *specs)
{
    static const cairn_generator_kind kinds[] = {CAIRN_GENERATE_ROOMS, CAIRN_GENERATE_RANDOM,
                                                 CAIRN_GENERATE_BATTLEFIELD};
    int failed = 0;
    for (uint32_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        cairn_generator generator = cairn_generator_default(kinds[i]);
        cairn_grid *grid;
        generator.width = generator.height = 512;
        if (cairn_generate(context, &generator, &grid, NULL)) return 1;
        failed |= each_algorithm(context, grid, how, cairn_generator_about(kinds[i])->name, specs);
        cairn_grid_destroy(grid);
    }
    return failed;
}

static int map_of_file(cairn_context *context, const char *name, const setup *how,
                       const char *const *specs)
{
    cairn_grid *grid;
    if (cairn_grid_load(context, name, &grid, NULL)) {
        fprintf(stderr, "%s: cannot be read\n", name);
        return 1;
    }
    const char *last = strrchr(name, '/');
    int failed = each_algorithm(context, grid, how, last ? last + 1 : name, specs);
    cairn_grid_destroy(grid);
    return failed;
}

int main(int argc, char **argv)
{
    const char *specs[CHOSEN] = {"astar", "jps", "hpa", "pra", "mm", NULL};
    setup how = {.count = 1000, .work = 20000};
    uint32_t chosen = 0;
    int at = 1, failed = 0;
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
        unsigned long number = strtoul(argv[at + 1], NULL, 10);
        if (argv[at][1] == 'n' && number) how.count = (uint32_t)number;
        if (argv[at][1] == 'p') how.options.piece = (uint32_t)number;
        if (argv[at][1] == 'w') how.work = number;
        if (argv[at][1] == 'a' && chosen + 1 < CHOSEN) specs[chosen++] = argv[at + 1];
        if (chosen) specs[chosen] = NULL;
    }
    cairn_context *context;
    if (cairn_context_create(NULL, &context)) return 1;
    printf("%-14s %-12s %6s %6s %7s %7s %7s %6s %6s %7s\n", "map", "algorithm", "bytes", "most",
           "all MB", "pool MB", "index", "times", "turns", "us/turn");
    if (at == argc) failed = generated_maps(context, &how, specs);
    for (; at < argc; at++) failed |= map_of_file(context, argv[at], &how, specs);
    cairn_context_destroy(context);
    return failed;
}
