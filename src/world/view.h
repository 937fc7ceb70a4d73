/* view.h: a space with a patch on top: cells blocked, opened or made more expensive for some
 * searches only.
 *
 * A view answers from its patch (patch.h) where a patched cell is near, and from the space below
 * otherwise. It is a space of a kind of its own, so that no loop made for grids mistakes it for
 * one: planners without an index search it by the generic loop. Components are those of the space
 * below as far as blocking goes; once a cell is opened it is not known what is connected, and all
 * nodes are in one.
 *
 * The space below keeps a list of its views and refreshes them after every commit. The version of
 * a view is that of the space below plus the number of edits of its own: it rises with both.
 */
#ifndef CRN_VIEW_H
#define CRN_VIEW_H

#include "world/patch.h"

/* An edit of a view that is remembered: the version that it made, and of which cell. */
typedef struct crn_view_edit {
    uint64_t version;
    cairn_node node;
} crn_view_edit;

#define CRN_VIEW_EDITS 256u

/* What a patched cell is, besides more expensive (crn_patch_cell.mode). Its state follows from this
 * and the grid. */
enum { CRN_VIEW_AS_IS, CRN_VIEW_BLOCKED, CRN_VIEW_OPEN };

typedef struct crn_view {
    cairn_space base;
    crn_grid_space *ground;
    struct crn_view *next; /* of the same ground */
    crn_patch patch;
    crn_patch_cell *cells; /* of the patch */
    size_t capacity;
    cairn_cost extra;     /* the greatest that a cell of the patch costs more */
    uint32_t opened;      /* cells of the patch that are opened */
    crn_space_link *more; /* links that can be used in the view only, ascending by from, then to */
    uint32_t more_count;
    size_t more_capacity;
    bool blind;          /* one of them is a shortcut: no estimate holds */
    cairn_cost share[2]; /* estimates are share[0] / share[1] of those below; 0 = the same */
    uint64_t edits;      /* made so far */
    crn_view_edit remembered[CRN_VIEW_EDITS]; /* ring, by number */
} crn_view;

/* The view, NULL if the space is none. */
CRN_INLINE const crn_view *crn_view_of(const cairn_space *space)
{
    return space->world == CAIRN_WORLD_VIEW ? (const crn_view *)(const void *)space : NULL;
}

/* The space below a view; any other space itself. */
CRN_INLINE const cairn_space *crn_view_ground(const cairn_space *space)
{
    const crn_view *view = crn_view_of(space);
    return view ? &view->ground->base : space;
}

/* A view that is not known to the space below, for one search (search/filter.c). `learn` must be
 * called after every commit, and when `cells` and `patch` are set. `ground` must outlive it. */
void crn_view_init(crn_view *view, crn_grid_space *ground);
void crn_view_learn(crn_view *view);

/* The link by which a path in the view goes from a to b, NULL if it walks. */
const crn_space_link *crn_view_link_used(const crn_view *view, cairn_node a, cairn_node b);

/* prepare: before a commit of the grid, gets all memory that the views of a space may need; false =
 * there is none. refresh: after it. */
bool crn_views_prepare(crn_grid_space *ground, uint32_t link_count);
void crn_views_refresh(crn_grid_space *ground);

#endif
