/* wastar.c: weighted A*.
 *
 * A* that trusts its estimate more than it should: f = g + w·h with w ≥ 1. The search runs
 * straighter towards the goal, and the path costs at most w times the cheapest (as long as h itself
 * never overestimates).
 *
 * A search that reopens closed nodes for every cheaper path may expand far more than A*. Where h is
 * consistent it need not: if nodes are taken in strict order, the bound holds with closed nodes
 * left as they are, as the proof of ARA* (Likhachev, Gordon and Thrun 2003) shows: with the heap
 * its time is bounded for every weight. With `open=buckets`, with `reopen=yes`, and with estimates
 * that may be inconsistent by a unit, closed nodes are reopened. For small weights on uniform grids
 * that happens so seldom that buckets are faster all the same: `open=auto`, the default, takes them
 * there, and elsewhere the heap.
 *
 * Source: Pohl, "Heuristic Search Viewed as Path Finding in a Graph", 1970; thesis of B. Anguelov,
 * section 5.3.2.
 */
#include "search/best_first.h"

static const cairn_parameter wastar_parameters[] = {
    {"weight", "factor of the estimate and bound of the path's cost", CAIRN_PARAMETER_NUMBER, 256,
     256 * 1000, 384, NULL},
    CRN_PARAMETER_HEURISTIC,
    CRN_PARAMETER_AUTO_OPEN,
    CRN_PARAMETER_TIE,
    {"reopen", "reopen closed nodes for cheaper paths; auto: only where the bound needs it",
     CAIRN_PARAMETER_CHOICE, 0, 1, 0, crn_reopen_choices},
    CRN_PARAMETER_LOOP,
};

static cairn_status wastar_create(cairn_planner *planner, cairn_error *error)
{
    crn_settings preset = {
        .heuristic = CAIRN_HEURISTIC_AUTO, .open = CRN_OPEN_HEAP, .cost_weight = 1};
    return crn_best_first_create(planner, &preset, error);
}

const crn_algorithm crn_algorithm_wastar = {
    .info = {.name = "wastar",
             .aliases = "wa* weighted-astar",
             .summary =
                 "A* with the estimate times w: expands less, at most w times the optimal cost",
             .source = "Pohl 1970",
             .family = "search",
             .flags = CAIRN_BOUNDED | CAIRN_TERRAIN | CAIRN_FILTERS | CAIRN_MANY_GOALS,
             CRN_ALL_WORLDS,
             .parameters = wastar_parameters,
             .parameter_count = CRN_COUNT(wastar_parameters)},
    .create = wastar_create,
    CRN_BEST_FIRST_FUNCTIONS,
};
