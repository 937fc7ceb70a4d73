/* components.h: the connected components of a grid space, kept up to date under every edit.
 *
 * The map is cut into tiles of 64×64 cells. The cells of a tile fall into *parts*, the connected
 * components inside the tile. They are found by runs of cells in a row, which are read from a
 * 64-bit word at once. A block joins 8×8 tiles: the parts that touch the rim of their tile are
 * joined over the common borders, and become the parts of the block. Blocks of blocks continue in
 * the same manner until one covers the map. A part that does not touch the rim of its tile or block
 * is *closed*: it is a whole component by itself. So a component is named by the place where it
 * stops growing: level, block, part. A cell finds it by at most four look-ups.
 *
 * An edit recomputes the parts of its tile, then of the block above it, and so on. A block whose
 * rim is the same as before ends the climb. No edit costs more than one tile and one block of each
 * level, whatever the map looks like. Nothing depends on the order of edits: parts are numbered by
 * their first cell along the rim (closed ones after these, by their first cell), so what is
 * repaired is equal, byte for byte, to what is rebuilt.
 *
 * Without elevation limits, and unless corners may be cut between two blocked cells, components of
 * eight neighbours equal those of four: a diagonal step needs a free side cell. In a *limited*
 * space, where heights or the agent's size forbid single steps between cells that touch (size.h),
 * every step is tested.
 */
#ifndef CRN_COMPONENTS_H
#define CRN_COMPONENTS_H

#include "world/grid.h"

struct crn_grid_space;

enum { CRN_SIDE_N, CRN_SIDE_E, CRN_SIDE_S, CRN_SIDE_W, CRN_SIDES };

#define CRN_NO_PART UINT16_MAX
#define CRN_COMPONENT_LEVELS 4u /* 64, 512, 4096, 32768 cells */
#define CRN_BLOCK 8u            /* children a side */

/* Tiles are level 0, blocks of 8×8 tiles level 1, and so on. */
typedef struct crn_component_level {
    uint32_t columns, rows;
    uint32_t side;   /* cells along one side */
    uint32_t widest; /* the most open parts that there can be */
    uint16_t *rims;  /* of each block: four sides of `side` cells, each the part of that cell */
    uint32_t *up;    /* of each block: for each open part its part one level up */
    uint32_t *open;  /* of each block: how many parts touch the rim; they come first ... */
    uint32_t *parts; /* ... of this many in all */
    uint64_t *dirty; /* a bit for each block: to be recomputed */
} crn_component_level;

/* The parts inside one tile, by runs. */
typedef struct crn_component_tile {
    uint16_t *components;       /* of each run, row by row, its part */
    uint16_t first[CAIRN_TILE]; /* of each row its first run */
    uint16_t runs;
    uint16_t promised; /* runs that may come with the commit in preparation ... */
    uint32_t round;    /* ... which is this one */
    uint16_t capacity;
} crn_component_tile;

typedef struct crn_components {
    cairn_context *context;
    uint32_t level_count;
    crn_component_level levels[CRN_COMPONENT_LEVELS];
    crn_component_tile *tiles;
    /* only if the space may be limited: of each row of each tile where runs start */
    uint64_t *starts;
    uint32_t most_runs; /* a tile can have */
    uint32_t round;     /* of reserving memory: one for each commit that was tried */
    uint32_t *set;      /* union-find, for joining */
    uint32_t *number;
    uint16_t *rim;                         /* of the block being joined */
    size_t set_size, rim_size;             /* in elements */
    uint32_t tiles_updated, blocks_joined; /* by the last repair */
    size_t bytes;
} crn_components;

/* Finds all parts; false = no memory, and nothing is held. */
bool crn_components_create(crn_components *components, const struct crn_grid_space *space);
void crn_components_destroy(crn_components *components);

/* begin: before an edit, nothing is reserved yet. reserve: memory for a tile that may get this many
 * more runs, on top of what was reserved already. touch: before the repair, this tile changed. */
void crn_components_begin(crn_components *components);
bool crn_components_reserve(crn_components *components, uint32_t tile, uint32_t more_runs);
void crn_components_touch(crn_components *components, uint32_t tile);
void crn_components_repair(crn_components *components, const struct crn_grid_space *space);

/* A block of any level is to be done again. */
CRN_INLINE void crn_components_mark(const crn_component_level *level, uint32_t block)
{
    level->dirty[block / 64] |= UINT64_C(1) << (block % 64);
}

/* Where runs start among the cells of a row of a tile. */
uint64_t crn_components_row_starts(const struct crn_grid_space *space, uint32_t x, uint32_t y,
                                   uint64_t cells);

/* Returns the component of a usable cell; never 0. */
uint64_t crn_components_find(const crn_components *components, const struct crn_grid_space *space,
                             uint32_t x, uint32_t y);

/* Which of a tile's cells in row y of the tile belong to components that `wanted` accepts, as
 * bits. */
typedef bool crn_wanted(const void *user, uint64_t component);
uint32_t crn_components_wanted_parts(const crn_components *components, uint32_t tile,
                                     crn_wanted *wanted, const void *user, uint64_t *parts);
uint64_t crn_components_row(const crn_components *components, const struct crn_grid_space *space,
                            uint32_t tile, uint32_t row, const uint64_t *parts);

/* The component of each part of a tile, and how many cells it has: levels[0].parts[tile] of
 * them. */
typedef struct crn_component_part {
    uint64_t component;
    uint32_t cells;
} crn_component_part;
void crn_components_parts(const crn_components *components, const struct crn_grid_space *space,
                          uint32_t tile, crn_component_part *out);

/* Enough bits for the parts of any tile. */
#define CRN_PART_WORDS (CAIRN_TILE * CAIRN_TILE / 64)

#endif
