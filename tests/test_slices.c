/* test_slices.c: indexes that are built and repaired in slices of work (cairn_planner_sync_step):
 * in the end they are what a whole build makes, whatever was committed meanwhile.
 */
#include "hierarchies.h"
#include "search/algorithm.h"

enum { MOST_STEPS = 200000 };

/* Some of the worlds are none for jps-plus: those of hexagons. */
static void any_spec(const kit *k, scene_rng *rng, char *out, size_t size)
{
    cairn_planner *planner;
    snprintf(out, size, "jps-plus");
    if (scene_random(rng, 2) && cairn_planner_create(k->space, out, &planner, NULL) == CAIRN_OK) {
        cairn_planner_destroy(planner);
        return;
    }
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
        any_spec(&k, &rng, spec, sizeof spec);
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
        any_spec(&k, &rng, spec, sizeof spec);
        CHECK_OK(cairn_planner_create(k.space, spec, &k.planner, NULL));
        /* the first is a build */
        for (uint32_t i = 0; i < 3; i++) sync_among_edits(&k, s, spec, &rng);
        kit_end(&k, s);
    }
}

/* A wide square opens or closes, and links come and go. */
static void commit_much(kit *k, uint32_t side, scene_rng *rng)
{
    enum { WIDE = 30 };
    uint32_t x = scene_random(rng, side - WIDE), y = scene_random(rng, side - WIDE);
    cairn_link link = {.from = scene_random(rng, side * side),
                       .to = scene_random(rng, side * side),
                       .id = scene_random(rng, 4),
                       .cost = 90000};
    for (uint32_t i = 0; i < WIDE * WIDE; i++)
        CHECK_OK(cairn_grid_set_open(k->grid, (int32_t)(x + i % WIDE), (int32_t)(y + i / WIDE),
                                     scene_random(rng, 3) != 0));
    if (link.from != link.to) CHECK_OK(cairn_grid_add_link(k->grid, &link));
    CHECK_OK(cairn_grid_remove_links(k->grid, scene_random(rng, 4)));
    CHECK_OK(cairn_grid_commit(k->grid));
}

/* Reading what was committed takes several slices, in which more is committed. */
static void large_commits_are_read_in_slices(void **state)
{
    (void)state;
    enum { SIDE = 90, COMMITS = 3 };
    static const char *const specs[] = {"hpa", "hpa:levels=1,size=8", "mm:sector=8", "dbastar"};
    for (uint32_t i = 0; i < 4 * LENGTH(specs); i++) {
        const char *spec = specs[i % LENGTH(specs)];
        scene *s = scene_rooms("rooms", SIDE, SIDE, 7, 4);
        scene_rng rng = {61 + i};
        kit k = kit_of_scene(s, &s->profile);
        cairn_status status = CAIRN_RUNNING;
        kit_plan(&k, spec);
        for (uint32_t steps = 0, commits = 0; status == CAIRN_RUNNING || commits < COMMITS;
             steps++) {
            CHECK(steps < MOST_STEPS, "%s never ends", spec);
            bool commit = commits < COMMITS && scene_random(&rng, 3) == 0;
            if (commit) commit_much(&k, SIDE, &rng), commits++;
            status = cairn_planner_sync_step(k.planner, 1, NULL);
            assert_true(status == CAIRN_OK || status == CAIRN_RUNNING);
        }
        check_as_built(&k, spec);
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
    /* 36 clusters are looked at twice; four at most are dirty */
    CHECK(small >= 72 && repair >= 3 && repair <= small / 4, "%u and %u slices", small, repair);
    assert_int_equal(sync_in_slices(&k, UINT64_MAX), 1);
    kit_end(&k, s);
}

/* ---- ends --------------------------------------------------------------------------------- */

typedef struct slice_world {
    watched memory;
    kit kit;
    scene *scene;
} slice_world;

static const char *const half_specs[] = {"hpa:size=10,levels=2", "jps-plus"};

/* An index that is half repaired, or half built. */
static void half_done(slice_world *w, const char *spec, bool repair)
{
    *w = (slice_world){.scene = scene_rooms("rooms", 40, 40, 5, 2)};
    CHECK_OK(watched_context(&w->memory, &w->kit.context));
    CHECK_OK(scene_grid(w->scene, w->kit.context, &w->kit.grid));
    CHECK_OK(cairn_space_of_grid(w->kit.grid, &w->scene->profile, &w->kit.space, NULL));
    CHECK_OK(cairn_planner_create(w->kit.space, spec, &w->kit.planner, NULL));
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
    for (uint32_t i = 0; i < 20; i++) {
        const char *spec = half_specs[i / 10];
        slice_world w;
        half_done(&w, spec, i % 2);
        switch (i % 10 / 2) {
        case 0: CHECK_OK(cairn_planner_sync(w.kit.planner, NULL, NULL)); break;
        case 1: CHECK_OK(cairn_planner_build(w.kit.planner, NULL, NULL)); break;
        case 2: CHECK_OK(cairn_planner_sync_begin(w.kit.planner, NULL)); break;
        case 3: {
            cairn_planner *fresh;
            CHECK_OK(planner_ready(w.kit.space, spec, &fresh, NULL));
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
        check_as_built(&w.kit, spec);
        kit_end(&w.kit, w.scene);
        assert_int_equal(w.memory.blocks, 0);
    }
}

static void given_up_it_leaves_nothing(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        slice_world w;
        half_done(&w, half_specs[i / 2], i % 2);
        kit_end(&w.kit, w.scene); /* right in the middle */
        assert_int_equal(w.memory.blocks, 0);
    }
}

/* The n-th allocation fails, of a build or a repair with a commit in the middle; false: there are
 * fewer. */
static bool fail_once(const char *spec, bool repair, uint64_t n)
{
    slice_world w;
    half_done(&w, spec, repair);
    edit_some(&w.kit, w.scene, &(scene_rng){2 * n + repair});
    w.memory.calls = 0, w.memory.failures = 0;
    w.memory.fail_at = n;
    cairn_status status;
    while ((status = cairn_planner_sync_step(w.kit.planner, 50, NULL)) == CAIRN_RUNNING) {
    }
    w.memory.fail_at = 0;
    bool failed = w.memory.failures;
    if (status != CAIRN_OK) {
        CHECK_STATUS(status, CAIRN_OUT_OF_MEMORY);
        CHECK_STATUS(cairn_planner_state(w.kit.planner), CAIRN_NOT_BUILT);
        CHECK_OK(cairn_planner_sync(w.kit.planner, NULL, NULL));
    }
    check_as_built(&w.kit, spec);
    kit_end(&w.kit, w.scene);
    assert_int_equal(w.memory.blocks, 0);
    return failed;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        for (uint64_t n = 1; fail_once(half_specs[i / 2], i % 2, n); n++) {
        }
    }
}

/* ---- goal boxes of jps-plus ---------------------------------------------------------------- */

static void boxes_in_slices_are_those_of_a_build(void **state)
{
    (void)state;
    const char *spec = "jps-plus:boxes=on";
    for (uint32_t i = 0; i < 4; i++) {
        scene *s = i % 2 ? scene_noise("noise", 70, 20, 20, i + 1)
                         : scene_rooms("rooms", 33, 29, 6, i + 1);
        kit k = kit_of_scene(s, NULL);
        scene_rng rng = {i + 1};
        CHECK_OK(cairn_planner_create(k.space, spec, &k.planner, NULL));
        CHECK_OK(cairn_search_create(k.planner, NULL, &k.search));
        uint32_t steps = sync_in_slices(&k, 1 + scene_random(&rng, 30));
        assert_true(steps > 10);
        check_as_built(&k, spec);
        kit_end(&k, s);
    }
}

/* A commit before the boxes are begun is one that they see; later it drops them, as one does after
 * the build. Nothing allocated may be lost on the way. */
static void a_commit_in_the_middle_of_boxes_drops_them(void **state)
{
    (void)state;
    uint32_t kept = 0, dropped = 0;
    for (uint32_t i = 1; i < 400; i += 1 + i / 4) {
        slice_world w;
        half_done(&w, "jps-plus:boxes=on", false);
        cairn_status status = CAIRN_RUNNING;
        for (uint32_t n = 0; n < i && status == CAIRN_RUNNING; n++)
            status = cairn_planner_sync_step(w.kit.planner, 8, NULL);
        CHECK_STATUS(status, CAIRN_RUNNING);
        CHECK_OK(cairn_grid_set_layer(w.kit.grid, 3, 3, 7)); /* nobody pays for it */
        CHECK_OK(cairn_grid_commit(w.kit.grid));
        CHECK_STATUS(cairn_planner_sync_step(w.kit.planner, 1, NULL), CAIRN_RUNNING);
        CHECK_OK(cairn_grid_set_open(w.kit.grid, 30, 8, !w.scene->open[8 * 40 + 30]));
        CHECK_OK(cairn_grid_commit(w.kit.grid));
        CHECK_OK(cairn_planner_sync(w.kit.planner, NULL, NULL));
        cairn_planner *with, *without;
        CHECK_OK(planner_ready(w.kit.space, "jps-plus:boxes=on", &with, NULL));
        CHECK_OK(planner_ready(w.kit.space, "jps-plus", &without, NULL));
        size_t size = cairn_planner_index_bytes(w.kit.planner);
        bool has_boxes = size >= cairn_planner_index_bytes(with);
        CHECK(has_boxes || size < cairn_planner_index_bytes(without) + 8192, "%zu bytes", size);
        if (has_boxes) check_as_built(&w.kit, "jps-plus:boxes=on");
        kept += has_boxes;
        dropped += !has_boxes;
        cairn_planner_destroy(with);
        cairn_planner_destroy(without);
        kit_end(&w.kit, w.scene);
        assert_int_equal(w.memory.blocks, 0);
    }
    CHECK(kept > 2 && dropped > 2, "%u kept, %u dropped", kept, dropped);
}

/* ---- memory ------------------------------------------------------------------------------- */

/* Once there have been some, repairs in slices need no more memory. */
static void repairs_of_jumps_need_no_memory(void **state)
{
    (void)state;
    slice_world w;
    half_done(&w, "jps-plus", false);
    scene_rng rng = {9};
    sync_in_slices(&w.kit, 10);
    for (uint32_t i = 0; i < 60; i++) {
        edit_some(&w.kit, w.scene, &rng);
        uint64_t calls = w.memory.calls;
        while (cairn_planner_sync_step(w.kit.planner, 1 + i % 5, NULL) == CAIRN_RUNNING) {
        }
        CHECK(!i || w.memory.calls == calls, "repair %u needs memory", i);
    }
    check_as_built(&w.kit, "jps-plus");
    kit_end(&w.kit, w.scene);
}

/* ---- what they take ----------------------------------------------------------------------- */

/* The next slice takes what it is granted, the last one perhaps less; none takes more. */
static cairn_status slice_within(kit *k, uint64_t granted, uint64_t *sum)
{
    uint64_t before = crn_index_work(k->planner);
    cairn_status status = cairn_planner_sync_step(k->planner, granted, NULL);
    uint64_t done = crn_index_work(k->planner) - before;
    const char *name = cairn_planner_algorithm(k->planner)->name;
    CHECK(done && done <= granted, "%s: %u of %u units", name, (uint32_t)done, (uint32_t)granted);
    CHECK(done == granted || status == CAIRN_OK, "%s: %u of %u units in the middle", name,
          (uint32_t)done, (uint32_t)granted);
    *sum += done;
    return status;
}

/* Units that a sync takes in slices of such a size. */
static uint64_t sync_within(kit *k, uint64_t granted)
{
    uint64_t sum = 0;
    while (slice_within(k, granted, &sum) == CAIRN_RUNNING) continue;
    CHECK_OK(cairn_planner_state(k->planner));
    return sum;
}

/* A build, and repairs of a few cells and of many. Small slices round up what they take, some work
 * is done again when they end, and nothing that is saved for a piece may get lost. */
static void slices_of(const char *spec, uint32_t place, uint32_t syncs)
{
    static const uint64_t sizes[] = {UINT32_MAX, 1, 7, 40, 256};
    uint64_t whole[4] = {0};
    for (uint32_t i = 0; i < 5; i++) {
        scene *s = place ? scene_noise("noise", 90, 70, 25, 4) : scene_rooms("rooms", 70, 90, 7, 4);
        kit k = kit_of_scene(s, NULL);
        scene_rng rng = {77};
        CHECK_OK(cairn_planner_create(k.space, spec, &k.planner, NULL));
        for (uint32_t sync = 0; sync < syncs; sync++) {
            for (uint32_t n = 0; sync && n < sync * 3; n++) edit_some(&k, s, &rng);
            uint64_t sum = sync_within(&k, sizes[i]);
            if (!i) whole[sync] = sum;
            CHECK(sum >= whole[sync] && sum <= 2 * whole[sync] + 64,
                  "%s: %u units in slices of %u, %u at once", spec, (uint32_t)sum,
                  (uint32_t)sizes[i], (uint32_t)whole[sync]);
        }
        check_as_built(&k, spec);
        kit_end(&k, s);
    }
}

static void no_slice_takes_more_than_it_is_granted(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        if (!(a->flags & CAIRN_SLICES)) continue;
        slices_of(a->name, 0, 4);
        slices_of(a->name, 1, 4);
    }
    slices_of("jps-plus:boxes=on", 0, 1); /* repairs drop the boxes */
    slices_of("mm:centres=optimised,sector=32", 1, 4);
    slices_of("mm:levels=3,sector=4", 1, 4);
    slices_of("hpa:levels=3", 0, 4);
    slices_of("hpa:levels=3,entrances=tiers", 0, 4);
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
        cmocka_unit_test(large_commits_are_read_in_slices),
        cmocka_unit_test(small_slices_are_more_slices),
        cmocka_unit_test(everything_else_ends_it_well),
        cmocka_unit_test(given_up_it_leaves_nothing),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(boxes_in_slices_are_those_of_a_build),
        cmocka_unit_test(a_commit_in_the_middle_of_boxes_drops_them),
        cmocka_unit_test(repairs_of_jumps_need_no_memory),
        cmocka_unit_test(no_slice_takes_more_than_it_is_granted),
        cmocka_unit_test(others_sync_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
