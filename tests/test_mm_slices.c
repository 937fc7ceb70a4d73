/* test_mm_slices.c: the indexes of `mm` and `dbastar` built and repaired in slices of work
 * (cairn_planner_sync_step): in the end they are what a whole build makes, links included, whatever
 * was committed meanwhile. test_slices.c has what is the same for all such indexes.
 */
#include "hierarchies.h"

enum { MOST_STEPS = 1000000 };

static void any_spec(scene_rng *rng, char *out, size_t size)
{
    uint32_t sector = 4 + scene_random(rng, 6), levels = 1 + scene_random(rng, 4);
    if (scene_random(rng, 2)) {
        snprintf(out, size, "dbastar:sector=%u,levels=%u", sector, levels);
    } else {
        snprintf(out, size, "mm:sector=%u,levels=%u,centres=%s", sector, levels,
                 scene_random(rng, 3) ? "plain" : "optimised");
    }
}

static scene *any_linked_scene(scene_rng *rng, uint64_t seed)
{
    scene *s = any_scene(rng, seed);
    if (seed % 2) scene_add_links(s, scene_random(rng, 12), 1, 300, false, seed);
    return s;
}

static void edit_any(kit *k, scene *s, scene_rng *rng)
{
    if (s->link_count && !scene_random(rng, 3)) {
        edit_some_links(k, s, rng);
    } else {
        edit_some(k, s, rng);
    }
}

static void sync_in_slices(kit *k, uint64_t work)
{
    cairn_status status = CAIRN_RUNNING;
    for (uint32_t steps = 0; status == CAIRN_RUNNING; steps++) {
        status = cairn_planner_sync_step(k->planner, work, NULL);
        if (status == CAIRN_RUNNING) assert_true(cairn_planner_state(k->planner) != CAIRN_OK);
        CHECK(steps < MOST_STEPS, "it never ends");
    }
    CHECK_OK(status);
    CHECK_OK(cairn_planner_state(k->planner));
}

/* The same bytes as those of a new one, and the same answers: links are not in files. */
static void check_as_new(kit *k, const char *spec, scene_rng *rng)
{
    kit fresh = *k;
    cairn_search *search;
    check_as_built(k, spec);
    fresh.planner = NULL, fresh.search = NULL;
    kit_plan(&fresh, spec);
    CHECK_OK(cairn_search_create(k->planner, NULL, &search));
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t count = cairn_space_node_count(k->space);
        cairn_query query = {.from = scene_random(rng, count), .to = scene_random(rng, count)};
        answer a = answer_find(fresh.search, &query), b = answer_find(search, &query);
        CHECK(answer_same_path(&a, &b) && answer_same_metrics(&a, &b), "%s: another path", spec);
        answer_free(&a), answer_free(&b);
    }
    cairn_search_destroy(search);
    cairn_search_destroy(fresh.search);
    cairn_planner_destroy(fresh.planner);
}

static void sliced_is_whole_byte_for_byte(void **state)
{
    (void)state;
    scene_rng rng = {4110};
    for (uint32_t round = 0; round < test_times(60, 20); round++) {
        scene *s = any_linked_scene(&rng, round);
        kit k = kit_of_scene(s, &s->profile);
        char spec[120];
        any_spec(&rng, spec, sizeof spec);
        CHECK_OK(cairn_planner_create(k.space, spec, &k.planner, NULL));
        for (uint32_t i = 0; i < 6; i++) { /* the first is a build */
            sync_in_slices(&k, 1 + scene_random(&rng, round % 3 ? 400 : 4));
            check_as_new(&k, spec, &rng);
            for (uint32_t n = scene_random(&rng, 4); n < 4; n++) edit_any(&k, s, &rng);
        }
        kit_end(&k, s);
    }
}

/* Slices and commits by turns. */
static void sync_among_edits(kit *k, scene *s, uint32_t edits, scene_rng *rng)
{
    cairn_status status = CAIRN_RUNNING;
    uint32_t work = 1 + scene_random(rng, 400);
    for (uint32_t i = 0; status == CAIRN_RUNNING || edits; i++) {
        if (edits && !scene_random(rng, 3)) edit_any(k, s, rng), edits--;
        status = cairn_planner_sync_step(k->planner, 1 + scene_random(rng, work), NULL);
        CHECK(status == CAIRN_OK || status == CAIRN_RUNNING, "%s", cairn_status_text(status));
        CHECK(i < MOST_STEPS, "it never ends");
    }
}

static void commits_meanwhile_are_taken_in(void **state)
{
    (void)state;
    scene_rng rng = {4111};
    for (uint32_t round = 0; round < test_times(90, 40); round++) {
        scene *s = any_linked_scene(&rng, round);
        kit k = kit_of_scene(s, &s->profile);
        char spec[120];
        any_spec(&rng, spec, sizeof spec);
        CHECK_OK(cairn_planner_create(k.space, spec, &k.planner, NULL));
        for (uint32_t i = 0; i < 4; i++) { /* the first is a build */
            sync_among_edits(&k, s, 1 + scene_random(&rng, 12), &rng);
            check_as_new(&k, spec, &rng);
        }
        kit_end(&k, s);
    }
}

/* What was done stays done: commits in every frame do not keep a repair from its end, unless one of a
 * single cell takes more than a frame, as with large sectors. */
static void commits_in_every_frame_do_not_delay_it(void **state)
{
    (void)state;
    static const char *const specs[] = {"mm:sector=8,levels=2", "dbastar:sector=8,levels=2",
                                        "dbastar:sector=40"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        scene *s = scene_noise("noise", 120, 120, 20, 5);
        scene_add_terrain(s, 5);
        kit k = kit_of_scene(s, &s->profile);
        scene_rng rng = {i};
        kit_plan(&k, specs[i]);
        for (uint32_t n = 0; n < 400; n++)
            CHECK_OK(cairn_grid_set_open(k.grid, (int32_t)scene_random(&rng, 60),
                                         (int32_t)scene_random(&rng, 60), n % 2));
        CHECK_OK(cairn_grid_commit(k.grid));
        uint32_t steps = 0, ends = 0;
        for (; steps < 200; steps++) {
            CHECK_OK(cairn_grid_set_open(k.grid, 100, 100, steps % 2));
            CHECK_OK(cairn_grid_commit(k.grid));
            ends += cairn_planner_sync_step(k.planner, 4000, NULL) == CAIRN_OK;
        }
        CHECK(ends > 50 || i == LENGTH(specs) - 1, "%s: up to date in %u frames", specs[i], ends);
        sync_in_slices(&k, 4000);
        check_as_new(&k, specs[i], &rng);
        kit_end(&k, s);
    }
}

/* ---- memory ------------------------------------------------------------------------------- */

typedef struct slice_world {
    watched memory;
    kit kit;
    scene *scene;
} slice_world;

static void open_world(slice_world *w, const char *spec, uint64_t seed)
{
    *w = (slice_world){.scene = scene_rooms("rooms", 40, 40, 5, seed)};
    scene_add_links(w->scene, 5, 1, 300, false, seed);
    CHECK_OK(watched_context(&w->memory, &w->kit.context));
    CHECK_OK(scene_grid(w->scene, w->kit.context, &w->kit.grid));
    CHECK_OK(cairn_space_of_grid(w->kit.grid, &w->scene->profile, &w->kit.space, NULL));
    CHECK_OK(cairn_planner_create(w->kit.space, spec, &w->kit.planner, NULL));
}

static void close_world(slice_world *w)
{
    kit_end(&w->kit, w->scene);
    assert_int_equal(w->memory.blocks, 0);
    assert_false(w->memory.wrong_size);
}

static const char *const small_specs[] = {
    "mm:sector=8,levels=2", "mm:sector=8,levels=1,centres=optimised", "dbastar:sector=8,levels=2"};

/* In a build, a repair, and in what takes in a commit made meanwhile. */
static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2 * LENGTH(small_specs); i++) {
        const char *spec = small_specs[i / 2];
        bool failed = true;
        for (uint64_t n = 1; failed; n += 1 + test_sample() / 2) {
            slice_world w;
            scene_rng rng = {n};
            cairn_status status = CAIRN_OK;
            open_world(&w, spec, i);
            if (i % 2) CHECK_OK(cairn_planner_build(w.kit.planner, NULL, NULL));
            edit_some(&w.kit, w.scene, &rng);
            w.memory.calls = 0, w.memory.failures = 0;
            w.memory.fail_at = n;
            for (uint32_t steps = 0;; steps++) {
                status = cairn_planner_sync_step(w.kit.planner, 300, NULL);
                if (status != CAIRN_RUNNING) break;
                if (steps != n % 20) continue;
                w.memory.fail_at = 0; /* commits have memory */
                edit_some(&w.kit, w.scene, &rng);
                w.memory.fail_at = w.memory.failures ? 0 : n;
                w.memory.calls = w.memory.calls > n ? n - 1 : w.memory.calls;
            }
            failed = w.memory.failures;
            w.memory.fail_at = 0;
            if (status != CAIRN_OK) {
                CHECK_STATUS(status, CAIRN_OUT_OF_MEMORY);
                CHECK_STATUS(cairn_planner_state(w.kit.planner), CAIRN_NOT_BUILT);
                sync_in_slices(&w.kit, 1000);
            }
            check_as_built(&w.kit, spec);
            close_world(&w);
        }
    }
}

static void given_up_it_leaves_nothing(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 60; i++) {
        slice_world w;
        scene_rng rng = {i};
        const char *spec = small_specs[i % LENGTH(small_specs)];
        open_world(&w, spec, i);
        if (i % 2) CHECK_OK(cairn_planner_build(w.kit.planner, NULL, NULL));
        edit_some(&w.kit, w.scene, &rng);
        for (uint32_t n = 0; n < i; n++) cairn_planner_sync_step(w.kit.planner, 40 * i, NULL);
        if (i % 3 == 0) {
            cairn_planner_sync_abandon(w.kit.planner);
            sync_in_slices(&w.kit, 1000);
            check_as_built(&w.kit, spec);
        }
        close_world(&w); /* else right in the middle */
    }
}

/* The blocks of an index may have to grow: then an eighth is added at once. */
static void repairs_take_no_memory_once_warm(void **state)
{
    (void)state;
    slice_world w;
    *state = NULL;
    w = (slice_world){.scene = scene_rooms("rooms", 60, 60, 5, 1)};
    CHECK_OK(watched_context(&w.memory, &w.kit.context));
    CHECK_OK(scene_grid(w.scene, w.kit.context, &w.kit.grid));
    CHECK_OK(cairn_space_of_grid(w.kit.grid, &w.scene->profile, &w.kit.space, NULL));
    kit_plan(&w.kit, "dbastar:sector=8,levels=2");
    for (uint32_t i = 0; i < 40; i++) {
        CHECK_OK(cairn_grid_set_open(w.kit.grid, 20, 20, i % 2));
        CHECK_OK(cairn_grid_set_open(w.kit.grid, 41, 31, i % 2));
        CHECK_OK(cairn_grid_commit(w.kit.grid));
        uint64_t before = w.memory.calls;
        sync_in_slices(&w.kit, 100);
        if (i >= 20) assert_int_equal(w.memory.calls, before);
    }
    close_world(&w);
}

/* ---- files -------------------------------------------------------------------------------- */

/* An index from a file that is wrong, but not so that loading could see it: a repair in slices
 * ends, and paths are legal. */
static void wrong_files_do_no_harm(void **state)
{
    (void)state;
    enum { SIDE = 24 };
    uint32_t loaded = 0;
    for (uint32_t flip = 0; flip < test_times(200, 150); flip++) {
        scene *s = scene_noise("noise", SIDE, SIDE, 25, 3);
        kit k = kit_of_scene(s, &s->profile);
        const char *spec = "mm:sector=6,levels=2";
        scene_rng rng = {flip};
        kit_plan(&k, spec);
        bytes good = saved(k.planner), bad;
        cairn_archive *archive = opened(k.context, &good);
        cairn_store *store;
        CHECK_OK(cairn_store_create(k.context, &store));
        static const char *const names[] = {"index", "index.sectors", "index.upper"};
        for (uint32_t i = 0; i < LENGTH(names); i++) {
            size_t size, unit = i ? 1 : 8;
            const uint8_t *data = cairn_archive_section(archive, names[i], (uint32_t)unit, &size);
            uint8_t *copy = malloc(size);
            assert_non_null(copy);
            memcpy(copy, data, size);
            if (i == 1) copy[scene_random(&rng, (uint32_t)size)] ^= 1u << scene_random(&rng, 8);
            CHECK_OK(
                cairn_store_add(store, names[i], (cairn_bytes){copy, size}, (uint32_t)unit, false));
            free(copy);
        }
        bad = bytes_of(store);
        cairn_store_destroy(store);
        cairn_archive *damaged = opened(k.context, &bad);
        if (cairn_planner_load(k.planner, damaged, flip % 2, NULL) == CAIRN_OK) {
            loaded++;
            for (uint32_t i = 0; i < 3; i++) {
                edit_some(&k, s, &rng);
                sync_in_slices(&k, 1 + scene_random(&rng, 100));
                check_ways(&k, s, spec, &rng);
            }
        }
        cairn_archive_close(archive);
        bytes_free(&good);
        kit_end(&k, s);
        cairn_archive_close(damaged);
        bytes_free(&bad);
    }
    CHECK(loaded > 5, "%u are loaded", loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliced_is_whole_byte_for_byte),
        cmocka_unit_test(commits_meanwhile_are_taken_in),
        cmocka_unit_test(commits_in_every_frame_do_not_delay_it),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(given_up_it_leaves_nothing),
        cmocka_unit_test(repairs_take_no_memory_once_warm),
        cmocka_unit_test(wrong_files_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
