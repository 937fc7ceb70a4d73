/* service_indexes.c: the indexes of the planners of a service.
 *
 * An index is brought up to date a slice at a time, as a part of the budget, when somebody needs
 * it. Or, if that is wanted, in the background: then the old one serves meanwhile, and the new one
 * takes its place in the frame that was fixed when the sync began, whether it was ready sooner or
 * not. So what happens does not depend on how fast the thread is. What the old index answers is
 * checked, and is never called optimal.
 */
#include "game/service.h"

void crn_indexes_refuse(cairn_service *service, const crn_service_planner *p, cairn_status status)
{
    while (p->queue.count) crn_service_refuse(service, p->queue.entries[0].item, status);
    for (uint32_t i = 0; i < p->desk_count; i++) {
        crn_desk *desk = &p->desks[i];
        if (desk->job == CRN_SERVICE_NONE || desk->resting || desk->holds) continue;
        crn_service_refuse(service, desk->job, status);
        crn_service_leave_desk(service, desk);
    }
}

/* Does anybody wait for it? */
static bool indexes_needed(const crn_service_planner *p)
{
    for (uint32_t i = 0; i < p->desk_count; i++)
        if (p->desks[i].job != CRN_SERVICE_NONE && !p->desks[i].resting) return true;
    return p->queue.count != 0;
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
 * begun now. */
static void indexes_turn(const cairn_service *service, crn_service_planner *p)
{
    if (!p->sync_end && crn_index_owner(p->planner)->syncing)
        p->sync_end = service->frame + p->background;
    if (p->sync_end && service->frame >= p->sync_end) crn_indexes_wait(p);
    if (!p->background || p->sync_end || cairn_planner_state(p->planner) != CAIRN_STALE) return;
    cairn_status status = cairn_planner_sync_begin(p->planner, NULL);
    if (status == CAIRN_RUNNING) p->sync_end = service->frame + p->background;
}

bool crn_indexes_result(const cairn_service *service, const crn_service_planner *p, const cairn_path *path, cairn_path *out)
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

uint64_t crn_indexes_sync(cairn_service *service, crn_service_planner *p, uint64_t left)
{
    uint64_t used = 0, version = cairn_space_version(p->planner->space);
    indexes_turn(service, p);
    p->state = cairn_planner_state(p->planner);
    p->late += p->version != version;
    p->version = version;
    if (p->state == CAIRN_OK) p->late = 0;
    if (!indexes_needed(p)) return 0;
    if (crn_indexes_is_late(p)) left = (left + 1) / 2; /* the others need something, too */
    while (used < left && p->state != CAIRN_OK) {
        uint64_t slice =
            left - used < service->options.slice ? left - used : service->options.slice;
        p->state = cairn_planner_sync_step(p->planner, slice, NULL);
        used += slice;
        if (p->state == CAIRN_OK || p->state == CAIRN_RUNNING) continue;
        crn_indexes_refuse(service, p, p->state);
        break;
    }
    return used;
}
