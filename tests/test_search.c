/* test_search.c: what is special to the discrete searches: the worked example of the
 * lecture slides, reopening, the rules of stopping, strict ties, and that all the loops made
 * for grids are the generic one in a hurry.
 */
#include "conformance.h"
#include "kit.h"

/* ---- the slides' example ------------------------------------------------------------ */

enum { S, T, O, M, R, G, SLIDE_NODES };

static const char slide_names[] = "STOMRG";
static const cairn_graph_edge slide_edges[] = {{S, T, 6}, {S, O, 11}, {S, M, 7}, {S, R, 3},
                                               {T, O, 4}, {O, G, 3},  {M, O, 2}};

static cairn_cost slide_estimate(void *user, cairn_node node)
{
    (void)user;
    static const cairn_cost table[SLIDE_NODES] = {10, 6, 3, 8, 15, 0};
    return table[node];
}

/* The lists as the slides print them, kept up to date by the events. */
typedef struct slide_table {
    char state[SLIDE_NODES]; /* 0, 'o'pen, 'c'losed */
    cairn_cost g[SLIDE_NODES];
    cairn_node parent[SLIDE_NODES];
    char rows[16][160];
    uint32_t count;
} slide_table;

/* "T | O 10 TO 13, M 7 SM 15, R 3 SR 18 | S 0 -, T 6 ST", nodes in the order S T O M R G. */
static void slide_write_row(slide_table *t, cairn_node current)
{
    char *row = t->rows[t->count++];
    size_t size = sizeof t->rows[0], at = (size_t)snprintf(row, size, "%c |", slide_names[current]);
    for (int list = 0; list < 2; list++) {
        for (cairn_node n = 0; n < SLIDE_NODES; n++) {
            if (t->state[n] != "oc"[list]) continue;
            at += (size_t)snprintf(row + at, size - at, " %c %u ", slide_names[n], t->g[n]);
            if (n == S)
                at += (size_t)snprintf(row + at, size - at, "-");
            else
                at += (size_t)snprintf(row + at, size - at, "%c%c", slide_names[t->parent[n]],
                                       slide_names[n]);
            if (!list)
                at +=
                    (size_t)snprintf(row + at, size - at, " %u", t->g[n] + slide_estimate(NULL, n));
        }
        if (!list) at += (size_t)snprintf(row + at, size - at, " |");
    }
}

static void slide_event(void *user, const cairn_event *e)
{
    slide_table *t = user;
    switch (e->kind) {
    case CAIRN_EVENT_SOURCE:
    case CAIRN_EVENT_GENERATE:
    case CAIRN_EVENT_UPDATE:
    case CAIRN_EVENT_REOPEN:
        t->state[e->node] = 'o';
        t->g[e->node] = e->g;
        t->parent[e->node] = e->parent;
        break;
    case CAIRN_EVENT_CLOSE:
        t->state[e->node] = 'c';
        slide_write_row(t, e->node);
        break;
    default: break;
    }
}

static void the_worked_example_of_the_slides_is_reproduced_row_by_row(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "S | T 6 ST 12 O 11 SO 14 M 7 SM 15 R 3 SR 18 | S 0 -",
        "T | O 10 TO 13 M 7 SM 15 R 3 SR 18 | S 0 - T 6 ST",
        "O | M 7 SM 15 R 3 SR 18 G 13 OG 13 | S 0 - T 6 ST O 10 TO",
        "G | M 7 SM 15 R 3 SR 18 | S 0 - T 6 ST O 10 TO G 13 OG",
        "M | O 9 MO 12 R 3 SR 18 | S 0 - T 6 ST M 7 SM G 13 OG",
        "O | R 3 SR 18 G 12 OG 12 | S 0 - T 6 ST O 9 MO M 7 SM",
        "G | R 3 SR 18 | S 0 - T 6 ST O 9 MO M 7 SM G 12 OG",
        /* the slides stop here; the rule asks for one more look */
        "R | | S 0 - T 6 ST O 9 MO M 7 SM R 3 SR G 12 OG",
    };
    kit k = kit_of_edges(SLIDE_NODES, slide_edges, LENGTH(slide_edges));
    kit_plan(&k, "astar:open=heap,stop=longer");
    slide_table table = {0};
    cairn_trace_sink sink = {slide_event, &table};
    cairn_search_trace(k.search, &sink);
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(k.search,
                                   &(cairn_query){.from = S, .to = G, .estimate = slide_estimate},
                                   &path),
                 CAIRN_FOUND);
    assert_int_equal(path->cost, 12);
    const cairn_node way[] = {S, M, O, G};
    assert_int_equal(path->count, LENGTH(way));
    assert_memory_equal(path->nodes, way, sizeof way);
    assert_int_equal(table.count, LENGTH(expected));
    for (uint32_t i = 0; i < LENGTH(expected); i++) assert_string_equal(table.rows[i], expected[i]);
    kit_close(&k);
}

static void the_plain_rule_gives_thirteen_there_and_the_longer_one_twelve(void **state)
{
    (void)state;
    kit k = kit_of_edges(SLIDE_NODES, slide_edges, LENGTH(slide_edges));
    cairn_query query = {.from = S, .to = G, .estimate = slide_estimate};
    static const struct {
        const char *spec;
        cairn_cost cost;
    } cases[] = {{"astar:open=heap", 13},
                 {"astar:open=heap,stop=longer", 12},
                 {"dijkstra", 12},
                 {"dijkstra:open=heap", 12}};
    for (uint32_t i = 0; i < LENGTH(cases); i++) {
        const cairn_path *path;
        kit_plan(&k, cases[i].spec);
        if (!strncmp(cases[i].spec, "dijkstra", 8)) query.estimate = NULL;
        CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
        CHECK(path->cost == cases[i].cost, "%s: %u", cases[i].spec, path->cost);
    }
    kit_close(&k);
}

/* ---- stopping ----------------------------------------------------------------------- */

static void dijkstra_stops_when_the_goal_is_closed_not_when_it_is_first_seen(void **state)
{
    (void)state;
    /* Seen first for 10, reached for 3; behind the goal a chain that nobody needs. */
    const cairn_graph_edge edges[] = {{0, 3, 10}, {0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1},
                                      {4, 5, 1},  {5, 6, 1}, {6, 7, 1}, {0, 8, 9}, {8, 9, 9}};
    kit k = kit_of_edges(10, edges, LENGTH(edges));
    static const char *const specs[] = {"dijkstra", "dijkstra:open=heap", "astar",
                                        "astar:open=heap"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        kit_plan(&k, specs[i]);
        const cairn_path *path;
        CHECK_STATUS(cairn_search_find(k.search, &(cairn_query){.from = 0, .to = 3}, &path),
                     CAIRN_FOUND);
        CHECK(path->cost == 3, "%s: %u", specs[i], path->cost);
        CHECK(cairn_search_metrics(k.search).expanded <= 4, "%s: %u expanded", specs[i],
              (unsigned)cairn_search_metrics(k.search).expanded);
    }
    kit_close(&k);
}

/* All that was expanded, with its cost. */
typedef struct expansions {
    cairn_cost costliest;
    uint64_t count;
    uint64_t changes; /* generate, update, reopen */
} expansions;

static void expansions_event(void *user, const cairn_event *e)
{
    expansions *x = user;
    if (e->kind == CAIRN_EVENT_EXPAND) {
        x->count++;
        if (e->g > x->costliest) x->costliest = e->g;
    }
    x->changes += e->kind >= CAIRN_EVENT_GENERATE && e->kind <= CAIRN_EVENT_REOPEN;
}

static void dijkstra_never_looks_farther_than_the_goal(void **state)
{
    (void)state;
    scene *s = scene_noise("far", 120, 120, 10, 5);
    s->open[60 * 120 + 60] = s->open[60 * 120 + 75] = 1;
    kit k = kit_of_scene(s, NULL);
    static const char *const specs[] = {"dijkstra", "dijkstra:open=heap"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        kit_plan(&k, specs[i]);
        expansions x = {0};
        cairn_trace_sink sink = {expansions_event, &x};
        cairn_search_trace(k.search, &sink);
        const cairn_path *path;
        CHECK_STATUS(cairn_search_find(k.search,
                                       &(cairn_query){.from = 60 * 120 + 60, .to = 60 * 120 + 75},
                                       &path),
                     CAIRN_FOUND);
        CHECK(x.costliest <= path->cost, "%s: looked as far as %u for %u", specs[i], x.costliest,
              path->cost);
        CHECK(x.count < 2000, "%s: %u expanded", specs[i], (unsigned)x.count);
    }
    kit_close(&k);
    scene_destroy(s);
}

/* One unit of work is bounded, whatever the node. */
static void one_step_is_bounded_even_at_a_node_with_thousands_of_edges(void **state)
{
    (void)state;
    enum { SPOKES = 20000 };
    cairn_graph_edge *edges = malloc(2 * SPOKES * sizeof *edges);
    if (!edges) abort();
    for (uint32_t i = 0; i < SPOKES; i++) {
        edges[2 * i] = (cairn_graph_edge){0, i + 1, 5 + i % 7};
        edges[2 * i + 1] = (cairn_graph_edge){i + 1, SPOKES + 1, 100 - i % 50};
    }
    kit k = kit_of_edges(SPOKES + 2, edges, 2 * SPOKES);
    static const char *const specs[] = {"dijkstra", "astar:open=heap", "bfs", "dfs"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        kit_plan(&k, specs[i]);
        expansions x = {0};
        cairn_trace_sink sink = {expansions_event, &x};
        cairn_search_trace(k.search, &sink);
        cairn_query query = {.from = 0, .to = SPOKES + 1};
        cairn_status status = cairn_search_begin(k.search, &query);
        uint64_t most = x.changes;
        while (status == CAIRN_RUNNING) {
            uint64_t before = x.changes;
            status = cairn_search_step(k.search, 1);
            if (x.changes - before > most) most = x.changes - before;
        }
        CHECK(most <= 256, "%s: %u nodes touched in one step", specs[i], (unsigned)most);
        CHECK_STATUS(status, CAIRN_FOUND);
    }
    kit_close(&k);
    free(edges);
}

/* ---- estimates that mislead --------------------------------------------------------- */

/* Admissible but wild: some fraction of the true distance, from nothing to all of it. */
typedef struct wild_estimate {
    const uint64_t *true_distance; /* to the goal */
    uint64_t seed;
} wild_estimate;

static cairn_cost wild_function(void *user, cairn_node node)
{
    const wild_estimate *w = user;
    uint64_t d = w->true_distance[node];
    if (d == ORACLE_NONE) return 123456789; /* no path from here: any estimate is right */
    scene_rng rng = {w->seed * UINT64_C(0x9e3779b97f4a7c15) + node * UINT64_C(0xbf58476d1ce4e5b9) +
                     1};
    scene_random(&rng, 2);
    return (cairn_cost)(d * scene_random(&rng, 5) / 4);
}

static const char *const astar_specs[] = {"astar",
                                          "astar:open=heap",
                                          "astar:loop=generic",
                                          "astar:loop=generic,open=heap",
                                          "astar:open=heap,tie=small-g",
                                          "astar:open=heap,tie=first-in",
                                          "astar:open=heap,tie=last-in"};

static uint64_t check_wild(kit *k, const oracle *backward, cairn_node from, cairn_node to,
                           uint64_t best, uint64_t seed)
{
    wild_estimate wild = {backward->distance, seed};
    uint64_t reopened = 0;
    for (uint32_t i = 0; i < LENGTH(astar_specs); i++) {
        kit_plan(k, astar_specs[i]);
        const cairn_path *path;
        cairn_query query = {
            .from = from, .to = to, .estimate = wild_function, .estimate_user = &wild};
        CHECK_STATUS(cairn_search_find(k->search, &query, &path), CAIRN_FOUND);
        CHECK(path->cost == best, "%s from %u to %u: %u, not %u", astar_specs[i], from, to,
              path->cost, (unsigned)best);
        reopened += cairn_search_metrics(k->search).reopened;
    }
    return reopened;
}

static void inconsistent_estimates_still_give_optimal_paths_on_grids(void **state)
{
    (void)state;
    scene_rng rng = {77};
    uint64_t reopened = 0;
    for (uint32_t round = 0; round < 20; round++) {
        scene *s = scene_noise("wild", 40, 40, 20, 1000 + round);
        cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
        kit k = kit_of_scene(s, NULL);
        oracle_grid raw = scene_raw(s);
        oracle *o = oracle_of_grid(&raw, &s->profile, cairn_space_scale(k.space));
        oracle_search(o, to); /* the space has no directions, so backwards is forwards */
        if (o->distance[from] != ORACLE_NONE)
            reopened += check_wild(&k, o, from, to, o->distance[from], round);
        oracle_destroy(o);
        kit_close(&k);
        scene_destroy(s);
    }
    CHECK(reopened > 100, "only %u nodes were reopened: the estimates are too tame",
          (unsigned)reopened);
}

static void inconsistent_estimates_still_give_optimal_paths_on_directed_graphs(void **state)
{
    (void)state;
    scene_rng rng = {78};
    for (uint32_t round = 0; round < 30; round++) {
        cairn_graph_edge edges[600], back[600];
        for (uint32_t i = 0; i < 600; i++) {
            cairn_node a = i % 150, b = (a + 1 + scene_random(&rng, 149)) % 150;
            edges[i] = (cairn_graph_edge){a, b, 1 + scene_random(&rng, round % 2 ? 30 : 3000000)};
            back[i] = (cairn_graph_edge){b, a, edges[i].weight};
        }
        kit k = kit_of_edges(150, edges, 600);
        oracle *backward = oracle_of_edges(150, back, 600, false);
        cairn_node from = scene_random(&rng, 150), to = scene_random(&rng, 150);
        oracle_search(backward, to);
        if (backward->distance[from] != ORACLE_NONE) {
            check_wild(&k, backward, from, to, backward->distance[from], round);
        }
        oracle_destroy(backward);
        kit_close(&k);
    }
}

/* ---- large and uneven weights ------------------------------------------------------- */

static void weights_from_one_to_billions_are_compared_exactly(void **state)
{
    (void)state;
    scene_rng rng = {79};
    for (uint32_t round = 0; round < 40; round++) {
        cairn_graph_edge edges[500];
        for (uint32_t i = 0; i < 500; i++) {
            cairn_node a = i % 125, b = (a + 1 + scene_random(&rng, 124)) % 125;
            edges[i] =
                (cairn_graph_edge){a, b, 1 + scene_random(&rng, 1u << scene_random(&rng, 29))};
        }
        kit k = kit_of_edges(125, edges, 500);
        oracle *o = oracle_of_edges(125, edges, 500, false);
        oracle_search(o, 0);
        static const char *const specs[] = {"dijkstra", "dijkstra:open=heap", "astar"};
        for (uint32_t i = 0; i < LENGTH(specs); i++) {
            kit_plan(&k, specs[i]);
            for (cairn_node to = 1; to < 125; to += 6) {
                const cairn_path *path;
                cairn_search_find(k.search, &(cairn_query){.from = 0, .to = to}, &path);
                uint64_t cost = path->status == CAIRN_FOUND ? path->cost : ORACLE_NONE;
                CHECK(cost == o->distance[to], "%s to %u", specs[i], to);
            }
        }
        oracle_destroy(o);
        kit_close(&k);
    }
}

static void the_largest_cost_fits_and_one_more_overflows(void **state)
{
    (void)state;
    const cairn_graph_edge edges[] = {{0, 1, CAIRN_COST_MAX - 1},
                                      {1, 2, 1},
                                      {2, 3, 1},
                                      {0, 4, CAIRN_COST_MAX},
                                      {4, 5, CAIRN_COST_MAX}};
    kit k = kit_of_edges(7, edges, LENGTH(edges));
    static const char *const specs[] = {
        "dijkstra", "dijkstra:open=heap", "astar", "astar:open=heap", "greedy", "bfs", "dfs",
        "wastar"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        kit_plan(&k, specs[i]);
        static const struct {
            cairn_node to;
            cairn_status status;
            cairn_cost cost;
        } cases[] = {{1, CAIRN_FOUND, CAIRN_COST_MAX - 1},
                     {2, CAIRN_FOUND, CAIRN_COST_MAX},
                     {4, CAIRN_FOUND, CAIRN_COST_MAX},
                     {3, CAIRN_COST_OVERFLOW, CAIRN_NO_COST},
                     {5, CAIRN_COST_OVERFLOW, CAIRN_NO_COST}};
        for (uint32_t c = 0; c < LENGTH(cases); c++) {
            const cairn_path *path;
            cairn_status status =
                cairn_search_find(k.search, &(cairn_query){.from = 0, .to = cases[c].to}, &path);
            CHECK(status == cases[c].status && path->cost == cases[c].cost, "%s to %u: %s, %u",
                  specs[i], cases[c].to, cairn_status_text(status), path->cost);
        }
        /* The cheapest path costs too much for the limit, which is no overflow. */
        cairn_query limited = {.from = 0, .to = 3, .max_cost = 1000};
        CHECK(cairn_search_find(k.search, &limited, NULL) == CAIRN_UNREACHABLE, "%s with a limit",
              specs[i]);
    }
    kit_close(&k);
}

/* A hub whose last edges are the expensive ones, past the first batch. */
static void an_overflow_on_any_edge_of_a_large_node_is_noticed(void **state)
{
    (void)state;
    enum { SPOKES = 150 };
    cairn_graph_edge edges[SPOKES + 1];
    edges[0] = (cairn_graph_edge){SPOKES + 1, 0, CAIRN_COST_MAX - 100};
    for (uint32_t i = 0; i < SPOKES; i++)
        edges[i + 1] = (cairn_graph_edge){0, i + 1, i == SPOKES - 1 ? 1000 : 50};
    kit k = kit_of_edges(SPOKES + 2, edges, LENGTH(edges));
    static const char *const specs[] = {"dijkstra", "dijkstra:open=heap", "astar", "greedy", "bfs",
                                        "dfs"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        kit_plan(&k, specs[i]);
        cairn_status expensive =
            cairn_search_find(k.search, &(cairn_query){.from = SPOKES + 1, .to = SPOKES}, NULL);
        cairn_status cheap =
            cairn_search_find(k.search, &(cairn_query){.from = SPOKES + 1, .to = 3}, NULL);
        CHECK(expensive == CAIRN_COST_OVERFLOW && cheap == CAIRN_FOUND, "%s: %s, %s", specs[i],
              cairn_status_text(expensive), cairn_status_text(cheap));
    }
    kit_close(&k);
}

/* ---- the members of the family ------------------------------------------------------ */

static uint64_t expanded_by(kit *k, const char *spec, cairn_node from, cairn_node to)
{
    kit_plan(k, spec);
    CHECK_STATUS(cairn_search_find(k->search, &(cairn_query){.from = from, .to = to}, NULL),
                 CAIRN_FOUND);
    return cairn_search_metrics(k->search).expanded;
}

static void better_estimates_expand_fewer_nodes_on_open_maps(void **state)
{
    (void)state;
    scene *s = scene_blank("wide", 90, 90);
    kit k = kit_of_scene(s, NULL);
    cairn_node from = 45 * 90 + 20, to = 30 * 90 + 70;
    uint64_t dijkstra = expanded_by(&k, "dijkstra", from, to),
             astar = expanded_by(&k, "astar", from, to);
    uint64_t chebyshev = expanded_by(&k, "astar:heuristic=chebyshev", from, to);
    uint64_t greedy = expanded_by(&k, "greedy", from, to);
    assert_true(greedy < dijkstra / 10);
    assert_true(astar < chebyshev && chebyshev < dijkstra);
    assert_true(astar <= dijkstra / 4);
    kit_close(&k);
    scene_destroy(s);
}

static void weighted_astar_keeps_its_bound_for_every_weight(void **state)
{
    (void)state;
    scene_rng rng = {80};
    for (uint32_t round = 0; round < 6; round++) {
        /* A long detour makes the keys fall far, farther than the ring of buckets is long. */
        scene *s = round == 5 ? scene_serpent("weights", 90, 61)
                              : scene_noise("weights", 60, 60, 30, 500 + round);
        if (round % 2) scene_add_terrain(s, round);
        kit k = kit_of_scene(s, &s->profile);
        oracle_grid raw = scene_raw(s);
        oracle *o = oracle_of_grid(&raw, &s->profile, cairn_space_scale(k.space));
        static const char *const weights[] = {"1",   "1.1", "1.25", "1.5", "2",
                                              "3.5", "5",   "10",   "1000"};
        for (uint32_t w = 0; w < LENGTH(weights); w++) {
            static const char *const lists[] = {"buckets", "heap", "auto"};
            for (uint32_t open = 0; open < LENGTH(lists); open++) {
                char spec[80];
                snprintf(spec, sizeof spec, "wastar:weight=%s,open=%s", weights[w], lists[open]);
                kit_plan(&k, spec);
                for (uint32_t i = 0; i < 12; i++) {
                    cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
                    const cairn_path *path;
                    oracle_search(o, from);
                    cairn_search_find(k.search, &(cairn_query){.from = from, .to = to}, &path);
                    CHECK((path->status == CAIRN_FOUND) == (o->distance[to] != ORACLE_NONE), "%s",
                          spec);
                    if (path->status != CAIRN_FOUND) continue;
                    double bound = atof(weights[w]);
                    CHECK(path->cost <= bound * (double)o->distance[to] + 0.5, "%s: %u for %u",
                          spec, path->cost, (unsigned)o->distance[to]);
                    CHECK(path->suboptimality_bound >= 1 &&
                              path->suboptimality_bound <= bound + 0.01,
                          "%s: bound %f", spec, path->suboptimality_bound);
                }
            }
        }
        oracle_destroy(o);
        kit_close(&k);
        scene_destroy(s);
    }
}

/* Compares the searches of a planner with those of another one. */
static void check_same_searches(kit *k, const char *spec, const char *other, bool same,
                                const cairn_query *queries, uint32_t count)
{
    answer all[16];
    uint32_t differ = 0;
    kit_plan(k, spec);
    for (uint32_t i = 0; i < count; i++) all[i] = answer_find(k->search, &queries[i]);
    kit_plan(k, other);
    for (uint32_t i = 0; i < count; i++) {
        answer b = answer_find(k->search, &queries[i]);
        differ += !answer_same_path(&all[i], &b) || !answer_same_metrics(&all[i], &b);
        answer_free(&all[i]), answer_free(&b);
    }
    CHECK(same == !differ, "%s and %s: %u of %u searches differ", spec, other, differ, count);
}

static cairn_cost a_guess(void *user, cairn_node node)
{
    return *(const cairn_node *)user == node ? 0 : 2000;
}

/* By itself it takes buckets for weights up to 1.5 on uniform grids, and else the heap. */
static void weighted_astar_takes_the_list_that_is_faster(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        bool terrain, hex, estimate, buckets;
    } cases[] = {
        {"wastar", false, false, false, true},
        {"wastar:weight=1.1", false, false, false, true},
        {"wastar:weight=1.51", false, false, false, false},
        {"wastar:weight=2", false, false, false, false},
        {"wastar:heuristic=euclidean", false, false, false, true},
        {"wastar:heuristic=manhattan", false, false, false, false}, /* it promises nothing */
        {"wastar:loop=generic", false, false, false, false},
        {"wastar:tie=small-g", false, false, false, false},
        {"wastar", true, false, false, false},
        {"wastar", false, true, false, false},
        {"wastar", false, false, true, false},
    };
    for (uint32_t i = 0; i < LENGTH(cases); i++) {
        scene *s = scene_noise("lists", 50, 50, 30, 77);
        if (cases[i].terrain) scene_add_terrain(s, 1);
        if (cases[i].hex) scene_make_hex(s);
        kit k = kit_of_scene(s, &s->profile);
        scene_rng rng = {i + 1};
        cairn_query queries[12];
        for (uint32_t q = 0; q < LENGTH(queries); q++) {
            queries[q] = (cairn_query){.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
            if (!cases[i].estimate) continue;
            queries[q].estimate = a_guess;
            queries[q].estimate_user = &queries[q].to;
        }
        for (uint32_t heap = 0; heap < 2; heap++) {
            char other[80];
            snprintf(other, sizeof other, "%s%copen=%s", cases[i].spec,
                     strchr(cases[i].spec, ':') ? ',' : ':', heap ? "heap" : "buckets");
            bool is_it = heap ? !cases[i].buckets : cases[i].buckets;
            /* buckets that cannot keep a promise are the heap anyway */
            if (is_it || !(cases[i].estimate || strstr(cases[i].spec, "tie")))
                check_same_searches(&k, cases[i].spec, other, is_it, queries, LENGTH(queries));
        }
        kit_end(&k, s);
    }
}

/* A weight is kept in 256ths, rounded down. */
static void every_256th_can_be_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        int64_t weight;
    } cases[] = {
        {"wastar:weight=1", 256},
        {"wastar:weight=1.0039", 256},
        {"wastar:weight=1.00390624", 256},
        {"wastar:weight=1.00390625", 257},
        {"wastar:weight=1.00390625999", 257},
        {"wastar:weight=1.0078125", 258},
        {"wastar:weight=1.99609375", 511},
        {"wastar:weight=1.9999999999999999999", 511},
    };
    scene *s = scene_named("trap");
    kit k = kit_of_scene(s, &s->profile);
    for (uint32_t i = 0; i < LENGTH(cases); i++) {
        kit_plan(&k, cases[i].spec);
        assert_int_equal(cairn_planner_parameter(k.planner, 0), cases[i].weight);
    }
    for (int64_t weight = 256; weight <= 1024; weight++) {
        char spec[64];
        snprintf(spec, sizeof spec, "wastar:weight=%lld.%08lld", (long long)(weight / 256),
                 (long long)(weight % 256) * 390625);
        kit_plan(&k, spec);
        assert_int_equal(cairn_planner_parameter(k.planner, 0), weight);
    }
    kit_end(&k, s);
}

/* Of equal f, the least weight above 1 prefers the smaller estimate, as large-g does: without it
 * the order of ties is another one, with it none are left. */
static void the_least_weight_breaks_ties(void **state)
{
    (void)state;
    static const char *const specs[] = {"wastar:weight=1,open=heap,tie=small-g",
                                        "wastar:weight=1.00390625,open=heap,tie=small-g",
                                        "wastar:weight=1.00390625,open=heap,tie=large-g"};
    uint64_t expanded[LENGTH(specs)] = {0};
    scene *s = scene_noise("ties", 60, 60, 10, 5);
    kit k = kit_of_scene(s, &s->profile);
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        scene_rng rng = {3};
        kit_plan(&k, specs[i]);
        for (uint32_t q = 0; q < 20; q++) {
            cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
            cairn_search_find(k.search, &query, NULL);
            expanded[i] += cairn_search_metrics(k.search).expanded;
        }
    }
    kit_end(&k, s);
    CHECK(expanded[1] == expanded[2] && 4 * expanded[1] < 3 * expanded[0],
          "%u, %u and %u expansions", (unsigned)expanded[0], (unsigned)expanded[1],
          (unsigned)expanded[2]);
}

/* Long detours under a large weight: keys fall farther than the ring of buckets is long, and
 * entries wait in buckets above their keys. */
static void keys_that_fall_out_of_the_ring_of_bins_are_not_lost(void **state)
{
    (void)state;
    static const struct {
        uint32_t width, height;
        const char *spec;
        cairn_node from, to;
    } cases[] = {{90, 72, "wastar:open=buckets,weight=5", 741, 188},
                 {90, 72, "wastar:open=buckets,weight=30", 4340, 5968},
                 {90, 72, "wastar:open=buckets,weight=100", 3146, 3313},
                 {132, 91, "wastar:open=buckets,weight=30", 8718, 3978},
                 {121, 92, "wastar:open=buckets,weight=10", 6166, 3498}};
    for (uint32_t i = 0; i < LENGTH(cases); i++) {
        scene *s = scene_serpent("detour", cases[i].width, cases[i].height);
        kit k = kit_of_scene(s, NULL);
        oracle_grid raw = scene_raw(s);
        oracle *o = oracle_of_grid(&raw, &s->profile, cairn_space_scale(k.space));
        oracle_search(o, cases[i].from);
        kit_plan(&k, cases[i].spec);
        const cairn_path *path;
        cairn_query query = {.from = cases[i].from, .to = cases[i].to};
        CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
        assert_int_equal(path->cost, o->distance[cases[i].to]); /* there is only one way */
        oracle_destroy(o);
        kit_close(&k);
        scene_destroy(s);
    }
}

static void breadth_first_takes_the_fewest_steps(subject *s)
{
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        const known_query *q = &s->place->queries[i];
        const cairn_path *path;
        if (cairn_search_find(s->search, &(cairn_query){.from = q->from, .to = q->to}, &path) !=
            CAIRN_FOUND)
            continue;
        uint64_t steps = cairn_path_step_count(s->place->space, path) - 1;
        CHECK(steps == q->steps, "%s: %u steps, not %u", subject_text(s), (unsigned)steps,
              q->steps);
    }
}

static void breadth_first_is_optimal_in_steps(void **state)
{
    (void)state;
    conformance_each_of("bfs", PLACES_ALL | SETTINGS_EACH, breadth_first_takes_the_fewest_steps);
}

static void depth_first_finds_every_cell_there_is_a_way_to(void **state)
{
    (void)state;
    scene *s = scene_noise("deep", 50, 50, 35, 90);
    kit k = kit_of_scene(s, NULL);
    oracle_grid raw = scene_raw(s);
    oracle *o = oracle_of_grid(&raw, &s->profile, cairn_space_scale(k.space));
    kit_plan(&k, "dfs");
    scene_rng rng = {3};
    cairn_node from = scene_pick(s, &rng);
    oracle_search(o, from);
    for (cairn_node to = 0; to < o->count; to++) {
        if (!o->usable[to]) continue;
        cairn_status status =
            cairn_search_find(k.search, &(cairn_query){.from = from, .to = to}, NULL);
        CHECK((status == CAIRN_FOUND) == (o->distance[to] != ORACLE_NONE), "to %u: %s", to,
              cairn_status_text(status));
    }
    oracle_destroy(o);
    kit_close(&k);
    scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example_of_the_slides_is_reproduced_row_by_row),
        cmocka_unit_test(the_plain_rule_gives_thirteen_there_and_the_longer_one_twelve),
        cmocka_unit_test(dijkstra_stops_when_the_goal_is_closed_not_when_it_is_first_seen),
        cmocka_unit_test(dijkstra_never_looks_farther_than_the_goal),
        cmocka_unit_test(one_step_is_bounded_even_at_a_node_with_thousands_of_edges),
        cmocka_unit_test(inconsistent_estimates_still_give_optimal_paths_on_grids),
        cmocka_unit_test(inconsistent_estimates_still_give_optimal_paths_on_directed_graphs),
        cmocka_unit_test(weights_from_one_to_billions_are_compared_exactly),
        cmocka_unit_test(the_largest_cost_fits_and_one_more_overflows),
        cmocka_unit_test(an_overflow_on_any_edge_of_a_large_node_is_noticed),
        cmocka_unit_test(better_estimates_expand_fewer_nodes_on_open_maps),
        cmocka_unit_test(weighted_astar_keeps_its_bound_for_every_weight),
        cmocka_unit_test(weighted_astar_takes_the_list_that_is_faster),
        cmocka_unit_test(every_256th_can_be_asked_for),
        cmocka_unit_test(the_least_weight_breaks_ties),
        cmocka_unit_test(keys_that_fall_out_of_the_ring_of_bins_are_not_lost),
        cmocka_unit_test(breadth_first_is_optimal_in_steps),
        cmocka_unit_test(depth_first_finds_every_cell_there_is_a_way_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
