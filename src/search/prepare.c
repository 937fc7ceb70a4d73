/* prepare.c: what happens to a query before an algorithm sees it: its ends are checked, positions
 * become nodes, a blocked start is moved, goals become a list of nodes, and goals that cannot be
 * reached are replaced.
 *
 * The searches for the nodes at positions, for the nearest usable start, for the nodes near a
 * goal, and for the nearest node that can be reached instead of one may look at a large part of
 * the world. So they are units of work like any other: cairn_search_begin only begins them, and
 * cairn_search_step goes on with them, within the same budget. They touch no memory of the
 * algorithm and report no events.
 */
#include "search/search.h"

/* Does the algorithm serve such queries, on this space, as it is now? */
static cairn_status prepare_check(const cairn_search *search)
{
    const cairn_query *query = &search->query;
    uint32_t flags = search->asked->algorithm->info.flags;
    bool many = (query->goals && query->goal_count > 1) || query->goal_kind == CAIRN_GOAL_NEXT_TO ||
                query->goal_kind == CAIRN_GOAL_WITHIN;
    if (many && !(flags & CAIRN_MANY_GOALS)) return CAIRN_UNSUPPORTED;
    if (query->goal_kind == CAIRN_GOAL_NONE && !(flags & CAIRN_NO_GOAL)) return CAIRN_UNSUPPORTED;
    if (!(flags & CAIRN_TERRAIN) && !search->filtered && !crn_space_uniform(search->space))
        return CAIRN_UNSUPPORTED;
    return cairn_planner_state(search->asked);
}

/* The goals are nodes, as far as this status says. */
static cairn_status prepare_resolved(cairn_search *search, cairn_status status)
{
    if (status == CAIRN_RUNNING) return status;
    search->phase = CRN_PHASE_SEARCH;
    if (status == CAIRN_OUT_OF_BOUNDS || status == CAIRN_INVALID) return status;
    if (!cairn_space_usable(search->space, search->query.from)) return CAIRN_BLOCKED_START;
    bool replaceable = status == CAIRN_UNREACHABLE || status == CAIRN_BLOCKED_GOAL;
    if (!search->query.partial || !replaceable) return status;
    search->reason = status;
    search->phase = CRN_PHASE_GOALS;
    crn_goals_replace_begin(search);
    return CAIRN_RUNNING;
}

/* The start is where it will be. */
static cairn_status prepare_goals(cairn_search *search)
{
    search->phase = CRN_PHASE_RESOLVE;
    return prepare_resolved(search, crn_goals_resolve_begin(search));
}

/* The ends are nodes, as far as this status says. */
static cairn_status prepare_start(cairn_search *search, cairn_status status)
{
    const cairn_query *query = &search->query;
    search->phase = status == CAIRN_RUNNING ? CRN_PHASE_ENDS : CRN_PHASE_SEARCH;
    if (status != CAIRN_OK) return status;
    if (query->from >= search->space->node_count) return CAIRN_OUT_OF_BOUNDS;
    if (!(query->start_within >= 0)) return CAIRN_INVALID;
    if (query->start_within == 0 ||
        crn_closest_usable_begin(search->space, query->from, query->start_within, &search->nearby))
        return prepare_goals(search);
    if (search->space->world == CAIRN_WORLD_GRAPH && !crn_ends_walk(search))
        return CAIRN_OUT_OF_MEMORY;
    search->nearby.walk = search->walk;
    search->phase = CRN_PHASE_START;
    return CAIRN_RUNNING;
}

cairn_status crn_prepare_begin(cairn_search *search)
{
    cairn_status status = prepare_check(search);
    return status == CAIRN_OK ? prepare_start(search, crn_ends_resolve_begin(search)) : status;
}

cairn_status crn_prepare_go_on(cairn_search *search)
{
    search->prepared++;
    if (search->phase == CRN_PHASE_ENDS) return prepare_start(search, crn_ends_resolve(search));
    if (search->phase == CRN_PHASE_GOALS) return crn_goals_replace(search);
    if (search->phase == CRN_PHASE_RESOLVE)
        return prepare_resolved(search, crn_goals_resolve(search));
    if (!crn_closest_usable_go_on(search->space, &search->nearby)) return CAIRN_RUNNING;
    if (search->nearby.best != CAIRN_NO_NODE) search->query.from = search->nearby.best;
    return prepare_goals(search);
}

/* The best end that is known is the start. Where a partial path is wanted, it leads no farther. */
cairn_status crn_prepare_give_up(cairn_search *search)
{
    bool known = search->phase == CRN_PHASE_RESOLVE && search->query.partial &&
                 cairn_space_usable(search->space, search->query.from);
    if (search->phase != CRN_PHASE_GOALS && !known) return CAIRN_OUT_OF_BUDGET;
    search->reason = CAIRN_OUT_OF_BUDGET;
    return crn_goals_put(search, search->query.from);
}
