/* subsearch.h: a search inside a search: how hierarchies search their levels and refine what they
 * find, and SGA* goes round obstacles.
 *
 * It is the best-first loop (or any other planner) with a scratch of its own, without all that
 * surrounds a query of a user: no checks of the ends, no goals but one, no turning points. Its
 * memory counts as the outer search's, its work as the outer search's, and the outer search's sink
 * hears of it, on the level given.
 */
#ifndef CRN_SUBSEARCH_H
#define CRN_SUBSEARCH_H

#include "search/best_first.h"

typedef struct crn_subsearch {
    cairn_search search; /* never seen by users */
    cairn_planner planner;
    crn_settings settings;
    cairn_search *outer;  /* NULL while an index is built */
    cairn_metrics before; /* what has been told the outer search already */
    cairn_node goal;
    /* the next query may begin as crn_best_first_begin_again does */
    bool repeats;
    uint64_t peak; /* most memory used by a query since crn_subsearch_rest */
    /* instead of the default one, if not NULL; set it after opening */
    cairn_estimate_function *estimate;
    void *estimate_user;
} crn_subsearch;

/* `space` must live on; it may change between queries. A* with the space's default estimate;
 * Dijkstra where there is no goal. */
cairn_status crn_subsearch_open(crn_subsearch *subsearch, crn_scratch *memory, cairn_search *outer,
                                cairn_space *space, uint32_t level);
void crn_subsearch_close(crn_subsearch *subsearch);

/* The same by another planner without an index, which must live on; it has no queries without a
 * goal. */
cairn_status crn_subsearch_open_planner(crn_subsearch *subsearch, crn_scratch *memory,
                                        cairn_search *outer, cairn_planner *planner,
                                        uint32_t level);

/* When a query of the outer search begins: forgets how much memory the ones before it took. */
void crn_subsearch_rest(crn_subsearch *subsearch);

/* Begins a query between two usable nodes; to CAIRN_NO_NODE: everything that can be reached.
 * CAIRN_RUNNING or final: CAIRN_FOUND (also when everything has been reached), CAIRN_UNREACHABLE,
 * CAIRN_OUT_OF_MEMORY, CAIRN_COST_OVERFLOW. */
cairn_status crn_subsearch_begin(crn_subsearch *subsearch, cairn_node from, cairn_node to);

/* The same, much faster where it can be, for many small queries in a row, all of them begun so:
 * since crn_subsearch_rest the space has not changed. Both ends are nodes. */
cairn_status crn_subsearch_begin_again(crn_subsearch *subsearch, cairn_node from, cairn_node to);

/* Uses up at most *work units, and takes those that it used off it (one at least, if it runs). */
cairn_status crn_subsearch_step(crn_subsearch *subsearch, uint64_t *work);

/* All of it at once. */
cairn_status crn_subsearch_find(crn_subsearch *subsearch, cairn_node from, cairn_node to);

/* After a query: the cost of the path found to a node, CAIRN_NO_COST if there is none; the node
 * before it on that path. */
cairn_cost crn_subsearch_cost(const crn_subsearch *subsearch, cairn_node node);
CRN_INLINE cairn_node crn_subsearch_before(const crn_subsearch *subsearch, cairn_node node)
{
    return crn_best_first_before(&subsearch->search, node);
}

/* After CAIRN_FOUND: the points where the path to the goal turns, from the start on, until the next
 * query begins; NULL = no memory. */
const cairn_node *crn_subsearch_points(crn_subsearch *subsearch, uint32_t *count);

#endif
