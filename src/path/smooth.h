/* smooth.h: what all kinds of smoothing share: which paths can be smoothed, and the points of the
 * result. */
#ifndef CRN_SMOOTH_H
#define CRN_SMOOTH_H

#include "world/grid.h"
#include <cairn/path.h>

/* CAIRN_OK, or why this path is not smoothed. */
cairn_status crn_smooth_check(const cairn_space *space, const cairn_path *path);

/* The result so far. Its last point may still move on along its line. */
typedef struct crn_smooth_output {
    const cairn_grid *grid;
    cairn_node *nodes; /* NULL = count only */
    uint32_t capacity, count;
    uint32_t piece; /* points of this piece of the path so far; a new piece begins with 0 */
    cairn_node before, last;
    double length; /* as the crow flies, up to `before` */
} crn_smooth_output;

/* One point more; points in line are merged. */
void crn_smooth_add(crn_smooth_output *output, cairn_node node);

/* What the caller gets to know of it; *status becomes CAIRN_INVALID if it found no room. */
void crn_smooth_give(const crn_smooth_output *output, cairn_status *status, cairn_smoothed *out);

/* Graphs: an edge is no line of sight, so the path stays as it is. */
void crn_smooth_keep(crn_smooth_output *output, const cairn_path *path);

#endif
