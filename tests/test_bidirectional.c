/* test_bidirectional.c: what is special about a search from both ends: that it goes on after the
 * sides have met, that costs have a direction, that no node is expanded from both sides, and what
 * it saves. The conformance suite compares its paths with the oracle in every kind of world.
 */
#include "kit.h"

static const char *const variants[] = {"bidirectional", "bidirectional:variant=nbs",
                                       "bidirectional:heuristic=null",
                                       "bidirectional:variant=nbs,heuristic=null"};

static cairn_cost cost_of(kit *k, cairn_node from, cairn_node to)
{
    const cairn_path *path;
    cairn_query query = {.from = from, .to = to};
    if (cairn_search_find(k->search, &query, &path) != CAIRN_FOUND) return CAIRN_NO_COST;
    CHECK(path->answered_by == cairn_planner_algorithm(k->planner), "another one answers");
    return path->cost;
}

/* ---- where the sides meet ---- */

/* The sides meet at 2, where the path costs 120. That over 3, 4 and 5 costs 115. */
static void the_first_meeting_is_not_the_end(void **state)
{
    (void)state;
    static const cairn_graph_edge edges[] = {{0, 2, 60}, {2, 1, 60}, {0, 3, 35}, {3, 4, 35},
                                             {4, 5, 35}, {5, 1, 10}, {1, 0, 1}};
    kit k = kit_of_edges(6, edges, LENGTH(edges));
    for (uint32_t i = 0; i < LENGTH(variants); i++) {
        kit_plan(&k, variants[i]);
        CHECK(cost_of(&k, 0, 1) == 115, "%s: costs %u", variants[i], cost_of(&k, 0, 1));
        assert_int_equal(cost_of(&k, 1, 0), 1);
    }
    kit_close(&k);
}

/* Edges lead one way: back from the goal others are found than those that leave it. */
static void edges_lead_one_way(void **state)
{
    (void)state;
    static const cairn_graph_edge edges[] = {{0, 1, 5}, {1, 2, 5}, {2, 3, 5}, {3, 0, 1},
                                             {3, 1, 1}, {2, 0, 1}, {0, 4, 2}};
    kit k = kit_of_edges(5, edges, LENGTH(edges));
    for (uint32_t i = 0; i < LENGTH(variants); i++) {
        kit_plan(&k, variants[i]);
        assert_int_equal(cost_of(&k, 0, 3), 15);
        assert_int_equal(cost_of(&k, 3, 2), 6);
        assert_int_equal(cost_of(&k, 4, 3), CAIRN_NO_COST);
    }
    kit_close(&k);
}

/* A step costs what the ground does that it leads to, in whichever direction it was found. In the
 * corridor the list is shorter, so that side goes through it, from the goal or from the start. */
static void ground_is_paid_for_where_it_is_entered(void **state)
{
    (void)state;
    scene *s = scene_of_text("corridor", ".....####\n.........\n.....####\n");
    s->terrain = calloc(27, 1);
    s->terrain[9 + 6] = 1;
    s->terrain[9 + 8] = 2;
    s->profile.terrain_cost[1] = CAIRN_TIMES(3);
    s->profile.terrain_cost[2] = CAIRN_TIMES(7);
    kit k = kit_of_scene(s, &s->profile);
    cairn_cost step = cairn_space_scale(k.space).straight;
    for (uint32_t i = 0; i < LENGTH(variants); i++) {
        kit_plan(&k, variants[i]);
        CHECK(cost_of(&k, 9, 17) == (6 + 3 + 7) * step, "%s: there", variants[i]);
        CHECK(cost_of(&k, 17, 9) == (7 + 3) * step, "%s: and back", variants[i]);
    }
    kit_end(&k, s);
}

/* Shortcuts lead one way. A link that does not lead towards the goal may still be on the path, where
 * walls stand; and from the start it leads to cells that no estimate may call far. */
static void shortcuts_lead_one_way(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= test_times(200, 60); seed++) {
        scene *s = scene_noise("islands", 30, 22, 25 + seed % 3 * 10, seed);
        if (seed % 4 == 0) scene_make_hex(s);
        scene_add_links(s, 1 + seed % 7, 100, 1500, false, seed);
        kit k = kit_of_scene(s, &s->profile);
        oracle_grid raw = scene_raw(s);
        oracle *o = oracle_of_grid(&raw, &s->profile, cairn_space_scale(k.space));
        kit_plan(&k, variants[seed % 2]);
        scene_rng rng = {seed};
        for (uint32_t i = 0; i < 12; i++) {
            cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
            const cairn_path *path;
            cairn_query query = {.from = from, .to = to};
            oracle_search(o, from);
            cairn_search_find(k.search, &query, &path);
            uint64_t cost = path->status == CAIRN_FOUND ? path->cost : ORACLE_NONE;
            CHECK(cost == o->distance[to], "%s, seed %u: from %u to %u costs %lld, not %lld",
                  variants[seed % 2], seed, from, to, (long long)cost, (long long)o->distance[to]);
        }
        oracle_destroy(o);
        kit_end(&k, s);
    }
}

/* Two links that cost less than the step between two neighbours, seen through a view. */
static void links_of_a_view_may_be_cheaper_than_a_step(void **state)
{
    (void)state;
    scene *s = scene_blank("links", 9, 5);
    kit ground = kit_of_scene(s, NULL);
    cairn_node from = 2 * 9 + 2, to = from + 1, middle = 4 * 9 + 8;
    cairn_link there = {.from = from, .to = middle, .id = 1, .cost = 1},
               back = {.from = middle, .to = to, .id = 2, .cost = 1};
    CHECK_OK(cairn_grid_add_link(ground.grid, &there));
    CHECK_OK(cairn_grid_add_link(ground.grid, &back));
    CHECK_OK(cairn_grid_commit(ground.grid));
    kit k = {0};
    CHECK_OK(cairn_space_view_create(ground.space, &k.space, NULL));
    kit_plan(&k, "astar");
    cairn_cost best = cost_of(&k, from, to);
    CHECK(best < cairn_space_scale(ground.space).straight, "the links are not cheap: %u", best);
    for (uint32_t i = 0; i < LENGTH(variants); i++) {
        kit_plan(&k, variants[i]);
        CHECK(cost_of(&k, from, to) == best, "%s: not %u", variants[i], best);
    }
    kit_close(&k);
    kit_end(&ground, s);
}

/* ---- what is expanded ---- */

typedef struct both {
    uint8_t *sides; /* by node: bits */
    uint32_t twice, forward, backward;
} both;

static void count(void *user, const cairn_event *event)
{
    both *b = user;
    if (event->kind != CAIRN_EVENT_EXPAND) return;
    uint8_t bit = event->level == CAIRN_LEVEL_BACKWARD ? 2 : 1;
    uint8_t *sides = &b->sides[event->node];
    *sides |= bit;
    if (*sides == 3) b->twice++;
    if (bit == 1) b->forward++;
    if (bit == 2) b->backward++;
}

static both expanded_by(kit *k, const char *spec, cairn_node from, cairn_node to)
{
    both b = {.sides = calloc(cairn_space_node_count(k->space), 1)};
    if (!b.sides) abort();
    kit_plan(k, spec);
    cairn_trace_sink sink = {count, &b};
    cairn_search_trace(k->search, &sink);
    CHECK_STATUS(cairn_search_find(k->search, &(cairn_query){.from = from, .to = to}, NULL),
                 CAIRN_FOUND);
    free(b.sides);
    return b;
}

/* With consistent estimates the second rule stops a side at what the other one has closed. */
static void no_node_is_expanded_from_both_sides(void **state)
{
    (void)state;
    static const char *const names[] = {"rooms", "light", "swamps", "trap", "hills"};
    uint32_t asked = 0, forward = 0, backward = 0;
    for (uint32_t n = 0; n < LENGTH(names); n++) {
        scene *s = scene_named(names[n]);
        kit k = kit_of_scene(s, &s->profile);
        scene_rng rng = {n + 1};
        for (uint32_t i = 0; i < 8; i++) {
            cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
            if (from == to || cairn_reachable(k.space, from, to) != CAIRN_REACH_YES) continue;
            both b = expanded_by(&k, "bidirectional", from, to);
            CHECK(b.twice == 0, "%s: %u nodes are expanded from both sides", s->name, b.twice);
            forward += b.forward, backward += b.backward;
            asked++;
        }
        kit_end(&k, s);
    }
    CHECK(asked > 15, "only %u queries", asked);
    CHECK(forward > 200 && backward > 200, "%u and %u nodes", forward, backward);
}

/* A start in a wide room, a goal at the end of a corridor that begins far from it: the goal's side
 * knows at once where to go. */
static void the_shorter_list_is_worked_on(void **state)
{
    (void)state;
    scene *s = scene_blank("room", 60, 60);
    for (uint32_t x = 0; x < 59; x++) s->open[57 * 60 + x] = 0; /* open at its right end */
    for (uint32_t x = 0; x < 60; x++) s->open[59 * 60 + x] = 0;
    kit k = kit_of_scene(s, &s->profile);
    cairn_node from = 0, to = 58 * 60;
    both b = expanded_by(&k, "bidirectional", from, to), a = expanded_by(&k, "astar", from, to);
    CHECK((b.forward + b.backward) * 4 < a.forward, "%u and %u are expanded, %u by A*", b.forward,
          b.backward, a.forward);
    kit_end(&k, s);
}

/* The pairs of NBS: no more than twice what is needed. What is needed is at most what either of the
 * searches from one end expands. */
static void nbs_expands_at_most_twice_what_one_end_needs(void **state)
{
    (void)state;
    scene *s = scene_named("rooms");
    kit k = kit_of_scene(s, &s->profile);
    scene_rng rng = {5};
    for (uint32_t i = 0; i < 12; i++) {
        cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
        if (cairn_reachable(k.space, from, to) != CAIRN_REACH_YES) continue;
        both b = expanded_by(&k, "bidirectional:variant=nbs", from, to),
             a = expanded_by(&k, "astar:open=heap,tie=small-g,loop=generic", from, to);
        CHECK(b.forward + b.backward <= 2 * a.forward, "%u and %u are expanded, %u by A*",
              b.forward, b.backward, a.forward);
    }
    kit_end(&k, s);
}

/* ---- reading the answer ---- */

/* The nodes that only the backward side has seen have their costs from the start as well. */
static void all_nodes_of_the_path_have_their_costs(void **state)
{
    (void)state;
    scene *s = scene_named("rooms");
    kit k = kit_of_scene(s, &s->profile);
    scene_rng rng = {9};
    for (uint32_t i = 0; i < 2 * LENGTH(variants); i++) {
        cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
        kit_plan(&k, variants[i / 2]);
        const cairn_path *path;
        cairn_query query = {.from = from, .to = to};
        if (cairn_search_find(k.search, &query, &path) != CAIRN_FOUND) continue;
        cairn_cost before = 0;
        for (uint32_t n = 1; n < path->count; n++) {
            cairn_cost cost = cairn_search_cost_to(k.search, path->nodes[n]);
            CHECK(cost != CAIRN_NO_COST && cost > before && cost <= path->cost,
                  "%s: node %u of the path costs %u after %u", variants[i / 2], n, cost, before);
            before = cost;
        }
        assert_int_equal(before, path->cost);
    }
    kit_end(&k, s);
}

static cairn_cost nothing(void *user, cairn_node node)
{
    (void)user, (void)node;
    return 0;
}

/* Without a goal, or with an estimate that cannot be turned round, A* answers. */
static void what_has_no_other_end_is_delegated(void **state)
{
    (void)state;
    scene *s = scene_named("rooms");
    kit k = kit_of_scene(s, &s->profile);
    scene_rng rng = {3};
    cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
    kit_plan(&k, "bidirectional");
    cairn_query queries[] = {{.from = from, .goal_kind = CAIRN_GOAL_NONE},
                             {.from = from, .to = to, .estimate = nothing},
                             {.from = from, .to = to}};
    for (uint32_t i = 0; i < LENGTH(queries); i++) {
        CHECK_STATUS(cairn_search_find(k.search, &queries[i], NULL), CAIRN_FOUND);
        assert_string_equal(cairn_search_metrics(k.search).answered_by->name,
                            i == 2 ? "bidirectional" : "astar");
    }
    kit_end(&k, s);
}

/* Every node that is known, beside the path too: its cost is that of the path to it. */
static uint32_t check_known(kit *k, const char *what)
{
    uint32_t known = 0;
    for (cairn_node i = 0; i < cairn_space_node_count(k->space); i++) {
        const cairn_path *path;
        cairn_cost cost = cairn_search_cost_to(k->search, i), walked = 0;
        if (cost == CAIRN_NO_COST) continue;
        CHECK_STATUS(cairn_search_path_to(k->search, i, &path), CAIRN_FOUND);
        CHECK(cairn_path_valid(k->space, path, &walked, NULL, NULL), "%s: no path to %u", what, i);
        CHECK(path->cost == cost && walked == cost, "%s: to %u costs %u, its path %u, walked %u",
              what, i, cost, path->cost, walked);
        known++;
    }
    return known;
}

/* In worlds of all kinds, and in graphs with several edges between two nodes, of which the cheapest
 * need not be looked at. */
static void nodes_beside_the_path_have_the_costs_of_their_paths(void **state)
{
    (void)state;
    static const char *const names[] = {"light", "swamps", "everything", "hex-swamps", "portals"};
    uint32_t known = 0;
    for (uint32_t n = 0; n < LENGTH(names); n++) {
        scene *s = scene_named(names[n]);
        kit k = kit_of_scene(s, &s->profile);
        for (uint32_t v = 0; v < LENGTH(variants); v++) {
            scene_rng rng = {n + 5};
            kit_plan(&k, variants[v]);
            for (uint32_t i = 0; i < test_times(25, 10); i++) {
                cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
                if (cost_of(&k, from, to) != CAIRN_NO_COST) known += check_known(&k, variants[v]);
            }
        }
        kit_end(&k, s);
    }
    enum { NODES = 60, EDGES = 240 };
    for (uint32_t seed = 1; seed <= test_times(40, 20); seed++) {
        cairn_graph_edge edges[EDGES];
        scene_rng rng = {seed};
        for (uint32_t i = 0; i < EDGES; i++) {
            cairn_node from = scene_random(&rng, NODES);
            cairn_node to = (from + 1 + scene_random(&rng, NODES - 1)) % NODES;
            edges[i] = (cairn_graph_edge){from, to, 1 + scene_random(&rng, 50)};
        }
        kit k = kit_of_edges(NODES, edges, EDGES);
        for (uint32_t v = 0; v < LENGTH(variants); v++) {
            kit_plan(&k, variants[v]);
            for (cairn_node to = 1; to < NODES; to++)
                if (cost_of(&k, 0, to) != CAIRN_NO_COST) known += check_known(&k, variants[v]);
        }
        kit_close(&k);
    }
    CHECK(known > 5000, "%u", known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_meeting_is_not_the_end),
        cmocka_unit_test(edges_lead_one_way),
        cmocka_unit_test(ground_is_paid_for_where_it_is_entered),
        cmocka_unit_test(shortcuts_lead_one_way),
        cmocka_unit_test(links_of_a_view_may_be_cheaper_than_a_step),
        cmocka_unit_test(no_node_is_expanded_from_both_sides),
        cmocka_unit_test(the_shorter_list_is_worked_on),
        cmocka_unit_test(nbs_expands_at_most_twice_what_one_end_needs),
        cmocka_unit_test(all_nodes_of_the_path_have_their_costs),
        cmocka_unit_test(nodes_beside_the_path_have_the_costs_of_their_paths),
        cmocka_unit_test(what_has_no_other_end_is_delegated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
