/* test_conformance_walk.c: every algorithm as the mind of an agent that walks (navigator.h) in a
 * world that changes under its feet. Every step is compared with an oracle made from the world as
 * it is at that moment; who stops must have no path, who has one must arrive.
 */
#include "conformance.h"
#include "slow_sight.h"

enum { EDITS = 6, FAR = 100000 };

typedef struct stroll {
    subject *subject;
    cairn_navigator *navigator;
    cairn_navigator_options options;
    /* of the world as it was when somebody asked last; the subject's own if nobody did ... */
    oracle *now;
    bool fresh; /* ... and nothing has changed since */
    scene_rng rng;
    bool checked;
    cairn_walk_sums sums;
    uint64_t hash;
} stroll;

/* ---- the world ---------------------------------------------------------------------- */

static oracle *oracle_now(stroll *w)
{
    place *p = w->subject->place;
    if (w->fresh) return w->now;
    if (w->now != p->oracle) oracle_destroy(w->now);
    oracle_grid raw = scene_raw(p->scene);
    w->now = oracle_of_grid(&raw, &p->profile, cairn_space_scale(p->space));
    w->fresh = true;
    return w->now;
}

static void flip(place *p, cairn_node node)
{
    scene *s = p->scene;
    s->open[node] = !s->open[node];
    CHECK_OK(cairn_grid_set_open(p->grid, (int32_t)(node % s->width), (int32_t)(node / s->width),
                                 s->open[node]));
}

/* Something far away, something near, and something in the path. */
static void edit(stroll *w)
{
    place *p = w->subject->place;
    cairn_node ahead[4];
    uint32_t count = cairn_navigator_ahead(w->navigator, ahead, LENGTH(ahead));
    uint32_t shown = count < LENGTH(ahead) ? count : (uint32_t)LENGTH(ahead);
    if (shown > 1) flip(p, ahead[1 + scene_random(&w->rng, shown - 1)]);
    for (uint32_t i = scene_random(&w->rng, 4); i; i--)
        flip(p, scene_random(&w->rng, p->oracle->count));
    CHECK_OK(cairn_grid_commit(p->grid));
    w->fresh = false;
}

static void restore(place *p, const uint8_t *open)
{
    for (cairn_node n = 0; n < p->oracle->count; n++)
        if (p->scene->open[n] != open[n]) flip(p, n);
    CHECK_OK(cairn_grid_commit(p->grid));
}

/* ---- one turn ----------------------------------------------------------------------- */

static bool link_is_there(const place *p, const cairn_move *m)
{
    oracle_grid raw = scene_raw(p->scene);
    int64_t width = p->scene->width;
    for (uint32_t i = 0; i < p->scene->link_count; i++) {
        const cairn_link *link = &p->scene->links[i];
        if (link->from == m->from && link->to == m->to && link->id == m->link &&
            (p->profile.links >> link->kind & 1))
            return oracle_may_stand(&raw, &p->profile, m->from % width, m->from / width) &&
                   oracle_may_stand(&raw, &p->profile, m->to % width, m->to / width);
    }
    return false;
}

/* Agents with a size walk lines of any angle whole. */
static bool walks_lines(const subject *s)
{
    const cairn_profile *profile = &s->place->profile;
    return (s->algorithm->flags & CAIRN_ANY_ANGLE) &&
           (profile->radius > 0 || profile->footprint > 1);
}

static bool step_is_legal(const stroll *w, const cairn_move *m)
{
    place *p = w->subject->place;
    if (!p->scene) return oracle_walk(w->now, m->from, m->to) != ORACLE_NONE;
    if (m->linked) return link_is_there(p, m);
    scene as_asked = *p->scene;
    as_asked.profile = p->profile;
    world seen = {.scene = &as_asked, .raw = scene_raw(&as_asked)};
    if (walks_lines(w->subject))
        return slow_walk_cost(&seen, cairn_space_scale(p->space), m->from, m->to) != ORACLE_NONE;
    return oracle_may_step(&seen.raw, &p->profile, m->from, m->to, false);
}

static void check_step(const stroll *w, const cairn_move *m)
{
    const char *text = subject_text(w->subject);
    CHECK(step_is_legal(w, m), "%s: there is no step from %u to %u", text, m->from, m->to);
    if (!w->fresh || walks_lines(w->subject)) return;
    uint64_t cost = m->linked ? oracle_link(w->now, m->from, m->to, m->link)
                              : oracle_walk(w->now, m->from, m->to);
    CHECK(cost == m->cost, "%s: the step from %u to %u costs %u, not %u", text, m->from, m->to,
          (unsigned)cost, m->cost);
}

static void check_standing(stroll *w, const cairn_move *m)
{
    CHECK(m->to == m->from && !m->cost && !m->linked, "%s: stands, but moves",
          subject_text(w->subject));
    if (m->kind != CAIRN_MOVE_STOP) return;
    oracle *now = oracle_now(w);
    oracle_search(now, m->from);
    CHECK(now->distance[cairn_navigator_goal(w->navigator)] == ORACLE_NONE || !now->usable[m->from],
          "%s: stops at %u, but there is a way: %s", subject_text(w->subject), m->from,
          cairn_status_text(m->status));
    CHECK(m->status == CAIRN_UNREACHABLE || m->status == CAIRN_BLOCKED_GOAL ||
              m->status == CAIRN_BLOCKED_START,
          "%s: stops for a strange reason: %s", subject_text(w->subject),
          cairn_status_text(m->status));
}

static void add_up(stroll *w, const cairn_move *m)
{
    w->sums.calls++;
    w->sums.moves += m->kind == CAIRN_MOVE_STEP;
    w->sums.cost += m->cost;
    w->sums.work += m->work;
    w->sums.expanded += m->expanded;
    w->sums.plans += m->plans;
    w->sums.pieces += m->pieces;
    w->sums.syncs += m->syncs;
    w->hash = (w->hash ^ (m->to + 31 * m->work + 1009 * m->expanded + 7919 * (uint64_t)m->kind)) *
              UINT64_C(1099511628211);
}

static cairn_move turn(stroll *w)
{
    cairn_move m;
    const char *text = subject_text(w->subject);
    cairn_node before = cairn_navigator_at(w->navigator), goal = cairn_navigator_goal(w->navigator);
    cairn_status status = cairn_navigator_next(w->navigator, &m);
    CHECK(m.status == status && m.from == before && m.to == cairn_navigator_at(w->navigator),
          "%s: a jump", text);
    CHECK((status == CAIRN_OK) == (m.kind == CAIRN_MOVE_STEP || m.kind == CAIRN_MOVE_ARRIVED), "%s",
          text);
    CHECK((status == CAIRN_RUNNING) == (m.kind == CAIRN_MOVE_THINK), "%s", text);
    CHECK(m.arrived == (m.to == goal), "%s: arrived?", text);
    CHECK(!w->options.work || m.work <= w->options.work, "%s: %u units of work, %u are allowed",
          text, (unsigned)m.work, (unsigned)w->options.work);
    if (w->checked && m.kind == CAIRN_MOVE_STEP) check_step(w, &m);
    if (w->checked && m.kind != CAIRN_MOVE_STEP) check_standing(w, &m);
    if (before != goal) add_up(w, &m);
    return m;
}

static void check_sums(const stroll *w)
{
    cairn_walk_sums s = cairn_navigator_sums(w->navigator);
    CHECK(s.calls == w->sums.calls && s.moves == w->sums.moves && s.cost == w->sums.cost &&
              s.work == w->sums.work && s.expanded == w->sums.expanded &&
              s.plans == w->sums.plans && s.pieces == w->sums.pieces && s.syncs == w->sums.syncs,
          "%s: the sums are no sums", subject_text(w->subject));
    CHECK(s.bytes > 0 && s.most_work <= s.work && (!s.work || s.most_work), "%s",
          subject_text(w->subject));
}

/* ---- walks -------------------------------------------------------------------------- */

static const cairn_navigator_options ways[] = {
    {.replan = CAIRN_REPLAN_BLOCKED},
    {.replan = CAIRN_REPLAN_CHANGED, .work = 25},
    {.replan = CAIRN_REPLAN_BLOCKED, .work = 7, .piece = 4},
    {.replan = CAIRN_REPLAN_CHANGED, .piece = 9},
};

/* From one end to the other; returns a hash of all that happened. */
static uint64_t stroll_along(subject *s, uint32_t q, bool checked)
{
    place *p = s->place;
    stroll w = {.subject = s,
                .options = ways[q ? q - 1 : 0],
                .now = p->oracle,
                .fresh = true,
                .checked = checked};
    w.rng.state = q + 1;
    uint8_t *open = NULL;
    if (p->scene) {
        open = malloc(p->oracle->count);
        if (!open) abort();
        memcpy(open, p->scene->open, p->oracle->count);
    }
    CHECK_OK(cairn_navigator_create(s->planner, &w.options, &w.navigator));
    CHECK_OK(cairn_navigator_start(w.navigator, p->queries[q].from, p->queries[q].to));
    uint32_t edits = p->scene ? EDITS : 0, turns = 0;
    for (; turns < FAR; turns++) {
        cairn_move m = turn(&w);
        bool stands = m.kind == CAIRN_MOVE_STOP || m.arrived;
        if (stands && !edits) break;
        if (edits && (stands || turns % 5 == 2)) edit(&w), edits--;
    }
    CHECK(turns < FAR, "%s: walks and walks from %u to %u", subject_text(s), p->queries[q].from,
          p->queries[q].to);
    check_sums(&w);
    cairn_navigator_destroy(w.navigator);
    if (w.now != p->oracle) oracle_destroy(w.now);
    if (open) restore(p, open);
    free(open);
    return w.hash;
}

/* Index planners begin with a fresh index, as repaired ones may differ in what they do not
 * promise. */
static void stroll_some(subject *s)
{
    for (uint32_t q = 0; q < s->place->query_count && q <= LENGTH(ways); q++) {
        if (s->place->queries[q].from == s->place->queries[q].to) continue;
        CHECK_OK(cairn_planner_build(s->planner, NULL, NULL));
        uint64_t once = stroll_along(s, q, true);
        CHECK_OK(cairn_planner_build(s->planner, NULL, NULL));
        CHECK(once == stroll_along(s, q, false), "%s: another walk from %u to %u when repeated",
              subject_text(s), s->place->queries[q].from, s->place->queries[q].to);
    }
}

static void who_has_a_way_arrives_and_who_has_none_stops(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_ONE, stroll_some);
}

/* Has it made a step after which no path is left? Few algorithms may. */
static bool is_trapped(const subject *s, const cairn_move *m, cairn_node goal)
{
    oracle *o = s->place->oracle;
    if (!(s->algorithm->flags & CAIRN_MAY_BE_TRAPPED) || m->status != CAIRN_UNREACHABLE)
        return false;
    oracle_search(o, m->from);
    return o->distance[goal] == ORACLE_NONE;
}

static void walk_quietly(subject *s, cairn_navigator *navigator)
{
    for (uint32_t q = 0; q < s->place->query_count; q++) {
        cairn_move m = {0};
        CHECK_OK(
            cairn_navigator_start(navigator, s->place->queries[q].from, s->place->queries[q].to));
        while (m.kind != CAIRN_MOVE_STOP && !m.arrived) cairn_navigator_next(navigator, &m);
        bool must = s->place->queries[q].cost != ORACLE_NONE;
        CHECK(m.arrived == must || is_trapped(s, &m, s->place->queries[q].to), "%s: %s",
              subject_text(s), cairn_status_text(m.status));
    }
}

static void walk_warm(subject *s)
{
    for (uint32_t i = 0; i < LENGTH(ways); i++) {
        cairn_navigator *navigator;
        CHECK_OK(cairn_navigator_create(s->planner, &ways[i], &navigator));
        walk_quietly(s, navigator);
        uint64_t calls = s->place->memory.calls;
        walk_quietly(s, navigator);
        CHECK(s->place->memory.calls == calls, "%s: %u allocations while warm", subject_text(s),
              (unsigned)(s->place->memory.calls - calls));
        cairn_navigator_destroy(navigator);
    }
}

static void a_warm_agent_asks_for_no_memory(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_ONE, walk_warm);
}

/* Walks the longest way, over a world that changes once, while one request for memory is
 * refused. */
static bool walk_failing(subject *s, uint64_t k)
{
    watched *memory = &s->place->memory;
    const known_query *q = &s->place->queries[0];
    cairn_navigator *navigator = NULL;
    cairn_move m = {0};
    memory->failures = 0;
    memory->fail_at = memory->calls + k;
    cairn_status status = cairn_navigator_create(s->planner, &ways[0], &navigator);
    if (status == CAIRN_OUT_OF_MEMORY) {
        CHECK(!navigator && memory->failures, "%s: half a navigator", subject_text(s));
        CHECK_OK(cairn_navigator_create(s->planner, &ways[0], &navigator));
    }
    CHECK_OK(cairn_navigator_start(navigator, q->from, q->to));
    for (uint32_t turns = 0; !m.arrived; turns++) {
        uint64_t failed = memory->failures;
        cairn_navigator_next(navigator, &m);
        if (is_trapped(s, &m, q->to)) break;
        /* agents that have a slice for each turn may use it without a step */
        bool sliced = s->algorithm->kind == CAIRN_KIND_NAVIGATOR;
        CHECK(m.status == CAIRN_OK || (m.status == CAIRN_RUNNING && sliced) ||
                  (m.status == CAIRN_OUT_OF_MEMORY && memory->failures > failed),
              "%s: %s", subject_text(s), cairn_status_text(m.status));
        if (turns != 2 || !s->place->grid) continue;
        memory->fail_at += memory->fail_at ? 1000000 : 0; /* commits are not what this is about */
        uint64_t calls = memory->calls;
        CHECK_OK(cairn_grid_set_layer(s->place->grid, 0, 0, (uint8_t)(k % 200 + 1)));
        CHECK_OK(cairn_grid_commit(s->place->grid));
        CHECK_OK(cairn_navigator_retarget(navigator, q->from));
        CHECK_OK(cairn_navigator_retarget(navigator, q->to));
        memory->fail_at += memory->calls - calls - 1000000;
    }
    memory->fail_at = 0;
    cairn_navigator_destroy(navigator);
    return memory->failures;
}

static void walk_without(subject *s)
{
    bool plain = !s->place->scene || (!s->place->scene->layer && !s->place->scene->links);
    if (!s->place->query_count || !plain || s->place->queries[0].cost == ORACLE_NONE) return;
    for (uint64_t k = 1; walk_failing(s, k); k++) continue;
}

static void an_agent_does_without_memory(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_ONE, walk_without);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_has_a_way_arrives_and_who_has_none_stops),
        cmocka_unit_test(a_warm_agent_asks_for_no_memory),
        cmocka_unit_test(an_agent_does_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
