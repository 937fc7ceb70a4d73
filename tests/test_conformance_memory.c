/* test_conformance_memory.c: memory. Every allocation may fail, one at a time or all from some
 * point on; nothing may leak, crash or answer wrongly then. Limits are hard. Once warm, a
 * search asks for nothing.
 */
#include "conformance.h"

/* ---- failure at every point --------------------------------------------------------- */

/* Everything a user does, from the context to the path. Each step stops the story with its
 * status; whatever was made is unmade. */
typedef struct story {
    watched memory;
    const scene *scene;
    const graph_scene *drawn;
    const char *spec;
    known_query query;
    cairn_cost cost; /* of the path found */
} story;

static cairn_status story_world(const story *t, cairn_context *context, cairn_grid **grid,
                                cairn_graph **graph, cairn_space **space)
{
    if (t->drawn) {
        cairn_status status = graph_scene_graph(t->drawn, context, graph);
        return status == CAIRN_OK ? cairn_space_of_graph(*graph, space, NULL) : status;
    }
    cairn_status status = scene_grid(t->scene, context, grid);
    return status == CAIRN_OK ? cairn_space_of_grid(*grid, &t->scene->profile, space, NULL)
                              : status;
}

static cairn_status story_search(story *t, cairn_space *space)
{
    cairn_planner *planner = NULL;
    cairn_search *search = NULL;
    cairn_status status = planner_ready_with(space, t->spec, &planner, NULL);
    if (status == CAIRN_OK) status = cairn_search_create(planner, NULL, &search);
    if (status == CAIRN_OK) {
        cairn_query query = {.from = t->query.from, .to = t->query.to};
        const cairn_path *path = NULL;
        status = cairn_search_find(search, &query, &path);
        CHECK(path && path->status == status, "%s: no view of the result", t->spec);
        t->cost = path->cost;
        CHECK(status == CAIRN_FOUND || path->partial || path->count == 0,
              "%s: a path in spite of it", t->spec);
        if (status == CAIRN_OUT_OF_MEMORY) {
            /* With memory again the same search must work as if nothing had been. */
            t->memory.fail_at = 0;
            CHECK_STATUS(cairn_search_find(search, &query, &path), CAIRN_FOUND);
            t->cost = path->cost;
        }
    }
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    return status;
}

static cairn_status story_tell(story *t)
{
    cairn_context *context = NULL;
    cairn_grid *grid = NULL;
    cairn_graph *graph = NULL;
    cairn_space *space = NULL;
    cairn_status status = watched_context(&t->memory, &context);
    if (status == CAIRN_OK) status = story_world(t, context, &grid, &graph, &space);
    if (status == CAIRN_OK) status = story_search(t, space);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_graph_destroy(graph);
    cairn_context_destroy(context);
    return status;
}

/* How often the world alone asks for memory. */
static uint64_t world_requests(const story *t)
{
    watched memory = {0};
    cairn_context *context = NULL;
    cairn_grid *grid = NULL;
    cairn_graph *graph = NULL;
    cairn_space *space = NULL;
    CHECK_OK(watched_context(&memory, &context));
    CHECK_OK(story_world(t, context, &grid, &graph, &space));
    uint64_t requests = memory.calls;
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_graph_destroy(graph);
    cairn_context_destroy(context);
    return requests;
}

static void tell_with_failures(const subject *s, bool all_later)
{
    story t = {.scene = s->place->scene,
               .drawn = s->place->drawn,
               .spec = s->spec,
               .query = s->place->queries[0]};
    /* Settings differ little in what they ask for: the world does not fail for them again, later
     * failures are sampled. */
    bool sampled = strchr(s->spec, ':');
    uint64_t first = sampled ? world_requests(&t) + 1 : 1;
    for (uint64_t k = first;; k += sampled ? 1 + (k - first) / 2 : 1) {
        t.memory = (watched){.fail_at = k, .fail_on = all_later};
        t.cost = 0;
        cairn_status status = story_tell(&t);
        bool failed = t.memory.failures > 0;
        CHECK(t.memory.blocks == 0, "%s: %u blocks leak when allocation %u fails", subject_text(s),
              (unsigned)t.memory.blocks, (unsigned)k);
        CHECK(!t.memory.wrong_size, "%s: a wrong size when allocation %u fails", subject_text(s),
              (unsigned)k);
        CHECK(status == (failed ? CAIRN_OUT_OF_MEMORY : CAIRN_FOUND),
              "%s: \"%s\" when allocation %u fails", subject_text(s), cairn_status_text(status),
              (unsigned)k);
        CHECK(!s->optimal || !t.cost || t.cost == t.query.cost,
              "%s: a wrong answer when allocation %u fails", subject_text(s), (unsigned)k);
        if (!failed) break;
        CHECK(k < 5000, "%s: too many allocations", subject_text(s));
    }
}

static void fail_everywhere(subject *s)
{
    /* The story is told with the scene's own profile: take the places that have it. */
    if (!s->place->query_count || s->place->queries[0].cost == ORACLE_NONE) return;
    if (s->place->scene) {
        s->place->scene->profile = s->place->profile;
        if (s->place->oracle->count > 1600) return;
    }
    tell_with_failures(s, false);
    tell_with_failures(s, true);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_EACH, fail_everywhere);
}

static void fail_commit_at(uint64_t k, bool *failed)
{
    scene *s = scene_named("rooms");
    watched memory = {0};
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(watched_context(&memory, &context));
    CHECK_OK(scene_grid(s, context, &grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    CHECK_OK(cairn_grid_set_open(grid, 1, 1, false));
    CHECK_OK(cairn_grid_set_terrain(grid, 2, 1, 5));
    CHECK_OK(cairn_grid_set_layer(grid, 3, 1, 6));
    CHECK_OK(cairn_grid_set_elevation(grid, 4, 1, -7));
    memory.fail_at = memory.calls + k;
    cairn_status status = cairn_grid_commit(grid);
    *failed = memory.failures > 0;
    if (*failed) {
        CHECK_STATUS(status, CAIRN_OUT_OF_MEMORY);
        assert_int_equal(cairn_grid_version(grid), 1);
        assert_true(cairn_grid_is_open(grid, 1, 1) &&
                    cairn_space_usable(space, cairn_grid_node(grid, 1, 1)));
        assert_int_equal(cairn_grid_terrain(grid, 2, 1), 0);
        assert_int_equal(cairn_grid_elevation(grid, 4, 1), 0);
        memory.fail_at = 0; /* the changes are still staged */
        CHECK_OK(cairn_grid_commit(grid));
    }
    assert_int_equal(cairn_grid_version(grid), 2);
    assert_false(cairn_grid_is_open(grid, 1, 1) ||
                 cairn_space_usable(space, cairn_grid_node(grid, 1, 1)));
    assert_int_equal(cairn_grid_terrain(grid, 2, 1), 5);
    assert_int_equal(cairn_grid_layer(grid, 3, 1), 6);
    assert_int_equal(cairn_grid_elevation(grid, 4, 1), -7);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    assert_int_equal(memory.blocks, 0);
    assert_false(memory.wrong_size);
    scene_destroy(s);
}

static void a_commit_without_memory_changes_nothing_and_can_be_tried_again(void **state)
{
    (void)state;
    bool failed = true;
    for (uint64_t k = 1; failed; k++) fail_commit_at(k, &failed);
}

/* ---- no allocation once warm -------------------------------------------------------- */

static void run_all_queries(subject *s)
{
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        cairn_query query = {.from = s->place->queries[i].from, .to = s->place->queries[i].to};
        cairn_search_find(s->search, &query, NULL);
    }
}

static void search_warm(subject *s)
{
    run_all_queries(s);
    uint64_t ours = s->place->memory.calls,
             theirs = cairn_context_memory(s->place->context).allocations;
    run_all_queries(s);
    run_all_queries(s);
    CHECK(s->place->memory.calls == ours, "%s: %u allocations while warm", subject_text(s),
          (unsigned)(s->place->memory.calls - ours));
    CHECK(cairn_context_memory(s->place->context).allocations == theirs, "%s: miscounted",
          subject_text(s));
}

static void a_warm_search_asks_for_no_memory(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_EACH, search_warm);
    conformance_each(PLACES_ALL | SETTINGS_ONE, search_warm);
}

/* ---- hard limits -------------------------------------------------------------------- */

static void search_with_limit(subject *s)
{
    if (!s->place->query_count || s->place->queries[0].cost == ORACLE_NONE) return;
    cairn_query query = {.from = s->place->queries[0].from, .to = s->place->queries[0].to};
    answer full = answer_find(s->search, &query);
    bool refused = false, found = false;
    for (size_t limit = 1; !found; limit += limit / 3 + 1) {
        cairn_search_options options = {.byte_limit = limit};
        cairn_search *small = NULL;
        size_t before = s->place->memory.bytes;
        cairn_status status = cairn_search_create(s->planner, &options, &small);
        if (status == CAIRN_OK) {
            answer a = answer_find(small, &query);
            status = a.path.status;
            size_t held = s->place->memory.bytes - before;
            CHECK(held <= limit, "%s: holds %u bytes, limit %u", subject_text(s), (unsigned)held,
                  (unsigned)limit);
            CHECK(a.metrics.peak_bytes <= limit, "%s: peak %u, limit %u", subject_text(s),
                  (unsigned)a.metrics.peak_bytes, (unsigned)limit);
            found = status == CAIRN_FOUND;
            CHECK(!found || answer_same_path(&full, &a), "%s: a limit changes the path",
                  subject_text(s));
            answer_free(&a);
        }
        refused = refused || status == CAIRN_OUT_OF_MEMORY;
        CHECK(found || status == CAIRN_OUT_OF_MEMORY, "%s: limit %u: %s", subject_text(s),
              (unsigned)limit, cairn_status_text(status));
        cairn_search_destroy(small);
        CHECK(limit < (1u << 26), "%s: no limit is enough", subject_text(s));
    }
    CHECK(refused, "%s: one byte was enough", subject_text(s));
    answer_free(&full);
}

static void a_search_never_passes_its_byte_limit(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_EACH, search_with_limit);
}

static cairn_status tell_limited(const char *spec, size_t limit)
{
    scene *s = scene_named("light");
    cairn_context_options options = cairn_context_defaults();
    options.byte_limit = limit;
    cairn_context *context = NULL;
    cairn_grid *grid = NULL;
    cairn_space *space = NULL;
    cairn_planner *planner = NULL;
    cairn_search *search = NULL;
    scene_rng rng = {4};
    cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
    cairn_status status = cairn_context_create(&options, &context);
    if (status == CAIRN_OK) status = scene_grid(s, context, &grid);
    if (status == CAIRN_OK) status = cairn_space_of_grid(grid, NULL, &space, NULL);
    if (status == CAIRN_OK) status = planner_ready(space, spec, &planner, NULL);
    if (status == CAIRN_OK) status = cairn_search_create(planner, NULL, &search);
    if (status == CAIRN_OK) status = cairn_search_find(search, &query, NULL);
    if (context) {
        cairn_memory memory = cairn_context_memory(context);
        CHECK(memory.peak_bytes <= limit, "%s: peak %u, limit %u", spec,
              (unsigned)memory.peak_bytes, (unsigned)limit);
    }
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    scene_destroy(s);
    return status;
}

static void a_context_never_passes_its_byte_limit(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const char *name = cairn_algorithm_at(i)->name;
        cairn_status status = CAIRN_OUT_OF_MEMORY;
        for (size_t limit = 100; status == CAIRN_OUT_OF_MEMORY; limit += limit / 7 + 1) {
            status = tell_limited(name, limit);
            bool done = status == CAIRN_FOUND || gave_up(cairn_algorithm_at(i), status);
            CHECK(status == CAIRN_OUT_OF_MEMORY || done, "%s with %u bytes: %s", name,
                  (unsigned)limit, cairn_status_text(status));
            CHECK(limit < (1u << 26), "%s: no limit is enough", name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_commit_without_memory_changes_nothing_and_can_be_tried_again),
        cmocka_unit_test(a_warm_search_asks_for_no_memory),
        cmocka_unit_test(a_search_never_passes_its_byte_limit),
        cmocka_unit_test(a_context_never_passes_its_byte_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
