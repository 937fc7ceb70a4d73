/* test_smooth.c: simplifying and smoothing, against the method of the slides written down
 * plainly. */
#include "routes.h"
#include "smoothing.h"

/* ---- simplifying
 * ------------------------------------------------------------------------------- */

static bool between(const world *w, cairn_node a, cairn_node b, cairn_node c)
{
    int64_t ax = right_of(w, a), ay = below(w, a), bx = right_of(w, b), by = below(w, b),
            cx = right_of(w, c), cy = below(w, c);
    return (bx - ax) * (cy - ay) == (by - ay) * (cx - ax) &&
           llabs(bx - ax) + llabs(cx - bx) == llabs(cx - ax) &&
           llabs(by - ay) + llabs(cy - by) == llabs(cy - ay);
}

/* Takes out repeated points, then points that lie between their neighbours until there are none;
 * but no ends of links. */
static uint32_t slow_simplify(const world *w, cairn_node *nodes, uint32_t count)
{
    bool *fixed = calloc(count + 1, sizeof *fixed);
    for (uint32_t i = 1; i < count;) {
        if (nodes[i] != nodes[i - 1]) {
            i++;
        } else {
            memmove(nodes + i, nodes + i + 1, (--count - i) * sizeof *nodes);
        }
    }
    oracle *o = oracle_of_grid(&w->raw, &w->scene->profile, cairn_space_scale(w->space));
    for (uint32_t i = 1; i < count; i++) {
        uint32_t id;
        if (route_links(o, nodes[i - 1], nodes[i], &id)) fixed[i - 1] = fixed[i] = true;
    }
    oracle_destroy(o);
    for (uint32_t i = 1; i + 1 < count;) {
        if (fixed[i] || !between(w, nodes[i - 1], nodes[i], nodes[i + 1])) {
            i++;
            continue;
        }
        memmove(nodes + i, nodes + i + 1, (--count - i) * sizeof *nodes);
        memmove(fixed + i, fixed + i + 1, (count - i) * sizeof *fixed);
        i = 1;
    }
    free(fixed);
    return count;
}

static void check_simplify(const world *w, route *r, scene_rng *rng)
{
    cairn_node *nodes = calloc(r->cell_count, sizeof *nodes),
               *slow = calloc(r->cell_count, sizeof *slow);
    memcpy(nodes, r->cells, r->cell_count * sizeof *nodes);
    uint32_t count = cairn_simplify(w->space, nodes, r->cell_count);
    assert_int_equal(count, r->path.count);
    assert_memory_equal(nodes, r->points, count * sizeof *nodes);
    assert_int_equal(cairn_simplify(w->space, nodes, count), count);

    /* Some of the cells left out: turning points and others mixed, the same line. */
    uint32_t some = 0;
    for (uint32_t i = 0, point = 0; i < r->cell_count; i++) {
        bool turns = point < r->path.count && r->cells[i] == r->points[point];
        point += turns;
        if (turns || scene_random(rng, 2)) nodes[some++] = r->cells[i];
    }
    uint32_t must = slow_simplify(w, memcpy(slow, nodes, some * sizeof *nodes), some);
    count = cairn_simplify(w->space, nodes, some);
    assert_int_equal(count, must);
    assert_memory_equal(nodes, slow, count * sizeof *nodes);
    if (!w->scene->link_count) assert_int_equal(count, r->path.count);
    free(slow);

    /* Points of any angle. */
    cairn_node thrown[40], fast[40];
    uint32_t points = 0;
    while (points < 40) thrown[points++] = any_cell(w, rng);
    memcpy(fast, thrown, sizeof fast);
    must = slow_simplify(w, thrown, points);
    assert_int_equal(cairn_simplify(w->space, fast, points), must);
    if (must) assert_memory_equal(fast, thrown, must * sizeof *fast);
    free(nodes);
}

static void simplifying_keeps_the_turning_points_and_nothing_else(void **state)
{
    (void)state;
    for_many_routes(41, 150, check_simplify);
}

static void simplifying_keeps_the_point_where_a_path_turns_back(void **state)
{
    (void)state;
    world w = world_of(scene_blank("back", 5, 5));
    cairn_node back[] = {0, 1, 2, 3, 2, 1};
    assert_int_equal(cairn_simplify(w.space, back, LENGTH(back)), 3);
    assert_int_equal(back[1], 3);
    assert_int_equal(back[2], 1);
    cairn_node twice[] = {0, 0, 6, 6, 12, 12};
    assert_int_equal(cairn_simplify(w.space, twice, LENGTH(twice)), 2);
    assert_int_equal(twice[1], 12);
    cairn_node outside[] = {0, 1, 2, 25, 26, 27};
    assert_int_equal(cairn_simplify(w.space, outside, LENGTH(outside)), 5);
    assert_int_equal(cairn_simplify(w.space, outside, 0), 0);
    assert_int_equal(cairn_simplify(w.space, outside, 1), 1);
    world_end(&w);
}

/* ---- smoothing
 * ------------------------------------------------------------------------------------ */

/* The slow ray knows nothing of sizes; that a ray has room for them is tested with the rays. */
static bool sight(const world *w, cairn_node a, cairn_node b, cairn_node *last)
{
    bool sized = w->scene->profile.radius > 0 || w->scene->profile.footprint > 1;
    return sized ? cairn_raycast(w->space, a, b, last) : slow_ray(w, a, b, last);
}

/* The slides, word by word: add the start; until the end is reached, cast rays from the last point
 * of the output to consecutive nodes until one fails, and put the one before on the output; put the
 * end. */
static uint32_t slow_smooth_cells(const world *w, const cairn_node *cells, uint32_t cell_count,
                                  cairn_node *out)
{
    uint32_t count = 0, from = 0;
    out[count++] = cells[0];
    while (from + 1 < cell_count) {
        uint32_t i = from + 2;
        cairn_node last;
        while (i < cell_count && sight(w, cells[from], cells[i], &last)) i++;
        from = i - 1;
        out[count++] = cells[from];
    }
    return count;
}

/* From link to link. The points may be in line, but not over the end of one. */
static uint32_t slow_smooth(const world *w, const route *r, cairn_node *out)
{
    uint32_t count = 0, first = 0;
    for (uint32_t i = 0; i <= r->path.link_count; i++) {
        uint32_t end = r->cell_count;
        if (i < r->path.link_count) {
            cairn_path piece = r->path;
            piece.count = r->path.links[i].at + 1; /* up to the link */
            piece.link_count = i;
            end = (uint32_t)cairn_path_step_count(w->space, &piece);
        }
        uint32_t points = slow_smooth_cells(w, r->cells + first, end - first, out + count),
                 kept = 1;
        for (uint32_t k = 1; k < points; k++) {
            cairn_node *p = out + count;
            if (p[k] == p[kept - 1]) continue;
            if (kept >= 2 && between(w, p[kept - 2], p[kept - 1], p[k])) kept--;
            p[kept++] = p[k];
        }
        count += kept;
        first = end;
    }
    return count;
}

static double distance(const world *w, cairn_node a, cairn_node b)
{
    double dx = (double)(right_of(w, a) - right_of(w, b)) / 2,
           dy = (double)(below(w, a) - below(w, b));
    if (w->scene->hex) dy *= sqrt(0.75);
    return sqrt(dx * dx + dy * dy);
}

/* Is the line seen, or are these cells of the path itself, step by step in one direction? */
static bool can_be_walked(const world *w, cairn_node a, cairn_node b)
{
    cairn_node last;
    if (slow_ray(w, a, b, &last)) return true;
    cairn_node ends[2] = {a, b};
    cairn_path path = {.status = CAIRN_FOUND, .nodes = ends, .count = 2};
    return cairn_path_valid(w->space, &path, NULL, NULL, NULL);
}

static void check_smooth(const world *w, route *r, scene_rng *rng)
{
    (void)rng;
    cairn_node *out = calloc(r->cell_count, sizeof *out),
               *slow = calloc(r->cell_count + 1, sizeof *slow);
    uint32_t count = 0, counted = 0;
    double length = -1, sum = 0;
    CHECK_OK(smooth_sight(w->space, &r->path, out, r->cell_count, &count, &length));
    CHECK_OK(smooth_sight(w->space, &r->path, NULL, 0, &counted, NULL));
    assert_int_equal(counted, count);
    assert_int_equal(out[0], r->cells[0]);
    assert_int_equal(out[count - 1], r->cells[r->cell_count - 1]);
    uint32_t links = 0;
    for (uint32_t i = 1; i < count; i++) {
        const cairn_path_link *link = links < r->path.link_count ? &r->path.links[links] : NULL;
        if (link && out[i - 1] == r->points[link->at] && out[i] == r->points[link->at + 1]) {
            sum += (double)cairn_space_step_cost(w->space, out[i - 1], out[i]) /
                   cairn_space_scale(w->space).straight;
            links++;
            continue;
        }
        sum += distance(w, out[i - 1], out[i]);
        CHECK(can_be_walked(w, out[i - 1], out[i]), "from %u to %u", out[i - 1], out[i]);
    }
    assert_int_equal(links, r->path.link_count);
    assert_true(fabs(sum - length) < 1e-9);
    assert_true(length <= r->path.length + 1e-9);
    uint32_t must = slow_smooth(w, r, slow);
    assert_int_equal(count, must);
    assert_memory_equal(out, slow, count * sizeof *out);

    /* Too little room: how much is needed is still said, and nothing behind the end is written. */
    if (count > 1) {
        out[count - 1] = 99999;
        CHECK_STATUS(smooth_sight(w->space, &r->path, out, count - 1, &counted, NULL),
                     CAIRN_INVALID);
        assert_int_equal(counted, count);
        assert_int_equal(out[count - 1], 99999);
    }
    free(out);
    free(slow);
}

static void smoothing_is_the_method_of_the_slides_and_never_lengthens(void **state)
{
    (void)state;
    for_many_routes(51, 250, check_smooth);
}

static void smoothing_pulls_a_path_across_open_ground_straight(void **state)
{
    (void)state;
    world w = world_of(scene_blank("open", 20, 10));
    cairn_node nodes[] = {0, 19, 199};
    cairn_path path = {.status = CAIRN_FOUND,
                       .nodes = nodes,
                       .count = 3,
                       .length = 28,
                       .version = cairn_grid_version(w.grid)};
    cairn_node out[30];
    uint32_t count;
    double length;
    CHECK_OK(smooth_sight(w.space, &path, out, 30, &count, &length));
    assert_int_equal(count, 2);
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], 199);
    assert_true(fabs(length - sqrt(19 * 19 + 9 * 9)) < 1e-12);
    path.count = 1;
    CHECK_OK(smooth_sight(w.space, &path, out, 30, &count, &length));
    assert_int_equal(count, 1);
    assert_true(length == 0);
    world_end(&w);
}

static void smoothing_keeps_the_way_over_dear_ground(void **state)
{
    (void)state;
    /* A swamp of three columns: the path crosses it level, and must still do so when smoothed. */
    scene *s = scene_blank("swamp", 11, 5);
    s->terrain = calloc(55, 1);
    for (uint32_t i = 0; i < 55; i++)
        s->terrain[i] = i % 11 >= 4 && i % 11 <= 6 ? CAIRN_TERRAIN_SWAMP : 0;
    s->profile.terrain_cost[CAIRN_TERRAIN_SWAMP] = CAIRN_TIMES(9);
    world w = world_of(s);
    cairn_node nodes[] = {0, 22, 32, 54}; /* (0,0) (0,2) (10,2) (10,4) */
    cairn_path path = {.status = CAIRN_FOUND,
                       .nodes = nodes,
                       .count = 4,
                       .length = 14,
                       .version = cairn_grid_version(w.grid)};
    cairn_node out[20];
    uint32_t count;
    double length;
    CHECK_OK(smooth_sight(w.space, &path, out, 20, &count, &length));
    assert_int_equal(count, 4);
    assert_int_equal(out[1], 25); /* (3,2), where the swamp begins */
    assert_int_equal(out[2], 29); /* (7,2), behind it */
    assert_true(length < 14);
    world_end(&w);
}

static void smoothing_says_why_there_is_nothing_to_smooth(void **state)
{
    (void)state;
    world w = world_of(scene_blank("why", 5, 5));
    cairn_node nodes[] = {0, 7, 9}, out[9];
    uint32_t count = 9;
    double length = 9;
    cairn_path path = {.status = CAIRN_UNREACHABLE};
    CHECK_STATUS(smooth_sight(w.space, &path, out, 9, &count, &length), CAIRN_UNREACHABLE);
    assert_int_equal(count, 0);
    assert_true(length == 0);
    path.status = CAIRN_FOUND;
    CHECK_STATUS(smooth_sight(w.space, &path, out, 9, &count, &length), CAIRN_INVALID);
    CHECK_STATUS(smooth_sight(w.space, NULL, out, 9, &count, &length), CAIRN_INVALID);
    CHECK_STATUS(smooth_sight(NULL, &path, out, 9, &count, &length), CAIRN_INVALID);
    path.nodes = nodes, path.count = 3, path.version = cairn_grid_version(w.grid);
    CHECK_STATUS(smooth_sight(w.space, &path, out, 9, &count, &length), CAIRN_BAD_DATA);
    path.version++;
    CHECK_STATUS(smooth_sight(w.space, &path, out, 9, NULL, NULL), CAIRN_STALE);
    world_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simplifying_keeps_the_turning_points_and_nothing_else),
        cmocka_unit_test(simplifying_keeps_the_point_where_a_path_turns_back),
        cmocka_unit_test(smoothing_is_the_method_of_the_slides_and_never_lengthens),
        cmocka_unit_test(smoothing_pulls_a_path_across_open_ground_straight),
        cmocka_unit_test(smoothing_keeps_the_way_over_dear_ground),
        cmocka_unit_test(smoothing_says_why_there_is_nothing_to_smooth),
    };
    return cmocka_run_group_tests_name("smooth", tests, NULL, NULL);
}
