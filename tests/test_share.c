/* test_share.c: indexes that planners share, and indexes that are built on those of other planners.
 * test_conformance_share.c asks every algorithm; here is what the functions of an index say through
 * a sharer, what is refused, who keeps whom alive, and an algorithm of this test whose index is made
 * of that of `hpa`.
 */
#include "files.h"
#include "hierarchy/hpa/hpa_index.h"
#include "kit.h"
#include "search/search.h"
#include "store/container.h"

#include <pthread.h>

static kit share_kit(uint32_t side)
{
    scene *s = scene_rooms("rooms", side, side, 9, 4);
    for (uint32_t i = 0; i < side; i++) s->open[i] = s->open[i * side + side - 1] = true;
    kit k = kit_of_scene(s, NULL);
    scene_destroy(s);
    return k;
}

static cairn_planner *made(kit *k, const char *spec)
{
    cairn_planner *planner;
    cairn_error error = {0};
    CHECK(cairn_planner_create(k->space, spec, &planner, &error) == CAIRN_OK, "%s: %s", spec,
          error.text);
    return planner;
}

static cairn_planner *sharing(kit *k, const char *spec, cairn_planner *with)
{
    cairn_planner *planner = made(k, spec);
    CHECK_OK(cairn_planner_share(planner, with, NULL));
    return planner;
}

static void toggle(kit *k, int32_t x, int32_t y)
{
    CHECK_OK(cairn_grid_set_open(k->grid, x, y, !cairn_grid_is_open(k->grid, x, y)));
    CHECK_OK(cairn_grid_commit(k->grid));
}

static cairn_status asked(cairn_search *search, cairn_cost *cost)
{
    const cairn_path *path;
    uint32_t count = search->space->node_count;
    cairn_status status = cairn_search_find(search, &(cairn_query){.to = count - 1}, &path);
    *cost = path->cost;
    return status;
}

/* ---- what is refused ------------------------------------------------------------------------ */

static void refused(cairn_planner *planner, cairn_planner *with, cairn_status why, const char *text)
{
    cairn_error error = {0};
    CHECK_STATUS(cairn_planner_share(planner, with, &error), why);
    CHECK(error.status == why && strstr(error.text, text), "\"%s\" does not say \"%s\"", error.text,
          text);
    CHECK_STATUS(cairn_planner_share(planner, with, NULL), why);
}

static void what_cannot_be_shared_is_refused_with_a_reason(void **state)
{
    (void)state;
    kit k = share_kit(40);
    cairn_space *other;
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &other, NULL));
    cairn_planner *owner = made(&k, "hpa"), *hpa = made(&k, "hpa:smooth=rays"),
                  *size = made(&k, "hpa:size=10"), *dhpa = made(&k, "dhpa"),
                  *astar = made(&k, "astar"), *elsewhere;
    CHECK_OK(cairn_planner_create(other, "hpa", &elsewhere, NULL));
    refused(NULL, owner, CAIRN_INVALID, "no planner");
    refused(hpa, NULL, CAIRN_INVALID, "no planner");
    refused(hpa, hpa, CAIRN_INVALID, "the same index already");
    refused(size, owner, CAIRN_INVALID, "different values of size");
    refused(dhpa, owner, CAIRN_INVALID, "dhpa cannot use an index of hpa");
    refused(astar, owner, CAIRN_UNSUPPORTED, "astar has no index");
    refused(elsewhere, owner, CAIRN_INVALID, "different spaces");
    cairn_search *search;
    CHECK_OK(cairn_search_create(hpa, NULL, &search));
    refused(hpa, owner, CAIRN_INVALID, "in use");
    cairn_search_destroy(search);
    CHECK_OK(cairn_planner_share(hpa, owner, NULL));
    refused(hpa, owner, CAIRN_INVALID, "the same index already");
    refused(owner, hpa, CAIRN_INVALID, "the same index already");
    cairn_planner *third = made(&k, "hpa");
    refused(owner, third, CAIRN_INVALID, "in use");
    cairn_planner_destroy(third);
    cairn_planner *all[] = {owner, hpa, size, dhpa, astar, elsewhere};
    for (uint32_t i = 0; i < 6; i++) cairn_planner_destroy(all[i]);
    cairn_space_destroy(other);
    kit_close(&k);
}

/* ---- one index ------------------------------------------------------------------------------- */

static void a_sharer_of_a_sharer_has_the_index_of_the_first(void **state)
{
    (void)state;
    kit k = share_kit(40);
    cairn_planner *owner = made(&k, "hpa"), *a = sharing(&k, "hpa:smooth=rays", owner),
                  *b = sharing(&k, "hpa:insert=astar", a), *other = made(&k, "hpa");
    CHECK_STATUS(cairn_planner_state(b), CAIRN_NOT_BUILT);
    CHECK_OK(cairn_planner_build(a, NULL, NULL)); /* for all of them */
    cairn_planner *all[] = {owner, a, b};
    for (uint32_t i = 0; i < 3; i++) CHECK_OK(cairn_planner_state(all[i]));
    CHECK(cairn_planner_index_bytes(owner) > 0, "no bytes");
    assert_true(!cairn_planner_index_bytes(a) && !cairn_planner_index_bytes(b));
    cairn_planner_destroy(owner);
    cairn_planner_destroy(a); /* b keeps the first one, not this */
    CHECK_OK(cairn_planner_state(b));
    CHECK_OK(cairn_planner_share(b, other, NULL)); /* another index instead */
    CHECK_STATUS(cairn_planner_state(b), CAIRN_NOT_BUILT);
    cairn_planner_destroy(other);
    CHECK_OK(cairn_planner_sync(b, NULL, NULL));
    cairn_planner_destroy(b);
    kit_close(&k);
}

/* Files say what the planner through which they were saved is, and load where that is. */
static void files_are_saved_and_loaded_through_any_of_them(void **state)
{
    (void)state;
    kit k = share_kit(40);
    cairn_planner *owner = made(&k, "hpa"), *sharer = sharing(&k, "hpa:smooth=rays", owner);
    CHECK_OK(cairn_planner_build(owner, NULL, NULL));
    bytes file = saved(sharer);
    cairn_archive *archive = opened(k.context, &file);
    cairn_index_info info;
    CHECK_OK(cairn_archive_index(archive, &info, NULL));
    CHECK(strstr(info.spec, "smooth=rays"), "%s", info.spec);
    CHECK_OK(cairn_planner_load(owner, archive, true, NULL)); /* only searches differ */
    CHECK_OK(cairn_planner_state(sharer));
    CHECK_OK(cairn_planner_load(sharer, archive, true, NULL));
    CHECK_OK(cairn_planner_state(owner));
    assert_true(cairn_planner_index_bytes(owner) && !cairn_planner_index_bytes(sharer));
    cairn_archive_close(archive);
    cairn_store *store; /* keeps all that it needs */
    CHECK_OK(cairn_store_create(k.context, &store));
    CHECK_OK(cairn_planner_save(sharer, store, NULL));
    cairn_planner_destroy(owner);
    cairn_planner_destroy(sharer);
    bytes again = bytes_of(store);
    cairn_store_destroy(store);
    CHECK(bytes_same(&file, &again), "another file");
    bytes_free(&file), bytes_free(&again);
    kit_close(&k);
}

static void clusters_given_to_one_are_those_of_all(void **state)
{
    (void)state;
    kit k = share_kit(30);
    static uint16_t halves[900];
    for (uint32_t i = 450; i < 900; i++) halves[i] = 1;
    cairn_planner *owner = made(&k, "cluster-table"), *sharer = sharing(&k, "cluster-table", owner);
    CHECK_OK(cairn_planner_build(owner, NULL, NULL));
    size_t before = cairn_planner_index_bytes(owner);
    CHECK_OK(cairn_planner_set_clusters(sharer, halves, NULL));
    CHECK_STATUS(cairn_planner_state(owner), CAIRN_NOT_BUILT);
    CHECK_OK(cairn_planner_sync(owner, NULL, NULL));
    CHECK_OK(cairn_planner_state(sharer));
    CHECK(cairn_planner_index_bytes(owner) < before, "not of two clusters");
    cairn_planner_destroy(owner);
    cairn_planner_destroy(sharer);
    kit_close(&k);
}

/* ---- slices and the background ---------------------------------------------------------------- */

static void slices_begun_through_one_are_continued_through_another(void **state)
{
    (void)state;
    kit k = share_kit(60);
    cairn_planner *owner = made(&k, "hpa:size=10"),
                  *sharer = sharing(&k, "hpa:size=10,smooth=rays", owner);
    CHECK_OK(cairn_planner_build(owner, NULL, NULL));
    cairn_search *search;
    cairn_cost cost;
    CHECK_OK(cairn_search_create(sharer, NULL, &search));
    CHECK_STATUS(asked(search, &cost), CAIRN_FOUND);
    toggle(&k, 30, 30);
    toggle(&k, 50, 10);
    uint32_t steps = 0;
    cairn_status status = CAIRN_RUNNING;
    for (; status == CAIRN_RUNNING; steps++) {
        CHECK(cairn_planner_state(owner) != CAIRN_OK && asked(search, &cost) != CAIRN_FOUND,
              "unfinished");
        status = cairn_planner_sync_step(steps % 2 ? owner : sharer, 1, NULL);
    }
    CHECK_OK(status);
    CHECK(steps > 2, "%u slices prove nothing", steps);
    CHECK_STATUS(asked(search, &cost), CAIRN_FOUND);
    toggle(&k, 30, 30);
    CHECK_STATUS(cairn_planner_sync_step(owner, 1, NULL), CAIRN_RUNNING);
    cairn_planner_sync_abandon(sharer);
    CHECK_STATUS(cairn_planner_state(owner), CAIRN_NOT_BUILT);
    cairn_search_destroy(search);
    cairn_planner_destroy(owner);
    cairn_planner_destroy(sharer);
    kit_close(&k);
}

static void a_sync_in_the_background_is_for_all(void **state)
{
    (void)state;
    cairn_context_options options = cairn_context_defaults();
    options.workers = 1;
    kit k = {0};
    CHECK_OK(cairn_context_create(&options, &k.context));
    CHECK_OK(random_grid(k.context, 60, 60, 20, 8, &k.grid));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    cairn_planner *owner = made(&k, "pra"), *sharer = sharing(&k, "pra:ground=cliques", owner);
    CHECK_OK(cairn_planner_build(sharer, NULL, NULL));
    cairn_search *search;
    CHECK_OK(cairn_search_create(sharer, NULL, &search));
    for (uint32_t round = 0; round < 4; round++) {
        toggle(&k, 30 + (int32_t)round, 30);
        CHECK_STATUS(cairn_planner_state(sharer), CAIRN_STALE);
        CHECK_STATUS(cairn_planner_sync_begin(round % 2 ? owner : sharer, NULL), CAIRN_RUNNING);
        CHECK_OK(cairn_planner_state(sharer)); /* the old one serves */
        CHECK_OK(cairn_planner_state(owner));
        const cairn_path *path;
        cairn_status status = cairn_search_find(search, &(cairn_query){.to = 3599}, &path);
        CHECK(status != CAIRN_NOT_BUILT, "the old index serves");
        cairn_cost cost;
        if (status == CAIRN_FOUND)
            CHECK(cairn_path_valid(k.space, path, &cost, NULL, NULL), "a path of another world");
        CHECK_OK(cairn_planner_sync_end(round % 2 ? sharer : owner, true, NULL));
        CHECK_OK(cairn_planner_state(sharer));
    }
    cairn_search_destroy(search);
    cairn_planner_destroy(owner);
    cairn_planner_destroy(sharer);
    kit_close(&k);
}

/* A search that runs while the index changes must begin again, whoever changed it. */
static void searches_notice_what_another_planner_did(void **state)
{
    (void)state;
    kit k = share_kit(60);
    cairn_planner *owner = made(&k, "hpa"), *sharer = sharing(&k, "hpa", owner);
    CHECK_OK(cairn_planner_build(owner, NULL, NULL));
    cairn_search *search;
    CHECK_OK(cairn_search_create(sharer, NULL, &search));
    CHECK_STATUS(cairn_search_begin(search, &(cairn_query){.to = 3599}), CAIRN_RUNNING);
    CHECK_STATUS(cairn_search_step(search, 1), CAIRN_RUNNING);
    CHECK_OK(cairn_planner_build(owner, NULL, NULL));
    CHECK_STATUS(cairn_search_step(search, 1), CAIRN_STALE);
    cairn_search_destroy(search);
    cairn_planner_destroy(owner);
    cairn_planner_destroy(sharer);
    kit_close(&k);
}

/* ---- who keeps whom alive ---- */

enum { OWNER, SHARER, OWNER_SEARCH, SHARER_SEARCH, OBJECTS };

static void lives_in_order(const char *spec, uint32_t number)
{
    watched memory = {0};
    kit k = {0};
    CHECK_OK(watched_context(&memory, &k.context));
    CHECK_OK(random_grid(k.context, 20, 20, 10, 1, &k.grid));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    cairn_planner *planners[2] = {made(&k, spec)};
    CHECK_OK(cairn_planner_build(planners[OWNER], NULL, NULL));
    planners[SHARER] = sharing(&k, spec, planners[OWNER]);
    cairn_search *searches[2];
    for (uint32_t i = 0; i < 2; i++) CHECK_OK(cairn_search_create(planners[i], NULL, &searches[i]));
    cairn_cost cost, now;
    cairn_status found = asked(searches[0], &cost);
    kit_close(&k);
    bool gone[OBJECTS] = {false};
    uint32_t left[OBJECTS] = {OWNER, SHARER, OWNER_SEARCH, SHARER_SEARCH};
    for (uint32_t count = OBJECTS; count; count--) {
        uint32_t chosen = number % count, which = left[chosen];
        number /= count;
        gone[which] = true;
        if (which < OWNER_SEARCH)
            cairn_planner_destroy(planners[which]);
        else
            cairn_search_destroy(searches[which - OWNER_SEARCH]);
        memmove(left + chosen, left + chosen + 1, (count - chosen - 1) * sizeof *left);
        for (uint32_t i = 0; i < 2; i++) {
            if (!gone[i]) CHECK_OK(cairn_planner_build(planners[i], NULL, NULL));
            if (gone[OWNER_SEARCH + i]) continue;
            CHECK_STATUS(asked(searches[i], &now), found);
            assert_int_equal(now, cost);
        }
    }
    CHECK(!memory.blocks && !memory.wrong_size, "%s: %zu blocks are left", spec, memory.blocks);
}

static void planners_that_share_can_be_destroyed_in_any_order(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *info = cairn_algorithm_at(i);
        if (!(info->flags & CAIRN_NEEDS_INDEX)) continue;
        for (uint32_t number = 0; number < 24; number++) lives_in_order(info->name, number);
    }
}

/* ---- threads ---- */

enum { THREADS = 4 };

/* Makes a search, asks and destroys it. */
typedef struct worker {
    cairn_planner *planner;
    cairn_cost cost;
    cairn_status status;
} worker;

static void *worker_run(void *argument)
{
    worker *w = argument;
    cairn_search *search = NULL;
    w->status = cairn_search_create(w->planner, NULL, &search);
    for (uint32_t i = 0; i < 5 && w->status == CAIRN_OK; i++) w->status = asked(search, &w->cost);
    cairn_search_destroy(search);
    return NULL;
}

static void threads_search_with_all_of_them_at_once(void **state)
{
    (void)state;
    static const char *const specs[] = {"hpa", "jps-plus", "alt", "pra"};
    for (uint32_t round = 0; round < 4; round++) {
        kit k = share_kit(40);
        worker workers[THREADS];
        pthread_t threads[THREADS];
        for (uint32_t i = 0; i < THREADS; i++) {
            workers[i] = (worker){.planner = made(&k, specs[round])};
            if (i) CHECK_OK(cairn_planner_share(workers[i].planner, workers[0].planner, NULL));
        }
        CHECK_OK(cairn_planner_build(workers[1].planner, NULL, NULL));
        for (uint32_t i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, worker_run, &workers[i]), 0);
        for (uint32_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
        for (uint32_t i = 0; i < THREADS; i++) {
            CHECK_STATUS(workers[i].status, CAIRN_FOUND);
            assert_int_equal(workers[i].cost, workers[0].cost);
        }
        for (uint32_t i = 0; i < THREADS; i++) cairn_planner_destroy(workers[i].planner);
        kit_close(&k);
    }
}

/* ---- an index that is built on another one ---- */

/* How many edges each node of the abstract graph of `hpa` has. */
typedef struct above {
    uint32_t *degrees;
    size_t count;
    uint32_t builds, repairs;
} above;

static const crn_hpa *above_base(const cairn_planner *planner)
{
    return planner->base->index;
}

static cairn_status above_create(cairn_planner *planner, cairn_error *error)
{
    (void)error;
    planner->index = crn_alloc_zero(planner->space->context, sizeof(above));
    return planner->index ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

static void above_drop(cairn_planner *planner)
{
    above *a = planner->index;
    crn_free(planner->space->context, a->degrees, a->count * sizeof *a->degrees);
    a->degrees = NULL;
    a->count = 0;
}

static void above_destroy(cairn_planner *planner)
{
    above_drop(planner);
    crn_free(planner->space->context, planner->index, sizeof(above));
}

static cairn_status above_build(cairn_planner *planner, const cairn_progress *progress,
                                cairn_error *error)
{
    (void)progress;
    above *a = planner->index;
    const crn_hpa *hpa = above_base(planner);
    CHECK_OK(cairn_planner_state(planner->base)); /* brought up to date before */
    a->count = hpa->abstract.node_count;
    a->degrees = crn_alloc(planner->space->context, a->count * sizeof *a->degrees);
    if (!a->degrees) {
        a->count = 0;
        return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the degrees");
    }
    for (size_t i = 0; i < a->count; i++) a->degrees[i] = hpa->abstract.nodes[i].count;
    a->builds++;
    return CAIRN_OK;
}

/* There is nothing to do where the index below is the same. */
static cairn_status above_repair(cairn_planner *planner, const cairn_progress *progress,
                                 cairn_error *error)
{
    (void)progress, (void)error;
    above *a = planner->index;
    CHECK_OK(cairn_planner_state(planner->base));
    a->repairs++;
    return crn_index_owner(planner->base)->generation == planner->base_generation ? CAIRN_OK
                                                                                  : CAIRN_STALE;
}

static size_t above_bytes(const cairn_planner *planner)
{
    return ((const above *)planner->index)->count * sizeof(uint32_t);
}

static cairn_status above_save(const cairn_planner *planner, cairn_store *store, cairn_error *error)
{
    (void)error;
    const above *a = planner->index;
    return cairn_store_add(store, "above", (cairn_bytes){a->degrees, above_bytes(planner)}, 4,
                           false);
}

static cairn_status above_load(cairn_planner *planner, const cairn_archive *archive, bool borrow,
                               cairn_error *error)
{
    (void)borrow;
    above *a = planner->index;
    size_t size = 0;
    const void *found = cairn_archive_section(archive, "above", 4, &size);
    CHECK_OK(cairn_planner_state(planner->base)); /* loaded before */
    if (!found || size != above_base(planner)->abstract.node_count * sizeof *a->degrees)
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the degrees do not fit what is below");
    a->degrees = crn_alloc(planner->space->context, size);
    if (!a->degrees) return CAIRN_OUT_OF_MEMORY;
    memcpy(a->degrees, found, size);
    a->count = size / sizeof *a->degrees;
    return CAIRN_OK;
}

static const crn_index_functions above_index = {
    .format = 5,
    .base = "hpa",
    .build = above_build,
    .drop = above_drop,
    .repair = above_repair,
    .bytes = above_bytes,
    .save = above_save,
    .load = above_load,
};

static cairn_status above_next_move(const cairn_planner *planner, cairn_node from, cairn_node to,
                                    cairn_node *next)
{
    (void)planner, (void)from;
    *next = to;
    return CAIRN_FOUND;
}

static const crn_algorithm above_algorithm = {
    .info = {.name = "above",
             .aliases = "",
             .flags = CAIRN_NEXT_MOVE | CAIRN_NEEDS_INDEX | CAIRN_REPAIRS,
             CRN_ALL_WORLDS},
    .create = above_create,
    .destroy = above_destroy,
    .index = &above_index,
    .next_move = above_next_move,
};

static cairn_planner *above_made(kit *k)
{
    cairn_planner *planner;
    CHECK_OK(crn_planner_create_of(k->space, &above_algorithm, "", &planner, NULL));
    return planner;
}

/* It is there, fits the index below, and says of that what is true. */
static void above_check(const cairn_planner *planner)
{
    const above *a = planner->index;
    const crn_hpa *hpa = above_base(planner);
    cairn_node next;
    CHECK_OK(cairn_planner_state(planner));
    CHECK_OK(cairn_planner_next(planner, 0, 0, &next));
    assert_int_equal(a->count, hpa->abstract.node_count);
    CHECK(a->count > 10, "%zu nodes prove nothing", a->count);
    for (size_t i = 0; i < a->count; i++)
        assert_int_equal(a->degrees[i], hpa->abstract.nodes[i].count);
}

static void above_refused(const cairn_planner *planner, cairn_status why)
{
    cairn_node next;
    CHECK_STATUS(cairn_planner_state(planner), why);
    CHECK_STATUS(cairn_planner_next(planner, 0, 0, &next), why);
}

static void an_index_is_built_on_that_of_a_planner_of_its_own(void **state)
{
    (void)state;
    kit k = share_kit(60);
    cairn_planner *planner = above_made(&k);
    const above *a = planner->index;
    above_refused(planner, CAIRN_NOT_BUILT);
    CHECK_OK(cairn_planner_build(planner, NULL, NULL)); /* both */
    above_check(planner);
    CHECK(cairn_planner_index_bytes(planner) ==
              a->count * sizeof *a->degrees + cairn_planner_index_bytes(planner->base),
          "its own bytes and those below");
    toggle(&k, 30, 30);
    above_refused(planner, CAIRN_STALE);
    CHECK_OK(cairn_planner_sync(planner, NULL, NULL));
    above_check(planner);
    CHECK(a->repairs == 1 && a->builds == 2, "%u repairs, %u builds", a->repairs, a->builds);
    CHECK_OK(cairn_planner_sync(planner, NULL, NULL)); /* nothing to do */
    assert_int_equal(a->repairs, 1);
    cairn_planner_destroy(planner);
    kit_close(&k);
}

/* Whatever happens to the index below through other planners is noticed. */
static void an_index_is_built_on_that_of_another_planner(void **state)
{
    (void)state;
    kit k = share_kit(60);
    cairn_planner *hpa = made(&k, "hpa"), *other = made(&k, "hpa:size=10"),
                  *planner = above_made(&k);
    CHECK_OK(cairn_planner_build(planner, NULL, NULL));
    size_t both = cairn_planner_index_bytes(planner);
    CHECK_OK(cairn_planner_build(hpa, NULL, NULL));
    CHECK_OK(cairn_planner_share(planner, hpa, NULL));
    above_refused(planner, CAIRN_NOT_BUILT); /* it was built on another one */
    refused(planner, hpa, CAIRN_INVALID, "the same index already");
    refused(planner, other, CAIRN_INVALID, "different values of size");
    CHECK_OK(cairn_planner_sync(planner, NULL, NULL));
    above_check(planner);
    CHECK(planner->base->index == hpa->index, "another index below");
    assert_int_equal(cairn_planner_index_bytes(planner) + cairn_planner_index_bytes(hpa), both);
    CHECK_OK(cairn_planner_build(hpa, NULL, NULL)); /* the same world, but another index */
    above_refused(planner, CAIRN_STALE);
    CHECK_OK(cairn_planner_sync(planner, NULL, NULL));
    above_check(planner);
    toggle(&k, 30, 30);
    CHECK_OK(cairn_planner_sync(hpa, NULL, NULL));
    above_refused(planner, CAIRN_STALE);
    CHECK_OK(cairn_planner_sync(planner, NULL, NULL));
    above_check(planner);
    CHECK_STATUS(cairn_planner_sync_step(hpa, 1, NULL), CAIRN_OK);
    toggle(&k, 30, 30);
    CHECK_STATUS(cairn_planner_sync_step(hpa, 1, NULL), CAIRN_RUNNING);
    cairn_planner_sync_abandon(hpa); /* there is none any more */
    CHECK_STATUS(cairn_planner_state(hpa), CAIRN_NOT_BUILT);
    above_refused(planner, CAIRN_STALE);
    CHECK_OK(cairn_planner_sync(planner, NULL, NULL)); /* builds both */
    CHECK_OK(cairn_planner_state(hpa));
    cairn_planner_destroy(hpa); /* which is kept */
    above_check(planner);
    toggle(&k, 31, 31);
    CHECK_OK(cairn_planner_sync(planner, NULL, NULL));
    above_check(planner);
    cairn_planner_destroy(planner);
    cairn_planner_destroy(other);
    kit_close(&k);
}

/* Planners share the upper index with what is below it. */
static void an_index_on_another_is_shared_with_it(void **state)
{
    (void)state;
    kit k = share_kit(60);
    cairn_planner *hpa = made(&k, "hpa"), *owner = above_made(&k), *sharer = above_made(&k);
    CHECK_OK(cairn_planner_share(sharer, owner, NULL));
    refused(owner, hpa, CAIRN_INVALID, "in use");
    refused(sharer, hpa, CAIRN_INVALID, "in use");
    CHECK_OK(cairn_planner_sync(sharer, NULL, NULL));
    above_check(owner);
    above_check(sharer);
    assert_int_equal(cairn_planner_index_bytes(sharer), 0);
    cairn_planner_destroy(owner);
    above_check(sharer);
    cairn_planner_destroy(sharer);
    cairn_planner_destroy(hpa);
    kit_close(&k);
}

static void files_have_the_index_below_too(void **state)
{
    (void)state;
    kit k = share_kit(60);
    cairn_planner *planner = above_made(&k), *again = above_made(&k), *hpa = made(&k, "hpa");
    CHECK_OK(cairn_planner_build(planner, NULL, NULL));
    toggle(&k, 30, 30);
    CHECK_OK(cairn_planner_sync(planner, NULL, NULL)); /* a repaired one has other numbers */
    bytes file = saved(planner);
    cairn_archive *archive = opened(k.context, &file);
    CHECK_OK(cairn_planner_load(again, archive, true, NULL));
    above_check(again);
    const above *a = again->index;
    assert_int_equal(a->builds, 0);
    bytes twice = saved(again);
    CHECK(bytes_same(&file, &twice), "another file");
    CHECK_STATUS(cairn_planner_load(hpa, archive, true, NULL), CAIRN_BAD_DATA);
    cairn_archive_close(archive);
    bytes_free(&file), bytes_free(&twice);
    CHECK_OK(cairn_planner_build(hpa, NULL, NULL)); /* a file without the upper one */
    file = saved(hpa);
    archive = opened(k.context, &file);
    CHECK_STATUS(cairn_planner_load(again, archive, false, NULL), CAIRN_BAD_DATA);
    above_refused(again, CAIRN_NOT_BUILT);
    cairn_archive_close(archive);
    bytes_free(&file);
    cairn_planner_destroy(planner);
    cairn_planner_destroy(again);
    cairn_planner_destroy(hpa);
    kit_close(&k);
}

/* Everything from the planners to a sync, with one failure. */
static cairn_status above_story(watched *memory)
{
    kit k = {0};
    cairn_planner *hpa = NULL, *planner = NULL;
    cairn_grid_options options = {.width = 30, .height = 30};
    cairn_status status = watched_context(memory, &k.context);
    if (status == CAIRN_OK) status = cairn_grid_create(k.context, &options, &k.grid, NULL);
    if (status == CAIRN_OK) status = cairn_space_of_grid(k.grid, NULL, &k.space, NULL);
    if (status == CAIRN_OK) status = cairn_planner_create(k.space, "hpa", &hpa, NULL);
    if (status == CAIRN_OK)
        status = crn_planner_create_of(k.space, &above_algorithm, "", &planner, NULL);
    if (status == CAIRN_OK) status = cairn_planner_build(planner, NULL, NULL);
    if (status == CAIRN_OK) status = cairn_planner_share(planner, hpa, NULL);
    if (status == CAIRN_OK) status = cairn_planner_sync(planner, NULL, NULL);
    if (status == CAIRN_OK) status = cairn_grid_set_open(k.grid, 3, 3, false);
    if (status == CAIRN_OK) status = cairn_grid_commit(k.grid);
    if (status == CAIRN_OK) status = cairn_planner_sync(planner, NULL, NULL);
    if (planner && status != CAIRN_OK) CHECK_OK(cairn_planner_sync(planner, NULL, NULL));
    if (planner) CHECK_OK(cairn_planner_state(planner)); /* with memory again it recovers */
    cairn_planner_destroy(hpa);
    cairn_planner_destroy(planner);
    kit_close(&k);
    return status;
}

static void an_index_on_another_lives_with_failures(void **state)
{
    (void)state;
    watched memory = {.failures = 1};
    for (uint64_t i = 1; memory.failures; i++) {
        memory = (watched){.fail_at = i};
        CHECK_STATUS(above_story(&memory), memory.failures ? CAIRN_OUT_OF_MEMORY : CAIRN_OK);
        CHECK(!memory.blocks && !memory.wrong_size, "leaks when allocation %u fails", (unsigned)i);
    }
}

static void an_index_on_an_algorithm_that_is_not_there_is_refused(void **state)
{
    (void)state;
    kit k = share_kit(30);
    crn_index_functions index = above_index;
    crn_algorithm algorithm = above_algorithm;
    index.base = "hpaa";
    algorithm.index = &index;
    cairn_planner *planner;
    cairn_error error = {0};
    CHECK_STATUS(crn_planner_create_of(k.space, &algorithm, "", &planner, &error), CAIRN_INVALID);
    CHECK(!planner && strstr(error.text, "hpaa"), "%s", error.text);
    kit_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_shared_is_refused_with_a_reason),
        cmocka_unit_test(a_sharer_of_a_sharer_has_the_index_of_the_first),
        cmocka_unit_test(files_are_saved_and_loaded_through_any_of_them),
        cmocka_unit_test(clusters_given_to_one_are_those_of_all),
        cmocka_unit_test(slices_begun_through_one_are_continued_through_another),
        cmocka_unit_test(a_sync_in_the_background_is_for_all),
        cmocka_unit_test(searches_notice_what_another_planner_did),
        cmocka_unit_test(planners_that_share_can_be_destroyed_in_any_order),
        cmocka_unit_test(threads_search_with_all_of_them_at_once),
        cmocka_unit_test(an_index_is_built_on_that_of_a_planner_of_its_own),
        cmocka_unit_test(an_index_is_built_on_that_of_another_planner),
        cmocka_unit_test(an_index_on_another_is_shared_with_it),
        cmocka_unit_test(files_have_the_index_below_too),
        cmocka_unit_test(an_index_on_another_lives_with_failures),
        cmocka_unit_test(an_index_on_an_algorithm_that_is_not_there_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
