/* test_nearest.c: units that a wall was built on: the nearest usable node (cairn_nearest_usable),
 * queries whose start is blocked, and agents that are walled in.
 */
#include "kit.h"

#include <math.h>

static double distance(const cairn_space *space, cairn_node a, cairn_node b)
{
    cairn_position p = cairn_space_position(space, a), q = cairn_space_position(space, b);
    return sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z));
}

/* By looking at every node. Distances that differ by rounding only are the same. */
static cairn_node slow_nearest(const cairn_space *space, cairn_node node, double limit)
{
    cairn_node best = CAIRN_NO_NODE;
    for (cairn_node n = 0; n < cairn_space_node_count(space); n++) {
        if (!cairn_space_usable(space, n) || distance(space, node, n) > limit + 1e-9) continue;
        if (best == CAIRN_NO_NODE || distance(space, node, n) < distance(space, node, best) - 1e-9)
            best = n;
    }
    return best;
}

static void check_space(const cairn_space *space)
{
    static const double limits[] = {0, 0.9, 1, 1.5, 2, 3.7, INFINITY};
    uint32_t count = cairn_space_node_count(space), step = 1 + count / 150 * test_sample();
    for (cairn_node n = 0; n < count; n += step) {
        for (uint32_t i = 0; i < LENGTH(limits); i++) {
            cairn_node near = 4711, expected = slow_nearest(space, n, limits[i]);
            CHECK_STATUS(cairn_nearest_usable(space, n, limits[i], &near),
                         expected == CAIRN_NO_NODE ? CAIRN_UNREACHABLE : CAIRN_OK);
            CHECK(near == expected, "%u within %g: %u, not %u", n, limits[i], near, expected);
        }
    }
}

static void check_scene(scene *s)
{
    kit k = kit_of_scene(s, &s->profile);
    check_space(k.space);
    kit_end(&k, s);
}

static void on_grids_it_is_the_nearest_cell(void **state)
{
    (void)state;
    static const uint32_t percents[] = {30, 60, 90, 99};
    for (uint32_t i = 0; i < LENGTH(percents); i++) {
        check_scene(scene_noise("noise", 40, 30, percents[i], 3));
        check_scene(scene_noise("noise", 7, 90, percents[i], 4));
        scene *hex = scene_noise("hex", 33, 41, percents[i], 5);
        scene_make_hex(hex);
        check_scene(hex);
        scene *large = scene_noise("large", 50, 40, percents[i] / 4, 6);
        large->profile.radius = 1.5;
        check_scene(large);
    }
}

/* Five cells away: one in the south-east, in the fourth ring, and one north, in the fifth. */
static void of_equals_it_is_the_first(void **state)
{
    (void)state;
    scene *s = scene_noise("wall", 11, 11, 100, 1);
    s->open[9 * 11 + 8] = 1, s->open[5] = 1;
    check_scene(s);
}

static void in_views_and_graphs_too(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 40, 30, 50, 3);
    scene_rng rng = {5};
    kit k = kit_of_scene(s, &s->profile);
    cairn_space *view;
    CHECK_OK(cairn_space_view_create(k.space, &view, NULL));
    for (int i = 0; i < 200; i++) CHECK_OK(cairn_view_block(view, scene_pick(s, &rng)));
    check_space(view);
    cairn_space_destroy(view);
    kit_end(&k, s);

    cairn_position positions[60];
    for (int i = 0; i < 60; i++)
        positions[i] =
            (cairn_position){(double)scene_random(&rng, 9), (double)scene_random(&rng, 9), i % 3};
    kit g = {0};
    CHECK_OK(cairn_context_create(NULL, &g.context));
    cairn_graph_options options = {.node_count = 60, .positions = positions};
    CHECK_OK(cairn_graph_create(g.context, &options, &g.graph, NULL));
    CHECK_OK(cairn_space_of_graph(g.graph, &g.space, NULL));
    for (cairn_node n = 0; n < 60; n++)
        if (n % 4) CHECK_OK(cairn_graph_set_node_open(g.graph, n, false));
    CHECK_OK(cairn_graph_commit(g.graph));
    check_space(g.space);
    kit_close(&g);
}

static void senseless_questions_are_refused(void **state)
{
    (void)state;
    scene *s = scene_of_text("walls", "###\n#.#\n###\n");
    kit k = kit_of_scene(s, NULL);
    cairn_node near;
    cairn_cell cell;
    CHECK_STATUS(cairn_nearest_usable(NULL, 0, 1, &near), CAIRN_INVALID);
    CHECK_STATUS(cairn_nearest_usable(k.space, 0, 1, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_nearest_usable(k.space, 0, -1, &near), CAIRN_INVALID);
    CHECK_STATUS(cairn_nearest_usable(k.space, 0, NAN, &near), CAIRN_INVALID);
    CHECK_STATUS(cairn_nearest_usable(k.space, 9, 1, &near), CAIRN_OUT_OF_BOUNDS);
    CHECK_OK(cairn_nearest_usable_cell(k.space, (cairn_cell){0, 2}, 2, &cell));
    CHECK(cell.x == 1 && cell.y == 1, "(%d,%d)", (int)cell.x, (int)cell.y);
    CHECK_STATUS(cairn_nearest_usable_cell(k.space, (cairn_cell){0, 2}, 1, &cell),
                 CAIRN_UNREACHABLE);
    CHECK(cell.x == -1 && cell.y == -1, "none");
    CHECK_STATUS(cairn_nearest_usable_cell(k.space, (cairn_cell){3, 2}, 1, &cell),
                 CAIRN_OUT_OF_BOUNDS);
    kit_end(&k, s);
    const cairn_graph_edge edges[] = {{0, 1, 5}, {1, 2, 6}};
    kit g = kit_of_edges(3, edges, 2);
    CHECK_OK(cairn_nearest_usable(g.space, 1, 0, &near));
    assert_int_equal(near, 1);
    CHECK_OK(cairn_graph_set_node_open(g.graph, 1, false));
    CHECK_OK(cairn_graph_commit(g.graph));
    CHECK_STATUS(cairn_nearest_usable(g.space, 1, 9, &near), CAIRN_UNSUPPORTED);
    kit_close(&g);
}

/* ---- queries --------------------------------------------------------------------------- */

/* A blocked start is as good as the node nearest to it. */
static void check_queries(kit *k, const scene *s, const char *spec)
{
    scene_rng rng = {8};
    const cairn_path *path;
    kit_plan(k, spec);
    for (int i = 0; i < 12; i++) {
        cairn_node from = scene_random(&rng, s->width * s->height), to = scene_pick(s, &rng);
        cairn_node near = slow_nearest(k->space, from, 2);
        cairn_query q = {.from = near, .to = to};
        cairn_status expected =
            near == CAIRN_NO_NODE ? CAIRN_BLOCKED_START : cairn_search_find(k->search, &q, &path);
        cairn_cost cost = near == CAIRN_NO_NODE ? CAIRN_NO_COST : path->cost;
        q.from = from, q.start_within = 2;
        CHECK_STATUS(cairn_search_find(k->search, &q, &path), expected);
        CHECK(path->cost == cost && (expected || path->nodes[0] == near), "%s: another path", spec);
        q.start_within = 0;
        if (near != from) CHECK_STATUS(cairn_search_find(k->search, &q, NULL), CAIRN_BLOCKED_START);
    }
}

static void a_blocked_start_may_be_left(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 60, 40, 35, 3);
    kit k = kit_of_scene(s, NULL);
    for (uint32_t a = 0; a < cairn_algorithm_count(); a++) {
        check_queries(&k, s, cairn_algorithm_at(a)->name);
    }
    cairn_query q = {.from = 3, .to = 50, .start_within = -1};
    CHECK_STATUS(cairn_search_find(k.search, &q, NULL), CAIRN_INVALID);
    q.start_within = NAN;
    CHECK_STATUS(cairn_search_find(k.search, &q, NULL), CAIRN_INVALID);
    kit_end(&k, s);
}

/* ---- agents ------------------------------------------------------------------------------ */

static void block(kit *k, int32_t x, int32_t y, bool open)
{
    CHECK_OK(cairn_grid_set_open(k->grid, x, y, open));
    CHECK_OK(cairn_grid_commit(k->grid));
}

static kit hall(scene **s)
{
    *s = scene_of_text("hall", "..........\n"
                               "..........\n"
                               "..........\n");
    kit k = kit_of_scene(*s, NULL);
    kit_plan(&k, "astar");
    return k;
}

static void an_agent_leaves_the_wall_that_was_built_on_it(void **state)
{
    (void)state;
    scene *s;
    kit k = hall(&s);
    cairn_navigator_options options = {.start_within = -1};
    cairn_navigator *agent;
    CHECK_STATUS(cairn_navigator_create(k.planner, &options, &agent), CAIRN_INVALID);
    options.start_within = 1;
    CHECK_OK(cairn_navigator_create(k.planner, &options, &agent));
    CHECK_OK(cairn_navigator_start(agent, 10, 19));
    cairn_move m;
    CHECK_OK(cairn_navigator_next(agent, &m));
    CHECK(m.to == 11 && !m.escaped, "a step");
    block(&k, 1, 1, false);
    CHECK_OK(cairn_navigator_next(agent, &m));
    CHECK(m.escaped && m.kind == CAIRN_MOVE_STEP && m.from == 11 && m.to == 1 && !m.cost, "to %u",
          m.to);
    while (!m.arrived) {
        CHECK_OK(cairn_navigator_next(agent, &m));
        CHECK(!m.escaped && cairn_space_step_cost(k.space, m.from, m.to) != CAIRN_NO_COST, "%u",
              m.to);
    }
    assert_int_equal(cairn_navigator_sums(agent).moves, 10);
    /* Walled in too far: it waits until a way out is near enough. */
    CHECK_OK(cairn_navigator_start(agent, 10, 19));
    block(&k, 0, 0, false), block(&k, 0, 1, false), block(&k, 0, 2, false);
    CHECK_STATUS(cairn_navigator_next(agent, &m), CAIRN_BLOCKED_START);
    CHECK(m.kind == CAIRN_MOVE_STOP && m.to == 10 && !m.escaped, "it stays");
    block(&k, 1, 1, true);
    CHECK_OK(cairn_navigator_next(agent, &m));
    CHECK(m.escaped && m.to == 11, "to %u", m.to);
    cairn_navigator_destroy(agent);
    kit_end(&k, s);
}

/* Where it comes out of the wall it plans again, though its old path can be walked by then. */
static void who_leaves_a_wall_has_no_path(void **state)
{
    (void)state;
    scene *s;
    kit k = hall(&s);
    cairn_navigator_options options = {.start_within = INFINITY};
    cairn_navigator *agent;
    cairn_move m;
    CHECK_OK(cairn_navigator_create(k.planner, &options, &agent));
    CHECK_OK(cairn_navigator_start(agent, 10, 19));
    CHECK_OK(cairn_navigator_next(agent, &m));
    for (int i = 0; i < 9; i++) block(&k, i % 3, i / 3, false);
    CHECK_OK(cairn_navigator_next(agent, &m));
    CHECK(m.escaped && m.from == 11 && m.to == 13, "to %u", m.to);
    for (int i = 0; i < 9; i++) block(&k, i % 3, i / 3, true);
    CHECK_OK(cairn_navigator_next(agent, &m));
    CHECK(!m.escaped && m.plans == 1 && m.to == 14, "to %u", m.to);
    cairn_navigator_destroy(agent);
    kit_end(&k, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_grids_it_is_the_nearest_cell),
        cmocka_unit_test(of_equals_it_is_the_first),
        cmocka_unit_test(in_views_and_graphs_too),
        cmocka_unit_test(senseless_questions_are_refused),
        cmocka_unit_test(a_blocked_start_may_be_left),
        cmocka_unit_test(an_agent_leaves_the_wall_that_was_built_on_it),
        cmocka_unit_test(who_leaves_a_wall_has_no_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
