/* test_data.c: a sample of the published MovingAI problems: A*, Dijkstra, jump point search and, on
 * small maps, hierarchical A* must find the published lengths; on the maps of Warcraft 3, whose
 * published lengths are not to be had by our rule, the cost of A*. The maps are not ours, so they
 * are not here: CAIRN_DATA names the folder that holds the sets; without it these tests are
 * skipped. (The program's `check` command does the same for every problem.) Planners that search an
 * abstraction must be as good as their sources say.
 */
#define _POSIX_C_SOURCE 200809L

#include "data_maps.h"

#include <cairn/io.h>

#include <math.h>

/* every n-th map, this many of its problems */
enum { QUALITY_MAPS = 3, QUALITY_PROBLEMS = 100 };
enum { MAPS = 3, ASTAR_PROBLEMS = 25, DIJKSTRA_PROBLEMS = 6, JUMP_PROBLEMS = 60 };
enum { STAR_PROBLEMS = 6, STAR_CELLS = 256 * 256 }; /* hierarchical A* is slow: small maps only */

static void solve_one(cairn_search *search, const cairn_grid *grid, const cairn_problem *p,
                      const char *map)
{
    cairn_query query = {.from = cairn_grid_node(grid, p->from.x, p->from.y),
                         .to = cairn_grid_node(grid, p->to.x, p->to.y)};
    const cairn_path *path;
    cairn_status status = cairn_search_find(search, &query, &path);
    /* Length 0 between different cells is how the files say that there is no path. */
    if (p->length == 0 && query.from != query.to) {
        CHECK(status == CAIRN_UNREACHABLE, "%s: %u to %u: %s", map, query.from, query.to,
              cairn_status_text(status));
        return;
    }
    CHECK(status == CAIRN_FOUND, "%s: %u to %u: %s", map, query.from, query.to,
          cairn_status_text(status));
    CHECK(fabs(path->length - p->length) <= p->tolerance,
          "%s: %u to %u: length %.6f, published %.6f", map, query.from, query.to, path->length,
          p->length);
}

static void solve_sample(cairn_grid *grid, const cairn_scenario *scenario, const char *spec,
                         uint32_t sample, const char *map)
{
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    CHECK_OK(planner_ready(space, spec, &planner, NULL));
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    uint32_t every = scenario->count / sample + 1;
    for (uint32_t i = 0; i < scenario->count; i += every)
        solve_one(search, grid, &scenario->problems[i], map);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
}

static void solve_map(const char *folder, const char *name)
{
    char map[1024], problems[1024];
    snprintf(map, sizeof map, "%s/%s", folder, name);
    snprintf(problems, sizeof problems, "%s/%s.scen", folder, name);
    cairn_context *context;
    cairn_grid *grid;
    cairn_scenario scenario;
    cairn_error error = {0};
    CHECK_OK(cairn_context_create(NULL, &context));
    CHECK(cairn_grid_load(context, map, &grid, &error) == CAIRN_OK, "%s:%u: %s", map, error.line,
          error.text);
    CHECK(cairn_scenario_load(context, problems, &scenario, &error) == CAIRN_OK, "%s:%u: %s",
          problems, error.line, error.text);
    CHECK(scenario.count > 0 && !strcmp(scenario.map, name), "%s is for %s", problems,
          scenario.map);
    assert_int_equal(scenario.problems[0].width, cairn_grid_width(grid));
    assert_int_equal(scenario.problems[0].height, cairn_grid_height(grid));
    solve_sample(grid, &scenario, "astar", ASTAR_PROBLEMS, map);
    solve_sample(grid, &scenario, "dijkstra", DIJKSTRA_PROBLEMS, map);
    solve_sample(grid, &scenario, "jps:jumps=always", JUMP_PROBLEMS, map);
    solve_sample(grid, &scenario, "jps-plus:jumps=always", JUMP_PROBLEMS, map);
    if (cairn_grid_width(grid) * cairn_grid_height(grid) <= STAR_CELLS)
        solve_sample(grid, &scenario, "hierarchical-astar", STAR_PROBLEMS, map);
    cairn_scenario_free(context, &scenario);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

static void solve_set(const char *set)
{
    static char names[NAMES][256];
    const char *data = getenv("CAIRN_DATA");
    if (!data) skip();
    char folder[700];
    snprintf(folder, sizeof folder, "%s/%s", data, set);
    uint32_t count = list_maps(folder, names);
    if (!count) skip();
    for (uint32_t i = 0; i < MAPS; i++)
        solve_map(folder, names[i * (count - 1) / (MAPS > 1 ? MAPS - 1 : 1)]);
}

/* Every algorithm that promises the best asks for the same problems: the first of them is A*. */
static void agree_on_map(const char *folder, const char *name)
{
    static const char *const specs[] = {"astar", "astar-fast", "jps:jumps=always",
                                        "jps-plus:jumps=always"};
    char map[1024], problems[1024];
    snprintf(map, sizeof map, "%s/%s", folder, name);
    snprintf(problems, sizeof problems, "%s/%s.scen", folder, name);
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_scenario scenario;
    CHECK_OK(cairn_context_create(NULL, &context));
    CHECK_OK(cairn_grid_load(context, map, &grid, NULL));
    CHECK_OK(cairn_scenario_load(context, problems, &scenario, NULL));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    cairn_planner *planners[LENGTH(specs)];
    cairn_search *searches[LENGTH(specs)];
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        CHECK_OK(planner_ready(space, specs[i], &planners[i], NULL));
        CHECK_OK(cairn_search_create(planners[i], NULL, &searches[i]));
    }
    uint32_t every = scenario.count / ASTAR_PROBLEMS + 1;
    for (uint32_t k = 0; k < scenario.count; k += every) {
        const cairn_problem *p = &scenario.problems[k];
        cairn_query query = {.from = cairn_grid_node(grid, p->from.x, p->from.y),
                             .to = cairn_grid_node(grid, p->to.x, p->to.y)};
        const cairn_path *path;
        cairn_status known = cairn_search_find(searches[0], &query, &path);
        cairn_cost cost = path->cost;
        for (uint32_t i = 1; i < LENGTH(specs); i++) {
            CHECK_STATUS(cairn_search_find(searches[i], &query, &path), known);
            CHECK(path->cost == cost, "%s: %s from %u to %u: %u, A* %u", map, specs[i], query.from,
                  query.to, path->cost, cost);
        }
    }
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        cairn_search_destroy(searches[i]);
        cairn_planner_destroy(planners[i]);
    }
    cairn_space_destroy(space);
    cairn_scenario_free(context, &scenario);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

static void warcraft_costs_are_those_of_astar(void **state)
{
    (void)state;
    static char names[NAMES][256];
    const char *data = getenv("CAIRN_DATA");
    if (!data) skip();
    char folder[700];
    snprintf(folder, sizeof folder, "%s/wc3", data);
    uint32_t count = list_maps(folder, names);
    if (!count) skip();
    for (uint32_t i = 0; i < MAPS; i++) agree_on_map(folder, names[i * (count - 1) / (MAPS - 1)]);
}

/* ---- how much longer paths by abstractions are ---- */

/* What is promised of a planner's paths; sums over the problems asked. */
typedef struct quality {
    const char *spec;
    uint32_t piece;            /* not 0: the path is followed in pieces of this many steps */
    double mean_from, mean_to; /* how much longer than optimal on average */
    /* this many of them are no longer than this; 0 = nothing is promised */
    double within, share;
    double sum, worst;
    uint32_t count, near;
} quality;

/* The length of all pieces; each is legal and begins where the one before it ended. */
static double follow(cairn_search *search, const cairn_space *space, const cairn_query *query,
                     const char *what)
{
    const cairn_path *path;
    cairn_status status = cairn_search_find(search, query, &path);
    cairn_node at = query->from;
    double length = 0;
    for (bool more = true; more; status = more ? cairn_search_find_next(search, &path) : status) {
        cairn_cost cost;
        CHECK(status == CAIRN_FOUND, "%s: %u to %u: %s", what, query->from, query->to,
              cairn_status_text(status));
        CHECK(path->nodes[0] == at && cairn_path_valid(space, path, &cost, NULL, NULL) &&
                  cost == path->cost,
              "%s: %u to %u: not legal from %u on", what, query->from, query->to, at);
        length += path->length;
        at = path->end;
        more = path->partial;
    }
    CHECK(at == query->to, "%s: %u to %u: ends at %u", what, query->from, query->to, at);
    return length;
}

static void judge_problem(quality *q, cairn_search *search, const cairn_space *space,
                          const cairn_problem *p)
{
    const cairn_grid *grid = cairn_space_grid(space);
    cairn_query query = {.from = cairn_grid_node(grid, p->from.x, p->from.y),
                         .to = cairn_grid_node(grid, p->to.x, p->to.y),
                         .piece = q->piece};
    if (query.from == query.to || p->length == 0) return;
    double length = follow(search, space, &query, q->spec), longer = length / p->length - 1;
    CHECK(length >= p->length - p->tolerance, "%s: %u to %u: shorter than can be", q->spec,
          query.from, query.to);
    q->sum += longer;
    if (longer > q->worst) q->worst = longer;
    q->near += length - p->length <= p->tolerance || longer <= q->within;
    q->count++;
}

static void judge_map(quality *q, const char *folder, const char *name)
{
    char map[1024], problems[1024];
    snprintf(map, sizeof map, "%s/%.250s", folder, name);
    snprintf(problems, sizeof problems, "%s/%.250s.scen", folder, name);
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    cairn_scenario scenario;
    CHECK_OK(cairn_context_create(NULL, &context));
    CHECK_OK(cairn_grid_load(context, map, &grid, NULL));
    CHECK_OK(cairn_scenario_load(context, problems, &scenario, NULL));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    CHECK_OK(planner_ready(space, q->spec, &planner, NULL));
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    uint32_t every = scenario.count / QUALITY_PROBLEMS + 1;
    for (uint32_t i = 0; i < scenario.count; i += every)
        judge_problem(q, search, space, &scenario.problems[i]);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_scenario_free(context, &scenario);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

static void judge_set(quality q, const char *set)
{
    static char names[NAMES][256];
    const char *data = getenv("CAIRN_DATA");
    if (!data) skip();
    char folder[700];
    snprintf(folder, sizeof folder, "%s/%s", data, set);
    uint32_t count = list_maps(folder, names);
    if (!count) skip();
    for (uint32_t i = 0; i < count; i += QUALITY_MAPS) judge_map(&q, folder, names[i]);
    double mean = q.sum / q.count, share = (double)q.near / q.count;
    CHECK(mean >= q.mean_from && mean <= q.mean_to,
          "%s: %s: %.2f %% longer on average, worst %.1f %%", set, q.spec, 100 * mean,
          100 * q.worst);
    CHECK(share >= q.share, "%s: %s: only %.2f %% are within %.0f %%", set, q.spec, 100 * share,
          100 * q.within);
}

/* Of the problems of the two sets that the sources' claims are measured on, each set by itself. */
static void judge(quality q)
{
    judge_set(q, "dao");
    judge_set(q, "bg512");
}

static void hpa_ways_are_a_few_per_cent_longer_on_average(void **state)
{
    (void)state;
    judge((quality){.spec = "hpa:smooth=none", .mean_from = 0.03, .mean_to = 0.1});
}

static void smoothed_hpa_ways_are_less_than_1_per_cent_longer_on_average(void **state)
{
    (void)state;
    judge((quality){.spec = "hpa:smooth=rays", .mean_to = 0.01});
}

static void dhpa_ways_are_a_few_per_cent_longer_on_average(void **state)
{
    (void)state;
    judge((quality){.spec = "dhpa", .mean_to = 0.1});
}

static void pra_ways_are_within_1_per_cent(void **state)
{
    (void)state;
    judge((quality){.spec = "pra", .mean_to = 0.01, .within = 0.01, .share = 0.98});
}

static void pra_ways_followed_in_pieces_are_within_5_per_cent(void **state)
{
    (void)state;
    judge(
        (quality){.spec = "pra:k=16", .piece = 16, .mean_to = 0.05, .within = 0.05, .share = 0.98});
}

static void pra_ways_looking_no_farther_than_pieces_need_are_within_5_per_cent(void **state)
{
    (void)state;
    judge((quality){.spec = "pra", .piece = 16, .mean_to = 0.05, .within = 0.05, .share = 0.98});
}

static void trimmed_mm_ways_are_at_most_6_per_cent_longer_on_average(void **state)
{
    (void)state;
    judge((quality){.spec = "mm:trim=10,smooth=none", .mean_to = 0.06});
}

static void mm_ways_two_centres_ahead_are_at_most_3_per_cent_longer_on_average(void **state)
{
    (void)state;
    judge((quality){.spec = "mm:trim=15,ahead=2,smooth=none", .mean_to = 0.03});
}

static void dba_ways_are_at_most_4_per_cent_longer_on_average(void **state)
{
    (void)state;
    judge((quality){.spec = "dbastar:smooth=none", .mean_to = 0.04});
}

static void smoothed_dba_ways_are_at_most_2_per_cent_longer_on_average(void **state)
{
    (void)state;
    judge((quality){.spec = "dbastar", .mean_to = 0.02});
}

static void smoothed_mm_ways_are_at_most_3_per_cent_longer_on_average(void **state)
{
    (void)state;
    judge((quality){.spec = "mm", .mean_to = 0.03});
}

/* ---- the sets ---- */

static void dragon_age_lengths_are_the_published_ones(void **state)
{
    (void)state;
    solve_set("dao");
    solve_set("da2");
}

static void starcraft_lengths_are_the_published_ones(void **state)
{
    (void)state;
    solve_set("sc1");
}

static void baldurs_gate_lengths_are_the_published_ones(void **state)
{
    (void)state;
    solve_set("bg512");
}

static void random_map_lengths_are_the_published_ones(void **state)
{
    (void)state;
    solve_set("random");
}

static void maze_lengths_are_the_published_ones(void **state)
{
    (void)state;
    solve_set("maze");
}

static void room_lengths_are_the_published_ones(void **state)
{
    (void)state;
    solve_set("room");
}

static void street_lengths_are_the_published_ones(void **state)
{
    (void)state;
    solve_set("street");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dragon_age_lengths_are_the_published_ones),
        cmocka_unit_test(starcraft_lengths_are_the_published_ones),
        cmocka_unit_test(baldurs_gate_lengths_are_the_published_ones),
        cmocka_unit_test(random_map_lengths_are_the_published_ones),
        cmocka_unit_test(maze_lengths_are_the_published_ones),
        cmocka_unit_test(room_lengths_are_the_published_ones),
        cmocka_unit_test(street_lengths_are_the_published_ones),
        cmocka_unit_test(warcraft_costs_are_those_of_astar),
        cmocka_unit_test(hpa_ways_are_a_few_per_cent_longer_on_average),
        cmocka_unit_test(smoothed_hpa_ways_are_less_than_1_per_cent_longer_on_average),
        cmocka_unit_test(pra_ways_are_within_1_per_cent),
        cmocka_unit_test(pra_ways_followed_in_pieces_are_within_5_per_cent),
        cmocka_unit_test(pra_ways_looking_no_farther_than_pieces_need_are_within_5_per_cent),
        cmocka_unit_test(dhpa_ways_are_a_few_per_cent_longer_on_average),
        cmocka_unit_test(trimmed_mm_ways_are_at_most_6_per_cent_longer_on_average),
        cmocka_unit_test(mm_ways_two_centres_ahead_are_at_most_3_per_cent_longer_on_average),
        cmocka_unit_test(smoothed_mm_ways_are_at_most_3_per_cent_longer_on_average),
        cmocka_unit_test(dba_ways_are_at_most_4_per_cent_longer_on_average),
        cmocka_unit_test(smoothed_dba_ways_are_at_most_2_per_cent_longer_on_average),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
