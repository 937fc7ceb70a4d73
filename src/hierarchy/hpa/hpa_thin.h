/* hpa_thin.h: what is noted of the nodes of HPA* where levels have few of them. See hpa_thin.c. */
#ifndef CRN_HPA_THIN_H
#define CRN_HPA_THIN_H

#include "hierarchy/hpa/hpa_index.h"

/* Beside a node's component stands what else its transitions depend on: whether the cell is an end
 * of a link, and on the lowest level the steps that lead from it and to it over borders, two bits
 * for each direction, and whether it belongs to a bay. There also stands what was chosen: whether
 * the node is kept (CRN_HPA_KEPT), and whether that makes its cell a node of the next level. A
 * cluster of the lowest level has at most 64×64 nodes. */
#define CRN_HPA_THIN_LINKED (UINT32_C(1) << 31)
#define CRN_HPA_THIN_UP (UINT32_C(1) << 29)
#define CRN_HPA_THIN_BAY (UINT32_C(1) << 28)
#define CRN_HPA_THIN_STEPS 12u
#define CRN_HPA_THIN_CHOICE (CRN_HPA_KEPT | CRN_HPA_THIN_UP)
#define CRN_HPA_THIN_FLAGS (CRN_HPA_THIN_LINKED | CRN_HPA_THIN_CHOICE | CRN_HPA_THIN_BAY)

CRN_INLINE bool crn_hpa_thin_on_ground(const crn_hpa *index, cairn_node node)
{
    return index->groups[node] < index->level[1].first;
}

CRN_INLINE uint32_t crn_hpa_thin_component(const crn_hpa *index, cairn_node node)
{
    uint32_t steps = crn_hpa_thin_on_ground(index, node) ? ~UINT32_C(0) << CRN_HPA_THIN_STEPS : 0;
    return index->components[node] & ~(CRN_HPA_THIN_FLAGS | steps);
}

/* The node of the level below in the cell of a node above the lowest level, to which its last edge
 * leads. CAIRN_NO_NODE: it has no edges yet, or that node was given up: then it has neither edges
 * nor a component. */
CRN_INLINE cairn_node crn_hpa_thin_below(const crn_hpa *index, cairn_node node)
{
    uint32_t count = index->abstract.nodes[node].count;
    if (!count) return CAIRN_NO_NODE;
    cairn_node below = crn_abstract_edges(&index->abstract, node)[count - 1].node;
    bool there = crn_hpa_thin_on_ground(index, below) ? index->components[below]
                                                      : index->abstract.nodes[below].count;
    return there ? below : CAIRN_NO_NODE;
}

/* The node of the lowest level in the cell of a node. */
CRN_INLINE cairn_node crn_hpa_thin_ground(const crn_hpa *index, const crn_hpa_member *member)
{
    cairn_node node = member->node;
    while (!crn_hpa_thin_on_ground(index, node)) {
        node = crn_hpa_thin_below(index, node);
        if (node == CAIRN_NO_NODE) return crn_hpa_find(index, 0, member->cell);
    }
    return node;
}

/* The steps of a node of the lowest level. */
CRN_INLINE uint32_t crn_hpa_thin_steps_of(const crn_hpa *index, cairn_node node)
{
    return (index->components[node] & ~CRN_HPA_THIN_FLAGS) >> CRN_HPA_THIN_STEPS;
}

/* Takes the first of some steps, if there are any: its direction, and its use as that of an
 * exit. */
CRN_INLINE bool crn_hpa_thin_next_step(uint32_t *steps, uint32_t *direction, uint32_t *use)
{
    if (!*steps) return false;
    *direction = crn_lowest_bit(*steps) / 2;
    *use = *steps >> 2 * *direction & 3;
    *steps ^= *use << 2 * *direction;
    return true;
}

/* The cell that a step leads to; there is such a step. */
CRN_INLINE cairn_node crn_hpa_thin_over(const crn_hpa *index, cairn_node cell, uint32_t direction)
{
    int32_t width = (int32_t)index->clusters.space->grid->width;
    return cell + (uint32_t)(crn_dy[direction] * width + crn_dx[direction]);
}

#endif
