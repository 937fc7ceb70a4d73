/* rtastar.c: RTA*, real-time A*.
 *
 * As LRTA* (lrtastar.c), but the agent stores with the node that it leaves what going on from there
 * would cost *by another first step*: the least f among the nodes at the edge of the look-ahead
 * that are reached by another step than the one it takes. That is what coming back is worth, since
 * it would not come back to make the same step again. So it leaves hollows sooner than LRTA*.
 *
 * Where there is no other step, the node is never entered again. But that holds only if each step
 * can be undone by another one, as on grids without links: round a ring of one-way edges the only
 * path to the goal may lead over the node once more. Then what the best step is worth is stored, as
 * LRTA* does. (With "never" an agent could walk round for ever.)
 *
 * What is stored is true only for an agent that walks on from where it is: a push, a commit or a
 * new walk forgets it, and walks do not get better over trials.
 *
 * Source: Korf, "Real-Time Heuristic Search", 1990.
 */
#include "continuous/lookahead.h"

static const cairn_parameter rtastar_parameters[] = {CRN_LOOKAHEAD_PARAMETER(1)};

/* Can each step be undone by another one? */
static bool rtastar_can_turn_back(const cairn_space *space)
{
    return cairn_space_grid(space) && !cairn_space_directed(space);
}

static bool rtastar_learn(crn_lookahead *look, uint32_t *work)
{
    uint32_t branch = look->branches[look->best];
    if (!look->at) look->second = UINT64_MAX;
    while (*work && look->at < look->node_count) {
        uint32_t end = crn_min_u32(look->at + CRN_LOOKAHEAD_STEP, look->node_count);
        for (; look->at < end; look->at++) {
            if (look->branches[look->at] == branch) continue;
            uint64_t f = crn_lookahead_f(look, look->at);
            if (f < look->second && crn_local_is_open(look, look->at)) look->second = f;
        }
        --*work;
    }
    if (look->at < look->node_count) return false;
    if (look->second == UINT64_MAX && !rtastar_can_turn_back(look->navigator->space))
        look->second = crn_lookahead_f(look, look->best);
    crn_lookahead_raise(look, 0, look->second);
    return true;
}

static const crn_lookahead_rule rtastar_rule = {
    .keeps_branches = true, .relative = true, .learn = rtastar_learn};

static cairn_status rtastar_open(cairn_navigator *navigator)
{
    return crn_lookahead_open(navigator, &rtastar_rule);
}

static const crn_navigator_functions rtastar_functions = {.open = rtastar_open,
                                                          CRN_LOOKAHEAD_NAVIGATOR};

const crn_algorithm crn_algorithm_rtastar = {
    .info = {.name = "rtastar",
             .aliases = "rta* rta",
             .summary = "RTA*: one step towards the least estimate; stores what the second best "
                        "step is worth",
             .source = "Korf 1990",
             CRN_LOOKAHEAD_INFO,
             .parameters = rtastar_parameters,
             .parameter_count = CRN_COUNT(rtastar_parameters)},
    .navigator = &rtastar_functions,
    CRN_LOOKAHEAD_FUNCTIONS,
};
