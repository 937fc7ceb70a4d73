/* best_first_sight.c: what the loop with lines of sight asks seldom. See best_first_sight.h. */
#include "search/best_first_sight.h"

static const crn_page *sight_look(const crn_best_first *bf, cairn_node node, uint32_t *slot)
{
    return bf->table[best_first_any_locate((crn_place){node}, slot)];
}

static cairn_cost sight_known_cost(const crn_best_first *bf, cairn_node node)
{
    uint32_t slot;
    const crn_page *page = sight_look(bf, node, &slot);
    return page ? page->g[slot] : CAIRN_NO_COST;
}

const crn_space_link *crn_best_first_sight_link(const crn_best_first *bf, cairn_node parent,
                                                cairn_node node)
{
    const crn_grid_space *map = crn_grid_space_of(bf->space);
    const crn_space_link *link =
        map->links.count ? crn_links_between(&map->links, parent, node) : NULL;
    if (!link) return NULL;
    uint64_t paid = (uint64_t)sight_known_cost(bf, node) - sight_known_cost(bf, parent);
    if (paid != link->cost) return NULL;
    crn_point a = crn_point_of(map, parent), b = crn_point_of(map, node);
    return crn_sight_cost(map, a, b) == paid && crn_sight_or_step(map, a, b) ? NULL : link;
}

/* The cheapest path by a step from a neighbour that was expanded. One of them has offered a path,
 * so there is one. What a link has offered is forgotten if more was believed of a line at that
 * time: who comes here by links is not kept, so such a path may be more expensive than that of
 * Theta*, but it is a true one. */
static crn_arrival sight_nearest(const crn_best_first *bf, crn_point point)
{
    const crn_grid_space *map = crn_grid_space_of(bf->space);
    crn_arrival best = {CAIRN_NO_NODE, UINT64_MAX};
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        cairn_cell cell = {point.cell.x - crn_dx[d], point.cell.y - crn_dy[d]};
        cairn_node beside = cairn_grid_node(map->grid, cell.x, cell.y);
        if (beside == CAIRN_NO_NODE) continue;
        uint32_t slot;
        const crn_page *page = sight_look(bf, beside, &slot);
        if (!page || !(page->mark[slot] & CRN_MARK_CLOSED)) continue;
        if (crn_grid_walk_cost(map, beside, point.node) == CAIRN_NO_COST) continue;
        uint64_t cost = page->g[slot] + crn_sight_cost(map, (crn_point){beside, cell}, point);
        if (cost < best.cost) best = (crn_arrival){beside, cost};
    }
    return best;
}

crn_arrival crn_best_first_sight_arrival(const crn_best_first *bf, cairn_node node)
{
    const crn_grid_space *map = crn_grid_space_of(bf->space);
    uint32_t slot;
    const crn_page *page = sight_look(bf, node, &slot);
    crn_arrival believed = {page->parent[slot], page->g[slot]};
    if (believed.parent == CAIRN_NO_NODE || crn_best_first_sight_link(bf, believed.parent, node))
        return believed;
    crn_point point = crn_point_of(map, node);
    if (crn_sight_or_step(map, crn_point_of(map, believed.parent), point)) return believed;
    return sight_nearest(bf, point);
}
