/* cluster_search.h: what the searches of HPA* and DHPA* have in common.
 *
 * Both build a path from a search of the ground inside a cluster and a search of the abstract graph
 * across the map, in which the start and the goal are two more nodes. Their scratch begins with a
 * crn_cluster_search.
 */
#ifndef CRN_CLUSTER_SEARCH_H
#define CRN_CLUSTER_SEARCH_H

#include "hierarchy/hpa/hpa_index.h"
#include "search/path_builder.h"

typedef struct crn_cluster_search {
    crn_builder builder; /* first */
    cairn_search *search;
    const crn_hpa *graph;
    crn_hpa_ground ground;
    crn_abstract_view view;
    crn_subsearch above;
    crn_metric_gates gates; /* to the goal */
    cairn_edge *leave;      /* edges of the start ... */
    cairn_edge *arrive;     /* ... and to the goal */
    size_t leave_capacity, arrive_capacity;
    bool going; /* a piece has been delivered: too late to delegate the query */
} crn_cluster_search;

/* Opens the scratch of a search, which has this many bytes and is zero behind its first member.
 * After a failure the caller closes what is open. */
cairn_status crn_cluster_search_open(cairn_search *search, const crn_hpa *graph, size_t size);
void crn_cluster_search_close(cairn_search *search, size_t size);

/* Begins a query. What earlier ones showed may be of another world. */
cairn_status crn_cluster_search_begin(crn_cluster_search *base);

/* Memory for this many edges of the start and to the goal. */
cairn_status crn_cluster_search_reserve(crn_cluster_search *base, size_t leave, size_t arrive);

/* Prepares the view for a search from the start to the goal. */
void crn_cluster_search_aim(crn_cluster_search *base, cairn_cost min_edge, cairn_cost max_edge);

/* Returns the cell of a node of the view. */
cairn_node crn_cluster_search_cell(const crn_cluster_search *base, cairn_node node);

/* Ends a step: without a hierarchy there may be a path where costs do not fit 32 bits, and, if all
 * paths can be walked back, where a file is wrong. */
cairn_status crn_cluster_search_end(const crn_cluster_search *base, cairn_status status);

/* Bytes in use with this many edges of the ends, without what only one of the algorithms has. */
uint64_t crn_cluster_search_bytes(const crn_cluster_search *base, uint32_t edges);

#endif
