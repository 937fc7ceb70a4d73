/* aastar.c: Adaptive A*.
 *
 * The agent searches with A* from where it stands, and follows the path. Each search teaches it the
 * estimates of the nodes that it expanded (adaptive.h), so the next one to the same goal expands
 * fewer. It searches again when something on its path has changed, or when it is pushed.
 *
 * The source assumes that nothing ever becomes cheaper. Here, if a commit opens or cheapens
 * something so that an estimate would be too large, all that was learnt is forgotten; so is it with
 * another goal. gaastar.c keeps it in both cases. Paths are optimal at every step, in the world as
 * it is.
 *
 * Source: Koenig and Likhachev, "Adaptive A*", 2005. */
#include "continuous/adaptive.h"

static const crn_adaptive_rule aastar_rule = {.repairs = false, .moves = false, .reuses = false};

static cairn_status aastar_open(cairn_navigator *navigator)
{
    return crn_adaptive_open(navigator, &aastar_rule);
}

static const crn_navigator_functions aastar_functions = {.open = aastar_open,
                                                         CRN_ADAPTIVE_NAVIGATOR};

const crn_algorithm crn_algorithm_aastar = {
    .info =
        {.name = "aastar",
         .aliases = "aa* adaptive-astar",
         .summary =
             "Adaptive A*: A* whose estimates learn from each search; forgets when something opens",
         .source = "Koenig and Likhachev 2005",
         CRN_ADAPTIVE_INFO},
    .navigator = &aastar_functions,
    CRN_ADAPTIVE_FUNCTIONS,
};
