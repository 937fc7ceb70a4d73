/* own_search.c: what searches with loops of their own have in common. See own_search.h. */
#include "search/own_search.h"
#include "search/search_check.h"

/* ---- the estimate ---- */

/* The query's own estimate. */
static uint64_t own_asked(const crn_estimate *estimate, cairn_node node, uint64_t metric)
{
    (void)metric;
    const cairn_query *query = estimate->data;
    return query->estimate(query->estimate_user, node);
}

void crn_search_bind(crn_estimate *estimate, const cairn_search *search, const crn_heuristic *plug,
                     cairn_heuristic metric)
{
    const cairn_query *query = &search->query;
    bool none = query->estimate || query->goal_kind == CAIRN_GOAL_NONE;
    static const crn_heuristic asked = {.refine = own_asked};
    crn_aim aim = {.space = search->space,
                   .metric = none ? CAIRN_HEURISTIC_NULL : metric,
                   .nodes = search->goals,
                   .count = search->goal_count,
                   .box = &search->box,
                   .start = &query->from};
    crn_estimate_bind(estimate, query->estimate ? &asked : none ? NULL : plug, &aim);
    if (query->estimate) estimate->data = query;
}

/* ---- a planner ---- */

cairn_status crn_own_create_optimal(cairn_planner *planner, cairn_error *error)
{
    (void)error;
    planner->optimal = true;
    planner->bound = 1;
    return CAIRN_OK;
}

cairn_heuristic crn_own_metric(const cairn_planner *planner, const crn_heuristic **plug)
{
    int64_t number = CAIRN_HEURISTIC_AUTO;
    crn_parameter(planner, "heuristic", &number);
    *plug = crn_heuristic_plug(number);
    cairn_heuristic metric = *plug ? (*plug)->metric : (cairn_heuristic)number;
    return metric == CAIRN_HEURISTIC_AUTO ? planner->space->default_heuristic : metric;
}

cairn_status crn_own_create_estimated(cairn_planner *planner, cairn_error *error)
{
    const crn_heuristic *plug;
    cairn_heuristic metric = crn_own_metric(planner, &plug);
    planner->optimal = crn_heuristic_facts_of(plug, planner->space, metric).admissible;
    planner->bound = planner->optimal ? 1 : 0;
    return (void)error, CAIRN_OK;
}

void crn_own_destroy(cairn_planner *planner)
{
    (void)planner;
}

/* ---- the scratch ---- */

static crn_own *own_of(const cairn_search *search)
{
    return search->scratch;
}

static uint32_t own_pages(const crn_own *own)
{
    const cairn_space *space = own->search->space;
    uint64_t states = own->plan->states ? own->plan->states(space) : space->node_count;
    return (uint32_t)((states + CRN_PAGE - 1) / CRN_PAGE);
}

cairn_status crn_own_open(cairn_search *search, const crn_own_plan *plan)
{
    crn_own *own = crn_scratch_alloc(&search->memory, plan->size);
    if (!own) return CAIRN_OUT_OF_MEMORY;
    memset(own, 0, plan->size);
    search->scratch = own;
    own->search = search;
    own->plan = plan;
    own->records.scratch = &search->memory;
    own->list = crn_scratch_alloc(&search->memory, plan->open->size);
    if (!own->list) return CAIRN_OUT_OF_MEMORY; /* the caller closes what is open */
    memset(own->list, 0, plan->open->size);
    plan->open->open(own->list, &search->memory);
    return CAIRN_OK;
}

void crn_own_close(cairn_search *search)
{
    crn_own *own = own_of(search);
    if (!own) return;
    if (own->list) own->plan->open->close(own->list);
    crn_scratch_free(&search->memory, own->list, own->plan->open->size);
    crn_records_close(&own->records);
    crn_scratch_free(&search->memory, own, own->plan->size);
}

/* ---- events ---- */

void crn_own_trace(crn_own *own, cairn_event_kind kind, uint32_t state)
{
    uint32_t slot;
    const crn_page *page = crn_own_page(own, state, &slot);
    uint32_t parent = page->parent[slot];
    crn_trace(own->search, kind, crn_own_node(own, state),
              parent == CAIRN_NO_NODE ? CAIRN_NO_NODE : crn_own_node(own, parent), page->g[slot],
              crn_saturate(crn_own_estimate(own, state)));
}

/* ---- a query ---- */

static cairn_status own_prepare(crn_own *own, uint64_t first)
{
    const cairn_space *space = own->search->space;
    crn_records *records = &own->records;
    uint32_t pages = own_pages(own);
    crn_open_range range = {
        .step = space->min_edge / 4, .span = 3 * (uint64_t)space->max_step, .first = first};
    cairn_status status = own->plan->open->reset(own->list, &range);
    if (status != CAIRN_OK) return status;
    if (records->page_count < pages) crn_records_close(records);
    if (!records->table)
        return crn_records_open(records, &own->search->memory, pages, true, own->plan->extra);
    crn_records_reset(records);
    return CAIRN_OK;
}

static void own_note_goal(crn_own *own, uint32_t state, cairn_cost g)
{
    if (own->goal_found && g >= own->goal_cost) return;
    own->goal_found = true;
    own->goal = state;
    own->goal_cost = g;
}

cairn_status crn_own_ended(const crn_own *own)
{
    const cairn_query *query = &own->search->query;
    if (own->goal_found) return CAIRN_FOUND;
    if (own->overflowed && !query->max_cost) return CAIRN_COST_OVERFLOW;
    return query->goal_kind == CAIRN_GOAL_NONE ? CAIRN_FOUND : CAIRN_UNREACHABLE;
}

bool crn_own_is_marked(const crn_own *own)
{
    return own->marked == own->search->goal_count;
}

cairn_status crn_own_mark(crn_own *own)
{
    enum { GOALS = 64, PAGES = 6 };
    const cairn_search *search = own->search;
    uint32_t slot, pages = own->records.touched_count;
    for (uint32_t i = 0; i < GOALS && own->marked < search->goal_count &&
                         own->records.touched_count - pages < PAGES;
         i++) {
        crn_page *page = crn_own_page(own, search->goals[own->marked++], &slot);
        page->mark[slot] |= CRN_MARK_GOAL;
    }
    if (search->memory.failed) return CAIRN_OUT_OF_MEMORY;
    if (!crn_own_is_marked(own)) return CAIRN_RUNNING;
    const crn_page *page = crn_own_page(own, search->query.from, &slot);
    if (page->mark[slot] & CRN_MARK_GOAL) own_note_goal(own, search->query.from, 0);
    return own->goal_found ? CAIRN_FOUND : CAIRN_RUNNING;
}

cairn_status crn_own_begin(cairn_search *search, const crn_heuristic *plug, cairn_heuristic metric)
{
    crn_own *own = own_of(search);
    const cairn_query *query = &search->query;
    crn_search_bind(&own->estimate, search, plug, metric);
    uint64_t h = crn_own_estimate(own, query->from);
    cairn_status status = own_prepare(own, h);
    if (status != CAIRN_OK) return status;
    bool costly = own->estimate.box.gate_count || query->estimate; /* estimates */
    own->batch = costly ? CRN_OWN_SMALL_BATCH : CRN_OWN_BATCH;
    own->limit = query->max_cost ? query->max_cost : CAIRN_COST_MAX;
    own->work = own->expanded = own->reopened = own->pushes = own->overflowed = 0;
    own->generated = 1;
    own->goal_found = own->is_pending = false;
    own->marked = 0;
    uint32_t slot;
    crn_page *page = crn_own_page(own, query->from, &slot);
    page->g[slot] = 0;
    page->parent[slot] = CAIRN_NO_NODE;
    page->mark[slot] |= CRN_MARK_SEEN;
    crn_own_push(own, query->from, h, 0);
    crn_search_announce(search, h);
    return crn_own_pause(own, crn_own_mark(own));
}

/* Takes the next state from the list. If it is not worth expanding, nothing is pending afterwards.
 * CAIRN_RUNNING, or the end. */
static cairn_status own_take(crn_own *own)
{
    uint32_t state, slot;
    own->is_pending = false;
    if (!own->plan->open->pop(own->list, &state)) return crn_own_ended(own);
    crn_page *page = crn_own_page(own, state, &slot);
    /* an older entry of a state that is done */
    if (page->mark[slot] & CRN_MARK_CLOSED) return CAIRN_RUNNING;
    if (page->mark[slot] & CRN_MARK_GOAL && !own->plan->until_empty) {
        own_note_goal(own, state, page->g[slot]);
        return CAIRN_FOUND;
    }
    page->mark[slot] |= CRN_MARK_CLOSED;
    own->expanded++;
    own->is_pending = true;
    own->pending = state;
    own->pending_edge = 0;
    if (own->search->traced) crn_own_trace(own, CAIRN_EVENT_EXPAND, state);
    return CAIRN_RUNNING;
}

/* Notes states not seen yet to which an edge would cost more than 32 bits hold. Called near the
 * largest cost. */
static void own_note_overflow(crn_own *own, const crn_own_batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t slot;
        crn_page *page = crn_own_page(own, batch->edges[i].node, &slot);
        bool fresh = !(page->mark[slot] & (CRN_MARK_SEEN | CRN_MARK_OVERFLOWED));
        if (!fresh || (uint64_t)batch->g + batch->edges[i].cost <= CAIRN_COST_MAX) continue;
        page->mark[slot] |= CRN_MARK_OVERFLOWED;
        own->overflowed++;
    }
}

cairn_status crn_own_next(crn_own *own, crn_own_batch *batch)
{
    const cairn_space *space = own->search->space;
    uint32_t slot;
    batch->count = 0;
    if (own->search->memory.failed) return CAIRN_OUT_OF_MEMORY;
    own->work++;
    if (CRN_UNLIKELY(!crn_own_is_marked(own))) return crn_own_mark(own);
    if (!own->is_pending || own->pending_edge == UINT32_MAX) {
        if (own->is_pending && own->search->traced)
            crn_own_trace(own, CAIRN_EVENT_CLOSE, own->pending);
        cairn_status status = own_take(own);
        if (status != CAIRN_RUNNING || !own->is_pending) return status;
    }
    batch->state = own->pending;
    batch->g = crn_own_page(own, own->pending, &slot)->g[slot];
    batch->count = space->functions->expand(space, crn_own_node(own, own->pending),
                                            own->pending_edge, batch->edges, own->batch);
    own->pending_edge = batch->count == own->batch ? own->pending_edge + own->batch : UINT32_MAX;
    if (CRN_UNLIKELY((uint64_t)batch->g + space->max_edge > CAIRN_COST_MAX))
        own_note_overflow(own, batch);
    return CAIRN_RUNNING;
}

bool crn_own_relax(crn_own *own, uint32_t from, uint32_t to, uint64_t g)
{
    uint32_t slot;
    crn_page *page = crn_own_page(own, to, &slot);
    if (g >= page->g[slot] || g > own->limit) return false;
    uint32_t mark = page->mark[slot];
    if (!(mark & CRN_MARK_SEEN)) own->generated++;
    if (mark & CRN_MARK_CLOSED) own->reopened++;
    if (mark & CRN_MARK_OVERFLOWED) own->overflowed--;
    page->g[slot] = (cairn_cost)g;
    page->parent[slot] = from;
    page->mark[slot] = (uint8_t)((mark & CRN_MARK_GOAL) | CRN_MARK_SEEN);
    if (own->search->traced) {
        crn_own_trace(own,
                      !(mark & CRN_MARK_SEEN)  ? CAIRN_EVENT_GENERATE
                      : mark & CRN_MARK_CLOSED ? CAIRN_EVENT_REOPEN
                                               : CAIRN_EVENT_UPDATE,
                      to);
    }
    if (!(mark & CRN_MARK_GOAL) || !own->plan->until_empty) return true;
    own_note_goal(own, to, (cairn_cost)g);
    return false;
}

void crn_own_push(crn_own *own, uint32_t state, uint64_t key, uint64_t second)
{
    own->pushes++;
    own->plan->open->push(own->list, (crn_open_entry){key, second, state});
}

#if defined(CAIRN_CHECKS)
static void own_check(const crn_own *own)
{
    const crn_records *records = &own->records;
    cairn_context *context = own->search->context;
    uint64_t pages = records->page_count + (uint64_t)CRN_PAGE * records->touched_count;
    if (own->search->memory.failed || !crn_check_pays(pages, own->work)) return;
    CRN_CHECK_RIGHT(context, crn_records_check(records));
    if (own->plan->open->check) CRN_CHECK_RIGHT(context, own->plan->open->check(own->list));
}
#endif

cairn_status crn_own_pause(crn_own *own, cairn_status status)
{
    cairn_search *search = own->search;
#if defined(CAIRN_CHECKS)
    if (status != CAIRN_RUNNING) own_check(own);
#endif
    search->metrics = (cairn_metrics){
        .work = own->work,
        .expanded = own->expanded,
        .generated = own->generated,
        .reopened = own->reopened,
        .pushes = own->pushes,
        .peak_bytes =
            own->plan->size + crn_records_bytes(&own->records) + own->plan->open->bytes(own->list),
    };
    if (status == CAIRN_FOUND && own->goal_found) {
        search->reached_goal = crn_own_node(own, own->goal);
        if (search->traced && !search->subsearch) crn_own_trace(own, CAIRN_EVENT_END, own->goal);
    }
    return status;
}

/* ---- reading the answer ---- */

static const crn_page *own_look(const crn_own *own, uint32_t state, uint32_t *slot)
{
    *slot = state % CRN_PAGE;
    return own->records.table[state / CRN_PAGE];
}

/* The state before this one; CAIRN_NO_NODE at the start. */
static uint32_t own_before(const crn_own *own, uint32_t state)
{
    uint32_t slot;
    return own_look(own, state, &slot)->parent[slot];
}

/* A node on the path may have become cheaper after this one was reached over it. Then steps are
 * summed. */
cairn_cost crn_own_cost_to(const cairn_search *search, cairn_node node)
{
    const crn_own *own = own_of(search);
    uint32_t slot;
    const crn_page *page = own_look(own, node, &slot);
    if (!page || !(page->mark[slot] & CRN_MARK_SEEN)) return CAIRN_NO_COST;
    if (!own->reopened || own->plan->states) return page->g[slot];
    uint64_t cost = 0;
    for (cairn_node before; (before = own_before(own, node)) != CAIRN_NO_NODE; node = before) {
        cost += cairn_space_step_cost(search->space, before, node);
    }
    return crn_saturate(cost);
}

cairn_status crn_own_path_to(cairn_search *search, cairn_node node)
{
    const crn_own *own = own_of(search);
    cairn_cost cost = crn_own_cost_to(search, node);
    cairn_status status = CAIRN_OK;
    cairn_node last = CAIRN_NO_NODE;
    crn_path_start(search);
    for (uint32_t state = node; status == CAIRN_OK && state != CAIRN_NO_NODE;
         state = own_before(own, state)) {
        cairn_node at = crn_own_node(own, state);
        if (at != last) status = crn_path_add(search, at); /* several states may be at one node */
        last = at;
    }
    if (status == CAIRN_OK) crn_path_finish(search, cost);
    return status;
}

bool crn_closest_walk(cairn_search *search, crn_page_walk *walk, uint64_t work)
{
    const crn_records *records = walk->records;
    if (!walk->at) crn_closest_begin(search);
    for (; work && walk->at < records->touched_count; work--, walk->at++) {
        uint32_t number = records->touched[walk->at];
        const crn_page *page = records->table[number];
        for (uint32_t slot = 0; slot < CRN_PAGE; slot++) {
            if (!(page->mark[slot] & CRN_MARK_CLOSED)) continue;
            cairn_node node = walk->node(walk->user, number, slot);
            if (node != CAIRN_NO_NODE) crn_closest_consider(search, node, page->g[slot]);
        }
    }
    return walk->at >= records->touched_count;
}

/* A path cannot end at a state that is not a node. */
static cairn_node own_node_of_record(const void *user, uint32_t page, uint32_t slot)
{
    const crn_own *own = user;
    uint32_t state = page * CRN_PAGE + slot;
    return state < own->search->space->node_count ? state : CAIRN_NO_NODE;
}

bool crn_own_closest(cairn_search *search, uint64_t work, bool first)
{
    crn_own *own = own_of(search);
    crn_page_walk walk = {&own->records, own_node_of_record, own, first ? 0 : own->closest_at};
    bool done = crn_closest_walk(search, &walk, work);
    own->closest_at = walk.at;
    return done;
}

cairn_status crn_own_reached(const cairn_search *search, cairn_visit *visit, void *user)
{
    for (cairn_node node = 0; node < search->space->node_count; node++) {
        cairn_cost cost = crn_own_cost_to(search, node);
        if (cost != CAIRN_NO_COST) visit(user, node, cost);
    }
    return CAIRN_OK;
}
