/* hcdps.c: what the index of `hcdps` gives on large maps: `bench_hcdps [-n PROBLEMS] [-w WALKS]
 * [-m LEAST] [-s SEED] [-t THREADS] [-e EDITS] [-d] [-a SPEC]… MAP…`.
 *
 * For each map and each planner it tells the regions, the bytes of the index, the processor time of
 * the build, and of PROBLEMS random problems (100) whose cheapest path has a length of at least LEAST cells (0):
 * how much longer, in per cent, paths are than the best, on the mean and at most; the same for walks
 * move by move with a cursor (cairn_planner_move); how often a walk came to one cell at most, and how
 * many of 1,000 moves came to a cell where the walk had been before; and misses, problems that were not
 * solved though there is a path. As in the publication corners are always cut and steps cost 5 and 7; with -d the
 * profile is the default one. Instructions of a build: `valgrind --tool=callgrind
 * --toggle-collect=crn_hcdps_build bench_hcdps -n 0 -a SPEC MAP`. A MAP may be a generated graph, too (graphs.h): near:10000.
 *
 * With -w, only the moves of so many walks are instrumented, and what begins them, the look-up of
 * start and goal:
 *
 *     valgrind --tool=callgrind --instr-atstart=no bench_hcdps -w 20 MAP
 *
 * and instructions divided by moves are those of a move. For the largest one (the first one of a
 * walk is two calls, which are added) a dump is written for each call:
 *
 *     valgrind --tool=callgrind --instr-atstart=no --toggle-collect=cairn_planner_walk \
 *         --toggle-collect=cairn_planner_move --dump-after=cairn_planner_walk \
 *         --dump-after=cairn_planner_move bench_hcdps -w 2 MAP
 *
 * With -e, so many random cells are blocked or opened, one with each commit, and the index is
 * repaired after each. Told are the processor time of a repair on the mean and at most, and how much
 * of a build that is; and, beside those of an index that is built from scratch then: regions, bytes, and how
 * much longer paths are than the best. Instructions of the repairs and of the build before them, in one
 * run: `valgrind --tool=callgrind --toggle-collect=crn_hcdps_build --toggle-collect=crn_hcdps_repair
 * bench_hcdps -n 0 -e 60 MAP`; `callgrind_annotate --inclusive=yes` tells both.
 */
#define _POSIX_C_SOURCE 200809L
#include "graphs.h"

#include <cairn/io.h>
#include <string.h>
#include <unistd.h>

#define CHOSEN 24u

static const char *specs[CHOSEN];
static uint32_t spec_count, problems = 100, walks, least, edits, threads = 1;
static uint64_t seed = 1;
static bool by_default;

/* How much longer than the best. */
typedef struct excess {
    double sum, most;
    uint32_t count;
} excess;

static void excess_add(excess *e, uint64_t cost, cairn_cost best)
{
    double longer = best ? 100.0 * ((double)cost / best - 1) : 0;
    e->sum += longer;
    e->count++;
    if (longer > e->most) e->most = longer;
}

static double excess_mean(const excess *e)
{
    return e->count ? e->sum / e->count : 0;
}

static double process_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A problem with a path. */
static cairn_query problem(cairn_space *space, uint64_t *state)
{
    cairn_query query = {0};
    do {
        query.from = random_cell(space, state);
        query.to = random_cell(space, state);
    } while (cairn_reachable(space, query.from, query.to) != CAIRN_REACH_YES);
    return query;
}

/* ---- walks ---- */

/* What walks came to. */
typedef struct visits {
    cairn_node *nodes; /* of one walk */
    uint32_t count, capacity;
    uint32_t most;         /* of one cell in one walk */
    uint64_t moves, again; /* of all walks; to where the walk had been before */
} visits;

static void visits_add(visits *v, cairn_node node)
{
    if (v->count == v->capacity) {
        v->capacity = 2 * v->capacity + 4096;
        v->nodes = realloc(v->nodes, v->capacity * sizeof *v->nodes);
        if (!v->nodes) exit(1);
    }
    v->nodes[v->count++] = node;
}

static int by_number(const void *a, const void *b)
{
    const cairn_node *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The walk is over. */
static void visits_count(visits *v)
{
    uint32_t same = 0;
    qsort(v->nodes, v->count, sizeof *v->nodes, by_number);
    for (uint32_t i = 0; i < v->count; i++) {
        same = i && v->nodes[i] == v->nodes[i - 1] ? same + 1 : 1;
        v->again += same > 1;
        v->most = same > v->most ? same : v->most;
    }
    v->moves += v->count ? v->count - 1 : 0;
    v->count = 0;
}

/* What a walk costs; UINT64_MAX: it does not arrive. */
static uint64_t walk(const cairn_planner *planner, const cairn_query *query, visits *v)
{
    const cairn_space *space = cairn_planner_space(planner);
    cairn_agent agent;
    uint64_t cost = 0, left = 4 * (uint64_t)cairn_space_node_count(space);
    if (cairn_planner_walk(planner, query->from, query->to, &agent) != CAIRN_FOUND)
        return UINT64_MAX;
    visits_add(v, query->from);
    for (; agent.at != query->to; left--) {
        cairn_node before = agent.at;
        if (!left || cairn_planner_move(planner, &agent) != CAIRN_FOUND) return UINT64_MAX;
        cairn_cost step = cairn_space_step_cost(space, before, agent.at);
        if (step == CAIRN_NO_COST) return UINT64_MAX;
        cost += step;
        visits_add(v, agent.at);
    }
    visits_count(v);
    return cost;
}

static void solve(cairn_space *space, const cairn_planner *planner, cairn_search *search)
{
    cairn_planner *exact;
    cairn_search *judge = search_of(space, "astar", &exact);
    excess paths = {0}, moves = {0};
    visits v = {0};
    uint64_t state = seed;
    uint32_t misses = 0;
    for (uint32_t i = 0, tries = 0; i < problems && tries < 100 * problems; tries++) {
        cairn_query query = problem(space, &state);
        const cairn_path *best, *path;
        if (cairn_search_find(judge, &query, &best) != CAIRN_FOUND) continue;
        if (best->length < least) continue;
        i++;
        cairn_status status = cairn_search_find(search, &query, &path);
        uint64_t cost = walk(planner, &query, &v);
        if (status != CAIRN_FOUND || cost == UINT64_MAX ||
            path->answered_by != cairn_planner_algorithm(planner)) {
            misses++;
            continue;
        }
        excess_add(&paths, path->cost, best->cost);
        excess_add(&moves, cost, best->cost);
    }
    printf(" paths %5.2f %6.1f  walks %5.2f %6.1f  visits %u, %5.2f of 1000  misses %u",
           excess_mean(&paths), paths.most, excess_mean(&moves), moves.most, v.most,
           v.moves ? 1e3 * (double)v.again / (double)v.moves : 0, misses);
    free(v.nodes);
    cairn_search_destroy(judge);
    cairn_planner_destroy(exact);
}

static void count(cairn_space *space, const cairn_planner *planner)
{
    uint64_t state = seed, moves = 0;
    for (uint32_t i = 0; i < walks; i++) {
        cairn_query query = problem(space, &state);
        cairn_agent agent;
        CALLGRIND_START_INSTRUMENTATION;
        if (cairn_planner_walk(planner, query.from, query.to, &agent) != CAIRN_FOUND) exit(1);
        for (; agent.at != query.to; moves++) {
            if (cairn_planner_move(planner, &agent) != CAIRN_FOUND) exit(1);
        }
        CALLGRIND_STOP_INSTRUMENTATION;
    }
    printf(" moves %llu", (unsigned long long)moves);
}

static void count_region(void *user, const cairn_overlay_item *item)
{
    uint32_t *regions = user;
    if (item->kind == CAIRN_OVERLAY_AREA && item->group >= *regions) *regions = item->group + 1;
}

static uint32_t regions_of(cairn_planner *planner)
{
    uint32_t regions = 0;
    cairn_overlay_sink sink = {.item = count_region, .user = &regions};
    check(cairn_planner_overlay(planner, 0, &sink), "overlay");
    return regions;
}

/* ---- edits ---- */

static void tell_state(cairn_space *space, cairn_planner *planner, cairn_search *search)
{
    printf("  regions %6u %9zu bytes", regions_of(planner), cairn_planner_index_bytes(planner));
    solve(space, planner, search);
    putchar('\n');
    fflush(stdout);
}

/* Blocks or opens any cell. */
static void edit(cairn_grid *grid, uint64_t *state)
{
    int32_t x = (int32_t)random_below(state, cairn_grid_width(grid)),
            y = (int32_t)random_below(state, cairn_grid_height(grid));
    check(cairn_grid_set_open(grid, x, y, !cairn_grid_is_open(grid, x, y)), "edit");
    check(cairn_grid_commit(grid), "commit");
}

static void repair(cairn_space *space, cairn_grid *grid, cairn_planner *planner,
                   cairn_search *search, const char *spec)
{
    uint64_t state = seed;
    double sum = 0, most = 0, build;
    CALLGRIND_START_INSTRUMENTATION;
    for (uint32_t i = 0; i < edits; i++) {
        edit(grid, &state);
        double before = process_seconds();
        check(cairn_planner_sync(planner, NULL, NULL), "repair");
        double time = process_seconds() - before;
        sum += time;
        if (time > most) most = time;
    }
    CALLGRIND_STOP_INSTRUMENTATION;
    cairn_planner *fresh;
    build = process_seconds();
    cairn_search *other = search_of(space, spec, &fresh);
    build = process_seconds() - build;
    printf("  a repair %.3f ms, at most %.1f; a build %.1f ms: %.1f times\n", 1e3 * sum / edits,
           1e3 * most, 1e3 * build, build * edits / sum);
    tell_state(space, planner, search);
    tell_state(space, fresh, other);
    cairn_search_destroy(other);
    cairn_planner_destroy(fresh);
}

static void tell(cairn_space *space, cairn_grid *grid, const char *name, const char *spec)
{
    cairn_planner *planner;
    cairn_search *search;
    double before = process_seconds();
    search = search_of(space, spec, &planner);
    double time = process_seconds() - before;
    printf("%-28s %-28s regions %6u %9zu bytes %6.2f s", name, spec, regions_of(planner),
           cairn_planner_index_bytes(planner), time);
    fflush(stdout);
    if (edits) {
        putchar('\n');
        repair(space, grid, planner, search, spec);
    } else if (walks) {
        count(space, planner);
    } else {
        solve(space, planner, search);
    }
    putchar('\n');
    fflush(stdout);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
}

static void tell_all(const char *file)
{
    cairn_context_options options = cairn_context_defaults();
    cairn_profile profile = cairn_profile_default();
    cairn_context *context;
    cairn_grid *grid = NULL;
    cairn_graph *graph;
    cairn_space *space;
    const char *name = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    options.workers = threads;
    if (!by_default) {
        profile.corners = CAIRN_CORNERS_ALWAYS;
        profile.cost_scale = CAIRN_COST_SCALES - 1;
    }
    check(cairn_context_create(&options, &context), "context");
    graph = bench_graph_of(context, file);
    if (graph) {
        check(cairn_space_of_graph(graph, &space, NULL), file);
    } else {
        check(cairn_grid_load(context, file, &grid, NULL), file);
        check(cairn_space_of_grid(grid, &profile, &space, NULL), file);
    }
    for (uint32_t i = 0; i < spec_count; i++) tell(space, grid, name, specs[i]);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_graph_destroy(graph);
    cairn_context_destroy(context);
}

int main(int argc, char **argv)
{
    for (int option; (option = getopt(argc, argv, "n:w:m:s:t:e:da:")) != -1;) {
        switch (option) {
        case 'n': problems = (uint32_t)strtoul(optarg, NULL, 10); break;
        case 'w': walks = (uint32_t)strtoul(optarg, NULL, 10); break;
        case 'm': least = (uint32_t)strtoul(optarg, NULL, 10); break;
        case 's': seed = strtoull(optarg, NULL, 10); break;
        case 'e': edits = (uint32_t)strtoul(optarg, NULL, 10); break;
        case 't': threads = (uint32_t)strtoul(optarg, NULL, 10); break;
        case 'd': by_default = true; break;
        case 'a':
            if (spec_count < CHOSEN) specs[spec_count++] = optarg;
            break;
        default: return 2;
        }
    }
    if (!spec_count) specs[spec_count++] = "hcdps";
    for (int i = optind; i < argc; i++) tell_all(argv[i]);
    return 0;
}
