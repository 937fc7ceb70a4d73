/* svg.c: pictures as SVG: small, sharp at any size, no dependency.
 *
 * Grids: the coordinates are cells. All cells of one paint are one <path>; a run of such
 * cells in a row is a thick stroke, "M3 5h7", which is half the bytes of a rectangle.
 * Graphs: the positions are fitted into a square of 1000 units; edges are hairlines,
 * expanded waypoints dots.
 */
#include "io/picture.h"

#include <string.h>

static void svg_colour(crn_io_buffer *svg, const char *attribute, crn_colour colour)
{
    crn_io_print(svg, " %s=\"#%02x%02x%02x\"", attribute, colour.red, colour.green, colour.blue);
}

static int64_t svg_milli(double value)
{
    return (int64_t)(value * 1000 + (value < 0 ? -0.5 : 0.5));
}

static void svg_number(crn_io_buffer *svg, const char *attribute, double value)
{
    crn_io_print(svg, " %s=\"", attribute);
    crn_io_put_milli(svg, svg_milli(value));
    crn_io_put(svg, "\"", 1);
}

/* ---- lines and marks, for both worlds ---- */

/* How nodes get to places on the picture. */
typedef struct svg_frame {
    const cairn_picture *picture;
    const cairn_grid *grid;
    double left, top, factor; /* graphs */
    double pixel;             /* picture units per pixel */
} svg_frame;

static cairn_position svg_place(const svg_frame *frame, cairn_node node)
{
    if (frame->grid) {
        cairn_cell cell = cairn_grid_cell(frame->grid, node);
        return (cairn_position){cell.x + 0.5, cell.y + 0.5};
    }
    cairn_position p = cairn_space_localize(frame->picture->space, node);
    return (cairn_position){(p.x - frame->left) * frame->factor, (p.y - frame->top) * frame->factor};
}

static void svg_put_place(crn_io_buffer *svg, cairn_position p)
{
    crn_io_put_milli(svg, svg_milli(p.x));
    crn_io_put(svg, " ", 1);
    crn_io_put_milli(svg, svg_milli(p.y));
}

static void svg_polyline_data(crn_io_buffer *svg, const svg_frame *frame, const cairn_node *points,
                              uint32_t count)
{
    crn_io_print(svg, " d=\"");
    for (uint32_t i = 0; i < count; i++) {
        crn_io_put(svg, i ? "L" : "M", 1);
        svg_put_place(svg, svg_place(frame, points[i]));
    }
    crn_io_print(svg, "\"/>\n");
}

static void svg_paths(crn_io_buffer *svg, const svg_frame *frame, const crn_layout *layout)
{
    crn_io_print(svg, "<g fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n");
    if (layout->bold_count > 1) {
        const crn_colour colours[] = {crn_path_casing, crn_path_colour};
        const double widths[] = {layout->casing, layout->line};
        for (int i = 0; i < 2; i++) {
            crn_io_print(svg, "<path");
            svg_colour(svg, "stroke", colours[i]);
            svg_number(svg, "stroke-width", widths[i] * frame->pixel);
            svg_polyline_data(svg, frame, layout->bold_points, layout->bold_count);
        }
    }
    if (layout->thin_count > 1) {
        crn_io_print(svg, "<path");
        svg_colour(svg, "stroke", crn_thin_path_colour);
        svg_number(svg, "stroke-width", layout->thin * frame->pixel);
        svg_polyline_data(svg, frame, layout->thin_points, layout->thin_count);
    }
    crn_io_print(svg, "</g>\n");
}

static void svg_marks(crn_io_buffer *svg, const svg_frame *frame, const crn_layout *layout)
{
    double radius = layout->mark * frame->pixel;
    crn_io_print(svg, "<g");
    svg_colour(svg, "stroke", crn_outline_colour);
    svg_number(svg, "stroke-width", radius * 0.3);
    crn_io_print(svg, ">\n");
    if (frame->picture->from != CAIRN_NO_NODE) {
        cairn_position p = svg_place(frame, frame->picture->from);
        crn_io_print(svg, "<circle");
        svg_number(svg, "cx", p.x);
        svg_number(svg, "cy", p.y);
        svg_number(svg, "r", radius);
        svg_colour(svg, "fill", crn_start_colour);
        crn_io_print(svg, "><title>start</title></circle>\n");
    }
    if (frame->picture->to != CAIRN_NO_NODE) {
        cairn_position p = svg_place(frame, frame->picture->to);
        double r = radius * 1.25;
        const cairn_position corners[] = {{p.x, p.y - r}, {p.x + r, p.y}, {p.x, p.y + r}, {p.x - r, p.y}};
        crn_io_print(svg, "<path");
        svg_colour(svg, "fill", crn_goal_colour);
        crn_io_print(svg, " d=\"");
        for (int i = 0; i < 4; i++) {
            crn_io_put(svg, i ? "L" : "M", 1);
            svg_put_place(svg, corners[i]);
        }
        crn_io_print(svg, "Z\"><title>goal</title></path>\n");
    }
    crn_io_print(svg, "</g>\n");
}

/* ---- grids ---- */

/* Sorts the runs of every row into the buffer of their paint. */
static void svg_collect_runs(const cairn_picture *picture, const crn_layout *layout, crn_io_buffer *paints)
{
    for (uint32_t y = 0; y < layout->height; y++) {
        crn_picture_progress(picture, y, layout->height);
        for (uint32_t x = 0; x < layout->width;) {
            uint32_t paint = crn_cell_paint(picture, (int32_t)x, (int32_t)y), first = x;
            do {
                x++;
            } while (x < layout->width && crn_cell_paint(picture, (int32_t)x, (int32_t)y) == paint);
            if (paint == CRN_PAINT_GROUND) continue; /* the background */
            crn_io_print(&paints[paint], "M%u %uh%u", first, y, x - first);
        }
    }
}

static void svg_cells(crn_io_buffer *svg, const cairn_picture *picture, const crn_layout *layout)
{
    crn_io_buffer paints[CRN_PAINTS];
    for (uint32_t i = 0; i < CRN_PAINTS; i++) paints[i] = (crn_io_buffer){.context = svg->context};
    svg_collect_runs(picture, layout, paints);

    crn_io_print(svg, "<rect width=\"%u\" height=\"%u\"", layout->width, layout->height);
    svg_colour(svg, "fill", crn_paint_colour(CRN_PAINT_GROUND));
    crn_io_print(svg, "/>\n<g transform=\"translate(0 .5)\" shape-rendering=\"crispEdges\">\n");
    for (uint32_t i = 0; i < CRN_PAINTS; i++) {
        if (paints[i].failed) svg->failed = true;
        if (paints[i].size) {
            crn_io_print(svg, "<path");
            svg_colour(svg, "stroke", crn_paint_colour(i));
            crn_io_print(svg, " d=\"");
            crn_io_put(svg, paints[i].data, paints[i].size);
            crn_io_print(svg, "\"/>\n");
        }
        crn_io_discard(&paints[i]);
    }
    crn_io_print(svg, "</g>\n");
}

static void svg_grid_lines(crn_io_buffer *svg, const crn_layout *layout)
{
    crn_io_print(svg, "<path stroke=\"#000\" stroke-opacity=\".09\" stroke-width=\".04\" d=\"");
    for (uint32_t x = 1; x < layout->width; x++) crn_io_print(svg, "M%u 0v%u", x, layout->height);
    for (uint32_t y = 1; y < layout->height; y++) crn_io_print(svg, "M0 %uh%u", y, layout->width);
    crn_io_print(svg, "\"/>\n");
}

static void svg_grid(crn_io_buffer *svg, const cairn_picture *picture, const crn_layout *layout)
{
    svg_frame frame = {
        .picture = picture, .grid = cairn_space_grid(picture->space), .pixel = 1.0 / layout->scale};
    crn_io_print(
        svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n",
        layout->width * layout->scale, layout->height * layout->scale, layout->width, layout->height);
    svg_cells(svg, picture, layout);
    if (layout->grid_lines) svg_grid_lines(svg, layout);
    svg_paths(svg, &frame, layout);
    svg_marks(svg, &frame, layout);
    crn_io_print(svg, "</svg>\n");
}

/* ---- graphs ---- */

#define SVG_GRAPH_SIDE 1000.0
#define SVG_GRAPH_MARGIN 12.0
#define SVG_FEW 5000u /* waypoints that can be told apart */

static svg_frame svg_graph_frame(const cairn_picture *picture, cairn_position *size)
{
    uint32_t count = cairn_space_node_count(picture->space);
    cairn_position low = cairn_space_localize(picture->space, 0), high = low;
    for (cairn_node node = 1; node < count; node++) {
        cairn_position p = cairn_space_localize(picture->space, node);
        if (p.x < low.x) low.x = p.x;
        if (p.y < low.y) low.y = p.y;
        if (p.x > high.x) high.x = p.x;
        if (p.y > high.y) high.y = p.y;
    }
    double side = high.x - low.x > high.y - low.y ? high.x - low.x : high.y - low.y;
    double factor = side > 0 ? SVG_GRAPH_SIDE / side : 1;
    *size = (cairn_position){(high.x - low.x) * factor + 2 * SVG_GRAPH_MARGIN,
                             (high.y - low.y) * factor + 2 * SVG_GRAPH_MARGIN};
    return (svg_frame){.picture = picture,
                       .left = low.x - SVG_GRAPH_MARGIN / factor,
                       .top = low.y - SVG_GRAPH_MARGIN / factor,
                       .factor = factor,
                       .pixel = 1};
}

/* Tenths of a unit are finer than a pixel, and shorter. */
static cairn_position svg_tenths(cairn_position p)
{
    return (cairn_position){(double)svg_milli(p.x / 100) / 10, (double)svg_milli(p.y / 100) / 10};
}

static void svg_edges(crn_io_buffer *svg, const svg_frame *frame)
{
    const cairn_graph *graph = cairn_space_graph(frame->picture->space);
    uint32_t count = cairn_graph_node_count(graph);
    crn_io_print(svg, "<path fill=\"none\" stroke=\"#9a9ca6\" stroke-width=\"%s\" d=\"",
                 count > SVG_FEW ? ".4" : "1");
    for (cairn_node node = 0; node < count && !svg->failed; node++) {
        cairn_position from = svg_place(frame, node);
        uint32_t degree = cairn_graph_degree(graph, node);
        for (uint32_t i = 0; i < degree; i++) {
            cairn_position to = svg_place(frame, cairn_graph_edge_at(graph, node, i).to);
            crn_io_print(svg, "M");
            svg_put_place(svg, svg_tenths(from));
            crn_io_print(svg, "L");
            svg_put_place(svg, svg_tenths(to));
        }
    }
    crn_io_print(svg, "\"/>\n");
}

/* The waypoints themselves, where there are few enough to see them. */
static void svg_waypoints(crn_io_buffer *svg, const svg_frame *frame)
{
    uint32_t count = cairn_space_node_count(frame->picture->space);
    if (count > SVG_FEW) return;
    crn_io_print(svg, "<path stroke=\"#9a9ca6\" stroke-linecap=\"round\" stroke-width=\"7\" d=\"");
    for (cairn_node node = 0; node < count; node++) {
        crn_io_print(svg, "M");
        svg_put_place(svg, svg_place(frame, node));
        crn_io_print(svg, "h0");
    }
    crn_io_print(svg, "\"/>\n");
}

/* A stroke of no length with round ends is a dot: the shortest way to write one. */
static void svg_dots(crn_io_buffer *svg, const svg_frame *frame, crn_io_buffer *steps)
{
    const cairn_recording *recording = frame->picture->recording;
    for (cairn_node node = 0; node < recording->node_count; node++) {
        if (!crn_was_expanded(recording, node)) continue;
        crn_io_buffer *step = &steps[crn_ramp_step(recording, node)];
        crn_io_print(step, "M");
        svg_put_place(step, svg_place(frame, node));
        crn_io_print(step, "h0");
    }
    crn_io_print(svg, "<g stroke-linecap=\"round\" stroke-width=\"%s\">\n",
                 recording->node_count > SVG_FEW ? "2.5" : "10");
    for (uint32_t i = 0; i < CRN_RAMP_STEPS; i++) {
        if (steps[i].failed) svg->failed = true;
        if (steps[i].size) {
            crn_io_print(svg, "<path");
            svg_colour(svg, "stroke", crn_ramp_colour(i));
            crn_io_print(svg, " d=\"");
            crn_io_put(svg, steps[i].data, steps[i].size);
            crn_io_print(svg, "\"/>\n");
        }
        crn_io_discard(&steps[i]);
    }
    crn_io_print(svg, "</g>\n");
}

static void svg_graph(crn_io_buffer *svg, const cairn_picture *picture, crn_layout *layout)
{
    cairn_position size;
    svg_frame frame = svg_graph_frame(picture, &size);
    layout->line = 3.5;
    layout->casing = 6;
    layout->mark = 6;
    crn_io_print(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\"", (uint32_t)size.x + 1,
                 (uint32_t)size.y + 1);
    svg_number(svg, "width", size.x);
    svg_number(svg, "height", size.y);
    crn_io_print(svg, ">\n<rect width=\"100%%\" height=\"100%%\"");
    svg_colour(svg, "fill", crn_paint_colour(CRN_PAINT_GROUND));
    crn_io_print(svg, "/>\n");
    svg_edges(svg, &frame);
    svg_waypoints(svg, &frame);
    if (picture->recording) {
        crn_io_buffer steps[CRN_RAMP_STEPS];
        for (uint32_t i = 0; i < CRN_RAMP_STEPS; i++) steps[i] = (crn_io_buffer){.context = svg->context};
        svg_dots(svg, &frame, steps);
    }
    svg_paths(svg, &frame, layout);
    svg_marks(svg, &frame, layout);
    crn_io_print(svg, "</svg>\n");
}

cairn_status cairn_picture_svg(const cairn_picture *picture, cairn_file *out, cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = (cairn_file){0};
    crn_layout layout;
    cairn_status status = crn_picture_layout(picture, &layout, error);
    if (status) return status;
    const cairn_graph *graph = cairn_space_graph(picture->space);
    if (graph && !cairn_graph_has_positions(graph))
        return crn_io_fail(error, CAIRN_UNSUPPORTED, 0, "a graph without positions cannot be drawn");
    crn_io_buffer svg = {.context = cairn_space_context(picture->space)};
    if (graph)
        svg_graph(&svg, picture, &layout);
    else
        svg_grid(&svg, picture, &layout);
    return crn_io_finish(&svg, out, error);
}
