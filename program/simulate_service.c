/* simulate_service.c: agents that walk on the paths of a path service (service.h).
 *
 * An agent asks for a path as soon as it has a goal, and lets the service follow it. It makes
 * `speed` steps a second, each on its own turns, so that agents do not all step at once. Before a
 * step it asks the space whether the step can still be made, as a game does: the service may not
 * have had the time to look at the last commit. At the end of a piece it asks for the next one.
 *
 * The service works last in a turn: with a budget of time it gets what the commit, requests,
 * answers and steps have left. An answer is therefore taken in the turn after the one that found
 * it.
 *
 * A goal for which there is no path is given up, with the reason, and another one is chosen. An
 * agent whose path was broken and who has none now waits: the service looks for one as soon as
 * something opens.
 */
#include "simulate_parts.h"

#include <math.h>
#include <stdlib.h>

enum { SERVICE_FPS = 60, SERVICE_SPEED = 8 };

typedef struct simulate_paths {
    cairn_service *service;
    uint32_t number; /* of the planner */
    cairn_frame frame;
    uint32_t fps, speed;
    uint32_t come;   /* agents that are there */
    double begin;    /* of this turn */
    size_t count_at; /* in run->looks: how often the clock was asked in this turn */
} simulate_paths;

int simulate_paths_begin(simulate_run *run)
{
    const simulate_setup *s = run->setup;
    simulate_paths *paths = run->paths = calloc(1, sizeof *paths);
    if (!paths) return simulate_no_memory();
    cairn_context *context = run->world->context;
    cairn_service_options options = {.byte_limit = s->byte_limit};
    cairn_service_share share = {
        .searches = s->searches, .search_bytes = s->search_bytes, .background = s->background};
    cairn_error error = {.status = cairn_service_create(context, &options, &paths->service)};
    if (!error.status)
        error.status = cairn_service_add(paths->service, run->planner, &share, &paths->number);
    if (error.status) return simulate_complain(run, &error);
    paths->fps = s->fps ? s->fps : SERVICE_FPS;
    paths->speed = s->speed ? s->speed : SERVICE_SPEED;
    for (uint32_t i = 0; i < run->agents; i++) run->all[i].progress = i % paths->fps;
    if (!s->arrivals) paths->come = run->agents;
    for (uint32_t i = 0; i < paths->come; i++) {
        run->all[i].state = SIMULATE_ASKS;
        simulate_meet_come(run, &run->all[i]);
    }
    return END_OK;
}

void simulate_paths_free(simulate_run *run)
{
    if (run->paths) cairn_service_destroy(run->paths->service);
    free(run->paths);
    run->paths = NULL;
}

/* ---- goals ---- */

/* Another one, which is asked for in this turn. If there is none, the agent stands still. */
static void paths_aim(simulate_run *run, simulate_agent *agent, uint32_t turn)
{
    agent->state = SIMULATE_ASKS;
    agent->stopped = !simulate_aim(run, agent);
    agent->since = turn;
    agent->responded = agent->asked = false;
}

static void paths_release(const simulate_run *run, simulate_agent *agent)
{
    if (agent->ticket) cairn_service_release(run->paths->service, agent->ticket);
    agent->ticket = CAIRN_NO_TICKET;
}

void simulate_paths_aim(simulate_run *run)
{
    simulate_paths *paths = run->paths;
    const simulate_setup *s = run->setup;
    uint64_t come =
        s->arrivals && !run->drains ? ((uint64_t)run->turns + 1) * s->arrivals / paths->fps : 0;
    for (; paths->come < come && paths->come < run->agents; paths->come++) {
        simulate_agent *agent = &run->all[paths->come];
        agent->state = SIMULATE_ASKS;
        agent->since = run->turns;
        simulate_meet_come(run, agent);
    }
    for (uint32_t i = 0; i < paths->come; i++) {
        simulate_agent *agent = &run->all[i];
        if (agent->state == SIMULATE_ASKS && agent->stopped && !agent->done && !agent->rests)
            paths_aim(run, agent, run->turns);
    }
}

void simulate_paths_rest(simulate_run *run)
{
    for (uint32_t i = 0; run->paths && i < run->paths->come; i++) {
        simulate_agent *agent = &run->all[i];
        agent->rests |= agent->state == SIMULATE_ASKS && !agent->asked;
        agent->stopped &= !agent->rests;
    }
}

void simulate_paths_retarget(simulate_run *run, simulate_agent *agent)
{
    if (agent->state == SIMULATE_AWAY) return;
    paths_release(run, agent);
    agent->state = SIMULATE_ASKS;
}

/* ---- the clock ---- */

/* A number of this turn, or the one that was kept of it. */
static uint32_t paths_note(simulate_run *run, uint32_t value)
{
    if (run->replays)
        return run->next_look < run->look_count ? run->looks[run->next_look++] : UINT32_MAX;
    if (simulate_grow(run, (void **)&run->looks, sizeof *run->looks, run->look_count + 1,
                      &run->look_capacity))
        run->looks[run->look_count++] = value;
    return value;
}

static uint32_t paths_elapsed(const simulate_run *run)
{
    return (uint32_t)fmin((simulate_clock(run) - run->paths->begin) * 1e9, UINT32_MAX);
}

/* A cairn_clock_function: microseconds since the turn began. */
static double paths_clock(void *user)
{
    simulate_run *run = user;
    if (!run->replays && !run->failed) run->looks[run->paths->count_at]++;
    return paths_note(run, paths_elapsed(run)) / 1000.0;
}

/* ---- a turn ---- */

static void paths_ask(simulate_run *run, simulate_agent *agent)
{
    cairn_request request = {.planner = run->paths->number,
                             .from = agent->at,
                             .to = agent->target,
                             .piece = run->setup->how.piece};
    run->given += !agent->asked;
    agent->asked = true;
    if (cairn_service_request(run->paths->service, &request, &agent->ticket)) return;
    agent->state = SIMULATE_WAITS;
}

static void paths_ask_all(simulate_run *run)
{
    for (uint32_t i = 0; i < run->paths->come; i++) {
        simulate_agent *agent = &run->all[i];
        bool asks = agent->state == SIMULATE_ASKS && !agent->done && !agent->rests;
        if (asks && !agent->stopped) paths_ask(run, agent);
    }
}

static void paths_update(simulate_run *run)
{
    simulate_paths *paths = run->paths;
    const simulate_setup *s = run->setup;
    paths->frame = (cairn_frame){.work = s->work, .soft = s->soft};
    if (s->budget_us) {
        paths->count_at = run->look_count;
        paths_note(run, 0);
        paths->frame.microseconds = fmax(s->budget_us - paths_clock(run), 1);
        paths->frame.clock = paths_clock;
        paths->frame.clock_user = run;
    }
    run->failed |= cairn_service_update(paths->service, &paths->frame) != CAIRN_OK;
}

/* The path of a ticket is there, or the reason why it is not. */
static void paths_take(simulate_run *run, simulate_agent *agent)
{
    cairn_service *service = run->paths->service;
    cairn_followed followed;
    cairn_status status = cairn_service_answer(service, agent->ticket, NULL);
    if (status == CAIRN_RUNNING) return;
    if (status == CAIRN_FOUND)
        status = cairn_service_follow(service, agent->ticket, run->setup->shortcuts);
    if (status == CAIRN_OK) {
        agent->state = SIMULATE_WALKS;
        agent->stopped = false;
    } else if (cairn_service_followed(service, agent->ticket, &followed) == CAIRN_OK) {
        agent->stopped = true; /* until something opens */
    } else if (status == CAIRN_STALE) {
        paths_release(run, agent);
        agent->state = SIMULATE_ASKS;
    } else {
        agent->gives_up = true;
        agent->reason = status;
    }
}

/* The step that is next, and whether there is one. */
static bool paths_next(const simulate_run *run, const simulate_agent *agent, cairn_node *next)
{
    const simulate_paths *paths = run->paths;
    const cairn_path *path;
    cairn_followed followed;
    if (cairn_service_answer(paths->service, agent->ticket, &path) != CAIRN_FOUND ||
        cairn_service_followed(paths->service, agent->ticket, &followed) != CAIRN_OK)
        return false;
    cairn_path_iterator it = {run->world->space, path, followed.segment, followed.at, 0};
    cairn_path_next(&it);
    *next = it.next;
    return *next != CAIRN_NO_NODE;
}

static void paths_step(simulate_run *run, simulate_agent *agent)
{
    cairn_service *service = run->paths->service;
    const cairn_path *path;
    cairn_node next;
    if (!paths_next(run, agent, &next)) {
        /* at the end of a piece, or waiting for another path */
        bool piece = cairn_service_answer(service, agent->ticket, &path) == CAIRN_FOUND &&
                     cairn_service_continue(service, agent->ticket) == CAIRN_OK;
        if (piece || cairn_service_answer(service, agent->ticket, NULL) != CAIRN_FOUND)
            agent->state = SIMULATE_WAITS;
        return;
    }
    if (cairn_space_step_cost(run->world->space, agent->at, next) == CAIRN_NO_COST) {
        run->waits++;
        return;
    }
    if (simulate_meet_waits(run, agent, next)) return;
    agent->from = agent->at;
    agent->at = next;
    agent->stepped = true;
    simulate_meet_step(run, agent);
    run->failed |= cairn_service_walked(service, agent->ticket, next) != CAIRN_OK;
}

/* A step, if one is due. */
static void paths_walk(simulate_run *run, simulate_agent *agent)
{
    agent->progress += run->paths->speed;
    if (agent->progress < run->paths->fps) return;
    agent->progress -= run->paths->fps;
    paths_step(run, agent);
    if (agent->at == agent->target) paths_release(run, agent);
}

/* Answers count from the turn that has found them. */
static void paths_respond(simulate_run *run)
{
    for (uint32_t i = 0; i < run->paths->come; i++) {
        simulate_agent *agent = &run->all[i];
        if (agent->state == SIMULATE_WAITS && !agent->responded &&
            cairn_service_answer(run->paths->service, agent->ticket, NULL) == CAIRN_FOUND)
            simulate_respond(run, agent);
    }
}

void simulate_paths_turn(simulate_run *run, double begin)
{
    simulate_paths *paths = run->paths;
    paths->begin = begin;
    paths_ask_all(run);
    for (uint32_t i = 0; i < paths->come; i++) {
        simulate_agent *agent = &run->all[i];
        if (agent->done) continue;
        if (agent->state == SIMULATE_WAITS) paths_take(run, agent);
        if (agent->state == SIMULATE_WALKS) paths_walk(run, agent);
    }
    paths_update(run);
    paths_respond(run);
}

/* ---- after a turn ---- */

/* The step was made in the world as it is. */
static void paths_check_step(simulate_run *run, simulate_agent *agent)
{
    cairn_cost cost = cairn_space_step_cost(run->world->space, agent->from, agent->at);
    agent->stepped = false;
    run->illegal += !simulate_judge_step(run, agent->from, agent->at);
    run->sums.moves++;
    if (cost != CAIRN_NO_COST) run->sums.cost += cost;
    if (agent->at != agent->target) return;
    uint32_t goals = run->setup->goals ? run->setup->goals : 1;
    run->reached++;
    agent->asked = false;
    agent->done = ++agent->goals >= goals;
    if (!agent->done) paths_aim(run, agent, run->turns + 1);
}

/* That there is no way is looked at in the turn that has found it: it is taken in the next one, in
 * a world that may have changed. */
static void paths_check_answer(simulate_run *run, simulate_agent *agent)
{
    bool nowhere =
        cairn_service_answer(run->paths->service, agent->ticket, NULL) == CAIRN_UNREACHABLE;
    if (nowhere && !agent->judged)
        run->false_reasons += !simulate_judge_apart(run, agent->at, agent->target);
    agent->judged = nowhere;
}

static void paths_check_reason(simulate_run *run, simulate_agent *agent)
{
    agent->gives_up = false;
    run->given_up[agent->reason]++;
    paths_release(run, agent);
    paths_aim(run, agent, run->turns + 1);
}

void simulate_paths_check(simulate_run *run)
{
    const cairn_frame *frame = &run->paths->frame;
    for (uint32_t i = 0; i < run->paths->come; i++) {
        simulate_agent *agent = &run->all[i];
        if (agent->stepped) paths_check_step(run, agent);
        if (agent->gives_up) paths_check_reason(run, agent);
        paths_check_answer(run, agent);
    }
    run->over_budget += frame->work && frame->used > frame->work;
    run->undivided += frame->undivided;
    run->beside += frame->beside;
    run->overspent += frame->work && frame->used - frame->undivided > frame->work;
    run->answers += frame->answered;
    run->broken += frame->broken;
    run->better += frame->shortcuts;
    run->outdated += frame->outdated;
    run->pinned += frame->pinned;
    run->restarts += frame->restarts;
    run->sums.work += frame->used;
    if (frame->used > run->sums.most_work) run->sums.most_work = frame->used;
}

void simulate_paths_end(simulate_run *run)
{
    run->use = cairn_service_usage(run->paths->service);
    run->peak_bytes = run->use.peak_bytes;
}

bool simulate_paths_ahead(const simulate_run *run, const simulate_agent *agent, uint32_t steps,
                          cairn_cell *out)
{
    const simulate_paths *paths = run->paths;
    const cairn_path *path;
    cairn_followed followed;
    if (agent->state != SIMULATE_WALKS || !agent->ticket ||
        cairn_service_answer(paths->service, agent->ticket, &path) != CAIRN_FOUND ||
        cairn_service_followed(paths->service, agent->ticket, &followed) != CAIRN_OK)
        return false;
    cairn_path_iterator it = {run->world->space, path, followed.segment, followed.at, 0};
    cairn_node at = followed.at;
    for (uint32_t i = 0; i <= steps; i++) {
        cairn_node next = cairn_path_next(&it);
        if (next == CAIRN_NO_NODE) break;
        at = next;
    }
    *out = cairn_grid_cell(run->world->grid, at);
    return true;
}
