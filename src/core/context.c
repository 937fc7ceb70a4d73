/* context.c: the context: one place for memory with accounting, hooks and limits.
 *
 * Every byte of the library is allocated here, so that a game can use its own allocator, a test can
 * make it fail, and a limit can be hard. The counters are atomic because searches of several
 * threads share one context. Nothing else in it changes after creation.
 *
 * The count of bytes also says how long the context lives. Its owner holds the bytes of the context
 * itself and of its workers, and everything made with it holds its own. Whoever gives back the last
 * bytes ends the context, be it cairn_context_destroy or the last child that outlived it.
 */
#include "core/core.h"
#include <stdatomic.h>
#include <stdlib.h>

struct cairn_context {
    cairn_context_options options;
    crn_pool *pool;
    size_t own_bytes; /* of the context and its pool */
    atomic_size_t bytes;
    atomic_size_t peak;
    atomic_ullong allocations;
};

static void *context_default_allocate(void *user, void *old, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, new_size);
}

cairn_context_options cairn_context_defaults(void)
{
    cairn_context_options options = {0};
    return options;
}

cairn_status cairn_context_create(const cairn_context_options *options, cairn_context **out)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    cairn_context_options chosen = options ? *options : cairn_context_defaults();
    if (!chosen.allocate) chosen.allocate = context_default_allocate;
    if (!chosen.file_cells) chosen.file_cells = CAIRN_FILE_CELLS;
    if (chosen.workers > 64) return CAIRN_INVALID;
    if (chosen.byte_limit && chosen.byte_limit < sizeof(cairn_context)) return CAIRN_OUT_OF_MEMORY;

    cairn_context *context = chosen.allocate(chosen.allocate_user, NULL, 0, sizeof *context);
    if (!context) return CAIRN_OUT_OF_MEMORY;
    context->options = chosen;
    context->pool = NULL;
    context->own_bytes = sizeof *context;
    atomic_init(&context->bytes, sizeof *context);
    atomic_init(&context->peak, sizeof *context);
    atomic_init(&context->allocations, 1);

    if (chosen.workers && !chosen.parallel_for) {
        cairn_status status = crn_pool_create(context, chosen.workers, &context->pool);
        if (status != CAIRN_OK) {
            cairn_context_destroy(context);
            return status;
        }
    }
    context->own_bytes = atomic_load(&context->bytes);
    *out = context;
    return CAIRN_OK;
}

static void *context_allocate_outside(void *user, void *old, size_t old_size, size_t new_size)
{
    return crn_realloc(user, old, old_size, new_size);
}

cairn_status crn_context_create_alone(cairn_context *context, cairn_context **out)
{
    cairn_context_options options = context->options;
    options.allocate = context_allocate_outside;
    options.allocate_user = context;
    options.parallel_for = NULL;
    options.workers = 0;
    options.byte_limit = 0;
    return cairn_context_create(&options, out);
}

/* Nobody holds a byte any more. */
static void context_end(cairn_context *context)
{
    atomic_store(&context->bytes, context->own_bytes); /* the pool gives back its share of these */
    crn_pool_destroy(context, context->pool);
    CRN_CHECK(context, atomic_load(&context->bytes) == sizeof *context);
    context->options.allocate(context->options.allocate_user, context, sizeof *context, 0);
}

/* Gives bytes back. The context may be gone afterwards. */
static void context_return(cairn_context *context, size_t size)
{
    if (atomic_fetch_sub(&context->bytes, size) == size) context_end(context);
}

void cairn_context_destroy(cairn_context *context)
{
    if (context) context_return(context, context->own_bytes);
}

cairn_memory cairn_context_memory(const cairn_context *context)
{
    cairn_memory memory = {atomic_load(&context->bytes), atomic_load(&context->peak),
                           atomic_load(&context->allocations)};
    return memory;
}

uint64_t cairn_context_file_cells(const cairn_context *context, size_t bytes)
{
    uint64_t held = (uint64_t)bytes > UINT64_MAX / 8 ? UINT64_MAX : (uint64_t)bytes * 8;
    return held > context->options.file_cells ? held : context->options.file_cells;
}

void *cairn_context_resize(cairn_context *context, void *old, size_t old_size, size_t new_size)
{
    return crn_realloc(context, old, old_size, new_size);
}

void cairn_parallel_for(cairn_context *context, uint32_t count, cairn_task *task, void *user)
{
    if (context->options.parallel_for) {
        context->options.parallel_for(context->options.parallel_for_user, count, task, user);
    } else if (context->pool && count > 1) {
        crn_pool_run(context->pool, count, task, user);
    } else {
        for (uint32_t i = 0; i < count; i++) task(user, i);
    }
}

uint32_t crn_parallel_tasks(const cairn_context *context)
{
    enum { GUESS = 4 }; /* a hook does not say what it can do */
    return context->options.parallel_for ? GUESS : crn_max_u32(context->options.workers, 1);
}

bool crn_context_has_workers(const cairn_context *context)
{
    return context->options.workers > 0;
}

/* ---- memory ---- */

/* Books `size` more bytes; false if the limit says no. */
static bool context_book(cairn_context *context, size_t size)
{
    size_t before = atomic_fetch_add(&context->bytes, size), after = before + size;
    size_t limit = context->options.byte_limit;
    if (after < before || (limit && after > limit)) {
        atomic_fetch_sub(&context->bytes, size);
        return false;
    }
    size_t peak = atomic_load(&context->peak);
    while (after > peak && !atomic_compare_exchange_weak(&context->peak, &peak, after)) {
    }
    return true;
}

void *crn_realloc(cairn_context *context, void *old, size_t old_size, size_t new_size)
{
    if (new_size == 0) {
        crn_free(context, old, old_size);
        return NULL;
    }
    /* While a block moves both copies may exist, but the allocator decides that: only the
     * difference is booked. */
    if (new_size > old_size && !context_book(context, new_size - old_size)) return NULL;
    atomic_fetch_add(&context->allocations, 1);
    void *block =
        context->options.allocate(context->options.allocate_user, old, old_size, new_size);
    if (!block) {
        if (new_size > old_size) atomic_fetch_sub(&context->bytes, new_size - old_size);
        return NULL;
    }
    if (new_size < old_size) atomic_fetch_sub(&context->bytes, old_size - new_size);
    return block;
}

void *crn_alloc(cairn_context *context, size_t size)
{
    return size ? crn_realloc(context, NULL, 0, size) : NULL;
}

void *crn_alloc_zero(cairn_context *context, size_t size)
{
    void *block = crn_alloc(context, size);
    if (block) memset(block, 0, size);
    return block;
}

void crn_free(cairn_context *context, void *block, size_t size)
{
    if (!block) return;
    context->options.allocate(context->options.allocate_user, block, size, 0);
    context_return(context, size);
}

bool crn_grow(cairn_context *context, void **array, size_t *capacity, size_t need, size_t element)
{
    if (need <= *capacity) return true;
    size_t wanted = *capacity ? *capacity : 16;
    while (wanted < need) wanted = crn_mul_size(wanted, 2);
    size_t bytes = crn_mul_size(wanted, element);
    if (bytes == SIZE_MAX) return false;
    void *grown = crn_realloc(context, *array, *capacity * element, bytes);
    if (!grown) return false;
    *array = grown;
    *capacity = wanted;
    return true;
}

/* ---- scratch ---- */

/* Is there room for this many bytes more, here and in what this is a part of? */
static bool scratch_fits(crn_scratch *scratch, size_t more)
{
    bool fits = true;
    for (const crn_scratch *s = scratch; s; s = s->outer) {
        if (s->limit && (more > s->limit || s->bytes > s->limit - more)) fits = false;
    }
    return fits;
}

static void scratch_fail(crn_scratch *scratch)
{
    for (; scratch; scratch = scratch->outer) scratch->failed = true;
}

static void scratch_book(crn_scratch *scratch, size_t more, size_t less)
{
    for (; scratch; scratch = scratch->outer) scratch->bytes += more - less;
}

void *crn_scratch_alloc(crn_scratch *scratch, size_t size)
{
    void *block = scratch_fits(scratch, size) ? crn_alloc(scratch->context, size) : NULL;
    if (block) {
        scratch_book(scratch, size, 0);
    } else {
        scratch_fail(scratch);
    }
    return block;
}

void crn_scratch_free(crn_scratch *scratch, void *block, size_t size)
{
    if (!block) return;
    crn_free(scratch->context, block, size);
    scratch_book(scratch, 0, size);
}

bool crn_scratch_grow(crn_scratch *scratch, void **array, size_t *capacity, size_t need,
                      size_t element)
{
    size_t before = *capacity * element;
    if (need <= *capacity) return true;
    /* What doubling will come to must fit the limit before the context is asked. */
    size_t wanted = *capacity ? *capacity : 16;
    while (wanted < need) wanted = crn_mul_size(wanted, 2);
    size_t more = crn_mul_size(wanted, element) - before;
    if (!scratch_fits(scratch, more) ||
        !crn_grow(scratch->context, array, capacity, need, element)) {
        scratch_fail(scratch);
        return false;
    }
    scratch_book(scratch, *capacity * element, before);
    return true;
}

/* ---- hooks ---- */

void crn_log(const cairn_context *context, cairn_log_level level, const char *text)
{
    if (context->options.log) context->options.log(context->options.log_user, level, text);
}

#if defined(CAIRN_CHECKS)
void crn_check_failed(const cairn_context *context, const char *file, int line, const char *text)
{
    if (context && context->options.fail) {
        context->options.fail(context->options.fail_user, file, line, text);
    } else {
        abort();
    }
}
#endif
