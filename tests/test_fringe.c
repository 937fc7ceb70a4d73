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

/* T 1245: the order of IDA*, without what that expands again. It holds if estimates are consistent
 * and no node has two cheapest paths. Returns how many nodes were expanded. */
static uint32_t check_order(kit *k, const cairn_query *query)
{
    cairn_node by_ida[NODES], by_fringe[NODES];
    const cairn_path *path;
    kit_plan(k, "idastar:effort=100000");
    uint32_t count = first_expansions(story_of(k, query, &path), by_ida);
    cairn_cost cost = path->cost;
    CHECK(path->status == CAIRN_FOUND, "%s", cairn_status_text(path->status));
    kit_plan(k, "fringe");
    uint32_t same = first_expansions(story_of(k, query, &path), by_fringe);
    CHECK(path->status == CAIRN_FOUND && path->cost == cost, "cost %u, not %u", path->cost, cost);
    CHECK(count == same && !memcmp(by_ida, by_fringe, count * sizeof *by_ida),
          "another order than that of IDA* to %u: %u and %u nodes", query->to, count, same);
    CHECK(cairn_search_metrics(k->search).expanded == same, "a node is expanded twice");
    return same;
}

static void in_trees_the_order_is_that_of_ida(void **state)
{
    (void)state;
    kit k = kit_of_edges(TREE_NODES, tree_edges, TREE_EDGES);
    for (cairn_node to = 1; to < TREE_NODES; to++) check_order(&k, &(cairn_query){.to = to});
    kit_close(&k);
    for (uint32_t seed = 1; seed <= 12; seed++) {
        cairn_graph_edge edges[NODES - 1];
        scene_rng rng = {seed};
        for (uint32_t i = 1; i < NODES; i++) {
            uint32_t back = scene_random(&rng, i < 12 ? i : 12);
            edges[i - 1] = (cairn_graph_edge){i - 1 - back, i, 1 + scene_random(&rng, 9)};
        }
        k = kit_of_edges(NODES, edges, NODES - 1);
        for (uint32_t i = 0; i < 6; i++)
            check_order(&k, &(cairn_query){.to = 1 + scene_random(&rng, NODES - 1)});
        kit_close(&k);
    }
}

enum { WEB_NODES = 40, WEB_EDGES = 3 * WEB_NODES, WEB_STEP = 1 << 17 };

/* A graph of random edges that lead away from its start; the costs of paths from there are in `o`.
 * Edges have so many different costs that no node has two cheapest paths. */
static kit web(scene_rng *rng, oracle **o)
{
    cairn_graph_edge edges[WEB_EDGES];
    uint32_t count = WEB_EDGES;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = i % WEB_NODES, far = 1 + scene_random(rng, WEB_NODES - 1);
        edges[i] =
            (cairn_graph_edge){from, (from + far) % WEB_NODES, 1 + scene_random(rng, WEB_STEP)};
    }
    *o = oracle_of_edges(WEB_NODES, edges, count, false);
    oracle_search(*o, 0);
    for (uint32_t i = count; i-- > 0;)
        if ((*o)->distance[edges[i].to] <= (*o)->distance[edges[i].from]) edges[i] = edges[--count];
    return kit_of_edges(WEB_NODES, edges, count);
}

/* All nodes that are about as far from the start have the same f, which falls along no edge. */
static cairn_cost stepped_estimate(void *user, cairn_node node)
{
    const oracle *o = user;
    uint64_t g = o->distance[node];
    return g == ORACLE_NONE ? 0 : (cairn_cost)(WEB_STEP - g % WEB_STEP);
}

static void where_cheapest_paths_are_single_the_order_is_that_of_ida(void **state)
{
    (void)state;
    uint32_t expanded = 0;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        scene_rng rng = {seed};
        oracle *o;
        kit k = web(&rng, &o);
        for (uint32_t i = 0; i < 6; i++) {
            cairn_query query = {.to = 1 + scene_random(&rng, WEB_NODES - 1),
                                 .estimate = stepped_estimate,
                                 .estimate_user = o};
            if (o->distance[query.to] != ORACLE_NONE) expanded += check_order(&k, &query);
        }
        oracle_destroy(o), kit_close(&k);
    }
    CHECK(expanded > 1500, "%u nodes", expanded);
}

/* Node 4 has two cheapest paths. IDA* comes to it by the left one, fringe search has kept it in the
 * place where it was found first. */
static void of_two_cheapest_paths_the_one_that_was_found_first_gives_the_place(void **state)
{
    (void)state;
    static const cairn_graph_edge edges[] = {{0, 1, 2}, {0, 2, 3},  {0, 3, 1}, {1, 4, 1},
                                             {3, 4, 2}, {4, 5, 10}, {2, 5, 10}};
    static const struct {
        const char *spec;
        cairn_node order[5];
    } cases[] = {{"idastar", {0, 3, 1, 4, 2}}, {"fringe", {0, 3, 1, 2, 4}}};
    kit k = kit_of_edges(6, edges, LENGTH(edges));
    for (uint32_t i = 0; i < LENGTH(cases); i++) {
        cairn_node order[NODES];
        const cairn_path *path;
        kit_plan(&k, cases[i].spec);
        uint32_t count = first_expansions(story_of(&k, &(cairn_query){.to = 5}, &path), order);
        assert_int_equal(path->cost, 13);
        assert_int_equal(count, 5);
        assert_memory_equal(order, cases[i].order, sizeof cases[i].order);
    }
    kit_close(&k);
}

typedef struct ranked {
    uint64_t f; /* the least cost to the node, and its estimate */
    cairn_node node;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->f != y->f ? (x->f > y->f) - (x->f < y->f) : (x->node > y->node) - (x->node < y->node);
}

/* Iteration by iteration, however many cheapest paths there are: the nodes of lower f come first.
 * Returns how many were expanded with less than the goal's, sorted, in `out`. */
static uint32_t check_ranks(kit *k, const cairn_planner *astar, const oracle *o,
                            const cairn_query *query, ranked out[NODES])
{
    cairn_node order[NODES];
    const cairn_path *path;
    uint32_t count = first_expansions(story_of(k, query, &path), order), before = 0;
    if (path->status != CAIRN_FOUND) return UINT32_MAX;
    uint64_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        cairn_cost h;
        CHECK_OK(cairn_planner_estimate(astar, order[i], query->to, &h));
        uint64_t f = o->distance[order[i]] + h;
        CHECK(f >= last && f <= path->cost, "%u: f %u after %u", order[i], (unsigned)f,
              (unsigned)last);
        last = f;
        if (f < path->cost) out[before++] = (ranked){f, order[i]};
    }
    qsort(out, before, sizeof *out, compare_ranked);
    return before;
}

static void on_grids_iterations_expand_the_same_nodes_as_those_of_ida(void **state)
{
    (void)state;
    uint32_t asked = 0, expanded = 0;
    for (uint32_t seed = 1; seed <= 12; seed++) {
        scene *s = scene_noise("order", 12, 12, 35, seed);
        if (seed % 3 == 0) scene_add_terrain(s, seed);
        kit k = kit_of_scene(s, &s->profile), a = kit_of_scene(s, &s->profile);
        kit_plan(&a, "astar");
        oracle_grid raw = scene_raw(s);
        oracle *o = oracle_of_grid(&raw, &s->profile, cairn_space_scale(k.space));
        scene_rng rng = {seed};
        for (uint32_t i = 0; i < 12; i++) {
            static ranked by_ida[NODES], by_fringe[NODES];
            cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
            oracle_search(o, query.from);
            kit_plan(&k, "idastar:effort=20000");
            uint32_t count = check_ranks(&k, a.planner, o, &query, by_ida);
            if (count == UINT32_MAX) continue; /* no path, or given up */
            kit_plan(&k, "fringe");
            uint32_t same = check_ranks(&k, a.planner, o, &query, by_fringe);
            CHECK(count == same, "seed %u: %u and %u nodes", seed, count, same);
            for (uint32_t n = 0; n < count; n++)
                CHECK(by_ida[n].node == by_fringe[n].node, "seed %u: %u and %u", seed,
                      by_ida[n].node, by_fringe[n].node);
            asked++, expanded += count;
        }
        oracle_destroy(o), kit_close(&a), kit_end(&k, s);
    }
    CHECK(asked > 60 && expanded > 500, "%u problems, %u nodes", asked, expanded);
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
        cmocka_unit_test(where_cheapest_paths_are_single_the_order_is_that_of_ida),
        cmocka_unit_test(of_two_cheapest_paths_the_one_that_was_found_first_gives_the_place),
        cmocka_unit_test(on_grids_iterations_expand_the_same_nodes_as_those_of_ida),
        cmocka_unit_test(many_successors_keep_their_order),
        cmocka_unit_test(a_node_that_gets_cheaper_leaves_its_old_place),
        cmocka_unit_test(the_goal_is_tested_when_it_is_taken_from_the_list),
        cmocka_unit_test(an_empty_list_means_that_there_is_no_path),
        cmocka_unit_test(it_costs_the_same_as_astar_and_expands_at_least_as_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
