/* test_clearance.c: the clearance field against a search of all blocked cells in plain geometry,
 * updates against rebuilding, and looking for a cell without a field.
 */
#include "support.h"
#include "world/clearance.h"

#include <math.h>

typedef struct map {
    cairn_context *context;
    crn_bits free;
    uint32_t width, height;
    cairn_layout layout;
    crn_rng rng;
} map;

/* One cell in `rarity` is blocked. */
static map map_random(cairn_context *context, uint32_t width, uint32_t height, int layout,
                      uint32_t rarity)
{
    map m = {.context = context,
             .width = width,
             .height = height,
             .layout = (cairn_layout)layout,
             .rng = {width * 1000u + rarity}};
    assert_true(crn_bits_create(context, width, height, &m.free));
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            crn_bit_set(&m.free, (int32_t)x, (int32_t)y, crn_rng_below(&m.rng, rarity) != 0);
    return m;
}

static void map_free(map *m)
{
    crn_bits_destroy(m->context, &m->free);
}

static bool map_blocked(const map *m, int32_t x, int32_t y)
{
    return x < 0 || y < 0 || x >= (int32_t)m->width || y >= (int32_t)m->height ||
           !crn_bit(&m->free, x, y);
}

/* Twelve times the square of the distance, from the shapes: of a square by its sides, of a hexagon
 * as the largest distance to one of its six sides' lines where the foot lies on the side, else to a
 * corner. */
static double slow_gap(const map *m, int32_t x, int32_t y, int32_t u, int32_t v)
{
    if (x == u && y == v) return 0;
    if (m->layout == CAIRN_LAYOUT_SQUARE) {
        double a = fmax(fabs((double)u - x) - 0.5, 0), b = fmax(fabs((double)v - y) - 0.5, 0);
        return 12 * (a * a + b * b);
    }
    double root = sqrt(3), px = x + (y & 1) * 0.5 - u - (v & 1) * 0.5, py = (y - v) * root / 2,
           least = INFINITY;
    for (int side = 0; side < 6; side++) {
        double angle = side * acos(-1.0) / 3, nx = cos(angle), ny = sin(angle);
        double out = px * nx + py * ny - 0.5, along = -px * ny + py * nx,
               over = fabs(along) - 0.5 / root;
        least = fmin(least, hypot(out, fmax(over, 0)));
    }
    return 12 * least * least;
}

/* The nearest blocked cell by looking at all of them, and all cells round the map. */
static double slow_clearance(const map *m, int32_t x, int32_t y, double limit, cairn_node *nearest)
{
    double best = limit;
    *nearest = CAIRN_NO_NODE;
    for (int32_t v = -1; v <= (int32_t)m->height; v++) {
        for (int32_t u = -1; u <= (int32_t)m->width; u++) {
            if (!map_blocked(m, u, v)) continue;
            double gap = slow_gap(m, x, y, u, v);
            bool inside = u >= 0 && v >= 0 && u < (int32_t)m->width && v < (int32_t)m->height;
            bool first = gap < best - 1e-6, level = fabs(gap - best) <= 1e-6 && best < limit - 1e-6;
            if (!first && !(level && inside && *nearest == CAIRN_NO_NODE)) continue;
            best = gap;
            *nearest = inside ? (cairn_node)v * m->width + (cairn_node)u : CAIRN_NO_NODE;
        }
    }
    return best;
}

static crn_clearance *map_field(const map *m, uint32_t cells)
{
    crn_clearance *field = NULL;
    CHECK_OK(crn_clearance_create(
        m->context, &(crn_bitmap){&m->free, m->width, m->height, m->layout}, cells, &field));
    return field;
}

static void check_field(const map *m, uint32_t cells)
{
    crn_clearance *field = map_field(m, cells);
    double limit = 12.0 * cells * cells;
    for (uint32_t y = 0; y < m->height; y++) {
        for (uint32_t x = 0; x < m->width; x++) {
            cairn_node nearest = 0, found = 0;
            double slow = slow_clearance(m, (int32_t)x, (int32_t)y, limit, &nearest);
            uint32_t value = field->values[y * m->width + x];
            CHECK(fabs(slow - value) < 1e-6, "%u x %u, layout %d, (%u, %u): %u, not %g", m->width,
                  m->height, (int)m->layout, x, y, value, slow);
            uint32_t looked =
                crn_clearance_look(&(crn_bitmap){&m->free, m->width, m->height, m->layout}, x, y,
                                   12 * cells * cells, &found);
            CHECK(looked == value, "(%u, %u): looked for %u, kept %u", x, y, looked, value);
            CHECK(found == nearest, "%u x %u, layout %d, (%u, %u): nearest is %u, not %u", m->width,
                  m->height, (int)m->layout, x, y, found, nearest);
        }
    }
    crn_clearance_destroy(field);
}

static const uint32_t sides[][2] = {{1, 1}, {1, 40}, {63, 5}, {64, 30}, {65, 31}, {130, 9}};
static const uint32_t rarities[] = {2, 12, 200, 1000000};

static void the_field_is_the_distance_to_the_nearest_blocked_cell(void **state)
{
    static const uint32_t cells[] = {1, 2, 5, 64};
    for (int layout = 0; layout < CAIRN_LAYOUT_COUNT; layout++) {
        for (uint32_t s = 0; s < LENGTH(sides); s++) {
            for (uint32_t r = 0; r < LENGTH(rarities); r++) {
                map m = map_random(*state, sides[s][0], sides[s][1], layout, rarities[r]);
                check_field(&m, cells[(s + r) % LENGTH(cells)]);
                map_free(&m);
            }
        }
    }
}

/* A field deep enough that all of the cut-off is used, a cell at a time against looking for it. */
static void the_field_reaches_as_far_as_it_says(void **state)
{
    for (int layout = 0; layout < CAIRN_LAYOUT_COUNT; layout++) {
        map m = map_random(*state, 190, 180, layout, 7000);
        static const uint32_t cells[] = {1, 3, 16, 63, 64};
        for (uint32_t c = 0; c < LENGTH(cells); c++) {
            crn_clearance *field = map_field(&m, cells[c]);
            uint32_t limit = 12 * cells[c] * cells[c], cut = 0;
            for (uint32_t i = 0; i < m.width * m.height; i++) {
                uint32_t whole =
                    crn_clearance_look(&(crn_bitmap){&m.free, m.width, m.height, m.layout},
                                       i % m.width, i / m.width, UINT32_MAX, NULL);
                assert_int_equal(field->values[i], crn_min_u32(whole, limit));
                cut += whole > limit;
            }
            if (cells[c] < 32) assert_true(cut > 0);
            crn_clearance_destroy(field);
        }
        map_free(&m);
    }
}

static void an_updated_field_is_a_new_one(void **state)
{
    for (int layout = 0; layout < CAIRN_LAYOUT_COUNT; layout++) {
        for (uint32_t s = 0; s < LENGTH(sides); s++) {
            for (uint32_t cells = 1; cells <= 64; cells = cells * 3 + 1) {
                map m = map_random(*state, sides[s][0], sides[s][1], layout, 30);
                crn_clearance *field = map_field(&m, cells);
                for (uint32_t turn = 0; turn < 40; turn++) {
                    uint32_t x0 = crn_rng_below(&m.rng, m.width),
                             y0 = crn_rng_below(&m.rng, m.height);
                    uint32_t x1 = crn_min_u32(x0 + crn_rng_below(&m.rng, 3), m.width - 1);
                    uint32_t y1 = crn_min_u32(y0 + crn_rng_below(&m.rng, 3), m.height - 1);
                    crn_bit_set(&m.free, (int32_t)x0, (int32_t)y0,
                                map_blocked(&m, (int32_t)x0, (int32_t)y0));
                    crn_bit_set(&m.free, (int32_t)x1, (int32_t)y1,
                                map_blocked(&m, (int32_t)x1, (int32_t)y1));
                    uint64_t computed =
                        crn_clearance_update(field, &m.free, &(crn_size_box){x0, y0, x1, y1});
                    crn_clearance *fresh = map_field(&m, cells);
                    assert_memory_equal(field->values, fresh->values,
                                        (size_t)m.width * m.height * 2);
                    assert_true(computed <= (uint64_t)m.width * m.height);
                    crn_clearance_destroy(fresh);
                }
                crn_clearance_destroy(field);
                map_free(&m);
            }
        }
    }
}

/* An update computes what can have changed and no more, whatever the size of the map. */
static void an_update_is_bounded(void **state)
{
    map m = map_random(*state, 300, 300, CAIRN_LAYOUT_SQUARE, 50);
    crn_clearance *field = map_field(&m, 16);
    assert_int_equal(crn_clearance_update(field, &m.free, &(crn_size_box){150, 150, 150, 150}),
                     33 * 33);
    assert_int_equal(crn_clearance_update(field, &m.free, &(crn_size_box){150, 150, 152, 150}),
                     35 * 33);
    assert_int_equal(crn_clearance_update(field, &m.free, &(crn_size_box){0, 299, 0, 299}),
                     17 * 17);
    assert_true(crn_clearance_bytes(field) >= 2 * 300 * 300);
    crn_clearance_destroy(field);
    map_free(&m);
}

static void a_cell_fits_exactly_if_its_clearance_is_the_radius_or_more(void **state)
{
    for (int layout = 0; layout < CAIRN_LAYOUT_COUNT; layout++) {
        map m = map_random(*state, 130, 90, layout, 150);
        crn_clearance *field = map_field(&m, 64);
        for (int eighths = 0; eighths <= 80; eighths++) {
            double radius = eighths / 8.0;
            crn_size size;
            crn_size_make(&size, m.layout, radius, 0);
            for (uint32_t y = 0; y < m.height; y++) {
                for (uint32_t x = 0; x < m.width; x++) {
                    uint64_t word = crn_size_erode(
                        &size, &(crn_bitmap){&m.free, m.width, m.height, CAIRN_LAYOUT_SQUARE},
                        x / 64 * 64, y);
                    uint32_t value = field->values[y * m.width + x];
                    bool fits = value > 0 && value >= 12 * radius * radius;
                    assert_int_equal(word >> (x % 64) & 1, fits);
                }
            }
        }
        crn_clearance_destroy(field);
        map_free(&m);
    }
}

static void looking_crosses_large_maps(void **state)
{
    /* So flat that the rows above and below would be nearer, were it not for the numbers on the
     * way. */
    map flat = map_random(*state, CAIRN_GRID_MAX, 3, CAIRN_LAYOUT_SQUARE, 1);
    for (int32_t x = 0; x < (int32_t)CAIRN_GRID_MAX; x++)
        for (int32_t y = 0; y < 3; y++) crn_bit_set(&flat.free, x, y, true);
    static const uint32_t columns[] = {0, 1, 2, 16383, 16384, 20000, 32765, 32766, 32767};
    for (uint32_t i = 0; i < LENGTH(columns); i++) {
        cairn_node nearest = 0;
        uint32_t aside = crn_min_u32(columns[i] + 1, CAIRN_GRID_MAX - columns[i]),
                 half = 2 * crn_min_u32(aside, 2) - 1;
        uint32_t value = crn_clearance_look(&(crn_bitmap){&flat.free, flat.width, 3, flat.layout},
                                            columns[i], 1, UINT32_MAX, &nearest);
        assert_int_equal(value, 3 * half * half);
        assert_int_equal(nearest, CAIRN_NO_NODE);
    }
    map_free(&flat);
    map tall = map_random(*state, 1000, CAIRN_GRID_MAX, CAIRN_LAYOUT_SQUARE, 1);
    for (int32_t y = 0; y < (int32_t)CAIRN_GRID_MAX; y++)
        for (int32_t x = 0; x < 1000; x++) crn_bit_set(&tall.free, x, y, true);
    uint32_t value = crn_clearance_look(&(crn_bitmap){&tall.free, 1000, tall.height, tall.layout},
                                        499, 16000, UINT32_MAX, NULL);
    assert_int_equal(value, 3 * 999 * 999);
    map_free(&tall);
}

static void distances_come_in_cells(void **state)
{
    (void)state;
    assert_true(crn_clearance_distance(0) == 0);
    assert_true(crn_clearance_distance(3) == 0.5);
    assert_true(crn_clearance_distance(12 * 64 * 64) == 64);
}

static void a_field_without_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    for (uint64_t at = 1;; at++) {
        watched memory = {0};
        cairn_context *context = NULL;
        CHECK_OK(watched_context(&memory, &context));
        map m = map_random(context, 20, 10, CAIRN_LAYOUT_HEX, 9);
        size_t blocks = memory.blocks;
        memory.fail_at = memory.calls + at;
        crn_clearance *field = NULL;
        cairn_status status = crn_clearance_create(
            context, &(crn_bitmap){&m.free, m.width, m.height, m.layout}, 8, &field);
        if (status != CAIRN_OK) {
            assert_int_equal(status, CAIRN_OUT_OF_MEMORY);
            assert_null(field);
            assert_int_equal(memory.blocks, blocks);
        }
        crn_clearance_destroy(field);
        map_free(&m);
        cairn_context_destroy(context);
        assert_int_equal(memory.blocks, 0);
        assert_false(memory.wrong_size);
        if (status == CAIRN_OK) break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_field_is_the_distance_to_the_nearest_blocked_cell,
                                        context_set_up, context_tear_down),
        cmocka_unit_test_setup_teardown(the_field_reaches_as_far_as_it_says, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(an_updated_field_is_a_new_one, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(an_update_is_bounded, context_set_up, context_tear_down),
        cmocka_unit_test_setup_teardown(a_cell_fits_exactly_if_its_clearance_is_the_radius_or_more,
                                        context_set_up, context_tear_down),
        cmocka_unit_test_setup_teardown(looking_crosses_large_maps, context_set_up,
                                        context_tear_down),
        cmocka_unit_test(distances_come_in_cells),
        cmocka_unit_test(a_field_without_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
