/* mm_check.h: are the packed levels of `mm` right? Only in builds with CAIRN_CHECKS. Returns what
 * is wrong, NULL if nothing is (see open/open_check.h). `whole`: also that edges lead both ways,
 * which a file need not say. */
#ifndef CRN_MM_CHECK_H
#define CRN_MM_CHECK_H

#include "hierarchy/mm/mm_index.h"

#if defined(CAIRN_CHECKS)
const char *crn_mm_check(const crn_mm *mm, const crn_grid_space *space, bool whole);
#endif

#endif
