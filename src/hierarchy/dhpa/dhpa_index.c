/* dhpa_index.c: making routes to the nodes of clusters, and repairing them after edits. See
 * dhpa_index.h. */
#include "hierarchy/dhpa/dhpa_index.h"

#define ROUTES_SECTION "index.routes"
#define ROUTES_REPORT 64u  /* clusters between two reports */
#define ROUTES_IN_ITEM 16u /* steps, in two words */
#define ROUTES_ITEM (2 * sizeof(uint32_t))

/* ---- looking things up ---- */

static uint32_t routes_clusters(const crn_dhpa *index)
{
    return crn_clusters_count(&index->graph.clusters);
}

/* In items: what the routes of a cluster need. */
static uint32_t routes_size(const crn_dhpa *index, uint32_t cluster)
{
    crn_area area = crn_clusters_area(&index->graph.clusters, cluster);
    uint32_t count = crn_lists_count(&index->graph.members, cluster);
    return (count * area.width * area.height + ROUTES_IN_ITEM - 1) / ROUTES_IN_ITEM;
}

static cairn_status routes_say(cairn_status status, cairn_error *error)
{
    if (status == CAIRN_CANCELLED) return crn_fail(error, status, 0, "making routes was cancelled");
    if (status == CAIRN_OUT_OF_MEMORY) return crn_fail(error, status, 0, "no memory for routes");
    return status;
}

/* ---- making them ---- */

typedef struct routes_job {
    crn_dhpa *index;
    crn_scratch memory;
    crn_hpa_ground own, *ground; /* what clusters are searched with */
    uint32_t *words;             /* routes under construction */
    size_t capacity;             /* in edges */
} routes_job;

static void routes_job_close(routes_job *job)
{
    crn_hpa_ground_show(job->ground, &job->index->graph, CAIRN_NO_NODE);
    if (job->ground == &job->own) crn_hpa_ground_close(&job->own);
    crn_scratch_free(&job->memory, job->words, job->capacity * ROUTES_ITEM);
}

/* `ground` NULL: its own. */
static cairn_status routes_job_open(routes_job *job, crn_dhpa *index, crn_hpa_ground *ground)
{
    const crn_grid_space *space = index->graph.clusters.space;
    *job =
        (routes_job){.index = index, .memory = {.context = space->base.context}, .ground = ground};
    if (ground) return CAIRN_OK;
    job->ground = &job->own;
    cairn_status status = crn_hpa_ground_open(&job->own, &job->memory, NULL, space);
    if (status != CAIRN_OK) routes_job_close(job);
    return status;
}

static cairn_cost routes_cost(const routes_job *job, cairn_node cell)
{
    return crn_subsearch_cost(&job->ground->subsearch, cell);
}

/* Is the reverse of the step from a cell in a direction the last step of the cheapest path to the
 * cell? */
static bool routes_continue(const routes_job *job, cairn_node cell, uint32_t x, uint32_t y,
                            uint32_t direction)
{
    const crn_grid_space *space = &job->ground->part.space;
    uint32_t bx = (uint32_t)((int32_t)x + crn_dx[direction]),
             by = (uint32_t)((int32_t)y + crn_dy[direction]);
    cairn_node before = by * space->grid->width + bx;
    uint64_t cost = routes_cost(job, before);
    if (cost == CAIRN_NO_COST || (space->limited && !crn_grid_can_step(space, bx, by, x, y)))
        return false;
    cost += crn_grid_step_cost(space, before, cell, direction); /* as long as the step back */
    return cost == routes_cost(job, cell);
}

/* After a search from a node: the step from a cell towards it. */
static uint32_t routes_step(const routes_job *job, uint32_t x, uint32_t y)
{
    const crn_grid_space *space = &job->ground->part.space;
    cairn_node cell = y * space->grid->width + x;
    cairn_cost cost = routes_cost(job, cell);
    if (cost == CAIRN_NO_COST) return CRN_ROUTE_NONE;
    if (cost == 0) return CRN_ROUTE_HERE;
    uint32_t moves = crn_grid_moves(space, x, y), direction = 0;
    while (direction < CRN_DIRECTIONS &&
           !(moves >> direction & 1 && routes_continue(job, cell, x, y, direction))) {
        direction++;
    }
    return direction < CRN_DIRECTIONS ? direction : CRN_ROUTE_NONE;
}

/* The routes to the i-th node of the cluster that is shown. */
static void routes_write(routes_job *job, crn_area area, uint32_t i)
{
    uint32_t *words = job->words, place = crn_dhpa_place(area, i, area.left, area.top);
    for (uint32_t y = area.top; y < area.top + area.height; y++) {
        for (uint32_t x = area.left; x < area.left + area.width; x++, place++) {
            words[place / 8] |= routes_step(job, x, y) << place % 8 * 4;
        }
    }
}

static cairn_status routes_make(routes_job *job, uint32_t cluster)
{
    crn_dhpa *index = job->index;
    crn_area area = crn_clusters_area(&index->graph.clusters, cluster);
    uint32_t count, size = routes_size(index, cluster);
    const crn_hpa_member *members = crn_hpa_members(&index->graph, cluster, &count);
    void *words = job->words;
    bool ok = crn_scratch_grow(&job->memory, &words, &job->capacity, size, ROUTES_ITEM);
    job->words = words;
    if (!ok) return CAIRN_OUT_OF_MEMORY;
    if (size) memset(job->words, 0, size * ROUTES_ITEM);
    crn_hpa_ground_show(job->ground, &index->graph, cluster);
    for (uint32_t i = 0; i < count; i++) {
        if (crn_subsearch_find(&job->ground->subsearch, members[i].cell, CAIRN_NO_NODE) ==
            CAIRN_OUT_OF_MEMORY)
            return CAIRN_OUT_OF_MEMORY;
        routes_write(job, area, i);
    }
    return crn_lists_set(&index->routes, cluster, job->words, size) ? CAIRN_OK
                                                                    : CAIRN_OUT_OF_MEMORY;
}

/* Those of these clusters; NULL: of the first `count`. */
static cairn_status routes_make_some(routes_job *job, const uint32_t *clusters, uint32_t count,
                                     const cairn_progress *progress)
{
    cairn_status status = count || crn_progress(progress, 1, 1) ? CAIRN_OK : CAIRN_CANCELLED;
    for (uint32_t i = 0; i < count && status == CAIRN_OK; i++) {
        status = routes_make(job, clusters ? clusters[i] : i);
        bool report = (i + 1) % ROUTES_REPORT == 0 || i + 1 == count;
        if (status == CAIRN_OK && report && !crn_progress(progress, i + 1, count))
            status = CAIRN_CANCELLED;
    }
    routes_job_close(job);
    job->index->costliest = crn_hpa_costliest(&job->index->graph);
    return status;
}

/* A list for each cluster, all without routes. */
static cairn_status routes_open(crn_dhpa *index)
{
    bool ok = crn_lists_open(&index->routes, index->graph.abstract.context, routes_clusters(index),
                             ROUTES_ITEM);
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* ---- all of it ---- */

/* Building and repairing have two halves, whose progress is reported as one. */
typedef struct routes_half {
    const cairn_progress *progress;
    bool second;
} routes_half;

static bool routes_report(void *user, uint64_t done, uint64_t total)
{
    const routes_half *half = user;
    enum { ALL = 1 << 20 };
    return crn_progress(half->progress, (half->second ? ALL : 0) + done * ALL / total,
                        2 * (uint64_t)ALL);
}

cairn_status crn_dhpa_build(crn_dhpa *index, const crn_grid_space *space,
                            const crn_hpa_options *options, const cairn_progress *progress,
                            cairn_error *error)
{
    routes_half half = {.progress = progress};
    cairn_progress reports = {routes_report, &half};
    cairn_status status = crn_hpa_build(&index->graph, space, options, &reports, error);
    if (status != CAIRN_OK) return status;
    half.second = true;
    routes_job job;
    status = routes_open(index);
    if (status == CAIRN_OK) status = routes_job_open(&job, index, NULL);
    if (status == CAIRN_OK) status = routes_make_some(&job, NULL, routes_clusters(index), &reports);
    if (status != CAIRN_OK) crn_dhpa_drop(index);
    return routes_say(status, error);
}

void crn_dhpa_drop(crn_dhpa *index)
{
    crn_lists_close(&index->routes);
    crn_hpa_drop(&index->graph);
    *index = (crn_dhpa){0};
}

size_t crn_dhpa_bytes(const crn_dhpa *index)
{
    return crn_hpa_bytes(&index->graph) + crn_lists_bytes(&index->routes);
}

cairn_status crn_dhpa_repair(crn_dhpa *index, uint64_t since, const cairn_progress *progress,
                             cairn_error *error)
{
    routes_half half = {.progress = progress};
    cairn_progress reports = {routes_report, &half};
    cairn_status status = crn_hpa_repair(&index->graph, since, &reports, error);
    if (status != CAIRN_OK) return status;
    half.second = true;
    uint32_t count;
    routes_job job;
    const uint32_t *clusters = crn_hpa_repaired(&index->graph, &count);
    routes_job_open(&job, index, crn_hpa_repair_ground(&index->graph)); /* that takes no memory */
    return routes_say(routes_make_some(&job, clusters, count, &reports), error);
}

/* ---- files ---- */

cairn_status crn_dhpa_save(const crn_dhpa *index, cairn_store *store, cairn_error *error)
{
    cairn_context *context = index->routes.pool.context;
    size_t size = 0, done = 0;
    for (uint32_t i = 0; i < routes_clusters(index); i++) size += routes_size(index, i);
    cairn_status status = crn_hpa_save(&index->graph, store, error);
    if (status != CAIRN_OK) return status;
    uint32_t *all = crn_alloc(context, (size + 1) * ROUTES_ITEM);
    for (uint32_t i = 0; i < routes_clusters(index) && all; i++) {
        uint32_t count = routes_size(index, i);
        if (count) memcpy(all + 2 * done, crn_dhpa_routes(index, i), count * ROUTES_ITEM);
        done += count;
    }
    status = all ? cairn_store_add(store, ROUTES_SECTION, (cairn_bytes){all, size * ROUTES_ITEM}, 4,
                                   false)
                 : CAIRN_OUT_OF_MEMORY;
    if (all) crn_free(context, all, (size + 1) * ROUTES_ITEM);
    return status == CAIRN_OK
               ? status
               : crn_fail(error, status, 0, "the routes cannot be added to the file");
}

/* Routes to one node, checked before they are accepted. */
typedef struct routes_check {
    const crn_grid_space *space; /* the part of the cluster */
    crn_area area;
    const uint32_t *words;
    uint32_t first; /* place of the step of the first cell */
    cairn_node node;
    /* by cell: it is known to lead to the node */
    bool safe[CRN_CLUSTER_SIZE_MAX * CRN_CLUSTER_SIZE_MAX];
} routes_check;

/* May the cell have this step? It must lead to a cell from which one can come back, and none may be
 * missing: of two cells with a step between them both or none have a path to the node. */
static bool routes_allowed(const routes_check *check, uint32_t x, uint32_t y, uint32_t step)
{
    const crn_grid_space *space = check->space;
    cairn_node cell = y * space->grid->width + x;
    if (!crn_bit(&space->usable, (int32_t)x, (int32_t)y)) return step == CRN_ROUTE_NONE;
    if ((step == CRN_ROUTE_HERE) != (cell == check->node)) return false;
    uint32_t moves = crn_grid_moves(space, x, y), place = crn_dhpa_place(check->area, 0, x, y);
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        if (!(moves >> d & 1)) continue;
        uint32_t bx = (uint32_t)((int32_t)x + crn_dx[d]), by = (uint32_t)((int32_t)y + crn_dy[d]);
        if (space->limited && !crn_grid_can_step(space, bx, by, x, y)) continue;
        place = crn_dhpa_place(check->area, 0, bx, by);
        bool lost = crn_route(check->words, check->first + place) == CRN_ROUTE_NONE;
        if (step == CRN_ROUTE_NONE && !lost) return false;
        if (step == d) return !lost;
    }
    return step == CRN_ROUTE_NONE || step == CRN_ROUTE_HERE;
}

/* Does the path from a cell, all of whose steps are allowed, lead to the node? No path is longer
 * than the number of cells. */
static bool routes_arrive(routes_check *check, uint32_t place)
{
    const uint32_t width = check->area.width;
    uint32_t at = place, left = width * check->area.height, step;
    for (; !check->safe[at] && left; left--) {
        step = crn_route(check->words, check->first + at);
        if (step >= CRN_DIRECTIONS) break;
        at += (uint32_t)(crn_dx[step] + crn_dy[step] * (int32_t)width);
    }
    if (!left) return false;
    for (; !check->safe[place]; place += (uint32_t)(crn_dx[step] + crn_dy[step] * (int32_t)width)) {
        check->safe[place] = true;
        step = crn_route(check->words, check->first + place);
        if (step >= CRN_DIRECTIONS) break;
    }
    return true;
}

static bool routes_right(routes_check *check)
{
    crn_area area = check->area;
    memset(check->safe, 0, sizeof check->safe);
    for (uint32_t i = 0; i < area.width * area.height; i++) {
        uint32_t x = area.left + i % area.width, y = area.top + i / area.width;
        if (!routes_allowed(check, x, y, crn_route(check->words, check->first + i))) return false;
    }
    for (uint32_t i = 0; i < area.width * area.height; i++) {
        if (!routes_arrive(check, i)) return false;
    }
    return true;
}

/* Checks all routes of a cluster. The rest of the last word must be empty. */
static bool routes_cluster_right(routes_job *job, routes_check *check, uint32_t cluster,
                                 uint32_t size)
{
    crn_area area = crn_clusters_area(&job->index->graph.clusters, cluster);
    uint32_t count, cells = area.width * area.height;
    const crn_hpa_member *members = crn_hpa_members(&job->index->graph, cluster, &count);
    bool right = true;
    check->area = area;
    crn_hpa_ground_show(job->ground, &job->index->graph, cluster);
    for (uint32_t i = 0; i < count && right; i++) {
        check->first = i * cells;
        check->node = members[i].cell;
        right = routes_right(check);
    }
    for (uint32_t i = count * cells; i < size * ROUTES_IN_ITEM; i++) {
        right = right && crn_route(check->words, i) == 0;
    }
    return right;
}

/* May a path inside a cluster cost more than 32 bits hold? Then some cells have none, though a
 * neighbour has one. */
static bool routes_may_overflow(const crn_dhpa *index, uint32_t cluster)
{
    crn_area area = crn_clusters_area(&index->graph.clusters, cluster);
    return (uint64_t)index->graph.clusters.space->base.max_step * area.width * area.height >
           CAIRN_COST_MAX;
}

/* Checking which cells these are is as much work as finding them, so only what a build makes is
 * accepted. */
static cairn_status routes_compare(routes_job *job, uint32_t cluster, const uint32_t *words,
                                   uint32_t size)
{
    cairn_status status = routes_make(job, cluster);
    if (status != CAIRN_OK || !size) return status;
    bool same = !memcmp(crn_dhpa_routes(job->index, cluster), words, size * ROUTES_ITEM);
    return same ? CAIRN_OK : CAIRN_BAD_DATA;
}

static cairn_status routes_take(routes_job *job, routes_check *check, uint32_t cluster,
                                uint32_t size)
{
    if (routes_may_overflow(job->index, cluster))
        return routes_compare(job, cluster, check->words, size);
    if (!routes_cluster_right(job, check, cluster, size)) return CAIRN_BAD_DATA;
    return crn_lists_set(&job->index->routes, cluster, check->words, size) ? CAIRN_OK
                                                                           : CAIRN_OUT_OF_MEMORY;
}

static cairn_status routes_read(crn_dhpa *index, const uint32_t *words, size_t size)
{
    routes_job job;
    size_t done = 0;
    cairn_status status = routes_job_open(&job, index, NULL);
    if (status != CAIRN_OK) return status;
    routes_check *check = crn_scratch_alloc(&job.memory, sizeof *check);
    if (!check) status = CAIRN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < routes_clusters(index) && status == CAIRN_OK; i++) {
        uint32_t need = routes_size(index, i);
        if (need > size - done) {
            status = CAIRN_BAD_DATA;
            break;
        }
        check->space = &job.ground->part.space;
        check->words = words + 2 * done;
        status = routes_take(&job, check, i, need);
        done += need;
    }
    crn_scratch_free(&job.memory, check, sizeof *check);
    routes_job_close(&job);
    return status == CAIRN_OK && done != size ? CAIRN_BAD_DATA : status;
}

cairn_status crn_dhpa_load(crn_dhpa *index, const crn_grid_space *space,
                           const crn_hpa_options *options, const cairn_archive *archive,
                           cairn_error *error)
{
    size_t size = 0;
    const uint32_t *words = cairn_archive_section(archive, ROUTES_SECTION, 4, &size);
    cairn_status status = crn_hpa_load(&index->graph, space, options, archive, error);
    if (status != CAIRN_OK) return status;
    status = words && size % ROUTES_ITEM == 0 ? routes_open(index) : CAIRN_BAD_DATA;
    if (status == CAIRN_OK) status = routes_read(index, words, size / ROUTES_ITEM);
    index->costliest = crn_hpa_costliest(&index->graph);
    if (status == CAIRN_OK) return status;
    crn_dhpa_drop(index);
    if (status == CAIRN_BAD_DATA)
        return crn_fail(error, status, 0, "the routes do not fit the map");
    return routes_say(status, error);
}
