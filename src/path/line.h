/* line.h: integer geometry of points on a grid, shared by the files about paths. */
#ifndef CRN_LINE_H
#define CRN_LINE_H

#include "world/grid.h"

/* |a − b| */
static inline uint32_t crn_line_distance(int32_t a, int32_t b)
{
    return a < b ? (uint32_t)(b - a) : (uint32_t)(a - b);
}

/* Hexagons in axial coordinates: x counts along a row, y along the slanted columns, and the six
 * directions are (1, 0), (0, 1), (-1, 1) and their opposites. Rows are the same as in the grid. */
static inline cairn_cell crn_line_to_axial(cairn_cell c)
{
    return (cairn_cell){c.x - (c.y - (c.y & 1)) / 2, c.y};
}

static inline cairn_cell crn_line_from_axial(cairn_cell c)
{
    return (cairn_cell){c.x + (c.y - (c.y & 1)) / 2, c.y};
}

enum { CRN_HEXAGON_SIDES = 6 };

/* The hexagon beyond a side, which lies between points i and i + 1: east, south-east, south-west,
 * west, north-west, north-east. */
static inline cairn_cell crn_line_beyond(cairn_cell c, uint32_t side)
{
    static const int8_t dx[CRN_HEXAGON_SIDES] = {1, 0, -1, -1, -1, 0},
                        dy[CRN_HEXAGON_SIDES] = {0, 1, 1, 0, -1, -1};
    cairn_cell beyond = {c.x + dx[side], c.y + dy[side]};
    if (dy[side] && (c.y & 1)) beyond.x++;
    return beyond;
}

/* A cell as a point of the plane in which lines between centres are straight, whatever the
 * layout. */
static inline cairn_cell crn_line_point(const cairn_grid *grid, cairn_node node)
{
    cairn_cell c = cairn_grid_cell(grid, node);
    return grid->layout == CAIRN_LAYOUT_HEX ? crn_line_to_axial(c) : c;
}

/* Does the path from a over b go straight on to c? */
static inline bool crn_line_continues(cairn_cell a, cairn_cell b, cairn_cell c)
{
    int64_t ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
    return ux * vy == uy * vx && ux * vx + uy * vy > 0;
}

#endif
