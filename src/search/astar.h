/* astar.h: A* and its setting `turns=fewest`, which has functions of its own (astar_turns.c): two
 * descriptors of one algorithm. Only the first is in the registry.
 */
#ifndef CRN_ASTAR_H
#define CRN_ASTAR_H

#include "search/algorithm.h"

enum { CRN_ASTAR_PARAMETERS = 9 };
extern const cairn_parameter crn_astar_parameters[CRN_ASTAR_PARAMETERS];

#define CRN_ASTAR_INFO \
    { \
        .name = "astar", .aliases = "a* a-star", \
        .summary = \
            "expands nodes by cost so far plus estimate of the rest: optimal, the yardstick", \
        .source = "Hart, Nilsson and Raphael 1968", .family = "search", \
        .flags = CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_FILTERS | CAIRN_MANY_GOALS | CAIRN_NO_GOAL, \
        CRN_ALL_WORLDS, .parameters = crn_astar_parameters, \
        .parameter_count = CRN_ASTAR_PARAMETERS \
    }

extern const crn_algorithm crn_algorithm_astar;

/* `create` of a planner with turns=fewest: makes it one of astar_turns.c. */
cairn_status crn_astar_turns_create(cairn_planner *planner, cairn_error *error);

#endif
