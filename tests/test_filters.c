/* test_filters.c: obstacles and costs for one query (cairn_query.filter), against an oracle of a
 * world that really has them, for every algorithm.
 */
#include "kit.h"

enum { WEIGHT = 256, CELLS = 12, MOST_NODES = 9000 };

/* A filter, and the scene as it shows it. */
typedef struct lens {
    cairn_filter filter;
    cairn_filter_cell cells[CELLS];
    uint16_t terrain_cost[256];
    scene seen; /* borrows all but open, added and profile */
    oracle *oracle;
} lens;

/* A unit of the extra layer costs a straight step, so that what filters add is whole units. */
static scene *scene_for_filters(uint32_t i)
{
    scene *s = scene_at(i);
    s->profile.layer_weight = WEIGHT;
    return s;
}

static void lens_add_cell(lens *l, uint32_t cells, scene_rng *rng)
{
    cairn_filter_cell *cell = &l->cells[l->filter.cell_count++];
    *cell = (cairn_filter_cell){.node = scene_random(rng, cells)};
    if (l->filter.cell_count > 1 && !scene_random(rng, 4)) cell->node = cell[-1].node;
    cell->blocked = scene_random(rng, 2);
    cell->extra = scene_random(rng, 3) * WEIGHT;
    if (cell->blocked) l->seen.open[cell->node] = 0;
    l->seen.added[cell->node] = (uint16_t)(l->seen.added[cell->node] + cell->extra / WEIGHT);
}

static void lens_add_costs(lens *l, scene_rng *rng)
{
    static const uint16_t costs[] = {0, 100, 256, 300, 512, 1500};
    for (uint32_t kind = 0; kind < 256; kind++) {
        l->terrain_cost[kind] = costs[scene_random(rng, LENGTH(costs))];
        if (kind == 0 && !l->terrain_cost[0]) l->terrain_cost[0] = 200;
        uint16_t *seen = &l->seen.profile.terrain_cost[kind];
        *seen = *seen ? l->terrain_cost[kind] : 0;
    }
    l->filter.terrain_cost = l->terrain_cost;
}

static void lens_open(lens *l, const scene *s, cairn_scale scale, scene_rng *rng)
{
    uint32_t cells = s->width * s->height;
    *l = (lens){.seen = *s};
    l->filter.cells = l->cells;
    l->seen.open = malloc(cells);
    l->seen.added = calloc(cells, sizeof *l->seen.added);
    if (!l->seen.open || !l->seen.added) abort();
    memcpy(l->seen.open, s->open, cells);
    for (uint32_t i = scene_random(rng, CELLS + 1); i; i--) lens_add_cell(l, cells, rng);
    if (scene_random(rng, 2)) lens_add_costs(l, rng);
    oracle_grid raw = scene_raw(&l->seen);
    l->oracle = oracle_of_grid(&raw, &l->seen.profile, scale);
}

static void lens_close(lens *l)
{
    oracle_destroy(l->oracle);
    free(l->seen.open), free(l->seen.added);
}

/* ---- answers --------------------------------------------------------------------------- */

/* What the path costs in the oracle's world, step by step; ORACLE_NONE if it cannot be walked. */
static uint64_t walked(const kit *k, const lens *l, const cairn_path *path)
{
    uint64_t sum = 0;
    uint32_t link = 0;
    for (uint32_t i = 0; i + 1 < path->count; i++) {
        cairn_node cells[2];
        cairn_path line = {.nodes = path->nodes + i, .count = 2};
        bool linked = link < path->link_count && path->links[link].at == i;
        if (linked) {
            sum +=
                oracle_link(l->oracle, path->nodes[i], path->nodes[i + 1], path->links[link++].id);
            continue;
        }
        uint64_t steps = cairn_path_step_count(k->space, &line);
        for (uint64_t n = 0; n + 1 < steps; n++) {
            assert_int_equal(cairn_path_cells(k->space, &line, n, cells, 2), 2);
            uint64_t step = oracle_walk(l->oracle, cells[0], cells[1]);
            if (step == ORACLE_NONE) return ORACLE_NONE;
            sum += step;
        }
    }
    return sum;
}

static void check_path(const kit *k, const lens *l, const cairn_path *path, uint64_t best)
{
    const cairn_algorithm *asked = cairn_planner_algorithm(k->planner), *by = path->answered_by;
    const char *name = asked->name;
    CHECK(by && (asked->flags & CAIRN_FILTERS ? by == asked : !strcmp(by->name, "astar")),
          "%s: answered by %s", name, by ? by->name : "nobody");
    bool optimal = by != asked || cairn_planner_optimal(k->planner);
    CHECK(path->cost == best || (!optimal && path->cost > best), "%s in %s: %u, the best is %u",
          name, l->seen.name, path->cost, (unsigned)best);
    CHECK(walked(k, l, path) == path->cost, "%s in %s: the steps cost %u, not %u", name,
          l->seen.name, (unsigned)walked(k, l, path), path->cost);
    if (path->suboptimality_bound > 0)
        CHECK(path->cost <= path->suboptimality_bound * (double)best * (1 + 1e-9), "%s", name);
}

static void check_query(kit *k, const lens *l, cairn_node from, cairn_node to)
{
    const oracle *o = l->oracle;
    const cairn_path *path;
    cairn_query plain = {.from = from, .to = to}, query = plain;
    query.filter = &l->filter;
    cairn_status before = cairn_search_find(k->search, &plain, &path);
    cairn_cost cost = path->cost;
    const cairn_algorithm *by = path->answered_by;
    cairn_status must = !o->usable[from]                 ? CAIRN_BLOCKED_START
                        : !o->usable[to]                 ? CAIRN_BLOCKED_GOAL
                        : o->distance[to] == ORACLE_NONE ? CAIRN_UNREACHABLE
                                                         : CAIRN_FOUND;
    cairn_status status = cairn_search_find(k->search, &query, &path);
    CHECK(status == must, "%s in %s from %u to %u: %s, not %s",
          cairn_planner_algorithm(k->planner)->name, l->seen.name, from, to,
          cairn_status_text(status), cairn_status_text(must));
    if (status == CAIRN_FOUND) check_path(k, l, path, o->distance[to]);
    cairn_cost filtered = path->cost;
    status = cairn_search_begin(k->search, &query);
    while (status == CAIRN_RUNNING) status = cairn_search_step(k->search, 3);
    CHECK_STATUS(cairn_search_result(k->search, &path), must);
    CHECK(path->cost == filtered, "in slices %u, not %u", path->cost, filtered);
    CHECK_STATUS(cairn_search_find(k->search, &plain, &path), before);
    CHECK(path->cost == cost && path->answered_by == by, "the next query is filtered too");
}

static void check_scene(kit *k, const scene *s, uint32_t rounds, scene_rng *rng)
{
    for (uint32_t r = 0; r < rounds; r++) {
        lens l;
        lens_open(&l, s, cairn_space_scale(k->space), rng);
        for (uint32_t q = 0; q < 3; q++) {
            cairn_node from = scene_pick(s, rng), to = scene_pick(s, rng);
            if (from == CAIRN_NO_NODE || !scene_random(rng, 8)) from = 0;
            if (to == CAIRN_NO_NODE) to = 0;
            oracle_search(l.oracle, from);
            check_query(k, &l, from, to);
        }
        lens_close(&l);
    }
}

static void a_filter_is_as_good_as_a_world_with_these_cells_and_costs(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < scene_count(); i += test_sample()) {
        scene *s = scene_for_filters(i);
        kit k = kit_of_scene(s, &s->profile);
        bool small = s->width * s->height <= MOST_NODES;
        for (uint32_t a = 0; small && a < cairn_algorithm_count(); a++) {
            scene_rng rng = {i + 1};
            const cairn_algorithm *about = cairn_algorithm_at(a);
            cairn_planner *planner;
            if (about->kind != CAIRN_KIND_PLANNER ||
                cairn_planner_create(k.space, about->name, &planner, NULL) != CAIRN_OK)
                continue;
            cairn_planner_destroy(planner);
            kit_plan(&k, about->name);
            check_scene(&k, s, about->flags & CAIRN_FILTERS ? 6 : 2, &rng);
        }
        kit_end(&k, s);
    }
}

/* With other parameters than the default ones it is the same planner that answers. */
static void parameters_are_kept(void **state)
{
    (void)state;
    static const char *const specs[] = {"astar:open=heap,tie=small-g", "wastar:weight=2",
                                        "astar:loop=generic", "dijkstra:open=heap",
                                        "astar:heuristic=euclidean"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        scene *s = scene_noise("noise", 60, 40, 25, i);
        scene_add_terrain(s, 4);
        s->profile.layer_weight = WEIGHT;
        kit k = kit_of_scene(s, &s->profile);
        scene_rng rng = {i + 1};
        kit_plan(&k, specs[i]);
        check_scene(&k, s, 30, &rng);
        kit_end(&k, s);
    }
}

static void everything_within_reach_is_that_of_the_filter(void **state)
{
    (void)state;
    static const char *const specs[] = {"dijkstra", "astar"};
    for (uint32_t i = 0; i < 2 * LENGTH(specs); i++) {
        scene *s = scene_noise("noise", 50, 40, 25, i);
        if (i & 2) scene_add_terrain(s, 4);
        s->profile.layer_weight = WEIGHT;
        kit k = kit_of_scene(s, &s->profile);
        scene_rng rng = {i + 1};
        lens l;
        kit_plan(&k, specs[i % 2]);
        lens_open(&l, s, cairn_space_scale(k.space), &rng);
        cairn_query q = {.goal_kind = CAIRN_GOAL_NONE, .filter = &l.filter};
        while (!l.oracle->usable[q.from]) q.from++;
        oracle_search(l.oracle, q.from);
        CHECK_OK(cairn_search_find(k.search, &q, NULL));
        for (cairn_node n = 0; n < l.oracle->count; n++) {
            cairn_cost cost = cairn_search_cost_to(k.search, n);
            CHECK((cost == CAIRN_NO_COST) == (l.oracle->distance[n] == ORACLE_NONE), "%u", n);
            CHECK(cost == CAIRN_NO_COST || cost == l.oracle->distance[n], "%u", n);
        }
        lens_close(&l);
        kit_end(&k, s);
    }
}

/* ---- small cases ------------------------------------------------------------------------- */

static kit corridor(scene **s)
{
    *s = scene_of_text("corridor", "..........\n"
                                   ".########.\n"
                                   "..........\n");
    kit k = kit_of_scene(*s, NULL);
    kit_plan(&k, "jps");
    return k;
}

static void a_start_may_be_blocked_by_the_filter(void **state)
{
    (void)state;
    scene *s;
    kit k = corridor(&s);
    const cairn_filter_cell cells[] = {{2, true, 0}, {1, true, 0}, {3, true, 0}};
    cairn_filter filter = {cells, 3, NULL};
    cairn_query q = {.from = 2, .to = 9, .filter = &filter};
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(k.search, &q, NULL), CAIRN_BLOCKED_START);
    q.start_within = 2;
    CHECK_OK(cairn_search_find(k.search, &q, &path));
    CHECK(path->nodes[0] == 0, "from %u", path->nodes[0]);
    q.to = 2;
    CHECK_STATUS(cairn_search_find(k.search, &q, NULL), CAIRN_BLOCKED_GOAL);
    q.partial = true;
    CHECK_STATUS(cairn_search_find(k.search, &q, &path), CAIRN_BLOCKED_GOAL);
    CHECK(path->partial && path->count, "no partial path");
    q.from = 0, q.to = 9, q.by_position = CAIRN_FROM_POSITION;
    q.from_position = (cairn_position){0.2, 0.3, 0};
    CHECK_OK(cairn_search_find(k.search, &q, &path));
    CHECK(path->point_count && path->points[0].x == 0.2, "no points");
    kit_end(&k, s);
}

/* The world goes on while a query with a filter lives, and between two of them. */
static void commits_reach_filtered_queries(void **state)
{
    (void)state;
    scene *s;
    kit k = corridor(&s);
    const cairn_filter_cell cells[] = {{5, true, 0}};
    cairn_filter filter = {cells, 1, NULL};
    cairn_query q = {.from = 2, .to = 9, .filter = &filter};
    const cairn_path *path;
    CHECK_OK(cairn_search_find(k.search, &q, &path));
    CHECK(path->count == 5 || path->count == 6, "round the wall: %u points", path->count);
    CHECK_STATUS(cairn_search_begin(k.search, &q), CAIRN_RUNNING);
    CHECK_OK(cairn_grid_set_open(k.grid, 5, 2, false));
    CHECK_OK(cairn_grid_commit(k.grid));
    CHECK_STATUS(cairn_search_step(k.search, 1000), CAIRN_STALE);
    CHECK_STATUS(cairn_search_find(k.search, &q, NULL), CAIRN_UNREACHABLE);
    q.filter = NULL;
    CHECK_OK(cairn_search_find(k.search, &q, &path));
    assert_int_equal(path->count, 2);
    kit_end(&k, s);
}

static void senseless_filters_are_refused(void **state)
{
    (void)state;
    scene *s;
    kit k = corridor(&s);
    cairn_filter_cell cells[] = {{2, true, 0}, {30, false, 0}};
    cairn_filter filter = {cells, 2, NULL}, empty = {0};
    cairn_query q = {.from = 0, .to = 9, .filter = &filter};
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(k.search, &q, &path), CAIRN_OUT_OF_BOUNDS);
    assert_null(path->answered_by);
    filter.cells = NULL;
    CHECK_STATUS(cairn_search_find(k.search, &q, NULL), CAIRN_INVALID);
    q.filter = &empty;
    CHECK_OK(cairn_search_find(k.search, &q, NULL));
    cairn_space *view;
    cairn_planner *planner;
    cairn_search *search;
    CHECK_OK(cairn_space_view_create(k.space, &view, NULL));
    CHECK_OK(cairn_planner_create(view, "astar", &planner, NULL));
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    CHECK_STATUS(cairn_search_find(search, &q, NULL), CAIRN_UNSUPPORTED);
    cairn_search_destroy(search), cairn_planner_destroy(planner), cairn_space_destroy(view);
    kit_end(&k, s);
    const cairn_graph_edge edges[] = {{0, 1, 5}, {1, 2, 6}};
    kit g = kit_of_edges(3, edges, 2);
    kit_plan(&g, "astar");
    q.to = 2;
    CHECK_STATUS(cairn_search_find(g.search, &q, NULL), CAIRN_UNSUPPORTED);
    q.filter = NULL;
    CHECK_OK(cairn_search_find(g.search, &q, NULL));
    kit_close(&g);
}

/* ---- memory -------------------------------------------------------------------------------- */

static void a_warm_search_asks_for_no_memory(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 60, 40, 25, 3);
    static const char *const specs[] = {"astar", "jps", "hpa"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        kit k = kit_of_scene(s, NULL);
        kit_plan(&k, specs[i]);
        uint64_t calls[2];
        for (int round = 0; round < 2; round++) {
            scene_rng rng = {4};
            for (int n = 0; n < 20; n++) {
                lens l;
                lens_open(&l, s, cairn_space_scale(k.space), &rng);
                cairn_query q = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
                cairn_search_find(k.search, &q, NULL);
                q.filter = &l.filter;
                cairn_search_find(k.search, &q, NULL);
                lens_close(&l);
            }
            calls[round] = cairn_context_memory(k.context).allocations;
        }
        CHECK(calls[0] == calls[1], "%s: %u allocations while warm", specs[i],
              (unsigned)(calls[1] - calls[0]));
        kit_close(&k);
    }
    scene_destroy(s);
}

/* Every request for memory is refused once, and the next query is answered. */
static void a_filter_does_without_memory(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 60, 40, 25, 3);
    const cairn_filter_cell cells[] = {{100, true, 0}, {700, false, 512}};
    uint16_t costs[256];
    for (uint32_t i = 0; i < 256; i++) costs[i] = 300;
    cairn_filter filter = {cells, 2, costs};
    scene_rng rng = {6};
    cairn_query q = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng), .filter = &filter};
    watched memory = {0};
    kit k = {0};
    CHECK_OK(watched_context(&memory, &k.context));
    CHECK_OK(scene_grid(s, k.context, &k.grid));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    CHECK_OK(cairn_planner_create(k.space, "jps", &k.planner, NULL));
    for (uint64_t fail = 1, failed = 1; failed; fail++) {
        CHECK_OK(cairn_search_create(k.planner, NULL, &k.search));
        memory.failures = 0, memory.fail_at = memory.calls + fail;
        cairn_status status = cairn_search_find(k.search, &q, NULL);
        failed = memory.failures, memory.fail_at = 0;
        CHECK_STATUS(status, failed ? CAIRN_OUT_OF_MEMORY : CAIRN_FOUND);
        CHECK_OK(cairn_search_find(k.search, &q, NULL));
        cairn_search_destroy(k.search);
        k.search = NULL;
    }
    kit_end(&k, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_filter_is_as_good_as_a_world_with_these_cells_and_costs),
        cmocka_unit_test(parameters_are_kept),
        cmocka_unit_test(everything_within_reach_is_that_of_the_filter),
        cmocka_unit_test(a_start_may_be_blocked_by_the_filter),
        cmocka_unit_test(commits_reach_filtered_queries),
        cmocka_unit_test(senseless_filters_are_refused),
        cmocka_unit_test(a_warm_search_asks_for_no_memory),
        cmocka_unit_test(a_filter_does_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
