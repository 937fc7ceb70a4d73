/* mm_search.h: the functions of a search of `mm`, for its descriptor. */
#ifndef CRN_MM_SEARCH_H
#define CRN_MM_SEARCH_H

#include "search/algorithm.h"

cairn_status crn_mm_search_open(cairn_search *search);
void crn_mm_search_close(cairn_search *search);
cairn_status crn_mm_search_begin(cairn_search *search);
cairn_status crn_mm_search_step(cairn_search *search, uint64_t work);
cairn_status crn_mm_search_next(cairn_search *search);

#endif
