/* reproduce_scheduling.c: T 2.4.3 and T 777: how the updates of many agents are spread over frames
 * (see reproduce.h).
 *
 * An agent has two tasks. The *constant* one is to walk: a step of its path in every frame. The
 * *periodic* one comes once in a period of frames, its reaction time: it looks round, and in one of
 * four such updates, drawn by lot, it decides on a new goal and needs a path to it ("path planning
 * actions are only performed when necessary", T 775). Lots and goals are those of all schedules.
 * A schedule says when the tasks of all agents are done:
 *
 *     atomic       the periodic ones of all agents in the same frame
 *     naive        each agent's whole update, walking included, in its own frame of the period
 *     distributed  walking in every frame, the periodic ones spread over frames by cairn_tasks
 *     sliced       the same, and searches are divided, too: a path service with the budget
 *
 * All but the last search whole paths. Work is counted in units (planner.h): those of the searches,
 * and one for each task that is done besides. The *budget* of a frame is a quarter more than the
 * mean frame of the first schedule takes, so that everything fits in if it is spread well. An agent
 * that waits for a path stands; one that has a path and stands all the same is what players see.
 *
 * Each step is judged as those of `cairn simulate` are, without asking the library.
 */
#include "problems.h"
#include "reproduce.h"
#include "simulate_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(array)[0])
#define ANY HUGE_VAL

enum { S_ATOMIC, S_NAIVE, S_DISTRIBUTED, S_SLICED, S_SERIES };
enum {
    SCHEDULING_PERIOD = 8, /* frames at 30 a second: about the 250 ms of a human (T 530) */
    SCHEDULING_AGENTS = 200,
    SCHEDULING_PERIODS = 40,
    SCHEDULING_LEAST = 4, /* periods, however small the sample */
    SCHEDULING_LOTS = 4   /* one of so many updates decides on a goal */
};
#define SCHEDULING_SPARE 1.25 /* the budget over the mean frame */
_Static_assert((int)METRIC_FRAME_8 - (int)METRIC_FRAME_1 + 1 == (int)SCHEDULING_PERIOD,
               "a metric for each frame of a period");

typedef struct scheduling_agent {
    struct scheduling_run *run;
    cairn_node at;
    uint64_t random, updates;  /* its lots and goals, by the number of the update */
    cairn_node *steps;         /* of its path */
    uint32_t step_count, step; /* the next one */
    uint64_t capacity;
    cairn_ticket ticket; /* it waits for this */
    uint32_t asked;      /* in this frame */
} scheduling_agent;

typedef struct scheduling_run {
    reproduce_job *job;
    statistic *cells; /* of the series */
    uint32_t schedule, agent_count, frames;
    scheduling_agent *agents;
    double *work;  /* of each frame: units, ... */
    double *times; /* ... and microseconds */
    double budget;
    uint32_t frame;
    cairn_planner *planner;
    cairn_search *search;
    cairn_service *service;
    cairn_tasks *tasks;
    world world;
    simulate_setup setup;
    simulate_run judged;
    bool broken; /* out of memory, or a wrong step: it was said */
} scheduling_run;

/* ---- an agent ---- */

static void scheduling_fail(scheduling_run *run, const char *what)
{
    if (!run->broken) complain("%s: %s", run->job->part->map, what);
    run->broken = true;
}

/* Room for the steps of a path. */
static bool scheduling_reserve(scheduling_agent *agent, uint64_t count)
{
    if (count <= agent->capacity) return true;
    cairn_node *steps = realloc(agent->steps, count * sizeof *steps);
    if (!steps) return false;
    agent->steps = steps;
    agent->capacity = count;
    return true;
}

static void scheduling_take(scheduling_agent *agent, const cairn_path *path)
{
    scheduling_run *run = agent->run;
    const cairn_space *space = run->job->space;
    bool found = path->status == CAIRN_FOUND;
    statistic_add(&run->cells[METRIC_FAILED], !found);
    statistic_add(&run->cells[METRIC_ANSWER_FRAMES], run->frame - agent->asked);
    if (!found) return;
    statistic_add(&run->cells[METRIC_COST], path->cost / (double)cairn_space_scale(space).straight);
    uint64_t count = cairn_path_step_count(space, path);
    if (!scheduling_reserve(agent, count)) {
        scheduling_fail(run, "there is not enough memory for a path");
        return;
    }
    agent->step_count = cairn_path_cells(space, path, 1, agent->steps, (uint32_t)count);
}

static void scheduling_ask_service(scheduling_agent *agent, cairn_node goal)
{
    scheduling_run *run = agent->run;
    cairn_request request = {.from = agent->at, .to = goal};
    if (cairn_service_request(run->service, &request, &agent->ticket) != CAIRN_OK)
        scheduling_fail(run, "the service took no request");
}

/* The periodic task. Who still waits for a path does not decide again. */
static void scheduling_decide(void *user, uint32_t task)
{
    scheduling_agent *agent = user;
    scheduling_run *run = agent->run;
    uint64_t state = agent->random + agent->updates++;
    cairn_node goal;
    const cairn_path *path;
    (void)task;
    run->work[run->frame]++;
    if (problems_random(&state) % SCHEDULING_LOTS || agent->ticket || run->broken) return;
    if (cairn_random_reachable(run->job->space, agent->at, &state, &goal) != CAIRN_OK) return;
    agent->asked = run->frame;
    agent->step_count = agent->step = 0;
    if (run->service) {
        scheduling_ask_service(agent, goal);
        return;
    }
    cairn_query query = {.from = agent->at, .to = goal};
    cairn_search_find(run->search, &query, &path);
    run->work[run->frame] += (double)cairn_search_metrics(run->search).work;
    scheduling_take(agent, path);
}

/* The constant task. */
static void scheduling_walk(scheduling_agent *agent)
{
    scheduling_run *run = agent->run;
    run->work[run->frame]++;
    if (agent->step == agent->step_count) return;
    cairn_node next = agent->steps[agent->step++];
    if (!simulate_judge_step(&run->judged, agent->at, next))
        scheduling_fail(run, "a step that is none");
    agent->at = next;
}

/* ---- frames ---- */

static void scheduling_all_walk(scheduling_run *run)
{
    for (uint32_t i = 0; i < run->agent_count; i++) scheduling_walk(&run->agents[i]);
}

static void scheduling_serve(scheduling_run *run)
{
    double left = run->budget - run->work[run->frame];
    cairn_frame frame = {.work = left < 1 ? 1 : (uint64_t)left};
    if (cairn_service_update(run->service, &frame) != CAIRN_OK)
        scheduling_fail(run, "the service refused a frame");
    run->work[run->frame] += (double)frame.used;
    for (uint32_t i = 0; i < run->agent_count; i++) {
        scheduling_agent *agent = &run->agents[i];
        const cairn_path *path;
        if (!agent->ticket) continue;
        if (cairn_service_answer(run->service, agent->ticket, &path) == CAIRN_RUNNING) continue;
        scheduling_take(agent, path);
        cairn_service_release(run->service, agent->ticket);
        agent->ticket = CAIRN_NO_TICKET;
    }
}

static void scheduling_update(scheduling_run *run)
{
    uint32_t turn = run->frame % SCHEDULING_PERIOD;
    if (run->schedule == S_NAIVE) {
        for (uint32_t i = turn; i < run->agent_count; i += SCHEDULING_PERIOD) {
            scheduling_walk(&run->agents[i]);
            scheduling_decide(&run->agents[i], 0);
        }
        return;
    }
    scheduling_all_walk(run);
    if (run->tasks)
        cairn_tasks_run(run->tasks, NULL);
    else
        for (uint32_t i = 0; turn == 0 && i < run->agent_count; i++)
            scheduling_decide(&run->agents[i], 0);
    if (run->service) scheduling_serve(run);
}

/* Who has a path that leads on and was not moved in this frame? */
static void scheduling_look(scheduling_run *run, const cairn_node *before, const bool *ready)
{
    for (uint32_t i = 0; i < run->agent_count; i++)
        if (ready[i])
            statistic_add(&run->cells[METRIC_STANDING], run->agents[i].at == before[i] ? 100 : 0);
}

static bool scheduling_frame(scheduling_run *run, cairn_node *before, bool *ready)
{
    for (uint32_t i = 0; i < run->agent_count; i++) {
        before[i] = run->agents[i].at;
        ready[i] = run->agents[i].step < run->agents[i].step_count;
    }
    double begin = reproduce_clock();
    scheduling_update(run);
    run->times[run->frame] = reproduce_clock() - begin;
    scheduling_look(run, before, ready);
    return !run->broken && !reproduce_ending();
}

/* What the frames took, once the budget is known. */
static void scheduling_count(scheduling_run *run)
{
    for (uint32_t f = 0; f < run->frames; f++) {
        double percent = 100 * run->work[f] / run->budget;
        statistic_add(&run->cells[METRIC_FRAME_PERCENT], percent);
        statistic_add(&run->cells[METRIC_FRAMES_OVER], percent > 100 ? 100 : 0);
        statistic_add(&run->cells[METRIC_FRAME_1 + f % SCHEDULING_PERIOD], percent);
        statistic_add(&run->cells[METRIC_TIME], run->times[f]);
    }
}

/* ---- a schedule ---- */

static bool scheduling_begin(scheduling_run *run)
{
    bool ok = !cairn_search_create(run->planner, NULL, &run->search);
    run->tasks = NULL;
    run->service = NULL;
    if (ok && run->schedule >= S_DISTRIBUTED)
        ok = !cairn_tasks_create(run->job->context, &run->tasks);
    if (ok && run->schedule == S_SLICED)
        ok = !cairn_service_create(run->job->context, NULL, &run->service) &&
             !cairn_service_add(run->service, run->planner, NULL, &(uint32_t){0});
    uint64_t state = run->job->fingerprint;
    for (uint32_t i = 0; ok && i < run->agent_count; i++) {
        cairn_node start = problems_random_node(&run->world, &state);
        scheduling_agent *agent = &run->agents[i];
        free(agent->steps);
        *agent = (scheduling_agent){.run = run, .at = start, .random = state};
        cairn_periodic look = {
            .period = SCHEDULING_PERIOD, .run = scheduling_decide, .user = agent};
        ok = start != CAIRN_NO_NODE;
        if (ok && run->tasks) ok = !cairn_tasks_add(run->tasks, &look, &(uint32_t){0});
    }
    return ok;
}

static void scheduling_end(scheduling_run *run)
{
    cairn_service_destroy(run->service);
    cairn_tasks_destroy(run->tasks);
    cairn_search_destroy(run->search);
    run->search = NULL;
}

static bool scheduling_series(scheduling_run *run, uint32_t schedule)
{
    cairn_node *before = calloc(run->agent_count, sizeof *before);
    bool *ready = calloc(run->agent_count, sizeof *ready);
    run->schedule = schedule;
    run->cells = run->job->part->record.cells[schedule];
    memset(run->work, 0, run->frames * sizeof *run->work);
    bool ok = before && ready && scheduling_begin(run);
    if (!ok) scheduling_fail(run, "there is not enough memory, or no open cell");
    for (run->frame = 0; ok && run->frame < run->frames; run->frame++) {
        ok = scheduling_frame(run, before, ready);
        reproduce_advance(run->job, (schedule + (run->frame + 1.0) / run->frames) / S_SERIES);
    }
    double sum = 0;
    for (uint32_t f = 0; f < run->frames; f++) sum += run->work[f];
    if (schedule == S_ATOMIC) run->budget = ceil(SCHEDULING_SPARE * sum / run->frames);
    if (ok) scheduling_count(run);
    scheduling_end(run);
    free(before);
    free(ready);
    return ok;
}

static uint32_t scheduling_sample(const reproduce_job *job, uint32_t count)
{
    uint32_t every = job->run->options->every, some = count / (every ? every : 1);
    return some < SCHEDULING_LEAST ? SCHEDULING_LEAST : some;
}

bool reproduce_schedule(reproduce_job *job)
{
    scheduling_run run = {.job = job,
                          .agent_count = SCHEDULING_AGENTS,
                          .frames = SCHEDULING_PERIOD * scheduling_sample(job, SCHEDULING_PERIODS)};
    run.world = (world){.context = job->context, .grid = job->grid, .space = job->space};
    run.judged = (simulate_run){.world = &run.world, .setup = &run.setup};
    run.agents = calloc(run.agent_count, sizeof *run.agents);
    run.work = calloc(run.frames, sizeof *run.work);
    run.times = calloc(run.frames, sizeof *run.times);
    cairn_error error = {0};
    error.status = cairn_planner_create(job->space, job->series[0].spec, &run.planner, &error);
    run.judged.planner = run.planner;
    bool ok =
        !error.status && run.agents && run.work && run.times && simulate_judge_begin(&run.judged);
    if (!ok) scheduling_fail(&run, error.status ? error.text : "there is not enough memory");
    for (uint32_t i = 0; ok && i < S_SERIES; i++) ok = scheduling_series(&run, i);
    simulate_judge_free(&run.judged);
    cairn_planner_destroy(run.planner);
    for (uint32_t i = 0; run.agents && i < run.agent_count; i++) free(run.agents[i].steps);
    free(run.agents);
    free(run.work);
    free(run.times);
    return ok;
}

/* ---- the page ---- */

static const char *const scheduling_plots[S_SERIES][2] = {
    {"atomic", "all updates in one frame (T, figure 2.9)"},
    {"naive", "whole updates, frame by frame (T, figure 2.10)"},
    {"distributed", "tasks by their periods (T, figure 2.11)"},
    {"sliced", "whole searches against sliced ones (T 777)"}};

static void scheduling_print(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    const reproduce_series *series = reproduce_series_of(run, table);
    reproduce_record all;
    reproduce_sum(run, table, NULL, &all);
    fputs(
        "\nOf each schedule: the work of a frame as a per cent of the budget, mean, deviation and "
        "the largest; how many of a hundred frames are above the budget; of a hundred times that "
        "an agent has a path to walk in a frame, how often it stands; frames until an agent has "
        "the path that it needs, 0 if that comes in the same frame, mean and longest; processor "
        "time of a frame; paths, and how many were not found.\n\n"
        "| | work, % | largest | above, % | standing, % | answer, frames | longest | frame, µs "
        "| largest | paths | failed |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        out);
    for (uint32_t i = 0; i < S_SERIES; i++) {
        const statistic *cells = all.cells[i];
        reproduce_print_name(out, series[i].name);
        reproduce_print_spread(out, &cells[METRIC_FRAME_PERCENT]);
        reproduce_print_number(out, cells[METRIC_FRAME_PERCENT].most);
        reproduce_print_number(out, statistic_mean(&cells[METRIC_FRAMES_OVER]));
        reproduce_print_number(out, statistic_mean(&cells[METRIC_STANDING]));
        reproduce_print_number(out, statistic_mean(&cells[METRIC_ANSWER_FRAMES]));
        reproduce_print_number(out, cells[METRIC_ANSWER_FRAMES].most);
        reproduce_print_number(out, statistic_mean(&cells[METRIC_TIME]));
        reproduce_print_number(out, cells[METRIC_TIME].most);
        fprintf(out, " %u | %.0f |\n", cells[METRIC_FAILED].count, cells[METRIC_FAILED].sum);
    }
    for (uint32_t i = 0; i < S_SERIES; i++)
        fprintf(out, "\n![%s](%s-%s.svg)\n", scheduling_plots[i][1], table->name,
                scheduling_plots[i][0]);
}

static bool scheduling_bars(const reproduce_run *run, const reproduce_table *table, uint32_t plot,
                            reproduce_bars *bars)
{
    char name[REPRODUCE_NAME], title[200];
    snprintf(name, sizeof name, "%s-%s", table->name, scheduling_plots[plot][0]);
    snprintf(title, sizeof title, "%s: %s", table->name, scheduling_plots[plot][1]);
    bars->title = title;
    bars->unit = "work of a frame, per cent of its budget";
    bars->reference = 100;
    bars->series_count = 2;
    return reproduce_draw_bars(run, name, bars);
}

/* A schedule: the frames of a period. */
static bool scheduling_draw_period(const reproduce_run *run, const reproduce_table *table,
                                   uint32_t schedule)
{
    static const char *const series[] = {"mean of all periods", "largest"};
    static const char *const groups[SCHEDULING_PERIOD] = {
        "frame 1", "frame 2", "frame 3", "frame 4", "frame 5", "frame 6", "frame 7", "frame 8"};
    double values[2 * SCHEDULING_PERIOD], deviations[2 * SCHEDULING_PERIOD];
    reproduce_record all;
    reproduce_sum(run, table, NULL, &all);
    for (uint32_t f = 0; f < SCHEDULING_PERIOD; f++) {
        const statistic *s = &all.cells[schedule][METRIC_FRAME_1 + f];
        values[2 * f] = statistic_mean(s);
        values[2 * f + 1] = s->most;
        deviations[2 * f] = statistic_deviation(s);
        deviations[2 * f + 1] = NAN;
    }
    reproduce_bars bars = {.groups = groups,
                           .group_count = SCHEDULING_PERIOD,
                           .series = series,
                           .values = values,
                           .deviations = deviations};
    return scheduling_bars(run, table, schedule, &bars);
}

/* Map by map, the largest frame with whole searches and with sliced ones. */
static bool scheduling_draw_sliced(const reproduce_run *run, const reproduce_table *table)
{
    enum { MAPS = 32 };
    static const char *const series[] = {"whole searches, largest frame",
                                         "sliced searches, largest frame"};
    const char *groups[MAPS];
    double values[2 * MAPS];
    uint32_t count = 0, at = 0;
    for (const reproduce_part *part; count < MAPS && (part = reproduce_next(run, table, &at));) {
        values[2 * count] = part->record.cells[S_DISTRIBUTED][METRIC_FRAME_PERCENT].most;
        values[2 * count + 1] = part->record.cells[S_SLICED][METRIC_FRAME_PERCENT].most;
        groups[count++] = part->map;
    }
    reproduce_bars bars = {
        .groups = groups, .group_count = count, .series = series, .values = values};
    return !count || scheduling_bars(run, table, S_SLICED, &bars);
}

static bool scheduling_draw(const reproduce_run *run, const reproduce_table *table)
{
    for (uint32_t i = 0; i < S_SLICED; i++)
        if (!scheduling_draw_period(run, table, i)) return false;
    return scheduling_draw_sliced(run, table);
}

/* ---- the table ---- */

static const char *const scheduling_games[] = {"bg512/AR0011SR", "bg512/AR0400SR",
                                               "sc1/AcrosstheCape", "dao/brc202d"};
#define SCHEDULING_GENERATED(which) \
    { \
        .kind = (which), .maps = 1, .shrinks = true, .wide = {1024, 1024}, .high = { 1024, 1024 } \
    }
static const reproduce_set scheduling_sets[] = {
    {.name = "games", .files = scheduling_games, .maps = COUNT(scheduling_games)},
    SCHEDULING_GENERATED(CAIRN_GENERATE_PSEUDO_RTS),
    SCHEDULING_GENERATED(CAIRN_GENERATE_ROOMS),
};

static const reproduce_series scheduling_schedules[S_SERIES] = {
    [S_ATOMIC] = {"atomic", "astar", 0, 0},
    [S_NAIVE] = {"naive", "astar", 0, 0},
    [S_DISTRIBUTED] = {"distributed", "astar", 0, 0},
    [S_SLICED] = {"distributed, sliced", "astar", 0, 0}};

static const reproduce_claim scheduling_claims[] = {
    {"atomic updates: the largest frame", "over the budget (T 2.4.3)", CLAIM_MOST, S_ATOMIC, 0,
     METRIC_FRAME_PERCENT, 100, ANY, " % of the budget",
     "All updates cannot be done in one frame: it takes {}.",
     "All updates fit into one frame ({}).", NULL, GOOD_NEITHER},
    {"naive: how often an agent with a path stands", "visual artefacts (T 2.4.3)", CLAIM_MEAN,
     S_NAIVE, 0, METRIC_STANDING, 1, 100, " %",
     "Whole updates spread over frames keep agents standing that could walk ({} of the time).",
     "Nobody stands ({}).", NULL, GOOD_NEITHER},
    {"distributed: the same", "none (T 2.4.3)", CLAIM_MEAN, S_DISTRIBUTED, 0, METRIC_STANDING, 0, 0,
     " %", "If tasks obey their periods, nobody does ({}).", NULL, "Somebody does ({}).",
     GOOD_LESS},
    {"distributed: the mean frame over that of atomic updates", NULL, CLAIM_RATIO, S_DISTRIBUTED,
     S_ATOMIC, METRIC_FRAME_PERCENT, 0, ANY, " ×", "The work is the same ({}).", NULL, NULL,
     GOOD_NEITHER},
    {"distributed: the largest frame", "above the budget now and then (T 2.4.3)", CLAIM_MOST,
     S_DISTRIBUTED, 0, METRIC_FRAME_PERCENT, 100, ANY, " % of the budget",
     "As long as searches are whole, some frames are above the budget (at most {}).",
     "No frame is above the budget ({}).", NULL, GOOD_LESS},
    {"distributed: frames above the budget", NULL, CLAIM_MEAN, S_DISTRIBUTED, 0, METRIC_FRAMES_OVER,
     0, ANY, " %", "It is {} of them.", NULL, NULL, GOOD_NEITHER},
    {"sliced: the largest frame", "the budget (our limit)", CLAIM_MOST, S_SLICED, 0,
     METRIC_FRAME_PERCENT, 0, 100, " % of the budget",
     "Searches that are sliced never exceed it ({}).", NULL, "Sliced searches exceed it ({}).",
     GOOD_LESS},
    {"sliced less whole searches: frames above the budget", "not worth it (T 777)",
     CLAIM_DIFFERENCE, S_SLICED, S_DISTRIBUTED, METRIC_FRAMES_OVER, -1, ANY, " points",
     "Slicing searches gains next to nothing ({}).",
     "Slicing searches pays ({}), and the service does the scheduling.", NULL, GOOD_NEITHER},
    {"sliced: frames until an answer", NULL, CLAIM_MEAN, S_SLICED, 0, METRIC_ANSWER_FRAMES, 0, ANY,
     " frames", "The price is that an answer takes {} on average.", NULL, NULL, GOOD_NEITHER},
    {"sliced: the longest wait", "a reaction time (our limit)", CLAIM_MOST, S_SLICED, 0,
     METRIC_ANSWER_FRAMES, 0, SCHEDULING_PERIOD, " frames", "Nobody waits longer than {}.", NULL,
     "Somebody waits {}.", GOOD_LESS},
    {"sliced: time of a frame over that with whole searches", NULL, CLAIM_RATIO, S_SLICED,
     S_DISTRIBUTED, METRIC_TIME, 0, ANY, " ×",
     "With the service a frame takes {} the time, on average.", NULL, NULL, GOOD_NEITHER},
};

const reproduce_table reproduce_t_scheduling = {
    .name = "t-scheduling",
    .title = "T 2.4.3 and 4.3.1: agents' updates in frames, whole searches and sliced ones",
    .about =
        "Two hundred agents on each map. Each walks a step in every frame, and decides on a new "
        "random goal once in eight frames, about a human's 250 ms at 30 frames a second "
        "(T 530). Paths are those of `astar`. The budget of a frame is a quarter more than the "
        "mean frame takes, in units of work; time is beside it. *Atomic*: all agents look round in "
        "the same frame. *Naive*: each agent is updated whole, walking included, in a frame of "
        "its own. *Distributed*: all walk in every frame, and looking round is spread by "
        "`cairn_tasks`. *Sliced*: a path service has the budget, less what walking takes.",
    .sets = scheduling_sets,
    .set_count = COUNT(scheduling_sets),
    .series = scheduling_schedules,
    .series_count = S_SERIES,
    .metrics = METRIC_BIT(METRIC_FAILED) | METRIC_BIT(METRIC_COST) |
               METRIC_BIT(METRIC_FRAME_PERCENT) | METRIC_BIT(METRIC_FRAMES_OVER) |
               METRIC_BIT(METRIC_ANSWER_FRAMES) | METRIC_BIT(METRIC_STANDING) |
               METRIC_BIT(METRIC_FRAME_1) | METRIC_BIT(METRIC_TIME),
    .run = reproduce_schedule,
    .print = scheduling_print,
    .draw = scheduling_draw,
    .claims = scheduling_claims,
    .claim_count = COUNT(scheduling_claims),
    .close =
        "T holds that whole searches are simpler to schedule. Here the path service does that: "
        "a game asks, and updates it once a frame."};
