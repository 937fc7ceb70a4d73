/* path.h: the paths that searches return, and what can be done with them.
 *
 * A cairn_path is a view: plain data that is valid as long as its giver says. The path of a search
 * is valid until the next call on that search. There is nothing to free. A cairn_owned_path is
 * yours until you free it. Its `path` is a view of it, for all functions that read paths.
 */
#ifndef CAIRN_PATH_H
#define CAIRN_PATH_H

#include "base.h"
#include "space.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The step from nodes[at] to nodes[at + 1] of a path uses a link. */
typedef struct cairn_path_link {
    uint32_t at;
    uint32_t id; /* as given to cairn_grid_add_link */
} cairn_path_link;

struct cairn_algorithm; /* planner.h */
/* The opening between two nodes of a world made of areas, seen by an agent that walks through
 * it. */
typedef struct cairn_portal {
    cairn_position left, right;
} cairn_portal;

typedef struct cairn_path {
    cairn_status status;     /* CAIRN_FOUND, or why there is no (whole) path */
    bool partial;            /* ends before the goal */
    cairn_node end;          /* where it ends; CAIRN_NO_NODE if there is no path */
    const cairn_node *nodes; /* turning points, start and end included; on graphs every node */
    uint32_t count;          /* 0 only if there is no path; 1 if start and end are the same */
    cairn_cost cost;         /* in units; CAIRN_NO_COST if there is no path */
    /* grids: straight + diagonal·√2 in cells, links as their cost in straight steps; graphs: cost /
     * unit */
    double length;
    double suboptimality_bound;   /* cost ≤ bound × optimal; 0 = no bound is known */
    uint64_t version;             /* of the world it was found on */
    const cairn_path_link *links; /* the steps that use links, in order; NULL if there are none */
    uint32_t link_count;
    bool any_angle;  /* the points are joined by straight lines of any angle, or by links */
    bool improvable; /* planners with CAIRN_ANYTIME: cairn_search_improve may find a cheaper one */
    /* as in cairn_metrics; lives as long as the program */
    const struct cairn_algorithm *answered_by;
    const cairn_position *points; /* if not NULL: where the agent walks, see below */
    uint32_t point_count;
    const cairn_portal *portals; /* if not NULL: the i-th lies between nodes[i] and nodes[i + 1] */
    uint32_t portal_count;       /* count - 1, or 0 */
} cairn_path;

/* A path whose ends were asked for by position (cairn_query.by_position) has points: the exact
 * start if that was a position, then the position of each node, then the exact end if that was a
 * position and the path leads there. A path within one node between two positions has only these
 * two. Paths without points lead over the positions of their nodes. Cost and length are those of
 * the nodes.
 *
 * Grids and graphs have no portals. Where an edge of another world passes no opening, both sides of
 * its portal are the same point. */

/* A path of any angle (planners with CAIRN_ANY_ANGLE) is a sequence of points. Two consecutive
 * points are joined by a link, by a line as cairn_raycast finds it or, where the ground changes, by
 * a single step.
 * - A line costs its Euclidean length in cells times the price of a straight step on its ground,
 *   rounded up to a whole unit. The extra layer is added for each step that the line would take if
 *   all directions were allowed.
 * - A single step costs as much, at the price of the cell that it enters, and the climb.
 * - The cost of the path is the sum of these. `length` is Euclidean.
 * - Such steps and the lines before and after them may be merged into one line if all have the same
 *   direction (cairn_simplify and cairn_smooth_sight do). It costs the same as its parts, or up to
 *   one unit less for each two lines on the same ground. */

/* A path with memory of its own. */
typedef struct cairn_owned_path {
    cairn_path path;
    cairn_context *context; /* where the memory comes from; NULL if there is none */
} cairn_owned_path;

/* Copies a path into memory of the context.
 *   - What *out held before is overwritten, not freed.
 *   - If memory runs out, *out holds no path, with the status CAIRN_OUT_OF_MEMORY.
 *   - Give the memory back with cairn_path_free. */
CAIRN_API cairn_status cairn_path_copy(cairn_context *context, const cairn_path *path,
                                       cairn_owned_path *out);

/* Gives the memory of an owned path back, and leaves no path in it.
 *   - Allowed on one that is all zero, on one that is freed already, and on NULL.
 *   - The context must still live. */
CAIRN_API void cairn_path_free(cairn_owned_path *owned);

/* Return how many nodes the path visits, one step or link apart, and write these nodes from the
 * `first`-th on. cairn_path_cells returns how many were written.
 * - Of a line of any angle these are all cells whose inside it passes, in order. Where it passes
 *   exactly through a corner of squares, agents with four neighbours go round it. Where it only
 *   touches a point or a side of hexagons, it goes through one of those beside it.
 * - For a point without size all of them are legal steps.
 * - Counting takes constant time, except for lines of any angle among hexagons, where it takes as
 *   long as walking. */
CAIRN_API uint64_t cairn_path_step_count(const cairn_space *space, const cairn_path *path);
CAIRN_API uint32_t cairn_path_cells(const cairn_space *space, const cairn_path *path,
                                    uint64_t first, cairn_node *out, uint32_t capacity);

/* The same, one node at a time, in constant time each:
 *     cairn_path_iterator it = cairn_path_begin(space, path);
 *     for (cairn_node n; (n = cairn_path_next(&it)) != CAIRN_NO_NODE;) ... */
typedef struct cairn_path_iterator {
    const cairn_space *space;
    const cairn_path *path;
    uint32_t segment;
    cairn_node next;
    uint32_t link; /* index into path->links: those before it are passed */
} cairn_path_iterator;
CAIRN_API cairn_path_iterator cairn_path_begin(const cairn_space *space, const cairn_path *path);
CAIRN_API cairn_node cairn_path_next(cairn_path_iterator *iterator);

/* Returns whether the path can still be walked in the world as it is now.
 * - *cost becomes the sum of its steps.
 * - *from and *to become the first step (or line) that is not legal.
 * - A link must still exist with its id; its cost may have changed.
 * - Each of `cost`, `from` and `to` may be NULL. */
CAIRN_API bool cairn_path_valid(const cairn_space *space, const cairn_path *path, cairn_cost *cost,
                                cairn_node *from, cairn_node *to);

/* Merges points that lie in line (grids), in place in `nodes`. Returns the new count. Works on
 * turning points, on cell-by-cell lists, and on smoothed paths. Both ends of a link stay if it is
 * cheaper than a step, or where there is no step. */
CAIRN_API uint32_t cairn_simplify(const cairn_space *space, cairn_node *nodes, uint32_t count);

/* Returns whether the agent can walk in a straight line from the centre of a to the centre of b. On
 * graphs only if there is an edge.
 * - The line may not touch the inside of a blocked cell.
 * - A line exactly through a corner obeys the corner rule, as a diagonal step does.
 * - Cells that cost differently from a stop the line, and so do elevation limits.
 * - Among hexagons a line through the point of three of them, or along the side of two, needs all
 *   of them to be free: no corner is cut.
 * - An agent with a size has room all along the line.
 * - Links are not part of lines.
 * - `last` (may be NULL) becomes the last cell on the line that can be reached. For an agent with a
 *   size it may lie a little before that, since an obstacle ahead stops it as soon as it is
 *   near. */
CAIRN_API bool cairn_raycast(const cairn_space *space, cairn_node a, cairn_node b,
                             cairn_node *last);

/* Where a smoothed path is written, and what it is. The caller gives the first two: room for so
 * many points, or NULL to count them only. CAIRN_INVALID if there are more. */
typedef struct cairn_smoothed {
    cairn_node *nodes;
    uint32_t capacity;
    uint32_t count;
    cairn_cost cost;
    double length;
} cairn_smoothed;

/* Smooths a path by lines of sight, greedily (string pulling over the cells).
 * - Keeps the ends, never leaves walkable space, never lengthens.
 * - Writes the points of the smoothed path, which are joined by straight lines of any angle. There
 *   are at most as many as cells of the path.
 * - Of a path of any angle only the points are pulled, and there are at most as many as it has.
 * - Both ends of a link stay, one after the other.
 * - `out->length` becomes the Euclidean length in cells; links count as their cost in straight
 *   steps. `out->cost` becomes CAIRN_NO_COST. */
CAIRN_API cairn_status cairn_smooth_sight(const cairn_space *space, const cairn_path *path,
                                          cairn_smoothed *out);

/* Smooths a path by rays on the grid (Botea, Müller and Schaeffer 2004). From each node of the path
 * straight rays are sent in all directions of steps. Where one meets the path again farther on, and
 * costs no more than the part between, it replaces that part.
 * - The result is a path of legal steps. Writes its turning points, at most as many as cells of the
 *   path.
 * - `box` ends rays after this many cells (0 = no limit). That bounds the work for a cell, and
 *   smooths less.
 * - Both ends of a link stay, one after the other. Parts between links are smoothed separately.
 * - Paths on graphs stay as they are. CAIRN_UNSUPPORTED for paths of any angle.
 * - `out->length` counts as that of a path.
 * - Works in memory of the context, and gives it back. */
CAIRN_API cairn_status cairn_smooth_rays(const cairn_space *space, const cairn_path *path,
                                         uint32_t box, cairn_smoothed *out);

/* Where a curve is written, and what it is; see cairn_smoothed. */
typedef struct cairn_curve {
    cairn_position *points;
    uint32_t capacity;
    uint32_t count;
    double length;
} cairn_curve;

typedef struct cairn_curve_options {
    double reach;   /* in cells; 0 = no limit */
    double spacing; /* in cells, 1/16…16; 0 = 1/4 */
} cairn_curve_options;

/* Turns a path into a curve: pulls it straight as cairn_smooth_sight does, and rounds its corners.
 * Writes points, as cairn_space_position gives them, joined by straight lines.
 * - Points on curves lie at most `spacing` cells apart. Straight parts have none
 *   between their ends.
 * - A curve extends at most `reach` cells from its corner, and at most to the middle
 *   of each line.
 * - All lines can be walked as those of cairn_smooth_sight can. Curves stay on ground that costs
 *   the same as their corner. A curve that would not is made tighter step by step. If even a curve
 *   of an eighth of a cell would not, or if the path turns back on itself, the corner stays.
 * - At rounded corners neither direction nor curvature jumps, as far as a finite number of points
 *   allows.
 * - Keeps the ends. Both ends of a link stay, one after the other.
 * - Never longer than the pulled path, except for rounding to 1/131072 of a cell.
 * - `out->length` counts as for cairn_smooth_sight. `options` may be NULL.
 * - Works in memory of the context, and gives it back.
 * - CAIRN_UNSUPPORTED on graphs. */
CAIRN_API cairn_status cairn_smooth_spline(const cairn_space *space, const cairn_path *path,
                                           const cairn_curve_options *options, cairn_curve *out);

#ifdef __cplusplus
}
#endif
#endif
