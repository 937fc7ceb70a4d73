/* size.h: which cells round an agent must be free for it to stand somewhere.
 *
 * An agent has a radius or a footprint. A radius r asks that no blocked cell lies nearer than r to
 * the centre of the agent's cell; a footprint n asks for the n × n squares of which its cell is the
 * upper left one. Either way, in each row round the agent the cells that must be free are an
 * interval of columns: those with a centre in a convex shape (the cell's shape and a disc, added).
 * So a size is a short list of intervals, and "usable" for 64 cells at once is some shifts
 * and ANDs of the bits of each row: an erosion.
 *
 * Distances are kept as 12 · distance², which is an integer for squares and hexagons alike: nothing
 * is rounded.
 *
 * That an agent can stand at both ends of a step does not say that it has room on the path. On
 * squares it has, if it cuts no corner. On hexagons there are radii for which one cell on either
 * side of the step lies far enough from both ends but not from the middle: it *dips* into the path.
 * A size lists these cells for every step.
 */
#ifndef CRN_SIZE_H
#define CRN_SIZE_H

#include "world/grid.h"
#include <cairn/space.h>

/* The rows that the largest radius touches on hexagons: 37 on either side. */
#define CRN_SIZE_ROWS 75

/* The most cells that dip into one step: one on either side. */
#define CRN_SIZE_DIPS 2

typedef struct crn_size {
    int32_t top, bottom; /* offsets of the first and last row: top ≤ 0 ≤ bottom */
    int32_t left, right; /* of all rows: left ≤ 0 ≤ right */
    bool hex;
    int8_t span[2][CRN_SIZE_ROWS]
               [2]; /* by the parity of the agent's row and row - top: left and right offset */
    bool dips;      /* there are steps that cells dip into */
    /* By the parity of the row that a step leaves, and its direction (dy + 1, dx + 1): columns and
     * rows from its begin to each cell that dips into it. Those that are not needed stay (0, 0),
     * the agent's own cell. */
    int8_t dip[2][3][3][CRN_SIZE_DIPS][2];
} crn_size;

/* ---- straight lines ---- */

/* Cells are drawn so that all that matters is a whole number: centres of squares at (2x, 2y), of
 * hexagons at (2x + (y odd), 3y), with their points at these offsets, in order. */
extern const int8_t crn_square_points[4][2], crn_hexagon_points[6][2];
void crn_size_picture(bool hex, int32_t x, int32_t y, int64_t out[2]);

/* A line from centre to centre: where it begins in the picture, and from there to its end. */
typedef struct crn_size_line {
    bool hex;
    int64_t from[2], along[2];
} crn_size_line;
crn_size_line crn_size_line_between(bool hex, cairn_cell a, cairn_cell b);

/* Twice the area between the line and a place in the picture: its sign is the side, its size the
 * distance. */
CRN_INLINE int64_t crn_size_line_side(const crn_size_line *line, int64_t x, int64_t y)
{
    return line->along[0] * (y - line->from[1]) - line->along[1] * (x - line->from[0]);
}

/* Does the line pass nearer than the radius to a cell? It is known that its ends do not. */
bool crn_size_line_near(const crn_size_line *line, int32_t x, int32_t y, double radius);

/* ---- sizes ---- */

/* Returns twelve times the square of the distance from the centre of a cell in a row of this parity
 * (ignored on squares) to the cell (dx, dy) further on; 0 for the cell itself. For offsets up to
 * half of the largest map in any direction. */
uint32_t crn_size_gap12(cairn_layout layout, uint32_t parity, int32_t dx, int32_t dy);

/* Makes a size. The radius is 0…CAIRN_RADIUS_MAX, the footprint 0…CAIRN_FOOTPRINT_MAX and on
 * squares only. If the footprint is more than 1, the radius is ignored. */
void crn_size_make(crn_size *out, cairn_layout layout, double radius, uint32_t footprint);

/* Does it need no more than its own cell? */
bool crn_size_is_point(const crn_size *size);

/* For the 64 cells from (x, y) on, x ≥ 0 and inside the map: bit i is set if everything that the
 * agent needs at (x + i, y) is free. Outside the map nothing is. */
uint64_t crn_size_erode(const crn_size *size, const crn_bitmap *free, uint32_t x, uint32_t y);

/* Does nothing blocked dip into the step from a cell by (dx, dy)? For sizes with dips. */
bool crn_size_can_pass(const crn_size *size, const crn_bitmap *free, cairn_cell from, int32_t dx,
                       int32_t dy);

/* The cells inside the map that need the cell (x, y) or may do so, and both ends of steps that it
 * dips into. A change of (x, y) does not affect the others. */
typedef struct crn_size_box {
    uint32_t left, top, right, bottom; /* both ends inclusive */
} crn_size_box;
crn_size_box crn_size_reach(const crn_size *size, uint32_t width, uint32_t height, uint32_t x,
                            uint32_t y);

#endif
