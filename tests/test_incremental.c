/* test_incremental.c: navigators that are optimal at every step (lpastar, dstar-lite, and every
 * other one whose descriptor says so). Agents walk in random worlds and graphs that are edited
 * under their feet, are pushed, go where they like and get other goals. After every call the oracle
 * says what the rest of the path may cost in the world as it is at that moment.
 *
 * CAIRN_TEST_LIVES=N runs N random lives of each algorithm and kind of world instead of a sample;
 * CAIRN_TEST_ALGORITHM=NAME is about that one alone.
 */
#include "continuous/navigator.h"
#include "ground.h"

enum { SLICED = 3, CALLS = 60, MANY_COMMITS = 70 };

/* ---- three agents ------------------------------------------------------------------- */

/* Three agents that are told the same: one thinks without a limit; the second in slices, but to the
 * end before anything else happens; the third in slices while the world changes. */
typedef struct trio {
    cairn_planner *planner;
    cairn_navigator *whole, *sliced, *late;
    const char *name;
    uint64_t steps;
} trio;

static cairn_navigator *trio_agent(const trio *t, uint64_t work)
{
    cairn_navigator *navigator;
    cairn_navigator_options options = {.work = work};
    CHECK_OK(cairn_navigator_create(t->planner, &options, &navigator));
    return navigator;
}

static trio trio_of(ground *g, const char *name)
{
    trio t = {.name = name};
    CHECK_OK(cairn_planner_create(g->space, name, &t.planner, NULL));
    t.whole = trio_agent(&t, 0);
    t.sliced = trio_agent(&t, 1 + scene_random(&g->rng, SLICED));
    t.late = trio_agent(&t, 1 + scene_random(&g->rng, SLICED));
    return t;
}

static void trio_end(trio *t)
{
    cairn_navigator_destroy(t->whole);
    cairn_navigator_destroy(t->sliced);
    cairn_navigator_destroy(t->late);
    cairn_planner_destroy(t->planner);
}

static void trio_next(trio *t, ground *g)
{
    cairn_move a, c;
    uint64_t expanded = 0;
    cairn_navigator_next(t->whole, &a);
    CHECK(a.kind != CAIRN_MOVE_THINK, "%s: thinks without a limit", t->name);
    check_move(g, t->whole, &a, t->name);
    cairn_move b = think(t->sliced, &expanded);
    CHECK(a.status == b.status && a.to == b.to && a.cost == b.cost && a.expanded == expanded,
          "%s: slices make another walk: to %u and %u", t->name, a.to, b.to);
    cairn_navigator_next(t->late, &c);
    check_move(g, t->late, &c, t->name);
    t->steps += a.kind == CAIRN_MOVE_STEP;
}

static void trio_moved(trio *t, cairn_node to)
{
    CHECK_OK(cairn_navigator_moved(t->whole, to));
    CHECK_OK(cairn_navigator_moved(t->sliced, to));
    CHECK_OK(cairn_navigator_moved(t->late, to));
}

static void trio_retarget(trio *t, cairn_node to)
{
    CHECK_OK(cairn_navigator_retarget(t->whole, to));
    CHECK_OK(cairn_navigator_retarget(t->sliced, to));
    CHECK_OK(cairn_navigator_retarget(t->late, to));
}

static void trio_start(trio *t, cairn_node from, cairn_node to)
{
    CHECK_OK(cairn_navigator_start(t->whole, from, to));
    CHECK_OK(cairn_navigator_start(t->sliced, from, to));
    CHECK_OK(cairn_navigator_start(t->late, from, to));
}

/* An edge of the space that leaves where the first one stands. */
static void trio_wander(trio *t, ground *g)
{
    cairn_edge edges[16];
    uint32_t count =
        cairn_space_expand(g->space, cairn_navigator_at(t->whole), 0, edges, LENGTH(edges));
    if (count) trio_moved(t, edges[scene_random(&g->rng, count)].node);
}

static void trio_edit(trio *t, ground *g)
{
    uint32_t commits = scene_random(&g->rng, 60) ? 1 : MANY_COMMITS; /* the history forgets */
    for (uint32_t i = 0; i < commits; i++) {
        if (scene_random(&g->rng, 2)) ground_edit_ahead(g, t->whole);
        for (uint32_t k = scene_random(&g->rng, 4); k; k--) ground_edit(g);
        ground_commit(g);
    }
}

/* ---- a life ------------------------------------------------------------------------- */

static uint64_t live(ground *g, const char *name)
{
    trio t = trio_of(g, name);
    cairn_node home = any_node(g);
    bool stays = scene_random(&g->rng, 2); /* it is put back after every step */
    trio_start(&t, home, any_node(g));
    for (uint32_t call = 0; call < CALLS; call++) {
        uint32_t what = scene_random(&g->rng, 20);
        if (what < 4) trio_edit(&t, g);
        if (what == 5) trio_moved(&t, any_node(g));
        if (what == 6) trio_wander(&t, g);
        if (what == 7 && !scene_random(&g->rng, 3)) trio_retarget(&t, any_node(g));
        trio_next(&t, g);
        if (stays) trio_moved(&t, home);
    }
    uint64_t expanded = 0;
    cairn_move last = think(t.late, &expanded);
    check_move(g, t.late, &last, name);
    uint64_t steps = t.steps;
    trio_end(&t);
    return steps;
}

typedef void about(const cairn_algorithm *algorithm);

static void each_algorithm(about *what)
{
    const char *only = getenv("CAIRN_TEST_ALGORITHM");
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        if (a->kind != CAIRN_KIND_NAVIGATOR || !(a->flags & CAIRN_OPTIMAL)) continue;
        if (only && strcmp(only, a->name) != 0) continue;
        what(a);
        if (strcmp(a->name, "dstar") != 0) continue;
        cairn_algorithm first = *a; /* as Stentz wrote it down first */
        first.name = "dstar:focused=0";
        what(&first);
    }
}

/* Anytime and real-time ones, too. */
static void each_navigator(about *what)
{
    const char *only = getenv("CAIRN_TEST_ALGORITHM");
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        if (a->kind == CAIRN_KIND_NAVIGATOR && (!only || !strcmp(only, a->name))) what(a);
    }
}

/* In this test. */
static ground_tally lived;
static const cairn_algorithm *tested[64];
static uint32_t tested_count;

/* Those whose estimates learn have lives of their own (test_adaptive.c). */
static void live_on(const cairn_algorithm *a, ground (*make)(uint64_t seed), uint64_t factor)
{
    uint64_t steps = 0;
    uint32_t count = test_lives(strstr(a->name, "aastar") ? 12 : 120, 10);
    assert_true(tested_count < LENGTH(tested));
    tested[tested_count++] = a;
    for (uint64_t seed = test_first_life(), i = 0; i < count; i++, seed++) {
        ground g = make(seed * factor);
        test_tell_life(a->name, seed);
        ground_count(&lived, &g);
        steps += live(&g, a->name);
        ground_end(&g);
    }
    CHECK(steps > count, "%s: hardly a step", a->name);
}

/* The next one of those that were tested. */
static void live_once(ground *g, uint32_t next)
{
    const cairn_algorithm *a = tested[next % tested_count];
    test_tell_life(a->name, next);
    live(g, a->name);
}

static void live_on_grids(const cairn_algorithm *a)
{
    live_on(a, ground_of_grid, 7919);
}

static void live_on_graphs(const cairn_algorithm *a)
{
    live_on(a, ground_of_graph, 104729);
}

static void every_step_is_optimal_on_grids_that_change(void **state)
{
    (void)state;
    lived = (ground_tally){0}, tested_count = 0;
    each_algorithm(live_on_grids);
    ground_live_in_all(&lived, ground_of_grid, 7919, live_once);
}

static void every_step_is_optimal_on_graphs_that_change(void **state)
{
    (void)state;
    lived = (ground_tally){0}, tested_count = 0;
    each_algorithm(live_on_graphs);
    ground_live_in_all(&lived, ground_of_graph, 104729, live_once);
}

/* ---- keys that do not fit ------------------------------------------------------------- */

/* Some cells round the middle of a long map are opened or closed. */
static void edit_middle(ground *g, uint32_t length)
{
    scene *s = g->w.scene;
    for (uint32_t i = 0; i < 12; i++) {
        uint32_t x = length / 2 - 60 + scene_random(&g->rng, 120), y = scene_random(&g->rng, 12);
        if (x == length / 2) continue; /* the goal */
        s->open[y * length + x] = scene_random(&g->rng, 3) > 0;
        CHECK_OK(cairn_grid_set_open(g->w.grid, (int32_t)x, (int32_t)y, s->open[y * length + x]));
    }
    ground_commit(g);
}

static cairn_cost cost_of(cairn_search *search, cairn_node from, cairn_node to)
{
    const cairn_path *path;
    cairn_status status = cairn_search_find(search, &(cairn_query){.from = from, .to = to}, &path);
    return status == CAIRN_FOUND ? path->cost : CAIRN_NO_COST;
}

/* An agent is put from one end of a long map to the other, and something changes each time. K_m
 * grows until no key fits into 32 bits any more. */
static void keys_that_grow_too_large_begin_again(void **state)
{
    (void)state;
    enum { LONG = 3000, WIDE = 12, TIMES = 600, GOAL = 6 * LONG + LONG / 2 };
    ground g = {.w = world_of(scene_blank("long", LONG, WIDE)), .rng = {5}, .count = LONG * WIDE};
    g.space = g.w.space;
    trio t = trio_of(&g, "dstar-lite");
    kit judge = {.space = g.space};
    kit_plan(&judge, "astar");
    CHECK_OK(cairn_navigator_start(t.whole, 6 * LONG, GOAL));
    /* a search that begins again and again fails */
    CHECK_OK(cairn_navigator_set_work(t.whole, 100 * LONG * WIDE));
    uint64_t far = 0;
    for (uint32_t i = 0; i < TIMES; i++) {
        cairn_move m;
        cairn_node at = i % 2 ? 6 * LONG : 7 * LONG - 1;
        CHECK_OK(cairn_navigator_moved(t.whole, at));
        edit_middle(&g, LONG);
        cairn_status status = cairn_navigator_next(t.whole, &m);
        cairn_cost best = cost_of(judge.search, at, GOAL);
        CHECK((status == CAIRN_OK) == (best != CAIRN_NO_COST), "%u times: %s", i,
              cairn_status_text(status));
        if (status == CAIRN_OK) {
            cairn_cost cost = m.cost + cost_of(judge.search, m.to, GOAL);
            CHECK(cost == best, "%u times: %u, the best is %u", i, cost, best);
        }
        far += cairn_estimate(g.space, CAIRN_HEURISTIC_AUTO, 6 * LONG, 7 * LONG - 1);
    }
    CHECK(far > 2 * (uint64_t)UINT32_MAX, "K_m never was too large");
    cairn_search_destroy(judge.search);
    cairn_planner_destroy(judge.planner);
    trio_end(&t);
    ground_end(&g);
}

/* What is left when a cheap edge goes costs more than 32 bits hold: that is no "unreachable". */
static void a_repair_knows_what_costs_too_much(void **state)
{
    (void)state;
    enum { START, NEAR, GOAL, ASIDE, NODES };
    const cairn_cost heavy = 3000000000u;
    const cairn_graph_edge edges[] = {
        {START, NEAR, 1}, {NEAR, GOAL, heavy}, {ASIDE, GOAL, heavy}, {ASIDE, NEAR, heavy}};
    cairn_graph_options options = {
        .node_count = NODES, .edge_count = LENGTH(edges), .edges = edges};
    kit k = {0};
    cairn_navigator *navigator;
    cairn_move m;
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_graph_create(k.context, &options, &k.graph, NULL));
    CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
    CHECK_OK(planner_ready(k.space, "dstar-lite", &k.planner, NULL));
    CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
    CHECK_OK(cairn_navigator_start(navigator, START, GOAL));
    CHECK_OK(cairn_navigator_next(navigator, &m));
    CHECK_OK(cairn_graph_set_edge_open(k.graph, ASIDE, GOAL, false));
    CHECK_OK(cairn_graph_commit(k.graph));
    CHECK_OK(cairn_navigator_moved(navigator, ASIDE));
    assert_int_equal(cairn_navigator_next(navigator, &m), CAIRN_COST_OVERFLOW);
    cairn_navigator_destroy(navigator);
    kit_close(&k);
}

/* ---- commits in the middle ------------------------------------------------------------ */

/* A node with many neighbours is being expanded when one of its edges goes: those behind it move up
 * by one. Or an edge goes that is none of its own. Only one of the neighbours leads on, and none
 * may be passed over. */
static void interrupt_an_expansion(const cairn_algorithm *a)
{
    enum { RAYS = 150, HUB = 0, START = RAYS + 1, GOAL = RAYS + 2 };
    bool back = !strncmp(a->name, "dstar", 5);
    for (uint32_t i = 2 * 20; i < 2 * 130; i += 1 + 2 * (test_sample() / 6)) {
        uint32_t only = i / 2;
        static cairn_graph_edge edges[RAYS + 3];
        cairn_node one = i % 2 ? HUB : 4;
        cairn_node near = back ? GOAL : START, far = back ? START : GOAL;
        for (uint32_t r = 0; r < RAYS; r++) edges[r] = (cairn_graph_edge){HUB, r + 1, 10};
        edges[RAYS] = (cairn_graph_edge){near, HUB, 10};
        edges[RAYS + 1] = (cairn_graph_edge){only, far, 10};
        edges[RAYS + 2] = (cairn_graph_edge){3, 4, 10};
        cairn_graph_options options = {
            .node_count = RAYS + 3, .edge_count = RAYS + 3, .edges = edges, .both_ways = true};
        kit k = {0};
        cairn_navigator *navigator;
        cairn_navigator_options limit = {.work = 1};
        uint64_t expanded = 0;
        CHECK_OK(cairn_context_create(NULL, &k.context));
        CHECK_OK(cairn_graph_create(k.context, &options, &k.graph, NULL));
        CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
        kit_plan(&k, a->name);
        CHECK_OK(cairn_navigator_create(k.planner, &limit, &navigator));
        CHECK_OK(cairn_navigator_start(navigator, START, GOAL));
        for (uint32_t call = 0; call < 3; call++)
            CHECK_STATUS(cairn_navigator_next(navigator, NULL), CAIRN_RUNNING);
        CHECK_OK(cairn_graph_set_edge_open(k.graph, one, 3, false));
        CHECK_OK(cairn_graph_set_edge_open(k.graph, 3, one, false));
        CHECK_OK(cairn_graph_commit(k.graph));
        cairn_move m = think(navigator, &expanded);
        CHECK(m.status == CAIRN_OK && m.cost == 10, "%s: over %u there is a path: %s", a->name,
              only, cairn_status_text(m.status));
        cairn_navigator_destroy(navigator);
        kit_close(&k);
    }
}

static void a_commit_in_the_middle_of_an_expansion_is_noticed(void **state)
{
    (void)state;
    each_algorithm(interrupt_an_expansion);
}

/* ---- estimates that change ------------------------------------------------------------ */

/* A land of swamp, in which roads are built: then every estimate is less than it was. */
static void build_roads(const cairn_algorithm *a)
{
    enum { WIDTH = 40, HEIGHT = 30 };
    for (uint32_t i = 0; i < test_times(16, 12); i++) {
        scene *s = scene_noise("swamp", WIDTH, HEIGHT, 15, i + 1);
        s->terrain = malloc(WIDTH * HEIGHT);
        if (!s->terrain) abort();
        memset(s->terrain, CAIRN_TERRAIN_SWAMP, WIDTH * HEIGHT);
        s->profile.terrain_cost[CAIRN_TERRAIN_SWAMP] = CAIRN_TIMES(4);
        ground g = {.w = world_of(s), .rng = {i + 1}, .count = WIDTH * HEIGHT};
        g.space = g.w.space;
        trio t = trio_of(&g, a->name);
        cairn_node home = any_node(&g);
        trio_start(&t, home, any_node(&g));
        trio_next(&t, &g);
        uint32_t y = scene_random(&g.rng, HEIGHT), x = scene_random(&g.rng, WIDTH);
        for (uint32_t k = 0; k < WIDTH + HEIGHT; k++) {
            cairn_node n = k < WIDTH ? y * WIDTH + k : (k - WIDTH) * WIDTH + x;
            s->terrain[n] = CAIRN_TERRAIN_GROUND;
            CHECK_OK(cairn_grid_set_terrain(g.w.grid, (int32_t)(n % WIDTH), (int32_t)(n / WIDTH),
                                            CAIRN_TERRAIN_GROUND));
        }
        ground_commit(&g);
        trio_moved(&t, home);
        for (uint32_t k = 0; k < 8; k++) trio_next(&t, &g);
        trio_end(&t);
        ground_end(&g);
    }
}

static void other_estimates_begin_a_new_search(void **state)
{
    (void)state;
    each_algorithm(build_roads);
}

/* ---- memory -------------------------------------------------------------------------- */

/* A walk through rooms whose doors close in front of the agent, with links that are shortcuts or
 * without. With no memory it stops, and goes on with the next call. Returns whether a request was
 * refused. */
static bool walk_refused(const cairn_algorithm *a, bool linked, uint64_t k, size_t limit,
                         watched *memory)
{
    const char *name = a->name;
    cairn_context_options options = cairn_context_defaults();
    options.allocate = watched_allocate;
    options.allocate_user = memory;
    scene *s = scene_rooms("rooms", 40, 30, 6, 3);
    ground g = {.rng = {9}, .count = 40 * 30};
    if (linked) scene_add_links(s, 4, 256, 512, false, 5);
    g.w = (world){.scene = s, .raw = scene_raw(s)};
    CHECK_OK(cairn_context_create(&options, &g.w.context));
    CHECK_OK(scene_grid(s, g.w.context, &g.w.grid));
    CHECK_OK(cairn_space_of_grid(g.w.grid, &s->profile, &g.w.space, NULL));
    g.space = g.w.space;
    cairn_planner *planner;
    cairn_navigator *navigator = NULL;
    CHECK_OK(planner_ready(g.space, name, &planner, NULL));
    memory->failures = 0;
    memory->fail_at = k ? memory->calls + k : 0;
    cairn_navigator_options agent = {.byte_limit = limit};
    cairn_status status = cairn_navigator_create(planner, &agent, &navigator);
    bool refused = status == CAIRN_OUT_OF_MEMORY;
    if (refused && k) CHECK_OK(cairn_navigator_create(planner, &agent, &navigator));
    if (navigator) CHECK_OK(cairn_navigator_start(navigator, any_node(&g), any_node(&g)));
    for (uint32_t turn = 0; navigator && turn < 40; turn++) {
        cairn_move m;
        uint64_t failed = memory->failures;
        status = cairn_navigator_next(navigator, &m);
        CHECK(!limit || cairn_navigator_sums(navigator).bytes <= limit + sizeof *navigator,
              "%s: %llu bytes of %u", name,
              (unsigned long long)cairn_navigator_sums(navigator).bytes, (unsigned)limit);
        CHECK(status != CAIRN_OUT_OF_MEMORY || memory->failures > failed || limit, "%s: no memory",
              name);
        if (status == CAIRN_OUT_OF_MEMORY)
            refused = true;
        else
            (a->flags & CAIRN_OPTIMAL ? check_move : check_legal)(&g, navigator, &m, name);
        if (turn % 4 != 2) continue;
        uint64_t left = memory->fail_at ? memory->fail_at - memory->calls : 0;
        memory->fail_at = 0; /* commits are not what this is about */
        ground_edit_ahead(&g, navigator);
        ground_commit(&g);
        memory->fail_at = left && left < 1u << 30 ? memory->calls + left : 0;
    }
    memory->fail_at = 0;
    cairn_navigator_destroy(navigator);
    cairn_planner_destroy(planner);
    ground_end(&g);
    CHECK(!memory->blocks && !memory->wrong_size, "%s: memory was not given back", name);
    return refused || memory->failures;
}

/* The next request that is refused: each of the first ones, and where builds are slow some of those to
 * come. */
static uint64_t next_refused(uint64_t k)
{
    return k < 16 || test_stride() == 1 ? k + 1 : k + k / 4 + test_stride();
}

static void refuse_each(const cairn_algorithm *a)
{
    watched memory = {0};
    uint64_t k = 1, linked = 1;
    while (walk_refused(a, true, linked, 0, &memory)) linked = next_refused(linked);
    while (walk_refused(a, false, k, 0, &memory)) k = next_refused(k);
    CHECK(k > (a->flags & CAIRN_NEEDS_INDEX ? 2 : 6), "%s: hardly a request (%u)", a->name,
          (unsigned)k);
    bool small = false, large = false;
    for (size_t limit = 1; limit < 80000; limit += limit < 2000 ? 300 : 3000) {
        bool refused = walk_refused(a, false, 0, limit, &memory);
        small |= refused, large |= !refused;
        CHECK(!refused || !large, "%s: more memory is less", a->name);
    }
    CHECK(small && large, "%s: the limit does not matter", a->name);
}

static void an_agent_does_without_memory_and_within_its_limit(void **state)
{
    (void)state;
    each_navigator(refuse_each);
}

/* What an agent holds after its first step, which is one of three, in a world with a link that is a
 * shortcut or without. */
static size_t held_beside(const char *name, bool linked)
{
    scene *s = scene_blank("strip", 40, 1);
    watched w = {0};
    kit k = {0};
    cairn_navigator *navigator;
    CHECK_OK(watched_context(&w, &k.context));
    CHECK_OK(scene_grid(s, k.context, &k.grid));
    cairn_link far = {.from = 20, .to = 39, .cost = 256};
    if (linked) CHECK_OK(cairn_grid_add_link(k.grid, &far));
    CHECK_OK(cairn_grid_commit(k.grid));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    kit_plan(&k, name);
    size_t before = w.bytes;
    CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
    CHECK_OK(cairn_navigator_start(navigator, 2, 5));
    CHECK_OK(cairn_navigator_next(navigator, NULL));
    size_t held = w.bytes - before;
    cairn_navigator_destroy(navigator);
    kit_end(&k, s);
    return held;
}

/* Searches from the goal use no estimates where links are shortcuts. */
static void only_links_take_room_for_what_estimates_know_of_them(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool forward;
    } agents[] = {{"lpastar", true}, {"aastar", true}, {"dstar-lite", false}, {"rtdstar", false}};
    for (uint32_t i = 0; i < LENGTH(agents); i++) {
        size_t plain = held_beside(agents[i].name, false),
               linked = held_beside(agents[i].name, true);
        CHECK(agents[i].forward ? plain + 900 < linked : plain >= linked,
              "%s: %u bytes, with a link %u", agents[i].name, (unsigned)plain, (unsigned)linked);
    }
}

/* ---- what a repair costs ------------------------------------------------------------- */

/* How often each node was expanded. */
typedef struct expansions {
    uint32_t *times;
    uint64_t sum;
} expansions;

static void note_expansion(void *user, const cairn_event *event)
{
    expansions *e = user;
    if (event->kind != CAIRN_EVENT_EXPAND) return;
    e->times[event->node]++;
    e->sum++;
}

/* A cell beside the agent closes. It is told of, and that costs far less than the first search. */
static void listen_to_a_repair(const cairn_algorithm *a)
{
    /* others search again, with better estimates (test_adaptive.c) */
    if (strcmp(a->name, "lpastar") && strcmp(a->name, "dstar-lite")) return;
    ground g = {.w = world_of(scene_blank("open", 100, 80)), .rng = {1}, .count = 100 * 80};
    g.space = g.w.space;
    trio t = trio_of(&g, a->name);
    expansions e = {.times = calloc(g.count, sizeof *e.times)};
    cairn_trace_sink sink = {note_expansion, &e};
    if (!e.times) abort();
    uint64_t first = 0, again = 0;
    cairn_node home = 40 * 100 + 10, ahead[5];
    cairn_navigator_trace(t.whole, &sink);
    trio_start(&t, home, 45 * 100 + 80);
    think(t.whole, &first);
    CHECK(e.sum == first && first > 300, "%s: %u events of %u", a->name, (unsigned)e.sum,
          (unsigned)first);
    trio_moved(&t, home);
    CHECK(cairn_navigator_ahead(t.whole, ahead, 5) != 1, "a path of one point");
    g.w.scene->open[42 * 100 + 78] = 0;
    CHECK_OK(cairn_grid_set_open(g.w.grid, 78, 42, false));
    g.w.scene->open[41 * 100 + 12] = 0;
    CHECK_OK(cairn_grid_set_open(g.w.grid, 12, 41, false));
    ground_commit(&g);
    e.sum = 0;
    cairn_move m = think(t.whole, &again);
    check_move(&g, t.whole, &m, a->name);
    CHECK(m.plans == 1 && e.sum == again, "%s: %u events of %u", a->name, (unsigned)e.sum,
          (unsigned)again);
    CHECK(again * 4 < first, "%s: %u expansions after %u", a->name, (unsigned)again,
          (unsigned)first);
    free(e.times);
    trio_end(&t);
    ground_end(&g);
}

static void a_repair_costs_less_than_a_search(void **state)
{
    (void)state;
    each_algorithm(listen_to_a_repair);
}

/* In a world that stays as it is, one search is enough. */
static void follow_the_path(const cairn_algorithm *a)
{
    ground g = {.w = world_of(scene_rooms("rooms", 60, 50, 7, 5)), .rng = {8}, .count = 60 * 50};
    g.space = g.w.space;
    trio t = trio_of(&g, a->name);
    cairn_node from = any_node(&g), to = any_node(&g);
    trio_start(&t, from, to);
    cairn_move m = {0};
    uint32_t turns = 0;
    for (; !m.arrived; turns++) {
        CHECK_OK(cairn_navigator_next(t.whole, &m));
        CHECK(!turns || (!m.expanded && !m.work), "%s: it searches again", a->name);
    }
    cairn_walk_sums sums = cairn_navigator_sums(t.whole);
    CHECK(sums.plans == 1 && sums.cost == ground_cost(&g, from, to), "%s: a walk of %llu", a->name,
          (unsigned long long)sums.cost);
    trio_end(&t);
    ground_end(&g);
}

static void an_unchanged_world_needs_one_search(void **state)
{
    (void)state;
    each_algorithm(follow_the_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_is_optimal_on_grids_that_change),
        cmocka_unit_test(every_step_is_optimal_on_graphs_that_change),
        cmocka_unit_test(keys_that_grow_too_large_begin_again),
        cmocka_unit_test(a_repair_knows_what_costs_too_much),
        cmocka_unit_test(a_commit_in_the_middle_of_an_expansion_is_noticed),
        cmocka_unit_test(other_estimates_begin_a_new_search),
        cmocka_unit_test(an_agent_does_without_memory_and_within_its_limit),
        cmocka_unit_test(only_links_take_room_for_what_estimates_know_of_them),
        cmocka_unit_test(a_repair_costs_less_than_a_search),
        cmocka_unit_test(an_unchanged_world_needs_one_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
