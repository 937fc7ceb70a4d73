/* flood.c: floods of small areas. See flood.h. */
#include "abstract/flood.h"

/* Where steps are tested one by one: those of this many cells in a unit of work. */
#define FLOOD_CELLS 32u

/* The cells of a row of an area, from its left end on. */
static uint64_t flood_row(const crn_flood *flood, const crn_grid_space *space, uint32_t y)
{
    const crn_area *area = &flood->area;
    uint64_t row = crn_bits_word(&space->usable, (int32_t)area->left, (int32_t)(area->top + y));
    return area->width == 64 ? row : row & ((UINT64_C(1) << area->width) - 1);
}

/* Returns those diagonal steps that the corner rule allows, given the cells beside them. */
static uint64_t flood_corners(const crn_grid_space *space, uint64_t steps, uint64_t beside,
                              uint64_t below)
{
    if (space->profile.corners == CAIRN_CORNERS_NEVER) return steps & beside & below;
    if (space->profile.corners == CAIRN_CORNERS_ONE) return steps & (beside | below);
    return steps;
}

static void flood_diagonals(crn_flood *flood, const crn_grid_space *space, uint32_t y)
{
    uint64_t row = flood->usable[y], below = flood->usable[y + 1];
    flood->falling[y] = row & below >> 1;
    flood->rising[y] = row & below << 1;
    if (space->hex) {
        uint32_t moves = space->row_moves[(flood->area.top + y) & 1];
        if (!(moves >> CRN_SE & 1)) flood->falling[y] = 0;
        if (!(moves >> CRN_SW & 1)) flood->rising[y] = 0;
    } else if (space->profile.neighbours == CAIRN_NEIGHBOURS_4) {
        flood->falling[y] = flood->rising[y] = 0;
    } else {
        flood->falling[y] = flood_corners(space, flood->falling[y], row >> 1, below);
        flood->rising[y] = flood_corners(space, flood->rising[y], row << 1, below);
    }
}

/* Tests steps one by one: those in a direction from the cells of a row. */
static uint64_t flood_ask(const crn_flood *flood, const crn_grid_space *space, uint32_t y,
                          uint64_t steps, uint32_t direction)
{
    uint64_t allowed = 0;
    for (; steps; steps &= steps - 1) {
        uint32_t x = crn_lowest_bit(steps);
        uint32_t ax = flood->area.left + x, ay = flood->area.top + y;
        uint32_t bx = (uint32_t)((int32_t)ax + crn_dx[direction]),
                 by = (uint32_t)((int32_t)ay + crn_dy[direction]);
        bool both =
            crn_grid_can_step(space, ax, ay, bx, by) && crn_grid_can_step(space, bx, by, ax, ay);
        if (both) allowed |= UINT64_C(1) << x;
    }
    return allowed;
}

/* Tests the steps from some cells of a row. */
static void flood_test(crn_flood *flood, const crn_grid_space *space, uint32_t y, uint64_t cells)
{
    uint64_t *steps[] = {flood->right, flood->down, flood->falling, flood->rising};
    static const uint32_t directions[] = {CRN_E, CRN_S, CRN_SE, CRN_SW};
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t row = steps[i][y];
        steps[i][y] = (row & ~cells) | flood_ask(flood, space, y, row & cells, directions[i]);
    }
}

/* The steps from the cells of a row. */
static void flood_read(crn_flood *flood, const crn_grid_space *space, uint32_t y)
{
    flood->right[y] = flood->usable[y] & flood->usable[y] >> 1;
    flood->down[y] = flood->falling[y] = flood->rising[y] = 0;
    if (y + 1 < flood->area.height) {
        flood->down[y] = flood->usable[y] & flood->usable[y + 1];
        flood_diagonals(flood, space, y);
    }
}

/* The same, tested one by one: a row, or of wider ones the next FLOOD_CELLS cells. */
static void flood_read_tested(crn_flood *flood, const crn_grid_space *space)
{
    uint32_t y = flood->read, end = crn_min_u32(flood->tested + FLOOD_CELLS, flood->area.width);
    uint64_t cells = UINT64_MAX >> (64 - end) & UINT64_MAX << flood->tested;
    if (!flood->tested) flood_read(flood, space, y);
    flood_test(flood, space, y, cells);
    bool over = end == flood->area.width;
    flood->tested = over ? 0 : end;
    flood->read += over;
}

bool crn_flood_open_on(crn_flood *flood, const crn_grid_space *space)
{
    uint32_t rows = space->limited ? crn_max_u32(FLOOD_CELLS / flood->area.width, 1) : UINT32_MAX;
    for (; rows && flood->read < flood->area.height; rows--) {
        if (space->limited) {
            flood_read_tested(flood, space);
        } else {
            flood_read(flood, space, flood->read++);
        }
    }
    return flood->read == flood->area.height;
}

void crn_flood_open_begin(crn_flood *flood, const crn_grid_space *space, crn_area area)
{
    flood->area = area;
    flood->read = flood->tested = 0;
    for (uint32_t y = 0; y < area.height; y++) flood->usable[y] = flood_row(flood, space, y);
}

void crn_flood_open(crn_flood *flood, const crn_grid_space *space, crn_area area)
{
    crn_flood_open_begin(flood, space, area);
    while (!crn_flood_open_on(flood, space)) {
    }
}

void crn_flood_begin(crn_flood *flood, uint32_t x, uint32_t y)
{
    memset(flood->reached, 0, flood->area.height * sizeof *flood->reached);
    flood->reached[y] = UINT64_C(1) << x;
}

/* Returns all cells of a row that steps to the right, or back, join to these: usually no others. */
static uint64_t flood_along(uint64_t cells, uint64_t right)
{
    if (!(((cells & right) << 1 | (cells >> 1 & right)) & ~cells)) return cells;
    return crn_flood_left(crn_flood_right(cells, right), right);
}

bool crn_flood_sweep(crn_flood *flood)
{
    const uint32_t height = flood->area.height;
    uint64_t *reached = flood->reached, news = 0;
    for (uint32_t y = 0; y < height; y++) {
        uint64_t cells = reached[y];
        if (y > 0) {
            uint64_t above = reached[y - 1];
            cells |= above & flood->down[y - 1];
            cells |= (above & flood->falling[y - 1]) << 1 | (above & flood->rising[y - 1]) >> 1;
        }
        cells = flood_along(cells, flood->right[y]);
        news |= cells ^ reached[y];
        reached[y] = cells;
    }
    for (uint32_t y = height - 1; y-- > 0;) {
        uint64_t below = reached[y + 1], cells = reached[y] | (below & flood->down[y]);
        cells |= (below >> 1 & flood->falling[y]) | (below << 1 & flood->rising[y]);
        cells = flood_along(cells, flood->right[y]);
        news |= cells ^ reached[y];
        reached[y] = cells;
    }
    return !news;
}
