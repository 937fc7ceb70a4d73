/* me_idastar.c: memory-enhanced IDA* (ME-IDA*).
 *
 * IDA* that keeps for each node the least cost of a path to it so far (deepening.h). A path that
 * reaches a node at a higher cost is not followed, nor one at the same cost in the same iteration.
 * So an iteration follows few of the many paths to a node, and a path never returns to itself. It
 * still begins at the start in each iteration. Optimal as long as the estimate never exceeds the
 * true rest. Memory is proportional to the part of the world that it touches.
 *
 * An equal cost from an earlier iteration does not end a path: every iteration goes over the paths
 * of the one before, at the same costs.
 *
 * A node may be expanded several times in an iteration, each time at a lower cost, and in bad
 * cases that number is exponential. Where every f is a different number there are as many
 * iterations as nodes. So this search, too, ends after an `effort`.
 *
 * Source: Reinefeld and Marsland, "Enhanced Iterative-Deepening Search", 1994; thesis of B.
 * Anguelov, section 5.4, which says "a better cost" only.
 */
#include "search/best_first.h"
#include "search/deepening.h"

static const cairn_parameter me_idastar_parameters[] = {
    CRN_PARAMETER_HEURISTIC, CRN_PARAMETER_CACHE, CRN_PARAMETER_EFFORT(300000)};

static cairn_status me_idastar_open(cairn_search *search)
{
    return crn_deepening_open(search, true);
}

const crn_algorithm crn_algorithm_me_idastar = {
    .info = {.name = "me-idastar",
             .aliases = "me-ida*",
             .summary = "IDA* that keeps the cost of every node it meets: fewer expansions",
             .source = "Reinefeld and Marsland 1994",
             .family = "search",
             .flags = CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_MANY_GOALS | CAIRN_EXPONENTIAL,
             CRN_ALL_WORLDS,
             .parameters = me_idastar_parameters,
             .parameter_count = CRN_COUNT(me_idastar_parameters)},
    .open = me_idastar_open,
    CRN_DEEPENING_FUNCTIONS,
};
