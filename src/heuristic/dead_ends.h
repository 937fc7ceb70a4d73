/* dead_ends.h: chambers of a space that are joined as a forest, and which of them no cheapest path
 * from a start to a goal enters.
 *
 * A border joins two areas of the nodes (search/areas.h). If it is the only connection between what
 * lies behind it and the rest, a path that enters by it must leave by it again. Let it leave the
 * rest at x and come back to y. Nothing is lost without that detour if the rest itself leads from x
 * to y for no more. So a border is tight if, on each of its sides, all nodes that it joins are one
 * node, or, on uniform grids, cells side by side in a line: no path between two of them is cheaper
 * than that along the line. One-way edges and links are edges as any other here: they count in both
 * directions, so "the only connection" is never claimed too often.
 *
 * Chambers are what is left when the space is cut at all tight borders that are the only connection
 * of two parts. Chambers and these borders are a forest, by construction. A path from a start's
 * chamber to a goal's need only enter the chambers between them in the tree: all others are dead
 * ends of the query. Their nodes get the estimate CRN_ESTIMATE_DEAD and are never put on the open
 * list.
 *
 * Chambers are numbered in preorder. So those below chamber c are c to last[c], and c lies between
 * a and b if it is a or b or above one of them, and not above their lowest common ancestor. That is
 * found along heavy paths, in steps whose number grows with the logarithm of that of the chambers.
 *
 * Source: Björnsson and Halldórsson, "Improved Heuristics for Optimal Path-finding on Game Maps",
 * 2006 (the dead-end heuristic), reference 98 of the thesis of B. Anguelov. They search the graph
 * of areas for each query; the forest answers the same at once.
 */
#ifndef CRN_DEAD_ENDS_H
#define CRN_DEAD_ENDS_H

#include "heuristic/heuristic.h"
#include <cairn/planner.h>

#define CRN_NO_CHAMBER UINT32_MAX

/* A chamber, in preorder. */
typedef struct crn_chamber {
    uint32_t parent; /* CRN_NO_CHAMBER: it is a root */
    uint32_t last;   /* of those below it; itself if there are none */
    uint32_t head;   /* the highest chamber of its heavy path */
} crn_chamber;

typedef struct crn_dead_ends {
    const uint32_t *of; /* the chamber of each node; CRN_NO_CHAMBER: not usable; NULL = not built */
    const crn_chamber *chambers;
    uint32_t *owned; /* the same, or NULL if they are borrowed */
    crn_chamber *owned_chambers;
    uint32_t node_count, count;
    uint32_t width; /* of the passages that divide it */
    uint64_t work;  /* of the last build */
} crn_dead_ends;

/* Returns the plug: the metric's estimate, or CRN_ESTIMATE_DEAD. */
crn_heuristic crn_dead_ends_heuristic(const crn_dead_ends *dead_ends);

/* Returns the lowest chamber above two others, or one of them; CRN_NO_CHAMBER: there is none. */
uint32_t crn_dead_ends_common(const crn_dead_ends *dead_ends, uint32_t a, uint32_t b);

/* Finds the chambers; `width` 0: passages of the width that serves best. On failure there are
 * none. */
cairn_status crn_dead_ends_build(crn_dead_ends *dead_ends, cairn_space *space, uint32_t width,
                                 const cairn_progress *progress, cairn_error *error);
void crn_dead_ends_drop(crn_dead_ends *dead_ends, cairn_context *context);
size_t crn_dead_ends_bytes(const crn_dead_ends *dead_ends);

cairn_status crn_dead_ends_save(const crn_dead_ends *dead_ends, cairn_store *store,
                                cairn_error *error);
cairn_status crn_dead_ends_load(crn_dead_ends *dead_ends, const cairn_space *space,
                                const cairn_archive *archive, bool borrow, cairn_error *error);

#endif
