/* test_agents.c: agents with a size, as geometry sees them: a disc that is moved along a path in
 * small steps never comes nearer than its radius to a blocked cell, a square of n × n cells never
 * overlaps one, and a corridor that is one cell too narrow is refused; under every corner rule, on
 * squares and on hexagons. And the other way round: on hexagons every step that keeps its distance
 * can be made.
 */
#include "kit.h"
#include "smoothing.h"
#include <math.h>

/* Distance from a point to the square of a cell, in cells. */
static double to_square(double px, double py, int32_t x, int32_t y)
{
    double dx = px < x ? x - px : px > x + 1 ? px - (x + 1) : 0;
    double dy = py < y ? y - py : py > y + 1 ? py - (y + 1) : 0;
    return sqrt(dx * dx + dy * dy);
}

/* Hexagons are one cell wide and stand on a point; odd rows lie half a cell to the right. The
 * corner of the first cell's picture is half a cell to the left of its centre and above it, as for
 * squares. */
static void centre_of(const cairn_grid *grid, int32_t x, int32_t y, double out[2])
{
    bool hex = cairn_grid_layout(grid) == CAIRN_LAYOUT_HEX;
    out[0] = x + 0.5 + (hex && y % 2 ? 0.5 : 0);
    out[1] = 0.5 + (hex ? y * sqrt(0.75) : y);
}

/* From a point to a straight line between two others. */
static double to_line(const double p[2], const double a[2], const double b[2])
{
    double dx = b[0] - a[0], dy = b[1] - a[1];
    double t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(a[0] + t * dx - p[0], a[1] + t * dy - p[1]);
}

static void hexagon_point(const cairn_grid *grid, int32_t x, int32_t y, int i, double out[2])
{
    double pi = acos(-1.0), angle = pi / 2 + i * pi / 3;
    centre_of(grid, x, y, out);
    out[0] += cos(angle) / sqrt(3);
    out[1] += sin(angle) / sqrt(3);
}

/* Distance from a point to a hexagon that it does not lie in. */
static double to_hexagon(const cairn_grid *grid, const double p[2], int32_t x, int32_t y)
{
    double least = INFINITY, a[2], b[2];
    for (int i = 0; i < 6; i++) {
        hexagon_point(grid, x, y, i, a);
        hexagon_point(grid, x, y, i + 1, b);
        least = fmin(least, to_line(p, a, b));
    }
    return least;
}

static bool blocked(const cairn_grid *grid, int32_t x, int32_t y)
{
    return !cairn_grid_is_open(grid, x, y);
}

/* The least distance from a point to anything blocked within reach. */
static double least_distance(const cairn_grid *grid, double px, double py, double reach)
{
    double least = reach, p[2] = {px, py};
    bool hex = cairn_grid_layout(grid) == CAIRN_LAYOUT_HEX;
    int32_t r = (int32_t)(reach * (hex ? 1.2 : 1)) + 2, row = (int32_t)(hex ? py / sqrt(0.75) : py);
    for (int32_t y = row - r; y <= row + r; y++) {
        for (int32_t x = (int32_t)px - r; x <= (int32_t)px + r; x++) {
            if (!blocked(grid, x, y)) continue;
            least = fmin(least, hex ? to_hexagon(grid, p, x, y) : to_square(px, py, x, y));
        }
    }
    return least;
}

static void walk_disc(const kit *k, const cairn_path *path, double radius)
{
    enum { PIECES = 16 };
    for (uint32_t i = 0; i + 1 < path->count; i++) {
        cairn_cell a = cairn_grid_cell(k->grid, path->nodes[i]),
                   b = cairn_grid_cell(k->grid, path->nodes[i + 1]);
        int32_t steps = abs(b.x - a.x) > abs(b.y - a.y) ? abs(b.x - a.x) : abs(b.y - a.y);
        for (int32_t j = 0; j <= steps * PIECES; j++) {
            double t = j / (double)(steps * PIECES);
            double from[2], to[2];
            centre_of(k->grid, a.x, a.y, from);
            centre_of(k->grid, b.x, b.y, to);
            double x = from[0] + t * (to[0] - from[0]), y = from[1] + t * (to[1] - from[1]);
            double d = least_distance(k->grid, x, y, radius + 1);
            CHECK(d >= radius - 1e-9, "radius %g: only %g away from a wall at %g, %g", radius, d, x,
                  y);
        }
    }
}

static void walk_square(const kit *k, const cairn_path *path, uint32_t side)
{
    enum { PIECES = 8 };
    for (uint32_t i = 0; i + 1 < path->count; i++) {
        cairn_cell a = cairn_grid_cell(k->grid, path->nodes[i]),
                   b = cairn_grid_cell(k->grid, path->nodes[i + 1]);
        int32_t steps = abs(b.x - a.x) > abs(b.y - a.y) ? abs(b.x - a.x) : abs(b.y - a.y);
        for (int32_t j = 0; j <= steps * PIECES; j++) {
            double t = j / (double)(steps * PIECES), left = a.x + t * (b.x - a.x),
                   top = a.y + t * (b.y - a.y);
            for (int32_t y = (int32_t)floor(top); y < top + side; y++) {
                for (int32_t x = (int32_t)floor(left); x < left + side; x++) {
                    /* Overlap of more than a line. */
                    bool over = x + 1 > left + 1e-9 && x < left + side - 1e-9 &&
                                y + 1 > top + 1e-9 && y < top + side - 1e-9;
                    CHECK(!over || !blocked(k->grid, x, y), "footprint %u overlaps (%d, %d)", side,
                          (int)x, (int)y);
                }
            }
        }
    }
}

static void walk_both(const kit *k, const cairn_path *path, const cairn_profile *profile)
{
    if (profile->footprint > 1) {
        walk_square(k, path, profile->footprint);
    } else {
        walk_disc(k, path, profile->radius);
    }
}

/* Many paths for one size, as they are and smoothed; returns how many were found. */
static uint32_t walk_paths(scene *s, const cairn_profile *profile, uint64_t seed)
{
    kit k = kit_of_scene(s, profile);
    kit_plan(&k, "astar");
    uint32_t found = 0, pulled = 0;
    for (uint32_t i = 0; i < 40; i++) {
        cairn_node from =
            (cairn_node)(seed = seed * 6364136223846793005u + 1442695040888963407u, seed >> 33);
        cairn_node to =
            (cairn_node)(seed = seed * 6364136223846793005u + 1442695040888963407u, seed >> 33);
        cairn_query query = {.from = from % cairn_space_node_count(k.space),
                             .to = to % cairn_space_node_count(k.space)};
        const cairn_path *path;
        if (cairn_search_find(k.search, &query, &path) != CAIRN_FOUND) continue;
        found++;
        walk_both(&k, path, profile);
        cairn_node points[4096];
        cairn_path smooth = *path;
        CHECK_OK(smooth_sight(k.space, path, points, LENGTH(points), &smooth.count, NULL));
        smooth.nodes = points;
        walk_both(&k, &smooth, profile);
        pulled += smooth.count < path->count;
    }
    kit_close(&k);
    CHECK(found < 10 || pulled > 0, "smoothing pulled nothing of %u paths", found);
    return found;
}

static void discs_keep_their_distance(void **state)
{
    (void)state;
    static const double radii[] = {0.25, 0.3, 0.5, 0.7, 1, 1.4142, 1.5, 2, 2.25, 3.5, 5};
    uint32_t found = 0;
    for (uint32_t i = 0; i < LENGTH(radii); i++) {
        for (uint32_t rule = 0; rule <= CAIRN_CORNERS_COUNT; rule++) {
            cairn_profile profile = cairn_profile_default();
            if (rule == CAIRN_CORNERS_COUNT)
                profile.neighbours = CAIRN_NEIGHBOURS_4;
            else
                profile.corners = (cairn_corners)rule;
            profile.radius = radii[i];
            scene *noise = scene_noise("few", 120, 90, i < 3 ? 25 : i < 5 ? 5 : 1, 7 + i);
            scene *rooms = scene_rooms("rooms", 150, 100, 11 + 2 * i, 3 + i);
            found += walk_paths(noise, &profile, i + 1) + walk_paths(rooms, &profile, i + 100);
            scene_destroy(noise);
            scene_destroy(rooms);
        }
    }
    CHECK(found > 800, "only %u paths were walked", found);
}

static const double hexagon_radii[] = {0.25, 0.2886, 0.2887, 0.3,    0.4,  0.5, 0.7, 1,
                                       1.1,  1.1547, 1.5,    2.0207, 2.05, 2.5, 3.5, 3.77};

static void discs_keep_their_distance_among_hexagons(void **state)
{
    (void)state;
    uint32_t found = 0;
    for (uint32_t i = 0; i < LENGTH(hexagon_radii); i++) {
        double radius = hexagon_radii[i];
        for (uint32_t dense = 0; dense < 2; dense++) {
            uint32_t percent = (radius <= 0.5 ? 12u : radius <= 1.1 ? 4u : 1u) << dense;
            scene *s = scene_noise("few", 110, 90, percent, 40 + i);
            scene_make_hex(s);
            s->profile.radius = radius;
            found += walk_paths(s, &s->profile, 200 + i);
            scene_destroy(s);
        }
    }
    CHECK(found > 400, "only %u paths were walked", found);
}

/* The least distance from the path between two cells to anything blocked. Neither meets the other,
 * so that is from a point of a hexagon to the path or from an end of it to a side. */
static double least_on_the_way(const cairn_grid *grid, cairn_cell a, cairn_cell b, double reach)
{
    double from[2], to[2], p[2];
    centre_of(grid, a.x, a.y, from);
    centre_of(grid, b.x, b.y, to);
    double least = fmin(least_distance(grid, from[0], from[1], reach),
                        least_distance(grid, to[0], to[1], reach));
    int32_t r = (int32_t)(reach * 1.2) + 3;
    for (int32_t y = a.y - r; y <= a.y + r; y++) {
        for (int32_t x = a.x - r; x <= a.x + r; x++) {
            for (int i = 0; i < 6 && blocked(grid, x, y); i++) {
                hexagon_point(grid, x, y, i, p);
                least = fmin(least, to_line(p, from, to));
            }
        }
    }
    return least;
}

/* Is every step there that keeps its distance, and no other? */
static void check_steps(const kit *k, double radius, uint32_t counts[2])
{
    for (cairn_node n = 0; n < cairn_space_node_count(k->space); n++) {
        cairn_cell a = cairn_grid_cell(k->grid, n);
        for (int32_t i = 0; i < 9; i++) {
            cairn_cell b = {a.x + i % 3 - 1, a.y + i / 3 - 1};
            cairn_node to = cairn_grid_node(k->grid, b.x, b.y);
            double p[2], q[2];
            centre_of(k->grid, a.x, a.y, p);
            centre_of(k->grid, b.x, b.y, q);
            if (to <= n || to == CAIRN_NO_NODE || hypot(q[0] - p[0], q[1] - p[1]) > 1.1) continue;
            if (!cairn_space_usable(k->space, n) || !cairn_space_usable(k->space, to)) continue;
            double least = least_on_the_way(k->grid, a, b, radius + 1);
            bool there = cairn_space_step_cost(k->space, n, to) != CAIRN_NO_COST;
            bool back = cairn_space_step_cost(k->space, to, n) != CAIRN_NO_COST;
            CHECK(there == (least >= radius - 1e-9) && back == there,
                  "radius %g: a step from (%d, %d) to (%d, %d), %g away: %d, and back %d", radius,
                  a.x, a.y, b.x, b.y, least, there, back);
            counts[there]++;
        }
    }
}

static void every_step_that_keeps_its_distance_can_be_made(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < LENGTH(hexagon_radii); i++) {
        double radius = hexagon_radii[i];
        uint32_t counts[2] = {0, 0};
        for (uint32_t turn = 0; turn < 3; turn++) {
            scene *s = scene_noise("few", 40, 41 - turn,
                                   (radius <= 0.5 ? 10
                                    : radius < 2  ? 2
                                                  : 1) +
                                       turn,
                                   70 + 3 * i + turn);
            scene_make_hex(s);
            s->profile.radius = radius;
            kit k = kit_of_scene(s, &s->profile);
            check_steps(&k, radius, counts);
            kit_close(&k);
            scene_destroy(s);
        }
        bool dips = (radius > sqrt(1 / 12.0) && radius <= 0.5) || radius == 2.05 || radius == 3.77;
        CHECK(counts[1] > 20 && (counts[0] > 0) == dips, "radius %g: %u steps, %u forbidden",
              radius, counts[1], counts[0]);
    }
}

/* A corridor of this many rows of hexagons between two rooms. */
static cairn_status along_rows(uint32_t rows, double radius)
{
    enum { W = 60, H = 40, TOP = 13 };
    scene *s = scene_blank("rows", W, H);
    for (uint32_t i = 0; i < W * H; i++) {
        uint32_t x = i % W, y = i / W;
        s->open[i] = x < 20 || x >= 40 || (y >= TOP && y < TOP + rows);
    }
    scene_make_hex(s);
    s->profile.radius = radius;
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "astar");
    cairn_query query = {.from = 20 * W + 10, .to = 20 * W + 50};
    const cairn_path *path;
    cairn_status status = cairn_search_find(k.search, &query, &path);
    if (status == CAIRN_FOUND) walk_disc(&k, path, radius);
    kit_close(&k);
    scene_destroy(s);
    return status;
}

/* Points of a row this many rows away hang down to 1/√3 below its middle; rows lie √3/2 apart. */
static double down_to_points(uint32_t rows)
{
    return rows * sqrt(0.75) - sqrt(1 / 3.0);
}

/* Along the middle row the disc passes under all points. If rows are even it must stay where it has
 * one row less on one side, but can go to and fro between the two rows in the middle: of every
 * other row it then only passes between the points. */
static void a_corridor_of_one_row_too_few_is_refused(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < LENGTH(hexagon_radii); i++) {
        double radius = hexagon_radii[i];
        uint32_t away = 1;
        while (down_to_points(away) < radius) away++;
        double between = away == 2 ? 0.5 : hypot(0.5, down_to_points(away - 1));
        uint32_t rows = away % 2 == 0 && radius <= between ? 2 * (away - 1) : 2 * away - 1;
        CHECK_STATUS(along_rows(rows, radius), CAIRN_FOUND);
        CHECK_STATUS(along_rows(rows - 1, radius), CAIRN_UNREACHABLE);
    }
}

static void squares_never_overlap(void **state)
{
    (void)state;
    uint32_t found = 0;
    for (uint32_t side = 2; side <= 7; side++) {
        for (uint32_t corners = 0; corners < CAIRN_CORNERS_COUNT; corners++) {
            cairn_profile profile = cairn_profile_default();
            profile.footprint = side;
            profile.corners = (cairn_corners)corners;
            scene *noise = scene_noise("few", 120, 90, side < 4 ? 6 : 2, side);
            found += walk_paths(noise, &profile, side);
            scene_destroy(noise);
        }
    }
    CHECK(found > 180, "only %u paths were walked", found);
}

/* A wall with a gap of this many cells across a map; is there a path through? */
static cairn_status through_gap(uint32_t gap, cairn_profile profile, bool upright)
{
    scene *s = scene_blank("gap", 61, 61);
    for (uint32_t i = 0; i < 61; i++) {
        bool open = i >= 20 && i < 20 + gap;
        for (uint32_t thick = 28; thick < 33; thick++)
            s->open[upright ? i * 61 + thick : thick * 61 + i] = open;
    }
    kit k = kit_of_scene(s, &profile);
    kit_plan(&k, "astar");
    cairn_query query = {.from = 12 * 61 + 12, .to = 45 * 61 + 45};
    const cairn_path *path;
    cairn_status status = cairn_search_find(k.search, &query, &path);
    if (status == CAIRN_FOUND && profile.footprint < 2) walk_disc(&k, path, profile.radius);
    if (status == CAIRN_UNREACHABLE)
        CHECK(cairn_search_metrics(k.search).work == 0, "searched for what cannot be reached");
    kit_close(&k);
    scene_destroy(s);
    return status;
}

/* A disc of radius r passes a gap of g cells, centred on a cell, if there is a cell with r on both
 * sides: an odd gap is used to the full, of an even one a cell's half is lost on each side. */
static void a_corridor_one_cell_too_narrow_is_refused(void **state)
{
    (void)state;
    for (double radius = 0.5; radius <= 6; radius += 0.5) {
        cairn_profile profile = cairn_profile_default();
        profile.radius = radius;
        /* r cells free on both sides of a centre: the centre's cell and ⌈r − ½⌉ more on either
         * side. */
        uint32_t need = 1 + 2 * (uint32_t)ceil(radius - 0.5);
        for (uint32_t upright = 0; upright < 2; upright++) {
            CHECK_STATUS(through_gap(need, profile, upright), CAIRN_FOUND);
            CHECK_STATUS(through_gap(need - 1, profile, upright), CAIRN_UNREACHABLE);
        }
    }
    for (uint32_t side = 1; side <= 9; side++) {
        cairn_profile profile = cairn_profile_default();
        profile.footprint = side;
        for (uint32_t upright = 0; upright < 2; upright++) {
            CHECK_STATUS(through_gap(side, profile, upright), CAIRN_FOUND);
            CHECK_STATUS(through_gap(side - 1, profile, upright), CAIRN_UNREACHABLE);
        }
    }
}

/* The rule of the space is the one that it goes by. */
static void a_body_never_cuts_corners(void **state)
{
    scene *s = scene_blank("blank", 8, 8);
    cairn_grid *grid;
    CHECK_OK(scene_grid(s, *state, &grid));
    static const struct {
        double radius;
        uint32_t footprint;
    } agents[] = {{0, 0}, {0, 1}, {0.1, 0}, {0.5, 1}, {2, 0}, {0, 2}};
    for (uint32_t i = 0; i < LENGTH(agents) * CAIRN_CORNERS_COUNT; i++) {
        cairn_profile profile = cairn_profile_default();
        profile.corners = (cairn_corners)(i % CAIRN_CORNERS_COUNT);
        profile.radius = agents[i / CAIRN_CORNERS_COUNT].radius;
        profile.footprint = agents[i / CAIRN_CORNERS_COUNT].footprint;
        cairn_space *space;
        CHECK_OK(cairn_space_of_grid(grid, &profile, &space, NULL));
        bool body = i / CAIRN_CORNERS_COUNT > 1;
        assert_int_equal(cairn_space_profile(space)->corners,
                         body ? CAIRN_CORNERS_NEVER : profile.corners);
        cairn_space_destroy(space);
    }
    cairn_grid_destroy(grid);
    scene_destroy(s);
}

static void the_border_of_the_map_is_a_wall(void **state)
{
    (void)state;
    scene *s = scene_blank("blank", 20, 20);
    cairn_profile profile = cairn_profile_default();
    profile.radius = 2.5;
    kit k = kit_of_scene(s, &profile);
    for (int32_t i = 0; i < 20; i++) {
        bool inside = i >= 2 && i <= 17;
        CHECK(cairn_space_usable(k.space, cairn_grid_node(k.grid, i, 10)) == inside, "column %d",
              (int)i);
        CHECK(cairn_space_usable(k.space, cairn_grid_node(k.grid, 10, i)) == inside, "row %d",
              (int)i);
    }
    kit_close(&k);
    scene_destroy(s);
}

static void sizes_that_make_no_sense_are_refused(void **state)
{
    scene *s = scene_blank("blank", 8, 8);
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(scene_grid(s, *state, &grid));
    static const double bad[] = {-1, 33, NAN, INFINITY};
    for (uint32_t i = 0; i < LENGTH(bad); i++) {
        cairn_profile profile = cairn_profile_default();
        cairn_error error = {0};
        profile.radius = bad[i];
        CHECK_STATUS(cairn_space_of_grid(grid, &profile, &space, &error), CAIRN_INVALID);
        CHECK(strstr(error.text, "radius"), "%s", error.text);
    }
    cairn_profile profile = cairn_profile_default();
    profile.footprint = 65;
    CHECK_STATUS(cairn_space_of_grid(grid, &profile, &space, NULL), CAIRN_INVALID);
    profile.footprint = 2;
    profile.radius = 1;
    CHECK_STATUS(cairn_space_of_grid(grid, &profile, &space, NULL), CAIRN_INVALID);
    cairn_grid_destroy(grid);
    scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_keep_their_distance),
        cmocka_unit_test(discs_keep_their_distance_among_hexagons),
        cmocka_unit_test(every_step_that_keeps_its_distance_can_be_made),
        cmocka_unit_test(a_corridor_of_one_row_too_few_is_refused),
        cmocka_unit_test(squares_never_overlap),
        cmocka_unit_test(a_corridor_one_cell_too_narrow_is_refused),
        cmocka_unit_test_setup_teardown(a_body_never_cuts_corners, context_set_up,
                                        context_tear_down),
        cmocka_unit_test(the_border_of_the_map_is_a_wall),
        cmocka_unit_test_setup_teardown(sizes_that_make_no_sense_are_refused, context_set_up,
                                        context_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
