/* test_smastar.c: SMA*: the limit of nodes, dropping and generating again, paths that fit and paths
 * that do not. The conformance suite compares its paths with the oracle's.
 */
#include "deepening.h"

/* ---- memory ---- */

/* The most nodes that were held at once, and how many were dropped. */
static uint32_t most_held(const story *t, uint32_t *dropped)
{
    uint32_t held = 1, most = 1;
    *dropped = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        held += t->events[i].kind == CAIRN_EVENT_GENERATE;
        if (t->events[i].kind == CAIRN_EVENT_FORGET) held--, ++*dropped;
        if (held > most) most = held;
    }
    return most;
}

static void it_never_holds_more_nodes_than_its_limit(void **state)
{
    (void)state;
    static const uint32_t limits[] = {8, 12, 30, 100, 400};
    static const char *const names[] = {"gaps", "rooms", "swamps", "hex-light"};
    uint32_t drops = 0, found = 0;
    for (uint32_t n = 0; n < LENGTH(names); n++) {
        scene *s = scene_named(names[n]);
        kit k = kit_of_scene(s, &s->profile), best = kit_of_scene(s, &s->profile);
        kit_plan(&best, "astar");
        for (uint32_t m = 0; m < LENGTH(limits); m++) {
            char spec[64];
            scene_rng rng = {n + 1};
            snprintf(spec, sizeof spec, "smastar:nodes=%u,effort=3000", limits[m]);
            kit_plan(&k, spec);
            for (uint32_t i = 0; i < 12; i++) {
                cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
                const cairn_path *path, *other;
                uint32_t dropped;
                uint32_t most = most_held(story_of(&k, &query, &path), &dropped);
                CHECK(most <= limits[m], "%s in %s: %u nodes", spec, names[n], most);
                drops += dropped;
                if (path->status != CAIRN_FOUND) continue;
                cairn_search_find(best.search, &query, &other);
                CHECK(path->cost >= other->cost &&
                          path->cost <= path->suboptimality_bound * other->cost,
                      "%s in %s, %u to %u: %u, not %u", spec, names[n], query.from, query.to,
                      path->cost, other->cost);
                found++;
            }
        }
        kit_close(&best);
        kit_end(&k, s);
    }
    CHECK(drops > 10000 && found > 60, "%u dropped, %u found", drops, found);
}

/* ---- paths that fit ---- */

/* The only path through a winding corridor: it fits to the node. */
static void a_path_fits_if_there_is_a_place_for_each_of_its_nodes(void **state)
{
    (void)state;
    scene *s = scene_named("serpent");
    kit k = kit_of_scene(s, &s->profile);
    cairn_query query = {.from = 0, .to = 0};
    oracle_grid raw = scene_raw(s);
    oracle *o = oracle_of_grid(&raw, &s->profile, cairn_space_scale(k.space));
    oracle_search(o, 0);
    for (cairn_node n = 0; n < o->count; n++) {
        if (o->distance[n] != ORACLE_NONE && o->distance[n] > o->distance[query.to]) query.to = n;
    }
    char spec[64];
    const cairn_path *path;
    snprintf(spec, sizeof spec, "smastar:nodes=%u", o->steps[query.to] + 1);
    kit_plan(&k, spec);
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    CHECK(path->cost == o->distance[query.to] && path->suboptimality_bound == 1, "%u", path->cost);
    snprintf(spec, sizeof spec, "smastar:nodes=%u", o->steps[query.to]);
    kit_plan(&k, spec);
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_OUT_OF_MEMORY);
    assert_true(!path->count && !cairn_planner_optimal(k.planner));
    oracle_destroy(o);
    kit_end(&k, s);
}

/* A cheap path of ten steps, and an expensive edge beside it. */
static void a_path_that_fits_says_how_much_cheaper_others_may_be(void **state)
{
    (void)state;
    cairn_graph_edge edges[11];
    for (uint32_t i = 0; i < 10; i++) edges[i] = (cairn_graph_edge){i, i + 1, 2};
    edges[10] = (cairn_graph_edge){0, 10, 35};
    kit k = kit_of_edges(11, edges, 11);
    cairn_query query = {.from = 0, .to = 10};
    const cairn_path *path;
    kit_plan(&k, "smastar:nodes=8");
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    CHECK(path->cost == 35 && path->suboptimality_bound >= 35.0 / 20, "%u, bound %f", path->cost,
          path->suboptimality_bound);
    assert_false(cairn_planner_optimal(k.planner));
    kit_plan(&k, "smastar:nodes=11");
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    CHECK(path->cost == 20 && path->suboptimality_bound == 1, "%u", path->cost);
    assert_true(cairn_planner_optimal(k.planner));
    kit_close(&k);
}

enum { NODES = 24, EDGES = 60 };

/* The fewest steps of a cheapest path from node 0, by relaxing every edge again and again. */
static void fewest_steps(const cairn_graph_edge *edges, uint64_t least[NODES])
{
    for (uint32_t i = 0; i < NODES; i++) least[i] = i ? UINT64_MAX : 0;
    for (uint32_t round = 0; round < NODES; round++) {
        for (uint32_t i = 0; i < EDGES; i++) {
            uint64_t from = least[edges[i].from],
                     over = from + (uint64_t)edges[i].weight * 1000 + 1;
            if (from != UINT64_MAX && over < least[edges[i].to]) least[edges[i].to] = over;
        }
    }
}

/* Any graph: if a cheapest path fits, one is found. */
static void cheapest_paths_that_fit_are_found(void **state)
{
    (void)state;
    uint32_t fits = 0, tight = 0, gave = 0;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        cairn_graph_edge edges[EDGES];
        scene_rng rng = {seed};
        for (uint32_t i = 0; i < EDGES; i++) {
            cairn_node from = scene_random(&rng, NODES);
            cairn_node to = (from + 1 + scene_random(&rng, 4)) % NODES;
            edges[i] = (cairn_graph_edge){from, to, 1 + scene_random(&rng, seed % 2 ? 3 : 40)};
        }
        kit k = kit_of_edges(NODES, edges, EDGES);
        uint64_t least[NODES];
        fewest_steps(edges, least);
        for (uint32_t nodes = 8; nodes <= 14; nodes += 2) {
            char spec[64];
            snprintf(spec, sizeof spec, "smastar:nodes=%u,effort=20000", nodes);
            kit_plan(&k, spec);
            for (cairn_node to = 1; to < NODES; to++) {
                const cairn_path *path;
                cairn_status status = cairn_search_find(k.search, &(cairn_query){.to = to}, &path);
                uint32_t steps = (uint32_t)(least[to] % 1000), cost = (uint32_t)(least[to] / 1000);
                if (least[to] == UINT64_MAX) continue;
                if (status == CAIRN_OUT_OF_BUDGET) {
                    gave++;
                } else if (steps < nodes) {
                    CHECK(status == CAIRN_FOUND && path->cost == cost,
                          "%s, seed %u, to %u: %s, %u, not %u", spec, seed, to,
                          cairn_status_text(status), path->cost, cost);
                    fits++;
                    tight += steps + 3 > nodes;
                } else if (status == CAIRN_FOUND) {
                    CHECK(path->cost <= path->suboptimality_bound * cost,
                          "%s, seed %u, to %u: bound", spec, seed, to);
                }
            }
        }
        kit_close(&k);
    }
    CHECK(fits > 2000 && tight > 60 && gave < fits / 20, "%u, %u, %u", fits, tight, gave);
}

/* ---- dropping ---- */

/* From the start two arms of five nodes lead on; the goal is at the end of the second. There is room
 * for the start and seven others, so a part of the first is dropped. Its parent knows what it was
 * worth, so that it is not generated again before the goal is found. */
static void what_is_dropped_is_remembered_by_its_parent(void **state)
{
    (void)state;
    cairn_graph_edge edges[12];
    for (uint32_t i = 0; i < 6; i++) {
        edges[i] = (cairn_graph_edge){i ? i : 0, i + 1, i < 4 ? 1 : 40};
        edges[6 + i] = (cairn_graph_edge){i ? i + 6 : 0, i + 7, 4};
    }
    kit k = kit_of_edges(13, edges, 12);
    kit_plan(&k, "smastar:nodes=8");
    const cairn_path *path;
    uint32_t dropped, again[13] = {0};
    const story *t = story_of(&k, &(cairn_query){.from = 0, .to = 12}, &path);
    CHECK(path->status == CAIRN_FOUND && path->cost == 24, "%s", cairn_status_text(path->status));
    most_held(t, &dropped);
    assert_true(dropped > 0);
    for (uint32_t i = 0; i < t->count; i++)
        again[t->events[i].node] += t->events[i].kind == CAIRN_EVENT_GENERATE;
    for (uint32_t i = 1; i < 13; i++)
        CHECK(again[i] <= 1, "%u was generated %u times", i, again[i]);
    kit_close(&k);
}

/* ---- A* ---- */

/* With room for everything it is A*, but for what it generates one by one. */
static void with_enough_memory_it_expands_what_astar_does(void **state)
{
    (void)state;
    static const char *const names[] = {"trap", "rooms", "light", "dense", "swamps", "hex-light"};
    uint64_t sums[2] = {0};
    for (uint32_t n = 0; n < LENGTH(names); n++) {
        scene *s = scene_named(names[n]);
        kit a = kit_of_scene(s, &s->profile), b = kit_of_scene(s, &s->profile);
        scene_rng rng = {n + 9};
        kit_plan(&a, "astar:open=heap");
        kit_plan(&b, "smastar:effort=100000");
        for (uint32_t i = 0; i < 40; i++) {
            cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
            answer first = answer_find(a.search, &query), second = answer_find(b.search, &query);
            CHECK(first.path.status == second.path.status && first.path.cost == second.path.cost,
                  "%s, %u to %u: %u and %u", names[n], query.from, query.to, first.path.cost,
                  second.path.cost);
            sums[0] += first.metrics.expanded, sums[1] += second.metrics.expanded;
            answer_free(&first), answer_free(&second);
        }
        kit_close(&a);
        kit_end(&b, s);
    }
    CHECK(sums[1] < 3 * sums[0], "%u expansions, %u by A*", (unsigned)sums[1], (unsigned)sums[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_never_holds_more_nodes_than_its_limit),
        cmocka_unit_test(a_path_fits_if_there_is_a_place_for_each_of_its_nodes),
        cmocka_unit_test(a_path_that_fits_says_how_much_cheaper_others_may_be),
        cmocka_unit_test(cheapest_paths_that_fit_are_found),
        cmocka_unit_test(what_is_dropped_is_remembered_by_its_parent),
        cmocka_unit_test(with_enough_memory_it_expands_what_astar_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
