/* fuzz_map.c: any bytes as a MovingAI map. What is refused must say where and why; what is
 * accepted must come back the same after it was written and read again, and can be drawn.
 */
#include <cairn/io.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

static void same_cells(const cairn_grid *a, const cairn_grid *b)
{
    uint32_t width = cairn_grid_width(a), height = cairn_grid_height(a);
    require(width == cairn_grid_width(b) && height == cairn_grid_height(b));
    for (uint32_t i = 0; i < width * height; i++) {
        cairn_cell c = cairn_grid_cell(a, i);
        require(cairn_grid_is_open(a, c.x, c.y) == cairn_grid_is_open(b, c.x, c.y));
        require(cairn_grid_terrain(a, c.x, c.y) == cairn_grid_terrain(b, c.x, c.y));
    }
}

static void write_and_read(cairn_context *context, const cairn_grid *grid)
{
    cairn_file file;
    cairn_grid *again = NULL;
    require(cairn_map_format(grid, &file) == CAIRN_OK);
    require(cairn_map_parse(context, (cairn_bytes){file.data, file.size}, &again, NULL) ==
            CAIRN_OK);
    same_cells(grid, again);
    cairn_grid_destroy(again);
    cairn_file_free(context, &file);
}

static void draw(cairn_context *context, cairn_grid *grid)
{
    cairn_space *space = NULL;
    cairn_file file;
    require(cairn_space_of_grid(grid, NULL, &space, NULL) == CAIRN_OK);
    cairn_picture picture = {.space = space, .from = 0, .to = cairn_space_node_count(space) - 1};
    require(cairn_picture_svg(&picture, &file, NULL) == CAIRN_OK && file.data[file.size] == 0);
    cairn_file_free(context, &file);
    cairn_space_destroy(space);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *context = NULL;
    require(cairn_context_create(NULL, &context) == CAIRN_OK);
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    cairn_status status =
        cairn_map_parse(context, (cairn_bytes){(const char *)data, size}, &grid, &error);
    if (status == CAIRN_OK) {
        write_and_read(context, grid);
        draw(context, grid);
    } else {
        require(!grid && error.status == status && error.text[0]);
        require(memchr(error.text, 0, sizeof error.text) != NULL);
        require(status != CAIRN_BAD_DATA || error.line <= size + 1);
    }
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}
