/* png_read.c: a PNG picture as a grid, by libpng (only if built with CAIRN_WITH_PNG).
 *
 * libpng turns every kind of picture into rows of red, green, blue and alpha, 8 bits each; a row is judged
 * as it comes and forgotten. Interlaced pictures come as seven small pictures, whose pixels are put where they
 * belong, so no picture is ever held as a whole. What a file claims is compared with its length first:
 * deflate makes at most 1032 bytes out of one, so a short file that claims a huge picture is refused before
 * memory is asked for. Memory of libpng is the context's.
 *
 * The colours of a palette are sorted by red, green, blue: those that a pixel may match lie side by side, so of an
 * exact palette only one is ever looked at, found by halving. What pixels stood for is remembered in a
 * small table by their colours, as most pictures have few.
 */
#include "io/grid_png.h"
#include "io/png_support.h"

#include <stdlib.h>
#include <string.h>

cairn_png_options cairn_png_defaults(void)
{
    return (cairn_png_options){.threshold = 128};
}

#if defined(CAIRN_WITH_PNG)

#include <setjmp.h>

#define PNG_HEADER 33u /* signature and the chunk IHDR */
#define PNG_INFLATE_MAX 1032u
#define PNG_CHUNK_MAX (1u << 20)
#define PNG_CHUNKS_MAX 1000u
#define PNG_KNOWN_BITS 8

/* A colour of the palette; of two that are equally near the one with the lower order counts. */
typedef struct reader_colour {
    uint32_t key; /* red, green, blue */
    uint32_t order;
    cairn_png_colour means;
} reader_colour;

/* A pixel that was judged. */
typedef struct reader_known {
    uint32_t pixel; /* red, green, blue, alpha */
    bool used;
    cairn_png_colour means;
} reader_known;

typedef struct png_reader {
    cairn_context *context;
    crn_png_memory memory; /* libpng's */
    const cairn_png_options *options;
    cairn_error *error;
    cairn_status status;
    const uint8_t *data;
    size_t size, at;
    uint32_t width, height;
    reader_colour *colours; /* of the palette or the standard ones, ascending; NULL = threshold */
    uint32_t colour_count, tolerance;
    reader_known known[1 << PNG_KNOWN_BITS];
    uint8_t *row;
    size_t row_size;
    uint8_t *open, *terrain, *layer; /* terrain and layer: NULL until a cell needs them */
} png_reader;

/* ---- what a pixel stands for ---- */

static bool reader_bright(const png_reader *reader, const uint8_t *pixel)
{
    uint32_t threshold = reader->options->threshold ? reader->options->threshold : 128;
    uint32_t luminance = 299u * pixel[0] + 587u * pixel[1] + 114u * pixel[2];
    return luminance * pixel[3] >= threshold * 1000u * 255u;
}

static uint32_t reader_key(uint32_t red, uint32_t green, uint32_t blue)
{
    return red << 16 | green << 8 | blue;
}

static int reader_compare_colours(const void *a, const void *b)
{
    const reader_colour *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

/* The first colour that is not below the key. */
static uint32_t reader_find(const png_reader *reader, uint32_t key)
{
    uint32_t low = 0, high = reader->colour_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (reader->colours[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t reader_less(uint8_t part, uint32_t tolerance)
{
    return part > tolerance ? part - tolerance : 0;
}

static uint32_t reader_more(uint8_t part, uint32_t tolerance)
{
    return part + tolerance < 255 ? part + tolerance : 255;
}

/* The square of the distance; UINT32_MAX if a part differs by more than the tolerance. */
static uint32_t reader_distance(const uint8_t *pixel, const cairn_png_colour *colour, int32_t tolerance)
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
static const cairn_png_colour *reader_nearest(const png_reader *reader, const uint8_t *pixel)
{
    uint32_t t = reader->tolerance, best_distance = UINT32_MAX;
    uint32_t least = reader_key(reader_less(pixel[0], t), reader_less(pixel[1], t), reader_less(pixel[2], t));
    uint32_t most = reader_key(reader_more(pixel[0], t), reader_more(pixel[1], t), reader_more(pixel[2], t));
    const reader_colour *best = NULL;
    for (uint32_t i = reader_find(reader, least); i < reader->colour_count; i++) {
        const reader_colour *colour = &reader->colours[i];
        if (colour->key > most) break;
        uint32_t distance = reader_distance(pixel, &colour->means, (int32_t)t);
        if (distance == UINT32_MAX || distance > best_distance) continue;
        if (distance == best_distance && colour->order > best->order) continue;
        best = colour;
        best_distance = distance;
    }
    return best ? &best->means : NULL;
}

static bool reader_judge(png_reader *reader, const uint8_t *pixel, cairn_png_colour *out)
{
    if (!reader->colours) {
        *out = (cairn_png_colour){.open = reader_bright(reader, pixel) != reader->options->invert};
        return true;
    }
    const cairn_png_colour *colour = pixel[3] ? reader_nearest(reader, pixel) : NULL;
    if (!colour && reader->options->mode == CAIRN_PNG_PALETTE) colour = reader->options->otherwise;
    if (colour) *out = *colour;
    return colour != NULL;
}

/* The place for a pixel, which may hold another one. */
static reader_known *reader_place(png_reader *reader, uint32_t pixel)
{
    return &reader->known[pixel * 0x9e3779b1u >> (32 - PNG_KNOWN_BITS)];
}

static void reader_pixel(png_structp png, png_reader *reader, const uint8_t *pixel, uint32_t x, uint32_t y)
{
    uint32_t key = reader_key(pixel[0], pixel[1], pixel[2]) | (uint32_t)pixel[3] << 24;
    reader_known *known = reader_place(reader, key);
    if (!known->used || known->pixel != key) {
        known->used = reader_judge(reader, pixel, &known->means);
        known->pixel = key;
    }
    if (!known->used) {
        reader->status =
            crn_io_fail(reader->error, CAIRN_BAD_DATA, 0,
                        "the pixel (%u,%u) is %s#%02x%02x%02x, which is no colour of the palette", x, y,
                        pixel[3] ? "" : "transparent ", pixel[0], pixel[1], pixel[2]);
        png_longjmp(png, 1);
    }
    size_t cells = (size_t)reader->width * reader->height, cell = (size_t)y * reader->width + x;
    reader->open[cell] = known->means.open;
    if (!crn_io_set_cell(reader->context, &reader->terrain, cells, cell, known->means.terrain) ||
        !crn_io_set_cell(reader->context, &reader->layer, cells, cell, known->means.layer)) {
        reader->status = crn_io_no_memory(reader->error);
        png_longjmp(png, 1);
    }
}

/* ---- hooks of libpng ---- */

static void reader_get_data(png_structp png, png_bytep data, png_size_t size)
{
    png_reader *reader = png_get_io_ptr(png);
    if (size > reader->size - reader->at) png_error(png, "the file ends too early");
    memcpy(data, reader->data + reader->at, size);
    reader->at += size;
}

static void reader_complain(png_structp png, png_const_charp text)
{
    png_reader *reader = png_get_error_ptr(png);
    if (!reader->status && !reader->memory.failed)
        reader->status = crn_io_fail(reader->error, CAIRN_BAD_DATA, 0, "the PNG is damaged: %.100s", text);
    png_longjmp(png, 1);
}

/* ---- the picture ---- */

static bool reader_is_ours(png_structp png, png_infop info)
{
    png_textp texts = NULL;
    int count = 0;
    png_get_text(png, info, &texts, &count);
    for (int i = 0; i < count; i++) {
        if (!strcmp(texts[i].key, CRN_PNG_KEYWORD) && texts[i].text && !strcmp(texts[i].text, CRN_PNG_MARK))
            return true;
    }
    return false;
}

static bool reader_choose_colours(png_reader *reader, bool ours)
{
    cairn_png_mode mode = reader->options->mode;
    bool standard = mode == CAIRN_PNG_STANDARD || (mode == CAIRN_PNG_AUTO && ours);
    if (mode != CAIRN_PNG_PALETTE && !standard) return true;
    reader->colour_count = standard ? CRN_PNG_LOOKS : reader->options->colour_count;
    reader->colours = crn_io_resize(reader->context, NULL, 0, reader->colour_count * sizeof *reader->colours);
    if (!reader->colours) return false;
    reader->tolerance = standard ? 0 : reader->options->tolerance;
    for (uint32_t i = 0; i < reader->colour_count; i++) {
        cairn_png_colour means =
            standard ? cairn_png_standard(i > 0, (uint8_t)(i - 1)) : reader->options->colours[i];
        reader->colours[i] = (reader_colour){reader_key(means.red, means.green, means.blue), i, means};
    }
    qsort(reader->colours, reader->colour_count, sizeof *reader->colours, reader_compare_colours);
    return true;
}

/* Where the pixels of a pass lie: the first column and row, and the steps between them. */
typedef struct reader_pass {
    uint32_t x, y, step_x, step_y;
} reader_pass;

static void reader_read_pass(png_structp png, png_reader *reader, reader_pass pass)
{
    if (pass.x >= reader->width) return;
    for (uint32_t y = pass.y; y < reader->height; y += pass.step_y) {
        png_read_row(png, reader->row, NULL);
        const uint8_t *pixel = reader->row;
        for (uint32_t x = pass.x; x < reader->width; x += pass.step_x, pixel += 4)
            reader_pixel(png, reader, pixel, x, y);
    }
}

static void reader_read_rows(png_structp png, png_reader *reader, bool interlaced)
{
    static const reader_pass whole = {0, 0, 1, 1};
    static const reader_pass adam7[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                        {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    if (!interlaced) reader_read_pass(png, reader, whole);
    for (size_t i = 0; interlaced && i < sizeof adam7 / sizeof *adam7; i++)
        reader_read_pass(png, reader, adam7[i]);
}

/* Everything as red, green, blue, alpha of 8 bits. */
static void reader_ask_for_rgba(png_structp png, png_infop info)
{
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
    png_read_update_info(png, info);
}

/* Apart from the locals of the caller, because of longjmp. */
static bool reader_decode(png_structp png, png_infop info, png_reader *reader)
{
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_read_fn(png, reader, reader_get_data);
    png_set_user_limits(png, CAIRN_GRID_MAX, CAIRN_GRID_MAX);
    png_set_chunk_malloc_max(png, PNG_CHUNK_MAX);
    png_set_chunk_cache_max(png, PNG_CHUNKS_MAX);
    png_read_info(png, info);
    bool interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
    /* Deflate cannot make more: this also keeps a small file from asking for a large grid. */
    size_t claimed = crn_io_multiply(png_get_rowbytes(png, info), reader->height);
    if (claimed / PNG_INFLATE_MAX > reader->size)
        png_error(png, "the file is too short for its width and height");
    bool colours = reader_choose_colours(reader, reader_is_ours(png, info));
    reader_ask_for_rgba(png, info);
    reader->row_size = (size_t)reader->width * 4;
    if (png_get_rowbytes(png, info) > reader->row_size) png_error(png, "its rows are not understood");
    reader->row = crn_io_resize(reader->context, NULL, 0, reader->row_size);
    reader->open = reader->row ? crn_io_zeros(reader->context, (size_t)reader->width * reader->height) : NULL;
    if (!colours || !reader->open) {
        reader->status = crn_io_no_memory(reader->error);
        return false;
    }
    reader_read_rows(png, reader, interlaced);
    png_read_end(png, NULL);
    return true;
}

static cairn_status reader_read_all(png_reader *reader)
{
    png_structp png =
        png_create_read_struct_2(PNG_LIBPNG_VER_STRING, reader, reader_complain, crn_png_silent_warning,
                                 &reader->memory, crn_png_allocate, crn_png_free);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool ok = info && reader_decode(png, info, reader);
    if (png) png_destroy_read_struct(&png, &info, NULL);
    /* libpng does without some of its memory, but perhaps without the text that says whose colours these are. */
    if (ok && !reader->status && !reader->memory.failed) return CAIRN_OK;
    return reader->status ? reader->status : crn_io_no_memory(reader->error);
}

static uint32_t reader_big_endian(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static cairn_status reader_check_header(png_reader *reader)
{
    static const uint8_t start[16] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
                                      0,    0,   0,   13,  'I',  'H',  'D',  'R'};
    if (reader->size < PNG_HEADER || memcmp(reader->data, start, sizeof start) != 0)
        return crn_io_fail(reader->error, CAIRN_BAD_DATA, 0, "this is no PNG: it does not start like one");
    reader->width = reader_big_endian(reader->data + 16);
    reader->height = reader_big_endian(reader->data + 20);
    bool fits = reader->width && reader->height && reader->width <= CAIRN_GRID_MAX &&
                reader->height <= CAIRN_GRID_MAX;
    if (fits) return CAIRN_OK;
    return crn_io_fail(reader->error, CAIRN_BAD_DATA, 0,
                       "the picture has %u x %u pixels, each side must be 1 to %u", reader->width,
                       reader->height, CAIRN_GRID_MAX);
}

static cairn_status reader_make_grid(png_reader *reader, cairn_grid **out)
{
    cairn_grid_options options = {.width = reader->width,
                                  .height = reader->height,
                                  .open = reader->open,
                                  .terrain = reader->terrain,
                                  .layer = reader->layer};
    return cairn_grid_create(reader->context, &options, out, reader->error);
}

static void reader_clean_up(png_reader *reader)
{
    size_t cells = (size_t)reader->width * reader->height;
    cairn_context *context = reader->context;
    if (reader->open) crn_io_resize(context, reader->open, cells, 0);
    if (reader->terrain) crn_io_resize(context, reader->terrain, cells, 0);
    if (reader->layer) crn_io_resize(context, reader->layer, cells, 0);
    if (reader->row) crn_io_resize(context, reader->row, reader->row_size, 0);
    if (reader->colours)
        crn_io_resize(context, reader->colours, reader->colour_count * sizeof *reader->colours, 0);
}

static cairn_status reader_check_options(const cairn_png_options *options, cairn_error *error)
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

cairn_status cairn_png_parse(cairn_context *context, const void *data, size_t size,
                             const cairn_png_options *options, cairn_grid **out, cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = NULL;
    if (!context || (!data && size))
        return crn_io_fail(error, CAIRN_INVALID, 0, "context and data must be given");
    cairn_png_options defaults = cairn_png_defaults();
    png_reader reader = {.context = context, .error = error, .data = data, .size = size};
    reader.memory.context = context;
    reader.options = options ? options : &defaults;
    cairn_status status = reader_check_options(reader.options, error);
    if (!status) status = reader_check_header(&reader);
    if (!status) status = reader_read_all(&reader);
    if (!status) status = reader_make_grid(&reader, out);
    reader_clean_up(&reader);
    return status;
}

#else

cairn_status cairn_png_parse(cairn_context *context, const void *data, size_t size,
                             const cairn_png_options *options, cairn_grid **out, cairn_error *error)
{
    (void)context, (void)data, (void)size, (void)options;
    if (out) *out = NULL;
    return crn_io_fail(error, CAIRN_UNSUPPORTED, 0, "this build of the library has no PNG support");
}

#endif
