/* greedy.c: greedy best-first search.
 *
 * Expands the open node that looks nearest to the goal, whatever the path to it cost; the
 * first path found to a node is kept. Complete, often very fast on open ground, and easily
 * led into long detours: paths have no bound. There are no buckets for it: their width is a part
 * of what a step costs, and its keys are estimates alone, which fall all the time.
 *
 * Source: Doran and Michie, "Experiments with the Graph Traverser Program", 1966; thesis
 * of B. Anguelov, section 5.3.
 */
#include "search/best_first.h"

static const cairn_parameter greedy_parameters[] = {
    CRN_PARAMETER_HEURISTIC, CRN_PARAMETER_STRICT_OPEN, CRN_PARAMETER_TIE, CRN_PARAMETER_LOOP};

static cairn_status greedy_create(cairn_planner *planner, cairn_error *error)
{
    crn_settings preset = {.open = CRN_OPEN_HEAP,
                           .first_open = CRN_OPEN_HEAP,
                           .keep = CRN_KEEP_FIRST,
                           .heuristic = CAIRN_HEURISTIC_AUTO,
                           .estimate_weight = 256};
    return crn_best_first_create(planner, &preset, error);
}

const crn_algorithm crn_algorithm_greedy = {
    .info = {.name = "greedy",
             .aliases = "best-first gbfs",
             .summary =
                 "the node that looks nearest to the goal first: fast, paths without a bound",
             .source = "Doran and Michie 1966",
             .family = "search",
             .flags = CAIRN_TERRAIN | CAIRN_FILTERS | CAIRN_MANY_GOALS,
             CRN_ALL_WORLDS,
             .parameters = greedy_parameters,
             .parameter_count = CRN_COUNT(greedy_parameters)},
    .create = greedy_create,
    CRN_BEST_FIRST_FUNCTIONS,
};
