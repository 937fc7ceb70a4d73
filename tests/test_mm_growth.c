/* test_mm_growth.c: what the minimal-memory abstraction does as maps grow: how much longer its
 * paths are, how many levels it has, that first steps do not wait for the whole map, and that repairs do
 * not grow with it.
 */
#include "hierarchies.h"
#include "kit.h"

#include "hierarchy/mm/mm_job.h"

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

/* ---- repairs -------------------------------------------------------------------------- */

static const cairn_generator_kind repaired_kinds[] = {CAIRN_GENERATE_ROOMS, CAIRN_GENERATE_RANDOM,
                                                      CAIRN_GENERATE_CAVES, CAIRN_GENERATE_MAZE,
                                                      CAIRN_GENERATE_FACILITY};

static void flip_one(const kit *k, scene_rng *rng)
{
    int32_t x = (int32_t)scene_random(rng, cairn_grid_width(k->grid)),
            y = (int32_t)scene_random(rng, cairn_grid_height(k->grid));
    CHECK_OK(cairn_grid_set_open(k->grid, x, y, !cairn_grid_is_open(k->grid, x, y)));
    CHECK_OK(cairn_grid_commit(k->grid));
    CHECK_OK(cairn_planner_sync(k->planner, NULL, NULL));
}

typedef struct upkeep {
    double drafted, found, written; /* sectors, paths, bytes: a repair of one cell, on the mean */
} upkeep;

static upkeep upkeep_of(cairn_context *context, cairn_generator_kind kind, uint32_t side,
                        const char *spec)
{
    enum { EDITS = 300 };
    kit k = kit_of_kind(context, kind, side);
    kit_plan(&k, spec);
    const crn_mm *mm = k.planner->index;
    scene_rng rng = {side};
    upkeep u = {0};
    for (uint32_t i = 0; i < EDITS; i++) {
        flip_one(&k, &rng);
        u.drafted += (double)mm->job->drafted / EDITS;
        u.found += (double)mm->job->found / EDITS;
    }
    const crn_mm_blocks *blocks[] = {&mm->levels[0].bytes, &mm->levels[1].bytes, &mm->paths.regions,
                                     &mm->paths.costs, &mm->paths.bytes};
    for (uint32_t i = 0; i < LENGTH(blocks); i++)
        u.written += (double)(blocks[i]->written * blocks[i]->unit) / EDITS;
    kit_of_kind_end(&k);
    return u;
}

/* Sixteen times the map: the same sectors and paths are made again, and the same bytes written. */
static void repairs_do_not_grow_with_the_map(void **state)
{
    static const char *const specs[] = {"dbastar:sector=16,levels=1", "dbastar:sector=16,levels=2"};
    for (uint32_t i = 0; i < LENGTH(repaired_kinds); i++) {
        for (uint32_t n = 0; n < LENGTH(specs); n++) {
            upkeep small = upkeep_of(*state, repaired_kinds[i], 256, specs[n]),
                   large = upkeep_of(*state, repaired_kinds[i], 1024, specs[n]);
            const char *name = cairn_generator_about(repaired_kinds[i])->name;
            CHECK(small.drafted >= 1 && small.written > 1, "%s: nothing was repaired", name);
            CHECK(large.drafted <= 1.3 * small.drafted && large.drafted < 14, "%s: %f sectors, %f",
                  name, large.drafted, small.drafted);
            CHECK(large.found <= 1.3 * small.found, "%s: %f paths, %f", name, large.found,
                  small.found);
            CHECK(large.written <= 1.3 * small.written, "%s: %f bytes, %f", name, large.written,
                  small.written);
        }
    }
}

/* Repairs save most on edits of single cells: the index is what a build makes of the map. */
static void single_cells_leave_what_is_built(void **state)
{
    static const char *const specs[] = {"dbastar:sector=8,levels=4", "dbastar:sector=5,levels=3",
                                        "mm:sector=8,levels=4"};
    for (uint32_t i = 0; i < LENGTH(repaired_kinds); i++) {
        for (uint32_t n = 0; n < LENGTH(specs); n++) {
            kit k = kit_of_kind(*state, repaired_kinds[i], 160);
            kit_plan(&k, specs[n]);
            scene_rng rng = {i + 1};
            for (uint32_t edit = 1; edit <= test_times(200, 40); edit++) {
                flip_one(&k, &rng);
                if (edit % 20 == 0) check_as_built(&k, specs[n]);
            }
            kit_of_kind_end(&k);
        }
    }
}

/* Blocks of any size, replaced in any order, against a copy. */
static void blocks_are_replaced_one_by_one(void **state)
{
    enum { BLOCKS = 40, MOST = 70, TIMES = 20000 };
    static uint16_t copy[BLOCKS][MOST];
    uint32_t begin[BLOCKS], count[BLOCKS], used = 0;
    scene_rng rng = {9};
    crn_mm_blocks blocks;
    crn_mm_blocks_open(&blocks, sizeof(uint16_t));
    for (uint32_t i = 0; i < BLOCKS; i++) {
        count[i] = scene_random(&rng, MOST);
        uint16_t *out = crn_mm_blocks_room(&blocks, *state, count[i]);
        assert_non_null(out);
        for (uint32_t k = 0; k < count[i]; k++) out[k] = copy[i][k] = (uint16_t)(i * MOST + k);
        begin[i] = crn_mm_blocks_append(&blocks, count[i]);
    }
    assert_true(crn_mm_blocks_end(&blocks, *state));
    for (uint32_t time = 0; time < TIMES; time++) {
        uint32_t i = scene_random(&rng, BLOCKS), before = count[i];
        count[i] = scene_random(&rng, scene_random(&rng, 4) ? MOST : 3);
        for (uint32_t k = 0; k < count[i]; k++) copy[i][k] = (uint16_t)scene_random(&rng, 65536);
        crn_mm_change change = {&begin[i], before, copy[i], count[i]};
        assert_true(crn_mm_blocks_replace(&blocks, *state, &change));
        if (time == TIMES / 2) used = blocks.used;
        for (uint32_t b = 0; b < BLOCKS; b++)
            assert_memory_equal(crn_mm_block(&blocks, begin[b]), copy[b], count[b] * sizeof **copy);
    }
    /* what is free is used again */
    CHECK(used < 3 * BLOCKS * MOST && blocks.used <= used + used / 8, "%u items, then %u", used,
          blocks.used);
    crn_mm_blocks_close(&blocks, *state);
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
        cmocka_unit_test_setup_teardown(repairs_do_not_grow_with_the_map, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(single_cells_leave_what_is_built, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(blocks_are_replaced_one_by_one, context_set_up,
                                        context_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
