/* test_raycast.c: straight lines over cells, against the slow ray and against cases drawn by
 * hand. */
#include "slow_ray.h"

static void check_rays(bool ornaments, uint64_t seed)
{
    scene_rng rng = {seed};
    uint32_t seen = 0, unseen = 0, narrow = 0, wide = 0;
    for (int round = 0; round < 600; round++) {
        world w = thrown_world(&rng, ornaments);
        for (int i = 0; i < 60; i++) {
            cairn_node a = any_cell(&w, &rng), b = any_cell(&w, &rng), last = 0, slow_last = 0;
            bool sees = cairn_raycast(w.space, a, b, &last), must = slow_ray(&w, a, b, &slow_last);
            bool sized = w.scene->profile.radius > 0 || w.scene->profile.footprint > 1;
            if (sized && must && a != b) {
                double room = slow_room(&w, a, b);
                CHECK(sees ? room > -0.01 : room < 0.01,
                      "round %d: ray %u to %u: %d with a room of %g", round, a, b, sees, room);
                narrow += !sees, wide += sees;
                continue;
            }
            /* an agent with a size may have to stop earlier */
            if (sized && !must) slow_last = last;
            CHECK(sees == must && last == slow_last,
                  "round %d, %ux%u, neighbours %d, corners %d: ray %u to %u: %d up to %u, not %d "
                  "up to %u",
                  round, w.scene->width, w.scene->height, w.scene->profile.neighbours,
                  w.scene->profile.corners, a, b, sees, last, must, slow_last);
            assert_int_equal(cairn_raycast(w.space, a, b, NULL), must);
            seen += sees && a != b, unseen += !sees && last != CAIRN_NO_NODE;
        }
        world_end(&w);
    }
    assert_true(seen > 1000 && unseen > 1000); /* both happen often */
    CHECK(narrow > 3 && wide > 30, "%u lines too narrow, %u wide enough", narrow, wide);
}

static void a_ray_on_even_ground_meets_what_exact_clipping_meets(void **state)
{
    (void)state;
    check_rays(false, 21);
}

static void a_ray_over_terrain_and_cliffs_meets_what_exact_clipping_meets(void **state)
{
    (void)state;
    check_rays(true, 22);
}

static void a_ray_through_a_corner_obeys_the_corner_rule(void **state)
{
    (void)state;
    /* Four maps: none, one, the other, both of the side cells blocked; seen under never, one,
     * always, and under never with four neighbours. */
    static const char *const maps[] = {"..\n..\n", ".#\n..\n", "..\n#.\n", ".#\n#.\n"};
    static const bool sees[4][4] = {{1, 1, 1, 1}, {0, 1, 1, 0}, {0, 1, 1, 0}, {0, 0, 1, 0}};
    for (int map = 0; map < 4; map++) {
        for (int rule = 0; rule < 4; rule++) {
            scene *s = scene_of_text("corner", maps[map]);
            s->profile.corners = rule < 3 ? (cairn_corners)rule : CAIRN_CORNERS_ALWAYS;
            s->profile.neighbours = rule < 3 ? CAIRN_NEIGHBOURS_8 : CAIRN_NEIGHBOURS_4;
            world w = world_of(s);
            cairn_node last;
            CHECK(cairn_raycast(w.space, 0, 3, &last) == sees[map][rule], "map %d, rule %d", map,
                  rule);
            assert_int_equal(last, sees[map][rule] ? 3 : 0);
            CHECK(cairn_raycast(w.space, 3, 0, &last) == sees[map][rule], "map %d, rule %d back",
                  map, rule);
            world_end(&w);
        }
    }
}

static void a_ray_between_hexagons_needs_all_that_it_touches(void **state)
{
    (void)state;
    /* From (1, 0) straight down to (1, 2): through a point, along the side of (0, 1) and (1, 1),
     * through a point. */
    static const char *const maps[] = {"...\n...\n...\n", "...\n#..\n...\n", "...\n.#.\n...\n",
                                       "...\n##.\n...\n"};
    for (int map = 0; map < 4; map++) {
        scene *s = scene_of_text("point", maps[map]);
        scene_make_hex(s);
        world w = world_of(s);
        cairn_node last;
        CHECK(cairn_raycast(w.space, 1, 7, &last) == (map == 0), "map %d", map);
        assert_int_equal(last, map ? 1 : 7);
        CHECK(cairn_raycast(w.space, 7, 1, &last) == (map == 0), "map %d back", map);
        world_end(&w);
    }
    scene *s = scene_blank("border", 1, 3);
    scene_make_hex(s);
    world w = world_of(s);
    /* half of the path lies on the rim of the map */
    assert_false(cairn_raycast(w.space, 0, 2, NULL));
    assert_true(cairn_raycast(w.space, 0, 1, NULL));
    world_end(&w);
}

static void a_ray_on_even_ground_sees_both_ways_alike(void **state)
{
    (void)state;
    scene_rng rng = {23};
    for (int round = 0; round < 200; round++) {
        world w = thrown_world(&rng, false);
        for (int i = 0; i < 60; i++) {
            cairn_node a = any_cell(&w, &rng), b = any_cell(&w, &rng);
            assert_int_equal(cairn_raycast(w.space, a, b, NULL),
                             cairn_raycast(w.space, b, a, NULL));
        }
        world_end(&w);
    }
}

static void a_ray_of_full_length_is_exact(void **state)
{
    (void)state;
    /* Products of the largest coordinates must fit; a line one cell off the middle must be told
     * apart. */
    scene *s = scene_blank("wide", CAIRN_GRID_MAX, 3);
    s->open[1 * CAIRN_GRID_MAX + CAIRN_GRID_MAX / 2 - 1] = 0;
    world w = world_of(s);
    cairn_node corner = cairn_grid_node(w.grid, CAIRN_GRID_MAX - 1, 2), last;
    assert_false(cairn_raycast(w.space, 0, corner, &last));
    cairn_cell at = cairn_grid_cell(w.grid, last);
    assert_int_equal(at.x, CAIRN_GRID_MAX / 2 - 2);
    assert_int_equal(at.y, 1);
    assert_true(cairn_raycast(w.space, 0, CAIRN_GRID_MAX - 1, NULL));
    world_end(&w);

    s = scene_blank("tall", 3, CAIRN_GRID_MAX);
    s->open[(CAIRN_GRID_MAX / 2) * 3 + 1] = 0;
    w = world_of(s);
    corner = cairn_grid_node(w.grid, 2, CAIRN_GRID_MAX - 1);
    assert_false(cairn_raycast(w.space, 0, corner, &last));
    at = cairn_grid_cell(w.grid, last);
    assert_int_equal(at.x, 1);
    assert_int_equal(at.y, CAIRN_GRID_MAX / 2 - 1);
    world_end(&w);

    /* Hexagons: the line from (0, 0) to the end of row 1 first touches row 1 after a third of its
     * length. */
    const int64_t from[2] = {0, 0}, along[2] = {2 * CAIRN_GRID_MAX - 1, 3};
    uint32_t seen_there = 0;
    for (uint32_t blocked = CAIRN_GRID_MAX / 3 - 3; blocked <= CAIRN_GRID_MAX / 3 + 3; blocked++) {
        s = scene_blank("wide", CAIRN_GRID_MAX, 2);
        scene_make_hex(s);
        s->open[CAIRN_GRID_MAX + blocked] = 0;
        w = world_of(s);
        met m = {.x = blocked, .y = 1};
        bool meets = meet(from, along, &m);
        assert_int_equal(cairn_raycast(w.space, 0, 2 * CAIRN_GRID_MAX - 1, NULL), !meets);
        seen_there += meets;
        world_end(&w);
    }
    assert_in_range(seen_there, 2, 5);
}

static void a_ray_from_or_to_nowhere_is_none(void **state)
{
    (void)state;
    world w = world_of(scene_of_text("nowhere", ".#.\n...\n"));
    cairn_node last;
    assert_false(cairn_raycast(w.space, 1, 0, &last));
    assert_int_equal(last, CAIRN_NO_NODE);
    assert_false(cairn_raycast(w.space, 6, 0, &last));
    assert_int_equal(last, CAIRN_NO_NODE);
    assert_false(cairn_raycast(w.space, CAIRN_NO_NODE, CAIRN_NO_NODE, &last));
    assert_int_equal(last, CAIRN_NO_NODE);
    assert_false(cairn_raycast(w.space, 0, 6, &last));
    assert_int_equal(last, 0);
    assert_false(cairn_raycast(w.space, 0, 1, &last));
    assert_int_equal(last, 0);
    assert_true(cairn_raycast(w.space, 0, 0, &last));
    assert_int_equal(last, 0);
    assert_false(cairn_raycast(w.space, 1, 1, &last));
    world_end(&w);
}

static void a_ray_on_a_graph_is_an_edge(void **state)
{
    (void)state;
    cairn_context *context;
    cairn_graph *graph;
    cairn_space *space;
    CHECK_OK(cairn_context_create(NULL, &context));
    graph_scene *s = graph_scene_at(1);
    CHECK_OK(graph_scene_graph(s, context, &graph));
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    cairn_node last;
    assert_true(cairn_raycast(space, 0, 1, &last));
    assert_int_equal(last, 1);
    assert_false(cairn_raycast(space, 1, 0, &last));
    assert_int_equal(last, 1);
    assert_true(cairn_raycast(space, 2, 2, NULL));
    assert_false(cairn_raycast(space, 2, 99, NULL));
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);
    cairn_context_destroy(context);
    graph_scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ray_on_even_ground_meets_what_exact_clipping_meets),
        cmocka_unit_test(a_ray_over_terrain_and_cliffs_meets_what_exact_clipping_meets),
        cmocka_unit_test(a_ray_through_a_corner_obeys_the_corner_rule),
        cmocka_unit_test(a_ray_between_hexagons_needs_all_that_it_touches),
        cmocka_unit_test(a_ray_on_even_ground_sees_both_ways_alike),
        cmocka_unit_test(a_ray_of_full_length_is_exact),
        cmocka_unit_test(a_ray_from_or_to_nowhere_is_none),
        cmocka_unit_test(a_ray_on_a_graph_is_an_edge),
    };
    return cmocka_run_group_tests_name("raycast", tests, NULL, NULL);
}
