/* test_jps.c: jump point search: the bitmaps it scans follow every edit, both ways over diagonals
 * agree, its open list and its records keep what they promise, and after thousands of commits its
 * answers cost what A* says.
 */
#include "jump/glide.h"
#include "jump/records.h"
#include "kit.h"
#include "open/sparse.h"
#include "world/grid_space.h"

/* ---- the bitmaps of runs ---- */

/* A run passes a free cell after which, if it can come there at all, canonical order knows no move
 * but straight on. */
static void check_runs(const crn_grid_space *space)
{
    uint64_t cells = 0, walls = 0, passed = 0;
    for (uint32_t y = 0; y < space->grid->height; y++) {
        for (uint32_t x = 0; x < space->grid->width; x++) {
            bool free = crn_bit(&space->usable, (int32_t)x, (int32_t)y);
            CHECK(crn_bit(&space->runs->across, (int32_t)y, (int32_t)x) == free,
                  "(%u, %u) exchanged", x, y);
            for (uint32_t d = 0; d < 4; d++) {
                bool upright = d == CRN_N || d == CRN_S;
                bool passes = crn_bit(&space->runs->pass[d], (int32_t)(upright ? y : x),
                                      (int32_t)(upright ? x : y));
                bool comes =
                    crn_bit(&space->usable, (int32_t)x - crn_dx[d], (int32_t)y - crn_dy[d]);
                bool turns = crn_grid_canonical_moves(space, x, y, d) & ~(1u << d);
                passed += passes;
                CHECK(!comes || passes == (free && !turns), "(%u, %u) in direction %u: %s", x, y, d,
                      passes ? "passed" : "not passed");
            }
            cells += free;
            for (uint32_t d = 0; d < 4 && free; d++)
                walls += !crn_bit(&space->usable, (int32_t)x + crn_dx[d], (int32_t)y + crn_dy[d]);
        }
    }
    CHECK(space->runs->cells == cells && space->runs->walls == walls &&
              space->runs->passed == passed,
          "counted wrong");
}

/* Changes a cell, or a box of cells, and commits. */
static void edit(cairn_grid *grid, crn_rng *rng, bool large)
{
    uint32_t width = cairn_grid_width(grid), height = cairn_grid_height(grid);
    uint32_t wide = large ? 1 + crn_rng_below(rng, 70) : 1,
             high = large ? 1 + crn_rng_below(rng, 4) : 1;
    uint32_t left = crn_rng_below(rng, width), top = crn_rng_below(rng, height);
    bool open = crn_rng_below(rng, 2);
    for (uint32_t y = top; y < top + high && y < height; y++) {
        for (uint32_t x = left; x < left + wide && x < width; x++) {
            CHECK_OK(cairn_grid_set_open(grid, (int32_t)x, (int32_t)y, open));
        }
    }
    CHECK_OK(cairn_grid_commit(grid));
}

/* Every corner rule as a point, and one agent with a size. */
enum { KINDS = CAIRN_CORNERS_COUNT + 1 };

static kit kit_of_kind(uint32_t kind, uint32_t width, uint32_t height, uint64_t seed)
{
    scene *s = scene_noise("noise", width, height, kind < CAIRN_CORNERS_COUNT ? 20 : 4, seed);
    cairn_profile profile = cairn_profile_default();
    profile.corners = kind < CAIRN_CORNERS_COUNT ? (cairn_corners)kind : CAIRN_CORNERS_NEVER;
    profile.radius = kind < CAIRN_CORNERS_COUNT ? 0 : 1.2;
    kit k = kit_of_scene(s, &profile);
    scene_destroy(s);
    return k;
}

static void runs_follow_every_commit(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        kit k = kit_of_kind(kind, 150, 70, kind + 1);
        kit_plan(&k, "jps");
        check_runs(crn_grid_space_of(k.space));
        crn_rng rng = {kind};
        for (uint32_t i = 0; i < 300; i++) {
            edit(k.grid, &rng, i % 3 == 0);
            if (i % 10 == 0) check_runs(crn_grid_space_of(k.space));
        }
        kit_close(&k);
    }
}

/* ---- answers ---- */

static void after_thousands_of_commits_it_agrees_with_astar(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        kit k = kit_of_kind(kind, 90, 60, kind + 5), plain = k;
        plain.planner = NULL, plain.search = NULL;
        kit_plan(&k, "jps:jumps=always");
        kit_plan(&plain, "astar:loop=generic");
        crn_rng rng = {kind + 50};
        uint32_t found = 0;
        for (uint32_t i = 0; i < 1500; i++) {
            edit(k.grid, &rng, i % 16 == 0);
            cairn_query query = {.from = crn_rng_below(&rng, 90 * 60),
                                 .to = crn_rng_below(&rng, 90 * 60)};
            const cairn_path *a, *b;
            cairn_status status = cairn_search_find(k.search, &query, &a);
            CHECK_STATUS(cairn_search_find(plain.search, &query, &b), status);
            if (status != CAIRN_FOUND) continue;
            found++;
            CHECK(a->cost == b->cost, "%u to %u: %u, A* %u", query.from, query.to, a->cost,
                  b->cost);
        }
        CHECK(found > 100, "only %u paths", found);
        cairn_search_destroy(plain.search);
        cairn_planner_destroy(plain.planner);
        kit_close(&k);
    }
}

static void wide_registers_change_nothing(void **state)
{
    (void)state;
    if (!crn_glide_choose(0)) skip();
    for (uint32_t i = 0; i < 6; i++) {
        scene *s = i < 3 ? scene_noise("noise", 400, 300, 1 + 4 * i, i)
                         : scene_rooms("rooms", 300, 400, 9 + 20 * i, i);
        kit k = kit_of_scene(s, NULL), narrow = k;
        narrow.planner = NULL, narrow.search = NULL;
        kit_plan(&k, "jps:jumps=always");
        kit_plan(&narrow, "jps:jumps=always,vectors=off");
        crn_rng rng = {i};
        for (uint32_t j = 0; j < 60; j++) {
            uint32_t nodes = cairn_space_node_count(k.space);
            cairn_query query = {.from = crn_rng_below(&rng, nodes),
                                 .to = crn_rng_below(&rng, nodes)};
            const cairn_path *a, *b;
            cairn_status status = cairn_search_find(k.search, &query, &a);
            CHECK_STATUS(cairn_search_find(narrow.search, &query, &b), status);
            if (status != CAIRN_FOUND) continue;
            CHECK(a->count == b->count &&
                      memcmp(a->nodes, b->nodes, a->count * sizeof *a->nodes) == 0,
                  "another path");
            cairn_metrics x = cairn_search_metrics(k.search),
                          y = cairn_search_metrics(narrow.search);
            CHECK(x.expanded == y.expanded && x.pushes == y.pushes && x.work == y.work,
                  "another search: %u and %u expanded, %u and %u pushed, %u and %u units",
                  (unsigned)x.expanded, (unsigned)y.expanded, (unsigned)x.pushes,
                  (unsigned)y.pushes, (unsigned)x.work, (unsigned)y.work);
        }
        cairn_search_destroy(narrow.search);
        cairn_planner_destroy(narrow.planner);
        kit_close(&k);
        scene_destroy(s);
    }
}

/* Runs and diagonals longer than a word, in all directions, with the goal anywhere. */
static void long_ways_over_open_ground(void **state)
{
    (void)state;
    scene *s = scene_blank("blank", 333, 301);
    s->open[150 * 333 + 160] = false;
    kit k = kit_of_scene(s, NULL), plain = k;
    plain.planner = NULL, plain.search = NULL;
    kit_plan(&plain, "astar:loop=generic");
    static const char *const specs[] = {"jps:jumps=always", "jps:jumps=always,vectors=off"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        kit_plan(&k, specs[i]);
        static const int32_t ends[][2] = {{0, 0},     {332, 0},   {0, 300}, {332, 300},
                                          {166, 150}, {100, 299}, {331, 77}};
        for (uint32_t a = 0; a < LENGTH(ends); a++) {
            for (uint32_t b = 0; b < LENGTH(ends); b++) {
                cairn_query query = {.from = cairn_grid_node(k.grid, ends[a][0], ends[a][1]),
                                     .to = cairn_grid_node(k.grid, ends[b][0], ends[b][1])};
                const cairn_path *path, *known;
                CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
                CHECK_STATUS(cairn_search_find(plain.search, &query, &known), CAIRN_FOUND);
                CHECK(path->cost == known->cost, "%s: %u, A* %u", specs[i], path->cost,
                      known->cost);
            }
        }
    }
    cairn_search_destroy(plain.search);
    cairn_planner_destroy(plain.planner);
    kit_close(&k);
    scene_destroy(s);
}

/* What a query does and takes does not depend on those before it. */
static void a_large_query_leaves_nothing_behind(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 300, 300, 30, 4);
    kit k = kit_of_scene(s, NULL);
    kit_plan(&k, "jps:jumps=always");
    cairn_metrics first = {0};
    for (uint32_t i = 0; i < 3; i++) {
        cairn_query query = {.from = 0,
                             .to = i == 1 ? 299 * 300 + 299 : 0,
                             .max_work = i == 1 ? 0 : 5,
                             .partial = true};
        while (!cairn_space_usable(k.space, query.from)) query.from++;
        while (query.to < 20 || !cairn_space_usable(k.space, query.to))
            i == 1 ? query.to-- : query.to++;
        const cairn_path *path;
        cairn_search_find(k.search, &query, &path);
        cairn_metrics now = cairn_search_metrics(k.search);
        if (i == 0) first = now;
        if (i == 1) CHECK(now.generated > 5000, "only %u nodes", (unsigned)now.generated);
        if (i == 2)
            CHECK(now.peak_bytes == first.peak_bytes && now.work == first.work,
                  "it takes more than before");
    }
    kit_close(&k);
    scene_destroy(s);
}

/* ---- the list ---- */

static void the_list_gives_back_everything_bin_by_bin(void **state)
{
    crn_scratch scratch = {.context = *state};
    crn_sparse *list = crn_alloc(*state, sizeof *list);
    crn_sparse_open(list, &scratch);
    crn_rng rng = {3};
    for (uint32_t round = 0; round < 20; round++) {
        enum { SHIFT = 4, MANY = 3000 };
        uint64_t base = crn_rng_below(&rng, 1u << 30), floor = 0;
        static uint64_t keys[MANY];
        uint32_t pushed = 0, popped = 0;
        crn_sparse_reset(list, SHIFT, base);
        while (popped < MANY) {
            uint32_t value, g;
            if (pushed < MANY && (pushed < 5 || crn_rng_below(&rng, 2))) {
                uint64_t least = floor > base ? floor : base;
                keys[pushed] = least + crn_rng_below(&rng, round % 2 ? 5000 : 100000);
                crn_sparse_push(list, keys[pushed], pushed, pushed ^ 77);
                pushed++;
            } else if (crn_sparse_pop(list, &value, &g)) {
                CHECK(g == (value ^ 77) && keys[value] != UINT64_MAX,
                      "an entry came twice, or changed");
                /* Those beyond the ring come early, the others in their bucket. */
                CHECK(keys[value] >= floor, "%llu comes too late", (unsigned long long)keys[value]);
                keys[value] = UINT64_MAX;
                popped++;
            } else if (!crn_sparse_advance(list)) {
                CHECK(pushed == popped, "%u entries are lost", pushed - popped);
                if (pushed == MANY) break;
            } else {
                floor = crn_sparse_floor(list);
            }
        }
    }
    crn_sparse_close(list);
    crn_free(*state, list, sizeof *list);
}

/* ---- the records ---- */

/* Slots of both tables that hold something else than before, or did not exist. */
static uint32_t changed_slots(const crn_jump_records *before, const crn_jump_records *after,
                              const crn_jump_record *slots)
{
    uint32_t count = 0, length = crn_jump_records_length(after);
    if (before->table != after->table) return 0; /* nothing has moved yet */
    for (uint32_t i = 0; i < length; i++) count += memcmp(&slots[i], &after->table[i], 16) != 0;
    return count;
}

/* Growing is bounded work: few slots move or are cleared at a time, and the table stays half
 * empty. */
static void tend_records(crn_jump_records *records)
{
    static crn_jump_record slots[1 << 15];
    crn_jump_records before = *records;
    CHECK(crn_jump_records_length(records) <= 1 << 15, "the table is too long for this test");
    memcpy(slots, records->table, crn_jump_records_length(records) * sizeof *slots);
    CHECK(crn_jump_records_tend(records), "no memory");
    uint32_t changed = changed_slots(&before, records, slots);
    CHECK(changed <= 64, "%u slots changed at once", changed);
    CHECK(records->cleared - before.cleared <= 64 || records->cleared <= 64, "cleared at once");
    CHECK(records->count <= records->mask * 5 / 8, "%u of %u slots are full", records->count,
          records->mask + 1);
}

static void fill_records_from(crn_jump_records *records, uint32_t first, uint32_t many)
{
    for (uint32_t i = first; i < many; i++) {
        if (crn_jump_records_due(records)) tend_records(records);
        uint64_t key = crn_jump_key(records, i * 65536 + i % 7);
        bool known;
        crn_jump_record *record = crn_jump_records_at(records, key, &known);
        CHECK(!known, "%u is known already", i);
        *record = (crn_jump_record){key | 3, i, i};
        records->count++;
        /* one that may be in either table is changed */
        key = crn_jump_key(records, i / 2 * 65536 + i / 2 % 7);
        crn_jump_records_at(records, key, &known)->parent = i;
        CHECK(known, "%u is lost", i / 2);
    }
}

static void fill_records(crn_jump_records *records, uint32_t many)
{
    fill_records_from(records, 0, many);
}

static void records_are_found_again_and_forgotten(void **state)
{
    crn_scratch scratch = {.context = *state};
    crn_jump_records records;
    crn_jump_records_open(&records, &scratch);
    CHECK(crn_jump_records_reset(&records), "no memory");
    fill_records(&records, 5000);
    records.stamp = ((UINT64_C(1) << 24) - 3) << 8; /* the stamps run out soon, and begin again */
    for (uint32_t round = 0; round < 6; round++) {
        CHECK(crn_jump_records_reset(&records), "no memory");
        uint32_t many = round < 2 ? 20 : 1000 * round;
        if (round == 2) many = 0; /* the first after the wrap */
        fill_records(&records, many);
        for (uint32_t i = 0; i < 6000; i++) {
            bool known;
            uint64_t key = crn_jump_key(&records, i * 65536 + i % 7);
            const crn_jump_record *record = crn_jump_records_at(&records, key, &known);
            CHECK(known == (i < many) && (!known || record->g == i), "round %u: %u", round, i);
            uint32_t last = 2 * i + 1 < many ? 2 * i + 1 : 2 * i < many ? 2 * i : i;
            CHECK(!known || record->parent == last, "round %u: %u is an old copy", round, i);
        }
    }
    crn_jump_records_close(&records);
}

/* Tables that are there already are taken at once, others are cleared first. What is reported does
 * not depend on that. */
static void the_memory_reported_is_that_of_the_first_time(void **state)
{
    enum { MANY = 5000 };
    static size_t first[MANY];
    crn_scratch scratch = {.context = *state};
    crn_jump_records records;
    crn_jump_records_open(&records, &scratch);
    for (uint32_t round = 0; round < 2; round++) {
        CHECK(crn_jump_records_reset(&records), "no memory");
        for (uint32_t i = 0; i < MANY; i++) {
            fill_records_from(&records, i, i + 1);
            size_t bytes = crn_jump_records_bytes(&records);
            CHECK(!round || bytes == first[i], "%u records: %zu bytes, at first %zu", i + 1, bytes,
                  first[i]);
            first[i] = bytes;
        }
    }
    crn_jump_records_close(&records);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_follow_every_commit),
        cmocka_unit_test(after_thousands_of_commits_it_agrees_with_astar),
        cmocka_unit_test(wide_registers_change_nothing),
        cmocka_unit_test(long_ways_over_open_ground),
        cmocka_unit_test(a_large_query_leaves_nothing_behind),
        cmocka_unit_test_setup_teardown(the_list_gives_back_everything_bin_by_bin, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(the_memory_reported_is_that_of_the_first_time,
                                        context_set_up, context_tear_down),
        cmocka_unit_test_setup_teardown(records_are_found_again_and_forgotten, context_set_up,
                                        context_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
