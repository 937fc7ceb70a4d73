/* svg.c: pictures as SVG: small, sharp at any size, no dependency.
 *
 * Grids: the coordinates are cells. All cells of one paint are one <path>; a run of such
 * cells in a row is a thick stroke, "M3 5h7", which is half the bytes of a rectangle.
 * Hexagons are drawn one by one, in coordinates squeezed so that their corners are whole numbers.
 * Graphs: the positions are fitted into a square of 1000 units; edges are hairlines,
 * expanded waypoints dots.
 */
#include "io/picture.h"

#include <math.h>

static void svg_colour(crn_io_buffer *svg, const char *attribute, crn_colour colour)
{
    crn_io_print(svg, " %s=\"#%02x%02x%02x\"", attribute, colour.red, colour.green, colour.blue);
}

static void svg_number(crn_io_buffer *svg, const char *attribute, double value)
{
    crn_io_print(svg, " %s=\"", attribute);
    crn_io_put_double(svg, value);
    crn_io_put(svg, "\"", 1);
}

/* ---- lines and marks, for both worlds ---- */

/* How nodes get to places on the picture. */
typedef struct svg_frame {
    const cairn_picture *picture;
    const crn_layout *layout;
    bool grid;
    double left, top, factor; /* graphs */
    double pixel;             /* picture units per pixel */
} svg_frame;

static cairn_position svg_position(const svg_frame *frame, cairn_position p)
{
    if (frame->grid) return crn_overlay_place(frame->layout, p);
    return (cairn_position){(p.x - frame->left) * frame->factor, (p.y - frame->top) * frame->factor,
                            0};
}

static cairn_position svg_place(const svg_frame *frame, cairn_node node)
{
    if (frame->grid) return crn_cell_centre(frame->layout, node);
    return svg_position(frame, cairn_space_position(frame->picture->space, node));
}

static void svg_put_place(crn_io_buffer *svg, cairn_position p)
{
    crn_io_put_double(svg, p.x);
    crn_io_put(svg, " ", 1);
    crn_io_put_double(svg, p.y);
}

/* Point i of a line. */
static void svg_put_point(crn_io_buffer *svg, const svg_frame *frame, const crn_polyline *line,
                          uint32_t i)
{
    svg_put_place(svg, frame->grid ? crn_polyline_place(frame->layout, line, i)
                                   : svg_place(frame, line->nodes[i]));
}

/* The steps of a line that use links, or all the others. */
static void svg_line_data(crn_io_buffer *svg, const svg_frame *frame, const crn_polyline *line,
                          bool links)
{
    uint32_t next = 0;
    bool down = false; /* the last point was drawn */
    for (uint32_t i = 1; i < line->count; i++) {
        if (crn_step_is_link(frame->layout, line, i, &next) != links) {
            down = false;
            continue;
        }
        if (!down) {
            crn_io_put(svg, "M", 1);
            svg_put_point(svg, frame, line, i - 1);
        }
        crn_io_put(svg, "L", 1);
        svg_put_point(svg, frame, line, i);
        down = true;
    }
}

static void svg_line(crn_io_buffer *svg, const svg_frame *frame, const crn_polyline *line,
                     crn_colour colour, double width, bool links)
{
    crn_io_print(svg, "<path");
    svg_colour(svg, "stroke", colour);
    svg_number(svg, "stroke-width", width * frame->pixel);
    if (links) {
        crn_io_print(svg, " stroke-dasharray=\"0 ");
        crn_io_put_double(svg, width * frame->pixel * 2);
        crn_io_print(svg, "\"");
    }
    crn_io_print(svg, " d=\"");
    svg_line_data(svg, frame, line, links);
    crn_io_print(svg, "\"/>\n");
}

static void svg_paths(crn_io_buffer *svg, const svg_frame *frame, const crn_layout *layout)
{
    const crn_polyline *bold = &layout->bold_line;
    bool links = frame->picture->path && frame->picture->path->link_count;
    crn_io_print(svg, "<g fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n");
    if (bold->count > 1) {
        svg_line(svg, frame, bold, crn_path_casing, layout->casing, false);
        svg_line(svg, frame, bold, crn_path_colour, layout->line, false);
        if (links) svg_line(svg, frame, bold, crn_path_colour, layout->line, true);
    }
    if (layout->thin_line.count > 1)
        svg_line(svg, frame, &layout->thin_line, crn_thin_path_colour, layout->thin, false);
    crn_io_print(svg, "</g>\n");
}

/* Lines of one kind; nodes are strokes of no length with round ends. */
static void svg_overlay_kind(crn_io_buffer *svg, const svg_frame *frame, cairn_overlay_kind kind)
{
    const cairn_overlay *overlay = frame->picture->overlay;
    uint32_t level = UINT32_MAX; /* of the path element that is open */
    for (size_t i = 0; i < overlay->mark_count && !svg->failed; i++) {
        const crn_overlay_mark *mark = &overlay->marks[i];
        if (mark->kind != kind) continue;
        if (mark->level != level) {
            crn_overlay_style style = crn_overlay_style_of(frame->layout, kind, mark->level);
            crn_io_print(svg, level == UINT32_MAX ? "<path" : "\"/>\n<path");
            svg_colour(svg, "stroke", style.colour);
            svg_number(svg, "stroke-width", style.width * frame->pixel);
            crn_io_print(svg, " d=\"");
            level = mark->level;
        }
        crn_io_put(svg, "M", 1);
        svg_put_place(svg, svg_position(frame, mark->from));
        if (kind == CAIRN_OVERLAY_NODE) {
            crn_io_print(svg, "h0");
        } else {
            crn_io_put(svg, "L", 1);
            svg_put_place(svg, svg_position(frame, mark->to));
        }
    }
    if (level != UINT32_MAX) crn_io_print(svg, "\"/>\n");
}

static void svg_overlay(crn_io_buffer *svg, const svg_frame *frame)
{
    if (!frame->picture->overlay || !frame->picture->overlay->mark_count) return;
    crn_io_print(svg, "<g fill=\"none\" stroke-linecap=\"round\">\n");
    for (int i = 0; i < 3; i++) svg_overlay_kind(svg, frame, crn_overlay_order[i]);
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
        const cairn_position corners[] = {
            {p.x, p.y - r, 0}, {p.x + r, p.y, 0}, {p.x, p.y + r, 0}, {p.x - r, p.y, 0}};
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

/* ---- the legend ---- */

static void svg_text(crn_io_buffer *svg, const crn_legend *legend, uint32_t left, const char *name,
                     const char *value)
{
    /* The advance of monospaced letters is near 6/10 of their size. */
    crn_io_print(svg, "<text x=\"%u\" y=\"%u\" font-family=\"monospace\" font-size=\"%u\"", left,
                 legend->top + CRN_LETTER_HEIGHT * legend->enlarge, 10 * legend->enlarge);
    svg_colour(svg, "fill", crn_outline_colour);
    crn_io_print(svg, ">%s%s%s</text>\n", name, name[0] ? " " : "", value);
}

static void svg_bar(crn_io_buffer *svg, const crn_layout *layout)
{
    const uint32_t stops = 10;
    const crn_legend *legend = &layout->legend;
    crn_io_print(svg, "<linearGradient id=\"cairn-ramp\">");
    for (uint32_t i = 0; i <= stops; i++) {
        crn_io_print(svg, "<stop offset=\"%u%%\"", i * 100 / stops);
        uint32_t step = crn_legend_step(layout, i, stops);
        svg_colour(svg, "stop-color",
                   crn_ramp_colour(step < CRN_RAMP_STEPS ? step : CRN_RAMP_STEPS - 1));
        crn_io_print(svg, "/>");
    }
    crn_io_print(svg, "</linearGradient>\n<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" ",
                 legend->bar_left, legend->top, legend->bar_width,
                 CRN_LETTER_HEIGHT * legend->enlarge);
    crn_io_print(svg, "fill=\"url(#cairn-ramp)\"/>\n");
}

/* Below the map, which ends at `bottom`; in pixels. */
static void svg_legend(crn_io_buffer *svg, const svg_frame *frame, double bottom)
{
    const crn_layout *layout = frame->layout;
    const crn_legend *legend = &layout->legend;
    if (!legend->shown) return;
    uint32_t millionths = (uint32_t)(frame->pixel * 1000000 + 0.5);
    crn_io_print(svg, "<g transform=\"translate(0 ");
    crn_io_put_double(svg, bottom);
    crn_io_print(svg, ") scale(%u.%06u)\">\n", millionths / 1000000, millionths % 1000000);
    svg_text(svg, legend, legend->text_left, cairn_colouring_name(frame->picture->colour),
             legend->least);
    svg_bar(svg, layout);
    svg_text(svg, legend, legend->most_left, "", legend->most);
    crn_io_print(svg, "</g>\n");
}

/* ---- grids ---- */

/* Sorts the cells into the buffers of their paints: hexagons one by one, ... */
static void svg_collect_hexagons(const crn_layout *layout, uint32_t y, crn_io_buffer *paints)
{
    for (uint32_t x = 0; x < layout->width; x++)
        crn_io_print(&paints[crn_cell_paint(layout, (int32_t)x, (int32_t)y)],
                     "M%u %ul1 1v2l-1 1-1-1v-2z", 2 * x + 1 + (y & 1), 3 * y);
}

/* ... squares in runs. */
static void svg_collect_runs(const crn_layout *layout, uint32_t y, crn_io_buffer *paints)
{
    for (uint32_t x = 0; x < layout->width;) {
        uint32_t paint = crn_cell_paint(layout, (int32_t)x, (int32_t)y), first = x;
        do {
            x++;
        } while (x < layout->width && crn_cell_paint(layout, (int32_t)x, (int32_t)y) == paint);
        if (paint == CRN_PAINT_GROUND) continue; /* the background */
        crn_io_print(&paints[paint], "M%u %uh%u", first, y, x - first);
    }
}

static void svg_cells(crn_io_buffer *svg, const crn_layout *layout)
{
    crn_io_buffer paints[CRN_PAINTS];
    for (uint32_t i = 0; i < CRN_PAINTS; i++) paints[i] = (crn_io_buffer){.context = svg->context};
    for (uint32_t y = 0; y < layout->height; y++) {
        crn_picture_progress(layout->picture, y, layout->height);
        if (layout->hexagons)
            svg_collect_hexagons(layout, y, paints);
        else
            svg_collect_runs(layout, y, paints);
    }
    for (uint32_t i = 0; i < CRN_PAINTS; i++) {
        if (paints[i].failed) svg->failed = true;
        if (paints[i].size) {
            crn_io_print(svg, "<path");
            svg_colour(svg, layout->hexagons ? "fill" : "stroke", crn_paint_colour(i));
            /* A line in the hexagon's own colour closes the seams. */
            if (layout->hexagons && !layout->grid_lines)
                svg_colour(svg, "stroke", crn_paint_colour(i));
            crn_io_print(svg, " d=\"");
            crn_io_put(svg, paints[i].data, paints[i].size);
            crn_io_print(svg, "\"/>\n");
        }
        crn_io_discard(&paints[i]);
    }
}

static void svg_squares(crn_io_buffer *svg, const crn_layout *layout)
{
    crn_io_print(svg, "<rect width=\"%u\" height=\"%u\"", layout->width, layout->height);
    svg_colour(svg, "fill", crn_paint_colour(CRN_PAINT_GROUND));
    crn_io_print(svg, "/>\n<g transform=\"translate(0 .5)\" shape-rendering=\"crispEdges\">\n");
    svg_cells(svg, layout);
    crn_io_print(svg, "</g>\n");
    if (!layout->grid_lines) return;
    crn_io_print(svg, "<path stroke=\"#000\" stroke-opacity=\".09\" stroke-width=\".04\" d=\"");
    for (uint32_t x = 1; x < layout->width; x++) crn_io_print(svg, "M%u 0v%u", x, layout->height);
    for (uint32_t y = 1; y < layout->height; y++) crn_io_print(svg, "M0 %uh%u", y, layout->width);
    crn_io_print(svg, "\"/>\n");
}

static void svg_hexagons(crn_io_buffer *svg, const crn_layout *layout)
{
    /* Half a width across, a quarter of a height down. */
    crn_io_print(svg, "<g transform=\"scale(.5 .288675135)\" stroke-width=\".08\"%s>\n",
                 layout->grid_lines ? " stroke=\"#000\" stroke-opacity=\".16\"" : "");
    svg_cells(svg, layout);
    crn_io_print(svg, "</g>\n");
}

static void svg_grid(crn_io_buffer *svg, crn_layout *layout)
{
    crn_picture_legend(layout, (uint32_t)(layout->wide * layout->scale));
    svg_frame frame = {
        .picture = layout->picture, .layout = layout, .grid = true, .pixel = 1.0 / layout->scale};
    double high = layout->high + layout->legend.height * frame.pixel;
    crn_io_print(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    svg_number(svg, "width", layout->wide * layout->scale);
    svg_number(svg, "height", high * layout->scale);
    crn_io_print(svg, " viewBox=\"0 0 ");
    svg_put_place(svg, (cairn_position){layout->wide, high, 0});
    crn_io_print(svg, "\">\n");
    if (layout->hexagons || layout->legend.shown) {
        crn_io_print(svg, "<rect width=\"100%%\" height=\"100%%\"");
        svg_colour(svg, "fill", crn_paper_colour);
        crn_io_print(svg, "/>\n");
    }
    if (layout->hexagons)
        svg_hexagons(svg, layout);
    else
        svg_squares(svg, layout);
    svg_overlay(svg, &frame);
    svg_paths(svg, &frame, layout);
    svg_marks(svg, &frame, layout);
    svg_legend(svg, &frame, layout->high);
    crn_io_print(svg, "</svg>\n");
}

/* ---- graphs ---- */

#define SVG_GRAPH_SIDE 1000.0
#define SVG_GRAPH_MARGIN 12.0
#define SVG_FEW 5000u /* waypoints that can be told apart */

static svg_frame svg_graph_frame(const crn_layout *layout, cairn_position *size)
{
    cairn_position low, high;
    crn_io_box(layout->picture->space, &low, &high);
    double side = high.x - low.x > high.y - low.y ? high.x - low.x : high.y - low.y;
    double factor = side > 0 ? SVG_GRAPH_SIDE / side : 1;
    *size = (cairn_position){(high.x - low.x) * factor + 2 * SVG_GRAPH_MARGIN,
                             (high.y - low.y) * factor + 2 * SVG_GRAPH_MARGIN, 0};
    return (svg_frame){.picture = layout->picture,
                       .layout = layout,
                       .left = low.x - SVG_GRAPH_MARGIN / factor,
                       .top = low.y - SVG_GRAPH_MARGIN / factor,
                       .factor = factor,
                       .pixel = 1};
}

/* Tenths of a unit are finer than a pixel, and shorter. */
static cairn_position svg_tenths(cairn_position p)
{
    return (cairn_position){floor(p.x * 10 + 0.5) / 10, floor(p.y * 10 + 0.5) / 10, 0};
}

static void svg_edge(crn_io_buffer *svg, cairn_position from, cairn_position to)
{
    crn_io_print(svg, "M");
    svg_put_place(svg, svg_tenths(from));
    crn_io_print(svg, "L");
    svg_put_place(svg, svg_tenths(to));
}

static void svg_edges(crn_io_buffer *svg, const svg_frame *frame)
{
    enum { BATCH = 16 };
    cairn_edge edges[BATCH];
    const cairn_space *space = frame->picture->space;
    uint32_t count = cairn_space_node_count(space);
    crn_io_print(svg, "<path fill=\"none\" stroke=\"#9a9ca6\" stroke-width=\"%s\" d=\"",
                 count > SVG_FEW ? ".4" : "1");
    for (cairn_node node = 0; node < count && !svg->failed; node++) {
        cairn_position from = svg_place(frame, node);
        for (uint32_t first = 0, got = BATCH; got == BATCH; first += got) {
            got = cairn_space_expand(space, node, first, edges, BATCH);
            for (uint32_t i = 0; i < got; i++) svg_edge(svg, from, svg_place(frame, edges[i].node));
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

/* Waypoints in the colours of their areas. */
static void svg_areas(crn_io_buffer *svg, const svg_frame *frame)
{
    uint32_t count = cairn_space_node_count(frame->picture->space), of;
    for (uint32_t colour = 0; colour < CRN_AREA_COLOURS && frame->layout->areas.of; colour++) {
        crn_io_print(svg, "<path stroke-linecap=\"round\" stroke-width=\"%s\"",
                     count > SVG_FEW ? "3" : "12");
        svg_colour(svg, "stroke", crn_paint_colour(CRN_PAINT_AREAS + colour));
        crn_io_print(svg, " d=\"");
        for (cairn_node node = 0; node < count; node++) {
            if (!crn_area_colour(frame->layout, node, &of) || of != colour) continue;
            crn_io_print(svg, "M");
            svg_put_place(svg, svg_place(frame, node));
            crn_io_print(svg, "h0");
        }
        crn_io_print(svg, "\"/>\n");
    }
}

/* A stroke of no length with round ends is a dot, in the fewest characters. */
static void svg_dots(crn_io_buffer *svg, const svg_frame *frame, crn_io_buffer *steps)
{
    const cairn_recording *recording = frame->picture->recording;
    for (cairn_node node = 0; node < recording->node_count; node++) {
        uint32_t at;
        if (!crn_ramp_step(frame->layout, node, &at)) continue;
        crn_io_buffer *step = &steps[at];
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

static void svg_graph(crn_io_buffer *svg, crn_layout *layout)
{
    const cairn_picture *picture = layout->picture;
    cairn_position size;
    svg_frame frame = svg_graph_frame(layout, &size);
    layout->line = 3.5;
    layout->casing = 6;
    layout->mark = 6;
    crn_picture_legend(layout, size.x < 2 * SVG_GRAPH_SIDE ? (uint32_t)size.x : 0);
    double bottom = size.y;
    size.y += layout->legend.height;
    crn_io_print(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
    svg_put_place(svg, size);
    crn_io_print(svg, "\"");
    svg_number(svg, "width", size.x);
    svg_number(svg, "height", size.y);
    crn_io_print(svg, ">\n<rect width=\"100%%\" height=\"100%%\"");
    svg_colour(svg, "fill", crn_paint_colour(CRN_PAINT_GROUND));
    crn_io_print(svg, "/>\n");
    svg_edges(svg, &frame);
    svg_waypoints(svg, &frame);
    svg_areas(svg, &frame);
    if (picture->recording) {
        crn_io_buffer steps[CRN_RAMP_STEPS];
        for (uint32_t i = 0; i < CRN_RAMP_STEPS; i++)
            steps[i] = (crn_io_buffer){.context = svg->context};
        svg_dots(svg, &frame, steps);
    }
    svg_overlay(svg, &frame);
    svg_paths(svg, &frame, layout);
    svg_marks(svg, &frame, layout);
    svg_legend(svg, &frame, bottom);
    crn_io_print(svg, "</svg>\n");
}

cairn_status cairn_picture_svg(const cairn_picture *picture, cairn_file *out, cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = (cairn_file){0};
    crn_layout layout;
    const cairn_space *space = picture ? picture->space : NULL;
    if (space && !cairn_space_has_positions(space))
        return crn_io_fail(error, CAIRN_UNSUPPORTED, 0,
                           "a graph without positions cannot be drawn");
    cairn_status status = crn_picture_layout(picture, false, &layout, error);
    if (status) return status;
    crn_io_buffer svg = {.context = cairn_space_context(picture->space)};
    if (cairn_space_grid(space))
        svg_grid(&svg, &layout);
    else
        svg_graph(&svg, &layout);
    crn_picture_done(&layout);
    return crn_io_finish(&svg, out, error);
}
