/* text.h: small helpers with text and numbers. */
#ifndef PROGRAM_TEXT_H
#define PROGRAM_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* How many letters must be changed, added, dropped or swapped to make b of a. */
uint32_t text_distance(const char *a, const char *b);

/* The candidate nearest to a mistyped word, NULL if none is near enough to be meant. Call
 * with best = NULL first, then with what came back, for each candidate. */
const char *text_nearer(const char *word, const char *best, const char *candidate);

/* A whole number in decimal digits, perhaps with a minus; the whole text must be used. */
bool text_integer(const char *text, size_t length, int64_t minimum, int64_t maximum, int64_t *out);

/* "X,Y" */
bool text_pair(const char *text, int32_t *x, int32_t *y);

/* The part of a path behind the last slash. */
const char *text_base(const char *path);

/* Does a name end so, with something in front of it? */
bool text_ends_with(const char *name, const char *ending);

/* How many characters of UTF-8 it has. */
uint32_t text_width(const char *text);

/* How many bytes the character of UTF-8 at `text` has; 0 if it is none. */
uint32_t text_character(const char *text);

/* The number of a character of `length` bytes. */
uint32_t text_code(const char *text, uint32_t length);

/* Is the character of `length` bytes one that a terminal obeys instead of showing it: a control
 * character, or one that ends a line or turns the direction of writing? */
bool text_commands(const char *text, uint32_t length);

/* Text that came from a file or the command line, such as names of files, fit for a terminal:
 * bytes of characters that it would obey, and those that are no UTF-8, become \xNN. Every text
 * from elsewhere is printed by these. What does not fit is cut off. */
void text_shown(const char *text, char *out, size_t size);

#if defined(__GNUC__)
#define TEXT_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define TEXT_PRINTF(f, a)
#endif

/* As printf and vfprintf, with every %s shown like that. */
void say(const char *format, ...) TEXT_PRINTF(1, 2);
void text_say(FILE *out, const char *format, va_list arguments) TEXT_PRINTF(2, 0);

/* Short forms for people, written into `out` (32 bytes are always enough) and returned:
 * 1,234,567; 12.3 KB; 4.56 ms; a number with three significant digits or so. */
enum { TEXT_SHORT = 32 };
const char *text_count(uint64_t n, char out[TEXT_SHORT]);
const char *text_bytes(uint64_t n, char out[TEXT_SHORT]);
const char *text_duration(double microseconds, char out[TEXT_SHORT]);
const char *text_number(double n, char out[TEXT_SHORT]);

/* May this stream get colours and cursor moves? Only a terminal, unless it is a dumb one
 * or NO_COLOR is set. */
bool text_colourful(FILE *stream);
bool text_terminal(FILE *stream);

/* Does the terminal show UTF-8, going by the environment? */
bool text_utf8(void);

/* The width of the terminal; 80 if it is unknown. */
uint32_t text_columns(void);

/* Seconds on a clock that only goes forward. */
double text_clock(void);

#endif
