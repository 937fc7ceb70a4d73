/* film.c: animated pictures (see film.h).
 *
 * An APNG is a PNG whose first image is the first frame, with three kinds of chunks more: acTL says
 * how many frames there are, fcTL where a frame lies and how long it is shown, fdAT is the image of
 * a frame that is not the first. Programs that know none of them show the first frame.
 *
 * Source: Portable Network Graphics (PNG) Specification, third edition, 2025, 11.3.6.
 */
#include "film.h"

#include "files.h"

#if defined(CAIRN_WITH_PNG)

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct film {
    film_options options;
    uint8_t *before; /* the last frame */
    uint8_t *rows;   /* of the rectangle, each after a byte for its filter */
    uint8_t *packed; /* by zlib, behind room for a number */
    size_t room;     /* of `packed` */
    uint32_t frames; /* added */
    uint32_t number; /* of the next chunk of the animation */
    size_t counted;  /* where acTL is */
    uint8_t *bytes;  /* the file */
    size_t size, capacity;
    bool failed;
};

typedef struct film_box {
    uint32_t left, top, width, height;
} film_box;

enum { FILM_NUMBER = 4, FILM_CHUNK = 12, FILM_CONTROL = 26, FILM_LEVEL = 6 };

bool film_is_there(void)
{
    return true;
}

/* ---- the file ---- */

static void film_number(uint8_t out[FILM_NUMBER], uint32_t number)
{
    for (uint32_t i = 0; i < FILM_NUMBER; i++) out[i] = (uint8_t)(number >> (24 - 8 * i));
}

static void film_put(film *f, const void *bytes, size_t size)
{
    if (f->failed) return;
    if (f->size + size > f->capacity) {
        size_t capacity = (f->size + size) * 2;
        uint8_t *grown = realloc(f->bytes, capacity);
        f->failed = !grown;
        if (!grown) return;
        f->bytes = grown;
        f->capacity = capacity;
    }
    memcpy(f->bytes + f->size, bytes, size);
    f->size += size;
}

/* The number that ends a chunk: over its name and its data. */
static void film_seal(uint8_t *chunk, uint32_t size)
{
    uLong sum = crc32(0, chunk + FILM_NUMBER, FILM_NUMBER + size);
    film_number(chunk + 2 * FILM_NUMBER + size, (uint32_t)sum);
}

static void film_chunk(film *f, const char *name, const uint8_t *data, uint32_t size)
{
    uint8_t number[FILM_NUMBER];
    size_t begin = f->size;
    film_number(number, size);
    film_put(f, number, sizeof number);
    film_put(f, name, FILM_NUMBER);
    if (size) film_put(f, data, size);
    film_put(f, number, sizeof number);
    if (!f->failed) film_seal(f->bytes + begin, size);
}

static void film_head(film *f)
{
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t head[13] = {[8] = 8, [9] = 3}; /* of numbers of colours, eight bits each */
    uint8_t palette[3 * 256], animation[8] = {0};
    film_number(head, f->options.width);
    film_number(head + 4, f->options.height);
    for (uint32_t i = 0; i < 3 * f->options.colours; i++)
        palette[i] = (uint8_t)(f->options.palette[i / 3] >> (16 - 8 * (i % 3)));
    film_put(f, signature, sizeof signature);
    film_chunk(f, "IHDR", head, sizeof head);
    f->counted = f->size;
    film_chunk(f, "acTL", animation, sizeof animation);
    film_chunk(f, "PLTE", palette, 3 * f->options.colours);
}

/* How many frames there are is known only in the end. */
static void film_count(film *f)
{
    if (f->failed) return;
    film_number(f->bytes + f->counted + 2 * FILM_NUMBER, f->frames);
    film_seal(f->bytes + f->counted, 8);
}

/* ---- frames ---- */

/* The rectangle that differs; a pixel of it, if nothing does. */
static film_box film_difference(const film *f, const uint8_t *pixels)
{
    uint32_t width = f->options.width, height = f->options.height;
    film_box all = {0, 0, width, height}, box = {0, 0, 1, 1};
    uint32_t left = width, right = 0, top = height, bottom = 0;
    if (!f->frames) return all;
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *a = f->before + (size_t)y * width, *b = pixels + (size_t)y * width;
        if (!memcmp(a, b, width)) continue;
        uint32_t first = 0, last = width - 1;
        while (a[first] == b[first]) first++;
        while (a[last] == b[last]) last--;
        if (first < left) left = first;
        if (last > right) right = last;
        if (y < top) top = y;
        bottom = y;
    }
    if (left <= right) box = (film_box){left, top, right - left + 1, bottom - top + 1};
    return box;
}

static void film_control(film *f, const film_box *box)
{
    uint8_t control[FILM_CONTROL] = {0};
    const uint32_t numbers[] = {f->number++, box->width, box->height, box->left, box->top};
    for (uint32_t i = 0; i < 5; i++) film_number(control + (size_t)i * FILM_NUMBER, numbers[i]);
    control[20] = (uint8_t)(f->options.pause >> 8);
    control[21] = (uint8_t)f->options.pause;
    control[22] = 1000 >> 8;
    control[23] = 1000 & 255;
    film_chunk(f, "fcTL", control, sizeof control);
}

static void film_image(film *f, const uint8_t *pixels, const film_box *box)
{
    size_t width = f->options.width, row = (size_t)box->width + 1;
    for (uint32_t y = 0; y < box->height; y++) {
        f->rows[y * row] = 0;
        memcpy(f->rows + y * row + 1, pixels + (y + box->top) * width + box->left, box->width);
    }
    uLongf packed = (uLongf)(f->room - FILM_NUMBER);
    if (compress2(f->packed + FILM_NUMBER, &packed, f->rows, (uLong)(row * box->height),
                  FILM_LEVEL) != Z_OK) {
        f->failed = true;
    } else if (!f->frames) {
        film_chunk(f, "IDAT", f->packed + FILM_NUMBER, (uint32_t)packed);
    } else {
        film_number(f->packed, f->number++);
        film_chunk(f, "fdAT", f->packed, (uint32_t)packed + FILM_NUMBER);
    }
}

void film_add(film *f, const uint8_t *pixels)
{
    film_box box = film_difference(f, pixels);
    film_control(f, &box);
    film_image(f, pixels, &box);
    memcpy(f->before, pixels, (size_t)f->options.width * f->options.height);
    f->frames++;
}

/* ---- beginning and end ---- */

static void film_free(film *f)
{
    if (!f) return;
    free(f->before);
    free(f->rows);
    free(f->packed);
    free(f->bytes);
    free(f);
}

film *film_begin(const film_options *options)
{
    film *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    size_t pixels = (size_t)options->width * options->height, rows = pixels + options->height;
    f->options = *options;
    f->room = compressBound((uLong)rows) + FILM_NUMBER;
    f->before = calloc(pixels, 1);
    f->rows = malloc(rows);
    f->packed = malloc(f->room);
    if (!f->before || !f->rows || !f->packed) {
        film_free(f);
        return NULL;
    }
    film_head(f);
    return f;
}

int film_end(film *f, const char *name)
{
    film_chunk(f, "IEND", NULL, 0);
    film_count(f);
    int end = END_DATA;
    if (f->failed)
        complain("there is not enough memory for the frames of %s", name);
    else
        end = files_put(name, (cairn_file){(char *)f->bytes, f->size});
    film_free(f);
    return end;
}

#else

bool film_is_there(void)
{
    return false;
}

film *film_begin(const film_options *options)
{
    (void)options;
    return NULL;
}

void film_add(film *f, const uint8_t *pixels)
{
    (void)f;
    (void)pixels;
}

int film_end(film *f, const char *name)
{
    (void)f;
    complain("%s: this program was built without PNG", name);
    return END_DATA;
}

#endif
