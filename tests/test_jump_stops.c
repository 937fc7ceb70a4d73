/* test_jump_stops.c: jumping searches on maps with links, with ground of different costs and with
 * steps that are too high for one side or both: stops are what their definition says, through all edits; answers cost what Dijkstra's algorithm says,
 * step by step; estimates with hundreds of shortcuts never exceed true costs, nor fall along an edge
 * by more than it costs. Jumps are left to A* where that was measured to be faster.
 */
#include "kit.h"
#include "world/grid_space.h"

enum { WIDTH = 90, HEIGHT = 70, CELLS = WIDTH * HEIGHT };

/* ---- edits ---- */

static cairn_node any_cell(crn_rng *rng)
{
    return crn_rng_below(rng, CELLS);
}

static void set_link(cairn_grid *grid, crn_rng *rng)
{
    uint32_t kind = crn_rng_below(rng, 4);
    cairn_node a = any_cell(rng), b = any_cell(rng);
    if (kind == 3) b = a + 1 < CELLS ? a + 1 : a - 1; /* as near as a step */
    uint32_t cost = kind == 0 ? 1 + crn_rng_below(rng, 600) : 256 * (1 + crn_rng_below(rng, 120));
    if (a == b) return;
    uint32_t id = crn_rng_below(rng, 25);
    CHECK_OK(cairn_grid_add_link(grid, &(cairn_link){a, b, id, cost, 0}));
    if (kind == 1) CHECK_OK(cairn_grid_add_link(grid, &(cairn_link){b, a, id, cost, 0}));
}

/* What a world has. */
typedef struct features {
    bool links, ground, heights;
} features;

/* A patch of ground: of another terrain, with another extra cost, of another height, or blocked. */
static void set_patch(cairn_grid *grid, crn_rng *rng, features has)
{
    int32_t x = (int32_t)crn_rng_below(rng, WIDTH), y = (int32_t)crn_rng_below(rng, HEIGHT);
    int32_t wide = 1 + (int32_t)crn_rng_below(rng, 9), high = 1 + (int32_t)crn_rng_below(rng, 9);
    uint32_t kind = crn_rng_below(rng, has.ground ? 4 : 1), value = crn_rng_below(rng, 4);
    if (has.heights && crn_rng_below(rng, 2)) kind = 4 + crn_rng_below(rng, 2);
    for (int32_t v = y; v < y + high && v < HEIGHT; v++) {
        for (int32_t u = x; u < x + wide && u < WIDTH; u++) {
            if (kind == 0) CHECK_OK(cairn_grid_set_open(grid, u, v, value > 0));
            if (kind == 1) CHECK_OK(cairn_grid_set_layer(grid, u, v, (uint8_t)(value * 8)));
            if (kind == 2 || kind == 3)
                CHECK_OK(cairn_grid_set_terrain(grid, u, v, (uint8_t)value));
            /* a plateau, or a slope that may be climbed */
            int32_t rise = kind == 4 ? 6 * (int32_t)value : 3 * (u - x) + (v - y);
            if (kind > 3) CHECK_OK(cairn_grid_set_elevation(grid, u, v, (int16_t)rise));
        }
    }
}

static void edit(cairn_grid *grid, crn_rng *rng, features has)
{
    uint32_t what = crn_rng_below(rng, 3);
    if (has.links && what == 0) {
        set_link(grid, rng);
    } else if (has.links && what == 1) {
        CHECK_OK(cairn_grid_remove_links(grid, crn_rng_below(rng, 25)));
    }
    set_patch(grid, rng, has);
    CHECK_OK(cairn_grid_commit(grid));
}

/* ---- stops ---- */

static cairn_cost ground_at(const crn_grid_space *map, cairn_node node, uint32_t direction)
{
    return crn_grid_step_cost(map, node, node, direction);
}

static bool is_mixed(const crn_grid_space *map, int32_t x, int32_t y)
{
    cairn_node node = cairn_grid_node(map->grid, x, y);
    for (int32_t v = y - 1; v <= y + 1; v++) {
        for (int32_t u = x - 1; u <= x + 1; u++) {
            cairn_node other = cairn_grid_node(map->grid, u, v);
            if (other == CAIRN_NO_NODE || !cairn_space_usable(&map->base, other)) continue;
            if (ground_at(map, node, CRN_N) != ground_at(map, other, CRN_N) ||
                ground_at(map, node, CRN_NE) != ground_at(map, other, CRN_NE))
                return true;
        }
    }
    return false;
}

/* May an agent not walk both ways between two cells that touch? */
static bool is_parted(const crn_grid_space *map, int32_t ax, int32_t ay, int32_t bx, int32_t by)
{
    cairn_node a = cairn_grid_node(map->grid, ax, ay), b = cairn_grid_node(map->grid, bx, by);
    if (a == CAIRN_NO_NODE || b == CAIRN_NO_NODE || !cairn_space_usable(&map->base, a) ||
        !cairn_space_usable(&map->base, b))
        return false;
    int32_t rise =
        abs(cairn_grid_elevation(map->grid, ax, ay) - cairn_grid_elevation(map->grid, bx, by));
    return rise > map->profile.max_climb || rise > map->profile.max_drop;
}

static bool is_steep(const crn_grid_space *map, int32_t x, int32_t y)
{
    for (int32_t i = 0; i < 9; i++) {
        for (int32_t j = 0; j < i; j++) {
            int32_t ax = i % 3, ay = i / 3, bx = j % 3, by = j / 3;
            if (abs(ax - bx) <= 1 && abs(ay - by) <= 1 &&
                is_parted(map, x + ax - 1, y + ay - 1, x + bx - 1, y + by - 1))
                return true;
        }
    }
    return false;
}

static bool has_link(const crn_grid_space *map, cairn_node node)
{
    for (uint32_t i = 0; i < map->links.count; i++)
        if (map->links.links[i].from == node) return true;
    return false;
}

static void check_stops(const crn_grid_space *map)
{
    uint64_t count = 0;
    for (cairn_node node = 0; node < CELLS; node++) {
        int32_t x = (int32_t)(node % WIDTH), y = (int32_t)(node / WIDTH);
        bool stop = map->runs->stop.rows && crn_bit(&map->runs->stop, x, y);
        bool wanted = cairn_space_usable(&map->base, node) &&
                      (has_link(map, node) || is_mixed(map, x, y) || is_steep(map, x, y));
        CHECK(stop == wanted, "(%d, %d) is %s stop", x, y, stop ? "a" : "no");
        count += stop;
    }
    CHECK(map->runs->stops == count, "%u stops", (unsigned)map->runs->stops);
}

/* ---- answers ---- */

static kit second_search(const kit *k, const char *spec)
{
    kit other = *k;
    other.planner = NULL, other.search = NULL;
    kit_plan(&other, spec);
    return other;
}

static void second_end(kit *k)
{
    cairn_search_destroy(k->search);
    cairn_planner_destroy(k->planner);
}

static void check_path(const kit *k, const cairn_path *path, const cairn_query *query)
{
    cairn_cost cost;
    CHECK(cairn_path_valid(k->space, path, &cost, NULL, NULL), "not a path");
    CHECK(cost == path->cost, "costs %u, says %u", cost, path->cost);
    CHECK(path->nodes[0] == query->from && path->nodes[path->count - 1] == query->to, "other ends");
}

static bool compare(const kit *jumps, const kit *plain, crn_rng *rng, const char *name)
{
    cairn_query query = {.from = any_cell(rng), .to = any_cell(rng)};
    const cairn_path *a, *b;
    cairn_status status = cairn_search_find(jumps->search, &query, &a);
    CHECK_STATUS(cairn_search_find(plain->search, &query, &b), status);
    if (status != CAIRN_FOUND) return false;
    CHECK(!strcmp(a->answered_by->name, name), "answered by %s", a->answered_by->name);
    CHECK(a->cost == b->cost, "%s, %u to %u: %u, Dijkstra %u", name, query.from, query.to, a->cost,
          b->cost);
    check_path(jumps, a, &query);
    return true;
}

static void answers_after_edits(features has, uint64_t seed)
{
    for (uint32_t corners = 0; corners < CAIRN_CORNERS_COUNT; corners++) {
        scene *s = scene_noise("noise", WIDTH, HEIGHT, 8, seed + corners);
        cairn_profile profile = cairn_profile_default();
        profile.corners = (cairn_corners)corners;
        profile.terrain_cost[1] = 384;
        profile.terrain_cost[2] = 1280;
        profile.layer_weight = 64;
        if (has.heights) profile.max_climb = 4, profile.max_drop = corners == 1 ? 3 : 9;
        kit k = kit_of_scene(s, &profile);
        kit_plan(&k, "jps:jumps=always");
        kit table = second_search(&k, "jps-plus:jumps=always"),
            plain = second_search(&k, "dijkstra:loop=generic");
        crn_rng rng = {seed + 7 * corners};
        uint32_t found = 0, edits = test_times(250, 60);
        for (uint32_t i = 0; i < edits; i++) {
            edit(k.grid, &rng, has);
            if (i % 8 == 0) check_stops(crn_grid_space_of(k.space));
            CHECK_OK(cairn_planner_sync(table.planner, NULL, NULL));
            for (uint32_t j = 0; j < 3; j++) {
                found += compare(&k, &plain, &rng, "jps");
                found += compare(&table, &plain, &rng, "jps-plus");
            }
        }
        CHECK(found > 2 * edits, "only %u paths", found);
        second_end(&table), second_end(&plain);
        kit_end(&k, s);
    }
}

static void links_are_jumped_to(void **state)
{
    (void)state;
    answers_after_edits((features){.links = true}, 1);
}

static void ground_is_jumped_over(void **state)
{
    (void)state;
    answers_after_edits((features){.ground = true}, 2);
}

static void links_and_ground_go_together(void **state)
{
    (void)state;
    answers_after_edits((features){.links = true, .ground = true}, 3);
}

static void steps_of_one_way_are_jumped_to(void **state)
{
    (void)state;
    answers_after_edits((features){.heights = true}, 4);
}

static void heights_links_and_ground_go_together(void **state)
{
    (void)state;
    answers_after_edits((features){true, true, true}, 5);
}

/* ---- estimates ---- */

/* With so many shortcuts that they share gates. */
static void estimates_hold_with_many_shortcuts(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1, 17, 63, 65, 300};
    for (uint32_t i = 0; i < LENGTH(counts); i++) {
        scene *s = scene_noise("noise", WIDTH, HEIGHT, 5, i + 1);
        if (i == 2) scene_make_hex(s);
        kit k = kit_of_scene(s, NULL);
        crn_rng rng = {i};
        for (uint32_t j = 0; j < counts[i]; j++) {
            cairn_link link = {any_cell(&rng), any_cell(&rng), j, 1 + crn_rng_below(&rng, 500), 0};
            if (link.from != link.to) CHECK_OK(cairn_grid_add_link(k.grid, &link));
        }
        CHECK_OK(cairn_grid_commit(k.grid));
        kit_plan(&k, "dijkstra");
        for (uint32_t j = test_times(12, 2); j-- > 0;) {
            cairn_node goal = any_cell(&rng);
            if (!cairn_space_usable(k.space, goal)) continue;
            uint64_t useful = 0;
            for (cairn_node node = 0; node < CELLS; node += 7) {
                cairn_query query = {.from = node, .to = goal};
                cairn_cost h = cairn_estimate(k.space, CAIRN_HEURISTIC_AUTO, node, goal);
                const cairn_path *path;
                if (node % 91 == 0 && cairn_search_find(k.search, &query, &path) == CAIRN_FOUND)
                    CHECK(h <= path->cost, "%u to %u: %u, is %u", node, goal, h, path->cost);
                cairn_edge edges[64];
                uint32_t count = cairn_space_usable(k.space, node)
                                     ? k.space->functions->expand(k.space, node, 0, edges, 64)
                                     : 0;
                for (uint32_t e = 0; e < count; e++) {
                    cairn_cost next =
                        cairn_estimate(k.space, CAIRN_HEURISTIC_AUTO, edges[e].node, goal);
                    CHECK(h <= (uint64_t)edges[e].cost + next, "%u: %u, then %u + %u", node, h,
                          edges[e].cost, next);
                }
                useful += h;
            }
            CHECK(useful > 0, "nothing is estimated");
        }
        kit_end(&k, s);
    }
}

/* ---- the choice ---- */

/* Patches of ground that costs twice as much, of this many cells a side, in a lattice, so that they
 * cover a tenth of the map. */
static void strew_ground(cairn_grid *grid, int32_t wide)
{
    int32_t side = (int32_t)cairn_grid_width(grid), apart = wide * 19 / 6;
    for (int32_t y = 0; y < side; y++) {
        for (int32_t x = 0; x < side; x++) {
            if (x % apart < wide && y % apart < wide)
                CHECK_OK(cairn_grid_set_terrain(grid, x, y, 1));
        }
    }
    CHECK_OK(cairn_grid_commit(grid));
}

/* Who answers a query between neighbours on a generated map? */
static void check_choice(cairn_generator_kind kind, uint32_t side, int32_t wide, const char *spec,
                         const char *name)
{
    kit k = {0};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    cairn_generator generator = cairn_generator_default(kind);
    generator.width = generator.height = side;
    CHECK_OK(cairn_generate(k.context, &generator, &k.grid, NULL));
    if (wide) strew_ground(k.grid, wide);
    cairn_profile profile = cairn_profile_default();
    profile.terrain_cost[1] = 512;
    CHECK_OK(cairn_space_of_grid(k.grid, &profile, &k.space, NULL));
    kit_plan(&k, spec);
    cairn_query query = {.from = side + 1};
    while (!cairn_space_usable(k.space, query.from) || !cairn_space_usable(k.space, query.from + 1))
        query.from++;
    query.to = query.from + 1;
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    CHECK(!strcmp(path->answered_by->name, name), "%s on %s, %u cells wide, ground %d: %s", spec,
          cairn_generator_about(kind)->name, side, wide, path->answered_by->name);
    kit_close(&k);
}

/* By what was measured (bench_doors): where jumps take longer than A*, it answers. */
static void jumps_are_left_where_steps_are_faster(void **state)
{
    (void)state;
    static const struct {
        cairn_generator_kind kind;
        uint32_t side;
        int32_t wide;
        const char *jps, *table;
    } cases[] = {
        {CAIRN_GENERATE_BATTLEFIELD, 512, 0, "jps", "jps-plus"},
        {CAIRN_GENERATE_ROOMS, 512, 0, "jps", "jps-plus"},
        {CAIRN_GENERATE_PSEUDO_RTS, 512, 0, "astar", "astar"},
        {CAIRN_GENERATE_PSEUDO_RTS, 200, 0, "astar", "jps-plus"},
        {CAIRN_GENERATE_PSEUDO_RTS, 100, 0, "jps", "jps-plus"},
        {CAIRN_GENERATE_RANDOM, 512, 0, "astar", "astar"},
        {CAIRN_GENERATE_RANDOM, 1024, 16, "astar", "astar"}, /* borders hide jump points */
        {CAIRN_GENERATE_PSEUDO_RTS, 512, 40, "jps", "jps-plus"},
        {CAIRN_GENERATE_PSEUDO_RTS, 1024, 40, "astar", "astar"},
        {CAIRN_GENERATE_BATTLEFIELD, 1024, 40, "jps", "jps-plus"},
        {CAIRN_GENERATE_BATTLEFIELD, 1024, 9, "astar", "astar"},
        {CAIRN_GENERATE_BATTLEFIELD, 400, 6, "astar", "astar"},
        {CAIRN_GENERATE_BATTLEFIELD, 400, 12, "jps", "jps-plus"},
    };
    for (uint32_t i = 0; i < LENGTH(cases); i++) {
        check_choice(cases[i].kind, cases[i].side, cases[i].wide, "jps", cases[i].jps);
        check_choice(cases[i].kind, cases[i].side, cases[i].wide, "jps-plus", cases[i].table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_are_jumped_to),
        cmocka_unit_test(ground_is_jumped_over),
        cmocka_unit_test(links_and_ground_go_together),
        cmocka_unit_test(steps_of_one_way_are_jumped_to),
        cmocka_unit_test(heights_links_and_ground_go_together),
        cmocka_unit_test(estimates_hold_with_many_shortcuts),
        cmocka_unit_test(jumps_are_left_where_steps_are_faster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
