/* test_profile.c: which profiles make sense, and what a space makes of those that say little. */
#include "kit.h"
#include "smoothing.h"
#include "world/cost.h"

#include <math.h>

/* ---- nothing said, nothing allowed ---- */

static void check_like_default(cairn_grid *grid, const cairn_profile *given)
{
    cairn_profile expected = cairn_profile_for(grid);
    cairn_space *space, *other;
    CHECK_OK(cairn_space_of_grid(grid, given, &space, NULL));
    CHECK_OK(cairn_space_of_grid(grid, &expected, &other, NULL));
    const cairn_profile *p = cairn_space_profile(space);
    assert_int_equal(p->neighbours, expected.neighbours);
    assert_int_equal(p->corners, expected.corners);
    assert_memory_equal(p->terrain_cost, expected.terrain_cost, sizeof p->terrain_cost);
    assert_int_equal(p->max_climb, CAIRN_ANY_STEP);
    assert_int_equal(p->max_drop, CAIRN_ANY_STEP);
    assert_int_equal(p->links, UINT32_MAX);
    assert_true(cairn_space_hash(space) == cairn_space_hash(other));
    cairn_space_destroy(other);
    cairn_space_destroy(space);
}

static void a_profile_of_zeros_is_the_default_one(void **state)
{
    cairn_grid_options options = {.width = 9, .height = 7};
    for (int hex = 0; hex < 2; hex++) {
        cairn_grid *grid;
        options.layout = hex ? CAIRN_LAYOUT_HEX : CAIRN_LAYOUT_SQUARE;
        CHECK_OK(cairn_grid_create(*state, &options, &grid, NULL));
        cairn_profile zeros = {0};
        check_like_default(grid, &zeros);
        check_like_default(grid, NULL);
        /* What lies between the fields does not count. */
        cairn_profile noisy, fields = {0};
        memset(&noisy, 0xff, sizeof noisy);
        noisy.neighbours = fields.neighbours, noisy.corners = fields.corners;
        memset(noisy.terrain_cost, 0, sizeof noisy.terrain_cost);
        noisy.layer_weight = noisy.gradient = 0;
        noisy.max_climb = noisy.max_drop = 0;
        noisy.cost_scale = noisy.footprint = noisy.links = 0;
        noisy.radius = 0;
        check_like_default(grid, &noisy);
        cairn_grid_destroy(grid);
    }
}

/* Each of these says something, and all forbid every class. */
static void any_other_profile_that_forbids_everything_is_refused(void **state)
{
    cairn_profile given[11];
    memset(given, 0, sizeof given);
    given[0].neighbours = CAIRN_NEIGHBOURS_8;
    given[1].corners = CAIRN_CORNERS_ONE;
    given[2].layer_weight = 1;
    given[3].gradient = 1;
    given[4].max_climb = 1;
    given[5].max_drop = 1;
    given[6].cost_scale = 1;
    given[7].radius = 0.25;
    given[8].footprint = 1;
    given[9].links = 1;
    given[10] = cairn_profile_default();
    memset(given[10].terrain_cost, 0, sizeof given[10].terrain_cost);
    cairn_grid_options options = {.width = 9, .height = 7};
    cairn_grid *grid;
    CHECK_OK(cairn_grid_create(*state, &options, &grid, NULL));
    for (uint32_t i = 0; i < LENGTH(given); i++) {
        cairn_space *space = NULL;
        cairn_error error = {0};
        CHECK_STATUS(cairn_space_of_grid(grid, &given[i], &space, &error), CAIRN_INVALID);
        CHECK(!space && strstr(error.text, "forbids every terrain class"), "%u: %s", i, error.text);
        given[i].terrain_cost[255] = 1; /* one class is enough */
        CHECK_OK(cairn_space_of_grid(grid, &given[i], &space, &error));
        cairn_space_destroy(space);
    }
    cairn_grid_destroy(grid);
}

/* ---- terrain costs in 256ths ---- */

/* The rule of space.h, in doubles, which are exact for such numbers. */
static uint32_t rounded(uint32_t unit, uint32_t cost)
{
    double price = floor((double)unit * cost / 256 + 0.5);
    return price < 1 ? 1 : (uint32_t)price;
}

static void prices_are_rounded_once_on_every_cost_scale(void **state)
{
    (void)state;
    for (uint32_t r = 0; r < CAIRN_COST_SCALES; r++) {
        cairn_scale scale = crn_cost_scales[r];
        assert_int_equal(crn_price(scale.straight, 0), 0);
        uint32_t before = 0, before_diagonal = 0;
        for (uint32_t cost = 1; cost <= UINT16_MAX; cost++) {
            uint32_t straight = crn_price(scale.straight, cost),
                     diagonal = crn_price(scale.diagonal, cost);
            bool right = straight == rounded(scale.straight, cost) &&
                         diagonal == rounded(scale.diagonal, cost);
            CHECK(right, "%u at %u: %u, %u", r, cost, straight, diagonal);
            CHECK(before <= straight && before_diagonal <= diagonal, "%u at %u", r, cost);
            CHECK(straight <= diagonal && diagonal <= 2 * straight, "%u at %u", r, cost);
            if (cost % 256 == 0)
                assert_true(straight == scale.straight * (cost / 256) &&
                            diagonal == scale.diagonal * (cost / 256));
            before = straight, before_diagonal = diagonal;
        }
    }
}

static void steps_cost_their_class_on_every_cost_scale(void **state)
{
    (void)state;
    static const uint16_t costs[] = {1, 2, 13, 64, 127, 128, 129, 255, 256, 257, 384, 1000, 65535};
    scene *s = scene_blank("classes", LENGTH(costs), 2);
    s->terrain = calloc(LENGTH(costs), 2);
    if (!s->terrain) abort();
    cairn_profile profile = cairn_profile_default();
    for (uint32_t i = 0; i < LENGTH(costs); i++) {
        s->terrain[i] = s->terrain[LENGTH(costs) + i] = (uint8_t)(i + 10);
        profile.terrain_cost[i + 10] = costs[i];
    }
    for (profile.cost_scale = 0; profile.cost_scale < CAIRN_COST_SCALES; profile.cost_scale++) {
        kit k = kit_of_scene(s, &profile);
        cairn_scale scale = cairn_space_scale(k.space);
        assert_int_equal(cairn_space_validate(k.space, NULL, NULL), 0);
        for (uint32_t i = 1; i < LENGTH(costs); i++) {
            assert_int_equal(cairn_space_step_cost(k.space, i - 1, i),
                             rounded(scale.straight, costs[i]));
            assert_int_equal(cairn_space_step_cost(k.space, i - 1, LENGTH(costs) + i),
                             rounded(scale.diagonal, costs[i]));
        }
        kit_close(&k);
    }
    scene_destroy(s);
}

/* Straight through three cells of swamp, or round them on seven of ground. */
static void one_and_a_half_and_two_decide_differently(void **state)
{
    (void)state;
    scene *s = scene_of_text("ford", "......\n......\n");
    s->terrain = calloc(6, 2);
    if (!s->terrain) abort();
    s->terrain[1] = s->terrain[2] = s->terrain[3] = CAIRN_TERRAIN_SWAMP;
    static const uint16_t costs[] = {CAIRN_TIMES(1.5), CAIRN_TIMES(2), CAIRN_TIMES(5 / 3.0) - 1,
                                     CAIRN_TIMES(5 / 3.0) + 1};
    for (uint32_t i = 0; i < LENGTH(costs); i++) {
        s->profile.neighbours = CAIRN_NEIGHBOURS_4;
        s->profile.terrain_cost[CAIRN_TERRAIN_SWAMP] = costs[i];
        kit k = kit_of_scene(s, &s->profile);
        kit_plan(&k, "astar");
        const cairn_path *path;
        cairn_query query = {.from = 0, .to = 5};
        CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
        uint64_t ford = 2 * 5741 + 3 * (uint64_t)rounded(5741, costs[i]);
        assert_int_equal(path->cost, i % 2 ? 7 * 5741 : ford);
        assert_int_equal(path->count, i % 2 ? 4 : 2);
        kit_close(&k);
    }
    scene_destroy(s);
}

/* A scene with fractions, or with a single class; on any scale. */
static scene *scene_of_fractions(scene_rng *rng, bool single, bool hex)
{
    uint32_t side = 12 + scene_random(rng, 14);
    scene *s = scene_noise("fractions", side, side, 10 + scene_random(rng, 25),
                           scene_random(rng, 1u << 30));
    scene_add_terrain(s, scene_random(rng, 1u << 30));
    uint32_t most = scene_random(rng, 2) ? 900 : 40;
    for (uint32_t kind = 0; kind < 256; kind++)
        s->profile.terrain_cost[kind] = (uint16_t)(1 + scene_random(rng, most));
    if (single) memset(s->terrain, 7, (size_t)s->width * s->height);
    if (scene_random(rng, 3) == 0 && !single) s->profile.terrain_cost[2] = 0;
    s->profile.cost_scale = scene_random(rng, CAIRN_COST_SCALES);
    if (hex) scene_make_hex(s);
    return s;
}

static void check_smoothed(const kit *k, const cairn_path *path, const char *name)
{
    cairn_node out[800];
    uint32_t count;
    cairn_cost cost, sum;
    if (path->any_angle) return;
    CHECK_OK(smooth_rays(k->space, path, 0, out, 800, &count, &cost, NULL));
    cairn_path smooth = {.status = CAIRN_FOUND, .nodes = out, .count = count};
    CHECK(cairn_path_valid(k->space, &smooth, &sum, NULL, NULL) && sum == cost &&
              cost <= path->cost,
          "%s: smoothed from %u to %u", name, path->cost, cost);
}

static void check_answer(const kit *k, oracle *o, const cairn_query *query)
{
    const char *name = cairn_planner_algorithm(k->planner)->name;
    const cairn_path *path;
    cairn_status status = cairn_search_find(k->search, query, &path);
    oracle_search(o, query->from);
    uint64_t best = o->distance[query->to];
    if (!o->usable[query->from] || !o->usable[query->to]) return;
    if (gave_up(cairn_planner_algorithm(k->planner), status)) return;
    CHECK((status == CAIRN_FOUND) == (best != ORACLE_NONE), "%s: %s", name,
          cairn_result_text(status));
    if (status) return;
    cairn_cost cost;
    CHECK(cairn_path_valid(k->space, path, &cost, NULL, NULL) && cost == path->cost, "%s: %u, %u",
          name, cost, path->cost);
    if (path->any_angle) return;
    CHECK(path->cost >= best, "%s: %u is too cheap", name, path->cost);
    if (cairn_planner_optimal(k->planner))
        CHECK(path->cost == best, "%s: %u from %u to %u, not %u", name, path->cost, query->from,
              query->to, (uint32_t)best);
    check_smoothed(k, path, name);
}

/* Every algorithm that takes the space, and some that have more than one face. */
static uint32_t check_fractions(scene *s, const cairn_profile *profile, scene_rng *rng)
{
    static const char *const more[] = {"jps-plus:boxes=on", "astar:heuristic=euclidean",
                                       "astar:heuristic=chebyshev", "jps:jump=always"};
    kit k = kit_of_scene(s, profile);
    oracle_grid raw = scene_raw(s);
    oracle *o = oracle_of_grid(&raw, profile, cairn_space_scale(k.space));
    uint32_t served = 0;
    assert_int_equal(cairn_space_validate(k.space, NULL, NULL), 0);
    const uint32_t extra = LENGTH(more);
    for (uint32_t i = 0; i < cairn_algorithm_count() + extra; i++) {
        const char *spec = i < extra ? more[i] : cairn_algorithm_at(i - extra)->name;
        cairn_planner *planner;
        if (planner_ready(k.space, spec, &planner, NULL) != CAIRN_OK) continue;
        cairn_planner_destroy(planner);
        kit_plan(&k, spec);
        for (uint32_t n = 0; n < 6; n++) {
            cairn_query query = {.from = scene_random(rng, o->count),
                                 .to = scene_random(rng, o->count)};
            check_answer(&k, o, &query);
        }
        served++;
    }
    oracle_destroy(o);
    kit_close(&k);
    return served;
}

static void paths_over_fractions_are_as_cheap_as_the_oracles(void **state)
{
    (void)state;
    scene_rng rng = {256};
    uint32_t served = 0, least = UINT32_MAX;
    for (uint32_t round = 0; round < 40; round++) {
        scene *s = scene_of_fractions(&rng, round % 3 == 0, round % 5 == 4);
        cairn_profile profile;
        for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
            uint32_t count = check_fractions(s, &profile, &rng);
            served += count;
            if (count < least) least = count;
        }
        scene_destroy(s);
    }
    print_message("%u planners, at least %u for a space\n", served, least);
    assert_true(least >= 10);
}

/* Estimates never promise too much, and along an edge they change by what it costs at most. */
static void estimates_go_by_the_cheapest_class_present(void **state)
{
    (void)state;
    scene_rng rng = {77};
    for (uint32_t round = 0; round < 60; round++) {
        scene *s = scene_of_fractions(&rng, round % 2, round % 5 == 4);
        kit k = kit_of_scene(s, &s->profile);
        oracle_grid raw = scene_raw(s);
        oracle *o = oracle_of_grid(&raw, &s->profile, cairn_space_scale(k.space));
        for (uint32_t n = 0; n < 5; n++) {
            cairn_node from = scene_random(&rng, o->count);
            oracle_search(o, from);
            for (cairn_node to = 0; to < o->count; to++) {
                if (o->distance[to] == ORACLE_NONE) continue;
                for (uint32_t h = 0; h < CAIRN_HEURISTIC_COUNT; h++)
                    CHECK(!cairn_heuristic_admissible(k.space, (cairn_heuristic)h) ||
                              cairn_estimate(k.space, (cairn_heuristic)h, from, to) <=
                                  o->distance[to],
                          "%s from %u to %u", cairn_heuristic_name((cairn_heuristic)h), from, to);
            }
        }
        oracle_destroy(o);
        kit_end(&k, s);
    }
}

/* Boxes of goals are built for one pair of steps. */
static void boxes_go_when_the_ground_under_all_changes_its_price(void **state)
{
    (void)state;
    scene *s = scene_noise("boxes", 24, 24, 25, 3);
    cairn_profile profile = cairn_profile_default();
    profile.terrain_cost[CAIRN_TERRAIN_SWAMP] = CAIRN_TIMES(0.2);
    profile.cost_scale = 7; /* 5 and 7, and 1 and 1 */
    kit k = kit_of_scene(s, &profile);
    kit_plan(&k, "jps-plus:boxes=on");
    size_t with = cairn_planner_index_bytes(k.planner);
    for (int32_t y = 0; y < 24; y++)
        for (int32_t x = 0; x < 24; x++)
            CHECK_OK(cairn_grid_set_terrain(k.grid, x, y, CAIRN_TERRAIN_SWAMP));
    CHECK_OK(cairn_grid_commit(k.grid));
    CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
    assert_true(cairn_planner_index_bytes(k.planner) < with);
    kit_end(&k, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_profile_of_zeros_is_the_default_one, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(any_other_profile_that_forbids_everything_is_refused,
                                        context_set_up, context_tear_down),
        cmocka_unit_test(prices_are_rounded_once_on_every_cost_scale),
        cmocka_unit_test(steps_cost_their_class_on_every_cost_scale),
        cmocka_unit_test(one_and_a_half_and_two_decide_differently),
        cmocka_unit_test(paths_over_fractions_are_as_cheap_as_the_oracles),
        cmocka_unit_test(estimates_go_by_the_cheapest_class_present),
        cmocka_unit_test(boxes_go_when_the_ground_under_all_changes_its_price),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
