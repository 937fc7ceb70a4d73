/* test_tasks.c: periodic tasks: once in every period, evenly spread, the same in every run. */
#include "scenes.h"
#include "support.h"

enum { MANY = 1000 };

typedef struct worker {
    cairn_tasks *tasks;
    uint32_t period, cost, number;
    uint64_t last, frame; /* when it ran; the present one */
    uint32_t runs, victim, more;
} worker;

static void worker_run(void *user, uint32_t task)
{
    worker *w = user;
    assert_int_equal(task, w->number);
    assert_true(w->last == UINT64_MAX ? w->frame < w->period : w->frame - w->last == w->period);
    w->last = w->frame;
    w->runs++;
}

static worker worker_of(cairn_tasks *tasks, uint32_t period, uint32_t cost)
{
    return (worker){.tasks = tasks,
                    .period = period,
                    .cost = cost,
                    .last = UINT64_MAX,
                    .victim = CAIRN_NO_PERIODIC};
}

static void worker_add(worker *w)
{
    cairn_periodic periodic = {.period = w->period, .cost = w->cost, .run = worker_run, .user = w};
    CHECK_OK(cairn_tasks_add(w->tasks, &periodic, &w->number));
}

static cairn_tasks_frame run(cairn_tasks *tasks, worker *workers, uint32_t count, uint64_t frame)
{
    cairn_tasks_frame done;
    for (uint32_t i = 0; i < count; i++) workers[i].frame = frame;
    CHECK_OK(cairn_tasks_run(tasks, &done));
    return done;
}

static void tasks_are_spread_evenly(void **state)
{
    cairn_tasks *tasks;
    static worker workers[MANY];
    static const uint32_t periods[] = {15, 1, 60, 7};
    uint32_t least = 0, most = 0;
    CHECK_OK(cairn_tasks_create(*state, &tasks));
    for (uint32_t i = 0; i < MANY; i++) {
        workers[i] = worker_of(tasks, i % 50 == 1 ? 1 : periods[i % 4 == 1 ? 0 : i % 4], 0);
        worker_add(&workers[i]);
    }
    for (uint32_t p = 0; p < 4; p++) { /* what each period must bring to a frame */
        uint32_t count = 0;
        for (uint32_t i = 0; i < MANY; i++) count += workers[i].period == periods[p];
        least += count / periods[p];
        most += (count + periods[p] - 1) / periods[p];
    }
    for (uint64_t frame = 0; frame < 200; frame++) {
        cairn_tasks_frame done = run(tasks, workers, MANY, frame);
        assert_true(done.count >= least && done.count <= most && done.cost == done.count);
    }
    for (uint32_t i = 0; i < MANY; i++) assert_true(workers[i].runs >= 200 / workers[i].period);
    assert_int_equal(cairn_tasks_count(tasks), MANY);
    cairn_tasks_destroy(tasks);
}

static void a_new_task_runs_as_soon_as_may_be(void **state)
{
    cairn_tasks *tasks;
    static worker workers[20];
    CHECK_OK(cairn_tasks_create(*state, &tasks));
    for (uint64_t frame = 0; frame < 20; frame++) {
        workers[frame] = worker_of(tasks, 20, 0);
        worker_add(&workers[frame]);
        assert_int_equal(run(tasks, workers, (uint32_t)frame + 1, frame).count, 1);
        assert_int_equal(workers[frame].runs, 1);
    }
    cairn_tasks_destroy(tasks);
}

/* Of different costs, frames differ by no more than the dearest. */
static void costs_are_spread_evenly(void **state)
{
    cairn_tasks *tasks;
    static worker workers[200];
    scene_rng rng = {3};
    uint64_t least = UINT64_MAX, most = 0;
    CHECK_OK(cairn_tasks_create(*state, &tasks));
    for (uint32_t i = 0; i < 200; i++) {
        workers[i] = worker_of(tasks, 12, 1 + scene_random(&rng, 9));
        worker_add(&workers[i]);
    }
    for (uint64_t frame = 0; frame < 24; frame++) {
        uint64_t cost = run(tasks, workers, 200, frame).cost;
        if (cost < least) least = cost;
        if (cost > most) most = cost;
    }
    CHECK(most - least <= 9, "%u to %u", (unsigned)least, (unsigned)most);
    cairn_tasks_destroy(tasks);
}

static void removed_tasks_leave_room(void **state)
{
    cairn_tasks *tasks;
    static worker workers[100];
    CHECK_OK(cairn_tasks_create(*state, &tasks));
    for (uint32_t i = 0; i < 100; i++) {
        workers[i] = worker_of(tasks, 10, 0);
        worker_add(&workers[i]);
    }
    for (uint64_t frame = 0; frame < 5; frame++) run(tasks, workers, 100, frame);
    for (uint32_t i = 3; i < 100; i += 10) CHECK_OK(cairn_tasks_remove(tasks, workers[i].number));
    CHECK_STATUS(cairn_tasks_remove(tasks, workers[3].number), CAIRN_INVALID);
    assert_int_equal(cairn_tasks_count(tasks), 90);
    for (uint32_t i = 3; i < 100; i += 10) {
        workers[i] = worker_of(tasks, 10, 0);
        worker_add(&workers[i]);
        workers[i].last = UINT64_MAX;
    }
    for (uint32_t i = 3; i < 100; i += 10) workers[i].period = 15; /* frame 5 to 14 */
    for (uint64_t frame = 5; frame < 15; frame++)
        assert_int_equal(run(tasks, workers, 100, frame).count, 10);
    cairn_tasks_destroy(tasks);
}

/* A task that adds others and removes itself or the next one. */
static void worker_change(void *user, uint32_t task)
{
    worker *w = user;
    w->runs++;
    CHECK_STATUS(cairn_tasks_run(w->tasks, NULL), CAIRN_INVALID);
    if (w->victim != CAIRN_NO_PERIODIC) CHECK_OK(cairn_tasks_remove(w->tasks, w->victim));
    w->victim = CAIRN_NO_PERIODIC;
    cairn_periodic periodic = {.run = worker_change, .user = w + 1};
    for (; w->more; w->more--) {
        uint32_t number;
        CHECK_OK(cairn_tasks_add(w->tasks, &periodic, &number));
    }
    (void)task;
}

static void tasks_may_add_and_remove_tasks(void **state)
{
    cairn_tasks *tasks;
    CHECK_OK(cairn_tasks_create(*state, &tasks));
    worker workers[4];
    for (uint32_t i = 0; i < 4; i++) workers[i] = worker_of(tasks, 1, 0);
    for (uint32_t i = 0; i < 3; i++) {
        cairn_periodic periodic = {.run = worker_change, .user = &workers[i == 2 ? 3 : i]};
        CHECK_OK(cairn_tasks_add(tasks, &periodic, &workers[i].number));
    }
    workers[0].victim = workers[1].number; /* it does not run any more */
    workers[3].victim = workers[2].number; /* itself */
    workers[0].more = 100;                 /* those run from the next frame on, as workers[1] */
    cairn_tasks_frame done;
    CHECK_OK(cairn_tasks_run(tasks, &done));
    assert_int_equal(done.count, 2);
    assert_true(workers[0].runs == 1 && workers[1].runs == 0 && workers[3].runs == 1);
    CHECK_OK(cairn_tasks_run(tasks, &done));
    assert_int_equal(done.count, 101);
    assert_int_equal(workers[1].runs, 100);
    cairn_tasks_destroy(tasks);
}

static void worker_tell(void *user, uint32_t task)
{
    uint64_t *hash = user;
    *hash = *hash * 31 + task;
}

static uint64_t random_life(cairn_context *context, uint64_t seed)
{
    cairn_tasks *tasks;
    scene_rng rng = {seed};
    uint32_t numbers[60];
    uint64_t hash = 1;
    for (uint32_t i = 0; i < 60; i++) numbers[i] = CAIRN_NO_PERIODIC;
    CHECK_OK(cairn_tasks_create(context, &tasks));
    for (uint32_t frame = 0; frame < 300; frame++) {
        uint32_t *number = &numbers[scene_random(&rng, 60)];
        cairn_tasks_frame done;
        cairn_periodic periodic = {
            .period = scene_random(&rng, 20), .run = worker_tell, .user = &hash};
        if (*number != CAIRN_NO_PERIODIC) {
            CHECK_OK(cairn_tasks_remove(tasks, *number));
            *number = CAIRN_NO_PERIODIC;
        } else {
            CHECK_OK(cairn_tasks_add(tasks, &periodic, number));
        }
        CHECK_OK(cairn_tasks_run(tasks, &done));
        hash = hash * 31 + done.count;
    }
    cairn_tasks_destroy(tasks);
    return hash;
}

static void the_same_calls_run_the_same_tasks(void **state)
{
    for (uint64_t seed = 1; seed < 10; seed++)
        assert_true(random_life(*state, seed) == random_life(*state, seed));
}

static void wrong_calls_and_no_memory_are_refused(void **state)
{
    (void)state;
    cairn_tasks *tasks;
    uint32_t number;
    worker w = worker_of(NULL, 1, 0);
    cairn_periodic periodic = {.run = worker_run, .user = &w, .period = CAIRN_PERIOD_MAX + 1};
    for (uint64_t fail_at = 1, done = 0; !done; fail_at++) {
        watched hook = {0};
        cairn_context *context;
        CHECK_OK(watched_context(&hook, &context));
        hook.fail_at = hook.calls + fail_at;
        if (cairn_tasks_create(context, &tasks) == CAIRN_OK) {
            periodic.period = CAIRN_PERIOD_MAX + 1;
            CHECK_STATUS(cairn_tasks_add(tasks, &periodic, &number), CAIRN_INVALID);
            CHECK_STATUS(cairn_tasks_add(tasks, &(cairn_periodic){0}, &number), CAIRN_INVALID);
            uint32_t added = 0;
            for (uint32_t i = 0; i < 40; i++) {
                periodic.period = 100 + i;
                cairn_status status = cairn_tasks_add(tasks, &periodic, &number);
                assert_true(status == CAIRN_OK ||
                            (status == CAIRN_OUT_OF_MEMORY && number == CAIRN_NO_PERIODIC));
                added += status == CAIRN_OK;
            }
            assert_int_equal(cairn_tasks_count(tasks), added);
            CHECK_STATUS(cairn_tasks_remove(tasks, 40), CAIRN_INVALID);
            cairn_tasks_destroy(tasks);
        }
        done = !hook.failures;
        cairn_context_destroy(context);
        assert_true(!hook.blocks && !hook.wrong_size);
    }
    CHECK_STATUS(cairn_tasks_run(NULL, NULL), CAIRN_INVALID);
    cairn_tasks_destroy(NULL);
}

#define with_context(test) cmocka_unit_test_setup_teardown(test, context_set_up, context_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_context(tasks_are_spread_evenly),
        with_context(a_new_task_runs_as_soon_as_may_be),
        with_context(costs_are_spread_evenly),
        with_context(removed_tasks_leave_room),
        with_context(tasks_may_add_and_remove_tasks),
        with_context(the_same_calls_run_the_same_tasks),
        cmocka_unit_test(wrong_calls_and_no_memory_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
