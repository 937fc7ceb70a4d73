/* service.h: paths for a whole game, within a budget for each frame.
 *
 * A game asks for paths when its units need them, and has time for them once a frame. The service
 * stands between the two. A request gets a ticket at once. cairn_service_update, called once a
 * frame, works on what was asked for, urgent requests first, and never does more than its budget.
 *
 *     cairn_service_create(context, NULL, &service);
 *     cairn_service_add(service, planner, NULL, &scouts);      ... for each kind of unit
 *
 *     cairn_service_request(service, &request, &ticket);       whenever a unit needs a path
 *
 *     cairn_frame frame = {.work = 2000};                      once a frame
 *     cairn_service_update(service, &frame);
 *     status = cairn_service_answer(service, ticket, &path);   CAIRN_RUNNING: not yet
 *     cairn_service_release(service, ticket);                  the path is no longer needed
 *
 * What may run in parallel? Nothing on one service. Searches run on the context's workers if it has
 * any. Commit edits between two updates.
 *
 * Deterministic: with a budget in units of work, the same calls give the same answers in the same
 * frames, with any number of workers. So games in lockstep stay equal.
 */
#ifndef CAIRN_SERVICE_H
#define CAIRN_SERVICE_H

#include "base.h"
#include "path.h"
#include "planner.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_service cairn_service;

/* The number of a request. Later requests have higher numbers, until they begin again after 2^32
 * requests; 0 is none. */
typedef uint64_t cairn_ticket;
#define CAIRN_NO_TICKET UINT64_C(0)

/* Zero means default in every field. */
typedef struct cairn_service_options {
    /* Units of work that a search gets before it is the turn of the next one that is equally
     * urgent, in one frame or in several; 0 = 256. */
    uint32_t slice;
    /* So many frames of waiting count as much as one level of priority; 0 = 30. No request waits
     * for ever, however many urgent ones follow. */
    uint32_t ageing;
    /* Hard limit for all that the service holds: requests, searches and answers; 0 = none. The
     * index of a planner and the world are not counted. */
    size_t byte_limit;
} cairn_service_options;

/* Creates a service. `options` may be NULL. CAIRN_INVALID: no context, or `ageing` is more than
 * UINT32_MAX / CAIRN_PRIORITIES. CAIRN_OUT_OF_MEMORY, also if the limit is too low for an empty
 * service. */
CAIRN_API cairn_status cairn_service_create(cairn_context *context,
                                            const cairn_service_options *options,
                                            cairn_service **out);

/* Destroys a service with all its requests and answers. No callback is called. NULL is allowed. */
CAIRN_API void cairn_service_destroy(cairn_service *service);

/* ---- planners ---------------------------------------------------------------------- */

#define CAIRN_SERVICE_PLANNERS 64u /* at most in one service */

/* For cairn_service_share.background. */
#define CAIRN_SHARE_AUTO 0u
#define CAIRN_SHARE_NEVER UINT32_MAX

/* How a planner serves. Zero means default in every field. */
typedef struct cairn_service_share {
    uint32_t searches; /* that may be under way at a time, up to 64; 0 = 4 */
    /* Of each search; 0 = no limit or, if the service has one, an eighth of it divided by
     * `searches`. A query that needs more is answered by CAIRN_OUT_OF_MEMORY. */
    size_t search_bytes;
    /* How the index is made and synced: in slices, which are a part of the budget, or on a thread
     * of its own, beside the updates. The new one serves from so many updates later on, or the
     * update waits for it. Meanwhile the old one serves: its answers are outdated (see below).
     * Requests wait for the first one. In a context without workers the same happens in the same
     * frames, but that update makes the new index itself (cairn_frame.beside).
     * - CAIRN_SHARE_AUTO (0): slices for planners with CAIRN_SLICES. For all others 15 updates, a
     *   quarter of a second at 60 in a second. So no frame takes more than its budget, whatever the
     *   planner, but for what is told as `beside` where there are no workers. Where slices have not
     *   caught up with commits when somebody has waited for 60 of these, they go on in a copy that
     *   stands still, and always do so from then on.
     * - Any other number: so many updates, for all planners with an index.
     * - CAIRN_SHARE_NEVER: within an update, in slices if there are any. Else it may take more than
     *   the budget (cairn_frame.undivided). This takes no memory for copies, nor time for them.
     * - On grids planners with CAIRN_BACKGROUND do so themselves if a number is given: where too
     *   much has changed, and at first, they sync within the update.
     * - For others the service has two copies of the world, each with a planner like theirs:
     *   one serves, the other is brought up to date. Index and world are theirs: this takes twice
     *   the memory of both (cairn_service_use.copy_bytes). cairn_service_add makes the copies and,
     *   if the index of the planner is up to date, builds that of the first one. The planner's own
     *   is not used. Clusters that were given to it are not copied. A search under way begins again
     *   when another index begins to serve; where there are links, and on graphs, another
     *   one does not begin to serve before searches end that have begun again twice.
     * - What was committed is read as a part of the budget, 1,024 cells and links a unit, or nodes
     *   and edges of a graph, of which all are read. Several updates pay for it together if that is
     *   more than half of what one has left.
     * - Worlds of callbacks cannot be copied: there such a planner is refused (CAIRN_UNSUPPORTED),
     *   but with CAIRN_SHARE_NEVER. */
    uint32_t background;
} cairn_service_share;

/* Adds a planner, which requests name by the number *out. `share` may be NULL. The service keeps
 * the planner alive.
 * - Its index is brought up to date by cairn_service_update, as a part of the budget or beside it.
 * - CAIRN_OUT_OF_MEMORY, also if its searches do not fit into what the limit of bytes has left.
 * - CAIRN_UNSUPPORTED: its index can neither be divided nor made beside the updates, so that the
 *   budget could not be kept (cairn_service_share.background).
 * - CAIRN_INVALID: there are CAIRN_SERVICE_PLANNERS already, more than 64 searches are wanted, or
 *   the planner belongs to another context. */
CAIRN_API cairn_status cairn_service_add(cairn_service *service, cairn_planner *planner,
                                         const cairn_service_share *share, uint32_t *out);

/* ---- requests ---------------------------------------------------------------------- */

#define CAIRN_PRIORITIES 16u

/* Called by cairn_service_update with an answer. The path lives as long as the call. The function
 * may call everything but update and destroy, for any ticket. One that is continued or released
 * there has no answer from then on; whose turn to be told has not come is told the next answer. */
typedef void cairn_answer_function(void *user, cairn_ticket ticket, const cairn_path *path);

/* Zero means default in every field; fill in `from` and `to` at least. */
typedef struct cairn_request {
    uint32_t planner; /* number, as cairn_service_add gave it */
    cairn_node from, to;
    uint32_t priority; /* 0 to CAIRN_PRIORITIES - 1; higher is more urgent */
    /* If not 0: the answer is worth nothing later than so many updates from now. A request that is
     * not answered by then ends with CAIRN_OUT_OF_BUDGET. */
    uint32_t deadline;
    uint64_t max_work; /* as in cairn_query */
    bool partial;      /* as in cairn_query */
    /* As in cairn_query, for planners with CAIRN_PIECES: the answer is the first part of the path,
     * at least so many steps. cairn_service_continue asks for the next one. */
    uint32_t piece;
    cairn_answer_function *answer; /* if not NULL: called once, and the ticket is released then */
    void *user;
} cairn_request;

/* Asks for a path. Nothing is searched yet.
 * - Requests that differ only in priority, deadline and function share one search, as long as it
 *   has not been answered. Those for pieces do not.
 * - CAIRN_INVALID: no such planner or priority. CAIRN_OUT_OF_MEMORY: there is no room for the
 *   request now. *out is CAIRN_NO_TICKET then. All other faults are answers. */
CAIRN_API cairn_status cairn_service_request(cairn_service *service, const cairn_request *request,
                                             cairn_ticket *out);

/* Returns the status of the answer, or CAIRN_RUNNING if there is none yet. *path (may be NULL)
 * becomes the path, or NULL while there is none. It is valid until the ticket is released or
 * continued; that of a followed ticket also only until the next update. CAIRN_INVALID: the ticket
 * was released, cancelled, or never given. */
CAIRN_API cairn_status cairn_service_answer(const cairn_service *service, cairn_ticket ticket,
                                            const cairn_path **path);

/* Asks for the next piece of a path, after an answer that is partial for this reason only
 * (path->status is CAIRN_FOUND). The answer so far is given up, and the next one begins where it
 * ended. Priority is the same, and waiting begins again: a deadline is so many updates from now.
 * CAIRN_INVALID: there is no next piece. */
CAIRN_API cairn_status cairn_service_continue(cairn_service *service, cairn_ticket ticket);

/* Gives a ticket back, whether it is answered or not. Its search ends if nobody else waits for it.
 * CAIRN_INVALID: there is no such ticket. */
CAIRN_API cairn_status cairn_service_release(cairn_service *service, cairn_ticket ticket);

/* ---- paths that are walked -------------------------------------------------------------- */

/* The service keeps the paths that agents are walking, and watches the world for them. It knows
 * which tiles of the world each path passes, so that a commit costs what it touches, however many
 * paths there are. The next update looks at the paths there, as a part of its budget.
 *
 *     cairn_service_follow(service, ticket, CAIRN_SHORTCUTS_POSSIBLE);    after the answer
 *     cairn_service_walked(service, ticket, node);                        whenever the agent moves
 */

/* When another path is searched although the one that is walked is not broken. */
typedef enum cairn_shortcuts {
    CAIRN_SHORTCUTS_NEVER,
    /* if a commit has opened a place, or made it cheaper, and by the estimates the path over that
     * place costs less than what is left of the path; or if the path itself may cost more now */
    CAIRN_SHORTCUTS_POSSIBLE,
    CAIRN_SHORTCUTS_ALWAYS, /* after every commit that has opened or changed a place */
    CAIRN_SHORTCUTS_COUNT
} cairn_shortcuts;

/* Follows the path of an answered ticket, from its start on, until the ticket is released. After
 * commits:
 * - A path is broken if what is left of it cannot be walked any more; exactly those are found. (Of
 *   a path of any angle, the line that the agent is on counts whole.) There is no answer then
 *   (CAIRN_RUNNING), and another path is searched from where the agent is: as urgently as a request
 *   of the next higher priority.
 * - A shortcut is searched while the agent walks on. The new path is taken if it leads over where
 *   the agent is by then and costs less than what is left; or else the old one stays.
 * - A ticket that gets another path counts as answered again, and its function is called again.
 * - Where no path was left, another one is searched when something has opened.
 * - From a function that is called with an answer, this keeps the ticket from being released.
 * - Estimates know nothing of links: where there are any, and on graphs and views, every place that
 *   has changed counts as one that may be a shortcut.
 * - A ticket that shared its search with others gets a copy of the path. If the world has changed
 *   since the answer, the path is looked at now.
 * - Called again, it changes when shortcuts are searched.
 * - CAIRN_INVALID: there is no such ticket, or it has no path. CAIRN_OUT_OF_MEMORY: it is not
 *   followed. */
CAIRN_API cairn_status cairn_service_follow(cairn_service *service, cairn_ticket ticket,
                                            cairn_shortcuts shortcuts);

/* Says where the agent of a followed path is. If that is on the path, at most 256 steps ahead, what
 * lies behind is not watched any more. Otherwise another path is searched from there.
 * - On paths of any angle these are the cells that the lines pass. An agent with a size that stops
 *   where it could not stand may find no path from there.
 * - CAIRN_INVALID: the ticket is not followed. CAIRN_OUT_OF_BOUNDS: there is no such node. */
CAIRN_API cairn_status cairn_service_walked(cairn_service *service, cairn_ticket ticket,
                                            cairn_node at);

/* How a followed path is. */
typedef struct cairn_followed {
    cairn_node at;    /* where the agent is ... */
    uint32_t segment; /* ... behind this point of the path: path->nodes[segment] */
    cairn_cost
        left; /* what the rest costs; CAIRN_NO_COST = there is none, or a commit has changed it */
    uint64_t version; /* the rest can be walked in this version of the world, and in all from the
                           one on in which it was found */
    bool searching;   /* for another path */
} cairn_followed;

/* CAIRN_INVALID: the ticket is not followed. */
CAIRN_API cairn_status cairn_service_followed(const cairn_service *service, cairn_ticket ticket,
                                              cairn_followed *out);

/* ---- frames ------------------------------------------------------------------------ */

/* Returns the time in microseconds, from any moment on. */
typedef double cairn_clock_function(void *user);

/* One frame. The caller gives the budget. */
typedef struct cairn_frame {
    /* Units of work (planner.h); 0 = no limit. Never exceeded, except where an index must be
     * brought up to date that cannot be divided and, by cairn_service_share.background, is not made
     * beside the frames. What it takes above this is a debt. Each frame pays back up to half of
     * this (of `soft`, if that is given), and uses no more than the rest. Until all is paid, such
     * an index is brought up to date only for requests whose time has come (see `soft`). So n
     * frames in a row take at most n times this, and the debt they leave. */
    uint64_t work;
    /* If not 0: the units that frames should take, less than `work`. Only requests whose time has
     * come (those of the highest priority, those that have waited as long as ageing lets them, and
     * those with a deadline in this frame), and paths that commits may have broken, get more, up to
     * `work`. What a frame takes above this is a debt, too, which later frames pay back by taking
     * less. So n frames in a row take at most n times this, once `work` less this, and what indexes
     * that cannot be divided took above `work`. */
    uint64_t soft;
    /* If not 0: ends after so many microseconds, too. Slices get smaller towards the end, by what
     * the last ones took, and the clock is looked at behind each of them (with workers: behind
     * those of all). At least one is made in any case. Answers then depend on the machine. */
    double microseconds;
    cairn_clock_function *clock; /* needed then */
    void *clock_user;

    /* Units used. Those of an index are at least one for each node of the space when it is built,
     * one when it is repaired, and what its searches take. What is done in the background does not
     * count. */
    uint64_t used;
    uint64_t undivided; /* of these, above what indexes that cannot be divided were granted ... */
    uint64_t debt;      /* ... and all that is still to be paid back */
    /* Units, not of these, that the update took for an index of a copy as there is no worker to
     * make it (cairn_service_share.background): the frame is that much longer. Nothing but this
     * depends on the number of workers. */
    uint64_t beside;
    uint32_t answered;  /* tickets that got their answers */
    uint32_t expired;   /* of which these were too late */
    uint32_t waiting;   /* searches that have not begun ... */
    uint32_t running;   /* ... and that are under way, at the end */
    uint32_t restarts;  /* searches begun again because the world had changed, ... */
    uint32_t pinned;    /* ... searches that changes cannot overtake any more, ... */
    uint32_t outdated;  /* ... and answers that these found, in a world that has changed since */
    uint32_t broken;    /* followed paths that commits have broken ... */
    uint32_t shortcuts; /* ... and those that may have become too long: another one is searched */
} cairn_frame;

/* Works on the requests. Call it once a frame.
 * - Of the requests that wait, the one with the highest priority comes first; waiting raises it
 *   (cairn_service_options.ageing), and a deadline that is near does too. Of equal ones the older.
 *   An index that must be brought up to date is as urgent as the requests that need it.
 * - Searches under way come in the same order, but those of one level take turns: level is the
 *   priority and one more for each `ageing` frames of waiting or less, up to that of those whose
 *   time has come. Turns go on with the next frame.
 * - Those that wait get the searches that are free. One whose time has come (see cairn_frame.soft)
 *   takes that of the least urgent request whose time has not, which begins again later.
 * - Answers of one update are given in the order of their tickets.
 * - First what commits have done to followed paths is looked at.
 * - Commits made since the last update. A search goes on over those that change nothing it has
 *   read: best-first searches on grids without links (astar, dijkstra, wastar, greedy, bfs and so
 *   on). All others begin again; the second time, on grids without links, in the world as it is
 *   then, which further commits do not change for it. A* searches there (or the planner itself, if
 *   it has CAIRN_FILTERS). So does a request that waits for an index when two commits have come
 *   since that was up to date. Of one planner, the most urgent of these searches is done first, and
 *   the others begin after it.
 * - What an old index has found while a new one is made (cairn_service_share.background) is checked
 *   in the same way. Where a copy of the world has served, what is wrong is not answered, but
 *   searched in the world as it is, as above; or, where there are links, and on graphs, in the next
 *   copy that serves. What is wrong for the third time there is answered by CAIRN_STALE.
 * - What such a search finds is checked in the world as it is. A path that cannot be walked any
 *   more, and a goal that was out of reach and perhaps is not now, are answered by CAIRN_STALE. For
 *   followed tickets the search is begun again instead.
 * - An answer is *outdated* if it was found in a world older than the one it is given in:
 *   path->version is older then, the bound is 0 (unknown), and the cost is that of now. It can be
 *   walked all the same.
 * - A search that three times cannot go on in its old world ends with CAIRN_STALE, too: where the
 *   cheapest ground or the most expensive has changed, more than 4,096 cells at a time, 262,144 in
 *   all, or links were added; or without memory.
 * - CAIRN_INVALID: microseconds without a clock; or `soft` is more than `work`. */
CAIRN_API cairn_status cairn_service_update(cairn_service *service, cairn_frame *frame);

/* What a service holds and has done. */
typedef struct cairn_service_use {
    uint64_t frames;   /* updates so far */
    uint64_t requests; /* tickets given so far ... */
    uint64_t refused;  /* ... and requests for which there was no room */
    uint64_t shared;   /* tickets that joined the search of another one */
    uint32_t tickets;  /* now */
    uint32_t followed; /* of these */
    uint32_t searches; /* made so far */
    size_t bytes;      /* now ... */
    size_t peak_bytes; /* ... and at most, now and at the ends of updates */
    /* at the ends of updates: their mean, and their variance round it */
    double mean_bytes, variance_bytes;
    /* not a part of `bytes`: copies of the world, and their indexes, that planners have for the
     * background (cairn_service_share), when one of them began to serve last */
    size_t copy_bytes;
    /* syncs in the background for which there was no memory, so far: the old index serves on, and
     * the next update tries again */
    uint64_t failed_syncs;
} cairn_service_use;
CAIRN_API cairn_service_use cairn_service_usage(const cairn_service *service);

#ifdef __cplusplus
}
#endif
#endif
