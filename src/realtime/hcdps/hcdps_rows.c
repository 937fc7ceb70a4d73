/* hcdps_rows.c: the link to take from each region to each other one, and records=pairs.
 *
 * A search from each region through the links (Dijkstra's, in memory proportional to the regions)
 * gives the first link of the cheapest chain to each other region: one row, which is encoded by run
 * lengths at once. So N² numbers are never in memory. Costs between representatives fall with
 * every link that is taken, whatever row it is read from; so following the rows always ends. (L
 * runs Floyd and Warshall's algorithm on an array of N² costs.)
 *
 * records=pairs: each pair's chain of paths is joined and compressed as one.
 *
 * Workers take rows of a batch by turns; rows are collected in order.
 */
#include "realtime/hcdps/hcdps_routes.h"

enum { ROWS_BATCH = 16 };

/* One worker. */
typedef struct rows_worker {
    crn_hcdps_seeker seeker;
    crn_hcdps_path path; /* records=pairs */
    crn_hcdps_array runs, out;
    cairn_status status;
} rows_worker;

typedef struct rows_task {
    crn_hcdps_job *job;
    uint32_t regions;
    bool recording; /* the second pass of records=pairs */
    rows_worker *workers;
    uint32_t worker_count;
    uint32_t first, end; /* regions of the batch */
    size_t *ends;        /* of the rows of the batch, in what its worker wrote */
    crn_hcdps_web web;
} rows_task;

/* ---- rows ---- */

/* Has a region any link? There may be thousands of single cells without. */
static bool rows_leads_on(const rows_task *task, uint32_t source)
{
    return task->web.first_edge[source] < task->web.end_edge[source];
}

/* Where the link is another one than before: from `at` on. Four links are compared at once. */
static uint32_t rows_run_end(const uint16_t *slots, uint32_t at, uint32_t regions)
{
    for (uint64_t here, before; at + 4 <= regions; at += 4) {
        memcpy(&here, slots + at, sizeof here);
        memcpy(&before, slots + at - 1, sizeof before);
        if (here != before) break;
    }
    while (at < regions && slots[at] == slots[at - 1]) at++;
    return at;
}

/* Collects the runs of a row: their first regions and links. What is said of the region itself does
 * not matter. */
static bool rows_find_runs(rows_task *task, rows_worker *w, uint32_t source)
{
    cairn_context *context = task->job->context;
    uint32_t none = task->job->link_first.items[source + 1] - task->job->link_first.items[source];
    uint16_t *slots = w->seeker.slot;
    bool ok = true;
    w->runs.count = 0;
    if (!rows_leads_on(task, source))
        return crn_hcdps_put(&w->runs, context, 0) && crn_hcdps_put(&w->runs, context, none);
    if (source) slots[source] = slots[source - 1];
    for (uint32_t i = 0; i < task->regions && ok; i = rows_run_end(slots, i + 1, task->regions)) {
        ok = crn_hcdps_put(&w->runs, context, i) &&
             crn_hcdps_put(&w->runs, context, slots[i] == UINT16_MAX ? none : slots[i]);
    }
    return ok;
}

static void rows_write_three(crn_hcdps_writer *writer, uint32_t value)
{
    for (uint32_t i = 0; i < 3; i++) crn_hcdps_write_byte(writer, value >> 8 * i & 255);
}

/* What stands for a run. The first of a group does not depend on the run before. */
CRN_INLINE uint32_t rows_value(const uint32_t *runs, size_t i, uint32_t kinds)
{
    uint32_t begin = !i                         ? runs[0]
                     : i % CRN_HCDPS_GROUP == 0 ? 0
                                                : runs[2 * i] - runs[2 * i - 2] - 1;
    return begin * kinds + runs[2 * i + 1];
}

/* As hcdps_index.h describes it. */
bool crn_hcdps_write_row(crn_hcdps_array *out, cairn_context *context, const crn_hcdps_array *list,
                         uint32_t kinds)
{
    const uint32_t *runs = list->items;
    size_t count = list->count / 2, bytes = 0;
    crn_hcdps_writer writer = {.out = out, .context = context};
    crn_hcdps_write(&writer, (uint32_t)count);
    for (size_t i = 0, listed = count > CRN_HCDPS_GROUP ? count : 0; i < listed; i++) {
        if (i && i % CRN_HCDPS_GROUP == 0) {
            rows_write_three(&writer, runs[2 * i]);
            rows_write_three(&writer, (uint32_t)bytes);
        }
        bytes += crn_hcdps_size(rows_value(runs, i, kinds));
    }
    for (size_t i = 0; i < count; i++) crn_hcdps_write(&writer, rows_value(runs, i, kinds));
    return crn_hcdps_write_end(&writer);
}

static bool rows_encode(rows_task *task, rows_worker *w, uint32_t source)
{
    const uint32_t *first_link = task->job->link_first.items + source;
    if (rows_leads_on(task, source)) crn_hcdps_seek_onward(&w->seeker, source);
    return rows_find_runs(task, w, source) &&
           crn_hcdps_write_row(&w->out, task->job->context, &w->runs,
                               first_link[1] - first_link[0] + 1);
}

/* ---- records=pairs ---- */

static const crn_hcdps_pair *rows_pair(const crn_hcdps_job *job, uint32_t a, uint32_t b)
{
    size_t low = 0, high = job->pair_count;
    uint32_t from = crn_min_u32(a, b), to = crn_max_u32(a, b);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        const crn_hcdps_pair *pair = &job->pairs[middle];
        bool after = pair->from != from ? pair->from > from : pair->to > to;
        if (after) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return &job->pairs[low];
}

/* Appends the path of a link without its first node. */
static bool rows_append(crn_hcdps_job *job, rows_worker *w, uint32_t from, uint32_t to)
{
    const crn_hcdps_pair *pair = rows_pair(job, from, to);
    crn_hcdps_path *path = &w->path;
    bool ok = crn_hcdps_reserve_path(job, path, path->count + pair->length);
    for (uint32_t i = 1; i < pair->length && ok; i++) {
        uint32_t place = pair->from == from ? i : pair->length - 1 - i;
        path->nodes[path->count++] = job->paths.items[pair->path + place];
    }
    return ok;
}

/* The record from one region to another; empty if none leads there. */
static bool rows_record(crn_hcdps_job *job, rows_worker *w, uint32_t from, uint32_t to)
{
    bool ok = crn_hcdps_reserve_path(job, &w->path, 1);
    if (!ok) return false;
    w->path.nodes[0] = crn_hcdps_home(job->index, from);
    w->path.count = 1;
    while (from != to && ok) {
        uint32_t slot = crn_hcdps_next(job->index, from, to, false);
        if (slot == UINT32_MAX) return true;
        uint32_t next = job->link_to.items[job->link_first.items[from] + slot];
        ok = rows_append(job, w, from, next);
        from = next;
    }
    if (ok) crn_hcdps_measure_path(job, &w->path);
    return ok && crn_hcdps_compress(job, &w->path, false, &w->out);
}

/* The records of a region to all others. Each begins with how many numbers follow. */
static bool rows_record_all(rows_task *task, rows_worker *w, uint32_t source)
{
    cairn_context *context = task->job->context;
    bool ok = true;
    for (uint32_t i = 0; i < task->regions && ok; i++) {
        size_t place = w->out.count;
        ok = crn_hcdps_put(&w->out, context, 0) && rows_record(task->job, w, source, i);
        if (ok) w->out.owned[place] = (uint32_t)(w->out.count - place - 1);
    }
    return ok;
}

/* ---- batches ---- */

static void rows_run(void *user, uint32_t number)
{
    rows_task *task = user;
    rows_worker *w = &task->workers[number];
    for (uint32_t i = task->first + number; i < task->end && w->status == CAIRN_OK;
         i += task->worker_count) {
        bool ok = task->recording ? rows_record_all(task, w, i) : rows_encode(task, w, i);
        if (!ok) w->status = CAIRN_OUT_OF_MEMORY;
        task->ends[i - task->first] = w->out.count;
    }
}

static bool rows_collect_row(rows_task *task, const uint32_t *items, size_t count)
{
    cairn_context *context = task->job->context;
    crn_hcdps_array *arrays = task->job->index->arrays;
    if (!task->recording) {
        crn_hcdps_array *rows = &arrays[task->web.near ? CRN_HCDPS_NEAR : CRN_HCDPS_ROWS];
        return crn_hcdps_put_all(rows, context, items, count) && rows->count < UINT32_MAX &&
               crn_hcdps_put(&arrays[task->web.near ? CRN_HCDPS_NEAR_FIRST : CRN_HCDPS_ROW_FIRST],
                             context, (uint32_t)rows->count);
    }
    crn_hcdps_array *records = &arrays[CRN_HCDPS_PAIRS];
    bool ok = true;
    for (size_t at = 0; at < count && ok; at += items[at] + 1) {
        ok = crn_hcdps_put_all(records, context, items + at + 1, items[at]) &&
             records->count < UINT32_MAX &&
             crn_hcdps_put(&arrays[CRN_HCDPS_PAIR_FIRST], context, (uint32_t)records->count);
    }
    return ok;
}

/* Puts what the workers wrote in order. */
static bool rows_collect(rows_task *task)
{
    bool ok = true;
    for (uint32_t i = 0; i < task->end - task->first && ok; i++) {
        const rows_worker *w = &task->workers[i % task->worker_count];
        size_t begin = i < task->worker_count ? 0 : task->ends[i - task->worker_count];
        ok = rows_collect_row(task, w->out.items + begin, task->ends[i] - begin);
    }
    for (uint32_t i = 0; i < task->worker_count; i++) task->workers[i].out.count = 0;
    return ok;
}

static cairn_status rows_pass(rows_task *task, uint32_t done, uint32_t total)
{
    crn_hcdps_job *job = task->job;
    cairn_status status = CAIRN_OK;
    uint32_t first = task->recording  ? CRN_HCDPS_PAIR_FIRST
                     : task->web.near ? CRN_HCDPS_NEAR_FIRST
                                      : CRN_HCDPS_ROW_FIRST;
    if (!crn_hcdps_put(&job->index->arrays[first], job->context, 0)) return CAIRN_OUT_OF_MEMORY;
    if (!task->recording && !crn_hcdps_find_trees(&task->web)) return CAIRN_OUT_OF_MEMORY;
    if (!task->recording && !crn_hcdps_find_onward(&task->web)) return CAIRN_OUT_OF_MEMORY;
    for (task->first = 0; task->first < task->regions && status == CAIRN_OK;
         task->first = task->end) {
        status = crn_hcdps_report(job, (uint64_t)done * task->regions + task->first,
                                  (uint64_t)total * task->regions);
        if (status != CAIRN_OK) break;
        task->end = crn_min_u32(task->first + ROWS_BATCH * task->worker_count, task->regions);
        cairn_parallel_for(job->context, task->worker_count, rows_run, task);
        for (uint32_t i = 0; i < task->worker_count && status == CAIRN_OK; i++)
            status = task->workers[i].status;
        if (status == CAIRN_OK && !rows_collect(task)) status = CAIRN_OUT_OF_MEMORY;
    }
    return status;
}

static cairn_status rows_passes(rows_task *task)
{
    const crn_hcdps *index = task->job->index;
    bool near = index->depth > 1, pairs = index->pairs && task->job->exact;
    uint32_t total = 1u + near + pairs, done = 0;
    cairn_status status = rows_pass(task, done++, total);
    if (status == CAIRN_OK && near) {
        crn_hcdps_choose_edges(&task->web, true);
        status = rows_pass(task, done++, total);
    }
    if (status == CAIRN_OK && pairs) {
        task->recording = true;
        status = rows_pass(task, done, total);
    }
    return status;
}

static void rows_close(rows_task *task, size_t size)
{
    cairn_context *context = task->job->context;
    for (uint32_t i = 0; task->workers && i < task->worker_count; i++) {
        rows_worker *w = &task->workers[i];
        task->job->work += crn_hcdps_close_seeker(&w->seeker);
        crn_hcdps_free_path(task->job, &w->path);
        crn_hcdps_free_array(&w->out, context);
        crn_hcdps_free_array(&w->runs, context);
    }
    crn_free(context, task->workers, size);
    crn_free(context, task->ends, task->worker_count * ROWS_BATCH * sizeof *task->ends);
    crn_hcdps_close_web(&task->web);
}

static bool rows_open(rows_task *task, size_t size)
{
    cairn_context *context = task->job->context;
    task->workers = crn_alloc_zero(context, size);
    task->ends = crn_alloc(context, task->worker_count * ROWS_BATCH * sizeof *task->ends);
    bool ok = crn_hcdps_open_web(&task->web, task->job) && task->workers && task->ends;
    for (uint32_t i = 0; i < task->worker_count && ok; i++)
        ok = crn_hcdps_open_seeker(&task->workers[i].seeker, &task->web);
    return ok;
}

cairn_status crn_hcdps_find_rows(crn_hcdps_job *job)
{
    rows_task task = {.job = job,
                      .regions = crn_hcdps_regions(job->index),
                      .worker_count = crn_parallel_tasks(job->context)};
    size_t size = task.worker_count * sizeof *task.workers;
    cairn_status status = rows_open(&task, size) ? rows_passes(&task) : CAIRN_OUT_OF_MEMORY;
    rows_close(&task, size);
    return status;
}
