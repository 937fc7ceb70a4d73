/* deepening.h: what the tests of IDA*, ME-IDA* and fringe search share: the events of a search,
 * and small graphs drawn by hand.
 */
#ifndef TESTS_DEEPENING_H
#define TESTS_DEEPENING_H

#include "kit.h"

enum { STORY_EVENTS = 200000 };

typedef struct story {
    cairn_event events[STORY_EVENTS];
    uint32_t count;
} story;

static inline void story_event(void *user, const cairn_event *event)
{
    story *t = user;
    if (t->count < STORY_EVENTS) t->events[t->count++] = *event;
}

/* Asks, and listens. The story is valid until the next one. */
static inline const story *story_of(kit *k, const cairn_query *query, const cairn_path **path)
{
    static story told;
    told.count = 0;
    cairn_trace_sink sink = {story_event, &told};
    cairn_search_trace(k->search, &sink);
    cairn_search_find(k->search, query, path);
    cairn_search_trace(k->search, NULL);
    CHECK(told.count < STORY_EVENTS, "too long a story");
    return &told;
}

/* A tree of three levels; the goal is its last leaf. Costs are such that f has several values.
 *
 *         0
 *       / | \
 *      1  2  3        2, 1, 3 from the left
 *     /|  |\  \
 *    4 5  6 7  8      1, 4, 1, 5, 4
 */
enum { TREE_NODES = 9, TREE_EDGES = 8 };
static const cairn_graph_edge tree_edges[TREE_EDGES] = {{0, 1, 2}, {0, 2, 1}, {0, 3, 3}, {1, 4, 1},
                                                        {1, 5, 4}, {2, 6, 1}, {2, 7, 5}, {3, 8, 4}};

#endif
