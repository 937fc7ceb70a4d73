/* dhpa_check.h: are the routes of DHPA* right? Only in builds with CAIRN_CHECKS. Returns what is
 * wrong, NULL if nothing is (see open/open_check.h); `whole` as for crn_hpa_check. */
#ifndef CRN_DHPA_CHECK_H
#define CRN_DHPA_CHECK_H

#include "hierarchy/dhpa/dhpa_index.h"

#if defined(CAIRN_CHECKS)
const char *crn_dhpa_check(const crn_dhpa *index, bool whole);
#endif

#endif
