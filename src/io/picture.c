/* picture.c: colours and sizes of the pictures (see picture.h).
 *
 * The colours were chosen to be told apart without seeing red and green: walls are dark, grounds
 * are light, the ramp from first to last expansion climbs evenly in lightness (from indigo over
 * teal to yellow, in the spirit of "viridis") and begins lighter than a wall. The path is crimson
 * on a white casing, so that it stands out by lightness from either end of the ramp; start and goal
 * differ in shape, a disc and a diamond. Where an agent is too large to stand is a grey between
 * wall and ground. Areas of an overlay have eight light colours that were chosen by the least
 * distance between any two of them, as everybody sees them and without red or green; what is drawn
 * on them is dark, in a colour for each level.
 */
#include "io/picture.h"

#include <stdio.h>
#include <string.h>

const crn_colour crn_path_colour = {0xd8, 0x1b, 0x60};
const crn_colour crn_path_casing = {0xff, 0xff, 0xff};
const crn_colour crn_thin_path_colour = {0x5b, 0x0b, 0x2b};
const crn_colour crn_start_colour = {0xff, 0xff, 0xff};
const crn_colour crn_goal_colour = {0xff, 0xc1, 0x07};
const crn_colour crn_outline_colour = {0x1c, 0x1e, 0x24};
const crn_colour crn_paper_colour = {0xff, 0xff, 0xff};

static const crn_colour picture_plain[CRN_PAINT_RAMPS] = {
    [CRN_PAINT_GROUND] = {0xf6, 0xf4, 0xee},  [CRN_PAINT_SWAMP] = {0xd2, 0xce, 0x9c},
    [CRN_PAINT_WATER] = {0xa4, 0xc8, 0xe6},   [CRN_PAINT_TREES] = {0x8c, 0xb0, 0x86},
    [CRN_PAINT_OTHER] = {0xe2, 0xd5, 0xe6},   [CRN_PAINT_WALL] = {0x2c, 0x2f, 0x38},
    [CRN_PAINT_NARROW] = {0xa2, 0xa1, 0x9f},  [CRN_PAINT_SEEN] = {0xdc, 0xda, 0xf0},
    [CRN_PAINT_SEGMENT] = {0x8e, 0xd9, 0xb2}, [CRN_PAINT_SUBGOAL] = {0xf0, 0x3c, 0xb4},
};

static const crn_colour picture_areas[CRN_AREA_COLOURS] = {
    {0xbc, 0xcc, 0xf9}, {0xf4, 0xf1, 0xb9}, {0xf0, 0xc7, 0xbf}, {0xab, 0xd5, 0xd6},
    {0xe1, 0xf6, 0xce}, {0xcc, 0xd2, 0xa2}, {0xbf, 0xf4, 0xf7}, {0xab, 0xef, 0xd8},
};

/* Between a and b; part of b in 256ths. */
static crn_colour picture_mix(crn_colour a, crn_colour b, uint32_t part)
{
    return (crn_colour){(uint8_t)((a.red * (256 - part) + b.red * part) >> 8),
                        (uint8_t)((a.green * (256 - part) + b.green * part) >> 8),
                        (uint8_t)((a.blue * (256 - part) + b.blue * part) >> 8)};
}

crn_colour crn_ramp_colour(uint32_t step)
{
    static const crn_colour knots[] = {
        {0x52, 0x46, 0x9c}, {0x43, 0x6a, 0xb0}, {0x2f, 0x8e, 0xa8},
        {0x45, 0xad, 0x8b}, {0x92, 0xc8, 0x62}, {0xf4, 0xe1, 0x5c},
    };
    const uint32_t segments = sizeof knots / sizeof knots[0] - 1;
    uint32_t at = step * segments * 256 / (CRN_RAMP_STEPS - 1);
    uint32_t segment = at >> 8;
    if (segment >= segments) return knots[segments];
    return picture_mix(knots[segment], knots[segment + 1], at & 255);
}

crn_colour crn_paint_colour(uint32_t paint)
{
    if (paint < CRN_PAINT_RAMPS) return picture_plain[paint];
    if (paint >= CRN_PAINT_AREAS) {
        uint32_t below = (paint - CRN_PAINT_AREAS) / CRN_AREA_COLOURS;
        crn_colour area = picture_areas[(paint - CRN_PAINT_AREAS) % CRN_AREA_COLOURS];
        return below == CRN_PAINT_GROUND ? area : picture_mix(area, picture_plain[below], 128);
    }
    uint32_t ground = (paint - CRN_PAINT_RAMPS) / CRN_RAMP_STEPS;
    crn_colour ramp = crn_ramp_colour((paint - CRN_PAINT_RAMPS) % CRN_RAMP_STEPS);
    /* The terrain shines through, except plain ground, which would only make it pale. */
    return ground == CRN_PAINT_GROUND ? ramp : picture_mix(ramp, picture_plain[ground], 80);
}

bool crn_ramp_step(const crn_layout *layout, cairn_node node, uint32_t *step)
{
    const cairn_range *range = &layout->range;
    uint64_t value;
    if (!cairn_recording_value(layout->picture->recording, layout->picture->colour, node, &value))
        return false;
    *step = (uint32_t)((value - range->least) * CRN_RAMP_STEPS / (range->most - range->least + 1));
    return true;
}

static uint32_t picture_ground(uint32_t class)
{
    return class < CAIRN_TERRAIN_FREE ? CRN_PAINT_GROUND + class : CRN_PAINT_OTHER;
}

/* Lines and sub-goals show whatever else was found there. */
static bool picture_mark(const crn_layout *layout, cairn_node node, uint32_t *paint)
{
    const cairn_picture *picture = layout->picture;
    if (!picture->recording || picture->colour == CAIRN_COLOUR_NONE) return false;
    const crn_recorded *recorded = crn_recorded_at(picture->recording, node);
    if (!recorded || recorded->mark == CRN_RECORDED_NOTHING) return false;
    *paint = recorded->mark == CRN_RECORDED_SUBGOAL ? CRN_PAINT_SUBGOAL : CRN_PAINT_SEGMENT;
    return true;
}

uint32_t crn_cell_paint(const crn_layout *layout, int32_t x, int32_t y)
{
    const cairn_space *space = layout->picture->space;
    const cairn_recording *recording = layout->picture->recording;
    const cairn_grid *grid = cairn_space_grid(space);
    if (!cairn_grid_is_open(grid, x, y)) return CRN_PAINT_WALL;
    uint32_t class = cairn_grid_terrain(grid, x, y), ground = picture_ground(class), step, paint;
    cairn_node node = cairn_grid_node(grid, x, y);
    if (picture_mark(layout, node, &paint)) return paint;
    if (crn_ramp_step(layout, node, &step)) return CRN_PAINT_RAMPS + ground * CRN_RAMP_STEPS + step;
    if (cairn_space_profile(space)->terrain_cost[class] && !cairn_space_usable(space, node))
        return CRN_PAINT_NARROW;
    if (crn_area_colour(layout, node, &step))
        return CRN_PAINT_AREAS + ground * CRN_AREA_COLOURS + step;
    bool seen =
        recording && layout->picture->colour != CAIRN_COLOUR_NONE && crn_was_seen(recording, node);
    return seen && ground == CRN_PAINT_GROUND ? CRN_PAINT_SEEN : ground;
}

cairn_position crn_cell_centre(const crn_layout *layout, cairn_node node)
{
    cairn_cell cell = cairn_grid_cell(cairn_space_grid(layout->picture->space), node);
    return (cairn_position){cell.x + 0.5 + (cell.y & 1 ? layout->shift : 0),
                            layout->first_row + cell.y * layout->row, 0};
}

cairn_position crn_polyline_place(const crn_layout *layout, const crn_polyline *line, uint32_t i)
{
    if (line->nodes) return crn_cell_centre(layout, line->nodes[i]);
    return crn_overlay_place(layout, line->positions[i]);
}

/* Curves keep the ends of links exactly where their cells are. */
static bool picture_point_is(const crn_layout *layout, const crn_polyline *line, uint32_t i,
                             cairn_node node)
{
    if (line->nodes) return line->nodes[i] == node;
    cairn_position place = cairn_space_position(layout->picture->space, node);
    return line->positions[i].x == place.x && line->positions[i].y == place.y;
}

bool crn_step_is_link(const crn_layout *layout, const crn_polyline *line, uint32_t i,
                      uint32_t *next)
{
    const cairn_path *path = layout->picture->path;
    if (!path || *next >= path->link_count) return false;
    const cairn_node *ends = path->nodes + path->links[*next].at;
    if (!picture_point_is(layout, line, i - 1, ends[0]) ||
        !picture_point_is(layout, line, i, ends[1]))
        return false;
    ++*next;
    return true;
}

/* ---- overlays ---- */

bool crn_area_colour(const crn_layout *layout, cairn_node node, uint32_t *colour)
{
    if (!layout->areas.of) return false;
    uint32_t area = layout->picture->overlay->areas[node];
    *colour = layout->areas.of[area];
    return area != 0;
}

const cairn_overlay_kind crn_overlay_order[3] = {CAIRN_OVERLAY_BORDER, CAIRN_OVERLAY_EDGE,
                                                 CAIRN_OVERLAY_NODE};

static double picture_larger(double a, double b)
{
    return a > b ? a : b;
}

crn_overlay_style crn_overlay_style_of(const crn_layout *layout, cairn_overlay_kind kind,
                                       uint32_t level)
{
    static const crn_colour levels[] = {{0x2b, 0x3a, 0x8c}, {0x8a, 0x3d, 0x0e}, {0x0c, 0x5c, 0x50}};
    static const crn_colour border = {0x62, 0x66, 0x72};
    uint32_t above = level - layout->picture->overlay->lowest;
    double scale = layout->scale, larger = 1 + 0.5 * (above < 6 ? above : 6);
    switch (kind) {
    case CAIRN_OVERLAY_BORDER:
        return (crn_overlay_style){border, picture_larger(1, scale * 0.09) * larger};
    case CAIRN_OVERLAY_EDGE:
        return (crn_overlay_style){levels[above % 3], picture_larger(0.6, scale * 0.045) * larger};
    default: return (crn_overlay_style){levels[above % 3], picture_larger(3, scale * 0.4) * larger};
    }
}

cairn_position crn_overlay_place(const crn_layout *layout, cairn_position position)
{
    const cairn_grid *grid = cairn_space_grid(layout->picture->space);
    cairn_position origin = cairn_grid_origin(grid);
    double cell = cairn_grid_cell_size(grid);
    cairn_position p = {(position.x - origin.x) / cell, (position.y - origin.y) / cell, 0};
    if (cairn_grid_layout(grid) == CAIRN_LAYOUT_HEX)
        p.y = layout->first_row + (p.y - CRN_IO_HEX_CENTRE) / CRN_IO_HEX_ROW * layout->row;
    return p;
}

/* ---- the legend ---- */

/* Orders are whole numbers; costs count straight steps, with a decimal. */
static void picture_value_text(const crn_layout *layout, uint64_t value, char *out, size_t size)
{
    uint64_t unit = cairn_space_scale(layout->picture->space).straight;
    if (layout->picture->colour == CAIRN_COLOUR_ORDER || !unit) {
        snprintf(out, size, "%llu", (unsigned long long)value);
        return;
    }
    uint64_t tenths = (value * 10 + unit / 2) / unit;
    snprintf(out, size, "%llu.%llu", (unsigned long long)(tenths / 10),
             (unsigned long long)(tenths % 10));
}

#define PICTURE_BAR_LEAST 32u
#define PICTURE_BAR_MOST 256u

void crn_picture_legend(crn_layout *layout, uint32_t pixels)
{
    const cairn_picture *picture = layout->picture;
    crn_legend *legend = &layout->legend;
    *legend = (crn_legend){0};
    if (!picture->legend || !picture->recording || picture->colour == CAIRN_COLOUR_NONE ||
        !cairn_recording_expanded(picture->recording))
        return;
    picture_value_text(layout, layout->range.least, legend->least, sizeof legend->least);
    picture_value_text(layout, layout->range.most, legend->most, sizeof legend->most);
    /* pictures are looked at in the same width */
    legend->enlarge = pixels < 480 ? 1 : pixels < 800 ? 2 : 3;
    uint32_t letter = CRN_LETTER_WIDTH * legend->enlarge, gap = letter;
    uint32_t left = gap +
                    letter * (uint32_t)(strlen(cairn_colouring_name(picture->colour)) + 1 +
                                        strlen(legend->least)) +
                    gap;
    uint32_t right = gap + letter * (uint32_t)strlen(legend->most) + gap;
    if (pixels < left + PICTURE_BAR_LEAST + right) return;
    uint32_t room = pixels - left - right;
    legend->shown = true;
    legend->text_left = gap;
    legend->bar_left = left;
    legend->bar_width = room < PICTURE_BAR_MOST ? room : PICTURE_BAR_MOST;
    legend->most_left = left + legend->bar_width + gap;
    legend->top = gap;
    legend->height = CRN_LETTER_HEIGHT * legend->enlarge + 2 * gap;
}

uint32_t crn_legend_step(const crn_layout *layout, uint32_t part, uint32_t parts)
{
    return layout->range.least == layout->range.most ? 0 : part * CRN_RAMP_STEPS / parts;
}

/* ---- sizes ---- */

#define PICTURE_PIXELS 1024u /* what an unscaled picture fits into */
#define PICTURE_SCALE_MAX 256u

/* Lines and marks grow with the cells, but stay visible on maps drawn a pixel a cell. */
static void picture_widths(crn_layout *out)
{
    double scale = out->scale;
    out->line = picture_larger(3, scale * 0.28);
    out->casing = out->line + picture_larger(2, scale * 0.14);
    out->thin = picture_larger(1.2, scale * 0.1);
    out->mark = picture_larger(5.5, scale * 0.34);
    out->grid_lines = out->scale >= 12;
}

static cairn_status picture_points_inside(const cairn_picture *picture, const cairn_node *points,
                                          uint32_t count, cairn_error *error)
{
    uint32_t nodes = cairn_space_node_count(picture->space);
    if (count && !points)
        return crn_io_fail(error, CAIRN_INVALID, 0, "the points of a path are missing");
    for (uint32_t i = 0; i < count; i++)
        if (points[i] >= nodes)
            return crn_io_fail(error, CAIRN_OUT_OF_BOUNDS, 0,
                               "point %u of the path lies outside the world", i);
    return CAIRN_OK;
}

static cairn_status picture_curve_inside(const cairn_picture *picture, cairn_error *error)
{
    if (!cairn_space_grid(picture->space))
        return crn_io_fail(error, CAIRN_UNSUPPORTED, 0, "curves are drawn on grids only");
    for (uint32_t i = 0; i < picture->curve_count; i++)
        if (cairn_space_node_at(picture->space, picture->curve[i]) == CAIRN_NO_NODE)
            return crn_io_fail(error, CAIRN_OUT_OF_BOUNDS, 0,
                               "point %u of the curve lies outside the world", i);
    return CAIRN_OK;
}

static cairn_status picture_check(const cairn_picture *picture, cairn_error *error)
{
    if (!picture || !picture->space)
        return crn_io_fail(error, CAIRN_INVALID, 0, "a picture needs a space");
    uint32_t nodes = cairn_space_node_count(picture->space);
    if (picture->recording && picture->recording->node_count != nodes)
        return crn_io_fail(error, CAIRN_INVALID, 0, "the recording was made for another world");
    if (picture->recording && cairn_recording_status(picture->recording))
        return crn_io_fail(error, CAIRN_OUT_OF_MEMORY, 0,
                           "there was not enough memory to record the search");
    if (picture->overlay && picture->overlay->node_count != nodes)
        return crn_io_fail(error, CAIRN_INVALID, 0, "the overlay was made for another world");
    if (picture->overlay && cairn_overlay_status(picture->overlay))
        return crn_io_fail(error, CAIRN_OUT_OF_MEMORY, 0,
                           "there was not enough memory for the overlay");
    if ((unsigned)picture->colour >= CAIRN_COLOUR_COUNT)
        return crn_io_fail(error, CAIRN_INVALID, 0, "unknown colouring");
    if (picture->scale > PICTURE_SCALE_MAX)
        return crn_io_fail(error, CAIRN_INVALID, 0, "a cell may have at most %u pixels",
                           PICTURE_SCALE_MAX);
    if ((picture->from >= nodes && picture->from != CAIRN_NO_NODE) ||
        (picture->to >= nodes && picture->to != CAIRN_NO_NODE))
        return crn_io_fail(error, CAIRN_OUT_OF_BOUNDS, 0, "start or goal lies outside the world");
    cairn_status status = CAIRN_OK;
    if (picture->path) {
        const cairn_path *path = picture->path;
        status = picture_points_inside(picture, path->nodes, path->count, error);
        for (uint32_t i = 0; i < path->link_count; i++)
            if (!path->links || path->links[i].at + 1 >= path->count)
                return crn_io_fail(error, CAIRN_INVALID, 0, "link %u of the path lies outside it",
                                   i);
    }
    if (!status && picture->smooth)
        status = picture_points_inside(picture, picture->smooth, picture->smooth_count, error);
    if (!status && picture->curve) status = picture_curve_inside(picture, error);
    return status;
}

#define PICTURE_HEXAGON 3u /* pixels a cell from which on hexagons look like some */

static void picture_place_cells(crn_layout *out, const cairn_grid *grid, uint32_t scale,
                                bool raster)
{
    out->width = cairn_grid_width(grid);
    out->height = cairn_grid_height(grid);
    uint32_t larger = out->width > out->height ? out->width : out->height;
    out->scale = scale ? scale : PICTURE_PIXELS / larger;
    if (!out->scale) out->scale = 1;
    if (out->scale > PICTURE_SCALE_MAX) out->scale = PICTURE_SCALE_MAX;

    bool shifted = cairn_grid_layout(grid) == CAIRN_LAYOUT_HEX;
    out->hexagons = shifted && (!raster || out->scale >= PICTURE_HEXAGON);
    out->row = out->hexagons ? CRN_IO_HEX_ROW : 1;
    out->first_row = out->hexagons ? CRN_IO_HEX_CENTRE : 0.5;
    if (shifted) out->shift = out->hexagons ? 0.5 : (double)(out->scale / 2) / out->scale;
    out->wide = out->width + (out->height > 1 ? out->shift : 0);
    out->high = (out->height - 1) * out->row + 2 * out->first_row;
}

cairn_status crn_picture_layout(const cairn_picture *picture, bool raster, crn_layout *out,
                                cairn_error *error)
{
    cairn_status status = picture_check(picture, error);
    if (status) return status;
    *out = (crn_layout){.picture = picture, .scale = 1};
    const cairn_grid *grid = cairn_space_grid(picture->space);
    if (grid) picture_place_cells(out, grid, picture->scale, raster);
    picture_widths(out);
    if (picture->recording) out->range = cairn_recording_range(picture->recording, picture->colour);
    if (picture->path)
        out->bold_line =
            (crn_polyline){.nodes = picture->path->nodes, .count = picture->path->count};
    if (picture->smooth || picture->curve) {
        out->thin_line = out->bold_line;
        out->bold_line =
            picture->curve
                ? (crn_polyline){.positions = picture->curve, .count = picture->curve_count}
                : (crn_polyline){.nodes = picture->smooth, .count = picture->smooth_count};
    }
    return crn_overlay_colour(picture->overlay, picture->space, &out->areas)
               ? CAIRN_OK
               : crn_io_no_memory(error);
}

void crn_picture_done(crn_layout *layout)
{
    crn_overlay_uncolour(layout->picture->overlay, &layout->areas);
}
