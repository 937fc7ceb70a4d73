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

/* Takes the work for the expansions from look->at on, one unit each. Returns where it ends. */
static inline uint32_t lss_share(const crn_lookahead *look, uint32_t *work)
{
    uint32_t share = crn_min_u32(*work, look->expansion_count - look->at);
    *work -= share;
    return look->at + share;
}

/* Begins the lists of edges that lead to a node. Those that were reopened are at the edge, and
 * learn nothing. */
static bool lss_mark(crn_lookahead *look, uint32_t *work)
{
    uint32_t end = lss_share(look, work);
    for (uint32_t at = look->at; at < end; at++) {
        crn_local_expansion *expansion = &look->expansions[at];
        if (crn_local_is_open(look, expansion->number)) expansion->least = 0;
        crn_local(look, expansion->number)->into = CRN_LOCAL_NONE;
    }
    look->at = end;
    return end == look->expansion_count;
}

/* Goes on with the edges of a group, from `at` to `end`: those that lead to the edge of the space
 * say what the expanded node is worth; the others are linked, by the nodes that they lead to.
 * Returns where they end. */
static inline uint32_t lss_link_group(crn_lookahead *look, uint32_t at, uint32_t end)
{
    crn_local_edge *edges = look->edges;
    cairn_cost *known = &look->expansions[look->origins[at / CRN_LOCAL_GROUP]].least;
    uint64_t least = *known, most = 0;
    for (uint32_t to; at < end && (to = edges[at].to) != CRN_LOCAL_NONE; at++) {
        crn_local_node *n = crn_local(look, to);
        if (crn_local_is_open(look, to)) {
            uint64_t h = (uint64_t)edges[at].cost + n->h;
            least = h < least ? h : least;
            most = h > most ? h : most;
        } else {
            edges[at].next = n->into;
            n->into = at;
        }
    }
    *known = (cairn_cost)least;
    look->overflowed |= most > CAIRN_COST_MAX;
    return at;
}

/* All edges that were kept. */
static bool lss_link(crn_lookahead *look, uint32_t *work)
{
    uint32_t left = CRN_LOOKAHEAD_STEP, at = look->at;
    --*work;
    while (left && at < look->edge_count) {
        uint32_t group = (at | (CRN_LOCAL_GROUP - 1)) + 1;
        uint32_t end = lss_link_group(look, at, crn_min_u32(group, at + left));
        left -= end - at;
        at = end < group && look->edges[end].to == CRN_LOCAL_NONE ? group : end;
    }
    look->at = at;
    return at == look->edge_count;
}

/* From now on the queue is for expansions. */
static bool lss_empty(crn_lookahead *look, uint32_t *work)
{
    if (!look->at) look->queue.count = 0;
    for (look->at = 1; *work && look->queue.count < look->expansion_count; --*work)
        if (!crn_local_queue_extend(&look->queue, &look->navigator->memory)) return false;
    return look->queue.count >= look->expansion_count;
}

/* Goes on telling those before a node what is known of it, along the edges that lead to it. If that
 * is less than what they knew, they are queued. True when all are told. */
static inline bool lss_tell(crn_lookahead *look, cairn_cost behind)
{
    uint32_t at = look->spreading;
    for (uint32_t i = 0; at != CRN_LOCAL_NONE && i < CRN_LOOKAHEAD_STEP; i++) {
        const crn_local_edge *edge = &look->edges[at];
        uint32_t from = look->origins[at / CRN_LOCAL_GROUP];
        cairn_cost *least = &look->expansions[from].least;
        uint64_t h = (uint64_t)edge->cost + behind;
        at = edge->next;
        if (h >= *least) continue;
        *least = (cairn_cost)h;
        crn_local_queue_lower(&look->queue, from, h);
    }
    look->spreading = at;
    return at == CRN_LOCAL_NONE;
}

/* Every expanded node tells those before it, most of which know better. */
static bool lss_compare(crn_lookahead *look, uint32_t *work)
{
    for (; *work && look->at < look->expansion_count; --*work) {
        const crn_local_expansion *expansion = &look->expansions[look->at];
        if (look->spreading == CRN_LOCAL_NONE)
            look->spreading = crn_local(look, expansion->number)->into;
        if (lss_tell(look, expansion->least)) look->at++;
    }
    return look->at == look->expansion_count;
}

/* Those who have learnt something from that tell it on, the least first. So each does once. */
static bool lss_spread(crn_lookahead *look, uint32_t *work)
{
    for (; *work; --*work) {
        if (look->spreading == CRN_LOCAL_NONE) {
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
    uint32_t end = lss_share(look, work);
    for (uint32_t at = look->at; at < end; at++) {
        const crn_local_expansion *expansion = &look->expansions[at];
        if (expansion->least != CAIRN_NO_COST || !look->overflowed)
            crn_lookahead_raise(look, expansion->number, expansion->least);
    }
    look->at = end;
    return end == look->expansion_count;
}

static bool lss_learn(crn_lookahead *look, uint32_t *work)
{
    static bool (*const phases[])(crn_lookahead *, uint32_t *) = {
        lss_mark, lss_link, lss_empty, lss_compare, lss_spread, lss_keep};
    while (*work && look->phase < CRN_COUNT(phases)) {
        if (!phases[look->phase](look, work)) {
            if (look->navigator->memory.failed) return false; /* there is no room for the queue */
            continue;
        }
        look->phase++;
        look->at = 0;
        look->spreading = CRN_LOCAL_NONE;
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
