/* test_tbastar.c: TBA*: what a turn may cost, where the agent goes meanwhile, and that it cannot be
 * trapped; what conformance does not ask of every algorithm.
 *
 * What a turn costs is counted here, whatever the agent says of it: expansions are events of its
 * trace, and each step back from a node to the one before it asks the search for that node
 * (crn_best_first_before, which the linker leads through this file).
 */
#include "kit.h"

#include "search/best_first.h"
#include <cairn/io.h>

/* What was done since the last turn began. */
typedef struct effort {
    uint64_t expanded, traced;
} effort;

static effort spent;

cairn_node __real_crn_best_first_before(const cairn_search *search, cairn_node node);
cairn_node __wrap_crn_best_first_before(const cairn_search *search, cairn_node node);
cairn_node __wrap_crn_best_first_before(const cairn_search *search, cairn_node node)
{
    spent.traced++;
    return __real_crn_best_first_before(search, node);
}

static void count_event(void *user, const cairn_event *event)
{
    effort *e = user;
    e->expanded += event->kind == CAIRN_EVENT_EXPAND;
}

typedef struct stroll {
    cairn_walk_sums sums;
    uint64_t waits, backs; /* turns without a step; steps to where it was before the last one */
} stroll;

/* Walks to the goal; every turn is asked how much it took. */
static stroll walk(kit *k, const char *spec, cairn_node from, cairn_node to, uint64_t slice)
{
    cairn_navigator *navigator;
    cairn_move m = {0};
    cairn_node before = CAIRN_NO_NODE;
    stroll s = {0};
    kit_plan(k, spec);
    CHECK_OK(cairn_navigator_create(k->planner, NULL, &navigator));
    CHECK_OK(cairn_navigator_start(navigator, from, to));
    for (uint32_t turn = 0; !m.arrived; turn++) {
        CHECK(turn < 1000000, "%s: from %u to %u without end", spec, from, to);
        cairn_navigator_next(navigator, &m);
        CHECK(m.kind == CAIRN_MOVE_STEP || m.kind == CAIRN_MOVE_THINK, "%s: %s", spec,
              cairn_status_text(m.status));
        CHECK(m.work <= slice && m.expanded <= slice, "%s: %u units in a turn", spec,
              (unsigned)m.work);
        s.waits += m.kind == CAIRN_MOVE_THINK;
        s.backs += m.kind == CAIRN_MOVE_STEP && m.to == before;
        if (m.kind == CAIRN_MOVE_STEP) before = m.from;
    }
    s.sums = cairn_navigator_sums(navigator);
    cairn_navigator_destroy(navigator);
    return s;
}

static cairn_cost best(kit *k, cairn_node from, cairn_node to)
{
    const cairn_path *path;
    kit_plan(k, "astar");
    CHECK_STATUS(cairn_search_find(k->search, &(cairn_query){.from = from, .to = to}, &path),
                 CAIRN_FOUND);
    return path->cost;
}

/* A hollow that opens towards the start: everything promising leads into it. */
static scene *hollow(void)
{
    scene *s = scene_blank("hollow", 60, 41);
    for (uint32_t y = 5; y < 36; y++) s->open[y * 60 + 50] = 0;
    for (uint32_t x = 15; x < 50; x++) s->open[5 * 60 + x] = s->open[35 * 60 + x] = 0;
    return s;
}

/* ---- what a turn costs ---- */

/* Sums, and the largest cost of a turn in steps traced back, by the ratio. */
typedef struct turns {
    uint64_t count, expanded, traced, most;
} turns;

/* Walks to the goal. No turn expands and traces back more than its slice has units for. */
static turns count_turns(kit *k, const char *spec, const cairn_node ends[2])
{
    cairn_navigator *navigator;
    cairn_trace_sink sink = {.event = count_event, .user = &spent};
    cairn_move m = {0};
    turns t = {0};
    kit_plan(k, spec);
    uint64_t slice = crn_parameter_of(k->planner, "slice"),
             ratio = crn_parameter_of(k->planner, "ratio");
    CHECK_OK(cairn_navigator_create(k->planner, NULL, &navigator));
    cairn_navigator_trace(navigator, &sink);
    CHECK_OK(cairn_navigator_start(navigator, ends[0], ends[1]));
    for (; !m.arrived; t.count++) {
        spent = (effort){0};
        cairn_navigator_next(navigator, &m);
        CHECK(m.kind == CAIRN_MOVE_STEP || m.kind == CAIRN_MOVE_THINK, "%s: %s", spec,
              cairn_status_text(m.status));
        uint64_t cost = ratio * spent.expanded + spent.traced;
        CHECK(cost <= ratio * slice, "%s: from %u to %u, turn %u: %u expanded, %u traced back",
              spec, ends[0], ends[1], (unsigned)t.count, (unsigned)spent.expanded,
              (unsigned)spent.traced);
        CHECK(m.expanded == spent.expanded, "%s: it says %u expanded, not %u", spec,
              (unsigned)m.expanded, (unsigned)spent.expanded);
        t.expanded += spent.expanded;
        t.traced += spent.traced;
        t.most = cost > t.most ? cost : t.most;
    }
    cairn_navigator_destroy(navigator);
    return t;
}

/* Between cells drawn by lot. */
static void count_on_map(const char *name, const char *spec, turns *sums)
{
    char file[512];
    kit k = {0};
    scene_rng rng = {3};
    snprintf(file, sizeof file, "%s/maps/%s", CAIRN_SOURCE_DIR, name);
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_grid_load(k.context, file, &k.grid, NULL));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    uint32_t count = cairn_space_node_count(k.space);
    for (uint32_t i = 0; i < 4;) {
        cairn_node ends[2] = {scene_random(&rng, count), scene_random(&rng, count)};
        if (cairn_reachable(k.space, ends[0], ends[1]) != CAIRN_REACH_YES) continue;
        turns t = count_turns(&k, spec, ends);
        sums->expanded += t.expanded, sums->traced += t.traced, sums->count += t.count;
        sums->most = t.most > sums->most ? t.most : sums->most;
        i++;
    }
    kit_close(&k);
}

/* Expansions and a tenth of the steps traced back, as L counts: never more than the slice. */
static void expansions_and_steps_back_fit_into_the_slice(void **state)
{
    (void)state;
    static const char *const maps[] = {"battlefield.map", "caves.map",      "facility.map",
                                       "maze.map",        "pseudo-rts.map", "random.map",
                                       "rooms.map",       "u-trap.txt",     "spiral.txt"};
    static const char *const specs[] = {"tbastar:slice=5", "tbastar:slice=10", "tbastar:slice=100",
                                        "tbastar:slice=1000",
                                        "tbastar:slice=60,ratio=3,share=40,idle=wait"};
    static const uint64_t most[] = {50, 100, 1000, 10000, 180}; /* slice times ratio */
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        turns sums = {0};
        for (uint32_t n = 0; n < LENGTH(maps); n++) count_on_map(maps[n], specs[i], &sums);
        CHECK(sums.traced > 1000 && sums.expanded > 1000 && sums.most > most[i] * 9 / 10,
              "%s: %u traced back, %u expanded, %u in one turn prove nothing", specs[i],
              (unsigned)sums.traced, (unsigned)sums.expanded, (unsigned)sums.most);
    }
}

static void no_turn_takes_more_than_its_slice(void **state)
{
    (void)state;
    static const char *const specs[] = {"tbastar:slice=2", "tbastar:slice=5,ratio=1",
                                        "tbastar:slice=50,share=10", "tbastar:slice=300"};
    static const uint64_t slices[] = {2, 5, 50, 300};
    scene *s = hollow();
    kit k = kit_of_scene(s, NULL);
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        stroll w = walk(&k, specs[i], 20 * 60 + 20, 20 * 60 + 58, slices[i]);
        CHECK(w.sums.most_work >= slices[i] / 10, "%s: only %u units", specs[i],
              (unsigned)w.sums.most_work);
    }
    kit_end(&k, s);
}

/* The hollow must be left again. With time to think it is never
 * entered. */
static void it_turns_back_out_of_a_hollow(void **state)
{
    (void)state;
    scene *s = hollow();
    kit k = kit_of_scene(s, NULL);
    cairn_node from = 20 * 60 + 20, to = 20 * 60 + 58;
    cairn_cost least = best(&k, from, to);
    stroll hasty = walk(&k, "tbastar:slice=10,ratio=1", from, to, 10);
    stroll patient = walk(&k, "tbastar:slice=10,ratio=1,idle=wait", from, to, 10);
    stroll calm = walk(&k, "tbastar:slice=100000", from, to, 100000);
    CHECK(hasty.backs && hasty.sums.cost > least, "it never entered the hollow");
    CHECK(patient.waits > hasty.waits, "it does not wait");
    CHECK(calm.sums.cost == least && !calm.backs && !calm.waits, "it knew the whole path");
    CHECK(hasty.sums.plans == 1 && patient.sums.plans == 1, "A* began again");
    kit_end(&k, s);
}

/* A pit lies between start and goal, into which a step leads, but none out of it. */
static void a_step_that_cannot_be_walked_back_is_no_trap(void **state)
{
    (void)state;
    scene *s = scene_blank("pit", 40, 21);
    int16_t heights[40 * 21] = {0};
    for (uint32_t y = 4; y < 17; y++)
        for (uint32_t x = 15; x < 30; x++) heights[y * 40 + x] = -3;
    cairn_profile profile = cairn_profile_default();
    profile.max_climb = 1, profile.max_drop = 4;
    kit k = {0};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(scene_grid(s, k.context, &k.grid));
    for (uint32_t n = 0; n < LENGTH(heights); n++)
        CHECK_OK(
            cairn_grid_set_elevation(k.grid, (int32_t)(n % 40), (int32_t)(n / 40), heights[n]));
    CHECK_OK(cairn_grid_commit(k.grid));
    CHECK_OK(cairn_space_of_grid(k.grid, &profile, &k.space, NULL));
    for (uint32_t y = 5; y < 16; y++) {
        cairn_node from = y * 40 + 10, to = y * 40 + 35;
        stroll w = walk(&k, "tbastar:slice=5", from, to, 5);
        CHECK(w.sums.cost >= best(&k, from, to), "too cheap");
    }
    kit_end(&k, s);
}

/* Queries are answered by the walk, step for step. */
static void a_query_is_the_walk(void **state)
{
    (void)state;
    scene *s = hollow();
    kit k = kit_of_scene(s, NULL);
    cairn_node from = 20 * 60 + 20, to = 20 * 60 + 58;
    stroll w = walk(&k, "tbastar:slice=20", from, to, 20);
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(k.search, &(cairn_query){.from = from, .to = to}, &path),
                 CAIRN_FOUND);
    CHECK(path->cost == w.sums.cost && cairn_path_step_count(k.space, path) == w.sums.moves + 1,
          "%u and %u", path->cost, (unsigned)w.sums.cost);
    CHECK(cairn_search_metrics(k.search).expanded == w.sums.expanded, "other work");
    kit_end(&k, s);
}

/* A chamber that a link leads out of, but nothing into: only a search can tell. */
static kit chamber(scene **out)
{
    scene *s = scene_blank("chamber", 40, 21);
    for (uint32_t y = 0; y < 21; y++) s->open[y * 40 + 30] = 0;
    kit k = kit_of_scene(s, NULL);
    cairn_link link = {.from = 10 * 40 + 35, .to = 10 * 40 + 20, .id = 1, .cost = 256};
    CHECK_OK(cairn_grid_add_link(k.grid, &link));
    CHECK_OK(cairn_grid_commit(k.grid));
    *out = s;
    return k;
}

/* Each piece begins where the one before it ended, the one that ends with "unreachable" too. */
static void the_last_piece_towards_what_is_out_of_reach_goes_on(void **state)
{
    (void)state;
    scene *s;
    kit k = chamber(&s);
    cairn_query query = {.from = 10 * 40 + 5, .to = 10 * 40 + 33, .piece = 3, .partial = true};
    const cairn_path *path;
    cairn_node at = query.from;
    uint32_t pieces = 1;
    kit_plan(&k, "tbastar:slice=10");
    cairn_status status = cairn_search_find(k.search, &query, &path);
    for (; status == CAIRN_FOUND; pieces++) {
        CHECK(path->nodes[0] == at && path->partial, "piece %u begins at %u, not %u", pieces,
              path->nodes[0], at);
        at = path->end;
        status = cairn_search_find_next(k.search, &path);
    }
    CHECK_STATUS(status, CAIRN_UNREACHABLE);
    CHECK(pieces > 2 && at != query.from, "%u pieces", pieces);
    CHECK(path->nodes[0] == at && path->partial, "the last begins at %u, not %u", path->nodes[0],
          at);
    CHECK(path->end == 10 * 40 + 29, "it ends at %u", path->end);
    kit_end(&k, s);
}

/* Whoever wants no partial path gets no piece towards a goal that is out of reach. */
static void a_piece_leads_to_a_goal_within_reach(void **state)
{
    (void)state;
    scene *s;
    kit k = chamber(&s);
    cairn_query query = {.from = 10 * 40 + 5, .to = 10 * 40 + 33, .piece = 3};
    const cairn_path *path;
    kit_plan(&k, "tbastar:slice=10");
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_UNREACHABLE);
    CHECK(!path->count, "a path of %u points", (unsigned)path->count);
    query.to = 10 * 40 + 28;
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    CHECK(path->partial && path->end != query.to, "the whole path at once");
    kit_end(&k, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_turn_takes_more_than_its_slice),
        cmocka_unit_test(expansions_and_steps_back_fit_into_the_slice),
        cmocka_unit_test(it_turns_back_out_of_a_hollow),
        cmocka_unit_test(a_step_that_cannot_be_walked_back_is_no_trap),
        cmocka_unit_test(a_query_is_the_walk),
        cmocka_unit_test(the_last_piece_towards_what_is_out_of_reach_goes_on),
        cmocka_unit_test(a_piece_leads_to_a_goal_within_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
