/* test_reach.c: questions answered without a search: the nearest reachable node and any reachable
 * node, against plain loops over all nodes; and the regions of graphs, against walking all their
 * edges.
 */
#include "edits.h"

#include <math.h>

/* ---- the nearest ----------------------------------------------------------------------- */

/* Estimates without links: the same space for an agent that may use none. */
static void check_nearest(world *w, const cairn_space *walker, scene_rng *rng)
{
    oracle *o = oracle_of_grid(&w->raw, &w->scene->profile, cairn_space_scale(w->space));
    uint32_t *number = components(o);
    for (int i = 0; i < 20; i++) {
        cairn_node from = any_cell(w, rng), to = any_cell(w, rng), near = 0, best = CAIRN_NO_NODE;
        cairn_status status = cairn_nearest_reachable(w->space, from, to, &near);
        CHECK_STATUS(status, o->usable[from] ? CAIRN_OK : CAIRN_BLOCKED_START);
        cairn_cost least = CAIRN_NO_COST;
        for (cairn_node n = 0; n < o->count; n++) {
            if (!number[from] || number[n] != number[from]) continue;
            cairn_cost estimate = cairn_estimate(walker, CAIRN_HEURISTIC_AUTO, n, to);
            if (estimate < least) least = estimate, best = n;
        }
        CHECK(near == best, "from %u to %u the nearest is %u, not %u", from, to, best, near);
    }
    free(number);
    oracle_destroy(o);
}

static void the_nearest_reachable_node_is_the_one_with_the_least_estimate(void **state)
{
    (void)state;
    scene_rng rng = {3};
    for (uint32_t i = 0; i < scene_count(); i++) {
        scene *s = scene_at(i);
        cairn_profile profile = s->profile, on_foot;
        for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
            scene *again = scene_at(i);
            again->profile = on_foot = profile;
            on_foot.links = 0;
            world w = world_of(again);
            cairn_space *walker;
            CHECK_OK(cairn_space_of_grid(w.grid, &on_foot, &walker, NULL));
            check_nearest(&w, walker, &rng);
            cairn_space_destroy(walker);
            world_end(&w);
        }
        scene_destroy(s);
    }
}

static void far_away_tiles_are_searched_too(void **state)
{
    (void)state;
    /* Two large maps of many tiles with a wall down the middle: the nearest cell lies beside the
     * wall. */
    for (int hex = 0; hex < 2; hex++) {
        scene *s = scene_blank("wall", 700, 400);
        for (uint32_t y = 0; y < 400; y++) {
            for (uint32_t x = 300; x < 420; x++) s->open[y * 700 + x] = 0;
        }
        if (hex) scene_make_hex(s);
        world w = world_of(s);
        cairn_node near;
        CHECK_OK(cairn_nearest_reachable(w.space, 0, 200 * 700 + 650, &near));
        /* On hexagons rows cost nothing as long as columns are left to go. */
        cairn_position at = cairn_space_position(w.space, near),
                       to = cairn_space_position(w.space, 200 * 700 + 650);
        assert_int_equal(near % 700, 299);
        if (!hex) assert_int_equal(near / 700, 200);
        assert_true(fabs(at.y - to.y) < 320);
        for (uint32_t y = 0; y < 400; y++) {
            cairn_cost other =
                cairn_estimate(w.space, CAIRN_HEURISTIC_AUTO, y * 700 + 299, 200 * 700 + 650);
            cairn_cost best = cairn_estimate(w.space, CAIRN_HEURISTIC_AUTO, near, 200 * 700 + 650);
            CHECK(other > best || (other == best && y * 700 + 299 >= near), "row %u", y);
        }
        world_end(&w);
    }
}

static void questions_about_no_node_are_refused(void **state)
{
    (void)state;
    world w = world_of(scene_of_text("no", ".#\n"));
    cairn_node out = 7;
    uint64_t seed = 1;
    CHECK_STATUS(cairn_nearest_reachable(w.space, 2, 0, &out), CAIRN_OUT_OF_BOUNDS);
    assert_int_equal(out, CAIRN_NO_NODE);
    CHECK_STATUS(cairn_nearest_reachable(w.space, 0, 2, &out), CAIRN_OUT_OF_BOUNDS);
    CHECK_STATUS(cairn_nearest_reachable(w.space, 1, 0, &out), CAIRN_BLOCKED_START);
    CHECK_STATUS(cairn_nearest_reachable(w.space, 0, 1, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_nearest_reachable(NULL, 0, 1, &out), CAIRN_INVALID);
    CHECK_OK(cairn_nearest_reachable(w.space, 0, 1, &out));
    assert_int_equal(out, 0);
    CHECK_STATUS(cairn_random_reachable(w.space, 2, &seed, &out), CAIRN_OUT_OF_BOUNDS);
    CHECK_STATUS(cairn_random_reachable(w.space, 1, &seed, &out), CAIRN_BLOCKED_START);
    CHECK_STATUS(cairn_random_reachable(w.space, 0, NULL, &out), CAIRN_INVALID);
    assert_int_equal(cairn_space_component(w.space, 1), 0);
    assert_int_equal(cairn_space_component(w.space, 2), 0);
    assert_int_equal(cairn_reachable(w.space, 0, 2), CAIRN_REACH_NO);
    assert_int_equal(cairn_reachable(w.space, 1, 1), CAIRN_REACH_NO);
    assert_int_equal(cairn_reachable(w.space, 0, 0), CAIRN_REACH_YES);
    world_end(&w);
}

/* ---- how many --------------------------------------------------------------------------- */

static void check_regions(const cairn_space *space, const oracle *o)
{
    uint32_t *number = components(o), *sizes = calloc(o->count + 1, sizeof *sizes);
    uint32_t components = 0, most = 0, count = 7, largest = 7;
    if (!sizes) abort();
    for (cairn_node n = 0; n < o->count; n++) {
        if (!number[n]) continue;
        uint32_t size = ++sizes[number[n]];
        components += size == 1;
        if (size > most) most = size;
    }
    CHECK_OK(cairn_space_components(space, &count, &largest));
    CHECK(count == components && largest == most,
          "%u regions, the largest of %u nodes, not %u and %u", components, most, count, largest);
    free(sizes);
    free(number);
}

static void regions_are_counted_as_a_walk_counts_them(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < scene_count(); i++) {
        scene *s = scene_at(i);
        cairn_profile profile = s->profile;
        for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
            scene *again = scene_at(i);
            again->profile = profile;
            world w = world_of(again);
            oracle *o = oracle_of_grid(&w.raw, &profile, cairn_space_scale(w.space));
            check_regions(w.space, o);
            oracle_destroy(o);
            world_end(&w);
        }
        scene_destroy(s);
    }
    /* Several tiles, their borders crossed often. */
    world w = world_of(scene_noise("tiles", 200, 150, 40, 3));
    oracle *o = oracle_of_grid(&w.raw, &w.scene->profile, cairn_space_scale(w.space));
    uint32_t out;
    check_regions(w.space, o);
    CHECK_STATUS(cairn_space_components(NULL, &out, &out), CAIRN_INVALID);
    CHECK_STATUS(cairn_space_components(w.space, NULL, &out), CAIRN_INVALID);
    CHECK_STATUS(cairn_space_components(w.space, &out, NULL), CAIRN_INVALID);
    oracle_destroy(o);
    world_end(&w);
}

static void regions_are_counted_or_there_is_no_memory(void **state)
{
    (void)state;
    watched memory = {0};
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    uint32_t count, largest;
    CHECK_OK(watched_context(&memory, &context));
    CHECK_OK(random_grid(context, 100, 90, 40, 1, &grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    size_t held = memory.bytes;
    memory.fail_at = memory.calls + 1;
    CHECK_STATUS(cairn_space_components(space, &count, &largest), CAIRN_OUT_OF_MEMORY);
    CHECK_OK(cairn_space_components(space, &count, &largest));
    assert_true(count > 20 && largest > 100 && memory.bytes == held && !memory.wrong_size);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    /* Where nothing can be stood on there is nothing to count. */
    world w = world_of(scene_of_text("rock", "##\n##\n"));
    CHECK_OK(cairn_space_components(w.space, &count, &largest));
    assert_true(count == 0 && largest == 0);
    world_end(&w);
}

/* ---- at random ------------------------------------------------------------------------- */

/* Draws often; every node of the region must come, none other, and none much too often: the sum of
 * squared differences, divided by what is expected, has a mean of count - 1 and a variance of twice
 * that. */
static void check_draws(const cairn_space *space, cairn_node from)
{
    uint32_t nodes = cairn_space_node_count(space), count = 0;
    uint32_t *drawn = calloc(nodes, sizeof *drawn);
    if (!drawn) abort();
    for (cairn_node n = 0; n < nodes; n++)
        count += cairn_space_component(space, n) == cairn_space_component(space, from);
    uint64_t seed = from + 1;
    const uint32_t each = 40;
    for (uint32_t i = 0; i < count * each; i++) {
        cairn_node n;
        CHECK_OK(cairn_random_reachable(space, from, &seed, &n));
        CHECK(n < nodes && cairn_space_component(space, n) == cairn_space_component(space, from),
              "%u is elsewhere", n);
        drawn[n]++;
    }
    double chi = 0;
    for (cairn_node n = 0; n < nodes; n++) {
        if (cairn_space_component(space, n) != cairn_space_component(space, from)) continue;
        double off = (double)drawn[n] - each;
        chi += off * off / each;
    }
    double expected = count - 1.0;
    CHECK(fabs(chi - expected) <= 6 * sqrt(2 * expected) + 1, "%u nodes: %f, not about %f", count,
          chi, expected);
    free(drawn);
}

static void every_reachable_node_is_drawn_with_the_same_chance(void **state)
{
    (void)state;
    static const char *const names[] = {"dot",     "islands",   "gaps",        "doors",
                                        "ladders", "hex-light", "hex-portals", "wide"};
    scene_rng rng = {9};
    for (uint32_t i = 0; i < LENGTH(names); i++) {
        world w = world_of(scene_named(names[i]));
        for (int k = 0; k < 3; k++) check_draws(w.space, scene_pick(w.scene, &rng));
        world_end(&w);
    }
    /* A region so small in a map so large that guessing fails and counting decides. */
    for (int hex = 0; hex < 2; hex++) {
        scene *s = scene_noise("pocket", 300, 200, 100, 1);
        for (uint32_t x = 60; x < 70; x++) s->open[100 * 300 + x] = s->open[130 * 300 + x] = 1;
        if (hex) scene_make_hex(s);
        world w = world_of(s);
        check_draws(w.space, 100 * 300 + 65);
        edit_add_link(&w, &(cairn_link){100 * 300 + 61, 130 * 300 + 62, 1, 1, 0});
        CHECK_OK(cairn_grid_commit(w.grid));
        check_draws(w.space, 130 * 300 + 65);
        world_end(&w);
    }
}

static void the_same_seed_draws_the_same_nodes(void **state)
{
    (void)state;
    world w = world_of(scene_named("light"));
    scene_rng rng = {4};
    cairn_node from = scene_pick(w.scene, &rng), a, b, changed = 0;
    uint64_t first = 77, second = 77;
    for (int i = 0; i < 50; i++) {
        uint64_t before = first;
        CHECK_OK(cairn_random_reachable(w.space, from, &first, &a));
        CHECK_OK(cairn_random_reachable(w.space, from, &second, &b));
        assert_int_equal(a, b);
        changed += before != first;
    }
    assert_int_equal(changed, 50);
    world_end(&w);
}

/* ---- graphs ---------------------------------------------------------------------------- */

/* Can every edge be made back, by whatever way? */
static bool all_edges_lead_back(oracle *o)
{
    for (cairn_node a = 0; a < o->count; a++) {
        oracle_search(o, a);
        for (cairn_node b = 0; b < o->count; b++) {
            for (uint32_t e = o->first[b]; e < o->first[b + 1]; e++) {
                if (o->to[e] == a && o->distance[b] == ORACLE_NONE) return false;
            }
        }
    }
    return true;
}

static void regions_of_graphs_join_both_ends_of_every_edge(void **state)
{
    cairn_context *context = *state;
    scene_rng rng = {21};
    for (int round = 0; round < 60; round++) {
        uint32_t nodes = 1 + scene_random(&rng, 40),
                 count = scene_random(&rng, nodes + nodes / 2 + 1), made = 0;
        cairn_graph_edge edges[80];
        cairn_position positions[40];
        for (uint32_t i = 0; i < nodes; i++) {
            positions[i] = (cairn_position){scene_random(&rng, 100), scene_random(&rng, 100), 0};
        }
        for (uint32_t i = 0; i < count; i++) {
            cairn_node a = scene_random(&rng, nodes), b = scene_random(&rng, nodes);
            if (a != b) edges[made++] = (cairn_graph_edge){a, b, 1 + scene_random(&rng, 9)};
        }
        bool both_ways = round % 3 == 0;
        cairn_graph_options options = {.node_count = nodes,
                                       .edge_count = made,
                                       .positions = round % 2 ? positions : NULL,
                                       .edges = edges,
                                       .both_ways = both_ways};
        cairn_graph *graph;
        cairn_space *space;
        CHECK_OK(cairn_graph_create(context, &options, &graph, NULL));
        CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
        oracle *o = oracle_of_edges(nodes, edges, made, both_ways);
        uint32_t *number = components(o);
        CHECK(cairn_space_directed(space) || all_edges_lead_back(o), "round %d: called undirected",
              round);
        CHECK(!both_ways || !cairn_space_directed(space), "round %d: called directed", round);
        for (cairn_node a = 0; a < nodes; a++) {
            check_reachable(space, o, number, a);
            cairn_node to = scene_random(&rng, nodes), near, best = CAIRN_NO_NODE;
            CHECK_OK(cairn_nearest_reachable(space, a, to, &near));
            cairn_cost least = CAIRN_NO_COST;
            for (cairn_node n = 0; n < nodes; n++) {
                cairn_cost estimate =
                    n == to ? 0 : cairn_estimate(space, CAIRN_HEURISTIC_AUTO, n, to);
                if (number[n] == number[a] && estimate < least) least = estimate, best = n;
            }
            if (number[a] == number[to]) best = to;
            CHECK(near == best, "round %d: from %u to %u the nearest is %u, not %u", round, a, to,
                  best, near);
        }
        check_regions(space, o);
        if (round % 10 == 0) check_draws(space, scene_random(&rng, nodes));
        free(number);
        oracle_destroy(o);
        cairn_space_destroy(space);
        cairn_graph_destroy(graph);
    }
}

/* So far that the way could not be priced in 32 bits. */
static void nothing_is_too_far_away_to_be_the_nearest(void **state)
{
    cairn_context *context = *state;
    enum { WIDTH = 8000, HEIGHT = 3, OPEN = 11 };
    static uint8_t open[WIDTH * HEIGHT], terrain[WIDTH * HEIGHT];
    memset(terrain, 5, sizeof terrain);
    for (uint32_t y = 0; y < HEIGHT; y++) memset(open + y * WIDTH, 1, OPEN);
    cairn_grid_options options = {
        .width = WIDTH, .height = HEIGHT, .open = open, .terrain = terrain};
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
    cairn_profile profile = cairn_profile_default();
    profile.terrain_cost[5] = CAIRN_TIMES(255);
    profile.cost_scale = 0;
    CHECK_OK(cairn_space_of_grid(grid, &profile, &space, NULL));
    cairn_node near;
    CHECK_OK(cairn_nearest_reachable(space, WIDTH, 2 * WIDTH - 1, &near));
    assert_int_equal(near, WIDTH + OPEN - 1);
    static const char *const specs[] = {"astar", "dijkstra", "alt"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        cairn_planner *planner;
        cairn_search *search;
        CHECK_OK(cairn_planner_create(space, specs[i], &planner, NULL));
        CHECK_OK(cairn_planner_build(planner, NULL, NULL));
        CHECK_OK(cairn_search_create(planner, NULL, &search));
        cairn_query query = {.from = WIDTH, .to = 2 * WIDTH - 1, .partial = true};
        const cairn_path *path;
        CHECK_STATUS(cairn_search_find(search, &query, &path), CAIRN_BLOCKED_GOAL);
        assert_int_equal(path->end, WIDTH + OPEN - 1);
        cairn_search_destroy(search);
        cairn_planner_destroy(planner);
    }
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

/* The link leads into the region of the start: connected components with it cannot all be
 * reached. */
static void half_a_way_keeps_its_reason_where_steps_lead_one_way(void **state)
{
    cairn_context *context = *state;
    const char *map = ".....#...#";
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(cairn_grid_from_text(context, map, strlen(map), &grid, NULL));
    CHECK_OK(cairn_grid_add_link(grid, &(cairn_link){.from = 6, .to = 0, .cost = 256}));
    CHECK_OK(cairn_grid_commit(grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    cairn_planner *planner;
    cairn_search *search;
    CHECK_OK(cairn_planner_create(space, "astar", &planner, NULL));
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    cairn_query query = {.from = 1, .to = 9};
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(search, &query, &path), CAIRN_BLOCKED_GOAL);
    query.partial = true;
    CHECK_STATUS(cairn_search_find(search, &query, &path), CAIRN_BLOCKED_GOAL);
    assert_true(path->partial);
    assert_int_equal(path->end,
                     /* of what can really be reached, the nearest to the goal that was asked for */
                     4);
    query.to = 8;
    CHECK_STATUS(cairn_search_find(search, &query, &path), CAIRN_UNREACHABLE);
    assert_int_equal(path->end, 4);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_reachable_node_is_the_one_with_the_least_estimate),
        cmocka_unit_test(far_away_tiles_are_searched_too),
        cmocka_unit_test(questions_about_no_node_are_refused),
        cmocka_unit_test(regions_are_counted_as_a_walk_counts_them),
        cmocka_unit_test(regions_are_counted_or_there_is_no_memory),
        cmocka_unit_test(every_reachable_node_is_drawn_with_the_same_chance),
        cmocka_unit_test(the_same_seed_draws_the_same_nodes),
        cmocka_unit_test_setup_teardown(regions_of_graphs_join_both_ends_of_every_edge,
                                        context_set_up, context_tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_too_far_away_to_be_the_nearest, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(half_a_way_keeps_its_reason_where_steps_lead_one_way,
                                        context_set_up, context_tear_down),
    };
    return cmocka_run_group_tests_name("reach", tests, NULL, NULL);
}
