/* draw.h: a grid, what a search looked at and its path, drawn in the terminal. */
#ifndef PROGRAM_DRAW_H
#define PROGRAM_DRAW_H

#include "world.h"

#include <stdio.h>

/* When each node was first expanded, from 1; filled by a trace sink. */
typedef struct draw_record {
    uint32_t *order;
    uint32_t count, last;
} draw_record;

bool draw_record_create(draw_record *record, const world *w);
void draw_record_free(draw_record *record);
cairn_trace_sink draw_record_sink(draw_record *record);

typedef struct drawing {
    const world *world; /* of a grid */
    const draw_record *record;
    const cairn_path *path;
    const cairn_node *smooth; /* NULL = the path as it is */
    uint32_t smooth_count;
    cairn_node from, to; /* CAIRN_NO_NODE = not on the map */
} drawing;

/* Large maps are shrunk to the width of the terminal. Colours and half blocks on a
 * terminal that has them, letters elsewhere. False if memory ran out. */
bool draw_print(const drawing *d, FILE *out);

#endif
