/* replan.c: any planner as a navigator: plan, follow, replan. The baseline for continuous
 * algorithms.
 *
 * The agent keeps a copy of its path and its place on it. After a commit it checks whether the rest
 * can still be walked (or, if it is to use every shortcut, simply wants another path). That check
 * covers a few hundred steps of the path for each unit of work, far more than the agent walks. So
 * it may take several calls, and the agent walks on meanwhile: each single step is tested before it
 * is made.
 *
 * A plan needs, in this order: an index that is up to date, if there is one; then a search in
 * slices; then a copy of its path. While an index is synced in the background the agent follows its
 * old path as far as that leads, and plans from where it is when the new index is ready, as in the
 * thesis of J. Harvanová, section 3.3.5. While a search runs the agent stands still, since the
 * search begins where it stands. A commit makes such a search useless. So that commits at every
 * turn cannot stop the agent for ever, it then makes a step of the old path, if it has one, before
 * it begins again.
 *
 * The search is borrowed (loans.h). An agent that must wait for one follows its old path too.
 * Between two pieces of a path it keeps its search as long as no other agent needs one. If it has
 * lost it, it asks for the next piece by a new query from where it is. Such queries could lead it
 * round in a circle, since they know nothing of the pieces before. So each asks for twice as many
 * steps as the one before: after a few of them the whole path is known. That also bounds what they
 * cost together.
 */
#include "continuous/loans.h"
#include "continuous/navigator.h"
#include "continuous/track.h"

#define REPLAN_SLICE 4096u       /* units of work at a time if there is no limit */
#define REPLAN_STEPS_A_UNIT 256u /* steps of the path that are checked */

typedef struct replan_agent {
    crn_loan loan; /* of a search */
    cairn_trace_sink sink;

    crn_track path;
    crn_track_place place;
    bool has_path;
    bool more;      /* it is a piece; the search knows how it goes on */
    uint32_t piece; /* steps to ask for; 0 = as the options say */

    bool looking;         /* whether the path can still be walked; it can, up to ... */
    crn_track_place seen; /* ... here */
    bool wanted;          /* another path */
    bool broken;          /* the path is known not to lead to the goal any more */
    bool hurry;           /* a search was lost by a commit: a step first */
    bool searching;
    uint64_t work, expanded; /* of the search: what is already in the sums */
} replan_agent;

/* ---- life ---- */

static cairn_status replan_open(cairn_navigator *navigator)
{
    replan_agent *agent = navigator->own = crn_alloc_zero(navigator->context, sizeof *agent);
    if (!agent) return CAIRN_OUT_OF_MEMORY;
    const cairn_profile *profile = cairn_space_profile(navigator->space);
    agent->path.whole_lines = profile && (profile->radius > 0 || profile->footprint > 1);
    cairn_search_options options = {.byte_limit = navigator->options.byte_limit};
    agent->loan.own = options.byte_limit != 0;
    if (!agent->loan.own) return crn_lender_join(navigator->planner);
    return cairn_search_create(navigator->planner, &options, &agent->loan.search);
}

static void replan_close(cairn_navigator *navigator)
{
    replan_agent *agent = navigator->own;
    if (!agent) return;
    if (agent->loan.own) {
        cairn_search_destroy(agent->loan.search);
    } else if (navigator->planner->lender) { /* else there was no memory for one */
        crn_lender_leave(navigator->planner, &agent->loan);
    }
    crn_track_free(&agent->path, navigator->context);
    crn_free(navigator->context, agent, sizeof *agent);
}

/* Drops its path and what it has searched: it plans from where it is. It keeps its turn. */
static void replan_forget(cairn_navigator *navigator)
{
    replan_agent *agent = navigator->own;
    agent->has_path = agent->more = agent->looking = agent->hurry = agent->searching = false;
    agent->wanted = true;
    agent->piece = 0;
    if (navigator->at == navigator->goal) crn_loan_return(navigator->planner, &agent->loan);
}

static size_t replan_bytes(const cairn_navigator *navigator)
{
    const replan_agent *agent = navigator->own;
    size_t own = agent->loan.own ? agent->loan.search->memory.bytes : 0;
    return sizeof *agent + crn_track_bytes(&agent->path) + own;
}

static void replan_trace(cairn_navigator *navigator, const cairn_trace_sink *sink)
{
    replan_agent *agent = navigator->own;
    agent->sink = sink ? *sink : (cairn_trace_sink){0};
}

/* ---- along the path ---- */

/* Is it legal from `node` in the world as it is, and at what cost? */
static bool replan_legal(const cairn_navigator *navigator, cairn_node node,
                         const crn_stride *stride, cairn_cost *cost)
{
    const replan_agent *agent = navigator->own;
    cairn_node ends[2] = {node, stride->to};
    cairn_path_link link = {0, stride->link ? stride->link->id : 0};
    cairn_path step = {.status = CAIRN_FOUND,
                       .nodes = ends,
                       .count = 2,
                       .links = stride->link ? &link : NULL,
                       .link_count = stride->link != NULL,
                       .any_angle = agent->path.any_angle && agent->path.whole_lines};
    return cairn_path_valid(navigator->space, &step, cost, NULL, NULL);
}

/* Returns the next step of the path; false if there is none, or if it is no longer legal. */
static bool replan_step(cairn_navigator *navigator, crn_stride *stride, cairn_cost *cost)
{
    replan_agent *agent = navigator->own;
    return agent->has_path &&
           crn_track_peek(&agent->path, navigator->space, &agent->place, stride) &&
           replan_legal(navigator, agent->place.node, stride, cost);
}

static uint32_t replan_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity)
{
    const replan_agent *agent = navigator->own;
    return agent->has_path ? crn_track_ahead(&agent->path, &agent->place, out, capacity) : 0;
}

/* ---- work ---- */

/* What is left for this call. */
static uint64_t replan_left(const cairn_navigator *navigator, const cairn_move *move)
{
    uint64_t limit = navigator->budget;
    if (limit == UINT64_MAX) return REPLAN_SLICE;
    return limit > move->work ? limit - move->work : 0;
}

/* Adds what the search has done since the last call. */
static void replan_count(cairn_navigator *navigator, cairn_move *move)
{
    replan_agent *agent = navigator->own;
    cairn_metrics now = cairn_search_metrics(agent->loan.search);
    move->work += now.work - agent->work;
    move->expanded += now.expanded - agent->expanded;
    if (now.peak_bytes > navigator->sums.peak_bytes) navigator->sums.peak_bytes = now.peak_bytes;
    agent->work = now.work;
    agent->expanded = now.expanded;
}

/* ---- a world that changes ---- */

static void replan_changed(cairn_navigator *navigator)
{
    replan_agent *agent = navigator->own;
    if (agent->searching) agent->hurry = agent->wanted = true;
    agent->searching = false;
    if (navigator->options.replan == CAIRN_REPLAN_CHANGED) agent->wanted = true;
    agent->looking = agent->has_path && !agent->wanted;
    agent->seen = agent->place;
}

static void replan_look(cairn_navigator *navigator, cairn_move *move)
{
    replan_agent *agent = navigator->own;
    crn_stride stride;
    while (agent->looking && replan_left(navigator, move)) {
        move->work++;
        for (uint32_t i = 0; i < REPLAN_STEPS_A_UNIT && agent->looking; i++) {
            agent->looking = crn_track_peek(&agent->path, navigator->space, &agent->seen, &stride);
            if (agent->looking && !replan_legal(navigator, agent->seen.node, &stride, NULL)) {
                agent->looking = false;
                agent->wanted = agent->broken = move->broken = true;
            }
            if (agent->looking) crn_track_advance(&agent->path, &agent->seen, stride.to);
        }
    }
}

/* ---- the index ---- */

/* During a sync in the background the agent walks on if it can. Otherwise it waits, if its time has
 * no limit. */
static cairn_status replan_wait(const cairn_navigator *navigator, bool can_walk)
{
    if (can_walk || navigator->budget != UINT64_MAX) return CAIRN_RUNNING;
    return cairn_planner_sync_end(navigator->planner, true, NULL);
}

/* Makes the planner ready to search. CAIRN_RUNNING: it is not yet. */
static cairn_status replan_ready(cairn_navigator *navigator, cairn_move *move, bool can_walk)
{
    cairn_planner *planner = navigator->planner;
    cairn_status status = crn_navigator_hope(navigator);
    if (status != CAIRN_OK) return status;
    status = cairn_planner_sync_end(planner, false, NULL);
    if (status == CAIRN_RUNNING) return replan_wait(navigator, can_walk);
    if (status != CAIRN_STALE && status != CAIRN_NOT_BUILT) return status;
    move->syncs++;
    if (!navigator->options.background) return cairn_planner_sync(planner, NULL, NULL);
    status = cairn_planner_sync_begin(planner, NULL);
    return status == CAIRN_RUNNING ? replan_wait(navigator, can_walk) : status;
}

/* ---- planning ---- */

/* Copies the path that the search has found, and keeps the search only if there is more. */
static cairn_status replan_adopt(cairn_navigator *navigator, const cairn_path *path)
{
    replan_agent *agent = navigator->own;
    bool more = path->partial;
    cairn_status status = crn_track_copy(&agent->path, navigator->context, path);
    agent->has_path = status == CAIRN_OK;
    if (status != CAIRN_OK) return status;
    CRN_CHECK_RIGHT(navigator->context, crn_track_check(&agent->path, navigator->planner->space));
    agent->place = crn_track_begin(&agent->path);
    agent->wanted = agent->looking = agent->broken = agent->hurry = false;
    agent->more = more;
    if (more) crn_loan_rest(&agent->loan);
    return CAIRN_OK;
}

/* Begins to search for a path, or for its next piece. */
static cairn_status replan_ask(cairn_navigator *navigator, cairn_move *move)
{
    replan_agent *agent = navigator->own;
    if (!agent->wanted) {
        move->pieces++;
        return cairn_search_begin_next(agent->loan.search);
    }
    move->plans++;
    agent->more = false;
    agent->work = agent->expanded = 0;
    cairn_search_trace(agent->loan.search, &agent->sink);
    uint32_t piece = agent->piece ? agent->piece : navigator->options.piece;
    return cairn_search_begin(
        agent->loan.search,
        &(cairn_query){.from = navigator->at, .to = navigator->goal, .piece = piece});
}

/* Searches as long as there is work left. */
static cairn_status replan_search(cairn_navigator *navigator, cairn_move *move)
{
    replan_agent *agent = navigator->own;
    cairn_status status = agent->searching ? CAIRN_RUNNING : replan_ask(navigator, move);
    replan_count(navigator, move);
    for (uint64_t left; status == CAIRN_RUNNING && (left = replan_left(navigator, move));) {
        status = cairn_search_step(agent->loan.search, left);
        replan_count(navigator, move);
    }
    agent->searching = status == CAIRN_RUNNING;
    return status;
}

/* Another agent got the search: what it knew is lost. */
static void replan_lose(const cairn_navigator *navigator, replan_agent *agent)
{
    uint32_t piece = agent->piece ? agent->piece : navigator->options.piece;
    if (agent->more && !agent->wanted) agent->piece = piece > UINT32_MAX / 2 ? piece : 2 * piece;
    agent->searching = agent->more = false;
    agent->wanted = true;
}

/* Gets everything that a search needs: the index, the search itself, and work to do. CAIRN_RUNNING:
 * it is not there yet. */
static cairn_status replan_prepare(cairn_navigator *navigator, cairn_move *move, bool can_walk)
{
    replan_agent *agent = navigator->own;
    if (!agent->loan.search && (agent->searching || agent->more)) replan_lose(navigator, agent);
    cairn_status status = CAIRN_OK;
    if (!agent->searching && agent->wanted) status = replan_ready(navigator, move, can_walk);
    if (status == CAIRN_OK) status = crn_loan_take(navigator->planner, &agent->loan);
    bool idle = status == CAIRN_OK && !agent->searching && !navigator->budget;
    return idle ? CAIRN_RUNNING : status;
}

/* Plans another path, or its next piece. CAIRN_OK when it is ready. */
static cairn_status replan_plan(cairn_navigator *navigator, cairn_move *move, bool can_walk)
{
    replan_agent *agent = navigator->own;
    const cairn_path *path;
    cairn_status status = replan_prepare(navigator, move, can_walk);
    /* otherwise a failure is no reason to stop, but one to plan again */
    bool first = agent->wanted;
    if (status == CAIRN_RUNNING) return status;
    if (status == CAIRN_OK) status = replan_search(navigator, move);
    if (status == CAIRN_FOUND) status = cairn_search_result(agent->loan.search, &path);
    if (status == CAIRN_FOUND) status = replan_adopt(navigator, path);
    if (status == CAIRN_OK || status == CAIRN_RUNNING) return status;
    agent->wanted = true;
    agent->has_path = agent->has_path && !first;
    return first && status != CAIRN_STALE ? status : CAIRN_OK;
}

/* ---- what next ---- */

static cairn_status replan_go(const crn_stride *stride, cairn_cost cost, cairn_move *move)
{
    move->to = stride->to;
    move->cost = cost;
    move->linked = stride->link != NULL;
    move->link = stride->link ? stride->link->id : 0;
    return CAIRN_OK;
}

/* A step along the path keeps the path; any other counts as a push. A search that is running began
 * elsewhere. */
static void replan_stepped(cairn_navigator *navigator, cairn_node from)
{
    replan_agent *agent = navigator->own;
    crn_stride stride = {CAIRN_NO_NODE, NULL};
    bool along = agent->has_path && agent->place.node == from &&
                 crn_track_peek(&agent->path, navigator->space, &agent->place, &stride) &&
                 stride.to == navigator->at;
    if (!along) {
        replan_forget(navigator);
        return;
    }
    agent->wanted |= agent->searching;
    agent->hurry = agent->searching = false;
    crn_track_advance(&agent->path, &agent->place, stride.to);
    if (navigator->at == navigator->goal) crn_loan_return(navigator->planner, &agent->loan);
}

/* Nothing ahead: does the path end here, as pieces do, or is it broken? */
static void replan_stuck(const cairn_navigator *navigator, cairn_move *move)
{
    replan_agent *agent = navigator->own;
    crn_stride stride;
    bool broken =
        agent->has_path && crn_track_peek(&agent->path, navigator->space, &agent->place, &stride);
    move->broken |= broken && !agent->broken;
    if (broken || !agent->has_path || !agent->more) agent->wanted = true;
    if (agent->wanted) agent->has_path = agent->looking = false;
}

/* Thinks until it can walk, or must wait. */
static cairn_status replan_think(cairn_navigator *navigator, cairn_move *move)
{
    replan_agent *agent = navigator->own;
    for (;;) {
        crn_stride stride = {CAIRN_NO_NODE, NULL};
        cairn_cost cost;
        bool can_walk = replan_step(navigator, &stride, &cost);
        if (can_walk && (!agent->wanted || agent->hurry)) return replan_go(&stride, cost, move);
        if (!can_walk && !agent->searching) replan_stuck(navigator, move);
        cairn_status status = replan_plan(navigator, move, can_walk);
        bool waits = status == CAIRN_RUNNING && !agent->searching; /* for the index, or a search */
        if (waits && can_walk) return replan_go(&stride, cost, move);
        if (status != CAIRN_OK) return status;
    }
}

/* Whoever needs no search leaves it, and the queue, to the others. */
static cairn_status replan_next(cairn_navigator *navigator, cairn_move *move)
{
    replan_agent *agent = navigator->own;
    replan_look(navigator, move);
    cairn_status status = replan_think(navigator, move);
    bool needed = status == CAIRN_RUNNING || (status == CAIRN_OK && (agent->wanted || agent->more));
    if (!needed) crn_loan_return(navigator->planner, &agent->loan);
    return status;
}

const crn_navigator_functions crn_navigator_replanning = {
    .open = replan_open,
    .close = replan_close,
    .start = replan_forget,
    .changed = replan_changed,
    .stepped = replan_stepped,
    .pushed = replan_forget,
    .retargeted = replan_forget,
    .next = replan_next,
    .ahead = replan_ahead,
    .bytes = replan_bytes,
    .trace = replan_trace,
};
