/* film.h: an animated picture (APNG), written frame by frame.
 *
 * Pixels are numbers of colours. Of every frame but the first only the rectangle that differs from
 * the one before is stored, so that a few dots that move on a large map cost little.
 */
#ifndef PROGRAM_FILM_H
#define PROGRAM_FILM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct film film;

typedef struct film_options {
    uint32_t width, height;  /* in pixels */
    const uint32_t *palette; /* 0xrrggbb */
    uint32_t colours;        /* of the palette: 1 to 256 */
    uint32_t pause;          /* milliseconds that a frame is shown */
} film_options;

/* Can this program write films? It needs libpng's zlib. */
bool film_is_there(void);

/* NULL if there is no memory, or film_is_there is not. */
film *film_begin(const film_options *options);

/* Adds a frame of width * height pixels. */
void film_add(film *f, const uint8_t *pixels);

/* Writes the file and frees the film. END_OK, or END_DATA after a complaint. */
int film_end(film *f, const char *name);

#endif
