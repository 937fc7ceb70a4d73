/* cliques_ledges.c: steps of a grid that cannot be walked back, between nodes of levels of cliques.
 * See cliques.h.
 *
 * Heights may allow a step down where none leads up. Cliques are made of steps that lead both ways,
 * so that whoever is in a node gets everywhere in it. The others, ledges, are kept beside: a node
 * has a list of the nodes that ledges join it with, and for each whether one leads there, or from
 * there, or both. Of two nodes that a ledge joins each has the other in its list. So when a node
 * changes its parent, its list tells which other lists of the level above may be others too, and
 * repairs need to look at no more. There are no lists where no step can be one-way.
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

bool crn_cliques_find_ledges(crn_cliques *cliques, uint32_t level, cairn_node node,
                             crn_clique_pairs *found, bool *changed)
{
    crn_clique_ledges *ledges = &cliques->levels[level].ledges;
    if (!ledges_gather(cliques, level, node, found)) return false;
    uint32_t count;
    const cairn_edge *before = crn_cliques_ledges(cliques, level, node, NULL, &count);
    *changed = count != found->count ||
               (count && memcmp(before, found->items, count * sizeof *before) != 0);
    if (!*changed) return true;
    return crn_list_pool_set(&ledges->pool, &ledges->lists[node], found->items,
                             (uint32_t)found->count);
}

bool crn_cliques_raise_ledges(crn_cliques *cliques, uint32_t level)
{
    crn_clique_pairs found = {0};
    bool ok = true, changed;
    for (cairn_node i = 0; ok && cliques->ledged && i < cliques->levels[level].count; i++)
        ok = crn_cliques_find_ledges(cliques, level, i, &found, &changed);
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

/* ---- repairs ---- */

/* Nodes above whose lists may be others: those of nodes whose lists are, those that a node has left
 * or joined, and those of what ledges join such a node with. */
static void ledges_spread(crn_mend *r)
{
    const crn_cliques *cliques = r->cliques;
    const uint32_t *parents = crn_mend_below(r)->parents;
    r->around.count = 0;
    for (size_t i = 0; i < r->ledged.count; i++) {
        cairn_node parent = parents[r->ledged.items[i]];
        if (parent != CAIRN_NO_NODE) crn_mend_add(r, &r->around, parent);
    }
    for (size_t i = 0; i < r->hooked.count && !r->failed; i++) {
        cairn_edge room[CRN_DIRECTIONS];
        uint32_t count = 0;
        const cairn_edge *hooked = &r->hooked.items[i], *ledges = room;
        crn_mend_add(r, &r->around, hooked->cost);
        if (crn_cliques_has(cliques, r->level, hooked->node))
            ledges = crn_cliques_ledges(cliques, r->level, hooked->node, room, &count);
        for (uint32_t e = 0; e < count; e++) crn_mend_add(r, &r->around, parents[ledges[e].node]);
    }
    crn_mend_sort(&r->around);
}

void crn_mend_ledges(crn_mend *r)
{
    if (!r->cliques->ledged) return;
    ledges_spread(r);
    r->ledged.count = r->hooked.count = 0;
    for (size_t i = 0; i < r->around.count && !r->failed; i++) {
        bool changed = false;
        cairn_node node = r->around.items[i];
        if (!crn_cliques_find_ledges(r->cliques, r->level + 1, node, &r->gathered, &changed))
            r->failed = true;
        if (changed) crn_mend_add(r, &r->ledged, node);
    }
    r->around.count = 0;
}
