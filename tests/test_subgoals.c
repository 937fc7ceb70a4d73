/* test_subgoals.c: agents that walk from subgoal to subgoal say which: they walk to those, by the
 * climb that is ahead, in that order, and leave none out but those that they may. And agents of
 * `hcdps` as navigators: they walk as those of cairn_planner_move do, go on by an old index as far
 * as it leads, and notice a wrong one.
 */
#include "slow_lrta.h"

#include "realtime/hcdps/hcdps_agent.h"

/* ---- lists -------------------------------------------------------------------------------- */

typedef struct list {
    cairn_node *nodes;
    uint32_t count;
} list;

typedef uint32_t teller(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity);

static list list_of(teller *tell, const cairn_navigator *navigator)
{
    list l = {.count = tell(navigator, NULL, 0)};
    l.nodes = malloc((l.count + 1) * sizeof *l.nodes);
    if (!l.nodes) abort();
    l.nodes[l.count] = 12345;
    assert_int_equal(tell(navigator, l.nodes, l.count), l.count);
    assert_int_equal(l.nodes[l.count], 12345);
    return l;
}

/* Are the last nodes of `all` those of `tail`? */
static bool is_tail(const list *tail, const list *all)
{
    if (tail->count > all->count) return false;
    const cairn_node *from = all->nodes + (all->count - tail->count);
    return !memcmp(from, tail->nodes, tail->count * sizeof *from);
}

/* ---- an agent that is watched -------------------------------------------------------------- */

typedef struct watched_walk {
    const char *text;
    cairn_navigator *navigator;
    list subgoals, ahead; /* before the move */
    cairn_node told;      /* by the last event of that kind */
    uint32_t kept, passed;
} watched_walk;

static void hear(void *user, const cairn_event *event)
{
    watched_walk *w = user;
    if (event->kind == CAIRN_EVENT_SUBGOAL) w->told = event->node;
}

/* The climb leads from the agent to the first subgoal, step by step as written down. */
static void check_ahead(const watched_walk *w, bool climbs)
{
    const crn_grid_space *map = map_of(cairn_navigator_planner(w->navigator));
    cairn_node target = w->subgoals.count ? w->subgoals.nodes[0] : CAIRN_NO_NODE;
    CHECK(!climbs || !w->subgoals.count || w->ahead.count > 1, "%s: no climb", w->text);
    if (!w->subgoals.count || !w->ahead.count) return;
    assert_int_equal(w->ahead.nodes[0], cairn_navigator_at(w->navigator));
    for (uint32_t i = 1; i < w->ahead.count; i++) {
        int64_t f;
        cairn_node next = slow_step(map, NULL, w->ahead.nodes[i - 1], target, true, &f);
        CHECK(next == w->ahead.nodes[i], "%s: step %u of the climb to %u", w->text, i, target);
    }
    CHECK(!climbs || w->ahead.nodes[w->ahead.count - 1] == target, "%s: the climb ends early",
          w->text);
}

/* One move; `climbs`: every subgoal can be climbed to from the one before. */
static cairn_move watched_move(watched_walk *w, bool climbs)
{
    cairn_move m;
    list before = list_of(cairn_navigator_subgoals, w->navigator),
         ahead = list_of(cairn_navigator_ahead, w->navigator);
    w->subgoals = before, w->ahead = ahead;
    check_ahead(w, climbs);
    CHECK_OK(cairn_navigator_next(w->navigator, &m));
    list after = list_of(cairn_navigator_subgoals, w->navigator);
    CHECK(m.arrived || after.count, "%s: on its way to nowhere", w->text);
    if (before.count) {
        CHECK(is_tail(&after, &before), "%s: other subgoals than it knew", w->text);
        CHECK(before.nodes[before.count - 1] == cairn_navigator_goal(w->navigator),
              "%s: the goal is not the last one", w->text);
        bool same = before.nodes[0] == w->told && ahead.count > 1;
        CHECK(!same || m.to == ahead.nodes[1], "%s: not where the climb led", w->text);
        w->kept += same;
        w->passed += after.count < before.count;
    }
    free(before.nodes);
    free(after.nodes);
    free(ahead.nodes);
    return m;
}

static void watch(const char *spec, kit *k, cairn_node from, cairn_node to, bool climbs,
                  watched_walk *sums)
{
    watched_walk w = {.text = spec, .told = CAIRN_NO_NODE};
    cairn_trace_sink sink = {hear, &w};
    cairn_move m = {0};
    CHECK_OK(cairn_navigator_create(k->planner, NULL, &w.navigator));
    assert_int_equal(cairn_navigator_subgoals(w.navigator, NULL, 0), 0);
    CHECK_OK(cairn_navigator_start(w.navigator, from, to));
    cairn_navigator_trace(w.navigator, &sink);
    for (uint32_t turn = 0; !m.arrived; turn++) {
        CHECK(turn < 100000, "%s: walks and walks", spec);
        m = watched_move(&w, climbs);
    }
    assert_int_equal(cairn_navigator_subgoals(w.navigator, NULL, 0), 0);
    sums->kept += w.kept;
    sums->passed += w.passed;
    cairn_navigator_destroy(w.navigator);
}

static scene *any_scene(uint32_t seed)
{
    scene *s = seed % 2 ? scene_noise("noise", 20 + seed % 29, 15 + seed % 17, 5 + seed % 30, seed)
                        : scene_rooms("rooms", 21 + seed % 31, 17 + seed % 23, 4 + seed % 5, seed);
    if (seed % 7 == 3) scene_make_hex(s);
    if (seed % 5 == 1 && seed % 7 != 3) s->profile.neighbours = CAIRN_NEIGHBOURS_4;
    s->profile.corners = (cairn_corners)(seed % CAIRN_CORNERS_COUNT);
    return s;
}

static void agents_walk_to_the_subgoals_that_they_name(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        bool climbs;
    } kinds[] = {{"hcdps:spacing=6", true},
                 {"hcdps:spacing=6,depth=3,direct=off", true},
                 {"hcdps:spacing=8,ahead=0", true},
                 {"hcdps:spacing=8,records=pairs", true},
                 {"knn-lrtastar", false},
                 {"knn-lrtastar:ends=whole,cutoff=20", false},
                 {"dlrtastar", false}};
    for (uint32_t kind = 0; kind < LENGTH(kinds); kind++) {
        watched_walk sums = {0};
        for (uint32_t seed = 0; seed < test_times(60, 12); seed++) {
            scene *s = any_scene(seed);
            kit k = kit_of_scene(s, &s->profile);
            scene_rng rng = {seed + 5};
            kit_plan(&k, kinds[kind].spec);
            for (uint32_t i = 0; i < 6; i++) {
                cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
                if (from == to || !may_reach(k.space, from, to)) continue;
                watch(kinds[kind].spec, &k, from, to, kinds[kind].climbs, &sums);
            }
            kit_end(&k, s);
        }
        CHECK(sums.kept > 100 && sums.passed > 20, "%s: %u and %u prove nothing", kinds[kind].spec,
              sums.kept, sums.passed);
    }
}

/* Each subgoal of `hcdps` can be climbed to from the one before. */
static void the_subgoals_of_hcdps_are_climbed(void **state)
{
    (void)state;
    uint32_t climbed = 0;
    for (uint32_t seed = 0; seed < test_times(100, 20); seed++) {
        scene *s = any_scene(seed);
        kit k = kit_of_scene(s, &s->profile);
        scene_rng rng = {seed + 9};
        cairn_navigator *navigator;
        kit_plan(&k, "hcdps:spacing=6,direct=off");
        CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
        cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
        CHECK_OK(cairn_navigator_start(navigator, from, to));
        if (from != to && cairn_navigator_next(navigator, NULL) == CAIRN_OK) {
            list l = list_of(cairn_navigator_subgoals, navigator);
            for (uint32_t i = 1; i < l.count; i++, climbed++)
                CHECK(slow_climbs(map_of(k.planner), l.nodes[i - 1], l.nodes[i], 250),
                      "seed %u: %u cannot be climbed to from %u", seed, l.nodes[i], l.nodes[i - 1]);
            free(l.nodes);
        }
        cairn_navigator_destroy(navigator);
        kit_end(&k, s);
    }
    CHECK(climbed > 50, "%u climbs prove nothing", climbed);
}

static void who_follows_a_path_has_no_subgoals(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 30, 30, 20, 3);
    kit k = kit_of_scene(s, &s->profile);
    scene_rng rng = {1};
    cairn_navigator *navigator;
    cairn_node out = 7;
    kit_plan(&k, "astar");
    CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
    CHECK_OK(cairn_navigator_start(navigator, scene_pick(s, &rng), scene_pick(s, &rng)));
    (void)cairn_navigator_next(navigator, NULL);
    assert_int_equal(cairn_navigator_subgoals(navigator, &out, 1), 0);
    assert_int_equal(cairn_navigator_subgoals(NULL, &out, 1), 0);
    assert_int_equal(out, 7);
    cairn_navigator_destroy(navigator);
    kit_end(&k, s);
}

/* ---- hcdps -------------------------------------------------------------------------------- */

static void navigators_of_hcdps_walk_as_its_agents_do(void **state)
{
    (void)state;
    uint32_t walks = 0;
    for (uint32_t seed = 0; seed < test_times(100, 20); seed++) {
        scene *s = any_scene(seed);
        kit k = kit_of_scene(s, &s->profile);
        scene_rng rng = {seed + 3};
        cairn_navigator *navigator;
        cairn_agent agent;
        kit_plan(&k, seed % 3 ? "hcdps:spacing=6" : "hcdps:spacing=8,records=pairs");
        CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
        for (uint32_t i = 0; i < 6; i++) {
            cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
            if (cairn_planner_walk(k.planner, from, to, &agent) != CAIRN_FOUND) continue;
            CHECK_OK(cairn_navigator_start(navigator, from, to));
            for (walks++; agent.at != to;) {
                CHECK_STATUS(cairn_planner_move(k.planner, &agent), CAIRN_FOUND);
                CHECK_OK(cairn_navigator_next(navigator, NULL));
                assert_int_equal(cairn_navigator_at(navigator), agent.at);
            }
            cairn_walk_sums sums = cairn_navigator_sums(navigator);
            CHECK(sums.plans == (from != to) && sums.work == sums.plans && !sums.syncs, "%u", seed);
        }
        cairn_navigator_destroy(navigator);
        kit_end(&k, s);
    }
    CHECK(walks > 100, "%u walks prove nothing", walks);
}

/* An agent half way along a corridor of three rows, where something changes. */
typedef struct corridor {
    scene *scene;
    kit kit;
    cairn_navigator *navigator;
} corridor;

enum { CORRIDOR = 60 };

static corridor corridor_begin(cairn_replan replan)
{
    corridor c = {.scene = scene_noise("corridor", CORRIDOR, 3, 0, 1)};
    cairn_navigator_options options = {.replan = replan};
    c.kit = kit_of_scene(c.scene, &c.scene->profile);
    kit_plan(&c.kit, "hcdps:spacing=6,direct=off");
    CHECK_OK(cairn_navigator_create(c.kit.planner, &options, &c.navigator));
    CHECK_OK(cairn_navigator_start(c.navigator, CORRIDOR, 2 * CORRIDOR - 1));
    for (uint32_t i = 0; i < 10; i++) CHECK_OK(cairn_navigator_next(c.navigator, NULL));
    return c;
}

static void corridor_block(corridor *c, int32_t x, int32_t y)
{
    CHECK_OK(cairn_grid_set_open(c->kit.grid, x, y, false));
    CHECK_OK(cairn_grid_commit(c->kit.grid));
}

static cairn_move corridor_end(corridor *c)
{
    cairn_move m = {0};
    for (uint32_t turn = 0; !m.arrived; turn++) {
        CHECK(turn < 1000, "it walks and walks");
        CHECK_OK(cairn_navigator_next(c->navigator, &m));
    }
    return m;
}

static void corridor_free(corridor *c)
{
    cairn_navigator_destroy(c->navigator);
    kit_end(&c->kit, c->scene);
}

static void agents_go_on_by_an_old_index(void **state)
{
    (void)state;
    for (cairn_replan replan = 0; replan < CAIRN_REPLAN_COUNT; replan++) {
        corridor c = corridor_begin(replan);
        corridor_block(&c, 2, 0); /* behind it */
        cairn_move m;
        CHECK_OK(cairn_navigator_next(c.navigator, &m));
        bool at_once = replan == CAIRN_REPLAN_CHANGED;
        assert_int_equal(m.syncs, at_once);
        assert_int_equal(m.plans, at_once);
        corridor_end(&c);
        cairn_walk_sums sums = cairn_navigator_sums(c.navigator);
        assert_int_equal(sums.syncs, at_once);
        assert_int_equal(sums.breaks, 0);
        corridor_free(&c);
    }
}

static void blocked_agents_sync_the_index(void **state)
{
    (void)state;
    corridor c = corridor_begin(CAIRN_REPLAN_BLOCKED);
    for (int32_t y = 0; y < 2; y++) corridor_block(&c, CORRIDOR / 2, y);
    corridor_end(&c);
    cairn_walk_sums sums = cairn_navigator_sums(c.navigator);
    assert_int_equal(sums.syncs, 1);
    assert_int_equal(sums.breaks, 1);
    assert_int_equal(sums.plans, 2);
    CHECK_OK(cairn_navigator_start(c.navigator, CORRIDOR, 2 * CORRIDOR - 1));
    corridor_block(&c, CORRIDOR / 2, 2);
    CHECK_STATUS(cairn_navigator_next(c.navigator, NULL), CAIRN_UNREACHABLE);
    assert_int_equal(cairn_navigator_at(c.navigator), CORRIDOR);
    corridor_free(&c);
}

/* The goal is walled in while the agent is on its way: it stops at once. */
static void agents_without_hope_stop_at_once(void **state)
{
    (void)state;
    corridor c = corridor_begin(CAIRN_REPLAN_BLOCKED);
    cairn_node at = cairn_navigator_at(c.navigator);
    for (int32_t y = 0; y < 3; y++) corridor_block(&c, CORRIDOR - 3, y);
    CHECK_STATUS(cairn_navigator_next(c.navigator, NULL), CAIRN_UNREACHABLE);
    assert_int_equal(cairn_navigator_at(c.navigator), at);
    corridor_free(&c);
}

static void agents_that_were_moved_begin_again(void **state)
{
    (void)state;
    corridor c = corridor_begin(CAIRN_REPLAN_BLOCKED);
    cairn_node ahead[2];
    assert_true(cairn_navigator_ahead(c.navigator, ahead, 2) > 1);
    CHECK_OK(cairn_navigator_moved(c.navigator, cairn_navigator_at(c.navigator) - 1));
    assert_int_equal(cairn_navigator_subgoals(c.navigator, NULL, 0), 0);
    corridor_end(&c);
    assert_int_equal(cairn_navigator_sums(c.navigator).plans, 2);
    corridor_free(&c);
}

/* Without work they think, and begin when there is some. */
static void a_walk_begins_with_a_unit_of_work(void **state)
{
    (void)state;
    corridor c = corridor_begin(CAIRN_REPLAN_BLOCKED);
    cairn_navigator *both[2];
    cairn_turn turn = {.work = 1};
    cairn_move moves[2];
    CHECK_OK(cairn_navigator_create(c.kit.planner, NULL, &both[1]));
    both[0] = c.navigator;
    for (uint32_t i = 0; i < 2; i++)
        CHECK_OK(cairn_navigator_start(both[i], CORRIDOR, 2 * CORRIDOR - 1));
    CHECK_OK(cairn_navigators_next(both, 2, &turn, moves));
    assert_int_equal(moves[0].kind, CAIRN_MOVE_STEP);
    assert_int_equal(moves[1].kind, CAIRN_MOVE_THINK);
    assert_int_equal(turn.used, 1);
    CHECK_OK(cairn_navigators_next(both, 2, &turn, moves));
    assert_int_equal(turn.steps, 2);
    cairn_navigator_destroy(both[1]);
    corridor_free(&c);
}

/* Walks between any two places; false: the index was made again. */
static bool walk_some(kit *k, const scene *s, uint32_t n)
{
    scene_rng rng = {n + 1};
    uint64_t generation = k->planner->generation;
    cairn_navigator *navigator;
    CHECK_OK(cairn_navigator_create(k->planner, NULL, &navigator));
    for (uint32_t i = 0; i < 4 && k->planner->generation == generation; i++) {
        cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
        cairn_move m = {0};
        if (!may_reach(k->space, from, to)) continue;
        CHECK_OK(cairn_navigator_start(navigator, from, to));
        for (uint32_t turn = 0; !m.arrived; turn++) {
            CHECK(turn < 10000, "number %u: walks and walks", n);
            cairn_status status = cairn_navigator_next(navigator, &m);
            CHECK(status == CAIRN_OK || status == CAIRN_RUNNING, "number %u: %s", n,
                  cairn_status_text(status));
            (void)cairn_navigator_subgoals(navigator, NULL, 0);
            (void)cairn_navigator_ahead(navigator, NULL, 0);
        }
    }
    cairn_navigator_destroy(navigator);
    return k->planner->generation == generation;
}

/* Numbers of an index are changed; what the check of files lets pass leads to the goal all the
 * same: at last the index is made again. */
static void agents_arrive_with_a_wrong_index(void **state)
{
    (void)state;
    uint32_t passed = 0, rebuilt = 0;
    scene *s = scene_noise("noise", 24, 20, 25, 5);
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "hcdps:spacing=8,depth=2,k=16");
    crn_hcdps *index = k.planner->index;
    for (uint32_t a = 0; a < CRN_HCDPS_ARRAYS; a++) {
        for (uint32_t n = 0; n < 3 * index->arrays[a].count; n++) {
            uint32_t *number = &index->arrays[a].owned[n / 3], kept = *number;
            *number ^= 1u << (n * 7 + a) % 32;
            bool passes = !crn_hcdps_check(index, k.space, false);
            bool stays = !passes || walk_some(&k, s, n);
            passed += passes;
            rebuilt += !stays;
            if (stays) *number = kept;
        }
    }
    CHECK(passed > 20 && rebuilt, "%u passed, %u rebuilt", passed, rebuilt);
    kit_end(&k, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agents_walk_to_the_subgoals_that_they_name),
        cmocka_unit_test(the_subgoals_of_hcdps_are_climbed),
        cmocka_unit_test(who_follows_a_path_has_no_subgoals),
        cmocka_unit_test(navigators_of_hcdps_walk_as_its_agents_do),
        cmocka_unit_test(agents_go_on_by_an_old_index),
        cmocka_unit_test(blocked_agents_sync_the_index),
        cmocka_unit_test(agents_without_hope_stop_at_once),
        cmocka_unit_test(agents_that_were_moved_begin_again),
        cmocka_unit_test(a_walk_begins_with_a_unit_of_work),
        cmocka_unit_test(agents_arrive_with_a_wrong_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
