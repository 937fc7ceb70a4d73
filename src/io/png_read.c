/* png_read.c: a PNG picture as a grid, by libpng (only if built with CAIRN_WITH_PNG).
 *
 * libpng turns every kind of picture into rows of red, green, blue and alpha, 8 bits each; each row
 * becomes cells at once (pixels.c) and is then dropped. Interlaced pictures come as seven small
 * pictures, whose pixels are put where they belong, so no picture is ever held as a whole. What a
 * file claims is compared with its length first: deflate makes at most 1032 bytes out of one, so a
 * short file that claims a huge picture is refused before memory is asked for, and so is one that
 * claims more cells than a file of its size may ask for. Memory of libpng is the context's.
 */
#include "io/grid_png.h"
#include "io/pixels.h"
#include "io/png_support.h"

#include <string.h>

#if defined(CAIRN_WITH_PNG)

#include <setjmp.h>

#define PNG_HEADER 33u /* signature and the chunk IHDR */
#define PNG_INFLATE_MAX 1032u
#define PNG_CHUNK_MAX (1u << 20)
#define PNG_CHUNKS_MAX 32u /* what comes beside the picture; more of it is ignored */

typedef struct png_reader {
    cairn_context *context;
    crn_png_memory memory; /* libpng's */
    cairn_error *error;
    cairn_status status;
    const uint8_t *data;
    size_t size, at;
    crn_pixels pixels;
    uint8_t *row;
    size_t row_size;
} png_reader;

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
        reader->status =
            crn_io_fail(reader->error, CAIRN_BAD_DATA, 0, "the PNG is damaged: %.100s", text);
    png_longjmp(png, 1);
}

/* ---- the picture ---- */

static bool reader_is_ours(png_structp png, png_infop info)
{
    png_textp texts = NULL;
    int count = 0;
    png_get_text(png, info, &texts, &count);
    for (int i = 0; i < count; i++) {
        if (!strcmp(texts[i].key, CRN_PNG_KEYWORD) && texts[i].text &&
            !strcmp(texts[i].text, CRN_PNG_MARK))
            return true;
    }
    return false;
}

/* Where the pixels of a pass lie: the first column and row, and the steps between them. */
typedef struct reader_pass {
    uint32_t x, y, step_x, step_y;
} reader_pass;

static void reader_read_pass(png_structp png, png_reader *reader, reader_pass pass)
{
    if (pass.x >= reader->pixels.width) return;
    for (uint32_t y = pass.y; y < reader->pixels.height; y += pass.step_y) {
        png_read_row(png, reader->row, NULL);
        const uint8_t *pixel = reader->row;
        for (uint32_t x = pass.x; x < reader->pixels.width; x += pass.step_x, pixel += 4) {
            reader->status = crn_pixels_put(&reader->pixels, pixel, x, y);
            if (reader->status) png_longjmp(png, 1);
        }
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
    size_t claimed = crn_io_multiply(png_get_rowbytes(png, info), reader->pixels.height);
    if (claimed / PNG_INFLATE_MAX > reader->size)
        png_error(png, "the file is too short for its width and height");
    bool ours = reader_is_ours(png, info);
    reader_ask_for_rgba(png, info);
    reader->row_size = (size_t)reader->pixels.width * 4;
    if (png_get_rowbytes(png, info) > reader->row_size)
        png_error(png, "its rows are not understood");
    reader->row = crn_io_resize(reader->context, NULL, 0, reader->row_size);
    reader->status =
        reader->row ? crn_pixels_begin(&reader->pixels, ours) : crn_io_no_memory(reader->error);
    if (reader->status) return false;
    reader_read_rows(png, reader, interlaced);
    png_read_end(png, NULL);
    return true;
}

static cairn_status reader_read_all(png_reader *reader)
{
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, reader, reader_complain,
                                               crn_png_silent_warning, &reader->memory,
                                               crn_png_allocate, crn_png_free);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool ok = info && reader_decode(png, info, reader);
    if (png) png_destroy_read_struct(&png, &info, NULL);
    /* libpng does without some of its memory, but perhaps without the text that says whose colours
     * these are. */
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
        return crn_io_fail(reader->error, CAIRN_BAD_DATA, 0,
                           "this is no PNG: it does not start like one");
    reader->pixels.width = reader_big_endian(reader->data + 16);
    reader->pixels.height = reader_big_endian(reader->data + 20);
    bool fits = reader->pixels.width && reader->pixels.height &&
                reader->pixels.width <= CAIRN_GRID_MAX && reader->pixels.height <= CAIRN_GRID_MAX;
    uint64_t cells = (uint64_t)reader->pixels.width * reader->pixels.height;
    if (fits)
        return crn_io_check_claim(reader->context, (crn_io_claim){cells, reader->size, 0},
                                  reader->error);
    return crn_io_fail(reader->error, CAIRN_BAD_DATA, 0,
                       "the picture has %u x %u pixels, each side must be 1 to %u",
                       reader->pixels.width, reader->pixels.height, CAIRN_GRID_MAX);
}

cairn_status cairn_png_parse(cairn_context *context, cairn_bytes bytes,
                             const cairn_png_options *options, cairn_grid **out, cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = NULL;
    if (!context || (!bytes.data && bytes.size))
        return crn_io_fail(error, CAIRN_INVALID, 0, "context and data must be given");
    png_reader reader = {
        .context = context, .error = error, .data = bytes.data, .size = bytes.size};
    reader.memory.context = context;
    cairn_status status = crn_pixels_open(&reader.pixels, context, options, error);
    if (!status) status = reader_check_header(&reader);
    if (!status) status = reader_read_all(&reader);
    if (!status) status = crn_pixels_grid(&reader.pixels, out);
    crn_pixels_close(&reader.pixels);
    if (reader.row) crn_io_resize(context, reader.row, reader.row_size, 0);
    return status;
}

#else

cairn_status cairn_png_parse(cairn_context *context, cairn_bytes bytes,
                             const cairn_png_options *options, cairn_grid **out, cairn_error *error)
{
    (void)context, (void)bytes, (void)options;
    if (out) *out = NULL;
    return crn_io_fail(error, CAIRN_UNSUPPORTED, 0, "this build of the library has no PNG support");
}

#endif
