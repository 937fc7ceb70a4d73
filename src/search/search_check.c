/* search_check.c: what must hold of the records and of the path of a search. See search_check.h. */
#include "search/search_check.h"

#if defined(CAIRN_CHECKS)

static const char *search_check_page(const crn_page *page)
{
    for (uint32_t i = 0; i < CRN_PAGE; i++) {
        uint32_t mark = page->mark[i];
        if ((mark & CRN_MARK_CLOSED) && !(mark & CRN_MARK_SEEN)) return "closed, but never seen";
        if ((mark & CRN_MARK_OVERFLOWED) && (mark & CRN_MARK_SEEN))
            return "seen, and too expensive to be";
        if ((mark & CRN_MARK_SEEN) && page->g[i] > CAIRN_COST_MAX) return "seen without a cost";
        if ((mark & CRN_MARK_MOVE) >= CRN_ARRIVALS) return "reached by a move that there is not";
    }
    return NULL;
}

const char *crn_records_check(const crn_records *records)
{
    uint32_t used = 0;
    if (!records->table) return NULL;
    if (records->touched_count > records->page_count) return "more pages than there are";
    for (uint32_t i = 0; i < records->page_count; i++) used += records->table[i] != NULL;
    if (used != records->touched_count) return "a page is used that nobody has touched";
    for (uint32_t i = 0; i < records->touched_count; i++) {
        uint32_t number = records->touched[i];
        if (number >= records->page_count) return "a page of another world was touched";
        const void *place = records->slabs[i / CRN_SLAB] + records->page_bytes * (i % CRN_SLAB);
        if (records->table[number] != place) return "a page does not lie where it was put";
        const char *wrong = search_check_page(records->table[number]);
        if (wrong) return wrong;
    }
    return NULL;
}

const char *crn_builder_check(const crn_builder *builder, const cairn_space *space, size_t most)
{
    if (!builder->count) return "a path without nodes";
    size_t every = builder->count / (most ? most : 1) + 1;
    for (size_t i = 1; i < builder->count; i++) {
        cairn_cost before = builder->costs[i - 1], after = builder->costs[i];
        if (after < before) return "costs fall along the path";
        if (i % every) continue;
        cairn_cost step = cairn_space_step_cost(space, builder->nodes[i - 1], builder->nodes[i]);
        if (step == CAIRN_NO_COST) return "no step leads from a node of the path to the next one";
        if (step != after - before) return "a step of the path costs something else";
    }
    return NULL;
}

#endif
