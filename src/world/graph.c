/* graph.c: the graph world: a list of edges, sorted by the node they leave.
 *
 * The edges of one node lie side by side as (target, weight) pairs, which is exactly what a search
 * wants to read, so expanding a node is copying a piece of an array. They are put in place by
 * counting: first how many leave each node, then where each node's piece begins, then every edge to
 * the next free place of its piece. That keeps the order in which they were given and needs no
 * memory besides the result.
 *
 * Estimates. For any metric d (a norm of the difference of positions) and s = min w(e) / d(e) over
 * all edges e, a path from a to b costs Σ w(e) ≥ s · Σ d(e) ≥ s · d(a, b) by the triangle
 * inequality: s · d never overestimates, whatever the weights mean. Edges between two nodes at the
 * same place set no bound (0 ≥ 0 holds for every s). A graph whose edges all have length zero, or
 * that has no positions, has no estimate: the scale is 0.
 */
#include "world/graph.h"
#include <float.h>
#include <math.h>

#define GRAPH_DEFAULT_UNIT 5741.0
#define GRAPH_MAX_NODES 0x7fffffffu

/* ---- checks ---- */

bool crn_graph_finite(cairn_position position)
{
    return fabs(position.x) <= DBL_MAX && fabs(position.y) <= DBL_MAX &&
           fabs(position.z) <= DBL_MAX;
}

cairn_cost crn_graph_round(double weight, double unit)
{
    if (!(weight > 0)) return 0; /* not a number comes here too */
    double scaled = -floor(-(weight * unit));
    if (!(scaled <= (double)CAIRN_COST_MAX)) return 0;
    /* a product that underflowed is still more than nothing */
    return scaled < 1 ? 1 : (cairn_cost)scaled;
}

/* The integer weight of the i-th edge given, 0 if it is out of range. */
static cairn_cost graph_weight(const cairn_graph_options *options, double unit, uint32_t i)
{
    if (options->weights) return crn_graph_round(options->weights[i], unit);
    return options->edges[i].weight > CAIRN_COST_MAX ? 0 : options->edges[i].weight;
}

static cairn_status graph_check_edges(const cairn_graph_options *options, double unit,
                                      cairn_error *error)
{
    uint32_t n = options->node_count;
    for (uint32_t i = 0; i < options->edge_count; i++) {
        const cairn_graph_edge *edge = &options->edges[i];
        if (edge->from >= n || edge->to >= n) {
            return crn_fail(error, CAIRN_BAD_DATA, i + 1,
                            "edge %u joins %u and %u, but nodes are 0 to %u", i + 1, edge->from,
                            edge->to, n - 1);
        }
        if (edge->from == edge->to) {
            return crn_fail(error, CAIRN_BAD_DATA, i + 1, "edge %u leads from node %u to itself",
                            i + 1, edge->from);
        }
        if (graph_weight(options, unit, i) == 0) {
            return crn_fail(error, CAIRN_BAD_DATA, i + 1,
                            "edge %u has a weight that is not in 1 to %u cost units", i + 1,
                            CAIRN_COST_MAX);
        }
    }
    return CAIRN_OK;
}

static cairn_status graph_check_positions(const cairn_graph_options *options, cairn_error *error)
{
    for (uint32_t i = 0; options->positions && i < options->node_count; i++) {
        if (!crn_graph_finite(options->positions[i])) {
            return crn_fail(error, CAIRN_BAD_DATA, i + 1, "the position of node %u is not finite",
                            i);
        }
    }
    return CAIRN_OK;
}

static cairn_status graph_check(const cairn_graph_options *options, double unit, cairn_error *error)
{
    if (options->node_count < 1 || options->node_count > GRAPH_MAX_NODES) {
        return crn_fail(error, CAIRN_INVALID, 0, "a graph has 1 to %u nodes, not %u",
                        GRAPH_MAX_NODES, options->node_count);
    }
    if (options->edge_count && !options->edges) {
        return crn_fail(error, CAIRN_INVALID, 0, "%u edges, but no array of edges",
                        options->edge_count);
    }
    /* Offsets are 32 bits wide, and the last one is the number of directed edges. */
    if (options->both_ways && options->edge_count > UINT32_MAX / 2) {
        return crn_fail(error, CAIRN_INVALID, 0, "at most %u edges fit a graph both ways",
                        UINT32_MAX / 2);
    }
    if (!(unit > 0 && unit <= DBL_MAX)) {
        return crn_fail(error, CAIRN_INVALID, 0, "the unit must be a finite number above 0");
    }
    cairn_status status = graph_check_positions(options, error);
    return status ? status : graph_check_edges(options, unit, error);
}

/* ---- building ---- */

static void graph_place_edge(cairn_graph *graph, cairn_node from, cairn_node to, cairn_cost weight)
{
    /* offsets[from + 1] is the next free place of `from` while edges are put in place. */
    uint32_t place = graph->offsets[from + 1]++;
    graph->edges[place].node = to;
    graph->edges[place].cost = weight;
}

static void graph_fill(cairn_graph *graph, const cairn_graph_options *options)
{
    uint32_t *offsets = graph->offsets;
    memset(offsets, 0, ((size_t)graph->node_count + 1) * sizeof *offsets);
    for (uint32_t i = 0; i < options->edge_count; i++) {
        offsets[options->edges[i].from + 1]++;
        if (options->both_ways) offsets[options->edges[i].to + 1]++;
    }
    uint32_t begin = 0;
    for (uint32_t n = 0; n < graph->node_count; n++) {
        uint32_t degree = offsets[n + 1];
        offsets[n + 1] = begin;
        begin += degree;
    }
    for (uint32_t i = 0; i < options->edge_count; i++) {
        const cairn_graph_edge *edge = &options->edges[i];
        cairn_cost weight = graph_weight(options, graph->unit, i);
        graph_place_edge(graph, edge->from, edge->to, weight);
        if (options->both_ways) graph_place_edge(graph, edge->to, edge->from, weight);
    }
}

/* In the plane. */
static double graph_flat_metric(cairn_heuristic heuristic, double dx, double dy)
{
    double low = dx < dy ? dx : dy, high = dx < dy ? dy : dx;
    switch (heuristic) {
    case CAIRN_HEURISTIC_MANHATTAN: return high + low;
    case CAIRN_HEURISTIC_OCTILE: return high + 0.41421356237309503 * low;
    case CAIRN_HEURISTIC_EUCLIDEAN: {
        if (high == 0) return 0;
        double ratio = low / high; /* squares of large distances would not fit a double */
        return high * sqrt(1 + ratio * ratio);
    }
    case CAIRN_HEURISTIC_HEX:
    case CAIRN_HEURISTIC_CHEBYSHEV: return high;
    default: return 0;
    }
}

/* A norm of the plane's distance and the height is a norm of all three, as these norms grow with
 * both. */
double crn_graph_metric(cairn_heuristic heuristic, double dx, double dy, double dz)
{
    double flat = graph_flat_metric(heuristic, dx, dy);
    return dz == 0 ? flat : graph_flat_metric(heuristic, flat, dz);
}

static double graph_scale(const cairn_graph *graph, cairn_heuristic heuristic)
{
    double least = -1;
    for (uint32_t n = 0; n < graph->node_count; n++) {
        cairn_position a = graph->positions[n];
        for (uint32_t i = graph->offsets[n]; i < graph->offsets[n + 1]; i++) {
            cairn_position b = graph->positions[graph->edges[i].node];
            double distance =
                crn_graph_metric(heuristic, fabs(a.x - b.x), fabs(a.y - b.y), fabs(a.z - b.z));
            if (distance == 0) continue;
            /* 0 if the distance is beyond a double: then there is no bound. Distances too short to
             * be exact do no harm: estimates are made over longer ones only, and no path is made of
             * those alone. */
            double ratio = graph->edges[i].cost / distance;
            if (least < 0 || ratio < least) least = ratio;
        }
    }
    /* Dividing below a double's normal range rounds coarsely: no bound rather than a wrong one. */
    return least < DBL_MIN ? 0 : least;
}

void crn_graph_measure(cairn_graph *graph)
{
    graph->min_weight = graph->max_weight = 0;
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        cairn_cost weight = graph->edges[i].cost;
        if (weight > graph->max_weight) graph->max_weight = weight;
        if (weight < graph->min_weight || !graph->min_weight) graph->min_weight = weight;
    }
    for (int h = CAIRN_HEURISTIC_MANHATTAN; graph->positions && h < CAIRN_HEURISTIC_COUNT; h++) {
        graph->estimate_scale[h] = graph_scale(graph, (cairn_heuristic)h);
    }
}

static cairn_status graph_allocate(cairn_graph *graph, bool positions)
{
    size_t offsets = crn_mul_size((size_t)graph->node_count + 1, sizeof *graph->offsets);
    size_t edges = crn_mul_size(graph->edge_count, sizeof *graph->edges);
    graph->offsets = crn_alloc(graph->context, offsets);
    if (!graph->offsets) return CAIRN_OUT_OF_MEMORY;
    graph->bytes += offsets;
    graph->edges = crn_alloc(graph->context, edges);
    if (!graph->edges && edges) return CAIRN_OUT_OF_MEMORY;
    graph->bytes += edges;
    if (!positions) return CAIRN_OK;

    size_t points = crn_mul_size(graph->node_count, sizeof *graph->positions);
    size_t tree = crn_mul_size(graph->node_count, sizeof *graph->tree);
    graph->positions = crn_alloc(graph->context, points);
    if (!graph->positions) return CAIRN_OUT_OF_MEMORY;
    graph->bytes += points;
    graph->tree = crn_alloc(graph->context, tree);
    if (!graph->tree) return CAIRN_OUT_OF_MEMORY;
    graph->bytes += tree;
    return CAIRN_OK;
}

cairn_status cairn_graph_create(cairn_context *context, const cairn_graph_options *options,
                                cairn_graph **out, cairn_error *error)
{
    if (out) *out = NULL;
    if (!context || !options || !out) {
        return crn_fail(error, CAIRN_INVALID, 0,
                        "a graph needs a context, options and a place for the result");
    }
    double unit = !options->weights ? 1 : options->unit == 0 ? GRAPH_DEFAULT_UNIT : options->unit;
    cairn_status status = graph_check(options, unit, error);
    if (status) return status;

    cairn_graph *graph = crn_alloc_zero(context, sizeof *graph);
    if (!graph) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "not enough memory for a graph");
    graph->context = context;
    graph->bytes = sizeof *graph;
    graph->version = 1;
    graph->node_count = options->node_count;
    graph->edge_count = options->both_ways ? 2 * options->edge_count : options->edge_count;
    graph->unit = unit;
    graph->integer_weights = !options->weights;
    graph->symmetric = options->both_ways;
    if (graph_allocate(graph, options->positions != NULL)) {
        cairn_graph_destroy(graph);
        return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0,
                        "not enough memory for a graph of %u nodes and %u edges",
                        options->node_count, options->edge_count);
    }
    graph_fill(graph, options);
    if (options->positions) {
        memcpy(graph->positions, options->positions, graph->node_count * sizeof *graph->positions);
        for (uint32_t n = 0; n < graph->node_count; n++) graph->tall |= graph->positions[n].z != 0;
        crn_graph_tree_build(graph);
    }
    crn_graph_measure(graph);
    *out = graph;
    return CAIRN_OK;
}

void cairn_graph_destroy(cairn_graph *graph)
{
    if (!graph || !crn_let_go(&graph->holders)) return;
    cairn_context *context = graph->context;
    crn_graph_forget_edits(graph);
    crn_free(context, graph->tree, graph->node_count * sizeof *graph->tree);
    crn_free(context, graph->positions, graph->node_count * sizeof *graph->positions);
    crn_free(context, graph->edges, graph->edge_count * sizeof *graph->edges);
    crn_free(context, graph->offsets, ((size_t)graph->node_count + 1) * sizeof *graph->offsets);
    crn_free(context, graph, sizeof *graph);
}

/* ---- questions ---- */

cairn_context *cairn_graph_context(const cairn_graph *graph)
{
    return graph->context;
}

uint32_t cairn_graph_node_count(const cairn_graph *graph)
{
    return graph->node_count;
}

uint32_t cairn_graph_edge_count(const cairn_graph *graph)
{
    return graph->edge_count;
}

size_t cairn_graph_bytes(const cairn_graph *graph)
{
    return graph->bytes + crn_graph_edit_bytes(graph);
}

bool cairn_graph_has_positions(const cairn_graph *graph)
{
    return graph->positions != NULL;
}

double cairn_graph_unit(const cairn_graph *graph)
{
    return graph->unit;
}

uint64_t cairn_graph_version(const cairn_graph *graph)
{
    return graph->version;
}

bool cairn_graph_node_open(const cairn_graph *graph, cairn_node node)
{
    return node < graph->node_count && !crn_graph_disabled(graph, node);
}

cairn_cost cairn_graph_cost(const cairn_graph *graph, double weight)
{
    return crn_graph_round(weight, graph->unit);
}

uint32_t cairn_graph_degree(const cairn_graph *graph, cairn_node node)
{
    return node < graph->node_count ? graph->offsets[node + 1] - graph->offsets[node] : 0;
}

cairn_graph_edge cairn_graph_edge_at(const cairn_graph *graph, cairn_node node, uint32_t i)
{
    cairn_graph_edge none = {CAIRN_NO_NODE, CAIRN_NO_NODE, CAIRN_NO_COST};
    if (i >= cairn_graph_degree(graph, node)) return none;
    const cairn_edge *edge = &graph->edges[graph->offsets[node] + i];
    cairn_graph_edge found = {node, edge->node, edge->cost};
    return found;
}

cairn_position cairn_graph_position(const cairn_graph *graph, cairn_node node)
{
    cairn_position nowhere = {0, 0, 0};
    return graph->positions && node < graph->node_count ? graph->positions[node] : nowhere;
}

cairn_node cairn_graph_node_at(const cairn_graph *graph, cairn_position position)
{
    crn_tree_walk walk;
    uint32_t looks = UINT32_MAX;
    crn_graph_tree_begin(graph, position, false, &walk);
    while (!crn_graph_tree_go_on(graph, &walk, &looks)) looks = UINT32_MAX;
    return walk.best;
}
