/* table_parts.h: what the files that make and repair the table of jumps share. */
#ifndef CRN_JUMP_TABLE_PARTS_H
#define CRN_JUMP_TABLE_PARTS_H

#include "jump/table.h"

/* The run of a cell whose next one is a jump point. */
#define CRN_JUMP_TO_POINT (CRN_JUMP_POINT | 1u)

CRN_INLINE uint32_t crn_jump_bits(uint32_t run, uint32_t direction)
{
    return run << 8 * direction;
}

/* The run of a cell that is one longer. */
CRN_INLINE uint32_t crn_jump_longer(uint32_t run)
{
    return run + ((run & CRN_JUMP_LENGTH) != CRN_JUMP_LENGTH);
}

/* The run of the cell from which one step leads to (x, y), inside the map, whose row this is. */
uint32_t crn_jump_run_to(const crn_grid_space *space, const uint32_t *row, uint32_t x, uint32_t y,
                         uint32_t direction);

/* Runs of some cells of a row, given what lies round them: first to the south and east, all others
 * cleared; `below` is the next row, NULL under the last. Then to the north and west; `above` is
 * NULL over the first. */
void crn_jump_row_back(const crn_grid_space *space, crn_jump_span span, const uint32_t *below,
                       uint32_t *row);
void crn_jump_row_forth(const crn_grid_space *space, crn_jump_span span, const uint32_t *above,
                        uint32_t *row);

/* Then their bits of diagonals. */
void crn_jump_row_passed(crn_jump_table *table, const crn_grid_space *space, crn_jump_span span);

/* Or those of one of this many tiles, which make up the table, if they are clear. */
size_t crn_jump_tiles(const crn_jump_table *table);
void crn_jump_tile_passed(crn_jump_table *table, const crn_grid_space *space, size_t tile);
#define CRN_JUMP_TILE 2048u /* cells */

/* ---- which cells must be computed again: table_gather.c ---- */

/* A walk over a rectangle, and the next piece of it, which is no longer than CRN_JUMP_PIECE; false:
 * there is none. */
#define CRN_JUMP_PIECE 256u
crn_jump_walk crn_jump_walk_of(const crn_jump_rect *rect, bool back);
bool crn_jump_walk_next(crn_jump_walk *walk, crn_jump_span *span);

crn_jump_rect *crn_jump_rect_at(const crn_jump_rects *rects, size_t i);
size_t crn_jump_rects_bytes(const crn_jump_rects *rects);
void crn_jump_rects_close(crn_jump_rects *rects, cairn_context *context);

CRN_INLINE uint64_t crn_jump_rect_area(const crn_jump_rect *rect)
{
    return (uint64_t)(rect->right - rect->left + 1) * (uint64_t)(rect->bottom - rect->top + 1);
}

/* Does the next piece of finding out what must be computed, if there is any, and spends the cells
 * that could have been computed instead. CAIRN_OK: there is none. */
cairn_status crn_jump_gather(crn_jump_table *table, const crn_grid_space *space, uint64_t *cells);

/* What a rectangle or a piece of it takes beside its cells, and each cell outside; and the most
 * that a piece takes. No piece begins with less. */
#define CRN_JUMP_BESIDE 16u
#define CRN_JUMP_OUTSIDE 2u
#define CRN_JUMP_MOST (CRN_JUMP_BESIDE + CRN_JUMP_OUTSIDE * CRN_JUMP_PIECE)

/* All but the runs and what links leave, with bits that are not clear. False = no memory. */
bool crn_jump_table_open(crn_jump_table *table, const crn_grid_space *space);

cairn_status crn_jump_table_no_memory(cairn_error *error);

#endif
