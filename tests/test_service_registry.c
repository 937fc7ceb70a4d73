/* test_service_registry.c: every planner of the registry serves through a path service, whether it
 * has an index or not, while the world changes: every answer is right in the world as it is, and
 * the frames say what they took, also for indexes that cannot be divided.
 */
#include "office.h"
#include <cairn/callbacks.h>

enum { SIDE = 20, WORK = 80, SLICE = 100, ASKED = 14, EDITS = 25, HELD = 3 };

/* Calls the test for each algorithm that takes grids of squares. */
static void each_algorithm(void (*test)(const cairn_algorithm *algorithm))
{
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        if (cairn_algorithm_support(a, CAIRN_FEATURE_8) != CAIRN_REFUSED ||
            cairn_algorithm_support(a, CAIRN_FEATURE_4) != CAIRN_REFUSED)
            test(a);
    }
}

/* ---- a small world, and a service with one planner ----------------------------------------- */

typedef struct registry_office {
    office o;
    const cairn_algorithm *algorithm;
    oracle *oracle; /* of the world as it is */
    scene_rng rng;
    uint64_t frames, used; /* so far */
    uint32_t answered, found, outdated, stale;
    uint64_t hash;  /* of all answers, and of what frames say */
    uint32_t above; /* frames that took more than their budget */
    uint64_t beside;
    uint32_t links; /* that were added so far */
    bool linked;    /* there are links */
    bool busy;      /* an edit in each frame */
} registry_office;

static void registry_ask_oracle(registry_office *r)
{
    oracle_grid raw = scene_raw(r->o.scene);
    oracle_destroy(r->oracle);
    r->oracle = oracle_of_grid(&raw, &r->o.scene->profile, cairn_space_scale(r->o.space));
    assert_non_null(r->oracle);
}

static registry_office registry_open(const cairn_algorithm *a, uint32_t workers,
                                     const cairn_service_share *share)
{
    registry_office r = {.algorithm = a, .rng = {7}};
    cairn_service_options options = {.slice = 30, .ageing = 3};
    char spec[64];
    scene *s = scene_noise("noise", SIDE, SIDE, 20, 4);
    if (cairn_algorithm_support(a, CAIRN_FEATURE_8) == CAIRN_REFUSED)
        s->profile.neighbours = CAIRN_NEIGHBOURS_4;
    s->profile.links = 1;
    r.o = office_open(s, plain_context(workers), NULL, 0, &options);
    soon_given_up(a, spec);
    office_add(&r.o, spec, share);
    registry_ask_oracle(&r);
    return r;
}

static void registry_close(registry_office *r)
{
    oracle_destroy(r->oracle);
    office_close(&r->o);
}

/* Adds a link, or removes those of an id. */
static void registry_edit_links(registry_office *r)
{
    scene *s = r->o.scene;
    cairn_link link = {.from = scene_random(&r->rng, SIDE * SIDE),
                       .to = scene_random(&r->rng, SIDE * SIDE),
                       .id = scene_random(&r->rng, 6),
                       .cost = 200 + scene_random(&r->rng, 9000)};
    uint32_t kept = 0;
    if (scene_random(&r->rng, 3) && link.from != link.to) {
        s->links = realloc(s->links, (s->link_count + 1) * sizeof link);
        if (!s->links) abort();
        s->links[s->link_count++] = link;
        CHECK_OK(cairn_grid_add_link(r->o.grid, &link));
        r->links++;
        return;
    }
    for (uint32_t i = 0; i < s->link_count; i++)
        if (s->links[i].id != link.id) s->links[kept++] = s->links[i];
    s->link_count = kept;
    CHECK_OK(cairn_grid_remove_links(r->o.grid, link.id));
}

/* Opens or closes a square of two by two cells. */
static void registry_edit(registry_office *r)
{
    int32_t x = (int32_t)scene_random(&r->rng, SIDE - 1),
            y = (int32_t)scene_random(&r->rng, SIDE - 1);
    bool open = scene_random(&r->rng, 2);
    for (int32_t i = 0; i < 4; i++) {
        CHECK_OK(cairn_grid_set_open(r->o.grid, x + i % 2, y + i / 2, open));
        r->o.scene->open[(y + i / 2) * SIDE + x + i % 2] = open;
    }
    if (r->linked) registry_edit_links(r);
    CHECK_OK(cairn_grid_commit(r->o.grid));
    registry_ask_oracle(r);
}

/* A frame takes no more than it says, and what is above its budget is paid back. */
static cairn_frame registry_update(registry_office *r)
{
    const char *name = r->algorithm->name;
    cairn_frame frame = {.work = WORK};
    CHECK_OK(cairn_service_update(r->o.service, &frame));
    r->frames++;
    r->used += frame.used;
    CHECK(frame.used - frame.undivided <= WORK, "%s: %u units", name, (unsigned)frame.used);
    CHECK(r->used <= r->frames * WORK + frame.debt, "%s: %u units in %u frames, debt %u", name,
          (unsigned)r->used, (unsigned)r->frames, (unsigned)frame.debt);
    if (!(r->algorithm->flags & CAIRN_NEEDS_INDEX)) assert_true(!frame.undivided && !frame.debt);
    uint64_t said[] = {frame.used,    frame.undivided, frame.debt,   frame.answered, frame.waiting,
                       frame.running, frame.restarts,  frame.pinned, frame.outdated};
    for (uint32_t i = 0; i < LENGTH(said); i++) r->hash = r->hash * 31 + said[i];
    r->above += frame.used > WORK;
    r->beside += frame.beside;
    return frame;
}

/* ---- answers ------------------------------------------------------------------------------- */

/* Every step of the path is one that the oracle knows, and they add up. */
static void registry_check_steps(const registry_office *r, const cairn_path *path)
{
    cairn_node cells[SIDE * SIDE];
    uint64_t cost = 0;
    uint32_t count = cairn_path_cells(r->o.space, path, 0, cells, SIDE * SIDE);
    for (uint32_t i = 1; i < count; i++) {
        uint64_t step = oracle_walk(r->oracle, cells[i - 1], cells[i]);
        CHECK(step != ORACLE_NONE, "%s: a wrong step", r->algorithm->name);
        cost += step;
    }
    assert_int_equal(cost, path->cost);
}

static void registry_check_path(registry_office *r, const cairn_request *request,
                                const cairn_path *path, const cairn_frame *frame)
{
    const char *name = r->algorithm->name;
    bool old = path->version != cairn_space_version(r->o.space);
    uint64_t best = r->oracle->distance[request->to];
    assert_true(path->nodes[0] == request->from && path->end == request->to);
    assert_true(cairn_path_valid(r->o.space, path, NULL, NULL, NULL));
    if (!path->any_angle && !r->linked) registry_check_steps(r, path);
    if (!path->any_angle) CHECK(path->cost >= best, "%s: cheaper than it can be", name);
    if (old) {
        CHECK(path->suboptimality_bound == 0 && !path->improvable, "%s: an old bound", name);
        assert_true(frame->outdated > 0);
    } else if (!path->any_angle && cairn_planner_optimal(r->o.planners[0])) {
        CHECK(path->cost == best, "%s: %u, not %u", name, (unsigned)path->cost, (unsigned)best);
    }
    r->outdated += old;
    r->found++;
}

static void registry_check(registry_office *r, const cairn_request *request, const cairn_path *path,
                           const cairn_frame *frame)
{
    const char *name = r->algorithm->name;
    oracle_search(r->oracle, request->from);
    bool reach = r->oracle->distance[request->to] != ORACLE_NONE;
    r->answered++;
    r->hash = hash_path(r->hash, path) * 31 + path->version;
    switch (path->status) {
    case CAIRN_FOUND: registry_check_path(r, request, path, frame); break;
    case CAIRN_UNREACHABLE: CHECK(!reach, "%s: it can be reached", name); break;
    case CAIRN_BLOCKED_START: assert_false(r->oracle->usable[request->from]); break;
    case CAIRN_BLOCKED_GOAL: assert_false(r->oracle->usable[request->to]); break;
    case CAIRN_STALE: break; /* not where nothing changes: registry_serve */
    default:
        CHECK(gave_up(r->algorithm, path->status), "%s: %s", name, cairn_status_text(path->status));
    }
}

/* Asks for so many paths, some at a time, while the world changes. */
static void registry_serve(registry_office *r, uint32_t edits)
{
    cairn_request requests[HELD];
    cairn_ticket tickets[HELD] = {0};
    uint32_t asked = 0, held = 0, stale = 0;
    bool changes = edits != 0;
    for (uint32_t n = 0; asked < ASKED || held; n++) {
        CHECK(n < 20000, "%s never ends", r->algorithm->name);
        for (uint32_t i = 0; i < HELD && asked < ASKED; i++) {
            if (tickets[i]) continue;
            requests[i] = request_any(&r->o, &r->rng);
            tickets[i] = ask(&r->o, &requests[i]);
            asked++, held++;
        }
        if (edits && (n % 2 || r->busy)) registry_edit(r), edits--;
        cairn_frame frame = registry_update(r);
        for (uint32_t i = 0; i < HELD; i++) {
            const cairn_path *path;
            cairn_status status = cairn_service_answer(r->o.service, tickets[i], &path);
            if (!tickets[i] || status == CAIRN_RUNNING) continue;
            registry_check(r, &requests[i], path, &frame);
            stale += status == CAIRN_STALE;
            CHECK_OK(cairn_service_release(r->o.service, tickets[i]));
            tickets[i] = CAIRN_NO_TICKET;
            held--;
        }
    }
    assert_true(!stale || changes);
    r->stale += stale;
}

/* While nothing changes, nothing is outdated. What an index takes in a frame is counted. */
static void registry_serves(const cairn_algorithm *a)
{
    registry_office r =
        registry_open(a, 0, &(cairn_service_share){.background = CAIRN_SHARE_NEVER});
    registry_serve(&r, 0);
    CHECK(r.found > ASKED / 4 || a->flags & CAIRN_EXPONENTIAL, "%s found %u", a->name, r.found);
    assert_int_equal(r.outdated, 0);
    registry_serve(&r, EDITS);
    registry_serve(&r, 0);
    assert_int_equal(r.answered, 3 * ASKED);
    assert_true(!r.beside && !cairn_service_usage(r.o.service).copy_bytes);
    registry_close(&r);
}

/* Indexes are synced in the background: the same answers in the same frames, with threads and
 * without. Old indexes serve meanwhile, so that no frame takes what a new one does. */
static void registry_serves_meanwhile(const cairn_algorithm *a)
{
    cairn_service_share share = {.background = 5};
    uint64_t hash = 0;
    for (uint32_t workers = 0; workers < 3; workers += 2) {
        registry_office r = registry_open(a, workers, &share);
        registry_serve(&r, 0);
        uint32_t above = r.above;
        assert_int_equal(r.outdated, 0);
        registry_serve(&r, EDITS);
        registry_serve(&r, EDITS);
        assert_int_equal(r.above, above);
        if (workers) assert_int_equal(r.hash, hash);
        hash = r.hash;
        cairn_service_use use = cairn_service_usage(r.o.service);
        bool twins = a->flags & CAIRN_NEEDS_INDEX && !(a->flags & CAIRN_BACKGROUND);
        CHECK(twins == (use.copy_bytes > 2 * SIDE * SIDE / 8), "%s", a->name);
        /* what a copy has found and is wrong by now is searched by another way, and found */
        CHECK(!twins || r.stale <= 1, "%s: %u of %u stale", a->name, r.stale, r.answered);
        CHECK(r.outdated > 3 || !(a->flags & CAIRN_NEEDS_INDEX), "%s: %u outdated of %u", a->name,
              r.outdated, r.answered);
        registry_close(&r);
    }
}

/* Whatever the planner, with what it does by default, and an edit in each frame: no frame takes more
 * than its budget, with the first index neither. And all that was asked is answered. */
static void registry_keeps_to_the_budget(const cairn_algorithm *a)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < 3; i++) {
        bool linked = i == 2;
        uint32_t workers = i == 1 ? 2 : 0;
        if (linked && cairn_algorithm_support(a, CAIRN_FEATURE_LINKS) == CAIRN_REFUSED) continue;
        registry_office r = registry_open(a, workers, NULL);
        r.linked = linked;
        r.busy = true;
        registry_serve(&r, 3 * EDITS);
        registry_serve(&r, 0);
        CHECK(!r.above && r.answered == 2 * ASKED, "%s: %u frames above", a->name, r.above);
        bool indexed = a->flags & CAIRN_NEEDS_INDEX, divided = a->flags & CAIRN_SLICES,
             copied = cairn_service_usage(r.o.service).copy_bytes > 0;
        CHECK(divided || copied == indexed, "%s", a->name); /* slices may have been too slow */
        /* who has no workers does the same, and says what it takes */
        CHECK((indexed && !divided && !workers) == (r.beside > 0), "%s: %u units", a->name,
              (unsigned)r.beside);
        CHECK(!workers || r.hash == hash, "%s", a->name);
        hash = r.hash;
        registry_close(&r);
    }
}

static void no_frame_takes_more_than_its_budget(void **state)
{
    (void)state;
    each_algorithm(registry_keeps_to_the_budget);
}

/* The same where there are links, which come and go. */
static void registry_serves_with_links(const cairn_algorithm *a)
{
    cairn_service_share share = {.background = 5};
    uint64_t hash = 0;
    if (!(a->flags & CAIRN_NEEDS_INDEX) ||
        cairn_algorithm_support(a, CAIRN_FEATURE_LINKS) == CAIRN_REFUSED)
        return;
    for (uint32_t workers = 0; workers < 3; workers += 2) {
        registry_office r = registry_open(a, workers, &share);
        r.linked = true;
        registry_serve(&r, 0);
        uint32_t above = r.above;
        registry_serve(&r, EDITS);
        registry_serve(&r, EDITS);
        CHECK(r.links > 0 && r.outdated > 3, "%s: %u outdated", a->name, r.outdated);
        /* what a copy has found and is wrong by now is found by the next one */
        bool twins = !(a->flags & CAIRN_BACKGROUND);
        CHECK(!twins || r.stale <= 4, "%s: %u of %u stale", a->name, r.stale, r.answered);
        assert_int_equal(r.above, above);
        if (workers) assert_int_equal(r.hash, hash);
        hash = r.hash;
        registry_serve(&r, 0);
        registry_close(&r);
    }
}

static void registry_set(registry_office *r, int32_t x, int32_t y, bool open)
{
    CHECK_OK(cairn_grid_set_open(r->o.grid, x, y, open));
    r->o.scene->open[y * SIDE + x] = open;
}

/* A goal was blocked when the old index was made, and is walled in now: the answer says why there is
 * no path now. */
static void registry_walls_in(const cairn_algorithm *a)
{
    enum { FRAMES = 5, MIDDLE = SIDE / 2 };
    cairn_service_share share = {.background = FRAMES};
    cairn_status status = CAIRN_RUNNING;
    if (!(a->flags & CAIRN_NEEDS_INDEX)) return;
    registry_office r = registry_open(a, 0, &share);
    registry_serve(&r, 0);
    for (int32_t i = 0; i < 9; i++) registry_set(&r, MIDDLE - 1 + i % 3, MIDDLE - 1 + i / 3, false);
    CHECK_OK(cairn_grid_commit(r.o.grid));
    for (uint32_t i = 0; i < 3 * FRAMES; i++) registry_update(&r);
    cairn_request request = {.from = scene_pick(r.o.scene, &r.rng), .to = MIDDLE * SIDE + MIDDLE};
    registry_set(&r, MIDDLE, MIDDLE, true);
    CHECK_OK(cairn_grid_commit(r.o.grid));
    cairn_ticket ticket = ask(&r.o, &request);
    for (uint32_t i = 0; status == CAIRN_RUNNING; i++) {
        CHECK(i < 1000, "%s never ends", a->name);
        registry_update(&r);
        status = cairn_service_answer(r.o.service, ticket, NULL);
    }
    CHECK(status == CAIRN_UNREACHABLE, "%s: %s", a->name, cairn_status_text(status));
    registry_close(&r);
}

static void reasons_are_those_of_now(void **state)
{
    (void)state;
    each_algorithm(registry_walls_in);
}

/* More commits come during a sync than the grid remembers. */
static void registry_has_forgotten(const cairn_algorithm *a)
{
    enum { FRAMES = 70 };
    cairn_service_share share = {.background = FRAMES};
    if (!(a->flags & CAIRN_NEEDS_INDEX)) return;
    registry_office r = registry_open(a, 0, &share);
    registry_serve(&r, 0);
    for (uint32_t i = 0; i < 2 * FRAMES; i++) {
        registry_edit(&r);
        cairn_ticket ticket = ask(&r.o, &(cairn_request){.from = i, .to = SIDE * SIDE - 1});
        registry_update(&r);
        CHECK_OK(cairn_service_release(r.o.service, ticket));
    }
    for (uint32_t i = 0; i < 3 * FRAMES; i++) {
        cairn_ticket ticket = ask(&r.o, &(cairn_request){.from = i, .to = SIDE * SIDE - 1});
        registry_update(&r);
        CHECK_OK(cairn_service_release(r.o.service, ticket));
    }
    uint32_t outdated = r.outdated;
    registry_serve(&r, 0);
    assert_int_equal(r.outdated, outdated);
    registry_close(&r);
}

static void forgotten_commits_are_read_from_the_world(void **state)
{
    (void)state;
    each_algorithm(registry_has_forgotten);
}

static void every_index_serves_where_links_change(void **state)
{
    (void)state;
    each_algorithm(registry_serves_with_links);
}

static void every_index_serves_while_a_new_one_is_made(void **state)
{
    (void)state;
    each_algorithm(registry_serves_meanwhile);
}

static void every_planner_serves(void **state)
{
    (void)state;
    each_algorithm(registry_serves);
}

/* ---- what indexes take --------------------------------------------------------------------- */

/* A world that counts how often it is asked for edges. */
typedef struct asked_world {
    uint64_t asked;
} asked_world;

static uint32_t asked_neighbours(void *user, cairn_node node, cairn_edge *out)
{
    asked_world *w = user;
    uint32_t count = 0;
    w->asked++;
    if (node % SIDE) out[count++] = (cairn_edge){node - 1, 3};
    if (node % SIDE + 1 < SIDE) out[count++] = (cairn_edge){node + 1, 3};
    if (node >= SIDE) out[count++] = (cairn_edge){node - SIDE, 3};
    if (node + SIDE < SIDE * SIDE) out[count++] = (cairn_edge){node + SIDE, 3};
    return count;
}

static cairn_position asked_position(void *user, cairn_node node)
{
    (void)user;
    return (cairn_position){node % SIDE, node / SIDE, 0};
}

/* A unit is about an expansion: what an index takes is about as often as it asks the world. Once in
 * a frame without a limit; then on a budget: that is as much (and one for seeing that it cannot be
 * repaired), and is paid back. */
static void registry_counts(const cairn_algorithm *a)
{
    asked_world w = {0};
    cairn_callbacks callbacks = {.node_count = SIDE * SIDE,
                                 .neighbours = asked_neighbours,
                                 .position = asked_position,
                                 .max_degree = 4,
                                 .symmetric = true,
                                 .user = &w};
    cairn_context *context = plain_context(0);
    cairn_space *space;
    cairn_planner *planner;
    cairn_service *service;
    cairn_ticket ticket;
    uint32_t number;
    uint64_t built = 0;
    if (!(a->flags & CAIRN_NEEDS_INDEX) || !(a->worlds & 1u << CAIRN_WORLD_CALLBACKS)) {
        cairn_context_destroy(context);
        return;
    }
    CHECK_OK(cairn_space_of_callbacks(context, &callbacks, &space, NULL));
    CHECK_OK(cairn_planner_create(space, a->name, &planner, NULL));
    CHECK_OK(cairn_service_create(context, &(cairn_service_options){.slice = SLICE}, &service));
    /* there are no copies of such worlds: the budget could not be kept */
    CHECK_STATUS(cairn_service_add(service, planner, NULL, &number), CAIRN_UNSUPPORTED);
    CHECK_STATUS(
        cairn_service_add(service, planner, &(cairn_service_share){.background = 5}, &number),
        CAIRN_UNSUPPORTED);
    CHECK_OK(cairn_service_add(service, planner,
                               &(cairn_service_share){.background = CAIRN_SHARE_NEVER}, &number));
    for (uint32_t round = 0; round < 2; round++) {
        cairn_frame frame = {.work = round ? WORK : 0};
        cairn_request request = {.from = 0, .to = 0, .priority = CAIRN_PRIORITIES - 1};
        CHECK_OK(cairn_callbacks_changed(space));
        CHECK_OK(cairn_service_request(service, &request, &ticket));
        w.asked = 0;
        CHECK_OK(cairn_service_update(service, &frame));
        uint64_t took = frame.undivided + (round ? WORK : SLICE);
        CHECK(10 * took >= 8 * w.asked && took >= SIDE * SIDE, "%s: %u units, asked %u", a->name,
              (unsigned)took, (unsigned)w.asked);
        assert_true(frame.used >= took && (!round || took - built <= 1));
        assert_int_equal(frame.debt, round ? took - WORK : 0);
        built = took;
        while (frame.debt) {
            uint64_t debt = frame.debt;
            CHECK_OK(cairn_service_update(service, &frame));
            assert_int_equal(frame.debt, debt + frame.used < WORK ? 0 : debt + frame.used - WORK);
            assert_true(frame.used <= WORK);
        }
        CHECK_OK(cairn_service_release(service, ticket));
    }
    cairn_service_destroy(service);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_context_destroy(context);
}

static void every_index_counts(void **state)
{
    (void)state;
    each_algorithm(registry_counts);
}

/* ---- memory -------------------------------------------------------------------------------- */

enum { LIMIT = 1400000, ROOM = 500000, CROWD = 3000, CROWDED = 9 };

/* What the allocator has given out, now and at most, as it counts itself. */
typedef struct peaked {
    watched watched;
    size_t peak;
} peaked;

static void *peaked_allocate(void *user, void *old, size_t old_size, size_t new_size)
{
    peaked *p = user;
    void *block = watched_allocate(&p->watched, old, old_size, new_size);
    if (p->watched.bytes > p->peak) p->peak = p->watched.bytes;
    return block;
}

/* What the calls of a service hold, of what the allocator has given out. */
typedef struct peaked_service {
    peaked memory;
    size_t held, before;
} peaked_service;

static void peaked_begin(peaked_service *p)
{
    p->before = p->memory.peak = p->memory.watched.bytes;
}

static void peaked_end(peaked_service *p, const char *name)
{
    size_t most = p->held + (p->memory.peak - p->before);
    CHECK(most <= LIMIT, "%s: %zu bytes", name, most);
    p->held = p->held + p->memory.watched.bytes - p->before;
}

/* More is asked for than there is room for, again and again, and only some is given back. The world
 * changes too, but for planners with an index, whose memory is not the service's. */
static void registry_is_crowded(const cairn_algorithm *a)
{
    static cairn_ticket tickets[CROWD];
    peaked_service p = {0};
    registry_office r = {.algorithm = a, .rng = {3}};
    cairn_service_options limits = {.byte_limit = LIMIT};
    cairn_service_share share = {
        .searches = 2, .search_bytes = ROOM, .background = CAIRN_SHARE_NEVER};
    uint32_t found = 0;
    cairn_context_options options = cairn_context_defaults();
    char spec[64];
    uint32_t number, count = 0;
    options.allocate = peaked_allocate;
    options.allocate_user = &p.memory;
    CHECK_OK(cairn_context_create(&options, &r.o.context));
    r.o.scene = scene_noise("noise", SIDE, SIDE, 20, 4);
    if (cairn_algorithm_support(a, CAIRN_FEATURE_8) == CAIRN_REFUSED)
        r.o.scene->profile.neighbours = CAIRN_NEIGHBOURS_4;
    CHECK_OK(scene_grid(r.o.scene, r.o.context, &r.o.grid));
    CHECK_OK(cairn_space_of_grid(r.o.grid, &r.o.scene->profile, &r.o.space, NULL));
    CHECK_OK(cairn_planner_create(r.o.space, soon_given_up(a, spec), &r.o.planners[0], NULL));
    CHECK_OK(cairn_planner_sync(r.o.planners[0], NULL, NULL));
    r.o.planner_count = 1;
    peaked_begin(&p);
    CHECK_OK(cairn_service_create(r.o.context, &limits, &r.o.service));
    CHECK_OK(cairn_service_add(r.o.service, r.o.planners[0], &share, &number));
    peaked_end(&p, a->name);
    for (uint32_t n = 0; n < CROWDED; n++) {
        if (n % 2 && !(a->flags & CAIRN_NEEDS_INDEX)) registry_edit(&r);
        cairn_reachable(r.o.space, 0, 1); /* the regions are the world's */
        peaked_begin(&p);
        cairn_frame frame = {.work = 3000};
        cairn_status status = CAIRN_OK;
        while (count < CROWD && status == CAIRN_OK) {
            cairn_request request = request_any(&r.o, &r.rng);
            status = cairn_service_request(r.o.service, &request, &tickets[count]);
            count += status == CAIRN_OK;
        }
        CHECK(status == CAIRN_OUT_OF_MEMORY || n > 1, "%s: room for %u", a->name, count);
        CHECK_OK(cairn_service_update(r.o.service, &frame));
        for (uint32_t i = 0; i < count && n % 3; i++) {
            status = cairn_service_answer(r.o.service, tickets[i], NULL);
            if (status == CAIRN_RUNNING) continue;
            found += status == CAIRN_FOUND;
            CHECK_OK(cairn_service_release(r.o.service, tickets[i]));
            tickets[i--] = tickets[--count];
        }
        peaked_end(&p, a->name);
        cairn_service_use use = cairn_service_usage(r.o.service);
        assert_true(use.peak_bytes <= LIMIT);
        CHECK(use.bytes >= p.held, "%s: %zu of %zu bytes counted", a->name, use.bytes, p.held);
    }
    assert_true(cairn_service_usage(r.o.service).refused > 0);
    CHECK(found > 20, "%s: only %u found", a->name, found);
    registry_close(&r);
    assert_true(!p.memory.watched.blocks && !p.memory.watched.wrong_size);
}

static void no_service_takes_more_than_its_limit(void **state)
{
    (void)state;
    each_algorithm(registry_is_crowded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_planner_serves),
        cmocka_unit_test(every_index_serves_while_a_new_one_is_made),
        cmocka_unit_test(every_index_serves_where_links_change),
        cmocka_unit_test(no_frame_takes_more_than_its_budget),
        cmocka_unit_test(reasons_are_those_of_now),
        cmocka_unit_test(forgotten_commits_are_read_from_the_world),
        cmocka_unit_test(every_index_counts),
        cmocka_unit_test(no_service_takes_more_than_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
