/* test_conformance_share.c: one index for several planners (cairn_planner_share), for every
 * algorithm that needs one. A planner that shares must answer as one with an index of its own does,
 * to the node and to the counted step, also after edits and repairs through any of the planners,
 * and whichever allocation fails.
 */
#include "conformance.h"
#include "files.h"
#include "graph_edits.h"

#include "search/algorithm.h"

/* ---- answers ------------------------------------------------------------------------------ */

static void check_alike(const subject *s, cairn_search *ours, cairn_search *theirs,
                        const cairn_query *query)
{
    answer a = answer_find(ours, query), b = answer_find(theirs, query);
    CHECK(answer_same_path(&a, &b) && answer_same_metrics(&a, &b), "%s from %u to %u: %s, not %s",
          subject_text(s), query->from, query->to, cairn_status_text(a.path.status),
          cairn_status_text(b.path.status));
    answer_free(&a), answer_free(&b);
}

static void check_all_alike(const subject *s, cairn_planner *ours, cairn_planner *theirs)
{
    cairn_search *a, *b;
    CHECK_OK(cairn_search_create(ours, NULL, &a));
    CHECK_OK(cairn_search_create(theirs, NULL, &b));
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        const known_query *q = &s->place->queries[i];
        check_alike(s, a, b, &(cairn_query){.from = q->from, .to = q->to});
    }
    cairn_search_destroy(a);
    cairn_search_destroy(b);
}

/* ---- which planners can share -------------------------------------------------------------- */

/* Do they differ only in what searches alone read? */
static bool is_shareable(const cairn_planner *a, const cairn_planner *b)
{
    for (uint32_t i = 0; i < a->algorithm->info.parameter_count; i++) {
        if (cairn_planner_parameter(a, i) != cairn_planner_parameter(b, i) &&
            !(a->algorithm->index->of_searches >> i & 1))
            return false;
    }
    return true;
}

/* Files say with which parameters an index was built, but for the last ones. */
static bool differs_in_files(const cairn_planner *a, const cairn_planner *b)
{
    const crn_algorithm *algorithm = a->algorithm;
    uint32_t count = algorithm->info.parameter_count - algorithm->index->unsaved;
    return memcmp(a->parameters, b->parameters, count * sizeof *a->parameters) != 0;
}

static void share_refused(subject *s, cairn_planner *planner)
{
    cairn_error error = {0};
    size_t before = cairn_planner_index_bytes(planner);
    CHECK_STATUS(cairn_planner_share(planner, s->planner, &error), CAIRN_INVALID);
    assert_true(error.status == CAIRN_INVALID && strstr(error.text, "different values of"));
    assert_int_equal(cairn_planner_index_bytes(planner), before);
    CHECK_OK(cairn_planner_state(planner));
}

/* With each setting that is possible beside the default one, and refused with every other. */
static void share_with_settings(subject *s)
{
    char spec[160];
    for (uint32_t i = 0;
         conformance_setting(s->algorithm, SETTINGS_ONE | SETTINGS_EACH, i, spec, sizeof spec);
         i++) {
        cairn_planner *own, *sharer;
        if (cairn_planner_create(s->place->space, spec, &own, NULL) != CAIRN_OK) continue;
        if (!is_shareable(own, s->planner)) {
            CHECK_OK(cairn_planner_build(own, NULL, NULL));
            share_refused(s, own);
            cairn_planner_destroy(own);
            continue;
        }
        CHECK_OK(cairn_planner_build(own, NULL, NULL));
        CHECK_OK(cairn_planner_create(s->place->space, spec, &sharer, NULL));
        size_t before = s->place->memory.bytes;
        CHECK_OK(cairn_planner_share(sharer, s->planner, NULL));
        CHECK(s->place->memory.bytes < before, "%s: a second index", spec);
        assert_int_equal(cairn_planner_index_bytes(sharer), 0);
        CHECK_OK(cairn_planner_state(sharer));
        check_all_alike(s, sharer, own);
        bytes ours = saved(sharer), theirs = saved(s->planner);
        CHECK(bytes_same(&ours, &theirs) == !differs_in_files(sharer, s->planner),
              "%s: saved through a sharer it is another file", spec);
        bytes_free(&ours), bytes_free(&theirs);
        cairn_planner_destroy(own);
        cairn_planner_destroy(sharer);
    }
}

static void a_sharer_answers_as_with_an_index_of_its_own(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_NEEDS_INDEX, PLACES_FEW | SETTINGS_ONE, share_with_settings);
}

/* ---- edits --------------------------------------------------------------------------------- */

/* A planner with an index, one that shares it, and one with an index of its own. */
typedef struct trio {
    cairn_planner *owner, *sharer, *own;
    cairn_search *sharing, *alone;
} trio;

static trio trio_of(const subject *s, cairn_space *space)
{
    trio t;
    CHECK_OK(planner_ready(space, s->spec, &t.owner, NULL));
    CHECK_OK(planner_ready(space, s->spec, &t.own, NULL));
    CHECK_OK(cairn_planner_create(space, s->spec, &t.sharer, NULL));
    CHECK_OK(cairn_planner_share(t.sharer, t.owner, NULL));
    CHECK_OK(cairn_search_create(t.sharer, NULL, &t.sharing));
    CHECK_OK(cairn_search_create(t.own, NULL, &t.alone));
    return t;
}

static void trio_end(trio *t)
{
    cairn_search_destroy(t->sharing);
    cairn_search_destroy(t->alone);
    cairn_planner_destroy(t->owner);
    cairn_planner_destroy(t->own);
    cairn_planner_destroy(t->sharer);
}

/* Stale together, and synced by either of the two: even rounds by the owner. */
static void trio_sync(const subject *s, trio *t, scene_rng *rng, uint32_t round)
{
    uint32_t count = cairn_space_node_count(cairn_planner_space(t->own));
    cairn_query query = {.from = scene_random(rng, count), .to = scene_random(rng, count)};
    cairn_status state = cairn_planner_state(t->own);
    CHECK_STATUS(cairn_planner_state(t->sharer), state);
    CHECK_STATUS(cairn_planner_state(t->owner), state);
    check_alike(s, t->sharing, t->alone, &query);
    CHECK_OK(cairn_planner_sync(round % 2 ? t->sharer : t->owner, NULL, NULL));
    CHECK_OK(cairn_planner_sync(t->own, NULL, NULL));
    CHECK_OK(cairn_planner_state(t->sharer));
    CHECK_OK(cairn_planner_state(t->owner));
    assert_int_equal(cairn_planner_index_bytes(t->sharer), 0);
    for (uint32_t i = 0; i < 6; i++) {
        query = (cairn_query){.from = scene_random(rng, count), .to = scene_random(rng, count)};
        check_alike(s, t->sharing, t->alone, &query);
    }
}

enum { ROUNDS = 4 };

static void share_on_graph(const subject *s)
{
    place *p = place_of_graph(graph_scene_at(0));
    trio t = trio_of(s, p->space);
    drawn_graph drawn = drawn_of(p->graph);
    scene_rng rng = {5};
    for (uint32_t round = 0; round < ROUNDS; round++) {
        drawn_edit(&drawn, p->graph, &rng);
        CHECK_OK(cairn_graph_commit(p->graph));
        trio_sync(s, &t, &rng, round);
    }
    drawn_free(&drawn);
    trio_end(&t);
    place_destroy(p);
}

static void share_and_edit(subject *s)
{
    if (s->place->polygons) return; /* it cannot be edited */
    if (!s->place->grid) {
        share_on_graph(s);
        return;
    }
    place *p = place_of_scene(scene_named(s->place->scene->name), s->place->profile.neighbours,
                              s->place->profile.corners);
    trio t = trio_of(s, p->space);
    scene_rng rng = {p->oracle->count + 3};
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < 3; i++) {
            cairn_node at = scene_random(&rng, p->oracle->count);
            int32_t x = (int32_t)(at % p->scene->width), y = (int32_t)(at / p->scene->width);
            CHECK_OK(cairn_grid_set_open(p->grid, x, y, !cairn_grid_is_open(p->grid, x, y)));
        }
        CHECK_OK(cairn_grid_commit(p->grid));
        trio_sync(s, &t, &rng, round);
    }
    trio_end(&t);
    place_destroy(p);
}

static void after_edits_a_sync_through_any_planner_is_for_all(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_NEEDS_INDEX, PLACES_FEW | SETTINGS_EACH, share_and_edit);
}

/* ---- memory -------------------------------------------------------------------------------- */

enum { SIDE = 14 };

static cairn_status story_ask(cairn_planner *planner, cairn_cost *cost)
{
    cairn_search *search = NULL;
    const cairn_path *path;
    cairn_status status = cairn_search_create(planner, NULL, &search);
    if (status == CAIRN_OK) {
        status = cairn_search_find(search, &(cairn_query){.to = SIDE * SIDE - 1}, &path);
        *cost = path->cost;
    }
    cairn_search_destroy(search);
    return status;
}

/* Shares, searches, edits, syncs through the sharer and searches again. The owner is destroyed in
 * between. Whatever fails, what there is must be of use. */
static cairn_status story_share(cairn_grid *grid, cairn_space *space, const char *spec)
{
    cairn_planner *owner = NULL, *sharer = NULL;
    cairn_cost cost = 0, blocked = 0;
    cairn_status status = cairn_planner_create(space, spec, &owner, NULL);
    if (status == CAIRN_OK) status = cairn_planner_create(space, spec, &sharer, NULL);
    if (status == CAIRN_OK) status = cairn_planner_build(sharer, NULL, NULL);
    if (status == CAIRN_OK) status = cairn_planner_share(sharer, owner, NULL);
    if (status == CAIRN_OK) CHECK_STATUS(cairn_planner_state(sharer), CAIRN_NOT_BUILT);
    if (status == CAIRN_OK) status = cairn_planner_build(owner, NULL, NULL);
    cairn_planner_destroy(owner);
    if (status == CAIRN_OK) status = story_ask(sharer, &cost);
    if (status == CAIRN_FOUND) status = cairn_grid_set_open(grid, 7, 7, false);
    if (status == CAIRN_OK) status = cairn_grid_commit(grid);
    if (status == CAIRN_OK) {
        status = cairn_planner_sync(sharer, NULL, NULL);
        CHECK_STATUS(cairn_planner_state(sharer), status == CAIRN_OK ? CAIRN_OK : CAIRN_NOT_BUILT);
    }
    if (status == CAIRN_OK) status = story_ask(sharer, &blocked);
    CHECK(status != CAIRN_FOUND || (cost && blocked >= cost), "%s: %u and then %u", spec, cost,
          blocked);
    cairn_planner_destroy(sharer);
    return status;
}

static cairn_status story_tell(watched *memory, const char *spec)
{
    cairn_context *context = NULL;
    cairn_grid *grid = NULL;
    cairn_space *space = NULL;
    cairn_grid_options options = {.width = SIDE, .height = SIDE};
    cairn_status status = watched_context(memory, &context);
    if (status == CAIRN_OK) status = cairn_grid_create(context, &options, &grid, NULL);
    if (status == CAIRN_OK) status = cairn_space_of_grid(grid, NULL, &space, NULL);
    if (status == CAIRN_OK) status = story_share(grid, space, spec);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return status;
}

static void every_allocation_may_fail_while_sharing(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        if (!(a->flags & CAIRN_NEEDS_INDEX) || !conformance_is_about(a)) continue;
        watched memory = {.failures = 1};
        for (uint64_t k = 1; memory.failures; k++) {
            memory = (watched){.fail_at = k};
            cairn_status status = story_tell(&memory, a->name);
            /* a repair that has no memory may give way to a build */
            CHECK(status == CAIRN_FOUND || (memory.failures && status == CAIRN_OUT_OF_MEMORY),
                  "%s: \"%s\" when allocation %u fails", a->name, cairn_status_text(status),
                  (unsigned)k);
            CHECK(!memory.blocks && !memory.wrong_size, "%s: leaks when allocation %u fails",
                  a->name, (unsigned)k);
            CHECK(k < 5000, "%s: too many allocations", a->name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sharer_answers_as_with_an_index_of_its_own),
        cmocka_unit_test(after_edits_a_sync_through_any_planner_is_for_all),
        cmocka_unit_test(every_allocation_may_fail_while_sharing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
