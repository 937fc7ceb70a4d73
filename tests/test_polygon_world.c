/* test_polygon_world.c: a kind of world that the library does not know (polygon_world.h).
 * Algorithms that claim all worlds run on it as they are, the others refuse it with a reason, and
 * every public function that takes a space does what its header says.
 */
#include "edge_sets.h"
#include "files.h"
#include "kit.h"
#include "oracle.h"
#include "polygon_world.h"
#include "smoothing.h"

#include <cairn/io.h>
#include <math.h>

static const polygon_options hills = {.width = 16, .height = 12, .seed = 5, .blocked = 8};
static const polygon_options ledges = {
    .width = 14, .height = 10, .seed = 9, .blocked = 5, .ledges = true};

typedef struct fixture {
    cairn_context *context;
    polygon_world *world;
    cairn_space *space;
    oracle *oracle;
} fixture;

static oracle *oracle_of(const polygon_world *w)
{
    oracle *o = oracle_of_edges(w->base.node_count, w->edges, w->edge_count, false);
    for (cairn_node n = 0; n < w->base.node_count; n++) o->usable[n] = !w->polygons[n].blocked;
    return o;
}

static fixture open_world(cairn_context *context, const polygon_options *options)
{
    fixture f = {.context = context, .world = polygon_world_create(context, options)};
    f.space = &f.world->base;
    f.oracle = oracle_of(f.world);
    return f;
}

static void close_world(fixture *f)
{
    oracle_destroy(f->oracle);
    cairn_space_destroy(f->space);
}

static cairn_node any_usable(const fixture *f, scene_rng *rng)
{
    cairn_node node;
    do node = scene_random(rng, f->space->node_count);
    while (f->world->polygons[node].blocked);
    return node;
}

/* ---- the world itself ------------------------------------------------------------------- */

static void the_world_is_sound(void **state)
{
    fixture f = open_world(*state, &hills);
    assert_int_equal(cairn_space_validate(f.space, NULL, NULL), 0);
    assert_int_equal(cairn_space_world(f.space), CAIRN_WORLD_MESH);
    assert_true(f.space->node_count > 150);
    for (cairn_node n = 0; n < f.space->node_count; n++) {
        cairn_position at = cairn_space_position(f.space, n);
        assert_true(at.z != 0);
        assert_int_equal(cairn_space_node_at(f.space, at), n);
    }
    close_world(&f);
}

static void no_node(void *user, cairn_node node)
{
    (void)user;
    fail_msg("node %u is reported", node);
}

/* It has no functions for either: predecessors are found all the same, and what changed is not
 * known. */
static void it_can_be_walked_backwards(void **state)
{
    fixture f = open_world(*state, &ledges);
    for (uint32_t batch = 1; batch < 6; batch += 2)
        assert_int_equal(edge_set_check_back("back", f.space, batch), f.world->edge_count);
    uint64_t version = cairn_space_version(f.space);
    CHECK_OK(cairn_space_changes(f.space, version, no_node, NULL));
    polygon_world_block(f.world, 20, !f.world->polygons[20].blocked);
    CHECK_STATUS(cairn_space_changes(f.space, version, no_node, NULL), CAIRN_STALE);
    close_world(&f);
}

/* ---- algorithms ------------------------------------------------------------------------- */

/* A path of polygons that touch, as the list of edges has it. */
static void check_path(const fixture *f, const cairn_path *path, const char *name)
{
    uint64_t cost = 0;
    for (uint32_t i = 1; i < path->count; i++) {
        uint64_t step = oracle_edge(f->oracle, path->nodes[i - 1], path->nodes[i]);
        CHECK(step != ORACLE_NONE, "%s: no step from %u to %u", name, path->nodes[i - 1],
              path->nodes[i]);
        cost += step;
    }
    CHECK(cost == path->cost, "%s: %u is not the sum of its steps", name, path->cost);
    CHECK(fabs(path->length - (double)cost / f->space->scale.straight) < 1e-9, "%s: length", name);
    CHECK(cairn_path_valid(f->space, path, NULL, NULL, NULL), "%s: called invalid", name);
    assert_int_equal(cairn_path_step_count(f->space, path), path->count);
}

static void check_answers(const fixture *f, const char *spec)
{
    cairn_planner *planner;
    cairn_search *search;
    const cairn_path *path;
    scene_rng rng = {77};
    CHECK_OK(planner_ready(f->space, spec, &planner, NULL));
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    for (uint32_t i = 0; i < 60; i++) {
        cairn_query query = {.from = any_usable(f, &rng), .to = any_usable(f, &rng)};
        oracle_search(f->oracle, query.from);
        uint64_t best = f->oracle->distance[query.to];
        cairn_status status = cairn_search_find(search, &query, &path);
        if (gave_up(cairn_planner_algorithm(planner), status)) continue;
        CHECK(status == (best == ORACLE_NONE ? CAIRN_UNREACHABLE : CAIRN_FOUND), "%s: %u to %u: %s",
              spec, query.from, query.to, cairn_status_text(status));
        if (status != CAIRN_FOUND) continue;
        assert_int_equal(path->nodes[0], query.from);
        assert_int_equal(path->end, query.to);
        check_path(f, path, spec);
        CHECK(path->cost >= best, "%s: better than the best", spec);
        CHECK(!cairn_planner_optimal(planner) || path->cost == best,
              "%s: %u to %u costs %u, not %llu", spec, query.from, query.to, path->cost,
              (unsigned long long)best);
    }
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
}

static void check_refused(const fixture *f, const char *name)
{
    cairn_planner *planner;
    cairn_error error = {0};
    CHECK_STATUS(cairn_planner_create(f->space, name, &planner, &error), CAIRN_UNSUPPORTED);
    assert_null(planner);
    CHECK(strstr(error.text, name) && strstr(error.text, "polygons"), "%s: \"%s\"", name,
          error.text);
}

static void check_every_algorithm(cairn_context *context, const polygon_options *options)
{
    fixture f = open_world(context, options);
    uint32_t run = 0, refused = 0;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        bool claims = a->worlds >> CAIRN_WORLD_MESH & 1;
        if (!claims) check_refused(&f, a->name);
        if (claims) check_answers(&f, a->name);
        run += claims;
        refused += !claims;
    }
    assert_true(run > 0 && refused > 0);
    close_world(&f);
}

static void every_algorithm_finds_its_way_or_refuses(void **state)
{
    check_every_algorithm(*state, &hills);
}

static void also_where_some_steps_only_lead_down(void **state)
{
    check_every_algorithm(*state, &ledges);
}

/* Whoever has an index is stale after a change, and right again after a sync. */
static void a_changed_world_makes_indexes_stale(void **state)
{
    fixture f = open_world(*state, &hills);
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        if (!(a->worlds >> CAIRN_WORLD_MESH & 1) || !(a->flags & CAIRN_NEEDS_INDEX)) continue;
        cairn_planner *planner;
        CHECK_OK(planner_ready(f.space, a->name, &planner, NULL));
        polygon_world_block(f.world, 20 + i, !f.world->polygons[20 + i].blocked);
        CHECK_STATUS(cairn_planner_state(planner), CAIRN_STALE);
        CHECK_OK(cairn_planner_sync(planner, NULL, NULL));
        CHECK_OK(cairn_planner_state(planner));
        cairn_planner_destroy(planner);
        oracle_destroy(f.oracle);
        f.oracle = oracle_of(f.world);
        check_answers(&f, a->name);
    }
    close_world(&f);
}

/* ---- positions, points and portals ------------------------------------------------------ */

/* A place in the polygon that is not its centre. */
static cairn_position off_centre(const polygon_world *w, cairn_node node)
{
    const polygon *p = &w->polygons[node];
    cairn_position a = p->centre, b = w->corners[p->corners[0]];
    return (cairn_position){a.x + (b.x - a.x) / 4, a.y + (b.y - a.y) / 4, a.z + (b.z - a.z) / 4};
}

static bool same_place(cairn_position a, cairn_position b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void check_portals(const fixture *f, const cairn_path *path)
{
    assert_int_equal(path->portal_count, path->count - 1);
    assert_true(path->count == 1 || path->portals);
    for (uint32_t i = 0; i < path->portal_count; i++) {
        cairn_node from = path->nodes[i], to = path->nodes[i + 1];
        const cairn_portal *p = &path->portals[i];
        if (same_place(p->left, p->right)) { /* a ladder */
            assert_true(same_place(p->left, cairn_space_position(f->space, to)));
            continue;
        }
        assert_true(polygon_has_corner(f->world, from, p->left) &&
                    polygon_has_corner(f->world, to, p->left));
        assert_true(polygon_has_corner(f->world, from, p->right) &&
                    polygon_has_corner(f->world, to, p->right));
        cairn_position a = cairn_space_position(f->space, from),
                       b = cairn_space_position(f->space, to);
        double side =
            (b.x - a.x) * (p->left.y - p->right.y) - (b.y - a.y) * (p->left.x - p->right.x);
        CHECK(side > 0, "the portal from %u to %u is the wrong way round", from, to);
    }
}

static void check_points(const fixture *f, const cairn_path *path, const cairn_query *query,
                         uint32_t ends)
{
    uint32_t before = ends & CAIRN_FROM_POSITION ? 1 : 0, behind = ends & CAIRN_TO_POSITION ? 1 : 0;
    bool within = path->count == 1 && before && behind;
    assert_int_equal(path->point_count, within ? 2 : path->count + before + behind);
    if (before) assert_true(same_place(path->points[0], query->from_position));
    if (behind) assert_true(same_place(path->points[path->point_count - 1], query->to_position));
    for (uint32_t i = 0; i < path->count && !within; i++)
        assert_true(
            same_place(path->points[before + i], cairn_space_position(f->space, path->nodes[i])));
}

static void check_copy(cairn_context *context, const cairn_path *path)
{
    cairn_owned_path own;
    CHECK_OK(cairn_path_copy(context, path, &own));
    const cairn_path *copy = &own.path;
    assert_int_equal(copy->point_count, path->point_count);
    assert_int_equal(copy->portal_count, path->portal_count);
    assert_ptr_not_equal(copy->points, path->points);
    assert_memory_equal(copy->points, path->points, path->point_count * sizeof *path->points);
    if (path->portal_count)
        assert_memory_equal(copy->portals, path->portals,
                            path->portal_count * sizeof *path->portals);
    cairn_path_free(&own);
    assert_true(!copy->points && !copy->portals && !copy->point_count && !copy->portal_count);
}

static void ask_by_position(const fixture *f, cairn_search *search, cairn_node from, cairn_node to)
{
    const cairn_path *path;
    cairn_cost cost;
    cairn_status alone = cairn_distance(search, from, to, &cost);
    bool found = alone == CAIRN_FOUND;
    CHECK(found || alone == CAIRN_UNREACHABLE || alone == CAIRN_OUT_OF_BUDGET, "%u to %u: %s", from,
          to, cairn_status_text(alone));
    for (uint32_t ends = 1; ends < 4; ends++) {
        cairn_query query = {.from = from, .to = to, .by_position = ends};
        if (ends & CAIRN_FROM_POSITION) query.from = CAIRN_NO_NODE;
        if (ends & CAIRN_TO_POSITION) query.to = CAIRN_NO_NODE;
        query.from_position = off_centre(f->world, from);
        query.to_position = off_centre(f->world, to);
        CHECK_STATUS(cairn_search_find(search, &query, &path), alone);
        if (!found) continue;
        assert_true(path->nodes[0] == from && path->end == to && path->cost == cost);
        check_points(f, path, &query, ends);
        check_portals(f, path);
        check_copy(f->context, path);
    }
}

static void ends_may_be_positions(void **state)
{
    fixture f = open_world(*state, &hills);
    scene_rng rng = {3};
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        if (!(a->worlds >> CAIRN_WORLD_MESH & 1)) continue;
        cairn_planner *planner;
        cairn_search *search;
        CHECK_OK(planner_ready(f.space, a->name, &planner, NULL));
        CHECK_OK(cairn_search_create(planner, NULL, &search));
        for (uint32_t k = 0; k < 15; k++) {
            cairn_node from = any_usable(&f, &rng);
            ask_by_position(&f, search, from, k ? any_usable(&f, &rng) : from);
        }
        cairn_search_destroy(search);
        cairn_planner_destroy(planner);
    }
    close_world(&f);
}

static void a_position_outside_or_blocked_is_answered_as_its_node_is(void **state)
{
    fixture f = open_world(*state, &hills);
    kit k = {.space = f.space};
    const cairn_path *path;
    scene_rng rng = {1};
    kit_plan(&k, "astar");
    cairn_query query = {.from = any_usable(&f, &rng), .to = 0, .by_position = CAIRN_TO_POSITION};
    query.to_position = (cairn_position){-100, 3, 1};
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_OUT_OF_BOUNDS);
    assert_true(!path->points && !path->portals);
    query.to_position.x = (double)NAN;
    CHECK_STATUS(cairn_search_find(k.search, &query, NULL), CAIRN_OUT_OF_BOUNDS);
    cairn_node blocked = 0;
    while (!f.world->polygons[blocked].blocked) blocked++;
    query.to_position = off_centre(f.world, blocked);
    CHECK_STATUS(cairn_search_find(k.search, &query, NULL), CAIRN_BLOCKED_GOAL);
    query.partial = true; /* leads elsewhere, so the exact end is no part of it */
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_BLOCKED_GOAL);
    assert_true(path->partial && path->count && !path->points &&
                path->portal_count == path->count - 1);
    query.by_position = 4;
    CHECK_STATUS(cairn_search_find(k.search, &query, NULL), CAIRN_INVALID);
    query = (cairn_query){.by_position = CAIRN_FROM_POSITION, .goal_kind = CAIRN_GOAL_NONE};
    query.from_position = off_centre(f.world, blocked);
    kit_plan(&k, "dijkstra");
    CHECK_STATUS(cairn_search_find(k.search, &query, NULL), CAIRN_BLOCKED_START);
    query.from_position = off_centre(f.world, any_usable(&f, &rng));
    CHECK_OK(cairn_search_find(k.search, &query, NULL));
    cairn_node there = cairn_space_node_at(f.space, query.from_position);
    CHECK_OK(cairn_search_path_to(k.search, there, &path));
    assert_true(path->count == 1 && path->point_count == 2);
    cairn_search_destroy(k.search);
    cairn_planner_destroy(k.planner);
    close_world(&f);
}

/* ---- goals ------------------------------------------------------------------------------ */

static bool is_goal(const fixture *f, const cairn_query *query, cairn_node node)
{
    if (f->world->polygons[node].blocked) return false;
    for (uint32_t i = 0; query->goal_kind == CAIRN_GOAL_NEXT_TO && i < f->world->side_count; i++) {
        if (f->world->sides[i].from == node && f->world->sides[i].to == query->to) return true;
    }
    if (query->goal_kind != CAIRN_GOAL_WITHIN) return false;
    cairn_position a = f->world->polygons[node].centre, b = f->world->polygons[query->to].centre;
    double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return dx * dx + dy * dy + dz * dz <= query->radius * query->radius;
}

static void nodes_next_to_and_within_are_those_of_the_space(void **state)
{
    fixture f = open_world(*state, &hills);
    kit k = {.space = f.space};
    scene_rng rng = {8};
    kit_plan(&k, "astar");
    for (uint32_t i = 0; i < 60; i++) {
        cairn_query query = {.from = any_usable(&f, &rng),
                             .to = scene_random(&rng, f.space->node_count)};
        query.goal_kind = i % 2 ? CAIRN_GOAL_WITHIN : CAIRN_GOAL_NEXT_TO;
        /* the second reaches from the bridge to the ground */
        query.radius = i % 4 == 1 ? 1.5 : 19.5;
        uint64_t best = ORACLE_NONE;
        bool any = false;
        oracle_search(f.oracle, query.from);
        for (cairn_node n = 0; n < f.space->node_count; n++) {
            if (!is_goal(&f, &query, n)) continue;
            any = true;
            if (f.oracle->distance[n] < best) best = f.oracle->distance[n];
        }
        const cairn_path *path;
        cairn_status must = !any                  ? CAIRN_BLOCKED_GOAL
                            : best == ORACLE_NONE ? CAIRN_UNREACHABLE
                                                  : CAIRN_FOUND;
        CHECK_STATUS(cairn_search_find(k.search, &query, &path), must);
        if (must == CAIRN_FOUND) assert_true(path->cost == best && is_goal(&f, &query, path->end));
    }
    cairn_search_destroy(k.search);
    cairn_planner_destroy(k.planner);
    close_world(&f);
}

/* ---- everything else that takes a space ------------------------------------------------- */

static void questions_about_the_space_are_answered(void **state)
{
    fixture f = open_world(*state, &hills);
    scene_rng rng = {4};
    uint64_t seed = 9;
    uint32_t regions, largest, counted = 0;
    assert_true(!cairn_space_grid(f.space) && !cairn_space_graph(f.space) &&
                !cairn_space_profile(f.space));
    assert_true(cairn_space_has_positions(f.space) && cairn_space_bytes(f.space) > 0);
    CHECK_OK(cairn_space_components(f.space, &regions, &largest));
    for (cairn_node n = 0; n < f.space->node_count; n++) {
        cairn_node from = any_usable(&f, &rng), near, lot;
        oracle_search(f.oracle, from);
        bool reached = f.oracle->distance[n] != ORACLE_NONE;
        assert_int_equal(cairn_reachable(f.space, from, n),
                         reached ? CAIRN_REACH_YES : CAIRN_REACH_NO);
        CHECK_OK(cairn_nearest_reachable(f.space, from, n, &near));
        assert_true(f.oracle->distance[near] != ORACLE_NONE && (!reached || near == n));
        cairn_cost least = cairn_estimate(f.space, CAIRN_HEURISTIC_AUTO, near, n);
        for (cairn_node m = 0; m < f.space->node_count; m++)
            if (f.oracle->distance[m] != ORACLE_NONE)
                assert_true(cairn_estimate(f.space, CAIRN_HEURISTIC_AUTO, m, n) >= least);
        CHECK_OK(cairn_random_reachable(f.space, from, &seed, &lot));
        assert_true(f.oracle->distance[lot] != ORACLE_NONE);
        counted += f.world->region[n] == n + 1;
    }
    assert_int_equal(regions, counted);
    assert_true(largest > 100);
    close_world(&f);
}

static double square_distance(const fixture *f, cairn_node a, cairn_node b)
{
    cairn_position p = cairn_space_position(f->space, a), q = cairn_space_position(f->space, b);
    return (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z);
}

static void the_nearest_usable_polygon_is_found(void **state)
{
    fixture f = open_world(*state, &hills);
    uint32_t blocked = 0;
    for (cairn_node n = 0; n < f.space->node_count; n++) {
        cairn_node near, none;
        CHECK_OK(cairn_nearest_usable(f.space, n, 1e9, &near));
        double least = square_distance(&f, n, near);
        for (cairn_node m = 0; m < f.space->node_count; m++)
            assert_true(f.world->polygons[m].blocked || square_distance(&f, n, m) > least ||
                        (square_distance(&f, n, m) == least && m >= near));
        assert_false(f.world->polygons[near].blocked);
        if (near == n) continue;
        CHECK_STATUS(cairn_nearest_usable(f.space, n, 1e-6, &none), CAIRN_UNREACHABLE);
        blocked++;
    }
    assert_true(blocked > 3);
    close_world(&f);
}

static void what_is_for_grids_says_so(void **state)
{
    fixture f = open_world(*state, &hills);
    cairn_explanation why;
    CHECK_STATUS(cairn_explain(f.space, 0, 0, &why), CAIRN_UNSUPPORTED);
    assert_null(cairn_step_name(f.space, 0, 0));
    assert_true(cairn_space_clearance(f.space, 0) == 0);
    CHECK_STATUS(cairn_space_keep_clearance(f.space, 4), CAIRN_UNSUPPORTED);
    assert_int_equal(cairn_space_upkeep(f.space).rows_eroded, 0);
    for (int h = 0; h < CAIRN_HEURISTIC_COUNT; h++)
        assert_true(cairn_heuristic_admissible(f.space, (cairn_heuristic)h));
    close_world(&f);
}

static void paths_are_smoothed_as_on_graphs(void **state)
{
    fixture f = open_world(*state, &hills);
    kit k = {.space = f.space};
    const cairn_path *path;
    cairn_node out[256];
    uint32_t count;
    double length;
    cairn_cost cost;
    scene_rng rng = {6};
    kit_plan(&k, "astar");
    for (uint32_t i = 0; i < 20; i++) {
        cairn_query query = {.from = any_usable(&f, &rng), .to = any_usable(&f, &rng)};
        if (cairn_search_find(k.search, &query, &path) != CAIRN_FOUND) continue;
        CHECK_OK(smooth_sight(f.space, path, out, LENGTH(out), &count, &length));
        assert_true(count == path->count && length == path->length);
        assert_memory_equal(out, path->nodes, count * sizeof *out);
        CHECK_OK(smooth_rays(f.space, path, 0, out, LENGTH(out), &count, &cost, &length));
        assert_true(count == path->count && cost == path->cost);
        CHECK_STATUS(smooth_spline(f.space, path, 0, 0, NULL, 0, &count, &length),
                     CAIRN_UNSUPPORTED);
        assert_int_equal(cairn_simplify(f.space, out, path->count), path->count);
        assert_int_equal(cairn_path_cells(f.space, path, 0, out, LENGTH(out)), path->count);
        bool step =
            oracle_edge(f.oracle, query.from, query.to) != ORACLE_NONE || query.from == query.to;
        assert_int_equal(cairn_raycast(f.space, query.from, query.to, NULL), step);
    }
    cairn_search_destroy(k.search);
    cairn_planner_destroy(k.planner);
    close_world(&f);
}

static void an_agent_walks_there(void **state)
{
    fixture f = open_world(*state, &hills);
    kit k = {.space = f.space};
    scene_rng rng = {12};
    kit_plan(&k, "astar");
    cairn_navigator *navigator;
    CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
    cairn_node from = any_usable(&f, &rng), to = from;
    oracle_search(f.oracle, from);
    for (cairn_node n = 0; n < f.space->node_count; n++)
        if (f.oracle->distance[n] != ORACLE_NONE && f.oracle->distance[n] > f.oracle->distance[to])
            to = n;
    CHECK_OK(cairn_navigator_start(navigator, from, to));
    uint64_t walked = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        cairn_move move;
        cairn_status status = cairn_navigator_next(navigator, &move);
        if (move.from != move.to) walked += oracle_edge(f.oracle, move.from, move.to);
        if (move.to == to || (status != CAIRN_OK && status != CAIRN_RUNNING)) break;
    }
    assert_int_equal(walked, f.oracle->distance[to]);
    cairn_navigator_destroy(navigator);
    cairn_search_destroy(k.search);
    cairn_planner_destroy(k.planner);
    close_world(&f);
}

/* ---- identity and files ----------------------------------------------------------------- */

static void the_hash_sees_what_paths_depend_on(void **state)
{
    fixture a = open_world(*state, &hills), b = open_world(*state, &hills);
    assert_true(cairn_space_hash(a.space) == cairn_space_hash(b.space));
    b.world->polygons[3].centre.z = 17;
    assert_true(cairn_space_hash(a.space) != cairn_space_hash(b.space));
    b.world->polygons[3].centre.z = a.world->polygons[3].centre.z;
    b.world->edges[7].weight++;
    assert_true(cairn_space_hash(a.space) != cairn_space_hash(b.space));
    b.world->edges[7].weight--;
    assert_true(cairn_space_hash(a.space) == cairn_space_hash(b.space));
    close_world(&a);
    close_world(&b);
}

static void the_space_saves_itself(void **state)
{
    fixture f = open_world(*state, &hills);
    cairn_store *store;
    size_t size;
    CHECK_OK(cairn_store_create(*state, &store));
    CHECK_OK(cairn_store_space(store, f.space));
    CHECK_STATUS(cairn_store_space(store, f.space), CAIRN_INVALID); /* each name once */
    bytes file = bytes_of(store);
    cairn_archive *archive = opened(*state, &file);
    assert_non_null(cairn_archive_section(archive, "polygons", 4, &size));
    assert_int_equal(size, f.world->edge_count * sizeof *f.world->edges);
    cairn_archive_close(archive);
    bytes_free(&file);
    cairn_store_destroy(store);
    close_world(&f);
}

static void an_index_fits_the_world_it_was_built_for(void **state)
{
    fixture a = open_world(*state, &hills), b = open_world(*state, &hills);
    cairn_planner *planner, *other;
    CHECK_OK(planner_ready(a.space, "alt", &planner, NULL));
    bytes file = saved(planner);
    cairn_archive *archive = opened(*state, &file);
    CHECK_OK(cairn_planner_create(b.space, "alt", &other, NULL));
    CHECK_OK(cairn_planner_load(other, archive, false, NULL));
    polygon_world_block(b.world, 11, !b.world->polygons[11].blocked);
    CHECK_STATUS(cairn_planner_load(other, archive, false, NULL), CAIRN_STALE);
    cairn_archive_close(archive);
    bytes_free(&file);
    cairn_planner_destroy(other);
    cairn_planner_destroy(planner);
    close_world(&a);
    close_world(&b);
}

static void pictures_draw_it_as_a_graph(void **state)
{
    fixture f = open_world(*state, &hills);
    kit k = {.space = f.space};
    const cairn_path *path;
    cairn_file file;
    cairn_recording *recording;
    scene_rng rng = {21};
    kit_plan(&k, "astar");
    CHECK_OK(cairn_recording_create(f.space, &recording));
    cairn_query query = {.from = any_usable(&f, &rng), .to = any_usable(&f, &rng)};
    cairn_search_find(k.search, &query, &path);
    cairn_picture picture = {.space = f.space, .recording = recording, .path = path};
    picture.from = query.from, picture.to = query.to;
    CHECK_OK(cairn_picture_svg(&picture, &file, NULL));
    assert_true(file.size > 1000);
    cairn_file_free(*state, &file);
    cairn_error error = {0};
    CHECK_STATUS(cairn_picture_png(&picture, &file, &error), CAIRN_UNSUPPORTED);
    assert_true(error.text[0]);
    cairn_recording_destroy(recording);
    cairn_search_destroy(k.search);
    cairn_planner_destroy(k.planner);
    close_world(&f);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, context_set_up, context_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_world_is_sound),
        CASE(it_can_be_walked_backwards),
        CASE(every_algorithm_finds_its_way_or_refuses),
        CASE(also_where_some_steps_only_lead_down),
        CASE(a_changed_world_makes_indexes_stale),
        CASE(ends_may_be_positions),
        CASE(a_position_outside_or_blocked_is_answered_as_its_node_is),
        CASE(nodes_next_to_and_within_are_those_of_the_space),
        CASE(questions_about_the_space_are_answered),
        CASE(the_nearest_usable_polygon_is_found),
        CASE(what_is_for_grids_says_so),
        CASE(paths_are_smoothed_as_on_graphs),
        CASE(an_agent_walks_there),
        CASE(the_hash_sees_what_paths_depend_on),
        CASE(the_space_saves_itself),
        CASE(an_index_fits_the_world_it_was_built_for),
        CASE(pictures_draw_it_as_a_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
