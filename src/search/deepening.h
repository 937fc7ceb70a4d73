/* deepening.h: iterative deepening: depth-first searches from the start, again and again, each
 * with a higher threshold. What idastar.c and me_idastar.c have in common.
 *
 * One iteration goes down along every path whose f = g + h does not exceed the threshold, and
 * notes the least f that does. That is the next threshold. The first is the estimate at the start.
 * When an iteration exceeds it nowhere, there is no path. A node is tested against the threshold
 * before it is tested for being a goal (the thesis tests the goal first, which would accept paths
 * that are not the cheapest). Nodes of the path itself are skipped.
 *
 * The recursion is a stack of frames, one for each node of the present path, with up to eight of
 * its edges each. Frames lie in blocks that never move. Chains, linked through the frames, find the
 * frame of a node, so that an ancestor is recognised without a walk through the stack. There are as
 * many chains as the longest path of the query has nodes: with each of these one chain is split in
 * two (linear hashing, W. Litwin 1980), so that no unit of work has to rebuild the table. Memory is
 * therefore proportional to the longest path that was looked at, and to nothing else. It is more
 * where something is kept for every node:
 * - the least cost of a path to it so far (`table`), and the iteration that it is from;
 * - its estimate (the parameter `cache`), which is otherwise computed at every visit.
 *
 * A query for a partial path also keeps a copy of the path to the best node so far: each frame
 * holds the node at its depth. Only what differs from the stack is copied, so each step of the
 * search is copied at most once; and of a long path a piece in a unit of work.
 *
 * A path names nodes, and whoever walks it takes the cheapest edges. The cheapest path has no
 * others. If the estimate exceeds the true rest, the first path that is found may have gone over an
 * expensive edge beside a cheap one (a step beside a link, two edges of a graph): its costs are
 * lowered before the search ends.
 *
 * The number of paths grows exponentially with their length. So each of these planners has a
 * parameter `effort`, and its searches end with CAIRN_OUT_OF_BUDGET after this many expansions.
 */
#ifndef CRN_DEEPENING_H
#define CRN_DEEPENING_H

#include "search/own_search.h"

cairn_status crn_deepening_open(cairn_search *search, bool table);
void crn_deepening_close(cairn_search *search);
cairn_status crn_deepening_begin(cairn_search *search);
cairn_status crn_deepening_step(cairn_search *search, uint64_t work);
cairn_status crn_deepening_path_to(cairn_search *search, cairn_node node);
cairn_cost crn_deepening_cost_to(const cairn_search *search, cairn_node node);
bool crn_deepening_closest(cairn_search *search, uint64_t work, bool first);
cairn_status crn_deepening_reached(const cairn_search *search, cairn_visit *visit, void *user);

/* All of them but `open`, for a descriptor. */
#define CRN_DEEPENING_FUNCTIONS \
    .create = crn_own_create_estimated, .destroy = crn_own_destroy, .close = crn_deepening_close, \
    .begin = crn_deepening_begin, .step = crn_deepening_step, .path_to = crn_deepening_path_to, \
    .cost_to = crn_deepening_cost_to, .closest = crn_deepening_closest, \
    .reached = crn_deepening_reached

/* Parameters of searches that may take too long. */
#define CRN_EFFORT_MOST INT64_C(1000000000000)
#define CRN_PARAMETER_EFFORT(expansions) \
    { \
        "effort", "expansions after which it gives up: out of budget", CAIRN_PARAMETER_INTEGER, 1, \
            CRN_EFFORT_MOST, expansions, NULL \
    }
#define CRN_PARAMETER_CACHE \
    { \
        "cache", "whether the estimate of a node is kept, or computed at every visit", \
            CAIRN_PARAMETER_CHOICE, 0, 1, 0, crn_deepening_cache_choices \
    }
extern const char *const crn_deepening_cache_choices[];

#endif
