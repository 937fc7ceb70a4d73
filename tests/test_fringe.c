/* test_fringe.c: fringe search: the order of IDA* without beginning again, one place in the list
 * for each node, and the paths of A*. The conformance suite compares its paths with the oracle's.
 */
#include "deepening.h"

enum { NODES = 300 };

/* Nodes in the order in which they were first expanded. */
static uint32_t first_expansions(const story *t, cairn_node order[NODES])
{
    bool seen[NODES] = {false};
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        const cairn_event *e = &t->events[i];
        if (e->kind != CAIRN_EVENT_EXPAND || seen[e->node]) continue;
        seen[e->node] = true;
        order[count++] = e->node;
    }
    return count;
}

static uint32_t expansions_of(const story *t, cairn_node node)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->count; i++)
        count += t->events[i].kind == CAIRN_EVENT_EXPAND && t->events[i].node == node;
    return count;
}

/* ---- the order ---- */

/* T 1245: the order of IDA*, without what that expands again. */
static void check_order(kit *k, cairn_node to)
{
    cairn_node by_ida[NODES], by_fringe[NODES];
    const cairn_path *path;
    kit_plan(k, "idastar:effort=100000");
    uint32_t count = first_expansions(story_of(k, &(cairn_query){.to = to}, &path), by_ida);
    cairn_cost cost = path->cost;
    CHECK(path->status == CAIRN_FOUND, "%s", cairn_status_text(path->status));
    kit_plan(k, "fringe");
    uint32_t same = first_expansions(story_of(k, &(cairn_query){.to = to}, &path), by_fringe);
    CHECK(path->status == CAIRN_FOUND && path->cost == cost, "cost %u, not %u", path->cost, cost);
    CHECK(count == same && !memcmp(by_ida, by_fringe, count * sizeof *by_ida),
          "another order than that of IDA* to %u: %u and %u nodes", to, count, same);
    CHECK(cairn_search_metrics(k->search).expanded == same, "in a tree nothing is expanded twice");
}

static void in_trees_the_order_is_that_of_ida(void **state)
{
    (void)state;
    kit k = kit_of_edges(TREE_NODES, tree_edges, TREE_EDGES);
    for (cairn_node to = 1; to < TREE_NODES; to++) check_order(&k, to);
    kit_close(&k);
    for (uint32_t seed = 1; seed <= 12; seed++) {
        cairn_graph_edge edges[NODES - 1];
        scene_rng rng = {seed};
        for (uint32_t i = 1; i < NODES; i++) {
            uint32_t back = scene_random(&rng, i < 12 ? i : 12);
            edges[i - 1] = (cairn_graph_edge){i - 1 - back, i, 1 + scene_random(&rng, 9)};
        }
        k = kit_of_edges(NODES, edges, NODES - 1);
        for (uint32_t i = 0; i < 6; i++) check_order(&k, 1 + scene_random(&rng, NODES - 1));
        kit_close(&k);
    }
}

/* Edges come in batches of 64; the order goes on from one to the next. */
static void many_successors_keep_their_order(void **state)
{
    (void)state;
    cairn_graph_edge edges[NODES];
    for (uint32_t i = 0; i < 298; i++) edges[i] = (cairn_graph_edge){0, i + 1, 1};
    edges[298] = (cairn_graph_edge){298, 299, 9};
    kit k = kit_of_edges(NODES, edges, 299);
    kit_plan(&k, "fringe");
    cairn_node order[NODES];
    const cairn_path *path;
    uint32_t count = first_expansions(story_of(&k, &(cairn_query){.to = 299}, &path), order);
    assert_int_equal(count, 299);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(order[i], i);
    kit_close(&k);
}

/* ---- the list ---- */

/* Node 1 waits with f = 9, and then with 2. When the threshold is 9 it is not there any more. */
static void a_node_that_gets_cheaper_leaves_its_old_place(void **state)
{
    (void)state;
    static const cairn_graph_edge edges[] = {{0, 1, 9}, {0, 2, 1}, {2, 1, 1}, {1, 3, 30}};
    kit k = kit_of_edges(4, edges, 4);
    kit_plan(&k, "fringe");
    const cairn_path *path;
    const story *t = story_of(&k, &(cairn_query){.to = 3}, &path);
    CHECK(path->status == CAIRN_FOUND && path->cost == 32, "%u", path->cost);
    assert_int_equal(expansions_of(t, 1), 1);
    /* thresholds 0, 1, 2 and 32: a unit for the end of each iteration but the last, one for each
     * expansion, one for the goal; a place that is still there would make one for 9 */
    assert_int_equal(cairn_search_metrics(k.search).work, 3 + 3 + 1);
    kit_close(&k);
}

/* The goal is met first over an expensive edge. */
static void the_goal_is_tested_when_it_is_taken_from_the_list(void **state)
{
    (void)state;
    static const cairn_graph_edge edges[] = {{0, 2, 10}, {0, 1, 1}, {1, 2, 1}};
    kit k = kit_of_edges(3, edges, 3);
    kit_plan(&k, "fringe");
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(k.search, &(cairn_query){.from = 0, .to = 2}, &path),
                 CAIRN_FOUND);
    assert_int_equal(path->cost, 2);
    kit_close(&k);
}

/* Nothing leads to node 4, which components do not tell. */
static void an_empty_list_means_that_there_is_no_path(void **state)
{
    (void)state;
    static const cairn_graph_edge edges[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}, {4, 0, 1}};
    kit k = kit_of_edges(5, edges, 5);
    kit_plan(&k, "fringe");
    CHECK_STATUS(cairn_search_find(k.search, &(cairn_query){.from = 0, .to = 4}, NULL),
                 CAIRN_UNREACHABLE);
    assert_int_equal(cairn_search_metrics(k.search).expanded, 4);
    kit_close(&k);
}

/* ---- A* ---- */

/* SPEC D10: the same cost; more nodes. */
static void it_costs_the_same_as_astar_and_expands_at_least_as_much(void **state)
{
    (void)state;
    static const char *const names[] = {"trap", "rooms", "light", "dense", "tiles", "swamps"};
    uint64_t sums[2] = {0}, works[2] = {0};
    for (uint32_t n = 0; n < LENGTH(names); n++) {
        scene *s = scene_named(names[n]);
        kit a = kit_of_scene(s, &s->profile), b = kit_of_scene(s, &s->profile);
        scene_rng rng = {n + 9};
        kit_plan(&a, "astar:open=heap");
        kit_plan(&b, "fringe");
        for (uint32_t i = 0; i < 40; i++) {
            cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
            answer first = answer_find(a.search, &query), second = answer_find(b.search, &query);
            CHECK(first.path.status == second.path.status && first.path.cost == second.path.cost,
                  "%s, %u to %u: %u and %u", names[n], query.from, query.to, first.path.cost,
                  second.path.cost);
            sums[0] += first.metrics.expanded, sums[1] += second.metrics.expanded;
            works[0] += first.metrics.work, works[1] += second.metrics.work;
            answer_free(&first), answer_free(&second);
        }
        kit_close(&a);
        kit_end(&b, s);
    }
    CHECK(sums[1] >= sums[0] && works[1] > works[0], "%u expansions, %u by A*", (unsigned)sums[1],
          (unsigned)sums[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_trees_the_order_is_that_of_ida),
        cmocka_unit_test(many_successors_keep_their_order),
        cmocka_unit_test(a_node_that_gets_cheaper_leaves_its_old_place),
        cmocka_unit_test(the_goal_is_tested_when_it_is_taken_from_the_list),
        cmocka_unit_test(an_empty_list_means_that_there_is_no_path),
        cmocka_unit_test(it_costs_the_same_as_astar_and_expands_at_least_as_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
