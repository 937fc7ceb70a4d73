/* test_back.c: spaces walked backwards. For worlds of every kind the edges that expand finds at
 * all nodes are those that expand_back finds.
 */
#include "kit.h"

#include "edge_sets.h"
#include "abstract/abstract_graph.h"
#include "abstract/part.h"

/* ---- worlds ----------------------------------------------------------------------------- */

static void every_grid_has_the_same_edges_backwards(void **state)
{
    (void)state;
    size_t all = 0;
    for (uint32_t i = 0; i < scene_count(); i++) {
        scene *s = scene_at(i);
        cairn_profile profile;
        for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
            kit k = kit_of_scene(s, &profile);
            all += edge_set_check_back(s->name, k.space, 1 + i % 5);
            kit_close(&k);
        }
        scene_destroy(s);
    }
    CHECK(all > 100000, "%zu edges", all);
}

/* Sizes, heights and links together with every corner rule. */
static void grids_of_all_ornaments_have_the_same_edges_backwards(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 48; i++) {
        scene *s = scene_noise("ornaments", 20 + i, 40 - i / 2, 3 + i % 20, 900 + i);
        if (i & 1) scene_add_terrain(s, i);
        if (i & 2) scene_add_danger(s, i);
        if (i & 4) scene_add_cliffs(s, i);
        if (i & 8) scene_make_hex(s);
        scene_add_links(s, 20, 0, 2000, i & 1, i);
        if (i % 3 == 1) s->profile.radius = 0.3 * (1 + i % 7);
        if (i % 3 == 2 && !s->hex) s->profile.footprint = 2 + i % 3;
        cairn_profile profile;
        for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
            kit k = kit_of_scene(s, &profile);
            edge_set_check_back(s->name, k.space, 1 + i % 7);
            kit_close(&k);
        }
        scene_destroy(s);
    }
}

static void every_graph_has_the_same_edges_backwards(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < graph_scene_count(); i++) {
        graph_scene *s = graph_scene_at(i);
        kit k = {0};
        CHECK_OK(cairn_context_create(NULL, &k.context));
        CHECK_OK(graph_scene_graph(s, k.context, &k.graph));
        CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
        edge_set_check_back(s->name, k.space, 1 + i % 4);
        kit_close(&k);
        graph_scene_destroy(s);
    }
}

static void a_space_counts_the_bytes_of_its_edges_backwards(void **state)
{
    (void)state;
    watched w = {0};
    for (int both = 0; both < 2; both++) {
        cairn_context *context;
        cairn_graph *graph;
        cairn_space *space;
        CHECK_OK(watched_context(&w, &context));
        cairn_graph_edge edges[] = {{0, 1, 5}, {1, 2, 7}, {2, 0, 9}, {0, 1, 4}};
        cairn_graph_options options = {
            .node_count = 3, .edge_count = LENGTH(edges), .edges = edges, .both_ways = both};
        CHECK_OK(cairn_graph_create(context, &options, &graph, NULL));
        size_t before = w.bytes;
        CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
        assert_int_equal(w.bytes - before, cairn_space_bytes(space));
        cairn_edge in[8];
        uint32_t count = cairn_space_expand_back(space, 1, 0, in, LENGTH(in));
        assert_int_equal(count, both ? 3 : 2);
        assert_int_equal(cairn_space_expand_back(space, 3, 0, in, LENGTH(in)), 0);
        cairn_space_destroy(space);
        cairn_graph_destroy(graph);
        cairn_context_destroy(context);
    }
    assert_int_equal(w.bytes, 0);
}

/* ---- spaces that hierarchies make ------------------------------------------------------- */

static void parts_have_the_same_edges_backwards(void **state)
{
    (void)state;
    scene_rng rng = {5};
    for (uint32_t i = 0; i < scene_count(); i++) {
        scene *s = scene_at(i);
        kit k = kit_of_scene(s, &s->profile);
        crn_scratch memory = {.context = k.context};
        crn_part part;
        CHECK_OK(crn_part_open(&part, &memory, crn_grid_space_of(k.space)));
        crn_area area = {scene_random(&rng, s->width), scene_random(&rng, s->height), 0, 0};
        area.width = 1 + scene_random(&rng, s->width - area.left);
        area.height = 1 + scene_random(&rng, s->height - area.top);
        crn_part_show(&part, area);
        edge_set_check_back(s->name, &part.space.base, 3);
        crn_part_close(&part);
        kit_end(&k, s);
    }
}

/* A graph of groups with one-way edges, of which some groups are hidden, and both ends. */
static void abstract_graphs_have_the_same_edges_backwards(void **state)
{
    (void)state;
    enum { NODES = 60, GROUPS = 7 };
    scene *s = scene_named("open");
    kit k = kit_of_scene(s, NULL);
    for (uint32_t round = 0; round < 20; round++) {
        scene_rng rng = {round + 1};
        crn_abstract_graph layer, reverse;
        crn_abstract_open(&layer, k.context);
        crn_abstract_open(&reverse, k.context);
        uint32_t group[NODES], stamps[GROUPS];
        for (uint32_t n = 0; n < NODES; n++) {
            assert_int_equal(crn_abstract_add(&layer, (int32_t)n, 0), n);
            group[n] = scene_random(&rng, GROUPS);
        }
        for (uint32_t g = 0; g < GROUPS; g++) stamps[g] = scene_random(&rng, 3) > 0;
        for (uint32_t n = 0; n < NODES; n++) {
            cairn_edge edges[9];
            uint32_t count = scene_random(&rng, LENGTH(edges));
            for (uint32_t e = 0; e < count; e++)
                edges[e] = (cairn_edge){scene_random(&rng, NODES), 1 + scene_random(&rng, 50)};
            assert_true(crn_abstract_connect(&layer, n, edges, count));
        }
        assert_true(crn_abstract_reverse(&layer, &reverse));
        crn_abstract_view view;
        crn_abstract_view_open(&view, &layer, k.space);
        cairn_edge leave[] = {{3, 7}, {9, 8}, {3, 2}, {crn_abstract_view_goal(&view), 40}};
        cairn_edge arrive[] = {{1, 4}, {5, 9}, {44, 1}};
        view.leave = leave, view.leave_count = LENGTH(leave);
        view.arrive = arrive, view.arrive_count = LENGTH(arrive);
        if (round & 1) view.group = group, view.stamps = stamps, view.stamp = 1;
        size_t slow = edge_set_check_back("looked for", &view.base, 1 + round % 4);
        view.back = &reverse;
        assert_int_equal(edge_set_check_back("reversed", &view.base, 1 + round % 4), slow);
        crn_abstract_close(&reverse);
        crn_abstract_close(&layer);
    }
    kit_end(&k, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_grid_has_the_same_edges_backwards),
        cmocka_unit_test(grids_of_all_ornaments_have_the_same_edges_backwards),
        cmocka_unit_test(every_graph_has_the_same_edges_backwards),
        cmocka_unit_test(a_space_counts_the_bytes_of_its_edges_backwards),
        cmocka_unit_test(parts_have_the_same_edges_backwards),
        cmocka_unit_test(abstract_graphs_have_the_same_edges_backwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
