/* test_rtdstar.c: RTD*: it uses what opens, where LSS-LRTA* goes on as it was; moves are bounded; the
 * agent arrives in worlds that change; once its global search is over, every step is the best one.
 */
#include "ground.h"

enum { WIDTH = 60, HEIGHT = 41, TURNS = 20000 };

static cairn_node cell(uint32_t x, uint32_t y)
{
    return y * WIDTH + x;
}

static cairn_navigator *agent_of(kit *k, const char *spec, uint64_t work, cairn_node from,
                                 cairn_node to)
{
    cairn_navigator *navigator;
    cairn_navigator_options options = {.work = work};
    kit_plan(k, spec);
    CHECK_OK(cairn_navigator_create(k->planner, &options, &navigator));
    CHECK_OK(cairn_navigator_start(navigator, from, to));
    return navigator;
}

/* ---- what opens ---- */

/* A wall with a way round at its lower end. The agent walks down along it. When it is nearly there, a
 * door opens in the middle of the wall, out of view. The way back to that is shorter than the way
 * round. Returns whether the agent goes through it. */
static bool uses_the_door(const char *spec)
{
    scene *s = scene_blank("wall", WIDTH, HEIGHT);
    for (uint32_t y = 0; y + 1 < HEIGHT; y++) s->open[cell(30, y)] = 0;
    kit k = kit_of_scene(s, NULL);
    cairn_navigator *navigator = agent_of(&k, spec, 0, cell(27, 3), cell(33, 3));
    cairn_move m = {0};
    bool opened = false, used = false;
    for (uint32_t turn = 0; !m.arrived; turn++) {
        CHECK(turn < TURNS, "%s: no end", spec);
        CHECK_OK(cairn_navigator_next(navigator, &m));
        used |= m.to == cell(30, 20);
        if (opened || m.to / WIDTH < 36) continue;
        CHECK_OK(cairn_grid_set_open(k.grid, 30, 20, true));
        CHECK_OK(cairn_grid_commit(k.grid));
        opened = true;
    }
    CHECK(opened, "%s: it was never there", spec);
    cairn_navigator_destroy(navigator);
    kit_end(&k, s);
    return used;
}

static void what_opens_is_used(void **state)
{
    (void)state;
    CHECK(uses_the_door("rtdstar:expansions=200,local=50"), "RTD* does not use the door");
    CHECK(uses_the_door("rtdstar:expansions=200,local=10,steps=one"), "RTD* does not use the door");
    CHECK(!uses_the_door("lss-lrtastar:lookahead=100"),
          "LSS-LRTA* knows of it: this tells nothing");
}

/* ---- a world that stays ---- */

/* The agent walks into a hollow, away from where its global search is aimed at. When that has come to
 * the old place, it is aimed at the agent: which then knows the best path, deep in the hollow. */
static void the_global_search_follows_the_agent(void **state)
{
    (void)state;
    scene *s = scene_blank("hollow", WIDTH, HEIGHT);
    for (uint32_t y = 5; y < 26; y++) s->open[cell(30, y)] = 0;
    for (uint32_t x = 15; x < 30; x++) s->open[cell(x, 5)] = s->open[cell(x, 25)] = 0;
    kit k = kit_of_scene(s, NULL);
    cairn_navigator *navigator =
        agent_of(&k, "rtdstar:expansions=20,local=50", 0, cell(12, 15), cell(36, 15));
    cairn_move m = {0};
    for (uint32_t turn = 0; cairn_navigator_bound(navigator) != 1; turn++) {
        CHECK(turn < 300 && !m.arrived, "it never knows the best path");
        CHECK_OK(cairn_navigator_next(navigator, &m));
    }
    CHECK(m.to % WIDTH > 15 && m.to % WIDTH < 30, "it is at %u,%u then", m.to % WIDTH,
          m.to / WIDTH);
    cairn_navigator_destroy(navigator);
    kit_end(&k, s);
}

/* ---- worlds that change ---- */

enum { CHANGES = 80 }; /* turns in which the world may change, and who arrives gets another goal */

/* Of the agent's parameters, and how many expansions a move may take. */
typedef struct rtdstar_mind {
    const char *spec;
    uint32_t limit;
} rtdstar_mind;

/* Two agents that walk alike: one of them thinks in slices. */
typedef struct life {
    ground *g;
    const rtdstar_mind *mind;
    cairn_navigator *whole, *sliced;
    uint64_t quiet;      /* turns without an expansion since all changes are over, ... */
    uint64_t long_quiet; /* ... and how many may pass within one: that of a node with many edges */
} life;

/* Somewhere else: a step that the agent makes by itself, or a push. */
static cairn_node elsewhere(ground *g, cairn_node at, bool step)
{
    cairn_edge edges[16];
    uint32_t count = cairn_space_expand(g->space, at, 0, edges, LENGTH(edges));
    if (!step) return any_node(g);
    return count ? edges[scene_random(&g->rng, count)].node : at;
}

static void life_event(life *l, uint32_t turn)
{
    ground *g = l->g;
    cairn_node at = cairn_navigator_at(l->whole);
    if (turn % 7 == 3) {
        for (uint32_t i = 0; i < 12; i++) ground_edit(g);
        if (scene_random(&g->rng, 2)) ground_edit_ahead(g, l->whole);
        ground_commit(g);
    }
    if (turn % 5 == 4 && scene_random(&g->rng, 2)) {
        at = elsewhere(g, at, turn % 10 != 9);
        CHECK_OK(cairn_navigator_moved(l->whole, at));
        CHECK_OK(cairn_navigator_moved(l->sliced, at));
    }
    if (at != cairn_navigator_goal(l->whole)) return;
    cairn_node goal = any_node(g);
    CHECK_OK(cairn_navigator_retarget(l->whole, goal));
    CHECK_OK(cairn_navigator_retarget(l->sliced, goal));
}

/* One call of each. */
static cairn_move life_next(life *l)
{
    const char *spec = l->mind->spec;
    uint32_t limit = l->mind->limit;
    cairn_move m, p = {.status = CAIRN_RUNNING};
    cairn_navigator_next(l->whole, &m);
    while (p.status == CAIRN_RUNNING) cairn_navigator_next(l->sliced, &p);
    CHECK(p.status == m.status && p.to == m.to, "%s: slices lead to %u, not %u", spec, p.to, m.to);
    CHECK(m.expanded <= limit, "%s: %u expansions", spec, (unsigned)m.expanded);
    CHECK(m.work <= (16 + l->long_quiet) * limit + 64, "%s: %u units", spec, (unsigned)m.work);
    return m;
}

/* The step is one that there is. Once nothing is left to search, it is the best one. */
static void life_check_step(life *l, const cairn_move *m, uint64_t best)
{
    const char *spec = l->mind->spec;
    CHECK_OK(m->status);
    CHECK(m->cost == oracle_edge(ground_oracle(l->g), m->from, m->to), "%s: a step of %u", spec,
          m->cost);
    if (l->quiet < 2 + l->long_quiet) return;
    uint64_t rest = ground_cost(l->g, m->to, cairn_navigator_goal(l->whole));
    CHECK(m->cost + rest == best, "%s: from %u over %u", spec, m->from, m->to);
    CHECK(cairn_navigator_bound(l->whole) == 1, "%s: it does not say so", spec);
}

/* Returns whether it goes on. */
static bool life_turn(life *l, uint32_t turn)
{
    const char *spec = l->mind->spec;
    cairn_node at = cairn_navigator_at(l->whole), to = cairn_navigator_goal(l->whole);
    uint64_t best = ground_cost(l->g, at, to);
    if (at != to && cairn_navigator_bound(l->whole) == 1) {
        CHECK(cairn_navigator_ahead(l->whole, NULL, 0), "%s: it is sure of no path", spec);
        check_ahead(l->g, l->whole, spec);
    }
    cairn_move m = life_next(l);
    if (at == to) return turn < CHANGES;
    if (best == ORACLE_NONE) {
        bool searches = cairn_space_directed(l->g->space) && m.work;
        CHECK(m.status != CAIRN_OK || turn < CHANGES || searches,
              "%s: it walks to what it cannot reach", spec);
        return m.status == CAIRN_OK || turn < CHANGES;
    }
    l->quiet = turn >= CHANGES && !m.expanded ? l->quiet + 1 : 0;
    life_check_step(l, &m, best);
    return turn < CHANGES || !m.arrived;
}

/* The world changes for a while, then it stays as it is. */
static void live(ground *g, const rtdstar_mind *mind)
{
    life l = {.g = g, .mind = mind, .long_quiet = g->k.graph ? g->count / 4 : 0};
    cairn_planner *planner;
    cairn_node from = any_node(g), to = any_node(g);
    CHECK_OK(cairn_planner_create(g->space, mind->spec, &planner, NULL));
    cairn_navigator_options slices = {.work = 1 + scene_random(&g->rng, 3)};
    CHECK_OK(cairn_navigator_create(planner, NULL, &l.whole));
    CHECK_OK(cairn_navigator_create(planner, &slices, &l.sliced));
    CHECK_OK(cairn_navigator_start(l.whole, from, to));
    CHECK_OK(cairn_navigator_start(l.sliced, from, to));
    bool goes_on = true;
    for (uint32_t turn = 0; goes_on; turn++) {
        CHECK(turn < TURNS, "%s: no end", mind->spec);
        if (turn < CHANGES) life_event(&l, turn);
        goes_on = life_turn(&l, turn);
    }
    cairn_navigator_destroy(l.sliced);
    cairn_navigator_destroy(l.whole);
    cairn_planner_destroy(planner);
}

static const rtdstar_mind minds[] = {{"rtdstar", 5},
                                     {"rtdstar:expansions=2", 2},
                                     {"rtdstar:expansions=20,local=50,steps=one", 20},
                                     {"rtdstar:expansions=60,local=10", 60},
                                     {"rtdstar:expansions=60,local=90", 60}};

static void live_once(ground *g, uint32_t next)
{
    const rtdstar_mind *mind = &minds[next % LENGTH(minds)];
    test_tell_life(mind->spec, next);
    live(g, mind);
}

/* Lives in worlds that `make` makes. Those with costs that may not fit are left out: there the agent
 * waits for its global search. */
static void live_often(ground (*make)(uint64_t seed), uint32_t count, uint32_t least)
{
    uint64_t first = test_first_life(), lives = test_lives(count, least);
    ground_tally lived = {0};
    for (uint64_t seed = first; seed < first + lives; seed++) {
        ground g = make(seed);
        test_tell_life("rtdstar", seed);
        if (!g.heavy) {
            ground_count(&lived, &g);
            live(&g, &minds[seed % LENGTH(minds)]);
        }
        ground_end(&g);
    }
    ground_live_in_all(&lived, make, 1, live_once);
}

/* Every second world is wide and plain, so that global searches take many moves. */
static ground any_grid(uint64_t seed)
{
    if (seed % 2) return ground_of_grid(seed * 7919);
    uint32_t kind = (uint32_t)(seed / 2);
    scene *s = kind % 3 ? scene_noise("noise", 40, 30, 10 + kind % 25, seed)
                        : scene_rooms("rooms", 40, 30, 6, seed);
    scene_rule(s, kind % 5, &s->profile);
    return ground_of_world(world_of(s), (scene_rng){seed});
}

static ground any_graph(uint64_t seed)
{
    return ground_of_graph(seed * 7919);
}

static void agents_arrive_in_worlds_that_change(void **state)
{
    (void)state;
    live_often(any_grid, 120, 12);
}

static void agents_arrive_in_graphs_that_change(void **state)
{
    (void)state;
    live_often(any_graph, 120, 12);
}

/* ---- memory ---- */

static void nothing_is_allocated_once_warm(void **state)
{
    (void)state;
    scene *s = scene_rooms("rooms", WIDTH, HEIGHT, 7, 3);
    watched w = {0};
    kit k = {0};
    CHECK_OK(watched_context(&w, &k.context));
    CHECK_OK(scene_grid(s, k.context, &k.grid));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    scene_rng rng = {4};
    cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
    cairn_navigator *navigator = agent_of(&k, "rtdstar", 0, from, to);
    uint64_t calls = 0;
    for (uint32_t i = 0; i < 3; i++) {
        cairn_move m = {0};
        CHECK_OK(cairn_navigator_start(navigator, from, to));
        while (!m.arrived) CHECK_OK(cairn_navigator_next(navigator, &m));
        CHECK(i < 2 || w.calls == calls, "it asks for memory again");
        calls = w.calls;
    }
    cairn_navigator_destroy(navigator);
    kit_end(&k, s);
}

/* As every agent that looks ahead (test_lookahead.c), it holds 4 KB besides what it learns and the
 * records of its global search (test_navigator_bytes.c): what it holds before it has learnt or searched
 * anything. */
static void a_look_ten_nodes_ahead_takes_4_KB(void **state)
{
    (void)state;
    enum { MOST = 4096 };
    static const char *const specs[] = {"rtdstar", "rtdstar:expansions=10,local=90",
                                        "rtdstar:expansions=11,local=91"};
    scene *s = scene_blank("open", WIDTH, HEIGHT);
    watched w = {0};
    kit k = {0};
    CHECK_OK(watched_context(&w, &k.context));
    CHECK_OK(scene_grid(s, k.context, &k.grid));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        cairn_navigator *navigator;
        kit_plan(&k, specs[i]);
        size_t before = w.bytes;
        CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
        CHECK(w.bytes - before <= MOST, "%s: %u bytes", specs[i], (unsigned)(w.bytes - before));
        if (getenv("CAIRN_BYTES_TELL"))
            print_error("%s: %u bytes\n", specs[i], (unsigned)(w.bytes - before));
        cairn_navigator_destroy(navigator);
    }
    kit_end(&k, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_opens_is_used),
        cmocka_unit_test(the_global_search_follows_the_agent),
        cmocka_unit_test(agents_arrive_in_worlds_that_change),
        cmocka_unit_test(agents_arrive_in_graphs_that_change),
        cmocka_unit_test(nothing_is_allocated_once_warm),
        cmocka_unit_test(a_look_ten_nodes_ahead_takes_4_KB),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
