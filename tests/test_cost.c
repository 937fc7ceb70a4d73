/* test_cost.c: the exact integer costs at every bound that the design names: where
 * comparing integers first differs from comparing lengths, which cost scale a world gets, what
 * fits 32 bits, and why a Euclidean estimate must be held down by the octile one.
 */
#include "scenes.h"
#include "support.h"
#include "world/cost.h"

#include <math.h>

/* The ladder, written down a second time on purpose. */
static const cairn_scale ladder[CAIRN_COST_SCALES] = {
    {5741, 8119}, {2378, 3363}, {985, 1393}, {408, 577}, {169, 239}, {70, 99}, {29, 41}, {5, 7}};

static int sign(int64_t x)
{
    return (x > 0) - (x < 0);
}

/* ⌊√n⌋ by bits, slow and sure. */
static uint64_t slow_root(uint64_t n)
{
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit; bit >>= 1) {
        if ((root + bit) * (root + bit) <= n) root += bit;
    }
    return root;
}

static void the_ladder_is_the_one_of_the_design(void **state)
{
    (void)state;
    for (uint32_t r = 0; r < CAIRN_COST_SCALES; r++) {
        assert_int_equal(crn_cost_scales[r].straight, ladder[r].straight);
        assert_int_equal(crn_cost_scales[r].diagonal, ladder[r].diagonal);
    }
}

static void every_rung_is_a_convergent_of_the_root_of_two(void **state)
{
    (void)state;
    /* p/q is a convergent of √2 exactly if p² − 2q² is 1 or −1. */
    for (uint32_t r = 0; r < CAIRN_COST_SCALES; r++) {
        int64_t p = crn_cost_scales[r].diagonal, q = crn_cost_scales[r].straight;
        assert_int_equal(llabs(p * p - 2 * q * q), 1);
    }
}

/* First differences at which integers and lengths disagree: one path has `a` straight
 * steps more, the other `b` diagonals more. Between the same two cells `a` is even. */
typedef struct verdicts {
    uint32_t tie, tie_even, reversed;
} verdicts;

static verdicts first_wrong_verdicts(cairn_scale scale)
{
    verdicts first = {0, 0, 0};
    for (int64_t b = 1; !first.tie_even || !first.reversed; b++) {
        /* Only the two whole numbers next to b·√2 can be judged wrongly first. */
        int64_t root = (int64_t)slow_root((uint64_t)(2 * b * b));
        for (int64_t a = root - 1; a <= root + 2; a++) {
            int ours = sign((int64_t)scale.straight * a - (int64_t)scale.diagonal * b);
            int truth = sign(a * a - 2 * b * b);
            if (ours == truth) continue;
            if (!ours && !first.tie) first.tie = (uint32_t)b;
            if (!ours && a % 2 == 0 && !first.tie_even) first.tie_even = (uint32_t)b;
            if (ours && !first.reversed) first.reversed = (uint32_t)b;
        }
    }
    return first;
}

static void the_first_wrong_verdict_of_each_rung_is_where_the_design_says(void **state)
{
    (void)state;
    static const verdicts expected[CAIRN_COST_SCALES] = {
        {5741, 11482, 19601}, {2378, 4756, 8119}, {985, 1970, 3363}, {408, 816, 1393},
        {169, 338, 577},      {70, 140, 239},     {29, 58, 99},      {5, 10, 17}};
    for (uint32_t r = 0; r < CAIRN_COST_SCALES; r++) {
        verdicts found = first_wrong_verdicts(crn_cost_scales[r]);
        assert_int_equal(found.tie, expected[r].tie);
        assert_int_equal(found.tie_even, expected[r].tie_even);
        assert_int_equal(found.reversed, expected[r].reversed);
    }
}

/* ---- which cost scale --------------------------------------------------------------------- */

static void the_finest_rung_that_fits_is_chosen(void **state)
{
    (void)state;
    assert_int_equal(crn_cost_scale_for(1, 1), 0);
    assert_int_equal(crn_cost_scale_for(1024 * 1024, 1), 0);
    assert_int_equal(crn_cost_scale_for(2048 * 2048, 1), 2);
    assert_int_equal(crn_cost_scale_for(4096 * 4096, 1), 4);
    assert_int_equal(crn_cost_scale_for(8192 * 8192, 1), 5);
    assert_int_equal(crn_cost_scale_for(UINT64_C(32768) * 32768, 1), 7);
    assert_int_equal(crn_cost_scale_for(UINT64_C(32768) * 32768, 255), 7);
    assert_int_equal(crn_cost_scale_for(32 * 32, 255), 0);
    assert_int_equal(crn_cost_scale_for(1024 * 1024, 255), 7);
}

static void each_rung_ends_where_two_thirds_of_the_cells_no_longer_fit(void **state)
{
    (void)state;
    for (uint32_t r = 0; r + 1 < CAIRN_COST_SCALES; r++) {
        for (uint64_t m = 1; m < 256; m += 127) {
            uint64_t most = UINT64_C(0xffffffff) * 3 / 2 / (ladder[r].straight * m);
            CHECK(crn_cost_scale_for(most - 2, m) <= r, "cost-scale %u, cost %u", r, (unsigned)m);
            CHECK(crn_cost_scale_for(most + 2, m) > r, "cost-scale %u, cost %u", r, (unsigned)m);
        }
    }
}

static cairn_scale scale_of(uint32_t width, uint32_t height, uint32_t cost_scale,
                            uint32_t ground_cost)
{
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(cairn_context_create(NULL, &context));
    cairn_grid_options options = {.width = width, .height = height};
    CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
    cairn_profile profile = cairn_profile_default();
    profile.cost_scale = cost_scale;
    profile.terrain_cost[0] = (uint16_t)(ground_cost * 256);
    CHECK_OK(cairn_space_of_grid(grid, &profile, &space, NULL));
    cairn_scale scale = cairn_space_scale(space);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return scale;
}

static void a_space_says_which_scale_it_uses(void **state)
{
    (void)state;
    assert_int_equal(scale_of(8, 8, CAIRN_COST_SCALE_AUTO, 1).straight, 5741);
    assert_int_equal(scale_of(1024, 1024, CAIRN_COST_SCALE_AUTO, 1).diagonal, 8119);
    assert_int_equal(scale_of(2048, 2048, CAIRN_COST_SCALE_AUTO, 1).straight, 985);
    assert_true(scale_of(512, 512, CAIRN_COST_SCALE_AUTO, 255).straight < 5741);
    for (uint32_t r = 0; r < CAIRN_COST_SCALES; r++) {
        cairn_scale scale = scale_of(5, 4, r, 3);
        assert_int_equal(scale.straight, ladder[r].straight);
        assert_int_equal(scale.diagonal, ladder[r].diagonal);
    }
}

/* ---- what fits 32 bits -------------------------------------------------------------- */

/* A staircase of single cells joined by corners: `steps` diagonals and nothing else. */
static cairn_status walk_diagonals(uint32_t steps, uint32_t cell_cost, cairn_cost *cost)
{
    scene *s = scene_blank("diagonal", steps + 1, steps + 1);
    memset(s->open, 0, (size_t)s->width * s->height);
    for (uint32_t i = 0; i <= steps; i++) s->open[(size_t)i * s->width + i] = 1;
    s->profile.corners = CAIRN_CORNERS_ALWAYS;
    s->profile.terrain_cost[0] = (uint16_t)cell_cost;
    s->profile.cost_scale = 0;
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    CHECK_OK(cairn_context_create(NULL, &context));
    CHECK_OK(scene_grid(s, context, &grid));
    CHECK_OK(cairn_space_of_grid(grid, &s->profile, &space, NULL));
    CHECK_OK(cairn_planner_create(space, "astar", &planner, NULL));
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    const cairn_path *path;
    cairn_query query = {.from = 0, .to = s->width * s->height - 1};
    cairn_status status = cairn_search_find(search, &query, &path);
    *cost = path->cost;
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    scene_destroy(s);
    return status;
}

static void thirty_two_bits_hold_so_many_diagonals_and_no_more(void **state)
{
    (void)state;
    assert_true(UINT64_C(529002) * 8119 <= CAIRN_COST_MAX);
    assert_true(UINT64_C(529003) * 8119 > CAIRN_COST_MAX);
    cairn_cost cost;
    CHECK_STATUS(walk_diagonals(2074, 255 * 256, &cost), CAIRN_FOUND);
    assert_int_equal(cost, 2074u * 255 * 8119);
    CHECK_STATUS(walk_diagonals(2075, 255 * 256, &cost), CAIRN_COST_OVERFLOW);
    assert_int_equal(cost, CAIRN_NO_COST);
    CHECK_STATUS(walk_diagonals(2075, 254 * 256, &cost), CAIRN_FOUND);
    /* The largest cost there is: 65535 / 256. */
    assert_true(UINT64_C(2066) * 2078432 <= CAIRN_COST_MAX);
    assert_true(UINT64_C(2067) * 2078432 > CAIRN_COST_MAX);
    CHECK_STATUS(walk_diagonals(2066, UINT16_MAX, &cost), CAIRN_FOUND);
    assert_int_equal(cost, 2066u * 2078432);
    CHECK_STATUS(walk_diagonals(2067, UINT16_MAX, &cost), CAIRN_COST_OVERFLOW);
}

/* ---- estimates ---------------------------------------------------------------------- */

static uint64_t true_octile(cairn_scale scale, uint64_t dx, uint64_t dy)
{
    uint64_t low = dx < dy ? dx : dy, high = dx < dy ? dy : dx;
    return scale.straight * (high - low) + scale.diagonal * low;
}

/* The distance (of the larger axis) at which ⌊unit·√(dx²+dy²)⌋ first exceeds octile. */
static uint32_t first_trap(cairn_scale scale, uint32_t limit)
{
    uint64_t unit = (uint64_t)scale.straight * scale.straight;
    for (uint64_t dx = 1; dx <= limit; dx++) {
        /* Near the diagonal: elsewhere octile is longer by whole fractions of a step. */
        for (uint64_t dy = dx > 3 ? dx - 3 : 0; dy <= dx; dy++) {
            if (slow_root(unit * (dx * dx + dy * dy)) > true_octile(scale, dx, dy))
                return (uint32_t)dx;
        }
    }
    return 0;
}

static void the_plain_euclidean_estimate_overestimates_from_some_distance_on(void **state)
{
    (void)state;
    static const uint32_t expected[CAIRN_COST_SCALES] = {16239, 0, 2787, 0, 479, 0, 83, 15};
    for (uint32_t r = 0; r < CAIRN_COST_SCALES; r++) {
        assert_int_equal(first_trap(crn_cost_scales[r], 17000), expected[r]);
    }
}

static void estimates_are_ordered_and_never_exceed_octile(void **state)
{
    (void)state;
    scene_rng rng = {5};
    for (uint32_t r = 0; r < CAIRN_COST_SCALES; r++) {
        for (uint32_t i = 0; i < 20000; i++) {
            uint32_t dx = scene_random(&rng, i % 2 ? 33000 : 600),
                     dy = scene_random(&rng, i % 3 ? 33000 : 600);
            if (i % 5 == 0) dy = dx; /* where the trap is */
            uint64_t octile = true_octile(crn_cost_scales[r], dx, dy);
            uint64_t chebyshev = (uint64_t)crn_cost_scales[r].straight * (dx > dy ? dx : dy);
            uint64_t root =
                slow_root((uint64_t)crn_cost_scales[r].straight * crn_cost_scales[r].straight *
                          ((uint64_t)dx * dx + (uint64_t)dy * dy));
            cairn_scale scale = crn_cost_scales[r];
            assert_int_equal(crn_grid_estimate(CAIRN_HEURISTIC_NULL, scale, dx, dy), 0);
            assert_int_equal(crn_grid_estimate(CAIRN_HEURISTIC_OCTILE, scale, dx, dy), octile);
            assert_int_equal(crn_octile(scale, dx, dy), octile);
            assert_int_equal(crn_grid_estimate(CAIRN_HEURISTIC_CHEBYSHEV, scale, dx, dy),
                             chebyshev);
            assert_int_equal(crn_grid_estimate(CAIRN_HEURISTIC_EUCLIDEAN, scale, dx, dy),
                             root < octile ? root : octile);
            assert_int_equal(crn_grid_estimate(CAIRN_HEURISTIC_MANHATTAN, scale, dx, dy),
                             (uint64_t)scale.straight * (dx + dy));
        }
    }
}

/* For all pairs of cells: an estimate that is called admissible is at most the cost. */
static void check_estimates(const scene *s, const cairn_profile *profile)
{
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(cairn_context_create(NULL, &context));
    CHECK_OK(scene_grid(s, context, &grid));
    CHECK_OK(cairn_space_of_grid(grid, profile, &space, NULL));
    oracle_grid raw = scene_raw(s);
    oracle *o = oracle_of_grid(&raw, profile, cairn_space_scale(space));
    assert_true(cairn_heuristic_admissible(space, CAIRN_HEURISTIC_NULL));
    assert_true(cairn_heuristic_admissible(space, CAIRN_HEURISTIC_AUTO));
    for (cairn_node a = 0; a < o->count; a += 3) {
        oracle_search(o, a);
        for (cairn_node b = 0; b < o->count; b++) {
            if (o->distance[b] == ORACLE_NONE) continue;
            for (int h = 0; h < CAIRN_HEURISTIC_COUNT; h++) {
                if (!cairn_heuristic_admissible(space, (cairn_heuristic)h)) continue;
                CHECK(cairn_estimate(space, (cairn_heuristic)h, a, b) <= o->distance[b],
                      "%s overestimates on %s from %u to %u",
                      cairn_heuristic_name((cairn_heuristic)h), s->name, a, b);
            }
        }
    }
    oracle_destroy(o);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

static void no_estimate_called_admissible_overestimates_any_distance(void **state)
{
    (void)state;
    static const char *const names[] = {"trap", "gaps", "swamps", "danger", "hills", "cliffs"};
    for (uint32_t i = 0; i < LENGTH(names); i++) {
        scene *s = scene_named(names[i]);
        for (uint32_t cost_scale = 0; cost_scale < CAIRN_COST_SCALES; cost_scale += 3) {
            cairn_profile profile = s->profile;
            profile.cost_scale = cost_scale;
            profile.neighbours = CAIRN_NEIGHBOURS_4;
            check_estimates(s, &profile);
            profile.neighbours = CAIRN_NEIGHBOURS_8;
            profile.corners = CAIRN_CORNERS_ALWAYS;
            check_estimates(s, &profile);
        }
        scene_destroy(s);
    }
}

static void the_strongest_admissible_estimates_are_known(void **state)
{
    (void)state;
    scene *s = scene_named("open");
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *eight, *four;
    CHECK_OK(cairn_context_create(NULL, &context));
    CHECK_OK(scene_grid(s, context, &grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &eight, NULL));
    s->profile.neighbours = CAIRN_NEIGHBOURS_4;
    CHECK_OK(cairn_space_of_grid(grid, &s->profile, &four, NULL));
    assert_false(cairn_heuristic_admissible(eight, CAIRN_HEURISTIC_MANHATTAN));
    assert_true(cairn_heuristic_admissible(eight, CAIRN_HEURISTIC_OCTILE));
    assert_true(cairn_heuristic_admissible(eight, CAIRN_HEURISTIC_EUCLIDEAN));
    assert_true(cairn_heuristic_admissible(eight, CAIRN_HEURISTIC_CHEBYSHEV));
    assert_true(cairn_heuristic_admissible(four, CAIRN_HEURISTIC_MANHATTAN));
    cairn_node a = 0, b = 7 * s->width + 11; /* (0, 0) and (11, 7) */
    assert_int_equal(cairn_estimate(eight, CAIRN_HEURISTIC_AUTO, a, b), 4 * 5741 + 7 * 8119);
    assert_int_equal(cairn_estimate(four, CAIRN_HEURISTIC_AUTO, a, b), 18 * 5741);
    assert_int_equal(cairn_estimate(eight, CAIRN_HEURISTIC_EUCLIDEAN, a, b),
                     slow_root(UINT64_C(5741) * 5741 * 170));
    cairn_space_destroy(four);
    cairn_space_destroy(eight);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    scene_destroy(s);
}

/* ---- the integer root --------------------------------------------------------------- */

static void the_integer_square_root_is_exact(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 100000; n++) assert_int_equal(crn_square_root(n), slow_root(n));
    for (uint64_t root = 3; root <= UINT64_C(0xffffffff); root += root / 7 + 1) {
        assert_int_equal(crn_square_root(root * root - 1), root - 1);
        assert_int_equal(crn_square_root(root * root), root);
        assert_int_equal(crn_square_root(root * root + 1), root);
        assert_int_equal(crn_square_root(root * root + 2 * root), root);
    }
    uint64_t last = UINT64_C(0xffffffff);
    assert_int_equal(crn_square_root(last * last - 1), last - 1);
    assert_int_equal(crn_square_root(last * last), last);
    assert_int_equal(crn_square_root(UINT64_MAX), last);
    /* Doubles have 53 bits: these squares lie where rounding lies. */
    for (uint64_t root = (UINT64_C(1) << 27) - 50; root < (UINT64_C(1) << 27) + 50; root++) {
        assert_int_equal(crn_square_root(root * root - 1), root - 1);
        assert_int_equal(crn_square_root(root * root), root);
    }
}

static void lengths_are_decoded_from_the_counts_of_steps(void **state)
{
    (void)state;
    scene *s = scene_named("open");
    cairn_context *context;
    cairn_grid *grid;
    CHECK_OK(cairn_context_create(NULL, &context));
    CHECK_OK(scene_grid(s, context, &grid));
    cairn_owned_path found;
    CHECK_STATUS(cairn_find_path(grid, (cairn_cell){0, 0}, (cairn_cell){11, 7}, &found),
                 CAIRN_FOUND);
    assert_int_equal(found.path.cost, 4 * 5741 + 7 * 8119);
    assert_true(fabs(found.path.length - (4 + 7 * sqrt(2.0))) < 1e-12);
    cairn_path_free(&found);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ladder_is_the_one_of_the_design),
        cmocka_unit_test(every_rung_is_a_convergent_of_the_root_of_two),
        cmocka_unit_test(the_first_wrong_verdict_of_each_rung_is_where_the_design_says),
        cmocka_unit_test(the_finest_rung_that_fits_is_chosen),
        cmocka_unit_test(each_rung_ends_where_two_thirds_of_the_cells_no_longer_fit),
        cmocka_unit_test(a_space_says_which_scale_it_uses),
        cmocka_unit_test(thirty_two_bits_hold_so_many_diagonals_and_no_more),
        cmocka_unit_test(the_plain_euclidean_estimate_overestimates_from_some_distance_on),
        cmocka_unit_test(estimates_are_ordered_and_never_exceed_octile),
        cmocka_unit_test(no_estimate_called_admissible_overestimates_any_distance),
        cmocka_unit_test(the_strongest_admissible_estimates_are_known),
        cmocka_unit_test(the_integer_square_root_is_exact),
        cmocka_unit_test(lengths_are_decoded_from_the_counts_of_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
