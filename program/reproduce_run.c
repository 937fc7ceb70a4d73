/* reproduce_run.c: all parts of all tables, on as many threads as wanted (see reproduce.h).
 *
 * A thread that is free takes the next part. A part has a context, a map and planners of its own,
 * so its numbers do not depend on who else is at work; only times do, and those are compared within
 * a part. What is done is written to the journal at once. The first Ctrl-C (or a request to end)
 * lets the parts at work go, after the problem at hand; what is done stays.
 */
#define _POSIX_C_SOURCE 200809L
#include "reproduce.h"

#include "progress.h"
#include "world.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { RUN_REPEATS = 3, RUN_PART = 1000 /* of the progress */ };

static atomic_int run_signal; /* lock-free: may be set by a handler */

static void run_on_signal(int number)
{
    atomic_store(&run_signal, number);
    signal(number, SIG_DFL); /* the second one ends at once */
}

/* Who was started without regard to a signal, in the background, stays so. */
static void run_heed(int number)
{
    if (signal(number, SIG_IGN) != SIG_IGN) signal(number, run_on_signal);
}

int reproduce_ending(void)
{
    return atomic_load(&run_signal);
}

/* Of many problems only means are told, which need no medians. */
uint32_t reproduce_repeats(const reproduce_job *job)
{
    uint32_t asked = job->run->options->repeat;
    return asked ? asked : job->part->set ? 1 : RUN_REPEATS;
}

double reproduce_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

typedef struct run_work {
    reproduce_run *run;
    uint32_t *todo;
    uint32_t count;
    atomic_uint next, done;
    atomic_bool failed;
    progress progress;
} run_work;

static void run_advance(reproduce_job *job, uint32_t to)
{
    run_work *work = job->work;
    uint32_t more = to > job->told ? to - job->told : 0;
    job->told += more;
    progress_at(&work->progress, atomic_fetch_add(&work->done, more) + more);
}

void reproduce_advance(reproduce_job *job, double part)
{
    run_advance(job, (uint32_t)(part * (RUN_PART - 1)));
}

static bool run_part(run_work *work, reproduce_part *part)
{
    reproduce_run *run = work->run;
    uint32_t table = reproduce_table_number(part->table);
    reproduce_job job = {.run = run,
                         .part = part,
                         .series = run->series[table],
                         .series_count = run->series_count[table],
                         .work = work,
                         /* Only what is rebuilt in the background needs a thread. */
                         .context = world_context(part->table->run == reproduce_edit ? 2 : 1)};
    if (!job.context) return false;
    bool ok = reproduce_fingerprint(run, part, &job.fingerprint) && reproduce_open(&job) &&
              part->table->run(&job);
    reproduce_close(&job);
    cairn_context_destroy(job.context);
    part->done = ok && journal_write(run, part, job.fingerprint);
    run_advance(&job, RUN_PART);
    return part->done;
}

static void run_task(void *user, uint32_t index)
{
    (void)index;
    run_work *work = user;
    for (uint32_t i; (i = atomic_fetch_add(&work->next, 1)) < work->count;) {
        if (reproduce_ending() || atomic_load(&work->failed)) return;
        if (!run_part(work, &work->run->parts[work->todo[i]]) && !reproduce_ending())
            atomic_store(&work->failed, true);
    }
}

static void run_all(run_work *work)
{
    uint32_t threads = work->run->options->threads;
    cairn_context *context = world_context(threads);
    if (!context) {
        atomic_store(&work->failed, true);
        return;
    }
    progress_begin(&work->progress, "maps", (uint64_t)work->count * RUN_PART);
    run_heed(SIGINT);
    run_heed(SIGTERM);
    cairn_parallel_for(context, threads, run_task, work);
    progress_end(&work->progress);
    cairn_context_destroy(context);
}

int reproduce_measure(reproduce_run *run)
{
    run_work work = {.run = run, .todo = malloc((run->part_count + 1u) * sizeof(uint32_t))};
    if (!work.todo) return complain("there is not enough memory to begin"), END_DATA;
    for (uint32_t i = 0; i < run->part_count; i++)
        if (!run->parts[i].done) work.todo[work.count++] = i;
    if (work.count) run_all(&work);
    bool failed = atomic_load(&work.failed);
    free(work.todo);
    return failed ? END_DATA : END_OK;
}
