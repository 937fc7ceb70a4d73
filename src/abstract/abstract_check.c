/* abstract_check.c: what must hold of abstract graphs and of cliques. See abstract_check.h. */
#include "abstract/abstract_check.h"

#if defined(CAIRN_CHECKS)

/* ---- the pool of lists ---- */

static size_t abstract_check_room(const crn_list_pool *pool, uint32_t count)
{
    size_t room = count ? 1 : 0, parts = pool->fine > 1 ? 8 : 4;
    while (room < count) room *= 2;
    for (size_t part = room; pool->fine && room >= parts && part > room / 2;) {
        part -= room / parts;
        if (part < count) return part + room / parts;
    }
    return pool->fine && room == 4 && count == 3 ? 3 : room;
}

/* How many items the unused places of a pool have; SIZE_MAX if their lists lead astray. */
static size_t abstract_check_vacant(const crn_list_pool *pool)
{
    size_t room = 0;
    const uint8_t *items = pool->items;
    for (uint32_t class = 0; class < CRN_LIST_CLASSES; class ++) {
        uint32_t next;
        for (uint32_t at = pool->vacant[class]; at; at = next) {
            room += crn_list_class_size(class);
            if (at > pool->count || room > pool->count) return SIZE_MAX;
            memcpy(&next, items + (at - 1) * pool->element, sizeof next);
        }
    }
    return room;
}

const char *crn_lists_check(const crn_lists *lists)
{
    const crn_list_pool *pool = &lists->pool;
    size_t room = abstract_check_vacant(pool);
    if (room == SIZE_MAX) return "the places that are free lead astray";
    if (pool->count > pool->capacity) return "the pool has less memory than it needs";
    for (uint32_t i = 0; i < lists->count; i++) {
        size_t place = abstract_check_room(pool, lists->lists[i].count);
        if (lists->lists[i].first + place > pool->count) return "a list lies outside of the pool";
        room += place;
    }
    return room == pool->count ? NULL : "places of the pool are lost, or used twice";
}

const char *crn_abstract_check(const crn_abstract_graph *graph)
{
    const size_t all = graph->pool.count;
    size_t room = abstract_check_vacant(&graph->pool);
    if (room == SIZE_MAX) return "the places that are free lead astray";
    if (graph->node_count > graph->node_capacity || all > graph->pool.capacity)
        return "the graph has less memory than it needs";
    for (size_t i = 0; i < graph->node_count; i++) {
        const crn_abstract_node *node = &graph->nodes[i];
        size_t place = abstract_check_room(&graph->pool, node->count);
        if (node->first + place > all) return "a list lies outside of the pool";
        room += place;
        for (uint32_t e = 0; e < node->count; e++) {
            const cairn_edge *edge = &graph->edges[node->first + e];
            if (edge->node >= graph->node_count) return "an edge leads to no node";
            if (edge->cost > CAIRN_COST_MAX) return "an edge costs too much";
        }
    }
    return room == all ? NULL : "places of the pool are lost, or used twice";
}

/* ---- cliques ---- */

static const cairn_edge *clique_check_find(const crn_cliques *cliques, uint32_t level, cairn_node a,
                                           cairn_node b)
{
    const crn_abstract_graph *graph = &cliques->levels[level].graph;
    const cairn_edge *edges = crn_abstract_edges(graph, a);
    for (uint32_t i = 0; i < graph->nodes[a].count; i++)
        if (edges[i].node == b) return &edges[i];
    return NULL;
}

static bool clique_check_adjacent(const crn_cliques *cliques, uint32_t level, cairn_node a,
                                  cairn_node b)
{
    cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
    uint32_t count;
    const cairn_edge *edges = crn_cliques_neighbours(cliques, level, a, room, &count);
    for (uint32_t i = 0; i < count; i++)
        if (edges[i].node == b) return true;
    return false;
}

/* A child that may hang on its only neighbour's clique. */
static bool clique_check_orphan(const crn_cliques *cliques, uint32_t level, cairn_node node)
{
    cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
    uint32_t count;
    crn_cliques_neighbours(cliques, level, node, room, &count);
    return cliques->join && count == 1;
}

/* The children of a node: theirs is the parent, they ascend, they are next to each other, and the
 * cells below add up. */
static const char *clique_check_children(const crn_cliques *cliques, uint32_t level,
                                         cairn_node node, uint32_t *children)
{
    const crn_clique_level *below = &cliques->levels[level - 1];
    uint32_t cells = 0, count = crn_cliques_count(cliques, level - 1);
    cairn_node next;
    for (cairn_node a = crn_cliques_first(cliques, level, node); a != CAIRN_NO_NODE; a = next) {
        if (a >= count || !crn_cliques_has(cliques, level - 1, a)) return "a child does not exist";
        if (below->parents[a] != node) return "a child has another parent";
        next = crn_cliques_next(cliques, level - 1, a);
        if (next != CAIRN_NO_NODE && next <= a) return "children do not ascend";
        cells += crn_cliques_body(cliques, level - 1, a).cells;
        ++*children;
        if (clique_check_orphan(cliques, level - 1, a)) continue;
        for (cairn_node b = next; b != CAIRN_NO_NODE && b < count;
             b = crn_cliques_next(cliques, level - 1, b)) {
            if (below->parents[b] != node) return "a child has another parent";
            if (!clique_check_orphan(cliques, level - 1, b) &&
                !clique_check_adjacent(cliques, level - 1, a, b))
                return "two nodes of a clique are not next to each other";
        }
    }
    return cells == crn_cliques_body(cliques, level, node).cells
               ? NULL
               : "the cells of a clique are counted wrong";
}

/* Does a step lead from a child of one to a child of the other? */
static bool clique_check_joined(const crn_cliques *cliques, uint32_t level, cairn_node a,
                                cairn_node b)
{
    const crn_clique_level *below = &cliques->levels[level - 1];
    for (cairn_node child = crn_cliques_first(cliques, level, a); child != CAIRN_NO_NODE;
         child = crn_cliques_next(cliques, level - 1, child)) {
        cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
        uint32_t count;
        const cairn_edge *edges = crn_cliques_neighbours(cliques, level - 1, child, room, &count);
        for (uint32_t i = 0; i < count; i++)
            if (below->parents[edges[i].node] == b) return true;
    }
    return false;
}

/* The edges of a node lead back at the same cost, and stand for steps below. */
static const char *clique_check_edges(const crn_cliques *cliques, uint32_t level, cairn_node node)
{
    cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
    uint32_t count;
    const cairn_edge *edges = crn_cliques_neighbours(cliques, level, node, room, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (edges[i].node >= crn_cliques_count(cliques, level)) return "an edge leads to no clique";
        const cairn_edge *back = crn_cliques_packed(cliques, level)
                                     ? NULL
                                     : clique_check_find(cliques, level, edges[i].node, node);
        if (edges[i].node == node || (i && edges[i].node <= edges[i - 1].node))
            return "edges of a clique do not ascend, or lead to itself";
        if (!clique_check_adjacent(cliques, level, edges[i].node, node))
            return "an edge between cliques leads one way only";
        /* (Edges of graphs may cost more one way.) */
        if (cliques->map && back && back->cost != edges[i].cost)
            return "an edge between cliques costs more one way";
        /* This is the most expensive part, hence not for all of them. */
        if (node % 8 == 0 && !clique_check_joined(cliques, level, node, edges[i].node))
            return "an edge joins cliques that no step does";
    }
    return NULL;
}

/* All steps between children of different parents are edges between these. */
static const char *clique_check_steps(const crn_cliques *cliques, uint32_t level, cairn_node node)
{
    const uint32_t *parents = cliques->levels[level].parents;
    cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
    uint32_t count;
    const cairn_edge *edges = crn_cliques_neighbours(cliques, level, node, room, &count);
    for (uint32_t i = 0; i < count; i++) {
        cairn_node a = parents[node], b = parents[edges[i].node];
        if (a != b && !clique_check_adjacent(cliques, level + 1, a, b))
            return "no edge joins cliques that a step does";
    }
    return NULL;
}

/* ---- ledges and doors ---- */

static uint32_t clique_check_ledge(const crn_cliques *cliques, uint32_t level, cairn_node a,
                                   cairn_node b)
{
    cairn_edge room[CRN_DIRECTIONS];
    uint32_t count;
    const cairn_edge *ledges = crn_cliques_ledges(cliques, level, a, room, &count);
    for (uint32_t i = 0; i < count; i++)
        if (ledges[i].node == b) return ledges[i].cost;
    return 0;
}

/* Which ledges between the children of two nodes there are. */
static uint32_t clique_check_ledges_below(const crn_cliques *cliques, uint32_t level, cairn_node a,
                                          cairn_node b)
{
    const uint32_t *parents = cliques->levels[level - 1].parents;
    uint32_t found = 0;
    for (cairn_node child = crn_cliques_first(cliques, level, a); child != CAIRN_NO_NODE;
         child = crn_cliques_next(cliques, level - 1, child)) {
        cairn_edge room[CRN_DIRECTIONS];
        uint32_t count;
        const cairn_edge *ledges = crn_cliques_ledges(cliques, level - 1, child, room, &count);
        for (uint32_t i = 0; i < count; i++)
            if (parents[ledges[i].node] == b) found |= ledges[i].cost;
    }
    return found;
}

/* The ledges of a node: they ascend, the other ends know them, and children have them. */
static const char *clique_check_ledges(const crn_cliques *cliques, uint32_t level, cairn_node node)
{
    uint32_t count;
    const cairn_edge *ledges = crn_cliques_ledges(cliques, level, node, NULL, &count);
    for (uint32_t i = 0; i < count; i++) {
        cairn_node to = ledges[i].node;
        uint32_t mirror = (ledges[i].cost & CRN_LEDGE_THERE ? CRN_LEDGE_BACK : 0) |
                          (ledges[i].cost & CRN_LEDGE_BACK ? CRN_LEDGE_THERE : 0);
        if (to == node || (i && to <= ledges[i - 1].node)) return "ledges do not ascend";
        if (to >= cliques->levels[level].count || !crn_cliques_has(cliques, level, to))
            return "a ledge leads to no clique";
        if (clique_check_ledge(cliques, level, to, node) != mirror)
            return "only one end knows of a ledge";
        if (clique_check_ledges_below(cliques, level, node, to) != ledges[i].cost)
            return "a ledge between cliques is none of their nodes";
    }
    return NULL;
}

/* All ledges between children of different parents are ledges of these. */
static const char *clique_check_kept(const crn_cliques *cliques, uint32_t level, cairn_node node)
{
    const uint32_t *parents = cliques->levels[level].parents;
    cairn_edge room[CRN_DIRECTIONS];
    uint32_t count;
    const cairn_edge *ledges = crn_cliques_ledges(cliques, level, node, room, &count);
    for (uint32_t i = 0; i < count; i++) {
        cairn_node a = parents[node], b = parents[ledges[i].node];
        if (a != b && (clique_check_ledge(cliques, level + 1, a, b) & ledges[i].cost) == 0)
            return "a ledge of the level below is missing";
    }
    return NULL;
}

static cairn_node clique_check_up(const crn_cliques *cliques, uint32_t level, cairn_node node)
{
    for (uint32_t i = 0; i < level && node != CAIRN_NO_NODE; i++)
        node = cliques->levels[i].parents[node];
    return node;
}

/* The doors of a level: those links in use that lead from one node to another, in order. */
static const char *clique_check_doors(const crn_cliques *cliques, uint32_t level)
{
    const crn_clique_doors *doors = &cliques->levels[level].doors;
    size_t count = 0;
    for (uint32_t i = 0; cliques->map && i < cliques->map->links.count; i++) {
        const crn_space_link *link = &cliques->map->links.links[i];
        cairn_node from = clique_check_up(cliques, level, link->from),
                   to = clique_check_up(cliques, level, link->to);
        size_t at = crn_cliques_first_door(doors, from);
        while (at < doors->count && doors->items[at].from == from &&
               (doors->items[at].leave != link->from || doors->items[at].arrive != link->to))
            at++;
        if (from == to) continue;
        count++;
        if (at == doors->count || doors->items[at].from != from || doors->items[at].to != to ||
            doors->items[at].cost != link->cost)
            return "a link is no door of a level";
    }
    return count == doors->count ? NULL : "a door is no link";
}

/* A level whose nodes have parents; `children` counts them. */
static const char *clique_check_parents(const crn_cliques *cliques, uint32_t level,
                                        uint32_t children)
{
    const crn_clique_level *l = &cliques->levels[level];
    uint32_t above = crn_cliques_count(cliques, level + 1), found = 0;
    for (cairn_node node = 0; node < crn_cliques_count(cliques, level); node++) {
        bool exists = crn_cliques_has(cliques, level, node);
        if (!exists) {
            if (l->parents[node] != CAIRN_NO_NODE) return "a node that there is not has a parent";
            continue;
        }
        found++;
        if (l->parents[node] >= above || !crn_cliques_has(cliques, level + 1, l->parents[node]))
            return "a node has no parent";
        const char *wrong = clique_check_steps(cliques, level, node);
        if (!wrong) wrong = clique_check_kept(cliques, level, node);
        if (wrong) return wrong;
    }
    return found == children ? NULL : "a node is not among the children of its parent";
}

/* The edges of packs, by classes of cost. */
static const char *clique_check_tally(const crn_cliques *cliques)
{
    const crn_clique_level *l = &cliques->levels[1];
    uint32_t classes[CRN_CLIQUE_CLASSES] = {0}, edges = 0;
    for (cairn_node node = 0; node < l->count; node++) {
        cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
        uint32_t count;
        if (!crn_cliques_has(cliques, 1, node)) {
            if (l->packs[node].beside) return "a clique that there is not has edges";
            continue;
        }
        if (l->packs[node].beside & ~CRN_PACK_BESIDE) return "a repair has not ended";
        crn_clique_body body = crn_cliques_body(cliques, 1, node);
        const cairn_edge *all = crn_cliques_neighbours(cliques, 1, node, room, &count);
        edges += count;
        for (uint32_t i = 0; i < count; i++) {
            if (all[i].node >= l->count || !crn_cliques_has(cliques, 1, all[i].node))
                return "an edge leads to no clique";
            cairn_cost cost =
                crn_cliques_cost(cliques, body, crn_cliques_body(cliques, 1, all[i].node));
            classes[crn_highest_bit((uint64_t)cost | 1)]++;
        }
    }
    if (edges != l->edge_count) return "edges between cliques are counted wrong";
    return memcmp(classes, l->classes, sizeof classes) ? "costs of edges are counted wrong" : NULL;
}

static const char *clique_check_level(const crn_cliques *cliques, uint32_t level)
{
    const crn_clique_level *l = &cliques->levels[level];
    uint32_t children = 0, edges = 0;
    const char *wrong = crn_abstract_check(&l->graph);
    const crn_lists ledges = {l->ledges.pool, l->ledges.lists, l->ledges.lists ? l->count : 0};
    if (!wrong) wrong = crn_lists_check(&ledges);
    if (!wrong) wrong = clique_check_doors(cliques, level);
    if (!wrong && l->packs) wrong = clique_check_tally(cliques);
    for (cairn_node node = 0; node < l->count && !wrong; node++) {
        if (!l->packs) edges += l->graph.nodes[node].count;
        wrong = clique_check_ledges(cliques, level, node);
        if (wrong || !crn_cliques_has(cliques, level, node)) continue;
        wrong = clique_check_children(cliques, level, node, &children);
        if (!wrong) wrong = clique_check_edges(cliques, level, node);
    }
    if (!wrong && !l->packs && edges != l->edge_count)
        return "edges between cliques are counted wrong";
    return wrong ? wrong : clique_check_parents(cliques, level - 1, children);
}

const char *crn_cliques_check(const crn_cliques *cliques)
{
    const char *wrong = NULL;
    const crn_clique_level *top = &cliques->levels[cliques->top];
    for (uint32_t level = 1; level <= cliques->top && !wrong; level++)
        wrong = clique_check_level(cliques, level);
    for (cairn_node i = 0; !wrong && i < crn_cliques_count(cliques, cliques->top); i++)
        if (top->parents[i] != CAIRN_NO_NODE) return "a node of the top level has a parent";
    return wrong;
}

#endif
