/* hcdps_agent.c: an agent that walks from subgoal to subgoal.
 *
 * The walker of L: climb to the representative of the start's region, from subgoal to subgoal along
 * the record to the representative of the goal's region, and from there to the goal. It has a
 * position, a goal and a cursor in the records: 48 bytes in all, and no open list. Each climb was
 * tried when the index was built, or just before it is begun.
 *
 * L's three improvements, each can be switched off:
 * - direct: if the goal can be climbed to from the start, no record is used;
 * - first: if the first subgoal can be climbed to from the start, the walker does not go to the
 *   representative;
 * - last: if the goal can be climbed to from the last subgoal, it does not go to the other
 *   representative.
 *
 * With records=next the chain leads through representatives, which makes paths longer. So from each
 * subgoal on, and every 12 moves (fewer where regions are small), the walker tries the subgoal
 * after the next one, and the goal counts as one: this includes what `last` does. If it can be
 * climbed to, the one after that is tried, with the next move, and so on (up to `ahead` of them).
 * Trying the farthest ones first makes paths no shorter, but moves twice as expensive.
 *
 * No move tries more than one climb, so each takes constant time.
 *
 * An agent may come from anywhere: what it says of places in the index is checked where it is used,
 * so that a wrong one does no harm.
 */
#include "realtime/hcdps/hcdps_agent.h"
#include "search/algorithm.h"

/* Most and fewest moves between two looks ahead. */
enum { AGENT_LOOK = 12, AGENT_LOOK_LEAST = 4 };

/* How often a try may go round obstacles, so that it takes no more than 10,000 instructions. */
enum { AGENT_TURNS = 8 };

/* ---- reading ---- */

/* Begins the next record; false: none leads on. */
static bool agent_open_record(const crn_hcdps_ground *ground, crn_hcdps_agent *agent)
{
    const crn_hcdps *index = ground->index;
    if (index->pairs) {
        if (!index->exact) return false;
        const uint32_t *first = crn_hcdps_items(index, CRN_HCDPS_PAIR_FIRST) +
                                (size_t)agent->region * crn_hcdps_regions(index) +
                                agent->goal_region;
        agent->read = first[0];
        agent->end = first[1];
        agent->region = agent->goal_region;
        return agent->read < agent->end;
    }
    uint32_t slot = crn_hcdps_next(index, agent->region, agent->goal_region, false);
    if (slot == UINT32_MAX) return false;
    crn_hcdps_link link = crn_hcdps_link_at(index, agent->region, slot);
    agent->read = link.read;
    agent->end = link.end;
    agent->region = link.region;
    agent->flags &= (uint8_t)~CRN_HCDPS_HOMED;
    return true;
}

/* Reads the subgoal that comes after those that are known; false: there is none. */
static bool agent_read(const crn_hcdps_ground *ground, crn_hcdps_agent *agent)
{
    const crn_hcdps *index = ground->index;
    size_t end = index->pairs ? index->arrays[CRN_HCDPS_PAIRS].count
                              : 4 * index->arrays[CRN_HCDPS_LINKS].count;
    uint32_t regions = crn_hcdps_regions(index);
    if (agent->flags & CRN_HCDPS_FINAL || agent->region >= regions ||
        agent->goal_region >= regions || agent->end > end)
        return false;
    cairn_node node = agent->count ? agent->subgoals[agent->count - 1] : agent->at;
    if (agent->read >= agent->end && agent->flags & CRN_HCDPS_HOMED) {
        if (agent->region == agent->goal_region) {
            agent->flags |= CRN_HCDPS_FINAL;
            agent->subgoals[agent->count++] = agent->goal;
            return true;
        }
        if (!agent_open_record(ground, agent)) return false;
    }
    if (index->pairs && agent->read < agent->end) {
        node = crn_hcdps_items(index, CRN_HCDPS_PAIRS)[agent->read++];
    } else if (!crn_hcdps_subgoal(index, &agent->read, agent->end, &node)) {
        node = crn_hcdps_home(index, agent->region);
        agent->flags |= CRN_HCDPS_HOMED;
    }
    agent->subgoals[agent->count++] = node;
    return true;
}

/* Are so many subgoals known, or can be read? */
static bool agent_knows(const crn_hcdps_ground *ground, crn_hcdps_agent *agent, uint32_t count)
{
    while (agent->count < count) {
        if (!agent_read(ground, agent)) return false;
    }
    return true;
}

/* Forgets the first subgoal. */
static void agent_skip(crn_hcdps_agent *agent)
{
    agent->count--;
    agent->subgoals[0] = agent->subgoals[1];
}

bool crn_hcdps_agent_pass(const crn_hcdps_ground *ground, crn_hcdps_agent *agent)
{
    agent->at = agent->subgoals[0]; /* the next one is read from there on */
    agent_skip(agent);
    return agent_knows(ground, agent, 1);
}

/* ---- trying ---- */

static bool agent_can_climb(const crn_hcdps_ground *ground, const crn_hcdps_agent *agent,
                            cairn_node to)
{
    if (ground->graph) {
        return to < ground->graph->base.node_count &&
               crn_graph_climb_glides(ground->graph, agent->at, to, ground->index->cutoff);
    }
    return to < ground->map->base.node_count &&
           crn_climb_glides(ground->map, agent->at, to, ground->index->cutoff, AGENT_TURNS);
}

/* Is the goal the subgoal this many places ahead? */
static bool agent_is_final(const crn_hcdps_agent *agent, uint32_t ahead)
{
    return agent->flags & CRN_HCDPS_FINAL && ahead + 1 == agent->count;
}

/* The first move: to the first subgoal at once? */
static void agent_try_first(const crn_hcdps_ground *ground, crn_hcdps_agent *agent)
{
    agent->flags &= (uint8_t)~CRN_HCDPS_FIRST;
    if (agent->count == 2 && !agent_is_final(agent, 1) &&
        agent_can_climb(ground, agent, agent->subgoals[1]))
        agent_skip(agent);
}

/* Tries the subgoal after the next one. */
static void agent_try(const crn_hcdps_ground *ground, crn_hcdps_agent *agent)
{
    bool ahead = agent->ahead;
    agent->tries--;
    if (agent_knows(ground, agent, 2) &&
        !(agent_is_final(agent, 1) && ahead && !(agent->flags & CRN_HCDPS_LAST)) &&
        agent_can_climb(ground, agent, agent->subgoals[1])) {
        agent_skip(agent);
    } else {
        agent->tries = 0;
    }
    if (!agent->tries) agent->left = agent->look;
}

static void agent_look(crn_hcdps_agent *agent)
{
    agent->tries = agent->ahead;
    agent->left = agent->tries ? 1 : UINT8_MAX;
}

/* A subgoal is reached, and others are left. */
static bool agent_arrive(const crn_hcdps_ground *ground, crn_hcdps_agent *agent)
{
    agent_skip(agent);
    if (!agent_knows(ground, agent, 1)) return false;
    agent_look(agent);
    if (!agent->ahead && agent->flags & CRN_HCDPS_LAST)
        agent->tries = agent_knows(ground, agent, 2) && agent_is_final(agent, 1);
    return true;
}

/* What is to be done before some moves: a try, or the next subgoal. */
static CRN_NOINLINE bool agent_think(const crn_hcdps_ground *ground, crn_hcdps_agent *agent)
{
    if (agent->count - 1u > 1) return false;
    if (agent->flags & CRN_HCDPS_FIRST) {
        agent_try_first(ground, agent);
        agent_look(agent);
    } else if (agent->tries) {
        agent_try(ground, agent);
    }
    while (agent->at == agent->subgoals[0]) {
        if (!agent_arrive(ground, agent)) return false;
    }
    return true;
}

/* ---- walking ---- */

cairn_status crn_hcdps_agent_begin(const crn_hcdps_ground *ground, crn_hcdps_agent *agent)
{
    const crn_hcdps *index = ground->index;
    agent->stamp = index->stamp;
    agent->goal_region = crn_hcdps_region(index, agent->goal);
    agent->region = crn_hcdps_region(index, agent->at);
    agent->read = agent->end = 0;
    agent->count = 0;
    if (index->pairs) agent->ahead = 0;
    agent->look =
        (uint8_t)crn_max_u32(crn_min_u32(index->spacing / 3, AGENT_LOOK), AGENT_LOOK_LEAST);
    agent_look(agent);
    if (!agent_knows(ground, agent, 2)) return CAIRN_UNREACHABLE;
    if (agent->flags & CRN_HCDPS_DIRECT && agent_can_climb(ground, agent, agent->goal)) {
        agent->flags |= CRN_HCDPS_FINAL;
        agent->count = 1;
        agent->subgoals[0] = agent->goal;
    }
    if (agent->flags & CRN_HCDPS_FIRST) agent->tries = agent->left = 1;
    return CAIRN_FOUND;
}

/* Along a wall, where steps are easy and the diagonal one is blocked: which straight step comes
 * first? As in climb.h: along the longer difference; of equal ones in the order of directions. */
CRN_INLINE bool agent_across_first(int32_t dx, int32_t dy)
{
    int32_t more = (dx < 0 ? -dx : dx) - (dy < 0 ? -dy : dy);
    return more > 0 || (!more && dx > 0 && dy > 0);
}

/* Makes a step straight towards the subgoal or along a wall, if that is easy: a look or two at the
 * map. Wherever the subgoal is, the step is legal. */
CRN_INLINE bool agent_step(crn_climb_ease ease, const crn_grid_space *map, crn_hcdps_agent *agent)
{
    uint32_t width = map->grid->width;
    cairn_node at = agent->at, to = agent->subgoals[0];
    int32_t x = (int32_t)(at % width), y = (int32_t)(at / width), dx = (int32_t)(to % width) - x,
            dy = (int32_t)(to / width) - y;
    int32_t right = (dx > 0) - (dx < 0), down = (dy > 0) - (dy < 0);
    bool easy = ease == CRN_CLIMB_EASY || (ease == CRN_CLIMB_STRAIGHT && !(right && down));
    if (!easy) return false;
    if (!crn_bit(&map->usable, x + right, y + down)) {
        if (!right || !down) return false;
        bool across = agent_across_first(dx, dy);
        if (!crn_bit(&map->usable, across ? x + right : x, across ? y : y + down)) across = !across;
        *(across ? &down : &right) = 0;
        if (!crn_bit(&map->usable, x + right, y + down)) return false;
    }
    agent->at = at + (uint32_t)down * width + (uint32_t)right;
    return true;
}

/* Any other step; false: none leads on. */
static bool agent_step_round(const crn_grid_space *map, crn_hcdps_agent *agent)
{
    return agent->subgoals[0] < map->base.node_count &&
           crn_climb_step(map, &agent->at, agent->subgoals[0]);
}

/* The step on a graph: along any edge. */
static bool agent_step_on_graph(const crn_graph_space *graph, crn_hcdps_agent *agent)
{
    return agent->subgoals[0] < graph->base.node_count &&
           crn_graph_climb_step(graph, &agent->at, agent->subgoals[0]);
}

CRN_INLINE bool agent_aim(const crn_hcdps_ground *ground, crn_hcdps_agent *agent)
{
    if ((agent->tries || agent->at == agent->subgoals[0]) && !agent_think(ground, agent))
        return false;
    /* `left` is 1 as long as there is something to try. */
    if (agent->tries) {
        agent->left = 1;
    } else if (agent->left <= 1) {
        agent_look(agent);
    } else {
        agent->left--;
    }
    return true;
}

bool crn_hcdps_agent_aim(const crn_hcdps_ground *ground, crn_hcdps_agent *agent)
{
    return agent_aim(ground, agent);
}

bool crn_hcdps_agent_move(const crn_hcdps_ground *ground, crn_hcdps_agent *agent)
{
    if (!agent_aim(ground, agent)) return false;
    if (ground->graph) return agent_step_on_graph(ground->graph, agent);
    return agent_step(ground->index->easy, ground->map, agent) ||
           agent_step_round(ground->map, agent);
}

/* ---- agents of the user ---- */

_Static_assert(sizeof(crn_hcdps_agent) == sizeof(cairn_agent), "an agent has another size");

static CRN_NOINLINE cairn_status agent_begin(const cairn_planner *planner, cairn_agent *agent)
{
    crn_hcdps_ground ground = crn_hcdps_ground_of(crn_index_owner(planner)->index, planner->space);
    crn_hcdps_agent fresh = crn_hcdps_agent_of(planner);
    if (!ground.index->exact) return CAIRN_UNSUPPORTED;
    fresh.at = agent->at;
    fresh.goal = agent->goal;
    cairn_status status = crn_hcdps_agent_begin(&ground, &fresh);
    memcpy(agent, &fresh, sizeof fresh);
    return status;
}

/* No climb leads on, so the index or the cursor is wrong: the rest of the walk goes without. With a
 * new cursor the agent might come back to the same place again and again. */
static cairn_status agent_walk_plainly(const cairn_planner *planner, crn_hcdps_agent *agent)
{
    cairn_node next;
    cairn_status status = cairn_planner_next(planner, agent->at, agent->goal, &next);
    if (status != CAIRN_FOUND) return status;
    agent->at = next;
    agent->flags = CRN_HCDPS_PLAIN;
    agent->left = 0;
    return status;
}

/* Any move of an agent that fits the index. */
static CRN_NOINLINE cairn_status agent_walk(const cairn_planner *planner, cairn_agent *agent)
{
    crn_hcdps_ground ground = crn_hcdps_ground_of(crn_index_owner(planner)->index, planner->space);
    crn_hcdps_agent *own = (crn_hcdps_agent *)(void *)agent;
    bool moved = !(own->flags & CRN_HCDPS_PLAIN) && crn_hcdps_agent_move(&ground, own);
    return moved ? CAIRN_FOUND : agent_walk_plainly(planner, own);
}

/* A move for which there is nothing to think of, but no easy step. */
static CRN_NOINLINE cairn_status agent_walk_round(const cairn_planner *planner, cairn_agent *agent)
{
    const crn_grid_space *map = (const crn_grid_space *)(const void *)planner->space;
    crn_hcdps_agent *own = (crn_hcdps_agent *)(void *)agent;
    return agent_step_round(map, own) ? CAIRN_FOUND : agent_walk_plainly(planner, own);
}

/* Most moves are easy, and end here. All others are functions that take over, so that no register
 * need be saved. */
CRN_INLINE cairn_status agent_walk_on_grid(const cairn_planner *planner, cairn_agent *agent,
                                           const cairn_planner *owner, crn_climb_ease ease)
{
    const crn_hcdps *index = owner->index;
    const crn_grid_space *map = (const crn_grid_space *)(const void *)planner->space;
    crn_hcdps_agent *own = (crn_hcdps_agent *)(void *)agent; /* 32-bit numbers and bytes */
    bool fits = owner->built_version == map->grid->version && own->stamp == index->stamp &&
                own->at < map->base.node_count && own->at != own->goal;
    if (CRN_UNLIKELY(!fits)) return crn_planner_move_plainly(planner, agent);
    if (CRN_UNLIKELY(own->left <= 1 || own->at == own->subgoals[0]))
        return agent_walk(planner, agent);
    own->left--;
    if (CRN_LIKELY(agent_step(ease, map, own))) return CAIRN_FOUND;
    return agent_walk_round(planner, agent);
}

static cairn_status agent_walk_on_graph(const cairn_planner *planner, cairn_agent *agent,
                                        const cairn_planner *owner)
{
    const crn_graph_space *graph = crn_graph_space_of(planner->space);
    const crn_hcdps *index = owner->index;
    const crn_hcdps_agent *own = (const crn_hcdps_agent *)(void *)agent;
    bool fits = owner->built_version == graph->graph->version && own->stamp == index->stamp &&
                own->at < graph->base.node_count && own->at != own->goal;
    return fits ? agent_walk(planner, agent) : crn_planner_move_plainly(planner, agent);
}

/* Where not all steps are easy. */
static CRN_NOINLINE cairn_status agent_walk_on_others(const cairn_planner *planner,
                                                      cairn_agent *agent,
                                                      const cairn_planner *owner)
{
    const crn_hcdps *index = owner->index;
    if (CRN_LIKELY(index->easy == CRN_CLIMB_STRAIGHT))
        return agent_walk_on_grid(planner, agent, owner, CRN_CLIMB_STRAIGHT);
    return planner->space->world == CAIRN_WORLD_GRAPH
               ? agent_walk_on_graph(planner, agent, owner)
               : agent_walk_on_grid(planner, agent, owner, CRN_CLIMB_HARD);
}

cairn_status crn_hcdps_walk(const cairn_planner *planner, cairn_agent *agent, bool begin)
{
    const cairn_planner *owner = crn_index_owner(planner);
    const crn_hcdps *index = owner->index;
    if (CRN_UNLIKELY(begin)) return agent_begin(planner, agent);
    if (CRN_UNLIKELY(index->easy != CRN_CLIMB_EASY))
        return agent_walk_on_others(planner, agent, owner);
    return agent_walk_on_grid(planner, agent, owner, CRN_CLIMB_EASY);
}
