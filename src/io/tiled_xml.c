/* tiled_xml.c: Tiled maps and tilesets in XML (`.tmx`, `.tsx`), by expat (only if built with CAIRN_WITH_EXPAT).
 *
 * Elements are told by their name and by what they stand in; a table says which mean something. All others, and
 * everything in them, are passed over, so that properties of objects, say, are not taken for those of a tile.
 *
 * The document type that old files name is never fetched; entities of one's own are refused, as no editor
 * writes them and they can make gigabytes of a line. expat's hooks for memory have no user pointer, so its memory
 * is the C library's: a copy of the text, which doubles as it grows, and some for each name that is new, so
 * up to twice the text's size for maps of the editor and 12 times for the worst; hence the text's limit.
 */
#include "io/tiled.h"

#if defined(CAIRN_WITH_EXPAT)

#include <expat.h>
#include <stdio.h>
#include <string.h>

typedef enum xml_kind {
    ELEMENT_ROOT, /* outside the first element */
    ELEMENT_MAP,
    ELEMENT_TILESET,
    ELEMENT_TILE,
    ELEMENT_GROUP,
    ELEMENT_LAYER,
    ELEMENT_DATA,
    ELEMENT_CHUNK,
    ELEMENT_GID, /* a <tile> of a layer */
    ELEMENT_PROPERTIES,
    ELEMENT_PROPERTY,
    ELEMENT_OTHER
} xml_kind;

static const struct {
    xml_kind parent;
    const char *name;
    xml_kind kind;
} xml_elements[] = {
    {ELEMENT_ROOT, "map", ELEMENT_MAP},
    {ELEMENT_ROOT, "tileset", ELEMENT_TILESET},
    {ELEMENT_MAP, "tileset", ELEMENT_TILESET},
    {ELEMENT_MAP, "layer", ELEMENT_LAYER},
    {ELEMENT_MAP, "group", ELEMENT_GROUP},
    {ELEMENT_GROUP, "layer", ELEMENT_LAYER},
    {ELEMENT_GROUP, "group", ELEMENT_GROUP},
    {ELEMENT_TILESET, "tile", ELEMENT_TILE},
    {ELEMENT_TILESET, "properties", ELEMENT_PROPERTIES},
    {ELEMENT_TILE, "properties", ELEMENT_PROPERTIES},
    {ELEMENT_LAYER, "properties", ELEMENT_PROPERTIES},
    {ELEMENT_PROPERTIES, "property", ELEMENT_PROPERTY},
    {ELEMENT_LAYER, "data", ELEMENT_DATA},
    {ELEMENT_DATA, "chunk", ELEMENT_CHUNK},
    {ELEMENT_DATA, "tile", ELEMENT_GID},
    {ELEMENT_CHUNK, "tile", ELEMENT_GID},
};

typedef struct xml_reader {
    crn_tiled *model;
    XML_Parser parser;
    cairn_status status;
    uint32_t depth;
    xml_kind kinds[CRN_TILED_DEPTH_MAX + 1]; /* kinds[0] is the root */
    bool hidden[CRN_TILED_DEPTH_MAX + 1];    /* a group that is, and what stands in it */
    uint32_t set;                            /* the tileset at hand */
    bool own_file;                           /* ... is the document */
    int64_t tile_id;
    crn_tiled_says tile_says;
    uint32_t layer; /* CRN_TILED_NO_LAYER = it does not count */
    bool layer_has_tiles;
    bool encoded; /* text, not elements */
    crn_tiled_encoding encoding;
    crn_tiled_packing packing;
    bool in_patch; /* tiles are collected */
    uint32_t patch_line;
    crn_tiled_patch patch;
    crn_io_buffer text; /* of the patch; or the numbers of its elements */
} xml_reader;

/* ---- small things ---- */

static uint32_t xml_line(const xml_reader *reader)
{
    return (uint32_t)XML_GetCurrentLineNumber(reader->parser);
}

static void xml_stop(xml_reader *reader, cairn_status status)
{
    if (!status || reader->status) return;
    reader->status = status;
    XML_StopParser(reader->parser, XML_FALSE);
}

static void xml_fail(xml_reader *reader, const char *text)
{
    xml_stop(reader, crn_io_fail(reader->model->error, CAIRN_BAD_DATA, xml_line(reader), "%s", text));
}

static const char *xml_attribute(const XML_Char **attributes, const char *name)
{
    for (; *attributes; attributes += 2) {
        if (!strcmp(attributes[0], name)) return attributes[1];
    }
    return NULL;
}

/* A whole number, `missing` if there is none; one that is not understood ends the reading. */
static int64_t xml_number(xml_reader *reader, const XML_Char **attributes, const char *name, int64_t missing)
{
    const char *text = xml_attribute(attributes, name);
    if (!text) return missing;
    bool negative = text[0] == '-';
    crn_io_field digits = {text + negative, strlen(text + negative)};
    uint32_t value = 0;
    if (!crn_io_field_number(digits, UINT32_MAX, &value)) {
        char message[100], shown[40];
        crn_tiled_printable(text, shown, sizeof shown);
        snprintf(message, sizeof message, "%.20s is no whole number that fits: '%s'", name, shown);
        xml_fail(reader, message);
    }
    return negative ? -(int64_t)value : (int64_t)value;
}

/* ---- elements that begin ---- */

static void xml_begin_map(xml_reader *reader, const XML_Char **attributes)
{
    if (reader->own_file) {
        xml_fail(reader, "this is a map, a tileset is expected");
        return;
    }
    crn_tiled_head head = {.orientation = xml_attribute(attributes, "orientation"),
                           .stagger_axis = xml_attribute(attributes, "staggeraxis"),
                           .stagger_index = xml_attribute(attributes, "staggerindex")};
    head.width = xml_number(reader, attributes, "width", 0);
    head.height = xml_number(reader, attributes, "height", 0);
    head.infinite = xml_number(reader, attributes, "infinite", 0) != 0;
    if (!reader->status) xml_stop(reader, crn_tiled_begin(reader->model, xml_line(reader), &head));
}

static void xml_begin_tileset(xml_reader *reader, const XML_Char **attributes)
{
    if (reader->own_file && reader->depth == 1) return; /* the map has named it */
    if (reader->depth == 1) {
        xml_fail(reader, "this is a tileset, a map is expected");
        return;
    }
    int64_t first = xml_number(reader, attributes, "firstgid", 0);
    const char *name = xml_attribute(attributes, "name"), *source = xml_attribute(attributes, "source");
    reader->set = crn_tiled_set_count(reader->model);
    if (!reader->status)
        xml_stop(reader, crn_tiled_add_set(reader->model, xml_line(reader), first, name, source));
}

static void xml_begin_tile(xml_reader *reader, const XML_Char **attributes)
{
    reader->tile_id = xml_number(reader, attributes, "id", -1);
    reader->tile_says = CRN_TILED_SILENT;
}

static void xml_begin_group(xml_reader *reader, const XML_Char **attributes)
{
    if (xml_number(reader, attributes, "visible", 1) == 0) reader->hidden[reader->depth] = true;
}

static void xml_begin_layer(xml_reader *reader, const XML_Char **attributes)
{
    const char *name = xml_attribute(attributes, "name");
    bool visible = xml_number(reader, attributes, "visible", 1) != 0 && !reader->hidden[reader->depth];
    int64_t width = xml_number(reader, attributes, "width", -1),
            height = xml_number(reader, attributes, "height", -1);
    reader->layer_has_tiles = false;
    if (!reader->status)
        xml_stop(reader, crn_tiled_add_layer(reader->model, xml_line(reader), name ? name : "", visible,
                                             width, height, &reader->layer));
}

static void xml_begin_patch(xml_reader *reader, cairn_status status)
{
    xml_stop(reader, status);
    reader->in_patch = !reader->status;
    reader->patch_line = xml_line(reader);
    reader->text.size = 0;
}

static void xml_begin_data(xml_reader *reader, const XML_Char **attributes)
{
    if (reader->layer == CRN_TILED_NO_LAYER) return;
    crn_tiled *model = reader->model;
    if (reader->layer_has_tiles) {
        xml_fail(reader, "the layer has tiles twice");
        return;
    }
    reader->layer_has_tiles = true;
    const char *encoding = xml_attribute(attributes, "encoding");
    reader->encoded = encoding != NULL;
    if (encoding)
        xml_stop(reader,
                 crn_tiled_format(model, xml_line(reader), encoding, xml_attribute(attributes, "compression"),
                                  &reader->encoding, &reader->packing));
    if (!model->infinite && !reader->status)
        xml_begin_patch(reader, crn_tiled_whole(model, xml_line(reader), reader->layer, &reader->patch));
}

static void xml_begin_chunk(xml_reader *reader, const XML_Char **attributes)
{
    if (reader->layer == CRN_TILED_NO_LAYER) return;
    const int64_t none = INT64_MAX;
    int64_t place[4] = {xml_number(reader, attributes, "x", none), xml_number(reader, attributes, "y", none),
                        xml_number(reader, attributes, "width", none),
                        xml_number(reader, attributes, "height", none)};
    if (!reader->status)
        xml_begin_patch(
            reader, crn_tiled_chunk(reader->model, xml_line(reader), reader->layer, place, &reader->patch));
}

static void xml_begin_gid(xml_reader *reader, const XML_Char **attributes)
{
    if (!reader->in_patch) return;
    if (reader->encoded) {
        xml_fail(reader, "tiles are elements or text, not both");
        return;
    }
    int64_t number = xml_number(reader, attributes, "gid", 0);
    if (number < 0) xml_fail(reader, "gid of a tile must not be negative");
    uint32_t gid = (uint32_t)number;
    crn_io_put(&reader->text, &gid, sizeof gid);
}

static void xml_begin_property(xml_reader *reader, const XML_Char **attributes)
{
    const char *name = xml_attribute(attributes, "name"), *value = xml_attribute(attributes, "value");
    if (!name || !value) return; /* of several lines, or with parts: none of ours */
    crn_tiled *model = reader->model;
    crn_tiled_owner owner = {CRN_TILED_OF_SET, reader->set, reader->tile_id};
    crn_tiled_says *says;
    switch (reader->kinds[reader->depth - 2]) {
    case ELEMENT_TILE:
        owner.kind = CRN_TILED_OF_TILE;
        says = &reader->tile_says;
        break;
    case ELEMENT_LAYER:
        if (reader->layer == CRN_TILED_NO_LAYER) return;
        owner = (crn_tiled_owner){.kind = CRN_TILED_OF_LAYER, .number = reader->layer};
        says = &crn_tiled_layer_at(model, reader->layer)->says;
        break;
    default: says = &crn_tiled_set_at(model, reader->set)->says;
    }
    xml_stop(reader, crn_tiled_property(model, xml_line(reader), owner, name, value, says));
}

static void XMLCALL xml_begin(void *user, const XML_Char *name, const XML_Char **attributes)
{
    xml_reader *reader = user;
    if (reader->status) return;
    if (reader->depth == CRN_TILED_DEPTH_MAX) {
        xml_fail(reader, "elements are nested too deeply");
        return;
    }
    xml_kind parent = reader->kinds[reader->depth], kind = ELEMENT_OTHER;
    for (size_t i = 0; i < sizeof xml_elements / sizeof *xml_elements; i++) {
        if (xml_elements[i].parent == parent && !strcmp(xml_elements[i].name, name))
            kind = xml_elements[i].kind;
    }
    bool hidden = reader->hidden[reader->depth++];
    reader->kinds[reader->depth] = kind;
    reader->hidden[reader->depth] = hidden;
    switch (kind) {
    case ELEMENT_MAP: xml_begin_map(reader, attributes); break;
    case ELEMENT_TILESET: xml_begin_tileset(reader, attributes); break;
    case ELEMENT_TILE: xml_begin_tile(reader, attributes); break;
    case ELEMENT_GROUP: xml_begin_group(reader, attributes); break;
    case ELEMENT_LAYER: xml_begin_layer(reader, attributes); break;
    case ELEMENT_DATA: xml_begin_data(reader, attributes); break;
    case ELEMENT_CHUNK: xml_begin_chunk(reader, attributes); break;
    case ELEMENT_GID: xml_begin_gid(reader, attributes); break;
    case ELEMENT_PROPERTY: xml_begin_property(reader, attributes); break;
    case ELEMENT_OTHER:
        if (reader->depth == 1) xml_fail(reader, "this is no Tiled map: the first element must be <map>");
        break;
    default: break;
    }
}

/* ---- elements that end, and text ---- */

static cairn_status xml_unpack_patch(xml_reader *reader)
{
    crn_tiled *model = reader->model;
    crn_io_buffer *text = &reader->text;
    if (reader->encoded)
        return crn_tiled_unpack(model, reader->patch_line, text->size ? text->data : "", text->size,
                                reader->encoding, reader->packing, &reader->patch);
    size_t needed = (size_t)reader->patch.width * reader->patch.height * sizeof(uint32_t);
    if (text->size != needed)
        return crn_tiled_wrong_count(model, reader->patch_line, &reader->patch,
                                     text->size / sizeof(uint32_t));
    reader->patch.tiles = crn_io_resize(model->context, NULL, 0, needed);
    if (!reader->patch.tiles) return crn_io_no_memory(model->error);
    memcpy(reader->patch.tiles, text->data, needed);
    return CAIRN_OK;
}

static void xml_end_patch(xml_reader *reader)
{
    if (!reader->in_patch) return;
    reader->in_patch = false;
    cairn_status status =
        reader->text.failed ? crn_io_no_memory(reader->model->error) : xml_unpack_patch(reader);
    if (!status) status = crn_tiled_add_patch(reader->model, &reader->patch);
    xml_stop(reader, status);
}

static void xml_end_layer(xml_reader *reader)
{
    if (reader->layer == CRN_TILED_NO_LAYER || reader->layer_has_tiles || reader->model->infinite) return;
    crn_tiled_patch nothing = {
        .layer = reader->layer, .width = reader->model->width, .height = reader->model->height};
    xml_stop(reader, crn_tiled_wrong_count(reader->model, xml_line(reader), &nothing, 0));
}

static void XMLCALL xml_end(void *user, const XML_Char *name)
{
    (void)name;
    xml_reader *reader = user;
    if (reader->status) return;
    switch (reader->kinds[reader->depth--]) {
    case ELEMENT_TILE:
        xml_stop(reader, crn_tiled_add_tile(reader->model, xml_line(reader), reader->set, reader->tile_id,
                                            reader->tile_says));
        break;
    case ELEMENT_DATA:
    case ELEMENT_CHUNK: xml_end_patch(reader); break;
    case ELEMENT_LAYER: xml_end_layer(reader); break;
    default: break;
    }
}

static void XMLCALL xml_text(void *user, const XML_Char *text, int length)
{
    xml_reader *reader = user;
    if (reader->status || !reader->in_patch || !reader->encoded) return;
    xml_kind kind = reader->kinds[reader->depth];
    if (kind == ELEMENT_DATA || kind == ELEMENT_CHUNK) crn_io_put(&reader->text, text, (size_t)length);
}

static void XMLCALL xml_entity(void *user, const XML_Char *name, int is_parameter, const XML_Char *value,
                               int value_length, const XML_Char *base, const XML_Char *system_id,
                               const XML_Char *public_id, const XML_Char *notation)
{
    (void)name, (void)is_parameter, (void)value, (void)value_length, (void)base, (void)system_id,
        (void)public_id;
    (void)notation;
    xml_fail(user, "entities of the document's own are not accepted");
}

/* ---- the document ---- */

static cairn_status xml_outcome(xml_reader *reader, enum XML_Status parsed)
{
    cairn_error *error = reader->model->error;
    if (reader->status) return reader->status;
    enum XML_Error code = XML_GetErrorCode(reader->parser);
    if (parsed != XML_STATUS_OK && code == XML_ERROR_NO_MEMORY) return crn_io_no_memory(error);
    if (parsed != XML_STATUS_OK)
        return crn_io_fail(error, CAIRN_BAD_DATA, xml_line(reader), "the XML is damaged: %.100s",
                           XML_ErrorString(code));
    return CAIRN_OK;
}

static cairn_status xml_run(xml_reader *reader, const char *data, size_t size)
{
    reader->parser = XML_ParserCreate(NULL);
    if (!reader->parser) return crn_io_no_memory(reader->model->error);
    XML_SetUserData(reader->parser, reader);
    XML_SetElementHandler(reader->parser, xml_begin, xml_end);
    XML_SetCharacterDataHandler(reader->parser, xml_text);
    XML_SetEntityDeclHandler(reader->parser, xml_entity);
    /* In one piece (it fits: CRN_TILED_TEXT_MAX): so nothing is scanned twice, however long a token is. */
    enum XML_Status parsed = XML_Parse(reader->parser, data, (int)size, 1);
    cairn_status status = xml_outcome(reader, parsed);
    XML_ParserFree(reader->parser);
    return status;
}

cairn_status crn_tiled_read_xml(crn_tiled *model, const char *data, size_t size, uint32_t set)
{
    xml_reader *reader = crn_io_zeros(model->context, sizeof *reader);
    if (!reader) return crn_io_no_memory(model->error);
    reader->model = model;
    reader->text.context = model->context;
    reader->kinds[0] = ELEMENT_ROOT;
    reader->own_file = set != CRN_TILED_NO_LAYER;
    reader->set = set;
    cairn_status status = xml_run(reader, data, size);
    crn_io_discard(&reader->text);
    crn_io_resize(model->context, reader, sizeof *reader, 0);
    return status;
}

#else

cairn_status crn_tiled_read_xml(crn_tiled *model, const char *data, size_t size, uint32_t set)
{
    (void)data, (void)size, (void)set;
    return crn_io_fail(model->error, CAIRN_UNSUPPORTED, 0,
                       "this build of the library cannot read XML: it was built without expat");
}

#endif
