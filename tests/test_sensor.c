/* test_sensor.c: agents in partly known worlds (cairn_navigator_set_sensor): what they see and what
 * they do not, how often they look, what is refused and why, and what happens without memory.
 * test_conformance_navigators.c walks with every algorithm.
 */
#include "conformance.h"
#include "sensed_ground.h"

enum { PATIENCE = 100000 };

/* ---- one agent -------------------------------------------------------------------------- */

typedef struct scout {
    ground *g;
    cairn_planner *planner;
    cairn_navigator *navigator;
} scout;

static cairn_navigator *scout_navigator(const scout *s)
{
    cairn_navigator *navigator;
    cairn_error error = {0};
    CHECK_OK(cairn_navigator_create(s->planner, NULL, &navigator));
    cairn_status status =
        cairn_navigator_set_sensor(navigator, s->g->truth.w.space, s->g->range, &error);
    CHECK(status == CAIRN_OK, "%s", error.text);
    return navigator;
}

/* From now on an agent knows a part of the world, and sees so far. */
static void scout_forget(scout *s, const char *spec, uint32_t what, uint8_t terrain, uint32_t range)
{
    ground_forget(s->g, what, terrain, range);
    ground_check_known(s->g);
    CHECK_OK(planner_ready(s->g->known->w.space, spec, &s->planner, NULL));
    s->navigator = scout_navigator(s);
}

/* Takes over the scene. */
static scout scout_of(scene *map, const char *spec, uint32_t what, uint32_t range)
{
    scout s = {.g = ground_of_scene(map, 1)};
    scout_forget(&s, spec, what, 0, range);
    return s;
}

static void scout_end(scout *s)
{
    cairn_navigator_destroy(s->navigator);
    cairn_planner_destroy(s->planner);
    ground_end(s->g);
}

static cairn_node scout_cell(const scout *s, int32_t x, int32_t y)
{
    return cairn_grid_node(s->g->truth.w.grid, x, y);
}

/* One call, beside the plain sensor of ground.h. */
static cairn_move scout_next(const scout *s)
{
    cairn_move m;
    ground_see(s->g, cairn_navigator_at(s->navigator));
    cairn_navigator_next(s->navigator, &m);
    ground_check_known(s->g);
    if (m.kind == CAIRN_MOVE_STEP)
        CHECK(cairn_space_step_cost(s->g->truth.w.space, m.from, m.to) == m.cost,
              "no such step in truth: from %u to %u", m.from, m.to);
    return m;
}

static cairn_move scout_walk(const scout *s)
{
    cairn_move m = {0};
    for (uint32_t i = 0; !m.arrived && m.kind != CAIRN_MOVE_STOP; i++) {
        CHECK(i < PATIENCE, "it walks and walks");
        m = scout_next(s);
    }
    return m;
}

static void set_truth(const scout *s, int32_t x, int32_t y, bool open)
{
    s->g->truth.w.scene->open[scout_cell(s, x, y)] = open;
    CHECK_OK(cairn_grid_set_open(s->g->truth.w.grid, x, y, open));
    CHECK_OK(cairn_grid_commit(s->g->truth.w.grid));
}

static bool knows_open(const scout *s, int32_t x, int32_t y)
{
    return cairn_grid_is_open(s->g->known->w.grid, x, y);
}

/* ---- what they see ------------------------------------------------------------------------ */

static const char dead_end[] = "...........\n"
                               ".#########.\n"
                               ".........#.\n"
                               ".........#.\n"
                               ".#########.\n"
                               "...........\n";

/* The goal lies behind a wall with a bay before it; of the way round nobody knows. */
static void who_assumes_free_space_finds_the_way_round(void **state)
{
    (void)state;
    for (uint32_t range = 1; range < 6; range++) {
        scout s =
            scout_of(scene_of_text("dead end", dead_end), "dstar-lite", CAIRN_KNOW_NOTHING, range);
        CHECK_OK(cairn_navigator_start(s.navigator, scout_cell(&s, 0, 2), scout_cell(&s, 10, 2)));
        CHECK(scout_walk(&s).arrived, "with a range of %u it does not arrive", range);
        cairn_walk_sums sums = cairn_navigator_sums(s.navigator);
        assert_true(sums.seen > 0 && sums.moves > 10);
        scout_end(&s);
    }
}

/* The same in a graph, where the short way leads over a node, or an edge, that is closed in truth. Who
 * knows what is closed takes the long way at once. */
static void who_assumes_free_space_finds_the_way_round_in_graphs(void **state)
{
    (void)state;
    enum { START, BEFORE, BEHIND, GOAL, DETOUR, NODES };
    static const cairn_graph_edge edges[] = {{START, BEFORE, 1},
                                             {BEFORE, BEHIND, 1},
                                             {BEHIND, GOAL, 1},
                                             {START, DETOUR, 50},
                                             {DETOUR, GOAL, 50}};
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t what = i & 1 ? CAIRN_KNOW_OPEN : CAIRN_KNOW_NOTHING;
        scout s = {.g = ground_new(1)};
        drawn_graph *drawn = &s.g->truth.drawn;
        ground_draw(s.g, &(cairn_graph_options){.node_count = NODES,
                                                .edge_count = LENGTH(edges),
                                                .edges = edges,
                                                .both_ways = true});
        if (i & 2) {
            CHECK_OK(cairn_graph_set_node_open(s.g->truth.graph, BEHIND, false));
            drawn->open[BEHIND] = false;
        } else {
            CHECK_OK(cairn_graph_set_edge_open(s.g->truth.graph, BEFORE, BEHIND, false));
            for (uint32_t k = 0; k < drawn->edge_count; k++)
                drawn->edges[k].open =
                    drawn->edges[k].edge.from != BEFORE || drawn->edges[k].edge.to != BEHIND;
        }
        ground_commit(&s.g->truth);
        scout_forget(&s, "dstar-lite", what, 0, 1);
        CHECK_OK(cairn_navigator_start(s.navigator, START, GOAL));
        CHECK(scout_walk(&s).arrived, "graph %u: it does not arrive", i);
        cairn_walk_sums sums = cairn_navigator_sums(s.navigator);
        CHECK(sums.moves == (what ? 2 : 4), "graph %u: %u moves", i, (unsigned)sums.moves);
        scout_end(&s);
    }
}

/* ---- in worlds of every kind, that do not change ---- */

/* Walks in what is known, which no more than the agent's eyes correct. */
static void explore(ground *g, uint32_t what, uint8_t least)
{
    scout s = {.g = g};
    scout_forget(&s, "dstar-lite", what, least, ground_least_range(g) + scene_random(&g->rng, 3));
    for (uint32_t i = 0; i < 3; i++) {
        cairn_node from = ground_pick(g), to = ground_pick(g);
        if (from == CAIRN_NO_NODE) break;
        CHECK_OK(cairn_navigator_start(s.navigator, from, to));
        cairn_move m = scout_walk(&s);
        uint64_t cost = ground_cost(&g->truth, m.to, to);
        CHECK(m.arrived || cost == ORACLE_NONE, "it gives up %llu from %u",
              (unsigned long long)cost, to);
    }
    scout_end(&s);
}

/* All ground is the cheapest that there is, and there are no cliffs or links that nobody knows of. */
static void explore_grid(uint64_t seed, uint32_t what)
{
    ground *g = ground_of_grid(seed);
    const scene *map = g->truth.w.scene;
    uint8_t least = 0;
    for (uint32_t i = 0; i < 256; i++) {
        uint16_t cost = map->profile.terrain_cost[i];
        if (cost && cost < map->profile.terrain_cost[least]) least = (uint8_t)i;
    }
    explore(g, what | CAIRN_KNOW_ELEVATION | CAIRN_KNOW_LINKS, least);
}

/* Of nodes and edges some are closed. */
static void explore_graph(uint64_t seed, uint32_t what)
{
    ground *g = ground_of_graph(seed);
    for (uint32_t i = 0; i < 60; i++) ground_edit(g, &g->truth);
    ground_commit(&g->truth);
    explore(g, what, 0);
}

static void who_finds_no_way_in_free_space_has_none(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_times(60, 12); seed++) {
        explore_grid(seed * 31, CAIRN_KNOW_NOTHING);
        explore_grid(seed * 37, CAIRN_KNOW_OPEN);
        explore_graph(seed * 41, CAIRN_KNOW_NOTHING);
        explore_graph(seed * 43, CAIRN_KNOW_OPEN);
    }
}

/* ---- when they look ---- */

static void they_look_when_something_may_be_new(void **state)
{
    (void)state;
    scout s = scout_of(scene_blank("open", 20, 9), "astar", CAIRN_KNOW_ALL, 2);
    CHECK_OK(cairn_navigator_start(s.navigator, scout_cell(&s, 4, 4), scout_cell(&s, 4, 4)));
    assert_int_equal(scout_next(&s).seen, 0);
    /* cells in the corners of what it sees, then one outside; it stands at its goal */
    set_truth(&s, 6, 6, false);
    assert_int_equal(scout_next(&s).seen, 1);
    assert_false(knows_open(&s, 6, 6));
    set_truth(&s, 2, 2, false);
    set_truth(&s, 7, 4, false);
    assert_int_equal(scout_next(&s).seen, 1);
    assert_true(knows_open(&s, 7, 4));
    uint64_t version = cairn_grid_version(s.g->known->w.grid);
    for (int i = 0; i < 5; i++) assert_int_equal(scout_next(&s).seen, 0);
    assert_int_equal(cairn_grid_version(s.g->known->w.grid), version);
    /* a cell that opens, a push, and a rumour that is wrong */
    set_truth(&s, 6, 6, true);
    assert_int_equal(scout_next(&s).seen, 1);
    assert_true(knows_open(&s, 6, 6));
    CHECK_OK(cairn_navigator_moved(s.navigator, scout_cell(&s, 5, 4)));
    CHECK_OK(cairn_navigator_retarget(s.navigator, scout_cell(&s, 5, 4)));
    assert_int_equal(scout_next(&s).seen, 1);
    assert_false(knows_open(&s, 7, 4));
    CHECK_OK(cairn_grid_set_open(s.g->known->w.grid, 7, 4, true));
    CHECK_OK(cairn_grid_commit(s.g->known->w.grid));
    assert_int_equal(scout_next(&s).seen, 1);
    assert_false(knows_open(&s, 7, 4));
    scout_end(&s);
}

/* Somebody stages in the known world that a wall in view is free. The sensor's own commit makes that,
 * too, and yet the step after it is legal. Then the same with two agents that share one commit. */
static void what_others_stage_is_seen_through_before_the_step(void **state)
{
    (void)state;
    for (uint32_t team = 0; team < 2; team++) {
        scout s =
            scout_of(scene_of_text("wall", ".....\n.#...\n.....\n"), "astar", CAIRN_KNOW_ALL, 1);
        cairn_navigator *all[2] = {scout_navigator(&s), s.navigator};
        CHECK_OK(cairn_navigator_start(all[0], scout_cell(&s, 3, 2), scout_cell(&s, 3, 0)));
        CHECK_OK(cairn_navigator_start(all[1], scout_cell(&s, 0, 1), scout_cell(&s, 4, 1)));
        assert_int_equal(scout_next(&s).seen, 0);
        CHECK_OK(cairn_navigator_moved(all[1], scout_cell(&s, 0, 1)));
        set_truth(&s, team ? 3 : 1, team ? 1 : 2, false); /* seen by one of the two */
        CHECK_OK(cairn_grid_set_open(s.g->known->w.grid, 1, 1, true));
        cairn_move moves[2] = {{0}}, *m = &moves[1];
        cairn_turn turn = {0};
        if (team)
            CHECK_OK(cairn_navigators_next(all, 2, &turn, moves));
        else
            *m = scout_next(&s);
        CHECK(m->kind == CAIRN_MOVE_STEP && m->seen && !knows_open(&s, 1, 1),
              "team %u: it believes what was staged", team);
        CHECK(m->to != scout_cell(&s, 1, 1), "team %u: a step into a wall", team);
        cairn_navigator_destroy(all[0]);
        scout_end(&s);
    }
}

/* Where it ends nobody sees until somebody stands before it. */
static void a_link_is_looked_through(void **state)
{
    (void)state;
    scout s =
        scout_of(scene_of_text("two", "......#....\n......#....\n"), "astar", CAIRN_KNOW_OPEN, 1);
    scene *map = s.g->truth.w.scene;
    cairn_link ladder = {scout_cell(&s, 3, 0), scout_cell(&s, 8, 0), 7, 256, 0};
    edit_add_link(&s.g->truth.w, &ladder);
    CHECK_OK(cairn_grid_commit(s.g->truth.w.grid));
    set_truth(&s, 8, 0, false);
    CHECK_OK(cairn_navigator_start(s.navigator, scout_cell(&s, 0, 0), scout_cell(&s, 10, 1)));
    CHECK_STATUS(scout_next(&s).status, CAIRN_UNREACHABLE);
    CHECK_OK(cairn_navigator_moved(s.navigator, scout_cell(&s, 2, 0)));
    assert_true(scout_next(&s).seen &&
                knows_open(&s, 8, 0)); /* it sees the ladder, and goes there */
    assert_int_equal(cairn_navigator_at(s.navigator), ladder.from);
    CHECK_STATUS(scout_next(&s).status, CAIRN_UNREACHABLE);
    assert_false(knows_open(&s, 8, 0));
    set_truth(&s, 8, 0, true);
    assert_true(scout_walk(&s).arrived && map->link_count == 1);
    scout_end(&s);
}

/* ---- teams ---- */

static void a_team_shares_what_it_sees_by_one_commit(void **state)
{
    (void)state;
    enum { TEAM = 100 };
    scout s = scout_of(scene_noise("noise", 60, 60, 25, 5), "dstar-lite", CAIRN_KNOW_NOTHING, 3);
    cairn_navigator *team[TEAM];
    scene_rng rng = {9};
    for (uint32_t i = 0; i < TEAM; i++) {
        team[i] = scout_navigator(&s);
        CHECK_OK(cairn_navigator_start(team[i], scene_pick(s.g->truth.w.scene, &rng),
                                       scene_pick(s.g->truth.w.scene, &rng)));
    }
    cairn_turn turn = {0};
    uint64_t sum = 0, commits = 0;
    for (uint32_t i = 0; i < 30; i++) {
        cairn_move moves[TEAM];
        uint64_t version = cairn_grid_version(s.g->known->w.grid);
        CHECK_OK(cairn_navigators_next(team, TEAM, &turn, moves));
        commits += cairn_grid_version(s.g->known->w.grid) - version;
        CHECK(commits <= i + 1, "%u commits in %u turns", (unsigned)commits, i + 1);
        for (uint32_t k = 0; k < TEAM; k++) {
            sum += moves[k].seen;
            CHECK(moves[k].kind != CAIRN_MOVE_STEP ||
                      cairn_space_step_cost(s.g->truth.w.space, moves[k].from, moves[k].to) ==
                          moves[k].cost,
                  "no such step in truth");
        }
    }
    uint64_t sums = 0;
    for (uint32_t i = 0; i < TEAM; i++) sums += cairn_navigator_sums(team[i]).seen;
    assert_true(sums == sum && commits > 5);
    for (uint32_t i = 0; i < TEAM; i++) cairn_navigator_destroy(team[i]);
    scout_end(&s);
}

/* ---- what is refused ------------------------------------------------------------------------ */

static void refused(const scout *s, const cairn_space *truth, uint32_t range, cairn_status status,
                    const char *why)
{
    cairn_error error = {0};
    CHECK_STATUS(cairn_navigator_set_sensor(s->navigator, truth, range, &error), status);
    CHECK(strstr(error.text, why), "\"%s\" says nothing of \"%s\"", error.text, why);
}

static void what_does_not_fit_is_refused_with_a_reason(void **state)
{
    (void)state;
    scene *map = scene_blank("open", 20, 9), *other = scene_blank("other", 9, 20);
    map->profile.footprint = 3;
    scout s = scout_of(map, "astar", CAIRN_KNOW_ALL, 3);
    const cairn_space *truth = s.g->truth.w.space;
    ground *small = ground_of_scene(other, 1), *graph = ground_of_graph(3);
    refused(&s, NULL, 3, CAIRN_INVALID, "needs a world");
    refused(&s, small->truth.w.space, 3, CAIRN_INVALID, "9 x 20");
    refused(&s, graph->truth.w.space, 3, CAIRN_INVALID, "kind");
    refused(&s, s.g->known->w.space, 3, CAIRN_INVALID, "itself");
    refused(&s, truth, 2, CAIRN_INVALID, "at least 3");
    refused(&s, truth, CAIRN_SENSOR_MAX + 1, CAIRN_INVALID, "at most");
    CHECK_OK(cairn_navigator_set_sensor(s.navigator, truth, CAIRN_SENSOR_MAX, NULL));
    CHECK_OK(cairn_navigator_set_sensor(s.navigator, NULL, 0, NULL)); /* takes it away */
    CHECK_STATUS(cairn_navigator_set_sensor(NULL, truth, 3, NULL), CAIRN_INVALID);
    cairn_navigator_destroy(s.navigator);
    cairn_planner_destroy(s.planner);
    CHECK_OK(planner_ready(s.g->known->w.space, "theta", &s.planner, NULL));
    CHECK_OK(cairn_navigator_create(s.planner, NULL, &s.navigator));
    refused(&s, truth, 3, CAIRN_UNSUPPORTED, "whole");
    ground_end(small);
    ground_end(graph);
    scout_end(&s);
}

static void views_have_no_sensors(void **state)
{
    (void)state;
    scout s = scout_of(scene_blank("open", 8, 8), "astar", CAIRN_KNOW_ALL, 1);
    scout above = s;
    cairn_space *view;
    CHECK_OK(cairn_space_view_create(s.g->known->w.space, &view, NULL));
    CHECK_OK(cairn_planner_create(view, "astar", &above.planner, NULL));
    CHECK_OK(cairn_navigator_create(above.planner, NULL, &above.navigator));
    refused(&above, s.g->truth.w.space, 1, CAIRN_UNSUPPORTED, "grids and graphs");
    cairn_navigator_destroy(above.navigator);
    cairn_planner_destroy(above.planner);
    cairn_space_destroy(view);
    scout_end(&s);
}

static void what_is_known_is_made_of_grids(void **state)
{
    (void)state;
    ground *g = ground_of_grid(17 * 7919);
    cairn_grid *known;
    cairn_error error = {0};
    CHECK_STATUS(cairn_grid_known(NULL, 0, 0, &known, &error), CAIRN_INVALID);
    CHECK_STATUS(cairn_grid_known(g->truth.w.grid, CAIRN_KNOW_ALL + 1, 0, &known, &error),
                 CAIRN_INVALID);
    assert_true(!known && error.text[0]);
    CHECK_OK(cairn_grid_known(g->truth.w.grid, CAIRN_KNOW_NOTHING, 3, &known, NULL));
    assert_int_equal(cairn_grid_terrain(known, 0, 0), 3);
    assert_true(cairn_grid_is_open(known, 0, 0) && cairn_grid_version(known) == 1);
    cairn_grid_destroy(known);
    cairn_graph *graph;
    CHECK_STATUS(cairn_graph_known(NULL, 0, &graph, &error), CAIRN_INVALID);
    ground_end(g);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void warm_scouts_ask_for_no_memory_while_they_see_nothing_new(void **state)
{
    (void)state;
    scout s = scout_of(scene_noise("noise", 30, 30, 20, 5), "astar", CAIRN_KNOW_ALL, 4);
    cairn_node from = scout_cell(&s, 1, 1), to = scout_cell(&s, 28, 27);
    scene_rng rng = {3};
    while (ground_cost(&s.g->truth, from, to) == ORACLE_NONE)
        from = scene_pick(s.g->truth.w.scene, &rng), to = scene_pick(s.g->truth.w.scene, &rng);
    uint64_t calls = 0;
    for (int i = 0; i < 2; i++) {
        calls = s.g->memory.calls;
        CHECK_OK(cairn_navigator_start(s.navigator, from, to));
        assert_true(scout_walk(&s).arrived);
    }
    assert_int_equal(s.g->memory.calls, calls);
    scout_end(&s);
}

/* A walk through fog in which one request for memory is refused. */
static bool scout_failing(ground *(*make)(uint64_t seed), const char *name, uint64_t k)
{
    ground *g = make(3 * 7919);
    watched *memory = &g->memory;
    scout s = {.g = g};
    cairn_move m = {0};
    ground_forget(g, CAIRN_KNOW_NOTHING, 0, ground_least_range(g) + 1);
    CHECK_OK(planner_ready(g->known->w.space, name, &s.planner, NULL));
    CHECK_OK(cairn_navigator_create(s.planner, NULL, &s.navigator));
    memory->fail_at = memory->calls + k;
    const cairn_space *truth = g->truth.w.space;
    cairn_status status = cairn_navigator_set_sensor(s.navigator, truth, g->range, NULL);
    if (status == CAIRN_OUT_OF_MEMORY)
        status = cairn_navigator_set_sensor(s.navigator, truth, g->range, NULL);
    CHECK_OK(status);
    cairn_node from = 0, to = g->count - 1;
    while (!cairn_space_usable(truth, from)) from++;
    while (!cairn_space_usable(truth, to)) to--;
    CHECK_OK(cairn_navigator_start(s.navigator, from, to));
    for (uint32_t i = 0; !m.arrived && m.status != CAIRN_UNREACHABLE; i++) {
        uint64_t failed = memory->failures;
        CHECK(i < PATIENCE, "%s: without end", name);
        if (i == 2) CHECK_OK(cairn_navigator_retarget(s.navigator, from));
        if (i == 3) CHECK_OK(cairn_navigator_retarget(s.navigator, to));
        cairn_node at = cairn_navigator_at(s.navigator);
        cairn_navigator_next(s.navigator, &m);
        CHECK(m.status != CAIRN_OUT_OF_MEMORY || memory->failures > failed, "%s: no memory?", name);
        /* it may have seen, or not; but who goes on has */
        if (memory->failures > failed && m.kind != CAIRN_MOVE_STEP) continue;
        ground_see(g, at);
        ground_check_known(g);
    }
    CHECK(m.arrived == (ground_cost(&g->truth, from, to) != ORACLE_NONE), "%s: %s", name,
          cairn_status_text(m.status));
    bool failed = memory->failures;
    memory->fail_at = 0;
    scout_end(&s);
    return failed;
}

/* Each of the first requests, and some of those to come: all of them with CAIRN_TEST_LIVES. */
static uint64_t later_failure(uint64_t k)
{
    return k < 16 || getenv("CAIRN_TEST_LIVES") ? k + 1 : k + k / 4 + test_stride();
}

static void scouts_do_without_memory(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        if (a->kind != CAIRN_KIND_NAVIGATOR && strcmp(a->name, "astar")) continue;
        if (!conformance_is_about(a)) continue;
        uint64_t k = 1;
        while (scout_failing(ground_of_grid, a->name, k)) k = later_failure(k);
        bool graphs = a->worlds >> CAIRN_WORLD_GRAPH & 1;
        for (k = 1; graphs && scout_failing(ground_of_graph, a->name, k);) k = later_failure(k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_assumes_free_space_finds_the_way_round),
        cmocka_unit_test(who_assumes_free_space_finds_the_way_round_in_graphs),
        cmocka_unit_test(who_finds_no_way_in_free_space_has_none),
        cmocka_unit_test(they_look_when_something_may_be_new),
        cmocka_unit_test(what_others_stage_is_seen_through_before_the_step),
        cmocka_unit_test(a_link_is_looked_through),
        cmocka_unit_test(a_team_shares_what_it_sees_by_one_commit),
        cmocka_unit_test(what_does_not_fit_is_refused_with_a_reason),
        cmocka_unit_test(views_have_no_sensors),
        cmocka_unit_test(what_is_known_is_made_of_grids),
        cmocka_unit_test(warm_scouts_ask_for_no_memory_while_they_see_nothing_new),
        cmocka_unit_test(scouts_do_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
