/* slow_lookahead.h: RTA*, LRTA*, LSS-LRTA* and RTAA* written down once more, plainly, with a few
 * arrays of all nodes.
 */
#ifndef TESTS_SLOW_LOOKAHEAD_H
#define TESTS_SLOW_LOOKAHEAD_H

#include "kit.h"

typedef enum slow_rule { SLOW_RTA, SLOW_LRTA, SLOW_LSS, SLOW_RTAA, SLOW_RULES } slow_rule;
static const char *const slow_names[SLOW_RULES] = {"rtastar", "lrtastar", "lss-lrtastar",
                                                   "rtaastar"};

typedef struct slow {
    const cairn_space *space;
    cairn_node goal;
    slow_rule rule;
    uint32_t lookahead;
    uint64_t *learnt;                 /* of nodes: what is believed, 0 = as the space says */
    uint64_t *g;                      /* of nodes, UINT64_MAX = not seen */
    cairn_node *parent, *seen, *path; /* path: from the best node back */
    cairn_node *branch;               /* the first step of the path that was found to a node */
    bool *closed;
    uint32_t seen_count, path_count;
    cairn_node best;
} slow;

static inline void *slow_array(uint32_t count, size_t size)
{
    void *array = calloc(count, size);
    if (!array) abort();
    return array;
}

static inline slow slow_begin(const cairn_space *space, cairn_node goal, slow_rule rule,
                              uint32_t lookahead)
{
    uint32_t count = cairn_space_node_count(space);
    slow s = {.space = space, .goal = goal, .rule = rule, .lookahead = lookahead};
    s.learnt = slow_array(count, sizeof *s.learnt);
    s.g = slow_array(count, sizeof *s.g);
    s.parent = slow_array(count, sizeof *s.parent);
    s.seen = slow_array(count, sizeof *s.seen);
    s.path = slow_array(count, sizeof *s.path);
    s.branch = slow_array(count, sizeof *s.branch);
    s.closed = slow_array(count, sizeof *s.closed);
    for (uint32_t i = 0; i < count; i++) s.g[i] = UINT64_MAX;
    return s;
}

static inline void slow_end(slow *s)
{
    free(s->learnt), free(s->g), free(s->parent), free(s->seen), free(s->path), free(s->closed);
    free(s->branch);
}

static inline uint64_t slow_h(const slow *s, cairn_node node)
{
    uint64_t own = cairn_estimate(s->space, CAIRN_HEURISTIC_AUTO, node, s->goal);
    return s->learnt[node] > own ? s->learnt[node] : own;
}

/* The open node of least f, then of the largest g, then the first that was seen. */
static inline cairn_node slow_first(const slow *s)
{
    cairn_node best = CAIRN_NO_NODE;
    for (uint32_t i = 0; i < s->seen_count; i++) {
        cairn_node n = s->seen[i];
        if (s->closed[n]) continue;
        uint64_t f = s->g[n] + slow_h(s, n);
        uint64_t least = best == CAIRN_NO_NODE ? UINT64_MAX : s->g[best] + slow_h(s, best);
        if (best == CAIRN_NO_NODE || f < least || (f == least && s->g[n] > s->g[best])) best = n;
    }
    return best;
}

static inline void slow_expand(slow *s, cairn_node node)
{
    cairn_edge edges[64];
    uint32_t count = cairn_space_expand(s->space, node, 0, edges, LENGTH(edges));
    assert_true(count < LENGTH(edges));
    s->closed[node] = true;
    for (uint32_t i = 0; i < count; i++) {
        cairn_node to = edges[i].node;
        if (s->g[node] + edges[i].cost >= s->g[to] || slow_h(s, to) >= CAIRN_NO_COST) continue;
        if (s->g[to] == UINT64_MAX) s->seen[s->seen_count++] = to;
        s->g[to] = s->g[node] + edges[i].cost;
        s->parent[to] = node;
        s->branch[to] = node == s->seen[0] ? to : s->branch[node];
        s->closed[to] = false;
    }
}

/* The least sum of an edge and the estimate behind it, until nothing changes: what Dijkstra finds. */
static inline void slow_spread(slow *s, uint64_t *h)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < s->seen_count; i++) {
            cairn_edge edges[64];
            cairn_node n = s->seen[i];
            if (!s->closed[n]) continue;
            uint32_t count = cairn_space_expand(s->space, n, 0, edges, LENGTH(edges));
            for (uint32_t e = 0; e < count; e++) {
                uint64_t behind = h[edges[e].node];
                if (behind == UINT64_MAX || edges[e].cost + behind >= h[n]) continue;
                h[n] = edges[e].cost + behind;
                more = true;
            }
        }
    }
}

static inline void slow_learn_all(slow *s)
{
    uint32_t count = cairn_space_node_count(s->space);
    uint64_t *h = slow_array(count, sizeof *h);
    for (uint32_t i = 0; i < count; i++) h[i] = UINT64_MAX;
    for (uint32_t i = 0; i < s->seen_count; i++)
        if (!s->closed[s->seen[i]]) h[s->seen[i]] = slow_h(s, s->seen[i]);
    slow_spread(s, h);
    for (uint32_t i = 0; i < s->seen_count; i++) {
        cairn_node n = s->seen[i];
        if (h[n] == UINT64_MAX) h[n] = CAIRN_NO_COST; /* a dead end */
        if (s->closed[n] && h[n] > s->learnt[n]) s->learnt[n] = h[n];
    }
    free(h);
}

static inline void slow_learn(slow *s)
{
    cairn_node here = s->seen[0], best = s->best;
    uint64_t f = s->g[best] + slow_h(s, best);
    bool undone = cairn_space_grid(s->space) && !cairn_space_directed(s->space);
    uint64_t second = undone ? UINT32_MAX - 1 : UINT64_MAX;
    if (s->rule == SLOW_LRTA && f > s->learnt[here]) s->learnt[here] = f;
    for (uint32_t i = 0; i < s->seen_count; i++) {
        cairn_node n = s->seen[i];
        if (s->rule == SLOW_RTAA && s->closed[n] && f > s->g[n] && f - s->g[n] > s->learnt[n])
            s->learnt[n] = f - s->g[n];
        if (s->rule != SLOW_RTA || s->closed[n] || s->branch[n] == s->branch[best]) continue;
        if (s->g[n] + slow_h(s, n) < second) second = s->g[n] + slow_h(s, n);
    }
    if (second == UINT64_MAX) second = f; /* there is one step, which may have to be made again */
    if (s->rule == SLOW_RTA && second > slow_h(s, here)) s->learnt[here] = second;
    if (s->rule == SLOW_LSS) slow_learn_all(s);
}

/* Looks ahead from a node. Without a best node all that can be reached was seen, and not the goal. */
static inline void slow_look(slow *s, cairn_node from)
{
    for (uint32_t i = 0; i < s->seen_count; i++)
        s->g[s->seen[i]] = UINT64_MAX, s->closed[s->seen[i]] = false;
    s->g[from] = 0;
    s->parent[from] = from;
    s->seen[0] = from;
    s->seen_count = 1;
    s->path_count = 0;
    for (uint32_t i = 0; (s->best = slow_first(s)) != s->goal && i < s->lookahead; i++) {
        if (s->best == CAIRN_NO_NODE) return;
        slow_expand(s, s->best);
    }
    if (s->best == CAIRN_NO_NODE) return;
    for (cairn_node n = s->best; n != from; n = s->parent[n]) s->path[s->path_count++] = n;
}

#endif
