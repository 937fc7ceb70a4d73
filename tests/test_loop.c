/* test_loop.c: the loop and its plugs. The loops made for grids must be the generic one in
 * a hurry; the heap must obey its tie order strictly; Dijkstra and A* must agree on any
 * world; memory must follow the search.
 */
#include "kit.h"
#include "search/best_first.h"
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

/* ---- every open list equals the heap ------------------------------------------------- */

static const char *const open_lists[] = {"open=unsorted-array",
                                         "open=unsorted-list,member=hash",
                                         "open=unsorted-list",
                                         "open=sorted-array",
                                         "open=sorted-list,member=hash",
                                         "open=sorted-list",
                                         "open=skip-list",
                                         "open=binary-heap,member=hash",
                                         "open=binary-heap",
                                         "open=skew-heap",
                                         "open=splay-tree",
                                         "open=hot-queue",
                                         "open=binary-heap,store=h",
                                         "open=skew-heap,store=h"};

/* All of them sort strictly, so a search expands the same nodes in the same order. */
static void compare_lists(const scene *s, const cairn_profile *profile, const char *algorithm,
                          const char *list)
{
    kit heap = kit_of_scene(s, profile), other = kit_of_scene(s, profile);
    char spec[160], before = strchr(algorithm, ':') ? ',' : ':';
    snprintf(spec, sizeof spec, "%s%copen=heap,loop=generic", algorithm, before);
    kit_plan(&heap, spec);
    snprintf(spec, sizeof spec, "%s%c%s", algorithm, before, list);
    kit_plan(&other, spec);
    assert_int_equal(cairn_planner_optimal(heap.planner), cairn_planner_optimal(other.planner));
    scene_rng rng = {s->width};
    for (uint32_t i = 0; i < 5; i++) {
        cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
        if (i == 4) query.goal_kind = CAIRN_GOAL_NONE;
        answer a = answer_find(heap.search, &query), b = answer_find(other.search, &query),
               c = answer_sliced(other.search, &query, 1);
        CHECK(answer_same_path(&a, &b), "%s on %s: from %u to %u: %s %u, not %s %u", spec, s->name,
              query.from, query.to, cairn_status_text(b.path.status), b.path.cost,
              cairn_status_text(a.path.status), a.path.cost);
        CHECK(a.metrics.expanded == b.metrics.expanded &&
                  a.metrics.generated == b.metrics.generated &&
                  a.metrics.reopened == b.metrics.reopened && a.metrics.pushes == b.metrics.pushes,
              "%s on %s: expanded %u, not %u", spec, s->name, (unsigned)b.metrics.expanded,
              (unsigned)a.metrics.expanded);
        CHECK(answer_same_path(&b, &c) && answer_same_metrics(&b, &c), "%s on %s: in slices", spec,
              s->name);
        answer_free(&a), answer_free(&b), answer_free(&c);
    }
    kit_close(&heap), kit_close(&other);
}

static void every_open_list_expands_what_the_heap_expands(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"astar",
                                             "astar:tie=small-g",
                                             "astar:tie=first-in",
                                             "astar:tie=last-in",
                                             "astar:stop=longer",
                                             "astar:heuristic=manhattan",
                                             "astar:heuristic=null"};
    uint32_t turn = 0;
    for (uint32_t i = 2; i < scene_count(); i++) {
        scene *s = scene_at(i);
        cairn_profile profile;
        for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
            uint32_t every = test_sample() > 1 ? 5 : 1; /* of a sample, by turns, ... */
            for (uint32_t l = (i + rule) % every; l < LENGTH(open_lists); l += every, turn++)
                compare_lists(s, &profile, algorithms[turn % LENGTH(algorithms)], open_lists[l]);
        }
        scene_destroy(s);
    }
}

/* Where the estimate counts more than the cost, keys fall. */
static void every_open_list_takes_keys_that_fall(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"wastar:weight=2", "wastar:weight=9,reopen=yes",
                                             "dijkstra:tie=small-g", "greedy"};
    static const char *const lists[] = {
        "open=unsorted-array", "open=unsorted-list", "open=sorted-array",
        "open=sorted-list",    "open=skip-list",     "open=binary-heap",
        "open=skew-heap",      "open=splay-tree",    "open=hot-queue"};
    for (uint32_t i = 2; i < scene_count(); i++) {
        scene *s = scene_at(i);
        for (uint32_t l = 0; l < LENGTH(lists); l++)
            compare_lists(s, &s->profile, algorithms[(i + l) % LENGTH(algorithms)], lists[l]);
        scene_destroy(s);
    }
}

/* A node has thousands of neighbours: the list is long, and its work takes many units. */
static void long_lists_do_their_work_in_several_units(void **state)
{
    (void)state;
    enum { LEAVES = 6000 };
    static cairn_graph_edge edges[2 * LEAVES];
    for (uint32_t i = 0; i < LEAVES; i++) {
        edges[i] = (cairn_graph_edge){0, 1 + i, 1000 + i * 7919 % LEAVES};
        edges[LEAVES + i] = (cairn_graph_edge){1 + i, LEAVES + 1, i == 5 ? 100 : 9 * LEAVES};
    }
    static const struct {
        const char *list;
        uint64_t least, most; /* units */
    } cases[] = {{"heap", 95, 6100},
                 {"unsorted-array", 9000, 100000},
                 {"unsorted-list", 9000, 100000},
                 {"sorted-array", 500, 100000},
                 {"sorted-list", 9000, 100000},
                 {"skip-list", 300, 6500},
                 {"binary-heap", 370, 6500},
                 {"skew-heap", 400, 6500},
                 {"splay-tree", 400, 6500},
                 {"hot-queue", 380, 6500}};
    for (uint32_t i = 0; i < LENGTH(cases); i++) {
        kit k = {0};
        CHECK_OK(cairn_context_create(NULL, &k.context));
        cairn_graph_options options = {
            .node_count = LEAVES + 2, .edge_count = LENGTH(edges), .edges = edges};
        CHECK_OK(cairn_graph_create(k.context, &options, &k.graph, NULL));
        CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
        char spec[80];
        snprintf(spec, sizeof spec, "dijkstra:open=%s,loop=generic", cases[i].list);
        kit_plan(&k, spec);
        cairn_query query = {.from = 0, .to = LEAVES + 1};
        answer a = answer_find(k.search, &query), b = answer_sliced(k.search, &query, 7);
        CHECK(a.path.cost == 1000 + 5 * 7919 % LEAVES + 100, "%s: %u", spec, a.path.cost);
        CHECK(answer_same_path(&a, &b) && answer_same_metrics(&a, &b), "%s: in slices", spec);
        CHECK(a.metrics.work >= cases[i].least && a.metrics.work <= cases[i].most,
              "%s: %u units, %u expanded", spec, (unsigned)a.metrics.work,
              (unsigned)a.metrics.expanded);
        answer_free(&a), answer_free(&b);
        kit_close(&k);
    }
}

/* One query by a new search, whose k-th allocation fails. False if it has fewer. */
static bool starve_list(watched *memory, cairn_planner *planner, const cairn_query *query,
                        uint64_t k)
{
    cairn_search *search = NULL;
    uint64_t before = memory->failures;
    memory->fail_at = memory->calls + k;
    cairn_status status = cairn_search_create(planner, NULL, &search);
    if (status == CAIRN_OK) status = cairn_search_find(search, query, NULL);
    bool failed = memory->failures > before;
    memory->fail_at = 0;
    CHECK(status == (failed ? CAIRN_OUT_OF_MEMORY : CAIRN_FOUND), "\"%s\" when allocation %u fails",
          cairn_status_text(status), (unsigned)k);
    cairn_search_destroy(search);
    return failed;
}

/* A list that could not keep an entry is not empty: there is no memory. */
static void every_allocation_of_every_open_list_may_fail(void **state)
{
    (void)state;
    scene *s = scene_blank("hall", 60, 50);
    watched memory = {0};
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(watched_context(&memory, &context));
    CHECK_OK(scene_grid(s, context, &grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    cairn_query query = {.from = 30 * 60 + 30, .to = 59};
    for (uint32_t l = 0; l < LENGTH(open_lists); l++) {
        cairn_planner *planner;
        char spec[80];
        snprintf(spec, sizeof spec, "astar:heuristic=null,%s", open_lists[l]);
        CHECK_OK(cairn_planner_create(space, spec, &planner, NULL));
        uint64_t k = 1;
        while (starve_list(&memory, planner, &query, k)) k++;
        CHECK(k > 5, "%s: %u allocations", spec, (unsigned)k);
        cairn_planner_destroy(planner);
    }
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    assert_int_equal(memory.blocks, 0);
    scene_destroy(s);
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

/* ---- the most promising node -------------------------------------------------------- */

/* Whoever looks at the node that is next does not change what is expanded. */
static void to_look_at_the_next_node_changes_nothing(void **state)
{
    (void)state;
    static const char *const specs[] = {"astar", "astar:loop=generic", "astar:open=heap"};
    static const char *const names[] = {"rooms", "light", "swamps", "hex-light"};
    for (uint32_t n = 0; n < LENGTH(names) * LENGTH(specs); n++) {
        scene *s = scene_named(names[n % LENGTH(names)]);
        const char *spec = specs[n / LENGTH(names)];
        kit k = kit_of_scene(s, &s->profile);
        kit_plan(&k, spec);
        scene_rng rng = {n + 1};
        for (uint32_t i = 0; i < 40; i++) {
            cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
            const cairn_path *path;
            answer plain = answer_sliced(k.search, &query, 1);
            cairn_status status = cairn_search_begin(k.search, &query);
            while (status == CAIRN_RUNNING) {
                crn_best_first_promising(k.search);
                status = cairn_search_step(k.search, 1);
            }
            cairn_search_result(k.search, &path);
            answer looked = answer_of(k.search, path);
            CHECK(answer_same_path(&plain, &looked) && answer_same_metrics(&plain, &looked),
                  "%s in %s: %u units, not %u", spec, s->name, (unsigned)looked.metrics.expanded,
                  (unsigned)plain.metrics.expanded);
            answer_free(&plain), answer_free(&looked);
        }
        kit_end(&k, s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_grid_loops_equal_the_generic_one),
        cmocka_unit_test(every_open_list_expands_what_the_heap_expands),
        cmocka_unit_test(every_open_list_takes_keys_that_fall),
        cmocka_unit_test(long_lists_do_their_work_in_several_units),
        cmocka_unit_test(every_allocation_of_every_open_list_may_fail),
        cmocka_unit_test(the_heap_obeys_each_tie_order_strictly),
        cmocka_unit_test(dijkstra_and_astar_agree_exactly_on_random_grids),
        cmocka_unit_test(dijkstra_and_astar_agree_exactly_on_random_graphs),
        cmocka_unit_test(memory_follows_the_search_not_the_map),
        cmocka_unit_test(to_look_at_the_next_node_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
