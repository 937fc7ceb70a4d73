/* share.c: what share of A*'s time, memory and nodes other planners need: `bench/share [-e K] [-y
 * YARDSTICK] -a ALGORITHM [-a ALGORITHM]… MAP…`.
 *
 * For each problem of the scenarios beside the maps (with -e the first and then every K-th one) the
 * need of a planner is divided by that of astar, or of another yardstick, for the same problem;
 * told are the mean, the standard deviation, the median and the worst of these shares, in per cent
 * ("percentage of A*", Anguelov 2011, 8.3.1), and the mean detour against the published length, of
 * the path as it is and smoothed by rays. Times are the best of five; memory is the most in use by
 * a query; nodes are those generated, in all and by the largest of the searches inside the search.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <cairn/io.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS 5
#define CHOSEN 32u

enum { TIME, BYTES, NODES, LARGEST, NEEDS };

typedef struct shares {
    double *values[NEEDS];
    uint32_t count, capacity;
    double detour, smoothed;
} shares;

static const char *chosen[CHOSEN] = {"astar"};
static shares all[CHOSEN];
static uint32_t chosen_count = 1;

static void keep(shares *s, const double *values)
{
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 1024;
        for (uint32_t n = 0; n < NEEDS; n++) {
            s->values[n] = realloc(s->values[n], s->capacity * sizeof(double));
            if (!s->values[n]) exit(1);
        }
    }
    for (uint32_t n = 0; n < NEEDS; n++) s->values[n][s->count] = values[n];
    s->count++;
}

/* Counts the nodes of the largest search inside a search. */
typedef struct largest {
    uint64_t now, most;
} largest;

static void see(void *user, const cairn_event *event)
{
    largest *l = user;
    if (event->kind == CAIRN_EVENT_PIECE) l->now = 1;
    if (event->kind == CAIRN_EVENT_GENERATE) l->now++;
    if (l->now > l->most) l->most = l->now;
}

/* Time, bytes and nodes of one query; the path stays in the search. */
static const cairn_path *measure(cairn_search *search, const cairn_query *query, double *needs)
{
    const cairn_path *path = NULL;
    needs[TIME] = INFINITY;
    for (uint32_t i = 0; i < REPEATS; i++) {
        double begun = now_us();
        cairn_search_find(search, query, &path);
        needs[TIME] = fmin(needs[TIME], now_us() - begun);
    }
    cairn_metrics metrics = cairn_search_metrics(search);
    largest l = {1, 1};
    cairn_trace_sink sink = {see, &l};
    cairn_search_trace(search, &sink);
    cairn_search_find(search, query, &path);
    cairn_search_trace(search, NULL);
    needs[BYTES] = (double)metrics.peak_bytes;
    needs[NODES] = (double)metrics.generated;
    needs[LARGEST] = (double)l.most;
    return path;
}

static void measure_problem(cairn_space *space, cairn_search **searches,
                            const cairn_problem *problem)
{
    const cairn_grid *grid = cairn_space_grid(space);
    cairn_query query = {.from = cairn_grid_node(grid, problem->from.x, problem->from.y),
                         .to = cairn_grid_node(grid, problem->to.x, problem->to.y)};
    double yardstick[NEEDS];
    if (problem->length <= 0 || measure(searches[0], &query, yardstick)->status != CAIRN_FOUND)
        return;
    for (uint32_t i = 0; i < chosen_count; i++) {
        double needs[NEEDS];
        const cairn_path *path = measure(searches[i], &query, needs);
        check(path->status == CAIRN_FOUND ? CAIRN_OK : path->status, chosen[i]);
        for (uint32_t n = 0; n < NEEDS; n++) needs[n] *= 100 / yardstick[n];
        keep(&all[i], needs);
        cairn_smoothed smooth = {0};
        check(cairn_smooth_rays(space, path, 0, &smooth), "smoothing");
        all[i].detour += path->length / problem->length - 1;
        all[i].smoothed += smooth.length / problem->length - 1;
    }
}

static void measure_map(cairn_context *context, const char *name, uint32_t every)
{
    char scen[1024];
    snprintf(scen, sizeof scen, "%s.scen", name);
    cairn_grid *grid;
    cairn_space *space;
    cairn_scenario scenario;
    cairn_planner *planners[CHOSEN];
    cairn_search *searches[CHOSEN];
    cairn_profile profile = cairn_profile_default();
    check(cairn_grid_load(context, name, &grid, NULL), name);
    check(cairn_scenario_load(context, scen, &scenario, NULL), scen);
    check(cairn_space_of_grid(grid, &profile, &space, NULL), name);
    for (uint32_t i = 0; i < chosen_count; i++) {
        check(cairn_planner_create(space, chosen[i], &planners[i], NULL), chosen[i]);
        check(cairn_planner_build(planners[i], NULL, NULL), chosen[i]);
        check(cairn_search_create(planners[i], NULL, &searches[i]), chosen[i]);
    }
    for (uint32_t i = 0; i < scenario.count; i += every) {
        measure_problem(space, searches, &scenario.problems[i]);
    }
    for (uint32_t i = 0; i < chosen_count; i++) {
        cairn_search_destroy(searches[i]);
        cairn_planner_destroy(planners[i]);
    }
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_scenario_free(context, &scenario);
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void tell(const char *what, double *values, uint32_t count)
{
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < count; i++) sum += values[i];
    for (uint32_t i = 0; i < count; i++) squares += pow(values[i] - sum / count, 2);
    qsort(values, count, sizeof *values, by_size);
    printf("  %-7s mean %7.2f %%  deviation %7.2f  median %7.2f  worst %8.2f\n", what, sum / count,
           sqrt(squares / count), values[count / 2], values[count - 1]);
}

int main(int argc, char **argv)
{
    static const char *const names[NEEDS] = {"time", "memory", "nodes", "largest"};
    uint32_t every = 1;
    cairn_context *context = NULL;
    check(cairn_context_create(NULL, &context), "no memory");
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-a") && i + 1 < argc && chosen_count < CHOSEN) {
            chosen[chosen_count++] = argv[++i];
        } else if (!strcmp(argv[i], "-y") && i + 1 < argc) {
            chosen[0] = argv[++i];
        } else if (!strcmp(argv[i], "-e") && i + 1 < argc) {
            every = (uint32_t)strtoul(argv[++i], NULL, 10);
            if (!every) every = 1;
        } else {
            measure_map(context, argv[i], every);
        }
    }
    for (uint32_t i = 1; i < chosen_count; i++) {
        if (!all[i].count) continue;
        printf("%s: %u problems, %.2f %% longer, smoothed %.2f %%\n", chosen[i], all[i].count,
               100 * all[i].detour / all[i].count, 100 * all[i].smoothed / all[i].count);
        for (uint32_t n = 0; n < NEEDS; n++) tell(names[n], all[i].values[n], all[i].count);
    }
    for (uint32_t i = 0; i < CHOSEN; i++) {
        for (uint32_t n = 0; n < NEEDS; n++) free(all[i].values[n]);
    }
    cairn_context_destroy(context);
    return 0;
}
