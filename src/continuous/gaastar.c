/* gaastar.c: Generalized Adaptive A*.
 *
 * Adaptive A* (aastar.c) for a world in which anything may change, and for a goal that moves
 * (mtaastar.c). Where a commit makes an edge cheaper than the estimates of its ends allow, they are
 * lowered, and with them those that rest on them, by a search like Dijkstra's backward from there
 * (adaptive_changes.c). The rest of what was learnt stays.
 *
 * Source: Sun, Koenig and Yeoh, "Generalized Adaptive A*", 2008. */
#include "continuous/adaptive.h"

static const crn_adaptive_rule gaastar_rule = {.repairs = true, .moves = true, .reuses = false};

static cairn_status gaastar_open(cairn_navigator *navigator)
{
    return crn_adaptive_open(navigator, &gaastar_rule);
}

static const crn_navigator_functions gaastar_functions = {.open = gaastar_open,
                                                          CRN_ADAPTIVE_NAVIGATOR};

const crn_algorithm crn_algorithm_gaastar = {
    .info = {.name = "gaastar",
             .aliases = "gaa* generalized-adaptive-astar",
             .summary = "Generalized Adaptive A*: A* whose estimates learn, and are repaired when "
                        "something opens",
             .source = "Sun, Koenig and Yeoh 2008",
             CRN_ADAPTIVE_INFO},
    .navigator = &gaastar_functions,
    CRN_ADAPTIVE_FUNCTIONS,
};
