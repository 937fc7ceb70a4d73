/* best_first_run.h: the best-first loop.
 *
 * The loop (best_first_run) takes the most promising node from the open list, skips it if it was
 * closed meanwhile, closes it, and relaxes each neighbour with the cost of the path through it. A
 * path that is cheaper than the neighbour's record replaces it, and reopens a closed node.
 *
 * When does it end? With a heap (without bands), or another list that sorts strictly: when a goal
 * is taken from it or, by the longer rule, when nothing is left that is cheaper than the goal. With
 * buckets or bands: as soon as the floor of the bucket is no less than the cost of a goal; until
 * then that cost bounds what is worth pushing. Both promise the same: no key that is left can beat
 * the goal.
 *
 * What the loop works on are plugs, constants of an instance. best_first_plugs.h has the keys, the
 * open lists and relaxation, best_first_edges.h the edges of spaces. BEST_FIRST_INSTANCE makes an
 * instance. */
#ifndef CRN_BEST_FIRST_RUN_H
#define CRN_BEST_FIRST_RUN_H

#include "search/best_first_edges.h"

/* Is the open node not worth expanding, or the end of the search? */
CRN_INLINE bool best_first_skip(crn_best_first *bf, const best_first_plugs *plugs, crn_place place,
                                uint32_t mark, cairn_cost g)
{
    /* Once a goal is known, what is left in its bucket or band may be too expensive. */
    if (plugs->list == BEST_FIRST_BUCKETS || (plugs->list == BEST_FIRST_HEAP && bf->bands))
        return CRN_UNLIKELY(bf->goal_found) && best_first_f(bf, plugs, place, g) >= bf->bound;
    if (mark & CRN_MARK_GOAL) crn_best_first_note_goal(bf, place, g);
    return bf->goal_found && g > bf->goal_cost;
}

/* Was a goal taken from a list that promises that nothing cheaper is left on it? */
CRN_INLINE bool best_first_is_done(const crn_best_first *bf, const best_first_plugs *plugs)
{
    return plugs->list != BEST_FIRST_BUCKETS && bf->goal_found && !bf->settings.longer &&
           !bf->bands;
}

/* Ends a slice early: work was counted for the whole slice, and what is left is taken back. Ending
 * is work too. */
CRN_INLINE cairn_status best_first_leave(crn_best_first *bf, uint64_t work, cairn_status status)
{
    bf->work -= work - 1;
    return status;
}

/* A node is about to be expanded. */
CRN_INLINE void best_first_attend(crn_best_first *bf, const best_first_plugs *plugs,
                                  crn_place place, cairn_cost g)
{
    if (bf->settings.bpmx) bf->lift = crn_best_first_lift(bf, place, g);
    if (bf->settings.fast) bf->key = best_first_f(bf, plugs, place, g);
    if (bf->traced) crn_best_first_trace(bf, CAIRN_EVENT_EXPAND, place);
}

/* A long list does the work before the next pop in several units. */
CRN_INLINE bool best_first_list_is_ready(crn_best_first *bf)
{
    bool ready = !bf->lists->work || bf->lists->work(bf->list, CRN_OPEN_STEPS);
    return ready && !bf->memory->failed;
}

CRN_INLINE cairn_status best_first_run(crn_best_first *bf, const best_first_plugs *plugs,
                                       uint64_t work)
{
    const bool watched = !best_first_is_plain(plugs), parents = best_first_has_parents(plugs);
    bf->work += work;
    for (; work; work--) {
        crn_place place;
        uint32_t slot;
        cairn_cost g;
        if (CRN_UNLIKELY(bf->is_pending)) {
            bf->is_pending = false;
            place = bf->pending;
            g = best_first_page_of(bf, plugs, place, &slot)->g[slot];
            if (!parents) best_first_link_batch(bf, plugs, place, g, bf->pending_edge);
        } else {
            if (plugs->list == BEST_FIRST_PLUG && !best_first_list_is_ready(bf)) {
                if (bf->memory->failed) return best_first_leave(bf, work, CAIRN_OUT_OF_MEMORY);
                continue;
            }
            if (!best_first_take(bf, plugs, &place))
                return best_first_leave(bf, work, crn_best_first_ended(bf));
            crn_page *page = best_first_page_of(bf, plugs, place, &slot);
            uint32_t mark = page->mark[slot];
            if (mark & CRN_MARK_CLOSED) continue; /* an older entry of a node that is done */
            g = page->g[slot];
            if (plugs->space == BEST_FIRST_SIGHT &&
                !bf->settings.lines->settle(bf, page, slot, place, &g))
                continue;
            if (best_first_skip(bf, plugs, place, mark, g)) continue;
            if (best_first_is_done(bf, plugs))
                return best_first_leave(bf, work, crn_best_first_ended(bf));
            page->mark[slot] = (uint8_t)(mark | CRN_MARK_CLOSED);
            bf->expanded++;
            if (parents) bf->pending_edge = 0;
            if (watched && CRN_UNLIKELY(bf->attentive)) best_first_attend(bf, plugs, place, g);
            if (!parents) best_first_cell_edges(bf, plugs, mark, place, g);
        }
        if (parents) best_first_node_edges(bf, plugs, place, g);
        if (watched && CRN_UNLIKELY(bf->traced) && !bf->is_pending)
            crn_best_first_trace(bf, CAIRN_EVENT_CLOSE, place);
        if (CRN_UNLIKELY(bf->memory->failed))
            return best_first_leave(bf, work, CAIRN_OUT_OF_MEMORY);
    }
    return CAIRN_RUNNING;
}

/* The loop best_first_NAME for these plugs, and its own best_first_improve. */
#define BEST_FIRST_INSTANCE(name, on, by, guess) \
    static best_first_taker best_first_##name##_improve; \
    static const best_first_plugs best_first_##name##_plugs = { \
        BEST_FIRST_##on, BEST_FIRST_##by, BEST_FIRST_##guess, best_first_##name##_improve}; \
    static CRN_NOINLINE void best_first_##name##_improve(crn_best_first *bf, crn_page *page, \
                                                         uint32_t slot, crn_place place, \
                                                         uint32_t move, cairn_cost g) \
    { \
        best_first_improve(bf, &best_first_##name##_plugs, page, slot, place, move, g); \
    } \
    static cairn_status best_first_##name(crn_best_first *bf, uint64_t work) \
    { \
        return best_first_run(bf, &best_first_##name##_plugs, work); \
    }

#endif
