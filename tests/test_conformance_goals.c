/* test_conformance_goals.c: several goals, goal sets, no goal at all, cost limits, and what can
 * be asked after a search. The oracle's answer is always the least over single goals.
 */
#include "conformance.h"

#include <math.h>

static const char *kind_name(cairn_goal_kind kind)
{
    static const char *const names[] = {"at", "next to", "within", "none"};
    return names[kind];
}

/* Is the node in the goal set, by the words of planner.h? */
static bool in_goal_set(const place *p, const cairn_query *q, cairn_node goal, cairn_node n)
{
    if (!p->oracle->usable[n]) return false;
    switch (q->goal_kind) {
    case CAIRN_GOAL_NEXT_TO:
        if (p->drawn) return oracle_edge(p->oracle, n, goal) != ORACLE_NONE;
        oracle_grid raw = scene_raw(p->scene);
        return oracle_may_step(&raw, &p->profile, n, goal, true);
    case CAIRN_GOAL_WITHIN: {
        cairn_position a = cairn_space_position(p->space, n),
                       b = cairn_space_position(p->space, goal);
        double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z,
               slack = p->scene && p->scene->hex ? 1e-9 : 0;
        return dx * dx + dy * dy + dz * dz <= q->radius * q->radius + slack;
    }
    default: return n == goal;
    }
}

/* Least cost to the goal set from the oracle's last start; also whether the set is empty. */
static uint64_t least_cost(const place *p, const cairn_query *q, bool *empty)
{
    uint64_t best = ORACLE_NONE;
    *empty = true;
    for (uint32_t g = 0; g < q->goal_count; g++) {
        for (cairn_node n = 0; n < p->oracle->count; n++) {
            if (!in_goal_set(p, q, q->goals[g], n)) continue;
            *empty = false;
            if (p->oracle->distance[n] < best) best = p->oracle->distance[n];
        }
    }
    return best;
}

static bool ends_in_goal_set(const place *p, const cairn_query *q, cairn_node end)
{
    for (uint32_t g = 0; g < q->goal_count; g++) {
        if (in_goal_set(p, q, q->goals[g], end)) return true;
    }
    return false;
}

static void check_goal_query(subject *s, const cairn_query *q)
{
    bool empty;
    oracle_search(s->place->oracle, q->from);
    uint64_t best = least_cost(s->place, q, &empty);
    answer whole = answer_find(s->search, q), sliced = answer_sliced(s->search, q, 3);
    CHECK(answer_same_path(&whole, &sliced), "%s: slices differ, %s", subject_text(s),
          kind_name(q->goal_kind));
    answer_free(&sliced);
    if (empty) {
        check_no_path(s, &whole.path, CAIRN_BLOCKED_GOAL);
    } else if (best == ORACLE_NONE) {
        check_no_path(s, &whole.path, CAIRN_UNREACHABLE);
    } else if (!subject_gave_up(s, whole.path.status)) {
        CHECK(whole.path.status == CAIRN_FOUND, "%s: %s goal from %u: %s", subject_text(s),
              kind_name(q->goal_kind), q->from, cairn_status_text(whole.path.status));
        CHECK(ends_in_goal_set(s->place, q, whole.path.end), "%s: %u is no goal (%s)",
              subject_text(s), whole.path.end, kind_name(q->goal_kind));
        check_legal_path(s, &whole.path, q->from, best);
    }
    answer_free(&whole);
}

/* Goals anywhere, blocked ones among them; the start is usable. */
static void ask_goals(subject *s, cairn_goal_kind kind, double radius)
{
    if (!s->place->query_count) return;
    scene_rng rng = {kind * 17u + s->place->oracle->count};
    for (uint32_t round = 0; round < 6; round++) {
        cairn_node goals[5];
        uint32_t count = 1 + round % 5;
        for (uint32_t i = 0; i < count; i++) goals[i] = scene_random(&rng, s->place->oracle->count);
        if (subject_may_give_up(s)) goals[0] = s->place->queries[round].to; /* near */
        if (round == 3) goals[1] = goals[0], goals[3] = goals[2];           /* named twice */
        if (round == 4) goals[2] = s->place->queries[round].from;           /* there already */
        cairn_query q = {.from = s->place->queries[round].from,
                         .goals = goals,
                         .goal_count = count,
                         .goal_kind = kind,
                         .radius = radius};
        /* Without positions nothing is near to anything. */
        bool nowhere = kind == CAIRN_GOAL_WITHIN && s->place->drawn && !s->place->drawn->positions;
        bool too_many =
            !(s->algorithm->flags & CAIRN_MANY_GOALS) && (count > 1 || kind != CAIRN_GOAL_AT);
        if (nowhere || too_many) {
            CHECK(cairn_search_find(s->search, &q, NULL) == CAIRN_UNSUPPORTED, "%s: %s",
                  subject_text(s), kind_name(kind));
            continue;
        }
        check_goal_query(s, &q);
    }
}

static void ask_several(subject *s)
{
    ask_goals(s, CAIRN_GOAL_AT, 0);
}

static void several_goals_give_the_nearest(void **state)
{
    (void)state;
    conformance_each(PLACES_ALL | SETTINGS_ONE, ask_several);
    conformance_each_with(CAIRN_MANY_GOALS, PLACES_FEW | SETTINGS_EACH | NO_PIECES, ask_several);
}

static void ask_next_to(subject *s)
{
    ask_goals(s, CAIRN_GOAL_NEXT_TO, 0);
}

static void next_to_a_goal_means_one_step_away_were_it_free(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_MANY_GOALS, PLACES_ALL | SETTINGS_ONE, ask_next_to);
    conformance_each_with(CAIRN_MANY_GOALS, PLACES_FEW | SETTINGS_EACH | NO_PIECES, ask_next_to);
}

/* Distances mean nothing where nodes have no positions. */
static bool refuses_within(subject *s)
{
    const cairn_graph *graph = cairn_space_graph(cairn_planner_space(s->planner));
    if (!graph || cairn_graph_has_positions(graph)) return false;
    cairn_query q = {.from = 0, .to = 0, .goal_kind = CAIRN_GOAL_WITHIN, .radius = 1};
    cairn_status status = cairn_search_find(s->search, &q, NULL);
    CHECK(status == CAIRN_UNSUPPORTED, "%s: %s", subject_text(s), cairn_status_text(status));
    return true;
}

static void ask_within(subject *s)
{
    if (refuses_within(s)) return;
    const double grid_radii[] = {0, 1, 1.5, 4, 60}, graph_radii[] = {0, 5, 40.5, 200, 5000};
    for (uint32_t i = 0; i < LENGTH(grid_radii); i++) {
        ask_goals(s, CAIRN_GOAL_WITHIN, s->place->drawn ? graph_radii[i] : grid_radii[i]);
    }
}

static void within_a_radius_means_between_centres(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_MANY_GOALS, PLACES_FEW | SETTINGS_EACH | NO_PIECES, ask_within);
    conformance_each_with(CAIRN_MANY_GOALS | CAIRN_PIECES, PLACES_FEW | SETTINGS_ONE, ask_within);
}

/* Is a radius that means nothing refused? */
static void ask_senseless_radii(subject *s)
{
    if (!s->place->query_count) return;
    const double wrong[] = {-1, (double)NAN};
    for (uint32_t i = 0; i < LENGTH(wrong); i++) {
        cairn_query q = {.from = s->place->queries[0].from,
                         .to = s->place->queries[0].to,
                         .goal_kind = CAIRN_GOAL_WITHIN,
                         .radius = wrong[i]};
        cairn_status status = cairn_search_find(s->search, &q, NULL);
        CHECK(status == CAIRN_INVALID, "%s: radius %f: %s", subject_text(s), wrong[i],
              cairn_status_text(status));
    }
}

static void a_senseless_radius_is_refused(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_MANY_GOALS, PLACES_FEW | SETTINGS_ONE, ask_senseless_radii);
}

/* ---- no goal: everything ------------------------------------------------------------ */

typedef struct visit_log {
    const subject *s;
    uint64_t limit;
    cairn_node last;
    uint32_t count;
} visit_log;

static void visit_node(void *user, cairn_node node, cairn_cost cost)
{
    visit_log *log = user;
    const subject *s = log->s;
    uint64_t best = s->place->oracle->distance[node];
    CHECK(!log->count || node > log->last, "%s: %u after %u", subject_text(s), node, log->last);
    CHECK(best <= cost && cost <= log->limit, "%s: %u costs %u, best %llu", subject_text(s), node,
          cost, (unsigned long long)best);
    CHECK(!s->optimal || cost == best, "%s: %u costs %u, best %llu", subject_text(s), node, cost,
          (unsigned long long)best);
    CHECK(cairn_search_cost_to(s->search, node) == cost, "%s: cost_to %u differs", subject_text(s),
          node);
    log->last = node;
    log->count++;
}

static void check_everything(subject *s, cairn_node from, cairn_cost max_cost)
{
    cairn_query q = {.from = from, .goal_kind = CAIRN_GOAL_NONE, .max_cost = max_cost};
    if (!(s->algorithm->flags & CAIRN_NO_GOAL)) {
        CHECK(cairn_search_find(s->search, &q, NULL) == CAIRN_UNSUPPORTED, "%s: no goal",
              subject_text(s));
        return;
    }
    oracle_search(s->place->oracle, from);
    const oracle *o = s->place->oracle;
    CHECK(cairn_search_find(s->search, &q, NULL) == CAIRN_FOUND, "%s: no goal", subject_text(s));
    visit_log log = {.s = s, .limit = max_cost ? max_cost : CAIRN_COST_MAX};
    CHECK_OK(cairn_search_reached(s->search, visit_node, &log));
    uint32_t expected = 0;
    for (cairn_node n = 0; n < o->count; n++) {
        expected += o->distance[n] <= log.limit;
        if (o->distance[n] == ORACLE_NONE) {
            CHECK(cairn_search_cost_to(s->search, n) == CAIRN_NO_COST, "%s: %u was reached",
                  subject_text(s), n);
        }
    }
    /* With a limit only optimal ones are sure to reach everything below it. */
    CHECK(log.count == expected || (max_cost && !s->optimal && log.count < expected),
          "%s: reached %u, not %u", subject_text(s), log.count, expected);
    assert_int_equal(cairn_search_cost_to(s->search, CAIRN_NO_NODE), CAIRN_NO_COST);
    assert_int_equal(cairn_search_cost_to(s->search, o->count), CAIRN_NO_COST);
}

static void ask_everything(subject *s)
{
    for (uint32_t i = 0; i < s->place->query_count && i < 4; i += 2) {
        const known_query *q = &s->place->queries[i];
        check_everything(s, q->from, 0);
        uint64_t half = q->cost == ORACLE_NONE ? 20000 : q->cost / 2 + 1;
        check_everything(s, q->from, (cairn_cost)half);
    }
}

static void without_a_goal_every_distance_is_found(void **state)
{
    (void)state;
    conformance_each(PLACES_ALL | SETTINGS_ONE, ask_everything);
    conformance_each_with(CAIRN_NO_GOAL, PLACES_FEW | SETTINGS_EACH, ask_everything);
}

static void ask_paths_to_all(subject *s)
{
    if (!s->place->query_count) return;
    cairn_node from = s->place->queries[0].from;
    oracle_search(s->place->oracle, from);
    cairn_search_find(s->search, &(cairn_query){.from = from, .goal_kind = CAIRN_GOAL_NONE}, NULL);
    for (cairn_node n = 0; n < s->place->oracle->count; n += 1 + s->place->oracle->count / 300) {
        known_query q = {from, n, s->place->oracle->distance[n], s->place->oracle->steps[n]};
        const cairn_path *path;
        cairn_status status = cairn_search_path_to(s->search, n, &path);
        if (q.cost != ORACLE_NONE) {
            check_known_answer(s, &q, path);
            /* Of several edges between two nodes a search that is not optimal may have taken
             * a expensive one; the path is priced by the cheapest. */
            cairn_cost known = cairn_search_cost_to(s->search, n);
            CHECK(path->cost == known || (!s->optimal && s->place->drawn && path->cost < known),
                  "%s: cost_to %u", subject_text(s), n);
        } else {
            CHECK(status != CAIRN_FOUND, "%s: a path to %u", subject_text(s), n);
        }
    }
}

static void after_a_search_without_goal_there_is_a_path_to_every_node(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_NO_GOAL, PLACES_ALL | SETTINGS_ONE, ask_paths_to_all);
    conformance_each_with(CAIRN_NO_GOAL, PLACES_FEW | SETTINGS_EACH, ask_paths_to_all);
}

/* ---- cost limits -------------------------------------------------------------------- */

typedef struct within {
    const subject *s;
    cairn_cost limit;
} within;

static void is_within(void *user, cairn_node node, cairn_cost cost)
{
    const within *w = user;
    CHECK(cost <= w->limit, "%s: %u was reached for %u, the limit is %u", subject_text(w->s), node,
          cost, w->limit);
}

/* Nothing is looked at beyond the limit. */
static void ask_what_is_within(subject *s, const known_query *q)
{
    within w = {s, (cairn_cost)q->cost / 2};
    cairn_query query = {.from = q->from, .to = q->to, .max_cost = w.limit, .partial = true};
    answer a = answer_find(s->search, &query);
    if (!subject_gave_up(s, a.path.status))
        CHECK(a.path.status == CAIRN_UNREACHABLE, "%s: half the cost suffices: %s", subject_text(s),
              cairn_status_text(a.path.status));
    CHECK(a.path.partial && a.path.cost <= w.limit, "%s: part of the way costs %u, the limit is %u",
          subject_text(s), a.path.cost, w.limit);
    CHECK_OK(cairn_search_reached(s->search, is_within, &w));
    answer_free(&a);
}

static void ask_with_limits(subject *s)
{
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        const known_query *q = &s->place->queries[i];
        if (q->cost == ORACLE_NONE || q->cost < 2) continue;
        cairn_query exact = {.from = q->from, .to = q->to, .max_cost = (cairn_cost)q->cost};
        cairn_query less = {.from = q->from, .to = q->to, .max_cost = (cairn_cost)q->cost - 1};
        answer a = answer_find(s->search, &exact), b = answer_find(s->search, &less);
        if (subject_gave_up(s, a.path.status) || subject_gave_up(s, b.path.status)) {
            answer_free(&a), answer_free(&b);
            continue;
        }
        bool beaten = s->algorithm->flags & CAIRN_ANY_ANGLE && b.path.status == CAIRN_FOUND;
        CHECK(b.path.status == CAIRN_UNREACHABLE || beaten, "%s: a limit below the best: %s",
              subject_text(s), cairn_status_text(b.path.status));
        CHECK(!beaten || b.path.cost <= less.max_cost, "%s: a limit that is passed",
              subject_text(s));
        CHECK(!s->optimal || a.path.status == CAIRN_FOUND, "%s: a limit that just suffices: %s",
              subject_text(s), cairn_status_text(a.path.status));
        CHECK(a.path.status == CAIRN_FOUND || a.path.status == CAIRN_UNREACHABLE, "%s: %s",
              subject_text(s), cairn_status_text(a.path.status));
        if (a.path.status == CAIRN_FOUND) check_known_answer(s, q, &a.path);
        answer_free(&a), answer_free(&b);
        ask_what_is_within(s, q);
    }
}

static void a_cost_limit_is_obeyed_to_the_unit(void **state)
{
    (void)state;
    conformance_each(PLACES_ALL | SETTINGS_ONE, ask_with_limits);
    conformance_each(PLACES_FEW | SETTINGS_EACH | NO_PIECES, ask_with_limits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_goals_give_the_nearest),
        cmocka_unit_test(next_to_a_goal_means_one_step_away_were_it_free),
        cmocka_unit_test(within_a_radius_means_between_centres),
        cmocka_unit_test(a_senseless_radius_is_refused),
        cmocka_unit_test(without_a_goal_every_distance_is_found),
        cmocka_unit_test(after_a_search_without_goal_there_is_a_path_to_every_node),
        cmocka_unit_test(a_cost_limit_is_obeyed_to_the_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
