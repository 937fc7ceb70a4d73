/* test_mm_sizes.c: MM's repairs for agents with a size. A cell that changes then changes cells in
 * several sectors, of which the first may be neither the only one nor a neighbour of the last.
 */
#include "hierarchies.h"

static void edit_and_compare(scene *s, const char *spec, uint32_t rounds, uint64_t seed)
{
    scene_rng rng = {seed};
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, spec);
    for (uint32_t round = 0; round < rounds; round++) {
        cairn_node cell = scene_random(&rng, s->width * s->height);
        s->open[cell] = !s->open[cell];
        CHECK_OK(cairn_grid_set_open(k.grid, (int32_t)(cell % s->width), (int32_t)(cell / s->width),
                                     s->open[cell]));
        CHECK_OK(cairn_grid_commit(k.grid));
        CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        check_as_built(&k, spec);
    }
    kit_end(&k, s);
}

static void repairs_for_large_agents_are_what_is_built(void **state)
{
    (void)state;
    static const double radii[] = {1.2, 2.3, 3.6};
    static const uint32_t footprints[] = {2, 3, 6, 9};
    static const char *const specs[] = {"mm:sector=4,levels=2", "mm:sector=5,levels=3"};
    for (uint32_t i = 0; i < LENGTH(radii) + LENGTH(footprints); i++) {
        for (uint32_t k = 0; k < LENGTH(specs); k++) {
            scene *s = scene_blocks("blocks", 46, 34, 3, i + 1);
            bool round = i < LENGTH(radii);
            if (round)
                s->profile.radius = radii[i];
            else
                s->profile.footprint = footprints[i - LENGTH(radii)];
            edit_and_compare(s, specs[k], test_times(16, 6), 7 * i + k + 1);
        }
    }
}

static void repairs_for_large_agents_among_hexagons_are_what_is_built(void **state)
{
    (void)state;
    static const double radii[] = {0.8, 1.6, 2.7};
    for (uint32_t i = 0; i < LENGTH(radii); i++) {
        scene *s = scene_blocks("blocks", 44, 32, 3, i + 1);
        scene_make_hex(s);
        s->profile.radius = radii[i];
        edit_and_compare(s, "mm:sector=4,levels=2", test_times(16, 6), i + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repairs_for_large_agents_are_what_is_built),
        cmocka_unit_test(repairs_for_large_agents_among_hexagons_are_what_is_built),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
