/* test_conformance_partial.c: every planner goes as far as it can: to the reachable node nearest to
 * a goal that cannot be reached, and, when the budget ends first, to the nearest node that was
 * looked at.
 */
#include "conformance.h"
#include "world/space.h"

/* Links and all else aside: how near, as the crow flies or walks. */
static cairn_cost distance_to(const cairn_space *space, cairn_node node, cairn_node goal)
{
    crn_box box = crn_box_empty();
    crn_box_add(&box, space, goal);
    return space->functions->estimate(space, space->default_heuristic, node, &box);
}

static bool has_links(const cairn_space *space)
{
    return cairn_space_grid(space) && cairn_grid_link_count(cairn_space_grid(space));
}

/* By looking at every node: what can be reached, and of that the nearest. */
static cairn_node nearest_by_looking(subject *s, cairn_node from, cairn_node goal)
{
    const cairn_space *space = cairn_planner_space(s->planner);
    cairn_node best = CAIRN_NO_NODE;
    cairn_cost least = CAIRN_NO_COST;
    oracle_search(s->place->oracle, from);
    for (cairn_node n = 0; n < s->place->oracle->count; n++) {
        if (s->place->oracle->distance[n] == ORACLE_NONE) continue;
        cairn_cost d = distance_to(space, n, goal);
        if (d >= least) continue;
        least = d;
        best = n;
    }
    return best;
}

static void check_partial(subject *s, const answer *a, cairn_node from, cairn_status why)
{
    if (why != CAIRN_OUT_OF_BUDGET && subject_gave_up(s, a->path.status)) why = a->path.status;
    CHECK(a->path.status == why && a->path.partial && a->path.count > 0,
          "%s: \"%s\", %s, %u points", subject_text(s), cairn_status_text(a->path.status),
          a->path.partial ? "partial" : "not partial", a->path.count);
    CHECK(a->path.nodes[0] == from && a->path.nodes[a->path.count - 1] == a->path.end &&
              a->path.suboptimality_bound == 0,
          "%s: a partial path that does not say where it leads", subject_text(s));
    cairn_cost cost;
    CHECK(cairn_path_valid(cairn_planner_space(s->planner), &a->path, &cost, NULL, NULL) &&
              cost == a->path.cost,
          "%s: a partial path that cannot be walked", subject_text(s));
}

/* Where steps or links lead one way, several nodes may be as near: then the cheapest is taken. */
static void check_nearest(subject *s, const answer *a, const known_query *q)
{
    const cairn_space *space = cairn_planner_space(s->planner);
    cairn_node nearest = nearest_by_looking(s, q->from, q->to);
    bool as_near = distance_to(space, a->path.end, q->to) == distance_to(space, nearest, q->to);
    CHECK(cairn_space_directed(space) ? as_near : a->path.end == nearest,
          "%s: from %u to %u ends at %u, not at the nearest, %u", subject_text(s), q->from, q->to,
          a->path.end, nearest);
    if (s->optimal)
        CHECK(a->path.cost == s->place->oracle->distance[a->path.end], "%s: a detour",
              subject_text(s));
}

static void as_far_as_possible(subject *s)
{
    const cairn_space *space = cairn_planner_space(s->planner);
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        const known_query *q = &s->place->queries[i];
        cairn_query query = {.from = q->from, .to = q->to, .partial = true};
        if (q->from >= s->place->oracle->count || q->to >= s->place->oracle->count) continue;
        if (!cairn_space_usable(space, q->from)) continue;
        answer a = answer_find(s->search, &query);
        oracle_search(s->place->oracle, q->from);
        bool blocked = !cairn_space_usable(space, q->to);
        if (!blocked && s->place->oracle->distance[q->to] != ORACLE_NONE) {
            if (!subject_gave_up(s, a.path.status))
                CHECK(a.path.status == CAIRN_FOUND && !a.path.partial,
                      "%s: wanting less changed the answer", subject_text(s));
        } else if (a.path.status != CAIRN_UNSUPPORTED) {
            check_partial(s, &a, q->from, blocked ? CAIRN_BLOCKED_GOAL : CAIRN_UNREACHABLE);
            answer again = answer_sliced(s->search, &query, 7);
            CHECK(answer_same_path(&a, &again), "%s: in slices it leads elsewhere",
                  subject_text(s));
            answer_free(&again);
            if (a.path.status != CAIRN_OUT_OF_BUDGET) check_nearest(s, &a, q);
        }
        answer_free(&a);
    }
}

static void unreachable_goals_are_approached(void **state)
{
    (void)state;
    conformance_each(PLACES_ALL | SETTINGS_ONE, as_far_as_possible);
}

/* ---- budgets ---- */

typedef struct watch {
    const subject *s;
    cairn_node goal, best;
    cairn_cost least, least_g;
} watch;

static void see(void *user, const cairn_event *event)
{
    watch *w = user;
    if (event->kind != CAIRN_EVENT_EXPAND || event->level) return;
    cairn_cost h = distance_to(cairn_planner_space(w->s->planner), event->node, w->goal);
    if (h > w->least || (h == w->least && event->g > w->least_g)) return;
    if (h == w->least && event->g == w->least_g && event->node > w->best) return;
    w->least = h, w->least_g = event->g, w->best = event->node;
}

static void out_of_budget(subject *s)
{
    static const uint64_t budgets[] = {1, 2, 5, 17, 60, 200};
    const cairn_space *space = cairn_planner_space(s->planner);
    if (has_links(space)) return; /* estimates then know of shortcuts that "near" does not */
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        const known_query *q = &s->place->queries[i];
        if (cairn_reachable(space, q->from, q->to) == CAIRN_REACH_NO) continue;
        for (uint32_t b = 0; b < LENGTH(budgets); b++) {
            cairn_query query = {
                .from = q->from, .to = q->to, .max_work = budgets[b], .partial = true};
            watch w = {.s = s,
                       .goal = q->to,
                       .best = q->from,
                       .least = distance_to(space, q->from, q->to)};
            cairn_trace_sink sink = {see, &w};
            cairn_search_trace(s->search, &sink);
            answer a = answer_find(s->search, &query);
            cairn_search_trace(s->search, NULL);
            if (a.path.status == CAIRN_OUT_OF_BUDGET) {
                check_partial(s, &a, q->from, CAIRN_OUT_OF_BUDGET);
                /* An expanded node may have been opened again since: then it waits for its turn. */
                /* these know the path so far only */
                bool all = !(s->algorithm->flags & CAIRN_PIECES);
                if (a.metrics.reopened == 0 && all)
                    CHECK(a.path.end == w.best, "%s: ends at %u, nearer is %u", subject_text(s),
                          a.path.end, w.best);
            }
            answer_free(&a);
        }
    }
}

static void a_budget_leads_to_the_nearest_node_seen(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_EACH, out_of_budget);
}

/* ---- what else may be asked for ---- */

static void several_goals(subject *s)
{
    const cairn_space *space = cairn_planner_space(s->planner);
    uint32_t count = s->place->oracle->count;
    cairn_node blocked[2];
    uint32_t found = 0;
    for (cairn_node n = 0; n < count && found < 2; n += 1 + count / 97) {
        if (!cairn_space_usable(space, n)) blocked[found++] = n;
    }
    if (found < 2 || cairn_space_directed(space) || has_links(space)) return;
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        cairn_node from = s->place->queries[i].from;
        if (!cairn_space_usable(space, from)) continue;
        /* from near by */
        if (subject_may_give_up(s)) from = nearest_by_looking(s, from, blocked[i % 2]);
        cairn_query query = {.from = from, .goals = blocked, .goal_count = 2, .partial = true};
        answer a = answer_find(s->search, &query);
        check_partial(s, &a, from, CAIRN_BLOCKED_GOAL);
        cairn_node ends[2] = {nearest_by_looking(s, from, blocked[0]),
                              nearest_by_looking(s, from, blocked[1])};
        cairn_cost first = distance_to(space, ends[0], blocked[0]),
                   second = distance_to(space, ends[1], blocked[1]);
        cairn_node best =
            first < second || (first == second && ends[0] < ends[1]) ? ends[0] : ends[1];
        if (a.path.status != CAIRN_OUT_OF_BUDGET)
            CHECK(a.path.end == best, "%s: ends at %u, not %u", subject_text(s), a.path.end, best);
        answer_free(&a);
    }
}

static void of_several_blocked_goals_the_nearest_counts(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_MANY_GOALS, PLACES_ALL | SETTINGS_ONE, several_goals);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unreachable_goals_are_approached),
        cmocka_unit_test(a_budget_leads_to_the_nearest_node_seen),
        cmocka_unit_test(of_several_blocked_goals_the_nearest_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
