/* heuristic_check.h: are the tables of heuristics right? Only in builds with CAIRN_CHECKS. Each
 * returns what is wrong, NULL if nothing is (see open/open_check.h).
 *
 * `whole`: also what a file may say wrongly without being refused, namely all distances. */
#ifndef CRN_HEURISTIC_CHECK_H
#define CRN_HEURISTIC_CHECK_H

#include "heuristic/cluster_table.h"
#include "heuristic/dead_ends.h"
#include "heuristic/gateway.h"
#include "heuristic/landmarks.h"

#if defined(CAIRN_CHECKS)
const char *crn_landmarks_check(const crn_landmarks *landmarks, const cairn_space *space,
                                bool whole);
const char *crn_cluster_table_check(const crn_cluster_table *table, const cairn_space *space,
                                    bool whole);
const char *crn_dead_ends_check(const crn_dead_ends *dead_ends, const cairn_space *space,
                                bool whole);
const char *crn_gateway_check(const crn_gateway *gateway, const cairn_space *space, bool whole);
#endif

#endif
