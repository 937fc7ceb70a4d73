/* sequence_service.c: a path service beside all else that a program does (see sequence.h): it
 * serves from planners that others build, sync, share and let go, in worlds that are committed
 * between its updates. After each update the judge hears every new answer, in the world as it is.
 * No ticket is answered twice, or not at all.
 */
#include "sequence.h"

static sequence_ticket *ticket_any(sequence *q)
{
    sequence_service *v = &q->service;
    uint32_t first = choose(q, SEQUENCE_TICKETS);
    for (uint32_t i = 0; i < SEQUENCE_TICKETS; i++) {
        sequence_ticket *t = &v->tickets[(first + i) % SEQUENCE_TICKETS];
        if (t->ticket) return t;
    }
    return NULL;
}

/* ---- the service and its planners ---------------------------------------------------------- */

/* Does a planner that is served like this never take more than a frame has? Its index is divided,
 * or made beside the frames. */
static bool keeps_to_budgets(const sequence_planner *p, const cairn_service_share *share)
{
    return !(p->algorithm->flags & CAIRN_NEEDS_INDEX) || p->algorithm->flags & CAIRN_SLICES ||
           share->background != CAIRN_SHARE_NEVER;
}

/* Would its index have to be copied where that cannot be? */
static bool is_refused(const sequence *q, const sequence_planner *p,
                       const cairn_service_share *share)
{
    bool copied = q->world.kind != CAIRN_WORLD_CALLBACKS,
         divided = p->algorithm->flags & CAIRN_SLICES && share->background == CAIRN_SHARE_AUTO;
    return p->algorithm->flags & CAIRN_NEEDS_INDEX && !copied && !divided &&
           share->background != CAIRN_SHARE_NEVER;
}

static void service_add(sequence *q)
{
    sequence_service *v = &q->service;
    sequence_planner *p = planner_any(q, true);
    if (!p || v->planner_count == SEQUENCE_SERVED) return;
    cairn_service_share share = {.searches = 1 + choose(q, 3)};
    uint32_t number = 0;
    /* syncs of planners that do so themselves would be seen by their other searches */
    if (one_in(q, 2))
        share.background = CAIRN_SHARE_NEVER;
    else if (!(p->algorithm->flags & CAIRN_BACKGROUND) && one_in(q, 2))
        share.background = 1 + choose(q, 5);
    bool keeps = keeps_to_budgets(p, &share), refused = is_refused(q, p, &share);
    cairn_status status =
        SEQUENCE_CALL(q, cairn_service_add(v->service, p->planner, &share, &number),
                      "service_add(planner%u, %u searches, background %u)", planner_number(q, p),
                      share.searches, share.background);
    CHECK(status == CAIRN_OK || (status == CAIRN_OUT_OF_MEMORY && (q->refused || v->limit)) ||
              (status == CAIRN_UNSUPPORTED && refused),
          "%s: cannot serve: %s", p->spec, cairn_status_text(status));
    CHECK(status != CAIRN_OK || !refused, "%s: serves without a copy", p->spec);
    if (status != CAIRN_OK) return;
    CHECK(number == v->planner_count, "planner %u of the service", number);
    v->planners[v->planner_count++] = p;
    v->exceeds |= !keeps;
    p->users++;
}

static void service_open(sequence *q)
{
    sequence_service *v = &q->service;
    cairn_service_options options = {.slice = one_in(q, 2) ? 1 + choose(q, 90) : 0,
                                     .ageing = choose(q, 12),
                                     .byte_limit = one_in(q, 6) ? 30000 + 1000 * choose(q, 90) : 0};
    cairn_status status =
        SEQUENCE_CALL(q, cairn_service_create(q->context, &options, &v->service),
                      "service_create(slice %u, ageing %u, %u bytes)", options.slice,
                      options.ageing, (uint32_t)options.byte_limit);
    CHECK(status == CAIRN_OK ||
              (status == CAIRN_OUT_OF_MEMORY && (q->refused || options.byte_limit)),
          "no service: %s", cairn_status_text(status));
    v->limit = options.byte_limit;
    if (status == CAIRN_OK) service_add(q);
}

void service_close(sequence *q)
{
    sequence_service *v = &q->service, closed = *v;
    if (!v->service) return;
    sequence_before(q, "service_destroy()");
    cairn_service_destroy(v->service);
    q->memory.fail_at = 0;
    *v = (sequence_service){0};
    for (uint32_t i = 0; i < closed.planner_count; i++) {
        planner_recall(q, closed.planners[i]);
        planner_leave(closed.planners[i]);
    }
}

/* ---- requests --------------------------------------------------------------------------------- */

static void service_request(sequence *q)
{
    sequence_service *v = &q->service;
    sequence_ticket *t = NULL;
    for (uint32_t i = 0; i < SEQUENCE_TICKETS; i++)
        if (!v->tickets[i].ticket) t = &v->tickets[i];
    if (!t || !v->planner_count) return;
    uint32_t number = choose(q, v->planner_count);
    cairn_request r = {.planner = number,
                       .from = q->haunts[choose(q, SEQUENCE_HAUNTS)],
                       .to = world_place(q),
                       .priority = choose(q, CAIRN_PRIORITIES),
                       .deadline = one_in(q, 8) ? 1 + choose(q, 6) : 0,
                       .partial = one_in(q, 4)};
    if (one_in(q, 32)) r.to += q->world.node_count;
    cairn_status status =
        SEQUENCE_CALL(q, cairn_service_request(v->service, &r, &t->ticket),
                      "service_request(planner%u, %u to %u, priority %u, deadline %u%s)",
                      planner_number(q, v->planners[number]), r.from, r.to, r.priority, r.deadline,
                      r.partial ? ", partial" : "");
    CHECK(status == CAIRN_OK
              ? t->ticket != CAIRN_NO_TICKET
              : status == CAIRN_OUT_OF_MEMORY && !t->ticket && (q->refused || v->limit),
          "a request: %s", cairn_status_text(status));
    if (status != CAIRN_OK) return;
    t->asked = r;
    t->planner = v->planners[number];
    t->version = space_version(t->planner->space);
    t->answered = t->followed = t->refused = false;
}

static void service_release(sequence *q)
{
    sequence_ticket *t = ticket_any(q);
    if (!t) return;
    cairn_status status = SEQUENCE_CALL(q, cairn_service_release(q->service.service, t->ticket),
                                        "service_release(%u)", (uint32_t)t->ticket);
    CHECK(status == CAIRN_OK, "released: %s", cairn_status_text(status));
    CHECK(cairn_service_answer(q->service.service, t->ticket, NULL) == CAIRN_INVALID,
          "a ticket that was given back still has an answer");
    *t = (sequence_ticket){0};
}

static void service_follow(sequence *q)
{
    sequence_ticket *t = ticket_any(q);
    const cairn_path *path = NULL;
    if (!t || !t->answered) return;
    cairn_status before = cairn_service_answer(q->service.service, t->ticket, &path);
    bool has = before != CAIRN_RUNNING && path && path->count;
    cairn_shortcuts shortcuts = (cairn_shortcuts)choose(q, CAIRN_SHORTCUTS_COUNT);
    cairn_status status =
        SEQUENCE_CALL(q, cairn_service_follow(q->service.service, t->ticket, shortcuts),
                      "service_follow(%u, %u)", (uint32_t)t->ticket, (uint32_t)shortcuts);
    bool lost = status == CAIRN_OUT_OF_MEMORY && (q->refused || q->service.limit);
    CHECK(lost || t->followed || status == (has ? CAIRN_OK : CAIRN_INVALID), "followed: %s",
          cairn_status_text(status));
    t->followed |= status == CAIRN_OK;
}

static void service_walk(sequence *q)
{
    sequence_ticket *t = ticket_any(q);
    const cairn_path *path = NULL;
    if (!t || !t->followed) return;
    cairn_status status = cairn_service_answer(q->service.service, t->ticket, &path);
    if (status != CAIRN_FOUND) return;
    cairn_node at = one_in(q, 6) ? world_place(q) : path->nodes[choose(q, path->count)];
    status = SEQUENCE_CALL(q, cairn_service_walked(q->service.service, t->ticket, at),
                           "service_walked(%u, %u)", (uint32_t)t->ticket, at);
    CHECK(status == CAIRN_OK, "walked: %s", cairn_status_text(status));
    t->answered = false; /* another path may follow */
}

/* ---- answers ----------------------------------------------------------------------------------- */

/* Why an answer may say nothing of the world. */
static bool is_excused(const sequence *q, const sequence_ticket *t, cairn_status status)
{
    switch (status) {
    case CAIRN_OUT_OF_MEMORY: return t->refused || q->service.limit;
    case CAIRN_OUT_OF_BUDGET: return t->asked.deadline || gave_up(t->planner->algorithm, status);
    case CAIRN_STALE: return t->refused || t->version != space_version(t->planner->space);
    default: return gave_up(t->planner->algorithm, status);
    }
}

/* The judge hears it as the answer of a search that was begun in the world as it is. */
static void judge(sequence *q, sequence_ticket *t, const cairn_path *path)
{
    sequence_planner *p = t->planner;
    uint64_t version = space_version(p->space);
    cairn_path now = *path;
    sequence_search heard = {
        .planner = p,
        .query = {.from = t->asked.from, .to = t->asked.to, .partial = t->asked.partial},
        .version = version,
        .generation = p->generation,
        .refused = t->refused,
        .begins = t->asked.from,
        .limited = q->service.limit};
    if (is_excused(q, t, path->status)) {
        CHECK(path->status != CAIRN_STALE || !path->count, "a path that is stale");
        return;
    }
    CHECK(path->version <= version, "an answer from another world");
    if (path->count && path->version < version) { /* outdated, and says so */
        CHECK(path->suboptimality_bound == 0, "an outdated path with a bound");
        heard.old_index = true;
        now.version = version;
    }
    judge_answer(q, &heard, &now);
}

/* What is left of a path that is walked is no cheaper than the best path. */
static void check_followed(sequence *q, sequence_ticket *t)
{
    cairn_followed f;
    CHECK_OK(cairn_service_followed(q->service.service, t->ticket, &f));
    if (f.left == CAIRN_NO_COST || f.left == 0) return;
    const cairn_path *path = NULL;
    if (cairn_service_answer(q->service.service, t->ticket, &path) != CAIRN_FOUND) return;
    CHECK(f.segment < path->count && path->end == path->nodes[path->count - 1],
          "%s: behind point %u of %u", t->planner->spec, f.segment, path->count);
}

static void hear(sequence *q)
{
    sequence_service *v = &q->service;
    for (uint32_t i = 0; i < SEQUENCE_TICKETS; i++) {
        sequence_ticket *t = &v->tickets[i];
        const cairn_path *path = NULL;
        if (!t->ticket) continue;
        t->refused |= q->refused;
        cairn_status status = cairn_service_answer(v->service, t->ticket, &path);
        CHECK(status != CAIRN_INVALID, "ticket %u is lost", (uint32_t)t->ticket);
        CHECK(!t->answered || t->followed || status != CAIRN_RUNNING, "an answer is taken back");
        if (status == CAIRN_RUNNING) continue;
        CHECK(path && path->status == status, "no answer");
        if (t->followed) check_followed(q, t);
        if (t->answered || t->followed) continue;
        t->answered = true;
        judge(q, t, path);
    }
}

static void service_update(sequence *q)
{
    static const uint32_t works[] = {0, 3, 40, 300, 3000};
    sequence_service *v = &q->service;
    cairn_frame frame = {.work = works[choose(q, LENGTH(works))]};
    if (frame.work && one_in(q, 4)) frame.soft = frame.work / 2;
    cairn_status status = SEQUENCE_CALL(q, cairn_service_update(v->service, &frame),
                                        "service_update(%u)", (uint32_t)frame.work);
    sequence_note(q, ": %u used, %u answered", (uint32_t)frame.used, frame.answered);
    CHECK(status == CAIRN_OK, "an update: %s", cairn_status_text(status));
    CHECK(!frame.work || frame.used <= frame.work + frame.undivided, "%u units, %u are allowed",
          (uint32_t)frame.used, (uint32_t)frame.work);
    CHECK(v->exceeds || (!frame.undivided && (!frame.work || frame.used <= frame.work)),
          "%u units above the budget", (uint32_t)frame.undivided);
    for (uint32_t i = 0; i < v->planner_count; i++) planner_recall(q, v->planners[i]);
    cairn_service_use use = cairn_service_usage(v->service);
    CHECK(!v->limit || use.peak_bytes <= v->limit, "%u bytes, %u are allowed",
          (uint32_t)use.peak_bytes, (uint32_t)v->limit);
    hear(q);
}

void service_serve(sequence *q)
{
    if (!q->service.service) {
        service_open(q);
        return;
    }
    switch (choose(q, 16)) {
    case 0: service_add(q); break;
    case 1: service_release(q); break;
    case 2: service_follow(q); break;
    case 3: service_walk(q); break;
    case 4:
    case 5:
    case 6:
    case 7:
    case 8: service_request(q); break;
    default: service_update(q);
    }
    if (one_in(q, 64)) service_close(q);
}
