/* bidirectional_nba.c: the loops of New Bidirectional A*. bidirectional.c has the idea and its
 * proof.
 *
 * There are three, which differ only in where edges, costs and estimates come from: cells of a
 * uniform grid (two costs, a table of moves in canonical order, one goal), cells of any grid without
 * links, and nodes of any space. The first two have buckets, the last has buckets or a heap.
 *
 * Until the sides meet a loop does what A* does, and looks at the other side of each node that it
 * generates. Afterwards every node must pass the two rules, before it is put on a list and again
 * when it is taken from it.
 */
#include "search/bidirectional/bidirectional.h"

typedef enum nba_kind { NBA_UNIFORM, NBA_CELLS, NBA_NODES } nba_kind;

/* ---- nodes and estimates ---- */

CRN_INLINE cairn_node nba_node(const crn_bidir *b, nba_kind kind, crn_bidir_spot spot)
{
    uint32_t place = (uint32_t)spot;
    if (kind == NBA_NODES) return place;
    return (place >> 16) * b->map->grid->width + (place & 0xffff);
}

CRN_INLINE uint64_t nba_estimate(const crn_bidir *b, nba_kind kind, const crn_bidir_side *side,
                                 crn_bidir_spot spot)
{
    if (kind != NBA_UNIFORM) return crn_estimate_node(&side->estimate, nba_node(b, kind, spot));
    int32_t x = (int32_t)(spot & 0xffff) - side->x, y = (int32_t)(spot >> 16 & 0xffff) - side->y;
    uint64_t dx = (uint64_t)(x < 0 ? -x : x), dy = (uint64_t)(y < 0 ? -y : y);
    return b->straight * (dx + dy) - b->shortcut * (dx < dy ? dx : dy);
}

CRN_INLINE uint32_t nba_slot(nba_kind kind, crn_bidir_spot spot)
{
    return kind == NBA_NODES ? (uint32_t)spot % CRN_PAGE : (uint32_t)(spot >> 56);
}

/* The page of an entry of a list, and its spot. */
CRN_INLINE crn_page *nba_entry_page(crn_bidir *b, nba_kind kind, uint32_t entry,
                                    crn_bidir_spot *spot)
{
    if (kind == NBA_NODES) {
        *spot = entry;
        return b->table[entry / CRN_PAGE];
    }
    crn_page *page = b->table[entry & 0xffffff];
    uint32_t slot = entry >> 24;
    *spot = (uint64_t)entry << 32 | (page->origin + (slot >> 4 << 16 | (slot & 15)));
    return page;
}

/* The spot one step in a direction away, and its page. */
CRN_INLINE crn_page *nba_beside(crn_bidir *b, crn_page *page, crn_bidir_spot from,
                                uint32_t direction, crn_bidir_spot *to)
{
    *to = from + b->spot_step[direction];
    if (CRN_LIKELY(((from ^ *to) & 0xfff0fff0) == 0)) return page;
    *to = crn_bidir_spot_of(b, (uint32_t)*to);
    return crn_bidir_page(b, (uint32_t)(*to >> 32) & 0xffffff);
}

/* ---- the open lists ---- */

CRN_INLINE void nba_push(crn_bidir *b, nba_kind kind, crn_bidir_side *side, crn_bidir_spot spot,
                         uint64_t key, cairn_cost g)
{
    uint32_t entry = kind == NBA_NODES ? (uint32_t)spot : (uint32_t)(spot >> 32);
    b->pushes++;
    side->open++;
    if (kind != NBA_UNIFORM && key < side->floor) side->floor = key; /* a unit less, at most */
    if (kind != NBA_NODES || b->bucketed) {
        crn_buckets_push(&side->buckets, key, entry);
    } else {
        crn_heap_push(&side->heap, key, ~g, entry);
    }
}

void crn_bidir_put(crn_bidir *b, uint32_t side, crn_bidir_spot spot, uint64_t key, cairn_cost g)
{
    if (b->loop == crn_bidir_nbs) { /* of equal f the least g */
        b->pushes++;
        crn_heap_push(&b->sides[side].heap, key, g, (uint32_t)spot);
    } else {
        nba_push(b, b->map ? NBA_CELLS : NBA_NODES, &b->sides[side], spot, key, g);
    }
}

/* Is the search over, with what both sides promise at least? Otherwise the one with the shorter
 * list is next. */
static bool nba_choose(crn_bidir *b)
{
    const crn_bidir_side *forward = &b->sides[CRN_FORWARD], *backward = &b->sides[CRN_BACKWARD];
    if (forward->floor >= b->best || backward->floor >= b->best) return false;
    b->turn = backward->open < forward->open;
    return true;
}

/* Moves a side on to its next bucket that is not empty, and chooses the side that is next. False if
 * nothing is left that matters. */
static CRN_NOINLINE bool nba_advance(crn_bidir *b)
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
    b->sides[b->turn].open--;
    return crn_heap_pop(&b->sides[b->turn].heap, entry);
}

/* Takes the next entry of the side whose turn it is. False if the search is over. */
CRN_INLINE bool nba_take(crn_bidir *b, nba_kind kind, uint32_t *entry)
{
    if (kind == NBA_NODES && !b->bucketed) return nba_take_heap(b, entry);
    while (CRN_UNLIKELY(!crn_buckets_pop(&b->sides[b->turn].buckets, entry))) {
        if (!nba_advance(b)) return false;
    }
    b->sides[b->turn].open--;
    return true;
}

/* ---- relaxing ---- */

/* A path to a node on this side, as it is to be written. */
typedef struct nba_arrival {
    crn_page *page;
    crn_bidir_spot spot;
    uint32_t from; /* the move, or the parent */
    uint64_t g;
} nba_arrival;

CRN_INLINE void nba_write(crn_bidir *b, nba_kind kind, const nba_arrival *to)
{
    const crn_bidir_side *side = &b->sides[b->turn];
    uint32_t slot = nba_slot(kind, to->spot);
    crn_bidir_half *half = crn_bidir_half_at(to->page, side->half);
    uint32_t mark = half->mark[slot];
    if (!(mark & CRN_MARK_SEEN)) b->generated++;
    if (mark & CRN_MARK_CLOSED) b->reopened++;
    half->g[slot] = (cairn_cost)to->g;
    half->mark[slot] = (uint8_t)(CRN_MARK_SEEN | (kind == NBA_NODES ? 0 : to->from));
    if (kind == NBA_NODES) crn_bidir_parents(side, to->page)[slot] = to->from;
    if (CRN_UNLIKELY(b->traced))
        crn_bidir_trace(b,
                        !(mark & CRN_MARK_SEEN)  ? CAIRN_EVENT_GENERATE
                        : mark & CRN_MARK_CLOSED ? CAIRN_EVENT_REOPEN
                                                 : CAIRN_EVENT_UPDATE,
                        b->turn, to->spot);
}

/* Relaxes a node about which something is rare: the other side knows it, there is a bound, or the
 * cost is large. */
CRN_INLINE void nba_relax_rare(crn_bidir *b, nba_kind kind, const nba_arrival *to, uint64_t rest)
{
    crn_bidir_side *side = &b->sides[b->turn], *other = &b->sides[!b->turn];
    uint32_t slot = nba_slot(kind, to->spot);
    const crn_bidir_half *beyond = crn_bidir_half_at(to->page, side->other_half);
    uint64_t g = to->g;
    bool written = false;
    if (beyond->mark[slot] & CRN_MARK_SEEN && g + beyond->g[slot] < b->best) {
        nba_write(b, kind, to);
        crn_bidir_meet(b, to->spot, g + beyond->g[slot]);
        written = true;
    }
    uint64_t back = b->bounded ? nba_estimate(b, kind, other, to->spot) : 0;
    bool pass = b->bounded ? crn_bidir_promises(b, other, g, rest, back) : g + rest < b->best;
    if (!pass) {
        b->too_large |= !b->bounded;
        return;
    }
    if (!written) nba_write(b, kind, to);
    nba_push(b, kind, side, to->spot, g + rest, (cairn_cost)g);
}

static CRN_NOINLINE void nba_relax_rare_uniform(crn_bidir *b, const nba_arrival *to, uint64_t rest)
{
    nba_relax_rare(b, NBA_UNIFORM, to, rest);
}

CRN_INLINE void nba_relax(crn_bidir *b, nba_kind kind, const nba_arrival *to)
{
    crn_bidir_side *side = &b->sides[b->turn];
    uint32_t slot = nba_slot(kind, to->spot);
    crn_bidir_half *half = crn_bidir_half_at(to->page, side->half);
    uint32_t mark = half->mark[slot];
    if (mark & CRN_MARK_SEEN && to->g >= half->g[slot]) return;
    uint64_t rest = nba_estimate(b, kind, side, to->spot);
    if (kind != NBA_UNIFORM) {
        nba_relax_rare(b, kind, to, rest);
        return;
    }
    uint32_t rare = mark | crn_bidir_half_at(to->page, side->other_half)->mark[slot] | b->bounded;
    if (CRN_UNLIKELY(rare) || CRN_UNLIKELY(b->traced) || to->g + rest >= b->best) {
        nba_relax_rare_uniform(b, to, rest);
        return;
    }
    b->generated++;
    half->g[slot] = (cairn_cost)to->g;
    half->mark[slot] = (uint8_t)(CRN_MARK_SEEN | to->from);
    nba_push(b, kind, side, to->spot, to->g + rest, (cairn_cost)to->g);
}

/* ---- edges ---- */

CRN_INLINE void nba_uniform_edges(crn_bidir *b, crn_page *page, crn_bidir_spot spot, uint32_t mark,
                                  cairn_cost g)
{
    const crn_grid_space *map = b->map;
    uint32_t pattern = crn_grid_pattern(map, (uint32_t)spot & 0xffff, (uint32_t)spot >> 16);
    for (uint32_t moves = map->canonical[mark & CRN_MARK_MOVE][pattern]; moves;
         moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves);
        nba_arrival to = {.from = d, .g = (uint64_t)g + b->step[d]};
        to.page = nba_beside(b, page, spot, d, &to.spot);
        nba_relax(b, NBA_UNIFORM, &to);
    }
}

/* Backward, the step leads from the cell beside this one to it, and what has a direction is asked
 * from there. */
CRN_INLINE void nba_cell_edges(crn_bidir *b, crn_page *page, crn_bidir_spot spot, cairn_cost g)
{
    const crn_grid_space *map = b->map;
    uint32_t x = (uint32_t)spot & 0xffff, y = (uint32_t)spot >> 16,
             moves = crn_grid_moves(map, x, y);
    bool back = b->turn == CRN_BACKWARD;
    cairn_node node = nba_node(b, NBA_CELLS, spot);
    if (map->limited && !back) moves = crn_grid_limit_moves(map, x, y, moves);
    for (; moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves), turned = crn_opposite[d];
        nba_arrival to = {.from = d};
        to.page = nba_beside(b, page, spot, d, &to.spot);
        cairn_node beside = nba_node(b, NBA_CELLS, to.spot);
        if (map->limited && back &&
            !crn_grid_limit_moves(map, (uint32_t)to.spot & 0xffff, (uint32_t)to.spot >> 16,
                                  1u << turned))
            continue;
        to.g = (uint64_t)g + (back ? crn_grid_step_cost(map, beside, node, turned)
                                   : crn_grid_step_cost(map, node, beside, d));
        nba_relax(b, NBA_CELLS, &to);
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
        nba_arrival to = {.spot = edges[i].node, .from = node, .g = (uint64_t)g + edges[i].cost};
        to.page = crn_bidir_page(b, edges[i].node / CRN_PAGE);
        nba_relax(b, NBA_NODES, &to);
    }
    b->is_pending = count == BATCH;
    b->pending_edge += BATCH;
}

/* ---- the loops ---- */

/* Does a node that was taken from the list still pass the rules? */
CRN_INLINE bool nba_passes(const crn_bidir *b, nba_kind kind, crn_bidir_spot spot, cairn_cost g)
{
    const crn_bidir_side *side = &b->sides[b->turn], *other = &b->sides[!b->turn];
    return !b->bounded || crn_bidir_promises(b, other, g, nba_estimate(b, kind, side, spot),
                                             nba_estimate(b, kind, other, spot));
}

CRN_INLINE void nba_expand(crn_bidir *b, nba_kind kind, crn_page *page, crn_bidir_spot spot,
                           uint32_t mark, cairn_cost g)
{
    if (kind == NBA_NODES) {
        nba_node_edges(b, (cairn_node)spot, g);
    } else if (kind == NBA_UNIFORM) {
        nba_uniform_edges(b, page, spot, mark, g);
    } else {
        nba_cell_edges(b, page, spot, g);
    }
    if (CRN_UNLIKELY(b->traced) && !(kind == NBA_NODES && b->is_pending))
        crn_bidir_trace(b, CAIRN_EVENT_CLOSE, b->turn, spot);
}

CRN_INLINE cairn_status nba_run(crn_bidir *b, nba_kind kind, uint64_t work)
{
    const crn_scratch *memory = &b->search->memory;
    for (; work; work--) {
        uint32_t entry = (uint32_t)b->pending;
        b->work++;
        bool going_on = kind == NBA_NODES && b->is_pending;
        if (!going_on && !nba_take(b, kind, &entry)) return CAIRN_UNREACHABLE;
        crn_bidir_spot spot;
        crn_page *page = nba_entry_page(b, kind, entry, &spot);
        uint32_t slot = nba_slot(kind, spot);
        crn_bidir_half *half = crn_bidir_half_at(page, b->sides[b->turn].half);
        uint32_t mark = half->mark[slot];
        cairn_cost g = half->g[slot];
        if (!going_on) {
            /* an older entry of a node that is done, or one that is too late */
            if (CRN_UNLIKELY(mark & CRN_MARK_CLOSED) || !nba_passes(b, kind, spot, g)) continue;
            half->mark[slot] = (uint8_t)(mark | CRN_MARK_CLOSED);
            b->expanded++;
            b->pending = spot;
            b->pending_edge = 0;
            if (CRN_UNLIKELY(b->traced)) crn_bidir_trace(b, CAIRN_EVENT_EXPAND, b->turn, spot);
        }
        nba_expand(b, kind, page, spot, mark, g);
        if (CRN_UNLIKELY(memory->failed)) return CAIRN_OUT_OF_MEMORY;
    }
    return CAIRN_RUNNING;
}

cairn_status crn_bidir_uniform(crn_bidir *b, uint64_t work)
{
    return nba_run(b, NBA_UNIFORM, work);
}

cairn_status crn_bidir_cells(crn_bidir *b, uint64_t work)
{
    return nba_run(b, NBA_CELLS, work);
}

cairn_status crn_bidir_nodes(crn_bidir *b, uint64_t work)
{
    return nba_run(b, NBA_NODES, work);
}
