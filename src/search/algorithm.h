/* algorithm.h: what an algorithm is for the rest of the library.
 *
 * An algorithm is one source file with one `const crn_algorithm crn_algorithm_NAME`, and one line
 * in src/algorithms.def. All code that uses algorithms finds it there.
 */
#ifndef CRN_ALGORITHM_H
#define CRN_ALGORITHM_H

#include "core/core.h"
#include "world/space.h"
#include <cairn/planner.h>

#define CRN_MAX_PARAMETERS 16u
#define CRN_MAX_NESTED 128u /* bytes of the parameters of a planner inside another */
#define CRN_COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

/* For the descriptor of an algorithm that assumes nothing about the world. */
#define CRN_ALL_WORLDS \
    .worlds = (1u << CAIRN_WORLD_COUNT) - 1, .neighbourhoods = (1u << CAIRN_NEIGHBOURS_COUNT) - 1, \
    .corners = (1u << CAIRN_CORNERS_COUNT) - 1

typedef struct crn_lender crn_lender;

struct cairn_planner {
    const struct crn_algorithm *algorithm;
    cairn_space *space;
    crn_holders holders; /* searches, navigators, stores that its index was saved to, sharers */
    /* Whose index it uses (cairn_planner_share); NULL = its own. Then `index` and `base` are those
     * of the owner, and so is all that is said of the index below: crn_index_owner. */
    cairn_planner *owner;
    cairn_planner *base;     /* whose index its own is built on; NULL = none */
    cairn_archive *archive;  /* that the index lies in, if it is borrowed; else NULL */
    cairn_planner *delegate; /* answers what the algorithm does not handle; NULL = none */
    int64_t parameters[CRN_MAX_PARAMETERS]; /* in the order of the descriptor */
    /* "key=value,key=value": those of the algorithm that the parameter `nested` names */
    char nested[CRN_MAX_NESTED];
    bool optimal;
    double bound; /* cost ≤ bound × optimal; 0 = unknown */
    /* searches for goals in other components too, instead of answering by components */
    bool ignores_components;
    void *index;              /* what the algorithm keeps for all searches; its own */
    bool built;               /* with CAIRN_NEEDS_INDEX: it is there ... */
    uint64_t built_version;   /* ... and fits this version of the world ... */
    uint64_t base_generation; /* ... and this generation of the index of `base` */
    uint64_t generation;      /* one more with every change of it: searches must begin again */
    uint64_t index_work;      /* units that its builds, repairs and slices took: crn_index_work */
    bool defers;              /* a sync in the background that has no thread is done at its end */
    bool syncing;             /* in the background, up to ... */
    uint64_t sync_version;    /* ... this version */
    bool slicing;             /* in slices, up to ... */
    uint64_t slice_version;   /* ... this version; `index` is unfinished meanwhile */
    uint64_t slice_saved;     /* units that were granted to slices, for pieces larger than these */
    crn_lender *lender;       /* of searches for navigators (continuous/loans.h); NULL = none */
    uint32_t lent_searches;   /* it has this many; 0 = the default */
    size_t lent_bytes;        /* they take no more; 0 = no limit */
#if defined(CAIRN_CHECKS)
    bool loaded;      /* the index comes from a file: what it says may be wrong */
    uint32_t repairs; /* since it was built or loaded */
#endif
};

/* Builds and repairs in slices of work, on the caller's thread (index.c). */
typedef struct crn_slice_functions {
    /* Begins a build; there is no index yet. CAIRN_RUNNING, or why not: then what was made is
     * dropped. */
    cairn_status (*build_begin)(cairn_planner *planner, cairn_error *error);
    /* Begins a repair of an index that fitted version `since`, or of an unfinished one that was to
     * fit it: takes in all later commits. CAIRN_RUNNING, CAIRN_STALE (it must be rebuilt), or why
     * not. `drop` follows on all but CAIRN_RUNNING. */
    cairn_status (*repair_begin)(cairn_planner *planner, uint64_t since, cairn_error *error);
    /* Does at most *work units, and subtracts what it did. CAIRN_RUNNING, CAIRN_OK (it is done and
     * fits), or why not: `drop` follows. A piece that is larger than that is paid for by several
     * slices: before it, if they leave what is not enough for it, which is there again in the next
     * one; or behind it, if they do nothing until it is. */
    cairn_status (*step)(cairn_planner *planner, uint64_t *work, cairn_error *error);
} crn_slice_functions;

/* The life of an index: what index.c asks of algorithms with CAIRN_NEEDS_INDEX. */
typedef struct crn_index_functions {
    uint32_t format;  /* of what is saved: one more with every change of it */
    uint32_t unsaved; /* this many parameters, the last ones, are not in files */
    /* Bits of the parameters that only searches read: planners that differ in these alone can share
     * an index, and load each other's files. */
    uint32_t of_searches;
    /* The algorithm whose index this one is built on; NULL: none. Every planner has a planner of
     * it, with default parameters: planner->base. cairn_planner_share gives it the index of another
     * planner.
     * - It is up to date when `build` and `repair` begin. Its generation (crn_index_owner) is still
     *   planner->base_generation if it has not changed since.
     * - The index is stale as soon as that of `base` is another one.
     * - Files have both, and load both: `base` first.
     * - CAIRN_SLICES and CAIRN_BACKGROUND are not for such an index. */
    const char *base;
    /* There is no index when build or load begins. When they fail, what they have made is
     * dropped. */
    cairn_status (*build)(cairn_planner *planner, const cairn_progress *progress,
                          cairn_error *error);
    void (*drop)(cairn_planner *planner);
    /* Makes it fit the world as it is now. CAIRN_STALE: it must be rebuilt. NULL: it always must
     * be. */
    cairn_status (*repair)(cairn_planner *planner, const cairn_progress *progress,
                           cairn_error *error);
    /* CAIRN_SLICES only. `drop` gives up what is under way. */
    const crn_slice_functions *slices;
    size_t (*bytes)(const cairn_planner *planner);
    /* Units of work that the last build or repair took, that of its searches at least; not asked of
     * slices. NULL: it is not counted. */
    uint64_t (*work)(const cairn_planner *planner);
    /* As cairn_planner_set_clusters, without an index; NULL: there are no clusters. */
    cairn_status (*set_clusters)(cairn_planner *planner, const uint16_t *clusters,
                                 cairn_error *error);
    /* Save and load the algorithm's own sections. It has been checked that algorithm, parameters
     * and space are the same. */
    cairn_status (*save)(const cairn_planner *planner, cairn_store *store, cairn_error *error);
    cairn_status (*load)(cairn_planner *planner, const cairn_archive *archive, bool borrow,
                         cairn_error *error);
    /* CAIRN_BACKGROUND only: as cairn_planner_sync_begin and cairn_planner_sync_end. begin is
     * called when the index is stale and no sync has begun. It may answer CAIRN_STALE: sync without
     * the background; without threads it must, unless the planner `defers`. Another build, sync or
     * drop calls `abandon` first. */
    cairn_status (*sync_begin)(cairn_planner *planner, cairn_error *error);
    cairn_status (*sync_end)(cairn_planner *planner, bool wait, cairn_error *error);
    void (*abandon)(cairn_planner *planner);
    /* Shows a level (0 = all) to the sink; NULL = nothing to show. */
    void (*overlay)(const cairn_planner *planner, uint32_t level, const cairn_overlay_sink *sink);
    /* CRN_CHECKED: what is wrong with it, NULL = nothing; `whole`: nothing in it comes from a file,
     * so that also what loading believes must be right. Asked after builds, repairs and loads. */
    const char *(*check)(const cairn_planner *planner, bool whole);
} crn_index_functions;

struct crn_heuristic;

/* The heuristic of a planner. */
typedef struct crn_planner_estimates {
    const struct crn_heuristic *plug; /* NULL = the metric alone */
    cairn_heuristic metric;
    bool fixed; /* two nodes decide an estimate; else the whole query does */
} crn_planner_estimates;

typedef struct crn_algorithm {
    cairn_algorithm info;
    /* NULL; or an algorithm of the registry, of which this is a setting with functions of its own:
     * `create` of that one puts it in its place. Both have the same `info`; whoever asks is told
     * that of the registry (crn_planner_info). */
    const struct crn_algorithm *variant_of;

    /* create checks whether parameters and space fit together and sets the planner's optimal, bound
     * and index; destroy undoes that. */
    cairn_status (*create)(cairn_planner *planner, cairn_error *error);
    void (*destroy)(cairn_planner *planner);
    const crn_index_functions *index; /* NULL without CAIRN_NEEDS_INDEX */

    /* A search's scratch: made and unmade with the search. */
    cairn_status (*open)(cairn_search *search);
    void (*close)(cairn_search *search);

    /* Does the algorithm handle this query? Asked once the goals are resolved, before `begin`.
     * NULL: it handles every query. The planner of `delegate`, an algorithm of the registry without
     * an index and with its default parameters, answers the others (search.c). It also answers
     * those that crn_search_delegate leaves to it in the middle. NULL: they end with
     * CAIRN_UNSUPPORTED. */
    bool (*handles)(const cairn_search *search);
    const char *delegate;

    /* Would it answer plain queries of this space itself? NULL: it always does. */
    bool (*suits)(const cairn_planner *planner);

    /* Which estimates it uses; false or NULL: none that can be told. */
    bool (*estimates)(const cairn_planner *planner, crn_planner_estimates *out);

    /* The parameter that names another algorithm, which may have parameters of its own behind its
     * name, after slashes: "subsearch=astar/open=heap/tie=small-g". NULL: there is none. */
    const char *nested;

    /* begin has checked that start and goals are inside and usable. RUNNING or final. */
    cairn_status (*begin)(cairn_search *search);
    /* At most `work` units. RUNNING or final. */
    cairn_status (*step)(cairn_search *search, uint64_t work);
    /* CAIRN_PIECES only: begins the next piece. RUNNING or final. */
    cairn_status (*next)(cairn_search *search);
    /* CAIRN_ANYTIME only: looks for a cheaper path with at most `work` units, after one was found
     * with search->improvable set. FOUND: the best path so far leads to search->reached_goal;
     * search->improvable and search->bound say whether and how much it may improve. Otherwise why
     * it cannot continue. */
    cairn_status (*improve)(cairn_search *search, uint64_t work);
    /* Fills search->path with the path to `node` (found, or reached by CAIRN_GOAL_NONE). */
    cairn_status (*path_to)(cairn_search *search, cairn_node node);
    cairn_cost (*cost_to)(const cairn_search *search, cairn_node node);
    /* Finds the end of a partial path: the expanded node of least estimate (to search->aim), then
     * of least cost, into search->reached_goal. At most `work` bounded pieces at a time; begins
     * again if `first`. True when it is found. */
    bool (*closest)(cairn_search *search, uint64_t work, bool first);
    cairn_status (*reached)(const cairn_search *search, cairn_visit *visit, void *user);

    /* CAIRN_NEXT_MOVE only: the node after `from` on the path to `to`, two usable nodes. FOUND,
     * UNREACHABLE, or UNSUPPORTED: not on this map. Only reads the index: several threads may ask
     * at once. */
    cairn_status (*next_move)(const cairn_planner *planner, cairn_node from, cairn_node to,
                              cairn_node *next);
    /* The same for an agent with a cursor; NULL: moves are always those of next_move.
     * - Begins a walk between two usable nodes: FOUND, UNREACHABLE, or UNSUPPORTED if next_move
     *   must answer here too.
     * - Or makes a move, whatever the agent and the state of the index are. If its cursor is of no
     *   use, that is crn_planner_move_plainly. */
    cairn_status (*walk)(const cairn_planner *planner, cairn_agent *agent, bool begin);

    /* CAIRN_KIND_NAVIGATOR, and planners whose index leads agents (continuous/navigator.h). */
    const struct crn_navigator_functions *navigator;
} crn_algorithm;

/* Makes a move by next_move, after all checks, and begins the walk again behind it. */
cairn_status crn_planner_move_plainly(const cairn_planner *planner, cairn_agent *agent);

const crn_algorithm *crn_algorithm_find(const char *name, size_t length);

/* cairn_planner_create for an algorithm that need not be in the registry; `parameters` as after the
 * colon of a spec. */
cairn_status crn_planner_create_of(cairn_space *space, const crn_algorithm *algorithm,
                                   const char *parameters, cairn_planner **out, cairn_error *error);

/* Makes a planner as another one is, for another space that it fits as well: with the same values
 * of all parameters, and an index of its own. Clusters that were given are not copied. */
cairn_status crn_planner_create_like(cairn_space *space, const cairn_planner *like,
                                     cairn_planner **out, cairn_error *error);

/* The planner of the algorithm that suits the space best (auto.c); `parameters` as after the colon
 * of "auto:memory=1024". */
cairn_status crn_auto_create(cairn_space *space, const char *parameters, cairn_planner **out,
                             cairn_error *error);

/* Reads "key=value,key=value" into planner->parameters, after the defaults of its algorithm. */
cairn_status crn_planner_read(cairn_planner *planner, const char *text, cairn_error *error);

/* Finds the value of a parameter by name; false if the algorithm has none with that name. */
bool crn_parameter(const cairn_planner *planner, const char *name, int64_t *value);

/* Returns the value of a whole number or choice that the algorithm has. */
uint32_t crn_parameter_of(const cairn_planner *planner, const char *name);

/* Returns the algorithm of a planner as the registry has it. */
static inline const cairn_algorithm *crn_planner_info(const cairn_planner *planner)
{
    const crn_algorithm *algorithm = planner->algorithm;
    return algorithm->variant_of ? &algorithm->variant_of->info : &algorithm->info;
}

/* Returns the planner whose index a planner uses. */
static inline cairn_planner *crn_index_owner(const cairn_planner *planner)
{
    return planner->owner ? planner->owner : (cairn_planner *)(uintptr_t)planner;
}

/* As cairn_planner_sync_begin. But without threads the sync begins all the same, and is done when
 * somebody waits for its end (cairn_planner_sync_end): what it makes is the same with any number of
 * workers, and the old index serves meanwhile. */
cairn_status crn_index_sync_begin(cairn_planner *planner, bool defers, cairn_error *error);

/* Returns the units of work that building and repairing the index of a planner, and what it is
 * built on, took so far; not what was done in the background. A build counts one for each node of
 * the space at least, a repair one, and a slice that is not counted what it was granted. */
uint64_t crn_index_work(const cairn_planner *planner);

/* Ends a sync in the background (index.c). */
void crn_index_abandon(cairn_planner *planner);

/* Frees the index of a planner, or lets go of the one that it shares: there is none then, and no
 * owner (planner.c). */
void crn_planner_leave_index(cairn_planner *planner);

/* For `create`: uses another value than was asked for. */
void crn_set_parameter(cairn_planner *planner, const char *name, int64_t value);

#endif
