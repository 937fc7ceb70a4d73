/* smooth.c: one path, as it is found, pulled straight, and as a curve for an agent that cannot turn
 * on the spot. */
#include <cairn/cairn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char map[] = "....................\n"
                          "....................\n"
                          ".......####.........\n"
                          ".......####.........\n"
                          "..........#.........\n"
                          "..........####......\n"
                          "....................\n";

int main(void)
{
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_owned_path found;
    cairn_context_create(NULL, &context);
    cairn_grid_from_text(context, map, strlen(map), &grid, NULL);
    cairn_space_of_grid(grid, NULL, &space, NULL);
    cairn_find_path(grid, (cairn_cell){1, 5}, (cairn_cell){18, 4}, &found);
    const cairn_path *path = &found.path;
    printf("found:    %.3f cells, %u points\n", path->length, path->count);

    cairn_node nodes[100];
    cairn_smoothed string = {.nodes = nodes, .capacity = 100};
    cairn_smooth_sight(space, path, &string);
    printf("straight: %.3f cells,", string.length);
    for (uint32_t i = 0; i < string.count; i++) {
        cairn_position p = cairn_grid_position(grid, nodes[i]);
        printf(" (%g, %g)", p.x, p.y);
    }

    cairn_curve curve = {0};
    cairn_smooth_spline(space, path, NULL, &curve); /* how many points? */
    curve.points = malloc(curve.count * sizeof *curve.points);
    curve.capacity = curve.count;
    cairn_smooth_spline(space, path, NULL, &curve);
    printf("\ncurve:    %.3f cells, %u points", curve.length, curve.count);
    for (uint32_t i = 0; i < curve.count; i += 16)
        printf(" (%.3f, %.3f)", curve.points[i].x, curve.points[i].y);
    printf("\n");

    free(curve.points);
    cairn_path_free(&found);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 * found:    18.243 cells, 5 points
 * straight: 17.511 cells, (1.5, 5.5) (14.5, 6.5) (18.5, 4.5)
 * curve:    17.396 cells, 56 points (1.500, 5.500) (12.906, 6.328) (14.912, 6.095) (17.128, 5.181)
 */
