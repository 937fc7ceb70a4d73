/* area_search.h: the costs from a cell to all others of a small area.
 *
 * Hierarchies search the same few hundred cells again and again, from one node of a cluster after
 * the other. On ground of one cost, steps have two prices. So what straight steps reach comes in
 * the order of costs, and what diagonal ones reach does too: two queues take the place of an open
 * list, and no cell enters either of them twice. The bits around each cell are gathered once for
 * all searches of the area, and moves come in canonical order (grid_space.c).
 */
#ifndef CRN_AREA_SEARCH_H
#define CRN_AREA_SEARCH_H

#include "abstract/part.h"

#define CRN_AREA_SIDE_MAX 64u
#define CRN_AREA_CELLS_MAX ((CRN_AREA_SIDE_MAX + 2) * (CRN_AREA_SIDE_MAX + 2))

typedef struct crn_area_search {
    const crn_grid_space *space;
    crn_area area;
    uint32_t stride; /* of a row, with a cell more on either side */
    /* by cell: the bits around it, how it was entered, and whether it was expanded */
    uint16_t cells[CRN_AREA_CELLS_MAX];
    cairn_cost costs[CRN_AREA_CELLS_MAX];
    /* what straight steps and diagonal ones lead to */
    uint16_t queues[2][CRN_AREA_SIDE_MAX * CRN_AREA_SIDE_MAX];
} crn_area_search;

/* Can this be used on the space? It needs squares, and costs that differ only by direction. */
bool crn_area_search_suits(const crn_grid_space *space);

/* Gathers the cells of an area of such a space, which may be a part: it is read when it is
 * searched, too. */
void crn_area_search_open(crn_area_search *search, const crn_grid_space *space, crn_area area);

/* A cell of the area was shown or hidden. */
void crn_area_search_refresh(crn_area_search *search, uint32_t x, uint32_t y);

/* Finds the costs from a usable cell of the area. Returns how many cells were expanded. */
uint32_t crn_area_search_find(crn_area_search *search, cairn_node from);

/* Returns the cost of the path to a cell of the area; CAIRN_NO_COST: there is none. */
CRN_INLINE cairn_cost crn_area_search_cost(const crn_area_search *search, cairn_node cell)
{
    uint32_t width = search->space->grid->width, x = cell % width - search->area.left,
             y = cell / width - search->area.top;
    return search->costs[(y + 1) * search->stride + x + 1];
}

#endif
