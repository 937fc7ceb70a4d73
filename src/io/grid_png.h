/* grid_png.h (internal): what writing and reading grids as PNG have in common. */
#ifndef CRN_IO_GRID_PNG_H
#define CRN_IO_GRID_PNG_H

#include "io/support.h"

/* The text that cairn_grid_png leaves in a file, by which the reader knows it. */
#define CRN_PNG_KEYWORD "Software"
#define CRN_PNG_MARK "Cairn grid 1"

/* Blocked, then the classes. */
#define CRN_PNG_LOOKS 257u

#endif
