/* grid_png.c: a grid as a PNG of one pixel a cell, by libpng (only if built with CAIRN_WITH_PNG).
 *
 * Each look (blocked, or open with one of 256 classes) has a colour of its own, the same in every
 * file. The palette holds those that occur; a text in the file says that these are Cairn's colours,
 * so that the reader needs no options to get the same cells back.
 */
#include "io/grid_png.h"
#include "io/png_support.h"

/* Classes without a name: red counts them, green and blue spread them so that neighbours differ to
 * the eye. */
cairn_png_colour cairn_png_default(bool open, uint8_t terrain)
{
    static const cairn_png_colour named[CAIRN_TERRAIN_FREE] = {
        [CAIRN_TERRAIN_GROUND] = {255, 255, 255, true, CAIRN_TERRAIN_GROUND, 0},
        [CAIRN_TERRAIN_SWAMP] = {150, 143, 84, true, CAIRN_TERRAIN_SWAMP, 0},
        [CAIRN_TERRAIN_WATER] = {72, 130, 200, true, CAIRN_TERRAIN_WATER, 0},
        [CAIRN_TERRAIN_TREES] = {58, 125, 68, true, CAIRN_TERRAIN_TREES, 0},
    };
    if (!open) return (cairn_png_colour){0, 0, 0, false, 0, 0};
    if (terrain < CAIRN_TERRAIN_FREE) return named[terrain];
    return (cairn_png_colour){
        terrain, (uint8_t)(97u * terrain + 60), (uint8_t)(173u * terrain + 90), true, terrain, 0};
}

#if defined(CAIRN_WITH_PNG)

typedef struct grid_png {
    const cairn_grid *grid;
    crn_io_buffer out;
    uint8_t *row;
    png_color palette[PNG_MAX_PALETTE_LENGTH];
    int colours;
    uint16_t index[CRN_PNG_LOOKS]; /* of each look in the palette, from 1; 0 = not used */
} grid_png;

static uint32_t grid_png_look(const cairn_grid *grid, uint32_t x, uint32_t y)
{
    bool open = cairn_grid_is_open(grid, (int32_t)x, (int32_t)y);
    return open ? 1u + cairn_grid_terrain(grid, (int32_t)x, (int32_t)y) : 0;
}

/* The palette in the order of the looks, so that the same cells give the same file. */
static bool grid_png_palette(grid_png *writer)
{
    const cairn_grid *grid = writer->grid;
    for (uint32_t y = 0; y < cairn_grid_height(grid); y++) {
        for (uint32_t x = 0; x < cairn_grid_width(grid); x++)
            writer->index[grid_png_look(grid, x, y)] = 1;
    }
    for (uint32_t look = 0; look < CRN_PNG_LOOKS; look++) {
        if (!writer->index[look]) continue;
        if (writer->colours == PNG_MAX_PALETTE_LENGTH) return false;
        cairn_png_colour colour = cairn_png_default(look > 0, (uint8_t)(look - 1));
        writer->palette[writer->colours++] = (png_color){colour.red, colour.green, colour.blue};
        writer->index[look] = (uint16_t)writer->colours;
    }
    return true;
}

static void grid_png_encode(png_structp png, png_infop info, void *user)
{
    grid_png *writer = user;
    uint32_t width = cairn_grid_width(writer->grid), height = cairn_grid_height(writer->grid);
    png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(png, info, writer->palette, writer->colours);
    char keyword[] = CRN_PNG_KEYWORD, mark[] = CRN_PNG_MARK;
    png_text text = {.compression = PNG_TEXT_COMPRESSION_NONE, .key = keyword, .text = mark};
    text.text_length = sizeof mark - 1;
    png_set_text(png, info, &text, 1);
    png_write_info(png, info);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++)
            writer->row[x] = (uint8_t)(writer->index[grid_png_look(writer->grid, x, y)] - 1);
        png_write_row(png, writer->row);
    }
}

cairn_status cairn_grid_png(const cairn_grid *grid, cairn_file *out, cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = (cairn_file){0};
    if (!grid) return crn_io_fail(error, CAIRN_INVALID, 0, "a grid must be given");
    cairn_context *context = cairn_grid_context(grid);
    grid_png *writer = crn_io_zeros(context, sizeof *writer);
    if (!writer) return crn_io_no_memory(error);
    writer->grid = grid;
    writer->out.context = context;
    size_t width = cairn_grid_width(grid);
    cairn_status status = CAIRN_OK;
    if (!grid_png_palette(writer)) {
        status = crn_io_fail(
            error, CAIRN_UNSUPPORTED, 0,
            "a PNG has room for 256 colours, this grid uses all 256 classes and blocked cells");
    } else {
        writer->row = crn_io_resize(context, NULL, 0, width);
        bool ok = writer->row && crn_png_write(&writer->out, grid_png_encode, writer);
        if (writer->row) crn_io_resize(context, writer->row, width, 0);
        status = ok ? crn_io_finish(&writer->out, out, error) : crn_io_no_memory(error);
        crn_io_discard(&writer->out);
    }
    crn_io_resize(context, writer, sizeof *writer, 0);
    return status;
}

#else

cairn_status cairn_grid_png(const cairn_grid *grid, cairn_file *out, cairn_error *error)
{
    (void)grid;
    if (out) *out = (cairn_file){0};
    return crn_io_fail(error, CAIRN_UNSUPPORTED, 0, "this build of the library has no PNG support");
}

#endif
