/* anytime.h: a path at once, a better one with every round: what Anytime A*, ARA* and AD* share.
 *
 * The search leads from the goal to the agent (incremental.h), with estimates that are multiplied
 * by epsilon. Such a search soon finds a path, which costs at most epsilon times as much as the
 * best one. Then it goes on, in one of two ways:
 *
 * - ARA* and AD*: in rounds, each with a smaller epsilon, down to 1. A node is expanded at most
 *   once a round. Those that get cheaper after that are set aside (INCONS) for the next one.
 * - Anytime A*: with the same epsilon until no node on the queue promises a cheaper path than the
 *   one that is known (the incumbent). Nodes that promise none are set aside.
 *
 * After a round the least sum of g or rhs and estimate is looked for among all nodes on the queue
 * and set aside. No path from the target can cost less than that, or than the one that is known;
 * nor less than the known one divided by epsilon. The largest of these numbers divides the cost of
 * the path: that is the bound. Costs are whole numbers, and so is what the cost divided by epsilon
 * is rounded up to: the bound may be a little less than epsilon.
 *
 * While the agent walks along its path, the round goes on for where the agent was when it began
 * (the target). What it has walked is subtracted from both numbers. The next round begins where it
 * is then. Estimates there are other ones, so the queue is sorted again, or K_m is raised.
 *
 * A node with a finite g that is not more than its rhs has a path that costs no more than its g;
 * and expanding nodes in the world as it is makes that only cheaper. So the agent can walk at any
 * time once a round has ended, in the middle of the next one too.
 *
 * Another world: AD* repairs what it knows, with the same epsilon, or with the first one again if
 * much has changed. The others begin again. So do all of them for another goal. A push is another
 * target. A search whose weighted keys do not fit 32 bits begins again with an epsilon of 1.
 *
 * If there is no memory to go on with, the agent walks along the path that it has.
 */
#ifndef CRN_ANYTIME_H
#define CRN_ANYTIME_H

#include "continuous/incremental.h"

typedef enum crn_anytime_stage {
    CRN_ANYTIME_SEARCH, /* a round */
    CRN_ANYTIME_SCAN,   /* what can still be promised after it */
    CRN_ANYTIME_REST,   /* nothing is to be done until the next one begins */
    CRN_ANYTIME_STAGES
} crn_anytime_stage;

typedef struct crn_anytime {
    crn_incremental search;
    uint32_t epsilon, fall; /* the first one, and by how much it falls; 256ths; 0 = it does not */
    bool repairs;
    uint32_t big; /* per cent of the nodes that are known: a change after which epsilon rises */

    crn_anytime_stage stage;
    bool settled;              /* there is a path from where the agent stands */
    bool full;                 /* there was no memory to improve it */
    uint64_t upper;            /* what it costs, at most */
    uint64_t low;              /* no path from the target costs less ... */
    uint64_t walked;           /* ... and this is what the agent has walked since */
    uint64_t spent;            /* units of work of this round */
    crn_incremental_scan scan; /* after it */
    crn_incremental_look step; /* the next one; node: CAIRN_NO_NODE = none yet */
} crn_anytime;

/* Functions of navigators. `open` reads the parameters that the algorithm has: epsilon, fall, keys,
 * raise. */
cairn_status crn_anytime_open(cairn_navigator *navigator);
void crn_anytime_forget(cairn_navigator *navigator);
void crn_anytime_unsettle(cairn_navigator *navigator);
void crn_anytime_stepped(cairn_navigator *navigator, cairn_node from);
cairn_status crn_anytime_next(cairn_navigator *navigator, cairn_move *move);
uint32_t crn_anytime_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity);
double crn_anytime_bound(const cairn_navigator *navigator);

/* Search with at most *budget units, which they subtract.
 * - seek: for a first path. CAIRN_OK: there is one.
 * - improve: to the end of a round. CAIRN_OK: it has ended. */
cairn_status crn_anytime_seek(cairn_navigator *navigator, cairn_move *move, uint64_t *budget);
cairn_status crn_anytime_improve(cairn_navigator *navigator, uint64_t *budget);

/* Returns how much less a path from where the agent stands can cost; 0 = none is known. */
uint64_t crn_anytime_low(const crn_anytime *agent);

/* Returns the bound of a path with this cost, if no path costs less than `low`, which is not 0. */
double crn_anytime_ratio(uint64_t upper, uint64_t low);

/* For descriptors. */
extern const crn_navigator_functions crn_anytime_navigator;
extern const char *const crn_anytime_keys[];
cairn_status crn_anytime_create(cairn_planner *planner, cairn_error *error);

#define CRN_ANYTIME_EPSILON \
    { \
        "epsilon", "factor of estimates, and bound, of the first path", CAIRN_PARAMETER_NUMBER, \
            256, 25600, 768, NULL \
    }
#define CRN_ANYTIME_FALL \
    { \
        "fall", "by how much epsilon falls from round to round", CAIRN_PARAMETER_NUMBER, 16, \
            25600, 128, NULL \
    }
#define CRN_ANYTIME_INFO \
    .family = "continuous", .kind = CAIRN_KIND_NAVIGATOR, \
    .flags = CAIRN_BOUNDED | CAIRN_ANYTIME | CAIRN_TERRAIN | CAIRN_MANY_GOALS, \
    CRN_INCREMENTAL_WORLDS, .delegates = 1u << CAIRN_FEATURE_MANY_GOALS

/* Queries (anytime_query.c): the first path, then better ones as they are asked for. */
cairn_status crn_anytime_query_open(cairn_search *search);
void crn_anytime_query_close(cairn_search *search);
cairn_status crn_anytime_query_begin(cairn_search *search);
cairn_status crn_anytime_query_step(cairn_search *search, uint64_t work);
cairn_status crn_anytime_query_improve(cairn_search *search, uint64_t work);

#define CRN_ANYTIME_FUNCTIONS \
    .create = crn_anytime_create, .destroy = crn_incremental_destroy, \
    .navigator = &crn_anytime_navigator, .open = crn_anytime_query_open, \
    .close = crn_anytime_query_close, .handles = crn_builder_handles, .delegate = "astar", \
    .begin = crn_anytime_query_begin, .step = crn_anytime_query_step, \
    .improve = crn_anytime_query_improve, CRN_BUILDER_FUNCTIONS

#endif
