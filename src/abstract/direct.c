/* direct.c: paths without a detour. See direct.h. */
#include "abstract/direct.h"
#include "path/line.h"

/* A flood that takes more is no quicker than a search. */
enum { DIRECT_SWEEPS = 8 };

bool crn_direct_suits(const crn_grid_space *space)
{
    cairn_cost straight = space->step[CRN_N], diagonal = space->step[CRN_NE];
    return space->uniform && !space->hex && space->profile.neighbours == CAIRN_NEIGHBOURS_8 &&
           diagonal >= straight && diagonal <= 2 * (uint64_t)straight &&
           diagonal <= CAIRN_COST_MAX / CRN_FLOOD_SIDE_MAX;
}

void crn_direct_open(crn_direct *direct, const crn_grid_space *space, crn_area area)
{
    crn_flood_open(&direct->steps, space, area);
    direct->width = space->grid->width;
    direct->flooded = false;
    direct->straight = space->step[CRN_N];
    direct->diagonal = space->step[CRN_NE];
}

/* Cells of a row, by the directions of the steps that lead there: along the row and diagonally, or
 * diagonally and straight ahead. */
typedef struct direct_row {
    uint64_t right, left, ahead_right, ahead_left;
} direct_row;

static uint64_t direct_go(direct_row *row, uint64_t along)
{
    row->right = crn_flood_right(row->right, along);
    if (row->left) row->left = crn_flood_left(row->left, along);
    return row->right | row->left | row->ahead_right | row->ahead_left;
}

void crn_direct_begin(crn_direct *direct, cairn_node start)
{
    const crn_flood *steps = &direct->steps;
    direct->x = start % direct->width - steps->area.left;
    direct->y = start / direct->width - steps->area.top;
    /* What is connected with one of these cells is connected with all of them. */
    direct->flooded = direct->flooded && crn_flood_reached(steps, direct->x, direct->y);
    uint64_t cell = UINT64_C(1) << direct->x;
    direct_row first = {cell, cell, cell, cell};
    direct->reached[direct->y] = direct_go(&first, steps->right[direct->y]);
    direct_row row = first;
    for (uint32_t y = direct->y; y + 1 < steps->area.height; y++) {
        uint64_t down = steps->down[y], falling = steps->falling[y], rising = steps->rising[y];
        row.right = (row.right & falling) << 1;
        row.left = (row.left & rising) >> 1;
        row.ahead_right = (row.ahead_right & down) | (row.ahead_right & falling) << 1;
        row.ahead_left = (row.ahead_left & down) | (row.ahead_left & rising) >> 1;
        direct->reached[y + 1] = direct_go(&row, steps->right[y + 1]);
    }
    row = first;
    for (uint32_t y = direct->y; y-- > 0;) {
        uint64_t down = steps->down[y], falling = steps->falling[y], rising = steps->rising[y];
        row.right = row.right << 1 & rising;
        row.left = row.left >> 1 & falling;
        row.ahead_right = (row.ahead_right & down) | (row.ahead_right << 1 & rising);
        row.ahead_left = (row.ahead_left & down) | (row.ahead_left >> 1 & falling);
        direct->reached[y] = direct_go(&row, steps->right[y]);
    }
}

cairn_cost crn_direct_cost(const crn_direct *direct, cairn_node cell)
{
    uint32_t x = cell % direct->width - direct->steps.area.left,
             y = cell / direct->width - direct->steps.area.top;
    if (!(direct->reached[y] >> x & 1)) return CAIRN_NO_COST;
    uint32_t across = crn_line_distance((int32_t)x, (int32_t)direct->x);
    uint32_t down = crn_line_distance((int32_t)y, (int32_t)direct->y);
    uint32_t both = crn_min_u32(across, down);
    return both * direct->diagonal + (crn_max_u32(across, down) - both) * direct->straight;
}

bool crn_direct_never(crn_direct *direct, cairn_node cell)
{
    crn_flood *steps = &direct->steps;
    if (!direct->flooded) {
        crn_flood_begin(steps, direct->x, direct->y);
        for (uint32_t i = 0; i < DIRECT_SWEEPS && !direct->flooded; i++)
            direct->flooded = crn_flood_sweep(steps);
    }
    return direct->flooded && !crn_flood_reached(steps, cell % direct->width - steps->area.left,
                                                 cell / direct->width - steps->area.top);
}
