/* test_abstract_graph.c: the spaces that hierarchies search (abstract/part.h, abstract/abstract_graph.h),
 * and searches inside searches (search/subsearch.h), against plain arithmetic.
 */
#include "kit.h"

#include "search/subsearch.h"
#include "abstract/abstract_graph.h"
#include "abstract/part.h"

/* ---- parts of a grid ------------------------------------------------------------------ */

/* A grid of its own that is open only where the part shows something. */
static void part_equals_a_grid(uint64_t seed, cairn_neighbours neighbours, cairn_corners corners,
                               bool hex)
{
    enum { WIDTH = 140, HEIGHT = 40 };
    scene_rng rng = {seed};
    cairn_context *context = NULL;
    CHECK_OK(cairn_context_create(NULL, &context));
    uint8_t open[WIDTH * HEIGHT], shown[WIDTH * HEIGHT];
    for (uint32_t i = 0; i < LENGTH(open); i++) open[i] = scene_random(&rng, 100) >= 25;
    crn_area area = {scene_random(&rng, WIDTH - 1), scene_random(&rng, HEIGHT - 1), 0, 0};
    area.width = 1 + scene_random(&rng, WIDTH - area.left),
    area.height = 1 + scene_random(&rng, HEIGHT - area.top);
    for (uint32_t i = 0; i < LENGTH(open); i++) {
        uint32_t x = i % WIDTH, y = i / WIDTH;
        bool inside = x - area.left < area.width && y - area.top < area.height;
        shown[i] = open[i] && inside;
    }
    cairn_grid *grids[2];
    cairn_space *spaces[2];
    cairn_profile profile = cairn_profile_default();
    profile.neighbours = neighbours;
    profile.corners = corners;
    for (uint32_t i = 0; i < 2; i++) {
        cairn_grid_options options = {.width = WIDTH, .height = HEIGHT, .open = i ? shown : open};
        options.layout = hex ? CAIRN_LAYOUT_HEX : CAIRN_LAYOUT_SQUARE;
        CHECK_OK(cairn_grid_create(context, &options, &grids[i], NULL));
        CHECK_OK(cairn_space_of_grid(grids[i], &profile, &spaces[i], NULL));
    }
    crn_scratch memory = {.context = context};
    crn_part part;
    crn_subsearch subsearch;
    CHECK_OK(crn_part_open(&part, &memory, crn_grid_space_of(spaces[0])));
    CHECK_OK(crn_subsearch_open(&subsearch, &memory, NULL, &part.space.base, 0));
    crn_part_show(&part, area);
    cairn_planner *planner;
    cairn_search *search;
    CHECK_OK(cairn_planner_create(spaces[1], "dijkstra", &planner, NULL));
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    for (uint32_t i = 0; i < 30; i++) {
        uint32_t x = area.left + scene_random(&rng, area.width),
                 y = area.top + scene_random(&rng, area.height);
        cairn_node from = y * WIDTH + x, to = (area.top + scene_random(&rng, area.height)) * WIDTH +
                                              area.left + scene_random(&rng, area.width);
        if (!shown[from] || !shown[to]) continue;
        cairn_cost cost;
        bool found = cairn_distance(search, from, to, &cost) == CAIRN_FOUND;
        CHECK_STATUS(crn_subsearch_find(&subsearch, from, to),
                     found ? CAIRN_FOUND : CAIRN_UNREACHABLE);
        if (found) assert_int_equal(crn_subsearch_cost(&subsearch, to), cost);
        CHECK_STATUS(crn_subsearch_find(&subsearch, from, CAIRN_NO_NODE), CAIRN_FOUND);
        assert_int_equal(crn_subsearch_cost(&subsearch, to), found ? cost : CAIRN_NO_COST);
    }
    crn_part_hide(&part, area);
    for (uint32_t i = 0; i < LENGTH(open); i++) {
        assert_false(crn_bit(&part.space.usable, (int32_t)(i % WIDTH), (int32_t)(i / WIDTH)));
    }
    crn_subsearch_close(&subsearch);
    crn_part_close(&part);
    assert_int_equal(memory.bytes, 0);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    for (uint32_t i = 0; i < 2; i++) {
        cairn_space_destroy(spaces[i]);
        cairn_grid_destroy(grids[i]);
    }
    cairn_context_destroy(context);
}

static void a_part_is_the_grid_with_all_else_blocked(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        part_equals_a_grid(seed, CAIRN_NEIGHBOURS_4, CAIRN_CORNERS_NEVER, false);
        for (cairn_corners corners = 0; corners < CAIRN_CORNERS_COUNT; corners++) {
            part_equals_a_grid(seed, CAIRN_NEIGHBOURS_8, corners, false);
        }
        part_equals_a_grid(seed, CAIRN_NEIGHBOURS_HEX, CAIRN_CORNERS_NEVER, true);
    }
}

static void a_part_follows_commits(void **state)
{
    (void)state;
    cairn_context *context = NULL;
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(cairn_context_create(NULL, &context));
    CHECK_OK(cairn_grid_from_text(context, "....\n....", 9, &grid, NULL));
    cairn_profile profile = cairn_profile_default();
    profile.terrain_cost[1] = CAIRN_TIMES(3);
    CHECK_OK(cairn_space_of_grid(grid, &profile, &space, NULL));
    crn_scratch memory = {.context = context};
    crn_part part;
    crn_subsearch subsearch;
    CHECK_OK(crn_part_open(&part, &memory, crn_grid_space_of(space)));
    CHECK_OK(crn_subsearch_open(&subsearch, &memory, NULL, &part.space.base, 0));
    for (uint32_t i = 0; i < 4; i++) crn_part_show_cell(&part, i, 0);
    CHECK_STATUS(crn_subsearch_find(&subsearch, 0, 3), CAIRN_FOUND);
    cairn_cost before = crn_subsearch_cost(&subsearch, 3);
    for (uint32_t i = 0; i < 4; i++) crn_part_hide_cell(&part, i, 0);
    CHECK_OK(cairn_grid_set_terrain(grid, 1, 0, 1)); /* three times as expensive */
    CHECK_OK(cairn_grid_commit(grid));
    crn_part_refresh(&part);
    for (uint32_t i = 0; i < 4; i++) crn_part_show_cell(&part, i, 0);
    CHECK_STATUS(crn_subsearch_find(&subsearch, 0, 3), CAIRN_FOUND);
    assert_int_equal(crn_subsearch_cost(&subsearch, 3),
                     before + 2 * cairn_space_scale(space).straight);
    crn_subsearch_close(&subsearch);
    crn_part_close(&part);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

/* ---- layers --------------------------------------------------------------------------- */

enum { NODES = 90, GROUPS = 9 };

typedef struct model {
    cairn_cost cost[NODES + 2][NODES + 2]; /* 0 = no edge */
    uint32_t group[NODES];
    uint32_t stamps[GROUPS];
} model;

static void model_draw(model *m, scene_rng *rng, cairn_node node, uint32_t degree)
{
    for (uint32_t i = 0; i < NODES; i++) m->cost[node][i] = 0;
    for (uint32_t i = 0; i < degree; i++) {
        uint32_t to = scene_random(rng, NODES);
        if (to != node) m->cost[node][to] = 20000 + scene_random(rng, 20000);
    }
}

static void model_connect(const model *m, crn_abstract_graph *layer, cairn_node node)
{
    cairn_edge edges[NODES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        if (m->cost[node][i]) edges[count++] = (cairn_edge){i, m->cost[node][i]};
    }
    assert_true(crn_abstract_connect(layer, node, edges, count));
}

/* Bellman and Ford. */
static void model_distances(const model *m, uint32_t stamp, bool filtered, cairn_node from,
                            uint64_t out[NODES + 2])
{
    for (uint32_t i = 0; i < NODES + 2; i++) out[i] = UINT64_MAX;
    out[from] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t a = 0; a < NODES + 2; a++) {
            for (uint32_t b = 0; b < NODES + 2 && out[a] != UINT64_MAX; b++) {
                bool hidden = filtered && b < NODES && m->stamps[m->group[b]] != stamp;
                if (!m->cost[a][b] || hidden || out[a] + m->cost[a][b] >= out[b]) continue;
                out[b] = out[a] + m->cost[a][b];
                changed = true;
            }
        }
    }
}

static void ask_layer(model *m, crn_abstract_view *view, crn_subsearch *subsearch, scene_rng *rng)
{
    cairn_edge leave[4], arrive[4];
    memset(m->cost[NODES], 0, sizeof m->cost[NODES]);
    for (uint32_t i = 0; i < NODES; i++) m->cost[i][NODES + 1] = 0;
    view->leave_count = scene_random(rng, 4), view->arrive_count = scene_random(rng, 4);
    uint32_t to = 0;
    for (uint32_t i = 0; i < view->leave_count; i++) {
        leave[i] = (cairn_edge){20 * i + scene_random(rng, 20), 30000};
        m->cost[NODES][leave[i].node] = leave[i].cost;
    }
    for (uint32_t i = 0; i < view->arrive_count; i++) {
        to += 1 + scene_random(rng, 20);
        arrive[i] = (cairn_edge){to, 40000};
        m->cost[to][NODES + 1] = 40000;
    }
    view->leave = leave, view->arrive = arrive;
    bool filtered = scene_random(rng, 2);
    view->group = filtered ? m->group : NULL;
    view->stamps = m->stamps;
    view->stamp = 1;
    uint64_t want[NODES + 2];
    model_distances(m, 1, filtered, NODES, want);
    bool generic = scene_random(rng, 4) == 0;
    subsearch->settings.generic = generic;
    cairn_status status =
        crn_subsearch_find(subsearch, crn_abstract_view_start(view), crn_abstract_view_goal(view));
    CHECK_STATUS(status, want[NODES + 1] == UINT64_MAX ? CAIRN_UNREACHABLE : CAIRN_FOUND);
    if (status == CAIRN_FOUND) {
        assert_int_equal(crn_subsearch_cost(subsearch, NODES + 1), want[NODES + 1]);
        uint64_t sum = 0;
        for (cairn_node node = NODES + 1, before;
             (before = crn_subsearch_before(subsearch, node)) != CAIRN_NO_NODE; node = before) {
            assert_true(m->cost[before][node]);
            sum += m->cost[before][node];
        }
        assert_int_equal(sum, want[NODES + 1]);
    }
    CHECK_STATUS(crn_subsearch_find(subsearch, NODES, CAIRN_NO_NODE), CAIRN_FOUND);
    for (uint32_t i = 0; i < NODES; i++) {
        assert_int_equal(crn_subsearch_cost(subsearch, i),
                         want[i] == UINT64_MAX ? CAIRN_NO_COST : want[i]);
    }
}

static void a_layer_is_searched_as_the_graph_it_is(void **state)
{
    cairn_context *context = *state;
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(random_grid(context, 30, 20, 0, 1, &grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    crn_scratch memory = {.context = context};
    scene_rng rng = {77};
    for (uint32_t round = 0; round < 20; round++) {
        model *m = calloc(1, sizeof *m);
        if (!m) abort();
        crn_abstract_graph layer;
        crn_abstract_view view;
        crn_subsearch subsearch;
        crn_abstract_open(&layer, context);
        for (uint32_t i = 0; i < NODES; i++) {
            /* At most 1.5 cells from the middle: no edge is cheaper than the path is long. */
            assert_int_equal(crn_abstract_add(&layer, (int32_t)scene_random(&rng, 24),
                                              (int32_t)scene_random(&rng, 24)),
                             i);
            m->group[i] = scene_random(&rng, GROUPS);
        }
        for (uint32_t i = 0; i < GROUPS; i++) m->stamps[i] = scene_random(&rng, 4) > 0;
        crn_abstract_view_open(&view, &layer, space);
        CHECK_OK(crn_subsearch_open(&subsearch, &memory, NULL, &view.base, 1));
        for (uint32_t change = 0; change < 60; change++) {
            for (uint32_t i = 0; i < (change ? 12 : NODES); i++) {
                cairn_node node = change ? scene_random(&rng, NODES) : i;
                model_draw(m, &rng, node, scene_random(&rng, change % 7 == 6 ? 80 : 5));
                model_connect(m, &layer, node);
            }
            crn_abstract_view_refresh(&view, 20000, 40000);
            ask_layer(m, &view, &subsearch, &rng);
        }
        /* When all places are vacant, connecting again takes no new ones. */
        size_t edges = layer.pool.count;
        for (uint32_t i = 0; i < NODES; i++) assert_true(crn_abstract_connect(&layer, i, NULL, 0));
        for (uint32_t i = NODES; i-- > 0;) model_connect(m, &layer, i);
        assert_int_equal(layer.pool.count, edges);
        crn_subsearch_close(&subsearch);
        crn_abstract_close(&layer);
        free(m);
    }
    assert_int_equal(memory.bytes, 0);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

/* All edges of a node, this many at a time; returns how many there are. */
static uint32_t expand_in_batches(const crn_abstract_view *view, cairn_node node, uint32_t batch,
                                  cairn_edge out[2 * NODES])
{
    uint32_t count = 0, more;
    do {
        more = view->base.functions->expand(&view->base, node, count, out + count, batch);
        count += more;
    } while (more == batch);
    return count;
}

static void edges_in_batches_are_those_at_once(void **state)
{
    cairn_context *context = *state;
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(random_grid(context, 30, 20, 0, 1, &grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    model *m = calloc(1, sizeof *m);
    if (!m) abort();
    crn_abstract_graph layer;
    crn_abstract_view view;
    crn_abstract_open(&layer, context);
    scene_rng rng = {12};
    cairn_edge leave[NODES], arrive[] = {{3, 70}, {5, 80}, {60, 90}};
    for (uint32_t i = 0; i < NODES; i++) {
        assert_int_equal(crn_abstract_add(&layer, 0, 0), i);
        m->group[i] = scene_random(&rng, GROUPS);
        leave[i] = (cairn_edge){(i * 7) % NODES, 30 + i};
    }
    for (cairn_node i = 0; i < NODES; i++) {
        model_draw(m, &rng, i, i % 9 ? scene_random(&rng, 120) : 0);
        model_connect(m, &layer, i);
    }
    for (uint32_t i = 0; i < GROUPS; i++) m->stamps[i] = i % 3 > 0;
    crn_abstract_view_open(&view, &layer, space);
    view.leave = leave, view.leave_count = NODES;
    view.arrive = arrive, view.arrive_count = LENGTH(arrive);
    view.stamps = m->stamps, view.stamp = 1;
    for (uint32_t i = 0; i < 2 * (NODES + 2); i++) {
        cairn_node node = i / 2;
        cairn_edge whole[2 * NODES], pieces[2 * NODES];
        view.group = i % 2 ? m->group : NULL;
        uint32_t count = expand_in_batches(&view, node, 2 * NODES - 1, whole), right = 0;
        for (uint32_t k = 0; k < NODES; k++) {
            bool shown = !view.group || m->stamps[m->group[k]] == 1;
            right += shown && (node == NODES || (node < NODES && m->cost[node][k]));
        }
        right += node == 3 || node == 5 || node == 60;
        CHECK(count == right, "%u has %u edges, not %u", node, count, right);
        for (uint32_t batch = 1; batch < 70; batch += batch < 4 ? 1 : 13) {
            assert_int_equal(expand_in_batches(&view, node, batch, pieces), count);
            assert_memory_equal(pieces, whole, count * sizeof *whole);
        }
    }
    crn_abstract_close(&layer);
    free(m);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

/* Positions never promise more than a walk costs. */
static void distances_of_positions_are_those_of_walks(void **state)
{
    cairn_context *context = *state;
    for (uint32_t kind = 0; kind < 3; kind++) {
        bool hex = kind == 2;
        cairn_profile profile = cairn_profile_default();
        profile.neighbours = hex    ? CAIRN_NEIGHBOURS_HEX
                             : kind ? CAIRN_NEIGHBOURS_4
                                    : CAIRN_NEIGHBOURS_8;
        cairn_grid_options options = {.width = 23, .height = 17};
        options.layout = hex ? CAIRN_LAYOUT_HEX : CAIRN_LAYOUT_SQUARE;
        cairn_grid *grid;
        cairn_space *space;
        CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
        CHECK_OK(cairn_space_of_grid(grid, &profile, &space, NULL));
        crn_metric metric = crn_metric_of(space);
        for (cairn_node a = 0; a < 23 * 17; a += 5) {
            for (cairn_node b = 0; b < 23 * 17; b++) {
                int32_t ax, ay, bx, by;
                crn_abstract_position(space, a, &ax, &ay);
                crn_abstract_position(space, b, &bx, &by);
                assert_int_equal(crn_metric_distance(metric, ax, ay, bx, by),
                                 cairn_estimate(space, CAIRN_HEURISTIC_AUTO, a, b));
            }
        }
        cairn_space_destroy(space);
        cairn_grid_destroy(grid);
    }
}

/* ---- memory --------------------------------------------------------------------------- */

static void what_is_inside_counts_outside_too(void **state)
{
    cairn_context *context = *state;
    crn_scratch outer = {.context = context, .limit = 1000},
                subsearch = {.context = context, .outer = &outer};
    void *block = crn_scratch_alloc(&subsearch, 600);
    assert_non_null(block);
    assert_int_equal(outer.bytes, 600);
    assert_null(crn_scratch_alloc(&subsearch, 600));
    assert_true(subsearch.failed && outer.failed);
    void *array = NULL;
    size_t capacity = 0;
    outer.failed = subsearch.failed = false;
    assert_false(crn_scratch_grow(&subsearch, &array, &capacity, 64, 16));
    assert_true(subsearch.failed && outer.failed);
    assert_true(crn_scratch_grow(&subsearch, &array, &capacity, 4, 16));
    assert_int_equal(outer.bytes, 600 + capacity * 16);
    crn_scratch_free(&subsearch, array, capacity * 16);
    crn_scratch_free(&subsearch, block, 600);
    assert_int_equal(outer.bytes, 0);
}

/* ---- lists in a pool ------------------------------------------------------------------- */

typedef struct list_item {
    uint32_t words[3];
} list_item;

enum { LIST_COUNT = 20, LIST_MOST = 40 };

typedef struct list_model {
    list_item items[LIST_COUNT][LIST_MOST];
    uint32_t counts[LIST_COUNT];
} list_model;

static void check_lists(const list_model *m, const crn_lists *lists)
{
    for (uint32_t i = 0; i < LIST_COUNT; i++) {
        assert_int_equal(crn_lists_count(lists, i), m->counts[i]);
        if (m->counts[i])
            assert_memory_equal(crn_lists_items(lists, i), m->items[i],
                                m->counts[i] * sizeof(list_item));
    }
}

static void lists_keep_what_they_were_set_to(void **state)
{
    scene_rng rng = {5};
    list_model *m = calloc(1, sizeof *m);
    crn_lists lists, copy;
    if (!m) abort();
    assert_true(crn_lists_open(&lists, *state, LIST_COUNT, sizeof(list_item)));
    for (uint32_t change = 0; change < 2000; change++) {
        uint32_t i = scene_random(&rng, LIST_COUNT);
        m->counts[i] = scene_random(&rng, 3) ? scene_random(&rng, LIST_MOST + 1) : 0;
        for (uint32_t k = 0; k < m->counts[i]; k++)
            for (uint32_t w = 0; w < 3; w++) m->items[i][k].words[w] = scene_random(&rng, 1 << 30);
        assert_true(crn_lists_set(&lists, i, m->items[i], m->counts[i]));
        check_lists(m, &lists);
    }
    /* Every list may have had a place in each of the seven classes of up to 64 items, no more. */
    assert_true(lists.pool.count <= LIST_COUNT * 127);
    assert_int_equal(crn_lists_bytes(&lists),
                     lists.pool.capacity * sizeof(list_item) + LIST_COUNT * sizeof(crn_list));
    assert_true(crn_lists_open(&copy, *state, LIST_COUNT, sizeof(list_item)));
    memcpy(copy.lists, lists.lists, LIST_COUNT * sizeof *copy.lists);
    assert_true(crn_list_pool_copy(&copy.pool, &lists.pool));
    check_lists(m, &copy);
    crn_lists_close(&lists);
    check_lists(m, &copy);
    crn_lists_close(&copy);
    crn_lists_close(&copy); /* nothing is left to close */
    free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_is_the_grid_with_all_else_blocked),
        cmocka_unit_test(a_part_follows_commits),
        cmocka_unit_test_setup_teardown(a_layer_is_searched_as_the_graph_it_is, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(edges_in_batches_are_those_at_once, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(distances_of_positions_are_those_of_walks, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(what_is_inside_counts_outside_too, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(lists_keep_what_they_were_set_to, context_set_up,
                                        context_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
