/* caves.c: caves of a cellular automaton. Cells are rock by chance; then, a few times over, a cell
 * becomes what most of the nine cells round and at it are (outside the map all is rock). Small
 * holes are filled, the halls that remain apart are joined by tunnels.
 */
#include "generate/generate.h"

enum { CAVES_SMALLEST = 48 /* cells of a hall that is kept */ };

/* One row: `above` and `below` are NULL at the border. */
static void caves_smooth_row(const uint8_t *above, const uint8_t *row, const uint8_t *below,
                             uint32_t width, uint8_t *out)
{
    uint32_t before = 0, here = 0;
    for (uint32_t x = 0; x <= width; x++) {
        uint32_t next = 0;
        if (x < width) next = (uint32_t)row[x] + (above ? above[x] : 0) + (below ? below[x] : 0);
        if (x > 0) out[x - 1] = before + here + next >= 5;
        before = here;
        here = next;
    }
}

cairn_status crn_generate_caves(crn_board *board, const cairn_generator *generator)
{
    size_t width = board->width, cells = width * board->height;
    for (size_t i = 0; i < cells; i++)
        board->open[i] = crn_rng_below(&board->rng, 100) >= generator->percent;
    uint8_t *old = crn_alloc(board->context, cells);
    if (!old) return CAIRN_OUT_OF_MEMORY;
    for (uint32_t round = 0; round < generator->rounds; round++) {
        memcpy(old, board->open, cells);
        for (uint32_t y = 0; y < board->height; y++) {
            const uint8_t *row = old + y * width;
            caves_smooth_row(y ? row - width : NULL, row,
                             y + 1 < board->height ? row + width : NULL, board->width,
                             board->open + y * width);
        }
    }
    crn_free(board->context, old, cells);
    return crn_board_connect(board, CAVES_SMALLEST);
}
