/* hpa_near.h: which edges of HPA* a change of some cells can concern.
 *
 * What changed lies in a box. A path that passes the box costs at least the distances from its ends
 * to the box. So an edge that costs less than these two together did not pass it, and no path that
 * does will be cheaper: its cost is what it was.
 *
 * Distances know nothing of links, and must have been the same before the change. And where steps
 * lead one way only, edges may appear between nodes that are connected as they were. So with
 * shortcuts, other distances or such steps every edge is concerned.
 */
#ifndef CRN_HPA_NEAR_H
#define CRN_HPA_NEAR_H

#include "hierarchy/hpa/hpa_index.h"
#include "world/changes.h"

typedef struct crn_hpa_near {
    bool known; /* otherwise every edge is concerned */
    bool begun; /* there is a box */
    crn_size_box cells;
    crn_metric metric;
    int32_t left, top, right, bottom; /* the centres of the cells, as positions of nodes */
    /* If a single cell was opened or closed, where all ground costs the same and all steps can be
     * walked back: that cell; else CAIRN_NO_NODE. A path that it concerns passes the cell, or a
     * corner of it, which is shorter by `slack`. */
    cairn_node cell;
    cairn_cost slack;
} crn_hpa_near;

/* Begins with nothing changed. */
void crn_hpa_near_begin(crn_hpa_near *near, const crn_hpa *index);

/* There was another commit. */
void crn_hpa_near_continue(crn_hpa_near *near, const crn_hpa *index);

/* A cell was edited, which changed the cells of a box. */
void crn_hpa_near_add(crn_hpa_near *near, const crn_hpa *index, cairn_node cell, crn_size_box box);

/* Returns how far a position is from the box. */
CRN_INLINE uint64_t crn_hpa_near_distance(const crn_hpa_near *near, int32_t x, int32_t y)
{
    int32_t u = x < near->left ? near->left : x > near->right ? near->right : x;
    int32_t v = y < near->top ? near->top : y > near->bottom ? near->bottom : y;
    return crn_metric_distance(near->metric, x, y, u, v);
}

/* Can the change connect cells around it with each other, or part them? Not if a single cell was
 * opened or closed and the open cells around it are one run: they lead past it. */
bool crn_hpa_near_parts(const crn_hpa_near *near, const crn_hpa *index);

/* Can the change concern an edge of a node? If not, *costliest is raised to the most expensive
 * one. */
bool crn_hpa_near_concerns(const crn_hpa_near *near, const crn_hpa *index, cairn_node node,
                           cairn_cost *costliest);

#endif
