/* anytime.c: a path at once, a better one with every round. See anytime.h. */
#include "continuous/anytime.h"
#include "heuristic/heuristic.h"
#include <float.h>
#include <math.h>

#define ANYTIME_UNITS 64u /* of a round of Anytime A*, at least */

const char *const crn_anytime_keys[] = {"sorted", "bias", NULL};

/* ---- life ---- */

cairn_status crn_anytime_create(cairn_planner *planner, cairn_error *error)
{
    int64_t epsilon = CRN_INCREMENTAL_ONE;
    (void)error;
    crn_parameter(planner, "epsilon", &epsilon);
    planner->optimal = epsilon == CRN_INCREMENTAL_ONE;
    planner->bound = (double)epsilon / CRN_INCREMENTAL_ONE;
    return CAIRN_OK;
}

/* A parameter that the algorithm may have. */
static uint32_t anytime_parameter(const cairn_navigator *navigator, const char *name)
{
    int64_t value = 0;
    crn_parameter(navigator->planner, name, &value);
    return (uint32_t)value;
}

cairn_status crn_anytime_open(cairn_navigator *navigator)
{
    cairn_status status = crn_incremental_open(navigator, sizeof(crn_anytime), true);
    if (status != CAIRN_OK) return status;
    crn_anytime *agent = navigator->own;
    int64_t keys;
    agent->epsilon = anytime_parameter(navigator, "epsilon");
    agent->fall = anytime_parameter(navigator, "fall");
    agent->big = anytime_parameter(navigator, "raise");
    agent->repairs = crn_parameter(navigator->planner, "keys", &keys);
    agent->search.sorts = agent->fall && (!agent->repairs || keys == 0);
    return CAIRN_OK;
}

/* ---- events ---- */

void crn_anytime_unsettle(cairn_navigator *navigator)
{
    crn_anytime *agent = navigator->own;
    agent->settled = false;
    agent->step.node = CAIRN_NO_NODE;
}

void crn_anytime_forget(cairn_navigator *navigator)
{
    crn_anytime *agent = navigator->own;
    crn_anytime_unsettle(navigator);
    agent->search.begun = false;
}

/* A step along its path keeps the path, and what is known of it. */
void crn_anytime_stepped(cairn_navigator *navigator, cairn_node from)
{
    crn_anytime *agent = navigator->own;
    const crn_incremental_look *step = &agent->step;
    bool along = agent->settled && step->node == from && step->done && step->to == navigator->at;
    if (along) {
        agent->upper -= step->cost;
        agent->walked += step->cost;
    }
    agent->settled = along;
    agent->step.node = CAIRN_NO_NODE;
}

/* ---- what is known ---- */

uint64_t crn_anytime_low(const crn_anytime *agent)
{
    return agent->low > agent->walked ? agent->low - agent->walked : 0;
}

/* Nothing is known of the costs from where the agent stands. */
static void anytime_doubt(crn_anytime *agent)
{
    agent->low = agent->walked = 0;
}

static void anytime_raise_low(crn_anytime *agent, uint64_t low)
{
    if (low > agent->low) agent->low = low;
}

static bool anytime_is_best(const crn_anytime *agent)
{
    return agent->settled && agent->upper <= crn_anytime_low(agent);
}

/* As a number that is not too small: a little more where the quotient is rounded down. */
double crn_anytime_ratio(uint64_t upper, uint64_t low)
{
    if (low >= upper) return 1;
    double ratio = (double)upper / (double)low;
    return ratio * (double)low < (double)upper ? ratio * (1 + DBL_EPSILON) : ratio;
}

double crn_anytime_bound(const cairn_navigator *navigator)
{
    const crn_anytime *agent = navigator->own;
    bool known = agent->settled && navigator->version == cairn_space_version(navigator->space);
    uint64_t low = crn_anytime_low(agent);
    return known && low ? crn_anytime_ratio(agent->upper, low) : INFINITY;
}

/* ---- rounds ---- */

static void anytime_enter(crn_anytime *agent, crn_anytime_stage stage)
{
    agent->stage = stage;
    agent->spent = 0;
    agent->scan = (crn_incremental_scan){.least = UINT64_MAX};
}

/* Where estimates may fall by more than an edge costs, closed nodes could stay too expensive: then
 * there are none. */
static void anytime_choose(cairn_navigator *navigator)
{
    crn_anytime *agent = navigator->own;
    crn_incremental *search = &agent->search;
    search->closes =
        agent->fall &&
        crn_heuristic_facts_of(NULL, navigator->space, search->aimed.basis.metric).consistent;
}

static cairn_status anytime_begin(cairn_navigator *navigator)
{
    crn_anytime *agent = navigator->own;
    crn_incremental *search = &agent->search;
    anytime_enter(agent, CRN_ANYTIME_SEARCH);
    anytime_doubt(agent);
    agent->full = false;
    search->weight = agent->epsilon;
    search->exceeded = false;
    cairn_status status = crn_incremental_begin(search, navigator->goal, navigator->at);
    anytime_choose(navigator);
    return status;
}

/* Begins a round from where the agent stands. */
static cairn_status anytime_renew(cairn_navigator *navigator, uint32_t weight)
{
    crn_anytime *agent = navigator->own;
    anytime_enter(agent, CRN_ANYTIME_SEARCH);
    cairn_status status = crn_incremental_aim(&agent->search, navigator->at);
    return status == CAIRN_OK ? crn_incremental_renew(&agent->search, weight) : status;
}

/* Takes in a commit. After a big change a path is found sooner with the first epsilon again. */
static cairn_status anytime_notice(cairn_navigator *navigator)
{
    crn_anytime *agent = navigator->own;
    crn_incremental *search = &agent->search;
    uint32_t searches = search->searches;
    cairn_status status = crn_incremental_notice(search);
    if (status != CAIRN_OK) return status;
    const crn_keyed_records *records = &search->queue.records;
    bool big = records->dirty * UINT64_C(100) > (uint64_t)records->count * agent->big ||
               searches != search->searches;
    anytime_choose(navigator);
    return anytime_renew(navigator, big ? agent->epsilon : search->weight);
}

/* Begins the search, or makes it fit the world and the place of the agent. */
static cairn_status anytime_prepare(cairn_navigator *navigator, cairn_move *move)
{
    crn_anytime *agent = navigator->own;
    crn_incremental *search = &agent->search;
    bool changed = search->version != cairn_space_version(navigator->space);
    cairn_status status = crn_navigator_hope(navigator);
    if (status != CAIRN_OK) return status;
    bool again = !search->begun || (changed && !agent->repairs);
    move->plans += again || changed;
    if (again) return anytime_begin(navigator);
    if (!changed && search->target == navigator->at) return CAIRN_OK;
    anytime_doubt(agent);
    return changed ? anytime_notice(navigator) : anytime_renew(navigator, search->weight);
}

/* A round has found a path from the target, or a better one. */
static void anytime_found(cairn_navigator *navigator)
{
    crn_anytime *agent = navigator->own;
    const crn_incremental *search = &agent->search;
    uint64_t cost = crn_incremental_cost(search, search->target), weight = search->weight;
    bool first = search->incumbent == CAIRN_NO_COST;
    if (search->target == navigator->at) {
        if (!agent->settled || cost < agent->upper) agent->upper = cost;
        agent->settled = true;
    }
    /* what Anytime A* finds later, epsilon says nothing of */
    if (first) anytime_raise_low(agent, (cost * CRN_INCREMENTAL_ONE + weight - 1) / weight);
    anytime_enter(agent, CRN_ANYTIME_SCAN);
}

/* Goes on with a round. One of Anytime A* ends after some work too. */
static cairn_status anytime_search(cairn_navigator *navigator, uint64_t *budget)
{
    crn_anytime *agent = navigator->own;
    crn_incremental *search = &agent->search;
    bool endless = search->incumbent != CAIRN_NO_COST;
    uint64_t most = ANYTIME_UNITS + search->queue.used / 8, left = *budget;
    if (endless) left = agent->spent < most ? most - agent->spent : 1;
    left = left < *budget ? left : *budget;
    uint32_t searches = search->searches;
    uint64_t before = left;
    cairn_status status = crn_incremental_step(search, &left);
    *budget -= before - left;
    agent->spent += before - left;
    if (searches != search->searches) crn_anytime_unsettle(navigator);
    if (status == CAIRN_FOUND) anytime_found(navigator);
    bool paused = status == CAIRN_RUNNING && endless && agent->spent >= most;
    if (paused && crn_incremental_between(search)) anytime_enter(agent, CRN_ANYTIME_SCAN);
    return status == CAIRN_FOUND ? CAIRN_RUNNING : status;
}

/* Goes on looking for what can still be promised. */
static void anytime_scan(crn_anytime *agent, uint64_t *budget)
{
    const crn_incremental *search = &agent->search;
    if (!crn_incremental_scan_on(search, &agent->scan, budget)) return;
    uint64_t cost = crn_incremental_cost(search, search->target);
    anytime_raise_low(agent, agent->scan.least < cost ? agent->scan.least : cost);
    agent->stage = CRN_ANYTIME_REST;
}

/* Anytime A* goes on past the path that it has. What was set aside then promises no more now, along
 * that path; unless rounded estimates say so. */
static cairn_status anytime_go_on(cairn_navigator *navigator)
{
    crn_anytime *agent = navigator->own;
    crn_incremental *search = &agent->search;
    bool empty = !search->queue.used && search->queue.records.incons;
    if (!agent->settled || empty) {
        cairn_status status = anytime_renew(navigator, search->weight);
        if (status != CAIRN_OK || !agent->settled) return status;
    }
    anytime_enter(agent, CRN_ANYTIME_SEARCH);
    cairn_status status = crn_incremental_aim(search, navigator->at);
    search->incumbent = (cairn_cost)agent->upper;
    return status;
}

/* The next round, from where the agent stands now. */
static cairn_status anytime_next_round(cairn_navigator *navigator)
{
    crn_anytime *agent = navigator->own;
    uint32_t weight = agent->search.weight, searches = agent->search.searches;
    agent->low = crn_anytime_low(agent);
    agent->walked = 0;
    bool falls = agent->settled && weight > CRN_INCREMENTAL_ONE;
    if (falls) weight -= crn_min_u32(agent->fall, weight - CRN_INCREMENTAL_ONE);
    cairn_status status = agent->fall ? anytime_renew(navigator, weight) : anytime_go_on(navigator);
    if (searches != agent->search.searches) crn_anytime_unsettle(navigator);
    return status;
}

/* Goes on to the end of a stage. */
static cairn_status anytime_advance(cairn_navigator *navigator, uint64_t *budget)
{
    crn_anytime *agent = navigator->own;
    cairn_status status = CAIRN_RUNNING;
    if (agent->stage == CRN_ANYTIME_SCAN) {
        anytime_scan(agent, budget);
    } else {
        if (agent->stage == CRN_ANYTIME_REST) status = anytime_next_round(navigator);
        if (status == CAIRN_OK || status == CAIRN_RUNNING)
            status = anytime_search(navigator, budget);
    }
    return status;
}

cairn_status crn_anytime_seek(cairn_navigator *navigator, cairn_move *move, uint64_t *budget)
{
    const crn_anytime *agent = navigator->own;
    cairn_status status = anytime_prepare(navigator, move);
    if (status == CAIRN_OK) status = CAIRN_RUNNING;
    while (status == CAIRN_RUNNING && !agent->settled && *budget)
        status = anytime_advance(navigator, budget);
    return agent->settled ? CAIRN_OK : status;
}

cairn_status crn_anytime_improve(cairn_navigator *navigator, uint64_t *budget)
{
    crn_anytime *agent = navigator->own;
    cairn_status status = CAIRN_RUNNING;
    while (status == CAIRN_RUNNING && *budget) {
        status = anytime_advance(navigator, budget);
        if (agent->stage == CRN_ANYTIME_REST) return CAIRN_OK;
    }
    return status;
}

/* ---- what next ---- */

/* Improves the path with all of the budget. Without memory for that, it stays as it is. */
static void anytime_use(cairn_navigator *navigator, uint64_t *budget)
{
    crn_anytime *agent = navigator->own;
    cairn_status status = CAIRN_OK;
    while (status == CAIRN_OK && agent->settled && !anytime_is_best(agent) && *budget)
        status = crn_anytime_improve(navigator, budget);
    agent->full = status == CAIRN_OUT_OF_MEMORY && agent->settled;
}

/* Looks for the next step. It may have looked before there was a better path: if there is not
 * enough work to look again, that step will do. Then the path is again the one that begins with it,
 * which costs no more than it did. */
static cairn_status anytime_look(cairn_navigator *navigator, uint64_t *budget)
{
    crn_anytime *agent = navigator->own;
    crn_incremental_look look = agent->step;
    if (look.node != navigator->at || look.done) crn_incremental_look_at(&look, navigator->at);
    bool done = crn_incremental_look_for(&agent->search, &look, budget);
    bool known = agent->step.node == navigator->at && agent->step.done;
    if (done || !known) agent->step = look;
    if (!agent->step.done) return CAIRN_RUNNING;
    agent->upper = agent->step.least;
    return CAIRN_OK;
}

/* Finds a step, and uses all of the budget. A search that begins again in the middle loses its
 * path. */
static cairn_status anytime_think(cairn_navigator *navigator, cairn_move *move, uint64_t *budget)
{
    crn_anytime *agent = navigator->own;
    for (;;) {
        cairn_status status = CAIRN_OK;
        if (!agent->settled) status = crn_anytime_seek(navigator, move, budget);
        if (status == CAIRN_OK) status = anytime_look(navigator, budget);
        if (status != CAIRN_OK) return status;
        if (agent->full || anytime_is_best(agent) || !*budget) return CAIRN_OK;
        anytime_use(navigator, budget);
        if (agent->settled) return anytime_look(navigator, budget);
    }
}

cairn_status crn_anytime_next(cairn_navigator *navigator, cairn_move *move)
{
    crn_anytime *agent = navigator->own;
    uint64_t budget = navigator->budget, expanded = agent->search.expanded;
    navigator->memory.failed = false;
    cairn_status status = anytime_think(navigator, move, &budget);
    move->expanded += agent->search.expanded - expanded;
    move->work += navigator->budget - budget;
    if (status != CAIRN_OK) return status;
    const crn_incremental_look *step = &agent->step;
    crn_step_look look = {.from = navigator->at, .to = step->to, .cost = step->cost, .done = true};
    crn_navigator_go(navigator, &look, move);
    return CAIRN_OK;
}

uint32_t crn_anytime_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity)
{
    const crn_anytime *agent = navigator->own;
    if (!agent->settled || navigator->version != cairn_space_version(navigator->space)) return 0;
    return crn_incremental_ahead(&agent->search, navigator->at, out, capacity);
}

const crn_navigator_functions crn_anytime_navigator = {
    .open = crn_anytime_open,
    .close = crn_incremental_close,
    .start = crn_anytime_forget,
    .changed = crn_anytime_unsettle,
    .stepped = crn_anytime_stepped,
    .pushed = crn_anytime_unsettle,
    .retargeted = crn_anytime_forget,
    .next = crn_anytime_next,
    .ahead = crn_anytime_ahead,
    .bound = crn_anytime_bound,
    .bytes = crn_incremental_held,
    .trace = crn_incremental_trace,
};
