/* lss_lrtastar.c: LSS-LRTA*, learning real-time A* with a local search space.
 *
 * The agent looks a few expansions ahead with A* (lookahead.h). Then the estimates of *all* nodes
 * that were expanded are raised as far as the nodes at the edge allow: Dijkstra's algorithm, from
 * the edge inward, finds the least sum of a path to the edge and the estimate there. (Nodes at the
 * edge need not be queued for that: what they say of those beside them is where it begins.) A node
 * from which no path leads to the edge is a dead end, of steps that cannot be walked back: no look
 * enters it again. Then the agent walks to the best node, and looks again.
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

/* Where the next nodes or edges of a step end. */
static uint32_t lss_step(const crn_lookahead *look, size_t count, uint32_t *work)
{
    --*work;
    return crn_min_u32(look->at + CRN_LOOKAHEAD_STEP, (uint32_t)count);
}

/* Forgets what was believed of expanded nodes. */
static bool lss_clear(crn_lookahead *look, uint32_t *work)
{
    uint32_t end = lss_step(look, look->node_count, work);
    for (; look->at < end; look->at++) {
        crn_local_node *n = crn_local(look, look->at);
        if (n->place) continue;
        n->was = n->h;
        n->h = CAIRN_NO_COST;
    }
    return look->at == look->node_count;
}

/* Edges that lead to the edge of the space say what their nodes are worth; the others are linked,
 * by the nodes that they lead to. */
static bool lss_link(crn_lookahead *look, uint32_t *work)
{
    uint32_t at = look->at, end = lss_step(look, look->edge_count, work);
    while (at < end) {
        crn_local_edge *edge = &look->edges[at++];
        crn_local_node *to = crn_local(look, edge->to);
        if (to->place) {
            crn_local_node *from = crn_local(look, edge->from);
            uint64_t h = (uint64_t)edge->cost + to->h;
            if (h < from->h) from->h = (cairn_cost)h;
        } else {
            edge->next = to->into;
            to->into = at;
        }
    }
    look->at = at;
    return at == look->edge_count;
}

/* Expanded nodes are queued by what is known of them now. */
static bool lss_queue(crn_lookahead *look, uint32_t *work)
{
    if (!look->at) {
        look->queue_count = 0;
        look->by_h = true;
    }
    uint32_t end = lss_step(look, look->node_count, work);
    for (; look->at < end && *work; look->at++) {
        const crn_local_node *n = crn_local(look, look->at);
        if (n->place || n->h == CAIRN_NO_COST) continue;
        crn_lookahead_put(look, look->at);
        --*work;
    }
    return look->at == look->node_count;
}

/* Dijkstra's algorithm between expanded nodes. True when the queue is empty. */
static bool lss_spread(crn_lookahead *look, uint32_t *work)
{
    if (!look->at) {
        look->spreading = crn_lookahead_take(look);
        if (look->spreading == UINT32_MAX) return true;
        look->at = crn_local(look, look->spreading)->into;
    }
    --*work;
    cairn_cost behind = crn_local(look, look->spreading)->h;
    for (uint32_t i = 0; look->at && i < CRN_LOOKAHEAD_STEP && *work; i++) {
        const crn_local_edge *edge = &look->edges[look->at - 1];
        crn_local_node *from = crn_local(look, edge->from);
        uint64_t h = (uint64_t)edge->cost + behind;
        look->at = edge->next;
        if (h >= from->h) continue;
        from->h = (cairn_cost)h;
        crn_lookahead_put(look, edge->from);
        --*work;
    }
    return false;
}

/* Keeps what was found. From nodes that nothing was found of no path leads out of the space, unless
 * some were left out because they cost too much. */
static bool lss_keep(crn_lookahead *look, uint32_t *work)
{
    uint32_t end = lss_step(look, look->node_count, work);
    for (; look->at < end && *work; look->at++) {
        const crn_local_node *n = crn_local(look, look->at);
        bool unknown = n->h == CAIRN_NO_COST && look->overflowed;
        if (n->place || unknown || n->h <= n->was) continue;
        crn_lookahead_raise(look, look->at, n->was, n->h);
        --*work;
    }
    return look->at == look->node_count;
}

static bool lss_learn(crn_lookahead *look, uint32_t *work)
{
    static bool (*const phases[])(crn_lookahead *, uint32_t *) = {lss_clear, lss_link, lss_queue,
                                                                  lss_spread, lss_keep};
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
