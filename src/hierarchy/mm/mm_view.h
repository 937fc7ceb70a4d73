/* mm_view.h: a packed level (mm_level.h) as a space, for one search: edges are unpacked when a node
 * is expanded.
 *
 * An edge costs the least distance of its ends, or what its path costs if that is stored
 * (mm_paths.h). Two regions, the start's and the goal's, are taken to lie where the query begins
 * and ends: there a path costs as much more than the distance as the stored one does.
 *
 * Regions with a single edge are left out unless the search begins or ends there, but not where
 * steps may lead one way.
 *
 * To find where a region lies its sector must be found and unpacked. A search needs the same
 * regions again and again, from each of their neighbours, so the view has a direct-mapped cache of
 * recent answers, by the lowest bits of their numbers.
 */
#ifndef CRN_MM_VIEW_H
#define CRN_MM_VIEW_H

#include "hierarchy/mm/mm_index.h"
#include "abstract/abstract_graph.h"

#define CRN_MM_NOTES 256u /* a power of two */
/* Where a region lies, in 16ths of a cell. */
typedef struct crn_mm_note {
    cairn_node node; /* CAIRN_NO_NODE: nothing is noted */
    int32_t x, y;
} crn_mm_note;

typedef struct crn_mm_view {
    cairn_space base; /* pass it to a search */
    const crn_mm *mm;
    const crn_grid_space *ground;
    uint32_t level; /* from 0 on */
    uint32_t side;  /* of its sectors, in cells */
    /* what to add to the number of a sector for the one beside it */
    uint32_t beside[CRN_DIRECTIONS];
    crn_metric metric;
    crn_mm_note ends[2];           /* regions that are taken to lie elsewhere */
    cairn_node target;             /* of the search, if it is not one of these */
    const crn_mm_doors *doors;     /* links that are edges */
    const crn_metric_gates *gates; /* those that lead to the target, if they are shortcuts */
    bool blind;                    /* there are too many of them */
    crn_mm_note *notes;            /* CRN_MM_NOTES of them, by the lowest bits of their nodes */
} crn_mm_view;

/* Opens a view. `notes` is the memory of its cache, and must live as long. */
void crn_mm_view_open(crn_mm_view *view, const crn_mm *mm, const crn_grid_space *ground,
                      uint32_t level, crn_mm_note *notes);

/* Called when a query begins: copies what a sync may have changed; no ends, all edges. */
void crn_mm_view_refresh(crn_mm_view *view);

/* Called when a search begins: the region where it ends, and which cell is meant. `gates` are used
 * if there are shortcuts, and must live as long. */
void crn_mm_view_aim(crn_mm_view *view, cairn_node node, cairn_node cell, crn_metric_gates *gates);

/* A search for the link that is the cheapest edge between two regions. */
typedef struct crn_mm_scan {
    const crn_space_link *link; /* the best so far; NULL = none */
    uint32_t tested;            /* this many doors of the first region are */
    uint32_t at;                /* the second region's place on a route */
} crn_mm_scan;

/* Tests some doors: at most *left, which falls. True when all are tested; then `link` is NULL if
 * the cheapest edge is another one. */
bool crn_mm_view_link_on(const crn_mm_view *view, const cairn_node ends[2], crn_mm_scan *scan,
                         uint32_t *left);

/* Sets the cell where a region is taken to lie; `end` 0 is the start, 1 the goal. */
void crn_mm_view_place(crn_mm_view *view, uint32_t end, cairn_node node, cairn_node cell);

#endif
