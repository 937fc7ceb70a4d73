/* test_dbastar.c: DBA*: the stored paths are the cheapest between their centres, and cost what is
 * said of them; repaired they are what is built, byte for byte; routes are chosen by their costs,
 * and only the ends of a path are searched; damaged files are refused. That its paths are legal,
 * and found whenever there is one, is checked for every algorithm by the conformance suite; its
 * regions are those of `mm` (test_mm.c).
 */
#include "conformance.h"
#include "hierarchies.h"

#include "hierarchy/mm/mm_job.h"

/* ---- the database --------------------------------------------------------------------- */

/* Where the edges of a region lead to, one after the other. */
typedef struct edge {
    uint32_t from_sector, from, to_sector, to; /* regions of the sectors */
    uint32_t number;                           /* among those of the region */
} edge;

typedef void edge_test(kit *k, scene *s, const edge *e);

static void each_edge(kit *k, scene *s, edge_test *test)
{
    const crn_mm *mm = k->planner->index;
    const crn_mm_level *level = &mm->levels[0];
    edge e = {0};
    for (e.from_sector = 0; e.from_sector < crn_mm_sector_count(level); e.from_sector++) {
        crn_mm_sector packed = crn_mm_sector_at(level, e.from_sector);
        for (e.from = 0; e.from < packed.count; e.from++) {
            crn_mm_edges edges = crn_mm_edges_of(&packed, e.from);
            e.number = 0;
            for (uint32_t direction; crn_mm_edges_next(&edges, &direction, &e.to); e.number++) {
                e.to_sector = crn_mm_lead(level, e.from_sector, direction, &e.to);
                test(k, s, &e);
            }
        }
    }
}

static uint32_t longest, most_runs;

/* The path leads from centre to centre at the cost that is stored; from the lower number to the
 * higher one, or where steps may lead one way, nothing in both sectors is cheaper. */
static void check_edge(kit *k, scene *s, const edge *e)
{
    const crn_mm *mm = k->planner->index;
    const crn_mm_level *level = &mm->levels[0];
    const crn_grid_space *map = crn_grid_space_of(k->space);
    cairn_node from = level->first[e->from_sector] + e->from,
               to = level->first[e->to_sector] + e->to;
    crn_mm_path path = crn_mm_path_between(mm, from, to);
    cairn_node cell = crn_mm_cell(mm, map, 0, e->from_sector, e->from), start = cell,
               end = crn_mm_cell(mm, map, 0, e->to_sector, e->to);
    uint32_t length = crn_mm_path_length(&path);
    uint64_t cost = 0;
    assert_true(path.count && length);
    for (uint32_t i = 0; i < length; i++) {
        uint8_t step;
        assert_int_equal(crn_mm_path_steps(&path, i, &step, 1), 1);
        cairn_node next = cell + (uint32_t)(crn_dy[step] * (int32_t)s->width + crn_dx[step]);
        cairn_cost price = crn_grid_walk_cost(map, cell, next);
        CHECK(price != CAIRN_NO_COST, "step %u of %u, from %u to %u, is illegal", i, length, cell,
              next);
        cost += price;
        cell = next;
    }
    assert_int_equal(cell, end);
    assert_int_equal(crn_mm_costs_of(&mm->paths, e->from_sector, e->from)[e->number], cost);
    if (length > longest) longest = length;
    if (path.count > most_runs) most_runs = path.count;
    if (s->profile.radius > 0 || (to < from && !level->one_way)) return;
    crn_area a = crn_mm_area(mm, map, e->from_sector), b = crn_mm_area(mm, map, e->to_sector), both;
    both.left = a.left < b.left ? a.left : b.left;
    both.top = a.top < b.top ? a.top : b.top;
    both.width = (a.left > b.left ? a.left + a.width : b.left + b.width) - both.left;
    both.height = (a.top > b.top ? a.top + a.height : b.top + b.height) - both.top;
    oracle *o = oracle_of_cluster(s, k, both);
    oracle_search(o, start);
    CHECK(o->distance[end] == cost, "from %u to %u: %llu, but %llu is possible", start, end,
          (unsigned long long)cost, (unsigned long long)o->distance[end]);
    oracle_destroy(o);
}

static void any_spec(scene_rng *rng, char *out, size_t size)
{
    static const char *const smooth[] = {"none", "rays", "box"};
    uint32_t sector = 4 + scene_random(rng, 6), levels = 1 + scene_random(rng, 4),
             trim = scene_random(rng, 101),
             detour = scene_random(rng, 2) ? 0 : scene_random(rng, 60),
             choice = scene_random(rng, 3);
    snprintf(out, size, "dbastar:sector=%u,levels=%u,trim=%u,detour=%u,smooth=%s", sector, levels,
             trim, detour, smooth[choice]);
}

static void stored_paths_are_the_cheapest_in_both_sectors(void **state)
{
    (void)state;
    scene_rng rng = {3};
    for (uint64_t seed = 0; seed < test_times(120, 20); seed++) {
        char spec[160];
        scene *s = any_scene(&rng, seed);
        any_spec(&rng, spec, sizeof spec);
        kit k = kit_of_scene(s, &s->profile);
        kit_plan(&k, spec);
        each_edge(&k, s, check_edge);
        kit_end(&k, s);
    }
}

/* A corridor of stairs that leads to and fro: such a path has more runs than a byte counts. */
static void long_paths_with_many_turns_are_stored(void **state)
{
    (void)state;
    enum { WIDTH = 72, HEIGHT = 64 };
    scene *s = scene_blank("stairs", WIDTH, HEIGHT);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        uint32_t x = i % WIDTH, y = i / WIDTH, at = x + HEIGHT - y, band = at / 4;
        bool begins = !x || !y, ends = x + 1 == WIDTH || y + 1 == HEIGHT;
        s->open[i] = at % 4 < 2 || (band % 2 ? ends : begins);
    }
    s->profile.neighbours = CAIRN_NEIGHBOURS_4;
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "dbastar:sector=64");
    longest = most_runs = 0;
    each_edge(&k, s, check_edge);
    CHECK(longest > 500 && most_runs > 500, "%u steps, %u runs", longest, most_runs);
    check_as_built(&k, "dbastar:sector=64");
    scene_rng rng = {1};
    check_ways_by(&k, s, "dbastar:sector=64", "dbastar", &rng);
    kit_end(&k, s);
}

/* ---- repairing ------------------------------------------------------------------------ */

static void repaired_is_what_is_built_byte_for_byte(void **state)
{
    (void)state;
    check_repairs(any_spec, test_times(250, 40), 12);
}

static void links_and_one_way_steps_are_served(void **state)
{
    (void)state;
    check_linked_repairs("dbastar", any_spec, test_times(150, 20), 12);
}

static cairn_node turning_from, turning_to;

/* The last path that turns once. */
static void note_turning(kit *k, scene *s, const edge *e)
{
    (void)s;
    const crn_mm *mm = k->planner->index;
    cairn_node from = mm->levels[0].first[e->from_sector] + e->from,
               to = mm->levels[0].first[e->to_sector] + e->to;
    if (from > to || crn_mm_path_between(mm, from, to).count != 2) return;
    turning_from = from;
    turning_to = to;
}

/* In the open a path may as well turn earlier. Repairs leave it so, except beside it. */
static void repairs_find_few_paths_again(void **state)
{
    (void)state;
    scene *s = scene_blank("blank", 198, 196);
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "dbastar:sector=8");
    turning_from = turning_to = 0;
    each_edge(&k, s, note_turning);
    assert_true(turning_to);
    const crn_mm *mm = k.planner->index;
    crn_mm_path path = crn_mm_path_between(mm, turning_from, turning_to);
    uint8_t *runs = (uint8_t *)(uintptr_t)path.runs, first = runs[0], second = runs[1];
    runs[0] = second;
    runs[1] = first;
    for (uint32_t near = 0; near < 2; near++) {
        int32_t at = near ? 195 : 3;
        CHECK_OK(cairn_grid_set_open(k.grid, at, at, false));
        CHECK_OK(cairn_grid_commit(k.grid));
        CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        path = crn_mm_path_between(mm, turning_from, turning_to);
        /* in a corner of the map: those between the four sectors there */
        if (!near) assert_int_equal(mm->job->found, 4);
        assert_int_equal(path.count, 2);
        assert_int_equal(path.runs[0], near ? first : second);
    }
    kit_end(&k, s);
}

/* A single cell of other ground, in a corner of the map: cheaper, dearer, dangerous, higher. Estimates
 * and lists of searches that know of it prefer others of the cheapest paths, all over the map. */
static void ground_elsewhere_changes_no_path(void **state)
{
    (void)state;
    enum { SIDE = 61 };
    scene_rng rng = {5};
    scene *s = scene_blank("stones", SIDE, SIDE);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) s->open[i] = i < SIDE || scene_random(&rng, 5);
    s->profile.terrain_cost[1] = 100;
    s->profile.terrain_cost[2] = 700;
    s->profile.layer_weight = 256;
    s->profile.gradient = 30;
    for (uint32_t kind = 0; kind < 4; kind++) {
        kit k = kit_of_scene(s, &s->profile);
        kit_plan(&k, "dbastar:sector=6");
        if (kind < 2) CHECK_OK(cairn_grid_set_terrain(k.grid, 1, 0, (uint8_t)(kind + 1)));
        if (kind == 2) CHECK_OK(cairn_grid_set_layer(k.grid, 1, 0, 255));
        if (kind == 3) CHECK_OK(cairn_grid_set_elevation(k.grid, 1, 0, 9));
        CHECK_OK(cairn_grid_commit(k.grid));
        CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        check_as_built(&k, "dbastar:sector=6");
        kit_close(&k);
    }
    scene_destroy(s);
}

/* ---- searching ------------------------------------------------------------------------ */

/* Two rooms that two corridors join: the near one winds, the far one is straight. Distances from
 * centre to centre say the near one. */
static void routes_are_chosen_by_what_stored_paths_cost(void **state)
{
    (void)state;
    enum { WIDTH = 80, HEIGHT = 40 };
    scene *s = scene_blank("corridors", WIDTH, HEIGHT);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        uint32_t x = i % WIDTH, y = i / WIDTH;
        if (x < 8 || x >= 72 || y >= 32) continue;
        s->open[i] = y < 8 && (x % 2 == 0 || y == (x / 2 % 2 ? 0 : 7));
    }
    kit k = kit_of_scene(s, &s->profile);
    cairn_query query = {.from = 3 * WIDTH + 3, .to = 3 * WIDTH + 76};
    const cairn_path *path;
    kit_plan(&k, "astar");
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    cairn_cost best = path->cost;
    kit_plan(&k, "mm:sector=8");
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    assert_true(path->cost > 2 * (uint64_t)best);
    kit_plan(&k, "dbastar:sector=8");
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    assert_true(path->cost < best + best / 10);
    kit_end(&k, s);
}

typedef struct tape {
    uint32_t ground;  /* searches on the ground: pieces in which something is expanded */
    cairn_node begun; /* the piece that none is yet, and where the first ones begin */
    cairn_node places[4];
    cairn_node joined; /* where the path goes on behind the first one */
    cairn_cost cost;   /* of the path */
} tape;

static void listen(void *user, const cairn_event *event)
{
    tape *t = user;
    if (event->level) return;
    if (event->kind == CAIRN_EVENT_PIECE) t->begun = event->node;
    if (event->kind == CAIRN_EVENT_PIECE && t->ground == 1 && t->joined == CAIRN_NO_NODE)
        t->joined = event->node;
    if (event->kind != CAIRN_EVENT_EXPAND || t->begun == CAIRN_NO_NODE) return;
    if (t->ground < LENGTH(t->places)) t->places[t->ground] = t->begun;
    t->ground++;
    t->begun = CAIRN_NO_NODE;
}

static tape listened(kit *k, const char *spec, const cairn_query *query)
{
    tape t = {.begun = CAIRN_NO_NODE, .joined = CAIRN_NO_NODE};
    cairn_trace_sink sink = {listen, &t};
    const cairn_path *path;
    kit_plan(k, spec);
    cairn_search_trace(k->search, &sink);
    CHECK_STATUS(cairn_search_find(k->search, query, &path), CAIRN_FOUND);
    assert_true(path->end == query->to && cairn_path_valid(k->space, path, NULL, NULL, NULL));
    t.cost = path->cost;
    return t;
}

static int32_t apart(const kit *k, cairn_node from, cairn_node to)
{
    cairn_cell a = cairn_grid_cell(k->grid, from), b = cairn_grid_cell(k->grid, to);
    int32_t dx = abs(a.x - b.x), dy = abs(a.y - b.y);
    return dx > dy ? dx : dy;
}

/* The start's end leads past the first centre, the goal's begins before the last one, each by the
 * share of the path there that is trimmed: in an open place it has 16 steps. */
static void only_the_ends_are_searched_and_they_are_trimmed(void **state)
{
    (void)state;
    enum { SIDE = 160 };
    scene *s = scene_blank("blank", SIDE, SIDE);
    for (uint32_t i = 0; i < 120; i++) s->open[80 * SIDE + i] = 0;
    kit k = kit_of_scene(s, &s->profile);
    cairn_query query = {.from = 5 * SIDE + 3, .to = 150 * SIDE + 9};
    tape whole = listened(&k, "dbastar:sector=16,trim=0,detour=1000,smooth=none", &query),
         half = listened(&k, "dbastar:sector=16,trim=50,detour=1000,smooth=none", &query);
    assert_int_equal(whole.ground, 2);
    assert_int_equal(half.ground, 2);
    assert_int_equal(apart(&k, whole.places[1], half.places[1]), 8);
    assert_int_equal(apart(&k, whole.joined, half.joined), 8);
    /* near goals: a single search */
    query.to = 40 * SIDE + 40;
    assert_int_equal(listened(&k, "dbastar:sector=16", &query).ground, 1);
    kit_end(&k, s);
}

/* A wall with a gap at its end between two centres beside each other: the stored paths lead round it
 * to a centre and back. What is searched there is not longer, and a joint in the open is not
 * searched. */
static void detours_where_paths_meet_are_searched(void **state)
{
    (void)state;
    enum { WIDTH = 96, HEIGHT = 16 };
    scene *s = scene_blank("wall", WIDTH, HEIGHT);
    for (uint32_t x = 40; x < 60; x++)
        for (uint32_t y = 2; y < HEIGHT; y++) s->open[y * WIDTH + x] = x % 4 == 0 && y > 9;
    kit k = kit_of_scene(s, &s->profile);
    cairn_query query = {.from = WIDTH + 1, .to = 2 * WIDTH - 2};
    tape without = listened(&k, "dbastar:sector=8,detour=1000,smooth=none", &query),
         with = listened(&k, "dbastar:sector=8,detour=0,smooth=none", &query);
    assert_int_equal(without.ground, 2);
    CHECK(with.ground > 2 && with.ground < 8, "%u searches", with.ground);
    assert_true(with.cost < without.cost);
    /* pieces end before joints, so that these are searched all the same */
    uint64_t sum = 0;
    uint32_t pieces = 1;
    const cairn_path *path;
    query.piece = 5;
    cairn_search_trace(k.search, NULL);
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    for (sum = path->cost; path->partial; sum += path->cost, pieces++)
        CHECK_STATUS(cairn_search_find_next(k.search, &path), CAIRN_FOUND);
    CHECK(pieces >= 6, "%u pieces", pieces);
    assert_int_equal(sum, with.cost);
    kit_end(&k, s);
}

static void trimming_and_smoothing_make_ways_shorter(void **state)
{
    cairn_context *context = *state;
    cairn_generator generator = cairn_generator_default(CAIRN_GENERATE_CAVES);
    kit k = {.context = context};
    generator.width = generator.height = 256;
    CHECK_OK(cairn_generate(context, &generator, &k.grid, NULL));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    double raw = kit_costlier(&k, "dbastar:trim=0,detour=1000,smooth=none", 60),
           trimmed = kit_costlier(&k, "dbastar:detour=1000,smooth=none", 60),
           joined = kit_costlier(&k, "dbastar:smooth=none", 60),
           smooth = kit_costlier(&k, "dbastar", 60);
    CHECK(trimmed < raw && joined < trimmed / 2 && smooth < joined && joined <= 6 && smooth <= 4,
          "%f, %f, %f, %f per cent costlier", raw, trimmed, joined, smooth);
    cairn_search_destroy(k.search), cairn_planner_destroy(k.planner);
    cairn_space_destroy(k.space), cairn_grid_destroy(k.grid);
}

/* ---- damage --------------------------------------------------------------------------- */

static const char *const sections[] = {"index", "index.sectors", "index.pathcosts", "index.paths"};
static const uint32_t elements[] = {8, 1, 4, 1};

/* A file with right checksums in which a section lacks elements at its end, or has one too many, or
 * a byte turned round. */
static bytes damaged(const cairn_archive *good, cairn_context *context, uint32_t which, size_t cut,
                     size_t at, uint8_t turned)
{
    cairn_store *store;
    CHECK_OK(cairn_store_create(context, &store));
    for (uint32_t i = 0; i < LENGTH(sections); i++) {
        size_t size;
        const uint8_t *data = cairn_archive_section(good, sections[i], elements[i], &size);
        uint8_t *copy = calloc(size + 8, 1);
        if (!copy) abort();
        memcpy(copy, data, size);
        if (i == which && at < size) copy[at] ^= turned;
        if (i == which && cut == SIZE_MAX) size += elements[i];
        if (i == which && cut != SIZE_MAX) size -= cut * elements[i];
        CHECK_OK(
            cairn_store_add(store, sections[i], (cairn_bytes){copy, size}, elements[i], false));
        free(copy);
    }
    bytes file = bytes_of(store);
    cairn_store_destroy(store);
    return file;
}

static cairn_status loaded(const subject *s, const bytes *file)
{
    cairn_archive *archive = opened(s->place->context, file);
    cairn_planner *planner;
    cairn_error error = {0};
    CHECK_OK(cairn_planner_create(s->place->space, s->spec, &planner, NULL));
    cairn_status status = cairn_planner_load(planner, archive, true, &error);
    CHECK(status == CAIRN_OK || error.text[0], "no reason is given");
    cairn_planner_destroy(planner);
    cairn_archive_close(archive);
    return status;
}

/* No path of a file is believed. */
static void damaged_paths_are_refused(void **state)
{
    (void)state;
    place *p = place_of_scene(scene_noise("small", 30, 22, 20, 3), CAIRN_NEIGHBOURS_8,
                              CAIRN_CORNERS_NEVER);
    subject s;
    assert_true(subject_open(&s, p, cairn_algorithm_find("dbastar", 7), "dbastar:sector=5"));
    bytes file = saved(s.planner);
    cairn_archive *good = opened(p->context, &file);
    CHECK_OK(loaded(&s, &file));
    for (uint32_t which = 2; which < LENGTH(sections); which++) {
        size_t size;
        assert_non_null(cairn_archive_section(good, sections[which], elements[which], &size));
        for (size_t cut = 1; cut <= size / elements[which]; cut += test_stride()) {
            bytes bad = damaged(good, p->context, which, cut, SIZE_MAX, 0);
            CHECK(loaded(&s, &bad) == CAIRN_BAD_DATA, "%s: %u elements are missing",
                  sections[which], (unsigned)cut);
            bytes_free(&bad);
        }
        bytes more = damaged(good, p->context, which, SIZE_MAX, SIZE_MAX, 0);
        CHECK_STATUS(loaded(&s, &more), CAIRN_BAD_DATA);
        bytes_free(&more);
        for (size_t flip = 0; flip < 8 * size; flip += test_stride()) {
            bytes bad = damaged(good, p->context, which, 0, flip / 8, (uint8_t)(1u << flip % 8));
            CHECK(loaded(&s, &bad) == CAIRN_BAD_DATA, "%s: bit %u", sections[which],
                  (unsigned)flip);
            bytes_free(&bad);
        }
    }
    cairn_archive_close(good);
    bytes_free(&file);
    subject_close(&s);
    place_destroy(p);
}

/* Turns the directions of all runs round: no path leads to its end any more. */
static void turn_paths_round(uint8_t *paths, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t count = paths[at++];
        if (count == 255) {
            count = paths[at] + 256u * paths[at + 1];
            at += 2;
        }
        for (; count; count--) paths[at++] ^= 2u << 5;
    }
}

/* A step may cost more than 32 bits hold, and so may a path. That is no excuse for one that leads
 * elsewhere. */
static void paths_that_lead_elsewhere_are_refused_whatever_they_cost(void **state)
{
    (void)state;
    place *p = place_of_scene(scene_noise("small", 30, 22, 20, 3), CAIRN_NEIGHBOURS_8,
                              CAIRN_CORNERS_NEVER);
    subject s;
    assert_true(subject_open(&s, p, cairn_algorithm_find("dbastar", 7), "dbastar:sector=5"));
    bytes file = saved(s.planner);
    cairn_archive *good = opened(p->context, &file);
    cairn_store *store;
    CHECK_OK(cairn_store_create(p->context, &store));
    for (uint32_t i = 0; i < LENGTH(sections); i++) {
        size_t size;
        const uint8_t *data = cairn_archive_section(good, sections[i], elements[i], &size);
        uint8_t *copy = calloc(size + 1, 1);
        if (!copy) abort();
        memcpy(copy, data, size);
        if (i == 2) memset(copy, 0xff, size); /* costs */
        if (i == 3) turn_paths_round(copy, size);
        CHECK_OK(
            cairn_store_add(store, sections[i], (cairn_bytes){copy, size}, elements[i], false));
        free(copy);
    }
    bytes bad = bytes_of(store);
    CHECK_STATUS(loaded(&s, &bad), CAIRN_BAD_DATA);
    cairn_store_destroy(store);
    bytes_free(&bad);
    cairn_archive_close(good);
    bytes_free(&file);
    subject_close(&s);
    place_destroy(p);
}

static void sides_that_are_none_are_refused(void **state)
{
    (void)state;
    scene *drawn = scene_blank("blank", 9, 9);
    kit k = kit_of_scene(drawn, &drawn->profile);
    CHECK_STATUS(cairn_planner_create(k.space, "dbastar:sector=3", &k.planner, NULL),
                 CAIRN_INVALID);
    kit_end(&k, drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_paths_are_the_cheapest_in_both_sectors),
        cmocka_unit_test(long_paths_with_many_turns_are_stored),
        cmocka_unit_test(repaired_is_what_is_built_byte_for_byte),
        cmocka_unit_test(links_and_one_way_steps_are_served),
        cmocka_unit_test(repairs_find_few_paths_again),
        cmocka_unit_test(ground_elsewhere_changes_no_path),
        cmocka_unit_test(routes_are_chosen_by_what_stored_paths_cost),
        cmocka_unit_test(only_the_ends_are_searched_and_they_are_trimmed),
        cmocka_unit_test(detours_where_paths_meet_are_searched),
        cmocka_unit_test_setup_teardown(trimming_and_smoothing_make_ways_shorter, context_set_up,
                                        context_tear_down),
        cmocka_unit_test(damaged_paths_are_refused),
        cmocka_unit_test(paths_that_lead_elsewhere_are_refused_whatever_they_cost),
        cmocka_unit_test(sides_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
