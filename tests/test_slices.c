/* test_slices.c: indexes that are built and repaired in slices of work (cairn_planner_sync_step):
 * in the end they are what a whole build makes, whatever was committed meanwhile.
 */
#include "hierarchies.h"

enum { MOST_STEPS = 200000 };

static void any_spec(scene_rng *rng, char *out, size_t size)
{
    snprintf(out, size, "hpa:size=%u,levels=%u,growth=%u,intra=%s", 2 + scene_random(rng, 9),
             1 + scene_random(rng, 4), 2 + scene_random(rng, 2),
             scene_random(rng, 6) ? "eager" : "lazy");
}

/* While the index is unfinished nothing answers from it. */
static void check_unfinished(kit *k, cairn_status state)
{
    const cairn_path *path;
    CHECK_STATUS(cairn_planner_state(k->planner), state);
    cairn_status status = cairn_search_find(k->search, &(cairn_query){.from = 0, .to = 0}, &path);
    CHECK_STATUS(status, state);
    assert_null(path->answered_by);
}

/* A slice after the other; how many there were. */
static uint32_t sync_in_slices(kit *k, uint64_t work)
{
    cairn_status state = cairn_planner_state(k->planner), status;
    uint32_t steps = 1;
    for (; (status = cairn_planner_sync_step(k->planner, work, NULL)) == CAIRN_RUNNING; steps++) {
        check_unfinished(k, state);
        CHECK(steps < MOST_STEPS, "it never ends");
    }
    CHECK_OK(status);
    CHECK_OK(cairn_planner_state(k->planner));
    return steps;
}

static void a_sliced_repair_is_a_whole_one(void **state)
{
    (void)state;
    scene_rng rng = {1501};
    for (uint32_t round = 0; round < 40; round++) {
        scene *s = any_scene(&rng, round);
        kit k = kit_of_scene(s, &s->profile);
        char spec[120];
        any_spec(&rng, spec, sizeof spec);
        kit_plan(&k, spec);
        cairn_planner *whole;
        CHECK_OK(planner_ready(k.space, spec, &whole, NULL));
        for (uint32_t i = 0; i < 8; i++) {
            edit_some(&k, s, &rng);
            CHECK_OK(cairn_planner_sync(whole, NULL, NULL));
            sync_in_slices(&k, 1 + scene_random(&rng, 60));
            bytes a = saved(whole), b = saved(k.planner);
            CHECK(bytes_same(&a, &b), "%s: round %u", spec, round);
            assert_int_equal(cairn_planner_index_bytes(whole),
                             cairn_planner_index_bytes(k.planner));
            bytes_free(&a), bytes_free(&b);
        }
        check_as_built(&k, spec);
        cairn_planner_destroy(whole);
        kit_end(&k, s);
    }
}

/* Slices and commits by turns; in the end it is what is built now. */
static void sync_among_edits(kit *k, scene *s, const char *spec, scene_rng *rng)
{
    cairn_status status = CAIRN_RUNNING;
    for (uint32_t i = 0; status == CAIRN_RUNNING || i < 12; i++) {
        if (i < 12 && scene_random(rng, 2)) edit_some(k, s, rng);
        status = cairn_planner_sync_step(k->planner, 1 + scene_random(rng, 40), NULL);
        CHECK(status == CAIRN_OK || status == CAIRN_RUNNING, "%s: %s", spec,
              cairn_status_text(status));
        CHECK(i < MOST_STEPS, "it never ends");
    }
    check_as_built(k, spec);
}

static void commits_meanwhile_are_taken_in(void **state)
{
    (void)state;
    scene_rng rng = {1502};
    for (uint32_t round = 0; round < 60; round++) {
        scene *s = any_scene(&rng, round);
        kit k = kit_of_scene(s, &s->profile);
        char spec[120];
        any_spec(&rng, spec, sizeof spec);
        CHECK_OK(cairn_planner_create(k.space, spec, &k.planner, NULL));
        /* the first is a build */
        for (uint32_t i = 0; i < 3; i++) sync_among_edits(&k, s, spec, &rng);
        kit_end(&k, s);
    }
}

static void small_slices_are_more_slices(void **state)
{
    (void)state;
    scene *s = scene_rooms("rooms", 60, 60, 7, 1);
    kit k = kit_of_scene(s, &s->profile);
    CHECK_OK(cairn_planner_create(k.space, "hpa:size=10", &k.planner, NULL));
    CHECK_OK(cairn_search_create(k.planner, NULL, &k.search));
    uint32_t small = sync_in_slices(&k, 1);
    CHECK_OK(cairn_planner_sync_step(k.planner, 1, NULL));
    cairn_planner_sync_abandon(k.planner);
    CHECK_OK(cairn_planner_state(k.planner)); /* nothing was under way */
    CHECK_OK(cairn_grid_set_open(k.grid, 30, 30, !s->open[30 * 60 + 30]));
    CHECK_OK(cairn_grid_commit(k.grid));
    uint32_t repair = sync_in_slices(&k, 1);
    CHECK_OK(cairn_planner_build(k.planner, NULL, NULL));
    kit_plan(&k, "hpa:size=10");
    CHECK_OK(cairn_grid_set_open(k.grid, 30, 30, s->open[30 * 60 + 30]));
    CHECK_OK(cairn_grid_commit(k.grid));
    /* 36 clusters are looked at twice; four at most are dirty, and others cost one unit for 64 of
     * them. */
    CHECK(small >= 72 && repair >= 3 && repair <= 16, "%u and %u slices", small, repair);
    assert_int_equal(sync_in_slices(&k, UINT64_MAX), 1);
    kit_end(&k, s);
}

/* ---- ends --------------------------------------------------------------------------------- */

typedef struct slice_world {
    watched memory;
    kit kit;
    scene *scene;
} slice_world;

/* An index that is half repaired, or half built. */
static void half_done(slice_world *w, bool repair)
{
    *w = (slice_world){.scene = scene_rooms("rooms", 40, 40, 5, 2)};
    CHECK_OK(watched_context(&w->memory, &w->kit.context));
    CHECK_OK(scene_grid(w->scene, w->kit.context, &w->kit.grid));
    CHECK_OK(cairn_space_of_grid(w->kit.grid, &w->scene->profile, &w->kit.space, NULL));
    CHECK_OK(cairn_planner_create(w->kit.space, "hpa:size=10,levels=2", &w->kit.planner, NULL));
    CHECK_OK(cairn_search_create(w->kit.planner, NULL, &w->kit.search));
    if (repair) CHECK_OK(cairn_planner_build(w->kit.planner, NULL, NULL));
    CHECK_OK(cairn_grid_set_open(w->kit.grid, 20, 20, !w->scene->open[20 * 40 + 20]));
    CHECK_OK(cairn_grid_commit(w->kit.grid));
    for (uint32_t i = 0; i < 3; i++)
        CHECK_STATUS(cairn_planner_sync_step(w->kit.planner, 1, NULL), CAIRN_RUNNING);
}

static void everything_else_ends_it_well(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 10; i++) {
        slice_world w;
        half_done(&w, i % 2);
        switch (i / 2) {
        case 0: CHECK_OK(cairn_planner_sync(w.kit.planner, NULL, NULL)); break;
        case 1: CHECK_OK(cairn_planner_build(w.kit.planner, NULL, NULL)); break;
        case 2: CHECK_OK(cairn_planner_sync_begin(w.kit.planner, NULL)); break;
        case 3: {
            cairn_planner *fresh;
            CHECK_OK(planner_ready(w.kit.space, "hpa:size=10,levels=2", &fresh, NULL));
            bytes b = saved(fresh);
            cairn_archive *archive = opened(w.kit.context, &b);
            CHECK_OK(cairn_planner_load(w.kit.planner, archive, false, NULL));
            cairn_archive_close(archive);
            bytes_free(&b);
            cairn_planner_destroy(fresh);
            break;
        }
        default:
            cairn_planner_sync_abandon(w.kit.planner);
            check_unfinished(&w.kit, CAIRN_NOT_BUILT);
            assert_int_equal(cairn_planner_index_bytes(w.kit.planner), 0);
            sync_in_slices(&w.kit, 100);
        }
        check_as_built(&w.kit, "hpa:size=10,levels=2");
        kit_end(&w.kit, w.scene);
        assert_int_equal(w.memory.blocks, 0);
    }
}

static void given_up_it_leaves_nothing(void **state)
{
    (void)state;
    for (uint32_t repair = 0; repair < 2; repair++) {
        slice_world w;
        half_done(&w, repair);
        kit_end(&w.kit, w.scene); /* right in the middle */
        assert_int_equal(w.memory.blocks, 0);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        slice_world w;
        half_done(&w, n % 2);
        edit_some(&w.kit, w.scene, &(scene_rng){n});
        w.memory.calls = 0, w.memory.failures = 0;
        w.memory.fail_at = n / 2 + 1;
        cairn_status status;
        while ((status = cairn_planner_sync_step(w.kit.planner, 50, NULL)) == CAIRN_RUNNING) {
        }
        w.memory.fail_at = 0;
        failed = w.memory.failures || n < 3;
        if (status != CAIRN_OK) {
            CHECK_STATUS(status, CAIRN_OUT_OF_MEMORY);
            CHECK_STATUS(cairn_planner_state(w.kit.planner), CAIRN_NOT_BUILT);
            CHECK_OK(cairn_planner_sync(w.kit.planner, NULL, NULL));
        }
        check_as_built(&w.kit, "hpa:size=10,levels=2");
        kit_end(&w.kit, w.scene);
        assert_int_equal(w.memory.blocks, 0);
    }
}

/* Who cannot do it in slices does it at once. */
static void others_sync_whole(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        scene *s = scene_rooms("rooms", 30, 30, 5, 3);
        kit k = kit_of_scene(s, &s->profile);
        CHECK_OK(cairn_planner_create(k.space, a->name, &k.planner, NULL));
        bool slices = (a->flags & CAIRN_SLICES) != 0;
        CHECK_STATUS(cairn_planner_sync_step(k.planner, 1, NULL),
                     slices ? CAIRN_RUNNING : CAIRN_OK);
        CHECK_STATUS(cairn_planner_state(k.planner), slices ? CAIRN_NOT_BUILT : CAIRN_OK);
        kit_end(&k, s);
    }
    CHECK_STATUS(cairn_planner_sync_step(NULL, 1, NULL), CAIRN_INVALID);
    cairn_planner_sync_abandon(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sliced_repair_is_a_whole_one),
        cmocka_unit_test(commits_meanwhile_are_taken_in),
        cmocka_unit_test(small_slices_are_more_slices),
        cmocka_unit_test(everything_else_ends_it_well),
        cmocka_unit_test(given_up_it_leaves_nothing),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(others_sync_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
