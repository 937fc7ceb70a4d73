/* hpa_check.h: is the abstract graph of HPA* right? Only in builds with CAIRN_CHECKS. Returns what
 * is wrong, NULL if nothing is (see open/open_check.h). `whole`: also what a file may say wrongly
 * without being refused, namely that edges are too cheap. */
#ifndef CRN_HPA_CHECK_H
#define CRN_HPA_CHECK_H

#include "hierarchy/hpa/hpa_index.h"

#if defined(CAIRN_CHECKS)
const char *crn_hpa_check(const crn_hpa *index, bool whole);
#endif

#endif
