/* test_conformance_auto.c: `auto`: every world gets a planner that serves it, says who it is and
 * obeys what was asked. In a library of some algorithms only (CAIRN_ALGORITHMS), it is one of those.
 */
#include "files.h"
#include "kit.h"
#include "search/algorithm.h"

static const char *const auto_asked[] = {
    "auto",
    "auto:optimal=0",
    "auto:memory=65536",
    "auto:memory=65536,changes=0",
    "auto:memory=65536,optimal=0",
    "auto:memory=65536,optimal=0,changes=0",
    "auto:memory=40,changes=0,optimal=0",
};

static cairn_planner *made(cairn_space *space, const char *spec)
{
    cairn_planner *planner;
    cairn_error error = {0};
    CHECK(cairn_planner_create(space, spec, &planner, &error) == CAIRN_OK, "%s: %s", spec,
          error.text);
    return planner;
}

static const char *name_of(const cairn_planner *planner)
{
    return cairn_planner_algorithm(planner)->name;
}

/* ---- every world ---------------------------------------------------------------------------- */

static cairn_search *searching(cairn_planner *planner)
{
    cairn_search *search;
    CHECK_OK(cairn_planner_build(planner, NULL, NULL));
    CHECK_STATUS(cairn_planner_state(planner), CAIRN_OK);
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    return search;
}

/* A path that exists is found by the algorithm itself, if it suits the ground; and what is said of
 * its length is so. */
static void ask_of(const char *asked, cairn_planner *planner, cairn_search *search,
                   const cairn_path *best, const cairn_query *query)
{
    const cairn_path *path;
    cairn_status status = cairn_search_find(search, query, &path);
    const crn_algorithm *own = planner->algorithm;
    CHECK(status == best->status, "%s, %s: %s, not %s", asked, name_of(planner),
          cairn_result_text(status), cairn_result_text(best->status));
    if (status != CAIRN_FOUND) return;
    bool same = path->cost == best->cost;
    CHECK(same || (path->cost > best->cost && !cairn_planner_optimal(planner)),
          "%s, %s: a path that costs %u, and the best %u", asked, name_of(planner), path->cost,
          best->cost);
    CHECK(same || strstr(asked, "optimal=0"), "%s, %s: the best path was asked for", asked,
          name_of(planner));
    CHECK(!own->suits || path->answered_by == crn_planner_info(planner) || query->from == query->to,
          "%s: %s left it to another", asked, name_of(planner));
}

static void ask_all(cairn_space *space)
{
    cairn_planner *reference = made(space, "astar"), *planner;
    cairn_search *yardstick = searching(reference), *search;
    uint32_t count = cairn_space_node_count(space);
    for (uint32_t i = 0; i < LENGTH(auto_asked); i++) {
        scene_rng rng = {i + 1};
        planner = made(space, auto_asked[i]);
        assert_ptr_equal(cairn_algorithm_find(name_of(planner), strlen(name_of(planner))),
                         cairn_planner_algorithm(planner));
        search = searching(planner);
        for (uint32_t q = 0; q < 6; q++) {
            cairn_query query = {.from = scene_random(&rng, count),
                                 .to = scene_random(&rng, count)};
            const cairn_path *best;
            cairn_search_find(yardstick, &query, &best);
            ask_of(auto_asked[i], planner, search, best, &query);
        }
        cairn_search_destroy(search);
        cairn_planner_destroy(planner);
    }
    cairn_search_destroy(yardstick);
    cairn_planner_destroy(reference);
}

static void every_grid_gets_a_planner_that_answers(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < scene_count(); i++) {
        scene *s = scene_at(i);
        cairn_profile profile;
        for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
            kit k = kit_of_scene(s, &profile);
            cairn_space *view;
            ask_all(k.space);
            CHECK_OK(cairn_space_view_create(k.space, &view, NULL));
            ask_all(view);
            cairn_space_destroy(view);
            kit_close(&k);
        }
        scene_destroy(s);
    }
}

static uint32_t corridor(void *user, cairn_node node, cairn_edge *out)
{
    (void)user;
    out[0] = (cairn_edge){.node = node + 1, .cost = 3}; /* none behind the last one */
    out[1] = (cairn_edge){.node = node ? node - 1 : 0, .cost = 3};
    return 2;
}

static void every_graph_and_every_world_of_functions_does(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < graph_scene_count(); i++) {
        graph_scene *s = graph_scene_at(i);
        kit k = {0};
        CHECK_OK(cairn_context_create(NULL, &k.context));
        CHECK_OK(graph_scene_graph(s, k.context, &k.graph));
        CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
        ask_all(k.space);
        kit_close(&k);
        graph_scene_destroy(s);
    }
    kit k = {0};
    cairn_callbacks world = {.node_count = 50, .neighbours = corridor};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_space_of_callbacks(k.context, &world, &k.space, NULL));
    ask_all(k.space);
    kit_close(&k);
}

/* ---- who it is ------------------------------------------------------------------------------ */

/* The first of these names, which blanks separate, that the library has. */
static void is_one_of(cairn_space *space, const char *asked, const char *names)
{
    cairn_planner *planner = made(space, asked);
    size_t length = strcspn(names, " ");
    while (!cairn_algorithm_find(names, length)) {
        names += length + 1;
        length = strcspn(names, " ");
    }
    CHECK(strlen(name_of(planner)) == length && !memcmp(names, name_of(planner), length),
          "%s is %s, not %.*s", asked, name_of(planner), (int)length, names);
    cairn_planner_destroy(planner);
}

static void squares_with_eight_neighbours_are_for_jumps(void **state)
{
    (void)state;
    scene *s = scene_rooms("rooms", 120, 120, 12, 1);
    kit k = kit_of_scene(s, NULL);
    is_one_of(k.space, "auto", "jps astar");
    is_one_of(k.space, "auto:optimal=0", "jps astar");
    is_one_of(k.space, "auto:memory=4096", "jps-plus jps astar");
    is_one_of(k.space, "auto:memory=4096,optimal=0", "jps-plus jps hpa dbastar astar");
    is_one_of(k.space, "auto:memory=84", "jps astar"); /* 14,400 cells take 84.4 KB */
    is_one_of(k.space, "auto:memory=85", "jps-plus jps astar");
    kit_end(&k, s);
}

static void strewn_obstacles_are_not(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 300, 300, 25, 3);
    kit k = kit_of_scene(s, NULL);
    is_one_of(k.space, "auto", "astar");
    is_one_of(k.space, "auto:optimal=0", "wastar astar");
    is_one_of(k.space, "auto:optimal=0,memory=65536,changes=0",
              "wastar dhpa hpa dbastar alt astar");
    is_one_of(k.space, "auto:memory=65536", "astar");
    is_one_of(k.space, "auto:memory=65536,changes=0", "alt astar");
    kit_end(&k, s);
}

static void other_neighbourhoods_are_for_abstractions_and_landmarks(void **state)
{
    (void)state;
    for (int hex = 0; hex < 2; hex++) {
        scene *s = scene_rooms("rooms", 120, 120, 12, 1);
        if (hex) scene_make_hex(s);
        cairn_profile profile = s->profile;
        profile.neighbours = hex ? CAIRN_NEIGHBOURS_HEX : CAIRN_NEIGHBOURS_4;
        kit k = kit_of_scene(s, &profile);
        is_one_of(k.space, "auto", "astar");
        is_one_of(k.space, "auto:optimal=0", "astar");
        is_one_of(k.space, "auto:memory=4096", "astar");
        is_one_of(k.space, "auto:memory=4096,changes=0", "alt astar");
        is_one_of(k.space, "auto:memory=4096,optimal=0", "hpa dbastar astar");
        is_one_of(k.space, "auto:memory=4096,optimal=0,changes=0", "dhpa hpa dbastar alt astar");
        is_one_of(k.space, "auto:memory=300,optimal=0", "dbastar astar");
        is_one_of(k.space, "auto:memory=300,changes=0", "alt astar"); /* four landmarks */
        cairn_planner *planner = made(k.space, "auto:memory=4096,changes=0");
        if (cairn_algorithm_find("alt", 3))
            assert_int_equal(crn_parameter_of(planner, "landmarks"), 8);
        cairn_planner_destroy(planner);
        kit_end(&k, s);
    }
}

static void graphs_are_for_weights_and_landmarks(void **state)
{
    (void)state;
    cairn_graph_edge edges[] = {{.from = 0, .to = 1, .weight = 1},
                                {.from = 1, .to = 2, .weight = 1}};
    kit k = kit_of_edges(3, edges, 2);
    is_one_of(k.space, "auto", "astar");
    is_one_of(k.space, "auto:optimal=0,memory=9", "wastar alt astar");
    is_one_of(k.space, "auto:memory=9,changes=0", "alt astar");
    kit_close(&k);
}

/* ---- memory --------------------------------------------------------------------------------- */

static void an_index_takes_no_more_than_it_may(void **state)
{
    (void)state;
    scene *scenes[] = {scene_rooms("rooms", 250, 250, 9, 1), scene_noise("noise", 250, 250, 20, 2),
                       scene_serpent("serpent", 250, 250)};
    for (uint32_t i = 0; i < 3 * LENGTH(scenes); i++) {
        scene *s = scenes[i / 3];
        cairn_profile profile = s->profile;
        if (i % 3 == 1) profile.neighbours = CAIRN_NEIGHBOURS_4;
        if (i % 3 == 2) scene_make_hex(s), profile.neighbours = CAIRN_NEIGHBOURS_HEX;
        kit k = kit_of_scene(s, &profile);
        for (uint32_t asked = 0; asked < 4 * 12; asked++) {
            uint32_t memory = 30u << asked / 8 << asked % 2;
            char spec[80];
            snprintf(spec, sizeof spec, "auto:memory=%u,optimal=%u,changes=%u", memory,
                     asked / 2 % 2, asked / 4 % 2);
            cairn_planner *planner = made(k.space, spec);
            CHECK_OK(cairn_planner_build(planner, NULL, NULL));
            size_t taken = cairn_planner_index_bytes(planner);
            CHECK(taken <= memory * 1024u, "%s: %s takes %zu bytes of %s", spec, name_of(planner),
                  taken, s->name);
            cairn_planner_destroy(planner);
        }
        kit_close(&k);
    }
    for (uint32_t i = 0; i < LENGTH(scenes); i++) scene_destroy(scenes[i]);
}

/* ---- what goes wrong is said ---------------------------------------------------------------- */

static void without_memory_no_other_algorithm_takes_its_place(void **state)
{
    (void)state;
    watched w = {0};
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    scene *s = scene_rooms("rooms", 60, 60, 9, 1);
    const char *asked = "auto:memory=4096";
    CHECK_OK(watched_context(&w, &context));
    CHECK_OK(scene_grid(s, context, &grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    cairn_planner *planner = NULL;
    cairn_status status = CAIRN_OUT_OF_MEMORY;
    for (uint32_t n = 1; status != CAIRN_OK; n++) {
        w.fail_at = w.calls + n;
        status = cairn_planner_create(space, asked, &planner, NULL);
        CHECK(status == CAIRN_OK || (status == CAIRN_OUT_OF_MEMORY && !planner), "%s",
              cairn_status_text(status));
    }
    w.fail_at = 0;
    is_one_of(space, asked, name_of(planner));
    is_one_of(space, asked, "jps-plus jps astar");
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    assert_true(!w.blocks && !w.wrong_size);
    scene_destroy(s);
}

static void parameters_that_it_does_not_have_are_refused(void **state)
{
    (void)state;
    kit k = kit_of_edges(2, &(cairn_graph_edge){.from = 0, .to = 1, .weight = 1}, 1);
    static const char *const wrong[][2] = {
        {"auto:speed=1", "its parameters: memory, changes, optimal"},
        {"auto:optimal=2", "a number from 0 to 1"},
        {"auto:memory", "key=value"},
        {"auto:memory=1,", "a comma"},
        {"autos", "there is no algorithm"},
    };
    for (uint32_t i = 0; i < LENGTH(wrong); i++) {
        cairn_planner *planner;
        cairn_error error = {0};
        CHECK_STATUS(cairn_planner_create(k.space, wrong[i][0], &planner, &error), CAIRN_INVALID);
        CHECK(!planner && strstr(error.text, wrong[i][1]), "%s: \"%s\"", wrong[i][0], error.text);
    }
    kit_close(&k);
}

/* ---- files ---------------------------------------------------------------------------------- */

static void its_index_is_that_of_the_algorithm_it_is(void **state)
{
    (void)state;
    scene *s = scene_rooms("rooms", 90, 90, 9, 1);
    cairn_profile profile = s->profile;
    for (int four = 0; four < 2; four++) {
        if (four) profile.neighbours = CAIRN_NEIGHBOURS_4;
        kit k = kit_of_scene(s, &profile);
        cairn_planner *planner = made(k.space, "auto:memory=4096,optimal=0,changes=0");
        CHECK_OK(cairn_planner_build(planner, NULL, NULL));
        if (cairn_planner_index_bytes(planner)) {
            bytes file = saved(planner);
            cairn_archive *archive = opened(k.context, &file);
            cairn_index_info info;
            CHECK_OK(cairn_archive_index(archive, &info, NULL));
            cairn_planner *named = made(k.space, info.spec);
            assert_ptr_equal(cairn_planner_algorithm(named), cairn_planner_algorithm(planner));
            CHECK_OK(cairn_planner_load(named, archive, true, NULL));
            cairn_planner_destroy(planner);
            planner = made(k.space, "auto:memory=4096,optimal=0,changes=0");
            CHECK_OK(cairn_planner_load(planner, archive, false, NULL));
            bytes again = saved(named);
            assert_true(bytes_same(&file, &again));
            bytes_free(&again);
            cairn_planner_destroy(named);
            cairn_archive_close(archive);
            bytes_free(&file);
        }
        cairn_planner_destroy(planner);
        kit_close(&k);
    }
    scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_grid_gets_a_planner_that_answers),
        cmocka_unit_test(every_graph_and_every_world_of_functions_does),
        cmocka_unit_test(squares_with_eight_neighbours_are_for_jumps),
        cmocka_unit_test(strewn_obstacles_are_not),
        cmocka_unit_test(other_neighbourhoods_are_for_abstractions_and_landmarks),
        cmocka_unit_test(graphs_are_for_weights_and_landmarks),
        cmocka_unit_test(an_index_takes_no_more_than_it_may),
        cmocka_unit_test(without_memory_no_other_algorithm_takes_its_place),
        cmocka_unit_test(parameters_that_it_does_not_have_are_refused),
        cmocka_unit_test(its_index_is_that_of_the_algorithm_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
