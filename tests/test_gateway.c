/* test_gateway.c: gates: each door of a room is one, the table holds the least costs between them,
 * there are no more than are wanted, areas with too many go without, fewer nodes are expanded, and
 * damaged files do no harm. That answers are optimal is checked for every algorithm by the
 * conformance suite; that estimates never exceed the rest, by test_heuristic.
 */
#include "conformance.h"
#include "files.h"
#include "kit.h"

#include <cairn/generate.h>

/* A saved index, taken apart. */
typedef struct gates {
    bytes file;
    cairn_archive *archive;
    const uint16_t *areas; /* of each node */
    const uint32_t *first; /* of each area */
    const uint16_t *doors; /* left, top, right, bottom, gate */
    const uint32_t *costs; /* from a to b: costs[b * count + a] */
    uint32_t area_count, door_count, count;
} gates;

static gates gates_of(const cairn_planner *planner)
{
    gates g = {.file = saved(planner)};
    size_t areas, first, doors, costs;
    g.archive = opened(context_of(planner), &g.file);
    g.areas = cairn_archive_section(g.archive, "index.areas", 2, &areas);
    g.first = cairn_archive_section(g.archive, "index.first", 4, &first);
    g.doors = cairn_archive_section(g.archive, "index.doors", 2, &doors);
    g.costs = cairn_archive_section(g.archive, "index.between", 4, &costs);
    assert_true(g.areas && g.first && g.doors && g.costs);
    g.area_count = (uint32_t)(first / 4) - 1;
    g.door_count = (uint32_t)(doors / 10);
    while ((size_t)g.count * g.count * 4 < costs) g.count++;
    return g;
}

static void gates_free(gates *g)
{
    cairn_archive_close(g->archive);
    bytes_free(&g->file);
}

static kit generated(cairn_generator_kind kind, uint32_t side, const char *spec)
{
    cairn_generator generator = cairn_generator_default(kind);
    generator.width = generator.height = side;
    kit k = {0};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_generate(k.context, &generator, &k.grid, NULL));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    kit_plan(&k, spec);
    return k;
}

/* Two halls with a wall between them, and a door of one cell in every `apart`-th row. */
static scene *scene_of_doors(uint32_t height, uint32_t apart)
{
    scene *s = scene_blank("doors", 41, height);
    for (uint32_t y = 0; y < height; y++) s->open[y * 41 + 20] = y % apart == apart / 2;
    return s;
}

/* ---- gates ------------------------------------------------------------------------------- */

/* The doors of a wall are gates of their own, though they join the same halls. */
static void each_door_is_a_gate(void **state)
{
    (void)state;
    scene *s = scene_of_doors(35, 7);
    kit k = kit_of_scene(s, NULL);
    kit_plan(&k, "gateway:width=1");
    gates g = gates_of(k.planner);
    assert_int_equal(g.count, 5);
    assert_int_equal(g.door_count, 10);
    for (uint32_t i = 0; i < g.door_count; i++) {
        const uint16_t *door = &g.doors[5 * i];
        assert_true(door[0] >= 19 && door[2] <= 21);
        assert_true(door[3] - door[1] <= 2);
    }
    assert_int_not_equal(g.areas[0], g.areas[40]);
    gates_free(&g);
    kit_end(&k, s);
}

/* Between gates of one cell. */
static void the_table_holds_the_least_costs(void **state)
{
    (void)state;
    kit k = generated(CAIRN_GENERATE_ROOMS, 64, "gateway");
    gates g = gates_of(k.planner);
    cairn_planner *dijkstra;
    cairn_search *reference;
    uint32_t compared = 0;
    CHECK_OK(cairn_planner_create(k.space, "dijkstra", &dijkstra, NULL));
    CHECK_OK(cairn_search_create(dijkstra, NULL, &reference));
    for (uint32_t i = 0; i < g.door_count; i++) {
        const uint16_t *a = &g.doors[5 * i], *b = &g.doors[5 * ((i * 7 + 3) % g.door_count)];
        if (a[0] != a[2] || a[1] != a[3] || b[0] != b[2] || b[1] != b[3]) continue;
        cairn_cost cost;
        CHECK_STATUS(cairn_distance(reference, cairn_grid_node(k.grid, a[0], a[1]),
                                    cairn_grid_node(k.grid, b[0], b[1]), &cost),
                     CAIRN_FOUND);
        assert_int_equal(g.costs[b[4] * g.count + a[4]], cost);
        compared++;
    }
    assert_true(compared > 10);
    cairn_search_destroy(reference);
    cairn_planner_destroy(dijkstra);
    gates_free(&g);
    kit_close(&k);
}

/* Where a link leads one way, the table is not the same in both directions. */
static void costs_lead_one_way(void **state)
{
    (void)state;
    scene *s = scene_of_doors(21, 7);
    kit k = kit_of_scene(s, NULL);
    /* from beside the first door to the last one, but not back */
    cairn_link link = {.from = 3 * 41 + 18, .to = 17 * 41 + 20, .id = 1, .cost = 1};
    CHECK_OK(cairn_grid_add_link(k.grid, &link));
    CHECK_OK(cairn_grid_commit(k.grid));
    kit_plan(&k, "gateway:width=1");
    gates g = gates_of(k.planner);
    uint32_t unequal = 0;
    for (uint32_t a = 0; a < g.count; a++)
        for (uint32_t b = 0; b < a; b++)
            unequal += g.costs[b * g.count + a] != g.costs[a * g.count + b];
    assert_true(unequal > 0);
    gates_free(&g);
    kit_end(&k, s);
}

static void there_are_no_more_gates_than_are_wanted(void **state)
{
    (void)state;
    static const uint32_t limits[] = {1, 7, 40, 200};
    kit k = generated(CAIRN_GENERATE_MAZE, 48, "gateway");
    uint32_t before = 0;
    for (uint32_t i = 0; i < LENGTH(limits); i++) {
        char spec[40];
        snprintf(spec, sizeof spec, "gateway:gates=%u", limits[i]);
        kit_plan(&k, spec);
        gates g = gates_of(k.planner);
        CHECK(g.count <= limits[i] && g.count >= before, "%u gates", g.count);
        before = g.count;
        gates_free(&g);
    }
    assert_true(before > 40);
    kit_close(&k);
    scene *s = scene_of_doors(35, 7); /* one border with five gates */
    k = kit_of_scene(s, NULL);
    kit_plan(&k, "gateway:width=1,gates=3");
    gates g = gates_of(k.planner);
    assert_int_equal(g.count, 0);
    gates_free(&g);
    kit_end(&k, s);
}

/* ---- estimates ----------------------------------------------------------------------------- */

static uint64_t expanded(kit *k, const char *spec)
{
    scene_rng rng = {5};
    uint32_t count = cairn_space_node_count(k->space), asked = 0;
    uint64_t sum = 0;
    for (kit_plan(k, spec); asked < 40;) {
        cairn_query query = {.from = scene_random(&rng, count), .to = scene_random(&rng, count)};
        if (cairn_search_find(k->search, &query, NULL) != CAIRN_FOUND) continue;
        sum += cairn_search_metrics(k->search).expanded;
        asked++;
    }
    return sum;
}

/* In rooms with doors, and in mazes. */
static void much_less_is_expanded(void **state)
{
    (void)state;
    static const cairn_generator_kind kinds[] = {CAIRN_GENERATE_ROOMS, CAIRN_GENERATE_MAZE};
    for (uint32_t i = 0; i < LENGTH(kinds); i++) {
        kit k = generated(kinds[i], 128, "astar");
        uint64_t astar = expanded(&k, "astar"), gateway = expanded(&k, "gateway");
        CHECK(4 * gateway < astar, "%u of %u", (unsigned)gateway, (unsigned)astar);
        kit_close(&k);
    }
}

/* A hall with more doors than an area may have: as A*. */
static void areas_with_too_many_gates_go_without(void **state)
{
    (void)state;
    scene *s = scene_of_doors(120, 2);
    kit k = kit_of_scene(s, NULL);
    kit_plan(&k, "gateway:width=1,gates=1000");
    gates g = gates_of(k.planner);
    assert_int_equal(g.count, 60);
    assert_int_equal(g.door_count, 0);
    assert_true(expanded(&k, "gateway:width=1,gates=1000") >= expanded(&k, "astar:open=heap"));
    gates_free(&g);
    kit_end(&k, s);
}

/* ---- damage ------------------------------------------------------------------------------------ */

typedef struct section {
    const char *name;
    uint32_t element;
} section;

static const section sections[] = {
    {"index", 8}, {"index.areas", 2}, {"index.first", 4}, {"index.doors", 2}, {"index.between", 4}};

/* The index again, with `value` as number `at` of a section. */
static bytes altered(const kit *k, const cairn_archive *good, uint32_t which, size_t at,
                     uint32_t value)
{
    cairn_store *store;
    CHECK_OK(cairn_store_create(k->context, &store));
    for (uint32_t i = 0; i < LENGTH(sections); i++) {
        size_t size;
        const void *data =
            cairn_archive_section(good, sections[i].name, sections[i].element, &size);
        uint8_t *copy = malloc(size + 1);
        if (!copy) abort();
        memcpy(copy, data, size);
        if (i == which && (at + 1) * sections[i].element <= size)
            memcpy(copy + at * sections[i].element, &value, sections[i].element);
        CHECK_OK(cairn_store_add(store, sections[i].name, (cairn_bytes){copy, size},
                                 sections[i].element, false));
        free(copy);
    }
    bytes file = bytes_of(store);
    cairn_store_destroy(store);
    return file;
}

static cairn_status loaded(kit *k, const cairn_archive *good, uint32_t which, size_t at,
                           uint32_t value)
{
    bytes bad = altered(k, good, which, at, value);
    cairn_archive *archive = opened(k->context, &bad);
    cairn_status status = cairn_planner_load(k->planner, archive, true, NULL);
    for (uint32_t i = 0; status == CAIRN_OK && i < 10; i++) {
        cairn_query query = {.from = 53 * i % 576, .to = (97 * i + 40) % 576};
        cairn_search_find(k->search, &query, NULL);
    }
    CHECK_OK(cairn_planner_build(k->planner, NULL, NULL));
    cairn_archive_close(archive);
    bytes_free(&bad);
    return status;
}

static void damaged_gates_are_refused_or_harmless(void **state)
{
    (void)state;
    static const uint32_t values[] = {0, 1, 23, 24, 4097, 65534, UINT32_MAX};
    kit k = generated(CAIRN_GENERATE_MAZE, 24, "gateway");
    bytes file = saved(k.planner);
    cairn_archive *good = opened(k.context, &file);
    uint32_t refused = 0, served = 0;
    for (uint32_t which = 1; which < LENGTH(sections); which++) {
        for (uint32_t i = 0; i < LENGTH(values); i++) {
            for (size_t at = 0; at < 40; at += 3) {
                cairn_status status = loaded(&k, good, which, at, values[i]);
                assert_true(status == CAIRN_OK || status == CAIRN_BAD_DATA);
                refused += status != CAIRN_OK;
                served += status == CAIRN_OK;
            }
        }
    }
    assert_true(refused > 0 && served > 0);
    cairn_archive_close(good);
    bytes_free(&file);
    kit_close(&k);
}

/* All doors given to one area are more than an estimate has memory for. */
static void areas_with_too_many_gates_are_refused(void **state)
{
    (void)state;
    kit k = generated(CAIRN_GENERATE_MAZE, 48, "gateway:gates=200");
    gates g = gates_of(k.planner);
    uint32_t *first = malloc((g.area_count + 1) * sizeof *first);
    if (!first) abort();
    for (uint32_t i = 0; i <= g.area_count; i++) first[i] = i ? g.door_count : 0;
    assert_true(g.door_count > 48);
    cairn_store *store;
    CHECK_OK(cairn_store_create(k.context, &store));
    for (uint32_t i = 0; i < LENGTH(sections); i++) {
        size_t size;
        const void *data =
            cairn_archive_section(g.archive, sections[i].name, sections[i].element, &size);
        CHECK_OK(cairn_store_add(store, sections[i].name,
                                 (cairn_bytes){i == 2 ? first : data, size}, sections[i].element,
                                 false));
    }
    bytes bad = bytes_of(store);
    cairn_archive *archive = opened(k.context, &bad);
    CHECK_STATUS(cairn_planner_load(k.planner, archive, false, NULL), CAIRN_BAD_DATA);
    cairn_archive_close(archive);
    bytes_free(&bad);
    cairn_store_destroy(store);
    free(first);
    gates_free(&g);
    kit_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_door_is_a_gate),
        cmocka_unit_test(the_table_holds_the_least_costs),
        cmocka_unit_test(costs_lead_one_way),
        cmocka_unit_test(there_are_no_more_gates_than_are_wanted),
        cmocka_unit_test(much_less_is_expanded),
        cmocka_unit_test(areas_with_too_many_gates_go_without),
        cmocka_unit_test(damaged_gates_are_refused_or_harmless),
        cmocka_unit_test(areas_with_too_many_gates_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
