/* test_io_png_grid.c: grids from PNG pictures of every kind and back. The pictures are made here
 * with libpng from one table of pixels; what they must become is worked out from the table.
 */
#include "support.h"

#include <cairn/io.h>
#include <png.h>
#include <zlib.h>

enum { SIDE_MAX = 512 };

/* ---- making pictures ---- */

typedef struct bytes {
    uint8_t *data;
    size_t size;
} bytes;

static void bytes_put(bytes *b, const void *data, size_t size)
{
    b->data = realloc(b->data, b->size + size + 1);
    if (!b->data) abort();
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void bytes_free(bytes *b)
{
    free(b->data);
    *b = (bytes){0};
}

static void write_bytes(png_structp png, png_bytep data, size_t size)
{
    bytes_put(png_get_io_ptr(png), data, size);
}

static void flush_bytes(png_structp png)
{
    (void)png;
}

typedef struct kind {
    int type, depth;
    bool interlaced;
    /* this one colour is transparent; of palettes the first, and half of the second */
    bool see_through;
    png_color_16 key;
} kind;

static const uint8_t palette_alpha[2] = {0, 128};

/* A picture of 16-bit samples (red, green, blue, alpha), brought down to the kind: `rows` holds
 * samples as the kind has them, one uint16_t each. */
static void pack_row(const uint16_t *samples, uint32_t count, int depth, uint8_t *row)
{
    memset(row, 0, (size_t)count * 2 + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (depth == 16) {
            row[2 * i] = (uint8_t)(samples[i] >> 8);
            row[2 * i + 1] = (uint8_t)samples[i];
        } else {
            uint32_t bit = i * (uint32_t)depth;
            row[bit / 8] |= (uint8_t)(samples[i] << (8 - (uint32_t)depth - bit % 8));
        }
    }
}

static bytes make_png(uint32_t width, uint32_t height, kind k, const uint16_t *samples,
                      uint32_t channels, const png_color *palette, int palette_count)
{
    bytes out = {0};
    static uint8_t rows[SIDE_MAX][SIDE_MAX * 8 + 2];
    uint8_t *pointers[SIDE_MAX];
    for (uint32_t y = 0; y < height; y++) {
        pack_row(samples + (size_t)y * width * channels, width * channels, k.depth, rows[y]);
        pointers[y] = rows[y];
    }
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, &out, write_bytes, flush_bytes);
    png_set_IHDR(png, info, width, height, k.depth, k.type,
                 k.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (palette) png_set_PLTE(png, info, palette, palette_count);
    if (k.see_through)
        png_set_tRNS(png, info, palette_alpha, palette ? 2 : 0, palette ? NULL : &k.key);
    png_write_info(png, info);
    png_write_image(png, pointers);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return out;
}

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

/* ---- reading ---- */

static cairn_grid *read_png(cairn_context *context, bytes png, const cairn_png_options *options)
{
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    cairn_status status =
        cairn_png_parse(context, (cairn_bytes){png.data, png.size}, options, &grid, &error);
    CHECK(status == CAIRN_OK, "%s", error.text);
    return grid;
}

static void refuse(cairn_context *context, const void *data, size_t size,
                   const cairn_png_options *options, const char *says)
{
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    CHECK_STATUS(cairn_png_parse(context, (cairn_bytes){data, size}, options, &grid, &error),
                 CAIRN_BAD_DATA);
    assert_null(grid);
    CHECK(strstr(error.text, says), "\"%s\" does not say \"%s\"", error.text, says);
}

static const kind grey_kinds[] = {
    {.type = PNG_COLOR_TYPE_GRAY, .depth = 1},    {.type = PNG_COLOR_TYPE_GRAY, .depth = 2},
    {.type = PNG_COLOR_TYPE_GRAY, .depth = 4},    {.type = PNG_COLOR_TYPE_GRAY, .depth = 8},
    {.type = PNG_COLOR_TYPE_GRAY, .depth = 16},   {.type = PNG_COLOR_TYPE_GRAY_ALPHA, .depth = 8},
    {.type = PNG_COLOR_TYPE_RGB, .depth = 8},     {.type = PNG_COLOR_TYPE_GRAY_ALPHA, .depth = 16},
    {.type = PNG_COLOR_TYPE_RGB, .depth = 16},    {.type = PNG_COLOR_TYPE_RGBA, .depth = 8},
    {.type = PNG_COLOR_TYPE_RGBA, .depth = 16},   {.type = PNG_COLOR_TYPE_PALETTE, .depth = 1},
    {.type = PNG_COLOR_TYPE_PALETTE, .depth = 2}, {.type = PNG_COLOR_TYPE_PALETTE, .depth = 4},
    {.type = PNG_COLOR_TYPE_PALETTE, .depth = 8},
};

static uint32_t channels_of(int type)
{
    switch (type) {
    case PNG_COLOR_TYPE_GRAY_ALPHA: return 2;
    case PNG_COLOR_TYPE_RGB: return 3;
    case PNG_COLOR_TYPE_RGBA: return 4;
    default: return 1;
    }
}

/* Random samples of one kind; open[] as luminance × alpha ≥ 128 says, computed in floating
 * point. */
static bytes random_picture(kind k, uint32_t width, uint32_t height, uint64_t seed, bool *open)
{
    static uint16_t samples[SIDE_MAX * SIDE_MAX * 4];
    uint32_t channels = channels_of(k.type), most = (1u << k.depth) - 1;
    png_color palette[256];
    int palette_count = k.depth <= 8 ? 1 << k.depth : 0;
    for (int i = 0; i < palette_count; i++)
        palette[i] = (png_color){(uint8_t)next_random(&seed), (uint8_t)next_random(&seed),
                                 (uint8_t)next_random(&seed)};
    for (uint32_t i = 0; i < width * height; i++) {
        double part[4] = {0, 0, 0, 255};
        for (uint32_t c = 0; c < channels; c++) {
            uint32_t sample = next_random(&seed) & most;
            samples[i * channels + c] = (uint16_t)sample;
            part[c] =
                k.depth == 16 ? (double)((sample * 255u + 32895u) >> 16) : sample * 255.0 / most;
        }
        if (k.type == PNG_COLOR_TYPE_PALETTE) {
            png_color colour = palette[samples[i]];
            part[0] = colour.red, part[1] = colour.green, part[2] = colour.blue;
        } else if (channels < 3) {
            part[3] = channels == 2 ? part[1] : 255;
            part[1] = part[2] = part[0];
        }
        double luminance = 0.299 * part[0] + 0.587 * part[1] + 0.114 * part[2];
        open[i] = luminance * part[3] / 255 >= 128 - 1e-9;
    }
    bool has_palette = k.type == PNG_COLOR_TYPE_PALETTE;
    return make_png(width, height, k, samples, channels, has_palette ? palette : NULL,
                    has_palette ? palette_count : 0);
}

static void every_kind_of_picture_is_read_with_a_threshold(void **state)
{
    static bool open[SIDE_MAX * SIDE_MAX];
    static const uint32_t sizes[][2] = {{1, 1}, {2, 1}, {1, 3}, {4, 4}, {5, 9}, {33, 17}, {40, 40}};
    for (size_t i = 0; i < LENGTH(grey_kinds) * 2; i++) {
        kind k = grey_kinds[i / 2];
        k.interlaced = i % 2;
        for (size_t s = 0; s < LENGTH(sizes); s++) {
            uint32_t width = sizes[s][0], height = sizes[s][1];
            bytes png = random_picture(k, width, height, i * 100 + s, open);
            for (int invert = 0; invert < 2; invert++) {
                cairn_png_options options = cairn_png_defaults();
                options.invert = invert;
                cairn_grid *grid = read_png(*state, png, &options);
                assert_int_equal(cairn_grid_width(grid), width);
                assert_int_equal(cairn_grid_height(grid), height);
                for (uint32_t n = 0; n < width * height; n++) {
                    cairn_cell c = cairn_grid_cell(grid, n);
                    CHECK(cairn_grid_is_open(grid, c.x, c.y) == (open[n] != invert),
                          "type %d, depth %d, %s, %u x %u: pixel (%d,%d)", k.type, k.depth,
                          k.interlaced ? "interlaced" : "plain", width, height, c.x, c.y);
                }
                cairn_grid_destroy(grid);
            }
            bytes_free(&png);
        }
    }
}

static void transparent_colours_are_blocked(void **state)
{
    static const uint16_t grey[] = {255, 254, 0}, rgb[] = {255, 255, 255, 255, 255, 254, 0, 0, 0},
                          index[] = {0, 1, 2};
    static const png_color palette[] = {{255, 255, 255}, {254, 254, 254}, {254, 254, 254}};
    const struct {
        kind k;
        const uint16_t *samples;
        const char *row;
    } cases[] = {
        {{.type = PNG_COLOR_TYPE_GRAY, .depth = 8, .see_through = true, .key = {.gray = 255}},
         grey,
         "#.#"},
        {{.type = PNG_COLOR_TYPE_RGB,
          .depth = 8,
          .see_through = true,
          .key = {.red = 255, .green = 255, .blue = 255}},
         rgb,
         "#.#"},
        {{.type = PNG_COLOR_TYPE_PALETTE, .depth = 8, .see_through = true}, index, "##."},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        bool has_palette = cases[i].k.type == PNG_COLOR_TYPE_PALETTE;
        bytes png = make_png(3, 1, cases[i].k, cases[i].samples, channels_of(cases[i].k.type),
                             has_palette ? palette : NULL, has_palette ? 3 : 0);
        cairn_grid *grid = read_png(*state, png, NULL);
        for (int32_t x = 0; x < 3; x++)
            CHECK(cairn_grid_is_open(grid, x, 0) == (cases[i].row[x] == '.'), "case %zu, pixel %d",
                  i, x);
        cairn_grid_destroy(grid);
        bytes_free(&png);
    }
}

static void the_threshold_is_where_it_is_said_to_be(void **state)
{
    uint16_t samples[256];
    for (uint16_t i = 0; i < 16; i++) samples[i] = (uint16_t)(120 + i);
    bytes png =
        make_png(16, 1, (kind){.type = PNG_COLOR_TYPE_GRAY, .depth = 8}, samples, 1, NULL, 0);
    static const uint32_t thresholds[] = {0, 1, 121, 128, 135, 255};
    for (size_t i = 0; i < LENGTH(thresholds); i++) {
        cairn_png_options options = {.threshold = thresholds[i]};
        uint32_t from = thresholds[i] ? thresholds[i] : 128;
        cairn_grid *grid = read_png(*state, png, &options);
        for (int32_t x = 0; x < 16; x++)
            assert_int_equal(cairn_grid_is_open(grid, x, 0), 120u + (uint32_t)x >= from);
        cairn_grid_destroy(grid);
    }
    bytes_free(&png);
}

static void colours_stand_for_what_the_palette_says(void **state)
{
    /* Red, nearly red, green, transparent green. */
    static const uint16_t samples[] = {200, 0, 0, 255, 197, 2, 1, 255, 0, 99, 0, 255, 0, 99, 0, 0};
    static const cairn_png_colour colours[] = {{200, 0, 0, false, 0, 0},
                                               {0, 99, 0, true, 77, 5},
                                               {199, 0, 0, true, 1, 0},
                                               {200, 0, 0, true, 2, 0}};
    static const cairn_png_colour otherwise = {.open = true, .terrain = 9, .layer = 255};
    bytes png =
        make_png(4, 1, (kind){.type = PNG_COLOR_TYPE_RGBA, .depth = 8}, samples, 4, NULL, 0);
    cairn_png_options options = {
        .mode = CAIRN_PNG_PALETTE, .colours = colours, .colour_count = LENGTH(colours)};

    refuse(*state, png.data, png.size, &options, "the pixel (1,0) is #c50201, which is no colour");
    options.tolerance = 1;
    refuse(*state, png.data, png.size, &options, "the pixel (1,0)");
    options.tolerance = 2;
    refuse(*state, png.data, png.size, &options, "the pixel (3,0) is transparent #006300");
    options.otherwise = &otherwise;
    cairn_grid *grid = read_png(*state, png, &options);
    assert_false(cairn_grid_is_open(grid, 0, 0)); /* the first of two that are equally near */
    assert_true(cairn_grid_is_open(grid, 1, 0));  /* the nearer one */
    assert_int_equal(cairn_grid_terrain(grid, 1, 0), 1);
    assert_int_equal(cairn_grid_terrain(grid, 2, 0), 77);
    assert_int_equal(cairn_grid_layer(grid, 2, 0), 5);
    assert_int_equal(cairn_grid_terrain(grid, 3, 0), 9);
    assert_int_equal(cairn_grid_layer(grid, 3, 0), 255);
    assert_int_equal(cairn_grid_layer(grid, 0, 0), 0);
    cairn_grid_destroy(grid);

    options.tolerance = 0;
    grid = read_png(*state, png, &options);
    assert_int_equal(cairn_grid_terrain(grid, 1, 0), 9);
    cairn_grid_destroy(grid);
    options.mode = CAIRN_PNG_DEFAULT;
    refuse(*state, png.data, png.size, &options, "the pixel (0,0) is #c80000");
    bytes_free(&png);
}

/* What a pixel stands for, by looking at every colour; -1 = none. */
static int slow_nearest(const cairn_png_colour *colours, uint32_t count, uint32_t tolerance,
                        const uint16_t *pixel)
{
    int best = -1;
    double best_distance = 1e9;
    for (uint32_t i = 0; pixel[3] && i < count; i++) {
        const double parts[3] = {colours[i].red - (double)pixel[0],
                                 colours[i].green - (double)pixel[1],
                                 colours[i].blue - (double)pixel[2]};
        double distance = 0;
        bool near = true;
        for (int p = 0; p < 3; p++) {
            near &= parts[p] <= tolerance && -parts[p] <= tolerance;
            distance += parts[p] * parts[p];
        }
        if (!near || distance >= best_distance) continue;
        best = (int)i;
        best_distance = distance;
    }
    return best;
}

/* Few values of each part, so that pixels often match exactly, nearly, and several colours
 * alike. */
static uint8_t random_part(uint64_t *seed)
{
    static const uint8_t parts[] = {0, 1, 2, 9, 100, 104, 108, 251, 254, 255};
    return parts[next_random(seed) % LENGTH(parts)];
}

static void the_nearest_colour_is_found_in_every_palette(void **state)
{
    enum { SIDE = 30, COLOURS = 300 };
    static uint16_t samples[SIDE * SIDE * 4];
    static cairn_png_colour colours[COLOURS];
    static const uint32_t tolerances[] = {0, 1, 4, 60, 255};
    static const cairn_png_colour otherwise = {.open = true, .terrain = 255, .layer = 255};
    for (uint64_t round = 0; round < 40; round++) {
        uint64_t seed = round;
        uint32_t count = 1 + next_random(&seed) % (round % 2 ? COLOURS : 8);
        cairn_png_options options = {
            .mode = CAIRN_PNG_PALETTE, .colours = colours, .colour_count = count};
        options.tolerance = tolerances[round % LENGTH(tolerances)];
        options.otherwise = &otherwise;
        for (uint32_t i = 0; i < count; i++)
            colours[i] =
                (cairn_png_colour){random_part(&seed),     random_part(&seed), random_part(&seed),
                                   next_random(&seed) % 2, (uint8_t)(i % 250), (uint8_t)(i / 250)};
        for (uint32_t i = 0; i < LENGTH(samples); i++) samples[i] = random_part(&seed);
        bytes png = make_png(SIDE, SIDE, (kind){.type = PNG_COLOR_TYPE_RGBA, .depth = 8}, samples,
                             4, NULL, 0);
        cairn_grid *grid = read_png(*state, png, &options);
        for (uint32_t n = 0; n < SIDE * SIDE; n++) {
            int best = slow_nearest(colours, count, options.tolerance, &samples[n * 4]);
            const cairn_png_colour *means = best < 0 ? &otherwise : &colours[best];
            cairn_cell c = cairn_grid_cell(grid, n);
            CHECK(cairn_grid_is_open(grid, c.x, c.y) == means->open &&
                      cairn_grid_terrain(grid, c.x, c.y) == means->terrain &&
                      cairn_grid_layer(grid, c.x, c.y) == means->layer,
                  "round %u, pixel (%d,%d): colour %d", (unsigned)round, c.x, c.y, best);
        }
        cairn_grid_destroy(grid);
        bytes_free(&png);
    }
}

/* Were every pixel compared with every colour, this would take minutes. */
static void many_pixels_of_many_colours_are_read_at_once(void **state)
{
    enum { SIDE = 512, COLOURS = 1 << 20 };
    cairn_png_colour *colours = malloc(COLOURS * sizeof *colours);
    uint16_t *samples = malloc((size_t)SIDE * SIDE * 3 * sizeof *samples);
    for (uint32_t i = 0; i < COLOURS; i++)
        colours[i] = (cairn_png_colour){(uint8_t)i, (uint8_t)(i >> 8),  (uint8_t)(i >> 16),
                                        i % 3 > 0,  (uint8_t)(i % 251), 0};
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t colour = i * 2654435761u % COLOURS; /* never the same twice */
        for (uint32_t part = 0; part < 3; part++) samples[3 * i + part] = colour >> 8 * part & 255;
    }
    bytes png =
        make_png(SIDE, SIDE, (kind){.type = PNG_COLOR_TYPE_RGB, .depth = 8}, samples, 3, NULL, 0);
    cairn_png_options options = {
        .mode = CAIRN_PNG_PALETTE, .colours = colours, .colour_count = COLOURS};
    cairn_grid *grid = read_png(*state, png, &options);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t colour = i * 2654435761u % COLOURS;
        cairn_cell c = cairn_grid_cell(grid, i);
        assert_int_equal(cairn_grid_terrain(grid, c.x, c.y), colour % 251);
        assert_int_equal(cairn_grid_is_open(grid, c.x, c.y), colour % 3 > 0);
    }
    cairn_grid_destroy(grid);
    bytes_free(&png);
    free(samples);
    free(colours);
}

/* ---- writing ---- */

static cairn_grid *painted_grid(cairn_context *context, uint32_t width, uint32_t height,
                                uint32_t classes, uint64_t seed)
{
    uint8_t *open = malloc((size_t)width * height), *terrain = malloc((size_t)width * height);
    for (uint32_t i = 0; i < width * height; i++) {
        open[i] = (uint8_t)(next_random(&seed) % 4 != 0);
        terrain[i] = 0;
        if (open[i]) terrain[i] = (uint8_t)(next_random(&seed) % classes);
    }
    cairn_grid_options options = {
        .width = width, .height = height, .open = open, .terrain = terrain};
    cairn_grid *grid = NULL;
    CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
    free(open);
    free(terrain);
    return grid;
}

static void same_cells(const cairn_grid *a, const cairn_grid *b)
{
    assert_int_equal(cairn_grid_width(a), cairn_grid_width(b));
    assert_int_equal(cairn_grid_height(a), cairn_grid_height(b));
    for (uint32_t i = 0; i < cairn_grid_width(a) * cairn_grid_height(a); i++) {
        cairn_cell c = cairn_grid_cell(a, i);
        assert_int_equal(cairn_grid_is_open(a, c.x, c.y), cairn_grid_is_open(b, c.x, c.y));
        assert_int_equal(cairn_grid_terrain(a, c.x, c.y), cairn_grid_terrain(b, c.x, c.y));
    }
}

/* The same pixels in a file and without one are the same grid, or the same complaint. */
static void decoded_pixels_are_read_as_those_of_a_file(void **state)
{
    enum { SIDE = 9 };
    static const cairn_png_colour colours[] = {
        {0, 0, 0, false, 0, 0}, {254, 254, 254, true, 7, 1}, {100, 100, 100, true, 0, 250}};
    uint64_t seed = 5;
    for (uint32_t round = 0; round < 60; round++) {
        uint16_t samples[SIDE * SIDE * 4];
        uint8_t rgba[SIDE * SIDE * 4];
        for (size_t i = 0; i < LENGTH(samples); i++) {
            static const uint8_t parts[] = {0, 1, 100, 102, 254, 255};
            rgba[i] = i % 4 == 3 && round % 3
                          ? 255
                          : parts[i % 4 ? i % 3 : next_random(&seed) % LENGTH(parts)];
            if (i % 4 == 1 || i % 4 == 2) rgba[i] = rgba[i - 1];
            samples[i] = rgba[i];
        }
        bytes png = make_png(SIDE, SIDE, (kind){.type = PNG_COLOR_TYPE_RGBA, .depth = 8}, samples,
                             4, NULL, 0);
        cairn_png_options options = {.mode = (cairn_png_mode)(round % CAIRN_PNG_MODE_COUNT),
                                     .threshold = round % 5 * 60,
                                     .invert = round % 7 == 0,
                                     .colours = colours,
                                     .colour_count = LENGTH(colours),
                                     .tolerance = round % 4,
                                     .otherwise = round % 2 ? &colours[1] : NULL};
        cairn_grid *file = NULL, *pixels = NULL;
        cairn_error why_file = {0}, why_pixels = {0};
        cairn_status status =
            cairn_png_parse(*state, (cairn_bytes){png.data, png.size}, &options, &file, &why_file);
        assert_int_equal(cairn_pixels_parse(*state, (cairn_pixels){rgba, SIDE, SIDE}, &options,
                                            &pixels, &why_pixels),
                         status);
        assert_string_equal(why_file.text, why_pixels.text);
        if (!status) same_cells(file, pixels);
        cairn_grid_destroy(file);
        cairn_grid_destroy(pixels);
        bytes_free(&png);
    }
    cairn_grid *none = NULL;
    uint8_t pixel[4] = {0};
    CHECK_STATUS(cairn_pixels_parse(*state, (cairn_pixels){pixel, 0, 1}, NULL, &none, NULL),
                 CAIRN_BAD_DATA);
    CHECK_STATUS(
        cairn_pixels_parse(*state, (cairn_pixels){pixel, 1, CAIRN_GRID_MAX + 1}, NULL, &none, NULL),
        CAIRN_BAD_DATA);
    CHECK_STATUS(cairn_pixels_parse(*state, (cairn_pixels){NULL, 1, 1}, NULL, &none, NULL),
                 CAIRN_INVALID);
    CHECK_STATUS(cairn_pixels_parse(NULL, (cairn_pixels){pixel, 1, 1}, NULL, &none, NULL),
                 CAIRN_INVALID);
    CHECK_STATUS(cairn_pixels_parse(*state, (cairn_pixels){pixel, 1, 1}, NULL, NULL, NULL),
                 CAIRN_INVALID);
    assert_null(none);
}

static void a_grid_that_was_written_reads_back_the_same(void **state)
{
    static const uint32_t shapes[][3] = {
        {1, 1, 1}, {1, 7, 4}, {64, 3, 4}, {37, 41, 20}, {100, 100, 255}};
    for (size_t i = 0; i < LENGTH(shapes); i++) {
        cairn_grid *grid = painted_grid(*state, shapes[i][0], shapes[i][1], shapes[i][2], i),
                   *again = NULL;
        cairn_file file;
        CHECK_OK(cairn_grid_png(grid, &file, NULL));
        for (int mode = CAIRN_PNG_AUTO; mode <= CAIRN_PNG_DEFAULT; mode += CAIRN_PNG_DEFAULT) {
            cairn_png_options options = {.mode = (cairn_png_mode)mode};
            CHECK_OK(cairn_png_parse(*state, (cairn_bytes){file.data, file.size},
                                     mode ? &options : NULL, &again, NULL));
            same_cells(grid, again);
            cairn_grid_destroy(again);
        }
        cairn_file_free(*state, &file);
        cairn_grid_destroy(grid);
    }
}

static void a_file_on_disk_reads_back_the_same(void **state)
{
    const char *name = CAIRN_BINARY_DIR "/test_io_png_grid.png";
    cairn_grid *grid = painted_grid(*state, 30, 20, 6, 5), *again = NULL;
    cairn_file file;
    CHECK_OK(cairn_grid_png(grid, &file, NULL));
    CHECK_OK(cairn_file_write(name, (cairn_bytes){file.data, file.size}, NULL));
    CHECK_OK(cairn_grid_load(*state, name, &again, NULL));
    same_cells(grid, again);
    cairn_file_free(*state, &file);
    cairn_grid_destroy(grid);
    cairn_grid_destroy(again);
    remove(name);
}

static void every_look_has_a_colour_of_its_own(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < 257; a++) {
        cairn_png_colour x = cairn_png_default(a > 0, (uint8_t)(a - 1));
        assert_int_equal(x.open, a > 0);
        assert_int_equal(x.terrain, a > 0 ? a - 1 : 0);
        for (uint32_t b = 0; b < a; b++) {
            cairn_png_colour y = cairn_png_default(b > 0, (uint8_t)(b - 1));
            CHECK(x.red != y.red || x.green != y.green || x.blue != y.blue, "looks %u and %u", a,
                  b);
        }
    }
}

static void a_grid_with_more_looks_than_colours_is_not_written(void **state)
{
    uint8_t open[257], terrain[257] = {0};
    for (uint32_t i = 0; i < 257; i++) open[i] = i < 256, terrain[i] = i < 256 ? (uint8_t)i : 0;
    cairn_grid_options options = {.width = 257, .height = 1, .open = open, .terrain = terrain};
    cairn_grid *grid = NULL;
    CHECK_OK(cairn_grid_create(*state, &options, &grid, NULL));
    cairn_file file;
    cairn_error error = {0};
    CHECK_STATUS(cairn_grid_png(grid, &file, &error), CAIRN_UNSUPPORTED);
    assert_null(file.data);
    assert_non_null(strstr(error.text, "256"));
    cairn_grid_destroy(grid);
}

/* ---- what is refused ---- */

static void a_picture_cut_anywhere_is_refused(void **state)
{
    static bool open[SIDE_MAX * SIDE_MAX];
    static const kind kinds[] = {{.type = PNG_COLOR_TYPE_PALETTE, .depth = 4},
                                 {.type = PNG_COLOR_TYPE_RGBA, .depth = 16, .interlaced = true}};
    for (size_t i = 0; i < LENGTH(kinds); i++) {
        bytes png = random_picture(kinds[i], 9, 7, i, open);
        for (size_t size = 0; size < png.size; size++) {
            uint8_t *exact = malloc(size ? size : 1);
            memcpy(exact, png.data, size);
            cairn_grid *grid = NULL;
            cairn_error error = {0};
            CHECK_STATUS(cairn_png_parse(*state, (cairn_bytes){exact, size}, NULL, &grid, &error),
                         CAIRN_BAD_DATA);
            assert_true(!grid && error.text[0]);
            free(exact);
        }
        bytes_free(&png);
    }
}

static void a_picture_with_a_flipped_bit_is_refused_or_read(void **state)
{
    static bool open[SIDE_MAX * SIDE_MAX];
    bytes png = random_picture((kind){.type = PNG_COLOR_TYPE_GRAY, .depth = 4, .interlaced = true},
                               13, 11, 3, open);
    for (size_t bit = 0; bit < png.size * 8; bit++) {
        png.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        cairn_grid *grid = NULL;
        cairn_error error = {0};
        cairn_status status =
            cairn_png_parse(*state, (cairn_bytes){png.data, png.size}, NULL, &grid, &error);
        CHECK(status ? !grid && error.status == status && error.text[0] : grid != NULL, "bit %zu",
              bit);
        cairn_grid_destroy(grid);
        png.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    bytes_free(&png);
}

static void put_number(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* The header of a good file with another size, its checksum mended. */
static void claim(bytes png, uint32_t width, uint32_t height)
{
    put_number(png.data + 16, width);
    put_number(png.data + 20, height);
    put_number(png.data + 29, (uint32_t)crc32(0, png.data + 12, 17));
}

static void sizes_that_cannot_be_are_refused_before_memory_is_asked_for(void **state)
{
    (void)state;
    static bool open[SIDE_MAX * SIDE_MAX];
    bytes png = random_picture((kind){.type = PNG_COLOR_TYPE_GRAY, .depth = 8}, 9, 7, 3, open);
    watched w = {0};
    cairn_context *context = NULL;
    CHECK_OK(watched_context(&w, &context));
    static const uint32_t sizes[][2] = {
        {0, 1}, {1, 0}, {32769, 1}, {1, 32769}, {UINT32_MAX, UINT32_MAX}, {0x80000000u, 1}};
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        claim(png, sizes[i][0], sizes[i][1]);
        uint64_t calls = w.calls;
        refuse(context, png.data, png.size, NULL, "1 to 32768");
        assert_int_equal(w.calls, calls);
    }
    claim(png, 8192, 8192);
    refuse(context, png.data, png.size, NULL, "too short for its width and height");
    assert_true(cairn_context_memory(context).peak_bytes < 4 << 20);
    claim(png, 9, 8);
    refuse(context, png.data, png.size, NULL, "damaged");
    claim(png, 9, 7);
    cairn_grid_destroy(read_png(context, png, NULL));
    bytes_free(&png);
    cairn_context_destroy(context);
    assert_int_equal(w.blocks, 0);
}

/* A short file asks for no more cells than the context lets it, however well it is packed. */
static void a_short_file_asks_for_few_cells(void **state)
{
    (void)state;
    static bool open[SIDE_MAX * SIDE_MAX];
    bytes png = random_picture((kind){.type = PNG_COLOR_TYPE_GRAY, .depth = 1}, 400, 300, 3, open);
    const uint64_t limits[] = {0, 120000, 119999};
    for (size_t i = 0; i < LENGTH(limits); i++) {
        cairn_context_options options = cairn_context_defaults();
        options.file_cells = limits[i];
        cairn_context *context = NULL;
        CHECK_OK(cairn_context_create(&options, &context));
        cairn_grid *grid = NULL;
        cairn_error error = {0};
        const cairn_bytes whole = {png.data, png.size};
        CHECK_STATUS(cairn_png_parse(context, whole, NULL, &grid, &error), CAIRN_OK);
        cairn_grid_destroy(grid); /* it has a byte and more for eight cells */
        claim(png, 32768, 32768);
        uint64_t before = cairn_context_memory(context).allocations;
        CHECK_STATUS(cairn_png_parse(context, whole, NULL, &grid, &error), CAIRN_OUT_OF_BUDGET);
        CHECK(!grid && strstr(error.text, "it asks for 1073741824 cells"), "%s", error.text);
        assert_int_equal(cairn_context_memory(context).allocations, before);
        claim(png, 400, 300);
        cairn_context_destroy(context);
    }
    bytes_free(&png);
}

/* Pictures of one colour take almost no bytes: the limit is exact. */
static void the_limit_of_cells_is_exact(void **state)
{
    (void)state;
    static const uint16_t none[400 * 300];
    bytes png =
        make_png(400, 300, (kind){.type = PNG_COLOR_TYPE_GRAY, .depth = 8}, none, 1, NULL, 0);
    CHECK(png.size * 8 < 119999, "%zu bytes", png.size);
    for (uint64_t limit = 119999; limit <= 120000; limit++) {
        cairn_context_options options = cairn_context_defaults();
        options.file_cells = limit;
        cairn_context *context = NULL;
        CHECK_OK(cairn_context_create(&options, &context));
        cairn_grid *grid = NULL;
        CHECK_STATUS(cairn_png_parse(context, (cairn_bytes){png.data, png.size}, NULL, &grid, NULL),
                     limit < 120000 ? CAIRN_OUT_OF_BUDGET : CAIRN_OK);
        cairn_grid_destroy(grid);
        cairn_context_destroy(context);
    }
    bytes_free(&png);
}

static void put_chunk(bytes *png, const char *name, const uint8_t *data, uint32_t size)
{
    uint8_t number[4];
    put_number(number, size);
    bytes_put(png, number, 4);
    bytes_put(png, name, 4);
    bytes_put(png, data, size);
    uint32_t sum = (uint32_t)crc32(0, png->data + png->size - size - 4, size + 4);
    put_number(number, sum);
    bytes_put(png, number, 4);
}

/* Texts that unpack to a megabyte each, in a file of a few hundred kilobytes. */
static void texts_beside_the_picture_take_little_memory(void **state)
{
    cairn_context *context = *state;
    enum { UNPACKED = 1000000, TEXTS = 300 };
    static uint8_t packed[4000] = "a\0";
    uint8_t *letters = malloc(UNPACKED);
    memset(letters, 'a', UNPACKED);
    uLongf size = sizeof packed - 3;
    assert_int_equal(compress(packed + 3, &size, letters, UNPACKED), Z_OK);
    free(letters);
    static bool open[SIDE_MAX * SIDE_MAX];
    bytes plain = random_picture((kind){.type = PNG_COLOR_TYPE_GRAY, .depth = 8}, 9, 7, 3, open);
    bytes png = {0};
    bytes_put(&png, plain.data, 33);
    for (int i = 0; i < TEXTS; i++) put_chunk(&png, "zTXt", packed, (uint32_t)size + 3);
    bytes_put(&png, plain.data + 33, plain.size - 33);
    CHECK(png.size < 500000, "%zu bytes", png.size);
    cairn_grid_destroy(read_png(context, png, NULL));
    size_t peak = cairn_context_memory(context).peak_bytes;
    CHECK(peak < (size_t)40 << 20, "%zu bytes", peak);
    bytes_free(&plain);
    bytes_free(&png);
}

static void arguments_that_make_no_sense_are_invalid(void **state)
{
    cairn_grid *grid = NULL;
    cairn_file file;
    cairn_png_colour colour = {0};
    CHECK_STATUS(cairn_png_parse(NULL, (cairn_bytes){"", 0}, NULL, &grid, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_png_parse(*state, (cairn_bytes){NULL, 1}, NULL, &grid, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_png_parse(*state, (cairn_bytes){"", 0}, NULL, NULL, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_png_parse(*state, (cairn_bytes){NULL, 0}, NULL, &grid, NULL),
                 CAIRN_BAD_DATA);
    const cairn_png_options wrong[] = {
        {.mode = CAIRN_PNG_MODE_COUNT},
        {.threshold = 256},
        {.mode = CAIRN_PNG_PALETTE},
        {.mode = CAIRN_PNG_PALETTE, .colours = &colour},
        {.mode = CAIRN_PNG_PALETTE, .colours = &colour, .colour_count = 1, .tolerance = 256},
    };
    for (size_t i = 0; i < LENGTH(wrong); i++)
        CHECK_STATUS(cairn_png_parse(*state, (cairn_bytes){"", 0}, &wrong[i], &grid, NULL),
                     CAIRN_INVALID);
    CHECK_STATUS(cairn_grid_png(NULL, &file, NULL), CAIRN_INVALID);
}

/* ---- memory ---- */

static void every_allocation_may_fail(void **state)
{
    (void)state;
    bool done = false;
    for (uint64_t n = 1; !done; n++) {
        watched w = {0};
        cairn_context *context = NULL;
        CHECK_OK(watched_context(&w, &context));
        cairn_grid *grid = painted_grid(context, 20, 20, 9, 4), *again = NULL;
        size_t blocks = w.blocks;
        w.fail_at = w.calls + n;
        cairn_file file;
        cairn_error error = {0};
        cairn_status status = cairn_grid_png(grid, &file, &error);
        if (!status)
            status =
                cairn_png_parse(context, (cairn_bytes){file.data, file.size}, NULL, &again, &error);
        done = !w.failures;
        CHECK(status == (done ? CAIRN_OK : CAIRN_OUT_OF_MEMORY), "request %u: %s", (unsigned)n,
              error.text);
        assert_true(!again == !done);
        cairn_grid_destroy(again);
        cairn_file_free(context, &file);
        assert_int_equal(w.blocks, blocks);
        assert_false(w.wrong_size);
        cairn_grid_destroy(grid);
        cairn_context_destroy(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define WITH_CONTEXT(name) cmocka_unit_test_setup_teardown(name, context_set_up, context_tear_down)
        WITH_CONTEXT(every_kind_of_picture_is_read_with_a_threshold),
        WITH_CONTEXT(transparent_colours_are_blocked),
        WITH_CONTEXT(the_threshold_is_where_it_is_said_to_be),
        WITH_CONTEXT(colours_stand_for_what_the_palette_says),
        WITH_CONTEXT(the_nearest_colour_is_found_in_every_palette),
        WITH_CONTEXT(many_pixels_of_many_colours_are_read_at_once),
        WITH_CONTEXT(a_grid_that_was_written_reads_back_the_same),
        WITH_CONTEXT(a_file_on_disk_reads_back_the_same),
        WITH_CONTEXT(decoded_pixels_are_read_as_those_of_a_file),
        cmocka_unit_test(every_look_has_a_colour_of_its_own),
        WITH_CONTEXT(a_grid_with_more_looks_than_colours_is_not_written),
        WITH_CONTEXT(a_picture_cut_anywhere_is_refused),
        WITH_CONTEXT(a_picture_with_a_flipped_bit_is_refused_or_read),
        cmocka_unit_test(sizes_that_cannot_be_are_refused_before_memory_is_asked_for),
        cmocka_unit_test(a_short_file_asks_for_few_cells),
        cmocka_unit_test(the_limit_of_cells_is_exact),
        cmocka_unit_test_setup_teardown(texts_beside_the_picture_take_little_memory, context_set_up,
                                        context_tear_down),
        WITH_CONTEXT(arguments_that_make_no_sense_are_invalid),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
