/* best_first_promising.c: which node a best-first search would expand next. See best_first.h. */
#include "search/best_first_loops.h"

/* The entry that buckets give next, which stays where it is. So does the list: whether the bucket
 * that follows an empty one still matters the loop finds out when it moves on. */
static bool promising_bucket(crn_buckets *buckets, uint32_t *entry)
{
    uint64_t current = buckets->current, at = current & buckets->mask;
    bool empty = !buckets->top->block, any = !empty || crn_buckets_advance(buckets);
    if (any) *entry = buckets->top->block->entries[(size_t)buckets->top->fill - 1];
    if (!empty) return true;
    crn_buckets_move(buckets, current);
    buckets->bitmap[at / 64] |= UINT64_C(1) << at % 64;
    return any;
}

cairn_node crn_best_first_promising(cairn_search *search)
{
    crn_best_first *bf = search->scratch;
    uint64_t key, tie;
    uint32_t entry;
    crn_spot spot;
    if (bf->is_pending) return best_first_node(bf, bf->pending);
    if (bf->hand.page) return best_first_node(bf, best_first_spot_place(bf->hand.spot));
    if (bf->settings.open == CRN_OPEN_HEAP)
        return crn_heap_first(&bf->heap, &key, &tie, &entry)
                   ? best_first_node(bf, (crn_place){entry})
                   : CAIRN_NO_NODE;
    if (!promising_bucket(&bf->buckets, &entry)) return CAIRN_NO_NODE;
    if (!best_first_by_entry(bf)) return best_first_node(bf, (crn_place){entry});
    best_first_entry_page(bf, entry, &spot);
    return best_first_node(bf, best_first_spot_place(spot));
}
