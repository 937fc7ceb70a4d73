/* subsearch.h: a search inside a search. Hierarchies search their levels and refine routes with it,
 * and SGA* goes round obstacles.
 *
 * It is the best-first loop (or any other planner) with a scratch of its own, without all that
 * surrounds a user's query: no checks of the ends, a single goal, no turning points. Its memory and
 * its work count as the outer search's, and the outer search's sink is told of it, on the level
 * given.
 */
#ifndef CRN_SUBSEARCH_H
#define CRN_SUBSEARCH_H

#include "search/best_first.h"

typedef struct crn_subsearch {
    cairn_search search; /* never seen by users */
    cairn_planner planner;
    crn_settings settings;
    cairn_search *outer;  /* NULL while an index is built */
    cairn_metrics before; /* what the outer search has been told already */
    cairn_node goal;
    /* the next query may begin as crn_best_first_begin_again does */
    bool repeats;
    uint64_t peak; /* most memory used by a query since crn_subsearch_rest */
    /* used instead of the default estimate, if not NULL; set it after opening */
    cairn_estimate_function *estimate;
    void *estimate_user;
} crn_subsearch;

/* Opens a subsearch: A* with the space's default estimate, or Dijkstra where there is no goal.
 * `space` must outlive it, and may change between queries. */
cairn_status crn_subsearch_open(crn_subsearch *subsearch, crn_scratch *memory, cairn_search *outer,
                                cairn_space *space, uint32_t level);
void crn_subsearch_close(crn_subsearch *subsearch);

/* The same by another planner without an index, which must outlive it. Every query needs a goal
 * then. */
cairn_status crn_subsearch_open_planner(crn_subsearch *subsearch, crn_scratch *memory,
                                        cairn_search *outer, cairn_planner *planner,
                                        uint32_t level);

/* Called when a query of the outer search begins: forgets how much memory earlier queries took. */
void crn_subsearch_rest(crn_subsearch *subsearch);

/* Begins a query between two usable nodes. `to` CAIRN_NO_NODE: everything that can be reached.
 * CAIRN_RUNNING or final: CAIRN_FOUND (also when everything has been reached), CAIRN_UNREACHABLE,
 * CAIRN_OUT_OF_MEMORY, CAIRN_COST_OVERFLOW. */
cairn_status crn_subsearch_begin(crn_subsearch *subsearch, cairn_node from, cairn_node to);

/* The same, much faster where possible, for a series of many small queries that are all begun so.
 * The space has not changed since crn_subsearch_rest. Both ends are nodes. */
cairn_status crn_subsearch_begin_again(crn_subsearch *subsearch, cairn_node from, cairn_node to);

/* Does at most *work units, and subtracts those that it used (at least one, if it runs). */
cairn_status crn_subsearch_step(crn_subsearch *subsearch, uint64_t *work);

/* Runs a whole query. */
cairn_status crn_subsearch_find(crn_subsearch *subsearch, cairn_node from, cairn_node to);

/* Return the cost of the path found to a node, or CAIRN_NO_COST if there is none, and the node
 * before it on that path, after a query. */
cairn_cost crn_subsearch_cost(const crn_subsearch *subsearch, cairn_node node);
CRN_INLINE cairn_node crn_subsearch_before(const crn_subsearch *subsearch, cairn_node node)
{
    return crn_best_first_before(&subsearch->search, node);
}

/* Returns the points where the path to the goal turns, from the start on, after CAIRN_FOUND. They
 * are valid until the next query begins. NULL = no memory. */
const cairn_node *crn_subsearch_points(crn_subsearch *subsearch, uint32_t *count);

#endif
