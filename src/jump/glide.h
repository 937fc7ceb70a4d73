/* glide.h: going over many cells of a diagonal at once.
 *
 * Under corners=never a diagonal jump need not stop at most cells that it passes: they and the
 * cells beside the next step are free, and the runs from them along their row and their column end
 * at walls. To find that out takes two words of each axis. Processors with wide registers test four
 * cells together. Whether they are used changes nothing but the time.
 */
#ifndef CRN_JUMP_GLIDE_H
#define CRN_JUMP_GLIDE_H

#include "core/core.h"

#define CRN_GLIDE_LANES 4u

/* Bitmaps of rows, or of columns. */
typedef struct crn_glide_axis {
    const uint8_t *usable, *pass; /* see world/runs.h */
    /* in bits to the next cells of the diagonal; may be negative, modulo 2^64 */
    uint64_t ahead[CRN_GLIDE_LANES];
} crn_glide_axis;

/* What was found at the next cells, a bit for each. */
typedef struct crn_glide_found {
    uint8_t free;        /* it can be stood on, ... */
    uint8_t leads_on;    /* ... and so can those beside the step out of it */
    uint8_t row, column; /* there is a jump point at the end of the run along the row, the column */
} crn_glide_found;

/* Goes on, by whole groups of CRN_GLIDE_LANES cells and at most `cells` ≥ CRN_GLIDE_LANES, as long
 * as nothing is found; then reports what is found in the next group. Returns how many cells were
 * passed; there is no next group if fewer are left. axes: rows, columns; at: the bit of the cell
 * that we are in, in each; all cells must be inside the map. */
typedef uint32_t crn_glide(const crn_glide_axis axes[2], const uint64_t at[2], uint32_t cells,
                           crn_glide_found *found);

/* By diagonal direction less CRN_NE; NULL = this processor has no wide registers that we know. */
crn_glide *crn_glide_choose(uint32_t diagonal);

#endif
