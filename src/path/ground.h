/* ground.h: ground that is alike in all that costs: lines of sight and curves stay on it.
 *
 * Where the ground changes its price, the shortest way may bend, so a line ends there: every cell must cost to enter what the first
 * one costs, and where climbing costs, the way stays level.
 */
#ifndef CRN_GROUND_H
#define CRN_GROUND_H

#include "world/grid_space.h"

typedef struct crn_ground {
    const crn_grid_space *map;
    uint8_t price, layer; /* of the first cell */
    int16_t elevation;
} crn_ground;

static inline uint8_t crn_ground_price(const crn_grid_space *map, cairn_cell c)
{
    return map->profile.terrain_cost[cairn_grid_terrain(map->grid, c.x, c.y)];
}

/* Ground like that of a cell, which lies inside the map. */
static inline crn_ground crn_ground_of(const crn_grid_space *map, cairn_cell c)
{
    return (crn_ground){map, crn_ground_price(map, c), cairn_grid_layer(map->grid, c.x, c.y),
                        cairn_grid_elevation(map->grid, c.x, c.y)};
}

/* Can c be stood on, and is it like the first cell in all that costs? */
static inline bool crn_ground_alike(const crn_ground *ground, cairn_cell c)
{
    const crn_grid_space *map = ground->map;
    if (!cairn_grid_inside(map->grid, c.x, c.y) || !crn_bit(&map->usable, c.x, c.y)) return false;
    if (crn_ground_price(map, c) != ground->price) return false;
    if (map->profile.layer_weight && cairn_grid_layer(map->grid, c.x, c.y) != ground->layer) return false;
    return !map->profile.gradient || cairn_grid_elevation(map->grid, c.x, c.y) == ground->elevation;
}

#endif
