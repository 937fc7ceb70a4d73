/* png.c: pictures of grids as PNG, by libpng (only if built with CAIRN_WITH_PNG).
 *
 * The picture is painted in bands of a few rows. Each is passed to libpng as soon as it is done, so
 * that a map of 8192 × 8192 cells needs megabytes, not hundreds of them. Lines and marks are
 * painted by their distance to each pixel, which gives smooth edges and round joints at no extra
 * cost. Each band draws only what touches it. A pixel of a map of hexagons belongs to the nearest
 * centre. The letters of the legend are a small font of 5 × 7 dots.
 */
#include "io/picture.h"
#include "io/png_support.h"

#if defined(CAIRN_WITH_PNG)

#include <math.h>
#include <string.h>

#define PNG_BAND 64u
#define PNG_SIDE_MAX 65535u

typedef struct png_canvas {
    const cairn_picture *picture;
    const crn_layout *layout;
    uint32_t width, height; /* pixels of the whole picture ... */
    uint32_t map_height;    /* ... and of the map, which the legend follows */
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

static void png_set(uint8_t *pixel, crn_colour colour)
{
    pixel[0] = colour.red;
    pixel[1] = colour.green;
    pixel[2] = colour.blue;
}

static const crn_colour png_line_colour = {0, 0, 0};

static crn_colour png_cell_colour(const png_canvas *canvas, int32_t x, int32_t y)
{
    return crn_paint_colour(crn_cell_paint(canvas->layout, x, y));
}

static void png_square_row(png_canvas *canvas, uint32_t cell_y, uint8_t *row)
{
    uint32_t scale = canvas->layout->scale;
    uint32_t shift = cell_y & 1 ? (uint32_t)(canvas->layout->shift * scale + 0.5) : 0;
    for (uint32_t x = 0; x < canvas->width; x++) png_set(row + 3 * x, crn_paper_colour);
    row += (size_t)shift * 3;
    for (uint32_t x = 0; x < canvas->layout->width; x++) {
        crn_colour colour = png_cell_colour(canvas, (int32_t)x, (int32_t)cell_y);
        for (uint32_t i = 0; i < scale; i++, row += 3) {
            png_set(row, colour);
            if (canvas->layout->grid_lines && i == 0 && x) png_blend(row, png_line_colour, 0.09);
        }
    }
}

static void png_squares(png_canvas *canvas, uint32_t y)
{
    uint32_t scale = canvas->layout->scale;
    size_t row_size = (size_t)canvas->width * 3;
    uint8_t *row = png_row(canvas, y);
    /* All rows of a cell are the same but for the line on top. */
    if (y > canvas->top + 1 && y % scale > 1)
        memcpy(row, row - row_size, row_size);
    else
        png_square_row(canvas, y / scale, row);
    if (canvas->layout->grid_lines && y % scale == 0 && y)
        for (uint32_t x = 0; x < canvas->width; x++) png_blend(row + 3 * x, png_line_colour, 0.09);
}

/* One of the two rows of hexagons that a row of pixels may belong to: the hexagon in it that is
 * nearest to x, and how deep the pixel lies inside that, in cells; negative outside. */
typedef struct png_hexagon {
    int32_t x, y;
    double depth;
} png_hexagon;

static png_hexagon png_hexagon_at(int32_t cell_y, double x, double y)
{
    double shift = cell_y & 1 ? 0.5 : 0, column = floor(x - shift);
    double dx = fabs(x - shift - column - 0.5),
           dy = fabs(y - CRN_IO_HEX_CENTRE - cell_y * CRN_IO_HEX_ROW);
    double side = 0.5 - dx, slope = 0.5 - (dx * 0.5 + dy * CRN_IO_HEX_ROW);
    return (png_hexagon){(int32_t)column, cell_y, side < slope ? side : slope};
}

static void png_hexagons(png_canvas *canvas, uint32_t pixel_y)
{
    const crn_layout *layout = canvas->layout;
    uint8_t *pixel = png_row(canvas, pixel_y);
    double y = (pixel_y + 0.5) / layout->scale;
    int32_t above = (int32_t)floor((y - CRN_IO_HEX_CENTRE) / CRN_IO_HEX_ROW);
    for (uint32_t i = 0; i < canvas->width; i++, pixel += 3) {
        double x = (i + 0.5) / layout->scale;
        png_hexagon upper = png_hexagon_at(above, x, y), lower = png_hexagon_at(above + 1, x, y);
        png_hexagon here = upper.depth >= lower.depth ? upper : lower;
        bool inside = here.x >= 0 && here.y >= 0 && here.x < (int32_t)layout->width &&
                      here.y < (int32_t)layout->height;
        png_set(pixel, inside ? png_cell_colour(canvas, here.x, here.y) : crn_paper_colour);
        if (inside && layout->grid_lines)
            png_blend(pixel, png_line_colour, 0.16 * (1 - here.depth * layout->scale));
    }
}

static void png_cells(png_canvas *canvas)
{
    uint32_t end = canvas->top + canvas->rows;
    for (uint32_t y = canvas->top; y < end && y < canvas->map_height; y++) {
        if (canvas->layout->hexagons)
            png_hexagons(canvas, y);
        else
            png_squares(canvas, y);
    }
}

/* ---- the legend ---- */

/* Seven rows of five dots, the leftmost in bit 4. */
static const struct {
    char letter;
    uint8_t rows[CRN_LETTER_HEIGHT];
} png_font[] = {
    {'0', {0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e}},
    {'1', {0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e}},
    {'2', {0x0e, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1f}},
    {'3', {0x1f, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0e}},
    {'4', {0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02}},
    {'5', {0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e}},
    {'6', {0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e}},
    {'7', {0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08}},
    {'8', {0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e}},
    {'9', {0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c}},
    {'.', {0x00, 0x00, 0x00, 0x00, 0x00, 0x0c, 0x0c}},
    {'o', {0x00, 0x00, 0x0e, 0x11, 0x11, 0x11, 0x0e}},
    {'r', {0x00, 0x00, 0x16, 0x19, 0x10, 0x10, 0x10}},
    {'d', {0x01, 0x01, 0x0d, 0x13, 0x11, 0x11, 0x0f}},
    {'e', {0x00, 0x00, 0x0e, 0x11, 0x1f, 0x10, 0x0e}},
    {'g', {0x00, 0x0f, 0x11, 0x11, 0x0f, 0x01, 0x0e}},
    {'h', {0x10, 0x10, 0x16, 0x19, 0x11, 0x11, 0x11}},
    {'f', {0x06, 0x09, 0x08, 0x1c, 0x08, 0x08, 0x08}},
};

/* Row y of the letters, which begin at pixel `left`; returns where they end. */
static uint32_t png_letters(const crn_legend *legend, uint8_t *row, uint32_t y, uint32_t left,
                            const char *text)
{
    for (; *text; text++, left += CRN_LETTER_WIDTH * legend->enlarge) {
        uint32_t dots = 0;
        for (size_t i = 0; i < sizeof png_font / sizeof png_font[0]; i++)
            if (png_font[i].letter == *text) dots = png_font[i].rows[y / legend->enlarge];
        for (uint32_t x = 0; x < 5 * legend->enlarge; x++)
            if (dots >> (4 - x / legend->enlarge) & 1)
                png_set(row + (size_t)(left + x) * 3, crn_outline_colour);
    }
    return left;
}

static void png_legend_row(png_canvas *canvas, uint32_t y)
{
    const crn_legend *legend = &canvas->layout->legend;
    uint8_t *row = png_row(canvas, canvas->map_height + y);
    for (uint32_t x = 0; x < canvas->width; x++) png_set(row + (size_t)x * 3, crn_paper_colour);
    if (y < legend->top || y >= legend->top + CRN_LETTER_HEIGHT * legend->enlarge) return;
    y -= legend->top;
    uint32_t left = png_letters(legend, row, y, legend->text_left,
                                cairn_colouring_name(canvas->picture->colour));
    png_letters(legend, row, y, left + CRN_LETTER_WIDTH * legend->enlarge, legend->least);
    for (uint32_t x = 0; x < legend->bar_width; x++)
        png_set(row + (size_t)(legend->bar_left + x) * 3,
                crn_ramp_colour(crn_legend_step(canvas->layout, x, legend->bar_width)));
    png_letters(legend, row, y, legend->most_left, legend->most);
}

static void png_legend(png_canvas *canvas)
{
    uint32_t end = canvas->top + canvas->rows;
    for (uint32_t y = canvas->top < canvas->map_height ? canvas->map_height : canvas->top; y < end;
         y++)
        png_legend_row(canvas, y - canvas->map_height);
}

/* ---- lines and marks ---- */

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
static void png_segment_span(cairn_position a, cairn_position b, double y, double radius,
                             double *left, double *right)
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
            png_blend(pixel, colour,
                      width / 2 + 0.5 - png_segment_distance(a, b, x + 0.5, y + 0.5));
    }
}

/* A place given in cells. */
static cairn_position png_place(const png_canvas *canvas, cairn_position p)
{
    return (cairn_position){p.x * canvas->layout->scale, p.y * canvas->layout->scale, 0};
}

/* Of a step that uses a link only the ends are drawn. */
static void png_polyline(png_canvas *canvas, const crn_polyline *line, double width,
                         crn_colour colour)
{
    const crn_layout *layout = canvas->layout;
    uint32_t next = 0;
    for (uint32_t i = 1; i < line->count; i++) {
        cairn_position a = png_place(canvas, crn_polyline_place(layout, line, i - 1));
        cairn_position b = png_place(canvas, crn_polyline_place(layout, line, i));
        bool link = crn_step_is_link(layout, line, i, &next);
        png_segment(canvas, a, link ? a : b, width, colour);
        if (link) png_segment(canvas, b, b, width, colour);
    }
}

static void png_overlay(png_canvas *canvas)
{
    const crn_layout *layout = canvas->layout;
    const cairn_overlay *overlay = canvas->picture->overlay;
    for (int k = 0; overlay && k < 3; k++) {
        for (size_t i = 0; i < overlay->mark_count; i++) {
            const crn_overlay_mark *mark = &overlay->marks[i];
            if (mark->kind != crn_overlay_order[k]) continue;
            cairn_position a = crn_overlay_place(layout, mark->from),
                           b = crn_overlay_place(layout, mark->to);
            crn_overlay_style style = crn_overlay_style_of(layout, mark->kind, mark->level);
            png_segment(canvas, png_place(canvas, a), png_place(canvas, b), style.width,
                        style.colour);
        }
    }
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
    cairn_position centre = png_place(canvas, crn_cell_centre(canvas->layout, node));
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
    png_overlay(canvas);
    png_polyline(canvas, &layout->bold_line, layout->casing, crn_path_casing);
    png_polyline(canvas, &layout->bold_line, layout->line, crn_path_colour);
    png_polyline(canvas, &layout->thin_line, layout->thin, crn_thin_path_colour);
    png_mark(canvas, canvas->picture->from, false, crn_start_colour);
    png_mark(canvas, canvas->picture->to, true, crn_goal_colour);
    png_legend(canvas);
}

/* ---- writing ---- */

static void png_encode(png_structp png, png_infop info, void *user)
{
    png_canvas *canvas = user;
    png_set_IHDR(png, info, canvas->width, canvas->height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (canvas->top = 0; canvas->top < canvas->height; canvas->top += PNG_BAND) {
        uint32_t left = canvas->height - canvas->top;
        canvas->rows = left < PNG_BAND ? left : PNG_BAND;
        crn_picture_progress(canvas->picture, canvas->top, canvas->height);
        png_paint_band(canvas);
        for (uint32_t y = 0; y < canvas->rows; y++)
            png_write_row(png, png_row(canvas, canvas->top + y));
    }
}

cairn_status cairn_picture_png(const cairn_picture *picture, cairn_file *out, cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = (cairn_file){0};
    crn_layout layout;
    if (picture && picture->space && !cairn_space_grid(picture->space))
        return crn_io_fail(error, CAIRN_UNSUPPORTED, 0, "graphs can be drawn as SVG only");
    cairn_status status = crn_picture_layout(picture, true, &layout, error);
    if (status) return status;
    png_canvas canvas = {.picture = picture, .layout = &layout};
    canvas.width = (uint32_t)ceil(layout.wide * layout.scale);
    canvas.map_height = (uint32_t)ceil(layout.high * layout.scale);
    crn_picture_legend(&layout, canvas.width);
    canvas.height = canvas.map_height + layout.legend.height;
    if (canvas.width > PNG_SIDE_MAX || canvas.height > PNG_SIDE_MAX) {
        crn_picture_done(&layout);
        return crn_io_fail(error, CAIRN_UNSUPPORTED, 0, "a PNG of %u x %u pixels is too large",
                           canvas.width, canvas.height);
    }
    crn_io_buffer buffer = {.context = cairn_space_context(picture->space)};
    size_t band = (size_t)canvas.width * 3 * PNG_BAND;
    canvas.pixels = crn_io_resize(buffer.context, NULL, 0, band);
    bool ok = canvas.pixels && crn_png_write(&buffer, png_encode, &canvas);
    if (canvas.pixels) crn_io_resize(buffer.context, canvas.pixels, band, 0);
    crn_picture_done(&layout);
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
