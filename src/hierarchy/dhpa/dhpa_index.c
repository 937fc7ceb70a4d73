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

/* In a file, in items: what the routes of a cluster need. */
static uint32_t routes_size(const crn_dhpa *index, uint32_t cluster)
{
    crn_area area = crn_clusters_area(&index->graph.clusters, cluster);
    uint32_t count = crn_lists_count(&index->graph.members, cluster);
    return (count * area.width * area.height + ROUTES_IN_ITEM - 1) / ROUTES_IN_ITEM;
}

/* A step out of a file. */
static uint32_t routes_read_step(const uint32_t *words, size_t place)
{
    return words[place / 8] >> place % 8 * 4 & 15;
}

static cairn_status routes_say(cairn_status status, cairn_error *error)
{
    if (status == CAIRN_CANCELLED) return crn_fail(error, status, 0, "making routes was cancelled");
    if (status == CAIRN_OUT_OF_MEMORY) return crn_fail(error, status, 0, "no memory for routes");
    return status;
}

/* ---- making them ---- */

/* Costs of the cells of a cluster, with a margin round them. */
#define ROUTES_COSTS ((CRN_CLUSTER_SIZE_MAX + 2) * (CRN_CLUSTER_SIZE_MAX + 2))

typedef struct routes_job {
    crn_dhpa *index;
    crn_scratch memory;
    crn_hpa_ground own, *ground; /* what clusters are searched with */
    crn_packer *packer;
    crn_open_routes open; /* those under construction */
    size_t capacity;      /* of their steps */
    cairn_cost *costs;
} routes_job;

static void routes_job_close(routes_job *job)
{
    crn_hpa_ground_show(job->ground, &job->index->graph, CAIRN_NO_NODE);
    if (job->ground == &job->own) crn_hpa_ground_close(&job->own);
    crn_packer_close(job->packer);
    crn_scratch_free(&job->memory, job->costs, ROUTES_COSTS * sizeof *job->costs);
    crn_scratch_free(&job->memory, job->open.steps, job->capacity);
}

/* `ground` NULL: its own. */
static cairn_status routes_job_open(routes_job *job, crn_dhpa *index, crn_hpa_ground *ground)
{
    const crn_grid_space *space = index->graph.clusters.space;
    *job = (routes_job){.index = index,
                        .memory = {.context = space->base.context},
                        .ground = ground ? ground : &job->own,
                        .open = {.space = space}};
    cairn_status status =
        ground ? CAIRN_OK : crn_hpa_ground_open(&job->own, &job->memory, NULL, space);
    if (status == CAIRN_OK) {
        job->packer = crn_packer_open(&job->memory);
        job->costs = crn_scratch_alloc(&job->memory, ROUTES_COSTS * sizeof *job->costs);
        if (!job->packer || !job->costs) status = CAIRN_OUT_OF_MEMORY;
    }
    if (status != CAIRN_OK) routes_job_close(job);
    return status;
}

static uint32_t routes_steps(const crn_open_routes *open)
{
    return open->count * open->area.width * open->area.height;
}

/* Turns to the routes of a cluster; false = no memory. */
static bool routes_turn_to(routes_job *job, uint32_t cluster)
{
    crn_open_routes *open = &job->open;
    open->area = crn_clusters_area(&job->index->graph.clusters, cluster);
    open->members = crn_hpa_members(&job->index->graph, cluster, &open->count);
    void *steps = open->steps;
    bool ok = crn_scratch_grow(&job->memory, &steps, &job->capacity, routes_steps(open), 1);
    open->steps = steps;
    return ok;
}

/* Gives a cluster the routes that were found. */
static cairn_status routes_set(routes_job *job, uint32_t cluster)
{
    crn_dhpa *index = job->index;
    crn_routes **place = &index->routes[cluster], *before = *place, *after = NULL;
    if (job->open.count && !(after = crn_routes_pack(job->packer, &job->open)))
        return CAIRN_OUT_OF_MEMORY;
    size_t old = before ? before->size : 0;
    index->paths -= before && crn_routes_are_paths(before);
    index->paths += after && crn_routes_are_paths(after);
    crn_free(job->memory.context, before, old);
    index->route_bytes += (after ? after->size : 0) - old;
    *place = after;
    return CAIRN_OK;
}

/* Where the costs of a row of cells stand; y counts from the top of the area. */
static cairn_cost *routes_costs(const routes_job *job, uint32_t y)
{
    return job->costs + (y + 1) * (job->open.area.width + 2) + 1;
}

/* After a search: notes its costs. A row of cells is one word at most. */
static void routes_note_costs(routes_job *job)
{
    crn_area area = job->open.area;
    const crn_grid_space *space = job->open.space;
    memset(job->costs, 0xff, (size_t)(area.width + 2) * (area.height + 2) * sizeof *job->costs);
    for (uint32_t y = 0; y < area.height; y++) {
        cairn_cost *costs = routes_costs(job, y);
        cairn_node first = (area.top + y) * space->grid->width + area.left;
        uint64_t cells =
            crn_bits_word(&space->usable, (int32_t)area.left, (int32_t)(area.top + y)) &
            UINT64_MAX >> (CRN_CLUSTER_SIZE_MAX - area.width);
        for (; cells; cells &= cells - 1) {
            uint32_t x = crn_lowest_bit(cells);
            costs[x] = crn_subsearch_cost(&job->ground->subsearch, first + x);
        }
    }
}

/* Is the reverse of the step from a cell in a direction the last step of the cheapest path to the
 * cell? `costs` begins with the cost of the cell. */
static bool routes_continue(const routes_job *job, const cairn_cost *costs, cairn_cell cell,
                            uint32_t direction)
{
    const crn_grid_space *space = &job->ground->part.space;
    int32_t dx = crn_dx[direction], dy = crn_dy[direction];
    uint32_t width = space->grid->width, x = (uint32_t)cell.x, y = (uint32_t)cell.y,
             bx = x + (uint32_t)dx, by = y + (uint32_t)dy;
    uint64_t cost = costs[dx + dy * ((int32_t)job->open.area.width + 2)];
    if (cost == CAIRN_NO_COST) return false;
    /* as long as the step back */
    cost += crn_grid_step_cost(space, by * width + bx, y * width + x, direction);
    return cost == *costs && (!space->limited || crn_grid_can_step(space, bx, by, x, y));
}

/* After a search from a node: the step from a cell towards it. `costs` begins with the cost of the
 * cell. */
static uint32_t routes_step(const routes_job *job, const cairn_cost *costs, uint32_t x, uint32_t y)
{
    if (*costs == CAIRN_NO_COST) return CRN_ROUTE_NONE;
    if (*costs == 0) return CRN_ROUTE_HERE;
    uint32_t moves = crn_grid_moves(&job->ground->part.space, x, y);
    for (; moves; moves &= moves - 1) {
        uint32_t direction = crn_lowest_bit(moves);
        if (routes_continue(job, costs, (cairn_cell){(int32_t)x, (int32_t)y}, direction))
            return direction;
    }
    return CRN_ROUTE_NONE;
}

/* The routes to the i-th node. */
static void routes_write(routes_job *job, uint32_t i)
{
    crn_area area = job->open.area;
    uint8_t *steps = job->open.steps + (size_t)i * area.width * area.height;
    routes_note_costs(job);
    for (uint32_t y = 0; y < area.height; y++) {
        const cairn_cost *costs = routes_costs(job, y);
        for (uint32_t x = 0; x < area.width; x++)
            *steps++ = (uint8_t)routes_step(job, costs + x, area.left + x, area.top + y);
    }
}

/* Finds the routes of a cluster. */
static cairn_status routes_find(routes_job *job, uint32_t cluster)
{
    if (!routes_turn_to(job, cluster)) return CAIRN_OUT_OF_MEMORY;
    crn_hpa_ground_show(job->ground, &job->index->graph, cluster);
    for (uint32_t i = 0; i < job->open.count; i++) {
        if (crn_subsearch_find(&job->ground->subsearch, job->open.members[i].cell, CAIRN_NO_NODE) ==
            CAIRN_OUT_OF_MEMORY)
            return CAIRN_OUT_OF_MEMORY;
        routes_write(job, i);
    }
    return CAIRN_OK;
}

static cairn_status routes_make(routes_job *job, uint32_t cluster)
{
    cairn_status status = routes_find(job, cluster);
    return status == CAIRN_OK ? routes_set(job, cluster) : status;
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

/* No cluster has any yet. */
static cairn_status routes_open(crn_dhpa *index)
{
    index->routes = crn_alloc_zero(index->graph.abstract.context,
                                   crn_mul_size(routes_clusters(index), sizeof *index->routes));
    return index->routes ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

static void routes_close(crn_dhpa *index)
{
    cairn_context *context = index->graph.abstract.context;
    if (!index->routes) return;
    for (uint32_t i = 0; i < routes_clusters(index); i++) {
        if (index->routes[i]) crn_free(context, index->routes[i], index->routes[i]->size);
    }
    crn_free(context, index->routes, routes_clusters(index) * sizeof *index->routes);
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
    if (status == CAIRN_OK && !crn_hpa_trim(&index->graph)) status = CAIRN_OUT_OF_MEMORY;
    if (status != CAIRN_OK) crn_dhpa_drop(index);
    return routes_say(status, error);
}

void crn_dhpa_drop(crn_dhpa *index)
{
    routes_close(index);
    crn_hpa_drop(&index->graph);
    *index = (crn_dhpa){0};
}

size_t crn_dhpa_bytes(const crn_dhpa *index)
{
    size_t places = index->routes ? routes_clusters(index) * sizeof *index->routes : 0;
    return crn_hpa_bytes(&index->graph) + places + index->route_bytes;
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
    status = routes_job_open(&job, index, crn_hpa_repair_ground(&index->graph));
    if (status == CAIRN_OK) status = routes_make_some(&job, clusters, count, &reports);
    return routes_say(status, error);
}

/* ---- files ---- */

/* Finds the routes of a cluster again: those that are packed, or all. */
static cairn_status routes_recall(routes_job *job, uint32_t cluster)
{
    const crn_routes *routes = job->index->routes[cluster];
    if (routes && crn_routes_are_paths(routes)) return routes_find(job, cluster);
    if (!routes_turn_to(job, cluster)) return CAIRN_OUT_OF_MEMORY;
    if (routes) crn_routes_unpack(routes, &job->open);
    return CAIRN_OK;
}

/* Writes the routes of all clusters, whose words are zero. */
static cairn_status routes_write_words(const crn_dhpa *index, uint32_t *words)
{
    routes_job job;
    cairn_status status = routes_job_open(&job, (crn_dhpa *)(uintptr_t)index, NULL);
    if (status != CAIRN_OK) return status;
    for (uint32_t i = 0; i < routes_clusters(index) && status == CAIRN_OK; i++) {
        status = routes_recall(&job, i);
        for (uint32_t k = 0; k < routes_steps(&job.open) && status == CAIRN_OK; k++)
            words[k / 8] |= (uint32_t)job.open.steps[k] << k % 8 * 4;
        words += 2 * routes_size(index, i);
    }
    routes_job_close(&job);
    return status;
}

cairn_status crn_dhpa_save(const crn_dhpa *index, cairn_store *store, cairn_error *error)
{
    cairn_context *context = index->graph.abstract.context;
    size_t size = 0;
    for (uint32_t i = 0; i < routes_clusters(index); i++) size += routes_size(index, i);
    cairn_status status = crn_hpa_save(&index->graph, store, error);
    if (status != CAIRN_OK) return status;
    uint32_t *all = crn_alloc_zero(context, (size + 1) * ROUTES_ITEM);
    status = all ? routes_write_words(index, all) : CAIRN_OUT_OF_MEMORY;
    if (status == CAIRN_OK)
        status = cairn_store_add(store, ROUTES_SECTION, (cairn_bytes){all, size * ROUTES_ITEM}, 4,
                                 false);
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

/* The place of a cell in the cluster. */
static uint32_t routes_place(const routes_check *check, uint32_t x, uint32_t y)
{
    return (y - check->area.top) * check->area.width + x - check->area.left;
}

/* May the cell have this step? It must lead to a cell from which one can come back, and none may be
 * missing: of two cells with a step between them both or none have a path to the node. */
static bool routes_allowed(const routes_check *check, uint32_t x, uint32_t y, uint32_t step)
{
    const crn_grid_space *space = check->space;
    cairn_node cell = y * space->grid->width + x;
    if (!crn_bit(&space->usable, (int32_t)x, (int32_t)y)) return step == CRN_ROUTE_NONE;
    if ((step == CRN_ROUTE_HERE) != (cell == check->node)) return false;
    uint32_t moves = crn_grid_moves(space, x, y);
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        if (!(moves >> d & 1)) continue;
        uint32_t bx = (uint32_t)((int32_t)x + crn_dx[d]), by = (uint32_t)((int32_t)y + crn_dy[d]);
        if (space->limited && !crn_grid_can_step(space, bx, by, x, y)) continue;
        uint32_t place = check->first + routes_place(check, bx, by);
        bool lost = routes_read_step(check->words, place) == CRN_ROUTE_NONE;
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
        step = routes_read_step(check->words, check->first + at);
        if (step >= CRN_DIRECTIONS) break;
        at += (uint32_t)(crn_dx[step] + crn_dy[step] * (int32_t)width);
    }
    if (!left) return false;
    for (; !check->safe[place]; place += (uint32_t)(crn_dx[step] + crn_dy[step] * (int32_t)width)) {
        check->safe[place] = true;
        step = routes_read_step(check->words, check->first + place);
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
        if (!routes_allowed(check, x, y, routes_read_step(check->words, check->first + i)))
            return false;
    }
    for (uint32_t i = 0; i < area.width * area.height; i++) {
        if (!routes_arrive(check, i)) return false;
    }
    return true;
}

/* Checks all routes of a cluster. */
static bool routes_cluster_right(routes_job *job, routes_check *check, uint32_t cluster)
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
 * accepted. The same holds where routes are searched for. */
static cairn_status routes_compare(routes_job *job, const routes_check *check, uint32_t cluster)
{
    cairn_status status = routes_find(job, cluster);
    for (uint32_t i = 0; i < routes_steps(&job->open) && status == CAIRN_OK; i++) {
        if (job->open.steps[i] != routes_read_step(check->words, i)) return CAIRN_BAD_DATA;
    }
    return status;
}

static cairn_status routes_accept(routes_job *job, routes_check *check, uint32_t cluster)
{
    if (!routes_cluster_right(job, check, cluster)) return CAIRN_BAD_DATA;
    if (!routes_turn_to(job, cluster)) return CAIRN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < routes_steps(&job->open); i++)
        job->open.steps[i] = (uint8_t)routes_read_step(check->words, i);
    return CAIRN_OK;
}

/* The rest of the last word must be empty. */
static cairn_status routes_take(routes_job *job, routes_check *check, uint32_t cluster,
                                uint32_t size)
{
    bool overflows = routes_may_overflow(job->index, cluster);
    cairn_status status =
        overflows ? routes_compare(job, check, cluster) : routes_accept(job, check, cluster);
    for (uint32_t i = routes_steps(&job->open); i < size * ROUTES_IN_ITEM; i++) {
        if (status == CAIRN_OK && routes_read_step(check->words, i)) status = CAIRN_BAD_DATA;
    }
    if (status == CAIRN_OK) status = routes_set(job, cluster);
    const crn_routes *routes = job->index->routes[cluster];
    bool searched = status == CAIRN_OK && routes && crn_routes_are_paths(routes);
    return searched && !overflows ? routes_compare(job, check, cluster) : status;
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
    if (status == CAIRN_OK && !crn_hpa_trim(&index->graph)) status = CAIRN_OUT_OF_MEMORY;
    if (status == CAIRN_OK) return status;
    crn_dhpa_drop(index);
    if (status == CAIRN_BAD_DATA)
        return crn_fail(error, status, 0, "the routes do not fit the map");
    return routes_say(status, error);
}
