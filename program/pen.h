/* pen.h: what plots are drawn with: lines, boxes and letters, as SVG or as pixels.
 *
 * Places are in pixels of the SVG, from the top left. Colours are 0xrrggbb.
 */
#ifndef PROGRAM_PEN_H
#define PROGRAM_PEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { PEN_BLACK = 0x222222, PEN_WHITE = 0xffffff };

typedef struct pen_line {
    double from[2], to[2];
    uint32_t colour;
    double width;
    double dash, gap; /* dash 0 = whole */
} pen_line;

typedef struct pen_text {
    double at[2];
    const char *text;
    double size;
    bool bold;
    enum { PEN_LEFT, PEN_MIDDLE, PEN_RIGHT } anchor; /* which part of it is there */
    double turn;                                     /* degrees, around that place */
} pen_text;

typedef struct pen {
    void (*box)(struct pen *pen, const double corner[2], const double size[2], uint32_t colour);
    void (*line)(struct pen *pen, const pen_line *line);
    void (*diamond)(struct pen *pen, const double centre[2]); /* white, with an outline */
    void (*text)(struct pen *pen, const pen_text *text);
    bool (*end)(struct pen *pen); /* writes it; false after a complaint; frees the pen */
} pen;

/* The diamond's half width. */
#define PEN_DIAMOND 5.0

/* NULL after a complaint. */
pen *pen_svg(FILE *out, double width, double height);
pen *pen_png(FILE *out, double width, double height);

/* Was the program built with libpng? */
bool pen_has_png(void);

#endif
