/* navigator.h: an agent that walks in a world that changes.
 *
 * A planner answers one query and keeps nothing. A navigator lives with one agent. It knows where
 * the agent is and where it wants to go, notices what was committed to the world, and says at every
 * call of cairn_navigator_next what to do now. Every planner can drive a navigator: it plans,
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
 * All navigators of a planner belong to one thread at a time, since a navigator may sync the
 * planner's index.
 *
 * Many agents. What an agent keeps is its path and its place on it: about 400 bytes, and 1 to 3 for
 * each turning point. What it needs to plan is a search, which is far larger. Navigators borrow
 * one from a pool of their planner (cairn_planner_set_pool) and return it when the plan is made. So
 * at most 4 of them plan at a time by default, however many there are. The others wait, first come,
 * first served: they follow their old path if they can, or think (CAIRN_RUNNING). A thousand agents
 * are advanced within one budget by cairn_navigators_next.
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
    CAIRN_REPLAN_BLOCKED, /* when the rest of its path can no longer be walked */
    CAIRN_REPLAN_CHANGED, /* after every commit that changed anything; finds shortcuts */
    CAIRN_REPLAN_COUNT
} cairn_replan;

/* Returns "blocked" or "changed". */
CAIRN_API const char *cairn_replan_name(cairn_replan replan);

/* Zero means default in every field. */
typedef struct cairn_navigator_options {
    cairn_replan replan;
    /* Units of work (planner.h) for each call of cairn_navigator_next; 0 = no limit.
     * - It is never exceeded: what is not done continues with the next call.
     * - Checking whether the path can still be walked counts one unit for each 256 steps.
     * - Bringing an index up to date is not counted, since it cannot be interrupted. Sync it
     *   yourself where there is time, or use `background`. */
    uint64_t work;
    /* With CAIRN_BACKGROUND and a context with workers: the index is synced on a thread of its own.
     * Meanwhile the agent follows its old path as far as it leads. After that it thinks without
     * work until the thread is done: call again next turn, not at once. How far the path leads
     * depends on the speed of the thread, so such walks may differ from run to run. */
    bool background;
    /* with CAIRN_PIECES: plan this many steps at a time (cairn_query.piece); 0 = all. Between two
     * pieces the agent keeps its search of the pool as long as no other agent needs it. If it has
     * lost it, it plans again from where it is, each time twice as many steps. */
    uint32_t piece;
    /* If not 0: the navigator has a search of its own, instead of the pool's, of at most this many
     * bytes. */
    size_t byte_limit;
    /* If a wall is built on the agent: it goes to the nearest node where it can stand
     * (cairn_nearest_usable), if that is at most so far away; INFINITY = however far. 0 = it stops
     * with CAIRN_BLOCKED_START. */
    double start_within;
} cairn_navigator_options;

CAIRN_API cairn_navigator_options cairn_navigator_defaults(void);

/* ---- the pool ---------------------------------------------------------------------- */

/* The searches that the navigators of a planner share. Zero means default in every field. */
typedef struct cairn_pool_options {
    uint32_t searches; /* at most this many agents plan at a time, up to 1024; 0 = 4 */
    /* of all searches together, divided equally among them; 0 = none. A plan that needs more ends
     * with CAIRN_OUT_OF_MEMORY. */
    size_t byte_limit;
} cairn_pool_options;

/* Sets the size of a planner's pool. `options` may be NULL. CAIRN_INVALID while the planner has
 * navigators.
 * - Searches are made when they are first needed, and freed with the last navigator.
 * - An agent that waits or plans, but is not called any more, does not stop the others: when they
 *   have waited for about 64 turns, it loses its turn. */
CAIRN_API cairn_status cairn_planner_set_pool(cairn_planner *planner,
                                              const cairn_pool_options *options);

/* What the pool holds now. */
typedef struct cairn_pool_use {
    uint32_t navigators; /* that share it */
    uint32_t searches;   /* made so far ... */
    uint32_t borrowed;   /* ... of which this many are in use */
    uint32_t waiting;    /* navigators that wait for one */
    size_t bytes;        /* of all searches */
} cairn_pool_use;
CAIRN_API cairn_pool_use cairn_planner_pool(const cairn_planner *planner);

/* ---- one agent --------------------------------------------------------------------- */

/* Creates a navigator. `options` may be NULL.
 * - The navigator keeps the planner alive.
 * - If the planner's index is not built, the first plan builds it. */
CAIRN_API cairn_status cairn_navigator_create(cairn_planner *planner,
                                              const cairn_navigator_options *options,
                                              cairn_navigator **out);

/* Destroys a navigator. NULL is allowed. */
CAIRN_API void cairn_navigator_destroy(cairn_navigator *navigator);

/* Puts the agent at `from`, with `to` as its goal, and sets its sums to zero. Nothing is planned
 * yet. CAIRN_OUT_OF_BOUNDS if there is no such node. An agent that needs another algorithm, because
 * the world has changed, may not get it: CAIRN_OUT_OF_MEMORY, and it stays where it was. */
CAIRN_API cairn_status cairn_navigator_start(cairn_navigator *navigator, cairn_node from,
                                             cairn_node to);

/* Tells the navigator where the agent is, if cairn_navigator_next did not take it there. Goal and
 * sums stay.
 * - The same node: nothing happens.
 * - The next step of its path: it keeps the path, and plans nothing.
 * - Any other node: it plans from there with the next call.
 * - CAIRN_INVALID before the start, and CAIRN_OUT_OF_BOUNDS if there is no such node: it stays
 *   where it was. */
CAIRN_API cairn_status cairn_navigator_moved(cairn_navigator *navigator, cairn_node at);

/* Gives the agent another goal, from where it is. CAIRN_INVALID before the start, and
 * CAIRN_OUT_OF_BOUNDS if there is no such node: it keeps its goal. */
CAIRN_API cairn_status cairn_navigator_retarget(cairn_navigator *navigator, cairn_node to);

typedef enum cairn_move_kind {
    CAIRN_MOVE_STEP,    /* it goes from `from` to `to` */
    CAIRN_MOVE_ARRIVED, /* it is at its goal and stays there */
    CAIRN_MOVE_THINK,   /* it stays: there is more to plan, or it waits for a search */
    CAIRN_MOVE_STOP,    /* it stays: no path is left */
    CAIRN_MOVE_COUNT
} cairn_move_kind;

/* Returns "step", "arrived", "think" or "stop". */
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
    bool broken;            /* the path was found not to lead to the goal any more */
    bool escaped;           /* out of a wall (options.start_within): no edge leads there, cost 0 */
    uint32_t seen;          /* what its sensor saw that was not known: cells, edges, nodes */
} cairn_move;

/* Decides what the agent does next. `out` (may be NULL) is filled in every case.
 * - CAIRN_OK: a step, or the agent is at its goal. The step is legal in the world as it is when the
 *   call returns, unless it leads out of a wall (move.escaped).
 * - CAIRN_RUNNING: it thinks.
 * - All others: it stops. CAIRN_UNREACHABLE, CAIRN_BLOCKED_START and CAIRN_BLOCKED_GOAL stay, at no
 *   cost, until a commit or another goal may change that; then it searches again by itself. After
 *   CAIRN_OUT_OF_MEMORY the next call tries again. CAIRN_INVALID before the start.
 *   CAIRN_UNSUPPORTED: `aastar` and its kin on a path over an edge that is beyond the
 *   4,294,967,285th of its node.
 * - Steps lead from node to node. Lines of any angle are walked along the cells that they pass. An
 *   agent with a size, which may not be able to stand on these cells, walks a whole line at a
 *   time. */
CAIRN_API cairn_status cairn_navigator_next(cairn_navigator *navigator, cairn_move *out);

/* Changes the units of work for each call (cairn_navigator_options.work); 0 = no limit. A plan that
 * is under way goes on. */
CAIRN_API cairn_status cairn_navigator_set_work(cairn_navigator *navigator, uint64_t work);

/* ---- partly known worlds ------------------------------------------------------------- */

/* The largest range of a sensor. */
#define CAIRN_SENSOR_MAX 1024u

/* Gives the agent a sensor. From now on the world of its planner is what is *known*, and `truth`
 * is a space of the world as it is. Each call of cairn_navigator_next first compares the two round
 * the agent, and corrects what is known by a commit. Then it decides.
 *
 *     cairn_grid_known(truth, CAIRN_KNOW_NOTHING, 0, &known, NULL);   free space, or what is known
 *     ... a space of each, a planner and navigators for the known one
 *     cairn_navigator_set_sensor(navigator, true_space, 5, &error);
 *
 * - Works with every algorithm. Agents that walk in one known world share what they see. If they
 *   are many, advance them by cairn_navigators_next: then all look first, and one commit takes it
 *   in.
 * - On grids the sensor sees all cells at most `range` columns and rows away (a square; walls are
 *   no obstacle to it), on hexagons those at most `range` steps away: open or not, terrain, extra
 *   cost, elevation, and the links that begin there. It also sees where the links end that begin
 *   at the agent's own cell.
 * - On graphs it sees the edges of all nodes less than `range` edges away, and whether nodes at
 *   their ends can be used. Each correction is a commit of the graph, which visits all of it.
 * - What it no longer sees stays known as it was seen last.
 * - Every step is legal in truth, at the cost that is reported. So agents with a size need a range
 *   of more than 1, and are refused a shorter one. They are also refused a sensor with planners of
 *   any angle, since they walk lines whole.
 * - It looks when the agent has moved or one of the two worlds was committed to, and at the goal
 *   too. That is not counted as work, nor is the commit. A commit of its own also makes what you
 *   have staged in the known world. So it looks once more then, and if that was wrong in view of
 *   the agent, corrects it by a second commit.
 * - The sensor reads the truth; nobody may edit that meanwhile. It keeps the space alive. The
 *   profile of that space does not count.
 * - A range of 0 takes the sensor away, and another call replaces it.
 * - CAIRN_INVALID: truth and known world differ in kind, size or layout, or are the same; or the
 *   range does not suffice, or is above CAIRN_SENSOR_MAX. CAIRN_UNSUPPORTED: the known world is
 *   neither a grid nor a graph (views, worlds of functions); or the agent has a size, and its
 *   planner is one of any angle. `error` (may be NULL) says which. */
CAIRN_API cairn_status cairn_navigator_set_sensor(cairn_navigator *navigator,
                                                  const cairn_space *truth, uint32_t range,
                                                  cairn_error *error);

/* ---- many agents --------------------------------------------------------------------- */

/* One turn of many agents. The caller gives `work`, and leaves the struct alone between turns. */
typedef struct cairn_turn {
    uint64_t work;     /* units for all of them together; 0 = no limit */
    uint32_t first;    /* who is asked first in the next turn; 0 in the first one */
    uint64_t used;     /* units used; never more than `work` */
    uint32_t steps;    /* how many made a step, ... */
    uint32_t thinking; /* ... think, ... */
    uint32_t stopped;  /* ... have no path ... */
    uint32_t arrived;  /* ... and are at their goal */
} cairn_turn;

/* Advances many agents by one call of cairn_navigator_next each, within one budget. moves[i] (moves
 * may be NULL) becomes what navigators[i] does.
 * - Each has the work of its own options at most, and what the others have left. Those for which
 *   nothing is left follow their path, or think.
 * - Fair: the next turn begins behind the agent that used the last of the budget.
 * - The same calls give the same walks.
 * - They may be of several planners. Each must be there once. One that has not started, or is NULL,
 *   stops with CAIRN_INVALID. */
CAIRN_API cairn_status cairn_navigators_next(cairn_navigator *const *navigators, uint32_t count,
                                             cairn_turn *turn, cairn_move *moves);

CAIRN_API cairn_planner *cairn_navigator_planner(const cairn_navigator *navigator);

/* Return where the agent is, and where it wants to go; CAIRN_NO_NODE before the start. */
CAIRN_API cairn_node cairn_navigator_at(const cairn_navigator *navigator);
CAIRN_API cairn_node cairn_navigator_goal(const cairn_navigator *navigator);

/* Writes the path ahead, as far as it is known: where the agent is, then the points to come, joined
 * by straight lines or links. Returns how many there are, or 0 without a path. Writes at most
 * `capacity` of them. */
CAIRN_API uint32_t cairn_navigator_ahead(const cairn_navigator *navigator, cairn_node *out,
                                         uint32_t capacity);

/* Writes the subgoals of an agent that walks from one to the next, as far as it knows them: the one
 * that it walks to now (cairn_navigator_ahead leads there), then those to come; the goal is the
 * last one if it is known. It may leave out some of them later. Returns how many there are, 0 at
 * the goal and for agents that follow a path. Writes at most `capacity` of them. */
CAIRN_API uint32_t cairn_navigator_subgoals(const cairn_navigator *navigator, cairn_node *out,
                                            uint32_t capacity);

/* Returns by what factor the path ahead (cairn_navigator_ahead) may cost more than the best one
 * from where the agent is, in the world as it is: 1 if it is the best one, or at the goal.
 * INFINITY if nothing is known: without a path, after a commit until the next call of
 * cairn_navigator_next, for algorithms that promise nothing, and for agents that plan whole paths
 * (their paths have a bound of their own). */
CAIRN_API double cairn_navigator_bound(const cairn_navigator *navigator);

/* Sums since the start. */
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
    uint64_t seen;       /* what its sensor saw that was not known */
    uint64_t peak_bytes; /* most memory for records and open list in use by one plan */
    /* held now for this agent alone: its path and the navigator, and its search if it has one of
     * its own; index and pool belong to the planner */
    uint64_t bytes;
} cairn_walk_sums;
CAIRN_API cairn_walk_sums cairn_navigator_sums(const cairn_navigator *navigator);

/* Reports every plan to a sink, from the next one on; NULL ends that. The sink is copied. */
CAIRN_API void cairn_navigator_trace(cairn_navigator *navigator, const cairn_trace_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
