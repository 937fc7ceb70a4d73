/* sga_line.h: straight lines from cell to cell, whatever the neighbourhood.
 *
 * A line is made of steps in two directions, this many of each, mixed as evenly as can be. On
 * squares with diagonals these are a straight and a diagonal one, and the result is Bresenham's
 * line (1965); with four neighbours they are a horizontal and a vertical one, on hexagons two of
 * the six that lie side by side. The direction of a step is one of the eight of grid_space.h; on
 * hexagons it depends on the row.
 */
#ifndef CRN_SGA_LINE_H
#define CRN_SGA_LINE_H

#include "world/grid_space.h"

typedef struct crn_sga_line {
    cairn_cell at;
    uint32_t left;           /* steps */
    int32_t error;           /* falls below 0 when the second direction's turn has come */
    int32_t steps, second;   /* of this many steps in all this many are in the second direction */
    uint8_t direction[2][2]; /* first or second, by the parity of the row */
} crn_sga_line;

void crn_sga_line_begin(crn_sga_line *line, const crn_grid_space *map, cairn_cell from,
                        cairn_cell to);

/* The direction of the next step, out of row y, and the error after it. */
CRN_INLINE uint32_t crn_sga_line_choose(const crn_sga_line *line, int32_t *error, int32_t y)
{
    int32_t rest = *error - line->second, second = rest < 0;
    *error = rest + (line->steps & -second);
    return line->direction[second][y & 1];
}

/* The same at the line's present place. The caller must then make the step. */
CRN_INLINE uint32_t crn_sga_line_turn(crn_sga_line *line)
{
    line->left--;
    return crn_sga_line_choose(line, &line->error, line->at.y);
}

CRN_INLINE cairn_cell crn_sga_beside(cairn_cell cell, uint32_t direction)
{
    return (cairn_cell){cell.x + crn_dx[direction], cell.y + crn_dy[direction]};
}

CRN_INLINE uint32_t crn_sga_line_step(crn_sga_line *line)
{
    uint32_t direction = crn_sga_line_turn(line);
    line->at = crn_sga_beside(line->at, direction);
    return direction;
}

#endif
