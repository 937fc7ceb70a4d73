/* test_loop.c: the loop and its plugs. The loops made for grids must be the generic one in
 * a hurry; the heap must obey its tie order strictly; Dijkstra and A* must agree on any
 * world; memory must follow the search.
 */
#include "kit.h"
#include "world/grid_space.h"

/* ---- the loops made for grids equal the generic one --------------------------------- */

/* On uniform squares an optimal search leaves out moves that the canonical order does without: then
 * only what paths cost is the same. */
static bool leaves_out_moves(const kit *k)
{
    const crn_grid_space *space = crn_grid_space_of(k->space);
    return space->uniform && !space->hex && cairn_planner_optimal(k->planner);
}

static void compare_loops(const scene *s, const cairn_profile *profile, const char *algorithm)
{
    kit fast = kit_of_scene(s, profile), any = kit_of_scene(s, profile);
    char spec[160];
    snprintf(spec, sizeof spec, "%s%cloop=fast", algorithm, strchr(algorithm, ':') ? ',' : ':');
    kit_plan(&fast, spec);
    snprintf(spec, sizeof spec, "%s%cloop=generic", algorithm, strchr(algorithm, ':') ? ',' : ':');
    kit_plan(&any, spec);
    scene_rng rng = {s->width};
    for (uint32_t i = 0; i < 5; i++) {
        cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
        if (i == 4) query.goal_kind = CAIRN_GOAL_NONE;
        answer a = answer_find(fast.search, &query), b = answer_find(any.search, &query);
        bool loose = leaves_out_moves(&fast);
        bool same = loose ? a.path.status == b.path.status && a.path.cost == b.path.cost
                          : answer_same_path(&a, &b);
        CHECK(same, "%s on %s: from %u to %u: %s %u and %s %u", algorithm, s->name, query.from,
              query.to, cairn_status_text(a.path.status), a.path.cost,
              cairn_status_text(b.path.status), b.path.cost);
        CHECK(loose || answer_same_metrics(&a, &b),
              "%s on %s: expanded %u and %u, generated %u and %u, pushes %u and %u", algorithm,
              s->name, (unsigned)a.metrics.expanded, (unsigned)b.metrics.expanded,
              (unsigned)a.metrics.generated, (unsigned)b.metrics.generated,
              (unsigned)a.metrics.pushes, (unsigned)b.metrics.pushes);
        for (cairn_node n = 0; n < s->width * s->height && (!loose || i == 4); n += 3) {
            cairn_cost x = cairn_search_cost_to(fast.search, n),
                       y = cairn_search_cost_to(any.search, n);
            CHECK(x == y, "%s on %s: node %u costs %u and %u", algorithm, s->name, n, x, y);
        }
        answer_free(&a), answer_free(&b);
    }
    kit_close(&fast), kit_close(&any);
}

static void the_grid_loops_equal_the_generic_one(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"astar",
                                             "dijkstra",
                                             "greedy",
                                             "wastar:weight=2",
                                             "bfs",
                                             "dfs",
                                             "astar:open=heap",
                                             "astar:open=heap,tie=first-in",
                                             "dijkstra:open=heap,tie=small-g",
                                             "astar:heuristic=euclidean",
                                             "astar:heuristic=chebyshev",
                                             "astar:heuristic=manhattan",
                                             "astar:heuristic=null"};
    for (uint32_t i = 2; i < scene_count(); i++) {
        scene *s = scene_at(i);
        cairn_profile profile;
        for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
            uint32_t every = test_sample() > 1 ? 3 : 1; /* of a sample, by turns */
            for (uint32_t a = (i + rule) % every; a < LENGTH(algorithms); a += every)
                compare_loops(s, &profile, algorithms[a]);
        }
        scene_destroy(s);
    }
}

/* ---- strict ties -------------------------------------------------------------------- */

typedef struct waiting {
    cairn_node node;
    uint64_t key;
    cairn_cost g;
    uint32_t order; /* of pushing */
} waiting;

/* The open list by the book: an array, searched whole. */
typedef struct book {
    waiting list[20000];
    uint32_t count, pushed, checked;
    char tie; /* 'l'arge-g, 's'mall-g, 'f'irst-in, 'n'ewest */
    bool with_g;
} book;

static bool book_before(const book *b, const waiting *x, const waiting *y)
{
    if (x->key != y->key) return x->key < y->key;
    if (b->tie == 'l' && x->g != y->g) return x->g > y->g;
    if (b->tie == 's' && x->g != y->g) return x->g < y->g;
    if (b->tie == 'f') return x->order < y->order;
    return x->order > y->order;
}

static void book_event(void *user, const cairn_event *e)
{
    book *b = user;
    bool improves = e->kind == CAIRN_EVENT_SOURCE || e->kind == CAIRN_EVENT_GENERATE ||
                    e->kind == CAIRN_EVENT_UPDATE || e->kind == CAIRN_EVENT_REOPEN;
    if (!improves && e->kind != CAIRN_EVENT_EXPAND) return;
    uint32_t best = 0;
    if (e->kind == CAIRN_EVENT_EXPAND) {
        for (uint32_t i = 1; i < b->count; i++) {
            if (book_before(b, &b->list[i], &b->list[best])) best = i;
        }
        CHECK(b->count && b->list[best].node == e->node, "expanded %u, the first in line is %u",
              e->node, b->list[best].node);
        b->checked++;
    }
    for (uint32_t i = 0; i < b->count; i++) { /* no node waits twice */
        if (b->list[i].node == e->node) b->list[i--] = b->list[--b->count];
    }
    if (!improves) return;
    CHECK(b->count < LENGTH(b->list), "too many nodes for the book");
    b->list[b->count++] =
        (waiting){e->node, (b->with_g ? (uint64_t)e->g : 0) + e->h, e->g, b->pushed++};
}

static void the_heap_obeys_each_tie_order_strictly(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        char tie;
        bool with_g;
    } cases[] = {{"astar:open=heap,tie=large-g", 'l', true},
                 {"astar:open=heap,tie=small-g", 's', true},
                 {"astar:open=heap,tie=first-in", 'f', true},
                 {"astar:open=heap,tie=last-in", 'n', true},
                 {"dijkstra:open=heap,tie=first-in", 'f', true},
                 {"dijkstra:open=heap,tie=last-in", 'n', true}};
    static const char *const names[] = {"open", "trap", "light", "rooms", "swamps"};
    book *b = malloc(sizeof *b);
    if (!b) abort();
    for (uint32_t n = 0; n < LENGTH(names); n++) {
        scene *s = scene_named(names[n]);
        for (uint32_t c = 0; c < LENGTH(cases); c++) {
            kit k = kit_of_scene(s, &s->profile);
            kit_plan(&k, cases[c].spec);
            scene_rng rng = {n + 1};
            for (uint32_t i = 0; i < 3; i++) {
                b->count = b->pushed = b->checked = 0;
                b->tie = cases[c].tie, b->with_g = cases[c].with_g;
                cairn_trace_sink sink = {book_event, b};
                cairn_search_trace(k.search, &sink);
                cairn_search_find(
                    k.search,
                    &(cairn_query){.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)}, NULL);
            }
            kit_close(&k);
        }
        scene_destroy(s);
    }
    free(b);
}

/* ---- agreement ---------------------------------------------------------------------- */

static void agree_on(kit *k, oracle *o, cairn_node from, const cairn_node *to, uint32_t count,
                     const char *name)
{
    static const char *const specs[] = {"dijkstra", "astar", "dijkstra:open=heap",
                                        "astar:open=heap"};
    oracle_search(o, from);
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        kit_plan(k, specs[i]);
        for (uint32_t t = 0; t < count; t++) {
            const cairn_path *path;
            cairn_search_find(k->search, &(cairn_query){.from = from, .to = to[t]}, &path);
            uint64_t cost = path->status == CAIRN_FOUND ? path->cost : ORACLE_NONE;
            CHECK(cost == o->distance[to[t]], "%s on %s from %u to %u", specs[i], name, from,
                  to[t]);
        }
    }
}

static void dijkstra_and_astar_agree_exactly_on_random_grids(void **state)
{
    (void)state;
    scene_rng rng = {123};
    for (uint32_t round = 0; round < 96; round++) {
        uint32_t width = 20 + scene_random(&rng, 60), height = 20 + scene_random(&rng, 60);
        scene *s = scene_noise("seeded", width, height, scene_random(&rng, 45), round * 31 + 7);
        if (round & 1) scene_add_terrain(s, round);
        if (round & 2) scene_add_danger(s, round);
        if (round & 4) round & 8 ? scene_add_cliffs(s, round) : scene_add_hills(s, round);
        s->profile.neighbours = round % 4 == 3 ? CAIRN_NEIGHBOURS_4 : CAIRN_NEIGHBOURS_8;
        s->profile.corners = (cairn_corners)(round % 3);
        s->profile.cost_scale = round % 5 ? CAIRN_COST_SCALE_AUTO : round % CAIRN_COST_SCALES;
        kit k = kit_of_scene(s, &s->profile);
        oracle_grid raw = scene_raw(s);
        oracle *o = oracle_of_grid(&raw, &s->profile, cairn_space_scale(k.space));
        cairn_node to[5], from = scene_pick(s, &rng);
        for (uint32_t i = 0; i < LENGTH(to); i++) to[i] = scene_pick(s, &rng);
        agree_on(&k, o, from, to, LENGTH(to), s->name);
        oracle_destroy(o);
        kit_close(&k);
        scene_destroy(s);
    }
}

static void dijkstra_and_astar_agree_exactly_on_random_graphs(void **state)
{
    (void)state;
    scene_rng rng = {124};
    for (uint32_t round = 0; round < 30; round++) {
        uint32_t nodes = 50 + scene_random(&rng, 200), count = 0;
        cairn_position positions[250];
        cairn_graph_edge edges[1000];
        for (uint32_t i = 0; i < nodes; i++) {
            positions[i] =
                (cairn_position){scene_random(&rng, 1000), scene_random(&rng, 1000) / 8.0, 0};
        }
        for (uint32_t i = 0; i < nodes * 4; i++) {
            cairn_node a = scene_random(&rng, nodes), b = scene_random(&rng, nodes);
            if (a != b) edges[count++] = (cairn_graph_edge){a, b, 1 + scene_random(&rng, 100000)};
        }
        kit k = {0};
        CHECK_OK(cairn_context_create(NULL, &k.context));
        cairn_graph_options options = {.node_count = nodes,
                                       .edge_count = count,
                                       .positions = round % 3 ? positions : NULL,
                                       .edges = edges,
                                       .both_ways = round % 2};
        CHECK_OK(cairn_graph_create(k.context, &options, &k.graph, NULL));
        CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
        oracle *o = oracle_of_edges(nodes, edges, count, round % 2);
        cairn_node to[20];
        for (uint32_t i = 0; i < LENGTH(to); i++) to[i] = scene_random(&rng, nodes);
        agree_on(&k, o, scene_random(&rng, nodes), to, LENGTH(to), "a random graph");
        oracle_destroy(o);
        kit_close(&k);
    }
}

/* ---- memory ------------------------------------------------------------------------- */

static void memory_follows_the_search_not_the_map(void **state)
{
    (void)state;
    enum { SIDE = 4096 };
    kit k = {0};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    cairn_grid_options options = {.width = SIDE, .height = SIDE};
    CHECK_OK(cairn_grid_create(k.context, &options, &k.grid, NULL));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    kit_plan(&k, "astar");
    cairn_node middle = SIDE / 2 * SIDE + SIDE / 2;
    const cairn_path *path;
    CHECK_STATUS(
        cairn_search_find(k.search, &(cairn_query){.from = middle, .to = middle + 30}, &path),
        CAIRN_FOUND);
    size_t near = (size_t)cairn_search_metrics(k.search).peak_bytes;
    CHECK(near < 2u << 20, "%u bytes for thirty steps", (unsigned)near);
    /* Corner to corner over the whole map: the diagonal, and memory along it. */
    CHECK_STATUS(
        cairn_search_find(k.search, &(cairn_query){.from = 0, .to = SIDE * SIDE - 1}, &path),
        CAIRN_FOUND);
    assert_int_equal(path->count, 2);
    assert_int_equal(path->cost, (SIDE - 1) * cairn_space_scale(k.space).diagonal);
    size_t far = (size_t)cairn_search_metrics(k.search).peak_bytes;
    CHECK(far < 16u << 20, "%u bytes for one diagonal", (unsigned)far);
    kit_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_grid_loops_equal_the_generic_one),
        cmocka_unit_test(the_heap_obeys_each_tie_order_strictly),
        cmocka_unit_test(dijkstra_and_astar_agree_exactly_on_random_grids),
        cmocka_unit_test(dijkstra_and_astar_agree_exactly_on_random_graphs),
        cmocka_unit_test(memory_follows_the_search_not_the_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
