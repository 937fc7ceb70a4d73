/* flood.h: connected components inside an area of at most 64×64 cells.
 *
 * A row of the area is one word, and so are the steps that leave its cells to the right, downwards
 * and down the two diagonals. So a flood goes row by row, down and up again, until nothing is new.
 * It handles a few words for each row where a queue would handle every cell. Only steps that can be
 * walked in both directions count.
 */
#ifndef CRN_FLOOD_H
#define CRN_FLOOD_H

#include "abstract/part.h"

#define CRN_FLOOD_SIDE_MAX 64u

typedef struct crn_flood {
    crn_area area;
    uint32_t read;   /* rows whose steps are known */
    uint32_t tested; /* of the next row: cells whose steps were tested one by one */
    uint64_t usable[CRN_FLOOD_SIDE_MAX];
    /* Cells from which a step leads to the right, downwards, downwards right and downwards left;
     * never out of the area. */
    uint64_t right[CRN_FLOOD_SIDE_MAX], down[CRN_FLOOD_SIDE_MAX], falling[CRN_FLOOD_SIDE_MAX],
        rising[CRN_FLOOD_SIDE_MAX];
    uint64_t reached[CRN_FLOOD_SIDE_MAX];
} crn_flood;

/* Returns the cells of a row that can be reached from these by steps to the right: a carry does it
 * ... */
CRN_INLINE uint64_t crn_flood_right(uint64_t cells, uint64_t right)
{
    return cells | (((cells & right) + right) ^ right);
}

/* ... and to the left: the reach doubles. */
CRN_INLINE uint64_t crn_flood_left(uint64_t cells, uint64_t right)
{
    for (uint32_t shift = 1; shift < 64; shift *= 2) {
        cells |= cells >> shift & right;
        right &= right >> shift;
    }
    return cells;
}

/* Reads the cells of an area and the steps between them; or one piece of it after the other, until
 * the last function returns true. */
void crn_flood_open(crn_flood *flood, const crn_grid_space *space, crn_area area);
void crn_flood_open_begin(crn_flood *flood, const crn_grid_space *space, crn_area area);
bool crn_flood_open_on(crn_flood *flood, const crn_grid_space *space);

/* Begins at a usable cell, counted inside the area. */
void crn_flood_begin(crn_flood *flood, uint32_t x, uint32_t y);

/* Goes down and up once; true when nothing was new. */
bool crn_flood_sweep(crn_flood *flood);

CRN_INLINE bool crn_flood_reached(const crn_flood *flood, uint32_t x, uint32_t y)
{
    return flood->reached[y] >> x & 1;
}

#endif
