/* incremental_changes.c: a search that is repaired takes in what was committed (incremental.h).
 * Nodes with other edges get a mark, and later their rhs is computed again. */
#include "continuous/incremental_inside.h"

#define CHANGES_FEW 64u

/* Can a path lead to a node without a record, over one of its first edges? Then it gets one. */
static crn_keyed_record incremental_meet(crn_incremental *search, cairn_node node)
{
    cairn_edge batch[CRN_INCREMENTAL_BATCH];
    crn_keyed_records *records = &search->queue.records;
    uint32_t count = crn_incremental_edges(search, true, node, 0, batch);
    bool near = count == CRN_INCREMENTAL_BATCH;
    for (uint32_t i = 0; i < count && !near; i++)
        near = crn_keyed_find(records, batch[i].node).page;
    crn_keyed_record record = near ? crn_keyed_add(records, node) : (crn_keyed_record){0};
    if (record.page) *crn_keyed_a(record) = *crn_keyed_b(record) = CAIRN_NO_COST;
    return record;
}

static void incremental_add_change(void *user, cairn_node node)
{
    crn_incremental *search = user;
    crn_keyed_record record = crn_keyed_find(&search->queue.records, node);
    if (!record.page && !search->rule) record = incremental_meet(search, node);
    if (record.page) crn_keyed_make_dirty(&search->queue.records, record);
}

/* Have most nodes changed, and not just a few? */
static bool incremental_is_other(const crn_keyed_records *records)
{
    return records->dirty > records->count / 2 + CHANGES_FEW;
}

/* What a commit interrupts begins again: an expansion with the first edge, with the g that its
 * neighbours know of; nodes whose edges are other ones are among those that changed. */
static void incremental_rewind(crn_incremental *search)
{
    search->spread_at = 0;
    if (search->sum.node != CAIRN_NO_NODE) crn_incremental_look_at(&search->sum, search->sum.node);
}

cairn_status crn_incremental_notice(crn_incremental *search)
{
    const cairn_space *space = incremental_space(search);
    uint64_t version = cairn_space_version(space);
    if (version == search->version) return CAIRN_OK;
    cairn_status status = CAIRN_STALE;
    search->next = 0;
    if (crn_aimed_holds(&search->aimed))
        status = cairn_space_changes(space, search->version, incremental_add_change, search);
    if (status == CAIRN_STALE || incremental_is_other(&search->queue.records))
        return crn_incremental_begin(search, search->root, search->target);
    if (incremental_memory(search)->failed) status = CAIRN_OUT_OF_MEMORY;
    search->begun = status == CAIRN_OK;
    search->version = version;
    search->fresh = false;
    (search->rule ? search->rule->rewind : incremental_rewind)(search);
    crn_incremental_count_bytes(search);
    return status;
}

cairn_node crn_incremental_dirty(crn_incremental *search)
{
    crn_keyed_record record = crn_keyed_clean(&search->queue.records, &search->next);
    return record.page ? crn_keyed_node(&search->queue.records, record) : CAIRN_NO_NODE;
}
