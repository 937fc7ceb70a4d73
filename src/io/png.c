/* png.c: pictures of grids as PNG, by libpng (only if built with CAIRN_WITH_PNG).
 *
 * The picture is painted in bands of a few rows, each handed to libpng as soon as it is
 * done, so that a map of 8192 × 8192 cells needs megabytes, not hundreds of them. Lines
 * and marks are painted by their distance to each pixel, which gives smooth edges and
 * round joints for nothing; each band looks only at what touches it.
 */
#include "io/picture.h"

#if defined(CAIRN_WITH_PNG)

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <string.h>

#define PNG_BAND 64u
#define PNG_SIDE_MAX 65535u

typedef struct png_canvas {
    const cairn_picture *picture;
    const crn_layout *layout;
    uint32_t width, height; /* pixels of the whole picture */
    uint32_t top, rows;     /* the band */
    uint8_t *pixels;        /* of the band */
} png_canvas;

/* ---- painting ---- */

static void png_blend(uint8_t *pixel, crn_colour colour, double part)
{
    if (part <= 0) return;
    uint32_t p = part >= 1 ? 256 : (uint32_t)(part * 256);
    pixel[0] = (uint8_t)((pixel[0] * (256 - p) + colour.red * p) >> 8);
    pixel[1] = (uint8_t)((pixel[1] * (256 - p) + colour.green * p) >> 8);
    pixel[2] = (uint8_t)((pixel[2] * (256 - p) + colour.blue * p) >> 8);
}

static uint8_t *png_row(png_canvas *canvas, uint32_t y)
{
    return canvas->pixels + (size_t)(y - canvas->top) * canvas->width * 3;
}

static void png_cell_row(png_canvas *canvas, uint32_t cell_y, uint8_t *row)
{
    uint32_t scale = canvas->layout->scale;
    for (uint32_t x = 0; x < canvas->layout->width; x++) {
        crn_colour colour = crn_paint_colour(crn_cell_paint(canvas->picture, (int32_t)x, (int32_t)cell_y));
        for (uint32_t i = 0; i < scale; i++, row += 3) {
            row[0] = colour.red;
            row[1] = colour.green;
            row[2] = colour.blue;
            if (canvas->layout->grid_lines && i == 0 && x) png_blend(row, (crn_colour){0, 0, 0}, 0.09);
        }
    }
}

static void png_cells(png_canvas *canvas)
{
    uint32_t scale = canvas->layout->scale;
    size_t row_size = (size_t)canvas->width * 3;
    for (uint32_t y = canvas->top; y < canvas->top + canvas->rows; y++) {
        uint8_t *row = png_row(canvas, y);
        /* All rows of a cell are the same but for the line on top. */
        if (y > canvas->top + 1 && y % scale > 1)
            memcpy(row, row - row_size, row_size);
        else
            png_cell_row(canvas, y / scale, row);
        if (canvas->layout->grid_lines && y % scale == 0 && y)
            for (uint32_t x = 0; x < canvas->width; x++) png_blend(row + 3 * x, (crn_colour){0, 0, 0}, 0.09);
    }
}

static double png_clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static double png_segment_distance(cairn_position a, cairn_position b, double x, double y)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    double t = length > 0 ? png_clamp(((x - a.x) * dx + (y - a.y) * dy) / length, 0, 1) : 0;
    double ex = x - (a.x + t * dx), ey = y - (a.y + t * dy);
    return sqrt(ex * ex + ey * ey);
}

/* The pixels of row y that lie within `radius` of the segment, roughly. */
static void png_segment_span(cairn_position a, cairn_position b, double y, double radius, double *left,
                             double *right)
{
    double t0 = 0, t1 = 1, dy = b.y - a.y;
    if (dy > 0.5 || dy < -0.5) {
        t0 = png_clamp((y - radius - a.y) / dy, 0, 1);
        t1 = png_clamp((y + radius - a.y) / dy, 0, 1);
    }
    double x0 = a.x + t0 * (b.x - a.x), x1 = a.x + t1 * (b.x - a.x);
    *left = (x0 < x1 ? x0 : x1) - radius;
    *right = (x0 < x1 ? x1 : x0) + radius;
}

static void png_segment(png_canvas *canvas, cairn_position a, cairn_position b, double width,
                        crn_colour colour)
{
    double radius = width / 2 + 1;
    double low = (a.y < b.y ? a.y : b.y) - radius, high = (a.y < b.y ? b.y : a.y) + radius;
    double bottom = canvas->top + canvas->rows;
    if (high < canvas->top || low >= bottom) return;
    uint32_t first = (uint32_t)png_clamp(low, canvas->top, bottom);
    uint32_t last = (uint32_t)png_clamp(high + 1, canvas->top, bottom);
    for (uint32_t y = first; y < last; y++) {
        double left, right;
        png_segment_span(a, b, y + 0.5, radius, &left, &right);
        uint32_t x0 = (uint32_t)png_clamp(left, 0, canvas->width);
        uint32_t x1 = (uint32_t)png_clamp(right + 1, 0, canvas->width);
        uint8_t *pixel = png_row(canvas, y) + (size_t)x0 * 3;
        for (uint32_t x = x0; x < x1; x++, pixel += 3)
            png_blend(pixel, colour, width / 2 + 0.5 - png_segment_distance(a, b, x + 0.5, y + 0.5));
    }
}

static cairn_position png_place(const png_canvas *canvas, cairn_node node)
{
    cairn_cell cell = cairn_grid_cell(cairn_space_grid(canvas->picture->space), node);
    double scale = canvas->layout->scale;
    return (cairn_position){(cell.x + 0.5) * scale, (cell.y + 0.5) * scale};
}

static void png_polyline(png_canvas *canvas, const cairn_node *points, uint32_t count, double width,
                         crn_colour colour)
{
    for (uint32_t i = 1; i < count; i++)
        png_segment(canvas, png_place(canvas, points[i - 1]), png_place(canvas, points[i]), width, colour);
}

/* How deep a point lies inside a disc or a diamond; negative outside. */
static double png_mark_depth(double dx, double dy, double radius, bool diamond)
{
    if (!diamond) return radius - sqrt(dx * dx + dy * dy);
    double sum = (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
    return (radius * 1.25 - sum) * 0.7071;
}

static void png_mark(png_canvas *canvas, cairn_node node, bool diamond, crn_colour colour)
{
    if (node == CAIRN_NO_NODE) return;
    cairn_position centre = png_place(canvas, node);
    double radius = canvas->layout->mark, outline = radius * 0.15 + 0.4;
    double reach = radius * 1.25 + outline + 2;
    double bottom = canvas->top + canvas->rows;
    uint32_t y0 = (uint32_t)png_clamp(centre.y - reach, canvas->top, bottom);
    uint32_t y1 = (uint32_t)png_clamp(centre.y + reach, canvas->top, bottom);
    uint32_t x0 = (uint32_t)png_clamp(centre.x - reach, 0, canvas->width);
    uint32_t x1 = (uint32_t)png_clamp(centre.x + reach, 0, canvas->width);
    for (uint32_t y = y0; y < y1; y++) {
        for (uint32_t x = x0; x < x1; x++) {
            uint8_t *pixel = png_row(canvas, y) + (size_t)x * 3;
            double depth = png_mark_depth(x + 0.5 - centre.x, y + 0.5 - centre.y, radius, diamond);
            png_blend(pixel, crn_outline_colour, depth + outline + 0.5);
            png_blend(pixel, colour, depth - outline + 0.5);
        }
    }
}

static void png_paint_band(png_canvas *canvas)
{
    const crn_layout *layout = canvas->layout;
    png_cells(canvas);
    png_polyline(canvas, layout->bold_points, layout->bold_count, layout->casing, crn_path_casing);
    png_polyline(canvas, layout->bold_points, layout->bold_count, layout->line, crn_path_colour);
    png_polyline(canvas, layout->thin_points, layout->thin_count, layout->thin, crn_thin_path_colour);
    png_mark(canvas, canvas->picture->from, false, crn_start_colour);
    png_mark(canvas, canvas->picture->to, true, crn_goal_colour);
}

/* ---- writing ---- */

static void png_write_data(png_structp png, png_bytep data, png_size_t size)
{
    crn_io_buffer *buffer = png_get_io_ptr(png);
    crn_io_put(buffer, data, size);
    if (buffer->failed) png_error(png, "no memory");
}

static void png_flush_data(png_structp png)
{
    (void)png;
}

/* libpng prints its complaints by default; ours go into the status. */
static void png_silent_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static void png_raise(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

/* Apart from the locals of the caller, because of longjmp. */
static bool png_encode(png_structp png, png_infop info, png_canvas *canvas, crn_io_buffer *buffer)
{
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_write_fn(png, buffer, png_write_data, png_flush_data);
    png_set_IHDR(png, info, canvas->width, canvas->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (canvas->top = 0; canvas->top < canvas->height; canvas->top += PNG_BAND) {
        uint32_t left = canvas->height - canvas->top;
        canvas->rows = left < PNG_BAND ? left : PNG_BAND;
        crn_picture_progress(canvas->picture, canvas->top, canvas->height);
        png_paint_band(canvas);
        for (uint32_t y = 0; y < canvas->rows; y++) png_write_row(png, png_row(canvas, canvas->top + y));
    }
    png_write_end(png, info);
    return true;
}

static bool png_draw(png_canvas *canvas, crn_io_buffer *buffer)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, png_raise, png_silent_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool ok = info && png_encode(png, info, canvas, buffer);
    if (png) png_destroy_write_struct(&png, &info);
    return ok;
}

cairn_status cairn_picture_png(const cairn_picture *picture, cairn_file *out, cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = (cairn_file){0};
    crn_layout layout;
    cairn_status status = crn_picture_layout(picture, &layout, error);
    if (status) return status;
    if (!cairn_space_grid(picture->space))
        return crn_io_fail(error, CAIRN_UNSUPPORTED, 0, "graphs can be drawn as SVG only");
    png_canvas canvas = {.picture = picture, .layout = &layout};
    canvas.width = layout.width * layout.scale;
    canvas.height = layout.height * layout.scale;
    if (canvas.width > PNG_SIDE_MAX || canvas.height > PNG_SIDE_MAX)
        return crn_io_fail(error, CAIRN_UNSUPPORTED, 0, "a PNG of %u x %u pixels is too large", canvas.width,
                           canvas.height);

    crn_io_buffer buffer = {.context = cairn_space_context(picture->space)};
    size_t band = (size_t)canvas.width * 3 * PNG_BAND;
    canvas.pixels = crn_io_resize(buffer.context, NULL, 0, band);
    bool ok = canvas.pixels && png_draw(&canvas, &buffer);
    if (canvas.pixels) crn_io_resize(buffer.context, canvas.pixels, band, 0);
    if (ok) return crn_io_finish(&buffer, out, error);
    crn_io_discard(&buffer);
    return crn_io_no_memory(error);
}

#else

cairn_status cairn_picture_png(const cairn_picture *picture, cairn_file *out, cairn_error *error)
{
    (void)picture;
    if (out) *out = (cairn_file){0};
    return crn_io_fail(error, CAIRN_UNSUPPORTED, 0,
                       "this build of the library has no PNG support; SVG it has");
}

#endif
