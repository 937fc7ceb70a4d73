/* astar.c: A*.
 *
 * Expands the open node of least f = g + h: the cost of the path to it plus an estimate of the
 * rest. As long as the estimate never exceeds the true rest, the path is a cheapest one, and no
 * algorithm that uses the same estimate is certain to expand fewer nodes. Closed nodes are reopened
 * when a cheaper path to them is found, so the estimate need not be consistent. An expanded node
 * takes one pop and at most eight relaxations, on uniform grids about one (canonical order,
 * grid_space.c). Memory is proportional to the part that is touched. The default open list is made
 * of buckets (buckets.h), where the order within 2048 units is last in, first out; all others
 * (`open=heap`, `open=skew-heap`, ...) sort strictly.
 *
 * Source: Hart, Nilsson and Raphael, "A Formal Basis for the Heuristic Determination of Minimum
 * Cost Paths", 1968; thesis of B. Anguelov, section 5.3. Its listing 5.3 tests the goal before a
 * node exists and does not sort a node on the open list again when it becomes cheaper. Both are
 * corrected here, and "unexplored" is read as "unseen". `stop=longer` is its rule for estimates
 * that exceed the true rest: go on until no open node is cheaper than the goal.
 */
#include "search/astar.h"
#include "search/best_first.h"

static const char *const astar_turns_choices[] = {"any", "fewest", NULL};

const cairn_parameter crn_astar_parameters[CRN_ASTAR_PARAMETERS] = {
    CRN_PARAMETER_HEURISTIC,
    CRN_PARAMETER_ANY_OPEN(CRN_OPEN_BUCKETS),
    CRN_PARAMETER_TIE,
    CRN_PARAMETER_STOP,
    CRN_PARAMETER_BPMX,
    CRN_PARAMETER_LOOP,
    CRN_PARAMETER_MEMBER,
    CRN_PARAMETER_STORE,
    {"turns", "of all cheapest paths any, or one with the fewest turns (grids)",
     CAIRN_PARAMETER_CHOICE, 0, 1, 0, astar_turns_choices}};

static cairn_status astar_create(cairn_planner *planner, cairn_error *error)
{
    crn_settings preset = {
        .heuristic = CAIRN_HEURISTIC_AUTO, .cost_weight = 1, .estimate_weight = 256};
    if (crn_parameter_of(planner, "turns")) return crn_astar_turns_create(planner, error);
    return crn_best_first_create(planner, &preset, error);
}

const crn_algorithm crn_algorithm_astar = {
    .info = CRN_ASTAR_INFO,
    .create = astar_create,
    CRN_BEST_FIRST_FUNCTIONS,
};
