/* test_alt.c: landmarks: the table is what it says, the landmarks are the farthest, estimates never
 * exceed the rest, closing keeps the table and opening does not, damaged tables do no harm, and the
 * index shows its landmarks and how far all is from them. That answers are optimal is checked for
 * every algorithm by the conformance suite.
 */
#include "conformance.h"
#include "files.h"
#include "items.h"
#include "kit.h"

#include <cairn/generate.h>

enum { HEAD = 3, MOST = 8 };
#define FAR CAIRN_NO_COST

/* ---- the table ------------------------------------------------------------------------ */

/* A saved index, taken apart. */
typedef struct table {
    bytes file;
    cairn_archive *archive;
    const uint32_t *numbers; /* count, both, steep, landmarks */
    const uint32_t *distances;
    size_t size;
    uint32_t width, height; /* of the grid; 0 of other worlds */
} table;

/* How many distances of a landmark are stored: on grids those of whole tiles. */
static size_t table_column(const table *t)
{
    if (!t->width) return t->size / 4 / t->numbers[0];
    return (size_t)((t->width + 15) / 16) * ((t->height + 15) / 16) * 256;
}

/* What is stored of a node: on grids in tiles of 16×16 cells, each in blocks of 4×4 cells. */
static uint32_t table_distance(const table *t, cairn_node node, uint32_t landmark)
{
    size_t at = node;
    if (t->width) {
        uint32_t x = node % t->width, y = node / t->width, columns = (t->width + 15) / 16;
        uint32_t tile = y / 16 * columns + x / 16, block = y % 16 / 4 * 4 + x % 16 / 4;
        at = tile * 256 + block * 16 + y % 4 * 4 + x % 4;
    }
    return t->distances[landmark * table_column(t) + at];
}

static table table_of(const cairn_planner *planner)
{
    table t = {.file = saved(planner)};
    const cairn_grid *grid = cairn_space_grid(cairn_planner_space(planner));
    size_t numbers;
    if (grid) t.width = cairn_grid_width(grid), t.height = cairn_grid_height(grid);
    t.archive = opened(context_of(planner), &t.file);
    t.numbers = cairn_archive_section(t.archive, "index.marks", 4, &numbers);
    t.distances = cairn_archive_section(t.archive, "index.landmarks", 4, &t.size);
    assert_non_null(t.numbers);
    assert_non_null(t.distances);
    assert_int_equal(numbers, (HEAD + MOST) * sizeof *t.numbers);
    return t;
}

static void table_free(table *t)
{
    cairn_archive_close(t->archive);
    bytes_free(&t->file);
}

static void each_place(const char *spec, subject_test *test)
{
    const cairn_algorithm *alt = cairn_algorithm_find("alt", 3);
    for (uint32_t i = 0; i < scene_count() + graph_scene_count(); i++) {
        scene *drawn = i < scene_count() ? scene_at(i) : NULL;
        cairn_corners corners = (cairn_corners)(i % CAIRN_CORNERS_COUNT);
        place *p = drawn ? place_of_scene(drawn, drawn->profile.neighbours, corners)
                         : place_of_graph(graph_scene_at(i - scene_count()));
        subject s;
        assert_true(subject_open(&s, p, alt, spec));
        test(&s);
        subject_close(&s);
        place_destroy(p);
    }
}

/* Stored distances against the oracle's; what the edges say about them. */
static void check_column(const subject *s, const table *t, uint32_t i, bool *both, uint64_t *steep)
{
    const oracle *o = s->place->oracle;
    oracle_search(s->place->oracle, t->numbers[HEAD + i]);
    for (cairn_node n = 0; n < o->count; n++) {
        uint64_t d = o->distance[n];
        uint32_t expected = d >= FAR ? FAR : (uint32_t)d, stored = table_distance(t, n, i);
        CHECK(stored == expected, "%s: landmark %u, node %u: %u, not %u", subject_text(s), i, n,
              stored, expected);
        for (uint32_t e = o->first[n]; o->usable[n] && e < o->first[n + 1]; e++) {
            uint64_t to = o->distance[o->to[e]];
            if ((d == ORACLE_NONE) != (to == ORACLE_NONE)) *both = false;
            if (d == ORACLE_NONE && to != ORACLE_NONE) *steep = CAIRN_COST_MAX;
            if (d == ORACLE_NONE || to == ORACLE_NONE || d <= to) continue;
            if (d - to > o->cost[e]) *both = false;
            if (d - to > *steep) *steep = d - to;
        }
    }
}

/* The node that is farthest from the first i landmarks by what is stored; CAIRN_NO_NODE if none is
 * away. */
static cairn_node farthest(const table *t, uint32_t nodes, uint32_t chosen)
{
    cairn_node best = CAIRN_NO_NODE;
    uint32_t most = 0;
    for (cairn_node n = 0; n < nodes; n++) {
        uint32_t nearest = FAR;
        bool reached = true;
        for (uint32_t i = 0; i < chosen; i++) {
            uint32_t d = table_distance(t, n, i);
            if (d == FAR) reached = false;
            if (d < nearest) nearest = d;
        }
        if (reached && nearest > most) most = nearest, best = n;
    }
    return best;
}

static void inspect_table(subject *s)
{
    table t = table_of(s->planner);
    uint32_t count = t.numbers[0], nodes = s->place->oracle->count;
    bool both = true;
    uint64_t steep = 0;
    assert_int_equal(t.size, count * table_column(&t) * 4);
    assert_true(table_column(&t) >= nodes);
    for (uint32_t i = 0; i < count; i++) {
        cairn_node landmark = t.numbers[HEAD + i];
        if (i > 0) CHECK(landmark == farthest(&t, nodes, i), "%s: landmark %u", subject_text(s), i);
        if (landmark == CAIRN_NO_NODE) break;
        check_column(s, &t, i, &both, &steep);
    }
    CHECK(t.numbers[1] == both && t.numbers[2] == steep, "%s: both %u, steep %u", subject_text(s),
          t.numbers[1], t.numbers[2]);
    table_free(&t);
}

static void the_table_holds_the_distances_and_the_landmarks_are_the_farthest(void **state)
{
    (void)state;
    each_place("alt:place=farthest", inspect_table);
    each_place("alt:landmarks=8,place=farthest", inspect_table);
}

/* Each landmark that is kept has its own distances, and no two are the same. */
static void inspect_best(subject *s)
{
    table t = table_of(s->planner);
    uint32_t count = t.numbers[0];
    bool both = true;
    uint64_t steep = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (t.numbers[HEAD + i] == CAIRN_NO_NODE) continue;
        check_column(s, &t, i, &both, &steep);
        for (uint32_t k = 0; k < i; k++)
            assert_int_not_equal(t.numbers[HEAD + i], t.numbers[HEAD + k]);
    }
    CHECK((both || !t.numbers[1]) && steep <= t.numbers[2], "%s: both %u, steep %u",
          subject_text(s), t.numbers[1], t.numbers[2]);
    table_free(&t);
}

static void the_best_landmarks_keep_their_distances(void **state)
{
    (void)state;
    each_place("alt:place=best", inspect_best);
}

/* ---- estimates ------------------------------------------------------------------------ */

typedef struct judge {
    const subject *subject;
    const oracle *rest; /* distances to the goal */
    uint64_t judged, above_straight;
    cairn_node goal;
} judge;

static void judge_event(void *user, const cairn_event *event)
{
    judge *j = user;
    if (event->kind != CAIRN_EVENT_GENERATE && event->kind != CAIRN_EVENT_EXPAND) return;
    uint64_t rest = j->rest->distance[event->node];
    CHECK(event->h <= rest, "%s: node %u to %u: estimate %u, the rest costs %llu",
          subject_text(j->subject), event->node, j->goal, event->h, (unsigned long long)rest);
    cairn_cost straight =
        cairn_estimate(j->subject->place->space, CAIRN_HEURISTIC_AUTO, event->node, j->goal);
    assert_true(event->h >= straight);
    j->above_straight += event->h > straight;
    j->judged++;
}

/* The same edges, the other way round. */
static oracle *turned_round(const oracle *o)
{
    cairn_graph_edge *edges = malloc((o->edges + 1u) * sizeof *edges);
    if (!edges) abort();
    uint32_t count = 0;
    for (cairn_node n = 0; n < o->count; n++) {
        for (uint32_t e = o->first[n]; e < o->first[n + 1]; e++) {
            edges[count++] = (cairn_graph_edge){o->to[e], n, (uint32_t)o->cost[e]};
        }
    }
    oracle *turned = oracle_of_edges(o->count, edges, count, false);
    free(edges);
    return turned;
}

static uint64_t judge_estimates(subject *s, scene_rng *rng)
{
    oracle *rest = turned_round(s->place->oracle);
    judge j = {.subject = s, .rest = rest};
    cairn_trace_sink sink = {.event = judge_event, .user = &j};
    cairn_search_trace(s->search, &sink);
    for (uint32_t i = 0; i < 12; i++) {
        cairn_node from = scene_random(rng, rest->count);
        j.goal = scene_random(rng, rest->count);
        if (!s->place->oracle->usable[from] || !s->place->oracle->usable[j.goal]) continue;
        oracle_search(rest, j.goal);
        cairn_search_find(s->search, &(cairn_query){.from = from, .to = j.goal}, NULL);
    }
    cairn_search_trace(s->search, NULL);
    oracle_destroy(rest);
    return j.above_straight;
}

static uint64_t above_straight;

static void judge_place(subject *s)
{
    scene_rng rng = {s->place->oracle->count};
    above_straight += judge_estimates(s, &rng);
}

static void estimates_never_exceed_the_rest_of_the_way(void **state)
{
    (void)state;
    above_straight = 0;
    each_place("alt", judge_place);
    each_place("alt:landmarks=8,loop=generic", judge_place);
    each_place("alt:landmarks=1,open=heap", judge_place);
    assert_true(above_straight > 1000);
}

/* A corridor so long that distances take far more than 16 bits: they are exact all the same, and
 * the estimates from one end to the other are the costs themselves. */
static void long_distances_are_exact(void **state)
{
    (void)state;
    place *p =
        place_of_scene(scene_serpent("long", 301, 201), CAIRN_NEIGHBOURS_8, CAIRN_CORNERS_NEVER);
    subject s;
    assert_true(subject_open(&s, p, cairn_algorithm_find("alt", 3), "alt"));
    inspect_table(&s);
    table t = table_of(s.planner);
    cairn_node from = t.numbers[HEAD], to = t.numbers[HEAD + 1];
    cairn_cost cost = table_distance(&t, to, 0);
    assert_true(cost > 1u << 24);
    table_free(&t);
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(s.search, &(cairn_query){.from = from, .to = to}, &path),
                 CAIRN_FOUND);
    assert_int_equal(path->cost, cost);
    assert_int_equal(cairn_search_metrics(s.search).reopened, 0);
    scene_rng rng = {5};
    judge_estimates(&s, &rng);
    subject_close(&s);
    place_destroy(p);
}

static uint64_t expanded_by(place *p, const char *spec)
{
    subject s;
    uint64_t sum = 0;
    assert_true(subject_open(&s, p, cairn_algorithm_find(spec, strcspn(spec, ":")), spec));
    for (uint32_t i = 0; i < p->query_count; i++) {
        for (uint32_t back = 0; back < 2; back++) {
            const known_query *q = &p->queries[i];
            cairn_query query = {.from = back ? q->to : q->from, .to = back ? q->from : q->to};
            cairn_search_find(s.search, &query, NULL);
            sum += cairn_search_metrics(s.search).expanded;
        }
    }
    subject_close(&s);
    return sum;
}

/* In a corridor landmarks at its ends know every distance: nothing beside the path is looked at, in
 * either direction. */
static void landmarks_save_expansions(void **state)
{
    (void)state;
    place *p =
        place_of_scene(scene_serpent("corridor", 40, 41), CAIRN_NEIGHBOURS_8, CAIRN_CORNERS_NEVER);
    uint64_t steps = 0;
    for (uint32_t i = 0; i < p->query_count; i++) steps += 2 * (uint64_t)p->queries[i].steps;
    uint64_t plain = expanded_by(p, "astar"), with = expanded_by(p, "alt");
    CHECK(with <= steps + 4 * p->query_count && with < plain,
          "%u expanded for %u steps, %u by astar", (unsigned)with, (unsigned)steps,
          (unsigned)plain);
    place_destroy(p);
    p = place_of_scene(scene_rooms("many rooms", 120, 120, 10, 3), CAIRN_NEIGHBOURS_8,
                       CAIRN_CORNERS_NEVER);
    uint64_t last = expanded_by(p, "astar");
    const char *const specs[] = {"alt:landmarks=2", "alt:landmarks=8"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        uint64_t now = expanded_by(p, specs[i]);
        CHECK(now * 10 < last * 9, "%s: %u, before %u", specs[i], (unsigned)now, (unsigned)last);
        last = now;
    }
    place_destroy(p);
}

/* ---- how much they save --------------------------------------------------------------- */

/* A generated map. */
static kit generated(cairn_generator_kind kind, uint32_t side)
{
    cairn_generator generator = cairn_generator_default(kind);
    generator.width = generator.height = side;
    kit k = {0};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_generate(k.context, &generator, &k.grid, NULL));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    return k;
}

/* Nodes that the same random queries expand; the sum of their costs goes into *cost. */
static uint64_t expanded_on(const kit *k, const char *spec, uint32_t queries, uint64_t *cost)
{
    cairn_planner *planner;
    cairn_search *search;
    scene_rng rng = {42};
    uint64_t sum = 0;
    *cost = 0;
    CHECK_OK(cairn_planner_create(k->space, spec, &planner, NULL));
    CHECK_OK(cairn_planner_build(planner, NULL, NULL));
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    while (queries) {
        cairn_query query = {.from = scene_random(&rng, cairn_space_node_count(k->space)),
                             .to = scene_random(&rng, cairn_space_node_count(k->space))};
        const cairn_path *path;
        if (cairn_search_find(search, &query, &path) != CAIRN_FOUND) continue;
        sum += cairn_search_metrics(search).expanded;
        *cost += path->cost;
        queries--;
    }
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    return sum;
}

/* At most this many hundredths of what A* expands, for the same costs. */
static void check_share(const kit *k, const char *spec, uint64_t most)
{
    uint64_t cost, same;
    uint64_t plain = expanded_on(k, "astar", 100, &cost), with = expanded_on(k, spec, 100, &same);
    assert_int_equal(cost, same);
    CHECK(100 * with <= most * plain, "%s: %u expanded, %u by astar", spec, (unsigned)with,
          (unsigned)plain);
}

static void eight_landmarks_save_four_fifths_in_mazes_and_more_than_two_thirds_in_rooms(
    void **state)
{
    (void)state;
    for (uint32_t side = 256; side <= 512; side *= 2) {
        kit maze = generated(CAIRN_GENERATE_MAZE, side),
            rooms = generated(CAIRN_GENERATE_ROOMS, side);
        check_share(&maze, "alt:landmarks=8", 20);
        check_share(&maze, "alt:landmarks=8,place=avoid", 20);
        check_share(&rooms, "alt:landmarks=8", 30);
        kit_close(&maze);
        kit_close(&rooms);
    }
}

/* The loop for uniform grids computes bounds in its own way. */
static void every_count_of_landmarks_searches_alike_in_both_loops(void **state)
{
    (void)state;
    kit k = generated(CAIRN_GENERATE_CAVES, 96);
    for (uint32_t count = 1; count <= MOST; count++) {
        char fast[64], slow[64];
        uint64_t cost, same;
        snprintf(fast, sizeof fast, "alt:landmarks=%u", count);
        snprintf(slow, sizeof slow, "alt:landmarks=%u,open=heap,loop=generic", count);
        uint64_t one = expanded_on(&k, fast, 40, &cost), other = expanded_on(&k, slow, 40, &same);
        assert_int_equal(cost, same);
        /* The orders of equal keys differ, and a bucket holds keys that are nearly equal. */
        CHECK(10 * one < 13 * other && 10 * other < 13 * one, "%u landmarks: %u and %u", count,
              (unsigned)one, (unsigned)other);
    }
    kit_close(&k);
}

/* Than those that are only far from each other. */
static void the_best_landmarks_tell_more(void **state)
{
    (void)state;
    kit k = generated(CAIRN_GENERATE_ROOMS, 256);
    uint64_t cost, same;
    uint64_t best = expanded_on(&k, "alt:landmarks=8", 60, &cost),
             far = expanded_on(&k, "alt:landmarks=8,place=farthest", 60, &same);
    assert_int_equal(cost, same);
    CHECK(20 * best < 19 * far, "%u expanded, %u by the farthest", (unsigned)best, (unsigned)far);
    kit_close(&k);
}

/* One landmark for each node: nodes must be reopened, and pathmax saves expansions. */
static void pathmax_helps_where_neighbours_ask_different_landmarks(void **state)
{
    (void)state;
    kit k = generated(CAIRN_GENERATE_ROOMS, 256);
    uint64_t cost, random_cost, lifted_cost;
    uint64_t plain = expanded_on(&k, "astar", 60, &cost),
             random = expanded_on(&k, "alt:landmarks=8,pick=random", 60, &random_cost),
             lifted = expanded_on(&k, "alt:landmarks=8,pick=random,bpmx=1", 60, &lifted_cost);
    assert_true(cost == random_cost && cost == lifted_cost);
    CHECK(20 * lifted < 19 * random && 10 * random < 7 * plain, "%u, %u and %u expanded",
          (unsigned)lifted, (unsigned)random, (unsigned)plain);
    kit_close(&k);
}

/* ---- avoiding what is known ------------------------------------------------------------ */

enum { ARMS = 8, ARM = 12 };

/* A corridor along the top, and arms of different lengths that lead down from it. */
static scene *scene_of_arms(void)
{
    scene *s = scene_blank("arms", 2 * ARMS, ARM + ARMS + 1);
    for (uint32_t y = 1; y < s->height; y++) {
        for (uint32_t x = 0; x < s->width; x++)
            s->open[y * s->width + x] = x % 2 == 0 && y <= ARM + x / 2;
    }
    return s;
}

/* Each next landmark lies at the end of an arm that has none. */
static void landmarks_avoid_what_is_known(void **state)
{
    (void)state;
    place *p = place_of_scene(scene_of_arms(), CAIRN_NEIGHBOURS_4, CAIRN_CORNERS_NEVER);
    subject s;
    assert_true(subject_open(&s, p, cairn_algorithm_find("alt", 3), "alt:landmarks=8,place=avoid"));
    table t = table_of(s.planner);
    bool taken[ARMS] = {false};
    for (uint32_t i = 0; i < ARMS; i++) {
        assert_int_not_equal(t.numbers[HEAD + i], CAIRN_NO_NODE);
        cairn_cell cell = cairn_grid_cell(p->grid, t.numbers[HEAD + i]);
        uint32_t arm = (uint32_t)cell.x / 2;
        CHECK(cell.y == (int32_t)(ARM + arm) && !taken[arm], "landmark %u: %d, %d", i, cell.x,
              cell.y);
        taken[arm] = true;
    }
    table_free(&t);
    subject_close(&s);
    place_destroy(p);
}

/* ---- edits ---------------------------------------------------------------------------- */

typedef struct change {
    const char *what;
    int field; /* 0 open, 1 terrain, 2 layer, 3 elevation */
    int value;
    bool kept; /* does the table go on serving? */
} change;

/* A flat map with swamp in one row, danger in another. */
static place *place_to_edit(bool heights)
{
    scene *s = scene_noise("edited", 40, 30, 20, 7);
    s->terrain = calloc(40 * 30, 1), s->layer = calloc(40 * 30, 1),
    s->elevation = calloc(40 * 30, 2);
    if (!s->terrain || !s->layer || !s->elevation) abort();
    memset(s->terrain + 10 * 40, 1, 40);
    memset(s->layer + 20 * 40, 9, 40);
    s->profile.terrain_cost[1] = CAIRN_TIMES(3);
    s->profile.terrain_cost[5] = CAIRN_TIMES(2);
    s->profile.layer_weight = 300;
    if (heights) s->profile.gradient = 100;
    s->open[0] = s->open[10 * 40 + 5] = s->open[20 * 40 + 5] = 1;
    return place_of_scene(s, CAIRN_NEIGHBOURS_8, CAIRN_CORNERS_ONE);
}

static void stage(cairn_grid *grid, int field, int32_t x, int32_t y, int value)
{
    cairn_status status = field == 0   ? cairn_grid_set_open(grid, x, y, value)
                          : field == 1 ? cairn_grid_set_terrain(grid, x, y, (uint8_t)value)
                          : field == 2 ? cairn_grid_set_layer(grid, x, y, (uint8_t)value)
                                       : cairn_grid_set_elevation(grid, x, y, (int16_t)value);
    CHECK_OK(status);
}

/* Was the table recomputed by the sync? A landmark sits in the changed cell's region in any
 * case, so that a new table differs: a cell far away is closed first, of which a new table
 * knows. */
static bool kept_after(bool heights, int32_t x, int32_t y, const change *c)
{
    place *p = place_to_edit(heights);
    subject s;
    assert_true(subject_open(&s, p, cairn_algorithm_find("alt", 3), "alt"));
    table before = table_of(s.planner);
    for (int32_t i = 0; i < 30; i += 7) stage(p->grid, 0, 35, i, 0);
    CHECK_OK(cairn_grid_commit(p->grid));
    stage(p->grid, c->field, x, y, c->value);
    CHECK_OK(cairn_grid_commit(p->grid));
    CHECK_OK(cairn_planner_sync(s.planner, NULL, NULL));
    table after = table_of(s.planner);
    bool kept =
        before.size == after.size && !memcmp(before.distances, after.distances, before.size);
    table_free(&before), table_free(&after);
    subject_close(&s);
    place_destroy(p);
    return kept;
}

static void closing_and_dearer_steps_keep_the_table_and_all_else_does_not(void **state)
{
    (void)state;
    static const change swamp[] = {
        {"close", 0, 0, true},          {"plain class", 1, 9, false},
        {"cheaper class", 1, 5, false}, {"forbidden class", 1, 2, true},
        {"more danger", 2, 5, true},    {"height that does not matter", 3, 4, true},
    };
    static const change danger[] = {
        {"less danger", 2, 8, false}, {"more danger", 2, 10, true}, {"dearer class", 1, 1, true}};
    for (uint32_t i = 0; i < LENGTH(swamp); i++) {
        CHECK(kept_after(false, 5, 10, &swamp[i]) == swamp[i].kept, "%s", swamp[i].what);
    }
    for (uint32_t i = 0; i < LENGTH(danger); i++) {
        CHECK(kept_after(false, 5, 20, &danger[i]) == danger[i].kept, "%s", danger[i].what);
    }
    place *p = place_to_edit(false);
    cairn_cell blocked = {-1, -1};
    for (uint32_t n = 0; n < 40 * 30; n++) {
        if (!p->scene->open[n]) blocked = cairn_grid_cell(p->grid, n);
    }
    place_destroy(p);
    CHECK(!kept_after(false, blocked.x, blocked.y, &(change){"open", 0, 1, false}), "opening");
    CHECK(kept_after(false, blocked.x, blocked.y, &(change){"a wall's class", 1, 4, true}),
          "a wall's class");
    CHECK(!kept_after(true, 5, 10, &(change){"height", 3, 4, false}), "a height that matters");
    CHECK(kept_after(true, 5, 10, &(change){"close", 0, 0, true}), "closing on hills");
}

/* Costs against dijkstra's, which the conformance suite checks. */
static void compare_with_dijkstra(cairn_space *space, cairn_search *search, scene_rng *rng)
{
    cairn_planner *dijkstra;
    cairn_search *reference;
    CHECK_OK(cairn_planner_create(space, "dijkstra", &dijkstra, NULL));
    CHECK_OK(cairn_search_create(dijkstra, NULL, &reference));
    for (uint32_t i = 0; i < 30; i++) {
        cairn_node from = scene_random(rng, cairn_space_node_count(space));
        cairn_node to = scene_random(rng, cairn_space_node_count(space));
        cairn_cost expected, got;
        cairn_status status = cairn_distance(reference, from, to, &expected);
        CHECK_STATUS(cairn_distance(search, from, to, &got), status);
        CHECK(got == expected, "%u to %u: %u, not %u", from, to, got, expected);
    }
    cairn_search_destroy(reference);
    cairn_planner_destroy(dijkstra);
}

/* A door closes and opens again, and again: that is never worse than it was. But a wall behind it
 * is, once opened. */
static void what_is_taken_back_keeps_the_table(void **state)
{
    (void)state;
    place *p = place_to_edit(false);
    subject s;
    assert_true(subject_open(&s, p, cairn_algorithm_find("alt", 3), "alt"));
    table before = table_of(s.planner);
    stage(p->grid, 0, 35, 7, 0);
    for (int round = 0; round < 6; round++) {
        stage(p->grid, 0, 5, 10, round % 2);
        stage(p->grid, 1, 6, 10, round % 2 ? 1 : 2); /* forbidden and swamp again */
        stage(p->grid, 2, 5, 20, 9 + round % 3);
        CHECK_OK(cairn_grid_commit(p->grid));
        CHECK_OK(cairn_planner_sync(s.planner, NULL, NULL));
        table after = table_of(s.planner);
        assert_memory_equal(before.distances, after.distances, before.size);
        table_free(&after);
    }
    stage(p->grid, 2, 5, 20, 8); /* less than it ever was */
    CHECK_OK(cairn_grid_commit(p->grid));
    CHECK_OK(cairn_planner_sync(s.planner, NULL, NULL));
    table after = table_of(s.planner);
    assert_memory_not_equal(before.distances, after.distances, before.size);
    table_free(&before), table_free(&after);
    subject_close(&s);
    place_destroy(p);
}

/* More changed cells than are remembered: the table may have to go, but no answer is wrong. */
static void many_changes_are_followed_too(void **state)
{
    (void)state;
    scene *s = scene_blank("many changes", 60, 60);
    kit k = kit_of_scene(s, NULL);
    kit_plan(&k, "alt");
    scene_rng rng = {9};
    for (uint32_t round = 0; round < 12; round++) {
        for (uint32_t i = 0; i < 700; i++) {
            int32_t x = (int32_t)scene_random(&rng, 60), y = (int32_t)scene_random(&rng, 60);
            CHECK_OK(cairn_grid_set_open(k.grid, x, y, round % 4 == 3));
        }
        CHECK_OK(cairn_grid_commit(k.grid));
        CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        compare_with_dijkstra(k.space, k.search, &rng);
    }
    kit_close(&k);
    scene_destroy(s);
}

/* ---- other worlds ---------------------------------------------------------------------- */

static void stage_link(cairn_grid *grid, scene_rng *rng, uint32_t id)
{
    uint32_t nodes = cairn_grid_width(grid) * cairn_grid_height(grid);
    cairn_link link = {.from = scene_random(rng, nodes),
                       .to = scene_random(rng, nodes),
                       .id = id,
                       .cost = scene_random(rng, 3000)};
    if (link.from != link.to) CHECK_OK(cairn_grid_add_link(grid, &link));
}

/* Teleports come and go: steps that cannot be made back, and that leap over any estimate of
 * distance. */
static void try_links(cairn_layout layout, const char *spec)
{
    scene *s = scene_noise("links", 40, 33, 25, 11);
    kit k = {0};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(scene_grid(s, k.context, &k.grid));
    CHECK_OK(cairn_grid_set_layout(k.grid, layout));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    kit_plan(&k, spec);
    scene_rng rng = {layout + 3u};
    for (uint32_t round = 0; round < 12; round++) {
        compare_with_dijkstra(k.space, k.search, &rng);
        if (round % 3 == 2) CHECK_OK(cairn_grid_remove_links(k.grid, round - 1));
        for (uint32_t i = 0; i < round; i++) stage_link(k.grid, &rng, round);
        int32_t x = (int32_t)scene_random(&rng, 40), y = (int32_t)scene_random(&rng, 33);
        CHECK_OK(cairn_grid_set_open(k.grid, x, y, false));
        CHECK_OK(cairn_grid_commit(k.grid));
        CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
    }
    kit_close(&k);
    scene_destroy(s);
}

static void links_and_hexagons_are_served(void **state)
{
    (void)state;
    try_links(CAIRN_LAYOUT_SQUARE, "alt");
    try_links(CAIRN_LAYOUT_SQUARE, "alt:landmarks=8,open=heap");
    try_links(CAIRN_LAYOUT_SQUARE, "alt:loop=generic");
    try_links(CAIRN_LAYOUT_HEX, "alt");
}

/* ---- what a file says of it ------------------------------------------------------------ */

static void a_file_says_of_what_it_holds_the_index(void **state)
{
    (void)state;
    place *p =
        place_of_scene(scene_noise("small", 12, 9, 20, 3), CAIRN_NEIGHBOURS_8, CAIRN_CORNERS_NEVER);
    static const char *const specs[] = {"alt", "alt:landmarks=7",
                                        "alt:open=heap,tie=small-g,loop=generic"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        subject s;
        assert_true(subject_open(&s, p, cairn_algorithm_find("alt", 3), specs[i]));
        bytes file = saved(s.planner);
        cairn_archive *archive = opened(p->context, &file);
        cairn_index_info info;
        CHECK_OK(cairn_archive_index(archive, &info, NULL));
        assert_int_equal(info.space_hash, cairn_space_hash(cairn_planner_space(s.planner)));
        assert_int_equal(info.node_count, 12 * 9);
        cairn_planner *same = NULL;
        CHECK_OK(cairn_planner_create((cairn_space *)(uintptr_t)cairn_planner_space(s.planner),
                                      info.spec, &same, NULL));
        for (uint32_t k = 0; k < cairn_planner_algorithm(same)->parameter_count; k++)
            assert_int_equal(cairn_planner_parameter(same, k),
                             cairn_planner_parameter(s.planner, k));
        CHECK_OK(cairn_planner_load(same, archive, false, NULL));
        CHECK_STATUS(cairn_archive_index(NULL, &info, NULL), CAIRN_INVALID);
        CHECK_STATUS(cairn_archive_index(archive, NULL, NULL), CAIRN_INVALID);
        cairn_planner_destroy(same);
        cairn_archive_close(archive);
        bytes_free(&file);
        subject_close(&s);
    }
    place_destroy(p);
}

/* ---- damage --------------------------------------------------------------------------- */

static const char *const sections[] = {"index", "index.marks", "index.landmarks"};
static const uint32_t elements[] = {8, 4, 4};

/* The same sections with right checksums, but in one of them a bit is flipped or the end is
 * missing. */
static bytes damaged(const cairn_archive *good, cairn_context *context, uint32_t which, size_t cut,
                     size_t flip)
{
    cairn_store *store;
    CHECK_OK(cairn_store_create(context, &store));
    for (uint32_t i = 0; i < LENGTH(sections); i++) {
        size_t size;
        const uint8_t *data = cairn_archive_section(good, sections[i], elements[i], &size);
        uint8_t *copy = malloc(size);
        if (!copy) abort();
        memcpy(copy, data, size);
        if (i == which && flip < 8 * size)
            copy[flip / 8] = (uint8_t)(copy[flip / 8] ^ 1u << flip % 8);
        if (i == which) size -= cut * elements[i];
        CHECK_OK(
            cairn_store_add(store, sections[i], (cairn_bytes){copy, size}, elements[i], false));
        free(copy);
    }
    bytes file = bytes_of(store);
    cairn_store_destroy(store);
    return file;
}

/* Is it refused? If not, it must do no harm. */
static bool refuses(subject *s, const bytes *file)
{
    cairn_archive *archive = opened(s->place->context, file);
    cairn_error error = {0};
    cairn_status status = cairn_planner_load(s->planner, archive, true, &error);
    bool refused = status == CAIRN_BAD_DATA || status == CAIRN_STALE;
    cairn_index_info info;
    cairn_status about = cairn_archive_index(archive, &info, NULL);
    assert_true(about == CAIRN_BAD_DATA || (about == CAIRN_OK && info.spec[0]));
    assert_non_null(memchr(info.spec, 0, sizeof info.spec));
    CHECK(refused ? error.text[0] != 0 : status == CAIRN_OK, "%s", cairn_status_text(status));
    for (uint32_t i = 0; i < s->place->query_count && !refused; i++) {
        cairn_query query = {.from = s->place->queries[i].from, .to = s->place->queries[i].to};
        cairn_search_find(s->search, &query, NULL);
    }
    items all = {0};
    if (!refused) all = items_of(s->planner, 0);
    items_free(&all);
    CHECK_OK(cairn_planner_build(s->planner, NULL, NULL));
    cairn_archive_close(archive);
    return refused;
}

static void damaged_sections_are_refused_or_harmless(void **state)
{
    (void)state;
    place *p =
        place_of_scene(scene_noise("small", 12, 9, 20, 3), CAIRN_NEIGHBOURS_8, CAIRN_CORNERS_NEVER);
    subject s;
    assert_true(subject_open(&s, p, cairn_algorithm_find("alt", 3), "alt:landmarks=2"));
    bytes file = saved(s.planner);
    cairn_archive *good = opened(p->context, &file);
    for (uint32_t which = 0; which < LENGTH(sections); which++) {
        size_t size;
        assert_non_null(cairn_archive_section(good, sections[which], elements[which], &size));
        for (size_t cut = 1; cut <= size / elements[which]; cut += test_stride()) {
            bytes bad = damaged(good, p->context, which, cut, SIZE_MAX);
            CHECK(refuses(&s, &bad), "%s: %u elements are missing", sections[which], (unsigned)cut);
            bytes_free(&bad);
        }
        for (size_t flip = 0; flip < 8 * size; flip += test_stride()) {
            bytes bad = damaged(good, p->context, which, 0, flip);
            bool refused = refuses(&s, &bad);
            CHECK(refused || which > 0, "%s: bit %u is flipped", sections[which], (unsigned)flip);
            bytes_free(&bad);
        }
    }
    cairn_archive_close(good);
    bytes_free(&file);
    subject_close(&s);
    place_destroy(p);
}

/* ---- what the index looks like ------------------------------------------------------- */

/* Layer i + 1: sixteen rings, equal parts of the largest distance, and landmark
 * i. */
static void check_rings(const subject *s, const table *t, const items *all, uint32_t i)
{
    const oracle *o = s->place->oracle;
    uint64_t most = 0;
    items one = items_of(s->planner, i + 1);
    oracle_search(s->place->oracle, t->numbers[HEAD + i]);
    for (cairn_node node = 0; node < o->count; node++) {
        if (o->distance[node] < FAR && o->distance[node] > most) most = o->distance[node];
    }
    size_t at = 0;
    for (cairn_node node = 0; node < o->count; node++) {
        if (o->distance[node] >= FAR) continue;
        uint64_t ring = o->distance[node] * 16 / (most + 1);
        CHECK(at < one.count && one.at[at].kind == CAIRN_OVERLAY_AREA && one.at[at].node == node &&
                  one.at[at].group == ring,
              "%s: landmark %u, node %u", subject_text(s), i, node);
        at++;
    }
    cairn_position centre = cairn_space_position(s->place->space, t->numbers[HEAD + i]);
    assert_int_equal(one.count, at + 1);
    assert_int_equal(one.at[at].kind, CAIRN_OVERLAY_NODE);
    assert_int_equal(one.at[at].node, t->numbers[HEAD + i]);
    assert_memory_equal(&one.at[at].from, &centre, sizeof centre);
    assert_int_equal(items_count(all, i + 1, CAIRN_OVERLAY_NODE), 1);
    items_free(&one);
}

static void check_shown(subject *s)
{
    table t = table_of(s->planner);
    items all = items_of(s->planner, 0);
    uint32_t landmarks = 0;
    for (uint32_t i = 0; i < t.numbers[0]; i++) {
        if (t.numbers[HEAD + i] == CAIRN_NO_NODE) continue;
        check_rings(s, &t, &all, i);
        landmarks++;
    }
    size_t nodes = 0;
    for (size_t i = 0; i < all.count; i++) nodes += all.at[i].kind == CAIRN_OVERLAY_NODE;
    assert_int_equal(nodes, landmarks);
    items_free(&all);
    table_free(&t);
}

static void it_shows_landmarks_and_rings_of_distance(void **state)
{
    (void)state;
    each_place("alt", check_shown);
    each_place("alt:landmarks=8", check_shown);
}

/* The landmark stays what it was, though nobody stands there any more. */
static void cells_that_were_closed_are_in_no_ring(void **state)
{
    (void)state;
    scene *s = scene_rooms("rooms", 30, 22, 7, 3);
    kit k = kit_of_scene(s, NULL);
    kit_plan(&k, "alt:landmarks=1");
    items before = items_of(k.planner, 0);
    cairn_node landmark = before.at[before.count - 1].node;
    CHECK_OK(
        cairn_grid_set_open(k.grid, (int32_t)(landmark % 30), (int32_t)(landmark / 30), false));
    CHECK_OK(cairn_grid_commit(k.grid));
    CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
    items after = items_of(k.planner, 0);
    assert_int_equal(after.count + 1, before.count);
    for (size_t i = 0, j = 0; i < before.count; i++) {
        bool closed = before.at[i].kind == CAIRN_OVERLAY_AREA && before.at[i].node == landmark;
        if (!closed) assert_true(items_same(&before.at[i], &after.at[j++]));
    }
    items_free(&before), items_free(&after);
    kit_end(&k, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_holds_the_distances_and_the_landmarks_are_the_farthest),
        cmocka_unit_test(estimates_never_exceed_the_rest_of_the_way),
        cmocka_unit_test(long_distances_are_exact),
        cmocka_unit_test(
            eight_landmarks_save_four_fifths_in_mazes_and_more_than_two_thirds_in_rooms),
        cmocka_unit_test(every_count_of_landmarks_searches_alike_in_both_loops),
        cmocka_unit_test(landmarks_avoid_what_is_known),
        cmocka_unit_test(the_best_landmarks_keep_their_distances),
        cmocka_unit_test(the_best_landmarks_tell_more),
        cmocka_unit_test(pathmax_helps_where_neighbours_ask_different_landmarks),
        cmocka_unit_test(landmarks_save_expansions),
        cmocka_unit_test(closing_and_dearer_steps_keep_the_table_and_all_else_does_not),
        cmocka_unit_test(what_is_taken_back_keeps_the_table),
        cmocka_unit_test(many_changes_are_followed_too),
        cmocka_unit_test(links_and_hexagons_are_served),
        cmocka_unit_test(a_file_says_of_what_it_holds_the_index),
        cmocka_unit_test(damaged_sections_are_refused_or_harmless),
        cmocka_unit_test(it_shows_landmarks_and_rings_of_distance),
        cmocka_unit_test(cells_that_were_closed_are_in_no_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
