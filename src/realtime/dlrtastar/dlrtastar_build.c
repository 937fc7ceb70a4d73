/* dlrtastar_build.c: areas, representatives, and one Dijkstra search for each of them. See
 * dlrtastar.c and dlrtastar_index.h.
 *
 * Batches of representatives are given to the workers. Each of them fills in the subgoals towards
 * one area, so any number of workers gives the same bytes.
 */
#include "realtime/dlrtastar/dlrtastar_index.h"
#include "search/subsearch.h"

enum { DLRTA_BUILD_BATCH = 4, DLRTA_BUILD_AREAS = 512, DLRTA_BUILD_TOTAL = 10000 };

typedef struct dlrta_build_worker {
    crn_scratch memory;
    crn_subsearch search;
    cairn_cost *costs; /* from each representative to that of the goal */
    uint64_t work;
    cairn_status status;
} dlrta_build_worker;

typedef struct dlrta_build_job {
    crn_dlrta *index;
    const crn_grid_space *map;
    cairn_context *context;
    const cairn_progress *progress;
    uint16_t *areas; /* those of the index, to be filled in */
    uint32_t *homes, *entries;
    dlrta_build_worker *workers;
    uint32_t worker_count, first, end; /* goals of the batch */
} dlrta_build_job;

/* ---- areas ---- */

/* A node of a level is an area if there are others in its component. */
static bool dlrta_build_is_area(const crn_cliques *cliques, uint32_t level, cairn_node node)
{
    cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
    uint32_t count = 0;
    if (crn_cliques_has(cliques, level, node))
        crn_cliques_neighbours(cliques, level, node, room, &count);
    return count > 0;
}

static uint32_t dlrta_build_count(const crn_cliques *cliques, uint32_t level)
{
    uint32_t count = 0;
    for (cairn_node node = 0; node < crn_cliques_count(cliques, level); node++)
        count += dlrta_build_is_area(cliques, level, node);
    return count;
}

/* The lowest level that has few areas: no more than a row of a square map of that size has cells,
 * and no more than 512. The top level has none. */
static uint32_t dlrta_build_level(const crn_dlrta *index, const crn_cliques *cliques)
{
    uint32_t level = crn_max_u32(crn_min_u32(index->level, crn_max_u32(cliques->top, 1) - 1), 1);
    uint64_t most = index->level ? CRN_DLRTA_AREAS : DLRTA_BUILD_AREAS;
    for (; level < cliques->top; level++) {
        uint64_t count = dlrta_build_count(cliques, level);
        if (count <= most && (index->level || count * count <= cliques->ground->node_count)) break;
    }
    return crn_min_u32(level, cliques->top);
}

/* The node of a level that a cell belongs to. */
static uint32_t dlrta_build_above(const crn_cliques *cliques, cairn_node cell, uint32_t level)
{
    uint32_t node = cell;
    for (uint32_t i = 0; i < level; i++) node = cliques->levels[i].parents[node];
    return node;
}

/* Numbers the areas in the order of their first cells. `numbers` has an entry for each node of the
 * level. */
static void dlrta_build_number(const crn_cliques *cliques, uint32_t level, uint16_t *numbers,
                               uint16_t *areas)
{
    uint16_t count = 0;
    memset(numbers, 0xff, crn_cliques_count(cliques, level) * sizeof *numbers);
    for (cairn_node cell = 0; cell < cliques->ground->node_count; cell++) {
        areas[cell] = CRN_DLRTA_NONE;
        if (!cairn_space_usable(cliques->ground, cell)) continue;
        uint32_t node = dlrta_build_above(cliques, cell, level);
        if (numbers[node] == CRN_DLRTA_NONE && dlrta_build_is_area(cliques, level, node))
            numbers[node] = count++;
        areas[cell] = numbers[node];
    }
}

/* The sums of the columns and rows of an area; then the cell nearest to their mean. */
typedef struct dlrta_build_middle {
    uint64_t x, y, cells, least;
} dlrta_build_middle;

static void dlrta_build_homes(const dlrta_build_job *job, dlrta_build_middle *middles)
{
    uint32_t width = job->map->grid->width;
    for (cairn_node cell = 0; cell < job->index->nodes; cell++) {
        if (job->areas[cell] == CRN_DLRTA_NONE) continue;
        dlrta_build_middle *m = &middles[job->areas[cell]];
        m->x += cell % width;
        m->y += cell / width;
        m->cells++;
        m->least = UINT64_MAX;
    }
    for (cairn_node cell = 0; cell < job->index->nodes; cell++) {
        if (job->areas[cell] == CRN_DLRTA_NONE) continue;
        dlrta_build_middle *m = &middles[job->areas[cell]];
        int64_t dx = (int64_t)(cell % width) - (int64_t)(m->x / m->cells),
                dy = (int64_t)(cell / width) - (int64_t)(m->y / m->cells);
        uint64_t apart = (uint64_t)(dx * dx + dy * dy);
        if (apart >= m->least) continue;
        m->least = apart;
        job->homes[job->areas[cell]] = cell;
    }
}

/* The arrays of the index, with areas and representatives. */
static bool dlrta_build_divide(dlrta_build_job *job, const crn_cliques *cliques, uint32_t level)
{
    crn_dlrta *index = job->index;
    uint32_t count = dlrta_build_count(cliques, level);
    if (!count || count > CRN_DLRTA_AREAS) return true;
    size_t size = crn_cliques_count(cliques, level) * sizeof(uint16_t),
           middle_size = count * sizeof(dlrta_build_middle);
    uint16_t *numbers = crn_alloc(job->context, size);
    dlrta_build_middle *middles = crn_alloc_zero(job->context, middle_size);
    bool ok = numbers && middles && crn_dlrta_allocate(index, job->map, count);
    if (ok) {
        job->areas = (uint16_t *)(uintptr_t)index->areas;
        job->homes = (uint32_t *)(uintptr_t)index->homes;
        job->entries = (uint32_t *)(uintptr_t)index->entries;
        dlrta_build_number(cliques, level, numbers, job->areas);
        dlrta_build_homes(job, middles);
    }
    crn_free(job->context, middles, middle_size);
    crn_free(job->context, numbers, size);
    return ok;
}

static cairn_status dlrta_build_areas(dlrta_build_job *job)
{
    crn_cliques *cliques = crn_cliques_create(&job->map->base, true, false);
    cairn_status status = cliques ? crn_cliques_build(cliques, NULL) : CAIRN_OUT_OF_MEMORY;
    if (status == CAIRN_OK &&
        !dlrta_build_divide(job, cliques, dlrta_build_level(job->index, cliques)))
        status = CAIRN_OUT_OF_MEMORY;
    crn_cliques_destroy(cliques);
    return status;
}

/* ---- subgoals ---- */

/* Where the path from the representative of an area to that of the goal enters an area that is
 * nearer. */
static cairn_node dlrta_build_entry(const dlrta_build_job *job, const dlrta_build_worker *w,
                                    uint32_t from)
{
    cairn_cost cost = w->costs[from];
    cairn_node node = job->homes[from];
    if (cost == CAIRN_NO_COST || !cost) return CAIRN_NO_NODE;
    while (w->costs[job->areas[node]] >= cost) node = crn_subsearch_before(&w->search, node);
    return node;
}

static cairn_status dlrta_build_goal(const dlrta_build_job *job, dlrta_build_worker *w,
                                     uint32_t goal)
{
    uint32_t count = job->index->count;
    crn_subsearch_rest(&w->search);
    cairn_status status = crn_subsearch_find(&w->search, job->homes[goal], CAIRN_NO_NODE);
    w->work += w->search.search.metrics.work;
    if (status != CAIRN_FOUND && status != CAIRN_COST_OVERFLOW) return status;
    for (uint32_t i = 0; i < count; i++)
        w->costs[i] = crn_subsearch_cost(&w->search, job->homes[i]);
    for (uint32_t i = 0; i < count; i++)
        job->entries[(size_t)i * count + goal] = dlrta_build_entry(job, w, i);
    return CAIRN_OK;
}

static void dlrta_build_run(void *user, uint32_t number)
{
    dlrta_build_job *job = user;
    dlrta_build_worker *w = &job->workers[number];
    for (uint32_t i = job->first + number; i < job->end && w->status == CAIRN_OK;
         i += job->worker_count)
        w->status = dlrta_build_goal(job, w, i);
}

static bool dlrta_build_report(const dlrta_build_job *job, uint64_t done)
{
    return crn_progress(job->progress, done * DLRTA_BUILD_TOTAL / job->index->count,
                        DLRTA_BUILD_TOTAL);
}

static cairn_status dlrta_build_goals(dlrta_build_job *job)
{
    uint32_t count = job->index->count;
    for (; job->first < count; job->first = job->end) {
        if (!dlrta_build_report(job, job->first)) return CAIRN_CANCELLED;
        job->end =
            job->first + crn_min_u32(count - job->first, DLRTA_BUILD_BATCH * job->worker_count);
        cairn_parallel_for(job->context, job->worker_count, dlrta_build_run, job);
        for (uint32_t i = 0; i < job->worker_count; i++)
            if (job->workers[i].status != CAIRN_OK) return job->workers[i].status;
    }
    return CAIRN_OK;
}

static cairn_status dlrta_build_open(dlrta_build_job *job)
{
    cairn_space *space = (cairn_space *)(uintptr_t)&job->map->base;
    cairn_status status = CAIRN_OK;
    job->worker_count = crn_parallel_tasks(job->context);
    job->workers = crn_alloc_zero(job->context, job->worker_count * sizeof *job->workers);
    if (!job->workers) return CAIRN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < job->worker_count && status == CAIRN_OK; i++) {
        dlrta_build_worker *w = &job->workers[i];
        w->memory.context = job->context;
        w->costs = crn_alloc(job->context, job->index->count * sizeof *w->costs);
        status = w->costs ? crn_subsearch_open(&w->search, &w->memory, NULL, space, 0)
                          : CAIRN_OUT_OF_MEMORY;
    }
    return status;
}

static void dlrta_build_close(dlrta_build_job *job)
{
    for (uint32_t i = 0; job->workers && i < job->worker_count; i++) {
        dlrta_build_worker *w = &job->workers[i];
        job->index->work += w->work;
        if (w->costs) crn_subsearch_close(&w->search);
        crn_free(job->context, w->costs, job->index->count * sizeof *w->costs);
    }
    crn_free(job->context, job->workers, job->worker_count * sizeof *job->workers);
}

static cairn_status dlrta_build_all(dlrta_build_job *job, bool plain)
{
    if (!crn_progress(job->progress, 0, DLRTA_BUILD_TOTAL)) return CAIRN_CANCELLED;
    cairn_status status = plain ? dlrta_build_areas(job) : CAIRN_OK;
    if (status == CAIRN_OK && job->index->count) {
        status = dlrta_build_open(job);
        if (status == CAIRN_OK) status = dlrta_build_goals(job);
        dlrta_build_close(job);
    }
    if (status == CAIRN_OK && !crn_progress(job->progress, DLRTA_BUILD_TOTAL, DLRTA_BUILD_TOTAL))
        status = CAIRN_CANCELLED;
    return status;
}

cairn_status crn_dlrta_build(crn_dlrta *index, const crn_grid_space *map, bool plain,
                             const cairn_progress *progress, cairn_error *error)
{
    cairn_context *context = map->base.context;
    dlrta_build_job job = {.index = index, .map = map, .context = context, .progress = progress};
    index->work = map->base.node_count; /* the cliques */
    cairn_status status = dlrta_build_all(&job, plain);
    if (status == CAIRN_OK) return status;
    crn_dlrta_drop(index, context);
    return crn_fail(error, status, 0, "%s",
                    status == CAIRN_CANCELLED ? "the build was cancelled" : "no memory for areas");
}
