/* first_path.c: the program of the README. */
#include <cairn/cairn.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *map = "......\n"
                      ".####.\n"
                      "....#.\n";
    cairn_context *context;
    cairn_grid *grid;
    cairn_owned_path found;
    cairn_context_create(NULL, &context);
    cairn_grid_from_text(context, map, strlen(map), &grid, NULL);
    cairn_status status = cairn_find_path(grid, (cairn_cell){3, 2}, (cairn_cell){5, 2}, &found);
    printf("%s, length %.3f:", cairn_result_text(status), found.path.length);
    for (uint32_t i = 0; i < found.path.count; i++) {
        cairn_cell cell = cairn_grid_cell(grid, found.path.nodes[i]);
        printf(" (%d,%d)", cell.x, cell.y);
    }
    printf("\n");
    cairn_path_free(&found);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 * found, length 12.000: (3,2) (0,2) (0,0) (5,0) (5,2)
 */
