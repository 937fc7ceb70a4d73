/* own_search.h: what every search with a loop of its own would write again: records, the open
 * list, the estimate, the beginning and the end of a query, events for who watches, counts,
 * limits, and reading the answer off the records.
 *
 * Such an algorithm is one file: a plan (constant), `begin`, and `step`, which takes batches of
 * work (crn_own_next), offers paths to the neighbours (crn_own_relax) and puts on the list what was
 * taken (crn_own_push). All other functions of its descriptor are CRN_OWN_SEARCH_FUNCTIONS
 * (without a `destroy`, for planners that keep something: CRN_OWN_RECORD_FUNCTIONS).
 * docs/adding-an-algorithm.md has one, complete.
 *
 * A *state* is what has a record. The first states are the nodes of the space, by their numbers;
 * an algorithm may have more of them (a node with a direction of arrival, an interval of an edge)
 * behind these, and says where they are. Whoever needs more sets of records, or other lists beside
 * the one of the plan, opens them (search/records.h, open/open.h).
 *
 * Where a loop must be as fast as can be, this is not for it: lists are called through a table.
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
    size_t extra;     /* bytes more in the record of a state */
    bool until_empty; /* goals bound the search and do not end it: the best need not come first */
    /* NULL = as many as there are nodes */
    uint32_t (*states)(const cairn_space *space);
    /* where a state behind the nodes is */
    cairn_node (*node_of)(const crn_own *own, uint32_t state);
} crn_own_plan;

struct crn_own {
    cairn_search *search;
    const crn_own_plan *plan;
    crn_records records; /* with parents, by state */
    void *list;          /* the plan's */
    crn_estimate estimate;
    cairn_cost limit; /* paths that cost more are not looked at */
    uint64_t work, expanded, generated, reopened, pushes, overflowed;
    bool goal_found;
    uint32_t goal; /* the cheapest so far, with its cost */
    cairn_cost goal_cost;
    bool is_pending;       /* a state is being expanded: */
    uint32_t pending;      /* this one, ... */
    uint32_t pending_edge; /* ... from this edge on; UINT32_MAX = all of them were offered a path */
    uint32_t closest_at;   /* how far the look for where half a path leads has come */
};

#define CRN_OWN_BATCH 64u

/* Looking for where half a path leads, through pages of records; begun again by at = 0. */
typedef struct crn_page_walk {
    const crn_records *records;
    cairn_node (*node)(const void *user, uint32_t page,
                       uint32_t slot); /* of a record; CAIRN_NO_NODE = none */
    const void *user;
    uint32_t at; /* how far it has come */
} crn_page_walk;

/* One unit of work: a state that is being expanded, with some or all of the edges of its node; or
 * none of them. */
typedef struct crn_own_batch {
    uint32_t state;
    cairn_cost g;
    uint32_t count;
    cairn_edge edges[CRN_OWN_BATCH];
} crn_own_batch;

/* Binds an estimate to the goals of the query, or to what the query itself brings. `plug` may be
 * NULL. */
void crn_search_bind(crn_estimate *estimate, const cairn_search *search, const crn_heuristic *plug,
                     cairn_heuristic metric);

/* `closest` of an algorithm with such records: a page is one piece of work. True when all were
 * looked at. */
bool crn_closest_walk(cairn_search *search, crn_page_walk *walk, uint64_t work);

cairn_status crn_own_open(cairn_search *search, const crn_own_plan *plan);
void crn_own_close(cairn_search *search);

/* Begins a query: the start is on the list, with the key that its estimate gives. RUNNING or
 * final. */
cairn_status crn_own_begin(cairn_search *search, const crn_heuristic *plug, cairn_heuristic metric);

/* The next unit of work. RUNNING: the batch is to be worked on; else it is the end. */
cairn_status crn_own_next(crn_own *own, crn_own_batch *batch);

/* Offers a state a path that leads over `from` and costs g. True: it is cheaper than what was
 * known, it was written down, and the state is to be put on the list. */
bool crn_own_relax(crn_own *own, uint32_t from, uint32_t to, uint64_t g);
void crn_own_push(crn_own *own, uint32_t state, uint64_t key, uint64_t second);

/* For the end of each `step`: fills in the metrics, and tells of the end. Returns the status. */
cairn_status crn_own_pause(crn_own *own, cairn_status status);

cairn_status crn_own_path_to(cairn_search *search, cairn_node node);
cairn_cost crn_own_cost_to(const cairn_search *search, cairn_node node);
bool crn_own_closest(cairn_search *search, uint64_t work, bool first);
cairn_status crn_own_reached(const cairn_search *search, cairn_visit *visit, void *user);

/* For planners that keep nothing and are optimal. */
cairn_status crn_own_create_optimal(cairn_planner *planner, cairn_error *error);
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

/* The bytes of a state that the plan has asked for. */
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
