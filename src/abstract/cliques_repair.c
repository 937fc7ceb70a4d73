/* cliques_repair.c: repairs levels of cliques after edits of their world.
 *
 * Level by level, from level 0 up. A level passes to the next one the nodes that are gone, that are
 * new, or whose neighbours, position or price have changed. On the next level:
 *
 * - Nodes that are gone leave their cliques.
 * - Cliques that changed, and are no longer cliques, keep the first nodes that still fit and free
 *   the others. A node that would be left alone is freed too.
 * - Free nodes, in ascending order, join the clique of their only neighbour (orphans), make a
 *   clique of three or four of their own, join a clique that has room for them, make a pair, or
 *   stay alone.
 * - Cliques that changed get a new position and new edges, and those next to them new edges. What
 *   has changed by that is passed on.
 *
 * In the end a level is added on top or removed, if necessary. An edit of one cell touches a
 * handful of nodes in each level, whatever the corner rule: cells whose steps may have changed
 * count as changed. (In upper levels of scattered ground nodes with one neighbour gather round
 * others, and repairing such a one takes time for each of them.)
 *
 * After J. Harvanová, section 3.3, who repairs the lowest level and rebuilds the others.
 */
#include "abstract/cliques.h"
#include "world/changes.h"

typedef struct cliques_mend {
    crn_cliques *cliques;
    uint32_t level;          /* whose nodes have changed */
    crn_clique_list changed; /* these */
    crn_clique_list next;    /* and of the level above these */
    crn_clique_list free;    /* nodes without a clique */
    crn_clique_list dirty;   /* cliques that changed */
    crn_clique_list around;  /* cliques next to them */
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

static void repair_hook(cliques_mend *r, cairn_node node, cairn_node parent)
{
    crn_clique_level *below = repair_below(r);
    uint32_t *at = &repair_above(r)->cliques[parent].child;
    while (*at != CAIRN_NO_NODE && *at < node) at = &below->siblings[*at];
    below->siblings[node] = *at;
    *at = node;
    below->parents[node] = parent;
    repair_add(r, &r->dirty, parent);
}

/* A clique without children is none: its number is free. */
static void repair_unhook(cliques_mend *r, cairn_node node)
{
    crn_clique_level *below = repair_below(r), *above = repair_above(r);
    cairn_node parent = below->parents[node];
    crn_clique *clique = &above->cliques[parent];
    uint32_t *at = &clique->child;
    while (*at != node) at = &below->siblings[*at];
    *at = below->siblings[node];
    below->siblings[node] = below->parents[node] = CAIRN_NO_NODE;
    repair_add(r, &r->dirty, parent);
    if (clique->child != CAIRN_NO_NODE) return;
    clique->cells = above->vacant;
    above->vacant = parent + 1;
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
    crn_clique_level *below = repair_below(r);
    cairn_node kept[CRN_CLIQUE_SIZE], next;
    uint32_t count = 0;
    for (cairn_node node = repair_above(r)->cliques[parent].child; node != CAIRN_NO_NODE;
         node = next) {
        next = below->siblings[node];
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

/* Frees nodes that had joined one which has left, and a node that is the only one left. */
static void repair_keep_followers(cliques_mend *r, cairn_node parent)
{
    crn_clique_level *below = repair_below(r);
    cairn_node first = repair_above(r)->cliques[parent].child, next, other;
    for (cairn_node node = first; node != CAIRN_NO_NODE; node = next) {
        next = below->siblings[node];
        repair_steps steps;
        repair_look(r, node, &steps);
        if (!r->cliques->join || steps.count != 1) continue;
        other = below->parents[steps.edges[0].node];
        if (other != parent && (node != first || next != CAIRN_NO_NODE)) repair_release(r, node);
    }
    first = repair_above(r)->cliques[parent].child;
    if (first != CAIRN_NO_NODE && below->siblings[first] == CAIRN_NO_NODE) repair_release(r, first);
}

static void repair_check(cliques_mend *r)
{
    size_t count = r->dirty.count;
    for (size_t i = 0; i < count && !r->failed; i++) {
        cairn_node parent = r->dirty.items[i];
        repair_keep(r, parent);
        repair_keep_followers(r, parent);
    }
}

/* ---- where free nodes go ---- */

/* Returns how well a node fits into a clique; 0 = not at all. Cliques of one are best, then those
 * of three. */
static uint32_t repair_fit(const cliques_mend *r, const repair_steps *steps, cairn_node parent)
{
    static const uint8_t fit[CRN_CLIQUE_SIZE] = {0, 3, 1, 2};
    const uint32_t *siblings = repair_below(r)->siblings;
    uint32_t size = 0;
    for (cairn_node node = repair_above(r)->cliques[parent].child; node != CAIRN_NO_NODE;
         node = siblings[node]) {
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

/* Cliques next to one that has not changed, nor got other neighbours, need nothing. */
static void repair_link(cliques_mend *r)
{
    uint32_t level = r->level + 1;
    repair_sort(&r->dirty);
    for (size_t i = 0; i < r->dirty.count; i++) {
        cairn_node node = r->dirty.items[i];
        bool exists = crn_cliques_has(r->cliques, level, node);
        if (crn_cliques_update(r->cliques, level, node) || !exists) repair_add(r, &r->next, node);
    }
    size_t moved = r->next.count;
    for (size_t i = 0; i < r->dirty.count && !r->failed; i++) {
        cairn_node node = r->dirty.items[i];
        crn_clique_list done = {r->next.items, moved, 0};
        bool affects = repair_holds(&done, node);
        size_t noted = r->around.count;
        repair_surround(r, node);
        if (repair_relink(r, node)) affects = true;
        repair_surround(r, node);
        if (affects)
            repair_add(r, &r->next, node);
        else
            r->around.count = noted;
    }
    repair_sort(&r->around);
    for (size_t i = 0; i < r->around.count && !r->failed; i++) {
        cairn_node node = r->around.items[i];
        if (repair_holds(&r->dirty, node) || !crn_cliques_has(r->cliques, level, node)) continue;
        if (repair_relink(r, node)) repair_add(r, &r->next, node);
    }
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
        } else if (exists) {
            repair_add(r, &r->dirty, parents[node]);
        } else if (parents[node] != CAIRN_NO_NODE) {
            repair_unhook(r, node);
        }
    }
}

static void repair_level(cliques_mend *r)
{
    repair_sort(&r->changed);
    repair_sort_out(r);
    repair_sort(&r->dirty);
    if (!r->failed) repair_check(r);
    repair_report(r);
    repair_sort(&r->free);
    for (size_t i = 0; i < r->free.count && !r->failed; i++) repair_settle(r, r->free.items[i]);
    repair_report(r);
    if (!r->failed) repair_link(r);
    repair_report(r);
    crn_clique_list swap = r->changed;
    r->changed = r->next;
    r->next = swap;
    r->next.count = r->free.count = r->dirty.count = r->around.count = 0;
}

/* ---- the ground ---- */

static void repair_touch(cliques_mend *r, crn_size_box box)
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
        repair_touch(r, reach);
        return;
    }
    for (uint32_t y = reach.top; y <= reach.bottom; y++) {
        for (uint32_t x = reach.left; x <= reach.right; x++) {
            bool was = r->cliques->levels[0].parents[(size_t)y * width + x] != CAIRN_NO_NODE;
            if (was != crn_bit(&map->usable, (int32_t)x, (int32_t)y)) {
                repair_touch(r, (crn_size_box){x, y, x, y});
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
    if (status == CAIRN_OK) repair_levels(&r, lowest);
    repair_free_list(&r, &r.changed);
    repair_free_list(&r, &r.next);
    repair_free_list(&r, &r.free);
    repair_free_list(&r, &r.dirty);
    repair_free_list(&r, &r.around);
    crn_clique_edges_close(&r.edges, cliques->context);
    if (r.cancelled) return CAIRN_CANCELLED;
    return status == CAIRN_OK && r.failed ? CAIRN_OUT_OF_MEMORY : status;
}
