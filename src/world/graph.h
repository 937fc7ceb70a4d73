/* graph.h (internal): how a graph is stored, and what its space looks like. */
#ifndef CRN_GRAPH_H
#define CRN_GRAPH_H

#include "core/core.h"
#include "world/space.h"
#include <cairn/graph.h>

/* Edges are stored by the node they leave: those of node n are edges[offsets[n]] up to
 * edges[offsets[n + 1]], in the order given. */
struct cairn_graph {
    cairn_context *context;
    uint32_t node_count;
    uint32_t edge_count; /* directed ones: twice the given number if both ways */
    uint32_t *offsets;   /* node_count + 1 */
    cairn_edge *edges;
    cairn_cost min_weight, max_weight;
    double unit;          /* cost units per 1.0 of weight; 1 if weights were integers */
    bool integer_weights; /* weights were given as integers */

    cairn_position *positions; /* NULL = none */
    uint32_t *tree;            /* the nodes as a k-d tree (graph_tree.c); NULL without positions */
    bool tall;                 /* some z is not 0 */

    /* By heuristic: the least weight / distance of all edges in that metric; 0 = no bound. */
    double estimate_scale[CAIRN_HEURISTIC_COUNT];
    size_t bytes;
};

typedef struct crn_graph_space {
    cairn_space base;
    cairn_graph *graph;
    uint32_t *component; /* of each node, from 1 on */
    bool directed;
} crn_graph_space;

/* Fills in the component of each node, and whether connected components cannot all be reached
 * (graph_components.c); false = no memory. */
bool crn_graph_components(const cairn_graph *graph, uint32_t *component, bool *directed);

/* Distance by one metric from |dx|, |dy| and |dz|. */
double crn_graph_metric(cairn_heuristic heuristic, double dx, double dy, double dz);

/* Distances below this are rounded too coarsely to carry a bound. */
#define CRN_GRAPH_TINY 1e-290

/* The k-d tree over the positions (graph_tree.c): fills graph->tree; finds the node nearest to a
 * finite position. Only for graphs with positions. */
void crn_graph_tree_build(cairn_graph *graph);
cairn_node crn_graph_tree_nearest(const cairn_graph *graph, cairn_position position);

/* The checker (validate.c). */
uint64_t crn_graph_validate(const cairn_space *space, cairn_fault_report *report, void *user);

#endif
