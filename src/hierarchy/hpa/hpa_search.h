/* hpa_search.h: the functions of HPA*'s searches. */
#ifndef CRN_HPA_SEARCH_H
#define CRN_HPA_SEARCH_H

#include "hierarchy/hpa/cluster_search.h"

void crn_hpa_search_close(cairn_search *search);
cairn_status crn_hpa_search_open(cairn_search *search);
cairn_status crn_hpa_search_step(cairn_search *search, uint64_t work);
cairn_status crn_hpa_search_begin(cairn_search *search);
cairn_status crn_hpa_search_next(cairn_search *search);

#endif
