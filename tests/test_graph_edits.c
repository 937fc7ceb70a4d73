/* test_graph_edits.c: graphs edited by commits, against a plain list of edges edited alike: the
 * edges of the space both ways, components, bounds and estimates against those of a graph made
 * again, the answers of every algorithm against the oracle, what is said to have changed, and
 * files.
 */
#include "files.h"
#include "graph_edits.h"
#include "kit.h"

#include "edge_sets.h"
#include "world/graph.h"

static cairn_graph *graph_of(cairn_context *context, uint32_t i, uint64_t seed)
{
    cairn_graph *graph;
    if (i < graph_scene_count()) {
        graph_scene *s = graph_scene_at(i);
        CHECK_OK(graph_scene_graph(s, context, &graph));
        graph_scene_destroy(s);
        return graph;
    }
    enum { NODES = 30, EDGES = 70 };
    scene_rng rng = {seed};
    cairn_graph_edge edges[EDGES];
    cairn_position positions[NODES];
    for (uint32_t k = 0; k < NODES; k++)
        positions[k] = (cairn_position){scene_random(&rng, 900), scene_random(&rng, 900), 0};
    for (uint32_t k = 0; k < EDGES; k++) {
        cairn_node a = scene_random(&rng, NODES);
        edges[k] = (cairn_graph_edge){a, (a + 1 + scene_random(&rng, NODES - 1)) % NODES,
                                      1 + scene_random(&rng, 2000)};
    }
    cairn_graph_options options = {.node_count = NODES,
                                   .edge_count = EDGES,
                                   .edges = edges,
                                   .positions = i & 1 ? positions : NULL,
                                   .both_ways = i & 2};
    CHECK_OK(cairn_graph_create(context, &options, &graph, NULL));
    return graph;
}

enum { GRAPHS = 14 };

/* ---- the space -------------------------------------------------------------------------- */

static void check_bounds(const crn_graph_space *a, const crn_graph_space *b)
{
    CHECK(a->base.max_edge == b->base.max_edge && a->base.max_step == b->base.max_step &&
              a->base.min_edge == b->base.min_edge &&
              a->base.default_heuristic == b->base.default_heuristic,
          "bounds of edges");
    for (int h = 0; h < CAIRN_HEURISTIC_COUNT; h++) {
        CHECK(a->graph->estimate_scale[h] == b->graph->estimate_scale[h], "scale %d", h);
    }
}

/* Disabled nodes are alone in the other one. */
static void check_components(const drawn_graph *d, const cairn_space *a, const cairn_space *b)
{
    uint32_t count, largest, disabled = 0, others, most;
    for (cairn_node n = 0; n < d->node_count; n++) {
        CHECK(cairn_space_usable(a, n) == d->open[n], "node %u", n);
        disabled += !d->open[n];
        if (!d->open[n]) assert_int_equal(cairn_space_component(a, n), 0);
        for (cairn_node m = 0; m < n; m++) {
            if (!d->open[n] || !d->open[m]) continue;
            bool together = cairn_space_component(a, n) == cairn_space_component(a, m);
            CHECK(together == (cairn_space_component(b, n) == cairn_space_component(b, m)),
                  "%u and %u", n, m);
        }
    }
    assert_int_equal(cairn_space_directed(a), cairn_space_directed(b));
    CHECK_OK(cairn_space_components(a, &count, &largest));
    CHECK_OK(cairn_space_components(b, &others, &most));
    assert_int_equal(count, others - disabled);
}

static void check_space(const drawn_graph *d, const cairn_space *space, scene_rng *rng)
{
    const cairn_graph *graph = cairn_space_graph(space);
    uint32_t count;
    cairn_graph_edge *list = drawn_list(d, &count);
    edge_set drawn = {0}, ahead = edge_set_of(space, cairn_space_expand, false, 3);
    for (uint32_t i = 0; i < count; i++) edge_set_add(&drawn, list[i]);
    if (count) qsort(drawn.edges, drawn.count, sizeof *drawn.edges, edge_set_order);
    edge_set_check_equal("edges", &ahead, &drawn);
    edge_set_check_back("back", space, 2);
    assert_int_equal(cairn_space_validate(space, NULL, NULL), 0);
    cairn_graph_options options = {.node_count = d->node_count, .edge_count = count, .edges = list};
    if (cairn_graph_has_positions(graph)) options.positions = d->positions;
    cairn_graph *fresh;
    cairn_space *other;
    CHECK_OK(cairn_graph_create(cairn_space_context(space), &options, &fresh, NULL));
    CHECK_OK(cairn_space_of_graph(fresh, &other, NULL));
    assert_int_equal(graph->tall, fresh->tall);
    check_bounds((const crn_graph_space *)(const void *)space,
                 (const crn_graph_space *)(const void *)other);
    check_components(d, space, other);
    for (uint32_t i = 0; i < 20; i++) {
        cairn_position at = {scene_random(rng, 1000), scene_random(rng, 1000), i & 1 ? i : 0};
        assert_int_equal(cairn_space_node_at(space, at), cairn_space_node_at(other, at));
    }
    cairn_space_destroy(other);
    cairn_graph_destroy(fresh);
    edge_set_free(&drawn);
    edge_set_free(&ahead);
    free(list);
}

static void spaces_follow_every_commit(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < GRAPHS; i++) {
        kit k = {0};
        scene_rng rng = {i + 1};
        CHECK_OK(cairn_context_create(NULL, &k.context));
        k.graph = graph_of(k.context, i, i);
        cairn_space *second;
        CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
        CHECK_OK(cairn_space_of_graph(k.graph, &second, NULL));
        drawn_graph d = drawn_of(k.graph);
        bool large = d.node_count > 200;
        for (uint32_t round = 0; round < (large ? 3 : 40); round++) {
            for (uint32_t e = 1 + scene_random(&rng, 5); e; e--) drawn_edit(&d, k.graph, &rng);
            uint64_t before = cairn_space_version(k.space);
            CHECK_OK(cairn_graph_commit(k.graph));
            CHECK(cairn_space_version(k.space) <= before + 1, "one version a commit");
            check_space(&d, k.space, &rng);
            check_space(&d, second, &rng);
        }
        drawn_free(&d);
        cairn_space_destroy(second);
        kit_close(&k);
    }
}

/* ---- answers ----------------------------------------------------------------------------- */

/* Every planner lives through the edits; those with an index are synced. */
static void live(const cairn_algorithm *algorithm, uint32_t i)
{
    kit k = {0};
    scene_rng rng = {i + 5};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    k.graph = graph_of(k.context, i, i);
    CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
    drawn_graph d = drawn_of(k.graph);
    if (planner_ready(k.space, algorithm->name, &k.planner, NULL) == CAIRN_OK) {
        CHECK_OK(cairn_search_create(k.planner, NULL, &k.search));
        for (uint32_t round = 0; round < 12; round++) {
            uint64_t before = cairn_space_version(k.space);
            for (uint32_t e = 1 + scene_random(&rng, 5); e; e--) drawn_edit(&d, k.graph, &rng);
            CHECK_OK(cairn_graph_commit(k.graph));
            bool stale =
                algorithm->flags & CAIRN_NEEDS_INDEX && cairn_space_version(k.space) != before;
            CHECK_STATUS(cairn_planner_state(k.planner), stale ? CAIRN_STALE : CAIRN_OK);
            CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
            oracle *o = drawn_oracle(&d);
            for (uint32_t q = 0; q < 12; q++) {
                cairn_node from = scene_random(&rng, d.node_count),
                           to = scene_random(&rng, d.node_count);
                const cairn_path *path;
                cairn_status status =
                    cairn_search_find(k.search, &(cairn_query){.from = from, .to = to}, &path);
                oracle_search(o, from);
                uint64_t best = o->distance[to];
                cairn_status must = !d.open[from]         ? CAIRN_BLOCKED_START
                                    : !d.open[to]         ? CAIRN_BLOCKED_GOAL
                                    : best == ORACLE_NONE ? CAIRN_UNREACHABLE
                                                          : CAIRN_FOUND;
                if (gave_up(algorithm, status)) continue;
                CHECK(status == must, "%s on graph %u from %u to %u: %s, not %s", algorithm->name,
                      i, from, to, cairn_status_text(status), cairn_status_text(must));
                if (status != CAIRN_FOUND) continue;
                CHECK(path->cost == best ||
                          (!cairn_planner_optimal(k.planner) && path->cost > best),
                      "%s on graph %u from %u to %u: %u, the best is %u", algorithm->name, i, from,
                      to, path->cost, (unsigned)best);
                cairn_cost sum;
                CHECK(cairn_path_valid(k.space, path, &sum, NULL, NULL) && sum == path->cost, "%s",
                      algorithm->name);
            }
            oracle_destroy(o);
        }
    }
    drawn_free(&d);
    kit_close(&k);
}

static void every_algorithm_is_right_after_edits(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < cairn_algorithm_count(); a++) {
        const cairn_algorithm *algorithm = cairn_algorithm_at(a);
        if (!(algorithm->worlds & 1u << CAIRN_WORLD_GRAPH)) continue;
        for (uint32_t i = 0; i < GRAPHS; i++) live(algorithm, i);
    }
}

/* ---- what changed ----------------------------------------------------------------------- */

static void mark(void *user, cairn_node node)
{
    ((bool *)user)[node] = true;
}

static void the_ends_of_edges_that_differ_are_reported(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < GRAPHS; i++) {
        kit k = {0};
        scene_rng rng = {i + 9};
        CHECK_OK(cairn_context_create(NULL, &k.context));
        k.graph = graph_of(k.context, i, i);
        CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
        drawn_graph d = drawn_of(k.graph);
        uint32_t nodes = d.node_count;
        for (uint32_t round = 0; round < 30; round++) {
            edge_set then = edge_set_of(k.space, cairn_space_expand, false, 8);
            bool *was = malloc(nodes), *differs = calloc(nodes, 1), *told = calloc(nodes, 1);
            if (!was || !differs || !told) abort();
            memcpy(was, d.open, nodes);
            uint64_t since = cairn_space_version(k.space);
            for (uint32_t e = 1 + scene_random(&rng, 3); e; e--) drawn_edit(&d, k.graph, &rng);
            CHECK_OK(cairn_graph_commit(k.graph));
            edge_set now = edge_set_of(k.space, cairn_space_expand, false, 8);
            for (size_t a = 0, b = 0; a < then.count || b < now.count;) {
                int order = a == then.count  ? 1
                            : b == now.count ? -1
                                             : edge_set_order(&then.edges[a], &now.edges[b]);
                const cairn_graph_edge *e = order > 0 ? &now.edges[b] : &then.edges[a];
                if (order) differs[e->from] = differs[e->to] = true;
                a += order <= 0, b += order >= 0;
            }
            CHECK_OK(cairn_space_changes(k.space, since, mark, told));
            for (cairn_node n = 0; n < nodes; n++) {
                bool must = differs[n] || was[n] != d.open[n];
                CHECK(told[n] == must, "graph %u, node %u: %d, not %d", i, n, told[n], must);
            }
            free(was), free(differs), free(told);
            edge_set_free(&then);
            edge_set_free(&now);
        }
        drawn_free(&d);
        kit_close(&k);
    }
}

static void graphs_forget_old_commits(void **state)
{
    (void)state;
    cairn_graph_edge edges[] = {{0, 1, 5}, {1, 2, 7}};
    kit k = kit_of_edges(4, edges, LENGTH(edges));
    bool told[4] = {0};
    assert_int_equal(cairn_space_changes(k.space, 0, mark, told), CAIRN_STALE);
    assert_int_equal(cairn_space_changes(k.space, 2, mark, told), CAIRN_INVALID);
    for (uint32_t i = 0; i <= CRN_COMMITS_KEPT; i++) {
        CHECK_OK(cairn_graph_set_weight(k.graph, 0, 1, 10 + i));
        CHECK_OK(cairn_graph_commit(k.graph));
    }
    assert_int_equal(cairn_space_changes(k.space, 1, mark, told), CAIRN_STALE);
    assert_false(told[0]);
    CHECK_OK(cairn_space_changes(k.space, 2, mark, told));
    assert_true(told[0] && told[1] && !told[2] && !told[3]);
    kit_close(&k);
}

/* ---- staging ------------------------------------------------------------------------------ */

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    cairn_graph_edge edges[] = {{0, 1, 5}, {1, 2, 7}};
    kit k = kit_of_edges(3, edges, LENGTH(edges));
    assert_int_equal(cairn_graph_set_weight(k.graph, 1, 0, 5), CAIRN_INVALID);
    assert_int_equal(cairn_graph_set_weight(k.graph, 0, 1, 0), CAIRN_INVALID);
    assert_int_equal(cairn_graph_set_weight(k.graph, 0, 1, CAIRN_COST_MAX + 1u), CAIRN_INVALID);
    assert_int_equal(cairn_graph_set_weight(k.graph, 0, 3, 5), CAIRN_OUT_OF_BOUNDS);
    assert_int_equal(cairn_graph_set_edge_open(k.graph, 2, 1, true), CAIRN_INVALID);
    assert_int_equal(cairn_graph_add_edge(k.graph, &(cairn_graph_edge){1, 1, 5}), CAIRN_INVALID);
    assert_int_equal(cairn_graph_add_edge(k.graph, &(cairn_graph_edge){1, 9, 5}),
                     CAIRN_OUT_OF_BOUNDS);
    assert_int_equal(cairn_graph_set_node_open(k.graph, 3, false), CAIRN_OUT_OF_BOUNDS);
    assert_int_equal(cairn_graph_set_position(k.graph, 0, (cairn_position){1, 1, 0}),
                     CAIRN_INVALID);
    CHECK_OK(cairn_graph_commit(k.graph));
    assert_int_equal(cairn_graph_version(k.graph), 1);
    CHECK_OK(cairn_graph_add_edge(k.graph, &(cairn_graph_edge){2, 0, 5}));
    CHECK_OK(cairn_graph_set_weight(k.graph, 2, 0, 6)); /* staged */
    CHECK_OK(cairn_graph_set_edge_open(k.graph, 0, 1, true));
    assert_int_equal(cairn_graph_edge_count(k.graph), 2);
    CHECK_OK(cairn_graph_commit(k.graph));
    assert_int_equal(cairn_space_step_cost(k.space, 2, 0), 6);
    assert_int_equal(cairn_graph_version(k.graph), 2);
    CHECK_OK(cairn_graph_set_edge_open(k.graph, 0, 1, false));
    CHECK_OK(cairn_graph_set_edge_open(k.graph, 0, 1, true)); /* the later one wins */
    CHECK_OK(cairn_graph_commit(k.graph));
    assert_int_equal(cairn_graph_version(k.graph), 2);
    CHECK_OK(cairn_graph_set_edge_open(k.graph, 0, 1, false));
    cairn_graph_discard(k.graph);
    CHECK_OK(cairn_graph_commit(k.graph));
    assert_int_equal(cairn_graph_version(k.graph), 2);
    kit_close(&k);
}

/* Weights given as doubles are changed in the same unit. */
static void weights_are_rounded_as_when_they_were_given(void **state)
{
    (void)state;
    cairn_graph_edge edges[] = {{0, 1, 0}, {1, 2, 0}};
    double weights[] = {1.5, 2.25};
    cairn_context *context;
    cairn_graph *graph;
    CHECK_OK(cairn_context_create(NULL, &context));
    cairn_graph_options options = {
        .node_count = 3, .edge_count = 2, .edges = edges, .weights = weights};
    CHECK_OK(cairn_graph_create(context, &options, &graph, NULL));
    assert_int_equal(cairn_graph_cost(graph, 1.5), cairn_graph_edge_at(graph, 0, 0).weight);
    assert_int_equal(cairn_graph_cost(graph, 0), 0);
    assert_int_equal(cairn_graph_cost(graph, 1e300), 0);
    cairn_graph_destroy(graph);
    cairn_context_destroy(context);
}

static void without_memory_a_commit_changes_nothing(void **state)
{
    (void)state;
    watched w = {0};
    cairn_context *context;
    cairn_space *space;
    CHECK_OK(watched_context(&w, &context));
    cairn_graph *graph = graph_of(context, 7, 3); /* with positions */
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    scene_rng rng = {4};
    drawn_graph d = drawn_of(graph), copy = drawn_of(graph);
    for (uint32_t i = 0; i < 40; i++) drawn_edit(&d, graph, &rng);
    size_t held = w.bytes;
    uint32_t failures = 0;
    for (;; failures++) {
        w.calls = 0, w.fail_at = failures + 1;
        cairn_status status = cairn_graph_commit(graph);
        w.fail_at = 0;
        if (status == CAIRN_OK) break;
        assert_int_equal(status, CAIRN_OUT_OF_MEMORY);
        assert_int_equal(w.bytes, held);
        assert_int_equal(cairn_graph_version(graph), 1);
        if (failures % 4 == 0) check_space(&copy, space, &rng);
    }
    CHECK(failures > 8, "%u failures", failures);
    check_space(&d, space, &rng);
    size_t before = w.bytes, held_by_both = cairn_graph_bytes(graph) + cairn_space_bytes(space);
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);
    assert_int_equal(before - w.bytes, held_by_both);
    drawn_free(&d);
    drawn_free(&copy);
    cairn_context_destroy(context);
    assert_int_equal(w.bytes, 0);
    assert_false(w.wrong_size);
}

/* ---- files -------------------------------------------------------------------------------- */

static cairn_graph *saved_and_loaded(cairn_context *context, const cairn_graph *graph)
{
    cairn_store *store;
    cairn_archive *archive;
    cairn_graph *loaded;
    CHECK_OK(cairn_store_create(context, &store));
    CHECK_OK(cairn_store_graph(store, graph));
    bytes file = bytes_of(store);
    assert_int_equal(file.data[8], graph->tall || graph->stock.offsets ? 2 : 1);
    archive = opened(context, &file);
    CHECK_OK(cairn_archive_graph(archive, &loaded, NULL));
    cairn_archive_close(archive);
    cairn_store_destroy(store);
    bytes_free(&file);
    return loaded;
}

static void what_is_closed_stays_closed_in_a_file_and_can_be_opened_again(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < GRAPHS; i++) {
        kit k = {0};
        scene_rng rng = {i + 30};
        CHECK_OK(cairn_context_create(NULL, &k.context));
        k.graph = graph_of(k.context, i, i);
        drawn_graph d = drawn_of(k.graph);
        for (uint32_t e = 0; e < 30; e++) drawn_edit(&d, k.graph, &rng);
        CHECK_OK(cairn_graph_commit(k.graph));
        cairn_graph *loaded = saved_and_loaded(k.context, k.graph);
        assert_int_equal(cairn_graph_version(loaded), 1);
        CHECK_OK(cairn_space_of_graph(loaded, &k.space, NULL));
        check_space(&d, k.space, &rng);
        for (uint32_t e = 0; e < d.edge_count; e++) {
            d.edges[e].open = true;
            CHECK_OK(
                cairn_graph_set_edge_open(loaded, d.edges[e].edge.from, d.edges[e].edge.to, true));
        }
        for (cairn_node n = 0; n < d.node_count; n++) {
            d.open[n] = true;
            CHECK_OK(cairn_graph_set_node_open(loaded, n, true));
        }
        CHECK_OK(cairn_graph_commit(loaded));
        check_space(&d, k.space, &rng);
        cairn_space_destroy(k.space);
        k.space = NULL;
        cairn_graph_destroy(loaded);
        drawn_free(&d);
        kit_close(&k);
    }
}

/* ---- agents ------------------------------------------------------------------------------- */

/* A square of four waypoints: the short side is closed while the agent is on its path. */
static void a_navigator_walks_round_an_edge_that_was_closed(void **state)
{
    (void)state;
    cairn_graph_edge edges[] = {{0, 1, 10}, {1, 2, 10}, {2, 3, 10}, {1, 4, 50}, {4, 3, 50}};
    kit k = kit_of_edges(5, edges, LENGTH(edges));
    kit_plan(&k, "astar");
    cairn_navigator *navigator;
    CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
    CHECK_OK(cairn_navigator_start(navigator, 0, 3));
    cairn_move move = {0};
    cairn_node seen[8];
    uint32_t count = 0;
    for (uint32_t turn = 0; turn < 20 && !move.arrived; turn++) {
        cairn_navigator_next(navigator, &move);
        if (move.kind != CAIRN_MOVE_STEP) continue;
        seen[count++] = move.to;
        if (move.to == 1) {
            CHECK_OK(cairn_graph_set_edge_open(k.graph, 2, 3, false));
            CHECK_OK(cairn_graph_commit(k.graph));
        }
    }
    assert_true(move.arrived);
    assert_int_equal(count, 3);
    assert_true(seen[0] == 1 && seen[1] == 4 && seen[2] == 3);
    cairn_navigator_destroy(navigator);
    kit_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spaces_follow_every_commit),
        cmocka_unit_test(every_algorithm_is_right_after_edits),
        cmocka_unit_test(the_ends_of_edges_that_differ_are_reported),
        cmocka_unit_test(graphs_forget_old_commits),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(weights_are_rounded_as_when_they_were_given),
        cmocka_unit_test(without_memory_a_commit_changes_nothing),
        cmocka_unit_test(what_is_closed_stays_closed_in_a_file_and_can_be_opened_again),
        cmocka_unit_test(a_navigator_walks_round_an_edge_that_was_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
