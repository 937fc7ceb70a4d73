/* test_path.c: owning, walking and checking paths: those of the oracle, broken ones, and those of
 * every algorithm.
 */
#include "routes.h"
#include "smoothing.h"

/* ---- walking and checking ------------------------------------------------------------------- */

static void check_walk(const world *w, route *r, scene_rng *rng)
{
    (void)rng;
    assert_int_equal(cairn_path_step_count(w->space, &r->path), r->cell_count);
    cairn_path_iterator it = cairn_path_begin(w->space, &r->path);
    for (uint32_t i = 0; i < r->cell_count; i++)
        assert_int_equal(cairn_path_next(&it), r->cells[i]);
    assert_int_equal(cairn_path_next(&it), CAIRN_NO_NODE);
    assert_int_equal(cairn_path_next(&it), CAIRN_NO_NODE);
    for (uint32_t first = 0; first < r->cell_count + 2; first++) {
        for (uint32_t capacity = 0; capacity < 5; capacity++) {
            cairn_node out[5] = {99999, 99999, 99999, 99999, 99999};
            uint32_t left = first < r->cell_count ? r->cell_count - first : 0;
            uint32_t must = left < capacity ? left : capacity;
            assert_int_equal(cairn_path_cells(w->space, &r->path, first, out, capacity), must);
            if (must) assert_memory_equal(out, r->cells + first, must * sizeof *out);
            assert_int_equal(out[must], 99999);
        }
    }
}

static void a_path_lists_every_cell_it_visits(void **state)
{
    (void)state;
    for_many_routes(31, 150, check_walk);
}

static void check_valid(const world *w, route *r, scene_rng *rng)
{
    (void)rng;
    cairn_cost cost = 1;
    cairn_node from = 1, to = 1;
    assert_true(cairn_path_valid(w->space, &r->path, &cost, &from, &to));
    assert_int_equal(cost, r->path.cost);
    assert_int_equal(from, CAIRN_NO_NODE);
    assert_int_equal(to, CAIRN_NO_NODE);
    assert_true(cairn_path_valid(w->space, &r->path, NULL, NULL, NULL));
    cairn_path cells = r->path;
    cells.nodes = r->cells;
    cells.count = r->cell_count;
    if (r->path.link_count) return; /* its links are told by points */
    assert_true(cairn_path_valid(w->space, &cells, &cost, NULL, NULL));
    assert_int_equal(cost, r->path.cost);
}

static void a_legal_path_is_valid_and_its_cost_is_the_sum_of_its_steps(void **state)
{
    (void)state;
    for_many_routes(32, 150, check_valid);
}

/* Blocks one cell of the path and asks again. */
static void check_blocked(const world *w, route *r, scene_rng *rng)
{
    uint32_t at = scene_random(rng, r->cell_count), first = 0;
    cairn_cell cell = cairn_grid_cell(w->grid, r->cells[at]);
    while (r->cells[first] != r->cells[at]) first++; /* where the path first meets it */
    CHECK_OK(cairn_grid_set_open(w->grid, cell.x, cell.y, false));
    CHECK_OK(cairn_grid_commit(w->grid));
    cairn_cost cost = 1;
    cairn_node from = 1, to = 1;
    assert_false(cairn_path_valid(w->space, &r->path, &cost, &from, &to));
    assert_int_equal(cost, CAIRN_NO_COST);
    if (!cairn_space_usable(w->space, r->cells[0])) {
        /* as for large agents when a cell near it is blocked */
        assert_int_equal(from, r->cells[0]);
        assert_int_equal(to, r->cells[0]);
    } else {
        /* The step into the cell, or an earlier one past its corner. */
        uint32_t k = 0;
        while (r->cells[k] != from || r->cells[k + 1] != to) {
            k++;
            assert_true(k < first);
        }
        for (uint32_t i = 0; i < k; i++) {
            assert_true(cairn_space_step_cost(w->space, r->cells[i], r->cells[i + 1]) !=
                        CAIRN_NO_COST);
        }
        if (!w->scene->link_count)
            assert_true(cairn_space_step_cost(w->space, from, to) == CAIRN_NO_COST);
    }
    uint32_t count = 0;
    CHECK_STATUS(smooth_sight(w->space, &r->path, NULL, 0, &count, NULL), CAIRN_STALE);
    assert_int_equal(count, 0);
    CHECK_OK(cairn_grid_set_open(w->grid, cell.x, cell.y, true));
    CHECK_OK(cairn_grid_commit(w->grid));
}

static void a_path_with_a_blocked_cell_is_not_valid_and_the_step_is_named(void **state)
{
    (void)state;
    for_many_routes(33, 150, check_blocked);
}

typedef struct broken {
    cairn_node nodes[4];
    uint32_t count;
    cairn_node from, to; /* the fault; CAIRN_NO_NODE twice with `valid` */
    bool valid;
} broken;

static void what_no_path_can_be_is_not_valid(void **state)
{
    (void)state;
    /* 0 1 2 3 / 4 # 6 7 / 8 9 10 11 */
    world w = world_of(scene_of_text("broken", "....\n.#..\n....\n"));
    const broken cases[] = {
        {{0, 3}, 2, CAIRN_NO_NODE, CAIRN_NO_NODE, true},
        {{0}, 1, CAIRN_NO_NODE, CAIRN_NO_NODE, true},
        {{0, 3, 11, 8}, 4, CAIRN_NO_NODE, CAIRN_NO_NODE, true},
        {{3, 0}, 2, CAIRN_NO_NODE, CAIRN_NO_NODE, true},
        {{0}, 0, CAIRN_NO_NODE, CAIRN_NO_NODE, false},
        {{5}, 1, 5, 5, false},      /* stands in a wall */
        {{12}, 1, 12, 12, false},   /* stands outside */
        {{0, 12}, 2, 0, 12, false}, /* leads outside */
        {{CAIRN_NO_NODE, 0}, 2, CAIRN_NO_NODE, CAIRN_NO_NODE, false},
        {{0, CAIRN_NO_NODE}, 2, 0, CAIRN_NO_NODE, false},
        {{0, 6}, 2, 0, 6, false},    /* a knight's leap */
        {{8, 3, 7}, 3, 8, 3, false}, /* (0, 2) to (3, 0) is none of the eight directions */
        {{4, 7}, 2, 4, 5, false},    /* through a wall */
        {{4, 1}, 2, 4, 1, false},    /* past the corner of a wall */
        {{0, 0}, 2, 0, 0, false},    /* the same point twice */
        {{0, 3, 3, 7}, 4, 3, 3, false},
        {{3, 4}, 2, 3, 4, false}, /* from one row's end to the next one's start */
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        cairn_path path = {.status = CAIRN_FOUND, .nodes = cases[i].nodes, .count = cases[i].count};
        cairn_cost cost;
        cairn_node from = 77, to = 77;
        CHECK(cairn_path_valid(w.space, &path, &cost, &from, &to) == cases[i].valid, "case %zu", i);
        CHECK(from == cases[i].from && to == cases[i].to, "case %zu: %u to %u", i, from, to);
        assert_int_equal(cost != CAIRN_NO_COST, cases[i].valid);
    }
    cairn_node nodes[] = {0, 3};
    cairn_path path = {.status = CAIRN_UNREACHABLE, .nodes = nodes, .count = 2};
    assert_false(cairn_path_valid(w.space, &path, NULL, NULL, NULL));
    path.partial = true;
    assert_true(cairn_path_valid(w.space, &path, NULL, NULL, NULL));
    assert_false(cairn_path_valid(w.space, NULL, NULL, NULL, NULL));
    world_end(&w);
}

static void a_path_whose_cost_does_not_fit_is_not_valid(void **state)
{
    (void)state;
    scene *s = scene_blank("expensive", 200, 1);
    for (uint32_t i = 0; i < 256; i++) s->profile.terrain_cost[i] = CAIRN_TIMES(255);
    s->profile.cost_scale = 0;
    world w = world_of(s);
    cairn_node nodes[20];
    for (uint32_t i = 0; i < 20; i++) nodes[i] = i % 2 ? 199 : 0;
    /* 14 · 199 steps of 5741 · 255 */
    cairn_path path = {.status = CAIRN_FOUND, .nodes = nodes, .count = 15};
    cairn_cost cost;
    assert_true(cairn_path_valid(w.space, &path, &cost, NULL, NULL));
    assert_int_equal(cost, 14u * 199u * 5741u * 255u);
    path.count = 16; /* 4,369,904,175: one run too many */
    assert_false(cairn_path_valid(w.space, &path, &cost, NULL, NULL));
    assert_int_equal(cost, CAIRN_NO_COST);
    path.count = 20;
    assert_false(cairn_path_valid(w.space, &path, &cost, NULL, NULL));
    world_end(&w);
}

static void broken_paths_are_walked_without_harm(void **state)
{
    (void)state;
    world w = world_of(scene_blank("harm", 5, 4));
    cairn_node nodes[] = {0, 0, 2, 2, 13, 13, 40, 3};
    cairn_path path = {.status = CAIRN_FOUND, .nodes = nodes, .count = LENGTH(nodes)};
    const cairn_node walked[] = {0, 1, 2, 8, 13}; /* up to the point outside */
    cairn_path_iterator it = cairn_path_begin(w.space, &path);
    for (size_t i = 0; i < LENGTH(walked); i++) assert_int_equal(cairn_path_next(&it), walked[i]);
    assert_int_equal(cairn_path_next(&it), CAIRN_NO_NODE);
    assert_int_equal(cairn_path_step_count(w.space, &path), LENGTH(walked));
    for (uint32_t first = 0; first < 8; first++) {
        cairn_node out[8];
        uint32_t count = cairn_path_cells(w.space, &path, first, out, 8);
        assert_int_equal(count, first < LENGTH(walked) ? LENGTH(walked) - first : 0);
        if (count) assert_memory_equal(out, walked + first, count * sizeof *out);
    }
    path.nodes = nodes + 6; /* begins outside */
    path.count = 2;
    assert_int_equal(cairn_path_step_count(w.space, &path), 0);
    it = cairn_path_begin(w.space, &path);
    assert_int_equal(cairn_path_next(&it), CAIRN_NO_NODE);
    assert_int_equal(cairn_path_cells(w.space, &path, 0, nodes, 8), 0);
    path.count = 0;
    assert_int_equal(cairn_path_step_count(w.space, &path), 0);
    assert_int_equal(cairn_path_cells(w.space, &path, 0, nodes, 8), 0);
    world_end(&w);
}

static void a_copy_of_a_path_is_its_owners(void **state)
{
    (void)state;
    watched watch = {0};
    cairn_context *context;
    CHECK_OK(watched_context(&watch, &context));
    size_t blocks = watch.blocks;
    cairn_node nodes[] = {3, 1, 4};
    cairn_path path = {.status = CAIRN_OUT_OF_BUDGET,
                       .partial = true,
                       .end = 4,
                       .nodes = nodes,
                       .count = 3,
                       .cost = 59,
                       .length = 2.5,
                       .suboptimality_bound = 1.25,
                       .version = 7};
    cairn_owned_path copy;
    CHECK_OK(cairn_path_copy(context, &path, &copy));
    nodes[1] = 99;
    assert_ptr_not_equal(copy.path.nodes, nodes);
    assert_int_equal(copy.path.nodes[1], 1);
    assert_int_equal(copy.path.nodes[2], 4);
    assert_int_equal(copy.path.status, CAIRN_OUT_OF_BUDGET);
    assert_true(copy.path.partial && copy.path.length == 2.5 &&
                copy.path.suboptimality_bound == 1.25);
    assert_true(copy.path.end == 4 && copy.path.count == 3 && copy.path.cost == 59 &&
                copy.path.version == 7);
    assert_int_equal(watch.blocks, blocks + 1);
    cairn_path_free(&copy);
    assert_int_equal(watch.blocks, blocks);
    assert_null(copy.path.nodes);
    assert_int_equal(copy.path.count, 0);
    cairn_path_free(&copy); /* once more does no harm */
    cairn_path_free(NULL);
    copy = (cairn_owned_path){0};
    cairn_path_free(&copy); /* nor does one that never was */

    cairn_path none = {.status = CAIRN_UNREACHABLE, .end = CAIRN_NO_NODE, .cost = CAIRN_NO_COST};
    CHECK_OK(cairn_path_copy(context, &none, &copy));
    assert_int_equal(copy.path.status, CAIRN_UNREACHABLE);
    assert_null(copy.path.nodes);
    watch.fail_at = watch.calls + 1;
    CHECK_STATUS(cairn_path_copy(context, &path, &copy), CAIRN_OUT_OF_MEMORY);
    assert_int_equal(copy.path.status, CAIRN_OUT_OF_MEMORY);
    assert_int_equal(copy.path.count, 0);
    assert_int_equal(copy.path.end, CAIRN_NO_NODE);
    CHECK_STATUS(cairn_path_copy(NULL, &path, &copy), CAIRN_INVALID);
    CHECK_STATUS(cairn_path_copy(context, NULL, &copy), CAIRN_INVALID);
    CHECK_STATUS(cairn_path_copy(context, &path, NULL), CAIRN_INVALID);
    assert_int_equal(watch.blocks, blocks);
    assert_false(watch.wrong_size);
    cairn_context_destroy(context);
}

/* ---- graphs
 * --------------------------------------------------------------------------------------- */

static void paths_on_a_graph_are_every_node(void **state)
{
    (void)state;
    cairn_context *context;
    cairn_graph *graph;
    cairn_space *space;
    CHECK_OK(cairn_context_create(NULL, &context));
    graph_scene *s = graph_scene_at(1);
    CHECK_OK(graph_scene_graph(s, context, &graph));
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    cairn_node nodes[] = {0, 1, 2, 3, 4}, out[5];
    cairn_path path = {
        .status = CAIRN_FOUND, .nodes = nodes, .count = 5, .length = 25, .version = 1};
    cairn_cost cost;
    assert_true(cairn_path_valid(space, &path, &cost, NULL, NULL));
    assert_int_equal(cost, 7 + 7 + 6 + 5); /* the cheapest of the three edges from 0 to 1 */
    assert_int_equal(cairn_path_step_count(space, &path), 5);
    cairn_path_iterator it = cairn_path_begin(space, &path);
    for (uint32_t i = 0; i < 5; i++) assert_int_equal(cairn_path_next(&it), nodes[i]);
    assert_int_equal(cairn_path_next(&it), CAIRN_NO_NODE);
    assert_int_equal(cairn_path_cells(space, &path, 2, out, 5), 3);
    assert_memory_equal(out, nodes + 2, 3 * sizeof *out);
    assert_int_equal(cairn_path_cells(space, &path, 5, out, 5), 0);
    assert_int_equal(cairn_simplify(space, nodes, 5), 5);

    uint32_t count;
    double length;
    CHECK_OK(smooth_sight(space, &path, out, 5, &count, &length));
    assert_int_equal(count, 5);
    assert_memory_equal(out, nodes, sizeof nodes);
    assert_true(length == 25);
    CHECK_STATUS(smooth_sight(space, &path, out, 4, &count, &length), CAIRN_INVALID);

    cairn_node from, to, wrong[] = {0, 1, 0};
    path.nodes = wrong, path.count = 3;
    assert_false(cairn_path_valid(space, &path, &cost, &from, &to));
    assert_int_equal(from, 1);
    assert_int_equal(to, 0);
    wrong[1] = 5;
    assert_false(cairn_path_valid(space, &path, &cost, &from, &to));
    assert_int_equal(cairn_path_step_count(space, &path), 1);
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);
    cairn_context_destroy(context);
    graph_scene_destroy(s);
}

/* ---- what the searches give ------------------------------------------------------------------ */

static void check_searched(const world *w, const cairn_path *path)
{
    cairn_cost cost;
    uint64_t cells = cairn_path_step_count(w->space, path);
    assert_true(cairn_path_valid(w->space, path, &cost, NULL, NULL));
    assert_int_equal(cost, path->cost);
    assert_int_equal(path->end, path->nodes[path->count - 1]);

    /* Its points are the turning points of its cells: none missing, none too many. */
    cairn_node *nodes = calloc(cells, sizeof *nodes);
    assert_int_equal(cairn_path_cells(w->space, path, 0, nodes, (uint32_t)cells), cells);
    assert_int_equal(cairn_simplify(w->space, nodes, (uint32_t)cells), path->count);
    assert_memory_equal(nodes, path->nodes, path->count * sizeof *nodes);

    uint32_t count;
    double length;
    CHECK_OK(smooth_sight(w->space, path, nodes, (uint32_t)cells, &count, &length));
    assert_true(length <= path->length + 1e-9);
    free(nodes);
}

static void the_paths_of_every_algorithm_are_valid_and_have_only_turning_points(void **state)
{
    (void)state;
    scene_rng rng = {61};
    for (uint32_t i = 0; i < scene_count(); i++) {
        world w = world_of(scene_at(i));
        for (uint32_t a = 0; a < cairn_algorithm_count(); a++) {
            cairn_planner *planner;
            cairn_search *search;
            if (cairn_algorithm_at(a)->flags & CAIRN_ANY_ANGLE) continue;
            cairn_status status =
                planner_ready(w.space, cairn_algorithm_at(a)->name, &planner, NULL);
            if (status == CAIRN_UNSUPPORTED) continue;
            CHECK_OK(status);
            CHECK_OK(cairn_search_create(planner, NULL, &search));
            for (int query = 0; query < 12; query++) {
                cairn_node from = scene_pick(w.scene, &rng), to = scene_pick(w.scene, &rng);
                if (from == CAIRN_NO_NODE) break;
                const cairn_path *path;
                cairn_query q = {.from = from, .to = to};
                if (cairn_search_find(search, &q, &path) == CAIRN_FOUND) check_searched(&w, path);
            }
            cairn_search_destroy(search);
            cairn_planner_destroy(planner);
        }
        world_end(&w);
    }
}

/* Hundreds of steps in a line, which are read some dozens at a time, are two points. */
static void long_lines_of_steps_are_merged(void **state)
{
    (void)state;
    for (uint32_t width = 60; width <= 300; width += 5) {
        world w = world_of(scene_serpent("long", width, 7));
        cairn_planner *planner;
        cairn_search *search;
        const cairn_path *path;
        CHECK_OK(planner_ready(w.space, "astar", &planner, NULL));
        CHECK_OK(cairn_search_create(planner, NULL, &search));
        CHECK_STATUS(cairn_search_find(search, &(cairn_query){.from = 0, .to = width - 1}, &path),
                     CAIRN_FOUND);
        assert_int_equal(path->count, 2);
        assert_int_equal(path->nodes[0], 0);
        check_searched(&w, path);
        cairn_query all = {.from = 0, .to = 6 * width};
        CHECK_STATUS(cairn_search_find(search, &all, &path), CAIRN_FOUND);
        assert_true(cairn_path_step_count(w.space, path) > 3 * width);
        check_searched(&w, path);
        cairn_search_destroy(search);
        cairn_planner_destroy(planner);
        world_end(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_lists_every_cell_it_visits),
        cmocka_unit_test(a_legal_path_is_valid_and_its_cost_is_the_sum_of_its_steps),
        cmocka_unit_test(a_path_with_a_blocked_cell_is_not_valid_and_the_step_is_named),
        cmocka_unit_test(what_no_path_can_be_is_not_valid),
        cmocka_unit_test(a_path_whose_cost_does_not_fit_is_not_valid),
        cmocka_unit_test(broken_paths_are_walked_without_harm),
        cmocka_unit_test(a_copy_of_a_path_is_its_owners),
        cmocka_unit_test(paths_on_a_graph_are_every_node),
        cmocka_unit_test(the_paths_of_every_algorithm_are_valid_and_have_only_turning_points),
        cmocka_unit_test(long_lines_of_steps_are_merged),
    };
    return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
