/* ground.h: ground of equal cost: lines of sight and curves stay on it.
 *
 * Where the ground changes its price, the shortest path may bend, so a line ends there: every cell
 * must cost to enter what the first one costs, and where climbing costs, the path stays level.
 */
#ifndef CRN_GROUND_H
#define CRN_GROUND_H

#include "world/grid_space.h"

/* Do two cells cost the same to enter, from whatever side? */
static inline bool crn_ground_same(const crn_grid_space *map, cairn_node a, cairn_node b)
{
    const cairn_grid *grid = map->grid;
    const cairn_profile *profile = &map->profile;
    if (map->uniform) return true;
    if (grid->terrain &&
        profile->terrain_cost[grid->terrain[a]] != profile->terrain_cost[grid->terrain[b]])
        return false;
    if (grid->layer && profile->layer_weight && grid->layer[a] != grid->layer[b]) return false;
    return !grid->elevation || !profile->gradient || grid->elevation[a] == grid->elevation[b];
}

typedef struct crn_ground {
    const crn_grid_space *map;
    cairn_node first;
} crn_ground;

/* Ground like that of a cell, which lies inside the map. */
static inline crn_ground crn_ground_of(const crn_grid_space *map, cairn_cell c)
{
    return (crn_ground){map, cairn_grid_node(map->grid, c.x, c.y)};
}

/* Can c be stood on, and is it like the first cell in all that costs? */
static inline bool crn_ground_alike(const crn_ground *ground, cairn_cell c)
{
    const crn_grid_space *map = ground->map;
    if (!cairn_grid_inside(map->grid, c.x, c.y) || !crn_bit(&map->usable, c.x, c.y)) return false;
    return crn_ground_same(map, ground->first, cairn_grid_node(map->grid, c.x, c.y));
}

#endif
