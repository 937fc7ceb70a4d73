/* mpgaastar.c: Multipath Generalized Adaptive A*.
 *
 * Multipath Adaptive A* (mpaastar.c) for a world in which anything may change: estimates are
 * repaired when something opens, as in gaastar.c. Paths that lead over lowered estimates are not
 * used, since these are not exact any more; the others are. If the goal moves, estimates are kept
 * as in mtaastar.c, which the source does not do; paths to the old goal do not hold then.
 *
 * Source: Hernandez, Asin and Baier, "Reusing Previously Found A* Paths for Fast Goal-Directed
 * Navigation in Dynamic Terrain", 2015. */
#include "continuous/adaptive.h"

static const crn_adaptive_rule mpgaastar_rule = {.repairs = true, .moves = true, .reuses = true};

static cairn_status mpgaastar_open(cairn_navigator *navigator)
{
    return crn_adaptive_open(navigator, &mpgaastar_rule);
}

static const crn_navigator_functions mpgaastar_functions = {.open = mpgaastar_open,
                                                            CRN_ADAPTIVE_NAVIGATOR};

const crn_algorithm crn_algorithm_mpgaastar = {
    .info = {.name = "mpgaastar",
             .aliases = "mpgaa* multipath-generalized-adaptive-astar",
             .summary = "Multipath Generalized Adaptive A*: reuses old paths, and repairs its "
                        "estimates when something opens",
             .source = "Hernández, Asín and Baier 2015",
             CRN_ADAPTIVE_INFO},
    .navigator = &mpgaastar_functions,
    CRN_ADAPTIVE_FUNCTIONS,
};
