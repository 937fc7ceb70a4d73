/* subsearch.h: a search inside a search: how hierarchies search their layers and refine what they find,
 * and SGA* goes round obstacles.
 *
 * It is the best-first loop (or any other planner) with a scratch of its own, without all that
 * surrounds a query of a user: no checks of the ends, no goals but one, no turning points. Its
 * memory counts as the outer search's, its work as the outer search's, and the outer search's sink
 * hears of it, on the layer given.
 */
#ifndef CRN_INNER_H
#define CRN_INNER_H

#include "search/best_first.h"

typedef struct crn_inner {
    cairn_search search; /* never seen by users */
    cairn_planner planner;
    crn_settings settings;
    cairn_search *outer;  /* NULL while an index is built */
    cairn_metrics before; /* what has been told the outer search already */
    cairn_node goal;
    /* the next query may begin as crn_best_first_begin_again does */
    bool repeats;
    uint64_t peak; /* most memory used by a query since crn_inner_rest */
    /* instead of the standard one, if not NULL; set it after opening */
    cairn_estimate_function *estimate;
    void *estimate_user;
} crn_inner;

/* `space` must live on; it may change between queries. A* with the space's standard estimate;
 * Dijkstra where there is no goal. */
cairn_status crn_inner_open(crn_inner *inner, crn_scratch *memory, cairn_search *outer,
                            cairn_space *space, uint32_t layer);
void crn_inner_close(crn_inner *inner);

/* The same by another planner without an index, which must live on; it has no queries without a
 * goal. */
cairn_status crn_inner_open_planner(crn_inner *inner, crn_scratch *memory, cairn_search *outer,
                                    cairn_planner *planner, uint32_t layer);

/* When a query of the outer search begins: forgets how much memory the ones before it took. */
void crn_inner_rest(crn_inner *inner);

/* Begins a query between two usable nodes; to CAIRN_NO_NODE: everything that can be reached.
 * CAIRN_RUNNING or final: CAIRN_FOUND (also when everything has been reached), CAIRN_UNREACHABLE,
 * CAIRN_OUT_OF_MEMORY, CAIRN_COST_OVERFLOW. */
cairn_status crn_inner_begin(crn_inner *inner, cairn_node from, cairn_node to);

/* The same, much faster where it can be, for many small queries in a row, all of them begun so:
 * since crn_inner_rest the space has not changed. Both ends are nodes. */
cairn_status crn_inner_begin_again(crn_inner *inner, cairn_node from, cairn_node to);

/* Uses up at most *work units, and takes those that it used off it (one at least, if it runs). */
cairn_status crn_inner_step(crn_inner *inner, uint64_t *work);

/* All of it at once. */
cairn_status crn_inner_find(crn_inner *inner, cairn_node from, cairn_node to);

/* After a query: the cost of the way found to a node, CAIRN_NO_COST if there is none; the node
 * before it on that way. */
cairn_cost crn_inner_cost(const crn_inner *inner, cairn_node node);
CRN_INLINE cairn_node crn_inner_before(const crn_inner *inner, cairn_node node)
{
    return crn_best_first_before(&inner->search, node);
}

/* After CAIRN_FOUND: the points where the way to the goal turns, from the start on, until the next
 * query begins; NULL = no memory. */
const cairn_node *crn_inner_points(crn_inner *inner, uint32_t *count);

#endif
