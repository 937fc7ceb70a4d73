/* test_mm_growth.c: what the minimal-memory abstraction does as maps grow: how much longer its paths
 * are, how many levels it has, and that first steps do not wait for the whole map.
 */
#include "kit.h"

#include "hierarchy/mm/mm_index.h"

static kit kit_of_kind(cairn_context *context, cairn_generator_kind kind, uint32_t side)
{
    cairn_generator generator = cairn_generator_default(kind);
    kit k = {.context = context};
    generator.width = generator.height = side;
    CHECK_OK(cairn_generate(context, &generator, &k.grid, NULL));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    return k;
}

static void kit_of_kind_end(kit *k)
{
    cairn_search_destroy(k->search), cairn_planner_destroy(k->planner);
    cairn_space_destroy(k->space), cairn_grid_destroy(k->grid);
}

static const cairn_generator_kind hard_kinds[] = {CAIRN_GENERATE_RANDOM, CAIRN_GENERATE_ROOMS,
                                                  CAIRN_GENERATE_PSEUDO_RTS};

static void ways_are_at_most_a_tenth_longer(void **state)
{
    static const char *const settings[] = {"mm", "mm:levels=3", "mm:sector=24,levels=2"};
    for (uint32_t i = 0; i < LENGTH(hard_kinds); i++) {
        kit k = kit_of_kind(*state, hard_kinds[i], 512);
        for (uint32_t n = 0; n < LENGTH(settings); n++) {
            double longer = kit_costlier(&k, settings[n], 60);
            CHECK(longer <= 10, "%s: %f per cent costlier", settings[n], longer);
        }
        kit_of_kind_end(&k);
    }
}

static uint32_t levels_of(cairn_context *context, uint32_t width, uint32_t height)
{
    kit k = {.context = context};
    CHECK_OK(cairn_grid_create(context, &(cairn_grid_options){.width = width, .height = height},
                               &k.grid, NULL));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    CHECK_OK(cairn_planner_create(k.space, "mm", &k.planner, NULL));
    uint32_t levels = ((const crn_mm *)k.planner->index)->level_count;
    kit_of_kind_end(&k);
    return levels;
}

/* 64 × 64 sectors are one level; else the highest one has 16 sectors or fewer. */
static void larger_maps_have_more_levels(void **state)
{
    assert_int_equal(levels_of(*state, 1024, 1024), 1);
    assert_int_equal(levels_of(*state, 1536, 1536), 1);
    assert_int_equal(levels_of(*state, 1537, 1536), 4); /* 65 × 64, 17 × 16, 5 × 4, 2 × 1 */
    assert_int_equal(levels_of(*state, 1536, 1560), 4);
}

/* Which of them is searched first? The lowest one that has few regions. */
static uint32_t top_of(cairn_context *context, cairn_generator_kind kind, uint32_t side)
{
    kit k = kit_of_kind(context, kind, side);
    kit_plan(&k, "mm");
    const crn_mm *mm = k.planner->index;
    uint32_t top = 0;
    while (top + 1 < mm->level_count && mm->levels[top].passed > mm->few) top++;
    kit_of_kind_end(&k);
    return top;
}

static void levels_are_searched_by_the_number_of_regions(void **state)
{
    assert_int_equal(top_of(*state, CAIRN_GENERATE_PSEUDO_RTS, 1600), 1);
    assert_int_equal(top_of(*state, CAIRN_GENERATE_MAZE, 1600), 2);
    /* most of its regions are dead ends */
    assert_int_equal(top_of(*state, CAIRN_GENERATE_RANDOM, 2048), 1);
}

/* Nodes that are expanded for the first 16 steps, on the mean of some queries. */
static double first_steps(cairn_context *context, cairn_generator_kind kind, uint32_t side)
{
    kit k = kit_of_kind(context, kind, side);
    kit_plan(&k, "mm");
    scene_rng rng = {3};
    double sum = 0;
    for (uint32_t found = 0; found < 40;) {
        cairn_query query = {.from = scene_random(&rng, side * side),
                             .to = scene_random(&rng, side * side),
                             .piece = 16};
        if (cairn_search_find(k.search, &query, NULL) != CAIRN_FOUND) continue;
        sum += (double)cairn_search_metrics(k.search).expanded / 40;
        found++;
    }
    kit_of_kind_end(&k);
    return sum;
}

static void first_steps_do_not_wait_for_the_whole_map(void **state)
{
    for (uint32_t i = 0; i < LENGTH(hard_kinds); i++) {
        double small = first_steps(*state, hard_kinds[i], 512),
               large = first_steps(*state, hard_kinds[i], 2304);
        CHECK(large <= 2.5 * small, "%f instead of %f", large, small);
    }
    double small = first_steps(*state, CAIRN_GENERATE_MAZE, 512),
           large = first_steps(*state, CAIRN_GENERATE_MAZE, 2304);
    CHECK(large <= 2.5 * small, "mazes: %f instead of %f", large, small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ways_are_at_most_a_tenth_longer, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(larger_maps_have_more_levels, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(levels_are_searched_by_the_number_of_regions,
                                        context_set_up, context_tear_down),
        cmocka_unit_test_setup_teardown(first_steps_do_not_wait_for_the_whole_map, context_set_up,
                                        context_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
