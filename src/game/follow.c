/* follow.c: paths that are walked: where their agents are, and how they get another one. See
 * follow.h. */
#include "game/service.h"

/* ---- steps ---- */

bool crn_follow_step(cairn_path_iterator *iterator, crn_step *step)
{
    bool grid = cairn_space_grid(iterator->space) != NULL;
    step->from = cairn_path_next(iterator);
    step->to = iterator->next;
    step->segment = grid ? iterator->segment : iterator->segment - 1;
    return step->to != CAIRN_NO_NODE;
}

/* The link between two points of a path, NULL if they are joined by steps. */
static const cairn_path_link *follow_link(const cairn_path *path, uint32_t segment)
{
    size_t at =
        crn_lower_bound_of(path->links, path->link_count, sizeof *path->links, false, segment);
    return at < path->link_count && path->links[at].at == segment ? &path->links[at] : NULL;
}

bool crn_follow_legal(const cairn_space *space, const cairn_path *path, const crn_step *step,
                      cairn_cost *cost)
{
    const cairn_path_link *link = follow_link(path, step->segment);
    bool line = path->any_angle && !link;
    cairn_node ends[2] = {step->from, step->to};
    cairn_path_link used = {0, link ? link->id : 0};
    cairn_path one = {.status = CAIRN_FOUND,
                      .nodes = line ? path->nodes + step->segment : ends,
                      .count = 2,
                      .links = link ? &used : NULL,
                      .link_count = link != NULL,
                      .any_angle = line};
    return cairn_path_valid(space, &one, cost, NULL, NULL);
}

/* ---- beginning and end ---- */

static crn_service_planner *follow_planner(cairn_service *service, uint32_t follow)
{
    return &service->planners[service->jobs[service->follows[follow].job].planner];
}

static const cairn_space *follow_space(const cairn_service *service, uint32_t follow)
{
    return service->planners[service->jobs[service->follows[follow].job].planner].planner->space;
}

static uint32_t follow_reserve(cairn_service *service)
{
    uint32_t index = service->free_follow;
    if (index != CRN_SERVICE_NONE) {
        service->free_follow = service->follows[index].after;
        return index;
    }
    void *follows = service->follows;
    bool ok = crn_scratch_grow(&service->memory, &follows, &service->follow_capacity,
                               (size_t)service->follow_count + 1, sizeof *service->follows);
    service->follows = follows;
    return ok ? service->follow_count++ : CRN_SERVICE_NONE;
}

static void follow_enter(cairn_service *service, uint32_t index)
{
    crn_follow *follow = &service->follows[index];
    crn_watch *watch = &follow_planner(service, index)->watch;
    follow->before = CRN_SERVICE_NONE;
    follow->after = watch->follows;
    if (follow->after != CRN_SERVICE_NONE) service->follows[follow->after].before = index;
    watch->follows = index;
    service->use.followed++;
}

static void follow_leave(cairn_service *service, uint32_t index)
{
    const crn_follow *follow = &service->follows[index];
    crn_watch *watch = &follow_planner(service, index)->watch;
    if (watch->stage == CRN_WATCH_PATHS && watch->cursor == index) watch->cursor = follow->after;
    if (follow->after != CRN_SERVICE_NONE) service->follows[follow->after].before = follow->before;
    if (follow->before != CRN_SERVICE_NONE) {
        service->follows[follow->before].after = follow->after;
    } else {
        watch->follows = follow->after;
    }
    service->use.followed--;
}

static void follow_free(cairn_service *service, uint32_t index)
{
    service->follows[index].after = service->free_follow;
    service->free_follow = index;
}

void crn_follow_end(cairn_service *service, uint32_t index)
{
    crn_runs_drop(service, index);
    follow_leave(service, index);
    service->jobs[service->follows[index].job].follow = CRN_SERVICE_NONE;
    follow_free(service, index);
}

void crn_follow_forget(cairn_service *service, uint32_t index)
{
    crn_runs_drop(service, index);
    crn_answer_give_up(service, &service->jobs[service->follows[index].job]);
}

/* ---- along the path ---- */

/* What is left gets less by a step, or by a line when its end is reached. */
static void follow_pay(const cairn_space *space, const cairn_path *path, const crn_step *step,
                       crn_follow *follow)
{
    cairn_cost cost = CAIRN_NO_COST;
    bool within = path->any_angle && step->to != path->nodes[step->segment + 1];
    if (follow->left == CAIRN_NO_COST || within) return;
    bool legal = crn_follow_legal(space, path, step, &cost);
    follow->left = legal && cost <= follow->left ? follow->left - cost : CAIRN_NO_COST;
}

/* Goes on along a path to a node; false if it is not near: nothing has changed. */
static bool follow_walk(const cairn_space *space, const cairn_path *path, cairn_node at,
                        crn_follow *follow)
{
    cairn_path_iterator iterator = {space, path, follow->segment, follow->at, 0};
    crn_follow moved = *follow;
    crn_step step;
    for (uint32_t i = 0; moved.at != at; i++) {
        if (i == CRN_WATCH_AHEAD || !crn_follow_step(&iterator, &step)) return false;
        follow_pay(space, path, &step, &moved);
        moved.at = step.to;
        moved.segment = iterator.segment;
        moved.steps++;
    }
    *follow = moved;
    return true;
}

/* The agent is at the start of this path. */
static void follow_begin(crn_follow *follow, const cairn_path *path)
{
    if (path->count) follow->at = path->nodes[0];
    follow->segment = follow->steps = follow->tries = 0;
    follow->left = path->cost;
}

/* ---- another path ---- */

void crn_follow_replan(cairn_service *service, uint32_t index, bool broken)
{
    const crn_follow *follow = &service->follows[index];
    if (broken) crn_follow_forget(service, index);
    crn_service_ask_again(service, follow->job, follow->at, broken ? service->options.ageing : 0);
}

void crn_follow_again(cairn_service *service, uint32_t index)
{
    crn_follow *follow = &service->follows[index];
    if (!follow->again) return;
    follow->again = false;
    follow->tries++;
    crn_follow_replan(service, index, false);
}

/* A path that had to wait for room may be exchanged in the same update: it is listed once. */
static void follow_ready(cairn_service *service, crn_job *job)
{
    crn_ticket *ticket = &service->tickets[job->tickets];
    job->took = true;
    if (ticket->ready) return;
    ticket->ready = true;
    service->ready[service->ready_count++] = ticket->number;
}

/* The agent waits for this path. */
static bool follow_take(cairn_service *service, crn_job *job, const cairn_path *path)
{
    if (!crn_answer_keep(service, job, path)) return false;
    if (!crn_runs_make(service, job->follow, job->answer)) {
        crn_answer_drop(service, job);
        return false;
    }
    follow_begin(&service->follows[job->follow], job->answer);
    follow_ready(service, job);
    return true;
}

/* The agent has one already: this one is better if it passes where the agent is by now, and what is
 * left of it costs less. *place becomes the place of the agent on it. */
static bool follow_is_better(const cairn_service *service, const crn_job *job,
                             const cairn_path *path, crn_follow *place)
{
    const crn_follow *old = &service->follows[job->follow];
    *place = *old;
    place->again = false;
    if (path->status != CAIRN_FOUND || !path->count) return false;
    follow_begin(place, path);
    place->tries = old->tries;
    place->again = old->tries < CRN_WATCH_TRIES;
    if (!follow_walk(follow_space(service, job->follow), path, old->at, place)) return false;
    place->again = false;
    return job->answer->status != CAIRN_FOUND || job->answer->partial || place->left < old->left;
}

/* Exchanges the path that is walked. Without memory the old one stays: its runs fit where they
 * were. */
static void follow_exchange(cairn_service *service, crn_job *job, const cairn_path *path,
                            const crn_follow *place)
{
    crn_job old = *job;
    uint32_t index = job->follow;
    if (!crn_answer_keep(service, job, path)) return;
    crn_runs_drop(service, index);
    if (!crn_runs_make(service, index, job->answer)) {
        crn_answer_drop(service, job);
        job->answer = old.answer;
        job->block_class = old.block_class;
        crn_runs_make(service, index, job->answer);
        return;
    }
    crn_answer_drop(service, &old);
    crn_follow *follow = &service->follows[index];
    follow->at = place->at;
    follow->segment = place->segment;
    follow->steps = place->steps;
    follow->left = place->left;
    follow->tries = 0;
    follow_ready(service, job);
}

bool crn_follow_take(cairn_service *service, uint32_t index, const cairn_path *path)
{
    crn_job *job = &service->jobs[index];
    crn_follow place;
    job->took = false;
    if (!job->answer && path->status == CAIRN_STALE) {
        service->follows[job->follow].again = true;
    } else if (!job->answer) {
        if (!follow_take(service, job, path)) return false;
    } else {
        bool better = follow_is_better(service, job, path, &place);
        service->follows[job->follow].again = place.again;
        if (better) follow_exchange(service, job, path, &place);
    }
    crn_turns_remove(&service->planners[job->planner].queue, service->job_places, index);
    job->state = CRN_JOB_DONE;
    return true;
}

/* ---- what callers say and ask ---- */

/* The job of a ticket that is followed; NULL = it is not. */
static crn_job *follow_find(const cairn_service *service, cairn_ticket number)
{
    const crn_ticket *ticket = service ? crn_service_find(service, number) : NULL;
    if (!ticket || ticket->job == CRN_SERVICE_NONE) return NULL;
    crn_job *job = &service->jobs[ticket->job];
    return job->follow == CRN_SERVICE_NONE ? NULL : job;
}

/* A path may have been broken since it was found. */
static bool follow_holds(const cairn_space *space, const cairn_path *path)
{
    return path->version == cairn_space_version(space) ||
           cairn_path_valid(space, path, NULL, NULL, NULL);
}

static cairn_status follow_make(cairn_service *service, crn_ticket *ticket, uint32_t index,
                                cairn_shortcuts shortcuts)
{
    if (!crn_service_separate(service, ticket)) return CAIRN_OUT_OF_MEMORY;
    crn_job *job = &service->jobs[ticket->job];
    service->follows[index] =
        (crn_follow){.job = ticket->job, .runs = CRN_SERVICE_NONE, .shortcuts = shortcuts};
    follow_begin(&service->follows[index], job->answer);
    if (!crn_runs_make(service, index, job->answer)) return CAIRN_OUT_OF_MEMORY;
    job->follow = index;
    follow_enter(service, index);
    ticket->deadline = ticket->frames = 0; /* it was kept */
    if (!follow_holds(follow_space(service, index), job->answer))
        crn_follow_replan(service, index, true);
    return CAIRN_OK;
}

cairn_status cairn_service_follow(cairn_service *service, cairn_ticket number,
                                  cairn_shortcuts shortcuts)
{
    crn_ticket *ticket = service ? crn_service_find(service, number) : NULL;
    if (!ticket || ticket->job == CRN_SERVICE_NONE || (uint32_t)shortcuts >= CAIRN_SHORTCUTS_COUNT)
        return CAIRN_INVALID;
    crn_job *job = &service->jobs[ticket->job];
    if (job->follow != CRN_SERVICE_NONE) {
        service->follows[job->follow].shortcuts = shortcuts;
        return CAIRN_OK;
    }
    if (!job->answer || !job->answer->count || job->state != CRN_JOB_DONE ||
        (number == service->delivering && service->released))
        return CAIRN_INVALID;
    crn_service_planner *planner = &service->planners[job->planner];
    if (!crn_watch_open(&service->memory, planner->planner->space, &planner->watch))
        return CAIRN_OUT_OF_MEMORY;
    uint32_t index = follow_reserve(service);
    if (index == CRN_SERVICE_NONE) return CAIRN_OUT_OF_MEMORY;
    cairn_status status = follow_make(service, ticket, index, shortcuts);
    if (status != CAIRN_OK) follow_free(service, index);
    return status;
}

cairn_status cairn_service_walked(cairn_service *service, cairn_ticket ticket, cairn_node at)
{
    const crn_job *job = follow_find(service, ticket);
    if (!job) return CAIRN_INVALID;
    const cairn_space *space = follow_space(service, job->follow);
    crn_follow *follow = &service->follows[job->follow];
    if (at >= cairn_space_node_count(space)) return CAIRN_OUT_OF_BOUNDS;
    if (at == follow->at) return CAIRN_OK;
    bool dropped = ticket == service->delivering && service->dropped;
    if (!dropped && job->answer && job->answer->count &&
        follow_walk(space, job->answer, at, follow))
        return CAIRN_OK;
    follow->at = at;
    crn_follow_replan(service, job->follow, true);
    return CAIRN_OK;
}

cairn_status cairn_service_followed(const cairn_service *service, cairn_ticket ticket,
                                    cairn_followed *out)
{
    const crn_job *job = follow_find(service, ticket);
    if (!job || !out) return CAIRN_INVALID;
    const crn_follow *follow = &service->follows[job->follow];
    *out = (cairn_followed){.at = follow->at,
                            .segment = follow->segment,
                            .left = job->answer ? follow->left : CAIRN_NO_COST,
                            .version = service->planners[job->planner].watch.version,
                            .searching = job->state != CRN_JOB_DONE};
    return CAIRN_OK;
}
