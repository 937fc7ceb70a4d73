/* sight.c: straight lines of any angle. See sight.h.
 *
 * A line crosses the border below its r-th row (2r + 1)·dx / (2·dy) columns from its beginning, so
 * which cells of a row it passes comes from one division, continued by additions; whether they are
 * free is a look at the bitmap, 57 cells at a time. Where it crosses exactly between two columns it
 * passes a corner: if nothing may be cut there, all four cells count, else those two that lie on
 * the line, and one of the others if the rule wants that.
 */
#include "path/sight.h"
#include "path/line.h"
#include <cairn/path.h>

/* ---- costs ---- */

/* Four times the square of the distance in cells. Rows of hexagons are √3 half cells apart. */
static uint64_t sight_square(const cairn_grid *grid, cairn_cell a, cairn_cell b)
{
    uint64_t dx = crn_line_distance(a.x, b.x), dy = crn_line_distance(a.y, b.y);
    if (grid->layout != CAIRN_LAYOUT_HEX) return 4 * (dx * dx + dy * dy);
    dx = crn_line_distance(2 * a.x + (a.y & 1), 2 * b.x + (b.y & 1));
    return dx * dx + 3 * dy * dy;
}

static uint64_t sight_steps(const cairn_grid *grid, cairn_cell a, cairn_cell b)
{
    crn_box box = {.left = b.x, .right = b.x, .top = b.y, .bottom = b.y};
    if (grid->layout == CAIRN_LAYOUT_HEX) return crn_hex_steps(a.x, a.y, &box);
    return crn_max_u32(crn_line_distance(a.x, b.x), crn_line_distance(a.y, b.y));
}

/* ⌈√(square/4)·unit⌉; CAIRN_NO_COST if that is too much. */
static uint64_t sight_price(uint64_t square, uint64_t unit)
{
    uint64_t factor = unit * unit, whole = square / 4, rest = square % 4;
    if (whole >= UINT64_MAX / factor - 1) return CAIRN_NO_COST;
    return crn_sight_root(whole * factor + (rest * factor + 3) / 4);
}

uint64_t crn_sight_other_cost(const crn_grid_space *space, crn_point a, crn_point b)
{
    const cairn_grid *grid = space->grid;
    uint64_t square = sight_square(grid, a.cell, b.cell), unit = space->base.scale.straight;
    if (space->uniform) return sight_price(square, space->step[CRN_E]);
    uint64_t cost = sight_price(square, space->price[grid->terrain ? grid->terrain[b.node] : 0][0]);
    if (grid->layer)
        cost += sight_steps(grid, a.cell, b.cell) * space->layer_cost[grid->layer[b.node]];
    if (space->profile.gradient && grid->elevation &&
        grid->elevation[b.node] > grid->elevation[a.node]) {
        uint64_t climb = (uint64_t)(grid->elevation[b.node] - grid->elevation[a.node]);
        cost += climb * space->profile.gradient * unit / 256;
    }
    return cost;
}

double crn_sight_length(const cairn_grid *grid, cairn_node a, cairn_node b)
{
    return sqrt((double)sight_square(grid, cairn_grid_cell(grid, a), cairn_grid_cell(grid, b))) / 2;
}

/* ---- lines ---- */

#define SIGHT_WORD 57u /* cells that a word shows at least */

/* Are the cells of a row from one column to another free? */
CRN_INLINE bool sight_row_free(const uint8_t *row, uint32_t low, uint32_t high)
{
    uint32_t bit = low + 1, count = high - low + 1;
    for (;; bit += SIGHT_WORD, count -= SIGHT_WORD) {
        uint64_t blocked = ~crn_word_load(row + (bit >> 3)) >> (bit & 7);
        if (CRN_LIKELY(count <= SIGHT_WORD)) return !(blocked << (64 - count));
        if (blocked << (64 - SIGHT_WORD)) return false;
    }
}

bool crn_sight_plain(const crn_grid_space *space)
{
    return space->uniform && !space->hex && !(space->profile.radius > 0) &&
           space->profile.footprint <= 1;
}

/* A line through several rows. */
typedef struct sight_line {
    const uint8_t *row; /* of its beginning */
    ptrdiff_t next;     /* from row to row */
    uint32_t x, dx, dy;
} sight_line;

/* Cells of a row, given by how far they lie from the beginning in the direction of the line. */
CRN_INLINE bool sight_part_free(const sight_line *line, const uint8_t *row, bool right,
                                uint32_t first, uint32_t last)
{
    uint32_t low = right ? line->x + first : line->x - last;
    return sight_row_free(row, low, low + (last - first));
}

/* `whole`: nothing is cut; else `one`: one cell beside a corner must be free. */
CRN_INLINE bool sight_rows_free(const sight_line *line, bool right, bool whole, bool one)
{
    uint32_t dx = line->dx, twice = 2 * line->dy;
    uint32_t column = (dx + line->dy) / twice,
             rest = (dx + line->dy) % twice; /* where the next border is crossed */
    uint32_t column_step = 2 * dx / twice, rest_step = 2 * dx % twice, first = 0;
    const uint8_t *row = line->row, *last_row = row + (ptrdiff_t)line->dy * line->next;
    for (; row != last_row; row += line->next) {
        uint32_t last = column, begin = column;
        if (CRN_UNLIKELY(!rest)) { /* a corner */
            if (!whole && one && !sight_part_free(line, row, right, column, column) &&
                !sight_part_free(line, row + line->next, right, column - 1, column - 1)) {
                return false;
            }
            last -= !whole;
            begin -= whole;
        }
        if (!sight_part_free(line, row, right, first, last)) return false;
        first = begin;
        column += column_step;
        rest += rest_step;
        if (rest >= twice) {
            rest -= twice;
            column++;
        }
    }
    return sight_part_free(line, row, right, first, dx);
}

bool crn_sight_clear(const crn_grid_space *space, cairn_cell a, cairn_cell b)
{
    const crn_bits *bits = &space->usable;
    const cairn_profile *profile = &space->profile;
    bool right = a.x < b.x, one = profile->corners == CAIRN_CORNERS_ONE;
    bool whole =
        profile->neighbours == CAIRN_NEIGHBOURS_4 || profile->corners == CAIRN_CORNERS_NEVER;
    ptrdiff_t next = (ptrdiff_t)bits->stride;
    sight_line line = {.row = bits->rows + ((size_t)a.y + 1) * bits->stride,
                       .next = a.y < b.y ? next : -next,
                       .x = (uint32_t)a.x,
                       .dx = crn_line_distance(a.x, b.x),
                       .dy = crn_line_distance(a.y, b.y)};
    if (!line.dy) return sight_part_free(&line, line.row, right, 0, line.dx);
    if (whole)
        return right ? sight_rows_free(&line, true, true, false)
                     : sight_rows_free(&line, false, true, false);
    return right ? sight_rows_free(&line, true, false, one)
                 : sight_rows_free(&line, false, false, one);
}

bool crn_sight(const crn_grid_space *space, crn_point a, crn_point b)
{
    if (!space->hex && !crn_sight_clear(space, a.cell, b.cell)) return false;
    return crn_sight_plain(space) || cairn_raycast(&space->base, a.node, b.node, NULL);
}

bool crn_sight_or_step(const crn_grid_space *space, crn_point a, crn_point b)
{
    if (crn_sight(space, a, b)) return true;
    if (crn_sight_reach(a, b) > 1) return false;
    return crn_grid_walk_cost(space, a.node, b.node) != CAIRN_NO_COST;
}
