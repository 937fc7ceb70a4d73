/* smoothing.c: what the paths to smooth make of paths, and what they cost: `bench/smoothing [-a
 * ALGORITHM] [-r RADIUS] [-e EVERY] MAP…`.
 *
 * The problems are those of the scenario beside each map (MAP.scen), every 10th unless -e says
 * otherwise; of all maps together: length in cells against that of the paths as found, mean and
 * worst time of a path, and for curves how many corners of the pulled paths are rounded. Times are
 * the processor's.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <cairn/io.h>

#include <stdlib.h>
#include <string.h>

enum { KIND_RAYS, KIND_BOX, KIND_SIGHT, KIND_SPLINE, KINDS };
static const char *const kind_names[KINDS] = {"rays", "box", "sight", "spline"};

typedef struct figures {
    uint64_t paths;
    double found; /* length of the paths as they were found */
    double length[KINDS], us[KINDS], worst_us[KINDS];
    uint64_t points[KINDS];
    uint64_t corners, kept; /* of pulled paths; those of them that curves keep */
    cairn_node *nodes;
    cairn_position *positions;
    uint32_t capacity;
} figures;

static cairn_status smooth(figures *f, int kind, const cairn_space *space, const cairn_path *path,
                           uint32_t *count, double *length)
{
    cairn_smoothed out = {.nodes = f->nodes, .capacity = f->capacity};
    cairn_curve curve = {.points = f->positions, .capacity = f->capacity};
    cairn_status status;
    switch (kind) {
    case KIND_RAYS: status = cairn_smooth_rays(space, path, 0, &out); break;
    case KIND_BOX: status = cairn_smooth_rays(space, path, 16, &out); break;
    case KIND_SIGHT: status = cairn_smooth_sight(space, path, &out); break;
    default: status = cairn_smooth_spline(space, path, NULL, &curve);
    }
    *count = kind == KIND_SPLINE ? curve.count : out.count;
    *length = kind == KIND_SPLINE ? curve.length : out.length;
    return status;
}

/* Corners that are still there are points of the curve. The nodes are those of the pulled path. */
static uint64_t kept_corners(const figures *f, const cairn_space *space, uint32_t corners,
                             uint32_t points)
{
    uint64_t kept = 0;
    for (uint32_t i = 1, at = 0; i + 1 < corners; i++) {
        cairn_position corner = cairn_space_position(space, f->nodes[i]);
        for (uint32_t k = at; k < points; k++) {
            if (f->positions[k].x != corner.x || f->positions[k].y != corner.y) continue;
            kept++;
            at = k;
            break;
        }
    }
    return kept;
}

static void measure_path(figures *f, const cairn_space *space, const cairn_path *path)
{
    uint32_t pulled = 0;
    f->paths++;
    f->found += path->length;
    for (int kind = 0; kind < KINDS; kind++) {
        uint32_t count = 0;
        double length = 0, begin = now_us();
        check(smooth(f, kind, space, path, &count, &length), kind_names[kind]);
        double us = now_us() - begin;
        f->length[kind] += length;
        f->us[kind] += us;
        if (us > f->worst_us[kind]) f->worst_us[kind] = us;
        f->points[kind] += count;
        if (kind == KIND_SIGHT) pulled = count;
        if (kind != KIND_SPLINE || pulled < 3) continue;
        f->corners += pulled - 2;
        f->kept += kept_corners(f, space, pulled, count);
    }
}

static void measure_map(figures *f, cairn_context *context, const char *name, const char *algorithm,
                        double radius, uint32_t every)
{
    cairn_grid *grid = NULL;
    cairn_space *space = NULL;
    cairn_planner *planner = NULL;
    cairn_search *search = NULL;
    cairn_scenario scenario = {0};
    char file[4096];
    snprintf(file, sizeof file, "%s.scen", name);
    check(cairn_grid_load(context, name, &grid, NULL), name);
    check(cairn_scenario_load(context, file, &scenario, NULL), file);
    cairn_profile profile = cairn_profile_for(grid);
    profile.radius = radius;
    check(cairn_space_of_grid(grid, &profile, &space, NULL), "space");
    check(cairn_planner_create(space, algorithm, &planner, NULL), algorithm);
    if (cairn_planner_algorithm(planner)->flags & CAIRN_NEEDS_INDEX)
        check(cairn_planner_build(planner, NULL, NULL), "index");
    check(cairn_search_create(planner, NULL, &search), "search");
    for (uint32_t i = 0; i < scenario.count; i += every) {
        const cairn_problem *p = &scenario.problems[i];
        cairn_query query = {.from = cairn_grid_node(grid, p->from.x, p->from.y),
                             .to = cairn_grid_node(grid, p->to.x, p->to.y)};
        const cairn_path *path = NULL;
        if (cairn_search_find(search, &query, &path) == CAIRN_FOUND) measure_path(f, space, path);
    }
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_scenario_free(context, &scenario);
    cairn_grid_destroy(grid);
}

int main(int argc, char **argv)
{
    figures f = {.capacity = 1u << 20};
    const char *algorithm = "astar";
    double radius = 0;
    uint32_t every = 10;
    cairn_context *context = NULL;
    check(cairn_context_create(NULL, &context), "context");
    f.nodes = malloc(f.capacity * sizeof *f.nodes);
    f.positions = malloc(f.capacity * sizeof *f.positions);
    if (!f.nodes || !f.positions) check(CAIRN_OUT_OF_MEMORY, "points");
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "-a"))
            algorithm = value, i++;
        else if (!strcmp(argv[i], "-r"))
            radius = strtod(value, NULL), i++;
        else if (!strcmp(argv[i], "-e"))
            every = (uint32_t)strtoul(value, NULL, 10), i++;
        else
            measure_map(&f, context, argv[i], algorithm, radius, every ? every : 1);
    }
    printf("%s, radius %g: %llu paths of %.1f cells\n", algorithm, radius,
           (unsigned long long)f.paths, f.found / (double)f.paths);
    for (int kind = 0; kind < KINDS; kind++)
        printf("    %-7s length %6.2f %%  mean %9.2f us  worst %9.2f us  points %7.1f\n",
               kind_names[kind], 100 * f.length[kind] / f.found, f.us[kind] / (double)f.paths,
               f.worst_us[kind], (double)f.points[kind] / (double)f.paths);
    printf("    corners rounded: %llu of %llu\n", (unsigned long long)(f.corners - f.kept),
           (unsigned long long)f.corners);
    free(f.nodes);
    free(f.positions);
    cairn_context_destroy(context);
    return 0;
}
