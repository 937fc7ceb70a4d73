/* mtaastar.c: Moving-Target Adaptive A*, for an agent that follows another one.
 *
 * Adaptive A* (aastar.c) that keeps what it learnt when the goal moves: all estimates become less
 * by what that of the new goal was, and are never less than those of the space (adaptive.h). While
 * the target stays on the path, no search is needed at all. Forward: from the agent to the target.
 *
 * As for AA*, what was learnt is forgotten when something opens so that it may be wrong. It is
 * forgotten, too, when the goal moves on maps with links that are shortcuts: there the estimates
 * to two goals are not comparable.
 *
 * Source: Koenig, Likhachev and Sun, "Speeding up Moving-Target Search", 2007. */
#include "continuous/adaptive.h"

static const crn_adaptive_rule mtaastar_rule = {.repairs = false, .moves = true, .reuses = false};

static cairn_status mtaastar_open(cairn_navigator *navigator)
{
    return crn_adaptive_open(navigator, &mtaastar_rule);
}

static const crn_navigator_functions mtaastar_functions = {.open = mtaastar_open,
                                                           CRN_ADAPTIVE_NAVIGATOR};

const crn_algorithm crn_algorithm_mtaastar = {
    .info = {.name = "mtaastar",
             .aliases = "mtaa* mt-adaptive-astar mt-aastar",
             .summary = "MT-Adaptive A*: Adaptive A* that keeps what it learnt when the goal moves",
             .source = "Koenig, Likhachev and Sun 2007",
             CRN_ADAPTIVE_INFO},
    .navigator = &mtaastar_functions,
    CRN_ADAPTIVE_FUNCTIONS,
};
