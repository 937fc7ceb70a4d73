/* tiled.c: maps of the editor Tiled: the model that both syntaxes fill (see tiled.h), its limits,
 * tilesets with files of their own, and the public functions. The formats are described at
 * doc.mapeditor.org.
 *
 * Parsing needs no files: tilesets come through a callback, after the map itself has been read.
 */
#include "io/tiled.h"

#include <stdio.h>
#include <string.h>

/* ---- words ---- */

static char tiled_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool tiled_same_word(const char *a, const char *b)
{
    while (*a && tiled_lower(*a) == tiled_lower(*b)) a++, b++;
    return tiled_lower(*a) == tiled_lower(*b);
}

/* The position of the word in the list that ends with NULL; -1 = it is not there. */
static int tiled_find_word(const char *const *list, const char *word)
{
    for (int i = 0; list[i]; i++) {
        if (tiled_same_word(list[i], word)) return i;
    }
    return -1;
}

void crn_tiled_printable(const char *text, char *out, size_t size)
{
    size_t length = 0;
    for (; text[length] && length < size - 1; length++)
        out[length] = (unsigned char)text[length] < 32 || text[length] == 127 ? '?' : text[length];
    if (text[length]) {
        while (length && ((unsigned char)text[length] & 0xc0) == 0x80) length--;
    }
    out[length] = 0;
}

/* ---- the map ---- */

static cairn_status tiled_check_stagger(crn_tiled *model, uint32_t line, const crn_tiled_head *head)
{
    static const char *const axes[] = {"y", "x", NULL}, *const indexes[] = {"odd", "even", NULL};
    int axis = tiled_find_word(axes, head->stagger_axis ? head->stagger_axis : "");
    int index = tiled_find_word(indexes, head->stagger_index ? head->stagger_index : "");
    if (axis < 0 || index < 0)
        return crn_io_fail(
            model->error, CAIRN_BAD_DATA, line,
            "a hexagonal map needs staggeraxis (x or y) and staggerindex (odd or even)");
    model->stagger_x = axis == 1;
    model->stagger_even = index == 1;
    return CAIRN_OK;
}

static cairn_status tiled_check_orientation(crn_tiled *model, uint32_t line,
                                            const crn_tiled_head *head)
{
    static const char *const known[] = {"orthogonal", "isometric", "hexagonal", "staggered", NULL};
    const char *word = head->orientation ? head->orientation : "orthogonal";
    char shown[32];
    crn_tiled_printable(word, shown, sizeof shown);
    int kind = tiled_find_word(known, word);
    if (kind < 0)
        return crn_io_fail(model->error, CAIRN_BAD_DATA, line, "the orientation '%s' is not known",
                           shown);
    if (kind == 3)
        return crn_io_fail(
            model->error, CAIRN_UNSUPPORTED, line,
            "staggered isometric maps are not supported; isometric and hexagonal ones are");
    model->orientation = kind == 2 ? CRN_TILED_HEX : CRN_TILED_SQUARE;
    return kind == 2 ? tiled_check_stagger(model, line, head) : CAIRN_OK;
}

cairn_status crn_tiled_begin(crn_tiled *model, uint32_t line, const crn_tiled_head *head)
{
    cairn_status status = tiled_check_orientation(model, line, head);
    if (status) return status;
    model->infinite = head->infinite;
    if (model->infinite) return CAIRN_OK;
    bool fits = head->width >= 1 && head->width <= CAIRN_GRID_MAX && head->height >= 1 &&
                head->height <= CAIRN_GRID_MAX;
    if (!fits)
        return crn_io_fail(model->error, CAIRN_BAD_DATA, line,
                           "the map has width %lld and height %lld, both must be 1 to %u",
                           (long long)head->width, (long long)head->height, CAIRN_GRID_MAX);
    model->width = (uint32_t)head->width;
    model->height = (uint32_t)head->height;
    return CAIRN_OK;
}

/* ---- tilesets ---- */

cairn_status crn_tiled_add_set(crn_tiled *model, uint32_t line, int64_t first, const char *name,
                               const char *source)
{
    crn_tiled_set set = {.says = CRN_TILED_SILENT};
    crn_tiled_printable(name ? name : "", set.name, sizeof set.name);
    if (first < 1 || first > 0x0fffffff)
        return crn_io_fail(model->error, CAIRN_BAD_DATA, line,
                           "firstgid of a tileset must be 1 to 268435455");
    if (crn_tiled_set_count(model) >= CRN_TILED_SETS_MAX)
        return crn_io_fail(model->error, CAIRN_BAD_DATA, line, "the map has more than %u tilesets",
                           CRN_TILED_SETS_MAX);
    for (uint32_t i = 0; i < crn_tiled_set_count(model); i++) {
        if (crn_tiled_set_at(model, i)->first == (uint32_t)first)
            return crn_io_fail(model->error, CAIRN_BAD_DATA, line,
                               "two tilesets have the firstgid %u", (uint32_t)first);
    }
    if (source) {
        if (!*source || strlen(source) >= sizeof set.source)
            return crn_io_fail(model->error, CAIRN_BAD_DATA, line,
                               "the file name of a tileset must have 1 to %u letters",
                               (unsigned)(sizeof set.source - 1));
        memcpy(set.source, source, strlen(source) + 1);
    }
    set.first = (uint32_t)first;
    crn_io_put(&model->sets, &set, sizeof set);
    return model->sets.failed ? crn_io_no_memory(model->error) : CAIRN_OK;
}

cairn_status crn_tiled_add_tile(crn_tiled *model, uint32_t line, uint32_t set, int64_t id,
                                crn_tiled_says says)
{
    if (id < 0 || id > 0x0fffffff)
        return crn_io_fail(model->error, CAIRN_BAD_DATA, line,
                           "the id of a tile must be 0 to 268435455");
    if (says.blocked < 0 && says.terrain < 0 && says.cost < 0) return CAIRN_OK;
    uint32_t order = (uint32_t)(model->tiles.size / sizeof(crn_tiled_tile));
    crn_tiled_tile tile = {.set = set, .id = (uint32_t)id, .order = order, .says = says};
    crn_io_put(&model->tiles, &tile, sizeof tile);
    return model->tiles.failed ? crn_io_no_memory(model->error) : CAIRN_OK;
}

/* ---- properties ---- */

/* "tile 7 of tileset 'ground': "; complaints about a tileset's own file name it anyway. */
static void tiled_name_owner(const crn_tiled *model, crn_tiled_owner owner, char *out, size_t size)
{
    if (owner.kind == CRN_TILED_OF_LAYER) {
        snprintf(out, size, "layer '%s': ", crn_tiled_layer_at(model, owner.number)->name);
        return;
    }
    const crn_tiled_set *set = crn_tiled_set_at(model, owner.number);
    char tile[40] = "";
    if (owner.kind == CRN_TILED_OF_TILE)
        snprintf(tile, sizeof tile, "tile %lld", (long long)owner.tile);
    if (set->source[0])
        snprintf(out, size, "%s%s", tile, tile[0] ? ": " : "");
    else
        snprintf(out, size, "%s%stileset '%s': ", tile, tile[0] ? " of " : "", set->name);
}

static cairn_status tiled_wrong_value(crn_tiled *model, uint32_t line, crn_tiled_owner owner,
                                      const char *name, const char *value, const char *expected)
{
    char whose[120], shown[40];
    tiled_name_owner(model, owner, whose, sizeof whose);
    crn_tiled_printable(value, shown, sizeof shown);
    return crn_io_fail(model->error, CAIRN_BAD_DATA, line,
                       "%sthe property '%s' must be %s, not '%s'", whose, name, expected, shown);
}

static bool tiled_byte(const char *text, int16_t *out)
{
    uint32_t value;
    if (!crn_io_field_number((crn_io_field){text, strlen(text)}, 255, &value)) return false;
    *out = (int16_t)value;
    return true;
}

/* The named class, or a number; -1 = neither. */
static int16_t tiled_terrain(const char *text)
{
    int16_t class = -1;
    for (int16_t i = 0; i < CAIRN_TERRAIN_FREE; i++) {
        if (tiled_same_word(cairn_terrain_name((uint32_t)i), text)) return i;
    }
    tiled_byte(text, &class);
    return class;
}

cairn_status crn_tiled_property(crn_tiled *model, crn_tiled_owner owner, const char *name,
                                const char *value, crn_tiled_says *says)
{
    static const char *const names[] = {"walkable", "blocked", "solid", "collides",
                                        "terrain",  "cost",    NULL};
    static const char *const truths[] = {"false", "true", "0", "1", NULL};
    int which = tiled_find_word(names, name);
    if (which < 0) return CAIRN_OK;
    if (which == 5) {
        if (tiled_byte(value, &says->cost)) return CAIRN_OK;
        return tiled_wrong_value(model, owner.line, owner, "cost", value, "0 to 255");
    }
    if (which == 4) {
        int16_t class = tiled_terrain(value);
        if (class < 0)
            return tiled_wrong_value(model, owner.line, owner, "terrain", value,
                                     "ground, swamp, water, trees or 0 to 255");
        says->terrain = class;
        return CAIRN_OK;
    }
    int truth = tiled_find_word(truths, value);
    if (truth < 0)
        return tiled_wrong_value(model, owner.line, owner, names[which], value, "true or false");
    int16_t blocked = (int16_t)((truth & 1) ^ (which == 0));
    /* Of several words for it the one that blocks counts. */
    if (blocked > says->blocked) says->blocked = blocked;
    return CAIRN_OK;
}

/* ---- layers ---- */

cairn_status crn_tiled_add_layer(crn_tiled *model, uint32_t line, const crn_tiled_layer_head *head,
                                 uint32_t *index)
{
    const char *name = head->name;
    const int64_t width = head->width, height = head->height;
    static const char *const collision[] = {"collision", "collisions", "walls", "obstacles", NULL};
    const char *chosen = model->options->layer;
    crn_tiled_layer layer = {.says = CRN_TILED_SILENT,
                             .collision = tiled_find_word(collision, name) >= 0};
    *index = CRN_TILED_NO_LAYER;
    if (chosen ? strcmp(chosen, name) != 0 : !head->visible && !layer.collision) return CAIRN_OK;
    crn_tiled_printable(name, layer.name, sizeof layer.name);
    bool fits = model->infinite ||
                ((width < 0 || width == model->width) && (height < 0 || height == model->height));
    if (!fits)
        return crn_io_fail(model->error, CAIRN_BAD_DATA, line,
                           "the layer '%s' is %lld x %lld, but the map is %u x %u", layer.name,
                           (long long)width, (long long)height, model->width, model->height);
    *index = crn_tiled_layer_count(model);
    if (*index >= CRN_TILED_LAYERS_MAX)
        return crn_io_fail(model->error, CAIRN_BAD_DATA, line, "the map has more than %u layers",
                           CRN_TILED_LAYERS_MAX);
    crn_io_put(&model->layers, &layer, sizeof layer);
    return model->layers.failed ? crn_io_no_memory(model->error) : CAIRN_OK;
}

/* Before any of its tiles are unpacked. */
static cairn_status tiled_count_patch(crn_tiled *model, uint32_t line, const crn_tiled_patch *patch)
{
    model->tile_total += (uint64_t)patch->width * patch->height;
    if (model->tile_total > CRN_TILED_TILES_MAX)
        return crn_io_fail(model->error, CAIRN_BAD_DATA, line,
                           "the layers have more than %u tiles together", CRN_TILED_TILES_MAX);
    crn_io_claim claim = {model->tile_total, model->size, line};
    return crn_io_check_claim(model->context, claim, model->error);
}

cairn_status crn_tiled_whole(crn_tiled *model, uint32_t line, uint32_t layer, crn_tiled_patch *out)
{
    *out = (crn_tiled_patch){.layer = layer, .width = model->width, .height = model->height};
    if (model->infinite)
        return crn_io_fail(model->error, CAIRN_BAD_DATA, line,
                           "the map is infinite, but the tiles of layer '%s' are not in chunks",
                           crn_tiled_layer_at(model, layer)->name);
    return tiled_count_patch(model, line, out);
}

cairn_status crn_tiled_chunk(crn_tiled *model, uint32_t line, uint32_t layer,
                             const int64_t place[4], crn_tiled_patch *out)
{
    const char *name = crn_tiled_layer_at(model, layer)->name;
    *out = (crn_tiled_patch){.layer = layer};
    if (!model->infinite)
        return crn_io_fail(model->error, CAIRN_BAD_DATA, line,
                           "the layer '%s' has chunks, but the map is not infinite", name);
    for (int i = 0; i < 2; i++) {
        if (place[i] < -CRN_TILED_FAR_MAX || place[i] > CRN_TILED_FAR_MAX)
            return crn_io_fail(model->error, CAIRN_BAD_DATA, line,
                               "x and y of a chunk of layer '%s' must be given, -%d to %d", name,
                               CRN_TILED_FAR_MAX, CRN_TILED_FAR_MAX);
        if (place[2 + i] < 1 || place[2 + i] > CAIRN_GRID_MAX)
            return crn_io_fail(model->error, CAIRN_BAD_DATA, line,
                               "width and height of a chunk of layer '%s' must be given, 1 to %u",
                               name, CAIRN_GRID_MAX);
    }
    out->x = (int32_t)place[0];
    out->y = (int32_t)place[1];
    out->width = (uint32_t)place[2];
    out->height = (uint32_t)place[3];
    return tiled_count_patch(model, line, out);
}

static size_t tiled_patch_size(const crn_tiled_patch *patch)
{
    return (size_t)patch->width * patch->height * sizeof *patch->tiles;
}

cairn_status crn_tiled_add_patch(crn_tiled *model, crn_tiled_patch *patch)
{
    crn_io_put(&model->patches, patch, sizeof *patch);
    if (!model->patches.failed) return CAIRN_OK;
    crn_io_resize(model->context, patch->tiles, tiled_patch_size(patch), 0);
    return crn_io_no_memory(model->error);
}

cairn_status crn_tiled_wrong_count(crn_tiled *model, uint32_t line, const crn_tiled_patch *patch,
                                   uint64_t has)
{
    const char *name = crn_tiled_layer_at(model, patch->layer)->name;
    unsigned long long needed = (unsigned long long)patch->width * patch->height;
    if (model->infinite)
        return crn_io_fail(model->error, CAIRN_BAD_DATA, line,
                           "the chunk at (%d,%d) of layer '%s' has %llu tiles, %llu are needed",
                           (int)patch->x, (int)patch->y, name, (unsigned long long)has, needed);
    return crn_io_fail(model->error, CAIRN_BAD_DATA, line,
                       "the layer '%s' has %llu tiles, %llu are needed", name,
                       (unsigned long long)has, needed);
}

cairn_status crn_tiled_format(crn_tiled *model, uint32_t line, const char *encoding,
                              const char *compression, crn_tiled_writing *out)
{
    static const char *const encodings[] = {"csv", "base64", NULL};
    static const char *const packings[] = {"", "zlib", "gzip", "zstd", NULL};
    int e = tiled_find_word(encodings, encoding),
        p = tiled_find_word(packings, compression ? compression : "");
    char shown[32];
    crn_tiled_printable(e < 0 ? encoding : compression ? compression : "", shown, sizeof shown);
    if (e < 0)
        return crn_io_fail(model->error, CAIRN_BAD_DATA, line,
                           "the encoding '%s' is not known: csv and base64 are", shown);
    if (p < 0 || (p && e == 0))
        return crn_io_fail(model->error, CAIRN_BAD_DATA, line,
                           "the compression '%s' is not known: zlib, gzip and zstd are, of base64",
                           shown);
    out->encoding = e ? CRN_TILED_BASE64 : CRN_TILED_CSV;
    out->packing = p == 0 ? CRN_TILED_PLAIN : p == 3 ? CRN_TILED_ZSTD : CRN_TILED_ZLIB;
    return CAIRN_OK;
}

/* ---- tilesets with files of their own ---- */

static cairn_status tiled_read(crn_tiled *model, const char *data, size_t size, uint32_t set)
{
    static const char mark[] = "\xef\xbb\xbf", elements[] = CRN_TILED_ELEMENTS_MARK;
    const size_t length = sizeof elements - 1;
    if (size >= length && !memcmp(data, elements, length))
        return crn_tiled_read_elements(model, data + length, size - length, set);
    if (size >= 3 && !memcmp(data, mark, 3)) data += 3, size -= 3;
    bool json = size && data[0] == '{';
    return json ? crn_tiled_read_json(model, data, size, set)
                : crn_tiled_read_xml(model, data, size, set);
}

/* A complaint about a tileset's file names the file: the line, if any, is one of that file. */
static cairn_status tiled_blame_set(crn_tiled *model, const char *source,
                                    const cairn_error *subsearch)
{
    char name[80], place[24] = "";
    crn_tiled_printable(source, name, sizeof name);
    if (subsearch->line) snprintf(place, sizeof place, ", line %u", subsearch->line);
    return crn_io_fail(model->error, subsearch->status, 0, "the tileset '%s'%s: %.120s", name,
                       place,
                       subsearch->text[0] ? subsearch->text : cairn_status_text(subsearch->status));
}

static cairn_status tiled_read_set(crn_tiled *model, uint32_t set)
{
    char source[sizeof(crn_tiled_set){0}.source];
    memcpy(source, crn_tiled_set_at(model, set)->source, sizeof source);
    const cairn_tiled_options *options = model->options;
    cairn_error *outer = model->error, subsearch = {0};
    if (!options->read) {
        subsearch.status = CAIRN_UNSUPPORTED;
        snprintf(subsearch.text, sizeof subsearch.text,
                 "it has a file of its own: give options.read or options.skip_tilesets");
        return tiled_blame_set(model, source, &subsearch);
    }
    cairn_file file = {0};
    model->error = &subsearch;
    cairn_status status =
        options->read(options->read_user, model->context, source, &file, &subsearch);
    if (!status && file.size > CRN_TILED_SET_TEXT_MAX)
        status = crn_io_fail(&subsearch, CAIRN_BAD_DATA, 0, "it has more than 16 MiB");
    if (!status) status = tiled_read(model, file.data, file.size, set);
    cairn_file_free(model->context, &file);
    model->error = outer;
    subsearch.status = status;
    return status ? tiled_blame_set(model, source, &subsearch) : CAIRN_OK;
}

static cairn_status tiled_read_sets(crn_tiled *model)
{
    cairn_status status = CAIRN_OK;
    uint32_t count = model->options->skip_tilesets ? 0 : crn_tiled_set_count(model);
    for (uint32_t i = 0; i < count && !status; i++) {
        if (crn_tiled_set_at(model, i)->source[0]) status = tiled_read_set(model, i);
    }
    return status;
}

/* ---- the public functions ---- */

cairn_tiled_options cairn_tiled_defaults(void)
{
    return (cairn_tiled_options){.cell_size = 1};
}

cairn_cell cairn_tiled_cell(const cairn_tiled_place *place, int32_t x, int32_t y)
{
    int32_t column = x - place->left, row = y - place->top;
    return place->swapped ? (cairn_cell){row, column} : (cairn_cell){column, row};
}

static void tiled_clean_up(crn_tiled *model)
{
    for (uint32_t i = 0; i < crn_tiled_patch_count(model); i++) {
        crn_tiled_patch *patch = crn_tiled_patch_at(model, i);
        crn_io_resize(model->context, patch->tiles, tiled_patch_size(patch), 0);
    }
    crn_io_discard(&model->patches);
    crn_io_discard(&model->layers);
    crn_io_discard(&model->tiles);
    crn_io_discard(&model->sets);
}

static cairn_status tiled_check_options(const cairn_tiled_options *options, cairn_error *error)
{
    if ((unsigned)options->void_cells >= CAIRN_TILED_VOID_COUNT)
        return crn_io_fail(error, CAIRN_INVALID, 0,
                           "there is no such rule for cells without tiles");
    if ((options->blocked_count && !options->blocked_ids) ||
        (options->open_count && !options->open_ids))
        return crn_io_fail(error, CAIRN_INVALID, 0, "a list of tiles must be given with its count");
    return CAIRN_OK;
}

cairn_status cairn_tiled_parse(cairn_context *context, cairn_bytes bytes,
                               const cairn_tiled_options *options, cairn_grid **out,
                               cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = NULL;
    if (!context || (!bytes.data && bytes.size))
        return crn_io_fail(error, CAIRN_INVALID, 0, "context and data must be given");
    cairn_tiled_options defaults = cairn_tiled_defaults();
    crn_tiled model = {.context = context,
                       .options = options ? options : &defaults,
                       .error = error,
                       .size = bytes.size};
    cairn_status status = tiled_check_options(model.options, error);
    if (status) return status;
    if (bytes.size > CRN_TILED_TEXT_MAX)
        return crn_io_fail(error, CAIRN_BAD_DATA, 0, "the map has more than 512 MiB");
    model.sets.context = model.tiles.context = model.layers.context = model.patches.context =
        context;
    status = tiled_read(&model, bytes.data, bytes.size, CRN_TILED_NO_LAYER);
    if (!status) status = tiled_read_sets(&model);
    cairn_tiled_place at = {0};
    if (!status) status = crn_tiled_make_grid(&model, out, &at);
    if (model.options->place) *model.options->place = at;
    tiled_clean_up(&model);
    return status;
}

/* ---- files ---- */

/* Files beside the map: paths relative to its folder, also out of it by `..`, as tilesets are often
 * kept in a folder of their own. So a map may name any file that it knows the path to; that file is
 * read as a tileset, and nothing but a regular one is opened. */
static cairn_status tiled_read_beside(void *user, cairn_context *context, const char *name,
                                      cairn_file *out, cairn_error *error)
{
    const char *map = user;
    if (name[0] == '/' || name[0] == '\\' || strchr(name, ':'))
        return crn_io_fail(error, CAIRN_BAD_DATA, 0, "a path relative to the map is needed");
    size_t folder = 0;
    for (size_t i = 0; map[i]; i++) {
        if (map[i] == '/' || map[i] == '\\') folder = i + 1;
    }
    crn_io_buffer path = {.context = context};
    crn_io_put(&path, map, folder);
    crn_io_put(&path, name, strlen(name) + 1);
    cairn_status status =
        path.failed ? crn_io_no_memory(error)
                    : crn_io_read_regular(context, path.data, CRN_TILED_SET_TEXT_MAX, out, error);
    crn_io_discard(&path);
    return status;
}

cairn_tiled_options crn_tiled_beside(const cairn_tiled_options *options, const char *name)
{
    cairn_tiled_options all = options ? *options : cairn_tiled_defaults();
    if (!all.read) {
        all.read = tiled_read_beside;
        all.read_user = (void *)(uintptr_t)name;
    }
    return all;
}

cairn_status cairn_tiled_load(cairn_context *context, const char *name,
                              const cairn_tiled_options *options, cairn_grid **out,
                              cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = NULL;
    cairn_file file;
    cairn_status status = cairn_file_read(context, name, CRN_TILED_TEXT_MAX, &file, error);
    if (status) return status;
    cairn_tiled_options all = crn_tiled_beside(options, name);
    status = cairn_tiled_parse(context, (cairn_bytes){file.data, file.size}, &all, out, error);
    cairn_file_free(context, &file);
    return status;
}
