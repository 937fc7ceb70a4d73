/* service_update.c: one frame of the path service. See service.h.
 *
 * An update is a sequence of rounds. In each, free desks get the most urgent jobs, every desk with
 * a job gets a slice of what is left of the budget, the most urgent first, and all of them work. An
 * index that is not up to date gets a slice like a desk with the most urgent job that needs it.
 * Then the answers of those that are done are kept. When the budget is used, or nothing is left to
 * do, the tickets of all these answers are told, in the order of their numbers.
 *
 * Equally urgent desks take turns: first is who has waited longest for a whole slice. Turns go on
 * with the next frame, so that a budget of less than a round does not go to the same desk each
 * time.
 *
 * With a clock, a slice is no larger than what a part of the time that is left will probably do, by
 * the pace of the last slices; without workers, the clock is looked at behind each of them.
 */
#include "game/service.h"

enum {
    UPDATE_WATCH = 16,   /* units for what commits have done, at a time */
    UPDATE_FIRST = 16,   /* units of the first slice by the clock, when no pace is known */
    UPDATE_PARTS = 4,    /* a slice may take this part of the time that is left */
    UPDATE_QUICKER = 16, /* a pace rises by this part of what is missing; it falls at once */
};

/* ---- urgency ---- */

/* Has the time of a job come? */
static bool update_is_due(const cairn_service *service, uint32_t job)
{
    return service->jobs[job].due <= service->frame;
}

static bool update_before(const cairn_service *service, const crn_desk *a, const crn_desk *b)
{
    const crn_job *x = &service->jobs[a->job], *y = &service->jobs[b->job];
    return x->due < y->due || (x->due == y->due && x->serial < y->serial);
}

/* How urgent a desk is: the levels of priority that its job is below those whose time has come. */
static uint64_t update_level(const cairn_service *service, const crn_desk *desk)
{
    uint64_t due = service->jobs[desk->job].due, ageing = service->options.ageing;
    return due <= service->frame ? 0 : 1 + (due - service->frame - 1) / ageing;
}

/* Whose turn is first? */
static bool update_precedes(const cairn_service *service, const crn_desk *a, const crn_desk *b)
{
    uint64_t x = update_level(service, a), y = update_level(service, b);
    if (x != y) return x < y;
    return a->turn < b->turn || (a->turn == b->turn && update_before(service, a, b));
}

/* A turn is over with a whole slice, in however many frames. */
static void update_pass_turn(cairn_service *service, crn_desk *desk)
{
    desk->turn_used += desk->used;
    if (desk->turn_used < service->options.slice) return;
    desk->turn_used %= service->options.slice;
    desk->turn = ++service->turns;
}

/* ---- time ---- */

bool crn_timer_look(crn_timer *timer)
{
    if (timer->clock) timer->left = timer->end - timer->clock(timer->user);
    return timer->left > 0;
}

static crn_timer update_start_timer(const cairn_frame *frame)
{
    if (frame->microseconds <= 0) return (crn_timer){.left = 1};
    return (crn_timer){.clock = frame->clock,
                       .user = frame->clock_user,
                       .end = frame->clock(frame->clock_user) + frame->microseconds,
                       .left = frame->microseconds};
}

/* The part of some units that will probably be done in time. */
static uint64_t update_cut(const crn_timer *timer, double pace, uint64_t units)
{
    if (!timer->clock) return units;
    double some = pace > 0 ? pace * timer->left / UPDATE_PARTS : UPDATE_FIRST;
    if (some >= (double)units) return units;
    return some < 1 ? 1 : (uint64_t)some;
}

/* What was used since the clock was looked at says how fast it goes. */
static void update_learn(crn_timer *timer, double *pace, uint64_t used)
{
    double before = timer->left;
    if (!timer->clock || !used) return;
    crn_timer_look(timer);
    double time = before - timer->left, now = (double)used / (time > 0.001 ? time : 0.001);
    *pace = *pace <= 0 || now < *pace ? now : *pace + (now - *pace) / UPDATE_QUICKER;
}

/* ---- desks ---- */

/* Better is one that nobody has, then one that has a search, then the one whose path was asked for
 * first. */
static bool update_is_better(const cairn_service *service, const crn_desk *a, const crn_desk *b)
{
    if (!b || a->resting != b->resting) return !b || !a->resting;
    if (!a->resting) return a->search && !b->search;
    return service->jobs[a->job].serial < service->jobs[b->job].serial;
}

static crn_desk *update_free_desk(const cairn_service *service, const crn_service_planner *p)
{
    crn_desk *best = NULL;
    for (uint32_t i = 0; i < p->desk_count; i++) {
        crn_desk *desk = &p->desks[i];
        if (desk->job != CRN_SERVICE_NONE && !desk->resting) continue;
        if (update_is_better(service, desk, best)) best = desk;
    }
    return best;
}

/* A search for a desk. If there is no memory even for the first one, nobody gets an answer. */
static bool update_make_search(cairn_service *service, crn_service_planner *p, crn_desk *desk)
{
    cairn_search_options options = {.byte_limit = p->search_bytes};
    bool first = true;
    if (desk->search) return true;
    if (desk->pin && p->search_bytes) { /* there is room for one search */
        crn_pin_destroy(&service->memory, desk->pin);
        desk->pin = NULL;
    }
    cairn_status status = cairn_search_create(crn_indexes_planner(p), &options, &desk->search);
    if (status == CAIRN_OK) return true;
    for (uint32_t i = 0; i < p->desk_count; i++) first &= !p->desks[i].search && !p->desks[i].pin;
    if (first) crn_indexes_refuse(service, p, status);
    return false;
}

/* Without memory for one more search: those that rest serve, too. */
static crn_desk *update_resting_desk(const cairn_service *service, const crn_service_planner *p)
{
    crn_desk *best = NULL;
    for (uint32_t i = 0; i < p->desk_count; i++) {
        crn_desk *desk = &p->desks[i];
        if (desk->resting && desk->search && update_is_better(service, desk, best)) best = desk;
    }
    return p->queue.count ? best : NULL;
}

/* The desk that a request takes whose time has come, if none is free: that of the least urgent
 * search, unless its time has come, too. So a search is put back only until then. */
static crn_desk *update_take_desk(cairn_service *service, const crn_service_planner *p)
{
    crn_desk *last = NULL;
    if (!update_is_due(service, p->queue.entries[0].item)) return NULL;
    for (uint32_t i = 0; i < p->desk_count; i++) {
        crn_desk *desk = &p->desks[i];
        if (desk->holds || update_is_due(service, desk->job)) continue;
        if (!last || update_before(service, last, desk)) last = desk;
    }
    if (last) crn_service_put_back(service, last->job);
    return last;
}

static void update_desk_jobs(cairn_service *service, crn_service_planner *p)
{
    crn_desk *desk;
    while (p->queue.count && ((desk = update_free_desk(service, p)) != NULL ||
                              (desk = update_take_desk(service, p)) != NULL)) {
        if (!update_make_search(service, p, desk) && !(desk = update_resting_desk(service, p)))
            return;
        uint32_t index = p->queue.entries[0].item;
        crn_job *job = &service->jobs[index];
        if (desk->resting) crn_service_leave_desk(service, desk);
        crn_turns_remove(&p->queue, service->job_places, index);
        job->state = CRN_JOB_AT_DESK;
        job->desk = (uint32_t)(desk - p->desks);
        job->begun = job->more = false;
        desk->job = index;
        desk->pinned = false;
    }
}

/* ---- rounds ---- */

/* Requests do not wait for an index that is late. */
static void update_pin_all(cairn_service *service, crn_service_planner *p, cairn_frame *frame)
{
    for (uint32_t i = 0; i < p->desk_count; i++) {
        crn_desk *desk = &p->desks[i];
        if (desk->job == CRN_SERVICE_NONE || desk->resting || desk->holds || desk->pinned) continue;
        service->jobs[desk->job].begun = service->jobs[desk->job].more = false;
        frame->pinned += crn_pins_take(service, p, desk);
    }
}

static bool update_works(const crn_service_planner *p, const crn_desk *desk)
{
    bool ready = desk->pinned ? crn_pins_is_ready(desk) : p->state == CAIRN_OK;
    return ready && desk->job != CRN_SERVICE_NONE && !desk->resting && !desk->holds;
}

/* Searches in the world as it was are long, and worth less with every commit. So those of a planner
 * do not take turns: the most urgent is done first. */
static bool update_waits(const cairn_service *service, const crn_service_planner *p,
                         const crn_desk *desk)
{
    for (uint32_t i = 0; desk->pinned && i < p->desk_count; i++) {
        const crn_desk *other = &p->desks[i];
        if (other->pinned && update_works(p, other) && update_before(service, other, desk))
            return true;
    }
    return false;
}

static uint32_t update_enter(const cairn_service *service, uint32_t count, crn_desk *desk)
{
    uint32_t at = count;
    for (; at && update_precedes(service, desk, service->round[at - 1]); at--)
        service->round[at] = service->round[at - 1];
    service->round[at] = desk;
    return count + 1;
}

/* Lists the desks that have work, the most urgent first. */
static uint32_t update_list(cairn_service *service)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < service->planner_count; i++) {
        crn_service_planner *p = &service->planners[i];
        if (crn_indexes_may_sync(service, p)) count = update_enter(service, count, p->sync);
        for (uint32_t k = 0; k < p->desk_count; k++) {
            crn_desk *desk = &p->desks[k];
            if (update_works(p, desk) && !update_waits(service, p, desk) &&
                !crn_indexes_awaits(service, p, desk))
                count = update_enter(service, count, desk);
        }
    }
    return count;
}

/* The units of a frame: for requests whose time has come, and for all others; and what it pays back
 * of what indexes took above the budgets of earlier ones. */
typedef struct update_budget {
    uint64_t due, other, repaid;
} update_budget;

static uint64_t update_left(const update_budget *budget, bool due, uint64_t used)
{
    uint64_t limit = due ? budget->due : budget->other;
    return limit > used ? limit - used : 0;
}

/* Divides what is left; returns how many desks got something. Those whose time has come are the
 * first. */
static uint32_t update_grant(const cairn_service *service, uint32_t count,
                             const update_budget *budget, uint64_t used)
{
    for (uint32_t i = 0; i < count; i++) {
        crn_desk *desk = service->round[i];
        uint64_t slice = service->options.slice,
                 left = update_left(budget, update_is_due(service, desk->job), used);
        if (!left) return i;
        /* The others need something, too. */
        if (desk->syncs && crn_indexes_is_late(&service->planners[desk->planner])) left -= left / 2;
        desk->granted = slice < left ? slice : left;
        used += desk->granted;
    }
    return count;
}

static cairn_status update_begin(crn_job *job, crn_desk *desk)
{
    job->begun = true;
    desk->work = job->more ? cairn_search_metrics(desk->search).work : 0;
    if (job->more) return cairn_search_begin_next(desk->search);
    return cairn_search_begin(crn_pins_search(desk), &(cairn_query){.from = job->from,
                                                                    .to = job->to,
                                                                    .max_work = job->max_work,
                                                                    .partial = job->partial,
                                                                    .piece = job->piece});
}

/* One slice of a desk. Beginning a search counts as one unit. */
static void update_work(void *user, uint32_t i)
{
    cairn_service *service = user;
    crn_desk *desk = service->round[i];
    desk->used = 0;
    if (desk->syncs) return;
    crn_job *job = &service->jobs[desk->job];
    cairn_search *search = crn_pins_search(desk);
    bool begins = !job->begun;
    uint64_t left = desk->granted - begins;
    desk->status = begins ? update_begin(job, desk) : CAIRN_RUNNING;
    if (desk->status == CAIRN_RUNNING && left) desk->status = cairn_search_step(search, left);
    uint64_t work = cairn_search_metrics(search).work, done = work - desk->work + begins;
    desk->used = done;
    if (desk->status == CAIRN_RUNNING && done < desk->granted) desk->used = desk->granted;
    desk->work = work;
}

/* The world has changed: what it knows is worth nothing. If that happens too often, it goes on in
 * the world as it is now, whatever becomes of that. */
static void update_restart(cairn_service *service, crn_desk *desk, cairn_frame *frame)
{
    crn_job *job = &service->jobs[desk->job];
    job->begun = job->more = false;
    if (job->restarts < CRN_PIN_RESTARTS) job->restarts++;
    frame->restarts++;
    if (job->restarts < CRN_PIN_RESTARTS) return;
    crn_service_planner *p = &service->planners[desk->planner];
    bool taken = crn_pins_take(service, p, desk);
    frame->pinned += taken;
    if (!taken) crn_indexes_wait(p); /* perhaps the old index leads nowhere any more */
}

/* What a twin has found is wrong by now, and would be again: the job is searched in the world as it
 * is, or waits for the other one. */
static void update_leave_twin(cairn_service *service, crn_desk *desk, cairn_frame *frame)
{
    const crn_service_planner *p = &service->planners[desk->planner];
    if (!crn_pin_is_possible(p->planner->space)) {
        frame->restarts++;
        crn_indexes_await(service, p, desk);
        return;
    }
    desk->holds = false;
    service->jobs[desk->job].restarts = CRN_PIN_RESTARTS;
    update_restart(service, desk, frame);
}

/* The search is over. There may be no room for its answer yet. */
static void update_keep(cairn_service *service, crn_desk *desk, cairn_frame *frame)
{
    const cairn_path *path;
    cairn_path checked;
    const crn_service_planner *p = &service->planners[desk->planner];
    bool old = false;
    if (desk->pinned) {
        old = crn_pins_result(service, desk, &checked);
        path = &checked;
    } else {
        cairn_search_result(desk->search, &path);
        old = crn_indexes_result(service, p, &service->jobs[desk->job], path, &checked);
        path = &checked;
        if (p->twins && path->status == CAIRN_STALE) {
            update_leave_twin(service, desk, frame);
            return;
        }
    }
    if (path->status == CAIRN_STALE) path = &service->none[CAIRN_STALE];
    uint32_t index = desk->job;
    const crn_job *job = &service->jobs[index];
    bool kept = crn_service_finish(service, index, path),
         more = kept && job->took && job->piece && path->partial && path->status == CAIRN_FOUND;
    /* If nobody can give an answer back, there will never be room. */
    if (!kept && !service->answers) {
        crn_service_refuse(service, index, CAIRN_OUT_OF_MEMORY);
        kept = true;
    }
    desk->holds = !kept;
    frame->outdated += kept && old;
    desk->resting = more;
    if (kept && !more) crn_service_leave_desk(service, desk);
    if (kept && job->follow != CRN_SERVICE_NONE) crn_follow_again(service, job->follow);
}

/* All at once; each is as quick as all of them together. */
static void update_work_together(cairn_service *service, uint32_t count, crn_timer *timer)
{
    crn_timer before = *timer;
    for (uint32_t i = 0; i < count; i++)
        service->round[i]->granted =
            update_cut(timer, service->round[i]->pace, service->round[i]->granted);
    cairn_parallel_for(service->context, count, update_work, service);
    for (uint32_t i = 0; i < count; i++) {
        *timer = before;
        update_learn(timer, &service->round[i]->pace, service->round[i]->used);
    }
}

/* So many desks are to work. Returns how many did: one at least, and those that have time. */
static uint32_t update_work_all(cairn_service *service, uint32_t count, crn_timer *timer)
{
    if (!timer->clock || crn_context_has_workers(service->context)) {
        update_work_together(service, count, timer);
        return count;
    }
    uint32_t done = 0;
    while (done < count && (done == 0 || timer->left > 0)) {
        crn_desk *desk = service->round[done];
        desk->granted = update_cut(timer, desk->pace, desk->granted);
        update_work(service, done++);
        update_learn(timer, &desk->pace, desk->used);
    }
    return done;
}

static void update_collect(cairn_service *service, uint32_t count, cairn_frame *frame)
{
    for (uint32_t i = 0; i < count; i++) {
        crn_desk *desk = service->round[i];
        if (desk->syncs) continue;
        frame->used += desk->used;
        update_pass_turn(service, desk);
        if (desk->status == CAIRN_RUNNING) continue;
        if (desk->status == CAIRN_STALE) {
            update_restart(service, desk, frame);
        } else {
            update_keep(service, desk, frame);
        }
    }
}

/* Last, since it may end jobs. */
static void update_sync(cairn_service *service, uint32_t count, crn_timer *timer,
                        cairn_frame *frame)
{
    for (uint32_t i = 0; i < count; i++) {
        crn_desk *desk = service->round[i];
        if (!desk->syncs || (i && timer->left <= 0)) continue;
        desk->granted = update_cut(timer, desk->pace, desk->granted);
        desk->used = crn_indexes_sync(service, &service->planners[desk->planner]);
        update_learn(timer, &desk->pace, desk->used);
        update_pass_turn(service, desk);
        frame->used += desk->used;
        if (desk->used > desk->granted) frame->undivided += desk->used - desk->granted;
    }
}

/* A desk that waits for room for what it has found. If the world has changed since, it searches
 * again (what is found in the world as it was is checked each time). */
static void update_keep_late(cairn_service *service, crn_desk *desk, cairn_frame *frame)
{
    const crn_service_planner *p = &service->planners[desk->planner];
    bool still = desk->pinned || p->twins;
    if (still || desk->search->version == cairn_space_version(p->planner->space)) {
        update_keep(service, desk, frame);
    } else {
        desk->holds = false;
        update_restart(service, desk, frame);
    }
}

/* A small answer may find room where a large one does not. */
static void update_keep_held(cairn_service *service, cairn_frame *frame)
{
    for (uint32_t i = 0; i < service->planner_count; i++) {
        const crn_service_planner *p = &service->planners[i];
        for (uint32_t k = 0; k < p->desk_count; k++)
            if (p->desks[k].holds) update_keep_late(service, &p->desks[k], frame);
    }
}

/* Paths that are walked: what commits have done to them. A bounded piece of it; true = it is done.
 * */
static bool update_watch(cairn_service *service, cairn_frame *frame, const update_budget *budget,
                         crn_timer *timer)
{
    for (uint32_t i = 0; i < service->planner_count; i++) {
        crn_service_planner *p = &service->planners[i];
        if (crn_watch_is_done(p)) continue;
        uint64_t left = update_left(budget, true, frame->used),
                 piece = left < UPDATE_WATCH ? left : UPDATE_WATCH;
        uint64_t used = crn_watch_work(service, p, update_cut(timer, p->watch_pace, piece), frame);
        update_learn(timer, &p->watch_pace, used);
        frame->used += used;
        if (!crn_watch_is_done(p)) return false;
    }
    return true;
}

/* False = there is nothing left to do. */
static bool update_round(cairn_service *service, cairn_frame *frame, const update_budget *budget,
                         crn_timer *timer)
{
    if (!update_watch(service, frame, budget, timer)) return true;
    for (uint32_t i = 0; i < service->planner_count; i++) {
        crn_service_planner *p = &service->planners[i];
        frame->used += crn_indexes_look(service, p, update_left(budget, true, frame->used), frame);
        if (p->state == CAIRN_OK || crn_indexes_is_late(p)) update_desk_jobs(service, p);
        if (p->state != CAIRN_OK && crn_indexes_is_late(p)) update_pin_all(service, p, frame);
    }
    uint32_t count = update_grant(service, update_list(service), budget, frame->used);
    count = update_work_all(service, count, timer);
    update_collect(service, count, frame);
    update_sync(service, count, timer, frame);
    return count != 0;
}

/* ---- answers ---- */

/* Tickets whose last frame this was have the answer `late`. */
static void update_expire(cairn_service *service, cairn_frame *frame)
{
    const crn_turns *deadlines = &service->deadlines;
    while (deadlines->count && deadlines->entries[0].key <= service->frame) {
        crn_ticket *ticket = &service->tickets[deadlines->entries[0].item];
        crn_service_leave(service, ticket);
        service->ready[service->ready_count++] = ticket->number;
        frame->expired++;
    }
}

static bool update_older(const void *a, const void *b)
{
    cairn_ticket x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y;
}

/* Calls the function of a ticket, and releases it unless the function has asked for more. */
static void update_tell(cairn_service *service, const crn_ticket *ticket)
{
    cairn_ticket number = ticket->number;
    const cairn_path *path = NULL;
    cairn_service_answer(service, number, &path);
    service->delivering = number;
    service->released = service->dropped = false;
    ticket->answer(ticket->user, number, path);
    service->delivering = CAIRN_NO_TICKET;
    const crn_ticket *now = crn_service_find(service, number);
    crn_job *job = now->job == CRN_SERVICE_NONE ? NULL : &service->jobs[now->job];
    bool stays = job && (job->state != CRN_JOB_DONE || job->follow != CRN_SERVICE_NONE);
    if (service->released || !stays) {
        cairn_service_release(service, number);
    } else if (service->dropped) {
        crn_answer_drop(service, job);
    }
}

/* Another function may have continued it, or moved its agent: it will be told later. */
static bool update_is_answered(const cairn_service *service, const crn_ticket *ticket)
{
    return ticket->job == CRN_SERVICE_NONE || service->jobs[ticket->job].answer;
}

static void update_deliver(cairn_service *service, cairn_frame *frame)
{
    crn_sort(service->ready, service->ready_count, sizeof *service->ready, update_older);
    frame->answered = (uint32_t)service->ready_count;
    for (size_t i = 0; i < service->ready_count; i++) {
        crn_ticket *ticket = crn_service_find(service, service->ready[i]);
        if (ticket) ticket->ready = false;
        if (ticket && ticket->answer && update_is_answered(service, ticket))
            update_tell(service, ticket);
    }
    service->ready_count = 0;
}

/* Mean and variance of the bytes, without keeping them (Welford 1962). */
static void update_measure(cairn_service *service)
{
    cairn_service_use *use = &service->use;
    size_t bytes = cairn_service_usage(service).bytes;
    double off = (double)bytes - use->mean_bytes, frames = (double)service->frame;
    if (bytes > use->peak_bytes) use->peak_bytes = bytes;
    use->mean_bytes += off / frames;
    service->squares += off * ((double)bytes - use->mean_bytes);
    use->variance_bytes = service->squares / frames;
}

static void update_count(const cairn_service *service, cairn_frame *frame)
{
    for (uint32_t i = 0; i < service->planner_count; i++) {
        const crn_service_planner *p = &service->planners[i];
        frame->waiting += (uint32_t)p->queue.count;
        for (uint32_t k = 0; k < p->desk_count; k++)
            frame->running += p->desks[k].job != CRN_SERVICE_NONE && !p->desks[k].resting;
    }
}

/* What a frame may use, if there are debts. Indexes leave at least half of it to the others. */
static update_budget update_allow(const cairn_service *service, const cairn_frame *frame)
{
    uint64_t hard = frame->work ? frame->work : UINT64_MAX, soft = frame->soft ? frame->soft : hard,
             repaid = service->overrun < soft / 2 ? service->overrun : soft / 2,
             debt = repaid + (frame->soft ? service->debt : 0);
    return (update_budget){.due = hard > debt ? hard - debt : 0,
                           .other = soft > debt ? soft - debt : 0,
                           .repaid = repaid};
}

/* What is above all that the frame may use was taken by indexes that cannot be divided. What it
 * leaves of what it should use pays its soft debts first, then theirs. */
static void update_pay(cairn_service *service, cairn_frame *frame, const update_budget *budget)
{
    uint64_t above = frame->used > budget->due ? frame->used - budget->due : 0,
             all = frame->used - above + budget->repaid + (frame->soft ? service->debt : 0),
             limit = frame->soft   ? frame->soft
                     : frame->work ? frame->work
                                   : UINT64_MAX,
             spare = limit > all ? limit - all : 0;
    if (frame->soft) service->debt = all > limit ? all - limit : 0;
    service->overrun += above - budget->repaid;
    service->overrun -= spare < service->overrun ? spare : service->overrun;
    frame->debt = service->debt + service->overrun;
}

static bool update_is_allowed(const cairn_service *service, const cairn_frame *frame)
{
    return service && frame && !service->delivering && (frame->microseconds <= 0 || frame->clock) &&
           (!frame->work || frame->soft <= frame->work);
}

cairn_status cairn_service_update(cairn_service *service, cairn_frame *frame)
{
    if (!update_is_allowed(service, frame)) return CAIRN_INVALID;
    update_budget budget = update_allow(service, frame);
    crn_timer timer = update_start_timer(frame);
    frame->used = frame->undivided = frame->beside = 0;
    frame->answered = frame->expired = frame->waiting = frame->running = frame->restarts = 0;
    frame->broken = frame->shortcuts = frame->pinned = frame->outdated = 0;
    service->frame++;
    update_keep_held(service, frame);
    frame->used += crn_survive(service, budget.due, &timer);
    crn_pins_budget pins = {budget.due - frame->used, frame->work ? frame->work : UINT64_MAX};
    frame->used += crn_pins_refresh(service, &pins, &timer);
    while (frame->used < budget.due && update_round(service, frame, &budget, &timer) &&
           timer.left > 0) {
    }
    update_pay(service, frame, &budget);
    update_expire(service, frame);
    update_deliver(service, frame);
    update_measure(service);
    update_count(service, frame);
    return CAIRN_OK;
}
