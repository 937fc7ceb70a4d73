/* sequence_walk.c: the agents of a program, which walk while the world changes (see sequence.h).
 * Every step is one of the world as it is, and whoever stops has no path.
 */
#include "sequence.h"
#include "slow_sight.h"

/* ---- slots --------------------------------------------------------------------------------- */

static uint32_t walker_number(const sequence *q, const sequence_walker *w)
{
    return (uint32_t)(w - q->walkers);
}

static sequence_walker *walker_any(sequence *q)
{
    uint32_t first = choose(q, SEQUENCE_WALKERS);
    for (uint32_t i = 0; i < SEQUENCE_WALKERS; i++) {
        sequence_walker *w = &q->walkers[(first + i) % SEQUENCE_WALKERS];
        if (w->navigator) return w;
    }
    return NULL;
}

static void start(sequence *q, sequence_walker *w)
{
    cairn_node from = q->haunts[choose(q, SEQUENCE_HAUNTS)], to = world_place(q);
    cairn_status status = SEQUENCE_CALL(q, cairn_navigator_start(w->navigator, from, to),
                                        "start(walker%u, %u, %u)", walker_number(q, w), from, to);
    /* in a world that another algorithm serves: there may be no memory for that */
    CHECK(status == CAIRN_OK || (status == CAIRN_OUT_OF_MEMORY && (q->refused || w->limited)),
          "start: %s", cairn_status_text(status));
    w->started |= status == CAIRN_OK;
}

void walker_create(sequence *q)
{
    sequence_walker *w = NULL;
    for (uint32_t i = 0; i < SEQUENCE_WALKERS; i++) {
        if (!q->walkers[i].navigator) w = &q->walkers[i];
    }
    sequence_planner *p = planner_any(q, true);
    if (!w || !p) return;
    cairn_navigator_options options = {.replan = (cairn_replan)choose(q, CAIRN_REPLAN_COUNT),
                                       .work = one_in(q, 2) ? 1 + choose(q, 60) : 0,
                                       .piece = one_in(q, 3) ? 1 + choose(q, 9) : 0,
                                       .byte_limit =
                                           one_in(q, 12) ? 4000 + 200 * choose(q, 250) : 0,
                                       .start_within = one_in(q, 4) ? 3 : 0};
    cairn_navigator *navigator = NULL;
    cairn_status status = SEQUENCE_CALL(
        q, cairn_navigator_create(p->planner, &options, &navigator),
        "navigator_create(planner%u, %s, work %u, piece %u, %u bytes, within %g)",
        planner_number(q, p), cairn_replan_name(options.replan), (uint32_t)options.work,
        options.piece, (uint32_t)options.byte_limit, options.start_within);
    CHECK(status == CAIRN_OK
              ? navigator != NULL
              : status == CAIRN_OUT_OF_MEMORY && !navigator && (q->refused || options.byte_limit),
          "%s: no navigator: %s", p->spec, cairn_status_text(status));
    if (!navigator) return;
    *w = (sequence_walker){
        .navigator = navigator, .planner = p, .options = options, .limited = options.byte_limit};
    p->users++;
    sequence_note(q, " -> walker%u", walker_number(q, w));
    start(q, w);
}

void walker_destroy(sequence *q, sequence_walker *w)
{
    if (!w->navigator) return;
    sequence_before(q, "navigator_destroy(walker%u)", walker_number(q, w));
    cairn_navigator_destroy(w->navigator);
    q->memory.fail_at = 0;
    sequence_planner *p = w->planner;
    *w = (sequence_walker){0};
    planner_leave(p);
}

/* ---- judging a move ------------------------------------------------------------------------------ */

/* Agents with a size walk lines of any angle whole. */
static bool walks_lines(const sequence_walker *w)
{
    const cairn_profile *profile = &w->planner->space->place.profile;
    return (w->planner->algorithm->flags & CAIRN_ANY_ANGLE) &&
           (profile->radius > 0 || profile->footprint > 1);
}

static uint64_t line_cost(const place *p, const cairn_move *m)
{
    scene as_asked = *p->scene;
    as_asked.profile = p->profile;
    world seen = {.scene = &as_asked, .raw = scene_raw(&as_asked)};
    return slow_walk_cost(&seen, cairn_space_scale(p->space), m->from, m->to);
}

static void check_step(const sequence_walker *w, const oracle *o, const cairn_move *m)
{
    const char *spec = w->planner->spec;
    const place *p = &w->planner->space->place;
    bool any = w->planner->space->below || !p->scene;
    uint64_t cost = walks_lines(w) && !m->linked ? line_cost(p, m)
                    : any                        ? oracle_edge(o, m->from, m->to)
                    : m->linked                  ? oracle_link(o, m->from, m->to, m->link)
                                                 : oracle_walk(o, m->from, m->to);
    CHECK(cost != ORACLE_NONE, "%s: there is no step from %u to %u", spec, m->from, m->to);
    CHECK(cost == m->cost, "%s: the step from %u to %u costs %u, not %u", spec, m->from, m->to,
          (unsigned)cost, m->cost);
}

static void check_stop(const sequence_walker *w, oracle *o, const cairn_move *m, bool refused)
{
    const char *text = cairn_status_text(m->status), *spec = w->planner->spec;
    cairn_node goal = cairn_navigator_goal(w->navigator);
    if (m->status == CAIRN_OUT_OF_MEMORY) {
        CHECK(refused || w->limited, "%s: no memory", spec);
        return;
    }
    if (m->status == CAIRN_TOO_LONG) {
        CHECK(strstr(spec, "nodes="), "%s: a path is too long", spec);
        return;
    }
    if (gave_up(w->planner->algorithm, m->status)) return;
    oracle_search(o, m->from);
    cairn_status must = !o->usable[m->from]                ? CAIRN_BLOCKED_START
                        : !o->usable[goal]                 ? CAIRN_BLOCKED_GOAL
                        : o->distance[goal] == ORACLE_NONE ? CAIRN_UNREACHABLE
                                                           : CAIRN_OK;
    CHECK(m->status == must, "%s: stops at %u on the path to %u: \"%s\", not \"%s\"", spec, m->from,
          goal, text, cairn_status_text(must));
}

/* Navigators that say so are optimal at every step, in the world as it is. */
static void check_rest(const sequence_walker *w, oracle *o, const cairn_move *m, cairn_node goal)
{
    const cairn_algorithm *a = w->planner->algorithm;
    if (a->kind != CAIRN_KIND_NAVIGATOR || !(a->flags & CAIRN_OPTIMAL)) return;
    oracle_search(o, m->to);
    uint64_t rest = m->to == goal ? 0 : o->distance[goal];
    oracle_search(o, m->from);
    CHECK(m->cost + rest == o->distance[goal], "%s: from %u over %u to %u is not the best",
          w->planner->spec, m->from, m->to, goal);
}

/* The path ahead is within the bound that is told, if one is. */
static void check_bound(const sequence_walker *w, oracle *o, cairn_node at, cairn_node goal)
{
    cairn_node ahead[1024];
    double bound = cairn_navigator_bound(w->navigator);
    CHECK(bound >= 1 && (at != goal || bound == 1), "%s: a bound of %f", w->planner->spec, bound);
    uint32_t count = cairn_navigator_ahead(w->navigator, ahead, LENGTH(ahead));
    if (at == goal || bound == INFINITY || count > LENGTH(ahead)) return;
    uint64_t sum = 0;
    for (uint32_t i = 0; i + 1 < count; i++) sum += oracle_edge(o, ahead[i], ahead[i + 1]);
    oracle_search(o, at);
    CHECK(count && (double)sum <= bound * (double)o->distance[goal],
          "%s: %llu from %u to %u is not within %f", w->planner->spec, (unsigned long long)sum, at,
          goal, bound);
}

static void check_move(sequence *q, sequence_walker *w, const cairn_move *m, cairn_node before)
{
    sequence_space *s = w->planner->space;
    oracle *o = space_oracle(s, &q->world);
    cairn_node goal = cairn_navigator_goal(w->navigator);
    q->answers++;
    CHECK(m->from == before && m->to == cairn_navigator_at(w->navigator), "a jump from %u to %u",
          m->from, m->to);
    CHECK(m->arrived == (m->to == goal), "arrived?");
    CHECK(!w->options.work || m->work <= w->options.work, "%s: %u units of work, %u are allowed",
          w->planner->spec, (unsigned)m->work, (unsigned)w->options.work);
    CHECK((m->status == CAIRN_OK) == (m->kind == CAIRN_MOVE_STEP || m->kind == CAIRN_MOVE_ARRIVED),
          "%s", cairn_status_text(m->status));
    CHECK((m->status == CAIRN_RUNNING) == (m->kind == CAIRN_MOVE_THINK), "%s",
          cairn_status_text(m->status));
    if (m->escaped) {
        CHECK(!o->usable[m->from] && o->usable[m->to] && w->options.start_within > 0,
              "an escape from %u to %u", m->from, m->to);
    } else if (m->kind == CAIRN_MOVE_STEP) {
        check_step(w, o, m);
        check_rest(w, o, m, goal);
    } else {
        CHECK(m->to == m->from && !m->cost, "stands, but moves");
        if (m->kind == CAIRN_MOVE_STOP) check_stop(w, o, m, q->refused);
    }
    check_bound(w, o, m->to, goal);
    planner_recall(q, w->planner);
}

/* ---- calls ------------------------------------------------------------------------------------------- */

static cairn_move next(sequence *q, sequence_walker *w)
{
    cairn_move m = {0};
    cairn_node before = cairn_navigator_at(w->navigator);
    SEQUENCE_CALL(q, cairn_navigator_next(w->navigator, &m), "next(walker%u)", walker_number(q, w));
    sequence_note(q, ": %s %u to %u", cairn_move_name(m.kind), m.from, m.to);
    check_move(q, w, &m, before);
    return m;
}

static void turn_elsewhere(sequence *q, sequence_walker *w)
{
    cairn_node to = world_node(q);
    cairn_status status;
    switch (choose(q, 4)) {
    case 0:
        status = SEQUENCE_CALL(q, cairn_navigator_moved(w->navigator, to), "moved(walker%u, %u)",
                               walker_number(q, w), to);
        break;
    case 1:
        w->options.work = one_in(q, 2) ? 0 : 1 + choose(q, 60);
        status =
            SEQUENCE_CALL(q, cairn_navigator_set_work(w->navigator, w->options.work),
                          "set_work(walker%u, %u)", walker_number(q, w), (uint32_t)w->options.work);
        break;
    default:
        status = SEQUENCE_CALL(q, cairn_navigator_retarget(w->navigator, to),
                               "retarget(walker%u, %u)", walker_number(q, w), to);
    }
    CHECK(status == CAIRN_OK, "%s", cairn_status_text(status));
}

void walker_walk(sequence *q)
{
    sequence_walker *w = walker_any(q);
    if (!w || !planner_settle(q, w->planner)) return;
    if (one_in(q, 8)) turn_elsewhere(q, w);
    for (uint32_t i = 1 + choose(q, 12); i; i--) {
        cairn_move m = next(q, w);
        if (m.kind == CAIRN_MOVE_STEP || m.kind == CAIRN_MOVE_THINK) continue;
        if (!one_in(q, 3)) start(q, w);
        break;
    }
}

/* All of them at once, within one budget. */
void walker_turn_all(sequence *q)
{
    cairn_navigator *all[SEQUENCE_WALKERS];
    sequence_walker *who[SEQUENCE_WALKERS];
    cairn_move moves[SEQUENCE_WALKERS];
    cairn_node before[SEQUENCE_WALKERS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < SEQUENCE_WALKERS; i++) {
        if (!q->walkers[i].navigator || !planner_settle(q, q->walkers[i].planner)) continue;
        who[count] = &q->walkers[i];
        before[count] = cairn_navigator_at(q->walkers[i].navigator);
        all[count++] = q->walkers[i].navigator;
    }
    if (!count) return;
    q->turn.work = one_in(q, 2) ? 0 : 1 + choose(q, 80);
    cairn_status status =
        SEQUENCE_CALL(q, cairn_navigators_next(all, count, &q->turn, moves),
                      "navigators_next(%u of them, work %u)", count, (uint32_t)q->turn.work);
    CHECK(status == CAIRN_OK && (!q->turn.work || q->turn.used <= q->turn.work),
          "%u units of work, %u are allowed", (unsigned)q->turn.used, (unsigned)q->turn.work);
    for (uint32_t i = 0; i < count; i++) check_move(q, who[i], &moves[i], before[i]);
}
