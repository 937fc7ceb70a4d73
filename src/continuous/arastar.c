/* arastar.c: ARA*, Anytime Repairing A*.
 *
 * A row of searches of weighted A*, with an epsilon that falls to 1. Each uses what the ones before
 * have found (anytime.h): only nodes that are not consistent are expanded, each at most once a
 * round; what gets cheaper after that waits in INCONS. Each round ends with a path that is at most
 * epsilon times as expensive as the best one.
 *
 * Not in the source: the search leads from the goal to the agent, so that it can go on while the
 * agent walks. It begins again when the world has changed; AD* does not (adstar.c).
 *
 * Source: Likhachev, Gordon and Thrun, "ARA*: Anytime A* with Provable Bounds on Sub-Optimality",
 * 2003.
 */
#include "continuous/anytime.h"
#include "search/path_builder.h"

static const cairn_parameter arastar_parameters[] = {CRN_ANYTIME_EPSILON, CRN_ANYTIME_FALL};

const crn_algorithm crn_algorithm_arastar = {
    .info = {.name = "arastar",
             .aliases = "ara* ara anytime-repairing-astar",
             .summary = "ARA*: weighted A* again and again, with smaller weights, using what is "
                        "known",
             .source = "Likhachev, Gordon and Thrun 2003",
             CRN_ANYTIME_INFO,
             .parameters = arastar_parameters,
             .parameter_count = CRN_COUNT(arastar_parameters)},
    CRN_ANYTIME_FUNCTIONS,
};
