/* reproduce_edits.c: how long abstractions take to build, and to rebuild after an edit (see
 * reproduce.h).
 *
 * An edit goes as in Harvanová's thesis (3.3, 4.4): an agent walks along its path, and after some
 * steps the map changes. The lowest level is repaired and those above are rebuilt in the
 * background while the agent walks on, a step every half second; then it asks for a new path from
 * where it is. Beside it a second planner repairs all levels in place.
 */
#define _POSIX_C_SOURCE 200809L
#include "reproduce.h"

#include "text.h"

#include <stdlib.h>
#include <time.h>

enum { EDITS_REPEATS = 32, EDITS_TRIGGER = 20, EDITS_STEP_MS = 500 };

static bool edits_complain(const reproduce_job *job, cairn_status status, const cairn_error *error)
{
    complain("%s: %s", job->part->map, error->text[0] ? error->text : cairn_status_text(status));
    return false;
}

/* ---- building ---- */

static bool edits_build(const reproduce_job *job, uint32_t series, cairn_planner **out, double *ms)
{
    cairn_error error = {0};
    cairn_status status = cairn_planner_create(job->space, job->series[series].spec, out, &error);
    double begin = reproduce_clock();
    if (!status) status = cairn_planner_build(*out, NULL, &error);
    *ms = (reproduce_clock() - begin) / 1e3;
    return status ? edits_complain(job, status, &error) : true;
}

static double edits_open(const reproduce_job *job)
{
    uint32_t nodes = cairn_space_node_count(job->space), open = 0;
    for (uint32_t i = 0; i < nodes; i++) open += cairn_space_usable(job->space, i);
    return 100.0 * open / nodes;
}

bool reproduce_build(reproduce_job *job)
{
    double times[REPRODUCE_SERIES][EDITS_REPEATS], bytes[REPRODUCE_SERIES] = {0};
    uint32_t repeat = reproduce_repeats(job);
    for (uint32_t r = 0; r < repeat; r++) {
        for (uint32_t i = 0; i < job->series_count; i++) {
            cairn_planner *planner = NULL;
            bool ok = !reproduce_ending() && edits_build(job, i, &planner, &times[i][r]);
            if (ok) bytes[i] = (double)cairn_planner_index_bytes(planner);
            cairn_planner_destroy(planner);
            if (!ok) return false;
        }
    }
    double open = edits_open(job);
    for (uint32_t i = 0; i < job->series_count; i++) {
        statistic *cells = job->part->record.cells[i];
        statistic_add(&cells[METRIC_OPEN], open);
        statistic_add(&cells[METRIC_INDEX_BYTES], bytes[i]);
        statistic_add(&cells[METRIC_BUILD_MS], statistic_median(times[i], repeat));
    }
    return true;
}

/* ---- edits ---- */

/* What one repetition found out. */
typedef struct edits_result {
    double cost, cells, changed, cost_after;
    double build_ms, rebuild_ms, repair_ms, replan_ms, steps;
} edits_result;

typedef struct edits_agent {
    cairn_node *cells; /* cell by cell */
    uint32_t count, at;
} edits_agent;

static uint32_t edits_rectangle(const reproduce_job *job, uint32_t count, uint8_t *before,
                                bool undo)
{
    const reproduce_h_map *map = job->part->h_map;
    uint32_t changed = 0, i = 0;
    for (int32_t y = map->edit[0].y; y <= map->edit[1].y; y++) {
        for (int32_t x = map->edit[0].x; x <= map->edit[1].x && i < count; x++, i++) {
            bool open = cairn_grid_is_open(job->grid, x, y), wanted = undo ? before[i] : map->opens;
            if (!undo) before[i] = open;
            changed += open != wanted;
            cairn_grid_set_open(job->grid, x, y, wanted);
        }
    }
    return changed;
}

static bool edits_walk(const reproduce_job *job, cairn_search *search, edits_agent *agent,
                       edits_result *out)
{
    const reproduce_h_map *map = job->part->h_map;
    cairn_query query = {.from = cairn_grid_node(job->grid, map->from.x, map->from.y),
                         .to = cairn_grid_node(job->grid, map->to.x, map->to.y)};
    const cairn_path *path;
    if (cairn_search_find(search, &query, &path) != CAIRN_FOUND)
        return complain("%s: there is no path to begin with", job->part->map), false;
    out->cost = (double)path->cost / cairn_space_scale(job->space).straight;
    agent->count = (uint32_t)cairn_path_step_count(job->space, path);
    agent->cells = malloc((agent->count + 1u) * sizeof *agent->cells);
    if (!agent->cells) return complain("there is not enough memory for a path"), false;
    agent->count = cairn_path_cells(job->space, path, 0, agent->cells, agent->count);
    agent->at = agent->count > EDITS_TRIGGER ? EDITS_TRIGGER : 0;
    out->cells = agent->count;
    return true;
}

/* Builds again in the background; the agent walks on along the old path, as far as that can be
 * walked. */
static bool edits_rebuild(const reproduce_job *job, cairn_planner *planner, edits_agent *agent,
                          edits_result *out)
{
    cairn_error error = {0};
    double begin = text_clock(), ms = 0;
    cairn_status status = cairn_planner_sync_begin(planner, &error);
    while (status == CAIRN_RUNNING) {
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
        ms = (text_clock() - begin) * 1e3;
        if (ms >= (out->steps + 1) * EDITS_STEP_MS) {
            bool is_free = agent->at + 1 < agent->count &&
                           cairn_space_usable(job->space, agent->cells[agent->at + 1]);
            agent->at += is_free;
            out->steps++;
        }
        status = cairn_planner_sync_end(planner, false, &error);
    }
    out->rebuild_ms = (text_clock() - begin) * 1e3;
    return status ? edits_complain(job, status, &error) : true;
}

static bool edits_replan(const reproduce_job *job, cairn_search *search, cairn_node from,
                         double *cost, double *ms)
{
    const reproduce_h_map *map = job->part->h_map;
    cairn_query query = {.from = from, .to = cairn_grid_node(job->grid, map->to.x, map->to.y)};
    const cairn_path *path;
    double begin = reproduce_clock();
    cairn_status status = cairn_search_find(search, &query, &path);
    *ms = (reproduce_clock() - begin) / 1e3;
    *cost = (double)path->cost / cairn_space_scale(job->space).straight;
    if (status) complain("%s: after the edit: %s", job->part->map, cairn_status_text(status));
    return !status;
}

static bool edits_repair(const reproduce_job *job, cairn_planner *planner, double *ms)
{
    cairn_error error = {0};
    double begin = reproduce_clock();
    cairn_status status = cairn_planner_sync(planner, NULL, &error);
    *ms = (reproduce_clock() - begin) / 1e3;
    return status ? edits_complain(job, status, &error) : true;
}

static bool edits_happen(const reproduce_job *job, cairn_planner *const planners[2],
                         cairn_search *search, uint8_t *before, uint32_t count, edits_result *out)
{
    edits_agent agent = {0};
    double ignored;
    bool ok = edits_walk(job, search, &agent, out);
    if (ok) {
        cairn_node trigger = agent.cells[agent.at];
        out->changed = edits_rectangle(job, count, before, false);
        cairn_status status = cairn_grid_commit(job->grid);
        if (status) complain("%s: %s", job->part->map, cairn_status_text(status));
        ok = !status && edits_rebuild(job, planners[0], &agent, out) &&
             edits_replan(job, search, agent.cells[agent.at], &out->cost_after, &out->replan_ms) &&
             (agent.cells[agent.at] == trigger ||
              edits_replan(job, search, trigger, &out->cost_after, &ignored)) &&
             edits_repair(job, planners[1], &out->repair_ms);
        edits_rectangle(job, count, before, true);
        ok = !cairn_grid_commit(job->grid) && ok;
    }
    free(agent.cells);
    return ok;
}

static bool edits_once(const reproduce_job *job, edits_result *out)
{
    const cairn_cell *edit = job->part->h_map->edit;
    uint32_t count = (uint32_t)((edit[1].x - edit[0].x + 1) * (edit[1].y - edit[0].y + 1));
    uint8_t *before = calloc(count, 1);
    cairn_planner *planners[2] = {NULL, NULL};
    cairn_search *search = NULL;
    double ignored;
    *out = (edits_result){0};
    bool ok = before && edits_build(job, 0, &planners[0], &out->build_ms) &&
              edits_build(job, 0, &planners[1], &ignored) &&
              !cairn_search_create(planners[0], NULL, &search) &&
              edits_happen(job, planners, search, before, count, out);
    cairn_search_destroy(search);
    cairn_planner_destroy(planners[0]);
    cairn_planner_destroy(planners[1]);
    free(before);
    return ok;
}

bool reproduce_edit(reproduce_job *job)
{
    double times[5][EDITS_REPEATS];
    uint32_t repeat = reproduce_repeats(job);
    edits_result first = {0};
    for (uint32_t r = 0; r < repeat; r++) {
        edits_result now;
        if (reproduce_ending() || !edits_once(job, &now)) return false;
        if (!r) first = now;
        const double values[5] = {now.build_ms, now.rebuild_ms, now.repair_ms, now.replan_ms,
                                  now.steps};
        for (uint32_t i = 0; i < 5; i++) times[i][r] = values[i];
    }
    static const reproduce_metric metrics[5] = {METRIC_BUILD_MS, METRIC_REBUILD_MS,
                                                METRIC_REPAIR_MS, METRIC_REPLAN_MS, METRIC_STEPS};
    statistic *cells = job->part->record.cells[0];
    for (uint32_t i = 0; i < 5; i++)
        statistic_add(&cells[metrics[i]], statistic_median(times[i], repeat));
    statistic_add(&cells[METRIC_COST], first.cost);
    statistic_add(&cells[METRIC_CELLS], first.cells);
    statistic_add(&cells[METRIC_CHANGED], first.changed);
    statistic_add(&cells[METRIC_COST_AFTER], first.cost_after);
    return true;
}
