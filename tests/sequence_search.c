/* sequence_search.c: the queries of a program: whole, in slices, in pieces, cancelled, outdated by
 * a commit or by another index (see sequence.h). The judge has the last word on every answer. */
#include "sequence.h"

#include <math.h>

/* ---- slots --------------------------------------------------------------------------------- */

static uint32_t search_number(const sequence *q, const sequence_search *s)
{
    return (uint32_t)(s - q->searches);
}

static sequence_search *search_any(sequence *q)
{
    uint32_t first = choose(q, SEQUENCE_SEARCHES);
    for (uint32_t i = 0; i < SEQUENCE_SEARCHES; i++) {
        sequence_search *s = &q->searches[(first + i) % SEQUENCE_SEARCHES];
        if (s->search) return s;
    }
    return NULL;
}

void search_create(sequence *q)
{
    sequence_search *s = NULL;
    for (uint32_t i = 0; i < SEQUENCE_SEARCHES; i++) {
        if (!q->searches[i].search) s = &q->searches[i];
    }
    sequence_planner *p = planner_any(q, true);
    if (!s || !p) return;
    cairn_search *search = NULL;
    cairn_search_options options = {.byte_limit = one_in(q, 16) ? 4000 + 200 * choose(q, 250) : 0};
    cairn_status status = SEQUENCE_CALL(q, cairn_search_create(p->planner, &options, &search),
                                        "search_create(planner%u, %u bytes)", planner_number(q, p),
                                        (uint32_t)options.byte_limit);
    CHECK(status == CAIRN_OK
              ? search != NULL
              : status == CAIRN_OUT_OF_MEMORY && !search && (q->refused || options.byte_limit),
          "%s: no search: %s", p->spec, cairn_status_text(status));
    if (!search) return;
    *s = (sequence_search){.search = search, .planner = p, .limited = options.byte_limit};
    p->users++;
    sequence_note(q, " -> search%u", search_number(q, s));
}

void search_destroy(sequence *q, sequence_search *s)
{
    if (!s->search) return;
    sequence_before(q, "search_destroy(search%u)", search_number(q, s));
    cairn_search_destroy(s->search);
    q->memory.fail_at = 0;
    sequence_planner *p = s->planner;
    *s = (sequence_search){0};
    planner_leave(p);
}

/* ---- a query ----------------------------------------------------------------------------------- */

static void draw_goals(sequence *q, sequence_search *s)
{
    cairn_query *query = &s->query;
    uint32_t kind = choose(q, 16);
    if (kind < 11) return;
    if (kind < 14) {
        query->goals = s->goals;
        query->goal_count = 1 + choose(q, SEQUENCE_GOALS);
        for (uint32_t i = 0; i < query->goal_count; i++) s->goals[i] = world_node(q);
    }
    if (kind == 13 || kind == 14) {
        query->goal_kind = one_in(q, 2) ? CAIRN_GOAL_WITHIN : CAIRN_GOAL_NEXT_TO;
        query->radius = choose(q, 10) * (q->world.now ? 0.5 : 4);
    }
    if (kind == 15) query->goal_kind = CAIRN_GOAL_NONE;
}

static void draw_limits(sequence *q, sequence_search *s)
{
    cairn_query *query = &s->query;
    uint32_t kind = choose(q, 32);
    query->partial = one_in(q, 4);
    if (kind < 3) query->max_cost = 1 + 1500 * choose(q, 60);
    if (kind > 28) query->max_work = 1 + choose(q, one_in(q, 2) ? 12 : 200);
    if (kind == 4) query->start_within = one_in(q, 2) ? INFINITY : 2;
    if ((s->planner->algorithm->flags & CAIRN_PIECES) && one_in(q, 4))
        query->piece = 1 + choose(q, 12);
}

static void draw_positions(sequence *q, sequence_search *s)
{
    cairn_query *query = &s->query;
    const cairn_space *space = s->planner->space->space;
    if (!cairn_space_has_positions(space) || !one_in(q, 16)) return;
    if (query->from >= q->world.node_count || query->to >= q->world.node_count) return;
    query->by_position = 1 + choose(q, 3);
    query->from_position = cairn_space_position(space, query->from);
    query->to_position = cairn_space_position(space, query->to);
    /* of several nodes at one place it is the first */
    query->from = cairn_space_node_at(space, query->from_position);
    query->to = cairn_space_node_at(space, query->to_position);
}

static void draw_filter(sequence *q, sequence_search *s)
{
    static const uint16_t costs[] = {0, 100, 256, 300, 512, 1500};
    bool layered = s->planner->space->place.profile.layer_weight == 256;
    if (!one_in(q, 16)) return;
    s->filter = (cairn_filter){.cells = s->cells, .cell_count = choose(q, SEQUENCE_CELLS + 1)};
    for (uint32_t i = 0; i < s->filter.cell_count; i++) {
        s->cells[i] = (cairn_filter_cell){.node = world_node(q), .blocked = one_in(q, 2)};
        if (layered) s->cells[i].extra = 256 * choose(q, 3);
        sequence_note(q, " filter %u%s+%u", s->cells[i].node, s->cells[i].blocked ? "#" : "",
                      s->cells[i].extra);
    }
    if (one_in(q, 2)) {
        for (uint32_t i = 0; i < 256; i++)
            s->costs[i] = i < 8 ? costs[choose(q, LENGTH(costs))] : 256;
        s->filter.terrain_cost = s->costs;
        sequence_note(q, " and costs");
    }
    s->query.filter = &s->filter;
}

static void draw_query(sequence *q, sequence_search *s)
{
    s->query = (cairn_query){.from = q->haunts[choose(q, SEQUENCE_HAUNTS)], .to = world_place(q)};
    if (one_in(q, 24)) s->query.from = world_node(q) + (one_in(q, 4) ? q->world.node_count : 0);
    if (one_in(q, 48)) s->query.to += q->world.node_count;
    draw_goals(q, s);
    draw_limits(q, s);
    draw_positions(q, s);
    draw_filter(q, s);
}

static void log_query(sequence *q, const sequence_search *s, const char *how)
{
    static const char *const kinds[] = {"at", "next to", "within", "none"};
    const cairn_query *query = &s->query;
    char goals[80] = "";
    for (uint32_t i = 0, at = 0; query->goals && i < query->goal_count; i++)
        at += (uint32_t)snprintf(goals + at, sizeof goals - at, " %u", s->goals[i]);
    sequence_before(q,
                    "%s(search%u of planner%u, %u to %u%s%s %s %g, cost %u, work %u, piece %u, "
                    "within %g%s%s%s)",
                    how, search_number(q, s), planner_number(q, s->planner), query->from, query->to,
                    query->goals ? " goals" : "", goals, kinds[query->goal_kind], query->radius,
                    query->max_cost, (uint32_t)query->max_work, query->piece, query->start_within,
                    query->partial ? ", partial" : "", query->by_position ? ", by position" : "",
                    query->filter ? ", filtered" : "");
}

/* What holds when a query begins. */
static void note_begin(sequence_search *s)
{
    const sequence_planner *p = s->planner;
    s->version = space_version(p->space);
    s->generation = p->generation;
    s->ready = p->slicing ? CAIRN_RUNNING : planner_expected(p);
    s->old_index = p->syncing;
    s->unsure = p->unsure;
    s->cancelled = s->refused = s->more = false;
    s->begins = s->query.from;
    s->paid = 0;
}

/* ---- asking ---------------------------------------------------------------------------------------- */

static void note_answer(sequence *q, sequence_search *s, const cairn_path *path)
{
    s->status = path->status;
    s->stage = STAGE_TOLD;
    s->refused |= q->refused;
    s->improvable = path->improvable;
    s->cost = path->cost;
    judge_answer(q, s, path);
}

static void find(sequence *q, sequence_search *s)
{
    const cairn_path *path = NULL;
    log_query(q, s, "find");
    note_begin(s);
    cairn_status status = sequence_after(q, cairn_search_find(s->search, &s->query, &path));
    CHECK(path && path->status == status, "no answer");
    note_answer(q, s, path);
}

static void note_step(sequence *q, sequence_search *s, cairn_status status)
{
    s->status = status;
    s->stage = status == CAIRN_RUNNING ? STAGE_RUNNING : STAGE_ENDED;
    s->refused |= q->refused;
}

static void begin(sequence *q, sequence_search *s)
{
    log_query(q, s, "begin");
    note_begin(s);
    note_step(q, s, sequence_after(q, cairn_search_begin(s->search, &s->query)));
}

static void step(sequence *q, sequence_search *s)
{
    static const uint32_t works[] = {1, 2, 7, 30, 500};
    uint32_t work = works[choose(q, LENGTH(works))];
    bool outdated =
        s->version != space_version(s->planner->space) || s->generation != s->planner->generation;
    cairn_status status = SEQUENCE_CALL(q, cairn_search_step(s->search, work), "step(search%u, %u)",
                                        search_number(q, s), work);
    CHECK(!s->cancelled || status == CAIRN_CANCELLED, "not cancelled: %s",
          cairn_status_text(status));
    CHECK(s->cancelled || !outdated || status == CAIRN_STALE, "%s: not stale: %s", s->planner->spec,
          cairn_status_text(status));
    CHECK(outdated || s->unsure || status != CAIRN_STALE || s->old_index, "%s: stale",
          s->planner->spec);
    note_step(q, s, status);
}

static void result(sequence *q, sequence_search *s)
{
    const cairn_path *path = NULL;
    cairn_status before = s->status;
    bool ended = s->stage == STAGE_ENDED;
    cairn_status status = SEQUENCE_CALL(q, cairn_search_result(s->search, &path),
                                        "result(search%u)", search_number(q, s));
    CHECK(path && path->status == status, "no result");
    if (!ended) {
        CHECK(status == CAIRN_RUNNING && !path->count, "a result before the end");
        return;
    }
    CHECK(status == before || status == CAIRN_STALE || (status == CAIRN_OUT_OF_MEMORY),
          "ended with \"%s\", but the result is \"%s\"", cairn_status_text(before),
          cairn_status_text(status));
    note_answer(q, s, path);
}

static void find_next(sequence *q, sequence_search *s)
{
    const cairn_path *path = NULL;
    bool sliced = one_in(q, 2);
    cairn_status status = SEQUENCE_CALL(
        q, sliced ? cairn_search_begin_next(s->search) : cairn_search_find_next(s->search, &path),
        "%s(search%u)", sliced ? "begin_next" : "find_next", search_number(q, s));
    CHECK(status != CAIRN_INVALID, "%s: there is a next piece", s->planner->spec);
    s->more = false;
    if (sliced)
        note_step(q, s, status);
    else
        note_answer(q, s, path);
}

/* A path of planners that can, again and never more expensive. */
static void improve(sequence *q, sequence_search *s)
{
    static const uint32_t works[] = {1, 20, 400};
    uint32_t work = works[choose(q, LENGTH(works))];
    const cairn_path *path = NULL;
    cairn_cost before = s->cost;
    cairn_status status = SEQUENCE_CALL(q, cairn_search_improve(s->search, work, &path),
                                        "improve(search%u, %u)", search_number(q, s), work);
    CHECK(status != CAIRN_INVALID && path, "%s: can be improved", s->planner->spec);
    s->paid = 0;
    s->begins = s->query.from;
    note_answer(q, s, path);
    CHECK(status != CAIRN_FOUND || path->cost <= before, "%s: improved from %u to %u",
          s->planner->spec, before, path->cost);
}

static void cancel(sequence *q, sequence_search *s)
{
    sequence_before(q, "cancel(search%u)", search_number(q, s));
    cairn_search_cancel(s->search);
    sequence_after(q, CAIRN_OK);
    s->cancelled = true;
}

static void distance(sequence *q, sequence_search *s)
{
    cairn_cost cost = 0;
    s->query = (cairn_query){.from = s->query.from, .to = s->query.to};
    note_begin(s);
    cairn_status status =
        SEQUENCE_CALL(q, cairn_distance(s->search, s->query.from, s->query.to, &cost),
                      "distance(search%u of planner%u, %u, %u)", search_number(q, s),
                      planner_number(q, s->planner), s->query.from, s->query.to);
    s->refused |= q->refused;
    s->stage = STAGE_IDLE;
    judge_distance(q, s, status, cost);
}

/* The same query once more: the same answer, to the node. */
static void find_twice(sequence *q, sequence_search *s)
{
    find(q, s);
    if (s->refused || s->query.goal_kind == CAIRN_GOAL_NONE) return;
    const cairn_path *path = NULL;
    cairn_search_result(s->search, &path);
    answer first = answer_of(s->search, path);
    begin(q, s);
    while (s->stage == STAGE_RUNNING) step(q, s);
    if (!s->refused) {
        cairn_search_result(s->search, &path);
        answer second = answer_of(s->search, path);
        CHECK(answer_same_path(&first, &second) || s->limited, "%s: in slices another path",
              s->planner->spec);
        answer_free(&second);
    }
    answer_free(&first);
    result(q, s);
}

void search_ask(sequence *q)
{
    sequence_search *s = search_any(q);
    if (!s) return;
    sequence_note(q, "\n");
    draw_query(q, s);
    switch (choose(q, 12)) {
    case 0: find_twice(q, s); break;
    case 1: distance(q, s); break;
    case 2:
    case 3:
    case 4:
    case 5: begin(q, s); break;
    default: find(q, s);
    }
}

void search_go_on(sequence *q)
{
    sequence_search *s = search_any(q);
    if (!s) return;
    switch (s->stage) {
    case STAGE_RUNNING:
        if (one_in(q, 24))
            cancel(q, s);
        else if (one_in(q, 24))
            result(q, s);
        for (uint32_t i = 1 + choose(q, 6); i && s->stage == STAGE_RUNNING; i--) step(q, s);
        if (s->stage == STAGE_ENDED && !one_in(q, 4)) result(q, s);
        break;
    case STAGE_ENDED: result(q, s); break;
    case STAGE_TOLD:
        if (s->more)
            find_next(q, s);
        else if (s->improvable)
            improve(q, s);
        break;
    default: break;
    }
}
