/* planner.h: the registry of algorithms, planners and searches.
 *
 *     planner = algorithm + parameters on a space (shared by threads)
 *     search  = one thread's scratch memory: reused, limited, one query at a time
 *
 * A search allocates only when a problem is larger than all before it. It can run whole
 * (cairn_search_find) or in slices (begin, step, step, …, result).
 */
#ifndef CAIRN_PLANNER_H
#define CAIRN_PLANNER_H

#include "base.h"
#include "path.h"
#include "space.h"
#include "store.h"
#include "trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the registry ---------------------------------------------------------------- */

typedef enum cairn_algorithm_kind { CAIRN_KIND_PLANNER, CAIRN_KIND_NAVIGATOR } cairn_algorithm_kind;

typedef enum cairn_parameter_type {
    CAIRN_PARAMETER_INTEGER,
    CAIRN_PARAMETER_NUMBER, /* a decimal number, kept as n/256 */
    CAIRN_PARAMETER_CHOICE
} cairn_parameter_type;

typedef struct cairn_parameter {
    const char *name;
    const char *summary; /* half a sentence */
    cairn_parameter_type type;
    int64_t minimum, maximum, default_value; /* NUMBER: in 256ths; CHOICE: positions in `choices` */
    const char *const *choices;              /* CHOICE: names, ended by NULL */
} cairn_parameter;

/* cairn_algorithm.flags */
enum {
    CAIRN_OPTIMAL = 1u << 0,     /* least cost with the default parameters */
    CAIRN_BOUNDED = 1u << 1,     /* cost within a bound that the path reports */
    CAIRN_ANY_ANGLE = 1u << 2,   /* points are joined by straight lines of any angle */
    CAIRN_NEEDS_INDEX = 1u << 3, /* precomputes something for its space */
    CAIRN_REPAIRS = 1u << 4,     /* repairs its index after a commit */
    CAIRN_FILTERS = 1u << 5,     /* answers queries with a filter itself, not by A* */
    CAIRN_TERRAIN = 1u << 6,     /* obeys terrain, cost layer, elevation */
    CAIRN_MANY_GOALS = 1u << 7,  /* several goals and goal sets in one search */
    CAIRN_NO_GOAL = 1u << 8,     /* can search everything (CAIRN_GOAL_NONE) */
    /* can give the first piece of a path before the rest is known */
    CAIRN_PIECES = 1u << 9,
    CAIRN_BACKGROUND = 1u << 10, /* can sync its index in the background while the old one serves */
    CAIRN_SLICES = 1u << 11,     /* builds and repairs its index in slices of work */
    CAIRN_ANYTIME = 1u << 12,    /* finds a path early, and can then improve it */
    CAIRN_NEXT_MOVE = 1u << 13,  /* its index gives the next move without a search */
    /* Its time may grow exponentially with the length of a path. It answers short problems; a
     * search ends with CAIRN_OUT_OF_BUDGET after as many expansions as its parameter `effort`
     * says, also if the query has no max_work. */
    CAIRN_EXPONENTIAL = 1u << 14,
    /* Where steps cannot be walked back, its agents may make one after which no path is left. They
     * stop when they have found that out. */
    CAIRN_MAY_BE_TRAPPED = 1u << 15
};

typedef struct cairn_algorithm {
    const char *name;    /* as in "astar:heuristic=octile" */
    const char *aliases; /* other names, separated by blanks; may be "" */
    const char *summary; /* one line */
    const char *source;  /* who published it */
    const char *family;  /* the folder below src/ */
    cairn_algorithm_kind kind;
    uint32_t flags;
    uint32_t worlds;         /* bits 1 << cairn_world_kind */
    uint32_t neighbourhoods; /* bits 1 << cairn_neighbours */
    uint32_t corners;        /* bits 1 << cairn_corners */
    uint32_t delegates;      /* bits 1 << cairn_feature: what it leaves to another algorithm */
    const cairn_parameter *parameters;
    uint32_t parameter_count;
} cairn_algorithm;

/* What a world or a query may have. */
typedef enum cairn_feature {
    CAIRN_FEATURE_4,          /* grids: four neighbours */
    CAIRN_FEATURE_8,          /* grids: eight neighbours */
    CAIRN_FEATURE_HEX,        /* grids of hexagons */
    CAIRN_FEATURE_GRAPH,      /* graphs */
    CAIRN_FEATURE_TERRAIN,    /* grids: ground of different costs */
    CAIRN_FEATURE_HEIGHTS,    /* grids: steps that cannot be walked back */
    CAIRN_FEATURE_LINKS,      /* grids: doors, ladders, teleports */
    CAIRN_FEATURE_SIZES,      /* grids: agents with a radius or a footprint */
    CAIRN_FEATURE_MANY_GOALS, /* several goals at once */
    CAIRN_FEATURE_NO_GOAL,    /* everything that can be reached */
    CAIRN_FEATURE_COUNT
} cairn_feature;

typedef enum cairn_support {
    CAIRN_REFUSED,   /* CAIRN_UNSUPPORTED */
    CAIRN_DELEGATED, /* another algorithm answers: the path's answered_by */
    CAIRN_NATIVE,
    CAIRN_SUPPORT_COUNT
} cairn_support;

/* Returns what an algorithm with its default parameters does with a feature. */
CAIRN_API cairn_support cairn_algorithm_support(const cairn_algorithm *algorithm,
                                                cairn_feature feature);

/* Return "4", "8", "hex", "graph", "terrain", "heights", "links", "sizes", "goals", "no goal";
 * "refused", "delegated", "native". */
CAIRN_API const char *cairn_feature_name(cairn_feature feature);
CAIRN_API const char *cairn_support_name(cairn_support support);

/* Return the number of algorithms, and the i-th in the order of src/algorithms.def. NULL past the
 * end. */
CAIRN_API uint32_t cairn_algorithm_count(void);
CAIRN_API const cairn_algorithm *cairn_algorithm_at(uint32_t i);

/* Returns the algorithm with this name or alias, or NULL if there is none. Only the first `length`
 * characters of `name` count. */
CAIRN_API const cairn_algorithm *cairn_algorithm_find(const char *name, size_t length);

/* Returns the name nearest to a mistyped one, or NULL if none is near. */
CAIRN_API const char *cairn_algorithm_suggest(const char *name, size_t length);

/* ---- planners -------------------------------------------------------------------- */

typedef struct cairn_planner cairn_planner;

/* Creates a planner. `spec` is "NAME" or "NAME:key=value,key=value". A value that names another
 * algorithm may have parameters behind it: "sga:subsearch=astar/open=heap/tie=small-g".
 * "auto" takes an algorithm that suits the space (docs/algorithms/auto.md): the planner is one of
 * that algorithm, as cairn_planner_algorithm says. "auto:memory=KB,changes=0|1,optimal=0|1" says
 * what its index may take (0: it needs none), whether the world changes all the time (1) and
 * whether paths must be the cheapest (1).
 * - CAIRN_INVALID: an unknown name, key or value; the error says what would be right.
 * - CAIRN_UNSUPPORTED: the algorithm cannot serve this space.
 * - The planner keeps the space alive.
 * - Planners that jump make the space keep bitmaps (5 bits a cell, from then on). Therefore only
 *   one thread at a time may create planners of a space. Other threads may search meanwhile. */
CAIRN_API cairn_status cairn_planner_create(cairn_space *space, const char *spec,
                                            cairn_planner **out, cairn_error *error);

/* Destroys a planner. Its searches and navigators, and planners that share its index, keep it alive
 * and go on working. NULL is allowed. */
CAIRN_API void cairn_planner_destroy(cairn_planner *planner);

CAIRN_API const cairn_algorithm *cairn_planner_algorithm(const cairn_planner *planner);
CAIRN_API const cairn_space *cairn_planner_space(const cairn_planner *planner);

/* Returns the value of the i-th parameter of the algorithm, as given or by default. */
CAIRN_API int64_t cairn_planner_parameter(const cairn_planner *planner, uint32_t i);

/* Returns whether it finds least-cost paths with these parameters on this space. */
CAIRN_API bool cairn_planner_optimal(const cairn_planner *planner);

/* ---- estimates -------------------------------------------------------------------- */

/* What the estimates of a planner promise, of all nodes and goals of its space. `cairn check
 * --heuristics` verifies it. */
typedef struct cairn_estimate_facts {
    bool admissible; /* they never exceed the least cost */
    bool consistent; /* along an edge they fall by no more than it costs */
    /* two nodes decide an estimate, and cairn_planner_estimate returns it; else the whole query
     * does, and only traces show it */
    bool fixed;
    uint64_t rise; /* along a step (not a link) they rise by no more than this */
} cairn_estimate_facts;

/* Returns what the estimates of a planner promise, and the estimate of the cost from one node to
 * another, without the planner's `weight`.
 * - CAIRN_UNSUPPORTED: the algorithm does not tell; or the estimate is not fixed.
 * - CAIRN_NOT_BUILT, CAIRN_STALE: there is no index that can be used.
 * - CAIRN_OUT_OF_BOUNDS, CAIRN_BLOCKED_START, CAIRN_BLOCKED_GOAL: as for queries.
 * - Nodes that do not lead to the goal have any estimate. */
CAIRN_API cairn_status cairn_planner_estimate_facts(const cairn_planner *planner,
                                                    cairn_estimate_facts *out);
CAIRN_API cairn_status cairn_planner_estimate(const cairn_planner *planner, cairn_node from,
                                              cairn_node to, cairn_cost *out);

/* ---- indexes ---------------------------------------------------------------------- */

/* Algorithms with CAIRN_NEEDS_INDEX precompute something for their space. Until the index is built
 * or loaded, their searches answer CAIRN_NOT_BUILT. After a commit they answer CAIRN_STALE until
 * the index is synced. Building, syncing and loading need exclusive access to the planner: none of
 * its searches may run. */

/* Builds the index. `progress` may be NULL.
 * - CAIRN_OK at once if the algorithm needs no index.
 * - On failure there is no index. */
CAIRN_API cairn_status cairn_planner_build(cairn_planner *planner, const cairn_progress *progress,
                                           cairn_error *error);

/* Brings the index up to date with the world: repairs it (CAIRN_REPAIRS) or builds it again.
 * - Long repairs report their progress and can be cancelled, as builds can. Short ones do neither.
 * - On failure there is no index; the next sync builds it. */
CAIRN_API cairn_status cairn_planner_sync(cairn_planner *planner, const cairn_progress *progress,
                                          cairn_error *error);

/* The same without waiting for it. `begin` notes what has changed and starts the rest on a thread
 * of its own. `end` replaces the old index by the new one if that is ready, or waits for it if
 * `wait` is set.
 * - `begin` does everything at once if the context has no workers, or for planners without
 *   CAIRN_BACKGROUND.
 * - `begin` returns CAIRN_RUNNING if it has started, and CAIRN_OK if there is nothing left to do.
 * - Meanwhile searches use the old index. Their paths are legal in the world as it is. Where the
 *   old index leads nowhere any more, the answer is CAIRN_STALE.
 * - The world may be committed to meanwhile. That takes another sync afterwards.
 * - `end` returns CAIRN_RUNNING if the index is not ready yet. Without a `begin` it returns the
 *   planner's state.
 * - Both need exclusive access to the planner, as cairn_planner_sync does. */
CAIRN_API cairn_status cairn_planner_sync_begin(cairn_planner *planner, cairn_error *error);
CAIRN_API cairn_status cairn_planner_sync_end(cairn_planner *planner, bool wait,
                                              cairn_error *error);

/* Brings the index up to date in slices of work, for games with a little time in every frame. Does
 * at most `work` units (cairn_metrics.work) and continues with the next call.
 * - CAIRN_RUNNING: there is more to do. CAIRN_OK: the index is up to date.
 * - It builds an index where there is none, and else repairs it.
 * - A piece that is larger than `work` is paid for by several calls, which do nothing else: those
 *   before it (`jps-plus`, `mm` and `dbastar`: up to 32 units), or those behind it (`hpa`: a search
 *   of a cluster).
 * - The index is unfinished meanwhile: searches answer CAIRN_STALE or CAIRN_NOT_BUILT.
 * - Commits made meanwhile are taken into account by the next call.
 * - cairn_planner_sync does the rest at once. cairn_planner_build begins again.
 * - On failure there is no index.
 * - Planners without CAIRN_SLICES do everything in one call, as cairn_planner_sync does.
 * - Needs exclusive access to the planner, as cairn_planner_sync does. */
CAIRN_API cairn_status cairn_planner_sync_step(cairn_planner *planner, uint64_t work,
                                               cairn_error *error);

/* Gives up a sync that has begun, and frees its memory. After one in slices there is no index.
 * After one in the background the old index stays. NULL is allowed. */
CAIRN_API void cairn_planner_sync_abandon(cairn_planner *planner);

/* Returns CAIRN_OK if searches can run, else CAIRN_NOT_BUILT or CAIRN_STALE. */
CAIRN_API cairn_status cairn_planner_state(const cairn_planner *planner);

/* Finds the next move without a search (planners with CAIRN_NEXT_MOVE): the node that follows
 * `from` on the path to `to`. It is read from the index in constant time, or nearly so. Needs no
 * memory, and several threads may ask at once.
 * - CAIRN_FOUND: *next is one edge from `from`, or `from` itself if it is `to`.
 * - CAIRN_UNREACHABLE, CAIRN_BLOCKED_START, CAIRN_BLOCKED_GOAL, CAIRN_OUT_OF_BOUNDS and, as for
 *   searches, CAIRN_NOT_BUILT and CAIRN_STALE: *next is CAIRN_NO_NODE.
 * - CAIRN_UNSUPPORTED: the planner has no such index; or ground differs in cost (terrain, extra
 *   costs, slopes), of which the index of `hcdps` knows nothing. Searches answer there. */
CAIRN_API cairn_status cairn_planner_next(const cairn_planner *planner, cairn_node from,
                                          cairn_node to, cairn_node *next);

/* An agent that walks by the index alone: where it is, where it wants to go, and a cursor in the
 * index, which only the planner understands. Plain data of 48 bytes: it may be copied, or stored
 * and used with the same index later. */
typedef struct cairn_agent {
    cairn_node at, goal;
    uint32_t cursor[10];
} cairn_agent;

/* Begins the walk of an agent from one node to another (planners with CAIRN_NEXT_MOVE). With a
 * cursor a move is cheaper than cairn_planner_next, and the walk may be shorter.
 * - CAIRN_FOUND: the agent is at `from`.
 * - Else as cairn_planner_next, and the agent is at CAIRN_NO_NODE. */
CAIRN_API cairn_status cairn_planner_walk(const cairn_planner *planner, cairn_node from,
                                          cairn_node to, cairn_agent *agent);

/* Makes one move of a walk. Takes constant time and no memory, and several threads may do so at
 * once, each with its own agents. The index may be another one than before: then the walk begins
 * again where the agent is.
 * - CAIRN_FOUND: agent->at is one edge further, or was the goal already.
 * - Else as cairn_planner_next, and the agent is where it was. */
CAIRN_API cairn_status cairn_planner_move(const cairn_planner *planner, cairn_agent *agent);

/* Returns the bytes of the index; 0 if there is none, or if it is shared with another planner that
 * counts it. */
CAIRN_API size_t cairn_planner_index_bytes(const cairn_planner *planner);

/* Makes a planner use the index of another one: "hpa:smooth=rays" beside "hpa" without a second
 * copy. What it had built itself is freed. Answers are those of an index of its own.
 * - Both have the same algorithm and space. Only parameters that the index does not depend on may
 *   differ, such as `smooth`. (Those of `alt` and `cluster-table` must be the same.)
 * - There is one index from then on. Whichever of the planners is built, synced, loaded or given
 *   clusters, whole, in slices or in the background, it is done for all of them, and all have the
 *   same state. So code that syncs every planner needs no exception, and the order of sharing and
 *   building does not matter.
 * - Where exclusive access to a planner is needed, it is needed to all that have its index.
 * - `with` stays alive as long as a planner has its index. Destroying it first is allowed.
 * - A planner that itself shares may be given as `with`: all have the index of the first one.
 * - Sharing needs exclusive access to `planner`. Searches of `with` may run meanwhile. It needs no
 *   memory.
 * - CAIRN_UNSUPPORTED: the algorithm has no index.
 * - CAIRN_INVALID: another algorithm, space or value of a parameter; the same index already, as
 *   with itself; or the planner has searches, navigators, sharers or a store already. On failure
 *   nothing changes. */
CAIRN_API cairn_status cairn_planner_share(cairn_planner *planner, cairn_planner *with,
                                           cairn_error *error);

#define CAIRN_NO_CLUSTER UINT16_MAX

/* Gives nodes clusters of your own, such as the rooms of a level, to a planner whose estimate is
 * made of clusters (`cluster-table`). Answers are optimal whatever the clusters are.
 * - `clusters` has a number for each node of the space. Nodes with CAIRN_NO_CLUSTER get one as they
 *   do without this call; those of nodes that are not usable do not matter. NULL: none are given.
 * - The numbers are copied. Every build from now on uses them; the present index is dropped.
 * - CAIRN_UNSUPPORTED: the planner has no such clusters, or there are more than 4096 numbers.
 * - Needs exclusive access to the planner, as cairn_planner_build does. On failure nothing changes,
 *   but that there is no index. */
CAIRN_API cairn_status cairn_planner_set_clusters(cairn_planner *planner, const uint16_t *clusters,
                                                  cairn_error *error);

/* Sends the index to an overlay sink (trace.h), level by level from the lowest on. `level` 0 means
 * all of them.
 * - Each level sends areas first, then borders, nodes and edges.
 * - A level that does not exist is not an error: CAIRN_OK, and nothing is sent.
 * - CAIRN_UNSUPPORTED: the algorithm has nothing to show.
 * - CAIRN_NOT_BUILT, CAIRN_STALE: there is no index that can be used. */
CAIRN_API cairn_status cairn_planner_overlay(const cairn_planner *planner, uint32_t level,
                                             const cairn_overlay_sink *sink);

/* Save the index to a container (store.h), and load it from one. CAIRN_UNSUPPORTED if the algorithm
 * needs no index.
 * - Saving needs an index that is built and not stale. Its tables are not copied: write the store
 *   before the planner is built or synced. The store keeps the planner alive.
 * - Loading needs an index of this algorithm, with these parameters, for a space with the same
 *   hash. CAIRN_STALE if the space is another one. CAIRN_BAD_DATA for all other faults: checksums,
 *   sizes, and everything that a search relies on to stay within its tables. (A file made with
 *   correct checksums and wrong bounds gives worse paths.) On failure there is no index.
 * - With `borrow` large tables are used where they are (a mapped file), and the
 *   planner keeps the archive open. */
CAIRN_API cairn_status cairn_planner_save(const cairn_planner *planner, cairn_store *store,
                                          cairn_error *error);
CAIRN_API cairn_status cairn_planner_load(cairn_planner *planner, const cairn_archive *archive,
                                          bool borrow, cairn_error *error);

/* What the index in an archive was built for. */
typedef struct cairn_index_info {
    /* algorithm and parameters, as for cairn_planner_create; only the name if this library does not
     * know the algorithm or its parameters */
    char spec[240];
    uint64_t space_hash; /* as cairn_space_hash */
    uint64_t node_count;
} cairn_index_info;

/* Describes the index in an archive. CAIRN_BAD_DATA if there is none, or if its description is
 * malformed. */
CAIRN_API cairn_status cairn_archive_index(const cairn_archive *archive, cairn_index_info *out,
                                           cairn_error *error);

/* ---- queries --------------------------------------------------------------------- */

typedef enum cairn_goal_kind {
    CAIRN_GOAL_AT, /* the goal itself, or the nearest of several */
    /* any node from which a goal would be one step away if the goal were free (links are not
     * steps) */
    CAIRN_GOAL_NEXT_TO,
    /* any usable node at most `radius` away from a goal's centre; CAIRN_UNSUPPORTED on graphs
     * without positions */
    CAIRN_GOAL_WITHIN,
    CAIRN_GOAL_NONE /* no goal: everything within max_cost (planners with CAIRN_NO_GOAL) */
} cairn_goal_kind;

/* An estimate of your own: the cost from `node` to the nearest goal. It need not be consistent.
 * Paths are optimal as long as it never overestimates. */
typedef cairn_cost cairn_estimate_function(void *user, cairn_node node);

/* A cell that is different for one query: another unit that stands there, or a danger. */
typedef struct cairn_filter_cell {
    cairn_node node;
    bool blocked;
    uint32_t extra; /* steps into it cost so much more, in 256ths of a straight step */
} cairn_filter_cell;

/* Obstacles and costs for one query (cairn_query.filter). The world does not change, and other
 * searches see nothing of it.
 *
 * - Only on grids: CAIRN_UNSUPPORTED on graphs and views.
 * - Answers are those of a grid with these cells and a profile with these costs, sizes, corners,
 *   heights and links included. Costs are on the scale of the space. path->cost is with the filter.
 * - Planners with CAIRN_FILTERS answer themselves. For the others A* does: see path->answered_by.
 *   An index knows nothing of the filter, so none is used.
 * - It takes time for each cell of the list, and more for each node that is expanded near one of
 *   them. With a cost table that is every node. Commit obstacles that stay to the grid. */
typedef struct cairn_filter {
    /* In any order. If a node is there more than once, it is blocked if one says so, and all extra
     * costs count. Leave the agent itself out: a blocked start is a blocked start. */
    const cairn_filter_cell *cells;
    uint32_t cell_count;
    /* if not NULL: 256 costs of terrain classes instead of those of the profile; 0 = forbidden.
     * What the profile forbids stays forbidden. */
    const uint16_t *terrain_cost;
} cairn_filter;

/* cairn_query.by_position: which ends are positions instead of nodes */
enum { CAIRN_FROM_POSITION = 1u << 0, CAIRN_TO_POSITION = 1u << 1 };

/* One question. Zero means default in every field; fill in `from` and `to` at least. Goals are
 * looked up by the first units of work. "Within" takes time for each cell in the radius; on graphs,
 * "next to" takes time for each edge that leads to the goal, and "within" for each node of the
 * graph. */
typedef struct cairn_query {
    cairn_node from, to;
    const cairn_node *goals; /* if not NULL: these instead of `to` */
    uint32_t goal_count;
    cairn_goal_kind goal_kind;
    double radius; /* for CAIRN_GOAL_WITHIN: cells on grids, position units on graphs */
    /* search no farther than this cost; 0 = no limit. Only optimal planners find a path within it
     * whenever there is one */
    cairn_cost max_cost;
    uint64_t max_work; /* work units before CAIRN_OUT_OF_BUDGET; 0 = no limit */
    cairn_estimate_function *estimate;
    void *estimate_user;
    /* Return a partial path where there is no whole one. The status still says why, and
     * path->partial is set.
     * - No goal can be reached: to the reachable node nearest to one.
     * - Out of budget, or no path after all: to the expanded node of least estimate, then of least
     *   cost.
     * - With CAIRN_PIECES: the path as far as it is known. Looking for its end takes one unit of
     *   work for each 256 nodes, on top of the budget. */
    bool partial;
    /* Planners with CAIRN_PIECES: the search ends as soon as at least this many steps of the path
     * are known, with CAIRN_FOUND and path->partial. cairn_search_find_next continues from there.
     * - 0 = the whole path. Other planners always return the whole path.
     * - Smoothing may leave fewer steps.
     * - max_work is for all pieces together.
     * - Queries that a planner delegates to A* (several goals, for example) give the whole path.
     * - If no goal can be reached and a partial path is wanted, only the last piece says why. */
    uint32_t piece;
    /* Ends as positions: `from` or `to` is then the node at from_position or to_position, looked up
     * when the query begins, and the path has points (path.h).
     * - A position outside the world is answered like a node outside it: CAIRN_OUT_OF_BOUNDS.
     * - CAIRN_UNSUPPORTED on graphs without positions.
     * - "Next to" and "within" are about the node there.
     * - `goals` takes precedence over to_position. */
    uint32_t by_position; /* CAIRN_FROM_POSITION, CAIRN_TO_POSITION */
    cairn_position from_position, to_position;
    /* If the agent cannot stand at the start: begin at the nearest node where it can
     * (cairn_nearest_usable), if that is at most so far away; INFINITY = however far.
     * - The path begins there: see its first node.
     * - 0 = do not. Then, and if there is none so near, the answer is CAIRN_BLOCKED_START. */
    double start_within;
    const cairn_filter *filter; /* obstacles and costs for this query only; NULL = none */
} cairn_query;

typedef struct cairn_metrics {
    uint64_t work;       /* units of work; each is bounded, about one expansion */
    uint64_t expanded;   /* nodes expanded, re-expansions included */
    uint64_t generated;  /* nodes seen for the first time, or again after they were forgotten */
    uint64_t reopened;   /* closed nodes opened again */
    uint64_t pushes;     /* open-list insertions */
    uint64_t peak_bytes; /* most memory for records and open list in use by this query */
    uint64_t lines;      /* visibility tests, by planners with CAIRN_ANY_ANGLE */
    /* The algorithm that answered: the planner's own, or the one to which it delegated the query.
     * Set for answers without a path too. NULL if the query's ends decided the answer, so that no
     * algorithm was asked. */
    const cairn_algorithm *answered_by;
} cairn_metrics;

/* ---- searches -------------------------------------------------------------------- */

typedef struct cairn_search cairn_search;

typedef struct cairn_search_options {
    size_t byte_limit; /* hard limit of the search's memory; 0 = none */
} cairn_search_options;

/* Creates a search. `options` may be NULL. The search keeps the planner alive. Several threads may
 * create and destroy searches of one planner at once. */
CAIRN_API cairn_status cairn_search_create(cairn_planner *planner,
                                           const cairn_search_options *options, cairn_search **out);
CAIRN_API void cairn_search_destroy(cairn_search *search);

/* Answers one query, whole. Returns path->status. *path (may be NULL) is set in every case; it is a
 * view that is valid until the next call on this search. */
CAIRN_API cairn_status cairn_search_find(cairn_search *search, const cairn_query *query,
                                         const cairn_path **path);

/* Answer one query in slices.
 * - `begin` returns CAIRN_RUNNING, or the final status if that is known at once.
 * - `step` does at most `work` units. It returns CAIRN_RUNNING or the final status.
 * - `result` then gives the path. Before the end it returns CAIRN_RUNNING and an empty path. After
 *   a commit it returns CAIRN_STALE, unless the path was asked for before.
 * - The query's arrays must live until the search has ended. */
CAIRN_API cairn_status cairn_search_begin(cairn_search *search, const cairn_query *query);
CAIRN_API cairn_status cairn_search_step(cairn_search *search, uint64_t work);
CAIRN_API cairn_status cairn_search_result(cairn_search *search, const cairn_path **path);

/* Find the next piece of a path, whole or in slices as `begin` does, after CAIRN_FOUND with
 * path->partial (query->piece). It begins where the last piece ended. The last piece is not
 * partial.
 * - CAIRN_INVALID: there is no next piece.
 * - CAIRN_STALE: after a commit, or if the index was built or synced meanwhile. Then ask again from
 *   where the agent is.
 * - Metrics count on from piece to piece. */
CAIRN_API cairn_status cairn_search_find_next(cairn_search *search, const cairn_path **path);
CAIRN_API cairn_status cairn_search_begin_next(cairn_search *search);

/* Looks for a cheaper path with about `work` units, after CAIRN_FOUND with path->improvable
 * (planners with CAIRN_ANYTIME). *path (may be NULL) is the best path so far, whether it became
 * cheaper or not.
 * - CAIRN_FOUND: path->improvable says whether more work may help; path->suboptimality_bound
 *   shrinks.
 * - CAIRN_INVALID: there is nothing to improve.
 * - CAIRN_STALE after a commit, CAIRN_CANCELLED after a cancel, and CAIRN_OUT_OF_MEMORY: the path
 *   is lost. Keep a copy if you need it.
 * - Metrics count on. When max_work is used up the path is no longer improvable. */
CAIRN_API cairn_status cairn_search_improve(cairn_search *search, uint64_t work,
                                            const cairn_path **path);

/* Ends the running query at its next step. May be called from any thread. Between two pieces it
 * ends the next one. */
CAIRN_API void cairn_search_cancel(cairn_search *search);

/* Returns the metrics of the last query. */
CAIRN_API cairn_metrics cairn_search_metrics(const cairn_search *search);

/* Reports every step to a sink, from the next query on; NULL ends that, also from the next query
 * on. The sink is copied. What it points to must live until the running query has ended. */
CAIRN_API void cairn_search_trace(cairn_search *search, const cairn_trace_sink *sink);

/* Return the cost of the path found to `node`, or CAIRN_NO_COST if it was not reached, and the path
 * to it, after a search. They are exact for every node after CAIRN_GOAL_NONE with an optimal
 * planner, also with max_cost ("everything within reach"). */
CAIRN_API cairn_cost cairn_search_cost_to(const cairn_search *search, cairn_node node);
CAIRN_API cairn_status cairn_search_path_to(cairn_search *search, cairn_node node,
                                            const cairn_path **path);

/* Calls `visit` for every node that was reached, in ascending order. */
typedef void cairn_visit(void *user, cairn_node node, cairn_cost cost);
CAIRN_API cairn_status cairn_search_reached(const cairn_search *search, cairn_visit *visit,
                                            void *user);

/* ---- in one call ----------------------------------------------------------------- */

/* Finds a cheapest path between two cells for an agent with the default profile of the grid.
 *   - The path is yours: free it with cairn_path_free, also if none was found.
 *   - What the search needs is kept in the grid and reused.
 *   - One thread at a time per grid. */
CAIRN_API cairn_status cairn_find_path(cairn_grid *grid, cairn_cell from, cairn_cell to,
                                       cairn_owned_path *found);

/* Finds the cost of the path from `from` to `to` without making a path. *cost is CAIRN_NO_COST if
 * the status is not CAIRN_FOUND. */
CAIRN_API cairn_status cairn_distance(cairn_search *search, cairn_node from, cairn_node to,
                                      cairn_cost *cost);

#ifdef __cplusplus
}
#endif
#endif
