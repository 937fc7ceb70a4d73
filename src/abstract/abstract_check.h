/* abstract_check.h: do abstract graphs and cliques keep their promises? Only in builds with
 * CAIRN_CHECKS. Each returns what is wrong, NULL if nothing is (see open/open_check.h). */
#ifndef CRN_ABSTRACT_CHECK_H
#define CRN_ABSTRACT_CHECK_H

#include "abstract/cliques.h"

#if defined(CAIRN_CHECKS)
/* An abstract graph, and lists in a pool. */
const char *crn_abstract_check(const crn_abstract_graph *graph);
const char *crn_lists_check(const crn_lists *lists);
const char *crn_cliques_check(const crn_cliques *cliques);
#endif

#endif
