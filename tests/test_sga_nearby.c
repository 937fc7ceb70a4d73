/* test_sga_nearby.c: the searches in a window that lead SGA* round small obstacles, against A* of
 * the whole map: the same cells, with the same counts; what a window cannot tell it does not tell.
 * Besides: corners that need no search, and what small obstacles cost in memory.
 */
#include "kit.h"

#include "spatial/sga/sga_nearby.h"

enum { PROBLEMS = 400, STEPS = 400 };

typedef struct outcome {
    crn_nearby_answer answer;
    uint8_t directions[STEPS];
    uint32_t count;
    cairn_metrics metrics;
} outcome;

/* One search in a window, this many units of work at a time; false: both cells are too far apart. */
static bool search_window(crn_nearby *nearby, cairn_cell from, cairn_cell to, uint64_t slice,
                          outcome *out)
{
    nearby->search->metrics = (cairn_metrics){0};
    if (!crn_nearby_begin(nearby, from, to)) return false;
    do {
        uint64_t work = slice;
        out->answer = crn_nearby_step(nearby, &work);
    } while (out->answer == CRN_NEARBY_RUNNING);
    out->metrics = nearby->search->metrics;
    out->count = 0;
    if (out->answer != CRN_NEARBY_FOUND) return true;
    cairn_cell end = to;
    for (uint32_t read = 7; read == 7; out->count += read) {
        read = crn_nearby_back(nearby, out->directions + out->count, 7, &end);
    }
    assert_true(end.x == from.x && end.y == from.y);
    return true;
}

/* The way of the window, from its end to its start, is that of A*, from its start to its end. */
static void check_cells(const kit *k, const cairn_path *path, const outcome *o, cairn_cell to)
{
    cairn_cell at = to;
    uint32_t point = path->count - 1;
    for (uint32_t i = 0; i < o->count; i++) {
        at.x += crn_dx[o->directions[i]];
        at.y += crn_dy[o->directions[i]];
        cairn_cell next = cairn_grid_cell(k->grid, path->nodes[point - 1]);
        bool turns = i + 1 == o->count || o->directions[i] != o->directions[i + 1];
        CHECK(turns == (at.x == next.x && at.y == next.y), "step %u of %u leads elsewhere", i,
              o->count);
        point -= turns;
    }
    assert_int_equal(point, 0);
}

static uint32_t answers[4];

static void compare_windows(kit *k, const scene *s, uint64_t seed)
{
    cairn_search user = {.space = k->space};
    crn_nearby *nearby = malloc(sizeof *nearby);
    assert_non_null(nearby);
    crn_nearby_open(nearby, &user);
    assert_true(crn_nearby_prepare(nearby));
    kit_plan(k, "astar");
    scene_rng rng = {seed};
    for (uint32_t n = 0; n < PROBLEMS; n++) {
        cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
        cairn_cell a = cairn_grid_cell(k->grid, from), b = cairn_grid_cell(k->grid, to);
        outcome o, sliced;
        bool near = abs(a.x - b.x) <= (int)CRN_NEARBY_FAR &&
                    abs(a.y - b.y) <= (int)CRN_NEARBY_FAR && from != to;
        if (from == to) continue;
        CHECK(search_window(nearby, a, b, 1000, &o) == near, "%u and %u: near or not", from, to);
        if (!near) continue;
        search_window(nearby, a, b, 1, &sliced);
        CHECK(o.answer == sliced.answer && o.count == sliced.count &&
                  !memcmp(o.directions, sliced.directions, o.count),
              "%u to %u: another way in slices", from, to);
        assert_memory_equal(&o.metrics, &sliced.metrics, sizeof o.metrics);
        answers[o.answer]++;
        const cairn_path *path;
        cairn_status status =
            cairn_search_find(k->search, &(cairn_query){.from = from, .to = to}, &path);
        cairn_metrics m = cairn_search_metrics(k->search);
        if (o.answer == CRN_NEARBY_CLOSED) assert_int_equal(status, CAIRN_UNREACHABLE);
        if (o.answer != CRN_NEARBY_FOUND) continue;
        CHECK_STATUS(status, CAIRN_FOUND);
        check_cells(k, path, &o, b);
        /* What the step that finds the goal finds besides is put on the list only if it may be
         * better. */
        CHECK(o.metrics.expanded == m.expanded && o.metrics.generated == m.generated &&
                  o.metrics.pushes <= m.pushes && o.metrics.work == m.work &&
                  o.metrics.reopened == m.reopened,
              "%u to %u: %u expansions, %u of A*", from, to, (unsigned)o.metrics.expanded,
              (unsigned)m.expanded);
    }
    free(nearby);
}

static void windows_tell_what_whole_maps_tell(void **state)
{
    (void)state;
    memset(answers, 0, sizeof answers);
    for (uint32_t i = 0; i < 6; i++) {
        scene *s = i < 2   ? scene_noise("noise", 40, 30, 30 + 10 * i, 5 + i)
                   : i < 4 ? scene_blocks("blocks", 40, 30, 40, 7 + i)
                           : scene_rooms("rooms", 33, 33, 8, 3 + i);
        cairn_profile profile;
        for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
            if (profile.neighbours != CAIRN_NEIGHBOURS_8) continue;
            kit k = kit_of_scene(s, &profile);
            compare_windows(&k, s, 100 + i);
            kit_close(&k);
        }
        scene_destroy(s);
    }
    CHECK(answers[CRN_NEARBY_FOUND] > 1000 && answers[CRN_NEARBY_CLOSED] > 20 &&
              answers[CRN_NEARBY_NARROW] > 100,
          "%u found, %u closed, %u narrow", answers[CRN_NEARBY_FOUND], answers[CRN_NEARBY_CLOSED],
          answers[CRN_NEARBY_NARROW]);
}

/* A wall in the middle column of this many cells beyond the row of both ends: the way round it comes
 * as far as the border of the window, or not. */
static void the_border_of_the_window_is_seen(void **state)
{
    (void)state;
    for (uint32_t beyond = 1; beyond <= 20; beyond++) {
        scene *s = scene_blank("wall", 80, 81);
        for (uint32_t y = 40 - beyond; y <= 40 + beyond; y++) s->open[y * s->width + 40] = 0;
        kit k = kit_of_scene(s, &s->profile);
        const cairn_path *path;
        uint64_t peaks[2];
        for (uint32_t i = 0; i < 2; i++) { /* from far away on that line, and by A* */
            kit_plan(&k, i ? "astar" : "sga:variant=3");
            cairn_query query = {.from = 40 * s->width + 39, .to = 40 * s->width + 41};
            CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
            CHECK(path->length > 2 * beyond && path->length < 2 * beyond + 5, "%u: %f", beyond,
                  path->length);
            peaks[i] = cairn_search_metrics(k.search).peak_bytes;
        }
        /* The window is 32 cells high and ends 16 above and 15 below its middle. */
        if (beyond <= 4) CHECK(peaks[0] < 6500, "%u: %u bytes", beyond, (unsigned)peaks[0]);
        if (beyond >= 15) CHECK(peaks[0] > peaks[1], "%u: %u bytes", beyond, (unsigned)peaks[0]);
        kit_end(&k, s);
    }
}

/* Every ground plan of three rows and five columns between both ends: if there is no need to
 * search, the path is as short as A*'s. */
static void corners_are_gone_round_the_shortest_way(void **state)
{
    (void)state;
    uint32_t unsearched = 0;
    for (uint32_t plan = 0; plan < 1u << 8; plan++) {
        scene *s = scene_blank("corner", 12, 12);
        for (uint32_t i = 0; i < 8; i++) {
            /* beside (3, 4), and beside (7, 5) */
            uint32_t x = i < 4 ? 4 + i : i - 1, y = i < 4 ? 4 : 5;
            if (plan >> i & 1) s->open[y * s->width + x] = 0;
        }
        kit k = kit_of_scene(s, &s->profile);
        for (uint32_t turned = 0; turned < 2; turned++) {
            const cairn_path *path;
            cairn_query query = {.from = 4 * s->width + 3, .to = 5 * s->width + 7};
            if (turned) query = (cairn_query){.from = query.to, .to = query.from};
            kit_plan(&k, "astar");
            CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
            cairn_cost cost = path->cost;
            /* searches lead all the path from one end to the sub-goal */
            kit_plan(&k, "sga:variant=3");
            CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
            unsearched += cairn_search_metrics(k.search).expanded == 0;
            bool once = cairn_search_metrics(k.search).expanded == 0 && path->count <= 4;
            if (once) CHECK(path->cost == cost, "plan %x: %u, not %u", plan, path->cost, cost);
        }
        kit_end(&k, s);
    }
    CHECK(unsearched > 8, "only %u without a search", unsearched);
}

static void small_obstacles_take_little_memory(void **state)
{
    (void)state;
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    cairn_generator generator = {.kind = CAIRN_GENERATE_PSEUDO_RTS,
                                 .width = 200,
                                 .height = 200,
                                 .percent = 30,
                                 .largest = 6,
                                 .seed = 5};
    CHECK_OK(cairn_context_create(NULL, &context));
    CHECK_OK(cairn_generate(context, &generator, &grid, NULL));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    CHECK_OK(cairn_planner_create(space, "sga", &planner, NULL));
    /* Memory for a search of the whole map is not there, and not missed. */
    CHECK_OK(cairn_search_create(planner, &(cairn_search_options){.byte_limit = 16000}, &search));
    scene_rng rng = {3};
    uint32_t found = 0;
    while (found < 100) {
        cairn_query query = {.from = scene_random(&rng, 40000), .to = scene_random(&rng, 40000)};
        if (!cairn_space_usable(space, query.from) || !cairn_space_usable(space, query.to))
            continue;
        const cairn_path *path;
        CHECK_STATUS(cairn_search_find(search, &query, &path), CAIRN_FOUND);
        uint64_t peak = cairn_search_metrics(search).peak_bytes;
        CHECK(peak < 8000, "%u bytes", (unsigned)peak);
        found++;
    }
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_tell_what_whole_maps_tell),
        cmocka_unit_test(the_border_of_the_window_is_seen),
        cmocka_unit_test(corners_are_gone_round_the_shortest_way),
        cmocka_unit_test(small_obstacles_take_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
