/* lrtastar.c: LRTA*, learning real-time A*.
 *
 * The agent looks ahead (lookahead.h), raises the estimate of the node that it stands on to the
 * least f at the edge of what it saw, and walks there. With a look-ahead of one node, which is the
 * default, that is Korf's rule to the letter: the least sum of an edge and the estimate behind it,
 * and one step.
 *
 * Over repeated trials, from the same start to the same goal with all that was learnt, the walk
 * becomes the cheapest path. An agent that has arrived is put back by cairn_navigator_moved for the
 * next trial.
 *
 * Source: Korf, "Real-Time Heuristic Search", 1990.
 */
#include "continuous/lookahead.h"

static const cairn_parameter lrtastar_parameters[] = {CRN_LOOKAHEAD_PARAMETER(1)};

static bool lrtastar_learn(crn_lookahead *look, uint32_t *work)
{
    --*work;
    crn_lookahead_raise(look, 0, crn_lookahead_f(look, look->best));
    return true;
}

static const crn_lookahead_rule lrtastar_rule = {.learn = lrtastar_learn};

static cairn_status lrtastar_open(cairn_navigator *navigator)
{
    return crn_lookahead_open(navigator, &lrtastar_rule);
}

static const crn_navigator_functions lrtastar_functions = {.open = lrtastar_open,
                                                           CRN_LOOKAHEAD_NAVIGATOR};

const crn_algorithm crn_algorithm_lrtastar = {
    .info = {.name = "lrtastar",
             .aliases = "lrta* lrta",
             .summary = "LRTA*: one step towards the least estimate, which it learns; converges to "
                        "the cheapest path over trials",
             .source = "Korf 1990",
             CRN_LOOKAHEAD_INFO,
             .parameters = lrtastar_parameters,
             .parameter_count = CRN_COUNT(lrtastar_parameters)},
    .navigator = &lrtastar_functions,
    CRN_LOOKAHEAD_FUNCTIONS,
};
