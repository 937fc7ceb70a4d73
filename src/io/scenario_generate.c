/* scenario_generate.c: problems for a map: two random cells, and their distance by A*.
 *
 * Both ends are drawn evenly from the cells that can be stood on. A pair is dropped if it is one
 * cell, if it has no path, or if its length falls outside the buckets asked for; pairs whose
 * distance as the crow flies is too long already cost no search, and a search ends where the path
 * would be too long. The rest is sorted by bucket, as the MovingAI sets are; equal buckets by their
 * cells, so that the order is the same everywhere.
 */
#include "io/support.h"

#include <stdlib.h>
#include <string.h>

enum { GENERATE_TRIES = 1000 /* for each problem on the average, before giving up */ };

typedef struct generate_run {
    const cairn_scenario_options *options;
    cairn_grid *grid;
    cairn_context *context;
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    cairn_node *nodes; /* that can be stood on */
    uint32_t node_count, node_capacity;
    uint64_t random;
} generate_run;

/* splitmix64, as everywhere in Cairn: the same problems on every machine. Evenly below n. */
static uint32_t generate_below(generate_run *run, uint32_t n)
{
    uint64_t z = (run->random += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (uint32_t)(((z >> 32) * n) >> 32);
}

static cairn_status generate_open(generate_run *run, cairn_error *error)
{
    cairn_status status = cairn_space_of_grid(run->grid, NULL, &run->space, error);
    if (!status) status = cairn_planner_create(run->space, "astar", &run->planner, error);
    if (!status) status = cairn_search_create(run->planner, NULL, &run->search);
    if (status) return status == CAIRN_OUT_OF_MEMORY ? crn_io_no_memory(error) : status;
    uint32_t count = cairn_space_node_count(run->space);
    for (uint32_t node = 0; node < count; node++)
        run->node_capacity += cairn_space_usable(run->space, node);
    if (run->node_capacity < 2)
        return crn_io_fail(error, CAIRN_UNREACHABLE, 0,
                           "there are not two cells that can be stood on");
    run->nodes = crn_io_resize(run->context, NULL, 0, run->node_capacity * sizeof *run->nodes);
    if (!run->nodes) return crn_io_no_memory(error);
    for (uint32_t node = 0; node < count; node++)
        if (cairn_space_usable(run->space, node)) run->nodes[run->node_count++] = node;
    return CAIRN_OK;
}

static void generate_close(generate_run *run)
{
    if (run->nodes)
        crn_io_resize(run->context, run->nodes, run->node_capacity * sizeof *run->nodes, 0);
    cairn_search_destroy(run->search);
    cairn_planner_destroy(run->planner);
    cairn_space_destroy(run->space);
}

/* No path between the two can be shorter than the larger of the distances along the axes. */
static bool generate_too_far(const generate_run *run, cairn_cell a, cairn_cell b)
{
    uint32_t dx = (uint32_t)abs(a.x - b.x), dy = (uint32_t)abs(a.y - b.y);
    uint32_t highest = run->options->highest_bucket;
    return highest && (dx > dy ? dx : dy) / 4 > highest;
}

/* The cost beyond which a path is too long; 0 = there is none. */
static cairn_cost generate_most(const generate_run *run)
{
    uint64_t most =
        (4 * (uint64_t)run->options->highest_bucket + 4) * cairn_space_scale(run->space).straight;
    return run->options->highest_bucket && most < CAIRN_COST_MAX ? (cairn_cost)most : 0;
}

/* One pair. CAIRN_UNREACHABLE if it is none to keep. */
static cairn_status generate_problem(generate_run *run, cairn_problem *out)
{
    const cairn_scenario_options *options = run->options;
    cairn_query query = {.from = run->nodes[generate_below(run, run->node_count)],
                         .to = run->nodes[generate_below(run, run->node_count)],
                         .max_cost = generate_most(run)};
    cairn_cell from = cairn_grid_cell(run->grid, query.from),
               to = cairn_grid_cell(run->grid, query.to);
    if (query.from == query.to || generate_too_far(run, from, to)) return CAIRN_UNREACHABLE;
    const cairn_path *path = NULL;
    cairn_status status = cairn_search_find(run->search, &query, &path);
    if (status) return status;
    uint32_t bucket = (uint32_t)(path->length / 4);
    if (bucket < options->lowest_bucket ||
        (options->highest_bucket && bucket > options->highest_bucket))
        return CAIRN_UNREACHABLE;
    *out = (cairn_problem){.bucket = bucket,
                           .width = cairn_grid_width(run->grid),
                           .height = cairn_grid_height(run->grid),
                           .from = from,
                           .to = to,
                           .length = path->length,
                           .tolerance = 0.001};
    return CAIRN_OK;
}

static cairn_status generate_all(generate_run *run, cairn_scenario *out, cairn_error *error)
{
    const cairn_scenario_options *options = run->options;
    const cairn_progress *progress = options->progress;
    uint64_t most = (uint64_t)options->count * GENERATE_TRIES;
    uint32_t count = 0;
    for (uint64_t tries = 0; count < options->count; tries++) {
        if (tries == most)
            return crn_io_fail(error, CAIRN_UNREACHABLE, 0,
                               "only %u of %u problems were found in %llu tries", count,
                               options->count, (unsigned long long)tries);
        cairn_status status = generate_problem(run, &out->problems[count]);
        if (!status) count++;
        if (status && status != CAIRN_UNREACHABLE)
            return crn_io_fail(error, status, 0, "a search failed: %s", cairn_status_text(status));
        if (progress && !progress->report(progress->user, count, options->count))
            return crn_io_fail(error, CAIRN_CANCELLED, 0, "the work was cancelled");
    }
    return CAIRN_OK;
}

static int generate_compare(const void *a, const void *b)
{
    const cairn_problem *p = a, *q = b;
    int64_t keys[5] = {(int64_t)p->bucket - q->bucket, p->from.y - q->from.y, p->from.x - q->from.x,
                       p->to.y - q->to.y, p->to.x - q->to.x};
    for (int i = 0; i < 5; i++)
        if (keys[i]) return keys[i] < 0 ? -1 : 1;
    return 0;
}

static void generate_map_name(const char *path, char *out, size_t capacity)
{
    const char *name = path ? path : "";
    for (const char *p = name; *p; p++)
        if (*p == '/' || *p == '\\') name = p + 1;
    size_t length = strlen(name);
    if (length >= capacity) length = capacity - 1;
    memcpy(out, name, length);
    out[length] = 0;
}

cairn_status cairn_scenario_generate(cairn_grid *grid, const cairn_scenario_options *options,
                                     cairn_scenario *out, cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = (cairn_scenario){0};
    if (!grid || !options)
        return crn_io_fail(error, CAIRN_INVALID, 0, "grid and options must be given");
    if (options->count < 1)
        return crn_io_fail(error, CAIRN_INVALID, 0, "there must be at least one problem");
    if (options->highest_bucket && options->highest_bucket < options->lowest_bucket)
        return crn_io_fail(error, CAIRN_INVALID, 0, "the highest bucket is below the lowest");
    generate_run run = {.options = options,
                        .grid = grid,
                        .context = cairn_grid_context(grid),
                        .random = options->seed};
    out->problems =
        crn_io_resize(run.context, NULL, 0, crn_io_multiply(options->count, sizeof *out->problems));
    if (!out->problems) return crn_io_no_memory(error);
    out->count = options->count;
    generate_map_name(options->map, out->map, sizeof out->map);
    cairn_status status = generate_open(&run, error);
    if (!status) status = generate_all(&run, out, error);
    generate_close(&run);
    if (status)
        cairn_scenario_free(run.context, out);
    else
        qsort(out->problems, out->count, sizeof *out->problems, generate_compare);
    return status;
}
