/* walker.h: a navigator as a planner.
 *
 * An algorithm that serves an agent over time answers a query too: by the walk of an agent in a
 * world that stays as it is, from the first step to the goal, with all detours that it makes. So
 * every command and every test that takes planners takes such algorithms as well. The walk comes
 * in pieces, if that is wanted, as an agent would make it; but unless a partial path will do, none
 * is returned while the goal may be out of reach (links and steps that lead one way). Queries with
 * several goals, cost limits or estimates of their own are left to A*, and so are walks of more
 * than 131,072 nodes, and those that end where no path is left. */
#ifndef CRN_WALKER_H
#define CRN_WALKER_H

#include "continuous/navigator.h"
#include "search/path_builder.h"

/* Makes a navigator, which is zero, one that answers the queries of a search. */
void crn_walker_prepare(cairn_search *search, cairn_navigator *navigator);

cairn_status crn_walker_open(cairn_search *search);
void crn_walker_close(cairn_search *search);
cairn_status crn_walker_begin(cairn_search *search);
cairn_status crn_walker_step(cairn_search *search, uint64_t work);
cairn_status crn_walker_next(cairn_search *search);

/* For a descriptor, with CAIRN_PIECES; `which` says which queries it handles. */
#define CRN_WALKER_FUNCTIONS CRN_WALKER_FUNCTIONS_FOR(crn_builder_handles)
#define CRN_WALKER_FUNCTIONS_FOR(which) \
    .open = crn_walker_open, .close = crn_walker_close, .handles = (which), .delegate = "astar", \
    .begin = crn_walker_begin, .step = crn_walker_step, .next = crn_walker_next, \
    CRN_BUILDER_FUNCTIONS

#endif
