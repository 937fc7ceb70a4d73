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
        cmocka_unit_test(it_expands_less_than_half_of_what_ida_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
