/* test_conformance_delegates.c: who answers. Every answer names its algorithm: the one that was
 * asked or the delegate that its descriptor declares. What a delegate answers is what it answers
 * when it is asked itself.
 */
#include "conformance.h"
#include "search/algorithm.h"

/* How often each algorithm of the registry answered itself, and how often its delegate did. */
enum { MOST_ALGORITHMS = 64 };
static uint32_t answered_itself[MOST_ALGORITHMS], delegated[MOST_ALGORITHMS];

static uint32_t number_of(const cairn_algorithm *algorithm)
{
    for (uint32_t i = 0; i < cairn_algorithm_count() && i < MOST_ALGORITHMS; i++) {
        if (cairn_algorithm_at(i) == algorithm) return i;
    }
    fail_msg("%s is not in the registry", algorithm->name);
    return 0;
}

static const char *delegate_of(const cairn_algorithm *algorithm)
{
    return crn_algorithm_find(algorithm->name, strlen(algorithm->name))->delegate;
}

/* The delegate asked itself, in the setting that it has by default. */
static void check_as_the_delegate(const subject *s, const cairn_query *q, const answer *got)
{
    cairn_planner *planner;
    cairn_search *search;
    CHECK_OK(cairn_planner_create(s->place->space, got->path.answered_by->name, &planner, NULL));
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    answer own = answer_find(search, q);
    /* Planners that do not ask for components keep a goal that cannot be reached, others aim at the
     * nearest cell that can: they may stop elsewhere. */
    bool elsewhere = s->planner->ignores_components && q->partial && own.path.status != CAIRN_FOUND;
    /* What was done before a query was delegated in the middle is missing from its budget. */
    elsewhere |= q->max_work && got->path.status == CAIRN_OUT_OF_BUDGET;
    CHECK(elsewhere || answer_same_path(&own, got), "%s: %s itself answers otherwise",
          subject_text(s), got->path.answered_by->name);
    /* What was done before a query was delegated in the middle counts too. */
    bool middle = got->metrics.work > own.metrics.work;
    /* Goals that cannot be reached are kept by planners that do not ask for components: a larger
     * box. */
    bool aside = s->planner->ignores_components && q->goal_count > 1;
    CHECK(elsewhere || middle || aside || answer_same_metrics(&own, got),
          "%s: %s itself counts otherwise", subject_text(s), got->path.answered_by->name);
    answer_free(&own);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
}

static void check_who_answers(subject *s, const cairn_query *q)
{
    answer whole = answer_find(s->search, q), sliced = answer_sliced(s->search, q, 2);
    const cairn_algorithm *by = whole.path.answered_by;
    CHECK(by == whole.metrics.answered_by && by == sliced.path.answered_by &&
              by == sliced.metrics.answered_by,
          "%s: path, metrics and slices name different algorithms", subject_text(s));
    CHECK(by || whole.path.status != CAIRN_FOUND, "%s: a path of nobody", subject_text(s));
    uint32_t number = number_of(s->algorithm);
    if (by == s->algorithm) {
        answered_itself[number]++;
    } else if (by) {
        const char *delegate = delegate_of(s->algorithm);
        CHECK(delegate && !strcmp(by->name, delegate), "%s: answered by %s", subject_text(s),
              by->name);
        delegated[number]++;
        check_as_the_delegate(s, q, &whole);
    }
    answer_free(&whole), answer_free(&sliced);
}

/* Whatever was asked before, the same algorithm answers that answers a fresh search. */
static void check_as_fresh(subject *s, const cairn_query *q)
{
    cairn_search *fresh;
    const cairn_path *path;
    CHECK_OK(cairn_search_create(s->planner, NULL, &fresh));
    cairn_search_find(fresh, q, &path);
    const cairn_algorithm *by = path->answered_by;
    cairn_search_find(s->search, q, &path);
    CHECK(by == path->answered_by, "%s: answered by %s after another query", subject_text(s),
          path->answered_by ? path->answered_by->name : "nobody");
    cairn_search_destroy(fresh);
}

static cairn_cost no_estimate(void *user, cairn_node node)
{
    (void)user, (void)node;
    return 0;
}

/* Questions of every kind in turn: each must find the search as the one before did not leave it. */
static void ask_everybody(subject *s)
{
    uint32_t flags = s->algorithm->flags;
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        cairn_node from = s->place->queries[i].from, to = s->place->queries[i].to;
        cairn_node goals[2] = {to, s->place->queries[(i + 1) % s->place->query_count].to};
        cairn_query plain = {.from = from, .to = to};
        check_who_answers(s, &plain);
        if (flags & CAIRN_MANY_GOALS)
            check_who_answers(s, &(cairn_query){.from = from, .goals = goals, .goal_count = 2});
        check_who_answers(s, &(cairn_query){.from = from, .to = to, .estimate = no_estimate});
        check_as_fresh(s, &plain);
        check_who_answers(s, &(cairn_query){.from = from, .to = to, .max_cost = 40000});
        if (flags & CAIRN_NO_GOAL)
            check_who_answers(s, &(cairn_query){.from = from, .goal_kind = CAIRN_GOAL_NONE});
        check_who_answers(s,
                          &(cairn_query){.from = from, .to = to, .max_work = 3, .partial = true});
        check_who_answers(s, &(cairn_query){.from = from, .to = to, .partial = true});
        check_who_answers(s, &plain);
    }
}

static void every_answer_names_its_algorithm(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_EACH, ask_everybody);
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        if (!conformance_is_about(a)) continue;
        CHECK(answered_itself[i], "%s never answered", a->name);
        CHECK(!delegate_of(a) == !delegated[i], "%s: %u answers of a delegate", a->name,
              delegated[i]);
    }
}

/* Where the ends decide it nobody is asked. */
static void ask_ends(subject *s)
{
    cairn_node count = s->place->oracle->count;
    const cairn_path *path;
    if (s->place->query_count) cairn_search_find(s->search, &(cairn_query){.to = count}, &path);
    for (cairn_node n = 0; n < count && s->place->query_count; n++) {
        if (s->place->oracle->usable[n]) continue;
        cairn_query query = {.from = s->place->queries[0].from, .to = n};
        CHECK(cairn_search_find(s->search, &query, &path) == CAIRN_BLOCKED_GOAL, "%s",
              subject_text(s));
        CHECK(!path->answered_by && !cairn_search_metrics(s->search).answered_by,
              "%s: %s decided a blocked goal", subject_text(s), path->answered_by->name);
        query.partial = true;
        cairn_search_find(s->search, &query, &path);
        CHECK(!path->partial || path->answered_by, "%s: half a path of nobody", subject_text(s));
        return;
    }
}

static void nobody_answers_what_the_ends_decide(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_ONE, ask_ends);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_names_its_algorithm),
        cmocka_unit_test(nobody_answers_what_the_ends_decide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
