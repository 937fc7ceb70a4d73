/* dhpa_walk.h: walks along the routes of a cluster, some steps at a time.
 *
 * A walk leads from a cell to a node and leaves a trail: the cells, and what the steps from one to
 * the next cost. What counts may be the path in the other direction, from the node to the cell.
 */
#ifndef CRN_DHPA_WALK_H
#define CRN_DHPA_WALK_H

#include "hierarchy/dhpa/dhpa_approach.h"
#include "hierarchy/dhpa/dhpa_index.h"
#include "hierarchy/dhpa/dhpa_paths.h"

typedef struct crn_dhpa_walk {
    const crn_grid_space *space;
    const int64_t *offsets; /* by direction: of the next cell */
    const crn_routes *routes;
    crn_route_end end;
    uint32_t x, y; /* in the cluster: where the leg ends */
    crn_leg leg;   /* answers are targets, or paths: steps before the next look */
    crn_path_reader path;
    bool several;           /* set by the caller: routes from the same cell to other nodes follow */
    bool searched;          /* the route is not stored ... */
    bool found;             /* ... and has been searched for ... */
    crn_approach *approach; /* ... by this; may be NULL if the index has no paths */
    cairn_node cell;        /* where it is */
    cairn_node goal;        /* the node */
    bool back;              /* what counts is the path from the node to where the walk began */
    uint64_t cost;
    cairn_edge *trail; /* has room for all cells of a cluster */
    size_t count;
} crn_dhpa_walk;

/* The number of a cell among the nodes of a cluster, which are ascending; their count if it is not
 * one of them. */
CRN_INLINE uint32_t crn_dhpa_rank(const crn_hpa_member *members, uint32_t count, cairn_node cell)
{
    uint32_t first = 0, all = count;
    while (count > 1) { /* it is one of these from the first one on */
        uint32_t half = count / 2;
        if (members[first + half].cell <= cell) first += half;
        count -= half;
    }
    return members[first].cell == cell ? first : all;
}

/* Begins at a cell, towards the i-th node of its cluster; false if no route leads there. */
bool crn_dhpa_walk_begin(crn_dhpa_walk *walk, const crn_dhpa *index, cairn_node cell, uint32_t i,
                         bool back);

/* Goes on for at most `most` steps, the last of which may be to stop at the node: then it returns
 * true. Or searches for the route. */
bool crn_dhpa_walk_step(crn_dhpa_walk *walk, uint32_t most);

#endif
