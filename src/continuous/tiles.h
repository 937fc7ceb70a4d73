/* tiles.h: how the records of nodes are numbered (keyed_queue.h). Those of a grid lie in tiles of
 * 8×8, since a search spreads in all directions. Others are numbered as the nodes. */
#ifndef CRN_TILES_H
#define CRN_TILES_H

#include "continuous/keyed_queue.h"
#include "world/view.h"

typedef struct crn_tiles {
    uint32_t width; /* of a grid; 0 = as the nodes */
    uint32_t across;
    uint32_t pages;
} crn_tiles;

static inline crn_tiles crn_tiles_of(const cairn_space *space)
{
    const cairn_grid *grid = cairn_space_grid(crn_view_ground(space));
    crn_tiles tiles = {.pages = (space->node_count - 1) / CRN_KEYED_PAGE + 1};
    if (!grid) return tiles;
    tiles.width = grid->width;
    tiles.across = (grid->width - 1) / 8 + 1;
    tiles.pages = tiles.across * ((grid->height - 1) / 8 + 1);
    return tiles;
}

static inline uint32_t crn_tiles_state(const crn_tiles *tiles, cairn_node node)
{
    if (!tiles->width) return node;
    uint32_t x = node % tiles->width, y = node / tiles->width;
    return (y / 8 * tiles->across + x / 8) * CRN_KEYED_PAGE + y % 8 * 8 + x % 8;
}

static inline cairn_node crn_tiles_node(const crn_tiles *tiles, uint32_t state)
{
    if (!tiles->width) return state;
    uint32_t tile = state / CRN_KEYED_PAGE, slot = state % CRN_KEYED_PAGE;
    uint32_t x = tile % tiles->across * 8 + slot % 8, y = tile / tiles->across * 8 + slot / 8;
    return y * tiles->width + x;
}

#endif
