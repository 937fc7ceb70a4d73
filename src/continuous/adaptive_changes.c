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
static void adaptive_changes_unbind(crn_adaptive *a, cairn_node node)
{
    crn_adaptive_record *record = crn_adaptive_find(a, node);
    if (!record || node == a->aimed.target) return;
    if (crn_adaptive_epoch(record) != CRN_ADAPTIVE_NEVER) return;
    *record = (crn_adaptive_record){0, CAIRN_NO_COST, CAIRN_COST_MAX, 0};
    record->note = CRN_ADAPTIVE_NOWHERE << 8 | a->epoch;
}

static void adaptive_changes_add(void *user, cairn_node node)
{
    crn_adaptive *a = user;
    if (a->rule->repairs) adaptive_changes_unbind(a, node);
    size_t most = (size_t)a->queue.pages_used * CRN_KEYED_PAGE, more = a->changed.count;
    if (more - a->next >= most) a->too_many = true;
    if (!a->too_many) crn_nodes_push(&a->changed, crn_adaptive_memory(a), node);
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
    if (a->next == a->changed.count) a->next = a->changed.count = 0;
    a->too_many = false;
    if (crn_aimed_holds(&a->aimed))
        status = cairn_space_changes(space, a->version, adaptive_changes_add, a);
    bool lost = status != CAIRN_OK || a->too_many || crn_adaptive_memory(a)->failed;
    crn_adaptive_memory(a)->failed = false;
    a->version = version;
    if (lost)
        crn_adaptive_forget(a);
    else
        adaptive_changes_rewind(a);
}

bool crn_adaptive_unsettled(const crn_adaptive *a)
{
    return a->lowering || a->checking != CAIRN_NO_NODE || a->next < a->changed.count;
}

/* ---- estimates that are too large ---- */

static void adaptive_changes_lower(crn_adaptive *a, cairn_node node, uint64_t h)
{
    crn_adaptive_record *record = crn_adaptive_touch(a, node);
    record->h = (cairn_cost)h;
    a->lowering = a->doubtful = true;
    crn_keyed_set(&a->queue, crn_tiles_state(&a->tiles, node), crn_keyed_key(record->h, 0));
}

/* The next node that has changed, if something was learnt of it. */
static void adaptive_changes_take(crn_adaptive *a)
{
    cairn_node node = a->changed.items[a->next++];
    crn_adaptive_record *record = crn_adaptive_find(a, node);
    if (!record || crn_adaptive_epoch(record) == CRN_ADAPTIVE_NEVER) return;
    if (crn_adaptive_pointer(record) != CRN_ADAPTIVE_NOWHERE) a->doubtful = true;
    crn_adaptive_drop_number(record);
    a->checking = node;
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
    uint32_t state;
    a->lowering = crn_keyed_least(&a->queue, &key, &state);
    if (!a->lowering) return;
    crn_keyed_remove(&a->queue, state);
    a->spreading = crn_tiles_node(&a->tiles, state);
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
        const crn_adaptive_record *record = crn_adaptive_find(a, from);
        if (!record || batch[i].cost == CAIRN_NO_COST) continue;
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
    } else if (a->next < a->changed.count) {
        adaptive_changes_take(a);
        *edges -= crn_min_u32(*edges, 1);
    } else if (a->spreading != CAIRN_NO_NODE) {
        adaptive_changes_spread(a, edges);
    } else {
        adaptive_changes_pop(a);
    }
}
