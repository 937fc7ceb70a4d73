/* rtaastar.c: RTAA*, real-time adaptive A*.
 *
 * The agent looks a few expansions ahead with A* (lookahead.h). No path to the goal through a node
 * that was expanded is cheaper than f of the best node that was not: so the estimate of each
 * expanded node is raised to f(best) - g. That takes one subtraction for each. Then the agent walks
 * to the best node, and looks again.
 *
 * In a world that stays as it is, estimates stay consistent if they were, and never overestimate.
 * They are less informed than those of LSS-LRTA*, which take several times as long to find.
 *
 * Source: Koenig and Likhachev, "Real-Time Adaptive A*", 2006.
 */
#include "continuous/lookahead.h"

static const cairn_parameter rtaastar_parameters[] = {CRN_LOOKAHEAD_PARAMETER(10),
                                                      CRN_LOOKAHEAD_STEPS(1)};

/* (Of a node that was reopened since, f is no less than that of the best.) */
static bool rtaastar_learn(crn_lookahead *look, uint32_t *work)
{
    uint64_t best = crn_lookahead_f(look, look->best);
    for (; *work && look->at < look->expansion_count; look->at++, --*work) {
        uint32_t number = look->expansions[look->at].number;
        cairn_cost g = crn_local(look, number)->g;
        if (best > g) crn_lookahead_raise(look, number, best - g);
    }
    return look->at == look->expansion_count;
}

static const crn_lookahead_rule rtaastar_rule = {.learn = rtaastar_learn};

static cairn_status rtaastar_open(cairn_navigator *navigator)
{
    return crn_lookahead_open(navigator, &rtaastar_rule);
}

static const crn_navigator_functions rtaastar_functions = {.open = rtaastar_open,
                                                           CRN_LOOKAHEAD_NAVIGATOR};

const crn_algorithm crn_algorithm_rtaastar = {
    .info = {.name = "rtaastar",
             .aliases = "rtaa* rtaa",
             .summary = "RTAA*: looks a few nodes ahead, learns the least f there, and walks on",
             .source = "Koenig and Likhachev 2006",
             CRN_LOOKAHEAD_INFO,
             .parameters = rtaastar_parameters,
             .parameter_count = CRN_COUNT(rtaastar_parameters)},
    .navigator = &rtaastar_functions,
    CRN_LOOKAHEAD_FUNCTIONS,
};
