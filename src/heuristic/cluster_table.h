/* cluster_table.h: a partition of the nodes into clusters, and the least cost from each cluster to
 * each other one.
 *
 * Clusters. A grid is cut into squares, and each connected component inside a square is a cluster.
 * A graph is cut into balls: the first node that has no cluster yet, and those round it, edge by
 * edge, until there are as many as a square has cells. Clusters smaller than a quarter of a square
 * are merged: such parts of a square become one cluster, and so do such balls of a graph, until
 * that one is full. So there are at most five times as many clusters as squares; on most maps there
 * are few more. Clusters can also be given (cairn_planner_set_clusters); what they leave is divided
 * in this way.
 *
 * The table. T(A, B) is the least cost of any path from a node of A to a node of B. One search from
 * all nodes of A at once gives the row of A: the cheapest node of each cluster that it reaches.
 * Every path from a node n to a goal t leads from n's cluster to t's, so T never overestimates,
 * whatever the clusters are. But it jumps from cluster to cluster: next to a border the estimate
 * may fall by more than a step costs, by up to the cost of a path through a cluster. So it is not
 * consistent, and searches must reopen closed nodes.
 *
 * Source: lecture slides on pathfinding, "Cluster Heuristic"; after Millington and Funge,
 * "Artificial Intelligence for Games", 2009.
 */
#ifndef CRN_CLUSTER_TABLE_H
#define CRN_CLUSTER_TABLE_H

#include "heuristic/heuristic.h"
#include <cairn/planner.h>

#define CRN_CLUSTER_TABLE_PARTS 1024u /* squares or balls at most */
#define CRN_CLUSTER_TABLE_SIZE 1024u  /* side of a square at most */
#define CRN_CLUSTER_TABLE_GIVEN 4096u /* clusters that are given at most */
#define CRN_NO_CLUSTER CAIRN_NO_CLUSTER

typedef struct crn_cluster_table {
    /* of each node; CRN_NO_CLUSTER = it is not usable; NULL = not built */
    const uint16_t *clusters;
    /* from cluster a to cluster b: costs[b·count + a]; CAIRN_NO_COST = never */
    const cairn_cost *costs;
    uint16_t *owned_clusters; /* the same, or NULL if they are borrowed */
    cairn_cost *owned_costs;
    uint32_t node_count, count;
    uint64_t work; /* of the last build */
} crn_cluster_table;

/* How the nodes are to be divided. */
typedef struct crn_cluster_plan {
    uint32_t size;   /* side of a square */
    uint16_t *given; /* of each node, 0 and up; CRN_NO_CLUSTER = none; NULL = none are given */
    uint32_t given_nodes, given_count;
} crn_cluster_plan;

/* Takes a copy of clusters that are given, with numbers without gaps; NULL: none are. On failure
 * the plan is as it was. */
cairn_status crn_cluster_plan_give(crn_cluster_plan *plan, const cairn_space *space,
                                   const uint16_t *clusters, cairn_error *error);
void crn_cluster_plan_drop(crn_cluster_plan *plan, cairn_context *context);

/* Returns the number of squares of this size, or of balls of as many nodes as it has cells. */
uint64_t crn_cluster_table_parts(const cairn_space *space, uint32_t size);

/* Returns the default size, which grows with the map. */
uint32_t crn_cluster_table_size(const cairn_space *space);

/* Builds clusters and table. On failure there are none. */
cairn_status crn_cluster_table_build(crn_cluster_table *table, cairn_space *space,
                                     const crn_cluster_plan *plan, const cairn_progress *progress,
                                     cairn_error *error);
void crn_cluster_table_drop(crn_cluster_table *table, cairn_context *context);
size_t crn_cluster_table_bytes(const crn_cluster_table *table);

cairn_status crn_cluster_table_save(const crn_cluster_table *table, cairn_store *store,
                                    cairn_error *error);
cairn_status crn_cluster_table_load(crn_cluster_table *table, const cairn_space *space,
                                    const cairn_archive *archive, bool borrow, cairn_error *error);

typedef enum crn_cluster_estimate {
    CRN_CLUSTER_LARGER, /* the larger of the table's and the metric's */
    CRN_CLUSTER_ALONE,  /* the table's; inside the goal's cluster the metric's ... */
    CRN_CLUSTER_NULL    /* ... or 0 */
} crn_cluster_estimate;

/* Returns the plug. */
crn_heuristic crn_cluster_table_heuristic(const crn_cluster_table *table,
                                          crn_cluster_estimate which);

#endif
