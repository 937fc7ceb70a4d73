/* grid_back.c: the edges that lead to a cell.
 *
 * What the bitmap says of a step (both ends and the cells beside it) holds in both directions. So
 * the cells that a step may come from are those that a step may lead to, and only what has a
 * direction is asked again from the other end: limits of height, room for a body, and the cost,
 * which depends on the cell that is entered.
 */
#include "world/grid_space.h"

/* Does the step in direction d lead from (x, y) to the cell beside it, if the bitmap allows it? */
static bool grid_back_leads(const crn_grid_space *space, uint32_t x, uint32_t y, uint32_t d)
{
    return !space->limited || crn_grid_limit_moves(space, x, y, 1u << d);
}

static uint32_t grid_back_links(const crn_grid_space *space, cairn_node node, uint32_t first,
                                cairn_edge *out, uint32_t capacity)
{
    const crn_links *links = &space->links;
    uint32_t count = 0;
    for (uint32_t i = crn_links_first_arrival(links, node) + first; count < capacity; i++) {
        if (i >= links->count || links->arrivals[i].to != node) break;
        const crn_space_link *link = &links->links[links->arrivals[i].link];
        out[count++] = (cairn_edge){link->from, link->cost};
    }
    return count;
}

uint32_t crn_grid_expand_back(const cairn_space *base, cairn_node node, uint32_t first,
                              cairn_edge *out, uint32_t capacity)
{
    const crn_grid_space *space = crn_grid_space_of(base);
    uint32_t width = space->grid->width, x = node % width, y = node / width, count = 0;
    uint32_t moves = crn_grid_moves(space, x, y);
    if (space->uniform && !first && capacity >= CRN_DIRECTIONS) {
        count = crn_grid_uniform_edges(space, node, moves, out);
        moves = 0;
    }
    for (; moves && count < capacity; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves), back = crn_opposite[d];
        uint32_t px = (uint32_t)((int32_t)x + crn_dx[d]), py = (uint32_t)((int32_t)y + crn_dy[d]);
        if (!grid_back_leads(space, px, py, back)) continue;
        if (first) {
            first--;
            continue;
        }
        cairn_node from = py * width + px;
        out[count++] = (cairn_edge){from, crn_grid_step_cost(space, from, node, back)};
    }
    if (CRN_LIKELY(!space->links.count)) return count;
    return count + grid_back_links(space, node, first, out + count, capacity - count);
}
