/* astar_fast.c: A* with fast expansion.
 *
 * A node that costs no more, estimate included, than the one it was reached from would be the next
 * to be taken from the open list anyway, or one as good. So it is not put there, but expanded next.
 * Of several such nodes one is; the others wait as usual. The path costs the same as that of A*,
 * and many nodes never touch the list: on open ground all that lie straight ahead. Nothing else
 * changes, so its conditions and costs are those of A*. The gain shows where the list is slow, with
 * `open=heap`; the buckets of uniform grids keep the last entry in hand in any case.
 *
 * Source: thesis of B. Anguelov, section 5.3.3, after X. Sun et al., "Simple Optimization
 * Techniques for A*-Based Search", 2009. It compares for equality. Where estimates are not
 * consistent a child may also cost less than its parent, and the goal is tested when it is
 * expanded.
 */
#include "search/best_first.h"

static const cairn_parameter astar_fast_parameters[] = {CRN_PARAMETER_HEURISTIC, CRN_PARAMETER_OPEN,
                                                        CRN_PARAMETER_LOOP};

static cairn_status astar_fast_create(cairn_planner *planner, cairn_error *error)
{
    crn_settings preset = {
        .heuristic = CAIRN_HEURISTIC_AUTO, .cost_weight = 1, .estimate_weight = 256, .fast = true};
    return crn_best_first_create(planner, &preset, error);
}

const crn_algorithm crn_algorithm_astar_fast = {
    .info = {.name = "astar-fast",
             .aliases = "a*-fast fast-expansion",
             .summary = "A* that expands a successor as good as its parent at once, past the open "
                        "list: optimal",
             .source = "Sun, Yeoh, Chen and Koenig 2009",
             .family = "search",
             .flags =
                 CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_FILTERS | CAIRN_MANY_GOALS | CAIRN_NO_GOAL,
             CRN_ALL_WORLDS,
             .parameters = astar_fast_parameters,
             .parameter_count = CRN_COUNT(astar_fast_parameters)},
    .create = astar_fast_create,
    CRN_BEST_FIRST_FUNCTIONS,
};
