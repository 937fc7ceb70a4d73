/* size.h: which cells round an agent must be free for it to stand somewhere.
 *
 * An agent has a radius or a footprint. A radius r asks that no blocked cell lies nearer than r to the centre
 * of the agent's cell; a footprint n asks for the n × n squares of which its cell is the upper left one. Either
 * way, in each row round the agent the cells that must be free are an interval of columns: those with a centre
 * in a convex shape (the cell's shape and a disc, added). So a size is a short list of intervals, and "can be
 * stood on" for 64 cells at once is some shifts and ANDs of the bits of each row: an erosion.
 *
 * Distances are kept as 12 · distance², which is an integer for squares and hexagons alike: nothing is rounded.
 */
#ifndef CRN_SIZE_H
#define CRN_SIZE_H

#include "world/grid.h"
#include <cairn/space.h>

/* The rows that the largest radius touches on hexagons: 37 on either side. */
#define CRN_SIZE_ROWS 75

typedef struct crn_size {
    int32_t top, bottom; /* offsets of the first and last row: top ≤ 0 ≤ bottom */
    int32_t left, right; /* of all rows: left ≤ 0 ≤ right */
    bool hex;
    int8_t span[2][CRN_SIZE_ROWS]
               [2]; /* by the parity of the agent's row and row - top: left and right offset */
} crn_size;

/* Twelve times the square of the distance from the centre of a cell in a row of this parity (no matter on squares) to
 * the cell (dx, dy) further on; 0 for the cell itself. For offsets up to half of the largest map either way. */
uint32_t crn_size_gap12(cairn_layout layout, uint32_t parity, int32_t dx, int32_t dy);

/* The radius is 0…CAIRN_RADIUS_MAX, the footprint 0…CAIRN_FOOTPRINT_MAX and on squares only; if it is more than 1
 * the radius does not count. */
void crn_size_make(crn_size *out, cairn_layout layout, double radius, uint32_t footprint);

/* Does it need no more than its own cell? */
bool crn_size_is_point(const crn_size *size);

/* For the 64 cells from (x, y) on, x ≥ 0 and inside the map: bit i is set if everything that the agent needs at
 * (x + i, y) is free. Outside the map nothing is. */
uint64_t crn_size_erode(const crn_size *size, const crn_bits *free, uint32_t width, uint32_t height,
                        uint32_t x, uint32_t y);

/* The cells, inside the map, that need the cell (x, y) or may do so: the others do not notice if it changes. */
typedef struct crn_size_box {
    uint32_t left, top, right, bottom; /* both ends inclusive */
} crn_size_box;
crn_size_box crn_size_reach(const crn_size *size, uint32_t width, uint32_t height, uint32_t x, uint32_t y);

#endif
