/* heuristic.c: the estimates by name. The formulas, and what they state about themselves, stand
 * with the worlds they measure: cost.c and grid_measure.c for grids, graph_space.c for graphs.
 *
 * The goal is a box, so one goal, several goals and goal areas are the same formula: the distance
 * to the box is never more than to any place in it.
 */
#include "world/space.h"

const char *const crn_heuristic_choices[] = {"auto",      "null",      "manhattan", "octile",
                                             "euclidean", "chebyshev", "hex",       NULL};

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
