/* patch.h: a grid space in which the state of a few cells differs from the grid.
 *
 * A patch is a short list of cells with a state of their own, laid over a space. All questions
 * about steps (may one stand there, which steps lead on and back, at what cost) are answered as a
 * space of a grid with those cells would answer them: sizes, corners and heights are tested again,
 * but only where a cell of the patch is near. Nothing is copied. The world as it was some commits
 * ago is a patch on the present one (changes.c), and so is a view with obstacles of its own
 * (view.c).
 */
#ifndef CRN_PATCH_H
#define CRN_PATCH_H

#include "world/grid_space.h"

typedef struct crn_patch_cell {
    cairn_node node;
    cairn_cell_state state;
    cairn_cost extra; /* paid in addition for entering it */
    uint8_t mode;     /* for the user of the patch */
} crn_patch_cell;

/* Other prices than those of the space. What the space forbids stays forbidden. */
typedef struct crn_patch_table {
    cairn_cost price[256][2]; /* of straight and diagonal steps by class; 0 = forbidden */
    bool forbids;             /* a class that the space allows */
    cairn_cost least[2];      /* of the classes that are present and allowed ... */
    cairn_cost most;          /* ... and the most expensive step */
} crn_patch_table;

/* Fills the table for terrain costs in 256ths, as those of a profile. */
void crn_patch_table_fill(crn_patch_table *table, const crn_grid_space *space,
                          const uint16_t *terrain_cost);

typedef struct crn_patch {
    const crn_grid_space *space;
    const crn_patch_table *table; /* NULL = the prices of the space */
    const crn_patch_cell *cells;  /* ascending by node, each once */
    uint32_t count;
    /* nodes outside it have the edges that the space gives them; see crn_patch_bound */
    crn_size_box box;
} crn_patch;

/* When the cells are complete: sets the box. */
void crn_patch_bound(crn_patch *patch);

/* When a cell has come to cells whose box is set. */
void crn_patch_widen(crn_patch *patch, cairn_node node);

/* The cell of the patch, NULL if it has none there. */
const crn_patch_cell *crn_patch_find(const crn_patch *patch, cairn_node node);

/* Does the patch have one of the 3×3 cells round (x, y)? */
bool crn_patch_near(const crn_patch *patch, uint32_t x, uint32_t y);

/* May the agent stand there? Nowhere outside the grid. */
bool crn_patch_usable(const crn_patch *patch, int32_t x, int32_t y);

/* May edges of the node differ from those that the space gives it? */
CRN_INLINE bool crn_patch_touches(const crn_patch *patch, uint32_t x, uint32_t y)
{
    const crn_size_box *box = &patch->box;
    return (patch->count || patch->table) && x >= box->left && x <= box->right && y >= box->top &&
           y <= box->bottom;
}

/* The cost of each step that leaves (x, y), by direction, and of each that comes from the
 * neighbour in that direction; 0 where there is none. */
typedef struct crn_patch_steps {
    cairn_cost out[CRN_DIRECTIONS], in[CRN_DIRECTIONS];
    uint32_t pattern; /* the 3×3 bits round the cell, as in crn_bits_pattern */
} crn_patch_steps;
void crn_patch_look(const crn_patch *patch, uint32_t x, uint32_t y, crn_patch_steps *steps);

/* As crn_grid_could_step. */
bool crn_patch_could_step(const crn_patch *patch, uint32_t x, uint32_t y, uint32_t direction);

/* The pattern alone. */
uint32_t crn_patch_pattern(const crn_patch *patch, uint32_t x, uint32_t y);

#endif
