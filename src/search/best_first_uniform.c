/* best_first_uniform.c: the best-first loop for uniform grids with buckets, which most searches
 * use. It does what best_first_loops.c does, in as few instructions as possible.
 *
 * - Moves come from a table. The canonical order leaves one of them after most straight steps, and
 *   three after a diagonal one (grid_space.c), so that nearly every cell is relaxed once.
 * - A cell beside this one lies in the same tile of records or, rarely, in one that must be looked
 *   up.
 * - What is rare about a cell (it was seen before, it is a goal) shows in its mark, which is else
 *   0. What is rare about a query (links, a sink, costs near the largest, a goal was found) shows
 *   in one number, bf->watch. Such cells are expanded by uniform_expand_rare, which handles
 *   everything.
 * - The last cell put into the current bucket would be the next to be taken out. It stays in hand
 *   instead, with its record. The order is the same.
 * - Pushes are counted. bf->generated counts only the difference between them and the cells seen
 *   for the first time.
 *
 * Its instances differ only by the estimate.
 */
#include "heuristic/landmarks.h"
#include "search/best_first_edges.h"

typedef enum uniform_estimate {
    /* to a single cell, f = g + h in 32 bits; keys stay within the reach of buckets */
    UNIFORM_OCTILE,
    UNIFORM_LANDMARKS, /* the same, with landmarks that keep keys there too */
    UNIFORM_SCALED,    /* f = g + w·h, to a box; a plug may refine it */
    UNIFORM_GATED,     /* the same, with links that are shortcuts */
    UNIFORM_NOTHING,   /* f = g */
    UNIFORM_ASKED      /* whatever was asked for */
} uniform_estimate;

/* The larger of the octile distance and the landmarks' bound. Columns have the tiles of pages. */
CRN_INLINE cairn_cost uniform_landmarks_h(const crn_best_first *bf, crn_spot spot)
{
    const crn_estimate_note *note = &bf->estimate.note;
    int64_t most = best_first_octile(bf, best_first_spot_place(spot));
    size_t at = (spot.value >> 24 & 0xffffff00) | crn_landmarks_blocks[best_first_spot_slot(spot)];
    for (uint32_t i = 0; i < CRN_LANDMARKS_USED; i++) {
        if (i == CRN_LANDMARKS_FEW && note->column_count == CRN_LANDMARKS_FEW) break;
        int64_t bound = crn_landmarks_bound(&note->columns[i], at);
        most = bound > most ? bound : most;
    }
    return (cairn_cost)most;
}

CRN_INLINE uint64_t uniform_key(const crn_best_first *bf, uniform_estimate estimate,
                                const crn_page *page, crn_spot spot, cairn_cost g)
{
    crn_place place = best_first_spot_place(spot);
    switch (estimate) {
    case UNIFORM_OCTILE: return (uint64_t)g + best_first_octile(bf, place);
    case UNIFORM_LANDMARKS: return (uint64_t)g + uniform_landmarks_h(bf, spot);
    case UNIFORM_SCALED:
        return best_first_key(bf, g,
                              best_first_refined(bf, place, best_first_scaled_octile(bf, place)));
    case UNIFORM_GATED:
        return best_first_key(
            bf, g, best_first_refined(bf, place, best_first_gated_octile(bf, page, place)));
    case UNIFORM_NOTHING: return best_first_key(bf, g, 0);
    default: return best_first_key(bf, g, crn_best_first_estimate(bf, place));
    }
}

/* ---- the open list ---- */

/* Puts a cell on the open list. If it belongs into the current bucket, it goes into the hand, and
 * the cell that was there goes on the list. The key must lie in the window of the buckets. */
CRN_INLINE void uniform_push_near(crn_best_first *bf, crn_page *page, crn_spot spot, uint64_t key)
{
    crn_bucket *bucket = crn_buckets_find(&bf->buckets, key);
    if (bucket == bf->buckets.top) {
        crn_hand before = bf->hand;
        bf->hand = (crn_hand){page, spot};
        if (!before.page) return;
        spot = before.spot;
    }
    crn_buckets_push_near(&bf->buckets, bucket, best_first_spot_entry(spot));
}

/* The same for any key. */
static CRN_NOINLINE void uniform_push(crn_best_first *bf, crn_page *page, crn_spot spot,
                                      uint64_t key)
{
    uint64_t ahead = (key >> bf->buckets.shift) - bf->buckets.current;
    if (CRN_UNLIKELY(ahead > bf->buckets.mask)) {
        if (bf->hand.page)
            crn_buckets_push_near(&bf->buckets, bf->buckets.top,
                                  best_first_spot_entry(bf->hand.spot));
        bf->hand.page = NULL;
        crn_buckets_push(&bf->buckets, key, best_first_spot_entry(spot));
        return;
    }
    uniform_push_near(bf, page, spot, key);
}

/* Moves on to the next bucket that is not empty. False if none is left that matters, or if there is
 * no memory. */
static CRN_NOINLINE bool uniform_advance(crn_best_first *bf)
{
    if (bf->memory->failed || !crn_buckets_advance(&bf->buckets)) return false;
    return crn_buckets_floor(&bf->buckets) < bf->bound || bf->buckets.displaced;
}

/* ---- relaxing ---- */

/* What a sink and a goal ask for when a path to a cell was written, which had this mark before.
 * Returns what uniform_renew does. */
static CRN_NOINLINE bool uniform_announce(crn_best_first *bf, crn_place place, uint32_t seen,
                                          uint32_t mark, cairn_cost g)
{
    if (bf->traced) crn_best_first_report(bf, place, seen, mark, g);
    if (!(mark & CRN_MARK_GOAL)) return true;
    bf->generated++;
    crn_best_first_note_goal(bf, place, g);
    return false;
}

/* Writes a path to a cell whose mark is not 0: one that was seen before, a goal, or one that only
 * too expensive paths led to. Returns whether the cell is to be put on the open list. */
static CRN_NOINLINE bool uniform_renew(crn_best_first *bf, crn_page *page, crn_spot spot,
                                       uint32_t seen, cairn_cost g)
{
    uint32_t slot = (uint32_t)best_first_spot_slot(spot), mark = page->mark[slot];
    if (mark & CRN_MARK_SEEN) bf->generated--;
    best_first_note_return(bf, mark);
    page->mark[slot] = (uint8_t)((mark & CRN_MARK_GOAL) | seen);
    page->g[slot] = g;
    if (CRN_LIKELY(!bf->traced && !(mark & CRN_MARK_GOAL))) return true;
    return uniform_announce(bf, best_first_spot_place(spot), seen, mark, g);
}

/* Relaxes a cell: a path to it costs g, and its last step is `move`. If it is the first or a
 * cheaper one, writes it down and puts the cell on the open list.
 * - `near`: keys do not fall, nor rise farther than the buckets reach, and none is known to be too
 *   large.
 * - `watched`: there may be a sink. */
CRN_INLINE void uniform_relax(crn_best_first *bf, uniform_estimate estimate, crn_page *page,
                              crn_spot spot, uint32_t move, cairn_cost g, bool near, bool watched)
{
    if (!near && g > bf->limit) return;
    uint64_t slot = best_first_spot_slot(spot);
    uint32_t mark = page->mark[slot], seen = CRN_MARK_SEEN | move;
    if (CRN_LIKELY(mark == 0)) {
        page->mark[slot] = (uint8_t)seen;
        page->g[slot] = g;
        if (watched && bf->traced)
            crn_best_first_report(bf, best_first_spot_place(spot), move, 0, g);
    } else if ((mark & CRN_MARK_SEEN && g >= page->g[slot]) ||
               !uniform_renew(bf, page, spot, seen, g)) {
        return;
    }
    uint64_t key = uniform_key(bf, estimate, page, spot, g);
    if (!near && key >= bf->bound) {
        bf->generated++;
        return;
    }
    bf->pushes++;
    if (near) {
        uniform_push_near(bf, page, spot, key);
    } else {
        uniform_push(bf, page, spot, key);
    }
}

/* ---- rare cells ---- */

static crn_loop uniform_octile, uniform_landmarks;

/* Do keys neither fall nor rise farther than the buckets reach? */
CRN_INLINE bool uniform_is_near(uniform_estimate estimate)
{
    return estimate == UNIFORM_OCTILE || estimate == UNIFORM_LANDMARKS;
}

CRN_INLINE uniform_estimate uniform_rare_estimate(const crn_best_first *bf)
{
    bool octile = bf->estimate.metric == CAIRN_HEURISTIC_OCTILE && !bf->estimate.box.gate_count;
    return octile ? UNIFORM_SCALED : UNIFORM_ASKED;
}

static CRN_NOINLINE void uniform_improve(crn_best_first *bf, crn_page *page, uint32_t slot,
                                         crn_place place, uint32_t move, cairn_cost g)
{
    (void)slot;
    crn_spot spot;
    page = best_first_spot_page(bf, place, &spot);
    uniform_relax(bf, uniform_rare_estimate(bf), page, spot, move, g, bf->near, true);
}

/* The edges of any uniform grid, relaxed as in this file. */
static const best_first_plugs uniform_rare = {BEST_FIRST_UNIFORM, BEST_FIRST_BUCKETS,
                                              BEST_FIRST_OCTILE, uniform_improve};

/* Does a link leave this cell? */
CRN_INLINE bool uniform_leaves(const crn_best_first *bf, crn_place place)
{
    return bf->linked && crn_bit(&bf->map->links.from, (int32_t)(place.value & 0xffff),
                                 (int32_t)(place.value >> 16));
}

/* Goes on with the links of a cell that has many, as long as there is work left. Those units expand
 * no cell. */
static CRN_NOINLINE void uniform_links_on(crn_best_first *bf)
{
    for (; bf->is_pending && bf->left; bf->left--) {
        crn_spot spot;
        const crn_page *page = best_first_spot_page(bf, bf->pending, &spot);
        bf->is_pending = false;
        bf->expanded--;
        bf->near = false;
        best_first_link_batch(bf, &uniform_rare, bf->pending, page->g[best_first_spot_slot(spot)],
                              bf->pending_edge);
        if (bf->traced && !bf->is_pending) crn_best_first_trace(bf, CAIRN_EVENT_CLOSE, bf->pending);
    }
}

/* Expands a cell with everything that is rare. */
static CRN_NOINLINE void uniform_expand_rare(crn_best_first *bf, crn_page *page, crn_spot spot,
                                             cairn_cost g)
{
    crn_place place = best_first_spot_place(spot);
    uint32_t slot = (uint32_t)best_first_spot_slot(spot);
    page->mark[slot] |= CRN_MARK_CLOSED;
    /* A sink must see what is done without one. Where the sink is the only rare thing, bounds are
     * not checked either. */
    bool common = !bf->goal_found && !uniform_leaves(bf, place) && g < bf->overflow;
    bf->near = common && (bf->loop == uniform_octile || bf->loop == uniform_landmarks);
    if (bf->traced) crn_best_first_trace(bf, CAIRN_EVENT_EXPAND, place);
    best_first_cell_edges(bf, &uniform_rare, page->mark[slot], place, g);
    if (bf->traced && !bf->is_pending) crn_best_first_trace(bf, CAIRN_EVENT_CLOSE, place);
    bf->left--; /* this one, as more links are further units */
    if (CRN_UNLIKELY(bf->is_pending)) uniform_links_on(bf);
    bf->left++;
}

/* Once a goal is known, what is left in its bucket may be too expensive. */
CRN_INLINE bool uniform_is_late(const crn_best_first *bf, uniform_estimate estimate,
                                const crn_page *page, crn_spot spot, cairn_cost g)
{
    return bf->goal_found && uniform_key(bf, estimate, page, spot, g) >= bf->bound;
}

/* ---- the loop ---- */

/* The mark says: seen, and by which move; nothing else. */
CRN_INLINE void uniform_expand(crn_best_first *bf, uniform_estimate estimate, crn_page *page,
                               crn_spot spot, uint64_t mark, cairn_cost g)
{
    crn_place place = best_first_spot_place(spot);
    page->mark[best_first_spot_slot(spot)] = (uint8_t)(mark + CRN_MARK_CLOSED);
    uint32_t pattern = crn_bits_pattern(&bf->usable, place.value & 0xffff, place.value >> 16);
    for (uint64_t moves = bf->moves[mark - CRN_MARK_SEEN][pattern]; moves; moves &= moves - 1) {
        uint64_t d = crn_lowest_bit(moves);
        cairn_cost cost = g + bf->step[d];
        crn_spot beside;
        crn_page *beside_page = best_first_beside_page(bf, page, spot, d, &beside);
        uniform_relax(bf, estimate, beside_page, beside, (uint32_t)d, cost,
                      uniform_is_near(estimate), false);
    }
}

/* Does a cell have nothing rare about it, although there are links? */
CRN_INLINE bool uniform_is_calm(const crn_best_first *bf, crn_spot spot, cairn_cost g)
{
    return g < bf->calm && !uniform_leaves(bf, best_first_spot_place(spot));
}

CRN_INLINE cairn_status uniform_run(crn_best_first *bf, uniform_estimate estimate, uint64_t work)
{
    bf->work += work; /* less what is left at the end */
    bf->expanded += work;
    bf->left = work;
    if (CRN_UNLIKELY(bf->is_pending)) uniform_links_on(bf);
    for (; bf->left; bf->left--) {
        /* kept in memory, as there are too few registers */
        crn_page *page = bf->hand.page;
        crn_spot spot;
        if (page) {
            spot = bf->hand.spot;
            bf->hand.page = NULL;
            bf->from_hand++;
        } else {
            uint32_t entry;
            while (CRN_UNLIKELY(!crn_buckets_pop(&bf->buckets, &entry))) {
                if (uniform_advance(bf)) continue;
                bf->work -= bf->left - 1; /* seeing that nothing is left is work too */
                bf->expanded -= bf->left;
                return bf->memory->failed ? CAIRN_OUT_OF_MEMORY : crn_best_first_ended(bf);
            }
            page = best_first_entry_page(bf, entry, &spot);
        }
        uint64_t slot = best_first_spot_slot(spot), mark = page->mark[slot];
        cairn_cost g = page->g[slot];
        if (CRN_UNLIKELY(mark & CRN_MARK_CLOSED)) { /* an older entry of a cell that is done */
            bf->expanded--;
        } else if (CRN_LIKELY(g < bf->watch) || uniform_is_calm(bf, spot, g)) {
            uniform_expand(bf, estimate, page, spot, mark, g);
        } else if (uniform_is_late(bf, estimate, page, spot, g)) {
            bf->expanded--;
        } else {
            uniform_expand_rare(bf, page, spot, g);
        }
    }
    return bf->memory->failed ? CAIRN_OUT_OF_MEMORY : CAIRN_RUNNING;
}

/* ---- the instances ---- */

static cairn_status uniform_octile(crn_best_first *bf, uint64_t work)
{
    return uniform_run(bf, UNIFORM_OCTILE, work);
}

static cairn_status uniform_landmarks(crn_best_first *bf, uint64_t work)
{
    return uniform_run(bf, UNIFORM_LANDMARKS, work);
}

static cairn_status uniform_scaled(crn_best_first *bf, uint64_t work)
{
    return uniform_run(bf, UNIFORM_SCALED, work);
}

static cairn_status uniform_gated(crn_best_first *bf, uint64_t work)
{
    return uniform_run(bf, UNIFORM_GATED, work);
}

static cairn_status uniform_nothing(crn_best_first *bf, uint64_t work)
{
    return uniform_run(bf, UNIFORM_NOTHING, work);
}

static cairn_status uniform_asked(crn_best_first *bf, uint64_t work)
{
    return uniform_run(bf, UNIFORM_ASKED, work);
}

/* Is it A* to a single cell, with estimates that fit 32 bits? It checks the bound only from bucket
 * to bucket, so there must be no limit of cost. */
static bool uniform_is_octile(const crn_best_first *bf)
{
    const crn_box *box = &bf->estimate.box;
    bool cell = box->left == box->right && box->top == box->bottom;
    uint64_t farthest = (uint64_t)bf->straight * (bf->map->grid->width + bf->map->grid->height);
    return cell && bf->bound == CRN_NO_BOUND && farthest <= CAIRN_COST_MAX &&
           bf->settings.estimate_weight == 256 && bf->settings.cost_weight == 1;
}

/* Links may lead from reached cells to far ones, and then keys rise. */
static crn_loop *uniform_choose_octile(crn_best_first *bf)
{
    if (!uniform_is_octile(bf)) return uniform_scaled;
    if (!bf->estimate.refine) return uniform_octile;
    return !bf->linked && crn_landmarks_tiled(&bf->estimate) ? uniform_landmarks : uniform_scaled;
}

crn_loop *crn_best_first_choose_uniform(crn_best_first *bf)
{
    if (bf->estimate.metric == CAIRN_HEURISTIC_OCTILE)
        return bf->estimate.box.gate_count ? uniform_gated : uniform_choose_octile(bf);
    if (bf->estimate.metric == CAIRN_HEURISTIC_NULL && !bf->estimate.refine) return uniform_nothing;
    return uniform_asked;
}

bool crn_best_first_is_octile(const crn_best_first *bf)
{
    return bf->loop == uniform_octile && !bf->traced;
}
