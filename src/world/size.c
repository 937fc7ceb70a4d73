/* size.c: sizes of agents as intervals of rows, and erosion by them. See size.h. */
#include "world/size.h"

/* ---- distances ---- */

/* Squares of side 1: the nearest point of the square at (dx, dy) is half a cell nearer on each
 * axis, but not beyond the centre. In halves of a cell: 4 · distance² = a² + b². */
static uint32_t size_gap12_square(uint32_t dx, uint32_t dy)
{
    uint32_t a = dx ? 2 * dx - 1 : 0, b = dy ? 2 * dy - 1 : 0;
    return 3 * (a * a + b * b);
}

/* Hexagons of width 1 with a point on top; centres lie 1 apart in a row, rows √3/2 apart. Measured
 * from the centre of the other hexagon, in units of 1/2 to the right and of 1/√12 up, the point
 * that we look from is (X, Y), X = 2 · columns, Y = 3 · rows, and 12 · distance² = 3 X² + Y². By
 * symmetry X, Y ≥ 0. The hexagon's corners there are A = (0, 2) on top and B = (1, 1) to the right
 * of it, under which its side is upright.
 *
 *  - In the same row the upright side is the nearest: X - 1 halves of a cell.
 *  - Else Y ≥ 3. Along the side AB the point stands at 3 X - Y = 3 (X - rows), A at -2 and B at 2.
 *    So it faces the side only if X = rows; its distance is then (X + Y - 2) / 4 cells = (2 rows -
 *    1) / 2.
 *  - Left of that (X < rows) A is the nearest point of the hexagon, right of it B.
 */
static uint32_t size_gap12_hex(uint32_t X, uint32_t rows)
{
    uint32_t Y = 3 * rows;
    if (!rows) return X ? 3 * (X - 1) * (X - 1) : 0;
    if (X == rows) return 3 * (2 * rows - 1) * (2 * rows - 1);
    if (X < rows) return 3 * X * X + (Y - 2) * (Y - 2);
    return 3 * (X - 1) * (X - 1) + (Y - 1) * (Y - 1);
}

static uint32_t size_abs(int32_t value)
{
    return (uint32_t)(value < 0 ? -value : value);
}

uint32_t crn_size_gap12(cairn_layout layout, uint32_t parity, int32_t dx, int32_t dy)
{
    if (layout != CAIRN_LAYOUT_HEX) return size_gap12_square(size_abs(dx), size_abs(dy));
    int32_t shift =
        (int32_t)((parity ^ (uint32_t)dy) & 1) - (int32_t)parity; /* of that row against this one */
    return size_gap12_hex(size_abs(2 * dx + shift), size_abs(dy));
}

/* ---- straight lines ---- */

const int8_t crn_square_points[4][2] = {{1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
const int8_t crn_hexagon_points[6][2] = {{1, -1}, {1, 1}, {0, 2}, {-1, 1}, {-1, -1}, {0, -2}};

void crn_size_picture(bool hex, int32_t x, int32_t y, int64_t out[2])
{
    out[0] = 2 * (int64_t)x + (hex ? y & 1 : 0);
    out[1] = (hex ? 3 : 2) * (int64_t)y;
}

crn_size_line crn_size_line_between(bool hex, cairn_cell a, cairn_cell b)
{
    crn_size_line line = {.hex = hex};
    crn_size_picture(hex, a.x, a.y, line.from);
    crn_size_picture(hex, b.x, b.y, line.along);
    for (uint32_t i = 0; i < 2; i++) line.along[i] -= line.from[i];
    return line;
}

/* Cells are convex, so what is nearest to the line is an end of it, or a point of the cell that
 * lies beside it. In the picture of hexagons heights are √3 times too large against widths; the
 * weight puts that right. Distances there are counted in half cells. */
bool crn_size_line_near(const crn_size_line *line, int32_t x, int32_t y, double radius)
{
    const int8_t(*points)[2] = line->hex ? crn_hexagon_points : crn_square_points;
    int64_t weight = line->hex ? 3 : 1, centre[2];
    int64_t square = weight * line->along[0] * line->along[0] + line->along[1] * line->along[1];
    double reach = 2 * radius;
    crn_size_picture(line->hex, x, y, centre);
    for (uint32_t i = 0; i < (line->hex ? 6u : 4u); i++) {
        int64_t px = centre[0] + points[i][0], py = centre[1] + points[i][1];
        int64_t dot =
            weight * line->along[0] * (px - line->from[0]) + line->along[1] * (py - line->from[1]);
        if (dot <= 0 || dot >= square) continue; /* nearest to an end, which keeps its distance */
        double side = (double)crn_size_line_side(line, px, py);
        if (side * side < reach * reach * (double)square) return true;
    }
    return false;
}

/* ---- sizes ---- */

/* Must the cell at this offset be free? The agent's own always. */
static bool size_needs(cairn_layout layout, uint32_t parity, int32_t dx, int32_t dy, double radius)
{
    return (!dx && !dy) || crn_size_gap12(layout, parity, dx, dy) < 12 * radius * radius;
}

/* The interval of each row, from the middle outwards. Of the cells of a row none is nearer than the
 * one at offset 0 (on hexagons, in every other row, one on its left or right is as near), so it is
 * in the interval. */
static void size_make_round(crn_size *out, cairn_layout layout, double radius)
{
    while (size_needs(layout, 0, 0, out->bottom + 1, radius)) out->bottom++;
    out->top = -out->bottom;
    for (uint32_t parity = 0; parity < 2; parity++) {
        for (int32_t dy = out->top; dy <= out->bottom; dy++) {
            int32_t left = 0, right = 0;
            while (size_needs(layout, parity, left - 1, dy, radius)) left--;
            while (size_needs(layout, parity, right + 1, dy, radius)) right++;
            out->span[parity][dy - out->top][0] = (int8_t)left;
            out->span[parity][dy - out->top][1] = (int8_t)right;
        }
    }
}

/* Finds the cells that neither end of a step needs but the line between them does. They lie next to
 * what the ends need, and there are never more than CRN_SIZE_DIPS: the test
 * the_cells_that_dip_into_steps_are_known_for_every_radius (test_size.c) checks that for all
 * radii. */
static void size_make_dips(crn_size *out, uint32_t parity, int32_t dx, int32_t dy, double radius)
{
    const cairn_layout hex = CAIRN_LAYOUT_HEX;
    int32_t y = (int32_t)parity;
    crn_size_line line = crn_size_line_between(true, (cairn_cell){0, y}, (cairn_cell){dx, y + dy});
    uint32_t count = 0, other = (parity ^ (uint32_t)dy) & 1;
    for (int32_t v = out->top - 1; v <= out->bottom + 1; v++) {
        for (int32_t u = out->left - 1; u <= out->right + 1 && count < CRN_SIZE_DIPS; u++) {
            if (size_needs(hex, parity, u, v, radius) ||
                size_needs(hex, other, u - dx, v - dy, radius))
                continue;
            if (!crn_size_line_near(&line, u, y + v, radius)) continue;
            int8_t *dip = out->dip[parity][dy + 1][dx + 1][count++];
            dip[0] = (int8_t)u;
            dip[1] = (int8_t)v;
            out->dips = true;
        }
    }
}

/* For the steps to all six neighbours, out of both kinds of rows. */
static void size_make_all_dips(crn_size *out, double radius)
{
    for (uint32_t parity = 0; parity < 2; parity++) {
        int32_t shift = parity ? 1 : -1;
        for (int32_t dy = -1; dy <= 1; dy++) {
            size_make_dips(out, parity, shift, dy, radius);
            size_make_dips(out, parity, dy ? 0 : -shift, dy, radius);
        }
    }
}

static void size_make_footprint(crn_size *out, uint32_t footprint)
{
    out->bottom = (int32_t)footprint - 1;
    for (uint32_t parity = 0; parity < 2; parity++) {
        for (uint32_t row = 0; row < footprint; row++)
            out->span[parity][row][1] = (int8_t)(footprint - 1);
    }
}

void crn_size_make(crn_size *out, cairn_layout layout, double radius, uint32_t footprint)
{
    *out = (crn_size){.hex = layout == CAIRN_LAYOUT_HEX};
    if (footprint > 1)
        size_make_footprint(out, footprint);
    else
        size_make_round(out, layout, radius);
    for (uint32_t parity = 0; parity < 2; parity++) {
        for (int32_t row = 0; row <= out->bottom - out->top; row++) {
            const int8_t *span = out->span[parity][row];
            if (span[0] < out->left) out->left = span[0];
            if (span[1] > out->right) out->right = span[1];
        }
    }
    if (out->hex && radius > 0) size_make_all_dips(out, radius);
}

bool crn_size_is_point(const crn_size *size)
{
    return !size->top && !size->bottom && !size->left && !size->right;
}

/* ---- erosion ---- */

/* Bit i of the result: the `count` ≤ 65 cells from column x + i on are all free. The bits looked at
 * are at most 128, two words; ANDing them with themselves shifted by 1, 2, 4 … makes each stand for
 * 2, 4, 8 … cells. */
static uint64_t size_erode_row(const crn_bits *free, int32_t x, int32_t y, uint32_t count)
{
    uint64_t low = crn_bits_word(free, x, y);
    if (count == 1 || !low) return low;
    uint64_t high = crn_bits_word(free, x + 64, y);
    for (uint32_t covered = 1; covered < count;) {
        uint32_t shift = crn_min_u32(covered, count - covered);
        low &= low >> shift | high << (64 - shift);
        /* what this spoils at the far end no longer affects the low word */
        high &= high >> shift;
        covered += shift;
    }
    return low;
}

uint64_t crn_size_erode(const crn_size *size, const crn_bitmap *free, uint32_t x, uint32_t y)
{
    const uint32_t width = free->width, height = free->height;
    if ((int64_t)y + size->top < 0 || (int64_t)y + size->bottom >= height) return 0;
    const int8_t(*span)[2] = size->span[size->hex ? y & 1 : 0];
    uint64_t usable = width - x < 64 ? (UINT64_C(1) << (width - x)) - 1 : UINT64_MAX;
    /* The agent's own row is the widest and fails most often, so it comes first. */
    for (int32_t row = 0; row <= size->bottom - size->top && usable; row++) {
        int32_t dy = row ? size->top + row - (row <= -size->top) : 0;
        int32_t left = span[dy - size->top][0], right = span[dy - size->top][1];
        usable &= size_erode_row(free->bits, (int32_t)x + left, (int32_t)y + dy,
                                 (uint32_t)(right - left) + 1);
    }
    return usable;
}

/* ---- steps and changes ---- */

bool crn_size_can_pass(const crn_size *size, const crn_bitmap *free, cairn_cell from, int32_t dx,
                       int32_t dy)
{
    const int8_t(*dip)[2] = size->dip[from.y & 1][dy + 1][dx + 1];
    for (uint32_t i = 0; i < CRN_SIZE_DIPS; i++) {
        int32_t u = from.x + dip[i][0], v = from.y + dip[i][1];
        bool inside = u >= 0 && v >= 0 && (uint32_t)u < free->width && (uint32_t)v < free->height;
        if (!inside || !crn_bit(free->bits, u, v)) return false;
    }
    return true;
}

static uint32_t size_clamp(int64_t value, uint32_t count)
{
    return value < 0 ? 0 : value >= count ? count - 1 : (uint32_t)value;
}

crn_size_box crn_size_reach(const crn_size *size, uint32_t width, uint32_t height, uint32_t x,
                            uint32_t y)
{
    int64_t more = size->dips; /* see size_make_dips */
    return (crn_size_box){
        .left = size_clamp((int64_t)x - size->right - more, width),
        .top = size_clamp((int64_t)y - size->bottom - more, height),
        .right = size_clamp((int64_t)x - size->left + more, width),
        .bottom = size_clamp((int64_t)y - size->top + more, height),
    };
}
