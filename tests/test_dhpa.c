/* test_dhpa.c: DHPA*: routes against plain searches of single clusters, the index before and after
 * edits, damaged files, and what its paths cost. */
#include "hierarchies.h"
#include "hierarchy/dhpa/dhpa_walk.h"

#include <cairn/generate.h>

/* ---- routes ---------------------------------------------------------------------------- */

/* A walk with the memory that it needs. */
static crn_dhpa_walk *walk_open(const crn_grid_space *space)
{
    enum { CELLS = CRN_CLUSTER_SIZE_MAX * CRN_CLUSTER_SIZE_MAX };
    size_t places = crn_approach_places(CRN_CLUSTER_SIZE_MAX);
    crn_dhpa_walk *walk = calloc(1, sizeof *walk);
    int64_t *offsets = calloc(CRN_DIRECTIONS, sizeof *offsets);
    crn_approach *approach = calloc(1, sizeof *approach);
    if (!walk || !offsets || !approach) abort();
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++)
        offsets[d] = crn_dx[d] + crn_dy[d] * (int64_t)space->grid->width;
    walk->offsets = offsets;
    walk->trail = calloc(CELLS + 1, sizeof *walk->trail);
    approach->costs = calloc(places, sizeof *approach->costs);
    approach->links = calloc(places, sizeof *approach->links);
    approach->list = calloc(places, sizeof *approach->list);
    approach->from = CAIRN_NO_NODE;
    if (!walk->trail || !approach->costs || !approach->links || !approach->list) abort();
    walk->approach = approach;
    return walk;
}

static void walk_close(crn_dhpa_walk *walk)
{
    free((void *)(uintptr_t)walk->offsets);
    free(walk->trail);
    free(walk->approach->costs), free(walk->approach->links), free(walk->approach->list);
    free(walk->approach);
    free(walk);
}

/* Following the route from each cell, or every so many and all nodes, leads to the node; turned
 * round it costs as much as the cheapest path. */
static void check_routes(const crn_dhpa *index, uint32_t cluster, uint32_t i, const oracle *o,
                         uint32_t every)
{
    uint32_t count;
    cairn_node node = crn_hpa_members(&index->graph, cluster, &count)[i].cell;
    crn_area area = crn_clusters_area(&index->graph.clusters, cluster);
    const crn_grid_space *space = index->graph.clusters.space;
    uint32_t width = space->grid->width;
    crn_dhpa_walk *walk = walk_open(space);
    for (uint32_t c = 0; c < area.width * area.height; c++) {
        cairn_node cell = (area.top + c / area.width) * width + area.left + c % area.width;
        bool chosen =
            c % every == i % every || crn_hpa_find(&index->graph, 0, cell) != CAIRN_NO_NODE;
        if (!chosen || !cairn_space_usable(&space->base, cell)) continue;
        walk->several = c % 3 == 0;
        bool leads = crn_dhpa_walk_begin(walk, index, cell, i, true);
        assert_int_equal(leads, o->distance[cell] != ORACLE_NONE);
        if (!leads) continue;
        while (!crn_dhpa_walk_step(walk, 5)) assert_true(walk->count <= area.width * area.height);
        uint64_t cost = 0;
        for (size_t k = 1; k < walk->count; k++) {
            uint64_t step = oracle_walk(o, walk->trail[k].node, walk->trail[k - 1].node);
            assert_true(step != ORACLE_NONE);
            cost += step;
        }
        assert_int_equal(walk->trail[walk->count - 1].node, node);
        assert_int_equal(cost, o->distance[cell]);
        assert_int_equal(cost, walk->cost);
    }
    walk_close(walk);
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

/* The forms that routes of clusters have. */
enum { FORM_STEPS, FORM_TARGETS, FORM_PATHS, FORM_COUNT };

typedef struct forms {
    uint32_t kinds[FORM_COUNT];
    uint32_t runs, entries;         /* zones as runs, as entries */
    uint32_t pockets, path_pockets; /* clusters that have some; with paths */
    uint32_t most, most_pockets;    /* nodes; of clusters with pockets */
} forms;

static void count_form(forms *f, const crn_routes *routes)
{
    bool paths = crn_routes_are_paths(routes);
    f->kinds[paths ? FORM_PATHS : routes->height ? FORM_TARGETS : FORM_STEPS]++;
    f->runs += !paths && !routes->entry_bits;
    f->entries += !paths && routes->entry_bits;
    f->pockets += routes->pockets > 1;
    f->path_pockets += paths && routes->pockets > 1;
    if (routes->nodes > f->most) f->most = routes->nodes;
    if (routes->pockets && routes->nodes > f->most_pockets) f->most_pockets = routes->nodes;
}

/* Looks at every so many of the routes of a cluster. */
static void check_cluster(scene *s, const kit *k, const crn_dhpa *index, uint32_t cluster,
                          const uint32_t every[2])
{
    uint32_t count;
    const crn_hpa_member *members = crn_hpa_members(&index->graph, cluster, &count);
    if (!count) return;
    oracle *o = oracle_of_cluster(s, k, crn_clusters_area(&index->graph.clusters, cluster));
    for (uint32_t i = 0; i < count; i += every[0]) {
        oracle_search(o, members[i].cell);
        check_routes(index, cluster, i, o, every[1]);
    }
    oracle_destroy(o);
}

static void check_large(scene *s, uint32_t size, uint32_t threshold, forms *f)
{
    kit k = kit_of_scene(s, &s->profile);
    crn_dhpa index = {0};
    crn_hpa_options options = {.size = size, .threshold = threshold, .levels = 1};
    CHECK_OK(crn_dhpa_build(&index, crn_grid_space_of(k.space), &options, NULL, NULL));
    for (uint32_t c = 0; c < crn_clusters_count(&index.graph.clusters); c++) {
        if (!index.routes[c]) continue;
        count_form(f, index.routes[c]);
        bool middle = c == crn_clusters_count(&index.graph.clusters) / 2;
        check_cluster(s, &k, &index, c, middle ? (uint32_t[]){3, 29} : (uint32_t[]){37, 131});
    }
    crn_dhpa_drop(&index);
    kit_end(&k, s);
}

/* So many nodes that their runs do not fit one word, and clusters whose routes have every form. */
static void routes_of_large_clusters_are_right(void **state)
{
    (void)state;
    forms f = {0};
    for (uint32_t blocked = 0; blocked <= 45; blocked += 15)
        check_large(scene_noise("large", 192, 192, blocked, blocked), 64, 2, &f);
    for (uint32_t blocked = 0; blocked <= 30; blocked += 15) {
        scene *s = scene_noise("ground", 96, 96, blocked, blocked);
        scene_add_terrain(s, blocked);
        check_large(s, 32, 6, &f);
    }
    for (uint32_t i = 0; i < FORM_COUNT; i++) CHECK(f.kinds[i], "form %u is missing", i);
    CHECK(f.runs && f.entries, "%u as runs, %u as entries", f.runs, f.entries);
    CHECK(f.pockets && f.path_pockets, "%u with pockets, %u with paths", f.pockets, f.path_pockets);
    CHECK(f.most > 64 && f.most_pockets > 64, "%u nodes, %u with pockets", f.most, f.most_pockets);
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

/* Patches of ground that costs more, on a tenth of the cells. */
static void cover(cairn_grid *grid, cairn_profile *profile)
{
    scene_rng rng = {5};
    uint32_t width = cairn_grid_width(grid), height = cairn_grid_height(grid);
    for (uint32_t i = 0; i < width * height / 180; i++) {
        uint32_t left = scene_random(&rng, width), top = scene_random(&rng, height),
                 wide = 1 + scene_random(&rng, 8), high = 1 + scene_random(&rng, 8);
        for (uint32_t c = 0; c < wide * high; c++) {
            int32_t x = (int32_t)(left + c % wide), y = (int32_t)(top + c / wide);
            if (left + c % wide < width && top + c / wide < height)
                CHECK_OK(cairn_grid_set_terrain(grid, x, y, (uint8_t)(1 + i % 4)));
        }
    }
    for (uint32_t i = 1; i <= 4; i++) profile->terrain_cost[i] = (uint16_t)(256 * (i + 1));
    CHECK_OK(cairn_grid_commit(grid));
}

static void check_bytes(cairn_context *context, const cairn_generator *generator, bool covered,
                        uint32_t percent)
{
    cairn_profile profile = cairn_profile_default();
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(cairn_generate(context, generator, &grid, NULL));
    if (covered) cover(grid, &profile);
    CHECK_OK(cairn_space_of_grid(grid, &profile, &space, NULL));
    size_t with = index_bytes(space, "dhpa"), without = index_bytes(space, "hpa:levels=1,size=32");
    CHECK(with * 100 <= without * percent, "%s of %u²%s: %zu bytes, hpa %zu",
          cairn_generator_about(generator->kind)->name, generator->width,
          covered ? " with terrain" : "", with, without);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

/* With clusters of the same size the index takes at most one and a half times the bytes of that of
 * HPA*, and less where a closer limit is given: on ground of one kind, and with terrain. The lists
 * of HPA* have room to spare on maps of 512² and 256², and hardly any on those of 416². */
static void routes_take_few_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        uint32_t percent, covered;
    } limits[] = {{"random", 113, 101}, {"rooms", 109, 86},      {"caves", 119, 92},
                  {"maze", 87, 82},     {"battlefield", 94, 78}, {"facility", 86, 82}};
    cairn_context *context;
    CHECK_OK(cairn_context_create(NULL, &context));
    for (uint32_t i = 0; i < LENGTH(limits); i++) {
        cairn_generator generator = cairn_generator_default(cairn_generator_find(limits[i].kind));
        generator.width = generator.height = 512;
        check_bytes(context, &generator, false, limits[i].percent);
        generator.width = generator.height = 256;
        check_bytes(context, &generator, true, limits[i].covered);
        if (strcmp(limits[i].kind, "caves")) continue;
        generator.width = generator.height = 416;
        check_bytes(context, &generator, false, 142);
        check_bytes(context, &generator, true, 142);
    }
    cairn_generator open = cairn_generator_default(CAIRN_GENERATE_RANDOM);
    open.percent = 0;
    open.width = open.height = 256;
    check_bytes(context, &open, false, 110);
    check_bytes(context, &open, true, 116);
    cairn_context_destroy(context);
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

/* Open ground with terrain: two by two clusters, which have paths. */
static scene *scene_of_paths(void)
{
    scene *s = scene_noise("paths", 64, 64, 4, 3);
    scene_add_terrain(s, 3);
    kit k = kit_of_scene(s, &s->profile);
    crn_dhpa index = {0};
    crn_hpa_options options = {.size = 32, .threshold = 6, .levels = 1, .tight = true};
    CHECK_OK(crn_dhpa_build(&index, crn_grid_space_of(k.space), &options, NULL, NULL));
    assert_int_equal(index.paths, 4);
    crn_dhpa_drop(&index);
    kit_close(&k);
    return s;
}

/* Changes single steps of stored routes, which is noticed. Returns how many of them were none. */
static uint32_t check_damaged(kit *k, cairn_archive *good, scene_rng *rng, uint32_t times,
                              uint32_t largest)
{
    size_t size;
    uint32_t none = 0;
    const uint32_t *routes = cairn_archive_section(good, "index.routes", 4, &size);
    for (uint32_t i = 0; i < times; i++) {
        uint32_t place = scene_random(rng, (uint32_t)size * 2),
                 step = routes[place / 8] >> place % 8 * 4 & 15;
        none += step == CRN_ROUTE_NONE;
        bytes bad = damaged(good, k->context, place, step ^ (1 + scene_random(rng, largest)), 0);
        cairn_archive *archive = opened(k->context, &bad);
        CHECK_STATUS(cairn_planner_load(k->planner, archive, false, NULL), CAIRN_BAD_DATA);
        cairn_archive_close(archive);
        bytes_free(&bad);
    }
    return none;
}

/* Where only paths between nodes are kept, a file has the routes of a build, and no others. */
static void files_have_the_routes_that_are_searched_for(void **state)
{
    (void)state;
    scene_rng rng = {31};
    scene *s = scene_of_paths();
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "dhpa");
    bytes file = saved(k.planner);
    cairn_archive *good = opened(k.context, &file);
    CHECK_OK(cairn_planner_load(k.planner, good, false, NULL));
    bytes again = saved(k.planner);
    assert_true(bytes_same(&file, &again));
    check_damaged(&k, good, &rng, 60, 7);
    bytes_free(&again), bytes_free(&file);
    cairn_archive_close(good);
    kit_end(&k, s);
}

/* A query back to where the one before an edit began, by the same search and by a new one: what was
 * searched for last is where it begins. */
static void searched_routes_are_of_the_present_world(void **state)
{
    (void)state;
    scene_rng rng = {41};
    scene *s = scene_of_paths();
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "dhpa");
    for (uint32_t i = 0; i < 60; i++) {
        cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
        answer before = answer_find(k.search, &query);
        for (uint32_t c = 0; c < 40; c++) {
            int32_t x = (int32_t)(query.to % s->width) + (int32_t)scene_random(&rng, 17) - 8,
                    y = (int32_t)(query.to / s->width) + (int32_t)scene_random(&rng, 17) - 8;
            bool inside = x >= 0 && y >= 0 && x < (int32_t)s->width && y < (int32_t)s->height;
            uint8_t class = (uint8_t)(1 + scene_random(&rng, 5));
            if (inside && class != 2) CHECK_OK(cairn_grid_set_terrain(k.grid, x, y, class));
        }
        CHECK_OK(cairn_grid_commit(k.grid));
        CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        cairn_search *fresh;
        query = (cairn_query){.from = query.to, .to = query.from};
        CHECK_OK(cairn_search_create(k.planner, NULL, &fresh));
        answer a = answer_find(k.search, &query), b = answer_find(fresh, &query);
        assert_int_equal(a.path.status, b.path.status);
        assert_int_equal(a.path.cost, b.path.cost);
        answer_free(&before), answer_free(&a), answer_free(&b);
        cairn_search_destroy(fresh);
    }
    kit_end(&k, s);
}

/* Extra costs so high that ways inside a cluster do not fit 32 bits. */
static scene *scene_too_dear(uint64_t seed)
{
    scene *s = scene_noise("too expensive", 36, 30, 20, seed);
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
        CHECK_OK(cairn_planner_load(k.planner, good, false, NULL));
        bytes again = saved(k.planner);
        assert_true(bytes_same(&file, &again));
        lost += check_damaged(&k, good, &rng, 40, 15);
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
        cmocka_unit_test(files_have_the_routes_that_are_searched_for),
        cmocka_unit_test(searched_routes_are_of_the_present_world),
        cmocka_unit_test(files_fit_where_costs_do_not),
        cmocka_unit_test(ways_cost_what_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
