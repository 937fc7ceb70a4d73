/* service_pins.c: requests that commits overtake again and again are searched in the world as it
 * was. See pin.h. One of a planner after the other: the fewer commits come meanwhile, the more of
 * what is found holds, and the less there is to carry along.
 *
 * What such a search finds may be wrong by now, so it is checked in the world as it is. A path that
 * can be walked is an answer, with its cost as it is now and without a bound. One that cannot, or a
 * goal that could not be reached and perhaps can be now, is answered by CAIRN_STALE.
 */
#include "game/service.h"

enum { PINS_LOST = 2 }; /* so many pins of a request may be lost */

cairn_search *crn_pins_search(const crn_desk *desk)
{
    return desk->pinned ? crn_pin_search(desk->pin) : desk->search;
}

bool crn_pins_is_ready(const crn_desk *desk)
{
    return !desk->pinned || !crn_pin_cost(desk->pin);
}

/* The request waits again, or is told so if that happens too often. */
static void pins_lose(cairn_service *service, crn_desk *desk)
{
    uint32_t index = desk->job;
    crn_job *job = &service->jobs[index];
    crn_service_put_back(service, index);
    if (job->lost++ < PINS_LOST) return;
    crn_service_refuse(service, index, CAIRN_STALE);
    if (job->follow != CRN_SERVICE_NONE) crn_follow_again(service, job->follow);
}

/* There is no memory for a pin: as if it was lost, once for each version of the world. */
static void pins_miss(cairn_service *service, crn_desk *desk, uint64_t version)
{
    crn_job *job = &service->jobs[desk->job];
    bool first = job->missed != version;
    job->missed = version;
    if (first) {
        pins_lose(service, desk);
    } else if (!desk->search) {
        crn_service_put_back(service, desk->job);
    }
}

static void pins_begin(crn_desk *desk)
{
    crn_pin_begin(desk->pin);
    desk->paid = 0;
}

bool crn_pins_take(cairn_service *service, crn_service_planner *p, crn_desk *desk)
{
    if (!crn_pin_is_possible(p->planner->space)) return false;
    if (!desk->pin) {
        if (p->search_bytes) { /* there is room for one search */
            cairn_search_destroy(desk->search);
            desk->search = NULL;
        }
        desk->pin = crn_pin_create(&service->memory, p->planner, p->search_bytes);
    }
    desk->pinned = desk->pin != NULL;
    if (!desk->pin) {
        pins_miss(service, desk, cairn_space_version(p->planner->space));
        return false;
    }
    pins_begin(desk);
    return true;
}

/* The next commit; returns how many of the units it took. What debts leave may be less than it
 * costs: then frames pay for it together. */
static uint64_t pins_refresh_once(cairn_service *service, crn_desk *desk, uint64_t cost,
                                  uint64_t units)
{
    uint64_t used = units < cost - desk->paid ? units : cost - desk->paid;
    desk->paid += used;
    if (desk->paid < cost) return used;
    desk->paid = 0;
    if (!crn_pin_refresh(&service->memory, desk->pin)) pins_lose(service, desk);
    return used;
}

/* One desk; returns the units used. A search that has not begun takes the world as it is. */
static uint64_t pins_refresh(cairn_service *service, crn_desk *desk, const crn_pins_budget *budget,
                             bool first, crn_timer *timer)
{
    uint64_t used = 0, cost;
    if (desk->pinned && !service->jobs[desk->job].begun) pins_begin(desk);
    while (desk->pinned && !desk->holds && (cost = crn_pin_cost(desk->pin)) &&
           ((first && !used) || crn_timer_look(timer))) {
        if (cost > budget->most) {
            pins_lose(service, desk); /* no frame has so much */
            break;
        }
        if (used == budget->units) break;
        used += pins_refresh_once(service, desk, cost, budget->units - used);
    }
    return used;
}

uint64_t crn_pins_refresh(cairn_service *service, const crn_pins_budget *budget, crn_timer *timer)
{
    uint64_t used = 0;
    for (uint32_t i = 0; i < service->planner_count; i++) {
        const crn_service_planner *p = &service->planners[i];
        for (uint32_t k = 0; k < p->desk_count; k++) {
            crn_pins_budget left = {budget->units - used, budget->most};
            used += pins_refresh(service, &p->desks[k], &left, used == 0, timer);
        }
    }
    return used;
}

bool crn_pins_result(const cairn_service *service, const crn_desk *desk, cairn_path *out)
{
    *out = *crn_pin_path(desk->pin);
    if (!crn_pin_is_old(desk->pin)) return false;
    crn_answer_check(service, &service->jobs[desk->job], crn_pin_search(desk->pin)->space, out);
    return true;
}
