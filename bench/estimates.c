/* estimates.c: what better estimates save: `bench_estimates [-q QUERIES] [-n SIDE] [-r ROUNDS]
 * [-a ALGORITHM]… [MAP…]`.
 *
 * For each map, or for generated mazes and rooms of SIDE² cells, it asks random queries of all
 * algorithms (`astar` and `alt:landmarks=8`). In each of ROUNDS (5) an algorithm answers all
 * queries once, one after the other as in a game, then the next algorithm does: so caches hold what
 * the other queries of the same algorithm left there. The time of a query is the median of the
 * rounds. Told are the expanded nodes and the processor time of a query as means, both also as
 * multiples of the first algorithm's, and bytes and processor time of the index. The last rows are
 * the sums of all maps.
 *
 * Misses in a cache of 1 MB, and instructions, of one algorithm:
 *
 *     valgrind --tool=callgrind --cache-sim=yes --LL=1048576,16,64
 *         --toggle-collect=cairn_search_find bench_estimates -r 1 -a ALGORITHM MAP
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
static uint32_t algorithm_count, queries = 100, side = 512, rounds = 5;
static uint64_t random_state;
static entry sums[CHOSEN];

/* Asks a query; its time is one of those of the rounds. */
static void ask(entry *e, const cairn_query *query, cairn_cost *cost, double *time)
{
    const cairn_path *path;
    double begun = now_us();
    cairn_search_find(e->search, query, &path);
    *time = now_us() - begun;
    if (path->status != CAIRN_FOUND || (*cost && path->cost != *cost)) {
        fprintf(stderr, "the algorithms disagree\n");
        exit(1);
    }
    *cost = path->cost;
    e->expanded += (double)cairn_search_metrics(e->search).expanded / rounds;
    e->reopened += (double)cairn_search_metrics(e->search).reopened / rounds;
}

static int by_size(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* All queries of all algorithms. */
static void ask_all(entry *entries, const cairn_query *asked)
{
    cairn_cost *costs = calloc(queries, sizeof *costs);
    double *times = calloc((size_t)algorithm_count * queries * rounds, sizeof *times);
    if (!costs || !times) exit(1);
    for (uint32_t r = 0; r < rounds; r++) {
        for (uint32_t i = 0; i < algorithm_count; i++) {
            for (uint32_t q = 0; q < queries; q++)
                ask(&entries[i], &asked[q], &costs[q],
                    &times[((size_t)i * queries + q) * rounds + r]);
        }
    }
    for (uint32_t n = 0; n < algorithm_count * queries; n++) {
        double *of_query = times + (size_t)n * rounds;
        qsort(of_query, rounds, sizeof *of_query, by_size);
        entries[n / queries].time += (of_query[(rounds - 1) / 2] + of_query[rounds / 2]) / 2;
    }
    free(costs);
    free(times);
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
    cairn_query *asked = calloc(queries, sizeof *asked);
    if (!asked) exit(1);
    for (uint32_t q = 0; q < queries;) {
        cairn_query query = {.from = random_cell(space, &random_state)};
        query.to = random_cell(space, &random_state);
        if (query.from != query.to && cairn_reachable(space, query.from, query.to))
            asked[q++] = query;
    }
    ask_all(entries, asked);
    free(asked);
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
        if (option == 'r') rounds = (uint32_t)atoi(optarg);
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
