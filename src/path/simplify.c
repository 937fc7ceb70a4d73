/* simplify.c: points that lie in line are not needed.
 *
 * A point is dropped if the way goes straight on over it, by exact integer products, so
 * the same lines remain whatever their angle, and a path that turns back on itself keeps the point where
 * it turns. Works in one pass: a point is compared with the last two that were kept.
 */
#include "path/line.h"
#include <cairn/path.h>

uint32_t cairn_simplify(const cairn_space *space, cairn_node *nodes, uint32_t count)
{
    const cairn_grid *grid = cairn_space_grid(space);
    if (!grid) return count; /* on a graph every node tells which edge was taken */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        cairn_node node = nodes[i];
        if (kept && nodes[kept - 1] == node) continue;
        if (kept >= 2) {
            cairn_cell a = cairn_grid_cell(grid, nodes[kept - 2]);
            cairn_cell b = cairn_grid_cell(grid, nodes[kept - 1]);
            cairn_cell c = cairn_grid_cell(grid, node);
            /* What lies outside stays, for others to complain about. */
            bool inside = a.x >= 0 && b.x >= 0 && c.x >= 0;
            if (inside && crn_line_continues(a, b, c)) kept--;
        }
        nodes[kept++] = node;
    }
    return kept;
}
