/* goals.c: resolves the goals of a query to a list of usable nodes and a box round them.
 *
 * Algorithms only know that list. Functions of the space turn "next to" and "within" into nodes
 * here. On grids that is local work; on graphs both visit every node.
 */
#include "search/search.h"
#include <math.h>

static cairn_status goals_add(cairn_search *search, cairn_node node)
{
    if (!cairn_space_usable(search->space, node)) return CAIRN_OK;
    void *goals = search->goals;
    if (!crn_scratch_grow(&search->memory, &goals, &search->goal_capacity, search->goal_count + 1,
                          sizeof *search->goals)) {
        return CAIRN_OUT_OF_MEMORY;
    }
    search->goals = goals;
    search->goals[search->goal_count++] = node;
    return CAIRN_OK;
}

static cairn_status goals_take(void *user, cairn_node node)
{
    return goals_add(user, node);
}

static cairn_status goals_of_one(cairn_search *search, cairn_node goal)
{
    const cairn_space *space = search->space;
    switch (search->query.goal_kind) {
    case CAIRN_GOAL_NEXT_TO: return crn_space_next_to(space, goal, goals_take, search);
    case CAIRN_GOAL_WITHIN:
        return crn_space_within(space, goal, search->query.radius, goals_take, search);
    default: return goals_add(search, goal);
    }
}

static bool goals_before(const void *a, const void *b)
{
    return *(const cairn_node *)a < *(const cairn_node *)b;
}

/* Ascending, each once. */
static void goals_sort(cairn_search *search)
{
    size_t kept = 1;
    crn_sort(search->goals, search->goal_count, sizeof *search->goals, goals_before);
    for (size_t i = 1; i < search->goal_count; i++) {
        if (search->goals[i] != search->goals[kept - 1]) search->goals[kept++] = search->goals[i];
    }
    search->goal_count = kept;
}

/* Removes goals in other components than the start: no search would find them. */
static void goals_forget_unreachable(cairn_search *search)
{
    uint64_t component = cairn_space_component(search->space, search->query.from);
    size_t kept = 0;
    for (size_t i = 0; component && i < search->goal_count; i++) {
        if (cairn_space_component(search->space, search->goals[i]) == component) {
            search->goals[kept++] = search->goals[i];
        }
    }
    search->goal_count = kept;
}

cairn_status crn_goals_resolve(cairn_search *search)
{
    const cairn_query *query = &search->query;
    search->goal_count = 0;
    search->box = crn_box_empty();
    if (query->goal_kind == CAIRN_GOAL_NONE) return CAIRN_OK;
    const cairn_node *goals = query->goals ? query->goals : &query->to;
    uint32_t count = query->goals ? query->goal_count : 1;
    if (count == 0 || (unsigned)query->goal_kind > CAIRN_GOAL_NONE) return CAIRN_INVALID;
    if (query->goal_kind == CAIRN_GOAL_WITHIN && !(query->radius >= 0 && isfinite(query->radius))) {
        return CAIRN_INVALID;
    }
    if (query->goal_kind == CAIRN_GOAL_WITHIN && !search->space->placed) return CAIRN_UNSUPPORTED;
    for (uint32_t i = 0; i < count; i++) {
        if (goals[i] >= search->space->node_count) return CAIRN_OUT_OF_BOUNDS;
    }
    for (uint32_t i = 0; i < count; i++) {
        cairn_status status = goals_of_one(search, goals[i]);
        if (status != CAIRN_OK) return status;
    }
    if (search->goal_count == 0) return CAIRN_BLOCKED_GOAL;
    goals_sort(search);
    if (!search->asked->ignores_components) goals_forget_unreachable(search);
    if (search->goal_count == 0) return CAIRN_UNREACHABLE;
    for (size_t i = 0; i < search->goal_count; i++)
        crn_box_add(&search->box, search->space, search->goals[i]);
    search->aim = search->box;
    return CAIRN_OK;
}

/* ---- instead of goals that cannot be reached ---- */

/* Round the goals as they were asked for. */
static void goals_aim(cairn_search *search)
{
    const cairn_query *query = &search->query;
    search->aim = crn_box_empty();
    if (!query->goals) crn_box_add(&search->aim, search->space, query->to);
    for (uint32_t i = 0; query->goals && i < query->goal_count; i++) {
        crn_box_add(&search->aim, search->space, query->goals[i]);
    }
}

static const cairn_node *goals_asked(const cairn_query *query, uint32_t *count)
{
    *count = query->goals ? query->goal_count : 1;
    return query->goals ? query->goals : &query->to;
}

/* Begins to look round the next goal. */
static void goals_look(cairn_search *search)
{
    uint32_t count;
    const cairn_node *goals = goals_asked(&search->query, &count);
    search->near_found = crn_nearest_begin(search->space, search->query.from,
                                           goals[search->near_goal], &search->nearest);
}

void crn_goals_replace_begin(cairn_search *search)
{
    search->near_goal = 0;
    search->near_best = CAIRN_NO_NODE;
    search->near_cost = CAIRN_NO_COST;
    goals_look(search);
}

/* What was found near a goal, if it is better than what was found near the others. */
static void goals_compare(cairn_search *search)
{
    const cairn_space *space = search->space;
    cairn_node near = search->nearest.best;
    crn_box box = crn_box_empty();
    crn_box_add(&box, space, search->nearest.to);
    cairn_cost cost = space->functions->estimate(space, space->default_heuristic, near, &box);
    if (cost > search->near_cost || (cost == search->near_cost && near >= search->near_best))
        return;
    search->near_cost = cost;
    search->near_best = near;
}

cairn_status crn_goals_put(cairn_search *search, cairn_node goal)
{
    goals_aim(search);
    search->phase = CRN_PHASE_SEARCH;
    search->goal_count = 0;
    cairn_status status = goals_add(search, goal);
    if (status != CAIRN_OK) return status;
    /* A caller's estimate aims at the goals that were given. */
    search->query.estimate = NULL;
    search->box = crn_box_empty();
    crn_box_add(&search->box, search->space, goal);
    return CAIRN_OK;
}

cairn_status crn_goals_replace(cairn_search *search)
{
    const cairn_space *space = search->space;
    uint32_t count;
    goals_asked(&search->query, &count);
    if (!search->near_found)
        search->near_found = space->functions->nearest(space, &search->nearest);
    if (!search->near_found) return CAIRN_RUNNING;
    if (search->nearest.best != CAIRN_NO_NODE) goals_compare(search);
    if (++search->near_goal < count) {
        goals_look(search);
        return CAIRN_RUNNING;
    }
    return search->near_best == CAIRN_NO_NODE ? search->reason
                                              : crn_goals_put(search, search->near_best);
}
