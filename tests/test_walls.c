/* test_walls.c: costs near walls are what the clearance of each cell says, also after edits, and
 * every optimal algorithm takes them into account.
 */
#include "kit.h"

#include <math.h>

static void stage(kit *k, cairn_walls walls)
{
    CHECK_OK(cairn_space_stage_walls(k->space, &walls));
    CHECK_OK(cairn_grid_commit(k->grid));
}

/* By the words of the header, for every cell. */
static void check_layer(kit *k, cairn_walls walls, const char *name)
{
    for (cairn_node n = 0; n < cairn_space_node_count(k->space); n++) {
        cairn_cell cell = cairn_grid_cell(k->grid, n);
        double away = cairn_space_clearance(k->space, n) - 0.5, units = 0;
        if (away >= 0 && away < walls.range)
            units = floor(walls.cost * (1 - away / walls.range) + 0.5);
        CHECK(cairn_grid_layer(k->grid, cell.x, cell.y) == (uint8_t)units,
              "%s: %u units at (%d,%d), not %u", name, cairn_grid_layer(k->grid, cell.x, cell.y),
              cell.x, cell.y, (unsigned)units);
    }
}

/* A cell may be opened, blocked, or become ground that this agent does not enter. */
static void edit(kit *k, scene_rng *rng, uint32_t edits)
{
    for (uint32_t i = 0; i < edits; i++) {
        int32_t x = (int32_t)scene_random(rng, cairn_grid_width(k->grid)),
                y = (int32_t)scene_random(rng, cairn_grid_height(k->grid));
        if (scene_random(rng, 2)) {
            CHECK_OK(cairn_grid_set_open(k->grid, x, y, scene_random(rng, 2)));
        } else {
            CHECK_OK(cairn_grid_set_terrain(k->grid, x, y, (uint8_t)(6 * scene_random(rng, 2))));
        }
    }
    CHECK_OK(cairn_grid_commit(k->grid));
}

static void costs_follow_every_edit(void **state)
{
    (void)state;
    static const double ranges[] = {1, 1.5, 2.5, 3, 6.25};
    for (uint32_t seed = 1; seed <= test_times(24, 8); seed++) {
        scene *s = scene_noise("noise", 40, 30, 8, seed);
        if (seed % 3 == 0) scene_make_hex(s);
        s->profile.terrain_cost[6] = 0;
        s->profile.layer_weight = 16;
        kit k = kit_of_scene(s, &s->profile);
        cairn_walls walls = {.range = ranges[seed % 4], .cost = (uint8_t)(seed * 10)};
        scene_rng rng = {seed};
        stage(&k, walls);
        check_layer(&k, walls, "all cells");
        for (uint32_t round = 0; round < 4; round++) {
            walls.since = cairn_grid_version(k.grid);
            edit(&k, &rng, 1 + 3 * round);
            stage(&k, walls);
            check_layer(&k, walls, "near edits");
        }
        kit_end(&k, s);
    }
}

/* What was staged before yields, also where the cell would be as it is. */
static void other_edits_of_the_layer_are_replaced(void **state)
{
    (void)state;
    scene *s = scene_blank("blank", 20, 20);
    kit k = kit_of_scene(s, &s->profile);
    cairn_walls walls = {.range = 2, .cost = 32};
    CHECK_OK(cairn_grid_set_layer(k.grid, 10, 10, 7));
    CHECK_OK(cairn_space_stage_walls(k.space, &(cairn_walls){.range = 6, .cost = 99}));
    stage(&k, walls);
    check_layer(&k, walls, "staged twice");
    kit_end(&k, s);
}

/* An edit changes costs near it only. */
static void nothing_changes_far_away(void **state)
{
    (void)state;
    scene *s = scene_blank("blank", 80, 60);
    kit k = kit_of_scene(s, &s->profile);
    cairn_walls walls = {.range = 3, .cost = 32};
    stage(&k, walls);
    walls.since = cairn_grid_version(k.grid);
    CHECK_OK(cairn_grid_set_open(k.grid, 40, 30, false));
    CHECK_OK(cairn_grid_commit(k.grid));
    stage(&k, walls);
    cairn_commit commit;
    CHECK_OK(cairn_grid_commit_info(k.grid, cairn_grid_version(k.grid), &commit));
    assert_in_range(commit.change_count, 20, 49);
    for (uint32_t i = 0; i < commit.change_count; i++) {
        cairn_cell cell = cairn_grid_cell(k.grid, commit.changes[i].node);
        CHECK(abs(cell.x - 40) <= 3 && abs(cell.y - 30) <= 3, "(%d,%d) changes", cell.x, cell.y);
    }
    walls.since = cairn_grid_version(k.grid); /* nothing is left to do */
    stage(&k, walls);
    assert_int_equal(cairn_grid_version(k.grid), walls.since);
    kit_end(&k, s);
}

/* Along a wall the path leaves it, and comes back at the end. */
static void paths_keep_away_where_there_is_room(void **state)
{
    (void)state;
    scene *s = scene_blank("hall", 30, 7);
    s->profile.layer_weight = 16;
    kit k = kit_of_scene(s, &s->profile);
    cairn_query query = {.from = 0, .to = 29};
    const cairn_path *path;
    kit_plan(&k, "astar");
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    assert_int_equal(path->count, 2);
    cairn_cost before = path->cost;
    stage(&k, (cairn_walls){.range = 2, .cost = 32});
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    assert_int_equal(path->count, 4);
    for (uint32_t i = 1; i < 3; i++) {
        double away = cairn_space_clearance(k.space, path->nodes[i]);
        CHECK(away > 2, "only %f cells", away);
    }
    CHECK(path->cost > before, "extra costs cost nothing");
    kit_end(&k, s);
}

static void every_optimal_algorithm_pays_them(void **state)
{
    (void)state;
    uint32_t asked = 0;
    for (uint32_t rule = 0; rule < 4; rule++) {
        scene *s = scene_named("rooms");
        cairn_profile profile;
        assert_true(scene_rule(s, rule, &profile));
        profile.layer_weight = 16;
        kit k = kit_of_scene(s, &profile);
        stage(&k, (cairn_walls){.range = 2.5, .cost = 40});
        s->layer = malloc((size_t)s->width * s->height);
        if (!s->layer) abort();
        for (uint32_t n = 0; n < s->width * s->height; n++) {
            cairn_cell cell = cairn_grid_cell(k.grid, n);
            s->layer[n] = cairn_grid_layer(k.grid, cell.x, cell.y);
        }
        oracle_grid raw = scene_raw(s);
        oracle *o = oracle_of_grid(&raw, &profile, cairn_space_scale(k.space));
        for (uint32_t a = 0; a < cairn_algorithm_count(); a++) {
            const cairn_algorithm *algorithm = cairn_algorithm_at(a);
            bool fits = algorithm->neighbourhoods >> profile.neighbours & 1;
            if (algorithm->kind != CAIRN_KIND_PLANNER || !fits ||
                !(algorithm->flags & CAIRN_OPTIMAL) || !(algorithm->flags & CAIRN_TERRAIN))
                continue;
            kit_plan(&k, algorithm->name);
            scene_rng rng = {rule + 1};
            for (uint32_t i = 0; i < 6; i++) {
                cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
                const cairn_path *path;
                oracle_search(o, query.from);
                if (cairn_search_find(k.search, &query, &path) != CAIRN_FOUND) continue;
                CHECK(path->cost == o->distance[query.to], "%s: costs %u, not %llu",
                      algorithm->name, path->cost, (unsigned long long)o->distance[query.to]);
                asked++;
            }
        }
        oracle_destroy(o);
        kit_end(&k, s);
    }
    CHECK(asked > 100, "only %u paths", asked);
}

static void senseless_walls_are_refused(void **state)
{
    (void)state;
    scene *s = scene_blank("blank", 6, 5);
    kit k = kit_of_scene(s, &s->profile);
    static const double wrong[] = {0, -1, 64, HUGE_VAL, NAN};
    for (uint32_t i = 0; i < LENGTH(wrong); i++) {
        cairn_walls walls = {.range = wrong[i], .cost = 9};
        assert_int_equal(cairn_space_stage_walls(k.space, &walls), CAIRN_INVALID);
    }
    cairn_walls walls = {.range = 2, .cost = 9, .since = 99};
    assert_int_equal(cairn_space_stage_walls(k.space, &walls), CAIRN_INVALID);
    for (uint32_t i = 0; i < 3000; i++) { /* the first commits are forgotten */
        CHECK_OK(cairn_grid_set_open(k.grid, 2, 2, i % 2));
        CHECK_OK(cairn_grid_commit(k.grid));
    }
    walls.since = 1;
    assert_int_equal(cairn_space_stage_walls(k.space, &walls), CAIRN_STALE);
    assert_int_equal(cairn_space_stage_walls(NULL, &walls), CAIRN_INVALID);
    assert_int_equal(cairn_space_stage_walls(k.space, NULL), CAIRN_INVALID);
    kit_end(&k, s);
    static const cairn_graph_edge edges[] = {{0, 1, 5}};
    kit g = kit_of_edges(2, edges, LENGTH(edges));
    assert_int_equal(cairn_space_stage_walls(g.space, &walls), CAIRN_UNSUPPORTED);
    kit_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_follow_every_edit),
        cmocka_unit_test(other_edits_of_the_layer_are_replaced),
        cmocka_unit_test(nothing_changes_far_away),
        cmocka_unit_test(paths_keep_away_where_there_is_room),
        cmocka_unit_test(every_optimal_algorithm_pays_them),
        cmocka_unit_test(senseless_walls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
