/* dhpa_search.h: the functions of DHPA*'s searches. */
#ifndef CRN_DHPA_SEARCH_H
#define CRN_DHPA_SEARCH_H

#include "hierarchy/dhpa/dhpa_index.h"
#include "hierarchy/hpa/cluster_search.h"

enum { DHPA_ENDS_ESTIMATE, DHPA_ENDS_WALK };

void crn_dhpa_search_close(cairn_search *search);
cairn_status crn_dhpa_search_open(cairn_search *search);
cairn_status crn_dhpa_search_step(cairn_search *search, uint64_t work);
cairn_status crn_dhpa_search_begin(cairn_search *search);
cairn_status crn_dhpa_search_next(cairn_search *search);

#endif
