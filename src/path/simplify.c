/* simplify.c: points that lie in line are not needed.
 *
 * A point is dropped if the path goes straight on over it, by exact integer products, so the same
 * lines remain whatever their angle, and a path that turns back on itself keeps the point where it
 * turns. Works in one pass: a point is compared with the last two that were kept. A list does not
 * say which steps are links, so two points in a row that a link joins are taken to use it, and are
 * kept.
 */
#include "path/line.h"
#include "world/grid_space.h"
#include <cairn/path.h>

/* Does the path from a over b go straight on to c? What lies outside stays, for others to complain
 * about. */
static bool simplify_needless(const cairn_grid *grid, cairn_node a, cairn_node b, cairn_node c)
{
    uint32_t cells = grid->width * grid->height;
    if (a >= cells || b >= cells || c >= cells) return false;
    return crn_line_continues(crn_line_point(grid, a), crn_line_point(grid, b),
                              crn_line_point(grid, c));
}

uint32_t cairn_simplify(const cairn_space *space, cairn_node *nodes, uint32_t count)
{
    const cairn_grid *grid = cairn_space_grid(space);
    if (!grid) return count; /* on a graph every node tells which edge was taken */
    const crn_grid_space *map = crn_grid_space_of(space);
    uint32_t kept = 0;
    bool by_link = false; /* the last point was reached by one */
    for (uint32_t i = 0; i < count; i++) {
        cairn_node node = nodes[i];
        if (kept && nodes[kept - 1] == node) continue;
        bool link = kept && map->links.count && crn_links_used(map, nodes[kept - 1], node);
        if (kept >= 2 && !link && !by_link &&
            simplify_needless(grid, nodes[kept - 2], nodes[kept - 1], node)) {
            kept--;
        }
        nodes[kept++] = node;
        by_link = link;
    }
    return kept;
}
