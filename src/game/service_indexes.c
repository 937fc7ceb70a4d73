/* service_indexes.c: the indexes of the planners of a service.
 *
 * An index is brought up to date a slice at a time, as a part of the budget, when somebody needs
 * it. Or, if that is wanted, in the background: then the old one serves meanwhile, and the new one
 * takes its place in the frame that was fixed when the sync began, whether it was ready sooner or
 * not. So what happens does not depend on how fast the thread is, or whether there is one: without
 * workers the new index is made in that frame. What the old one answers is checked, and is never
 * called optimal. Planners that cannot do that themselves have twins for it (twins.h), by default
 * all whose index cannot be divided: so no frame takes more than its budget.
 */
#include "game/service.h"

void crn_indexes_refuse(cairn_service *service, const crn_service_planner *p, cairn_status status)
{
    while (p->queue.count) crn_service_refuse(service, p->queue.entries[0].item, status);
    for (uint32_t i = 0; i < p->desk_count; i++) {
        crn_desk *desk = &p->desks[i];
        bool needs = desk->job != CRN_SERVICE_NONE && !desk->pinned;
        if (!needs || desk->resting || desk->holds) continue;
        crn_service_refuse(service, desk->job, status);
        crn_service_leave_desk(service, desk);
    }
}

/* The job that needs it first: of those that wait, or have begun. */
static uint32_t indexes_first(const cairn_service *service, const crn_service_planner *p)
{
    uint32_t first = p->queue.count ? p->queue.entries[0].item : CRN_SERVICE_NONE;
    for (uint32_t i = 0; i < p->desk_count; i++) {
        uint32_t job = p->desks[i].job;
        if (job == CRN_SERVICE_NONE || p->desks[i].resting) continue;
        if (first == CRN_SERVICE_NONE || service->jobs[job].due < service->jobs[first].due)
            first = job;
    }
    return first;
}

bool crn_indexes_is_late(const crn_service_planner *p)
{
    return p->late >= CRN_PIN_RESTARTS && crn_pin_is_possible(p->planner->space);
}

/* ---- in the background ---- */

cairn_planner *crn_indexes_planner(const crn_service_planner *p)
{
    return p->twins ? crn_twins_planner(p->twins) : p->planner;
}

void crn_indexes_wait(crn_service_planner *p)
{
    if (!p->sync_end || p->twins) return;
    p->sync_end = 0;
    cairn_status status = cairn_planner_sync_end(p->planner, true, NULL);
    p->failed += status != CAIRN_OK && status != CAIRN_STALE; /* the world may be newer by now */
}

/* Begins a sync, or ends it in its frame. One that somebody else has begun is treated as if it had
 * begun now. Returns what it took if it could not be done in the background. */
static uint64_t indexes_turn(const cairn_service *service, crn_service_planner *p)
{
    uint64_t before = crn_index_work(p->planner);
    if (!p->sync_end && crn_index_owner(p->planner)->syncing)
        p->sync_end = service->frame + p->background;
    if (p->sync_end && service->frame >= p->sync_end) crn_indexes_wait(p);
    if (!p->background || p->sync_end || cairn_planner_state(p->planner) != CAIRN_STALE) return 0;
    cairn_status status = crn_index_sync_begin(p->planner, true, NULL);
    if (status == CAIRN_RUNNING) p->sync_end = service->frame + p->background;
    return crn_index_work(p->planner) - before;
}

/* ---- twins ---- */

bool crn_indexes_awaits(const cairn_service *service, const crn_service_planner *p,
                        const crn_desk *desk)
{
    if (!p->twins || desk->pinned || desk->job == CRN_SERVICE_NONE) return false;
    return service->jobs[desk->job].wrong == crn_twins_version(p->twins) + 1;
}

/* Is there a first index? */
static bool indexes_serves(const crn_service_planner *p)
{
    return cairn_planner_state(crn_twins_planner(p->twins)) == CAIRN_OK;
}

/* A job that waits for another index has done so in vain. */
static void indexes_miss(cairn_service *service, uint32_t index)
{
    enum { MISSED = 2 }; /* so often, before it is told so */
    if (service->jobs[index].lost++ < MISSED) return;
    crn_service_put_back(service, index);
    crn_service_refuse(service, index, CAIRN_STALE);
    if (service->jobs[index].follow != CRN_SERVICE_NONE)
        crn_follow_again(service, service->jobs[index].follow);
}

void crn_indexes_await(cairn_service *service, const crn_service_planner *p, crn_desk *desk)
{
    crn_job *job = &service->jobs[desk->job];
    desk->holds = job->begun = job->more = false;
    job->wrong = crn_twins_version(p->twins) + 1;
    indexes_miss(service, desk->job);
}

/* The search of a desk began in a world that serves no more: it begins again, the second time as
 * one that commits cannot overtake. */
static void indexes_begin_again(cairn_service *service, crn_service_planner *p, crn_desk *desk,
                                cairn_frame *frame)
{
    uint32_t index = desk->job;
    crn_job *job = &service->jobs[index];
    bool begun = job->begun;
    job->begun = job->more = desk->holds = false;
    frame->restarts += begun;
    if (begun && job->restarts < CRN_PIN_RESTARTS) job->restarts++;
    if (job->restarts == CRN_PIN_RESTARTS && crn_pins_take(service, p, desk)) {
        frame->pinned++;
    } else if (desk->job == index) {
        crn_service_put_back(service, index);
    }
}

/* Searches belong to the twin that serves. */
static void indexes_leave_twin(cairn_service *service, crn_service_planner *p, cairn_frame *frame)
{
    for (uint32_t i = 0; i < p->desk_count; i++) {
        crn_desk *desk = &p->desks[i];
        cairn_search_destroy(desk->search);
        desk->search = NULL;
        if (desk->job == CRN_SERVICE_NONE || desk->pinned) continue;
        if (desk->resting) {
            crn_service_leave_desk(service, desk);
        } else {
            indexes_begin_again(service, p, desk, frame);
        }
    }
    crn_twins_measure(p->twins);
}

/* Where searches cannot be pinned, those that have begun again twice are over before another index
 * serves. */
static bool indexes_is_held(const cairn_service *service, const crn_service_planner *p)
{
    if (crn_pin_is_possible(p->planner->space)) return false;
    for (uint32_t i = 0; i < p->desk_count; i++) {
        const crn_desk *desk = &p->desks[i];
        if (desk->job == CRN_SERVICE_NONE || desk->resting || desk->holds) continue;
        const crn_job *job = &service->jobs[desk->job];
        if (job->begun && job->restarts == CRN_PIN_RESTARTS) return true;
    }
    return false;
}

/* There is no other index, for want of memory, on which some wait; all of them wait for the first
 * one. */
static void indexes_give_up(cairn_service *service, crn_service_planner *p, cairn_status status)
{
    p->failed++;
    if (!indexes_serves(p)) crn_indexes_refuse(service, p, status);
    for (uint32_t i = 0; i < p->desk_count; i++) {
        const crn_desk *desk = &p->desks[i];
        if (crn_indexes_awaits(service, p, desk)) indexes_miss(service, desk->job);
    }
}

/* Reading what was committed is paid for by several updates if that is more than half of what one
 * has left: however often something is committed, the others need something, too. */
static bool indexes_pay(const cairn_service *service, crn_service_planner *p, uint64_t left,
                        uint64_t *used)
{
    uint64_t price = p->twins ? crn_twins_price(p->twins) : crn_twins_copy_price(p->planner),
             more = price > p->paid ? price - p->paid : 0,
             most = service->frame % 2 ? left - left / 2 : left / 2;
    *used = more < most ? more : most;
    p->paid += *used;
    if (*used < more) return false;
    p->paid = 0;
    return true;
}

/* The one that was made beside the frames serves. */
static void indexes_end_twin(cairn_service *service, crn_service_planner *p, cairn_frame *frame)
{
    uint64_t work;
    cairn_status status = crn_twins_end(p->twins, &work);
    p->sync_end = 0;
    frame->beside += work;
    if (status == CAIRN_OK) {
        indexes_leave_twin(service, p, frame);
    } else {
        indexes_give_up(service, p, status);
    }
}

/* The same as indexes_turn, with so many units left. */
static uint64_t indexes_turn_twins(cairn_service *service, crn_service_planner *p, uint64_t left,
                                   cairn_frame *frame)
{
    uint64_t used = 0;
    crn_twins *twins = p->twins;
    if (p->sync_end && service->frame >= p->sync_end && !indexes_is_held(service, p))
        indexes_end_twin(service, p, frame);
    bool old = !indexes_serves(p) || crn_twins_are_old(twins),
         begins = old && !p->sync_end && p->tried != service->frame;
    if (!begins || !indexes_pay(service, p, left, &used)) return used;
    p->tried = service->frame;
    if (crn_twins_begin(twins)) {
        p->sync_end = p->may_copy ? UINT64_MAX : service->frame + p->background;
    } else {
        indexes_give_up(service, p, CAIRN_OUT_OF_MEMORY);
    }
    return used;
}

/* Somebody has waited for so many commits, and slices have not caught up with them: they are going
 * to work in a copy that stands still. Returns units that were used. */
static uint64_t indexes_copy(cairn_service *service, crn_service_planner *p, uint64_t left,
                             cairn_frame *frame)
{
    enum { BEHIND = 60 };
    uint64_t used = 0;
    if (p->twins || !p->may_copy || p->late < BEHIND || p->tried == service->frame) return 0;
    if (cairn_planner_state(p->planner) == CAIRN_OK) return 0; /* since it was looked at last */
    if (!indexes_pay(service, p, left, &used)) return used;
    p->tried = service->frame;
    p->twins = crn_twins_create(p->planner, true);
    if (p->twins) {
        indexes_leave_twin(service, p, frame); /* searches are those of the planner */
    } else {
        p->failed++;
    }
    return used;
}

/* What the twin has found, in the world as it is. */
static bool indexes_twin_result(const cairn_service *service, const crn_service_planner *p,
                                const crn_job *job, cairn_path *out)
{
    out->version = crn_twins_version(p->twins);
    if (!crn_twins_are_old(p->twins)) return false;
    crn_answer_check(service, job, crn_twins_planner(p->twins)->space, out);
    return true;
}

bool crn_indexes_result(const cairn_service *service, const crn_service_planner *p,
                        const crn_job *job, const cairn_path *path, cairn_path *out)
{
    *out = *path;
    if (p->twins) return indexes_twin_result(service, p, job, out);
    if (!p->sync_end) return false;
    out->suboptimality_bound = 0;
    out->improvable = false;
    out->version = crn_index_owner(p->planner)->built_version;
    if (out->count && !cairn_path_valid(p->planner->space, out, NULL, NULL, NULL))
        *out = service->none[CAIRN_STALE];
    return true;
}

/* ---- in slices ---- */

uint64_t crn_indexes_look(cairn_service *service, crn_service_planner *p, uint64_t left,
                          cairn_frame *frame)
{
    uint64_t version = cairn_space_version(p->planner->space);
    bool needed = indexes_first(service, p) != CRN_SERVICE_NONE;
    uint64_t used = indexes_copy(service, p, left, frame);
    used +=
        p->twins ? indexes_turn_twins(service, p, left - used, frame) : indexes_turn(service, p);
    if (used > left) frame->undivided += used - left;
    p->state = cairn_planner_state(crn_indexes_planner(p));
    p->late += p->needed && p->version != version; /* what comes with the request is no delay yet */
    if (p->state == CAIRN_OK || !needed) p->late = 0;
    p->needed = needed;
    p->version = version;
    bool syncs = p->twins ? p->sync_end == UINT64_MAX : p->state != CAIRN_OK;
    p->sync->job = syncs ? indexes_first(service, p) : CRN_SERVICE_NONE; /* some are refused */
    return used;
}

bool crn_indexes_may_sync(const cairn_service *service, const crn_service_planner *p)
{
    uint32_t job = p->sync->job;
    if (job == CRN_SERVICE_NONE) return false;
    return !service->overrun || p->planner->algorithm->index->slices ||
           service->jobs[job].due <= service->frame;
}

uint64_t crn_indexes_sync(cairn_service *service, crn_service_planner *p)
{
    uint64_t units = 0;
    if (p->twins) {
        if (crn_twins_step(p->twins, p->sync->granted, &units)) p->sync_end = service->frame;
        return units ? units : 1;
    }
    uint64_t before = crn_index_work(p->planner);
    p->state = cairn_planner_sync_step(p->planner, p->sync->granted, NULL);
    if (p->state != CAIRN_OK && p->state != CAIRN_RUNNING) crn_indexes_refuse(service, p, p->state);
    uint64_t used = crn_index_work(p->planner) - before;
    return used ? used : 1;
}
