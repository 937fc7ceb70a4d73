/* test_anytime.c: anytime-astar, arastar and adstar. Agents with little work for each call walk in
 * random worlds and graphs that are edited under their feet, are pushed, go where they like and get
 * other goals. After every call the oracle says whether the path ahead is within its bound, and all
 * records are read to see that no better one could be promised. Queries are improved bit by bit,
 * until they are optimal.
 *
 * CAIRN_TEST_LIVES=N runs N random lives of each algorithm and kind of world instead of a sample.
 */
#include "continuous/anytime.h"
#include "continuous/incremental_inside.h"
#include "continuous/navigator.h"
#include "ground.h"
#include "navigators.h"

enum { CALLS = 50, PATIENCE = 1000000 };

static const char *const minds[] = {
    "anytime-astar",
    "arastar",
    "adstar",
    "adstar:keys=bias",
    "adstar:raise=0",
    "anytime-astar:epsilon=8",
    "arastar:epsilon=8,fall=2",
    "adstar:epsilon=8,fall=0.25,keys=bias",
};

static bool is_anytime(const cairn_algorithm *a)
{
    return a->flags & CAIRN_ANYTIME;
}

static void every_anytime_navigator_is_tested(void **state)
{
    (void)state;
    check_listed(is_anytime, minds, LENGTH(minds));
}

/* ---- one agent ---------------------------------------------------------------------- */

typedef struct walker {
    cairn_planner *planner;
    cairn_navigator *navigator;
    const char *name;
    uint64_t rest;         /* the cost of its path after its last step */
    uint64_t steps, loose; /* calls that ended with a bound above 1 */
    uint64_t promises;     /* that were looked at */
} walker;

static walker walker_of(ground *g, const char *name, uint64_t work, size_t limit)
{
    walker w = {.name = name};
    cairn_navigator_options options = {.work = work, .byte_limit = limit};
    CHECK_OK(cairn_planner_create(g->space, name, &w.planner, NULL));
    CHECK_OK(cairn_navigator_create(w.planner, &options, &w.navigator));
    return w;
}

static void walker_end(walker *w)
{
    cairn_navigator_destroy(w->navigator);
    cairn_planner_destroy(w->planner);
}

/* Returns what the path ahead costs. */
static uint64_t cost_ahead(ground *g, const cairn_navigator *navigator, const char *name)
{
    cairn_node ahead[1024];
    uint32_t count = cairn_navigator_ahead(navigator, ahead, LENGTH(ahead));
    if (!count) return ORACLE_NONE;
    CHECK(count <= LENGTH(ahead) && ahead[0] == cairn_navigator_at(navigator) &&
              ahead[count - 1] == cairn_navigator_goal(navigator),
          "%s: the path ahead leads from %u to %u", name, ahead[0], ahead[count - 1]);
    uint64_t sum = 0;
    for (uint32_t i = 0; i + 1 < count; i++)
        sum += oracle_edge(ground_oracle(g), ahead[i], ahead[i + 1]);
    return sum;
}

/* The path ahead is within the bound that is reported for it, now. */
static void check_bound(ground *g, walker *w)
{
    cairn_node at = cairn_navigator_at(w->navigator), goal = cairn_navigator_goal(w->navigator);
    double bound = cairn_navigator_bound(w->navigator);
    uint64_t ahead = cost_ahead(g, w->navigator, w->name), best = ground_cost(g, at, goal);
    CHECK(bound >= 1, "%s: a bound of %f", w->name, bound);
    if (at == goal) CHECK(bound == 1, "%s: a bound of %f at the goal", w->name, bound);
    if (ahead == ORACLE_NONE) {
        CHECK(at == goal || bound == INFINITY, "%s: a bound of %f, but no path", w->name, bound);
        return;
    }
    w->loose += bound > 1 && bound < INFINITY;
    CHECK((double)ahead <= bound * (double)best,
          "%s: from %u to %u %llu, at best %llu, not within %f", w->name, at, goal,
          (unsigned long long)ahead, (unsigned long long)best, bound);
}

/* The least sum of g or rhs and estimate among all nodes that are not consistent. */
static uint64_t least_promise(const crn_incremental *search, uint32_t count)
{
    uint64_t least = UINT64_MAX;
    for (cairn_node n = 0; n < count; n++) {
        incremental_spot spot = incremental_peek(search, n);
        if (spot.g == spot.rhs) continue;
        uint64_t f = (spot.g < spot.rhs ? spot.g : spot.rhs) + crn_aimed_node(&search->aimed, n);
        if (f < least) least = f;
    }
    return least;
}

/* Between two rounds the bound is min(epsilon, g(target) / least g + h over open and inconsistent
 * nodes), or better. The target is where the agent was when the round began: what it has walked
 * since is subtracted from both. */
static void check_promise(const ground *g, walker *w)
{
    const cairn_navigator *navigator = w->navigator;
    const crn_anytime *agent = navigator->own;
    const crn_incremental *search = &agent->search;
    double bound = cairn_navigator_bound(navigator);
    if (!search->begun || agent->stage != CRN_ANYTIME_REST || bound == (double)INFINITY) return;
    uint64_t cost = crn_incremental_cost(search, search->target),
             least = least_promise(search, cairn_space_node_count(g->space));
    double low = (double)(least < cost ? least : cost);
    if (agent->fall) low = fmax(low, (double)cost * CRN_INCREMENTAL_ONE / search->weight);
    low -= (double)agent->walked;
    w->promises += bound > 1;
    CHECK(low <= 0 || bound <= fmax(1, (double)agent->upper / low) * (1 + 1e-12),
          "%s: a bound of %f, where %f can be promised", w->name, bound,
          fmax(1, (double)agent->upper / low));
}

static void check_stop(ground *g, const walker *w, const cairn_move *m)
{
    cairn_node goal = cairn_navigator_goal(w->navigator);
    uint64_t best = ground_cost(g, m->from, goal);
    cairn_status must = !g->now->usable[m->from] ? CAIRN_BLOCKED_START
                        : !g->now->usable[goal]  ? CAIRN_BLOCKED_GOAL
                        : best == ORACLE_NONE    ? CAIRN_UNREACHABLE
                                                 : CAIRN_COST_OVERFLOW;
    CHECK(best == ORACLE_NONE || best >= CAIRN_NO_COST, "%s: stops at %u, %llu from %u: %s",
          w->name, m->from, (unsigned long long)best, goal, cairn_status_text(m->status));
    /* beyond what costs too much nobody has looked */
    bool unknown = g->heavy && m->status == CAIRN_COST_OVERFLOW && must == CAIRN_UNREACHABLE;
    CHECK(m->status == must || unknown, "%s: stops: \"%s\", not \"%s\"", w->name,
          cairn_status_text(m->status), cairn_status_text(must));
}

/* One call. */
static cairn_move walker_next(ground *g, walker *w, uint64_t work)
{
    cairn_move m;
    cairn_navigator_next(w->navigator, &m);
    CHECK(!work || m.work <= work, "%s: %u units of work", w->name, (unsigned)m.work);
    CHECK(work || m.kind != CAIRN_MOVE_THINK, "%s: thinks without end", w->name);
    if (m.kind == CAIRN_MOVE_STOP) check_stop(g, w, &m);
    check_bound(g, w);
    check_promise(g, w);
    if (m.kind != CAIRN_MOVE_STEP) return m;
    CHECK(m.cost == oracle_edge(ground_oracle(g), m.from, m.to), "%s: a step of %u", w->name,
          m.cost);
    w->rest = m.arrived ? 0 : cost_ahead(g, w->navigator, w->name);
    CHECK(w->rest != ORACLE_NONE, "%s: a step without a path", w->name);
    w->steps++;
    return m;
}

/* With as much work as it wants the first call finds the best path. */
static void check_best(ground *g, walker *w)
{
    cairn_node at = cairn_navigator_at(w->navigator), goal = cairn_navigator_goal(w->navigator);
    uint64_t best = ground_cost(g, at, goal);
    CHECK_OK(cairn_navigator_set_work(w->navigator, PATIENCE)); /* a search without end fails */
    cairn_move m = walker_next(g, w, 0);
    if (m.kind != CAIRN_MOVE_STEP) return;
    CHECK(m.cost + w->rest == best && cairn_navigator_bound(w->navigator) == 1,
          "%s: from %u to %u %llu, not %llu", w->name, at, goal,
          (unsigned long long)(m.cost + w->rest), (unsigned long long)best);
}

/* ---- lives --------------------------------------------------------------------------- */

static void edit(ground *g, const walker *w)
{
    uint32_t commits = scene_random(&g->rng, 60) ? 1 : 70; /* the history forgets */
    for (uint32_t i = 0; i < commits; i++) {
        if (scene_random(&g->rng, 2)) ground_edit_ahead(g, w->navigator);
        for (uint32_t k = scene_random(&g->rng, 4); k; k--) ground_edit(g);
        ground_commit(g);
    }
}

/* It goes along an edge of its own choice. */
static void wander(ground *g, walker *w)
{
    cairn_edge edges[16];
    uint32_t count =
        cairn_space_expand(g->space, cairn_navigator_at(w->navigator), 0, edges, LENGTH(edges));
    if (!count) return;
    cairn_node to = edges[scene_random(&g->rng, count)].node;
    CHECK_OK(cairn_navigator_moved(w->navigator, to));
}

static void disturb(ground *g, walker *w)
{
    uint32_t what = scene_random(&g->rng, 20);
    if (what < 3) edit(g, w);
    if (what == 5) CHECK_OK(cairn_navigator_moved(w->navigator, any_node(g)));
    if (what == 6) wander(g, w);
    if (what == 7 && !scene_random(&g->rng, 3))
        CHECK_OK(cairn_navigator_retarget(w->navigator, any_node(g)));
}

/* Without a limit it walks the best path; with little work for each call one within its bounds. */
static void live(ground *g, const char *name, walker *sum)
{
    static const uint64_t works[] = {0, 1, 3, 12, 40, 150};
    uint64_t work = works[scene_random(&g->rng, LENGTH(works))];
    walker w = walker_of(g, name, work, 0);
    CHECK_OK(cairn_navigator_start(w.navigator, any_node(g), any_node(g)));
    for (uint32_t call = 0; call < CALLS; call++) {
        disturb(g, &w);
        if (work)
            walker_next(g, &w, work);
        else
            check_best(g, &w);
        if (cairn_navigator_at(w.navigator) == cairn_navigator_goal(w.navigator))
            CHECK_OK(cairn_navigator_moved(w.navigator, any_node(g)));
    }
    check_best(g, &w);
    sum->steps += w.steps;
    sum->loose += w.loose;
    sum->promises += w.promises;
    walker_end(&w);
}

static void live_once(ground *g, uint32_t next)
{
    walker sum = {0};
    test_tell_life(minds[next % LENGTH(minds)], next);
    live(g, minds[next % LENGTH(minds)], &sum);
}

static void live_on(ground (*make)(uint64_t seed), uint64_t factor)
{
    uint64_t seed = test_first_life();
    ground_tally lived = {0};
    walker sum = {0};
    uint32_t count = test_lives(40, 5) * (uint32_t)LENGTH(minds);
    for (uint32_t i = 0; i < count; i++, seed++) {
        ground g = make(seed * factor);
        const char *name = minds[seed % LENGTH(minds)];
        test_tell_life(name, seed);
        ground_count(&lived, &g);
        live(&g, name, &sum);
        ground_end(&g);
    }
    ground_live_in_all(&lived, make, factor, live_once);
    CHECK(count < 40 ||
              (sum.steps > 3 * count && sum.loose > count / 4 && sum.promises > count / 9),
          "%u steps, %u bounds above 1, %u between rounds", (unsigned)sum.steps,
          (unsigned)sum.loose, (unsigned)sum.promises);
}

static void paths_are_within_their_bounds_on_grids_that_change(void **state)
{
    (void)state;
    live_on(ground_of_grid, 7919);
}

static void paths_are_within_their_bounds_on_graphs_that_change(void **state)
{
    (void)state;
    live_on(ground_of_graph, 104729);
}

/* ---- steps before a better path -------------------------------------------------------- */

enum {
    PLACE_GOAL,
    PLACE_NEAR,
    PLACE_START,
    PLACE_SIDE,
    PLACE_BACK,
    PLACE_LEAF,
    PLACE_COUNT = PLACE_LEAF + 200
};

/* From the start the cheap path (100) leads straight to the goal. The first one that is found (450)
 * goes aside, and from there it would be better to turn back (110). Looking at all edges of the
 * start takes some work, since most of them lead to dead ends. */
static ground ground_of_two_paths(void)
{
    static const cairn_graph_edge roads[] = {
        {PLACE_NEAR, PLACE_GOAL, 10},  {PLACE_START, PLACE_NEAR, 90}, {PLACE_SIDE, PLACE_GOAL, 400},
        {PLACE_START, PLACE_SIDE, 50}, {PLACE_SIDE, PLACE_BACK, 5},   {PLACE_BACK, PLACE_START, 5}};
    enum { ROADS = LENGTH(roads) };
    cairn_graph_edge edges[ROADS + PLACE_COUNT - PLACE_LEAF];
    cairn_position at[PLACE_COUNT] = {[PLACE_NEAR] = {10, 0, 0},
                                      [PLACE_START] = {100, 0, 0},
                                      [PLACE_SIDE] = {100, 10, 0},
                                      [PLACE_BACK] = {100, 5, 0}};
    memcpy(edges, roads, sizeof roads);
    for (uint32_t i = PLACE_LEAF; i < PLACE_COUNT; i++) {
        at[i] = (cairn_position){100, 20 + i, 0};
        edges[ROADS + i - PLACE_LEAF] = (cairn_graph_edge){PLACE_START, i, 900};
    }
    ground g = {.rng = {1}};
    ground_draw(&g, &(cairn_graph_options){.node_count = PLACE_COUNT,
                                           .edge_count = LENGTH(edges),
                                           .edges = edges,
                                           .positions = at});
    return g;
}

/* With every limit of work: some find the better path, but are left no work to look for its first
 * step, and go aside. Then the bound is that of the path there. */
static void a_step_beside_a_better_path_keeps_its_own_bound(void **state)
{
    (void)state;
    static const char *const names[] = {"arastar:epsilon=8", "adstar:epsilon=8,fall=0.25",
                                        "adstar:epsilon=8,keys=bias", "anytime-astar:epsilon=8"};
    ground g = ground_of_two_paths();
    for (uint32_t i = 0; i < LENGTH(names); i++) {
        uint32_t aside = 0;
        for (uint64_t work = 1; work <= 60; work++) {
            walker w = walker_of(&g, names[i], work, 0);
            CHECK_OK(cairn_navigator_start(w.navigator, PLACE_START, PLACE_GOAL));
            for (uint32_t call = 0; call < CALLS; call++) {
                cairn_move m = walker_next(&g, &w, work);
                aside += m.kind == CAIRN_MOVE_STEP && m.to == PLACE_SIDE;
                if (m.arrived) break;
            }
            walker_end(&w);
        }
        CHECK(aside, "%s never goes aside", names[i]);
    }
    ground_end(&g);
}

/* ---- queries -------------------------------------------------------------------------- */

/* Improves a path until it is the best one. Returns how often it became cheaper. */
static uint32_t improve_to_the_end(cairn_search *search, const cairn_path *path, uint64_t best,
                                   uint32_t work)
{
    uint32_t cheaper = 0;
    for (uint32_t i = 0; path->improvable; i++) {
        double bound = path->suboptimality_bound;
        cairn_cost cost = path->cost;
        uint64_t used = cairn_search_metrics(search).work;
        CHECK_STATUS(cairn_search_improve(search, work, &path), CAIRN_FOUND);
        used = cairn_search_metrics(search).work - used;
        CHECK(used && used <= work && i < PATIENCE, "%u units of work", (unsigned)used);
        CHECK(path->cost <= cost && path->suboptimality_bound <= bound, "%u and %f after %u and %f",
              path->cost, path->suboptimality_bound, cost, bound);
        CHECK(path->cost <= path->suboptimality_bound * (double)best,
              "%u, at best %u, not within %f", path->cost, (unsigned)best,
              path->suboptimality_bound);
        cheaper += path->cost < cost;
    }
    CHECK(path->cost == best && path->suboptimality_bound == 1, "%u, the best is %u, bound %f",
          path->cost, (unsigned)best, path->suboptimality_bound);
    return cheaper;
}

static uint32_t improve_some(ground *g, const char *name)
{
    static const uint32_t works[] = {1, 7, 60, 100000};
    const cairn_path *path;
    uint32_t cheaper = 0;
    kit k = {.space = g->space};
    kit_plan(&k, name);
    for (uint32_t q = 0; q < 4; q++) {
        cairn_query query = {.from = any_node(g), .to = any_node(g)};
        if (cairn_search_find(k.search, &query, &path) != CAIRN_FOUND) continue;
        int64_t epsilon = cairn_planner_parameter(k.planner, 0);
        uint64_t best = ground_cost(g, query.from, query.to);
        CHECK(path->suboptimality_bound * 256 <= (double)epsilon, "%s: a bound of %f", name,
              path->suboptimality_bound);
        CHECK(path->cost <= path->suboptimality_bound * (double)best, "%s: %u", name, path->cost);
        cheaper += improve_to_the_end(k.search, path, best, works[q % LENGTH(works)]);
        CHECK_STATUS(cairn_search_improve(k.search, 1, &path), CAIRN_INVALID);
    }
    cairn_search_destroy(k.search);
    cairn_planner_destroy(k.planner);
    return cheaper;
}

static void paths_improve_until_they_are_the_best(void **state)
{
    (void)state;
    uint32_t cheaper = 0, count = test_times(120, 20);
    for (uint32_t i = 0; i < count; i++) {
        ground g = i % 2 ? ground_of_graph(i * 31 + 1) : ground_of_grid(i * 31 + 1);
        cheaper += improve_some(&g, minds[i / 2 % LENGTH(minds)]);
        ground_end(&g);
    }
    CHECK(cheaper > count / 4, "%u improvements prove nothing", cheaper);
}

/* ---- what is promised ------------------------------------------------------------------ */

/* What a search reports, in a world that stays as it is: g of nodes, rhs, and estimates. */
typedef struct ledger {
    const char *name;
    uint64_t *g, *rhs, *h;
    uint32_t count, expanded;
} ledger;

static ledger ledger_of(const char *name, uint32_t count, cairn_node root)
{
    ledger l = {.name = name, .count = count};
    l.g = malloc(3 * count * sizeof *l.g);
    if (!l.g) abort();
    l.rhs = l.g + count, l.h = l.rhs + count;
    for (uint32_t i = 0; i < 2 * count; i++) l.g[i] = UINT64_MAX;
    l.rhs[root] = 0;
    return l;
}

/* A node that is consistent is never expanded, in no round: what was found before is used. */
static void ledger_event(void *user, const cairn_event *e)
{
    ledger *l = user;
    cairn_node n = e->node;
    if (e->kind == CAIRN_EVENT_GENERATE || e->kind == CAIRN_EVENT_UPDATE ||
        e->kind == CAIRN_EVENT_REOPEN) {
        l->rhs[n] = e->g;
        l->h[n] = e->h;
    } else if (e->kind == CAIRN_EVENT_EXPAND) {
        CHECK(l->rhs[n] < l->g[n] && l->rhs[n] == e->g, "%s: %u is expanded again", l->name, n);
        l->g[n] = l->rhs[n];
        l->expanded++;
    }
}

/* min(epsilon, cost / least f of nodes that are not consistent). Costs are whole numbers, and so is
 * cost / epsilon, rounded up. */
static double ledger_bound(const ledger *l, cairn_cost cost, double epsilon)
{
    double least = cost;
    for (cairn_node n = 0; n < l->count; n++)
        if (l->g[n] != l->rhs[n]) least = fmin(least, (double)(l->rhs[n] + l->h[n]));
    return cost / fmax(least, ceil(cost / epsilon));
}

/* Between the end of the first round and the first expansion of the next one. True: the bound was
 * better than epsilon, and worse than 1. */
static bool promise_first(kit *k, const char *name, double epsilon, cairn_query query)
{
    const cairn_path *path;
    char spec[64];
    snprintf(spec, sizeof spec, "%s:epsilon=%g", name, epsilon);
    kit_plan(k, spec);
    ledger l = ledger_of(spec, cairn_space_node_count(k->space), query.to);
    cairn_search_trace(k->search, &(cairn_trace_sink){ledger_event, &l});
    cairn_status status = cairn_search_find(k->search, &query, &path);
    uint32_t first = l.expanded;
    double bound = 0, must = 0;
    while (status == CAIRN_FOUND && path->improvable && l.expanded == first) {
        bound = path->suboptimality_bound;
        must = ledger_bound(&l, path->cost, epsilon);
        status = cairn_search_improve(k->search, 1, &path);
    }
    bool over = status == CAIRN_FOUND && l.expanded == first; /* it is known to be the best one */
    if (over) bound = path->suboptimality_bound, must = ledger_bound(&l, path->cost, epsilon);
    CHECK(status != CAIRN_FOUND || !path->cost || fabs(bound - must) < 1e-9,
          "%s: a bound of %f, where %f can be promised", spec, bound, must);
    while (status == CAIRN_FOUND && path->improvable)
        status = cairn_search_improve(k->search, UINT64_MAX, &path);
    free(l.g);
    return bound > 1 && bound < epsilon * 0.99;
}

static void bounds_are_what_the_nodes_promise(void **state)
{
    (void)state;
    static const char *const names[] = {"arastar", "adstar", "anytime-astar"};
    static const double epsilons[] = {1.5, 2, 3, 8};
    uint32_t better = 0, count = test_times(120, 20);
    for (uint32_t i = 0; i < count; i++) {
        ground g = i % 2 ? ground_of_graph(i * 37 + 5) : ground_of_grid(i * 37 + 5);
        kit k = {.space = g.space};
        for (uint32_t n = 0; n < LENGTH(names) && !g.heavy; n++) {
            cairn_query query = {.from = any_node(&g), .to = any_node(&g)};
            better += promise_first(&k, names[n], epsilons[i / 2 % LENGTH(epsilons)], query);
        }
        cairn_search_destroy(k.search);
        cairn_planner_destroy(k.planner);
        ground_end(&g);
    }
    CHECK(better > count / 5, "%u bounds prove nothing", better);
}

/* ---- rounds --------------------------------------------------------------------------- */

typedef struct expansions {
    uint32_t *times;
    uint32_t most;
} expansions;

static void note_expansion(void *user, const cairn_event *event)
{
    expansions *e = user;
    if (event->kind != CAIRN_EVENT_EXPAND) return;
    if (++e->times[event->node] > e->most) e->most = e->times[event->node];
}

/* Returns the most expansions of a node: until the first path, and in all. */
static void count_expansions(kit *k, const char *name, cairn_query query, uint32_t most[2])
{
    const cairn_path *path;
    expansions e = {.times = calloc(cairn_space_node_count(k->space), sizeof *e.times)};
    if (!e.times) abort();
    kit_plan(k, name);
    cairn_search_trace(k->search, &(cairn_trace_sink){note_expansion, &e});
    cairn_status status = cairn_search_find(k->search, &query, &path);
    most[0] = e.most;
    if (status == CAIRN_FOUND && path->improvable)
        cairn_search_improve(k->search, UINT64_MAX, &path);
    most[1] = e.most;
    free(e.times);
}

/* With 2 and 1 there are two rounds, with 3, 2.5, 2, 1.5 and 1 five. Anytime A* knows none. */
static void a_node_is_expanded_once_a_round(void **state)
{
    (void)state;
    uint32_t twice = 0, often = 0;
    for (uint32_t i = 0; i < test_times(60, 10); i++) {
        scene *s = i % 3 ? scene_noise("noise", 40, 30, 10 + i % 30, i + 1)
                         : scene_rooms("rooms", 40, 30, 6, i + 1);
        scene_rule(s, i % 4, &s->profile);
        kit k = kit_of_scene(s, &s->profile);
        scene_rng rng = {i + 1};
        cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
        uint32_t two[2], five[2], same[2], all[2];
        count_expansions(&k, "arastar:epsilon=2,fall=1", query, two);
        count_expansions(&k, "arastar", query, five);
        count_expansions(&k, "adstar:keys=bias", query, same);
        count_expansions(&k, "anytime-astar", query, all);
        CHECK(two[0] <= 1 && two[1] <= 2, "%u, and %u in two rounds", two[0], two[1]);
        CHECK(five[0] <= 1 && five[1] <= 5, "%u, and %u in five rounds", five[0], five[1]);
        CHECK(same[1] == five[1], "AD* has other rounds");
        twice += two[1] == 2;
        often += all[0] > 1;
        kit_end(&k, s);
    }
    CHECK(twice && often, "no node was expanded twice");
}

/* ---- keys ----------------------------------------------------------------------------- */

/* The same nodes in the same order, however the queue is kept in order. */
static void a_bias_does_what_sorting_does(void **state)
{
    (void)state;
    uint32_t rounds = 0;
    for (uint32_t i = 0; i < test_times(80, 20); i++) {
        ground g = i % 2 ? ground_of_graph(i * 17 + 3) : ground_of_grid(i * 17 + 3);
        kit a = {.space = g.space}, b = a;
        kit_plan(&a, "adstar:epsilon=4");
        kit_plan(&b, "adstar:epsilon=4,keys=bias");
        cairn_query query = {.from = any_node(&g), .to = any_node(&g)};
        const cairn_path *p, *q;
        cairn_search_find(a.search, &query, &p);
        cairn_search_find(b.search, &query, &q);
        while (p->improvable && q->improvable) {
            CHECK(p->cost == q->cost, "%u sorted, %u with a bias", p->cost, q->cost);
            cairn_search_improve(a.search, UINT64_MAX, &p);
            cairn_search_improve(b.search, UINT64_MAX, &q);
            rounds++;
        }
        CHECK(p->status == q->status && p->cost == q->cost && p->improvable == q->improvable &&
                  cairn_search_metrics(a.search).expanded ==
                      cairn_search_metrics(b.search).expanded,
              "%u sorted, %u with a bias", p->cost, q->cost);
        cairn_search_destroy(a.search), cairn_planner_destroy(a.planner);
        cairn_search_destroy(b.search), cairn_planner_destroy(b.planner);
        ground_end(&g);
    }
    CHECK(rounds, "nothing to improve");
}

/* An agent is put from one end of a long map to the other: K_m grows until keys do not fit. */
static void keys_that_grow_too_large_begin_again(void **state)
{
    (void)state;
    enum { LONG = 3000, WIDE = 8, TIMES = 300, GOAL = 4 * LONG + LONG / 2 };
    ground g = {.w = world_of(scene_blank("long", LONG, WIDE)), .rng = {5}, .count = LONG * WIDE};
    g.space = g.w.space;
    walker w = walker_of(&g, "adstar:epsilon=8,keys=bias,raise=100", 0, 0);
    CHECK_OK(cairn_navigator_start(w.navigator, 4 * LONG, GOAL));
    for (uint32_t i = 0; i < TIMES; i++) {
        cairn_move m;
        cairn_node at = i % 2 ? 4 * LONG : 5 * LONG - 1;
        CHECK_OK(cairn_navigator_moved(w.navigator, at));
        CHECK_OK(cairn_grid_set_open(g.w.grid, LONG / 2 + 20, 4, i % 2));
        CHECK_OK(cairn_grid_set_open(g.w.grid, LONG / 2 - 20, 4, i % 2));
        CHECK_OK(cairn_grid_commit(g.w.grid));
        CHECK_OK(cairn_navigator_next(w.navigator, &m));
        CHECK(cairn_navigator_bound(w.navigator) == 1, "%u times: no best path", i);
    }
    walker_end(&w);
    ground_end(&g);
}

/* ---- big changes ---------------------------------------------------------------------- */

static cairn_node ground_near(const ground *g, cairn_node node)
{
    CHECK_OK(cairn_nearest_usable(g->space, node, INFINITY, &node));
    return node;
}

/* Returns after how many calls the agent walks again behind a change of many cells; and its bound
 * then. */
static uint32_t calls_after_a_change(const char *name, uint32_t bars, double *bound)
{
    enum { SIDE = 120, WORK = 40 };
    ground g = {.w = world_of(scene_noise("noise", SIDE, SIDE, 30, 6)), .rng = {1}};
    g.space = g.w.space;
    walker w = walker_of(&g, name, 0, 0);
    cairn_node from = ground_near(&g, 20 * SIDE + 5), to = ground_near(&g, 60 * SIDE + 110);
    CHECK_OK(cairn_navigator_start(w.navigator, from, to));
    check_best(&g, &w);
    for (uint32_t bar = 0; bar < bars; bar++) { /* across the path, open at one end */
        for (uint32_t y = 0; y < 70; y++) {
            uint32_t x = 100 - 12 * bar, row = bar % 2 ? y : SIDE - 1 - y;
            g.w.scene->open[row * SIDE + x] = 0;
            CHECK_OK(cairn_grid_set_open(g.w.grid, (int32_t)x, (int32_t)row, false));
        }
    }
    ground_commit(&g);
    CHECK_OK(cairn_navigator_set_work(w.navigator, WORK));
    uint32_t calls = 1;
    while (walker_next(&g, &w, WORK).kind == CAIRN_MOVE_THINK)
        CHECK(++calls < 1000, "%s thinks without end", name);
    *bound = cairn_navigator_bound(w.navigator);
    walker_end(&w);
    ground_end(&g);
    return calls;
}

static void a_big_change_raises_epsilon(void **state)
{
    (void)state;
    double raised, kept, small;
    uint32_t soon = calls_after_a_change("adstar", 3, &raised),
             late = calls_after_a_change("adstar:raise=100", 3, &kept);
    calls_after_a_change("adstar", 0, &small);
    CHECK(raised > 1 && kept == 1 && small == 1, "bounds %f, %f and %f", raised, kept, small);
    CHECK(4 * soon < 3 * late, "after %u and %u calls", soon, late);
}

/* ---- memory --------------------------------------------------------------------------- */

/* With memory for the first path, but not for the best one, the agent walks along that. */
static void an_agent_without_memory_walks_the_path_that_it_has(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t walked = 0, loose = 0;
        for (size_t limit = 4000; limit < 300000; limit += limit / 2) {
            ground g = {.w = world_of(scene_rooms("rooms", 80, 60, 7, 5)), .rng = {3}};
            g.space = g.w.space;
            walker w = walker_of(&g, minds[i], PATIENCE, limit);
            cairn_node from = scene_pick(g.w.scene, &g.rng), to = scene_pick(g.w.scene, &g.rng);
            cairn_move m = {.kind = CAIRN_MOVE_STEP};
            CHECK_OK(cairn_navigator_start(w.navigator, from, to));
            while (m.kind == CAIRN_MOVE_STEP && !m.arrived) {
                cairn_navigator_next(w.navigator, &m);
                CHECK(cairn_navigator_sums(w.navigator).bytes <= limit + sizeof *w.navigator,
                      "%s: %u bytes", w.name, (unsigned)cairn_navigator_sums(w.navigator).bytes);
                check_bound(&g, &w);
            }
            CHECK(m.arrived || (m.status == CAIRN_OUT_OF_MEMORY && !walked), "%s with %u: %s",
                  w.name, (unsigned)limit, cairn_status_text(m.status));
            walked += m.arrived;
            loose += m.arrived && w.loose;
            walker_end(&w);
            ground_end(&g);
        }
        CHECK(walked && loose, "%s: %u walks, %u of them not the best", minds[i], walked, loose);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_anytime_navigator_is_tested),
        cmocka_unit_test(paths_are_within_their_bounds_on_grids_that_change),
        cmocka_unit_test(paths_are_within_their_bounds_on_graphs_that_change),
        cmocka_unit_test(a_step_beside_a_better_path_keeps_its_own_bound),
        cmocka_unit_test(paths_improve_until_they_are_the_best),
        cmocka_unit_test(bounds_are_what_the_nodes_promise),
        cmocka_unit_test(a_node_is_expanded_once_a_round),
        cmocka_unit_test(a_bias_does_what_sorting_does),
        cmocka_unit_test(keys_that_grow_too_large_begin_again),
        cmocka_unit_test(a_big_change_raises_epsilon),
        cmocka_unit_test(an_agent_without_memory_walks_the_path_that_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
