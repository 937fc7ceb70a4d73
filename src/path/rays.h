/* rays.h: ray smoothing on the grid, in slices.
 *
 * Only lines on which the path has cells farther on can be hit, so a ray is not followed blindly:
 * all cells of the path are listed by the lines they lie on (rows, columns, diagonals), the last
 * one first, and a cell that sends rays looks through the lists of its own lines. The first cell
 * that a ray can reach is the farthest along the path, and steps are tried only as far as there is
 * something to hit. Points are cells in a plane in which lines are straight: hexagons in axial
 * coordinates (line.h). If rays end after a box, lines are listed in stretches that are at least as
 * long: only three of them can be hit, however often the path crosses the line elsewhere.
 */
#ifndef CRN_RAYS_H
#define CRN_RAYS_H

#include "world/grid_space.h"

/* Lines through a point: y, x, x + y or x − y is the same. Four neighbours need two of them,
 * hexagons three. */
enum { CRN_RAYS_ROW, CRN_RAYS_COLUMN, CRN_RAYS_RISING, CRN_RAYS_FALLING, CRN_RAYS_LINES };

typedef struct crn_rays {
    crn_scratch *memory;
    const crn_grid_space *space;
    uint32_t lines; /* rays follow this many of them */

    /* The path, and what is known of it. Places count from 1, 0 = none. */
    uint32_t box; /* rays end this many cells away */
    /* lines are cut into stretches of a power of two of cells, at least as long as the box */
    uint32_t shift;
    const cairn_node *path;
    const cairn_cost *costs; /* from the start */
    size_t length;
    size_t cleared, known; /* heads and cells of the path that are ready */
    cairn_cell *points;
    uint32_t (*before)[CRN_RAYS_LINES]; /* the place before this one on the same line */
    uint32_t *heads;                    /* by line and slot: the last place there */
    uint32_t mask;                      /* slots of a line, less 1: two stretches may share one */
    cairn_cost *ray_costs;              /* of two rays, unless the space is uniform */
    size_t point_capacity, before_capacity, head_capacity, ray_capacity;

    /* The result so far: cells one step apart, what the path to them costs; the last `ahead` ones
     * have not sent rays yet. */
    cairn_node *out;
    cairn_cost *out_costs;
    size_t count, out_capacity, out_cost_capacity;
    uint32_t ahead;
    uint32_t first; /* the place of the path's first cell */
    size_t next;    /* where the path goes on behind the result */
} crn_rays;

void crn_rays_open(crn_rays *rays, crn_scratch *memory, const crn_grid_space *space);
void crn_rays_close(crn_rays *rays);
size_t crn_rays_bytes(const crn_rays *rays); /* in use; none once crn_rays_end was called */

/* Cells one step apart and what the path to each of them costs; they must stay as they are until
 * the result is read. False = no memory. */
bool crn_rays_begin(crn_rays *rays, const cairn_node *path, const cairn_cost *costs, size_t length,
                    uint32_t box);

/* Goes on with what follows in the same arrays, when all before is smoothed: the step to its first
 * cell stays as it is, and the result gets longer. */
bool crn_rays_go_on(crn_rays *rays, const cairn_node *path, const cairn_cost *costs, size_t length);

/* A unit of work sends rays from one cell, or gets some cells of the path ready. CAIRN_RUNNING, or
 * CAIRN_OK when `out` is complete. */
cairn_status crn_rays_step(crn_rays *rays, uint64_t *work);

/* The result was read. */
void crn_rays_end(crn_rays *rays);

#endif
