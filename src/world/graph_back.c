/* graph_back.c: the edges of a graph by the node they lead to, for walking backwards.
 *
 * Placed by counting, as in graph.c: how many edges lead to each node, where the piece of each
 * node begins, then every edge to the next free place of its piece. So predecessors stand in
 * ascending order.
 */
#include "world/graph.h"

static void graph_back_fill(const cairn_graph *graph, crn_graph_back *back)
{
    uint32_t *offsets = back->offsets, begin = 0;
    memset(offsets, 0, ((size_t)graph->node_count + 1) * sizeof *offsets);
    for (uint32_t i = 0; i < graph->edge_count; i++) offsets[graph->edges[i].node + 1]++;
    for (uint32_t n = 0; n < graph->node_count; n++) {
        uint32_t degree = offsets[n + 1];
        offsets[n + 1] = begin;
        begin += degree;
    }
    for (uint32_t n = 0; n < graph->node_count; n++) {
        for (uint32_t i = graph->offsets[n]; i < graph->offsets[n + 1]; i++) {
            back->edges[offsets[graph->edges[i].node + 1]++] =
                (cairn_edge){n, graph->edges[i].cost};
        }
    }
}

bool crn_graph_back_make(const cairn_graph *graph, crn_graph_back *out)
{
    *out = (crn_graph_back){0};
    if (graph->symmetric) return true;
    crn_graph_back back = {.node_count = graph->node_count, .edge_count = graph->edge_count};
    back.offsets = crn_alloc(graph->context,
                             crn_mul_size((size_t)graph->node_count + 1, sizeof *back.offsets));
    back.edges = crn_alloc(graph->context, crn_mul_size(graph->edge_count, sizeof *back.edges));
    if (!back.offsets || (!back.edges && graph->edge_count)) {
        crn_graph_back_destroy(graph->context, &back);
        return false;
    }
    graph_back_fill(graph, &back);
    *out = back;
    return true;
}

size_t crn_graph_back_bytes(const crn_graph_back *back)
{
    if (!back->offsets) return 0;
    return ((size_t)back->node_count + 1) * sizeof *back->offsets +
           back->edge_count * sizeof *back->edges;
}

void crn_graph_back_destroy(cairn_context *context, crn_graph_back *back)
{
    crn_free(context, back->edges, back->edge_count * sizeof *back->edges);
    crn_free(context, back->offsets, ((size_t)back->node_count + 1) * sizeof *back->offsets);
    *back = (crn_graph_back){0};
}
