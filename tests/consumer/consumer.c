/* consumer.c: what a game does with the installed library, in C. */
#include <cairn/cairn.h>
#include <stdio.h>
#include <string.h>

static const char map[] = "........\n"
                          "...##...\n"
                          "...##...\n"
                          "........\n";

int main(void)
{
    cairn_context *context = NULL;
    cairn_grid *grid = NULL;
    cairn_owned_path found;
    if (cairn_context_create(NULL, &context) != CAIRN_OK) return 1;
    if (cairn_grid_from_text(context, map, strlen(map), &grid, NULL) != CAIRN_OK) return 1;
    cairn_status status = cairn_find_path(grid, (cairn_cell){0, 1}, (cairn_cell){7, 2}, &found);
    printf("%s, %u turning points, length %.2f, version %s\n", cairn_result_text(status),
           (unsigned)found.path.count, found.path.length, cairn_version());
    cairn_path_free(&found);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return status == CAIRN_FOUND ? 0 : 1;
}
