/* test_heuristic.c: heuristics as plugs: what each states about itself is true, forward to a goal
 * and backward to a start, against the oracle's distances and edges; and records hold what states
 * are given.
 */
#include "conformance.h"

#include "heuristic/cluster_table.h"
#include "heuristic/gateway.h"
#include "heuristic/landmarks.h"
#include "search/own_search.h"

enum { ENDS = 5 };

/* A heuristic of a place: a plug, or a metric alone. */
typedef struct guess {
    const place *p;
    const crn_heuristic *plug; /* NULL = the metric alone */
    cairn_heuristic metric;
    crn_heuristic_facts facts;
} guess;

static const char *guess_name(const guess *g)
{
    return g->plug ? g->plug->name : cairn_heuristic_name(g->metric);
}

static void guess_bind(const guess *g, crn_estimate *estimate, cairn_node to, bool backward)
{
    crn_box box = crn_box_empty();
    crn_box_add(&box, g->p->space, to);
    crn_aim aim = {.space = g->p->space,
                   .metric = g->metric,
                   .nodes = &to,
                   .count = 1,
                   .box = &box,
                   .backward = backward};
    static uint32_t rooms[2][2 * CRN_GATEWAY_MOST];
    estimate->room = rooms[backward];
    crn_estimate_bind(estimate, g->plug, &aim);
}

/* Along every step. Estimates of what is not connected with the goal do not matter. */
static void check_falls(const guess *g, const crn_estimate *estimate, cairn_node goal)
{
    const oracle *o = g->p->oracle;
    for (cairn_node a = 0; a < o->count; a++) {
        for (uint32_t e = o->first[a]; o->usable[a] && e < o->first[a + 1]; e++) {
            if (o->link[e]) continue;
            uint64_t from = crn_estimate_node(estimate, a),
                     to = crn_estimate_node(estimate, o->to[e]);
            CHECK(!g->facts.consistent || from <= o->cost[e] + to,
                  "%s on %s: to %u it falls from %u to %u by more than a step costs", guess_name(g),
                  g->p->name, goal, a, o->to[e]);
            CHECK(to <= from || to - from <= g->facts.rise,
                  "%s on %s: to %u it rises too much from %u to %u", guess_name(g), g->p->name,
                  goal, a, o->to[e]);
        }
    }
}

static void check_pair(const guess *g, cairn_node from, cairn_node to)
{
    crn_estimate forward, backward;
    guess_bind(g, &forward, to, false);
    guess_bind(g, &backward, from, true);
    oracle_search(g->p->oracle, from);
    uint64_t cost = g->p->oracle->distance[to];
    if (cost == ORACLE_NONE || !g->facts.admissible) return;
    CHECK(crn_estimate_node(&forward, from) <= cost, "%s on %s: from %u to %u it is too much",
          guess_name(g), g->p->name, from, to);
    CHECK(crn_estimate_node(&backward, to) <= cost,
          "%s on %s: from %u to %u it is too much backward", guess_name(g), g->p->name, from, to);
}

static void check_guess(guess *g)
{
    const oracle *o = g->p->oracle;
    scene_rng rng = {77};
    cairn_node ends[ENDS];
    uint32_t count = 0;
    g->facts = crn_heuristic_facts_of(g->plug, g->p->space, g->metric);
    for (uint32_t tries = 0; count < ENDS && tries < 1000; tries++) {
        cairn_node node = scene_random(&rng, o->count);
        if (o->usable[node]) ends[count++] = node;
    }
    for (uint32_t i = 0; i < count; i++) {
        crn_estimate estimate;
        guess_bind(g, &estimate, ends[i], false);
        if (g->facts.admissible)
            CHECK(crn_estimate_node(&estimate, ends[i]) == 0, "%s", guess_name(g));
        check_falls(g, &estimate, ends[i]);
        for (uint32_t k = 0; k < count; k++) check_pair(g, ends[i], ends[k]);
    }
}

typedef void place_test(place *p);

static void each_place(place_test *test)
{
    for (uint32_t i = 0; i < scene_count() + graph_scene_count(); i++) {
        scene *drawn = i < scene_count() ? scene_at(i) : NULL;
        cairn_corners corners = (cairn_corners)(i % CAIRN_CORNERS_COUNT);
        place *p = drawn ? place_of_scene(drawn, drawn->profile.neighbours, corners)
                         : place_of_graph(graph_scene_at(i - scene_count()));
        test(p);
        place_destroy(p);
    }
}

static void check_metrics(place *p)
{
    for (int h = CAIRN_HEURISTIC_NULL; h < CAIRN_HEURISTIC_COUNT; h++) {
        guess g = {.p = p, .metric = (cairn_heuristic)h};
        check_guess(&g);
    }
}

static void metrics_are_what_they_state(void **state)
{
    (void)state;
    each_place(check_metrics);
}

/* Some lead away from where an estimate is bound to, and none to it. */
static void shortcuts_lead_one_way_backward_too(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        scene *s = scene_blank("links", 25, 19);
        scene_add_links(s, 1 + seed % 7, 100, 1500, false, seed);
        place *p = place_of_scene(s, CAIRN_NEIGHBOURS_8, CAIRN_CORNERS_ALWAYS);
        check_metrics(p);
        place_destroy(p);
    }
}

static void check_landmarks(place *p)
{
    for (int how = CRN_LANDMARKS_FARTHEST; how <= CRN_LANDMARKS_BEST; how++) {
        crn_landmarks landmarks = {0};
        crn_landmarks_plan plan = {4, (crn_landmarks_place)how};
        CHECK_OK(crn_landmarks_build(&landmarks, p->space, plan, NULL, NULL));
        crn_heuristic plug = crn_landmarks_heuristic(&landmarks);
        guess g = {.p = p, .plug = &plug, .metric = p->space->default_heuristic};
        check_guess(&g);
        plug = crn_landmarks_heuristic_of_one(&landmarks);
        check_guess(&g);
        crn_landmarks_drop(&landmarks, p->context);
    }
}

static void landmarks_are_what_they_state(void **state)
{
    (void)state;
    each_place(check_landmarks);
}

static void check_clusters(place *p)
{
    crn_cluster_table table = {0};
    CHECK_OK(crn_cluster_table_build(&table, p->space, &(crn_cluster_plan){.size = 5}, NULL, NULL));
    for (uint32_t alone = 0; alone < 2; alone++) {
        crn_heuristic plug = crn_cluster_table_heuristic(&table, alone);
        guess g = {.p = p, .plug = &plug, .metric = p->space->default_heuristic};
        check_guess(&g);
    }
    crn_cluster_table_drop(&table, p->context);
}

static void the_table_of_clusters_is_what_it_states(void **state)
{
    (void)state;
    each_place(check_clusters);
}

static void check_gates(place *p)
{
    static const crn_gateway_plan plans[] = {{0, 0}, {1, 4096}, {3, 8}};
    for (uint32_t i = 0; p->grid && i < sizeof plans / sizeof *plans; i++) {
        crn_gateway gateway = {0};
        CHECK_OK(crn_gateway_build(&gateway, p->space, plans[i], NULL, NULL));
        crn_heuristic plug = crn_gateway_heuristic(&gateway);
        guess g = {.p = p, .plug = &plug, .metric = p->space->default_heuristic};
        check_guess(&g);
        crn_gateway_drop(&gateway, p->context);
    }
}

static void gates_are_what_they_state(void **state)
{
    (void)state;
    each_place(check_gates);
}

/* Choices of the parameter `heuristic` are the metrics by their numbers, and then the plugs by
 * theirs. */
static void choices_are_metrics_and_plugs(void **state)
{
    (void)state;
    for (int64_t i = 0; i < CRN_HEURISTIC_END; i++) {
        const crn_heuristic *plug = crn_heuristic_plug(i);
        assert_int_equal(plug != NULL, i >= CAIRN_HEURISTIC_COUNT);
        const char *name = plug ? plug->name : cairn_heuristic_name((cairn_heuristic)i);
        assert_string_equal(crn_heuristic_choices[i], name);
    }
    assert_null(crn_heuristic_choices[CRN_HEURISTIC_END]);
    assert_null(crn_heuristic_plug(CRN_HEURISTIC_END));
    assert_null(crn_heuristic_plug(-1));
}

/* States have their bytes to themselves; they are 0 in every query. */
static void records_keep_what_states_are_given(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 4, 12, 16};
    crn_scratch scratch = {0};
    CHECK_OK(cairn_context_create(NULL, &scratch.context));
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (uint32_t parents = 0; parents < 2; parents++) {
            crn_records records;
            CHECK_OK(crn_records_open(&records, &scratch, 3, parents, sizes[i]));
            for (uint32_t round = 0; round < 2; round++) {
                crn_records_reset(&records);
                for (uint32_t s = 0; s < 3 * CRN_PAGE; s++) {
                    crn_page *page = records.table[s / CRN_PAGE];
                    if (!page) page = crn_records_touch(&records, s / CRN_PAGE);
                    uint8_t *bytes = crn_record_extra(&records, page, s % CRN_PAGE);
                    assert_int_equal((uintptr_t)bytes % (sizes[i] % 8 ? 1 : 8), 0);
                    for (size_t b = 0; b < sizes[i]; b++) assert_int_equal(bytes[b], 0);
                    memset(bytes, (int)(s % 255 + 1), sizes[i]);
                    if (parents) page->parent[s % CRN_PAGE] = s;
                    page->g[s % CRN_PAGE] = s;
                }
                for (uint32_t s = 0; s < 3 * CRN_PAGE; s++) {
                    crn_page *page = records.table[s / CRN_PAGE];
                    const uint8_t *bytes = crn_record_extra(&records, page, s % CRN_PAGE);
                    for (size_t b = 0; b < sizes[i]; b++) assert_int_equal(bytes[b], s % 255 + 1);
                    if (parents) assert_int_equal(page->parent[s % CRN_PAGE], s);
                    assert_int_equal(page->g[s % CRN_PAGE], s);
                }
            }
            crn_records_close(&records);
        }
    }
    assert_int_equal(scratch.bytes, 0);
    cairn_context_destroy(scratch.context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metrics_are_what_they_state),
        cmocka_unit_test(shortcuts_lead_one_way_backward_too),
        cmocka_unit_test(landmarks_are_what_they_state),
        cmocka_unit_test(the_table_of_clusters_is_what_it_states),
        cmocka_unit_test(gates_are_what_they_state),
        cmocka_unit_test(choices_are_metrics_and_plugs),
        cmocka_unit_test(records_keep_what_states_are_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
