/* hcdps_search.h: queries of `hcdps`; see hcdps_search.c. */
#ifndef CRN_HCDPS_SEARCH_H
#define CRN_HCDPS_SEARCH_H

#include "search/path_builder.h"

bool crn_hcdps_search_handles(const cairn_search *search);
cairn_status crn_hcdps_search_open(cairn_search *search);
void crn_hcdps_search_close(cairn_search *search);
cairn_status crn_hcdps_search_begin(cairn_search *search);
cairn_status crn_hcdps_search_step(cairn_search *search, uint64_t work);
cairn_status crn_hcdps_search_next(cairn_search *search);

#endif
