/* test_conformance_limits.c: the questions that have no path for an answer, or not yet: each
 * has its own status, the same from every planner.
 */
#include "conformance.h"

static void check_refused(subject *s, cairn_query q, cairn_status why)
{
    answer whole = answer_find(s->search, &q), sliced = answer_sliced(s->search, &q, 1);
    check_no_path(s, &whole.path, why);
    check_no_path(s, &sliced.path, why);
    answer_free(&whole), answer_free(&sliced);
}

/* ---- bad ends ----------------------------------------------------------------------- */

static cairn_node some_node(const subject *s, bool usable)
{
    for (cairn_node n = 0; n < s->place->oracle->count; n++) {
        if (s->place->oracle->usable[n] == usable) return n;
    }
    return CAIRN_NO_NODE;
}

static void ask_bad_ends(subject *s)
{
    cairn_node good = some_node(s, true), bad = some_node(s, false),
               count = s->place->oracle->count;
    if (bad != CAIRN_NO_NODE)
        check_refused(s, (cairn_query){.from = bad, .to = bad}, CAIRN_BLOCKED_START);
    if (good == CAIRN_NO_NODE) return;
    check_refused(s, (cairn_query){.from = good, .to = count}, CAIRN_OUT_OF_BOUNDS);
    check_refused(s, (cairn_query){.from = count, .to = good}, CAIRN_OUT_OF_BOUNDS);
    check_refused(s, (cairn_query){.from = CAIRN_NO_NODE, .to = CAIRN_NO_NODE},
                  CAIRN_OUT_OF_BOUNDS);
    if (bad != CAIRN_NO_NODE) {
        check_refused(s, (cairn_query){.from = bad, .to = good}, CAIRN_BLOCKED_START);
        check_refused(s, (cairn_query){.from = good, .to = bad}, CAIRN_BLOCKED_GOAL);
        cairn_node both[2] = {bad, count};
        check_refused(s, (cairn_query){.from = good, .goals = both, .goal_count = 1},
                      CAIRN_BLOCKED_GOAL);
        if (s->algorithm->flags & CAIRN_MANY_GOALS) {
            check_refused(s, (cairn_query){.from = good, .goals = both, .goal_count = 2},
                          CAIRN_OUT_OF_BOUNDS);
        }
    }
    /* And after all that it still works. */
    const cairn_path *path;
    CHECK(cairn_search_find(s->search, &(cairn_query){.from = good, .to = good}, &path) ==
                  CAIRN_FOUND &&
              path->count == 1 && path->cost == 0 && path->end == good && path->length == 0,
          "%s: start = goal", subject_text(s));
}

static void blocked_and_outside_ends_are_told_apart(void **state)
{
    (void)state;
    conformance_each(PLACES_ALL | SETTINGS_ONE, ask_bad_ends);
    conformance_each(PLACES_FEW | SETTINGS_EACH, ask_bad_ends);
}

static void ask_unreachable(subject *s)
{
    for (cairn_node from = 0; from < s->place->oracle->count;
         from += 1 + s->place->oracle->count / 9) {
        if (!s->place->oracle->usable[from]) continue;
        oracle_search(s->place->oracle, from);
        for (cairn_node to = 0; to < s->place->oracle->count; to += 5) {
            if (s->place->oracle->distance[to] != ORACLE_NONE || !s->place->oracle->usable[to])
                continue;
            check_refused(s, (cairn_query){.from = from, .to = to}, CAIRN_UNREACHABLE);
            break;
        }
    }
}

static void what_cannot_be_reached_is_called_unreachable(void **state)
{
    (void)state;
    conformance_each(PLACES_ALL | SETTINGS_ONE, ask_unreachable);
}

static void each_setting_on(place *p, subject_test *test)
{
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        char spec[160];
        if (!conformance_claims(a, p)) continue;
        for (uint32_t k = 0; conformance_setting(a, SETTINGS_EACH, k, spec, sizeof spec); k++) {
            subject s;
            if (!subject_open(&s, p, a, spec)) continue;
            test(&s);
            subject_close(&s);
        }
    }
    place_destroy(p);
}

static void ask_dot(subject *s)
{
    const cairn_path *path;
    CHECK(cairn_search_find(s->search, &(cairn_query){.from = 0, .to = 0}, &path) == CAIRN_FOUND &&
              path->count == 1,
          "%s: the only cell", subject_text(s));
    check_refused(s, (cairn_query){.from = 0, .to = 1}, CAIRN_OUT_OF_BOUNDS);
    cairn_query next = {.from = 0, .to = 0, .goal_kind = CAIRN_GOAL_NEXT_TO};
    if (s->algorithm->flags & CAIRN_MANY_GOALS) check_refused(s, next, CAIRN_BLOCKED_GOAL);
}

static void a_map_of_one_cell_works(void **state)
{
    (void)state;
    each_setting_on(place_of_scene(scene_named("dot"), CAIRN_NEIGHBOURS_8, CAIRN_CORNERS_NEVER),
                    ask_dot);
    each_setting_on(place_of_graph(graph_scene_at(0)), ask_dot);
}

static void ask_walls(subject *s)
{
    check_refused(s, (cairn_query){.from = 0, .to = 0}, CAIRN_BLOCKED_START);
    check_refused(s, (cairn_query){.from = 0, .to = 7}, CAIRN_BLOCKED_START);
    check_refused(s, (cairn_query){.from = 0, .to = 999}, CAIRN_OUT_OF_BOUNDS);
}

static void a_map_of_walls_blocks_every_start(void **state)
{
    (void)state;
    each_setting_on(place_of_scene(scene_named("walls"), CAIRN_NEIGHBOURS_8, CAIRN_CORNERS_NEVER),
                    ask_walls);
}

/* ---- budgets ------------------------------------------------------------------------ */

static void check_partial(const subject *s, const cairn_path *path, cairn_node from)
{
    if (!path->partial) return;
    CHECK(path->count && path->nodes[0] == from && path->nodes[path->count - 1] == path->end,
          "%s: a partial path without ends", subject_text(s));
    CHECK(cairn_path_valid(s->place->space, path, NULL, NULL, NULL),
          "%s: a partial path that is none", subject_text(s));
}

static void ask_with_budgets(subject *s)
{
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        cairn_query q = {.from = s->place->queries[i].from, .to = s->place->queries[i].to};
        answer full = answer_find(s->search, &q);
        uint64_t needed = full.metrics.work,
                 tries[] = {1, needed / 3, needed / 2, needed ? needed - 1 : 0};
        for (uint32_t t = 0; t < LENGTH(tries); t++) {
            if (!tries[t] || tries[t] >= needed) continue;
            q.max_work = tries[t];
            answer a = answer_find(s->search, &q);
            check_no_path(s, &a.path, CAIRN_OUT_OF_BUDGET);
            check_partial(s, &a.path, q.from);
            CHECK(a.metrics.work <= tries[t], "%s: used %u of %u units", subject_text(s),
                  (unsigned)a.metrics.work, (unsigned)tries[t]);
            answer_free(&a);
        }
        q.max_work = needed;
        answer enough = answer_find(s->search, &q);
        CHECK(answer_same_path(&full, &enough) && answer_same_metrics(&full, &enough),
              "%s: %u units are enough", subject_text(s), (unsigned)needed + 1);
        answer_free(&enough), answer_free(&full);
    }
}

static void a_budget_is_never_passed(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_EACH, ask_with_budgets);
    conformance_each(PLACES_ALL | SETTINGS_ONE, ask_with_budgets);
}

/* ---- cancelled and stale ------------------------------------------------------------ */

static void cancel_midway(subject *s)
{
    if (!s->place->query_count) return;
    cairn_query q = {.from = s->place->queries[0].from, .to = s->place->queries[0].to};
    answer before = answer_find(s->search, &q);
    const cairn_path *path;
    if (cairn_search_begin(s->search, &q) != CAIRN_RUNNING) {
        answer_free(&before);
        return;
    }
    if (cairn_search_step(s->search, 2) == CAIRN_RUNNING) {
        cairn_search_cancel(s->search);
        CHECK(cairn_search_step(s->search, 2) == CAIRN_CANCELLED, "%s: not cancelled",
              subject_text(s));
        CHECK(cairn_search_step(s->search, 2) == CAIRN_CANCELLED, "%s: alive again",
              subject_text(s));
        cairn_search_result(s->search, &path);
        check_no_path(s, path, CAIRN_CANCELLED);
    }
    cairn_search_cancel(s->search); /* nothing is in flight: no effect on the next query */
    answer after = answer_find(s->search, &q);
    CHECK(answer_same_path(&before, &after), "%s: cancelling outlives the query", subject_text(s));
    answer_free(&before), answer_free(&after);
}

static void a_cancelled_query_ends_at_its_next_step(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_EACH, cancel_midway);
}

static void commit_midway(subject *s)
{
    if (!s->place->grid || !s->place->query_count) return;
    cairn_query q = {.from = s->place->queries[0].from, .to = s->place->queries[0].to};
    cairn_status status = cairn_search_begin(s->search, &q);
    if (status == CAIRN_RUNNING) status = cairn_search_step(s->search, 1);
    /* A change far from the search counts as well; it is undone at the end. */
    cairn_node corner = s->place->oracle->count - 1;
    cairn_cell cell = cairn_grid_cell(s->place->grid, corner);
    bool open = cairn_grid_is_open(s->place->grid, cell.x, cell.y);
    CHECK_OK(cairn_grid_set_open(s->place->grid, cell.x, cell.y, !open));
    CHECK_OK(cairn_grid_commit(s->place->grid));
    if (status == CAIRN_RUNNING) {
        const cairn_path *path;
        CHECK(cairn_search_step(s->search, 1) == CAIRN_STALE, "%s: not stale after a commit",
              subject_text(s));
        cairn_search_result(s->search, &path);
        check_no_path(s, path, CAIRN_STALE);
    }
    CHECK_OK(cairn_grid_set_open(s->place->grid, cell.x, cell.y, open));
    CHECK_OK(cairn_grid_commit(s->place->grid));
    CHECK_OK(cairn_planner_sync(s->planner, NULL, NULL));
    const cairn_path *path;
    cairn_search_find(s->search, &q, &path);
    check_known_answer(s, &s->place->queries[0], path);
}

static void a_query_in_flight_is_stale_after_a_commit(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_EACH, commit_midway);
}

/* Staging alone, or a commit that changes nothing, disturbs nobody. */
static void stage_midway(subject *s)
{
    if (!s->place->grid || !s->place->query_count) return;
    cairn_query q = {.from = s->place->queries[0].from, .to = s->place->queries[0].to};
    cairn_status status = cairn_search_begin(s->search, &q);
    if (status == CAIRN_RUNNING) status = cairn_search_step(s->search, 1);
    CHECK_OK(cairn_grid_set_open(s->place->grid, 0, 0, cairn_grid_is_open(s->place->grid, 0, 0)));
    CHECK_OK(cairn_grid_commit(s->place->grid));
    CHECK_OK(cairn_grid_set_open(s->place->grid, 0, 0, !cairn_grid_is_open(s->place->grid, 0, 0)));
    while (status == CAIRN_RUNNING) status = cairn_search_step(s->search, 10);
    cairn_grid_discard(s->place->grid);
    const cairn_path *path;
    cairn_search_result(s->search, &path);
    check_known_answer(s, &s->place->queries[0], path);
}

static void staged_changes_and_empty_commits_disturb_no_query(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_ONE, stage_midway);
}

/* ---- cost overflow ------------------------------------------------------------------ */

/* A corridor so long and so expensive that its end costs more than 32 bits on the finest cost
 * scale. */
static place *place_too_dear(void)
{
    scene *s = scene_serpent("too expensive", 110, 56);
    s->profile.cost_scale = 0;
    for (uint32_t i = 0; i < 256; i++) s->profile.terrain_cost[i] = CAIRN_TIMES(255);
    s->terrain = calloc((size_t)s->width * s->height, 1);
    if (!s->terrain) abort();
    s->terrain[1] = 9; /* so that planners without terrain are not asked */
    return place_of_scene(s, CAIRN_NEIGHBOURS_4, CAIRN_CORNERS_NEVER);
}

static void ask_too_dear(subject *s)
{
    oracle_search(s->place->oracle, 0);
    const oracle *o = s->place->oracle;
    cairn_node last_cheap = 0, first_costly = CAIRN_NO_NODE, end = 0;
    for (cairn_node n = 0; n < o->count; n++) {
        if (o->distance[n] == ORACLE_NONE) continue;
        if (o->distance[n] > o->distance[end]) end = n;
        if (o->distance[n] <= CAIRN_COST_MAX && o->distance[n] > o->distance[last_cheap])
            last_cheap = n;
        if (o->distance[n] > CAIRN_COST_MAX &&
            (first_costly == CAIRN_NO_NODE || o->distance[n] < o->distance[first_costly])) {
            first_costly = n;
        }
    }
    CHECK(first_costly != CAIRN_NO_NODE, "the corridor is too short");
    known_query q = {0, last_cheap, o->distance[last_cheap], 0};
    answer a = answer_find(s->search, &(cairn_query){.from = 0, .to = last_cheap});
    check_known_answer(s, &q, &a.path);
    answer_free(&a);
    check_refused(s, (cairn_query){.from = 0, .to = first_costly}, CAIRN_COST_OVERFLOW);
    check_refused(s, (cairn_query){.from = 0, .to = end}, CAIRN_COST_OVERFLOW);
    if (s->algorithm->flags & CAIRN_NO_GOAL) {
        cairn_query all = {.from = 0, .goal_kind = CAIRN_GOAL_NONE};
        cairn_status status = cairn_search_find(s->search, &all, NULL);
        CHECK(status == CAIRN_COST_OVERFLOW, "%s: everything: %s", subject_text(s),
              cairn_status_text(status));
    }
}

static void costs_beyond_32_bits_are_an_overflow_not_a_wrong_answer(void **state)
{
    (void)state;
    each_setting_on(place_too_dear(), ask_too_dear);
}

/* ---- senseless queries -------------------------------------------------------------- */

static void ask_nonsense(subject *s)
{
    cairn_node none = 0;
    CHECK(cairn_search_find(s->search, NULL, NULL) == CAIRN_INVALID, "%s: no query",
          subject_text(s));
    cairn_query empty = {.from = 0, .goals = &none, .goal_count = 0};
    CHECK(cairn_search_find(s->search, &empty, NULL) == CAIRN_INVALID, "%s: an empty list of goals",
          subject_text(s));
    cairn_query odd = {.from = 0, .to = 0, .goal_kind = (cairn_goal_kind)77};
    CHECK(cairn_search_find(s->search, &odd, NULL) == CAIRN_INVALID, "%s: an unknown kind of goal",
          subject_text(s));
}

static void senseless_queries_are_invalid(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_ONE, ask_nonsense);
}

/* ---- before and after --------------------------------------------------------------- */

static void ask_too_early_and_too_late(subject *s)
{
    cairn_search *fresh;
    const cairn_path *path = NULL;
    const char *text = subject_text(s);
    CHECK_OK(cairn_search_create(s->planner, NULL, &fresh));
    CHECK(cairn_search_result(fresh, &path) == CAIRN_INVALID && path && path->count == 0,
          "%s: a result of nothing", text);
    CHECK(cairn_search_step(fresh, 5) == CAIRN_INVALID, "%s: a step of nothing", text);
    CHECK(cairn_search_cost_to(fresh, 0) == CAIRN_NO_COST, "%s: a cost of nothing", text);
    CHECK(cairn_search_path_to(fresh, 0, &path) == CAIRN_INVALID, "%s: a path of nothing", text);
    CHECK(cairn_search_metrics(fresh).work == 0, "%s: work of nothing", text);
    if (s->place->query_count) {
        const known_query *q = &s->place->queries[0];
        cairn_query query = {.from = q->from, .to = q->to};
        cairn_status status = cairn_search_find(fresh, &query, NULL);
        CHECK(cairn_search_step(fresh, 5) == status, "%s: a step after the end", text);
        CHECK(cairn_search_result(fresh, &path) == status, "%s: the result again", text);
        check_known_answer(s, q, path);
        CHECK(cairn_search_find(fresh, &(cairn_query){.from = CAIRN_NO_NODE}, NULL) ==
                  CAIRN_OUT_OF_BOUNDS,
              "%s", text);
        CHECK(cairn_search_cost_to(fresh, q->from) == CAIRN_NO_COST, "%s: costs of a refused query",
              text);
        CHECK(cairn_search_metrics(fresh).expanded == 0, "%s: metrics of a refused query", text);
    }
    cairn_search_destroy(fresh);
}

static void asking_too_early_or_too_late_does_no_harm(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_ONE, ask_too_early_and_too_late);
}

/* What was found before a commit is no longer asserted after it. */
static void costs_before_and_after_a_commit(subject *s)
{
    if (!s->place->grid || !s->place->query_count) return;
    const known_query *q = &s->place->queries[0];
    cairn_search_find(s->search, &(cairn_query){.from = q->from, .to = q->to}, NULL);
    CHECK(cairn_search_cost_to(s->search, q->from) == 0, "%s: the start costs nothing",
          subject_text(s));
    uint8_t layer = cairn_grid_layer(s->place->grid, 0, 0);
    CHECK_OK(cairn_grid_set_layer(s->place->grid, 0, 0, (uint8_t)(layer + 1)));
    CHECK_OK(cairn_grid_commit(s->place->grid));
    const cairn_path *path;
    CHECK(cairn_search_cost_to(s->search, q->from) == CAIRN_NO_COST, "%s: an old cost",
          subject_text(s));
    CHECK(cairn_search_path_to(s->search, q->from, &path) == CAIRN_STALE, "%s: an old path",
          subject_text(s));
    CHECK_OK(cairn_grid_set_layer(s->place->grid, 0, 0, layer));
    CHECK_OK(cairn_grid_commit(s->place->grid));
}

static void costs_found_before_a_commit_are_stale_after_it(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_ONE, costs_before_and_after_a_commit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocked_and_outside_ends_are_told_apart),
        cmocka_unit_test(what_cannot_be_reached_is_called_unreachable),
        cmocka_unit_test(a_map_of_one_cell_works),
        cmocka_unit_test(a_map_of_walls_blocks_every_start),
        cmocka_unit_test(a_budget_is_never_passed),
        cmocka_unit_test(a_cancelled_query_ends_at_its_next_step),
        cmocka_unit_test(a_query_in_flight_is_stale_after_a_commit),
        cmocka_unit_test(staged_changes_and_empty_commits_disturb_no_query),
        cmocka_unit_test(costs_beyond_32_bits_are_an_overflow_not_a_wrong_answer),
        cmocka_unit_test(senseless_queries_are_invalid),
        cmocka_unit_test(asking_too_early_or_too_late_does_no_harm),
        cmocka_unit_test(costs_found_before_a_commit_are_stale_after_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
