/* graph.h: the graph world: waypoints with positions, joined by directed edges with
 * weights.
 *
 * Weights are exact 32-bit integers of at least 1, or doubles that are multiplied by
 * `unit` and rounded up. Graphs do not change; make a new one instead.
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
    const cairn_position *positions; /* node_count of them, or NULL: estimates are then 0 */
    const cairn_graph_edge *edges;   /* weights as integers */
    /* or, if not NULL, edge_count doubles > 0 that win over them */
    const double *weights;
    double unit;    /* cost units per 1.0 of `weights`; 0 = 5741 */
    bool both_ways; /* every edge stands for its reverse too */
} cairn_graph_options;

/* The arrays are copied. Of several edges from a to b all are kept. Self-loops,
 * endpoints outside the graph, weights out of range and positions that are not finite
 * are CAIRN_BAD_DATA (error->line holds the edge's or point's 1-based number). */
CAIRN_API cairn_status cairn_graph_create(cairn_context *context,
                                          const cairn_graph_options *options, cairn_graph **out,
                                          cairn_error *error);

/* Spaces of the graph must be gone. NULL is allowed. */
CAIRN_API void cairn_graph_destroy(cairn_graph *graph);

CAIRN_API cairn_context *cairn_graph_context(const cairn_graph *graph);
CAIRN_API uint32_t cairn_graph_node_count(const cairn_graph *graph);
CAIRN_API uint32_t cairn_graph_edge_count(const cairn_graph *graph);
CAIRN_API size_t cairn_graph_bytes(const cairn_graph *graph);
CAIRN_API bool cairn_graph_has_positions(const cairn_graph *graph);
CAIRN_API double cairn_graph_unit(const cairn_graph *graph);

/* The edges that leave a node, in the order given: how many, and the i-th. */
CAIRN_API uint32_t cairn_graph_degree(const cairn_graph *graph, cairn_node node);
CAIRN_API cairn_graph_edge cairn_graph_edge_at(const cairn_graph *graph, cairn_node node,
                                               uint32_t i);

/* The position of a node ((0, 0, 0) without positions), and the node nearest to a position, heights
 * included (the lowest number of several; CAIRN_NO_NODE without positions or if not finite). */
CAIRN_API cairn_position cairn_graph_position(const cairn_graph *graph, cairn_node node);
CAIRN_API cairn_node cairn_graph_node_at(const cairn_graph *graph, cairn_position position);

#ifdef __cplusplus
}
#endif
#endif
