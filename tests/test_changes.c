/* test_changes.c: what a space says has changed. The edges of all nodes are written down before
 * and after random commits; the nodes reported must be those whose edges differ, each once, in
 * order.
 */
#include "edge_sets.h"
#include "edits.h"
#include "world/changes.h"

/* ---- what differs ----------------------------------------------------------------------- */

/* Marks both ends of every edge that is in one of the two sets only. */
static void mark_differences(const edge_set *a, const edge_set *b, bool *marks)
{
    size_t i = 0, k = 0;
    while (i < a->count || k < b->count) {
        int order = i == a->count   ? 1
                    : k == b->count ? -1
                                    : edge_set_order(&a->edges[i], &b->edges[k]);
        const cairn_graph_edge *edge = order > 0 ? &b->edges[k] : &a->edges[i];
        if (order) marks[edge->from] = marks[edge->to] = true;
        i += order <= 0;
        k += order >= 0;
    }
}

typedef struct told {
    bool *marks;
    uint32_t count;
    int64_t last;
} told;

static void tell(void *user, cairn_node node)
{
    told *t = user;
    CHECK(node > t->last, "node %u after %d", node, (int)t->last);
    t->last = node;
    t->marks[node] = true;
    t->count++;
}

/* The space reports exactly what differs from the edges of then. Returns how many nodes. */
static uint32_t check_changes(const char *name, const cairn_space *space, const edge_set *then,
                              uint64_t since)
{
    uint32_t nodes = cairn_space_node_count(space);
    bool *marks = calloc(nodes, sizeof *marks);
    told t = {.marks = calloc(nodes, sizeof *t.marks), .last = -1};
    if (!marks || !t.marks) abort();
    edge_set now = edge_set_of(space, cairn_space_expand, false, 16);
    mark_differences(then, &now, marks);
    CHECK_OK(cairn_space_changes(space, since, tell, &t));
    for (cairn_node n = 0; n < nodes; n++) {
        CHECK(marks[n] == t.marks[n], "%s: node %u of %u: %s, but it was %sreported", name, n,
              nodes, marks[n] ? "differs" : "is the same", t.marks[n] ? "" : "not ");
    }
    edge_set_free(&now);
    free(marks), free(t.marks);
    return t.count;
}

/* Rounds of one to four commits. Takes over the scene. */
static uint32_t live_through_edits(scene *s, bool links, uint32_t rounds, uint64_t seed)
{
    scene_rng rng = {seed};
    world w = world_of(s);
    uint32_t count = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        edge_set then = edge_set_of(w.space, cairn_space_expand, false, 16);
        uint64_t since = cairn_space_version(w.space);
        for (uint32_t commits = 1 + scene_random(&rng, 4); commits; commits--) {
            for (uint32_t i = 1 + scene_random(&rng, 5); i; i--) edit_something(&w, links, &rng);
            CHECK_OK(cairn_grid_commit(w.grid));
        }
        count += check_changes(s->name, w.space, &then, since);
        edge_set_free(&then);
    }
    world_end(&w);
    return count;
}

static void every_scene_tells_what_changed(void **state)
{
    (void)state;
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene_count(); i++) {
        cairn_profile profile;
        for (uint32_t rule = 0;; rule++) {
            scene *s = scene_at(i);
            if (!scene_rule(s, rule, &profile)) {
                scene_destroy(s);
                break;
            }
            s->profile = profile;
            count += live_through_edits(s, s->link_count > 0, 8, 100 * i + rule);
        }
    }
    CHECK(count > 10000, "%u nodes", count);
}

static void small_worlds_under_any_rules_tell_what_changed(void **state)
{
    (void)state;
    scene_rng rng = {77};
    uint32_t count = 0, worlds = test_times(1500, 300);
    for (uint32_t i = 0; i < worlds; i++) {
        world w = thrown_world(&rng, true);
        scene *s = w.scene;
        w.scene = NULL;
        world_end(&w);
        count += live_through_edits(s, i % 2, 4, i + 1);
    }
    CHECK(count > 6 * worlds, "%u nodes", count);
}

/* Bodies so large that what they need does not fit a word, beside all edges of the map. */
static void large_bodies_tell_what_changed(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 8; i++) {
        scene *s = scene_blank("bodies", 150, 80);
        if (i & 1) scene_make_hex(s);
        s->profile.radius = i < 4 ? 32 - i : 5.5;
        if (i >= 6) s->profile.radius = 0, s->profile.footprint = s->hex ? 0 : 64;
        scene_rng rng = {i};
        for (uint32_t k = 0; k < 3; k++) s->open[scene_random(&rng, 150 * 80)] = 0;
        live_through_edits(s, false, 6, i + 1);
    }
}

static void terrain_that_is_all_the_same_changes_nothing(void **state)
{
    (void)state;
    world w = world_of(scene_noise("same", 20, 20, 10, 3));
    edge_set then = edge_set_of(w.space, cairn_space_expand, false, 16);
    uint64_t since = cairn_space_version(w.space);
    for (int32_t i = 0; i < 20; i++) {
        /* ground and swamp cost this agent the same, heights nothing */
        CHECK_OK(cairn_grid_set_terrain(w.grid, i, 5, CAIRN_TERRAIN_SWAMP));
        CHECK_OK(cairn_grid_set_elevation(w.grid, 3, i, 40));
        CHECK_OK(cairn_grid_set_layer(w.grid, i, i, 9));
    }
    CHECK_OK(cairn_grid_commit(w.grid));
    CHECK(cairn_space_version(w.space) == since + 1, "it was a commit");
    assert_int_equal(check_changes("same", w.space, &then, since), 0);
    edge_set_free(&then);
    world_end(&w);
}

/* ---- what is remembered ----------------------------------------------------------------- */

static void a_history_that_is_too_short_is_said_to_be(void **state)
{
    (void)state;
    world w = world_of(scene_blank("short", 9, 9));
    told t = {.marks = calloc(81, 1), .last = -1};
    if (!t.marks) abort();
    assert_int_equal(cairn_space_changes(w.space, 0, tell, &t), CAIRN_STALE);
    assert_int_equal(cairn_space_changes(w.space, 2, tell, &t), CAIRN_INVALID);
    CHECK_OK(cairn_space_changes(w.space, 1, tell, &t));
    for (uint32_t i = 0; i < CRN_COMMITS_KEPT + 1; i++) {
        CHECK_OK(cairn_grid_set_open(w.grid, 4, 4, i & 1));
        CHECK_OK(cairn_grid_commit(w.grid));
    }
    assert_int_equal(cairn_space_changes(w.space, 1, tell, &t), CAIRN_STALE);
    assert_int_equal(t.count, 0);
    CHECK_OK(cairn_space_changes(w.space, 2, tell, &t));
    assert_int_equal(t.count, 0); /* blocked then, blocked now */
    CHECK_OK(cairn_space_changes(w.space, 3, tell, &t));
    assert_int_equal(t.count, 9);
    free(t.marks);
    world_end(&w);
}

static void links_are_remembered_as_cells_are(void **state)
{
    (void)state;
    world w = world_of(scene_blank("links", 12, 12));
    size_t before = cairn_grid_bytes(w.grid);
    edge_set then = edge_set_of(w.space, cairn_space_expand, false, 16);
    uint64_t since = cairn_space_version(w.space);
    edit_add_link(&w, &(cairn_link){3, 77, 1, 256, 0});
    CHECK_OK(cairn_grid_commit(w.grid));
    assert_int_equal(check_changes("added", w.space, &then, since), 2);
    edit_add_link(&w, &(cairn_link){3, 77, 2, 300, 0}); /* does not count beside the first */
    CHECK_OK(cairn_grid_commit(w.grid));
    assert_int_equal(check_changes("added twice", w.space, &then, since), 2);
    edit_remove_links(&w, 1);
    edit_remove_links(&w, 2);
    CHECK_OK(cairn_grid_commit(w.grid));
    assert_int_equal(check_changes("and away", w.space, &then, since), 0);
    CHECK(cairn_grid_bytes(w.grid) > before, "what is remembered is counted");
    edge_set_free(&then);
    world_end(&w);
}

static void without_memory_nothing_is_told(void **state)
{
    (void)state;
    watched w = {0};
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(watched_context(&w, &context));
    cairn_grid_options options = {.width = 30, .height = 30};
    CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    CHECK_OK(cairn_grid_add_link(grid, &(cairn_link){3, 77, 1, 256, 0}));
    for (int32_t i = 0; i < 30; i += 3) CHECK_OK(cairn_grid_set_open(grid, i, i, false));
    CHECK_OK(cairn_grid_commit(grid));
    size_t held = w.bytes;
    told t = {.marks = calloc(900, 1), .last = -1};
    if (!t.marks) abort();
    uint32_t failures = 0;
    for (;; failures++) {
        w.calls = 0, w.fail_at = failures + 1;
        cairn_status status = cairn_space_changes(space, 1, tell, &t);
        assert_int_equal(w.bytes, held);
        if (status == CAIRN_OK) break;
        assert_int_equal(status, CAIRN_OUT_OF_MEMORY);
        assert_int_equal(t.count, 0);
    }
    CHECK(failures > 3 && t.count > 50, "%u failures, %u nodes", failures, t.count);
    free(t.marks);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_tells_what_changed),
        cmocka_unit_test(small_worlds_under_any_rules_tell_what_changed),
        cmocka_unit_test(large_bodies_tell_what_changed),
        cmocka_unit_test(terrain_that_is_all_the_same_changes_nothing),
        cmocka_unit_test(a_history_that_is_too_short_is_said_to_be),
        cmocka_unit_test(links_are_remembered_as_cells_are),
        cmocka_unit_test(without_memory_nothing_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
