/* bidirectional_nbs.c: the variant `nbs`, Near-optimal Bidirectional Search.
 *
 * Whatever the estimates are, as long as they are admissible, a bidirectional search must expand u
 * forward or v backward for every pair with lb(u, v) = max(f(u), f(v), g(u) + g(v) + the cheapest
 * edge) less than the cost of the best path. NBS takes a pair of least lb and expands both: so it
 * never expands more than twice as many nodes as the best choice would.
 *
 * `least` is the least lb of all pairs so far. Nodes whose f is greater wait, sorted by f; the
 * others are ready, sorted by g. If the two ready nodes of least g make a pair, it is expanded;
 * otherwise more become ready, or `least` rises. A unit of work moves one node or expands one.
 *
 * Source: Chen, Holte, Zilles and Sturtevant, "Front-to-End Bidirectional Heuristic Search with
 * Near-Optimal Node Expansions", 2017.
 */
#include "search/bidirectional/bidirectional.h"

static crn_bidir_half *nbs_half(crn_bidir *b, uint32_t side, cairn_node node, uint32_t *slot)
{
    *slot = node % CRN_PAGE;
    return crn_bidir_half_at(crn_bidir_page(b, node / CRN_PAGE), b->sides[side].half);
}

/* The first entry of a heap that is not older than the record of its node; others are dropped, one
 * at a time: false = drop another one. */
typedef struct nbs_top {
    bool any;
    uint64_t key;
    cairn_cost g;
    cairn_node node;
} nbs_top;

/* Entries are (f, g) on the list of those that wait, and (g, g) on that of those that are ready. */
static bool nbs_look(crn_bidir *b, uint32_t side, crn_heap *heap, nbs_top *top)
{
    uint64_t tie;
    uint32_t slot;
    top->any = crn_heap_first(heap, &top->key, &tie, &top->node);
    if (!top->any) return true;
    top->g = (cairn_cost)tie;
    const crn_bidir_half *half = nbs_half(b, side, top->node, &slot);
    if (!(half->mark[slot] & CRN_MARK_CLOSED) && half->g[slot] == top->g) return true;
    return crn_heap_pop(heap, &top->node), false;
}

static void nbs_relax(crn_bidir *b, cairn_node from, cairn_edge edge, uint64_t g)
{
    crn_bidir_side *side = &b->sides[b->turn];
    crn_page *page = crn_bidir_page(b, edge.node / CRN_PAGE);
    uint32_t slot = edge.node % CRN_PAGE;
    crn_bidir_half *half = crn_bidir_half_at(page, side->half);
    const crn_bidir_half *beyond = crn_bidir_half_at(page, side->other_half);
    uint32_t mark = half->mark[slot];
    if (mark & CRN_MARK_SEEN && g >= half->g[slot]) return;
    uint64_t f = g + crn_estimate_node(&side->estimate, edge.node);
    if (f >= b->best) {
        b->too_large |= !b->bounded;
        return;
    }
    if (!(mark & CRN_MARK_SEEN)) b->generated++;
    if (mark & CRN_MARK_CLOSED) b->reopened++;
    half->g[slot] = (cairn_cost)g;
    half->mark[slot] = CRN_MARK_SEEN;
    crn_bidir_parents(side, page)[slot] = from;
    if (b->traced)
        crn_bidir_trace(b,
                        !(mark & CRN_MARK_SEEN)  ? CAIRN_EVENT_GENERATE
                        : mark & CRN_MARK_CLOSED ? CAIRN_EVENT_REOPEN
                                                 : CAIRN_EVENT_UPDATE,
                        b->turn, edge.node);
    if (beyond->mark[slot] & CRN_MARK_SEEN && g + beyond->g[slot] < b->best)
        crn_bidir_meet(b, edge.node, g + beyond->g[slot]);
    if (f >= b->best) return;
    side->pushed++;
    b->generated--; /* every push counts for a node that is seen for the first time */
    crn_heap_push(&side->heap, f, (uint32_t)g, edge.node);
}

/* A batch of the edges of the node that is being expanded. */
static void nbs_edges(crn_bidir *b)
{
    enum { BATCH = 32 };
    cairn_edge edges[BATCH];
    uint32_t slot;
    cairn_node node = (cairn_node)b->pending;
    cairn_cost g = nbs_half(b, b->turn, node, &slot)->g[slot];
    uint32_t count =
        (b->turn == CRN_FORWARD ? b->space->functions->expand : b->space->functions->expand_back)(
            b->space, node, b->pending_edge, edges, BATCH);
    for (uint32_t i = 0; i < count; i++) nbs_relax(b, node, edges[i], (uint64_t)g + edges[i].cost);
    b->is_pending = count == BATCH;
    b->pending_edge += BATCH;
    if (b->traced && !b->is_pending) crn_bidir_trace(b, CAIRN_EVENT_CLOSE, b->turn, node);
}

/* Expands the first of the nodes of a side that are ready. */
static void nbs_expand(crn_bidir *b, uint32_t side)
{
    uint32_t node, slot;
    crn_heap_pop(&b->sides[side].ready, &node);
    nbs_half(b, side, node, &slot)->mark[slot] |= CRN_MARK_CLOSED;
    b->expanded++;
    b->turn = side;
    b->pending = node;
    b->pending_edge = 0;
    if (b->traced) crn_bidir_trace(b, CAIRN_EVENT_EXPAND, side, node);
    nbs_edges(b);
}

static void nbs_make_ready(crn_bidir *b, uint32_t side, const nbs_top *top)
{
    uint32_t node;
    crn_heap_pop(&b->sides[side].heap, &node);
    crn_heap_push(&b->sides[side].ready, top->g, top->g, node);
}

static uint64_t nbs_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* One unit of work. False if no pair is left that matters. */
static bool nbs_work(crn_bidir *b)
{
    nbs_top waiting[2], ready[2];
    for (uint32_t i = 0; i < 2; i++) {
        if (!nbs_look(b, i, &b->sides[i].heap, &waiting[i])) return true;
        if (!nbs_look(b, i, &b->sides[i].ready, &ready[i])) return true;
        if (!waiting[i].any && !ready[i].any) return false;
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (waiting[i].any && waiting[i].key < b->least)
            return nbs_make_ready(b, i, &waiting[i]), true;
    }
    bool both = ready[0].any && ready[1].any;
    uint64_t pair = both ? (uint64_t)ready[0].g + ready[1].g + b->edge : UINT64_MAX;
    if (pair <= b->least) {
        nbs_expand(b, CRN_FORWARD);
        b->paired = true;
        return true;
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (waiting[i].any && waiting[i].key <= b->least)
            return nbs_make_ready(b, i, &waiting[i]), true;
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (waiting[i].any) pair = nbs_least(pair, waiting[i].key);
    }
    b->least = pair;
    b->too_large |= pair >= b->best && !b->bounded;
    return pair < b->best;
}

/* The other node of a pair: still the first that is ready, unless the pair was one node, or
 * nothing is left to gain. */
static bool nbs_work_paired(crn_bidir *b)
{
    nbs_top top;
    b->paired = false;
    if (b->least >= b->best) return false;
    if (nbs_look(b, CRN_BACKWARD, &b->sides[CRN_BACKWARD].ready, &top) && top.any)
        nbs_expand(b, CRN_BACKWARD);
    return true;
}

cairn_status crn_bidir_nbs(crn_bidir *b, uint64_t work)
{
    for (; work; work--) {
        bool going_on = true;
        b->work++;
        if (b->is_pending) {
            nbs_edges(b);
        } else {
            going_on = b->paired ? nbs_work_paired(b) : nbs_work(b);
        }
        if (b->search->memory.failed) return CAIRN_OUT_OF_MEMORY;
        if (!going_on) return CAIRN_UNREACHABLE;
    }
    return CAIRN_RUNNING;
}
