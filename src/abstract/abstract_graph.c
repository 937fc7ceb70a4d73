/* abstract_graph.c: abstract graphs and views of them. See abstract_graph.h. */
#include "abstract/abstract_graph.h"

/* ---- the graph ---- */

void crn_abstract_open(crn_abstract_graph *graph, cairn_context *context)
{
    *graph = (crn_abstract_graph){.context = context};
    crn_list_pool_open(&graph->pool, context, sizeof *graph->edges);
}

void crn_abstract_close(crn_abstract_graph *graph)
{
    crn_free(graph->context, graph->nodes, graph->node_capacity * sizeof *graph->nodes);
    crn_list_pool_close(&graph->pool);
    crn_abstract_open(graph, graph->context);
}

size_t crn_abstract_bytes(const crn_abstract_graph *graph)
{
    return graph->node_capacity * sizeof *graph->nodes +
           graph->pool.capacity * sizeof *graph->edges;
}

cairn_node crn_abstract_add(crn_abstract_graph *graph, int32_t x, int32_t y)
{
    void *nodes = graph->nodes;
    if (!crn_grow(graph->context, &nodes, &graph->node_capacity, graph->node_count + 1,
                  sizeof *graph->nodes)) {
        return CAIRN_NO_NODE;
    }
    graph->nodes = nodes;
    graph->nodes[graph->node_count] = (crn_abstract_node){.x = x, .y = y};
    return (cairn_node)graph->node_count++;
}

bool crn_abstract_connect(crn_abstract_graph *graph, cairn_node node, const cairn_edge *edges,
                          uint32_t count)
{
    crn_abstract_node *n = &graph->nodes[node];
    crn_list list = {n->first, n->count};
    if (!crn_list_pool_set(&graph->pool, &list, edges, count)) return false;
    graph->edges = graph->pool.items;
    n->first = list.first;
    n->count = list.count;
    return true;
}

/* ---- the same graph backwards ---- */

/* Where the edges that lead to each node would begin, and all of them, by the node they lead to. */
static void abstract_sort_by_target(const crn_abstract_graph *from, uint32_t *begin,
                                    cairn_edge *edges)
{
    for (cairn_node node = 0; node < from->node_count; node++) {
        for (uint32_t i = 0; i < from->nodes[node].count; i++)
            begin[crn_abstract_edges(from, node)[i].node + 1]++;
    }
    for (size_t i = 1; i <= from->node_count; i++) begin[i] += begin[i - 1];
    for (cairn_node node = 0; node < from->node_count; node++) {
        for (uint32_t i = 0; i < from->nodes[node].count; i++) {
            cairn_edge edge = crn_abstract_edges(from, node)[i];
            edges[begin[edge.node]++] = (cairn_edge){node, edge.cost};
        }
    }
    for (size_t i = from->node_count; i > 0; i--) begin[i] = begin[i - 1];
    begin[0] = 0;
}

bool crn_abstract_reverse(const crn_abstract_graph *from, crn_abstract_graph *to)
{
    size_t edge_count = 0;
    for (size_t i = 0; i < from->node_count; i++) edge_count += from->nodes[i].count;
    size_t begin_bytes = (from->node_count + 1) * sizeof(uint32_t),
           edge_bytes = (edge_count + 1) * sizeof(cairn_edge);
    uint32_t *begin = crn_alloc_zero(from->context, begin_bytes);
    cairn_edge *edges = crn_alloc(from->context, edge_bytes);
    bool ok = begin && edges;
    if (ok) abstract_sort_by_target(from, begin, edges);
    for (size_t i = 0; i < from->node_count && ok; i++)
        ok = crn_abstract_add(to, 0, 0) != CAIRN_NO_NODE;
    for (cairn_node i = 0; i < from->node_count && ok; i++) {
        ok = crn_abstract_connect(to, i, edges + begin[i], begin[i + 1] - begin[i]);
    }
    crn_free(from->context, begin, begin_bytes);
    crn_free(from->context, edges, edge_bytes);
    return ok;
}

/* ---- positions ---- */

crn_metric crn_metric_of(const cairn_space *ground)
{
    const crn_grid_space *map = crn_grid_space_of(ground);
    if (!map) return (crn_metric){.blind = true};
    uint32_t straight = map->step[CRN_N], diagonal = map->step[CRN_NE];
    if (map->profile.neighbours != CAIRN_NEIGHBOURS_8)
        return (crn_metric){.straight = straight, .hex = map->hex};
    return (crn_metric){.straight = straight, .shortcut = 2 * straight - diagonal};
}

void crn_abstract_position(const cairn_space *ground, cairn_node cell, int32_t *x, int32_t *y)
{
    *x = *y = 0;
    const crn_grid_space *map = crn_grid_space_of(ground);
    if (!map) return;
    cairn_cell at = cairn_grid_cell(map->grid, cell);
    *x = at.x * CRN_ABSTRACT_UNITS + (map->hex && at.y & 1 ? CRN_ABSTRACT_UNITS / 2 : 0);
    *y = at.y * CRN_ABSTRACT_UNITS;
}

/* ---- the view ---- */

static const crn_abstract_view *abstract_view_of(const cairn_space *space)
{
    return (const crn_abstract_view *)(const void *)space;
}

cairn_cost crn_abstract_view_arrival(const crn_abstract_view *view, cairn_node node)
{
    uint32_t count = view->arrive_count;
    /* Neighbours have numbers near each other, so this rules out most nodes at once. */
    if (!count || node < view->arrive[0].node || node > view->arrive[count - 1].node)
        return CAIRN_NO_COST;
    size_t at = crn_lower_bound(view->arrive, count, node);
    return view->arrive[at].node == node ? view->arrive[at].cost : CAIRN_NO_COST;
}

uint32_t crn_abstract_view_more(const crn_abstract_view *view, cairn_node node, uint32_t first,
                                cairn_edge *out, uint32_t capacity)
{
    enum { BATCH = 16 };
    uint32_t written = 0, at = view->more ? 0 : UINT32_MAX;
    while (at != UINT32_MAX && written < capacity) {
        cairn_edge edges[BATCH];
        uint32_t count = view->more(view, node, &at, edges, BATCH);
        for (uint32_t i = 0; i < count; i++) {
            if (first) {
                first--;
            } else if (written < capacity) {
                out[written++] = edges[i];
            }
        }
    }
    return written;
}

static uint32_t abstract_view_expand(const cairn_space *space, cairn_node node, uint32_t first,
                                     cairn_edge *out, uint32_t capacity)
{
    const crn_abstract_view *view = abstract_view_of(space);
    bool inside = node < view->graph->node_count;
    const cairn_edge *edges = inside ? crn_abstract_edges(view->graph, node) : view->leave;
    uint32_t count = inside                                  ? view->graph->nodes[node].count
                     : node == crn_abstract_view_start(view) ? view->leave_count
                                                             : 0;
    uint32_t written = 0, seen = 0;
    cairn_cost arrival = inside ? crn_abstract_view_arrival(view, node) : CAIRN_NO_COST;
    if (arrival != CAIRN_NO_COST && seen++ >= first && written < capacity) {
        out[written++] = (cairn_edge){crn_abstract_view_goal(view), arrival};
    }
    /* Where all nodes are shown, the first ones need not be counted one by one. */
    uint32_t i = view->group || first <= seen ? 0 : crn_min_u32(first - seen, count);
    for (seen += i; i < count && written < capacity; i++) {
        if (crn_abstract_view_shows(view, edges[i].node) && seen++ >= first)
            out[written++] = edges[i];
    }
    uint32_t skip = first > seen ? first - seen : 0;
    if (inside && written < capacity)
        written += crn_abstract_view_more(view, node, skip, out + written, capacity - written);
    return written;
}

/* What is being walked backwards: the edges found so far, and the room for them. */
typedef struct abstract_back {
    const crn_abstract_view *view;
    uint32_t skip; /* this many are not wanted */
    cairn_edge *out;
    uint32_t written, capacity;
} abstract_back;

static void abstract_back_add(abstract_back *back, cairn_node from, cairn_cost cost)
{
    if (!crn_abstract_view_shows(back->view, from) || back->written == back->capacity) return;
    if (back->skip) {
        back->skip--;
        return;
    }
    back->out[back->written++] = (cairn_edge){from, cost};
}

/* The start's edges to a node. */
static void abstract_back_leave(abstract_back *back, cairn_node node)
{
    const crn_abstract_view *view = back->view;
    for (uint32_t i = 0; i < view->leave_count; i++) {
        if (view->leave[i].node == node)
            abstract_back_add(back, crn_abstract_view_start(view), view->leave[i].cost);
    }
}

/* The edges of the graph to a node, without a graph that is led backwards. */
static void abstract_back_look(abstract_back *back, cairn_node node)
{
    const crn_abstract_graph *graph = back->view->graph;
    for (cairn_node from = 0; from < graph->node_count; from++) {
        const cairn_edge *edges = crn_abstract_edges(graph, from);
        for (uint32_t i = 0; i < graph->nodes[from].count; i++) {
            if (edges[i].node == node) abstract_back_add(back, from, edges[i].cost);
        }
    }
}

static void abstract_back_inside(abstract_back *back, cairn_node node)
{
    const crn_abstract_graph *graph = back->view->back;
    if (!graph) {
        abstract_back_look(back, node);
        return;
    }
    const cairn_edge *edges = crn_abstract_edges(graph, node);
    for (uint32_t i = 0; i < graph->nodes[node].count; i++)
        abstract_back_add(back, edges[i].node, edges[i].cost);
}

static uint32_t abstract_view_expand_back(const cairn_space *space, cairn_node node, uint32_t first,
                                          cairn_edge *out, uint32_t capacity)
{
    const crn_abstract_view *view = abstract_view_of(space);
    abstract_back back = {view, first, out, 0, capacity};
    if (!crn_abstract_view_shows(view, node)) return 0;
    abstract_back_leave(&back, node);
    if (node < view->graph->node_count) abstract_back_inside(&back, node);
    if (node == crn_abstract_view_goal(view)) {
        for (uint32_t i = 0; i < view->arrive_count; i++)
            abstract_back_add(&back, view->arrive[i].node, view->arrive[i].cost);
    }
    return back.written;
}

static bool abstract_view_usable(const cairn_space *space, cairn_node node)
{
    return node < space->node_count && crn_abstract_view_shows(abstract_view_of(space), node);
}

static cairn_position abstract_view_position(const cairn_space *space, cairn_node node)
{
    const crn_abstract_node *n = crn_abstract_view_node(abstract_view_of(space), node);
    return (cairn_position){n->x, n->y, 0};
}

static cairn_cost abstract_view_estimate(const cairn_space *space, cairn_heuristic heuristic,
                                         cairn_node node, const crn_box *box)
{
    const crn_abstract_view *view = abstract_view_of(space);
    if (heuristic == CAIRN_HEURISTIC_NULL || view->metric.blind) return 0;
    const crn_abstract_node *n = crn_abstract_view_node(view, node);
    return crn_saturate(crn_abstract_view_distance(view, n, (int32_t)box->x0, (int32_t)box->y0));
}

static uint64_t abstract_view_version(const cairn_space *space)
{
    return cairn_space_version(abstract_view_of(space)->ground);
}

const crn_space_functions crn_abstract_functions = {
    .expand = abstract_view_expand,
    .usable = abstract_view_usable,
    .position = abstract_view_position,
    .estimate = abstract_view_estimate,
    .version = abstract_view_version,
    .expand_back = abstract_view_expand_back,
};

const crn_abstract_view *crn_abstract_view_of(const cairn_space *space)
{
    return space->functions == &crn_abstract_functions ? abstract_view_of(space) : NULL;
}

void crn_abstract_view_open(crn_abstract_view *view, const crn_abstract_graph *graph,
                            const cairn_space *ground)
{
    *view = (crn_abstract_view){.graph = graph, .ground = ground};
    view->base.functions = &crn_abstract_functions;
    view->base.context = ground->context;
    view->base.world = CRN_WORLD_ABSTRACT;
    view->base.scale = ground->scale;
    crn_abstract_view_refresh(view, ground->min_edge, ground->max_edge);
}

void crn_abstract_view_refresh(crn_abstract_view *view, cairn_cost min_edge, cairn_cost max_edge)
{
    view->metric = crn_metric_of(view->ground);
    view->gates = NULL;
    view->base.default_heuristic =
        view->metric.blind ? CAIRN_HEURISTIC_NULL : CAIRN_HEURISTIC_OCTILE;
    view->base.node_count = (uint32_t)view->graph->node_count + 2;
    crn_abstract_view_bound(view, min_edge, max_edge);
}

/* ---- gates ---- */

static bool abstract_has_shortcuts(const crn_abstract_view *view)
{
    const crn_grid_space *map = crn_grid_space_of(view->ground);
    return map && map->links.shortcut_count;
}

static void abstract_view_blind(crn_abstract_view *view)
{
    view->metric = (crn_metric){.blind = true};
    view->base.default_heuristic = CAIRN_HEURISTIC_NULL;
}

/* From cells to positions. Rows of hexagons are shifted: a box of several is made wider. */
static void abstract_place_box(const cairn_space *ground, crn_gate *at)
{
    const cairn_grid *grid = cairn_space_grid(ground);
    bool rows = crn_grid_space_of(ground)->hex && at->top != at->bottom;
    int32_t wider = rows ? CRN_ABSTRACT_UNITS / 2 : 0;
    cairn_node first = cairn_grid_node(grid, at->left, at->top);
    cairn_node last = cairn_grid_node(grid, at->right, at->bottom);
    crn_abstract_position(ground, first, &at->left, &at->top);
    crn_abstract_position(ground, last, &at->right, &at->bottom);
    at->left -= wider;
    at->right += wider;
}

bool crn_metric_open_gates(const cairn_space *ground, cairn_node to, crn_metric_gates *gates)
{
    crn_box box = crn_box_empty();
    crn_box_add(&box, ground, to);
    crn_box_open_gates(&box, ground, ground->default_heuristic, gates->gates);
    gates->count = box.gate_count;
    for (uint32_t i = 0; i < gates->count; i++) abstract_place_box(ground, &gates->gates[i]);
    return box.blind;
}

void crn_abstract_view_open_gates(crn_abstract_view *view, cairn_node to, crn_metric_gates *gates)
{
    if (!abstract_has_shortcuts(view) || view->metric.blind) return;
    bool blind = crn_metric_open_gates(view->ground, to, gates);
    if (gates->count) view->gates = gates;
    if (blind) abstract_view_blind(view);
}

void crn_abstract_view_close_gates(crn_abstract_view *view)
{
    view->gates = NULL;
    if (abstract_has_shortcuts(view)) abstract_view_blind(view);
}

static int32_t abstract_within(int32_t v, int32_t low, int32_t high)
{
    return v < low ? low : v > high ? high : v;
}

uint64_t crn_metric_bound(crn_metric metric, const crn_metric_gates *gates, const int32_t from[2],
                          const int32_t to[2])
{
    uint64_t best = crn_metric_distance(metric, from[0], from[1], to[0], to[1]);
    for (uint32_t i = 0; gates && i < gates->count; i++) {
        const crn_gate *at = &gates->gates[i];
        if (at->rest >= best) break; /* they are ascending */
        int32_t x = abstract_within(from[0], at->left, at->right);
        int32_t y = abstract_within(from[1], at->top, at->bottom);
        uint64_t cost = crn_metric_distance(metric, from[0], from[1], x, y) + at->rest;
        if (cost < best) best = cost;
    }
    return best;
}

uint64_t crn_abstract_view_distance(const crn_abstract_view *view, const crn_abstract_node *from,
                                    int32_t goal_x, int32_t goal_y)
{
    return crn_metric_bound(view->metric, view->gates, (const int32_t[]){from->x, from->y},
                            (const int32_t[]){goal_x, goal_y});
}
