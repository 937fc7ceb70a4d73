/* adaptive_search.c: the search of agents whose estimates learn, and the paths that it finds. See
 * adaptive.h.
 *
 * A pointer says by which edge a path goes on. On grids it is a direction if that will do, so that
 * it lasts when other edges of the node come or go; otherwise the number of an edge. No record
 * knows where a search came from: when it is over, the path is read off from its end back, to
 * nodes whose g and edge make up the g of the next one. */
#include "continuous/adaptive.h"

#define ADAPTIVE_BATCH 16u
/* The first edges of a cell are its steps; links come behind them. */
#define ADAPTIVE_STEPS 8u
#define ADAPTIVE_DIRECTIONS 9u /* pointers that are directions; then follow numbers of edges */

/* ---- pointers ---- */

/* The pointer for the edge with this number. */
static uint32_t adaptive_pointer_to(const crn_adaptive *a, cairn_node from, cairn_node to,
                                    uint32_t number)
{
    uint32_t width = a->width;
    if (width && number < ADAPTIVE_STEPS) {
        uint32_t dx = to % width + 1 - from % width, dy = to / width + 1 - from / width;
        if (dx < 3 && dy < 3) return dy * 3 + dx;
    }
    return crn_min_u32(number, CRN_ADAPTIVE_NOWHERE - ADAPTIVE_DIRECTIONS) + ADAPTIVE_DIRECTIONS;
}

void crn_adaptive_drop_number(crn_adaptive *a, crn_keyed_record record)
{
    if (crn_adaptive_read(a, record).pointer >= ADAPTIVE_DIRECTIONS)
        crn_adaptive_point(a, record, CRN_ADAPTIVE_NOWHERE);
}

/* The cheapest step in a direction. */
static bool adaptive_step(const crn_adaptive *a, cairn_node node, uint32_t direction,
                          cairn_edge *out)
{
    cairn_edge edges[ADAPTIVE_STEPS];
    uint32_t count = cairn_space_expand(crn_adaptive_space(a), node, 0, edges, ADAPTIVE_STEPS);
    *out = (cairn_edge){node + (direction / 3 - 1) * a->width + direction % 3 - 1, CAIRN_NO_COST};
    for (uint32_t i = 0; i < count; i++) {
        if (edges[i].node == out->node) out->cost = crn_min_u32(out->cost, edges[i].cost);
    }
    return out->cost != CAIRN_NO_COST;
}

bool crn_adaptive_lead(const crn_adaptive *a, cairn_node node, cairn_edge *out)
{
    crn_keyed_record record = crn_adaptive_find(a, node);
    uint32_t pointer = record.page ? crn_adaptive_read(a, record).pointer : CRN_ADAPTIVE_NOWHERE;
    if (pointer == CRN_ADAPTIVE_NOWHERE) return false;
    if (pointer < ADAPTIVE_DIRECTIONS) return adaptive_step(a, node, pointer, out);
    uint32_t number = pointer - ADAPTIVE_DIRECTIONS;
    return cairn_space_expand(crn_adaptive_space(a), node, number, out, 1) &&
           out->cost != CAIRN_NO_COST;
}

/* ---- tails ---- */

void crn_adaptive_tail_from(crn_adaptive *a, cairn_node node)
{
    a->tail = (crn_adaptive_tail){.from = node, .at = node, .verdict = CRN_TAIL_WALKING};
}

/* Is the estimate of the node exactly what its pointer says? */
static bool adaptive_tail_holds(const crn_adaptive *a, cairn_node node, cairn_edge *edge)
{
    if (!crn_adaptive_lead(a, node, edge)) return false;
    uint64_t rest = crn_adaptive_h(a, edge->node, crn_adaptive_find(a, edge->node));
    return crn_adaptive_h(a, node, crn_adaptive_find(a, node)) == edge->cost + rest;
}

/* Removes a pointer. Beyond `end` they may hold. */
static void adaptive_tail_remove(crn_adaptive *a)
{
    crn_adaptive_tail *tail = &a->tail;
    crn_keyed_record record = crn_adaptive_find(a, tail->at);
    cairn_edge edge = {.node = tail->end};
    bool last = tail->at == tail->end;
    if (!last) crn_adaptive_lead(a, tail->at, &edge);
    if (record.page) crn_adaptive_point(a, record, CRN_ADAPTIVE_NOWHERE);
    tail->at = edge.node;
    if (last) tail->verdict = CRN_TAIL_GONE;
}

void crn_adaptive_tail_step(crn_adaptive *a)
{
    crn_adaptive_tail *tail = &a->tail;
    cairn_edge edge;
    if (tail->verdict == CRN_TAIL_REMOVING) {
        adaptive_tail_remove(a);
    } else if (tail->at == a->navigator->goal) {
        tail->verdict = CRN_TAIL_HOLDS;
    } else if (adaptive_tail_holds(a, tail->at, &edge)) {
        tail->at = edge.node;
    } else {
        tail->end = tail->at;
        tail->at = tail->from;
        tail->verdict = CRN_TAIL_REMOVING;
    }
    if (tail->verdict >= CRN_TAIL_GONE) tail->from = CAIRN_NO_NODE;
}

/* ---- the search ---- */

/* Puts a node on the queue, or gives it another key. False: there is no memory. */
static bool adaptive_search_push(crn_adaptive *a, cairn_node node, crn_keyed_record record,
                                 const crn_adaptive_known *known)
{
    cairn_metrics *metrics = crn_adaptive_metrics(a);
    if (!record.page) record = crn_keyed_add(&a->queue.records, node);
    if (!record.page) return false;
    if (metrics) metrics->pushes += !crn_keyed_is_queued(record);
    return crn_adaptive_queue(
        a, record, crn_keyed_key(known->g + known->h, CAIRN_NO_COST - known->g), known->pointer);
}

void crn_adaptive_begin(crn_adaptive *a, uint32_t *edges)
{
    cairn_navigator *navigator = a->navigator;
    cairn_metrics *metrics = crn_adaptive_metrics(a);
    crn_keyed_record record = crn_adaptive_find(a, navigator->at);
    crn_adaptive_known known = crn_adaptive_now(a, navigator->at, record);
    --*edges;
    a->fresh = a->follows = a->overflowed = false;
    a->spreading = CAIRN_NO_NODE;
    a->stage = CRN_ADAPTIVE_SEARCH;
    known.g = 0;
    if (!adaptive_search_push(a, navigator->at, record, &known)) return;
    if (metrics) metrics->generated++;
    if (navigator->query) return; /* it knows of its ends */
    crn_adaptive_tell(a, CAIRN_EVENT_SOURCE, navigator->at, CAIRN_NO_NODE, 0);
    crn_adaptive_tell(a, CAIRN_EVENT_DESTINATION, navigator->goal, CAIRN_NO_NODE, CAIRN_NO_COST);
}

/* There is a path over this node, of this cost: estimates learn from it. */
static void adaptive_search_found(crn_adaptive *a, cairn_node node, cairn_cost cost)
{
    a->paid[a->epoch] = cost;
    a->trace_to = node;
    a->trace_from = CAIRN_NO_NODE;
    a->trace_at = 0;
    a->stage = CRN_ADAPTIVE_TRACE;
}

static void adaptive_search_relax(crn_adaptive *a, cairn_cost from_g, const cairn_edge *edge)
{
    cairn_metrics *metrics = crn_adaptive_metrics(a);
    uint64_t g = (uint64_t)from_g + edge->cost;
    if (edge->cost == CAIRN_NO_COST) return;
    crn_keyed_record record = crn_adaptive_find(a, edge->node);
    crn_adaptive_known known = crn_adaptive_now(a, edge->node, record);
    bool is_new = known.g == CAIRN_NO_COST, closed = !is_new && !crn_keyed_is_queued(record);
    if (g + known.h > CAIRN_COST_MAX) a->overflowed |= is_new;
    if (g + known.h > CAIRN_COST_MAX || g >= known.g) return;
    known.g = (cairn_cost)g;
    if (!adaptive_search_push(a, edge->node, record, &known)) return;
    if (metrics) metrics->generated += is_new;
    if (metrics) metrics->reopened += closed;
    crn_adaptive_tell(a,
                      is_new   ? CAIRN_EVENT_GENERATE
                      : closed ? CAIRN_EVENT_REOPEN
                               : CAIRN_EVENT_UPDATE,
                      edge->node, a->spreading, known.g);
}

/* Goes on with an expansion. */
static void adaptive_search_spread(crn_adaptive *a, uint32_t *edges)
{
    cairn_edge batch[ADAPTIVE_BATCH];
    cairn_node node = a->spreading;
    cairn_cost g = crn_adaptive_read(a, crn_adaptive_find(a, node)).g;
    uint32_t count =
        cairn_space_expand(crn_adaptive_space(a), node, a->spread_at, batch, ADAPTIVE_BATCH);
    for (uint32_t i = 0; i < count && !crn_adaptive_memory(a)->failed; i++)
        adaptive_search_relax(a, g, &batch[i]);
    a->spread_at += count;
    *edges -= crn_min_u32(*edges, count ? count : 1);
    if (count == ADAPTIVE_BATCH) return;
    a->spreading = CAIRN_NO_NODE;
    crn_adaptive_tell(a, CAIRN_EVENT_CLOSE, node, CAIRN_NO_NODE, g);
    *edges = 0; /* one expansion is a unit */
}

static void adaptive_search_expand(crn_adaptive *a, cairn_node node, crn_keyed_record record)
{
    cairn_metrics *metrics = crn_adaptive_metrics(a);
    crn_adaptive_known known = crn_adaptive_read(a, record);
    crn_keyed_remove(&a->queue, record);
    crn_adaptive_close_one(a, record, known.g, known.h);
    a->spreading = node;
    a->spread_at = 0;
    a->expanded++;
    if (metrics) metrics->expanded++;
    crn_adaptive_tell(a, CAIRN_EVENT_EXPAND, node, CAIRN_NO_NODE, known.g);
}

/* There is no path. Estimates that learnt may have left one out because it costs too much, or none
 * at all: then only a search without them can tell. */
static void adaptive_search_failed(crn_adaptive *a)
{
    if (!a->overflowed) {
        a->status = CAIRN_UNREACHABLE;
    } else if (a->first) {
        a->status = CAIRN_COST_OVERFLOW;
    } else {
        crn_adaptive_forget(a);
        a->stage = CRN_ADAPTIVE_BEGIN;
    }
}

/* Takes the first node of the queue. */
static void adaptive_search_pop(crn_adaptive *a)
{
    uint64_t key;
    crn_keyed_record record;
    if (!crn_keyed_least(&a->queue, &key, &record)) {
        adaptive_search_failed(a);
        return;
    }
    cairn_node node = crn_keyed_node(&a->queue.records, record);
    if (node == a->navigator->goal)
        adaptive_search_found(a, node, crn_adaptive_read(a, record).g);
    else if (a->rule->reuses && crn_adaptive_read(a, record).pointer != CRN_ADAPTIVE_NOWHERE)
        crn_adaptive_tail_from(a, node);
    else
        adaptive_search_expand(a, node, record);
}

/* A tail from the first node of the queue: the path may end there. */
static void adaptive_search_tail(crn_adaptive *a)
{
    cairn_node node = a->tail.from;
    crn_adaptive_tail_step(a);
    crn_adaptive_known known = crn_adaptive_read(a, crn_adaptive_find(a, node));
    if (a->tail.verdict == CRN_TAIL_HOLDS) adaptive_search_found(a, node, known.g + known.h);
}

void crn_adaptive_search(crn_adaptive *a, uint32_t *edges)
{
    if (a->tail.from != CAIRN_NO_NODE) {
        adaptive_search_tail(a);
        --*edges;
    } else if (a->spreading != CAIRN_NO_NODE) {
        adaptive_search_spread(a, edges);
    } else {
        adaptive_search_pop(a);
    }
}

/* ---- the path ---- */

/* Looks for the node before the one that the path is known from. */
static void adaptive_trace_back(crn_adaptive *a, uint32_t *edges)
{
    cairn_edge batch[ADAPTIVE_BATCH];
    cairn_cost g = crn_adaptive_read(a, crn_adaptive_find(a, a->trace_to)).g;
    uint32_t count = cairn_space_expand_back(crn_adaptive_space(a), a->trace_to, a->trace_at, batch,
                                             ADAPTIVE_BATCH);
    CRN_CHECK(a->navigator->context, count);
    a->trace_at += count;
    *edges -= crn_min_u32(*edges, count ? count : 1);
    for (uint32_t i = 0; i < count; i++) {
        crn_keyed_record record = crn_adaptive_find(a, batch[i].node);
        if (!record.page || crn_adaptive_epoch(record) != a->epoch) continue;
        if ((uint64_t)crn_adaptive_read(a, record).g + batch[i].cost != g) continue;
        a->trace_from = batch[i].node;
        a->trace_cost = batch[i].cost;
        a->trace_at = 0;
        return;
    }
}

/* Looks for the number of the edge between them. */
static void adaptive_trace_on(crn_adaptive *a, uint32_t *edges)
{
    cairn_edge batch[ADAPTIVE_STEPS];
    uint32_t count = cairn_space_expand(crn_adaptive_space(a), a->trace_from, a->trace_at, batch,
                                        ADAPTIVE_STEPS);
    CRN_CHECK(a->navigator->context, count);
    *edges -= crn_min_u32(*edges, count ? count : 1);
    for (uint32_t i = 0; i < count; i++, a->trace_at++) {
        if (batch[i].node != a->trace_to || batch[i].cost != a->trace_cost) continue;
        crn_adaptive_point(a, crn_adaptive_find(a, a->trace_from),
                           adaptive_pointer_to(a, a->trace_from, a->trace_to, a->trace_at));
        a->trace_to = a->trace_from;
        a->trace_from = CAIRN_NO_NODE;
        a->trace_at = 0;
        return;
    }
}

void crn_adaptive_trace_path(crn_adaptive *a, uint32_t *edges)
{
    if (a->trace_to == a->navigator->at) {
        a->stage = CRN_ADAPTIVE_DONE;
        a->follows = true;
        a->doubtful = false;
    } else if (a->trace_from == CAIRN_NO_NODE) {
        adaptive_trace_back(a, edges);
    } else {
        adaptive_trace_on(a, edges);
    }
}
