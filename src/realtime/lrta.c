/* lrta.c: an agent that walks from subgoal to subgoal. See lrta.h. */
#include "realtime/lrta.h"

/* ---- what it serves ---- */

static bool lrta_is_plain(const cairn_space *space)
{
    const crn_grid_space *map = crn_grid_space_of(space);
    if (!map || map->links.count || cairn_space_directed(space)) return false;
    /* agents on hexagons that have no room for some steps */
    bool dips = map->hex && map->limited && !map->steep && space->max_step == space->min_edge;
    return map->uniform || dips;
}

bool crn_lrta_serves(const cairn_planner *planner)
{
    return lrta_is_plain(planner->space);
}

bool crn_lrta_handles(const cairn_search *search)
{
    return crn_builder_handles(search) && lrta_is_plain(search->space);
}

/* ---- life ---- */

cairn_status crn_lrta_open(cairn_navigator *navigator, const crn_lrta_guide *guide)
{
    size_t size = sizeof(crn_lrta) + guide->bytes(navigator->planner);
    crn_lrta *agent = navigator->own = crn_scratch_alloc(&navigator->memory, size);
    if (!agent) return CAIRN_OUT_OF_MEMORY;
    memset(agent, 0, size);
    agent->guide = guide;
    agent->map = crn_grid_space_of(navigator->space);
    agent->target = CAIRN_NO_NODE;
    agent->size = size;
    crn_members_open(&agent->learnt, &navigator->memory);
    return CAIRN_OK;
}

void crn_lrta_close(cairn_navigator *navigator)
{
    crn_lrta *agent = navigator->own;
    if (!agent) return;
    crn_members_close(&agent->learnt);
    crn_scratch_free(&navigator->memory, agent, agent->size);
    navigator->own = NULL;
}

void crn_lrta_forget(cairn_navigator *navigator)
{
    crn_lrta *agent = navigator->own;
    agent->begun = false;
    agent->target = CAIRN_NO_NODE;
}

/* It goes on from wherever a step has led it. */
void crn_lrta_stepped(cairn_navigator *navigator, cairn_node from)
{
    (void)navigator;
    (void)from;
}

size_t crn_lrta_bytes(const cairn_navigator *navigator)
{
    return navigator->memory.bytes;
}

void crn_lrta_trace(cairn_navigator *navigator, const cairn_trace_sink *sink)
{
    ((crn_lrta *)navigator->own)->sink = sink ? *sink : (cairn_trace_sink){0};
}

static void lrta_tell(const cairn_navigator *navigator, cairn_event_kind kind, cairn_node node)
{
    const crn_lrta *agent = navigator->own;
    const cairn_search *query = navigator->query;
    const cairn_trace_sink *sink = query && query->traced ? &query->sink : &agent->sink;
    cairn_event event = {kind, 0, node, navigator->at, CAIRN_NO_COST, 0};
    if (sink->event) sink->event(sink->user, &event);
}

/* ---- the walk ---- */

static cairn_status lrta_begin(cairn_navigator *navigator, cairn_move *move)
{
    crn_lrta *agent = navigator->own;
    cairn_status status = crn_navigator_hope(navigator);
    if (status != CAIRN_OK) return status;
    status = crn_navigator_sync(navigator, move);
    if (status != CAIRN_OK) return status;
    if (navigator->query) navigator->query->metrics.generated = 1;
    agent->begun = true;
    agent->generation = crn_index_owner(navigator->planner)->generation;
    agent->target = CAIRN_NO_NODE;
    if (agent->guide->begin) agent->guide->begin(navigator);
    move->plans++;
    return CAIRN_OK;
}

/* Finds a target; false: there is more to do than the budget allows. */
static bool lrta_aim(cairn_navigator *navigator, cairn_move *move)
{
    crn_lrta *agent = navigator->own;
    if (agent->target != CAIRN_NO_NODE && agent->target != navigator->at) return true;
    uint64_t budget = navigator->budget;
    agent->learning = false;
    agent->target = agent->guide->next(navigator, &budget);
    move->work += navigator->budget - budget;
    if (agent->target == CAIRN_NO_NODE) return false;
    lrta_tell(navigator, CAIRN_EVENT_SUBGOAL, agent->target);
    return true;
}

static uint64_t lrta_step_cost(const crn_grid_space *map, uint32_t direction)
{
    return direction < CRN_NE || map->hex ? map->base.scale.straight : map->base.scale.diagonal;
}

/* How far it is believed to be from a cell to the target. */
static uint64_t lrta_h(const crn_lrta *agent, const crn_climb *climb)
{
    cairn_cell at = {climb->x, climb->y}, target = {climb->tx, climb->ty};
    return crn_climb_distance(agent->map, at, target) +
           crn_members_place(&agent->learnt, crn_climb_node(climb));
}

/* The neighbour of least g + h, of equally good ones that of the larger g; *least becomes its g + h
 * at least. CRN_CLIMB_STUCK: there is none. */
static uint32_t lrta_best(const crn_lrta *agent, const crn_climb *climb, uint64_t *least)
{
    uint32_t best = CRN_CLIMB_STUCK;
    *least = UINT64_MAX;
    for (uint32_t moves = crn_climb_moves(climb); moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves);
        crn_climb beside = *climb;
        crn_climb_move(&beside, d);
        uint64_t f = lrta_step_cost(agent->map, d) + lrta_h(agent, &beside);
        bool later = f == *least && best < CRN_NE && d >= CRN_NE && !agent->map->hex;
        if (f < *least || later) *least = f, best = d;
    }
    return best;
}

/* Learns, and finds where to go: a direction. */
static cairn_status lrta_learn(cairn_navigator *navigator, const crn_climb *climb, uint32_t *best)
{
    crn_lrta *agent = navigator->own;
    if (!agent->learning && crn_members_reset(&agent->learnt, NULL) != CAIRN_OK)
        return CAIRN_OUT_OF_MEMORY;
    agent->learning = true;
    uint64_t least;
    *best = lrta_best(agent, climb, &least);
    if (*best == CRN_CLIMB_STUCK) return CAIRN_UNREACHABLE;
    if (least <= lrta_h(agent, climb)) return CAIRN_OK;
    cairn_cell at = {climb->x, climb->y}, target = {climb->tx, climb->ty};
    uint64_t more = least - crn_climb_distance(agent->map, at, target);
    if (more >= CAIRN_NO_COST) return CAIRN_COST_OVERFLOW;
    if (!crn_members_set(&agent->learnt, crn_climb_node(climb), (uint32_t)more))
        return CAIRN_OUT_OF_MEMORY;
    uint64_t bytes = agent->size + crn_members_bytes(&agent->learnt);
    if (bytes > navigator->sums.peak_bytes) navigator->sums.peak_bytes = bytes;
    return CAIRN_OK;
}

static cairn_status lrta_step(cairn_navigator *navigator, cairn_move *move)
{
    const crn_lrta *agent = navigator->own;
    crn_climb climb = crn_climb_between(agent->map, navigator->at, agent->target);
    uint32_t d = agent->learning ? CRN_CLIMB_STUCK : crn_climb_direction(&climb);
    if (d == CRN_CLIMB_STUCK) {
        cairn_status status = lrta_learn(navigator, &climb, &d);
        if (status != CAIRN_OK) return status;
    }
    crn_climb_move(&climb, d);
    cairn_node to = crn_climb_node(&climb);
    cairn_cost cost = crn_grid_step_cost(agent->map, navigator->at, to, d);
    if (cost == CAIRN_NO_COST) return CAIRN_COST_OVERFLOW;
    lrta_tell(navigator, CAIRN_EVENT_SEGMENT, to);
    move->to = to;
    move->cost = cost;
    return CAIRN_OK;
}

cairn_status crn_lrta_next(cairn_navigator *navigator, cairn_move *move)
{
    crn_lrta *agent = navigator->own;
    navigator->memory.failed = false;
    if (agent->begun && agent->generation != crn_index_owner(navigator->planner)->generation)
        crn_lrta_forget(navigator);
    cairn_status status = agent->begun ? CAIRN_OK : lrta_begin(navigator, move);
    if (status != CAIRN_OK) return status;
    return lrta_aim(navigator, move) ? lrta_step(navigator, move) : CAIRN_RUNNING;
}

/* The climb to the target, cell by cell, if it is known to be one. */
uint32_t crn_lrta_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity)
{
    const crn_lrta *agent = navigator->own;
    if (!agent->begun || agent->target == CAIRN_NO_NODE || agent->learning) return 0;
    return crn_climb_cells(agent->map, navigator->at, agent->target, out, capacity);
}

uint32_t crn_lrta_subgoals(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity)
{
    const crn_lrta *agent = navigator->own;
    cairn_node node = agent->begun ? agent->target : CAIRN_NO_NODE;
    uint32_t count = 0, after = 0;
    if (node != CAIRN_NO_NODE &&
        agent->generation != crn_index_owner(navigator->planner)->generation)
        return 0;
    while (node != CAIRN_NO_NODE && count < agent->map->base.node_count) {
        bool reached = !count && node == navigator->at;
        if (!reached && count < capacity) out[count] = node;
        count += !reached;
        node =
            node == navigator->goal ? CAIRN_NO_NODE : agent->guide->after(navigator, after++, node);
    }
    return count;
}
