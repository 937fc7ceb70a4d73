/* clearance.c: the distance from every cell to the nearest blocked one. See clearance.h.
 *
 * The field is an exact distance transform in two passes. The first goes along each row: how many
 * columns is it from each cell to the nearest blocked cell of that row? The second goes over the
 * rows above and below a cell: the distance to the nearest blocked cell of such a row follows from
 * its number of columns and the row's offset, and the least of them is the answer. It starts at the
 * cell's own row and ends as soon as a whole row is farther away than everything found. In between,
 * the numbers of columns wait in a ring of as many rows as can matter to one row of the field; so a
 * part of the field can be computed alone, and always in the same memory.
 *
 * On hexagons every other row is shifted by half a cell. Seen from between the columns c and c + 1
 * of a row, the nearest blocked cell is the one seen from c or the one seen from c + 1, half a
 * column farther.
 *
 * A transform in two such passes is described by A. Meijster, J. Roerdink, W. Hesselink: A General
 * Algorithm for Computing Distance Transforms in Linear Time (2000). Their second pass keeps an
 * envelope and so needs no cut-off; with one, plain minima over rows are vector instructions and no
 * slower.
 */
#include "world/clearance.h"

#include <math.h>

/* ---- making ---- */

static uint32_t clearance_ring(const crn_clearance *field)
{
    return 2 * field->reach + 1;
}

/* Bytes of a row of the ring: the map and a column more on either side. */
static size_t clearance_near_row(const crn_clearance *field)
{
    return (size_t)field->width + 2;
}

/* Returns how many rows or columns away a cell can still matter. On hexagons rows lie closer than
 * columns. */
static uint32_t clearance_reach(cairn_layout layout, uint32_t cells)
{
    uint32_t reach = cells;
    while (crn_size_gap12(layout, 0, 0, (int32_t)reach + 1) < 12 * cells * cells) reach++;
    return reach;
}

static void clearance_fill_gaps(crn_clearance *field)
{
    uint32_t limit = 12 * field->cells * field->cells;
    for (uint32_t dy = 0; dy <= field->reach; dy++) {
        for (uint32_t n = 0; n <= field->cells + 1; n++) {
            /* From an even row the cells to the right of a shifted row are at 1/2, 3/2, …
             * columns. */
            uint32_t gap = crn_size_gap12(field->layout, 0, (int32_t)n, (int32_t)dy);
            field->gap[dy][n] = (uint16_t)crn_min_u32(gap, limit);
        }
    }
}

static void clearance_box_update(crn_clearance *field, const crn_bits *free, crn_size_box box);

cairn_status crn_clearance_create(cairn_context *context, const crn_bitmap *free, uint32_t cells,
                                  crn_clearance **out)
{
    const uint32_t width = free->width, height = free->height;
    *out = NULL;
    crn_clearance *field = crn_alloc_zero(context, sizeof *field);
    if (!field) return CAIRN_OUT_OF_MEMORY;
    *field = (crn_clearance){.context = context,
                             .width = width,
                             .height = height,
                             .layout = free->layout,
                             .cells = cells};
    field->reach = clearance_reach(free->layout, cells);
    field->values = crn_alloc(context, (size_t)width * height * sizeof *field->values);
    field->best = crn_alloc(context, width * sizeof *field->best);
    field->near = crn_alloc(context, clearance_ring(field) * clearance_near_row(field));
    field->gap = crn_alloc(context, (field->reach + 1) * sizeof *field->gap);
    if (!field->values || !field->best || !field->near || !field->gap) {
        crn_clearance_destroy(field);
        return CAIRN_OUT_OF_MEMORY;
    }
    clearance_fill_gaps(field);
    clearance_box_update(field, free->bits, (crn_size_box){0, 0, width - 1, height - 1});
    *out = field;
    return CAIRN_OK;
}

void crn_clearance_destroy(crn_clearance *field)
{
    if (!field) return;
    cairn_context *context = field->context;
    crn_free(context, field->values, (size_t)field->width * field->height * sizeof *field->values);
    crn_free(context, field->best, field->width * sizeof *field->best);
    crn_free(context, field->near, clearance_ring(field) * clearance_near_row(field));
    crn_free(context, field->gap, (field->reach + 1) * sizeof *field->gap);
    crn_free(context, field, sizeof *field);
}

size_t crn_clearance_bytes(const crn_clearance *field)
{
    return sizeof *field + (size_t)field->width * field->height * sizeof *field->values +
           field->width * sizeof *field->best + clearance_ring(field) * clearance_near_row(field) +
           (field->reach + 1) * sizeof *field->gap;
}

/* ---- the first pass ---- */

/* Columns to the nearest blocked cell of row y, at most cells + 1; the entry of column x is at x +
 * 1. */
static uint8_t *clearance_near(const crn_clearance *field, int64_t y)
{
    uint64_t place = (uint64_t)(y + field->reach) % clearance_ring(field);
    return field->near + place * clearance_near_row(field);
}

/* Fills in these distances for the columns left…right, each at most one beyond the map. */
static void clearance_scan(const crn_clearance *field, const crn_bits *free, int64_t y,
                           int64_t left, int64_t right)
{
    uint8_t *near = clearance_near(field, y);
    if (y < 0 || y >= field->height) {
        memset(near + left + 1, 0, (size_t)(right - left) + 1);
        return;
    }
    int64_t cells = field->cells;
    int32_t first = (int32_t)(left - cells < -1 ? -1 : left - cells);
    int32_t last = (int32_t)(right + cells > field->width ? field->width : right + cells);
    uint32_t far = field->cells + 1, run = far;
    uint64_t word = 0;
    for (int32_t x = first; x <= right; x++, word >>= 1) {
        if (!((x - first) & 63)) word = crn_bits_word(free, x, (int32_t)y);
        run = word & 1 ? crn_min_u32(run + 1, far) : 0;
        if (x >= left) near[x + 1] = (uint8_t)run;
    }
    run = far;
    for (int32_t x = last; x >= left; x--, word <<= 1) {
        if (!((last - x) & 63)) word = crn_bits_word(free, x - 63, (int32_t)y);
        run = word >> 63 ? crn_min_u32(run + 1, far) : 0;
        if (x <= right) near[x + 1] = (uint8_t)crn_min_u32(run, near[x + 1]);
    }
}

/* ---- the second pass ---- */

/* Squares: 4 · distance² = a² + b², a and b in halves of a cell. Compilers turn this arithmetic
 * into vector instructions. */
static void clearance_update_square(uint16_t *best, const uint8_t *near, uint32_t count,
                                    uint32_t dy)
{
    uint16_t b = (uint16_t)(dy ? 2 * dy - 1 : 0), square = (uint16_t)(b * b);
    for (uint32_t i = 0; i < count; i++) {
        uint16_t a = (uint16_t)(near[i] ? 2 * near[i] - 1 : 0);
        uint16_t distance = (uint16_t)(a * a + square);
        best[i] = best[i] < distance ? best[i] : distance;
    }
}

/* Hexagons: `other` is the same row seen from the column beside. */
static void clearance_update_hex(uint16_t *best, const uint8_t *near, const uint8_t *other,
                                 uint32_t count, const uint16_t *gap)
{
    for (uint32_t i = 0; i < count; i++) {
        uint16_t distance = gap[near[i] < other[i] ? near[i] : other[i]];
        best[i] = best[i] < distance ? best[i] : distance;
    }
}

static void clearance_update(const crn_clearance *field, uint32_t y, int64_t dy, uint32_t left,
                             uint32_t count)
{
    const uint8_t *near = clearance_near(field, y + dy) + left + 1;
    uint32_t distance = (uint32_t)(dy < 0 ? -dy : dy);
    if (field->layout != CAIRN_LAYOUT_HEX) {
        clearance_update_square(field->best, near, count, distance);
        return;
    }
    const uint8_t *other = !(dy & 1) ? near : y & 1 ? near + 1 : near - 1;
    clearance_update_hex(field->best, near, other, count, field->gap[distance]);
}

static uint32_t clearance_largest(const uint16_t *values, uint32_t count)
{
    uint16_t largest = 0;
    for (uint32_t i = 0; i < count; i++) largest = values[i] > largest ? values[i] : largest;
    return largest;
}

static void clearance_row(crn_clearance *field, uint32_t y, uint32_t left, uint32_t right)
{
    uint32_t count = right - left + 1, part = field->layout == CAIRN_LAYOUT_HEX ? 1 : 3;
    uint32_t limit = 12 * field->cells * field->cells / part;
    uint16_t *values = field->values + (size_t)y * field->width + left;
    for (uint32_t i = 0; i < count; i++) field->best[i] = (uint16_t)limit;
    for (uint32_t dy = 0; dy <= field->reach; dy++) {
        if (field->gap[dy][0] / part >= clearance_largest(field->best, count)) break;
        clearance_update(field, y, dy, left, count);
        if (dy) clearance_update(field, y, -(int64_t)dy, left, count);
    }
    for (uint32_t i = 0; i < count; i++) values[i] = (uint16_t)(field->best[i] * part);
}

static void clearance_box_update(crn_clearance *field, const crn_bits *free, crn_size_box box)
{
    int64_t left = (int64_t)box.left - 1, right = (int64_t)box.right + 1, reach = field->reach;
    for (int64_t y = box.top - reach; y < box.top + reach; y++)
        clearance_scan(field, free, y, left, right);
    for (uint32_t y = box.top; y <= box.bottom; y++) {
        clearance_scan(field, free, y + reach, left, right);
        clearance_row(field, y, box.left, box.right);
    }
}

uint64_t crn_clearance_update(crn_clearance *field, const crn_bits *free,
                              const crn_size_box *changed)
{
    uint32_t reach = field->reach, cells = field->cells;
    crn_size_box box = {
        .left = changed->left > cells ? changed->left - cells : 0,
        .top = changed->top > reach ? changed->top - reach : 0,
        .right = crn_min_u32(changed->right + cells, field->width - 1),
        .bottom = crn_min_u32(changed->bottom + reach, field->height - 1),
    };
    clearance_box_update(field, free, box);
    return (uint64_t)(box.right - box.left + 1) * (box.bottom - box.top + 1);
}

/* ---- one cell ---- */

typedef struct clearance_looking {
    crn_bitmap free;
    int32_t x, y;
    uint32_t best; /* so far */
    cairn_node nearest;
} clearance_looking;

static uint32_t clearance_gap_at(const clearance_looking *looking, int32_t dx, int32_t dy)
{
    return crn_size_gap12(looking->free.layout, looking->y & 1, dx, dy);
}

/* Considers a blocked cell. */
static void clearance_found(clearance_looking *looking, int32_t dx, int32_t dy)
{
    uint32_t gap = clearance_gap_at(looking, dx, dy);
    int64_t x = (int64_t)looking->x + dx, y = (int64_t)looking->y + dy;
    bool inside = x >= 0 && x < looking->free.width && y >= 0 && y < looking->free.height;
    cairn_node node = inside ? (cairn_node)(y * looking->free.width + x) : CAIRN_NO_NODE;
    if (gap > looking->best || (gap == looking->best && node >= looking->nearest)) return;
    looking->best = gap;
    looking->nearest = node;
}

/* Finds the first blocked cell of a row from offset dx on to the left or right, 64 cells at a
 * time. */
static void clearance_look_along(clearance_looking *looking, int32_t dx, int32_t dy, bool left)
{
    int32_t y = looking->y + dy;
    for (; clearance_gap_at(looking, dx, dy) <= looking->best; dx += left ? -64 : 64) {
        int32_t x = looking->x + dx;
        uint64_t blocked = ~crn_bits_word(looking->free.bits, left ? x - 63 : x, y);
        if (!blocked) continue;
        int32_t steps = (int32_t)(left ? 63 - crn_highest_bit(blocked) : crn_lowest_bit(blocked));
        clearance_found(looking, left ? dx - steps : dx + steps, dy);
        return;
    }
}

static void clearance_look_row(clearance_looking *looking, int32_t dy)
{
    int64_t y = (int64_t)looking->y + dy;
    if (y < 0 || y >= looking->free.height) {
        clearance_found(looking, 0, dy);
        return;
    }
    /* From an even row, the cells at 0 and at -1 of a shifted one are equally far: the left one
     * comes first. */
    bool between = looking->free.layout == CAIRN_LAYOUT_HEX && (dy & 1) && !(looking->y & 1);
    clearance_look_along(looking, between ? -1 : 0, dy, true);
    clearance_look_along(looking, 0, dy, false);
}

uint32_t crn_clearance_look(const crn_bitmap *free, uint32_t x, uint32_t y, uint32_t limit,
                            cairn_node *nearest)
{
    const uint32_t width = free->width;
    clearance_looking looking = {
        .free = *free, .x = (int32_t)x, .y = (int32_t)y, .best = limit, .nearest = CAIRN_NO_NODE};
    /* The nearer end of the row bounds the distance, which keeps all numbers within 32 bits. */
    clearance_found(&looking, x < width - x ? -(int32_t)x - 1 : (int32_t)(width - x), 0);
    for (int32_t dy = 0; clearance_gap_at(&looking, 0, dy) <= looking.best; dy++) {
        clearance_look_row(&looking, -dy);
        if (dy) clearance_look_row(&looking, dy);
    }
    if (nearest) *nearest = looking.best < limit ? looking.nearest : CAIRN_NO_NODE;
    return looking.best;
}

double crn_clearance_distance(uint32_t gap12)
{
    return sqrt(gap12 / 12.0);
}
