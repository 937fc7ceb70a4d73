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
 */
#include "continuous/navigator.h"
#include <cairn/path.h>

#define REPLAN_SLICE 4096u       /* units of work at a time if there is no limit */
#define REPLAN_STEPS_A_UNIT 256u /* steps of the path that are checked */

/* Somewhere on the path. */
typedef struct replan_place {
    cairn_node node;
    cairn_path_iterator
        iterator; /* what follows it; if lines are walked whole only `segment` and `link` count */
} replan_place;

typedef struct replan_agent {
    cairn_search *search;
    bool lines; /* it has a size: lines of any angle are walked whole */

    cairn_path path; /* `nodes` and `links` are ours */
    cairn_node *nodes;
    cairn_path_link *links;
    size_t node_capacity, link_capacity;
    bool has_path;
    bool more; /* it is a piece; the search knows how it goes on */
    replan_place place;

    bool looking;      /* whether the path can still be walked; it can, up to ... */
    replan_place seen; /* ... here */
    bool wanted;       /* another path */
    bool broken;       /* the path is known not to lead to the goal any more */
    bool hurry;        /* a search was lost by a commit: a step first */
    bool searching;
    cairn_metrics counted; /* of the search: what is already in the sums */
} replan_agent;

/* ---- life ---- */

static cairn_status replan_open(cairn_navigator *navigator)
{
    replan_agent *agent = navigator->own = crn_alloc_zero(navigator->context, sizeof *agent);
    if (!agent) return CAIRN_OUT_OF_MEMORY;
    const cairn_profile *profile = cairn_space_profile(navigator->space);
    agent->lines = profile && (profile->radius > 0 || profile->footprint > 1);
    cairn_search_options options = {.byte_limit = navigator->options.byte_limit};
    return cairn_search_create(navigator->planner, &options, &agent->search);
}

static void replan_close(cairn_navigator *navigator)
{
    replan_agent *agent = navigator->own;
    if (!agent) return;
    cairn_search_destroy(agent->search);
    crn_free(navigator->context, agent->nodes, agent->node_capacity * sizeof *agent->nodes);
    crn_free(navigator->context, agent->links, agent->link_capacity * sizeof *agent->links);
    crn_free(navigator->context, agent, sizeof *agent);
}

/* Drops its path and its search: it plans from where it is. */
static void replan_forget(cairn_navigator *navigator)
{
    replan_agent *agent = navigator->own;
    agent->has_path = agent->more = agent->looking = agent->hurry = agent->searching = false;
    agent->wanted = true;
}

static size_t replan_bytes(const cairn_navigator *navigator)
{
    const replan_agent *agent = navigator->own;
    return sizeof *agent + agent->node_capacity * sizeof *agent->nodes +
           agent->link_capacity * sizeof *agent->links + agent->search->memory.bytes;
}

static void replan_trace(cairn_navigator *navigator, const cairn_trace_sink *sink)
{
    replan_agent *agent = navigator->own;
    cairn_search_trace(agent->search, sink);
}

/* ---- along the path ---- */

/* One step of the path, or one line. */
typedef struct replan_stride {
    cairn_node to;
    const cairn_path_link *link; /* NULL = none */
} replan_stride;

static bool replan_by_lines(const replan_agent *agent)
{
    return agent->lines && agent->path.any_angle;
}

/* What follows a place; false at the end. */
static bool replan_follows(const replan_agent *agent, const replan_place *place, replan_stride *out)
{
    const cairn_path *path = &agent->path;
    const cairn_path_iterator *it = &place->iterator;
    if (replan_by_lines(agent))
        out->to = it->segment + 1 < path->count ? path->nodes[it->segment + 1] : CAIRN_NO_NODE;
    else
        out->to = it->next;
    bool linked = it->link < path->link_count && path->links[it->link].at == it->segment;
    out->link = linked ? &path->links[it->link] : NULL;
    return out->to != CAIRN_NO_NODE;
}

static void replan_advance(const replan_agent *agent, replan_place *place, cairn_node to)
{
    const cairn_path *path = &agent->path;
    cairn_path_iterator *it = &place->iterator;
    place->node = to;
    if (!replan_by_lines(agent)) {
        cairn_path_next(it);
        return;
    }
    it->segment++;
    while (it->link < path->link_count && path->links[it->link].at < it->segment) it->link++;
}

/* Is it legal from `node` in the world as it is, and at what cost? */
static bool replan_legal(const cairn_navigator *navigator, cairn_node node,
                         const replan_stride *stride, cairn_cost *cost)
{
    const replan_agent *agent = navigator->own;
    cairn_node ends[2] = {node, stride->to};
    cairn_path_link link = {0, stride->link ? stride->link->id : 0};
    cairn_path step = {.status = CAIRN_FOUND,
                       .nodes = ends,
                       .count = 2,
                       .links = stride->link ? &link : NULL,
                       .link_count = stride->link != NULL,
                       .any_angle = replan_by_lines(agent)};
    return cairn_path_valid(navigator->space, &step, cost, NULL, NULL);
}

/* Returns the next step of the path; false if there is none, or if it is no longer legal. */
static bool replan_step(cairn_navigator *navigator, replan_stride *stride, cairn_cost *cost)
{
    replan_agent *agent = navigator->own;
    return agent->has_path && replan_follows(agent, &agent->place, stride) &&
           replan_legal(navigator, agent->place.node, stride, cost);
}

static uint32_t replan_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity)
{
    const replan_agent *agent = navigator->own;
    if (!agent->has_path) return 0;
    /* On graphs the iterator stands at the next point, on grids at the last one. */
    uint32_t behind = agent->place.iterator.segment + (cairn_space_grid(navigator->space) != NULL),
             count = 1;
    if (capacity) out[0] = agent->place.node;
    for (uint32_t i = behind; i < agent->path.count; i++, count++)
        if (count < capacity) out[count] = agent->path.nodes[i];
    return count;
}

/* ---- work ---- */

/* What is left for this call. */
static uint64_t replan_left(const cairn_navigator *navigator, const cairn_move *move)
{
    uint64_t limit = navigator->options.work;
    return !limit ? REPLAN_SLICE : limit > move->work ? limit - move->work : 0;
}

/* Adds what the search has done since the last call. */
static void replan_count(cairn_navigator *navigator, cairn_move *move)
{
    replan_agent *agent = navigator->own;
    cairn_metrics now = cairn_search_metrics(agent->search);
    move->work += now.work - agent->counted.work;
    move->expanded += now.expanded - agent->counted.expanded;
    if (now.peak_bytes > navigator->sums.peak_bytes) navigator->sums.peak_bytes = now.peak_bytes;
    agent->counted = now;
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
    replan_stride stride;
    while (agent->looking && replan_left(navigator, move)) {
        move->work++;
        for (uint32_t i = 0; i < REPLAN_STEPS_A_UNIT && agent->looking; i++) {
            agent->looking = replan_follows(agent, &agent->seen, &stride);
            if (agent->looking && !replan_legal(navigator, agent->seen.node, &stride, NULL)) {
                agent->looking = false;
                agent->wanted = agent->broken = move->broken = true;
            }
            if (agent->looking) replan_advance(agent, &agent->seen, stride.to);
        }
    }
}

/* ---- the index ---- */

/* Answers what needs neither a search nor an index; CAIRN_OK = there may be a path. */
static cairn_status replan_hope(const cairn_navigator *navigator)
{
    const cairn_space *space = navigator->space;
    if (!cairn_space_usable(space, navigator->at)) return CAIRN_BLOCKED_START;
    if (!cairn_space_usable(space, navigator->goal)) return CAIRN_BLOCKED_GOAL;
    return cairn_reachable(space, navigator->at, navigator->goal) == CAIRN_REACH_NO
               ? CAIRN_UNREACHABLE
               : CAIRN_OK;
}

/* During a sync in the background the agent walks on if it can. Otherwise it waits, if its time has
 * no limit. */
static cairn_status replan_wait(const cairn_navigator *navigator, bool can_walk)
{
    if (can_walk || navigator->options.work) return CAIRN_RUNNING;
    return cairn_planner_sync_end(navigator->planner, true, NULL);
}

/* Makes the planner ready to search. CAIRN_RUNNING: it is not yet. */
static cairn_status replan_ready(cairn_navigator *navigator, cairn_move *move, bool can_walk)
{
    cairn_planner *planner = navigator->planner;
    cairn_status status = replan_hope(navigator);
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

/* Copies the path that the search has found. */
static cairn_status replan_adopt(cairn_navigator *navigator, const cairn_path *path)
{
    replan_agent *agent = navigator->own;
    void *nodes = agent->nodes, *links = agent->links;
    bool room = crn_grow(navigator->context, &nodes, &agent->node_capacity, path->count,
                         sizeof *agent->nodes);
    agent->nodes = nodes;
    agent->has_path = false;
    room = room && crn_grow(navigator->context, &links, &agent->link_capacity, path->link_count,
                            sizeof *agent->links);
    agent->links = links;
    if (!room) return CAIRN_OUT_OF_MEMORY;
    memcpy(agent->nodes, path->nodes, path->count * sizeof *path->nodes);
    if (path->link_count) memcpy(agent->links, path->links, path->link_count * sizeof *path->links);
    agent->path = *path;
    agent->path.nodes = agent->nodes;
    agent->path.links = agent->links;
    agent->place.iterator = cairn_path_begin(navigator->space, &agent->path);
    agent->place.node = agent->path.nodes[0];
    if (!replan_by_lines(agent)) cairn_path_next(&agent->place.iterator);
    agent->has_path = true;
    agent->wanted = agent->looking = agent->broken = agent->hurry = false;
    agent->more = path->partial;
    return CAIRN_OK;
}

/* Begins to search for a path, or for its next piece. */
static cairn_status replan_ask(cairn_navigator *navigator, cairn_move *move)
{
    replan_agent *agent = navigator->own;
    if (!agent->wanted) {
        move->pieces++;
        return cairn_search_begin_next(agent->search);
    }
    move->plans++;
    agent->more = false;
    agent->counted = (cairn_metrics){0};
    return cairn_search_begin(agent->search, &(cairn_query){.from = navigator->at,
                                                            .to = navigator->goal,
                                                            .piece = navigator->options.piece});
}

/* Searches as long as there is work left. */
static cairn_status replan_search(cairn_navigator *navigator, cairn_move *move)
{
    replan_agent *agent = navigator->own;
    cairn_status status = agent->searching ? CAIRN_RUNNING : replan_ask(navigator, move);
    replan_count(navigator, move);
    for (uint64_t left; status == CAIRN_RUNNING && (left = replan_left(navigator, move));) {
        status = cairn_search_step(agent->search, left);
        replan_count(navigator, move);
    }
    agent->searching = status == CAIRN_RUNNING;
    return status;
}

/* Plans another path, or its next piece. CAIRN_OK when it is ready. */
static cairn_status replan_plan(cairn_navigator *navigator, cairn_move *move, bool can_walk)
{
    replan_agent *agent = navigator->own;
    /* otherwise a failure is no reason to stop, but one to plan again */
    bool first = agent->wanted;
    cairn_status status = CAIRN_OK;
    if (!agent->searching && first) status = replan_ready(navigator, move, can_walk);
    if (status == CAIRN_RUNNING) return status;
    const cairn_path *path;
    if (status == CAIRN_OK) status = replan_search(navigator, move);
    if (status == CAIRN_FOUND) status = cairn_search_result(agent->search, &path);
    if (status == CAIRN_FOUND) status = replan_adopt(navigator, path);
    if (status == CAIRN_OK || status == CAIRN_RUNNING) return status;
    agent->wanted = true;
    agent->has_path = agent->has_path && !first;
    return first && status != CAIRN_STALE ? status : CAIRN_OK;
}

/* ---- what next ---- */

static cairn_status replan_go(const replan_stride *stride, cairn_cost cost, cairn_move *move)
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
    replan_stride stride = {CAIRN_NO_NODE, NULL};
    bool along = agent->has_path && agent->place.node == from &&
                 replan_follows(agent, &agent->place, &stride) && stride.to == navigator->at;
    if (!along) {
        replan_forget(navigator);
        return;
    }
    agent->wanted |= agent->searching;
    agent->hurry = agent->searching = false;
    replan_advance(agent, &agent->place, stride.to);
}

/* Nothing ahead: does the path end here, as pieces do, or is it broken? */
static void replan_stuck(replan_agent *agent, cairn_move *move)
{
    replan_stride stride;
    bool broken = agent->has_path && replan_follows(agent, &agent->place, &stride);
    move->broken |= broken && !agent->broken;
    if (broken || !agent->has_path || !agent->more) agent->wanted = true;
    if (agent->wanted) agent->has_path = agent->looking = false;
}

static cairn_status replan_next(cairn_navigator *navigator, cairn_move *move)
{
    replan_agent *agent = navigator->own;
    replan_look(navigator, move);
    for (;;) {
        replan_stride stride = {CAIRN_NO_NODE, NULL};
        cairn_cost cost;
        bool can_walk = replan_step(navigator, &stride, &cost);
        if (can_walk && (!agent->wanted || agent->hurry)) return replan_go(&stride, cost, move);
        if (!can_walk && !agent->searching) replan_stuck(agent, move);
        cairn_status status = replan_plan(navigator, move, can_walk);
        bool waits = status == CAIRN_RUNNING && !agent->searching; /* for the index */
        if (waits && can_walk) return replan_go(&stride, cost, move);
        if (status != CAIRN_OK) return status;
    }
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
