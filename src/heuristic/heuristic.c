/* heuristic.c: the estimates by name. The formulas, and the facts about them, are in the files of
 * the worlds they measure: cost.c and grid_measure.c for grids, graph_space.c for graphs.
 *
 * The goal is a box, so one goal, several goals and goal areas need one formula: the distance to
 * the box is never more than to any place in it.
 */
#include "heuristic/heuristic.h"
#include "world/grid_space.h"
#include "world/view.h"

#define CRN_HEURISTIC(name) extern const crn_heuristic crn_heuristic_##name;
#include "heuristics.def"
#undef CRN_HEURISTIC

/* clang-format off */
const char *const crn_heuristic_choices[] = {
    "auto", "null", "manhattan", "octile", "euclidean", "chebyshev", "hex",
#define CRN_HEURISTIC(name) #name,
#include "heuristics.def"
#undef CRN_HEURISTIC
    NULL};

static const crn_heuristic *const heuristic_plugs[] = {
#define CRN_HEURISTIC(name) &crn_heuristic_##name,
#include "heuristics.def"
#undef CRN_HEURISTIC
    NULL};
/* clang-format on */

const crn_heuristic *crn_heuristic_plug(int64_t number)
{
    bool plug = number >= CAIRN_HEURISTIC_COUNT && number < CRN_HEURISTIC_END;
    return plug ? heuristic_plugs[number - CAIRN_HEURISTIC_COUNT] : NULL;
}

const char *cairn_heuristic_name(cairn_heuristic heuristic)
{
    return (unsigned)heuristic < CAIRN_HEURISTIC_COUNT ? crn_heuristic_choices[heuristic]
                                                       : "unknown";
}

bool cairn_heuristic_admissible(const cairn_space *space, cairn_heuristic heuristic)
{
    return !space->functions->admissible || space->functions->admissible(space, heuristic);
}

bool crn_heuristic_consistent(const cairn_space *space, cairn_heuristic heuristic)
{
    if (heuristic == CAIRN_HEURISTIC_NULL) return true;
    return space->functions->consistent && space->functions->consistent(space, heuristic);
}

/* On grids (Manhattan on a diagonal) a metric may rise by two steps. */
crn_heuristic_facts crn_heuristic_facts_of(const crn_heuristic *plug, const cairn_space *space,
                                           cairn_heuristic metric)
{
    if (plug) return plug->facts(plug->data, space);
    return (crn_heuristic_facts){.admissible = cairn_heuristic_admissible(space, metric),
                                 .consistent = crn_heuristic_consistent(space, metric),
                                 .rise = 2 * (uint64_t)space->max_edge};
}

/* Backward the metric is the same, since it is a distance. But links that are shortcuts lead in one
 * direction, and the gates know only those that lead to the box: there may be none, and still one
 * that leads away from it. So where there are shortcuts the metric is not used. */
static bool heuristic_leads_back(const crn_aim *aim)
{
    const crn_grid_space *map = crn_grid_space_of(crn_view_ground(aim->space));
    return !aim->backward || !map || !map->links.shortcut_count;
}

void crn_estimate_bind(crn_estimate *estimate, const crn_heuristic *plug, const crn_aim *aim)
{
    estimate->space = aim->space;
    estimate->metric = heuristic_leads_back(aim) ? aim->metric : CAIRN_HEURISTIC_NULL;
    estimate->refine = plug ? plug->refine : NULL;
    estimate->data = plug ? plug->data : NULL;
    estimate->backward = aim->backward;
    estimate->box = *aim->box;
    crn_box_open_gates(&estimate->box, aim->space, estimate->metric, estimate->gates);
    if (plug && plug->bind) plug->bind(estimate, aim);
}

cairn_cost cairn_estimate(const cairn_space *space, cairn_heuristic heuristic, cairn_node a,
                          cairn_node b)
{
    if (a >= space->node_count || b >= space->node_count) return CAIRN_NO_COST;
    if (heuristic == CAIRN_HEURISTIC_AUTO) heuristic = space->default_heuristic;
    crn_gate gates[CRN_GATES];
    crn_box box = crn_box_empty();
    crn_box_add(&box, space, b);
    crn_box_open_gates(&box, space, heuristic, gates);
    return space->functions->estimate(space, heuristic, a, &box);
}

crn_box crn_box_empty(void)
{
    return (crn_box){.x0 = 1, .y0 = 1, .z0 = 1, .left = 1, .top = 1};
}
