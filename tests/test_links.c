/* test_links.c: doors, ladders and teleports: staging and committing them, what agents may use,
 * what is reported, estimates that know shortcuts, and connected components.
 */
#include "edits.h"
#include "smoothing.h"
#include "world/space.h"

#include <math.h>

/* ---- committing ------------------------------------------------------------------------ */

static cairn_grid *open_grid(cairn_context *context, uint32_t width, uint32_t height)
{
    cairn_grid_options options = {.width = width, .height = height};
    cairn_grid *grid;
    CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
    return grid;
}

static void check_links_are(const cairn_grid *grid, const cairn_link *links, uint32_t count)
{
    assert_int_equal(cairn_grid_link_count(grid), count);
    for (uint32_t i = 0; i < count; i++) {
        cairn_link is = cairn_grid_link_at(grid, i);
        CHECK(is.from == links[i].from && is.to == links[i].to && is.id == links[i].id &&
                  is.cost == links[i].cost && is.kind == links[i].kind,
              "link %u", i);
    }
    assert_int_equal(cairn_grid_link_at(grid, count).from, CAIRN_NO_NODE);
}

static void links_are_staged_and_committed_in_order(void **state)
{
    cairn_grid *grid = open_grid(*state, 10, 10);
    const cairn_link a = {50, 3, 7, 256, 0}, b = {20, 4, 8, 10, 31}, c = {50, 1, 7, 5, 2},
                     d = {20, 4, 8, 10, 31};
    CHECK_OK(cairn_grid_add_link(grid, &a));
    CHECK_OK(cairn_grid_add_link(grid, &b));
    CHECK_OK(cairn_grid_add_link(grid, &c));
    assert_int_equal(cairn_grid_link_count(grid), 0);
    CHECK_OK(cairn_grid_commit(grid));
    assert_int_equal(cairn_grid_version(grid), 2);
    check_links_are(grid, (const cairn_link[]){b, c, a}, 3);
    cairn_commit info;
    CHECK_OK(cairn_grid_commit_info(grid, 2, &info));
    assert_true(info.links_changed);
    assert_int_equal(info.change_count, 0);

    /* Two alike are two. What is removed and added again in the same commit is there, at the end of
     * its place. */
    CHECK_OK(cairn_grid_add_link(grid, &d));
    CHECK_OK(cairn_grid_remove_links(grid, 7));
    CHECK_OK(cairn_grid_add_link(grid, &a));
    CHECK_OK(cairn_grid_commit(grid));
    check_links_are(grid, (const cairn_link[]){b, d, a}, 3);

    /* A commit in which nothing changes is none. */
    CHECK_OK(cairn_grid_remove_links(grid, 99));
    CHECK_OK(cairn_grid_commit(grid));
    assert_int_equal(cairn_grid_version(grid), 3);
    CHECK_OK(cairn_grid_remove_links(grid, 7));
    CHECK_OK(cairn_grid_add_link(grid, &a));
    CHECK_OK(cairn_grid_commit(grid));
    assert_int_equal(cairn_grid_version(grid), 3);

    /* Cells alone. */
    CHECK_OK(cairn_grid_set_open(grid, 1, 1, false));
    CHECK_OK(cairn_grid_commit(grid));
    CHECK_OK(cairn_grid_commit_info(grid, 4, &info));
    assert_false(info.links_changed);
    assert_int_equal(info.change_count, 1);

    CHECK_OK(cairn_grid_add_link(grid, &c));
    CHECK_OK(cairn_grid_remove_links(grid, 8));
    cairn_grid_discard(grid);
    CHECK_OK(cairn_grid_commit(grid));
    check_links_are(grid, (const cairn_link[]){b, d, a}, 3);
    CHECK_OK(cairn_grid_remove_links(grid, 8));
    CHECK_OK(cairn_grid_remove_links(grid, 7));
    CHECK_OK(cairn_grid_commit(grid));
    assert_int_equal(cairn_grid_link_count(grid), 0);
    cairn_grid_destroy(grid);
}

static void links_that_make_no_sense_are_refused(void **state)
{
    cairn_grid *grid = open_grid(*state, 4, 4);
    CHECK_STATUS(cairn_grid_add_link(grid, &(cairn_link){0, 16, 1, 1, 0}), CAIRN_OUT_OF_BOUNDS);
    CHECK_STATUS(cairn_grid_add_link(grid, &(cairn_link){CAIRN_NO_NODE, 1, 1, 1, 0}),
                 CAIRN_OUT_OF_BOUNDS);
    CHECK_STATUS(cairn_grid_add_link(grid, &(cairn_link){3, 3, 1, 1, 0}), CAIRN_INVALID);
    CHECK_STATUS(cairn_grid_add_link(grid, &(cairn_link){3, 4, 1, 1, 32}), CAIRN_INVALID);
    CHECK_STATUS(cairn_grid_add_link(grid, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_grid_add_link(NULL, &(cairn_link){3, 4, 1, 1, 0}), CAIRN_INVALID);
    CHECK_STATUS(cairn_grid_remove_links(NULL, 1), CAIRN_INVALID);
    CHECK_OK(cairn_grid_commit(grid));
    assert_int_equal(cairn_grid_version(grid), 1);
    cairn_grid_destroy(grid);
}

/* One story with the k-th allocation of the commit failing. */
static bool commit_fails_at(uint64_t k)
{
    watched memory = {0};
    cairn_context *context;
    CHECK_OK(watched_context(&memory, &context));
    scene *s = scene_named("doors");
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(scene_grid(s, context, &grid));
    CHECK_OK(cairn_space_of_grid(grid, &s->profile, &space, NULL));
    uint32_t count = cairn_grid_link_count(grid);
    for (uint32_t i = 0; i < 40; i++)
        CHECK_OK(cairn_grid_add_link(grid, &(cairn_link){i, 90, 500, 300, 0}));
    CHECK_OK(cairn_grid_remove_links(grid, 101));
    CHECK_OK(cairn_grid_set_open(grid, 5, 2, false));
    memory.fail_at = memory.calls + k;
    cairn_status status = cairn_grid_commit(grid);
    bool failed = memory.failures > 0;
    CHECK(status == (failed ? CAIRN_OUT_OF_MEMORY : CAIRN_OK), "%s", cairn_status_text(status));
    if (failed) {
        assert_int_equal(cairn_grid_version(grid), 2);
        assert_int_equal(cairn_grid_link_count(grid), count);
        assert_true(cairn_grid_is_open(grid, 5, 2));
        assert_int_equal(cairn_space_validate(space, report_fault, NULL), 0);
        memory.fail_at = 0;
        CHECK_OK(cairn_grid_commit(grid)); /* what was staged is still there */
    }
    assert_int_equal(cairn_grid_version(grid), 3);
    assert_false(cairn_grid_is_open(grid, 5, 2));
    assert_true(cairn_grid_link_count(grid) > count + 30);
    assert_int_equal(cairn_space_validate(space, report_fault, NULL), 0);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    assert_int_equal(memory.blocks, 0);
    assert_false(memory.wrong_size);
    scene_destroy(s);
    return failed;
}

static void a_commit_without_memory_leaves_everything_as_it_was(void **state)
{
    (void)state;
    uint64_t k = 1;
    while (commit_fails_at(k)) k++;
    assert_in_range(k, 5, 100);
}

/* ---- paths ----------------------------------------------------------------------------- */

typedef struct journey {
    world w;
    cairn_planner *planner;
    cairn_search *search;
} journey;

static journey journey_in(scene *s, const char *spec)
{
    journey j = {.w = world_of(s)};
    CHECK_OK(cairn_planner_create(j.w.space, spec, &j.planner, NULL));
    CHECK_OK(cairn_search_create(j.planner, NULL, &j.search));
    return j;
}

static const cairn_path *journey_find(journey *j, cairn_node from, cairn_node to)
{
    const cairn_path *path;
    cairn_search_find(j->search, &(cairn_query){.from = from, .to = to}, &path);
    return path;
}

static void journey_end(journey *j)
{
    cairn_search_destroy(j->search);
    cairn_planner_destroy(j->planner);
    world_end(&j->w);
}

static void check_nodes(const cairn_path *path, const cairn_node *nodes, uint32_t count)
{
    assert_int_equal(path->count, count);
    assert_memory_equal(path->nodes, nodes, count * sizeof *nodes);
}

static const char three_rooms[] = "...#...#...\n"
                                  "...#...#...\n"
                                  "...#...#...\n";

static void a_path_tells_the_links_it_uses(void **state)
{
    (void)state;
    static const char *const specs[] = {"astar",  "dijkstra",           "bfs",   "dfs",
                                        "greedy", "astar:loop=generic", "wastar"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        journey j = journey_in(scene_of_text("rooms", three_rooms), specs[i]);
        assert_int_equal(journey_find(&j, 0, 10)->status, CAIRN_UNREACHABLE);
        edit_add_link(&j.w, &(cairn_link){2, 4, 77, 512, 3});  /* through the first wall */
        edit_add_link(&j.w, &(cairn_link){4, 10, 88, 100, 0}); /* at once on into the third room */
        CHECK_OK(cairn_grid_commit(j.w.grid));
        const cairn_path *path = journey_find(&j, 0, 10);
        assert_int_equal(path->status, CAIRN_FOUND);
        cairn_scale scale = cairn_space_scale(j.w.space);
        if (strcmp(specs[i], "dfs") && strcmp(specs[i], "greedy")) {
            check_nodes(path, (const cairn_node[]){0, 2, 4, 10}, 4);
            assert_int_equal(path->cost,
                             2 * scale.straight + 2 * scale.straight + scale.straight * 100 / 256);
            assert_true(fabs(path->length - (double)path->cost / scale.straight) < 1e-9);
        }
        assert_int_equal(path->link_count, 2);
        assert_int_equal(path->links[0].id, 77);
        assert_int_equal(path->links[1].id, 88);
        assert_int_equal(path->nodes[path->links[0].at], 2);
        assert_int_equal(path->links[1].at, path->links[0].at + 1);
        assert_true(cairn_path_valid(j.w.space, path, NULL, NULL, NULL));
        /* they lead one way */
        assert_int_equal(journey_find(&j, 10, 0)->status, CAIRN_UNREACHABLE);
        assert_int_equal(journey_find(&j, 0, 8)->status, CAIRN_FOUND);
        journey_end(&j);
    }
}

static void a_copy_of_a_path_holds_its_links(void **state)
{
    (void)state;
    watched memory = {0};
    cairn_context *context;
    CHECK_OK(watched_context(&memory, &context));
    size_t blocks = memory.blocks;
    cairn_node nodes[] = {0, 2, 4};
    cairn_path_link links[] = {{1, 77}};
    cairn_path path = {
        .status = CAIRN_FOUND, .nodes = nodes, .count = 3, .links = links, .link_count = 1};
    cairn_owned_path copy;
    CHECK_OK(cairn_path_copy(context, &path, &copy));
    links[0].id = 5;
    assert_int_equal(copy.path.link_count, 1);
    assert_int_equal(copy.path.links[0].id, 77);
    assert_int_equal(copy.path.links[0].at, 1);
    assert_int_equal(memory.blocks, blocks + 2);
    cairn_path_free(&copy);
    assert_null(copy.path.links);
    assert_int_equal(copy.path.link_count, 0);
    for (uint64_t k = 1; k <= 2; k++) {
        memory.fail_at = memory.calls + k;
        CHECK_STATUS(cairn_path_copy(context, &path, &copy), CAIRN_OUT_OF_MEMORY);
        assert_true(!copy.path.nodes && !copy.path.links && !copy.path.count &&
                    !copy.path.link_count);
    }
    assert_int_equal(memory.blocks, blocks);
    cairn_context_destroy(context);
    assert_false(memory.wrong_size);
}

static void a_path_over_a_link_is_walked_checked_and_smoothed(void **state)
{
    (void)state;
    journey j = journey_in(scene_of_text("rooms", three_rooms), "astar");
    edit_add_link(&j.w, &(cairn_link){13, 15, 77, 512, 3}); /* (2, 1) to (4, 1) */
    CHECK_OK(cairn_grid_commit(j.w.grid));
    const cairn_path *found = journey_find(&j, 11, 17); /* (0, 1) to (6, 1): all in one row */
    check_nodes(found, (const cairn_node[]){11, 13, 15, 17}, 4);
    const cairn_node cells[] = {11, 12, 13, 15, 16, 17};
    cairn_node out[8];
    assert_int_equal(cairn_path_step_count(j.w.space, found), 6);
    assert_int_equal(cairn_path_cells(j.w.space, found, 0, out, 8), 6);
    assert_memory_equal(out, cells, sizeof cells);
    for (uint32_t first = 0; first < 6; first++) {
        assert_int_equal(cairn_path_cells(j.w.space, found, first, out, 2), first < 5 ? 2 : 1);
        assert_int_equal(out[0], cells[first]);
    }
    memcpy(out, cells, sizeof cells);
    assert_int_equal(cairn_simplify(j.w.space, out, 6), 4);
    assert_memory_equal(out, found->nodes, 4 * sizeof *out);
    uint32_t count;
    double length;
    CHECK_OK(smooth_sight(j.w.space, found, out, 8, &count, &length));
    assert_int_equal(count, 4);
    assert_memory_equal(out, found->nodes, 4 * sizeof *out);
    assert_true(fabs(length - 6) < 1e-9);

    /* Without its link, with another id, or with links in no order, it is no path. */
    cairn_context *context = cairn_space_context(j.w.space);
    cairn_owned_path own;
    CHECK_OK(cairn_path_copy(context, found, &own));
    cairn_path path = own.path;
    cairn_node from, to;
    cairn_path wrong = path;
    wrong.link_count = 0;
    assert_false(cairn_path_valid(j.w.space, &wrong, NULL, &from, &to));
    assert_int_equal(from, 13);
    assert_int_equal(to, 14);
    const cairn_path_link other[] = {{1, 78}, {1, 77}, {3, 77}, {0, 77}};
    for (uint32_t i = 0; i < LENGTH(other); i++) {
        if (i == 1) continue; /* that one is right */
        wrong.links = &other[i], wrong.link_count = 1;
        CHECK(!cairn_path_valid(j.w.space, &wrong, NULL, NULL, NULL), "case %u", i);
    }
    wrong.links = other + 1, wrong.link_count = 2;
    assert_false(cairn_path_valid(j.w.space, &wrong, NULL, NULL, NULL));

    /* A cheaper link of another id beside it: the path still stands, at its own price. */
    edit_add_link(&j.w, &(cairn_link){13, 15, 5, 1, 3});
    CHECK_OK(cairn_grid_commit(j.w.grid));
    cairn_cost cost;
    assert_true(cairn_path_valid(j.w.space, &path, &cost, NULL, NULL));
    assert_int_equal(cost, path.cost);
    assert_int_equal(journey_find(&j, 11, 17)->links[0].id, 5);
    edit_remove_links(&j.w, 77);
    CHECK_OK(cairn_grid_commit(j.w.grid));
    assert_false(cairn_path_valid(j.w.space, &path, NULL, &from, &to));
    assert_int_equal(from, 13);
    assert_int_equal(to, 15);
    CHECK_STATUS(smooth_sight(j.w.space, &path, out, 8, &count, NULL), CAIRN_STALE);
    cairn_path_free(&own);
    journey_end(&j);
}

static void a_link_to_the_next_cell_is_used_only_if_it_is_cheaper_than_the_step(void **state)
{
    (void)state;
    for (uint32_t cost = 255; cost <= 257; cost++) {
        journey j = journey_in(scene_blank("row", 5, 1), "astar");
        edit_add_link(&j.w, &(cairn_link){1, 2, 9, cost, 0});
        CHECK_OK(cairn_grid_commit(j.w.grid));
        const cairn_path *path = journey_find(&j, 0, 4);
        assert_int_equal(path->link_count, cost < 256);
        if (cost < 256) {
            check_nodes(path, (const cairn_node[]){0, 1, 2, 4}, 4);
        } else {
            check_nodes(path, (const cairn_node[]){0, 4}, 2);
        }
        assert_true(cairn_path_valid(j.w.space, path, NULL, NULL, NULL));
        /* On foot it is a path as well, at the price of a step. */
        cairn_node ends[] = {0, 4};
        cairn_path walk = {.status = CAIRN_FOUND, .nodes = ends, .count = 2};
        cairn_cost sum;
        assert_true(cairn_path_valid(j.w.space, &walk, &sum, NULL, NULL));
        assert_int_equal(sum, 4 * cairn_space_scale(j.w.space).straight);
        journey_end(&j);
    }
}

typedef struct sightings {
    journey *j;
    uint32_t count;
} sightings;

static void check_sighting(void *user, cairn_node node, cairn_cost cost)
{
    sightings *seen = user;
    const cairn_path *path;
    cairn_cost sum;
    cairn_search_path_to(seen->j->search, node, &path);
    CHECK(cairn_path_valid(seen->j->w.space, path, &sum, NULL, NULL), "%u: no way", node);
    CHECK(sum == cost && path->cost == cost, "%u is said to cost %u, the way there %u", node, cost,
          sum);
    seen->count++;
}

/* Of cells that were seen only on the path, too: a link that is more expensive than the step beside
 * it says nothing of their costs. */
static void what_a_cell_costs_is_what_the_way_there_costs(void **state)
{
    (void)state;
    scene_rng rng = {37};
    uint32_t count = 0;
    for (int round = 0; round < 200; round++) {
        scene *s = scene_noise("doors", 9, 9, scene_random(&rng, 30), scene_random(&rng, 1u << 30));
        s->profile.corners = (cairn_corners)(round % CAIRN_CORNERS_COUNT);
        scene_add_links(s, 12, 0, 2000, true, scene_random(&rng, 1u << 30));
        journey j = journey_in(s, "astar");
        for (int i = 0; i < 4; i++) {
            sightings seen = {.j = &j};
            const cairn_path *path = journey_find(&j, scene_pick(s, &rng), scene_pick(s, &rng));
            if (path->status != CAIRN_FOUND) continue;
            CHECK_OK(cairn_search_reached(j.search, check_sighting, &seen));
            count += seen.count;
        }
        journey_end(&j);
    }
    assert_true(count > 10000);
}

static void profiles_say_which_kinds_may_be_used(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 32; kind += 31) {
        for (uint32_t allowed = 0; allowed < 2; allowed++) {
            scene *s = scene_of_text("rooms", three_rooms);
            s->profile.links = allowed ? 1u << kind : ~(1u << kind);
            journey j = journey_in(s, "astar");
            edit_add_link(&j.w, &(cairn_link){2, 4, 1, 0, (uint8_t)kind});
            CHECK_OK(cairn_grid_commit(j.w.grid));
            assert_int_equal(journey_find(&j, 0, 4)->status,
                             allowed ? CAIRN_FOUND : CAIRN_UNREACHABLE);
            assert_int_equal(cairn_space_directed(j.w.space), allowed);
            /* nothing is for nothing */
            if (allowed) assert_int_equal(journey_find(&j, 2, 4)->cost, 1);
            journey_end(&j);
        }
    }
}

static void next_to_means_steps_not_links(void **state)
{
    (void)state;
    journey j = journey_in(scene_of_text("rooms", three_rooms), "astar");
    edit_add_link(&j.w, &(cairn_link){0, 10, 1, 0, 0});
    edit_add_link(&j.w, &(cairn_link){22, 30, 2, 0, 0});
    CHECK_OK(cairn_grid_commit(j.w.grid));
    const cairn_path *path;
    cairn_query query = {.from = 11, .to = 10, .goal_kind = CAIRN_GOAL_NEXT_TO};
    CHECK_OK(cairn_search_find(j.search, &query, &path));
    assert_true(path->end == 9 || path->end == 20 || path->end == 21);
    journey_end(&j);
}

/* ---- estimates ------------------------------------------------------------------------- */

/* From one node, of which the oracle knows all distances. */
static uint64_t check_estimates_from(const world *w, const oracle *o, cairn_heuristic heuristic,
                                     cairn_node a, cairn_node goal)
{
    uint64_t estimate = cairn_estimate(w->space, heuristic, a, goal);
    const char *name = cairn_heuristic_name(heuristic);
    CHECK(estimate <= o->distance[goal], "%s overestimates from %u to %u", name, a, goal);
    if (!crn_heuristic_consistent(w->space, heuristic)) return estimate;
    for (uint32_t e = o->first[a]; e < o->first[a + 1]; e++) {
        uint64_t next = cairn_estimate(w->space, heuristic, o->to[e], goal);
        CHECK(estimate <= o->cost[e] + next, "%s falls too fast from %u to %u", name, a, o->to[e]);
    }
    return estimate;
}

static void check_estimates(const world *w, uint32_t links, scene_rng *rng)
{
    oracle *o = oracle_of_grid(&w->raw, &w->scene->profile, cairn_space_scale(w->space));
    uint64_t sum = 0;
    for (cairn_node a = 0; a < o->count; a += 1 + scene_random(rng, 4)) {
        if (!o->usable[a]) continue;
        oracle_search(o, a);
        for (int round = 0; round < 5; round++) {
            cairn_node goal = scene_pick(w->scene, rng);
            for (int h = CAIRN_HEURISTIC_NULL; h < CAIRN_HEURISTIC_COUNT; h++) {
                if (!cairn_heuristic_admissible(w->space, (cairn_heuristic)h)) continue;
                sum += check_estimates_from(w, o, (cairn_heuristic)h, a, goal);
            }
        }
    }
    if (links < 10) assert_true(sum > 0);
    oracle_destroy(o);
}

static void estimates_know_the_shortcuts(void **state)
{
    (void)state;
    scene_rng rng = {17};
    for (uint32_t round = 0; round < 16; round++) {
        scene *s = scene_noise("shortcuts", 22, 19, 15, round + 1);
        if (round % 3 == 1) scene_add_terrain(s, round);
        if (round % 2) {
            scene_make_hex(s);
        } else if (round % 4 == 0) {
            s->profile.neighbours = CAIRN_NEIGHBOURS_4;
        }
        uint32_t count = round < 10 ? round : 3 * round;
        scene_add_links(s, count, 0, 2500, false, round + 50);
        world w = world_of(s);
        check_estimates(&w, count, &rng);
        world_end(&w);
    }
}

static void with_few_shortcuts_a_search_still_aims(void **state)
{
    (void)state;
    journey j = journey_in(scene_blank("field", 100, 100), "astar");
    edit_add_link(&j.w, &(cairn_link){0, 99, 1, 256, 0});
    CHECK_OK(cairn_grid_commit(j.w.grid));
    const cairn_path *path = journey_find(&j, 50 * 100 + 40, 50 * 100 + 60);
    assert_int_equal(path->cost, 20 * cairn_space_scale(j.w.space).straight);
    assert_true(cairn_search_metrics(j.search).expanded < 60);
    path = journey_find(&j, 5 * 100 + 5, 5 * 100 + 94);
    assert_int_equal(path->link_count, 1);
    assert_true(cairn_search_metrics(j.search).expanded < 400);
    journey_end(&j);
}

/* ---- while the world changes ----------------------------------------------------------- */

static void every_algorithm_follows_links_that_come_and_go(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 8; kind++) {
        scene *s = scene_noise("changing", 25, 20 + kind, kind == 6 ? 3 : 30, kind + 1);
        if (kind & 1) scene_make_hex(s);
        if (kind == 2 || kind == 3) scene_add_terrain(s, kind);
        if (kind == 4 || kind == 5) scene_add_cliffs(s, kind);
        if (kind == 6) s->profile.radius = 0.8;
        scene_add_links(s, kind == 7 ? 40 : 8, 0, 3000, false, kind + 3);
        edited e = edit_and_check(s, true, 25, kind + 31);
        CHECK(e.found > 100 && e.links_used > 20, "kind %u: %u paths over %u links", kind, e.found,
              e.links_used);
        edited_end(&e);
    }
}

static void a_search_in_flight_is_stale_when_links_change(void **state)
{
    (void)state;
    journey j = journey_in(scene_blank("field", 30, 30), "astar");
    cairn_query query = {.from = 0, .to = 899};
    assert_int_equal(cairn_search_begin(j.search, &query), CAIRN_RUNNING);
    assert_int_equal(cairn_search_step(j.search, 3), CAIRN_RUNNING);
    edit_add_link(&j.w, &(cairn_link){0, 899, 1, 1, 0});
    CHECK_OK(cairn_grid_commit(j.w.grid));
    assert_int_equal(cairn_search_step(j.search, 3), CAIRN_STALE);
    const cairn_path *path = journey_find(&j, 0, 899);
    assert_int_equal(path->link_count, 1);
    assert_int_equal(path->count, 2);
    journey_end(&j);
}

/* A link that offers a more expensive way to a cell that another link led to is not the one that
 * led there. */
static void the_link_that_lost_is_not_reported(void **state)
{
    const char *map = ".....#......";
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(cairn_grid_from_text(*state, map, strlen(map), &grid, NULL));
    CHECK_OK(cairn_grid_add_link(grid, &(cairn_link){.from = 1, .to = 6, .id = 1, .cost = 256}));
    CHECK_OK(
        cairn_grid_add_link(grid, &(cairn_link){.from = 3, .to = 6, .id = 2, .cost = 10 * 256}));
    CHECK_OK(cairn_grid_commit(grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    static const char *const specs[] = {"dijkstra", "dijkstra:open=heap", "dijkstra:loop=generic"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        cairn_planner *planner;
        cairn_search *search;
        CHECK_OK(cairn_planner_create(space, specs[i], &planner, NULL));
        CHECK_OK(cairn_search_create(planner, NULL, &search));
        cairn_query query = {.from = 0, .to = 11};
        const cairn_path *path;
        CHECK_STATUS(cairn_search_find(search, &query, &path), CAIRN_FOUND);
        CHECK(path->link_count == 1 && path->links[0].id == 1, "%s: the wrong link", specs[i]);
        assert_true(cairn_path_valid(space, path, NULL, NULL, NULL));
        assert_int_equal(path->cost, 7 * cairn_space_scale(space).straight);
        cairn_search_destroy(search);
        cairn_planner_destroy(planner);
    }
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

/* The cheapest ground goes: estimates rise, and a link becomes a shortcut without having
 * changed. */
static void a_link_becomes_a_shortcut_when_ground_gets_dearer(void **state)
{
    uint8_t terrain[10] = {4, 4, 4, 4, 4, 5, 4, 4, 4, 4};
    cairn_grid_options options = {.width = 10, .height = 1, .terrain = terrain};
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    CHECK_OK(cairn_grid_create(*state, &options, &grid, NULL));
    CHECK_OK(cairn_grid_add_link(grid, &(cairn_link){.from = 0, .to = 9, .cost = 13 * 256}));
    CHECK_OK(cairn_grid_commit(grid));
    cairn_profile profile = cairn_profile_default();
    profile.terrain_cost[4] = CAIRN_TIMES(2);
    CHECK_OK(cairn_space_of_grid(grid, &profile, &space, NULL));
    CHECK_OK(cairn_grid_set_terrain(grid, 5, 0, 4));
    CHECK_OK(cairn_grid_commit(grid));
    CHECK_OK(cairn_planner_create(space, "astar", &planner, NULL));
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    cairn_query query = {.from = 1, .to = 9};
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(search, &query, &path), CAIRN_FOUND);
    assert_int_equal(path->cost, 15 * cairn_space_scale(space).straight);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

/* One commit makes room for more links and leaves none that can be used. */
static void the_last_link_joins_nothing_any_more(void **state)
{
    const char *map = "...#...";
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(cairn_grid_from_text(*state, map, strlen(map), &grid, NULL));
    CHECK_OK(cairn_grid_add_link(grid, &(cairn_link){.from = 0, .to = 6, .cost = 256}));
    CHECK_OK(cairn_grid_commit(grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    assert_int_equal(cairn_reachable(space, 1, 5), CAIRN_REACH_MAYBE);
    CHECK_OK(cairn_grid_set_open(grid, 0, 0, false));
    CHECK_OK(cairn_grid_add_link(grid, &(cairn_link){.from = 0, .to = 5, .cost = 256}));
    CHECK_OK(cairn_grid_commit(grid));
    assert_int_equal(cairn_reachable(space, 1, 5), CAIRN_REACH_NO);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

/* Of links that are equally cheap a path names the one that was added first. */
static void of_equal_links_the_first_is_reported(void **state)
{
    cairn_context *context = *state;
    static const char *const specs[] = {"astar", "dijkstra", "greedy",
                                        "bfs",   "jps",      "astar:loop=generic"};
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(cairn_grid_from_text(context, ".....#.....", 11, &grid, NULL));
    const cairn_link links[] = {{2, 8, 9, 700, 0},
                                {2, 8, 4, 500, 0},
                                {2, 8, 3, 500, 0},
                                {2, 8, 7, 500, 0},
                                {2, 8, 1, 501, 0}};
    for (uint32_t i = 0; i < LENGTH(links); i++) CHECK_OK(cairn_grid_add_link(grid, &links[i]));
    CHECK_OK(cairn_grid_commit(grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        cairn_planner *planner;
        cairn_search *search;
        const cairn_path *path;
        CHECK_OK(planner_ready(space, specs[i], &planner, NULL));
        CHECK_OK(cairn_search_create(planner, NULL, &search));
        CHECK_STATUS(cairn_search_find(search, &(cairn_query){.from = 0, .to = 10}, &path),
                     CAIRN_FOUND);
        CHECK(path->link_count == 1 && path->links[0].id == 4, "%s: link %u", specs[i],
              path->link_count ? path->links[0].id : 0);
        cairn_search_destroy(search);
        cairn_planner_destroy(planner);
    }
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(links_are_staged_and_committed_in_order, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(links_that_make_no_sense_are_refused, context_set_up,
                                        context_tear_down),
        cmocka_unit_test(a_commit_without_memory_leaves_everything_as_it_was),
        cmocka_unit_test(a_path_tells_the_links_it_uses),
        cmocka_unit_test(a_copy_of_a_path_holds_its_links),
        cmocka_unit_test(a_path_over_a_link_is_walked_checked_and_smoothed),
        cmocka_unit_test(a_link_to_the_next_cell_is_used_only_if_it_is_cheaper_than_the_step),
        cmocka_unit_test(what_a_cell_costs_is_what_the_way_there_costs),
        cmocka_unit_test(profiles_say_which_kinds_may_be_used),
        cmocka_unit_test(next_to_means_steps_not_links),
        cmocka_unit_test(estimates_know_the_shortcuts),
        cmocka_unit_test(with_few_shortcuts_a_search_still_aims),
        cmocka_unit_test(every_algorithm_follows_links_that_come_and_go),
        cmocka_unit_test(a_search_in_flight_is_stale_when_links_change),
        cmocka_unit_test_setup_teardown(the_link_that_lost_is_not_reported, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(a_link_becomes_a_shortcut_when_ground_gets_dearer,
                                        context_set_up, context_tear_down),
        cmocka_unit_test_setup_teardown(of_equal_links_the_first_is_reported, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(the_last_link_joins_nothing_any_more, context_set_up,
                                        context_tear_down),
    };
    return cmocka_run_group_tests_name("links", tests, NULL, NULL);
}
