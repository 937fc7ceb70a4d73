/* sequence_judge.c: what the oracle says to an answer (see sequence.h): whether there had to be a
 * path, whether each of its steps is legal and its cost their sum, and whether it is as cheap as
 * the planner promises. Answers that no oracle knows (stale, not built, cancelled, out of memory)
 * need a reason that the program knows.
 */
#include "sequence.h"

#include <math.h>

/* What must come out: CAIRN_FOUND with the least cost, or why not. */
typedef struct verdict {
    cairn_status status;
    uint64_t best;
    cairn_node from;
    scene *lens; /* the world with a filter; NULL = as it is */
    place place; /* what was asked about */
    subject subject;
} verdict;

/* ---- filters ---------------------------------------------------------------------------------- */

/* The world as the filter shows it. Extra costs are whole units of the extra layer. */
static void verdict_filter(verdict *v, const sequence_search *s)
{
    v->lens = scene_copy(v->place.scene);
    for (uint32_t i = 0; i < s->filter.cell_count; i++) {
        const cairn_filter_cell *cell = &s->cells[i];
        if (cell->blocked) v->lens->open[cell->node] = 0;
        v->lens->added[cell->node] = (uint16_t)(v->lens->added[cell->node] + cell->extra / 256);
    }
    for (uint32_t i = 0; i < 256 && s->filter.terrain_cost; i++) {
        if (v->place.profile.terrain_cost[i]) v->place.profile.terrain_cost[i] = s->costs[i];
    }
    v->place.scene = v->lens;
    oracle_grid raw = scene_raw(v->lens);
    v->place.oracle = oracle_of_grid(&raw, &v->place.profile, cairn_space_scale(v->place.space));
    v->place.oracle->costs_only = true;
}

static void verdict_open(verdict *v, sequence *q, sequence_search *s)
{
    sequence_planner *p = s->planner;
    *v = (verdict){.from = s->query.from, .best = ORACLE_NONE};
    space_oracle(p->space, &q->world);
    v->place = p->space->place;
    if (s->query.filter && v->place.scene && !p->space->below) verdict_filter(v, s);
    v->subject = (subject){.place = &v->place,
                           .algorithm = p->algorithm,
                           .planner = p->planner,
                           .search = s->search,
                           .optimal = p->optimal && !s->old_index};
    memcpy(v->subject.spec, p->spec, sizeof v->subject.spec - 1);
}

static void verdict_close(verdict *v)
{
    if (v->lens) oracle_destroy(v->place.oracle);
    scene_destroy(v->lens);
}

/* ---- ends ----------------------------------------------------------------------------------------- */

static double distance_between(const place *p, cairn_node a, cairn_node b)
{
    cairn_position from = cairn_space_position(p->space, a), to = cairn_space_position(p->space, b);
    return hypot(hypot(from.x - to.x, from.y - to.y), from.z - to.z);
}

/* Where the path begins if the agent cannot stand at the start. */
static cairn_node start_moved(const place *p, cairn_node from, double within)
{
    cairn_node best = from;
    double least = INFINITY;
    if (within == 0 || p->oracle->usable[from]) return from;
    for (cairn_node n = 0; n < p->oracle->count; n++) {
        double d = p->oracle->usable[n] ? distance_between(p, from, n) : INFINITY;
        if (d > within + 1e-9 || d >= least - 1e-9) continue;
        least = d;
        best = n;
    }
    return best;
}

static bool is_goal_of(const place *p, const cairn_query *query, cairn_node goal, cairn_node n)
{
    if (!p->oracle->usable[n]) return false;
    if (query->goal_kind == CAIRN_GOAL_AT) return n == goal;
    if (query->goal_kind == CAIRN_GOAL_WITHIN)
        return distance_between(p, n, goal) <= query->radius + 1e-9;
    if (!p->scene) return oracle_edge(p->oracle, n, goal) != ORACLE_NONE;
    oracle_grid raw = scene_raw(p->scene);
    return oracle_may_step(&raw, &p->profile, n, goal, true);
}

static bool is_goal(const place *p, const cairn_query *query, cairn_node n)
{
    if (!query->goals) return is_goal_of(p, query, query->to, n);
    for (uint32_t i = 0; i < query->goal_count; i++) {
        if (is_goal_of(p, query, query->goals[i], n)) return true;
    }
    return false;
}

static bool goals_exist(const place *p, const cairn_query *query)
{
    if (query->goal_kind == CAIRN_GOAL_NONE) return true;
    if (!query->goals) return query->to < p->oracle->count;
    for (uint32_t i = 0; i < query->goal_count; i++) {
        if (query->goals[i] >= p->oracle->count) return false;
    }
    return true;
}

/* Least cost to any goal; false if the agent cannot stand at any. */
static bool least_to_goals(const place *p, const cairn_query *query, uint64_t *best)
{
    bool any = false;
    for (cairn_node n = 0; n < p->oracle->count; n++) {
        if (!is_goal(p, query, n)) continue;
        any = true;
        if (p->oracle->distance[n] < *best) *best = p->oracle->distance[n];
    }
    return any;
}

static bool is_single(const cairn_query *query)
{
    return !query->goals && query->goal_kind == CAIRN_GOAL_AT;
}

static bool least_to_goal(const place *p, const cairn_query *query, uint64_t *best)
{
    if (!is_single(query)) return least_to_goals(p, query, best);
    *best = p->oracle->distance[query->to];
    return p->oracle->usable[query->to];
}

/* ---- what must come out ------------------------------------------------------------------------------ */

/* What the planner cannot be asked at all. */
static bool is_unsupported(const verdict *v, const sequence_search *s)
{
    const cairn_query *query = &s->query;
    uint32_t flags = s->planner->algorithm->flags;
    bool many = (query->goals && query->goal_count > 1) || query->goal_kind == CAIRN_GOAL_NEXT_TO ||
                query->goal_kind == CAIRN_GOAL_WITHIN;
    if (query->filter && (!v->lens || strstr(s->planner->spec, "turns=fewest"))) return true;
    return (many && !(flags & CAIRN_MANY_GOALS)) ||
           (query->goal_kind == CAIRN_GOAL_NONE && !(flags & CAIRN_NO_GOAL));
}

static cairn_status expect_path(verdict *v, const sequence_search *s)
{
    const cairn_query *query = &s->query;
    place *p = &v->place;
    if (query->from >= p->oracle->count) return CAIRN_OUT_OF_BOUNDS;
    bool placed = cairn_space_has_positions(p->space);
    if (placed) v->from = start_moved(p, query->from, query->start_within);
    if (query->goal_kind == CAIRN_GOAL_WITHIN && !placed)
        return p->oracle->usable[v->from] ? CAIRN_UNSUPPORTED : CAIRN_BLOCKED_START;
    if (!goals_exist(p, query)) return CAIRN_OUT_OF_BOUNDS;
    if (!p->oracle->usable[v->from]) return CAIRN_BLOCKED_START;
    oracle_search(p->oracle, v->from);
    if (query->goal_kind == CAIRN_GOAL_NONE) return CAIRN_FOUND;
    if (!least_to_goal(p, query, &v->best)) return CAIRN_BLOCKED_GOAL;
    return v->best == ORACLE_NONE ? CAIRN_UNREACHABLE : CAIRN_FOUND;
}

/* ---- paths ------------------------------------------------------------------------------------------- */

/* Paths in views name every node, and no links. */
static void check_view_steps(const verdict *v, const cairn_path *path)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i + 1 < path->count; i++) {
        uint64_t cost = oracle_edge(v->place.oracle, path->nodes[i], path->nodes[i + 1]);
        CHECK(cost != ORACLE_NONE, "%s: there is no step from %u to %u", subject_text(&v->subject),
              path->nodes[i], path->nodes[i + 1]);
        sum += cost;
    }
    CHECK(sum == path->cost, "%s: costs %u, its steps %u", subject_text(&v->subject), path->cost,
          (unsigned)sum);
}

/* Of several links between two cells the path names the cheapest, and of equals the first. */
static void check_links(const verdict *v, const cairn_path *path)
{
    const scene *s = v->place.scene;
    for (uint32_t i = 0; i < path->link_count; i++) {
        cairn_node a = path->nodes[path->links[i].at], b = path->nodes[path->links[i].at + 1];
        const cairn_link *best = NULL;
        for (uint32_t k = 0; k < s->link_count; k++) {
            const cairn_link *link = &s->links[k];
            bool may = v->place.profile.links >> link->kind & 1;
            if (link->from != a || link->to != b || !may) continue;
            if (!best || link->cost < best->cost) best = link;
        }
        CHECK(best && best->id == path->links[i].id, "%s: link %u from %u to %u, not %u",
              subject_text(&v->subject), path->links[i].id, a, b, best ? best->id : 0);
    }
}

/* Whoever answers instead is A*, which is optimal. */
static void note_answerer(verdict *v, const sequence_search *s, const cairn_path *path)
{
    const cairn_algorithm *by = path->answered_by;
    CHECK(by, "%s: answered by nobody", s->planner->spec);
    if (by == s->planner->algorithm) return;
    CHECK(!strcmp(by->name, "astar"), "%s: answered by %s", s->planner->spec, by->name);
    v->subject.algorithm = by;
    v->subject.optimal = !s->old_index;
}

static void check_walkable(verdict *v, const sequence_search *s, const cairn_path *path,
                           cairn_node from)
{
    const char *text = subject_text(&v->subject);
    note_answerer(v, s, path);
    CHECK(path->count && path->nodes[0] == from, "%s: does not begin at %u", text, from);
    CHECK(path->nodes[path->count - 1] == path->end, "%s: does not end at its end", text);
    CHECK(path->version == space_version(s->planner->space), "%s: wrong version", text);
    if (s->planner->space->below)
        check_view_steps(v, path);
    else
        check_steps(&v->subject, path), check_links(v, path);
    if (v->lens) return;
    cairn_cost sum = 0;
    CHECK(cairn_path_valid(v->place.space, path, &sum, NULL, NULL) && sum == path->cost,
          "%s: called invalid, or to cost %u instead of %u", text, sum, path->cost);
}

/* A part of the path, or all of it. */
static void check_found(verdict *v, sequence_search *s, const cairn_path *path)
{
    bool first = s->paid == 0 && s->begins == s->query.from;
    cairn_node from = first ? v->from : s->begins;
    check_walkable(v, s, path, from);
    s->paid += path->cost;
    s->begins = path->end;
    s->more = path->partial;
    if (path->partial) {
        CHECK(s->query.piece && (s->planner->algorithm->flags & CAIRN_PIECES), "%s: partial",
              s->planner->spec);
        return;
    }
    CHECK(is_goal(&v->place, &s->query, path->end), "%s: %u is not a goal", s->planner->spec,
          path->end);
    CHECK(!s->query.max_cost || s->paid <= s->query.max_cost, "%s: more than the limit",
          s->planner->spec);
    if (first) check_cost(&v->subject, path, v->best);
    CHECK(v->subject.optimal ? s->paid == v->best : s->paid >= subject_least(&v->subject, v->best),
          "%s: %u in all, the best is %u", s->planner->spec, (unsigned)s->paid, (unsigned)v->best);
}

/* ---- everything within reach ---------------------------------------------------------------------------- */

static void check_cost_to(verdict *v, sequence_search *s, cairn_node n)
{
    const char *text = subject_text(&v->subject);
    cairn_cost cost = cairn_search_cost_to(s->search, n), limit = s->query.max_cost;
    uint64_t best = v->place.oracle->distance[n];
    bool within = best != ORACLE_NONE && (!limit || best <= limit);
    if (cost == CAIRN_NO_COST) {
        CHECK(!within || (limit && !v->subject.optimal), "%s: %u was not reached", text, n);
        return;
    }
    CHECK(within && cost >= best && (!limit || cost <= limit), "%s: %u costs %u", text, n, cost);
    CHECK(!v->subject.optimal || cost == best, "%s: %u costs %u, the best is %u", text, n, cost,
          (unsigned)best);
}

static void check_everything(verdict *v, sequence *q, sequence_search *s, const cairn_path *path)
{
    v->subject.optimal = v->subject.optimal || (path->answered_by != s->planner->algorithm);
    for (uint32_t i = 0; i < 6; i++) check_cost_to(v, s, world_node(q));
    cairn_node n = world_node(q);
    const cairn_path *there = NULL;
    if (cairn_search_cost_to(s->search, n) == CAIRN_NO_COST) return;
    cairn_status status =
        SEQUENCE_CALL(q, cairn_search_path_to(s->search, n, &there), "path_to(%u)", n);
    s->stage = STAGE_IDLE;
    if (status == CAIRN_OUT_OF_MEMORY && (q->refused || s->limited)) return;
    CHECK(status == CAIRN_FOUND && there->end == n, "%s: no path to %u", s->planner->spec, n);
    check_walkable(v, s, there, v->from);
}

/* ---- the judge ------------------------------------------------------------------------------------------ */

/* Answers that the program knows the reason of; true if nothing is left to say. */
static bool is_explained(sequence_search *s, cairn_status status)
{
    bool committed = s->version != space_version(s->planner->space),
         replaced = s->generation != s->planner->generation;
    switch (status) {
    case CAIRN_OUT_OF_MEMORY: return s->refused || s->limited;
    case CAIRN_CANCELLED: return s->cancelled;
    case CAIRN_STALE:
        return committed || replaced || s->old_index || s->unsure || s->ready == CAIRN_STALE ||
               s->ready == CAIRN_RUNNING;
    case CAIRN_NOT_BUILT:
        return s->unsure || s->ready == CAIRN_NOT_BUILT || s->ready == CAIRN_RUNNING;
    default: return false;
    }
}

/* Is less than a path right because of a limit? */
static bool is_limited(const verdict *v, const sequence_search *s, cairn_status status)
{
    const cairn_query *query = &s->query;
    if (status == CAIRN_OUT_OF_BUDGET) return query->max_work || subject_may_give_up(&v->subject);
    /* with few nodes a path may not fit */
    if (status == CAIRN_TOO_LONG) return strstr(s->planner->spec, "nodes=");
    if (status != CAIRN_UNREACHABLE || v->status != CAIRN_FOUND || !query->max_cost) return false;
    return v->best > query->max_cost || !v->subject.optimal;
}

/* Pieces towards a goal that cannot be reached: only the last one says why. */
static bool is_approach(const verdict *v, const sequence_search *s, const cairn_path *path)
{
    return path->status == CAIRN_FOUND && path->partial && s->query.partial && s->query.piece &&
           (v->status == CAIRN_UNREACHABLE || v->status == CAIRN_BLOCKED_GOAL);
}

static void judge_path(verdict *v, sequence *q, sequence_search *s, const cairn_path *path)
{
    const char *text = subject_text(&v->subject);
    cairn_status status = path->status;
    bool right = status == v->status || is_limited(v, s, status) || is_approach(v, s, path);
    CHECK(right, "%s from %u: \"%s\", not \"%s\"", text, s->query.from, cairn_status_text(status),
          cairn_status_text(v->status));
    CHECK(!s->query.max_work || s->query.partial ||
              cairn_search_metrics(s->search).work <= s->query.max_work,
          "%s: used more work than allowed", text);
    if (status == CAIRN_FOUND && s->query.goal_kind == CAIRN_GOAL_NONE) {
        check_everything(v, q, s, path);
    } else if (status == CAIRN_FOUND) {
        q->paths++;
        check_found(v, s, path);
    } else if (path->partial) {
        bool first = s->paid == 0 && s->begins == s->query.from;
        CHECK(s->query.partial, "%s: nobody asked for a part", text);
        check_walkable(v, s, path, first ? v->from : s->begins);
    } else {
        CHECK(path->count == 0 && path->cost == CAIRN_NO_COST, "%s: a path of nothing", text);
    }
}

/* The world or the index is another one: nothing but the status may come of it. */
static bool is_outdated(const sequence_search *s, const cairn_path *path)
{
    if (s->version == space_version(s->planner->space)) return false;
    CHECK(path->count == 0, "%s: a path of an old world", s->planner->spec);
    return true;
}

void judge_answer(sequence *q, sequence_search *s, const cairn_path *path)
{
    verdict v;
    q->answers++;
    if (is_explained(s, path->status)) {
        CHECK(path->count == 0, "%s: a path in spite of \"%s\"", s->planner->spec,
              cairn_status_text(path->status));
        return;
    }
    if (is_outdated(s, path)) return;
    verdict_open(&v, q, s);
    v.status = is_unsupported(&v, s)                ? CAIRN_UNSUPPORTED
               : s->ready != CAIRN_OK && !s->unsure ? s->ready
                                                    : expect_path(&v, s);
    judge_path(&v, q, s, path);
    verdict_close(&v);
}

void judge_distance(sequence *q, sequence_search *s, cairn_status status, cairn_cost cost)
{
    verdict v;
    q->answers++;
    if (is_explained(s, status)) return;
    verdict_open(&v, q, s);
    v.status = s->ready != CAIRN_OK && !s->unsure ? s->ready : expect_path(&v, s);
    CHECK(status == v.status || is_limited(&v, s, status), "%s: \"%s\", not \"%s\"",
          s->planner->spec, cairn_status_text(status), cairn_status_text(v.status));
    CHECK(status == CAIRN_FOUND || cost == CAIRN_NO_COST, "%s: a cost of nothing",
          s->planner->spec);
    if (status == CAIRN_FOUND)
        CHECK(v.subject.optimal ? cost == v.best : cost >= subject_least(&v.subject, v.best),
              "%s: costs %u, the best %u", s->planner->spec, cost, (unsigned)v.best);
    verdict_close(&v);
}
