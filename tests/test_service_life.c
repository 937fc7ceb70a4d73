/* test_service_life.c: random lives of path services: requests, releases, edits, moves of agents,
 * frames with all kinds of budgets. After every frame every answer is checked in the world as it
 * is. Nothing is lost, and nothing answered twice or never; two services with different numbers of
 * workers are the same in every frame; and a service may be destroyed in the middle of its work.
 */
#include "office.h"

enum { LIMIT = 130000, TICKETS = 48, WIDTH = 90, HEIGHT = 70, BACKGROUND = 6 };

typedef struct held {
    cairn_ticket ticket;
    bool answered, followed, called; /* it has a function */
    uint32_t calls, planner;
    uint64_t hash;
} held;

typedef struct life {
    office o;
    scene_rng rng;
    held held[TICKETS];
    uint64_t frames, requests, refused, broken, shortcuts, restarts, pinned, hash;
    /* answers of the old indexes of these two, which a newer world has taken */
    uint64_t behind[2];
    uint32_t soft_debt;
    uint64_t paid; /* units used with a soft budget, less that budget */
    bool faults;   /* memory may fail */
} life;

static const char *const specs[] = {"astar", "jps", "hpa:size=16", "theta"};

/* Planners whose index is made in the background: one that does so itself, and gives pieces, and one
 * that has twins. */
static void life_add_others(life *l)
{
    static const char *const others[] = {"pra", "alt:landmarks=1"};
    cairn_service_share share = {.searches = 2, .background = BACKGROUND};
    uint32_t number;
    for (uint32_t i = 4; i < 6; i++) {
        CHECK_OK(cairn_planner_create(l->o.space, others[i - 4], &l->o.planners[i], NULL));
        CHECK_OK(cairn_service_add(l->o.service, l->o.planners[i], &share, &number));
        assert_int_equal(number, i);
    }
    l->o.planner_count = 6;
}

static life life_begin(uint64_t seed, cairn_context *context, size_t byte_limit)
{
    life l = {.rng = {seed}, .hash = 1};
    cairn_service_options options = {.slice = 30, .ageing = 7, .byte_limit = byte_limit};
    scene *s = seed % 2 ? scene_rooms("rooms", WIDTH, HEIGHT, 9, seed)
                        : scene_noise("noise", WIDTH, HEIGHT, 25, seed);
    if (seed % 4 > 1) scene_add_terrain(s, seed);
    l.o = office_open(s, context, specs, 4, &options);
    life_add_others(&l);
    return l;
}

static cairn_space *life_space(const life *l)
{
    return l->o.space;
}

/* Did an old index find it, while a new one was made? */
static bool life_is_behind(const life *l, const held *h, const cairn_path *path)
{
    return h->planner >= 4 && path->count && path->version < cairn_space_version(life_space(l)) &&
           path->answered_by == cairn_planner_algorithm(l->o.planners[h->planner]);
}

/* ---- what is done -------------------------------------------------------------------------- */

static void life_told(void *user, cairn_ticket ticket, const cairn_path *path)
{
    life *l = user;
    uint32_t i = 0;
    while (l->held[i].ticket != ticket) assert_true(++i < TICKETS);
    held *h = &l->held[i];
    assert_non_null(path);
    h->calls++;
    assert_true(h->calls == 1 || h->followed);
    if (path->count && path->version == cairn_space_version(life_space(l)))
        assert_true(cairn_path_valid(life_space(l), path, NULL, NULL, NULL));
    l->hash = hash_path(l->hash, path);
    l->behind[h->planner == 5] += life_is_behind(l, h, path);
    if (h->followed || h->calls > 1 || !path->count) return;
    if (scene_random(&l->rng, 2)) return;
    cairn_status status = cairn_service_follow(l->o.service, ticket, CAIRN_SHORTCUTS_POSSIBLE);
    assert_true(status == CAIRN_OK || (status == CAIRN_OUT_OF_MEMORY && l->faults));
    h->followed = status == CAIRN_OK;
}

static void life_release(life *l, held *h)
{
    if (!h->ticket) return;
    bool gone = h->called && h->calls && !h->followed;
    CHECK_STATUS(cairn_service_release(l->o.service, h->ticket), gone ? CAIRN_INVALID : CAIRN_OK);
    *h = (held){0};
}

static void life_request(life *l, held *h)
{
    cairn_request request = request_any(&l->o, &l->rng);
    life_release(l, h);
    request.deadline = scene_random(&l->rng, 5) ? 0 : 1 + scene_random(&l->rng, 20);
    request.piece = scene_random(&l->rng, 4) ? 0 : 9;
    h->planner = request.planner;
    request.partial = scene_random(&l->rng, 3) == 0;
    h->called = scene_random(&l->rng, 3) == 0;
    if (h->called) request.answer = life_told, request.user = l;
    cairn_status status = cairn_service_request(l->o.service, &request, &h->ticket);
    assert_true(status == CAIRN_OK || (status == CAIRN_OUT_OF_MEMORY && l->faults));
    l->requests += status == CAIRN_OK;
    l->refused += status != CAIRN_OK;
    l->hash = l->hash * 31 + h->ticket;
}

static void life_follow(life *l, held *h)
{
    const cairn_path *path = NULL;
    cairn_service_answer(l->o.service, h->ticket, &path);
    cairn_shortcuts shortcuts = (cairn_shortcuts)scene_random(&l->rng, CAIRN_SHORTCUTS_COUNT);
    cairn_status status = cairn_service_follow(l->o.service, h->ticket, shortcuts);
    bool may = h->followed || (path && path->count);
    assert_true(status == (may ? CAIRN_OK : CAIRN_INVALID) ||
                (status == CAIRN_OUT_OF_MEMORY && l->faults));
    if (status != CAIRN_OK) return;
    h->followed = true;
    h->answered = cairn_service_answer(l->o.service, h->ticket, NULL) != CAIRN_RUNNING;
}

static void life_walk(life *l, held *h)
{
    const cairn_path *path = NULL;
    cairn_followed now;
    cairn_node cells[64], at = scene_pick(l->o.scene, &l->rng);
    if (!h->followed) {
        CHECK_STATUS(cairn_service_walked(l->o.service, h->ticket, at), CAIRN_INVALID);
        return;
    }
    cairn_service_answer(l->o.service, h->ticket, &path);
    CHECK_OK(cairn_service_followed(l->o.service, h->ticket, &now));
    if (path && path->count && scene_random(&l->rng, 8)) {
        uint32_t k = 0, count = cairn_path_cells(life_space(l), path, 0, cells, 64);
        while (k < count && cells[k] != now.at) k++;
        if (k + 1 >= count) return;
        at = cells[k + 1 + scene_random(&l->rng, count - k - 1)];
    }
    CHECK_OK(cairn_service_walked(l->o.service, h->ticket, at));
    h->answered = cairn_service_answer(l->o.service, h->ticket, NULL) != CAIRN_RUNNING;
    const cairn_path *same = NULL;
    cairn_service_answer(l->o.service, h->ticket, &same);
    if (same) assert_true(same == path);
}

static void life_continue(life *l, held *h)
{
    if (cairn_service_continue(l->o.service, h->ticket) == CAIRN_OK) h->answered = false;
}

/* Any cell; or one of a path, if that of one who is drawn by lot is known. */
static cairn_node life_draw(life *l)
{
    const cairn_path *path = NULL;
    const held *h = &l->held[scene_random(&l->rng, TICKETS)];
    cairn_node any = scene_random(&l->rng, WIDTH * HEIGHT);
    cairn_service_answer(l->o.service, h->ticket, &path);
    if (!path || !path->count) return any;
    return path->nodes[scene_random(&l->rng, path->count)];
}

static void life_edit(life *l)
{
    cairn_node at = life_draw(l);
    int32_t x = (int32_t)(at % WIDTH), y = (int32_t)(at / WIDTH);
    int32_t side = 1 + (int32_t)scene_random(&l->rng, 4);
    uint32_t what = scene_random(&l->rng, 5);
    for (int32_t j = y; j < y + side && j < HEIGHT; j++)
        for (int32_t i = x; i < x + side && i < WIDTH; i++) {
            cairn_status status = what < 4 ? cairn_grid_set_open(l->o.grid, i, j, what % 2)
                                           : cairn_grid_set_terrain(l->o.grid, i, j, (uint8_t)side);
            assert_true(status == CAIRN_OK || (status == CAIRN_OUT_OF_MEMORY && l->faults));
        }
    cairn_status status = cairn_grid_commit(l->o.grid);
    assert_true(status == CAIRN_OK || (status == CAIRN_OUT_OF_MEMORY && l->faults));
}

static void life_do(life *l)
{
    held *h = &l->held[scene_random(&l->rng, TICKETS)];
    uint32_t what = scene_random(&l->rng, 16);
    if (what < 5)
        life_request(l, h);
    else if (what == 5)
        life_release(l, h);
    else if (what == 6)
        life_continue(l, h);
    else if (what == 7)
        life_edit(l);
    else if (what < 11)
        life_follow(l, h);
    else
        life_walk(l, h);
}

/* ---- what must be so ------------------------------------------------------------------------ */

/* What is left of a followed path, at least behind the line where its agent is. */
static void life_check_rest(life *l, const held *h, const cairn_path *path)
{
    cairn_followed now;
    CHECK_OK(cairn_service_followed(l->o.service, h->ticket, &now));
    if (now.version < cairn_space_version(life_space(l)) || !path || !path->count) return;
    cairn_path rest = *path;
    uint32_t behind = now.segment + 1;
    assert_true(behind <= rest.count);
    rest.status = CAIRN_FOUND;
    rest.nodes += behind, rest.count -= behind;
    if (rest.count > 1) assert_true(cairn_path_valid(life_space(l), &rest, NULL, NULL, NULL));
}

static void life_check(life *l, held *h, const cairn_frame *frame)
{
    const cairn_path *path = NULL;
    cairn_status status = cairn_service_answer(l->o.service, h->ticket, &path);
    if (!h->ticket || (h->called && h->calls && !h->followed)) {
        CHECK_STATUS(status, CAIRN_INVALID);
        return;
    }
    uint64_t hash = path ? hash_path(1, path) * 31 + path->version : 0;
    assert_true((status == CAIRN_RUNNING) == !path);
    assert_true(!h->answered || h->followed || (path && hash == h->hash));
    if (path && path->count && (!h->answered || hash != h->hash) && !h->followed)
        assert_true(path->version <= cairn_space_version(life_space(l)) &&
                    cairn_path_valid(life_space(l), path, NULL, NULL, NULL));
    if (path && !h->answered && !h->followed)
        l->behind[h->planner == 5] += life_is_behind(l, h, path);
    if (h->followed) life_check_rest(l, h, path);
    h->answered = path != NULL;
    h->hash = hash;
    l->hash = l->hash * 31 + hash + frame->used;
}

static cairn_frame life_frame(life *l)
{
    for (uint32_t i = scene_random(&l->rng, 12); i; i--) life_do(l);
    cairn_frame frame = {.work = 1 + scene_random(&l->rng, 900)};
    if (scene_random(&l->rng, 8) == 0) frame.work = 1 + scene_random(&l->rng, 3);
    if (scene_random(&l->rng, 3) == 0) frame.soft = 1 + scene_random(&l->rng, (uint32_t)frame.work);
    CHECK_OK(cairn_service_update(l->o.service, &frame));
    uint64_t divided = frame.used - frame.undivided;
    CHECK(divided <= frame.work, "%u units of %u", (unsigned)divided, (unsigned)frame.work);
    l->frames++;
    l->broken += frame.broken, l->shortcuts += frame.shortcuts, l->restarts += frame.restarts;
    l->pinned += frame.pinned;
    uint64_t said[] = {frame.used,
                       frame.undivided,
                       frame.debt,
                       frame.answered,
                       frame.expired,
                       frame.waiting,
                       frame.running,
                       frame.restarts,
                       frame.pinned,
                       frame.outdated,
                       frame.broken,
                       frame.shortcuts,
                       cairn_service_usage(l->o.service).bytes};
    for (uint32_t i = 0; i < LENGTH(said); i++) l->hash = l->hash * 31 + said[i];
    for (uint32_t i = 0; i < TICKETS; i++) life_check(l, &l->held[i], &frame);
    return frame;
}

/* No more requests: all that wait are answered. Answers are given back, so that there is room. */
static void life_end(life *l)
{
    cairn_frame frame = {.waiting = 1};
    for (uint32_t n = 0; frame.waiting || frame.running; n++) {
        assert_true(n < 20000);
        frame = (cairn_frame){.work = 2000};
        CHECK_OK(cairn_service_update(l->o.service, &frame));
        for (uint32_t i = 0; i < TICKETS; i++) {
            life_check(l, &l->held[i], &frame);
            if (l->held[i].answered) life_release(l, &l->held[i]);
        }
    }
    for (uint32_t i = 0; i < TICKETS; i++) {
        held *h = &l->held[i];
        assert_true(!h->ticket || (h->called && h->calls) || h->followed);
    }
    for (uint32_t i = 0; i < TICKETS; i++) life_release(l, &l->held[i]);
    cairn_service_use use = cairn_service_usage(l->o.service);
    assert_int_equal(use.tickets, 0);
    assert_int_equal(use.followed, 0);
    assert_int_equal(use.requests, l->requests);
    assert_int_equal(use.refused, l->refused);
    office_close(&l->o);
}

static void nothing_is_lost_and_every_answer_is_right(void **state)
{
    (void)state;
    uint64_t broken = 0, shortcuts = 0, restarts = 0, first = test_first_life(),
             end = first + test_lives(4, 2);
    for (uint64_t seed = first; seed < end; seed++) {
        test_tell_life("service", seed);
        life l = life_begin(seed, plain_context(0), 0);
        for (uint32_t i = 0; i < 250; i++) life_frame(&l);
        broken += l.broken, shortcuts += l.shortcuts, restarts += l.restarts;
        life_end(&l);
    }
    CHECK(broken > 1 && shortcuts > 1 && restarts > 10, "%u, %u, %u", (unsigned)broken,
          (unsigned)shortcuts, (unsigned)restarts);
}

static void nothing_is_lost_within_a_limit_of_bytes(void **state)
{
    (void)state;
    uint64_t first = test_first_life(), end = first + test_lives(4, 2);
    for (uint64_t seed = first; seed < end; seed++) {
        test_tell_life("limit", seed);
        life l = life_begin(seed, plain_context(0), LIMIT);
        l.faults = true;
        for (uint32_t i = 0; i < 250; i++) {
            life_frame(&l);
            cairn_service_use use = cairn_service_usage(l.o.service);
            CHECK(use.peak_bytes <= LIMIT, "%zu bytes", use.peak_bytes);
        }
        life_end(&l);
    }
}

/* Requests for memory fail now and then, one by one and in rows. */
static void nothing_is_lost_without_memory(void **state)
{
    (void)state;
    uint64_t failures = 0, first = test_first_life(), end = first + test_lives(6, 2);
    for (uint64_t seed = first; seed < end; seed++) {
        test_tell_life("memory", seed);
        watched w = {0};
        cairn_context *context;
        CHECK_OK(watched_context(&w, &context));
        life l = life_begin(seed, context, 0);
        l.faults = true;
        for (uint32_t i = 0; i < 150; i++) {
            w.fail_at = scene_random(&l.rng, 2) ? w.calls + 1 + scene_random(&l.rng, 12) : 0;
            w.fail_on = scene_random(&l.rng, 4) == 0;
            life_frame(&l);
        }
        w.fail_at = 0, w.fail_on = false;
        failures += w.failures;
        life_end(&l);
        assert_true(!w.blocks && !w.wrong_size);
    }
    assert_true(failures > 20);
}

/* All that is asked for right behind a commit is answered by the old indexes. */
static void life_ask_old_indexes(life *l)
{
    for (uint32_t i = 0; i < TICKETS; i++) life_release(l, &l->held[i]);
    for (uint32_t i = 0; i < 2 * BACKGROUND; i++) {
        cairn_frame idle = {0};
        CHECK_OK(cairn_service_update(l->o.service, &idle));
    }
    life_edit(l);
    for (uint32_t i = 0; i < TICKETS / 2; i++) {
        held *h = &l->held[i];
        cairn_request request = request_any(&l->o, &l->rng);
        request.planner = h->planner = 4 + i % 2;
        CHECK_OK(cairn_service_request(l->o.service, &request, &h->ticket));
        l->requests++;
    }
    life_frame(l);
}

/* Both live the same life, frame by frame. CAIRN_TEST_LIVES=4500 is a million requests. */
static void services_in_lockstep_are_equal_in_every_frame(void **state)
{
    (void)state;
    uint64_t requests = 0, behind[2] = {0}, pinned = 0, first = test_first_life(),
             end = first + test_lives(4, 1);
    for (uint64_t seed = first; seed < end; seed++) {
        test_tell_life("lockstep", seed);
        size_t limit = seed % 3 ? 0 : LIMIT;
        life one = life_begin(seed, plain_context(0), limit),
             other = life_begin(seed, plain_context(1 + (uint32_t)seed % 3), limit);
        one.faults = other.faults = limit != 0;
        for (uint32_t i = 0; i < 150; i++) {
            life_frame(&one);
            life_frame(&other);
            assert_int_equal(one.hash, other.hash);
            if (i % 50 != 49 || limit) continue;
            life_ask_old_indexes(&one);
            life_ask_old_indexes(&other);
            assert_int_equal(one.hash, other.hash);
        }
        life_end(&one);
        life_end(&other);
        assert_int_equal(one.hash, other.hash);
        requests += one.requests, pinned += one.pinned;
        for (uint32_t i = 0; i < 2; i++) behind[i] += one.behind[i];
    }
    CHECK(first % 3 == 0 || (pinned && behind[0] && behind[1]),
          "%u pinned, %u and %u of old indexes", (unsigned)pinned, (unsigned)behind[0],
          (unsigned)behind[1]);
    if (getenv("CAIRN_TEST_TELL")) print_error("%llu requests\n", (unsigned long long)requests);
}

/* With searches, pins, a sync in the background and paths that are walked. Everything is given back,
 * and no function is called. */
static void services_are_destroyed_in_the_middle(void **state)
{
    (void)state;
    uint32_t live = 0, synced = 0;
    uint64_t first = test_first_life(), end = first + test_lives(8, 5);
    for (uint64_t seed = first; seed < end; seed++) {
        test_tell_life("middle", seed);
        watched w = {0};
        cairn_context_options options = cairn_context_defaults();
        cairn_context *context;
        options.allocate = watched_allocate, options.allocate_user = &w;
        CHECK_OK(cairn_context_create(&options, &context));
        life l = life_begin(seed, context, 0);
        cairn_frame frame = {0};
        for (uint32_t i = 0; i < 40 + seed % 7; i++) {
            for (uint32_t k = 0; k < 4; k++)
                life_request(&l, &l.held[scene_random(&l.rng, TICKETS)]);
            life_edit(&l);
            frame = life_frame(&l);
        }
        live += frame.running + frame.waiting;
        synced += cairn_planner_sync_end(l.o.planners[4], false, NULL) == CAIRN_RUNNING;
        uint64_t hash = l.hash;
        office_close(&l.o);
        assert_int_equal(hash, l.hash);
        assert_true(!w.blocks && !w.wrong_size);
    }
    CHECK(live > 0 && synced > 0, "%u live, %u synced", live, synced);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost_and_every_answer_is_right),
        cmocka_unit_test(nothing_is_lost_within_a_limit_of_bytes),
        cmocka_unit_test(nothing_is_lost_without_memory),
        cmocka_unit_test(services_in_lockstep_are_equal_in_every_frame),
        cmocka_unit_test(services_are_destroyed_in_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
