/* maze.c: perfect mazes: a spanning tree of square places, drawn with corridors and walls of any
 * width.
 *
 * Walls stand only between places, not round the map, as in the mazes of the MovingAI benchmarks;
 * columns and rows that are left over at the right and at the bottom stay blocked. A map smaller
 * than a corridor is wide is one open place.
 */
#include "generate/generate.h"

cairn_status crn_generate_maze(crn_board *board, const cairn_generator *generator)
{
    uint32_t corridor = generator->corridor, period = corridor + generator->wall;
    uint32_t columns = crn_max_u32(1, (board->width + generator->wall) / period);
    uint32_t rows = crn_max_u32(1, (board->height + generator->wall) / period);
    uint8_t *links;
    cairn_status status = crn_tree_grow(board, columns, rows, &links);
    if (status) return status;
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t column = 0; column < columns; column++) {
            uint32_t left = column * period, top = row * period;
            uint8_t link = links[(size_t)row * columns + column];
            uint32_t wide = link & CRN_LINK_EAST ? period : corridor;
            uint32_t high = link & CRN_LINK_SOUTH ? period : corridor;
            crn_board_fill(board, (crn_board_area){left, top, left + wide, top + corridor}, 1);
            crn_board_fill(board, (crn_board_area){left, top, left + corridor, top + high}, 1);
        }
    }
    crn_free(board->context, links, (size_t)columns * rows);
    return CAIRN_OK;
}
