/* test_estimates.c: what planners say of their estimates (cairn_planner_estimate,
 * cairn_planner_estimate_facts), and that `cairn check --heuristics` names a promise that is
 * broken. That the promises are kept is checked by test_heuristic.
 */
#define _POSIX_C_SOURCE 200809L
#define FOLDER "test_estimates"
#include "files.h"
#include "folder.h"
#include "kit.h"

#include <cairn/io.h>
#include <stdio.h>
#include <sys/wait.h>

#define MAP CAIRN_SOURCE_DIR "/maps/rooms-small.txt"
enum { MAP_WIDTH = 50 };

static kit rooms(void)
{
    kit k = {0};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_grid_load(k.context, MAP, &k.grid, NULL));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    return k;
}

static cairn_node blocked_node(const cairn_space *space)
{
    cairn_node node = 0;
    while (cairn_space_usable(space, node)) node++;
    return node;
}

/* ---- what planners say ----------------------------------------------------------------- */

static void metrics_estimate_as_the_space_does(void **state)
{
    (void)state;
    kit k = rooms();
    static const cairn_heuristic metrics[] = {CAIRN_HEURISTIC_NULL, CAIRN_HEURISTIC_OCTILE,
                                              CAIRN_HEURISTIC_MANHATTAN};
    for (uint32_t i = 0; i < LENGTH(metrics); i++) {
        char spec[64];
        cairn_planner *planner;
        cairn_estimate_facts facts;
        snprintf(spec, sizeof spec, "astar:heuristic=%s", cairn_heuristic_name(metrics[i]));
        CHECK_OK(cairn_planner_create(k.space, spec, &planner, NULL));
        CHECK_OK(cairn_planner_estimate_facts(planner, &facts));
        assert_true(facts.fixed);
        assert_int_equal(facts.admissible, cairn_heuristic_admissible(k.space, metrics[i]));
        for (cairn_node to = 0; to < cairn_space_node_count(k.space); to += 17) {
            cairn_cost estimate;
            if (!cairn_space_usable(k.space, to) || !cairn_space_usable(k.space, 45)) continue;
            CHECK_OK(cairn_planner_estimate(planner, 45, to, &estimate));
            assert_int_equal(estimate, cairn_estimate(k.space, metrics[i], 45, to));
        }
        cairn_planner_destroy(planner);
    }
    kit_close(&k);
}

static void estimates_need_an_index_and_usable_nodes(void **state)
{
    (void)state;
    kit k = rooms();
    cairn_planner *alt, *hpa, *levels;
    cairn_cost estimate;
    cairn_estimate_facts facts;
    cairn_node outside = cairn_space_node_count(k.space), blocked = blocked_node(k.space), free = 0;
    while (!cairn_space_usable(k.space, free)) free++;
    CHECK_OK(cairn_planner_create(k.space, "alt", &alt, NULL));
    CHECK_OK(cairn_planner_create(k.space, "hpa", &hpa, NULL));
    CHECK_OK(cairn_planner_create(k.space, "hierarchical-astar", &levels, NULL));
    CHECK_STATUS(cairn_planner_estimate(alt, free, free, &estimate), CAIRN_NOT_BUILT);
    CHECK_STATUS(cairn_planner_estimate_facts(alt, &facts), CAIRN_NOT_BUILT);
    CHECK_OK(cairn_planner_build(alt, NULL, NULL));
    CHECK_OK(cairn_planner_build(levels, NULL, NULL));
    CHECK_OK(cairn_planner_estimate(alt, free, free, &estimate));
    assert_int_equal(estimate, 0);
    CHECK_OK(cairn_planner_estimate_facts(alt, &facts));
    assert_true(facts.admissible && facts.consistent && facts.fixed);
    CHECK_STATUS(cairn_planner_estimate(alt, outside, free, &estimate), CAIRN_OUT_OF_BOUNDS);
    CHECK_STATUS(cairn_planner_estimate(alt, free, outside, &estimate), CAIRN_OUT_OF_BOUNDS);
    CHECK_STATUS(cairn_planner_estimate(alt, blocked, free, &estimate), CAIRN_BLOCKED_START);
    CHECK_STATUS(cairn_planner_estimate(alt, free, blocked, &estimate), CAIRN_BLOCKED_GOAL);
    assert_int_equal(estimate, CAIRN_NO_COST);
    CHECK_STATUS(cairn_planner_estimate(NULL, free, free, &estimate), CAIRN_INVALID);
    CHECK_STATUS(cairn_planner_estimate(alt, free, free, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_planner_estimate_facts(NULL, &facts), CAIRN_INVALID);
    CHECK_STATUS(cairn_planner_estimate_facts(alt, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_planner_estimate_facts(hpa, &facts), CAIRN_UNSUPPORTED);
    CHECK_OK(cairn_planner_estimate_facts(levels, &facts));
    assert_true(facts.admissible && !facts.fixed);
    CHECK_STATUS(cairn_planner_estimate(levels, free, free, &estimate), CAIRN_UNSUPPORTED);
    cairn_planner_destroy(alt);
    cairn_planner_destroy(hpa);
    cairn_planner_destroy(levels);
    kit_close(&k);
}

/* ---- estimates that are not consistent ---------------------------------------------------- */

enum { MARKS = 6, SIDE = 96 };

/* The distances from a few nodes; a node looks at one of them only, so that the estimates of
 * neighbours differ by much. */
typedef struct one_mark {
    cairn_cost *from[MARKS];
    cairn_node goal;
} one_mark;

static cairn_cost one_mark_estimate(void *user, cairn_node node)
{
    const one_mark *m = user;
    const cairn_cost *from = m->from[(node * 2654435761u >> 16) % MARKS];
    if (from[node] == CAIRN_NO_COST || from[m->goal] == CAIRN_NO_COST) return 0;
    return from[node] > from[m->goal] ? from[node] - from[m->goal] : from[m->goal] - from[node];
}

static void note_cost(void *user, cairn_node node, cairn_cost cost)
{
    ((cairn_cost *)user)[node] = cost;
}

static void one_mark_open(one_mark *m, kit *k)
{
    scene_rng rng = {8};
    kit_plan(k, "dijkstra");
    for (uint32_t i = 0; i < MARKS; i++) {
        cairn_query query = {.goal_kind = CAIRN_GOAL_NONE};
        do query.from = scene_random(&rng, SIDE * SIDE);
        while (!cairn_space_usable(k->space, query.from));
        m->from[i] = malloc(SIDE * SIDE * sizeof *m->from[i]);
        if (!m->from[i]) abort();
        memset(m->from[i], 0xff, SIDE * SIDE * sizeof *m->from[i]);
        CHECK_STATUS(cairn_search_find(k->search, &query, NULL), CAIRN_FOUND);
        CHECK_OK(cairn_search_reached(k->search, note_cost, m->from[i]));
    }
}

typedef struct effort {
    uint64_t expanded, reopened, costs;
} effort;

static effort try_marks(kit *k, one_mark *m, const char *spec)
{
    effort sum = {0};
    scene_rng rng = {9};
    kit_plan(k, spec);
    for (uint32_t found = 0; found < 30;) {
        cairn_query query = {.from = scene_random(&rng, SIDE * SIDE),
                             .to = scene_random(&rng, SIDE * SIDE),
                             .estimate = one_mark_estimate,
                             .estimate_user = m};
        const cairn_path *path;
        m->goal = query.to;
        if (cairn_search_find(k->search, &query, &path) != CAIRN_FOUND) continue;
        found++;
        sum.costs += path->cost;
        sum.expanded += cairn_search_metrics(k->search).expanded;
        sum.reopened += cairn_search_metrics(k->search).reopened;
    }
    return sum;
}

/* Paths stay the cheapest; less than half as many nodes are expanded again. */
static void neighbours_raise_estimates_that_are_not_consistent(void **state)
{
    (void)state;
    scene *drawn[] = {scene_rooms("rooms", SIDE, SIDE, 12, 3),
                      scene_noise("noise", SIDE, SIDE, 25, 4)};
    for (uint32_t i = 0; i < LENGTH(drawn); i++) {
        kit k = kit_of_scene(drawn[i], NULL);
        one_mark m;
        one_mark_open(&m, &k);
        effort blind = try_marks(&k, &m, "dijkstra"), plain = try_marks(&k, &m, "astar"),
               raised = try_marks(&k, &m, "astar:bpmx=1");
        assert_int_equal(plain.costs, blind.costs);
        assert_int_equal(raised.costs, plain.costs);
        assert_true(2 * raised.reopened < plain.reopened);
        assert_true(raised.expanded < plain.expanded);
        for (uint32_t k2 = 0; k2 < MARKS; k2++) free(m.from[k2]);
        kit_close(&k);
        scene_destroy(drawn[i]);
    }
}

/* ---- promises that are broken ------------------------------------------------------------ */

/* Runs `cairn check --heuristics`; what it prints, both streams, is in `out`. */
static int check_map(const char *map, const char *arguments, char *out, size_t size)
{
    char line[4096];
    snprintf(line, sizeof line, "%s check --heuristics %s %s 2>&1", CAIRN_PROGRAM, map, arguments);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t got = fread(out, 1, size - 1, pipe);
    out[got] = 0;
    int end = pclose(pipe);
    return WIFEXITED(end) ? WEXITSTATUS(end) : -1;
}

static int check_program(const char *arguments, char *out, size_t size)
{
    return check_map(MAP, arguments, out, size);
}

enum { SECTIONS = 6 };

/* An index, and the section of it that is forged. */
typedef struct forged_index {
    const char *spec;
    struct {
        const char *name;
        uint32_t element;
    } sections[SECTIONS];
    uint32_t forged;
    const char *broken[2]; /* what is said of it */
} forged_index;

typedef void forger(uint32_t *numbers, size_t count);

/* Costs are three times too large. */
static void forge_costs(uint32_t *costs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (costs[i] != CAIRN_NO_COST) costs[i] *= 3;
}

/* All cells of some columns lie in the last chamber, which nothing leads through. */
static void forge_chambers(uint32_t *chambers, size_t count)
{
    uint32_t last = 0;
    for (size_t i = 0; i < count; i++)
        if (chambers[i] != UINT32_MAX && chambers[i] > last) last = chambers[i];
    for (size_t i = 0; i < count; i++)
        if (chambers[i] != UINT32_MAX && i % MAP_WIDTH / 3 == 5) chambers[i] = last;
}

static forger *forge_by(const forged_index *f)
{
    return strcmp(f->spec, "dead-end") ? forge_costs : forge_chambers;
}

/* Saves an index, forged or (NULL) as it is, with right checksums. */
static void save_forged(const cairn_planner *planner, const forged_index *f, forger *forge,
                        const char *name)
{
    bytes file = saved(planner);
    cairn_archive *archive = opened(context_of(planner), &file);
    cairn_store *store;
    CHECK_OK(cairn_store_create(context_of(planner), &store));
    for (uint32_t i = 0; i < SECTIONS && f->sections[i].name; i++) {
        size_t size;
        uint32_t element = f->sections[i].element;
        const void *data = cairn_archive_section(archive, f->sections[i].name, element, &size);
        uint32_t *copy = malloc(size + 1);
        if (!copy || !data) abort();
        memcpy(copy, data, size);
        if (forge && i == f->forged) forge(copy, size / 4);
        CHECK_OK(
            cairn_store_add(store, f->sections[i].name, (cairn_bytes){copy, size}, element, false));
        free(copy);
    }
    CHECK_OK(cairn_store_save(store, name, NULL));
    cairn_store_destroy(store);
    cairn_archive_close(archive);
    bytes_free(&file);
}

/* Files that are right in all but what they estimate. */
static void a_promise_that_is_broken_is_named(void **state)
{
    (void)state;
    static const forged_index indexes[] = {
#define LANDMARKS {{"index", 8}, {"index.marks", 4}, {"index.landmarks", 4}}, 2
        {"alt", LANDMARKS, {"the least cost", "the edge costs"}},
        {"alt:place=avoid", LANDMARKS, {"the least cost", "the edge costs"}},
        {"alt:place=farthest,landmarks=8", LANDMARKS, {"the least cost", "the edge costs"}},
        {"alt:pick=random", LANDMARKS, {"the least cost"}},
        {"cluster-table",
         {{"index", 8}, {"index.groups", 2}, {"index.costs", 4}},
         2,
         {"the least cost"}},
        {"gateway",
         {{"index", 8},
          {"index.areas", 2},
          {"index.first", 4},
          {"index.doors", 2},
          {"index.between", 4}},
         4,
         {"the least cost"}},
        {"dead-end",
         {{"index", 8}, {"index.chambers", 4}, {"index.forest", 4}},
         1,
         {"the least cost"}},
    };
    for (uint32_t i = 0; i < 2 * LENGTH(indexes); i++) {
        const forged_index *f = &indexes[i / 2];
        bool forge = i % 2;
        const char *name = in_folder("forged.cairn");
        char out[8192], arguments[1200], promise[64];
        kit k = rooms();
        CHECK_OK(cairn_planner_create(k.space, f->spec, &k.planner, NULL));
        CHECK_OK(cairn_planner_build(k.planner, NULL, NULL));
        save_forged(k.planner, f, forge ? forge_by(f) : NULL, name);
        snprintf(arguments, sizeof arguments, "-a %s --index %s", f->spec, name);
        int end = check_program(arguments, out, sizeof out);
        CHECK(end == forge, "%s: %d: %s", f->spec, end, out);
        for (uint32_t n = 0; n < 2 && f->broken[n]; n++)
            CHECK(!strstr(out, f->broken[n]) == !forge, "%s: %s", f->spec, out);
        snprintf(promise, sizeof promise, "%s on ", f->spec);
        CHECK(!strstr(out, promise) == !forge, "%s", out);
        if (forge) {
            snprintf(arguments, sizeof arguments, "-a %s --json --index %s", f->spec, name);
            assert_int_equal(check_program(arguments, out, sizeof out), 1);
            CHECK(strstr(out, "\"ok\": false") && strstr(out, " to ("), "%s", out);
        }
        remove(name);
        kit_close(&k);
    }
}

/* Pillars near the wall of a hall, with a passage behind one of them. Far below is a niche of
 * one cell, which is a dead end. */
#define HALL \
    "######################\n" \
    "#########...##########\n" \
    "#.......#.#.#........#\n" \
    "#....................#\n" \
    "#....................#\n" \
    "#....................#\n" \
    "#....................#\n" \
    "#....................#\n" \
    "#....................#\n" \
    "#....................#\n" \
    "#....................#\n" \
    "#....................#\n" \
    "#....................#\n" \
    "#....................#\n" \
    "#....................#\n" \
    "#....................#\n" \
    "#....................#\n" \
    "#....................#\n" \
    "####.#################\n"
enum { HALL_WIDTH = 22, HALL_PASSAGE = HALL_WIDTH + 10, HALL_NICHE = 18 * HALL_WIDTH + 4 };

/* The middle of the passage is said to be in the hall. So no path leads through it any more: that
 * matters to three pairs of cells, as from farther away another path is as cheap. And between it and
 * the niche no path is left. */
static void forge_one_cell(uint32_t *chambers, size_t count)
{
    if (count > HALL_NICHE) chambers[HALL_PASSAGE] = chambers[HALL_NICHE];
}

/* Where the query decides what is estimated, few pairs of many must be found as well. */
static void a_promise_that_four_pairs_break_is_named(void **state)
{
    (void)state;
    static const forged_index f = {
        .spec = "dead-end:width=1",
        .sections = {{"index", 8}, {"index.chambers", 4}, {"index.forest", 4}},
        .forged = 1};
    char map[1024], name[1024], out[8192], arguments[1200], pairs[64];
    snprintf(map, sizeof map, "%s", in_folder("hall.txt"));
    snprintf(name, sizeof name, "%s", in_folder("hall.cairn"));
    FILE *file = fopen(map, "w");
    assert_true(file && fputs(HALL, file) >= 0 && !fclose(file));
    kit k = {0};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_grid_load(k.context, map, &k.grid, NULL));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    CHECK_OK(cairn_planner_create(k.space, f.spec, &k.planner, NULL));
    CHECK_OK(cairn_planner_build(k.planner, NULL, NULL));
    for (uint32_t forge = 0; forge < 2; forge++) {
        save_forged(k.planner, &f, forge ? forge_one_cell : NULL, name);
        snprintf(arguments, sizeof arguments, "-a %s --json --index %s", f.spec, name);
        int end = check_map(map, arguments, out, sizeof out);
        snprintf(pairs, sizeof pairs, "\"missed\": %d,", forge ? 8 : 0);
        CHECK(end == (int)forge && strstr(out, pairs) && strstr(out, "\"whole\": true"), "%s", out);
        CHECK(!strstr(out, "(9,1) to (11,1)") == !forge, "%s", out);
    }
    assert_int_equal(check_map(map, "-a hierarchical-astar --json", out, sizeof out), 0);
    CHECK(strstr(out, "\"whole\": true"), "%s", out);
    remove(map), remove(name);
    kit_close(&k);
}

static void every_estimate_of_a_small_map_is_checked_at_all_pairs(void **state)
{
    (void)state;
    char out[8192];
    assert_int_equal(check_program("", out, sizeof out), 0);
    static const char *const names[] = {"astar:heuristic=octile",
                                        "alt:place=avoid",
                                        "alt:pick=random",
                                        "cluster-table:estimate=null",
                                        "dead-end",
                                        "gateway",
                                        "hierarchical-astar",
                                        "all that is promised holds"};
    for (uint32_t i = 0; i < LENGTH(names); i++) CHECK(strstr(out, names[i]), "%s", out);
    assert_int_equal(check_program("-a hpa", out, sizeof out), 2);
    CHECK(strstr(out, "its estimates cannot be checked"), "%s", out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metrics_estimate_as_the_space_does),
        cmocka_unit_test(estimates_need_an_index_and_usable_nodes),
        cmocka_unit_test(neighbours_raise_estimates_that_are_not_consistent),
        cmocka_unit_test(a_promise_that_is_broken_is_named),
        cmocka_unit_test(a_promise_that_four_pairs_break_is_named),
        cmocka_unit_test(every_estimate_of_a_small_map_is_checked_at_all_pairs),
    };
    return cmocka_run_group_tests(tests, folder_set_up, folder_tear_down);
}
