/* table.h: how far one can go straight on from every cell, computed once.
 *
 * One word of 64 bits a cell, row by row; for the straight direction d (CRN_N … CRN_W) the 16 bits from 16 · d on are a run
 * as scan.h says it: how many cells one can go, and in the top bit whether that leads to a jump point; else a wall comes next.
 * A cell that cannot be stood on has all bits set. The goal is nothing special here: whoever searches compares its
 * row and column. Diagonal runs are not kept: they would double the table, and a search walks them to look to both sides anyway.
 *
 * All of it follows from a rule between neighbours. Let b be the cell one step from a in direction d. The run of a is
 *
 *     0           if b cannot be stood on,
 *     1 and top   if b is a jump point of arrivals in direction d,
 *     run(b) + 1  else.
 *
 * So one look at each row, downwards and upwards, makes the table; a table in which every pair of neighbours obeys the rule is
 * the only right one, which is how loaded ones are checked; and after a change it is enough to see to it that the rule holds again
 * where the 3×3 cells round a cell have changed, and to go on from there as long as runs change (Rabin and Silva, "JPS+: An Extreme
 * A* Speed Optimization for Static Uniform Cost Grids", 2015, have the table; the repair is ours).
 */
#ifndef CRN_JUMP_TABLE_H
#define CRN_JUMP_TABLE_H

#include "jump/scan.h"
#include <cairn/planner.h>

#define CRN_JUMP_BLOCKED UINT64_MAX

typedef struct crn_jump_table {
    const uint64_t *cells; /* NULL = not built */
    uint64_t *owned;       /* the same, or NULL if it is borrowed */
    uint32_t width, height;
} crn_jump_table;

/* The run from a cell in a straight direction. */
CRN_INLINE uint32_t crn_jump_run(uint64_t cell, uint32_t direction)
{
    return (uint32_t)(cell >> 16 * direction) & 0xffff;
}

/* On failure there is no table. */
cairn_status crn_jump_table_build(crn_jump_table *table, const crn_grid_space *space,
                                  const cairn_progress *progress, cairn_error *error);
void crn_jump_table_drop(crn_jump_table *table, cairn_context *context);
size_t crn_jump_table_bytes(const crn_jump_table *table);

/* Makes it what a build would make it now, given that it was right in version `since`; *changed: it was not so already. On
 * failure (no memory) it must not be used any more. */
cairn_status crn_jump_table_repair(crn_jump_table *table, const crn_grid_space *space, uint64_t since,
                                   bool *changed, cairn_error *error);

/* One section. What is loaded is compared with the space, cell by cell. */
cairn_status crn_jump_table_save(const crn_jump_table *table, cairn_store *store, cairn_error *error);
cairn_status crn_jump_table_load(crn_jump_table *table, const crn_grid_space *space,
                                 const cairn_archive *archive, bool borrow, cairn_error *error);

#endif
