/* Cairn: pathfinding for games.
 *
 * base.h: what all other headers need: statuses and errors, the context (allocator, log, assertion
 * and task hooks, limits), node ids and costs.
 *
 * Who owns what?
 * - Every `create` has one `destroy`, in any order.
 * - An object lives until the last object made of it is destroyed: a grid until its spaces are, a
 *   space until its planners are, a planner until its searches and navigators are, the context
 *   until everything made with it is. They go on working; only you must not use what you have
 *   destroyed.
 *
 * What may run in parallel?
 * - Anything on different objects.
 * - Any number of searches that share a planner, a space and a world, while nobody commits an edit
 *   to that world.
 *
 * Functions of yours that the library calls (hooks, sinks, estimates, reports) must return. No C++
 * exception and no longjmp may pass through the library.
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

/* Zero is success; every other value is a reason. */
typedef enum cairn_status {
    CAIRN_OK = 0,
    CAIRN_FOUND = CAIRN_OK, /* a search found a path */
    CAIRN_RUNNING,          /* a sliced search has more to do: call step again */
    CAIRN_UNREACHABLE,      /* no path exists (or none within the cost limit) */
    CAIRN_OUT_OF_BUDGET,    /* a limit was reached first: of work, or of cells for a file */
    CAIRN_OUT_OF_MEMORY,    /* an allocation failed, or a limit of bytes was reached */
    CAIRN_CANCELLED,        /* cairn_search_cancel was called */
    CAIRN_BLOCKED_START,    /* the agent cannot stand at the start */
    CAIRN_BLOCKED_GOAL,     /* the agent cannot stand at any goal */
    CAIRN_OUT_OF_BOUNDS,    /* a node or a position lies outside the world */
    CAIRN_STALE,            /* the world has changed since this was begun or built */
    CAIRN_NOT_BUILT,        /* the index that this needs was not built */
    CAIRN_COST_OVERFLOW,    /* costs on this world do not fit into 32 bits */
    CAIRN_UNSUPPORTED,      /* this algorithm cannot do that on this space */
    CAIRN_BAD_DATA,         /* a file, text or array is malformed */
    CAIRN_INVALID,          /* an argument is invalid (NULL, zero size, unknown name) */
    CAIRN_FILE_ERROR,       /* a file could not be opened, read or written */
    CAIRN_TOO_LONG,         /* no path has as few nodes as this search may hold (`smastar`) */
    CAIRN_STATUS_COUNT
} cairn_status;

/* Returns a short lower-case phrase such as "ok" or "blocked goal"; never NULL. */
CAIRN_API const char *cairn_status_text(cairn_status status);

/* Returns the same text for the status of a path or a search, with "found" instead of "ok". */
CAIRN_API const char *cairn_result_text(cairn_status status);

/* Bytes in memory that a function reads; {NULL, 0}: none. */
typedef struct cairn_bytes {
    const void *data;
    size_t size;
} cairn_bytes;

/* Details of a failure. The parameter is always optional (NULL). */
typedef struct cairn_error {
    cairn_status status;
    uint32_t line;  /* 1-based line of a text input, 0 = does not apply */
    char text[240]; /* a whole sentence without the file's name */
} cairn_error;

/* Returns the version of the library: "0.1.0". */
CAIRN_API const char *cairn_version(void);

/* ---- the context --------------------------------------------------------------- */

typedef struct cairn_context cairn_context;

typedef enum cairn_log_level { CAIRN_LOG_ERROR, CAIRN_LOG_WARNING, CAIRN_LOG_INFO } cairn_log_level;

/* One piece of parallel work. It is called once for each index below the count. */
typedef void cairn_task(void *user, uint32_t index);

/* Zero and NULL mean default in every field. Every hook has a user pointer of its own. */
typedef struct cairn_context_options {
    /* Works like realloc, with the old size given.
     * - `new_size` 0 frees; `old` NULL allocates.
     * - Returns NULL on failure, and leaves `old` as it was.
     * - Must be thread-safe if several threads use the context.
     * - Default: the C library's allocator. */
    void *(*allocate)(void *user, void *old, size_t old_size, size_t new_size);
    void *allocate_user;

    /* Receives rare messages for people. Default: none are written. */
    void (*log)(void *user, cairn_log_level level, const char *text);
    void *log_user;

    /* Is called when an internal check fails, in builds with checks. Default: abort. */
    void (*fail)(void *user, const char *file, int line, const char *text);
    void *fail_user;

    /* Runs task(task_user, i) for all i < count, in any order, on any threads. Returns when all are
     * done. Default: `workers` threads of the library's own. */
    void (*parallel_for)(void *user, uint32_t count, cairn_task *task, void *task_user);
    void *parallel_for_user;

    uint32_t workers;  /* threads to start, 0…64; 0 = none, work runs on the caller */
    size_t byte_limit; /* hard limit for all memory of this context; 0 = none */

    /* The most cells that a file may ask for without holding them: as packed pixels or tiles, or
     * by a generator in a script. A file may always ask for eight cells for each of its bytes.
     * 0 = CAIRN_FILE_CELLS. */
    uint64_t file_cells;
} cairn_context_options;

#define CAIRN_FILE_CELLS (UINT64_C(1) << 26) /* 8192 x 8192 */

/* Returns the defaults: the C library's allocator, no threads, no limit. */
CAIRN_API cairn_context_options cairn_context_defaults(void);

/* Creates a context. `options` may be NULL. */
CAIRN_API cairn_status cairn_context_create(const cairn_context_options *options,
                                            cairn_context **out);

/* Destroys a context. It lives on until everything made with it is destroyed, and so must its hooks
 * and their user pointers. NULL is allowed. */
CAIRN_API void cairn_context_destroy(cairn_context *context);

typedef struct cairn_memory {
    size_t bytes;         /* held now */
    size_t peak_bytes;    /* the most ever held */
    uint64_t allocations; /* calls that asked the allocator for memory so far */
} cairn_memory;

CAIRN_API cairn_memory cairn_context_memory(const cairn_context *context);

/* Returns how many cells a file of this many bytes may ask for. */
CAIRN_API uint64_t cairn_context_file_cells(const cairn_context *context, size_t bytes);

/* Allocates, resizes or frees memory of the context, for libraries built on Cairn. The memory is
 * counted and limited like all memory of the context.
 * - Works like realloc, with the old size given: `new_size` 0 frees, `old` NULL allocates.
 * - Returns NULL if there is no memory, and leaves `old` as it was.
 * - `old_size` must be the size of the block. */
CAIRN_API void *cairn_context_resize(cairn_context *context, void *old, size_t old_size,
                                     size_t new_size);

/* Runs task(user, i) for all i < count with the context's hook, with its workers, or on the calling
 * thread. Returns when all are done.
 * - Results must not depend on the order.
 * - One call at a time per context, and none from within a task. */
CAIRN_API void cairn_parallel_for(cairn_context *context, uint32_t count, cairn_task *task,
                                  void *user);

/* ---- small types --------------------------------------------------------------- */

/* A node of any space: a cell (y * width + x) or a waypoint's number. */
typedef uint32_t cairn_node;
#define CAIRN_NO_NODE UINT32_MAX

/* A cost in exact integer units. space.h says what a unit is. */
typedef uint32_t cairn_cost;
#define CAIRN_COST_MAX (UINT32_MAX - 1u)
#define CAIRN_NO_COST UINT32_MAX

/* A cell's coordinates: x to the right, y downwards, (0, 0) upper left. */
typedef struct cairn_cell {
    int32_t x, y;
} cairn_cell;

/* A position in the game. z is 0 in flat worlds: grids, and graphs without heights. */
typedef struct cairn_position {
    double x, y, z;
} cairn_position;

/* Called now and then during long work, with how much of it is done. Returning false ends the work
 * with CAIRN_CANCELLED. */
typedef struct cairn_progress {
    bool (*report)(void *user, uint64_t done, uint64_t total);
    void *user;
} cairn_progress;

#ifdef __cplusplus
}
#endif
#endif
