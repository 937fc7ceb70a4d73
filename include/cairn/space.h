/* space.h: a space is a world as one kind of agent sees it: world + profile.
 *
 * Costs. Grid costs are unsigned 32-bit integers. A straight step is 5741 units and a diagonal step
 * 8119, a fraction so close to the square root of two that comparing costs means comparing lengths
 * on every map of sensible size. Larger or more expensive worlds use a coarser pair of the same
 * kind (cairn_space_scale). A step from a to b costs
 *
 *     step × terrain_cost[class of b]  +  layer(b) × layer_weight  +  climb × gradient
 *
 * where terrain_cost, layer_weight and gradient count in 256ths, and climb is the elevation gained
 * (going down costs nothing extra). Each product is rounded to whole units once:
 * - step × terrain_cost to the nearest unit, halves up, and to at least one unit; so whole
 *   multiples are exact, and straight and diagonal steps are rounded each by itself;
 * - the other two down.
 *
 * The scale is chosen for the largest terrain cost of the profile, whatever the map holds.
 * Estimates use the cheapest class that is present.
 */
#ifndef CAIRN_SPACE_H
#define CAIRN_SPACE_H

#include "base.h"
#include "graph.h"
#include "grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cairn_neighbours {
    CAIRN_NEIGHBOURS_4,
    CAIRN_NEIGHBOURS_8,
    CAIRN_NEIGHBOURS_HEX, /* of hexagons: needs a grid of that layout, which needs it */
    CAIRN_NEIGHBOURS_COUNT
} cairn_neighbours;

/* When a diagonal step is allowed, by the two cells beside it. */
typedef enum cairn_corners {
    CAIRN_CORNERS_NEVER,  /* only if both are free: no corner is cut (MovingAI rule) */
    CAIRN_CORNERS_ONE,    /* if at least one is free */
    CAIRN_CORNERS_ALWAYS, /* always, even between two blocked cells */
    CAIRN_CORNERS_COUNT
} cairn_corners;

/* A side cell is free if the agent can stand on it and the two straight steps over it obey the
 * elevation limits. */

/* Converts a factor of 0 to 255.99 into a terrain cost, which counts in 256ths. */
#define CAIRN_TIMES(factor) ((uint16_t)((factor)*256.0 + 0.5))

#define CAIRN_ANY_STEP INT32_MAX
#define CAIRN_COST_SCALES 8u
#define CAIRN_COST_SCALE_AUTO UINT32_MAX

typedef struct cairn_profile {
    cairn_neighbours neighbours;
    cairn_corners corners;
    uint16_t terrain_cost[256]; /* per class, in 256ths: CAIRN_TIMES(1.5); 0 = forbidden */
    /* 256ths of a straight step per unit of the extra layer; 0 = ignore it */
    uint16_t layer_weight;
    uint16_t gradient;   /* 256ths of a straight step per unit of elevation gained */
    int32_t max_climb;   /* largest elevation gained in one step; CAIRN_ANY_STEP = no limit */
    int32_t max_drop;    /* largest elevation lost in one step */
    uint32_t cost_scale; /* 0 (5741/8119) … 7 (5/7), or CAIRN_COST_SCALE_AUTO */
    /* In cells, 0…CAIRN_RADIUS_MAX. The agent can stand on a cell if no blocked cell lies nearer
     * than this to its centre. Up to 0.5 that is every open cell. The distance is kept all along a
     * path too, see below. */
    double radius;
    /* 0…CAIRN_FOOTPRINT_MAX: n × n cells must be free, of which the node is the upper left one. 0
     * and 1 change nothing. Not together with a radius, nor on hexagons. */
    uint32_t footprint;
    uint32_t links; /* bit k: may use links of kind k */
} cairn_profile;

#define CAIRN_RADIUS_MAX 32.0
#define CAIRN_FOOTPRINT_MAX 64u

/* For the size of an agent, "blocked" means not open, forbidden by its profile, or outside the map.
 * An agent with a size, however small, never cuts a corner: the profile of its space says
 * CAIRN_CORNERS_NEVER, whatever was asked for, and the agent can stand on both cells beside a
 * diagonal step. On hexagons a step is legal if no blocked cell lies nearer than the radius to any
 * point of the line between the two centres. */

/* Returns the default profile.
 * - Eight neighbours; no corner is cut.
 * - Ground, swamp and your own classes cost 1; water and trees are forbidden.
 * - Layer and gradient are ignored; there is no elevation limit.
 * - The agent is a point without size that may use all links. */
CAIRN_API cairn_profile cairn_profile_default(void);

/* Returns the default profile for this grid: with six neighbours if it is made of hexagons. */
CAIRN_API cairn_profile cairn_profile_for(const cairn_grid *grid);

typedef struct cairn_space cairn_space;
/* A view (below) is a kind of its own: it has no grid and no profile to ask for; the space below it
 * has. */
typedef enum cairn_world_kind {
    CAIRN_WORLD_GRID,
    CAIRN_WORLD_GRAPH,
    CAIRN_WORLD_MESH, /* reserved for navigation meshes: there is no such world yet */
    CAIRN_WORLD_VIEW,
    CAIRN_WORLD_CALLBACKS, /* of functions of yours (callbacks.h) */
    CAIRN_WORLD_COUNT
} cairn_world_kind;

/* Makes a space: the grid as an agent with this profile sees it.
 *   - A profile that is NULL, or whose fields are all zero, stands for cairn_profile_for(grid).
 *   - Any other profile that forbids every terrain class is refused: CAIRN_INVALID.
 *   - The space keeps a copy of the profile, with the corner rule that it uses.
 *   - The space keeps the grid alive, should you destroy that first. */
CAIRN_API cairn_status cairn_space_of_grid(cairn_grid *grid, const cairn_profile *profile,
                                           cairn_space **out, cairn_error *error);
CAIRN_API cairn_status cairn_space_of_graph(cairn_graph *graph, cairn_space **out,
                                            cairn_error *error);

/* Destroys a space. Its planners and views keep it alive and go on working. NULL is allowed. */
CAIRN_API void cairn_space_destroy(cairn_space *space);

/* Keeps the space alive for objects of your own, until one more cairn_space_destroy. Returns it. */
CAIRN_API cairn_space *cairn_space_keep(const cairn_space *space);

CAIRN_API cairn_world_kind cairn_space_world(const cairn_space *space);

/* Return the world of a space, or NULL if it is of another kind. Only grids have a profile. */
CAIRN_API const cairn_grid *cairn_space_grid(const cairn_space *space);
CAIRN_API const cairn_graph *cairn_space_graph(const cairn_space *space);
CAIRN_API const cairn_profile *cairn_space_profile(const cairn_space *space);

CAIRN_API cairn_context *cairn_space_context(const cairn_space *space);
CAIRN_API uint64_t cairn_space_version(const cairn_space *space);
CAIRN_API size_t cairn_space_bytes(const cairn_space *space);
CAIRN_API uint32_t cairn_space_node_count(const cairn_space *space);

/* What a unit is: cost units per straight and per diagonal step. On graphs `straight` is the units
 * per 1.0 of weight (0 if weights were integers), and `diagonal` is 0. */
typedef struct cairn_scale {
    uint32_t straight, diagonal;
} cairn_scale;
CAIRN_API cairn_scale cairn_space_scale(const cairn_space *space);

/* Returns whether the agent may stand here. False if there is no such node. */
CAIRN_API bool cairn_space_usable(const cairn_space *space, cairn_node node);

/* Returns whether nodes have positions. False only on graphs without positions. */
CAIRN_API bool cairn_space_has_positions(const cairn_space *space);

/* Return the position of a node, and the node at a position. Grids ignore z. On graphs it is the
 * nearest node. */
CAIRN_API cairn_position cairn_space_position(const cairn_space *space, cairn_node node);
CAIRN_API cairn_node cairn_space_node_at(const cairn_space *space, cairn_position position);

typedef struct cairn_edge {
    cairn_node node;
    cairn_cost cost;
} cairn_edge;

/* Writes the edges that leave `node`, from the `first`-th on, at most `capacity` of them. Returns
 * how many were written; fewer than `capacity` means that there are no more. An edge that costs
 * more than 32 bits hold (a link, or a steep step) has CAIRN_NO_COST, and no path leads over it. */
CAIRN_API uint32_t cairn_space_expand(const cairn_space *space, cairn_node node, uint32_t first,
                                      cairn_edge *out, uint32_t capacity);

/* The edges that lead to `node`: each predecessor, with the cost of its edge to `node`. Batches as
 * in cairn_space_expand. On grids predecessors by steps come first, then those by links. */
CAIRN_API uint32_t cairn_space_expand_back(const cairn_space *space, cairn_node node,
                                           uint32_t first, cairn_edge *out, uint32_t capacity);

/* Returns the cost of the cheapest edge from a to b, or CAIRN_NO_COST if there is none. */
CAIRN_API cairn_cost cairn_space_step_cost(const cairn_space *space, cairn_node a, cairn_node b);

/* ---- changes ----------------------------------------------------------------------- */

typedef void cairn_node_report(void *user, cairn_node node);

/* Reports the nodes whose edges differ between version `since` of the world and now: edges that
 * lead away or to them have come, gone, or cost more or less. Each node once, in ascending order.
 *
 * - Grids: exactly those nodes, after the agent's size, corner rule, heights and links.
 * - Graphs: both ends of every edge that a commit since then touched; some may be again what they
 *   were.
 * - Views: all nodes near a cell that was edited in the grid or in the view, whether their edges
 *   differ or not.
 * - The cost is proportional to the area that was edited (and to the number of links), not to the
 *   world.
 * - CAIRN_STALE: the world has forgotten a commit since then. Nothing was reported; a user of
 *   the changes must start from scratch. See cairn_grid_commit_info for how much is remembered.
 * - CAIRN_INVALID: a version that does not exist yet. CAIRN_OUT_OF_MEMORY: nothing was reported. */
CAIRN_API cairn_status cairn_space_changes(const cairn_space *space, uint64_t since,
                                           cairn_node_report *report, void *user);

/* Checks the whole space, and reports every edge that cannot be walked or whose cost is wrong.
 * Edges are derived again from the world, without the space's own tables. Returns how many are
 * wrong. `report` may be NULL. */
typedef void cairn_fault_report(void *user, cairn_node from, cairn_node to, const char *text);
CAIRN_API uint64_t cairn_space_validate(const cairn_space *space, cairn_fault_report *report,
                                        void *user);

/* ---- views ------------------------------------------------------------------------- */

/* Creates a view: a space with a small patch on top. Cells are blocked, opened or more expensive
 * for searches in the view, and unchanged for all others. Use it for what a sensor sees, for
 * temporary obstacles, or for other agents that are in the way of one query. Nothing is copied: a
 * view takes memory only for its patch, and many may lie over one space.
 *
 * - Only over spaces of grids: CAIRN_UNSUPPORTED for others.
 * - Planners without an index that work on graphs can be made for it (dijkstra, astar, …); the
 *   others are refused with a reason. The search is the generic one, slower than on the grid
 *   itself.
 * - Answers are those of a grid with these cells, sizes, corners, heights and links included. Paths
 *   name every node and do not name links; their length is that of the lines from centre to centre.
 * - Commits of the grid reach the view. Its version rises with them and with every change of its
 *   own.
 * - Components are those of the space, without blocked cells; once a cell is opened, all nodes are
 *   in one. cairn_reachable says no or maybe.
 * - Editing needs exclusive access, as commits do. A view keeps its space alive.
 */
CAIRN_API cairn_status cairn_space_view_create(cairn_space *space, cairn_space **out,
                                               cairn_error *error);

/* Blocks a cell of a view. A cell is blocked or opened, whichever was called last, and may cost
 * more in addition. For this function and those below:
 * - CAIRN_OUT_OF_BOUNDS: there is no such node.
 * - CAIRN_INVALID: the space is not a view.
 * - CAIRN_OUT_OF_MEMORY: nothing has changed. */
CAIRN_API cairn_status cairn_view_block(cairn_space *view, cairn_node node);

/* Opens a cell, as if it were open in the grid. Terrain that the profile forbids stays
 * forbidden. */
CAIRN_API cairn_status cairn_view_open(cairn_space *view, cairn_node node);

/* Makes steps into a cell cost `extra` more, in 256ths of a straight step on plain ground. */
CAIRN_API cairn_status cairn_view_cost(cairn_space *view, cairn_node node, uint32_t extra);

/* Restore a cell, or all cells, to their state in the grid. */
CAIRN_API cairn_status cairn_view_restore(cairn_space *view, cairn_node node);
CAIRN_API cairn_status cairn_view_clear(cairn_space *view);

/* Return how many cells the patch has, and the space below; NULL if the space is not a view. */
CAIRN_API uint32_t cairn_view_count(const cairn_space *view);
CAIRN_API const cairn_space *cairn_view_space(const cairn_space *view);

/* ---- reachability ------------------------------------------------------------------ */

/* Every space knows its connected components. Commits keep them up to date, so these questions need
 * no search. Where steps may be impossible in reverse (links, directed edges of a graph, different
 * limits for climbing and dropping), components are those of the undirected graph. Then there is
 * certainly no path between different components, and within one there may be one ("maybe"). */
typedef enum cairn_reach { CAIRN_REACH_NO, CAIRN_REACH_YES, CAIRN_REACH_MAYBE } cairn_reach;
CAIRN_API cairn_reach cairn_reachable(const cairn_space *space, cairn_node from, cairn_node to);

/* Returns the number of a node's component, or 0 if the agent cannot stand there. Two nodes are
 * connected if their numbers are the same. Valid until the next commit. */
CAIRN_API uint64_t cairn_space_component(const cairn_space *space, cairn_node node);

/* Returns whether there may be steps that cannot be walked back. */
CAIRN_API bool cairn_space_directed(const cairn_space *space);

/* Counts the components, and the nodes of the largest one. Visits every tile, so this is for
 * reports. */
CAIRN_API cairn_status cairn_space_components(const cairn_space *space, uint32_t *count,
                                              uint32_t *largest);

/* Finds the node in the component of `from` that is nearest to `to`: the one with the least
 * estimate, without links, then the least number. CAIRN_BLOCKED_START if the agent cannot stand at
 * `from`. */
CAIRN_API cairn_status cairn_nearest_reachable(const cairn_space *space, cairn_node from,
                                               cairn_node to, cairn_node *out);

/* Finds the usable node nearest to `node`, by distance between their positions, then by the least
 * number: where a unit goes that a wall was built on. A usable node is its own answer.
 * - `limit` is the largest distance: cells on grids, position units on graphs; INFINITY = none.
 * - CAIRN_UNREACHABLE: there is none so near. CAIRN_UNSUPPORTED: the nodes have no positions.
 * - On grids it takes time for each cell nearer than the answer; on graphs a tree is asked. */
CAIRN_API cairn_status cairn_nearest_usable(const cairn_space *space, cairn_node node, double limit,
                                            cairn_node *out);

/* Picks a random node of the component of `from`, each with the same probability. *seed is updated,
 * for the next call. */
CAIRN_API cairn_status cairn_random_reachable(const cairn_space *space, cairn_node from,
                                              uint64_t *seed, cairn_node *out);

/* The work of the last commit to update the space, in bounded pieces. */
typedef struct cairn_upkeep {
    uint64_t rows_eroded;   /* rows of 64 cells recomputed for the agent's size */
    uint64_t cells_cleared; /* values of the clearance field computed */
    uint32_t tiles_updated; /* 64×64 tiles whose parts were recomputed */
    uint32_t blocks_joined; /* groups of 8×8 tiles, of 8×8 such groups, …, rejoined */
} cairn_upkeep;
CAIRN_API cairn_upkeep cairn_space_upkeep(const cairn_space *space);

/* ---- sizes -------------------------------------------------------------------------- */

/* Returns the distance in cells from the centre of a cell to the nearest blocked cell.
 * - What is blocked depends on the profile; the outside of the map is.
 * - 0 for a blocked cell, and on graphs.
 * - Is looked up if the space keeps a clearance field, and else computed. */
CAIRN_API double cairn_space_clearance(const cairn_space *space, cairn_node node);

/* Keeps a field of clearances through all commits, with 2 bytes a cell. `cells` is the largest
 * value that is kept (1…64; larger ones read as `cells`). 0 drops the field. */
CAIRN_API cairn_status cairn_space_keep_clearance(cairn_space *space, uint32_t cells);

/* Costs that keep paths away from walls: right beside one a cell has `cost` units of the extra
 * layer, and less with the distance, down to none `range` cells farther away. */
typedef struct cairn_walls {
    double range; /* more than 0, less than 64 */
    uint8_t cost; /* profile.layer_weight says what a unit costs */
    /* The version of the grid after the last commit of such costs: only cells near others that were
     * edited since are looked at. 0: all cells. */
    uint64_t since;
} cairn_walls;

/* Stages such costs as edits of the extra layer of the grid (cairn_grid_set_layer), which they
 * replace. The next commit makes them effective, for all spaces of the grid that have a
 * layer_weight.
 * - A wall is what the agent may not enter, and the outside of the map: see cairn_space_clearance.
 * - Call it again after commits that open, block or change terrain.
 * - CAIRN_INVALID: a senseless range, or a version that does not exist yet.
 * - CAIRN_UNSUPPORTED: not a space of a grid, or a view.
 * - CAIRN_STALE: the grid has forgotten a commit after `since`. Use 0.
 * - CAIRN_OUT_OF_MEMORY: some are staged; cairn_grid_discard drops them. */
CAIRN_API cairn_status cairn_space_stage_walls(cairn_space *space, const cairn_walls *walls);

/* ---- explanations -------------------------------------------------------------------- */

typedef enum cairn_reason {
    CAIRN_REASON_NONE,       /* the agent can stand on the cell; the step is legal */
    CAIRN_REASON_OUTSIDE,    /* it lies outside the world */
    CAIRN_REASON_BLOCKED,    /* it is not open */
    CAIRN_REASON_TERRAIN,    /* the profile forbids its terrain class */
    CAIRN_REASON_TOO_NARROW, /* too near to something blocked for the agent's size */
    /* a step that cuts a corner, or passes one too near for the agent's size */
    CAIRN_REASON_CORNER,
    CAIRN_REASON_CLIMB,   /* a step too high up ... */
    CAIRN_REASON_DROP,    /* ... or down */
    CAIRN_REASON_NO_STEP, /* the cells are not neighbours in this neighbourhood */
    CAIRN_REASON_COUNT
} cairn_reason;

typedef struct cairn_explanation {
    cairn_reason reason; /* why the agent cannot stand here */
    uint8_t terrain;     /* the class of the cell */
    double clearance;    /* as cairn_space_clearance */
    /* the nearest blocked cell; CAIRN_NO_NODE if that is the edge of the map, or if there is
     * none */
    cairn_node obstacle;
    uint64_t component; /* as cairn_space_component */
    /* to the cells (x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y), then (x + 1, y - 1), (x + 1, y +
     * 1), (x - 1, y + 1), (x - 1, y - 1); cairn_step_name names them */
    cairn_reason steps[8];
    char text[240]; /* all of it in a sentence or two */
} cairn_explanation;

/* Explains why the agent can or cannot stand on a cell, and which steps lead away from it, or would
 * if the agent could stand there. Cells outside the map are explained too. CAIRN_UNSUPPORTED on
 * graphs. */
CAIRN_API cairn_status cairn_explain(const cairn_space *space, int32_t x, int32_t y,
                                     cairn_explanation *out);

/* Returns the name of the i-th step: north, east, south, west, north-east, south-east, south-west,
 * north-west.
 * - Hexagons have no neighbour in the north or south. In even rows (0, 2, …), which lie half a cell
 *   to the left of the others, (x, y - 1) is the north-eastern neighbour and (x, y + 1) the
 *   south-eastern one. In odd rows they are the north-western and the south-western one.
 * - NULL for i above 7, on graphs, and for the two cells that are not neighbours of a hexagon in
 *   row y. */
CAIRN_API const char *cairn_step_name(const cairn_space *space, int32_t y, uint32_t i);

/* Returns the text of a reason: "too narrow" and so on. */
CAIRN_API const char *cairn_reason_text(cairn_reason reason);

/* ---- heuristics ------------------------------------------------------------------ */

typedef enum cairn_heuristic {
    CAIRN_HEURISTIC_AUTO, /* the strongest that never overestimates here */
    CAIRN_HEURISTIC_NULL,
    CAIRN_HEURISTIC_MANHATTAN,
    CAIRN_HEURISTIC_OCTILE,
    CAIRN_HEURISTIC_EUCLIDEAN,
    CAIRN_HEURISTIC_CHEBYSHEV,
    CAIRN_HEURISTIC_HEX, /* steps between hexagons; on squares the same as Chebyshev */
    CAIRN_HEURISTIC_COUNT
} cairn_heuristic;

/* Returns the name of a heuristic: "octile" and so on. */
CAIRN_API const char *cairn_heuristic_name(cairn_heuristic heuristic);

/* Returns whether the heuristic never overestimates in this space. (On graphs every estimate is
 * scaled so that it never does.) */
CAIRN_API bool cairn_heuristic_admissible(const cairn_space *space, cairn_heuristic heuristic);

/* Returns the estimated cost from a to b. */
CAIRN_API cairn_cost cairn_estimate(const cairn_space *space, cairn_heuristic heuristic,
                                    cairn_node a, cairn_node b);

#ifdef __cplusplus
}
#endif
#endif
