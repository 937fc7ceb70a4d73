/* idastar.c: iterative-deepening A* (IDA*).
 *
 * Depth-first searches from the start with rising thresholds of f = g + h (deepening.h). Optimal
 * as long as the estimate never exceeds the true rest. It keeps the present path and nothing else:
 * memory is proportional to the length of the longest path that was looked at. The price is time.
 * Whatever can be reached over several paths is searched once for each of them, and all of it
 * again in each iteration. So it is for trees, corridors, short paths, and worlds where the
 * estimate is nearly exact. On open ground the number of paths is exponential, and so an `effort`
 * ends the search.
 *
 * Source: Korf, "Depth-First Iterative-Deepening: An Optimal Admissible Tree Search", 1985; thesis
 * of B. Anguelov, section 5.4. Its listing 5.4 tests the goal before the threshold, and does not
 * skip the ancestors of a node. Both are corrected here. The first threshold may contain the goal,
 * if the estimate is exact. `cache=on` is its remark that estimates may be stored for each node.
 */
#include "search/best_first.h"
#include "search/deepening.h"

static const cairn_parameter idastar_parameters[] = {CRN_PARAMETER_HEURISTIC, CRN_PARAMETER_CACHE,
                                                     CRN_PARAMETER_EFFORT(100000)};

static cairn_status idastar_open(cairn_search *search)
{
    return crn_deepening_open(search, false);
}

const crn_algorithm crn_algorithm_idastar = {
    .info = {.name = "idastar",
             .aliases = "ida* ida-star",
             .summary = "depth-first with rising thresholds: optimal, memory of one path",
             .source = "Korf 1985",
             .family = "search",
             .flags = CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_MANY_GOALS | CAIRN_EXPONENTIAL,
             CRN_ALL_WORLDS,
             .parameters = idastar_parameters,
             .parameter_count = CRN_COUNT(idastar_parameters)},
    .open = idastar_open,
    CRN_DEEPENING_FUNCTIONS,
};
