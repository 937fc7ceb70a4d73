/* mm_view.h: a packed level (mm_level.h) as a space, for one search: edges are unpacked when they
 * are followed.
 *
 * An edge costs as much as its ends are at least apart. Two regions, the start's and the goal's,
 * count as lying where the query begins and ends. The view of level 1 can be limited to edges that
 * stay in a sector of level 2.
 *
 * To find where a region lies its sector must be looked for and unpacked. A search asks for the
 * same regions again and again, from each of their neighbours, so the view notes the answers of
 * late, one for each of the numbers that end in the same bits.
 */
#ifndef CRN_MM_VIEW_H
#define CRN_MM_VIEW_H

#include "hierarchy/mm/mm_index.h"
#include "abstract/abstract_graph.h"

#define CRN_MM_NOTES 256u /* a power of two */

/* Where a region lies, in units of a layer. */
typedef struct crn_mm_note {
    cairn_node node; /* CAIRN_NO_NODE: nothing is noted */
    int32_t x, y;
} crn_mm_note;

typedef struct crn_mm_view {
    cairn_space base; /* hand it to a search */
    const crn_mm *mm;
    const crn_grid_space *ground;
    uint32_t level; /* 0 or 1 */
    uint32_t side;  /* of its sectors, in cells */
    /* what to add to the number of a sector for the one beside it */
    uint32_t beside[CRN_DIRECTIONS];
    crn_metric metric;
    crn_mm_note ends[2]; /* regions that count as lying elsewhere */
    bool inside;         /* level 1: without edges that leave a sector of level 2 */
    crn_mm_note *notes;  /* CRN_MM_NOTES of them, by the lowest bits of their nodes */
} crn_mm_view;

/* `notes` is what the view may use for its notes, and must live as long. */
void crn_mm_view_open(crn_mm_view *view, const crn_mm *mm, const crn_grid_space *ground,
                      uint32_t level, crn_mm_note *notes);

/* When a query begins: takes over what a sync may have changed; no ends, all edges. */
void crn_mm_view_refresh(crn_mm_view *view);

/* From now on a region lies at a cell; `end` 0 is the start, 1 the goal. */
void crn_mm_view_place(crn_mm_view *view, uint32_t end, cairn_node node, cairn_node cell);

#endif
