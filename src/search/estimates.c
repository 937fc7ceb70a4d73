/* estimates.c: what a planner estimates, and what it promises of that, for those who want to check
 * it. */
#include "search/best_first.h"

bool crn_best_first_estimates(const cairn_planner *planner, crn_planner_estimates *out)
{
    const crn_settings *settings = planner->index;
    *out = (crn_planner_estimates){settings->plug, settings->heuristic, true};
    return settings->sight == CRN_SIGHT_NONE; /* lines of sight: the costs are others */
}

static cairn_status estimates_find(const cairn_planner *planner, crn_planner_estimates *out)
{
    if (!planner->algorithm->estimates || !planner->algorithm->estimates(planner, out))
        return CAIRN_UNSUPPORTED;
    return cairn_planner_state(planner);
}

cairn_status cairn_planner_estimate_facts(const cairn_planner *planner, cairn_estimate_facts *out)
{
    crn_planner_estimates found;
    if (!planner || !out) return CAIRN_INVALID;
    *out = (cairn_estimate_facts){0};
    cairn_status status = estimates_find(planner, &found);
    if (status != CAIRN_OK) return status;
    crn_heuristic_facts facts = crn_heuristic_facts_of(found.plug, planner->space, found.metric);
    *out = (cairn_estimate_facts){facts.admissible, facts.consistent, found.fixed, facts.rise};
    return CAIRN_OK;
}

cairn_status cairn_planner_estimate(const cairn_planner *planner, cairn_node from, cairn_node to,
                                    cairn_cost *out)
{
    crn_planner_estimates found;
    if (!planner || !out) return CAIRN_INVALID;
    *out = CAIRN_NO_COST;
    const cairn_space *space = planner->space;
    cairn_status status = estimates_find(planner, &found);
    if (status == CAIRN_OK && !found.fixed) status = CAIRN_UNSUPPORTED;
    if (status != CAIRN_OK) return status;
    if (from >= space->node_count || to >= space->node_count) return CAIRN_OUT_OF_BOUNDS;
    if (!space->functions->usable(space, from)) return CAIRN_BLOCKED_START;
    if (!space->functions->usable(space, to)) return CAIRN_BLOCKED_GOAL;
    crn_estimate estimate;
    crn_box box = crn_box_empty();
    crn_box_add(&box, space, to);
    size_t numbers = found.plug && found.plug->room ? found.plug->room(found.plug->data) : 0;
    estimate.room = crn_alloc(space->context, numbers * sizeof *estimate.room);
    if (numbers && !estimate.room) return CAIRN_OUT_OF_MEMORY;
    crn_aim aim = {.space = space, .metric = found.metric, .nodes = &to, .count = 1, .box = &box};
    crn_estimate_bind(&estimate, found.plug, &aim);
    *out = crn_saturate(crn_estimate_node(&estimate, from));
    crn_free(space->context, estimate.room, numbers * sizeof *estimate.room);
    return CAIRN_OK;
}
