/* test_service_frames.c: budgets of the path service over many frames, soft ones, hard ones, and
 * those of time; whose turn is next within them; what its memory was on the mean, and who gets the
 * last of it.
 */
#include "office.h"
#include <cairn/callbacks.h>
#include <math.h>

static office frames_office(void)
{
    static const char *const specs[] = {"dijkstra"};
    cairn_service_options options = {.ageing = 1000};
    return office_open(scene_blank("blank", 60, 60), plain_context(0), specs, 1, &options);
}

static cairn_frame soft_update(office *o, uint64_t soft, uint64_t work)
{
    cairn_frame frame = {.work = work, .soft = soft};
    CHECK_OK(cairn_service_update(o->service, &frame));
    return frame;
}

/* Requests that can wait never take more than the soft budget; those whose time has come do, and it
 * is paid back. */
static void debts_are_paid_back(void **state)
{
    (void)state;
    office o = frames_office();
    ask(&o, &(cairn_request){.to = 3599});
    for (uint32_t i = 0; i < 5; i++) {
        cairn_frame frame = soft_update(&o, 100, 400);
        assert_true(frame.used == 100 && frame.debt == 0);
    }
    ask(&o, &(cairn_request){.to = 3598, .priority = CAIRN_PRIORITIES - 1});
    cairn_frame frame = soft_update(&o, 100, 400);
    assert_true(frame.used == 400 && frame.debt == 300);
    frame = soft_update(&o, 100, 400); /* the debt is as large as it may be: no more than usual */
    assert_true(frame.used == 100 && frame.debt == 300);
    while (frame.running) { /* once it is answered, the others do nothing until the debt is paid */
        frame = soft_update(&o, 100, 400);
        assert_true(frame.used <= 100);
        if (frame.answered) break;
    }
    uint64_t debt = frame.debt;
    assert_true(debt > 0 && debt <= 300);
    while (frame.debt) {
        frame = soft_update(&o, 100, 400);
        assert_int_equal(frame.used, debt < 100 ? 100 - debt : 0);
        debt = debt < 100 ? 0 : debt - 100;
        assert_int_equal(frame.debt, debt);
    }
    assert_int_equal(soft_update(&o, 100, 400).used, 100);
    cairn_frame wrong = {.work = 5, .soft = 6};
    CHECK_STATUS(cairn_service_update(o.service, &wrong), CAIRN_INVALID);
    office_close(&o);
}

/* Whatever is asked for, a row of frames takes no more than is promised. */
static void soft_budgets_hold_in_the_long_run(void **state)
{
    (void)state;
    enum { FRAMES = 300, SOFT = 120, WORK = 500 };
    office o = frames_office();
    scene_rng rng = {7};
    uint64_t most = 0, saved = 0; /* above the soft budget, of the worst row that ends here */
    bool above = false;
    for (uint32_t i = 0; i < FRAMES; i++) {
        cairn_request request = request_any(&o, &rng);
        request.priority = scene_random(&rng, 2) ? CAIRN_PRIORITIES - 1 : 0;
        if (scene_random(&rng, 6) == 0) ask(&o, &request);
        cairn_frame frame = soft_update(&o, SOFT, WORK);
        assert_true(frame.used <= WORK);
        above |= frame.used > SOFT;
        saved += frame.used;
        saved = saved > SOFT ? saved - SOFT : 0;
        if (saved > most) most = saved;
    }
    assert_true(above && most <= WORK - SOFT && most > (WORK - SOFT) / 2);
    office_close(&o);
}

static void close_a_cell(office *o, int32_t x, int32_t y)
{
    CHECK_OK(cairn_grid_set_open(o->grid, x, y, !cairn_grid_is_open(o->grid, x, y)));
    CHECK_OK(cairn_grid_commit(o->grid));
}

/* An index that cannot be divided takes many frames' budgets at once. Until that is paid back, the
 * others share half of it, and it is not made again, but for a request whose time has come. */
static void what_cannot_be_divided_is_paid_back(uint64_t soft, uint64_t work)
{
    cairn_service_options options = {.ageing = 1000};
    office o = office_open(scene_blank("blank", 60, 60), plain_context(0), NULL, 0, &options);
    office_add_within(&o, "gateway");
    office_add_within(&o, "dijkstra");
    uint64_t used = 0, debt = 0, made = 0;
    uint32_t busy = 0;
    ask(&o, &(cairn_request){.to = 3599});
    for (uint32_t i = 1; i < 2000; i++) {
        if (i % 3 == 0) ask(&o, &(cairn_request){.planner = 1, .from = i, .to = 3599 - i / 9});
        if (i == 20) close_a_cell(&o, 30, 30), ask(&o, &(cairn_request){.from = 9, .to = 3590});
        cairn_frame frame = soft_update(&o, soft, work);
        used += frame.used;
        made += frame.undivided != 0;
        if (i == 1) assert_true(made == 1 && frame.undivided > 5 * work && frame.debt > 5 * work);
        if (debt > work) assert_int_equal(frame.undivided, 0);
        if (debt > work && frame.used) {
            CHECK(frame.used <= work - soft + (soft + 1) / 2, "%u units", (unsigned)frame.used);
            busy += soft < work || frame.used == (work + 1) / 2;
        }
        assert_true(used <= i * soft + frame.debt);
        debt = frame.debt;
    }
    assert_true(made == 2 && busy > 20);
    close_a_cell(&o, 31, 31);
    ask(&o, &(cairn_request){.from = 7, .to = 3580});
    while (soft_update(&o, soft, work).undivided == 0) {
    }
    close_a_cell(&o, 32, 32);
    ask(&o, &(cairn_request){.from = 5, .to = 3570});
    assert_int_equal(soft_update(&o, soft, work).undivided, 0);
    ask(&o, &(cairn_request){.from = 3, .to = 3560, .priority = CAIRN_PRIORITIES - 1});
    assert_true(soft_update(&o, soft, work).undivided > 0);
    office_close(&o);
}

static void indexes_that_cannot_be_divided_are_paid_back(void **state)
{
    (void)state;
    what_cannot_be_divided_is_paid_back(400, 400);
    what_cannot_be_divided_is_paid_back(401, 401);
    what_cannot_be_divided_is_paid_back(300, 500);
}

static void memory_has_a_mean_and_a_variance(void **state)
{
    (void)state;
    enum { FRAMES = 120 };
    office o = frames_office();
    scene_rng rng = {7};
    double bytes[FRAMES], sum = 0, squares = 0;
    cairn_service_use use;
    for (uint32_t i = 0; i < FRAMES; i++) {
        cairn_request request = request_any(&o, &rng);
        ask(&o, &request);
        update(&o, 500);
        use = cairn_service_usage(o.service);
        bytes[i] = (double)use.bytes;
        sum += bytes[i];
    }
    for (uint32_t i = 0; i < FRAMES; i++)
        squares += (bytes[i] - sum / FRAMES) * (bytes[i] - sum / FRAMES);
    assert_true(fabs(use.mean_bytes - sum / FRAMES) < 1e-6 * use.mean_bytes);
    assert_true(squares > 0 &&
                fabs(use.variance_bytes - squares / FRAMES) < 1e-6 * squares / FRAMES);
    office_close(&o);
}

/* Asks again and again, until there is no room for the answer. False = or for the request. */
static bool ask_until_full(office *o, const cairn_request *request, cairn_ticket last[2])
{
    last[0] = last[1] = CAIRN_NO_TICKET;
    do {
        last[0] = last[1];
        if (cairn_service_request(o->service, request, &last[1])) return false;
        update(o, 0);
    } while (cairn_service_answer(o->service, last[1], NULL) != CAIRN_RUNNING);
    return last[0] != CAIRN_NO_TICKET;
}

/* A path for which there is no room, and behind it a short one, for which there is. */
static void short_answers_do_not_wait_for_long_ones(void **state)
{
    (void)state;
    cairn_service_share share = {.searches = 2, .search_bytes = 500000};
    uint32_t full = 0;
    for (size_t limit = 1070000; limit < 1110000; limit += 2000) {
        cairn_service_options options = {.byte_limit = limit};
        office o =
            office_open(scene_serpent("serpent", 120, 120), plain_context(0), NULL, 0, &options);
        cairn_ticket far[2], near[2];
        uint32_t number;
        CHECK_OK(cairn_planner_create(o.space, "astar", &o.planners[0], NULL));
        CHECK_OK(cairn_service_add(o.service, o.planners[0], &share, &number));
        o.planner_count = 1;
        if (ask_until_full(&o, &(cairn_request){.from = 0, .to = 119 * 120}, far) &&
            ask_until_full(&o, &(cairn_request){.from = 0, .to = 1}, near)) {
            full++;
            assert_int_equal(update(&o, 0).running, 2);
            CHECK_OK(cairn_service_release(o.service, near[0]));
            assert_int_equal(update(&o, 0).answered, 1);
            CHECK_STATUS(cairn_service_answer(o.service, near[1], NULL), CAIRN_FOUND);
            CHECK_STATUS(cairn_service_answer(o.service, far[1], NULL), CAIRN_RUNNING);
        }
        office_close(&o);
    }
    assert_true(full > 0);
}

/* ---- turns --------------------------------------------------------------------------------- */

/* Four searches that each take the whole map, with a budget of less than a slice of each. `apart`:
 * frames from one request to the next. The last is answered soon after the first. */
static void turns_are_taken(uint64_t work, uint32_t apart)
{
    static const char *const specs[] = {"dijkstra"};
    cairn_service_options options = {.ageing = 1000};
    office o = office_open(scene_blank("blank", 60, 60), plain_context(0), specs, 1, &options);
    uint32_t first = 0, frames = 0, answered = 0;
    for (uint32_t i = 0; i < 4; i++) {
        ask(&o, &(cairn_request){.to = 3599 - i, .priority = 3});
        for (uint32_t k = 0; k < apart; k++) assert_int_equal(update(&o, 1).answered, 0);
    }
    for (; answered < 4; frames++) {
        answered += update(&o, work).answered;
        if (!first && answered) first = frames;
        assert_true(frames < 1000);
    }
    CHECK(first * 10 > frames * 9, "the first of four after %u of %u frames", first, frames);
    office_close(&o);
}

static void equally_urgent_searches_take_turns(void **state)
{
    (void)state;
    turns_are_taken(100, 0);
    turns_are_taken(256, 0);
    turns_are_taken(300, 0);
    turns_are_taken(300, 2); /* not asked for in the same frame, but of the same level */
}

/* An index that is built has its turns, too. */
static void indexes_take_turns(void **state)
{
    (void)state;
    static const char *const specs[] = {"hpa:size=8", "dijkstra"};
    office o = office_open(scene_blank("blank", 200, 200), plain_context(0), specs, 2, NULL);
    uint32_t frames = 0;
    ask(&o, &(cairn_request){.planner = 1, .to = 39999});
    ask(&o, &(cairn_request){.to = 39999});
    while (cairn_planner_state(o.planners[0]) != CAIRN_OK) {
        assert_int_equal(update(&o, 100).answered, 0);
        assert_true(++frames < 200);
    }
    office_close(&o);
}

/* A search of a higher level takes all that it needs. */
static void more_urgent_searches_do_not_take_turns(void **state)
{
    (void)state;
    static const char *const specs[] = {"dijkstra"};
    office o = office_open(scene_blank("blank", 60, 60), plain_context(0), specs, 1, NULL);
    for (uint32_t i = 0; i < 3; i++) ask(&o, &(cairn_request){.to = 3599 - i, .priority = 3});
    update(&o, 100);
    cairn_ticket urgent = ask(&o, &(cairn_request){.to = 3590, .priority = 4});
    uint32_t frames = 0;
    while (cairn_service_answer(o.service, urgent, NULL) == CAIRN_RUNNING)
        update(&o, 100), frames++;
    assert_true(frames >= 30 && frames <= 37); /* 3,600 nodes */
    office_close(&o);
}

/* ---- time ---------------------------------------------------------------------------------- */

/* A world whose nodes take time: one microsecond, or, in every other stretch of it, more. */
typedef struct slow_world {
    double now;
    double slow;
    uint32_t side;
} slow_world;

static uint32_t slow_neighbours(void *user, cairn_node node, cairn_edge *out)
{
    slow_world *w = user;
    uint32_t count = 0, side = w->side;
    w->now += node / (4 * side) % 2 ? w->slow : 1;
    if (node % side) out[count++] = (cairn_edge){node - 1, 1};
    if (node % side + 1 < side) out[count++] = (cairn_edge){node + 1, 1};
    if (node >= side) out[count++] = (cairn_edge){node - side, 1};
    if (node + side < side * side) out[count++] = (cairn_edge){node + side, 1};
    return count;
}

static double slow_clock(void *user)
{
    slow_world *w = user;
    return w->now += 0.02;
}

/* Frames take as long as they may, and hardly longer. */
static void frames_end_in_time(uint32_t slice, double microseconds, double slow)
{
    enum { SIDE = 100, FRAMES = 100 };
    slow_world w = {0, slow, SIDE};
    cairn_callbacks callbacks = {.node_count = SIDE * SIDE,
                                 .neighbours = slow_neighbours,
                                 .user = &w,
                                 .max_degree = 4,
                                 .symmetric = true};
    cairn_context *context = plain_context(0);
    cairn_space *space;
    cairn_planner *planner;
    cairn_service *service;
    cairn_ticket ticket;
    uint32_t number;
    CHECK_OK(cairn_space_of_callbacks(context, &callbacks, &space, NULL));
    CHECK_OK(cairn_planner_create(space, "dijkstra", &planner, NULL));
    CHECK_OK(cairn_service_create(context, &(cairn_service_options){.slice = slice}, &service));
    CHECK_OK(cairn_service_add(service, planner, NULL, &number));
    scene_rng rng = {5};
    for (uint32_t i = 0; i < 1000; i++) {
        cairn_request request = {.from = scene_random(&rng, SIDE * SIDE), .to = SIDE * SIDE - 1};
        CHECK_OK(cairn_service_request(service, &request, &ticket));
    }
    for (uint32_t i = 0; i < FRAMES; i++) {
        cairn_frame frame = {
            .microseconds = microseconds, .clock = slow_clock, .clock_user = &w, .work = 100000};
        double began = w.now;
        CHECK_OK(cairn_service_update(service, &frame));
        double took = w.now - began;
        CHECK(took <= 1.2 * microseconds && took >= microseconds, "%f of %f us in frame %u", took,
              microseconds, i);
        assert_true((double)frame.used > 0.15 * microseconds && frame.running);
    }
    cairn_service_destroy(service);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_context_destroy(context);
}

static void frames_take_no_longer_than_they_may(void **state)
{
    (void)state;
    frames_end_in_time(0, 1000, 1);
    frames_end_in_time(0, 1000, 5);
    frames_end_in_time(0, 200, 5);
    frames_end_in_time(5000, 1000, 5);
}

static double ticking(void *user)
{
    double *now = user;
    return *now += 10;
}

/* A clock that says each time that ten microseconds have gone by. */
static cairn_frame ticking_update(office *o, double microseconds)
{
    double now = 0;
    cairn_frame frame = {.microseconds = microseconds, .clock = ticking, .clock_user = &now};
    CHECK_OK(cairn_service_update(o->service, &frame));
    return frame;
}

static void a_clock_ends_a_frame(void **state)
{
    (void)state;
    office o = frames_office();
    ask(&o, &(cairn_request){.to = 3599});
    cairn_frame frame = ticking_update(&o, 35);
    assert_true(frame.running == 1 && frame.used > 16 && frame.used < 256);
    frame = ticking_update(&o, 1); /* too short for anything: a little is done */
    assert_true(frame.running == 1 && frame.used > 0 && frame.used < 32);
    office_close(&o);
}

/* Also while an index is built. */
static void a_clock_ends_a_frame_that_builds(void **state)
{
    (void)state;
    const char *spec = "hpa:size=8";
    office o = office_open(scene_rooms("rooms", 200, 200, 9, 5), plain_context(0), &spec, 1, NULL);
    ask(&o, &(cairn_request){.to = 39999});
    cairn_frame frame = ticking_update(&o, 35);
    assert_true(frame.used > 16 && frame.used < 256);
    assert_true(cairn_planner_state(o.planners[0]) != CAIRN_OK);
    office_close(&o);
}

/* And with workers, which all end before it is looked at. */
static void a_clock_ends_a_frame_of_workers(void **state)
{
    (void)state;
    static const char *const specs[] = {"dijkstra"};
    office o = office_open(scene_blank("blank", 60, 60), plain_context(2), specs, 1, NULL);
    for (uint32_t i = 0; i < 4; i++) ask(&o, &(cairn_request){.to = 3599 - i});
    cairn_frame frame = ticking_update(&o, 100);
    assert_true(frame.running == 4 && frame.used > 4 * 16 && frame.used < 4 * 256);
    office_close(&o);
}

/* And while paths that are walked are looked at. */
static void a_clock_ends_a_frame_that_watches(void **state)
{
    (void)state;
    office o = frames_office();
    cairn_ticket tickets[200];
    cairn_followed followed;
    scene_rng rng = {7};
    for (uint32_t i = 0; i < LENGTH(tickets); i++) {
        cairn_request request = request_any(&o, &rng);
        tickets[i] = ask(&o, &request);
    }
    update_all(&o);
    for (uint32_t i = 0; i < LENGTH(tickets); i++)
        CHECK_OK(cairn_service_follow(o.service, tickets[i], CAIRN_SHORTCUTS_NEVER));
    for (int32_t y = 0; y < 60; y += 2) CHECK_OK(cairn_grid_set_layer(o.grid, 30, y, 1));
    CHECK_OK(cairn_grid_set_open(o.grid, 0, 0, false));
    CHECK_OK(cairn_grid_commit(o.grid));
    cairn_frame frame = ticking_update(&o, 15);
    assert_true(frame.used > 0 && frame.used <= 18);
    CHECK_OK(cairn_service_followed(o.service, tickets[0], &followed));
    assert_true(followed.version < cairn_space_version(o.space));
    update(&o, 0);
    CHECK_OK(cairn_service_followed(o.service, tickets[0], &followed));
    assert_true(followed.version == cairn_space_version(o.space));
    office_close(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(debts_are_paid_back),
        cmocka_unit_test(soft_budgets_hold_in_the_long_run),
        cmocka_unit_test(indexes_that_cannot_be_divided_are_paid_back),
        cmocka_unit_test(memory_has_a_mean_and_a_variance),
        cmocka_unit_test(short_answers_do_not_wait_for_long_ones),
        cmocka_unit_test(equally_urgent_searches_take_turns),
        cmocka_unit_test(indexes_take_turns),
        cmocka_unit_test(more_urgent_searches_do_not_take_turns),
        cmocka_unit_test(frames_take_no_longer_than_they_may),
        cmocka_unit_test(a_clock_ends_a_frame),
        cmocka_unit_test(a_clock_ends_a_frame_that_builds),
        cmocka_unit_test(a_clock_ends_a_frame_of_workers),
        cmocka_unit_test(a_clock_ends_a_frame_that_watches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
