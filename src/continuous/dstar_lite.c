/* dstar_lite.c: D* Lite, the optimized version.
 *
 * The search leads from the goal to the agent, along edges backward. So what it knows stays true
 * while the agent walks: each g is the cost from a node to the goal. The agent goes to the node
 * with the least sum of edge and g. After a commit only what it changed is repaired
 * (incremental.h), and K_m makes up for the steps that the agent has made since. So a small change
 * near the agent takes a small part of a search. One near the goal changes all costs beyond it, and
 * may take longer than a new search.
 *
 * Paths are optimal at every step, in the world as it is. Of equal steps, the first edge in the
 * order of the space is taken. In an unchanged world the agent follows its path without any search.
 * A push, or a step of its own, continues the search to where it stands. Another goal begins a new
 * one, since all that is known leads to the old one. The estimate is the space's own; where links
 * are shortcuts there is none, as none knows of them backward.
 *
 * Not in the source: changed nodes are summed up from scratch, since their old costs are not known;
 * and the search begins again where that is cheaper, or keys do not fit (incremental.h).
 *
 * Each agent keeps about 14 bytes for each node that it came to, and 12 for each queued one.
 *
 * Source: Koenig and Likhachev, "D* Lite", 2002, figure 4.
 */
#include "continuous/dstar_lite.h"
#include "continuous/walker.h"

static cairn_status dstar_lite_open(cairn_navigator *navigator)
{
    return crn_incremental_open(navigator, sizeof(crn_dstar_lite), true);
}

/* ---- events ---- */

void crn_dstar_lite_unsettle(cairn_navigator *navigator)
{
    crn_dstar_lite *agent = navigator->own;
    agent->settled = false;
    agent->step.node = CAIRN_NO_NODE;
}

void crn_dstar_lite_forget(cairn_navigator *navigator)
{
    crn_dstar_lite *agent = navigator->own;
    crn_dstar_lite_unsettle(navigator);
    agent->search.begun = false;
}

void crn_dstar_lite_stepped(cairn_navigator *navigator, cairn_node from)
{
    crn_dstar_lite *agent = navigator->own;
    const crn_incremental_look *step = &agent->step;
    bool along = agent->settled && step->node == from && step->done && step->to == navigator->at;
    agent->step.node = CAIRN_NO_NODE;
    agent->settled = along;
}

/* ---- what next ---- */

cairn_status crn_dstar_lite_go(cairn_navigator *navigator, cairn_move *move, uint64_t *budget)
{
    crn_dstar_lite *agent = navigator->own;
    crn_incremental_look *step = &agent->step;
    if (step->node != navigator->at) crn_incremental_look_at(step, navigator->at);
    if (!crn_incremental_look_for(&agent->search, step, budget)) return CAIRN_RUNNING;
    crn_step_look look = {.from = navigator->at, .to = step->to, .cost = step->cost, .done = true};
    crn_navigator_go(navigator, &look, move);
    return CAIRN_OK;
}

static cairn_status dstar_lite_next(cairn_navigator *navigator, cairn_move *move)
{
    crn_dstar_lite *agent = navigator->own;
    uint64_t budget = navigator->budget;
    cairn_status status = CAIRN_OK;
    navigator->memory.failed = false;
    if (!agent->settled) status = crn_incremental_serve(&agent->search, move, &budget);
    agent->settled = status == CAIRN_OK;
    if (status == CAIRN_OK) status = crn_dstar_lite_go(navigator, move, &budget);
    move->work += navigator->budget - budget;
    return status;
}

uint32_t crn_dstar_lite_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity)
{
    const crn_dstar_lite *agent = navigator->own;
    if (!agent->settled || agent->search.version != cairn_space_version(navigator->space)) return 0;
    return crn_incremental_ahead(&agent->search, navigator->at, out, capacity);
}

double crn_dstar_lite_bound(const cairn_navigator *navigator)
{
    const crn_dstar_lite *agent = navigator->own;
    return crn_navigator_best(navigator, agent->settled);
}

static const crn_navigator_functions dstar_lite_functions = {
    .open = dstar_lite_open,
    .close = crn_incremental_close,
    .start = crn_dstar_lite_forget,
    .changed = crn_dstar_lite_unsettle,
    .stepped = crn_dstar_lite_stepped,
    .pushed = crn_dstar_lite_unsettle,
    .retargeted = crn_dstar_lite_forget,
    .next = dstar_lite_next,
    .ahead = crn_dstar_lite_ahead,
    .bound = crn_dstar_lite_bound,
    .bytes = crn_incremental_held,
    .trace = crn_incremental_trace,
};

const crn_algorithm crn_algorithm_dstar_lite = {
    .info = {.name = "dstar-lite",
             .aliases = "d*lite d*-lite dstarlite",
             .summary = "D* Lite: a search from the goal that is repaired when the world changes, "
                        "while the agent walks",
             .source = "Koenig and Likhachev 2002",
             .family = "continuous",
             .kind = CAIRN_KIND_NAVIGATOR,
             .flags = CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_MANY_GOALS | CAIRN_PIECES,
             CRN_INCREMENTAL_WORLDS,
             .delegates = 1u << CAIRN_FEATURE_MANY_GOALS},
    .create = crn_incremental_create,
    .destroy = crn_incremental_destroy,
    .navigator = &dstar_lite_functions,
    CRN_WALKER_FUNCTIONS,
};
