/* mm_view.h: a packed level (mm_level.h) as a space, for one search: edges are unpacked when they are followed.
 *
 * An edge costs as much as its ends are at least apart. Two regions, the start's and the goal's, count as lying where the query begins
 * and ends. The view of level 1 can be limited to the regions in one sector of level 2.
 */
#ifndef CRN_MM_VIEW_H
#define CRN_MM_VIEW_H

#include "hierarchy/mm_index.h"
#include "world/layer.h"

#define CRN_MM_EVERYWHERE UINT32_MAX

typedef struct crn_mm_view {
    cairn_space base; /* hand it to a search */
    const crn_mm *mm;
    const crn_grid_space *ground;
    uint32_t level; /* 0 or 1 */
    crn_metric metric;
    cairn_node ends[2];         /* regions ... */
    int32_t end_x[2], end_y[2]; /* ... and where they count as lying */
    uint32_t within;            /* a sector of level 2, or everywhere */
} crn_mm_view;

void crn_mm_view_open(crn_mm_view *view, const crn_mm *mm, const crn_grid_space *ground, uint32_t level);

/* When a query begins: takes over what a sync may have changed; no ends, everywhere. */
void crn_mm_view_follow(crn_mm_view *view);

/* From now on a region lies at a cell; `end` 0 is the start, 1 the goal. */
void crn_mm_view_place(crn_mm_view *view, uint32_t end, cairn_node node, cairn_node cell);

#endif
