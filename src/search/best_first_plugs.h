/* best_first_plugs.h: what differs between the instances of the best-first loop, and how a node is
 * relaxed.
 *
 * An instance is a constant, best_first_plugs: a kind of space, an open list, and how it estimates.
 * All functions that read it are inlined into the instance, so that the compiler decides each `if`
 * on it. The text reads like one loop that asks what it works on, and the code of an instance has
 * only its own part.
 *
 * Expanding a node relaxes each of its neighbours (best_first_relax). A path that the keep rule
 * wants is written into the record, and the node is put on the open list (best_first_improve). Most
 * relaxations change nothing, so the latter is a call, the only function that each instance has for
 * itself.
 */
#ifndef CRN_BEST_FIRST_PLUGS_H
#define CRN_BEST_FIRST_PLUGS_H

#include "search/best_first_loops.h"

/* The kinds of spaces. The first two have records by tile, with directions; the others by number,
 * with parents. */
typedef enum best_first_space {
    BEST_FIRST_UNIFORM,  /* a grid on which only straight and diagonal differ */
    BEST_FIRST_GRID,     /* any grid */
    BEST_FIRST_ABSTRACT, /* an abstract graph (abstract_graph.h) */
    BEST_FIRST_WATCHED,  /* the same, with a sink */
    /* any space, through its table of functions: the reference for all others */
    BEST_FIRST_ANY,
    BEST_FIRST_SIGHT /* any grid, with lines of sight */
} best_first_space;

typedef enum best_first_list {
    BEST_FIRST_BUCKETS,
    BEST_FIRST_HEAP,
    BEST_FIRST_CHAIN,
    BEST_FIRST_PLUG /* any list with keys, through its table of functions */
} best_first_list;

typedef enum best_first_estimate {
    BEST_FIRST_OCTILE,   /* on uniform grids, ... */
    BEST_FIRST_REFINED,  /* ... and what a plug makes of it */
    BEST_FIRST_GATED,    /* both, with links that are shortcuts */
    BEST_FIRST_DISTANCE, /* in an abstract graph, to its goal; f = g + h */
    BEST_FIRST_ASKED     /* whatever was asked for */
} best_first_estimate;

typedef struct best_first_plugs best_first_plugs;
typedef void best_first_taker(crn_best_first *bf, crn_page *page, uint32_t slot, crn_place place,
                              uint32_t move, cairn_cost g);

struct best_first_plugs {
    best_first_space space;
    best_first_list list;
    best_first_estimate estimate;
    best_first_taker *improve; /* best_first_improve, made for this instance */
};

CRN_INLINE bool best_first_has_parents(const best_first_plugs *plugs)
{
    return plugs->space != BEST_FIRST_UNIFORM && plugs->space != BEST_FIRST_GRID;
}

/* Are edges those of an abstract graph? Watched or not, they are relaxed by the same functions, in
 * the same units of work. */
CRN_INLINE bool best_first_has_lists(const best_first_plugs *plugs)
{
    return plugs->space == BEST_FIRST_ABSTRACT || plugs->space == BEST_FIRST_WATCHED;
}

/* Abstract graphs are searched by subsearches, without fast expansion. */
CRN_INLINE bool best_first_is_plain(const best_first_plugs *plugs)
{
    return plugs->space == BEST_FIRST_ABSTRACT;
}

CRN_INLINE crn_page *best_first_page_of(crn_best_first *bf, const best_first_plugs *plugs,
                                        crn_place place, uint32_t *slot)
{
    return best_first_has_parents(plugs) ? best_first_any_page(bf, place, slot)
                                         : best_first_grid_page(bf, place, slot);
}

/* ---- keys ---- */

/* With gates. The cell's page is there. */
CRN_INLINE uint64_t best_first_gated_h(const crn_best_first *bf, crn_place place)
{
    uint32_t slot, number = best_first_grid_locate(bf, place, &slot);
    return best_first_refined(bf, place, best_first_gated_octile(bf, bf->table[number], place));
}

CRN_INLINE uint64_t best_first_h(const crn_best_first *bf, const best_first_plugs *plugs,
                                 crn_place place)
{
    if (plugs->estimate == BEST_FIRST_OCTILE) return best_first_scaled_octile(bf, place);
    if (plugs->estimate == BEST_FIRST_REFINED)
        return best_first_refined(bf, place, best_first_scaled_octile(bf, place));
    if (plugs->estimate == BEST_FIRST_GATED) return best_first_gated_h(bf, place);
    if (plugs->estimate == BEST_FIRST_ASKED) return crn_best_first_estimate(bf, place);
    const crn_abstract_node *node = crn_abstract_view_node(bf->view, place.value);
    return crn_metric_distance(bf->metric, node->x, node->y, bf->goal_x, bf->goal_y);
}

CRN_INLINE uint64_t best_first_f(const crn_best_first *bf, const best_first_plugs *plugs,
                                 crn_place place, cairn_cost g)
{
    uint64_t h = best_first_h(bf, plugs, place);
    return plugs->estimate == BEST_FIRST_DISTANCE ? g + h : best_first_key(bf, g, h);
}

/* The key of a node whose record keeps the estimate from the first time it was made. */
static inline uint64_t best_first_stored_f(crn_best_first *bf, crn_page *page, uint32_t slot,
                                           crn_place place, uint32_t mark, cairn_cost g)
{
    uint64_t *h = crn_record_extra(bf->records, page, slot);
    if (!(mark & CRN_MARK_SEEN)) *h = crn_best_first_estimate(bf, place);
    return best_first_key(bf, g, *h);
}

/* ---- open lists ---- */

/* Fast expansion: a node that is no more expensive than the one being expanded comes next, past the
 * open list. If there are several, the last one does, which on grids is a diagonal step away. The
 * one before it must be put on the list instead. Returns whether anything is left to be put
 * there. */
static inline bool best_first_exchange(crn_best_first *bf, crn_page *page, crn_place *place,
                                       cairn_cost *g, uint64_t *key)
{
    if (*key > bf->key) return true;
    crn_hand before = bf->hand;
    cairn_cost before_g = bf->hand_g;
    uint64_t before_key = bf->hand_key;
    bf->hand = (crn_hand){page, {place->value}};
    bf->hand_g = *g;
    bf->hand_key = *key;
    if (!before.page) return false;
    *place = best_first_spot_place(before.spot);
    *g = before_g;
    *key = before_key;
    return true;
}

CRN_INLINE void best_first_push(crn_best_first *bf, const best_first_plugs *plugs, crn_place place,
                                cairn_cost g, uint64_t key)
{
    bf->pushes++;
    if (plugs->list == BEST_FIRST_BUCKETS) {
        crn_buckets_push(&bf->buckets, key, place.value);
    } else if (plugs->list == BEST_FIRST_HEAP) {
        best_first_push_heap(bf, key, g, place);
    } else {
        uint64_t second = plugs->list == BEST_FIRST_PLUG ? crn_best_first_plug_tie(bf, g) : 0;
        bf->lists->push(bf->list, (crn_open_entry){key, second, place.value});
    }
}

/* Takes the next node from a heap with bands; false if no node that is left can lead to a cheaper
 * goal. */
static inline bool best_first_take_banded(crn_best_first *bf, crn_place *place)
{
    bf->floor = crn_heap_least(&bf->heap);
    return bf->floor <= (bf->bound | bf->bands) && crn_heap_pop(&bf->heap, &place->value);
}

/* Takes the next node; false if there is none worth taking. */
CRN_INLINE bool best_first_take(crn_best_first *bf, const best_first_plugs *plugs, crn_place *place)
{
    if (plugs->list == BEST_FIRST_CHAIN) return bf->lists->pop(bf->list, &place->value);
    if (!best_first_is_plain(plugs) && bf->hand.page) {
        *place = best_first_spot_place(bf->hand.spot);
        bf->hand.page = NULL;
        return true;
    }
    if (plugs->list == BEST_FIRST_HEAP) {
        return bf->bands ? best_first_take_banded(bf, place)
                         : crn_heap_pop(&bf->heap, &place->value);
    }
    if (plugs->list == BEST_FIRST_PLUG) return bf->lists->pop(bf->list, &place->value);
    while (CRN_UNLIKELY(!crn_buckets_pop(&bf->buckets, &place->value))) {
        if (!crn_buckets_advance(&bf->buckets)) return false;
        if (crn_buckets_floor(&bf->buckets) >= bf->bound && !bf->buckets.displaced) return false;
    }
    return true;
}

/* ---- relaxing ---- */

/* Writes a cheaper path to a node into its record, and puts it on the open list. `move` is the
 * direction of the step that leads there or, where records have parents, the parent. `full`: the
 * search may be traced, or nodes may go past the list. */
CRN_INLINE void best_first_improve_as(crn_best_first *bf, const best_first_plugs *plugs,
                                      crn_page *page, uint32_t slot, crn_place place, uint32_t move,
                                      cairn_cost g, bool full)
{
    uint32_t mark = page->mark[slot];
    if (g > bf->limit) return;
    if (!(mark & CRN_MARK_SEEN)) bf->generated++;
    if (mark & (CRN_MARK_CLOSED | CRN_MARK_OVERFLOWED)) best_first_note_return(bf, mark);
    page->g[slot] = g;
    uint32_t kept = (mark & CRN_MARK_GOAL) | CRN_MARK_SEEN;
    if (best_first_has_parents(plugs)) page->parent[slot] = move;
    page->mark[slot] = (uint8_t)(best_first_has_parents(plugs) ? kept : kept | move);
    if (full && bf->traced) crn_best_first_report(bf, place, move, mark, g);
    uint64_t key = 0;
    if (plugs->list != BEST_FIRST_CHAIN) {
        key = plugs->list == BEST_FIRST_PLUG && bf->settings.stored
                  ? best_first_stored_f(bf, page, slot, place, mark, g)
                  : best_first_f(bf, plugs, place, g);
        if (full && key < bf->lift) key = bf->lift;
        if (key >= bf->bound) return;
        bool bounds = plugs->list == BEST_FIRST_BUCKETS || bf->bands;
        if (CRN_UNLIKELY(mark & CRN_MARK_GOAL) && bounds) {
            crn_best_first_note_goal(bf, place, g);
            return;
        }
        if (full && bf->settings.fast && !best_first_exchange(bf, page, &place, &g, &key)) return;
    }
    best_first_push(bf, plugs, place, g, key);
}

/* A cheaper path to a node: its record, its place, the last move and the cost. */
typedef struct best_first_step {
    crn_page *page;
    uint32_t slot;
    crn_place place;
    uint32_t move;
    cairn_cost g;
} best_first_step;

/* The full one, once for all instances. */
void crn_best_first_improve_fully(crn_best_first *bf, const best_first_plugs *plugs,
                                  const best_first_step *step);

/* The usual one has no call in its middle, so that it needs few registers. */
CRN_INLINE void best_first_improve(crn_best_first *bf, const best_first_plugs *plugs,
                                   crn_page *page, uint32_t slot, crn_place place, uint32_t move,
                                   cairn_cost g)
{
    if (!best_first_is_plain(plugs) && CRN_UNLIKELY(bf->attentive)) {
        crn_best_first_improve_fully(bf, plugs, &(best_first_step){page, slot, place, move, g});
    } else {
        best_first_improve_as(bf, plugs, page, slot, place, move, g, false);
    }
}

/* Does the keep rule want this path? Of several edges between the same two nodes (graphs) the
 * cheapest is kept in any case. */
static inline bool best_first_wants(const crn_best_first *bf, const crn_page *page, uint32_t slot,
                                    uint32_t move, uint64_t g)
{
    if (g > CAIRN_COST_MAX) return false;
    bool seen = page->mark[slot] & CRN_MARK_SEEN, cheaper = g < crn_record_cost(page, slot);
    bool same = seen && !bf->map && page->parent[slot] == move;
    switch (bf->settings.keep) {
    case CRN_KEEP_CHEAPEST: return cheaper;
    case CRN_KEEP_CHEAPEST_OPEN: return cheaper && !(page->mark[slot] & CRN_MARK_CLOSED);
    case CRN_KEEP_FIRST: return same ? cheaper : !seen;
    default: return !(page->mark[slot] & CRN_MARK_CLOSED) && (!same || cheaper);
    }
}

/* Relaxes a node: a path to it costs g. It has 64 bits: a sum that overflows 32 bits is never less
 * than the known cost. */
CRN_INLINE void best_first_relax(crn_best_first *bf, const best_first_plugs *plugs, crn_page *page,
                                 uint32_t slot, crn_place place, uint32_t move, uint64_t g)
{
    if (plugs->list != BEST_FIRST_BUCKETS) {
        if (!best_first_wants(bf, page, slot, move, g)) return;
    } else {
        bool filled = best_first_has_parents(plugs); /* with "not known": no need to ask the mark */
        if (CRN_LIKELY(g >= (filled ? page->g[slot] : crn_record_cost(page, slot)))) return;
    }
    if (best_first_has_lists(plugs) && !crn_abstract_view_shows(bf->view, place.value)) return;
    plugs->improve(bf, page, slot, place, move, (cairn_cost)g);
}

#endif
