/* filter.h: queries with obstacles and costs of their own (cairn_query.filter).
 *
 * A search has a view (world/view.h) of its own for them, with a planner on it: the same algorithm
 * with the same parameters if it has CAIRN_FILTERS, else A*. A query with a filter swaps space,
 * planner and scratch of the search for these, until the next query begins. They are made for the
 * first such query and then reused.
 */
#ifndef CRN_FILTER_H
#define CRN_FILTER_H

#include "search/search.h"

/* enter: makes the search ready for search->query, which has a filter. On failure it has not
 * entered. leave: returns to the planner that was asked; nothing happens if it is there. close:
 * frees everything. */
cairn_status crn_filter_enter(cairn_search *search);
void crn_filter_leave(cairn_search *search);
void crn_filter_close(cairn_search *search);

/* The link by which the path of the running query goes from a to b, NULL if it walks. */
const crn_space_link *crn_filter_link(const cairn_search *search, cairn_node a, cairn_node b);

#endif
