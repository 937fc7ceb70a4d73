/* growth.c: what a planner does as maps grow: `bench_growth [-q QUERIES] [-p STEPS] [-r REPEATS]
 * [-s SEED] [-i] [-e EDITS] [-k KIND]… [-a ALGORITHM]… SIDE…`.
 *
 * For each kind of generated map, or those given, and each side it asks random queries. Told are,
 * as means, how much longer paths are than the best and the worst of them, the time of whole paths
 * and of their first STEPS steps (16), and the nodes that the latter expand and their steps.
 *
 * With -i only first steps are asked for, for callgrind to count: each algorithm on each map is a
 * dump of its own, named by what is printed (bench/growth reads them). With -e repairs are counted
 * in place of queries: so many random cells are opened or closed, each by a commit and a sync.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <cairn/generate.h>
#include <cairn/io.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define CHOSEN 24u

static const char *algorithms[CHOSEN], *kinds[CHOSEN];
static uint32_t algorithm_count, kind_count, queries = 20, steps = 16, seed = 1, repeats = 1, edits;
static bool counting;
static uint64_t random_state;

typedef struct problem {
    cairn_node from, to;
    double best; /* the length of the best path; 0 = there is none */
} problem;

typedef struct site {
    cairn_grid *grid;
    cairn_space *space;
    const char *kind;
    uint32_t side;
    problem *problems;
} site;

static problem *make_problems(cairn_space *space)
{
    cairn_planner *planner;
    cairn_search *search = search_of(space, "astar", &planner);
    problem *problems = calloc(queries, sizeof *problems);
    if (!problems) exit(1);
    for (uint32_t i = 0; i < queries; i++) {
        problem *p = &problems[i];
        do {
            p->from = random_cell(space, &random_state);
            p->to = random_cell(space, &random_state);
        } while (p->from == p->to || !cairn_reachable(space, p->from, p->to));
        cairn_query query = {.from = p->from, .to = p->to};
        const cairn_path *path;
        if (counting) continue;
        check(cairn_search_find(search, &query, &path) != CAIRN_FOUND, "a path");
        p->best = path->length;
    }
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    return problems;
}

static void tell(const site *at, const char *algorithm)
{
    cairn_space *space = at->space;
    cairn_planner *planner;
    double begun = now_us(), built, longer = 0, worst = 0, whole = 0, first = 0, work = 0,
           walked = 0;
    cairn_search *search = search_of(space, algorithm, &planner);
    built = now_us() - begun;
    for (uint32_t i = 0; i < queries; i++) {
        const problem *p = &at->problems[i];
        cairn_query query = {.from = p->from, .to = p->to};
        const cairn_path *path;
        begun = now_us();
        cairn_search_find(search, &query, &path);
        whole += now_us() - begun;
        if (path->status != CAIRN_FOUND) exit(1);
        longer += path->length / p->best - 1;
        worst = fmax(worst, path->length / p->best - 1);
        query.piece = steps;
        begun = now_us();
        for (uint32_t k = 0; k < repeats; k++) cairn_search_find(search, &query, &path);
        first += (now_us() - begun) / repeats;
        work += (double)cairn_search_metrics(search).expanded;
        walked += (double)cairn_path_step_count(space, path);
    }
    printf("%-12s %5u %-24s longer %5.1f %% worst %5.1f %%  whole %9.1f us  first %8.1f us, "
           "expanded %7.0f on %7.0f steps  built %8.1f ms "
           "%9zu bytes\n",
           at->kind, at->side, algorithm, 100 * longer / queries, 100 * worst, whole / queries,
           first / queries, work / queries, walked / queries, built / 1000,
           cairn_planner_index_bytes(planner));
    fflush(stdout);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
}

static void dump(const site *at, const char *algorithm)
{
    char name[200];
    snprintf(name, sizeof name, "%s %u %s", at->kind, at->side, algorithm);
    CALLGRIND_DUMP_STATS_AT(name);
}

static void count(const site *at, const char *algorithm)
{
    cairn_planner *planner;
    cairn_search *search = search_of(at->space, algorithm, &planner);
    for (uint32_t i = 0; i < queries; i++) {
        const problem *p = &at->problems[i];
        cairn_query query = {.from = p->from, .to = p->to, .piece = steps};
        const cairn_path *path;
        if (!i) cairn_search_find(search, &query, &path); /* the first one takes memory */
        CALLGRIND_START_INSTRUMENTATION;
        cairn_search_find(search, &query, &path);
        CALLGRIND_STOP_INSTRUMENTATION;
    }
    dump(at, algorithm);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
}

static void count_repairs(const site *at, const char *algorithm)
{
    cairn_planner *planner;
    cairn_search *search = search_of(at->space, algorithm, &planner);
    for (uint32_t i = 0; i <= edits; i++) { /* the first one takes memory */
        if (i == 1) CALLGRIND_START_INSTRUMENTATION;
        int32_t x = (int32_t)random_below(&random_state, at->side),
                y = (int32_t)random_below(&random_state, at->side);
        bool open = !cairn_grid_is_open(at->grid, x, y);
        check(cairn_grid_set_open(at->grid, x, y, open), "staging");
        check(cairn_grid_commit(at->grid), "commit");
        check(cairn_planner_sync(planner, NULL, NULL), "sync");
    }
    CALLGRIND_STOP_INSTRUMENTATION;
    dump(at, algorithm);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
}

/* These algorithms, on the same map. */
static void measure(cairn_context *context, cairn_generator_kind kind, uint32_t side,
                    const char *const *names, uint32_t count_of_names)
{
    cairn_generator generator = cairn_generator_default(kind);
    site at = {.kind = cairn_generator_about(kind)->name, .side = side};
    generator.width = generator.height = side;
    generator.seed = seed;
    random_state = 12345 + seed;
    check(cairn_generate(context, &generator, &at.grid, NULL), "a map");
    check(cairn_space_of_grid(at.grid, NULL, &at.space, NULL), "a space");
    if (!edits) at.problems = make_problems(at.space);
    for (uint32_t i = 0; i < count_of_names; i++)
        (edits ? count_repairs : counting ? count : tell)(&at, names[i]);
    free(at.problems);
    cairn_space_destroy(at.space);
    cairn_grid_destroy(at.grid);
}

static bool is_chosen(const char *kind)
{
    for (uint32_t i = 0; i < kind_count; i++)
        if (!strcmp(kinds[i], kind)) return true;
    return !kind_count;
}

int main(int argc, char **argv)
{
    cairn_context *context;
    for (int option; (option = getopt(argc, argv, "q:p:r:s:e:ik:a:")) != -1;) {
        if (option == 'q') queries = (uint32_t)atoi(optarg);
        if (option == 'p') steps = (uint32_t)atoi(optarg);
        if (option == 'r') repeats = (uint32_t)atoi(optarg);
        if (option == 'e') edits = (uint32_t)atoi(optarg);
        if (option == 'i') counting = true;
        if (option == 's') seed = (uint32_t)atoi(optarg);
        if (option == 'k' && kind_count < CHOSEN) kinds[kind_count++] = optarg;
        if (option == 'a' && algorithm_count < CHOSEN) algorithms[algorithm_count++] = optarg;
        if (option == '?') return 2;
    }
    if (!algorithm_count) algorithms[algorithm_count++] = "mm";
    check(cairn_context_create(NULL, &context), "a context");
    for (uint32_t kind = 0; kind < CAIRN_GENERATE_SCALED; kind++) {
        if (!is_chosen(cairn_generator_about((cairn_generator_kind)kind)->name)) continue;
        for (int i = optind; i < argc; i++) {
            /* Edits change the map: each algorithm gets one of its own. */
            uint32_t side = (uint32_t)atoi(argv[i]), at_once = edits ? 1 : algorithm_count;
            for (uint32_t a = 0; a < algorithm_count; a += at_once)
                measure(context, (cairn_generator_kind)kind, side, algorithms + a, at_once);
        }
    }
    cairn_context_destroy(context);
    return 0;
}
