/* doors.c: what doors, teleports and terrain cost: `bench_doors [-n SIDE] [-q QUERIES] [-r RADIUS]
 * [-t LINKS] [-m MODE]… [-a ALGORITHM]… [MAP…]`.
 *
 * For each map, or each generator on maps of SIDE² cells, it asks random queries in two spaces of
 * the same grid, in turn. Told is the median, over queries, of the time in the second space as a
 * multiple of that in the first, and the worst such multiple of the sums over a fifth of the
 * queries, ordered by length. Times are the best of three.
 *
 * - doors: LINKS (20) two-way links that cost no less than the estimate between their ends; forbidden and
 *   allowed by the profile.
 * - teleports: as many two-way links that cost one step, the same way.
 * - terrain: patches of ground that costs twice as much, on a tenth of the cells, of radii up to
 *   RADIUS; `astar` and the algorithm, both with terrain.
 * - ledges: the same, with patches of ground from which one can jump down but not climb back.
 * - plain: `astar` and the algorithm on the map as it is.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <cairn/io.h>

#include <math.h>
#include <string.h>

#define REPEATS 3
#define CHOSEN 24u
#define MODES 5u

static const char *const mode_names[MODES] = {"doors", "teleports", "terrain", "ledges", "plain"};
enum { DOORS, TELEPORTS, TERRAIN, LEDGES, PLAIN };

typedef struct timing {
    double first, second, length;
} timing;

static const char *chosen[CHOSEN];
static uint32_t chosen_count, queries = 100, side = 768, radius = 22, links = 20;
static uint64_t random_state = 12345;

/* ---- what is put on a map ---- */

static void add_links(cairn_grid *grid, uint32_t mode)
{
    cairn_space *space;
    check(cairn_space_of_grid(grid, NULL, &space, NULL), "a space");
    for (uint32_t i = 0; i < links; i++) {
        cairn_node a = random_cell(space, &random_state), b = random_cell(space, &random_state);
        cairn_cell from = cairn_grid_cell(grid, a), to = cairn_grid_cell(grid, b);
        /* In steps; more than the octile distance. */
        uint32_t far = (uint32_t)(abs(from.x - to.x) + abs(from.y - to.y)) + 1;
        cairn_link link = {a, b, i, 256 * (mode == DOORS ? far : 1), 1}, back = link;
        back.from = b;
        back.to = a;
        check(cairn_grid_add_link(grid, &link), "a link");
        check(cairn_grid_add_link(grid, &back), "a link");
    }
    check(cairn_grid_commit(grid), "links");
    cairn_space_destroy(space);
}

/* Discs of another terrain, or height, until they cover a tenth. */
static void add_terrain(cairn_grid *grid, uint32_t mode)
{
    int32_t width = (int32_t)cairn_grid_width(grid), height = (int32_t)cairn_grid_height(grid);
    uint8_t *covered = calloc((size_t)width * (size_t)height, 1);
    if (!covered) exit(1);
    for (int64_t left = (int64_t)width * height / 10; left > 0;) {
        int32_t x = (int32_t)random_below(&random_state, (uint32_t)width),
                y = (int32_t)random_below(&random_state, (uint32_t)height),
                r = (int32_t)random_below(&random_state, radius + 1);
        for (int32_t v = -r; v <= r; v++) {
            for (int32_t u = -r; u <= r; u++) {
                int32_t cx = x + u, cy = y + v;
                if (cx < 0 || cy < 0 || cx >= width || cy >= height || u * u + v * v > r * r)
                    continue;
                cairn_node node = cairn_grid_node(grid, cx, cy);
                if (covered[node]) continue;
                covered[node] = 1;
                left--;
                check(mode == LEDGES ? cairn_grid_set_elevation(grid, cx, cy, 10)
                                     : cairn_grid_set_terrain(grid, cx, cy, 1),
                      "terrain");
            }
        }
    }
    check(cairn_grid_commit(grid), "terrain");
    free(covered);
}

/* ---- measuring ---- */

static double time_of(cairn_search *search, const cairn_query *query, const cairn_path **path)
{
    double begun = now_us();
    cairn_search_find(search, query, path);
    return now_us() - begun;
}

static bool measure(cairn_search *first, cairn_search *second, const cairn_query *query,
                    timing *out)
{
    *out = (timing){INFINITY, INFINITY, 0};
    for (uint32_t i = 0; i < REPEATS; i++) {
        const cairn_path *path;
        out->first = fmin(out->first, time_of(first, query, &path));
        if (path->status != CAIRN_FOUND) return false;
        out->length = path->length;
        out->second = fmin(out->second, time_of(second, query, &path));
        if (path->status != CAIRN_FOUND) return false;
    }
    return true;
}

static int by_length(const void *a, const void *b)
{
    const timing *x = a, *y = b;
    return (x->length > y->length) - (x->length < y->length);
}

static int by_ratio(const void *a, const void *b)
{
    const timing *x = a, *y = b;
    double p = x->second / x->first, q = y->second / y->first;
    return (p > q) - (p < q);
}

static void tell(const char *map, const char *mode, const char *algorithm, timing *t,
                 uint32_t count)
{
    double first = 0, second = 0, worst = 0;
    if (!count) return;
    qsort(t, count, sizeof *t, by_length);
    for (uint32_t i = 0; i < count; i++) {
        if (i % (count / 5 + 1) == 0) first = second = 0;
        first += t[i].first;
        second += t[i].second;
        bool last = i + 1 == count || (i + 1) % (count / 5 + 1) == 0;
        if (last) worst = fmax(worst, second / first);
    }
    first = second = 0;
    for (uint32_t i = 0; i < count; i++) {
        first += t[i].first / count;
        second += t[i].second / count;
    }
    qsort(t, count, sizeof *t, by_ratio);
    const timing *middle = &t[count / 2];
    printf("%-22s %-10s %-18s median %6.2f  worst fifth %6.2f  (means %9.1f and %9.1f us)\n", map,
           mode, algorithm, middle->second / middle->first, worst, first, second);
    fflush(stdout);
}

static void compare(const char *map, cairn_grid *grid, uint32_t mode, const char *algorithm)
{
    cairn_profile without = cairn_profile_default(), with = without;
    without.links = 0;
    with.links = UINT32_MAX;
    bool races = mode == TERRAIN || mode == LEDGES || mode == PLAIN;
    if (mode == LEDGES) with.max_climb = 5, with.max_drop = 50;
    if (races) without = with;
    with.terrain_cost[1] = without.terrain_cost[1] = 512;
    cairn_space *spaces[2];
    cairn_planner *planners[2];
    check(cairn_space_of_grid(grid, &without, &spaces[0], NULL), "a space");
    check(cairn_space_of_grid(grid, &with, &spaces[1], NULL), "a space");
    cairn_search *first = search_of(spaces[0], races ? "astar" : algorithm, &planners[0]),
                 *second = search_of(spaces[1], algorithm, &planners[1]);
    timing *timings = calloc(queries, sizeof *timings);
    uint32_t count = 0;
    if (!timings) exit(1);
    for (uint32_t i = 0; i < queries; i++) {
        cairn_query query = {.from = random_cell(spaces[0], &random_state),
                             .to = random_cell(spaces[0], &random_state)};
        count += measure(first, second, &query, &timings[count]);
    }
    tell(map, mode_names[mode], algorithm, timings, count);
    free(timings);
    cairn_search_destroy(first);
    cairn_search_destroy(second);
    for (uint32_t i = 0; i < 2; i++) {
        cairn_planner_destroy(planners[i]);
        cairn_space_destroy(spaces[i]);
    }
}

static cairn_grid *open_map(cairn_context *context, const char *name, uint32_t kind)
{
    cairn_grid *grid;
    if (name) {
        check(cairn_grid_load(context, name, &grid, NULL), name);
        return grid;
    }
    cairn_generator generator = cairn_generator_default((cairn_generator_kind)kind);
    generator.width = generator.height = side;
    check(cairn_generate(context, &generator, &grid, NULL), "a generated map");
    return grid;
}

static void measure_map(cairn_context *context, const char *name, uint32_t kind, uint32_t modes)
{
    const char *slash = name ? strrchr(name, '/') : NULL;
    const char *title = slash  ? slash + 1
                        : name ? name
                               : cairn_generator_about((cairn_generator_kind)kind)->name;
    for (uint32_t mode = 0; mode < MODES; mode++) {
        if (!(modes >> mode & 1)) continue;
        cairn_grid *grid = open_map(context, name, kind);
        if (mode == TERRAIN || mode == LEDGES) add_terrain(grid, mode);
        if (mode == DOORS || mode == TELEPORTS) add_links(grid, mode);
        for (uint32_t i = 0; i < chosen_count; i++) {
            random_state = 99;
            if (mode == DOORS || mode == TELEPORTS || strcmp(chosen[i], "astar"))
                compare(title, grid, mode, chosen[i]);
        }
        cairn_grid_destroy(grid);
    }
}

static uint32_t mode_bit(const char *name)
{
    for (uint32_t mode = 0; mode < MODES; mode++) {
        if (!strcmp(name, mode_names[mode])) return 1u << mode;
    }
    fprintf(stderr, "there is no mode %s\n", name);
    exit(2);
}

static void choose_all(void)
{
    static const char *const exact[] = {"astar", "astar-fast", "dijkstra",
                                        "alt",   "jps",        "jps-plus"};
    for (; chosen_count < sizeof exact / sizeof *exact; chosen_count++)
        chosen[chosen_count] = exact[chosen_count];
}

int main(int argc, char **argv)
{
    uint32_t modes = 0;
    int i = 1;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        if (argv[i][1] == 'n') side = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        if (argv[i][1] == 'q') queries = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        if (argv[i][1] == 'r') radius = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        if (argv[i][1] == 't') links = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        if (argv[i][1] == 'm') modes |= mode_bit(argv[i + 1]);
        if (argv[i][1] == 'a' && chosen_count < CHOSEN) chosen[chosen_count++] = argv[i + 1];
    }
    if (!modes) modes = (1u << PLAIN) - 1;
    if (!chosen_count) choose_all();
    cairn_context *context;
    check(cairn_context_create(NULL, &context), "no memory");
    for (uint32_t kind = 0; i >= argc && kind < CAIRN_GENERATE_SCALED; kind++)
        measure_map(context, NULL, kind, modes);
    for (; i < argc; i++) measure_map(context, argv[i], 0, modes);
    cairn_context_destroy(context);
    return 0;
}
