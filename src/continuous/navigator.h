/* navigator.h (internal): what a continuous algorithm is for the rest of the library.
 *
 * navigator.c has what is the same for all of them: where the agent is and wants to go, that it
 * stops when no path is left, and the sums. An algorithm of the kind CAIRN_KIND_NAVIGATOR gives a
 * table of these functions, and so may a planner whose index leads agents. The table of replan.c
 * drives all other planners.
 */
#ifndef CRN_NAVIGATOR_H
#define CRN_NAVIGATOR_H

#include "search/search.h"
#include <cairn/navigator.h>

struct cairn_navigator {
    cairn_planner *planner;
    cairn_context *context;
    const cairn_space *space;
    const struct crn_navigator_functions *functions; /* those that serve the space as it is */
    cairn_navigator_options options;
    void *own;                 /* the algorithm's */
    struct crn_sensor *sensor; /* NULL = what is known is the truth */
    crn_scratch memory;        /* for what it searches with */
    cairn_search *query;       /* that its walk answers (walker.h); NULL: it serves an agent */
    uint64_t budget; /* units of work that the running call may use; UINT64_MAX = no limit */

    /* set by `next` if it returns CAIRN_RUNNING because its turn is over without a step */
    bool waits;
    /* set by `next` if the goal may yet turn out to be out of reach, though the agent goes on */
    bool unsure;

    cairn_node at, goal; /* CAIRN_NO_NODE before the start */
    uint64_t version;    /* of the world that the algorithm was last told of */
    /* no path is left, for this reason; CAIRN_OK = it has not stopped ... */
    cairn_status stopped;
    uint64_t stopped_version; /* ... in this version of the world */
    cairn_walk_sums sums;
    cairn_trace_sink sink; /* for functions that are chosen later */
};

typedef struct crn_navigator_functions {
    /* Does the algorithm serve agents in the space as it is now? Else replan.c does, with the
     * answers of the planner, which are delegated. NULL: it always does. */
    bool (*serves)(const cairn_planner *planner);
    /* Makes and unmakes `own`; `close` is called after a failed `open` too. */
    cairn_status (*open)(cairn_navigator *navigator);
    void (*close)(cairn_navigator *navigator);
    /* Events, in this order, after `at` and `goal` were set:
     * - start: a new walk; nothing of the last one counts.
     * - changed: the world was committed to since the last event or `next`.
     * - stepped: the agent made a step from `from` to `at`, by `next` or by itself. There is an
     *   edge.
     * - pushed: it is somewhere else, where no step leads from where it was.
     * - retargeted: it has another goal. */
    void (*start)(cairn_navigator *navigator);
    void (*changed)(cairn_navigator *navigator);
    void (*stepped)(cairn_navigator *navigator, cairn_node from);
    void (*pushed)(cairn_navigator *navigator);
    void (*retargeted)(cairn_navigator *navigator);
    /* Finds the next step from `at`, which is not the goal. CAIRN_OK, with to, cost and link of the
     * move; CAIRN_RUNNING: it must continue to think; or why there is no path. Fills work (at most
     * navigator->budget), expanded, plans, pieces, syncs and broken in every case. */
    cairn_status (*next)(cairn_navigator *navigator, cairn_move *move);
    /* As cairn_navigator_ahead. */
    uint32_t (*ahead)(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity);
    /* As cairn_navigator_subgoals; NULL: it has none. */
    uint32_t (*subgoals)(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity);
    /* As cairn_navigator_bound, before the goal; NULL: none is known. */
    double (*bound)(const cairn_navigator *navigator);
    size_t (*bytes)(const cairn_navigator *navigator);
    void (*trace)(cairn_navigator *navigator, const cairn_trace_sink *sink);
} crn_navigator_functions;

/* cairn_navigator_next with at most this many units of work (UINT64_MAX = no limit). */
cairn_move crn_navigator_move(cairn_navigator *navigator, uint64_t budget);

/* Answers what needs neither a search nor an index; CAIRN_OK = there may be a path. */
cairn_status crn_navigator_hope(const cairn_navigator *navigator);

/* Brings the index up to date if it is not. Searches make sure of that themselves. */
cairn_status crn_navigator_sync(const cairn_navigator *navigator, cairn_move *move);

/* A look at a step: is there one, and what does it cost? Few steps are found at once: a node of a
 * graph may have thousands of edges. */
typedef struct crn_step_look {
    cairn_node from, to; /* CAIRN_NO_NODE: there is nothing to look at */
    uint32_t at;         /* the next edge of `from` */
    cairn_cost cost;     /* CAIRN_NO_COST: no such step so far */
    bool done;
} crn_step_look;

/* Goes on for at most *work units, and subtracts those that it used: none on grids. Returns whether
 * it is done. */
bool crn_navigator_look(const cairn_navigator *navigator, crn_step_look *look, uint64_t *work);

/* The agent makes that step. */
void crn_navigator_go(const cairn_navigator *navigator, const crn_step_look *look,
                      cairn_move *move);

/* The bound of an agent whose path ahead is the best one when it is settled. */
double crn_navigator_best(const cairn_navigator *navigator, bool settled);

/* Plan, follow, replan: any planner (replan.c). */
extern const crn_navigator_functions crn_navigator_replanning;

#endif
