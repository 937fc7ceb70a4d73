/* smooth.h: what --smooth may say: none, sight (or string), rays, box, box=N, spline. */
#ifndef PROGRAM_SMOOTH_H
#define PROGRAM_SMOOTH_H

#include <cairn/cairn.h>

typedef enum smooth_kind { SMOOTH_NONE, SMOOTH_SIGHT, SMOOTH_RAYS, SMOOTH_SPLINE } smooth_kind;

typedef struct smoothing {
    smooth_kind kind;
    uint32_t box; /* rays: this many cells far; 0 = no limit */
} smoothing;

#define SMOOTH_KINDS "none, sight, string, rays, box, box=N or spline"

/* NULL is none. False if it is none of these. */
bool smooth_parse(const char *text, smoothing *out);

/* Smooths a path; a curve's points are those it follows. `out->cost` is that of the result on the
 * grid, or of the path itself if it leaves the grid. */
cairn_status smooth_path(const smoothing *how, const cairn_space *space, const cairn_path *path,
                         cairn_smoothed *out);

#endif
