/* estimates.c: what better estimates save: `bench_estimates [-q QUERIES] [-n SIDE] [-r REPEATS]
 * [-a ALGORITHM]… [MAP…]`.
 *
 * For each map, or for generated mazes and rooms of SIDE² cells, it asks random queries of all
 * algorithms in turn (`astar` and `alt:landmarks=8`). Told are the expanded nodes and the processor
 * time of a query as means, both also as multiples of the first algorithm's, and bytes and
 * processor time of the index. Times are the best of REPEATS (3). The last rows are the sums of all
 * maps.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <cairn/generate.h>
#include <cairn/io.h>
#include <string.h>
#include <unistd.h>

#define CHOSEN 24u

/* An algorithm on a map, or on all of them. */
typedef struct entry {
    cairn_planner *planner;
    cairn_search *search;
    double built, time, expanded, reopened, bytes;
} entry;

static const char *algorithms[CHOSEN];
static uint32_t algorithm_count, queries = 100, side = 512, repeats = 3;
static uint64_t random_state;
static entry sums[CHOSEN];

static void ask(entry *e, const cairn_query *query, cairn_cost *cost)
{
    double best = 0;
    const cairn_path *path;
    for (uint32_t i = 0; i < repeats; i++) {
        double begun = now_us();
        cairn_search_find(e->search, query, &path);
        double time = now_us() - begun;
        if (!i || time < best) best = time;
    }
    if (path->status != CAIRN_FOUND || (*cost && path->cost != *cost)) {
        fprintf(stderr, "the algorithms disagree\n");
        exit(1);
    }
    *cost = path->cost;
    e->time += best;
    e->expanded += (double)cairn_search_metrics(e->search).expanded;
    e->reopened += (double)cairn_search_metrics(e->search).reopened;
}

static void tell(const char *map, const entry *entries, double count)
{
    for (uint32_t i = 0; i < algorithm_count; i++) {
        const entry *e = &entries[i];
        printf(
            "%-18s %-34s expanded %9.0f %6.3f  reopened %7.0f  time %9.1f us %6.3f  index %11.0f "
            "bytes %9.1f ms\n",
            map, algorithms[i], e->expanded / count, e->expanded / entries[0].expanded,
            e->reopened / count, e->time / count, e->time / entries[0].time, e->bytes,
            e->built / 1000);
    }
    fflush(stdout);
}

static void measure(cairn_grid *grid, const char *map)
{
    cairn_space *space;
    entry entries[CHOSEN] = {{0}};
    check(cairn_space_of_grid(grid, NULL, &space, NULL), "a space");
    random_state = 12345;
    for (uint32_t i = 0; i < algorithm_count; i++) {
        double begun = now_us();
        entries[i].search = search_of(space, algorithms[i], &entries[i].planner);
        entries[i].built = now_us() - begun;
        entries[i].bytes = (double)cairn_planner_index_bytes(entries[i].planner);
    }
    for (uint32_t q = 0; q < queries;) {
        cairn_query query = {.from = random_cell(space, &random_state)};
        query.to = random_cell(space, &random_state);
        if (query.from == query.to || !cairn_reachable(space, query.from, query.to)) continue;
        cairn_cost cost = 0;
        for (uint32_t i = 0; i < algorithm_count; i++) ask(&entries[i], &query, &cost);
        q++;
    }
    tell(map, entries, queries);
    for (uint32_t i = 0; i < algorithm_count; i++) {
        sums[i].built += entries[i].built;
        sums[i].time += entries[i].time / queries;
        sums[i].expanded += entries[i].expanded / queries;
        sums[i].reopened += entries[i].reopened / queries;
        sums[i].bytes += entries[i].bytes;
        cairn_search_destroy(entries[i].search);
        cairn_planner_destroy(entries[i].planner);
    }
    cairn_space_destroy(space);
}

static void measure_generated(cairn_context *context, cairn_generator_kind kind)
{
    cairn_generator generator = cairn_generator_default(kind);
    cairn_grid *grid;
    generator.width = generator.height = side;
    check(cairn_generate(context, &generator, &grid, NULL), "a map");
    measure(grid, cairn_generator_about(kind)->name);
    cairn_grid_destroy(grid);
}

static void measure_file(cairn_context *context, const char *path)
{
    const char *name = strrchr(path, '/');
    cairn_grid *grid;
    check(cairn_grid_load(context, path, &grid, NULL), path);
    measure(grid, name ? name + 1 : path);
    cairn_grid_destroy(grid);
}

int main(int argc, char **argv)
{
    cairn_context *context;
    for (int option; (option = getopt(argc, argv, "q:n:r:a:")) != -1;) {
        if (option == 'q') queries = (uint32_t)atoi(optarg);
        if (option == 'n') side = (uint32_t)atoi(optarg);
        if (option == 'r') repeats = (uint32_t)atoi(optarg);
        if (option == 'a' && algorithm_count < CHOSEN) algorithms[algorithm_count++] = optarg;
        if (option == '?') return 2;
    }
    if (!algorithm_count) {
        algorithms[algorithm_count++] = "astar";
        algorithms[algorithm_count++] = "alt:landmarks=8";
    }
    check(cairn_context_create(NULL, &context), "a context");
    int maps = argc - optind;
    for (int i = optind; i < argc; i++) measure_file(context, argv[i]);
    if (!maps) {
        measure_generated(context, CAIRN_GENERATE_MAZE);
        measure_generated(context, CAIRN_GENERATE_ROOMS);
    }
    tell("all", sums, maps ? maps : 2);
    cairn_context_destroy(context);
    return 0;
}
