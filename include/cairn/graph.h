/* graph.h: the graph world: waypoints with positions, and directed edges with weights between them.
 *
 * Weights are exact 32-bit integers of at least 1, or doubles that are multiplied by `unit` and
 * rounded up.
 *
 * A graph is edited as a grid is: changes are staged and committed. A commit makes one new version,
 * and every space of the graph is up to date when it returns. Staging and committing need exclusive
 * access: no search may run in the graph's spaces meanwhile. A commit visits the whole graph,
 * however little it changes.
 */
#ifndef CAIRN_GRAPH_H
#define CAIRN_GRAPH_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_graph cairn_graph;

typedef struct cairn_graph_edge {
    cairn_node from, to;
    cairn_cost weight; /* 1…CAIRN_COST_MAX */
} cairn_graph_edge;

typedef struct cairn_graph_options {
    uint32_t node_count; /* 1…2^31 - 1 */
    uint32_t edge_count;
    const cairn_position *positions; /* node_count of them; NULL = none, and estimates are 0 */
    const cairn_graph_edge *edges;   /* weights as integers */
    /* if not NULL: edge_count doubles > 0, used instead of the integers */
    const double *weights;
    double unit;    /* cost units per 1.0 of `weights`; 0 = 5741 */
    bool both_ways; /* every edge can be walked in both directions */
} cairn_graph_options;

/* Creates a graph. The arrays are copied.
 * - Of several edges from a to b all are kept.
 * - CAIRN_BAD_DATA: self-loops, ends outside the graph, weights out of range, positions that are
 *   not finite. error->line is then the 1-based number of the edge or position. */
CAIRN_API cairn_status cairn_graph_create(cairn_context *context,
                                          const cairn_graph_options *options, cairn_graph **out,
                                          cairn_error *error);

/* Creates a graph with the same nodes, positions, edges and weights that holds what agents know of
 * `truth`, for partly known worlds (cairn_navigator_set_sensor). Which edges and nodes are closed
 * is the same with CAIRN_KNOW_OPEN in `what` (grid.h); else all are assumed to be open. */
CAIRN_API cairn_status cairn_graph_known(const cairn_graph *truth, uint32_t what, cairn_graph **out,
                                         cairn_error *error);

/* Destroys a graph. Its spaces keep it alive and go on working. NULL is allowed. */
CAIRN_API void cairn_graph_destroy(cairn_graph *graph);

CAIRN_API cairn_context *cairn_graph_context(const cairn_graph *graph);
CAIRN_API uint32_t cairn_graph_node_count(const cairn_graph *graph);
CAIRN_API uint32_t cairn_graph_edge_count(const cairn_graph *graph);
CAIRN_API size_t cairn_graph_bytes(const cairn_graph *graph);
CAIRN_API bool cairn_graph_has_positions(const cairn_graph *graph);
CAIRN_API double cairn_graph_unit(const cairn_graph *graph);

/* Returns the version of the graph: 1 for a new one, one more with every commit that changed
 * something. */
CAIRN_API uint64_t cairn_graph_version(const cairn_graph *graph);

/* Return how many edges leave a node and can be used now, and the i-th of them, in the order
 * given. */
CAIRN_API uint32_t cairn_graph_degree(const cairn_graph *graph, cairn_node node);
CAIRN_API cairn_graph_edge cairn_graph_edge_at(const cairn_graph *graph, cairn_node node,
                                               uint32_t i);

/* Return the position of a node, and the node nearest to a position, with heights counted.
 * - Without positions: (0, 0, 0) and CAIRN_NO_NODE.
 * - Of several nodes at the same distance: the one with the lowest number.
 * - For a position that is not finite: CAIRN_NO_NODE. */
CAIRN_API cairn_position cairn_graph_position(const cairn_graph *graph, cairn_node node);
CAIRN_API cairn_node cairn_graph_node_at(const cairn_graph *graph, cairn_position position);

/* Returns whether the node can be used. False if there is no such node. */
CAIRN_API bool cairn_graph_node_open(const cairn_graph *graph, cairn_node node);

/* Returns a weight in cost units of this graph: rounded up, at least 1; 0 if it is out of range. */
CAIRN_API cairn_cost cairn_graph_cost(const cairn_graph *graph, double weight);

/* ---- edits ------------------------------------------------------------------------- */

/* Each of these functions stages a change. Nothing is visible before the commit, and the last
 * change counts. Edges are named by their ends: of several edges from a to b all are meant. The
 * edge back is another one.
 * - CAIRN_OUT_OF_BOUNDS: there is no such node.
 * - CAIRN_INVALID: there is no such edge, open or closed or staged; a weight that is not in
 *   1…CAIRN_COST_MAX; an edge from a node to itself; a position that is not finite, or a graph
 *   without positions.
 */

/* Closes edges or opens them again; they are remembered while they are closed. */
CAIRN_API cairn_status cairn_graph_set_edge_open(cairn_graph *graph, cairn_node from, cairn_node to,
                                                 bool open);

/* Gives edges, open or closed, another weight. */
CAIRN_API cairn_status cairn_graph_set_weight(cairn_graph *graph, cairn_node from, cairn_node to,
                                              cairn_cost weight);

/* Adds an edge, after those that leave the node already. */
CAIRN_API cairn_status cairn_graph_add_edge(cairn_graph *graph, const cairn_graph_edge *edge);

/* Disables a node or enables it again. While it is disabled no agent can stand there, and no edge
 * leads to it or away from it; edges keep their own state. Its position stays, and
 * cairn_graph_node_at finds it. */
CAIRN_API cairn_status cairn_graph_set_node_open(cairn_graph *graph, cairn_node node, bool open);

/* Moves a node. Weights stay as they are. */
CAIRN_API cairn_status cairn_graph_set_position(cairn_graph *graph, cairn_node node,
                                                cairn_position position);

/* Makes all staged changes at once. On failure nothing has changed, and the changes stay staged. A
 * commit that changes nothing keeps the version. */
CAIRN_API cairn_status cairn_graph_commit(cairn_graph *graph);

/* Forgets all staged changes. */
CAIRN_API void cairn_graph_discard(cairn_graph *graph);

#ifdef __cplusplus
}
#endif
#endif
