/* space.h: a world as one kind of agent sees it: world + profile.
 *
 * Costs. Grid costs are unsigned 32-bit integers: a straight step is 5741 units and a
 * diagonal step 8119, a fraction so close to the square root of two that comparing
 * costs is comparing lengths on every map of sensible size; larger or costlier worlds
 * use a coarser pair of the same kind (cairn_space_scale). Moving from a to b costs
 *
 *     step × terrain_cost[class of b]  +  layer(b) × layer_weight  +  climb × gradient
 *
 * where layer_weight and gradient count in 256ths of a straight step, and climb is the
 * elevation gained (nothing is paid for going down); each of these two products is
 * rounded down to a whole unit.
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

#define CAIRN_ANY_STEP INT32_MAX
#define CAIRN_RUNGS 8u
#define CAIRN_RUNG_AUTO UINT32_MAX

typedef struct cairn_profile {
    cairn_neighbours neighbours;
    cairn_corners corners;
    uint8_t terrain_cost[256]; /* per class; 0 = forbidden */
    uint16_t layer_weight;     /* 256ths of a straight step per unit of the extra layer; 0 = ignore it */
    uint16_t gradient;         /* 256ths of a straight step per unit of elevation gained */
    int32_t max_climb;         /* largest elevation gained in one step; CAIRN_ANY_STEP = no limit */
    int32_t max_drop;          /* largest elevation lost in one step */
    uint32_t rung;             /* cost scale: 0 (5741/8119) … 7 (5/7), or CAIRN_RUNG_AUTO */
} cairn_profile;

/* Eight neighbours, no corner cut, ground and swamp cost 1, water and trees are
 * forbidden, your own classes cost 1; layer and gradient ignored, no elevation limit. */
CAIRN_API cairn_profile cairn_profile_default(void);

typedef struct cairn_space cairn_space;
typedef enum cairn_world_kind { CAIRN_WORLD_GRID, CAIRN_WORLD_GRAPH } cairn_world_kind;

/* `profile` may be NULL. The grid must outlive the space and is not owned by it. */
CAIRN_API cairn_status cairn_space_of_grid(cairn_grid *grid, const cairn_profile *profile, cairn_space **out,
                                           cairn_error *error);
CAIRN_API cairn_status cairn_space_of_graph(cairn_graph *graph, cairn_space **out, cairn_error *error);

/* Planners of the space must be gone. NULL is allowed. */
CAIRN_API void cairn_space_destroy(cairn_space *space);

CAIRN_API cairn_world_kind cairn_space_world(const cairn_space *space);
CAIRN_API const cairn_grid *cairn_space_grid(const cairn_space *space);       /* NULL on graphs */
CAIRN_API const cairn_graph *cairn_space_graph(const cairn_space *space);     /* NULL on grids */
CAIRN_API const cairn_profile *cairn_space_profile(const cairn_space *space); /* NULL on graphs */
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

CAIRN_API cairn_position cairn_space_localize(const cairn_space *space, cairn_node node);
CAIRN_API cairn_node cairn_space_quantize(const cairn_space *space, cairn_position position);

typedef struct cairn_edge {
    cairn_node node;
    cairn_cost cost;
} cairn_edge;

/* The edges that leave `node`, from the `first`-th on, at most `capacity` of them;
 * returns how many were written (less than capacity: there are no more). */
CAIRN_API uint32_t cairn_space_expand(const cairn_space *space, cairn_node node, uint32_t first,
                                      cairn_edge *out, uint32_t capacity);

/* Cost of the cheapest edge from a to b, CAIRN_NO_COST if there is none. */
CAIRN_API cairn_cost cairn_space_step_cost(const cairn_space *space, cairn_node a, cairn_node b);

/* Walks the whole space and reports every edge that cannot be walked or whose cost is
 * wrong, derived anew from the world without the space's own tables. Returns how many
 * there are; `report` may be NULL. */
typedef void cairn_fault_report(void *user, cairn_node from, cairn_node to, const char *text);
CAIRN_API uint64_t cairn_space_validate(const cairn_space *space, cairn_fault_report *report, void *user);

/* ---- heuristics ------------------------------------------------------------------ */

typedef enum cairn_heuristic {
    CAIRN_HEURISTIC_AUTO, /* the strongest that never overestimates here */
    CAIRN_HEURISTIC_NULL,
    CAIRN_HEURISTIC_MANHATTAN,
    CAIRN_HEURISTIC_OCTILE,
    CAIRN_HEURISTIC_EUCLIDEAN,
    CAIRN_HEURISTIC_CHEBYSHEV,
    CAIRN_HEURISTIC_COUNT
} cairn_heuristic;

/* "octile" and so on. */
CAIRN_API const char *cairn_heuristic_name(cairn_heuristic heuristic);

/* Does it never overestimate the cost to the goal in this space? (On graphs every
 * estimate is scaled so that it never does.) */
CAIRN_API bool cairn_heuristic_admissible(const cairn_space *space, cairn_heuristic heuristic);

/* Estimated cost from a to b. */
CAIRN_API cairn_cost cairn_estimate(const cairn_space *space, cairn_heuristic heuristic, cairn_node a,
                                    cairn_node b);

#ifdef __cplusplus
}
#endif
#endif
