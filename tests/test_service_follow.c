/* test_service_follow.c: paths that are walked while the world changes: exactly the broken ones are
 * searched again, shortcuts when they are wanted, within the budget, at a cost that does not depend
 * on how many others there are.
 */
#include "office.h"

enum { CELLS = 4096 };

/* An agent that walks, and what it should know of its path. */
typedef struct walker {
    cairn_ticket ticket;
    cairn_request request;
    const cairn_path *path;
    uint64_t hash;
    uint32_t at; /* steps from the start of the path */
} walker;

/* What is left of a path, cell by cell, as a path of its own. */
typedef struct rest {
    cairn_path path;
    cairn_node nodes[CELLS];
    cairn_path_link links[CELLS];
} rest;

static bool rest_links(const cairn_path *path, uint32_t segment, cairn_path_link *link)
{
    for (uint32_t i = 0; i < path->link_count; i++) {
        if (path->links[i].at != segment) continue;
        *link = path->links[i];
        return true;
    }
    return false;
}

static void rest_of(const cairn_space *space, const cairn_path *path, uint32_t first, rest *r)
{
    cairn_path_iterator it = cairn_path_begin(space, path);
    r->path = (cairn_path){.status = CAIRN_FOUND, .nodes = r->nodes, .links = r->links};
    for (uint32_t i = 0;; i++) {
        cairn_node node = cairn_path_next(&it);
        if (node == CAIRN_NO_NODE) return;
        if (i < first) continue;
        assert_true(r->path.count < CELLS);
        r->nodes[r->path.count++] = node;
        cairn_path_link *link = &r->links[r->path.link_count];
        if (it.next == CAIRN_NO_NODE || !rest_links(path, it.segment, link)) continue;
        link->at = r->path.count - 1;
        r->path.link_count++;
    }
}

/* ---- lives in worlds of all kinds --------------------------------------------------------- */

enum { WALKERS = 40 };

typedef struct life {
    office o;
    scene_rng rng;
    walker walkers[WALKERS];
    uint32_t broken, edits;
} life;

static void life_answered(life *l, walker *w)
{
    cairn_status status = cairn_service_answer(l->o.service, w->ticket, &w->path);
    assert_true(status != CAIRN_RUNNING && w->path);
    if (w->path->count)
        CHECK(cairn_path_valid(l->o.space, w->path, NULL, NULL, NULL), "wrong path");
    w->hash = hash_path(1, w->path);
    w->at = 0;
}

static void life_ask(life *l, walker *w, cairn_shortcuts shortcuts)
{
    do {
        if (w->ticket) CHECK_OK(cairn_service_release(l->o.service, w->ticket));
        w->request = request_any(&l->o, &l->rng);
        w->ticket = ask(&l->o, &w->request);
        update_all(&l->o);
        life_answered(l, w);
    } while (w->path->status != CAIRN_FOUND);
    CHECK_OK(cairn_service_follow(l->o.service, w->ticket, shortcuts));
}

static void life_walk(life *l, walker *w)
{
    static rest r;
    uint32_t ahead = scene_random(&l->rng, 6);
    rest_of(l->o.space, w->path, w->at, &r);
    if (ahead >= r.path.count) ahead = r.path.count - 1;
    CHECK_OK(cairn_service_walked(l->o.service, w->ticket, r.nodes[ahead]));
    w->at += ahead;
    cairn_followed followed;
    CHECK_OK(cairn_service_followed(l->o.service, w->ticket, &followed));
    assert_int_equal(followed.at, r.nodes[ahead]);
    assert_false(followed.searching);
    cairn_cost left;
    rest_of(l->o.space, w->path, w->at, &r);
    if (w->path->any_angle || r.path.count == 1) return;
    assert_true(cairn_path_valid(l->o.space, &r.path, &left, NULL, NULL));
    assert_true(followed.left == left || (followed.left == CAIRN_NO_COST && l->edits));
}

/* A block of cells is opened, closed or changed, most often near some walker. */
static void life_edit(life *l, uint32_t kind)
{
    int32_t width = (int32_t)l->o.scene->width, height = (int32_t)l->o.scene->height;
    static rest r;
    const walker *near = &l->walkers[scene_random(&l->rng, WALKERS)];
    int32_t x = (int32_t)scene_random(&l->rng, (uint32_t)width),
            y = (int32_t)scene_random(&l->rng, (uint32_t)height),
            w = 1 + (int32_t)scene_random(&l->rng, 7), h = 1 + (int32_t)scene_random(&l->rng, 7);
    rest_of(l->o.space, near->path, near->at, &r);
    if (scene_random(&l->rng, 3) && r.path.count) {
        cairn_node node = r.nodes[scene_random(&l->rng, r.path.count)];
        x = (int32_t)(node % (uint32_t)width) - (int32_t)scene_random(&l->rng, 6);
        y = (int32_t)(node / (uint32_t)width) - (int32_t)scene_random(&l->rng, 6);
    }
    bool open = scene_random(&l->rng, 2);
    for (int32_t j = y; j < y + h; j++) {
        for (int32_t i = x; i < x + w; i++) {
            if (i < 0 || j < 0 || i >= width || j >= height) continue;
            if (kind && scene_random(&l->rng, 2))
                CHECK_OK(
                    cairn_grid_set_terrain(l->o.grid, i, j, (uint8_t)scene_random(&l->rng, 5)));
            else
                CHECK_OK(cairn_grid_set_open(l->o.grid, i, j, open));
        }
    }
    uint32_t links = cairn_grid_link_count(l->o.grid);
    if (links && scene_random(&l->rng, 4) == 0) {
        cairn_link link = cairn_grid_link_at(l->o.grid, scene_random(&l->rng, links));
        CHECK_OK(cairn_grid_remove_links(l->o.grid, link.id));
    }
    CHECK_OK(cairn_grid_commit(l->o.grid));
    l->edits++;
}

/* 0 = whole, 1 = broken, 2 = either: of a path of any angle, the line where the agent is. */
static int life_is_broken(const life *l, const walker *w)
{
    static rest r;
    if (!w->path->any_angle) {
        rest_of(l->o.space, w->path, w->at, &r);
        return r.path.count > 1 && !cairn_path_valid(l->o.space, &r.path, NULL, NULL, NULL);
    }
    cairn_followed now;
    CHECK_OK(cairn_service_followed(l->o.service, w->ticket, &now));
    cairn_path part = *w->path;
    uint32_t behind = now.segment + 1 < part.count && now.at == part.nodes[now.segment + 1];
    part.nodes += now.segment + behind, part.count -= now.segment + behind;
    part.links = NULL, part.link_count = 0;
    if (part.count < 2 || cairn_path_valid(l->o.space, &part, NULL, NULL, NULL)) return 0;
    part.nodes++, part.count--;
    return part.count < 2 || cairn_path_valid(l->o.space, &part, NULL, NULL, NULL) ? 2 : 1;
}

static void life_round(life *l, uint32_t kind, uint64_t work)
{
    int broken[WALKERS];
    uint32_t least = 0, most = 0, was = l->broken;
    for (uint32_t i = 0; i < WALKERS; i++) life_walk(l, &l->walkers[i]);
    for (uint32_t k = 1 + scene_random(&l->rng, 3); k; k--) life_edit(l, kind);
    for (uint32_t i = 0; i < WALKERS; i++) {
        broken[i] = life_is_broken(l, &l->walkers[i]);
        least += broken[i] == 1, most += broken[i] != 0;
    }
    cairn_frame frame = {.waiting = 1};
    for (uint32_t f = 0; frame.waiting || frame.running || f < 2; f++) {
        frame = update(&l->o, work);
        l->broken += frame.broken;
        for (uint32_t i = 0; i < WALKERS; i++) {
            cairn_followed now;
            CHECK_OK(cairn_service_followed(l->o.service, l->walkers[i].ticket, &now));
            if (now.version < cairn_space_version(l->o.space)) frame.waiting = 1;
        }
    }
    CHECK(l->broken - was >= least && l->broken - was <= most, "%u broken, not %u to %u",
          l->broken - was, least, most);
    for (uint32_t i = 0; i < WALKERS; i++) {
        walker *w = &l->walkers[i];
        const cairn_path *path;
        cairn_service_answer(l->o.service, w->ticket, &path);
        assert_non_null(path);
        if (!broken[i]) assert_true(path == w->path && hash_path(1, path) == w->hash);
        if (broken[i] == 1) assert_true(path->version == cairn_space_version(l->o.space));
        if (broken[i] && path->version == cairn_space_version(l->o.space)) life_answered(l, w);
        cairn_followed now;
        CHECK_OK(cairn_service_followed(l->o.service, w->ticket, &now));
        if (path->status != CAIRN_FOUND || now.at == path->end)
            life_ask(l, w, CAIRN_SHORTCUTS_NEVER);
    }
}

static void life_live(scene *s, const char *const *specs, uint32_t count, uint32_t kind,
                      uint64_t work, uint64_t seed)
{
    life l = {.rng = {seed}};
    l.o = office_open(s, plain_context(0), specs, count, NULL);
    for (uint32_t i = 0; i < WALKERS; i++) life_ask(&l, &l.walkers[i], CAIRN_SHORTCUTS_NEVER);
    uint32_t rounds = test_lives(25, 5);
    for (uint32_t i = 0; i < rounds; i++) life_round(&l, kind, work);
    assert_true(l.broken > rounds / 5);
    assert_int_equal(cairn_service_usage(l.o.service).followed, WALKERS);
    for (uint32_t i = 0; i < WALKERS; i++)
        CHECK_OK(cairn_service_release(l.o.service, l.walkers[i].ticket));
    assert_int_equal(cairn_service_usage(l.o.service).followed, 0);
    office_close(&l.o);
}

static void exactly_the_broken_paths_are_found(void **state)
{
    (void)state;
    static const char *const specs[] = {"astar", "jps", "hpa:size=16"};
    life_live(scene_noise("noise", 150, 140, 20, 3), specs, 3, 0, 0, 1);
    life_live(scene_rooms("rooms", 200, 70, 9, 5), specs, 3, 0, 40, 2);
    life_live(scene_blank("small", 20, 20), specs, 2, 0, 1, 3);
}

static void exactly_the_broken_paths_are_found_with_costs_and_links(void **state)
{
    (void)state;
    static const char *const specs[] = {"astar", "dijkstra"};
    scene *s = scene_noise("costs", 150, 100, 15, 4);
    scene_add_terrain(s, 5);
    life_live(s, specs, 2, 1, 0, 4);
    s = scene_noise("links", 150, 100, 25, 6);
    scene_add_links(s, 60, 64, 512, false, 7);
    life_live(s, specs, 2, 0, 9, 5);
    s = scene_noise("hexagons", 100, 100, 20, 8);
    scene_make_hex(s);
    life_live(s, specs, 1, 0, 0, 6);
    s = scene_noise("four", 100, 100, 20, 9);
    s->profile.neighbours = CAIRN_NEIGHBOURS_4;
    life_live(s, specs, 1, 0, 3, 7);
}

static void exactly_the_broken_paths_are_found_of_large_agents(void **state)
{
    (void)state;
    static const char *const specs[] = {"astar"};
    scene *s = scene_blocks("radius", 140, 140, 60, 4);
    s->profile.radius = 1.3;
    life_live(s, specs, 1, 0, 0, 8);
    s = scene_blocks("footprint", 140, 140, 60, 5);
    s->profile.footprint = 3;
    life_live(s, specs, 1, 0, 0, 9);
}

static void exactly_the_broken_paths_are_found_of_any_angle(void **state)
{
    (void)state;
    static const char *const specs[] = {"theta"};
    life_live(scene_blocks("lines", 150, 140, 250, 3), specs, 1, 0, 0, 10);
    scene *s = scene_blocks("wide lines", 150, 140, 60, 4);
    s->profile.radius = 1.3;
    life_live(s, specs, 1, 0, 5, 11);
}

/* ---- what it costs ------------------------------------------------------------------------- */

/* Units for a commit in a corner, and for one that breaks a path, with so many agents elsewhere. */
static void cost_with(uint32_t others, uint64_t used[2])
{
    static const char *const specs[] = {"astar"};
    office o = office_open(scene_blank("blank", 400, 400), plain_context(0), specs, 1, NULL);
    for (uint32_t i = 0; i < others; i++) {
        cairn_request request = {.from = 400 * 300 + i, .to = 400 * 390 + i};
        cairn_ticket ticket = ask(&o, &request);
        update(&o, 0);
        CHECK_OK(cairn_service_follow(o.service, ticket, CAIRN_SHORTCUTS_NEVER));
    }
    cairn_ticket ticket = ask(&o, &(cairn_request){.from = 0, .to = 60});
    update(&o, 0);
    CHECK_OK(cairn_service_follow(o.service, ticket, CAIRN_SHORTCUTS_NEVER));
    CHECK_OK(cairn_grid_set_open(o.grid, 399, 0, false));
    CHECK_OK(cairn_grid_commit(o.grid));
    used[0] = update(&o, 0).used;
    CHECK_OK(cairn_grid_set_open(o.grid, 30, 0, false));
    CHECK_OK(cairn_grid_commit(o.grid));
    cairn_frame frame = update(&o, 0);
    assert_int_equal(frame.broken, 1);
    assert_int_equal(frame.answered, 1);
    used[1] = frame.used;
    office_close(&o);
}

static void a_commit_costs_what_it_touches(void **state)
{
    (void)state;
    uint64_t few[2], many[2];
    cost_with(2, few);
    cost_with(200, many);
    assert_memory_equal(few, many, sizeof few);
    assert_true(few[0] <= 2);
}

/* A commit that touches more tiles than are listed, a thousand cells at a time, and more commits
 * than the world remembers. */
static void large_commits_touch_everything(void **state)
{
    (void)state;
    static const char *const specs[] = {"astar"};
    for (uint32_t way = 0; way < 3; way++) {
        office o = office_open(scene_blank("blank", 700, 700), plain_context(0), specs, 1, NULL);
        cairn_ticket tickets[10];
        for (uint32_t i = 0; i < 10; i++) {
            tickets[i] = ask(&o, &(cairn_request){.from = 700 * 60 * i, .to = 700 * 60 * i + 600});
            update(&o, 0);
            CHECK_OK(cairn_service_follow(o.service, tickets[i], CAIRN_SHORTCUTS_NEVER));
        }
        for (int32_t i = 0; i < 70; i++) {
            uint32_t many = way == 1 ? 40 : 1;
            for (uint32_t k = 0; k < many; k++)
                CHECK_OK(cairn_grid_set_open(o.grid, 10 * i + (int32_t)k % 9,
                                             1 + 10 * i % 697 + (int32_t)k / 9, false));
            CHECK_OK(cairn_grid_set_open(o.grid, 10 * i, 10 * i, false)); /* the diagonal */
            for (int32_t k = 0; k < 11 && i < 11 && way == 0; k++)        /* and every tile */
                CHECK_OK(cairn_grid_set_open(o.grid, 64 * k + 3, 64 * i + 7, false));
            if (way == 2) CHECK_OK(cairn_grid_commit(o.grid));
        }
        CHECK_OK(cairn_grid_commit(o.grid));
        cairn_frame frame = update_all(&o);
        assert_int_equal(frame.broken, 10);
        for (uint32_t i = 0; i < 10; i++) {
            const cairn_path *path;
            cairn_status status = cairn_service_answer(o.service, tickets[i], &path);
            /* the first begins in the corner that is blocked now */
            CHECK_STATUS(status, i ? CAIRN_FOUND : CAIRN_BLOCKED_START);
            assert_true(!i || cairn_path_valid(o.space, path, NULL, NULL, NULL));
        }
        office_close(&o);
    }
}

/* ---- urgency ------------------------------------------------------------------------------ */

/* One search at a time: the broken path comes before requests of its priority that are as new, but
 * after those of higher priority and those that have waited long. */
static void broken_paths_come_first(void **state)
{
    (void)state;
    static const char *const specs[] = {"astar"};
    cairn_service_options options = {.ageing = 10};
    scene *s = scene_blank("blank", 60, 60);
    office o = office_open(s, plain_context(0), specs, 0, &options);
    uint32_t number;
    CHECK_OK(cairn_planner_create(o.space, "dijkstra", &o.planners[0], NULL));
    CHECK_OK(cairn_service_add(o.service, o.planners[0], &(cairn_service_share){.searches = 1},
                               &number));
    o.planner_count = 1;
    cairn_ticket walked = ask(&o, &(cairn_request){.to = 59, .priority = 5}), other[4];
    update(&o, 0);
    CHECK_OK(cairn_service_follow(o.service, walked, CAIRN_SHORTCUTS_NEVER));
    for (uint32_t i = 0; i < 20; i++) update(&o, 0);
    other[0] = ask(&o, &(cairn_request){.to = 3599, .priority = 5});
    update(&o, 1); /* its search has begun, and begins again after the commit */
    for (uint32_t i = 1; i < 4; i++)
        other[i] = ask(&o, &(cairn_request){.to = 3599 - i, .priority = 3 + i});
    CHECK_OK(cairn_grid_set_open(o.grid, 30, 0, false));
    CHECK_OK(cairn_grid_commit(o.grid));
    uint32_t frames = 0, when[5] = {0};
    while (!when[0] || !when[1] || !when[2] || !when[3] || !when[4]) {
        update(&o, 50);
        frames++;
        for (uint32_t i = 0; i < 4; i++)
            if (!when[i] && cairn_service_answer(o.service, other[i], NULL) != CAIRN_RUNNING)
                when[i] = frames;
        if (!when[4] && cairn_service_answer(o.service, walked, NULL) != CAIRN_RUNNING)
            when[4] = frames;
    }
    assert_true(when[4] < when[1] && when[4] < when[2] && when[4] > when[0]);
    CHECK(when[3] > when[0], "the most urgent waits for the desk");
    office_close(&o);
}

/* ---- shortcuts ---------------------------------------------------------------------------- */

/* Two rooms, and a long way round a wall at x = 20: an agent walks from (15, 5) to (25, 5). */
static office shortcut_office(cairn_ticket *ticket, cairn_shortcuts shortcuts)
{
    static const char *const specs[] = {"astar"};
    scene *s = scene_blank("wall", 60, 60);
    for (uint32_t y = 0; y < 55; y++) s->open[y * 60 + 20] = 0;
    s->open[50 * 60 + 50] = s->open[59 * 60 + 20] = 0;
    office o = office_open(s, plain_context(0), specs, 1, NULL);
    *ticket = ask(&o, &(cairn_request){.from = 5 * 60 + 15, .to = 5 * 60 + 25});
    update(&o, 0);
    CHECK_OK(cairn_service_follow(o.service, *ticket, shortcuts));
    return o;
}

static cairn_frame shortcut_open(office *o, int32_t x, int32_t y)
{
    CHECK_OK(cairn_grid_set_open(o->grid, x, y, true));
    CHECK_OK(cairn_grid_commit(o->grid));
    return update(o, 0);
}

static void shortcuts_are_searched_when_they_are_wanted(void **state)
{
    (void)state;
    for (uint32_t policy = 0; policy < CAIRN_SHORTCUTS_COUNT; policy++) {
        cairn_ticket ticket;
        const cairn_path *path;
        office o = shortcut_office(&ticket, (cairn_shortcuts)policy);
        cairn_service_answer(o.service, ticket, &path);
        cairn_cost before = path->cost;
        /* (50, 50) is too far away for a shortcut, by any estimate */
        cairn_frame far = shortcut_open(&o, 50, 50), near = shortcut_open(&o, 20, 8);
        assert_int_equal(far.shortcuts, policy == CAIRN_SHORTCUTS_ALWAYS);
        assert_int_equal(far.answered, 0); /* nothing better was found */
        assert_int_equal(near.shortcuts, policy != CAIRN_SHORTCUTS_NEVER);
        assert_int_equal(near.answered, policy != CAIRN_SHORTCUTS_NEVER);
        assert_int_equal(near.broken, 0);
        CHECK_STATUS(cairn_service_answer(o.service, ticket, &path), CAIRN_FOUND);
        assert_true(policy == CAIRN_SHORTCUTS_NEVER ? path->cost == before
                                                    : path->cost < before / 3);
        /* closing a cell is no shortcut */
        CHECK_OK(cairn_grid_set_open(o.grid, 40, 40, false));
        CHECK_OK(cairn_grid_commit(o.grid));
        assert_int_equal(update(&o, 0).shortcuts, 0);
        CHECK_OK(cairn_service_follow(o.service, ticket, CAIRN_SHORTCUTS_NEVER));
        assert_int_equal(shortcut_open(&o, 40, 40).shortcuts, 0);
        office_close(&o);
    }
}

/* The agent walks on while a shortcut is searched: it may have gone too far when it is found. */
static void shortcuts_must_lead_over_where_the_agent_is(void **state)
{
    (void)state;
    for (uint32_t on = 0; on < 2; on++) {
        cairn_ticket ticket;
        const cairn_path *path, *now;
        cairn_followed where;
        office o = shortcut_office(&ticket, CAIRN_SHORTCUTS_POSSIBLE);
        cairn_service_answer(o.service, ticket, &path);
        CHECK_OK(cairn_grid_set_open(o.grid, 20, on ? 50 : 5, true));
        CHECK_OK(cairn_grid_commit(o.grid));
        assert_int_equal(update(&o, 6).shortcuts, 1);
        assert_true(cairn_service_answer(o.service, ticket, &now) == CAIRN_FOUND && now == path);
        cairn_node cells[30];
        assert_int_equal(cairn_path_cells(o.space, path, 0, cells, 30), 30);
        for (uint32_t i = 1; i < 30; i++)
            CHECK_OK(cairn_service_walked(o.service, ticket, cells[i]));
        CHECK_OK(cairn_service_followed(o.service, ticket, &where));
        assert_true(where.searching);
        uint32_t answered = update(&o, 0).answered;
        CHECK_OK(cairn_service_followed(o.service, ticket, &where));
        assert_false(where.searching);
        assert_int_equal(where.at, cells[29]);
        CHECK_STATUS(cairn_service_answer(o.service, ticket, &now), CAIRN_FOUND);
        /* the wall at (20, 5) is no shortcut from the 30th cell on, or only after another search */
        CHECK(answered == 1, "%u, at %u,%u", on, where.at % 60, where.at / 60);
        assert_true(cairn_path_valid(o.space, now, NULL, NULL, NULL));
        static rest r;
        uint32_t at = 0;
        rest_of(o.space, now, 0, &r);
        while (r.nodes[at] != where.at) assert_true(++at < r.path.count);
        rest_of(o.space, now, at, &r);
        cairn_cost left;
        assert_true(cairn_path_valid(o.space, &r.path, &left, NULL, NULL));
        assert_int_equal(where.left, left);
        office_close(&o);
    }
}

/* A path may cost more than it did: that is a reason to look for another one. */
static void costs_that_change_are_a_reason(void **state)
{
    (void)state;
    static const char *const specs[] = {"astar"};
    scene *s = scene_blank("swamp", 60, 60);
    s->profile.terrain_cost[1] = CAIRN_TIMES(4);
    office o = office_open(s, plain_context(0), specs, 1, NULL);
    cairn_ticket ticket = ask(&o, &(cairn_request){.from = 5 * 60 + 5, .to = 5 * 60 + 25});
    update(&o, 0);
    const cairn_path *path;
    CHECK_OK(cairn_service_follow(o.service, ticket, CAIRN_SHORTCUTS_POSSIBLE));
    for (int32_t y = 4; y < 7; y++) CHECK_OK(cairn_grid_set_terrain(o.grid, 15, y, 1));
    CHECK_OK(cairn_grid_commit(o.grid));
    cairn_frame frame = update(&o, 0);
    assert_true(frame.shortcuts == 1 && frame.answered == 1 && !frame.broken);
    CHECK_STATUS(cairn_service_answer(o.service, ticket, &path), CAIRN_FOUND);
    cairn_cost cost;
    assert_true(cairn_path_valid(o.space, path, &cost, NULL, NULL) && cost == path->cost);
    assert_int_equal(path->cost, 16 * 5741 + 4 * 8119);
    office_close(&o);
}

/* ---- faults -------------------------------------------------------------------------------- */

static void who_has_no_path_gets_one_when_the_world_opens(void **state)
{
    (void)state;
    cairn_ticket ticket;
    office o = shortcut_office(&ticket, CAIRN_SHORTCUTS_NEVER);
    for (int32_t y = 55; y < 60; y++) CHECK_OK(cairn_grid_set_open(o.grid, 20, y, false));
    CHECK_OK(cairn_grid_commit(o.grid));
    cairn_frame frame = update(&o, 0);
    assert_true(frame.broken == 1 && frame.answered == 1);
    CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_UNREACHABLE);
    assert_int_equal(shortcut_open(&o, 50, 50).answered, 0);
    assert_int_equal(shortcut_open(&o, 20, 30).answered, 1);
    CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_FOUND);
    office_close(&o);
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    cairn_ticket ticket;
    cairn_followed out;
    office o = shortcut_office(&ticket, CAIRN_SHORTCUTS_NEVER);
    cairn_ticket other = ask(&o, &(cairn_request){.to = 3});
    CHECK_STATUS(cairn_service_follow(o.service, other, CAIRN_SHORTCUTS_NEVER), CAIRN_INVALID);
    update(&o, 0);
    CHECK_STATUS(cairn_service_follow(o.service, other, CAIRN_SHORTCUTS_COUNT), CAIRN_INVALID);
    CHECK_STATUS(cairn_service_follow(o.service, other + 1, CAIRN_SHORTCUTS_NEVER), CAIRN_INVALID);
    CHECK_STATUS(cairn_service_walked(o.service, other, 3), CAIRN_INVALID);
    CHECK_STATUS(cairn_service_followed(o.service, other, &out), CAIRN_INVALID);
    CHECK_STATUS(cairn_service_walked(o.service, ticket, 3600), CAIRN_OUT_OF_BOUNDS);
    other = ask(&o, &(cairn_request){.to = 20}); /* blocked */
    update(&o, 0);
    CHECK_STATUS(cairn_service_follow(o.service, other, CAIRN_SHORTCUTS_NEVER), CAIRN_INVALID);
    office_close(&o);
}

/* An agent that is pushed off its path gets another one, and one that jumps along it does not. */
static void agents_may_be_pushed(void **state)
{
    (void)state;
    cairn_ticket ticket;
    const cairn_path *path;
    office o = shortcut_office(&ticket, CAIRN_SHORTCUTS_NEVER);
    cairn_service_answer(o.service, ticket, &path);
    CHECK_OK(cairn_service_walked(o.service, ticket, path->nodes[1]));
    CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_FOUND);
    CHECK_OK(cairn_service_walked(o.service, ticket, 0));
    CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_RUNNING);
    CHECK_OK(cairn_service_walked(o.service, ticket, 3 * 60 + 3)); /* before it is answered */
    update(&o, 2);
    CHECK_OK(cairn_service_walked(o.service, ticket, 4 * 60 + 4)); /* while it is searched */
    update(&o, 0);
    CHECK_STATUS(cairn_service_answer(o.service, ticket, &path), CAIRN_FOUND);
    assert_int_equal(path->nodes[0], 4 * 60 + 4);
    office_close(&o);
}

/* Of a search that several share, each follows its own copy. */
static void shared_answers_are_walked_separately(void **state)
{
    (void)state;
    cairn_ticket ticket, tickets[3];
    const cairn_path *paths[3];
    office o = shortcut_office(&ticket, CAIRN_SHORTCUTS_NEVER);
    for (uint32_t i = 0; i < 3; i++)
        tickets[i] = ask(&o, &(cairn_request){.from = 5 * 60 + 15, .to = 5 * 60 + 25});
    update(&o, 0);
    for (uint32_t i = 0; i < 2; i++) /* the last one and the first one */
        CHECK_OK(cairn_service_follow(o.service, tickets[2 - 2 * i], CAIRN_SHORTCUTS_NEVER));
    cairn_ticket last = tickets[2];
    tickets[2] = tickets[1], tickets[1] = tickets[0], tickets[0] = last;
    cairn_service_answer(o.service, tickets[0], &paths[0]);
    CHECK_OK(cairn_service_walked(o.service, tickets[0], 0));
    for (uint32_t i = 1; i < 3; i++)
        CHECK_STATUS(cairn_service_answer(o.service, tickets[i], &paths[i]), CAIRN_FOUND);
    assert_true(hash_path(1, paths[1]) == hash_path(1, paths[2]) && paths[1] != paths[2]);
    CHECK_OK(cairn_service_release(o.service, tickets[2]));
    update(&o, 0);
    for (uint32_t i = 0; i < 2; i++)
        CHECK_STATUS(cairn_service_answer(o.service, tickets[i], NULL), CAIRN_FOUND);
    office_close(&o);
}

/* The last step is a link, and where it ends lies in another tile. */
static void links_may_lead_to_the_goal(void **state)
{
    (void)state;
    static const char *const specs[] = {"astar"};
    office o = office_open(scene_blank("blank", 200, 20), plain_context(0), specs, 1, NULL);
    CHECK_OK(
        cairn_grid_add_link(o.grid, &(cairn_link){.from = 10, .to = 190, .id = 7, .cost = 256}));
    CHECK_OK(cairn_grid_commit(o.grid));
    cairn_ticket ticket = ask(&o, &(cairn_request){.from = 0, .to = 190});
    update(&o, 0);
    CHECK_OK(cairn_service_follow(o.service, ticket, CAIRN_SHORTCUTS_NEVER));
    CHECK_OK(cairn_grid_set_open(o.grid, 190, 0, false));
    CHECK_OK(cairn_grid_commit(o.grid));
    assert_int_equal(update(&o, 0).broken, 1);
    CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_BLOCKED_GOAL);
    office_close(&o);
}

/* ---- functions and pieces ----------------------------------------------------------------- */

typedef struct caller {
    office *o;
    uint32_t calls;
    cairn_ticket ticket;
} caller;

static void called(void *user, cairn_ticket ticket, const cairn_path *path)
{
    caller *c = user;
    c->calls++;
    assert_int_equal(path->status, CAIRN_FOUND);
    assert_true(cairn_path_valid(c->o->space, path, NULL, NULL, NULL));
    if (c->calls == 1) CHECK_OK(cairn_service_follow(c->o->service, ticket, CAIRN_SHORTCUTS_NEVER));
    /* pushed away while it is told: the path stays until it has returned */
    if (c->calls == 2) CHECK_OK(cairn_service_walked(c->o->service, ticket, 61));
    assert_int_equal(path->status, CAIRN_FOUND);
    assert_true(path->nodes[path->count - 1] == path->end && path->end == 5 * 60 + 25);
    if (c->calls == 3) CHECK_OK(cairn_service_release(c->o->service, ticket));
}

static void functions_are_called_with_each_path(void **state)
{
    (void)state;
    cairn_ticket ticket;
    office o = shortcut_office(&ticket, CAIRN_SHORTCUTS_NEVER);
    caller c = {.o = &o};
    c.ticket = ask(
        &o, &(cairn_request){.from = 5 * 60 + 15, .to = 5 * 60 + 25, .answer = called, .user = &c});
    update(&o, 0);
    assert_int_equal(c.calls, 1);
    for (uint32_t i = 0; i < 9; i++) { /* so that there are blocks of all sizes to use again */
        cairn_ticket other = ask(&o, &(cairn_request){.from = 0, .to = 25 + 6 * 60 * i});
        update(&o, 0);
        CHECK_OK(cairn_service_release(o.service, other));
    }
    cairn_ticket same = ask(&o, &(cairn_request){.from = 61, .to = 5 * 60 + 25});
    cairn_ticket also = ask(&o, &(cairn_request){.from = 60, .to = 5 * 60 + 25});
    update(&o, 0);
    CHECK_OK(cairn_service_release(o.service, same));
    CHECK_OK(cairn_service_release(o.service, also));
    CHECK_OK(cairn_service_walked(o.service, c.ticket, 60));
    update(&o, 0);
    assert_int_equal(c.calls, 2);
    CHECK_STATUS(cairn_service_answer(o.service, c.ticket, NULL), CAIRN_RUNNING);
    update(&o, 0);
    assert_int_equal(c.calls, 3);
    CHECK_STATUS(cairn_service_answer(o.service, c.ticket, NULL), CAIRN_INVALID);
    office_close(&o);
}

/* Agents walk from piece to piece while the world changes. */
static void pieces_are_followed(void **state)
{
    (void)state;
    static const char *const specs[] = {"hpa:size=8"};
    office o = office_open(scene_rooms("rooms", 90, 90, 9, 5), plain_context(0), specs, 1, NULL);
    scene_rng rng = {4};
    uint32_t broken = 0, pieces = 0;
    for (uint32_t i = 0; i < 20; i++) {
        cairn_request request = {.piece = 6, .from = scene_pick(o.scene, &rng)};
        if (!cairn_space_usable(o.space, request.from)) continue;
        CHECK_OK(cairn_random_reachable(o.space, request.from, &rng.state, &request.to));
        cairn_ticket ticket = ask(&o, &request);
        update_all(&o);
        CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_FOUND);
        CHECK_OK(cairn_service_follow(o.service, ticket, CAIRN_SHORTCUTS_ALWAYS));
        for (uint32_t turn = 0;; turn++) {
            const cairn_path *path;
            cairn_followed now;
            assert_true(turn < 2000);
            cairn_frame frame = update(&o, 2000);
            broken += frame.broken;
            cairn_status status = cairn_service_answer(o.service, ticket, &path);
            if (status == CAIRN_RUNNING) continue;
            if (status != CAIRN_FOUND) break;
            assert_true(cairn_path_valid(o.space, path, NULL, NULL, NULL));
            CHECK_OK(cairn_service_followed(o.service, ticket, &now));
            if (now.at == path->end && !path->partial) break;
            if (now.at == path->end) {
                CHECK_OK(cairn_service_continue(o.service, ticket));
                CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_RUNNING);
                pieces++;
                continue;
            }
            static rest r;
            rest_of(o.space, path, 0, &r);
            uint32_t at = 0;
            while (r.nodes[at] != now.at) at++;
            CHECK_OK(cairn_service_walked(o.service, ticket, r.nodes[at + 1]));
            if (turn % 5 == 2 && at + 3 < r.path.count) {
                cairn_node block = r.nodes[at + 2];
                CHECK_OK(cairn_grid_set_open(o.grid, (int32_t)(block % 90), (int32_t)(block / 90),
                                             false));
                CHECK_OK(cairn_grid_commit(o.grid));
            }
        }
        CHECK_OK(cairn_service_release(o.service, ticket));
    }
    CHECK(broken > 20 && pieces > 20, "%u broken, %u pieces", broken, pieces);
    office_close(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactly_the_broken_paths_are_found),
        cmocka_unit_test(exactly_the_broken_paths_are_found_with_costs_and_links),
        cmocka_unit_test(exactly_the_broken_paths_are_found_of_large_agents),
        cmocka_unit_test(exactly_the_broken_paths_are_found_of_any_angle),
        cmocka_unit_test(a_commit_costs_what_it_touches),
        cmocka_unit_test(large_commits_touch_everything),
        cmocka_unit_test(broken_paths_come_first),
        cmocka_unit_test(shortcuts_are_searched_when_they_are_wanted),
        cmocka_unit_test(shortcuts_must_lead_over_where_the_agent_is),
        cmocka_unit_test(costs_that_change_are_a_reason),
        cmocka_unit_test(who_has_no_path_gets_one_when_the_world_opens),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(agents_may_be_pushed),
        cmocka_unit_test(shared_answers_are_walked_separately),
        cmocka_unit_test(links_may_lead_to_the_goal),
        cmocka_unit_test(functions_are_called_with_each_path),
        cmocka_unit_test(pieces_are_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
