/* cluster_table_index.c: making clusters, filling their table, files. See
 * heuristic/cluster_table.h. */
#include "heuristic/cluster_table.h"
#include "search/best_first.h"
#include "world/grid_space.h"

#define CLUSTER_INDEX_SLICE 65536u /* units of work between two reports */
/* side of the squares by default, ... */
#define CLUSTER_INDEX_LEAST 8u
#define CLUSTER_INDEX_USUAL 256u /* ... and this many squares or balls at most */
#define CLUSTER_INDEX_NODES "index.groups"
#define CLUSTER_INDEX_COSTS "index.costs"

/* Work on clusters and table. */
typedef struct cluster_index_job {
    crn_cluster_table *table;
    cairn_space *space;
    uint32_t width, side;   /* of a grid, and of its squares; 0 on graphs */
    uint32_t full;          /* nodes of a full cluster */
    uint32_t rest, in_rest; /* the cluster that small parts go into; how many nodes it has */
    /* one for each node: a queue; then all of them, cluster by cluster, ... */
    cairn_node *nodes;
    uint32_t *first;        /* ... each from here on; one more than there are clusters */
    cairn_cost *least;      /* of each cluster, from the one that is being searched from */
    cairn_planner *planner; /* dijkstra */
    cairn_search *search;
    uint64_t work; /* of the searches, and one for each node */
    const cairn_progress *progress;
} cluster_index_job;

/* ---- how many clusters ---- */

uint64_t crn_cluster_table_parts(const cairn_space *space, uint32_t size)
{
    const cairn_grid *grid = cairn_space_grid(space);
    if (!grid) return space->node_count / ((uint64_t)size * size) + 1;
    return (uint64_t)((grid->width + size - 1) / size) * ((grid->height + size - 1) / size);
}

uint32_t crn_cluster_table_size(const cairn_space *space)
{
    uint32_t size = CLUSTER_INDEX_LEAST;
    while (crn_cluster_table_parts(space, size) > CLUSTER_INDEX_USUAL) size++;
    return size;
}

/* ---- clusters that are given ---- */

/* Gives each number the next one that is free; returns how many there are. */
static uint32_t cluster_plan_number(uint16_t *clusters, uint32_t nodes, uint16_t *numbers)
{
    uint32_t count = 0;
    memset(numbers, 0xff, CRN_NO_CLUSTER * sizeof *numbers);
    for (cairn_node node = 0; node < nodes; node++) {
        if (clusters[node] == CRN_NO_CLUSTER) continue;
        uint16_t *number = &numbers[clusters[node]];
        if (*number == CRN_NO_CLUSTER) *number = (uint16_t)count++;
        clusters[node] = *number;
    }
    return count;
}

cairn_status crn_cluster_plan_give(crn_cluster_plan *plan, const cairn_space *space,
                                   const uint16_t *clusters, cairn_error *error)
{
    cairn_context *context = space->context;
    uint32_t nodes = clusters ? space->node_count : 0;
    size_t bytes = crn_mul_size(nodes, sizeof *clusters), size = CRN_NO_CLUSTER * sizeof *clusters;
    uint16_t *copy = crn_alloc(context, bytes), *numbers = crn_alloc(context, size);
    uint32_t count = 0;
    if (copy && numbers && nodes) {
        memcpy(copy, clusters, bytes);
        count = cluster_plan_number(copy, nodes, numbers);
    }
    bool enough = (copy || !bytes) && numbers;
    crn_free(context, numbers, size);
    if (!enough || count > CRN_CLUSTER_TABLE_GIVEN) {
        crn_free(context, copy, bytes);
        if (!enough) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the clusters");
        return crn_fail(error, CAIRN_UNSUPPORTED, 0, "%u clusters are too many: at most %u", count,
                        CRN_CLUSTER_TABLE_GIVEN);
    }
    crn_cluster_plan_drop(plan, context);
    plan->given = copy;
    plan->given_nodes = nodes;
    plan->given_count = count;
    return CAIRN_OK;
}

void crn_cluster_plan_drop(crn_cluster_plan *plan, cairn_context *context)
{
    crn_free(context, plan->given, plan->given_nodes * sizeof *plan->given);
    plan->given = NULL;
    plan->given_nodes = plan->given_count = 0;
}

/* ---- clusters ---- */

static bool cluster_index_same_square(const cluster_index_job *job, cairn_node a, cairn_node b)
{
    uint32_t width = job->width, side = job->side;
    return a % width / side == b % width / side && a / width / side == b / width / side;
}

/* Puts a node into the next cluster, and the nodes without a cluster that it leads to: on grids
 * those in the same square, on graphs as many as there is room for. Returns how many there are. */
static uint32_t cluster_index_flood(cluster_index_job *job, cairn_node from)
{
    enum { BATCH = 16 };
    const cairn_space *space = job->space;
    uint16_t *clusters = job->table->owned_clusters, cluster = (uint16_t)job->table->count;
    uint32_t head = 0, tail = 0;
    clusters[from] = cluster;
    job->nodes[tail++] = from;
    while (head < tail) {
        cairn_node node = job->nodes[head++];
        cairn_edge edges[BATCH];
        for (uint32_t first = 0, count = BATCH; count == BATCH; first += BATCH) {
            count = space->functions->expand(space, node, first, edges, BATCH);
            for (uint32_t i = 0; i < count && tail < job->full; i++) {
                cairn_node to = edges[i].node;
                if (clusters[to] != CRN_NO_CLUSTER) continue;
                if (job->side && !cluster_index_same_square(job, from, to)) continue;
                clusters[to] = cluster;
                job->nodes[tail++] = to;
            }
        }
    }
    return tail;
}

/* Moves the nodes of the next cluster, which is too small, to the cluster of small parts. */
static void cluster_index_merge(cluster_index_job *job, uint32_t count)
{
    if (job->rest == CRN_NO_CLUSTER || job->in_rest + count > job->full) {
        job->rest = job->table->count++;
        job->in_rest = 0;
    }
    for (uint32_t i = 0; i < count; i++)
        job->table->owned_clusters[job->nodes[i]] = (uint16_t)job->rest;
    job->in_rest += count;
}

/* A node that may have no cluster yet. */
static void cluster_index_visit(cluster_index_job *job, cairn_node node)
{
    if (job->table->owned_clusters[node] != CRN_NO_CLUSTER) return;
    if (!job->space->functions->usable(job->space, node)) return;
    uint32_t count = cluster_index_flood(job, node);
    if (count < (job->full + 3) / 4) {
        cluster_index_merge(job, count);
    } else {
        job->table->count++;
    }
}

static void cluster_index_divide_graph(cluster_index_job *job, uint32_t full)
{
    job->full = full;
    job->rest = CRN_NO_CLUSTER;
    for (cairn_node node = 0; node < job->space->node_count; node++) cluster_index_visit(job, node);
}

static void cluster_index_divide_square(cluster_index_job *job, uint32_t left, uint32_t top,
                                        uint32_t height)
{
    uint32_t right = crn_min_u32(left + job->side, job->width),
             bottom = crn_min_u32(top + job->side, height);
    job->full = (right - left) * (bottom - top);
    job->rest = CRN_NO_CLUSTER;
    for (uint32_t y = top; y < bottom; y++) {
        for (uint32_t x = left; x < right; x++) cluster_index_visit(job, y * job->width + x);
    }
}

static void cluster_index_divide_grid(cluster_index_job *job, const cairn_grid *grid, uint32_t side)
{
    job->width = grid->width;
    job->side = side;
    for (uint32_t top = 0; top < grid->height; top += side) {
        for (uint32_t left = 0; left < grid->width; left += side)
            cluster_index_divide_square(job, left, top, grid->height);
    }
}

/* Lists the nodes cluster by cluster. First the end of each list is counted; then each is filled
 * from its end. */
static void cluster_index_list(cluster_index_job *job)
{
    const crn_cluster_table *table = job->table;
    for (cairn_node node = 0; node < table->node_count; node++) {
        if (table->clusters[node] != CRN_NO_CLUSTER) job->first[table->clusters[node]]++;
    }
    for (uint32_t i = 1; i <= table->count; i++) job->first[i] += job->first[i - 1];
    for (cairn_node node = table->node_count; node-- > 0;) {
        if (table->clusters[node] != CRN_NO_CLUSTER)
            job->nodes[--job->first[table->clusters[node]]] = node;
    }
}

/* ---- the table ---- */

/* Nodes whose clusters are done, and those that have none. */
static bool cluster_index_report(const cluster_index_job *job, uint32_t cluster)
{
    uint32_t total = job->table->node_count, blocked = total - job->first[job->table->count];
    return crn_progress(job->progress, blocked + job->first[cluster], total);
}

static void cluster_index_note_cost(void *user, cairn_node node, cairn_cost cost)
{
    cluster_index_job *job = user;
    cairn_cost *least = &job->least[job->table->clusters[node]];
    if (cost < *least) *least = cost;
}

/* Fills in the costs from a cluster to all others. */
static cairn_status cluster_index_search(cluster_index_job *job, uint32_t cluster)
{
    uint32_t count = job->table->count, begin = job->first[cluster], end = job->first[cluster + 1];
    cairn_query query = {.from = job->nodes[begin], .goal_kind = CAIRN_GOAL_NONE};
    cairn_status status = cairn_search_begin(job->search, &query);
    if (status == CAIRN_RUNNING)
        crn_best_first_begin_too(job->search, job->nodes + begin + 1, end - begin - 1);
    while (status == CAIRN_RUNNING) {
        if (!cluster_index_report(job, cluster)) return CAIRN_CANCELLED;
        status = cairn_search_step(job->search, CLUSTER_INDEX_SLICE);
    }
    job->work += cairn_search_metrics(job->search).work;
    /* Nodes that cost more than 32 bits hold are not reached. */
    if (status != CAIRN_FOUND && status != CAIRN_COST_OVERFLOW) return status;
    memset(job->least, 0xff, count * sizeof *job->least);
    status = cairn_search_reached(job->search, cluster_index_note_cost, job);
    for (uint32_t to = 0; to < count; to++)
        job->table->owned_costs[(size_t)to * count + cluster] = job->least[to];
    return status;
}

/* ---- building ---- */

static size_t cluster_index_costs_bytes(const crn_cluster_table *table)
{
    return crn_mul_size((size_t)table->count * table->count, sizeof *table->costs);
}

static cairn_status cluster_index_allocate_clusters(crn_cluster_table *table,
                                                    const cairn_space *space)
{
    size_t bytes = crn_mul_size(space->node_count, sizeof *table->clusters);
    *table = (crn_cluster_table){.node_count = space->node_count};
    table->clusters = table->owned_clusters = crn_alloc(space->context, bytes);
    if (!table->clusters) return CAIRN_OUT_OF_MEMORY;
    memset(table->owned_clusters, 0xff, bytes);
    return CAIRN_OK;
}

static cairn_status cluster_index_allocate_costs(crn_cluster_table *table, cairn_context *context)
{
    size_t bytes = cluster_index_costs_bytes(table);
    table->costs = table->owned_costs = crn_alloc(context, bytes);
    if (!table->costs) return CAIRN_OUT_OF_MEMORY;
    memset(table->owned_costs, 0xff, bytes);
    return CAIRN_OK;
}

/* What is needed when the clusters are known. */
static cairn_status cluster_index_prepare(cluster_index_job *job)
{
    cairn_context *context = job->space->context;
    uint32_t count = job->table->count;
    cairn_status status = cluster_index_allocate_costs(job->table, context);
    if (status != CAIRN_OK) return status;
    job->first = crn_alloc_zero(context, (count + 1) * sizeof *job->first);
    job->least = crn_alloc(context, count * sizeof *job->least);
    if (!job->first || !job->least) return CAIRN_OUT_OF_MEMORY;
    status = cairn_planner_create(job->space, "dijkstra", &job->planner, NULL);
    return status == CAIRN_OK ? cairn_search_create(job->planner, NULL, &job->search) : status;
}

/* Clusters that are given come first; who is in one is not divided any more. */
static void cluster_index_take(cluster_index_job *job, const crn_cluster_plan *plan)
{
    const cairn_space *space = job->space;
    job->table->count = plan->given_count;
    for (cairn_node node = 0; node < plan->given_nodes && node < space->node_count; node++) {
        if (space->functions->usable(space, node))
            job->table->owned_clusters[node] = plan->given[node];
    }
}

static cairn_status cluster_index_fill(cluster_index_job *job, const crn_cluster_plan *plan)
{
    const cairn_grid *grid = cairn_space_grid(job->space);
    cluster_index_take(job, plan);
    if (grid) {
        cluster_index_divide_grid(job, grid, plan->size);
    } else {
        cluster_index_divide_graph(job, plan->size * plan->size);
    }
    if (!job->table->count) job->table->count = 1; /* an empty one: tables have a size */
    cairn_status status = cluster_index_prepare(job);
    if (status != CAIRN_OK) return status;
    cluster_index_list(job);
    for (uint32_t i = 0; i < job->table->count && status == CAIRN_OK; i++) {
        if (job->first[i] < job->first[i + 1]) status = cluster_index_search(job, i);
    }
    if (status != CAIRN_OK) return status;
    return cluster_index_report(job, job->table->count) ? CAIRN_OK : CAIRN_CANCELLED;
}

cairn_status crn_cluster_table_build(crn_cluster_table *table, cairn_space *space,
                                     const crn_cluster_plan *plan, const cairn_progress *progress,
                                     cairn_error *error)
{
    cairn_context *context = space->context;
    cluster_index_job job = {
        .table = table, .space = space, .work = space->node_count, .progress = progress};
    size_t bytes = crn_mul_size(space->node_count, sizeof *job.nodes);
    cairn_status status = cluster_index_allocate_clusters(table, space);
    if (status == CAIRN_OK) {
        job.nodes = crn_alloc(context, bytes);
        status = job.nodes ? cluster_index_fill(&job, plan) : CAIRN_OUT_OF_MEMORY;
    }
    cairn_search_destroy(job.search);
    cairn_planner_destroy(job.planner);
    crn_free(context, job.first, (table->count + 1) * sizeof *job.first);
    crn_free(context, job.least, table->count * sizeof *job.least);
    crn_free(context, job.nodes, bytes);
    table->work = job.work;
    if (status == CAIRN_OK) return status;
    crn_cluster_table_drop(table, context);
    return crn_fail(error, status, 0, "%s",
                    status == CAIRN_CANCELLED ? "the build was cancelled"
                                              : "no memory for the table of clusters");
}

void crn_cluster_table_drop(crn_cluster_table *table, cairn_context *context)
{
    crn_free(context, table->owned_clusters, table->node_count * sizeof *table->clusters);
    crn_free(context, table->owned_costs, cluster_index_costs_bytes(table));
    *table = (crn_cluster_table){0};
}

size_t crn_cluster_table_bytes(const crn_cluster_table *table)
{
    return offsetof(crn_cluster_table, work) + table->node_count * sizeof *table->clusters +
           cluster_index_costs_bytes(table);
}

/* ---- saving and loading ---- */

cairn_status crn_cluster_table_save(const crn_cluster_table *table, cairn_store *store,
                                    cairn_error *error)
{
    cairn_status status = cairn_store_add(
        store, CLUSTER_INDEX_NODES,
        (cairn_bytes){table->clusters, table->node_count * sizeof *table->clusters}, 2, true);
    if (status == CAIRN_OK) {
        status =
            cairn_store_add(store, CLUSTER_INDEX_COSTS,
                            (cairn_bytes){table->costs, cluster_index_costs_bytes(table)}, 4, true);
    }
    return status == CAIRN_OK
               ? status
               : crn_fail(error, status, 0, "the table of clusters cannot be added to the file");
}

/* Does every usable node belong to a cluster, and no other one? */
static bool cluster_index_makes_sense(const uint16_t *clusters, uint32_t count,
                                      const cairn_space *space)
{
    for (cairn_node node = 0; node < space->node_count; node++) {
        bool stands = space->functions->usable(space, node);
        if (stands ? clusters[node] >= count : clusters[node] != CRN_NO_CLUSTER) return false;
    }
    return true;
}

static cairn_status cluster_index_copy(crn_cluster_table *table, const cairn_space *space,
                                       const uint16_t *clusters, const cairn_cost *costs,
                                       uint32_t count)
{
    cairn_status status = cluster_index_allocate_clusters(table, space);
    if (status != CAIRN_OK) return status;
    memcpy(table->owned_clusters, clusters, space->node_count * sizeof *clusters);
    table->count = count;
    status = cluster_index_allocate_costs(table, space->context);
    if (status == CAIRN_OK) memcpy(table->owned_costs, costs, cluster_index_costs_bytes(table));
    return status;
}

cairn_status crn_cluster_table_load(crn_cluster_table *table, const cairn_space *space,
                                    const cairn_archive *archive, bool borrow, cairn_error *error)
{
    size_t clusters_bytes = 0, costs_bytes = 0;
    const uint16_t *clusters =
        cairn_archive_section(archive, CLUSTER_INDEX_NODES, 2, &clusters_bytes);
    const cairn_cost *costs = cairn_archive_section(archive, CLUSTER_INDEX_COSTS, 4, &costs_bytes);
    uint32_t count = 0;
    while (count < CRN_NO_CLUSTER && (uint64_t)count * count * sizeof *costs < costs_bytes) count++;
    if (!clusters || clusters_bytes != crn_mul_size(space->node_count, sizeof *clusters) ||
        !costs || costs_bytes != (uint64_t)count * count * sizeof *costs ||
        !cluster_index_makes_sense(clusters, count, space)) {
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the table of clusters is missing or makes no sense");
    }
    if (borrow) {
        *table = (crn_cluster_table){
            .clusters = clusters, .costs = costs, .node_count = space->node_count, .count = count};
        return CAIRN_OK;
    }
    if (cluster_index_copy(table, space, clusters, costs, count) == CAIRN_OK) return CAIRN_OK;
    crn_cluster_table_drop(table, space->context);
    return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the table of clusters");
}
