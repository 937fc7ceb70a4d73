/* moves.c: what a move of an agent costs: `bench_moves [-n AGENTS] [-s STEPS] [-a ALGORITHM]… MAP…`.
 *
 * A MAP is a file, or a kind of generated map (`cairn generate kinds`), of 1024×1024 cells and with
 * seed 1. AGENTS agents (20) walk from random places to random ones that they can reach, each until
 * it arrives or has made STEPS steps (500). A row for each map and algorithm tells how many moves
 * and expansions that took, and what an agent holds at the end. Without -a: the agents that look
 * ten nodes ahead, and RTD*. Instructions are counted by callgrind, and a dump is written for each
 * row (`bench/instructions --moves` keeps them):
 *
 *     valgrind --tool=callgrind --toggle-collect=cairn_navigator_next \
 *         --callgrind-out-file=out bench_moves MAP
 *     grep -e ^desc:.Trigger -e ^summary out.*
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <cairn/io.h>

#include <string.h>

enum { CHOSEN = 32, SIDE = 1024 };

typedef struct sums {
    uint64_t moves, expanded, bytes, arrived;
} sums;

/* One agent. */
static cairn_node walk(cairn_planner *planner, cairn_node from, uint64_t *seed, uint32_t steps,
                       sums *all)
{
    const cairn_space *space = cairn_planner_space(planner);
    cairn_navigator *agent;
    cairn_node to;
    cairn_move move = {0};
    check(cairn_random_reachable(space, from, seed, &to), "a place to go to");
    check(cairn_navigator_create(planner, NULL, &agent), "navigator");
    check(cairn_navigator_start(agent, from, to), "start");
    for (uint32_t i = 0; i < steps && !move.arrived; i++) {
        if (cairn_navigator_next(agent, &move) != CAIRN_OK) break;
        all->expanded += move.expanded;
        all->moves++;
    }
    all->arrived += move.arrived;
    all->bytes += cairn_navigator_sums(agent).bytes;
    cairn_navigator_destroy(agent);
    return to;
}

static void measure(cairn_space *space, const char *name, const char *spec, uint32_t agents,
                    uint32_t steps)
{
    cairn_planner *planner;
    uint64_t seed = 7;
    sums all = {0};
    char text[512];
    check(cairn_planner_create(space, spec, &planner, NULL), spec);
    check(cairn_planner_build(planner, NULL, NULL), spec);
    cairn_node from = random_cell(space, &seed);
    for (uint32_t i = 0; i < agents; i++) from = walk(planner, from, &seed, steps, &all);
    snprintf(text, sizeof text, "%s %s, %llu moves", name, spec, (unsigned long long)all.moves);
    CALLGRIND_DUMP_STATS_AT(text);
    printf("%-24s %-28s %9llu %12.2f %9llu %9llu\n", name, spec, (unsigned long long)all.moves,
           (double)all.expanded / (double)(all.moves ? all.moves : 1),
           (unsigned long long)all.arrived, (unsigned long long)(all.bytes / agents));
    cairn_planner_destroy(planner);
}

static cairn_grid *map_of(cairn_context *context, const char *name)
{
    cairn_grid *grid;
    cairn_generator_kind kind = cairn_generator_find(name);
    if (kind == CAIRN_GENERATE_COUNT) {
        check(cairn_grid_load(context, name, &grid, NULL), name);
        return grid;
    }
    cairn_generator generator = cairn_generator_default(kind);
    generator.width = generator.height = SIDE;
    check(cairn_generate(context, &generator, &grid, NULL), name);
    return grid;
}

int main(int argc, char **argv)
{
    static const char *usual[] = {"rtastar:lookahead=10", "lrtastar:lookahead=10",
                                  "lss-lrtastar:lookahead=10", "rtaastar:lookahead=10", "rtdstar"};
    const char *chosen[CHOSEN];
    uint32_t count = 0, agents = 20, steps = 500;
    int at = 1;
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
        if (!strcmp(argv[at], "-n")) agents = (uint32_t)strtoul(argv[at + 1], NULL, 10);
        if (!strcmp(argv[at], "-s")) steps = (uint32_t)strtoul(argv[at + 1], NULL, 10);
        if (!strcmp(argv[at], "-a") && count < CHOSEN) chosen[count++] = argv[at + 1];
    }
    const char **specs = count ? chosen : usual;
    if (!count) count = sizeof usual / sizeof *usual;
    if (!agents) agents = 1;
    printf("%-24s %-28s %9s %12s %9s %9s\n", "# map", "algorithm", "moves", "expanded", "arrived",
           "bytes");
    for (; at < argc; at++) {
        cairn_context *context;
        cairn_space *space;
        const char *name = strrchr(argv[at], '/') ? strrchr(argv[at], '/') + 1 : argv[at];
        check(cairn_context_create(NULL, &context), "context");
        cairn_grid *grid = map_of(context, argv[at]);
        check(cairn_space_of_grid(grid, NULL, &space, NULL), argv[at]);
        for (uint32_t i = 0; i < count; i++) measure(space, name, specs[i], agents, steps);
        cairn_space_destroy(space);
        cairn_grid_destroy(grid);
        cairn_context_destroy(context);
    }
    return 0;
}
