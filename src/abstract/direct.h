/* direct.h: costs to cells of an area that can be reached without a detour.
 *
 * On open ground most cells of a cluster can: some path to them is made of steps in two adjacent
 * directions only. So it costs the octile distance, and no search is needed. A few words for each
 * row say which cells they are (flood.h has the steps). Paths to the right and down to the right,
 * for example, follow from those of the row above, by one step down or down to the right, and from
 * there along the row.
 */
#ifndef CRN_DIRECT_H
#define CRN_DIRECT_H

#include "abstract/flood.h"

typedef struct crn_direct {
    crn_flood steps;
    uint32_t width; /* of the grid */
    bool flooded;   /* steps.reached is the component of the start */
    uint32_t x, y;  /* the start, inside the area */
    cairn_cost straight, diagonal;
    uint64_t reached[CRN_FLOOD_SIDE_MAX];
} crn_direct;

/* Can this be used on the space? It needs eight directions, and costs that differ only by
 * direction. */
bool crn_direct_suits(const crn_grid_space *space);

/* Reads the cells and steps of an area of such a space. */
void crn_direct_open(crn_direct *direct, const crn_grid_space *space, crn_area area);

/* Begins at a usable cell of the area. */
void crn_direct_begin(crn_direct *direct, cairn_node start);

/* Returns the cost of the path to a cell of the area, or CAIRN_NO_COST if it takes a detour or
 * there is none. */
cairn_cost crn_direct_cost(const crn_direct *direct, cairn_node cell);

/* Returns whether there is certainly no path to it inside the area. False in mazes, where finding
 * out takes long. */
bool crn_direct_never(crn_direct *direct, cairn_node cell);

#endif
