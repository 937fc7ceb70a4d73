/* test_graph.c: the graph world: what goes in comes out, what is wrong is refused with its
 * number, the nearest waypoint is the nearest, and estimates never promise too much.
 */
#include "scenes.h"
#include "support.h"
#include "world/space.h"

#include <float.h>
#include <math.h>

/* ---- edges --------------------------------------------------------------------------- */

/* The edges of one node, picked from the list by looking at every one. */
static uint32_t edges_of(const graph_scene *s, cairn_node node, cairn_edge *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->edge_count; i++) {
        if (s->edges[i].from == node)
            out[count++] = (cairn_edge){s->edges[i].to, s->edges[i].weight};
        if (s->both_ways && s->edges[i].to == node) {
            out[count++] = (cairn_edge){s->edges[i].from, s->edges[i].weight};
        }
    }
    return count;
}

static void a_graph_gives_back_its_edges_in_the_order_they_were_given(void **state)
{
    for (uint32_t i = 0; i < graph_scene_count(); i++) {
        graph_scene *s = graph_scene_at(i);
        cairn_graph *graph;
        CHECK_OK(graph_scene_graph(s, *state, &graph));
        cairn_edge *expected = calloc(2 * s->edge_count + 1, sizeof *expected);
        assert_int_equal(cairn_graph_node_count(graph), s->node_count);
        assert_int_equal(cairn_graph_edge_count(graph),
                         s->both_ways ? 2 * s->edge_count : s->edge_count);
        for (cairn_node node = 0; node < s->node_count; node++) {
            uint32_t count = edges_of(s, node, expected);
            assert_int_equal(cairn_graph_degree(graph, node), count);
            for (uint32_t k = 0; k < count; k++) {
                cairn_graph_edge edge = cairn_graph_edge_at(graph, node, k);
                assert_int_equal(edge.from, node);
                assert_int_equal(edge.to, expected[k].node);
                assert_int_equal(edge.weight, expected[k].cost);
            }
            assert_int_equal(cairn_graph_edge_at(graph, node, count).to, CAIRN_NO_NODE);
        }
        assert_int_equal(cairn_graph_degree(graph, s->node_count), 0);
        assert_int_equal(cairn_graph_degree(graph, CAIRN_NO_NODE), 0);
        free(expected);
        cairn_graph_destroy(graph);
        graph_scene_destroy(s);
    }
}

static void a_space_hands_out_edges_in_pieces_as_it_does_whole(void **state)
{
    for (uint32_t i = 0; i < graph_scene_count(); i++) {
        graph_scene *s = graph_scene_at(i);
        cairn_graph *graph;
        cairn_space *space;
        CHECK_OK(graph_scene_graph(s, *state, &graph));
        CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
        cairn_edge *expected = calloc(2 * s->edge_count + 1, sizeof *expected);
        for (cairn_node node = 0; node < s->node_count; node++) {
            uint32_t count = edges_of(s, node, expected);
            for (uint32_t capacity = 0; capacity < 4; capacity++) {
                for (uint32_t first = 0; first < count + 2; first++) {
                    cairn_edge out[4] = {{7, 7}, {7, 7}, {7, 7}, {7, 7}};
                    uint32_t left = first < count ? count - first : 0;
                    uint32_t must = left < capacity ? left : capacity;
                    assert_int_equal(cairn_space_expand(space, node, first, out, capacity), must);
                    for (uint32_t k = 0; k < must; k++) {
                        assert_memory_equal(&out[k], &expected[first + k], sizeof *out);
                    }
                    assert_int_equal(out[must].node, 7); /* not a bit too much is written */
                }
            }
        }
        free(expected);
        cairn_space_destroy(space);
        cairn_graph_destroy(graph);
        graph_scene_destroy(s);
    }
}

static void of_several_edges_the_cheapest_is_the_step(void **state)
{
    cairn_graph_edge edges[] = {{0, 1, 9}, {0, 1, 7}, {0, 1, 8}, {1, 2, 5}};
    cairn_graph_options options = {.node_count = 3, .edge_count = LENGTH(edges), .edges = edges};
    cairn_graph *graph;
    cairn_space *space;
    CHECK_OK(cairn_graph_create(*state, &options, &graph, NULL));
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    assert_int_equal(cairn_space_step_cost(space, 0, 1), 7);
    assert_int_equal(cairn_space_step_cost(space, 1, 0), CAIRN_NO_COST);
    assert_int_equal(cairn_space_step_cost(space, 0, 2), CAIRN_NO_COST);
    assert_int_equal(cairn_space_step_cost(space, 3, 0), CAIRN_NO_COST);
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);
}

static void a_space_says_what_the_graph_is(void **state)
{
    cairn_graph_edge edges[] = {{0, 1, 9}, {1, 2, 70}, {2, 0, 8}};
    double weights[] = {0.5, 2, 1};
    cairn_graph_options options = {.node_count = 3, .edge_count = 3, .edges = edges};
    cairn_graph *graph;
    cairn_space *space;
    CHECK_OK(cairn_graph_create(*state, &options, &graph, NULL));
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    assert_int_equal(cairn_space_world(space), CAIRN_WORLD_GRAPH);
    assert_ptr_equal(cairn_space_graph(space), graph);
    assert_null(cairn_space_grid(space));
    assert_null(cairn_space_profile(space));
    assert_ptr_equal(cairn_space_context(space), *state);
    assert_ptr_equal(cairn_graph_context(graph), *state);
    assert_int_equal(cairn_space_node_count(space), 3);
    assert_int_equal(cairn_space_version(space), 1);
    assert_int_equal(cairn_space_scale(space).straight, 0);
    assert_int_equal(space->max_edge, 70);
    assert_true(cairn_space_usable(space, 2));
    assert_false(cairn_space_usable(space, 3));
    assert_false(cairn_space_usable(space, CAIRN_NO_NODE));
    assert_true(cairn_graph_unit(graph) == 1);
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);

    options.weights = weights;
    CHECK_OK(cairn_graph_create(*state, &options, &graph, NULL));
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    assert_int_equal(cairn_space_scale(space).straight, 5741);
    assert_int_equal(cairn_space_scale(space).diagonal, 0);
    assert_int_equal(space->max_edge, 2 * 5741);
    assert_true(cairn_graph_unit(graph) == 5741);
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);
}

static void weights_in_doubles_are_rounded_up_to_units(void **state)
{
    const struct {
        double weight, unit;
        cairn_cost cost; /* 0 = refused */
    } cases[] = {
        {1, 0, 5741},
        {0.5, 1, 1},
        {1, 1, 1},
        {1.0000001, 1, 2},
        {2.5, 10, 25},
        {2.51, 10, 26},
        {1e-300, 1e-300, 1},
        {DBL_TRUE_MIN, 1, 1},
        {4294967294, 1, 4294967294u},
        {4294967294.5, 1, 0},
        {4294967295.0, 1, 0},
        {1e300, 1e300, 0},
        {0, 1, 0},
        {-0.0, 1, 0},
        {-1, 1, 0},
        {NAN, 1, 0},
        {INFINITY, 1, 0},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        cairn_graph_edge edge = {0, 1, 3};
        cairn_graph_options options = {.node_count = 2,
                                       .edge_count = 1,
                                       .edges = &edge,
                                       .weights = &cases[i].weight,
                                       .unit = cases[i].unit};
        cairn_graph *graph;
        cairn_error error = {0};
        cairn_status status = cairn_graph_create(*state, &options, &graph, &error);
        CHECK(status == (cases[i].cost ? CAIRN_OK : CAIRN_BAD_DATA), "case %zu: %s", i, error.text);
        if (cases[i].cost) {
            CHECK(cairn_graph_edge_at(graph, 0, 0).weight == cases[i].cost, "case %zu", i);
        } else {
            assert_int_equal(error.line, 1);
            assert_null(graph);
        }
        cairn_graph_destroy(graph);
    }
}

/* ---- what is wrong ------------------------------------------------------------------- */

typedef struct wrong {
    cairn_graph_options options;
    cairn_status status;
    uint32_t line;
    const char *says;
} wrong;

static void what_is_wrong_with_a_graph_is_said_with_its_number(void **state)
{
    static const cairn_graph_edge good[] = {{0, 1, 1}, {1, 0, 1}};
    static const cairn_graph_edge loop[] = {{0, 1, 1}, {1, 1, 1}};
    static const cairn_graph_edge outside[] = {{0, 1, 1}, {0, 1, 1}, {0, 2, 1}};
    static const cairn_graph_edge from_outside[] = {{CAIRN_NO_NODE, 1, 1}};
    static const cairn_graph_edge free_of_charge[] = {{0, 1, 0}};
    static const cairn_graph_edge too_dear[] = {{0, 1, CAIRN_NO_COST}};
    static const cairn_position lost[] = {{0, 0, 0}, {0, NAN, 0}};
    static const cairn_position far[] = {{-INFINITY, 0, 0}, {0, 0, 0}};
    static const double one = 1;
    const wrong cases[] = {
        {{.node_count = 0}, CAIRN_INVALID, 0, "0"},
        {{.node_count = 0x80000000u}, CAIRN_INVALID, 0, "2147483648"},
        {{.node_count = 2, .edge_count = 1}, CAIRN_INVALID, 0, "no array"},
        {{.node_count = 2, .edge_count = 0x80000000u, .edges = good, .both_ways = true},
         CAIRN_INVALID,
         0,
         "both ways"},
        {{.node_count = 2, .edge_count = 2, .edges = loop}, CAIRN_BAD_DATA, 2, "itself"},
        {{.node_count = 2, .edge_count = 3, .edges = outside}, CAIRN_BAD_DATA, 3, "0 and 2"},
        {{.node_count = 2, .edge_count = 1, .edges = from_outside},
         CAIRN_BAD_DATA,
         1,
         "4294967295"},
        {{.node_count = 2, .edge_count = 1, .edges = free_of_charge}, CAIRN_BAD_DATA, 1, "weight"},
        {{.node_count = 2, .edge_count = 1, .edges = too_dear}, CAIRN_BAD_DATA, 1, "weight"},
        {{.node_count = 2, .edge_count = 1, .edges = good, .positions = lost},
         CAIRN_BAD_DATA,
         2,
         "finite"},
        {{.node_count = 2, .edge_count = 1, .edges = good, .positions = far},
         CAIRN_BAD_DATA,
         1,
         "finite"},
        {{.node_count = 2, .edge_count = 1, .edges = good, .weights = &one, .unit = -1},
         CAIRN_INVALID,
         0,
         "unit"},
        {{.node_count = 2, .edge_count = 1, .edges = good, .weights = &one, .unit = NAN},
         CAIRN_INVALID,
         0,
         "unit"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        cairn_graph *graph = (cairn_graph *)state;
        cairn_error error = {0};
        CHECK_STATUS(cairn_graph_create(*state, &cases[i].options, &graph, &error),
                     cases[i].status);
        assert_null(graph);
        assert_int_equal(error.status, cases[i].status);
        CHECK(error.line == cases[i].line, "case %zu: %s", i, error.text);
        CHECK(strstr(error.text, cases[i].says), "case %zu: %s", i, error.text);
        CHECK_STATUS(cairn_graph_create(*state, &cases[i].options, &graph, NULL), cases[i].status);
    }
    cairn_graph *graph;
    cairn_space *space;
    cairn_graph_options options = {.node_count = 1};
    CHECK_STATUS(cairn_graph_create(NULL, &options, &graph, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_graph_create(*state, NULL, &graph, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_graph_create(*state, &options, NULL, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_space_of_graph(NULL, &space, NULL), CAIRN_INVALID);
    cairn_graph_destroy(NULL);
}

static void a_graph_survives_every_failing_allocation(void **state)
{
    (void)state;
    graph_scene *s = graph_scene_at(3);
    bool whole = false;
    for (uint64_t fail_at = 2; !whole; fail_at++) {
        watched w = {.fail_at = fail_at};
        cairn_context *context;
        CHECK_OK(watched_context(&w, &context));
        size_t before = w.blocks;
        cairn_graph *graph;
        cairn_space *space = NULL;
        cairn_status status = graph_scene_graph(s, context, &graph);
        if (!status) status = cairn_space_of_graph(graph, &space, NULL);
        whole = w.failures == 0;
        CHECK_STATUS(status, whole ? CAIRN_OK : CAIRN_OUT_OF_MEMORY);
        assert_int_equal(space != NULL, whole);
        if (whole) {
            size_t held = cairn_graph_bytes(graph) + cairn_space_bytes(space);
            size_t empty = w.bytes - held;
            cairn_space_destroy(space);
            cairn_graph_destroy(graph);
            assert_int_equal(w.bytes, empty); /* the bytes reported are the bytes held */
        } else {
            cairn_graph_destroy(graph);
        }
        assert_int_equal(w.blocks, before);
        assert_false(w.wrong_size);
        cairn_context_destroy(context);
        assert_true(fail_at < 20);
    }
    graph_scene_destroy(s);
}

/* ---- the nearest waypoint -------------------------------------------------------------- */

/* Points on whole numbers times a power of two: everything below is exact. */
typedef struct place {
    int32_t x, y;
} place;

static cairn_node nearest_by_looking_at_all(const place *places, uint32_t count, place to)
{
    cairn_node best = CAIRN_NO_NODE;
    int64_t best_square = INT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        int64_t dx = (int64_t)places[i].x - to.x, dy = (int64_t)places[i].y - to.y;
        if (dx * dx + dy * dy < best_square) {
            best_square = dx * dx + dy * dy;
            best = i;
        }
    }
    return best;
}

static void check_nearest(cairn_context *context, const place *places, uint32_t count, double unit,
                          scene_rng *rng, uint32_t reach)
{
    cairn_position *positions = calloc(count, sizeof *positions);
    for (uint32_t i = 0; i < count; i++)
        positions[i] = (cairn_position){places[i].x * unit, places[i].y * unit, 0};
    cairn_graph_options options = {.node_count = count, .positions = positions};
    cairn_graph *graph;
    CHECK_OK(cairn_graph_create(context, &options, &graph, NULL));
    free(positions);
    for (int i = 0; i < 300; i++) {
        place to = {(int32_t)scene_random(rng, 2 * reach) - (int32_t)(reach / 2),
                    (int32_t)scene_random(rng, 2 * reach) - (int32_t)(reach / 2)};
        cairn_position position = {to.x * unit, to.y * unit, 0};
        cairn_node found = cairn_graph_node_at(graph, position);
        cairn_node best = nearest_by_looking_at_all(places, count, to);
        CHECK(found == best, "of %u points, unit %g, to (%d, %d): %u, not %u", count, unit, to.x,
              to.y, found, best);
    }
    for (cairn_node node = 0; node < count; node++) {
        cairn_position position = cairn_graph_position(graph, node);
        place to = {places[node].x, places[node].y};
        assert_int_equal(cairn_graph_node_at(graph, position),
                         nearest_by_looking_at_all(places, count, to));
    }
    cairn_graph_destroy(graph);
}

static void the_nearest_waypoint_is_the_one_found_by_looking_at_all(void **state)
{
    scene_rng rng = {5};
    place *places = calloc(700, sizeof *places);
    const double units[] = {1, 0.5, 0x1p600, 0x1p1000, 0x1p-700, 0x1p-1060};
    for (int round = 0; round < 60; round++) {
        uint32_t count = 1 + scene_random(&rng, round % 2 ? 12 : 699);
        /* On a small square many share a place and more share a coordinate. */
        uint32_t reach = round % 3 ? 1 + scene_random(&rng, 9) : 100000;
        for (uint32_t i = 0; i < count; i++) {
            places[i] =
                (place){(int32_t)scene_random(&rng, reach), (int32_t)scene_random(&rng, reach)};
            if (round % 5 == 1) places[i].x = 3;
            if (round % 5 == 2) places[i].y = (int32_t)i;
        }
        check_nearest(*state, places, count, units[round % (int)LENGTH(units)], &rng, reach);
    }
    free(places);
}

static void positions_at_the_end_of_the_range_are_told_apart(void **state)
{
    cairn_position positions[] = {
        {DBL_MAX, 0, 0}, {-DBL_MAX, 0, 0}, {0, DBL_MAX, 0}, {DBL_TRUE_MIN, 0, 0}, {0, 0, 0}};
    cairn_graph_options options = {.node_count = LENGTH(positions), .positions = positions};
    cairn_graph *graph;
    CHECK_OK(cairn_graph_create(*state, &options, &graph, NULL));
    for (cairn_node node = 0; node < LENGTH(positions); node++) {
        assert_int_equal(cairn_graph_node_at(graph, positions[node]), node);
    }
    assert_int_equal(cairn_graph_node_at(graph, (cairn_position){-DBL_MAX, 1, 0}), 1);
    assert_int_equal(cairn_graph_node_at(graph, (cairn_position){NAN, 0, 0}), CAIRN_NO_NODE);
    assert_int_equal(cairn_graph_node_at(graph, (cairn_position){0, INFINITY, 0}), CAIRN_NO_NODE);
    cairn_graph_destroy(graph);
}

static void without_positions_there_is_no_place_and_no_estimate(void **state)
{
    graph_scene *s = graph_scene_at(5);
    assert_null(s->positions);
    cairn_graph *graph;
    cairn_space *space;
    CHECK_OK(graph_scene_graph(s, *state, &graph));
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    assert_false(cairn_graph_has_positions(graph));
    assert_int_equal(cairn_graph_node_at(graph, (cairn_position){0, 0, 0}), CAIRN_NO_NODE);
    assert_int_equal(cairn_space_node_at(space, (cairn_position){0, 0, 0}), CAIRN_NO_NODE);
    assert_true(cairn_space_position(space, 1).x == 0);
    assert_int_equal(space->default_heuristic, CAIRN_HEURISTIC_NULL);
    for (int h = 0; h < CAIRN_HEURISTIC_COUNT; h++) {
        for (cairn_node node = 0; node < s->node_count; node++) {
            assert_int_equal(cairn_estimate(space, (cairn_heuristic)h, node, 0), 0);
        }
    }
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);
    graph_scene_destroy(s);
}

/* ---- estimates ------------------------------------------------------------------------- */

/* Directed, with zero-length edges, of a random size of coordinates. */
static graph_scene *thrown_graph(scene_rng *rng)
{
    static const double units[] = {1, 1e-3, 1e6, 1e-320, 1e-300, 1e307, 0.1};
    graph_scene *s = calloc(1, sizeof *s);
    s->node_count = 2 + scene_random(rng, 40);
    s->edge_count = scene_random(rng, 4 * s->node_count);
    s->both_ways = scene_random(rng, 2);
    s->positions = calloc(s->node_count, sizeof *s->positions);
    s->edges = calloc(s->edge_count + 1, sizeof *s->edges);
    double unit = units[scene_random(rng, LENGTH(units))];
    uint32_t reach = 1 + scene_random(rng, 17);
    for (uint32_t i = 0; i < s->node_count; i++) {
        s->positions[i].x = ((double)scene_random(rng, reach) - reach / 2) * unit;
        s->positions[i].y = ((double)scene_random(rng, reach) - reach / 2) * unit;
    }
    bool by_length = scene_random(rng, 2);
    for (uint32_t i = 0; i < s->edge_count; i++) {
        cairn_node a = scene_random(rng, s->node_count), b = scene_random(rng, s->node_count - 1);
        if (b >= a) b++;
        double dx = (s->positions[a].x - s->positions[b].x) / unit;
        double dy = (s->positions[a].y - s->positions[b].y) / unit;
        double length = ceil(sqrt(dx * dx + dy * dy) * 1000) + 1;
        cairn_cost weight =
            by_length && length < 1e6 ? (cairn_cost)length : 1 + scene_random(rng, 100000);
        s->edges[i] = (cairn_graph_edge){a, b, weight};
    }
    return s;
}

static void no_estimate_is_more_than_the_way_costs(void **state)
{
    scene_rng rng = {11};
    uint64_t positive = 0;
    for (int round = 0; round < 300; round++) {
        graph_scene *s = thrown_graph(&rng);
        oracle *o = oracle_of_edges(s->node_count, s->edges, s->edge_count, s->both_ways);
        cairn_graph *graph;
        cairn_space *space;
        CHECK_OK(graph_scene_graph(s, *state, &graph));
        CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
        for (cairn_node from = 0; from < s->node_count; from++) {
            oracle_search(o, from);
            for (cairn_node to = 0; to < s->node_count; to++) {
                for (int h = 0; h < CAIRN_HEURISTIC_COUNT; h++) {
                    cairn_cost estimate = cairn_estimate(space, (cairn_heuristic)h, from, to);
                    CHECK(estimate <= o->distance[to],
                          "round %d, heuristic %d, %u to %u: %u, but it costs %llu", round, h, from,
                          to, estimate, (unsigned long long)o->distance[to]);
                    positive += estimate > 0;
                }
            }
        }
        cairn_space_destroy(space);
        cairn_graph_destroy(graph);
        oracle_destroy(o);
        graph_scene_destroy(s);
    }
    assert_true(positive > 100000); /* nothing would be easy */
}

/* For each metric some edge sets the scale; its own estimate loses no more than rounding. */
static void estimates_are_as_large_as_the_cheapest_edge_allows(void **state)
{
    scene_rng rng = {12};
    for (int round = 0; round < 100; round++) {
        graph_scene *s = graph_scene_at(round % 2 ? 3 : 4);
        for (uint32_t i = 0; i < s->edge_count; i++) s->edges[i].weight += scene_random(&rng, 1000);
        cairn_graph *graph;
        cairn_space *space;
        CHECK_OK(graph_scene_graph(s, *state, &graph));
        CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
        assert_int_equal(space->default_heuristic, CAIRN_HEURISTIC_EUCLIDEAN);
        for (int h = CAIRN_HEURISTIC_MANHATTAN; h < CAIRN_HEURISTIC_COUNT; h++) {
            bool tight = false;
            for (uint32_t i = 0; i < s->edge_count; i++) {
                cairn_graph_edge edge = s->edges[i];
                tight |= cairn_estimate(space, (cairn_heuristic)h, edge.from, edge.to) + 1 >=
                         edge.weight;
            }
            CHECK(tight, "round %d: %s is too small everywhere", round,
                  cairn_heuristic_name((cairn_heuristic)h));
        }
        cairn_space_destroy(space);
        cairn_graph_destroy(graph);
        graph_scene_destroy(s);
    }
}

static void edges_between_nodes_at_one_place_set_no_bound(void **state)
{
    cairn_position positions[] = {{2, 2, 0}, {2, 2, 0}, {2, 7, 0}};
    cairn_graph_edge edges[] = {{0, 1, 1}, {1, 2, 500}};
    cairn_graph_options options = {
        .node_count = 3, .edge_count = 2, .edges = edges, .positions = positions};
    cairn_graph *graph;
    cairn_space *space;
    CHECK_OK(cairn_graph_create(*state, &options, &graph, NULL));
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    assert_int_equal(cairn_estimate(space, CAIRN_HEURISTIC_EUCLIDEAN, 0, 2), 499);
    assert_int_equal(cairn_estimate(space, CAIRN_HEURISTIC_EUCLIDEAN, 0, 1), 0);
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);
    options.edge_count = 1; /* and a graph of nothing else has no estimate */
    CHECK_OK(cairn_graph_create(*state, &options, &graph, NULL));
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    assert_int_equal(space->default_heuristic, CAIRN_HEURISTIC_NULL);
    assert_int_equal(cairn_estimate(space, CAIRN_HEURISTIC_EUCLIDEAN, 0, 2), 0);
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);
}

static void metrics_measure_what_their_names_say(void **state)
{
    /* One edge of 1000 units along 1.0: a unit square is then measured in thousandths. */
    cairn_position positions[] = {{0, 0, 0}, {1, 0, 0}, {5, 0, 0}, {5, 3, 0}};
    cairn_graph_edge edge = {0, 1, 1000};
    cairn_graph_options options = {
        .node_count = 4, .edge_count = 1, .edges = &edge, .positions = positions};
    cairn_graph *graph;
    cairn_space *space;
    CHECK_OK(cairn_graph_create(*state, &options, &graph, NULL));
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    /* One less than the whole number: the safety factor. */
    assert_int_equal(cairn_estimate(space, CAIRN_HEURISTIC_MANHATTAN, 0, 3), 7999);
    assert_int_equal(cairn_estimate(space, CAIRN_HEURISTIC_OCTILE, 0, 3), 6242);
    assert_int_equal(cairn_estimate(space, CAIRN_HEURISTIC_EUCLIDEAN, 0, 3), 5830);
    assert_int_equal(cairn_estimate(space, CAIRN_HEURISTIC_CHEBYSHEV, 0, 3), 4999);
    assert_int_equal(cairn_estimate(space, CAIRN_HEURISTIC_NULL, 0, 3), 0);
    assert_int_equal(cairn_estimate(space, CAIRN_HEURISTIC_AUTO, 0, 3), 5830);
    assert_int_equal(cairn_estimate(space, CAIRN_HEURISTIC_EUCLIDEAN, 3, 3), 0);
    /* To a box: from outside by each axis, from inside nothing. */
    crn_box box = {.x0 = 2, .y0 = -1, .x1 = 4, .y1 = 1};
    assert_int_equal(space->functions->estimate(space, CAIRN_HEURISTIC_MANHATTAN, 0, &box), 1999);
    assert_int_equal(space->functions->estimate(space, CAIRN_HEURISTIC_MANHATTAN, 3, &box), 2999);
    box.x1 = 6, box.y1 = 4;
    assert_int_equal(space->functions->estimate(space, CAIRN_HEURISTIC_MANHATTAN, 3, &box), 0);
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);
}

static void estimates_beyond_the_largest_cost_stop_there(void **state)
{
    cairn_position positions[] = {
        {0, 0, 0}, {1, 0, 0}, {1e300, 0, 0}, {DBL_MAX, 0, 0}, {-DBL_MAX, 0, 0}};
    cairn_graph_edge edge = {0, 1, 1000};
    cairn_graph_options options = {
        .node_count = 5, .edge_count = 1, .edges = &edge, .positions = positions};
    cairn_graph *graph;
    cairn_space *space;
    CHECK_OK(cairn_graph_create(*state, &options, &graph, NULL));
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    assert_int_equal(cairn_estimate(space, CAIRN_HEURISTIC_EUCLIDEAN, 0, 2), CAIRN_COST_MAX);
    /* too far to be measured */
    assert_int_equal(cairn_estimate(space, CAIRN_HEURISTIC_EUCLIDEAN, 3, 4), 0);
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);
}

/* ---- heights ------------------------------------------------------------------------------ */

/* Points on whole numbers: distances are exact. */
static void the_nearest_waypoint_counts_heights(void **state)
{
    scene_rng rng = {15};
    cairn_position *positions = calloc(500, sizeof *positions);
    for (int round = 0; round < 30; round++) {
        uint32_t count = 1 + scene_random(&rng, round % 2 ? 12 : 499), reach = round % 3 ? 9 : 1000;
        for (uint32_t i = 0; i < count; i++) {
            positions[i] =
                (cairn_position){scene_random(&rng, reach), scene_random(&rng, reach), 0};
            if (round % 5) positions[i].z = (double)scene_random(&rng, reach) - reach / 2;
        }
        cairn_graph_options options = {.node_count = count, .positions = positions};
        cairn_graph *graph;
        CHECK_OK(cairn_graph_create(*state, &options, &graph, NULL));
        for (int i = 0; i < 200; i++) {
            cairn_position to = {scene_random(&rng, reach), scene_random(&rng, reach),
                                 scene_random(&rng, reach)};
            cairn_node best = CAIRN_NO_NODE;
            double least = INFINITY;
            for (uint32_t n = 0; n < count; n++) {
                double dx = positions[n].x - to.x, dy = positions[n].y - to.y,
                       dz = positions[n].z - to.z;
                double square = dx * dx + dy * dy + dz * dz;
                if (square >= least) continue;
                least = square;
                best = n;
            }
            assert_int_equal(cairn_graph_node_at(graph, to), best);
        }
        cairn_graph_destroy(graph);
    }
    free(positions);
}

static void estimates_count_heights(void **state)
{
    /* Two edges of 1000 units along 1.0: one on the ground, one straight up. */
    cairn_position positions[] = {
        {0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {2, 3, 6}, {0, 0, (double)INFINITY}};
    cairn_graph_edge edges[] = {{0, 1, 1000}, {1, 2, 1000}};
    cairn_graph_options options = {
        .node_count = 4, .edge_count = 2, .edges = edges, .positions = positions};
    cairn_graph *graph;
    cairn_space *space;
    CHECK_OK(cairn_graph_create(*state, &options, &graph, NULL));
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    assert_int_equal(cairn_estimate(space, CAIRN_HEURISTIC_MANHATTAN, 0, 3), 10999);
    assert_int_equal(cairn_estimate(space, CAIRN_HEURISTIC_EUCLIDEAN, 0, 3), 6999);
    assert_int_equal(cairn_estimate(space, CAIRN_HEURISTIC_CHEBYSHEV, 0, 3), 5999);
    /* Octile of 2 and 3 is 3.828…, of that and 6 it is 7.585… */
    assert_int_equal(cairn_estimate(space, CAIRN_HEURISTIC_OCTILE, 0, 3), 7585);
    assert_int_equal(cairn_estimate(space, CAIRN_HEURISTIC_AUTO, 0, 3), 6999);
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);
    options.node_count = 5;
    cairn_error error = {0};
    CHECK_STATUS(cairn_graph_create(*state, &options, &graph, &error), CAIRN_BAD_DATA);
    assert_int_equal(error.line, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_graph_gives_back_its_edges_in_the_order_they_were_given,
                                        context_set_up, context_tear_down),
        cmocka_unit_test_setup_teardown(a_space_hands_out_edges_in_pieces_as_it_does_whole,
                                        context_set_up, context_tear_down),
        cmocka_unit_test_setup_teardown(of_several_edges_the_cheapest_is_the_step, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(a_space_says_what_the_graph_is, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(weights_in_doubles_are_rounded_up_to_units, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(what_is_wrong_with_a_graph_is_said_with_its_number,
                                        context_set_up, context_tear_down),
        cmocka_unit_test(a_graph_survives_every_failing_allocation),
        cmocka_unit_test_setup_teardown(the_nearest_waypoint_is_the_one_found_by_looking_at_all,
                                        context_set_up, context_tear_down),
        cmocka_unit_test_setup_teardown(positions_at_the_end_of_the_range_are_told_apart,
                                        context_set_up, context_tear_down),
        cmocka_unit_test_setup_teardown(without_positions_there_is_no_place_and_no_estimate,
                                        context_set_up, context_tear_down),
        cmocka_unit_test_setup_teardown(no_estimate_is_more_than_the_way_costs, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(estimates_are_as_large_as_the_cheapest_edge_allows,
                                        context_set_up, context_tear_down),
        cmocka_unit_test_setup_teardown(edges_between_nodes_at_one_place_set_no_bound,
                                        context_set_up, context_tear_down),
        cmocka_unit_test_setup_teardown(metrics_measure_what_their_names_say, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(the_nearest_waypoint_counts_heights, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(estimates_count_heights, context_set_up, context_tear_down),
        cmocka_unit_test_setup_teardown(estimates_beyond_the_largest_cost_stop_there,
                                        context_set_up, context_tear_down),
    };
    return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
