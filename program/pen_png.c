/* pen_png.c: drawing as pixels, by libpng (see pen.h).
 *
 * A pixel of the SVG is PIXELS_SCALE pixels wide here. Lines are painted by their distance to each
 * pixel, which gives smooth edges and round ends; letters are strokes, and so can stand in any
 * direction. Boxes begin and end at whole pixels.
 */
#include "pen.h"

#include "command.h"

#if defined(CAIRN_WITH_PNG)

#include "letters.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#define PIXELS_SCALE 2
/* The height of a capital letter, and how thick its strokes are, as parts of the size. */
#define PIXELS_LETTER 0.72
#define PIXELS_STROKE 0.1
#define PIXELS_BOLD 0.13

typedef struct pixels_pen {
    pen pen;
    FILE *out;
    uint32_t width, height;
    uint8_t *pixels;
} pixels_pen;

bool pen_has_png(void)
{
    return true;
}

/* ---- painting ---- */

static void pixels_blend(pixels_pen *png, int32_t x, int32_t y, uint32_t colour, double part)
{
    if (part <= 0 || x < 0 || y < 0 || x >= (int32_t)png->width || y >= (int32_t)png->height)
        return;
    uint32_t p = part >= 1 ? 256 : (uint32_t)(part * 16) * 16; /* few shades make small files */
    uint8_t *pixel = png->pixels + ((size_t)y * png->width + (size_t)x) * 3;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t own = colour >> (16 - 8 * i) & 255;
        pixel[i] = (uint8_t)((pixel[i] * (256 - p) + own * p) >> 8);
    }
}

static int32_t pixels_at(double place)
{
    return (int32_t)floor(place * PIXELS_SCALE + 0.5);
}

static void pixels_box(pen *p, const double corner[2], const double size[2], uint32_t colour)
{
    int32_t right = pixels_at(corner[0] + size[0]), bottom = pixels_at(corner[1] + size[1]);
    for (int32_t y = pixels_at(corner[1]); y < bottom; y++)
        for (int32_t x = pixels_at(corner[0]); x < right; x++)
            pixels_blend((pixels_pen *)p, x, y, colour, 1);
}

static double pixels_distance(const double a[2], const double b[2], double x, double y)
{
    double dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
    double t = length > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / length : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(x - a[0] - t * dx, y - a[1] - t * dy);
}

/* From a to b in pixels, with round ends. */
static void pixels_segment(pixels_pen *png, const double a[2], const double b[2], double width,
                           uint32_t colour)
{
    double reach = width / 2 + 1;
    int32_t left = (int32_t)floor(fmin(a[0], b[0]) - reach);
    int32_t right = (int32_t)ceil(fmax(a[0], b[0]) + reach);
    int32_t top = (int32_t)floor(fmin(a[1], b[1]) - reach);
    int32_t bottom = (int32_t)ceil(fmax(a[1], b[1]) + reach);
    for (int32_t y = top; y < bottom; y++)
        for (int32_t x = left; x < right; x++)
            pixels_blend(png, x, y, colour,
                         width / 2 + 0.5 - pixels_distance(a, b, x + 0.5, y + 0.5));
}

/* Lines along the axes fill whole pixels; a box does that best. */
static void pixels_straight(pixels_pen *png, const double from[2], const double to[2], double width,
                            uint32_t colour)
{
    bool level = fabs(to[0] - from[0]) > fabs(to[1] - from[1]);
    double corner[2] = {fmin(from[0], to[0]), fmin(from[1], to[1])};
    double size[2] = {level ? fabs(to[0] - from[0]) : width, level ? width : fabs(to[1] - from[1])};
    corner[level] = (double)pixels_at(from[level] - width / 2) / PIXELS_SCALE;
    pixels_box(&png->pen, corner, size, colour);
}

static void pixels_part(pixels_pen *png, const pen_line *line, double begin, double end)
{
    double ends[2][2];
    for (uint32_t i = 0; i < 2; i++) {
        ends[0][i] = line->from[i] + (line->to[i] - line->from[i]) * begin;
        ends[1][i] = line->from[i] + (line->to[i] - line->from[i]) * end;
    }
    double dx = fabs(ends[1][0] - ends[0][0]), dy = fabs(ends[1][1] - ends[0][1]);
    if (fmin(dx, dy) < 1e-9) {
        pixels_straight(png, ends[0], ends[1], line->width, line->colour);
        return;
    }
    for (uint32_t i = 0; i < 4; i++) ends[i / 2][i % 2] *= PIXELS_SCALE;
    pixels_segment(png, ends[0], ends[1], line->width * PIXELS_SCALE, line->colour);
}

static void pixels_line(pen *p, const pen_line *line)
{
    double length = hypot(line->to[0] - line->from[0], line->to[1] - line->from[1]);
    double dash = line->dash > 0 ? line->dash : length;
    for (double at = 0; at < length; at += dash + line->gap)
        pixels_part((pixels_pen *)p, line, at / length, fmin(at + dash, length) / length);
}

static void pixels_diamond(pen *p, const double centre[2])
{
    double x = centre[0] * PIXELS_SCALE, y = centre[1] * PIXELS_SCALE,
           reach = PEN_DIAMOND * PIXELS_SCALE;
    for (int32_t py = (int32_t)(y - reach - 2); py < y + reach + 2; py++) {
        for (int32_t px = (int32_t)(x - reach - 2); px < x + reach + 2; px++) {
            double depth = (reach - fabs(px + 0.5 - x) - fabs(py + 0.5 - y)) * 0.7071;
            pixels_blend((pixels_pen *)p, px, py, PEN_BLACK, depth + PIXELS_SCALE / 2.0 + 0.5);
            pixels_blend((pixels_pen *)p, px, py, PEN_WHITE, depth - PIXELS_SCALE / 2.0 + 0.5);
        }
    }
}

/* ---- letters ---- */

/* Where a text stands, and how long a unit of its letters is there, in pixels. */
typedef struct pixels_place {
    double origin[2], along[2], width;
} pixels_place;

static void pixels_point(const pixels_place *place, double x, double y, double out[2])
{
    out[0] = place->origin[0] + x * place->along[0] - y * place->along[1];
    out[1] = place->origin[1] + x * place->along[1] + y * place->along[0];
}

static void pixels_letter(pixels_pen *png, const pixels_place *place, char letter, double left)
{
    letters_point points[LETTERS_POINTS];
    uint32_t at = 0, count;
    while ((count = letters_stroke(letter, &at, points))) {
        double ends[2][2];
        pixels_point(place, left + points[0].x, points[0].y - LETTERS_BASE, ends[0]);
        for (uint32_t i = 1; i < count; i++) {
            pixels_point(place, left + points[i].x, points[i].y - LETTERS_BASE, ends[i & 1]);
            pixels_segment(png, ends[!(i & 1)], ends[i & 1], place->width, PEN_BLACK);
        }
    }
}

static void pixels_text(pen *p, const pen_text *text)
{
    double unit = text->size * PIXELS_LETTER / LETTERS_HEIGHT * PIXELS_SCALE;
    double turn = text->turn * acos(-1) / 180, width = letters_width(text->text);
    pixels_place place = {{text->at[0] * PIXELS_SCALE, text->at[1] * PIXELS_SCALE},
                          {unit * cos(turn), unit * sin(turn)},
                          text->size * (text->bold ? PIXELS_BOLD : PIXELS_STROKE) * PIXELS_SCALE};
    double left = text->anchor == PEN_LEFT ? 0 : text->anchor == PEN_RIGHT ? -width : -width / 2;
    for (const char *at = text->text; *at;) {
        char letter = letters_next(&at);
        pixels_letter((pixels_pen *)p, &place, letter, left);
        left += letters_advance(letter);
    }
}

/* ---- the file ---- */

static void pixels_silent(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

/* Pixels become numbers of colours, in place, if there are at most 256 of those; else 0. */
static int pixels_count(pixels_pen *png, png_color colours[256])
{
    size_t size = (size_t)png->width * png->height;
    uint8_t *numbers = malloc(size);
    int count = 0;
    for (size_t i = 0; numbers && i < size && count <= 256; i++) {
        const uint8_t *pixel = png->pixels + 3 * i;
        int c = i ? numbers[i - 1] : 0, tried = 0;
        for (; tried < count && memcmp(&colours[c], pixel, 3) != 0; tried++) c = (c + 1) % count;
        if (tried == count && count++ < 256)
            colours[c = count - 1] = (png_color){pixel[0], pixel[1], pixel[2]};
        numbers[i] = (uint8_t)c;
    }
    bool few = numbers && count <= 256;
    if (few) memcpy(png->pixels, numbers, size);
    free(numbers);
    return few ? count : 0;
}

/* Left by longjmp if it fails, so it owns nothing. */
static void pixels_encode(png_structp file, png_infop info, pixels_pen *png)
{
    png_color colours[256];
    int count = pixels_count(png, colours);
    png_init_io(file, png->out);
    png_set_IHDR(file, info, png->width, png->height, 8,
                 count ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (count) png_set_PLTE(file, info, colours, count);
    png_set_compression_level(file, 9);
    png_set_filter(file, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_write_info(file, info);
    for (uint32_t y = 0; y < png->height; y++)
        png_write_row(file, png->pixels + (size_t)y * png->width * (count ? 1 : 3));
    png_write_end(file, info);
}

static bool pixels_end(pen *p)
{
    pixels_pen *png = (pixels_pen *)p;
    png_structp file = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, pixels_silent);
    png_infop info = file ? png_create_info_struct(file) : NULL;
    volatile bool ok = false;
    if (info && !setjmp(png_jmpbuf(file))) {
        pixels_encode(file, info, png);
        ok = true;
    }
    png_destroy_write_struct(&file, &info);
    free(png->pixels);
    free(png);
    if (!ok) complain("a plot cannot be written as PNG");
    return ok;
}

pen *pen_png(FILE *out, double width, double height)
{
    pixels_pen *png = malloc(sizeof *png);
    if (png) {
        *png =
            (pixels_pen){.pen = {pixels_box, pixels_line, pixels_diamond, pixels_text, pixels_end},
                         .out = out,
                         .width = (uint32_t)ceil(width * PIXELS_SCALE),
                         .height = (uint32_t)ceil(height * PIXELS_SCALE)};
        size_t size = (size_t)png->width * png->height * 3;
        png->pixels = malloc(size);
        if (png->pixels) memset(png->pixels, 255, size);
    }
    if (png && png->pixels) return &png->pen;
    free(png);
    return complain("there is not enough memory for plots"), NULL;
}

#else

bool pen_has_png(void)
{
    return false;
}

pen *pen_png(FILE *out, double width, double height)
{
    (void)out, (void)width, (void)height;
    return complain("this program was built without PNG"), NULL;
}

#endif
