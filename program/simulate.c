/* simulate.c: agents in a world that changes (see simulate.h). */
#include "simulate_parts.h"

#include "problems.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIMULATE_TURNS = 10000, SIMULATE_TRIES = 64 };

uint32_t simulate_pick(simulate_run *run, uint32_t count)
{
    return (uint32_t)(((problems_random(&run->random) >> 32) * count) >> 32);
}

double simulate_clock(const simulate_run *run)
{
    return run->clock ? run->clock() : text_clock();
}

/* ---- series ---- */

bool simulate_grow(simulate_run *run, void **items, size_t size, size_t count, size_t *capacity)
{
    if (count <= *capacity) return true;
    size_t larger = count * 2;
    void *grown = realloc(*items, larger * size);
    run->failed |= !grown;
    if (!grown) return false;
    *items = grown;
    *capacity = larger;
    return true;
}

void simulate_add(simulate_run *run, simulate_series *series, double value)
{
    void *items = series->items;
    bool ok =
        simulate_grow(run, &items, sizeof *series->items, series->count + 1, &series->capacity);
    series->items = items;
    if (ok) series->items[series->count++] = value;
    series->sorted = false;
}

static int simulate_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double simulate_quantile(simulate_series *series, double part)
{
    if (!series->count) return 0;
    if (!series->sorted)
        qsort(series->items, series->count, sizeof *series->items, simulate_compare);
    series->sorted = true;
    size_t at = (size_t)ceil(part * (double)series->count);
    return series->items[at ? at - 1 : 0];
}

double simulate_mean(const simulate_series *series)
{
    double sum = 0;
    for (size_t i = 0; i < series->count; i++) sum += series->items[i];
    return series->count ? sum / (double)series->count : 0;
}

uint64_t simulate_open_goals(const simulate_run *run)
{
    uint64_t open = run->given - run->reached;
    for (uint32_t i = 0; i < CAIRN_STATUS_COUNT; i++) open -= run->given_up[i];
    return open;
}

double simulate_share(const simulate_run *run)
{
    uint64_t all = run->given - run->given_up[CAIRN_UNREACHABLE];
    return all ? (double)run->reached / (double)all : 1;
}

/* ---- the start ---- */

int simulate_no_memory(void)
{
    complain("there is not enough memory for the simulation");
    return END_DATA;
}

static int simulate_no_place(const simulate_run *run)
{
    complain(run->setup->script ? "%s: start or goal of the script lie outside the map"
                                : "%s: there is no place for an agent, with a goal in reach",
             run->world->name);
    return END_DATA;
}

bool simulate_aim(simulate_run *run, simulate_agent *agent)
{
    for (uint32_t i = 0; i < SIMULATE_TRIES; i++) {
        if (cairn_random_reachable(run->world->space, agent->at, &run->random, &agent->target))
            return false;
        if (agent->target != agent->at) return true;
    }
    return false;
}

/* A place for an agent from which it can go somewhere. */
static bool simulate_settle(simulate_run *run, simulate_agent *agent)
{
    for (uint32_t i = 0; i < SIMULATE_TRIES; i++) {
        agent->at = problems_random_node(run->world, &run->random);
        if (agent->at == CAIRN_NO_NODE) return false;
        if (simulate_aim(run, agent)) return true;
    }
    return false;
}

/* Where the script says; all other agents than the first anywhere. */
static bool simulate_obey(simulate_run *run, simulate_agent *agent)
{
    const cairn_script *script = run->setup->script;
    const cairn_grid *grid = run->world->grid;
    agent->at = agent == run->all ? cairn_grid_node(grid, script->from.x, script->from.y)
                                  : problems_random_node(run->world, &run->random);
    agent->target = cairn_grid_node(grid, script->to.x, script->to.y);
    return agent->at != CAIRN_NO_NODE;
}

int simulate_complain(const simulate_run *run, const cairn_error *error)
{
    complain("%s on %s: %s", run->spec, run->world->name,
             error->text[0] ? error->text : cairn_status_text(error->status));
    return END_DATA;
}

/* A world of what is known, and a planner for it. */
static int simulate_forget(simulate_run *run)
{
    cairn_error error = {0};
    const world *w = run->world;
    uint32_t what = run->setup->unknown ? CAIRN_KNOW_NOTHING : CAIRN_KNOW_ALL;
    if (!run->setup->sensor) return END_OK;
    error.status = cairn_grid_known(w->grid, what, 0, &run->known, &error);
    if (!error.status)
        error.status = cairn_space_of_grid(run->known, cairn_space_profile(w->space),
                                           &run->known_space, &error);
    if (!error.status)
        error.status =
            cairn_planner_create(run->known_space, run->spec, &run->known_planner, &error);
    if (!error.status) error.status = cairn_planner_sync(run->known_planner, NULL, &error);
    return error.status ? simulate_complain(run, &error) : END_OK;
}

static int simulate_navigate(simulate_run *run, uint32_t i)
{
    simulate_agent *agent = &run->all[i];
    cairn_error error = {0};
    cairn_planner *planner = run->known_planner ? run->known_planner : run->planner;
    if (cairn_navigator_create(planner, &run->setup->how, &run->navigators[i]))
        return simulate_no_memory();
    if (run->known)
        error.status = cairn_navigator_set_sensor(run->navigators[i], run->world->space,
                                                  run->setup->sensor, &error);
    if (error.status) return simulate_complain(run, &error);
    if (!cairn_navigator_start(run->navigators[i], agent->at, agent->target)) return END_OK;
    return simulate_no_place(run);
}

static int simulate_place(simulate_run *run, uint32_t i)
{
    simulate_agent *agent = &run->all[i];
    bool placed = run->setup->script ? simulate_obey(run, agent) : simulate_settle(run, agent);
    if (!placed) return simulate_no_place(run);
    agent->told_at = agent->told_target = CAIRN_NO_NODE;
    return run->setup->service ? END_OK : simulate_navigate(run, i);
}

static int simulate_begin(simulate_run *run)
{
    run->agents = run->setup->agents ? run->setup->agents : 1;
    run->random = run->setup->seed;
    run->turn.work = run->setup->work;
    run->all = calloc(run->agents, sizeof *run->all);
    run->navigators = calloc(run->agents, sizeof(cairn_navigator *));
    run->moves = calloc(run->agents, sizeof *run->moves);
    if (!run->all || !run->navigators || !run->moves) return simulate_no_memory();
    int end = simulate_forget(run);
    for (uint32_t i = 0; i < run->agents && !end; i++) end = simulate_place(run, i);
    if (!end) end = simulate_meet_begin(run);
    if (!end && run->setup->service) end = simulate_paths_begin(run);
    return end;
}

/* ---- goals ---- */

void simulate_respond(simulate_run *run, simulate_agent *agent)
{
    if (agent->responded) return;
    agent->responded = true;
    simulate_add(run, agent->since ? &run->responses : &run->opening, run->turns - agent->since);
    run->first_expanded += agent->expanded;
}

/* The agent is at its goal: it has another one then, or is done. */
static void simulate_reach(simulate_run *run, simulate_agent *agent)
{
    uint32_t goals = run->setup->goals ? run->setup->goals : 1;
    run->reached++;
    agent->done = ++agent->goals >= goals || !simulate_aim(run, agent);
    agent->since = run->turns + 1;
    agent->responded = false;
    agent->expanded = 0;
}

/* ---- navigators ---- */

/* Is the move an edge of the world as it is? */
static bool simulate_is_legal(const simulate_run *run, const cairn_move *move)
{
    if (move->escaped || move->linked) return true;
    return simulate_judge_step(run, move->from, move->to);
}

static void simulate_take(simulate_run *run, uint32_t i)
{
    simulate_agent *agent = &run->all[i];
    const cairn_move *move = &run->moves[i];
    run->seen += move->seen;
    if (agent->done) return;
    agent->expanded += move->expanded;
    agent->stopped = move->kind == CAIRN_MOVE_STOP;
    if (move->kind == CAIRN_MOVE_STEP) {
        run->illegal += move->from != agent->at || !simulate_is_legal(run, move);
        agent->at = move->to;
        simulate_respond(run, agent);
    }
    if (!move->arrived || agent->at != agent->target) return;
    simulate_reach(run, agent);
    if (!agent->done)
        run->failed |= cairn_navigator_retarget(run->navigators[i], agent->target) != CAIRN_OK;
}

static uint64_t simulate_bytes(const simulate_run *run)
{
    const cairn_planner *planner = run->known_planner ? run->known_planner : run->planner;
    uint64_t bytes = cairn_planner_pool(planner).bytes;
    for (uint32_t i = 0; i < run->agents; i++)
        bytes += cairn_navigator_sums(run->navigators[i]).bytes;
    return bytes;
}

static void simulate_take_all(simulate_run *run)
{
    for (uint32_t i = 0; i < run->agents; i++) simulate_take(run, i);
    uint64_t bytes = simulate_bytes(run);
    if (bytes > run->peak_bytes) run->peak_bytes = bytes;
}

/* ---- what is kept ---- */

/* An event, if anything is new. */
static void simulate_tell(simulate_run *run, uint32_t i)
{
    simulate_agent *agent = &run->all[i];
    bool away = run->setup->service && agent->state == SIMULATE_AWAY;
    cairn_node at = away ? CAIRN_NO_NODE : agent->at, target = away ? CAIRN_NO_NODE : agent->target;
    if (run->turns && at == agent->told_at && target == agent->told_target) return;
    if (!simulate_grow(run, (void **)&run->events, sizeof *run->events, run->event_count + 1,
                       &run->event_capacity))
        return;
    agent->told_at = at;
    agent->told_target = target;
    run->events[run->event_count++] = (simulate_event){run->turns, i, at, target};
}

static int simulate_compare_moves(const void *a, const void *b)
{
    cairn_node x = *(const cairn_node *)a, y = *(const cairn_node *)b;
    return (x > y) - (x < y);
}

/* Counts the agents that share a cell. */
static void simulate_collide(simulate_run *run)
{
    cairn_node *sorted = malloc(run->agents * sizeof *sorted);
    uint32_t count = 0;
    run->failed |= !sorted;
    for (uint32_t i = 0; sorted && i < run->agents; i++)
        if (run->all[i].told_at != CAIRN_NO_NODE) sorted[count++] = run->all[i].at;
    if (count) qsort(sorted, count, sizeof *sorted, simulate_compare_moves);
    for (uint32_t i = 1, same = 0; i < count; i++) {
        same = sorted[i] == sorted[i - 1] ? same + 1 : 0;
        run->collisions += same;
    }
    free(sorted);
}

static uint64_t simulate_mix(uint64_t hash, uint64_t value)
{
    return problems_random(&(uint64_t){hash ^ value * UINT64_C(0x9e3779b97f4a7c15)});
}

/* What a turn did, in one number with all before it. */
static void simulate_hash(simulate_run *run, size_t event, size_t edit)
{
    uint64_t hash = run->turns > 1 ? run->hashes[run->turns - 2] : 0;
    for (; event < run->event_count; event++) {
        const simulate_event *e = &run->events[event];
        hash = simulate_mix(hash, (uint64_t)e->agent << 32 | e->at);
        hash = simulate_mix(hash, e->target);
    }
    for (; edit < run->edit_count; edit++)
        hash = simulate_mix(hash, (uint64_t)run->edits[edit].cell << 1 | run->edits[edit].open);
    hash = simulate_mix(hash, run->sums.work + run->answers);
    if (simulate_grow(run, (void **)&run->hashes, sizeof *run->hashes, run->turns,
                      &run->hash_capacity))
        run->hashes[run->turns - 1] = hash;
}

static void simulate_keep(simulate_run *run, size_t edit)
{
    size_t event = run->event_count;
    for (uint32_t i = 0; i < run->agents; i++) simulate_tell(run, i);
    if (!run->turns) return;
    simulate_collide(run);
    simulate_hash(run, event, edit);
}

/* ---- turns ---- */

/* One frame; only what a game would have to do is timed. */
static int simulate_turn(simulate_run *run)
{
    bool service = run->setup->service;
    size_t edit = run->edit_count;
    if (service) simulate_paths_aim(run);
    int end = simulate_plan_edits(run);
    if (end) return end;
    double begin = simulate_clock(run);
    simulate_make_edits(run);
    simulate_move_targets(run);
    if (service)
        simulate_paths_turn(run, begin);
    else
        cairn_navigators_next(run->navigators, run->agents, &run->turn, run->moves);
    double seconds = simulate_clock(run) - begin;
    if (!run->drains) simulate_add(run, &run->frames, seconds * 1e6);
    simulate_note_edits(run);
    if (service)
        simulate_paths_check(run);
    else
        simulate_take_all(run);
    run->turns++;
    simulate_keep(run, edit);
    return run->failed ? simulate_no_memory() : END_OK;
}

static bool simulate_may_walk(const simulate_run *run, const simulate_agent *agent, bool changes)
{
    bool away = run->drains && agent->state == SIMULATE_AWAY;
    return !agent->rests && !away && (changes || !agent->stopped);
}

/* How many still walk: those that stand without a path are, as long as something may still
 * open one; those at their goal if they will get another one. */
static uint32_t simulate_walking(const simulate_run *run)
{
    const simulate_setup *s = run->setup;
    bool closed = s->life && run->first_square < run->square_count;
    bool changes =
        (s->every && s->life && !run->drains) || s->roam || closed || simulate_to_come(run, false);
    bool goals = simulate_to_come(run, true);
    uint32_t walking = 0;
    for (uint32_t i = 0; i < run->agents; i++)
        walking += run->all[i].done ? goals : simulate_may_walk(run, &run->all[i], changes);
    return walking;
}

/* ---- the end ---- */

static void simulate_join(cairn_walk_sums *sum, const cairn_walk_sums *one)
{
    sum->calls += one->calls;
    sum->moves += one->moves;
    sum->cost += one->cost;
    sum->work += one->work;
    if (one->most_work > sum->most_work) sum->most_work = one->most_work;
    sum->expanded += one->expanded;
    sum->plans += one->plans;
    sum->pieces += one->pieces;
    sum->syncs += one->syncs;
    sum->breaks += one->breaks;
    if (one->peak_bytes > sum->peak_bytes) sum->peak_bytes = one->peak_bytes;
    sum->bytes += one->bytes;
}

static void simulate_sum(simulate_run *run)
{
    for (uint32_t i = 0; i < run->agents; i++) {
        run->arrived += run->all[i].done;
        run->stuck += run->all[i].stopped && !run->all[i].done;
        if (run->setup->service) continue;
        cairn_walk_sums one = cairn_navigator_sums(run->navigators[i]);
        simulate_join(&run->sums, &one);
        if (one.bytes > run->agent_bytes_most) run->agent_bytes_most = one.bytes;
    }
    run->agent_bytes = run->sums.bytes / run->agents;
    if (run->setup->service) simulate_paths_end(run);
}

int simulate_all(simulate_run *run, simulate_watch *watch, void *user)
{
    uint32_t most = run->setup->turns ? run->setup->turns : SIMULATE_TURNS;
    double begin = text_clock();
    int end = simulate_judge_begin(run) ? simulate_begin(run) : simulate_no_memory();
    if (end) return end;
    simulate_keep(run, 0);
    for (uint32_t walking; !end; end = simulate_turn(run)) {
        run->drains = run->setup->drain && run->turns >= most;
        if (run->drains) simulate_paths_rest(run);
        if (run->turns >= (uint64_t)most + run->setup->drain || !(walking = simulate_walking(run)))
            break;
        if (watch && !watch(user, run->turns, walking)) break;
    }
    run->seconds = text_clock() - begin;
    if (!end) simulate_sum(run);
    return end;
}

void simulate_free(simulate_run *run)
{
    for (uint32_t i = 0; run->navigators && i < run->agents; i++)
        cairn_navigator_destroy(run->navigators[i]);
    simulate_paths_free(run);
    simulate_judge_free(run);
    simulate_meet_free(run);
    simulate_forget_squares(run);
    cairn_planner_destroy(run->known_planner);
    cairn_space_destroy(run->known_space);
    cairn_grid_destroy(run->known);
    free(run->all);
    free(run->navigators);
    free(run->moves);
    free(run->events);
    free(run->edits);
    free(run->hashes);
    free(run->looks);
    free(run->frames.items);
    free(run->opening.items);
    free(run->responses.items);
}
