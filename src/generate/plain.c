/* plain.c: the two plainest kinds of map.
 *
 * random: every cell is blocked with the same probability, as in the maps that everybody tries
 * first. From about 40 % on they fall into many components.
 *
 * rooms: square rooms with walls one cell thick; each room may have a door of one cell in its right
 * and in its lower wall.
 */
#include "generate/generate.h"

cairn_status crn_generate_random(crn_board *board, const cairn_generator *generator)
{
    for (size_t i = 0, cells = (size_t)board->width * board->height; i < cells; i++)
        board->open[i] = crn_rng_below(&board->rng, 100) >= generator->percent;
    return CAIRN_OK;
}

cairn_status crn_generate_rooms(crn_board *board, const cairn_generator *generator)
{
    uint32_t width = board->width, height = board->height, room = generator->room,
             period = room + 1;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++)
            board->open[crn_board_at(board, x, y)] = x % period != room && y % period != room;
    }
    /* Rooms at the border may be cut short; a door lies within the smaller of the two sides. */
    for (uint32_t top = 0; top < height; top += period) {
        for (uint32_t left = 0; left < width; left += period) {
            uint32_t wide = crn_min_u32(room, width - left), high = crn_min_u32(room, height - top);
            bool right_door = crn_rng_below(&board->rng, 100) >= generator->closed;
            uint32_t right_at = top + crn_rng_below(&board->rng, high);
            bool lower_door = crn_rng_below(&board->rng, 100) >= generator->closed;
            uint32_t lower_at = left + crn_rng_below(&board->rng, wide);
            if (right_door && left + period < width)
                board->open[crn_board_at(board, left + room, right_at)] = 1;
            if (lower_door && top + period < height)
                board->open[crn_board_at(board, lower_at, top + room)] = 1;
        }
    }
    return CAIRN_OK;
}
