/* cliques_ledges.c: steps of a grid that cannot be walked back, between nodes of levels of cliques.
 * See cliques.h.
 *
 * Heights may allow a step down where none leads up. Cliques are made of steps that lead both ways,
 * so that whoever is in a node gets everywhere in it. The others, ledges, are kept beside: a node
 * has a list of the nodes that ledges join it with, and for each whether one leads there, or from
 * there, or both. Of two nodes that a ledge joins each has the other in its list. There are no
 * lists where no step can be one-way.
 *
 * A repair passes up which pairs of nodes are joined otherwise than before. Two nodes above may be,
 * if such a pair lies in them, or one that ledges join and of which a node has changed its parent:
 * its list tells which. Where heights are scattered, a node of an upper level may have ledges to
 * thousands of others. So what joins two nodes is found in the children of the one with fewer, and
 * only nodes of which many pairs are in doubt gather all of theirs again.
 */
#include "abstract/cliques_mend.h"

/* ---- the ground ---- */

bool crn_cliques_sloped(const crn_cliques *cliques)
{
    const crn_grid_space *map = cliques->map;
    return map && map->steep && map->profile.max_climb != map->profile.max_drop;
}

static uint32_t ledges_of_cell(const crn_grid_space *map, cairn_node cell, cairn_edge *out)
{
    const uint32_t width = map->grid->width, x = cell % width, y = cell / width;
    uint32_t moves = crn_grid_moves(map, x, y), allowed = crn_grid_limit_moves(map, x, y, moves),
             count = 0;
    for (; moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves), to_x = (uint32_t)((int32_t)x + crn_dx[d]),
                 to_y = (uint32_t)((int32_t)y + crn_dy[d]);
        bool there = allowed >> d & 1, back = crn_grid_can_step(map, to_x, to_y, x, y);
        if (there != back)
            out[count++] =
                (cairn_edge){to_y * width + to_x, there ? CRN_LEDGE_THERE : CRN_LEDGE_BACK};
    }
    return count;
}

const cairn_edge *crn_cliques_ledges(const crn_cliques *cliques, uint32_t level, cairn_node node,
                                     cairn_edge *room, uint32_t *count)
{
    const crn_clique_ledges *ledges = &cliques->levels[level].ledges;
    bool some = level ? ledges->lists != NULL : crn_cliques_sloped(cliques);
    *count = 0;
    if (some && level) *count = ledges->lists[node].count;
    if (some && !level) *count = ledges_of_cell(cliques->map, node, room);
    if (!*count || !level) return room;
    return (const cairn_edge *)ledges->pool.items + ledges->lists[node].first;
}

/* ---- lists ---- */

static bool ledges_before(const void *a, const void *b)
{
    return ((const cairn_edge *)a)->node < ((const cairn_edge *)b)->node;
}

/* Ascending, each node once. */
static void ledges_merge(crn_clique_pairs *found)
{
    size_t kept = 0;
    crn_sort(found->items, found->count, sizeof *found->items, ledges_before);
    for (size_t i = 0; i < found->count; i++) {
        if (kept && found->items[kept - 1].node == found->items[i].node) {
            found->items[kept - 1].cost |= found->items[i].cost;
        } else {
            found->items[kept++] = found->items[i];
        }
    }
    found->count = kept;
}

/* Where ledges lead from the children of a node, or come from; false = no memory. */
static bool ledges_gather(const crn_cliques *cliques, uint32_t level, cairn_node node,
                          crn_clique_pairs *found)
{
    const uint32_t *parents = cliques->levels[level - 1].parents;
    found->count = 0;
    for (cairn_node child = crn_cliques_first(cliques, level, node); child != CAIRN_NO_NODE;
         child = crn_cliques_next(cliques, level - 1, child)) {
        cairn_edge room[CRN_DIRECTIONS];
        uint32_t count;
        const cairn_edge *ledges = crn_cliques_ledges(cliques, level - 1, child, room, &count);
        void *items = found->items;
        if (!crn_grow(cliques->context, &items, &found->capacity, found->count + count,
                      sizeof *found->items))
            return false;
        found->items = items;
        for (uint32_t i = 0; i < count; i++) {
            cairn_node other = parents[ledges[i].node];
            if (other != node) found->items[found->count++] = (cairn_edge){other, ledges[i].cost};
        }
    }
    ledges_merge(found);
    return true;
}

static bool ledges_set(crn_cliques *cliques, uint32_t level, cairn_node node,
                       const crn_clique_pairs *found)
{
    crn_clique_ledges *ledges = &cliques->levels[level].ledges;
    return crn_list_pool_set(&ledges->pool, &ledges->lists[node], found->items,
                             (uint32_t)found->count);
}

bool crn_cliques_raise_ledges(crn_cliques *cliques, uint32_t level)
{
    crn_clique_pairs found = {0};
    bool ok = true;
    for (cairn_node i = 0; ok && cliques->ledged && i < cliques->levels[level].count; i++)
        ok = ledges_gather(cliques, level, i, &found) && ledges_set(cliques, level, i, &found);
    crn_free(cliques->context, found.items, found.capacity * sizeof *found.items);
    return ok;
}

bool crn_cliques_add_ledges(crn_cliques *cliques)
{
    cliques->ledged = true;
    for (uint32_t level = 1; level <= cliques->top; level++) {
        crn_clique_level *l = &cliques->levels[level];
        if (!crn_cliques_reserve(cliques, level, l->count)) return false;
        if (l->count) memset(l->ledges.lists, 0, l->count * sizeof *l->ledges.lists);
    }
    return true;
}

/* ---- repairs: which pairs are in doubt ---- */

static bool ledges_pair_before(const void *a, const void *b)
{
    const cairn_edge *x = a, *y = b;
    return x->node != y->node ? x->node < y->node : x->cost < y->cost;
}

static void ledges_add(crn_mend *r, crn_clique_pairs *list, cairn_node node, uint32_t with)
{
    crn_mend_add_pair(r, &list->items, &list->count, &list->capacity, (cairn_edge){node, with});
}

/* Ascending, each once. */
static void ledges_sort_pairs(crn_clique_pairs *list)
{
    size_t kept = 0;
    crn_sort(list->items, list->count, sizeof *list->items, ledges_pair_before);
    for (size_t i = 0; i < list->count; i++) {
        const cairn_edge *pair = &list->items[i];
        if (!kept || ledges_pair_before(&list->items[kept - 1], pair)) list->items[kept++] = *pair;
    }
    list->count = kept;
}

static size_t ledges_first_hooked(const crn_mend *r, cairn_node node)
{
    return crn_lower_bound(r->hooked.items, r->hooked.count, node);
}

/* The parents that a node has and had: the k-th of them, CAIRN_NO_NODE for none; false: there are
 * no more. */
static bool ledges_parent(const crn_mend *r, cairn_node node, size_t k, cairn_node *parent)
{
    *parent = crn_mend_below(r)->parents[node];
    if (!k) return true;
    size_t at = ledges_first_hooked(r, node) + k - 1;
    if (at >= r->hooked.count || r->hooked.items[at].node != node) return false;
    *parent = r->hooked.items[at].cost;
    return true;
}

/* What joins two nodes has changed, or one of them its parent. */
static void ledges_doubt(crn_mend *r, cairn_node a, cairn_node b)
{
    cairn_node x, y;
    for (size_t i = 0; ledges_parent(r, a, i, &x); i++) {
        for (size_t k = 0; ledges_parent(r, b, k, &y); k++) {
            if (x == y || x == CAIRN_NO_NODE || y == CAIRN_NO_NODE) continue;
            ledges_add(r, &r->doubted, x, y);
            ledges_add(r, &r->doubted, y, x);
        }
    }
}

static void ledges_doubt_all(crn_mend *r)
{
    ledges_sort_pairs(&r->hooked);
    for (size_t i = 0; i < r->ledged.count && !r->failed; i++)
        ledges_doubt(r, r->ledged.items[i].node, r->ledged.items[i].cost);
    for (size_t i = 0; i < r->hooked.count && !r->failed; i++) {
        cairn_node node = r->hooked.items[i].node;
        /* (What came back has not moved, and of what is new the ledges are.) */
        if (r->hooked.items[i].cost == crn_mend_below(r)->parents[node]) continue;
        cairn_edge room[CRN_DIRECTIONS];
        uint32_t count = 0;
        const cairn_edge *ledges = room;
        if (crn_cliques_has(r->cliques, r->level, node))
            ledges = crn_cliques_ledges(r->cliques, r->level, node, room, &count);
        for (uint32_t e = 0; e < count && !r->failed; e++) ledges_doubt(r, node, ledges[e].node);
        r->edges.looked += count;
    }
    ledges_sort_pairs(&r->doubted);
}

/* ---- repairs: what joins them ---- */

/* What joins a node with another one, by its children. */
static uint32_t ledges_below(crn_mend *r, cairn_node node, cairn_node other)
{
    const crn_cliques *cliques = r->cliques;
    const uint32_t *parents = crn_mend_below(r)->parents;
    uint32_t found = 0;
    for (cairn_node child = crn_cliques_first(cliques, r->level + 1, node); child != CAIRN_NO_NODE;
         child = crn_cliques_next(cliques, r->level, child)) {
        cairn_edge room[CRN_DIRECTIONS];
        uint32_t count;
        const cairn_edge *ledges = crn_cliques_ledges(cliques, r->level, child, room, &count);
        for (uint32_t i = 0; i < count; i++)
            if (parents[ledges[i].node] == other) found |= ledges[i].cost;
        r->edges.looked += count;
    }
    return found;
}

static uint32_t ledges_between(crn_mend *r, cairn_node node, cairn_node other)
{
    const crn_list *lists = crn_mend_above(r)->ledges.lists;
    if (lists[node].count <= lists[other].count) return ledges_below(r, node, other);
    uint32_t back = ledges_below(r, other, node);
    return (back & CRN_LEDGE_THERE ? CRN_LEDGE_BACK : 0) |
           (back & CRN_LEDGE_BACK ? CRN_LEDGE_THERE : 0);
}

/* The list of a node as it is to be: the old one, but for these pairs. */
static void ledges_patch(crn_mend *r, cairn_node node, const cairn_edge *pairs, size_t count)
{
    uint32_t old, at = 0;
    const cairn_edge *before = crn_cliques_ledges(r->cliques, r->level + 1, node, NULL, &old);
    r->gathered.count = 0;
    for (size_t i = 0; i < count && !r->failed; i++) {
        cairn_node other = pairs[i].cost;
        for (; at < old && before[at].node < other; at++)
            ledges_add(r, &r->gathered, before[at].node, before[at].cost);
        at += at < old && before[at].node == other;
        uint32_t joined = ledges_between(r, node, other);
        if (joined) ledges_add(r, &r->gathered, other, joined);
    }
    for (; at < old && !r->failed; at++)
        ledges_add(r, &r->gathered, before[at].node, before[at].cost);
}

/* The list becomes that of a node. What is not as before is passed up. */
static void ledges_take(crn_mend *r, cairn_node node)
{
    uint32_t old, at = 0;
    const cairn_edge *before = crn_cliques_ledges(r->cliques, r->level + 1, node, NULL, &old),
                     *now = r->gathered.items;
    size_t count = r->gathered.count, passed = r->ledged.count;
    for (size_t i = 0; (i < count || at < old) && !r->failed;) {
        cairn_node is = i < count ? now[i].node : CAIRN_NO_NODE,
                   was = at < old ? before[at].node : CAIRN_NO_NODE;
        bool same = is == was && now[i].cost == before[at].cost;
        if (!same) ledges_add(r, &r->ledged, node, is < was ? is : was);
        i += is <= was;
        at += was <= is;
    }
    if (r->failed || r->ledged.count == passed) return;
    if (!ledges_set(r->cliques, r->level + 1, node, &r->gathered)) r->failed = true;
}

static void ledges_gather_again(crn_mend *r, cairn_node node)
{
    if (!ledges_gather(r->cliques, r->level + 1, node, &r->gathered)) r->failed = true;
    r->edges.looked += r->gathered.count;
}

/* The nodes of which many pairs are in doubt, or the others. (Of cells ledges are few, but asking
 * for them takes long.) */
static void ledges_settle(crn_mend *r, bool many)
{
    enum { MANY = 8 };
    const crn_clique_pairs *doubted = &r->doubted;
    for (size_t i = 0, end; i < doubted->count && !r->failed; i = end) {
        cairn_node node = doubted->items[i].node;
        for (end = i; end < doubted->count && doubted->items[end].node == node;) end++;
        bool whole = end - i > MANY || !r->level;
        if (whole != many) continue;
        if (whole) {
            ledges_gather_again(r, node);
        } else {
            ledges_patch(r, node, doubted->items + i, end - i);
        }
        if (!r->failed) ledges_take(r, node);
    }
}

void crn_mend_ledges(crn_mend *r)
{
    if (!r->cliques->ledged) return;
    r->doubted.count = 0;
    ledges_doubt_all(r);
    r->ledged.count = r->hooked.count = 0;
    ledges_settle(r, true); /* then the others know how many these have */
    ledges_settle(r, false);
}
