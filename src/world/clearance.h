/* clearance.h: clearance, the distance from the centre of a cell to the nearest blocked one, the
 * outside of the map included. It is looked up in a field, if one is kept, or computed.
 *
 * Distances are 12 · distance² (see size.h), whole numbers. The field cuts them off at some number
 * of cells.
 */
#ifndef CRN_CLEARANCE_H
#define CRN_CLEARANCE_H

#include "world/size.h"

#define CRN_CLEARANCE_MAX 64u

typedef struct crn_clearance {
    cairn_context *context;
    uint32_t width, height;
    cairn_layout layout;
    uint32_t cells;   /* the cut-off, 1…CRN_CLEARANCE_MAX */
    uint32_t reach;   /* a cell beyond this many rows or columns is farther than the cut-off */
    uint16_t *values; /* of every cell */
    uint16_t *best;   /* scratch: a row of values in the making */
    uint8_t *near;    /* scratch: a ring of rows, see clearance.c */
    /* by row offset and columns to the nearest blocked cell of that row */
    uint16_t (*gap)[CRN_CLEARANCE_MAX + 2];
} crn_clearance;

/* Creates a field. `free` has a bit for every cell that is not blocked. CAIRN_OUT_OF_MEMORY leaves
 * nothing behind. */
cairn_status crn_clearance_create(cairn_context *context, const crn_bitmap *free, uint32_t cells,
                                  crn_clearance **out);
void crn_clearance_destroy(crn_clearance *field); /* NULL is allowed */
size_t crn_clearance_bytes(const crn_clearance *field);

/* Updates the field after cells in the box have changed. Returns how many values were computed. */
uint64_t crn_clearance_update(crn_clearance *field, const crn_bits *free,
                              const crn_size_box *changed);

/* Computes the value of one cell without a field: at most `limit`; UINT32_MAX is no limit. *nearest
 * (may be NULL) becomes the blocked cell at that distance, of several the least one; CAIRN_NO_NODE
 * if it lies outside the map or none is nearer than `limit`. */
uint32_t crn_clearance_look(const crn_bitmap *free, uint32_t x, uint32_t y, uint32_t limit,
                            cairn_node *nearest);

/* 12 · distance² as a distance in cells. */
double crn_clearance_distance(uint32_t gap12);

#endif
