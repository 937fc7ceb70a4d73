/* incremental.h: a search that is repaired instead of begun again: what LPA* and D* Lite share.
 *
 * The search begins at its root and ends at its target. For LPA* the root is the start of the path
 * and edges are followed forward; for D* Lite the root is the goal, and edges are followed back. Of
 * each node it keeps g, the cost between it and the root as it was last expanded, and rhs, what its
 * neighbours' g make of that now: the least sum of an edge and the g behind it. Where both are the
 * same the node is consistent. All others, and only they, are on the queue, by
 *
 *     min(g, rhs) + h + K_m,  then min(g, rhs).
 *
 * A node whose rhs is less takes it as its g and tells its neighbours. One whose rhs is more first
 * becomes infinitely expensive. The search is over when the target is consistent and nothing on the
 * queue comes before it. Then g of the target is exact, whatever was known before, if h never
 * overestimates.
 *
 * Changes. A commit names every node with another edge (cairn_space_changes), leading away or to
 * it: the cell, its neighbours, those whose diagonals a corner opens or closes, those that an agent
 * with a size no longer fits on, the ends of links. Their rhs is computed again. What then is not
 * consistent is on the queue, and the search goes on. It begins again if the world has forgotten a
 * commit, if most records are of nodes that changed, or if estimates are other ones than before.
 *
 * The target may move. Estimates then change by at most the estimate between its old and its new
 * place. K_m is raised by as much, so that keys on the queue are never too large: those that are
 * too small are found when they come to the top, and corrected (Koenig and Likhachev).
 *
 * Costs and keys have 32 bits. Sums that do not fit are infinite. If a key only fails to fit
 * because of K_m, the search begins again with K_m = 0.
 *
 * Rounds. The anytime algorithms (anytime.h) multiply the estimates of nodes that get cheaper by a
 * weight, search, and then search again with another weight, or for another target. In each round
 * a node is expanded once: then it is closed, and if it gets cheaper still, it is only marked as
 * inconsistent (INCONS) until the next round. A node whose rhs is more than its g must come before
 * all that relies on it, so its estimate has no weight and it is never closed. Other keys than
 * before need the queue to be sorted again; or else K_m is raised by as much as any of them may
 * have fallen.
 *
 * A unit of work is at most one expansion, and at most INCREMENTAL_EDGES edges. A node with more is
 * expanded in several units, and if a commit comes between two of them, from its first edge on
 * again. Finding out what a commit has changed is not counted: it is proportional to the edited
 * area.
 */
#ifndef CRN_INCREMENTAL_H
#define CRN_INCREMENTAL_H

#include "continuous/aimed.h"
#include "continuous/keyed_queue.h"
#include "continuous/navigator.h"

/* A look at the edges between a node and those nearer to the root, for the least sum of an edge and
 * the g behind it. Of equal sums, that of the first edge counts. */
typedef struct crn_incremental_look {
    cairn_node node; /* CAIRN_NO_NODE: there is nothing to look at */
    uint32_t at;     /* the next edge */
    cairn_cost least;
    cairn_node to;   /* the node behind the edge ... */
    cairn_cost cost; /* ... and what the edge costs */
    bool overflowed; /* a sum does not fit */
    bool done;
} crn_incremental_look;

struct crn_incremental;

/* What another algorithm does with the same records and queue; see dstar.c. */
typedef struct crn_incremental_rule {
    /* Puts the root on the queue. */
    void (*seed)(struct crn_incremental *search);
    /* The next thing to do, with at most *edges edges, which it subtracts. False: there is
     * nothing. */
    bool (*turn)(struct crn_incremental *search, uint32_t *edges);
    /* The edges of some nodes are other ones: what is under way begins again. */
    void (*rewind)(struct crn_incremental *search);
} crn_incremental_rule;

typedef struct crn_incremental {
    cairn_navigator *navigator;
    const crn_incremental_rule *rule; /* NULL: that of LPA* and D* Lite */
    size_t size;                      /* of what the navigator keeps, this included */
    bool backward;                    /* from the goal to the start */
    crn_keyed_queue queue;
    crn_aimed aimed; /* estimates between a node and the target */

    bool begun; /* there is a search: */
    cairn_node root, target;
    uint64_t version;  /* of the world that it knows */
    cairn_cost raised; /* K_m */
    bool fresh;        /* neither has the world changed since it began, nor has the target moved */
    bool exceeded;     /* a key fails to fit because of K_m, or of the weight */
    bool overflowed;   /* a path was left out because its cost does not fit */

    uint32_t weight; /* of estimates, in CRN_INCREMENTAL_ONE; that if there are no rounds */
    bool closes;     /* nodes are closed when they are expanded */
    bool sorts;      /* a new round sorts the queue; else it raises K_m */
    /* if not CAIRN_NO_COST: it goes on until the target costs less than this, and sets nodes aside
     * that promise no less */
    cairn_cost incumbent;
    uint64_t farthest; /* at least every estimate on the queue */
    uint32_t swept;    /* pages whose marks have become entries; UINT32_MAX = all */
    uint64_t sorted;   /* entries; UINT64_MAX = the queue is in order */

    uint32_t next;        /* page from which on records may be dirty: their rhs is computed again */
    cairn_node spreading; /* is being expanded; CAIRN_NO_NODE = none */
    uint32_t spread_at;   /* its next edge */
    cairn_cost spread_g;  /* its g, or if it is being raised what that was */
    bool raising;
    crn_incremental_look sum; /* the node whose rhs is being computed again */

    uint64_t expanded; /* nodes, since it was opened ... */
    uint32_t searches; /* ... and how often a search was begun */
    cairn_trace_sink sink;
} crn_incremental;

#define CRN_INCREMENTAL_ONE 256u /* a weight of 1 */

/* For descriptors: paths are optimal. Worlds of callbacks do not know the edges to a node. */
#define CRN_INCREMENTAL_WORLDS \
    .worlds = ((1u << CAIRN_WORLD_COUNT) - 1) & ~(1u << CAIRN_WORLD_CALLBACKS), \
    .neighbourhoods = (1u << CAIRN_NEIGHBOURS_COUNT) - 1, \
    .corners = (1u << CAIRN_CORNERS_COUNT) - 1
cairn_status crn_incremental_create(cairn_planner *planner, cairn_error *error);
void crn_incremental_destroy(cairn_planner *planner);

/* Functions of a navigator. What it keeps (navigator->own) has this size and begins with a
 * crn_incremental; what comes behind is zero, and freed before `close`. */
cairn_status crn_incremental_open(cairn_navigator *navigator, size_t size, bool backward);
void crn_incremental_close(cairn_navigator *navigator);
size_t crn_incremental_held(const cairn_navigator *navigator);
/* Reports everything to a sink from the next event on; NULL ends that. */
void crn_incremental_trace(cairn_navigator *navigator, const cairn_trace_sink *sink);

/* Begins a search, in the world as it is. */
cairn_status crn_incremental_begin(crn_incremental *search, cairn_node root, cairn_node target);

/* The target is somewhere else. */
cairn_status crn_incremental_aim(crn_incremental *search, cairn_node target);

/* Takes in what was committed since the search began or last took it in. */
cairn_status crn_incremental_notice(crn_incremental *search);

/* Begins a round with this weight, after the target, the weight or the world have changed. */
cairn_status crn_incremental_renew(crn_incremental *search, uint32_t weight);

/* Is it between two expansions, with nothing else to do first? */
bool crn_incremental_between(const crn_incremental *search);

/* Looks for the least sum of g or rhs and estimate among all nodes that are not consistent, on the
 * queue or set aside, while it is between two expansions. */
typedef struct crn_incremental_scan {
    uint64_t at;    /* entries, then pages */
    uint64_t least; /* UINT64_MAX: none */
    bool done;
} crn_incremental_scan;
/* Goes on for at most *work units. True when it is done. */
bool crn_incremental_scan_on(const crn_incremental *search, crn_incremental_scan *scan,
                             uint64_t *work);

/* Goes on for at most *work units, and subtracts those that it used. CAIRN_FOUND, CAIRN_RUNNING, or
 * why there is no path: CAIRN_UNREACHABLE, CAIRN_COST_OVERFLOW, CAIRN_OUT_OF_MEMORY (nothing is
 * left of the search then). */
cairn_status crn_incremental_step(crn_incremental *search, uint64_t *work);

/* For agents at the end of a backward search: begins it, or makes it fit the world and the place of
 * the agent, and goes on for at most *work units. CAIRN_OK: it is over, and there is a path. */
cairn_status crn_incremental_serve(crn_incremental *search, cairn_move *move, uint64_t *work);

/* For rules: edges between a node and those nearer to the root or on the other
 * side, at most CRN_INCREMENTAL_BATCH; events and counts. */
#define CRN_INCREMENTAL_BATCH 16u
uint32_t crn_incremental_edges(const crn_incremental *search, bool nearer, cairn_node node,
                               uint32_t first, cairn_edge *out);
void crn_incremental_tell(const crn_incremental *search, cairn_event_kind kind, cairn_node node,
                          cairn_node parent, cairn_cost g);

CRN_INLINE void crn_incremental_event(const crn_incremental *search, cairn_event_kind kind,
                                      cairn_node node, cairn_node parent, cairn_cost g)
{
    const cairn_search *query = search->navigator->query;
    if (CRN_UNLIKELY(query ? query->traced : search->sink.event != NULL))
        crn_incremental_tell(search, kind, node, parent, g);
}

CRN_INLINE cairn_metrics *crn_incremental_metrics(const crn_incremental *search)
{
    cairn_search *query = search->navigator->query;
    return query ? &query->metrics : NULL;
}

/* Takes a node whose edges are other ones than before; there are some. CAIRN_NO_NODE: none was
 * found among as many records as may be passed at once. */
cairn_node crn_incremental_dirty(crn_incremental *search);

/* Is g of a node exact, though the search for its target may not be over? So it is of every node of
 * the cheapest path from there, then. There are no rounds. */
bool crn_incremental_settles(crn_incremental *search, cairn_node node);

/* Returns g of a node, or CAIRN_NO_COST. */
cairn_cost crn_incremental_cost(const crn_incremental *search, cairn_node node);

/* While a search is over, whoever owns it may note a node at each one of its path, which the search
 * knows again as soon as that is erased. */
cairn_node crn_incremental_noted(const crn_incremental *search, cairn_node node);
void crn_incremental_note(const crn_incremental *search, cairn_node node, cairn_node noted);
void crn_incremental_erase(const crn_incremental *search, cairn_node node);

/* Returns the most bytes that the search has used, with the tables of its records. */
uint64_t crn_incremental_bytes(const crn_incremental *search);

/* Begins a look, and goes on with it for at most *edges edges, which it subtracts. */
void crn_incremental_look_at(crn_incremental_look *look, cairn_node node);
bool crn_incremental_look_on(const crn_incremental *search, crn_incremental_look *look,
                             uint32_t *edges);

/* The same for an agent: the first CRN_INCREMENTAL_FREE edges are free, so that all of a grid's
 * are, and so many more are a unit of work. True when it is done. */
#define CRN_INCREMENTAL_FREE 64u
bool crn_incremental_look_for(const crn_incremental *search, crn_incremental_look *look,
                              uint64_t *work);

/* Writes the nodes from one to the root, along the steps that looks find; as
 * cairn_navigator_ahead. */
uint32_t crn_incremental_ahead(const crn_incremental *search, cairn_node from, cairn_node *out,
                               uint32_t capacity);

#endif
