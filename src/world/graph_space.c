/* graph_space.c: a graph as searches see it.
 *
 * Graphs have no profiles yet: every waypoint that is not disabled can be stood on, every edge that
 * is not closed can be walked. The space adds the components, the edges backwards and the
 * estimates.
 */
#include "world/graph.h"
#include "world/changes.h"
#include <float.h>
#include <math.h>

static const crn_graph_space *graph_space_of(const cairn_space *space)
{
    return (const crn_graph_space *)(const void *)space;
}

static cairn_graph *graph_space_graph(const cairn_space *space)
{
    return graph_space_of(space)->graph;
}

static void graph_space_free(cairn_context *context, crn_graph_space *space);

static void graph_space_destroy(cairn_space *space)
{
    crn_graph_space *own = (crn_graph_space *)(void *)space, **link = &own->graph->spaces;
    cairn_graph *graph = own->graph;
    while (*link && *link != own) link = &(*link)->next;
    if (*link) *link = own->next;
    graph_space_free(space->context, own);
    cairn_graph_destroy(graph); /* lets go of it */
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

static uint32_t graph_space_expand_back(const cairn_space *space, cairn_node node, uint32_t first,
                                        cairn_edge *out, uint32_t capacity)
{
    const crn_graph_back *back = &graph_space_of(space)->back;
    if (!back->offsets) return graph_space_expand(space, node, first, out, capacity);
    uint32_t degree = back->offsets[node + 1] - back->offsets[node];
    if (first >= degree) return 0;
    uint32_t count = crn_min_u32(degree - first, capacity);
    if (count) memcpy(out, &back->edges[back->offsets[node] + first], count * sizeof *out);
    return count;
}

/* Those from which edges lead there. */
static uint32_t graph_space_next_to(const cairn_space *space, cairn_node goal, uint32_t *at,
                                    cairn_node *out)
{
    cairn_edge edges[CRN_SPACE_PIECE];
    uint32_t count = graph_space_expand_back(space, goal, *at, edges, CRN_SPACE_PIECE);
    for (uint32_t i = 0; i < count; i++) out[i] = edges[i].node;
    *at = count == CRN_SPACE_PIECE ? *at + count : UINT32_MAX;
    return count;
}

static bool graph_space_usable(const cairn_space *space, cairn_node node)
{
    return cairn_graph_node_open(graph_space_graph(space), node);
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

/* The factor makes up for all rounding: differences, metrics, the division for the scale and the
 * two products here are each off by a few parts in 2⁵³ at most, 2⁻⁴⁰ is a thousand times all of
 * them together, and costs a path of 10⁹ units one thousandth of a unit. What is given away here
 * may make an estimate inconsistent by one unit; searches reopen, so their answers stay exact. */
cairn_cost crn_graph_estimate(cairn_heuristic heuristic, double scale, cairn_position position,
                              const crn_box *box)
{
    double distance = crn_graph_metric(heuristic, graph_space_gap(position.x, box->x0, box->x1),
                                       graph_space_gap(position.y, box->y0, box->y1),
                                       graph_space_gap(position.z, box->z0, box->z1));
    /* Too short or too long to tell from rounding: no estimate rather than a wrong one. */
    if (!(distance >= CRN_GRAPH_TINY && distance <= DBL_MAX)) return 0;
    double estimate = floor(scale * distance * (1.0 - 0x1p-40));
    return estimate >= (double)CAIRN_COST_MAX ? CAIRN_COST_MAX : (cairn_cost)estimate;
}

static cairn_cost graph_space_estimate(const cairn_space *space, cairn_heuristic heuristic,
                                       cairn_node node, const crn_box *box)
{
    const cairn_graph *graph = graph_space_graph(space);
    if (heuristic == CAIRN_HEURISTIC_AUTO) heuristic = space->default_heuristic;
    if ((unsigned)heuristic >= CAIRN_HEURISTIC_COUNT) return 0;
    double scale = graph->estimate_scale[heuristic];
    if (scale == 0 || node >= graph->node_count) return 0;
    return crn_graph_estimate(heuristic, scale, graph->positions[node], box);
}

static uint64_t graph_space_version(const cairn_space *space)
{
    return graph_space_graph(space)->version;
}

static size_t graph_space_bytes(const cairn_space *space)
{
    return sizeof(crn_graph_space) + space->node_count * sizeof(uint32_t) +
           crn_graph_back_bytes(&graph_space_of(space)->back);
}

static uint64_t graph_space_component(const cairn_space *space, cairn_node node)
{
    return graph_space_of(space)->component[node];
}

static bool graph_space_directed(const cairn_space *space)
{
    return graph_space_of(space)->directed;
}

static bool graph_space_components(const cairn_space *space, uint32_t *count, uint32_t *largest)
{
    const uint32_t *component = graph_space_of(space)->component;
    size_t size = crn_mul_size(space->node_count, sizeof(uint32_t));
    uint32_t *nodes = crn_alloc_zero(space->context, size);
    if (!nodes) return false;
    for (cairn_node node = 0; node < space->node_count; node++) {
        if (!component[node]) continue;
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
    .nearest = crn_space_scan_nearest,
    .pick = crn_space_scan_pick,
    .components = graph_space_components,
    .length = graph_space_length,
    .next_to = graph_space_next_to,
    .hash = crn_graph_hash,
    .save = crn_graph_save,
    .expand_back = graph_space_expand_back,
    .changes = crn_graph_changes,
};

/* ---- making it, and refreshing it after commits ---- */

/* Everything that follows from the graph's weights and positions. */
static void graph_space_learn(cairn_space *space, const cairn_graph *graph)
{
    bool euclidean = graph->estimate_scale[CAIRN_HEURISTIC_EUCLIDEAN] > 0;
    double unit = floor(graph->unit + 0.5);
    space->placed = graph->positions != NULL;
    space->max_edge = space->max_step = graph->max_weight;
    space->min_edge = graph->min_weight;
    space->default_heuristic = euclidean ? CAIRN_HEURISTIC_EUCLIDEAN : CAIRN_HEURISTIC_NULL;
    /* A whole number for people; lengths come from cairn_graph_unit, which is exact. */
    space->scale.straight = graph->integer_weights ? 0
                            : unit >= UINT32_MAX   ? UINT32_MAX
                                                   : (uint32_t)unit;
}

static void graph_space_free(cairn_context *context, crn_graph_space *space)
{
    if (!space) return;
    crn_graph_back_destroy(context, &space->back);
    crn_free(context, space->component, space->base.node_count * sizeof *space->component);
    crn_free(context, space, sizeof *space);
}

/* NULL = no memory. */
static crn_graph_space *graph_space_make(const cairn_graph *graph)
{
    crn_graph_space *space = crn_alloc_zero(graph->context, sizeof *space);
    if (!space) return NULL;
    space->base.functions = &graph_space_functions;
    space->base.context = graph->context;
    space->base.world = CAIRN_WORLD_GRAPH;
    space->base.node_count = graph->node_count;
    space->component =
        crn_alloc(graph->context, crn_mul_size(graph->node_count, sizeof *space->component));
    if (!space->component || !crn_graph_components(graph, space->component, &space->directed) ||
        !crn_graph_back_make(graph, &space->back)) {
        graph_space_free(graph->context, space);
        return NULL;
    }
    graph_space_learn(&space->base, graph);
    return space;
}

bool crn_graph_space_prepare(crn_graph_space *space, const cairn_graph *next)
{
    space->coming = graph_space_make(next);
    return space->coming != NULL;
}

void crn_graph_space_forget(crn_graph_space *space)
{
    graph_space_free(space->base.context, space->coming);
    space->coming = NULL;
}

void crn_graph_space_refresh(crn_graph_space *space)
{
    crn_graph_space *coming = space->coming, old = *space;
    space->back = coming->back;
    space->component = coming->component;
    space->directed = coming->directed;
    coming->back = old.back;
    coming->component = old.component;
    graph_space_learn(&space->base, space->graph);
    crn_graph_space_forget(space);
}

cairn_status cairn_space_of_graph(cairn_graph *graph, cairn_space **out, cairn_error *error)
{
    if (out) *out = NULL;
    if (!graph || !out) {
        return crn_fail(error, CAIRN_INVALID, 0,
                        "a space needs a graph and a place for the result");
    }
    crn_graph_space *space = graph_space_make(graph);
    if (!space) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "not enough memory for a space");
    space->graph = graph;
    space->next = graph->spaces;
    graph->spaces = space;
    crn_hold(&graph->holders);
    *out = &space->base;
    return CAIRN_OK;
}

const cairn_graph *cairn_space_graph(const cairn_space *space)
{
    return space->world == CAIRN_WORLD_GRAPH ? graph_space_graph(space) : NULL;
}
