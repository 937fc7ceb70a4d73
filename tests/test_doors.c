/* test_doors.c: links, ground and edits together, as games have them: more shortcuts than there are
 * gates, ground of two costs that never meet, commits while an index is repaired in slices.
 */
#include "kit.h"

static cairn_cost cost_by(kit *k, const char *spec, const cairn_query *query)
{
    const cairn_path *path;
    kit_plan(k, spec);
    cairn_status status = cairn_search_find(k->search, query, &path);
    return status == CAIRN_FOUND ? path->cost : CAIRN_NO_COST;
}

/* Entrances of many shortcuts share boxes that cover whole tiles. */
static void many_shortcuts_hide_no_path(void **state)
{
    (void)state;
    enum { SIDE = 200, LINKS = 200, QUERIES = 60 };
    static const char *const specs[] = {"astar", "astar:open=heap", "cluster-table",
                                        "jps:jumps=always"};
    scene *s = scene_blank("plain", SIDE, SIDE);
    scene_add_links(s, LINKS, 1, 2, false, 5);
    kit k = kit_of_scene(s, &s->profile);
    cairn_query queries[QUERIES];
    cairn_cost best[QUERIES];
    scene_rng rng = {9};
    for (uint32_t i = 0; i < QUERIES; i++) {
        queries[i] = (cairn_query){.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
        best[i] = cost_by(&k, "dijkstra:loop=generic", &queries[i]);
    }
    for (uint32_t n = 0; n < LENGTH(specs); n++) {
        kit_plan(&k, specs[n]);
        for (uint32_t i = 0; i < QUERIES; i++) {
            const cairn_path *path;
            CHECK_STATUS(cairn_search_find(k.search, &queries[i], &path), CAIRN_FOUND);
            CHECK(path->cost == best[i], "%s: %u instead of %u", specs[n], path->cost, best[i]);
        }
    }
    kit_end(&k, s);
}

/* Where grounds never meet there is no border to stop at. */
static void ground_without_borders_costs_what_it_costs(void **state)
{
    (void)state;
    static const char *const specs[] = {"astar", "jps:jumps=always", "jps-plus:jumps=always"};
    scene *s =
        scene_of_text("swamp", "........#....\n........#....\n........#....\n........#....\n");
    s->terrain = calloc((size_t)s->width * s->height, 1);
    for (uint32_t i = 0; i < s->width * s->height; i++) s->terrain[i] = i % s->width < 8;
    s->profile.terrain_cost[1] = CAIRN_TIMES(4);
    kit k = kit_of_scene(s, &s->profile);
    for (cairn_cost most = 0; most <= 200000; most += 50000) {
        cairn_query query = {.from = 0, .to = 13 * 3 + 7, .max_cost = most};
        cairn_cost best = cost_by(&k, "dijkstra:loop=generic", &query);
        for (uint32_t n = 0; n < LENGTH(specs); n++)
            CHECK(cost_by(&k, specs[n], &query) == best, "%s, at most %u", specs[n], most);
    }
    kit_end(&k, s);
}

/* The second commit opens the end of an older link, in a cluster that the first one has made dirty
 * by another link only. */
static void commits_between_slices_of_a_repair_are_seen(void **state)
{
    (void)state;
    static const char *const specs[] = {"hpa:size=4", "hpa:size=4,levels=2,growth=2",
                                        "hpa:size=4,intra=lazy"};
    for (uint32_t n = 0; n < LENGTH(specs); n++) {
        scene *s = scene_of_text("wall", "........#.......\n.....#..#.......\n"
                                         "........#.......\n........#.......\n");
        kit k = kit_of_scene(s, NULL);
        cairn_link first = {.from = 16 + 9, .to = 16 + 5, .id = 1, .cost = 256},
                   second = {.from = 0, .to = 3 * 16 + 6, .id = 2, .cost = 5000};
        CHECK_OK(cairn_grid_add_link(k.grid, &first));
        CHECK_OK(cairn_grid_commit(k.grid));
        kit_plan(&k, specs[n]);
        CHECK_OK(cairn_grid_add_link(k.grid, &second));
        CHECK_OK(cairn_grid_commit(k.grid));
        CHECK_STATUS(cairn_planner_sync_step(k.planner, 1, NULL), CAIRN_RUNNING);
        CHECK_OK(cairn_grid_set_open(k.grid, 5, 1, true));
        CHECK_OK(cairn_grid_commit(k.grid));
        cairn_status status;
        while ((status = cairn_planner_sync_step(k.planner, 1, NULL)) == CAIRN_RUNNING) continue;
        CHECK_STATUS(status, CAIRN_OK);
        const cairn_path *path;
        CHECK(cairn_search_find(k.search, &(cairn_query){.from = 15, .to = 0}, &path) ==
                  CAIRN_FOUND,
              "%s: %s", specs[n], cairn_status_text(path->status));
        kit_end(&k, s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_shortcuts_hide_no_path),
        cmocka_unit_test(ground_without_borders_costs_what_it_costs),
        cmocka_unit_test(commits_between_slices_of_a_repair_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
