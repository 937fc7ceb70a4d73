/* test_profile.c: which profiles make sense, and what a space makes of those that say little. */
#include "scenes.h"
#include "support.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_profile_of_zeros_is_the_default_one, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(any_other_profile_that_forbids_everything_is_refused,
                                        context_set_up, context_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
