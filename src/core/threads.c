/* threads.c: the worker pool behind cairn_parallel_for.
 *
 * Workers sleep until a batch of tasks is there, take indices from a shared counter until none is
 * left, and the last one wakes the caller. Which worker runs which index is not determined; results
 * must not depend on it. No thread is started unless a context asks for workers. With
 * CAIRN_NO_THREADS (WebAssembly) there is no pool and work runs on the caller.
 */
#include "core/core.h"

#if defined(CAIRN_NO_THREADS)

cairn_status crn_pool_create(cairn_context *context, uint32_t workers, crn_pool **out)
{
    (void)context;
    (void)workers;
    *out = NULL;
    return CAIRN_OK;
}

void crn_pool_destroy(cairn_context *context, crn_pool *pool)
{
    (void)context;
    (void)pool;
}

void crn_pool_run(crn_pool *pool, uint32_t count, cairn_task *task, void *user)
{
    (void)pool;
    for (uint32_t i = 0; i < count; i++) task(user, i);
}

crn_thread *crn_thread_start(cairn_context *context, void (*run)(void *user), void *user)
{
    (void)context;
    (void)run;
    (void)user;
    return NULL;
}

bool crn_thread_ended(crn_thread *thread)
{
    (void)thread;
    return true;
}

void crn_thread_join(cairn_context *context, crn_thread *thread)
{
    (void)context;
    (void)thread;
}

#else

#include <pthread.h>
#include <stdatomic.h>

struct crn_pool {
    pthread_mutex_t mutex;
    pthread_cond_t wake; /* to the workers: a new batch, or the end */
    pthread_cond_t done; /* to the caller: all workers are back */
    uint32_t started;    /* threads that exist */
    uint32_t capacity;
    uint32_t busy;
    uint64_t batch;
    bool quit;
    atomic_uint next;
    uint32_t count;
    cairn_task *task;
    void *user;
    pthread_t threads[];
};

static void *pool_worker(void *argument)
{
    crn_pool *pool = argument;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (!pool->quit && pool->batch == seen) pthread_cond_wait(&pool->wake, &pool->mutex);
        if (pool->quit) break;
        seen = pool->batch;
        pthread_mutex_unlock(&pool->mutex);
        for (uint32_t i; (i = atomic_fetch_add(&pool->next, 1)) < pool->count;)
            pool->task(pool->user, i);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->busy == 0) pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static size_t pool_size(uint32_t workers)
{
    return sizeof(crn_pool) + workers * sizeof(pthread_t);
}

cairn_status crn_pool_create(cairn_context *context, uint32_t workers, crn_pool **out)
{
    *out = NULL;
    crn_pool *pool = crn_alloc_zero(context, pool_size(workers));
    if (!pool) return CAIRN_OUT_OF_MEMORY;
    pool->capacity = workers;
    atomic_init(&pool->next, 0);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    while (pool->started < workers) {
        if (pthread_create(&pool->threads[pool->started], NULL, pool_worker, pool) != 0) {
            crn_pool_destroy(context, pool);
            return CAIRN_OUT_OF_MEMORY;
        }
        pool->started++;
    }
    *out = pool;
    return CAIRN_OK;
}

void crn_pool_destroy(cairn_context *context, crn_pool *pool)
{
    if (!pool) return;
    pthread_mutex_lock(&pool->mutex);
    pool->quit = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->started; i++) pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
    crn_free(context, pool, pool_size(pool->capacity));
}

void crn_pool_run(crn_pool *pool, uint32_t count, cairn_task *task, void *user)
{
    pthread_mutex_lock(&pool->mutex);
    pool->task = task;
    pool->user = user;
    pool->count = count;
    atomic_store(&pool->next, 0);
    pool->busy = pool->started;
    pool->batch++;
    pthread_cond_broadcast(&pool->wake);
    while (pool->busy) pthread_cond_wait(&pool->done, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

/* ---- a thread of its own ---- */

struct crn_thread {
    pthread_t thread;
    void (*run)(void *user);
    void *user;
    atomic_bool ended;
};

static void *thread_run(void *argument)
{
    crn_thread *thread = argument;
    thread->run(thread->user);
    atomic_store(&thread->ended, true);
    return NULL;
}

crn_thread *crn_thread_start(cairn_context *context, void (*run)(void *user), void *user)
{
    if (!crn_context_has_workers(context)) return NULL;
    crn_thread *thread = crn_alloc_zero(context, sizeof *thread);
    if (!thread) return NULL;
    thread->run = run;
    thread->user = user;
    atomic_init(&thread->ended, false);
    if (pthread_create(&thread->thread, NULL, thread_run, thread) == 0) return thread;
    crn_free(context, thread, sizeof *thread);
    return NULL;
}

bool crn_thread_ended(crn_thread *thread)
{
    return atomic_load(&thread->ended);
}

void crn_thread_join(cairn_context *context, crn_thread *thread)
{
    pthread_join(thread->thread, NULL);
    crn_free(context, thread, sizeof *thread);
}

#endif
