/* search_check.h: do the records and the path of a search keep their promises? Only in builds with
 * CAIRN_CHECKS. Each returns what is wrong, NULL if nothing is (see open/open_check.h).
 *
 * Searches ask when a slice of work ends, if the walk is short beside the work that was done. */
#ifndef CRN_SEARCH_CHECK_H
#define CRN_SEARCH_CHECK_H

#include "search/path_builder.h"
#include "search/records.h"

#if defined(CAIRN_CHECKS)
const char *crn_records_check(const crn_records *records);

/* Looks at no more than `most` steps, evenly spread. */
const char *crn_builder_check(const crn_builder *builder, const cairn_space *space, size_t most);

/* Is a walk through this many things short beside this work? */
CRN_INLINE bool crn_check_pays(uint64_t things, uint64_t work)
{
    return things <= 4 * work;
}
#endif

#endif
