/* lookahead_search.c: a look ahead. See lookahead.h. */
#include "continuous/lookahead.h"
#include "world/grid_space.h"
#include <stdlib.h>

enum { LOOKAHEAD_EDGES = 16, LOOKAHEAD_BATCH = 16, LOOKAHEAD_TRACED = 16, LOOKAHEAD_MOVED = 2048 };

/* ---- a call ---- */

/* What is bound by each call, since it is large beside the rest of an agent, or its caller's. */
typedef struct crn_lookahead_call {
    cairn_metrics *metrics;       /* NULL = nobody counts */
    const cairn_trace_sink *sink; /* NULL = nobody listens */
    bool watched;                 /* there is one of them */
    bool gates;                   /* estimates know of links, which takes them longer */
    crn_estimate estimate;        /* the space's own; not bound if that is computed here */
    /* On grids some things are computed here, which takes half as long: edges if all cells are
     * alike and there are no links (NULL = they are not); and octile distances to one cell. */
    const crn_grid_space *uniform;
    uint32_t width; /* 0 = it is another estimate */
    cairn_cell goal;
    cairn_scale scale;
} crn_lookahead_call;

/* Are the space's own estimates octile distances, apart from links? */
static bool lookahead_is_octile(const crn_grid_space *map)
{
    return map && !map->hex && map->times == 1 &&
           map->base.default_heuristic == CAIRN_HEURISTIC_OCTILE;
}

static void lookahead_bind_octile(crn_lookahead_call *call, const crn_grid_space *map,
                                  cairn_node goal)
{
    call->gates = false;
    call->width = map->grid->width;
    call->goal = crn_grid_cell(map->grid, goal);
    call->scale = map->cheapest;
}

static void lookahead_bind_estimate(crn_lookahead_call *call, const cairn_space *space,
                                    const cairn_node *goal)
{
    crn_box box = crn_box_empty();
    crn_box_add(&box, space, *goal);
    crn_aim aim = {
        .space = space, .metric = space->default_heuristic, .nodes = goal, .count = 1, .box = &box};
    crn_estimate_bind(&call->estimate, NULL, &aim);
    call->gates = call->estimate.box.gate_count;
    call->width = 0;
}

static void lookahead_bind(crn_lookahead *look, crn_lookahead_call *call)
{
    const cairn_space *space = look->navigator->space;
    const crn_grid_space *map = crn_grid_space_of(space);
    cairn_search *query = look->navigator->query;
    bool octile = lookahead_is_octile(map), binds = !octile || map->links.shortcut_count;
    call->uniform = map && map->uniform && !map->links.count ? map : NULL;
    if (binds) lookahead_bind_estimate(call, space, &look->navigator->goal);
    if (octile && (!binds || !(call->gates || call->estimate.box.blind)))
        lookahead_bind_octile(call, map, look->navigator->goal);
    call->metrics = query ? &query->metrics : NULL;
    call->sink = query ? &query->sink : &look->sink;
    if (query ? !query->traced : !look->sink.event) call->sink = NULL;
    call->watched = call->metrics || call->sink;
    look->call = call;
}

static void lookahead_send(const crn_lookahead *look, cairn_event_kind kind, uint32_t number)
{
    const crn_local_node *n = crn_local(look, number);
    bool first = n->parent == number;
    cairn_event event = {
        kind, 0, n->node, first ? CAIRN_NO_NODE : crn_local(look, n->parent)->node, n->g, n->h};
    look->call->sink->event(look->call->sink->user, &event);
}

static void lookahead_count(cairn_metrics *metrics, cairn_event_kind kind)
{
    bool queued = kind == CAIRN_EVENT_GENERATE || kind == CAIRN_EVENT_REOPEN;
    metrics->generated += kind == CAIRN_EVENT_GENERATE || kind == CAIRN_EVENT_PIECE;
    metrics->reopened += kind == CAIRN_EVENT_REOPEN;
    metrics->expanded += kind == CAIRN_EVENT_EXPAND;
    metrics->pushes += queued;
}

/* Counts an event, and tells of it. */
static CRN_NOINLINE void lookahead_report(const crn_lookahead *look, cairn_event_kind kind,
                                          uint32_t number)
{
    const crn_lookahead_call *call = look->call;
    if (call->metrics) lookahead_count(call->metrics, kind);
    if (call->sink) lookahead_send(look, kind, number);
}

static inline void lookahead_tell(const crn_lookahead *look, cairn_event_kind kind, uint32_t number)
{
    if (CRN_UNLIKELY(look->call->watched)) lookahead_report(look, kind, number);
}

/* ---- estimates ---- */

/* The space's own. */
static inline uint64_t lookahead_estimate(const crn_lookahead_call *call, cairn_node node)
{
    if (CRN_UNLIKELY(!call->width)) return crn_estimate_node(&call->estimate, node);
    int32_t x = (int32_t)(node % call->width), y = (int32_t)(node / call->width);
    return crn_octile(call->scale, (uint32_t)abs(x - call->goal.x),
                      (uint32_t)abs(y - call->goal.y));
}

/* With what was learnt. */
static inline uint64_t lookahead_h(const crn_lookahead *look, cairn_node node)
{
    uint64_t h = lookahead_estimate(look->call, node);
    uint32_t entry = crn_members_find(&look->learnt, node);
    return entry ? h + crn_members_at(&look->learnt, entry)->place : h;
}

void crn_lookahead_raise(crn_lookahead *look, uint32_t number, uint64_t h)
{
    crn_local_node *n = crn_local(look, number);
    cairn_cost raised = h > CAIRN_NO_COST ? CAIRN_COST_MAX : (cairn_cost)h;
    if (raised == CAIRN_NO_COST) look->dead_since = look->navigator->version;
    if (raised <= n->h) return;
    uint32_t entry = crn_members_find(&look->learnt, n->node);
    if (CRN_LIKELY(entry))
        crn_members_at(&look->learnt, entry)->place += raised - n->h;
    else
        crn_members_set(&look->learnt, n->node, raised - n->h);
    n->h = raised;
}

/* ---- which nodes are there ---- */

/* The bucket of a node: by a bit less of the hash if that one does not exist yet. */
static inline uint32_t *lookahead_bucket(const crn_lookahead *look, cairn_node node)
{
    uint32_t bucket = crn_members_hash(node) & look->mask;
    if (bucket >= look->buckets) bucket &= look->mask >> 1;
    return &look->heads[bucket];
}

/* The number of a node, which is in this bucket if it is anywhere. */
static inline uint32_t lookahead_find(const crn_lookahead *look, const uint32_t *head,
                                      cairn_node node)
{
    uint32_t number = *head;
    while (number != CRN_LOCAL_NONE && crn_local(look, number)->node != node)
        number = crn_local(look, number)->next;
    return number;
}

/* Another bucket: moves those that belong to it out of the one where they were. */
static bool lookahead_split(crn_lookahead *look)
{
    uint32_t bucket = look->buckets;
    void *heads = look->heads;
    if (!crn_scratch_grow(crn_lookahead_memory(look), &heads, &look->head_capacity, bucket + 1,
                          sizeof *look->heads))
        return false;
    look->heads = heads;
    if (bucket > look->mask) look->mask = 2 * look->mask + 1;
    uint32_t *old = &look->heads[bucket & look->mask >> 1], number = *old;
    look->heads[bucket] = *old = CRN_LOCAL_NONE;
    look->buckets++;
    while (number != CRN_LOCAL_NONE) {
        crn_local_node *n = crn_local(look, number);
        uint32_t next = n->next, *head = lookahead_bucket(look, n->node);
        n->next = *head;
        *head = number;
        number = next;
    }
    return true;
}

static uint32_t *lookahead_larger_branches(const crn_lookahead *look)
{
    return (uint32_t *)(void *)(look->larger + 2 * look->node_capacity);
}

/* Copies some nodes to where there is room for more. */
static void lookahead_copy(const crn_lookahead *look, uint32_t at, uint32_t count)
{
    memcpy(look->larger + at, look->nodes + at, count * sizeof *look->nodes);
    if (look->branches)
        memcpy(lookahead_larger_branches(look) + at, look->branches + at,
               count * sizeof *look->branches);
}

/* Goes on moving nodes to where there is room for twice as many. If an earlier look has needed that
 * room they stay where they are; but units are spent all the same, so that a look takes as many of
 * them whatever was before it. */
static void lookahead_move(crn_lookahead *look)
{
    crn_scratch *memory = crn_lookahead_memory(look);
    size_t bytes = crn_lookahead_node_bytes(look, look->node_capacity);
    uint32_t count = look->node_count - look->moved;
    bool moves = look->room == look->node_capacity;
    if (moves && !look->larger) look->larger = crn_scratch_alloc(memory, 2 * bytes);
    if (moves && !look->larger) return;
    if (count > LOOKAHEAD_MOVED) count = LOOKAHEAD_MOVED;
    if (moves) lookahead_copy(look, look->moved, count);
    look->moved += count;
    if (look->moved < look->node_count) return;
    if (moves) {
        if (look->branches) look->branches = lookahead_larger_branches(look);
        crn_scratch_free(memory, look->nodes, bytes);
        look->nodes = look->larger;
        look->node_capacity *= 2;
        look->larger = NULL;
    }
    look->room *= 2;
    look->moved = 0;
    look->full = false;
}

/* Room for the next eight nodes, with a bucket for each. */
static bool lookahead_make_room(crn_lookahead *look)
{
    uint32_t count = look->node_count + CRN_LOCAL_FAN;
    look->full = count > look->room;
    bool ok = !look->full && crn_local_queue_extend(&look->queue, crn_lookahead_memory(look));
    while (ok && look->buckets < count) ok = lookahead_split(look);
    return ok;
}

/* ---- looking ahead ---- */

/* Puts a node on the queue, or moves it up. */
static inline void lookahead_queue(crn_lookahead *look, uint32_t number, cairn_cost g, cairn_cost h)
{
    crn_local_queue_lower(&look->queue, number, (uint64_t)(g + h) << 32 | (uint32_t)~g);
}

/* A node that is seen for the first time, and is in this bucket, with a path over the one that is
 * being expanded. Returns its number; CRN_LOCAL_NONE: there is no room, or no memory. */
static inline uint32_t lookahead_add(crn_lookahead *look, const crn_local_node *node,
                                     uint32_t *head)
{
    uint32_t number = look->node_count;
    if (number % CRN_LOCAL_FAN == 0) {
        if (!lookahead_make_room(look)) return CRN_LOCAL_NONE;
        head = lookahead_bucket(look, node->node);
    }
    crn_local_node *n = crn_local(look, number);
    n->node = node->node;
    n->g = node->g;
    n->h = node->h;
    n->parent = node->parent;
    n->next = *head;
    *head = number;
    look->node_count = number + 1;
    lookahead_queue(look, number, node->g, node->h);
    return number;
}

/* Where every step can be walked back, no walk ends hope. */
cairn_status crn_lookahead_hope(crn_lookahead *look)
{
    if (look->hopes) return CAIRN_OK;
    cairn_status status = crn_navigator_hope(look->navigator);
    look->hopes = status == CAIRN_OK && !cairn_space_directed(look->navigator->space);
    return status;
}

static cairn_status lookahead_begin(crn_lookahead *look, cairn_move *move)
{
    cairn_navigator *navigator = look->navigator;
    cairn_status status = crn_lookahead_hope(look);
    navigator->unsure = cairn_space_directed(navigator->space);
    if (status == CAIRN_OK && navigator->unsure && look->watches)
        status = crn_lookahead_watch(look);
    if (status != CAIRN_OK) return status;
    bool revived = look->dead_since != UINT64_MAX && look->dead_since != navigator->version;
    if (look->aim != navigator->goal || revived) {
        if (crn_members_reset(&look->learnt, NULL) != CAIRN_OK) return CAIRN_OUT_OF_MEMORY;
        look->aim = navigator->goal;
        look->dead_since = UINT64_MAX;
    }
    look->node_count = look->edge_count = look->expansion_count = look->path_count = 0;
    look->queue.count = look->moved = 0;
    look->full = false;
    look->room = look->first_room;
    look->buckets = CRN_LOCAL_HEADS;
    look->mask = CRN_LOCAL_HEADS - 1;
    memset(look->heads, 0xff, CRN_LOCAL_HEADS * sizeof *look->heads);
    look->overflowed = false;
    look->expanding = look->best = CRN_LOCAL_NONE;
    look->left = look->most;
    look->phase = look->at = look->spreading = 0;
    crn_local_node here = {.node = navigator->at,
                           .h = crn_saturate(lookahead_h(look, navigator->at))};
    uint32_t first = lookahead_add(look, &here, lookahead_bucket(look, here.node));
    if (first == CRN_LOCAL_NONE) return CAIRN_OUT_OF_MEMORY;
    if (look->branches) look->branches[first] = 0;
    lookahead_tell(look, CAIRN_EVENT_PIECE, first);
    look->stage = CRN_LOOK_EXPAND;
    move->plans++;
    return CAIRN_OK;
}

/* The path to a node leads over the one that is being expanded. */
static inline void lookahead_branch(const crn_lookahead *look, uint32_t number)
{
    if (look->branches)
        look->branches[number] = look->expanding ? look->branches[look->expanding] : number;
}

/* Returns its number; CRN_LOCAL_NONE: it is left out. */
static inline uint32_t lookahead_generate(crn_lookahead *look, cairn_node node, uint64_t g,
                                          uint32_t *head)
{
    uint64_t h = lookahead_h(look, node);
    if (g + h > CAIRN_COST_MAX) {
        look->overflowed |= h < CAIRN_NO_COST;
        return CRN_LOCAL_NONE;
    }
    crn_local_node n = {node, (cairn_cost)g, (cairn_cost)h, look->expanding, {0}};
    uint32_t number = lookahead_add(look, &n, head);
    if (number == CRN_LOCAL_NONE) return number;
    lookahead_branch(look, number);
    lookahead_tell(look, CAIRN_EVENT_GENERATE, number);
    return number;
}

/* A cheaper path to a node that was seen before. */
static void lookahead_improve(crn_lookahead *look, uint32_t number, cairn_cost g)
{
    bool open = crn_local_is_open(look, number);
    crn_local_node *n = crn_local(look, number);
    n->g = g;
    n->parent = look->expanding;
    lookahead_branch(look, number);
    lookahead_queue(look, number, g, n->h);
    lookahead_tell(look, open ? CAIRN_EVENT_UPDATE : CAIRN_EVENT_REOPEN, number);
}

/* Returns the number of the node that the edge leads to; CRN_LOCAL_NONE: it is left out. */
static inline uint32_t lookahead_relax(crn_lookahead *look, cairn_cost from, const cairn_edge *edge)
{
    uint64_t g = (uint64_t)from + edge->cost;
    if (edge->cost == CAIRN_NO_COST) return CRN_LOCAL_NONE;
    uint32_t *head = lookahead_bucket(look, edge->node);
    uint32_t number = lookahead_find(look, head, edge->node);
    if (number == CRN_LOCAL_NONE) return lookahead_generate(look, edge->node, g, head);
    if (g < crn_local(look, number)->g) lookahead_improve(look, number, (cairn_cost)g);
    return number;
}

/* Room for so many edges more, in groups of their own. */
static bool lookahead_room_for_edges(crn_lookahead *look, uint32_t count)
{
    crn_scratch *memory = crn_lookahead_memory(look);
    uint32_t groups = (look->edge_count + count + CRN_LOCAL_GROUP - 1) / CRN_LOCAL_GROUP;
    void *edges = look->edges, *origins = look->origins;
    if (CRN_LIKELY(groups * CRN_LOCAL_GROUP <= look->edge_capacity &&
                   groups <= look->origin_capacity))
        return true;
    bool ok = crn_scratch_grow(memory, &edges, &look->edge_capacity, groups * CRN_LOCAL_GROUP,
                               sizeof *look->edges);
    look->edges = edges;
    ok = ok &&
         crn_scratch_grow(memory, &origins, &look->origin_capacity, groups, sizeof *look->origins);
    look->origins = origins;
    return ok;
}

/* Notes that the edges which were kept since, up to `end`, are those of the last expansion. */
static inline void lookahead_end_group(crn_lookahead *look, uint32_t end)
{
    uint32_t group = look->edge_count / CRN_LOCAL_GROUP;
    if (end % CRN_LOCAL_GROUP) look->edges[end].to = CRN_LOCAL_NONE;
    for (; group * CRN_LOCAL_GROUP < end; group++) look->origins[group] = look->expansion_count - 1;
    look->edge_count = group * CRN_LOCAL_GROUP;
}

static inline uint32_t lookahead_edges(const crn_lookahead *look, cairn_node node, cairn_edge *out)
{
    const crn_grid_space *map = look->edge ? NULL : look->call->uniform;
    if (!map)
        return cairn_space_expand(look->navigator->space, node, look->edge, out, LOOKAHEAD_BATCH);
    uint32_t width = map->grid->width, moves = crn_grid_moves(map, node % width, node / width);
    return crn_grid_uniform_edges(map, node, moves, out);
}

/* Some more edges of the node that is being expanded. */
static CRN_NOINLINE void lookahead_expand(crn_lookahead *look, uint32_t *edges)
{
    cairn_edge batch[LOOKAHEAD_BATCH];
    cairn_cost g = crn_local(look, look->expanding)->g;
    uint32_t count = lookahead_edges(look, crn_local(look, look->expanding)->node, batch);
    bool keeps = look->rule->keeps_edges;
    if (keeps && !lookahead_room_for_edges(look, count)) return;
    uint32_t kept = look->edge_count;
    uint32_t done = 0;
    for (; done < count; done++) {
        uint32_t to = lookahead_relax(look, g, &batch[done]);
        if (to == CRN_LOCAL_NONE && look->full) break;
        if (!keeps || to == CRN_LOCAL_NONE) continue;
        look->edges[kept++] = (crn_local_edge){batch[done].cost, {to}};
    }
    if (keeps) lookahead_end_group(look, kept);
    look->edge += done;
    uint32_t each = look->call->gates ? 2 : 1; /* estimates are slow with gates */
    *edges -= crn_min_u32(*edges, each * done + 1);
    if (look->full || count == LOOKAHEAD_BATCH) return;
    lookahead_tell(look, CAIRN_EVENT_CLOSE, look->expanding);
    look->expanding = CRN_LOCAL_NONE;
}

/* Expands the next node, or ends the look. */
static void lookahead_pop(crn_lookahead *look, cairn_move *move)
{
    uint32_t first = crn_local_queue_first(&look->queue);
    if (first == CRN_LOCAL_NONE || !look->left ||
        crn_local(look, first)->node == look->navigator->goal) {
        look->best = first;
        look->stage = first == CRN_LOCAL_NONE ? CRN_LOOK_DONE : CRN_LOOK_LEARN;
        return;
    }
    crn_local_queue_drop(&look->queue, first);
    look->expansions[look->expansion_count++] = (crn_local_expansion){first, CAIRN_NO_COST};
    look->expanding = first;
    look->edge = 0;
    look->left--;
    move->expanded++;
    lookahead_tell(look, CAIRN_EVENT_EXPAND, first);
}

/* Some more of the path to the best node, from it back to the next step. */
static void lookahead_trace_back(crn_lookahead *look)
{
    crn_scratch *memory = crn_lookahead_memory(look);
    for (uint32_t i = 0; i < LOOKAHEAD_TRACED; i++) {
        uint32_t at = look->tracing;
        void *path = look->path;
        if (crn_local(look, at)->parent == at) {
            look->stage = CRN_LOOK_DONE;
            return;
        }
        bool ok = crn_scratch_grow(memory, &path, &look->path_capacity, look->path_count + 1,
                                   sizeof *look->path);
        look->path = path;
        if (!ok) return;
        look->path[look->path_count++] = at;
        look->tracing = crn_local(look, at)->parent;
    }
}

static void lookahead_unit(crn_lookahead *look, cairn_move *move)
{
    uint32_t edges = LOOKAHEAD_EDGES;
    while (edges && look->stage != CRN_LOOK_DONE && !crn_lookahead_memory(look)->failed) {
        if (look->stage == CRN_LOOK_LEARN) {
            if (!look->rule->learn(look, &edges)) continue;
            look->tracing = look->best;
            look->stage = CRN_LOOK_TRACE;
            lookahead_trace_back(look);
        } else if (look->stage == CRN_LOOK_TRACE) {
            edges--;
            lookahead_trace_back(look);
        } else if (CRN_UNLIKELY(look->full)) {
            edges = 0;
            lookahead_move(look);
        } else if (look->expanding != CRN_LOCAL_NONE) {
            lookahead_expand(look, &edges);
        } else {
            lookahead_pop(look, move);
            if (look->expanding != CRN_LOCAL_NONE) lookahead_expand(look, &edges);
        }
    }
}

/* ---- the look ---- */

/* There is no step. If only what was learnt is in the way, it is forgotten for another look:
 * CAIRN_RUNNING. */
static cairn_status lookahead_stuck(crn_lookahead *look)
{
    if (!look->overflowed) return CAIRN_UNREACHABLE;
    if (!look->rule->relative || !look->learnt.count) return CAIRN_COST_OVERFLOW;
    look->aim = CAIRN_NO_NODE;
    return CAIRN_RUNNING;
}

static void lookahead_count_bytes(const crn_lookahead *look)
{
    cairn_walk_sums *sums = &look->navigator->sums;
    uint64_t bytes = crn_lookahead_used(look);
    if (bytes > sums->peak_bytes) sums->peak_bytes = bytes;
}

/* Looks ahead for at most *budget units. CAIRN_OK: there is a next step. CAIRN_RUNNING: all units
 * are used, or what was in the way is forgotten, and it is to look again. */
static cairn_status lookahead_look(crn_lookahead *look, cairn_move *move, uint64_t *budget)
{
    cairn_status status = CAIRN_OK;
    crn_lookahead_call call;
    lookahead_bind(look, &call);
    if (look->stage == CRN_LOOK_IDLE) status = lookahead_begin(look, move);
    while (status == CAIRN_OK && look->stage != CRN_LOOK_DONE && *budget) {
        --*budget;
        lookahead_unit(look, move);
        if (crn_lookahead_memory(look)->failed) status = CAIRN_OUT_OF_MEMORY;
    }
    look->call = NULL;
    if (status == CAIRN_OK && look->stage != CRN_LOOK_DONE) return CAIRN_RUNNING;
    lookahead_count_bytes(look);
    if (status == CAIRN_OK && !look->path_count) status = lookahead_stuck(look);
    if (status != CAIRN_OK) crn_lookahead_drop(look);
    return status;
}

cairn_status crn_lookahead_look(crn_lookahead *look, cairn_move *move, uint64_t *budget)
{
    cairn_status status = look->stage == CRN_LOOK_DONE ? CAIRN_OK : CAIRN_RUNNING;
    while (status == CAIRN_RUNNING && *budget) status = lookahead_look(look, move, budget);
    return status;
}
