/* test_idastar.c: IDA*: thresholds, the order of its search, memory of one path, and giving up. The
 * conformance suite compares its paths with the oracle's.
 */
#include "deepening.h"

/* ---- iterations ---- */

/* Without positions estimates are 0, and thresholds are costs: 0, 1, 2, 3, 6, 7. */
static void a_tree_is_searched_from_left_to_right_with_rising_thresholds(void **state)
{
    (void)state;
    static const cairn_node orders[] = {0,
                                        CAIRN_NO_NODE, /* 0 */
                                        0,
                                        2,
                                        CAIRN_NO_NODE, /* 1 */
                                        0,
                                        1,
                                        2,
                                        6,
                                        CAIRN_NO_NODE, /* 2 */
                                        0,
                                        1,
                                        4,
                                        2,
                                        6,
                                        3,
                                        CAIRN_NO_NODE, /* 3 */
                                        0,
                                        1,
                                        4,
                                        5,
                                        2,
                                        6,
                                        7,
                                        3,
                                        CAIRN_NO_NODE, /* 6 */
                                        0,
                                        1,
                                        4,
                                        5,
                                        2,
                                        6,
                                        7,
                                        3}; /* 7 */
    kit k = kit_of_edges(TREE_NODES, tree_edges, TREE_EDGES);
    kit_plan(&k, "idastar:effort=1000");
    const cairn_path *path;
    const story *t = story_of(&k, &(cairn_query){.from = 0, .to = 8}, &path);
    CHECK(path->status == CAIRN_FOUND && path->cost == 7 && path->count == 3, "cost %u",
          path->cost);
    uint32_t at = 0;
    for (uint32_t i = 0, iteration = 0; i < t->count; i++) {
        const cairn_event *e = &t->events[i];
        bool begins = e->kind == CAIRN_EVENT_PIECE && iteration++;
        if (!begins && e->kind != CAIRN_EVENT_EXPAND) continue;
        cairn_node node = begins ? CAIRN_NO_NODE : e->node;
        CHECK(at < LENGTH(orders) && orders[at] == node, "%u: %u, not %u", at, node, orders[at]);
        at++;
    }
    assert_int_equal(at, LENGTH(orders));
    kit_close(&k);
}

/* Each threshold is the least f that exceeded the one before. */
static void a_threshold_is_the_least_that_was_exceeded(void **state)
{
    (void)state;
    scene *s = scene_named("gaps");
    kit k = kit_of_scene(s, &s->profile);
    uint32_t iterations = 0;
    scene_rng rng = {3};
    kit_plan(&k, "idastar:effort=10000");
    for (uint32_t i = 0; i < 150; i++) {
        cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
        const cairn_path *path;
        const story *t = story_of(&k, &(cairn_query){.from = from, .to = to}, &path);
        if (path->status != CAIRN_FOUND) continue;
        uint64_t threshold = 0, next = UINT64_MAX, most = 0;
        for (uint32_t n = 0; n < t->count; n++) {
            const cairn_event *e = &t->events[n];
            uint64_t f = (uint64_t)e->g + e->h;
            if (e->kind == CAIRN_EVENT_SOURCE) next = f;
            if (e->kind == CAIRN_EVENT_PIECE) {
                CHECK(most <= threshold, "%llu was expanded, the threshold is %llu",
                      (unsigned long long)most, (unsigned long long)threshold);
                CHECK(next > threshold || !threshold, "thresholds must rise");
                threshold = next, next = UINT64_MAX, most = 0;
                iterations++;
            }
            if (e->kind == CAIRN_EVENT_EXPAND && f > most) most = f;
            if (e->kind == CAIRN_EVENT_GENERATE && f > threshold && f < next) next = f;
        }
        CHECK(path->cost <= threshold, "found above the threshold");
    }
    CHECK(iterations > 100, "%u iterations prove nothing", iterations);
    kit_end(&k, s);
}

/* An expensive edge leads to the goal at once. */
static void the_threshold_is_tested_before_the_goal(void **state)
{
    (void)state;
    static const cairn_graph_edge edges[] = {{0, 2, 10}, {0, 1, 1}, {1, 2, 1}};
    kit k = kit_of_edges(3, edges, 3);
    kit_plan(&k, "idastar:effort=1000");
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(k.search, &(cairn_query){.from = 0, .to = 2}, &path),
                 CAIRN_FOUND);
    assert_int_equal(path->cost, 2);
    kit_close(&k);
}

/* In a circle there is always a longer path, unless it may not return to itself. Nothing leads to
 * node 4, which components do not tell. */
static void a_path_never_returns_to_itself(void **state)
{
    (void)state;
    static const cairn_graph_edge edges[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}, {4, 0, 1}};
    kit k = kit_of_edges(5, edges, 5);
    kit_plan(&k, "idastar:effort=1000");
    const cairn_path *path;
    const story *t = story_of(&k, &(cairn_query){.from = 0, .to = 4}, &path);
    CHECK_STATUS(path->status, CAIRN_UNREACHABLE);
    uint32_t on_path[5] = {0};
    for (uint32_t i = 0; i < t->count; i++) {
        const cairn_event *e = &t->events[i];
        if (e->kind == CAIRN_EVENT_EXPAND) CHECK(!on_path[e->node]++, "%u twice", e->node);
        if (e->kind == CAIRN_EVENT_CLOSE) on_path[e->node]--;
    }
    assert_int_equal(cairn_search_metrics(k.search).expanded, 1 + 2 + 3 + 4);
    kit_close(&k);
}

/* ---- giving up ---- */

/* A wall between start and goal on open ground: there are far too many paths. */
static void it_gives_up_after_its_effort(void **state)
{
    (void)state;
    scene *s = scene_named("trap");
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "idastar:effort=777");
    cairn_query query = {.from = 5 * 20 + 12, .to = 5 * 20 + 19};
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_OUT_OF_BUDGET);
    assert_true(!path->partial && !path->count && path->cost == CAIRN_NO_COST);
    assert_int_equal(cairn_search_metrics(k.search).expanded, 777);
    query.partial = true;
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_OUT_OF_BUDGET);
    cairn_cost cost = 0;
    assert_true(path->partial && path->count > 1 && path->nodes[0] == query.from);
    assert_true(cairn_path_valid(k.space, path, &cost, NULL, NULL) && cost == path->cost);
    assert_true(cairn_algorithm_find("idastar", 7)->flags & CAIRN_EXPONENTIAL);
    kit_end(&k, s);
}

/* ---- memory ---- */

static uint64_t bytes_along(uint32_t width, uint32_t height, uint32_t steps, const char *spec)
{
    scene *s = scene_blank("open", width, height);
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, spec);
    cairn_query query = {.from = 0, .to = steps};
    CHECK_STATUS(cairn_search_find(k.search, &query, NULL), CAIRN_FOUND);
    uint64_t bytes = cairn_search_metrics(k.search).peak_bytes;
    kit_end(&k, s);
    return bytes;
}

static void memory_is_proportional_to_the_path_and_not_to_the_world(void **state)
{
    (void)state;
    const char *spec = "idastar:effort=100000";
    uint64_t base = bytes_along(64, 1, 1, spec), short_path = bytes_along(1024, 1, 640, spec),
             long_path = bytes_along(4096, 1, 3200, spec);
    assert_int_equal(bytes_along(4096, 1, 640, spec), short_path);
    assert_int_equal(bytes_along(700, 900, 640, spec), short_path);
    CHECK(long_path - base == 5 * (short_path - base), "%u, %u and %u bytes", (unsigned)base,
          (unsigned)short_path, (unsigned)long_path);
    CHECK(long_path < 100 * 3200, "%u bytes", (unsigned)long_path);
    /* with cached estimates there is something for every node */
    CHECK(bytes_along(700, 900, 640, "idastar:cache=on,effort=100000") > short_path + 2000,
          "where are the estimates?");
}

/* A path through all of a corridor, so long that frames come in large blocks. (Builds with checks
 * see to it that chains stay short.) */
static void paths_of_many_steps_are_found(void **state)
{
    (void)state;
    scene *s = scene_serpent("long", 101, 101);
    kit k = kit_of_scene(s, &s->profile);
    cairn_cost expected, cost;
    cairn_node from = 0, to = s->width * s->height - 1;
    while (!s->open[from]) from++;
    while (!s->open[to]) to--;
    kit_plan(&k, "astar");
    CHECK_STATUS(cairn_distance(k.search, from, to, &expected), CAIRN_FOUND);
    for (uint32_t round = 0; round < 2; round++) {
        kit_plan(&k, round ? "me-idastar:effort=1000000000" : "idastar:effort=1000000000");
        CHECK_STATUS(cairn_distance(k.search, from, to, &cost), CAIRN_FOUND);
        assert_int_equal(cost, expected);
    }
    kit_end(&k, s);
}

/* ---- estimates ---- */

static cairn_cost counted_estimate(void *user, cairn_node node)
{
    return (void)node, ++*(uint64_t *)user, 0;
}

/* T 1181: the estimate of a node is computed at each visit, or once. */
static void estimates_are_computed_once_if_they_are_cached(void **state)
{
    (void)state;
    scene *s = scene_blank("small", 3, 3);
    kit k = kit_of_scene(s, &s->profile);
    answer plain, cached;
    uint64_t calls[2] = {0};
    cairn_query query = {.from = 0, .to = 8, .estimate = counted_estimate};
    kit_plan(&k, "idastar:effort=100000");
    query.estimate_user = &calls[0];
    plain = answer_find(k.search, &query);
    kit_plan(&k, "idastar:cache=on,effort=100000");
    query.estimate_user = &calls[1];
    cached = answer_find(k.search, &query);
    assert_true(plain.path.status == CAIRN_FOUND && answer_same_path(&plain, &cached));
    assert_true(answer_same_metrics(&plain, &cached));
    CHECK(calls[1] <= 9 + 1, "%u calls with a cache", (unsigned)calls[1]);
    CHECK(calls[0] > 10 * calls[1], "%u calls without", (unsigned)calls[0]);
    answer_free(&plain), answer_free(&cached);
    kit_end(&k, s);
}

/* With every limit of memory there is the path, or no memory for it: estimates of the query before
 * never cut the path off. */
static void without_memory_for_estimates_no_goal_is_out_of_reach(void **state)
{
    (void)state;
    scene *s = scene_blank("corridor", 20, 1);
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "idastar:cache=on");
    cairn_cost straight = cairn_space_scale(k.space).straight;
    cairn_query far = {.from = 0, .to = 19}, near = {.from = 0, .to = 2, .max_cost = 2 * straight};
    uint32_t refused = 0, found = 0;
    for (size_t limit = 4000; limit < 1000000; limit += limit / 32) {
        cairn_search *search = NULL;
        cairn_search_options options = {.byte_limit = limit};
        if (cairn_search_create(k.planner, &options, &search) != CAIRN_OK) continue;
        cairn_search_find(search, &far, NULL);
        cairn_status status = cairn_search_find(search, &near, NULL);
        refused += status == CAIRN_OUT_OF_MEMORY;
        found += status == CAIRN_FOUND;
        CHECK(status == CAIRN_OUT_OF_MEMORY || status == CAIRN_FOUND, "with %u bytes: %s",
              (unsigned)limit, cairn_status_text(status));
        cairn_search_destroy(search);
    }
    CHECK(refused && found, "%u without memory, %u with", refused, found);
    kit_end(&k, s);
}

/* The path gets no better for thousands of steps, and then does. */
static void a_long_partial_path_is_copied_in_pieces(void **state)
{
    (void)state;
    char spec[64];
    snprintf(spec, sizeof spec, "idastar:effort=%u", 2 * ARM);
    check_partial_path_along_the_arm(spec, ARM / 256 - 1);
    snprintf(spec, sizeof spec, "me-idastar:effort=%u", 2 * ARM);
    check_partial_path_along_the_arm(spec, ARM / 256 - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_is_searched_from_left_to_right_with_rising_thresholds),
        cmocka_unit_test(a_threshold_is_the_least_that_was_exceeded),
        cmocka_unit_test(the_threshold_is_tested_before_the_goal),
        cmocka_unit_test(a_path_never_returns_to_itself),
        cmocka_unit_test(it_gives_up_after_its_effort),
        cmocka_unit_test(memory_is_proportional_to_the_path_and_not_to_the_world),
        cmocka_unit_test(paths_of_many_steps_are_found),
        cmocka_unit_test(estimates_are_computed_once_if_they_are_cached),
        cmocka_unit_test(without_memory_for_estimates_no_goal_is_out_of_reach),
        cmocka_unit_test(a_long_partial_path_is_copied_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
