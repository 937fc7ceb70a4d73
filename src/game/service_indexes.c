/* service_indexes.c: the indexes of the planners of a service.
 *
 * An index is brought up to date a slice at a time, as a part of the budget, when somebody needs
 * it. Or, if that is wanted, in the background: then the old one serves meanwhile, and the new one
 * takes its place in the frame that was fixed when the sync began, whether it was ready sooner or
 * not. So what happens does not depend on how fast the thread is, or whether there is one: without
 * workers the new index is made in that frame. What the old one answers is checked, and is never
 * called optimal.
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

void crn_indexes_wait(crn_service_planner *p)
{
    if (!p->sync_end) return;
    p->sync_end = 0;
    cairn_planner_sync_end(p->planner, true, NULL);
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

bool crn_indexes_result(const cairn_service *service, const crn_service_planner *p,
                        const cairn_path *path, cairn_path *out)
{
    if (!p->sync_end) return false;
    *out = *path;
    out->suboptimality_bound = 0;
    out->improvable = false;
    out->version = crn_index_owner(p->planner)->built_version;
    if (out->count && !cairn_path_valid(p->planner->space, out, NULL, NULL, NULL))
        *out = service->none[CAIRN_STALE];
    return true;
}

/* ---- in slices ---- */

uint64_t crn_indexes_look(cairn_service *service, crn_service_planner *p)
{
    uint64_t version = cairn_space_version(p->planner->space);
    uint32_t first = indexes_first(service, p);
    bool needed = first != CRN_SERVICE_NONE;
    uint64_t used = indexes_turn(service, p);
    p->state = cairn_planner_state(p->planner);
    p->late += p->needed && p->version != version; /* what comes with the request is no delay yet */
    if (p->state == CAIRN_OK || !needed) p->late = 0;
    p->needed = needed;
    p->version = version;
    p->sync->job = p->state == CAIRN_OK ? CRN_SERVICE_NONE : first;
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
    uint64_t before = crn_index_work(p->planner);
    p->state = cairn_planner_sync_step(p->planner, p->sync->granted, NULL);
    if (p->state != CAIRN_OK && p->state != CAIRN_RUNNING) crn_indexes_refuse(service, p, p->state);
    uint64_t used = crn_index_work(p->planner) - before;
    return used ? used : 1;
}
