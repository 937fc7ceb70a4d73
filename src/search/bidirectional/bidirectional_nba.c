/* bidirectional_nba.c: New Bidirectional A* on any grid and any space. bidirectional.c has the idea
 * and its proof, bidirectional_uniform.c the loop for uniform grids.
 *
 * There are two loops, which differ only in where edges and costs come from: cells of a grid
 * without links, with buckets, and nodes of any space, with buckets or a heap. Until the sides meet
 * they do what A* does, and look at the other side of each node that is generated. Afterwards every
 * node must pass the two rules, before it is put on a list and again when it is taken from it.
 */
#include "search/bidirectional/bidirectional.h"

CRN_INLINE uint64_t nba_estimate(const crn_bidir *b, bool uniform, const crn_bidir_side *side,
                                 crn_bidir_spot spot)
{
    if (uniform) return crn_bidir_octile(b, side, (uint32_t)spot);
    return crn_estimate_node(&side->estimate, crn_bidir_node(b, spot));
}

/* ---- the open lists ---- */

static void nba_push(crn_bidir *b, crn_bidir_side *side, crn_bidir_spot spot, uint64_t key,
                     cairn_cost g)
{
    uint32_t entry = b->map ? (uint32_t)(spot >> 32) : (uint32_t)spot;
    side->pushed++;
    if (key < side->floor) side->floor = key; /* a unit less, at most */
    if (b->bucketed) {
        crn_buckets_push(&side->buckets, key, entry);
    } else {
        crn_heap_push(&side->heap, key, ~g, entry);
    }
}

void crn_bidir_put(crn_bidir *b, uint32_t side, crn_bidir_spot spot, uint64_t key, cairn_cost g)
{
    if (b->loop == crn_bidir_nbs) { /* of equal f the least g */
        b->sides[side].pushed++;
        crn_heap_push(&b->sides[side].heap, key, g, (uint32_t)spot);
    } else {
        nba_push(b, &b->sides[side], spot, key, g);
    }
}

/* Is the search over, with what both sides promise at least? Otherwise the one with the shorter
 * list is next. */
static bool nba_choose(crn_bidir *b)
{
    const crn_bidir_side *forward = &b->sides[CRN_FORWARD], *backward = &b->sides[CRN_BACKWARD];
    if (forward->floor >= b->best || backward->floor >= b->best) {
        b->too_large |= !b->bounded;
        return false;
    }
    b->turn = backward->pushed - backward->taken < forward->pushed - forward->taken;
    return true;
}

bool crn_bidir_advance(crn_bidir *b)
{
    crn_bidir_side *side = &b->sides[b->turn];
    if (!crn_buckets_advance(&side->buckets)) return false;
    side->floor = side->buckets.displaced ? 0 : crn_buckets_floor(&side->buckets);
    return nba_choose(b);
}

static CRN_NOINLINE bool nba_take_heap(crn_bidir *b, uint32_t *entry)
{
    for (uint32_t i = 0; i < 2; i++) {
        uint64_t tie;
        if (!crn_heap_first(&b->sides[i].heap, &b->sides[i].floor, &tie, entry)) return false;
    }
    if (!nba_choose(b)) return false;
    b->sides[b->turn].taken++;
    return crn_heap_pop(&b->sides[b->turn].heap, entry);
}

/* Takes the next entry of the side whose turn it is. False if the search is over. */
CRN_INLINE bool nba_take(crn_bidir *b, bool cells, uint32_t *entry)
{
    if (!cells && !b->bucketed) return nba_take_heap(b, entry);
    while (CRN_UNLIKELY(!crn_buckets_pop(&b->sides[b->turn].buckets, entry))) {
        if (!crn_bidir_advance(b)) return false;
    }
    b->sides[b->turn].taken++;
    return true;
}

/* ---- relaxing ---- */

static void nba_write(crn_bidir *b, const crn_bidir_arrival *to)
{
    const crn_bidir_side *side = &b->sides[b->turn];
    uint32_t slot = crn_bidir_slot(b, to->spot);
    crn_bidir_half *half = crn_bidir_half_at(to->page, side->half);
    uint32_t mark = half->mark[slot];
    if (!(mark & CRN_MARK_SEEN)) b->generated++;
    if (mark & CRN_MARK_CLOSED) b->reopened++;
    half->g[slot] = (cairn_cost)to->g;
    half->mark[slot] = (uint8_t)(CRN_MARK_SEEN | (b->map ? to->from : 0));
    if (!b->map) crn_bidir_parents(side, to->page)[slot] = to->from;
    if (CRN_UNLIKELY(b->traced))
        crn_bidir_trace(b,
                        !(mark & CRN_MARK_SEEN)  ? CAIRN_EVENT_GENERATE
                        : mark & CRN_MARK_CLOSED ? CAIRN_EVENT_REOPEN
                                                 : CAIRN_EVENT_UPDATE,
                        b->turn, to->spot);
}

/* Relaxes a node to which a cheaper path than the known one leads. */
CRN_INLINE void nba_improve(crn_bidir *b, bool uniform, const crn_bidir_arrival *to)
{
    crn_bidir_side *side = &b->sides[b->turn], *other = &b->sides[!b->turn];
    uint32_t slot = crn_bidir_slot(b, to->spot);
    const crn_bidir_half *beyond = crn_bidir_half_at(to->page, side->other_half);
    uint64_t g = to->g, rest = nba_estimate(b, uniform, side, to->spot);
    bool meets = beyond->mark[slot] & CRN_MARK_SEEN && g + beyond->g[slot] < b->best;
    if (meets) {
        nba_write(b, to);
        crn_bidir_meet(b, to->spot, g + beyond->g[slot]);
    }
    if (b->bounded) {
        uint64_t back = nba_estimate(b, uniform, other, to->spot);
        if (!crn_bidir_promises(b, other, g, rest, back)) return;
    } else if (g + rest >= b->best) {
        b->too_large = true;
        return;
    }
    if (!meets) nba_write(b, to);
    b->generated--; /* every push counts for a node that is seen for the first time */
    if (uniform) {
        crn_bidir_push_cell(b, side, to->page, to->spot, g + rest);
    } else {
        nba_push(b, side, to->spot, g + rest, (cairn_cost)g);
    }
}

static CRN_NOINLINE void nba_improve_any(crn_bidir *b, const crn_bidir_arrival *to)
{
    nba_improve(b, false, to);
}

CRN_NOINLINE void crn_bidir_relax(crn_bidir *b, const crn_bidir_arrival *to)
{
    nba_improve(b, true, to);
}

CRN_INLINE void nba_relax(crn_bidir *b, uint32_t slot, const crn_bidir_arrival *to)
{
    const crn_bidir_half *half = crn_bidir_half_at(to->page, b->sides[b->turn].half);
    if (half->mark[slot] & CRN_MARK_SEEN && to->g >= half->g[slot]) return;
    nba_improve_any(b, to);
}

/* ---- edges ---- */

/* Backward, the step leads from the cell beside this one to it, and what has a direction is asked
 * from there. */
CRN_INLINE void nba_cell_edges(crn_bidir *b, crn_page *page, crn_bidir_spot spot, cairn_cost g)
{
    const crn_grid_space *map = b->map;
    uint32_t x = (uint32_t)spot & 0xffff, y = (uint32_t)spot >> 16,
             moves = crn_grid_moves(map, x, y);
    bool back = b->turn == CRN_BACKWARD;
    cairn_node node = crn_bidir_node(b, spot);
    if (map->limited && !back) moves = crn_grid_limit_moves(map, x, y, moves);
    for (; moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves), step = back ? crn_opposite[d] : d;
        crn_bidir_arrival to = {.from = d};
        to.page = crn_bidir_beside(b, page, spot, d, &to.spot);
        cairn_node beside = crn_bidir_node(b, to.spot), from = back ? beside : node,
                   entered = back ? node : beside;
        if (map->limited && back &&
            !crn_grid_limit_moves(map, (uint32_t)to.spot & 0xffff, (uint32_t)to.spot >> 16,
                                  1u << step))
            continue;
        to.g = (uint64_t)g + crn_grid_step_cost(map, from, entered, step);
        nba_relax(b, (uint32_t)(to.spot >> 56), &to);
    }
}

/* A batch of edges is one unit of work; a node with more edges continues later. */
static void nba_node_edges(crn_bidir *b, cairn_node node, cairn_cost g)
{
    enum { BATCH = 32 };
    cairn_edge edges[BATCH];
    const cairn_space *space = b->space;
    uint32_t count =
        (b->turn == CRN_FORWARD ? space->functions->expand : space->functions->expand_back)(
            space, node, b->pending_edge, edges, BATCH);
    for (uint32_t i = 0; i < count; i++) {
        crn_bidir_arrival to = {
            .spot = edges[i].node, .from = node, .g = (uint64_t)g + edges[i].cost};
        to.page = crn_bidir_page(b, edges[i].node / CRN_PAGE);
        nba_relax(b, edges[i].node % CRN_PAGE, &to);
    }
    b->is_pending = count == BATCH;
    b->pending_edge += BATCH;
}

/* ---- the loops ---- */

/* Does a node that was taken from the list still pass the rules? */
CRN_INLINE bool nba_passes(const crn_bidir *b, bool uniform, crn_bidir_spot spot, cairn_cost g)
{
    const crn_bidir_side *side = &b->sides[b->turn], *other = &b->sides[!b->turn];
    return !b->bounded || crn_bidir_promises(b, other, g, nba_estimate(b, uniform, side, spot),
                                             nba_estimate(b, uniform, other, spot));
}

CRN_NOINLINE bool crn_bidir_take(crn_bidir *b, crn_bidir_spot spot, cairn_cost g)
{
    if (!nba_passes(b, true, spot, g)) return false;
    if (b->traced) crn_bidir_trace(b, CAIRN_EVENT_EXPAND, b->turn, spot);
    return true;
}

/* Takes a node from the list, of which not all edges are done yet, or the next one. False if it is
 * not to be expanded. */
static CRN_NOINLINE bool nba_enter(crn_bidir *b, crn_bidir_half *half, crn_bidir_spot spot)
{
    uint32_t slot = crn_bidir_slot(b, spot), mark = half->mark[slot];
    if (mark & CRN_MARK_CLOSED || !nba_passes(b, false, spot, half->g[slot])) return false;
    half->mark[slot] = (uint8_t)(mark | CRN_MARK_CLOSED);
    b->expanded++;
    b->pending = spot;
    b->pending_edge = 0;
    if (b->traced) crn_bidir_trace(b, CAIRN_EVENT_EXPAND, b->turn, spot);
    return true;
}

CRN_INLINE cairn_status nba_run(crn_bidir *b, bool cells, uint64_t work)
{
    const crn_scratch *memory = &b->search->memory;
    for (; work; work--) {
        uint32_t entry;
        bool going_on = !cells && b->is_pending;
        crn_bidir_spot spot = b->pending;
        b->work++;
        if (!going_on && !nba_take(b, cells, &entry)) return CAIRN_UNREACHABLE;
        if (!going_on) spot = entry;
        crn_page *page = cells ? crn_bidir_entry_page(b, entry, &spot) : b->table[spot / CRN_PAGE];
        crn_bidir_half *half = crn_bidir_half_at(page, b->sides[b->turn].half);
        if (!going_on && !nba_enter(b, half, spot)) continue;
        cairn_cost g = half->g[crn_bidir_slot(b, spot)];
        if (cells) {
            nba_cell_edges(b, page, spot, g);
        } else {
            nba_node_edges(b, (cairn_node)spot, g);
        }
        if (CRN_UNLIKELY(b->traced) && !b->is_pending)
            crn_bidir_trace(b, CAIRN_EVENT_CLOSE, b->turn, spot);
        if (CRN_UNLIKELY(memory->failed)) return CAIRN_OUT_OF_MEMORY;
    }
    return CAIRN_RUNNING;
}

cairn_status crn_bidir_cells(crn_bidir *b, uint64_t work)
{
    return nba_run(b, true, work);
}

cairn_status crn_bidir_nodes(crn_bidir *b, uint64_t work)
{
    return nba_run(b, false, work);
}
