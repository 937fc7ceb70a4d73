/* reproduce_continuous.c: agents that walk while the world changes, as `cairn simulate` lets them
 * (see reproduce.h).
 *
 * Every algorithm walks the same problems with the same edits, as far as these do not depend on its
 * path. Afterwards all edits are undone. The *first* search ends with the first step of an agent;
 * what is expanded later is the price of changes, and of the detours of agents that learn while
 * they walk. The time is that of all turns, commits included.
 */
#include "reproduce.h"

#include "simulate.h"

#include <stdlib.h>
#include <string.h>

/* What the base took for a problem. */
typedef struct continuous_base {
    double expanded, after, time_us, cost;
} continuous_base;

typedef struct continuous_work {
    reproduce_job *job;
    const char *spec;
    cairn_planner *planner;
    world world;
    cairn_script script; /* of a problem: its start and its goal */
    simulate_setup setup;
    continuous_base *base; /* by problem */
} continuous_work;

static bool continuous_complain(const continuous_work *work, const cairn_error *error)
{
    complain("%s on %s: %s", work->spec, work->job->part->map,
             error->text[0] ? error->text : cairn_status_text(error->status));
    return false;
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

static void continuous_count(continuous_work *work, const simulate_run *run, uint32_t problem,
                             statistic *cells)
{
    bool arrived = run->arrived == run->agents && !run->illegal;
    statistic_add(&cells[METRIC_FAILED], !arrived);
    if (!arrived) return;
    continuous_base own = {.expanded = (double)run->sums.expanded,
                           .after = (double)(run->sums.expanded - run->first_expanded),
                           .cost = (double)run->sums.cost};
    for (uint32_t i = 0; i < run->turns; i++) own.time_us += run->frame_us[i];
    continuous_base *base = &work->base[problem];
    if (cells == work->job->part->record.cells[0]) *base = own;
    statistic_add(&cells[METRIC_COST],
                  own.cost / cairn_space_scale(work->job->space).straight / run->agents);
    statistic_add(&cells[METRIC_EXPANDED], own.expanded);
    statistic_add(&cells[METRIC_AFTER], own.after);
    statistic_add(&cells[METRIC_TURNS], run->turns);
    statistic_add(&cells[METRIC_MEMORY], (double)run->peak_bytes);
    statistic_add(&cells[METRIC_AGENT_BYTES], (double)run->agent_bytes);
    statistic_add(&cells[METRIC_TIME], own.time_us);
    if (base->cost <= 0) return; /* the base did not arrive */
    statistic_add(&cells[METRIC_LONGER], continuous_percent(own.cost, base->cost) - 100);
    statistic_add(&cells[METRIC_EXPANDED_PERCENT],
                  continuous_percent(own.expanded, base->expanded));
    statistic_add(&cells[METRIC_AFTER_PERCENT], continuous_percent(own.after, base->after));
    statistic_add(&cells[METRIC_TIME_PERCENT], continuous_percent(own.time_us, base->time_us));
}

static bool continuous_walk(continuous_work *work, const reproduce_problem *problem, uint32_t i,
                            statistic *cells)
{
    const cairn_grid *grid = work->job->grid;
    work->script.from = cairn_grid_cell(grid, problem->from);
    work->script.to = cairn_grid_cell(grid, problem->to);
    work->setup.seed = problem->number;
    simulate_run run = {
        .world = &work->world, .setup = &work->setup, .spec = work->spec, .planner = work->planner};
    bool ok = !simulate_all(&run, NULL, NULL);
    if (ok) continuous_count(work, &run, i, cells);
    ok = ok && continuous_undo(work, &run);
    simulate_free(&run);
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

static bool continuous_series(continuous_work *work, uint32_t series,
                              const reproduce_problem *problems, uint32_t count)
{
    reproduce_job *job = work->job;
    cairn_error error = {0};
    work->spec = job->series[series].spec;
    error.status = cairn_planner_create(job->space, work->spec, &work->planner, &error);
    if (!error.status) error.status = cairn_planner_sync(work->planner, NULL, &error);
    bool ok = !error.status || continuous_complain(work, &error);
    for (uint32_t i = 0; i < count && ok; i++) {
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
    continuous_work work = {.job = job,
                            .setup = part->table->setups[part->set - part->table->sets]};
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
