/* test_astar_turns.c: A* with turns=fewest: the path is a cheapest one, and no cheapest path has fewer turns. Both are
 * compared with a plain label correcting search over cells and directions, on small maps of all
 * kinds.
 */
#include "kit.h"
#include "path/line.h"

enum { NONE = 9, DIRECTIONS }; /* 3 (dx + 1) + dy + 1; NONE: at the start, and after a link */

/* Cost in the upper half, turns in the lower one. */
typedef struct answer_book {
    uint64_t *best; /* by cell and direction */
    const oracle *o;
    const cairn_grid *grid;
} answer_book;

static uint32_t direction(const cairn_grid *grid, cairn_node a, cairn_node b)
{
    cairn_cell from = crn_line_point(grid, a), to = crn_line_point(grid, b);
    return (uint32_t)(3 * (to.x - from.x + 1) + to.y - from.y + 1);
}

/* Relaxes all edges until nothing changes. */
static void fill(answer_book *book, cairn_node from)
{
    const oracle *o = book->o;
    for (uint32_t i = 0; i < o->count * DIRECTIONS; i++) book->best[i] = ORACLE_NONE;
    book->best[from * DIRECTIONS + NONE] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t s = 0; s < o->count * DIRECTIONS; s++) {
            cairn_node node = s / DIRECTIONS;
            uint32_t before = s % DIRECTIONS;
            if (book->best[s] == ORACLE_NONE) continue;
            for (uint32_t e = o->first[node]; e < o->first[node + 1]; e++) {
                bool link = o->link[e];
                uint32_t d = link ? (uint32_t)NONE : direction(book->grid, node, o->to[e]);
                uint64_t turn = before != NONE && d != NONE && d != before;
                uint64_t cost = book->best[s] + (o->cost[e] << 32) + turn;
                uint64_t *known = &book->best[o->to[e] * DIRECTIONS + d];
                if (cost >= *known) continue;
                *known = cost;
                changed = true;
            }
        }
    }
}

static uint64_t best_to(const answer_book *book, const cairn_node *goals, uint32_t count)
{
    uint64_t best = ORACLE_NONE;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t d = 0; d < DIRECTIONS; d++) {
            uint64_t cost = book->best[goals[i] * DIRECTIONS + d];
            if (cost < best) best = cost;
        }
    }
    return best;
}

static bool is_link(const cairn_path *path, uint32_t segment)
{
    for (uint32_t i = 0; i < path->link_count; i++)
        if (path->links[i].at == segment) return true;
    return false;
}

static uint32_t turns_of(const cairn_path *path)
{
    uint32_t turns = 0;
    for (uint32_t i = 1; i + 1 < path->count; i++)
        turns += !is_link(path, i - 1) && !is_link(path, i);
    return turns;
}

/* Compares queries on a scene; `gained` counts turns that A* has more. */
static void compare(scene *s, cairn_profile profile, uint32_t seed, uint32_t *gained)
{
    kit k = kit_of_scene(s, &profile), plain = k;
    plain.planner = NULL, plain.search = NULL;
    kit_plan(&plain, "astar");
    kit_plan(&k, "astar:turns=fewest");
    oracle_grid raw = scene_raw(s);
    oracle *o = oracle_of_grid(&raw, &profile, cairn_space_scale(k.space));
    answer_book book = {calloc((size_t)o->count * DIRECTIONS, 8), o, k.grid};
    if (!book.best) abort();
    scene_rng rng = {seed};
    for (uint32_t i = 0; i < 6; i++) {
        cairn_node from = scene_pick(s, &rng), goals[3];
        uint32_t count = 1 + i % 3;
        for (uint32_t g = 0; g < count; g++) goals[g] = scene_pick(s, &rng);
        if (!cairn_space_usable(k.space, from)) continue;
        cairn_query query = {.from = from, .goals = goals, .goal_count = count};
        const cairn_path *path;
        fill(&book, from);
        uint64_t best = best_to(&book, goals, count);
        cairn_status status = cairn_search_find(k.search, &query, &path);
        CHECK((status == CAIRN_FOUND) == (best != ORACLE_NONE), "%s %u: %s", s->name, seed,
              cairn_status_text(status));
        if (status != CAIRN_FOUND) continue;
        CHECK(path->cost == best >> 32, "%s %u: costs %u, not %u", s->name, seed, path->cost,
              (unsigned)(best >> 32));
        CHECK(turns_of(path) == (uint32_t)best, "%s %u, from %u: %u turns, not %u", s->name, seed,
              from, turns_of(path), (unsigned)(uint32_t)best);
        CHECK(cairn_path_valid(k.space, path, NULL, NULL, NULL), "%s %u: no path", s->name, seed);
        answer sliced = answer_sliced(k.search, &query, 1);
        CHECK(turns_of(&sliced.path) == (uint32_t)best, "%s %u: slices turn more", s->name, seed);
        answer_free(&sliced);
        CHECK_STATUS(cairn_search_find(plain.search, &query, &path), CAIRN_FOUND);
        *gained += turns_of(path) - (uint32_t)best;
    }
    cairn_search_destroy(plain.search);
    cairn_planner_destroy(plain.planner);
    free(book.best);
    oracle_destroy(o);
    kit_close(&k);
}

static void no_cheapest_path_has_fewer_turns(void **state)
{
    (void)state;
    uint32_t gained = 0;
    for (uint32_t seed = 1; seed <= test_times(24, 6); seed++) {
        for (uint32_t kind = 0; kind < 6; kind++) {
            scene *s = scene_noise("noise", 17, 12, seed % 4 * 10, seed);
            if (kind == 1 || kind == 4) scene_add_terrain(s, seed);
            if (kind == 2) scene_make_hex(s);
            if (kind == 3) scene_add_links(s, 12, 500, 3000, seed % 2, seed);
            if (kind == 4) scene_add_hills(s, seed);
            if (kind == 5) scene_add_cliffs(s, seed);
            cairn_profile profile;
            for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++)
                compare(s, profile, seed, &gained);
            scene_destroy(s);
        }
    }
    CHECK(gained > 100, "A* has only %u turns more: too little was asked", gained);
}

/* A link that costs what the steps do breaks a line into two that may go anywhere. */
static void nothing_turns_at_a_link(void **state)
{
    (void)state;
    scene *s = scene_of_text("two rooms", "....#....\n....#....\n....#....\n....#....\n");
    static cairn_link door = {.from = 3 * 9 + 3, .to = 5, .cost = 256};
    s->links = malloc(sizeof door);
    if (!s->links) abort();
    s->links[0] = door;
    s->link_count = 1;
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "astar:turns=fewest");
    const cairn_path *path;
    cairn_query query = {.from = cairn_grid_node(k.grid, 0, 0),
                         .to = cairn_grid_node(k.grid, 8, 0)};
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    assert_int_equal(path->link_count, 1);
    assert_int_equal(turns_of(path), 0);
    kit_end(&k, s);
}

/* Without a goal there is nothing to choose: it is A*. */
static void without_a_goal_costs_are_those_of_astar(void **state)
{
    (void)state;
    scene *s = scene_named("everything");
    kit k = kit_of_scene(s, &s->profile), plain = kit_of_scene(s, &s->profile);
    kit_plan(&k, "astar:turns=fewest");
    kit_plan(&plain, "astar");
    const cairn_path *path;
    scene_rng rng = {3};
    cairn_query query = {.from = scene_pick(s, &rng), .goal_kind = CAIRN_GOAL_NONE};
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    CHECK_STATUS(cairn_search_find(plain.search, &query, &path), CAIRN_FOUND);
    for (cairn_node i = 0; i < cairn_space_node_count(k.space); i++)
        assert_int_equal(cairn_search_cost_to(k.search, i), cairn_search_cost_to(plain.search, i));
    kit_close(&plain);
    kit_end(&k, s);
}

static cairn_cost no_estimate(void *user, cairn_node node)
{
    (void)user, (void)node;
    return 0;
}

/* What might hide cheapest paths, or has no directions, is refused and not ignored. */
static void queries_that_it_cannot_serve_are_refused(void **state)
{
    (void)state;
    scene *s = scene_named("rooms");
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "astar:turns=fewest");
    assert_ptr_equal(cairn_planner_algorithm(k.planner), cairn_algorithm_find("astar", 5));
    const cairn_path *path;
    scene_rng rng = {5};
    cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
    cairn_filter_cell cell = {.node = 0, .blocked = true};
    cairn_filter filter = {.cells = &cell, .cell_count = 1};
    query.estimate = no_estimate;
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_UNSUPPORTED);
    query.estimate = NULL, query.filter = &filter;
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_UNSUPPORTED);
    query.filter = NULL;
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    assert_ptr_equal(path->answered_by, cairn_planner_algorithm(k.planner));
    cairn_planner *planner;
    cairn_error error = {0};
    assert_int_equal(
        cairn_planner_create(k.space, "astar:turns=fewest,open=heap", &planner, &error),
        CAIRN_UNSUPPORTED);
    assert_non_null(strstr(error.text, "open"));
    kit_end(&k, s);
}

/* Graphs have no directions: the planner is refused, with the reason. */
static void without_a_grid_it_is_refused(void **state)
{
    (void)state;
    static const cairn_graph_edge edges[] = {{0, 1, 5}};
    kit k = kit_of_edges(2, edges, LENGTH(edges));
    cairn_error error = {0};
    assert_int_equal(cairn_planner_create(k.space, "astar:turns=fewest", &k.planner, &error),
                     CAIRN_UNSUPPORTED);
    assert_true(strlen(error.text) > 10);
    kit_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_cheapest_path_has_fewer_turns),
        cmocka_unit_test(nothing_turns_at_a_link),
        cmocka_unit_test(without_a_goal_costs_are_those_of_astar),
        cmocka_unit_test(queries_that_it_cannot_serve_are_refused),
        cmocka_unit_test(without_a_grid_it_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
