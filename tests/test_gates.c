/* test_gates.c: the estimate that knows shortcuts is exactly what links.h defines, whether tables
 * and arrays serve it or not: compared with sums over all links until nothing changes. Of gates that
 * share an entrance one remains. Arrays give what one gate after the other gives, up to the last
 * cell that fits. Jumps find the cheapest paths where costs do not fit. With more shortcuts than
 * gates, estimates are consistent, so that none is more than the true cost; as far as the gates
 * reach they are what is defined, and searches do not expand many more nodes than without links.
 */
#include "kit.h"
#include "world/grid_space.h"

enum { WIDTH = 60, HEIGHT = 45, CELLS = WIDTH * HEIGHT, LINKS = CRN_GATES };

typedef struct setting {
    const char *name;
    uint32_t links;
    uint16_t ground; /* what the cheapest costs, in 256ths */
    bool four, hex;
    cairn_heuristic heuristic;
} setting;

static const setting settings[] = {
    {"octile", 20, 256, false, false, CAIRN_HEURISTIC_AUTO},
    {"one link", 1, 256, false, false, CAIRN_HEURISTIC_AUTO},
    {"all gates", CRN_GATES, 256, false, false, CAIRN_HEURISTIC_AUTO},
    {"steps of more than 16 bits", 40, 256 * 20, false, false, CAIRN_HEURISTIC_AUTO},
    {"four neighbours", 30, 256, true, false, CAIRN_HEURISTIC_AUTO},
    {"hexagons", 33, 256, false, true, CAIRN_HEURISTIC_AUTO},
    {"lines of sight", CRN_GATES, 256, false, false, CAIRN_HEURISTIC_EUCLIDEAN},
};

static cairn_node any_cell(crn_rng *rng)
{
    return crn_rng_below(rng, CELLS);
}

/* Every third begins where the one before does, and costs as much. */
static void add_links(cairn_grid *grid, uint32_t count, crn_rng *rng)
{
    cairn_link link = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (i % 3 != 2) link = (cairn_link){.from = any_cell(rng), .cost = crn_rng_below(rng, 900)};
        link.to = any_cell(rng);
        link.id = i;
        if (link.from != link.to) CHECK_OK(cairn_grid_add_link(grid, &link));
    }
    CHECK_OK(cairn_grid_commit(grid));
}

static kit world_of(scene *s, const setting *t, uint32_t links, crn_rng *rng)
{
    if (t->hex) scene_make_hex(s);
    cairn_profile profile = cairn_profile_default();
    if (t->hex) profile.neighbours = CAIRN_NEIGHBOURS_HEX;
    if (t->four) profile.neighbours = CAIRN_NEIGHBOURS_4;
    profile.terrain_cost[0] = t->ground;
    kit k = kit_of_scene(s, &profile);
    add_links(k.grid, links, rng);
    return k;
}

/* ---- the definition ---- */

/* Estimates without links. */
typedef struct ruler {
    const cairn_space *space;
    cairn_heuristic heuristic;
} ruler;

static uint64_t walked(const ruler *bare, cairn_node from, cairn_node to)
{
    return cairn_estimate(bare->space, bare->heuristic, from, to);
}

/* What the rest costs from the entrance of each link. */
static void rests(const kit *k, const ruler *bare, cairn_node goal, uint64_t *rest)
{
    const crn_links *links = &crn_grid_space_of(k->space)->links;
    for (uint32_t i = 0; i < links->count; i++)
        rest[i] = (uint64_t)links->links[i].cost + walked(bare, links->links[i].to, goal);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < links->count; i++) {
            for (uint32_t j = 0; j < links->count; j++) {
                const crn_space_link *a = &links->links[i], *b = &links->links[j];
                uint64_t over = (uint64_t)a->cost + rest[j] + walked(bare, a->to, b->from);
                if (over >= rest[i]) continue;
                rest[i] = over;
                again = true;
            }
        }
    }
}

static uint64_t defined(const kit *k, const ruler *bare, const uint64_t *rest, cairn_node node,
                        cairn_node goal)
{
    const crn_links *links = &crn_grid_space_of(k->space)->links;
    uint64_t least = walked(bare, node, goal);
    for (uint32_t i = 0; i < links->count; i++) {
        cairn_node from = links->links[i].from;
        uint64_t over = rest[i] + walked(bare, node, from);
        least = over < least ? over : least;
    }
    return least;
}

static uint32_t check_estimates(const kit *k, const ruler *bare, cairn_node goal)
{
    uint64_t rest[LINKS];
    uint32_t shorter = 0;
    rests(k, bare, goal, rest);
    for (cairn_node node = 0; node < CELLS; node += 5) {
        uint64_t wanted = defined(k, bare, rest, node, goal);
        cairn_cost h = cairn_estimate(k->space, bare->heuristic, node, goal);
        CHECK(h == wanted, "%u to %u: %u, not %u", node, goal, h, (unsigned)wanted);
        shorter += h < walked(bare, node, goal);
    }
    return shorter;
}

static void estimates_are_what_is_defined(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < LENGTH(settings); i++) {
        scene *s = scene_noise("noise", WIDTH, HEIGHT, 4, i + 1);
        crn_rng rng = {i};
        kit k = world_of(s, &settings[i], settings[i].links, &rng);
        cairn_profile profile = crn_grid_space_of(k.space)->profile;
        profile.links = 0;
        cairn_space *bare;
        CHECK_OK(cairn_space_of_grid(k.grid, &profile, &bare, NULL));
        ruler by_foot = {bare, settings[i].heuristic};
        bool fits = crn_grid_space_of(k.space)->links.gates->exits.fits;
        CHECK(fits == (i < 3 || settings[i].heuristic != CAIRN_HEURISTIC_AUTO), "%s: arrays %s",
              settings[i].name, fits ? "fit" : "do not fit");
        uint32_t shorter = 0;
        for (uint32_t j = test_times(20, 4); j-- > 0;)
            shorter += check_estimates(&k, &by_foot, any_cell(&rng));
        CHECK(shorter || i == 1, "%s: no link is a shortcut", settings[i].name);
        cairn_space_destroy(bare);
        kit_end(&k, s);
    }
}

/* ---- more shortcuts than gates ---- */

/* Estimates to one goal. `reach`: what the rest costs from shortcuts that are no gates. */
typedef struct aimed {
    crn_gate gates[CRN_GATES];
    crn_box box;
    cairn_cost reach, estimates[CELLS];
} aimed;

static void aim_at(const kit *k, cairn_heuristic heuristic, cairn_node goal, aimed *to)
{
    to->box = crn_box_empty();
    crn_box_add(&to->box, k->space, goal);
    crn_box_open_gates(&to->box, k->space, heuristic, to->gates);
    assert_in_range(to->box.gate_count, 1, CRN_GATES);
    const crn_gate *last = &to->gates[to->box.gate_count - 1];
    to->reach = last->left < last->right ? last->rest : CAIRN_COST_MAX;
    for (cairn_node node = 0; node < CELLS; node++)
        to->estimates[node] = k->space->functions->estimate(k->space, heuristic, node, &to->box);
    assert_int_equal(to->estimates[goal], 0);
}

/* Along links, and steps, whether or not a wall is in between. Rounding down may cost two units. */
static void check_consistent(const kit *k, const ruler *bare, const aimed *to)
{
    const crn_links *links = &crn_grid_space_of(k->space)->links;
    for (uint32_t i = 0; i < links->count; i++) {
        const crn_space_link *link = &links->links[i];
        CHECK(to->estimates[link->from] <= (uint64_t)to->estimates[link->to] + link->cost + 2,
              "link from %u to %u: %u and %u", link->from, link->to, to->estimates[link->from],
              to->estimates[link->to]);
    }
    for (cairn_node a = 0; a < CELLS; a += 3) {
        int32_t x = (int32_t)(a % WIDTH), y = (int32_t)(a / WIDTH);
        for (uint32_t i = 0; i < 9; i++) {
            cairn_node b = cairn_grid_node(k->grid, x - 1 + (int32_t)i % 3, y - 1 + (int32_t)i / 3);
            if (b == CAIRN_NO_NODE) continue;
            uint64_t most = to->estimates[b] + walked(bare, a, b) + 2;
            CHECK(to->estimates[a] <= most, "%u to %u: %u and %u", a, b, to->estimates[a],
                  to->estimates[b]);
        }
    }
}

/* Returns how many estimates are within reach. */
static uint32_t check_reached(const kit *k, const ruler *bare, cairn_node goal, const aimed *to)
{
    static uint64_t rest[4 * CRN_GATES];
    uint32_t within = 0;
    rests(k, bare, goal, rest);
    for (cairn_node node = 0; node < CELLS; node += 5) {
        uint64_t wanted = defined(k, bare, rest, node, goal);
        CHECK(to->estimates[node] <= wanted, "%u to %u: %u, not %u", node, goal,
              to->estimates[node], (unsigned)wanted);
        if (wanted > to->reach) continue;
        assert_int_equal(to->estimates[node], wanted);
        within++;
    }
    return within;
}

static void many_shortcuts_are_estimated(void **state)
{
    (void)state;
    static const uint32_t counts[] = {60, 180, 2000};
    static aimed to;
    for (uint32_t i = 0; i < LENGTH(counts) * LENGTH(settings); i++) {
        const setting *t = &settings[i / LENGTH(counts)];
        uint32_t count = counts[i % LENGTH(counts)];
        scene *s = scene_noise("noise", WIDTH, HEIGHT, 4, i + 1);
        crn_rng rng = {i};
        kit k = world_of(s, t, count, &rng);
        cairn_profile profile = crn_grid_space_of(k.space)->profile;
        profile.links = 0;
        cairn_space *bare;
        CHECK_OK(cairn_space_of_grid(k.grid, &profile, &bare, NULL));
        ruler by_foot = {bare, t->heuristic};
        uint32_t within = 0;
        for (uint32_t j = test_times(12, 3); j-- > 0;) {
            cairn_node goal = any_cell(&rng);
            cairn_heuristic heuristic =
                t->heuristic == CAIRN_HEURISTIC_AUTO ? k.space->default_heuristic : t->heuristic;
            aim_at(&k, heuristic, goal, &to);
            check_consistent(&k, &by_foot, &to);
            if (count < 4 * CRN_GATES) within += check_reached(&k, &by_foot, goal, &to);
            /* As in parts of a map: what is known is not for these costs of steps. */
            crn_grid_space_of(k.space)->links.gates->times++;
            aim_at(&k, heuristic, goal, &to);
            check_consistent(&k, &by_foot, &to);
            crn_grid_space_of(k.space)->links.gates->times--;
        }
        CHECK(within || count > 4 * CRN_GATES, "%s: gates reach nothing", t->name);
        cairn_space_destroy(bare);
        kit_end(&k, s);
    }
}

static uint64_t expanded(const kit *k, uint32_t queries)
{
    crn_rng rng = {7};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < queries; i++) {
        cairn_node count = cairn_space_node_count(k->space);
        cairn_query query = {.from = crn_rng_below(&rng, count), .to = crn_rng_below(&rng, count)};
        const cairn_path *path;
        cairn_search_find(k->search, &query, &path);
        sum += cairn_search_metrics(k->search).expanded;
    }
    return sum;
}

static void many_teleports_cost_few_expansions(void **state)
{
    (void)state;
    static const char *const planners[] = {"astar", "jps:jumps=always", "theta"};
    static const uint32_t counts[] = {30, 100, 1000};
    enum { SIDE = 256 };
    for (uint32_t i = 0; i < LENGTH(counts); i++) {
        scene *s = scene_noise("noise", SIDE, SIDE, 25, 3);
        for (uint32_t j = 0; j < LENGTH(planners); j++) {
            kit k = kit_of_scene(s, NULL);
            kit_plan(&k, planners[j]);
            uint64_t without = expanded(&k, 20);
            crn_rng rng = {i};
            for (uint32_t l = 0; l < counts[i]; l++) {
                cairn_node a = crn_rng_below(&rng, SIDE * SIDE), b = crn_rng_below(&rng, a + 1);
                if (a == b) continue;
                CHECK_OK(cairn_grid_add_link(k.grid, &(cairn_link){a, b, l, 256, 0}));
                CHECK_OK(cairn_grid_add_link(k.grid, &(cairn_link){b, a, l, 256, 0}));
            }
            CHECK_OK(cairn_grid_commit(k.grid));
            uint64_t with = expanded(&k, 20);
            CHECK(with <= 3 * without, "%s, %u teleports: %u, not %u", planners[j], counts[i],
                  (unsigned)with, (unsigned)without);
            kit_end(&k, j + 1 < LENGTH(planners) ? NULL : s);
        }
    }
}

/* ---- few gates ---- */

static void of_gates_as_good_as_each_other_one_remains(void **state)
{
    (void)state;
    scene *s = scene_blank("blank", WIDTH, HEIGHT);
    kit k = kit_of_scene(s, NULL);
    /* Both lead as near to the goal. */
    cairn_node from = cairn_grid_node(k.grid, 2, 20), goal = cairn_grid_node(k.grid, 50, 20);
    for (int32_t i = 0; i < 2; i++) {
        cairn_link link = {from, cairn_grid_node(k.grid, 50, 19 + 2 * i), (uint32_t)i, 256, 0};
        CHECK_OK(cairn_grid_add_link(k.grid, &link));
    }
    CHECK_OK(cairn_grid_commit(k.grid));
    crn_gate gates[CRN_GATES];
    crn_box box = crn_box_empty();
    crn_box_add(&box, k.space, goal);
    crn_box_open_gates(&box, k.space, k.space->default_heuristic, gates);
    CHECK(box.gate_count == 1, "%u gates", box.gate_count);
    CHECK(gates[0].left == 2 && gates[0].top == 20, "(%d, %d)", gates[0].left, gates[0].top);
    kit_end(&k, s);
}

/* ---- arrays ---- */

static int32_t apart(int32_t a, int32_t b)
{
    int32_t most = a > b ? a : b;
    return most > 0 ? most : 0;
}

static uint64_t octile(const crn_gate_arrays *arrays, int32_t dx, int32_t dy)
{
    int64_t low = dx < dy ? dx : dy, high = dx < dy ? dy : dx;
    return (uint64_t)((high - low) * arrays->straight + low * arrays->diagonal);
}

static crn_gate any_gate(crn_rng *rng, uint32_t side)
{
    int32_t a = (int32_t)crn_rng_below(rng, side), b = (int32_t)crn_rng_below(rng, side),
            wide = (int32_t)crn_rng_below(rng, 3), high = (int32_t)crn_rng_below(rng, 3),
            last = (int32_t)side - 1;
    return (crn_gate){a, b, a + wide < last ? a + wide : last, b + high < last ? b + high : last,
                      crn_rng_below(rng, 1u << 29)};
}

static void check_reach(const crn_gate_arrays *arrays, const crn_gate *gates, uint32_t count,
                        const crn_gate *box)
{
    int32_t nearest[CRN_GATES], farthest[CRN_GATES];
    crn_gate_arrays_reach(arrays, box, false, nearest);
    crn_gate_arrays_reach(arrays, box, true, farthest);
    for (uint32_t i = 0; i < count; i++) {
        const crn_gate *g = &gates[i];
        uint64_t least = octile(arrays, apart(box->left - g->right, g->left - box->right),
                                apart(box->top - g->bottom, g->top - box->bottom)),
                 most = octile(arrays, apart(box->left - g->left, g->right - box->right),
                               apart(box->top - g->top, g->bottom - box->bottom));
        assert_int_equal(nearest[i], g->rest + least);
        assert_int_equal(farthest[i], g->rest + most);
    }
}

static void arrays_give_what_single_gates_give(void **state)
{
    (void)state;
    crn_rng rng = {9};
    for (uint32_t round = test_times(4000, 500); round-- > 0;) {
        cairn_grid grid = {.width = round % 2 ? INT16_MAX : 100, .height = INT16_MAX};
        crn_gate_arrays arrays;
        crn_gate gates[CRN_GATES];
        uint32_t count = crn_rng_below(&rng, CRN_GATES + 1);
        crn_gate_arrays_measure(&arrays, &grid, 1 + crn_rng_below(&rng, INT16_MAX), INT16_MAX);
        assert_true(arrays.fits);
        for (uint32_t i = 0; i < count; i++) {
            gates[i] = any_gate(&rng, grid.width);
            if (i) gates[i].rest = gates[i - 1].rest + (gates[i].rest >> 12); /* ascending */
        }
        crn_gate_arrays_copy(&arrays, gates, count);
        crn_gate place = any_gate(&rng, grid.width);
        uint64_t walk = octile(&arrays, place.left, place.top), least = walk;
        for (uint32_t i = 0; i < count; i++) {
            const crn_gate *g = &gates[i];
            uint64_t cost =
                g->rest + octile(&arrays, apart(g->left - place.left, place.left - g->right),
                                 apart(g->top - place.top, place.top - g->bottom));
            least = cost < least ? cost : least;
        }
        assert_int_equal(
            crn_gate_arrays_least(&arrays, (uint32_t)place.left, (uint32_t)place.top, walk), least);
        check_reach(&arrays, gates, count, &place);
    }
}

static void what_does_not_fit_is_known(void **state)
{
    (void)state;
    const uint32_t most = INT16_MAX;
    const struct {
        uint32_t width, height, diagonal;
        bool fits;
    } cases[] = {{most, most, most, true},
                 {most + 1, most, most, false},
                 {most, most + 1, most, false},
                 {most, most, most + 1, false}};
    for (uint32_t i = 0; i < LENGTH(cases); i++) {
        cairn_grid grid = {.width = cases[i].width, .height = cases[i].height};
        crn_gate_arrays arrays;
        crn_gate_arrays_measure(&arrays, &grid, 1, cases[i].diagonal);
        assert_int_equal(arrays.fits, cases[i].fits);
        arrays.eights = 77;
        crn_gate_arrays_copy(&arrays, NULL, 0);
        assert_int_equal(arrays.eights, cases[i].fits ? 0 : 77);
    }
}

/* ---- answers ---- */

static void jumps_find_the_cheapest_paths(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < test_times(60, 12); i++) {
        scene *s = scene_noise("noise", WIDTH, HEIGHT, 10, i + 1);
        crn_rng rng = {i};
        kit k = world_of(s, &settings[i % 2 ? 3 : 0], 1 + crn_rng_below(&rng, 100), &rng);
        kit_plan(&k, i % 4 < 2 ? "jps:jumps=always" : "jps-plus:jumps=always");
        kit plain = k;
        plain.planner = NULL, plain.search = NULL;
        kit_plan(&plain, "dijkstra:loop=generic");
        for (uint32_t j = 0; j < 20; j++) {
            cairn_query query = {.from = any_cell(&rng), .to = any_cell(&rng)};
            const cairn_path *a, *b;
            cairn_status status = cairn_search_find(k.search, &query, &a);
            CHECK_STATUS(cairn_search_find(plain.search, &query, &b), status);
            if (status != CAIRN_FOUND) continue;
            CHECK(!strncmp(a->answered_by->name, "jps", 3), "answered by %s", a->answered_by->name);
            CHECK(a->cost == b->cost, "%u to %u: %u, Dijkstra %u", query.from, query.to, a->cost,
                  b->cost);
        }
        cairn_search_destroy(plain.search);
        cairn_planner_destroy(plain.planner);
        kit_end(&k, s);
    }
}

/* Costs so coarse that a diagonal step costs two straight ones. */
static void coarse_costs_stay_exact(void **state)
{
    (void)state;
    enum { SIDE = 200, COUNT = 400 };
    for (uint32_t seed = 0; seed < 12; seed++) {
        crn_rng rng = {900 + seed};
        cairn_context *context;
        cairn_grid *grid;
        cairn_space *space;
        cairn_planner *planners[2];
        cairn_search *searches[2];
        static const char *const specs[] = {"dijkstra", "astar:heuristic=euclidean"};
        cairn_grid_options options = {.width = SIDE, .height = SIDE};
        CHECK_OK(cairn_context_create(NULL, &context));
        CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
        for (int32_t i = 0; i < SIDE * SIDE; i++)
            CHECK_OK(cairn_grid_set_open(grid, i % SIDE, i / SIDE, true));
        for (uint32_t i = 0; i < COUNT; i++) {
            cairn_link link = {.from = crn_rng_below(&rng, SIDE * SIDE),
                               .to = crn_rng_below(&rng, SIDE * SIDE),
                               .id = i,
                               .cost = crn_rng_below(&rng, 900)};
            if (link.from != link.to) CHECK_OK(cairn_grid_add_link(grid, &link));
        }
        CHECK_OK(cairn_grid_commit(grid));
        cairn_profile profile = cairn_profile_default();
        profile.cost_scale = 7;
        profile.terrain_cost[0] = 64;
        CHECK_OK(cairn_space_of_grid(grid, &profile, &space, NULL));
        for (uint32_t i = 0; i < 2; i++) {
            CHECK_OK(planner_ready(space, specs[i], &planners[i], NULL));
            CHECK_OK(cairn_search_create(planners[i], NULL, &searches[i]));
        }
        for (uint32_t q = 0; q < 100; q++) {
            cairn_query query = {.from = crn_rng_below(&rng, SIDE * SIDE),
                                 .to = crn_rng_below(&rng, SIDE * SIDE)};
            const cairn_path *paths[2];
            for (uint32_t i = 0; i < 2; i++) cairn_search_find(searches[i], &query, &paths[i]);
            CHECK(paths[0]->cost == paths[1]->cost, "seed %u: %u instead of %u", seed,
                  paths[1]->cost, paths[0]->cost);
        }
        for (uint32_t i = 0; i < 2; i++) {
            cairn_search_destroy(searches[i]);
            cairn_planner_destroy(planners[i]);
        }
        cairn_space_destroy(space);
        cairn_grid_destroy(grid);
        cairn_context_destroy(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coarse_costs_stay_exact),
        cmocka_unit_test(estimates_are_what_is_defined),
        cmocka_unit_test(many_shortcuts_are_estimated),
        cmocka_unit_test(many_teleports_cost_few_expansions),
        cmocka_unit_test(of_gates_as_good_as_each_other_one_remains),
        cmocka_unit_test(arrays_give_what_single_gates_give),
        cmocka_unit_test(what_does_not_fit_is_known),
        cmocka_unit_test(jumps_find_the_cheapest_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
