/* Cairn: pathfinding for games.
 *
 * base.h: what every other header stands on: statuses and errors, the context (allocator, log,
 * assertion and task hooks, limits), node ids and costs.
 *
 * Who owns what: every `create` has one `destroy`; everything made with a context is destroyed
 * before it. What may run in parallel: anything on different objects, and any number of searches
 * that share a planner, a space and a world, as long as nobody commits an edit to that world
 * meanwhile.
 *
 * Functions of yours that the library calls (hooks, sinks, estimates, reports) must return: no C++
 * exception and no longjmp may pass through it.
 */
#ifndef CAIRN_BASE_H
#define CAIRN_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAIRN_VERSION_MAJOR 0
#define CAIRN_VERSION_MINOR 1
#define CAIRN_VERSION_PATCH 0

#if defined(_WIN32) && defined(CAIRN_SHARED)
#if defined(CAIRN_BUILDING)
#define CAIRN_API __declspec(dllexport)
#else
#define CAIRN_API __declspec(dllimport)
#endif
#elif defined(__GNUC__) && defined(CAIRN_BUILDING)
#define CAIRN_API __attribute__((visibility("default")))
#else
#define CAIRN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- statuses ---------------------------------------------------------------- */

/* Zero is success; everything else says why not. */
typedef enum cairn_status {
    CAIRN_OK = 0,
    CAIRN_FOUND = CAIRN_OK, /* a search found a path */
    CAIRN_RUNNING,          /* a sliced search has more to do: call step again */
    CAIRN_UNREACHABLE,      /* no path exists (or none within the cost limit) */
    CAIRN_OUT_OF_BUDGET,    /* the work limit was used up first */
    CAIRN_OUT_OF_MEMORY,    /* an allocation failed or a byte limit was reached */
    CAIRN_CANCELLED,        /* cairn_search_cancel was called */
    CAIRN_BLOCKED_START,    /* the start is not a place this agent can stand */
    CAIRN_BLOCKED_GOAL,     /* no goal is a place this agent can stand */
    CAIRN_OUT_OF_BOUNDS,    /* a node or a position lies outside the world */
    CAIRN_STALE,            /* the world changed since this was begun or built */
    CAIRN_NOT_BUILT,        /* the index this needs was not built */
    CAIRN_COST_OVERFLOW,    /* costs do not fit 32 bits on this world */
    CAIRN_UNSUPPORTED,      /* this algorithm cannot do that on this space */
    CAIRN_BAD_DATA,         /* a file, text or array does not say what it must */
    CAIRN_INVALID,          /* an argument makes no sense (NULL, zero size, unknown name) */
    CAIRN_FILE_ERROR,       /* a file could not be opened, read or written */
    CAIRN_STATUS_COUNT
} cairn_status;

/* Returns a short lower-case phrase such as "ok" or "blocked goal"; never NULL. */
CAIRN_API const char *cairn_status_text(cairn_status status);

/* Returns the same for the status of a path or a search: "found" instead of "ok". */
CAIRN_API const char *cairn_result_text(cairn_status status);

/* Filled by functions that have more to say; always optional (NULL). */
typedef struct cairn_error {
    cairn_status status;
    uint32_t line;  /* 1-based line of a text input, 0 = does not apply */
    char text[240]; /* a whole sentence without the file's name */
} cairn_error;

/* "0.1.0" */
CAIRN_API const char *cairn_version(void);

/* ---- the context --------------------------------------------------------------- */

typedef struct cairn_context cairn_context;

typedef enum cairn_log_level { CAIRN_LOG_ERROR, CAIRN_LOG_WARNING, CAIRN_LOG_INFO } cairn_log_level;

/* One piece of parallel work: called once for each index below the count. */
typedef void cairn_task(void *user, uint32_t index);

/* Zero and NULL mean default everywhere. Every hook gets its own user pointer. */
typedef struct cairn_context_options {
    /* Like realloc with the old size given: new_size 0 frees, old NULL allocates;
     * returns NULL on failure, leaving `old` as it was. Must be thread-safe if several
     * threads use the context. Default: the C library's. */
    void *(*allocate)(void *user, void *old, size_t old_size, size_t new_size);
    void *allocate_user;

    /* Rare remarks for people. Default: silence. */
    void (*log)(void *user, cairn_log_level level, const char *text);
    void *log_user;

    /* Called when an internal check fails, in builds that keep checks. Default: abort. */
    void (*fail)(void *user, const char *file, int line, const char *text);
    void *fail_user;

    /* Runs task(task_user, i) for all i < count in any order on any threads, and returns
     * when all are done. Default: `workers` threads of our own. */
    void (*parallel_for)(void *user, uint32_t count, cairn_task *task, void *task_user);
    void *parallel_for_user;

    uint32_t workers;  /* threads to start, 0…64; 0 = none, work runs on the caller */
    size_t byte_limit; /* hard limit for all memory of this context; 0 = none */
} cairn_context_options;

/* All defaults: C library allocator, no threads, no limit. */
CAIRN_API cairn_context_options cairn_context_defaults(void);

/* `options` may be NULL. */
CAIRN_API cairn_status cairn_context_create(const cairn_context_options *options,
                                            cairn_context **out);

/* Everything made with the context must be gone. NULL is allowed. */
CAIRN_API void cairn_context_destroy(cairn_context *context);

typedef struct cairn_memory {
    size_t bytes;         /* held now */
    size_t peak_bytes;    /* the most ever held */
    uint64_t allocations; /* calls that asked the allocator for memory so far */
} cairn_memory;

CAIRN_API cairn_memory cairn_context_memory(const cairn_context *context);

/* Memory of the context for libraries that stand on it, counted and limited like all of its memory.
 * Like realloc with the old size given: new_size 0 frees, old NULL allocates; NULL = no memory, and
 * `old` is as it was. Whoever frees must say how large the block was. */
CAIRN_API void *cairn_context_resize(cairn_context *context, void *old, size_t old_size,
                                     size_t new_size);

/* Runs the tasks with the context's hook, its workers, or on the caller; returns when
 * all are done. Results must not depend on the order. One call at a time per context, and none
 * from a task. */
CAIRN_API void cairn_parallel_for(cairn_context *context, uint32_t count, cairn_task *task,
                                  void *user);

/* ---- small types --------------------------------------------------------------- */

/* A node of any space: a cell (y * width + x) or a waypoint's number. */
typedef uint32_t cairn_node;
#define CAIRN_NO_NODE UINT32_MAX

/* A cost in exact integer units; see space.h for what a unit is. */
typedef uint32_t cairn_cost;
#define CAIRN_COST_MAX (UINT32_MAX - 1u)
#define CAIRN_NO_COST UINT32_MAX

/* A cell's coordinates: x to the right, y downwards, (0, 0) upper left. */
typedef struct cairn_cell {
    int32_t x, y;
} cairn_cell;

/* A position in the game. z is 0 in flat worlds: grids, and graphs that were given no heights. */
typedef struct cairn_position {
    double x, y, z;
} cairn_position;

/* Called now and then during long work with how much of it is done; returning false ends the work
 * with CAIRN_CANCELLED. */
typedef struct cairn_progress {
    bool (*report)(void *user, uint64_t done, uint64_t total);
    void *user;
} cairn_progress;

#ifdef __cplusplus
}
#endif
#endif
