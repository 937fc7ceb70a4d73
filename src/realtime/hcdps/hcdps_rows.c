/* hcdps_rows.c: the link to take from each region to each other one, and records=pairs.
 *
 * A search from each region through the links (Dijkstra's, in memory proportional to the regions)
 * gives the first link of the cheapest chain to each other region: one row, which is encoded by run
 * lengths at once. So N² numbers are never in memory. Costs between representatives fall with
 * every link that is taken, whatever row it is read from; so following the rows always ends. (L
 * runs Floyd and Warshall's algorithm on an array of N² costs.)
 *
 * A walker seldom visits the representatives of its chain: it looks ahead (hcdps_agent.c). So with
 * depth=1 a link counts for less than the path between both representatives costs, by a third of
 * the detour that each of them is: of all pairs of doors of the region, the least by which the
 * distance from one to the other grows by a visit to the representative. Without this, rows avoid
 * short paths along which representatives stand in niches. (Longer links leave out most of them.)
 *
 * records=pairs: each pair's chain of paths is joined and compressed as one.
 *
 * Workers take rows of a batch by turns; rows are collected in order.
 */
#include "realtime/hcdps/hcdps_job.h"

/* Of regions with more doors only the first ones count for detours. */
enum { ROWS_BATCH = 16, ROWS_RING = 1024, ROWS_DOORS = 16 };

typedef struct rows_edge {
    uint32_t to, cost;
} rows_edge;

/* A region that waits in a bucket. */
typedef struct rows_entry {
    uint32_t region, distance, next;
} rows_entry;

/* One worker. */
typedef struct rows_worker {
    uint32_t *distance;
    uint16_t *slot;           /* the first link, of those of the row's region */
    uint32_t ring[ROWS_RING]; /* buckets: their last entries */
    rows_entry *entries;
    size_t entry_count, entry_capacity, waiting;
    uint64_t work;
    cairn_node *path; /* records=pairs */
    size_t path_count, path_capacity;
    crn_hcdps_array runs, out;
    cairn_status status;
} rows_worker;

typedef struct rows_task {
    crn_hcdps_job *job;
    uint32_t regions;
    bool near;      /* only links between regions that touch */
    bool recording; /* the second pass of records=pairs */
    rows_worker *workers;
    uint32_t worker_count;
    uint32_t first, end;             /* regions of the batch */
    size_t *ends;                    /* of the rows of the batch, in what its worker wrote */
    uint64_t *detours;               /* of each region, by its representative */
    rows_edge *edges;                /* links */
    uint32_t *first_edge, *end_edge; /* of each region, those that count */
    uint32_t bits;                   /* a bucket is of so many bits of distance */
    uint16_t *reverse;               /* of each link, which one of its end leads back; or NULL */
    uint32_t until;                  /* where a search may end */
} rows_task;

/* ---- links as edges ---- */

static uint64_t rows_distance(const crn_hcdps_job *job, cairn_node a, cairn_node b)
{
    return crn_space_climb_distance(job->space, a, b);
}

/* The least detour between two doors of a region by its representative; 0: it has fewer. */
static uint64_t rows_detour(const crn_hcdps_job *job, uint32_t region)
{
    cairn_node home = crn_hcdps_home(job->index, region), doors[ROWS_DOORS];
    uint64_t least = UINT64_MAX, far[ROWS_DOORS];
    uint32_t count = crn_min_u32(job->link_near.items[region], ROWS_DOORS);
    for (uint32_t i = 0; i < count; i++) {
        doors[i] = crn_hcdps_link_at(job->index, region, i).leave;
        far[i] = rows_distance(job, doors[i], home);
        for (uint32_t j = 0; j < i; j++) {
            /* on graphs distances are rounded: their sum may be less */
            uint64_t sum = far[i] + far[j], straight = rows_distance(job, doors[i], doors[j]),
                     detour = sum > straight ? sum - straight : 0;
            if (detour < least) least = detour;
        }
    }
    return count > 1 ? least : 0;
}

/* What counts for a link from a region: a quarter of its cost at least. */
static uint64_t rows_link_cost(const rows_task *task, uint32_t region, size_t link)
{
    const crn_hcdps_job *job = task->job;
    uint64_t cost = job->costs[link], most = cost / 4 * 3,
             spared = (task->detours[region] + task->detours[job->link_to.items[link]]) / 3;
    return cost - (spared < most ? spared : most);
}

/* Costs in units so coarse that no chain exceeds 32 bits: on usual maps a thousandth of a step. */
static void rows_make_edges(rows_task *task)
{
    const crn_hcdps_job *job = task->job;
    uint64_t most = 1, shift = 0;
    for (size_t i = 0; i < job->cost_count; i++) most = job->costs[i] > most ? job->costs[i] : most;
    while ((most >> shift) + 1 > UINT32_MAX / ((uint64_t)task->regions + 1)) shift++;
    uint32_t least = UINT32_MAX, largest = 1;
    for (uint32_t i = 0; i < task->regions; i++)
        task->detours[i] = job->index->depth == 1 ? rows_detour(job, i) : 0;
    for (uint32_t region = 0, i = 0; i < job->cost_count; i++) {
        while (i == job->link_first.items[region + 1]) region++;
        uint32_t cost = crn_max_u32((uint32_t)(rows_link_cost(task, region, i) >> shift), 1);
        task->edges[i] = (rows_edge){job->link_to.items[i], cost};
        least = crn_min_u32(least, cost);
        largest = crn_max_u32(largest, cost);
    }
    task->bits = least <= largest ? crn_highest_bit(least) : 0;
    while (largest >> task->bits > ROWS_RING - 2) task->bits++;
}

/* ---- rows ---- */

CRN_INLINE bool rows_push(const rows_task *task, rows_worker *w, uint32_t region, uint32_t distance)
{
    if (CRN_UNLIKELY(w->entry_count == w->entry_capacity)) {
        void *entries = w->entries;
        bool ok = crn_grow(task->job->context, &entries, &w->entry_capacity, w->entry_count + 1,
                           sizeof *w->entries);
        w->entries = entries;
        if (!ok) return false;
    }
    uint32_t *bucket = &w->ring[(distance >> task->bits) % ROWS_RING];
    w->entries[w->entry_count] = (rows_entry){region, distance, *bucket};
    *bucket = (uint32_t)w->entry_count++;
    w->waiting++;
    return true;
}

CRN_INLINE bool rows_relax(const rows_task *task, rows_worker *w, const rows_entry *entry,
                           uint32_t source)
{
    const uint32_t first = task->first_edge[entry->region], end = task->end_edge[entry->region];
    uint32_t slot = w->slot[entry->region];
    for (uint32_t i = first; i < end; i++) {
        rows_edge edge = task->edges[i];
        uint32_t sum = entry->distance + edge.cost;
        if (sum >= w->distance[edge.to]) continue;
        w->distance[edge.to] = sum;
        w->slot[edge.to] = task->reverse             ? task->reverse[i]
                           : entry->region == source ? (uint16_t)(i - first)
                                                     : (uint16_t)slot;
        if (!rows_push(task, w, edge.to, sum)) return false;
    }
    return true;
}

/* Has a region any link? There may be thousands of single cells without. */
static bool rows_leads_on(const rows_task *task, uint32_t source)
{
    return task->first_edge[source] < task->end_edge[source];
}

/* Buckets of distances, in a ring. One that was reached more cheaply since is left out, and one
 * that is reached more cheaply by another of its bucket comes again. */
static bool rows_search_on(rows_task *task, rows_worker *w, uint32_t source)
{
    for (uint32_t at = 0; w->waiting; at = (at + 1) % ROWS_RING) {
        while (w->ring[at] != UINT32_MAX) {
            rows_entry entry = w->entries[w->ring[at]];
            w->ring[at] = entry.next;
            w->waiting--;
            if (entry.distance != w->distance[entry.region]) continue;
            if (entry.region == task->until) return true;
            if (!rows_relax(task, w, &entry, source)) return false;
        }
    }
    return true;
}

static bool rows_search(rows_task *task, rows_worker *w, const uint32_t *sources, uint32_t count)
{
    bool ok = true;
    w->work += w->entry_count; /* of the search before */
    memset(w->distance, 0xff, task->regions * sizeof *w->distance);
    memset(w->slot, 0xff, task->regions * sizeof *w->slot);
    memset(w->ring, 0xff, sizeof w->ring);
    w->entry_count = w->waiting = 0;
    for (uint32_t i = 0; i < count && ok; i++) {
        w->distance[sources[i]] = 0;
        ok = rows_push(task, w, sources[i], 0);
    }
    return ok && rows_search_on(task, w, sources[0]);
}

/* Collects the runs of a row: their first regions and links. What is said of the region itself does
 * not matter. */
static bool rows_find_runs(rows_task *task, rows_worker *w, uint32_t source)
{
    cairn_context *context = task->job->context;
    uint32_t last = UINT32_MAX, none;
    none = task->job->link_first.items[source + 1] - task->job->link_first.items[source];
    bool ok = true;
    w->runs.count = 0;
    if (!rows_leads_on(task, source))
        return crn_hcdps_put(&w->runs, context, 0) && crn_hcdps_put(&w->runs, context, none);
    for (uint32_t i = 0; i < task->regions && ok; i++) {
        uint32_t slot = w->slot[i] == UINT16_MAX ? none : w->slot[i];
        if (i == source && last != UINT32_MAX) continue;
        if (slot != last)
            ok = crn_hcdps_put(&w->runs, context, i) && crn_hcdps_put(&w->runs, context, slot);
        last = slot;
    }
    return ok;
}

static void rows_write_three(crn_hcdps_writer *writer, uint32_t value)
{
    for (uint32_t i = 0; i < 3; i++) crn_hcdps_write_byte(writer, value >> 8 * i & 255);
}

/* As hcdps_index.h describes it. */
bool crn_hcdps_write_row(crn_hcdps_array *out, cairn_context *context, const crn_hcdps_array *list,
                         uint32_t kinds)
{
    const uint32_t *runs = list->items;
    size_t count = list->count / 2, bytes = 0;
    crn_hcdps_writer writer = {.out = out, .context = context};
    crn_hcdps_write(&writer, (uint32_t)count);
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            bool begins = i % CRN_HCDPS_GROUP == 0;
            uint32_t before = begins ? runs[2 * i] - 1 : runs[2 * i - 2];
            if (!i) before = UINT32_MAX;
            uint32_t value = (runs[2 * i] - before - 1) * kinds + runs[2 * i + 1];
            if (pass) {
                crn_hcdps_write(&writer, value);
            } else {
                if (begins && i)
                    rows_write_three(&writer, runs[2 * i]),
                        rows_write_three(&writer, (uint32_t)bytes);
                bytes += crn_hcdps_size(value);
            }
        }
    }
    return crn_hcdps_write_end(&writer);
}

static bool rows_encode(rows_task *task, rows_worker *w, uint32_t source)
{
    const uint32_t *first_link = task->job->link_first.items + source;
    return (!rows_leads_on(task, source) || rows_search(task, w, &source, 1)) &&
           rows_find_runs(task, w, source) &&
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
    void *path = w->path;
    bool ok = crn_grow(job->context, &path, &w->path_capacity, w->path_count + pair->length,
                       sizeof *w->path);
    w->path = path;
    for (uint32_t i = 1; i < pair->length && ok; i++) {
        uint32_t place = pair->from == from ? i : pair->length - 1 - i;
        w->path[w->path_count++] = job->paths.items[pair->path + place];
    }
    return ok;
}

/* The record from one region to another; empty if none leads there. */
static bool rows_record(crn_hcdps_job *job, rows_worker *w, uint32_t from, uint32_t to)
{
    void *path = w->path;
    bool ok = crn_grow(job->context, &path, &w->path_capacity, 1, sizeof *w->path);
    w->path = path;
    if (!ok) return false;
    w->path[0] = crn_hcdps_home(job->index, from);
    w->path_count = 1;
    while (from != to && ok) {
        uint32_t slot = crn_hcdps_next(job->index, from, to, false);
        if (slot == UINT32_MAX) return true;
        uint32_t next = job->link_to.items[job->link_first.items[from] + slot];
        ok = rows_append(job, w, from, next);
        from = next;
    }
    return ok && crn_hcdps_compress(job, w->path, (uint32_t)w->path_count, false, &w->out);
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
        crn_hcdps_array *rows = &arrays[task->near ? CRN_HCDPS_NEAR : CRN_HCDPS_ROWS];
        return crn_hcdps_put_all(rows, context, items, count) && rows->count < UINT32_MAX &&
               crn_hcdps_put(&arrays[task->near ? CRN_HCDPS_NEAR_FIRST : CRN_HCDPS_ROW_FIRST],
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

/* Which links count. */
static void rows_choose_edges(rows_task *task)
{
    const crn_hcdps_job *job = task->job;
    for (uint32_t i = 0; i < task->regions; i++) {
        task->first_edge[i] = job->link_first.items[i];
        task->end_edge[i] = task->near ? job->link_first.items[i] + job->link_near.items[i]
                                       : job->link_first.items[i + 1];
    }
}

static cairn_status rows_pass(rows_task *task, uint32_t done, uint32_t total)
{
    crn_hcdps_job *job = task->job;
    cairn_status status = CAIRN_OK;
    uint32_t first = task->recording ? CRN_HCDPS_PAIR_FIRST
                     : task->near    ? CRN_HCDPS_NEAR_FIRST
                                     : CRN_HCDPS_ROW_FIRST;
    if (!crn_hcdps_put(&job->index->arrays[first], job->context, 0)) return CAIRN_OUT_OF_MEMORY;
    rows_choose_edges(task);
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
    rows_make_edges(task);
    cairn_status status = rows_pass(task, done++, total);
    if (status == CAIRN_OK && near) {
        task->near = true;
        status = rows_pass(task, done++, total);
        task->near = false;
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
        task->job->work += w->work + w->entry_count;
        crn_free(context, w->distance, (task->regions + 1) * sizeof *w->distance);
        crn_free(context, w->slot, (task->regions + 1) * sizeof *w->slot);
        crn_free(context, w->entries, w->entry_capacity * sizeof *w->entries);
        crn_free(context, w->path, w->path_capacity * sizeof *w->path);
        crn_hcdps_free_array(&w->out, context);
        crn_hcdps_free_array(&w->runs, context);
    }
    crn_free(context, task->workers, size);
    crn_free(context, task->ends, task->worker_count * ROWS_BATCH * sizeof *task->ends);
    crn_free(context, task->detours, (task->regions + 1) * sizeof *task->detours);
    crn_free(context, task->edges, (task->job->cost_count + 1) * sizeof *task->edges);
    crn_free(context, task->first_edge, (task->regions + 1) * sizeof *task->first_edge);
    crn_free(context, task->end_edge, (task->regions + 1) * sizeof *task->end_edge);
}

static bool rows_open(rows_task *task, size_t size)
{
    cairn_context *context = task->job->context;
    task->workers = crn_alloc_zero(context, size);
    task->ends = crn_alloc(context, task->worker_count * ROWS_BATCH * sizeof *task->ends);
    task->detours = crn_alloc(context, (task->regions + 1) * sizeof *task->detours);
    task->edges = crn_alloc(context, (task->job->cost_count + 1) * sizeof *task->edges);
    task->first_edge = crn_alloc(context, (task->regions + 1) * sizeof *task->first_edge);
    task->end_edge = crn_alloc(context, (task->regions + 1) * sizeof *task->end_edge);
    bool ok = task->workers && task->ends && task->detours && task->edges && task->first_edge &&
              task->end_edge;
    for (uint32_t i = 0; i < task->worker_count && ok; i++) {
        rows_worker *w = &task->workers[i];
        w->distance = crn_alloc(context, (task->regions + 1) * sizeof *w->distance);
        w->slot = crn_alloc(context, (task->regions + 1) * sizeof *w->slot);
        ok = w->distance && w->slot;
    }
    return ok;
}

cairn_status crn_hcdps_find_rows(crn_hcdps_job *job)
{
    rows_task task = {.job = job,
                      .regions = crn_hcdps_regions(job->index),
                      .worker_count = crn_parallel_tasks(job->context),
                      .until = UINT32_MAX};
    size_t size = task.worker_count * sizeof *task.workers;
    cairn_status status = rows_open(&task, size) ? rows_passes(&task) : CAIRN_OUT_OF_MEMORY;
    rows_close(&task, size);
    return status;
}

/* ---- single rows and columns ---- */

struct crn_hcdps_routes {
    rows_task task;
    uint16_t *reverse;
};

void crn_hcdps_close_routes(crn_hcdps_routes *routes)
{
    if (!routes) return;
    cairn_context *context = routes->task.job->context;
    crn_free(context, routes->reverse,
             (routes->task.job->cost_count + 1) * sizeof *routes->reverse);
    rows_close(&routes->task, sizeof *routes->task.workers);
    crn_free(context, routes, sizeof *routes);
}

/* Links lead there and back. So those to a region come, in the order of the regions that they are
 * of, as those of the region do: first the near ones, then the others. */
static bool rows_reverse(crn_hcdps_routes *routes)
{
    const crn_hcdps_job *job = routes->task.job;
    uint32_t regions = routes->task.regions;
    size_t size = (2 * (size_t)regions + 1) * sizeof(uint16_t);
    uint16_t *next = crn_alloc_zero(job->context, size);
    for (uint32_t i = 0; next && i < regions; i++)
        next[2 * i + 1] = (uint16_t)job->link_near.items[i];
    for (uint32_t i = 0; next && i < regions; i++) {
        uint32_t first = job->link_first.items[i], near = first + job->link_near.items[i];
        for (uint32_t k = first; k < job->link_first.items[i + 1]; k++)
            routes->reverse[k] = next[2 * job->link_to.items[k] + (k >= near)]++;
    }
    crn_free(job->context, next, size);
    return next;
}

crn_hcdps_routes *crn_hcdps_open_routes(crn_hcdps_job *job, bool near)
{
    crn_hcdps_routes *routes = crn_alloc_zero(job->context, sizeof *routes);
    if (!routes) return NULL;
    routes->task = (rows_task){
        .job = job, .regions = crn_hcdps_regions(job->index), .near = near, .worker_count = 1};
    routes->reverse = crn_alloc(job->context, (job->cost_count + 1) * sizeof *routes->reverse);
    if (rows_open(&routes->task, sizeof *routes->task.workers) && routes->reverse &&
        rows_reverse(routes)) {
        rows_make_edges(&routes->task);
        rows_choose_edges(&routes->task);
        return routes;
    }
    crn_hcdps_close_routes(routes);
    return NULL;
}

const uint16_t *crn_hcdps_find_routes(crn_hcdps_routes *routes, const uint32_t *ends,
                                      uint32_t count, bool back, uint32_t until)
{
    rows_task *task = &routes->task;
    task->reverse = back ? routes->reverse : NULL;
    task->until = until;
    return rows_search(task, task->workers, ends, count) ? task->workers->slot : NULL;
}

const uint32_t *crn_hcdps_route_costs(const crn_hcdps_routes *routes)
{
    return routes->task.workers->distance;
}

uint32_t crn_hcdps_route_cost(const crn_hcdps_routes *routes, uint32_t region, uint32_t slot)
{
    return routes->task.edges[routes->task.first_edge[region] + slot].cost;
}
