/* cliques_repair.c: repairs levels of cliques after edits of their world.
 *
 * Level by level, from level 0 up. A level passes to the next one the nodes that are gone, that are
 * new, or whose neighbours, position, price or cells have changed, and which of them have other
 * neighbours. On the next level:
 *
 * - Nodes that are gone leave their cliques.
 * - Cliques whose nodes have other neighbours, and that are no longer cliques, keep the first nodes
 *   that still fit and free the others. A node that would be left alone is freed too.
 * - Free nodes, in ascending order, join the clique of their only neighbour (orphans), make a
 *   clique of three or four of their own, join a clique that has room for them, make a pair, or
 *   stay alone.
 * - Cliques that changed get a new position and, if they have moved or their nodes have other
 *   neighbours, new edges; then those next to them get new edges too. What has changed by that is
 *   passed on.
 *
 * In the end a level is added on top or removed, if necessary. An edit of one cell touches a
 * handful of nodes in each level, whatever the corner rule: cells whose steps may have changed
 * count as changed. In upper levels of scattered ground nodes with one neighbour gather round
 * others, hubs with hundreds of neighbours. Nearly all edits change no more of a hub than the
 * number of its cells, which concerns nobody but its parents.
 *
 * After J. Harvanová, section 3.3, who repairs the lowest level and rebuilds the others.
 */
#include "abstract/cliques.h"
#include "world/changes.h"

/* What a node of level 1 of a grid was before it changed. */
typedef struct repair_was {
    cairn_node node;
    uint32_t child, mask;
} repair_was;

typedef struct cliques_mend {
    crn_cliques *cliques;
    uint32_t level;          /* whose nodes have changed */
    crn_clique_list changed; /* these */
    crn_clique_list linked;  /* and of these the neighbours */
    crn_clique_list next;    /* the same of the level above */
    crn_clique_list next_linked;
    crn_clique_list free;    /* nodes without a clique */
    crn_clique_list dirty;   /* cliques that changed */
    crn_clique_list touched; /* those of them that need new edges */
    crn_clique_list around;  /* cliques next to them */
    repair_was *was;         /* level 0: of each dirty one */
    size_t was_count, was_capacity;
    cairn_edge *moved; /* level 0: cells that left their cliques, and these */
    size_t moved_count, moved_capacity;
    crn_clique_edges edges;
    const cairn_progress *progress;
    uint32_t done, total; /* phases of levels */
    bool failed;          /* no memory, or cancelled */
    bool cancelled;
} cliques_mend;

/* A phase is done. */
static void repair_report(cliques_mend *r)
{
    if (r->failed || crn_progress(r->progress, ++r->done, r->total)) return;
    r->failed = r->cancelled = true;
}

/* ---- lists ---- */

static void repair_add(cliques_mend *r, crn_clique_list *list, uint32_t item)
{
    void *items = list->items;
    if (!crn_grow(r->cliques->context, &items, &list->capacity, list->count + 1,
                  sizeof *list->items)) {
        r->failed = true;
        return;
    }
    list->items = items;
    list->items[list->count++] = item;
}

/* Adds a node and a number to a list of such. */
static void repair_add_pair(cliques_mend *r, cairn_edge **list, size_t *count, size_t *capacity,
                            cairn_edge pair)
{
    void *items = *list;
    if (!crn_grow(r->cliques->context, &items, capacity, *count + 1, sizeof **list)) {
        r->failed = true;
        return;
    }
    *list = items;
    (*list)[(*count)++] = pair;
}

static bool repair_pair_less(const void *a, const void *b)
{
    return ((const cairn_edge *)a)->node < ((const cairn_edge *)b)->node;
}

static bool repair_less(const void *a, const void *b)
{
    return *(const uint32_t *)a < *(const uint32_t *)b;
}

/* Ascending, each once. */
static void repair_sort(crn_clique_list *list)
{
    if (list->count < 2) return;
    crn_sort(list->items, list->count, sizeof *list->items, repair_less);
    size_t kept = 1;
    for (size_t i = 1; i < list->count; i++) {
        if (list->items[i] != list->items[kept - 1]) list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

static bool repair_holds(const crn_clique_list *list, uint32_t item)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (list->items[middle] < item) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < list->count && list->items[low] == item;
}

static void repair_free_list(cliques_mend *r, crn_clique_list *list)
{
    crn_free(r->cliques->context, list->items, list->capacity * sizeof *list->items);
}

/* ---- children ---- */

static crn_clique_level *repair_below(const cliques_mend *r)
{
    return &r->cliques->levels[r->level];
}

static crn_clique_level *repair_above(const cliques_mend *r)
{
    return &r->cliques->levels[r->level + 1];
}

/* Is the level above one of packs? */
static bool repair_packs(const cliques_mend *r)
{
    return crn_cliques_packed(r->cliques, r->level + 1);
}

/* A pack may change: its edges are no longer counted, and what it was is kept. (What it was next to
 * and has changed since is noted itself.) */
static void repair_note(cliques_mend *r, cairn_node node)
{
    const crn_clique_level *above = repair_above(r);
    crn_clique_pack *pack = &above->packs[node];
    if (pack->beside & CRN_PACK_NOTED) return;
    void *was = r->was;
    if (!crn_grow(r->cliques->context, &was, &r->was_capacity, r->was_count + 1, sizeof *r->was)) {
        r->failed = true;
        return;
    }
    r->was = was;
    r->was[r->was_count++] = (repair_was){node, pack->child, pack->mask};
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

static void repair_dirty(cliques_mend *r, cairn_node parent)
{
    if (repair_packs(r)) repair_note(r, parent);
    repair_add(r, &r->dirty, parent);
}

/* Its edges may be others. */
static void repair_touch(cliques_mend *r, cairn_node parent)
{
    repair_dirty(r, parent);
    repair_add(r, &r->touched, parent);
}

static void repair_hook(cliques_mend *r, cairn_node node, cairn_node parent)
{
    crn_clique_level *below = repair_below(r);
    repair_touch(r, parent);
    below->parents[node] = parent;
    if (repair_packs(r)) {
        crn_pack_join(r->cliques, parent, node);
        return;
    }
    uint32_t *at = &repair_above(r)->cliques[parent].child;
    while (*at != CAIRN_NO_NODE && *at < node) at = &below->siblings[*at];
    below->siblings[node] = *at;
    *at = node;
}

static void repair_leave_pack(cliques_mend *r, cairn_node node, cairn_node parent)
{
    repair_add_pair(r, &r->moved, &r->moved_count, &r->moved_capacity, (cairn_edge){node, parent});
    crn_pack_leave(r->cliques, parent, node);
}

static void repair_leave_list(cliques_mend *r, cairn_node node, cairn_node parent)
{
    crn_clique_level *below = repair_below(r);
    uint32_t *at = &repair_above(r)->cliques[parent].child;
    while (*at != node) at = &below->siblings[*at];
    *at = below->siblings[node];
    below->siblings[node] = CAIRN_NO_NODE;
}

static void repair_leave(cliques_mend *r, cairn_node node)
{
    crn_clique_level *below = repair_below(r);
    cairn_node parent = below->parents[node];
    repair_touch(r, parent);
    if (repair_packs(r)) {
        repair_leave_pack(r, node, parent);
    } else {
        repair_leave_list(r, node, parent);
    }
    below->parents[node] = CAIRN_NO_NODE;
}

/* A clique without children is none: its number is free. */
static void repair_give_back(cliques_mend *r, cairn_node number)
{
    crn_clique_level *above = repair_above(r);
    if (crn_cliques_has(r->cliques, r->level + 1, number)) return;
    *(above->packs ? &above->packs[number].mask : &above->cliques[number].cells) = above->vacant;
    above->vacant = number + 1;
}

static void repair_unhook(cliques_mend *r, cairn_node node)
{
    cairn_node parent = repair_below(r)->parents[node];
    repair_leave(r, node);
    repair_give_back(r, parent);
}

static cairn_node repair_first(const cliques_mend *r, cairn_node parent)
{
    return crn_cliques_first(r->cliques, r->level + 1, parent);
}

static cairn_node repair_next(const cliques_mend *r, cairn_node node)
{
    return crn_cliques_next(r->cliques, r->level, node);
}

static void repair_release(cliques_mend *r, cairn_node node)
{
    repair_unhook(r, node);
    repair_add(r, &r->free, node);
}

/* ---- is it still a clique? ---- */

typedef struct repair_steps {
    cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
    const cairn_edge *edges;
    uint32_t count;
} repair_steps;

static void repair_look(const cliques_mend *r, cairn_node node, repair_steps *steps)
{
    steps->edges = crn_cliques_neighbours(r->cliques, r->level, node, steps->room, &steps->count);
}

static bool repair_adjacent(const repair_steps *steps, cairn_node node)
{
    for (uint32_t i = 0; i < steps->count; i++) {
        if (steps->edges[i].node == node) return true;
    }
    return false;
}

/* Is it an orphan: in this clique because its only neighbour is? */
static bool repair_orphan(const cliques_mend *r, cairn_node node, cairn_node parent)
{
    if (!r->cliques->join) return false;
    repair_steps steps;
    repair_look(r, node, &steps);
    return steps.count == 1 && repair_below(r)->parents[steps.edges[0].node] == parent;
}

/* Frees the nodes that are not next to all that were kept before them. */
static void repair_keep(cliques_mend *r, cairn_node parent)
{
    cairn_node kept[CRN_CLIQUE_SIZE], next;
    uint32_t count = 0;
    for (cairn_node node = repair_first(r, parent); node != CAIRN_NO_NODE; node = next) {
        next = repair_next(r, node);
        if (repair_orphan(r, node, parent)) continue;
        repair_steps steps;
        repair_look(r, node, &steps);
        bool fits = count < CRN_CLIQUE_SIZE;
        for (uint32_t i = 0; fits && i < count; i++) fits = repair_adjacent(&steps, kept[i]);
        if (fits) {
            kept[count++] = node;
        } else {
            repair_release(r, node);
        }
    }
}

/* Frees nodes that had joined one which has left. */
static void repair_keep_followers(cliques_mend *r, cairn_node parent)
{
    crn_clique_level *below = repair_below(r);
    cairn_node first = repair_first(r, parent), next, other;
    for (cairn_node node = first; node != CAIRN_NO_NODE; node = next) {
        next = repair_next(r, node);
        repair_steps steps;
        repair_look(r, node, &steps);
        if (!r->cliques->join || steps.count != 1) continue;
        other = below->parents[steps.edges[0].node];
        if (other != parent && (node != first || next != CAIRN_NO_NODE)) repair_release(r, node);
    }
}

/* (A clique that no node has left, and whose nodes have the same neighbours, is one still. But a
 * node that is alone may find company.) */
static void repair_check(cliques_mend *r)
{
    const size_t count = r->dirty.count;
    const crn_clique_list touched = {r->touched.items, r->touched.count, 0};
    for (size_t i = 0; i < count && !r->failed; i++) {
        cairn_node parent = r->dirty.items[i];
        if (repair_holds(&touched, parent)) {
            repair_keep(r, parent);
            repair_keep_followers(r, parent);
        }
        cairn_node first = repair_first(r, parent);
        if (first != CAIRN_NO_NODE && repair_next(r, first) == CAIRN_NO_NODE)
            repair_release(r, first);
    }
}

/* ---- where free nodes go ---- */

/* Returns how well a node fits into a clique; 0 = not at all. Cliques of one are best, then those
 * of three. */
static uint32_t repair_fit(const cliques_mend *r, const repair_steps *steps, cairn_node parent)
{
    static const uint8_t fit[CRN_CLIQUE_SIZE] = {0, 3, 1, 2};
    uint32_t size = 0;
    for (cairn_node node = repair_first(r, parent); node != CAIRN_NO_NODE;
         node = repair_next(r, node)) {
        if (repair_adjacent(steps, node)) {
            if (++size == CRN_CLIQUE_SIZE) return 0;
        } else if (!repair_orphan(r, node, parent)) {
            return 0;
        }
    }
    return fit[size];
}

static cairn_node repair_best(const cliques_mend *r, const repair_steps *steps)
{
    cairn_node best = CAIRN_NO_NODE;
    uint32_t best_fit = 0;
    for (uint32_t i = 0; i < steps->count; i++) {
        cairn_node parent = repair_below(r)->parents[steps->edges[i].node];
        if (parent == CAIRN_NO_NODE) continue;
        uint32_t fit = repair_fit(r, steps, parent);
        if (fit > best_fit) {
            best = parent;
            best_fit = fit;
        }
    }
    return best;
}

static void repair_make(cliques_mend *r, const cairn_node *members, uint32_t size)
{
    cairn_node made = crn_cliques_add(r->cliques, r->level + 1);
    if (made == CAIRN_NO_NODE) {
        r->failed = true;
        return;
    }
    for (uint32_t i = 0; i < size; i++) repair_hook(r, members[i], made);
}

static void repair_settle(cliques_mend *r, cairn_node node)
{
    const uint32_t *parents = repair_below(r)->parents;
    if (parents[node] != CAIRN_NO_NODE) return;
    repair_steps steps;
    crn_clique_field field;
    cairn_node members[CRN_CLIQUE_SIZE] = {node}, best;
    repair_look(r, node, &steps);
    bool orphan = r->cliques->join && steps.count == 1;
    if (orphan && parents[steps.edges[0].node] != CAIRN_NO_NODE) {
        repair_hook(r, node, parents[steps.edges[0].node]);
        return;
    }
    field.aligned = false;
    crn_cliques_gather(r->cliques, r->level, node, 3, &field);
    for (uint32_t size = CRN_CLIQUE_SIZE; size > 2; size--) {
        if (!crn_cliques_choose(&field, size, members)) continue;
        repair_make(r, members, size);
        return;
    }
    if ((best = repair_best(r, &steps)) != CAIRN_NO_NODE) {
        repair_hook(r, node, best);
    } else {
        repair_make(r, members, crn_cliques_choose(&field, 2, members) ? 2 : 1);
    }
}

static void repair_settle_all(cliques_mend *r)
{
    repair_sort(&r->free);
    for (size_t i = 0; i < r->free.count && !r->failed; i++) repair_settle(r, r->free.items[i]);
}

/* ---- positions and edges ---- */

static void repair_surround(cliques_mend *r, cairn_node node)
{
    const crn_abstract_graph *graph = &repair_above(r)->graph;
    const cairn_edge *edges = crn_abstract_edges(graph, node);
    for (uint32_t i = 0; i < graph->nodes[node].count; i++)
        repair_add(r, &r->around, edges[i].node);
}

static bool repair_relink(cliques_mend *r, cairn_node node)
{
    bool changed = false;
    if (!crn_cliques_relink(r->cliques, r->level + 1, node, &r->edges, &changed)) r->failed = true;
    return changed;
}

/* Returns whether the edges of a dirty one cost something else now. */
static bool repair_update(cliques_mend *r, cairn_node node)
{
    const uint32_t level = r->level + 1;
    bool exists = crn_cliques_has(r->cliques, level, node);
    crn_clique_body before = crn_cliques_body(r->cliques, level, node);
    bool changed = crn_cliques_update(r->cliques, level, node);
    crn_clique_body now = crn_cliques_body(r->cliques, level, node);
    bool other = !exists || !before.cells;
    if (changed || !exists) repair_add(r, &r->next, node);
    if (other) repair_add(r, &r->next_linked, node);
    return other || now.x != before.x || now.y != before.y || now.price != before.price;
}

/* The edges of one that was touched; if it has moved or has other neighbours, those next to it get
 * new ones too. */
static void repair_link_touched(cliques_mend *r, cairn_node node, bool moved)
{
    size_t noted = r->around.count;
    repair_surround(r, node);
    bool changed = repair_relink(r, node);
    repair_surround(r, node);
    if (changed) repair_add(r, &r->next_linked, node);
    if (changed || moved)
        repair_add(r, &r->next, node);
    else
        r->around.count = noted;
}

/* Cliques next to one that has not moved, nor got other neighbours, need nothing. */
static void repair_link(cliques_mend *r)
{
    repair_sort(&r->dirty);
    crn_clique_list moved = {0};
    for (size_t i = 0; i < r->dirty.count; i++) {
        cairn_node node = r->dirty.items[i];
        if (repair_update(r, node)) repair_add(r, &moved, node);
    }
    for (size_t i = 0; i < moved.count; i++) repair_add(r, &r->touched, moved.items[i]);
    repair_sort(&r->touched);
    for (size_t i = 0; i < r->touched.count && !r->failed; i++) {
        cairn_node node = r->touched.items[i];
        repair_link_touched(r, node, repair_holds(&moved, node));
    }
    repair_free_list(r, &moved);
    repair_sort(&r->around);
    for (size_t i = 0; i < r->around.count && !r->failed; i++) {
        cairn_node node = r->around.items[i];
        if (repair_holds(&r->touched, node) || !crn_cliques_has(r->cliques, r->level + 1, node))
            continue;
        if (!repair_relink(r, node)) continue;
        repair_add(r, &r->next, node);
        repair_add(r, &r->next_linked, node);
    }
}

/* ---- the same for packs ---- */

static bool repair_was_less(const void *a, const void *b)
{
    return ((const repair_was *)a)->node < ((const repair_was *)b)->node;
}

/* Has a dirty one other cells, or another price? */
static bool repair_pack_changed(cliques_mend *r, const repair_was *was)
{
    const crn_clique_pack *pack = &repair_above(r)->packs[was->node];
    if (pack->child == CAIRN_NO_NODE) return true;
    bool price = crn_pack_price(r->cliques, was->node);
    if (price || pack->beside & CRN_PACK_FRESH) return true;
    crn_clique_body before = crn_pack_body(r->cliques, was->child, was->mask),
                    now = crn_pack_body(r->cliques, pack->child, pack->mask);
    return now.x != before.x || now.y != before.y || now.cells != before.cells;
}

/* What lies beside a pack that began at a cell, now; `around` it: what did and does. Returns whether
 * that has changed. */
static bool repair_pack_relink(cliques_mend *r, cairn_node node, cairn_node child, bool around)
{
    crn_clique_pack *pack = &repair_above(r)->packs[node];
    const crn_pack_past past = {r->moved, r->moved_count};
    cairn_edge before[CRN_CLIQUE_NEIGHBOURS], now[CRN_CLIQUE_NEIGHBOURS];
    uint64_t beside;
    uint32_t count = child == CAIRN_NO_NODE
                         ? 0
                         : crn_pack_recall(r->cliques, child, pack->beside, &past, before),
             found = crn_pack_find(r->cliques, node, now, &beside);
    pack->beside = beside | (pack->beside & CRN_PACK_NOTED);
    bool changed = count != found;
    for (uint32_t i = 0; around && i < count; i++) repair_add(r, &r->around, before[i].node);
    for (uint32_t i = 0; i < found; i++) {
        if (around) repair_add(r, &r->around, now[i].node);
        changed = changed || before[i].node != now[i].node;
    }
    return changed;
}

/* The edges of the dirty ones are counted again: those between two of them by each. */
static void repair_pack_tally(cliques_mend *r)
{
    crn_clique_pack *packs = repair_above(r)->packs;
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

static void repair_link_packs(cliques_mend *r)
{
    repair_sort(&r->dirty);
    crn_sort(r->was, r->was_count, sizeof *r->was, repair_was_less);
    crn_sort(r->moved, r->moved_count, sizeof *r->moved, repair_pair_less);
    for (size_t i = 0; i < r->was_count; i++) {
        cairn_node node = r->was[i].node;
        if (!repair_pack_changed(r, &r->was[i])) continue;
        repair_add(r, &r->next, node);
        const crn_clique_pack *pack = &repair_above(r)->packs[node];
        if (pack->child == CAIRN_NO_NODE || pack->beside & CRN_PACK_FRESH)
            repair_add(r, &r->next_linked, node);
    }
    const size_t moved = r->next.count;
    for (size_t i = 0; i < r->was_count && !r->failed; i++) {
        const repair_was *was = &r->was[i];
        crn_clique_list done = {r->next.items, moved, 0};
        size_t noted = r->around.count;
        bool affects = repair_holds(&done, was->node);
        if (repair_pack_relink(r, was->node, was->child, true)) {
            repair_add(r, &r->next_linked, was->node);
            affects = true;
        }
        if (affects)
            repair_add(r, &r->next, was->node);
        else
            r->around.count = noted;
    }
    repair_sort(&r->around);
    for (size_t i = 0; i < r->around.count && !r->failed; i++) {
        cairn_node node = r->around.items[i];
        if (repair_holds(&r->dirty, node) || !crn_cliques_has(r->cliques, 1, node)) continue;
        cairn_node child = repair_above(r)->packs[node].child;
        if (!repair_pack_relink(r, node, child, false)) continue;
        repair_add(r, &r->next, node);
        repair_add(r, &r->next_linked, node);
    }
    repair_pack_tally(r);
    r->was_count = r->moved_count = 0;
}

/* ---- a level ---- */

static void repair_sort_out(cliques_mend *r)
{
    const uint32_t *parents = repair_below(r)->parents;
    for (size_t i = 0; i < r->changed.count; i++) {
        cairn_node node = r->changed.items[i];
        bool exists = crn_cliques_has(r->cliques, r->level, node);
        if (exists && parents[node] == CAIRN_NO_NODE) {
            repair_add(r, &r->free, node);
        } else if (exists && !repair_holds(&r->linked, node)) {
            repair_dirty(r, parents[node]);
        } else if (exists) {
            repair_touch(r, parents[node]);
        } else if (parents[node] != CAIRN_NO_NODE) {
            repair_unhook(r, node);
        }
    }
}

static void repair_swap(crn_clique_list *a, crn_clique_list *b)
{
    crn_clique_list swap = *a;
    *a = *b;
    *b = swap;
}

static void repair_level(cliques_mend *r)
{
    repair_sort(&r->changed);
    repair_sort(&r->linked);
    repair_sort_out(r);
    repair_sort(&r->dirty);
    repair_sort(&r->touched);
    if (!r->failed) repair_check(r);
    repair_report(r);
    repair_settle_all(r);
    repair_report(r);
    if (!r->failed && repair_packs(r)) {
        repair_link_packs(r);
    } else if (!r->failed) {
        repair_link(r);
    }
    repair_report(r);
    repair_swap(&r->changed, &r->next);
    repair_swap(&r->linked, &r->next_linked);
    r->next.count = r->next_linked.count = r->touched.count = 0;
    r->free.count = r->dirty.count = r->around.count = 0;
}

/* ---- the ground ---- */

static void repair_touch_cells(cliques_mend *r, crn_size_box box)
{
    const cairn_grid *grid = r->cliques->map->grid;
    uint32_t left = box.left - (box.left > 0), top = box.top - (box.top > 0);
    for (uint32_t y = top; y <= box.bottom + 1 && y < grid->height; y++) {
        for (uint32_t x = left; x <= box.right + 1 && x < grid->width; x++) {
            repair_add(r, &r->changed, y * grid->width + x);
        }
    }
}

/* Notes cells whose steps may have changed: those that became usable or unusable, and those beside
 * them. Where steps depend on more than that, all that the change may affect. */
static void repair_change(cliques_mend *r, const cairn_change *change)
{
    const crn_grid_space *map = r->cliques->map;
    const uint32_t width = map->grid->width;
    crn_size_box reach = crn_edits_box(map, change->node, 0);
    repair_add(r, &r->changed, change->node);
    if (crn_grid_may_be_limited(map)) {
        repair_touch_cells(r, reach);
        return;
    }
    for (uint32_t y = reach.top; y <= reach.bottom; y++) {
        for (uint32_t x = reach.left; x <= reach.right; x++) {
            bool was = r->cliques->levels[0].parents[(size_t)y * width + x] != CAIRN_NO_NODE;
            if (was != crn_bit(&map->usable, (int32_t)x, (int32_t)y)) {
                repair_touch_cells(r, (crn_size_box){x, y, x, y});
            }
        }
    }
}

static cairn_status repair_gather(cliques_mend *r, uint64_t since)
{
    crn_edits edits;
    cairn_status status = crn_edits_begin(&edits, r->cliques->map->grid, since);
    if (status != CAIRN_OK) return status;
    for (const cairn_change *change; !r->failed && (change = crn_edits_next(&edits));) {
        repair_change(r, change);
        if (r->changed.count > r->cliques->ground->node_count) return CAIRN_STALE;
    }
    for (size_t i = 0; i < r->changed.count && !r->failed; i++)
        repair_add(r, &r->linked, r->changed.items[i]);
    return r->failed ? CAIRN_OUT_OF_MEMORY : CAIRN_OK;
}

/* ---- all of it ---- */

static void repair_levels(cliques_mend *r, bool lowest)
{
    enum { PHASES = 3 };
    crn_cliques *cliques = r->cliques;
    r->total = PHASES * cliques->top + 1;
    r->failed = r->cancelled = !crn_progress(r->progress, 0, r->total);
    for (r->level = 0; r->level < cliques->top && r->changed.count && !r->failed; r->level++)
        repair_level(r);
    if (r->failed || lowest) return;
    while (cliques->top > 1 && !cliques->levels[cliques->top - 1].edge_count)
        crn_cliques_drop_top(cliques);
    if (!crn_cliques_build_up(cliques)) r->failed = true;
    r->done = r->total - 1; /* upper levels may not have changed */
    repair_report(r);
}

cairn_status crn_cliques_repair(crn_cliques *cliques, uint64_t since, bool lowest,
                                const cairn_progress *progress)
{
    if (!cliques->map) return CAIRN_STALE;
    cliques_mend r = {.cliques = cliques, .progress = progress};
    cairn_status status = repair_gather(&r, since);
    if (status == CAIRN_OK && !cliques->priced && crn_cliques_uneven(cliques) &&
        !crn_cliques_add_prices(cliques))
        status = CAIRN_OUT_OF_MEMORY;
    if (status == CAIRN_OK) repair_levels(&r, lowest);
    repair_free_list(&r, &r.changed);
    repair_free_list(&r, &r.linked);
    repair_free_list(&r, &r.next);
    repair_free_list(&r, &r.next_linked);
    repair_free_list(&r, &r.touched);
    repair_free_list(&r, &r.free);
    repair_free_list(&r, &r.dirty);
    repair_free_list(&r, &r.around);
    crn_free(cliques->context, r.was, r.was_capacity * sizeof *r.was);
    crn_free(cliques->context, r.moved, r.moved_capacity * sizeof *r.moved);
    crn_clique_edges_close(&r.edges, cliques->context);
    if (r.cancelled) return CAIRN_CANCELLED;
    return status == CAIRN_OK && r.failed ? CAIRN_OUT_OF_MEMORY : status;
}
