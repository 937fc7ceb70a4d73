/* changes.h: what commits changed, for everything that is refreshed after edits. Two questions are
 * answered.
 *
 * *Which cells were edited* since a version: a walk over the remembered commits (crn_edits), for
 * repairs that know what a cell means to them. crn_edits_box says how far from a cell its edit can
 * have an effect. And *which nodes have other edges* than then (cairn_space_changes): exact on
 * grids, after sizes, corners, heights and links.
 */
#ifndef CRN_CHANGES_H
#define CRN_CHANGES_H

#include "world/grid_space.h"

/* A walk over the edited cells, commit by commit, in each by ascending node. */
typedef struct crn_edits {
    const cairn_grid *grid;
    const crn_commit *commit;
    uint64_t version; /* of the commit */
    uint32_t next;    /* of its changes */
    bool links;       /* a commit changed links too */
} crn_edits;

/* Begins a walk over all commits after version `since`. CAIRN_STALE: the grid has forgotten one of
 * them, so it is not known what changed; rebuild. */
cairn_status crn_edits_begin(crn_edits *edits, const cairn_grid *grid, uint64_t since);

/* Moves on to the next commit that has cells; false: there is none. */
bool crn_edits_turn(crn_edits *edits);

/* The next edited cell, NULL at the end. A cell comes once for each commit that edited it. */
CRN_INLINE const cairn_change *crn_edits_next(crn_edits *edits)
{
    if (CRN_UNLIKELY(edits->next == edits->commit->count) && !crn_edits_turn(edits)) return NULL;
    return &edits->commit->changes[edits->next++];
}

/* How many are left of the commit that the walk is at; UINT32_MAX: others follow. */
CRN_INLINE uint32_t crn_edits_left(const crn_edits *edits)
{
    return edits->version < edits->grid->version ? UINT32_MAX : edits->commit->count - edits->next;
}

/* A walk over the links that were added or removed since a version, after crn_edits_begin. */
typedef struct crn_link_edits {
    const cairn_grid *grid;
    uint64_t version; /* of the next commit */
    uint32_t next;    /* of its changes */
} crn_link_edits;

/* The next one, NULL at the end. */
const cairn_link *crn_link_edits_next(crn_link_edits *edits);

/* Returns the nodes that the edit of a cell can affect: those that need it for their size, and so
 * many more on each side. */
CRN_INLINE crn_size_box crn_edits_box(const crn_grid_space *space, cairn_node cell, uint32_t more)
{
    const uint32_t width = space->grid->width, height = space->grid->height;
    crn_size_box box = crn_size_reach(&space->size, width, height, cell % width, cell / width);
    box.left -= crn_min_u32(box.left, more);
    box.top -= crn_min_u32(box.top, more);
    box.right = crn_min_u32(box.right + more, width - 1);
    box.bottom = crn_min_u32(box.bottom + more, height - 1);
    return box;
}

/* Functions of a space: see cairn_space_changes. */
cairn_status crn_graph_changes(const cairn_space *space, uint64_t since, cairn_node_report *report,
                               void *user);
cairn_status crn_grid_changes(const cairn_space *space, uint64_t since, cairn_node_report *report,
                              void *user);

/* For views of a grid: reports, each once and ascending, all nodes near a cell that was edited
 * after version `since` or is one of these, and the ends of links that lead there or were
 * changed. */
typedef struct crn_changes_near {
    uint64_t since;
    const cairn_node *nodes;
    uint32_t count;
} crn_changes_near;
cairn_status crn_grid_changes_near(const crn_grid_space *space, const crn_changes_near *near,
                                   cairn_node_report *report, void *user);

#endif
