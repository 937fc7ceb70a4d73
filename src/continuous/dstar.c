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
 * Paths are optimal at every step, in the world as it is. Each agent keeps 12.5 bytes for each
 * cell of the tiles that it touched, and 12 for each queued one. Otherwise as D* Lite
 * (dstar_lite.c).
 *
 * Sources: Stentz, "Optimal and Efficient Path Planning for Partially-Known Environments", 1994;
 * "The Focussed D* Algorithm for Real-Time Replanning", 1995.
 */
#include "continuous/incremental.h"
#include "continuous/walker.h"

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

/* A state, and its record, which is NULL if there is no page of it. */
typedef struct dstar_state {
    cairn_node node;
    uint32_t number;
    crn_keyed_record *record;
} dstar_state;

typedef struct dstar_agent {
    crn_incremental search; /* of its records, g is h */
    cairn_node processed;   /* CAIRN_NO_NODE = none */
    dstar_phase phase;
    uint32_t edge;   /* the next one of the phase */
    uint64_t key;    /* of the state that is processed, without the bias */
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

static dstar_state dstar_peek(const crn_incremental *search, cairn_node node)
{
    uint32_t number = crn_tiles_state(&search->tiles, node);
    return (dstar_state){node, number, crn_keyed_find(&search->queue, number)};
}

static cairn_cost dstar_h(const dstar_state *x)
{
    return x->record ? x->record->g : CAIRN_NO_COST;
}

static cairn_node dstar_back(const dstar_state *x)
{
    return x->record ? x->record->back : CAIRN_NO_NODE;
}

static bool dstar_is_open(const dstar_state *x)
{
    return x->record && x->record->place;
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

/* f_B and k. */
static uint64_t dstar_key(crn_incremental *search, cairn_node node, cairn_cost k)
{
    if (k == CAIRN_NO_COST) return UINT64_MAX;
    uint64_t f = k + crn_aimed_node(&search->aimed, node), biased = f + search->raised;
    search->exceeded |= f < CAIRN_NO_COST && biased >= CAIRN_NO_COST;
    return crn_keyed_key(crn_saturate(biased), k);
}

static void dstar_tell(const crn_incremental *search, const dstar_state *x, bool open)
{
    cairn_metrics *metrics = crn_incremental_metrics(search);
    bool known = dstar_h(x) != CAIRN_NO_COST;
    if (metrics) {
        metrics->generated += !known;
        metrics->reopened += known && !open;
        metrics->pushes += !open;
    }
}

/* INSERT: gives a state another h and the next step to it, and puts it on the queue. */
static void dstar_insert(crn_incremental *search, dstar_state *x, cairn_cost h, cairn_node back)
{
    if (!x->record) x->record = crn_keyed_add(&search->queue, x->number);
    if (!x->record) return;
    bool open = dstar_is_open(x), known = dstar_h(x) != CAIRN_NO_COST;
    cairn_cost before =
        open ? (cairn_cost)crn_keyed_key_at(&search->queue, x->record->place) : x->record->g;
    cairn_cost k = crn_min_u32(before, h);
    dstar_tell(search, x, open);
    x->record->g = h;
    x->record->back = back;
    if (k == CAIRN_NO_COST) return;
    if (h != CAIRN_NO_COST)
        crn_incremental_event(search,
                              open    ? CAIRN_EVENT_UPDATE
                              : known ? CAIRN_EVENT_REOPEN
                                      : CAIRN_EVENT_GENERATE,
                              x->node, back, h);
    crn_keyed_set(&search->queue, x->number, dstar_key(search, x->node, k));
}

static void dstar_seed(crn_incremental *search)
{
    dstar_agent *agent = dstar_of(search);
    dstar_state goal = dstar_peek(search, search->root);
    agent->processed = agent->told = CAIRN_NO_NODE;
    goal.record = crn_keyed_add(&search->queue, goal.number);
    if (!goal.record) return;
    goal.record->g = 0;
    crn_keyed_set(&search->queue, goal.number, dstar_key(search, goal.node, 0));
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
    cairn_node back = dstar_back(&x);
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
    dstar_state next = dstar_peek(search, back);
    cairn_cost h = dstar_sum(dstar_h(&next), agent->told_cost);
    if (h != dstar_h(&x)) dstar_insert(search, &x, h, back);
}

/* ---- PROCESS-STATE ---- */

/* A RAISE state: is the neighbour Y cheaper, and not worth more than what X was? */
static void dstar_reduce(crn_incremental *search, dstar_state *x, const cairn_edge *edge)
{
    dstar_agent *agent = dstar_of(search);
    dstar_state y = dstar_peek(search, edge->node);
    cairn_cost h = dstar_sum(dstar_h(&y), edge->cost);
    if (h >= x->record->g || dstar_cost(search, y.node, dstar_h(&y)) > agent->key) return;
    x->record->g = h;
    x->record->back = y.node;
}

/* Y leads to X. */
static void dstar_spread(crn_incremental *search, dstar_state *x, const cairn_edge *edge)
{
    dstar_agent *agent = dstar_of(search);
    dstar_state y = dstar_peek(search, edge->node);
    cairn_cost h = dstar_sum(x->record->g, edge->cost);
    bool lower = x->record->g <= agent->k, known = dstar_h(&y) != CAIRN_NO_COST;
    search->overflowed |= !known && h == CAIRN_NO_COST && x->record->g != CAIRN_NO_COST;
    if (dstar_back(&y) == x->node && dstar_h(&y) < h) {
        dstar_look_at(agent, y.node);
    } else if (h < dstar_h(&y)) {
        bool over = dstar_back(&y) == x->node, is_new = !known && !dstar_is_open(&y);
        if (lower || over || is_new)
            dstar_insert(search, &y, h, x->node);
        else if (!dstar_is_open(x))
            dstar_insert(search, x, x->record->g, x->record->back);
    }
}

/* X leads to Y: could that make X cheaper, once Y has told its neighbours? */
static void dstar_reopen(crn_incremental *search, dstar_state *x, const cairn_edge *edge)
{
    dstar_agent *agent = dstar_of(search);
    dstar_state y = dstar_peek(search, edge->node);
    cairn_cost h = dstar_h(&y);
    if (dstar_is_open(&y) || dstar_back(&y) == x->node) return;
    if (x->record->g > dstar_sum(h, edge->cost) && dstar_cost(search, y.node, h) > agent->key)
        dstar_insert(search, &y, h, dstar_back(&y));
}

/* The state has been processed, or goes on with the next phase. */
static void dstar_end_phase(crn_incremental *search, dstar_state *x)
{
    dstar_agent *agent = dstar_of(search);
    bool raise = x->record->g > agent->k;
    agent->edge = 0;
    if (agent->phase == DSTAR_REDUCE || (agent->phase == DSTAR_SPREAD && raise)) {
        agent->phase++;
        return;
    }
    agent->processed = CAIRN_NO_NODE;
    if (!raise)
        crn_incremental_event(search, CAIRN_EVENT_CLOSE, x->node, CAIRN_NO_NODE, x->record->g);
    if (x->record->g == CAIRN_NO_COST && !dstar_is_open(x)) x->record->back = CAIRN_NO_NODE;
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
    uint32_t number;
    if (!crn_keyed_least(&search->queue, &key, &number)) return false;
    dstar_state here = dstar_peek(search, search->target);
    if (key >= dstar_key(search, here.node, dstar_h(&here))) return false;
    dstar_state x = dstar_peek(search, crn_tiles_node(&search->tiles, number));
    cairn_cost k = (cairn_cost)key;
    uint64_t now = dstar_key(search, x.node, k);
    if (key < now) {
        crn_keyed_set(&search->queue, number, now);
        return true;
    }
    crn_keyed_remove(&search->queue, number);
    agent->processed = x.node;
    agent->phase = k < x.record->g ? DSTAR_REDUCE : DSTAR_SPREAD;
    agent->edge = 0;
    agent->k = k;
    agent->key = dstar_cost(search, x.node, k);
    search->expanded++;
    if (metrics) metrics->expanded++;
    crn_incremental_event(search, CAIRN_EVENT_EXPAND, x.node, CAIRN_NO_NODE, k);
    if (k < x.record->g)
        crn_incremental_event(search, CAIRN_EVENT_FORGET, x.node, CAIRN_NO_NODE, k);
    return true;
}

/* MODIFY-COST: edges of a state are other ones. It looks what its own next step costs now; and if
 * it is CLOSED, it tells its neighbours. */
static void dstar_modify(crn_incremental *search, cairn_node node)
{
    dstar_state x = dstar_peek(search, node);
    if (dstar_h(&x) == CAIRN_NO_COST) return;
    if (!dstar_is_open(&x)) dstar_insert(search, &x, dstar_h(&x), dstar_back(&x));
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
    } else if (search->next < search->changed.count) {
        --*edges;
        dstar_modify(search, search->changed.items[search->next++]);
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
    cairn_cost k = crn_min_u32(agent->k, x.record->g);
    agent->processed = CAIRN_NO_NODE;
    crn_keyed_set(&search->queue, x.number, dstar_key(search, x.node, k));
}

static const crn_incremental_rule dstar_rule = {dstar_seed, dstar_turn, dstar_rewind};

/* ---- the agent ---- */

static cairn_status dstar_open(cairn_navigator *navigator)
{
    cairn_status status = crn_incremental_open(navigator, sizeof(dstar_agent), true);
    dstar_agent *agent = navigator->own;
    if (!agent) return status;
    agent->search.rule = &dstar_rule;
    agent->search.aimed.blind = !crn_parameter_of(navigator->planner, "focused");
    agent->processed = agent->told = CAIRN_NO_NODE;
    return status;
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

static cairn_status dstar_next(cairn_navigator *navigator, cairn_move *move)
{
    dstar_agent *agent = navigator->own;
    crn_step_look *step = &agent->step;
    uint64_t budget = navigator->budget;
    cairn_status status = CAIRN_OK;
    navigator->memory.failed = false;
    if (!agent->settled) status = crn_incremental_serve(&agent->search, move, &budget);
    agent->settled = status == CAIRN_OK;
    if (status == CAIRN_OK) {
        dstar_state here = dstar_peek(&agent->search, navigator->at);
        if (step->from != navigator->at)
            *step = (crn_step_look){
                .from = navigator->at, .to = dstar_back(&here), .cost = CAIRN_NO_COST};
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
        node = dstar_back(&x);
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
    .close = crn_incremental_close,
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
