/* test_adaptive.c: A* whose estimates learn: aastar, mtaastar, gaastar, mpaastar, mpgaastar.
 * test_incremental.c has what they promise as all navigators that are optimal at every step do.
 * Here: that the estimates stay consistent, whatever happens, also when numbers of epochs come
 * again; what is saved by them; what tells the five apart; and that units of work are bounded.
 *
 * CAIRN_TEST_LIVES=N runs N random lives of each algorithm and kind of world instead of a
 * sample.
 */
#include "continuous/adaptive.h"
#include "ground.h"
#include "navigators.h"

static const char *const family[] = {"aastar", "mtaastar", "gaastar", "mpaastar", "mpgaastar"};

/* Those that are optimal at every step, and neither repair their search (test_first_search.c) nor
 * improve it (test_anytime.c). */
static bool learns(const cairn_algorithm *a)
{
    static const char *const repairing[] = {"lpastar", "dstar-lite", "dstar"};
    bool repairs = is_listed(a->name, repairing, LENGTH(repairing));
    return (a->flags & CAIRN_OPTIMAL) && !(a->flags & CAIRN_ANYTIME) && !repairs;
}

static void every_navigator_whose_estimates_learn_is_tested(void **state)
{
    (void)state;
    check_listed(learns, family, LENGTH(family));
}

/* ---- an agent, and what it believes ---------------------------------------------------- */

typedef struct walk {
    cairn_planner *planner;
    cairn_navigator *agent;
} walk;

static walk walk_of(const ground *g, const char *name, uint64_t work)
{
    walk w;
    cairn_navigator_options options = {.work = work};
    CHECK_OK(cairn_planner_create(g->space, name, &w.planner, NULL));
    CHECK_OK(cairn_navigator_create(w.planner, &options, &w.agent));
    return w;
}

static void walk_end(walk *w)
{
    cairn_navigator_destroy(w->agent);
    cairn_planner_destroy(w->planner);
}

static uint64_t believed(const cairn_navigator *agent, cairn_node node)
{
    const crn_adaptive *a = agent->own;
    return crn_adaptive_h(a, node, crn_adaptive_find(a, node));
}

/* Along no edge does an estimate fall by more than the edge costs, and the goal's is 0. So none is
 * more than the rest of the path costs. */
static void check_estimates(ground *g, const cairn_navigator *agent, const char *name)
{
    const oracle *o = ground_oracle(g);
    CHECK(believed(agent, cairn_navigator_goal(agent)) == 0, "%s: no 0 at the goal", name);
    for (cairn_node n = 0; n < o->count; n++) {
        for (uint32_t e = o->first[n]; e < o->first[n + 1]; e++) {
            uint64_t here = believed(agent, n), there = believed(agent, o->to[e]);
            CHECK(here <= o->cost[e] + there, "%s: from %u to %u costs %llu, but %llu to %llu",
                  name, n, o->to[e], (unsigned long long)o->cost[e], (unsigned long long)here,
                  (unsigned long long)there);
        }
    }
}

/* ---- lives ---------------------------------------------------------------------------- */

/* The goal goes a step, or somewhere else. */
static void move_goal(ground *g, cairn_navigator *agent)
{
    cairn_edge edges[16];
    uint32_t count =
        cairn_space_expand(g->space, cairn_navigator_goal(agent), 0, edges, LENGTH(edges));
    cairn_node to =
        count && scene_random(&g->rng, 8) ? edges[scene_random(&g->rng, count)].node : any_node(g);
    CHECK_OK(cairn_navigator_retarget(agent, to));
}

static void something_happens(ground *g, cairn_navigator *agent, uint32_t moving)
{
    uint32_t what = scene_random(&g->rng, 12);
    if (what < 3) {
        ground_edit_ahead(g, agent);
        for (uint32_t k = scene_random(&g->rng, 3); k; k--) ground_edit(g);
        ground_commit(g);
    }
    if (what == 4) CHECK_OK(cairn_navigator_moved(agent, any_node(g)));
    if (scene_random(&g->rng, 10) < moving) move_goal(g, agent);
}

/* So many calls that numbers of epochs come again, for agents that move or search often. In slices
 * now and then: then things happen in the middle of searches and repairs. */
static void live(ground *g, const char *name, uint32_t calls)
{
    uint32_t moving = scene_random(&g->rng, 3) * 4;
    walk w = walk_of(g, name, scene_random(&g->rng, 2) ? 1 + scene_random(&g->rng, 6) : 0);
    CHECK_OK(cairn_navigator_start(w.agent, any_node(g), any_node(g)));
    for (uint32_t i = 0; i < calls; i++) {
        cairn_move m;
        something_happens(g, w.agent, moving);
        cairn_navigator_next(w.agent, &m);
        check_move(g, w.agent, &m, name);
        if (m.kind == CAIRN_MOVE_STEP && (m.expanded || m.plans)) check_estimates(g, w.agent, name);
        if (m.arrived) CHECK_OK(cairn_navigator_moved(w.agent, any_node(g)));
    }
    walk_end(&w);
}

static void live_on(ground (*make)(uint64_t seed), const char *name, uint32_t usual,
                    ground_tally *lived)
{
    uint32_t count = test_lives(usual, 3);
    for (uint64_t seed = test_first_life(), i = 0; i < count; i++, seed++) {
        ground g = make(seed * 15485863);
        test_tell_life(name, seed);
        ground_count(lived, &g);
        live(&g, name, seed % 5 ? 60 : 400);
        ground_end(&g);
    }
}

static void live_once(ground *g, uint32_t next)
{
    test_tell_life(family[next % LENGTH(family)], next);
    live(g, family[next % LENGTH(family)], 60);
}

static void estimates_stay_consistent_in_worlds_that_change(void **state)
{
    (void)state;
    ground_tally on_grids = {0}, on_graphs = {0};
    for (uint32_t i = 0; i < LENGTH(family); i++) {
        live_on(ground_of_grid, family[i], 25, &on_grids);
        live_on(ground_of_graph, family[i], 25, &on_graphs);
    }
    ground_live_in_all(&on_grids, ground_of_grid, 15485863, live_once);
    ground_live_in_all(&on_graphs, ground_of_graph, 15485863, live_once);
}

/* ---- what learning saves --------------------------------------------------------------- */

/* Nodes that a search expanded before its path was certain: those with less than its cost. */
typedef struct certain {
    uint8_t *nodes;
    uint64_t *f;
    uint32_t count;
} certain;

static void note_expansion(void *user, const cairn_event *event)
{
    certain *c = user;
    if (event->kind == CAIRN_EVENT_EXPAND) c->f[event->node] = (uint64_t)event->g + event->h;
}

/* One call, from the beginning of a search on. f of nodes that were not expanded is UINT64_MAX. */
static cairn_move listen(const ground *g, cairn_navigator *agent, uint64_t *f)
{
    certain c = {.f = f};
    cairn_trace_sink sink = {note_expansion, &c};
    cairn_move m;
    for (uint32_t i = 0; i < g->count; i++) f[i] = UINT64_MAX;
    cairn_navigator_trace(agent, &sink);
    cairn_navigator_next(agent, &m);
    cairn_navigator_trace(agent, NULL);
    return m;
}

/* Walls are built, none is taken away. Each search of an agent that has learnt expands no node that
 * a search without learning does not, up to those whose f is the cost of the path. */
static void later_searches_expand_no_more_than_astar(void **state)
{
    (void)state;
    enum { WIDTH = 40, HEIGHT = 30 };
    static uint64_t learnt[WIDTH * HEIGHT], plain[WIDTH * HEIGHT];
    for (uint32_t n = 0; n < LENGTH(family); n++) {
        uint64_t sum = 0, plain_sum = 0;
        for (uint32_t seed = 1; seed <= test_times(12, 3); seed++) {
            ground g = {.w = world_of(scene_rooms("rooms", WIDTH, HEIGHT, 6, seed)),
                        .rng = {seed},
                        .count = WIDTH * HEIGHT};
            g.space = g.w.space;
            walk w = walk_of(&g, family[n], 0);
            CHECK_OK(cairn_navigator_start(w.agent, any_node(&g), any_node(&g)));
            for (uint32_t i = 0; i < 12; i++) {
                cairn_node at = cairn_navigator_at(w.agent), to = cairn_navigator_goal(w.agent);
                walk fresh = walk_of(&g, "aastar", 0);
                CHECK_OK(cairn_navigator_start(fresh.agent, at, to));
                cairn_move a = listen(&g, w.agent, learnt), b = listen(&g, fresh.agent, plain);
                CHECK(a.status == b.status, "%s: another answer", family[n]);
                uint64_t cost = ground_cost(&g, at, to);
                for (cairn_node s = 0; a.kind == CAIRN_MOVE_STEP && s < g.count; s++)
                    CHECK(learnt[s] >= cost || plain[s] < cost, "%s: %u is expanded in vain",
                          family[n], s);
                if (a.plans) sum += a.expanded, plain_sum += b.expanded;
                walk_end(&fresh);
                if (a.kind != CAIRN_MOVE_STEP || a.arrived) break;
                cairn_node ahead[6];
                uint32_t count = cairn_navigator_ahead(w.agent, ahead, LENGTH(ahead));
                if (count <= LENGTH(ahead)) break;
                cairn_node wall = ahead[LENGTH(ahead) - 1];
                g.w.scene->open[wall] = 0;
                CHECK_OK(cairn_grid_set_open(g.w.grid, (int32_t)(wall % WIDTH),
                                             (int32_t)(wall / WIDTH), false));
                ground_commit(&g);
            }
            walk_end(&w);
            ground_end(&g);
        }
        CHECK(sum * 10 < plain_sum * 9, "%s: %u expansions, %u without learning", family[n],
              (unsigned)sum, (unsigned)plain_sum);
    }
}

/* ---- the five are not the same ---------------------------------------------------------- */

/* A hall with a cup in it that is open to the left. The agent is at its bottom, the goal behind it:
 * a search fills the cup. In its mouth there is a pillar. */
enum {
    HALL_WIDTH = 60,
    HALL_HEIGHT = 40,
    BOTTOM = 40,
    RIM = 14,
    TOP = 8,
    LOW = 32,
    PX = 34,
    PY = 18
};

static void build(ground *g, uint32_t x, uint32_t y, bool open)
{
    g->w.scene->open[y * HALL_WIDTH + x] = open;
    CHECK_OK(cairn_grid_set_open(g->w.grid, (int32_t)x, (int32_t)y, open));
}

static ground hall(void)
{
    ground g = {.w = world_of(scene_blank("hall", HALL_WIDTH, HALL_HEIGHT)),
                .rng = {1},
                .count = HALL_WIDTH * HALL_HEIGHT};
    g.space = g.w.space;
    for (uint32_t y = TOP; y <= LOW; y++) build(&g, BOTTOM, y, false);
    for (uint32_t x = RIM; x < BOTTOM; x++) build(&g, x, TOP, false), build(&g, x, LOW, false);
    build(&g, PX, PY, false);
    ground_commit(&g);
    return g;
}

/* Expansions of the next call, of which the answer is checked. */
static uint64_t effort(ground *g, walk *w, const char *name)
{
    cairn_move m;
    CHECK_OK(cairn_navigator_next(w->agent, &m));
    check_move(g, w->agent, &m, name);
    check_estimates(g, w->agent, name);
    return m.expanded;
}

/* What an agent expands after something has happened; each time it is put back to its start. */
typedef struct saga {
    uint64_t first;
    uint64_t behind; /* after a cell on its path was closed, near its start */
    uint64_t opened; /* after the pillar was taken away */
    uint64_t moved;  /* after the goal has come a step nearer, on the path */
} saga;

static saga saga_of(const char *name)
{
    ground g = hall();
    walk w = walk_of(&g, name, 0);
    saga s;
    cairn_node home = 18 * HALL_WIDTH + BOTTOM - 3, goal = 20 * HALL_WIDTH + 52, ahead[90];
    CHECK_OK(cairn_navigator_start(w.agent, home, goal));
    s.first = effort(&g, &w, name);
    cairn_navigator_ahead(w.agent, ahead, LENGTH(ahead));
    cairn_node closed = ahead[4];
    CHECK_OK(cairn_navigator_moved(w.agent, home));
    build(&g, closed % HALL_WIDTH, closed / HALL_WIDTH, false);
    ground_commit(&g);
    s.behind = effort(&g, &w, name);
    CHECK_OK(cairn_navigator_moved(w.agent, home));
    build(&g, PX, PY, true);
    ground_commit(&g);
    s.opened = effort(&g, &w, name);
    uint32_t count = cairn_navigator_ahead(w.agent, ahead, LENGTH(ahead));
    CHECK_OK(cairn_navigator_moved(w.agent, home));
    CHECK_OK(cairn_navigator_retarget(w.agent, ahead[count - 2]));
    s.moved = effort(&g, &w, name);
    walk_end(&w);
    ground_end(&g);
    return s;
}

static void each_does_what_its_siblings_do_not(void **state)
{
    (void)state;
    saga aa = saga_of("aastar"), mt = saga_of("mtaastar"), ga = saga_of("gaastar"),
         mp = saga_of("mpaastar"), mpg = saga_of("mpgaastar");
    if (getenv("CAIRN_TEST_TELL")) {
        const saga all[] = {aa, mt, ga, mp, mpg};
        for (uint32_t i = 0; i < LENGTH(all); i++)
            print_error("%s %llu %llu %llu %llu\n", family[i], (unsigned long long)all[i].first,
                        (unsigned long long)all[i].behind, (unsigned long long)all[i].opened,
                        (unsigned long long)all[i].moved);
    }
    CHECK(aa.first == mt.first && aa.first == ga.first && aa.first == mp.first &&
              aa.first == mpg.first,
          "the first search is the same for all: %u", (unsigned)aa.first);
    CHECK(aa.behind == ga.behind && mp.behind * 2 < aa.behind && mpg.behind == mp.behind,
          "old paths are used: %u, %u", (unsigned)mp.behind, (unsigned)aa.behind);
    CHECK(ga.opened * 2 < aa.opened && mpg.opened <= ga.opened && mt.opened == aa.opened,
          "what was learnt is kept: %u, %u", (unsigned)ga.opened, (unsigned)aa.opened);
    CHECK(mt.moved * 2 < aa.moved && ga.moved * 2 < aa.moved, "also when the goal moves: %u, %u",
          (unsigned)mt.moved, (unsigned)aa.moved);
}

/* ---- a corridor, of which a page of records has 64 cells ------------------------------------ */

static ground corridor(uint32_t length)
{
    ground g = {.w = world_of(scene_blank("corridor", length, 1)), .rng = {1}, .count = length};
    g.space = g.w.space;
    return g;
}

/* The same as a graph, since no grid is as long. */
static ground road(uint32_t length)
{
    ground g = {.rng = {1}};
    cairn_graph_edge *edges = malloc(length * sizeof *edges);
    cairn_position *positions = malloc(length * sizeof *positions);
    if (!edges || !positions) abort();
    for (uint32_t i = 0; i < length; i++) {
        edges[i] = (cairn_graph_edge){i, i + 1, 1000};
        positions[i] = (cairn_position){i, 0, 0};
    }
    cairn_graph_options options = {.node_count = length,
                                   .edge_count = length - 1,
                                   .edges = edges,
                                   .positions = positions,
                                   .both_ways = true};
    ground_draw(&g, &options);
    free(edges), free(positions);
    return g;
}

/* The agent is put somewhere, and gets another goal: there is but one way. */
static void errand(const walk *w, const char *name, cairn_node from, cairn_node to)
{
    cairn_move m;
    CHECK_OK(cairn_navigator_moved(w->agent, from));
    CHECK_OK(cairn_navigator_retarget(w->agent, to));
    cairn_status status = cairn_navigator_next(w->agent, &m);
    CHECK(status == CAIRN_OK, "%s: from %u to %u: %s", name, from, to, cairn_status_text(status));
    uint32_t far = from < to ? to - from : from - to;
    CHECK(cairn_navigator_ahead(w->agent, NULL, 0) == far, "%s: from %u to %u by a detour", name,
          from, to);
}

/* Every search is in a part of the road that the agent has never seen, with more
 * pages than are swept before the next one. Then a number of an epoch comes again, and the agent is
 * back where it was in the first one of that number. */
static void no_record_outlives_the_number_of_its_epoch(void **state)
{
    (void)state;
    enum { FIRST = 16, NEAR = 4, PAGE = CRN_KEYED_PAGE };
    const char *const moving[] = {"mtaastar", "gaastar", "mpgaastar"};
    for (uint32_t n = 0; n < LENGTH(moving); n++) {
        ground g = road(240000);
        walk w = walk_of(&g, moving[n], 0);
        uint32_t pages = FIRST + 2;
        CHECK_OK(cairn_navigator_start(w.agent, 0, FIRST * PAGE));
        CHECK_OK(cairn_navigator_next(w.agent, &(cairn_move){0}));
        for (uint32_t epoch = 0; epoch < NEAR; epoch++)
            errand(&w, moving[n], FIRST * PAGE + 1, FIRST * PAGE + 2 + epoch);
        errand(&w, moving[n], 0, FIRST * PAGE);
        for (uint32_t epoch = 1; epoch < CRN_ADAPTIVE_EPOCHS; epoch++) {
            uint32_t more = pages / 15 + 3;
            errand(&w, moving[n], pages * PAGE, (pages + more) * PAGE - 1);
            pages += more;
        }
        errand(&w, moving[n], 60, 5);
        walk_end(&w);
        ground_end(&g);
    }
}

/* A unit is at most 32 edges, and a step along an old path is one of them; also if all edges of a
 * unit were needed for sweeping 16 pages before that. */
static void an_old_path_takes_units_by_its_length(void **state)
{
    (void)state;
    enum { LENGTH_OF = 250 * CRN_KEYED_PAGE };
    ground g = corridor(LENGTH_OF);
    walk w = walk_of(&g, "mpaastar", 0);
    cairn_move m;
    CHECK_OK(cairn_navigator_start(w.agent, 0, LENGTH_OF - 1));
    CHECK_OK(cairn_navigator_next(w.agent, &m));
    CHECK_OK(cairn_navigator_set_work(w.agent, 1));
    for (uint32_t push = 1; push <= 4; push++) {
        uint32_t units = 0;
        CHECK_OK(cairn_navigator_moved(w.agent, push * 8));
        do {
            cairn_navigator_next(w.agent, &m);
            units++;
        } while (m.kind == CAIRN_MOVE_THINK);
        uint32_t ahead = cairn_navigator_ahead(w.agent, NULL, 0);
        CHECK(m.kind == CAIRN_MOVE_STEP && ahead == LENGTH_OF - push * 8 - 1, "%u ahead", ahead);
        CHECK(units >= ahead / 32 && units <= ahead / 16, "push %u: %u units for %u steps", push,
              units, ahead);
    }
    walk_end(&w);
    ground_end(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_navigator_whose_estimates_learn_is_tested),
        cmocka_unit_test(estimates_stay_consistent_in_worlds_that_change),
        cmocka_unit_test(later_searches_expand_no_more_than_astar),
        cmocka_unit_test(each_does_what_its_siblings_do_not),
        cmocka_unit_test(no_record_outlives_the_number_of_its_epoch),
        cmocka_unit_test(an_old_path_takes_units_by_its_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
