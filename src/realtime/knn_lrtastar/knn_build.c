/* knn_build.c: solving random problems and compressing the paths to subgoals. See knn_index.h.
 *
 * The problems are drawn one by one from a random number that depends on the seed and on the number
 * of the problem only: two nodes of one component. A problem that a climb solves tells nothing, so
 * up to eight are drawn for one that none does. jps solves them where there are eight neighbours,
 * A* elsewhere. Not jps-plus: on a map of L's size, where records take minutes, its table of 81 MB
 * gains 2 % of the time of a build with corners never cut, and loses 10 % with corners always cut
 * (knn-lrtastar.md). On maps that take seconds it gains 5 to 30 %.
 *
 * From one subgoal on, binary search finds a far node of the path to which a climb leads that costs
 * no more than the path to it. That is the next subgoal. (Binary search finds a place where
 * climbing ends, not always the last one.) A neighbour can always be climbed to, so it ends.
 *
 * Batches of problems are given to the workers, and what they found is kept in the order of
 * problems: any number of workers gives the same bytes.
 */
#include "realtime/knn_lrtastar/knn_index.h"

enum { KNN_BUILD_BATCH = 256, KNN_BUILD_DRAWS = 8 };

/* One worker. */
typedef struct knn_build_worker {
    cairn_search *search;
    cairn_node *path;
    cairn_cost *costs; /* of the path, from its start */
    size_t path_capacity, cost_capacity;
    crn_knn_array subgoals; /* of the batch */
    uint64_t work;
    cairn_status status;
} knn_build_worker;

typedef struct knn_build_problem {
    cairn_node start, goal; /* CAIRN_NO_NODE: there is no such record */
    uint32_t first, end;    /* of its subgoals, among those of its worker */
} knn_build_problem;

typedef struct knn_build_job {
    crn_knn *index;
    const crn_grid_space *map;
    cairn_context *context;
    const cairn_progress *progress;
    cairn_planner *planner;
    knn_build_worker *workers;
    uint32_t worker_count;
    uint32_t first, end; /* problems of the batch */
    knn_build_problem problems[KNN_BUILD_BATCH];
} knn_build_job;

/* ---- problems ---- */

/* Draws a start, and a goal that can be reached from it. False: this one has none. */
static bool knn_build_draw_once(const knn_build_job *job, crn_rng *rng, knn_build_problem *problem)
{
    const cairn_space *space = &job->map->base;
    cairn_node start = crn_rng_below(rng, space->node_count);
    for (uint32_t i = 0; i < 64 && !cairn_space_usable(space, start); i++)
        start = crn_rng_below(rng, space->node_count);
    cairn_node goal = CAIRN_NO_NODE;
    if (!cairn_space_usable(space, start)) return false;
    if (cairn_random_reachable(space, start, &rng->state, &goal) != CAIRN_OK || goal == start)
        return false;
    problem->start = start;
    problem->goal = goal;
    return true;
}

static void knn_build_draw(const knn_build_job *job, uint32_t number, knn_build_problem *problem)
{
    crn_rng rng = {(uint64_t)job->index->seed << 32 | number};
    rng.state = crn_rng_next(&rng);
    *problem = (knn_build_problem){CAIRN_NO_NODE, CAIRN_NO_NODE, 0, 0};
    for (uint32_t i = 0; i < KNN_BUILD_DRAWS; i++) {
        if (knn_build_draw_once(job, &rng, problem) &&
            !crn_climb_reaches(job->map, problem->start, problem->goal, job->index->cutoff, NULL))
            return;
    }
}

/* ---- solving ---- */

static bool knn_build_compress(const knn_build_job *job, knn_build_worker *w, uint32_t length)
{
    uint32_t cutoff = job->index->cutoff, at = 0;
    while (at + 1 < length) {
        /* `low` can be climbed to, `high` is not known or cannot */
        uint32_t low = at + 1, high = crn_min_u32(length - 1, at + cutoff) + 1, probe = high - 1;
        while (high - low > 1) {
            if (crn_climb_within(job->map, w->path[at], w->path[probe], cutoff,
                                 w->costs[probe] - w->costs[at])) {
                low = probe;
            } else {
                high = probe;
            }
            probe = low + (high - low) / 2;
        }
        at = low;
        if (at + 1 < length && !crn_knn_put(&w->subgoals, job->context, &w->path[at], 1))
            return false;
    }
    return true;
}

/* The nodes of a path and what they cost, in units of the scale: climbs count so. */
static bool knn_build_read(const knn_build_job *job, knn_build_worker *w, const cairn_path *path,
                           uint32_t length)
{
    const crn_grid_space *map = job->map;
    void *nodes = w->path, *costs = w->costs;
    bool ok = crn_grow(job->context, &nodes, &w->path_capacity, length, sizeof *w->path) &&
              crn_grow(job->context, &costs, &w->cost_capacity, length, sizeof *w->costs);
    w->path = nodes;
    w->costs = costs;
    if (!ok) return false;
    cairn_path_cells(&map->base, path, 0, w->path, length);
    w->costs[0] = 0;
    for (uint32_t i = 1; i < length; i++) {
        cairn_cell from = cairn_grid_cell(map->grid, w->path[i - 1]),
                   to = cairn_grid_cell(map->grid, w->path[i]);
        bool diagonal = from.x != to.x && from.y != to.y && !map->hex;
        w->costs[i] =
            w->costs[i - 1] + (diagonal ? map->base.scale.diagonal : map->base.scale.straight);
    }
    return true;
}

static cairn_status knn_build_solve(const knn_build_job *job, knn_build_worker *w,
                                    knn_build_problem *problem)
{
    const cairn_path *path;
    cairn_query query = {.from = problem->start, .to = problem->goal};
    if (problem->start == CAIRN_NO_NODE) return CAIRN_OK;
    cairn_status status = cairn_search_find(w->search, &query, &path);
    w->work += cairn_search_metrics(w->search).work;
    if (status == CAIRN_COST_OVERFLOW) problem->start = CAIRN_NO_NODE;
    if (status != CAIRN_FOUND) return status == CAIRN_COST_OVERFLOW ? CAIRN_OK : status;
    uint32_t length = (uint32_t)cairn_path_step_count(&job->map->base, path);
    problem->first = (uint32_t)w->subgoals.count;
    bool ok = knn_build_read(job, w, path, length) && knn_build_compress(job, w, length);
    problem->end = (uint32_t)w->subgoals.count;
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

static void knn_build_run(void *user, uint32_t number)
{
    knn_build_job *job = user;
    knn_build_worker *w = &job->workers[number];
    w->subgoals.count = 0;
    for (uint32_t i = number; i < job->end - job->first && w->status == CAIRN_OK;
         i += job->worker_count) {
        knn_build_draw(job, job->first + i, &job->problems[i]);
        w->status = knn_build_solve(job, w, &job->problems[i]);
    }
}

/* ---- all of them ---- */

/* Puts what the workers found in the order of problems. */
static cairn_status knn_build_gather(knn_build_job *job)
{
    crn_knn *index = job->index;
    for (uint32_t i = 0; i < job->worker_count; i++)
        if (job->workers[i].status != CAIRN_OK) return job->workers[i].status;
    for (uint32_t i = 0; i < job->end - job->first; i++) {
        const knn_build_problem *problem = &job->problems[i];
        const knn_build_worker *w = &job->workers[i % job->worker_count];
        if (problem->start == CAIRN_NO_NODE) continue;
        bool ok = crn_knn_copy(&index->subgoals, job->context, &w->subgoals, problem->first,
                               problem->end - problem->first);
        uint32_t words[CRN_KNN_WORDS] = {problem->start, problem->goal,
                                         (uint32_t)index->subgoals.count};
        ok = ok && crn_knn_put(&index->problems, job->context, words, CRN_KNN_WORDS);
        if (!ok) return CAIRN_OUT_OF_MEMORY;
    }
    return CAIRN_OK;
}

/* A batch without a single problem is the last one: hardly a cell can be stood on, everything can
 * be climbed to, or components are small. */
static cairn_status knn_build_batches(knn_build_job *job)
{
    uint32_t wanted = job->index->wanted;
    size_t before = SIZE_MAX;
    cairn_status status = CAIRN_OK;
    for (; job->first < wanted && status == CAIRN_OK; job->first = job->end) {
        if (before == job->index->problems.count) break;
        before = job->index->problems.count;
        job->end = job->first + crn_min_u32(wanted - job->first, KNN_BUILD_BATCH);
        if (!crn_progress(job->progress, job->first, wanted)) return CAIRN_CANCELLED;
        cairn_parallel_for(job->context, job->worker_count, knn_build_run, job);
        status = knn_build_gather(job);
    }
    return status;
}

static cairn_status knn_build_open(knn_build_job *job)
{
    bool jumps = job->map->profile.neighbours == CAIRN_NEIGHBOURS_8;
    cairn_status status = cairn_planner_create((cairn_space *)(uintptr_t)&job->map->base,
                                               jumps ? "jps" : "astar", &job->planner, NULL);
    if (status != CAIRN_OK) return status;
    job->worker_count = crn_parallel_tasks(job->context);
    job->workers = crn_alloc_zero(job->context, job->worker_count * sizeof *job->workers);
    if (!job->workers) return CAIRN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < job->worker_count && status == CAIRN_OK; i++)
        status = cairn_search_create(job->planner, NULL, &job->workers[i].search);
    return status;
}

static void knn_build_close(knn_build_job *job)
{
    for (uint32_t i = 0; job->workers && i < job->worker_count; i++) {
        knn_build_worker *w = &job->workers[i];
        job->index->work += w->work;
        cairn_search_destroy(w->search);
        crn_free(job->context, w->path, w->path_capacity * sizeof *w->path);
        crn_free(job->context, w->costs, w->cost_capacity * sizeof *w->costs);
        crn_knn_free(&w->subgoals, job->context);
    }
    crn_free(job->context, job->workers, job->worker_count * sizeof *job->workers);
    cairn_planner_destroy(job->planner);
    crn_free(job->context, job, sizeof *job);
}

static cairn_status knn_build_all(knn_build_job *job, bool plain)
{
    if (!crn_progress(job->progress, 0, job->index->wanted)) return CAIRN_CANCELLED;
    cairn_status status = plain ? knn_build_open(job) : CAIRN_OK;
    if (status == CAIRN_OK && plain) status = knn_build_batches(job);
    if (status == CAIRN_OK && !crn_knn_order(job->index, job->map)) status = CAIRN_OUT_OF_MEMORY;
    if (status == CAIRN_OK && !crn_progress(job->progress, job->index->wanted, job->index->wanted))
        status = CAIRN_CANCELLED;
    return status;
}

cairn_status crn_knn_build(crn_knn *index, const crn_grid_space *map, bool plain,
                           const cairn_progress *progress, cairn_error *error)
{
    cairn_context *context = map->base.context;
    knn_build_job *job = crn_alloc_zero(context, sizeof *job);
    cairn_status status = CAIRN_OUT_OF_MEMORY;
    if (job) {
        index->work = 0;
        job->index = index;
        job->map = map;
        job->context = context;
        job->progress = progress;
        status = knn_build_all(job, plain);
        knn_build_close(job);
    }
    if (status == CAIRN_OK) return status;
    crn_knn_drop(index, context);
    return crn_fail(error, status, 0, "%s",
                    status == CAIRN_CANCELLED ? "the build was cancelled"
                                              : "no memory for records");
}
