/* test_callbacks.c: worlds that functions describe (callbacks.h). A field of cells is answered by
 * functions that know nothing of grids, and the oracle, which reads the cells, says what is right.
 */
#include "edge_sets.h"
#include "kit.h"
#include "oracle.h"

#include <math.h>

enum { STRAIGHT = 5741, DIAGONAL = 8119 };

/* What the functions answer from. */
typedef struct field {
    scene *scene;
    bool one_way;     /* no step leads to the left */
    uint32_t asked;   /* how often for neighbours */
    uint32_t trouble; /* which kind of nonsense is written besides */
} field;

static bool field_open(const field *f, int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && x < (int32_t)f->scene->width && y < (int32_t)f->scene->height &&
           f->scene->open[y * (int32_t)f->scene->width + x];
}

static uint32_t field_trouble(const field *f, cairn_node node, cairn_edge *out, uint32_t count)
{
    uint32_t nodes = f->scene->width * f->scene->height;
    switch (f->trouble) {
    case 1: out[count++] = (cairn_edge){nodes, STRAIGHT}; break;
    case 2: out[count++] = (cairn_edge){CAIRN_NO_NODE, STRAIGHT}; break;
    case 3: out[count++] = (cairn_edge){node, STRAIGHT}; break;
    case 4: out[count++] = (cairn_edge){(node + 7) % nodes, 0}; break;
    case 5: out[count++] = (cairn_edge){(node + 7) % nodes, CAIRN_NO_COST}; break;
    case 6: return 1000000; /* more than there is room for */
    default: break;
    }
    return count;
}

/* Eight neighbours, no corner is cut. */
static uint32_t field_neighbours(void *user, cairn_node node, cairn_edge *out)
{
    field *f = user;
    int32_t width = (int32_t)f->scene->width, x = (int32_t)node % width, y = (int32_t)node / width;
    uint32_t count = 0;
    f->asked++;
    CHECK(node < f->scene->width * f->scene->height, "there is no node %u", node);
    for (int32_t i = 0; i < 9; i++) {
        int32_t dx = i % 3 - 1, dy = i / 3 - 1;
        if ((!dx && !dy) || (f->one_way && dx < 0)) continue;
        if (!field_open(f, x + dx, y + dy) || !field_open(f, x + dx, y) ||
            !field_open(f, x, y + dy))
            continue;
        cairn_cost cost = dx && dy ? DIAGONAL : STRAIGHT;
        out[count++] = (cairn_edge){(cairn_node)((y + dy) * width + x + dx), cost};
    }
    if (f->trouble == 6)
        while (count < 9) out[count++] = (cairn_edge){node, 1};
    return field_trouble(f, node, out, count);
}

/* The same without costs, which come from another function. */
static uint32_t field_nodes(void *user, cairn_node node, cairn_edge *out)
{
    uint32_t count = field_neighbours(user, node, out);
    for (uint32_t i = 0; i < count; i++) out[i].cost = 12345678;
    return count;
}

static cairn_cost field_cost(void *user, cairn_node from, cairn_node to)
{
    uint32_t width = ((field *)user)->scene->width;
    return from % width != to % width && from / width != to / width ? DIAGONAL : STRAIGHT;
}

static bool field_usable(void *user, cairn_node node)
{
    return ((field *)user)->scene->open[node];
}

static cairn_position field_position(void *user, cairn_node node)
{
    uint32_t width = ((field *)user)->scene->width;
    return (cairn_position){node % width + 0.5, node / width + 0.5, 0};
}

static cairn_node field_node_at(void *user, cairn_position at)
{
    const scene *s = ((field *)user)->scene;
    bool inside = at.x >= 0 && at.y >= 0 && at.x < s->width && at.y < s->height;
    return inside ? (cairn_node)at.y * s->width + (cairn_node)at.x : CAIRN_NO_NODE;
}

static cairn_callbacks field_world(field *f)
{
    return (cairn_callbacks){.node_count = f->scene->width * f->scene->height,
                             .neighbours = field_neighbours,
                             .usable = field_usable,
                             .user = f,
                             .max_degree = 9,
                             .min_cost = STRAIGHT,
                             .max_cost = DIAGONAL,
                             .unit = STRAIGHT};
}

static void field_place(cairn_callbacks *world)
{
    world->position = field_position;
    world->node_at = field_node_at;
    world->estimate = STRAIGHT;
    world->metric = CAIRN_HEURISTIC_EUCLIDEAN;
}

static cairn_space *space_of(cairn_context *context, const cairn_callbacks *world)
{
    cairn_space *space = NULL;
    cairn_error error = {0};
    cairn_status status = cairn_space_of_callbacks(context, world, &space, &error);
    CHECK(status == CAIRN_OK, "%s", error.text);
    return space;
}

static oracle *oracle_of_field(field *f)
{
    uint32_t nodes = f->scene->width * f->scene->height, count = 0;
    cairn_graph_edge *edges = calloc(nodes * 8u, sizeof *edges);
    cairn_edge out[16];
    field plain = {.scene = f->scene, .one_way = f->one_way};
    for (cairn_node node = 0; node < nodes; node++) {
        uint32_t degree = f->scene->open[node] ? field_neighbours(&plain, node, out) : 0;
        for (uint32_t i = 0; i < degree; i++)
            edges[count++] = (cairn_graph_edge){node, out[i].node, out[i].cost};
    }
    oracle *o = oracle_of_edges(nodes, edges, count, false);
    for (cairn_node node = 0; node < nodes; node++) o->usable[node] = f->scene->open[node];
    free(edges);
    return o;
}

/* ---- answers ---------------------------------------------------------------------------- */

static void check_path(const oracle *o, const cairn_path *path, const char *name)
{
    uint64_t cost = 0;
    for (uint32_t i = 1; i < path->count; i++) {
        uint64_t step = oracle_edge(o, path->nodes[i - 1], path->nodes[i]);
        CHECK(step != ORACLE_NONE, "%s: no step from %u to %u", name, path->nodes[i - 1],
              path->nodes[i]);
        cost += step;
    }
    CHECK(cost == path->cost, "%s: %u is not the sum of its steps", name, path->cost);
    CHECK(fabs(path->length - (double)cost / STRAIGHT) < 1e-9, "%s: length", name);
}

static void check_answers(cairn_space *space, field *f, const char *spec)
{
    kit k = {.space = space};
    oracle *o = oracle_of_field(f);
    scene_rng rng = {42};
    kit_plan(&k, spec);
    for (uint32_t i = 0; i < 40; i++) {
        const cairn_path *path;
        cairn_query query = {.from = scene_pick(f->scene, &rng), .to = scene_pick(f->scene, &rng)};
        oracle_search(o, query.from);
        uint64_t best = o->distance[query.to];
        cairn_status status = cairn_search_find(k.search, &query, &path);
        if (gave_up(cairn_planner_algorithm(k.planner), status)) continue;
        CHECK(status == (best == ORACLE_NONE ? CAIRN_UNREACHABLE : CAIRN_FOUND), "%s: %u to %u: %s",
              spec, query.from, query.to, cairn_status_text(status));
        if (status != CAIRN_FOUND) continue;
        check_path(o, path, spec);
        CHECK(path->nodes[0] == query.from && path->end == query.to, "%s: other ends", spec);
        CHECK(cairn_path_valid(space, path, NULL, NULL, NULL), "%s: called invalid", spec);
        CHECK(!cairn_planner_optimal(k.planner) || path->cost == best,
              "%s: %u to %u costs %u, not %llu", spec, query.from, query.to, path->cost,
              (unsigned long long)best);
    }
    oracle_destroy(o);
    cairn_search_destroy(k.search);
    cairn_planner_destroy(k.planner);
}

static void check_every_algorithm(cairn_space *space, field *f)
{
    uint32_t run = 0, refused = 0;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        bool claims = a->worlds >> CAIRN_WORLD_CALLBACKS & 1;
        /* agents that are optimal at every step, or whose paths become so, and those that search from
         * the goal must know which edges lead to a node: functions do not; and climbs look at edges
         * one by one */
        bool optimal_agent = a->kind == CAIRN_KIND_NAVIGATOR && a->flags & CAIRN_OPTIMAL,
             listed = optimal_agent || (a->flags & CAIRN_ANYTIME) ||
                      strcmp(a->name, "rtdstar") == 0 || strcmp(a->name, "hcdps") == 0;
        bool graphs = a->worlds >> CAIRN_WORLD_GRAPH & 1;
        CHECK(claims == (graphs && !listed), "%s: graphs, but not this", a->name);
        run += claims;
        refused += !claims;
        if (claims) {
            check_answers(space, f, a->name);
            continue;
        }
        cairn_planner *planner = NULL;
        cairn_error error = {0};
        CHECK_STATUS(cairn_planner_create(space, a->name, &planner, &error), CAIRN_UNSUPPORTED);
        CHECK(strstr(error.text, "callbacks"), "%s: \"%s\"", a->name, error.text);
    }
    assert_true(run >= 8 && refused > 0);
}

static void every_general_algorithm_searches_a_world_of_functions(void **state)
{
    field f = {.scene = scene_noise("field", 36, 28, 25, 3)};
    cairn_callbacks world = field_world(&f);
    cairn_space *space = space_of(*state, &world);
    assert_int_equal(cairn_space_world(space), CAIRN_WORLD_CALLBACKS);
    assert_false(cairn_space_has_positions(space));
    check_every_algorithm(space, &f);
    cairn_space_destroy(space);
    scene_destroy(f.scene);
}

static void also_with_positions_estimates_and_steps_both_ways(void **state)
{
    field f = {.scene = scene_rooms("field", 36, 28, 7, 5)};
    cairn_callbacks world = field_world(&f);
    field_place(&world);
    world.symmetric = true;
    world.neighbours = field_nodes;
    world.cost = field_cost;
    cairn_space *space = space_of(*state, &world);
    assert_int_equal(cairn_space_validate(space, NULL, NULL), 0);
    check_every_algorithm(space, &f);
    cairn_space_destroy(space);
    scene_destroy(f.scene);
}

static void also_where_steps_lead_one_way(void **state)
{
    field f = {.scene = scene_noise("field", 24, 20, 20, 8), .one_way = true};
    cairn_callbacks world = field_world(&f);
    cairn_space *space = space_of(*state, &world);
    edge_set_check_back("back", space, 3);
    check_every_algorithm(space, &f);
    cairn_space_destroy(space);
    scene_destroy(f.scene);
}

/* Positions and a true estimate spare expansions: so they are used. */
static void estimates_guide_the_search(void **state)
{
    field f = {.scene = scene_blank("field", 60, 60)};
    cairn_callbacks world = field_world(&f);
    uint64_t expanded[2];
    for (int placed = 0; placed < 2; placed++) {
        if (placed) field_place(&world);
        kit k = {.space = space_of(*state, &world)};
        kit_plan(&k, "astar");
        cairn_query query = {.from = 30 * 60 + 20, .to = 30 * 60 + 40};
        CHECK_STATUS(cairn_search_find(k.search, &query, NULL), CAIRN_FOUND);
        expanded[placed] = cairn_search_metrics(k.search).expanded;
        cairn_search_destroy(k.search);
        cairn_planner_destroy(k.planner);
        cairn_space_destroy(k.space);
    }
    assert_true(expanded[1] * 10 < expanded[0]);
    scene_destroy(f.scene);
}

/* ---- other questions --------------------------------------------------------------------- */

static void positions_goals_and_reachability_are_answered(void **state)
{
    field f = {.scene = scene_of_text("field", "....#..\n....#..\n....#..\n")};
    cairn_callbacks world = field_world(&f);
    field_place(&world);
    kit k = {.space = space_of(*state, &world)};
    kit_plan(&k, "dijkstra");
    cairn_query query = {.by_position = CAIRN_FROM_POSITION | CAIRN_TO_POSITION,
                         .from_position = {0.2, 0.3, 0},
                         .to_position = {3.9, 2.9, 0}};
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    assert_int_equal(path->end, 2 * 7 + 3);
    query.to_position.x = 100;
    CHECK_STATUS(cairn_search_find(k.search, &query, NULL), CAIRN_OUT_OF_BOUNDS);
    query = (cairn_query){.from = 0, .to = 4, .goal_kind = CAIRN_GOAL_WITHIN, .radius = 1};
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    assert_int_equal(path->end, 3);
    query = (cairn_query){.from = 0, .to = 6};
    CHECK_STATUS(cairn_search_find(k.search, &query, NULL), CAIRN_UNREACHABLE);
    assert_int_equal(cairn_reachable(k.space, 0, 6), CAIRN_REACH_MAYBE);
    assert_int_equal(cairn_reachable(k.space, 0, 4), CAIRN_REACH_NO);
    uint32_t count = 0, largest = 0;
    CHECK_OK(cairn_space_components(k.space, &count, &largest));
    assert_true(count == 1 && largest == 18);
    query = (cairn_query){.from = 0, .goal_kind = CAIRN_GOAL_NONE};
    CHECK_OK(cairn_search_find(k.search, &query, NULL));
    assert_int_equal(cairn_search_cost_to(k.search, 3), 3 * STRAIGHT);
    assert_int_equal(cairn_search_cost_to(k.search, 6), CAIRN_NO_COST);
    assert_int_equal(cairn_space_node_at(k.space, (cairn_position){2.5, 1.5, 0}), 9);
    kit_close(&k);
    scene_destroy(f.scene);
}

static void without_a_function_the_nearest_node_is_looked_for(void **state)
{
    field f = {.scene = scene_blank("field", 5, 4)};
    cairn_callbacks world = field_world(&f);
    world.position = field_position;
    cairn_space *space = space_of(*state, &world);
    assert_int_equal(cairn_space_node_at(space, (cairn_position){-10, 1.2, 0}), 5);
    assert_int_equal(cairn_space_node_at(space, (cairn_position){(double)NAN, 0, 0}),
                     CAIRN_NO_NODE);
    cairn_space_destroy(space);
    scene_destroy(f.scene);
}

/* ---- changes and nonsense ---------------------------------------------------------------- */

static void a_change_that_is_told_makes_searches_and_indexes_stale(void **state)
{
    field f = {.scene = scene_blank("field", 12, 9)};
    cairn_callbacks world = field_world(&f);
    kit k = {.space = space_of(*state, &world)};
    cairn_planner *index;
    CHECK_OK(planner_ready(k.space, "alt", &index, NULL));
    kit_plan(&k, "dijkstra");
    cairn_query query = {.from = 0, .to = 11};
    CHECK_STATUS(cairn_search_begin(k.search, &query), CAIRN_RUNNING);
    for (uint32_t y = 0; y < 8; y++) f.scene->open[y * 12 + 5] = 0;
    uint64_t version = cairn_space_version(k.space);
    CHECK_OK(cairn_callbacks_changed(k.space));
    assert_true(cairn_space_version(k.space) > version);
    CHECK_STATUS(cairn_search_step(k.search, 100000), CAIRN_STALE);
    CHECK_STATUS(cairn_planner_state(index), CAIRN_STALE);
    CHECK_OK(cairn_planner_sync(index, NULL, NULL));
    cairn_planner_destroy(index);
    check_answers(k.space, &f, "alt");
    kit_close(&k);
    scene_destroy(f.scene);
}

/* What is no edge is left out: the answers stay right, and nothing is read that is not there. */
static void nonsense_is_left_out(void **state)
{
    for (uint32_t trouble = 1; trouble <= 6; trouble++) {
        field f = {.scene = scene_noise("field", 20, 16, 20, trouble), .trouble = trouble};
        cairn_callbacks world = field_world(&f);
        world.usable = NULL; /* neighbours are usable anyway */
        cairn_space *space = space_of(*state, &world);
        check_answers(space, &f, "astar");
        check_answers(space, &f, "dijkstra");
        cairn_space_destroy(space);
        scene_destroy(f.scene);
    }
}

static void count_fault(void *user, cairn_node from, cairn_node to, const char *text)
{
    (void)from, (void)to;
    assert_non_null(strstr(text, "step"));
    ++*(uint32_t *)user;
}

static void untrue_promises_are_found(void **state)
{
    field f = {.scene = scene_blank("field", 6, 5)};
    cairn_callbacks world = field_world(&f);
    field_place(&world);
    world.estimate = STRAIGHT + 2;
    cairn_space *space = space_of(*state, &world);
    uint32_t told = 0;
    /* Every straight step is too cheap for this estimate; diagonal ones are 1.4142 long. */
    assert_true(cairn_space_validate(space, count_fault, &told) >= 2 * (5 * 5 + 6 * 4));
    assert_true(told >= 2 * (5 * 5 + 6 * 4));
    cairn_space_destroy(space);
    world = field_world(&f);
    world.symmetric = f.one_way = true;
    space = space_of(*state, &world);
    assert_true(cairn_space_validate(space, NULL, NULL) > 0);
    cairn_space_destroy(space);
    scene_destroy(f.scene);
}

static void worlds_that_make_no_sense_are_refused(void **state)
{
    field f = {.scene = scene_blank("field", 6, 5)};
    const cairn_callbacks good = field_world(&f);
    cairn_space *space;
    for (uint32_t i = 0; i < 9; i++) {
        cairn_callbacks world = good;
        cairn_error error = {0};
        if (i == 0) world.node_count = 0;
        if (i == 1) world.neighbours = NULL;
        if (i == 2) world.max_degree = CAIRN_CALLBACKS_DEGREE + 1;
        if (i == 3) world.min_cost = world.max_cost + 1;
        if (i == 4) world.estimate = 1;
        if (i == 5) world.estimate = -1;
        if (i == 6) world.estimate = (double)NAN;
        if (i == 7) world.metric = CAIRN_HEURISTIC_HEX;
        if (i == 8) world.max_cost = CAIRN_NO_COST;
        CHECK_STATUS(cairn_space_of_callbacks(*state, &world, &space, &error), CAIRN_INVALID);
        assert_true(error.text[0] && !space);
    }
    CHECK_STATUS(cairn_space_of_callbacks(NULL, &good, &space, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_space_of_callbacks(*state, NULL, &space, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_space_of_callbacks(*state, &good, NULL, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_callbacks_changed(NULL), CAIRN_INVALID);
    kit k = kit_of_scene(f.scene, NULL);
    CHECK_STATUS(cairn_callbacks_changed(k.space), CAIRN_INVALID);
    kit_end(&k, f.scene);
}

static void the_least_is_a_function_for_neighbours(void **state)
{
    field f = {.scene = scene_blank("field", 6, 5)};
    cairn_callbacks world = {.node_count = 30, .neighbours = field_neighbours, .user = &f};
    cairn_space *space = space_of(*state, &world);
    cairn_edge edges[16];
    assert_int_equal(cairn_space_expand(space, 7, 0, edges, 16), 8);
    assert_int_equal(cairn_space_expand(space, 7, 6, edges, 16), 2);
    assert_int_equal(cairn_space_expand(space, 7, 8, edges, 16), 0);
    assert_int_equal(cairn_space_expand(space, 7, 1, edges, 3), 3);
    assert_int_equal(cairn_space_bytes(space) > 0, 1);
    cairn_store *store;
    CHECK_OK(cairn_store_create(*state, &store));
    CHECK_STATUS(cairn_store_space(store, space), CAIRN_UNSUPPORTED);
    cairn_store_destroy(store);
    cairn_space_destroy(space);
    scene_destroy(f.scene);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, context_set_up, context_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(every_general_algorithm_searches_a_world_of_functions),
        CASE(also_with_positions_estimates_and_steps_both_ways),
        CASE(also_where_steps_lead_one_way),
        CASE(estimates_guide_the_search),
        CASE(positions_goals_and_reachability_are_answered),
        CASE(without_a_function_the_nearest_node_is_looked_for),
        CASE(a_change_that_is_told_makes_searches_and_indexes_stale),
        CASE(nonsense_is_left_out),
        CASE(untrue_promises_are_found),
        CASE(worlds_that_make_no_sense_are_refused),
        CASE(the_least_is_a_function_for_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
