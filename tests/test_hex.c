/* test_hex.c: grids of hexagons: where cells lie and which ones touch, estimates, and searches on
 * maps that change. The judges are plain geometry of centres and the oracle.
 */
#include "edits.h"
#include "world/space.h"

#include <math.h>

static world open_hexagons(uint32_t width, uint32_t height)
{
    scene *s = scene_blank("open", width, height);
    scene_make_hex(s);
    return world_of(s);
}

/* ---- cells and positions --------------------------------------------------------------- */

static void check_neighbours(uint32_t width, uint32_t height)
{
    world w = open_hexagons(width, height);
    for (cairn_node a = 0; a < width * height; a++) {
        cairn_edge edges[9];
        uint32_t count = cairn_space_expand(w.space, a, 0, edges, 9), near = 0;
        for (cairn_node b = 0; b < width * height; b++) {
            cairn_position p = cairn_space_position(w.space, a),
                           q = cairn_space_position(w.space, b);
            double distance = sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y));
            bool beside = fabs(distance - 1) < 1e-9;
            CHECK(a == b || distance > 1 - 1e-9, "%u and %u lie too near", a, b);
            cairn_cost cost = cairn_space_step_cost(w.space, a, b);
            CHECK(cost == (beside ? cairn_space_scale(w.space).straight : CAIRN_NO_COST),
                  "%ux%u: %u to %u", width, height, a, b);
            near += beside;
        }
        assert_int_equal(count, near);
    }
    world_end(&w);
}

static void hexagons_touch_those_whose_centres_are_one_cell_away(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {1, 6}, {6, 1}, {2, 2}, {2, 5}, {9, 8}};
    for (uint32_t i = 0; i < LENGTH(sizes); i++) check_neighbours(sizes[i][0], sizes[i][1]);
}

/* The cell with the nearest centre, those outside the map included; `sure` if no other is as
 * near. */
static cairn_node nearest_centre(uint32_t width, uint32_t height, double x, double y, bool *sure)
{
    double least = INFINITY, second = INFINITY;
    cairn_node best = CAIRN_NO_NODE;
    for (int64_t v = -2; v <= height + 1; v++) {
        for (int64_t u = -2; u <= width + 1; u++) {
            double dx = (double)u + 0.5 + (v & 1 ? 0.5 : 0) - x,
                   dy = (double)v * sqrt(0.75) + sqrt(1.0 / 3) - y;
            double distance = sqrt(dx * dx + dy * dy);
            if (distance < least) {
                second = least, least = distance;
                bool inside = u >= 0 && v >= 0 && u < width && v < height;
                best = inside ? (cairn_node)(v * width + u) : CAIRN_NO_NODE;
            } else if (distance < second) {
                second = distance;
            }
        }
    }
    *sure = second - least > 1e-9;
    return best;
}

static void a_point_lies_in_the_hexagon_with_the_nearest_centre(void **state)
{
    cairn_context *context = *state;
    enum { WIDTH = 7, HEIGHT = 6 };
    const cairn_position origin = {-12.5, 300.25, 0};
    const double size = 3.7;
    cairn_grid_options options = {.width = WIDTH,
                                  .height = HEIGHT,
                                  .layout = CAIRN_LAYOUT_HEX,
                                  .origin = origin,
                                  .cell_size = size};
    cairn_grid *grid;
    CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
    for (cairn_node n = 0; n < WIDTH * HEIGHT; n++) {
        assert_int_equal(cairn_grid_node_at(grid, cairn_grid_position(grid, n)), n);
    }
    scene_rng rng = {7};
    uint32_t inside = 0, outside = 0;
    for (int i = 0; i < 20000; i++) {
        double x = scene_random(&rng, 100000) / 100000.0 * (WIDTH + 2) - 0.7;
        double y = scene_random(&rng, 100000) / 100000.0 * (HEIGHT + 1) - 0.7;
        bool sure;
        cairn_node must = nearest_centre(WIDTH, HEIGHT, x, y, &sure);
        cairn_node is =
            cairn_grid_node_at(grid, (cairn_position){origin.x + x * size, origin.y + y * size, 0});
        CHECK(is == must || !sure, "(%f, %f): %u, not %u", x, y, is, must);
        inside += must != CAIRN_NO_NODE, outside += must == CAIRN_NO_NODE;
    }
    assert_true(inside > 5000 && outside > 2000);
    const double strange[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300};
    for (uint32_t i = 0; i < LENGTH(strange); i++) {
        assert_int_equal(cairn_grid_node_at(grid, (cairn_position){strange[i], 301, 0}),
                         CAIRN_NO_NODE);
        assert_int_equal(cairn_grid_node_at(grid, (cairn_position){-10, strange[i], 0}),
                         CAIRN_NO_NODE);
    }
    cairn_grid_destroy(grid);
}

static void layout_and_neighbourhood_belong_together(void **state)
{
    cairn_context *context = *state;
    cairn_grid_options options = {.width = 3, .height = 3};
    cairn_grid *grid;
    CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
    cairn_profile profile = cairn_profile_default();
    cairn_space *space;
    cairn_error error;
    profile.neighbours = CAIRN_NEIGHBOURS_HEX;
    CHECK_STATUS(cairn_space_of_grid(grid, &profile, &space, &error), CAIRN_INVALID);
    CHECK_OK(cairn_grid_set_layout(grid, CAIRN_LAYOUT_HEX));
    assert_int_equal(cairn_grid_layout(grid), CAIRN_LAYOUT_HEX);
    assert_int_equal(cairn_profile_for(grid).neighbours, CAIRN_NEIGHBOURS_HEX);
    profile.neighbours = CAIRN_NEIGHBOURS_8;
    CHECK_STATUS(cairn_space_of_grid(grid, &profile, &space, &error), CAIRN_INVALID);
    profile.neighbours = CAIRN_NEIGHBOURS_HEX, profile.footprint = 2;
    CHECK_STATUS(cairn_space_of_grid(grid, &profile, &space, &error), CAIRN_INVALID);
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, &error));
    CHECK_STATUS(cairn_grid_set_layout(grid, CAIRN_LAYOUT_SQUARE), CAIRN_INVALID);
    cairn_space_destroy(space);
    CHECK_STATUS(cairn_grid_set_layout(grid, CAIRN_LAYOUT_COUNT), CAIRN_INVALID);
    CHECK_OK(cairn_grid_set_layout(grid, CAIRN_LAYOUT_SQUARE));
    cairn_grid_destroy(grid);
}

/* ---- estimates ------------------------------------------------------------------------- */

static void on_open_ground_the_estimate_is_the_distance(void **state)
{
    (void)state;
    world w = open_hexagons(11, 10);
    oracle *o = oracle_of_grid(&w.raw, &w.scene->profile, cairn_space_scale(w.space));
    for (cairn_node a = 0; a < 110; a++) {
        oracle_search(o, a);
        for (cairn_node b = 0; b < 110; b++) {
            assert_int_equal(cairn_estimate(w.space, CAIRN_HEURISTIC_AUTO, a, b), o->distance[b]);
            assert_int_equal(cairn_estimate(w.space, CAIRN_HEURISTIC_HEX, a, b), o->distance[b]);
            /* A line has as many cells as the estimate has steps. */
            cairn_node ends[2] = {a, b};
            cairn_path path = {.status = CAIRN_FOUND, .nodes = ends, .count = 2};
            if (a != b) assert_int_equal(cairn_path_step_count(w.space, &path), o->steps[b] + 1);
        }
    }
    oracle_destroy(o);
    world_end(&w);
}

/* A box round some goals: never too much to the nearest of them, and, if promised, never falling by
 * more than a step. */
static void check_box(const world *w, oracle *o, cairn_heuristic heuristic, const cairn_node *goals,
                      uint32_t count)
{
    crn_box box = crn_box_empty();
    for (uint32_t i = 0; i < count; i++) crn_box_add(&box, w->space, goals[i]);
    uint32_t slack = heuristic == CAIRN_HEURISTIC_EUCLIDEAN; /* rounded */
    for (cairn_node a = 0; a < o->count; a += 1 + a % 3) {
        if (!o->usable[a]) continue;
        uint64_t h = w->space->functions->estimate(w->space, heuristic, a, &box);
        oracle_search(o, a);
        for (uint32_t i = 0; i < count; i++) {
            CHECK(h <= o->distance[goals[i]], "%s from %u to %u", cairn_heuristic_name(heuristic),
                  a, goals[i]);
        }
        for (uint32_t e = o->first[a]; e < o->first[a + 1]; e++) {
            uint64_t next = w->space->functions->estimate(w->space, heuristic, o->to[e], &box);
            CHECK(h <= o->cost[e] + next + slack, "%s falls from %u to %u",
                  cairn_heuristic_name(heuristic), a, o->to[e]);
        }
    }
}

static void estimates_never_exceed_the_distance_and_never_fall_too_fast(void **state)
{
    (void)state;
    static const char *const names[] = {"hex-open", "hex-light", "hex-swamps", "hex-cliffs",
                                        "hex-wide"};
    scene_rng rng = {5};
    for (uint32_t i = 0; i < LENGTH(names); i++) {
        world w = world_of(scene_named(names[i]));
        oracle *o = oracle_of_grid(&w.raw, &w.scene->profile, cairn_space_scale(w.space));
        for (int h = CAIRN_HEURISTIC_NULL; h < CAIRN_HEURISTIC_COUNT; h++) {
            assert_true(cairn_heuristic_admissible(w.space, (cairn_heuristic)h));
            cairn_node goals[4];
            for (int g = 0; g < 4; g++) goals[g] = scene_pick(w.scene, &rng);
            for (uint32_t count = 1; count <= 4; count += 3)
                check_box(&w, o, (cairn_heuristic)h, goals, count);
        }
        oracle_destroy(o);
        world_end(&w);
    }
}

/* ---- searches -------------------------------------------------------------------------- */

static void every_algorithm_finds_its_way_while_the_map_changes(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 8; kind++) {
        scene *s =
            scene_noise("changing", 24 + kind, 21, kind == 4 ? 3 : 10 + 4 * (kind % 6), kind + 1);
        if (kind & 1) scene_add_terrain(s, kind);
        if (kind & 2) scene_add_cliffs(s, kind);
        scene_make_hex(s);
        if (kind == 4) s->profile.radius = 0.9;
        if (kind >= 6) s->profile.radius = 0.4;
        edited e = edit_and_check(s, false, 25, kind + 11);
        assert_true(e.found > 100);
        edited_end(&e);
    }
}

/* How many cells that touch both are open and inside the map: of two neighbours there are two. */
static uint32_t open_beside_both(const world *w, cairn_node a, cairn_node b)
{
    uint32_t count = 0;
    for (cairn_node n = 0; n < w->scene->width * w->scene->height; n++)
        count +=
            w->scene->open[n] && oracle_touches(&w->raw, a, n) && oracle_touches(&w->raw, b, n);
    return count;
}

/* Radii that are the distance between a centre and a cell: as near is not nearer. With half a cell
 * an agent touches all six sides of the cell that it stands in; on its path to the next one it
 * bumps only into the two cells beside the step. */
static void an_agent_may_touch_what_is_blocked(void **state)
{
    (void)state;
    const double radii[] = {0.5, 1.5, 2.5};
    scene_rng rng = {41};
    uint32_t steps = 0;
    for (uint32_t round = 0; round < 60; round++) {
        scene *s = scene_noise("snug", 9, 9, round % 3 ? 3 : 20, scene_random(&rng, 1u << 30));
        s->profile.radius = radii[round % LENGTH(radii)];
        scene_make_hex(s);
        world w = world_of(s);
        oracle *o = oracle_of_grid(&w.raw, &s->profile, cairn_space_scale(w.space));
        for (cairn_node a = 0; a < 81; a++) {
            for (cairn_node b = 0; b < 81; b++) {
                if (!oracle_touches(&w.raw, a, b)) continue;
                bool can = cairn_space_step_cost(w.space, a, b) != CAIRN_NO_COST;
                CHECK(can == (oracle_walk(o, a, b) != ORACLE_NONE), "round %u, %u to %u: %d", round,
                      a, b, can);
                if (round % 3 == 0)
                    CHECK(can == (s->open[a] && s->open[b] && open_beside_both(&w, a, b) == 2),
                          "round %u, %u to %u: %d", round, a, b, can);
                steps += can;
            }
        }
        assert_int_equal(cairn_space_validate(w.space, NULL, NULL), 0);
        oracle_destroy(o);
        world_end(&w);
    }
    assert_true(steps > 2000);
}

static void a_way_along_a_row_and_along_both_slants_has_two_points(void **state)
{
    (void)state;
    world w = open_hexagons(9, 9);
    cairn_planner *planner;
    cairn_search *search;
    CHECK_OK(cairn_planner_create(w.space, "astar", &planner, NULL));
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    /* From the middle, (4, 4): rows above and below it lie half a cell to the right. */
    const cairn_node ends[] = {36, 44, 72 + 6, 72 + 2, 6, 2};
    for (uint32_t i = 0; i < LENGTH(ends); i++) {
        const cairn_path *path;
        CHECK_OK(cairn_search_find(search, &(cairn_query){.from = 40, .to = ends[i]}, &path));
        assert_int_equal(path->count, 2);
        assert_int_equal(path->cost, 4 * cairn_space_scale(w.space).straight);
        assert_true(path->length == 4);
        assert_int_equal(cairn_path_step_count(w.space, path), 5);
        assert_true(cairn_raycast(w.space, 40, ends[i], NULL));
    }
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    world_end(&w);
}

static void goals_near_a_hexagon_are_measured_between_centres(void **state)
{
    (void)state;
    world w = open_hexagons(11, 11);
    cairn_planner *planner;
    cairn_search *search;
    CHECK_OK(cairn_planner_create(w.space, "astar", &planner, NULL));
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    const cairn_node middle = 5 * 11 + 5, starts[] = {0, 10, 110, 120, 55, 65, 5, 115};
    for (uint32_t i = 0; i < LENGTH(starts); i++) {
        cairn_query query = {.from = starts[i], .to = middle};
        const cairn_path *path;
        CHECK_OK(cairn_search_find(search, &query, &path));
        cairn_cost whole = path->cost, step = cairn_space_scale(w.space).straight;
        const struct {
            cairn_goal_kind kind;
            double radius;
            uint32_t spared; /* steps */
        } cases[] = {{CAIRN_GOAL_NEXT_TO, 0, 1},   {CAIRN_GOAL_WITHIN, 0.99, 0},
                     {CAIRN_GOAL_WITHIN, 1, 1},    {CAIRN_GOAL_WITHIN, 1.73, 1},
                     {CAIRN_GOAL_WITHIN, 1.74, 2}, {CAIRN_GOAL_WITHIN, 2, 2}};
        for (uint32_t k = 0; k < LENGTH(cases); k++) {
            query.goal_kind = cases[k].kind, query.radius = cases[k].radius;
            CHECK_OK(cairn_search_find(search, &query, &path));
            /* Where two steps lead, a centre may lie 2 cells away or, round a corner, √3 ≈
             * 1.732. */
            bool either = cases[k].radius == 1.74 && path->cost == whole - step;
            CHECK(path->cost == whole - cases[k].spared * step || either,
                  "from %u, case %u: %u of %u", starts[i], k, path->cost, whole);
        }
    }
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    world_end(&w);
}

static void the_easy_way_works_on_hexagons_too(void **state)
{
    cairn_context *context = *state;
    cairn_grid_options options = {.width = 6, .height = 6, .layout = CAIRN_LAYOUT_HEX};
    cairn_grid *grid;
    CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
    cairn_owned_path found;
    CHECK_OK(cairn_find_path(grid, (cairn_cell){0, 0}, (cairn_cell){2, 5}, &found));
    assert_int_equal(found.path.count, 2);
    assert_true(found.path.length == 5);
    cairn_path_free(&found);
    cairn_grid_destroy(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hexagons_touch_those_whose_centres_are_one_cell_away),
        cmocka_unit_test_setup_teardown(a_point_lies_in_the_hexagon_with_the_nearest_centre,
                                        context_set_up, context_tear_down),
        cmocka_unit_test_setup_teardown(layout_and_neighbourhood_belong_together, context_set_up,
                                        context_tear_down),
        cmocka_unit_test(on_open_ground_the_estimate_is_the_distance),
        cmocka_unit_test(estimates_never_exceed_the_distance_and_never_fall_too_fast),
        cmocka_unit_test(every_algorithm_finds_its_way_while_the_map_changes),
        cmocka_unit_test(an_agent_may_touch_what_is_blocked),
        cmocka_unit_test(a_way_along_a_row_and_along_both_slants_has_two_points),
        cmocka_unit_test(goals_near_a_hexagon_are_measured_between_centres),
        cmocka_unit_test_setup_teardown(the_easy_way_works_on_hexagons_too, context_set_up,
                                        context_tear_down),
    };
    return cmocka_run_group_tests_name("hex", tests, NULL, NULL);
}
