/* test_dlrtastar.c: D LRTA*: subgoals are where cheapest paths enter nearer areas, agents walk step
 * by step as written down here once more, arrive, and arrive with a wrong index too. That paths are
 * legal, and found whenever there is one, is checked for every algorithm by the conformance suite.
 */
#include "slow_lrta.h"

#include "realtime/dlrtastar/dlrtastar_index.h"

static const crn_dlrta *index_of(const cairn_planner *planner)
{
    return planner->index;
}

static cairn_node entry_of(const crn_dlrta *index, uint32_t from, uint32_t to)
{
    return index->entries[(size_t)from * index->count + to];
}

/* ---- the index --------------------------------------------------------------------------- */

/* What is cheapest from each representative to one of them, by the oracle. */
static void check_goal(const char *text, const cairn_planner *planner, oracle *o, uint32_t goal)
{
    const crn_dlrta *index = index_of(planner);
    oracle_search(o, index->homes[goal]);
    for (uint32_t i = 0; i < index->count; i++) {
        cairn_node home = index->homes[i], entry = entry_of(index, i, goal);
        uint64_t cost = o->distance[home];
        CHECK((entry == CAIRN_NO_NODE) == (i == goal || cost == ORACLE_NONE), "%s: from %u to %u",
              text, i, goal);
        if (entry == CAIRN_NO_NODE) continue;
        uint32_t next = index->areas[entry];
        CHECK(next < index->count && o->distance[index->homes[next]] < cost,
              "%s: the subgoal from %u to %u is no nearer", text, i, goal);
        CHECK(o->distance[entry] <= cost, "%s: the subgoal from %u to %u leads away", text, i,
              goal);
    }
}

/* The subgoal lies on a cheapest path between the representatives: both parts add up. */
static void check_on_path(const char *text, const cairn_planner *planner, oracle *o, uint32_t from)
{
    const crn_dlrta *index = index_of(planner);
    cairn_search *search;
    cairn_planner *exact;
    cairn_space *space = (cairn_space *)(uintptr_t)cairn_planner_space(planner);
    CHECK_OK(cairn_planner_create(space, "astar", &exact, NULL));
    CHECK_OK(cairn_search_create(exact, NULL, &search));
    oracle_search(o, index->homes[from]);
    for (uint32_t goal = 0; goal < index->count; goal++) {
        cairn_node entry = entry_of(index, from, goal);
        const cairn_path *path;
        if (entry == CAIRN_NO_NODE) continue;
        cairn_query query = {.from = entry, .to = index->homes[goal]};
        CHECK_STATUS(cairn_search_find(search, &query, &path), CAIRN_FOUND);
        CHECK(o->distance[entry] + path->cost == o->distance[index->homes[goal]],
              "%s: the subgoal from %u to %u is not on a cheapest path", text, from, goal);
    }
    cairn_search_destroy(search);
    cairn_planner_destroy(exact);
}

static void check_subject(subject *s)
{
    const crn_dlrta *index = index_of(s->planner);
    for (cairn_node n = 0; n < s->place->oracle->count && index->count; n++) {
        CHECK(index->areas[n] == CRN_DLRTA_NONE || s->place->oracle->usable[n], "%s: %u",
              subject_text(s), n);
    }
    for (uint32_t i = 0; i < index->count; i++)
        check_goal(subject_text(s), s->planner, s->place->oracle, i);
    if (index->count)
        check_on_path(subject_text(s), s->planner, s->place->oracle, index->count / 2);
}

static void subgoals_are_nearer_in_every_scene(void **state)
{
    (void)state;
    conformance_each_of("dlrtastar", PLACES_ALL | SETTINGS_ONE, check_subject);
    conformance_each_of("dlrtastar", PLACES_FEW | SETTINGS_EACH, check_subject);
}

/* ---- walks ------------------------------------------------------------------------------- */

static void walk_as_written(const char *text, cairn_planner *planner, cairn_node ends[2],
                            uint64_t sums[2])
{
    const crn_dlrta *index = index_of(planner);
    expected e = expected_begin(text, planner, ends[0], ends[1]);
    for (cairn_node at; (at = cairn_navigator_at(e.navigator)) != ends[1]; sums[0]++) {
        uint32_t from = index->count ? index->areas[at] : CRN_DLRTA_NONE,
                 to = index->count ? index->areas[ends[1]] : CRN_DLRTA_NONE;
        bool alone = from == to || from == CRN_DLRTA_NONE;
        expected_leg(&e, alone ? ends[1] : entry_of(index, from, to));
    }
    sums[1] += e.learnt;
    expected_end(&e);
}

static void agents_walk_as_written_down(void **state)
{
    (void)state;
    static const char *const specs[] = {"dlrtastar", "dlrtastar:level=2", "dlrtastar:level=40"};
    uint64_t sums[2] = {0, 0};
    for (uint32_t i = 0; i < test_times(90, 9); i++) {
        scene *s = i % 3 == 0   ? scene_noise("noise", 30 + i % 7, 28, 10 + i % 30, i)
                   : i % 3 == 1 ? scene_rooms("rooms", 40, 30 + i % 5, 6 + i % 5, i)
                                : scene_blocks("blocks", 40, 32, 12, i);
        if (i % 7 == 3) scene_make_hex(s);
        cairn_profile profile = s->profile;
        if (i % 5 == 1 && i % 7 != 3) profile.neighbours = CAIRN_NEIGHBOURS_4;
        profile.corners = (cairn_corners)(i % CAIRN_CORNERS_COUNT);
        kit k = kit_of_scene(s, &profile);
        kit_plan(&k, specs[i % 4 % LENGTH(specs)]);
        scene_rng rng = {i + 1};
        for (uint32_t n = 0; n < 20; n++) {
            cairn_node ends[2] = {scene_pick(s, &rng), scene_pick(s, &rng)};
            if (may_reach(k.space, ends[0], ends[1]))
                walk_as_written(s->name, k.planner, ends, sums);
        }
        kit_end(&k, s);
    }
    CHECK(sums[0] > 200 && sums[1] > 100, "%u subgoals, %u learnt", (unsigned)sums[0],
          (unsigned)sums[1]);
}

/* Lower levels have more areas, and paths are better. */
static void lower_levels_make_better_paths(void **state)
{
    (void)state;
    static const char *const specs[] = {"dlrtastar:level=40", "dlrtastar:level=6",
                                        "dlrtastar:level=4"};
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
    crowd_test("dlrtastar");
}

static void a_swamp_makes_agents_plan(void **state)
{
    (void)state;
    swamp_test("dlrtastar");
}

/* ---- an index that is wrong -------------------------------------------------------------- */

static void an_index_that_is_wrong_does_no_harm(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 24, 20, 25, 5);
    kit k = kit_of_scene(s, &s->profile);
    uint32_t passed = 0, refused = 0;
    kit_plan(&k, "dlrtastar");
    const crn_dlrta *index = index_of(k.planner);
    uint32_t *entries = (uint32_t *)(uintptr_t)index->entries;
    assert_true(index->count > 4);
    for (size_t i = 0; i < (size_t)index->count * index->count; i++) {
        uint32_t kept = entries[i];
        entries[i] = kept ^ 1u << i % 9;
        if (crn_dlrta_check(index, map_of(k.planner))) {
            refused++;
        } else {
            scene_rng rng = {i + 1};
            passed++;
            for (uint32_t n = 0; n < 3; n++) {
                cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
                const cairn_path *path;
                CHECK_STATUS(cairn_search_find(k.search, &query, &path),
                             may_reach(k.space, query.from, query.to) ? CAIRN_FOUND
                                                                      : CAIRN_UNREACHABLE);
            }
        }
        entries[i] = kept;
    }
    CHECK(passed > 20 && refused > 50, "%u passed, %u refused", passed, refused);
    kit_end(&k, s);
}

static void areas_that_are_wrong_are_refused(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 24, 20, 25, 5);
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "dlrtastar");
    const crn_dlrta *index = index_of(k.planner);
    const crn_grid_space *map = map_of(k.planner);
    uint16_t *areas = (uint16_t *)(uintptr_t)index->areas;
    uint32_t *homes = (uint32_t *)(uintptr_t)index->homes,
             *entries = (uint32_t *)(uintptr_t)index->entries, n = index->count;
    areas[5] = (uint16_t)n;
    assert_string_equal(crn_dlrta_check(index, map), "a cell belongs to no area");
    kit_plan(&k, "dlrtastar");
    index = index_of(k.planner);
    homes = (uint32_t *)(uintptr_t)index->homes;
    entries = (uint32_t *)(uintptr_t)index->entries;
    cairn_node home = homes[0];
    homes[0] = homes[1];
    assert_string_equal(crn_dlrta_check(index, map), "a representative lies outside of its area");
    homes[0] = home;
    /* from two areas to a third one by way of each other */
    uint32_t a = 0, b = 1, c = n - 1;
    cairn_node kept[2] = {entries[a * n + c], entries[b * n + c]};
    entries[a * n + c] = homes[b];
    entries[b * n + c] = homes[a];
    assert_string_equal(crn_dlrta_check(index, map), "subgoals lead in a circle");
    entries[a * n + c] = kept[0];
    entries[b * n + c] = kept[1];
    assert_null(crn_dlrta_check(index, map));
    kit_end(&k, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subgoals_are_nearer_in_every_scene),
        cmocka_unit_test(agents_walk_as_written_down),
        cmocka_unit_test(lower_levels_make_better_paths),
        cmocka_unit_test(four_threads_walk_on_one_mapped_index),
        cmocka_unit_test(a_swamp_makes_agents_plan),
        cmocka_unit_test(an_index_that_is_wrong_does_no_harm),
        cmocka_unit_test(areas_that_are_wrong_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
