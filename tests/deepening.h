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

/* Two arms of many steps, each a long step away from the goal and then back to it in steps of 1. The
 * first is the shorter one. It ends nearer to the goal (1) than the start (0) is, and an expensive
 * edge leads on; from the end of the second a cheap one does. */
enum { ARM = 5000, ARM_FIRST = 2, ARM_SECOND = ARM + 4, ARM_NODES = 3 * ARM + 6 };

static inline kit kit_of_arms(void)
{
    static cairn_position positions[ARM_NODES];
    static cairn_graph_edge edges[ARM_NODES];
    kit k = {0};
    uint32_t count = 0;
    positions[1].x = -10;
    for (uint32_t arm = 0; arm < 2; arm++) {
        uint32_t first = arm ? ARM_SECOND : ARM_FIRST, far = (arm + 1) * ARM;
        for (uint32_t i = 0; i <= far + 1; i++) {
            positions[first + i].x = (double)far - i;
            edges[count++] = (cairn_graph_edge){i ? first + i - 1 : 0, first + i, i ? 1 : far};
        }
        edges[count++] = (cairn_graph_edge){first + far + 1, 1, arm ? 9 : 20 * ARM};
    }
    cairn_graph_options options = {
        .node_count = ARM_NODES, .edge_count = count, .positions = positions, .edges = edges};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_graph_create(k.context, &options, &k.graph, NULL));
    CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
    return k;
}

/* Asks for a path to the end of the arms, in vain, and for a partial one: that to the end of the
 * first arm. It is copied a piece at a time, in at least so many units of work. */
static inline void check_partial_path_along_the_arm(const char *spec, uint32_t units)
{
    kit k = kit_of_arms();
    kit_plan(&k, spec);
    cairn_query query = {.from = 0, .to = 1};
    answer none = answer_find(k.search, &query);
    query.partial = true;
    answer a = answer_find(k.search, &query), b = answer_sliced(k.search, &query, 11);
    CHECK_STATUS(none.path.status, CAIRN_OUT_OF_BUDGET);
    CHECK(a.path.partial && a.path.end == ARM_SECOND - 1 && a.path.cost == 2 * ARM + 1 &&
              a.path.count == ARM + 3,
          "%s: to %u, %u nodes", spec, a.path.end, a.path.count);
    for (uint32_t i = 0; i < a.path.count; i++)
        CHECK(a.nodes[i] == (i ? ARM_FIRST + i - 1 : 0), "%s: node %u: %u", spec, i, a.nodes[i]);
    assert_true(answer_same_path(&a, &b) && answer_same_metrics(&a, &b));
    CHECK(a.metrics.work >= none.metrics.work + units, "%s: work %u and %u", spec,
          (unsigned)none.metrics.work, (unsigned)a.metrics.work);
    assert_true(a.metrics.expanded == none.metrics.expanded);
    answer_free(&none), answer_free(&a), answer_free(&b);
    kit_close(&k);
}

#endif
