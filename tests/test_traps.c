/* test_traps.c: RTA*, LRTA*, LSS-LRTA*, RTAA* and RTD* where some steps cannot be walked back. In
 * worlds that can be explored safely they arrive. Where they can be trapped they stop soon after they
 * are; as planners they leave the query to A* then. CAIRN_TEST_LIVES=N walks in N worlds.
 */
#include "navigators.h"
#include "one_way.h"

static const char *const minds[] = {
    "rtastar",
    "lrtastar",
    "lss-lrtastar",
    "rtaastar",
    "rtdstar",
    "rtastar:lookahead=7",
    "lrtastar:lookahead=12",
    "lss-lrtastar:lookahead=3,steps=one",
    "rtaastar:lookahead=4,steps=one",
    "rtdstar:expansions=2",
};

static bool may_be_trapped(const cairn_algorithm *a)
{
    return a->flags & CAIRN_MAY_BE_TRAPPED;
}

static void every_navigator_that_may_be_trapped_is_tested(void **state)
{
    (void)state;
    check_listed(may_be_trapped, minds, LENGTH(minds));
}

static cairn_navigator *agent_of(kit *k, const char *spec, cairn_node from, cairn_node to)
{
    cairn_navigator *navigator;
    kit_plan(k, spec);
    CHECK_OK(cairn_navigator_create(k->planner, NULL, &navigator));
    CHECK_OK(cairn_navigator_start(navigator, from, to));
    return navigator;
}

/* ---- worlds that can be explored safely ---- */

static void walk_safely(one_way *w, const char *spec, cairn_node from, cairn_node to)
{
    cairn_navigator *navigator = agent_of(&w->k, spec, from, to);
    uint64_t most = (uint64_t)w->there->count * (w->there->count + 10);
    cairn_move m = {0};
    for (uint64_t turn = 0; !m.arrived; turn++) {
        CHECK(turn < most, "%s: from %u to %u without end", spec, from, to);
        CHECK_OK(cairn_navigator_next(navigator, &m));
        uint64_t cost = m.linked ? oracle_link(w->there, m.from, m.to, m.link)
                                 : oracle_walk(w->there, m.from, m.to);
        CHECK(m.cost == cost, "%s: a step of %u, not %u", spec, m.cost, (unsigned)cost);
    }
    cairn_navigator_destroy(navigator);
}

static void agents_arrive_where_they_can_explore_safely(void **state)
{
    (void)state;
    uint32_t count = test_lives(10 * ONE_WAY_KINDS, ONE_WAY_KINDS), directed = 0;
    for (uint64_t i = 0, life = test_first_life(); i < count; i++, life++) {
        one_way w = one_way_safe((uint32_t)(life - 1), 24, 18, life);
        scene_rng rng = {life};
        cairn_node from = 0, to = 0; /* where there are hardly any, the last walk again */
        test_tell_life("one way", life);
        for (uint32_t k = 0; k < LENGTH(minds); k++) {
            CHECK(one_way_pick(&w, &rng, &from, &to) || k, "world %u: no walk", (uint32_t)life);
            walk_safely(&w, minds[k], from, to);
        }
        directed += cairn_space_directed(w.k.space);
        one_way_end(&w);
    }
    CHECK(count < ONE_WAY_KINDS || directed > count / 6, "%u of %u", directed, count);
}

/* Round and round: each corner has one exit but the last, and from that the round looks cheaper than
 * the door. An agent that never came back to a corner with one exit, and forgot all when it had to,
 * would not get out. */
static void a_round_of_one_way_steps_does_not_hold_rta(void **state)
{
    (void)state;
    enum { FIRST, SECOND, THIRD, LAST, DOOR, GOAL, NODES };
    const cairn_graph_edge edges[] = {{FIRST, SECOND, 1}, {FIRST, THIRD, 2}, {SECOND, THIRD, 1},
                                      {THIRD, LAST, 1},   {LAST, FIRST, 1},  {LAST, DOOR, 10},
                                      {DOOR, GOAL, 1}};
    kit k = kit_of_edges(NODES, edges, LENGTH(edges));
    cairn_navigator *navigator = agent_of(&k, "rtastar", FIRST, GOAL);
    cairn_move m = {0};
    for (uint32_t turn = 0; !m.arrived; turn++) {
        CHECK(turn < 100, "round and round");
        CHECK_OK(cairn_navigator_next(navigator, &m));
    }
    cairn_navigator_destroy(navigator);
    kit_close(&k);
}

/* ---- traps ---- */

enum { TRAP_START, TRAP_DOOR, TRAP_GOAL, TRAP_FIRST };

/* From the start a cheap step leads into a ring of this many nodes, some of them with two exits, but
 * none out of it. An expensive one leads over the door to the goal. */
static kit kit_of_trap(uint32_t ring)
{
    cairn_graph_edge *edges = malloc((2 * ring + 3) * sizeof *edges);
    uint32_t count = 0;
    if (!edges) abort();
    edges[count++] = (cairn_graph_edge){TRAP_START, TRAP_FIRST, 1};
    edges[count++] = (cairn_graph_edge){TRAP_START, TRAP_DOOR, 50};
    edges[count++] = (cairn_graph_edge){TRAP_DOOR, TRAP_GOAL, 50};
    for (uint32_t i = 0; i < ring; i++) {
        edges[count++] = (cairn_graph_edge){TRAP_FIRST + i, TRAP_FIRST + (i + 1) % ring, 1};
        if (i % 5) continue;
        edges[count++] = (cairn_graph_edge){TRAP_FIRST + i, TRAP_FIRST + (i + ring / 2) % ring, 3};
    }
    kit k = kit_of_edges(TRAP_FIRST + ring, edges, count);
    free(edges);
    return k;
}

/* The goal is out of reach from the first look in the ring on; not many more may follow. RTD* stops
 * when it has searched all that leads to the goal. */
static void a_trapped_agent_stops_soon(void **state)
{
    (void)state;
    static const uint32_t rings[] = {2, 9, 40, 100, 333, 1000};
    for (uint32_t i = 0; i < LENGTH(minds); i++) {
        for (uint32_t r = 0; r < LENGTH(rings); r++) {
            kit k = kit_of_trap(rings[r]);
            cairn_navigator *navigator = agent_of(&k, minds[i], TRAP_START, TRAP_GOAL);
            uint64_t most = 64 + 6 * (rings[r] > 64 ? rings[r] : 64);
            bool searches = strstr(minds[i], "rtdstar");
            cairn_move m = {0};
            while (m.kind != CAIRN_MOVE_STOP && !m.arrived) {
                cairn_navigator_next(navigator, &m);
                CHECK(cairn_navigator_sums(navigator).plans <= (searches ? 10 : most),
                      "%s: walks on in a ring of %u", minds[i], rings[r]);
            }
            /* one that looks far enough need not step into it */
            CHECK(m.arrived || (m.status == CAIRN_UNREACHABLE && m.from >= TRAP_FIRST), "%s: %s",
                  minds[i], cairn_status_text(m.status));
            CHECK(!m.arrived || searches || rings[r] < 13, "%s: no trap", minds[i]);
            cairn_navigator_destroy(navigator);
            kit_close(&k);
        }
    }
}

static void a_trapped_walk_is_left_to_astar(void **state)
{
    (void)state;
    uint32_t left = 0;
    for (uint32_t i = 0; i < LENGTH(minds); i++) {
        kit k = kit_of_trap(100);
        const cairn_path *path;
        kit_plan(&k, minds[i]);
        cairn_query query = {.from = TRAP_START, .to = TRAP_GOAL};
        CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
        bool other = path->answered_by != cairn_planner_algorithm(k.planner);
        CHECK(path->cost == 100 && path->count == 3, "%s: %u", minds[i], path->cost);
        left += other;
        query.from = TRAP_FIRST;
        CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_UNREACHABLE);
        kit_close(&k);
    }
    CHECK(left >= LENGTH(minds) - 2, "%u walks", left);
}

/* What was explored before is about another place: a line that is longer than what is left of the
 * exploration leads to the goal. */
static void a_push_out_of_a_trap_is_noticed(void **state)
{
    (void)state;
    enum { RING = 60, LINE = 90, FIRST = RING, GOAL = RING + LINE };
    cairn_graph_edge edges[RING + LINE + 1];
    for (uint32_t i = 0; i < RING; i++) edges[i] = (cairn_graph_edge){i, (i + 1) % RING, 1};
    for (uint32_t i = 0; i < LINE; i++)
        edges[RING + i] = (cairn_graph_edge){FIRST + i, FIRST + i + 1, 1};
    edges[RING + LINE] = (cairn_graph_edge){GOAL, 0, 1};
    for (uint32_t i = 0; i < 4; i++) {
        kit k = kit_of_edges(GOAL + 1, edges, LENGTH(edges));
        cairn_navigator *navigator = agent_of(&k, minds[i], 0, GOAL);
        cairn_move m = {0};
        while (cairn_navigator_sums(navigator).plans < 80)
            CHECK_OK(cairn_navigator_next(navigator, &m));
        CHECK_OK(cairn_navigator_moved(navigator, FIRST));
        while (!m.arrived) CHECK_OK(cairn_navigator_next(navigator, &m));
        cairn_navigator_destroy(navigator);
        kit_close(&k);
    }
}

/* LSS-LRTA* sees that nothing leads out of the cave, and does not enter it. Then a door opens there. */
static void a_dead_end_that_opens_is_entered(void **state)
{
    (void)state;
    enum { HERE, THERE, YONDER, BACK, CAVE, GOAL, NODES };
    const cairn_graph_edge edges[] = {{HERE, THERE, 5}, {THERE, YONDER, 5}, {YONDER, BACK, 5},
                                      {BACK, HERE, 5},  {HERE, CAVE, 1},    {CAVE, GOAL, 1},
                                      {GOAL, HERE, 1}};
    for (uint32_t step = 0; step < 2; step++) {
        kit k = kit_of_edges(NODES, edges, LENGTH(edges));
        CHECK_OK(cairn_graph_set_edge_open(k.graph, CAVE, GOAL, false));
        CHECK_OK(cairn_graph_commit(k.graph));
        const char *spec = step ? "lss-lrtastar:lookahead=2,steps=one" : "lss-lrtastar:lookahead=2";
        cairn_navigator *navigator = agent_of(&k, spec, HERE, GOAL);
        cairn_move m = {0};
        for (uint32_t turn = 0; turn < 9; turn++) {
            CHECK_OK(cairn_navigator_next(navigator, &m));
            CHECK(m.to != CAVE, "%s enters a dead end that it has seen", spec);
        }
        CHECK_OK(cairn_graph_set_edge_open(k.graph, CAVE, GOAL, true));
        CHECK_OK(cairn_graph_commit(k.graph));
        for (uint32_t turn = 0; !m.arrived; turn++) {
            CHECK_OK(cairn_navigator_next(navigator, &m));
            CHECK(turn < 20, "%s does not use the door", spec);
        }
        cairn_navigator_destroy(navigator);
        kit_close(&k);
    }
}

/* Worlds where every step can be walked back need nothing of this: agents hold no more. Where they
 * explore, nothing is asked for once they are warm. */
static void exploring_asks_for_no_memory_once_warm(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        watched w = {0};
        kit k = {0};
        cairn_graph_edge edges[300];
        cairn_navigator *navigator;
        uint64_t calls = 0;
        for (uint32_t n = 0; n < 300; n++) edges[n] = (cairn_graph_edge){n, (n + 1) % 299, 1};
        edges[299] = (cairn_graph_edge){299, 0, 1};
        CHECK_OK(watched_context(&w, &k.context));
        cairn_graph_options options = {.node_count = 300, .edge_count = 300, .edges = edges};
        CHECK_OK(cairn_graph_create(k.context, &options, &k.graph, NULL));
        CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
        kit_plan(&k, minds[i]);
        CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
        for (uint32_t round = 0; round < 3; round++) {
            cairn_move m = {0};
            CHECK_OK(cairn_navigator_start(navigator, 0, 299));
            while (m.kind != CAIRN_MOVE_STOP) cairn_navigator_next(navigator, &m);
            CHECK(m.status == CAIRN_UNREACHABLE, "%s: %s", minds[i], cairn_status_text(m.status));
            CHECK(!round || w.calls == calls, "%s: asks for memory again", minds[i]);
            calls = w.calls;
        }
        cairn_navigator_destroy(navigator);
        kit_close(&k);
        CHECK(!w.blocks && !w.wrong_size, "memory was lost");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_navigator_that_may_be_trapped_is_tested),
        cmocka_unit_test(agents_arrive_where_they_can_explore_safely),
        cmocka_unit_test(a_round_of_one_way_steps_does_not_hold_rta),
        cmocka_unit_test(a_trapped_agent_stops_soon),
        cmocka_unit_test(a_trapped_walk_is_left_to_astar),
        cmocka_unit_test(a_push_out_of_a_trap_is_noticed),
        cmocka_unit_test(a_dead_end_that_opens_is_entered),
        cmocka_unit_test(exploring_asks_for_no_memory_once_warm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
