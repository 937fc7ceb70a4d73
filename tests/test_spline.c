/* test_spline.c: paths as curves. What comes out is judged by walking along it in small steps and
 * measuring the distance to every blocked cell around, in doubles and without the library's
 * geometry.
 */
#include "routes.h"
#include "smoothing.h"

#define STEP 0.02  /* cells from sample to sample */
#define NEAR 1e-6  /* two places are the same */
#define ROUND 1e-4 /* what rounding may lengthen */

static uint32_t corners_seen, corners_rounded;

/* ---- geometry, plainly
 * --------------------------------------------------------------------------- */

static double far(cairn_position a, cairn_position b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

static cairn_position part(cairn_position a, cairn_position b, double t)
{
    return (cairn_position){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), 0};
}

static double cross(cairn_position a, cairn_position b, cairn_position c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static double to_line(cairn_position p, cairn_position a, cairn_position b)
{
    const double place[2] = {p.x, p.y}, from[2] = {a.x, a.y}, to[2] = {b.x, b.y};
    return slow_to_side(place, from, to);
}

/* By how much one has to turn at b, in radians. */
static double turn(cairn_position a, cairn_position b, cairn_position c)
{
    double dot = (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y);
    return fabs(atan2(cross(a, b, c), dot));
}

/* The centre of a cell; places here have the centre of cell (0, 0) in (0, 0). */
static cairn_position centre(const world *w, cairn_node n)
{
    return oracle_centre(&w->raw, n % w->scene->width, n / w->scene->width);
}

/* The library's places have the outer corner of the map in (0, 0). */
static cairn_position moved(const world *w, cairn_position p)
{
    return (cairn_position){p.x - 0.5, p.y - (w->scene->hex ? sqrt(1.0 / 3) : 0.5), 0};
}

/* From a place to a cell; less than 0 inside. */
static double to_cell(const world *w, cairn_position p, int64_t x, int64_t y)
{
    cairn_position c = oracle_centre(&w->raw, x, y);
    double dx = fabs(p.x - c.x), dy = fabs(p.y - c.y);
    double deep = (w->scene->hex ? fmax(dx, dx / 2 + dy * sqrt(0.75)) : fmax(dx, dy)) - 0.5;
    const double place[2] = {p.x, p.y};
    return deep > 0 ? slow_to_cell(w, place, x, y) : deep;
}

static bool blocked(const world *w, int64_t x, int64_t y)
{
    const scene *s = w->scene;
    if (x < 0 || y < 0 || x >= s->width || y >= s->height) return true;
    int64_t at = y * s->width + x;
    return !s->open[at] || (s->terrain && !s->profile.terrain_cost[s->terrain[at]]);
}

/* How much more room than it needs the agent has here. */
static double room(const world *w, cairn_position p)
{
    int64_t side = w->scene->profile.footprint;
    double least = 1e9, radius = w->scene->profile.radius;
    int64_t cx = (int64_t)floor(p.x), cy = (int64_t)floor(p.y / (w->scene->hex ? sqrt(0.75) : 1));
    int64_t around = (int64_t)ceil(radius * 1.2) + 2;
    for (int64_t y = cy - around; y <= cy + around + side; y++) {
        for (int64_t x = cx - around; x <= cx + around + side; x++) {
            if (!blocked(w, x, y)) continue;
            double more = to_cell(w, p, x, y) - radius;
            if (side > 1) { /* p is the middle of the upper left cell */
                double dx = p.x > (double)x ? p.x - (double)x - 1 : (double)(x - side) - p.x;
                double dy = p.y > (double)y ? p.y - (double)y - 1 : (double)(y - side) - p.y;
                more = dx > dy ? dx : dy;
            }
            least = fmin(least, more);
        }
    }
    return least;
}

/* The cell that a place lies in, or one of them. */
static cairn_node cell_at(const world *w, cairn_position p)
{
    int64_t cx = (int64_t)floor(p.x), cy = (int64_t)floor(p.y / (w->scene->hex ? sqrt(0.75) : 1));
    for (int64_t y = cy - 1; y <= cy + 2; y++) {
        for (int64_t x = cx - 1; x <= cx + 2; x++) {
            if (x >= 0 && y >= 0 && x < w->scene->width && y < w->scene->height &&
                to_cell(w, p, x, y) <= 0)
                return (cairn_node)(y * w->scene->width + x);
        }
    }
    return CAIRN_NO_NODE;
}

/* ---- curves of many kinds
 * ------------------------------------------------------------------------- */

typedef struct curve {
    cairn_position *points;
    uint32_t count;
    double length;
} curve;

/* In the places of this test. */
static curve curve_of(const world *w, const cairn_path *path, double reach, double spacing)
{
    curve c = {0}, again = {0};
    double length = -1;
    CHECK_OK(smooth_spline(w->space, path, reach, spacing, NULL, 0, &c.count, &c.length));
    c.points = malloc(c.count * sizeof *c.points),
    again.points = malloc(c.count * sizeof *c.points);
    uint32_t count = 0;
    CHECK_OK(smooth_spline(w->space, path, reach, spacing, c.points, c.count, &count, &length));
    assert_int_equal(count, c.count);
    assert_true(length == c.length);
    CHECK_OK(smooth_spline(w->space, path, reach, spacing, again.points, c.count, NULL, NULL));
    assert_memory_equal(c.points, again.points, count * sizeof *c.points);
    if (count > 1) {
        again.points[count - 1].x = 99999;
        CHECK_STATUS(
            smooth_spline(w->space, path, reach, spacing, again.points, count - 1, &count, NULL),
            CAIRN_INVALID);
        assert_int_equal(count, c.count);
        assert_true(again.points[count - 1].x == 99999);
    }
    free(again.points);
    for (uint32_t i = 0; i < c.count; i++) c.points[i] = moved(w, c.points[i]);
    return c;
}

/* From one cell to another as far as heights matter, both ways: more is not promised to those who
 * ask. */
static bool level_enough(const world *w, cairn_node a, cairn_node b)
{
    const scene *s = w->scene;
    if (!s->elevation) return true;
    int64_t rise = s->elevation[b] - s->elevation[a];
    return rise <= s->profile.max_climb && -rise <= s->profile.max_drop;
}

/* A line of the result that lies on no line of the string: part of the curve at a corner. */
static void check_chord(const world *w, const cairn_position string[3], cairn_node corner,
                        cairn_position a, cairn_position b)
{
    double side = cross(string[0], string[1], string[2]) < 0 ? -1 : 1;
    CHECK(side * cross(string[0], string[1], b) > -ROUND &&
              side * cross(string[1], string[2], b) > -ROUND &&
              side * cross(string[0], string[2], b) < ROUND * far(string[0], string[2]),
          "(%g, %g) lies outside of its corner", b.x, b.y);
    cairn_node before = CAIRN_NO_NODE;
    for (double at = 0; at <= far(a, b); at += STEP) {
        cairn_position p = part(a, b, at / far(a, b));
        cairn_node cell = cell_at(w, p);
        assert_int_not_equal(cell, CAIRN_NO_NODE);
        CHECK(slow_alike(w, corner, cell), "(%g, %g) is other ground than the corner", p.x, p.y);
        if (before != CAIRN_NO_NODE)
            CHECK(level_enough(w, before, cell), "from %u to %u", before, cell);
        before = cell;
    }
}

static void check_room(const world *w, cairn_position a, cairn_position b)
{
    for (double at = 0; at <= far(a, b); at += STEP) {
        cairn_position p = part(a, b, far(a, b) > 0 ? at / far(a, b) : 0);
        CHECK(room(w, p) > -NEAR, "(%g, %g): %g less room than is needed", p.x, p.y, -room(w, p));
    }
}

/* A piece of the curve beginning at point *at, against the string that it was made of. */
static void check_piece(const world *w, const curve *c, uint32_t *at, const cairn_node *string,
                        uint32_t count, double spacing, double *sum)
{
    uint32_t leg = 0, last = *at;
    cairn_position end = centre(w, string[count - 1]);
    assert_true(far(c->points[*at], centre(w, string[0])) < NEAR);
    if (count > 2) corners_seen += count - 2;
    for (uint32_t i = *at + 1; count > 1; i++) {
        assert_true(i < c->count);
        cairn_position a = c->points[i - 1], b = c->points[i], legs[4];
        for (uint32_t k = 0; k < 4; k++)
            legs[k] = centre(w, string[leg + k < count ? leg + k : count - 1]);
        *sum += far(a, b);
        check_room(w, a, b);
        if (to_line(b, legs[0], legs[1]) > NEAR || to_line(a, legs[0], legs[1]) > NEAR) {
            CHECK(far(a, b) <= spacing + NEAR, "%g cells from point to point", far(a, b));
            assert_true(leg + 2 < count);
            check_chord(w, legs, string[leg + 1], a, b);
            if (to_line(b, legs[1], legs[2]) < NEAR) corners_rounded++;
        }
        /* Where the next line of the string is reached; a curve keeps away from the corner
         * itself. */
        while (leg + 2 < count && to_line(b, legs[1], legs[2]) < NEAR) {
            leg++;
            for (uint32_t k = 0; k < 3; k++) legs[k] = legs[k + 1];
            legs[3] = centre(w, string[leg + 3 < count ? leg + 3 : count - 1]);
            if (far(b, legs[1]) > NEAR) break;
        }
        last = i;
        if (leg + 2 == count && far(b, end) < NEAR) break;
    }
    *at = last + 1;
}

static void check_spline(const world *w, const route *r, double reach, double spacing)
{
    curve c = curve_of(w, &r->path, reach, spacing);
    cairn_node *string = malloc(r->cell_count * sizeof *string);
    uint32_t at = 0, first = 0;
    double sum = 0, pulled = 0;
    for (uint32_t i = 0; i <= r->path.link_count; i++) {
        uint32_t end = i < r->path.link_count ? r->path.links[i].at + 1 : r->path.count, count;
        double length;
        cairn_path piece = r->path;
        piece.nodes += first, piece.count = end - first, piece.link_count = 0;
        CHECK_OK(smooth_sight(w->space, &piece, string, r->cell_count, &count, &length));
        pulled += length;
        check_piece(w, &c, &at, string, count, spacing > 0 ? spacing : 0.25, &sum);
        if (i == r->path.link_count) break;
        double cost = (double)cairn_space_step_cost(w->space, r->points[end - 1], r->points[end]) /
                      cairn_space_scale(w->space).straight;
        sum += cost, pulled += cost;
        first = end;
    }
    assert_int_equal(at, c.count);
    assert_true(fabs(sum - c.length) < NEAR);
    assert_true(c.length <= pulled + ROUND);
    free(string);
    free(c.points);
}

static void check_default(const world *w, route *r, scene_rng *rng)
{
    static const double spacings[] = {0, 0.0625, 0.3, 1, 5, 16}, reaches[] = {0, 0, 0.2, 1.7};
    check_spline(w, r, reaches[scene_random(rng, 4)], spacings[scene_random(rng, 6)]);
}

static void curves_stay_where_the_agent_can_walk(void **state)
{
    (void)state;
    corners_seen = corners_rounded = 0;
    for_many_routes(61, 150, check_default);
    CHECK(corners_rounded > 200, "%u of %u corners were rounded", corners_rounded, corners_seen);
}

/* Worlds with more room, and agents that need it. */
static void curves_keep_room_for_every_size(void **state)
{
    (void)state;
    static const double radii[] = {0.3, 0.5, 0.8, 1.3, 2.2};
    scene_rng rng = {62};
    for (uint32_t round = 0; round < 60; round++) {
        scene *s =
            scene_blocks("blocks", 24, 24, 8 + scene_random(&rng, 8), scene_random(&rng, 1u << 30));
        bool square = round % 3 == 0;
        if (!square && round % 2) scene_make_hex(s);
        if (square)
            s->profile.footprint = 2 + scene_random(&rng, 2);
        else
            s->profile.radius = radii[scene_random(&rng, 5)];
        world w = world_of(s);
        corners_seen = corners_rounded = round ? corners_rounded : 0;
        if (scene_pick(s, &rng) != CAIRN_NO_NODE) {
            oracle *o = oracle_of_grid(&w.raw, &s->profile, cairn_space_scale(w.space));
            for (uint32_t i = 0; i < 3; i++) {
                route r = shortest_route(&w, o, &rng);
                check_default(&w, &r, &rng);
                route_end(&r);
            }
            oracle_destroy(o);
        }
        world_end(&w);
    }
    CHECK(corners_rounded > 40, "%u corners were rounded", corners_rounded);
}

/* ---- one corner
 * ----------------------------------------------------------------------------------- */

static cairn_path path_over(const world *w, const cairn_node *nodes, uint32_t count)
{
    return (cairn_path){.status = CAIRN_FOUND,
                        .nodes = nodes,
                        .count = count,
                        .version = cairn_grid_version(w->grid)};
}

/* A corridor one cell wide, along the top and down the right side, eleven cells each. What lies
 * inside of its bend is a wall, a cliff, or ground that costs more. */
typedef enum inside { INSIDE_WALL, INSIDE_CLIFF, INSIDE_SWAMP, INSIDES } inside;

static world bent_corridor(inside kind)
{
    scene *s = scene_blank("corridor", 11, 11);
    s->elevation = calloc(121, sizeof *s->elevation);
    s->terrain = calloc(121, 1);
    s->profile.max_climb = s->profile.max_drop = 1;
    s->profile.terrain_cost[CAIRN_TERRAIN_SWAMP] = CAIRN_TIMES(3);
    for (uint32_t i = 0; i < 121; i++) {
        if (i < 11 || i % 11 == 10) continue;
        s->open[i] = kind != INSIDE_WALL;
        s->elevation[i] = kind == INSIDE_CLIFF ? -2 : 0;
        s->terrain[i] = kind == INSIDE_SWAMP ? CAIRN_TERRAIN_SWAMP : CAIRN_TERRAIN_GROUND;
    }
    return world_of(s);
}

/* The curve of a right angle whose legs are d long is d·u³ from one of them and d·t³ from the
 * other, so it passes the inner corner of a corridor, half a cell from both, if d < 4. Of ten cells
 * it gets there in four steps by quarters. */
static void a_curve_is_tightened_until_it_passes_the_corner(void **state)
{
    (void)state;
    for (inside kind = 0; kind < INSIDES; kind++) {
        world w = bent_corridor(kind);
        cairn_node nodes[] = {0, 10, 120};
        cairn_path path = path_over(&w, nodes, 3);
        curve c = curve_of(&w, &path, 0, 0.0625);
        cairn_position corner = {10, 0, 0};
        double d = 10 * 0.75 * 0.75 * 0.75 * 0.75;
        assert_true(fabs(far(c.points[1], corner) - d) < 0.001);
        assert_true(fabs(far(c.points[c.count - 2], corner) - d) < 0.001);
        for (uint32_t i = 1; i + 1 < c.count; i++) {
            double t = (i - 1.0) / (c.count - 3.0), u = 1 - t;
            cairn_position must = {10 - d * u * u * u, d * t * t * t, 0};
            CHECK(far(c.points[i], must) < 0.001, "point %u is (%g, %g)", i, c.points[i].x,
                  c.points[i].y);
        }
        free(c.points);
        world_end(&w);
    }
}

/* Direction and curvature change little by little: between the chords, and from the lines to the
 * first and last of them. */
static void neither_direction_nor_curvature_jumps(void **state)
{
    (void)state;
    world w = bent_corridor(INSIDE_WALL);
    cairn_node nodes[] = {0, 10, 120};
    cairn_path path = path_over(&w, nodes, 3);
    curve c = curve_of(&w, &path, 0, 0.0625);
    double before = 0, most = 0, sum = 0;
    assert_true(c.count > 100);
    for (uint32_t i = 1; i + 1 < c.count; i++) {
        double angle = turn(c.points[i - 1], c.points[i], c.points[i + 1]);
        bool end = i == 1 || i + 2 == c.count;
        double bend = end ? 0 : angle / far(c.points[i], c.points[i + 1]);
        CHECK(angle < 0.04, "it turns by %g at point %u", angle, i);
        if (end) CHECK(angle < 0.0001, "it turns by %g where the curve meets the line", angle);
        CHECK(fabs(bend - before) < 0.08, "from %g to %g at point %u", before, bend, i);
        before = bend, most = fmax(most, bend), sum += angle;
    }
    assert_true(most < 1.3); /* 8/3 · √2 / d: no sharper than a circle of 0.8 cells */
    assert_true(fabs(sum - 1.5707963267948966) < 1e-6); /* never to the wrong side */
    free(c.points);
    world_end(&w);
}

static void reach_and_spacing_are_kept(void **state)
{
    (void)state;
    world w = bent_corridor(INSIDE_WALL);
    cairn_node nodes[] = {0, 10, 120};
    cairn_path path = path_over(&w, nodes, 3);
    cairn_position corner = {10, 0, 0};
    curve c = curve_of(&w, &path, 2, 0.5);
    assert_true(fabs(far(c.points[1], corner) - 2) < 0.001);
    assert_true(fabs(far(c.points[c.count - 2], corner) - 2) < 0.001);
    for (uint32_t i = 2; i + 1 < c.count; i++)
        assert_true(far(c.points[i - 1], c.points[i]) <= 0.5);
    free(c.points);
    c = curve_of(&w, &path, 0.1, 0); /* less than the least curve */
    assert_int_equal(c.count, 3);
    assert_true(far(c.points[1], corner) == 0);
    assert_true(c.length == 20);
    free(c.points);
    c = curve_of(&w, &path, 2, 16); /* never less than four chords */
    assert_int_equal(c.count, 7);
    free(c.points);
    world_end(&w);
}

/* The same path on another scale. */
static void places_are_those_of_the_game(void **state)
{
    (void)state;
    cairn_context *context = NULL;
    CHECK_OK(cairn_context_create(NULL, &context));
    for (uint32_t hex = 0; hex < 2; hex++) {
        uint8_t open[121];
        for (uint32_t i = 0; i < 121; i++) open[i] = i < 11 || i % 11 == 10;
        cairn_grid_options options = {.width = 11,
                                      .height = 11,
                                      .open = open,
                                      .origin = {-300, 7.5, 0},
                                      .cell_size = 4,
                                      .layout = hex ? CAIRN_LAYOUT_HEX : CAIRN_LAYOUT_SQUARE};
        cairn_grid *grid = NULL;
        cairn_space *space = NULL;
        CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
        CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
        cairn_node nodes[] = {0, 10, 21};
        cairn_path path = {
            .status = CAIRN_FOUND, .nodes = nodes, .count = 3, .version = cairn_grid_version(grid)};
        cairn_position out[200], first = cairn_grid_position(grid, 0),
                                 last = cairn_grid_position(grid, 21);
        uint32_t count = 0;
        double length = 0, sum = 0;
        CHECK_OK(smooth_spline(space, &path, 0, 0, out, 200, &count, &length));
        assert_true(count > 5);
        assert_true(out[0].x == first.x && out[0].y == first.y);
        assert_true(out[count - 1].x == last.x && out[count - 1].y == last.y);
        for (uint32_t i = 1; i < count; i++) sum += far(out[i - 1], out[i]) / 4;
        assert_true(fabs(sum - length) < NEAR);
        cairn_space_destroy(space);
        cairn_grid_destroy(grid);
    }
    cairn_context_destroy(context);
}

static void a_path_that_turns_back_keeps_its_end(void **state)
{
    (void)state;
    scene *s = scene_blank("swamps", 9, 1);
    s->terrain = calloc(9, 1);
    for (uint32_t i = 0; i < 9; i++)
        s->terrain[i] = i % 2 ? CAIRN_TERRAIN_SWAMP : CAIRN_TERRAIN_GROUND;
    s->profile.terrain_cost[CAIRN_TERRAIN_SWAMP] = CAIRN_TIMES(9);
    world w = world_of(s);
    cairn_node there_and_back[] = {0, 8, 4};
    cairn_path path = path_over(&w, there_and_back, 3);
    curve c = curve_of(&w, &path, 0, 0);
    assert_int_equal(c.count, 3);
    assert_true(c.points[1].x ==
                7); /* the last cell itself leads back to the one before it: nobody needs it */
    assert_true(c.length == 10);
    free(c.points);
    world_end(&w);
}

/* Doubles, but the same ones with every compiler on every machine. */
static void the_same_bytes_everywhere(void **state)
{
    (void)state;
    static const uint64_t expected[2] = {UINT64_C(0x7f6c5de1e031d65d),
                                         UINT64_C(0xae09a2732f203d97)};
    for (uint32_t hex = 0; hex < 2; hex++) {
        scene *s = scene_blocks("bytes", 40, 40, 40, 9);
        if (hex) scene_make_hex(s);
        s->profile.radius = 0.6;
        world w = world_of(s);
        oracle *o = oracle_of_grid(&w.raw, &s->profile, cairn_space_scale(w.space));
        scene_rng rng = {63};
        uint64_t hash = UINT64_C(14695981039346656037);
        for (uint32_t i = 0; i < 4; i++) {
            route r = shortest_route(&w, o, &rng);
            curve c = curve_of(&w, &r.path, 0, 0);
            cairn_position *points = malloc(c.count * sizeof *points);
            CHECK_OK(smooth_spline(w.space, &r.path, 0, 0, points, c.count, NULL, NULL));
            for (uint32_t k = 0; k < 2 * c.count; k++) {
                double value = k % 2 ? points[k / 2].y : points[k / 2].x;
                uint64_t bits;
                memcpy(&bits, &value, sizeof bits);
                hash = (hash ^ bits) * UINT64_C(1099511628211);
            }
            free(points);
            free(c.points);
            route_end(&r);
        }
        CHECK(hash == expected[hex], "%016llx", (unsigned long long)hash);
        oracle_destroy(o);
        world_end(&w);
    }
}

/* Long lines at the far end of the largest map: nothing overflows, and the curve is as good as
 * another. */
static void long_lines_far_away_are_rounded_too(void **state)
{
    (void)state;
    for (uint32_t hex = 0; hex < 2; hex++) {
        scene *s = scene_blank("long", CAIRN_GRID_MAX, 20);
        for (uint32_t i = 0; i < s->width * s->height; i++)
            s->open[i] = i < s->width || i % s->width >= s->width - 2;
        if (hex) scene_make_hex(s);
        world w = world_of(s);
        uint32_t last = hex ? s->width : s->width * 19;
        cairn_node nodes[] = {s->width - 2000, s->width - 2, last + s->width - 2};
        cairn_path path = path_over(&w, nodes, 3);
        curve c = curve_of(&w, &path, 0, 0);
        assert_true(c.count > 10);
        double least = 1e9;
        for (uint32_t i = 1; i + 1 < c.count; i++) {
            least = fmin(least, far(c.points[i], centre(&w, s->width - 2)));
            check_room(&w, c.points[i], c.points[i + 1]);
        }
        assert_true(least > 0.01 && least < 3);
        free(c.points);
        world_end(&w);
    }
}

/* a partial path is as good as a whole one. */
static void partial_paths_are_curves_too(void **state)
{
    (void)state;
    world w = bent_corridor(INSIDE_WALL);
    cairn_node nodes[] = {0, 10, 120};
    cairn_path path = path_over(&w, nodes, 3);
    curve whole = curve_of(&w, &path, 0, 0);
    path.status = CAIRN_OUT_OF_BUDGET;
    path.partial = true;
    curve part_of_it = curve_of(&w, &path, 0, 0);
    assert_int_equal(whole.count, part_of_it.count);
    assert_memory_equal(whole.points, part_of_it.points, whole.count * sizeof *whole.points);
    free(whole.points);
    free(part_of_it.points);
    world_end(&w);
}

/* A square touches the corner that it goes round: nothing can be cut off, and the curve is the
 * string. */
static void a_square_keeps_the_corners_that_it_touches(void **state)
{
    (void)state;
    scene *s = scene_blank("square", 12, 12);
    for (uint32_t y = 0; y < 6; y++)
        for (uint32_t x = 4; x < 8; x++) s->open[y * 12 + x] = 0;
    s->profile.footprint = 2;
    world w = world_of(s);
    cairn_node nodes[] = {0, 6 * 12 + 0, 6 * 12 + 8, 8}; /* round the lower end of the wall */
    cairn_path path = path_over(&w, nodes, 4);
    cairn_node string[40];
    uint32_t count = 0;
    CHECK_OK(smooth_sight(w.space, &path, string, 40, &count, NULL));
    curve c = curve_of(&w, &path, 0, 0);
    assert_int_equal(c.count, count);
    assert_true(count == 4);
    for (uint32_t i = 0; i < count; i++) assert_true(far(c.points[i], centre(&w, string[i])) == 0);
    free(c.points);
    world_end(&w);
}

/* ---- what is refused
 * -------------------------------------------------------------------------------- */

static void nonsense_is_refused(void **state)
{
    (void)state;
    world w = world_of(scene_blank("why", 5, 5));
    cairn_node nodes[] = {0, 7, 9}, good[] = {0, 4, 24};
    cairn_position out[9];
    uint32_t count = 9;
    double length = 9;
    cairn_path path = {.status = CAIRN_UNREACHABLE};
    CHECK_STATUS(smooth_spline(w.space, &path, 0, 0, out, 9, &count, &length), CAIRN_UNREACHABLE);
    assert_int_equal(count, 0);
    assert_true(length == 0);
    CHECK_STATUS(smooth_spline(w.space, NULL, 0, 0, out, 9, NULL, NULL), CAIRN_INVALID);
    path = path_over(&w, nodes, 3);
    CHECK_STATUS(smooth_spline(NULL, &path, 0, 0, out, 9, NULL, NULL), CAIRN_INVALID);
    CHECK_STATUS(smooth_spline(w.space, &path, 0, 0, out, 9, NULL, NULL), CAIRN_BAD_DATA);
    path.version++;
    CHECK_STATUS(smooth_spline(w.space, &path, 0, 0, out, 9, NULL, NULL), CAIRN_STALE);
    path = path_over(&w, good, 3);
    CHECK_OK(smooth_spline(w.space, &path, INFINITY, 16, out, 9, NULL, NULL));
    static const double bad[][2] = {{-1, 0},   {NAN, 0}, {0, NAN},     {0, -1},
                                    {0, 0.06}, {0, 17},  {0, INFINITY}};
    for (uint32_t i = 0; i < LENGTH(bad); i++)
        CHECK_STATUS(smooth_spline(w.space, &path, bad[i][0], bad[i][1], out, 9, NULL, NULL),
                     CAIRN_INVALID);
    path.count = 1;
    CHECK_OK(smooth_spline(w.space, &path, 0, 0, out, 9, &count, &length));
    assert_int_equal(count, 1);
    assert_true(length == 0 && out[0].x == 0.5 && out[0].y == 0.5);
    world_end(&w);
}

static void graphs_have_no_curves(void **state)
{
    const cairn_graph_edge edges[] = {{0, 1, 10}};
    cairn_graph_options options = {.node_count = 2, .edge_count = 1, .edges = edges};
    cairn_graph *graph = NULL;
    cairn_space *space = NULL;
    CHECK_OK(cairn_graph_create(*state, &options, &graph, NULL));
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    cairn_node nodes[] = {0, 1};
    cairn_path path = {
        .status = CAIRN_FOUND, .nodes = nodes, .count = 2, .version = cairn_space_version(space)};
    CHECK_STATUS(smooth_spline(space, &path, 0, 0, NULL, 0, NULL, NULL), CAIRN_UNSUPPORTED);
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    watched memory = {0};
    cairn_context *context = NULL;
    CHECK_OK(watched_context(&memory, &context));
    scene *s = scene_blank("memory", 30, 30);
    cairn_grid *grid = NULL;
    cairn_space *space = NULL;
    CHECK_OK(scene_grid(s, context, &grid));
    CHECK_OK(cairn_space_of_grid(grid, &s->profile, &space, NULL));
    cairn_node nodes[] = {0, 29, 30 * 30 - 1};
    cairn_path path = {
        .status = CAIRN_FOUND, .nodes = nodes, .count = 3, .version = cairn_grid_version(grid)};
    size_t blocks = memory.blocks;
    uint64_t fail = 1;
    for (;; fail++) {
        uint32_t count = 7;
        double length = 7;
        memory.calls = 0, memory.fail_at = fail, memory.failures = 0;
        cairn_status status = smooth_spline(space, &path, 0, 0, NULL, 0, &count, &length);
        assert_int_equal(memory.blocks, blocks);
        CHECK_STATUS(status, memory.failures ? CAIRN_OUT_OF_MEMORY : CAIRN_OK);
        if (!memory.failures) break;
        assert_int_equal(count, 0);
        assert_true(length == 0);
    }
    assert_true(fail > 1 && !memory.wrong_size);
    memory.fail_at = 0;
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_stay_where_the_agent_can_walk),
        cmocka_unit_test(curves_keep_room_for_every_size),
        cmocka_unit_test(a_curve_is_tightened_until_it_passes_the_corner),
        cmocka_unit_test(neither_direction_nor_curvature_jumps),
        cmocka_unit_test(reach_and_spacing_are_kept),
        cmocka_unit_test(places_are_those_of_the_game),
        cmocka_unit_test(a_path_that_turns_back_keeps_its_end),
        cmocka_unit_test(the_same_bytes_everywhere),
        cmocka_unit_test(long_lines_far_away_are_rounded_too),
        cmocka_unit_test(partial_paths_are_curves_too),
        cmocka_unit_test(a_square_keeps_the_corners_that_it_touches),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test_setup_teardown(graphs_have_no_curves, context_set_up, context_tear_down),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("spline", tests, NULL, NULL);
}
