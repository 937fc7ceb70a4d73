/* hexagons.c: a board of hexagons: rows as in a text, every odd one half a cell to the right. */
#include <cairn/cairn.h>
#include <stdio.h>

enum { WIDTH = 9, HEIGHT = 5 };

static const char *const board[HEIGHT] = {".........", "....#....", "...#.....", "...#.....",
                                          "....#...."};

int main(void)
{
    uint8_t open[HEIGHT * WIDTH];
    for (int i = 0; i < HEIGHT * WIDTH; i++) open[i] = board[i / WIDTH][i % WIDTH] != '#';
    cairn_grid_options options = {.width = WIDTH,
                                  .height = HEIGHT,
                                  .open = open,
                                  .layout = CAIRN_LAYOUT_HEX,
                                  .cell_size = 10};
    cairn_context *context;
    cairn_grid *grid;
    cairn_owned_path found;
    cairn_context_create(NULL, &context);
    cairn_grid_create(context, &options, &grid, NULL);
    cairn_find_path(grid, (cairn_cell){1, 3}, (cairn_cell){6, 3}, &found);
    printf("%s, %g steps:", cairn_result_text(found.path.status), found.path.length);
    for (uint32_t i = 0; i < found.path.count; i++) {
        cairn_position centre = cairn_grid_position(grid, found.path.nodes[i]);
        printf(" (%.1f, %.1f)", centre.x, centre.y);
    }
    printf("\n");
    cairn_path_free(&found);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 * found, 7 steps: (20.0, 31.8) (30.0, 14.4) (40.0, 14.4) (50.0, 31.8) (70.0, 31.8)
 */
