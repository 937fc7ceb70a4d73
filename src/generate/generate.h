/* generate.h (internal): the board that generators draw on, and what they share. */
#ifndef CRN_GENERATE_H
#define CRN_GENERATE_H

#include "core/core.h"
#include <cairn/generate.h>

/* A map in the making: one byte a cell, 1 = open, all 0 at first. */
typedef struct crn_board {
    cairn_context *context;
    uint32_t width, height;
    uint8_t *open;
    crn_rng rng;
} crn_board;

CRN_INLINE size_t crn_board_at(const crn_board *board, uint32_t x, uint32_t y)
{
    return (size_t)y * board->width + x;
}

/* `low` to `high`, both included. */
static inline uint32_t crn_board_between(crn_board *board, uint32_t low, uint32_t high)
{
    return low + crn_rng_below(&board->rng, high - low + 1);
}

/* A number on its path from `hard` to `easy`, the ends of ease = 0 and ease = 100. */
CRN_INLINE uint32_t crn_board_eased(uint32_t hard, uint32_t easy, uint32_t ease)
{
    return (hard * (100 - ease) + easy * ease) / 100;
}

/* Cells of the columns left…right - 1 and the rows top…bottom - 1. */
typedef struct crn_board_area {
    uint32_t left, top, right, bottom;
} crn_board_area;

/* All cells of the area that lie on the board. */
void crn_board_fill(crn_board *board, crn_board_area area, uint8_t open);

/* Puts an obstacle on the board if it and a margin of that many cells around it are open and on the
 * board, so that it can always be passed on all sides. `round` leaves out the corners. Returns how
 * many cells it took, 0 if it does not fit. */
uint32_t crn_board_obstacle(crn_board *board, crn_board_area area, uint32_t margin, bool round);

/* Makes one component of all open cells (4-connected, so that it holds whichever corners may be
 * cut): components of less than `least` cells are filled, the others are connected to the largest
 * by tunnels one cell wide. If no cell is open, the middle one is opened. */
cairn_status crn_board_connect(crn_board *board, uint32_t least);

/* Links of a random spanning tree of columns × rows places, one byte a place: to the east, to the
 * south. */
enum { CRN_LINK_EAST = 1, CRN_LINK_SOUTH = 2 };
cairn_status crn_tree_grow(crn_board *board, uint32_t columns, uint32_t rows, uint8_t **links);

/* The kinds. Each draws on a board that is closed everywhere; CAIRN_OUT_OF_MEMORY is all that can
 * go wrong. */
cairn_status crn_generate_random(crn_board *board, const cairn_generator *generator);
cairn_status crn_generate_rooms(crn_board *board, const cairn_generator *generator);
cairn_status crn_generate_maze(crn_board *board, const cairn_generator *generator);
cairn_status crn_generate_caves(crn_board *board, const cairn_generator *generator);
cairn_status crn_generate_pseudo_rts(crn_board *board, const cairn_generator *generator);
cairn_status crn_generate_battlefield(crn_board *board, const cairn_generator *generator);
cairn_status crn_generate_facility(crn_board *board, const cairn_generator *generator);

/* The one that starts from a grid. */
cairn_status crn_generate_scaled(cairn_context *context, const cairn_generator *generator,
                                 cairn_grid **out, cairn_error *error);

#endif
