/* direct.h: how far it is to cells of an area that can be reached without a detour.
 *
 * On open ground most cells of a cluster can be: some way to them is made of steps in two
 * neighbouring directions only, so it costs what the octile distance says, and no search is needed.
 * Which cells they are a few words tell for each row (flood.h has the steps): paths to the right
 * and down to the right, for example, follow from those of the row above, one step to the right,
 * and from there along the row.
 */
#ifndef CRN_DIRECT_H
#define CRN_DIRECT_H

#include "abstract/flood.h"

typedef struct crn_direct {
    crn_flood steps;
    uint32_t width; /* of the grid */
    bool flooded;   /* steps.reached tells connected components with the start */
    uint32_t x, y;  /* the start, inside the area */
    cairn_cost straight, diagonal;
    uint64_t reached[CRN_FLOOD_SIDE_MAX];
} crn_direct;

/* Can this space be asked? Eight directions, and costs differ by nothing but direction. */
bool crn_direct_suits(const crn_grid_space *space);

/* The cells and steps of an area of a space that suits. */
void crn_direct_open(crn_direct *direct, const crn_grid_space *space, crn_area area);

/* From a usable cell of the area on. */
void crn_direct_begin(crn_direct *direct, cairn_node start);

/* What the path to a cell of the area costs, CAIRN_NO_COST if it takes a detour or there is none
 * ... */
cairn_cost crn_direct_cost(const crn_direct *direct, cairn_node cell);

/* ... and whether there is certainly none at all inside the area; in mazes, where that takes long
 * to say, false. */
bool crn_direct_never(crn_direct *direct, cairn_node cell);

#endif
