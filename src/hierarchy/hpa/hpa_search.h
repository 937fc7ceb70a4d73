/* hpa_search.h: the functions of HPA*'s searches. */
#ifndef CRN_HPA_SEARCH_H
#define CRN_HPA_SEARCH_H

#include "hierarchy/hpa/cluster_search.h"

void crn_hpa_search_close(cairn_search *search);
cairn_status crn_hpa_search_open(cairn_search *search);
cairn_status crn_hpa_search_step(cairn_search *search, uint64_t work);
cairn_status crn_hpa_search_begin(cairn_search *search);
cairn_status crn_hpa_search_next(cairn_search *search);

/* How the ends are joined to the graph. */
typedef enum crn_hpa_insert {
    CRN_HPA_DIRECT,   /* without a search where nothing is in the way, else by Dijkstra's */
    CRN_HPA_DIJKSTRA, /* by one search of the cluster for all of its nodes */
    CRN_HPA_ASTAR     /* by one search for each of its nodes */
} crn_hpa_insert;

#endif
