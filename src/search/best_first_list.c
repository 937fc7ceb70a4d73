/* best_first_list.c: the open list of a best-first query: which one it is, and its beginning and
 * end. What the loops do with it is in best_first_plugs.h.
 *
 * Buckets and the heap are built into loops. All other lists are called through their tables
 * (open.h) by one instance of the loop, for any space. A list is made when a search first needs it,
 * and kept. Lists that can change an entry find it by the state: by a word in the record of the
 * state, or by a hash table of their own (open/members.h).
 */
#include "open/open_check.h"
#include "search/best_first_loops.h"
#include "search/search_check.h"

#define BEST_FIRST_LISTS \
    "buckets", "heap", "unsorted-array", "unsorted-list", "sorted-array", "sorted-list", \
        "skip-list", "binary-heap", "skew-heap", "splay-tree", "hot-queue"
const char *const crn_open_choices[] = {BEST_FIRST_LISTS, NULL};
const char *const crn_auto_open_choices[] = {BEST_FIRST_LISTS, "auto", NULL};
const char *const crn_loop_open_choices[] = {"buckets", "heap", NULL};
const char *const crn_member_choices[] = {"flag", "hash", NULL};
const char *const crn_store_choices[] = {"none", "h", NULL};

static const crn_open_functions *best_first_kind(const crn_best_first *bf)
{
    switch (bf->settings.open) {
    case CRN_OPEN_UNSORTED_ARRAY: return &crn_open_unsorted_array;
    case CRN_OPEN_UNSORTED_LIST: return &crn_open_unsorted_list;
    case CRN_OPEN_SORTED_ARRAY: return &crn_open_sorted_array;
    case CRN_OPEN_SORTED_LIST: return &crn_open_sorted_list;
    case CRN_OPEN_SKIP_LIST: return &crn_open_skip_list;
    case CRN_OPEN_BINARY_HEAP: return &crn_open_indexed;
    case CRN_OPEN_SKEW_HEAP: return &crn_open_skew_heap;
    case CRN_OPEN_SPLAY_TREE: return &crn_open_splay_tree;
    case CRN_OPEN_HOT_QUEUE: return &crn_open_hot_queue;
    case CRN_OPEN_QUEUE: return &crn_open_queue;
    case CRN_OPEN_STACK: return &crn_open_stack;
    default: return NULL; /* built into a loop */
    }
}

/* ---- lists with tables ---- */

/* The word in the record of a state that says where its entry is. */
static uint32_t *best_first_place_of(void *user, uint32_t state)
{
    crn_best_first *bf = user;
    uint32_t slot;
    crn_page *page = best_first_any_page(bf, (crn_place){state}, &slot);
    uint8_t *extra = crn_record_extra(bf->records, page, slot);
    return (uint32_t *)(void *)(extra + bf->place_at);
}

/* Does the list note places in records? */
static bool best_first_has_places(const crn_best_first *bf)
{
    return best_first_is_plugged(bf) && best_first_kind(bf)->update && !bf->settings.hashed;
}

void crn_best_first_choose_extra(crn_best_first *bf)
{
    if (CRN_LIKELY(!best_first_is_plugged(bf))) {
        bf->extra = 0;
        return;
    }
    bool places = best_first_has_places(bf);
    bf->place_at = bf->settings.stored ? sizeof(uint64_t) : 0;
    /* so that a stored estimate is aligned */
    bf->extra =
        bf->place_at + (places ? bf->settings.stored ? sizeof(uint64_t) : sizeof(uint32_t) : 0);
}

static void best_first_close_plugged(crn_best_first *bf)
{
    if (!bf->plugged_kind) return;
    bf->plugged_kind->close(bf->plugged);
    crn_scratch_free(&bf->search->memory, bf->plugged, bf->plugged_kind->size);
    bf->plugged_kind = NULL;
}

/* A search keeps one such list. */
static cairn_status best_first_make_list(crn_best_first *bf)
{
    if (bf->plugged_kind == bf->lists) return CAIRN_OK;
    best_first_close_plugged(bf);
    bf->plugged = crn_scratch_alloc(&bf->search->memory, bf->lists->size);
    if (!bf->plugged) return CAIRN_OUT_OF_MEMORY;
    memset(bf->plugged, 0, bf->lists->size);
    bf->plugged_kind = bf->lists;
    bf->lists->open(bf->plugged, &bf->search->memory);
    return CAIRN_OK;
}

static cairn_status best_first_prepare_plugged(crn_best_first *bf, uint64_t start_key)
{
    crn_open_places places = {best_first_place_of, bf};
    crn_open_range range = {.step = bf->space->min_edge,
                            .first = start_key,
                            .places = best_first_has_places(bf) ? &places : NULL};
    bf->lists = best_first_kind(bf);
    if (best_first_is_chain(bf)) {
        bf->list = &bf->chain;
    } else {
        cairn_status status = best_first_make_list(bf);
        if (status != CAIRN_OK) return status;
        bf->list = bf->plugged;
    }
    return bf->lists->reset(bf->list, &range);
}

/* ---- buckets ---- */

/* Keys rise along a link by as much as it costs, and the estimate by no more. A longer ring keeps
 * the ends of links from coming too early, as far as there are buckets. */
static uint64_t best_first_span(const crn_best_first *bf, uint64_t span, uint32_t shift)
{
    uint64_t link = (bf->g_factor + bf->h_factor) * bf->space->max_edge,
             longest = (uint64_t)(CRN_BUCKETS_MAX - 2) << shift;
    if (bf->space->max_edge == bf->space->max_step || link <= span) return span;
    return link < longest ? link : longest;
}

/* Buckets about a third as wide as the cheapest step, a power of two: 2048 units where a step is
 * 5741. Keys rise by at most an edge and the change of the estimate along it, which on grids
 * (Manhattan on a diagonal) may be two steps. Where they may also fall, they do so from about the
 * start's key to the cost of the path. */
cairn_status crn_best_first_prepare_list(crn_best_first *bf, uint64_t start_key)
{
    if (bf->settings.open == CRN_OPEN_HEAP) crn_heap_reset(&bf->heap);
    if (bf->settings.open > CRN_OPEN_HEAP) return best_first_prepare_plugged(bf, start_key);
    if (bf->settings.open != CRN_OPEN_BUCKETS) return CAIRN_OK;
    uint64_t edge = bf->space->max_step, span = bf->g_factor * edge + bf->h_factor * 2 * edge;
    uint32_t shift = crn_highest_bit(bf->space->min_edge * bf->g_factor * 45 / 128 + 1);
    /* In wider buckets, paths of many edges would fall into one bucket, and a node could be
     * expanded again and again before its bucket is empty. So where the most expensive edge costs
     * thousands of the cheapest, sort. */
    if (span >> shift > CRN_BUCKETS_MAX) {
        bf->settings.open = CRN_OPEN_HEAP;
        return crn_best_first_prepare_list(bf, start_key);
    }
    span = best_first_span(bf, bf->search->planner->optimal ? span : span + 2 * start_key, shift);
    return crn_buckets_reset(&bf->buckets, shift, span);
}

/* ---- any list ---- */

uint32_t crn_best_first_plug_tie(const crn_best_first *bf, cairn_cost g)
{
    return bf->settings.tie == CRN_TIE_FIRST_IN ? (uint32_t)bf->pushes : crn_best_first_tie(bf, g);
}

void crn_best_first_push_list(crn_best_first *bf, uint64_t key, cairn_cost g, crn_place place)
{
    if (bf->settings.open == CRN_OPEN_BUCKETS) {
        crn_buckets_push(&bf->buckets, key, place.value);
    } else if (bf->settings.open == CRN_OPEN_HEAP) {
        best_first_push_heap(bf, key, g, place);
    } else {
        uint32_t tie = crn_best_first_plug_tie(bf, g);
        bf->lists->push(bf->list, (crn_open_entry){key, tie, place.value});
    }
}

size_t crn_best_first_list_bytes(const crn_best_first *bf)
{
    if (bf->settings.open == CRN_OPEN_BUCKETS) return crn_buckets_bytes(&bf->buckets);
    if (bf->settings.open == CRN_OPEN_HEAP) return crn_heap_bytes(&bf->heap);
    size_t list =
        best_first_is_chain(bf) ? 0 : bf->lists->size; /* the chain is part of the search */
    return list + bf->lists->bytes(bf->list);
}

#if defined(CAIRN_CHECKS)
const char *crn_best_first_check_list(const crn_best_first *bf)
{
    uint64_t ring = bf->buckets.mask + 1;
    if (bf->settings.open == CRN_OPEN_BUCKETS)
        return crn_check_pays(ring, bf->work) ? crn_buckets_check(&bf->buckets) : NULL;
    if (bf->settings.open == CRN_OPEN_HEAP) return crn_heap_check(&bf->heap);
    return bf->lists->check(bf->list);
}
#endif

void crn_best_first_close_list(crn_best_first *bf)
{
    best_first_close_plugged(bf);
    crn_chain_close(&bf->chain);
    crn_heap_close(&bf->heap);
    crn_buckets_close(&bf->buckets);
}
