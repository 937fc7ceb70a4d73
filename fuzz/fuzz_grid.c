/* fuzz_grid.c: any bytes as a grid in a file of any kind (cairn_grid_parse). The first byte chooses
 * the name of the file, which decides nothing but what is said of a file that begins like no other
 * kind, and whether the checksums of a `.cairn` file are made right. What is refused must say why;
 * what is accepted must be the same after it was written in each kind and read again.
 */
#include "seal.h"
#include <cairn/io.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

static bool done(cairn_status status)
{
    require(status == CAIRN_OK || status == CAIRN_OUT_OF_MEMORY);
    return status == CAIRN_OK;
}

static void write_and_read(cairn_context *context, const cairn_grid *grid, const char *name)
{
    cairn_file file = {0};
    cairn_grid *again = NULL;
    uint32_t width = cairn_grid_width(grid), height = cairn_grid_height(grid);
    if (done(cairn_grid_format(grid, name, &file, NULL)) &&
        done(cairn_grid_parse(context, (cairn_bytes){file.data, file.size}, name, &again, NULL))) {
        require(width == cairn_grid_width(again) && height == cairn_grid_height(again));
        for (uint32_t i = 0; i < width * height && i < 5000; i++) {
            cairn_cell c = cairn_grid_cell(grid, i);
            require(cairn_grid_is_open(grid, c.x, c.y) == cairn_grid_is_open(again, c.x, c.y));
        }
    }
    cairn_grid_destroy(again);
    cairn_file_free(context, &file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {NULL,    "a.map", "a.png", "a.cairn",
                                        "a.tmx", "a.tmj", "a.txt", "a"};
    if (!size) return 0;
    cairn_context_options limits = cairn_context_defaults();
    limits.byte_limit = 64u << 20;
    cairn_context *context = NULL;
    require(cairn_context_create(&limits, &context) == CAIRN_OK);
    size_t empty = cairn_context_memory(context).bytes;
    uint8_t *file = malloc(size);
    require(file != NULL);
    memcpy(file, data + 1, size - 1);
    bool archive = cairn_archive_begins((cairn_bytes){file, size - 1});
    if (archive && (data[0] & 8)) seal(file, size - 1);
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    cairn_status status =
        cairn_grid_parse(context, (cairn_bytes){file, size - 1}, names[data[0] % 8], &grid, &error);
    require((status == CAIRN_OK) == (grid != NULL));
    require(status == CAIRN_OK ||
            (error.status == status && error.text[0] && memchr(error.text, 0, sizeof error.text)));
    if (grid && (uint64_t)cairn_grid_width(grid) * cairn_grid_height(grid) <= 1u << 16) {
        write_and_read(context, grid, "b.map");
        write_and_read(context, grid, "b.txt");
        write_and_read(context, grid, "b.png");
        write_and_read(context, grid, "b.cairn");
    }
    cairn_grid_destroy(grid);
    free(file);
    require(cairn_context_memory(context).bytes == empty);
    cairn_context_destroy(context);
    return 0;
}
