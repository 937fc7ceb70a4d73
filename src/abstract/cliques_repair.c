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
 *   stay alone. Who was alone and begins a clique keeps the number: what is next to it need not
 *   learn another one.
 * - Where there are one-way steps, lists of ledges follow (cliques_ledges.c).
 * - Cliques that changed get a new position and, if they have moved or their nodes have other
 *   neighbours, new edges; then those next to them get new edges too. What has changed by that is
 *   passed on.
 *
 * In the end levels are removed from the top or added, if necessary. Every one has a node for each
 * component, however small, so where hardly any edge is left, none is added: searches do without.
 *
 * An edit of one cell touches a handful of nodes in each level, whatever the corner rule: cells
 * whose steps may have changed count as changed. In upper levels of scattered ground nodes with
 * one neighbour gather round others, hubs with hundreds of neighbours. Nearly all edits change no
 * more of a hub than the number of its cells, which concerns nobody but its parents.
 *
 * After J. Harvanová, section 3.3, who repairs the lowest level and rebuilds the others.
 */
#include "abstract/cliques_mend.h"
#include "world/changes.h"

/* A phase is done. */
static void repair_report(crn_mend *r)
{
    if (r->failed || crn_progress(r->progress, ++r->done, r->total)) return;
    r->failed = r->cancelled = true;
}

/* ---- lists ---- */

static CRN_NOINLINE void repair_widen(crn_mend *r, crn_clique_list *list, uint32_t item)
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

void crn_mend_add(crn_mend *r, crn_clique_list *list, uint32_t item)
{
    if (list->count == list->capacity) {
        repair_widen(r, list, item);
    } else {
        list->items[list->count++] = item;
    }
}

void crn_mend_add_pair(crn_mend *r, cairn_edge **list, size_t *count, size_t *capacity,
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

bool crn_mend_pair_less(const void *a, const void *b)
{
    return ((const cairn_edge *)a)->node < ((const cairn_edge *)b)->node;
}

bool crn_mend_holds(const crn_clique_list *list, uint32_t item)
{
    size_t low = crn_lower_bound(list->items, list->count, item);
    return low < list->count && list->items[low] == item;
}

static void repair_free_list(crn_mend *r, crn_clique_list *list)
{
    crn_free(r->cliques->context, list->items, list->capacity * sizeof *list->items);
}

static void repair_free_pairs(crn_mend *r, crn_clique_pairs *pairs)
{
    crn_free(r->cliques->context, pairs->items, pairs->capacity * sizeof *pairs->items);
}

/* ---- children ---- */

/* Is the level above one of packs? */
static bool repair_packs(const crn_mend *r)
{
    return crn_cliques_packed(r->cliques, r->level + 1);
}

static void repair_dirty(crn_mend *r, cairn_node parent)
{
    if (repair_packs(r)) crn_mend_note(r, parent);
    crn_mend_add(r, &r->dirty, parent);
}

/* Its edges may be others. */
static void repair_touch(crn_mend *r, cairn_node parent)
{
    repair_dirty(r, parent);
    crn_mend_add(r, &r->touched, parent);
    r->cores[parent % CRN_MEND_CORES].parent = CAIRN_NO_NODE;
}

/* A node joins a clique, or leaves it. */
static void repair_note_hooked(crn_mend *r, cairn_node node, cairn_node parent)
{
    if (!r->cliques->ledged) return;
    crn_clique_pairs *hooked = &r->hooked;
    crn_mend_add_pair(r, &hooked->items, &hooked->count, &hooked->capacity,
                      (cairn_edge){node, parent});
}

static void repair_hook(crn_mend *r, cairn_node node, cairn_node parent)
{
    crn_clique_level *below = crn_mend_below(r);
    repair_touch(r, parent);
    repair_note_hooked(r, node, parent);
    below->parents[node] = parent;
    if (repair_packs(r)) {
        crn_pack_join(r->cliques, parent, node);
        return;
    }
    uint32_t *at = &crn_mend_above(r)->cliques[parent].child;
    while (*at != CAIRN_NO_NODE && *at < node) at = &below->siblings[*at];
    below->siblings[node] = *at;
    *at = node;
}

static void repair_leave_pack(crn_mend *r, cairn_node node, cairn_node parent)
{
    crn_mend_add_pair(r, &r->moved, &r->moved_count, &r->moved_capacity,
                      (cairn_edge){node, parent});
    crn_pack_leave(r->cliques, parent, node);
}

static void repair_leave_list(crn_mend *r, cairn_node node, cairn_node parent)
{
    crn_clique_level *below = crn_mend_below(r);
    uint32_t *at = &crn_mend_above(r)->cliques[parent].child;
    while (*at != node) at = &below->siblings[*at];
    *at = below->siblings[node];
    below->siblings[node] = CAIRN_NO_NODE;
}

static void repair_leave(crn_mend *r, cairn_node node)
{
    crn_clique_level *below = crn_mend_below(r);
    cairn_node parent = below->parents[node];
    repair_touch(r, parent);
    repair_note_hooked(r, node, parent);
    if (repair_packs(r)) {
        repair_leave_pack(r, node, parent);
    } else {
        repair_leave_list(r, node, parent);
    }
    below->parents[node] = CAIRN_NO_NODE;
}

/* A clique without children is none: its number is free. */
static void repair_give_back(crn_mend *r, cairn_node number)
{
    crn_clique_level *above = crn_mend_above(r);
    if (crn_cliques_has(r->cliques, r->level + 1, number)) return;
    *(above->packs ? &above->packs[number].mask : &above->cliques[number].cells) = above->vacant;
    above->vacant = number + 1;
}

static void repair_unhook(crn_mend *r, cairn_node node)
{
    cairn_node parent = crn_mend_below(r)->parents[node];
    repair_leave(r, node);
    repair_give_back(r, parent);
}

static cairn_node repair_first(const crn_mend *r, cairn_node parent)
{
    return crn_cliques_first(r->cliques, r->level + 1, parent);
}

static cairn_node repair_next(const crn_mend *r, cairn_node node)
{
    return crn_cliques_next(r->cliques, r->level, node);
}

static void repair_release(crn_mend *r, cairn_node node)
{
    repair_unhook(r, node);
    crn_mend_add(r, &r->free, node);
}

/* The only one of a clique, whose number is kept for it. */
static void repair_release_lone(crn_mend *r, cairn_node node)
{
    cairn_node parent = crn_mend_below(r)->parents[node];
    repair_leave(r, node);
    crn_mend_add_pair(r, &r->lone, &r->lone_count, &r->lone_capacity, (cairn_edge){node, parent});
    crn_mend_add(r, &r->free, node);
}

/* ---- is it still a clique? ---- */

typedef struct repair_steps {
    cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
    const cairn_edge *edges;
    uint32_t count;
} repair_steps;

static void repair_look(const crn_mend *r, cairn_node node, repair_steps *steps)
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
static bool repair_orphan(const crn_mend *r, cairn_node node, cairn_node parent)
{
    if (!r->cliques->join) return false;
    repair_steps steps;
    repair_look(r, node, &steps);
    return steps.count == 1 && crn_mend_below(r)->parents[steps.edges[0].node] == parent;
}

/* Frees the nodes that are not next to all that were kept before them. */
static void repair_keep(crn_mend *r, cairn_node parent)
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
static void repair_keep_followers(crn_mend *r, cairn_node parent)
{
    crn_clique_level *below = crn_mend_below(r);
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
static void repair_check(crn_mend *r)
{
    const size_t count = r->dirty.count, known = r->touched.count;
    for (size_t i = 0; i < count && !r->failed; i++) {
        cairn_node parent = r->dirty.items[i];
        const crn_clique_list touched = {r->touched.items, known, 0}; /* more follow, unsorted */
        if (crn_mend_holds(&touched, parent)) {
            repair_keep(r, parent);
            repair_keep_followers(r, parent);
        }
        cairn_node first = repair_first(r, parent);
        if (first != CAIRN_NO_NODE && repair_next(r, first) == CAIRN_NO_NODE)
            repair_release_lone(r, first);
    }
    crn_sort(r->lone, r->lone_count, sizeof *r->lone, crn_mend_pair_less);
}

/* ---- where free nodes go ---- */

static uint32_t repair_core_size(crn_mend *r, cairn_node parent)
{
    crn_mend_core *core = &r->cores[parent % CRN_MEND_CORES];
    if (core->parent == parent && core->level == r->level + 1) return core->size;
    uint32_t size = 0;
    for (cairn_node node = repair_first(r, parent); node != CAIRN_NO_NODE;
         node = repair_next(r, node))
        size += !repair_orphan(r, node, parent);
    *core = (crn_mend_core){parent, (uint16_t)(r->level + 1), (uint16_t)size};
    return size;
}

/* Returns how well a node fits into a clique; 0 = not at all. Cliques of one are best, then those
 * of three. (What a node without a clique is next to is no orphan that has joined one, so it must
 * be next to as many as there are others.) */
static uint32_t repair_fit(crn_mend *r, const repair_steps *steps, cairn_node parent)
{
    static const uint8_t fit[CRN_CLIQUE_SIZE] = {0, 3, 1, 2};
    const uint32_t *parents = crn_mend_below(r)->parents;
    uint32_t size = 0;
    for (uint32_t i = 0; i < steps->count && size < CRN_CLIQUE_SIZE; i++)
        size += parents[steps->edges[i].node] == parent;
    return size < CRN_CLIQUE_SIZE && size == repair_core_size(r, parent) ? fit[size] : 0;
}

static cairn_node repair_best(crn_mend *r, const repair_steps *steps)
{
    cairn_node best = CAIRN_NO_NODE;
    uint32_t best_fit = 0;
    for (uint32_t i = 0; i < steps->count; i++) {
        cairn_node parent = crn_mend_below(r)->parents[steps->edges[i].node];
        if (parent == CAIRN_NO_NODE) continue;
        uint32_t fit = repair_fit(r, steps, parent);
        if (fit > best_fit) {
            best = parent;
            best_fit = fit;
        }
    }
    return best;
}

/* The number that is kept for a node; CAIRN_NO_NODE: none. */
static cairn_node repair_kept(const crn_mend *r, cairn_node node)
{
    size_t low = crn_lower_bound(r->lone, r->lone_count, node);
    return low < r->lone_count && r->lone[low].node == node ? r->lone[low].cost : CAIRN_NO_NODE;
}

static void repair_make(crn_mend *r, const cairn_node *members, uint32_t size)
{
    cairn_node made = repair_kept(r, members[0]);
    if (made == CAIRN_NO_NODE) made = crn_cliques_add(r->cliques, r->level + 1);
    if (made == CAIRN_NO_NODE) {
        r->failed = true;
        return;
    }
    for (uint32_t i = 0; i < size; i++) repair_hook(r, members[i], made);
}

static void repair_settle(crn_mend *r, cairn_node node)
{
    const uint32_t *parents = crn_mend_below(r)->parents;
    if (parents[node] != CAIRN_NO_NODE) return;
    repair_steps steps;
    crn_clique_field field;
    cairn_node members[CRN_CLIQUE_SIZE] = {node}, best;
    repair_look(r, node, &steps);
    if (!steps.count) {
        repair_make(r, members, 1);
        return;
    }
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

static void repair_settle_all(crn_mend *r)
{
    crn_mend_sort(&r->free);
    for (size_t i = 0; i < r->free.count && !r->failed; i++) repair_settle(r, r->free.items[i]);
    for (size_t i = 0; i < r->lone_count; i++) repair_give_back(r, r->lone[i].cost);
    r->lone_count = 0;
}

/* ---- positions and edges ---- */

static void repair_copy_neighbours(crn_mend *r, cairn_node node, crn_clique_list *list)
{
    const crn_abstract_graph *graph = &crn_mend_above(r)->graph;
    const cairn_edge *edges = crn_abstract_edges(graph, node);
    list->count = 0;
    for (uint32_t i = 0; i < graph->nodes[node].count; i++) crn_mend_add(r, list, edges[i].node);
}

static bool repair_relink(crn_mend *r, cairn_node node)
{
    bool changed = false;
    if (!crn_cliques_relink(r->cliques, r->level + 1, node, &r->edges, &changed)) r->failed = true;
    return changed;
}

/* Returns whether the edges of a dirty one cost something else now. */
static bool repair_update(crn_mend *r, cairn_node node)
{
    const uint32_t level = r->level + 1;
    bool exists = crn_cliques_has(r->cliques, level, node);
    bool other = !exists || !crn_mend_above(r)->cliques[node].cells;
    crn_clique_change change = crn_cliques_update(r->cliques, level, node);
    if (change != CRN_CLIQUE_SAME || !exists) crn_mend_add(r, &r->next, node);
    if (other) crn_mend_add(r, &r->next_linked, node);
    return other || change == CRN_CLIQUE_MOVED;
}

/* The edge back from one that was not touched itself. */
static void repair_link_back(crn_mend *r, cairn_node from, cairn_node to, bool joined)
{
    bool changed = false;
    if (crn_mend_holds(&r->touched, from) || !crn_cliques_has(r->cliques, r->level + 1, from))
        return;
    crn_clique_pair pair = {r->level + 1, from, to, joined};
    if (!crn_cliques_patch(r->cliques, pair, &r->edges, &changed)) r->failed = true;
    if (!changed) return;
    crn_mend_add(r, &r->next, from);
    crn_mend_add(r, &r->next_linked, from);
}

/* The edges of one that was touched; if it has moved or has other neighbours, the edges back to it
 * too. */
static void repair_link_touched(crn_mend *r, cairn_node node, bool moved)
{
    crn_clique_list *before = &r->before, *after = &r->after;
    repair_copy_neighbours(r, node, before);
    bool changed = repair_relink(r, node);
    if (changed) crn_mend_add(r, &r->next_linked, node);
    if (!changed && !moved) return;
    crn_mend_add(r, &r->next, node);
    repair_copy_neighbours(r, node, after);
    for (size_t i = 0, j = 0; (i < before->count || j < after->count) && !r->failed;) {
        cairn_node was = i < before->count ? before->items[i] : CAIRN_NO_NODE,
                   is = j < after->count ? after->items[j] : CAIRN_NO_NODE;
        if (was != is || moved) repair_link_back(r, was < is ? was : is, node, is <= was);
        i += was <= is;
        j += is <= was;
    }
}

/* Cliques next to one that has not moved, nor got other neighbours, need nothing. */
static void repair_link(crn_mend *r)
{
    crn_mend_sort(&r->dirty);
    crn_clique_list *shifted = &r->shifted;
    shifted->count = 0;
    for (size_t i = 0; i < r->dirty.count; i++) {
        cairn_node node = r->dirty.items[i];
        if (repair_update(r, node)) crn_mend_add(r, shifted, node);
    }
    for (size_t i = 0; i < shifted->count; i++) crn_mend_add(r, &r->touched, shifted->items[i]);
    crn_mend_sort(&r->touched);
    for (size_t i = 0; i < r->touched.count && !r->failed; i++) {
        cairn_node node = r->touched.items[i];
        repair_link_touched(r, node, crn_mend_holds(shifted, node));
    }
}

/* ---- a level ---- */

static void repair_sort_out(crn_mend *r)
{
    const uint32_t *parents = crn_mend_below(r)->parents;
    for (size_t i = 0; i < r->changed.count; i++) {
        cairn_node node = r->changed.items[i];
        bool exists = crn_cliques_has(r->cliques, r->level, node);
        if (exists && parents[node] == CAIRN_NO_NODE) {
            crn_mend_add(r, &r->free, node);
        } else if (exists && !crn_mend_holds(&r->linked, node)) {
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

static void repair_level(crn_mend *r)
{
    crn_mend_sort(&r->changed);
    crn_mend_sort(&r->linked);
    repair_sort_out(r);
    crn_mend_sort(&r->dirty);
    crn_mend_sort(&r->touched);
    if (!r->failed) repair_check(r);
    repair_report(r);
    repair_settle_all(r);
    repair_report(r);
    if (!r->failed) crn_mend_ledges(r);
    if (!r->failed && repair_packs(r)) {
        crn_mend_link_packs(r);
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

static void repair_touch_cells(crn_mend *r, crn_size_box box)
{
    const cairn_grid *grid = r->cliques->map->grid;
    uint32_t left = box.left - (box.left > 0), top = box.top - (box.top > 0);
    for (uint32_t y = top; y <= box.bottom + 1 && y < grid->height; y++) {
        for (uint32_t x = left; x <= box.right + 1 && x < grid->width; x++) {
            crn_mend_add(r, &r->changed, y * grid->width + x);
        }
    }
}

/* Notes cells whose steps may have changed: those that became usable or unusable, and those beside
 * them. Where steps depend on more than that, all that the change may affect. */
static void repair_change(crn_mend *r, const cairn_change *change)
{
    const crn_grid_space *map = r->cliques->map;
    const uint32_t width = map->grid->width;
    crn_size_box reach = crn_edits_box(map, change->node, 0);
    crn_mend_add(r, &r->changed, change->node);
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

/* Ledges round the cells whose steps may have changed may be others. */
static void repair_doubt_ledges(crn_mend *r)
{
    const cairn_grid *grid = r->cliques->map->grid;
    crn_clique_pairs *ledged = &r->ledged;
    for (size_t i = 0; i < r->changed.count && !r->failed; i++) {
        cairn_cell cell = cairn_grid_cell(grid, r->changed.items[i]);
        for (uint32_t d = 0; d < CRN_DIRECTIONS && !r->failed; d++) {
            cairn_node beside = cairn_grid_node(grid, cell.x + crn_dx[d], cell.y + crn_dy[d]);
            if (beside == CAIRN_NO_NODE) continue;
            crn_mend_add_pair(r, &ledged->items, &ledged->count, &ledged->capacity,
                              (cairn_edge){r->changed.items[i], beside});
        }
    }
}

static cairn_status repair_gather(crn_mend *r, uint64_t since)
{
    crn_edits edits;
    cairn_status status = crn_edits_begin(&edits, r->cliques->map->grid, since);
    if (status != CAIRN_OK) return status;
    for (const cairn_change *change; !r->failed && (change = crn_edits_next(&edits));) {
        repair_change(r, change);
        if (r->changed.count > r->cliques->ground->node_count) return CAIRN_STALE;
    }
    for (size_t i = 0; i < r->changed.count && !r->failed; i++)
        crn_mend_add(r, &r->linked, r->changed.items[i]);
    if (r->cliques->ledged) repair_doubt_ledges(r);
    return r->failed ? CAIRN_OUT_OF_MEMORY : CAIRN_OK;
}

/* ---- all of it ---- */

static void repair_levels(crn_mend *r, bool lowest)
{
    enum { PHASES = 3 };
    crn_cliques *cliques = r->cliques;
    r->total = PHASES * cliques->top + 1;
    r->failed = r->cancelled = !crn_progress(r->progress, 0, r->total);
    for (r->level = 0; r->level < cliques->top && !r->failed; r->level++) {
        if (!r->changed.count && !r->ledged.count) break;
        repair_level(r);
    }
    if (!r->failed && !crn_cliques_take_links(cliques)) r->failed = true;
    if (r->failed || lowest) return;
    while (cliques->top > 1 && !cliques->levels[cliques->top - 1].edge_count)
        crn_cliques_drop_top(cliques);
    if (!crn_cliques_build_on(cliques) || !crn_cliques_lift_doors(cliques)) r->failed = true;
    r->done = r->total - 1; /* upper levels may not have changed */
    repair_report(r);
}

cairn_status crn_cliques_repair(crn_cliques *cliques, uint64_t since, bool lowest,
                                const cairn_progress *progress)
{
    if (!cliques->map) return CAIRN_STALE;
    crn_mend r = {.cliques = cliques, .progress = progress};
    bool slopes = !cliques->ledged && crn_cliques_sloped(cliques);
    if (slopes && !crn_cliques_add_ledges(cliques)) return CAIRN_OUT_OF_MEMORY;
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
    repair_free_list(&r, &r.shifted);
    repair_free_list(&r, &r.before);
    repair_free_list(&r, &r.after);
    repair_free_list(&r, &r.free);
    repair_free_list(&r, &r.dirty);
    repair_free_list(&r, &r.around);
    repair_free_pairs(&r, &r.ledged);
    repair_free_pairs(&r, &r.hooked);
    repair_free_pairs(&r, &r.doubted);
    repair_free_pairs(&r, &r.gathered);
    crn_free(cliques->context, r.lone, r.lone_capacity * sizeof *r.lone);
    crn_free(cliques->context, r.was, r.was_capacity * sizeof *r.was);
    crn_free(cliques->context, r.moved, r.moved_capacity * sizeof *r.moved);
    cliques->looked = r.edges.looked;
    crn_clique_edges_close(&r.edges, cliques->context);
    if (r.cancelled) return CAIRN_CANCELLED;
    return status == CAIRN_OK && r.failed ? CAIRN_OUT_OF_MEMORY : status;
}
