/* table.h: jumps, computed once for every cell: how far one can go straight on, and where a
 * diagonal jump must stop.
 *
 * Straight on. One word of 32 bits a cell, row by row; for the straight direction d (CRN_N … CRN_W)
 * the 8 bits from 8 · d on say how many cells a run (scan.h) goes, and in the top bit whether it
 * leads to a jump point or ends at a wall. 127 means 127 cells or more: go 126 on and look again.
 * The goal is not special here: the search compares its row and column. All of this follows from a
 * rule between neighbours. Let b be the cell one step from a in direction d. The run of a is
 *
 *     0           if b cannot be stood on,
 *     1 and top   if b is a jump point of arrivals in direction d, or links leave it,
 *     run(b) + 1  else, but never more than 127.
 *
 * So one pass over the rows, upwards and downwards, makes the table. The only correct table is the
 * one in which every pair of neighbours obeys the rule, which is how loaded tables are checked.
 * After a change it is enough to restore the rule where the 3×3 cells around a cell have changed,
 * and to go on from there as long as runs change.
 *
 * Diagonally. For each diagonal direction a bit a cell: does a jump pass it? Not if the next step
 * is blocked, if a run along one of the two straight directions leads to a jump point, if something
 * forces a turn, or if links leave it. The bits lie so that a diagonal is a row of words: cell
 * (x, y) is bit x of line y + x (north-east, south-west) or y - x (the others), modulo the height.
 * So a scan reads
 * some 60 cells of a diagonal at a time, never visits a cell where the jump need not stop, and a
 * change touches single bits. A line holds several diagonals, but between two of them lies the edge
 * of the map, which no jump passes.
 *
 * In all 4.5 bytes a cell. (Rabin and Silva, "JPS+: An Extreme A* Speed Optimization for Static
 * Uniform Cost Grids", 2015, keep the distances of all eight directions, 16 bytes.)
 */
#ifndef CRN_JUMP_TABLE_H
#define CRN_JUMP_TABLE_H

#include "jump/scan.h"
#include "world/changes.h"
#include <cairn/planner.h>

#define CRN_JUMP_POINT 0x80u  /* the run leads to a jump point */
#define CRN_JUMP_LENGTH 0x7fu /* its length, or that many and more */
#define CRN_JUMP_BLOCKED 0x80808080u

/* Columns of a row, both ends inclusive. */
typedef struct crn_jump_span {
    uint32_t y, left, right;
} crn_jump_span;

/* Cells, both ends inclusive. */
typedef struct crn_jump_rect {
    uint16_t left, top, right, bottom;
    uint32_t count; /* those in it that it is for */
    bool link;      /* it is a cell that links leave, or left */
} crn_jump_rect;

/* Rectangles in blocks, which do not move when there are more. */
typedef struct crn_jump_rects {
    crn_jump_rect **blocks;
    size_t block_count, capacity;
    size_t count;
} crn_jump_rects;

/* A walk over a rectangle in pieces of rows, from the first cell to the last, or back. */
typedef struct crn_jump_walk {
    crn_jump_rect rect;
    uint32_t x, y; /* the next piece begins here */
    bool back;
    bool over; /* there is no next piece */
} crn_jump_walk;

/* What is being done with a rectangle. */
typedef enum crn_jump_stage {
    CRN_JUMP_IDLE,
    CRN_JUMP_CLEAR, /* all of the table: the bits of diagonals */
    CRN_JUMP_BACK,  /* runs to the south and east */
    CRN_JUMP_FORTH, /* runs to the north and west */
    CRN_JUMP_TILES, /* all of the table: the bits of diagonals again */
    CRN_JUMP_EAST,  /* runs outside that lead into it, by direction */
    CRN_JUMP_WEST,
    CRN_JUMP_SOUTH,
    CRN_JUMP_NORTH
} crn_jump_stage;

/* A build or repair (table_gather.c, table_repair.c). */
typedef struct crn_jump_job {
    const cairn_progress *progress;
    bool busy;
    size_t copied; /* bytes of a table that is borrowed */
    /* which cells links leave now, as far as they have been compared with those before */
    bool compared;
    uint32_t link; /* the next of the space's, and of those before */
    size_t before;
    cairn_node *linked;
    size_t linked_count, linked_capacity;
    /* what was edited */
    bool gathered; /* all of it */
    crn_edits edits;
    crn_jump_rect edited; /* cells of a row that follow each other */
    /* rectangles, in this order: done, to be computed, dropped, to be compared */
    crn_jump_rects rects;
    size_t first, kept, next;
    size_t fresh;  /* they may be joined from here on */
    uint64_t area; /* of those to be computed */
    bool comparing;
    crn_jump_walk compare;
    crn_jump_rect found;
    /* the one that is computed */
    crn_jump_stage stage;
    bool whole; /* it is all of the table */
    crn_jump_walk walk;
    size_t at;           /* byte, or tile */
    uint32_t x, y, left; /* what comes next outside, and how many cells or rows there are */
    crn_jump_span span;  /* what has changed in the last row */
    bool outside;        /* it lies outside of the rectangle */
} crn_jump_job;

typedef struct crn_jump_table {
    const uint32_t *cells; /* NULL = not built */
    uint32_t *owned;       /* the same, or a copy in the making, or NULL if it is borrowed */
    crn_bits passed[4];    /* by diagonal direction, less CRN_NE */
    uint32_t width, height;
    uint32_t turn; /* a multiple of the height, no less than the width */
    bool changed;  /* by the last repair: there was something to do */
    /* the cells that links left when it was computed, ascending */
    cairn_node *linked;
    size_t linked_count, linked_capacity;
    crn_jump_job job;
} crn_jump_table;

CRN_INLINE uint32_t crn_jump_cell(const crn_jump_table *table, uint32_t x, uint32_t y)
{
    return table->cells[(size_t)y * table->width + x];
}

/* The run of a cell in a straight direction. */
CRN_INLINE uint32_t crn_jump_field(uint32_t cell, uint32_t direction)
{
    return cell >> 8 * direction & 0xff;
}

/* A run that is too long for its field, from (x, y). */
uint32_t crn_jump_long_run(const crn_jump_table *table, uint32_t direction, uint32_t x, uint32_t y);

/* The run of (x, y), which has this cell, as scan.h says it. */
CRN_INLINE uint32_t crn_jump_run(const crn_jump_table *table, uint32_t cell, uint32_t direction,
                                 uint32_t x, uint32_t y)
{
    uint32_t field = crn_jump_field(cell, direction), length = field & CRN_JUMP_LENGTH;
    if (CRN_UNLIKELY(length == CRN_JUMP_LENGTH)) return crn_jump_long_run(table, direction, x, y);
    return length | (field & CRN_JUMP_POINT) << 8;
}

/* The number of the line that holds the diagonal through a cell. */
CRN_INLINE uint32_t crn_jump_line(const crn_jump_table *table, uint32_t direction, uint32_t x,
                                  uint32_t y)
{
    bool rising = direction == CRN_NE || direction == CRN_SW;
    return (rising ? y + x : y + table->turn - x) % table->height;
}

/* Its bits: how many cells a jump from column x passes is crn_scan_passed of bit x + 1, upwards to
 * the east. */
CRN_INLINE const uint8_t *crn_jump_line_bits(const crn_jump_table *table, uint32_t direction,
                                             uint32_t x, uint32_t y)
{
    const crn_bits *passed = &table->passed[direction - CRN_NE];
    return passed->rows + ((size_t)crn_jump_line(table, direction, x, y) + 1) * passed->stride;
}

/* May a search stop at this cell whatever its goal is, because a turn is forced there? */
bool crn_jump_table_is_point(const crn_jump_table *table, const crn_grid_space *space, uint32_t x,
                             uint32_t y);

/* On failure there is no table. */
cairn_status crn_jump_table_build(crn_jump_table *table, const crn_grid_space *space,
                                  const cairn_progress *progress, cairn_error *error);
void crn_jump_table_drop(crn_jump_table *table, cairn_context *context);
size_t crn_jump_table_bytes(const crn_jump_table *table);

/* Repairs the table, which was correct in version `since`, so that it equals a rebuilt one.
 * After a failure (no memory, or cancelled while all of it
 * is rebuilt) it must not be used any more. */
cairn_status crn_jump_table_repair(crn_jump_table *table, const crn_grid_space *space,
                                   uint64_t since, const cairn_progress *progress,
                                   cairn_error *error);

/* The same in slices: `begin`, then steps until the answer is not CAIRN_RUNNING. After a commit a
 * repair begins, whatever is under way; it goes on with what is left of that. */
cairn_status crn_jump_table_build_begin(crn_jump_table *table, const crn_grid_space *space,
                                        cairn_error *error);
void crn_jump_table_repair_begin(crn_jump_table *table, const crn_grid_space *space,
                                 uint64_t since);

/* Does what takes as long as the computing of *cells cells, and subtracts that. A piece is not
 * begun with fewer than it may take: what is left belongs to the next step. */
cairn_status crn_jump_table_step(crn_jump_table *table, const crn_grid_space *space,
                                 uint64_t *cells, cairn_error *error);

/* One section: the straight runs; the rest follows from them. What is loaded is compared with the
 * space, cell by cell. */
cairn_status crn_jump_table_save(const crn_jump_table *table, cairn_store *store,
                                 cairn_error *error);
cairn_status crn_jump_table_load(crn_jump_table *table, const crn_grid_space *space,
                                 const cairn_archive *archive, bool borrow, cairn_error *error);

#endif
