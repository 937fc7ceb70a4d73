/* test_size.c: sizes of agents against geometry: which cells a radius or a footprint needs, and the
 * erosion of whole maps by words against one cell at a time.
 */
#include "support.h"
#include "world/size.h"

#include <math.h>

/* ---- geometry in doubles, from the shapes themselves ---- */

typedef struct point {
    double x, y;
} point;

static double distance_to_segment(point p, point a, point b)
{
    double dx = b.x - a.x, dy = b.y - a.y,
           t = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

static point cell_centre(cairn_layout layout, int32_t x, int32_t y)
{
    if (layout == CAIRN_LAYOUT_SQUARE) return (point){x, y};
    return (point){x + (y & 1 ? 0.5 : 0), y * sqrt(3) / 2};
}

/* The corners of a cell, in order; returns how many. */
static uint32_t cell_corners(cairn_layout layout, int32_t x, int32_t y, point out[6])
{
    if (layout == CAIRN_LAYOUT_SQUARE) {
        for (uint32_t i = 0; i < 4; i++)
            out[i] = (point){x + (i == 1 || i == 2 ? 0.5 : -0.5), y + (i >= 2 ? 0.5 : -0.5)};
        return 4;
    }
    double pi = acos(-1.0);
    point centre = cell_centre(layout, x, y);
    for (uint32_t i = 0; i < 6; i++) {
        double angle = pi / 2 + i * pi / 3;
        out[i] = (point){centre.x + cos(angle) / sqrt(3), centre.y + sin(angle) / sqrt(3)};
    }
    return 6;
}

/* From the centre of (x, y) to the cell (x + dx, y + dy). */
static double slow_distance(cairn_layout layout, int32_t x, int32_t y, int32_t dx, int32_t dy)
{
    if (!dx && !dy) return 0;
    point corner[6], centre = cell_centre(layout, x, y);
    uint32_t count = cell_corners(layout, x + dx, y + dy, corner);
    double least = INFINITY;
    for (uint32_t i = 0; i < count; i++)
        least = fmin(least, distance_to_segment(centre, corner[i], corner[(i + 1) % count]));
    return least;
}

static void distances_are_those_of_the_shapes(void **state)
{
    (void)state;
    for (int layout = 0; layout < CAIRN_LAYOUT_COUNT; layout++) {
        for (int32_t y = 0; y < 2; y++) {
            for (int32_t dy = -90; dy <= 90; dy++) {
                for (int32_t dx = -90; dx <= 90; dx++) {
                    double slow = slow_distance((cairn_layout)layout, 7, y, dx, dy);
                    uint32_t gap = crn_size_gap12((cairn_layout)layout, (uint32_t)y, dx, dy);
                    CHECK(fabs(12 * slow * slow - gap) < 1e-6,
                          "layout %d, row %d, offset (%d, %d): %u, not %g", layout, y, dx, dy, gap,
                          12 * slow * slow);
                }
            }
        }
    }
}

static void distances_reach_across_half_of_the_largest_map(void **state)
{
    (void)state;
    uint64_t side = 2 * 16384 - 1;
    assert_int_equal(crn_size_gap12(CAIRN_LAYOUT_SQUARE, 0, 16384, 0), 3 * side * side);
    assert_int_equal(crn_size_gap12(CAIRN_LAYOUT_HEX, 1, -16384, 0), 3 * side * side);
    uint64_t up = 3 * 16384 - 2;
    assert_int_equal(crn_size_gap12(CAIRN_LAYOUT_HEX, 0, 0, -16384), up * up);
}

/* ---- sizes ---- */

static bool size_has(const crn_size *size, uint32_t parity, int32_t dx, int32_t dy)
{
    if (dy < size->top || dy > size->bottom) return false;
    const int8_t *span = size->span[parity][dy - size->top];
    return dx >= span[0] && dx <= span[1];
}

/* Every offset, in the interval or not, against the shapes. So the offsets of a row are an
 * interval. */
static void check_radius(cairn_layout layout, double radius)
{
    crn_size size;
    crn_size_make(&size, layout, radius, 0);
    for (int32_t y = 0; y < 2; y++) {
        for (int32_t dy = -40; dy <= 40; dy++) {
            for (int32_t dx = -40; dx <= 40; dx++) {
                double slow = slow_distance(layout, 7, y, dx, dy);
                bool exact = layout == CAIRN_LAYOUT_SQUARE && radius * 8 == floor(radius * 8);
                if (!exact && fabs(slow - radius) < 1e-9) continue;
                bool needed = (!dx && !dy) || slow < radius;
                CHECK(size_has(&size, (uint32_t)y, dx, dy) == needed,
                      "layout %d, radius %g, row %d: is (%d, %d) needed? %d", (int)layout, radius,
                      y, dx, dy, needed);
            }
        }
    }
    assert_int_equal(crn_size_is_point(&size), radius <= 0.5);
}

static void a_radius_needs_what_is_nearer(void **state)
{
    (void)state;
    static const double others[] = {0.70710678, 1.1547, 7.25, 10.5, 15.99, 16, 27.5, 31.5, 32};
    for (int layout = 0; layout < CAIRN_LAYOUT_COUNT; layout++) {
        for (int eighths = 0; eighths <= 48; eighths++)
            check_radius((cairn_layout)layout, eighths / 8.0);
        for (uint32_t i = 0; i < LENGTH(others); i++) check_radius((cairn_layout)layout, others[i]);
    }
}

/* Exactly at a distance the cell is not needed, a hair above it is. */
static void nearer_is_strict(void **state)
{
    (void)state;
    for (int layout = 0; layout < CAIRN_LAYOUT_COUNT; layout++) {
        for (int32_t k = 1; k <= 31; k++) {
            crn_size at, above;
            crn_size_make(&at, (cairn_layout)layout, k - 0.5, 0);
            crn_size_make(&above, (cairn_layout)layout, nextafter(k - 0.5, 100), 0);
            for (uint32_t parity = 0; parity < 2; parity++) {
                assert_true(size_has(&at, parity, k - 1, 0) && size_has(&at, parity, 1 - k, 0));
                assert_false(size_has(&at, parity, k, 0) || size_has(&at, parity, -k, 0));
                assert_true(size_has(&above, parity, k, 0) && size_has(&above, parity, -k, 0));
            }
        }
    }
}

static void a_footprint_needs_its_square(void **state)
{
    (void)state;
    for (uint32_t n = 0; n <= CAIRN_FOOTPRINT_MAX; n++) {
        crn_size size;
        crn_size_make(&size, CAIRN_LAYOUT_SQUARE, 0, n);
        int32_t side = n > 1 ? (int32_t)n : 1;
        for (int32_t dy = -2; dy <= side + 1; dy++) {
            for (int32_t dx = -2; dx <= side + 1; dx++) {
                bool needed = dx >= 0 && dy >= 0 && dx < side && dy < side;
                assert_int_equal(size_has(&size, 0, dx, dy), needed);
            }
        }
        assert_int_equal(crn_size_is_point(&size), n <= 1);
    }
}

/* ---- between the centres ---- */

/* The least distance to the cell (cx, cy) on the straight way from (0, y) to (dx, y + dy), which
 * does not pass through it: from an end to a side, or from a corner to the path. */
static double slow_way(cairn_layout layout, int32_t y, int32_t dx, int32_t dy, int32_t cx,
                       int32_t cy)
{
    point corner[6], a = cell_centre(layout, 0, y), b = cell_centre(layout, dx, y + dy);
    uint32_t count = cell_corners(layout, cx, cy, corner);
    double least = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        point p = corner[i], q = corner[(i + 1) % count];
        least = fmin(least, distance_to_segment(p, a, b));
        least = fmin(least, fmin(distance_to_segment(a, p, q), distance_to_segment(b, p, q)));
    }
    return least;
}

/* On squares what the ends of a step keep, and for a diagonal one the cells beside it, is kept on
 * the path. */
static void steps_between_squares_keep_their_distance(void **state)
{
    (void)state;
    for (int32_t cy = -12; cy <= 12; cy++) {
        for (int32_t cx = -12; cx <= 12; cx++) {
            if (cx >= 0 && cx <= 1 && cy >= 0 && cy <= 1) continue;
            double here = slow_distance(CAIRN_LAYOUT_SQUARE, 0, 0, cx, cy);
            double east = slow_distance(CAIRN_LAYOUT_SQUARE, 1, 0, cx - 1, cy);
            double south = slow_distance(CAIRN_LAYOUT_SQUARE, 0, 1, cx, cy - 1);
            double across = slow_distance(CAIRN_LAYOUT_SQUARE, 1, 1, cx - 1, cy - 1);
            double straight = slow_way(CAIRN_LAYOUT_SQUARE, 0, 1, 0, cx, cy);
            double diagonal = slow_way(CAIRN_LAYOUT_SQUARE, 0, 1, 1, cx, cy);
            assert_true(straight > fmin(here, east) - 1e-9);
            assert_true(diagonal > fmin(fmin(here, across), fmin(east, south)) - 1e-9);
        }
    }
}

/* Of a step and a cell: how far its ends are, and how near it comes. A cell dips into the step for
 * the radii between. */
enum { DIP_REACH = 42, DIP_WIDTH = 2 * DIP_REACH + 1, DIP_STEPS = 12 };
typedef struct dip_case {
    uint32_t parity;
    int32_t dx, dy;
    double ends[DIP_WIDTH][DIP_WIDTH], way[DIP_WIDTH][DIP_WIDTH];
} dip_case;

static uint32_t dip_cases(dip_case *out)
{
    uint32_t count = 0;
    for (int32_t i = 0; i < 18; i++) {
        int32_t y = i / 9, dx = i % 3 - 1, dy = i / 3 % 3 - 1;
        point a = cell_centre(CAIRN_LAYOUT_HEX, 0, y),
              b = cell_centre(CAIRN_LAYOUT_HEX, dx, y + dy);
        if ((!dx && !dy) || hypot(b.x - a.x, b.y - a.y) > 1.1) continue;
        dip_case *c = &out[count++];
        c->parity = (uint32_t)y, c->dx = dx, c->dy = dy;
        for (int32_t v = 0; v < DIP_WIDTH; v++) {
            for (int32_t u = 0; u < DIP_WIDTH; u++) {
                int32_t cx = u - DIP_REACH, cy = v - DIP_REACH;
                c->ends[v][u] = fmin(slow_distance(CAIRN_LAYOUT_HEX, 0, y, cx, cy),
                                     slow_distance(CAIRN_LAYOUT_HEX, dx, y + dy, cx - dx, cy - dy));
                c->way[v][u] = slow_way(CAIRN_LAYOUT_HEX, y, dx, dy, cx, y + cy);
            }
        }
    }
    return count;
}

static bool dip_listed(const crn_size *size, const dip_case *c, int32_t cx, int32_t cy)
{
    bool listed = false;
    for (uint32_t i = 0; i < CRN_SIZE_DIPS; i++) {
        const int8_t *dip = size->dip[c->parity][c->dy + 1][c->dx + 1][i];
        listed |= (dip[0] || dip[1]) && dip[0] == cx && dip[1] == cy;
    }
    return listed;
}

static void check_dips(const dip_case *cases, double radius)
{
    crn_size size;
    uint32_t found = 0;
    crn_size_make(&size, CAIRN_LAYOUT_HEX, radius, 0);
    for (uint32_t i = 0; i < DIP_STEPS; i++) {
        for (int32_t v = 0; v < DIP_WIDTH; v++) {
            for (int32_t u = 0; u < DIP_WIDTH; u++) {
                bool dips = cases[i].ends[v][u] >= radius && cases[i].way[v][u] < radius;
                CHECK(dip_listed(&size, &cases[i], u - DIP_REACH, v - DIP_REACH) == dips,
                      "radius %g, row %u, step (%d, %d): does (%d, %d) dip into it? %d", radius,
                      cases[i].parity, cases[i].dx, cases[i].dy, u - DIP_REACH, v - DIP_REACH,
                      dips);
                found += dips;
            }
        }
    }
    assert_int_equal(size.dips, found > 0);
}

/* What dips into steps changes at a few radii only; between each two of them one stands for all. */
static void the_cells_that_dip_into_steps_are_known_for_every_radius(void **state)
{
    (void)state;
    dip_case *cases = calloc(DIP_STEPS, sizeof *cases);
    if (!cases) abort();
    assert_int_equal(dip_cases(cases), DIP_STEPS);
    double last = 0;
    uint32_t borders = 0;
    while (last < CAIRN_RADIUS_MAX) {
        double next = CAIRN_RADIUS_MAX;
        for (uint32_t i = 0; i < DIP_STEPS * DIP_WIDTH * DIP_WIDTH; i++) {
            const dip_case *c = &cases[i / (DIP_WIDTH * DIP_WIDTH)];
            double ends = c->ends[i / DIP_WIDTH % DIP_WIDTH][i % DIP_WIDTH];
            double way = c->way[i / DIP_WIDTH % DIP_WIDTH][i % DIP_WIDTH];
            if (ends - way < 1e-9) continue; /* it never does */
            if (way > last + 1e-9) next = fmin(next, way);
            if (ends > last + 1e-9) next = fmin(next, ends);
        }
        check_dips(cases, (last + next) / 2);
        last = next;
        borders++;
    }
    assert_int_equal(borders, 2 * 19 + 1);
    free(cases);
}

/* ---- erosion ---- */

typedef struct field {
    crn_bits bits;
    uint32_t width, height;
} field;

/* One cell in `rarity` is blocked. */
static field field_random(cairn_context *context, uint32_t width, uint32_t height, uint32_t rarity,
                          uint64_t seed)
{
    field f = {.width = width, .height = height};
    assert_true(crn_bits_create(context, width, height, &f.bits));
    crn_rng rng = {seed};
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            crn_bit_set(&f.bits, (int32_t)x, (int32_t)y, crn_rng_below(&rng, rarity) != 0);
    return f;
}

static bool field_free(const field *f, int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && x < f->width && y < f->height &&
           crn_bit(&f->bits, (int32_t)x, (int32_t)y);
}

static bool slow_fits(const field *f, const crn_size *size, int32_t x, int32_t y)
{
    uint32_t parity = size->hex ? y & 1 : 0;
    for (int32_t dy = size->top; dy <= size->bottom; dy++)
        for (int32_t dx = size->left; dx <= size->right; dx++)
            if (size_has(size, parity, dx, dy) && !field_free(f, x + dx, y + dy)) return false;
    return true;
}

static void check_erosion(const field *f, const crn_size *size)
{
    for (uint32_t y = 0; y < f->height; y++) {
        for (uint32_t x = 0; x < f->width; x += 64) {
            uint64_t word = crn_size_erode(
                size, &(crn_bitmap){&f->bits, f->width, f->height, CAIRN_LAYOUT_SQUARE}, x, y);
            for (uint32_t i = 0; i < 64; i++) {
                bool fits = x + i < f->width && slow_fits(f, size, (int32_t)(x + i), (int32_t)y);
                CHECK((word >> i & 1) == fits, "%u x %u, rows %d to %d: (%u, %u) fits: %d",
                      f->width, f->height, size->top, size->bottom, x + i, y, fits);
            }
        }
    }
}

static const uint32_t widths[] = {1, 2, 62, 63, 64, 65, 127, 128, 130, 200};
static const double radii[] = {0, 0.5, 0.51, 0.75, 1, 1.5, 1.51, 2.25, 3, 4.5, 6, 11, 20.5, 32};

static void erosion_by_words_is_erosion_by_cells(void **state)
{
    for (uint32_t w = 0; w < LENGTH(widths); w++) {
        static const uint32_t rarities[] = {5, 60, 100000};
        for (uint32_t r = 0; r < LENGTH(rarities); r++) {
            field f = field_random(*state, widths[w], 80 - w, rarities[r], 7 * w + r);
            for (uint32_t i = 0; i < LENGTH(radii); i++) {
                for (int layout = 0; layout < CAIRN_LAYOUT_COUNT; layout++) {
                    crn_size size;
                    crn_size_make(&size, (cairn_layout)layout, radii[i], 0);
                    check_erosion(&f, &size);
                }
            }
            crn_bits_destroy(*state, &f.bits);
        }
    }
}

static void erosion_by_footprints_is_erosion_by_cells(void **state)
{
    for (uint32_t w = 0; w < LENGTH(widths); w++) {
        field f = field_random(*state, widths[w], 70, w % 2 ? 40 : 100000, w);
        static const uint32_t footprints[] = {0, 1, 2, 3, 4, 5, 8, 31, 33, 63, 64};
        for (uint32_t i = 0; i < LENGTH(footprints); i++) {
            crn_size size;
            crn_size_make(&size, CAIRN_LAYOUT_SQUARE, 0, footprints[i]);
            check_erosion(&f, &size);
        }
        crn_bits_destroy(*state, &f.bits);
    }
}

static void a_change_is_noticed_within_its_reach_only(void **state)
{
    static const struct {
        int layout;
        double radius;
        uint32_t footprint;
    } agents[] = {{0, 0, 0}, {0, 2.5, 0}, {1, 2.5, 0}, {1, 3.2, 0}, {0, 0, 5}};
    enum { W = 70, H = 30 };
    for (uint32_t a = 0; a < LENGTH(agents); a++) {
        field f = field_random(*state, W, H, 1000000, 1);
        crn_size size;
        crn_size_make(&size, (cairn_layout)agents[a].layout, agents[a].radius, agents[a].footprint);
        for (uint32_t at = 0; at < W * H; at += 13) {
            int32_t x = (int32_t)(at % W), y = (int32_t)(at / W);
            crn_size_box box = crn_size_reach(&size, W, H, (uint32_t)x, (uint32_t)y);
            crn_size_box seen = {W, H, 0, 0};
            for (uint32_t v = 0; v < H; v++) {
                for (uint32_t u = 0; u < W; u += 64) {
                    uint64_t before = crn_size_erode(
                        &size, &(crn_bitmap){&f.bits, W, H, CAIRN_LAYOUT_SQUARE}, u, v);
                    crn_bit_set(&f.bits, x, y, false);
                    uint64_t changed =
                        before ^ crn_size_erode(&size,
                                                &(crn_bitmap){&f.bits, W, H, CAIRN_LAYOUT_SQUARE},
                                                u, v);
                    crn_bit_set(&f.bits, x, y, true);
                    if (!changed) continue;
                    seen.left = crn_min_u32(seen.left, u + crn_lowest_bit(changed));
                    seen.right = crn_max_u32(seen.right, u + crn_highest_bit(changed));
                    seen.top = crn_min_u32(seen.top, v);
                    seen.bottom = crn_max_u32(seen.bottom, v);
                }
            }
            assert_true(seen.left >= box.left && seen.top >= box.top);
            assert_true(seen.right <= box.right && seen.bottom <= box.bottom);
            /* In the middle of the map all of it is used; but for a column, by the shift of
             * hexagons. */
            if (x <= 10 || y <= 10 || x >= W - 10 || y >= H - 10) continue;
            uint32_t spare = seen.left - box.left + (box.right - seen.right);
            assert_true(seen.top == box.top && seen.bottom == box.bottom && spare <= size.hex);
        }
        crn_bits_destroy(*state, &f.bits);
    }
}

/* ---- words of bits ---- */

static void words_hold_the_cells(void **state)
{
    for (uint32_t w = 0; w < LENGTH(widths); w++) {
        field f = field_random(*state, widths[w], 5, 3, w), copy = f;
        assert_true(crn_bits_create(*state, f.width, f.height, &copy.bits));
        for (int32_t y = -1; y <= 5; y++) {
            for (int32_t x = -200; x < (int32_t)f.width + 200; x++) {
                uint64_t word = crn_bits_word(&f.bits, x, y);
                for (int32_t i = 0; i < 64; i++)
                    assert_int_equal(word >> i & 1, field_free(&f, x + i, y));
            }
        }
        /* Written from any column on, in any order; over ones and over zeros. */
        for (uint32_t turn = 0; turn < 2; turn++) {
            for (uint32_t y = 0; y < f.height; y++) {
                for (uint32_t x = f.width; x-- > 0;) {
                    uint64_t keep =
                        f.width - x < 64 ? (UINT64_C(1) << (f.width - x)) - 1 : UINT64_MAX;
                    crn_bits_set_word(&copy.bits, x, y, keep & (turn ? 0 : UINT64_MAX));
                    crn_bits_set_word(&copy.bits, x, y,
                                      crn_bits_word(&f.bits, (int32_t)x, (int32_t)y));
                }
            }
            assert_memory_equal(f.bits.rows, copy.bits.rows, f.bits.size);
        }
        crn_bits_destroy(*state, &f.bits);
        crn_bits_destroy(*state, &copy.bits);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_the_shapes),
        cmocka_unit_test(distances_reach_across_half_of_the_largest_map),
        cmocka_unit_test(a_radius_needs_what_is_nearer),
        cmocka_unit_test(nearer_is_strict),
        cmocka_unit_test(a_footprint_needs_its_square),
        cmocka_unit_test(steps_between_squares_keep_their_distance),
        cmocka_unit_test(the_cells_that_dip_into_steps_are_known_for_every_radius),
        cmocka_unit_test_setup_teardown(erosion_by_words_is_erosion_by_cells, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(erosion_by_footprints_is_erosion_by_cells, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(a_change_is_noticed_within_its_reach_only, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(words_hold_the_cells, context_set_up, context_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
