/* fuzz_text.c: any bytes as a grid of text. What is refused must say where and why; what is
 * accepted has the size the lines say, and is the same once more from a MovingAI map; and a
 * path from its first to its last open cell, if there is one, can be walked.
 */
#include <cairn/io.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

static void through_a_map(cairn_context *context, const cairn_grid *grid)
{
    cairn_file first, second;
    cairn_grid *again = NULL;
    require(cairn_map_format(grid, &first) == CAIRN_OK);
    require(cairn_map_parse(context, (cairn_bytes){first.data, first.size}, &again, NULL) ==
            CAIRN_OK);
    require(cairn_map_format(again, &second) == CAIRN_OK);
    require(first.size == second.size && !memcmp(first.data, second.data, first.size));
    cairn_file_free(context, &first);
    cairn_file_free(context, &second);
    cairn_grid_destroy(again);
}

static void walk(cairn_grid *grid)
{
    cairn_space *space = NULL;
    require(cairn_space_of_grid(grid, NULL, &space, NULL) == CAIRN_OK);
    cairn_node from = 0, to = cairn_space_node_count(space) - 1;
    while (from < to && !cairn_space_usable(space, from)) from++;
    while (to > from && !cairn_space_usable(space, to)) to--;
    cairn_owned_path found = {0};
    cairn_status status =
        cairn_find_path(grid, cairn_grid_cell(grid, from), cairn_grid_cell(grid, to), &found);
    if (status == CAIRN_FOUND)
        require(cairn_path_valid(space, &found.path, NULL, NULL, NULL) && found.path.end == to);
    cairn_path_free(&found);
    cairn_space_destroy(space);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *context = NULL;
    require(cairn_context_create(NULL, &context) == CAIRN_OK);
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    cairn_status status = cairn_grid_from_text(context, (const char *)data, size, &grid, &error);
    if (status == CAIRN_OK) {
        uint64_t cells = (uint64_t)cairn_grid_width(grid) * cairn_grid_height(grid);
        require(cells >= 1 && cells <= size);
        through_a_map(context, grid);
        walk(grid);
    } else {
        require(!grid && error.status == status && error.text[0]);
        require(memchr(error.text, 0, sizeof error.text) != NULL);
        require(status != CAIRN_BAD_DATA || (error.line >= 1 && error.line <= size + 1));
    }
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}
