/* test_support.c: what algorithms say that they support is true. Every algorithm of the registry is
 * asked in worlds with each combination of features, and who answers is compared with
 * cairn_algorithm_support: it serves a combination as it does the feature that it serves worst.
 */
#include "kit.h"

enum { SIDE = 48, QUERIES = 12 };

/* ---- worlds ---- */

/* Some large obstacles on a plain: no single cells, which jumps would leave to plain steps. */
static scene *plain_scene(void)
{
    return scene_blocks("blocks", SIDE, SIDE, 14, 3);
}

/* A swamp: its border is short, so that jumps still pay. */
static void add_swamps(scene *s)
{
    s->terrain = calloc(SIDE * SIDE, 1);
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        s->terrain[i] = i % SIDE - 8 < 9 && i / SIDE - 30 < 9;
    s->profile.terrain_cost[1] = CAIRN_TIMES(3);
}

/* Steps of which one leads down and none up. */
static void add_ledges(scene *s)
{
    s->elevation = calloc(SIDE * SIDE, sizeof *s->elevation);
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++)
            s->elevation[y * SIDE + x] = (int16_t)(x > 12 && x < 26 && y > 8 && y < 22 ? 10 : 0);
    }
    s->profile.max_climb = 5;
    s->profile.max_drop = 50;
}

/* Features as bits. */
static bool has(uint32_t features, cairn_feature feature)
{
    return features >> feature & 1;
}

static kit kit_of_grid(uint32_t features)
{
    scene *s = plain_scene();
    if (has(features, CAIRN_FEATURE_HEX)) scene_make_hex(s);
    if (has(features, CAIRN_FEATURE_TERRAIN)) add_swamps(s);
    if (has(features, CAIRN_FEATURE_HEIGHTS)) add_ledges(s);
    if (has(features, CAIRN_FEATURE_LINKS)) scene_add_links(s, 8, 5000, 9000, false, 4);
    if (has(features, CAIRN_FEATURE_4)) s->profile.neighbours = CAIRN_NEIGHBOURS_4;
    if (has(features, CAIRN_FEATURE_SIZES)) s->profile.radius = 1;
    kit k = kit_of_scene(s, &s->profile);
    scene_destroy(s);
    return k;
}

static kit kit_of_graph(void)
{
    graph_scene *s = graph_scene_at(3);
    kit k = {0};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(graph_scene_graph(s, k.context, &k.graph));
    CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
    graph_scene_destroy(s);
    return k;
}

static kit kit_with(uint32_t features)
{
    return has(features, CAIRN_FEATURE_GRAPH) ? kit_of_graph() : kit_of_grid(features);
}

/* Can there be a world and a query with these features? One kind of world, one kind of goal. */
static bool makes_sense(uint32_t features)
{
    enum { GRAPH = 1u << CAIRN_FEATURE_GRAPH, GOALS = 1u << CAIRN_FEATURE_MANY_GOALS };
    const uint32_t worlds = 1u << CAIRN_FEATURE_4 | 1u << CAIRN_FEATURE_8 | 1u << CAIRN_FEATURE_HEX;
    const uint32_t queries = GOALS | 1u << CAIRN_FEATURE_NO_GOAL;
    uint32_t world = features & (worlds | GRAPH);
    if (!world || world & (world - 1) || (features & queries) == queries) return false;
    return world != GRAPH || !(features & ~(GRAPH | queries));
}

/* ---- questions ---- */

/* One query between two nodes that are usable. */
static cairn_status ask(kit *k, uint32_t features, cairn_node from, cairn_node to,
                        const cairn_path **path)
{
    cairn_node goals[2] = {to, from / 2 + to / 2};
    cairn_query query = {.from = from, .to = to};
    if (has(features, CAIRN_FEATURE_MANY_GOALS)) query.goals = goals, query.goal_count = 2;
    if (has(features, CAIRN_FEATURE_NO_GOAL)) query.goal_kind = CAIRN_GOAL_NONE;
    return cairn_search_find(k->search, &query, path);
}

/* Who answers, the algorithm or another one? `answers` counts. */
static cairn_support who_answers(kit *k, uint32_t features, uint32_t *answers)
{
    scene_rng rng = {7};
    cairn_support support = CAIRN_NATIVE;
    for (uint32_t i = 0; i < QUERIES; i++) {
        cairn_node from = scene_random(&rng, cairn_space_node_count(k->space));
        cairn_node to = scene_random(&rng, cairn_space_node_count(k->space));
        if (!cairn_space_usable(k->space, from) || !cairn_space_usable(k->space, to)) continue;
        const cairn_path *path;
        cairn_status status = ask(k, features, from, to, &path);
        if (status == CAIRN_UNSUPPORTED) return CAIRN_REFUSED;
        if (!path || !path->answered_by) continue; /* the ends decided it */
        ++*answers;
        if (path->answered_by != cairn_planner_algorithm(k->planner)) support = CAIRN_DELEGATED;
    }
    return support;
}

static cairn_support observed(kit *k, const cairn_algorithm *algorithm, uint32_t features)
{
    uint32_t answers = 0;
    cairn_error error = {0};
    cairn_status status = cairn_planner_create(k->space, algorithm->name, &k->planner, &error);
    if (status == CAIRN_UNSUPPORTED) return CAIRN_REFUSED;
    CHECK(status == CAIRN_OK, "%s: %s", algorithm->name, error.text);
    CHECK_OK(cairn_planner_build(k->planner, NULL, &error));
    CHECK_OK(cairn_search_create(k->planner, NULL, &k->search));
    cairn_support support = who_answers(k, features, &answers);
    CHECK(support == CAIRN_REFUSED || answers >= 3, "%s: %u answers prove nothing", algorithm->name,
          answers);
    return support;
}

/* What an algorithm says of the feature that it serves worst. */
static cairn_support said_of(const cairn_algorithm *algorithm, uint32_t features)
{
    cairn_support worst = CAIRN_NATIVE;
    for (uint32_t f = 0; f < CAIRN_FEATURE_COUNT; f++) {
        cairn_support said = cairn_algorithm_support(algorithm, (cairn_feature)f);
        if (has(features, (cairn_feature)f) && said < worst) worst = said;
    }
    return worst;
}

static void complain(const cairn_algorithm *algorithm, uint32_t features, cairn_support found)
{
    print_message("%s, %s in worlds with", algorithm->name, cairn_support_name(found));
    for (uint32_t f = 0; f < CAIRN_FEATURE_COUNT; f++) {
        if (has(features, (cairn_feature)f))
            print_message(" %s", cairn_feature_name((cairn_feature)f));
    }
    print_message(": says %s\n", cairn_support_name(said_of(algorithm, features)));
}

/* Of combinations of more than two features slow builds ask only some. */
static bool is_asked(uint32_t features, uint32_t *turn)
{
    uint32_t others = features & (features - 1);
    if (!makes_sense(features)) return false;
    return !(others & (others - 1)) || ++*turn % test_sample() == 0;
}

static void what_they_say_is_true(void **state)
{
    (void)state;
    uint32_t seen[CAIRN_SUPPORT_COUNT] = {0}, turn = 0;
    bool right = true;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *algorithm = cairn_algorithm_at(i);
        if (algorithm->kind != CAIRN_KIND_PLANNER) continue;
        for (uint32_t features = 0; features < 1u << CAIRN_FEATURE_COUNT; features++) {
            if (!is_asked(features, &turn)) continue;
            kit k = kit_with(features);
            cairn_support found = observed(&k, algorithm, features);
            kit_close(&k);
            seen[found]++;
            if (found == said_of(algorithm, features)) continue;
            complain(algorithm, features, found);
            right = false;
        }
    }
    assert_true(right);
    CHECK(seen[CAIRN_REFUSED] > 5 && seen[CAIRN_NATIVE] > 50, "too little was asked");
}

static void names_are_names(void **state)
{
    (void)state;
    assert_string_equal(cairn_feature_name(CAIRN_FEATURE_NO_GOAL), "no goal");
    assert_string_equal(cairn_feature_name(CAIRN_FEATURE_COUNT), "unknown");
    assert_string_equal(cairn_support_name(CAIRN_NATIVE), "native");
    assert_string_equal(cairn_support_name(CAIRN_SUPPORT_COUNT), "unknown");
    assert_int_equal(cairn_algorithm_support(NULL, CAIRN_FEATURE_4), CAIRN_REFUSED);
    assert_int_equal(cairn_algorithm_support(cairn_algorithm_at(0), CAIRN_FEATURE_COUNT),
                     CAIRN_REFUSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_they_say_is_true),
        cmocka_unit_test(names_are_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
