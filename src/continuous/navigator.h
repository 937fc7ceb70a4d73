/* navigator.h (internal): what a continuous algorithm is for the rest of the library.
 *
 * navigator.c has what is the same for all of them: where the agent is and wants to go, that it
 * stops when no path is left, and the sums. An algorithm of the kind CAIRN_KIND_NAVIGATOR gives a
 * table of these functions. The table of replan.c drives planners.
 */
#ifndef CRN_NAVIGATOR_H
#define CRN_NAVIGATOR_H

#include "search/search.h"
#include <cairn/navigator.h>

struct cairn_navigator {
    cairn_planner *planner;
    cairn_context *context;
    const cairn_space *space;
    const struct crn_navigator_functions *functions;
    cairn_navigator_options options;
    void *own;       /* the algorithm's */
    uint64_t budget; /* units of work that the running call may use; UINT64_MAX = no limit */

    cairn_node at, goal; /* CAIRN_NO_NODE before the start */
    uint64_t version;    /* of the world that the algorithm was last told of */
    /* no path is left, for this reason; CAIRN_OK = it has not stopped ... */
    cairn_status stopped;
    uint64_t stopped_version; /* ... in this version of the world */
    cairn_walk_sums sums;
};

typedef struct crn_navigator_functions {
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
    size_t (*bytes)(const cairn_navigator *navigator);
    void (*trace)(cairn_navigator *navigator, const cairn_trace_sink *sink);
} crn_navigator_functions;

/* Plan, follow, replan: any planner (replan.c). */
extern const crn_navigator_functions crn_navigator_replanning;

#endif
