/* sensor_graph.c: what a sensor sees in a graph. See sensor.h.
 *
 * An edge is seen from the node that it leaves, closed ones too, together with the node that it
 * leads to. From there the sensor goes on over edges that can be used in truth. Several edges from
 * a to b count as the cheapest of them, because edits take them together. The edges of a node are
 * sorted before they are compared: some nodes have thousands. */
#include "continuous/sensor.h"

/* ---- the edges of one node ---- */

/* Appends the edges that leave a node, those that cannot be used included; false = no memory. */
static bool sensor_graph_list(cairn_navigator *navigator, const cairn_graph *graph, cairn_node node,
                              uint32_t *count)
{
    crn_sensor_lists *lists = &navigator->sensor->lists;
    const crn_graph_stock *stock = &graph->stock;
    const uint32_t *offsets = stock->offsets ? stock->offsets : graph->offsets;
    uint32_t first = offsets[node], more = offsets[node + 1] - first;
    void *edges = lists->edges;
    if (!crn_grow(navigator->context, &edges, &lists->edge_capacity, (size_t)*count + more,
                  sizeof *lists->edges))
        return false;
    lists->edges = edges;
    for (uint32_t i = 0; i < more; i++) {
        lists->edges[*count + i] = stock->offsets
                                       ? stock->edges[first + i]
                                       : (crn_stock_edge){.edge = graph->edges[first + i]};
    }
    *count += more;
    return true;
}

/* By the node that they lead to; of several the one that counts is first. */
static bool sensor_graph_before(const void *a, const void *b)
{
    const crn_stock_edge *first = a, *second = b;
    if (first->edge.node != second->edge.node) return first->edge.node < second->edge.node;
    if (first->closed != second->closed) return second->closed;
    return first->edge.cost < second->edge.cost;
}

/* Takes the edges to one node from a sorted list, if it is the next. Returns the cost of the edge
 * that counts; CAIRN_NO_COST: it is closed, or there is none. */
static cairn_cost sensor_graph_take(const crn_stock_edge *edges, uint32_t count, uint32_t *at,
                                    cairn_node node)
{
    cairn_cost cost = CAIRN_NO_COST;
    for (; *at < count && edges[*at].edge.node == node; ++*at) {
        if (!edges[*at].closed) cost = crn_min_u32(cost, edges[*at].edge.cost);
    }
    return cost;
}

/* ---- what differs ---- */

static cairn_status sensor_graph_stage_node(crn_sensor_graphs *graphs, cairn_node node)
{
    bool open = !crn_graph_disabled(graphs->truth, node);
    if (open == !crn_graph_disabled(graphs->known, node)) return CAIRN_OK;
    graphs->seen++;
    return cairn_graph_set_node_open(graphs->known, node, open);
}

static cairn_status sensor_graph_stage_edge(crn_sensor_graphs *graphs, const cairn_graph_edge *edge)
{
    cairn_graph *known = graphs->known;
    bool open = edge->weight != CAIRN_NO_COST;
    graphs->seen++;
    cairn_status status = cairn_graph_set_edge_open(known, edge->from, edge->to, open);
    if (status == CAIRN_INVALID) return cairn_graph_add_edge(known, edge); /* nobody knew of it */
    if (status != CAIRN_OK || !open) return status;
    return cairn_graph_set_weight(known, edge->from, edge->to, edge->weight);
}

/* Compares two sorted lists of edges that leave a node: `were` known ones, then those of the
 * truth. */
static cairn_status sensor_graph_compare(crn_sensor_graphs *graphs, cairn_node from, uint32_t were,
                                         uint32_t all)
{
    const crn_stock_edge *was = graphs->navigator->sensor->lists.edges;
    uint32_t k = 0, t = were;
    cairn_status status = CAIRN_OK;
    while (status == CAIRN_OK && (k < were || t < all)) {
        cairn_node a = k < were ? was[k].edge.node : CAIRN_NO_NODE,
                   b = t < all ? was[t].edge.node : CAIRN_NO_NODE, to = a < b ? a : b;
        cairn_cost before = sensor_graph_take(was, were, &k, to),
                   now = sensor_graph_take(was, all, &t, to);
        status = sensor_graph_stage_node(graphs, to);
        if (status == CAIRN_OK && before != now)
            status = sensor_graph_stage_edge(graphs, &(cairn_graph_edge){from, to, now});
    }
    return status;
}

static cairn_status sensor_graph_node(crn_sensor_graphs *graphs, cairn_node node)
{
    cairn_navigator *navigator = graphs->navigator;
    uint32_t were = 0, all = 0;
    if (!sensor_graph_list(navigator, graphs->known, node, &all)) return CAIRN_OUT_OF_MEMORY;
    were = all;
    if (!sensor_graph_list(navigator, graphs->truth, node, &all)) return CAIRN_OUT_OF_MEMORY;
    if (!all) return CAIRN_OK;
    crn_stock_edge *edges = navigator->sensor->lists.edges;
    crn_sort(edges, were, sizeof *edges, sensor_graph_before);
    crn_sort(edges + were, all - were, sizeof *edges, sensor_graph_before);
    return sensor_graph_compare(graphs, node, were, all);
}

/* ---- how far it sees ---- */

static bool sensor_graph_come_to(cairn_navigator *navigator, cairn_node node)
{
    crn_sensor_lists *lists = &navigator->sensor->lists;
    uint8_t *mark = &lists->marks[node / 8], bit = (uint8_t)(1u << node % 8);
    void *nodes = lists->nodes;
    if (*mark & bit) return true;
    if (!crn_grow(navigator->context, &nodes, &lists->node_capacity, lists->count + 1,
                  sizeof *lists->nodes))
        return false;
    lists->nodes = nodes;
    lists->nodes[lists->count++] = node;
    *mark = (uint8_t)(*mark | bit);
    return true;
}

/* The nodes that an edge of these leads to. */
static bool sensor_graph_spread(cairn_navigator *navigator, const cairn_graph *truth, size_t begin,
                                size_t end)
{
    for (size_t i = begin; i < end; i++) {
        cairn_node node = navigator->sensor->lists.nodes[i];
        for (uint32_t e = truth->offsets[node]; e < truth->offsets[node + 1]; e++) {
            if (!sensor_graph_come_to(navigator, truth->edges[e].node)) return false;
        }
    }
    return true;
}

/* Lists all nodes less than `range` edges away; false = no memory. */
static bool sensor_graph_reach(cairn_navigator *navigator, const cairn_graph *truth)
{
    crn_sensor_lists *lists = &navigator->sensor->lists;
    if (!lists->marks) {
        lists->marks = crn_alloc_zero(navigator->context, CRN_SENSOR_MARK_BYTES(navigator));
        if (!lists->marks) return false;
    }
    bool ok = sensor_graph_come_to(navigator, navigator->at);
    for (size_t begin = 0, range = 1; ok && range < navigator->sensor->range; range++) {
        size_t end = lists->count;
        if (begin == end) break;
        ok = sensor_graph_spread(navigator, truth, begin, end);
        begin = end;
    }
    for (size_t i = 0; i < lists->count; i++) lists->marks[lists->nodes[i] / 8] = 0;
    return ok;
}

cairn_status crn_sensor_stage_graph(crn_sensor_graphs *graphs)
{
    cairn_navigator *navigator = graphs->navigator;
    crn_sensor_lists *lists = &navigator->sensor->lists;
    lists->count = 0;
    if (!sensor_graph_reach(navigator, graphs->truth)) return CAIRN_OUT_OF_MEMORY;
    cairn_status status = sensor_graph_stage_node(graphs, navigator->at);
    for (size_t i = 0; status == CAIRN_OK && i < lists->count; i++)
        status = sensor_graph_node(graphs, lists->nodes[i]);
    return status;
}

void crn_sensor_free_graph(cairn_navigator *navigator)
{
    crn_sensor_lists *lists = &navigator->sensor->lists;
    cairn_context *context = navigator->context;
    crn_free(context, lists->nodes, lists->node_capacity * sizeof *lists->nodes);
    crn_free(context, lists->edges, lists->edge_capacity * sizeof *lists->edges);
    crn_free(context, lists->marks, CRN_SENSOR_MARK_BYTES(navigator));
}
