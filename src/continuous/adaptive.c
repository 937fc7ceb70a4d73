/* adaptive.c: agents whose estimates learn: their life, records and estimates, and what they do
 * next. See adaptive.h. */
#include "continuous/adaptive.h"
#include "world/graph.h"
#include "world/view.h"

#define ADAPTIVE_EDGES 32u
/* A lap takes at most so many epochs. */
#define ADAPTIVE_SWEEP 16u
/* Nodes that leave the queue for the price of an edge, when a search is over. */
#define ADAPTIVE_LEAVE 8u
/* Estimates that are rounded may break the triangle inequality by so much. */
#define ADAPTIVE_ROUNDING 2u

/* ---- life ---- */

cairn_status crn_adaptive_create(cairn_planner *planner, cairn_error *error)
{
    (void)error;
    planner->optimal = true;
    planner->bound = 1;
    return CAIRN_OK;
}

void crn_adaptive_destroy(cairn_planner *planner)
{
    (void)planner;
}

cairn_status crn_adaptive_open(cairn_navigator *navigator, const crn_adaptive_rule *rule)
{
    crn_adaptive *a = navigator->own = crn_scratch_alloc(&navigator->memory, sizeof *a);
    if (!a) return CAIRN_OUT_OF_MEMORY;
    memset(a, 0, sizeof *a);
    a->navigator = navigator;
    a->rule = rule;
    const cairn_grid *grid = cairn_space_grid(crn_view_ground(navigator->space));
    a->width = grid ? grid->width : 0;
    crn_aimed_open(&a->aimed, &navigator->memory, navigator->space, false);
    return crn_keyed_open(&a->queue, &navigator->memory, navigator->space, true);
}

void crn_adaptive_close(cairn_navigator *navigator)
{
    crn_adaptive *a = navigator->own;
    if (!a) return;
    crn_aimed_close(&a->aimed);
    crn_keyed_close(&a->queue);
    crn_scratch_free(&navigator->memory, a, sizeof *a);
    navigator->own = NULL;
}

size_t crn_adaptive_bytes(const cairn_navigator *navigator)
{
    return navigator->memory.bytes;
}

static void adaptive_count_bytes(const crn_adaptive *a)
{
    cairn_walk_sums *sums = &a->navigator->sums;
    uint64_t bytes = crn_keyed_bytes(&a->queue);
    if (bytes > sums->peak_bytes) sums->peak_bytes = bytes;
}

/* ---- events and counts ---- */

void crn_adaptive_trace(cairn_navigator *navigator, const cairn_trace_sink *sink)
{
    crn_adaptive *a = navigator->own;
    a->sink = sink ? *sink : (cairn_trace_sink){0};
}

void crn_adaptive_report(const crn_adaptive *a, cairn_event_kind kind, cairn_node node,
                         cairn_node parent, cairn_cost g)
{
    const cairn_search *query = a->navigator->query;
    const cairn_trace_sink *sink = query ? &query->sink : &a->sink;
    cairn_event event = {kind, 0,
                         node, parent,
                         g,    crn_saturate(crn_adaptive_h(a, node, crn_adaptive_find(a, node)))};
    sink->event(sink->user, &event);
}

/* ---- estimates ---- */

/* The space's own estimate. On graphs it is rounded, and may fall by a unit more than an edge
 * costs; a little less of it does not. */
static uint64_t adaptive_space_h(const crn_adaptive *a, cairn_node node)
{
    const crn_aimed *aimed = &a->aimed;
    const cairn_graph *graph = cairn_space_graph(aimed->space);
    if (!graph) return crn_aimed_node(aimed, node);
    double scale = aimed->basis.scale * (1 - 0x1p-16);
    if (!graph->positions || !(scale > 0) || aimed->basis.metric == CAIRN_HEURISTIC_NULL) return 0;
    return crn_graph_estimate(aimed->basis.metric, scale, graph->positions[node], &aimed->box);
}

/* What was learnt of a node, as it is in epoch `now`. */
static cairn_cost adaptive_learnt(const crn_adaptive *a, const crn_adaptive_known *known,
                                  uint32_t epoch, uint32_t now)
{
    cairn_cost paid = a->paid[epoch], h = known->h, less = a->moved[now] - a->moved[epoch];
    if (paid > known->g) h = crn_max_u32(h, paid - known->g);
    return h > less ? h - less : 0;
}

uint64_t crn_adaptive_h(const crn_adaptive *a, cairn_node node, crn_keyed_record record)
{
    uint64_t learnt = 0;
    if (record.page) {
        crn_adaptive_known known = crn_adaptive_read(a, record);
        uint32_t epoch = crn_adaptive_epoch(record);
        learnt = adaptive_learnt(a, &known, epoch, a->epoch);
        if (epoch == a->epoch) return learnt; /* it has both */
    }
    uint64_t own = adaptive_space_h(a, node);
    return own > learnt ? own : learnt;
}

/* ---- records ---- */

crn_adaptive_known crn_adaptive_renewed(const crn_adaptive *a, cairn_node node,
                                        crn_keyed_record record)
{
    crn_adaptive_known known = {CAIRN_NO_COST, 0, CRN_ADAPTIVE_NOWHERE};
    if (record.page) known.pointer = crn_adaptive_read(a, record).pointer;
    known.h = crn_saturate(crn_adaptive_h(a, node, record));
    return known;
}

static void adaptive_write(crn_keyed_record record, crn_adaptive_form form, uint32_t epoch,
                           uint32_t one, uint32_t two)
{
    *crn_keyed_a(record) = one;
    *crn_keyed_b(record) = two;
    *crn_keyed_note(record) = (uint8_t)(form * CRN_ADAPTIVE_EPOCHS + epoch);
}

void crn_adaptive_learn(crn_adaptive *a, crn_keyed_record record, cairn_cost h, uint32_t pointer)
{
    adaptive_write(record, CRN_ADAPTIVE_LEARNT, a->epoch, pointer, h);
}

void crn_adaptive_close_one(crn_adaptive *a, crn_keyed_record record, cairn_cost g, cairn_cost h)
{
    adaptive_write(record, CRN_ADAPTIVE_CLOSED, a->epoch, g, h);
}

bool crn_adaptive_queue(crn_adaptive *a, crn_keyed_record record, uint64_t key, uint32_t pointer)
{
    if (!crn_keyed_set(&a->queue, record, key, false)) return false;
    adaptive_write(record, CRN_ADAPTIVE_QUEUED, a->epoch, *crn_keyed_a(record), pointer);
    return true;
}

void crn_adaptive_point(crn_adaptive *a, crn_keyed_record record, uint32_t pointer)
{
    crn_adaptive_known known = crn_adaptive_read(a, record);
    uint32_t epoch = crn_adaptive_epoch(record);
    crn_adaptive_form form = crn_adaptive_form_of(record);
    if (form == CRN_ADAPTIVE_QUEUED)
        *crn_keyed_b(record) = pointer;
    else if (form == CRN_ADAPTIVE_CLOSED && pointer != CRN_ADAPTIVE_NOWHERE)
        adaptive_write(record, CRN_ADAPTIVE_PATH, epoch, known.g, pointer);
    else if (form == CRN_ADAPTIVE_PATH && pointer == CRN_ADAPTIVE_NOWHERE)
        adaptive_write(record, CRN_ADAPTIVE_CLOSED, epoch, known.g, known.h);
    else if (form == CRN_ADAPTIVE_LEARNT)
        *crn_keyed_a(record) = pointer;
}

void crn_adaptive_forget(crn_adaptive *a)
{
    crn_keyed_reset(&a->queue);
    a->checking = a->spreading = a->tail.from = CAIRN_NO_NODE;
    a->epoch = a->sweep_at = a->sweep_left = a->lap = 0;
    a->paid[0] = a->moved[0] = 0;
    a->first = a->fresh = a->sweep_due = true;
    a->lowering = a->follows = false;
    a->version = cairn_space_version(crn_adaptive_space(a));
    crn_aimed_bind(&a->aimed, a->navigator->goal);
}

/* ---- epochs ---- */

/* Works out what was learnt of the nodes of a page, so that none is older than the last epoch. */
static void adaptive_sweep_page(crn_adaptive *a, uint32_t index)
{
    uint32_t last = (a->epoch + CRN_ADAPTIVE_EPOCHS - 1) % CRN_ADAPTIVE_EPOCHS;
    uint32_t count = crn_keyed_page_used(&a->queue.records, index);
    for (uint32_t i = 0; i < count; i++) {
        crn_keyed_record record = {a->queue.records.pages[index], i};
        uint32_t epoch = crn_adaptive_epoch(record);
        if (epoch == a->epoch) continue;
        crn_adaptive_known known = crn_adaptive_read(a, record);
        cairn_cost h = adaptive_learnt(a, &known, epoch, last);
        adaptive_write(record, CRN_ADAPTIVE_LEARNT, last, known.pointer, h);
    }
}

/* How many pages are to be swept before the next epoch. Another lap may begin. */
static uint32_t adaptive_sweep_share(crn_adaptive *a)
{
    if (a->first) return 0;
    if (a->sweep_at >= a->lap) {
        a->sweep_at = 0;
        a->lap = a->queue.records.pages_used;
    }
    return crn_min_u32(a->lap / ADAPTIVE_SWEEP + 1, a->lap - a->sweep_at);
}

/* Sweeps some pages. True: enough for another epoch to begin. */
static bool adaptive_sweep(crn_adaptive *a, uint32_t *edges)
{
    if (a->sweep_due) a->sweep_left = adaptive_sweep_share(a);
    a->sweep_due = false;
    for (; a->sweep_left && *edges; a->sweep_left--) {
        adaptive_sweep_page(a, a->sweep_at++);
        *edges -= crn_min_u32(*edges, 2);
    }
    return !a->sweep_left;
}

/* Takes nodes off the queue, the last one first; what is known of them stays. True: none is
 * left. */
static bool adaptive_leave(crn_adaptive *a, uint32_t *edges)
{
    crn_keyed_queue *queue = &a->queue;
    for (; queue->used && *edges; --*edges) {
        for (uint32_t i = 0; i < ADAPTIVE_LEAVE && queue->used; i++) {
            uint32_t number = crn_keyed_entry_at(queue, queue->used)->record;
            crn_keyed_record record = crn_keyed_at(&queue->records, number);
            crn_adaptive_known known = crn_adaptive_read(a, record);
            crn_keyed_remove(queue, record);
            crn_adaptive_learn(a, record, known.h, known.pointer);
        }
    }
    return !queue->used;
}

/* Begins another epoch, if enough is swept; all estimates are so much less in it. */
static bool adaptive_renew(crn_adaptive *a, cairn_cost less, uint32_t *edges)
{
    if (!adaptive_leave(a, edges) || !adaptive_sweep(a, edges)) return false;
    cairn_cost moved = a->moved[a->epoch] + less;
    a->epoch = (a->epoch + 1) % CRN_ADAPTIVE_EPOCHS;
    a->paid[a->epoch] = 0;
    a->moved[a->epoch] = moved;
    a->first = false;
    a->fresh = a->sweep_due = true;
    return true;
}

/* The goal is somewhere else. Where links are shortcuts, estimates to two goals have nothing to do
 * with each other. */
static void adaptive_retarget(crn_adaptive *a, uint32_t *edges)
{
    const cairn_space *space = crn_adaptive_space(a);
    cairn_node goal = a->navigator->goal;
    uint64_t less = crn_adaptive_h(a, goal, crn_adaptive_find(a, goal));
    bool rounded = space->world != CAIRN_WORLD_GRID;
    if (rounded && a->aimed.basis.metric != CAIRN_HEURISTIC_NULL) less += ADAPTIVE_ROUNDING;
    if (!a->rule->moves || crn_aimed_has_shortcuts(space) ||
        a->moved[a->epoch] + less >= CAIRN_NO_COST) {
        crn_adaptive_forget(a);
    } else if (adaptive_renew(a, (cairn_cost)less, edges)) {
        crn_aimed_bind(&a->aimed, goal);
        a->doubtful = true;
    }
}

/* ---- events ---- */

void crn_adaptive_start(cairn_navigator *navigator)
{
    crn_adaptive *a = navigator->own;
    a->stage = CRN_ADAPTIVE_IDLE;
    a->begun = a->follows = false;
}

/* The world, or the goal. */
void crn_adaptive_changed(cairn_navigator *navigator)
{
    crn_adaptive *a = navigator->own;
    a->stage = CRN_ADAPTIVE_IDLE;
}

void crn_adaptive_pushed(cairn_navigator *navigator)
{
    crn_adaptive *a = navigator->own;
    a->stage = CRN_ADAPTIVE_IDLE;
    a->follows = false;
}

/* A step along its path keeps the path. */
void crn_adaptive_stepped(cairn_navigator *navigator, cairn_node from)
{
    crn_adaptive *a = navigator->own;
    bool along = a->follows && a->step.from == from && a->step.to == navigator->at;
    a->step.from = CAIRN_NO_NODE;
    if (!along) crn_adaptive_pushed(navigator);
}

/* ---- what next ---- */

static cairn_status adaptive_prepare(crn_adaptive *a, cairn_move *move)
{
    cairn_status status = crn_navigator_hope(a->navigator);
    if (status != CAIRN_OK) return status;
    move->plans++;
    if (a->begun)
        crn_adaptive_notice(a);
    else
        crn_adaptive_forget(a);
    a->begun = true;
    if (!a->lowering) a->spreading = CAIRN_NO_NODE; /* of a search that is over */
    a->tail.from = a->step.from = CAIRN_NO_NODE;
    a->stage = CRN_ADAPTIVE_SETTLE;
    return CAIRN_OK;
}

static void adaptive_settle(crn_adaptive *a, uint32_t *edges)
{
    if (crn_adaptive_unsettled(a)) {
        if (a->fresh)
            crn_adaptive_settle(a, edges);
        else
            adaptive_renew(a, 0, edges);
    } else if (a->aimed.target != a->navigator->goal) {
        adaptive_retarget(a, edges);
    } else {
        a->stage = CRN_ADAPTIVE_VERIFY;
    }
}

/* Is the path still the best one? */
static void adaptive_verify(crn_adaptive *a, uint32_t *edges)
{
    if (!a->follows) {
        a->stage = CRN_ADAPTIVE_BEGIN;
        return;
    }
    if (a->doubtful && a->tail.from == CAIRN_NO_NODE) crn_adaptive_tail_from(a, a->navigator->at);
    for (; *edges && a->doubtful && a->follows; --*edges) {
        crn_adaptive_tail_step(a);
        a->doubtful = a->tail.verdict != CRN_TAIL_HOLDS;
        a->follows = a->tail.verdict != CRN_TAIL_GONE;
    }
    if (a->follows && !a->doubtful) a->stage = CRN_ADAPTIVE_DONE;
}

/* The next thing to do; *edges is not 0. */
static void adaptive_turn(crn_adaptive *a, uint32_t *edges)
{
    switch (a->stage) {
    case CRN_ADAPTIVE_SETTLE: adaptive_settle(a, edges); break;
    case CRN_ADAPTIVE_VERIFY: adaptive_verify(a, edges); break;
    case CRN_ADAPTIVE_BEGIN:
        if (a->fresh)
            crn_adaptive_begin(a, edges);
        else
            adaptive_renew(a, 0, edges);
        break;
    case CRN_ADAPTIVE_SEARCH: crn_adaptive_search(a, edges); break;
    default: crn_adaptive_trace_path(a, edges);
    }
}

/* There is no memory. What was learnt makes room; else that is the answer. */
static void adaptive_make_room(crn_adaptive *a)
{
    a->status = a->first ? CAIRN_OUT_OF_MEMORY : CAIRN_RUNNING;
    crn_adaptive_memory(a)->failed = false;
    crn_adaptive_forget(a);
    a->stage = CRN_ADAPTIVE_BEGIN;
}

/* Goes on for at most *work units. CAIRN_OK: the next step is known. */
static cairn_status adaptive_work(crn_adaptive *a, uint64_t *work)
{
    a->status = CAIRN_RUNNING;
    for (; *work && a->status == CAIRN_RUNNING && a->stage != CRN_ADAPTIVE_DONE; --*work) {
        uint32_t edges = ADAPTIVE_EDGES;
        while (edges && a->status == CAIRN_RUNNING && a->stage != CRN_ADAPTIVE_DONE) {
            adaptive_turn(a, &edges);
            if (crn_adaptive_memory(a)->failed) adaptive_make_room(a);
        }
    }
    adaptive_count_bytes(a);
    if (a->stage == CRN_ADAPTIVE_DONE) return CAIRN_OK;
    if (a->status != CAIRN_RUNNING) a->stage = CRN_ADAPTIVE_IDLE;
    return a->status;
}

cairn_status crn_adaptive_next(cairn_navigator *navigator, cairn_move *move)
{
    crn_adaptive *a = navigator->own;
    uint64_t budget = navigator->budget, expanded = a->expanded;
    cairn_status status = CAIRN_OK;
    cairn_edge edge;
    navigator->memory.failed = false;
    if (a->stage == CRN_ADAPTIVE_IDLE) status = adaptive_prepare(a, move);
    if (status == CAIRN_OK) status = adaptive_work(a, &budget);
    move->work += navigator->budget - budget;
    move->expanded += a->expanded - expanded;
    if (status != CAIRN_OK) return status;
    if (!crn_adaptive_lead(a, navigator->at, &edge)) return CAIRN_UNSUPPORTED; /* too many edges */
    a->step =
        (crn_step_look){.from = navigator->at, .to = edge.node, .cost = edge.cost, .done = true};
    crn_navigator_go(navigator, &a->step, move);
    return CAIRN_OK;
}

uint32_t crn_adaptive_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity)
{
    const crn_adaptive *a = navigator->own;
    uint32_t count = 0;
    cairn_edge edge = {.node = navigator->at};
    if (a->stage != CRN_ADAPTIVE_DONE || a->version != cairn_space_version(navigator->space))
        return 0;
    do {
        if (count < capacity) out[count] = edge.node;
        count++;
    } while (edge.node != navigator->goal && crn_adaptive_lead(a, edge.node, &edge));
    return count;
}

double crn_adaptive_bound(const cairn_navigator *navigator)
{
    const crn_adaptive *a = navigator->own;
    return crn_navigator_best(navigator, a->stage == CRN_ADAPTIVE_DONE);
}
