/* test_threads.c: any number of searches may share a planner, a space and a world. Eight
 * threads ask the same questions as one and must give the same bytes; under the thread
 * sanitizer nothing may race.
 */
#include "hierarchies.h"
#include "scenes.h"
#include "support.h"

#include <pthread.h>

enum { THREADS = 8, QUESTIONS = 60 };

/* Everything the threads share, and what one thread alone answered. */
typedef struct exam {
    cairn_planner *planner;
    uint32_t count; /* of questions */
    cairn_query queries[QUESTIONS];
    answer expected[QUESTIONS];
} exam;

typedef struct pupil {
    const exam *exam;
    cairn_status made;
    uint32_t index, wrong;
} pupil;

/* Each begins at another question and slices the odd ones. */
static void *pupil_write(void *argument)
{
    pupil *p = argument;
    cairn_search *search = NULL;
    p->made = cairn_search_create(p->exam->planner, NULL, &search);
    for (uint32_t i = 0; p->made == CAIRN_OK && i < p->exam->count; i++) {
        uint32_t q = (i + p->index * 7) % p->exam->count;
        const cairn_path *path;
        cairn_status status = CAIRN_RUNNING;
        if (i % 2) {
            status = cairn_search_begin(search, &p->exam->queries[q]);
            while (status == CAIRN_RUNNING) status = cairn_search_step(search, 50 + p->index);
        } else {
            status = cairn_search_find(search, &p->exam->queries[q], NULL);
        }
        cairn_search_result(search, &path);
        answer a = answer_of(search, path);
        const answer *e = &p->exam->expected[q];
        if (status != e->path.status || !answer_same_path(&a, e) || !answer_same_metrics(&a, e))
            p->wrong++;
        answer_free(&a);
    }
    cairn_search_destroy(search);
    return NULL;
}

static void hold_exam(exam *x, const char *name)
{
    cairn_search *search;
    CHECK_OK(cairn_search_create(x->planner, NULL, &search));
    for (uint32_t q = 0; q < x->count; q++) x->expected[q] = answer_find(search, &x->queries[q]);
    cairn_search_destroy(search);
    pthread_t threads[THREADS];
    pupil pupils[THREADS];
    for (uint32_t t = 0; t < THREADS; t++) {
        pupils[t] = (pupil){.exam = x, .index = t};
        assert_int_equal(pthread_create(&threads[t], NULL, pupil_write, &pupils[t]), 0);
    }
    for (uint32_t t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
    for (uint32_t t = 0; t < THREADS; t++) {
        CHECK(pupils[t].made == CAIRN_OK && !pupils[t].wrong, "%s: thread %u: %u wrong answers",
              name, t, pupils[t].wrong);
    }
    for (uint32_t q = 0; q < x->count; q++) answer_free(&x->expected[q]);
}

static void exam_on_scene(const char *scene_name)
{
    scene *s = scene_named(scene_name);
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(cairn_context_create(NULL, &context));
    CHECK_OK(scene_grid(s, context, &grid));
    CHECK_OK(cairn_space_of_grid(grid, &s->profile, &space, NULL));
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        exam x = {.count = test_times(QUESTIONS, 8)};
        const char *name = cairn_algorithm_at(i)->name;
        if (planner_ready(space, name, &x.planner, NULL) != CAIRN_OK) continue;
        scene_rng rng = {i + 1};
        for (uint32_t q = 0; q < x.count; q++) {
            x.queries[q] = (cairn_query){.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
        }
        hold_exam(&x, name);
        cairn_planner_destroy(x.planner);
    }
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    scene_destroy(s);
}

static void eight_threads_share_a_planner_on_a_grid(void **state)
{
    (void)state;
    exam_on_scene("rooms");
    exam_on_scene("everything");
}

static void eight_threads_share_a_planner_on_a_graph(void **state)
{
    (void)state;
    graph_scene *s = graph_scene_at(3);
    cairn_context *context;
    cairn_graph *graph;
    cairn_space *space;
    CHECK_OK(cairn_context_create(NULL, &context));
    CHECK_OK(graph_scene_graph(s, context, &graph));
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        exam x = {.count = test_times(QUESTIONS, 8)};
        const char *name = cairn_algorithm_at(i)->name;
        if (planner_ready(space, name, &x.planner, NULL) != CAIRN_OK) continue;
        scene_rng rng = {i + 1};
        for (uint32_t q = 0; q < x.count; q++) {
            x.queries[q] = (cairn_query){.from = scene_random(&rng, s->node_count),
                                         .to = scene_random(&rng, s->node_count)};
        }
        hold_exam(&x, name);
        cairn_planner_destroy(x.planner);
    }
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);
    cairn_context_destroy(context);
    graph_scene_destroy(s);
}

/* ---- planners of one space that come and go ---- */

typedef struct guest {
    cairn_space *space;
    pthread_mutex_t *door; /* one at a time creates a planner */
    cairn_query query;
    cairn_status statuses[64];
} guest;

static void *guest_run(void *argument)
{
    guest *g = argument;
    for (uint32_t i = 0; i < cairn_algorithm_count() && i < LENGTH(g->statuses); i++) {
        cairn_planner *planner;
        cairn_search *search;
        const cairn_path *path;
        pthread_mutex_lock(g->door);
        g->statuses[i] = planner_ready(g->space, cairn_algorithm_at(i)->name, &planner, NULL);
        pthread_mutex_unlock(g->door);
        if (g->statuses[i] != CAIRN_OK) continue;
        g->statuses[i] = cairn_search_create(planner, NULL, &search);
        if (g->statuses[i] == CAIRN_OK) {
            g->statuses[i] = cairn_search_find(search, &g->query, &path);
            cairn_search_destroy(search);
        }
        cairn_planner_destroy(planner);
    }
    return NULL;
}

static void planners_come_and_go(void **state)
{
    (void)state;
    scene *s = scene_rooms("rooms", 60, 60, 7, 1);
    kit k = kit_of_scene(s, &s->profile);
    pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
    guest guests[4];
    pthread_t threads[LENGTH(guests)];
    for (uint32_t i = 0; i < LENGTH(guests); i++) {
        guests[i] = (guest){.space = k.space, .door = &door, .query = {.from = 61}};
        while (!cairn_space_usable(k.space, guests[i].query.from)) guests[i].query.from++;
        guests[i].query.to = guests[i].query.from;
        assert_int_equal(pthread_create(&threads[i], NULL, guest_run, &guests[i]), 0);
    }
    for (uint32_t i = 0; i < LENGTH(guests); i++) {
        pthread_join(threads[i], NULL);
        for (uint32_t a = 0; a < cairn_algorithm_count() && a < LENGTH(guests[i].statuses); a++)
            assert_int_equal(guests[i].statuses[a], guests[0].statuses[a]);
    }
    assert_int_equal(guests[0].statuses[0], CAIRN_FOUND);
    kit_end(&k, s);
}

/* ---- cancelling from outside ---- */

typedef struct canceller {
    cairn_search *search;
    cairn_query query;
    cairn_status status;
} canceller;

static void *canceller_run(void *argument)
{
    canceller *c = argument;
    c->status = cairn_search_begin(c->search, &c->query);
    while (c->status == CAIRN_RUNNING) c->status = cairn_search_step(c->search, 10);
    return NULL;
}

static void a_search_can_be_cancelled_from_another_thread(void **state)
{
    (void)state;
    scene *s = scene_noise("large", 400, 400, 10, 3);
    s->open[0] = s->open[400 * 400 - 1] = 1;
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    CHECK_OK(cairn_context_create(NULL, &context));
    CHECK_OK(scene_grid(s, context, &grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    CHECK_OK(planner_ready(space, "dijkstra", &planner, NULL));
    for (uint32_t round = 0; round < 5; round++) {
        canceller c = {.query = {.from = 0, .to = 400 * 400 - 1}};
        CHECK_OK(cairn_search_create(planner, NULL, &c.search));
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, canceller_run, &c), 0);
        cairn_search_cancel(c.search);
        pthread_join(thread, NULL);
        /* Too early or too late are fine; anything else is not. */
        assert_true(c.status == CAIRN_CANCELLED || c.status == CAIRN_FOUND ||
                    c.status == CAIRN_UNREACHABLE);
        cairn_search_destroy(c.search);
    }
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_threads_share_a_planner_on_a_grid),
        cmocka_unit_test(eight_threads_share_a_planner_on_a_graph),
        cmocka_unit_test(planners_come_and_go),
        cmocka_unit_test(a_search_can_be_cancelled_from_another_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
