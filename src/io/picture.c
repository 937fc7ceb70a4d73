/* picture.c: colours and sizes of the pictures (see picture.h).
 *
 * The colours were chosen to be told apart without seeing red and green: walls are dark,
 * grounds are light, the ramp from first to last expansion climbs evenly in lightness
 * (from indigo over teal to yellow, in the spirit of "viridis") and begins lighter than a
 * wall. The path is crimson on a white casing, so that it stands out by lightness from
 * either end of the ramp; start and goal differ in shape, a disc and a diamond.
 */
#include "io/picture.h"

const crn_colour crn_path_colour = {0xd8, 0x1b, 0x60};
const crn_colour crn_path_casing = {0xff, 0xff, 0xff};
const crn_colour crn_thin_path_colour = {0x5b, 0x0b, 0x2b};
const crn_colour crn_start_colour = {0xff, 0xff, 0xff};
const crn_colour crn_goal_colour = {0xff, 0xc1, 0x07};
const crn_colour crn_outline_colour = {0x1c, 0x1e, 0x24};

static const crn_colour picture_plain[CRN_PAINT_RAMPS] = {
    [CRN_PAINT_GROUND] = {0xf6, 0xf4, 0xee}, [CRN_PAINT_SWAMP] = {0xd2, 0xce, 0x9c},
    [CRN_PAINT_WATER] = {0xa4, 0xc8, 0xe6},  [CRN_PAINT_TREES] = {0x8c, 0xb0, 0x86},
    [CRN_PAINT_OTHER] = {0xe2, 0xd5, 0xe6},  [CRN_PAINT_WALL] = {0x2c, 0x2f, 0x38},
    [CRN_PAINT_SEEN] = {0xdc, 0xda, 0xf0},
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
    uint32_t ground = (paint - CRN_PAINT_RAMPS) / CRN_RAMP_STEPS;
    crn_colour ramp = crn_ramp_colour((paint - CRN_PAINT_RAMPS) % CRN_RAMP_STEPS);
    /* The terrain shines through, except plain ground, which would only make it pale. */
    return ground == CRN_PAINT_GROUND ? ramp : picture_mix(ramp, picture_plain[ground], 80);
}

bool crn_was_expanded(const cairn_recording *recording, cairn_node node)
{
    uint32_t order = recording->nodes[node].order;
    return order && order != CRN_SEEN;
}

uint32_t crn_ramp_step(const cairn_recording *recording, cairn_node node)
{
    uint64_t order = recording->nodes[node].order - 1u;
    return (uint32_t)(order * CRN_RAMP_STEPS / recording->last_order);
}

static uint32_t picture_ground(const cairn_grid *grid, int32_t x, int32_t y)
{
    uint32_t class = cairn_grid_terrain(grid, x, y);
    return class < CAIRN_TERRAIN_FREE ? CRN_PAINT_GROUND + class : CRN_PAINT_OTHER;
}

uint32_t crn_cell_paint(const cairn_picture *picture, int32_t x, int32_t y)
{
    const cairn_grid *grid = cairn_space_grid(picture->space);
    if (!cairn_grid_is_open(grid, x, y)) return CRN_PAINT_WALL;
    uint32_t ground = picture_ground(grid, x, y);
    if (picture->recording) {
        cairn_node node = cairn_grid_node(grid, x, y);
        if (crn_was_expanded(picture->recording, node))
            return CRN_PAINT_RAMPS + ground * CRN_RAMP_STEPS + crn_ramp_step(picture->recording, node);
        if (picture->recording->nodes[node].order && ground == CRN_PAINT_GROUND) return CRN_PAINT_SEEN;
    }
    return ground;
}

#define PICTURE_PIXELS 1024u /* what an unscaled picture fits into */
#define PICTURE_SCALE_MAX 256u

static double picture_larger(double a, double b)
{
    return a > b ? a : b;
}

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
    if (count && !points) return crn_io_fail(error, CAIRN_INVALID, 0, "the points of a path are missing");
    for (uint32_t i = 0; i < count; i++)
        if (points[i] >= nodes)
            return crn_io_fail(error, CAIRN_OUT_OF_BOUNDS, 0, "point %u of the path lies outside the world",
                               i);
    return CAIRN_OK;
}

static cairn_status picture_check(const cairn_picture *picture, cairn_error *error)
{
    if (!picture || !picture->space) return crn_io_fail(error, CAIRN_INVALID, 0, "a picture needs a space");
    uint32_t nodes = cairn_space_node_count(picture->space);
    if (picture->recording && picture->recording->node_count != nodes)
        return crn_io_fail(error, CAIRN_INVALID, 0, "the recording was made for another world");
    if (picture->scale > PICTURE_SCALE_MAX)
        return crn_io_fail(error, CAIRN_INVALID, 0, "a cell may have at most %u pixels", PICTURE_SCALE_MAX);
    if ((picture->from >= nodes && picture->from != CAIRN_NO_NODE) ||
        (picture->to >= nodes && picture->to != CAIRN_NO_NODE))
        return crn_io_fail(error, CAIRN_OUT_OF_BOUNDS, 0, "start or goal lies outside the world");
    cairn_status status = CAIRN_OK;
    if (picture->path)
        status = picture_points_inside(picture, picture->path->nodes, picture->path->count, error);
    if (!status && picture->smooth)
        status = picture_points_inside(picture, picture->smooth, picture->smooth_count, error);
    return status;
}

cairn_status crn_picture_layout(const cairn_picture *picture, crn_layout *out, cairn_error *error)
{
    cairn_status status = picture_check(picture, error);
    if (status) return status;
    *out = (crn_layout){.scale = picture->scale};
    const cairn_grid *grid = cairn_space_grid(picture->space);
    if (grid) {
        out->width = cairn_grid_width(grid);
        out->height = cairn_grid_height(grid);
        uint32_t larger = out->width > out->height ? out->width : out->height;
        if (!out->scale) out->scale = PICTURE_PIXELS / larger;
    }
    if (!out->scale) out->scale = 1;
    if (out->scale > PICTURE_SCALE_MAX) out->scale = PICTURE_SCALE_MAX;
    picture_widths(out);
    if (picture->path) {
        out->bold_points = picture->path->nodes;
        out->bold_count = picture->path->count;
    }
    if (picture->smooth) {
        out->thin_points = out->bold_points;
        out->thin_count = out->bold_count;
        out->bold_points = picture->smooth;
        out->bold_count = picture->smooth_count;
    }
    return CAIRN_OK;
}
