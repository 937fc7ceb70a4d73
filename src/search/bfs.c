/* bfs.c: breadth-first search.
 *
 * Expands nodes in the order in which they were seen, so that a path has as few steps as
 * possible, whatever they cost. The baseline of the textbooks, and optimal only where
 * all steps cost the same.
 *
 * Source: Moore, "The Shortest Path Through a Maze", 1959.
 */
#include "search/best_first.h"

static const cairn_parameter bfs_parameters[] = {CRN_PARAMETER_LOOP};

static cairn_status bfs_create(cairn_planner *planner, cairn_error *error)
{
    crn_settings preset = {
        .open = CRN_OPEN_QUEUE, .keep = CRN_KEEP_FIRST, .heuristic = CAIRN_HEURISTIC_NULL};
    return crn_best_first_create(planner, &preset, error);
}

const crn_algorithm crn_algorithm_bfs = {
    .info = {.name = "bfs",
             .aliases = "breadth-first",
             .summary = "breadth first: fewest steps, whatever they cost",
             .source = "Moore 1959",
             .family = "search",
             .flags = CAIRN_TERRAIN | CAIRN_FILTERS | CAIRN_MANY_GOALS | CAIRN_NO_GOAL,
             CRN_ALL_WORLDS,
             .parameters = bfs_parameters,
             .parameter_count = CRN_COUNT(bfs_parameters)},
    .create = bfs_create,
    CRN_BEST_FIRST_FUNCTIONS,
};
