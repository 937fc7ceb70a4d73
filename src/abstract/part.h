/* part.h: a part of a grid as a space of its own, for searches that may use only some cells: a
 * cluster, a corridor.
 *
 * The space is a copy of the whole one, with the same nodes, costs and rules, but with its own
 * bitmap of usable cells. The bitmap is empty until cells are shown. Cells that are not shown count
 * as blocked, for the corner rule as well. So every loop made for grids runs on parts as it does on
 * the whole. A part belongs to one search. It has no links, unless they are asked for.
 */
#ifndef CRN_PART_H
#define CRN_PART_H

#include "world/grid_space.h"

/* How far the links of a part are found (part_links.c). */
typedef enum crn_part_stage { CRN_PART_COPIES, CRN_PART_SORTS, CRN_PART_GROUPS } crn_part_stage;
typedef struct crn_part_taking {
    crn_part_stage stage;
    uint32_t at;     /* of the links, or of the shortcuts */
    cairn_node last; /* cell that is shown */
    crn_sorting sorting;
} crn_part_taking;

/* What the ground is like, as far as it is known. */
typedef struct crn_part_survey {
    crn_surface surface;
    int32_t lowest, highest;
    uint32_t rows; /* these are looked at */
} crn_part_survey;

typedef struct crn_part {
    crn_grid_space space; /* pass &space.base to a search */
    const crn_grid_space *whole;
    crn_scratch *memory;
    uint64_t version; /* of the world when the rest was copied */
    /* room for links */
    crn_space_link *links;
    uint64_t *shortcuts;
    size_t link_capacity, shortcut_capacity;
    crn_gate_groups groups;
    crn_part_taking taking;
    crn_part_survey survey;
} crn_part;

/* A rectangle of cells inside the grid. */
typedef struct crn_area {
    uint32_t left, top, width, height;
} crn_area;

cairn_status crn_part_open(crn_part *part, crn_scratch *memory, const crn_grid_space *whole);
void crn_part_close(crn_part *part);

/* Called when a query begins: copies what a commit may have changed. No cell may be shown. */
void crn_part_refresh(crn_part *part);

/* Shows the usable cells of an area, or hides all of its cells again. */
void crn_part_show(crn_part *part, crn_area area);
void crn_part_hide(crn_part *part, crn_area area);

/* Estimates, the open list and the loop of a search are chosen by what the ground is like. From now
 * on that is the ground shown in an area, whatever there is elsewhere: so a search there finds the
 * same path until a cell of the area changes. No other cell may be shown. The second function looks
 * at some rows: true when it is done. */
void crn_part_learn_begin(crn_part *part);
bool crn_part_learn_on(crn_part *part, crn_area area);

/* Shows or hides one cell; it must be usable. */
CRN_INLINE void crn_part_show_cell(crn_part *part, uint32_t x, uint32_t y)
{
    crn_bit_set(&part->space.usable, (int32_t)x, (int32_t)y, true);
}

CRN_INLINE void crn_part_hide_cell(crn_part *part, uint32_t x, uint32_t y)
{
    crn_bit_set(&part->space.usable, (int32_t)x, (int32_t)y, false);
}

/* Find the links whose ends are both shown now: they are those of the part until the next call of
 * the first function, or the next commit. Searches forward may take them. No cell before the first
 * or behind the last is shown. The second function finds some of them: CAIRN_RUNNING until it has
 * found all. (part_links.c) */
cairn_status crn_part_begin_links(crn_part *part, cairn_node first, cairn_node last);
cairn_status crn_part_take_links(crn_part *part);

#endif
