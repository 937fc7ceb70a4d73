/* cliques_edges.c: the edges of levels of cliques: found, priced, kept in lists. See cliques.h. */
#include "abstract/cliques.h"

#define CLIQUES_SPARE 128u /* of the room made for a level, one in this many stays free */
#define CLIQUES_FEW 32u    /* this many edges are sorted while they are found */

/* ---- room ---- */

size_t crn_cliques_with_spare(size_t count)
{
    return count + count / CLIQUES_SPARE + CRN_CLIQUE_SIZE;
}

bool crn_cliques_grow(cairn_context *context, void **array, size_t *capacity, size_t need,
                      size_t element)
{
    if (need <= *capacity) return true;
    size_t more = *capacity ? *capacity + *capacity / 8 + 8 : 0;
    size_t wanted = need > more ? need : more;
    void *grown = crn_realloc(context, *array, *capacity * element, crn_mul_size(wanted, element));
    if (!grown) return false;
    *array = grown;
    *capacity = wanted;
    return true;
}

/* ---- edges ---- */

void crn_clique_edges_close(crn_clique_edges *edges, cairn_context *context)
{
    crn_free(context, edges->found, edges->found_capacity * sizeof *edges->found);
    crn_free(context, edges->made, edges->made_capacity * sizeof *edges->made);
    *edges = (crn_clique_edges){0};
}

/* Room for this many. */
static bool clique_edges_widen(crn_clique_edges *edges, cairn_context *context, size_t count)
{
    void *found = edges->found, *made = edges->made;
    bool ok = crn_grow(context, &found, &edges->found_capacity, count, sizeof *edges->found) &&
              crn_grow(context, &made, &edges->made_capacity, count, sizeof *edges->made);
    edges->found = found;
    edges->made = made;
    return ok;
}

/* One more edge below to that node; a few are kept ascending, for many clique_edges_sort_edges must
 * follow. */
static bool clique_edges_note(crn_clique_edges *edges, cairn_context *context, cairn_node node,
                              cairn_cost cost)
{
    size_t at = edges->count;
    while (at > 0 && edges->count <= CLIQUES_FEW && edges->found[at - 1].node > node) at--;
    if (at > 0 && edges->found[at - 1].node == node) {
        edges->found[at - 1].count++;
        edges->found[at - 1].sum += cost;
        return true;
    }
    if (CRN_UNLIKELY(edges->count + 1 > edges->made_capacity) &&
        !clique_edges_widen(edges, context, edges->count + 1))
        return false;
    for (size_t i = edges->count++; i > at; i--) edges->found[i] = edges->found[i - 1];
    edges->found[at] = (crn_clique_edge){node, 1, cost};
    return true;
}

static bool clique_edges_edge_before(const void *a, const void *b)
{
    return ((const crn_clique_edge *)a)->node < ((const crn_clique_edge *)b)->node;
}

/* ---- sorting numbers ---- */

static bool clique_edges_less(const void *a, const void *b)
{
    return *(const uint32_t *)a < *(const uint32_t *)b;
}

static void clique_edges_insert(uint32_t *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint32_t item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1] > item; at--) items[at] = items[at - 1];
        items[at] = item;
    }
}

/* Those below a middle one come first. Returns how many. */
static size_t clique_edges_part(uint32_t *items, size_t count)
{
    uint32_t a = items[0], b = items[count / 2], c = items[count - 1];
    uint32_t low = crn_min_u32(a, b), high = crn_max_u32(a, b);
    uint32_t middle = crn_max_u32(low, crn_min_u32(high, c));
    size_t i = 0, j = count - 1;
    for (;; i++, j--) {
        while (items[i] < middle) i++;
        while (items[j] > middle) j--;
        if (i >= j) return i ? i : 1;
        uint32_t swap = items[i];
        items[i] = items[j];
        items[j] = swap;
    }
}

/* Quicksort; where it does badly, what is left is sorted otherwise. */
static void clique_edges_quick(uint32_t *items, size_t count, uint32_t rounds)
{
    while (count > CLIQUES_FEW) {
        if (!rounds--) {
            crn_sort(items, count, sizeof *items, clique_edges_less);
            return;
        }
        size_t low = clique_edges_part(items, count), high = count - low;
        bool left = low < high;
        clique_edges_quick(left ? items : items + low, left ? low : high, rounds);
        items = left ? items + low : items;
        count = left ? high : low;
    }
    clique_edges_insert(items, count);
}

static CRN_NOINLINE size_t clique_edges_sort_many(uint32_t *items, size_t count)
{
    clique_edges_quick(items, count, 2 * crn_highest_bit(count));
    size_t kept = 1;
    for (size_t i = 1; i < count; i++) {
        if (items[i] != items[kept - 1]) items[kept++] = items[i];
    }
    return kept;
}

/* A few are inserted among those before them, if they are not there. */
size_t crn_cliques_sort(uint32_t *items, size_t count)
{
    if (count > CLIQUES_FEW) return clique_edges_sort_many(items, count);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t item = items[i];
        size_t at = kept;
        while (at > 0 && items[at - 1] > item) at--;
        if (at > 0 && items[at - 1] == item) continue;
        for (size_t k = kept++; k > at; k--) items[k] = items[k - 1];
        items[at] = item;
    }
    return kept;
}

/* ---- finding them ---- */

/* The same without costs, which grids need not know. */
static void clique_edges_sort_nodes(crn_clique_edges *edges)
{
    uint32_t *nodes = &edges->made[0].node; /* there is room for twice as many */
    for (size_t i = 0; i < edges->count; i++) nodes[i] = edges->found[i].node;
    edges->count = crn_cliques_sort(nodes, edges->count);
    for (size_t i = 0; i < edges->count; i++) edges->found[i] = (crn_clique_edge){nodes[i], 1, 0};
}

/* Ascending, each node once. */
static void clique_edges_sort_edges(crn_clique_edges *edges)
{
    if (edges->count <= CLIQUES_FEW) return;
    crn_clique_edge *found = edges->found;
    size_t kept = 1;
    crn_sort(found, edges->count, sizeof *found, clique_edges_edge_before);
    for (size_t i = 1; i < edges->count; i++) {
        if (found[i].node != found[kept - 1].node) {
            found[kept++] = found[i];
        } else {
            found[kept - 1].count += found[i].count;
            found[kept - 1].sum += found[i].sum;
        }
    }
    edges->count = kept;
}

/* Where the children of a node lead. */
static bool clique_edges_find_edges(const crn_cliques *cliques, uint32_t level, cairn_node node,
                                    crn_clique_edges *edges)
{
    const crn_clique_level *below = &cliques->levels[level - 1];
    edges->count = 0;
    cairn_node child = cliques->levels[level].cliques[node].child;
    for (; child != CAIRN_NO_NODE; child = below->siblings[child]) {
        cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
        uint32_t count;
        const cairn_edge *steps = crn_cliques_neighbours(cliques, level - 1, child, room, &count);
        edges->looked += count;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t parent = below->parents[steps[i].node];
            if (parent != node &&
                !clique_edges_note(edges, cliques->context, parent, steps[i].cost))
                return false;
        }
    }
    if (!cliques->map) {
        clique_edges_sort_edges(edges);
    } else if (edges->count > CLIQUES_FEW) {
        clique_edges_sort_nodes(edges);
    }
    return true;
}

static cairn_cost clique_edges_cost(const crn_cliques *cliques, uint32_t level, cairn_node node,
                                    const crn_clique_edge *edge)
{
    crn_clique_body a = crn_cliques_body(cliques, level, node),
                    b = crn_cliques_body(cliques, level, edge->node);
    if (cliques->map) return crn_cliques_cost(cliques, a, b);
    return crn_saturate(edge->sum / edge->count + ((uint64_t)a.price + b.price) / 2);
}

static void clique_edges_tally(crn_clique_level *level, cairn_node node, bool add)
{
    const cairn_edge *edges = crn_abstract_edges(&level->graph, node);
    uint32_t count = level->graph.nodes[node].count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t class = crn_highest_bit((uint64_t)edges[i].cost | 1);
        level->classes[class] += add ? 1 : UINT32_MAX;
    }
    level->edge_count += add ? count : 0 - count;
}

/* The pool of a level grows by an eighth only. */
static bool clique_edges_make_room(crn_abstract_graph *graph, uint32_t count)
{
    crn_list_pool *pool = &graph->pool;
    bool ok = crn_cliques_grow(graph->context, &pool->items, &pool->capacity,
                               pool->count + 2 * (size_t)count, pool->element);
    graph->edges = pool->items;
    return ok;
}

/* The edges made become those of a node. */
static bool clique_edges_connect(crn_clique_level *l, cairn_node node,
                                 const crn_clique_edges *edges)
{
    uint32_t count = (uint32_t)edges->count;
    if (!count && !l->graph.nodes[node].count) return true;
    clique_edges_tally(l, node, false);
    bool ok = clique_edges_make_room(&l->graph, count) &&
              crn_abstract_connect(&l->graph, node, edges->made, count);
    clique_edges_tally(l, node, true);
    return ok;
}

bool crn_cliques_relink(crn_cliques *cliques, uint32_t level, cairn_node node,
                        crn_clique_edges *edges, bool *changed)
{
    crn_clique_level *l = &cliques->levels[level];
    if (!clique_edges_find_edges(cliques, level, node, edges)) return false;
    const cairn_edge *before = crn_abstract_edges(&l->graph, node);
    *changed = l->graph.nodes[node].count != edges->count;
    for (size_t i = 0; i < edges->count; i++) {
        const crn_clique_edge *edge = &edges->found[i];
        edges->made[i] = (cairn_edge){edge->node, clique_edges_cost(cliques, level, node, edge)};
        *changed = *changed || before[i].node != edge->node;
    }
    return clique_edges_connect(l, node, edges);
}

/* One edge more or less, at a place of the list. */
static bool clique_edges_splice(crn_cliques *cliques, uint32_t level, cairn_node node, uint32_t at,
                                const cairn_edge *more, crn_clique_edges *edges)
{
    crn_clique_level *l = &cliques->levels[level];
    const uint32_t count = l->graph.nodes[node].count;
    if (!clique_edges_widen(edges, cliques->context, (size_t)count + 1)) return false;
    const cairn_edge *list = crn_abstract_edges(&l->graph, node);
    if (at) memcpy(edges->made, list, at * sizeof *list);
    if (more) edges->made[at] = *more;
    uint32_t rest = more ? at : at + 1;
    if (count > rest)
        memcpy(edges->made + at + (more ? 1 : 0), list + rest, (count - rest) * sizeof *list);
    edges->count = more ? count + 1 : count - 1;
    return clique_edges_connect(l, node, edges);
}

bool crn_cliques_patch(crn_cliques *cliques, crn_clique_pair pair, crn_clique_edges *edges,
                       bool *changed)
{
    const uint32_t level = pair.level;
    const bool joined = pair.joined;
    crn_clique_level *l = &cliques->levels[level];
    const crn_abstract_node *node = &l->graph.nodes[pair.from];
    cairn_edge *list = l->graph.edges + node->first, edge = {pair.to, 0};
    uint32_t at = node->count ? crn_cliques_seek(list, node->count, pair.to) : 0;
    bool there = at < node->count && list[at].node == pair.to;
    *changed = there != joined;
    edges->looked += *changed ? node->count : 1;
    if (joined)
        edge.cost = crn_cliques_cost(cliques, crn_cliques_body(cliques, level, pair.from),
                                     crn_cliques_body(cliques, level, pair.to));
    if (*changed)
        return clique_edges_splice(cliques, level, pair.from, at, joined ? &edge : NULL, edges);
    if (!joined) return true;
    l->classes[crn_highest_bit((uint64_t)list[at].cost | 1)]--;
    l->classes[crn_highest_bit((uint64_t)edge.cost | 1)]++;
    list[at].cost = edge.cost;
    return true;
}

/* A power of two each; the least is not much less than the most, so that buckets can be used: what
 * is less only shares a bucket with more. */
void crn_clique_level_bounds(const crn_clique_level *level, cairn_cost *least, cairn_cost *most)
{
    enum { APART = 5 };
    uint32_t present = 0;
    for (uint32_t i = 0; i < CRN_CLIQUE_CLASSES; i++)
        present |= (uint32_t)(level->classes[i] != 0) << i;
    uint32_t low = present ? crn_lowest_bit(present) : CRN_CLIQUE_CLASSES,
             high = crn_highest_bit(present | 1);
    if (low + APART < high) low = high - APART;
    *least = low < CRN_CLIQUE_CLASSES ? 1u << low : 1;
    *most = crn_saturate((UINT64_C(2) << high) - 1);
}

bool crn_cliques_trim(crn_cliques *cliques, uint32_t level, bool spare)
{
    crn_abstract_graph *graph = &cliques->levels[level].graph;
    crn_list_pool *pool = &graph->pool;
    size_t wanted = spare ? crn_cliques_with_spare(pool->count) : pool->count;
    if (wanted == pool->capacity || !pool->count) return true;
    void *items = crn_realloc(graph->context, pool->items, pool->capacity * pool->element,
                              wanted * pool->element);
    if (!items) return false;
    graph->edges = pool->items = items;
    pool->capacity = wanted;
    return true;
}

/* ---- the ground of graphs ---- */

/* All edges of a node, each once. */
static bool clique_edges_copy_edges(crn_cliques *cliques, cairn_node node, crn_clique_edges *edges)
{
    enum { BATCH = 16 };
    cairn_edge batch[BATCH];
    edges->count = 0;
    for (uint32_t first = 0, count = BATCH; count == BATCH; first += count) {
        count = cairn_space_expand(cliques->ground, node, first, batch, BATCH);
        for (uint32_t i = 0; i < count; i++) {
            if (batch[i].node == node) continue;
            if (!clique_edges_note(edges, cliques->context, batch[i].node, batch[i].cost))
                return false;
        }
    }
    clique_edges_sort_edges(edges);
    for (size_t i = 0; i < edges->count; i++) {
        const crn_clique_edge *edge = &edges->found[i];
        edges->made[i] = (cairn_edge){edge->node, crn_saturate(edge->sum / edge->count)};
    }
    return crn_abstract_connect(&cliques->levels[0].graph, node, edges->made,
                                (uint32_t)edges->count);
}

/* Leaves out those without one back. (What is left out is no edge back of another one.) */
static bool clique_edges_leave_one_way(crn_cliques *cliques, cairn_node node,
                                       crn_clique_edges *edges)
{
    crn_abstract_graph *graph = &cliques->levels[0].graph;
    const cairn_edge *all = crn_abstract_edges(graph, node);
    uint32_t count = graph->nodes[node].count, kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        cairn_node to = all[i].node;
        if (crn_cliques_leads(crn_abstract_edges(graph, to), graph->nodes[to].count, node))
            edges->made[kept++] = all[i];
    }
    if (kept == count) return true;
    cliques->one_way = true;
    return crn_abstract_connect(graph, node, edges->made, kept);
}

/* As a level of its own, of edges that lead both ways, each once. */
bool crn_cliques_copy_graph(crn_cliques *cliques)
{
    const uint32_t count = cliques->ground->node_count;
    crn_clique_edges edges = {0};
    bool ok = true;
    for (cairn_node node = 0; ok && node < count; node++) {
        ok = crn_abstract_add(&cliques->levels[0].graph, 0, 0) != CAIRN_NO_NODE;
    }
    for (cairn_node node = 0; ok && node < count; node++)
        ok = clique_edges_copy_edges(cliques, node, &edges);
    for (cairn_node node = 0; ok && node < count; node++)
        ok = clique_edges_leave_one_way(cliques, node, &edges);
    crn_clique_edges_close(&edges, cliques->context);
    return ok;
}
