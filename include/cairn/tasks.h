/* tasks.h: work that games do again and again, spread over frames.
 *
 * A thousand agents each look round four times a second. Done by all of them in the same frame,
 * that frame is slow and fourteen others have nothing to do. Here each task has a period, and runs
 * once in so many frames, in frames in which few others run.
 *
 *     cairn_tasks_create(context, &tasks);
 *     cairn_tasks_add(tasks, &(cairn_periodic){.period = 15, .run = look, .user = agent}, &task);
 *
 *     cairn_tasks_run(tasks, NULL);         once a frame
 *
 * The period is the agent's reaction time: whatever happens, its task runs at most so many frames
 * later. Tasks with a period of 1 run in every frame.
 *
 * How evenly? Of the tasks with the same period, any two frames run the same number, plus or minus
 * one, as long as none is removed; a new one takes a place that was left. If they cost different
 * amounts, a new one goes where those of its period cost least.
 *
 * Deterministic: the same calls run the same tasks in the same frames, in the same order. Nothing
 * may run in parallel on one object.
 */
#ifndef CAIRN_TASKS_H
#define CAIRN_TASKS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_tasks cairn_tasks;

#define CAIRN_NO_PERIODIC UINT32_MAX
#define CAIRN_PERIOD_MAX 65536u

/* Zero means default in every field; fill in `run`. */
typedef struct cairn_periodic {
    uint32_t period; /* frames, up to CAIRN_PERIOD_MAX; 0 = 1: every frame */
    uint32_t cost;   /* of one run, in units of your own; 0 = 1 */
    /* Called with `user` and the number of the task. It may add tasks, and remove any. */
    cairn_task *run;
    void *user;
} cairn_periodic;

/* What a frame did. */
typedef struct cairn_tasks_frame {
    uint32_t count; /* tasks that ran ... */
    uint64_t cost;  /* ... and what they cost together */
} cairn_tasks_frame;

CAIRN_API cairn_status cairn_tasks_create(cairn_context *context, cairn_tasks **out);

/* NULL is allowed. */
CAIRN_API void cairn_tasks_destroy(cairn_tasks *tasks);

/* Adds a task, with the number *out. It runs for the first time within its period: in this frame at
 * the earliest, if none runs now. Numbers of removed tasks are given again.
 * - CAIRN_INVALID: no function, or too long a period. CAIRN_OUT_OF_MEMORY: nothing has changed. */
CAIRN_API cairn_status cairn_tasks_add(cairn_tasks *tasks, const cairn_periodic *periodic,
                                       uint32_t *out);

/* Removes a task. CAIRN_INVALID: there is none with this number. */
CAIRN_API cairn_status cairn_tasks_remove(cairn_tasks *tasks, uint32_t task);

/* Runs the tasks of this frame, those with shorter periods first, then the older ones. Call it once
 * a frame. `frame` may be NULL. CAIRN_INVALID: from within a task. */
CAIRN_API cairn_status cairn_tasks_run(cairn_tasks *tasks, cairn_tasks_frame *frame);

/* Returns how many tasks there are. */
CAIRN_API uint32_t cairn_tasks_count(const cairn_tasks *tasks);

#ifdef __cplusplus
}
#endif
#endif
