/* test_rtdstar.c: RTD*: it uses what opens, where LSS-LRTA* goes on as it was; moves are bounded; the
 * agent arrives in worlds that change; once its global search is over, every step is the best one.
 */
#include "edits.h"
#include "kit.h"

enum { WIDTH = 60, HEIGHT = 41, TURNS = 20000 };

static cairn_node cell(uint32_t x, uint32_t y)
{
    return y * WIDTH + x;
}

static cairn_navigator *agent_of(kit *k, const char *spec, uint64_t work, cairn_node from,
                                 cairn_node to)
{
    cairn_navigator *navigator;
    cairn_navigator_options options = {.work = work};
    kit_plan(k, spec);
    CHECK_OK(cairn_navigator_create(k->planner, &options, &navigator));
    CHECK_OK(cairn_navigator_start(navigator, from, to));
    return navigator;
}

/* ---- what opens ---- */

/* A wall with a way round at its lower end. The agent walks down along it. When it is nearly there, a
 * door opens in the middle of the wall, out of view. The way back to that is shorter than the way
 * round. Returns whether the agent goes through it. */
static bool uses_the_door(const char *spec)
{
    scene *s = scene_blank("wall", WIDTH, HEIGHT);
    for (uint32_t y = 0; y + 1 < HEIGHT; y++) s->open[cell(30, y)] = 0;
    kit k = kit_of_scene(s, NULL);
    cairn_navigator *navigator = agent_of(&k, spec, 0, cell(27, 3), cell(33, 3));
    cairn_move m = {0};
    bool opened = false, used = false;
    for (uint32_t turn = 0; !m.arrived; turn++) {
        CHECK(turn < TURNS, "%s: no end", spec);
        CHECK_OK(cairn_navigator_next(navigator, &m));
        used |= m.to == cell(30, 20);
        if (opened || m.to / WIDTH < 36) continue;
        CHECK_OK(cairn_grid_set_open(k.grid, 30, 20, true));
        CHECK_OK(cairn_grid_commit(k.grid));
        opened = true;
    }
    CHECK(opened, "%s: it was never there", spec);
    cairn_navigator_destroy(navigator);
    kit_end(&k, s);
    return used;
}

static void what_opens_is_used(void **state)
{
    (void)state;
    CHECK(uses_the_door("rtdstar:expansions=200,local=50"), "RTD* does not use the door");
    CHECK(uses_the_door("rtdstar:expansions=200,local=10,steps=one"), "RTD* does not use the door");
    CHECK(!uses_the_door("lss-lrtastar:lookahead=100"),
          "LSS-LRTA* knows of it: this tells nothing");
}

/* ---- worlds that change ---- */

static void edit_cells(kit *k, scene *s, scene_rng *rng, cairn_node at, cairn_node goal)
{
    for (uint32_t i = 0; i < 12; i++) {
        cairn_node n = scene_random(rng, s->width * s->height);
        if (n == at || n == goal) continue;
        s->open[n] = scene_random(rng, 3) > 0;
        CHECK_OK(cairn_grid_set_open(k->grid, (int32_t)(n % s->width), (int32_t)(n / s->width),
                                     s->open[n]));
    }
    CHECK_OK(cairn_grid_commit(k->grid));
}

static cairn_cost best_cost(cairn_search *judge, cairn_node from, cairn_node to)
{
    const cairn_path *path;
    cairn_status status = cairn_search_find(judge, &(cairn_query){.from = from, .to = to}, &path);
    return status == CAIRN_FOUND ? path->cost : CAIRN_NO_COST;
}

/* What the path ahead costs; CAIRN_NO_COST if it has a step that there is not. */
static uint64_t cost_ahead(const kit *k, const cairn_navigator *navigator)
{
    cairn_node ahead[2000];
    uint32_t count = cairn_navigator_ahead(navigator, ahead, LENGTH(ahead));
    uint64_t sum = 0;
    assert_true(count < LENGTH(ahead));
    for (uint32_t i = 1; i < count; i++) {
        cairn_cost cost = cairn_space_step_cost(k->space, ahead[i - 1], ahead[i]);
        if (cost == CAIRN_NO_COST) return cost;
        sum += cost;
    }
    return sum;
}

/* Somewhere else: a step that the agent makes by itself, or a push. */
static cairn_node elsewhere(const kit *k, const scene *s, scene_rng *rng, cairn_node at, bool step)
{
    cairn_edge edges[16];
    uint32_t count = cairn_space_expand(k->space, at, 0, edges, LENGTH(edges));
    if (!step) return scene_pick(s, rng);
    return count ? edges[scene_random(rng, count)].node : at;
}

/* One life: the world changes for a while, then it stays as it is. */
static void live(scene *s, const char *spec, uint32_t limit, uint64_t seed)
{
    kit k = kit_of_scene(s, &s->profile), judge = {.space = k.space};
    scene_rng rng = {seed};
    cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
    cairn_navigator *whole = agent_of(&k, spec, 0, from, to), *sliced = NULL;
    cairn_navigator_options slices = {.work = 1 + scene_random(&rng, 3)};
    CHECK_OK(cairn_navigator_create(k.planner, &slices, &sliced));
    CHECK_OK(cairn_navigator_start(sliced, from, to));
    kit_plan(&judge, "astar");
    cairn_move m = {0};
    uint64_t quiet = 0;
    for (uint32_t turn = 0; !m.arrived; turn++) {
        cairn_node at = cairn_navigator_at(whole);
        CHECK(turn < TURNS, "%s: no end", spec);
        if (turn < 200 && turn % 7 == 3) edit_cells(&k, s, &rng, at, to);
        if (turn < 200 && turn % 5 == 4 && scene_random(&rng, 2)) {
            at = elsewhere(&k, s, &rng, at, turn != 49);
            CHECK_OK(cairn_navigator_moved(whole, at));
            CHECK_OK(cairn_navigator_moved(sliced, at));
        }
        cairn_cost best = best_cost(judge.search, at, to);
        if (at != to && cairn_navigator_bound(whole) == 1)
            CHECK(cost_ahead(&k, whole) == best, "%s: it is sure of a path that costs %u, not %u",
                  spec, (unsigned)cost_ahead(&k, whole), best);
        cairn_status status = cairn_navigator_next(whole, &m);
        cairn_move p = {.status = CAIRN_RUNNING};
        while (p.status == CAIRN_RUNNING) cairn_navigator_next(sliced, &p);
        CHECK(p.status == m.status && p.to == m.to, "%s: slices lead to %u, not %u", spec, p.to,
              m.to);
        CHECK(m.expanded <= limit, "%s: %u expansions", spec, (unsigned)m.expanded);
        CHECK(m.work <= 16 * (uint64_t)limit + 64, "%s: %u units", spec, (unsigned)m.work);
        if (best == CAIRN_NO_COST) {
            CHECK(status != CAIRN_OK || turn < 200, "%s: it walks to what it cannot reach", spec);
            if (turn >= 200) break;
            continue;
        }
        CHECK_OK(status);
        if (at == to) break;
        CHECK(m.cost == cairn_space_step_cost(k.space, m.from, m.to), "%s: a step of %u", spec,
              m.cost);
        /* it has followed its path for long enough: nothing is left to search */
        quiet = turn >= 200 && !m.expanded ? quiet + 1 : 0;
        CHECK(quiet < 2 || m.cost + best_cost(judge.search, m.to, to) == best,
              "%s: from %u over %u", spec, m.from, m.to);
        CHECK(quiet < 2 || cairn_navigator_bound(whole) == 1, "%s: it does not say so", spec);
    }
    cairn_search_destroy(judge.search);
    cairn_planner_destroy(judge.planner);
    cairn_navigator_destroy(sliced);
    cairn_navigator_destroy(whole);
    kit_end(&k, s);
}

static void agents_arrive_in_worlds_that_change(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        uint32_t limit;
    } plans[] = {{"rtdstar", 5},
                 {"rtdstar:expansions=2", 2},
                 {"rtdstar:expansions=20,local=50,steps=one", 20},
                 {"rtdstar:expansions=60,local=10", 60},
                 {"rtdstar:expansions=60,local=90", 60}};
    for (uint32_t i = 0; i < test_times(160, 12); i++) {
        scene *s = i % 3 ? scene_noise("noise", 40, 30, 10 + i % 25, i + 1)
                         : scene_rooms("rooms", 40, 30, 6, i + 1);
        scene_rule(s, i % 5, &s->profile);
        live(s, plans[i % LENGTH(plans)].spec, plans[i % LENGTH(plans)].limit, i + 1);
    }
}

/* ---- memory ---- */

static void nothing_is_allocated_once_warm(void **state)
{
    (void)state;
    scene *s = scene_rooms("rooms", WIDTH, HEIGHT, 7, 3);
    watched w = {0};
    kit k = {0};
    CHECK_OK(watched_context(&w, &k.context));
    CHECK_OK(scene_grid(s, k.context, &k.grid));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    scene_rng rng = {4};
    cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
    cairn_navigator *navigator = agent_of(&k, "rtdstar", 0, from, to);
    uint64_t calls = 0;
    for (uint32_t i = 0; i < 3; i++) {
        cairn_move m = {0};
        CHECK_OK(cairn_navigator_start(navigator, from, to));
        while (!m.arrived) CHECK_OK(cairn_navigator_next(navigator, &m));
        CHECK(i < 2 || w.calls == calls, "it asks for memory again");
        calls = w.calls;
    }
    cairn_navigator_destroy(navigator);
    kit_end(&k, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_opens_is_used),
        cmocka_unit_test(agents_arrive_in_worlds_that_change),
        cmocka_unit_test(nothing_is_allocated_once_warm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
