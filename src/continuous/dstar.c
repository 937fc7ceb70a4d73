/* dstar.c: D*, and Focussed D*.
 *
 * The search leads from the goal to the agent, along edges backward. Of each state X, a node, it
 * keeps h(X), the cost of a path from X to the goal, and b(X), where that path leads next. A state
 * is NEW until it has a path, OPEN while it is on the queue, and CLOSED otherwise. k(X) is the
 * least that h(X) has been since X became OPEN. If it is less than h(X), the state is a RAISE
 * state: its path has become more expensive, and it tells those whose paths lead over it.
 * Otherwise it is a LOWER state, and tells its neighbours that there is a cheaper path.
 * PROCESS-STATE takes the OPEN state of the least k:
 *
 * - a RAISE state first looks for a neighbour that is not worth more than k(X) and leads on
 *   cheaper: that neighbour's path cannot lead over X. Then X may be a LOWER state again;
 * - a LOWER state becomes the next one of every neighbour that is NEW, whose path costs more, or
 *   whose path leads over it and does not cost what it should;
 * - a RAISE state that stays one does the same for NEW neighbours and those whose paths lead over
 *   it. If it could make another one cheaper, it is queued again, to do so as a LOWER state; and a
 *   CLOSED one that could make it cheaper is queued, to spread the good news.
 *
 * When no OPEN state comes before the agent's, its h is the cost of the best path, and the back
 * pointers are that path. An edge that changes queues what it touches (MODIFY-COST), and the
 * search goes on. Unlike D* Lite, raised costs spread with their new values instead of "infinite".
 *
 * focused=1: states are taken by f = k + g, where g estimates the cost from the agent to X, so
 * that the search spreads towards the agent. The agent walks, and each f becomes wrong; a bias
 * makes up for that: the sum of the estimates between the places where the agent was when it
 * searched. The queue is sorted by f_B = f + bias and by k. When a state comes to the top that was
 * queued with another bias, it is queued again with the one of now. (The source sorts by f_B, f
 * and k. Where f_B is the same and f is not, the biases differ, and one of the two is only queued
 * again.) Without it g and the bias are 0.
 *
 * Not in the source: edges that come and go, not only ones that change their cost. Then X need not
 * see any more whose path led over it. So a changed state looks itself what its next step costs.
 * States without a path are NEW again. Two edges may lead from a node to another one: the cheaper
 * one counts.
 *
 * Paths are optimal at every step, in the world as it is. Each agent keeps about 14 bytes for each
 * node that it came to, 12 for each queued one, and 16 more for a queued RAISE state. Otherwise as
 * D* Lite (dstar_lite.c).
 *
 * Sources: Stentz, "Optimal and Efficient Path Planning for Partially-Known Environments", 1994;
 * "The Focussed D* Algorithm for Real-Time Replanning", 1995.
 */
#include "continuous/incremental.h"
#include "continuous/walker.h"
#include "open/members.h"

static const char *const dstar_choices[] = {"0", "1", NULL};
static const cairn_parameter dstar_parameters[] = {
    {"focused",
     "1: states are taken in the order of k and the estimate from the agent: Focussed D*",
     CAIRN_PARAMETER_CHOICE, 0, 1, 1, dstar_choices}};

/* What is being done with a state. */
typedef enum dstar_phase {
    DSTAR_REDUCE, /* a RAISE state looks for a cheaper neighbour */
    DSTAR_SPREAD, /* tells those that lead to it */
    DSTAR_REOPEN  /* a RAISE state queues those that could make it cheaper */
} dstar_phase;

/* A state, and what its record says, if it has one.
 *
 * The words of a record are h and b. On the queue, k is the second number of its key, and h is the
 * same unless the bit says that it is a RAISE state. Of these there are few, and a table has their
 * h. */
typedef struct dstar_state {
    cairn_node node;
    crn_keyed_record record;
    cairn_cost h;    /* CAIRN_NO_COST without a record */
    cairn_node back; /* CAIRN_NO_NODE = none */
    bool open;
    cairn_cost k; /* if it is OPEN */
} dstar_state;

typedef struct dstar_agent {
    crn_incremental search;
    crn_members raised;   /* h of OPEN RAISE states, by the numbers of their records */
    cairn_node processed; /* CAIRN_NO_NODE = none */
    dstar_phase phase;
    uint32_t edge;   /* the next one of the phase */
    uint64_t key;    /* of the RAISE state that is processed, without the bias */
    cairn_cost k;    /* ... and its k */
    cairn_node told; /* whose h is to be compared with what its next step costs; or CAIRN_NO_NODE */
    uint32_t told_edge;
    cairn_cost told_cost; /* of the step, as far as was looked */
    bool settled;         /* the search is over for where the agent stands ... */
    crn_step_look step;   /* ... and this is the next step */
} dstar_agent;

static dstar_agent *dstar_of(crn_incremental *search)
{
    return (dstar_agent *)(void *)search;
}

/* ---- states ---- */

CRN_INLINE dstar_state dstar_read(const crn_incremental *search, cairn_node node,
                                  crn_keyed_record record)
{
    const dstar_agent *agent = (const dstar_agent *)(const void *)search;
    dstar_state x = {node, record, *crn_keyed_a(record), *crn_keyed_b(record), false, 0};
    x.open = crn_keyed_is_queued(record);
    if (!x.open) return x;
    bool raise = x.h & 1;
    x.h = x.k = crn_keyed_entry_of(&search->queue, record)->second;
    if (raise) x.h = crn_members_place(&agent->raised, crn_keyed_number(record));
    return x;
}

CRN_INLINE dstar_state dstar_find(const crn_incremental *search, cairn_node node)
{
    crn_keyed_record record = crn_keyed_find(&search->queue.records, node);
    if (record.page) return dstar_read(search, node, record);
    return (dstar_state){.node = node, .h = CAIRN_NO_COST, .back = CAIRN_NO_NODE};
}

/* The same, where it is not called as often as in dstar_spread. */
static dstar_state dstar_peek(const crn_incremental *search, cairn_node node)
{
    return dstar_find(search, node);
}

/* A state is CLOSED, or NEW. */
static void dstar_write(dstar_state *x, cairn_cost h, cairn_node back)
{
    x->open = false;
    *crn_keyed_a(x->record) = x->h = h;
    *crn_keyed_b(x->record) = x->back = back;
}

/* Notes h of an OPEN state, which was OPEN before or not. */
static void dstar_note(dstar_agent *agent, const dstar_state *x, cairn_cost k, cairn_cost h)
{
    crn_members *raised = &agent->raised;
    uint32_t number = crn_keyed_number(x->record);
    bool ready = h == k || raised->head_count || crn_members_reset(raised, NULL) == CAIRN_OK;
    if (h != k && ready)
        crn_members_set(raised, number, h);
    else if (x->open && x->h != x->k)
        crn_members_drop(raised, number);
}

/* Puts a state on the queue, or changes it there. */
static void dstar_queue(crn_incremental *search, dstar_state *x, uint64_t key, cairn_cost h)
{
    cairn_cost k = (cairn_cost)key;
    if (!crn_keyed_set(&search->queue, x->record, key, h != k)) return;
    dstar_note(dstar_of(search), x, k, h);
    *crn_keyed_b(x->record) = x->back;
    x->h = h;
    x->k = k;
    x->open = true;
}

/* Takes a state off the queue. */
static void dstar_close(crn_incremental *search, dstar_state *x)
{
    crn_keyed_remove(&search->queue, x->record);
    dstar_note(dstar_of(search), x, x->h, x->h);
    dstar_write(x, x->h, x->back);
}

/* h of a state whose path leads over an edge. */
static cairn_cost dstar_sum(cairn_cost h, cairn_cost cost)
{
    uint64_t sum = (uint64_t)h + cost;
    return sum < CAIRN_NO_COST ? (cairn_cost)sum : CAIRN_NO_COST;
}

/* f and k, without the bias; of k = h this is what the source calls COST. */
static uint64_t dstar_cost(const crn_incremental *search, cairn_node node, cairn_cost k)
{
    if (k == CAIRN_NO_COST) return UINT64_MAX;
    return crn_keyed_key(crn_saturate(k + crn_aimed_node(&search->aimed, node)), k);
}

/* f_B and k, with this estimate. */
static uint64_t dstar_biased(crn_incremental *search, uint64_t g, cairn_cost k)
{
    if (k == CAIRN_NO_COST) return UINT64_MAX;
    uint64_t f = k + g, biased = f + search->raised;
    search->exceeded |= f < CAIRN_NO_COST && biased >= CAIRN_NO_COST;
    return crn_keyed_key(crn_saturate(biased), k);
}

static uint64_t dstar_key(crn_incremental *search, cairn_node node, cairn_cost k)
{
    return dstar_biased(search, crn_aimed_node(&search->aimed, node), k);
}

static void dstar_count(const crn_incremental *search, const dstar_state *x)
{
    cairn_metrics *metrics = crn_incremental_metrics(search);
    bool known = x->h != CAIRN_NO_COST;
    if (metrics) {
        metrics->generated += !known;
        metrics->reopened += known && !x->open;
        metrics->pushes += !x->open;
    }
}

/* INSERT: gives a state another h and the next step to it, and puts it on the queue. */
static void dstar_insert(crn_incremental *search, dstar_state *x, cairn_cost h, cairn_node back)
{
    if (!x->record.page) x->record = crn_keyed_add(&search->queue.records, x->node);
    if (!x->record.page) return;
    cairn_cost k = crn_min_u32(x->open ? x->k : x->h, h);
    cairn_event_kind kind = x->open                 ? CAIRN_EVENT_UPDATE
                            : x->h != CAIRN_NO_COST ? CAIRN_EVENT_REOPEN
                                                    : CAIRN_EVENT_GENERATE;
    dstar_count(search, x);
    x->back = back;
    if (k == CAIRN_NO_COST)
        dstar_write(x, h, back);
    else
        dstar_queue(search, x, dstar_key(search, x->node, k), h);
    if (h != CAIRN_NO_COST) crn_incremental_event(search, kind, x->node, back, h);
}

static void dstar_seed(crn_incremental *search)
{
    dstar_agent *agent = dstar_of(search);
    dstar_state goal = dstar_peek(search, search->root);
    agent->processed = agent->told = CAIRN_NO_NODE;
    if (agent->raised.head_count) crn_members_reset(&agent->raised, NULL);
    goal.record = crn_keyed_add(&search->queue.records, goal.node);
    if (goal.record.page) dstar_queue(search, &goal, dstar_key(search, goal.node, 0), 0);
}

/* ---- what a step costs ---- */

static void dstar_look_at(dstar_agent *agent, cairn_node node)
{
    agent->told = node;
    agent->told_edge = 0;
    agent->told_cost = CAIRN_NO_COST;
}

/* Goes on looking what the next step of a state costs. If h is not that and h behind it, the state
 * gets that h. */
static void dstar_look(crn_incremental *search, uint32_t *edges)
{
    dstar_agent *agent = dstar_of(search);
    cairn_edge batch[CRN_INCREMENTAL_BATCH];
    dstar_state x = dstar_peek(search, agent->told);
    cairn_node back = x.back;
    uint32_t count = 0;
    if (back != CAIRN_NO_NODE)
        count = crn_incremental_edges(search, true, x.node, agent->told_edge, batch);
    for (uint32_t i = 0; i < count; i++) {
        if (batch[i].node == back) agent->told_cost = crn_min_u32(agent->told_cost, batch[i].cost);
    }
    agent->told_edge += count;
    *edges -= crn_min_u32(*edges, count + 1);
    if (count == CRN_INCREMENTAL_BATCH) return;
    agent->told = CAIRN_NO_NODE;
    if (back == CAIRN_NO_NODE) return;
    cairn_cost h = dstar_sum(dstar_peek(search, back).h, agent->told_cost);
    if (h != x.h) dstar_insert(search, &x, h, back);
}

/* ---- PROCESS-STATE ---- */

/* A RAISE state: is the neighbour Y cheaper, and not worth more than what X was? */
static void dstar_reduce(crn_incremental *search, dstar_state *x, const cairn_edge *edge)
{
    dstar_agent *agent = dstar_of(search);
    dstar_state y = dstar_peek(search, edge->node);
    cairn_cost h = dstar_sum(y.h, edge->cost);
    if (h >= x->h || dstar_cost(search, y.node, y.h) > agent->key) return;
    dstar_write(x, h, y.node);
}

/* Y leads to X. */
static void dstar_spread(crn_incremental *search, dstar_state *x, const cairn_edge *edge)
{
    dstar_agent *agent = dstar_of(search);
    dstar_state y = dstar_find(search, edge->node);
    cairn_cost h = dstar_sum(x->h, edge->cost);
    bool lower = x->h <= agent->k, known = y.h != CAIRN_NO_COST;
    search->overflowed |= !known && h == CAIRN_NO_COST && x->h != CAIRN_NO_COST;
    if (y.back == x->node && y.h < h) {
        dstar_look_at(agent, y.node);
    } else if (h < y.h) {
        bool over = y.back == x->node, is_new = !known && !y.open;
        if (lower || over || is_new)
            dstar_insert(search, &y, h, x->node);
        else if (!x->open)
            dstar_insert(search, x, x->h, x->back);
    }
}

/* X leads to Y: could that make X cheaper, once Y has told its neighbours? */
static void dstar_reopen(crn_incremental *search, dstar_state *x, const cairn_edge *edge)
{
    dstar_agent *agent = dstar_of(search);
    dstar_state y = dstar_peek(search, edge->node);
    if (y.open || y.back == x->node) return;
    if (x->h > dstar_sum(y.h, edge->cost) && dstar_cost(search, y.node, y.h) > agent->key)
        dstar_insert(search, &y, y.h, y.back);
}

/* The state has been processed, or goes on with the next phase. */
static void dstar_end_phase(crn_incremental *search, dstar_state *x)
{
    dstar_agent *agent = dstar_of(search);
    bool raise = x->h > agent->k;
    agent->edge = 0;
    if (agent->phase == DSTAR_REDUCE || (agent->phase == DSTAR_SPREAD && raise)) {
        agent->phase++;
        return;
    }
    agent->processed = CAIRN_NO_NODE;
    if (!raise) crn_incremental_event(search, CAIRN_EVENT_CLOSE, x->node, CAIRN_NO_NODE, x->h);
    if (x->h == CAIRN_NO_COST && !x->open) dstar_write(x, x->h, CAIRN_NO_NODE);
}

static void dstar_process(crn_incremental *search, uint32_t *edges)
{
    static void (*const what[])(crn_incremental *, dstar_state *,
                                const cairn_edge *) = {dstar_reduce, dstar_spread, dstar_reopen};
    dstar_agent *agent = dstar_of(search);
    cairn_edge batch[CRN_INCREMENTAL_BATCH];
    dstar_state x = dstar_peek(search, agent->processed);
    uint32_t count =
        crn_incremental_edges(search, agent->phase != DSTAR_SPREAD, x.node, agent->edge, batch);
    for (uint32_t i = 0; i < count; i++) {
        if (!*edges || search->navigator->memory.failed) return;
        --*edges;
        agent->edge++;
        what[agent->phase](search, &x, &batch[i]);
        while (agent->told != CAIRN_NO_NODE) {
            if (!*edges) return;
            dstar_look(search, edges);
        }
    }
    if (count < CRN_INCREMENTAL_BATCH) dstar_end_phase(search, &x);
}

/* Takes the first state of the queue, if it comes before the agent's. False: there is nothing left
 * to do. */
static bool dstar_pop(crn_incremental *search)
{
    dstar_agent *agent = dstar_of(search);
    cairn_metrics *metrics = crn_incremental_metrics(search);
    uint64_t key;
    crn_keyed_record record;
    if (!crn_keyed_least(&search->queue, &key, &record)) return false;
    dstar_state here = dstar_peek(search, search->target);
    if (key >= dstar_biased(search, 0, here.h)) return false;
    dstar_state x = dstar_read(search, crn_keyed_node(&search->queue.records, record), record);
    cairn_cost k = (cairn_cost)key;
    uint64_t now = search->raised ? dstar_key(search, x.node, k) : key;
    if (key < now) {
        dstar_queue(search, &x, now, x.h);
        return true;
    }
    dstar_close(search, &x);
    agent->processed = x.node;
    agent->phase = k < x.h ? DSTAR_REDUCE : DSTAR_SPREAD;
    agent->edge = 0;
    agent->k = k;
    if (k < x.h) agent->key = dstar_cost(search, x.node, k);
    search->expanded++;
    if (metrics) metrics->expanded++;
    crn_incremental_event(search, CAIRN_EVENT_EXPAND, x.node, CAIRN_NO_NODE, k);
    if (k < x.h) crn_incremental_event(search, CAIRN_EVENT_FORGET, x.node, CAIRN_NO_NODE, k);
    return true;
}

/* MODIFY-COST: edges of a state are other ones. It looks what its own next step costs now; and if
 * it is CLOSED, it tells its neighbours. */
static void dstar_modify(crn_incremental *search, cairn_node node)
{
    dstar_state x = dstar_peek(search, node);
    if (x.h == CAIRN_NO_COST) return;
    if (!x.open) dstar_insert(search, &x, x.h, x.back);
    dstar_look_at(dstar_of(search), node);
}

static bool dstar_turn(crn_incremental *search, uint32_t *edges)
{
    dstar_agent *agent = dstar_of(search);
    if (agent->told != CAIRN_NO_NODE) {
        dstar_look(search, edges);
    } else if (agent->processed != CAIRN_NO_NODE) {
        dstar_process(search, edges);
        if (agent->processed == CAIRN_NO_NODE) *edges = 0; /* one state is a unit */
    } else if (search->queue.records.dirty) {
        cairn_node node = crn_incremental_dirty(search);
        --*edges;
        if (node != CAIRN_NO_NODE) dstar_modify(search, node);
    } else {
        --*edges;
        return dstar_pop(search);
    }
    return true;
}

/* A state that was being processed is queued again, with the k that it had. */
static void dstar_rewind(crn_incremental *search)
{
    dstar_agent *agent = dstar_of(search);
    if (agent->told != CAIRN_NO_NODE) dstar_look_at(agent, agent->told);
    if (agent->processed == CAIRN_NO_NODE) return;
    dstar_state x = dstar_peek(search, agent->processed);
    cairn_cost k = crn_min_u32(agent->k, x.h);
    agent->processed = CAIRN_NO_NODE;
    dstar_queue(search, &x, dstar_key(search, x.node, k), x.h);
}

static const crn_incremental_rule dstar_rule = {dstar_seed, dstar_turn, dstar_rewind};

/* ---- the agent ---- */

static cairn_status dstar_open(cairn_navigator *navigator)
{
    cairn_status status = crn_incremental_open(navigator, sizeof(dstar_agent), true);
    dstar_agent *agent = navigator->own;
    if (!agent) return status;
    crn_members_open(&agent->raised, &navigator->memory);
    agent->search.rule = &dstar_rule;
    agent->search.aimed.blind = !crn_parameter_of(navigator->planner, "focused");
    agent->processed = agent->told = CAIRN_NO_NODE;
    return status;
}

static void dstar_shut(cairn_navigator *navigator)
{
    dstar_agent *agent = navigator->own;
    if (agent) crn_members_close(&agent->raised);
    crn_incremental_close(navigator);
}

/* It stands elsewhere, or the world has changed. */
static void dstar_unsettle(cairn_navigator *navigator)
{
    dstar_agent *agent = navigator->own;
    agent->settled = false;
    agent->step.from = CAIRN_NO_NODE;
}

static void dstar_forget(cairn_navigator *navigator)
{
    dstar_unsettle(navigator);
    ((dstar_agent *)navigator->own)->search.begun = false;
}

/* A step along its path keeps the path. */
static void dstar_stepped(cairn_navigator *navigator, cairn_node from)
{
    dstar_agent *agent = navigator->own;
    bool along = agent->settled && agent->step.from == from && agent->step.to == navigator->at;
    dstar_unsettle(navigator);
    agent->settled = along;
}

static void dstar_count_bytes(const dstar_agent *agent)
{
    cairn_walk_sums *sums = &agent->search.navigator->sums;
    uint64_t bytes = crn_incremental_bytes(&agent->search) + crn_members_bytes(&agent->raised);
    if (bytes > sums->peak_bytes) sums->peak_bytes = bytes;
}

static cairn_status dstar_next(cairn_navigator *navigator, cairn_move *move)
{
    dstar_agent *agent = navigator->own;
    crn_step_look *step = &agent->step;
    uint64_t budget = navigator->budget;
    cairn_status status = CAIRN_OK;
    navigator->memory.failed = false;
    if (!agent->settled) status = crn_incremental_serve(&agent->search, move, &budget);
    agent->settled = status == CAIRN_OK;
    dstar_count_bytes(agent);
    if (status == CAIRN_OK) {
        dstar_state here = dstar_peek(&agent->search, navigator->at);
        if (step->from != navigator->at)
            *step = (crn_step_look){.from = navigator->at, .to = here.back, .cost = CAIRN_NO_COST};
        if (!crn_navigator_look(navigator, step, &budget)) status = CAIRN_RUNNING;
    }
    move->work += navigator->budget - budget;
    if (status == CAIRN_OK) crn_navigator_go(navigator, step, move);
    return status;
}

static uint32_t dstar_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity)
{
    const dstar_agent *agent = navigator->own;
    cairn_node node = navigator->at;
    uint32_t count = 0;
    if (!agent->settled || agent->search.version != cairn_space_version(navigator->space)) return 0;
    while (node != CAIRN_NO_NODE) {
        dstar_state x = dstar_peek(&agent->search, node);
        if (count < capacity) out[count] = node;
        count++;
        node = x.back;
    }
    return count;
}

static double dstar_bound(const cairn_navigator *navigator)
{
    const dstar_agent *agent = navigator->own;
    return crn_navigator_best(navigator, agent->settled);
}

static const crn_navigator_functions dstar_functions = {
    .open = dstar_open,
    .close = dstar_shut,
    .start = dstar_forget,
    .changed = dstar_unsettle,
    .stepped = dstar_stepped,
    .pushed = dstar_unsettle,
    .retargeted = dstar_forget,
    .next = dstar_next,
    .ahead = dstar_ahead,
    .bound = dstar_bound,
    .bytes = crn_incremental_held,
    .trace = crn_incremental_trace,
};

const crn_algorithm crn_algorithm_dstar = {
    .info = {.name = "dstar",
             .aliases = "d*",
             .summary = "D*: a search from the goal whose raised and lowered costs spread when the "
                        "world changes",
             .source = "Stentz 1994, 1995",
             .family = "continuous",
             .kind = CAIRN_KIND_NAVIGATOR,
             .flags = CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_MANY_GOALS | CAIRN_PIECES,
             CRN_INCREMENTAL_WORLDS,
             .delegates = 1u << CAIRN_FEATURE_MANY_GOALS,
             .parameters = dstar_parameters,
             .parameter_count = CRN_COUNT(dstar_parameters)},
    .create = crn_incremental_create,
    .destroy = crn_incremental_destroy,
    .navigator = &dstar_functions,
    CRN_WALKER_FUNCTIONS,
};
