/* test_me_idastar.c: ME-IDA*: what the costs that it keeps prune, and what they must not. The
 * conformance suite compares its paths with the oracle's.
 */
#include "deepening.h"

/* How often a node was expanded in the last iteration. */
static uint32_t expansions_at_last(const story *t, cairn_node node)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        if (t->events[i].kind == CAIRN_EVENT_PIECE) count = 0;
        count += t->events[i].kind == CAIRN_EVENT_EXPAND && t->events[i].node == node;
    }
    return count;
}

/* Without estimates each iteration of a chain goes over the same nodes at the same costs. */
static void equal_costs_of_earlier_iterations_pass(void **state)
{
    (void)state;
    static const cairn_graph_edge edges[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}};
    kit k = kit_of_edges(5, edges, 4);
    kit_plan(&k, "me-idastar:effort=1000");
    const cairn_path *path;
    const story *t = story_of(&k, &(cairn_query){.from = 0, .to = 4}, &path);
    CHECK(path->status == CAIRN_FOUND && path->cost == 4, "%s", cairn_status_text(path->status));
    assert_int_equal(cairn_search_metrics(k.search).expanded, 1 + 2 + 3 + 4 + 4);
    assert_int_equal(expansions_at_last(t, 3), 1);
    kit_close(&k);
}

/* Two paths of the same cost lead to node 3. IDA* expands what is behind it twice. */
static void equal_costs_of_the_same_iteration_do_not(void **state)
{
    (void)state;
    static const cairn_graph_edge edges[] = {{0, 1, 1}, {0, 2, 1}, {1, 3, 1}, {2, 3, 1},
                                             {3, 4, 1}, {0, 5, 3}, {5, 6, 1}};
    kit k = kit_of_edges(7, edges, 7);
    const cairn_path *path;
    kit_plan(&k, "idastar:effort=1000");
    assert_int_equal(expansions_at_last(story_of(&k, &(cairn_query){.from = 0, .to = 6}, &path), 3),
                     2);
    kit_plan(&k, "me-idastar:effort=1000");
    assert_int_equal(expansions_at_last(story_of(&k, &(cairn_query){.from = 0, .to = 6}, &path), 3),
                     1);
    assert_int_equal(path->cost, 4);
    kit_close(&k);
}

/* The first threshold contains all of the graph. */
static cairn_cost early_estimate(void *user, cairn_node node)
{
    return (void)user, node ? 0 : 10;
}

/* So does this one, far more than that. */
static cairn_cost far_estimate(void *user, cairn_node node)
{
    return (void)user, node ? 0 : 5000;
}

/* Node 1 is met first over an expensive edge, then at a lower cost in the same iteration. */
static void lower_costs_are_followed_again(void **state)
{
    (void)state;
    static const cairn_graph_edge edges[] = {{0, 1, 5}, {0, 2, 1}, {2, 1, 1}, {1, 3, 8}};
    kit k = kit_of_edges(4, edges, 4);
    kit_plan(&k, "me-idastar:effort=1000");
    const cairn_path *path;
    cairn_query query = {.from = 0, .to = 3, .estimate = early_estimate};
    const story *t = story_of(&k, &query, &path);
    CHECK(path->status == CAIRN_FOUND && path->cost == 10 && path->count == 4, "%u", path->cost);
    assert_int_equal(expansions_at_last(t, 1), 2);
    kit_close(&k);
}

/* The costs of the path, of its nodes and of the distance are those of its cheapest edges. */
static void check_cheapest_edges(kit *k, const char *spec, cairn_query query, cairn_cost cost)
{
    const cairn_path *path;
    kit_plan(k, spec);
    CHECK_STATUS(cairn_search_find(k->search, &query, &path), CAIRN_FOUND);
    cairn_cost sum = 0;
    CHECK(cairn_path_valid(k->space, path, &sum, NULL, NULL) && sum == cost, "%s: %u", spec, sum);
    CHECK(path->cost == cost && cairn_search_cost_to(k->search, query.to) == cost,
          "%s: costs %u and %u, not %u", spec, path->cost,
          cairn_search_cost_to(k->search, query.to), cost);
    /* the middle of the path is known too */
    CHECK_STATUS(cairn_search_path_to(k->search, 1, &path), CAIRN_FOUND);
    assert_int_equal(path->cost, cairn_search_cost_to(k->search, 1));
}

/* Two edges lead from 0 to 1, the expensive one first, and three from there to 2. The first threshold
 * contains them all. Node 0 has more edges than are read at a time. */
static void the_cheapest_of_several_edges_counts(void **state)
{
    (void)state;
    static const cairn_graph_edge edges[] = {{0, 1, 5}, {0, 3, 9}, {0, 4, 9}, {0, 5, 9},
                                             {0, 6, 9}, {0, 7, 9}, {0, 8, 9}, {0, 9, 9},
                                             {0, 1, 2}, {1, 2, 4}, {1, 2, 3}, {1, 2, 4}};
    kit k = kit_of_edges(10, edges, LENGTH(edges));
    cairn_query query = {.from = 0, .to = 2, .estimate = early_estimate};
    check_cheapest_edges(&k, "me-idastar", query, 5);
    check_cheapest_edges(&k, "idastar", query, 5);
    kit_close(&k);
}

/* The search ends at its first node, and what it stood on is read. */
static void the_cheapest_of_several_edges_counts_in_part_of_a_path(void **state)
{
    (void)state;
    static const cairn_position positions[] = {{0, 0, 0}, {4, 0, 0}, {6, 0, 0}};
    static const cairn_graph_edge edges[] = {{0, 1, 4000}, {0, 1, 400}, {1, 2, 2000}};
    cairn_graph_options options = {
        .node_count = 3, .edge_count = 3, .edges = edges, .positions = positions};
    kit k = {0};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_graph_create(k.context, &options, &k.graph, NULL));
    CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
    const cairn_path *path;
    kit_plan(&k, "me-idastar:effort=2");
    cairn_query query = {.from = 0, .to = 2, .partial = true, .estimate = far_estimate};
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_OUT_OF_BUDGET);
    CHECK(path->partial && path->end == 1 && path->cost == 400, "%u at %u", path->cost, path->end);
    kit_close(&k);
}

/* A path of many steps is lowered in pieces. Work that ends meanwhile leaves a part of it. */
static void costs_of_a_long_path_are_lowered_in_pieces(void **state)
{
    (void)state;
    enum { STEPS = 200 };
    static cairn_graph_edge edges[2 * STEPS];
    for (uint32_t i = 0; i < STEPS; i++) {
        edges[2 * i] = (cairn_graph_edge){i, i + 1, 7};
        edges[2 * i + 1] = (cairn_graph_edge){i, i + 1, 3};
    }
    kit k = kit_of_edges(STEPS + 1, edges, 2 * STEPS);
    cairn_query query = {.from = 0, .to = STEPS, .estimate = far_estimate, .partial = true};
    const cairn_path *path;
    kit_plan(&k, "idastar");
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    CHECK(path->cost == 3 * STEPS, "%u", path->cost);
    uint64_t work = cairn_search_metrics(k.search).work;
    CHECK(work > STEPS + 4, "%u units", (unsigned)work);
    for (query.max_work = 1; query.max_work < work; query.max_work++) {
        cairn_cost sum = 0;
        CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_OUT_OF_BUDGET);
        CHECK(path->partial && path->nodes[0] == 0 && path->count == path->end + 1,
              "%u nodes to %u", path->count, path->end);
        CHECK(path->count == 1 || cairn_path_valid(k.space, path, &sum, NULL, NULL), "invalid");
        CHECK(path->cost == sum && sum == 3 * path->end, "%u, not %u", path->cost, sum);
    }
    kit_close(&k);
}

/* On problems that IDA* can finish. SPEC D8: fewer expansions; T 1187: less than half. */
static void it_expands_less_than_half_of_what_ida_does(void **state)
{
    (void)state;
    static const char *const names[] = {"trap", "gaps", "rooms", "swamps", "hex-light", "doors"};
    uint64_t sums[2] = {0};
    uint32_t solved = 0, asked = 0;
    for (uint32_t n = 0; n < LENGTH(names); n++) {
        scene *s = scene_named(names[n]);
        kit a = kit_of_scene(s, &s->profile), b = kit_of_scene(s, &s->profile),
            c = kit_of_scene(s, &s->profile);
        scene_rng rng = {n + 5};
        kit_plan(&a, "idastar:effort=20000");
        kit_plan(&b, "me-idastar:effort=20000");
        kit_plan(&c, "astar");
        for (uint32_t i = 0; i < 60; i++, asked++) {
            cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
            const cairn_path *path;
            if (cairn_search_find(a.search, &query, &path) != CAIRN_FOUND) continue;
            cairn_cost cost = path->cost;
            uint64_t first = cairn_search_metrics(a.search).expanded;
            CHECK_STATUS(cairn_search_find(b.search, &query, &path), CAIRN_FOUND);
            uint64_t second = cairn_search_metrics(b.search).expanded;
            CHECK(second <= first && path->cost == cost, "%s, %u to %u: %u and %u", names[n],
                  query.from, query.to, (unsigned)first, (unsigned)second);
            CHECK_STATUS(cairn_search_find(c.search, &query, &path), CAIRN_FOUND);
            assert_int_equal(path->cost, cost);
            sums[0] += first, sums[1] += second;
            solved++;
        }
        kit_close(&a), kit_close(&b);
        kit_end(&c, s);
    }
    CHECK(solved > asked / 5, "%u of %u", solved, asked);
    CHECK(2 * sums[1] < sums[0], "%u expansions, %u by IDA*", (unsigned)sums[1], (unsigned)sums[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_costs_of_earlier_iterations_pass),
        cmocka_unit_test(equal_costs_of_the_same_iteration_do_not),
        cmocka_unit_test(lower_costs_are_followed_again),
        cmocka_unit_test(the_cheapest_of_several_edges_counts),
        cmocka_unit_test(the_cheapest_of_several_edges_counts_in_part_of_a_path),
        cmocka_unit_test(costs_of_a_long_path_are_lowered_in_pieces),
        cmocka_unit_test(it_expands_less_than_half_of_what_ida_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
