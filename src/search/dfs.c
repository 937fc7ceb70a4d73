/* dfs.c: depth-first search.
 *
 * Follows one path as far as it leads before it turns back: the node seen last is expanded first,
 * and its parent is the node that saw it last. Complete, since closed nodes are not entered again,
 * but its paths are useless for walking. The baseline of the textbooks.
 *
 * Source: Tarjan, "Depth-First Search and Linear Graph Algorithms", 1972.
 */
#include "search/best_first.h"

static const cairn_parameter dfs_parameters[] = {CRN_PARAMETER_LOOP};

static cairn_status dfs_create(cairn_planner *planner, cairn_error *error)
{
    crn_settings preset = {
        .open = CRN_OPEN_STACK, .keep = CRN_KEEP_LAST, .heuristic = CAIRN_HEURISTIC_NULL};
    return crn_best_first_create(planner, &preset, error);
}

const crn_algorithm crn_algorithm_dfs = {
    .info = {.name = "dfs",
             .aliases = "depth-first",
             .summary = "depth first: reaches everything, by paths nobody would walk",
             .source = "Tarjan 1972",
             .family = "search",
             .flags = CAIRN_TERRAIN | CAIRN_FILTERS | CAIRN_MANY_GOALS | CAIRN_NO_GOAL,
             CRN_ALL_WORLDS,
             .parameters = dfs_parameters,
             .parameter_count = CRN_COUNT(dfs_parameters)},
    .create = dfs_create,
    CRN_BEST_FIRST_FUNCTIONS,
};
