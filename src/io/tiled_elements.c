/* tiled_elements.c: Tiled maps and tilesets as elements with attributes, as the XML of `.tmx` and
 * `.tsx` has them.
 *
 * Elements are recognised by their name and by their parent; a table lists those that have a
 * meaning here. All others, and everything in them, are ignored, so that properties of objects, for
 * example, are not taken for those of a tile.
 *
 * A caller that has parsed a document already (as a browser does) passes its elements one by one,
 * as bytes: "\1CRNTILED", then for each element '<', its name, its attributes as names and values,
 * all ended by zero bytes, and one zero byte more; pieces of text as 't', their length as four
 * bytes, low byte first, and the bytes; and '>' where the element ends.
 */
#include "io/tiled_elements.h"

#include <stdio.h>
#include <string.h>

static const struct {
    crn_tiled_element parent;
    const char *name;
    crn_tiled_element kind;
} element_table[] = {
    {CRN_TILED_ELEMENT_ROOT, "map", CRN_TILED_ELEMENT_MAP},
    {CRN_TILED_ELEMENT_ROOT, "tileset", CRN_TILED_ELEMENT_TILESET},
    {CRN_TILED_ELEMENT_MAP, "tileset", CRN_TILED_ELEMENT_TILESET},
    {CRN_TILED_ELEMENT_MAP, "layer", CRN_TILED_ELEMENT_LAYER},
    {CRN_TILED_ELEMENT_MAP, "group", CRN_TILED_ELEMENT_GROUP},
    {CRN_TILED_ELEMENT_GROUP, "layer", CRN_TILED_ELEMENT_LAYER},
    {CRN_TILED_ELEMENT_GROUP, "group", CRN_TILED_ELEMENT_GROUP},
    {CRN_TILED_ELEMENT_TILESET, "tile", CRN_TILED_ELEMENT_TILE},
    {CRN_TILED_ELEMENT_TILESET, "properties", CRN_TILED_ELEMENT_PROPERTIES},
    {CRN_TILED_ELEMENT_TILE, "properties", CRN_TILED_ELEMENT_PROPERTIES},
    {CRN_TILED_ELEMENT_LAYER, "properties", CRN_TILED_ELEMENT_PROPERTIES},
    {CRN_TILED_ELEMENT_PROPERTIES, "property", CRN_TILED_ELEMENT_PROPERTY},
    {CRN_TILED_ELEMENT_LAYER, "data", CRN_TILED_ELEMENT_DATA},
    {CRN_TILED_ELEMENT_DATA, "chunk", CRN_TILED_ELEMENT_CHUNK},
    {CRN_TILED_ELEMENT_DATA, "tile", CRN_TILED_ELEMENT_GID},
    {CRN_TILED_ELEMENT_CHUNK, "tile", CRN_TILED_ELEMENT_GID},
};

/* ---- small things ---- */

static void element_stop(crn_tiled_elements *reader, cairn_status status)
{
    if (!reader->status) reader->status = status;
}

static void element_fail(crn_tiled_elements *reader, const char *text)
{
    element_stop(reader,
                 crn_io_fail(reader->model->error, CAIRN_BAD_DATA, reader->line, "%s", text));
}

static const char *element_attribute(const char *const *attributes, const char *name)
{
    for (; *attributes; attributes += 2) {
        if (!strcmp(attributes[0], name)) return attributes[1];
    }
    return NULL;
}

/* A whole number, `missing` if there is none; one that is not understood ends the reading. */
static int64_t element_number(crn_tiled_elements *reader, const char *const *attributes,
                              const char *name, int64_t missing)
{
    const char *text = element_attribute(attributes, name);
    if (!text) return missing;
    bool negative = text[0] == '-';
    crn_io_field digits = {text + negative, strlen(text + negative)};
    uint32_t value = 0;
    if (!crn_io_field_number(digits, UINT32_MAX, &value)) {
        char message[100], shown[40];
        crn_tiled_printable(text, shown, sizeof shown);
        snprintf(message, sizeof message, "%.20s is no whole number that fits: '%s'", name, shown);
        element_fail(reader, message);
    }
    return negative ? -(int64_t)value : (int64_t)value;
}

/* ---- elements that begin ---- */

static void element_begin_map(crn_tiled_elements *reader, const char *const *attributes)
{
    if (reader->own_file) {
        element_fail(reader, "this is a map, a tileset is expected");
        return;
    }
    crn_tiled_head head = {.orientation = element_attribute(attributes, "orientation"),
                           .stagger_axis = element_attribute(attributes, "staggeraxis"),
                           .stagger_index = element_attribute(attributes, "staggerindex")};
    head.width = element_number(reader, attributes, "width", 0);
    head.height = element_number(reader, attributes, "height", 0);
    head.infinite = element_number(reader, attributes, "infinite", 0) != 0;
    if (!reader->status) element_stop(reader, crn_tiled_begin(reader->model, reader->line, &head));
}

static void element_begin_tileset(crn_tiled_elements *reader, const char *const *attributes)
{
    if (reader->own_file && reader->depth == 1) return; /* the map has named it */
    if (reader->depth == 1) {
        element_fail(reader, "this is a tileset, a map is expected");
        return;
    }
    int64_t first = element_number(reader, attributes, "firstgid", 0);
    const char *name = element_attribute(attributes, "name"),
               *source = element_attribute(attributes, "source");
    reader->set = crn_tiled_set_count(reader->model);
    if (!reader->status)
        element_stop(reader, crn_tiled_add_set(reader->model, reader->line, first, name, source));
}

static void element_begin_tile(crn_tiled_elements *reader, const char *const *attributes)
{
    reader->tile_id = element_number(reader, attributes, "id", -1);
    reader->tile_says = CRN_TILED_SILENT;
}

static void element_begin_group(crn_tiled_elements *reader, const char *const *attributes)
{
    if (element_number(reader, attributes, "visible", 1) == 0) reader->hidden[reader->depth] = true;
}

static void element_begin_layer(crn_tiled_elements *reader, const char *const *attributes)
{
    const char *name = element_attribute(attributes, "name");
    bool visible =
        element_number(reader, attributes, "visible", 1) != 0 && !reader->hidden[reader->depth];
    crn_tiled_layer_head head = {.name = name ? name : "", .visible = visible};
    head.width = element_number(reader, attributes, "width", -1);
    head.height = element_number(reader, attributes, "height", -1);
    reader->layer_has_tiles = false;
    if (!reader->status)
        element_stop(reader,
                     crn_tiled_add_layer(reader->model, reader->line, &head, &reader->layer));
}

static void element_begin_patch(crn_tiled_elements *reader, cairn_status status)
{
    element_stop(reader, status);
    reader->in_patch = !reader->status;
    reader->patch_line = reader->line;
    reader->text.size = 0;
}

static void element_begin_data(crn_tiled_elements *reader, const char *const *attributes)
{
    if (reader->layer == CRN_TILED_NO_LAYER) return;
    crn_tiled *model = reader->model;
    if (reader->layer_has_tiles) {
        element_fail(reader, "the layer has tiles twice");
        return;
    }
    reader->layer_has_tiles = true;
    const char *encoding = element_attribute(attributes, "encoding");
    reader->encoded = encoding != NULL;
    if (encoding)
        element_stop(reader, crn_tiled_format(model, reader->line, encoding,
                                              element_attribute(attributes, "compression"),
                                              &reader->writing));
    if (!model->infinite && !reader->status)
        element_begin_patch(reader,
                            crn_tiled_whole(model, reader->line, reader->layer, &reader->patch));
}

static void element_begin_chunk(crn_tiled_elements *reader, const char *const *attributes)
{
    if (reader->layer == CRN_TILED_NO_LAYER) return;
    const int64_t none = INT64_MAX;
    int64_t place[4] = {element_number(reader, attributes, "x", none),
                        element_number(reader, attributes, "y", none),
                        element_number(reader, attributes, "width", none),
                        element_number(reader, attributes, "height", none)};
    if (!reader->status)
        element_begin_patch(reader, crn_tiled_chunk(reader->model, reader->line, reader->layer,
                                                    place, &reader->patch));
}

static void element_begin_gid(crn_tiled_elements *reader, const char *const *attributes)
{
    if (!reader->in_patch) return;
    if (reader->encoded) {
        element_fail(reader, "tiles are elements or text, not both");
        return;
    }
    int64_t number = element_number(reader, attributes, "gid", 0);
    if (number < 0) element_fail(reader, "gid of a tile must not be negative");
    uint32_t gid = (uint32_t)number;
    crn_io_put(&reader->text, &gid, sizeof gid);
}

static void element_begin_property(crn_tiled_elements *reader, const char *const *attributes)
{
    const char *name = element_attribute(attributes, "name"),
               *value = element_attribute(attributes, "value");
    if (!name || !value) return; /* of several lines, or with parts: none of ours */
    crn_tiled *model = reader->model;
    crn_tiled_owner owner = {CRN_TILED_OF_SET, reader->set, reader->tile_id, reader->line};
    crn_tiled_says *says;
    switch (reader->kinds[reader->depth - 2]) {
    case CRN_TILED_ELEMENT_TILE:
        owner.kind = CRN_TILED_OF_TILE;
        says = &reader->tile_says;
        break;
    case CRN_TILED_ELEMENT_LAYER:
        if (reader->layer == CRN_TILED_NO_LAYER) return;
        owner = (crn_tiled_owner){
            .kind = CRN_TILED_OF_LAYER, .number = reader->layer, .line = reader->line};
        says = &crn_tiled_layer_at(model, reader->layer)->says;
        break;
    default: says = &crn_tiled_set_at(model, reader->set)->says;
    }
    element_stop(reader, crn_tiled_property(model, owner, name, value, says));
}

void crn_tiled_element_begin(crn_tiled_elements *reader, const char *name,
                             const char *const *attributes)
{
    if (reader->status) return;
    if (reader->depth == CRN_TILED_DEPTH_MAX) {
        element_fail(reader, "elements are nested too deeply");
        return;
    }
    crn_tiled_element parent = reader->kinds[reader->depth], kind = CRN_TILED_ELEMENT_OTHER;
    for (size_t i = 0; i < sizeof element_table / sizeof *element_table; i++) {
        if (element_table[i].parent == parent && !strcmp(element_table[i].name, name))
            kind = element_table[i].kind;
    }
    bool hidden = reader->hidden[reader->depth++];
    reader->kinds[reader->depth] = kind;
    reader->hidden[reader->depth] = hidden;
    switch (kind) {
    case CRN_TILED_ELEMENT_MAP: element_begin_map(reader, attributes); break;
    case CRN_TILED_ELEMENT_TILESET: element_begin_tileset(reader, attributes); break;
    case CRN_TILED_ELEMENT_TILE: element_begin_tile(reader, attributes); break;
    case CRN_TILED_ELEMENT_GROUP: element_begin_group(reader, attributes); break;
    case CRN_TILED_ELEMENT_LAYER: element_begin_layer(reader, attributes); break;
    case CRN_TILED_ELEMENT_DATA: element_begin_data(reader, attributes); break;
    case CRN_TILED_ELEMENT_CHUNK: element_begin_chunk(reader, attributes); break;
    case CRN_TILED_ELEMENT_GID: element_begin_gid(reader, attributes); break;
    case CRN_TILED_ELEMENT_PROPERTY: element_begin_property(reader, attributes); break;
    case CRN_TILED_ELEMENT_OTHER:
        if (reader->depth == 1)
            element_fail(reader, "this is no Tiled map: the first element must be <map>");
        break;
    default: break;
    }
}

/* ---- elements that end, and text ---- */

static cairn_status element_unpack_patch(crn_tiled_elements *reader)
{
    crn_tiled *model = reader->model;
    crn_io_buffer *text = &reader->text;
    if (reader->encoded)
        return crn_tiled_unpack(model, reader->patch_line,
                                (cairn_bytes){text->size ? text->data : "", text->size},
                                reader->writing, &reader->patch);
    size_t needed = (size_t)reader->patch.width * reader->patch.height * sizeof(uint32_t);
    if (text->size != needed)
        return crn_tiled_wrong_count(model, reader->patch_line, &reader->patch,
                                     text->size / sizeof(uint32_t));
    reader->patch.tiles = crn_io_resize(model->context, NULL, 0, needed);
    if (!reader->patch.tiles) return crn_io_no_memory(model->error);
    memcpy(reader->patch.tiles, text->data, needed);
    return CAIRN_OK;
}

static void element_end_patch(crn_tiled_elements *reader)
{
    if (!reader->in_patch) return;
    reader->in_patch = false;
    cairn_status status =
        reader->text.failed ? crn_io_no_memory(reader->model->error) : element_unpack_patch(reader);
    if (!status) status = crn_tiled_add_patch(reader->model, &reader->patch);
    element_stop(reader, status);
}

static void element_end_layer(crn_tiled_elements *reader)
{
    if (reader->layer == CRN_TILED_NO_LAYER || reader->layer_has_tiles || reader->model->infinite)
        return;
    crn_tiled_patch nothing = {
        .layer = reader->layer, .width = reader->model->width, .height = reader->model->height};
    element_stop(reader, crn_tiled_wrong_count(reader->model, reader->line, &nothing, 0));
}

void crn_tiled_element_end(crn_tiled_elements *reader)
{
    if (reader->status) return;
    switch (reader->kinds[reader->depth--]) {
    case CRN_TILED_ELEMENT_TILE:
        element_stop(reader, crn_tiled_add_tile(reader->model, reader->line, reader->set,
                                                reader->tile_id, reader->tile_says));
        break;
    case CRN_TILED_ELEMENT_DATA:
    case CRN_TILED_ELEMENT_CHUNK: element_end_patch(reader); break;
    case CRN_TILED_ELEMENT_LAYER: element_end_layer(reader); break;
    default: break;
    }
}

void crn_tiled_element_text(crn_tiled_elements *reader, const char *text, size_t length)
{
    if (reader->status || !reader->in_patch || !reader->encoded) return;
    crn_tiled_element kind = reader->kinds[reader->depth];
    if (kind == CRN_TILED_ELEMENT_DATA || kind == CRN_TILED_ELEMENT_CHUNK)
        crn_io_put(&reader->text, text, length);
}

/* ---- a document ---- */

crn_tiled_elements *crn_tiled_elements_create(crn_tiled *model, uint32_t set)
{
    crn_tiled_elements *reader = crn_io_zeros(model->context, sizeof *reader);
    if (!reader) {
        crn_io_no_memory(model->error);
        return NULL;
    }
    reader->model = model;
    reader->text.context = model->context;
    reader->kinds[0] = CRN_TILED_ELEMENT_ROOT;
    reader->own_file = set != CRN_TILED_NO_LAYER;
    reader->set = set;
    return reader;
}

void crn_tiled_elements_destroy(crn_tiled_elements *reader)
{
    crn_io_discard(&reader->text);
    crn_io_resize(reader->model->context, reader, sizeof *reader, 0);
}

/* ---- elements as bytes ---- */

typedef struct element_bytes {
    const char *at, *end;
} element_bytes;

/* The next text that ends with a zero byte; NULL = there is none. */
static const char *element_word(element_bytes *bytes)
{
    const char *word = bytes->at, *zero = memchr(word, 0, (size_t)(bytes->end - word));
    if (zero) bytes->at = zero + 1;
    return zero ? word : NULL;
}

/* Name and attributes; more of these than fit are damage. */
static bool element_read_begin(element_bytes *bytes, crn_tiled_elements *reader)
{
    const char *words[2 * CRN_TILED_ATTRIBUTES_MAX + 1], *name = element_word(bytes), *word = NULL;
    uint32_t count = 0;
    while (name && (word = element_word(bytes)) && *word && count < 2 * CRN_TILED_ATTRIBUTES_MAX) {
        words[count++] = word;
        words[count] = element_word(bytes);
        if (!words[count++]) return false;
    }
    bool ok = name && word && !*word;
    words[count] = NULL;
    if (ok) crn_tiled_element_begin(reader, name, words);
    return ok;
}

static bool element_read_text(element_bytes *bytes, crn_tiled_elements *reader)
{
    if (bytes->end - bytes->at < 4) return false;
    uint32_t length = 0;
    for (uint32_t i = 0; i < 4; i++) length |= (uint32_t)(uint8_t)*bytes->at++ << 8 * i;
    if (length > (size_t)(bytes->end - bytes->at)) return false;
    crn_tiled_element_text(reader, bytes->at, length);
    bytes->at += length;
    return true;
}

/* One element stands outside all others, and every one ends. */
static cairn_status element_run(crn_tiled_elements *reader, element_bytes bytes)
{
    uint32_t depth = 0, roots = 0;
    bool ok = bytes.at < bytes.end;
    while (ok && bytes.at < bytes.end && !reader->status) {
        switch (*bytes.at++) {
        case '<':
            roots += !depth++;
            ok = roots == 1 && element_read_begin(&bytes, reader);
            break;
        case 't': ok = element_read_text(&bytes, reader); break;
        case '>':
            ok = depth > 0;
            if (ok && depth--) crn_tiled_element_end(reader);
            break;
        default: ok = false;
        }
    }
    if (reader->status) return reader->status;
    if (ok && !depth && roots) return CAIRN_OK;
    return crn_io_fail(reader->model->error, CAIRN_BAD_DATA, 0,
                       "the elements of the map are damaged");
}

cairn_status crn_tiled_read_elements(crn_tiled *model, const char *data, size_t size, uint32_t set)
{
    crn_tiled_elements *reader = crn_tiled_elements_create(model, set);
    if (!reader) return CAIRN_OUT_OF_MEMORY;
    cairn_status status = element_run(reader, (element_bytes){data, data + size});
    crn_tiled_elements_destroy(reader);
    return status;
}
