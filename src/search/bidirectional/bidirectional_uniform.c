/* bidirectional_uniform.c: the loop of New Bidirectional A* for uniform grids with one goal, in as
 * few instructions as possible. bidirectional.c has the idea, bidirectional_nba.c the same for any
 * grid and any space.
 *
 * It is written once and compiled for each of the two sides, so that both halves of a page, and all
 * that belongs to a side, have constant places. A side works until its bucket is empty.
 * - Moves come from a table, in canonical order (grid_space.c): nearly every cell is relaxed once.
 * - A cell that neither side knows, before the sides have met, is the usual case, and the only one
 *   handled here. All others are left to crn_bidir_relax.
 * - The last cell put into the current bucket would be the next to be taken out. It stays in hand
 *   instead, with its record. The order is the same.
 */
#include "search/bidirectional/bidirectional.h"

#define BIDIR_SECOND_HALF ((sizeof(crn_page) + 7) / 8 * 8) /* records.c */

CRN_INLINE crn_bidir_half *bidir_uniform_half(crn_page *page, uint32_t side)
{
    return crn_bidir_half_at(page, side == CRN_FORWARD ? 0 : BIDIR_SECOND_HALF);
}

CRN_INLINE void bidir_uniform_relax(crn_bidir *b, uint32_t turn, crn_page *page,
                                    crn_bidir_spot spot, uint32_t move, uint64_t g)
{
    crn_bidir_side *side = &b->sides[turn];
    crn_bidir_half *half = bidir_uniform_half(page, turn);
    uint64_t slot = spot >> 56;
    uint32_t mark = half->mark[slot];
    if (mark && g >= half->g[slot]) return;
    uint32_t known = mark | bidir_uniform_half(page, !turn)->mark[slot];
    if (CRN_UNLIKELY(known) || CRN_UNLIKELY(g >= b->watch)) {
        crn_bidir_relax(b, &(crn_bidir_arrival){page, spot, move, g});
        return;
    }
    half->g[slot] = (cairn_cost)g;
    half->mark[slot] = (uint8_t)(CRN_MARK_SEEN | move);
    crn_bidir_push_cell(b, side, page, spot, g + crn_bidir_octile(b, side, (uint32_t)spot));
}

CRN_INLINE void bidir_uniform_expand(crn_bidir *b, uint32_t turn, crn_page *page,
                                     crn_bidir_spot spot, uint32_t mark, cairn_cost g)
{
    const crn_grid_space *map = b->map;
    uint32_t pattern = crn_bits_pattern(&b->usable, (uint32_t)spot & 0xffff, (uint32_t)spot >> 16);
    for (uint64_t moves = map->canonical[mark & CRN_MARK_MOVE][pattern]; moves;
         moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves);
        crn_bidir_spot beside;
        crn_page *beside_page = crn_bidir_beside(b, page, spot, d, &beside);
        bidir_uniform_relax(b, turn, beside_page, beside, d, (uint64_t)g + b->step[d]);
    }
}

/* Works for one side, at most this many units, until its bucket is empty. Returns those that are
 * left. */
CRN_INLINE uint64_t bidir_uniform_run(crn_bidir *b, uint32_t turn, uint64_t left)
{
    crn_bidir_side *side = &b->sides[turn];
    const crn_scratch *memory = &b->search->memory;
    for (; left && !memory->failed; left--) {
        crn_page *page = b->hand;
        crn_bidir_spot spot = b->hand_spot;
        if (page) {
            b->hand = NULL;
        } else {
            uint32_t entry;
            if (CRN_UNLIKELY(!crn_buckets_pop(&side->buckets, &entry))) break;
            page = crn_bidir_entry_page(b, entry, &spot);
        }
        side->taken++;
        crn_bidir_half *half = bidir_uniform_half(page, turn);
        uint64_t slot = spot >> 56;
        uint32_t mark = half->mark[slot];
        cairn_cost g = half->g[slot];
        if (CRN_UNLIKELY(mark & CRN_MARK_CLOSED)) continue; /* an older entry */
        if (!b->watch && !crn_bidir_take(b, spot, g)) continue;
        half->mark[slot] = (uint8_t)(mark | CRN_MARK_CLOSED);
        b->expanded++;
        bidir_uniform_expand(b, turn, page, spot, mark, g);
        if (CRN_UNLIKELY(b->traced)) crn_bidir_trace(b, CAIRN_EVENT_CLOSE, turn, spot);
    }
    return left;
}

static CRN_NOINLINE uint64_t bidir_uniform_forward(crn_bidir *b, uint64_t left)
{
    return bidir_uniform_run(b, CRN_FORWARD, left);
}

static CRN_NOINLINE uint64_t bidir_uniform_backward(crn_bidir *b, uint64_t left)
{
    return bidir_uniform_run(b, CRN_BACKWARD, left);
}

cairn_status crn_bidir_uniform(crn_bidir *b, uint64_t work)
{
    cairn_status status = CAIRN_RUNNING;
    uint64_t left = work;
    while (left && status == CAIRN_RUNNING) {
        left = b->turn == CRN_FORWARD ? bidir_uniform_forward(b, left)
                                      : bidir_uniform_backward(b, left);
        if (b->search->memory.failed) {
            status = CAIRN_OUT_OF_MEMORY;
        } else if (left && !crn_bidir_advance(b)) {
            left--; /* seeing that nothing is left is work too */
            status = CAIRN_UNREACHABLE;
        }
    }
    b->work += work - left;
    return status;
}
