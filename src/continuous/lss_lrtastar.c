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

/* Of nodes when the look is over, `into`: 0 = it is at the edge; LSS_NO_EDGE: it is closed, and no
 * edge leads to it so far. */
#define LSS_NO_EDGE UINT32_MAX

/* Notes which nodes are closed. Those that were reopened are at the edge, and learn nothing. */
static bool lss_mark(crn_lookahead *look, uint32_t *work)
{
    for (; *work && look->at < look->expansion_count; look->at++, --*work) {
        crn_local_expansion *expansion = &look->expansions[look->at];
        if (crn_local_is_open(look, expansion->number))
            expansion->least = 0;
        else
            crn_local(look, expansion->number)->into = LSS_NO_EDGE;
    }
    return look->at == look->expansion_count;
}

/* From now on the queue is for expansions. */
static bool lss_empty(crn_lookahead *look, uint32_t *work)
{
    if (!look->at) look->queue.count = 0;
    for (look->at = 1; *work && look->queue.count < look->expansion_count; --*work)
        if (!crn_local_queue_extend(&look->queue, &look->navigator->memory)) return false;
    return look->queue.count >= look->expansion_count;
}

/* Goes on with the edges of an expansion, up to `end`: those that lead to the edge of the space say
 * what its node is worth; the others are linked, by the nodes that they lead to. Returns where they
 * end. */
static uint32_t lss_link_some(crn_lookahead *look, uint32_t at, uint32_t end)
{
    crn_local_edge *edge = &look->edges[at];
    uint32_t from = edge->from;
    uint64_t least = look->expansions[from].least;
    for (; at < end && edge->from == from; edge++) {
        crn_local_node *to = crn_local(look, edge->to);
        uint64_t h = (uint64_t)edge->cost + to->h;
        at++;
        if (!to->into) {
            least = h < least ? h : least;
            look->overflowed |= h > CAIRN_COST_MAX;
        } else {
            edge->next = to->into;
            to->into = at;
        }
    }
    look->expansions[from].least = (cairn_cost)least;
    return at;
}

/* All edges that were kept. */
static bool lss_link(crn_lookahead *look, uint32_t *work)
{
    uint32_t end = crn_min_u32(look->at + CRN_LOOKAHEAD_STEP, (uint32_t)look->edge_count);
    --*work;
    while (look->at < end) look->at = lss_link_some(look, look->at, end);
    return look->at == look->edge_count;
}

/* Goes on telling those before a node what is known of it, along the edges that lead to it. If that
 * is less than what they knew, they are queued. True when all are told. */
static bool lss_tell(crn_lookahead *look, cairn_cost behind)
{
    uint32_t at = look->spreading;
    for (uint32_t i = 0; at != LSS_NO_EDGE && i < CRN_LOOKAHEAD_STEP; i++) {
        const crn_local_edge *edge = &look->edges[at - 1];
        cairn_cost *least = &look->expansions[edge->from].least;
        uint64_t h = (uint64_t)edge->cost + behind;
        at = edge->next;
        if (h >= *least) continue;
        *least = (cairn_cost)h;
        crn_local_queue_lower(&look->queue, edge->from, h);
    }
    look->spreading = at;
    return at == LSS_NO_EDGE;
}

/* Every expanded node tells those before it, most of which know better. */
static bool lss_compare(crn_lookahead *look, uint32_t *work)
{
    for (; *work && look->at < look->expansion_count; --*work) {
        const crn_local_expansion *expansion = &look->expansions[look->at];
        uint32_t into = crn_local(look, expansion->number)->into;
        if (look->spreading == LSS_NO_EDGE && into) look->spreading = into;
        if (lss_tell(look, expansion->least)) look->at++;
    }
    return look->at == look->expansion_count;
}

/* Those who have learnt something from that tell it on, the least first. So each does once. */
static bool lss_spread(crn_lookahead *look, uint32_t *work)
{
    for (; *work; --*work) {
        if (look->spreading == LSS_NO_EDGE) {
            look->at = crn_local_queue_first(&look->queue);
            if (look->at == UINT32_MAX) return true;
            crn_local_queue_drop(&look->queue, look->at);
            look->spreading = crn_local(look, look->expansions[look->at].number)->into;
        }
        lss_tell(look, look->expansions[look->at].least);
    }
    return false;
}

/* Keeps what was found. From nodes that nothing was found of no path leads out of the space, unless
 * some were left out because they cost too much. */
static bool lss_keep(crn_lookahead *look, uint32_t *work)
{
    for (; *work && look->at < look->expansion_count; look->at++, --*work) {
        const crn_local_expansion *expansion = &look->expansions[look->at];
        if (expansion->least != CAIRN_NO_COST || !look->overflowed)
            crn_lookahead_raise(look, expansion->number, expansion->least);
    }
    return look->at == look->expansion_count;
}

static bool lss_learn(crn_lookahead *look, uint32_t *work)
{
    static bool (*const phases[])(crn_lookahead *, uint32_t *) = {
        lss_mark, lss_empty, lss_link, lss_compare, lss_spread, lss_keep};
    while (*work && look->phase < CRN_COUNT(phases)) {
        if (!phases[look->phase](look, work)) {
            if (look->navigator->memory.failed) return false; /* there is no room for the queue */
            continue;
        }
        look->phase++;
        look->at = 0;
        look->spreading = LSS_NO_EDGE;
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
