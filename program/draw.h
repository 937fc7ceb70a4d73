/* draw.h: a grid, what a search looked at and its path, drawn in the terminal. */
#ifndef PROGRAM_DRAW_H
#define PROGRAM_DRAW_H

#include "world.h"

#include <stdio.h>

typedef struct drawing {
    const world *world; /* of a grid */
    const cairn_recording *recording;
    cairn_colouring colour; /* of what was expanded */
    const cairn_path *path;
    const cairn_node *smooth; /* NULL = the path as it is */
    uint32_t smooth_count;
    const cairn_position *curve; /* instead of `smooth`; NULL = none */
    uint32_t curve_count;
    cairn_node from, to; /* CAIRN_NO_NODE = not on the map */
} drawing;

/* Large maps are shrunk to the width of the terminal. Colours and half blocks on a
 * terminal that has them, letters elsewhere. False if memory ran out. */
bool draw_print(const drawing *d, FILE *out);

#endif
