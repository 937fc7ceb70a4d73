/* dhpa_approach.h: the route from a cell of a cluster to a node, searched for where it is not
 * stored.
 *
 * Routes are the cheapest paths from nodes to cells, read backwards. So costs are found from the
 * cell on, step by step backwards, until the node is reached: the cost of a cell is that of the
 * path from there. Of the cells on cheapest paths from the node each step of the route leads to the
 * one in the lowest direction, as in stored routes. If routes to several nodes are wanted, costs
 * are found without an estimate and kept for all of them; else it is A*.
 */
#ifndef CRN_DHPA_APPROACH_H
#define CRN_DHPA_APPROACH_H

#include "hierarchy/dhpa/dhpa_routes.h"

#define CRN_APPROACH_BUCKETS 64u

/* A cell in a bucket. */
typedef struct crn_approach_link {
    uint16_t next, before; /* 0 = none */
    uint8_t bucket;        /* CRN_APPROACH_BUCKETS = it is in none */
    bool passed;           /* by a cheapest path from the node */
} crn_approach_link;

typedef struct crn_approach {
    const crn_grid_space *space;
    crn_area area;
    crn_metric metric;
    uint32_t row;    /* of a row of cells: the bits of places in it */
    cairn_node from; /* the cell; CAIRN_NO_NODE = no costs are known */
    cairn_node aim;  /* the node that the search is for; CAIRN_NO_NODE = any */
    uint32_t aim_x, aim_y;
    cairn_node to;           /* the node of the cells that are passed; CAIRN_NO_NODE = none */
    uint32_t shift;          /* of costs: buckets are as wide */
    uint64_t bucket;         /* the first that may have a cell, not modulo their number */
    uint32_t first;          /* the place of the cell */
    uint32_t queued;         /* cells in buckets */
    uint32_t passed, looked; /* cells in the list of those passed; those whose steps are known */
    uint16_t buckets[CRN_APPROACH_BUCKETS];
    int32_t offsets[CRN_DIRECTIONS]; /* of places */
    /* By place: the cost to the cell in question, CAIRN_NO_COST = none is known; the rest if one
     * is. `passed` is false of all that the list does not have. */
    cairn_cost *costs;
    crn_approach_link *links;
    uint16_t *list; /* places that are passed */
} crn_approach;

/* How many places clusters of a side have, with a margin. The lists are as long, and zero at first.
 */
CRN_INLINE size_t crn_approach_places(size_t side)
{
    return (side + 2) << (crn_highest_bit(side + 1) + 1);
}

/* Begins at a cell of an area, for a node or, CAIRN_NO_NODE, for any; goes on with what is known if
 * that is enough. */
void crn_approach_begin(crn_approach *approach, const crn_grid_space *space, crn_area area,
                        cairn_node from, cairn_node aim);

/* Does a unit of work; true when the route to a node is known. There must be one. */
bool crn_approach_find(crn_approach *approach, cairn_node to);

/* Then: the next step of the route from a cell of it. */
uint32_t crn_approach_step(const crn_approach *approach, cairn_node cell);

#endif
