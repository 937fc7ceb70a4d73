/* test_agents.c: agents with a size, as geometry sees them: a disc that is moved along a path in small steps never comes
 * nearer than its radius to a blocked square, a square of n × n cells never overlaps one, and a corridor that is one
 * cell too narrow is refused.
 */
#include "kit.h"
#include <math.h>

/* Distance from a point to the square of a cell, in cells. */
static double to_square(double px, double py, int32_t x, int32_t y)
{
    double dx = px < x ? x - px : px > x + 1 ? px - (x + 1) : 0;
    double dy = py < y ? y - py : py > y + 1 ? py - (y + 1) : 0;
    return sqrt(dx * dx + dy * dy);
}

static bool blocked(const cairn_grid *grid, int32_t x, int32_t y)
{
    return !cairn_grid_is_open(grid, x, y);
}

/* The least distance from a point to anything blocked within reach. */
static double least_distance(const cairn_grid *grid, double px, double py, double reach)
{
    double least = reach;
    int32_t r = (int32_t)reach + 2;
    for (int32_t y = (int32_t)py - r; y <= (int32_t)py + r; y++) {
        for (int32_t x = (int32_t)px - r; x <= (int32_t)px + r; x++) {
            double d = blocked(grid, x, y) ? to_square(px, py, x, y) : reach;
            if (d < least) least = d;
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
            double x = a.x + 0.5 + t * (b.x - a.x), y = a.y + 0.5 + t * (b.y - a.y);
            double d = least_distance(k->grid, x, y, radius + 1);
            CHECK(d >= radius - 1e-9, "radius %g: only %g away from a wall at %g, %g", radius, d, x, y);
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
                    bool over = x + 1 > left + 1e-9 && x < left + side - 1e-9 && y + 1 > top + 1e-9 &&
                                y < top + side - 1e-9;
                    CHECK(!over || !blocked(k->grid, x, y), "footprint %u overlaps (%d, %d)", side, (int)x,
                          (int)y);
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
        cairn_node from = (cairn_node)(seed = seed * 6364136223846793005u + 1442695040888963407u, seed >> 33);
        cairn_node to = (cairn_node)(seed = seed * 6364136223846793005u + 1442695040888963407u, seed >> 33);
        cairn_query query = {.from = from % cairn_space_node_count(k.space),
                             .to = to % cairn_space_node_count(k.space)};
        const cairn_path *path;
        if (cairn_search_find(k.search, &query, &path) != CAIRN_FOUND) continue;
        found++;
        if (profile->corners == CAIRN_CORNERS_NEVER) walk_both(&k, path, profile);
        cairn_node points[4096];
        cairn_path smooth = *path;
        CHECK_OK(cairn_smooth_sight(k.space, path, points, LENGTH(points), &smooth.count, NULL));
        smooth.nodes = points;
        if (profile->corners == CAIRN_CORNERS_NEVER) walk_both(&k, &smooth, profile);
        pulled += smooth.count < path->count;
    }
    kit_close(&k);
    CHECK(found < 10 || pulled > 0, "smoothing pulled nothing of %u paths", found);
    return found;
}

static void discs_keep_their_distance(void **state)
{
    (void)state;
    static const double radii[] = {0.3, 0.5, 0.7, 1, 1.4142, 1.5, 2, 2.25, 3.5, 5};
    uint32_t found = 0;
    for (uint32_t i = 0; i < LENGTH(radii); i++) {
        for (uint32_t neighbours = 0; neighbours <= CAIRN_NEIGHBOURS_8; neighbours++) {
            cairn_profile profile = cairn_profile_default();
            profile.neighbours = (cairn_neighbours)neighbours;
            profile.radius = radii[i];
            scene *noise = scene_noise("few", 120, 90, i < 4 ? 5 : 1, 7 + i);
            scene *rooms = scene_rooms("rooms", 150, 100, 11 + 2 * i, 3 + i);
            found += walk_paths(noise, &profile, i + 1) + walk_paths(rooms, &profile, i + 100);
            scene_destroy(noise);
            scene_destroy(rooms);
        }
    }
    CHECK(found > 300, "only %u paths were walked", found);
}

static void squares_never_overlap(void **state)
{
    (void)state;
    uint32_t found = 0;
    for (uint32_t side = 2; side <= 7; side++) {
        cairn_profile profile = cairn_profile_default();
        profile.footprint = side;
        scene *noise = scene_noise("few", 120, 90, side < 4 ? 6 : 2, side);
        found += walk_paths(noise, &profile, side);
        scene_destroy(noise);
    }
    CHECK(found > 60, "only %u paths were walked", found);
}

/* A wall with a gap of so many cells across a map; is there a way through? */
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

/* A disc of radius r passes a gap of g cells, centred on a cell, if there is a cell with r on both sides: an odd gap is
 * used to the full, of an even one a cell's half is lost on each side. */
static void a_corridor_one_cell_too_narrow_is_refused(void **state)
{
    (void)state;
    for (double radius = 0.5; radius <= 6; radius += 0.5) {
        cairn_profile profile = cairn_profile_default();
        profile.radius = radius;
        /* r cells free on both sides of a centre: the centre's cell and ⌈r − ½⌉ more on either side. */
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

static void the_border_of_the_map_is_a_wall(void **state)
{
    (void)state;
    scene *s = scene_blank("blank", 20, 20);
    cairn_profile profile = cairn_profile_default();
    profile.radius = 2.5;
    kit k = kit_of_scene(s, &profile);
    for (int32_t i = 0; i < 20; i++) {
        bool inside = i >= 2 && i <= 17;
        CHECK(cairn_space_usable(k.space, cairn_grid_node(k.grid, i, 10)) == inside, "column %d", (int)i);
        CHECK(cairn_space_usable(k.space, cairn_grid_node(k.grid, 10, i)) == inside, "row %d", (int)i);
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
        cmocka_unit_test(squares_never_overlap),
        cmocka_unit_test(a_corridor_one_cell_too_narrow_is_refused),
        cmocka_unit_test(the_border_of_the_map_is_a_wall),
        cmocka_unit_test_setup_teardown(sizes_that_make_no_sense_are_refused, context_set_up,
                                        context_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
