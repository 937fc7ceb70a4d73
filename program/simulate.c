/* simulate.c: agents in a world that changes (see simulate.h). */
#include "simulate.h"

#include "problems.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIMULATE_TURNS = 10000,
    SIMULATE_SIZE = 3,
    SIMULATE_AHEAD = 4096,
    SIMULATE_EDGES = 64,
    SIMULATE_TRIES = 64
};

typedef struct simulate_agent {
    cairn_node at, target;
    uint32_t goals; /* reached so far */
    uint32_t since; /* the turn in which it got this goal */
    uint64_t expanded;
    uint32_t heading; /* of its target, when that roams */
    bool responded;   /* it has made a step towards this goal ... */
    bool done;        /* it has reached its last goal ... */
    bool stopped;     /* ... or has no path now */
} simulate_agent;

/* A square that was closed: those of its cells that were open before. */
typedef struct simulate_square {
    uint32_t until;
    uint32_t count;
    cairn_node *cells;
} simulate_square;

static uint32_t simulate_pick(simulate_run *run, uint32_t count)
{
    return (uint32_t)(((problems_random(&run->random) >> 32) * count) >> 32);
}

/* ---- the start ---- */

/* Room for one more at least. */
static bool simulate_grow(simulate_run *run, void **items, size_t size, size_t count,
                          size_t *capacity)
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

static int simulate_no_memory(void)
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

/* Another goal for an agent, where it is not yet. */
static bool simulate_aim(simulate_run *run, simulate_agent *agent)
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

static int simulate_complain(const simulate_run *run, const cairn_error *error)
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

static int simulate_place(simulate_run *run, uint32_t i)
{
    simulate_agent *agent = &run->all[i];
    cairn_error error = {0};
    bool placed = run->setup->script ? simulate_obey(run, agent) : simulate_settle(run, agent);
    if (!placed) return simulate_no_place(run);
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
    return end;
}

/* ---- edits ---- */

/* Stages an edit, and notes what the cell was before. */
static void simulate_set(simulate_run *run, cairn_node node, bool open)
{
    cairn_grid *grid = run->world->grid;
    cairn_cell cell = cairn_grid_cell(grid, node);
    if (!simulate_grow(run, (void **)&run->edits, sizeof *run->edits, run->edit_count + 1,
                       &run->edit_capacity))
        return;
    run->edits[run->edit_count++] =
        (simulate_edit){run->turns, node, cairn_grid_is_open(grid, cell.x, cell.y)};
    run->failed |= cairn_grid_set_open(grid, cell.x, cell.y, open) != CAIRN_OK;
}

/* After a commit: keeps the edits of this turn that have changed something, and what they did. */
static void simulate_note(simulate_run *run, size_t first)
{
    size_t kept = first;
    for (size_t i = first; i < run->edit_count; i++) {
        simulate_edit edit = run->edits[i];
        cairn_cell cell = cairn_grid_cell(run->world->grid, edit.cell);
        bool open = cairn_grid_is_open(run->world->grid, cell.x, cell.y),
             changed = open != edit.open;
        edit.open = open;
        if (changed) run->edits[kept++] = edit;
    }
    run->edit_count = kept;
}

/* Is somebody there, or is it somebody's goal? */
static bool simulate_is_taken(const simulate_run *run, cairn_node node)
{
    for (uint32_t i = 0; i < run->agents; i++)
        if (run->all[i].at == node || run->all[i].target == node) return true;
    return false;
}

/* The middle of the next square: ahead of an agent that has a path, or anywhere. */
static cairn_cell simulate_middle(simulate_run *run)
{
    cairn_node ahead[SIMULATE_AHEAD];
    const cairn_grid *grid = run->world->grid;
    uint32_t wanted = run->setup->ahead, agent = simulate_pick(run, run->agents), known = 0;
    for (uint32_t i = 0; wanted && i < run->agents && known < 2; i++) {
        uint32_t a = (agent + i) % run->agents;
        if (!run->all[a].done)
            known = cairn_navigator_ahead(run->navigators[a], ahead, SIMULATE_AHEAD);
    }
    if (known < 2)
        return cairn_grid_cell(grid, simulate_pick(run, cairn_space_node_count(run->world->space)));
    /* Points are ends of straight lines: walk along them. */
    if (known > SIMULATE_AHEAD) known = SIMULATE_AHEAD;
    cairn_cell at = cairn_grid_cell(grid, ahead[0]);
    for (uint32_t i = 1; i < known && wanted; i++) {
        cairn_cell to = cairn_grid_cell(grid, ahead[i]);
        while (wanted && (at.x != to.x || at.y != to.y)) {
            at.x += (to.x > at.x) - (to.x < at.x);
            at.y += (to.y > at.y) - (to.y < at.y);
            wanted--;
        }
    }
    return at;
}

static void simulate_close_square(simulate_run *run)
{
    int32_t side = (int32_t)(run->setup->size ? run->setup->size : SIMULATE_SIZE);
    cairn_cell middle = simulate_middle(run);
    simulate_square square = {.until = run->turns + run->setup->life};
    square.cells = malloc((size_t)side * (size_t)side * sizeof *square.cells);
    run->failed |= !square.cells;
    for (int32_t i = 0; square.cells && i < side * side; i++) {
        int32_t x = middle.x - side / 2 + i % side, y = middle.y - side / 2 + i / side;
        cairn_node node = cairn_grid_node(run->world->grid, x, y);
        if (node == CAIRN_NO_NODE || !cairn_grid_is_open(run->world->grid, x, y)) continue;
        if (simulate_is_taken(run, node)) continue;
        square.cells[square.count++] = node;
        simulate_set(run, node, false);
    }
    if (simulate_grow(run, (void **)&run->squares, sizeof *run->squares, run->square_count + 1,
                      &run->square_capacity))
        run->squares[run->square_count++] = square;
    else
        free(square.cells);
}

static void simulate_open_squares(simulate_run *run)
{
    if (!run->setup->life) return;
    for (; run->first_square < run->square_count; run->first_square++) {
        simulate_square *square = &run->squares[run->first_square];
        if (square->until > run->turns) break;
        for (uint32_t i = 0; i < square->count; i++) simulate_set(run, square->cells[i], true);
    }
}

static void simulate_retarget(simulate_run *run, uint32_t i, cairn_node target)
{
    run->all[i].target = target;
    run->failed |= cairn_navigator_retarget(run->navigators[i], target) != CAIRN_OK;
}

static bool simulate_change(simulate_run *run, const cairn_script_change *change)
{
    cairn_grid *grid = run->world->grid;
    cairn_node first = cairn_grid_node(grid, change->first.x, change->first.y);
    bool goal = change->action == CAIRN_SCRIPT_GOAL;
    if (first == CAIRN_NO_NODE ||
        (!goal && cairn_grid_node(grid, change->last.x, change->last.y) == CAIRN_NO_NODE))
        return false;
    for (uint32_t i = 0; goal && i < run->agents; i++) {
        run->all[i].done = false;
        simulate_retarget(run, i, first);
    }
    for (int32_t y = change->first.y; !goal && y <= change->last.y; y++)
        for (int32_t x = change->first.x; x <= change->last.x; x++) {
            if (change->action == CAIRN_SCRIPT_TERRAIN)
                run->failed |= cairn_grid_set_terrain(grid, x, y, change->terrain) != CAIRN_OK;
            else
                simulate_set(run, cairn_grid_node(grid, x, y), change->action == CAIRN_SCRIPT_OPEN);
        }
    return true;
}

/* The changes of the script that are due. */
static int simulate_run_script(simulate_run *run)
{
    const cairn_script *script = run->setup->script;
    for (; script && run->next_change < script->change_count; run->next_change++) {
        const cairn_script_change *change = &script->changes[run->next_change];
        if (change->at > run->turns) break;
        if (simulate_change(run, change)) continue;
        complain("%s: a change of the script, at step %u, lies outside", run->world->name,
                 change->at);
        return END_DATA;
    }
    return END_OK;
}

static int simulate_edit_world(simulate_run *run)
{
    uint64_t version = cairn_grid_version(run->world->grid);
    size_t first = run->edit_count;
    simulate_open_squares(run);
    bool due = run->setup->every && run->turns && run->turns % run->setup->every == 0;
    if (due) simulate_close_square(run);
    int end = simulate_run_script(run);
    run->failed |= cairn_grid_commit(run->world->grid) != CAIRN_OK;
    simulate_note(run, first);
    run->changes += cairn_grid_version(run->world->grid) != version;
    return end;
}

/* ---- targets that move ---- */

/* One goes on in its direction as long as it can, and now and then in another one. */
static void simulate_roam(simulate_run *run, uint32_t i)
{
    cairn_edge edges[SIMULATE_EDGES];
    simulate_agent *agent = &run->all[i];
    uint32_t count = cairn_space_expand(run->world->space, agent->target, 0, edges, SIMULATE_EDGES);
    if (!count) return;
    cairn_node ahead = agent->target + agent->heading;
    bool turns = simulate_pick(run, 8) == 0;
    uint32_t chosen = count;
    for (uint32_t e = 0; e < count && !turns; e++)
        if (edges[e].node == ahead) chosen = e;
    if (chosen == count) chosen = simulate_pick(run, count);
    agent->heading = edges[chosen].node - agent->target;
    simulate_retarget(run, i, edges[chosen].node);
}

static void simulate_move_targets(simulate_run *run)
{
    if (!run->setup->roam || !run->turns || run->turns % run->setup->roam) return;
    for (uint32_t i = 0; i < run->agents; i++)
        if (!run->all[i].done) simulate_roam(run, i);
}

/* ---- turns ---- */

static void simulate_respond(simulate_run *run, simulate_agent *agent)
{
    uint32_t turns = run->turns - agent->since;
    if (agent->responded) return;
    agent->responded = true;
    run->responses++;
    run->response_turns += turns;
    if (turns > run->response_most) run->response_most = turns;
    run->first_expanded += agent->expanded;
}

/* An agent is at its goal. */
static void simulate_arrive(simulate_run *run, uint32_t i)
{
    simulate_agent *agent = &run->all[i];
    uint32_t goals = run->setup->goals ? run->setup->goals : 1;
    run->reached++;
    agent->done = ++agent->goals >= goals || !simulate_aim(run, agent);
    agent->since = run->turns + 1;
    agent->responded = false;
    agent->expanded = 0;
    if (!agent->done) simulate_retarget(run, i, agent->target);
}

/* Is the move an edge of the world as it is? An agent with a size may walk a whole line. */
static bool simulate_is_legal(const simulate_run *run, const cairn_move *move)
{
    const cairn_space *space = run->world->space;
    bool lines = cairn_planner_algorithm(run->planner)->flags & CAIRN_ANY_ANGLE &&
                 profile_is_sized(cairn_space_profile(space));
    if (move->escaped || move->linked) return true;
    if (cairn_space_step_cost(space, move->from, move->to) == move->cost) return true;
    return lines && cairn_raycast(space, move->from, move->to, NULL);
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
    if (move->arrived && agent->at == agent->target) simulate_arrive(run, i);
}

static int simulate_compare_nodes(const void *a, const void *b)
{
    cairn_node x = *(const cairn_node *)a, y = *(const cairn_node *)b;
    return (x > y) - (x < y);
}

/* Keeps where all are; counts those that share a cell. The row behind is room to sort. */
static void simulate_keep(simulate_run *run)
{
    size_t row = (size_t)run->agents * 2, used = (size_t)run->turns * row;
    if (!simulate_grow(run, (void **)&run->places, sizeof *run->places, used + 2 * row,
                       &run->place_capacity))
        return;
    cairn_node *places = run->places + used, *sorted = places + row;
    for (uint32_t i = 0; i < run->agents; i++) {
        places[i] = sorted[i] = run->all[i].at;
        places[run->agents + i] = run->all[i].target;
    }
    qsort(sorted, run->agents, sizeof *sorted, simulate_compare_nodes);
    for (uint32_t i = 1, same = 0; i < run->agents && run->turns; i++) {
        same = sorted[i] == sorted[i - 1] ? same + 1 : 0;
        run->collisions += same;
    }
}

static uint64_t simulate_bytes(const simulate_run *run)
{
    const cairn_planner *planner = run->known_planner ? run->known_planner : run->planner;
    uint64_t bytes = cairn_planner_pool(planner).bytes;
    for (uint32_t i = 0; i < run->agents; i++)
        bytes += cairn_navigator_sums(run->navigators[i]).bytes;
    return bytes;
}

/* One frame; only what a game would have to do is timed. */
static int simulate_turn(simulate_run *run)
{
    double (*clock)(void) = run->clock ? run->clock : text_clock;
    double begin = clock();
    int end = simulate_edit_world(run);
    if (end) return end;
    simulate_move_targets(run);
    cairn_navigators_next(run->navigators, run->agents, &run->turn, run->moves);
    double time_us = (clock() - begin) * 1e6;
    if (simulate_grow(run, (void **)&run->frame_us, sizeof *run->frame_us, run->turns + 1u,
                      &run->frame_capacity))
        run->frame_us[run->turns] = time_us;
    for (uint32_t i = 0; i < run->agents; i++) simulate_take(run, i);
    run->turns++;
    simulate_keep(run);
    uint64_t bytes = simulate_bytes(run);
    if (bytes > run->peak_bytes) run->peak_bytes = bytes;
    return run->failed ? simulate_no_memory() : END_OK;
}

/* How many changes of the script are to come; only those of the goal, if wanted. */
static uint32_t simulate_to_come(const simulate_run *run, bool goals)
{
    const cairn_script *script = run->setup->script;
    uint32_t count = 0;
    for (uint32_t i = run->next_change; script && i < script->change_count; i++)
        count += !goals || script->changes[i].action == CAIRN_SCRIPT_GOAL;
    return count;
}

/* How many still walk: those that stand without a path are, as long as something may still
 * open one; those at their goal if they will get another one. */
static uint32_t simulate_walking(const simulate_run *run)
{
    const simulate_setup *s = run->setup;
    bool closed = s->life && run->first_square < run->square_count;
    bool changes = (s->every && s->life) || s->roam || closed || simulate_to_come(run, false);
    bool goals = simulate_to_come(run, true);
    uint32_t walking = 0;
    for (uint32_t i = 0; i < run->agents; i++)
        walking += run->all[i].done ? goals : (changes || !run->all[i].stopped);
    return walking;
}

/* ---- the end ---- */

static void simulate_add(cairn_walk_sums *sum, const cairn_walk_sums *one)
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
        cairn_walk_sums one = cairn_navigator_sums(run->navigators[i]);
        simulate_add(&run->sums, &one);
        if (one.bytes > run->agent_bytes_most) run->agent_bytes_most = one.bytes;
        run->arrived += run->all[i].done;
        run->stuck += run->all[i].stopped && !run->all[i].done;
    }
    run->agent_bytes = run->sums.bytes / run->agents;
}

int simulate_all(simulate_run *run, simulate_watch *watch, void *user)
{
    uint32_t most = run->setup->turns ? run->setup->turns : SIMULATE_TURNS;
    double begin = text_clock();
    int end = simulate_begin(run);
    if (end) return end;
    simulate_keep(run);
    for (uint32_t walking; run->turns < most && (walking = simulate_walking(run)) && !end;) {
        if (watch && !watch(user, run->turns, walking)) break;
        end = simulate_turn(run);
    }
    run->seconds = text_clock() - begin;
    if (!end) simulate_sum(run);
    return end;
}

void simulate_free(simulate_run *run)
{
    for (uint32_t i = 0; run->navigators && i < run->agents; i++)
        cairn_navigator_destroy(run->navigators[i]);
    for (size_t i = 0; i < run->square_count; i++) free(run->squares[i].cells);
    cairn_planner_destroy(run->known_planner);
    cairn_space_destroy(run->known_space);
    cairn_grid_destroy(run->known);
    free(run->all);
    free(run->navigators);
    free(run->moves);
    free(run->squares);
    free(run->places);
    free(run->edits);
    free(run->frame_us);
}

static int simulate_compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double simulate_frame(simulate_run *run, double part)
{
    if (!run->turns) return 0;
    qsort(run->frame_us, run->turns, sizeof *run->frame_us, simulate_compare_times);
    size_t at = (size_t)ceil(part * run->turns);
    return run->frame_us[at ? at - 1 : 0];
}
