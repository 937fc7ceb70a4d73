/* cliques_repair_pack.c: repairs level 1 of a grid, whose nodes are packs. See cliques_repair.c.
 *
 * Packs do not keep what their edges cost. So before one changes, the edges that it has are taken
 * from the tally, and in the end those that it has then are added. Nor do they keep their
 * neighbours but cells of them. So what left a clique is kept in mind, to tell whether neighbours
 * are still the same.
 */
#include "abstract/cliques_mend.h"

/* A pack may change: its edges are no longer counted, and what it was is kept. (What it was next to
 * and has changed since is noted itself.) */
void crn_mend_note(crn_mend *r, cairn_node node)
{
    const crn_clique_level *above = crn_mend_above(r);
    crn_clique_pack *pack = &above->packs[node];
    if (r->failed || pack->beside & CRN_PACK_NOTED) return;
    void *was = r->was;
    if (!crn_grow(r->cliques->context, &was, &r->was_capacity, r->was_count + 1, sizeof *r->was)) {
        r->failed = true;
        return;
    }
    r->was = was;
    r->was[r->was_count++] = (crn_mend_was){node, pack->child, pack->mask};
    cairn_edge edges[CRN_CLIQUE_NEIGHBOURS];
    uint32_t count = pack->child == CAIRN_NO_NODE
                         ? 0
                         : crn_pack_recall(r->cliques, pack->child, pack->beside, NULL, edges);
    for (uint32_t i = 0; i < count; i++) {
        bool noted = above->packs[edges[i].node].beside & CRN_PACK_NOTED;
        if (!noted) crn_pack_tally(r->cliques, node, edges[i].node, (uint32_t)-2);
    }
    pack->beside |= CRN_PACK_NOTED;
}

static bool mend_was_less(const void *a, const void *b)
{
    return ((const crn_mend_was *)a)->node < ((const crn_mend_was *)b)->node;
}

/* Has a dirty one other cells, or another price? */
static bool mend_changed(crn_mend *r, const crn_mend_was *was)
{
    const crn_clique_pack *pack = &crn_mend_above(r)->packs[was->node];
    if (pack->child == CAIRN_NO_NODE) return true;
    bool price = crn_pack_price(r->cliques, was->node);
    if (price || pack->beside & CRN_PACK_FRESH) return true;
    crn_clique_body before = crn_pack_body(r->cliques, was->child, was->mask),
                    now = crn_pack_body(r->cliques, pack->child, pack->mask);
    return now.x != before.x || now.y != before.y || now.cells != before.cells;
}

/* What lies beside a pack that began at a cell, now; `around` it: what did and does. Returns
 * whether that has changed. */
static bool mend_relink(crn_mend *r, cairn_node node, cairn_node child, bool around)
{
    crn_clique_pack *pack = &crn_mend_above(r)->packs[node];
    const crn_pack_past past = {r->moved, r->moved_count};
    cairn_edge before[CRN_CLIQUE_NEIGHBOURS], now[CRN_CLIQUE_NEIGHBOURS];
    uint64_t beside;
    uint32_t count = child == CAIRN_NO_NODE
                         ? 0
                         : crn_pack_recall(r->cliques, child, pack->beside, &past, before),
             found = crn_pack_find(r->cliques, node, now, &beside);
    pack->beside = beside | (pack->beside & CRN_PACK_NOTED);
    bool changed = count != found;
    for (uint32_t i = 0; around && i < count; i++) crn_mend_add(r, &r->around, before[i].node);
    for (uint32_t i = 0; i < found; i++) {
        if (around) crn_mend_add(r, &r->around, now[i].node);
        changed = changed || before[i].node != now[i].node;
    }
    return changed;
}

/* The edges of the dirty ones are counted again: those between two of them by each. */
static void mend_tally(crn_mend *r)
{
    crn_clique_pack *packs = crn_mend_above(r)->packs;
    for (size_t i = 0; i < r->was_count; i++) {
        cairn_node node = r->was[i].node;
        cairn_edge edges[CRN_CLIQUE_NEIGHBOURS];
        uint32_t count = 0;
        if (packs[node].child != CAIRN_NO_NODE)
            count = crn_pack_recall(r->cliques, packs[node].child, packs[node].beside, NULL, edges);
        for (uint32_t e = 0; e < count; e++) {
            bool noted = packs[edges[e].node].beside & CRN_PACK_NOTED;
            crn_pack_tally(r->cliques, node, edges[e].node, noted ? 1 : 2);
        }
    }
    for (size_t i = 0; i < r->was_count; i++) packs[r->was[i].node].beside &= CRN_PACK_BESIDE;
}

void crn_mend_link_packs(crn_mend *r)
{
    crn_mend_sort(&r->dirty);
    crn_sort(r->was, r->was_count, sizeof *r->was, mend_was_less);
    crn_sort(r->moved, r->moved_count, sizeof *r->moved, crn_mend_pair_less);
    for (size_t i = 0; i < r->was_count; i++) {
        cairn_node node = r->was[i].node;
        if (!mend_changed(r, &r->was[i])) continue;
        crn_mend_add(r, &r->next, node);
        const crn_clique_pack *pack = &crn_mend_above(r)->packs[node];
        if (pack->child == CAIRN_NO_NODE || pack->beside & CRN_PACK_FRESH)
            crn_mend_add(r, &r->next_linked, node);
    }
    const size_t moved = r->next.count;
    for (size_t i = 0; i < r->was_count && !r->failed; i++) {
        const crn_mend_was *was = &r->was[i];
        crn_clique_list done = {r->next.items, moved, 0};
        size_t noted = r->around.count;
        bool affects = crn_mend_holds(&done, was->node);
        if (mend_relink(r, was->node, was->child, true)) {
            crn_mend_add(r, &r->next_linked, was->node);
            affects = true;
        }
        if (affects)
            crn_mend_add(r, &r->next, was->node);
        else
            r->around.count = noted;
    }
    crn_mend_sort(&r->around);
    for (size_t i = 0; i < r->around.count && !r->failed; i++) {
        cairn_node node = r->around.items[i];
        if (crn_mend_holds(&r->dirty, node) || !crn_cliques_has(r->cliques, 1, node)) continue;
        cairn_node child = crn_mend_above(r)->packs[node].child;
        if (!mend_relink(r, node, child, false)) continue;
        crn_mend_add(r, &r->next, node);
        crn_mend_add(r, &r->next_linked, node);
    }
    if (!r->failed) mend_tally(r); /* else some know cells beside another first one */
    r->was_count = r->moved_count = 0;
}
