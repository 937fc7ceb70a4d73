/* test_crowd.c: many agents: the pool of searches that their navigators share, what each of them
 * keeps, and turns of all of them within one budget (navigator.h).
 */
#include "kit.h"

static const char rooms[] = "################\n"
                            "#......#.......#\n"
                            "#..............#\n"
                            "#......#.......#\n"
                            "#......#.......#\n"
                            "#......#.......#\n"
                            "#......#.......#\n"
                            "#..............#\n"
                            "################\n";

enum { MOST = 1000 };

/* Agents of one planner, and the moves of the last turn. */
typedef struct crowd {
    kit kit;
    scene *scene;
    cairn_navigator *agents[MOST];
    cairn_move moves[MOST];
    uint32_t count;
} crowd;

static void crowd_open(crowd *c, scene *s, const char *spec, const cairn_pool_options *pool)
{
    *c = (crowd){.kit = kit_of_scene(s, &s->profile), .scene = s};
    kit_plan(&c->kit, spec);
    CHECK_OK(cairn_planner_set_pool(c->kit.planner, pool));
}

static cairn_navigator *crowd_add(crowd *c, const cairn_navigator_options *options, cairn_node from,
                                  cairn_node to)
{
    cairn_navigator **agent = &c->agents[c->count++];
    CHECK_OK(cairn_navigator_create(c->kit.planner, options, agent));
    CHECK_OK(cairn_navigator_start(*agent, from, to));
    return *agent;
}

/* Somewhere, to somewhere that can be reached from there. */
static cairn_navigator *crowd_add_any(crowd *c, const cairn_navigator_options *options,
                                      scene_rng *rng)
{
    cairn_node from = scene_pick(c->scene, rng), to;
    CHECK_OK(cairn_random_reachable(c->kit.space, from, &rng->state, &to));
    return crowd_add(c, options, from, to);
}

static void crowd_close(crowd *c)
{
    for (uint32_t i = 0; i < c->count; i++) cairn_navigator_destroy(c->agents[i]);
    CHECK(!cairn_planner_pool(c->kit.planner).bytes, "the pool outlives its navigators");
    kit_end(&c->kit, c->scene);
}

static cairn_node cell(const crowd *c, int32_t x, int32_t y)
{
    return cairn_grid_node(c->kit.grid, x, y);
}

static void check_moves(const crowd *c, const cairn_turn *turn)
{
    uint64_t used = 0;
    uint32_t arrived = 0, steps = 0, thinking = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const cairn_move *m = &c->moves[i];
        used += m->work, arrived += m->arrived;
        steps += m->kind == CAIRN_MOVE_STEP, thinking += m->kind == CAIRN_MOVE_THINK;
        CHECK(m->kind != CAIRN_MOVE_STEP ||
                  cairn_space_step_cost(c->kit.space, m->from, m->to) != CAIRN_NO_COST,
              "agent %u: no step from %u to %u", i, m->from, m->to);
        CHECK(m->to == cairn_navigator_at(c->agents[i]), "the move of another agent");
    }
    CHECK(used == turn->used && arrived == turn->arrived && steps == turn->steps &&
              thinking == turn->thinking,
          "the sums are wrong");
    CHECK(!turn->work || turn->used <= turn->work, "%u units of %u", (unsigned)turn->used,
          (unsigned)turn->work);
    CHECK(!turn->stopped, "%u stop", turn->stopped);
}

/* Until all have arrived; a hash of all moves. */
static uint64_t crowd_walk(crowd *c, uint64_t work, uint32_t most_turns)
{
    cairn_turn turn = {.work = work};
    uint64_t hash = 1;
    for (uint32_t turns = 0; turn.arrived < c->count; turns++) {
        CHECK(turns < most_turns, "%u of %u arrived, %u think", turn.arrived, c->count,
              turn.thinking);
        CHECK_OK(cairn_navigators_next(c->agents, c->count, &turn, c->moves));
        check_moves(c, &turn);
        for (uint32_t i = 0; i < c->count; i++) hash = hash * 31 + c->moves[i].to;
    }
    return hash;
}

/* ---- a thousand -------------------------------------------------------------------------- */

/* What the agents hold, by the context's count and not by their own. */
static uint64_t a_thousand_walk(const char *spec, uint32_t piece)
{
    static crowd c;
    scene_rng rng = {7};
    cairn_navigator_options options = {.piece = piece};
    crowd_open(&c, scene_rooms("rooms", 300, 200, 12, 3), spec, NULL);
    size_t before = cairn_context_memory(c.kit.context).bytes;
    for (uint32_t i = 0; i < MOST; i++) crowd_add_any(&c, &options, &rng);
    uint64_t hash = crowd_walk(&c, 20000, 6000), held = 0;
    cairn_pool_use pool = cairn_planner_pool(c.kit.planner);
    size_t all = cairn_context_memory(c.kit.context).bytes - before - pool.bytes;
    for (uint32_t i = 0; i < MOST; i++) held += cairn_navigator_sums(c.agents[i]).bytes;
    CHECK(all <= 4u << 20, "%s: %zu bytes", spec, all);
    CHECK(held <= all && held + 4096 >= all, "%s: they say %u, not %zu", spec, (unsigned)held, all);
    CHECK(pool.navigators == MOST && pool.searches <= 4 && !pool.borrowed && !pool.waiting,
          "%s: the pool is in use", spec);
    crowd_close(&c);
    return hash;
}

static void a_thousand_agents_arrive_within_the_budget_and_four_megabytes(void **state)
{
    (void)state;
    static const char *const specs[] = {"astar", "jps", "hpa", "pra"};
    for (uint32_t i = 0; i<LENGTH(specs); i += test_sample()> 1 ? 2 : 1)
        a_thousand_walk(specs[i], i % 2 ? 0 : 16);
}

static void the_same_calls_give_the_same_walks(void **state)
{
    (void)state;
    assert_true(a_thousand_walk("hpa", 10) == a_thousand_walk("hpa", 10));
}

/* ---- the queue ----------------------------------------------------------------------------- */

static cairn_move next(cairn_navigator *agent)
{
    cairn_move m;
    cairn_navigator_next(agent, &m);
    return m;
}

static void first_come_first_served(void **state)
{
    (void)state;
    crowd c;
    cairn_navigator_options slow = {.work = 4};
    crowd_open(&c, scene_of_text("rooms", rooms), "dijkstra", &(cairn_pool_options){.searches = 1});
    cairn_navigator *agents[4];
    for (int i = 0; i < 4; i++) agents[i] = crowd_add(&c, &slow, cell(&c, 1, 1), cell(&c, 14, 7));
    for (int i = 0; i < 3; i++)
        CHECK(next(agents[i]).kind == CAIRN_MOVE_THINK &&
                  !cairn_navigator_ahead(agents[i], NULL, 0),
              "no agent is ready at once");
    cairn_pool_use pool = cairn_planner_pool(c.kit.planner);
    CHECK(pool.searches == 1 && pool.borrowed == 1 && pool.waiting == 2, "%u wait", pool.waiting);
    while (next(agents[0]).kind == CAIRN_MOVE_THINK) CHECK(!next(agents[2]).work, "out of turn");
    pool = cairn_planner_pool(c.kit.planner);
    CHECK(!pool.borrowed && pool.waiting == 2, "it did not return its search");
    CHECK(!next(agents[3]).work && !next(agents[2]).work, "they overtake the one who waits");
    CHECK(next(agents[1]).work, "its turn");
    while (next(agents[1]).kind == CAIRN_MOVE_THINK) CHECK(!next(agents[2]).work, "out of turn");
    CHECK(!next(agents[3]).work && next(agents[2]).work, "the third comes before the fourth");
    crowd_walk(&c, 0, 300);
    crowd_close(&c);
}

/* Waiting for a search is no reason to stand still on a path that can still be walked. */
static void who_waits_walks_on(void **state)
{
    (void)state;
    crowd c;
    cairn_navigator_options slow = {.work = 4}, quick = {.replan = CAIRN_REPLAN_CHANGED};
    crowd_open(&c, scene_of_text("rooms", rooms), "dijkstra", &(cairn_pool_options){.searches = 1});
    cairn_navigator *a = crowd_add(&c, &quick, cell(&c, 1, 2), cell(&c, 14, 2)),
                    *b = crowd_add(&c, &slow, cell(&c, 1, 1), cell(&c, 14, 7));
    CHECK(next(a).plans == 1 && next(b).plans == 1, "each plans once");
    CHECK_OK(cairn_grid_set_open(c.kit.grid, 14, 1, false));
    CHECK_OK(cairn_grid_commit(c.kit.grid));
    cairn_move m = next(a);
    CHECK(m.kind == CAIRN_MOVE_STEP && !m.plans && !m.work, "it walks on");
    assert_int_equal(cairn_planner_pool(c.kit.planner).waiting, 1);
    crowd_walk(&c, 0, 100);
    crowd_close(&c);
}

/* Who is not called any more loses its search, and its place in the queue, but not for ever. */
static void who_is_absent_does_not_stop_the_others(void **state)
{
    (void)state;
    crowd c;
    cairn_navigator_options slow = {.work = 4};
    crowd_open(&c, scene_of_text("rooms", rooms), "dijkstra", &(cairn_pool_options){.searches = 1});
    cairn_navigator *agents[4];
    for (int i = 0; i < 4; i++) {
        agents[i] = crowd_add(&c, &slow, cell(&c, 1, 1), cell(&c, 14, 7));
        assert_int_equal(next(agents[i]).kind, CAIRN_MOVE_THINK);
    }
    uint32_t calls = 0;
    for (cairn_move m = {0}; !m.arrived; calls++) {
        CHECK(calls < 1000, "it waits for those who are absent");
        next(agents[2]), m = next(agents[3]);
    }
    CHECK(calls > 64, "%u turns: they were not waited for", calls);
    crowd_walk(&c, 0, 200);
    crowd_close(&c);
}

/* Who leaves while it waits or plans gives up its place. */
static void agents_may_leave_at_any_time(void **state)
{
    (void)state;
    crowd c;
    cairn_navigator_options slow = {.work = 4};
    crowd_open(&c, scene_of_text("rooms", rooms), "dijkstra", &(cairn_pool_options){.searches = 1});
    for (int i = 0; i < 5; i++) next(crowd_add(&c, &slow, cell(&c, 1, 1), cell(&c, 14, 7)));
    CHECK_OK(cairn_navigator_retarget(c.agents[3], cell(&c, 1, 1))); /* where it is */
    assert_int_equal(cairn_planner_pool(c.kit.planner).waiting, 3);
    cairn_navigator_destroy(c.agents[2]);
    cairn_navigator_destroy(c.agents[0]);
    c.agents[2] = c.agents[4], c.agents[0] = c.agents[3], c.count = 3;
    cairn_pool_use pool = cairn_planner_pool(c.kit.planner);
    CHECK(pool.navigators == 3 && !pool.borrowed && pool.waiting == 2, "%u wait", pool.waiting);
    CHECK(!next(c.agents[2]).work && next(c.agents[1]).work, "the second is the first now");
    crowd_walk(&c, 0, 200);
    crowd_close(&c);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* With one search for all of them each agent loses what the search knew, again and again. */
static void lost_pieces_are_planned_again(void **state)
{
    (void)state;
    static const char *const specs[] = {"hpa:size=5", "dhpa", "pra", "mm", "hpa:size=5,levels=2"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        crowd c;
        scene_rng rng = {11};
        cairn_navigator_options options = {.piece = 5};
        crowd_open(&c, scene_rooms("rooms", 120, 80, 9, 4), specs[i],
                   &(cairn_pool_options){.searches = 1});
        for (int a = 0; a < 12; a++) crowd_add_any(&c, &options, &rng);
        crowd_walk(&c, 0, 400);
        uint32_t plans = 0, most = 0;
        for (uint32_t a = 0; a < c.count; a++) {
            cairn_walk_sums sums = cairn_navigator_sums(c.agents[a]);
            plans += sums.plans;
            if (sums.plans > most) most = sums.plans;
        }
        CHECK(plans > 2 * c.count && most <= 8, "%s: %u plans, %u at most", specs[i], plans, most);
        crowd_close(&c);
    }
}

static void a_search_rests_between_pieces_and_nobody_takes_it_without_need(void **state)
{
    (void)state;
    crowd c;
    scene_rng rng = {11};
    cairn_navigator_options options = {.piece = 5};
    crowd_open(&c, scene_rooms("rooms", 120, 80, 9, 4), "hpa:size=5", NULL);
    for (int a = 0; a < 4; a++) crowd_add_any(&c, &options, &rng);
    crowd_walk(&c, 0, 400);
    for (uint32_t a = 0; a < c.count; a++) {
        cairn_walk_sums sums = cairn_navigator_sums(c.agents[a]);
        CHECK(sums.plans == 1 && sums.pieces, "%u plans, %u pieces", sums.plans, sums.pieces);
    }
    crowd_close(&c);
}

/* ---- one budget --------------------------------------------------------------------------- */

/* One agent wants another plan at every turn. The other one arrives nevertheless. */
static void who_always_plans_leaves_work_for_others(void **state)
{
    (void)state;
    crowd c;
    crowd_open(&c, scene_of_text("rooms", rooms), "dijkstra", NULL);
    cairn_navigator *hunter = crowd_add(&c, NULL, cell(&c, 1, 1), cell(&c, 14, 7)),
                    *other = crowd_add(&c, NULL, cell(&c, 1, 7), cell(&c, 14, 1));
    cairn_turn turn = {.work = 10};
    uint32_t turns = 0;
    for (; cairn_navigator_at(other) != cell(&c, 14, 1); turns++) {
        CHECK(turns < 100, "the other one is left out");
        CHECK_OK(cairn_navigator_retarget(hunter, cell(&c, 14, 6 + (int32_t)(turns & 1))));
        CHECK_OK(cairn_navigators_next(c.agents, c.count, &turn, NULL));
        CHECK(turn.used <= 10, "too much");
    }
    CHECK(turns > 15, "%u turns", turns);
    crowd_close(&c);
}

static void the_work_of_a_navigator_can_be_changed(void **state)
{
    (void)state;
    crowd c;
    crowd_open(&c, scene_of_text("rooms", rooms), "dijkstra", NULL);
    cairn_navigator_options slow = {.work = 1};
    cairn_navigator *a = crowd_add(&c, &slow, cell(&c, 1, 1), cell(&c, 14, 7));
    cairn_move m = next(a);
    CHECK(m.kind == CAIRN_MOVE_THINK && m.work == 1, "one unit");
    CHECK_OK(cairn_navigator_set_work(a, 5));
    m = next(a);
    CHECK(m.kind == CAIRN_MOVE_THINK && m.work == 5 && !m.plans, "five more for the same plan");
    CHECK_OK(cairn_navigator_set_work(a, 0));
    m = next(a);
    CHECK(m.kind == CAIRN_MOVE_STEP && m.work > 5, "all the rest");
    CHECK_STATUS(cairn_navigator_set_work(NULL, 0), CAIRN_INVALID);
    crowd_close(&c);
}

static void senseless_turns_and_pools_are_refused(void **state)
{
    (void)state;
    crowd c;
    cairn_turn turn = {.work = 5, .first = 77};
    crowd_open(&c, scene_of_text("rooms", rooms), "astar", NULL);
    CHECK_STATUS(cairn_navigators_next(NULL, 1, &turn, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_navigators_next(c.agents, 1, NULL, NULL), CAIRN_INVALID);
    CHECK_OK(cairn_navigators_next(NULL, 0, &turn, NULL));
    CHECK_OK(cairn_navigators_next(c.agents, 1, &turn, c.moves)); /* NULL */
    CHECK(c.moves[0].status == CAIRN_INVALID && turn.stopped == 1 && turn.work == 5, "a move");
    CHECK_STATUS(cairn_planner_set_pool(NULL, NULL), CAIRN_INVALID);
    cairn_pool_options pool = {.searches = 1025};
    CHECK_STATUS(cairn_planner_set_pool(c.kit.planner, &pool), CAIRN_INVALID);
    pool.searches = 1024;
    CHECK_OK(cairn_planner_set_pool(c.kit.planner, &pool));
    crowd_add(&c, NULL, cell(&c, 1, 1), cell(&c, 14, 7));
    CHECK_STATUS(cairn_planner_set_pool(c.kit.planner, &pool), CAIRN_INVALID);
    CHECK(cairn_planner_pool(c.kit.planner).navigators == 1 && !cairn_planner_pool(NULL).navigators,
          "one navigator");
    crowd_walk(&c, 0, 100);
    crowd_close(&c);
}

/* ---- memory --------------------------------------------------------------------------------- */

static void the_pool_has_one_limit(void **state)
{
    (void)state;
    crowd c;
    scene_rng rng = {2};
    crowd_open(&c, scene_noise("noise", 200, 200, 20, 3), "dijkstra",
               &(cairn_pool_options){.searches = 3, .byte_limit = 240000});
    cairn_navigator_options slow = {.work = 300};
    for (int i = 0; i < 6; i++) crowd_add_any(&c, &slow, &rng);
    uint32_t refused = 0;
    for (int turns = 0; turns < 100; turns++)
        for (uint32_t i = 0; i < c.count; i++) {
            refused += next(c.agents[i]).status == CAIRN_OUT_OF_MEMORY;
            cairn_pool_use pool = cairn_planner_pool(c.kit.planner);
            CHECK(pool.bytes < 241000 && pool.searches <= 3, "%zu bytes", pool.bytes);
        }
    CHECK(refused > 10 && cairn_planner_pool(c.kit.planner).searches == 3, "%u refused", refused);
    crowd_close(&c);
}

/* The farthest node with a path of at most `steps` steps from `from`, that of the most points. */
static cairn_node end_of_long_path(crowd *c, cairn_node from, uint64_t steps)
{
    const cairn_path *path;
    cairn_node best = CAIRN_NO_NODE;
    uint32_t points = 0;
    CHECK_OK(cairn_search_find(c->kit.search,
                               &(cairn_query){.from = from, .goal_kind = CAIRN_GOAL_NONE}, NULL));
    for (cairn_node n = 0; n < cairn_space_node_count(c->kit.space); n++) {
        if (cairn_search_cost_to(c->kit.search, n) == CAIRN_NO_COST) continue;
        CHECK_OK(cairn_search_path_to(c->kit.search, n, &path));
        uint64_t count = cairn_path_step_count(c->kit.space, path);
        if (count != steps || path->count <= points) continue;
        best = n, points = path->count;
    }
    return best;
}

static void a_path_of_300_steps_takes_a_kilobyte(void **state)
{
    (void)state;
    for (uint32_t percent = 5; percent <= 35; percent += 15) {
        crowd c;
        scene_rng rng = {5};
        crowd_open(&c, scene_noise("noise", 700, 120, percent, 3), "dijkstra", NULL);
        cairn_node from = scene_pick(c.scene, &rng), to = CAIRN_NO_NODE;
        for (int i = 0; i < 20 && to == CAIRN_NO_NODE; i++, from = scene_pick(c.scene, &rng))
            if ((to = end_of_long_path(&c, from, 301)) != CAIRN_NO_NODE) break;
        CHECK(to != CAIRN_NO_NODE, "no such path");
        cairn_navigator *a = crowd_add(&c, NULL, from, to);
        CHECK(next(a).kind == CAIRN_MOVE_STEP, "no path");
        uint64_t bytes = cairn_navigator_sums(a).bytes;
        CHECK(bytes <= 1024, "%u bytes for %u points", (unsigned)bytes,
              cairn_navigator_ahead(a, NULL, 0));
        crowd_close(&c);
    }
}

/* What an agent keeps is the path that the search found, cell by cell. */
static void check_walk(crowd *c, cairn_node from, cairn_node to)
{
    static cairn_node cells[40000];
    const cairn_path *path;
    cairn_status status =
        cairn_search_find(c->kit.search, &(cairn_query){.from = from, .to = to}, &path);
    if (status != CAIRN_FOUND) return;
    uint32_t count = cairn_path_cells(c->kit.space, path, 0, cells, LENGTH(cells));
    cairn_navigator *a = c->count ? c->agents[0] : crowd_add(c, NULL, from, to);
    CHECK_OK(cairn_navigator_start(a, from, to));
    for (uint32_t i = 1; i < count; i++) {
        cairn_move m = next(a);
        CHECK(m.kind == CAIRN_MOVE_STEP && m.from == cells[i - 1] && m.to == cells[i],
              "step %u of %u: from %u to %u", i, count, m.from, m.to);
    }
    CHECK(cairn_navigator_at(a) == to && cairn_navigator_ahead(a, NULL, 0) == 1, "not there");
}

static void an_agent_walks_the_path_that_was_found(void **state)
{
    (void)state;
    static const char *const specs[] = {"astar", "theta", "dijkstra:open=heap", "jps"};
    for (uint32_t i = 0; i < 8; i++) {
        crowd c;
        scene_rng rng = {5 + i};
        scene *s = i & 4 ? scene_noise("noise", 190, 200, 30, i)
                         : scene_rooms("rooms", 9001, 7, 12, i); /* rows of three bytes */
        crowd_open(&c, s, specs[i % 4], NULL);
        for (int q = 0; q < 20; q++)
            check_walk(&c, scene_pick(c.scene, &rng), scene_pick(c.scene, &rng));
        crowd_close(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_agents_arrive_within_the_budget_and_four_megabytes),
        cmocka_unit_test(the_same_calls_give_the_same_walks),
        cmocka_unit_test(first_come_first_served),
        cmocka_unit_test(who_waits_walks_on),
        cmocka_unit_test(who_is_absent_does_not_stop_the_others),
        cmocka_unit_test(agents_may_leave_at_any_time),
        cmocka_unit_test(lost_pieces_are_planned_again),
        cmocka_unit_test(a_search_rests_between_pieces_and_nobody_takes_it_without_need),
        cmocka_unit_test(who_always_plans_leaves_work_for_others),
        cmocka_unit_test(the_work_of_a_navigator_can_be_changed),
        cmocka_unit_test(senseless_turns_and_pools_are_refused),
        cmocka_unit_test(the_pool_has_one_limit),
        cmocka_unit_test(a_path_of_300_steps_takes_a_kilobyte),
        cmocka_unit_test(an_agent_walks_the_path_that_was_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
