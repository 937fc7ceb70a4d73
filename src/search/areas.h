/* areas.h: a space divided at its narrow passages, and the borders between the parts.
 *
 * A cell of a grid is narrow if the open cells beside it in its row, or in its column, are no more
 * than `width`. Cells that are narrow in the same direction and connected are an area: a corridor
 * or a door; and so are connected cells that are not narrow: a room. In other worlds every node is
 * an area.
 *
 * All edges between two areas, in either direction, are their border. Of the nodes on each of its
 * sides a box and their number are known.
 *
 * Used by dead-end, which needs the passages that are the only connection (dead_ends_index.c), and
 * by gateway, which measures the costs between them (gateway_index.c).
 */
#ifndef CRN_AREAS_H
#define CRN_AREAS_H

#include "world/grid_space.h"

#define CRN_NO_AREA UINT32_MAX
#define CRN_AREAS_WIDTH 64u /* of a passage at most */

/* One side of a border. */
typedef struct crn_border_side {
    bool filled;
    uint32_t left, top, right, bottom; /* round its nodes */
    uint32_t count;                    /* of those that an edge leaves ... */
    cairn_node counted;                /* ... of which this is the last one */
} crn_border_side;

typedef struct crn_border {
    uint32_t areas[2]; /* ascending; both 0: the place in the table is free */
    crn_border_side sides[2];
} crn_border;

typedef struct crn_areas {
    cairn_space *space;
    const crn_grid_space *map; /* NULL: it is no grid */
    uint32_t columns;          /* of a grid; else 0 */
    /* Three arrays of the caller's, a number for each node: its area (CRN_NO_AREA: none) ... */
    uint32_t *of;
    uint32_t *kinds, *queue; /* ... and two that are needed while it is divided */
    uint32_t count;
    crn_border *borders; /* a hash table; NULL = not found yet */
    size_t capacity, border_count;
    size_t crossings; /* edges from one area to another */
} crn_areas;

/* Returns the areas of a space that is not divided yet, without arrays. */
crn_areas crn_areas_of(cairn_space *space);

/* Divides the space at passages of this width. */
void crn_areas_divide(crn_areas *areas, uint32_t width);

/* Finds the borders of the areas as they are. False = no memory. */
bool crn_areas_find_borders(crn_areas *areas);
void crn_areas_free_borders(crn_areas *areas);

/* Returns the border of two areas, a < b, or the free place where it belongs. */
crn_border *crn_areas_border(const crn_areas *areas, uint32_t a, uint32_t b);

#endif
