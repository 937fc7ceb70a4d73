/* mpaastar.c: Multipath Adaptive A*.
 *
 * Adaptive A* (aastar.c) that keeps all paths it has found to its goal. A search ends when it
 * comes to a node from which one of them still is the best, which the learnt estimates tell
 * (adaptive.h). So a change on the path takes a search round it, as far as the old path behind it.
 *
 * As for AA*, all is forgotten when something opens so that it may be wrong, or with another goal.
 *
 * Not in the source: a tail that does not hold is removed as far as it was walked along.
 *
 * Source: Hernandez, Baier and Asin, "Making A* Run Faster than D*-Lite for Path-Planning in
 * Partially Known Terrain", 2014. */
#include "continuous/adaptive.h"

static const crn_adaptive_rule mpaastar_rule = {.repairs = false, .moves = false, .reuses = true};

static cairn_status mpaastar_open(cairn_navigator *navigator)
{
    return crn_adaptive_open(navigator, &mpaastar_rule);
}

static const crn_navigator_functions mpaastar_functions = {.open = mpaastar_open,
                                                           CRN_ADAPTIVE_NAVIGATOR};

const crn_algorithm crn_algorithm_mpaastar = {
    .info = {.name = "mpaastar",
             .aliases = "mpaa* multipath-adaptive-astar",
             .summary = "Multipath Adaptive A*: Adaptive A* whose searches end where an old path "
                        "still is the best",
             .source = "Hernández, Baier and Asín 2014",
             CRN_ADAPTIVE_INFO},
    .navigator = &mpaastar_functions,
    CRN_ADAPTIVE_FUNCTIONS,
};
