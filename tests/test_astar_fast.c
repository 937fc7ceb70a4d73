/* test_astar_fast.c: fast expansion costs nothing and spares the open list. The conformance suite
 * compares its paths with the oracle; here it is compared with A*, in worlds where each of the
 * loops is at work.
 */
#include "kit.h"

static const char *const settings[] = {"", "open=heap", "loop=generic", "open=heap,loop=generic"};

typedef struct tally {
    uint64_t pushes, expanded;
} tally;

static tally total(kit *k, const char *algorithm, const char *setting, uint32_t nodes,
                   cairn_cost costs[20])
{
    char spec[80];
    snprintf(spec, sizeof spec, "%s:%s", algorithm, setting);
    kit_plan(k, spec);
    tally sum = {0};
    scene_rng rng = {nodes};
    for (uint32_t i = 0; i < 20; i++) {
        cairn_query query = {.from = scene_random(&rng, nodes), .to = scene_random(&rng, nodes)};
        const cairn_path *path = NULL;
        cairn_status status = cairn_search_find(k->search, &query, &path);
        costs[i] = status == CAIRN_FOUND ? path->cost : CAIRN_NO_COST;
        sum.pushes += cairn_search_metrics(k->search).pushes;
        sum.expanded += cairn_search_metrics(k->search).expanded;
    }
    return sum;
}

/* Where the path to the goal can be straight, some children are as good as their parents: then the
 * list is spared. */
static void compare(kit *k, const char *name, uint32_t nodes, bool fewer)
{
    for (uint32_t i = 0; i < LENGTH(settings); i++) {
        cairn_cost plain_costs[20], fast_costs[20];
        tally plain = total(k, "astar", settings[i], nodes, plain_costs);
        tally fast = total(k, "astar-fast", settings[i], nodes, fast_costs);
        CHECK(memcmp(plain_costs, fast_costs, sizeof plain_costs) == 0, "%s, %s: other costs", name,
              settings[i]);
        CHECK(fast.pushes < plain.pushes || (!fewer && fast.pushes == plain.pushes),
              "%s, %s: %u pushes, %u by A*", name, settings[i], (unsigned)fast.pushes,
              (unsigned)plain.pushes);
        /* Ties may fall otherwise: a few nodes more, no more. */
        CHECK(fast.expanded <= plain.expanded + plain.expanded / 10,
              "%s, %s: %u expanded, %u by A*", name, settings[i], (unsigned)fast.expanded,
              (unsigned)plain.expanded);
    }
}

static void on_grids_it_costs_the_same_with_fewer_pushes(void **state)
{
    (void)state;
    static const char *const names[] = {"open", "trap", "light", "rooms", "swamps"};
    for (uint32_t n = 0; n < LENGTH(names); n++) {
        scene *s = scene_named(names[n]);
        cairn_profile profile;
        for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
            kit k = kit_of_scene(s, &profile);
            compare(&k, s->name, s->width * s->height, true);
            kit_close(&k);
        }
        scene_destroy(s);
    }
}

/* On open ground the diagonal to the goal is as good at every step, and nothing else is
 * expanded. */
static void straight_ahead_only_the_way_is_expanded(void **state)
{
    (void)state;
    scene *s = scene_blank("blank", 30, 30);
    kit k = kit_of_scene(s, &s->profile);
    for (uint32_t i = 0; i < LENGTH(settings); i++) {
        char spec[80];
        snprintf(spec, sizeof spec, "astar-fast:%s", settings[i]);
        kit_plan(&k, spec);
        cairn_query query = {.from = 0, .to = 30 * 30 - 1};
        assert_int_equal(cairn_search_find(k.search, &query, NULL), CAIRN_FOUND);
        uint64_t expanded = cairn_search_metrics(k.search).expanded;
        CHECK(expanded <= 30, "%s: %u expanded", spec, (unsigned)expanded);
    }
    kit_close(&k);
    scene_destroy(s);
}

/* In a corridor every cell comes from the hand; the start counts as pushed, whichever loop it
 * is. */
static void in_a_corridor_only_the_start_is_pushed(void **state)
{
    (void)state;
    scene *s = scene_blank("corridor", 50, 1);
    kit k = kit_of_scene(s, &s->profile);
    for (uint32_t i = 0; i < LENGTH(settings); i++) {
        char spec[80];
        snprintf(spec, sizeof spec, "astar-fast:%s", settings[i]);
        kit_plan(&k, spec);
        cairn_query query = {.from = 0, .to = 49};
        assert_int_equal(cairn_search_find(k.search, &query, NULL), CAIRN_FOUND);
        uint64_t pushes = cairn_search_metrics(k.search).pushes;
        CHECK(pushes == 1, "%s: %u pushes", spec, (unsigned)pushes);
    }
    kit_close(&k);
    scene_destroy(s);
}

static void on_graphs_it_costs_the_same(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < graph_scene_count(); i++) {
        graph_scene *s = graph_scene_at(i);
        kit k = {0};
        CHECK_OK(cairn_context_create(NULL, &k.context));
        CHECK_OK(graph_scene_graph(s, k.context, &k.graph));
        CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
        compare(&k, s->name, s->node_count, false);
        kit_close(&k);
        graph_scene_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_grids_it_costs_the_same_with_fewer_pushes),
        cmocka_unit_test(straight_ahead_only_the_way_is_expanded),
        cmocka_unit_test(in_a_corridor_only_the_start_is_pushed),
        cmocka_unit_test(on_graphs_it_costs_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
