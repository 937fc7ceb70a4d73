/* graph_space.c: a graph as searches see it.
 *
 * Graphs have no profiles yet: every waypoint can be stood on, every edge can be walked. The space
 * adds nothing to the graph but the table of functions and the estimates.
 *
 * An estimate is ⌊scale · distance · (1 − 2⁻⁴⁰)⌋, with the scale that graph.c found to be safe. The
 * factor makes up for all rounding: differences, metrics, the division for the scale and the two
 * products here are each off by a few parts in 2⁵³ at most, 2⁻⁴⁰ is a thousand times all of them
 * together, and costs a path of 10⁹ units one thousandth of a unit. What is given away here may
 * make an estimate inconsistent by one unit; searches reopen, so their answers stay exact.
 */
#include "world/graph.h"
#include <float.h>
#include <math.h>

#define GRAPH_SPACE_SAFETY (1.0 - 0x1p-40)

static const crn_graph_space *graph_space_of(const cairn_space *space)
{
    return (const crn_graph_space *)(const void *)space;
}

static cairn_graph *graph_space_graph(const cairn_space *space)
{
    return graph_space_of(space)->graph;
}

static void graph_space_destroy(cairn_space *space)
{
    crn_free(space->context, graph_space_of(space)->component,
             space->node_count * sizeof(uint32_t));
    crn_free(space->context, space, sizeof(crn_graph_space));
}

static uint32_t graph_space_expand(const cairn_space *space, cairn_node node, uint32_t first,
                                   cairn_edge *out, uint32_t capacity)
{
    const cairn_graph *graph = graph_space_graph(space);
    uint32_t degree = cairn_graph_degree(graph, node);
    if (first >= degree) return 0;
    uint32_t count = crn_min_u32(degree - first, capacity);
    if (count) memcpy(out, &graph->edges[graph->offsets[node] + first], count * sizeof *out);
    return count;
}

static bool graph_space_usable(const cairn_space *space, cairn_node node)
{
    return node < space->node_count;
}

static cairn_position graph_space_position(const cairn_space *space, cairn_node node)
{
    return cairn_graph_position(graph_space_graph(space), node);
}

static cairn_node graph_space_node_at(const cairn_space *space, cairn_position position)
{
    return cairn_graph_node_at(graph_space_graph(space), position);
}

/* How far v lies outside [low, high]. */
static double graph_space_gap(double v, double low, double high)
{
    return v < low ? low - v : v > high ? v - high : 0;
}

static cairn_cost graph_space_estimate(const cairn_space *space, cairn_heuristic heuristic,
                                       cairn_node node, const crn_box *box)
{
    const cairn_graph *graph = graph_space_graph(space);
    if (heuristic == CAIRN_HEURISTIC_AUTO) heuristic = space->default_heuristic;
    if ((unsigned)heuristic >= CAIRN_HEURISTIC_COUNT) return 0;
    double scale = graph->estimate_scale[heuristic];
    if (scale == 0 || node >= graph->node_count) return 0;
    cairn_position position = graph->positions[node];
    double dx = graph_space_gap(position.x, box->x0, box->x1);
    double dy = graph_space_gap(position.y, box->y0, box->y1);
    double dz = graph_space_gap(position.z, box->z0, box->z1);
    double distance = crn_graph_metric(heuristic, dx, dy, dz);
    /* Too short or too long to be told apart from rounding: no estimate rather than a wrong one. */
    if (!(distance >= CRN_GRAPH_TINY && distance <= DBL_MAX)) return 0;
    double estimate = floor(scale * distance * GRAPH_SPACE_SAFETY);
    return estimate >= (double)CAIRN_COST_MAX ? CAIRN_COST_MAX : (cairn_cost)estimate;
}

static uint64_t graph_space_version(const cairn_space *space)
{
    (void)space;
    return 1; /* graphs do not change */
}

static size_t graph_space_bytes(const cairn_space *space)
{
    return sizeof(crn_graph_space) + space->node_count * sizeof(uint32_t);
}

static uint64_t graph_space_component(const cairn_space *space, cairn_node node)
{
    return graph_space_of(space)->component[node];
}

static bool graph_space_directed(const cairn_space *space)
{
    return graph_space_of(space)->directed;
}

static cairn_node graph_space_nearest(const cairn_space *space, uint64_t component, cairn_node to)
{
    cairn_node best = CAIRN_NO_NODE;
    cairn_cost least = CAIRN_NO_COST;
    crn_box box = crn_box_empty();
    crn_box_add(&box, space, to);
    for (cairn_node node = 0; node < space->node_count; node++) {
        if (graph_space_component(space, node) != component) continue;
        cairn_cost cost = graph_space_estimate(space, space->default_heuristic, node, &box);
        if (cost >= least) continue;
        least = cost;
        best = node;
    }
    return best;
}

static cairn_node graph_space_pick(const cairn_space *space, uint64_t component, crn_rng *rng)
{
    uint32_t count = 0;
    for (cairn_node node = 0; node < space->node_count; node++) {
        count += graph_space_component(space, node) == component;
    }
    uint32_t left = crn_rng_below(rng, count);
    cairn_node node = 0;
    while (graph_space_component(space, node) != component || left-- > 0) node++;
    return node;
}

static bool graph_space_components(const cairn_space *space, uint32_t *count, uint32_t *largest)
{
    const uint32_t *component = graph_space_of(space)->component;
    size_t size = crn_mul_size(space->node_count, sizeof(uint32_t));
    uint32_t *nodes = crn_alloc_zero(space->context, size);
    if (!nodes) return false;
    for (cairn_node node = 0; node < space->node_count; node++) {
        *count = crn_max_u32(*count, component[node]);
        *largest = crn_max_u32(*largest, ++nodes[component[node] - 1]);
    }
    crn_free(space->context, nodes, size);
    return true;
}

/* Exact, unlike the whole number of the scale. */
static double graph_space_length(const cairn_space *space, const crn_path_sums *sums)
{
    return (double)sums->cost / graph_space_graph(space)->unit;
}

static const crn_space_functions graph_space_functions = {
    .plural = "graphs",
    .destroy = graph_space_destroy,
    .expand = graph_space_expand,
    .usable = graph_space_usable,
    .position = graph_space_position,
    .node_at = graph_space_node_at,
    .estimate = graph_space_estimate,
    .version = graph_space_version,
    .validate = crn_graph_validate,
    .bytes = graph_space_bytes,
    .component = graph_space_component,
    .directed = graph_space_directed,
    .nearest = graph_space_nearest,
    .pick = graph_space_pick,
    .components = graph_space_components,
    .length = graph_space_length,
    .hash = crn_graph_hash,
    .save = crn_graph_save,
};

cairn_status cairn_space_of_graph(cairn_graph *graph, cairn_space **out, cairn_error *error)
{
    if (out) *out = NULL;
    if (!graph || !out) {
        return crn_fail(error, CAIRN_INVALID, 0,
                        "a space needs a graph and a place for the result");
    }
    crn_graph_space *space = crn_alloc_zero(graph->context, sizeof *space);
    uint32_t *component =
        crn_alloc(graph->context, crn_mul_size(graph->node_count, sizeof *component));
    if (!space || !component || !crn_graph_components(graph, component, &space->directed)) {
        crn_free(graph->context, component, graph->node_count * sizeof *component);
        crn_free(graph->context, space, sizeof *space);
        return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "not enough memory for a space");
    }
    space->component = component;
    bool euclidean = graph->estimate_scale[CAIRN_HEURISTIC_EUCLIDEAN] > 0;
    double unit = floor(graph->unit + 0.5);
    space->graph = graph;
    space->base.functions = &graph_space_functions;
    space->base.context = graph->context;
    space->base.world = CAIRN_WORLD_GRAPH;
    space->base.placed = graph->positions != NULL;
    space->base.node_count = graph->node_count;
    space->base.max_edge = space->base.max_step = graph->max_weight;
    space->base.min_edge = graph->min_weight;
    space->base.default_heuristic = euclidean ? CAIRN_HEURISTIC_EUCLIDEAN : CAIRN_HEURISTIC_NULL;
    /* A whole number for people; lengths come from cairn_graph_unit, which is exact. */
    space->base.scale.straight = graph->integer_weights ? 0
                                 : unit >= UINT32_MAX   ? UINT32_MAX
                                                        : (uint32_t)unit;
    *out = &space->base;
    return CAIRN_OK;
}

const cairn_graph *cairn_space_graph(const cairn_space *space)
{
    return space->world == CAIRN_WORLD_GRAPH ? graph_space_graph(space) : NULL;
}
