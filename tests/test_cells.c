/* test_cells.c: what takes cells says the same as what takes nodes. */
#include "kit.h"

static bool is_none(cairn_cell cell)
{
    return cell.x == -1 && cell.y == -1;
}

static void check_same_cell(const kit *k, cairn_cell cell, cairn_node node)
{
    cairn_cell expected = cairn_grid_cell(k->grid, node);
    CHECK(cell.x == expected.x && cell.y == expected.y, "(%d,%d), not (%d,%d)", (int)cell.x,
          (int)cell.y, (int)expected.x, (int)expected.y);
}

static void check_points(const kit *k, const cairn_path *path)
{
    for (uint32_t i = 0; i < path->count; i++) {
        check_same_cell(k, cairn_path_cell(k->space, path, i), path->nodes[i]);
        cairn_position a = cairn_path_position(k->space, path, i),
                       b = cairn_grid_position(k->grid, path->nodes[i]);
        assert_true(a.x == b.x && a.y == b.y);
    }
    assert_true(is_none(cairn_path_cell(k->space, path, path->count)));
}

static void check_paths(kit *k, cairn_cell from, cairn_cell to)
{
    cairn_query query = {.from = cairn_grid_node(k->grid, from.x, from.y),
                         .to = cairn_grid_node(k->grid, to.x, to.y)};
    const cairn_path *path;
    cairn_status expected = cairn_search_find(k->search, &query, &path);
    cairn_cost cost = path->cost, distance = 1;
    cairn_node end = path->end;
    CHECK_STATUS(cairn_distance_cells(k->search, from, to, &distance), expected);
    assert_int_equal(distance, cost);
    CHECK_STATUS(cairn_search_find_cells(k->search, from, to, &path), expected);
    CHECK_STATUS(cairn_search_find_cells(k->search, from, to, NULL), expected);
    assert_true(path->cost == cost && path->end == end);
    check_points(k, path);
}

static void check_looks(const kit *k, cairn_cell from, cairn_cell to)
{
    cairn_node a = cairn_space_node(k->space, from), b = cairn_space_node(k->space, to), node;
    assert_int_equal(a, cairn_grid_node(k->grid, from.x, from.y));
    check_same_cell(k, cairn_space_cell(k->space, a), a);
    assert_int_equal(cairn_reachable_cells(k->space, from, to), cairn_reachable(k->space, a, b));
    cairn_cell cell = {7, 7};
    cairn_status expected = cairn_nearest_reachable(k->space, a, b, &node);
    CHECK_STATUS(cairn_nearest_reachable_cell(k->space, from, to, &cell), expected);
    check_same_cell(k, cell, expected ? CAIRN_NO_NODE : node);
    bool clear = cairn_raycast(k->space, a, b, &node);
    assert_int_equal(cairn_raycast_cells(k->space, from, to, &cell), clear);
    check_same_cell(k, cell, node);
    assert_int_equal(cairn_raycast_cells(k->space, from, to, NULL), clear);
}

/* Some of the cells lie outside. */
static void cells_and_nodes_get_the_same_answers(void **state)
{
    (void)state;
    scene_rng rng = {12};
    for (uint32_t round = 0; round < 20; round++) {
        scene *s = scene_noise("cells", 11 + round, 14, 35, round + 1);
        if (round % 4 == 3) scene_make_hex(s);
        kit k = kit_of_scene(s, &s->profile);
        kit_plan(&k, "astar");
        for (uint32_t i = 0; i < 60; i++) {
            cairn_cell ends[2];
            for (uint32_t e = 0; e < 2; e++)
                ends[e] = (cairn_cell){(int32_t)scene_random(&rng, s->width + 2) - 1,
                                       (int32_t)scene_random(&rng, s->height + 2) - 1};
            check_paths(&k, ends[0], ends[1]);
            check_looks(&k, ends[0], ends[1]);
        }
        kit_end(&k, s);
    }
}

static void graphs_have_no_cells(void **state)
{
    (void)state;
    const cairn_graph_edge edges[] = {{0, 1, 1}, {1, 0, 1}};
    kit k = kit_of_edges(2, edges, 2);
    kit_plan(&k, "astar");
    cairn_cell cell = {0, 0}, out = {5, 5};
    const cairn_path *path;
    cairn_cost cost;
    assert_int_equal(cairn_space_node(k.space, cell), CAIRN_NO_NODE);
    assert_true(is_none(cairn_space_cell(k.space, 0)));
    CHECK_STATUS(cairn_search_find_cells(k.search, cell, cell, &path), CAIRN_OUT_OF_BOUNDS);
    CHECK_STATUS(cairn_distance_cells(k.search, cell, cell, &cost), CAIRN_OUT_OF_BOUNDS);
    assert_int_equal(cairn_reachable_cells(k.space, cell, cell), CAIRN_REACH_NO);
    CHECK_STATUS(cairn_nearest_reachable_cell(k.space, cell, cell, &out), CAIRN_OUT_OF_BOUNDS);
    assert_true(is_none(out));
    assert_false(cairn_raycast_cells(k.space, cell, cell, &out));
    assert_true(is_none(out));
    kit_close(&k);
}

static void nothing_given_is_refused(void **state)
{
    (void)state;
    scene *s = scene_named("open");
    kit k = kit_of_scene(s, &s->profile);
    cairn_cell cell = {0, 0};
    cairn_cost cost;
    CHECK_STATUS(cairn_search_find_cells(NULL, cell, cell, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_distance_cells(NULL, cell, cell, &cost), CAIRN_INVALID);
    CHECK_STATUS(cairn_nearest_reachable_cell(NULL, cell, cell, &cell), CAIRN_INVALID);
    CHECK_STATUS(cairn_nearest_reachable_cell(k.space, cell, cell, NULL), CAIRN_INVALID);
    kit_end(&k, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_and_nodes_get_the_same_answers),
        cmocka_unit_test(graphs_have_no_cells),
        cmocka_unit_test(nothing_given_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
