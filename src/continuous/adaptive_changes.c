/* adaptive_changes.c: estimates that learnt, in a world that changes. See adaptive.h.
 *
 * A changed edge may be cheaper than the estimates of its ends allow. Then they are lowered, and
 * those that rest on them (the consistency procedure of GAA*), or all are forgotten. Only nodes
 * with learnt estimates can be concerned: the space's own are consistent in every world, and where
 * a commit changes them, all is forgotten.
 *
 * Source: Sun, Koenig and Yeoh, "Generalized Adaptive A*", 2008. There, edges that became cheaper
 * are known. Here all edges of changed nodes are looked at, as their old costs are not. Nor does
 * the source spare estimates round a cell that opens (adaptive_changes_unbind). */
#include "continuous/adaptive.h"

#define CHANGES_BATCH 16u

/* ---- what has changed ---- */

/* Nothing was learnt of a cell that has opened, though much may have been of those round it. It
 * would drag them down to what the space says of it. So it begins with no bound at all, and is
 * lowered itself: all bounds are right that are consistent and 0 at the goal. */
static crn_keyed_record adaptive_changes_unbind(crn_adaptive *a, cairn_node node)
{
    cairn_edge batch[CHANGES_BATCH];
    crn_keyed_record record = {0};
    bool near = false;
    uint32_t count = cairn_space_expand_back(crn_adaptive_space(a), node, 0, batch, CHANGES_BATCH);
    for (uint32_t i = 0; i < count && !near; i++) near = crn_adaptive_find(a, batch[i].node).page;
    if (near && node != a->aimed.target) record = crn_keyed_add(&a->queue.records, node);
    if (record.page) crn_adaptive_learn(a, record, CAIRN_COST_MAX, CRN_ADAPTIVE_NOWHERE);
    return record;
}

static void adaptive_changes_add(void *user, cairn_node node)
{
    crn_adaptive *a = user;
    crn_keyed_record record = crn_adaptive_find(a, node);
    if (!record.page && a->rule->repairs) record = adaptive_changes_unbind(a, node);
    if (record.page) crn_keyed_make_dirty(&a->queue.records, record);
}

/* What a commit interrupts begins again with the first edge. */
static void adaptive_changes_rewind(crn_adaptive *a)
{
    a->check_at = a->spread_at = 0;
    a->check_least = UINT64_MAX;
}

void crn_adaptive_notice(crn_adaptive *a)
{
    const cairn_space *space = crn_adaptive_space(a);
    uint64_t version = cairn_space_version(space);
    if (version == a->version) return;
    cairn_status status = CAIRN_STALE;
    a->next = 0;
    if (crn_aimed_holds(&a->aimed))
        status = cairn_space_changes(space, a->version, adaptive_changes_add, a);
    bool lost = status != CAIRN_OK || crn_adaptive_memory(a)->failed;
    crn_adaptive_memory(a)->failed = false;
    a->version = version;
    if (lost)
        crn_adaptive_forget(a);
    else
        adaptive_changes_rewind(a);
}

bool crn_adaptive_unsettled(const crn_adaptive *a)
{
    return a->lowering || a->checking != CAIRN_NO_NODE || a->queue.records.dirty;
}

/* ---- estimates that are too large ---- */

static void adaptive_changes_lower(crn_adaptive *a, cairn_node node, uint64_t h)
{
    crn_keyed_record record = crn_adaptive_find(a, node);
    a->lowering = a->doubtful = true;
    crn_adaptive_queue(a, record, crn_keyed_key((cairn_cost)h, 0),
                       crn_adaptive_read(a, record).pointer);
}

/* The next node that has changed. */
static void adaptive_changes_take(crn_adaptive *a)
{
    crn_keyed_record record = crn_keyed_clean(&a->queue.records, &a->next);
    if (!record.page) return;
    if (crn_adaptive_read(a, record).pointer != CRN_ADAPTIVE_NOWHERE) a->doubtful = true;
    crn_adaptive_drop_number(a, record);
    a->checking = crn_keyed_node(&a->queue.records, record);
    adaptive_changes_rewind(a);
}

/* All edges of a changed node are looked at. */
static void adaptive_changes_checked(crn_adaptive *a)
{
    cairn_node node = a->checking;
    uint64_t h = crn_adaptive_h(a, node, crn_adaptive_find(a, node));
    a->checking = CAIRN_NO_NODE;
    if (a->check_least >= h) return;
    if (a->rule->repairs)
        adaptive_changes_lower(a, node, a->check_least);
    else
        crn_adaptive_forget(a);
}

static void adaptive_changes_check(crn_adaptive *a, uint32_t *edges)
{
    cairn_edge batch[CHANGES_BATCH];
    uint32_t count =
        cairn_space_expand(crn_adaptive_space(a), a->checking, a->check_at, batch, CHANGES_BATCH);
    for (uint32_t i = 0; i < count; i++) {
        if (batch[i].cost == CAIRN_NO_COST) continue;
        cairn_node to = batch[i].node;
        uint64_t sum = batch[i].cost + crn_adaptive_h(a, to, crn_adaptive_find(a, to));
        if (sum < a->check_least) a->check_least = sum;
    }
    a->check_at += count;
    *edges -= crn_min_u32(*edges, count ? count : 1);
    if (count < CHANGES_BATCH) adaptive_changes_checked(a);
}

/* ---- estimates that rest on them ---- */

/* The node whose estimate is the least of those that were lowered. */
static void adaptive_changes_pop(crn_adaptive *a)
{
    uint64_t key;
    crn_keyed_record record;
    a->lowering = crn_keyed_least(&a->queue, &key, &record);
    if (!a->lowering) return;
    crn_adaptive_known known = crn_adaptive_read(a, record);
    crn_keyed_remove(&a->queue, record);
    crn_adaptive_learn(a, record, known.h, known.pointer);
    a->spreading = crn_keyed_node(&a->queue.records, record);
    a->spread_at = 0;
    a->expanded++;
    crn_adaptive_tell(a, CAIRN_EVENT_EXPAND, a->spreading, CAIRN_NO_NODE, CAIRN_NO_COST);
}

static void adaptive_changes_spread(crn_adaptive *a, uint32_t *edges)
{
    cairn_edge batch[CHANGES_BATCH];
    uint64_t h = crn_adaptive_h(a, a->spreading, crn_adaptive_find(a, a->spreading));
    uint32_t count = cairn_space_expand_back(crn_adaptive_space(a), a->spreading, a->spread_at,
                                             batch, CHANGES_BATCH);
    for (uint32_t i = 0; i < count && !crn_adaptive_memory(a)->failed; i++) {
        cairn_node from = batch[i].node;
        crn_keyed_record record = crn_adaptive_find(a, from);
        if (!record.page || batch[i].cost == CAIRN_NO_COST) continue;
        if (crn_adaptive_h(a, from, record) > batch[i].cost + h)
            adaptive_changes_lower(a, from, batch[i].cost + h);
    }
    a->spread_at += count;
    *edges -= crn_min_u32(*edges, count ? count : 1);
    if (count == CHANGES_BATCH) return;
    crn_adaptive_tell(a, CAIRN_EVENT_CLOSE, a->spreading, CAIRN_NO_NODE, CAIRN_NO_COST);
    a->spreading = CAIRN_NO_NODE;
    *edges = 0; /* one expansion is a unit */
}

void crn_adaptive_settle(crn_adaptive *a, uint32_t *edges)
{
    if (a->checking != CAIRN_NO_NODE) {
        adaptive_changes_check(a, edges);
    } else if (a->queue.records.dirty) {
        adaptive_changes_take(a);
        *edges -= crn_min_u32(*edges, 1);
    } else if (a->spreading != CAIRN_NO_NODE) {
        adaptive_changes_spread(a, edges);
    } else {
        adaptive_changes_pop(a);
    }
}
