/* pixels.c: what the pixels of a picture stand for: open or blocked by brightness, or by their
 * colours.
 *
 * The colours of a palette are sorted by red, green, blue: those that a pixel may match lie side by
 * side, so in an exact palette a binary search finds the only candidate. Since most pictures have
 * few colours, a small direct-mapped cache remembers what each colour stood for.
 */
#include "io/pixels.h"

#include "io/grid_png.h"

#include <stdlib.h>

cairn_png_options cairn_png_defaults(void)
{
    return (cairn_png_options){.threshold = 128};
}

/* ---- what a pixel stands for ---- */

static bool pixels_bright(const crn_pixels *pixels, const uint8_t *pixel)
{
    uint32_t threshold = pixels->options.threshold ? pixels->options.threshold : 128;
    uint32_t luminance = 299u * pixel[0] + 587u * pixel[1] + 114u * pixel[2];
    return luminance * pixel[3] >= threshold * 1000u * 255u;
}

static uint32_t pixels_key(uint32_t red, uint32_t green, uint32_t blue)
{
    return red << 16 | green << 8 | blue;
}

static int pixels_compare_colours(const void *a, const void *b)
{
    const crn_pixels_colour *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

/* The first colour that is not below the key. */
static uint32_t pixels_find(const crn_pixels *pixels, uint32_t key)
{
    uint32_t low = 0, high = pixels->colour_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (pixels->colours[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t pixels_less(uint8_t part, uint32_t tolerance)
{
    return part > tolerance ? part - tolerance : 0;
}

static uint32_t pixels_more(uint8_t part, uint32_t tolerance)
{
    return part + tolerance < 255 ? part + tolerance : 255;
}

/* The square of the distance; UINT32_MAX if a part differs by more than the tolerance. */
static uint32_t pixels_distance(const uint8_t *pixel, const cairn_png_colour *colour,
                                int32_t tolerance)
{
    int32_t parts[3] = {pixel[0] - colour->red, pixel[1] - colour->green, pixel[2] - colour->blue};
    uint32_t sum = 0;
    for (int i = 0; i < 3; i++) {
        if (parts[i] > tolerance || parts[i] < -tolerance) return UINT32_MAX;
        sum += (uint32_t)(parts[i] * parts[i]);
    }
    return sum;
}

/* The nearest colour within the tolerance; NULL = none. */
static const cairn_png_colour *pixels_nearest(const crn_pixels *pixels, const uint8_t *pixel)
{
    uint32_t t = pixels->tolerance, best_distance = UINT32_MAX;
    uint32_t least =
        pixels_key(pixels_less(pixel[0], t), pixels_less(pixel[1], t), pixels_less(pixel[2], t));
    uint32_t most =
        pixels_key(pixels_more(pixel[0], t), pixels_more(pixel[1], t), pixels_more(pixel[2], t));
    const crn_pixels_colour *best = NULL;
    for (uint32_t i = pixels_find(pixels, least); i < pixels->colour_count; i++) {
        const crn_pixels_colour *colour = &pixels->colours[i];
        if (colour->key > most) break;
        uint32_t distance = pixels_distance(pixel, &colour->means, (int32_t)t);
        if (distance == UINT32_MAX || distance > best_distance) continue;
        if (distance == best_distance && colour->order > best->order) continue;
        best = colour;
        best_distance = distance;
    }
    return best ? &best->means : NULL;
}

static bool pixels_judge(crn_pixels *pixels, const uint8_t *pixel, cairn_png_colour *out)
{
    if (!pixels->colours) {
        *out = (cairn_png_colour){.open = pixels_bright(pixels, pixel) != pixels->options.invert};
        return true;
    }
    const cairn_png_colour *colour = pixel[3] ? pixels_nearest(pixels, pixel) : NULL;
    if (!colour && pixels->options.mode == CAIRN_PNG_PALETTE) colour = pixels->options.otherwise;
    if (colour) *out = *colour;
    return colour != NULL;
}

/* The place for a pixel, which may hold another one. */
static crn_pixels_known *pixels_place(crn_pixels *pixels, uint32_t pixel)
{
    return &pixels->known[pixel * 0x9e3779b1u >> (32 - CRN_PIXELS_KNOWN_BITS)];
}

cairn_status crn_pixels_put(crn_pixels *pixels, const uint8_t *pixel, uint32_t x, uint32_t y)
{
    uint32_t key = pixels_key(pixel[0], pixel[1], pixel[2]) | (uint32_t)pixel[3] << 24;
    crn_pixels_known *known = pixels_place(pixels, key);
    if (!known->used || known->pixel != key) {
        known->used = pixels_judge(pixels, pixel, &known->means);
        known->pixel = key;
    }
    if (!known->used)
        return crn_io_fail(
            pixels->error, CAIRN_BAD_DATA, 0,
            "the pixel (%u,%u) is %s#%02x%02x%02x, which is no colour of the palette", x, y,
            pixel[3] ? "" : "transparent ", pixel[0], pixel[1], pixel[2]);
    size_t cells = (size_t)pixels->width * pixels->height, cell = (size_t)y * pixels->width + x;
    pixels->open[cell] = known->means.open;
    if (!crn_io_set_cell(pixels->context, &pixels->terrain, cells, cell, known->means.terrain) ||
        !crn_io_set_cell(pixels->context, &pixels->layer, cells, cell, known->means.layer))
        return crn_io_no_memory(pixels->error);
    return CAIRN_OK;
}

/* ---- from the options to the grid ---- */

static cairn_status pixels_check_options(const cairn_png_options *options, cairn_error *error)
{
    if ((unsigned)options->mode >= CAIRN_PNG_MODE_COUNT)
        return crn_io_fail(error, CAIRN_INVALID, 0, "there is no such way to read a PNG");
    if (options->threshold > 255 || options->tolerance > 255)
        return crn_io_fail(error, CAIRN_INVALID, 0, "threshold and tolerance are at most 255");
    bool colours = options->colours && options->colour_count && options->colour_count <= 1u << 24;
    if (options->mode == CAIRN_PNG_PALETTE && !colours)
        return crn_io_fail(error, CAIRN_INVALID, 0, "a palette has 1 to 16777216 colours");
    return CAIRN_OK;
}

cairn_status crn_pixels_open(crn_pixels *pixels, cairn_context *context,
                             const cairn_png_options *options, cairn_error *error)
{
    *pixels = (crn_pixels){.context = context, .error = error};
    pixels->options = options ? *options : cairn_png_defaults();
    return pixels_check_options(&pixels->options, error);
}

static bool pixels_choose_colours(crn_pixels *pixels, bool ours)
{
    cairn_png_mode mode = pixels->options.mode;
    bool by_default = mode == CAIRN_PNG_DEFAULT || (mode == CAIRN_PNG_AUTO && ours);
    if (mode != CAIRN_PNG_PALETTE && !by_default) return true;
    pixels->colour_count = by_default ? CRN_PNG_LOOKS : pixels->options.colour_count;
    pixels->colours =
        crn_io_resize(pixels->context, NULL, 0, pixels->colour_count * sizeof *pixels->colours);
    if (!pixels->colours) return false;
    pixels->tolerance = by_default ? 0 : pixels->options.tolerance;
    for (uint32_t i = 0; i < pixels->colour_count; i++) {
        cairn_png_colour means =
            by_default ? cairn_png_default(i > 0, (uint8_t)(i - 1)) : pixels->options.colours[i];
        pixels->colours[i] =
            (crn_pixels_colour){pixels_key(means.red, means.green, means.blue), i, means};
    }
    qsort(pixels->colours, pixels->colour_count, sizeof *pixels->colours, pixels_compare_colours);
    return true;
}

cairn_status crn_pixels_begin(crn_pixels *pixels, bool ours)
{
    pixels->open = crn_io_zeros(pixels->context, (size_t)pixels->width * pixels->height);
    return pixels->open && pixels_choose_colours(pixels, ours) ? CAIRN_OK
                                                               : crn_io_no_memory(pixels->error);
}

cairn_status crn_pixels_grid(const crn_pixels *pixels, cairn_grid **out)
{
    cairn_grid_options options = {.width = pixels->width,
                                  .height = pixels->height,
                                  .open = pixels->open,
                                  .terrain = pixels->terrain,
                                  .layer = pixels->layer};
    return cairn_grid_create(pixels->context, &options, out, pixels->error);
}

void crn_pixels_close(crn_pixels *pixels)
{
    size_t cells = (size_t)pixels->width * pixels->height;
    cairn_context *context = pixels->context;
    if (pixels->open) crn_io_resize(context, pixels->open, cells, 0);
    if (pixels->terrain) crn_io_resize(context, pixels->terrain, cells, 0);
    if (pixels->layer) crn_io_resize(context, pixels->layer, cells, 0);
    if (pixels->colours)
        crn_io_resize(context, pixels->colours, pixels->colour_count * sizeof *pixels->colours, 0);
}

/* ---- pixels that are decoded already ---- */

static cairn_status pixels_read_all(crn_pixels *pixels, const uint8_t *rgba)
{
    for (uint32_t y = 0; y < pixels->height; y++) {
        for (uint32_t x = 0; x < pixels->width; x++, rgba += 4) {
            cairn_status status = crn_pixels_put(pixels, rgba, x, y);
            if (status) return status;
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_pixels_parse(cairn_context *context, cairn_pixels picture,
                                const cairn_png_options *options, cairn_grid **out,
                                cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = NULL;
    if (!context || !picture.rgba)
        return crn_io_fail(error, CAIRN_INVALID, 0, "context and pixels must be given");
    const uint32_t width = picture.width, height = picture.height;
    crn_pixels pixels;
    cairn_status status = crn_pixels_open(&pixels, context, options, error);
    if (!status && !(width && height && width <= CAIRN_GRID_MAX && height <= CAIRN_GRID_MAX))
        status = crn_io_fail(error, CAIRN_BAD_DATA, 0,
                             "the picture has %u x %u pixels, each side must be 1 to %u", width,
                             height, CAIRN_GRID_MAX);
    if (!status) {
        pixels.width = width;
        pixels.height = height;
        status = crn_pixels_begin(&pixels, false);
    }
    if (!status) status = pixels_read_all(&pixels, picture.rgba);
    if (!status) status = crn_pixels_grid(&pixels, out);
    crn_pixels_close(&pixels);
    return status;
}
