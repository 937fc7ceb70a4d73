/* test_service.c: the path service: tickets, budgets, urgency, deadlines, shared searches, pieces,
 * worlds that change, limits of memory, and the same answers with any number of workers.
 */
#include "office.h"

static const char *const three[] = {"astar", "jps", "hpa:size=8"};

static office office_simple(const char *spec, uint32_t size)
{
    return office_open(scene_rooms("rooms", size, size, 9, 5), plain_context(0), &spec, 1, NULL);
}

/* The same as a search of its own gives? */
static void check_answer(office *o, const cairn_request *request, cairn_ticket ticket)
{
    const cairn_path *path, *right;
    cairn_search *search;
    CHECK_OK(cairn_planner_sync(o->planners[request->planner], NULL, NULL));
    CHECK_OK(cairn_search_create(o->planners[request->planner], NULL, &search));
    cairn_query query = {.from = request->from, .to = request->to, .partial = request->partial};
    cairn_status status = cairn_search_find(search, &query, &right);
    CHECK_STATUS(cairn_service_answer(o->service, ticket, &path), status);
    assert_int_equal(path->count, right->count);
    assert_int_equal(path->cost, right->cost);
    assert_int_equal(path->partial, right->partial);
    if (path->count)
        assert_memory_equal(path->nodes, right->nodes, path->count * sizeof(cairn_node));
    cairn_search_destroy(search);
}

/* ---- answers ------------------------------------------------------------------------------ */

static void answers_are_those_of_a_search(void **state)
{
    (void)state;
    enum { ASKED = 120 };
    static cairn_request requests[ASKED];
    static cairn_ticket tickets[ASKED];
    scene_rng rng = {3};
    office o = office_open(scene_noise("noise", 70, 60, 33, 7), plain_context(0), three, 3, NULL);
    for (uint32_t i = 0; i < ASKED; i++) {
        requests[i] = request_any(&o, &rng);
        requests[i].partial = i % 3 == 0;
        tickets[i] = ask(&o, &requests[i]);
        CHECK_STATUS(cairn_service_answer(o.service, tickets[i], NULL), CAIRN_RUNNING);
    }
    uint32_t answered = 0, frames = 0;
    for (; answered < ASKED; frames++) answered += update(&o, 700).answered;
    assert_true(frames > 10);
    for (uint32_t i = 0; i < ASKED; i++) check_answer(&o, &requests[i], tickets[i]);
    for (uint32_t i = 0; i < ASKED; i++) CHECK_OK(cairn_service_release(o.service, tickets[i]));
    assert_int_equal(cairn_service_usage(o.service).tickets, 0);
    office_close(&o);
}

static void faults_are_answers_and_wrong_calls_are_refused(void **state)
{
    (void)state;
    office o = office_simple("astar", 20);
    cairn_ticket ticket;
    cairn_request request = {.from = 21, .to = 1u << 30};
    ticket = ask(&o, &request);
    update(&o, 0);
    CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_OUT_OF_BOUNDS);
    CHECK_OK(cairn_service_release(o.service, ticket));
    CHECK_STATUS(cairn_service_release(o.service, ticket), CAIRN_INVALID);
    CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_service_continue(o.service, ticket), CAIRN_INVALID);
    CHECK_STATUS(cairn_service_answer(o.service, CAIRN_NO_TICKET, NULL), CAIRN_INVALID);
    request = (cairn_request){.planner = 1};
    CHECK_STATUS(cairn_service_request(o.service, &request, &ticket), CAIRN_INVALID);
    assert_int_equal(ticket, CAIRN_NO_TICKET);
    request = (cairn_request){.priority = CAIRN_PRIORITIES};
    CHECK_STATUS(cairn_service_request(o.service, &request, &ticket), CAIRN_INVALID);
    cairn_frame frame = {.microseconds = 5};
    CHECK_STATUS(cairn_service_update(o.service, &frame), CAIRN_INVALID);
    uint32_t number;
    CHECK_STATUS(cairn_service_add(o.service, o.planners[0], &(cairn_service_share){.searches = 65},
                                   &number),
                 CAIRN_INVALID);
    office_close(&o);
}

/* ---- urgency ------------------------------------------------------------------------------ */

/* With one search at a time: who is answered before whom? */
static office office_narrow(uint32_t ageing)
{
    cairn_service_options options = {.ageing = ageing};
    office o = office_open(scene_blank("blank", 40, 40), plain_context(0), NULL, 0, &options);
    uint32_t number;
    CHECK_OK(cairn_planner_create(o.space, "dijkstra", &o.planners[0], NULL));
    CHECK_OK(cairn_service_add(o.service, o.planners[0], &(cairn_service_share){.searches = 1},
                               &number));
    o.planner_count = 1;
    return o;
}

static void urgent_requests_come_first(void **state)
{
    (void)state;
    office o = office_narrow(1000);
    cairn_ticket tickets[8];
    for (uint32_t i = 0; i < 8; i++)
        tickets[i] = ask(&o, &(cairn_request){.to = 1599 - i, .priority = i});
    for (uint32_t left = 8; left;) {
        if (!update(&o, 100).answered) continue;
        left--;
        for (uint32_t i = 0; i < 8; i++)
            CHECK_STATUS(cairn_service_answer(o.service, tickets[i], NULL),
                         i >= left ? CAIRN_FOUND : CAIRN_RUNNING);
    }
    office_close(&o);
}

/* Urgent requests keep coming, more than can be served. */
static void nothing_waits_for_ever(void **state)
{
    (void)state;
    office o = office_narrow(2);
    cairn_ticket patient = ask(&o, &(cairn_request){.to = 1599});
    uint32_t frames = 0;
    for (; cairn_service_answer(o.service, patient, NULL) == CAIRN_RUNNING; frames++) {
        assert_true(frames < 200);
        ask(&o, &(cairn_request){.to = 1000 + frames, .priority = CAIRN_PRIORITIES - 1});
        update(&o, 300);
    }
    assert_true(frames > 2 * (CAIRN_PRIORITIES - 2)); /* it is not served before its time */
    office_close(&o);
}

/* Long searches have all desks. One whose time has come takes one of them, others do not. */
static void urgent_requests_do_not_wait_for_long_searches(void **state)
{
    (void)state;
    const char *spec = "dijkstra";
    cairn_service_options options = {.ageing = 10};
    office o = office_open(scene_blank("blank", 90, 90), plain_context(0), &spec, 1, &options);
    cairn_ticket longs[4];
    for (uint32_t i = 0; i < 4; i++)
        longs[i] = ask(&o, &(cairn_request){.to = 8099 - i, .priority = 4 + i});
    update(&o, 100);
    cairn_ticket later = ask(&o, &(cairn_request){.to = 1, .priority = CAIRN_PRIORITIES - 2}),
                 urgent = ask(&o, &(cairn_request){.to = 2, .priority = CAIRN_PRIORITIES - 1});
    cairn_frame frame = update(&o, 100);
    assert_true(frame.answered == 2 && frame.running == 4);
    CHECK_STATUS(cairn_service_answer(o.service, urgent, NULL), CAIRN_FOUND);
    CHECK_STATUS(cairn_service_answer(o.service, later, NULL), CAIRN_FOUND);
    for (uint32_t frames = 0; frames < 200; frames++) update(&o, 10); /* all are due by now */
    later = ask(&o, &(cairn_request){.to = 3, .priority = CAIRN_PRIORITIES - 1});
    frame = update(&o, 100);
    assert_true(frame.running == 4 && frame.waiting == 1 && !frame.answered);
    update_all(&o);
    CHECK_STATUS(cairn_service_answer(o.service, later, NULL), CAIRN_FOUND);
    for (uint32_t i = 0; i < 4; i++)
        CHECK_STATUS(cairn_service_answer(o.service, longs[i], NULL), CAIRN_FOUND);
    office_close(&o);
}

static void who_is_too_late_is_told_so(void **state)
{
    (void)state;
    office o = office_narrow(0);
    cairn_request request = {.to = 1599, .deadline = 3};
    const cairn_path *path;
    cairn_ticket late = ask(&o, &request), other;
    request.deadline = 0;
    other = ask(&o, &request);
    assert_int_equal(cairn_service_usage(o.service).shared, 1);
    for (uint32_t i = 1; i <= 3; i++) {
        CHECK_STATUS(cairn_service_answer(o.service, late, NULL), CAIRN_RUNNING);
        cairn_frame frame = update(&o, 50);
        assert_int_equal(frame.expired, i == 3);
    }
    CHECK_STATUS(cairn_service_answer(o.service, late, &path), CAIRN_OUT_OF_BUDGET);
    assert_int_equal(path->count, 0);
    while (!update(&o, 500).answered) {
    }
    CHECK_STATUS(cairn_service_answer(o.service, other, NULL), CAIRN_FOUND);
    CHECK_STATUS(cairn_service_answer(o.service, late, NULL), CAIRN_OUT_OF_BUDGET);
    late = ask(&o, &(cairn_request){.to = 1598, .deadline = 1}); /* in time */
    assert_int_equal(update(&o, 0).expired, 0);
    CHECK_STATUS(cairn_service_answer(o.service, late, NULL), CAIRN_FOUND);
    office_close(&o);
}

/* ---- shared searches ---------------------------------------------------------------------- */

static void equal_requests_share_a_search(void **state)
{
    (void)state;
    office o = office_simple("astar", 60);
    cairn_request request = {.from = scene_pick(o.scene, &(scene_rng){1}),
                             .to = scene_pick(o.scene, &(scene_rng){2})};
    ask(&o, &request);
    uint64_t alone = update(&o, 0).used;
    cairn_ticket tickets[10];
    for (uint32_t i = 0; i < 10; i++) {
        request.priority = i;
        tickets[i] = ask(&o, &request);
    }
    assert_int_equal(cairn_service_usage(o.service).shared, 9);
    CHECK_OK(cairn_service_release(o.service, tickets[0])); /* the others still wait */
    cairn_frame frame = update(&o, 0);
    assert_int_equal(frame.used, alone);
    assert_int_equal(frame.answered, 9);
    for (uint32_t i = 1; i < 10; i++) check_answer(&o, &request, tickets[i]);
    ask(&o, &request); /* answered ones are not shared ... */
    request.partial = true;
    ask(&o, &request); /* ... nor are others */
    request.partial = false, request.max_work = 5;
    ask(&o, &request);
    request.max_work = 0, request.piece = 5;
    ask(&o, &request);
    assert_int_equal(cairn_service_usage(o.service).shared, 9);
    office_close(&o);
}

/* An urgent one makes the others urgent. */
static void a_shared_search_is_as_urgent_as_any_of_its_requests(void **state)
{
    (void)state;
    office o = office_narrow(1000);
    cairn_ticket other = ask(&o, &(cairn_request){.to = 1500, .priority = 5}),
                 one = ask(&o, &(cairn_request){.to = 1599, .priority = 1});
    ask(&o, &(cairn_request){.to = 1599, .priority = 9});
    while (!update(&o, 100).answered) {
    }
    CHECK_STATUS(cairn_service_answer(o.service, one, NULL), CAIRN_FOUND);
    CHECK_STATUS(cairn_service_answer(o.service, other, NULL), CAIRN_RUNNING);
    office_close(&o);
}

/* ... as long as it is one of them. */
static void a_shared_search_is_not_urgent_any_more(void **state)
{
    (void)state;
    for (uint32_t begun = 0; begun < 2; begun++) {
        office o = office_narrow(1000);
        cairn_ticket one = ask(&o, &(cairn_request){.to = 1599, .priority = 1}),
                     urgent = ask(&o, &(cairn_request){.to = 1599, .priority = 15});
        if (begun) update(&o, 100);
        CHECK_OK(cairn_service_release(o.service, urgent));
        cairn_request request = {.to = 1500, .priority = begun ? 15 : 9};
        cairn_ticket other = ask(&o, &request);
        while (!update(&o, 100).answered) {
        }
        CHECK_STATUS(cairn_service_answer(o.service, one, NULL), CAIRN_RUNNING);
        CHECK_STATUS(cairn_service_answer(o.service, other, NULL), CAIRN_FOUND);
        office_close(&o);
    }
}

static void who_is_released_costs_nothing_more(void **state)
{
    (void)state;
    office o = office_narrow(0);
    cairn_ticket a = ask(&o, &(cairn_request){.to = 1599}),
                 b = ask(&o, &(cairn_request){.to = 1598});
    cairn_frame frame = update(&o, 100);
    assert_true(frame.running == 1 && frame.waiting == 1 && frame.used == 100);
    CHECK_OK(cairn_service_release(o.service, a));
    CHECK_OK(cairn_service_release(o.service, b));
    frame = update(&o, 100);
    assert_true(!frame.running && !frame.waiting && !frame.used && !frame.answered);
    office_close(&o);
}

/* ---- functions ---------------------------------------------------------------------------- */

typedef struct caller {
    office *office;
    uint32_t calls, more;
    cairn_ticket last, victim;
} caller;

static void called(void *user, cairn_ticket ticket, const cairn_path *path)
{
    caller *c = user;
    assert_true(ticket > c->last); /* in order */
    assert_true(path && path->status == CAIRN_FOUND);
    c->last = ticket;
    c->calls++;
    if (c->victim) CHECK_OK(cairn_service_release(c->office->service, c->victim));
    c->victim = CAIRN_NO_TICKET;
    if (c->calls == 3) CHECK_OK(cairn_service_release(c->office->service, ticket));
    for (; c->more; c->more--) /* much more room is needed while the path is looked at */
        ask(c->office, &(cairn_request){.from = 0, .to = c->more + 1});
    assert_true(path->nodes[path->count - 1] == path->end);
    cairn_frame frame = {0};
    CHECK_STATUS(cairn_service_update(c->office->service, &frame), CAIRN_INVALID);
}

static void functions_are_called_in_the_order_of_tickets(void **state)
{
    (void)state;
    office o = office_open(scene_blank("blank", 40, 40), plain_context(0), three, 2, NULL);
    caller c = {.office = &o, .more = 500};
    cairn_ticket tickets[20];
    for (uint32_t i = 0; i < 20; i++)
        tickets[i] = ask(&o, &(cairn_request){.planner = i % 2,
                                              .to = 1599 - 37 * i,
                                              .priority = i * 7 % CAIRN_PRIORITIES,
                                              .answer = called,
                                              .user = &c});
    c.victim = tickets[19];
    update(&o, 0);
    assert_int_equal(c.calls, 19);
    for (uint32_t i = 0; i < 20; i++)
        CHECK_STATUS(cairn_service_answer(o.service, tickets[i], NULL), CAIRN_INVALID);
    assert_int_equal(cairn_service_usage(o.service).tickets, 500);
    office_close(&o);
}

/* ---- pieces ------------------------------------------------------------------------------- */

static cairn_ticket ask_piece(office *o, scene_rng *rng)
{
    cairn_request request = {.piece = 6, .from = scene_pick(o->scene, rng)};
    CHECK_OK(cairn_random_reachable(o->space, request.from, &rng->state, &request.to));
    return ask(o, &request);
}

/* Walks along all pieces of a ticket; returns how many there are. `others` ask meanwhile. */
static uint32_t follow(office *o, cairn_ticket ticket, uint32_t others, scene_rng *rng)
{
    const cairn_path *path;
    cairn_node at = CAIRN_NO_NODE;
    uint32_t pieces = 1;
    for (bool more = true; more; pieces += more) {
        for (uint32_t i = 0; i < others; i++) ask_piece(o, rng);
        cairn_status status;
        while ((status = cairn_service_answer(o->service, ticket, &path)) == CAIRN_RUNNING)
            update(o, 500);
        CHECK_STATUS(status, CAIRN_FOUND);
        assert_true(at == CAIRN_NO_NODE || path->nodes[0] == at);
        assert_true(cairn_path_valid(o->space, path, NULL, NULL, NULL));
        at = path->end;
        more = path->partial;
        CHECK_STATUS(cairn_service_continue(o->service, ticket), more ? CAIRN_OK : CAIRN_INVALID);
    }
    CHECK_OK(cairn_service_release(o->service, ticket));
    return pieces;
}

static void pieces_follow_each_other(void **state)
{
    (void)state;
    office o = office_simple("hpa:size=8", 90);
    scene_rng rng = {4};
    uint32_t pieces = 0, lost = 0;
    for (uint32_t i = 0; i < 20; i++) pieces += follow(&o, ask_piece(&o, &rng), 0, &rng);
    assert_true(pieces > 60);
    for (uint32_t i = 0; i < 10; i++) lost += follow(&o, ask_piece(&o, &rng), 9, &rng);
    assert_true(lost > 10); /* their searches serve others meanwhile, and yet they arrive */
    office_close(&o);
}

static void continues_the_next(void *user, cairn_ticket ticket, const cairn_path *path)
{
    caller *c = user;
    c->calls++;
    assert_non_null(path);
    if (c->calls > 1) return;
    CHECK_OK(cairn_service_continue(c->office->service, c->victim));
    CHECK_OK(cairn_service_continue(c->office->service, ticket));
    CHECK_STATUS(cairn_service_continue(c->office->service, ticket), CAIRN_INVALID);
    CHECK_STATUS(cairn_service_answer(c->office->service, ticket, NULL), CAIRN_RUNNING);
    CHECK_OK(cairn_service_release(c->office->service, ticket));
    CHECK_STATUS(cairn_service_answer(c->office->service, ticket, NULL), CAIRN_INVALID);
}

static void functions_may_continue_other_tickets(void **state)
{
    (void)state;
    office o = office_simple("hpa:size=8", 90);
    caller c = {.office = &o};
    scene_rng rng = {4};
    cairn_request request = {
        .piece = 6, .from = scene_pick(o.scene, &rng), .answer = continues_the_next, .user = &c};
    CHECK_OK(cairn_random_reachable(o.space, request.from, &rng.state, &request.to));
    ask(&o, &request);
    c.victim = ask(&o, &request);
    update(&o, 0);
    assert_int_equal(c.calls, 1);
    update(&o, 0);
    assert_int_equal(c.calls, 2);
    office_close(&o);
}

/* A deadline counts anew for each piece. */
static void each_piece_has_its_deadline(void **state)
{
    (void)state;
    office o = office_simple("hpa:size=8", 90);
    scene_rng rng = {4};
    cairn_request request = {.piece = 6, .deadline = 5, .from = scene_pick(o.scene, &rng)};
    CHECK_OK(cairn_random_reachable(o.space, request.from, &rng.state, &request.to));
    cairn_ticket ticket = ask(&o, &request);
    for (uint32_t i = 0; i < 10; i++) update(&o, 0);
    CHECK_OK(cairn_service_continue(o.service, ticket));
    cairn_ticket urgent = ask(&o, &(cairn_request){.priority = CAIRN_PRIORITIES - 1});
    CHECK_OK(cairn_service_release(o.service, urgent));
    CHECK_OK(cairn_grid_set_open(o.grid, 1, 1, !cairn_grid_is_open(o.grid, 1, 1)));
    CHECK_OK(cairn_grid_commit(o.grid)); /* the index takes longer than there is time */
    for (uint32_t i = 1; i <= 5; i++) {
        CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_RUNNING);
        assert_int_equal(update(&o, 1).expired, i == 5);
    }
    CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_OUT_OF_BUDGET);
    office_close(&o);
}

/* ---- worlds that change ------------------------------------------------------------------- */

static void searches_that_commits_overtake_begin_again(void **state)
{
    (void)state;
    enum { ASKED = 12 };
    scene_rng rng = {8};
    office o = office_open(scene_rooms("rooms", 60, 60, 9, 5), plain_context(0), three, 3, NULL);
    uint32_t restarts = 0;
    for (uint32_t round = 0; round < 20; round++) {
        cairn_request requests[ASKED];
        cairn_ticket tickets[ASKED];
        for (uint32_t i = 0; i < ASKED; i++) {
            requests[i] = request_any(&o, &rng);
            tickets[i] = ask(&o, &requests[i]);
        }
        update(&o, 300);
        for (uint32_t i = 0; i < ASKED; i++) /* those that are answered are about the old world */
            if (cairn_service_answer(o.service, tickets[i], NULL) != CAIRN_RUNNING) {
                CHECK_OK(cairn_service_release(o.service, tickets[i]));
                tickets[i] = CAIRN_NO_TICKET;
            }
        int32_t x = (int32_t)scene_random(&rng, 60), y = (int32_t)scene_random(&rng, 60);
        CHECK_OK(cairn_grid_set_open(o.grid, x, y, !cairn_grid_is_open(o.grid, x, y)));
        CHECK_OK(cairn_grid_commit(o.grid));
        for (cairn_frame frame = {.waiting = 1}; frame.waiting || frame.running;)
            frame = update(&o, 2000), restarts += frame.restarts;
        for (uint32_t i = 0; i < ASKED; i++)
            if (tickets[i]) check_answer(&o, &requests[i], tickets[i]);
        for (uint32_t i = 0; i < ASKED; i++)
            if (tickets[i]) CHECK_OK(cairn_service_release(o.service, tickets[i]));
    }
    assert_true(restarts > 5);
    office_close(&o);
}

/* ---- memory ------------------------------------------------------------------------------- */

static void a_limit_of_bytes_holds_under_overload(void **state)
{
    (void)state;
    cairn_service_options options = {.byte_limit = 160000};
    scene_rng rng = {6};
    cairn_ticket waiting[4000];
    uint32_t first = 0, count = 0, refused = 0, answered = 0;
    office o =
        office_open(scene_noise("noise", 90, 90, 25, 3), plain_context(0), three, 2, &options);
    for (uint32_t frame = 0; frame < 400 || first < count; frame++) {
        assert_true(frame < 5000);
        for (uint32_t i = 0; frame < 400 && i < 10 && count < 4000; i++) {
            cairn_request request = request_any(&o, &rng);
            cairn_status status = cairn_service_request(o.service, &request, &waiting[count]);
            count += status == CAIRN_OK;
            refused += status == CAIRN_OUT_OF_MEMORY;
        }
        update(&o, 1500);
        cairn_service_use use = cairn_service_usage(o.service);
        CHECK(use.peak_bytes <= options.byte_limit, "%zu bytes", use.peak_bytes);
        /* Answers are looked at late, so that they pile up. */
        while (frame % 32 == 31 && first < count &&
               cairn_service_answer(o.service, waiting[first], NULL) != CAIRN_RUNNING) {
            CHECK_OK(cairn_service_release(o.service, waiting[first++]));
            answered++;
        }
    }
    assert_int_equal(answered, count);
    assert_int_equal(refused, cairn_service_usage(o.service).refused);
    CHECK(refused > 100 && count > 100, "%u refused of %u", refused, count);
    office_close(&o);
}

/* As many requests as are taken, at once: there is room for their answers, one after the other. */
static void a_flood_of_requests_leaves_room_for_answers(void **state)
{
    (void)state;
    cairn_ticket tickets[2000];
    cairn_service_share share = {.searches = 1, .search_bytes = 100000};
    for (size_t limit = 126000; limit < 260000; limit += 1400) {
        cairn_service_options options = {.byte_limit = limit};
        office o = office_open(scene_blank("blank", 40, 40), plain_context(0), NULL, 0, &options);
        scene_rng rng = {limit};
        uint32_t number;
        CHECK_OK(cairn_planner_create(o.space, "astar", &o.planners[0], NULL));
        CHECK_OK(cairn_service_add(o.service, o.planners[0], &share, &number));
        o.planner_count = 1;
        uint32_t count = 0, answered = 0, found = 0;
        for (cairn_request request = request_any(&o, &rng);
             cairn_service_request(o.service, &request, &tickets[count]) == CAIRN_OK;
             request = request_any(&o, &rng))
            assert_true(++count < 2000);
        for (uint32_t frame = 0; frame < 100 && answered < count; frame++) {
            answered += update(&o, 0).answered;
            for (uint32_t i = 0; i < count; i++) {
                cairn_status status = cairn_service_answer(o.service, tickets[i], NULL);
                found += status == CAIRN_FOUND;
                if (status != CAIRN_RUNNING && status != CAIRN_INVALID)
                    CHECK_OK(cairn_service_release(o.service, tickets[i]));
            }
        }
        CHECK(answered == count && (found || !count), "%u found, %u answered of %u, %zu bytes",
              found, answered, count, limit);
        office_close(&o);
    }
}

static void searches_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    cairn_service_options options = {.byte_limit = 100000};
    const char *spec = "astar";
    office o = office_open(scene_blank("blank", 200, 200), plain_context(0), &spec, 1, &options);
    uint32_t number;
    cairn_service_share share = {.searches = 8, .search_bytes = 20000};
    CHECK_STATUS(cairn_service_add(o.service, o.planners[0], &share, &number), CAIRN_OUT_OF_MEMORY);
    cairn_ticket ticket = ask(&o, &(cairn_request){.from = 0, .to = 39999});
    update(&o, 0);
    CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_OUT_OF_MEMORY);
    office_close(&o);
}

/* Each request for memory fails once: every ticket that was given gets an answer. */
static void without_memory_nothing_is_lost(void **state)
{
    (void)state;
    for (uint64_t fail_at = 1, done = 0; !done; fail_at++) {
        watched w = {0};
        cairn_context *context;
        CHECK_OK(watched_context(&w, &context));
        office o = office_open(scene_rooms("rooms", 30, 30, 9, 5), context, three, 3, NULL);
        scene_rng rng = {5};
        cairn_ticket tickets[40];
        w.fail_at = w.calls + fail_at;
        for (uint32_t i = 0; i < 40; i++) {
            cairn_request request = request_any(&o, &rng);
            cairn_status status = cairn_service_request(o.service, &request, &tickets[i]);
            assert_true(status == CAIRN_OK || w.failures);
        }
        for (uint32_t i = 0; i < 200; i++) update(&o, 500);
        for (uint32_t i = 0; i < 40; i++) {
            if (!tickets[i]) continue;
            cairn_status status = cairn_service_answer(o.service, tickets[i], NULL);
            assert_true(status == CAIRN_FOUND || status == CAIRN_UNREACHABLE ||
                        (status == CAIRN_OUT_OF_MEMORY && w.failures));
        }
        done = !w.failures;
        office_close(&o);
        assert_true(!w.blocks && !w.wrong_size);
    }
}

static void a_warm_service_asks_for_no_memory(void **state)
{
    (void)state;
    office o = office_open(scene_rooms("rooms", 60, 60, 9, 5), plain_context(0), three, 3, NULL);
    for (uint32_t round = 0; round < 3; round++) {
        scene_rng rng = {9};
        uint64_t before = cairn_context_memory(o.context).allocations;
        for (uint32_t i = 0; i < 30; i++) {
            cairn_ticket tickets[10];
            for (uint32_t k = 0; k < 10; k++) {
                cairn_request request = request_any(&o, &rng);
                tickets[k] = ask(&o, &request);
            }
            for (cairn_frame frame = {.waiting = 1}; frame.waiting || frame.running;)
                frame = update(&o, 900);
            for (uint32_t k = 0; k < 10; k++)
                CHECK_OK(cairn_service_release(o.service, tickets[k]));
        }
        uint64_t asked = cairn_context_memory(o.context).allocations - before;
        CHECK(round < 2 || !asked, "%u requests", (unsigned)asked);
    }
    office_close(&o);
}

/* ---- the same everywhere ------------------------------------------------------------------ */

enum { LOCKSTEP_FRAMES = 400, LOCKSTEP_TICKETS = 64 };

/* A random life of a service: requests, releases, edits; a hash for each frame. */
static void lockstep_live(uint32_t workers, uint64_t seed, uint64_t hashes[LOCKSTEP_FRAMES])
{
    cairn_service_options options = {.slice = 40, .byte_limit = 400000};
    office o =
        office_open(scene_rooms("rooms", 70, 50, 9, 5), plain_context(workers), three, 3, &options);
    scene_rng rng = {seed};
    cairn_ticket tickets[LOCKSTEP_TICKETS] = {0};
    for (uint32_t f = 0; f < LOCKSTEP_FRAMES; f++) {
        uint64_t hash = 1;
        for (uint32_t i = 0; i < 5; i++) {
            uint32_t k = scene_random(&rng, LOCKSTEP_TICKETS);
            cairn_request request = request_any(&o, &rng);
            request.deadline = scene_random(&rng, 4) ? 0 : 1 + scene_random(&rng, 20);
            request.piece = scene_random(&rng, 3) ? 0 : 8;
            const cairn_path *path;
            if (!cairn_service_answer(o.service, tickets[k], &path)) hash = hash_path(hash, path);
            cairn_service_release(o.service, tickets[k]);
            hash = hash * 31 + cairn_service_request(o.service, &request, &tickets[k]);
            hash = hash * 31 + tickets[k];
            hash +=
                cairn_service_continue(o.service, tickets[scene_random(&rng, LOCKSTEP_TICKETS)]);
        }
        if (scene_random(&rng, 10) == 0) {
            int32_t x = (int32_t)scene_random(&rng, 70), y = (int32_t)scene_random(&rng, 50);
            CHECK_OK(cairn_grid_set_open(o.grid, x, y, !cairn_grid_is_open(o.grid, x, y)));
            CHECK_OK(cairn_grid_commit(o.grid));
        }
        cairn_frame frame = update(&o, 1 + scene_random(&rng, 900));
        hash = hash * 31 + frame.used, hash = hash * 31 + frame.answered;
        hash = hash * 31 + frame.restarts, hash = hash * 31 + frame.waiting;
        hashes[f] = hash;
    }
    office_close(&o);
}

static void any_number_of_workers_gives_the_same_frames(void **state)
{
    (void)state;
    static uint64_t one[LOCKSTEP_FRAMES], more[LOCKSTEP_FRAMES];
    uint32_t lives = test_times(6, 1);
    for (uint64_t seed = 1; seed <= lives; seed++) {
        lockstep_live(0, seed, one);
        for (uint32_t workers = 1; workers <= 3; workers += 2) {
            lockstep_live(workers, seed, more);
            assert_memory_equal(one, more, sizeof one);
        }
    }
}

/* An index is as urgent as the requests that need it. */
static void urgent_requests_do_not_wait_for_the_index_of_others(void **state)
{
    (void)state;
    const char *specs[] = {"hpa:size=8", "dijkstra"};
    office o = office_open(scene_blank("blank", 200, 200), plain_context(0), specs, 2, NULL);
    ask(&o, &(cairn_request){.to = 39999});
    cairn_ticket urgent =
        ask(&o, &(cairn_request){.planner = 1, .to = 2, .priority = CAIRN_PRIORITIES - 1});
    update(&o, 200);
    CHECK_STATUS(cairn_service_answer(o.service, urgent, NULL), CAIRN_FOUND);
    assert_true(cairn_planner_state(o.planners[0]) != CAIRN_OK);
    urgent = ask(&o, &(cairn_request){.to = 2, .priority = CAIRN_PRIORITIES - 1});
    cairn_ticket other = ask(&o, &(cairn_request){.planner = 1, .to = 39999});
    while (!update(&o, 200).answered) {
    }
    CHECK_STATUS(cairn_service_answer(o.service, urgent, NULL), CAIRN_FOUND);
    CHECK_STATUS(cairn_service_answer(o.service, other, NULL), CAIRN_RUNNING);
    office_close(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_a_search),
        cmocka_unit_test(faults_are_answers_and_wrong_calls_are_refused),
        cmocka_unit_test(urgent_requests_come_first),
        cmocka_unit_test(nothing_waits_for_ever),
        cmocka_unit_test(urgent_requests_do_not_wait_for_long_searches),
        cmocka_unit_test(who_is_too_late_is_told_so),
        cmocka_unit_test(equal_requests_share_a_search),
        cmocka_unit_test(a_shared_search_is_as_urgent_as_any_of_its_requests),
        cmocka_unit_test(a_shared_search_is_not_urgent_any_more),
        cmocka_unit_test(who_is_released_costs_nothing_more),
        cmocka_unit_test(functions_are_called_in_the_order_of_tickets),
        cmocka_unit_test(pieces_follow_each_other),
        cmocka_unit_test(functions_may_continue_other_tickets),
        cmocka_unit_test(each_piece_has_its_deadline),
        cmocka_unit_test(searches_that_commits_overtake_begin_again),
        cmocka_unit_test(a_limit_of_bytes_holds_under_overload),
        cmocka_unit_test(a_flood_of_requests_leaves_room_for_answers),
        cmocka_unit_test(searches_that_do_not_fit_are_refused),
        cmocka_unit_test(without_memory_nothing_is_lost),
        cmocka_unit_test(a_warm_service_asks_for_no_memory),
        cmocka_unit_test(any_number_of_workers_gives_the_same_frames),
        cmocka_unit_test(urgent_requests_do_not_wait_for_the_index_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
