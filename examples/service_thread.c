/* service_thread.c: a path service on a thread of its own. The thread of the game never waits for a
 * path: it leaves requests and edits in a mailbox, and takes answers out of it in a later frame.
 *
 * A mutex guards the mailbox, and nothing else. World, planner and service belong to the other
 * thread, and nobody else calls them. So an edit is a message, too, and an answer is a copy.
 */
#define _POSIX_C_SOURCE 200809L
#include <cairn/cairn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { UNITS = 3, ROOM = 16, STEPS = 64 };

static const char map[] = "................\n"
                          ".#######.######.\n"
                          ".......#.#......\n"
                          ".......#.#......\n"
                          ".......#.#......\n"
                          "................\n";

/* What the game wants: a path for a unit, or that a cell opens or closes. */
typedef struct message {
    enum { FIND, OPEN, CLOSE } what;
    int unit;
    cairn_cell from, to; /* of a path; `to` is the cell that opens or closes */
} message;

/* If a path has more steps, its unit asks again when it has made these. */
typedef struct answer {
    cairn_status status;
    uint32_t count;
    cairn_node steps[STEPS];
} answer;

typedef struct mailbox {
    pthread_mutex_t mutex;
    pthread_cond_t filled;
    message messages[ROOM];
    int message_count;
    answer answers[UNITS];
    bool answered[UNITS]; /* a unit has one request at a time, so there is always room */
    bool ends;
} mailbox;

/* ---- the thread of the service ---- */

typedef struct worker {
    mailbox *box;
    cairn_grid *grid;
    cairn_space *space;
    cairn_service *service;
    uint32_t kind;
    struct unit {
        struct worker *worker;
        int number;
    } units[UNITS];
} worker;

/* Called by cairn_service_update, on this thread. */
static void post(void *user, cairn_ticket ticket, const cairn_path *path)
{
    const struct unit *unit = user;
    mailbox *box = unit->worker->box;
    answer *a = &box->answers[unit->number];
    (void)ticket;
    pthread_mutex_lock(&box->mutex);
    a->status = path->status;
    a->count = cairn_path_cells(unit->worker->space, path, 1, a->steps, STEPS);
    box->answered[unit->number] = true;
    pthread_mutex_unlock(&box->mutex);
}

static void handle(worker *w, const message *m)
{
    cairn_ticket ticket;
    cairn_request request = {.planner = w->kind,
                             .from = cairn_grid_node(w->grid, m->from.x, m->from.y),
                             .to = cairn_grid_node(w->grid, m->to.x, m->to.y),
                             .answer = post,
                             .user = &w->units[m->unit]};
    if (m->what != FIND) {
        cairn_grid_set_open(w->grid, m->to.x, m->to.y, m->what == OPEN);
        return;
    }
    cairn_path none = {.status = cairn_service_request(w->service, &request, &ticket)};
    if (none.status != CAIRN_OK) post(request.user, CAIRN_NO_TICKET, &none);
}

/* Takes what is there; waits for it if there is nothing else to do. False = it is over. */
static bool take_messages(worker *w, bool idle)
{
    message messages[ROOM];
    mailbox *box = w->box;
    pthread_mutex_lock(&box->mutex);
    while (idle && !box->message_count && !box->ends) pthread_cond_wait(&box->filled, &box->mutex);
    bool ends = box->ends;
    int count = box->message_count;
    memcpy(messages, box->messages, sizeof messages);
    box->message_count = 0;
    pthread_mutex_unlock(&box->mutex);
    for (int i = 0; i < count; i++) handle(w, &messages[i]);
    return !ends;
}

static void *serve(void *user)
{
    worker *w = user;
    cairn_frame frame = {0};
    while (take_messages(w, !frame.waiting && !frame.running)) {
        cairn_grid_commit(w->grid); /* between two updates */
        frame = (cairn_frame){.work = 1000};
        cairn_service_update(w->service, &frame);
    }
    return NULL;
}

/* ---- the thread of the game ---- */

/* False = the mailbox is full: try again in the next frame. */
static bool send_message(mailbox *box, message m)
{
    pthread_mutex_lock(&box->mutex);
    bool room = box->message_count < ROOM;
    if (room) box->messages[box->message_count++] = m;
    pthread_cond_signal(&box->filled);
    pthread_mutex_unlock(&box->mutex);
    return room;
}

static bool take_answer(mailbox *box, int unit, answer *out)
{
    pthread_mutex_lock(&box->mutex);
    bool answered = box->answered[unit];
    if (answered) *out = box->answers[unit];
    box->answered[unit] = false;
    pthread_mutex_unlock(&box->mutex);
    return answered;
}

/* All units are sent to the same place, and the frames go on until all have answers. */
static void play(mailbox *box, cairn_cell to)
{
    static const cairn_cell places[UNITS] = {{0, 2}, {8, 0}, {15, 5}};
    answer answers[UNITS];
    bool has_path[UNITS] = {false};
    for (int i = 0; i < UNITS; i++)
        send_message(box, (message){.what = FIND, .unit = i, .from = places[i], .to = to});
    for (int known = 0; known < UNITS;) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); /* the rest of the frame */
        for (int i = 0; i < UNITS; i++) {
            if (has_path[i] || !take_answer(box, i, &answers[i])) continue;
            has_path[i] = true;
            known++;
        }
    }
    for (int i = 0; i < UNITS; i++)
        printf("  unit %d: %s, %u steps\n", i, cairn_result_text(answers[i].status),
               (unsigned)answers[i].count);
}

int main(void)
{
    mailbox box = {.mutex = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER};
    worker w = {.box = &box};
    cairn_context *context;
    cairn_planner *planner;
    pthread_t thread;
    cairn_context_create(NULL, &context);
    cairn_grid_from_text(context, map, strlen(map), &w.grid, NULL);
    cairn_space_of_grid(w.grid, NULL, &w.space, NULL);
    cairn_planner_create(w.space, "astar", &planner, NULL);
    cairn_service_create(context, NULL, &w.service);
    cairn_service_add(w.service, planner, NULL, &w.kind);
    for (int i = 0; i < UNITS; i++) w.units[i] = (struct unit){&w, i};
    if (pthread_create(&thread, NULL, serve, &w)) return 1;

    printf("to the middle:\n");
    play(&box, (cairn_cell){8, 5});
    send_message(&box, (message){.what = CLOSE, .to = {8, 1}}); /* comes before what follows */
    printf("a door closes:\n");
    play(&box, (cairn_cell){8, 5});
    send_message(&box, (message){.what = CLOSE, .to = {8, 5}});
    printf("the middle closes:\n");
    play(&box, (cairn_cell){8, 5});

    pthread_mutex_lock(&box.mutex);
    box.ends = true;
    pthread_cond_signal(&box.filled);
    pthread_mutex_unlock(&box.mutex);
    pthread_join(thread, NULL);
    cairn_service_destroy(w.service);
    cairn_planner_destroy(planner);
    cairn_space_destroy(w.space);
    cairn_grid_destroy(w.grid);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 * to the middle:
 *   unit 0: found, 8 steps
 *   unit 1: found, 5 steps
 *   unit 2: found, 7 steps
 * a door closes:
 *   unit 0: found, 8 steps
 *   unit 1: found, 16 steps
 *   unit 2: found, 7 steps
 * the middle closes:
 *   unit 0: blocked goal, 0 steps
 *   unit 1: blocked goal, 0 steps
 *   unit 2: blocked goal, 0 steps
 */
