/* edge_sets.h: all edges of a space as a sorted list, for comparing. */
#ifndef TESTS_EDGE_SETS_H
#define TESTS_EDGE_SETS_H

#include "support.h"
#include "world/space.h"

typedef struct edge_set {
    cairn_graph_edge *edges;
    size_t count, capacity;
} edge_set;

typedef uint32_t edge_walk(const cairn_space *space, cairn_node node, uint32_t first,
                           cairn_edge *out, uint32_t capacity);

static inline int edge_set_order(const void *a, const void *b)
{
    const cairn_graph_edge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

static inline void edge_set_add(edge_set *set, cairn_graph_edge edge)
{
    if (set->count == set->capacity) {
        set->capacity = 2 * set->capacity + 64;
        set->edges = realloc(set->edges, set->capacity * sizeof *set->edges);
        if (!set->edges) abort();
    }
    set->edges[set->count++] = edge;
}

/* What `walk` finds at every usable node, taken in batches of this size; `back`: it finds
 * predecessors. */
static inline edge_set edge_set_of(const cairn_space *space, edge_walk *walk, bool back,
                                   uint32_t batch)
{
    edge_set set = {0};
    cairn_edge edges[32];
    if (batch > LENGTH(edges)) abort();
    for (cairn_node node = 0; node < space->node_count; node++) {
        if (!space->functions->usable(space, node)) continue;
        for (uint32_t first = 0, count = batch; count == batch; first += count) {
            count = walk(space, node, first, edges, batch);
            for (uint32_t i = 0; i < count; i++) {
                cairn_node other = edges[i].node;
                edge_set_add(&set, (cairn_graph_edge){back ? other : node, back ? node : other,
                                                      edges[i].cost});
            }
        }
    }
    if (set.count) qsort(set.edges, set.count, sizeof *set.edges, edge_set_order);
    return set;
}

static inline void edge_set_free(edge_set *set)
{
    free(set->edges);
    *set = (edge_set){0};
}

static inline void edge_set_check_equal(const char *what, const edge_set *a, const edge_set *b)
{
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        CHECK(!edge_set_order(&a->edges[i], &b->edges[i]),
              "%s: %u to %u for %u, and %u to %u for %u", what, a->edges[i].from, a->edges[i].to,
              a->edges[i].weight, b->edges[i].from, b->edges[i].to, b->edges[i].weight);
    }
    CHECK(a->count == b->count, "%s: %zu edges and %zu", what, a->count, b->count);
}

/* Walked forwards and backwards the space has the same edges. Returns how many. */
static inline size_t edge_set_check_back(const char *what, const cairn_space *space, uint32_t batch)
{
    edge_set ahead = edge_set_of(space, cairn_space_expand, false, 16);
    edge_set back = edge_set_of(space, cairn_space_expand_back, true, batch);
    edge_set_check_equal(what, &ahead, &back);
    size_t count = ahead.count;
    edge_set_free(&ahead);
    edge_set_free(&back);
    return count;
}

#endif
