/* slow_lrta.h: climbing and LRTA* written down once more, plainly, for the tests of algorithms that
 * walk from subgoal to subgoal; and agents in a crowd.
 */
#ifndef TESTS_SLOW_LRTA_H
#define TESTS_SLOW_LRTA_H

#include "conformance.h"
#include "files.h"
#include "kit.h"

#include "search/algorithm.h"
#include "world/grid_space.h"
#include <cairn/io.h>

static inline const crn_grid_space *map_of(const cairn_planner *planner)
{
    return crn_grid_space_of(cairn_planner_space(planner));
}

static inline bool may_reach(const cairn_space *space, cairn_node from, cairn_node to)
{
    return cairn_reachable(space, from, to) != CAIRN_REACH_NO;
}

/* Hexagons: three axes of which any two tell a place. */
static inline int64_t slow_hexagons(int64_t ax, int64_t ay, int64_t bx, int64_t by)
{
    int64_t q = ax - (ay - (ay & 1)) / 2 - (bx - (by - (by & 1)) / 2), r = ay - by;
    int64_t a = llabs(q), b = llabs(r), c = llabs(q + r);
    return a > b ? (a > c ? a : c) : (b > c ? b : c);
}

static inline int64_t slow_apart(const crn_grid_space *map, cairn_node a, cairn_node b)
{
    int64_t width = map->grid->width, ax = a % width, ay = a / width, bx = b % width,
            by = b / width;
    int64_t dx = llabs(ax - bx), dy = llabs(ay - by), low = dx < dy ? dx : dy;
    if (map->hex) return slow_hexagons(ax, ay, bx, by) * map->base.scale.straight;
    if (map->profile.neighbours == CAIRN_NEIGHBOURS_4) return (dx + dy) * map->base.scale.straight;
    return (dx + dy - 2 * low) * map->base.scale.straight + low * map->base.scale.diagonal;
}

/* What an agent believes of the cells: how far they are from the target. */
typedef struct belief {
    int64_t *h; /* -1 = not learnt */
    uint32_t count;
} belief;

/* The least g + h, then the largest g, then the order of directions. `climb`: only of what has a
 * smaller h. CAIRN_NO_NODE = there is none. *f becomes its g + h. */
static inline cairn_node slow_step(const crn_grid_space *map, const belief *b, cairn_node from,
                                   cairn_node to, bool climb, int64_t *f)
{
    static const int8_t dx[8] = {0, 1, 0, -1, 1, 1, -1, -1}, dy[8] = {-1, 0, 1, 0, -1, 1, 1, -1};
    int64_t width = map->grid->width, height = map->grid->height, x = from % width,
            y = from / width, best_g = 0;
    cairn_node best = CAIRN_NO_NODE;
    *f = INT64_MAX;
    for (uint32_t d = 0; d < 8; d++) {
        int64_t nx = x + dx[d], ny = y + dy[d];
        if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
        if (!crn_grid_can_step(map, (uint32_t)x, (uint32_t)y, (uint32_t)nx, (uint32_t)ny)) continue;
        cairn_node node = (cairn_node)(ny * width + nx);
        int64_t h = b && b->h[node] >= 0 ? b->h[node] : slow_apart(map, node, to);
        int64_t g = d < 4 || map->hex ? map->base.scale.straight : map->base.scale.diagonal;
        if (climb && h >= slow_apart(map, from, to)) continue;
        if (g + h > *f || (g + h == *f && g <= best_g)) continue;
        *f = g + h, best_g = g;
        best = node;
    }
    return best;
}

static inline bool slow_climbs(const crn_grid_space *map, cairn_node from, cairn_node to,
                               uint32_t most)
{
    int64_t f;
    for (; from != to; most--) {
        from = slow_step(map, NULL, from, to, true, &f);
        if (from == CAIRN_NO_NODE || !most) return false;
    }
    return true;
}

/* ---- an agent, and what it should do ---------------------------------------------------- */

typedef struct expected {
    const crn_grid_space *map;
    cairn_navigator *navigator;
    belief belief;
    cairn_node goal;
    uint64_t moves, learnt; /* steps, and values learnt */
    const char *text;
} expected;

static inline expected expected_begin(const char *text, cairn_planner *planner, cairn_node from,
                                      cairn_node to)
{
    expected e = {.map = map_of(planner), .goal = to, .text = text};
    CHECK_OK(cairn_navigator_create(planner, NULL, &e.navigator));
    CHECK_OK(cairn_navigator_start(e.navigator, from, to));
    e.belief.count = cairn_space_node_count(cairn_planner_space(planner));
    e.belief.h = malloc(e.belief.count * sizeof *e.belief.h);
    if (!e.belief.h) abort();
    return e;
}

static inline void expected_move(expected *e, cairn_node to)
{
    cairn_move m;
    cairn_navigator_next(e->navigator, &m);
    CHECK(m.kind == CAIRN_MOVE_STEP && m.to == to, "%s: from %u to %u, not to %u (%s)", e->text,
          m.from, m.to, to, cairn_status_text(m.status));
    e->moves++;
}

/* The agent walks to a target, as written down here; it stops if it passes its goal. */
static inline void expected_leg(expected *e, cairn_node target)
{
    cairn_node at = cairn_navigator_at(e->navigator);
    int64_t f;
    for (cairn_node next; at != target && at != e->goal; at = next) {
        next = slow_step(e->map, NULL, at, target, true, &f);
        if (next == CAIRN_NO_NODE) break;
        expected_move(e, next);
    }
    for (uint32_t i = 0; i < e->belief.count && at != target; i++) e->belief.h[i] = -1;
    for (cairn_node next; at != target && at != e->goal; at = next) {
        next = slow_step(e->map, &e->belief, at, target, false, &f);
        int64_t *h = &e->belief.h[at], before = *h >= 0 ? *h : slow_apart(e->map, at, target);
        if (f > before) *h = f, e->learnt++;
        expected_move(e, next);
    }
}

static inline void expected_end(expected *e)
{
    cairn_navigator_destroy(e->navigator);
    free(e->belief.h);
}

/* ---- worlds and crowds ------------------------------------------------------------------- */

static inline kit kit_of_map(cairn_context *context, const char *name, const cairn_profile *profile)
{
    char file[512];
    kit k = {.context = context};
    snprintf(file, sizeof file, "%s/maps/%s", CAIRN_SOURCE_DIR, name);
    if (!context) CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_grid_load(k.context, file, &k.grid, NULL));
    CHECK_OK(cairn_space_of_grid(k.grid, profile, &k.space, NULL));
    return k;
}

enum { CROWD_THREADS = 4, CROWD_AGENTS = 50 };

typedef struct crowd {
    cairn_planner *planners[CROWD_THREADS];
    uint32_t arrived[CROWD_THREADS];
} crowd;

/* The agents of one thread, all walking at the same time. */
static inline void crowd_walk(void *user, uint32_t thread)
{
    crowd *c = user;
    cairn_planner *planner = c->planners[thread];
    const cairn_space *space = cairn_planner_space(planner);
    scene_rng rng = {thread + 1};
    cairn_navigator *agents[CROWD_AGENTS];
    for (uint32_t i = 0; i < CROWD_AGENTS; i++) {
        cairn_node from, to;
        do {
            from = scene_random(&rng, cairn_space_node_count(space));
            to = scene_random(&rng, cairn_space_node_count(space));
        } while (!may_reach(space, from, to));
        if (cairn_navigator_create(planner, NULL, &agents[i]) != CAIRN_OK) abort();
        if (cairn_navigator_start(agents[i], from, to) != CAIRN_OK) abort();
    }
    cairn_turn turn = {0};
    for (uint32_t n = 0; n < 1000000 && turn.arrived < CROWD_AGENTS; n++)
        cairn_navigators_next(agents, CROWD_AGENTS, &turn, NULL);
    c->arrived[thread] = turn.arrived;
    for (uint32_t i = 0; i < CROWD_AGENTS; i++) cairn_navigator_destroy(agents[i]);
}

/* Four planners that map one file, each with agents of a thread of its own. */
static inline void crowd_test(const char *spec)
{
    cairn_context_options options = cairn_context_defaults();
    options.workers = CROWD_THREADS;
    cairn_context *context;
    kit built = kit_of_map(NULL, "facility.map", NULL);
    kit_plan(&built, spec);
    bytes file = saved(built.planner);
    CHECK_OK(cairn_context_create(&options, &context));
    kit k = kit_of_map(context, "facility.map", NULL);
    cairn_archive *archive = opened(context, &file);
    crowd c = {0};
    for (uint32_t i = 0; i < CROWD_THREADS; i++) {
        CHECK_OK(cairn_planner_create(k.space, spec, &c.planners[i], NULL));
        CHECK_OK(cairn_planner_load(c.planners[i], archive, true, NULL));
    }
    cairn_parallel_for(context, CROWD_THREADS, crowd_walk, &c);
    for (uint32_t i = 0; i < CROWD_THREADS; i++) {
        assert_int_equal(c.arrived[i], CROWD_AGENTS);
        cairn_planner_destroy(c.planners[i]);
    }
    cairn_archive_close(archive);
    kit_close(&k);
    kit_close(&built);
    bytes_free(&file);
}

/* An agent of a plain world, in which a swamp appears and goes: A* plans as long as it is there. */
static inline void swamp_test(const char *spec)
{
    scene *s = scene_noise("noise", 30, 30, 20, 3);
    s->profile.terrain_cost[CAIRN_TERRAIN_SWAMP] = 3 * 256;
    kit k = kit_of_scene(s, &s->profile);
    cairn_node from = 0, to = 30 * 30 - 1;
    cairn_navigator *navigator;
    cairn_move m = {0};
    s->open[from] = s->open[to] = 1;
    CHECK_OK(cairn_grid_set_open(k.grid, 0, 0, true));
    CHECK_OK(cairn_grid_set_open(k.grid, 29, 29, true));
    CHECK_OK(cairn_grid_commit(k.grid));
    assert_true(may_reach(k.space, from, to));
    kit_plan(&k, spec);
    CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
    CHECK_OK(cairn_navigator_start(navigator, from, to));
    for (uint32_t turn = 0; !m.arrived; turn++) {
        CHECK(turn < 100000, "%s: walks and walks", spec);
        CHECK_OK(cairn_navigator_next(navigator, &m));
        CHECK(m.arrived || cairn_space_step_cost(k.space, m.from, m.to) == m.cost, "%s", spec);
        if (turn != 3 && turn != 9) continue;
        CHECK_OK(cairn_grid_set_terrain(k.grid, 15, 15,
                                        turn == 3 ? CAIRN_TERRAIN_SWAMP : CAIRN_TERRAIN_GROUND));
        CHECK_OK(cairn_grid_commit(k.grid));
        if (turn == 9) continue;
        const cairn_path *path;
        cairn_query query = {.from = m.to, .to = to};
        CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
        assert_string_equal(path->answered_by->name, "astar");
        CHECK_OK(cairn_navigator_next(navigator, &m));
        CHECK(m.expanded && m.plans == 1, "%s: the agent has not planned", spec);
    }
    cairn_navigator_destroy(navigator);
    kit_end(&k, s);
}

#endif
