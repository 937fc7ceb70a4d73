/* own_search.h: what every search with a loop of its own needs: records, the open list, the
 * estimate, the beginning and the end of a query, events for the sink, counts, limits, and reading
 * the answer from the records.
 *
 * Such an algorithm is one file: a plan (constant), `begin`, and `step`, which takes batches of
 * work (crn_own_next), relaxes the neighbours (crn_own_relax) and pushes those that became cheaper
 * (crn_own_push). All other functions of its descriptor are CRN_OWN_SEARCH_FUNCTIONS (without a
 * `destroy`, for planners that keep something: CRN_OWN_RECORD_FUNCTIONS).
 * docs/adding-an-algorithm.md has a complete one.
 *
 * A *state* is what has a record. The first states are the nodes of the space, by their numbers. An
 * algorithm may number more states after these (a node with a direction of arrival, an interval of
 * an edge), and says where they are. An algorithm that needs more sets of records, or other lists
 * beside that of the plan, opens them itself (search/records.h, open/open.h).
 *
 * This is not for loops that must be as fast as possible: lists are called through a table.
 */
#ifndef CRN_OWN_SEARCH_H
#define CRN_OWN_SEARCH_H

#include "heuristic/heuristic.h"
#include "open/open.h"
#include "search/records.h"
#include "search/search.h"

typedef struct crn_own crn_own;

/* What an algorithm's searches are like. */
typedef struct crn_own_plan {
    size_t size; /* of the algorithm's scratch, which begins with a crn_own */
    const crn_open_functions *open;
    size_t extra;     /* additional bytes in the record of a state */
    bool until_empty; /* goals only bound the search: the best need not come first */
    /* NULL = as many as there are nodes */
    uint32_t (*states)(const cairn_space *space);
    /* the node of a state that is not a node itself */
    cairn_node (*node_of)(const crn_own *own, uint32_t state);
} crn_own_plan;

struct crn_own {
    cairn_search *search;
    const crn_own_plan *plan;
    crn_records records; /* with parents, by state */
    void *list;          /* the plan's */
    crn_estimate estimate;
    cairn_cost limit; /* paths that cost more are ignored */
    uint64_t work, expanded, generated, reopened, pushes, overflowed;
    bool goal_found;
    uint32_t goal; /* the cheapest so far, with its cost */
    cairn_cost goal_cost;
    bool is_pending;       /* a state is being expanded: */
    uint32_t pending;      /* this one, ... */
    uint32_t pending_edge; /* ... from this edge on; UINT32_MAX = all are relaxed */
    uint32_t batch;        /* edges for a unit of work */
    size_t marked;       /* goals whose records are marked: the search begins after the last one */
    uint32_t closest_at; /* progress of the search for the end of a partial path */
};

#define CRN_OWN_BATCH 64u
#define CRN_OWN_SMALL_BATCH 16u /* where estimates are expensive */

/* A search for the end of a partial path, through pages of records. at = 0 begins it again. */
typedef struct crn_page_walk {
    const crn_records *records;
    cairn_node (*node)(const void *user, uint32_t page,
                       uint32_t slot); /* of a record; CAIRN_NO_NODE = none */
    const void *user;
    uint32_t at; /* how far it has come */
} crn_page_walk;

/* One unit of work: a state that is being expanded, with some or all of the edges of its node, or
 * with none. */
typedef struct crn_own_batch {
    uint32_t state;
    cairn_cost g;
    uint32_t count;
    cairn_edge edges[CRN_OWN_BATCH];
} crn_own_batch;

/* Binds an estimate to the goals of the query, or uses the query's own estimate. `plug` may be
 * NULL. */
void crn_search_bind(crn_estimate *estimate, const cairn_search *search, const crn_heuristic *plug,
                     cairn_heuristic metric);

/* `closest` for an algorithm with such records. A page is one piece of work. True when all are
 * done. */
bool crn_closest_walk(cairn_search *search, crn_page_walk *walk, uint64_t work);

cairn_status crn_own_open(cairn_search *search, const crn_own_plan *plan);
void crn_own_close(cairn_search *search);

/* Begins a query: puts the start on the list, with its estimate as key. RUNNING or final. */
cairn_status crn_own_begin(cairn_search *search, const crn_heuristic *plug, cairn_heuristic metric);

/* Are all goals marked? Otherwise marks some more, which is a unit of work; FOUND if the start is
 * one. For algorithms that do not call crn_own_next. */
bool crn_own_is_marked(const crn_own *own);
cairn_status crn_own_mark(crn_own *own);

/* Takes the next unit of work. RUNNING: the batch is to be worked on. Any other status is the
 * end. */
cairn_status crn_own_next(crn_own *own, crn_own_batch *batch);

/* Relaxes a state: a path over `from` costs g. True if that is cheaper than the known cost. It is
 * then written down, and the state is to be pushed. */
bool crn_own_relax(crn_own *own, uint32_t from, uint32_t to, uint64_t g);
void crn_own_push(crn_own *own, uint32_t state, uint64_t key, uint64_t second);

/* For searches with a list of their own, without crn_own_next: tells the sink of a state, and
 * returns how a search ends that has nothing left to do. */
void crn_own_trace(crn_own *own, cairn_event_kind kind, uint32_t state);
cairn_status crn_own_ended(const crn_own *own);

/* Ends each `step`: fills in the metrics, and tells the sink of the end. Returns the status. */
cairn_status crn_own_pause(crn_own *own, cairn_status status);

cairn_status crn_own_path_to(cairn_search *search, cairn_node node);
cairn_cost crn_own_cost_to(const cairn_search *search, cairn_node node);
bool crn_own_closest(cairn_search *search, uint64_t work, bool first);
cairn_status crn_own_reached(const cairn_search *search, cairn_visit *visit, void *user);

/* For planners that keep nothing and are optimal; or are if the estimate of their parameter
 * `heuristic` never exceeds the true cost. */
cairn_status crn_own_create_optimal(cairn_planner *planner, cairn_error *error);
cairn_status crn_own_create_estimated(cairn_planner *planner, cairn_error *error);

/* Returns the metric that the parameter `heuristic` names, and its plug. */
cairn_heuristic crn_own_metric(const cairn_planner *planner, const crn_heuristic **plug);
void crn_own_destroy(cairn_planner *planner);

#define CRN_OWN_SEARCH_FUNCTIONS .destroy = crn_own_destroy, CRN_OWN_RECORD_FUNCTIONS
#define CRN_OWN_RECORD_FUNCTIONS \
    .close = crn_own_close, .path_to = crn_own_path_to, .cost_to = crn_own_cost_to, \
    .closest = crn_own_closest, .reached = crn_own_reached

CRN_INLINE crn_page *crn_own_page(crn_own *own, uint32_t state, uint32_t *slot)
{
    *slot = state % CRN_PAGE;
    crn_page *page = own->records.table[state / CRN_PAGE];
    return CRN_LIKELY(page != NULL) ? page : crn_records_touch(&own->records, state / CRN_PAGE);
}

/* Returns the additional bytes of a state. */
CRN_INLINE void *crn_own_extra(crn_own *own, uint32_t state)
{
    uint32_t slot;
    crn_page *page = crn_own_page(own, state, &slot);
    return crn_record_extra(&own->records, page, slot);
}

CRN_INLINE cairn_node crn_own_node(const crn_own *own, uint32_t state)
{
    return state < own->search->space->node_count ? state : own->plan->node_of(own, state);
}

CRN_INLINE uint64_t crn_own_estimate(const crn_own *own, uint32_t state)
{
    return crn_estimate_node(&own->estimate, crn_own_node(own, state));
}

#endif
