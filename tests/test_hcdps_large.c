/* test_hcdps_large.c: the index of `hcdps` on large maps: published ones (CAIRN_DATA, see
 * data_maps.h) and generated ones. Too large to look at everything as test_hcdps does, so:
 * - every cell that can be stood on belongs to a region with a representative;
 * - a sample of cells: an agent climbs to the representative and back, as a climb written down once
 *   more does, and inside of the region;
 * - a sample of regions: all of their records can be climbed, from subgoal to subgoal;
 * - a sample of pairs of regions: following rows ends, where there is a path at the other region;
 * - a sample of problems: a search finds a legal path by itself, agents with and without a cursor
 *   arrive, and nothing costs less than the cheapest path;
 * - no walk, with or without improvements, comes to one cell more than three times (ERRATA of L: "at
 *   most twice" is not a theorem).
 *
 * The largest map of each set is looked at, and with CAIRN_EVERY=1 (./test --full) all of them, more
 * closely: every cell climbs, and every record is climbed. CAIRN_HCDPS_SPEC=PLANNER takes another
 * planner, CAIRN_HCDPS_TELL=1 prints a line for each map.
 */
#define _POSIX_C_SOURCE 200809L

#include "data_maps.h"
#include "slow_climb.h"

#include <cairn/generate.h>
#include <cairn/io.h>

#include <sys/stat.h>

enum { CELLS = 2000, REGIONS = 100, PAIRS = 200, PROBLEMS = 12 }; /* of a sample */
enum { LEAST_CELLS = 1000 };                                      /* of a map */

/* One map with its index. */
typedef struct large {
    kit k;
    const char *text;
    cairn_planner *plain; /* the same index, without improvements */
    cairn_search *exact;
    cairn_planner *judge;
    scene_rng rng;
    trail t, climbed;
    uint32_t nodes, open, asked;
    uint32_t most, most_plain; /* visits of one cell */
    double longer;             /* sum over problems */
} large;

static bool everything(void)
{
    const char *every = getenv("CAIRN_EVERY");
    return every && !strcmp(every, "1");
}

/* Corners are always cut, and steps cost 5 and 7, as in L. */
static cairn_profile as_in_l;

static int set_up(void **state)
{
    (void)state;
    as_in_l = cairn_profile_default();
    as_in_l.corners = CAIRN_CORNERS_ALWAYS;
    as_in_l.cost_scale = CAIRN_COST_SCALES - 1;
    return 0;
}

/* ---- life ---------------------------------------------------------------------------------- */

/* Takes a grid, of the kit's context. */
static large large_of(kit k, const char *text, const cairn_profile *profile)
{
    const char *spec = getenv("CAIRN_HCDPS_SPEC");
    CHECK_OK(cairn_space_of_grid(k.grid, profile, &k.space, NULL));
    kit_plan(&k, spec ? spec : "hcdps");
    large l = {.k = k, .text = text, .rng = {11}, .nodes = cairn_space_node_count(k.space)};
    char plain[200];
    snprintf(plain, sizeof plain, "%s%cdirect=off,first=off,last=off,ahead=0",
             spec ? spec : "hcdps", spec && strchr(spec, ':') ? ',' : ':');
    CHECK_OK(cairn_planner_create(k.space, plain, &l.plain, NULL));
    CHECK_OK(cairn_planner_share(l.plain, k.planner, NULL));
    CHECK_OK(planner_ready(k.space, "astar-fast", &l.judge, NULL));
    CHECK_OK(cairn_search_create(l.judge, NULL, &l.exact));
    return l;
}

static void large_end(large *l)
{
    free(l->t.nodes), free(l->climbed.nodes);
    cairn_search_destroy(l->exact);
    cairn_planner_destroy(l->judge);
    cairn_planner_destroy(l->plain);
    kit_close(&l->k);
}

/* ---- cells and regions --------------------------------------------------------------------- */

/* Every cell has a region, and its representative is a cell of it. */
static void check_coverage(large *l)
{
    const crn_hcdps *index = index_of(l->k.planner);
    uint32_t regions = crn_hcdps_regions(index);
    for (uint32_t i = 0; i < regions; i++) {
        cairn_node home = crn_hcdps_home(index, i);
        CHECK(home < l->nodes && cairn_space_usable(l->k.space, home) &&
                  crn_hcdps_region(index, home) == i,
              "%s: region %u is not where its representative %u is", l->text, i, home);
    }
    for (cairn_node node = 0; node < l->nodes;) {
        crn_hcdps_run run = crn_hcdps_run_at(index, node);
        CHECK(run.begin <= node && node < run.end, "%s: the run of cell %u", l->text, node);
        for (; node < run.end && node < l->nodes; node++) {
            if (!cairn_space_usable(l->k.space, node)) continue;
            CHECK(run.region < regions, "%s: cell %u is in no region", l->text, node);
            l->open++;
        }
    }
}

/* An agent makes the steps of our climb, all of them in the region. */
static void check_climb(large *l, cairn_node from, cairn_node to)
{
    const crn_hcdps *index = index_of(l->k.planner);
    uint32_t region = crn_hcdps_region(index, from);
    l->climbed.count = 0;
    trail_add(&l->climbed, from);
    CHECK(slow_climb(map_of(l->k.planner), from, to, index->cutoff, &l->climbed),
          "%s: no climb from %u to %u", l->text, from, to);
    walk_with_cursor(l->text, l->plain, from, to, &l->t);
    CHECK(l->t.count == l->climbed.count, "%s: from %u to %u in %u steps, not %u", l->text, from,
          to, (unsigned)l->t.count, (unsigned)l->climbed.count);
    for (size_t i = 0; i < l->t.count; i++) {
        CHECK(l->t.nodes[i] == l->climbed.nodes[i] &&
                  crn_hcdps_region(index, l->t.nodes[i]) == region,
              "%s: from %u to %u by %u, not %u", l->text, from, to, l->t.nodes[i],
              l->climbed.nodes[i]);
    }
}

static void check_cells(large *l)
{
    const crn_hcdps *index = index_of(l->k.planner);
    const crn_grid_space *map = map_of(l->k.planner);
    uint32_t stride = l->open / CELLS + 1, number = 0;
    for (cairn_node node = 0; node < l->nodes; node++) {
        if (!cairn_space_usable(l->k.space, node)) continue;
        bool chosen = number++ % stride == 0;
        if (!chosen && !everything()) continue;
        cairn_node home = crn_hcdps_home(index, crn_hcdps_region(index, node));
        CHECK(crn_climb_reaches(map, node, home, index->cutoff, NULL) &&
                  crn_climb_reaches(map, home, node, index->cutoff, NULL),
              "%s: from %u to %u or back", l->text, node, home);
        if (chosen) check_climb(l, node, home), check_climb(l, home, node);
    }
}

static void check_some_records(large *l)
{
    const crn_hcdps *index = index_of(l->k.planner);
    uint32_t regions = crn_hcdps_regions(index), stride = everything() ? 1 : regions / REGIONS + 1;
    for (uint32_t i = 0; i < regions; i += stride) check_records_of(l->text, l->k.planner, i);
}

/* Following rows leads to the region, if there is a path. */
static void check_route(large *l, uint32_t from, uint32_t to, bool near)
{
    const crn_hcdps *index = index_of(l->k.planner);
    uint32_t at = from, hops = 0, link = 0;
    for (; at != to && link != UINT32_MAX; hops++) {
        CHECK(hops < crn_hcdps_regions(index), "%s: from region %u to %u in circles", l->text, from,
              to);
        link = crn_hcdps_next(index, at, to, near);
        if (link != UINT32_MAX) at = crn_hcdps_link_at(index, at, link).region;
    }
    bool may = may_reach(l->k.space, crn_hcdps_home(index, from), crn_hcdps_home(index, to));
    CHECK(may == (at == to), "%s: from region %u to %u", l->text, from, to);
}

static void check_routes(large *l)
{
    uint32_t regions = crn_hcdps_regions(index_of(l->k.planner));
    for (uint32_t i = 0; i < PAIRS && regions; i++)
        check_route(l, scene_random(&l->rng, regions), scene_random(&l->rng, regions), i % 2);
}

/* ---- problems ------------------------------------------------------------------------------ */

static int by_number(const void *a, const void *b)
{
    const cairn_node *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* How often the most visited cell of the last walk was visited. */
static uint32_t most_visits(trail *t)
{
    uint32_t most = 0, same = 0;
    qsort(t->nodes, t->count, sizeof *t->nodes, by_number);
    for (size_t i = 0; i < t->count; i++) {
        same = i && t->nodes[i] == t->nodes[i - 1] ? same + 1 : 1;
        most = same > most ? same : most;
    }
    return most;
}

/* With and without improvements, and without a cursor. */
static void check_walks(large *l, const cairn_query *query, cairn_cost best)
{
    const cairn_planner *planners[2] = {l->k.planner, l->plain};
    uint32_t *visits[2] = {&l->most, &l->most_plain};
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(walk_with_cursor(l->text, planners[i], query->from, query->to, &l->t) >= best,
              "%s: too cheap from %u to %u", l->text, query->from, query->to);
        uint32_t most = most_visits(&l->t);
        *visits[i] = most > *visits[i] ? most : *visits[i];
    }
    CHECK(walk_without_memory(l->text, l->k.planner, query->from, query->to) >= best,
          "%s: too cheap from %u to %u", l->text, query->from, query->to);
}

static void check_problem(large *l, cairn_node from, cairn_node to)
{
    cairn_query query = {.from = from, .to = to};
    const cairn_path *path, *best;
    cairn_status status = cairn_search_find(l->k.search, &query, &path);
    CHECK_STATUS(cairn_search_find(l->exact, &query, &best), status);
    CHECK(status == (may_reach(l->k.space, from, to) ? CAIRN_FOUND : CAIRN_UNREACHABLE),
          "%s: from %u to %u: %s", l->text, from, to, cairn_status_text(status));
    if (status != CAIRN_FOUND || from == to) return;
    cairn_cost cost;
    CHECK(path->answered_by == cairn_planner_algorithm(l->k.planner),
          "%s: from %u to %u: another algorithm answered", l->text, from, to);
    CHECK(cairn_path_valid(l->k.space, path, &cost, NULL, NULL) && cost == path->cost &&
              cost >= best->cost && path->nodes[0] == from && path->end == to,
          "%s: from %u to %u: a wrong path", l->text, from, to);
    l->longer += (double)cost / best->cost - 1;
    l->asked++;
    check_walks(l, &query, best->cost);
}

/* Between cells drawn by lot, mostly of one part of the map. */
static void check_random_problems(large *l)
{
    uint64_t seed = 7;
    for (uint32_t i = 0; i < PROBLEMS; i++) {
        cairn_node from, to = CAIRN_NO_NODE;
        do {
            from = scene_random(&l->rng, l->nodes);
        } while (!cairn_space_usable(l->k.space, from));
        if (i % 4) CHECK_OK(cairn_random_reachable(l->k.space, from, &seed, &to));
        while (to == CAIRN_NO_NODE || !cairn_space_usable(l->k.space, to))
            to = scene_random(&l->rng, l->nodes);
        check_problem(l, from, to);
    }
}

static void check_published_problems(large *l, const char *file)
{
    cairn_scenario scenario;
    CHECK_OK(cairn_scenario_load(l->k.context, file, &scenario, NULL));
    uint32_t every = scenario.count / PROBLEMS + 1;
    for (uint32_t i = 0; i < scenario.count; i += every) {
        const cairn_problem *p = &scenario.problems[i];
        cairn_node from = cairn_grid_node(l->k.grid, p->from.x, p->from.y),
                   to = cairn_grid_node(l->k.grid, p->to.x, p->to.y);
        /* Some of Warcraft 3 begin or end in water. */
        if (cairn_space_usable(l->k.space, from) && cairn_space_usable(l->k.space, to))
            check_problem(l, from, to);
    }
    cairn_scenario_free(l->k.context, &scenario);
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* Looks at a map; `problems` is a file with published ones, or NULL. */
static void check_large(kit k, const char *text, const cairn_profile *profile, const char *problems)
{
    large l = large_of(k, text, profile);
    check_coverage(&l);
    check_cells(&l);
    check_some_records(&l);
    check_routes(&l);
    if (l.open) check_random_problems(&l);
    if (problems) check_published_problems(&l, problems);
    CHECK(l.open < LEAST_CELLS || l.asked > PROBLEMS / 2, "%s: %u problems prove nothing", text,
          l.asked);
    CHECK(l.most <= 3 && l.most_plain <= 3, "%s: a cell was visited %u times, %u in plain walks",
          text, l.most, l.most_plain);
    if (getenv("CAIRN_HCDPS_TELL"))
        printf("%s: %u cells, %u regions, %u bytes, %u problems, %.1f %% longer, a cell visited %u "
               "times at most, %u without improvements\n",
               text, l.open, crn_hcdps_regions(index_of(l.k.planner)),
               (unsigned)cairn_planner_index_bytes(l.k.planner), l.asked,
               100 * l.longer / (l.asked ? l.asked : 1), l.most, l.most_plain);
    fflush(stdout);
    large_end(&l);
}

static void check_published(const char *folder, const char *name, const cairn_profile *profile)
{
    char map[1024], problems[1024];
    kit k = {0};
    snprintf(map, sizeof map, "%s/%.250s", folder, name);
    snprintf(problems, sizeof problems, "%s/%.250s.scen", folder, name);
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_grid_load(k.context, map, &k.grid, NULL));
    check_large(k, map, profile, problems);
}

/* Of equally large maps the last one. */
static uint32_t largest_of(const char *folder, char names[NAMES][256], uint32_t count)
{
    uint32_t largest = 0;
    off_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        char map[1024];
        struct stat about;
        snprintf(map, sizeof map, "%s/%.250s", folder, names[i]);
        if (stat(map, &about) || about.st_size < most) continue;
        most = about.st_size;
        largest = i;
    }
    return largest;
}

static void check_set(const char *set)
{
    static char names[NAMES][256];
    const cairn_profile by_default = cairn_profile_default();
    const char *data = getenv("CAIRN_DATA");
    if (!data) skip();
    char folder[700];
    snprintf(folder, sizeof folder, "%s/%s", data, set);
    uint32_t count = list_maps(folder, names);
    if (!count) skip();
    if (!everything()) {
        check_published(folder, names[largest_of(folder, names, count)], &as_in_l);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        check_published(folder, names[i], &as_in_l);
        if (i % 3 == 0) check_published(folder, names[i], &by_default);
    }
}

static void dragon_age_maps(void **state)
{
    (void)state;
    check_set("dao");
}

static void dragon_age_2_maps(void **state)
{
    (void)state;
    check_set("da2");
}

static void baldurs_gate_maps(void **state)
{
    (void)state;
    check_set("bg512");
}

static void warcraft_maps(void **state)
{
    (void)state;
    check_set("wc3");
}

static void starcraft_maps(void **state)
{
    (void)state;
    check_set("sc1");
}

static void street_maps(void **state)
{
    (void)state;
    check_set("street");
}

static void room_maps(void **state)
{
    (void)state;
    check_set("room");
}

static void maze_maps(void **state)
{
    (void)state;
    check_set("maze");
}

static void random_maps(void **state)
{
    (void)state;
    check_set("random");
}

/* ---- generated maps ------------------------------------------------------------------------ */

static void check_generated(cairn_generator_kind kind, uint32_t width, uint32_t height,
                            const char *text)
{
    cairn_generator generator = cairn_generator_default(kind);
    kit k = {0};
    generator.width = width, generator.height = height;
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_generate(k.context, &generator, &k.grid, NULL));
    check_large(k, text, &as_in_l, NULL);
}

static void generated_maps(void **state)
{
    (void)state;
    if (everything()) check_generated(CAIRN_GENERATE_FACILITY, 4096, 4604, "facility of L's size");
    check_generated(CAIRN_GENERATE_FACILITY, 1024, 1152, "facility");
    check_generated(CAIRN_GENERATE_CAVES, 512, 512, "caves");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generated_maps),    cmocka_unit_test(dragon_age_maps),
        cmocka_unit_test(dragon_age_2_maps), cmocka_unit_test(baldurs_gate_maps),
        cmocka_unit_test(warcraft_maps),     cmocka_unit_test(starcraft_maps),
        cmocka_unit_test(street_maps),       cmocka_unit_test(room_maps),
        cmocka_unit_test(maze_maps),         cmocka_unit_test(random_maps),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
