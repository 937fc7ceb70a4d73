/* lss_lrtastar.c: LSS-LRTA*, learning real-time A* with a local search space.
 *
 * The agent looks a few expansions ahead with A* (lookahead.h). Then the estimates of *all* nodes
 * that were expanded are raised as far as the nodes at the edge allow: Dijkstra's algorithm, from
 * the edge inward, finds the least sum of a path to the edge and the estimate there. (Nodes at the
 * edge need not be queued for that: what they say of those beside them is where it begins.) Then
 * the agent walks to the best node, and looks again.
 *
 * In a world that stays as it is, estimates stay consistent if they were, never overestimate, and
 * are as high as what was seen allows.
 *
 * Source: Koenig and Sun, "Comparing Real-Time and Incremental Heuristic Search for Real-Time
 * Situated Agents", 2009.
 */
#include "continuous/lookahead.h"

static const cairn_parameter lss_parameters[] = {CRN_LOOKAHEAD_PARAMETER(10),
                                                 CRN_LOOKAHEAD_STEPS(1)};

/* A path from the node of an expansion to the edge of the space. */
static void lss_relax(crn_lookahead *look, const crn_local_edge *edge, cairn_cost behind)
{
    cairn_cost *least = &look->expansions[edge->from].least;
    uint64_t h = (uint64_t)edge->cost + behind;
    if (h >= *least) return;
    *least = (cairn_cost)h;
    crn_local_queue_lower(&look->inner, edge->from, h);
}

/* Edges that lead to the edge of the space say what their nodes are worth; the others are linked,
 * by the nodes that they lead to. */
static bool lss_link(crn_lookahead *look, uint32_t *work)
{
    uint32_t at = look->at;
    uint32_t end = crn_min_u32(at + CRN_LOOKAHEAD_STEP, (uint32_t)look->edge_count);
    --*work;
    while (at < end) {
        crn_local_edge *edge = &look->edges[at++];
        crn_local_node *to = crn_local(look, edge->to);
        if (crn_local_is_open(look, edge->to)) {
            lss_relax(look, edge, to->h);
        } else {
            edge->next = to->into;
            to->into = at;
        }
    }
    look->at = at;
    return at == look->edge_count;
}

/* The next node from the edge inward. False: there is none. */
static bool lss_take(crn_lookahead *look)
{
    uint32_t first = crn_local_queue_first(&look->inner);
    if (first == UINT32_MAX) return false;
    const crn_local_expansion *expansion = &look->expansions[first];
    crn_local_queue_drop(&look->inner, first);
    look->spreading = first;
    look->at = 0;
    if (crn_local_is_open(look, expansion->number)) return true; /* reopened since */
    look->at = crn_local(look, expansion->number)->into;
    crn_lookahead_raise(look, expansion->number, expansion->least);
    return true;
}

/* Dijkstra's algorithm between expanded nodes. True when there is nothing left to do. */
static bool lss_spread(crn_lookahead *look, uint32_t *work)
{
    if (!look->at && !lss_take(look)) return true;
    --*work;
    cairn_cost behind = look->expansions[look->spreading].least;
    for (uint32_t i = 0; look->at && i < CRN_LOOKAHEAD_STEP; i++) {
        const crn_local_edge *edge = &look->edges[look->at - 1];
        look->at = edge->next;
        lss_relax(look, edge, behind);
    }
    return false;
}

static bool lss_learn(crn_lookahead *look, uint32_t *work)
{
    static bool (*const phases[])(crn_lookahead *, uint32_t *) = {lss_link, lss_spread};
    while (*work && look->phase < CRN_COUNT(phases)) {
        if (!phases[look->phase](look, work)) continue;
        look->at = look->spreading = 0;
        look->phase++;
    }
    return look->phase == CRN_COUNT(phases);
}

const crn_lookahead_rule crn_lss_rule = {.keeps_edges = true, .learn = lss_learn};

static cairn_status lss_open(cairn_navigator *navigator)
{
    return crn_lookahead_open(navigator, &crn_lss_rule);
}

static const crn_navigator_functions lss_functions = {.open = lss_open, CRN_LOOKAHEAD_NAVIGATOR};

const crn_algorithm crn_algorithm_lss_lrtastar = {
    .info = {.name = "lss-lrtastar",
             .aliases = "lss-lrta* lss-lrta",
             .summary = "LSS-LRTA*: looks a few nodes ahead, learns all it can there, and walks on",
             .source = "Koenig and Sun 2009",
             CRN_LOOKAHEAD_INFO,
             .parameters = lss_parameters,
             .parameter_count = CRN_COUNT(lss_parameters)},
    .navigator = &lss_functions,
    CRN_LOOKAHEAD_FUNCTIONS,
};
