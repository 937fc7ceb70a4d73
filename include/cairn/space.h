/* space.h: a world as one kind of agent sees it: world + profile.
 *
 * Costs. Grid costs are unsigned 32-bit integers: a straight step is 5741 units and a
 * diagonal step 8119, a fraction so close to the square root of two that comparing
 * costs is comparing lengths on every map of sensible size; larger or costlier worlds
 * use a coarser pair of the same kind (cairn_space_scale). Moving from a to b costs
 *
 *     step × terrain_cost[class of b]  +  layer(b) × layer_weight  +  climb × gradient
 *
 * where terrain_cost, layer_weight and gradient count in 256ths, and climb is the elevation gained
 * (nothing is paid for going down). Each product is rounded to whole units once:
 *   - step × terrain_cost to the nearest one, halves up, and never to less than one unit; so whole
 *     multiples are exact, and a straight and a diagonal step are rounded each by itself;
 *   - the other two down.
 * The scale is chosen for the largest terrain cost of the profile, whatever the map holds.
 * Estimates go by the cheapest class that is present.
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

/* A side cell is free if it can be stood on and the two straight steps over it obey the
 * elevation limits. */

/* A terrain cost: so many times what a step costs otherwise, 0 to 255.99, in 256ths. */
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
    uint32_t cost_scale; /* cost scale: 0 (5741/8119) … 7 (5/7), or CAIRN_COST_SCALE_AUTO */
    /* In cells, 0…CAIRN_RADIUS_MAX: a cell can be stood on if no blocked cell lies nearer than this
     * to its centre. Up to 0.5 that is every open cell. The distance is kept all along every path
     * too, see below. */
    double radius;
    /* 0…CAIRN_FOOTPRINT_MAX cells: n × n cells, of which the node is the upper left one, must be
     * free; 0 and 1 change nothing. Not together with a radius, nor on hexagons. */
    uint32_t footprint;
    uint32_t links; /* bit k: may use links of kind k */
} cairn_profile;

#define CAIRN_RADIUS_MAX 32.0
#define CAIRN_FOOTPRINT_MAX 64u

/* "Blocked" for the size of an agent is what its profile forbids as well as what is not open, and
 * everything outside the map. An agent with a size, however small, never cuts a corner: the profile
 * of its space says CAIRN_CORNERS_NEVER, whatever was asked for, and both cells beside a diagonal
 * step can be stood on. On hexagons a step can be made if no blocked cell lies nearer than the
 * radius to any point of the path between the two centres. */

/* Eight neighbours, no corner cut, ground and swamp cost 1, water and trees are
 * forbidden, your own classes cost 1; layer and gradient ignored, no elevation limit; a point
 * without size that may use all links. */
CAIRN_API cairn_profile cairn_profile_default(void);

/* The same for this grid: six neighbours if it is made of hexagons. */
CAIRN_API cairn_profile cairn_profile_for(const cairn_grid *grid);

typedef struct cairn_space cairn_space;
/* A view (below) is a kind of its own: it has no grid and no profile to ask for; the space below it
 * has. */
typedef enum cairn_world_kind {
    CAIRN_WORLD_GRID,
    CAIRN_WORLD_GRAPH,
    CAIRN_WORLD_MESH, /* reserved for navigation meshes: there is no such world yet */
    CAIRN_WORLD_VIEW,
    CAIRN_WORLD_COUNT
} cairn_world_kind;

/* Makes a space: the grid as an agent with this profile sees it.
 *   - A profile that is NULL, or whose fields are all zero, stands for cairn_profile_for(grid).
 *   - Any other profile that forbids every terrain class is refused: CAIRN_INVALID.
 *   - The space keeps a copy of the profile, with the corner rule that it goes by.
 *   - The grid must outlive the space and is not owned by it. */
CAIRN_API cairn_status cairn_space_of_grid(cairn_grid *grid, const cairn_profile *profile,
                                           cairn_space **out, cairn_error *error);
CAIRN_API cairn_status cairn_space_of_graph(cairn_graph *graph, cairn_space **out,
                                            cairn_error *error);

/* Planners of the space must be gone. NULL is allowed. */
CAIRN_API void cairn_space_destroy(cairn_space *space);

CAIRN_API cairn_world_kind cairn_space_world(const cairn_space *space);

/* The world of a space: NULL if it is of another kind. Only grids have a profile. */
CAIRN_API const cairn_grid *cairn_space_grid(const cairn_space *space);
CAIRN_API const cairn_graph *cairn_space_graph(const cairn_space *space);
CAIRN_API const cairn_profile *cairn_space_profile(const cairn_space *space);

CAIRN_API cairn_context *cairn_space_context(const cairn_space *space);
CAIRN_API uint64_t cairn_space_version(const cairn_space *space);
CAIRN_API size_t cairn_space_bytes(const cairn_space *space);
CAIRN_API uint32_t cairn_space_node_count(const cairn_space *space);

/* What a unit is: cost units per straight and per diagonal step. Graphs: straight =
 * units per 1.0 of weight (0 when weights were integers), diagonal 0. */
typedef struct cairn_scale {
    uint32_t straight, diagonal;
} cairn_scale;
CAIRN_API cairn_scale cairn_space_scale(const cairn_space *space);

/* May the agent stand here? False for nodes that are none. */
CAIRN_API bool cairn_space_usable(const cairn_space *space, cairn_node node);

/* Do the positions of its nodes mean something? False only on graphs without positions. */
CAIRN_API bool cairn_space_has_positions(const cairn_space *space);

/* The position of a node, and the node at a position. Grids ignore z; on graphs it is the nearest
 * node. */
CAIRN_API cairn_position cairn_space_position(const cairn_space *space, cairn_node node);
CAIRN_API cairn_node cairn_space_node_at(const cairn_space *space, cairn_position position);

typedef struct cairn_edge {
    cairn_node node;
    cairn_cost cost;
} cairn_edge;

/* The edges that leave `node`, from the `first`-th on, at most `capacity` of them;
 * returns how many were written (less than capacity: there are no more). */
CAIRN_API uint32_t cairn_space_expand(const cairn_space *space, cairn_node node, uint32_t first,
                                      cairn_edge *out, uint32_t capacity);

/* The edges that lead to `node`: each predecessor, with the cost of its edge to `node`. Batches as
 * in cairn_space_expand. On grids predecessors by steps come first, then those by links. */
CAIRN_API uint32_t cairn_space_expand_back(const cairn_space *space, cairn_node node,
                                           uint32_t first, cairn_edge *out, uint32_t capacity);

/* Cost of the cheapest edge from a to b, CAIRN_NO_COST if there is none. */
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
 * - CAIRN_STALE: the world has forgotten a commit since then. Nothing was reported; whoever follows
 *   the world must start from scratch. See cairn_grid_commit_info for how much is remembered.
 * - CAIRN_INVALID: a version that does not exist yet. CAIRN_OUT_OF_MEMORY: nothing was reported. */
CAIRN_API cairn_status cairn_space_changes(const cairn_space *space, uint64_t since,
                                           cairn_node_report *report, void *user);

/* Walks the whole space and reports every edge that cannot be walked or whose cost is
 * wrong, derived again from the world without the space's own tables. Returns how many
 * there are; `report` may be NULL. */
typedef void cairn_fault_report(void *user, cairn_node from, cairn_node to, const char *text);
CAIRN_API uint64_t cairn_space_validate(const cairn_space *space, cairn_fault_report *report,
                                        void *user);

/* ---- views ------------------------------------------------------------------------- */

/* A view is a space with a small patch on top: cells that are blocked, opened or more expensive for
 * whoever searches in the view, and as they are in the grid for everybody else. What a sensor sees,
 * obstacles that come and go, other agents in the way of one query. Nothing is copied: a view takes
 * memory for its patch only, and many may lie over one space.
 *
 * - Only over spaces of grids: CAIRN_UNSUPPORTED for others.
 * - Planners without an index that work on graphs can be made for it (dijkstra, astar, …); the
 *   others are refused with a reason. The search is the generic one, slower than on the grid
 *   itself.
 * - Answers are those of a grid with these cells, sizes, corners, heights and links included. Paths
 *   name every node and do not name links; their length is that of the lines from centre to centre.
 * - Commits of the grid reach the view. Its version rises with them and with every change of its
 *   own.
 * - Components are those of the space, blocked cells left out; once a cell is opened, all nodes are
 *   in one. cairn_reachable says no or maybe.
 * - Editing needs exclusive access, as commits do. The space must outlive its views.
 */
CAIRN_API cairn_status cairn_space_view_create(cairn_space *space, cairn_space **out,
                                               cairn_error *error);

/* Change a cell of a view: CAIRN_OUT_OF_BOUNDS for a node that is none, CAIRN_INVALID for a space
 * that is no view. On CAIRN_OUT_OF_MEMORY nothing has changed. A cell is blocked or opened,
 * whichever was said last, and in addition may cost more. */
CAIRN_API cairn_status cairn_view_block(cairn_space *view, cairn_node node);

/* As if it were open in the grid: terrain that the profile forbids stays forbidden. */
CAIRN_API cairn_status cairn_view_open(cairn_space *view, cairn_node node);

/* Entering the cell by a step costs so much more, in 256ths of a straight step on plain ground. */
CAIRN_API cairn_status cairn_view_cost(cairn_space *view, cairn_node node, uint32_t extra);

/* Makes a cell, or all cells, what they are in the grid. */
CAIRN_API cairn_status cairn_view_restore(cairn_space *view, cairn_node node);
CAIRN_API cairn_status cairn_view_clear(cairn_space *view);

/* How many cells the patch has; the space below, NULL for a space that is no view. */
CAIRN_API uint32_t cairn_view_count(const cairn_space *view);
CAIRN_API const cairn_space *cairn_view_space(const cairn_space *view);

/* ---- reachability ------------------------------------------------------------------ */

/* Every space knows which nodes are connected. Components are kept up to date by commits, so these
 * questions cost no search. Where steps exist that cannot be made back (links, edges of a graph,
 * climbing and dropping limited differently), components join connected components in either
 * direction: then different components are apart for certain, and the same one means "maybe". */
typedef enum cairn_reach { CAIRN_REACH_NO, CAIRN_REACH_YES, CAIRN_REACH_MAYBE } cairn_reach;
CAIRN_API cairn_reach cairn_reachable(const cairn_space *space, cairn_node from, cairn_node to);

/* A number for the component of a node, 0 if it cannot be stood on: two nodes are connected if
 * their numbers are the same. Valid until the next commit. */
CAIRN_API uint64_t cairn_space_component(const cairn_space *space, cairn_node node);

/* May there be steps that cannot be made back? */
CAIRN_API bool cairn_space_directed(const cairn_space *space);

/* How many components there are, and how many nodes the largest of them has. Looks at every tile,
 * so this is for reports. */
CAIRN_API cairn_status cairn_space_components(const cairn_space *space, uint32_t *count,
                                              uint32_t *largest);

/* The node in the component of `from` that is nearest to `to` (least estimate, links left aside,
 * then least node). CAIRN_BLOCKED_START if `from` cannot be stood on. */
CAIRN_API cairn_status cairn_nearest_reachable(const cairn_space *space, cairn_node from,
                                               cairn_node to, cairn_node *out);

/* A node of the component of `from`, each with the same chance. *seed goes on from call to call. */
CAIRN_API cairn_status cairn_random_reachable(const cairn_space *space, cairn_node from,
                                              uint64_t *seed, cairn_node *out);

/* What the last commit cost to update the space, in bounded pieces of work. */
typedef struct cairn_upkeep {
    uint64_t rows_eroded;   /* rows of 64 cells derived again for the agent's size */
    uint64_t cells_cleared; /* values of the clearance field computed */
    uint32_t tiles_updated; /* 64×64 tiles whose parts were found again */
    uint32_t blocks_joined; /* groups of 8×8 tiles, of 8×8 such groups, …, joined again */
} cairn_upkeep;
CAIRN_API cairn_upkeep cairn_space_upkeep(const cairn_space *space);

/* ---- sizes -------------------------------------------------------------------------- */

/* Distance in cells from the centre of a cell to the nearest blocked cell (for this profile, the
 * outside included), 0 for a blocked one; graphs: 0. Looked up if a field is kept, else looked
 * for. */
CAIRN_API double cairn_space_clearance(const cairn_space *space, cairn_node node);

/* Keeps a field of clearances up to `cells` (1…64; what is farther reads as `cells`), 2 bytes a
 * cell, through all commits; 0 drops it. */
CAIRN_API cairn_status cairn_space_keep_clearance(cairn_space *space, uint32_t cells);

/* ---- explanations -------------------------------------------------------------------- */

typedef enum cairn_reason {
    CAIRN_REASON_NONE,       /* the cell can be stood on; the step can be made */
    CAIRN_REASON_OUTSIDE,    /* it lies outside the world */
    CAIRN_REASON_BLOCKED,    /* it is not open */
    CAIRN_REASON_TERRAIN,    /* the profile forbids its terrain class */
    CAIRN_REASON_TOO_NARROW, /* too near to something blocked for the agent's size */
    /* a step that cuts a corner, or passes one too near for the agent's size */
    CAIRN_REASON_CORNER,
    CAIRN_REASON_CLIMB,   /* a step too high up ... */
    CAIRN_REASON_DROP,    /* ... or down */
    CAIRN_REASON_NO_STEP, /* no neighbour in this neighbourhood */
    CAIRN_REASON_COUNT
} cairn_reason;

typedef struct cairn_explanation {
    cairn_reason reason; /* why the agent cannot stand here */
    uint8_t terrain;     /* the class of the cell */
    double clearance;    /* as cairn_space_clearance */
    /* the nearest blocked cell; CAIRN_NO_NODE: it is the edge of the map, or there is none */
    cairn_node obstacle;
    uint64_t component; /* as cairn_space_component */
    /* to the cells (x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y), then (x + 1, y - 1), (x + 1, y +
     * 1), (x - 1, y + 1), (x - 1, y - 1); cairn_step_name names them */
    cairn_reason steps[8];
    char text[240]; /* all of it in a sentence or two */
} cairn_explanation;

/* Why a cell can or cannot be stood on, and which steps lead away from it, or would if it could be
 * stood on. A cell outside the map has an explanation too; CAIRN_UNSUPPORTED on graphs. */
CAIRN_API cairn_status cairn_explain(const cairn_space *space, int32_t x, int32_t y,
                                     cairn_explanation *out);

/* What the i-th of the steps is called: north, east, south, west, north-east, south-east,
 * south-west, north-west. Hexagons have no neighbour in the north or south: in even rows (0, 2, …),
 * which lie half a cell to the left of the others, (x, y - 1) is the north-eastern neighbour and
 * (x, y + 1) the south-eastern one, in odd rows the north-western and the south-western one. NULL
 * for i past 7, on graphs, and for the two cells that are no neighbours of a hexagon in row y. */
CAIRN_API const char *cairn_step_name(const cairn_space *space, int32_t y, uint32_t i);

/* "too narrow" and so on. */
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

/* "octile" and so on. */
CAIRN_API const char *cairn_heuristic_name(cairn_heuristic heuristic);

/* Does it never overestimate the cost to the goal in this space? (On graphs every
 * estimate is scaled so that it never does.) */
CAIRN_API bool cairn_heuristic_admissible(const cairn_space *space, cairn_heuristic heuristic);

/* Estimated cost from a to b. */
CAIRN_API cairn_cost cairn_estimate(const cairn_space *space, cairn_heuristic heuristic,
                                    cairn_node a, cairn_node b);

#ifdef __cplusplus
}
#endif
#endif
