/* fuzz_png.c: any bytes as a PNG. The first byte chooses the options, the rest is the file, its
 * checksums mended so that changes get past them. What is refused must say why; what is accepted
 * must come back the same after it was written and read again.
 */
#include <cairn/io.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

static uint32_t checksum(const uint8_t *data, size_t size)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static void mend(uint8_t *data, size_t size)
{
    for (size_t at = 8; size >= 12 && at <= size - 12;) {
        size_t length = (size_t)data[at] << 24 | (size_t)data[at + 1] << 16 |
                        (size_t)data[at + 2] << 8 | data[at + 3];
        if (length > size - 12 - at) return;
        uint32_t crc = checksum(data + at + 4, length + 4);
        for (size_t i = 0; i < 4; i++) data[at + 8 + length + i] = (uint8_t)(crc >> (24 - 8 * i));
        at += 12 + length;
    }
}

static void write_and_read(cairn_context *context, const cairn_grid *grid)
{
    cairn_file file;
    cairn_grid *again = NULL;
    cairn_status status = cairn_grid_png(grid, &file, NULL);
    if (status == CAIRN_UNSUPPORTED || status == CAIRN_OUT_OF_MEMORY) return;
    require(status == CAIRN_OK);
    status = cairn_png_parse(context, (cairn_bytes){file.data, file.size}, NULL, &again, NULL);
    require(status == CAIRN_OK || status == CAIRN_OUT_OF_MEMORY);
    uint32_t cells = again ? cairn_grid_width(grid) * cairn_grid_height(grid) : 0;
    for (uint32_t i = 0; i < cells && i < 10000; i++) {
        cairn_cell c = cairn_grid_cell(grid, i);
        bool open = cairn_grid_is_open(grid, c.x, c.y);
        require(open == cairn_grid_is_open(again, c.x, c.y));
        require(!open || cairn_grid_terrain(grid, c.x, c.y) == cairn_grid_terrain(again, c.x, c.y));
    }
    cairn_grid_destroy(again);
    cairn_file_free(context, &file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size) return 0;
    static const cairn_png_colour colours[] = {
        {0, 0, 0, false, 0, 0}, {255, 255, 255, true, 3, 7}, {9, 99, 199, true, 0, 255}};
    static const cairn_png_colour otherwise = {.open = true, .terrain = 8};
    cairn_png_options options = {.mode = (cairn_png_mode)(data[0] % CAIRN_PNG_MODE_COUNT),
                                 .invert = data[0] & 4,
                                 .colours = colours,
                                 .colour_count = 3,
                                 .tolerance = data[0] & 8 ? 100 : 0,
                                 .otherwise = data[0] & 16 ? &otherwise : NULL};
    uint8_t *png = malloc(size);
    require(png != NULL);
    memcpy(png, data + 1, size - 1);
    mend(png, size - 1);
    cairn_context_options limits = cairn_context_defaults();
    limits.byte_limit = 64u << 20;
    cairn_context *context = NULL;
    require(cairn_context_create(&limits, &context) == CAIRN_OK);
    size_t empty = cairn_context_memory(context).bytes;
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    cairn_status status =
        cairn_png_parse(context, (cairn_bytes){png, size - 1}, &options, &grid, &error);
    if (status == CAIRN_OK) {
        write_and_read(context, grid);
    } else {
        require(!grid && error.status == status && error.text[0] &&
                memchr(error.text, 0, sizeof error.text));
        require(status == CAIRN_BAD_DATA || status == CAIRN_OUT_OF_MEMORY ||
                status == CAIRN_OUT_OF_BUDGET);
    }
    cairn_grid_destroy(grid);
    require(cairn_context_memory(context).bytes == empty);
    cairn_context_destroy(context);
    free(png);
    return 0;
}
