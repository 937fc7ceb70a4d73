/* test_knn_lrtastar.c: kNN LRTA*: every record can be climbed, agents walk step by step as written
 * down here once more (the most similar records by trying all of them, both checks, subgoals,
 * learning), within their memory, and arrive with a wrong index too. That paths are legal, and found
 * whenever there is one, is checked for every algorithm by the conformance suite.
 */
#include "slow_lrta.h"

#include "realtime/knn_lrtastar/knn_index.h"

static const crn_knn *index_of(const cairn_planner *planner)
{
    return planner->index;
}

static cairn_node subgoal_of(const crn_knn *index, const crn_knn_record *record, uint32_t i)
{
    return i < record->end ? index->subgoals.items[i] : record->goal;
}

/* ---- records ----------------------------------------------------------------------------- */

static void check_records(const char *text, const cairn_planner *planner)
{
    const crn_knn *index = index_of(planner);
    for (uint32_t i = 0; i < crn_knn_count(index); i++) {
        crn_knn_record record = crn_knn_at(index, i);
        cairn_node at = record.start;
        for (uint32_t k = crn_knn_first(index, i); k <= record.end; k++) {
            cairn_node to = subgoal_of(index, &record, k);
            CHECK(slow_climbs(map_of(planner), at, to, index->cutoff),
                  "%s: record %u: %u cannot be climbed to from %u", text, i, to, at);
            at = to;
        }
    }
}

static void check_subject(subject *s)
{
    check_records(subject_text(s), s->planner);
}

static void every_record_is_climbed_in_every_scene(void **state)
{
    (void)state;
    conformance_each_of("knn-lrtastar", PLACES_ALL | SETTINGS_ONE, check_subject);
}

static void every_record_is_climbed_on_generated_maps(void **state)
{
    (void)state;
    static const char *const specs[] = {"knn-lrtastar", "knn-lrtastar:cutoff=4,records=60",
                                        "knn-lrtastar:cutoff=20,seed=9"};
    for (uint32_t i = 0; i < test_times(600, 40); i++) {
        scene *s = i % 2 ? scene_noise("noise", 12 + i % 29, 9 + i % 17, 5 + i % 40, i)
                         : scene_rooms("rooms", 15 + i % 31, 11 + i % 23, 4 + i % 5, i);
        if (i % 7 == 3) scene_make_hex(s);
        cairn_profile profile = s->profile;
        if (i % 5 == 1 && i % 7 != 3) profile.neighbours = CAIRN_NEIGHBOURS_4;
        profile.corners = (cairn_corners)(i % CAIRN_CORNERS_COUNT);
        kit k = kit_of_scene(s, &profile);
        kit_plan(&k, specs[i % LENGTH(specs)]);
        check_records(s->name, k.planner);
        kit_end(&k, s);
    }
}

/* ---- look-up ----------------------------------------------------------------------------- */

/* So many records without subgoals, between cells drawn by lot, in the order of the tree. */
static crn_knn records_by_lot(const kit *k, uint32_t count)
{
    crn_knn index = {.wanted = count, .cutoff = 250};
    scene_rng rng = {count};
    uint32_t nodes = cairn_space_node_count(k->space);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t words[CRN_KNN_WORDS] = {scene_random(&rng, nodes), scene_random(&rng, nodes), 0};
        assert_true(crn_knn_put(&index.problems, k->context, words, CRN_KNN_WORDS));
    }
    assert_true(crn_knn_order(&index, crn_grid_space_of(k->space)));
    assert_int_equal(crn_knn_count(&index), count);
    return index;
}

/* Looks up one record at a time, and returns how many. */
static uint32_t look_up(const crn_knn *index, const crn_grid_space *map, crn_knn_look *look)
{
    uint32_t looked = 0;
    bool done = false;
    crn_knn_look_begin(index, look);
    for (; !done; looked++) done = crn_knn_look_on(index, map, look, 1);
    return looked;
}

/* Records that are left out are no nearer than the last one that was found. */
static void check_nearest(const crn_knn *index, const crn_grid_space *map, const crn_knn_look *look)
{
    uint32_t nearer = 0, most = look->k - 1;
    assert_int_equal(look->count, look->k);
    for (uint32_t i = 0; i < crn_knn_count(index); i++)
        nearer += crn_knn_distance(index, map, i, look->problem) < look->near[most].distance;
    CHECK(nearer <= most, "%u records are nearer than the last of %u", nearer, look->k);
}

/* How many records a look-up looks at, on the mean. */
static uint32_t looked_at(const kit *k, uint32_t count, uint32_t wanted)
{
    const crn_grid_space *map = crn_grid_space_of(k->space);
    crn_knn index = records_by_lot(k, count);
    crn_knn_near near[100];
    crn_knn_look look = {.k = wanted, .near = near};
    scene_rng rng = {9};
    uint64_t sum = 0;
    uint32_t nodes = cairn_space_node_count(k->space), times = 60;
    for (uint32_t i = 0; i < times; i++) {
        for (uint32_t n = 0; n < 2; n++)
            look.problem[n] = cairn_grid_cell(k->grid, scene_random(&rng, nodes));
        sum += look_up(&index, map, &look);
        if (i < 5) check_nearest(&index, map, &look);
    }
    crn_knn_drop(&index, k->context);
    return (uint32_t)(sum / times);
}

/* Of eight times as many records, a look-up looks at less than twice as many: the tree leaves out
 * nearly all of them. */
static void a_lookup_looks_at_few_records(void **state)
{
    (void)state;
    static const uint32_t wanted[] = {1, 10};
    scene *s = scene_blank("plain", 1000, 1000);
    kit k = kit_of_scene(s, NULL);
    for (uint32_t i = 0; i < LENGTH(wanted); i++) {
        uint32_t few = looked_at(&k, 2500, wanted[i]), many = looked_at(&k, 20000, wanted[i]),
                 most = looked_at(&k, 80000, wanted[i]);
        if (getenv("CAIRN_KNN_TELL")) printf("k=%u: %u, %u, %u\n", wanted[i], few, many, most);
        CHECK(many < 2 * few && most < 2 * many && 20 * most < 80000,
              "k=%u: of 2500 records it looks at %u, of 20000 at %u, of 80000 at %u", wanted[i],
              few, many, most);
    }
    kit_end(&k, s);
}

/* ---- walks ------------------------------------------------------------------------------- */

/* The most similar record that passes both checks, among the k most similar; else the most similar
 * of these that is nearer than the ends are apart, if that is to do. UINT32_MAX = none. */
static uint32_t slow_record(const cairn_planner *planner, cairn_node from, cairn_node to,
                            uint32_t tries)
{
    const crn_knn *index = index_of(planner);
    const crn_grid_space *map = map_of(planner);
    uint32_t count = crn_knn_count(index);
    bool *tried = calloc(count + 1, sizeof *tried);
    uint32_t found = UINT32_MAX, similar = UINT32_MAX;
    if (!tried) abort();
    for (; tries && found == UINT32_MAX; tries--) {
        uint32_t best = UINT32_MAX;
        int64_t least = INT64_MAX;
        for (uint32_t i = 0; i < count; i++) {
            crn_knn_record record = crn_knn_at(index, i);
            int64_t starts = slow_apart(map, from, record.start),
                    goals = slow_apart(map, record.goal, to),
                    distance = starts > goals ? starts : goals;
            if (!tried[i] && distance < least) least = distance, best = i;
        }
        if (best == UINT32_MAX) break;
        tried[best] = true;
        crn_knn_record record = crn_knn_at(index, best);
        if (slow_climbs(map, from, record.start, index->cutoff) &&
            slow_climbs(map, record.goal, to, index->cutoff))
            found = best;
        if (similar == UINT32_MAX && least < slow_apart(map, from, to) &&
            may_reach(&map->base, from, record.start))
            similar = best;
    }
    free(tried);
    bool makes_do = found == UINT32_MAX && crn_parameter_of(planner, "unfit") == 1;
    return makes_do ? similar : found;
}

typedef struct tally {
    uint32_t direct, by_record, alone;
    uint64_t learnt;
} tally;

static void walk_along(expected *e, const cairn_planner *planner, uint32_t number, cairn_node to,
                       bool skips)
{
    const crn_knn *index = index_of(planner);
    crn_knn_record record = crn_knn_at(index, number);
    uint32_t first = crn_knn_first(index, number);
    cairn_node at = cairn_navigator_at(e->navigator);
    if (!skips || !slow_climbs(e->map, at, subgoal_of(index, &record, first), index->cutoff))
        expected_leg(e, record.start);
    for (uint32_t i = first; i < record.end; i++) expected_leg(e, index->subgoals.items[i]);
    at = cairn_navigator_at(e->navigator);
    if (!skips || !slow_climbs(e->map, at, to, index->cutoff)) expected_leg(e, record.goal);
}

static void walk_as_written(const char *text, cairn_planner *planner, cairn_node ends[2],
                            tally *sums)
{
    cairn_node from = ends[0], to = ends[1];
    expected e = expected_begin(text, planner, from, to);
    if (slow_climbs(e.map, from, to, index_of(planner)->cutoff)) {
        sums->direct++;
    } else {
        uint32_t record = slow_record(planner, from, to, crn_parameter_of(planner, "k"));
        bool skips = crn_parameter_of(planner, "ends") == 1;
        if (record == UINT32_MAX) {
            sums->alone++;
        } else {
            sums->by_record++;
            walk_along(&e, planner, record, to, skips);
        }
    }
    expected_leg(&e, to);
    sums->learnt += e.learnt;
    expected_end(&e);
}

static void agents_walk_as_written_down(void **state)
{
    (void)state;
    static const char *const specs[] = {"knn-lrtastar", "knn-lrtastar:ends=whole,k=3,unfit=goal",
                                        "knn-lrtastar:cutoff=12,records=80,k=40",
                                        "knn-lrtastar:cutoff=8,records=80,k=2"};
    tally sums = {0};
    for (uint32_t i = 0; i < test_times(90, 12); i++) {
        scene *s = i % 3 == 0   ? scene_noise("noise", 30 + i % 7, 28, 10 + i % 30, i)
                   : i % 3 == 1 ? scene_rooms("rooms", 40, 30 + i % 5, 6 + i % 5, i)
                                : scene_blocks("blocks", 40, 32, 12, i);
        if (i % 7 == 3) scene_make_hex(s);
        cairn_profile profile = s->profile;
        if (i % 5 == 1 && i % 7 != 3) profile.neighbours = CAIRN_NEIGHBOURS_4;
        profile.corners = (cairn_corners)(i % CAIRN_CORNERS_COUNT);
        kit k = kit_of_scene(s, &profile);
        kit_plan(&k, specs[i % LENGTH(specs)]);
        scene_rng rng = {i + 1};
        for (uint32_t n = 0; n < 20; n++) {
            cairn_node ends[2] = {scene_pick(s, &rng), scene_pick(s, &rng)};
            if (may_reach(k.space, ends[0], ends[1]))
                walk_as_written(s->name, k.planner, ends, &sums);
        }
        kit_end(&k, s);
    }
    CHECK(sums.direct && sums.by_record > 20 && sums.alone > 20 && sums.learnt > 100,
          "%u direct, %u by records, %u alone, %u learnt", sums.direct, sums.by_record, sums.alone,
          (unsigned)sums.learnt);
}

/* A hollow that opens towards the start. */
static scene *hollow(void)
{
    scene *s = scene_blank("hollow", 60, 41);
    for (uint32_t y = 5; y < 36; y++) s->open[y * 60 + 50] = 0;
    for (uint32_t x = 15; x < 50; x++) s->open[5 * 60 + x] = s->open[35 * 60 + x] = 0;
    return s;
}

static void an_agent_learns_within_its_memory(void **state)
{
    (void)state;
    scene *s = hollow();
    kit k = kit_of_scene(s, NULL);
    kit_plan(&k, "knn-lrtastar:records=1,cutoff=4,unfit=goal"); /* too short for any record */
    uint64_t least = UINT64_MAX, most = 0;
    uint32_t refused = 0;
    for (size_t limit = 500; limit < 60000; limit += 700) {
        cairn_navigator_options options = {.byte_limit = limit};
        cairn_navigator *navigator;
        cairn_move m = {0};
        cairn_status status = cairn_navigator_create(k.planner, &options, &navigator);
        if (status != CAIRN_OK) {
            CHECK_STATUS(status, CAIRN_OUT_OF_MEMORY);
            continue;
        }
        CHECK_OK(cairn_navigator_start(navigator, 20 * 60 + 20, 20 * 60 + 58));
        for (uint32_t turn = 0; turn < 100000 && !m.arrived && m.status == CAIRN_OK; turn++)
            cairn_navigator_next(navigator, &m);
        cairn_walk_sums sums = cairn_navigator_sums(navigator);
        CHECK(m.arrived || m.status == CAIRN_OUT_OF_MEMORY, "%s", cairn_status_text(m.status));
        CHECK(sums.bytes <= limit + 512, "%u bytes, %u are allowed", (unsigned)sums.bytes,
              (unsigned)limit);
        refused += !m.arrived;
        if (m.arrived && limit < least) least = limit;
        if (m.arrived && sums.bytes > most) most = sums.bytes;
        cairn_navigator_destroy(navigator);
    }
    CHECK(refused > 1 && least < 40000, "%u refused, %u bytes suffice, %u used", refused,
          (unsigned)least, (unsigned)most);
    kit_end(&k, s);
}

/* ---- quality ----------------------------------------------------------------------------- */

static void more_records_make_better_paths(void **state)
{
    (void)state;
    static const char *const specs[] = {"knn-lrtastar:records=20", "knn-lrtastar:records=300",
                                        "knn-lrtastar:records=8000"};
    kit k = kit_of_map(NULL, "facility.map", NULL);
    double before = 1e9;
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        double costlier = kit_costlier(&k, specs[i], 100);
        CHECK(costlier < before, "%s: %g %% longer, %g before", specs[i], costlier, before);
        before = costlier;
    }
    kit_close(&k);
}

/* ---- one index for all ------------------------------------------------------------------- */

static void four_threads_walk_on_one_mapped_index(void **state)
{
    (void)state;
    crowd_test("knn-lrtastar");
}

static void a_swamp_makes_agents_plan(void **state)
{
    (void)state;
    swamp_test("knn-lrtastar");
}

/* ---- an index that is wrong -------------------------------------------------------------- */

/* Queries on it find what there is to find. */
static void ask_all_the_same(kit *k, const scene *s, uint64_t seed)
{
    scene_rng rng = {seed};
    for (uint32_t n = 0; n < 4; n++) {
        cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
        const cairn_path *path;
        CHECK_STATUS(cairn_search_find(k->search, &query, &path),
                     may_reach(k->space, query.from, query.to) ? CAIRN_FOUND : CAIRN_UNREACHABLE);
    }
}

static void an_index_that_is_wrong_does_no_harm(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 24, 20, 25, 5);
    kit k = kit_of_scene(s, &s->profile);
    uint32_t passed = 0, refused = 0;
    kit_plan(&k, "knn-lrtastar");
    crn_knn *index = k.planner->index;
    crn_knn_array *arrays[2] = {&index->problems, &index->subgoals};
    for (uint32_t a = 0; a < 2; a++) {
        for (size_t i = 0; i < arrays[a]->count; i++) {
            uint32_t kept = arrays[a]->owned[i];
            arrays[a]->owned[i] = kept ^ 1u << (i + a) % 10;
            if (crn_knn_check(index, map_of(k.planner), false)) {
                refused++;
            } else {
                passed++;
                ask_all_the_same(&k, s, i + 1);
            }
            arrays[a]->owned[i] = kept;
        }
    }
    CHECK(passed > 20 && refused > 50, "%u passed, %u refused", passed, refused);
    assert_null(crn_knn_check(index, map_of(k.planner), true));
    kit_end(&k, s);
}

static void an_index_out_of_order_is_refused(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 24, 20, 25, 5);
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "knn-lrtastar");
    crn_knn *index = k.planner->index;
    const crn_grid_space *map = map_of(k.planner);
    uint32_t *owned = index->problems.owned, count = crn_knn_count(index);
    crn_knn_record first = crn_knn_at(index, 0), last = crn_knn_at(index, count - 1);
    owned[0] = last.start, owned[1] = last.goal;
    owned[(count - 1) * CRN_KNN_WORDS] = first.start;
    owned[(count - 1) * CRN_KNN_WORDS + 1] = first.goal;
    assert_string_equal(crn_knn_check(index, map, false), "the records are not in order");
    owned[0] = first.start, owned[1] = first.goal;
    owned[(count - 1) * CRN_KNN_WORDS] = last.start;
    owned[(count - 1) * CRN_KNN_WORDS + 1] = last.goal;
    index->problems.count--;
    assert_string_equal(crn_knn_check(index, map, false), "too many records, or half a one");
    index->problems.count -= 2;
    assert_string_equal(crn_knn_check(index, map, false), "subgoals without a record");
    index->problems.count += 3;
    assert_null(crn_knn_check(index, map, false));
    kit_end(&k, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_record_is_climbed_in_every_scene),
        cmocka_unit_test(every_record_is_climbed_on_generated_maps),
        cmocka_unit_test(a_lookup_looks_at_few_records),
        cmocka_unit_test(agents_walk_as_written_down),
        cmocka_unit_test(an_agent_learns_within_its_memory),
        cmocka_unit_test(more_records_make_better_paths),
        cmocka_unit_test(four_threads_walk_on_one_mapped_index),
        cmocka_unit_test(a_swamp_makes_agents_plan),
        cmocka_unit_test(an_index_that_is_wrong_does_no_harm),
        cmocka_unit_test(an_index_out_of_order_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
