/* test_theta.c: Theta*, Lazy Theta*, and what paths of any angle are: lines that an agent can walk,
 * with exact costs, and cells on the path. The answer book looks along every line there is
 * (slow_sight.h).
 */
#include "kit.h"
#include "slow_sight.h"
#include "smoothing.h"

static const char *const planners[] = {"theta", "lazy-theta"};

/* ---- lines ------------------------------------------------------------------------------ */

/* Where only the answer is wanted, the ray cast looks at rows of cells. */
static void a_quick_look_sees_what_a_ray_does(void **state)
{
    (void)state;
    scene_rng rng = {71};
    for (int round = 0; round < 400; round++) {
        world w = thrown_world(&rng, round % 4 == 0);
        for (int i = 0; i < 60; i++) {
            cairn_node a = any_cell(&w, &rng), b = any_cell(&w, &rng), last;
            bool ray = cairn_raycast(w.space, a, b, &last);
            CHECK(cairn_raycast(w.space, a, b, NULL) == ray, "round %d: %u to %u", round, a, b);
        }
        world_end(&w);
    }
}

/* Rows longer than a word shows, in both directions, with one cell in the path or none. */
static void long_lines_are_seen_along(void **state)
{
    (void)state;
    scene_rng rng = {72};
    for (int round = 0; round < 300; round++) {
        scene *s = scene_blank("long", 400, 9);
        s->profile.corners = (cairn_corners)scene_random(&rng, CAIRN_CORNERS_COUNT);
        for (uint32_t i = scene_random(&rng, 3); i; i--) s->open[scene_random(&rng, 3600)] = 0;
        world w = world_of(s);
        for (int i = 0; i < 30; i++) {
            cairn_node a = any_cell(&w, &rng), b = any_cell(&w, &rng), last;
            bool ray = cairn_raycast(w.space, a, b, &last);
            CHECK(cairn_raycast(w.space, a, b, NULL) == ray, "round %d: %u to %u", round, a, b);
            if (s->open[b])
                CHECK(cairn_raycast(w.space, b, a, NULL) == ray, "round %d: back from %u", round,
                      b);
        }
        world_end(&w);
    }
}

/* ---- paths against every line there is ---------------------------------------------------- */

static bool *all_lines(const world *w, uint32_t count)
{
    bool *seen = calloc((size_t)count * count, sizeof *seen);
    if (!seen) abort();
    for (cairn_node a = 0; a < count; a++) {
        for (cairn_node b = 0; b < count; b++) seen[a * count + b] = a != b && slow_sees(w, a, b);
    }
    return seen;
}

/* How much longer paths are than the shortest of any angle: sums, to be compared at the end. */
typedef struct tally {
    double found[2], best;
    uint32_t paths;
} tally;

static void check_path(const world *w, const cairn_path *path, const bool *seen, uint32_t count,
                       const char *name)
{
    cairn_scale scale = cairn_space_scale(w->space);
    uint64_t cost = 0;
    uint32_t link = 0;
    double length = 0;
    CHECK(path->any_angle && path->suboptimality_bound == 0, "%s: not of any angle", name);
    for (uint32_t i = 1; i < path->count; i++) {
        cairn_node a = path->nodes[i - 1], b = path->nodes[i];
        if (link < path->link_count && path->links[link].at == i - 1) {
            cairn_path one = {
                .status = CAIRN_FOUND, .nodes = path->nodes + i - 1, .count = 2, .link_count = 1};
            cairn_path_link used = {0, path->links[link++].id};
            cairn_cost paid;
            one.links = &used;
            CHECK(cairn_path_valid(w->space, &one, &paid, NULL, NULL), "%s: no link", name);
            cost += paid;
            length += (double)paid / scale.straight;
            continue;
        }
        CHECK(seen[a * count + b], "%s: no line from %u to %u", name, a, b);
        cost += slow_line_cost(w, scale, a, b);
        length += slow_length(w, a, b);
    }
    cairn_cost sum;
    CHECK(cost == path->cost, "%s: costs %u, its lines %llu", name, path->cost,
          (unsigned long long)cost);
    CHECK(cairn_path_valid(w->space, path, &sum, NULL, NULL) && sum == cost, "%s: called invalid",
          name);
    CHECK(fabs(length - path->length) < 1e-9 * (1 + length), "%s: length %f, not %f", name,
          path->length, length);
}

static void compare_on(world *w, scene_rng *rng, tally *t)
{
    uint32_t count = w->scene->width * w->scene->height;
    oracle *o = oracle_of_grid(&w->raw, &w->scene->profile, cairn_space_scale(w->space));
    bool *seen = all_lines(w, count);
    uint64_t *least = calloc(count, sizeof *least);
    if (!least) abort();
    for (int start = 0; start < 3; start++) {
        cairn_node from = any_cell(w, rng);
        if (!o->usable[from]) continue;
        oracle_search(
            o,
            /* what no step leads to is unreachable, even if a line does: among hexagons some sizes
             * have such lines */
            from);
        slow_shortest(w, o, cairn_space_scale(w->space), seen, from, least);
        for (uint32_t p = 0; p < LENGTH(planners); p++) {
            kit k = {.space = w->space};
            kit_plan(&k, planners[p]);
            for (cairn_node to = 0; to < count; to++) {
                if (!o->usable[to] || to == from) continue;
                const cairn_path *path;
                cairn_status status =
                    cairn_search_find(k.search, &(cairn_query){.from = from, .to = to}, &path);
                CHECK(status == (o->distance[to] == ORACLE_NONE ? CAIRN_UNREACHABLE : CAIRN_FOUND),
                      "%s: %s", planners[p], cairn_status_text(status));
                if (status != CAIRN_FOUND) continue;
                check_path(w, path, seen, count, planners[p]);
                CHECK(path->cost >= least[to], "%s: %u to %u for %u, best is %llu", planners[p],
                      from, to, path->cost, (unsigned long long)least[to]);
                t->found[p] += (double)path->cost / (double)least[to];
                t->paths += p == 0;
            }
            cairn_search_destroy(k.search);
            cairn_planner_destroy(k.planner);
        }
    }
    free(least), free(seen);
    oracle_destroy(o);
}

static void paths_are_legal_and_never_better_than_the_best_of_any_angle(void **state)
{
    (void)state;
    scene_rng rng = {73};
    tally t = {0};
    for (int round = 0; round < 60; round++) {
        world w = thrown_world(&rng, round % 3 == 0);
        compare_on(&w, &rng, &t);
        world_end(&w);
    }
    assert_true(t.paths > 3000);
    print_message("of %u paths: theta %.5f, lazy %.5f of the best\n", t.paths, t.found[0] / t.paths,
                  t.found[1] / t.paths);
    for (uint32_t p = 0; p < LENGTH(planners); p++)
        CHECK(t.found[p] < 1.01 * t.paths, "%s: too long on the whole", planners[p]);
}

/* ---- what can be done with such paths ------------------------------------------------------- */

/* Is the inside of a cell met by the line, or does the line pass one of its corners? Squares. */
static bool line_touches(const world *w, cairn_node a, cairn_node b, cairn_node cell)
{
    int64_t width = w->scene->width, x = 2 * (cell % width), y = 2 * (cell / width);
    int64_t ax = 2 * (a % width), ay = 2 * (a / width), dx = 2 * (b % width) - ax,
            dy = 2 * (b / width) - ay;
    bool left = false, right = false;
    for (int corner = 0; corner < 4; corner++) {
        int64_t side = dx * (y + (corner & 2) - 1 - ay) - dy * (x + 2 * (corner & 1) - 1 - ax);
        left |= side <= 0;
        right |= side >= 0;
    }
    return left && right;
}

/* The cells one by one: as many as are counted, the same from wherever one begins, a legal step or
 * a link apart, and on the line. */
static void check_cells(const world *w, const cairn_path *path, const char *name)
{
    const scene *s = w->scene;
    uint64_t count = cairn_path_step_count(w->space, path), at = 0;
    cairn_node *cells = calloc(count + 1, sizeof *cells), node, some[3];
    if (!cells) abort();
    cairn_path_iterator it = cairn_path_begin(w->space, path);
    while ((node = cairn_path_next(&it)) != CAIRN_NO_NODE && at <= count) cells[at++] = node;
    CHECK(at == count, "%s: %u cells, not %u", name, (unsigned)at, (unsigned)count);
    uint32_t point = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t written = cairn_path_cells(w->space, path, i, some, 3);
        CHECK(written == (count - i < 3 ? count - i : 3), "%s: %u cells written", name, written);
        CHECK(!memcmp(some, cells + i, written * sizeof *some), "%s: other cells from the %u-th on",
              name, (unsigned)i);
        if (point + 1 < path->count && cells[i] == path->nodes[point + 1]) point++;
        if (i + 1 == count || s->profile.radius > 0 || s->profile.footprint > 1) continue;
        bool link = false;
        for (uint32_t l = 0; l < path->link_count; l++)
            link |= path->links[l].at == point && cells[i] == path->nodes[point];
        CHECK(link || oracle_may_step(&w->raw, &s->profile, cells[i], cells[i + 1], false),
              "%s: no step from %u to %u", name, cells[i], cells[i + 1]);
        CHECK(link || s->hex ||
                  line_touches(w, path->nodes[point], path->nodes[point + 1], cells[i + 1]),
              "%s: %u lies beside the line", name, cells[i + 1]);
    }
    CHECK(point + 1 == path->count, "%s: the cells pass %u of %u points", name, point + 1,
          path->count);
    free(cells);
}

/* Straightening leaves the ends and makes nothing longer. */
static void check_smoothing(const world *w, const cairn_path *path, const char *name)
{
    uint32_t count = 0;
    double length = 0;
    cairn_node *points = calloc(path->count, sizeof *points);
    if (!points) abort();
    CHECK_OK(smooth_sight(w->space, path, points, path->count, &count, &length));
    CHECK(count <= path->count && points[0] == path->nodes[0] && points[count - 1] == path->end,
          "%s: other ends", name);
    CHECK(length <= path->length + 1e-9 * (1 + path->length), "%s: longer when smoothed", name);
    cairn_path smooth = {.status = CAIRN_FOUND, .nodes = points, .count = count, .any_angle = true};
    CHECK(path->link_count || cairn_path_valid(w->space, &smooth, NULL, NULL, NULL),
          "%s: smoothed into a wall", name);
    memcpy(points, path->nodes, path->count * sizeof *points);
    smooth.count = cairn_simplify(w->space, points, path->count);
    cairn_cost cost = path->cost;
    CHECK(path->link_count || cairn_path_valid(w->space, &smooth, &cost, NULL, NULL),
          "%s: no longer valid", name);
    CHECK(cost <= path->cost && path->cost - cost <= path->count - smooth.count,
          "%s: simplified costs %u, not %u", name, cost, path->cost);
    CHECK_STATUS(smooth_rays(w->space, path, 0, NULL, 0, NULL, NULL, NULL), CAIRN_UNSUPPORTED);
    free(points);
}

/* Every step of every line can be made, as cairn_space_step_cost sees it. */
static void lines_among_hexagons_obey_limits_of_height(void **state)
{
    (void)state;
    scene_rng rng = {78};
    uint32_t lines = 0, steps = 0;
    for (int round = 0; round < 150; round++) {
        scene *s = scene_blank("steep", 12, 12);
        s->elevation = calloc(144, sizeof *s->elevation);
        if (!s->elevation) abort();
        for (uint32_t i = 0; i < 144; i++) s->elevation[i] = (int16_t)(1 + scene_random(&rng, 2));
        s->elevation[scene_random(&rng, 144)] = 0;
        s->profile.max_climb = s->profile.max_drop = 1;
        scene_make_hex(s);
        world w = world_of(s);
        for (int i = 0; i < 60; i++) {
            cairn_node points[] = {any_cell(&w, &rng), any_cell(&w, &rng)}, node, last = points[0];
            cairn_path line = {
                .status = CAIRN_FOUND, .nodes = points, .count = 2, .any_angle = true};
            if (!cairn_path_valid(w.space, &line, NULL, NULL, NULL)) continue;
            cairn_path_iterator it = cairn_path_begin(w.space, &line);
            cairn_path_next(&it);
            uint64_t count = 1;
            for (; (node = cairn_path_next(&it)) != CAIRN_NO_NODE; last = node, count++)
                CHECK(cairn_space_step_cost(w.space, last, node) != CAIRN_NO_COST,
                      "round %d, line %u to %u: no step from %u to %u", round, points[0], points[1],
                      last, node);
            CHECK(last == points[1] && count == cairn_path_step_count(w.space, &line),
                  "round %d: ends at %u", round, last);
            lines++, steps += (uint32_t)count;
        }
        world_end(&w);
    }
    print_message("%u lines, %u steps\n", lines, steps);
    assert_true(lines > 1000 && steps > 3 * lines);
}

static void check_copy(const world *w, const cairn_path *path)
{
    cairn_owned_path copy;
    cairn_cost cost;
    CHECK_OK(cairn_path_copy(w->context, path, &copy));
    assert_true(copy.path.any_angle && cairn_path_valid(w->space, &copy.path, &cost, NULL, NULL) &&
                cost == path->cost);
    cairn_path_free(&copy);
}

static void for_many_paths(uint64_t seed, int rounds,
                           void (*check)(world *w, kit *k, const cairn_path *path))
{
    scene_rng rng = {seed};
    for (int round = 0; round < rounds; round++) {
        world w = thrown_world(&rng, round % 3 == 0);
        for (uint32_t p = 0; p < LENGTH(planners); p++) {
            kit k = {.space = w.space};
            kit_plan(&k, planners[p]);
            for (int i = 0; i < 5; i++) {
                cairn_query query = {.from = any_cell(&w, &rng), .to = any_cell(&w, &rng)};
                const cairn_path *path;
                if (cairn_search_find(k.search, &query, &path) == CAIRN_FOUND) check(&w, &k, path);
            }
            cairn_search_destroy(k.search);
            cairn_planner_destroy(k.planner);
        }
        world_end(&w);
    }
}

static void check_uses(world *w, kit *k, const cairn_path *path)
{
    const char *name = cairn_planner_algorithm(k->planner)->name;
    check_cells(w, path, name);
    check_smoothing(w, path, name);
    check_copy(w, path);
}

static void paths_can_be_walked_smoothed_and_copied(void **state)
{
    (void)state;
    for_many_paths(74, 400, check_uses);
}

/* A wall in the way of any of its lines is noticed, and the line is named. */
static void check_wall(world *w, kit *k, const cairn_path *path)
{
    (void)k;
    if (path->link_count || w->scene->hex || path->count < 2) return;
    cairn_owned_path copy;
    CHECK_OK(cairn_path_copy(w->context, path, &copy));
    uint64_t steps = cairn_path_step_count(w->space, &copy.path);
    cairn_node wall, from, to;
    assert_int_equal(cairn_path_cells(w->space, &copy.path, steps / 2, &wall, 1), 1);
    cairn_cell cell = cairn_grid_cell(w->grid, wall);
    CHECK_OK(cairn_grid_set_open(w->grid, cell.x, cell.y, false));
    CHECK_OK(cairn_grid_commit(w->grid));
    bool valid = cairn_path_valid(w->space, &copy.path, NULL, &from, &to);
    CHECK(!valid || w->scene->profile.neighbours == CAIRN_NEIGHBOURS_4, "through the wall at %u",
          wall);
    if (!valid && from != to)
        CHECK(line_touches(w, from, to, wall) || w->scene->profile.radius > 0 ||
                  w->scene->profile.footprint > 1,
              "blames %u to %u", from, to);
    CHECK_OK(cairn_grid_set_open(w->grid, cell.x, cell.y, true));
    CHECK_OK(cairn_grid_commit(w->grid));
    assert_true(cairn_path_valid(w->space, &copy.path, NULL, NULL, NULL));
    cairn_path_free(&copy);
}

static void a_wall_across_a_line_makes_the_path_invalid(void **state)
{
    (void)state;
    for_many_paths(75, 150, check_wall);
}

typedef struct reached {
    world *w;
    kit *k;
    cairn_node nodes[256];
    cairn_cost costs[256];
    uint32_t count;
} reached;

static void note_reached(void *user, cairn_node node, cairn_cost cost)
{
    reached *r = user;
    assert_true(r->count < LENGTH(r->nodes));
    r->nodes[r->count] = node;
    r->costs[r->count++] = cost;
}

/* Nodes that wait for their turn have paths too, and what they are said to cost is true. */
static void check_reached(world *w, kit *k, const cairn_path *path)
{
    (void)path;
    reached r = {.w = w, .k = k};
    CHECK_OK(cairn_search_reached(k->search, note_reached, &r));
    for (uint32_t i = 0; i < r.count; i++) {
        const cairn_path *way;
        cairn_cost sum = 0;
        CHECK_OK(cairn_search_path_to(k->search, r.nodes[i], &way));
        CHECK(cairn_path_valid(w->space, way, &sum, NULL, NULL) && sum == way->cost &&
                  sum == r.costs[i],
              "%s: the way to %u costs %u, not %u", cairn_planner_algorithm(k->planner)->name,
              r.nodes[i], sum, r.costs[i]);
    }
}

static void every_node_that_was_seen_has_a_true_path(void **state)
{
    (void)state;
    for_many_paths(76, 150, check_reached);
}

/* ---- by hand
 * ---------------------------------------------------------------------------------- */

static const cairn_path *ask(kit *k, const char *spec, cairn_cell from, cairn_cell to)
{
    const cairn_path *path;
    kit_plan(k, spec);
    cairn_query query = {.from = cairn_grid_node(k->grid, from.x, from.y),
                         .to = cairn_grid_node(k->grid, to.x, to.y)};
    CHECK_STATUS(cairn_search_find(k->search, &query, &path), CAIRN_FOUND);
    return path;
}

static void lines_cost_their_length_rounded_up(void **state)
{
    (void)state;
    scene *s = scene_blank("open", 30, 30);
    kit k = kit_of_scene(s, &s->profile);
    static const struct {
        cairn_cell to;
        cairn_cost cost;
        double length;
    } lines[] = {{{3, 4}, 5 * 5741, 5},           /* exact */
                 {{1, 1}, 8120, 1.4142135623731}, /* 8119.00006 */
                 {{20, 0}, 20 * 5741, 20},
                 {{2, 1}, 12838, 2.2360679774998}}; /* 12837.27 */
    for (uint32_t p = 0; p < LENGTH(planners); p++) {
        for (uint32_t i = 0; i < LENGTH(lines); i++) {
            const cairn_path *path = ask(&k, planners[p], (cairn_cell){0, 0}, lines[i].to);
            CHECK(path->cost == lines[i].cost && path->count == 2, "%s: line %u costs %u",
                  planners[p], i, path->cost);
            CHECK(fabs(path->length - lines[i].length) < 1e-9, "%s: line %u is %f long",
                  planners[p], i, path->length);
        }
    }
    kit_close(&k);
    scene_destroy(s);
}

/* Lines end where the ground changes, and go on behind it. */
static void lines_stop_where_the_ground_changes(void **state)
{
    (void)state;
    scene *s = scene_blank("ground", 20, 9);
    s->terrain = calloc(180, 1);
    if (!s->terrain) abort();
    for (uint32_t i = 0; i < 180; i++)
        s->terrain[i] = i % 20 >= 10 ? CAIRN_TERRAIN_SWAMP : CAIRN_TERRAIN_GROUND;
    s->profile.terrain_cost[CAIRN_TERRAIN_SWAMP] = CAIRN_TIMES(2);
    kit k = kit_of_scene(s, &s->profile);
    for (uint32_t p = 0; p < LENGTH(planners); p++) {
        const cairn_path *path = ask(&k, planners[p], (cairn_cell){0, 4}, (cairn_cell){19, 4});
        uint32_t unit = cairn_space_scale(k.space).straight;
        CHECK(path->cost == (9 + 2 * 10) * unit && path->count == 4, "%s: costs %u over %u points",
              planners[p], path->cost, path->count);
        CHECK(path->nodes[1] % 20 == 9 && path->nodes[2] % 20 == 10, "%s: changes ground at %u",
              planners[p], path->nodes[1] % 20);
    }
    kit_close(&k);
    scene_destroy(s);
}

/* Points in line may be left out although the ground changes between them. */
static void lines_over_several_grounds_can_be_merged(void **state)
{
    (void)state;
    scene *s = scene_blank("row", 5, 1);
    s->terrain = calloc(5, 1);
    if (!s->terrain) abort();
    s->terrain[3] = s->terrain[4] = CAIRN_TERRAIN_SWAMP;
    s->profile.terrain_cost[CAIRN_TERRAIN_SWAMP] = CAIRN_TIMES(3);
    kit k = kit_of_scene(s, &s->profile);
    for (uint32_t p = 0; p < LENGTH(planners); p++) {
        const cairn_path *path = ask(&k, planners[p], (cairn_cell){0, 0}, (cairn_cell){4, 0});
        cairn_node points[4];
        cairn_cost cost;
        uint32_t count;
        assert_int_equal(path->count, 4);
        memcpy(points, path->nodes, sizeof points);
        cairn_path merged = *path;
        merged.nodes = points;
        merged.count = cairn_simplify(k.space, points, 4);
        assert_int_equal(merged.count, 2);
        assert_true(cairn_path_valid(k.space, &merged, &cost, NULL, NULL) && cost == path->cost);
        CHECK_OK(smooth_sight(k.space, path, points, 4, &count, NULL));
        merged.count = count;
        assert_true(cairn_path_valid(k.space, &merged, &cost, NULL, NULL) && cost == path->cost);
        CHECK_OK(cairn_grid_set_open(k.grid, 2, 0, false));
        CHECK_OK(cairn_grid_commit(k.grid));
        assert_false(cairn_path_valid(k.space, &merged, NULL, NULL, NULL));
        CHECK_OK(cairn_grid_set_open(k.grid, 2, 0, true));
        CHECK_OK(cairn_grid_commit(k.grid));
    }
    kit_close(&k);
    scene_destroy(s);
}

static void graphs_have_no_lines(void **state)
{
    (void)state;
    kit k = kit_of_edges(2, &(cairn_graph_edge){.from = 0, .to = 1, .weight = 1}, 1);
    for (uint32_t p = 0; p < LENGTH(planners); p++) {
        cairn_error error = {0};
        CHECK_STATUS(cairn_planner_create(k.space, planners[p], &k.planner, &error),
                     CAIRN_UNSUPPORTED);
        assert_true(error.text[0] != 0);
    }
    kit_close(&k);
}

/* ---- larger maps
 * -------------------------------------------------------------------------------- */

/* Looking along long lines takes more than a unit of work, and where it is cut makes no
 * difference. */
static void long_looks_are_shared_out(void **state)
{
    (void)state;
    scene *s = scene_blank("hall", 2000, 5);
    for (uint32_t x = 50; x < 2000; x += 37) s->open[(x % 5) * 2000 + x] = 0;
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "theta");
    cairn_query query = {.from = 2 * 2000, .to = 4 * 2000 + 1995};
    answer whole = answer_find(k.search, &query), sliced = answer_sliced(k.search, &query, 1);
    assert_true(answer_same_path(&whole, &sliced) && answer_same_metrics(&whole, &sliced));
    assert_int_equal(whole.metrics.lines, sliced.metrics.lines);
    CHECK(whole.metrics.work > whole.metrics.expanded + 2, "%u units for %u nodes",
          (unsigned)whole.metrics.work, (unsigned)whole.metrics.expanded);
    answer_free(&whole), answer_free(&sliced);
    kit_close(&k);
    scene_destroy(s);
}

typedef struct sums {
    double length;
    uint64_t lines, expanded;
} sums;

static sums search_all(kit *k, const scene *s, const char *spec, bool smooth)
{
    scene_rng rng = {77};
    sums t = {0};
    kit_plan(k, spec);
    for (int i = 0; i < 60; i++) {
        cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
        const cairn_path *path;
        if (cairn_search_find(k->search, &query, &path) != CAIRN_FOUND) continue;
        double length = path->length;
        if (smooth) CHECK_OK(smooth_sight(k->space, path, NULL, 0, NULL, &length));
        t.length += length;
        t.lines += cairn_search_metrics(k->search).lines;
        t.expanded += cairn_search_metrics(k->search).expanded;
    }
    return t;
}

static void paths_are_shorter_than_smoothed_ones_and_being_lazy_saves_looks(void **state)
{
    (void)state;
    scene *maps[] = {scene_blocks("blocks", 150, 130, 300, 78),
                     scene_noise("noise", 120, 110, 20, 79),
                     scene_rooms("rooms", 120, 120, 12, 80)};
    for (uint32_t m = 0; m < LENGTH(maps); m++) {
        kit k = kit_of_scene(maps[m], &maps[m]->profile);
        sums grid = search_all(&k, maps[m], "astar", false),
             smooth = search_all(&k, maps[m], "astar", true);
        sums theta = search_all(&k, maps[m], "theta", false),
             lazy = search_all(&k, maps[m], "lazy-theta", false);
        print_message(
            "%s: A* 1, smoothed %.4f, theta %.4f, lazy %.4f; looks %.2f and %.2f a node\n",
            maps[m]->name, smooth.length / grid.length, theta.length / grid.length,
            lazy.length / grid.length, (double)theta.lines / (double)theta.expanded,
            (double)lazy.lines / (double)lazy.expanded);
        CHECK(theta.length < smooth.length && lazy.length < smooth.length,
              "%s: longer than smoothed", maps[m]->name);
        CHECK(fabs(lazy.length - theta.length) < 0.005 * theta.length, "%s: lazy differs",
              maps[m]->name);
        CHECK(lazy.lines < theta.lines, "%s: lazy looks more often", maps[m]->name);
        kit_close(&k);
        scene_destroy(maps[m]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quick_look_sees_what_a_ray_does),
        cmocka_unit_test(long_lines_are_seen_along),
        cmocka_unit_test(paths_are_legal_and_never_better_than_the_best_of_any_angle),
        cmocka_unit_test(paths_can_be_walked_smoothed_and_copied),
        cmocka_unit_test(lines_among_hexagons_obey_limits_of_height),
        cmocka_unit_test(a_wall_across_a_line_makes_the_path_invalid),
        cmocka_unit_test(every_node_that_was_seen_has_a_true_path),
        cmocka_unit_test(lines_cost_their_length_rounded_up),
        cmocka_unit_test(lines_stop_where_the_ground_changes),
        cmocka_unit_test(lines_over_several_grounds_can_be_merged),
        cmocka_unit_test(graphs_have_no_lines),
        cmocka_unit_test(long_looks_are_shared_out),
        cmocka_unit_test(paths_are_shorter_than_smoothed_ones_and_being_lazy_saves_looks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
