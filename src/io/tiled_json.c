/* tiled_json.c: Tiled maps and tilesets in JSON (`.tmj`, `.tsj`, `.json`), by jansson (only if
 * built with CAIRN_WITH_JANSSON), also as versions of Tiled before 1.2 wrote them.
 *
 * The text becomes jansson's tree, then the tree is walked; members that mean nothing here are
 * ignored. The tree has no lines, so errors in the content name the layer, tileset or tile instead;
 * only malformed JSON is reported with a line. jansson's allocator can only be set for the whole
 * process, so the tree is in memory of the C library: hence the lower limit for the text's size.
 */
#include "io/tiled.h"

#if defined(CAIRN_WITH_JANSSON)

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- members ---- */

static const char *json_member_text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* A value as the file has it, cut to what a message can hold. */
static void json_show(const json_t *value, char *out, size_t size)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
    crn_tiled_printable(text ? text : "?", out, size);
    free(text);
}

/* Where numbers are read from: the first that is none ends the reading. */
typedef struct json_source {
    crn_tiled *model;
    const json_t *object;
    const char *what; /* "the map" */
    cairn_status status;
} json_source;

/* A whole number, `missing` if there is none. */
static int64_t json_number(json_source *source, const char *name, int64_t missing)
{
    const json_t *value = json_object_get(source->object, name);
    if (json_is_integer(value)) return json_integer_value(value);
    if (value && !source->status) {
        char shown[40];
        json_show(value, shown, sizeof shown);
        source->status =
            crn_io_fail(source->model->error, CAIRN_BAD_DATA, 0,
                        "%s of %s must be a whole number, not %s", name, source->what, shown);
    }
    return missing;
}

static bool json_member_true(const json_t *object, const char *name, bool missing)
{
    const json_t *value = json_object_get(object, name);
    return json_is_boolean(value) ? json_is_true(value) : missing;
}

/* ---- properties ---- */

static cairn_status json_property(crn_tiled *model, crn_tiled_owner owner, const char *name,
                                  const json_t *value, crn_tiled_says *says)
{
    char number[40];
    const char *text = json_string_value(value);
    if (json_is_boolean(value)) text = json_is_true(value) ? "true" : "false";
    if (json_is_number(value)) {
        double real = json_number_value(value);
        bool whole = real >= 0 && real <= 255 && real == (double)(int)real;
        if (whole)
            snprintf(number, sizeof number, "%d", (int)real);
        else
            json_show(value, number, sizeof number);
        text = number;
    }
    return name && text ? crn_tiled_property(model, owner, name, text, says) : CAIRN_OK;
}

/* An array of {name, value}; before Tiled 1.2 an object of names and values. */
static cairn_status json_properties(crn_tiled *model, crn_tiled_owner owner, json_t *properties,
                                    crn_tiled_says *says)
{
    cairn_status status = CAIRN_OK;
    size_t index;
    const char *key;
    json_t *value;
    json_array_foreach(properties, index, value)
    {
        if (!status)
            status = json_property(model, owner, json_member_text(value, "name"),
                                   json_object_get(value, "value"), says);
    }
    json_object_foreach(properties, key, value)
    {
        if (!status) status = json_property(model, owner, key, value, says);
    }
    return status;
}

/* ---- tilesets ---- */

static int64_t json_key_number(const char *key)
{
    uint32_t number;
    return crn_io_field_number((crn_io_field){key, strlen(key)}, INT32_MAX, &number)
               ? (int64_t)number
               : -1;
}

static cairn_status json_tile(crn_tiled *model, uint32_t set, int64_t id, json_t *properties)
{
    crn_tiled_says says = CRN_TILED_SILENT;
    crn_tiled_owner owner = {CRN_TILED_OF_TILE, set, id, 0};
    cairn_status status = json_properties(model, owner, properties, &says);
    return status ? status : crn_tiled_add_tile(model, 0, set, id, says);
}

static cairn_status json_tileset(crn_tiled *model, json_t *tileset, uint32_t set)
{
    crn_tiled_says says = CRN_TILED_SILENT;
    crn_tiled_owner owner = {.kind = CRN_TILED_OF_SET, .number = set};
    cairn_status status =
        json_properties(model, owner, json_object_get(tileset, "properties"), &says);
    crn_tiled_set_at(model, set)->says = says;
    size_t index;
    const char *key;
    json_t *tile;
    json_array_foreach(json_object_get(tileset, "tiles"), index, tile)
    {
        if (status) break;
        json_source source = {.model = model, .object = tile, .what = "a tile"};
        int64_t id = json_number(&source, "id", -1);
        status = source.status ? source.status
                               : json_tile(model, set, id, json_object_get(tile, "properties"));
    }
    json_object_foreach(json_object_get(tileset, "tileproperties"), key, tile)
    {
        if (!status) status = json_tile(model, set, json_key_number(key), tile);
    }
    return status;
}

static cairn_status json_tilesets(crn_tiled *model, const json_t *map)
{
    cairn_status status = CAIRN_OK;
    size_t index;
    json_t *tileset;
    json_array_foreach(json_object_get(map, "tilesets"), index, tileset)
    {
        if (status) break;
        uint32_t set = crn_tiled_set_count(model);
        const char *name = json_member_text(tileset, "name"),
                   *file = json_member_text(tileset, "source");
        json_source source = {.model = model, .object = tileset, .what = "a tileset"};
        int64_t first = json_number(&source, "firstgid", 0);
        status = source.status ? source.status : crn_tiled_add_set(model, 0, first, name, file);
        if (!status && !file) status = json_tileset(model, tileset, set);
    }
    return status;
}

/* ---- layers ---- */

static cairn_status json_tile_array(crn_tiled *model, const json_t *array, crn_tiled_patch *patch)
{
    size_t needed = (size_t)patch->width * patch->height;
    if (json_array_size(array) != needed)
        return crn_tiled_wrong_count(model, 0, patch, json_array_size(array));
    patch->tiles = crn_io_resize(model->context, NULL, 0, needed * sizeof *patch->tiles);
    if (!patch->tiles) return crn_io_no_memory(model->error);
    for (size_t i = 0; i < needed; i++) {
        const json_t *value = json_array_get(array, i);
        json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
        if (number < 0 || number > UINT32_MAX) {
            crn_io_resize(model->context, patch->tiles, needed * sizeof *patch->tiles, 0);
            return crn_io_fail(model->error, CAIRN_BAD_DATA, 0,
                               "tile %llu of layer '%s' is no number of 0 to 4294967295",
                               (unsigned long long)i,
                               crn_tiled_layer_at(model, patch->layer)->name);
        }
        patch->tiles[i] = (uint32_t)number;
    }
    return CAIRN_OK;
}

/* The member "data" of `holder` (a layer or a chunk), written as the layer says. */
static cairn_status json_patch(crn_tiled *model, const json_t *layer, const json_t *holder,
                               crn_tiled_patch *patch)
{
    const json_t *data = json_object_get(holder, "data");
    cairn_status status;
    if (json_is_string(data)) {
        crn_tiled_writing writing = {CRN_TILED_BASE64, CRN_TILED_PLAIN};
        const char *word = json_member_text(layer, "encoding");
        status = crn_tiled_format(model, 0, word ? word : "",
                                  json_member_text(layer, "compression"), &writing);
        if (!status)
            status = crn_tiled_unpack(
                model, 0, (cairn_bytes){json_string_value(data), json_string_length(data)}, writing,
                patch);
    } else {
        status = json_tile_array(model, data, patch);
    }
    return status ? status : crn_tiled_add_patch(model, patch);
}

static cairn_status json_chunks(crn_tiled *model, const json_t *layer, uint32_t number)
{
    cairn_status status = CAIRN_OK;
    size_t index;
    json_t *chunk;
    json_array_foreach(json_object_get(layer, "chunks"), index, chunk)
    {
        if (status) break;
        const int64_t none = INT64_MAX;
        json_source source = {.model = model, .object = chunk, .what = "a chunk"};
        int64_t place[4] = {json_number(&source, "x", none), json_number(&source, "y", none),
                            json_number(&source, "width", none),
                            json_number(&source, "height", none)};
        crn_tiled_patch patch;
        status = source.status ? source.status : crn_tiled_chunk(model, 0, number, place, &patch);
        if (!status) status = json_patch(model, layer, chunk, &patch);
    }
    return status;
}

static cairn_status json_tile_layer(crn_tiled *model, const json_t *layer, bool hidden)
{
    const char *name = json_member_text(layer, "name");
    bool visible = json_member_true(layer, "visible", true) && !hidden;
    uint32_t number;
    json_source source = {.model = model, .object = layer, .what = "a layer"};
    crn_tiled_layer_head head = {.name = name ? name : "", .visible = visible};
    head.width = json_number(&source, "width", -1);
    head.height = json_number(&source, "height", -1);
    if (source.status) return source.status;
    cairn_status status = crn_tiled_add_layer(model, 0, &head, &number);
    if (status || number == CRN_TILED_NO_LAYER) return status;
    crn_tiled_says says = CRN_TILED_SILENT;
    crn_tiled_owner owner = {.kind = CRN_TILED_OF_LAYER, .number = number};
    status = json_properties(model, owner, json_object_get(layer, "properties"), &says);
    crn_tiled_layer_at(model, number)->says = says;
    if (status) return status;
    if (json_object_get(layer, "chunks")) return json_chunks(model, layer, number);
    crn_tiled_patch patch;
    status = crn_tiled_whole(model, 0, number, &patch);
    return status ? status : json_patch(model, layer, layer, &patch);
}

static cairn_status json_layers(crn_tiled *model, const json_t *holder, bool hidden, uint32_t depth)
{
    cairn_status status = CAIRN_OK;
    size_t index;
    json_t *layer;
    if (depth > CRN_TILED_DEPTH_MAX)
        return crn_io_fail(model->error, CAIRN_BAD_DATA, 0, "groups are nested too deeply");
    json_array_foreach(json_object_get(holder, "layers"), index, layer)
    {
        if (status) break;
        const char *type = json_member_text(layer, "type");
        if (type && !strcmp(type, "tilelayer")) status = json_tile_layer(model, layer, hidden);
        if (type && !strcmp(type, "group"))
            status = json_layers(model, layer, hidden || !json_member_true(layer, "visible", true),
                                 depth + 1);
    }
    return status;
}

/* ---- the document ---- */

static cairn_status json_map(crn_tiled *model, const json_t *map)
{
    if (!json_is_array(json_object_get(map, "layers")))
        return crn_io_fail(model->error, CAIRN_BAD_DATA, 0,
                           "this is no Tiled map: it has no \"layers\"");
    json_source source = {.model = model, .object = map, .what = "the map"};
    crn_tiled_head head = {.orientation = json_member_text(map, "orientation"),
                           .stagger_axis = json_member_text(map, "staggeraxis"),
                           .stagger_index = json_member_text(map, "staggerindex"),
                           .width = json_number(&source, "width", 0),
                           .height = json_number(&source, "height", 0),
                           .infinite = json_member_true(map, "infinite", false)};
    cairn_status status = source.status ? source.status : crn_tiled_begin(model, 0, &head);
    if (!status) status = json_tilesets(model, map);
    return status ? status : json_layers(model, map, false, 0);
}

cairn_status crn_tiled_read_json(crn_tiled *model, const char *data, size_t size, uint32_t set)
{
    if (size > CRN_TILED_JSON_MAX)
        return crn_io_fail(model->error, CAIRN_BAD_DATA, 0,
                           "maps in JSON may have at most 64 MiB; save it as .tmx");
    json_error_t fault;
    json_t *root = json_loadb(data, size, 0, &fault);
    if (!root && json_error_code(&fault) == json_error_out_of_memory)
        return crn_io_no_memory(model->error);
    if (!root)
        return crn_io_fail(model->error, CAIRN_BAD_DATA, fault.line > 0 ? (uint32_t)fault.line : 1,
                           "the JSON is damaged: %.120s", fault.text);
    cairn_status status =
        set == CRN_TILED_NO_LAYER ? json_map(model, root) : json_tileset(model, root, set);
    json_decref(root);
    return status;
}

#else

cairn_status crn_tiled_read_json(crn_tiled *model, const char *data, size_t size, uint32_t set)
{
    (void)data, (void)size, (void)set;
    return crn_io_fail(model->error, CAIRN_UNSUPPORTED, 0,
                       "this build of the library cannot read JSON: it was built without jansson");
}

#endif
