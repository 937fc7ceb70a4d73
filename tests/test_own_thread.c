/* test_own_thread.c: a path service on a thread of its own, as examples/service_thread.c has it (T
 * 487): the thread of the game posts requests and edits under a lock of its own, and takes copies of
 * answers. Meanwhile it searches in another world of the same context, and frees what it took.
 * Under the thread sanitizer nothing may race; each request is answered once, and answers are those
 * that another algorithm finds in the world as it is when they are given.
 */
#include "scenes.h"
#include "support.h"

#include <pthread.h>

enum { SIDE = 48, UNITS = 12, ROOM = 32, FRAMES = 120, LEAST_FRAMES = 30, WORK = 300 };

typedef enum message_kind { MESSAGE_FIND, MESSAGE_FLIP } message_kind;
typedef struct message {
    message_kind kind;
    uint32_t unit;
    cairn_node from, to; /* `to` is the cell that opens or closes */
} message;

typedef struct mailbox {
    pthread_mutex_t mutex;
    pthread_cond_t filled, changed; /* told to the service, and to the game */
    message messages[ROOM];
    uint32_t message_count;
    cairn_owned_path answers[UNITS];
    bool waits[UNITS], done[UNITS];
    bool ends;
} mailbox;

typedef struct worker {
    mailbox box;
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_service *service;
    cairn_search *other; /* of another algorithm, for this thread */
    struct unit {
        struct worker *worker;
        cairn_node from, to;
        uint32_t number;
    } units[UNITS];
    uint32_t answers, outdated, wrong, edits;
} worker;

/* ---- the thread of the service ---- */

static bool worker_agrees(worker *w, const struct unit *unit, const cairn_path *path)
{
    const cairn_path *expected;
    cairn_query query = {.from = unit->from, .to = unit->to};
    if (path->status == CAIRN_STALE || path->version < cairn_grid_version(w->grid)) {
        w->outdated++;
        return !path->count || cairn_path_valid(w->space, path, NULL, NULL, NULL);
    }
    cairn_search_find(w->other, &query, &expected);
    return path->status == expected->status && path->cost == expected->cost;
}

static void worker_post(void *user, cairn_ticket ticket, const cairn_path *path)
{
    const struct unit *unit = user;
    worker *w = unit->worker;
    cairn_owned_path copy;
    (void)ticket;
    w->answers++;
    w->wrong += !worker_agrees(w, unit, path);
    w->wrong += cairn_path_copy(w->context, path, &copy) != CAIRN_OK;
    pthread_mutex_lock(&w->box.mutex);
    w->wrong += w->box.done[unit->number] || !w->box.waits[unit->number];
    w->box.answers[unit->number] = copy;
    w->box.done[unit->number] = true;
    pthread_cond_signal(&w->box.changed);
    pthread_mutex_unlock(&w->box.mutex);
}

static void worker_handle(worker *w, const message *m)
{
    cairn_ticket ticket;
    cairn_cell cell = cairn_grid_cell(w->grid, m->to);
    if (m->kind == MESSAGE_FLIP) {
        cairn_grid_set_open(w->grid, cell.x, cell.y, !cairn_grid_is_open(w->grid, cell.x, cell.y));
        w->edits++;
        return;
    }
    struct unit *unit = &w->units[m->unit];
    unit->from = m->from;
    unit->to = m->to;
    cairn_request request = {.from = m->from, .to = m->to, .answer = worker_post, .user = unit};
    w->wrong += cairn_service_request(w->service, &request, &ticket) != CAIRN_OK;
}

/* False = it is over. */
static bool worker_take(worker *w, bool idle)
{
    message messages[ROOM];
    mailbox *box = &w->box;
    pthread_mutex_lock(&box->mutex);
    while (idle && !box->message_count && !box->ends) pthread_cond_wait(&box->filled, &box->mutex);
    bool ends = box->ends;
    uint32_t count = box->message_count;
    memcpy(messages, box->messages, sizeof messages);
    box->message_count = 0;
    pthread_cond_signal(&box->changed);
    pthread_mutex_unlock(&box->mutex);
    for (uint32_t i = 0; i < count; i++) worker_handle(w, &messages[i]);
    return !ends;
}

static void *worker_serve(void *user)
{
    worker *w = user;
    cairn_frame frame = {0};
    while (worker_take(w, !frame.waiting && !frame.running)) {
        w->wrong += cairn_grid_commit(w->grid) != CAIRN_OK;
        frame = (cairn_frame){.work = WORK};
        w->wrong += cairn_service_update(w->service, &frame) != CAIRN_OK;
    }
    return NULL;
}

/* ---- the thread of the game ---- */

/* Waits if there is no room. */
static void game_send(mailbox *box, message m)
{
    pthread_mutex_lock(&box->mutex);
    while (box->message_count == ROOM) pthread_cond_wait(&box->changed, &box->mutex);
    box->messages[box->message_count++] = m;
    if (m.kind == MESSAGE_FIND) box->waits[m.unit] = true;
    pthread_cond_signal(&box->filled);
    pthread_mutex_unlock(&box->mutex);
}

/* Returns how many there were, and how many are still to come. */
static uint32_t game_take(mailbox *box, bool wait, uint32_t *waiting)
{
    uint32_t count = 0;
    cairn_owned_path taken[UNITS];
    pthread_mutex_lock(&box->mutex);
    for (;;) {
        *waiting = 0;
        for (uint32_t i = 0; i < UNITS; i++) {
            *waiting += box->waits[i] && !box->done[i];
            if (!box->done[i]) continue;
            taken[count++] = box->answers[i];
            box->waits[i] = box->done[i] = false;
        }
        if (!wait || count || !*waiting) break;
        pthread_cond_wait(&box->changed, &box->mutex);
    }
    pthread_mutex_unlock(&box->mutex);
    for (uint32_t i = 0; i < count; i++) cairn_path_free(&taken[i]);
    return count;
}

/* A search in a world of the game's own. */
static void game_search(cairn_search *search, scene_rng *rng)
{
    const cairn_path *path;
    cairn_query query = {.from = scene_random(rng, SIDE), .to = scene_random(rng, SIDE * SIDE)};
    cairn_search_find(search, &query, &path);
}

/* Asks for paths of some units that do not wait; returns of how many. */
static uint32_t game_ask(worker *w, scene_rng *rng, uint32_t one_in)
{
    uint32_t asked = 0;
    for (uint32_t i = 0; i < UNITS; i++) {
        message m = {.unit = i,
                     .from = scene_random(rng, SIDE * SIDE),
                     .to = scene_random(rng, SIDE * SIDE)};
        bool drawn = scene_random(rng, one_in) == 0;
        pthread_mutex_lock(&w->box.mutex);
        bool asks = drawn && !w->box.waits[i];
        pthread_mutex_unlock(&w->box.mutex);
        if (asks) game_send(&w->box, m);
        asked += asks;
    }
    return asked;
}

static uint32_t game_take_all(mailbox *box)
{
    uint32_t answered = 0, waiting;
    do answered += game_take(box, true, &waiting);
    while (waiting);
    return answered;
}

/* How many are asked for in the first frames depends on how fast the other thread is. At last no
 * edits come any more, and all units ask. */
static uint32_t game_play(worker *w, cairn_search *search, uint32_t frames)
{
    scene_rng rng = {487};
    uint32_t asked = 0, answered = 0, waiting;
    for (uint32_t frame = 0; frame < frames; frame++) {
        asked += game_ask(w, &rng, 3);
        game_send(&w->box, (message){.kind = MESSAGE_FLIP, .to = scene_random(&rng, SIDE * SIDE)});
        game_search(search, &rng);
        answered += game_take(&w->box, frame % 4 == 0, &waiting);
    }
    answered += game_take_all(&w->box);
    uint32_t last = game_ask(w, &rng, 1);
    assert_int_equal(last, UNITS);
    answered += game_take_all(&w->box);
    assert_int_equal(answered, asked + last);
    return asked + last;
}

static void a_service_on_a_thread_of_its_own_answers_all_requests(void **state)
{
    cairn_context *context;
    cairn_context_options options = cairn_context_defaults();
    cairn_grid *own;
    cairn_space *own_space;
    cairn_planner *planners[3];
    cairn_search *search;
    pthread_t thread;
    (void)state;
    options.workers = 2;
    CHECK_OK(cairn_context_create(&options, &context));
    worker w = {.context = context, .box = {.mutex = PTHREAD_MUTEX_INITIALIZER}};
    pthread_cond_init(&w.box.filled, NULL);
    pthread_cond_init(&w.box.changed, NULL);
    CHECK_OK(random_grid(context, SIDE, SIDE, 25, 1, &w.grid));
    CHECK_OK(cairn_space_of_grid(w.grid, NULL, &w.space, NULL));
    CHECK_OK(random_grid(context, SIDE, SIDE, 25, 2, &own));
    CHECK_OK(cairn_space_of_grid(own, NULL, &own_space, NULL));
    CHECK_OK(cairn_planner_create(w.space, "astar", &planners[0], NULL));
    CHECK_OK(cairn_planner_create(w.space, "dijkstra", &planners[1], NULL));
    CHECK_OK(cairn_planner_create(own_space, "jps", &planners[2], NULL));
    CHECK_OK(cairn_search_create(planners[1], NULL, &w.other));
    CHECK_OK(cairn_search_create(planners[2], NULL, &search));
    CHECK_OK(cairn_service_create(context, NULL, &w.service));
    CHECK_OK(cairn_service_add(w.service, planners[0], NULL, &(uint32_t){0}));
    for (uint32_t i = 0; i < UNITS; i++) w.units[i] = (struct unit){.worker = &w, .number = i};

    assert_int_equal(pthread_create(&thread, NULL, worker_serve, &w), 0);
    uint32_t frames = test_times(FRAMES, LEAST_FRAMES), asked = game_play(&w, search, frames);
    pthread_mutex_lock(&w.box.mutex);
    w.box.ends = true;
    pthread_cond_signal(&w.box.filled);
    pthread_mutex_unlock(&w.box.mutex);
    pthread_join(thread, NULL);
    assert_int_equal(w.wrong, 0);
    assert_int_equal(w.answers, asked);
    assert_int_equal(w.edits, frames);
    assert_true(asked >= 2 * UNITS && asked - w.outdated >= UNITS);

    cairn_service_destroy(w.service);
    cairn_search_destroy(w.other);
    cairn_search_destroy(search);
    for (int i = 0; i < 3; i++) cairn_planner_destroy(planners[i]);
    cairn_space_destroy(w.space);
    cairn_space_destroy(own_space);
    cairn_grid_destroy(w.grid);
    cairn_grid_destroy(own);
    pthread_cond_destroy(&w.box.filled);
    pthread_cond_destroy(&w.box.changed);
    pthread_mutex_destroy(&w.box.mutex);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_service_on_a_thread_of_its_own_answers_all_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
