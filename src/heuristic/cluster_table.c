/* cluster_table.c: the least costs between clusters as a heuristic. See cluster_table.h. */
#include "heuristic/cluster_table.h"

/* Notes the cluster and, forward, the row of costs to it. */
static void cluster_table_bind(crn_estimate *estimate, const crn_aim *aim)
{
    const crn_cluster_table *table = estimate->data;
    uint32_t cluster = table->clusters[aim->nodes[0]];
    estimate->note.pointers[0] = table->costs + (size_t)cluster * table->count;
    estimate->note.numbers[4] = cluster;
}

CRN_INLINE cairn_cost cluster_table_cost(const crn_estimate *estimate, uint32_t cluster)
{
    const crn_cluster_table *table = estimate->data;
    const cairn_cost *to = estimate->note.pointers[0];
    if (CRN_LIKELY(!estimate->backward)) return to[cluster];
    return table->costs[(size_t)cluster * table->count + estimate->note.numbers[4]];
}

static uint64_t cluster_table_larger(const crn_estimate *estimate, cairn_node node, uint64_t metric)
{
    const crn_cluster_table *table = estimate->data;
    uint64_t cost = cluster_table_cost(estimate, table->clusters[node]);
    return cost > metric ? cost : metric;
}

static uint64_t cluster_table_alone(const crn_estimate *estimate, cairn_node node, uint64_t metric)
{
    const crn_cluster_table *table = estimate->data;
    uint32_t cluster = table->clusters[node];
    return cluster == estimate->note.numbers[4] ? metric : cluster_table_cost(estimate, cluster);
}

/* From a cluster to itself the table says 0. */
static uint64_t cluster_table_null(const crn_estimate *estimate, cairn_node node, uint64_t metric)
{
    (void)metric;
    const crn_cluster_table *table = estimate->data;
    return cluster_table_cost(estimate, table->clusters[node]);
}

/* Next to a border the estimate jumps, by up to the cost of a path through a cluster. */
static crn_heuristic_facts cluster_table_facts(const void *data, const cairn_space *space)
{
    (void)data;
    (void)space;
    return (crn_heuristic_facts){.admissible = true, .band = 64, .rise = UINT64_MAX};
}

crn_heuristic crn_cluster_table_heuristic(const crn_cluster_table *table,
                                          crn_cluster_estimate which)
{
    static uint64_t (*const refine[])(const crn_estimate *estimate, cairn_node node,
                                      uint64_t metric) = {cluster_table_larger, cluster_table_alone,
                                                          cluster_table_null};
    return (crn_heuristic){.name = "cluster-table",
                           .metric = CAIRN_HEURISTIC_AUTO,
                           .facts = cluster_table_facts,
                           .bind = cluster_table_bind,
                           .refine = refine[which],
                           .data = table};
}
