/* test_queries.c: the life of a query where something happens in between: a trace that is taken
 * away, a commit before the result is asked for, paths that were seen but not sought, paths that
 * cost too much and then do not, and edges of very different cost.
 */
#include "kit.h"

static const char hall_text[] = "..........\n"
                                "....##....\n"
                                "....##....\n"
                                "..........\n";

static kit hall(void)
{
    kit k = {0};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_grid_from_text(k.context, hall_text, strlen(hall_text), &k.grid, NULL));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    return k;
}

static void count_event(void *user, const cairn_event *event)
{
    (void)event;
    ++*(uint32_t *)user;
}

static void a_sink_changes_with_the_next_query_only(void **state)
{
    (void)state;
    kit k = hall();
    kit_plan(&k, "astar");
    uint32_t events = 0;
    cairn_trace_sink sink = {count_event, &events};
    cairn_query q = {.from = 0, .to = 39};
    cairn_search_trace(k.search, &sink);
    CHECK_STATUS(cairn_search_begin(k.search, &q), CAIRN_RUNNING);
    uint32_t begun = events;
    assert_true(begun > 0);
    cairn_search_trace(k.search, NULL);
    while (cairn_search_step(k.search, 3) == CAIRN_RUNNING) continue;
    assert_true(events > begun);
    events = 0;
    CHECK_OK(cairn_search_find(k.search, &q, NULL));
    assert_int_equal(events, 0);
    kit_close(&k);
}

static void a_path_not_asked_for_before_a_commit_is_stale(void **state)
{
    (void)state;
    static const char *const specs[] = {"astar", "wastar:reopen=yes", "greedy"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        kit k = hall();
        kit_plan(&k, specs[i]);
        cairn_query q = {.from = 0, .to = 39};
        const cairn_path *path;
        cairn_search_begin(k.search, &q);
        while (cairn_search_step(k.search, 1000) == CAIRN_RUNNING) continue;
        CHECK_OK(cairn_grid_set_open(k.grid, 1, 1, false));
        CHECK_OK(cairn_grid_commit(k.grid));
        CHECK_STATUS(cairn_search_result(k.search, &path), CAIRN_STALE);
        assert_int_equal(path->count, 0);
        assert_int_equal(path->cost, CAIRN_NO_COST);
        kit_close(&k);
    }
}

static void only_what_was_sought_has_a_bound(void **state)
{
    (void)state;
    kit k = hall();
    kit_plan(&k, "astar");
    cairn_query q = {.from = 0, .to = 9};
    const cairn_path *path;
    CHECK_OK(cairn_search_find(k.search, &q, &path));
    assert_true(path->suboptimality_bound == 1);
    CHECK_OK(cairn_search_path_to(k.search, 11, &path));
    assert_true(path->suboptimality_bound == 0);
    q.goal_kind = CAIRN_GOAL_NONE;
    CHECK_OK(cairn_search_find(k.search, &q, NULL));
    CHECK_OK(cairn_search_path_to(k.search, 39, &path));
    assert_true(path->suboptimality_bound == 1);
    kit_close(&k);
}

static void a_way_too_dear_is_forgotten_when_a_cheap_one_follows(void **state)
{
    (void)state;
    static const cairn_graph_edge edges[] = {
        {0, 1, 10}, {1, 2, CAIRN_COST_MAX}, {1, 3, 5}, {3, 2, 5}};
    static const char *const specs[] = {"dijkstra", "dijkstra:open=heap", "astar", "wastar"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        kit k = kit_of_edges(5, edges, LENGTH(edges));
        kit_plan(&k, specs[i]);
        cairn_query q = {.from = 0, .to = 4};
        CHECK_STATUS(cairn_search_find(k.search, &q, NULL), CAIRN_UNREACHABLE);
        q.to = 2;
        cairn_cost cost;
        CHECK_OK(cairn_distance(k.search, 0, 2, &cost));
        assert_int_equal(cost, 20);
        kit_close(&k);
    }
    /* Without the cheap way it is an overflow. */
    kit k = kit_of_edges(5, edges, 2);
    kit_plan(&k, "dijkstra");
    cairn_query q = {.from = 0, .to = 2};
    CHECK_STATUS(cairn_search_find(k.search, &q, NULL), CAIRN_COST_OVERFLOW);
    kit_close(&k);
}

/* A square net of cheap edges with one that costs thousands of them: however the open list is
 * made, each node is expanded about once. */
static void one_dear_edge_does_not_spoil_the_order(void **state)
{
    (void)state;
    enum { SIDE = 40 };
    static cairn_graph_edge edges[SIDE * SIDE * 2 + 1];
    uint32_t count = 0, seed = 1;
    for (uint32_t n = 0; n < SIDE * SIDE; n++) {
        seed = seed * 1103515245u + 12345u;
        if (n % SIDE + 1 < SIDE)
            edges[count++] = (cairn_graph_edge){n, n + 1, 1 + (seed >> 16) % 1000};
        seed = seed * 1103515245u + 12345u;
        if (n / SIDE + 1 < SIDE)
            edges[count++] = (cairn_graph_edge){n, n + SIDE, 1 + (seed >> 16) % 1000};
    }
    edges[count++] = (cairn_graph_edge){SIDE * SIDE - 1, 0, 4000000000u};
    cairn_graph_options options = {
        .node_count = SIDE * SIDE, .edge_count = count, .edges = edges, .both_ways = true};
    kit k = {0};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_graph_create(k.context, &options, &k.graph, NULL));
    CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
    kit_plan(&k, "dijkstra");
    cairn_query q = {.from = 0, .goal_kind = CAIRN_GOAL_NONE};
    CHECK_OK(cairn_search_find(k.search, &q, NULL));
    assert_true(cairn_search_metrics(k.search).expanded < SIDE * SIDE * 2);
    kit_close(&k);
}

/* ---- ends by position ------------------------------------------------------------------- */

static bool same_place(cairn_position a, cairn_position b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void on_a_grid_ends_may_be_positions(void **state)
{
    (void)state;
    kit k = hall();
    const cairn_path *path;
    kit_plan(&k, "astar");
    cairn_query q = {.by_position = CAIRN_FROM_POSITION | CAIRN_TO_POSITION};
    /* grids are flat: the height does not matter */
    q.from_position = (cairn_position){0.25, 2.75, 99};
    q.to_position = (cairn_position){9.5, 3.9, 0};
    CHECK_OK(cairn_search_find(k.search, &q, &path));
    assert_true(path->nodes[0] == 20 && path->end == 39 && !path->portals);
    assert_int_equal(path->point_count, path->count + 2);
    assert_true(same_place(path->points[0], q.from_position));
    assert_true(same_place(path->points[path->point_count - 1], q.to_position));
    for (uint32_t i = 0; i < path->count; i++)
        assert_true(same_place(path->points[i + 1], cairn_space_position(k.space, path->nodes[i])));
    cairn_node from = path->nodes[0];
    double length = path->length;
    q = (cairn_query){.from = from, .to = 39};
    CHECK_OK(cairn_search_find(k.search, &q, &path));
    assert_true(path->length == length && !path->points && !path->point_count);
    q.by_position = CAIRN_FROM_POSITION;
    q.from_position = (cairn_position){10.5, 1, 0};
    CHECK_STATUS(cairn_search_find(k.search, &q, NULL), CAIRN_OUT_OF_BOUNDS);
    q.from_position = (cairn_position){4.5, 1.5, 0};
    CHECK_STATUS(cairn_search_find(k.search, &q, NULL), CAIRN_BLOCKED_START);
    kit_close(&k);
}

/* A later piece begins where the last one ended, not at the exact start. */
static void check_ends_of_pieces(kit *k, const scene *s, const char *spec)
{
    scene_rng rng = {2};
    const cairn_path *path;
    kit_plan(k, spec);
    uint32_t most = 0;
    for (uint32_t i = 0; i < 20; i++) {
        cairn_query q = {.piece = 4, .by_position = CAIRN_FROM_POSITION | CAIRN_TO_POSITION};
        cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
        q.from_position = cairn_space_position(k->space, from);
        q.to_position = cairn_space_position(k->space, to);
        q.from_position.x += 0.25, q.to_position.y -= 0.25;
        cairn_status status = cairn_search_find(k->search, &q, &path);
        uint32_t pieces = 0;
        for (; status == CAIRN_FOUND; pieces++) {
            bool last = !path->partial;
            if (path->count > 1)
                assert_int_equal(path->point_count,
                                 path->count * (!pieces || last) + !pieces + last);
            if (!pieces) assert_true(same_place(path->points[0], q.from_position));
            if (last) assert_true(same_place(path->points[path->point_count - 1], q.to_position));
            if (last) break;
            status = cairn_search_find_next(k->search, &path);
        }
        if (pieces > most) most = pieces;
    }
    assert_true(most > 1);
}

static void of_several_pieces_the_first_has_the_start_and_the_last_the_end(void **state)
{
    (void)state;
    scene *s = scene_named("rooms");
    kit k = kit_of_scene(s, &s->profile);
    check_ends_of_pieces(&k, s, "hpa");
    check_ends_of_pieces(&k, s, "hpa:size=4");
    check_ends_of_pieces(&k, s, "mm:sector=6");
    check_ends_of_pieces(&k, s, "dbastar:sector=6");
    kit_end(&k, s);
}

static void without_positions_nothing_is_at_one(void **state)
{
    (void)state;
    const cairn_graph_edge edges[] = {{0, 1, 5}, {1, 2, 6}};
    kit k = kit_of_edges(3, edges, 2);
    kit_plan(&k, "astar");
    assert_false(cairn_space_has_positions(k.space));
    cairn_query q = {.from = 0, .to = 2, .by_position = CAIRN_TO_POSITION};
    CHECK_STATUS(cairn_search_find(k.search, &q, NULL), CAIRN_UNSUPPORTED);
    kit_close(&k);
}

/* ---- before the algorithm begins ---- */

/* Blocked but for two corners: whoever looks for something near from one finds it far away. */
static kit kit_of_corners(scene **s)
{
    *s = scene_blank("corners", 400, 300);
    memset((*s)->open, 0, 400 * 300);
    for (uint32_t i = 0; i < 36; i++) {
        (*s)->open[i / 6 * 400 + i % 6] = 1;
        (*s)->open[(299 - i / 6) * 400 + 399 - i % 6] = 1;
    }
    kit k = kit_of_scene(*s, &(*s)->profile);
    kit_plan(&k, "astar");
    return k;
}

static const cairn_query far_goal = {.from = 0, .to = 400 * 300 - 1, .partial = true},
                         far_start = {.from = 200 * 400 + 390, .to = 0, .start_within = 500},
                         far_both = {.from = 200 * 400 + 390,
                                     .to = 0,
                                     .start_within = 500,
                                     .partial = true};

/* Returns how many units of work it took, one at a time. */
static uint64_t ask_in_units(kit *k, const cairn_query *query, cairn_status *status)
{
    uint64_t units = 0;
    *status = cairn_search_begin(k->search, query);
    CHECK_STATUS(*status, CAIRN_RUNNING);
    for (; *status == CAIRN_RUNNING; units++) *status = cairn_search_step(k->search, 1);
    return units;
}

static void check_units(kit *k, const cairn_query *query, cairn_status right, cairn_node end)
{
    const cairn_path *path;
    cairn_status status;
    uint64_t units = ask_in_units(k, query, &status);
    cairn_search_result(k->search, &path);
    CHECK(status == right && path->end == end, "%s, at %u", cairn_status_text(status), path->end);
    CHECK(units > 20 && cairn_search_metrics(k->search).work == units, "%u units of work",
          (unsigned)units);
    CHECK_STATUS(cairn_search_find(k->search, query, &path), right);
    CHECK(path->end == end && cairn_search_metrics(k->search).work == units, "whole: %u, at %u",
          (unsigned)cairn_search_metrics(k->search).work, path->end);
}

static void what_lies_near_is_looked_for_in_units_of_work(void **state)
{
    (void)state;
    scene *s;
    kit k = kit_of_corners(&s);
    check_units(&k, &far_goal, CAIRN_UNREACHABLE, 5 * 400 + 5);
    check_units(&k, &far_start, CAIRN_UNREACHABLE, CAIRN_NO_NODE);
    check_units(&k, &far_both, CAIRN_UNREACHABLE, 294 * 400 + 394);
    kit_end(&k, s);
}

static void looking_for_what_lies_near_ends_with_the_budget(void **state)
{
    (void)state;
    scene *s;
    kit k = kit_of_corners(&s);
    cairn_query goal = far_goal, start = far_start;
    const cairn_path *path;
    goal.max_work = start.max_work = 3;
    /* the start is as far as the path is known to lead; without a start there is none */
    CHECK_STATUS(cairn_search_find(k.search, &goal, &path), CAIRN_OUT_OF_BUDGET);
    CHECK(path->partial && path->count == 1 && path->end == 0, "it ends at %u", path->end);
    CHECK(cairn_search_metrics(k.search).work == 3, "more work than it may");
    CHECK_STATUS(cairn_search_find(k.search, &start, &path), CAIRN_OUT_OF_BUDGET);
    CHECK(!path->count && cairn_search_metrics(k.search).work == 3, "a path without a start");
    kit_end(&k, s);
}

static void looking_for_what_lies_near_is_cancelled_and_notices_commits(void **state)
{
    (void)state;
    scene *s;
    kit k = kit_of_corners(&s);
    CHECK_STATUS(cairn_search_begin(k.search, &far_goal), CAIRN_RUNNING);
    CHECK_STATUS(cairn_search_step(k.search, 2), CAIRN_RUNNING);
    cairn_search_cancel(k.search);
    CHECK_STATUS(cairn_search_step(k.search, 2), CAIRN_CANCELLED);
    CHECK_STATUS(cairn_search_begin(k.search, &far_start), CAIRN_RUNNING);
    CHECK_OK(cairn_grid_set_open(k.grid, 100, 100, true));
    CHECK_OK(cairn_grid_commit(k.grid));
    CHECK_STATUS(cairn_search_step(k.search, 2), CAIRN_STALE);
    kit_end(&k, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sink_changes_with_the_next_query_only),
        cmocka_unit_test(what_lies_near_is_looked_for_in_units_of_work),
        cmocka_unit_test(looking_for_what_lies_near_ends_with_the_budget),
        cmocka_unit_test(looking_for_what_lies_near_is_cancelled_and_notices_commits),
        cmocka_unit_test(a_path_not_asked_for_before_a_commit_is_stale),
        cmocka_unit_test(only_what_was_sought_has_a_bound),
        cmocka_unit_test(a_way_too_dear_is_forgotten_when_a_cheap_one_follows),
        cmocka_unit_test(one_dear_edge_does_not_spoil_the_order),
        cmocka_unit_test(on_a_grid_ends_may_be_positions),
        cmocka_unit_test(of_several_pieces_the_first_has_the_start_and_the_last_the_end),
        cmocka_unit_test(without_positions_nothing_is_at_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
