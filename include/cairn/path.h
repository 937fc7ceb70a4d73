/* path.h: results and what can be done with them.
 *
 * A cairn_path is a view: plain data, valid as long as whoever gave it says so; those of a search
 * until the next call on that search. There is nothing to free. A cairn_owned_path is yours until
 * you free it; its `path` is a view of it, for all functions that read paths.
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
 * position and the path leads there. A path within one node between two positions has these two
 * only. Paths without points lead over the positions of their nodes. Cost and length are those of
 * the nodes.
 *
 * Grids and graphs have no portals. An edge of another world that passes no opening has a portal
 * whose sides are one point. */

/* A path of any angle (planners with CAIRN_ANY_ANGLE). Between two points in a row that no link
 * joins there is a line as cairn_raycast finds it or, where the ground changes, a single step; such
 * steps and the lines before and behind them may be merged to one line if all go in the same
 * direction (cairn_simplify and cairn_smooth_sight do), which costs the same as its parts, but for
 * up to a unit less for each two lines of the same ground. A line costs its Euclidean length in
 * cells times what a straight step costs on its ground, rounded up to a whole unit, and what the
 * extra layer adds for each step that it would take if all directions were allowed; the step
 * costs as much, at the price of the cell that it enters, and the climb. The cost of the path
 * is the sum of these; `length` is Euclidean. */

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

/* How many nodes the path visits, one step or link apart; and the nodes themselves from the
 * `first`-th on: returns how many were written. Of a line of any angle among squares these are all
 * cells whose inside it passes, in order (where it passes exactly through a corner, agents with
 * four neighbours go round it); so it is among hexagons, where it goes through one of those beside
 * a point or a side that it only touches. For a point without size all of them are legal steps.
 * Counting takes as long as walking on lines of any angle among hexagons, and no time else. */
CAIRN_API uint64_t cairn_path_step_count(const cairn_space *space, const cairn_path *path);
CAIRN_API uint32_t cairn_path_cells(const cairn_space *space, const cairn_path *path,
                                    uint64_t first, cairn_node *out, uint32_t capacity);

/* The same one node at a time, in constant time each:
 *     cairn_path_iterator it = cairn_path_begin(space, path);
 *     for (cairn_node n; (n = cairn_path_next(&it)) != CAIRN_NO_NODE;) ... */
typedef struct cairn_path_iterator {
    const cairn_space *space;
    const cairn_path *path;
    uint32_t segment;
    cairn_node next;
    uint32_t link; /* of path->links: those before it are behind us */
} cairn_path_iterator;
CAIRN_API cairn_path_iterator cairn_path_begin(const cairn_space *space, const cairn_path *path);
CAIRN_API cairn_node cairn_path_next(cairn_path_iterator *iterator);

/* Can the path still be walked in the world as it is now? Sums up its cost; on a fault names the
 * first step (or line) that cannot be made (from, to). A link must still be there with its id; it
 * may have become more expensive or cheaper. Each out may be NULL. */
CAIRN_API bool cairn_path_valid(const cairn_space *space, const cairn_path *path, cairn_cost *cost,
                                cairn_node *from, cairn_node *to);

/* Merges points in line (grids). In place in `nodes`; returns the new count. Works on turning
 * points, on cell-by-cell lists, and on smoothed paths. Two points that a link joins (one that is
 * cheaper than a step, or where there is no step) are both kept. */
CAIRN_API uint32_t cairn_simplify(const cairn_space *space, cairn_node *nodes, uint32_t count);

/* Can an agent walk in a straight line from the centre of a to the centre of b? Grids only (graphs:
 * only if there is an edge). The line may touch no blocked cell's inside; passing exactly through a
 * corner obeys the corner rule as a diagonal step does. With terrain, cells that cost differently
 * from a stop the line too, and so do elevation limits. Among hexagons a line through the point of
 * three of them, or along the side of two, needs all of these: nothing is cut. An agent with a size
 * has room all along the line. Links are no part of lines. `last` (may be NULL) gets the last cell
 * on the line that can be reached. For an agent with a size it may lie a little before that: what
 * is in the way farther on stops it as soon as it is near. */
CAIRN_API bool cairn_raycast(const cairn_space *space, cairn_node a, cairn_node b,
                             cairn_node *last);

/* Greedy line-of-sight smoothing (string pulling over the cells): keeps the ends, never leaves
 * walkable space, never lengthens. Writes the points of the smoothed path, which are joined by
 * straight lines of any angle; at most the number of cells of the path (out = NULL just counts). Of
 * a path of any angle the points are pulled, and so many are enough. Both ends of a link stay, one
 * behind the other. `length` (may be NULL) gets the Euclidean length in cells, links as their cost
 * in straight steps. */
CAIRN_API cairn_status cairn_smooth_sight(const cairn_space *space, const cairn_path *path,
                                          cairn_node *out, uint32_t capacity, uint32_t *count,
                                          double *length);

/* Ray smoothing on the grid (Botea, Müller and Schaeffer 2004): from each node of the path straight
 * rays are sent in all directions that steps have; where one hits the path again farther on, and is
 * no more expensive than what lies between, it takes its place. The result is a path of legal
 * steps: its turning points, at most the number of cells of the path (out = NULL just counts), and
 * its cost. `box`: rays end so many cells away (0 = no limit): that bounds what a cell costs, and
 * smooths less. Both ends of a link stay, one behind the other; what lies between links is smoothed
 * by itself; paths on graphs stay as they are; CAIRN_UNSUPPORTED for paths of any angle. `length`
 * counts as that of a path. Works in memory of the context, and gives it back. `cost` and `length`
 * may be NULL. */
CAIRN_API cairn_status cairn_smooth_rays(const cairn_space *space, const cairn_path *path,
                                         uint32_t box, cairn_node *out, uint32_t capacity,
                                         uint32_t *count, cairn_cost *cost, double *length);

/* The path as a curve: pulled straight as by cairn_smooth_sight, and its corners rounded. Writes
 * points, as cairn_space_position gives them, joined by straight lines; those of curves lie at most
 * `spacing` cells apart (1/16…16; 0 = 1/4), on what stays straight there are none between (out =
 * NULL just counts). A curve begins at most `reach` cells before its corner (0 = no limit) and
 * before the middle of the line to the next one. All lines can be walked as those of
 * cairn_smooth_sight can, and curves stay on ground that costs what their corner costs: where one
 * would not, it is made tighter step by step, and where even a curve of an eighth of a cell would
 * not, or the path turns back on itself, the corner stays as it is. At corners that are rounded
 * neither direction nor curvature jumps, but for the points being finite. Keeps the ends; both ends
 * of a link stay, one behind the other. Never longer than the pulled path, but for rounding to
 * 1/131072 of a cell. `length` (may be NULL) counts as for cairn_smooth_sight. Works in memory of
 * the context, and gives it back. CAIRN_UNSUPPORTED on graphs. */
CAIRN_API cairn_status cairn_smooth_spline(const cairn_space *space, const cairn_path *path,
                                           double reach, double spacing, cairn_position *out,
                                           uint32_t capacity, uint32_t *count, double *length);

#ifdef __cplusplus
}
#endif
#endif
