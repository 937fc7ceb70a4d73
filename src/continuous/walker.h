/* walker.h: a navigator as a planner.
 *
 * An algorithm that serves an agent over time answers a query too: by the walk of an agent in a
 * world that stays as it is, from the first step to the goal, with all detours that it makes. So
 * every command and every test that takes planners takes such algorithms as well. The walk comes
 * in pieces, if that is wanted, as an agent would make it. Queries with several goals, cost limits
 * or estimates of their own are left to A*. */
#ifndef CRN_WALKER_H
#define CRN_WALKER_H

#include "continuous/navigator.h"
#include "search/path_builder.h"

cairn_status crn_walker_open(cairn_search *search);
void crn_walker_close(cairn_search *search);
cairn_status crn_walker_begin(cairn_search *search);
cairn_status crn_walker_step(cairn_search *search, uint64_t work);
cairn_status crn_walker_next(cairn_search *search);

/* For a descriptor, with CAIRN_PIECES. */
#define CRN_WALKER_FUNCTIONS \
    .open = crn_walker_open, .close = crn_walker_close, .handles = crn_builder_handles, \
    .delegate = "astar", .begin = crn_walker_begin, .step = crn_walker_step, \
    .next = crn_walker_next, CRN_BUILDER_FUNCTIONS

#endif
