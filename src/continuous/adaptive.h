/* adaptive.h: A* whose estimates learn: what AA*, MT-AA*, GAA*, MPAA* and MPGAA* share.
 *
 * Each search is A* from the agent to its goal, forward, with the larger g first among equal f.
 * When it has found a path of cost C, no path from a node s of the search costs less than
 * C - g(s): that is its estimate from then on, if it was less before. Estimates stay consistent, so
 * later searches to the same goal expand no more nodes than A* would, and mostly far fewer.
 *
 * Nothing is raised node by node when a search ends. A record has the number of the *epoch* in
 * which it was last touched, and each epoch remembers what its path cost. What was learnt follows
 * from that when the record is needed next. Numbers of epochs come again. So pages are swept, some
 * before each epoch: then their records are of no epoch before the last one. A *lap* is about the
 * pages that there are when it begins, and is over after at most 16 epochs, however many are made
 * meanwhile. Those are newer than the lap, and are part of the next one. So no page waits for
 * longer than two laps, and no record is of an epoch whose number has come again.
 *
 * The world changes. A commit names every node with another edge (cairn_space_changes). As long as
 * h(s) <= cost + h(t) holds for all edges, estimates are right, whatever has changed. So exactly
 * that is looked at for each edge of these nodes. If it is violated, either all that was learnt is
 * forgotten, or it is repaired (`repairs`): the estimate of s is lowered to that sum, and so are
 * those that rest on it, in the order of Dijkstra's algorithm, along edges backward.
 *
 * The goal moves (`moves`). All estimates become less by what the estimate of the new goal was:
 * they stay consistent, and that of the new goal is 0. The sum of these is kept, and noted for each
 * epoch, so this too is worked out when a record is needed. Never less than the space's own
 * estimate.
 *
 * Paths. A node of a path has a pointer to the next one. A *tail* is what pointers lead along from
 * a node. Where h(s) = cost + h(next) holds all the way to the goal, no path from s is cheaper. So
 * the agent looks along its path before it searches. With `reuses`, a search ends at the first node
 * that such a tail begins at, of any path it has found so far. A tail that turns out not to hold is
 * removed as far as it was walked along, so that none is walked along twice in vain.
 *
 * A unit of work is at most one expansion, and at most ADAPTIVE_EDGES edges; a step along a tail
 * counts as one of them, and so do eight nodes that leave the queue when a search is over; a page
 * that is swept counts as two. Finding out what a commit has changed is not counted. A commit, a
 * push or another goal ends a search that is not over.
 */
#ifndef CRN_ADAPTIVE_H
#define CRN_ADAPTIVE_H

#include "continuous/aimed.h"
#include "continuous/keyed_queue.h"
#include "continuous/walker.h"

#define CRN_ADAPTIVE_EPOCHS 64u

/* What tells the algorithms apart. */
typedef struct crn_adaptive_rule {
    bool repairs, moves, reuses;
} crn_adaptive_rule;

/* What is known of a node, in the epoch in which it was last touched. */
typedef struct crn_adaptive_known {
    cairn_cost g, h;  /* g is CAIRN_NO_COST if no search has come there */
    uint32_t pointer; /* or CRN_ADAPTIVE_NOWHERE */
} crn_adaptive_known;

#define CRN_ADAPTIVE_NOWHERE UINT32_MAX

/* A record has an epoch and two words (keyed_records.h), which suffice for these three: a node that
 * a search has expanded has no pointer, unless the search has found a path over it. Then h follows
 * from what that costs. */
typedef enum crn_adaptive_form {
    CRN_ADAPTIVE_LEARNT, /* the pointer, and h; no search has come there */
    CRN_ADAPTIVE_QUEUED, /* its key tells g and h; the second word is the pointer */
    CRN_ADAPTIVE_CLOSED, /* g and h */
    CRN_ADAPTIVE_PATH    /* g, and the pointer */
} crn_adaptive_form;

typedef enum crn_adaptive_stage {
    CRN_ADAPTIVE_IDLE,   /* something has happened that it has not looked at */
    CRN_ADAPTIVE_SETTLE, /* estimates are made to fit the world and the goal */
    CRN_ADAPTIVE_VERIFY, /* it looks along its path */
    CRN_ADAPTIVE_BEGIN,
    CRN_ADAPTIVE_SEARCH,
    CRN_ADAPTIVE_TRACE, /* pointers are set */
    CRN_ADAPTIVE_DONE
} crn_adaptive_stage;

typedef enum crn_adaptive_verdict {
    CRN_TAIL_WALKING,
    CRN_TAIL_REMOVING, /* it does not hold */
    CRN_TAIL_GONE,
    CRN_TAIL_HOLDS
} crn_adaptive_verdict;

typedef struct crn_adaptive_tail {
    cairn_node from; /* CAIRN_NO_NODE: none is being walked along */
    cairn_node at;
    cairn_node end; /* where it does not hold */
    crn_adaptive_verdict verdict;
} crn_adaptive_tail;

typedef struct crn_adaptive {
    cairn_navigator *navigator;
    const crn_adaptive_rule *rule;
    uint32_t width; /* of a grid; 0 = there is none */
    crn_keyed_queue queue;
    crn_aimed aimed; /* the space's estimates, to the goal that all this is about */
    crn_adaptive_stage stage;
    bool begun;       /* it knows of a world ... */
    uint64_t version; /* ... of this version */

    uint32_t epoch;
    cairn_cost paid[CRN_ADAPTIVE_EPOCHS];  /* the cost of the path of each; 0 = it has found none */
    cairn_cost moved[CRN_ADAPTIVE_EPOCHS]; /* by how much all estimates had become less by then */
    bool first;                            /* no epoch was before this one */
    bool fresh;                            /* no search was in this one */
    bool sweep_due;
    uint32_t lap, sweep_at, sweep_left; /* pages: of the lap, the next one, before the next epoch */

    uint32_t next;       /* page from which on records may be dirty: of nodes with other edges */
    cairn_node checking; /* is being looked at, from this edge on */
    uint32_t check_at;
    uint64_t check_least;
    bool lowering;        /* the queue has nodes whose estimates were lowered */
    cairn_node spreading; /* is being expanded; CAIRN_NO_NODE = none */
    uint32_t spread_at;   /* its next edge */

    bool follows;  /* the agent is on its path ... */
    bool doubtful; /* ... of which it is not known whether it still is the best */
    crn_adaptive_tail tail;
    cairn_node trace_to, trace_from; /* an edge of the path whose pointer is to be set */
    uint32_t trace_at;
    cairn_cost trace_cost;
    crn_step_look step; /* the next one; from: CAIRN_NO_NODE = not known yet */

    bool overflowed;     /* a path was left out because its cost does not fit */
    cairn_status status; /* of the search: CAIRN_OK, or why there is no path */
    uint64_t expanded;   /* nodes, since it was opened */
    cairn_trace_sink sink;
} crn_adaptive;

/* ---- records and estimates (adaptive.c) ---- */

CRN_INLINE uint32_t crn_adaptive_epoch(crn_keyed_record record)
{
    return *crn_keyed_note(record) % CRN_ADAPTIVE_EPOCHS;
}

CRN_INLINE crn_adaptive_form crn_adaptive_form_of(crn_keyed_record record)
{
    return (crn_adaptive_form)(*crn_keyed_note(record) / CRN_ADAPTIVE_EPOCHS);
}

CRN_INLINE crn_scratch *crn_adaptive_memory(const crn_adaptive *a)
{
    return &a->navigator->memory;
}

CRN_INLINE const cairn_space *crn_adaptive_space(const crn_adaptive *a)
{
    return a->navigator->space;
}

/* No page: there is none. */
CRN_INLINE crn_keyed_record crn_adaptive_find(const crn_adaptive *a, cairn_node node)
{
    return crn_keyed_find(&a->queue.records, node);
}

/* What a record says. Keys of a search are f and the larger g; those of estimates that are lowered,
 * h and 0. */
CRN_INLINE crn_adaptive_known crn_adaptive_read(const crn_adaptive *a, crn_keyed_record record)
{
    uint32_t one = *crn_keyed_a(record), two = *crn_keyed_b(record);
    crn_adaptive_form form = crn_adaptive_form_of(record);
    if (form == CRN_ADAPTIVE_CLOSED) return (crn_adaptive_known){one, two, CRN_ADAPTIVE_NOWHERE};
    if (form == CRN_ADAPTIVE_QUEUED) {
        const crn_keyed_entry *entry = crn_keyed_entry_at(&a->queue, one >> 1);
        cairn_cost g = CAIRN_NO_COST - entry->second;
        cairn_cost h = g == CAIRN_NO_COST ? entry->first : entry->first - g;
        return (crn_adaptive_known){g, h, two};
    }
    if (form == CRN_ADAPTIVE_LEARNT) return (crn_adaptive_known){CAIRN_NO_COST, two, one};
    return (crn_adaptive_known){one, a->paid[crn_adaptive_epoch(record)] - one, two};
}

/* The same as it is in the present epoch, with the estimate, for a record of another one, or none
 * at all. */
crn_adaptive_known crn_adaptive_renewed(const crn_adaptive *a, cairn_node node,
                                        crn_keyed_record record);

CRN_INLINE crn_adaptive_known crn_adaptive_now(const crn_adaptive *a, cairn_node node,
                                               crn_keyed_record record)
{
    if (CRN_LIKELY(record.page && crn_adaptive_epoch(record) == a->epoch))
        return crn_adaptive_read(a, record);
    return crn_adaptive_renewed(a, node, record);
}

/* Each writes a record, which becomes one of the present epoch: */
/* - a node that is not on the queue any more, or has never been there; */
void crn_adaptive_learn(crn_adaptive *a, crn_keyed_record record, cairn_cost h, uint32_t pointer);
void crn_adaptive_close_one(crn_adaptive *a, crn_keyed_record record, cairn_cost g, cairn_cost h);
/* - a node that is on the queue from now on, with this key. False: there is no memory. */
bool crn_adaptive_queue(crn_adaptive *a, crn_keyed_record record, uint64_t key, uint32_t pointer);

/* Gives a record another pointer. If it was expanded, it is on the path that was found. */
void crn_adaptive_point(crn_adaptive *a, crn_keyed_record record, uint32_t pointer);

/* The estimate of a node, with all that was learnt; there may be no record. */
uint64_t crn_adaptive_h(const crn_adaptive *a, cairn_node node, crn_keyed_record record);

/* Nothing was learnt, and nothing changed: it begins in the world as it is. */
void crn_adaptive_forget(crn_adaptive *a);

void crn_adaptive_report(const crn_adaptive *a, cairn_event_kind kind, cairn_node node,
                         cairn_node parent, cairn_cost g);

CRN_INLINE void crn_adaptive_tell(const crn_adaptive *a, cairn_event_kind kind, cairn_node node,
                                  cairn_node parent, cairn_cost g)
{
    const cairn_search *query = a->navigator->query;
    if (CRN_UNLIKELY(query ? query->traced : a->sink.event != NULL))
        crn_adaptive_report(a, kind, node, parent, g);
}

CRN_INLINE cairn_metrics *crn_adaptive_metrics(const crn_adaptive *a)
{
    cairn_search *query = a->navigator->query;
    return query ? &query->metrics : NULL;
}

/* ---- changes (adaptive_changes.c) ---- */

/* Takes in what was committed since it last did. */
void crn_adaptive_notice(crn_adaptive *a);

/* Are there changes that estimates do not fit yet? If so, `settle` does some more for that. */
bool crn_adaptive_unsettled(const crn_adaptive *a);
void crn_adaptive_settle(crn_adaptive *a, uint32_t *edges);

/* ---- searches and paths (adaptive_search.c) ---- */

/* Each does some more of what belongs to a stage, for at most *edges edges, which it subtracts;
 * they are not 0. */
void crn_adaptive_begin(crn_adaptive *a, uint32_t *edges);
void crn_adaptive_search(crn_adaptive *a, uint32_t *edges);
void crn_adaptive_trace_path(crn_adaptive *a, uint32_t *edges);

/* Begins to walk along a tail, and goes on with it by a step. */
void crn_adaptive_tail_from(crn_adaptive *a, cairn_node node);
void crn_adaptive_tail_step(crn_adaptive *a);

/* Where the pointer of a node leads, and what that costs; false = nowhere. */
bool crn_adaptive_lead(const crn_adaptive *a, cairn_node node, cairn_edge *out);

/* Forgets a pointer if another number of edges would make it lead elsewhere. */
void crn_adaptive_drop_number(crn_adaptive *a, crn_keyed_record record);

/* ---- for descriptors ---- */

/* Worlds of callbacks do not know the edges to a node. */
#define CRN_ADAPTIVE_INFO \
    .family = "continuous", .kind = CAIRN_KIND_NAVIGATOR, \
    .flags = CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_MANY_GOALS | CAIRN_PIECES, \
    .worlds = ((1u << CAIRN_WORLD_COUNT) - 1) & ~(1u << CAIRN_WORLD_CALLBACKS), \
    .neighbourhoods = (1u << CAIRN_NEIGHBOURS_COUNT) - 1, \
    .corners = (1u << CAIRN_CORNERS_COUNT) - 1, .delegates = 1u << CAIRN_FEATURE_MANY_GOALS
#define CRN_ADAPTIVE_FUNCTIONS \
    .create = crn_adaptive_create, .destroy = crn_adaptive_destroy, CRN_WALKER_FUNCTIONS
cairn_status crn_adaptive_create(cairn_planner *planner, cairn_error *error);
void crn_adaptive_destroy(cairn_planner *planner);

/* Functions of a navigator; `open` of an algorithm calls crn_adaptive_open with its rule. */
#define CRN_ADAPTIVE_NAVIGATOR \
    .close = crn_adaptive_close, .start = crn_adaptive_start, .changed = crn_adaptive_changed, \
    .stepped = crn_adaptive_stepped, .pushed = crn_adaptive_pushed, \
    .retargeted = crn_adaptive_changed, .next = crn_adaptive_next, .ahead = crn_adaptive_ahead, \
    .bound = crn_adaptive_bound, .bytes = crn_adaptive_bytes, .trace = crn_adaptive_trace
cairn_status crn_adaptive_open(cairn_navigator *navigator, const crn_adaptive_rule *rule);
void crn_adaptive_close(cairn_navigator *navigator);
void crn_adaptive_start(cairn_navigator *navigator);
void crn_adaptive_changed(cairn_navigator *navigator);
void crn_adaptive_stepped(cairn_navigator *navigator, cairn_node from);
void crn_adaptive_pushed(cairn_navigator *navigator);
cairn_status crn_adaptive_next(cairn_navigator *navigator, cairn_move *move);
uint32_t crn_adaptive_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity);
double crn_adaptive_bound(const cairn_navigator *navigator);
size_t crn_adaptive_bytes(const cairn_navigator *navigator);
void crn_adaptive_trace(cairn_navigator *navigator, const cairn_trace_sink *sink);

#endif
