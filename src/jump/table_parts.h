/* table_parts.h: what building (table.c) and repairing (table_repair.c) the table of jumps
 * share. */
#ifndef CRN_JUMP_TABLE_PARTS_H
#define CRN_JUMP_TABLE_PARTS_H

#include "jump/table.h"

/* The run of a cell whose next one is a jump point. */
#define CRN_JUMP_TO_POINT (CRN_JUMP_POINT | 1u)

/* Columns of a row, both ends inclusive. */
typedef struct crn_jump_span {
    uint32_t y, left, right;
} crn_jump_span;

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

/* Runs of some cells of a row, given what lies round them: first to the south, all others cleared;
 * `below` is the next row, NULL under the last. Then the others; `above` is NULL over the first. */
void crn_jump_row_south(const crn_grid_space *space, crn_jump_span span, const uint32_t *below,
                        uint32_t *row);
void crn_jump_row_others(const crn_grid_space *space, crn_jump_span span, const uint32_t *above,
                         uint32_t *row);

/* Then their bits of diagonals. */
void crn_jump_row_passed(crn_jump_table *table, const crn_grid_space *space, crn_jump_span span);

/* Everything, into memory that is there. CAIRN_CANCELLED, or CAIRN_OUT_OF_MEMORY for work on the
 * side. */
cairn_status crn_jump_table_fill(crn_jump_table *table, const crn_grid_space *space,
                                 const cairn_progress *progress);

/* Memory of its own for runs; those that were borrowed are copied. False = there is none. */
bool crn_jump_table_own(crn_jump_table *table, cairn_context *context);

/* Notes the cells that links leave now. False = no memory. */
bool crn_jump_table_note_links(crn_jump_table *table, const crn_grid_space *space);

cairn_status crn_jump_table_no_memory(cairn_error *error);

#endif
