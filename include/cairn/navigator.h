/* navigator.h: an agent that walks in a world that changes.
 *
 * A planner answers one query and keeps nothing. A navigator lives with one agent: it knows where
 * the agent is and where it wants to go, notices what was committed to the world, and says at every
 * call of cairn_navigator_next what to do now. Every planner can be driven as one: it plans,
 * follows its path, and plans again when the path is broken or, if you like, whenever the world has
 * changed.
 *
 *     cairn_navigator_create(planner, NULL, &navigator);
 *     cairn_navigator_start(navigator, from, to);
 *     for (;;) {                                  ... once a turn
 *         status = cairn_navigator_next(navigator, &move);
 *         CAIRN_OK:      the agent goes from move.from to move.to (move.arrived: it is there)
 *         CAIRN_RUNNING: it is still thinking and stays where it is
 *         all others:    no path is left; it stays, and the status says why
 *     }
 *
 * One thread at a time for all navigators of a planner, since a navigator may sync the planner's
 * index.
 */
#ifndef CAIRN_NAVIGATOR_H
#define CAIRN_NAVIGATOR_H

#include "base.h"
#include "planner.h"
#include "trace.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_navigator cairn_navigator;

/* When an agent that has a path looks for another one. */
typedef enum cairn_replan {
    CAIRN_REPLAN_BLOCKED, /* when what is left of it can no longer be walked */
    CAIRN_REPLAN_CHANGED, /* after every commit that changed anything: shortcuts are found */
    CAIRN_REPLAN_COUNT
} cairn_replan;

/* "blocked", "changed" */
CAIRN_API const char *cairn_replan_name(cairn_replan replan);

/* Zero means default in every field. */
typedef struct cairn_navigator_options {
    cairn_replan replan;
    /* Units of work (planner.h) for each call of cairn_navigator_next; 0 = no limit. It is never
     * exceeded: what is not done goes on with the next call. Looking whether the path can still be
     * walked counts one unit for each 256 steps. Bringing an index up to date is not counted, since
     * it cannot be interrupted: sync it yourself where there is time, or let it happen in the
     * background. */
    uint64_t work;
    /* With CAIRN_BACKGROUND, and a context with workers: the index is synced on a thread of its
     * own, and the agent follows its old path meanwhile, as far as it leads; then it thinks without
     * work until the thread is done: call again next turn, not at once. How far the path leads
     * depends on how fast the thread is, so such walks may differ from run to run. */
    bool background;
    /* with CAIRN_PIECES: plan so many steps at a time (cairn_query.piece); 0 = all */
    uint32_t piece;
    size_t byte_limit; /* of the memory for searching; 0 = none */
} cairn_navigator_options;

CAIRN_API cairn_navigator_options cairn_navigator_defaults(void);

/* `options` may be NULL. The planner must outlive the navigator; an index that it needs is built
 * with the first plan, if you did not. */
CAIRN_API cairn_status cairn_navigator_create(cairn_planner *planner,
                                              const cairn_navigator_options *options,
                                              cairn_navigator **out);

/* NULL is allowed. */
CAIRN_API void cairn_navigator_destroy(cairn_navigator *navigator);

/* Puts the agent at `from`, with `to` as its goal, and its sums to zero. CAIRN_OUT_OF_BOUNDS for
 * nodes that are none. Nothing is planned yet. */
CAIRN_API cairn_status cairn_navigator_start(cairn_navigator *navigator, cairn_node from,
                                             cairn_node to);

/* Tells where the agent is, if cairn_navigator_next did not take it there. Its goal and its sums
 * stay.
 * - Where it was: nothing happens.
 * - A step from there: if that is the next step of its path it keeps the path, and plans nothing.
 * - Anywhere else it was pushed: it plans from there with the next call. CAIRN_INVALID before the
 *   start, CAIRN_OUT_OF_BOUNDS for a node that is none: then it stays where it was. */
CAIRN_API cairn_status cairn_navigator_moved(cairn_navigator *navigator, cairn_node at);

/* Gives it another goal, from where it is. CAIRN_INVALID before the start, CAIRN_OUT_OF_BOUNDS for
 * a node that is none: then it keeps its goal. */
CAIRN_API cairn_status cairn_navigator_retarget(cairn_navigator *navigator, cairn_node to);

typedef enum cairn_move_kind {
    CAIRN_MOVE_STEP,    /* it goes from `from` to `to` */
    CAIRN_MOVE_ARRIVED, /* it is at its goal and stays there */
    CAIRN_MOVE_THINK,   /* it stays: there is more to plan than the work of one call */
    CAIRN_MOVE_STOP,    /* it stays: no path is left */
    CAIRN_MOVE_COUNT
} cairn_move_kind;

/* "step", "arrived", "think", "stop" */
CAIRN_API const char *cairn_move_name(cairn_move_kind kind);

/* What one call did. */
typedef struct cairn_move {
    cairn_move_kind kind;
    cairn_status status;    /* what the call returned */
    cairn_node from, to;    /* the same if it stays */
    bool arrived;           /* `to` is the goal */
    bool linked;            /* the step uses a link ... */
    uint32_t link;          /* ... with this id */
    cairn_cost cost;        /* of the step */
    uint64_t work;          /* units used by this call */
    uint64_t expanded;      /* nodes expanded by it */
    uint32_t plans, pieces; /* plans made, and further pieces of them */
    uint32_t syncs;         /* how often the index was brought up to date */
    bool broken;            /* the path turned out not to lead to the goal any more */
} cairn_move;

/* What next? `out` (may be NULL) is filled in every case. Every step can be made in the world as it
 * is when the call returns. CAIRN_OK: a step, or the agent is at its goal. CAIRN_RUNNING: it
 * thinks. Others: it stops. CAIRN_UNREACHABLE, CAIRN_BLOCKED_START and CAIRN_BLOCKED_GOAL stay, and
 * cost nothing, until a commit or another goal changes that; then it looks again by itself.
 * CAIRN_OUT_OF_MEMORY: the next call tries again. CAIRN_INVALID before the start. Steps lead from
 * node to node. Lines of any angle are walked along the cells that they pass; an agent with a size,
 * for which these need not be places to stand, goes from point to point, a whole line at a time. */
CAIRN_API cairn_status cairn_navigator_next(cairn_navigator *navigator, cairn_move *out);

CAIRN_API cairn_planner *cairn_navigator_planner(const cairn_navigator *navigator);

/* Where it is, and where it wants to go; CAIRN_NO_NODE before the start. */
CAIRN_API cairn_node cairn_navigator_at(const cairn_navigator *navigator);
CAIRN_API cairn_node cairn_navigator_goal(const cairn_navigator *navigator);

/* The path ahead, as far as it is worked out: where the agent is, then the points to come (straight
 * lines between them, but for links). Returns how many there are and writes at most `capacity` of
 * them; 0 if it has no path. */
CAIRN_API uint32_t cairn_navigator_ahead(const cairn_navigator *navigator, cairn_node *out,
                                         uint32_t capacity);

/* Since the start. */
typedef struct cairn_walk_sums {
    uint64_t calls;      /* of cairn_navigator_next, but for those at the goal */
    uint64_t moves;      /* steps made */
    uint64_t cost;       /* of these steps */
    uint64_t work;       /* units of all calls ... */
    uint64_t most_work;  /* ... and of the one that used most */
    uint64_t expanded;   /* nodes */
    uint32_t plans;      /* paths planned */
    uint32_t pieces;     /* further pieces of them */
    uint32_t syncs;      /* of the index */
    uint32_t breaks;     /* how often the path was found broken */
    uint64_t peak_bytes; /* most memory for records and open list in use by one plan */
    /* held for this agent now: search, path and navigator; the index is the planner's */
    uint64_t bytes;
} cairn_walk_sums;
CAIRN_API cairn_walk_sums cairn_navigator_sums(const cairn_navigator *navigator);

/* Watch every plan from the next one on; NULL ends that. The sink is copied. */
CAIRN_API void cairn_navigator_trace(cairn_navigator *navigator, const cairn_trace_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
