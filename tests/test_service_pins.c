/* test_service_pins.c: requests that take longer than the world stands still. They end too, in the
 * world as it was, and what they say holds in the world as it is.
 */
#include "office.h"

enum { SIDE = 120 };

/* The optimal cost in the world as it is. */
static cairn_cost best_cost(office *o, cairn_node from, cairn_node to)
{
    cairn_planner *planner;
    cairn_search *search;
    const cairn_path *path;
    CHECK_OK(cairn_planner_create(o->space, "astar", &planner, NULL));
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    cairn_search_find(search, &(cairn_query){.from = from, .to = to}, &path);
    cairn_cost cost = path->cost;
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    return cost;
}

static void edit(office *o, scene_rng *rng, int32_t left, int32_t top, uint32_t side)
{
    uint32_t side2 = side - 4;
    int32_t x = left + (int32_t)scene_random(rng, side2),
            y = top + (int32_t)scene_random(rng, side2);
    bool open = scene_random(rng, 2);
    for (int32_t j = y; j < y + 3; j++)
        for (int32_t i = x; i < x + 3; i++) CHECK_OK(cairn_grid_set_open(o->grid, i, j, open));
    /* never an empty commit */
    CHECK_OK(cairn_grid_set_open(o->grid, left, top, !cairn_grid_is_open(o->grid, left, top)));
    CHECK_OK(cairn_grid_commit(o->grid));
}

/* A change that means nothing to the agent, at the start of a search: it cannot go on. */
static void touch(office *o, cairn_node node)
{
    int32_t x = (int32_t)(node % SIDE), y = (int32_t)(node / SIDE);
    uint8_t value = cairn_grid_layer(o->grid, x, y) ? 0 : 1;
    CHECK_OK(cairn_grid_set_layer(o->grid, x, y, value));
    CHECK_OK(cairn_grid_commit(o->grid));
}

/* Commits in every frame, of which a search needs dozens. */
static void searches_end_although_the_world_changes(scene *s, const char *spec,
                                                    cairn_profile *profile)
{
    if (profile) s->profile = *profile;
    office o = office_open(s, plain_context(0), &spec, 1, NULL);
    scene_rng rng = {5};
    uint32_t outdated = 0, pinned = 0, found = 0, stale = 0;
    for (uint32_t round = 0; round < 25; round++) {
        cairn_request request = request_any(&o, &rng);
        cairn_ticket ticket = ask(&o, &request);
        cairn_status status = CAIRN_RUNNING;
        cairn_frame frame = {0};
        const cairn_path *path;
        for (uint32_t frames = 0; status == CAIRN_RUNNING; frames++) {
            assert_true(frames < 3000);
            frame = update(&o, 60);
            assert_true(frame.restarts <= 2);
            outdated += frame.outdated, pinned += frame.pinned;
            status = cairn_service_answer(o.service, ticket, &path);
            if (status != CAIRN_RUNNING) break;
            edit(&o, &rng, 0, 0, SIDE);
            touch(&o, request.from);
        }
        found += status == CAIRN_FOUND, stale += status == CAIRN_STALE;
        uint64_t now = cairn_space_version(o.space);
        if (status == CAIRN_FOUND) {
            cairn_cost cost, best = best_cost(&o, request.from, request.to);
            assert_true(cairn_path_valid(o.space, path, &cost, NULL, NULL));
            assert_int_equal(cost, path->cost);
            assert_true(cost >= best);
            assert_true(path->version == now ? cost == best : path->suboptimality_bound == 0);
            assert_true(path->nodes[0] == request.from && path->end == request.to);
        } else if (status == CAIRN_UNREACHABLE) {
            assert_int_equal(best_cost(&o, request.from, request.to), CAIRN_NO_COST);
        }
        CHECK_OK(cairn_service_release(o.service, ticket));
    }
    CHECK(outdated > 8 && pinned > 8 && found > 3, "%s: %u outdated, %u pinned, %u found, %u stale",
          spec, outdated, pinned, found, stale);
    office_close(&o);
}

static void long_searches_end(void **state)
{
    (void)state;
    searches_end_although_the_world_changes(scene_noise("noise", SIDE, SIDE, 30, 3), "astar", NULL);
    searches_end_although_the_world_changes(scene_rooms("rooms", SIDE, SIDE, 9, 4), "dijkstra",
                                            NULL);
    searches_end_although_the_world_changes(scene_noise("noise", SIDE, SIDE, 30, 5), "bfs", NULL);
}

static void long_searches_of_all_kinds_end(void **state)
{
    (void)state;
    scene *s = scene_blocks("radius", SIDE, SIDE, 100, 4);
    s->profile.radius = 1.2;
    searches_end_although_the_world_changes(s, "astar", NULL);
    s = scene_noise("costs", SIDE, SIDE, 20, 6);
    scene_add_terrain(s, 7);
    searches_end_although_the_world_changes(s, "astar", NULL);
    s = scene_noise("hexagons", SIDE, SIDE, 25, 8);
    scene_make_hex(s);
    searches_end_although_the_world_changes(s, "astar", NULL);
}

/* The index is never there in time, since every commit makes it stale. */
static void requests_do_not_wait_for_a_late_index(void **state)
{
    (void)state;
    searches_end_although_the_world_changes(scene_noise("noise", SIDE, SIDE, 25, 3), "hpa:size=40",
                                            NULL);
}

/* Nobody waited while the world changed: the first request gets the index its repair. */
static void an_index_that_nobody_needs_is_not_late(void **state)
{
    (void)state;
    static const char *const specs[] = {"hpa:size=40"};
    office o =
        office_open(scene_noise("noise", SIDE, SIDE, 25, 3), plain_context(0), specs, 1, NULL);
    scene_rng rng = {5};
    CHECK_OK(cairn_planner_sync(o.planners[0], NULL, NULL));
    for (uint32_t round = 0; round < 8; round++) {
        for (uint32_t i = 0; i < 4; i++) {
            edit(&o, &rng, 0, 0, SIDE);
            update(&o, 500);
        }
        cairn_request request = request_any(&o, &rng);
        cairn_ticket ticket = ask(&o, &request);
        if (round % 2) edit(&o, &rng, 0, 0, SIDE); /* in the same frame */
        for (uint32_t frames = 0; cairn_service_answer(o.service, ticket, NULL) == CAIRN_RUNNING;) {
            assert_int_equal(update(&o, 20000).pinned, 0);
            assert_true(++frames < 100);
        }
        CHECK_STATUS(cairn_planner_state(o.planners[0]), CAIRN_OK);
        CHECK_OK(cairn_service_release(o.service, ticket));
    }
    office_close(&o);
}

/* The index cannot be made for want of memory. Who searches without it goes on. */
static void pinned_searches_do_not_need_the_index(void **state)
{
    (void)state;
    bool failed = false;
    for (uint64_t fail_at = 1; !failed; fail_at++) {
        assert_true(fail_at < 100);
        watched w = {0};
        cairn_context *context;
        CHECK_OK(watched_context(&w, &context));
        office o = office_open(scene_blank("blank", SIDE, SIDE), context, NULL, 0, NULL);
        office_add_within(&o, "pra");
        CHECK_OK(cairn_planner_sync(o.planners[0], NULL, NULL));
        cairn_request request = {.to = SIDE * SIDE - 1, .priority = CAIRN_PRIORITIES - 1};
        cairn_ticket ticket = ask(&o, &request);
        scene_rng rng = {5};
        for (bool pinned = false; !pinned;) {
            edit(&o, &rng, 20, 20, 80);
            pinned = update(&o, 60).pinned != 0;
        }
        edit(&o, &rng, 20, 20, 80);
        w.fail_at = w.calls + fail_at;
        for (uint32_t i = 0; i < 20 && !w.failures; i++) update(&o, 60);
        w.fail_at = 0;
        cairn_status status = cairn_service_answer(o.service, ticket, NULL);
        failed = w.failures && cairn_planner_state(o.planners[0]) == CAIRN_NOT_BUILT;
        if (failed) {
            assert_true(status != CAIRN_OUT_OF_MEMORY);
            update_all(&o);
            CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_FOUND);
        }
        office_close(&o);
    }
}

/* The search sees nothing of the commits: it finds what was optimal when it was pinned, if edits
 * never touch it. */
static void pinned_searches_see_the_world_as_it_was(void **state)
{
    (void)state;
    static const char *const specs[] = {"dijkstra"};
    scene *s = scene_blank("halves", SIDE, SIDE);
    office o = office_open(s, plain_context(0), specs, 1, NULL);
    scene_rng rng = {9};
    cairn_ticket ticket = ask(&o, &(cairn_request){.from = 60 * SIDE + 2, .to = 60 * SIDE + 50});
    const cairn_path *path;
    cairn_status status = CAIRN_RUNNING;
    uint64_t version = 0;
    for (uint32_t i = 0; status == CAIRN_RUNNING; i++) {
        cairn_frame frame = update(&o, 200);
        if (frame.pinned) version = cairn_space_version(o.space);
        status = cairn_service_answer(o.service, ticket, &path);
        if (status != CAIRN_RUNNING) break;
        edit(&o, &rng, 60, 0, 60);
        touch(&o, 60 * SIDE + 2);
    }
    CHECK_STATUS(status, CAIRN_FOUND);
    assert_true(version && path->version == version && version < cairn_space_version(o.space));
    assert_true(path->count == 2 && path->cost == 48 * 5741 && path->suboptimality_bound == 0);
    office_close(&o);
}

/* Debts leave frames less than a commit costs the search that is pinned. They pay for it together,
 * and it goes on in the world where it was pinned. */
static void debts_do_not_throw_pinned_searches_back(void **state)
{
    (void)state;
    enum { SOFT = 8, WORK = 200, BETWEEN = 7 };
    static const char *const specs[] = {"dijkstra"};
    office o = office_open(scene_blank("halves", SIDE, SIDE), plain_context(0), specs, 1, NULL);
    const cairn_node from = 60 * SIDE + 2;
    cairn_ticket ticket =
        ask(&o, &(cairn_request){.from = from, .to = from + 48, .priority = CAIRN_PRIORITIES - 1});
    for (bool pinned = false; !pinned; touch(&o, from)) pinned = update(&o, WORK).pinned != 0;
    uint64_t version = cairn_space_version(o.space) - 1, used = 0, frames = 0;
    for (int32_t y = 0; y < SIDE; y++) { /* nearly all cells: a commit costs 15 units then */
        for (int32_t x = 0; x < SIDE; x++) CHECK_OK(cairn_grid_set_layer(o.grid, x, y, 2));
        if (y % 10 != 9) continue;
        CHECK_OK(cairn_grid_commit(o.grid));
        cairn_frame frame = update(&o, 20);
        CHECK(frame.pinned + frame.restarts == 0, "row %d: %u %u", y, frame.pinned, frame.restarts);
    }
    while (cairn_service_answer(o.service, ticket, NULL) == CAIRN_RUNNING) {
        cairn_frame frame = {.work = WORK, .soft = SOFT};
        CHECK_OK(cairn_service_update(o.service, &frame));
        assert_int_equal(frame.pinned + frame.restarts, 0);
        assert_true(frame.used <= (frames ? SOFT : WORK)); /* the rest is always owed */
        used += frame.used;
        if (frames++ % BETWEEN == 0) touch(&o, from);
        assert_true(frames < 2000);
    }
    const cairn_path *path;
    CHECK_STATUS(cairn_service_answer(o.service, ticket, &path), CAIRN_FOUND);
    assert_true(path->version == version && path->cost == 48 * 5741 && used > 2000);
    office_close(&o);
}

/* Of two that commits overtake, one is done first, and the other begins in the world as it is by
 * then. */
static void pinned_searches_come_one_after_the_other(void **state)
{
    (void)state;
    static const char *const specs[] = {"dijkstra"};
    office o = office_open(scene_blank("blank", SIDE, SIDE), plain_context(0), specs, 1, NULL);
    cairn_ticket tickets[2];
    const cairn_path *path;
    uint64_t versions[2] = {0, 0}, answered = 0;
    for (uint32_t i = 0; i < 2; i++)
        tickets[i] = ask(&o, &(cairn_request){.from = i, .to = SIDE * SIDE - 1});
    for (uint32_t frames = 0; !versions[1]; frames++) {
        assert_true(frames < 1000);
        update(&o, 100);
        for (uint32_t i = 0; i < 2; i++) {
            cairn_status status = cairn_service_answer(o.service, tickets[i], &path);
            if (status == CAIRN_RUNNING || versions[i]) continue;
            CHECK_STATUS(status, CAIRN_FOUND);
            versions[i] = path->version;
            if (i == 0) answered = cairn_space_version(o.space);
        }
        touch(&o, 0), touch(&o, 1);
    }
    assert_true(versions[0] && versions[0] < answered && versions[1] >= answered);
    office_close(&o);
}

/* A wall across the way, cell (80, 60) the first of the lower half. */
static void wall(office *o, bool open)
{
    for (int32_t y = 60; y < 100; y++) CHECK_OK(cairn_grid_set_open(o->grid, 80, y, open));
    CHECK_OK(cairn_grid_commit(o->grid));
    for (int32_t y = 20; y < 60; y++) CHECK_OK(cairn_grid_set_open(o->grid, 80, y, open));
    CHECK_OK(cairn_grid_commit(o->grid));
}

/* It stands when the search passes there, and is gone when it has found its path. */
static void pinned_searches_pass_what_was_not_there(void **state)
{
    (void)state;
    static const char *const specs[] = {"dijkstra"};
    office o = office_open(scene_blank("blank", SIDE, SIDE), plain_context(0), specs, 1, NULL);
    const cairn_node from = 60 * SIDE + 2, to = 60 * SIDE + 110;
    cairn_ticket ticket = ask(&o, &(cairn_request){.from = from, .to = to});
    const cairn_path *path;
    for (bool pinned = false; !pinned; touch(&o, from)) pinned = update(&o, 100).pinned != 0;
    wall(&o, false);
    uint64_t work = 0;
    while (work < 11500) work += update(&o, 100).used;
    CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_RUNNING);
    wall(&o, true);
    update_all(&o);
    CHECK_STATUS(cairn_service_answer(o.service, ticket, &path), CAIRN_FOUND);
    assert_int_equal(path->cost, 108 * 5741);
    office_close(&o);
}

/* The goal is on a rock, until there is a gap in it. */
static void goals_out_of_reach_may_be_in_reach_by_now(void **state)
{
    (void)state;
    static const char *const specs[] = {"dijkstra"};
    scene *s = scene_blank("rock", SIDE, SIDE);
    s->elevation = calloc(SIDE * SIDE, sizeof *s->elevation);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) s->elevation[i] = i % SIDE >= 100 ? 10 : 0;
    s->profile.max_climb = 1;
    for (uint32_t gap = 0; gap < 2; gap++) {
        scene *again = scene_blank("rock", SIDE, SIDE);
        again->profile = s->profile;
        again->elevation = malloc(SIDE * SIDE * sizeof *s->elevation);
        memcpy(again->elevation, s->elevation, SIDE * SIDE * sizeof *s->elevation);
        office o = office_open(again, plain_context(0), specs, 1, NULL);
        const cairn_node from = 60 * SIDE + 2, to = 60 * SIDE + 110;
        cairn_ticket ticket = ask(&o, &(cairn_request){.from = from, .to = to});
        for (bool pinned = false; !pinned; touch(&o, from)) pinned = update(&o, 100).pinned != 0;
        for (int32_t x = 100; x <= 110 && gap; x++)
            CHECK_OK(cairn_grid_set_elevation(o.grid, x, 60, 0));
        CHECK_OK(cairn_grid_commit(o.grid));
        update_all(&o);
        cairn_status status = cairn_service_answer(o.service, ticket, NULL);
        assert_true(status == CAIRN_STALE); /* nobody knows without another search */
        office_close(&o);
    }
    scene_destroy(s);
}

/* A wall is built behind the search: what it finds does not hold any more. */
static void answers_that_do_not_hold_are_not_given(void **state)
{
    (void)state;
    static const char *const specs[] = {"dijkstra"};
    office o = office_open(scene_blank("blank", SIDE, SIDE), plain_context(0), specs, 1, NULL);
    cairn_ticket ticket = ask(&o, &(cairn_request){.from = 0, .to = 100});
    const cairn_path *path;
    cairn_status status = CAIRN_RUNNING;
    for (int32_t i = 0; status == CAIRN_RUNNING; i++) {
        update(&o, 100);
        status = cairn_service_answer(o.service, ticket, &path);
        for (int32_t x = 1; x < 40; x++) /* in every row, one after the other */
            if (i < 30) CHECK_OK(cairn_grid_set_open(o.grid, x, i == 29 ? 0 : 60 + i, false));
        touch(&o, 0);
    }
    CHECK_STATUS(status, CAIRN_STALE);
    assert_int_equal(path->count, 0);
    office_close(&o);
}

/* Pins are lost when costs change as a whole, or the commits are too large: told in the end. */
static void lost_pins_are_told(void **state)
{
    (void)state;
    static const char *const specs[] = {"dijkstra"};
    scene *s = scene_blank("blank", SIDE, SIDE);
    for (uint32_t i = 0; i < 2; i++) s->profile.terrain_cost[1 + i] = CAIRN_TIMES(0.5 + 0.25 * i);
    office o = office_open(s, plain_context(0), specs, 1, NULL);
    cairn_ticket ticket = ask(&o, &(cairn_request){.from = 0, .to = SIDE * SIDE - 1});
    uint32_t pinned = 0;
    for (uint32_t i = 0; cairn_service_answer(o.service, ticket, NULL) == CAIRN_RUNNING; i++) {
        pinned += update(&o, 50).pinned;
        assert_true(i < 100);
        CHECK_OK(cairn_grid_set_terrain(o.grid, 60, 60, (uint8_t)(i % 3)));
        CHECK_OK(cairn_grid_commit(o.grid));
    }
    CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_STALE);
    assert_int_equal(pinned, 3);
    office_close(&o);
}

/* So are those that no memory is left for. */
static void pins_without_memory_are_told(void **state)
{
    (void)state;
    static const char *const specs[] = {"dijkstra"};
    watched w = {0};
    cairn_context *context;
    CHECK_OK(watched_context(&w, &context));
    office o = office_open(scene_blank("blank", SIDE, SIDE), context, specs, 1, NULL);
    ask(&o, &(cairn_request){.from = 0, .to = SIDE * SIDE - 1});
    update_all(&o);
    cairn_ticket ticket = ask(&o, &(cairn_request){.from = 0, .to = SIDE * SIDE - 1});
    uint32_t restarts = 0;
    for (uint32_t i = 0; cairn_service_answer(o.service, ticket, NULL) == CAIRN_RUNNING; i++) {
        assert_true(i < 20);
        w.fail_at = w.calls + 1, w.fail_on = true;
        cairn_frame frame = update(&o, 50);
        restarts += frame.restarts;
        assert_int_equal(frame.pinned, 0);
        w.fail_at = 0, w.fail_on = false;
        touch(&o, 0);
    }
    CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_STALE);
    assert_int_equal(restarts, 4); /* the first was no pin yet */
    office_close(&o);
}

/* Those that walk are not told: they are searched for until they have a path. */
static void who_walks_gets_a_path_in_the_end(void **state)
{
    (void)state;
    static const char *const specs[] = {"dijkstra"};
    office o = office_open(scene_blank("blank", SIDE, SIDE), plain_context(0), specs, 1, NULL);
    cairn_ticket ticket = ask(&o, &(cairn_request){.from = 0, .to = 100});
    const cairn_path *path;
    update(&o, 0);
    CHECK_OK(cairn_service_follow(o.service, ticket, CAIRN_SHORTCUTS_NEVER));
    CHECK_OK(cairn_grid_set_open(o.grid, 50, 0, false));
    CHECK_OK(cairn_grid_commit(o.grid));
    for (bool pinned = false; !pinned; touch(&o, 0)) pinned = update(&o, 100).pinned != 0;
    for (int32_t y = 0; y < 2; y++) CHECK_OK(cairn_grid_set_open(o.grid, 1, y, false));
    CHECK_OK(cairn_grid_commit(o.grid));
    cairn_frame all = update_all(&o);
    assert_true(all.answered == 1 && !all.restarts);
    CHECK_STATUS(cairn_service_answer(o.service, ticket, &path), CAIRN_FOUND);
    assert_true(cairn_path_valid(o.space, path, NULL, NULL, NULL));
    office_close(&o);
}

/* An answer that had to wait for memory while a wall was built. */
static void answers_that_waited_for_room_are_right(void **state)
{
    (void)state;
    static const char *const specs[] = {"dijkstra"};
    watched w = {0};
    cairn_context *context;
    CHECK_OK(watched_context(&w, &context));
    office o = office_open(scene_blank("blank", SIDE, SIDE), context, specs, 1, NULL);
    const cairn_path *path;
    ask(&o, &(cairn_request){.from = 0, .to = SIDE * SIDE - 1});
    update(&o, 0);
    cairn_ticket ticket = ask(&o, &(cairn_request){.from = 60 * SIDE, .to = 60 * SIDE + 110});
    w.fail_at = w.calls + 1, w.fail_on = true;
    assert_int_equal(update(&o, 0).running, 1);
    assert_true(w.failures > 0);
    w.fail_at = 0, w.fail_on = false;
    wall(&o, false);
    update_all(&o);
    CHECK_STATUS(cairn_service_answer(o.service, ticket, &path), CAIRN_FOUND);
    assert_true(cairn_path_valid(o.space, path, NULL, NULL, NULL));
    office_close(&o);
}

/* ---- searches that commits miss ------------------------------------------------------------ */

/* The same answer as that of a search that begins now, down to the last node? */
static void check_fresh(office *o, const cairn_request *request, const cairn_path *path)
{
    cairn_search *search;
    const cairn_path *fresh;
    CHECK_OK(cairn_search_create(o->planners[0], NULL, &search));
    cairn_search_find(search, &(cairn_query){.from = request->from, .to = request->to}, &fresh);
    assert_int_equal(path->status, fresh->status);
    assert_int_equal(hash_path(1, path), hash_path(1, fresh));
    assert_int_equal(path->count, fresh->count);
    assert_int_equal(path->version, fresh->version);
    assert_true(path->suboptimality_bound == fresh->suboptimality_bound);
    cairn_search_destroy(search);
}

/* A commit in nearly every frame, anywhere. */
static void searches_survive(scene *s, const char *spec, bool terrain)
{
    office o = office_open(s, plain_context(0), &spec, 1, NULL);
    scene_rng rng = {6};
    uint32_t frames = 0, commits = 0, restarts = 0, rounds = test_lives(120, 60);
    for (uint32_t round = 0; round < rounds; round++) {
        cairn_request request = request_any(&o, &rng);
        cairn_ticket ticket = ask(&o, &request);
        const cairn_path *path;
        for (bool pinned = false;;) {
            cairn_frame frame = update(&o, 60 + scene_random(&rng, 200));
            frames++, restarts += frame.restarts;
            pinned |= frame.pinned != 0;
            cairn_status status = cairn_service_answer(o.service, ticket, &path);
            if (status != CAIRN_RUNNING && !pinned) check_fresh(&o, &request, path);
            if (status != CAIRN_RUNNING) break;
            if (scene_random(&rng, 2)) continue;
            if (scene_random(&rng, 3) == 0) edit(&o, &rng, 0, 0, SIDE); /* two at a time */
            if (terrain) {
                int32_t x = (int32_t)scene_random(&rng, SIDE),
                        y = (int32_t)scene_random(&rng, SIDE);
                CHECK_OK(cairn_grid_set_terrain(o.grid, x, y, (uint8_t)scene_random(&rng, 5)));
                CHECK_OK(cairn_grid_commit(o.grid));
            } else {
                edit(&o, &rng, 0, 0, SIDE);
            }
            commits++;
        }
        CHECK_OK(cairn_service_release(o.service, ticket));
    }
    CHECK(commits > rounds / 2 && restarts * 3 < commits * 2, "%s: %u commits, %u restarts", spec,
          commits, restarts);
    office_close(&o);
}

static void searches_go_on_over_commits_that_miss_them(void **state)
{
    (void)state;
    static const char *const corners[] = {"never", "one", "always"};
    searches_survive(scene_noise("noise", SIDE, SIDE, 30, 3), "astar", false);
    searches_survive(scene_rooms("rooms", SIDE, SIDE, 9, 3), "astar:open=heap", false);
    searches_survive(scene_rooms("rooms", SIDE, SIDE, 9, 4), "dijkstra", false);
    searches_survive(scene_noise("noise", SIDE, SIDE, 30, 5), "bfs", false);
    searches_survive(scene_noise("noise", SIDE, SIDE, 30, 5), "wastar", false);
    for (uint32_t i = 0; i < LENGTH(corners); i++) {
        scene *s = scene_noise(corners[i], SIDE, SIDE, 35, 6);
        s->profile.corners = (cairn_corners)i;
        searches_survive(s, "astar", false);
    }
}

static void a_goal_may_be_blocked_meanwhile(void **state)
{
    (void)state;
    static const char *const specs[] = {"dijkstra"};
    office o = office_open(scene_blank("blank", SIDE, SIDE), plain_context(0), specs, 1, NULL);
    cairn_ticket ticket = ask(&o, &(cairn_request){.from = 0, .to = SIDE * SIDE - 1});
    update(&o, 100);
    CHECK_OK(cairn_grid_set_open(o.grid, SIDE - 1, SIDE - 1, false));
    CHECK_OK(cairn_grid_commit(o.grid));
    update_all(&o);
    CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_BLOCKED_GOAL);
    office_close(&o);
}

static void searches_of_all_kinds_go_on(void **state)
{
    (void)state;
    scene *s = scene_blocks("radius", SIDE, SIDE, 100, 4);
    s->profile.radius = 1.2;
    searches_survive(s, "astar", false);
    s = scene_noise("costs", SIDE, SIDE, 20, 6);
    scene_add_terrain(s, 7);
    searches_survive(s, "astar", true);
    s = scene_noise("hexagons", SIDE, SIDE, 25, 8);
    scene_make_hex(s);
    searches_survive(s, "astar", false);
    s = scene_noise("four", SIDE, SIDE, 25, 8);
    s->profile.neighbours = CAIRN_NEIGHBOURS_4;
    searches_survive(s, "astar", false);
}

/* ---- indexes in the background ------------------------------------------------------------- */

enum { BACKGROUND = 6 };

/* Requests and commits; a hash of everything that is answered, and how much of it was outdated. */
static uint64_t background_life(uint32_t workers, uint32_t *outdated)
{
    office o =
        office_open(scene_rooms("rooms", SIDE, SIDE, 9, 4), plain_context(workers), NULL, 0, NULL);
    cairn_service_share share = {.background = BACKGROUND};
    scene_rng rng = {3};
    uint64_t hash = 1;
    office_add(&o, "pra", &share);
    update_all(&o);
    for (uint32_t round = 0; round < 40; round++) {
        cairn_request request = request_any(&o, &rng);
        cairn_ticket ticket = ask(&o, &request);
        const cairn_path *path;
        if (round % 4 == 1) edit(&o, &rng, 0, 0, SIDE);
        cairn_frame frame = update(&o, 0);
        cairn_status status = cairn_service_answer(o.service, ticket, &path);
        assert_true(status != CAIRN_RUNNING);
        uint64_t now = cairn_space_version(o.space);
        *outdated += frame.outdated;
        assert_true((path->version < now) == (frame.outdated == 1) || status != CAIRN_FOUND);
        assert_true(!frame.outdated || path->suboptimality_bound == 0);
        if (path->count) assert_true(cairn_path_valid(o.space, path, NULL, NULL, NULL));
        if (status == CAIRN_UNREACHABLE)
            assert_int_equal(best_cost(&o, request.from, request.to), CAIRN_NO_COST);
        hash = hash_path(hash, path) * 31 + frame.used + 7 * frame.outdated;
        CHECK_OK(cairn_service_release(o.service, ticket));
    }
    CHECK_STATUS(cairn_planner_state(o.planners[0]), CAIRN_OK);
    office_close(&o);
    return hash;
}

static void the_old_index_serves_meanwhile(void **state)
{
    (void)state;
    uint32_t none = 0, one = 0, three = 0;
    uint64_t hash = background_life(1, &one);
    assert_true(hash == background_life(3, &three));
    assert_true(hash == background_life(0, &none)); /* lockstep, on any machine */
    CHECK(none == one && one > 10 && one == three, "%u, %u, %u", none, one, three);
}

/* The game itself has begun to sync in the background. The service does not know for how long: the
 * first frame waits for the end, and nothing is searched twice. */
static void syncs_that_others_began_are_ended(void **state)
{
    (void)state;
    office o = office_open(scene_blank("blank", 40, 40), plain_context(1), NULL, 0, NULL);
    office_add_within(&o, "pra");
    const cairn_path *path;
    CHECK_OK(cairn_grid_set_open(o.grid, 20, 5, false));
    CHECK_OK(cairn_grid_commit(o.grid));
    CHECK_OK(cairn_planner_sync(o.planners[0], NULL, NULL));
    CHECK_OK(cairn_grid_set_open(o.grid, 20, 5, true));
    CHECK_OK(cairn_grid_commit(o.grid));
    CHECK_STATUS(cairn_planner_sync_begin(o.planners[0], NULL), CAIRN_RUNNING);
    cairn_ticket ticket = ask(&o, &(cairn_request){.from = 0, .to = 5 * 40 + 20});
    cairn_frame frame = update(&o, 0);
    assert_true(frame.answered == 1 && !frame.restarts && !frame.pinned && !frame.outdated);
    CHECK_STATUS(cairn_service_answer(o.service, ticket, &path), CAIRN_FOUND);
    assert_true(path->version == cairn_space_version(o.space));
    office_close(&o);
}

/* Without workers nobody else does what a service has begun: the game may do it in steps. */
static void syncs_that_the_service_began_end_in_steps(void **state)
{
    (void)state;
    office o = office_open(scene_blank("blank", 40, 40), plain_context(0), NULL, 0, NULL);
    cairn_service_share share = {.background = BACKGROUND};
    uint32_t steps = 1;
    office_add(&o, "pra", &share);
    CHECK_OK(cairn_planner_sync(o.planners[0], NULL, NULL));
    CHECK_OK(cairn_grid_set_open(o.grid, 20, 5, false));
    CHECK_OK(cairn_grid_commit(o.grid));
    update(&o, 0);
    while (cairn_planner_sync_step(o.planners[0], 100, NULL) == CAIRN_RUNNING)
        assert_true(++steps < 100);
    CHECK_STATUS(cairn_planner_state(o.planners[0]), CAIRN_OK);
    cairn_ticket ticket = ask(&o, &(cairn_request){.from = 0, .to = 5 * 40 + 20});
    update_all(&o);
    CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_BLOCKED_GOAL);
    office_close(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_searches_end),
        cmocka_unit_test(long_searches_of_all_kinds_end),
        cmocka_unit_test(requests_do_not_wait_for_a_late_index),
        cmocka_unit_test(an_index_that_nobody_needs_is_not_late),
        cmocka_unit_test(pinned_searches_do_not_need_the_index),
        cmocka_unit_test(pinned_searches_see_the_world_as_it_was),
        cmocka_unit_test(debts_do_not_throw_pinned_searches_back),
        cmocka_unit_test(pinned_searches_come_one_after_the_other),
        cmocka_unit_test(pinned_searches_pass_what_was_not_there),
        cmocka_unit_test(goals_out_of_reach_may_be_in_reach_by_now),
        cmocka_unit_test(answers_that_do_not_hold_are_not_given),
        cmocka_unit_test(lost_pins_are_told),
        cmocka_unit_test(pins_without_memory_are_told),
        cmocka_unit_test(who_walks_gets_a_path_in_the_end),
        cmocka_unit_test(answers_that_waited_for_room_are_right),
        cmocka_unit_test(searches_go_on_over_commits_that_miss_them),
        cmocka_unit_test(a_goal_may_be_blocked_meanwhile),
        cmocka_unit_test(searches_of_all_kinds_go_on),
        cmocka_unit_test(the_old_index_serves_meanwhile),
        cmocka_unit_test(syncs_that_others_began_are_ended),
        cmocka_unit_test(syncs_that_the_service_began_end_in_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
