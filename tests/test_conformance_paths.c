/* test_conformance_paths.c: what every planner's answers must be: legal, priced by the sum of
 * their steps, optimal or within the bound where that is claimed, and the same bytes
 * whether asked in one go or in slices, first or last, here or in another search.
 */
#include "conformance.h"

static void answers_known_queries(subject *s)
{
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        const known_query *q = &s->place->queries[i];
        cairn_query query = {.from = q->from, .to = q->to};
        answer a = answer_find(s->search, &query);
        check_known_answer(s, q, &a.path);
        if (q->from == q->to)
            CHECK(a.path.count == 1 && a.path.cost == 0, "%s: start = goal", subject_text(s));
        CHECK(a.metrics.peak_bytes > 0 || a.path.status != CAIRN_FOUND || q->from == q->to,
              "%s: no memory was used", subject_text(s));
        bool known = !subject_ignores_components(s);
        if (known &&
            cairn_reachable(cairn_planner_space(s->planner), q->from, q->to) == CAIRN_REACH_NO)
            CHECK(a.metrics.work == 0, "%s: searched for what cannot be reached", subject_text(s));
        answer_free(&a);
    }
}

static void paths_are_legal_and_optimal_or_within_their_bound(void **state)
{
    (void)state;
    conformance_each(PLACES_ALL | SETTINGS_EACH, answers_known_queries);
}

static void every_two_settings_go_together(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_PAIRS, answers_known_queries);
}

/* ---- all paths to ask give the same answer ------------------------------------------- */

static void check_same(const subject *s, const answer *a, answer b, const char *how)
{
    CHECK(answer_same_path(a, &b), "%s: another path %s (cost %u and %u)", subject_text(s), how,
          a->path.cost, b.path.cost);
    CHECK(answer_same_metrics(a, &b),
          "%s: other metrics %s (work %llu and %llu, expanded %llu and %llu)", subject_text(s), how,
          (unsigned long long)a->metrics.work, (unsigned long long)b.metrics.work,
          (unsigned long long)a->metrics.expanded, (unsigned long long)b.metrics.expanded);
    CHECK(a->metrics.peak_bytes == b.metrics.peak_bytes, "%s: %llu bytes, %s %llu", subject_text(s),
          (unsigned long long)a->metrics.peak_bytes, how, (unsigned long long)b.metrics.peak_bytes);
    answer_free(&b);
}

static void ask_in_slices(subject *s)
{
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        cairn_query query = {.from = s->place->queries[i].from, .to = s->place->queries[i].to};
        answer whole = answer_find(s->search, &query);
        check_same(s, &whole, answer_sliced(s->search, &query, 1), "with step(1)");
        check_same(s, &whole, answer_sliced(s->search, &query, 7), "with step(7)");
        check_same(s, &whole, answer_sliced(s->search, &query, 1000), "with step(1000)");
        answer_free(&whole);
    }
}

static void sliced_equals_whole(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_EACH, ask_in_slices);
    conformance_each(PLACES_ALL | SETTINGS_ONE, ask_in_slices);
}

static void ask_again(subject *s)
{
    cairn_search *other;
    CHECK_OK(cairn_search_create(s->planner, NULL, &other));
    answer first[PLACE_QUERIES];
    uint32_t count = s->place->query_count;
    for (uint32_t i = 0; i < count; i++) {
        cairn_query query = {.from = s->place->queries[i].from, .to = s->place->queries[i].to};
        first[i] = answer_find(s->search, &query);
        check_same(s, &first[i], answer_find(s->search, &query), "when asked again at once");
    }
    for (uint32_t i = count; i-- > 0;) {
        cairn_query query = {.from = s->place->queries[i].from, .to = s->place->queries[i].to};
        check_same(s, &first[i], answer_find(s->search, &query), "after other queries");
        check_same(s, &first[i], answer_find(other, &query), "from a second search");
        answer_free(&first[i]);
    }
    cairn_search_destroy(other);
}

static void repeated_equals_first(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_EACH, ask_again);
    conformance_each(PLACES_ALL | SETTINGS_ONE, ask_again);
}

/* A query left in the middle must leave nothing behind. */
static void abandon_and_ask(subject *s)
{
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        cairn_query query = {.from = s->place->queries[i].from, .to = s->place->queries[i].to};
        cairn_query left = {.from = s->place->queries[0].to, .to = s->place->queries[0].from};
        answer a = answer_find(s->search, &query);
        if (cairn_search_begin(s->search, &left) == CAIRN_RUNNING) {
            const cairn_path *path;
            cairn_status status = cairn_search_step(s->search, 5 + i);
            CHECK(cairn_search_result(s->search, &path) == status, "%s: result and step differ",
                  subject_text(s));
            CHECK(status != CAIRN_RUNNING || (path->status == CAIRN_RUNNING && path->count == 0),
                  "%s: a path before the end", subject_text(s));
        }
        check_same(s, &a, answer_find(s->search, &query), "after a query left unfinished");
        answer_free(&a);
    }
}

static void a_query_left_unfinished_leaves_nothing_behind(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_EACH, abandon_and_ask);
}

/* Stamps and flags of old queries must never be taken for new ones: a long run of short
 * queries, compared with fresh searches at the end. */
static void ask_a_thousand_times(subject *s)
{
    if (s->place->query_count < 3) return;
    const known_query *last = &s->place->queries[PLACE_QUERIES - 1];
    cairn_query query = {.from = last->from, .to = last->to};
    answer fresh = answer_find(s->search, &query);
    scene_rng rng = {99};
    for (uint32_t i = 0; i < 300; i++) {
        const known_query *a = &s->place->queries[scene_random(&rng, PLACE_QUERIES)];
        const known_query *b = &s->place->queries[scene_random(&rng, PLACE_QUERIES)];
        cairn_query other = {.from = a->from, .to = b->to, .max_work = 1 + scene_random(&rng, 60)};
        cairn_search_find(s->search, &other, NULL);
    }
    check_same(s, &fresh, answer_find(s->search, &query), "after 300 others");
    answer_free(&fresh);
}

static void a_long_life_changes_nothing(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_ONE, ask_a_thousand_times);
}

/* ---- every pair of cells ------------------------------------------------------------ */

static void ask_every_pair(subject *s)
{
    if (s->place->oracle->count > 250) return;
    for (cairn_node from = 0; from < s->place->oracle->count; from += 7) {
        if (!s->place->oracle->usable[from]) continue;
        oracle_search(s->place->oracle, from);
        uint64_t most = subject_may_give_up(s) ? near_cost(s->place->oracle) : UINT64_MAX;
        for (cairn_node to = 0; to < s->place->oracle->count; to++) {
            if (!s->place->oracle->usable[to] || s->place->oracle->distance[to] > most) continue;
            known_query q = {from, to, s->place->oracle->distance[to], s->place->oracle->steps[to]};
            const cairn_path *path;
            cairn_search_find(s->search, &(cairn_query){.from = from, .to = to}, &path);
            check_known_answer(s, &q, path);
        }
    }
}

static void small_places_are_solved_for_every_pair(void **state)
{
    (void)state;
    conformance_each(PLACES_ALL | SETTINGS_ONE, ask_every_pair);
}

static void ask_distance(subject *s)
{
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        const known_query *q = &s->place->queries[i];
        const cairn_path *path;
        cairn_status whole =
            cairn_search_find(s->search, &(cairn_query){.from = q->from, .to = q->to}, &path);
        cairn_cost cost = path->cost, distance = 0;
        CHECK(cairn_distance(s->search, q->from, q->to, &distance) == whole, "%s: other status",
              subject_text(s));
        CHECK(distance == cost, "%s: distance %u, path %u", subject_text(s), distance, cost);
    }
}

static void distance_alone_equals_the_cost_of_the_path(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_EACH, ask_distance);
}

/* ---- the registry itself ------------------------------------------------------------ */

static void descriptors_are_complete(void **state)
{
    (void)state;
    assert_true(cairn_algorithm_count() > 0);
    assert_null(cairn_algorithm_at(cairn_algorithm_count()));
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        assert_true(a->name[0] && a->summary[0] && a->source[0] && a->family[0]);
        assert_non_null(a->aliases);
        assert_true(a->worlds != 0);
        assert_true(!(a->worlds >> CAIRN_WORLD_GRID & 1) || (a->neighbourhoods && a->corners));
        assert_ptr_equal(cairn_algorithm_find(a->name, strlen(a->name)), a);
        assert_null(cairn_algorithm_find(a->name, strlen(a->name) - 1));
        for (uint32_t p = 0; p < a->parameter_count; p++) {
            const cairn_parameter *q = &a->parameters[p];
            CHECK(q->name[0] && q->summary[0], "%s: parameter %u has no name", a->name, p);
            CHECK(q->minimum <= q->default_value && q->default_value <= q->maximum, "%s: %s",
                  a->name, q->name);
            if (q->type == CAIRN_PARAMETER_CHOICE) {
                assert_int_equal(q->minimum, 0);
                for (int64_t v = 0; v <= q->maximum; v++) assert_non_null(q->choices[v]);
                assert_null(q->choices[q->maximum + 1]);
            }
        }
    }
}

static void aliases_lead_to_their_algorithm(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const char *alias = cairn_algorithm_at(i)->aliases;
        while (*alias) {
            size_t length = strcspn(alias, " ");
            assert_ptr_equal(cairn_algorithm_find(alias, length), cairn_algorithm_at(i));
            alias += length + strspn(alias + length, " ");
        }
    }
}

static void ask_for_parameters(subject *s)
{
    const cairn_algorithm *a = s->algorithm;
    for (uint32_t p = 0; p < a->parameter_count; p++) {
        int64_t value = cairn_planner_parameter(s->planner, p);
        CHECK(value >= a->parameters[p].minimum && value <= a->parameters[p].maximum, "%s",
              subject_text(s));
        char first[64], later[64];
        snprintf(first, sizeof first, ":%s=", a->parameters[p].name);
        snprintf(later, sizeof later, ",%s=", a->parameters[p].name);
        bool given = strstr(s->spec, first) || strstr(s->spec, later);
        /* A parameter may follow from another: an order of ties or the longer rule takes the
         * heap. */
        bool follows = !strcmp(a->parameters[p].name, "open") && strcmp(s->spec, a->name);
        CHECK(follows || given == (value != a->parameters[p].default_value), "%s: %s is %lld",
              subject_text(s), first + 1, (long long)value);
    }
}

static void planners_know_their_parameters(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_EACH, ask_for_parameters);
}

static void check_bad_spec(place *p, const char *spec)
{
    cairn_planner *planner = (cairn_planner *)p;
    cairn_error error = {0};
    cairn_status status = cairn_planner_create(p->space, spec, &planner, &error);
    CHECK(status == CAIRN_INVALID, "\"%s\": %s", spec, cairn_status_text(status));
    CHECK(!planner && error.status == CAIRN_INVALID && error.text[0], "\"%s\": no reason given",
          spec);
    CHECK(cairn_planner_create(p->space, spec, &planner, NULL) == CAIRN_INVALID, "\"%s\"", spec);
}

static void wrong_specifications_are_refused_with_a_reason(void **state)
{
    (void)state;
    place *p = place_of_scene(scene_named("trap"), CAIRN_NEIGHBOURS_8, CAIRN_CORNERS_NEVER);
    static const char *const wrong[] = {"", ":", "astra", "nothing at all", "=", "astar=1"};
    for (uint32_t i = 0; i < LENGTH(wrong); i++) check_bad_spec(p, wrong[i]);
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        static const char *const tails[] = {":no-such-key=1", ":=", ":,", ":a", ":=1"};
        char spec[200];
        for (uint32_t t = 0; t < LENGTH(tails); t++) {
            snprintf(spec, sizeof spec, "%s%s", a->name, tails[t]);
            check_bad_spec(p, spec);
        }
        for (uint32_t q = 0; q < a->parameter_count; q++) {
            static const char *const values[] = {"", "no-such-value", "-99999999999999",
                                                 "99999999999999999999", "1x"};
            for (uint32_t v = 0; v < LENGTH(values); v++) {
                snprintf(spec, sizeof spec, "%s:%s=%s", a->name, a->parameters[q].name, values[v]);
                check_bad_spec(p, spec);
            }
        }
    }
    place_destroy(p);
}

static void mistyped_names_get_a_suggestion(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        char typo[64];
        const char *name = cairn_algorithm_at(i)->name;
        if (strlen(name) < 4) continue; /* too short to be sure */
        snprintf(typo, sizeof typo, "%sx", name);
        const char *suggestion = cairn_algorithm_suggest(typo, strlen(typo));
        CHECK(suggestion && !strcmp(suggestion, name), "%s: %s", typo,
              suggestion ? suggestion : "nothing");
    }
    assert_null(cairn_algorithm_suggest("qqqqqqqqqqqqqqqq", 16));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_legal_and_optimal_or_within_their_bound),
        cmocka_unit_test(every_two_settings_go_together),
        cmocka_unit_test(sliced_equals_whole),
        cmocka_unit_test(repeated_equals_first),
        cmocka_unit_test(a_query_left_unfinished_leaves_nothing_behind),
        cmocka_unit_test(a_long_life_changes_nothing),
        cmocka_unit_test(small_places_are_solved_for_every_pair),
        cmocka_unit_test(distance_alone_equals_the_cost_of_the_path),
        cmocka_unit_test(descriptors_are_complete),
        cmocka_unit_test(aliases_lead_to_their_algorithm),
        cmocka_unit_test(planners_know_their_parameters),
        cmocka_unit_test(wrong_specifications_are_refused_with_a_reason),
        cmocka_unit_test(mistyped_names_get_a_suggestion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
