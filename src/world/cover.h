/* cover.h: what lies on the cells of a grid for a while (obstacles.h), and what is under it.
 *
 * As long as something lies on a cell, the cell is closed or costs more. What the game has made of
 * it, its *own* state, is kept here meanwhile. Edits of a covered cell change its own state, and
 * the commit makes the state that everybody sees of both (commit.c). So an edit is never lost, also
 * where it changes nothing that can be seen: a cell that is closed under an obstacle stays closed
 * when that ends.
 *
 * The owner writes what is wanted, which marks the cell dirty. Dirty cells are staged like edits,
 * and the commit makes the cover what is wanted. Cells are found by a hash table that is at most
 * half full.
 */
#ifndef CRN_COVER_H
#define CRN_COVER_H

#include "world/grid.h"

typedef struct crn_cover_cell {
    cairn_node node;   /* CAIRN_NO_NODE: the slot is free */
    uint32_t closures; /* wanted: so many close it, ... */
    uint32_t costs;    /* ... and others cost so much together */
    bool closed;       /* what lies on it since a commit */
    uint8_t cost;
    bool open; /* its own state, while something lies on it */
    uint8_t layer;
    bool dirty;
} crn_cover_cell;

typedef struct crn_cover {
    cairn_context *context;
    crn_cover_cell *slots;
    size_t slot_count; /* a power of two, or 0 */
    size_t count;      /* cells */
    cairn_node *dirty;
    size_t dirty_count, dirty_capacity;
} crn_cover;

/* Makes room for so many more cells; false = no memory. */
bool crn_cover_reserve(crn_cover *cover, size_t more);
void crn_cover_free(crn_cover *cover);
size_t crn_cover_bytes(const crn_cover *cover);

/* The cell of a node; NULL if there is none, or no cover. */
crn_cover_cell *crn_cover_find(const crn_cover *cover, cairn_node node);

/* Changes what is wanted of a cell. There is room for it. */
void crn_cover_close(crn_cover *cover, cairn_node node, bool more);
void crn_cover_charge(crn_cover *cover, cairn_node node, uint8_t cost, bool more);

/* Stages the dirty cells. When they are committed, `settle` forgets those on which nothing lies. */
cairn_status crn_cover_stage(cairn_grid *grid);
void crn_cover_settle(crn_cover *cover);

/* Does anything lie on it? `cell` may be NULL, here and below. */
CRN_INLINE bool crn_cover_lies(const crn_cover_cell *cell)
{
    return cell && (cell->closed || cell->cost);
}

/* A cell's own state, of the one that everybody sees. */
CRN_INLINE cairn_cell_state crn_cover_own(const crn_cover_cell *cell, cairn_cell_state seen)
{
    if (!crn_cover_lies(cell)) return seen;
    seen.open = cell->open;
    seen.layer = cell->layer;
    return seen;
}

/* The other way round, with what lies on it or, if it is staged, with what is wanted. */
cairn_cell_state crn_cover_seen(const crn_cover_cell *cell, cairn_cell_state own, bool staged);

/* The commit is made: remembers the cell's own state and what lies on it. */
void crn_cover_make(crn_cover_cell *cell, cairn_cell_state own, bool staged);

#endif
