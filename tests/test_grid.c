/* test_grid.c: the grid world: making one from arrays, text and seeds, cells and positions,
 * edits in commits and their history, and spaces that follow every commit.
 */
#include "scenes.h"
#include "support.h"

#include <math.h>

static cairn_context *open_context(void)
{
    cairn_context *context;
    CHECK_OK(cairn_context_create(NULL, &context));
    return context;
}

/* ---- making one --------------------------------------------------------------------- */

static void arrays_with_a_stride_are_read_row_by_row(void **state)
{
    (void)state;
    cairn_context *context = open_context();
    const uint8_t open[] = {1, 0, 1, 9, 0, 1, 2, 9}, terrain[] = {0, 1, 2, 9, 3, 4, 255, 9};
    const uint8_t layer[] = {7, 6, 5, 9, 4, 3, 255, 9};
    const int16_t elevation[] = {-32768, 1, 2, 9, 3, 4, 32767, 9};
    cairn_grid_options options = {.width = 3,
                                  .height = 2,
                                  .stride = 4,
                                  .open = open,
                                  .terrain = terrain,
                                  .layer = layer,
                                  .elevation = elevation};
    cairn_grid *grid;
    CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
    assert_int_equal(cairn_grid_width(grid), 3);
    assert_int_equal(cairn_grid_height(grid), 2);
    assert_int_equal(cairn_grid_version(grid), 1);
    assert_ptr_equal(cairn_grid_context(grid), context);
    for (int32_t y = 0; y < 2; y++) {
        for (int32_t x = 0; x < 3; x++) {
            assert_int_equal(cairn_grid_is_open(grid, x, y), open[y * 4 + x] != 0);
            assert_int_equal(cairn_grid_terrain(grid, x, y), terrain[y * 4 + x]);
            assert_int_equal(cairn_grid_layer(grid, x, y), layer[y * 4 + x]);
            assert_int_equal(cairn_grid_elevation(grid, x, y), elevation[y * 4 + x]);
        }
    }
    assert_false(cairn_grid_is_open(grid, 3, 0) || cairn_grid_is_open(grid, -1, 0) ||
                 cairn_grid_is_open(grid, 0, 2));
    assert_int_equal(cairn_grid_terrain(grid, 3, 1), 0);
    assert_int_equal(cairn_grid_layer(grid, -1, 0), 0);
    assert_int_equal(cairn_grid_elevation(grid, 0, -1), 0);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

static void senseless_options_are_refused_with_a_reason(void **state)
{
    (void)state;
    cairn_context *context = open_context();
    const cairn_grid_options wrong[] = {{.width = 0, .height = 4},
                                        {.width = 4, .height = 0},
                                        {.width = CAIRN_GRID_MAX + 1, .height = 1},
                                        {.width = 1, .height = CAIRN_GRID_MAX + 1},
                                        {.width = UINT32_MAX, .height = UINT32_MAX},
                                        {.width = 4, .height = 4, .stride = 3},
                                        {.width = 4, .height = 4, .cell_size = -1},
                                        {.width = 4, .height = 4, .cell_size = (double)INFINITY},
                                        {.width = 4, .height = 4, .origin = {(double)NAN, 0, 0}}};
    for (uint32_t i = 0; i < LENGTH(wrong); i++) {
        cairn_grid *grid = (cairn_grid *)context;
        cairn_error error = {0};
        CHECK_STATUS(cairn_grid_create(context, &wrong[i], &grid, &error), CAIRN_INVALID);
        assert_null(grid);
        assert_true(error.status == CAIRN_INVALID && error.text[0]);
    }
    cairn_grid *grid;
    CHECK_STATUS(cairn_grid_create(NULL, &wrong[0], &grid, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_grid_create(context, NULL, &grid, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_grid_create(context, &wrong[0], NULL, NULL), CAIRN_INVALID);
    cairn_context_destroy(context);
}

static void text_becomes_cells(void **state)
{
    (void)state;
    cairn_context *context = open_context();
    static const char *const texts[] = {".G #\nSWT@\n", ".G #\r\nSWT@", ".G #\nSWTO",
                                        ".G #\nSWT@\n\n\r\n"};
    for (uint32_t i = 0; i < LENGTH(texts); i++) {
        cairn_grid *grid;
        CHECK_OK(cairn_grid_from_text(context, texts[i], strlen(texts[i]), &grid, NULL));
        assert_int_equal(cairn_grid_width(grid), 4);
        assert_int_equal(cairn_grid_height(grid), 2);
        for (int32_t x = 0; x < 4; x++) {
            assert_int_equal(cairn_grid_is_open(grid, x, 0), x < 3);
            assert_int_equal(cairn_grid_is_open(grid, x, 1), x < 3);
        }
        assert_int_equal(cairn_grid_terrain(grid, 2, 0), CAIRN_TERRAIN_GROUND);
        assert_int_equal(cairn_grid_terrain(grid, 0, 1), CAIRN_TERRAIN_SWAMP);
        assert_int_equal(cairn_grid_terrain(grid, 1, 1), CAIRN_TERRAIN_WATER);
        assert_int_equal(cairn_grid_terrain(grid, 2, 1), CAIRN_TERRAIN_TREES);
        cairn_grid_destroy(grid);
    }
    cairn_context_destroy(context);
}

static void bad_text_is_refused_with_its_line(void **state)
{
    (void)state;
    cairn_context *context = open_context();
    static const struct {
        const char *text;
        size_t length;
        uint32_t line;
    } wrong[] = {{"", 0, 1},         {"\n", 1, 1},       {"..\n.\n", 5, 2}, {"..\n..\n...", 9, 3},
                 {"..\n.x\n", 6, 2}, {"..\n\n..", 6, 2}, {".\0", 2, 1}};
    for (uint32_t i = 0; i < LENGTH(wrong); i++) {
        cairn_grid *grid = (cairn_grid *)context;
        cairn_error error = {0};
        CHECK_STATUS(cairn_grid_from_text(context, wrong[i].text, wrong[i].length, &grid, &error),
                     CAIRN_BAD_DATA);
        assert_null(grid);
        CHECK(error.line == wrong[i].line && error.text[0], "case %u: line %u: %s", i, error.line,
              error.text);
    }
    cairn_context_destroy(context);
}

static void only_the_first_classes_have_names(void **state)
{
    (void)state;
    assert_string_equal(cairn_terrain_name(CAIRN_TERRAIN_GROUND), "ground");
    assert_string_equal(cairn_terrain_name(CAIRN_TERRAIN_SWAMP), "swamp");
    assert_string_equal(cairn_terrain_name(CAIRN_TERRAIN_WATER), "water");
    assert_string_equal(cairn_terrain_name(CAIRN_TERRAIN_TREES), "trees");
    assert_null(cairn_terrain_name(CAIRN_TERRAIN_FREE));
    assert_null(cairn_terrain_name(UINT32_MAX));
}

static void sizes_from_one_cell_to_8192_squared_work(void **state)
{
    (void)state;
    cairn_context *context = open_context();
    static const uint32_t sizes[][2] = {
        {1, 1},   {1, 2},     {2, 1},     {7, 9},     {8, 8},       {63, 65},    {64, 64},
        {65, 63}, {127, 129}, {1, 32768}, {32768, 1}, {1000, 1000}, {8192, 8192}};
    for (uint32_t i = 0; i < LENGTH(sizes); i++) {
        cairn_grid *grid;
        cairn_grid_options options = {.width = sizes[i][0], .height = sizes[i][1]};
        CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
        int32_t right = (int32_t)sizes[i][0] - 1, bottom = (int32_t)sizes[i][1] - 1;
        cairn_owned_path found;
        CHECK_STATUS(cairn_find_path(grid, (cairn_cell){0, 0}, (cairn_cell){right, bottom}, &found),
                     CAIRN_FOUND);
        double diagonal = right < bottom ? right : bottom,
               straight = right < bottom ? bottom - right : right - bottom;
        CHECK(fabs(found.path.length - (straight + diagonal * sqrt(2.0))) < 1e-6, "%u x %u: %f",
              sizes[i][0], sizes[i][1], found.path.length);
        cairn_path_free(&found);
        cairn_grid_destroy(grid);
    }
    cairn_context_destroy(context);
}

/* ---- cells and positions ------------------------------------------------------------ */

static void positions_and_cells_are_turned_into_each_other(void **state)
{
    (void)state;
    cairn_context *context = open_context();
    cairn_grid *grid;
    cairn_grid_options options = {
        .width = 7, .height = 5, .origin = {-10, 100, 0}, .cell_size = 2.5};
    CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
    for (cairn_node n = 0; n < 35; n++) {
        cairn_cell cell = cairn_grid_cell(grid, n);
        assert_true(cell.x == (int32_t)(n % 7) && cell.y == (int32_t)(n / 7));
        assert_int_equal(cairn_grid_node(grid, cell.x, cell.y), n);
        cairn_position p = cairn_grid_position(grid, n);
        assert_true(p.x == -10 + (cell.x + 0.5) * 2.5 && p.y == 100 + (cell.y + 0.5) * 2.5);
        assert_int_equal(cairn_grid_node_at(grid, p), n);
        assert_int_equal(cairn_grid_node_at(grid, (cairn_position){p.x - 1.25, p.y - 1.25, 0}), n);
        assert_int_equal(cairn_grid_node_at(grid, (cairn_position){p.x + 1.24, p.y + 1.24, 0}), n);
    }
    const cairn_position outside[] = {{-10.001, 101, 0},     {7.5, 101, 0},
                                      {0, 99.99, 0},         {0, 112.5, 0},
                                      {(double)NAN, 101, 0}, {0, (double)INFINITY, 0},
                                      {-1e300, 101, 0},      {1e300, 1e300, 0}};
    for (uint32_t i = 0; i < LENGTH(outside); i++)
        assert_int_equal(cairn_grid_node_at(grid, outside[i]), CAIRN_NO_NODE);
    assert_int_equal(cairn_grid_node(grid, 7, 0), CAIRN_NO_NODE);
    assert_int_equal(cairn_grid_node(grid, 0, -1), CAIRN_NO_NODE);
    assert_int_equal(cairn_grid_cell(grid, 35).x, -1);
    assert_int_equal(cairn_grid_cell(grid, CAIRN_NO_NODE).y, -1);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

/* ---- commits ------------------------------------------------------------------------ */

static void a_commit_makes_all_staged_changes_at_once(void **state)
{
    (void)state;
    cairn_context *context = open_context();
    cairn_grid *grid;
    cairn_grid_options options = {.width = 200, .height = 140};
    CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
    CHECK_STATUS(cairn_grid_set_open(grid, 200, 0, false), CAIRN_OUT_OF_BOUNDS);
    CHECK_STATUS(cairn_grid_set_layer(grid, 0, -1, 1), CAIRN_OUT_OF_BOUNDS);
    CHECK_OK(cairn_grid_set_open(grid, 130, 70, false));
    CHECK_OK(cairn_grid_set_open(grid, 5, 3, false));
    CHECK_OK(cairn_grid_set_terrain(grid, 5, 3, 7));
    CHECK_OK(cairn_grid_set_elevation(grid, 199, 139, -300));
    CHECK_OK(cairn_grid_set_layer(grid, 9, 9, 1)); /* will be taken back */
    CHECK_OK(cairn_grid_set_layer(grid, 9, 9, 0));
    CHECK_OK(cairn_grid_set_terrain(grid, 5, 3, 8)); /* the later change wins */
    assert_true(cairn_grid_is_open(grid, 130, 70));
    assert_int_equal(cairn_grid_version(grid), 1);
    CHECK_OK(cairn_grid_commit(grid));
    assert_int_equal(cairn_grid_version(grid), 2);
    cairn_commit commit;
    CHECK_OK(cairn_grid_commit_info(grid, 2, &commit));
    assert_int_equal(commit.version, 2);
    assert_int_equal(commit.change_count, 3);
    const cairn_node nodes[] = {3 * 200 + 5, 70 * 200 + 130, 139 * 200 + 199};
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(commit.changes[i].node, nodes[i]);
    assert_true(commit.changes[0].before.open && !commit.changes[0].after.open);
    assert_int_equal(commit.changes[0].before.terrain, 0);
    assert_int_equal(commit.changes[0].after.terrain, 8);
    assert_int_equal(commit.changes[2].after.elevation, -300);
    assert_true(commit.changes[2].before.open && commit.changes[2].after.open);
    assert_int_equal(commit.tile_columns, 4);
    assert_int_equal(commit.tile_rows, 3);
    assert_int_equal(commit.tiles[0], 1u << 0 | 1u << (1 * 4 + 2) | 1u << (2 * 4 + 3));
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

static void commits_that_change_nothing_and_discarded_changes_leave_no_trace(void **state)
{
    (void)state;
    cairn_context *context = open_context();
    cairn_grid *grid;
    CHECK_OK(random_grid(context, 30, 30, 30, 2, &grid));
    CHECK_OK(cairn_grid_commit(grid));
    assert_int_equal(cairn_grid_version(grid), 1);
    CHECK_OK(cairn_grid_set_open(grid, 4, 4, cairn_grid_is_open(grid, 4, 4)));
    CHECK_OK(cairn_grid_commit(grid));
    assert_int_equal(cairn_grid_version(grid), 1);
    CHECK_OK(cairn_grid_set_terrain(grid, 4, 4, 9));
    cairn_grid_discard(grid);
    CHECK_OK(cairn_grid_commit(grid));
    assert_int_equal(cairn_grid_version(grid), 1);
    assert_int_equal(cairn_grid_terrain(grid, 4, 4), 0);
    cairn_commit commit;
    CHECK_STATUS(cairn_grid_commit_info(grid, 1, &commit), CAIRN_STALE);
    CHECK_STATUS(cairn_grid_commit_info(grid, 2, &commit), CAIRN_STALE);
    CHECK_STATUS(cairn_grid_commit_info(grid, 0, &commit), CAIRN_STALE);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

static void the_last_commits_are_remembered_and_older_ones_forgotten(void **state)
{
    (void)state;
    cairn_context *context = open_context();
    cairn_grid *grid;
    CHECK_OK(random_grid(context, 100, 100, 0, 2, &grid));
    for (int32_t i = 0; i < 500; i++) {
        CHECK_OK(cairn_grid_set_open(grid, i % 100, i / 100, false));
        CHECK_OK(cairn_grid_commit(grid));
        cairn_commit commit;
        for (uint64_t back = 0; back < 8 && back <= (uint64_t)i; back++) {
            CHECK_OK(cairn_grid_commit_info(grid, cairn_grid_version(grid) - back, &commit));
            assert_int_equal(commit.version, cairn_grid_version(grid) - back);
            assert_int_equal(commit.change_count, 1);
            assert_int_equal(commit.changes[0].node, (uint32_t)i - back);
        }
        CHECK_STATUS(cairn_grid_commit_info(grid, cairn_grid_version(grid) + 1, &commit),
                     CAIRN_STALE);
    }
    cairn_commit commit;
    CHECK_STATUS(cairn_grid_commit_info(grid, 2, &commit), CAIRN_STALE);
    size_t before = cairn_context_memory(context).bytes;
    /* Huge commits push older ones out: memory for the past is bounded. */
    for (uint32_t round = 0; round < 40; round++) {
        for (int32_t i = 0; i < 100 * 100; i++)
            CHECK_OK(cairn_grid_set_layer(grid, i % 100, i / 100, (uint8_t)(round + 1)));
        CHECK_OK(cairn_grid_commit(grid));
        CHECK_OK(cairn_grid_commit_info(grid, cairn_grid_version(grid), &commit));
        assert_int_equal(commit.change_count, 100 * 100);
    }
    size_t after = cairn_context_memory(context).bytes;
    CHECK(after - before < 5 * 100 * 100 * sizeof(cairn_change), "%u bytes for the past",
          (unsigned)(after - before));
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

/* ---- spaces follow commits ---------------------------------------------------------- */

static void check_same_space(const cairn_space *a, const cairn_space *b, uint32_t round)
{
    uint32_t count = cairn_space_node_count(a);
    assert_int_equal(count, cairn_space_node_count(b));
    for (cairn_node n = 0; n < count; n++) {
        CHECK(cairn_space_usable(a, n) == cairn_space_usable(b, n), "round %u: node %u", round, n);
        cairn_edge x[9], y[9];
        uint32_t i = cairn_space_expand(a, n, 0, x, 9), j = cairn_space_expand(b, n, 0, y, 9);
        CHECK(i == j, "round %u: node %u has %u and %u edges", round, n, i, j);
        for (uint32_t e = 0; e < i; e++) {
            CHECK(x[e].node == y[e].node && x[e].cost == y[e].cost,
                  "round %u: %u to %u costs %u and %u", round, n, x[e].node, x[e].cost, y[e].cost);
        }
    }
    for (uint32_t i = 0; i < 200; i++) {
        cairn_node p = i * 7919 % count, q = i * 104729 % count;
        assert_int_equal(cairn_estimate(a, CAIRN_HEURISTIC_AUTO, p, q),
                         cairn_estimate(b, CAIRN_HEURISTIC_AUTO, p, q));
    }
    assert_int_equal(cairn_space_validate(a, NULL, NULL), 0);
}

static void edit_at_random(cairn_grid *grid, scene *s, scene_rng *rng)
{
    for (uint32_t edits = 1 + scene_random(rng, 4); edits; edits--) {
        int32_t x = (int32_t)scene_random(rng, s->width), y = (int32_t)scene_random(rng, s->height);
        size_t n = (size_t)y * s->width + (size_t)x;
        switch (scene_random(rng, 4)) {
        case 0:
            s->open[n] = (uint8_t)scene_random(rng, 2);
            CHECK_OK(cairn_grid_set_open(grid, x, y, s->open[n]));
            break;
        case 1:
            s->terrain[n] = (uint8_t)scene_random(rng, 6);
            CHECK_OK(cairn_grid_set_terrain(grid, x, y, s->terrain[n]));
            break;
        case 2:
            s->layer[n] = (uint8_t)scene_random(rng, 256);
            CHECK_OK(cairn_grid_set_layer(grid, x, y, s->layer[n]));
            break;
        default:
            s->elevation[n] = (int16_t)(scene_random(rng, 9) - 4);
            CHECK_OK(cairn_grid_set_elevation(grid, x, y, s->elevation[n]));
            break;
        }
    }
    CHECK_OK(cairn_grid_commit(grid));
}

/* The grid edited for long against a grid made new from the arrays. The scale of the
 * rebuilt one is forced to that of the old: a space keeps its scale for life. */
static void check_against_rebuilt(cairn_context *context, const scene *s,
                                  cairn_space *const *spaces, const cairn_profile *profiles,
                                  uint32_t count, uint32_t round)
{
    cairn_grid *grid;
    CHECK_OK(scene_grid(s, context, &grid));
    for (uint32_t i = 0; i < count; i++) {
        cairn_space *rebuilt;
        CHECK_OK(cairn_space_of_grid(grid, &profiles[i], &rebuilt, NULL));
        check_same_space(spaces[i], rebuilt, round);
        oracle_grid raw = scene_raw(s);
        oracle *o = oracle_of_grid(&raw, &profiles[i], cairn_space_scale(spaces[i]));
        for (cairn_node n = 0; n < o->count; n++) {
            cairn_edge edges[8];
            uint32_t edge_count = cairn_space_expand(spaces[i], n, 0, edges, 8);
            assert_int_equal(edge_count, o->first[n + 1] - o->first[n]);
            for (uint32_t e = 0; e < edge_count; e++)
                assert_int_equal(edges[e].cost, oracle_edge(o, n, edges[e].node));
        }
        oracle_destroy(o);
        cairn_space_destroy(rebuilt);
    }
    cairn_grid_destroy(grid);
}

static void after_thousands_of_commits_spaces_equal_rebuilt_ones(void **state)
{
    (void)state;
    cairn_context *context = open_context();
    scene *s = scene_noise("edited", 70, 66, 20, 3);
    s->terrain = calloc(70 * 66, 1), s->layer = calloc(70 * 66, 1),
    s->elevation = calloc(70 * 66, sizeof *s->elevation);
    if (!s->terrain || !s->layer || !s->elevation) abort();
    cairn_grid *grid;
    CHECK_OK(scene_grid(s, context, &grid)); /* all planes are still empty */
    cairn_profile profiles[4];
    cairn_space *spaces[4];
    for (uint32_t i = 0; i < 4; i++) {
        profiles[i] = cairn_profile_default();
        profiles[i].neighbours = i == 3 ? CAIRN_NEIGHBOURS_4 : CAIRN_NEIGHBOURS_8;
        profiles[i].corners = (cairn_corners)(i % 3);
        profiles[i].cost_scale = 1;
        if (i) profiles[i].terrain_cost[5] = CAIRN_TIMES(7), profiles[i].layer_weight = 100;
        if (i == 2) profiles[i].max_climb = 2, profiles[i].max_drop = 3;
        if (i >= 2) profiles[i].gradient = 99;
        CHECK_OK(cairn_space_of_grid(grid, &profiles[i], &spaces[i], NULL));
    }
    scene_rng rng = {17};
    for (uint32_t round = 0; round < test_times(3000, 1000); round++) {
        edit_at_random(grid, s, &rng);
        if (round % 500 == 499) check_against_rebuilt(context, s, spaces, profiles, 4, round);
        assert_int_equal(cairn_space_version(spaces[0]), cairn_grid_version(grid));
    }
    for (uint32_t i = 0; i < 4; i++) cairn_space_destroy(spaces[i]);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    scene_destroy(s);
}

/* A search after each of many commits sees the world as it is. */
static void searches_after_commits_see_the_new_world(void **state)
{
    (void)state;
    cairn_context *context = open_context();
    scene *s = scene_noise("moving", 40, 36, 15, 4);
    scene_add_terrain(s, 5);
    scene_add_danger(s, 6);
    scene_add_hills(s, 7);
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    CHECK_OK(scene_grid(s, context, &grid));
    CHECK_OK(cairn_space_of_grid(grid, &s->profile, &space, NULL));
    CHECK_OK(cairn_planner_create(space, "astar", &planner, NULL));
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    scene_rng rng = {8};
    for (uint32_t round = 0; round < 150; round++) {
        edit_at_random(grid, s, &rng);
        cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
        oracle_grid raw = scene_raw(s);
        oracle *o = oracle_of_grid(&raw, &s->profile, cairn_space_scale(space));
        oracle_search(o, from);
        const cairn_path *path;
        cairn_search_find(search, &(cairn_query){.from = from, .to = to}, &path);
        uint64_t cost = path->status == CAIRN_FOUND ? path->cost : ORACLE_NONE;
        CHECK(cost == o->distance[to], "round %u: from %u to %u", round, from, to);
        assert_int_equal(path->version, cairn_grid_version(grid));
        oracle_destroy(o);
    }
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    scene_destroy(s);
}

static void the_easy_call_follows_edits_and_says_why_not(void **state)
{
    (void)state;
    cairn_context *context = open_context();
    cairn_grid *grid;
    const char text[] = "...\n.#.\n...\n";
    CHECK_OK(cairn_grid_from_text(context, text, strlen(text), &grid, NULL));
    cairn_owned_path found;
    CHECK_STATUS(cairn_find_path(grid, (cairn_cell){0, 0}, (cairn_cell){2, 2}, &found),
                 CAIRN_FOUND);
    assert_int_equal(found.path.cost, 4 * 5741);
    cairn_path_free(&found);
    CHECK_OK(cairn_grid_set_open(grid, 1, 1, true));
    CHECK_OK(cairn_grid_commit(grid));
    CHECK_STATUS(cairn_find_path(grid, (cairn_cell){0, 0}, (cairn_cell){2, 2}, &found),
                 CAIRN_FOUND);
    assert_int_equal(found.path.cost, 2 * 8119);
    cairn_path_free(&found);
    CHECK_STATUS(cairn_find_path(grid, (cairn_cell){0, 0}, (cairn_cell){3, 2}, &found),
                 CAIRN_OUT_OF_BOUNDS);
    CHECK_STATUS(cairn_find_path(grid, (cairn_cell){-1, 0}, (cairn_cell){2, 2}, &found),
                 CAIRN_OUT_OF_BOUNDS);
    CHECK_OK(cairn_grid_set_open(grid, 2, 1, false));
    CHECK_OK(cairn_grid_set_open(grid, 1, 2, false));
    CHECK_OK(cairn_grid_commit(grid));
    CHECK_STATUS(cairn_find_path(grid, (cairn_cell){0, 0}, (cairn_cell){2, 2}, &found),
                 CAIRN_UNREACHABLE);
    assert_true(found.path.count == 0 && found.path.cost == CAIRN_NO_COST);
    CHECK_STATUS(cairn_find_path(grid, (cairn_cell){0, 0}, (cairn_cell){2, 1}, &found),
                 CAIRN_BLOCKED_GOAL);
    CHECK_STATUS(cairn_find_path(grid, (cairn_cell){2, 1}, (cairn_cell){0, 0}, &found),
                 CAIRN_BLOCKED_START);
    cairn_path_free(&found);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_with_a_stride_are_read_row_by_row),
        cmocka_unit_test(senseless_options_are_refused_with_a_reason),
        cmocka_unit_test(text_becomes_cells),
        cmocka_unit_test(bad_text_is_refused_with_its_line),
        cmocka_unit_test(only_the_first_classes_have_names),
        cmocka_unit_test(sizes_from_one_cell_to_8192_squared_work),
        cmocka_unit_test(positions_and_cells_are_turned_into_each_other),
        cmocka_unit_test(a_commit_makes_all_staged_changes_at_once),
        cmocka_unit_test(commits_that_change_nothing_and_discarded_changes_leave_no_trace),
        cmocka_unit_test(the_last_commits_are_remembered_and_older_ones_forgotten),
        cmocka_unit_test(after_thousands_of_commits_spaces_equal_rebuilt_ones),
        cmocka_unit_test(searches_after_commits_see_the_new_world),
        cmocka_unit_test(the_easy_call_follows_edits_and_says_why_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
