/* test_jps_plus.c: jump point search with a table, what is special to it: after any edits its
 * answers cost what Dijkstra's do, with boxes and without; boxes hold every cell to which a
 * shortest path begins in their direction, and no box is larger than that; they are the same for
 * any number of workers; an edit drops them and nothing else; files keep them; what the index shows
 * are the cells with forced neighbours and the straight paths between them.
 */
#include "conformance.h"
#include "files.h"
#include "items.h"
#include "kit.h"

#include "jump/boxes.h"
#include "search/algorithm.h"

/* ---- boxes -------------------------------------------------------------------------- */

static crn_jump_boxes boxes_of(const kit *k)
{
    crn_jump_boxes boxes = {0};
    CHECK_OK(crn_jump_boxes_build(&boxes, crn_grid_space_of(k->space), NULL, NULL));
    return boxes;
}

static const crn_jump_box *boxes_at(const crn_jump_boxes *boxes, uint32_t x, uint32_t y)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < y * boxes->words + x / 64; i++)
        number += crn_count_bits(boxes->points[i].bits);
    const crn_jump_points *points = &boxes->points[y * boxes->words + x / 64];
    assert_int_equal(points->before, number);
    if (!(points->bits >> x % 64 & 1)) return NULL;
    for (uint32_t i = 0; i < x % 64; i++) number += (uint32_t)(points->bits >> i & 1);
    return boxes->boxes + (size_t)number * CRN_DIRECTIONS;
}

static void grow(crn_jump_box *box, uint32_t x, uint32_t y)
{
    if (x < box->left) box->left = (uint16_t)x;
    if (x > box->right) box->right = (uint16_t)x;
    if (y < box->top) box->top = (uint16_t)y;
    if (y > box->bottom) box->bottom = (uint16_t)y;
}

/* A path from a over its neighbour n to t is shortest if distances add up: the world is the same
 * both ways. */
static void check_point(const kit *k, oracle *o, uint64_t *from_point, const crn_jump_box *boxes,
                        cairn_node point)
{
    uint32_t width = cairn_grid_width(k->grid);
    oracle_search(o, point);
    memcpy(from_point, o->distance, o->count * sizeof *from_point);
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        crn_jump_box known = {UINT16_MAX, UINT16_MAX, 0, 0};
        cairn_node next = cairn_grid_node(k->grid, (int32_t)(point % width) + crn_dx[d],
                                          (int32_t)(point / width) + crn_dy[d]);
        uint64_t step = next == CAIRN_NO_NODE ? ORACLE_NONE : oracle_edge(o, point, next);
        if (step != ORACLE_NONE) {
            oracle_search(o, next);
            for (cairn_node t = 0; t < o->count; t++) {
                if (o->distance[t] == ORACLE_NONE || o->distance[t] + step != from_point[t])
                    continue;
                grow(&known, t % width, t / width);
            }
        }
        CHECK(memcmp(&known, &boxes[d], sizeof known) == 0,
              "%u to %u: %u,%u…%u,%u, not %u,%u…%u,%u", point, d, boxes[d].left, boxes[d].top,
              boxes[d].right, boxes[d].bottom, known.left, known.top, known.right, known.bottom);
    }
}

static void boxes_hold_all_goals_of_their_direction_and_are_no_larger(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 9; i++) {
        scene *s = i < 3   ? scene_noise("noise", 20, 15, 25, i + 1)
                   : i < 6 ? scene_rooms("rooms", 15, 21, 5, i + 1)
                           : scene_noise("wide", 70, 6, 30, i + 1);
        cairn_profile profile = cairn_profile_default();
        profile.corners = (cairn_corners)(i % 3);
        kit k = kit_of_scene(s, &profile);
        oracle_grid raw = scene_raw(s);
        oracle *o = oracle_of_grid(&raw, &profile, cairn_space_scale(k.space));
        uint64_t *distance = malloc(o->count * sizeof *distance);
        crn_jump_boxes boxes = boxes_of(&k);
        uint32_t points = 0;
        for (cairn_node node = 0; distance && node < o->count; node++) {
            const crn_jump_box *at = boxes_at(&boxes, node % s->width, node / s->width);
            if (!at) continue;
            points++;
            check_point(&k, o, distance, at, node);
        }
        CHECK(points == boxes.count && points > 5, "%u points of %u", points, boxes.count);
        free(distance);
        crn_jump_boxes_drop(&boxes, k.context);
        oracle_destroy(o);
        kit_close(&k);
        scene_destroy(s);
    }
}

static bytes built_by(uint32_t workers, const scene *s)
{
    cairn_context_options options = cairn_context_defaults();
    options.workers = workers;
    kit k = {0};
    CHECK_OK(cairn_context_create(&options, &k.context));
    CHECK_OK(scene_grid(s, k.context, &k.grid));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    kit_plan(&k, "jps-plus:boxes=on");
    bytes file = saved(k.planner);
    kit_close(&k);
    return file;
}

static void any_number_of_workers_makes_the_same_boxes(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 90, 40, 20, 4);
    bytes alone = built_by(0, s);
    for (uint32_t workers = 1; workers <= 5; workers += test_sample() == 1 ? 1 : 2) {
        bytes together = built_by(workers, s);
        assert_true(bytes_same(&alone, &together));
        bytes_free(&together);
    }
    bytes_free(&alone);
    scene_destroy(s);
}

/* ---- answers ------------------------------------------------------------------------ */

static cairn_cost ask(const kit *k, cairn_node from, cairn_node to, uint64_t *expanded)
{
    const cairn_path *path;
    cairn_status status =
        cairn_search_find(k->search, &(cairn_query){.from = from, .to = to}, &path);
    *expanded += cairn_search_metrics(k->search).expanded;
    if (status != CAIRN_FOUND) return CAIRN_NO_COST;
    cairn_cost sum;
    CHECK(cairn_path_valid(k->space, path, &sum, NULL, NULL) && sum == path->cost, "from %u to %u",
          from, to);
    return path->cost;
}

/* From some cells to all others: every goal in every box. */
static void compare_with_oracle(const kit *k, const scene *s, uint32_t starts, scene_rng *rng,
                                uint64_t *expanded)
{
    oracle_grid raw = scene_raw(s);
    oracle *o = oracle_of_grid(&raw, cairn_space_profile(k->space), cairn_space_scale(k->space));
    for (uint32_t i = 0; i < starts; i++) {
        cairn_node from = scene_pick(s, rng);
        if (from == CAIRN_NO_NODE) break;
        oracle_search(o, from);
        for (cairn_node to = 0; to < o->count; to++) {
            if (!o->usable[to]) continue;
            cairn_cost known =
                o->distance[to] == ORACLE_NONE ? CAIRN_NO_COST : (cairn_cost)o->distance[to];
            cairn_cost cost = ask(k, from, to, expanded);
            CHECK(cost == known, "from %u to %u: %u, not %u", from, to, cost, known);
        }
    }
    oracle_destroy(o);
}

static void boxes_change_no_answer_and_save_work(void **state)
{
    (void)state;
    uint64_t expanded[2] = {0, 0};
    uint32_t scenes = test_times(60, 12);
    for (uint32_t i = 0; i < scenes; i++) {
        scene *s = i % 4 == 0   ? scene_rooms("rooms", 25, 19, 5, i + 1)
                   : i % 4 == 1 ? scene_noise("sparse", 23, 23, 10, i + 1)
                   : i % 4 == 2 ? scene_noise("noise", 19, 27, 25, i + 1)
                                : scene_noise("dense", 21, 21, 38, i + 1);
        cairn_profile profile = cairn_profile_default();
        profile.corners = (cairn_corners)(i % 3);
        kit k = kit_of_scene(s, &profile);
        for (uint32_t boxes = 0; boxes < 2; boxes++) {
            scene_rng rng = {i + 1};
            kit_plan(&k, boxes ? "jps-plus:boxes=on,jumps=always" : "jps-plus:jumps=always");
            compare_with_oracle(&k, s, 4, &rng, &expanded[boxes]);
        }
        kit_close(&k);
        scene_destroy(s);
    }
    CHECK(expanded[1] * 10 < expanded[0] * 9, "%u and %u", (unsigned)expanded[0],
          (unsigned)expanded[1]);
}

/* ---- edits -------------------------------------------------------------------------- */

static void flip(kit *k, scene *s, uint32_t at)
{
    s->open[at] = !s->open[at];
    CHECK_OK(cairn_grid_set_open(k->grid, (int32_t)(at % s->width), (int32_t)(at / s->width),
                                 s->open[at]));
}

static bool has_boxes(const kit *k)
{
    bytes file = saved(k->planner);
    cairn_archive *archive = opened(k->context, &file);
    size_t size;
    bool found = cairn_archive_section(archive, "index.bounds", 2, &size) != NULL;
    cairn_archive_close(archive);
    bytes_free(&file);
    return found;
}

static void an_edit_drops_the_boxes_and_nothing_else(void **state)
{
    (void)state;
    uint64_t expanded = 0;
    scene *s = scene_noise("noise", 30, 24, 20, 3);
    kit k = kit_of_scene(s, NULL);
    scene_rng rng = {1};
    kit_plan(&k, "jps-plus:boxes=on,jumps=always");
    assert_true(has_boxes(&k));
    size_t with = cairn_planner_index_bytes(k.planner);
    CHECK_OK(cairn_grid_set_layer(k.grid, 3, 3, 7)); /* nobody pays for it */
    CHECK_OK(cairn_grid_commit(k.grid));
    CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
    assert_true(has_boxes(&k));
    flip(&k, s, 100);
    CHECK_OK(cairn_grid_commit(k.grid));
    CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
    assert_false(has_boxes(&k));
    assert_true(cairn_planner_index_bytes(k.planner) < with);
    compare_with_oracle(&k, s, 4, &rng, &expanded);
    CHECK_OK(cairn_planner_build(k.planner, NULL, NULL));
    assert_true(has_boxes(&k));
    compare_with_oracle(&k, s, 4, &rng, &expanded);
    kit_close(&k);
    scene_destroy(s);
}

static void after_many_edits_answers_are_still_the_best(void **state)
{
    (void)state;
    for (uint32_t corners = 0; corners < CAIRN_CORNERS_COUNT; corners++) {
        uint64_t expanded = 0;
        scene *s = scene_noise("noise", 37, 29, 15, corners + 1);
        cairn_profile profile = cairn_profile_default();
        profile.corners = (cairn_corners)corners;
        kit k = kit_of_scene(s, &profile);
        scene_rng rng = {corners + 1};
        kit_plan(&k, "jps-plus:jumps=always");
        for (uint32_t round = 0; round < 400; round++) {
            for (uint32_t i = 1 + scene_random(&rng, 5); i; i--) {
                flip(&k, s, scene_random(&rng, s->width * s->height));
            }
            CHECK_OK(cairn_grid_commit(k.grid));
            CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
            if (round % 20 == 0) compare_with_oracle(&k, s, 1, &rng, &expanded);
        }
        kit_close(&k);
        scene_destroy(s);
    }
}

/* ---- files -------------------------------------------------------------------------- */

/* Loads this many of these boxes from a file, with right checksums. */
static cairn_status load_boxes(kit *k, const crn_jump_boxes *boxes, size_t count)
{
    crn_jump_boxes other = {0};
    cairn_store *store;
    cairn_error error = {0};
    CHECK_OK(cairn_store_create(k->context, &store));
    CHECK_OK(cairn_store_add(store, "index.bounds",
                             (cairn_bytes){boxes->boxes, count * sizeof *boxes->boxes}, 2, false));
    bytes file = bytes_of(store);
    cairn_archive *archive = opened(k->context, &file);
    cairn_status status =
        crn_jump_boxes_load(&other, crn_grid_space_of(k->space), archive, false, &error);
    if (status == CAIRN_OK) {
        CHECK(other.count == boxes->count, "%u points, not %u", other.count, boxes->count);
    } else {
        CHECK(error.text[0] && !other.boxes, "no reason, or something is left");
    }
    crn_jump_boxes_drop(&other, k->context);
    cairn_archive_close(archive);
    bytes_free(&file);
    cairn_store_destroy(store);
    return status;
}

static void boxes_that_cannot_be_right_are_refused(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 20, 20, 20, 3);
    kit k = kit_of_scene(s, NULL);
    crn_jump_boxes boxes = boxes_of(&k);
    size_t count = (size_t)boxes.count * CRN_DIRECTIONS;
    CHECK_STATUS(load_boxes(&k, &boxes, count), CAIRN_OK);
    CHECK_STATUS(load_boxes(&k, &boxes, count - 1), CAIRN_BAD_DATA);
    /* Each leaves out even the next cell. */
    for (size_t i = 0; i < count; i++) boxes.owned[i] = (crn_jump_box){1, 0, 0, 0};
    CHECK_STATUS(load_boxes(&k, &boxes, count), CAIRN_BAD_DATA);
    crn_jump_boxes_drop(&boxes, k.context);
    kit_close(&k);
    scene_destroy(s);
}

/* ---- what the index looks like ------------------------------------------------------- */

/* The cells round one, and what single steps between them cost (0 = none): in the words of the
 * papers, which say "neighbour" and "forced". */
typedef struct vicinity {
    cairn_node node[9]; /* row by row; [4] is the cell itself; CAIRN_NO_NODE = outside */
    uint32_t step[9][9];
} vicinity;

static vicinity vicinity_of(const oracle_grid *raw, const cairn_profile *profile, cairn_node middle)
{
    vicinity v = {{0}, {{0}}};
    for (int32_t i = 0; i < 9; i++) {
        int64_t x = (int64_t)(middle % raw->width) + i % 3 - 1,
                y = (int64_t)(middle / raw->width) + i / 3 - 1;
        bool within = x >= 0 && y >= 0 && x < raw->width && y < raw->height;
        v.node[i] = within ? (cairn_node)(y * raw->width + x) : CAIRN_NO_NODE;
    }
    for (int32_t a = 0; a < 9; a++) {
        for (int32_t b = 0; b < 9; b++) {
            if (a == b || v.node[a] == CAIRN_NO_NODE || v.node[b] == CAIRN_NO_NODE) continue;
            if (oracle_may_step(raw, profile, v.node[a], v.node[b], false))
                v.step[a][b] = a % 3 == b % 3 || a / 3 == b / 3 ? 10000 : 14142;
        }
    }
    return v;
}

/* The cheapest path from one of the cells to another that keeps clear of the middle. */
static uint32_t way_round(const vicinity *v, int32_t from, int32_t to)
{
    uint32_t cost[9];
    for (int32_t i = 0; i < 9; i++) cost[i] = i == from ? 0 : 1000000;
    for (int32_t round = 0; round < 8; round++) {
        for (int32_t i = 0; i < 81; i++) {
            int32_t a = i / 9, b = i % 9;
            if (a == 4 || b == 4 || !v->step[a][b]) continue;
            if (cost[a] + v->step[a][b] < cost[b]) cost[b] = cost[a] + v->step[a][b];
        }
    }
    return cost[to];
}

/* Does the middle, entered from one of the cells, have a forced neighbour: one that is not natural,
 * and that no path round the middle reaches as cheaply (after a straight step) or cheaper (after a
 * diagonal one)? */
static bool is_forced(const vicinity *v, int32_t from)
{
    int32_t dx = 1 - from % 3, dy = 1 - from / 3;
    if (!v->step[from][4]) return false;
    for (int32_t to = 0; to < 9; to++) {
        int32_t ex = to % 3 - 1, ey = to / 3 - 1;
        bool natural =
            (ex == dx && ey == dy) || (dx && dy && ((ex == dx && !ey) || (!ex && ey == dy)));
        if (to == 4 || to == from || natural || !v->step[4][to]) continue;
        uint32_t over = v->step[from][4] + v->step[4][to], round = way_round(v, from, to);
        if (dx && dy ? round >= over : round > over) return true;
    }
    return false;
}

/* The directions, as bits, in which a step to the cell forces a turn: the cell that it comes from
 * is the bit's number in the vicinity. */
static uint32_t arrivals(const oracle_grid *raw, const cairn_profile *profile, cairn_node node)
{
    vicinity v = vicinity_of(raw, profile, node);
    uint32_t found = 0;
    for (int32_t from = 0; from < 9; from++)
        found |= (uint32_t)(from != 4 && is_forced(&v, from)) << from;
    return found;
}

/* The first cell to the east, or south, or the other way, where a turn is forced on who walks
 * there; CAIRN_NO_NODE if there is none. */
static cairn_node next_turn(const oracle_grid *raw, const uint32_t *turns, cairn_node from,
                            int32_t dx, int32_t dy)
{
    int64_t x = from % raw->width, y = from / raw->width;
    for (;;) {
        x += dx, y += dy;
        if (x < 0 || y < 0 || x >= raw->width || y >= raw->height || !raw->open[y * raw->width + x])
            return CAIRN_NO_NODE;
        cairn_node node = (cairn_node)(y * raw->width + x);
        if (turns[node] >> (4 - dx - 3 * dy) & 1) return node;
    }
}

/* Is there an edge with these ends? It costs as many straight steps as they are apart. */
static bool shows_jump(const kit *k, const items *all, cairn_node a, cairn_node b)
{
    cairn_position from = cairn_space_position(k->space, a), to = cairn_space_position(k->space, b);
    uint32_t width = cairn_grid_width(k->grid), apart = a < b ? b - a : a - b, found = 0;
    uint64_t steps = apart % width ? apart : apart / width;
    for (size_t i = 0; i < all->count; i++) {
        const cairn_overlay_item *item = &all->at[i];
        if (item->kind != CAIRN_OVERLAY_EDGE || memcmp(&item->from, &from, sizeof from) != 0 ||
            memcmp(&item->to, &to, sizeof to) != 0)
            continue;
        assert_int_equal(item->cost,
                         steps * cairn_space_scale(k->space).straight *
                             cairn_space_profile(k->space)->terrain_cost[CAIRN_TERRAIN_GROUND] /
                             256);
        found++;
    }
    assert_true(found <= 1);
    return found;
}

static void check_shown(const kit *k, const scene *s, const cairn_profile *profile)
{
    static const int32_t dx[4] = {0, 1, 0, -1}, dy[4] = {-1, 0, 1, 0};
    oracle_grid raw = scene_raw(s);
    items all = items_of(k->planner, 0);
    uint32_t *turns = calloc(s->width * s->height, sizeof *turns);
    if (!turns) abort();
    size_t at = 0, jumps = 0;
    for (cairn_node node = 0; node < s->width * s->height; node++) {
        turns[node] = arrivals(&raw, profile, node);
        bool shown =
            at < all.count && all.at[at].kind == CAIRN_OVERLAY_NODE && all.at[at].node == node;
        CHECK(shown == (turns[node] != 0), "%s, corners %d: %u,%u", s->name, profile->corners,
              node % s->width, node / s->width);
        if (!shown) continue;
        cairn_position centre = cairn_space_position(k->space, node);
        assert_memory_equal(&all.at[at].from, &centre, sizeof centre);
        at++;
    }
    for (cairn_node node = 0; node < s->width * s->height; node++) {
        for (uint32_t d = 0; turns[node] && d < 4; d++) {
            cairn_node end = next_turn(&raw, turns, node, dx[d], dy[d]);
            if (end == CAIRN_NO_NODE) continue;
            bool back = next_turn(&raw, turns, end, -dx[d], -dy[d]) == node;
            bool there = shows_jump(k, &all, node, end),
                 here = back && shows_jump(k, &all, end, node);
            CHECK(there != here, "%s, corners %d: from %u to %u", s->name, profile->corners, node,
                  end);
            jumps += there;
        }
    }
    assert_int_equal(at, items_count(&all, 1, CAIRN_OVERLAY_NODE));
    assert_int_equal(jumps, items_count(&all, 1, CAIRN_OVERLAY_EDGE));
    assert_int_equal(at + jumps, all.count);
    free(turns);
    items_free(&all);
}

static void it_shows_cells_with_forced_neighbours_and_straight_jumps(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 12; i++) {
        scene *s = i < 3   ? scene_noise("sparse", 33, 24, 6, i + 1)
                   : i < 6 ? scene_noise("dense", 20, 27, 35, i + 1)
                   : i < 9 ? scene_rooms("rooms", 31, 25, 7, i + 1)
                           : scene_blocks("blocks", 140, 9, 20, i + 1);
        cairn_profile profile = cairn_profile_default();
        profile.corners = (cairn_corners)(i % CAIRN_CORNERS_COUNT);
        profile.terrain_cost[CAIRN_TERRAIN_GROUND] = (uint16_t)(256 + i % 2 * 256);
        kit k = kit_of_scene(s, &profile);
        kit_plan(&k, "jps-plus");
        check_shown(&k, s, &profile);
        scene_rng rng = {i + 1};
        for (uint32_t edit = 0; edit < 20; edit++) {
            uint32_t node = scene_random(&rng, s->width * s->height);
            s->open[node] = !s->open[node];
            CHECK_OK(cairn_grid_set_open(k.grid, (int32_t)(node % s->width),
                                         (int32_t)(node / s->width), s->open[node]));
        }
        CHECK_OK(cairn_grid_commit(k.grid));
        CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        check_shown(&k, s, &profile);
        kit_end(&k, s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_hold_all_goals_of_their_direction_and_are_no_larger),
        cmocka_unit_test(any_number_of_workers_makes_the_same_boxes),
        cmocka_unit_test(boxes_change_no_answer_and_save_work),
        cmocka_unit_test(an_edit_drops_the_boxes_and_nothing_else),
        cmocka_unit_test(after_many_edits_answers_are_still_the_best),
        cmocka_unit_test(boxes_that_cannot_be_right_are_refused),
        cmocka_unit_test(it_shows_cells_with_forced_neighbours_and_straight_jumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
