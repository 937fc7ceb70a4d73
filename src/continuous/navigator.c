/* navigator.c: the life of an agent that walks: what is the same for all algorithms (see
 * navigator.h). */
#include "continuous/navigator.h"
#include "continuous/sensor.h"
#include "world/grid_space.h"
#include <math.h>

cairn_navigator_options cairn_navigator_defaults(void)
{
    return (cairn_navigator_options){.replan = CAIRN_REPLAN_BLOCKED};
}

const char *cairn_replan_name(cairn_replan replan)
{
    static const char *const names[CAIRN_REPLAN_COUNT] = {"blocked", "changed"};
    return (uint32_t)replan < CAIRN_REPLAN_COUNT ? names[replan] : "unknown";
}

const char *cairn_move_name(cairn_move_kind kind)
{
    static const char *const names[CAIRN_MOVE_COUNT] = {"step", "arrived", "think", "stop"};
    return (uint32_t)kind < CAIRN_MOVE_COUNT ? names[kind] : "unknown";
}

static const crn_navigator_functions *navigator_chosen(const cairn_navigator *navigator)
{
    const crn_navigator_functions *own = navigator->planner->algorithm->navigator;
    bool serves = own && (!own->serves || own->serves(navigator->planner));
    return serves ? own : &crn_navigator_replanning;
}

/* Chooses the functions that serve the space as it is now; they begin where the agent is. On
 * failure the old ones stay. */
static cairn_status navigator_choose(cairn_navigator *navigator)
{
    const crn_navigator_functions *before = navigator->functions,
                                  *chosen = navigator_chosen(navigator);
    void *own = navigator->own;
    if (chosen == before) return CAIRN_OK;
    navigator->own = NULL;
    cairn_status status = chosen->open(navigator);
    if (status != CAIRN_OK) {
        chosen->close(navigator);
        navigator->own = own;
        return status;
    }
    void *opened = navigator->own;
    navigator->own = own;
    if (before) before->close(navigator);
    navigator->own = opened;
    navigator->functions = chosen;
    chosen->start(navigator);
    chosen->trace(navigator, &navigator->sink);
    return CAIRN_OK;
}

cairn_status cairn_navigator_create(cairn_planner *planner, const cairn_navigator_options *options,
                                    cairn_navigator **out)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    cairn_navigator_options chosen = options ? *options : cairn_navigator_defaults();
    if (!planner || (uint32_t)chosen.replan >= CAIRN_REPLAN_COUNT) return CAIRN_INVALID;
    if (!(chosen.start_within >= 0)) return CAIRN_INVALID;
    cairn_context *context = planner->space->context;
    cairn_navigator *navigator = crn_alloc_zero(context, sizeof *navigator);
    if (!navigator) return CAIRN_OUT_OF_MEMORY;
    navigator->planner = planner;
    crn_hold(&planner->holders);
    navigator->context = context;
    navigator->space = planner->space;
    navigator->options = chosen;
    navigator->memory = (crn_scratch){.context = context, .limit = chosen.byte_limit};
    navigator->at = navigator->goal = CAIRN_NO_NODE;
    cairn_status status = navigator_choose(navigator);
    if (status != CAIRN_OK) {
        cairn_navigator_destroy(navigator);
        return status;
    }
    *out = navigator;
    return CAIRN_OK;
}

void cairn_navigator_destroy(cairn_navigator *navigator)
{
    if (!navigator) return;
    cairn_planner *planner = navigator->planner;
    if (navigator->functions) navigator->functions->close(navigator);
    crn_sensor_destroy(navigator);
    crn_free(navigator->context, navigator, sizeof *navigator);
    cairn_planner_destroy(planner); /* lets go of it */
}

/* ---- for algorithms ---- */

cairn_status crn_navigator_hope(const cairn_navigator *navigator)
{
    const cairn_space *space = navigator->space;
    if (!cairn_space_usable(space, navigator->at)) return CAIRN_BLOCKED_START;
    if (!cairn_space_usable(space, navigator->goal)) return CAIRN_BLOCKED_GOAL;
    return cairn_reachable(space, navigator->at, navigator->goal) == CAIRN_REACH_NO
               ? CAIRN_UNREACHABLE
               : CAIRN_OK;
}

cairn_status crn_navigator_sync(const cairn_navigator *navigator, cairn_move *move)
{
    if (cairn_planner_state(navigator->planner) == CAIRN_OK) return CAIRN_OK;
    move->syncs++;
    return cairn_planner_sync(navigator->planner, NULL, NULL);
}

bool crn_navigator_look(const cairn_navigator *navigator, crn_step_look *look, uint64_t *work)
{
    enum { BATCH = 64, BATCHES = 8 };
    const crn_grid_space *map = crn_grid_space_of(navigator->space);
    if (map && !look->done) {
        const crn_space_link *link = crn_links_used(map, look->from, look->to);
        look->cost = link ? link->cost : crn_grid_walk_cost(map, look->from, look->to);
        look->done = true;
    }
    for (; *work && !look->done; --*work) {
        for (uint32_t i = 0; i < BATCHES && !look->done; i++) {
            cairn_edge edges[BATCH];
            uint32_t count =
                cairn_space_expand(navigator->space, look->from, look->at, edges, BATCH);
            for (uint32_t e = 0; e < count; e++) {
                if (edges[e].node == look->to) look->cost = crn_min_u32(look->cost, edges[e].cost);
            }
            look->at += count;
            look->done = count < BATCH;
        }
    }
    return look->done;
}

void crn_navigator_go(const cairn_navigator *navigator, const crn_step_look *look, cairn_move *move)
{
    const crn_grid_space *map = crn_grid_space_of(navigator->space);
    const crn_space_link *link = map ? crn_links_used(map, look->from, look->to) : NULL;
    move->to = look->to;
    move->cost = look->cost;
    move->linked = link != NULL;
    move->link = link ? link->id : 0;
}

/* ---- where from, where to ---- */

cairn_status cairn_navigator_start(cairn_navigator *navigator, cairn_node from, cairn_node to)
{
    if (!navigator) return CAIRN_INVALID;
    uint32_t count = cairn_space_node_count(navigator->space);
    if (from >= count || to >= count) return CAIRN_OUT_OF_BOUNDS;
    cairn_status status = navigator_choose(navigator);
    if (status != CAIRN_OK) return status;
    navigator->at = from;
    navigator->goal = to;
    navigator->stopped = CAIRN_OK;
    navigator->sums = (cairn_walk_sums){0};
    navigator->version = cairn_space_version(navigator->space);
    navigator->functions->start(navigator);
    return CAIRN_OK;
}

/* Tells the algorithm of commits, before anything else happens. Without memory for other functions
 * it tries again when it is asked for the next step. */
static cairn_status navigator_notice(cairn_navigator *navigator)
{
    uint64_t version = cairn_space_version(navigator->space);
    if (version == navigator->version) return CAIRN_OK;
    cairn_status status = navigator_choose(navigator);
    if (status != CAIRN_OK) return status;
    navigator->version = version;
    navigator->functions->changed(navigator);
    return CAIRN_OK;
}

cairn_status cairn_navigator_moved(cairn_navigator *navigator, cairn_node at)
{
    if (!navigator || navigator->at == CAIRN_NO_NODE) return CAIRN_INVALID;
    if (at >= cairn_space_node_count(navigator->space)) return CAIRN_OUT_OF_BOUNDS;
    if (at == navigator->at) return CAIRN_OK;
    (void)navigator_notice(navigator);
    cairn_node from = navigator->at;
    navigator->at = at;
    navigator->stopped = CAIRN_OK;
    if (cairn_space_step_cost(navigator->space, from, at) != CAIRN_NO_COST)
        navigator->functions->stepped(navigator, from);
    else
        navigator->functions->pushed(navigator);
    return CAIRN_OK;
}

cairn_status cairn_navigator_retarget(cairn_navigator *navigator, cairn_node to)
{
    if (!navigator || navigator->at == CAIRN_NO_NODE) return CAIRN_INVALID;
    if (to >= cairn_space_node_count(navigator->space)) return CAIRN_OUT_OF_BOUNDS;
    if (to == navigator->goal) return CAIRN_OK;
    (void)navigator_notice(navigator);
    navigator->goal = to;
    navigator->stopped = CAIRN_OK;
    navigator->functions->retargeted(navigator);
    return CAIRN_OK;
}

/* ---- what next ---- */

/* Can only a commit or another goal change this answer? */
static bool navigator_is_final(cairn_status status)
{
    return status != CAIRN_OK && status != CAIRN_RUNNING && status != CAIRN_STALE &&
           status != CAIRN_OUT_OF_MEMORY;
}

static void navigator_add(cairn_navigator *navigator, const cairn_move *move)
{
    cairn_walk_sums *sums = &navigator->sums;
    sums->calls++;
    sums->work += move->work;
    if (move->work > sums->most_work) sums->most_work = move->work;
    sums->expanded += move->expanded;
    sums->plans += move->plans;
    sums->pieces += move->pieces;
    sums->syncs += move->syncs;
    sums->breaks += move->broken;
    if (move->kind != CAIRN_MOVE_STEP) return;
    sums->moves++;
    sums->cost += move->cost;
}

/* Leads the agent out of a wall, if that is wanted and possible. */
static bool navigator_escape(cairn_navigator *navigator, cairn_move *move)
{
    const cairn_space *space = navigator->space;
    double within = navigator->options.start_within;
    if (within == 0 || cairn_space_usable(space, navigator->at)) return false;
    if (cairn_nearest_usable(space, navigator->at, within, &move->to) != CAIRN_OK) {
        move->to = navigator->at;
        return false;
    }
    navigator->at = move->to;
    navigator->functions->pushed(navigator);
    move->escaped = true;
    return true;
}

/* Asks the algorithm, unless it has said that no path is left and nothing has changed since. */
static cairn_status navigator_ask(cairn_navigator *navigator, cairn_move *move)
{
    uint64_t version = cairn_space_version(navigator->space);
    if (navigator->stopped != CAIRN_OK && navigator->stopped_version == version)
        return navigator->stopped;
    cairn_status status = navigator_notice(navigator);
    if (status != CAIRN_OK) return status;
    if (navigator_escape(navigator, move)) {
        navigator->stopped = CAIRN_OK;
        return CAIRN_OK;
    }
    status = navigator->functions->next(navigator, move);
    navigator->stopped = navigator_is_final(status) ? status : CAIRN_OK;
    navigator->stopped_version = version;
    return status;
}

static cairn_status navigator_walk(cairn_navigator *navigator, cairn_move *move)
{
    cairn_status status = crn_sensor_look(navigator, move);
    navigator->sums.seen += move->seen;
    if (navigator->at == navigator->goal) {
        move->kind = CAIRN_MOVE_ARRIVED;
        move->arrived = true;
        return CAIRN_OK;
    }
    if (status == CAIRN_OK) status = navigator_ask(navigator, move);
    move->kind = status == CAIRN_OK        ? CAIRN_MOVE_STEP
                 : status == CAIRN_RUNNING ? CAIRN_MOVE_THINK
                                           : CAIRN_MOVE_STOP;
    navigator->at = move->to;
    if (status == CAIRN_OK && !move->escaped) navigator->functions->stepped(navigator, move->from);
    move->arrived = move->to == navigator->goal;
    navigator_add(navigator, move);
    return status;
}

cairn_move crn_navigator_move(cairn_navigator *navigator, uint64_t budget)
{
    cairn_move move = {.kind = CAIRN_MOVE_STOP, .from = CAIRN_NO_NODE, .to = CAIRN_NO_NODE};
    move.status = CAIRN_INVALID;
    if (!navigator || navigator->at == CAIRN_NO_NODE) return move;
    uint64_t work = navigator->options.work;
    navigator->budget = work && work < budget ? work : budget;
    navigator->waits = false;
    move.from = move.to = navigator->at;
    move.status = navigator_walk(navigator, &move);
    return move;
}

cairn_status cairn_navigator_next(cairn_navigator *navigator, cairn_move *out)
{
    cairn_move move = crn_navigator_move(navigator, UINT64_MAX);
    if (out) *out = move;
    return move.status;
}

cairn_status cairn_navigator_set_work(cairn_navigator *navigator, uint64_t work)
{
    if (!navigator) return CAIRN_INVALID;
    navigator->options.work = work;
    return CAIRN_OK;
}

/* ---- many at once ---- */

static void navigator_count(cairn_turn *turn, const cairn_move *move)
{
    turn->used += move->work;
    turn->steps += move->kind == CAIRN_MOVE_STEP;
    turn->thinking += move->kind == CAIRN_MOVE_THINK;
    turn->stopped += move->kind == CAIRN_MOVE_STOP;
    turn->arrived += move->arrived;
}

/* From `first` on and round: the one at which the work ends is the last to be asked next time. */
cairn_status cairn_navigators_next(cairn_navigator *const *navigators, uint32_t count,
                                   cairn_turn *turn, cairn_move *moves)
{
    if (!turn || (count && !navigators)) return CAIRN_INVALID;
    uint32_t first = count ? turn->first % count : 0;
    *turn = (cairn_turn){.work = turn->work, .first = first};
    crn_sensors_look(navigators, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i < count - first ? first + i : first + i - count;
        uint64_t left = turn->work ? turn->work - turn->used : UINT64_MAX;
        cairn_move move = crn_navigator_move(navigators[at], left);
        navigator_count(turn, &move);
        if (move.work && move.work == left) turn->first = at + 1 < count ? at + 1 : 0;
        if (moves) moves[at] = move;
    }
    return CAIRN_OK;
}

/* ---- questions ---- */

cairn_planner *cairn_navigator_planner(const cairn_navigator *navigator)
{
    return navigator ? navigator->planner : NULL;
}

cairn_node cairn_navigator_at(const cairn_navigator *navigator)
{
    return navigator ? navigator->at : CAIRN_NO_NODE;
}

cairn_node cairn_navigator_goal(const cairn_navigator *navigator)
{
    return navigator ? navigator->goal : CAIRN_NO_NODE;
}

uint32_t cairn_navigator_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity)
{
    if (!navigator || navigator->at == CAIRN_NO_NODE) return 0;
    return navigator->functions->ahead(navigator, out, out ? capacity : 0);
}

uint32_t cairn_navigator_subgoals(const cairn_navigator *navigator, cairn_node *out,
                                  uint32_t capacity)
{
    if (!navigator || !navigator->functions->subgoals) return 0;
    if (navigator->at == CAIRN_NO_NODE || navigator->at == navigator->goal) return 0;
    return navigator->functions->subgoals(navigator, out, out ? capacity : 0);
}

double cairn_navigator_bound(const cairn_navigator *navigator)
{
    if (!navigator || navigator->at == CAIRN_NO_NODE) return INFINITY;
    if (navigator->at == navigator->goal) return 1;
    return navigator->functions->bound ? navigator->functions->bound(navigator) : INFINITY;
}

double crn_navigator_best(const cairn_navigator *navigator, bool settled)
{
    bool now = navigator->version == cairn_space_version(navigator->space);
    return settled && now ? 1 : INFINITY;
}

cairn_walk_sums cairn_navigator_sums(const cairn_navigator *navigator)
{
    if (!navigator) return (cairn_walk_sums){0};
    cairn_walk_sums sums = navigator->sums;
    sums.bytes =
        sizeof *navigator + navigator->functions->bytes(navigator) + crn_sensor_bytes(navigator);
    return sums;
}

void cairn_navigator_trace(cairn_navigator *navigator, const cairn_trace_sink *sink)
{
    if (!navigator) return;
    navigator->sink = sink ? *sink : (cairn_trace_sink){0};
    navigator->functions->trace(navigator, sink);
}
