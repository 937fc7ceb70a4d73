/* letters.h: letters as strokes, for pictures of any size and direction (see letters.c). */
#ifndef PROGRAM_LETTERS_H
#define PROGRAM_LETTERS_H

#include <stdint.h>

/* Units of the letters: a capital one is so high, and stands on y = LETTERS_BASE. */
enum { LETTERS_HEIGHT = 12, LETTERS_BASE = 12, LETTERS_DEPTH = 4, LETTERS_POINTS = 64 };

typedef struct letters_point {
    double x, y;
} letters_point;

/* Takes a letter off a text in UTF-8; what is not ASCII becomes a '?'. */
char letters_next(const char **text);

/* How far the next letter is. */
uint32_t letters_advance(char letter);

/* How long a text is. */
uint32_t letters_width(const char *text);

/* The next stroke of a letter, as points that lines join; 0 = there is no other. `*at` is 0 at
 * first. */
uint32_t letters_stroke(char letter, uint32_t *at, letters_point out[LETTERS_POINTS]);

#endif
