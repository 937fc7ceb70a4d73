/* test_explain.c: explanations against the space itself (every step that it allows is called free
 * and no other one), against clearances, and word for word on small maps.
 */
#include "scenes.h"
#include "support.h"

#include <math.h>

/* north, east, south, west, north-east, south-east, south-west, north-west */
static const int32_t across[8] = {0, 1, 0, -1, 1, 1, -1, -1}, down[8] = {-1, 0, 1, 0, -1, 1, 1, -1};
enum { N, E, S, W, NE, SE, SW, NW };

typedef struct land {
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
} land;

static land land_of(const char *text, const cairn_profile *profile)
{
    land l = {0};
    CHECK_OK(cairn_context_create(NULL, &l.context));
    CHECK_OK(cairn_grid_from_text(l.context, text, strlen(text), &l.grid, NULL));
    if (profile->neighbours == CAIRN_NEIGHBOURS_HEX)
        CHECK_OK(cairn_grid_set_layout(l.grid, CAIRN_LAYOUT_HEX));
    CHECK_OK(cairn_space_of_grid(l.grid, profile, &l.space, NULL));
    return l;
}

static void land_close(land *l)
{
    cairn_space_destroy(l->space);
    cairn_grid_destroy(l->grid);
    cairn_context_destroy(l->context);
}

static cairn_explanation explain(const land *l, int32_t x, int32_t y)
{
    cairn_explanation e;
    memset(&e, 0xa5, sizeof e);
    CHECK_OK(cairn_explain(l->space, x, y, &e));
    assert_non_null(memchr(e.text, 0, sizeof e.text));
    return e;
}

static void check_text(const land *l, int32_t x, int32_t y, const char *expected)
{
    cairn_explanation e = explain(l, x, y);
    assert_string_equal(e.text, expected);
}

/* ---- against the space ---- */

static void check_steps(const land *l, int32_t x, int32_t y, const cairn_explanation *e)
{
    const cairn_profile *profile = cairn_space_profile(l->space);
    cairn_node node = cairn_grid_node(l->grid, x, y);
    for (uint32_t d = 0; d < 8; d++) {
        cairn_node other = cairn_grid_node(l->grid, x + across[d], y + down[d]);
        bool step =
            other != CAIRN_NO_NODE && cairn_space_step_cost(l->space, node, other) != CAIRN_NO_COST;
        if (e->reason == CAIRN_REASON_NONE)
            CHECK((e->steps[d] == CAIRN_REASON_NONE) == step,
                  "(%d, %d), direction %u: %s, but there is %s step", x, y, d,
                  cairn_reason_text(e->steps[d]), step ? "a" : "no");
        bool hex = profile->neighbours == CAIRN_NEIGHBOURS_HEX;
        bool beside = d < NE || (hex ? across[d] == (y % 2 ? 1 : -1)
                                     : profile->neighbours == CAIRN_NEIGHBOURS_8);
        assert_int_equal(e->steps[d] == CAIRN_REASON_NO_STEP, !beside);
        if (e->steps[d] == CAIRN_REASON_CORNER)
            assert_true(hex ? profile->radius == 0.4
                            : d >= NE && profile->corners != CAIRN_CORNERS_ALWAYS);
        if (beside) assert_int_equal(e->steps[d] == CAIRN_REASON_OUTSIDE, other == CAIRN_NO_NODE);
    }
}

static void check_cell(const land *l, int32_t x, int32_t y)
{
    const cairn_profile *profile = cairn_space_profile(l->space);
    cairn_node node = cairn_grid_node(l->grid, x, y);
    cairn_explanation e = explain(l, x, y);
    uint8_t terrain = cairn_grid_terrain(l->grid, x, y);
    cairn_reason expected = CAIRN_REASON_NONE;
    if (!cairn_grid_is_open(l->grid, x, y))
        expected = CAIRN_REASON_BLOCKED;
    else if (!profile->terrain_cost[terrain])
        expected = CAIRN_REASON_TERRAIN;
    else if (!cairn_space_usable(l->space, node))
        expected = CAIRN_REASON_TOO_NARROW;
    assert_int_equal(e.reason, expected);
    assert_int_equal(e.terrain, terrain);
    assert_true(e.clearance == cairn_space_clearance(l->space, node));
    assert_int_equal(e.component, cairn_space_component(l->space, node));
    if (e.obstacle != CAIRN_NO_NODE) assert_true(cairn_space_clearance(l->space, e.obstacle) == 0);
    if (e.reason == CAIRN_REASON_TOO_NARROW && profile->footprint < 2)
        assert_true(e.clearance < profile->radius);
    check_steps(l, x, y, &e);
}

static void explanations_agree_with_the_space(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 30, 20, 20, 5);
    scene_add_terrain(s, 3);
    scene_add_cliffs(s, 4);
    static const double radii[] = {0, 0.4, 0.75, 1.6};
    uint32_t seen[CAIRN_REASON_COUNT] = {0};
    for (uint32_t i = 0; i < 3 * 3 * 5 * 2; i++) {
        land l = {0};
        CHECK_OK(cairn_context_create(NULL, &l.context));
        CHECK_OK(scene_grid(s, l.context, &l.grid));
        cairn_profile profile = cairn_profile_default();
        profile.neighbours = (cairn_neighbours)(i % 3);
        profile.corners = (cairn_corners)(i / 3 % 3);
        if (profile.neighbours == CAIRN_NEIGHBOURS_HEX)
            CHECK_OK(cairn_grid_set_layout(l.grid, CAIRN_LAYOUT_HEX));
        if (i / 9 % 5 < 4)
            profile.radius = radii[i / 9 % 5];
        else if (profile.neighbours != CAIRN_NEIGHBOURS_HEX)
            profile.footprint = 2;
        if (i / 45) profile.max_climb = 2, profile.max_drop = 3;
        CHECK_OK(cairn_space_of_grid(l.grid, &profile, &l.space, NULL));
        for (int32_t y = 0; y < 20; y++) {
            for (int32_t x = 0; x < 30; x++) {
                check_cell(&l, x, y);
                cairn_explanation e = explain(&l, x, y);
                seen[e.reason]++;
                for (uint32_t d = 0; d < 8; d++) seen[e.steps[d]]++;
            }
        }
        land_close(&l);
    }
    for (uint32_t reason = 0; reason < CAIRN_REASON_COUNT; reason++)
        CHECK(seen[reason] > 20, "\"%s\" was seen %u times only",
              cairn_reason_text((cairn_reason)reason), seen[reason]);
    scene_destroy(s);
}

/* ---- word for word ---- */

static void sentences_name_what_is_in_the_way(void **state)
{
    (void)state;
    cairn_profile profile = cairn_profile_default();
    land l = land_of("......\n"
                     "..#.W.\n"
                     "......\n"
                     "......\n",
                     &profile);
    check_text(&l, 2, 1, "(2,1) is blocked.");
    check_text(&l, 4, 1, "(4,1) is open, but it is water, which is forbidden to this agent.");
    check_text(&l, 6, 0, "(6,0) lies outside the map of 6 x 4 cells.");
    check_text(&l, INT32_MIN, INT32_MAX,
               "(-2147483648,2147483647) lies outside the map of 6 x 4 cells.");
    check_text(
        &l, 3, 3,
        "(3,3) can be stood on; the edge of the map is 0.5 cells away. Steps lead to 5 of 8 "
        "neighbours: not "
        "south (outside the map), south-east (outside the map), south-west (outside the map).");
    check_text(&l, 1, 2,
               "(1,2) can be stood on; the nearest blocked cell (2,1) is 0.7 cells away. Steps "
               "lead to 7 of 8 "
               "neighbours: not north-east (blocked).");
    check_text(&l, 1, 1,
               "(1,1) can be stood on; the nearest blocked cell (2,1) is 0.5 cells away. Steps "
               "lead to 5 of 8 "
               "neighbours: not east (blocked), north-east (past the corner of (2,1)), south-east "
               "(past the corner of (2,1)).");
    cairn_explanation e = explain(&l, 5, 2);
    assert_int_equal(e.obstacle, CAIRN_NO_NODE);
    assert_int_equal(e.steps[NW], CAIRN_REASON_TERRAIN);
    assert_int_equal(explain(&l, 2, 0).steps[S], CAIRN_REASON_BLOCKED);
    land_close(&l);

    profile.corners = CAIRN_CORNERS_ALWAYS;
    l = land_of(".....\n.....\n.....\n.....\n....#\n", &profile);
    check_text(&l, 1, 1,
               "(1,1) can be stood on; the edge of the map is 1.5 cells away. Steps lead to all 8 "
               "neighbours.");
    check_text(&l, 3, 3,
               "(3,3) can be stood on; the nearest blocked cell (4,4) is 0.7 cells away. Steps "
               "lead to 7 of 8 "
               "neighbours: not south-east (blocked).");
    land_close(&l);
}

static void sentences_tell_what_a_step_between_hexagons_grazes(void **state)
{
    (void)state;
    scene *s = scene_blank("hexagons", 7, 7);
    s->open[2 * 7 + 3] = 0;
    scene_make_hex(s);
    s->profile.radius = 0.4;
    land l = {0};
    CHECK_OK(cairn_context_create(NULL, &l.context));
    CHECK_OK(scene_grid(s, l.context, &l.grid));
    CHECK_OK(cairn_space_of_grid(l.grid, &s->profile, &l.space, NULL));
    check_text(&l, 3, 3,
               "(3,3) can be stood on; the nearest blocked cell (3,2) is 0.5 cells away. Steps "
               "lead to 3 of 6 "
               "neighbours: not north-west (blocked), west (past the corner of (3,2)), north-east "
               "(past the "
               "corner of (3,2)).");
    check_text(&l, 1, 0,
               "(1,0) can be stood on; the edge of the map is 0.5 cells away. Steps lead to 2 of 6 "
               "neighbours: not "
               "north-east (outside the map), east (past the edge of the map), west (past the edge "
               "of the map), "
               "north-west (outside the map).");
    land_close(&l);
    scene_destroy(s);
}

static void sentences_tell_how_much_room_is_missing(void **state)
{
    (void)state;
    static const char text[] = "......\n"
                               "......\n"
                               "...#..\n"
                               "......\n"
                               ".....W\n";
    cairn_profile profile = cairn_profile_default();
    profile.radius = 1.1;
    land l = land_of(text, &profile);
    check_text(&l, 2, 2,
               "(2,2) is open, but the nearest blocked cell (3,2) is 0.5 cells away and this agent "
               "needs 1.1.");
    check_text(&l, 2, 1,
               "(2,1) is open, but the nearest blocked cell (3,2) is 0.7 cells away and this agent "
               "needs 1.1.");
    check_text(
        &l, 4, 0,
        "(4,0) is open, but the edge of the map is 0.5 cells away and this agent needs 1.1.");
    assert_int_equal(explain(&l, 1, 1).reason, CAIRN_REASON_NONE);
    assert_int_equal(explain(&l, 1, 1).steps[E], CAIRN_REASON_TOO_NARROW);
    land_close(&l);

    profile.radius = 0.708;
    l = land_of(text, &profile);
    check_text(&l, 4, 3,
               "(4,3) is open, but the nearest blocked cell (3,2) is 0.7 cells away and this agent "
               "needs 0.71.");
    land_close(&l);

    profile.radius = 0;
    profile.footprint = 2;
    l = land_of(text, &profile);
    check_text(
        &l, 2, 1,
        "(2,1) is open, but this agent needs 2 x 2 cells from there on, and (3,2) is blocked.");
    check_text(&l, 4, 3,
               "(4,3) is open, but this agent needs 2 x 2 cells from there on, and (5,4) is "
               "forbidden to it.");
    check_text(&l, 5, 0,
               "(5,0) is open, but this agent needs 2 x 2 cells from there on, and (6,0) lies "
               "outside the map.");
    land_close(&l);
}

static void classes_without_a_name_are_told_by_number(void **state)
{
    (void)state;
    cairn_profile profile = cairn_profile_default();
    profile.terrain_cost[9] = 0;
    land l = land_of("...\n", &profile);
    CHECK_OK(cairn_grid_set_terrain(l.grid, 1, 0, 9));
    CHECK_OK(cairn_grid_commit(l.grid));
    check_text(&l, 1, 0,
               "(1,0) is open, but of terrain class 9, which is forbidden to this agent.");
    check_text(&l, 0, 0,
               "(0,0) can be stood on; the nearest forbidden cell (1,0) is 0.5 cells away. Steps "
               "lead to 0 of 8 "
               "neighbours: not north (outside the map), east (forbidden terrain), south (outside "
               "the map), west (outside the map), and 4 more.");
    assert_int_equal(explain(&l, 1, 0).obstacle, 1);
    land_close(&l);
}

static void hexagons_have_six_steps(void **state)
{
    (void)state;
    cairn_profile profile = cairn_profile_default();
    profile.neighbours = CAIRN_NEIGHBOURS_HEX;
    land l = land_of(".....\n.....\n.....\n...#.\n.....\n", &profile);
    cairn_explanation even = explain(&l, 2, 2), odd = explain(&l, 2, 3);
    assert_int_equal(even.steps[NE], CAIRN_REASON_NO_STEP);
    assert_int_equal(even.steps[SE], CAIRN_REASON_NO_STEP);
    assert_int_equal(even.steps[NW], CAIRN_REASON_NONE);
    assert_int_equal(even.steps[SW], CAIRN_REASON_NONE);
    assert_int_equal(odd.steps[NW], CAIRN_REASON_NO_STEP);
    assert_int_equal(odd.steps[SW], CAIRN_REASON_NO_STEP);
    assert_int_equal(odd.steps[NE], CAIRN_REASON_NONE);
    assert_int_equal(odd.steps[E], CAIRN_REASON_BLOCKED);
    check_text(&l, 2, 3,
               "(2,3) can be stood on; the nearest blocked cell (3,3) is 0.5 cells away. Steps "
               "lead to 5 of 6 "
               "neighbours: not east (blocked).");
    check_text(&l, 3, 2,
               "(3,2) can be stood on; the nearest blocked cell (3,3) is 0.5 cells away. Steps "
               "lead to 5 of 6 "
               "neighbours: not south-east (blocked).");
    assert_true(fabs(even.clearance - sqrt(16.0 / 12)) < 1e-12);
    assert_int_equal(even.obstacle, 3 * 5 + 3);
    land_close(&l);
}

/* The longest of sentences end inside the text, whole. */
/* Where the other cell lies, seen from this one. */
static void check_step_names(const land *l, int32_t x, int32_t y)
{
    cairn_explanation e = explain(l, x, y);
    cairn_position here = cairn_space_position(l->space, cairn_grid_node(l->grid, x, y));
    for (uint32_t d = 0; d < 8; d++) {
        const char *name = cairn_step_name(l->space, y, d);
        if (!name) {
            assert_int_equal(e.steps[d], CAIRN_REASON_NO_STEP);
            continue;
        }
        cairn_position there =
            cairn_space_position(l->space, cairn_grid_node(l->grid, x + across[d], y + down[d]));
        double dx = there.x - here.x, dy = there.y - here.y;
        assert_int_equal(strstr(name, "north") != NULL, dy < -0.25);
        assert_int_equal(strstr(name, "south") != NULL, dy > 0.25);
        assert_int_equal(strstr(name, "west") != NULL, dx < -0.25);
        assert_int_equal(strstr(name, "east") != NULL, dx > 0.25);
    }
}

static void steps_are_named_by_where_they_lead(void **state)
{
    (void)state;
    for (int hex = 0; hex < 2; hex++) {
        cairn_profile profile = cairn_profile_default();
        if (hex) profile.neighbours = CAIRN_NEIGHBOURS_HEX;
        land l = land_of(".....\n.....\n.....\n.....\n", &profile);
        check_step_names(&l, 2, 1);
        check_step_names(&l, 2, 2);
        for (uint32_t d = 0; d < 8; d++)
            assert_int_equal(!cairn_step_name(l.space, 1, d), hex && (d == NW || d == SW));
        assert_null(cairn_step_name(l.space, 1, 8));
        land_close(&l);
    }
    assert_null(cairn_step_name(NULL, 0, 0));
}

static void sentences_fit(void **state)
{
    (void)state;
    cairn_context *context = NULL;
    cairn_grid *grid = NULL;
    cairn_space *space = NULL;
    CHECK_OK(cairn_context_create(NULL, &context));
    cairn_grid_options options = {.width = 30000, .height = 20};
    CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
    for (uint32_t d = N; d <= W; d++)
        CHECK_OK(cairn_grid_set_open(grid, 29000 + across[d], 10 + down[d], false));
    CHECK_OK(cairn_grid_commit(grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    cairn_explanation e;
    CHECK_OK(cairn_explain(space, 29000, 10, &e));
    assert_int_equal(e.steps[SW], CAIRN_REASON_CORNER);
    size_t length = strlen(e.text);
    assert_true(length > 150 && length < sizeof e.text - 1);
    assert_string_equal(e.text + length - 6, " more.");
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

static void what_cannot_be_explained_is_refused(void **state)
{
    (void)state;
    cairn_context *context = NULL;
    cairn_graph *graph = NULL;
    cairn_space *space = NULL;
    CHECK_OK(cairn_context_create(NULL, &context));
    cairn_graph_edge edge = {.from = 0, .to = 1, .weight = 1};
    cairn_graph_options options = {.node_count = 2, .edges = &edge, .edge_count = 1};
    CHECK_OK(cairn_graph_create(context, &options, &graph, NULL));
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    cairn_explanation e;
    CHECK_STATUS(cairn_explain(space, 0, 0, &e), CAIRN_UNSUPPORTED);
    CHECK_STATUS(cairn_explain(NULL, 0, 0, &e), CAIRN_INVALID);
    CHECK_STATUS(cairn_explain(space, 0, 0, NULL), CAIRN_INVALID);
    assert_null(cairn_step_name(space, 0, 0));
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);
    cairn_context_destroy(context);
}

static void every_reason_has_words(void **state)
{
    (void)state;
    for (int a = 0; a < CAIRN_REASON_COUNT; a++) {
        assert_true(strlen(cairn_reason_text((cairn_reason)a)) > 3);
        for (int b = 0; b < a; b++)
            assert_string_not_equal(cairn_reason_text((cairn_reason)a),
                                    cairn_reason_text((cairn_reason)b));
    }
    assert_string_equal(cairn_reason_text(CAIRN_REASON_TOO_NARROW), "too narrow");
    assert_string_equal(cairn_reason_text(CAIRN_REASON_COUNT), "unknown reason");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explanations_agree_with_the_space),
        cmocka_unit_test(sentences_name_what_is_in_the_way),
        cmocka_unit_test(sentences_tell_what_a_step_between_hexagons_grazes),
        cmocka_unit_test(sentences_tell_how_much_room_is_missing),
        cmocka_unit_test(classes_without_a_name_are_told_by_number),
        cmocka_unit_test(hexagons_have_six_steps),
        cmocka_unit_test(steps_are_named_by_where_they_lead),
        cmocka_unit_test(sentences_fit),
        cmocka_unit_test(what_cannot_be_explained_is_refused),
        cmocka_unit_test(every_reason_has_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
