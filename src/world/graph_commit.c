/* graph_commit.c: edits of a graph.
 *
 * Searches read the edges of a node as one piece of an array, so an edge that is closed must not
 * be in it. While any edge is closed or any node disabled, the graph keeps a *stock* beside it:
 * all edges, each with its own state, from which the array is made. A commit makes the next stock
 * and the next arrays from the present ones and the staged changes, in memory of its own; then
 * every space makes what it will need; and only then, when nothing can fail any more, all of it
 * is swapped in. That is one pass over the graph, whatever is changed, and all that follows from
 * edges and positions (components, bounds, scales of estimates, tree) is what a new graph would
 * have.
 */
#include "world/graph.h"
#include "world/world_check.h"

/* ---- staging ---- */

static cairn_status graph_commit_stage(cairn_graph *graph, crn_graph_edit edit)
{
    void *edits = graph->edits;
    if (graph->edit_count == UINT32_MAX || !crn_grow(graph->context, &edits, &graph->edit_capacity,
                                                     graph->edit_count + 1, sizeof edit)) {
        return CAIRN_OUT_OF_MEMORY;
    }
    graph->edits = edits;
    edit.order = (uint32_t)graph->edit_count;
    graph->edits[graph->edit_count++] = edit;
    return CAIRN_OK;
}

/* Is there an edge, open, closed or staged? */
static bool graph_commit_has(const cairn_graph *graph, cairn_node from, cairn_node to)
{
    const crn_graph_stock *stock = &graph->stock;
    const uint32_t *offsets = stock->offsets ? stock->offsets : graph->offsets;
    for (uint32_t i = offsets[from]; i < offsets[from + 1]; i++) {
        if ((stock->offsets ? stock->edges[i].edge.node : graph->edges[i].node) == to) return true;
    }
    for (size_t i = 0; i < graph->edit_count; i++) {
        const crn_graph_edit *edit = &graph->edits[i];
        if (edit->kind == CRN_GRAPH_ADD && edit->node == from && edit->to == to) return true;
    }
    return false;
}

static cairn_status graph_commit_check(const cairn_graph *graph, cairn_node from, cairn_node to)
{
    if (!graph) return CAIRN_INVALID;
    if (from >= graph->node_count || to >= graph->node_count) return CAIRN_OUT_OF_BOUNDS;
    return CAIRN_OK;
}

static bool graph_commit_weight_ok(cairn_cost weight)
{
    return weight >= 1 && weight <= CAIRN_COST_MAX;
}

cairn_status cairn_graph_set_edge_open(cairn_graph *graph, cairn_node from, cairn_node to,
                                       bool open)
{
    cairn_status status = graph_commit_check(graph, from, to);
    if (status != CAIRN_OK) return status;
    if (!graph_commit_has(graph, from, to)) return CAIRN_INVALID;
    return graph_commit_stage(
        graph, (crn_graph_edit){.kind = CRN_GRAPH_OPEN, .node = from, .to = to, .open = open});
}

cairn_status cairn_graph_set_weight(cairn_graph *graph, cairn_node from, cairn_node to,
                                    cairn_cost weight)
{
    cairn_status status = graph_commit_check(graph, from, to);
    if (status != CAIRN_OK) return status;
    if (!graph_commit_weight_ok(weight) || !graph_commit_has(graph, from, to)) return CAIRN_INVALID;
    return graph_commit_stage(
        graph,
        (crn_graph_edit){.kind = CRN_GRAPH_WEIGHT, .node = from, .to = to, .weight = weight});
}

cairn_status cairn_graph_add_edge(cairn_graph *graph, const cairn_graph_edge *edge)
{
    if (!edge) return CAIRN_INVALID;
    cairn_status status = graph_commit_check(graph, edge->from, edge->to);
    if (status != CAIRN_OK) return status;
    if (edge->from == edge->to || !graph_commit_weight_ok(edge->weight)) return CAIRN_INVALID;
    return graph_commit_stage(graph, (crn_graph_edit){.kind = CRN_GRAPH_ADD,
                                                      .node = edge->from,
                                                      .to = edge->to,
                                                      .weight = edge->weight});
}

cairn_status cairn_graph_set_node_open(cairn_graph *graph, cairn_node node, bool open)
{
    cairn_status status = graph_commit_check(graph, node, node);
    if (status != CAIRN_OK) return status;
    return graph_commit_stage(graph,
                              (crn_graph_edit){.kind = CRN_GRAPH_NODE, .node = node, .open = open});
}

cairn_status cairn_graph_set_position(cairn_graph *graph, cairn_node node, cairn_position position)
{
    cairn_status status = graph_commit_check(graph, node, node);
    if (status != CAIRN_OK) return status;
    if (!graph->positions || !crn_graph_finite(position)) return CAIRN_INVALID;
    return graph_commit_stage(
        graph, (crn_graph_edit){.kind = CRN_GRAPH_MOVE, .node = node, .position = position});
}

void cairn_graph_discard(cairn_graph *graph)
{
    graph->edit_count = 0;
}

/* ---- staging what another graph has ---- */

static crn_stock_edge graph_commit_edge_at(const cairn_graph *graph, uint32_t i)
{
    return graph->stock.offsets ? graph->stock.edges[i] : (crn_stock_edge){graph->edges[i], false};
}

static cairn_status graph_commit_stage_open(cairn_graph *copy, cairn_node node,
                                            const crn_stock_edge *edge)
{
    return graph_commit_stage(copy, (crn_graph_edit){.kind = CRN_GRAPH_OPEN,
                                                     .node = node,
                                                     .to = edge->edge.node,
                                                     .open = !edge->closed});
}

/* An edge that the copy has, as `then`, or has not: NULL. */
static cairn_status graph_commit_stage_edge(cairn_graph *copy, cairn_node node,
                                            const crn_stock_edge *now, const crn_stock_edge *then)
{
    cairn_status status = CAIRN_OK;
    if (!then || now->edge.cost != then->edge.cost)
        status = graph_commit_stage(
            copy, (crn_graph_edit){.kind = then ? CRN_GRAPH_WEIGHT : CRN_GRAPH_ADD,
                                   .node = node,
                                   .to = now->edge.node,
                                   .weight = now->edge.cost});
    if (status == CAIRN_OK && now->closed != (then && then->closed))
        status = graph_commit_stage_open(copy, node, now);
    return status;
}

/* Edges are never removed, and later ones come behind those that are there. What is done to an edge
 * is done to all that lead to the same node, so it does not matter that the edits of one are those
 * of the others. */
static cairn_status graph_commit_stage_node(cairn_graph *copy, const cairn_graph *graph,
                                            cairn_node node)
{
    const uint32_t *now = graph->stock.offsets ? graph->stock.offsets : graph->offsets,
                   *then = copy->stock.offsets ? copy->stock.offsets : copy->offsets;
    cairn_status status = CAIRN_OK;
    for (uint32_t i = now[node], k = then[node]; i < now[node + 1] && status == CAIRN_OK;
         i++, k++) {
        bool there = k < then[node + 1];
        crn_stock_edge edge = graph_commit_edge_at(graph, i),
                       before = there ? graph_commit_edge_at(copy, k) : edge;
        status = graph_commit_stage_edge(copy, node, &edge, there ? &before : NULL);
    }
    if (status == CAIRN_OK && crn_graph_disabled(graph, node) != crn_graph_disabled(copy, node))
        status = cairn_graph_set_node_open(copy, node, !crn_graph_disabled(graph, node));
    return status;
}

static cairn_status graph_commit_stage_position(cairn_graph *copy, cairn_node node,
                                                const cairn_position *now)
{
    const cairn_position *then = &copy->positions[node];
    bool same = now->x == then->x && now->y == then->y && now->z == then->z;
    return same ? CAIRN_OK : cairn_graph_set_position(copy, node, *now);
}

cairn_status crn_graph_stage_changes(cairn_graph *copy, const cairn_graph *graph)
{
    cairn_status status = CAIRN_OK;
    cairn_graph_discard(copy);
    for (cairn_node node = 0; node < graph->node_count && status == CAIRN_OK; node++) {
        status = graph_commit_stage_node(copy, graph, node);
        if (status == CAIRN_OK && graph->positions)
            status = graph_commit_stage_position(copy, node, &graph->positions[node]);
    }
    return status;
}

/* By node, then in the order of staging. */
static bool graph_commit_before(const void *a, const void *b)
{
    const crn_graph_edit *first = a, *second = b;
    return first->node != second->node ? first->node < second->node : first->order < second->order;
}

/* ---- the next state ---- */

/* All that a commit makes. */
typedef struct graph_next {
    cairn_graph *graph;
    cairn_graph state;     /* a copy of the graph with arrays that may be new */
    crn_graph_stock stock; /* always made */
    uint8_t *disabled;     /* always made */
    uint8_t *touched;      /* by node: its edges differ */
    crn_graph_commit commit;
    bool moved;  /* positions and tree are new */
    bool edited; /* edges may have changed */
    bool hidden; /* an edge is closed or a node disabled */
    bool differs;
} graph_next;

static size_t graph_commit_offset_bytes(const cairn_graph *graph)
{
    return crn_mul_size((size_t)graph->node_count + 1, sizeof *graph->offsets);
}

static void graph_commit_free_stock(const cairn_graph *graph, crn_graph_stock *stock)
{
    crn_free(graph->context, stock->edges, stock->edge_count * sizeof *stock->edges);
    crn_free(graph->context, stock->offsets, graph_commit_offset_bytes(graph));
    *stock = (crn_graph_stock){0};
}

static void graph_commit_free_arrays(const cairn_graph *graph)
{
    crn_free(graph->context, graph->edges, graph->edge_count * sizeof *graph->edges);
    crn_free(graph->context, graph->offsets, graph_commit_offset_bytes(graph));
}

static void graph_commit_free_places(const cairn_graph *graph)
{
    crn_free(graph->context, graph->positions, graph->node_count * sizeof *graph->positions);
    crn_free(graph->context, graph->tree, graph->node_count * sizeof *graph->tree);
}

static void graph_commit_free_commit(const cairn_graph *graph, crn_graph_commit *commit)
{
    crn_free(graph->context, commit->nodes, commit->count * sizeof *commit->nodes);
    *commit = (crn_graph_commit){0};
}

/* What has not been taken over. */
static void graph_commit_close(graph_next *next)
{
    const cairn_graph *graph = next->graph;
    graph_commit_free_stock(graph, &next->stock);
    crn_free(graph->context, next->disabled, graph->node_count);
    crn_free(graph->context, next->touched, graph->node_count);
    graph_commit_free_commit(graph, &next->commit);
    graph_commit_free_arrays(&next->state);
    if (next->moved) graph_commit_free_places(&next->state);
}

/* Memory for all but the array of edges, whose length is not known yet. */
static bool graph_commit_open(graph_next *next, cairn_graph *graph)
{
    cairn_context *context = graph->context;
    size_t nodes = graph->node_count;
    *next = (graph_next){.graph = graph, .state = *graph};
    next->state.offsets = NULL;
    next->state.edges = NULL;
    next->state.edge_count = 0;
    size_t edges = graph->stock.offsets ? graph->stock.edge_count : graph->edge_count;
    for (size_t i = 0; i < graph->edit_count; i++) {
        edges += graph->edits[i].kind == CRN_GRAPH_ADD;
        next->moved |= graph->edits[i].kind == CRN_GRAPH_MOVE;
        next->edited |= graph->edits[i].kind < CRN_GRAPH_NODE;
    }
    if (next->moved) {
        next->state.positions = crn_alloc(context, nodes * sizeof *graph->positions);
        next->state.tree = crn_alloc(context, nodes * sizeof *graph->tree);
    }
    if (edges > UINT32_MAX) return false;
    next->stock.edge_count = (uint32_t)edges;
    next->stock.offsets = crn_alloc(context, graph_commit_offset_bytes(graph));
    next->stock.edges = crn_alloc(context, crn_mul_size(edges, sizeof *next->stock.edges));
    next->disabled = crn_alloc_zero(context, nodes);
    next->touched = crn_alloc_zero(context, nodes);
    next->state.offsets = crn_alloc(context, graph_commit_offset_bytes(graph));
    return next->stock.offsets && (next->stock.edges || !edges) && next->disabled &&
           next->touched && next->state.offsets &&
           (!next->moved || (next->state.positions && next->state.tree));
}

/* Copies the edges of a node into the next stock; returns the place behind them. */
static uint32_t graph_commit_copy(graph_next *next, cairn_node node, uint32_t place)
{
    const cairn_graph *graph = next->graph;
    const crn_graph_stock *stock = &graph->stock;
    const uint32_t *offsets = stock->offsets ? stock->offsets : graph->offsets;
    for (uint32_t i = offsets[node]; i < offsets[node + 1]; i++) {
        next->stock.edges[place++] =
            stock->offsets ? stock->edges[i] : (crn_stock_edge){graph->edges[i], false};
    }
    return place;
}

/* A staged change of edges, whose node's edges are those of the next stock from `first` up to
 * *end. */
static void graph_commit_edit_edges(graph_next *next, const crn_graph_edit *edit, uint32_t first,
                                    uint32_t *end)
{
    crn_stock_edge *edges = next->stock.edges;
    if (edit->kind == CRN_GRAPH_ADD) {
        edges[(*end)++] = (crn_stock_edge){{edit->to, edit->weight}, false};
        next->differs = true;
        return;
    }
    for (uint32_t i = first; i < *end; i++) {
        if (edges[i].edge.node != edit->to) continue;
        bool closed = edit->kind == CRN_GRAPH_OPEN ? !edit->open : edges[i].closed;
        cairn_cost weight = edit->kind == CRN_GRAPH_WEIGHT ? edit->weight : edges[i].edge.cost;
        edges[i] = (crn_stock_edge){{edit->to, weight}, closed};
    }
}

/* The next stock, and which nodes are disabled. Changes are sorted. */
static void graph_commit_fill_stock(graph_next *next)
{
    const cairn_graph *graph = next->graph;
    uint32_t place = 0;
    size_t at = 0;
    if (graph->disabled) memcpy(next->disabled, graph->disabled, graph->node_count);
    for (cairn_node node = 0; node < graph->node_count; node++) {
        uint32_t first = next->stock.offsets[node] = place;
        place = graph_commit_copy(next, node, place);
        for (; at < graph->edit_count && graph->edits[at].node == node; at++) {
            const crn_graph_edit *edit = &graph->edits[at];
            if (edit->kind == CRN_GRAPH_NODE) {
                next->disabled[node] = !edit->open;
            } else if (edit->kind != CRN_GRAPH_MOVE) {
                graph_commit_edit_edges(next, edit, first, &place);
            }
        }
    }
    next->stock.offsets[graph->node_count] = place;
}

static bool graph_commit_usable(const graph_next *next, cairn_node node, const crn_stock_edge *edge)
{
    return !edge->closed && !next->disabled[node] && !next->disabled[edge->edge.node];
}

/* The edges that can be used, from the next stock; false = no memory. */
static bool graph_commit_fill_edges(graph_next *next)
{
    cairn_graph *state = &next->state;
    const crn_graph_stock *stock = &next->stock;
    uint32_t count = 0;
    for (cairn_node node = 0; node < state->node_count; node++) {
        state->offsets[node] = count;
        for (uint32_t i = stock->offsets[node]; i < stock->offsets[node + 1]; i++) {
            next->hidden |= stock->edges[i].closed;
            count += graph_commit_usable(next, node, &stock->edges[i]);
        }
        next->hidden |= next->disabled[node] != 0;
    }
    state->offsets[state->node_count] = count;
    state->edges = crn_alloc(state->context, count * sizeof *state->edges);
    if (count && !state->edges) return false;
    state->edge_count = count;
    for (cairn_node node = 0; node < state->node_count; node++) {
        uint32_t place = state->offsets[node];
        for (uint32_t i = stock->offsets[node]; i < stock->offsets[node + 1]; i++) {
            if (graph_commit_usable(next, node, &stock->edges[i]))
                state->edges[place++] = stock->edges[i].edge;
        }
    }
    return true;
}

/* ---- what differs ---- */

static uint32_t graph_commit_count(const cairn_graph *graph, cairn_node node, cairn_edge edge)
{
    uint32_t count = 0;
    for (uint32_t i = graph->offsets[node]; i < graph->offsets[node + 1]; i++) {
        count += graph->edges[i].node == edge.node && graph->edges[i].cost == edge.cost;
    }
    return count;
}

/* Marks both ends of every edge of a node that one graph has more often than the other. */
static void graph_commit_mark(graph_next *next, cairn_node node, const cairn_graph *a,
                              const cairn_graph *b)
{
    for (uint32_t i = a->offsets[node]; i < a->offsets[node + 1]; i++) {
        cairn_edge edge = a->edges[i];
        if (graph_commit_count(a, node, edge) == graph_commit_count(b, node, edge)) continue;
        next->touched[node] = next->touched[edge.node] = 1;
    }
}

static bool graph_commit_same_edges(const cairn_graph *a, const cairn_graph *b, cairn_node node)
{
    uint32_t count = a->offsets[node + 1] - a->offsets[node];
    if (b->offsets[node + 1] - b->offsets[node] != count) return false;
    return !count || !memcmp(a->edges + a->offsets[node], b->edges + b->offsets[node],
                             count * sizeof *a->edges);
}

/* Is an edge closed, or has it another weight, that was and had not? (Those of disabled nodes
 * count as well.) */
static bool graph_commit_stock_differs(const graph_next *next)
{
    const crn_graph_stock *old = &next->graph->stock, *now = &next->stock;
    for (uint32_t i = 0; i < now->edge_count; i++) {
        crn_stock_edge was =
            old->offsets ? old->edges[i] : (crn_stock_edge){next->graph->edges[i], false};
        if (was.closed != now->edges[i].closed || was.edge.cost != now->edges[i].edge.cost)
            return true;
    }
    return false;
}

/* Finds out what the commit changes, and lists the nodes; false = no memory. */
static bool graph_commit_compare(graph_next *next)
{
    const cairn_graph *graph = next->graph;
    crn_graph_commit *commit = &next->commit;
    uint32_t count = 0;
    next->differs = next->differs || graph_commit_stock_differs(next);
    for (cairn_node node = 0; node < graph->node_count; node++) {
        if (crn_graph_disabled(graph, node) != (next->disabled[node] != 0)) next->touched[node] = 1;
        if (graph_commit_same_edges(graph, &next->state, node)) continue;
        graph_commit_mark(next, node, graph, &next->state);
        graph_commit_mark(next, node, &next->state, graph);
    }
    for (cairn_node node = 0; node < graph->node_count; node++) count += next->touched[node];
    next->differs = next->differs || count;
    commit->nodes = crn_alloc(graph->context, count * sizeof *commit->nodes);
    if (count && !commit->nodes) return false;
    for (cairn_node node = 0; node < graph->node_count; node++) {
        if (next->touched[node]) commit->nodes[commit->count++] = node;
    }
    commit->version = graph->version + 1;
    return true;
}

static void graph_commit_move(graph_next *next)
{
    const cairn_graph *graph = next->graph;
    cairn_position *positions = next->state.positions;
    memcpy(positions, graph->positions, graph->node_count * sizeof *positions);
    for (size_t i = 0; i < graph->edit_count; i++) {
        const crn_graph_edit *edit = &graph->edits[i];
        if (edit->kind == CRN_GRAPH_MOVE) positions[edit->node] = edit->position;
    }
    for (uint32_t n = 0; n < graph->node_count && !next->differs; n++) {
        next->differs = positions[n].x != graph->positions[n].x ||
                        positions[n].y != graph->positions[n].y ||
                        positions[n].z != graph->positions[n].z;
    }
    next->state.tall = false;
    for (uint32_t n = 0; n < graph->node_count; n++) next->state.tall |= positions[n].z != 0;
    crn_graph_tree_build(&next->state);
}

/* ---- all of it ---- */

/* Keeps the newest commits, and no more nodes in all than a sixteenth of the graph or 4096. */
static void graph_commit_remember(cairn_graph *graph, crn_graph_commit *commit)
{
    crn_graph_commit *slot = &graph->commits[graph->version % CRN_COMMITS_KEPT];
    uint64_t used = 0, room = graph->node_count / 16 > 4096 ? graph->node_count / 16 : 4096;
    graph_commit_free_commit(graph, slot);
    *slot = *commit;
    *commit = (crn_graph_commit){0};
    for (uint64_t back = 0; back < CRN_COMMITS_KEPT && back < graph->version; back++) {
        crn_graph_commit *one = &graph->commits[(graph->version - back) % CRN_COMMITS_KEPT];
        used += one->count;
        if (used > room && back > 0) graph_commit_free_commit(graph, one);
    }
}

/* Swaps: what the graph had is left in `next`, to be freed. */
static void graph_commit_take(graph_next *next)
{
    cairn_graph *graph = next->graph, old = *graph;
    const cairn_graph *state = &next->state;
    size_t had = old.edge_count, has = state->edge_count;
    graph->offsets = state->offsets;
    graph->edges = state->edges;
    graph->edge_count = state->edge_count;
    graph->positions = state->positions;
    graph->tree = state->tree;
    graph->tall = state->tall;
    graph->min_weight = state->min_weight;
    graph->max_weight = state->max_weight;
    memcpy(graph->estimate_scale, state->estimate_scale, sizeof graph->estimate_scale);
    graph->symmetric = state->symmetric;
    graph->bytes = graph->bytes - had * sizeof *graph->edges + has * sizeof *graph->edges;
    next->state = old;
    crn_graph_stock stock = graph->stock;
    uint8_t *disabled = graph->disabled;
    graph->stock = next->hidden ? next->stock : (crn_graph_stock){0};
    graph->disabled = next->hidden ? next->disabled : NULL;
    if (next->hidden) {
        next->stock = stock;
        next->disabled = disabled;
    } else {
        graph_commit_free_stock(graph, &stock);
        crn_free(graph->context, disabled, graph->node_count);
    }
}

/* Makes the next state complete but for spaces; false = no memory. */
static bool graph_commit_make(graph_next *next, cairn_graph *graph)
{
    if (!graph_commit_open(next, graph)) return false;
    graph_commit_fill_stock(next);
    if (!graph_commit_fill_edges(next) || !graph_commit_compare(next)) return false;
    if (next->moved) graph_commit_move(next);
    next->state.disabled = next->disabled;
    next->state.symmetric = graph->symmetric && !next->edited;
    crn_graph_measure(&next->state);
    return true;
}

cairn_status cairn_graph_commit(cairn_graph *graph)
{
    if (!graph) return CAIRN_INVALID;
    if (!graph->edit_count) return CAIRN_OK;
    graph_next next;
    crn_sort(graph->edits, graph->edit_count, sizeof *graph->edits, graph_commit_before);
    bool ok = graph_commit_make(&next, graph);
    for (crn_graph_space *space = graph->spaces; ok && next.differs && space; space = space->next) {
        ok = crn_graph_space_prepare(space, &next.state);
    }
    if (ok && next.differs) {
        graph->version++;
        if (next.moved) graph->moved_version = graph->version;
        graph_commit_take(&next);
        graph_commit_remember(graph, &next.commit);
        for (crn_graph_space *space = graph->spaces; space; space = space->next)
            crn_graph_space_refresh(space);
#if defined(CAIRN_CHECKS)
        crn_graph_check_commit(graph);
#endif
    }
    for (crn_graph_space *space = graph->spaces; space; space = space->next)
        crn_graph_space_forget(space);
    graph_commit_close(&next);
    if (ok) cairn_graph_discard(graph);
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

cairn_status crn_graph_hide(cairn_graph *graph, const uint8_t *closed, const uint8_t *disabled)
{
    graph_next next;
    bool ok = graph_commit_open(&next, graph);
    if (ok) {
        graph_commit_fill_stock(&next);
        for (uint32_t i = 0; closed && i < next.stock.edge_count; i++) {
            next.stock.edges[i].closed = closed[i] != 0;
        }
        for (uint32_t i = 0; disabled && i < graph->node_count; i++)
            next.disabled[i] = disabled[i] != 0;
        ok = graph_commit_fill_edges(&next);
    }
    if (ok) {
        next.state.symmetric = graph->symmetric && !closed;
        crn_graph_measure(&next.state);
        graph_commit_take(&next);
    }
    graph_commit_close(&next);
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

void crn_graph_forget_edits(cairn_graph *graph)
{
    for (uint32_t i = 0; i < CRN_COMMITS_KEPT; i++)
        graph_commit_free_commit(graph, &graph->commits[i]);
    graph_commit_free_stock(graph, &graph->stock);
    crn_free(graph->context, graph->disabled, graph->node_count);
    crn_free(graph->context, graph->edits, graph->edit_capacity * sizeof *graph->edits);
    graph->disabled = NULL;
    graph->edits = NULL;
    graph->edit_count = graph->edit_capacity = 0;
}

size_t crn_graph_edit_bytes(const cairn_graph *graph)
{
    size_t bytes = graph->edit_capacity * sizeof *graph->edits;
    for (uint32_t i = 0; i < CRN_COMMITS_KEPT; i++) {
        bytes += graph->commits[i].count * sizeof *graph->commits[i].nodes;
    }
    if (graph->stock.offsets) {
        bytes +=
            graph_commit_offset_bytes(graph) + graph->stock.edge_count * sizeof *graph->stock.edges;
    }
    return bytes + (graph->disabled ? graph->node_count : 0);
}
