/* test_navigator.c: agents that walk (navigator.h): when they look for another path, how they think
 * in slices, stop, and go on; what conformance does not ask of every algorithm.
 */
#include "kit.h"

static const char rooms[] = "################\n"
                            "#......#.......#\n"
                            "#..............#\n" /* a door at (7, 2) */
                            "#......#.......#\n"
                            "#......#.......#\n"
                            "#......#.......#\n"
                            "#......#.......#\n"
                            "#..............#\n" /* and one at (7, 7) */
                            "################\n";

typedef struct walker {
    kit kit;
    scene *scene;
    cairn_navigator *navigator;
} walker;

static walker walker_of(scene *s, const char *spec, const cairn_navigator_options *options)
{
    walker w = {.kit = kit_of_scene(s, &s->profile), .scene = s};
    kit_plan(&w.kit, spec);
    CHECK_OK(cairn_navigator_create(w.kit.planner, options, &w.navigator));
    return w;
}

static void walker_end(walker *w)
{
    cairn_navigator_destroy(w->navigator);
    kit_end(&w->kit, w->scene);
}

static cairn_node cell(const walker *w, int32_t x, int32_t y)
{
    return cairn_grid_node(w->kit.grid, x, y);
}

static void set_open(walker *w, int32_t x, int32_t y, bool open)
{
    CHECK_OK(cairn_grid_set_open(w->kit.grid, x, y, open));
    CHECK_OK(cairn_grid_commit(w->kit.grid));
}

static cairn_move next(walker *w)
{
    cairn_move m;
    cairn_navigator_next(w->navigator, &m);
    if (m.kind == CAIRN_MOVE_STEP)
        CHECK(cairn_space_step_cost(w->kit.space, m.from, m.to) != CAIRN_NO_COST,
              "no step from %u to %u", m.from, m.to);
    return m;
}

/* Until it stands; how many steps. */
static uint64_t walk_on(walker *w)
{
    for (uint32_t i = 0; i < 100000; i++) {
        cairn_move m = next(w);
        if (m.kind == CAIRN_MOVE_STOP || m.arrived) return cairn_navigator_sums(w->navigator).moves;
    }
    fail();
    return 0;
}

/* ---- when to look for another path ----------------------------------------------------- */

static uint64_t walk_past_a_shortcut(cairn_replan replan)
{
    walker w = walker_of(scene_of_text("rooms", rooms), "astar",
                         &(cairn_navigator_options){.replan = replan});
    set_open(&w, 7, 2, false);
    CHECK_OK(cairn_navigator_start(w.navigator, cell(&w, 1, 2), cell(&w, 14, 2)));
    next(&w), next(&w);
    set_open(&w, 7, 2, true);
    walk_on(&w);
    CHECK(cairn_navigator_at(w.navigator) == cell(&w, 14, 2), "not there");
    cairn_walk_sums sums = cairn_navigator_sums(w.navigator);
    assert_int_equal(sums.plans, replan == CAIRN_REPLAN_CHANGED ? 2 : 1);
    assert_int_equal(sums.breaks, 0);
    walker_end(&w);
    return sums.cost;
}

static void shortcuts_are_for_those_who_look(void **state)
{
    (void)state;
    CHECK(walk_past_a_shortcut(CAIRN_REPLAN_CHANGED) < walk_past_a_shortcut(CAIRN_REPLAN_BLOCKED),
          "the shortcut was not taken, or by both");
}

static void a_change_elsewhere_costs_a_look_and_no_plan(void **state)
{
    (void)state;
    walker w = walker_of(scene_of_text("rooms", rooms), "astar", NULL);
    CHECK_OK(cairn_navigator_start(w.navigator, cell(&w, 1, 2), cell(&w, 14, 2)));
    next(&w);
    set_open(&w, 3, 6, false);
    cairn_move m = next(&w);
    CHECK(m.kind == CAIRN_MOVE_STEP && m.work == 1 && !m.plans && !m.broken, "one look");
    m = next(&w);
    CHECK(m.work == 0, "and no more");
    walker_end(&w);
}

/* The rest of a path is found broken long before the agent is there. */
static void a_break_far_ahead_is_seen_at_once(void **state)
{
    (void)state;
    walker w = walker_of(scene_of_text("rooms", rooms), "astar", NULL);
    CHECK_OK(cairn_navigator_start(w.navigator, cell(&w, 1, 2), cell(&w, 14, 2)));
    next(&w);
    set_open(&w, 7, 2, false);
    cairn_move m = next(&w);
    CHECK(m.kind == CAIRN_MOVE_STEP && m.broken && m.plans == 1, "it goes on into the dead end");
    walk_on(&w);
    CHECK(cairn_navigator_at(w.navigator) == cell(&w, 14, 2), "not there");
    assert_int_equal(cairn_navigator_sums(w.navigator).breaks, 1);
    walker_end(&w);
}

/* With one unit of work a call, looking along a path of thousands of steps takes many calls. */
static void a_long_look_does_not_stop_the_agent(void **state)
{
    (void)state;
    walker w = walker_of(scene_serpent("serpent", 101, 61), "astar",
                         &(cairn_navigator_options){.work = 1});
    cairn_node goal = CAIRN_NO_NODE, from = CAIRN_NO_NODE;
    for (cairn_node n = 0; n < 101 * 61; n++) {
        if (!w.scene->open[n]) continue;
        if (from == CAIRN_NO_NODE) from = n;
        goal = n;
    }
    CHECK_OK(cairn_navigator_start(w.navigator, from, goal));
    cairn_move m = next(&w);
    while (m.kind == CAIRN_MOVE_THINK) m = next(&w);
    cairn_node ahead[4096];
    uint32_t count = cairn_navigator_ahead(w.navigator, ahead, 4096);
    cairn_cell last = cairn_grid_cell(w.kit.grid, ahead[count - 2]);
    set_open(&w, last.x, last.y, false);
    uint32_t moved = 0;
    for (m = next(&w); m.kind == CAIRN_MOVE_STEP; m = next(&w), moved++) {
        CHECK(m.work == 1 && !m.broken, "the look is over?");
    }
    CHECK(moved > 3 && moved < 100, "%u steps while it looked", moved);
    CHECK(m.kind == CAIRN_MOVE_STOP && m.status == CAIRN_UNREACHABLE && m.broken, "%s",
          cairn_status_text(m.status));
    walker_end(&w);
}

/* ---- thinking ---------------------------------------------------------------------------- */

static void thinking_in_slices_walks_the_same_way(void **state)
{
    (void)state;
    static const uint64_t limits[] = {0, 1, 7, 50};
    static const char *const specs[] = {"astar", "jps", "hpa", "pra", "theta", "sga"};
    for (uint32_t a = 0; a < LENGTH(specs); a++) {
        uint64_t cost = 0, work = 0;
        for (uint32_t i = 0; i < LENGTH(limits); i++) {
            walker w = walker_of(scene_rooms("rooms", 60, 40, 8, 3), specs[a],
                                 &(cairn_navigator_options){.work = limits[i]});
            scene_rng rng = {9};
            CHECK_OK(cairn_navigator_start(w.navigator, scene_pick(w.scene, &rng),
                                           scene_pick(w.scene, &rng)));
            walk_on(&w);
            cairn_walk_sums sums = cairn_navigator_sums(w.navigator);
            CHECK(sums.moves && (!limits[i] || sums.most_work <= limits[i]), "%s: too much",
                  specs[a]);
            CHECK(!limits[i] || sums.calls >= sums.moves + (sums.work - 1) / limits[i], "%s",
                  specs[a]);
            if (i)
                CHECK(sums.cost == cost && sums.work == work && sums.plans == 1, "%s in slices",
                      specs[a]);
            cost = sums.cost, work = sums.work;
            walker_end(&w);
        }
    }
}

/* A plan takes more than one call, and every call finds another world. */
static void commits_at_every_turn_do_not_nail_it_down(void **state)
{
    (void)state;
    walker w = walker_of(scene_of_text("rooms", rooms), "dijkstra",
                         &(cairn_navigator_options){.replan = CAIRN_REPLAN_CHANGED, .work = 40});
    CHECK_OK(cairn_navigator_start(w.navigator, cell(&w, 1, 2), cell(&w, 14, 2)));
    cairn_move m = next(&w);
    while (m.kind == CAIRN_MOVE_THINK) m = next(&w);
    uint32_t turns = 0;
    for (; !m.arrived && turns < 200; turns++) {
        set_open(&w, 14, 7, turns % 2);
        m = next(&w);
    }
    CHECK(m.arrived && turns > 14, "%u turns", turns);
    walker_end(&w);
}

/* ---- stopping ------------------------------------------------------------------------------ */

static void who_stops_waits_for_nothing_but_a_change(void **state)
{
    (void)state;
    static const char *const specs[] = {"astar", "hpa", "sga:labels=off"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        walker w = walker_of(scene_of_text("rooms", rooms), specs[i], NULL);
        CHECK_OK(cairn_navigator_start(w.navigator, cell(&w, 1, 2), cell(&w, 14, 2)));
        next(&w);
        set_open(&w, 7, 2, false), set_open(&w, 7, 7, false);
        cairn_move m = next(&w);
        CHECK(m.kind == CAIRN_MOVE_STOP && m.status == CAIRN_UNREACHABLE && m.broken, "%s: %s",
              specs[i], cairn_status_text(m.status));
        CHECK(!m.plans && !m.syncs, "%s: looking at regions is enough", specs[i]);
        m = next(&w);
        CHECK(m.kind == CAIRN_MOVE_STOP && !m.work && !m.broken, "%s: it knows already", specs[i]);
        set_open(&w, 7, 7, true);
        walk_on(&w);
        CHECK(cairn_navigator_at(w.navigator) == cell(&w, 14, 2), "%s: not there", specs[i]);
        walker_end(&w);
    }
}

static void a_blocked_agent_and_a_blocked_goal_have_their_names(void **state)
{
    (void)state;
    walker w = walker_of(scene_of_text("rooms", rooms), "astar", NULL);
    CHECK_OK(cairn_navigator_start(w.navigator, cell(&w, 1, 2), cell(&w, 14, 2)));
    next(&w);
    cairn_cell at = cairn_grid_cell(w.kit.grid, cairn_navigator_at(w.navigator));
    set_open(&w, at.x, at.y, false);
    assert_int_equal(next(&w).status, CAIRN_BLOCKED_START);
    set_open(&w, at.x, at.y, true), set_open(&w, 14, 2, false);
    assert_int_equal(next(&w).status, CAIRN_BLOCKED_GOAL);
    CHECK_OK(cairn_navigator_retarget(w.navigator, cell(&w, 14, 3)));
    walk_on(&w);
    CHECK(cairn_navigator_at(w.navigator) == cell(&w, 14, 3), "not there");
    cairn_move m = next(&w);
    CHECK(m.kind == CAIRN_MOVE_ARRIVED && m.arrived && m.status == CAIRN_OK, "it stays");
    walker_end(&w);
}

static void another_goal_is_another_plan(void **state)
{
    (void)state;
    walker w = walker_of(scene_of_text("rooms", rooms), "astar", NULL);
    CHECK_OK(cairn_navigator_start(w.navigator, cell(&w, 1, 2), cell(&w, 14, 2)));
    next(&w);
    CHECK_OK(cairn_navigator_retarget(w.navigator, cell(&w, 14, 2)));
    assert_int_equal(next(&w).plans, 0);
    CHECK_STATUS(cairn_navigator_retarget(w.navigator, 100000), CAIRN_OUT_OF_BOUNDS);
    assert_int_equal(cairn_navigator_goal(w.navigator), cell(&w, 14, 2));
    CHECK_OK(cairn_navigator_retarget(w.navigator, cell(&w, 1, 7)));
    assert_int_equal(next(&w).plans, 1);
    walk_on(&w);
    CHECK(cairn_navigator_at(w.navigator) == cell(&w, 1, 7), "not there");
    CHECK_OK(cairn_navigator_start(w.navigator, cell(&w, 2, 2), cell(&w, 3, 2)));
    assert_int_equal(cairn_navigator_sums(w.navigator).moves, 0);
    assert_int_equal(walk_on(&w), 1);
    walker_end(&w);
}

/* A step along its path, made by the agent itself, is no reason to plan; a push is. */
static void a_push_is_another_plan_and_a_step_is_none(void **state)
{
    (void)state;
    walker w = walker_of(scene_of_text("rooms", rooms), "astar", NULL);
    CHECK_OK(cairn_navigator_start(w.navigator, cell(&w, 1, 2), cell(&w, 14, 2)));
    cairn_move m = next(&w);
    cairn_node ahead[2];
    CHECK(cairn_navigator_ahead(w.navigator, ahead, 2) >= 2 && m.plans == 1, "no path");
    CHECK_OK(cairn_navigator_moved(w.navigator, cell(&w, 3, 2)));
    m = next(&w);
    CHECK(m.plans == 0 && m.from == cell(&w, 3, 2) && m.to == cell(&w, 4, 2),
          "a step along the path");
    CHECK_OK(cairn_navigator_moved(w.navigator, cell(&w, 4, 3))); /* a step aside */
    m = next(&w);
    CHECK(m.plans == 1 && m.from == cell(&w, 4, 3), "off the path");
    CHECK_OK(cairn_navigator_moved(w.navigator, cell(&w, 2, 7)));
    m = next(&w);
    CHECK(m.plans == 1 && m.from == cell(&w, 2, 7) && !m.broken, "a push");
    CHECK_OK(cairn_navigator_moved(w.navigator, cell(&w, 0, 0)));
    CHECK_STATUS(next(&w).status, CAIRN_BLOCKED_START);
    CHECK_OK(cairn_navigator_moved(w.navigator, cell(&w, 12, 2)));
    walk_on(&w);
    CHECK(cairn_navigator_at(w.navigator) == cell(&w, 14, 2), "not there");
    assert_int_equal(cairn_navigator_sums(w.navigator).moves, 6);
    assert_int_equal(cairn_navigator_sums(w.navigator).plans, 4);
    walker_end(&w);
}

/* A search that began where the agent is no more is of no use. */
static void a_step_while_it_thinks_begins_the_search_again(void **state)
{
    (void)state;
    walker w =
        walker_of(scene_of_text("rooms", rooms), "dijkstra", &(cairn_navigator_options){.work = 2});
    CHECK_OK(cairn_navigator_start(w.navigator, cell(&w, 1, 2), cell(&w, 14, 2)));
    assert_int_equal(next(&w).kind, CAIRN_MOVE_THINK);
    CHECK_OK(cairn_navigator_moved(w.navigator, cell(&w, 2, 2)));
    cairn_move m = next(&w);
    CHECK(m.kind == CAIRN_MOVE_THINK && m.plans == 1, "another search");
    while ((m = next(&w)).kind == CAIRN_MOVE_THINK) {
    }
    assert_int_equal(m.from, cell(&w, 2, 2));
    walk_on(&w);
    CHECK(cairn_navigator_at(w.navigator) == cell(&w, 14, 2), "not there");
    walker_end(&w);
}

/* ---- indexes ------------------------------------------------------------------------------- */

static void an_index_that_nobody_built_is_built(void **state)
{
    (void)state;
    scene *s = scene_of_text("rooms", rooms);
    walker w = {.kit = kit_of_scene(s, NULL), .scene = s};
    CHECK_OK(cairn_planner_create(w.kit.space, "hpa", &w.kit.planner, NULL));
    CHECK_OK(cairn_navigator_create(w.kit.planner, NULL, &w.navigator));
    CHECK_OK(cairn_navigator_start(w.navigator, cell(&w, 1, 2), cell(&w, 14, 2)));
    cairn_move m = next(&w);
    CHECK(m.syncs == 1 && m.plans == 1 && m.kind == CAIRN_MOVE_STEP, "built");
    walk_on(&w);
    assert_int_equal(cairn_navigator_sums(w.navigator).syncs, 1);
    walker_end(&w);
}

/* What one of them syncs makes the search of the other useless. */
static void two_agents_share_an_index(void **state)
{
    (void)state;
    cairn_navigator_options slow = {.work = 3};
    walker w = walker_of(scene_of_text("rooms", rooms), "hpa:size=4", NULL);
    cairn_navigator *other;
    CHECK_OK(cairn_navigator_create(w.kit.planner, &slow, &other));
    CHECK_OK(cairn_navigator_start(w.navigator, cell(&w, 1, 2), cell(&w, 14, 2)));
    CHECK_OK(cairn_navigator_start(other, cell(&w, 14, 1), cell(&w, 1, 1)));
    cairn_move m = next(&w), o;
    CHECK_STATUS(cairn_navigator_next(other, &o), CAIRN_RUNNING);
    set_open(&w, 7, 2, false);
    for (int i = 0; i < 200 && !(m.arrived && o.arrived); i++) {
        m = next(&w);
        cairn_navigator_next(other, &o);
        CHECK(o.status == CAIRN_OK || o.status == CAIRN_RUNNING, "%s", cairn_status_text(o.status));
        if (i == 3) CHECK_OK(cairn_planner_build(w.kit.planner, NULL, NULL));
    }
    CHECK(m.arrived && o.arrived, "not there");
    cairn_navigator_destroy(other);
    walker_end(&w);
}

/* ---- in the background ----------------------------------------------------------------------- */

/* The hierarchy is rebuilt by a thread while the agent follows its old path; how far it comes
 * nobody knows. */
static void walk_with_threads(uint32_t workers, uint64_t work)
{
    cairn_context_options options = cairn_context_defaults();
    options.workers = workers;
    walker w = {.scene = scene_rooms("rooms", 120, 80, 10, 3)};
    CHECK_OK(cairn_context_create(&options, &w.kit.context));
    CHECK_OK(scene_grid(w.scene, w.kit.context, &w.kit.grid));
    CHECK_OK(cairn_space_of_grid(w.kit.grid, NULL, &w.kit.space, NULL));
    CHECK_OK(planner_ready(w.kit.space, "pra", &w.kit.planner, NULL));
    cairn_navigator_options how = {
        .background = true, .replan = CAIRN_REPLAN_CHANGED, .work = work};
    CHECK_OK(cairn_navigator_create(w.kit.planner, &how, &w.navigator));
    scene_rng rng = {21};
    cairn_node to = CAIRN_NO_NODE;
    for (int i = 0; i < 6; i++) {
        cairn_node from = scene_pick(w.scene, &rng);
        to = scene_pick(w.scene, &rng);
        if (cairn_reachable(w.kit.space, from, to) != CAIRN_REACH_YES) continue;
        CHECK_OK(cairn_navigator_start(w.navigator, from, to));
        for (cairn_move m = {0}; !m.arrived;) {
            m = next(&w);
            if (m.kind == CAIRN_MOVE_STOP) break;
            if (m.arrived || scene_random(&rng, 8)) continue;
            cairn_node n = scene_random(&rng, 120 * 80);
            if (n != to && n != m.to)
                set_open(&w, (int32_t)(n % 120), (int32_t)(n / 120), scene_random(&rng, 2));
        }
        cairn_node at = cairn_navigator_at(w.navigator);
        CHECK((at == to) == (cairn_reachable(w.kit.space, at, to) == CAIRN_REACH_YES),
              "stopped at %u", at);
    }
    walker_end(&w);
}

static void the_index_is_synced_in_the_background(void **state)
{
    (void)state;
    walk_with_threads(0, 0);
    walk_with_threads(1, 0);
    walk_with_threads(1, 50);
}

/* ---- what steps are ------------------------------------------------------------------------- */

static void links_are_reported(void **state)
{
    (void)state;
    walker w = walker_of(scene_of_text("rooms", rooms), "astar", NULL);
    cairn_link link = {cell(&w, 2, 4), cell(&w, 13, 4), 77, 100, 0};
    CHECK_OK(cairn_grid_add_link(w.kit.grid, &link));
    CHECK_OK(cairn_grid_commit(w.kit.grid));
    CHECK_OK(cairn_navigator_start(w.navigator, cell(&w, 1, 4), cell(&w, 14, 4)));
    cairn_move first = next(&w), second = next(&w), third = next(&w);
    CHECK(!first.linked && second.linked && second.link == 77 && second.to == link.to &&
              !third.linked,
          "no link");
    CHECK(third.arrived, "three steps");
    /* It is gone before the agent gets there. */
    CHECK_OK(cairn_navigator_start(w.navigator, cell(&w, 1, 4), cell(&w, 14, 4)));
    next(&w);
    CHECK_OK(cairn_grid_remove_links(w.kit.grid, 77));
    CHECK_OK(cairn_grid_commit(w.kit.grid));
    cairn_move m = next(&w);
    CHECK(m.broken && m.kind == CAIRN_MOVE_STEP && !m.linked, "the link is gone");
    walk_on(&w);
    CHECK(cairn_navigator_at(w.navigator) == cell(&w, 14, 4), "not there");
    walker_end(&w);
}

/* The cells that a line passes are no places to stand for an agent with a size. */
static void large_agents_walk_lines_whole(void **state)
{
    (void)state;
    scene *s = scene_blocks("blocks", 80, 60, 40, 5);
    s->profile.radius = 1.5;
    walker w = walker_of(s, "theta", NULL);
    scene_rng rng = {4};
    uint32_t lines = 0;
    for (int i = 0; i < 10; i++) {
        cairn_node from, to;
        CHECK_OK(cairn_random_reachable(w.kit.space, cell(&w, 3, 3), &rng.state, &from));
        CHECK_OK(cairn_random_reachable(w.kit.space, from, &rng.state, &to));
        CHECK_OK(cairn_navigator_start(w.navigator, from, to));
        for (cairn_move m = {0}; !m.arrived;) {
            CHECK_OK(cairn_navigator_next(w.navigator, &m));
            if (m.kind == CAIRN_MOVE_ARRIVED) break;
            CHECK(cairn_raycast(w.kit.space, m.from, m.to, NULL), "no room from %u to %u", m.from,
                  m.to);
            lines += cairn_space_step_cost(w.kit.space, m.from, m.to) == CAIRN_NO_COST;
        }
    }
    CHECK(lines > 5, "no line but steps");
    walker_end(&w);
}

/* The ground of its line changes, but can still be walked: there is no other plan, and the line
 * costs what its parts do. A wall ends it. */
static void large_agents_walk_lines_over_changed_ground(void **state)
{
    (void)state;
    static const char *const specs[] = {"theta", "lazy-theta"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        scene *s = scene_of_text("bend", ".#########\n"
                                         "..........\n");
        s->layer = calloc(20, 1);
        if (!s->layer) abort();
        s->profile.radius = 0.5;
        s->profile.layer_weight = 256;
        walker w = walker_of(s, specs[i], NULL);
        cairn_cost straight = cairn_space_scale(w.kit.space).straight;
        cairn_move m;
        CHECK_OK(cairn_navigator_start(w.navigator, 0, cell(&w, 9, 1)));
        CHECK_OK(cairn_navigator_next(w.navigator, &m));
        CHECK(m.to == cell(&w, 0, 1) && m.plans == 1, "%s: not to the bend", specs[i]);
        CHECK_OK(cairn_grid_set_layer(w.kit.grid, 4, 1, 3));
        CHECK_OK(cairn_grid_commit(w.kit.grid));
        CHECK_OK(cairn_navigator_next(w.navigator, &m));
        CHECK(m.arrived && !m.plans && !m.broken, "%s: another plan", specs[i]);
        CHECK(m.cost == (9 + 3) * straight, "%s: costs %u", specs[i], m.cost);
        CHECK_OK(cairn_navigator_retarget(w.navigator, 0));
        CHECK_OK(cairn_navigator_next(w.navigator, &m));
        set_open(&w, 2, 1, false);
        CHECK_STATUS(cairn_navigator_next(w.navigator, &m), CAIRN_UNREACHABLE);
        walker_end(&w);
    }
}

static void the_path_ahead_leads_from_here_to_the_goal(void **state)
{
    (void)state;
    static const char *const specs[] = {"astar", "theta", "hpa"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        walker w = walker_of(scene_of_text("rooms", rooms), specs[i], NULL);
        cairn_node goal = cell(&w, 14, 7), ahead[64], few[2] = {0, 4711};
        CHECK_OK(cairn_navigator_start(w.navigator, cell(&w, 1, 1), goal));
        assert_int_equal(cairn_navigator_ahead(w.navigator, ahead, 64), 0);
        for (cairn_move m = next(&w); !m.arrived; m = next(&w)) {
            uint32_t count = cairn_navigator_ahead(w.navigator, ahead, 64);
            CHECK(count > 1 && count < 64 && ahead[0] == m.to && ahead[count - 1] == goal, "%s",
                  specs[i]);
            CHECK(cairn_navigator_ahead(w.navigator, few, 1) == count && few[0] == m.to &&
                      few[1] == 4711,
                  "%s", specs[i]);
            cairn_path path = {.nodes = ahead, .count = count, .any_angle = i == 1};
            CHECK(i == 1 || cairn_path_valid(w.kit.space, &path, NULL, NULL, NULL), "%s", specs[i]);
        }
        walker_end(&w);
    }
    cairn_graph_edge edges[] = {{0, 1, 5}, {1, 2, 5}, {2, 3, 5}};
    kit k = kit_of_edges(4, edges, 3);
    kit_plan(&k, "astar");
    cairn_navigator *navigator;
    cairn_node ahead[8];
    CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
    CHECK_OK(cairn_navigator_start(navigator, 0, 3));
    CHECK_OK(cairn_navigator_next(navigator, NULL));
    assert_int_equal(cairn_navigator_ahead(navigator, ahead, 8), 3);
    CHECK(ahead[0] == 1 && ahead[1] == 2 && ahead[2] == 3, "another way");
    cairn_navigator_destroy(navigator);
    kit_close(&k);
}

/* ---- odds and ends
 * ----------------------------------------------------------------------------- */

static void count_expansions(void *user, const cairn_event *event)
{
    uint64_t *expanded = user;
    *expanded += event->kind == CAIRN_EVENT_EXPAND;
}

static void plans_can_be_watched(void **state)
{
    (void)state;
    walker w = walker_of(scene_of_text("rooms", rooms), "astar",
                         &(cairn_navigator_options){.replan = CAIRN_REPLAN_CHANGED});
    uint64_t expanded = 0;
    cairn_navigator_trace(w.navigator, &(cairn_trace_sink){count_expansions, &expanded});
    CHECK_OK(cairn_navigator_start(w.navigator, cell(&w, 1, 2), cell(&w, 14, 2)));
    next(&w);
    set_open(&w, 7, 2, false);
    walk_on(&w);
    cairn_walk_sums sums = cairn_navigator_sums(w.navigator);
    CHECK(sums.plans == 2 && expanded == sums.expanded && sums.peak_bytes, "%u seen",
          (unsigned)expanded);
    walker_end(&w);
}

static void senseless_calls_are_refused(void **state)
{
    (void)state;
    walker w = walker_of(scene_of_text("rooms", rooms), "astar", NULL);
    cairn_navigator *out = w.navigator;
    CHECK_STATUS(cairn_navigator_create(NULL, NULL, &out), CAIRN_INVALID);
    assert_null(out);
    CHECK_STATUS(cairn_navigator_create(w.kit.planner, NULL, NULL), CAIRN_INVALID);
    cairn_navigator_options odd = {.replan = CAIRN_REPLAN_COUNT};
    CHECK_STATUS(cairn_navigator_create(w.kit.planner, &odd, &out), CAIRN_INVALID);
    cairn_move m;
    CHECK_STATUS(cairn_navigator_next(NULL, &m), CAIRN_INVALID);
    CHECK_STATUS(cairn_navigator_next(w.navigator, &m), CAIRN_INVALID);
    CHECK(m.status == CAIRN_INVALID && m.kind == CAIRN_MOVE_STOP && m.from == CAIRN_NO_NODE,
          "not yet");
    CHECK_STATUS(cairn_navigator_retarget(w.navigator, 3), CAIRN_INVALID);
    CHECK_STATUS(cairn_navigator_start(w.navigator, 5, CAIRN_NO_NODE), CAIRN_OUT_OF_BOUNDS);
    CHECK_STATUS(cairn_navigator_start(NULL, 5, 5), CAIRN_INVALID);
    CHECK(cairn_navigator_at(w.navigator) == CAIRN_NO_NODE &&
              cairn_navigator_goal(NULL) == CAIRN_NO_NODE,
          "nowhere");
    assert_int_equal(cairn_navigator_ahead(w.navigator, NULL, 9), 0);
    assert_ptr_equal(cairn_navigator_planner(w.navigator), w.kit.planner);
    cairn_navigator_trace(NULL, NULL);
    cairn_navigator_destroy(NULL);
    assert_string_equal(cairn_move_name(CAIRN_MOVE_THINK), "think");
    assert_string_equal(cairn_move_name(CAIRN_MOVE_COUNT), "unknown");
    assert_string_equal(cairn_replan_name(CAIRN_REPLAN_CHANGED), "changed");
    assert_string_equal(cairn_replan_name(CAIRN_REPLAN_COUNT), "unknown");
    walker_end(&w);
}

static void memory_has_a_limit(void **state)
{
    (void)state;
    cairn_navigator_options small = {.byte_limit = 6000};
    scene *s = scene_noise("noise", 200, 200, 20, 3);
    walker w = walker_of(s, "dijkstra", &small);
    scene_rng rng = {2};
    cairn_node from = scene_pick(s, &rng), to;
    CHECK_OK(cairn_random_reachable(w.kit.space, from, &rng.state, &to));
    CHECK_OK(cairn_navigator_start(w.navigator, from, to));
    for (int i = 0; i < 2; i++) {
        cairn_move m = next(&w);
        CHECK(m.kind == CAIRN_MOVE_STOP && m.status == CAIRN_OUT_OF_MEMORY && m.plans == 1, "%s",
              cairn_status_text(m.status));
    }
    CHECK(cairn_navigator_sums(w.navigator).bytes < 8000, "it holds too much");
    walker_end(&w);
}

/* A look takes a unit of work for each 256 steps. What was seen before a second commit may be
 * wrong after it. */
static void a_second_commit_begins_the_look_again(void **state)
{
    (void)state;
    cairn_navigator_options options = {.work = 1};
    walker w = walker_of(scene_serpent("serpent", 60, 41), "astar", &options);
    CHECK_OK(cairn_navigator_start(w.navigator, 0, cell(&w, 59, 40)));
    while (next(&w).kind != CAIRN_MOVE_STEP) continue;
    assert_true(cairn_navigator_ahead(w.navigator, NULL, 0) > 20);
    set_open(&w, 30, 39, true); /* nothing that it minds: it looks along 256 steps */
    assert_false(next(&w).broken);
    set_open(&w, 30, 2, false); /* about 90 steps ahead, where it has looked already */
    cairn_move m = next(&w);
    for (uint32_t i = 0; i < 4 && !m.broken; i++) m = next(&w);
    CHECK(m.broken, "at %u it has not seen the wall at %u", m.to, cell(&w, 30, 2));
    walker_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortcuts_are_for_those_who_look),
        cmocka_unit_test(a_change_elsewhere_costs_a_look_and_no_plan),
        cmocka_unit_test(a_break_far_ahead_is_seen_at_once),
        cmocka_unit_test(a_long_look_does_not_stop_the_agent),
        cmocka_unit_test(a_second_commit_begins_the_look_again),
        cmocka_unit_test(thinking_in_slices_walks_the_same_way),
        cmocka_unit_test(commits_at_every_turn_do_not_nail_it_down),
        cmocka_unit_test(who_stops_waits_for_nothing_but_a_change),
        cmocka_unit_test(a_blocked_agent_and_a_blocked_goal_have_their_names),
        cmocka_unit_test(another_goal_is_another_plan),
        cmocka_unit_test(a_push_is_another_plan_and_a_step_is_none),
        cmocka_unit_test(a_step_while_it_thinks_begins_the_search_again),
        cmocka_unit_test(an_index_that_nobody_built_is_built),
        cmocka_unit_test(two_agents_share_an_index),
        cmocka_unit_test(the_index_is_synced_in_the_background),
        cmocka_unit_test(links_are_reported),
        cmocka_unit_test(large_agents_walk_lines_whole),
        cmocka_unit_test(large_agents_walk_lines_over_changed_ground),
        cmocka_unit_test(the_path_ahead_leads_from_here_to_the_goal),
        cmocka_unit_test(plans_can_be_watched),
        cmocka_unit_test(senseless_calls_are_refused),
        cmocka_unit_test(memory_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
