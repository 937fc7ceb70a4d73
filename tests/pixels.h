/* pixels.h: for the tests of pictures: is it XML, and which colour has a pixel? */
#ifndef TESTS_PIXELS_H
#define TESTS_PIXELS_H

#include "support.h"

#include <cairn/io.h>

#if defined(CAIRN_WITH_PNG)
#include <png.h>
#endif

static inline uint32_t count_of(const char *text, const char *part)
{
    uint32_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at++) count++;
    return count;
}

/* ---- XML ---- */

/* Reads on behind a quoted value; NULL if there is none. */
static inline const char *xml_attribute(const char *at)
{
    at += strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-");
    if (at[0] != '=' || at[1] != '"') return NULL;
    at += 2;
    at += strcspn(at, "\"<");
    return *at == '"' ? at + 1 : NULL;
}

/* Tags that open and close in order, attributes in quotes, nothing strange in between. */
static inline void check_xml(const char *text)
{
    char open[16][32];
    uint32_t depth = 0, tags = 0;
    for (const char *at = text; *at;) {
        if (*at != '<') {
            CHECK(*at != '&' && *at != '>' && (depth || *at == '\n'), "a stray '%c'", *at);
            at++;
            continue;
        }
        bool closing = at[1] == '/';
        const char *name = at + 1 + closing;
        size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        CHECK(length && length < 32, "a tag without a name: %.20s", at);
        at = name + length;
        while (*at == ' ') {
            const char *next = xml_attribute(at + 1);
            CHECK(next && !closing, "a bad attribute: %.40s", at);
            at = next;
        }
        bool empty = *at == '/';
        at += empty;
        CHECK(*at == '>', "a tag does not end: %.40s", at);
        at++;
        if (closing) {
            CHECK(depth && strlen(open[depth - 1]) == length &&
                      !memcmp(open[depth - 1], name, length),
                  "</%.*s> closes nothing", (int)length, name);
            depth--;
        } else if (!empty) {
            assert_true(depth < 16);
            memcpy(open[depth], name, length);
            open[depth++][length] = 0;
        }
        tags++;
    }
    CHECK(!depth && tags, "%u tags are open at the end", depth);
}

static inline cairn_file svg_of_picture(const cairn_picture *picture)
{
    cairn_file file;
    CHECK_OK(cairn_picture_svg(picture, &file, NULL));
    check_xml(file.data);
    return file;
}

/* ---- pixels ---- */

#if defined(CAIRN_WITH_PNG)

typedef struct pixels {
    png_image image;
    uint8_t *data;
} pixels;

static inline pixels pixels_of_picture(const cairn_picture *picture)
{
    pixels p = {.image = {.version = PNG_IMAGE_VERSION}};
    cairn_file file;
    CHECK_OK(cairn_picture_png(picture, &file, NULL));
    CHECK(png_image_begin_read_from_memory(&p.image, file.data, file.size), "%s", p.image.message);
    p.image.format = PNG_FORMAT_RGB;
    p.data = malloc(PNG_IMAGE_SIZE(p.image));
    if (!p.data) abort();
    CHECK(png_image_finish_read(&p.image, NULL, p.data, 0, NULL), "%s", p.image.message);
    cairn_file_free(cairn_space_context(picture->space), &file);
    return p;
}

static inline uint32_t pixel(const pixels *p, double x, double y)
{
    assert_true(x >= 0 && y >= 0 && x < p->image.width && y < p->image.height);
    const uint8_t *at = p->data + ((size_t)y * p->image.width + (size_t)x) * 3;
    return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
}

#define CHECK_PIXEL(p, x, y, colour) \
    CHECK(pixel(p, x, y) == (colour), "(%g, %g) is %06x, not %06x", (double)(x), (double)(y), \
          pixel(p, x, y), (unsigned)(colour))

#endif

#endif
