/* tiled_cells.c: the grid that a Tiled map's layers make together.
 *
 * A cell is blocked if the tile of any layer there is, open if there is a tile and none blocks, and
 * otherwise void. Terrain and extra cost come from the topmost layer that has a value for them.
 * What a tile says is decided by the lists of the options, then its own properties, then its
 * tileset's, then its layer's, then the layer's name.
 *
 * Hexagons. The grid's are in rows with a point on top, of which rows 1, 3, … are half a cell to
 * the right. Tiled has rows or columns (staggeraxis y or x) of which the odd or the even ones are
 * shifted. Columns become rows by swapping x and y: a mirror on the diagonal, which keeps
 * neighbours. Where the first row would be a shifted one (even rows shifted, or an infinite map
 * that begins on the other parity) one blocked row is put before it. So the cells lie to one
 * another as they did.
 */
#include "io/tiled.h"

#include <stdlib.h>
#include <string.h>

#define CELLS_CACHE 256u
#define CELLS_ID 0x0fffffffu       /* without the four flags for flipping and turning */
#define CELLS_LOOSE_MAX (1u << 24) /* cells of an infinite map whose chunks lie far apart ... */
#define CELLS_SPREAD_MAX 64u       /* ... beyond that, this many for each tile of the chunks */

enum { CELLS_VOID, CELLS_OPEN, CELLS_BLOCKED };

typedef struct cells_known {
    uint32_t tile; /* 0 = empty entry */
    crn_tiled_says says;
} cells_known;

typedef struct cells_maker {
    crn_tiled *model;
    int64_t left, top, right, bottom; /* of the file's cells; right and bottom are outside */
    bool swapped;
    uint32_t width, height; /* of the grid */
    uint8_t *state, *terrain, *cost;
    uint32_t tile_count;
    uint32_t set_order[CRN_TILED_SETS_MAX]; /* by first tile */
    cells_known cache[CELLS_CACHE];         /* of the layer at hand */
} cells_maker;

/* ---- what a tile says ---- */

static int cells_compare_tiles(const void *a, const void *b)
{
    const crn_tiled_tile *x = a, *y = b;
    if (x->set != y->set) return x->set < y->set ? -1 : 1;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static void cells_override(crn_tiled_says *says, crn_tiled_says stronger)
{
    if (stronger.blocked >= 0) says->blocked = stronger.blocked;
    if (stronger.terrain >= 0) says->terrain = stronger.terrain;
    if (stronger.cost >= 0) says->cost = stronger.cost;
}

/* The tiles that say something, sorted, each once. */
static void cells_sort_tiles(cells_maker *maker)
{
    crn_tiled_tile *tiles = (crn_tiled_tile *)(void *)maker->model->tiles.data;
    size_t count = maker->model->tiles.size / sizeof *tiles, kept = 0;
    if (count) qsort(tiles, count, sizeof *tiles, cells_compare_tiles);
    for (size_t i = 0; i < count; i++) {
        if (kept && tiles[kept - 1].set == tiles[i].set && tiles[kept - 1].id == tiles[i].id)
            cells_override(&tiles[kept - 1].says, tiles[i].says);
        else
            tiles[kept++] = tiles[i];
    }
    maker->tile_count = (uint32_t)kept;
}

/* There are few: by insertion. */
static void cells_sort_sets(cells_maker *maker)
{
    for (uint32_t i = 0; i < crn_tiled_set_count(maker->model); i++) {
        uint32_t first = crn_tiled_set_at(maker->model, i)->first, at = i;
        for (; at && crn_tiled_set_at(maker->model, maker->set_order[at - 1])->first > first; at--)
            maker->set_order[at] = maker->set_order[at - 1];
        maker->set_order[at] = i;
    }
}

/* The tileset that a tile belongs to: the last that begins at or before it. */
static bool cells_find_set(const cells_maker *maker, uint32_t tile, uint32_t *out)
{
    uint32_t low = 0, high = crn_tiled_set_count(maker->model);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (crn_tiled_set_at(maker->model, maker->set_order[middle])->first <= tile)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low) return false;
    *out = maker->set_order[low - 1];
    return true;
}

static crn_tiled_says cells_tile_says(const cells_maker *maker, uint32_t set, uint32_t id)
{
    const crn_tiled_tile *tiles = (const crn_tiled_tile *)(const void *)maker->model->tiles.data;
    uint32_t low = 0, high = maker->tile_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        bool before = tiles[middle].set != set ? tiles[middle].set < set : tiles[middle].id < id;
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < maker->tile_count && tiles[low].set == set && tiles[low].id == id;
    return found ? tiles[low].says : CRN_TILED_SILENT;
}

static bool cells_listed(const uint32_t *ids, uint32_t count, uint32_t tile)
{
    for (uint32_t i = 0; i < count; i++) {
        if ((ids[i] & CELLS_ID) == tile) return true;
    }
    return false;
}

static bool cells_resolve(const cells_maker *maker, const crn_tiled_layer *layer, uint32_t tile,
                          crn_tiled_says *out)
{
    const cairn_tiled_options *options = maker->model->options;
    uint32_t set;
    if (!cells_find_set(maker, tile, &set)) return false;
    *out = CRN_TILED_SILENT;
    if (layer->collision) out->blocked = 1;
    const crn_tiled_set *tileset = crn_tiled_set_at(maker->model, set);
    cells_override(out, layer->says);
    cells_override(out, tileset->says);
    cells_override(out, cells_tile_says(maker, set, tile - tileset->first));
    if (cells_listed(options->open_ids, options->open_count, tile)) out->blocked = 0;
    if (cells_listed(options->blocked_ids, options->blocked_count, tile)) out->blocked = 1;
    return true;
}

/* ---- tiles into cells ---- */

/* What a tile says of a cell; < 0 = nothing. */
static bool cells_set(cells_maker *maker, uint8_t **plane, size_t cell, int16_t value)
{
    size_t cells = (size_t)maker->width * maker->height;
    return value < 0 || crn_io_set_cell(maker->model->context, plane, cells, cell, (uint8_t)value);
}

static size_t cells_index(const cells_maker *maker, int64_t x, int64_t y)
{
    size_t column = (size_t)(x - maker->left), row = (size_t)(y - maker->top);
    return maker->swapped ? column * maker->width + row : row * maker->width + column;
}

static cairn_status cells_put(cells_maker *maker, const crn_tiled_layer *layer, uint32_t tile,
                              int64_t x, int64_t y)
{
    cairn_error *error = maker->model->error;
    cells_known *known = &maker->cache[tile % CELLS_CACHE];
    if (known->tile != tile) {
        if (!cells_resolve(maker, layer, tile, &known->says))
            return crn_io_fail(error, CAIRN_BAD_DATA, 0,
                               "the tile %u at (%d,%d) of layer '%s' belongs to no tileset", tile,
                               (int)x, (int)y, layer->name);
        known->tile = tile;
    }
    size_t cell = cells_index(maker, x, y);
    if (known->says.blocked == 1)
        maker->state[cell] = CELLS_BLOCKED;
    else if (maker->state[cell] == CELLS_VOID)
        maker->state[cell] = CELLS_OPEN;
    bool ok = cells_set(maker, &maker->terrain, cell, known->says.terrain) &&
              cells_set(maker, &maker->cost, cell, known->says.cost);
    return ok ? CAIRN_OK : crn_io_no_memory(error);
}

static cairn_status cells_put_patch(cells_maker *maker, const crn_tiled_patch *patch)
{
    const crn_tiled_layer *layer = crn_tiled_layer_at(maker->model, patch->layer);
    memset(maker->cache, 0, sizeof maker->cache);
    for (uint32_t y = 0; y < patch->height; y++) {
        const uint32_t *row = patch->tiles + (size_t)y * patch->width;
        for (uint32_t x = 0; x < patch->width; x++) {
            uint32_t tile = row[x] & CELLS_ID;
            if (!tile) continue;
            cairn_status status =
                cells_put(maker, layer, tile, (int64_t)patch->x + x, (int64_t)patch->y + y);
            if (status) return status;
        }
    }
    return CAIRN_OK;
}

/* ---- the frame ---- */

/* The box of all chunks, of the map if it is finite. */
static void cells_frame(cells_maker *maker)
{
    const crn_tiled *model = maker->model;
    maker->right = model->width;
    maker->bottom = model->height;
    for (uint32_t i = 0; model->infinite && i < crn_tiled_patch_count(model); i++) {
        const crn_tiled_patch *patch = crn_tiled_patch_at(model, i);
        int64_t right = (int64_t)patch->x + patch->width,
                bottom = (int64_t)patch->y + patch->height;
        if (!i || patch->x < maker->left) maker->left = patch->x;
        if (!i || patch->y < maker->top) maker->top = patch->y;
        if (!i || right > maker->right) maker->right = right;
        if (!i || bottom > maker->bottom) maker->bottom = bottom;
    }
}

/* One row more if the first one would be shifted; 1 if so. */
static int cells_align_stagger(cells_maker *maker)
{
    const crn_tiled *model = maker->model;
    if (model->orientation != CRN_TILED_HEX) return 0;
    int64_t *first = model->stagger_x ? &maker->left : &maker->top;
    bool odd = *first % 2 != 0;
    if (odd == model->stagger_even) return 0;
    --*first;
    return 1;
}

static cairn_status cells_check_frame(cells_maker *maker)
{
    const crn_tiled *model = maker->model;
    int64_t width = maker->right - maker->left, height = maker->bottom - maker->top;
    if (width > CAIRN_GRID_MAX || height > CAIRN_GRID_MAX)
        return crn_io_fail(model->error, CAIRN_BAD_DATA, 0,
                           "the map reaches over %lld x %lld cells, each side may be at most %u",
                           (long long)width, (long long)height, CAIRN_GRID_MAX);
    uint64_t cells = (uint64_t)width * (uint64_t)height;
    if (model->infinite && cells > CELLS_LOOSE_MAX && cells / CELLS_SPREAD_MAX > model->tile_total)
        return crn_io_fail(model->error, CAIRN_BAD_DATA, 0,
                           "the chunks lie too far apart: %lld x %lld cells for %llu tiles",
                           (long long)width, (long long)height,
                           (unsigned long long)model->tile_total);
    cairn_status status =
        crn_io_check_claim(model->context, (crn_io_claim){cells, model->size, 0}, model->error);
    if (status) return status;
    maker->swapped = model->orientation == CRN_TILED_HEX && model->stagger_x;
    maker->width = (uint32_t)(maker->swapped ? height : width);
    maker->height = (uint32_t)(maker->swapped ? width : height);
    return CAIRN_OK;
}

static bool cells_void_is_open(const crn_tiled *model)
{
    if (model->options->void_cells != CAIRN_TILED_VOID_AUTO)
        return model->options->void_cells == CAIRN_TILED_VOID_OPEN;
    for (uint32_t i = 0; i < crn_tiled_layer_count(model); i++) {
        const crn_tiled_layer *layer = crn_tiled_layer_at(model, i);
        bool collision = layer->says.blocked >= 0 ? layer->says.blocked == 1 : layer->collision;
        if (!collision) return false;
    }
    return true;
}

/* From void, open, blocked to open or not; the row that was put before the map stays blocked. */
static void cells_settle(cells_maker *maker, int added_rows)
{
    bool void_open = cells_void_is_open(maker->model);
    size_t cells = (size_t)maker->width * maker->height, added = (size_t)added_rows * maker->width;
    for (size_t i = 0; i < cells; i++) {
        uint8_t state = maker->state[i];
        maker->state[i] = i >= added && (state == CELLS_OPEN || (state == CELLS_VOID && void_open));
    }
}

static cairn_status cells_create(cells_maker *maker, cairn_grid **out, cairn_tiled_place *place)
{
    const crn_tiled *model = maker->model;
    bool hex = model->orientation == CRN_TILED_HEX;
    double size = model->options->cell_size != 0 ? model->options->cell_size : 1;
    cairn_tiled_place at = {(int32_t)maker->left, (int32_t)maker->top, maker->swapped,
                            hex ? CAIRN_LAYOUT_HEX : CAIRN_LAYOUT_SQUARE};
    double x = maker->swapped ? at.top : at.left, y = maker->swapped ? at.left : at.top;
    cairn_grid_options options = {
        .width = maker->width,
        .height = maker->height,
        .open = maker->state,
        .terrain = maker->terrain,
        .layer = maker->cost,
        .origin = {x * size, y * size * (hex ? CRN_IO_HEX_ROW : 1), 0},
        .cell_size = size,
        .layout = at.layout,
    };
    cairn_status status = cairn_grid_create(model->context, &options, out, model->error);
    if (!status) *place = at;
    return status;
}

static cairn_status cells_make(cells_maker *maker, cairn_grid **out, cairn_tiled_place *place)
{
    crn_tiled *model = maker->model;
    cells_frame(maker);
    int added = cells_align_stagger(maker);
    cairn_status status = cells_check_frame(maker);
    if (status) return status;
    maker->state = crn_io_zeros(model->context, (size_t)maker->width * maker->height);
    if (!maker->state) return crn_io_no_memory(model->error);
    cells_sort_tiles(maker);
    cells_sort_sets(maker);
    for (uint32_t i = 0; i < crn_tiled_patch_count(model) && !status; i++)
        status = cells_put_patch(maker, crn_tiled_patch_at(model, i));
    if (status) return status;
    cells_settle(maker, added);
    return cells_create(maker, out, place);
}

cairn_status crn_tiled_make_grid(crn_tiled *model, cairn_grid **out, cairn_tiled_place *place)
{
    if (!crn_tiled_layer_count(model))
        return model->options->layer
                   ? crn_io_fail(model->error, CAIRN_BAD_DATA, 0,
                                 "the map has no tile layer named '%.100s'", model->options->layer)
                   : crn_io_fail(model->error, CAIRN_BAD_DATA, 0,
                                 "the map has no visible tile layer");
    if (!crn_tiled_patch_count(model))
        return crn_io_fail(model->error, CAIRN_BAD_DATA, 0, "the map is infinite and has no tile");
    cells_maker *maker = crn_io_zeros(model->context, sizeof *maker);
    if (!maker) return crn_io_no_memory(model->error);
    maker->model = model;
    cairn_status status = cells_make(maker, out, place);
    size_t cells = (size_t)maker->width * maker->height;
    if (maker->state) crn_io_resize(model->context, maker->state, cells, 0);
    if (maker->terrain) crn_io_resize(model->context, maker->terrain, cells, 0);
    if (maker->cost) crn_io_resize(model->context, maker->cost, cells, 0);
    crn_io_resize(model->context, maker, sizeof *maker, 0);
    return status;
}
