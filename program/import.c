/* import.c: reads pictures and Tiled maps as the flags of import.h say. */
#include "import.h"

#include "profile.h"
#include "text.h"

#include <string.h>

enum { IMPORT_MOST = 256 };

/* ---- pictures ---- */

static bool import_hex(const char *text, cairn_png_colour *out)
{
    uint32_t value = 0;
    for (int i = 0; i < 6; i++) {
        const char *digits = "0123456789abcdefABCDEF",
                   *at = text[i] ? strchr(digits, text[i]) : NULL;
        if (!at) return false;
        uint32_t digit = (uint32_t)(at - digits);
        value = value * 16 + (digit < 16 ? digit : digit - 6);
    }
    out->red = (uint8_t)(value >> 16);
    out->green = (uint8_t)(value >> 8);
    out->blue = (uint8_t)value;
    return true;
}

/* blocked, CLASS or CLASS/COST */
static bool import_meaning(const char *text, size_t length, cairn_png_colour *out)
{
    if (length == 7 && !memcmp(text, "blocked", 7)) return true;
    const char *slash = memchr(text, '/', length);
    size_t name = slash ? (size_t)(slash - text) : length;
    int64_t class = profile_terrain_class(text, name), cost = 0;
    if (class < 0) return false;
    if (slash && !text_integer(slash + 1, length - name - 1, 0, 255, &cost)) return false;
    out->open = true;
    out->terrain = (uint8_t) class;
    out->layer = (uint8_t)cost;
    return true;
}

typedef struct import_palette {
    cairn_png_colour colours[IMPORT_MOST], otherwise;
    uint32_t count;
    bool has_otherwise;
} import_palette;

static bool import_palette_item(const char *item, size_t length, import_palette *out)
{
    const char *equals = memchr(item, '=', length);
    cairn_png_colour colour = {0};
    if (!equals || !import_meaning(equals + 1, length - (size_t)(equals + 1 - item), &colour))
        return false;
    if (equals == item + 1 && *item == '*') {
        out->otherwise = colour;
        out->has_otherwise = true;
        return true;
    }
    if (equals != item + 6 || out->count == IMPORT_MOST || !import_hex(item, &colour)) return false;
    out->colours[out->count++] = colour;
    return true;
}

static int import_picture(const command *self, const import_options *options, world *w)
{
    import_palette palette = {.count = 0};
    cairn_png_options png = cairn_png_defaults();
    if (options->palette && (options->threshold || options->invert))
        return complain_usage(self,
                              "--threshold and --palette exclude each other: give one of them");
    if (options->tolerance && !options->palette)
        return complain_usage(self, "--tolerance needs --palette");
    png.mode = options->palette ? CAIRN_PNG_PALETTE : CAIRN_PNG_THRESHOLD;
    if (options->threshold) png.threshold = options->threshold;
    png.invert = options->invert;
    for (const char *item = options->palette; item && *item;) {
        size_t length = strcspn(item, ",");
        if (!import_palette_item(item, length, &palette))
            return complain_usage(
                self,
                "--palette: \"%.*s\" is not RRGGBB=blocked, RRGGBB=CLASS or RRGGBB=CLASS/COST",
                (int)length, item);
        item += length + (item[length] == ',');
    }
    png.colours = palette.colours;
    png.colour_count = palette.count;
    png.tolerance = options->tolerance;
    if (palette.has_otherwise) png.otherwise = &palette.otherwise;
    cairn_error error = {0};
    cairn_file file;
    cairn_status status = cairn_file_read(w->context, w->name, 0, &file, &error);
    if (!status) {
        status = cairn_png_parse(w->context, (cairn_bytes){file.data, file.size}, &png, &w->grid,
                                 &error);
        cairn_file_free(w->context, &file);
    }
    error.status = status;
    return status ? world_complain(w->name, &error) : END_OK;
}

/* ---- Tiled ---- */

typedef struct import_ids {
    uint32_t ids[IMPORT_MOST], count;
} import_ids;

static int import_id_list(const command *self, const char *flag, const char *list, import_ids *out)
{
    for (out->count = 0; list && *list;) {
        size_t length = strcspn(list, ",");
        int64_t id;
        if (out->count == IMPORT_MOST || !text_integer(list, length, 1, UINT32_MAX, &id))
            return complain_usage(
                self,
                "%s: \"%.*s\" is not the number of a tile (1, 2, …), or there are more than %d",
                flag, (int)length, list, IMPORT_MOST);
        out->ids[out->count++] = (uint32_t)id;
        list += length + (list[length] == ',');
    }
    return END_OK;
}

static int import_tiled(const command *self, const import_options *options, world *w)
{
    import_ids blocked, open;
    cairn_tiled_options tiled = cairn_tiled_defaults();
    int end = import_id_list(self, "--blocked", options->blocked, &blocked);
    if (!end) end = import_id_list(self, "--open", options->open, &open);
    if (end) return end;
    if (options->empty) {
        bool is_open = !strcmp(options->empty, "open");
        if (!is_open && strcmp(options->empty, "blocked"))
            return complain_usage(self, "--empty must be blocked or open, not \"%s\"",
                                  options->empty);
        tiled.void_cells = is_open ? CAIRN_TILED_VOID_OPEN : CAIRN_TILED_VOID_BLOCKED;
    }
    tiled.layer = options->layer;
    tiled.blocked_ids = blocked.ids;
    tiled.blocked_count = blocked.count;
    tiled.open_ids = open.ids;
    tiled.open_count = open.count;
    cairn_error error = {0};
    cairn_status status = cairn_tiled_load(w->context, w->name, &tiled, &w->grid, &error);
    error.status = status;
    return status ? world_complain(w->name, &error) : END_OK;
}

/* ---- any ---- */

static int import_layout(const command *self, const char *layout, world *w)
{
    bool hex = !strcmp(layout, "hex");
    if (!hex && strcmp(layout, "square"))
        return complain_usage(self, "--layout must be square or hex, not \"%s\"", layout);
    if (!w->grid) return complain_usage(self, "--layout: expected a grid, but this is a graph");
    if (!hex && cairn_grid_layout(w->grid) == CAIRN_LAYOUT_HEX)
        return complain_usage(self, "--layout square: %s says that its cells are hexagons",
                              w->name);
    cairn_grid_set_layout(w->grid, hex ? CAIRN_LAYOUT_HEX : CAIRN_LAYOUT_SQUARE);
    return END_OK;
}

int import_world(const command *self, const import_options *options, world *w,
                 cairn_context *context, const char *name)
{
    bool picture = options->threshold || options->invert || options->palette || options->tolerance;
    bool tiled = options->layer || options->blocked || options->open || options->empty;
    *w = (world){.context = context, .name = name};
    if (picture && tiled)
        return complain_usage(self,
                              "flags for pictures and flags for Tiled maps exclude each other");
    int end = picture ? import_picture(self, options, w)
              : tiled ? import_tiled(self, options, w)
                      : world_load(w, context, name);
    if (!end && options->layout) end = import_layout(self, options->layout, w);
    return end;
}
