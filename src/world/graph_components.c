/* graph_components.c: the connected components of a graph.
 *
 * Two passes over the edges. The first joins what an edge connects in either direction: the
 * components. The second finds the strongly connected components, whose nodes all reach each other
 * (Tarjan 1972, without recursion). If there are as many of these as components, every component is
 * strongly connected: all its nodes can be reached, although single edges may lead in one direction
 * only. Otherwise components can deny "reachable" but not promise it.
 */
#include "world/graph.h"

/* Components from 1 on, in the order of their first node, 0 for disabled ones; returns how many. */
static uint32_t graph_components_join(const cairn_graph *graph, uint32_t *component, uint32_t *set)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->node_count; i++) set[i] = i;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        for (uint32_t e = graph->offsets[i]; e < graph->offsets[i + 1]; e++) {
            crn_set_unite(set, i, graph->edges[e].node);
        }
    }
    for (uint32_t i = 0; i < graph->node_count; i++) {
        /* the least node of its component: numbered already, or i */
        uint32_t root = crn_set_find(set, i);
        component[i] = crn_graph_disabled(graph, i) ? 0 : root == i ? ++count : component[root];
    }
    return count;
}

typedef struct graph_components_visit {
    uint32_t order; /* from 1 on, 0 = not seen */
    /* the least order that can be reached back to; UINT32_MAX = its strong component is complete */
    uint32_t low;
    uint32_t edge;          /* the next one to follow */
    uint32_t parent, below; /* on the walk, and on the stack of nodes not yet in one */
} graph_components_visit;

/* Counts the strongly connected components. */
static uint32_t graph_components_count_strong(const cairn_graph *graph,
                                              graph_components_visit *visits)
{
    uint32_t order = 0, sets = 0, stack = CAIRN_NO_NODE;
    for (uint32_t start = 0; start < graph->node_count; start++) {
        if (visits[start].order || crn_graph_disabled(graph, start)) continue;
        uint32_t node = start;
        visits[start].parent = CAIRN_NO_NODE;
        while (node != CAIRN_NO_NODE) {
            graph_components_visit *visit = &visits[node];
            if (!visit->order) {
                visit->order = visit->low = ++order;
                visit->edge = graph->offsets[node];
                visit->below = stack;
                stack = node;
            }
            if (visit->edge < graph->offsets[node + 1]) {
                uint32_t next = graph->edges[visit->edge++].node;
                if (!visits[next].order) {
                    visits[next].parent = node;
                    node = next;
                } else if (visits[next].low != UINT32_MAX) {
                    visit->low = crn_min_u32(visit->low, visits[next].order);
                }
                continue;
            }
            uint32_t parent = visit->parent, low = visit->low;
            if (low == visit->order) {
                sets++;
                uint32_t member;
                do {
                    member = stack;
                    stack = visits[member].below;
                    visits[member].low = UINT32_MAX;
                } while (member != node);
            } else {
                visits[parent].low = crn_min_u32(visits[parent].low, low);
            }
            node = parent;
        }
    }
    return sets;
}

bool crn_graph_components(const cairn_graph *graph, uint32_t *component, bool *directed)
{
    size_t nodes = graph->node_count;
    graph_components_visit *visits =
        crn_alloc_zero(graph->context, crn_mul_size(nodes, sizeof *visits));
    uint32_t *set = crn_alloc(graph->context, crn_mul_size(nodes, sizeof *set));
    bool ok = visits && set;
    if (ok) {
        uint32_t components = graph_components_join(graph, component, set);
        *directed = graph_components_count_strong(graph, visits) != components;
    }
    crn_free(graph->context, visits, nodes * sizeof *visits);
    crn_free(graph->context, set, nodes * sizeof *set);
    return ok;
}
