/* dijkstra.c: Dijkstra's algorithm, point to point and to all points.
 *
 * Expands nodes in the order of their cost from the start, so that the first path by which a
 * node is closed is its cheapest. With a goal it stops when the goal is closed (not when it
 * is first seen: a cheaper path may still be open); with CAIRN_GOAL_NONE it goes on until
 * every node within the cost limit is closed, and then knows the cost of all of them.
 * It is A* with an estimate of nothing, and here it is just that.
 *
 * Source: Dijkstra, "A Note on Two Problems in Connexion with Graphs", 1959; thesis of B.
 * Anguelov, section 5.2, listings 5.1 and 5.2 ("unexplored" reads "unseen").
 */
#include "search/best_first.h"

static const cairn_parameter dijkstra_parameters[] = {CRN_PARAMETER_ANY_OPEN(CRN_OPEN_BUCKETS),
                                                      CRN_PARAMETER_TIE, CRN_PARAMETER_LOOP};

static cairn_status dijkstra_create(cairn_planner *planner, cairn_error *error)
{
    crn_settings preset = {
        .heuristic = CAIRN_HEURISTIC_NULL, .cost_weight = 1, .estimate_weight = 0};
    return crn_best_first_create(planner, &preset, error);
}

const crn_algorithm crn_algorithm_dijkstra = {
    .info = {.name = "dijkstra",
             .aliases = "",
             .summary = "expands nodes by their cost so far: optimal, to one goal or to every node",
             .source = "Dijkstra 1959",
             .family = "search",
             .flags =
                 CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_FILTERS | CAIRN_MANY_GOALS | CAIRN_NO_GOAL,
             CRN_ALL_WORLDS,
             .parameters = dijkstra_parameters,
             .parameter_count = CRN_COUNT(dijkstra_parameters)},
    .create = dijkstra_create,
    CRN_BEST_FIRST_FUNCTIONS,
};
