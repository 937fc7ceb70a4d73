/* test_conformance_index.c: the life of an index, for every algorithm that needs one: not built,
 * built, stale, synced, saved, loaded (copied and borrowed), refused, cancelled, without memory.
 * What counts is that a search either says why it cannot answer or answers as the oracle does.
 */
#include "conformance.h"
#include "files.h"
#include "graph_edits.h"
#include "polygon_world.h"

#include "search/algorithm.h"

/* ---- answers ------------------------------------------------------------------------- */

static void check_answers(subject *s)
{
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        const known_query *q = &s->place->queries[i];
        answer a = answer_find(s->search, &(cairn_query){.from = q->from, .to = q->to});
        check_known_answer(s, q, &a.path);
        answer_free(&a);
    }
}

/* All answers of one planner are those of another, to the node and to the counted step. */
static void check_same_answers(subject *s, cairn_planner *other)
{
    cairn_search *search;
    CHECK_OK(cairn_search_create(other, NULL, &search));
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        cairn_query query = {.from = s->place->queries[i].from, .to = s->place->queries[i].to};
        answer a = answer_find(s->search, &query), b = answer_find(search, &query);
        a.path.version = b.path.version = 0;
        CHECK(answer_same_path(&a, &b) && answer_same_metrics(&a, &b), "%s: another answer",
              subject_text(s));
        answer_free(&a), answer_free(&b);
    }
    cairn_search_destroy(search);
}

static bool needs_index(const subject *s)
{
    return s->algorithm->flags & CAIRN_NEEDS_INDEX;
}

static cairn_status ask(const cairn_planner *planner, const known_query *q)
{
    cairn_search *search;
    const cairn_path *path = NULL;
    CHECK_OK(cairn_search_create((cairn_planner *)(uintptr_t)planner, NULL, &search));
    cairn_status status =
        cairn_search_find(search, &(cairn_query){.from = q->from, .to = q->to}, &path);
    CHECK(status == CAIRN_FOUND || path->count == 0, "a path in spite of \"%s\"",
          cairn_status_text(status));
    cairn_search_destroy(search);
    return status;
}

/* ---- before it is built --------------------------------------------------------------- */

static void live_without(subject *s)
{
    cairn_planner *planner;
    cairn_store *store;
    CHECK_OK(cairn_planner_create(s->place->space, s->spec, &planner, NULL));
    CHECK_OK(cairn_store_create(s->place->context, &store));
    if (needs_index(s)) {
        CHECK_STATUS(cairn_planner_state(planner), CAIRN_NOT_BUILT);
        CHECK_STATUS(cairn_planner_save(planner, store, NULL), CAIRN_NOT_BUILT);
        assert_int_equal(cairn_planner_index_bytes(planner), 0);
        if (s->place->query_count)
            CHECK_STATUS(ask(planner, &s->place->queries[0]), CAIRN_NOT_BUILT);
        CHECK_OK(cairn_planner_sync(planner, NULL, NULL)); /* as good as building */
        assert_true(cairn_planner_index_bytes(planner) > 0);
        check_same_answers(s, planner);
    } else {
        cairn_error error = {0};
        CHECK_STATUS(cairn_planner_save(planner, store, &error), CAIRN_UNSUPPORTED);
        assert_true(error.text[0]);
    }
    CHECK_STATUS(cairn_planner_state(planner), CAIRN_OK);
    CHECK_OK(cairn_planner_build(planner, NULL, NULL)); /* again, or nothing to do */
    CHECK_OK(cairn_planner_sync(planner, NULL, NULL));
    CHECK_STATUS(cairn_planner_state(planner), CAIRN_OK);
    cairn_store_destroy(store);
    cairn_planner_destroy(planner);
}

static void without_its_index_a_planner_says_so(void **state)
{
    (void)state;
    conformance_each(PLACES_ALL | SETTINGS_ONE, live_without);
    conformance_each_with(CAIRN_NEEDS_INDEX, PLACES_FEW | SETTINGS_EACH, live_without);
}

/* ---- saved and loaded ----------------------------------------------------------------- */

static void load_and_compare(subject *s, const bytes *file, bool borrow)
{
    cairn_archive *archive = opened(s->place->context, file);
    cairn_planner *planner;
    cairn_error error = {0};
    CHECK_OK(cairn_planner_create(s->place->space, s->spec, &planner, NULL));
    CHECK(cairn_planner_load(planner, archive, borrow, &error) == CAIRN_OK, "%s: %s",
          subject_text(s), error.text);
    CHECK_STATUS(cairn_planner_state(planner), CAIRN_OK);
    /* what only repairing needs may be missing */
    size_t bytes_now = cairn_planner_index_bytes(planner);
    assert_true(bytes_now > 0 && bytes_now <= cairn_planner_index_bytes(s->planner));
    if (!borrow) cairn_archive_close(archive);
    check_same_answers(s, planner);
    bytes again = saved(planner);
    CHECK(bytes_same(file, &again), "%s: saved again it is another file", subject_text(s));
    bytes_free(&again);
    if (borrow) { /* what is loaded can be replaced */
        CHECK_OK(cairn_planner_load(planner, archive, false, NULL));
        CHECK_OK(cairn_planner_build(planner, NULL, NULL));
    }
    cairn_planner_destroy(planner);
    if (borrow) cairn_archive_close(archive);
}

static void save_and_load(subject *s)
{
    bytes file = saved(s->planner);
    load_and_compare(s, &file, false);
    load_and_compare(s, &file, true);
    bytes_free(&file);
}

static void what_was_saved_and_loaded_answers_as_what_was_built(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_NEEDS_INDEX, PLACES_ALL | SETTINGS_ONE, save_and_load);
    conformance_each_with(CAIRN_NEEDS_INDEX, PLACES_FEW | SETTINGS_EACH, save_and_load);
}

/* Loading must fail with this status and a reason, and leave a planner without an index. */
static void check_load_refused(subject *s, cairn_space *space, const char *spec, const bytes *file,
                               cairn_status why)
{
    cairn_archive *archive = opened(s->place->context, file);
    cairn_planner *planner;
    cairn_error error = {0};
    CHECK_OK(cairn_planner_create(space, spec, &planner, NULL));
    cairn_status status = cairn_planner_load(planner, archive, true, &error);
    CHECK(status == why && error.status == why && error.text[0], "%s: \"%s\" (%s), not \"%s\"",
          spec, cairn_status_text(status), error.text, cairn_status_text(why));
    CHECK_STATUS(cairn_planner_state(planner), CAIRN_NOT_BUILT);
    cairn_planner_destroy(planner);
    cairn_archive_close(archive);
}

/* A grid whose space differs from the place's by one cell. */
static void check_other_world_refused(subject *s, const bytes *file)
{
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(scene_grid(s->place->scene, s->place->context, &grid));
    CHECK_OK(cairn_grid_set_open(grid, 0, 0, !cairn_grid_is_open(grid, 0, 0)));
    CHECK_OK(cairn_grid_commit(grid));
    CHECK_OK(cairn_space_of_grid(grid, &s->place->profile, &space, NULL));
    check_load_refused(s, space, s->spec, file, CAIRN_STALE);
    cairn_space_destroy(space);
    cairn_profile other = s->place->profile;
    other.terrain_cost[7]++;
    CHECK_OK(cairn_space_of_grid(grid, &other, &space, NULL));
    check_load_refused(s, space, s->spec, file, CAIRN_STALE);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

/* A planner loads the index of one that differs in parameters of searches, and of no other. */
static void load_with_setting(subject *s, const char *spec, const bytes *file)
{
    const crn_algorithm *algorithm = s->planner->algorithm;
    cairn_planner *planner;
    bool fits = true;
    CHECK_OK(cairn_planner_create(s->place->space, spec, &planner, NULL));
    for (uint32_t i = 0; i < algorithm->info.parameter_count; i++) {
        if (cairn_planner_parameter(planner, i) != cairn_planner_parameter(s->planner, i))
            fits = fits && algorithm->index->of_searches >> i & 1;
    }
    if (fits) {
        cairn_archive *archive = opened(s->place->context, file);
        CHECK_OK(cairn_planner_load(planner, archive, false, NULL));
        CHECK_OK(cairn_planner_state(planner));
        cairn_archive_close(archive);
    } else {
        check_load_refused(s, s->place->space, spec, file, CAIRN_BAD_DATA);
    }
    cairn_planner_destroy(planner);
}

static void load_the_wrong_one(subject *s)
{
    bytes file = saved(s->planner);
    if (s->place->grid) check_other_world_refused(s, &file);
    char spec[160];
    for (uint32_t i = 1; conformance_setting(s->algorithm, SETTINGS_EACH, i, spec, sizeof spec);
         i++) {
        load_with_setting(s, spec, &file);
    }
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        if (a == s->algorithm || !(a->flags & CAIRN_NEEDS_INDEX) ||
            !conformance_claims(a, s->place))
            continue;
        check_load_refused(s, s->place->space, a->name, &file, CAIRN_BAD_DATA);
    }
    bytes_free(&file);
    cairn_store *store; /* a file with nothing in it that is of use */
    CHECK_OK(cairn_store_create(s->place->context, &store));
    CHECK_OK(cairn_store_add(store, "something", (cairn_bytes){"else", 4}, 1, false));
    file = bytes_of(store);
    check_load_refused(s, s->place->space, s->spec, &file, CAIRN_BAD_DATA);
    cairn_store_destroy(store);
    bytes_free(&file);
}

static void an_index_of_something_else_is_refused(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_NEEDS_INDEX, PLACES_FEW | SETTINGS_ONE, load_the_wrong_one);
}

/* Any bit of the file is flipped: it is not even opened. (Sections whose checksums are right are
 * the algorithms' own business: tests/test_alt.c and others.) */
static void damage(subject *s)
{
    bytes file = saved(s->planner);
    for (size_t i = 0; i < file.size * 8; i += 1 + file.size / 300) {
        file.data[i / 8] = (uint8_t)(file.data[i / 8] ^ 1u << i % 8);
        cairn_archive *archive = NULL;
        CHECK_STATUS(cairn_archive_open(s->place->context, (cairn_bytes){file.data, file.size}, 0,
                                        &archive, NULL),
                     CAIRN_BAD_DATA);
        file.data[i / 8] = (uint8_t)(file.data[i / 8] ^ 1u << i % 8);
    }
    bytes_free(&file);
}

static void a_damaged_index_is_refused(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_NEEDS_INDEX, PLACES_FEW | SETTINGS_ONE, damage);
}

/* ---- edits ----------------------------------------------------------------------------- */

/* The scene's arrays follow, so that the oracle sees the same world. */
static void edit_cell(place *p, scene_rng *rng, uint32_t kind)
{
    scene *s = p->scene;
    uint32_t at = scene_random(rng, s->width * s->height);
    int32_t x = (int32_t)(at % s->width), y = (int32_t)(at / s->width);
    if (kind == 2 && s->terrain) {
        s->terrain[at] = (uint8_t)scene_random(rng, 4);
        CHECK_OK(cairn_grid_set_terrain(p->grid, x, y, s->terrain[at]));
    } else if (kind == 3 && s->layer) {
        s->layer[at] = (uint8_t)scene_random(rng, 256);
        CHECK_OK(cairn_grid_set_layer(p->grid, x, y, s->layer[at]));
    } else if (kind == 4 && s->elevation) {
        s->elevation[at] = (int16_t)scene_random(rng, 6);
        CHECK_OK(cairn_grid_set_elevation(p->grid, x, y, s->elevation[at]));
    } else {
        s->open[at] = kind == 1 || (kind > 1 && scene_random(rng, 2));
        CHECK_OK(cairn_grid_set_open(p->grid, x, y, s->open[at]));
    }
}

/* Kind 0 only closes; the others may also open and change costs. */
static void edit(place *p, scene_rng *rng, uint32_t round)
{
    uint32_t kind = round % 6;
    for (uint32_t i = 0; i < 1 + round % 5; i++)
        edit_cell(p, rng, kind == 5 ? scene_random(rng, 5) : kind);
    CHECK_OK(cairn_grid_commit(p->grid));
}

static oracle *oracle_now(const place *p)
{
    oracle_grid raw = scene_raw(p->scene);
    return oracle_of_grid(&raw, &p->profile, cairn_space_scale(p->space));
}

enum { ROUNDS = 21 };

/* All planners of a place live through the same edits: an oracle for each round serves them all. */
typedef struct history {
    char place[sizeof(((place *)0)->name)];
    oracle *after[ROUNDS];
} history;

static history past;

static void forget_the_past(void)
{
    for (uint32_t i = 0; i < ROUNDS; i++) oracle_destroy(past.after[i]);
    past = (history){0};
}

static oracle *oracle_after(const place *p, uint32_t round)
{
    if (strcmp(past.place, p->name) != 0) {
        forget_the_past();
        memcpy(past.place, p->name, sizeof past.place);
    }
    if (!past.after[round]) past.after[round] = oracle_now(p);
    return past.after[round];
}

static void check_random_answers(subject *s, scene_rng *rng)
{
    const oracle *o = s->place->oracle;
    for (uint32_t i = 0; i < 4; i++) {
        cairn_node from = scene_random(rng, o->count), to = scene_random(rng, o->count);
        if (!o->usable[from] || !o->usable[to]) continue;
        oracle_search(s->place->oracle, from);
        known_query q = {from, to, o->distance[to], o->steps[to]};
        answer a = answer_find(s->search, &(cairn_query){.from = from, .to = to});
        check_known_answer(s, &q, &a.path);
        answer_free(&a);
    }
}

static graph_scene *graph_scene_named(const char *name)
{
    for (uint32_t i = 0; i < graph_scene_count(); i++) {
        graph_scene *s = graph_scene_at(i);
        if (!strcmp(s->name, name)) return s;
        graph_scene_destroy(s);
    }
    return NULL;
}

/* The same on graphs. */
static void edit_graph_and_sync(subject *s)
{
    place *p = place_of_graph(graph_scene_named(s->place->drawn->name));
    subject own;
    assert_true(subject_open(&own, p, s->algorithm, s->spec));
    drawn_graph drawn = drawn_of(p->graph);
    scene_rng rng = {p->oracle->count + 1};
    for (uint32_t round = 0; round < 6; round++) {
        uint64_t before = cairn_space_version(p->space);
        for (uint32_t i = 0; i < 1 + round % 5; i++) drawn_edit(&drawn, p->graph, &rng);
        CHECK_OK(cairn_graph_commit(p->graph));
        bool stale = cairn_space_version(p->space) != before;
        CHECK_STATUS(cairn_planner_state(own.planner), stale ? CAIRN_STALE : CAIRN_OK);
        if (stale) CHECK_STATUS(ask(own.planner, &p->queries[0]), CAIRN_STALE);
        CHECK_OK(cairn_planner_sync(own.planner, NULL, NULL));
        CHECK_STATUS(cairn_planner_state(own.planner), CAIRN_OK);
        oracle_destroy(p->oracle);
        p->oracle = drawn_oracle(&drawn);
        check_random_answers(&own, &rng);
    }
    p->query_count = 0; /* what they say is of another world by now */
    save_and_load(&own);
    drawn_free(&drawn);
    subject_close(&own);
    place_destroy(p);
}

static void edit_and_sync(subject *s)
{
    if (!s->place->query_count) return;
    if (s->place->polygons) return; /* test_polygon_world.c */
    if (!s->place->grid) {
        edit_graph_and_sync(s);
        return;
    }
    place *p = place_of_scene(scene_named(s->place->scene->name), s->place->profile.neighbours,
                              s->place->profile.corners);
    subject own;
    assert_true(subject_open(&own, p, s->algorithm, s->spec));
    scene_rng rng = {p->oracle->count + 1};
    uint64_t synced = cairn_grid_version(p->grid);
    oracle *at_first = p->oracle;
    uint32_t rounds = strchr(s->spec, ':') ? ROUNDS / 3 : ROUNDS;
    /* rebuilt each time, it remembers nothing */
    if (!(s->algorithm->flags & CAIRN_REPAIRS)) rounds /= 3;
    for (uint32_t round = 0; round < rounds; round++) {
        edit(p, &rng, round);
        bool stale = cairn_grid_version(p->grid) != synced;
        CHECK_STATUS(cairn_planner_state(own.planner), stale ? CAIRN_STALE : CAIRN_OK);
        if (stale) {
            cairn_store *store;
            CHECK_STATUS(ask(own.planner, &p->queries[0]), CAIRN_STALE);
            CHECK_OK(cairn_store_create(p->context, &store));
            CHECK_STATUS(cairn_planner_save(own.planner, store, NULL), CAIRN_STALE);
            cairn_store_destroy(store);
        }
        if (round % 7 == 3) continue; /* several commits, one sync */
        CHECK_OK(cairn_planner_sync(own.planner, NULL, NULL));
        CHECK_STATUS(cairn_planner_state(own.planner), CAIRN_OK);
        synced = cairn_grid_version(p->grid);
        p->oracle = oracle_after(p, round);
        check_random_answers(&own, &rng);
        if (round % 10) continue;
        p->query_count = 0; /* what they say is of another world by now */
        save_and_load(&own);
    }
    p->oracle = at_first;
    subject_close(&own);
    place_destroy(p);
}

static void after_a_commit_it_is_stale_until_synced_and_then_right(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_NEEDS_INDEX, PLACES_ALL | SETTINGS_ONE, edit_and_sync);
    conformance_each_with(CAIRN_NEEDS_INDEX, PLACES_FEW | SETTINGS_EACH, edit_and_sync);
    forget_the_past();
}

/* More commits than the grid remembers. */
static void sync_late(subject *s)
{
    if (!s->place->grid || !s->place->query_count) return;
    bool open = s->place->scene->open[0];
    for (uint32_t i = 0; i < 200; i++) {
        open = !open;
        CHECK_OK(cairn_grid_set_open(s->place->grid, 0, 0, open));
        CHECK_OK(cairn_grid_commit(s->place->grid));
    }
    CHECK_STATUS(cairn_planner_state(s->planner), CAIRN_STALE);
    CHECK_OK(cairn_planner_sync(s->planner, NULL, NULL));
    check_answers(s);
}

static void whoever_syncs_too_late_builds_anew(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_NEEDS_INDEX, PLACES_FEW | SETTINGS_ONE, sync_late);
}

/* ---- progress ------------------------------------------------------------------------- */

typedef struct watcher {
    uint64_t calls, last, total, stop_at; /* the call that says no; 0 = none */
    bool backwards;
} watcher;

static bool watch(void *user, uint64_t done, uint64_t total)
{
    watcher *w = user;
    if (done < w->last || done > total || (w->calls && total != w->total)) w->backwards = true;
    w->last = done;
    w->total = total;
    return ++w->calls != w->stop_at;
}

static void build_watched(subject *s)
{
    watcher w = {0};
    cairn_progress progress = {watch, &w};
    CHECK_OK(cairn_planner_build(s->planner, &progress, NULL));
    if (!needs_index(s)) {
        assert_int_equal(w.calls, 0);
        return;
    }
    CHECK(w.calls > 1 && !w.backwards && w.last == w.total, "%s: %u reports, up to %u of %u",
          subject_text(s), (unsigned)w.calls, (unsigned)w.last, (unsigned)w.total);
    for (uint64_t stop = 1; stop <= w.calls; stop++) {
        watcher impatient = {.stop_at = stop};
        cairn_progress reports = {watch, &impatient};
        cairn_error error = {0};
        CHECK_STATUS(cairn_planner_build(s->planner, &reports, &error), CAIRN_CANCELLED);
        assert_true(error.status == CAIRN_CANCELLED && error.text[0] && impatient.calls == stop);
        CHECK_STATUS(cairn_planner_state(s->planner), CAIRN_NOT_BUILT);
        assert_int_equal(cairn_planner_index_bytes(s->planner), 0);
    }
    CHECK_OK(cairn_planner_build(s->planner, NULL, NULL));
    check_answers(s);
}

static void progress_rises_to_the_end_and_can_be_cancelled_anywhere(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_ONE, build_watched);
}

/* Syncs after edits, each cancelled one report later than the last one, until one gets through.
 * Whatever a repair had done by then, there is no index, and the next sync makes a right one. */
static void sync_watched(subject *s)
{
    if (!s->place->grid || !s->place->query_count) return;
    place *p = place_of_scene(scene_named(s->place->scene->name), s->place->profile.neighbours,
                              s->place->profile.corners);
    subject own;
    assert_true(subject_open(&own, p, s->algorithm, s->spec));
    scene_rng rng = {p->oracle->count + 2};
    cairn_status status = CAIRN_CANCELLED;
    for (uint64_t stop = 1; status == CAIRN_CANCELLED; stop++) {
        watcher w = {.stop_at = stop};
        cairn_progress progress = {watch, &w};
        cairn_error error = {0};
        uint64_t before = cairn_grid_version(p->grid);
        while (cairn_grid_version(p->grid) == before) edit(p, &rng, 5);
        status = cairn_planner_sync(own.planner, &progress, &error);
        CHECK(!w.backwards, "%s: %u of %u is no progress", subject_text(s), (unsigned)w.last,
              (unsigned)w.total);
        if (status == CAIRN_OK) {
            CHECK(w.calls || strcmp(s->algorithm->family, "hierarchy") != 0, "%s: no report",
                  subject_text(s));
            CHECK(w.calls < stop && w.last == w.total, "%s: %u of %u, and nothing after it",
                  subject_text(s), (unsigned)w.last, (unsigned)w.total);
        } else {
            CHECK(status == CAIRN_CANCELLED && error.text[0] && w.calls == stop, "%s: %s",
                  subject_text(s), cairn_status_text(status));
            CHECK_STATUS(cairn_planner_state(own.planner), CAIRN_NOT_BUILT);
            assert_int_equal(cairn_planner_index_bytes(own.planner), 0);
            CHECK_OK(cairn_planner_sync(own.planner, NULL, NULL));
        }
        oracle_destroy(p->oracle);
        p->oracle = oracle_now(p);
        check_random_answers(&own, &rng);
    }
    CHECK_OK(status);
    subject_close(&own);
    place_destroy(p);
}

static void a_cancelled_sync_leaves_no_index_and_the_next_one_is_right(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_NEEDS_INDEX, PLACES_FEW | SETTINGS_ONE, sync_watched);
}

/* ---- workers --------------------------------------------------------------------------- */

static bytes built_with_workers(const subject *s, uint32_t workers)
{
    cairn_context_options options = cairn_context_defaults();
    options.workers = workers;
    cairn_context *context;
    cairn_grid *grid = NULL;
    cairn_graph *graph = NULL;
    cairn_space *space;
    cairn_planner *planner;
    CHECK_OK(cairn_context_create(&options, &context));
    if (s->place->scene) {
        CHECK_OK(scene_grid(s->place->scene, context, &grid));
        CHECK_OK(cairn_space_of_grid(grid, &s->place->profile, &space, NULL));
    } else if (s->place->polygons) {
        space = &polygon_world_create(context, s->place->polygons)->base;
    } else {
        CHECK_OK(graph_scene_graph(s->place->drawn, context, &graph));
        CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    }
    CHECK_OK(planner_ready(space, s->spec, &planner, NULL));
    bytes b = saved(planner);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_graph_destroy(graph);
    cairn_context_destroy(context);
    return b;
}

static void build_with_workers(subject *s)
{
    bytes alone = saved(s->planner);
    for (uint32_t workers = 1; workers <= 4; workers++) {
        bytes together = built_with_workers(s, workers);
        CHECK(bytes_same(&alone, &together), "%s: %u workers build something else", subject_text(s),
              workers);
        bytes_free(&together);
    }
    bytes_free(&alone);
}

static void any_number_of_workers_builds_the_same_bytes(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_NEEDS_INDEX, PLACES_FEW | SETTINGS_ONE, build_with_workers);
}

/* ---- memory ---------------------------------------------------------------------------- */

typedef cairn_status job(subject *s, cairn_planner *planner, const bytes *file);

static cairn_status job_build(subject *s, cairn_planner *planner, const bytes *file)
{
    (void)s;
    (void)file;
    return cairn_planner_build(planner, NULL, NULL);
}

static cairn_status job_save(subject *s, cairn_planner *planner, const bytes *file)
{
    (void)planner;
    (void)file;
    cairn_store *store = NULL;
    cairn_status status = cairn_store_create(s->place->context, &store);
    if (status == CAIRN_OK) status = cairn_planner_save(s->planner, store, NULL);
    cairn_store_destroy(store);
    return status;
}

static cairn_status job_load(subject *s, cairn_planner *planner, const bytes *file)
{
    cairn_archive *archive = NULL;
    cairn_status status = cairn_archive_open(
        s->place->context, (cairn_bytes){file->data, file->size}, 0, &archive, NULL);
    if (status == CAIRN_OK) status = cairn_planner_load(planner, archive, false, NULL);
    cairn_archive_close(archive);
    return status;
}

/* Each allocation of the job fails once; the planner then has no index, and nothing is lost. */
static void fail_job(subject *s, job *work, bool makes_index, const bytes *file)
{
    watched *memory = &s->place->memory;
    for (uint64_t k = 1, failed = 1; failed; k++) {
        cairn_planner *planner;
        CHECK_OK(cairn_planner_create(s->place->space, s->spec, &planner, NULL));
        size_t held = memory->bytes;
        uint64_t failures = memory->failures;
        memory->fail_at = memory->calls + k;
        cairn_status status = work(s, planner, file);
        memory->fail_at = 0;
        failed = memory->failures - failures;
        CHECK_STATUS(status, failed ? CAIRN_OUT_OF_MEMORY : CAIRN_OK);
        if (failed) {
            assert_int_equal(memory->bytes, held);
            CHECK_STATUS(cairn_planner_state(planner), CAIRN_NOT_BUILT);
            CHECK_OK(work(s, planner, file)); /* with memory it goes on as if nothing had been */
        }
        if (makes_index) check_same_answers(s, planner);
        cairn_planner_destroy(planner);
        CHECK(k < 5000, "%s: too many allocations", subject_text(s));
    }
}

static void fail_jobs(subject *s)
{
    bytes file = saved(s->planner);
    fail_job(s, job_build, true, &file);
    fail_job(s, job_save, false, &file);
    fail_job(s, job_load, true, &file);
    bytes_free(&file);
}

static void without_memory_there_is_no_index_and_nothing_is_lost(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_NEEDS_INDEX, PLACES_FEW | SETTINGS_ONE, fail_jobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_its_index_a_planner_says_so),
        cmocka_unit_test(what_was_saved_and_loaded_answers_as_what_was_built),
        cmocka_unit_test(an_index_of_something_else_is_refused),
        cmocka_unit_test(a_damaged_index_is_refused),
        cmocka_unit_test(after_a_commit_it_is_stale_until_synced_and_then_right),
        cmocka_unit_test(whoever_syncs_too_late_builds_anew),
        cmocka_unit_test(progress_rises_to_the_end_and_can_be_cancelled_anywhere),
        cmocka_unit_test(a_cancelled_sync_leaves_no_index_and_the_next_one_is_right),
        cmocka_unit_test(any_number_of_workers_builds_the_same_bytes),
        cmocka_unit_test(without_memory_there_is_no_index_and_nothing_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
