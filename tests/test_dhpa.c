/* test_dhpa.c: DHPA*: routes against plain searches of single clusters, the index before and after
 * edits, damaged files, and what its paths cost. */
#include "hierarchies.h"
#include "hierarchy/dhpa/dhpa_index.h"

#include <cairn/generate.h>

/* ---- routes ---------------------------------------------------------------------------- */

/* The next step from a cell of a cluster. */
static uint32_t next_step(const crn_dhpa *index, uint32_t cluster, uint32_t i, cairn_node cell)
{
    crn_area area = crn_clusters_area(&index->graph.clusters, cluster);
    uint32_t width = index->graph.clusters.space->grid->width, count;
    if (!cairn_space_usable(&index->graph.clusters.space->base, cell)) return CRN_ROUTE_NONE;
    cairn_node node = crn_hpa_members(&index->graph, cluster, &count)[i].cell;
    if (node == cell) return CRN_ROUTE_HERE;
    const crn_routes *routes = index->routes[cluster];
    uint32_t x = cell % width - area.left, y = cell / width - area.top;
    if (!crn_reaches(crn_reach_at(routes, x, y), i)) return CRN_ROUTE_NONE;
    crn_reader reader = crn_routes_reader(routes);
    crn_route_end end = {crn_track_of(&reader, i),
                         crn_target_place(node % width - area.left, node / width - area.top)};
    return crn_step_at(&reader, x, y, end);
}

/* Following the route from each cell leads to the node; turned round it costs as much as the
 * cheapest path. */
static void check_routes(const crn_dhpa *index, uint32_t cluster, uint32_t i, const oracle *o,
                         uint32_t every)
{
    uint32_t count;
    cairn_node node = crn_hpa_members(&index->graph, cluster, &count)[i].cell;
    crn_area area = crn_clusters_area(&index->graph.clusters, cluster);
    uint32_t width = index->graph.clusters.space->grid->width;
    for (uint32_t c = i % every; c < area.width * area.height; c += every) {
        uint32_t x = area.left + c % area.width, y = area.top + c / area.width, step;
        cairn_node cell = y * width + x;
        uint64_t cost = 0, left = area.width * area.height;
        while ((step = next_step(index, cluster, i, y * width + x)) < CRN_DIRECTIONS && left--) {
            cairn_node from = y * width + x;
            x = (uint32_t)((int32_t)x + crn_dx[step]), y = (uint32_t)((int32_t)y + crn_dy[step]);
            assert_true(oracle_walk(o, y * width + x, from) != ORACLE_NONE);
            cost += oracle_walk(o, y * width + x, from);
        }
        if (o->distance[cell] == ORACLE_NONE) {
            assert_int_equal(step, CRN_ROUTE_NONE);
        } else {
            assert_int_equal(step, CRN_ROUTE_HERE);
            assert_int_equal(y * width + x, node);
            assert_int_equal(cost, o->distance[cell]);
        }
    }
}

static void routes_are_the_cheapest_ways(void **state)
{
    (void)state;
    scene_rng rng = {3};
    for (uint64_t seed = 0; seed < 120; seed++) {
        scene *s = any_scene(&rng, seed);
        s->profile.radius = 0; /* an oracle of one cluster is one with walls round it */
        kit k = kit_of_scene(s, &s->profile);
        crn_dhpa index = {0};
        crn_hpa_options options = {.size = 2 + scene_random(&rng, 11), .threshold = 6, .levels = 1};
        CHECK_OK(crn_dhpa_build(&index, crn_grid_space_of(k.space), &options, NULL, NULL));
        for (uint32_t c = 0; c < crn_clusters_count(&index.graph.clusters); c++) {
            uint32_t count;
            const crn_hpa_member *members = crn_hpa_members(&index.graph, c, &count);
            if (!count) continue;
            oracle *o = oracle_of_cluster(s, &k, crn_clusters_area(&index.graph.clusters, c));
            for (uint32_t i = 0; i < count; i++) {
                oracle_search(o, members[i].cell);
                check_routes(&index, c, i, o, 1);
            }
            oracle_destroy(o);
        }
        crn_dhpa_drop(&index);
        kit_end(&k, s);
    }
}

/* So many nodes that their runs do not fit one word, and clusters whose answers are of either
 * kind. */
static void routes_of_large_clusters_are_right(void **state)
{
    (void)state;
    uint32_t most = 0, kinds[2] = {0, 0};
    for (uint32_t blocked = 0; blocked <= 30; blocked += 15) {
        scene *s = scene_noise("large", 192, 192, blocked, blocked);
        kit k = kit_of_scene(s, &s->profile);
        crn_dhpa index = {0};
        crn_hpa_options options = {.size = 64, .threshold = 2, .levels = 1};
        CHECK_OK(crn_dhpa_build(&index, crn_grid_space_of(k.space), &options, NULL, NULL));
        uint32_t middle = 4, count;
        const crn_hpa_member *members = crn_hpa_members(&index.graph, middle, &count);
        oracle *o = oracle_of_cluster(s, &k, crn_clusters_area(&index.graph.clusters, middle));
        kinds[index.routes[middle]->height != 0]++;
        if (count > most) most = count;
        for (uint32_t i = 0; i < count; i += 3) {
            oracle_search(o, members[i].cell);
            check_routes(&index, middle, i, o, 29);
        }
        oracle_destroy(o);
        crn_dhpa_drop(&index);
        kit_end(&k, s);
    }
    CHECK(most > 64 && kinds[0] && kinds[1], "%u nodes, %u and %u clusters", most, kinds[0],
          kinds[1]);
}

static size_t index_bytes(cairn_space *space, const char *spec)
{
    cairn_planner *planner;
    CHECK_OK(cairn_planner_create(space, spec, &planner, NULL));
    CHECK_OK(cairn_planner_build(planner, NULL, NULL));
    size_t size = cairn_planner_index_bytes(planner);
    cairn_planner_destroy(planner);
    return size;
}

/* With clusters of the same size the index takes at most one and a half times the bytes of that of
 * HPA*, and less where a closer limit is given. */
static void routes_take_few_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        uint32_t percent;
    } limits[] = {{"random", 135},      {"rooms", 150},    {"caves", 150},
                  {"battlefield", 135}, {"facility", 125}, {"maze", 130}};
    for (uint32_t i = 0; i < LENGTH(limits); i++) {
        cairn_generator generator = cairn_generator_default(cairn_generator_find(limits[i].kind));
        cairn_profile profile = cairn_profile_default();
        cairn_context *context;
        cairn_grid *grid;
        cairn_space *space;
        generator.width = generator.height = 512;
        CHECK_OK(cairn_context_create(NULL, &context));
        CHECK_OK(cairn_generate(context, &generator, &grid, NULL));
        CHECK_OK(cairn_space_of_grid(grid, &profile, &space, NULL));
        size_t with = index_bytes(space, "dhpa"),
               without = index_bytes(space, "hpa:levels=1,size=32");
        CHECK(with * 100 <= without * limits[i].percent, "%s: %zu bytes, hpa %zu", limits[i].kind,
              with, without);
        cairn_space_destroy(space);
        cairn_grid_destroy(grid);
        cairn_context_destroy(context);
    }
}

/* ---- edits ------------------------------------------------------------------------------ */

static void any_spec(scene_rng *rng, char *out, size_t size)
{
    static const char *const rules[] = {"single", "tiers"};
    static const char *const ends[] = {"estimate", "walk"};
    static const char *const smooth[] = {"none", "rays", "box"};
    snprintf(out, size, "dhpa:size=%u,entrances=%s,threshold=%u,ends=%s,smooth=%s",
             2 + scene_random(rng, 12), rules[scene_random(rng, 2)], 2 + scene_random(rng, 8),
             ends[scene_random(rng, 2)], smooth[scene_random(rng, 3)]);
}

static void a_repaired_index_is_a_rebuilt_one(void **state)
{
    (void)state;
    check_repairs(any_spec, test_times(60, 15), 10);
}

static void links_and_one_way_steps_are_served(void **state)
{
    (void)state;
    check_linked_repairs("dhpa", any_spec, test_times(150, 40), 12);
}

/* ---- damage ----------------------------------------------------------------------------- */

/* The same sections with right checksums, but one step of the routes is another one, or the end is
 * missing. */
static bytes damaged(const cairn_archive *good, cairn_context *context, size_t place, uint32_t step,
                     size_t cut)
{
    static const char *const sections[] = {"index", "index.clusters", "index.routes"};
    static const uint32_t elements[] = {8, 4, 4};
    cairn_store *store;
    CHECK_OK(cairn_store_create(context, &store));
    for (uint32_t i = 0; i < LENGTH(sections); i++) {
        size_t size;
        const uint8_t *data = cairn_archive_section(good, sections[i], elements[i], &size);
        uint8_t *copy = malloc(size);
        if (!copy) abort();
        memcpy(copy, data, size);
        if (i == 2) {
            uint32_t word, shift = place % 8 * 4;
            memcpy(&word, copy + place / 8 * 4, sizeof word);
            word = (word & ~(UINT32_C(15) << shift)) | step << shift;
            memcpy(copy + place / 8 * 4, &word, sizeof word);
            size -= cut;
        }
        CHECK_OK(
            cairn_store_add(store, sections[i], (cairn_bytes){copy, size}, elements[i], false));
        free(copy);
    }
    bytes file = bytes_of(store);
    cairn_store_destroy(store);
    return file;
}

/* A route may lead another path if it arrives, nothing else. Then paths are still legal. */
static void check_damage(kit *k, const oracle *o, const bytes *file, uint32_t *refused,
                         scene_rng *rng)
{
    cairn_archive *archive = opened(k->context, file);
    cairn_error error = {0};
    cairn_status status = cairn_planner_load(k->planner, archive, false, &error);
    CHECK(status == CAIRN_OK || (status == CAIRN_BAD_DATA && error.text[0]), "%s",
          cairn_status_text(status));
    *refused += status != CAIRN_OK;
    for (uint32_t i = 0; i < 10 && status == CAIRN_OK; i++) {
        cairn_query query = {.from = scene_random(rng, o->count),
                             .to = scene_random(rng, o->count)};
        if (!o->usable[query.from] || !o->usable[query.to]) continue;
        const cairn_path *path;
        if (cairn_search_find(k->search, &query, &path) != CAIRN_FOUND) continue;
        assert_true(cairn_path_valid(k->space, path, NULL, NULL, NULL));
    }
    cairn_archive_close(archive);
}

static void damaged_routes_are_refused_or_harmless(void **state)
{
    (void)state;
    scene_rng rng = {7};
    uint32_t refused = 0, total = 0;
    scene *s = scene_noise("noise", 30, 24, 25, 1);
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "dhpa:size=7");
    oracle *o = oracle_of(s, &k);
    bytes file = saved(k.planner);
    cairn_archive *good = opened(k.context, &file);
    size_t size;
    const uint32_t *routes = cairn_archive_section(good, "index.routes", 4, &size);
    assert_non_null(routes);
    for (uint32_t cut = 4; cut <= 16; cut += 4) {
        uint32_t before = refused;
        bytes bad = damaged(good, k.context, 0, CRN_ROUTE_NONE, cut);
        check_damage(&k, o, &bad, &refused, &rng);
        bytes_free(&bad);
        assert_int_equal(refused, before + 1);
    }
    for (refused = 0; total < 1500; total++) {
        uint32_t place = scene_random(&rng, (uint32_t)size * 2), before = refused,
                 step = routes[place / 8] >> place % 8 * 4 & 15;
        bytes bad = damaged(good, k.context, place, total % 16, 0);
        check_damage(&k, o, &bad, &refused, &rng);
        bytes_free(&bad);
        /* a route ends nowhere but at its node */
        bool ends = (step == CRN_ROUTE_HERE) != (total % 16 == CRN_ROUTE_HERE);
        assert_true(!ends || refused > before);
    }
    assert_true(refused > total / 2 && refused < total);
    cairn_archive_close(good);
    bytes_free(&file);
    oracle_destroy(o);
    kit_end(&k, s);
}

/* Extra costs so high that ways inside a cluster do not fit 32 bits. */
static scene *scene_too_dear(uint64_t seed)
{
    scene *s = scene_noise("too dear", 36, 30, 20, seed);
    s->layer = calloc((size_t)s->width * s->height, 1);
    if (!s->layer) abort();
    scene_rng rng = {seed};
    for (uint32_t i = 0; i < s->width * s->height; i++)
        s->layer[i] = (uint8_t)(255 - scene_random(&rng, 9));
    s->profile.layer_weight = UINT16_MAX;
    s->profile.cost_scale = 0;
    return s;
}

static void files_fit_where_costs_do_not(void **state)
{
    (void)state;
    scene_rng rng = {9};
    uint32_t lost = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        scene *s = scene_too_dear(seed);
        kit k = kit_of_scene(s, &s->profile);
        kit_plan(&k, "dhpa:size=18");
        bytes file = saved(k.planner);
        cairn_archive *good = opened(k.context, &file);
        size_t size;
        const uint32_t *routes = cairn_archive_section(good, "index.routes", 4, &size);
        CHECK_OK(cairn_planner_load(k.planner, good, false, NULL));
        bytes again = saved(k.planner);
        assert_true(bytes_same(&file, &again));
        for (uint32_t i = 0; i < 40; i++) {
            uint32_t place = scene_random(&rng, (uint32_t)size * 2),
                     step = routes[place / 8] >> place % 8 * 4 & 15;
            lost += step == CRN_ROUTE_NONE;
            bytes bad = damaged(good, k.context, place, step ^ (1 + scene_random(&rng, 15)), 0);
            cairn_archive *archive = opened(k.context, &bad);
            CHECK_STATUS(cairn_planner_load(k.planner, archive, false, NULL), CAIRN_BAD_DATA);
            cairn_archive_close(archive);
            bytes_free(&bad);
        }
        bytes_free(&again), bytes_free(&file);
        cairn_archive_close(good);
        kit_end(&k, s);
    }
    assert_true(lost > 80); /* most of a cluster is out of reach of its nodes */
}

/* ---- costs ------------------------------------------------------------------------------ */

/* Between cells of one cluster no path is more expensive than the one inside of it, and with the
 * ends added up HPA* is no better. */
static void ways_cost_what_they_should(void **state)
{
    (void)state;
    scene_rng rng = {23};
    for (uint64_t seed = 0; seed < 6; seed++) {
        scene *s = seed % 2 ? scene_rooms("rooms", 60, 50, 7, seed)
                            : scene_noise("noise", 60, 50, 25, seed);
        if (seed > 3) scene_add_cliffs(s, seed);
        if (seed > 1) scene_add_links(s, 30, 10, 9000, false, seed);
        kit walk = kit_of_scene(s, &s->profile), hpa = kit_of_scene(s, &s->profile);
        kit_plan(&walk, "dhpa:size=10,ends=walk");
        kit_plan(&hpa, "hpa:size=10,levels=1");
        crn_clusters clusters;
        crn_clusters_divide(&clusters, crn_grid_space_of(walk.space), 10, CRN_ENTRANCES_SINGLE, 6);
        for (uint32_t i = 0; i < 200; i++) {
            cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
            uint32_t cluster = crn_clusters_at(&clusters, query.from);
            answer a = answer_find(walk.search, &query), b = answer_find(hpa.search, &query);
            CHECK(a.path.status == b.path.status && a.path.cost <= b.path.cost,
                  "from %u to %u: %u, hpa %u", query.from, query.to, a.path.cost, b.path.cost);
            if (cluster == crn_clusters_at(&clusters, query.to)) {
                oracle *o = oracle_of_cluster(s, &walk, crn_clusters_area(&clusters, cluster));
                oracle_search(o, query.from);
                assert_true(a.path.status != CAIRN_FOUND || a.path.cost <= o->distance[query.to]);
                oracle_destroy(o);
            }
            answer_free(&a), answer_free(&b);
        }
        kit_close(&walk), kit_close(&hpa);
        scene_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routes_are_the_cheapest_ways),
        cmocka_unit_test(routes_of_large_clusters_are_right),
        cmocka_unit_test(routes_take_few_bytes),
        cmocka_unit_test(a_repaired_index_is_a_rebuilt_one),
        cmocka_unit_test(links_and_one_way_steps_are_served),
        cmocka_unit_test(damaged_routes_are_refused_or_harmless),
        cmocka_unit_test(files_fit_where_costs_do_not),
        cmocka_unit_test(ways_cost_what_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
