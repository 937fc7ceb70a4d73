/* hierarchical_astar_check.h: are the stars of hierarchical A* right? Only in builds with
 * CAIRN_CHECKS. Returns what is wrong, NULL if nothing is (see open/open_check.h). `whole`: also
 * what a file may say wrongly without being refused, namely the costs of edges. */
#ifndef CRN_HIERARCHICAL_ASTAR_CHECK_H
#define CRN_HIERARCHICAL_ASTAR_CHECK_H

#include "hierarchy/hierarchical_astar/hierarchical_astar_index.h"

#if defined(CAIRN_CHECKS)
const char *crn_stars_check(const crn_stars *stars, const cairn_space *space, bool whole);
#endif

#endif
