/* callbacks.h: worlds that your own functions describe.
 *
 * If the game keeps its world in a structure of its own, nothing need be copied: a function that
 * writes the neighbours of a node is a world. Every algorithm that assumes nothing about the world
 * runs on it (`cairn algorithms NAME` says which kinds of worlds one takes: those that take graphs
 * take it too). Searches are slower than on a grid or a graph, as each expansion calls you.
 *
 *     static uint32_t neighbours(void *user, cairn_node node, cairn_edge *out);
 *
 *     cairn_callbacks world = {.node_count = 1000, .neighbours = neighbours, .user = game};
 *     cairn_space_of_callbacks(context, &world, &space, NULL);
 *
 * What may run in parallel? The functions are called by every thread that searches, builds an index
 * or asks something of the space. They must give the same answers until cairn_callbacks_changed is
 * called, must not call the space, and must return.
 */
#ifndef CAIRN_CALLBACKS_H
#define CAIRN_CALLBACKS_H

#include "base.h"
#include "space.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most edges that may leave a node, and what an edge may cost at most by default. */
#define CAIRN_CALLBACKS_DEGREE 64u
#define CAIRN_CALLBACKS_COST (1u << 24)

/* Zero and NULL mean default in every field but the first two. */
typedef struct cairn_callbacks {
    uint32_t node_count; /* nodes are 0…node_count - 1; 1…2^31 - 1 */

    /* Writes the edges that leave a node and returns how many: at most max_degree, for which there
     * is room. These are left out, so each of them means "no step":
     * - edges to the node itself, to nodes that do not exist or that cannot be used;
     * - edges that cost 0, or that are not within min_cost…max_cost. */
    uint32_t (*neighbours)(void *user, cairn_node node, cairn_edge *out);

    /* The cost of a step. If it is given, `neighbours` need only write nodes. NULL: the costs are
     * those that `neighbours` writes. */
    cairn_cost (*cost)(void *user, cairn_node from, cairn_node to);

    /* May an agent stand here? NULL: everywhere. */
    bool (*usable)(void *user, cairn_node node);

    /* The position of a node. NULL: there are no positions, and A* has no estimates, unless a query
     * brings its own (cairn_query.estimate). */
    cairn_position (*position)(void *user, cairn_node node);

    /* The node at a position, or CAIRN_NO_NODE. NULL: the nearest one, found by asking for the
     * position of every node. */
    cairn_node (*node_at)(void *user, cairn_position position);

    void *user; /* is passed to all of them */

    uint32_t max_degree; /* 1…CAIRN_CALLBACKS_DEGREE; 0 = 8 */
    /* bounds of what an edge costs; 0 = 1 and CAIRN_CALLBACKS_COST. Tight bounds make searches
     * faster */
    cairn_cost min_cost, max_cost;

    /* What estimates are made of: no step may cost less than `estimate` units for each 1.0 of
     * distance between the two positions, measured by `metric` (AUTO: Euclidean; Manhattan, octile
     * and Chebyshev too). 0 = no estimates. If it is too large, paths are not optimal;
     * cairn_space_validate finds the steps that are too cheap for it. */
    double estimate;
    cairn_heuristic metric;

    /* Every step can be walked back at the same cost. Then predecessors are neighbours; otherwise
     * algorithms that search backwards (`alt`, …) ask every node for them. */
    bool symmetric;

    uint32_t unit; /* cost units per 1.0 of a path's length; 0 = 1 */
} cairn_callbacks;

/* Makes a space of such a world. The struct is copied.
 * - CAIRN_INVALID: no neighbours, no nodes, a number out of range, or estimates without positions.
 * - All nodes that can be used count as one component, as nobody has looked: cairn_reachable says
 *   maybe, and a search for a goal that cannot be reached expands all that can.
 * - It cannot be saved to a file. The index of a planner can: it is loaded for a world with the
 *   same nodes and edges. */
CAIRN_API cairn_status cairn_space_of_callbacks(cairn_context *context,
                                                const cairn_callbacks *callbacks, cairn_space **out,
                                                cairn_error *error);

/* To be called when the functions answer something else than before: a new version of the world.
 * Searches that run become stale, and indexes must be synced. Needs exclusive access, as a commit
 * does. CAIRN_INVALID if the space is of another kind. */
CAIRN_API cairn_status cairn_callbacks_changed(cairn_space *space);

#ifdef __cplusplus
}
#endif
#endif
