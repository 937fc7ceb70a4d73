/* cluster_table.c: A* with the least costs between clusters.
 *
 * The map is cut into clusters, and the least cost of a path from each cluster to each other one is
 * computed once and kept in a table. Between nodes of different clusters the estimate is that of
 * the table; inside the goal's cluster it is the space's own. A table of a few hundred clusters
 * takes less memory than the cluster numbers of all cells, and still knows the walls between rooms.
 * But the estimate is the same for all nodes of a cluster, so inside of each the search spreads
 * like Dijkstra's. So the larger of the table's and the space's own estimate is used, unless the
 * table's alone is asked for, with the space's own or none at all inside the goal's cluster (slides
 * 79–102). Answers are optimal in all cases and in every space
 * (heuristic/cluster_table.h has the reason). The estimate is not consistent, so nodes are
 * reopened. The heap takes bands of keys in turn, so that this is rare (best_first_push_heap).
 *
 * Costs: 2 bytes a cell and 4 for each pair of clusters. Building takes one search of everything
 * for each cluster, and so does every change of the world.
 *
 * Source: lecture slides on pathfinding, "Cluster Heuristic" and "Fill Patterns in A*"; after
 * Millington and Funge, "Artificial Intelligence for Games", 2009. They fill the table by trials,
 * which may overestimate; here the least costs are exact.
 */
#include "heuristic/heuristic_check.h"
#include "heuristic/cluster_table.h"
#include "search/best_first.h"

static const char *const cluster_table_estimates[] = {"larger", "table", "null", NULL};

static const cairn_parameter cluster_table_parameters[] = {
    {"size", "side of a cluster, in cells; 0: at most 256 clusters", CAIRN_PARAMETER_INTEGER, 0,
     CRN_CLUSTER_TABLE_SIZE, 0, NULL},
    {"estimate", "larger of the table's and the default one; the table's; that, and 0 in a cluster",
     CAIRN_PARAMETER_CHOICE, CRN_CLUSTER_LARGER, CRN_CLUSTER_NULL, CRN_CLUSTER_LARGER,
     cluster_table_estimates},
    CRN_PARAMETER_BPMX,
};

/* What the planner keeps: the index, and settings that point to its plug. */
typedef struct cluster_table_data {
    crn_heuristic plug;
    crn_cluster_table table;
    crn_cluster_plan plan;
} cluster_table_data;

static cluster_table_data *cluster_table_data_of(const cairn_planner *planner)
{
    return (cluster_table_data *)(void *)((const crn_settings *)planner->index)->plug;
}

static crn_cluster_table *cluster_table_of(const cairn_planner *planner)
{
    return &cluster_table_data_of(planner)->table;
}

static uint32_t cluster_table_size(const cairn_planner *planner)
{
    uint32_t size = crn_parameter_of(planner, "size");
    return size ? size : crn_cluster_table_size(planner->space);
}

static cairn_status cluster_table_create(cairn_planner *planner, cairn_error *error)
{
    cairn_context *context = planner->space->context;
    if (crn_cluster_table_parts(planner->space, cluster_table_size(planner)) >
        CRN_CLUSTER_TABLE_PARTS) {
        return crn_fail(error, CAIRN_UNSUPPORTED, 0,
                        "clusters of this size would be more than %u here",
                        CRN_CLUSTER_TABLE_PARTS);
    }
    crn_settings preset = {.open = CRN_OPEN_HEAP,
                           .heuristic = CAIRN_HEURISTIC_AUTO,
                           .cost_weight = 1,
                           .estimate_weight = 256};
    cluster_table_data *data = crn_alloc_zero(context, sizeof *data);
    if (!data) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a planner");
    data->plug = crn_cluster_table_heuristic(
        &data->table, (crn_cluster_estimate)crn_parameter_of(planner, "estimate"));
    preset.plug = &data->plug;
    cairn_status status = crn_best_first_create(planner, &preset, error);
    if (status != CAIRN_OK) crn_free(context, data, sizeof *data);
    return status;
}

static void cluster_table_drop(cairn_planner *planner)
{
    crn_cluster_table_drop(cluster_table_of(planner), planner->space->context);
}

static void cluster_table_destroy(cairn_planner *planner)
{
    cluster_table_drop(planner);
    crn_cluster_plan_drop(&cluster_table_data_of(planner)->plan, planner->space->context);
    crn_free(planner->space->context, cluster_table_data_of(planner), sizeof(cluster_table_data));
    crn_best_first_destroy(planner);
}

static cairn_status cluster_table_build(cairn_planner *planner, const cairn_progress *progress,
                                        cairn_error *error)
{
    crn_cluster_plan *plan = &cluster_table_data_of(planner)->plan;
    plan->size = cluster_table_size(planner);
    return crn_cluster_table_build(cluster_table_of(planner), planner->space, plan, progress,
                                   error);
}

static cairn_status cluster_table_set_clusters(cairn_planner *planner, const uint16_t *clusters,
                                               cairn_error *error)
{
    return crn_cluster_plan_give(&cluster_table_data_of(planner)->plan, planner->space, clusters,
                                 error);
}

static size_t cluster_table_bytes(const cairn_planner *planner)
{
    return crn_cluster_table_bytes(cluster_table_of(planner));
}

static uint64_t cluster_table_work(const cairn_planner *planner)
{
    return cluster_table_of(planner)->work;
}

static cairn_status cluster_table_save(const cairn_planner *planner, cairn_store *store,
                                       cairn_error *error)
{
    return crn_cluster_table_save(cluster_table_of(planner), store, error);
}

static cairn_status cluster_table_load(cairn_planner *planner, const cairn_archive *archive,
                                       bool borrow, cairn_error *error)
{
    return crn_cluster_table_load(cluster_table_of(planner), planner->space, archive, borrow,
                                  error);
}

static void cluster_table_overlay(const cairn_planner *planner, uint32_t level,
                                  const cairn_overlay_sink *sink)
{
    const crn_cluster_table *table = cluster_table_of(planner);
    if (level > 1) return;
    for (cairn_node node = 0; node < table->node_count; node++) {
        if (table->clusters[node] == CRN_NO_CLUSTER) continue;
        cairn_overlay_item item = {
            .kind = CAIRN_OVERLAY_AREA, .level = 1, .node = node, .group = table->clusters[node]};
        sink->item(sink->user, &item);
    }
}

#if defined(CAIRN_CHECKS)
static const char *cluster_table_checked(const cairn_planner *planner, bool whole)
{
    return crn_cluster_table_check(cluster_table_of(planner), planner->space, whole);
}
#endif

static const crn_index_functions cluster_table_index = {
    .format = 1,
    .build = cluster_table_build,
    .drop = cluster_table_drop,
    .bytes = cluster_table_bytes,
    .work = cluster_table_work,
    .set_clusters = cluster_table_set_clusters,
    .save = cluster_table_save,
    .load = cluster_table_load,
    .check = CRN_CHECKED(cluster_table_checked),
    .overlay = cluster_table_overlay,
};

const crn_algorithm crn_algorithm_cluster_table = {
    .info = {.name = "cluster-table",
             .aliases = "cluster-heuristic",
             .summary = "A* with the least costs between clusters of cells: optimal",
             .source = "lecture slides: cluster heuristic",
             .family = "search",
             .flags = CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_NEEDS_INDEX,
             CRN_ALL_WORLDS,
             .parameters = cluster_table_parameters,
             .parameter_count = CRN_COUNT(cluster_table_parameters)},
    .create = cluster_table_create,
    CRN_BEST_FIRST_SEARCH_FUNCTIONS,
    .destroy = cluster_table_destroy,
    .index = &cluster_table_index,
};
