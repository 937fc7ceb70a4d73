/* runs.c: followed paths cut into runs, by the tiles that they pass. See follow.h.
 *
 * A step belongs to the tile where it begins. A link also belongs to the tile where it ends, since
 * that may lie anywhere; a neighbour is never outside the box round an edit that matters to it.
 * Runs are short, so that looking at one is a bounded piece of work.
 */
#include "game/service.h"

static crn_watch *runs_watch(const cairn_service *service, uint32_t follow)
{
    const crn_job *job = &service->jobs[service->follows[follow].job];
    return (crn_watch *)(uintptr_t)&service->planners[job->planner].watch;
}

/* Enters a run into the list of its tile. */
static void runs_enter(cairn_service *service, crn_watch *watch, uint32_t index)
{
    crn_run *run = &service->runs[index];
    run->before = CRN_SERVICE_NONE;
    run->after = watch->tiles[run->tile];
    if (run->after != CRN_SERVICE_NONE) service->runs[run->after].before = index;
    watch->tiles[run->tile] = index;
}

static void runs_leave(cairn_service *service, crn_watch *watch, uint32_t index)
{
    const crn_run *run = &service->runs[index];
    if (watch->stage == CRN_WATCH_RUNS && watch->cursor == index) watch->cursor = run->after;
    if (run->after != CRN_SERVICE_NONE) service->runs[run->after].before = run->before;
    if (run->before != CRN_SERVICE_NONE) {
        service->runs[run->before].after = run->after;
    } else {
        watch->tiles[run->tile] = run->after;
    }
}

void crn_runs_drop(cairn_service *service, uint32_t follow)
{
    crn_watch *watch = runs_watch(service, follow);
    uint32_t *first = &service->follows[follow].runs;
    while (*first != CRN_SERVICE_NONE) {
        uint32_t index = *first;
        *first = service->runs[index].next;
        runs_leave(service, watch, index);
        service->runs[index].next = service->free_run;
        service->free_run = index;
    }
}

/* A new run behind the last one of the path. */
static crn_run *runs_add(cairn_service *service, uint32_t follow, uint32_t *last)
{
    uint32_t index = service->free_run;
    if (index == CRN_SERVICE_NONE) {
        void *runs = service->runs;
        bool ok = crn_scratch_grow(&service->memory, &runs, &service->run_capacity,
                                   (size_t)service->run_count + 1, sizeof *service->runs);
        service->runs = runs;
        if (!ok) return NULL;
        index = service->run_count++;
    } else {
        service->free_run = service->runs[index].next;
    }
    crn_run *run = &service->runs[index];
    *run = (crn_run){.follow = follow, .next = CRN_SERVICE_NONE};
    if (*last == CRN_SERVICE_NONE) {
        service->follows[follow].runs = index;
    } else {
        service->runs[*last].next = index;
    }
    *last = index;
    return run;
}

/* Does the step go on in the last run? */
static bool runs_go_on(const crn_run *run, const cairn_path *path, uint32_t tile,
                       const crn_step *step)
{
    return run->tile == tile && run->steps < CRN_WATCH_STEPS &&
           (!path->any_angle || step->segment - run->segment < CRN_WATCH_LINES);
}

static bool runs_begin(cairn_service *service, uint32_t follow, uint32_t *last, crn_run begin)
{
    crn_run *run = runs_add(service, follow, last);
    if (!run) return false;
    begin.follow = follow;
    begin.next = CRN_SERVICE_NONE;
    *run = begin;
    runs_enter(service, runs_watch(service, follow), *last);
    return true;
}

bool crn_runs_make(cairn_service *service, uint32_t follow, const cairn_path *path)
{
    const crn_job *job = &service->jobs[service->follows[follow].job];
    const cairn_space *space = service->planners[job->planner].planner->space;
    const crn_watch *watch = runs_watch(service, follow);
    cairn_path_iterator iterator = cairn_path_begin(space, path);
    uint32_t last = CRN_SERVICE_NONE, first = 0;
    bool ok = true;
    for (crn_step step; ok && crn_follow_step(&iterator, &step); first++) {
        uint32_t tile = crn_watch_tile(watch, space, step.from),
                 other = crn_watch_tile(watch, space, step.to);
        crn_run begin = {tile, 0, 0, 0, 0, step.segment, step.from, first, 1};
        if (last != CRN_SERVICE_NONE && runs_go_on(&service->runs[last], path, tile, &step)) {
            service->runs[last].steps++;
        } else {
            ok = runs_begin(service, follow, &last, begin);
        }
        begin.tile = other;
        if (ok && other != tile && path->link_count) ok = runs_begin(service, follow, &last, begin);
    }
    if (!ok) crn_runs_drop(service, follow);
    return ok;
}
