/* pixels.h (internal): pixels become cells, one by one, wherever they come from (see pixels.c). */
#ifndef CRN_IO_PIXELS_H
#define CRN_IO_PIXELS_H

#include "io/support.h"

#define CRN_PIXELS_KNOWN_BITS 8

/* A colour of the palette; of two that are equally near the one with the lower order counts. */
typedef struct crn_pixels_colour {
    uint32_t key; /* red, green, blue */
    uint32_t order;
    cairn_png_colour means;
} crn_pixels_colour;

/* A pixel that was judged. */
typedef struct crn_pixels_known {
    uint32_t pixel; /* red, green, blue, alpha */
    bool used;
    cairn_png_colour means;
} crn_pixels_known;

typedef struct crn_pixels {
    cairn_context *context;
    cairn_png_options options;
    cairn_error *error;
    uint32_t width, height; /* set before begin */
    /* of the palette or the default ones, ascending; NULL = threshold */
    crn_pixels_colour *colours;
    uint32_t colour_count, tolerance;
    crn_pixels_known known[1 << CRN_PIXELS_KNOWN_BITS];
    uint8_t *open, *terrain, *layer; /* terrain and layer: NULL until a cell needs them */
} crn_pixels;

/* Checks the options (NULL = default). Must be closed even if this fails. */
cairn_status crn_pixels_open(crn_pixels *pixels, cairn_context *context,
                             const cairn_png_options *options, cairn_error *error);

/* Takes memory for width × height cells. `ours`: cairn_grid_png wrote the picture. */
cairn_status crn_pixels_begin(crn_pixels *pixels, bool ours);

/* Red, green, blue, alpha. */
cairn_status crn_pixels_put(crn_pixels *pixels, const uint8_t *pixel, uint32_t x, uint32_t y);

cairn_status crn_pixels_grid(const crn_pixels *pixels, cairn_grid **out);
void crn_pixels_close(crn_pixels *pixels);

#endif
