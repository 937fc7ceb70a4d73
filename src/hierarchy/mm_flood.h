/* mm_flood.h: what hangs together inside a sector of at most 64×64 cells.
 *
 * A row of a sector is one word, and so are the steps that leave its cells to the right, downwards and down the two diagonals. So a flood
 * goes row by row, down and up again, until nothing is new: a few words for each row where a queue would take every cell.
 * Only steps that can be made both ways count.
 */
#ifndef CRN_MM_FLOOD_H
#define CRN_MM_FLOOD_H

#include "world/part.h"

#define CRN_MM_SIDE_MAX 64u

typedef struct crn_mm_flood {
    crn_area area;
    uint64_t usable[CRN_MM_SIDE_MAX];
    /* Cells from which a step leads to the right, downwards, downwards right and downwards left; never out of the area. */
    uint64_t right[CRN_MM_SIDE_MAX], down[CRN_MM_SIDE_MAX], falling[CRN_MM_SIDE_MAX], rising[CRN_MM_SIDE_MAX];
    uint64_t reached[CRN_MM_SIDE_MAX];
} crn_mm_flood;

/* Looks at the cells of an area and the steps between them. */
void crn_mm_flood_open(crn_mm_flood *flood, const crn_grid_space *space, crn_area area);

/* Begins at a usable cell, counted inside the area. */
void crn_mm_flood_begin(crn_mm_flood *flood, uint32_t x, uint32_t y);

/* Once down and up; true when nothing was new. */
bool crn_mm_flood_sweep(crn_mm_flood *flood);

CRN_INLINE bool crn_mm_flood_reached(const crn_mm_flood *flood, uint32_t x, uint32_t y)
{
    return flood->reached[y] >> x & 1;
}

#endif
