/* fuzz_tiled.h: what the targets for Tiled maps do with an input: the bytes before the first zero
 * are the map, those up to the second one a tileset that the map may name, those behind it choose
 * the options (none = the defaults). What is refused must say why; what is accepted must be a grid
 * within the limits, the same again if it is read again.
 */
#ifndef FUZZ_TILED_H
#define FUZZ_TILED_H

#include <cairn/io.h>
#include <stdlib.h>
#include <string.h>

typedef struct fuzz_part {
    const char *data;
    size_t size;
} fuzz_part;

static inline void require(bool condition)
{
    if (!condition) abort();
}

static inline cairn_status fuzz_read(void *user, cairn_context *context, const char *name,
                                     cairn_file *out, cairn_error *error)
{
    (void)error;
    const fuzz_part *set = user;
    require(name[0] != 0);
    out->data = cairn_context_resize(context, NULL, 0, set->size + 1);
    if (!out->data) return CAIRN_OUT_OF_MEMORY;
    if (set->size) memcpy(out->data, set->data, set->size);
    out->data[set->size] = 0;
    out->size = set->size;
    return CAIRN_OK;
}

static inline cairn_status fuzz_parse(cairn_context *context, const char *data, size_t size,
                                      const cairn_tiled_options *options, cairn_grid **grid)
{
    cairn_error error = {0};
    cairn_tiled_place place = {0};
    cairn_tiled_options all = options ? *options : cairn_tiled_defaults();
    all.place = &place;
    cairn_status status = cairn_tiled_parse(context, (cairn_bytes){data, size}, &all, grid, &error);
    require((status == CAIRN_OK) == (*grid != NULL));
    if (status) {
        require(error.status == status && error.text[0] &&
                memchr(error.text, 0, sizeof error.text));
        require(status == CAIRN_BAD_DATA || status == CAIRN_UNSUPPORTED ||
                status == CAIRN_OUT_OF_MEMORY || status == CAIRN_OUT_OF_BUDGET);
        require(error.line <= size + 1);
        return status;
    }
    require(cairn_grid_width(*grid) <= CAIRN_GRID_MAX &&
            cairn_grid_height(*grid) <= CAIRN_GRID_MAX);
    cairn_cell first = cairn_tiled_cell(&place, place.left, place.top);
    require(first.x == 0 && first.y == 0);
    return status;
}

static inline void fuzz_same(const cairn_grid *a, const cairn_grid *b)
{
    uint32_t cells = cairn_grid_width(a) * cairn_grid_height(a);
    require(cairn_grid_width(a) == cairn_grid_width(b) &&
            cairn_grid_height(a) == cairn_grid_height(b));
    for (uint32_t i = 0; i < cells && i < 10000; i++) {
        cairn_cell c = cairn_grid_cell(a, i);
        require(cairn_grid_is_open(a, c.x, c.y) == cairn_grid_is_open(b, c.x, c.y));
        require(cairn_grid_terrain(a, c.x, c.y) == cairn_grid_terrain(b, c.x, c.y));
        require(cairn_grid_layer(a, c.x, c.y) == cairn_grid_layer(b, c.x, c.y));
    }
}

/* What stands before the first zero; *rest is what stands behind it. */
static inline fuzz_part fuzz_cut(fuzz_part *rest)
{
    const char *zero = rest->size ? memchr(rest->data, 0, rest->size) : NULL;
    fuzz_part first = {rest->data, zero ? (size_t)(zero - rest->data) : rest->size};
    size_t used = first.size + (zero != NULL);
    *rest = (fuzz_part){rest->data + used, rest->size - used};
    return first;
}

/* A byte of switches, then a name for a layer, or tiles. */
static inline cairn_tiled_options fuzz_options(fuzz_part choice, char layer[16], uint32_t ids[4])
{
    cairn_tiled_options options = cairn_tiled_defaults();
    if (!choice.size) return options;
    uint8_t switches = (uint8_t)choice.data[0];
    for (size_t i = 1; i < choice.size && i < 16; i++) layer[i - 1] = choice.data[i];
    for (size_t i = 1; i < choice.size && i < 5; i++) ids[i - 1] = (uint8_t)choice.data[i];
    options.void_cells = (cairn_tiled_void)(switches % CAIRN_TILED_VOID_COUNT);
    options.skip_tilesets = switches & 4;
    options.cell_size = switches & 8 ? 32 : 1;
    if (switches & 16) options.layer = layer;
    options.blocked_ids = ids;
    options.blocked_count = switches & 32 ? 2 : 0;
    options.open_ids = ids + 2;
    options.open_count = switches & 64 ? 2 : 0;
    return options;
}

static inline void fuzz_tiled_parts(fuzz_part map, fuzz_part set, fuzz_part rest)
{
    char layer[16] = "";
    uint32_t ids[4] = {0};
    cairn_tiled_options options = fuzz_options(rest, layer, ids);
    options.read = fuzz_read;
    options.read_user = &set;
    cairn_context_options limits = cairn_context_defaults();
    limits.byte_limit = 64u << 20;
    cairn_context *context = NULL;
    require(cairn_context_create(&limits, &context) == CAIRN_OK);
    size_t empty = cairn_context_memory(context).bytes;
    cairn_grid *grid = NULL, *again = NULL;
    if (!fuzz_parse(context, map.data, map.size, &options, &grid) &&
        !fuzz_parse(context, map.data, map.size, &options, &again))
        fuzz_same(grid, again);
    cairn_grid_destroy(grid);
    cairn_grid_destroy(again);
    require(cairn_context_memory(context).bytes == empty);
    cairn_context_destroy(context);
}

static inline void fuzz_tiled(const uint8_t *data, size_t size)
{
    fuzz_part rest = {(const char *)data, size};
    fuzz_part map = fuzz_cut(&rest), set = fuzz_cut(&rest);
    fuzz_tiled_parts(map, set, rest);
}

#endif
