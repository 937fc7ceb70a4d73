/* test_dead_end.c: chambers: what is left out is what no path between them needs, in trees nothing
 * beside the path is searched, one-way edges, links and expensive ground cut no path off, and
 * damaged files do no harm. That answers are optimal is checked for every algorithm by the
 * conformance suite.
 */
#include "conformance.h"
#include "files.h"
#include "items.h"
#include "kit.h"

#include <cairn/generate.h>

/* A saved index, taken apart. */
typedef struct forest {
    bytes file;
    cairn_archive *archive;
    const uint32_t *of, *tree; /* of each chamber: parent, last, head */
    uint32_t count;
} forest;

static forest forest_of(const cairn_planner *planner)
{
    forest f = {.file = saved(planner)};
    size_t nodes, tree;
    f.archive = opened(context_of(planner), &f.file);
    f.of = cairn_archive_section(f.archive, "index.chambers", 4, &nodes);
    f.tree = cairn_archive_section(f.archive, "index.forest", 4, &tree);
    assert_non_null(f.of);
    assert_non_null(f.tree);
    f.count = (uint32_t)(tree / 12);
    return f;
}

static void forest_free(forest *f)
{
    cairn_archive_close(f->archive);
    bytes_free(&f->file);
}

static uint32_t depth(const forest *f, uint32_t chamber)
{
    uint32_t steps = 0;
    for (; f->tree[3 * chamber] != UINT32_MAX; chamber = f->tree[3 * chamber]) steps++;
    return steps;
}

/* Does it lie between two others? Step by step, as slowly as that can be done. */
static bool between(const forest *f, uint32_t chamber, uint32_t a, uint32_t b)
{
    uint32_t da = depth(f, a), db = depth(f, b);
    bool met = false;
    while (a != b) {
        met = met || a == chamber || b == chamber;
        if (da >= db && da == 0) return false; /* different trees */
        if (da >= db)
            a = f->tree[3 * a], da--;
        else
            b = f->tree[3 * b], db--;
    }
    return met || a == chamber;
}

/* ---- what is left out -------------------------------------------------------------------- */

typedef struct watcher {
    const forest *forest;
    uint32_t from, to; /* chambers of the ends */
    uint64_t inside, outside, expanded_outside;
} watcher;

static void watch(void *user, const cairn_event *event)
{
    watcher *w = user;
    if (event->kind != CAIRN_EVENT_GENERATE && event->kind != CAIRN_EVENT_EXPAND) return;
    bool alive = between(w->forest, w->forest->of[event->node], w->from, w->to);
    CHECK(alive == (event->h < CAIRN_COST_MAX), "node %u", event->node);
    if (!alive && event->kind == CAIRN_EVENT_EXPAND) w->expanded_outside++;
    if (alive) w->inside++;
    if (!alive) w->outside++;
}

static void watch_queries(const kit *k, uint32_t count, uint64_t *outside)
{
    forest f = forest_of(k->planner);
    scene_rng rng = {3};
    cairn_planner *dijkstra;
    cairn_search *reference;
    CHECK_OK(cairn_planner_create(k->space, "dijkstra", &dijkstra, NULL));
    CHECK_OK(cairn_search_create(dijkstra, NULL, &reference));
    for (uint32_t i = 0; i < count; i++) {
        cairn_node from = scene_random(&rng, cairn_space_node_count(k->space)),
                   to = scene_random(&rng, cairn_space_node_count(k->space));
        if (!cairn_space_usable(k->space, from) || !cairn_space_usable(k->space, to)) continue;
        watcher w = {.forest = &f, .from = f.of[from], .to = f.of[to]};
        cairn_trace_sink sink = {.event = watch, .user = &w};
        cairn_cost expected, got;
        cairn_search_trace(k->search, &sink);
        cairn_status status = cairn_distance(reference, from, to, &expected);
        CHECK_STATUS(cairn_distance(k->search, from, to, &got), status);
        assert_int_equal(got, expected);
        assert_int_equal(w.expanded_outside, 0);
        *outside += w.outside;
    }
    cairn_search_trace(k->search, NULL);
    cairn_search_destroy(reference);
    cairn_planner_destroy(dijkstra);
    forest_free(&f);
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

static void chambers_that_are_not_between_the_ends_are_left_out(void **state)
{
    (void)state;
    static const cairn_generator_kind kinds[] = {CAIRN_GENERATE_MAZE, CAIRN_GENERATE_ROOMS,
                                                 CAIRN_GENERATE_CAVES, CAIRN_GENERATE_RANDOM};
    static const char *const specs[] = {"dead-end", "dead-end:width=1", "dead-end:width=8",
                                        "dead-end:open=heap,loop=generic"};
    for (uint32_t i = 0; i < LENGTH(kinds); i++) {
        uint64_t outside = 0;
        for (uint32_t s = 0; s < LENGTH(specs); s++) {
            kit k = generated(kinds[i], 64, specs[s]);
            watch_queries(&k, 40, &outside);
            kit_close(&k);
        }
        CHECK(outside > 0 || kinds[i] == CAIRN_GENERATE_CAVES, "kind %u", i); /* all of it loops */
    }
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* A comb: a corridor of this width, and teeth as wide that lead down from it. */
static scene *scene_of_comb(uint32_t wide)
{
    scene *s = scene_blank("comb", 16 * wide, 12 * wide);
    for (uint32_t y = wide; y < s->height; y++) {
        for (uint32_t x = 0; x < s->width; x++) s->open[y * s->width + x] = x / wide % 2 == 0;
    }
    return s;
}

/* From the end of the first tooth to that of the last: no tooth between them is entered. The width
 * of the passages is found. */
static void teeth_of_a_comb_are_not_entered(void **state)
{
    (void)state;
    static const uint32_t widths[] = {1, 2, 3, 8};
    for (uint32_t i = 0; i < LENGTH(widths); i++) {
        uint32_t wide = widths[i];
        scene *s = scene_of_comb(wide);
        kit k = kit_of_scene(s, NULL);
        kit_plan(&k, "dead-end");
        cairn_node from = (s->height - 1) * s->width, to = from + s->width - 1 - wide;
        CHECK_STATUS(cairn_search_find(k.search, &(cairn_query){.from = from, .to = to}, NULL),
                     CAIRN_FOUND);
        /* two teeth, the corridor, and where teeth begin */
        uint64_t most = (uint64_t)(2 * 11 + 16) * wide * wide;
        uint64_t expanded = cairn_search_metrics(k.search).expanded;
        CHECK(expanded <= most, "%u wide: %u expanded, at most %u", wide, (unsigned)expanded,
              (unsigned)most);
        kit_close(&k);
        scene_destroy(s);
    }
}

/* ---- what must not be cut off ------------------------------------------------------------------ */

/* A wall with a door of three cells; behind it a room with a road, before it a swamp. The cheapest
 * path along the wall leads through the room. */
static void a_detour_through_a_room_is_found_where_ground_is_expensive(void **state)
{
    (void)state;
    scene *s = scene_blank("detour", 21, 12);
    s->terrain = calloc((size_t)s->width * s->height, 1);
    if (!s->terrain) abort();
    for (uint32_t x = 0; x < s->width; x++) {
        s->open[6 * s->width + x] = x >= 9 && x <= 11;
        for (uint32_t y = 0; y < 6; y++) s->terrain[y * s->width + x] = 1;
    }
    s->terrain[5 * s->width + 9] = s->terrain[5 * s->width + 11] = 0;
    s->profile.terrain_cost[1] = CAIRN_TIMES(30);
    kit k = kit_of_scene(s, &s->profile);
    for (uint32_t width = 0; width <= 4; width++) {
        char spec[40];
        uint64_t outside = 0;
        snprintf(spec, sizeof spec, "dead-end:width=%u", width);
        kit_plan(&k, spec);
        const cairn_path *path;
        cairn_query query = {.from = 5 * s->width + 9, .to = 5 * s->width + 11};
        CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
        assert_true(path->cost < 5 * cairn_space_scale(k.space).straight);
        watch_queries(&k, 60, &outside);
    }
    kit_close(&k);
    scene_destroy(s);
}

/* A link in a dead end that leads from one end of its door to the other for nothing. */
static void links_in_dead_ends_are_found(void **state)
{
    (void)state;
    scene *s = scene_blank("linked", 30, 12);
    for (uint32_t x = 0; x < s->width; x++) s->open[6 * s->width + x] = x >= 8 && x < 20;
    kit k = kit_of_scene(s, NULL);
    cairn_link link = {.from = 7 * s->width + 8, .to = 7 * s->width + 19, .id = 1, .cost = 0};
    CHECK_OK(cairn_grid_add_link(k.grid, &link));
    CHECK_OK(cairn_grid_commit(k.grid));
    for (uint32_t width = 0; width <= 16; width += 4) {
        char spec[40];
        uint64_t outside = 0;
        snprintf(spec, sizeof spec, "dead-end:width=%u", width);
        kit_plan(&k, spec);
        const cairn_path *path;
        cairn_query query = {.from = 5 * s->width + 8, .to = 5 * s->width + 19};
        CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
        assert_true(path->cost < 8 * cairn_space_scale(k.space).straight);
        watch_queries(&k, 60, &outside);
    }
    kit_close(&k);
    scene_destroy(s);
}

/* A room without a way out, left by a ledge that can only be jumped down: the goal is above. The
 * node nearest to it lies in a chamber that no path between the two would need. */
static void partial_paths_lead_into_chambers_that_are_left_out(void **state)
{
    (void)state;
    scene *s = scene_blank("ledge", 21, 9);
    for (uint32_t x = 0; x < 21; x++) {
        s->open[2 * 21 + x] = false;
        s->open[6 * 21 + x] = x == 1 || x == 19;
    }
    for (uint32_t y = 3; y < 9; y++) s->open[y * 21 + 10] = y == 8;
    kit k = kit_of_scene(s, NULL);
    cairn_link link = {.from = 1 * 21 + 19, .to = 8 * 21 + 1, .id = 1, .cost = 256};
    CHECK_OK(cairn_grid_add_link(k.grid, &link));
    CHECK_OK(cairn_grid_commit(k.grid));
    kit best = k;
    kit_plan(&best, "astar");
    kit_plan(&k, "dead-end:width=1");
    uint32_t partial = 0;
    for (cairn_node from = 3 * 21; from < 9 * 21; from++) {
        for (cairn_node to = 0; to < 2 * 21; to += 3) {
            const cairn_path *a, *b;
            cairn_query query = {.from = from, .to = to, .partial = true};
            if (!cairn_space_usable(k.space, from)) continue;
            cairn_search_find(best.search, &query, &a);
            cairn_search_find(k.search, &query, &b);
            CHECK(a->status == b->status && a->partial == b->partial && a->cost == b->cost,
                  "from %u to %u: %u, not %u", from, to, b->cost, a->cost);
            partial += b->partial;
        }
    }
    assert_true(partial > 100);
    cairn_search_destroy(best.search);
    cairn_planner_destroy(best.planner);
    kit_end(&k, s);
}

/* ---- damage ------------------------------------------------------------------------------------ */

static void damaged_forests_are_refused_or_harmless(void **state)
{
    (void)state;
    static const char *const sections[] = {"index", "index.chambers", "index.forest"};
    static const uint32_t elements[] = {8, 4, 4};
    kit k = generated(CAIRN_GENERATE_MAZE, 12, "dead-end");
    bytes file = saved(k.planner);
    cairn_archive *good = opened(k.context, &file);
    uint32_t refused = 0, served = 0;
    for (size_t flip = 0; flip < 8192; flip += 13) {
        cairn_store *store;
        CHECK_OK(cairn_store_create(k.context, &store));
        for (uint32_t i = 0; i < LENGTH(sections); i++) {
            size_t size;
            const void *data = cairn_archive_section(good, sections[i], elements[i], &size);
            uint8_t *copy = malloc(size);
            if (!copy) abort();
            memcpy(copy, data, size);
            if (i && flip / 2 < 8 * size && flip % 2 == i % 2)
                copy[flip / 16] = (uint8_t)(copy[flip / 16] ^ 1u << flip / 2 % 8);
            CHECK_OK(
                cairn_store_add(store, sections[i], (cairn_bytes){copy, size}, elements[i], false));
            free(copy);
        }
        bytes bad = bytes_of(store);
        cairn_store_destroy(store);
        cairn_archive *archive = opened(k.context, &bad);
        cairn_status status = cairn_planner_load(k.planner, archive, true, NULL);
        assert_true(status == CAIRN_OK || status == CAIRN_BAD_DATA);
        refused += status != CAIRN_OK;
        served += status == CAIRN_OK;
        for (uint32_t i = 0; status == CAIRN_OK && i < 10; i++) {
            cairn_query query = {.from = 13 * i % 144, .to = (29 * i + 40) % 144};
            cairn_search_find(k.search, &query, NULL);
        }
        CHECK_OK(cairn_planner_build(k.planner, NULL, NULL));
        cairn_archive_close(archive);
        bytes_free(&bad);
    }
    assert_true(refused > 0 && served > 0);
    cairn_archive_close(good);
    bytes_free(&file);
    kit_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chambers_that_are_not_between_the_ends_are_left_out),
        cmocka_unit_test(teeth_of_a_comb_are_not_entered),
        cmocka_unit_test(a_detour_through_a_room_is_found_where_ground_is_expensive),
        cmocka_unit_test(links_in_dead_ends_are_found),
        cmocka_unit_test(partial_paths_lead_into_chambers_that_are_left_out),
        cmocka_unit_test(damaged_forests_are_refused_or_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
