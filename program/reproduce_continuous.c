/* reproduce_continuous.c: agents that walk while the world changes, as `cairn simulate` lets them
 * (see reproduce.h).
 *
 * Every algorithm walks the same problems with the same edits, as far as these do not depend on its
 * path. Afterwards all edits are undone. The *first* search ends with the first step of an agent;
 * what is expanded later is the price of changes, and of the detours of agents that learn while
 * they walk. The time is the processor time of all turns, commits included. Problems in which the
 * base does not arrive count for nobody else, so that sums are those of the same problems.
 */
#include "reproduce_continuous.h"

#include <stdlib.h>

enum { CONTINUOUS_BARRED = 60 /* a path of fewer steps has no barrier */ };

/* What the base took for a problem; no cost: it did not arrive. */
typedef struct continuous_base {
    double expanded, after, time_us, cost;
} continuous_base;

typedef struct continuous_work {
    reproduce_job *job;
    const char *spec;
    cairn_planner *planner;
    world world;
    cairn_script script; /* of a problem: its start, its goal and its barrier */
    const continuous_setup *set;
    simulate_setup setup;
    continuous_base *base; /* by problem */
} continuous_work;

static bool continuous_complain(const continuous_work *work, const cairn_error *error)
{
    complain("%s on %s: %s", work->spec, work->job->part->map,
             error->text[0] ? error->text : cairn_status_text(error->status));
    return false;
}

/* ---- a barrier ---- */

/* The middle of the best path, and its steps; false if it is too short for a barrier, or there is
 * no memory. */
static bool continuous_middle(const reproduce_job *job, const reproduce_problem *problem,
                              cairn_cell *middle, uint32_t *steps)
{
    cairn_planner *planner = NULL;
    cairn_search *search = NULL;
    const cairn_path *path = NULL;
    cairn_query query = {.from = problem->from, .to = problem->to};
    bool ok = !cairn_planner_create(job->space, "astar", &planner, NULL) &&
              !cairn_search_create(planner, NULL, &search) &&
              !cairn_search_find(search, &query, &path);
    *steps = ok ? (uint32_t)cairn_path_step_count(job->space, path) : 0;
    cairn_node node;
    ok = *steps >= CONTINUOUS_BARRED &&
         cairn_path_cells(job->space, path, *steps / 2, &node, 1) == 1;
    if (ok) *middle = cairn_grid_cell(job->grid, node);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    return ok;
}

/* Lists the cells of a square that can be shut. */
static uint32_t continuous_square(const reproduce_job *job, const reproduce_problem *problem,
                                  cairn_cell middle, uint32_t side, cairn_script_change *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < side * side; i++) {
        cairn_cell cell = {middle.x + (int32_t)(i % side) - (int32_t)(side / 2),
                           middle.y + (int32_t)(i / side) - (int32_t)(side / 2)};
        cairn_node node = cairn_grid_node(job->grid, cell.x, cell.y);
        if (node == CAIRN_NO_NODE || !cairn_grid_is_open(job->grid, cell.x, cell.y)) continue;
        if (node == problem->from || node == problem->to) continue;
        out[count++] = (cairn_script_change){.first = cell, .last = cell};
    }
    return count;
}

/* Shuts or opens these cells. */
static bool continuous_set(const reproduce_job *job, const cairn_script_change *cells,
                           uint32_t count, bool open)
{
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++)
        ok = !cairn_grid_set_open(job->grid, cells[i].first.x, cells[i].first.y, open);
    return ok && !cairn_grid_commit(job->grid);
}

/* The largest square that leaves a path; 0 cells = none does. False if there is no memory. */
static bool continuous_fit(const reproduce_job *job, const reproduce_problem *problem,
                           cairn_cell middle, uint32_t side, cairn_script *script)
{
    for (; side; side /= 2) {
        uint32_t count = continuous_square(job, problem, middle, side, script->changes);
        if (!continuous_set(job, script->changes, count, false)) return false;
        bool fits = cairn_reachable(job->space, problem->from, problem->to) == CAIRN_REACH_YES;
        if (!continuous_set(job, script->changes, count, true)) return false;
        script->change_count = fits ? count : 0;
        if (fits) return true;
    }
    return true;
}

/* Puts the barrier of a problem, if its set has barriers, into the script. */
static bool continuous_shut(continuous_work *work, const reproduce_problem *problem)
{
    uint32_t side = work->set->barrier, steps;
    cairn_script *script = &work->script;
    cairn_cell middle;
    script->change_count = 0;
    if (!side || !continuous_middle(work->job, problem, &middle, &steps)) return true;
    script->changes = calloc(2u * side * side, sizeof *script->changes);
    if (!script->changes || !continuous_fit(work->job, problem, middle, side, script)) {
        complain("there is not enough memory for a barrier");
        return false;
    }
    uint32_t count = script->change_count;
    for (uint32_t i = 0; i < count && work->set->opens; i++) {
        cairn_script_change change = script->changes[i];
        change.at = steps / 4;
        change.action = CAIRN_SCRIPT_OPEN;
        script->changes[script->change_count++] = change;
    }
    return true;
}

/* ---- a walk ---- */

static bool continuous_undo(const continuous_work *work, const simulate_run *run)
{
    bool ok = true;
    for (size_t i = run->edit_count; i-- > 0 && ok;) {
        cairn_cell cell = cairn_grid_cell(work->job->grid, run->edits[i].cell);
        ok = !cairn_grid_set_open(work->job->grid, cell.x, cell.y, !run->edits[i].open);
    }
    return ok && !cairn_grid_commit(work->job->grid);
}

static double continuous_percent(double value, double base)
{
    return 100 * value / (base > 0 ? base : 1);
}

static bool continuous_is_base(const continuous_work *work, const statistic *cells)
{
    return cells == work->job->part->record.cells[0];
}

static void continuous_count(continuous_work *work, const simulate_run *run, uint32_t problem,
                             statistic *cells)
{
    bool arrived = run->arrived == run->agents && !run->illegal;
    continuous_base *base = &work->base[problem];
    statistic_add(&cells[METRIC_FAILED], !arrived);
    statistic_add(&cells[METRIC_ARRIVED], run->arrived);
    if (!arrived) return;
    continuous_base own = {.expanded = (double)run->sums.expanded,
                           .after = (double)(run->sums.expanded - run->first_expanded),
                           .cost = (double)run->sums.cost};
    own.time_us = simulate_mean(&run->frames) * run->turns;
    if (continuous_is_base(work, cells)) *base = own;
    statistic_add(&cells[METRIC_COST],
                  own.cost / cairn_space_scale(work->job->space).straight / run->agents);
    statistic_add(&cells[METRIC_EXPANDED], own.expanded);
    statistic_add(&cells[METRIC_AFTER], own.after);
    statistic_add(&cells[METRIC_TURNS], run->turns);
    statistic_add(&cells[METRIC_WORK], (double)run->sums.work);
    statistic_add(&cells[METRIC_MEMORY], (double)run->peak_bytes);
    statistic_add(&cells[METRIC_AGENT_BYTES], (double)run->agent_bytes);
    statistic_add(&cells[METRIC_TIME], own.time_us);
    statistic_add(&cells[METRIC_BASE_EXPANDED], base->expanded);
    statistic_add(&cells[METRIC_BASE_AFTER], base->after);
    statistic_add(&cells[METRIC_BASE_TIME], base->time_us);
    statistic_add(&cells[METRIC_LONGER], continuous_percent(own.cost, base->cost) - 100);
    statistic_add(&cells[METRIC_EXPANDED_PERCENT],
                  continuous_percent(own.expanded, base->expanded));
    statistic_add(&cells[METRIC_AFTER_PERCENT], continuous_percent(own.after, base->after));
    statistic_add(&cells[METRIC_TIME_PERCENT], continuous_percent(own.time_us, base->time_us));
}

static double continuous_clock(void)
{
    return reproduce_clock() * 1e-6;
}

static bool continuous_walk(continuous_work *work, const reproduce_problem *problem, uint32_t i,
                            statistic *cells)
{
    const cairn_grid *grid = work->job->grid;
    if (!continuous_is_base(work, cells) && work->base[i].cost <= 0) return true;
    work->script.from = cairn_grid_cell(grid, problem->from);
    work->script.to = cairn_grid_cell(grid, problem->to);
    work->setup.seed = problem->number;
    simulate_run run = {.world = &work->world,
                        .setup = &work->setup,
                        .spec = work->spec,
                        .planner = work->planner,
                        .clock = continuous_clock};
    bool ok = continuous_shut(work, problem) && !simulate_all(&run, NULL, NULL);
    if (ok) continuous_count(work, &run, i, cells);
    ok = ok && continuous_undo(work, &run);
    simulate_free(&run);
    free(work->script.changes);
    work->script.changes = NULL;
    return ok && !reproduce_ending();
}

/* ---- all of them ---- */

static bool continuous_is_here(const reproduce_job *job, uint32_t series)
{
    const reproduce_table *table = job->part->table;
    uint32_t set = (uint32_t)(job->part->set - table->sets);
    return job->series[series].spec &&
           (!table->series_sets || table->series_sets[series] >> set & 1);
}

/* One problem of so many is walked, the first one at least. */
static uint32_t continuous_every(const continuous_work *work, uint32_t series)
{
    uint32_t every = work->job->series[series].every;
    if (work->set->restless && CONTINUOUS_RENEWING >> series & 1) return UINT32_MAX;
    return every ? every : 1;
}

static bool continuous_series(continuous_work *work, uint32_t series,
                              const reproduce_problem *problems, uint32_t count)
{
    reproduce_job *job = work->job;
    cairn_error error = {0};
    bool blocked = job->part->table->blocked_series >> series & 1;
    work->spec = job->series[series].spec;
    work->setup.how.replan = blocked ? CAIRN_REPLAN_BLOCKED : work->set->world.how.replan;
    error.status = cairn_planner_create(job->space, work->spec, &work->planner, &error);
    if (!error.status) error.status = cairn_planner_sync(work->planner, NULL, &error);
    bool ok = !error.status || continuous_complain(work, &error);
    uint32_t every = continuous_every(work, series);
    for (uint32_t i = 0; i < count && ok; i += every) {
        ok = continuous_walk(work, &problems[i], i, job->part->record.cells[series]);
        reproduce_advance(job, (series + (i + 1.0) / count) / job->series_count);
    }
    cairn_planner_destroy(work->planner);
    work->planner = NULL;
    return ok;
}

bool reproduce_continue(reproduce_job *job)
{
    const reproduce_part *part = job->part;
    continuous_work work = {.job = job, .set = &part->table->setups[part->set - part->table->sets]};
    work.setup = work.set->world;
    work.world = (world){.context = job->context, .grid = job->grid, .space = job->space};
    work.world.name = part->map;
    if (!work.setup.goals) work.setup.script = &work.script;
    reproduce_problem *problems = NULL;
    uint32_t count = 0;
    bool ok = reproduce_problems(job, &problems, &count);
    work.base = calloc(count + 1u, sizeof *work.base);
    if (ok && !work.base) ok = (complain("there is not enough memory for the walks"), false);
    for (uint32_t i = 0; i < job->series_count && ok; i++)
        if (continuous_is_here(job, i)) ok = continuous_series(&work, i, problems, count);
    free(work.base);
    free(problems);
    return ok;
}
