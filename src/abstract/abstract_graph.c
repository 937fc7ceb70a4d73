/* abstract_graph.c: abstract graphs and views of them. See abstract_graph.h. */
#include "abstract/abstract_graph.h"

/* ---- the graph ---- */

void crn_layer_open(crn_layer *layer, cairn_context *context)
{
    *layer = (crn_layer){.context = context};
}

void crn_layer_close(crn_layer *layer)
{
    crn_free(layer->context, layer->nodes, layer->node_capacity * sizeof *layer->nodes);
    crn_free(layer->context, layer->edges, layer->edge_capacity * sizeof *layer->edges);
    crn_layer_open(layer, layer->context);
}

size_t crn_layer_bytes(const crn_layer *layer)
{
    return layer->node_capacity * sizeof *layer->nodes +
           layer->edge_capacity * sizeof *layer->edges;
}

cairn_node crn_layer_add(crn_layer *layer, int32_t x, int32_t y)
{
    void *nodes = layer->nodes;
    if (!crn_grow(layer->context, &nodes, &layer->node_capacity, layer->node_count + 1,
                  sizeof *layer->nodes)) {
        return CAIRN_NO_NODE;
    }
    layer->nodes = nodes;
    layer->nodes[layer->node_count] = (crn_layer_node){.x = x, .y = y};
    return (cairn_node)layer->node_count++;
}

/* Places have 1 << class edges; none for no edges. */
static uint32_t layer_class(uint32_t count)
{
    return count > 1 ? crn_highest_bit(count - 1) + 1 : 0;
}

static bool layer_take(crn_layer *layer, uint32_t class, uint32_t *first)
{
    if (layer->vacant[class]) {
        *first = layer->vacant[class] - 1;
        layer->vacant[class] = layer->edges[*first].node;
        return true;
    }
    size_t size = (size_t)1 << class;
    void *edges = layer->edges;
    if (layer->edge_count + size > UINT32_MAX ||
        !crn_grow(layer->context, &edges, &layer->edge_capacity, layer->edge_count + size,
                  sizeof *layer->edges)) {
        return false;
    }
    layer->edges = edges;
    *first = (uint32_t)layer->edge_count;
    layer->edge_count += size;
    return true;
}

bool crn_layer_connect(crn_layer *layer, cairn_node node, const cairn_edge *edges, uint32_t count)
{
    crn_layer_node *n = &layer->nodes[node];
    uint32_t before = layer_class(n->count), class = layer_class(count), first = n->first;
    bool moves = !n->count || !count || before != class;
    if (moves && count && !layer_take(layer, class, &first)) return false;
    if (moves && n->count) {
        layer->edges[n->first].node = layer->vacant[before];
        layer->vacant[before] = n->first + 1;
    }
    if (count) memcpy(layer->edges + first, edges, count * sizeof *edges);
    n->first = count ? first : 0;
    n->count = count;
    return true;
}

/* ---- positions ---- */

crn_metric crn_metric_of(const cairn_space *ground)
{
    if (ground->world != CAIRN_WORLD_GRID) return (crn_metric){.blind = true};
    const crn_grid_space *map = crn_grid_space_of(ground);
    uint32_t least = map->uniform ? 1 : map->least;
    uint32_t straight = map->step[CRN_N] * least, diagonal = map->step[CRN_NE] * least;
    if (map->profile.neighbours != CAIRN_NEIGHBOURS_8)
        return (crn_metric){.straight = straight, .hex = map->hex};
    return (crn_metric){.straight = straight, .shortcut = 2 * straight - diagonal};
}

void crn_layer_position(const cairn_space *ground, cairn_node cell, int32_t *x, int32_t *y)
{
    *x = *y = 0;
    if (ground->world != CAIRN_WORLD_GRID) return;
    const crn_grid_space *map = crn_grid_space_of(ground);
    cairn_cell at = cairn_grid_cell(map->grid, cell);
    *x = at.x * CRN_LAYER_UNITS + (map->hex && at.y & 1 ? CRN_LAYER_UNITS / 2 : 0);
    *y = at.y * CRN_LAYER_UNITS;
}

/* ---- the view ---- */

static const crn_layer_view *layer_view_of(const cairn_space *space)
{
    return (const crn_layer_view *)(const void *)space;
}

cairn_cost crn_layer_view_arrival(const crn_layer_view *view, cairn_node node)
{
    uint32_t low = 0, high = view->arrive_count;
    /* Neighbours have numbers near each other, so most nodes are seen not to be among them at
     * once. */
    if (!high || node < view->arrive[0].node || node > view->arrive[high - 1].node)
        return CAIRN_NO_COST;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (view->arrive[middle].node < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return view->arrive[low].node == node ? view->arrive[low].cost : CAIRN_NO_COST;
}

static uint32_t layer_view_expand(const cairn_space *space, cairn_node node, uint32_t first,
                                  cairn_edge *out, uint32_t capacity)
{
    const crn_layer_view *view = layer_view_of(space);
    bool inside = node < view->layer->node_count;
    const cairn_edge *edges = inside ? crn_layer_edges(view->layer, node) : view->leave;
    uint32_t count = inside                               ? view->layer->nodes[node].count
                     : node == crn_layer_view_start(view) ? view->leave_count
                                                          : 0;
    uint32_t written = 0, seen = 0;
    cairn_cost arrival = inside ? crn_layer_view_arrival(view, node) : CAIRN_NO_COST;
    if (arrival != CAIRN_NO_COST && seen++ >= first && written < capacity) {
        out[written++] = (cairn_edge){crn_layer_view_goal(view), arrival};
    }
    for (uint32_t i = 0; i < count && written < capacity; i++) {
        if (crn_layer_view_shows(view, edges[i].node) && seen++ >= first) out[written++] = edges[i];
    }
    return written;
}

static bool layer_view_usable(const cairn_space *space, cairn_node node)
{
    return node < space->node_count && crn_layer_view_shows(layer_view_of(space), node);
}

static cairn_position layer_view_localize(const cairn_space *space, cairn_node node)
{
    const crn_layer_node *n = crn_layer_view_node(layer_view_of(space), node);
    return (cairn_position){n->x, n->y};
}

static cairn_cost layer_view_estimate(const cairn_space *space, cairn_heuristic heuristic,
                                      cairn_node node, const crn_box *box)
{
    const crn_layer_view *view = layer_view_of(space);
    if (heuristic == CAIRN_HEURISTIC_NULL || view->metric.blind) return 0;
    const crn_layer_node *n = crn_layer_view_node(view, node);
    return crn_saturate(
        crn_metric_distance(view->metric, n->x, n->y, (int32_t)box->x0, (int32_t)box->y0));
}

static uint64_t layer_view_version(const cairn_space *space)
{
    return cairn_space_version(layer_view_of(space)->ground);
}

const crn_space_functions crn_layer_functions = {
    .expand = layer_view_expand,
    .usable = layer_view_usable,
    .localize = layer_view_localize,
    .estimate = layer_view_estimate,
    .version = layer_view_version,
};

const crn_layer_view *crn_layer_view_of(const cairn_space *space)
{
    return space->functions == &crn_layer_functions ? layer_view_of(space) : NULL;
}

void crn_layer_view_open(crn_layer_view *view, const crn_layer *layer, const cairn_space *ground)
{
    *view = (crn_layer_view){.layer = layer, .ground = ground};
    view->base.functions = &crn_layer_functions;
    view->base.context = ground->context;
    view->base.world = CAIRN_WORLD_GRAPH;
    view->base.scale = ground->scale;
    crn_layer_view_follow(view, ground->min_edge, ground->max_edge);
}

void crn_layer_view_follow(crn_layer_view *view, cairn_cost min_edge, cairn_cost max_edge)
{
    view->metric = crn_metric_of(view->ground);
    view->base.standard = view->metric.blind ? CAIRN_HEURISTIC_NULL : CAIRN_HEURISTIC_OCTILE;
    view->base.node_count = (uint32_t)view->layer->node_count + 2;
    view->base.min_edge = min_edge;
    view->base.max_edge = view->base.max_step = max_edge;
}
