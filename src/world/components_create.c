/* components_create.c: memory for the levels, tiles and runs of components. See components.h. */
#include "world/components.h"
#include "world/grid_space.h"

/* ---- memory ---- */

static void *components_allocate(crn_components *components, size_t count, size_t element)
{
    size_t size = crn_mul_size(count, element);
    void *block = crn_alloc_zero(components->context, size);
    if (block) components->bytes += size;
    return block;
}

static size_t components_dirty_words(const crn_component_level *level)
{
    return ((size_t)level->columns * level->rows + 63) / 64;
}

static bool components_create_level(crn_components *components, uint32_t depth, bool top)
{
    crn_component_level *level = &components->levels[depth];
    size_t blocks = (size_t)level->columns * level->rows;
    level->open = components_allocate(components, blocks, sizeof *level->open);
    level->parts = components_allocate(components, blocks, sizeof *level->parts);
    level->dirty =
        components_allocate(components, components_dirty_words(level), sizeof *level->dirty);
    if (!level->open || !level->parts || !level->dirty) return false;
    if (top && depth > 0) return true; /* the rim of the top is never read */
    level->rims =
        components_allocate(components, blocks * CRN_SIDES * level->side, sizeof *level->rims);
    level->up = components_allocate(components, blocks * level->widest, sizeof *level->up);
    return level->rims && level->up;
}

/* Counts the runs of every tile and gets memory for them. */
static bool components_create_tiles(crn_components *components, const crn_grid_space *space)
{
    const crn_component_level *level = &components->levels[0];
    for (uint32_t number = 0; number < level->columns * level->rows; number++) {
        uint32_t x = number % level->columns * CAIRN_TILE, y = number / level->columns * CAIRN_TILE,
                 runs = 0;
        for (uint32_t row = 0; row < CAIRN_TILE && y + row < space->grid->height; row++) {
            uint64_t cells = crn_bits_word(&space->usable, (int32_t)x, (int32_t)(y + row));
            runs += crn_count_bits(crn_components_row_starts(space, x, y + row, cells));
        }
        if (!crn_components_reserve(components, number, runs)) return false;
    }
    return true;
}

static void components_plan_levels(crn_components *components, const crn_grid_space *space,
                                   bool limited)
{
    uint32_t columns = (space->grid->width + CAIRN_TILE - 1) / CAIRN_TILE;
    uint32_t rows = (space->grid->height + CAIRN_TILE - 1) / CAIRN_TILE, side = CAIRN_TILE;
    for (uint32_t depth = 0;; depth++) {
        /* Of the cells along a rim, every second one may be a part of its own; in a limited space
         * every one. */
        components->levels[depth] = (crn_component_level){.columns = columns,
                                                          .rows = rows,
                                                          .side = side,
                                                          .widest = limited ? 4 * side : 2 * side};
        components->level_count = depth + 1;
        if (columns * rows == 1) return;
        columns = (columns + CRN_BLOCK - 1) / CRN_BLOCK;
        rows = (rows + CRN_BLOCK - 1) / CRN_BLOCK;
        side *= CRN_BLOCK;
    }
}

/* Memory for the tiles, without that for their runs. */
static bool components_create_empty_tiles(crn_components *components, bool limited)
{
    components->most_runs = limited ? CAIRN_TILE * CAIRN_TILE : CAIRN_TILE * CAIRN_TILE / 2;
    const crn_component_level *level = &components->levels[0];
    size_t tiles = (size_t)level->columns * level->rows;
    components->tiles = components_allocate(components, tiles, sizeof *components->tiles);
    if (limited) {
        components->starts =
            components_allocate(components, tiles * CAIRN_TILE, sizeof *components->starts);
    }
    return components->tiles && (components->starts || !limited);
}

/* Memory for all levels; and how much joining the blocks of each may need. */
static bool components_create_levels(crn_components *components)
{
    components->set_size = components->most_runs;
    components->rim_size = (size_t)CRN_SIDES * CAIRN_TILE;
    for (uint32_t depth = 0;; depth++) {
        bool top = depth + 1 == components->level_count;
        const crn_component_level *level = &components->levels[depth];
        if (!components_create_level(components, depth, top)) return false;
        if (top) return true;
        size_t children =
            crn_min_u32(CRN_BLOCK, level->columns) * crn_min_u32(CRN_BLOCK, level->rows);
        if (children * level->widest > components->set_size)
            components->set_size = children * level->widest;
        components->rim_size = (size_t)CRN_SIDES * level->side;
    }
}

/* Memory for joining blocks. */
static bool components_create_sets(crn_components *components)
{
    components->set =
        components_allocate(components, components->set_size, sizeof *components->set);
    components->number =
        components_allocate(components, components->set_size, sizeof *components->number);
    components->rim =
        components_allocate(components, components->rim_size, sizeof *components->rim);
    return components->set && components->number && components->rim;
}

static void components_mark_all(const crn_components *components)
{
    for (uint32_t depth = 0; depth < components->level_count; depth++) {
        const crn_component_level *level = &components->levels[depth];
        for (uint32_t block = 0; block < level->columns * level->rows; block++)
            crn_components_mark(level, block);
    }
}

bool crn_components_create(crn_components *components, const crn_grid_space *space)
{
    bool limited = crn_grid_may_be_limited(space);
    *components = (crn_components){.context = space->base.context};
    components_plan_levels(components, space, limited);
    if (!components_create_empty_tiles(components, limited) ||
        !components_create_levels(components) || !components_create_sets(components) ||
        !components_create_tiles(components, space)) {
        crn_components_destroy(components);
        return false;
    }
    components_mark_all(components);
    crn_components_repair(components, space);
    return true;
}

void crn_components_destroy(crn_components *components)
{
    cairn_context *context = components->context;
    size_t tiles = (size_t)components->levels[0].columns * components->levels[0].rows;
    for (size_t i = 0; components->tiles && i < tiles; i++) {
        crn_free(context, components->tiles[i].components,
                 components->tiles[i].capacity * sizeof(uint16_t));
    }
    crn_free(context, components->tiles, tiles * sizeof *components->tiles);
    crn_free(context, components->starts, tiles * CAIRN_TILE * sizeof *components->starts);
    for (uint32_t depth = 0; depth < components->level_count; depth++) {
        crn_component_level *level = &components->levels[depth];
        size_t blocks = (size_t)level->columns * level->rows;
        crn_free(context, level->rims, blocks * CRN_SIDES * level->side * sizeof *level->rims);
        crn_free(context, level->up, blocks * level->widest * sizeof *level->up);
        crn_free(context, level->open, blocks * sizeof *level->open);
        crn_free(context, level->parts, blocks * sizeof *level->parts);
        crn_free(context, level->dirty, components_dirty_words(level) * sizeof *level->dirty);
    }
    crn_free(context, components->set, components->set_size * sizeof *components->set);
    crn_free(context, components->number, components->set_size * sizeof *components->number);
    crn_free(context, components->rim, components->rim_size * sizeof *components->rim);
    *components = (crn_components){.context = context};
}

/* ---- questions ---- */
