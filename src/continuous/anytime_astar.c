/* anytime_astar.c: Anytime A*, weighted A* that goes on.
 *
 * Weighted A* finds a path soon, at most epsilon times as expensive as the best one. Anytime A*
 * goes on with the same queue (anytime.h). Nodes that cannot be part of a cheaper path, because
 * what they cost and their estimate without the weight are not less than the path that is known,
 * are left out. When no other node is left, that path is the best one. Nodes that get cheaper are
 * expanded again, as often as they do.
 *
 * Not in the source: the search leads from the goal to the agent, so that it can go on while the
 * agent walks; K_m makes up for the steps. It begins again when the world has changed.
 *
 * Source: Hansen and Zhou, "Anytime Heuristic Search", 2007.
 */
#include "continuous/anytime.h"
#include "search/path_builder.h"

static const cairn_parameter anytime_astar_parameters[] = {CRN_ANYTIME_EPSILON};

const crn_algorithm crn_algorithm_anytime_astar = {
    .info = {.name = "anytime-astar",
             .aliases = "anytime-a* anytime-wastar awa*",
             .summary = "Anytime A*: weighted A* that goes on until its path is the best one",
             .source = "Hansen and Zhou 2007",
             CRN_ANYTIME_INFO,
             .parameters = anytime_astar_parameters,
             .parameter_count = CRN_COUNT(anytime_astar_parameters)},
    CRN_ANYTIME_FUNCTIONS,
};
