/* rtdstar.c: RTD*, Real-Time D*.
 *
 * An agent that must move at once, in a world that changes. Each move has a limit of expansions,
 * in two parts:
 *
 * - the global search is that of D* Lite, from the goal to the agent. It is not begun again
 *   with each move, but goes on, and what has changed is repaired. So after some moves it is over;
 * - until then the rest is for a local search, that of LSS-LRTA*: it looks ahead round the agent,
 *   learns, and leads to the best node that it saw, or one step towards it (`steps`).
 *
 * As soon as the global search is over the agent follows its path, which is the best one in the
 * world as it is. A change makes it unsure again, until it is repaired. What opens is used,
 * wherever it is: the global search knows of it, while what LSS-LRTA* has learnt only ever grows.
 *
 * Not in the source: the global search is not aimed at the agent after each of its steps, but only
 * after a commit, a push, or when it has come to where it was aimed at. To aim it changes all its
 * keys; if it is done with each step, three quarters of its work is to correct them. It is over
 * for the agent as soon as the cost from where that stands is exact, wherever it is aimed at.
 *
 * Reaches every goal of safely explorable worlds, where it can be reached from everywhere that the
 * agent can get to: the global search ends after a bounded number of moves in a world that stays as
 * it is. Where a step cannot be walked back, the local search may lead to where no path is left:
 * the agent stops when the global search has found that out. Moves are bounded work: their
 * expansions, and as many units for learning as LSS-LRTA* needs. Memory is that of D* Lite.
 *
 * Source: Bond, Widger, Ruml and Sun, "Real-Time Search in Dynamic Worlds", 2010.
 */
#include "continuous/dstar_lite.h"
#include "continuous/lookahead.h"

static const cairn_parameter rtdstar_parameters[] = {
    {"expansions", "nodes that are expanded for each move", CAIRN_PARAMETER_INTEGER, 2, 100000, 5,
     NULL},
    {"local", "per cent of them for the search round the agent", CAIRN_PARAMETER_INTEGER, 1, 99, 80,
     NULL},
    CRN_LOOKAHEAD_STEPS(1)};

typedef struct rtdstar_agent {
    crn_dstar_lite global;
    crn_lookahead local;
    cairn_node aim; /* of the global search; CAIRN_NO_NODE: where the agent is */
    uint64_t share; /* units of work of a move for the global search */
    uint64_t left;  /* ... of this move */
    bool moving;    /* a move has begun */
} rtdstar_agent;

/* ---- life ---- */

static cairn_status rtdstar_open(cairn_navigator *navigator)
{
    const cairn_planner *planner = navigator->planner;
    uint32_t all = crn_parameter_of(planner, "expansions"), local = 0;
    local = (uint32_t)((uint64_t)all * crn_parameter_of(planner, "local") / 100);
    local = crn_min_u32(crn_max_u32(local, 1), all - 1);
    cairn_status status = crn_incremental_open(navigator, sizeof(rtdstar_agent), true);
    rtdstar_agent *agent = navigator->own;
    if (!agent) return status;
    crn_lookahead_plan plan = {
        .rule = &crn_lss_rule, .most = local, .takes_all = crn_parameter_of(planner, "steps")};
    cairn_status looks = crn_lookahead_init(&agent->local, navigator, &plan);
    agent->share = all - local;
    return status == CAIRN_OK ? looks : status;
}

static void rtdstar_close(cairn_navigator *navigator)
{
    rtdstar_agent *agent = navigator->own;
    if (agent) crn_lookahead_free(&agent->local);
    crn_incremental_close(navigator);
}

/* ---- events ---- */

static void rtdstar_forget(cairn_navigator *navigator)
{
    rtdstar_agent *agent = navigator->own;
    crn_dstar_lite_forget(navigator);
    crn_lookahead_clear(&agent->local);
    agent->aim = CAIRN_NO_NODE;
    agent->moving = false;
}

static void rtdstar_unsettle(cairn_navigator *navigator)
{
    rtdstar_agent *agent = navigator->own;
    crn_dstar_lite_unsettle(navigator);
    crn_lookahead_doubt(&agent->local);
    agent->aim = CAIRN_NO_NODE;
}

static void rtdstar_stepped(cairn_navigator *navigator, cairn_node from)
{
    crn_dstar_lite_stepped(navigator, from);
    crn_lookahead_advance(&((rtdstar_agent *)navigator->own)->local);
}

static void rtdstar_trace(cairn_navigator *navigator, const cairn_trace_sink *sink)
{
    rtdstar_agent *agent = navigator->own;
    crn_incremental_trace(navigator, sink);
    agent->local.sink = agent->global.search.sink;
}

/* ---- what next ---- */

static void rtdstar_count_bytes(const rtdstar_agent *agent)
{
    cairn_walk_sums *sums = &agent->local.navigator->sums;
    uint64_t bytes =
        crn_incremental_bytes(&agent->global.search) + crn_lookahead_used(&agent->local);
    if (bytes > sums->peak_bytes) sums->peak_bytes = bytes;
}

/* Makes the global search fit the world, and aims it. */
static cairn_status rtdstar_aim(rtdstar_agent *agent, cairn_move *move)
{
    crn_incremental *search = &agent->global.search;
    const cairn_navigator *navigator = search->navigator;
    bool knows = search->begun && search->version == cairn_space_version(navigator->space);
    cairn_status status = crn_lookahead_hope(&agent->local);
    if (status != CAIRN_OK) return status;
    move->plans += !knows;
    if (agent->aim == CAIRN_NO_NODE) agent->aim = navigator->at;
    if (!search->begun) return crn_incremental_begin(search, navigator->goal, agent->aim);
    status = crn_incremental_notice(search);
    return status == CAIRN_OK ? crn_incremental_aim(search, agent->aim) : status;
}

/* Goes on with the global search for a unit of work. CAIRN_OK: it is over for the agent. If it is
 * over for where the agent was, it is aimed at where it is now. */
static cairn_status rtdstar_unit(rtdstar_agent *agent, cairn_move *move)
{
    crn_incremental *search = &agent->global.search;
    cairn_node at = search->navigator->at;
    uint64_t expanded = search->expanded, one = 1;
    cairn_status status = rtdstar_aim(agent, move);
    if (status != CAIRN_OK) return status;
    status = crn_incremental_step(search, &one);
    move->expanded += search->expanded - expanded;
    if (status == CAIRN_OUT_OF_MEMORY) return status;
    agent->global.settled =
        agent->aim == at ? status == CAIRN_FOUND : crn_incremental_settles(search, at);
    if (agent->global.settled) return CAIRN_OK;
    if (agent->aim == at || status == CAIRN_RUNNING) return status;
    agent->aim = CAIRN_NO_NODE;
    return CAIRN_RUNNING;
}

/* Goes on with it as far as this move may. */
static cairn_status rtdstar_global(rtdstar_agent *agent, cairn_move *move, uint64_t *budget)
{
    cairn_status status = agent->global.settled ? CAIRN_OK : CAIRN_RUNNING;
    for (; status == CAIRN_RUNNING && agent->left && *budget; agent->left--, --*budget)
        status = rtdstar_unit(agent, move);
    return status;
}

/* A step towards the best node in view. If costs there do not fit, the agent waits for the global
 * search. */
static cairn_status rtdstar_local(rtdstar_agent *agent, cairn_move *move, uint64_t *budget)
{
    cairn_navigator *navigator = agent->local.navigator;
    cairn_status status = crn_lookahead_look(&agent->local, move, budget);
    if (status == CAIRN_COST_OVERFLOW) {
        agent->moving = false;
        navigator->waits = true;
        return CAIRN_RUNNING;
    }
    if (status != CAIRN_OK) return status;
    crn_step_look step = crn_lookahead_step(&agent->local);
    crn_navigator_go(navigator, &step, move);
    return CAIRN_OK;
}

static cairn_status rtdstar_next(cairn_navigator *navigator, cairn_move *move)
{
    rtdstar_agent *agent = navigator->own;
    uint64_t budget = navigator->budget;
    navigator->memory.failed = false;
    if (!agent->moving) agent->left = agent->share;
    agent->moving = true;
    cairn_status status = rtdstar_global(agent, move, &budget);
    navigator->unsure = status != CAIRN_OK && cairn_space_directed(navigator->space);
    if (status == CAIRN_OK)
        status = crn_dstar_lite_go(navigator, move, &budget);
    else if (status == CAIRN_RUNNING && !agent->left)
        status = rtdstar_local(agent, move, &budget);
    move->work += navigator->budget - budget;
    if (status == CAIRN_RUNNING) return status;
    agent->moving = false;
    rtdstar_count_bytes(agent);
    return status;
}

static uint32_t rtdstar_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity)
{
    const rtdstar_agent *agent = navigator->own;
    return agent->global.settled ? crn_dstar_lite_ahead(navigator, out, capacity)
                                 : crn_lookahead_seen(&agent->local, out, capacity);
}

static const crn_navigator_functions rtdstar_functions = {
    .open = rtdstar_open,
    .close = rtdstar_close,
    .start = rtdstar_forget,
    .changed = rtdstar_unsettle,
    .stepped = rtdstar_stepped,
    .pushed = rtdstar_unsettle,
    .retargeted = rtdstar_forget,
    .next = rtdstar_next,
    .ahead = rtdstar_ahead,
    .bound = crn_dstar_lite_bound,
    .bytes = crn_incremental_held,
    .trace = rtdstar_trace,
};

const crn_algorithm crn_algorithm_rtdstar = {
    .info = {.name = "rtdstar",
             .aliases = "rtd* rtd",
             .summary =
                 "RTD*: moves at once as LSS-LRTA* does, while D* Lite searches from the goal",
             .source = "Bond, Widger, Ruml and Sun 2010",
             .family = "continuous",
             .kind = CAIRN_KIND_NAVIGATOR,
             .flags = CAIRN_TERRAIN | CAIRN_MANY_GOALS | CAIRN_PIECES | CAIRN_MAY_BE_TRAPPED,
             CRN_INCREMENTAL_WORLDS,
             .delegates = 1u << CAIRN_FEATURE_MANY_GOALS,
             .parameters = rtdstar_parameters,
             .parameter_count = CRN_COUNT(rtdstar_parameters)},
    .navigator = &rtdstar_functions,
    CRN_LOOKAHEAD_FUNCTIONS,
};
