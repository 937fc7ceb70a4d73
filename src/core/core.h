/* core.h: what every source file of the library may use: memory with accounting, checks,
 * errors, bits, random numbers, hashes. Internal names start with crn_.
 */
#ifndef CRN_CORE_H
#define CRN_CORE_H

#include <cairn/base.h>
#include <stdatomic.h>
#include <string.h>

/* ---- memory ---- */

/* All memory goes through a context. Returns NULL if the allocator or the byte limit refuses, and
 * for zero bytes. The size is passed to the free function, so that nothing is stored beside the
 * block. The memory is not cleared. */
void *crn_alloc(cairn_context *context, size_t size);
void *crn_alloc_zero(cairn_context *context, size_t size);
void *crn_realloc(cairn_context *context, void *old, size_t old_size, size_t new_size);
void crn_free(cairn_context *context, void *block, size_t size);

/* a * b, or SIZE_MAX if that does not fit (no allocator gives that much). */
static inline size_t crn_mul_size(size_t a, size_t b)
{
    return b && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

/* Makes room for at least `need` elements, doubling; false = no memory, nothing changed. */
bool crn_grow(cairn_context *context, void **array, size_t *capacity, size_t need, size_t element);

/* Memory of one search: counts against a limit of its own as well (0 = none). */
typedef struct crn_scratch {
    cairn_context *context;
    size_t limit, bytes;
    bool failed; /* a request was refused; whoever begins a query clears it */
    /* of the search that this one is a part of: counts there too; may be NULL */
    struct crn_scratch *outer;
} crn_scratch;

void *crn_scratch_alloc(crn_scratch *scratch, size_t size);
void crn_scratch_free(crn_scratch *scratch, void *block, size_t size);
bool crn_scratch_grow(crn_scratch *scratch, void **array, size_t *capacity, size_t need,
                      size_t element);

/* Sorts `count` items of `size` bytes, a multiple of four, by `before`. In place, not stable. */
typedef bool crn_before(const void *a, const void *b);
void crn_sort(void *base, size_t count, size_t size, crn_before *before);

/* The same in pieces: sifts at most this many items at a time. Returns whether it is done. */
typedef struct crn_sorting {
    size_t count, left; /* items, and how many are to be sifted */
} crn_sorting;
crn_sorting crn_sorting_of(size_t count);
bool crn_sort_go_on(crn_sorting *sorting, void *base, size_t size, crn_before *before,
                    size_t sifts);

/* ---- checks and errors ---- */

/* An assertion that goes to the context's `fail` hook; only in builds with CAIRN_CHECKS. */
#if defined(CAIRN_CHECKS)
void crn_check_failed(const cairn_context *context, const char *file, int line, const char *text);
#define CRN_CHECK(context, condition) \
    ((condition) ? (void)0 : crn_check_failed(context, __FILE__, __LINE__, #condition))
/* The same for a crn_X_check, which says what is wrong, or NULL. */
#define CRN_CHECK_RIGHT(context, check) \
    do { \
        const char *wrong_ = (check); \
        if (wrong_) crn_check_failed(context, __FILE__, __LINE__, wrong_); \
    } while (0)
/* For tables of functions: this one, or NULL in builds without checks. */
#define CRN_CHECKED(function) (function)
#else
#define CRN_CHECK(context, condition) ((void)0)
#define CRN_CHECK_RIGHT(context, check) ((void)0)
#define CRN_CHECKED(function) NULL
#endif

#if defined(__GNUC__)
#define CRN_LIKELY(x) __builtin_expect(!!(x), 1)
#define CRN_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define CRN_INLINE static inline __attribute__((always_inline))
#define CRN_NOINLINE __attribute__((noinline))
#if defined(__clang__)
#define CRN_NOCLONE CRN_NOINLINE
#else
#define CRN_NOCLONE __attribute__((noinline, noclone)) /* nor made again for constant arguments */
#endif
#define CRN_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define CRN_READ_AHEAD(at) __builtin_prefetch(at)
#else
#define CRN_LIKELY(x) (x)
#define CRN_UNLIKELY(x) (x)
#define CRN_INLINE static inline
#define CRN_NOINLINE
#define CRN_NOCLONE
#define CRN_PRINTF(f, a)
#define CRN_READ_AHEAD(at) ((void)0)
#endif

/* ---- sorted lists ---- */

/* Returns the first of `count` items of `size` bytes, ascending by their keys, whose key is at
 * least `key`; `count` if there is none. Items begin with their key: a uint64_t if it is wide, else
 * a uint32_t. */
CRN_INLINE size_t crn_lower_bound_of(const void *array, size_t count, size_t size, bool wide,
                                     uint64_t key)
{
    size_t low = 0;
    for (size_t high = count; low < high;) {
        size_t middle = low + (high - low) / 2;
        const unsigned char *item = (const unsigned char *)array + middle * size;
        uint64_t found;
        uint32_t narrow;
        if (wide) {
            memcpy(&found, item, sizeof found);
        } else {
            memcpy(&narrow, item, sizeof narrow);
            found = narrow;
        }
        if (found < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
#define crn_lower_bound(items, count, key) \
    crn_lower_bound_of(items, count, sizeof *(items), false, key)
#define crn_lower_bound_wide(items, count, key) \
    crn_lower_bound_of(items, count, sizeof *(items), true, key)

/* Reports how much of a long task is done. Returns false if the task must end with CAIRN_CANCELLED.
 * `progress` may be NULL. */
CRN_INLINE bool crn_progress(const cairn_progress *progress, uint64_t done, uint64_t total)
{
    return !progress || !progress->report || progress->report(progress->user, done, total);
}

/* Fills *error (may be NULL) and returns the status: return crn_fail(error, CAIRN_BAD_DATA,
 * 3, "row has %u cells, not %u", a, b). Understands %s, %.*s, %c, %d, %u and %llu only. */
cairn_status crn_fail(cairn_error *error, cairn_status status, uint32_t line, const char *format,
                      ...) CRN_PRINTF(4, 5);

/* The same conversions into a text of `size` bytes, which is cut off if need be and ends in a zero
 * byte. Returns its length. */
size_t crn_format(char *out, size_t size, const char *format, ...) CRN_PRINTF(3, 4);

void crn_log(const cairn_context *context, cairn_log_level level, const char *text);

/* ---- who keeps an object alive ---- */

/* Counts the children that hold an object besides its owner; zero bytes are a count of none. Every
 * child holds its parent, so that destroying the parent first is allowed: the last one who lets go
 * frees it. Searches are made and destroyed by several threads at once, hence atomic. */
typedef struct crn_holders {
    atomic_uint count;
} crn_holders;

static inline void crn_hold(crn_holders *holders)
{
    atomic_fetch_add(&holders->count, 1);
}

/* Does anybody hold it besides its owner? */
static inline bool crn_is_held(crn_holders *holders)
{
    return atomic_load(&holders->count) != 0;
}

/* The owner or a child lets go. True for the last of them, who frees the object. */
static inline bool crn_let_go(crn_holders *holders)
{
    return atomic_fetch_sub(&holders->count, 1) == 0;
}

/* ---- threads (threads.c) ---- */

typedef struct crn_pool crn_pool;
cairn_status crn_pool_create(cairn_context *context, uint32_t workers, crn_pool **out);
void crn_pool_destroy(cairn_context *context, crn_pool *pool);
void crn_pool_run(crn_pool *pool, uint32_t count, cairn_task *task, void *user);

/* Runs something on a thread of its own. Returns NULL if the context has no workers or no thread
 * can be started: then the caller must do the work itself. Every thread must be joined once, which
 * waits for its end. */
typedef struct crn_thread crn_thread;
crn_thread *crn_thread_start(cairn_context *context, void (*run)(void *user), void *user);
bool crn_thread_ended(crn_thread *thread);
void crn_thread_join(cairn_context *context, crn_thread *thread);

/* Creates a context without workers, for work on a thread of its own: what is made with it starts
 * no tasks, and its memory is that of `context`. */
cairn_status crn_context_create_alone(cairn_context *context, cairn_context **out);

/* May threads be started? */
bool crn_context_has_workers(const cairn_context *context);

/* Returns how many tasks of cairn_parallel_for may run at a time, at least 1: for callers that need
 * memory for each of them. */
uint32_t crn_parallel_tasks(const cairn_context *context);

/* ---- bits ---- */

CRN_INLINE uint32_t crn_lowest_bit(uint64_t x) /* x != 0 */
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(x);
#else
    uint32_t n = 0;
    while (!(x & 1)) x >>= 1, n++;
    return n;
#endif
}

CRN_INLINE uint32_t crn_highest_bit(uint64_t x) /* x != 0 */
{
#if defined(__GNUC__)
    return 63u - (uint32_t)__builtin_clzll(x);
#else
    uint32_t n = 0;
    while (x >>= 1) n++;
    return n;
#endif
}

CRN_INLINE uint32_t crn_count_bits(uint64_t x)
{
#if defined(__GNUC__) && defined(__POPCNT__)
    return (uint32_t)__builtin_popcountll(x);
#else
    /* In pairs, then in fours, then in bytes; the product adds the bytes up. */
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
#endif
}

CRN_INLINE uint32_t crn_min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

CRN_INLINE uint32_t crn_max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* ---- union-find: each element names another one of its set, the first names itself ---- */

static inline uint32_t crn_set_find(uint32_t *set, uint32_t i)
{
    while (set[i] != i) i = set[i] = set[set[i]];
    return i;
}

/* The least element of a set represents it. */
static inline void crn_set_unite(uint32_t *set, uint32_t i, uint32_t k)
{
    i = crn_set_find(set, i);
    k = crn_set_find(set, k);
    if (i < k) {
        set[k] = i;
    } else {
        set[i] = k;
    }
}

/* ---- random numbers and hashes: the same on every machine ---- */

/* splitmix64 (Steele, Lea, Flood 2014): any seed is a good seed. */
typedef struct crn_rng {
    uint64_t state;
} crn_rng;

static inline uint64_t crn_rng_next(crn_rng *rng)
{
    uint64_t z = (rng->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Returns a number in 0…n-1 (n ≥ 1), evenly distributed, by the high half of a 32×32-bit
 * product. */
static inline uint32_t crn_rng_below(crn_rng *rng, uint32_t n)
{
    return (uint32_t)(((crn_rng_next(rng) >> 32) * n) >> 32);
}

#endif
