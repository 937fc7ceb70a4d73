/* tiled.h (internal): a Tiled map between its file and the grid.
 *
 * The readers (tiled_xml.c, tiled_json.c, tiled_elements.c) turn their syntax into calls of the
 * functions below, which collect a model: tilesets, what tiles say, layers that count, and patches
 * of tiles (a whole layer, or one chunk of an infinite one). tiled_data.c unpacks tiles,
 * tiled_cells.c makes the grid of the model. All sizes are checked here, so that all syntaxes have
 * the same limits and the same errors.
 */
#ifndef CRN_IO_TILED_H
#define CRN_IO_TILED_H

#include "io/support.h"

#define CRN_TILED_TEXT_MAX \
    ((size_t)512 << 20) /* bytes of a map: 8192 x 8192 tiles in CSV are less than that */
#define CRN_TILED_JSON_MAX \
    ((size_t)64 << 20) /* ... in JSON, which takes 20 times its size while it is read */
#define CRN_TILED_SET_TEXT_MAX ((size_t)16 << 20) /* bytes of a tileset's own file */
#define CRN_TILED_SETS_MAX 1024u
#define CRN_TILED_LAYERS_MAX 4096u
#define CRN_TILED_DEPTH_MAX 64u        /* groups in groups, elements in elements */
#define CRN_TILED_TILES_MAX (1u << 28) /* of all layers that count, whatever file_cells is: 1 GiB */
#define CRN_TILED_ATTRIBUTES_MAX 64u   /* of an element that comes as bytes */
#define CRN_TILED_FAR_MAX (1 << 30)    /* coordinates of chunks */
#define CRN_TILED_NO_LAYER UINT32_MAX

/* What a tile, a tileset or a layer says; -1 = nothing. */
typedef struct crn_tiled_says {
    int16_t blocked, terrain, cost;
} crn_tiled_says;

#define CRN_TILED_SILENT ((crn_tiled_says){-1, -1, -1})

/* Whose property it is, for messages. */
typedef enum crn_tiled_owner_kind {
    CRN_TILED_OF_SET,
    CRN_TILED_OF_TILE,
    CRN_TILED_OF_LAYER
} crn_tiled_owner_kind;

typedef struct crn_tiled_owner {
    crn_tiled_owner_kind kind;
    uint32_t number; /* of the tileset or layer */
    int64_t tile;
    uint32_t line;
} crn_tiled_owner;

typedef struct crn_tiled_set {
    uint32_t first;   /* number of its first tile */
    char name[64];    /* for messages */
    char source[512]; /* its own file; "" = none */
    crn_tiled_says says;
} crn_tiled_set;

typedef struct crn_tiled_tile {
    uint32_t set, id, order; /* order: of two with one id the later is the stronger */
    crn_tiled_says says;
} crn_tiled_tile;

typedef struct crn_tiled_layer {
    char name[64];  /* for messages */
    bool collision; /* by its name */
    crn_tiled_says says;
} crn_tiled_layer;

typedef struct crn_tiled_patch {
    uint32_t layer;
    int32_t x, y;
    uint32_t width, height;
    uint32_t *tiles;
} crn_tiled_patch;

typedef enum crn_tiled_orientation { CRN_TILED_SQUARE, CRN_TILED_HEX } crn_tiled_orientation;

typedef struct crn_tiled {
    cairn_context *context;
    const cairn_tiled_options *options;
    cairn_error *error;
    crn_tiled_orientation orientation;
    bool infinite, stagger_x, stagger_even;
    uint32_t width, height; /* of finite maps */
    size_t size;            /* of the file */
    uint64_t tile_total;
    crn_io_buffer sets, tiles, layers, patches; /* arrays of the above */
} crn_tiled;

/* How the tiles of a patch are written. */
typedef enum crn_tiled_encoding { CRN_TILED_CSV, CRN_TILED_BASE64 } crn_tiled_encoding;
typedef enum crn_tiled_packing {
    CRN_TILED_PLAIN,
    CRN_TILED_ZLIB,
    CRN_TILED_ZSTD
} crn_tiled_packing;

typedef struct crn_tiled_writing {
    crn_tiled_encoding encoding;
    crn_tiled_packing packing;
} crn_tiled_writing;

/* The map's own attributes; texts may be NULL. */
typedef struct crn_tiled_head {
    const char *orientation, *stagger_axis, *stagger_index;
    int64_t width, height;
    bool infinite;
} crn_tiled_head;

/* ---- collecting (tiled.c): each returns CAIRN_OK or has filled model->error ---- */

cairn_status crn_tiled_begin(crn_tiled *model, uint32_t line, const crn_tiled_head *head);

/* name: may be NULL; source: NULL = the tileset is in the map. */
cairn_status crn_tiled_add_set(crn_tiled *model, uint32_t line, int64_t first, const char *name,
                               const char *source);

/* Adds a tile of a tileset, if it has properties. */
cairn_status crn_tiled_add_tile(crn_tiled *model, uint32_t line, uint32_t set, int64_t id,
                                crn_tiled_says says);

/* A layer's own attributes; width and height < 0: not given. */
typedef struct crn_tiled_layer_head {
    const char *name;
    bool visible;
    int64_t width, height;
} crn_tiled_layer_head;

/* *index is CRN_TILED_NO_LAYER if the layer does not count. */
cairn_status crn_tiled_add_layer(crn_tiled *model, uint32_t line, const crn_tiled_layer_head *head,
                                 uint32_t *index);

/* A chunk's place, or for finite maps that of the whole layer, without tiles yet. */
cairn_status crn_tiled_chunk(crn_tiled *model, uint32_t line, uint32_t layer,
                             const int64_t place[4], crn_tiled_patch *out);
cairn_status crn_tiled_whole(crn_tiled *model, uint32_t line, uint32_t layer, crn_tiled_patch *out);

/* Takes ownership of the patch's tiles, or frees them if it fails. */
cairn_status crn_tiled_add_patch(crn_tiled *model, crn_tiled_patch *patch);

/* "the layer 'ground' has 99 tiles, 100 are needed" */
cairn_status crn_tiled_wrong_count(crn_tiled *model, uint32_t line, const crn_tiled_patch *patch,
                                   uint64_t has);

/* A property with its value as text. Properties without a meaning here are ignored. */
cairn_status crn_tiled_property(crn_tiled *model, crn_tiled_owner owner, const char *name,
                                const char *value, crn_tiled_says *says);

/* A text of the file as it can be printed: no control characters, no half letter at the end. */
void crn_tiled_printable(const char *text, char *out, size_t size);

cairn_status crn_tiled_format(crn_tiled *model, uint32_t line, const char *encoding,
                              const char *compression, crn_tiled_writing *out);

static inline crn_tiled_set *crn_tiled_set_at(const crn_tiled *model, uint32_t i)
{
    return (crn_tiled_set *)(void *)model->sets.data + i;
}
static inline crn_tiled_layer *crn_tiled_layer_at(const crn_tiled *model, uint32_t i)
{
    return (crn_tiled_layer *)(void *)model->layers.data + i;
}
static inline crn_tiled_patch *crn_tiled_patch_at(const crn_tiled *model, uint32_t i)
{
    return (crn_tiled_patch *)(void *)model->patches.data + i;
}
static inline uint32_t crn_tiled_set_count(const crn_tiled *model)
{
    return (uint32_t)(model->sets.size / sizeof(crn_tiled_set));
}
static inline uint32_t crn_tiled_layer_count(const crn_tiled *model)
{
    return (uint32_t)(model->layers.size / sizeof(crn_tiled_layer));
}
static inline uint32_t crn_tiled_patch_count(const crn_tiled *model)
{
    return (uint32_t)(model->patches.size / sizeof(crn_tiled_patch));
}

/* ---- the parts ---- */

/* Reads a map (set = CRN_TILED_NO_LAYER) or a tileset's own file (its number). */
cairn_status crn_tiled_read_xml(crn_tiled *model, const char *data, size_t size, uint32_t set);
cairn_status crn_tiled_read_json(crn_tiled *model, const char *data, size_t size, uint32_t set);

/* The same for elements as bytes (tiled_elements.c), which begin with this mark; `data` begins
 * behind it. */
#define CRN_TILED_ELEMENTS_MARK "\1CRNTILED"
cairn_status crn_tiled_read_elements(crn_tiled *model, const char *data, size_t size, uint32_t set);

/* Text of a patch → patch->tiles, of exactly width × height. */
cairn_status crn_tiled_unpack(crn_tiled *model, uint32_t line, cairn_bytes text,
                              crn_tiled_writing writing, crn_tiled_patch *patch);

cairn_status crn_tiled_make_grid(crn_tiled *model, cairn_grid **out, cairn_tiled_place *place);

/* The options (NULL = default) for a map of this name: unless they say otherwise, tilesets are read
 * relative to it. */
cairn_tiled_options crn_tiled_beside(const cairn_tiled_options *options, const char *name);

#endif
