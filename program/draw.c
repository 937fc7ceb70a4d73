/* draw.c: drawing in the terminal (see draw.h).
 *
 * The map becomes a plane of pixels, each a square of `shrink` × `shrink` cells, with the strongest
 * thing in it: goal, start, path, then what most of its cells are. On a colour terminal two pixels
 * one above the other make a character, "▀" with a foreground and a background, so that pixels are
 * square. Without colour a pixel is a letter; as letters are twice as high as wide, a shrunk map
 * leaves out every other row of pixels. Hexagons are two columns wide, which leaves a column to
 * shift the odd rows by; a map too large for that is drawn as squares.
 */
#include "draw.h"

#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pixels ---- */

enum {
    PIXEL_GROUND,
    PIXEL_SWAMP,
    PIXEL_WATER,
    PIXEL_TREES,
    PIXEL_WALL,
    PIXEL_NARROW, /* open, but too narrow for this agent */
    PIXEL_PATH,
    PIXEL_START,
    PIXEL_GOAL,
    PIXEL_FILL, /* first of DRAW_RAMP */
    DRAW_RAMP = 8,
    PIXELS = PIXEL_FILL + DRAW_RAMP
};

typedef struct draw_plane {
    uint32_t width, height; /* cells */
    uint32_t columns, rows; /* pixels */
    uint32_t shrink;        /* cells a pixel's side */
    bool shifted;           /* hexagons: two columns a pixel, odd rows a column to the right */
    cairn_range range;      /* of what the fill is coloured by */
    uint8_t *pixels;
} draw_plane;

static uint8_t draw_cell(const drawing *d, const draw_plane *plane, uint32_t x, uint32_t y)
{
    const cairn_grid *grid = d->world->grid;
    if (!cairn_grid_is_open(grid, (int32_t)x, (int32_t)y)) return PIXEL_WALL;
    cairn_node node = cairn_grid_node(grid, (int32_t)x, (int32_t)y);
    uint64_t value;
    if (cairn_recording_value(d->recording, d->colour, node, &value)) {
        uint64_t span = plane->range.most - plane->range.least + 1;
        return (uint8_t)(PIXEL_FILL + (value - plane->range.least) * DRAW_RAMP / span);
    }
    uint32_t class = cairn_grid_terrain(grid, (int32_t)x, (int32_t)y);
    const cairn_space *space = d->world->space;
    if (cairn_space_profile(space)->terrain_cost[class] && !cairn_space_usable(space, node))
        return PIXEL_NARROW;
    return class < CAIRN_TERRAIN_FREE ? (uint8_t) class : PIXEL_GROUND;
}

/* What most cells of the pixel are; all steps of the fill count together, so that a
 * pixel in it is fill, of the step that most of it has. */
static uint8_t draw_most(const drawing *d, const draw_plane *plane, uint32_t px, uint32_t py)
{
    uint32_t counts[PIXELS] = {0}, fill = 0;
    for (uint32_t y = py * plane->shrink; y < (py + 1) * plane->shrink && y < plane->height; y++)
        for (uint32_t x = px * plane->shrink; x < (px + 1) * plane->shrink && x < plane->width; x++)
            counts[draw_cell(d, plane, x, y)]++;
    uint8_t plain = PIXEL_GROUND, step = PIXEL_FILL;
    for (uint8_t i = 0; i < PIXEL_FILL; i++)
        if (counts[i] > counts[plain]) plain = i;
    for (uint8_t i = PIXEL_FILL; i < PIXELS; i++) {
        fill += counts[i];
        if (counts[i] > counts[step]) step = i;
    }
    return fill && fill >= counts[plain] ? step : plain;
}

static void draw_mark(const drawing *d, draw_plane *plane, cairn_node node, uint8_t pixel)
{
    if (node == CAIRN_NO_NODE) return;
    cairn_cell cell = cairn_grid_cell(d->world->grid, node);
    uint32_t column = (uint32_t)cell.x / plane->shrink, row = (uint32_t)cell.y / plane->shrink;
    plane->pixels[(size_t)row * plane->columns + column] = pixel;
}

/* All cells near the line between two points of a smoothed path, or of one of any angle. */
static void draw_line(const drawing *d, draw_plane *plane, cairn_node from, cairn_node to)
{
    cairn_cell a = cairn_grid_cell(d->world->grid, from), b = cairn_grid_cell(d->world->grid, to);
    int32_t dx = b.x - a.x, dy = b.y - a.y;
    int32_t steps = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    for (int32_t i = 0; i <= steps; i++) {
        double part = steps ? (double)i / steps : 0;
        int32_t x = (int32_t)(a.x + part * dx + 0.5), y = (int32_t)(a.y + part * dy + 0.5);
        draw_mark(d, plane, cairn_grid_node(d->world->grid, x, y), PIXEL_PATH);
    }
}

/* Does this step use the next link of the path? */
static bool draw_is_link(const drawing *d, cairn_node from, cairn_node to, uint32_t *next)
{
    if (!d->path || *next >= d->path->link_count) return false;
    const cairn_node *ends = d->path->nodes + d->path->links[*next].at;
    if (from != ends[0] || to != ends[1]) return false;
    ++*next;
    return true;
}

/* Is this point of the curve the centre of a cell? */
static bool draw_is_centre(const drawing *d, cairn_position p, cairn_node node)
{
    cairn_position centre = cairn_space_position(d->world->space, node);
    return p.x == centre.x && p.y == centre.y;
}

/* All cells that the curve passes, but for corners of some. */
static void draw_curve(const drawing *d, draw_plane *plane)
{
    enum { DRAW_SAMPLES = 4 }; /* a cell */
    const cairn_path *path = d->path;
    double cell = cairn_grid_cell_size(d->world->grid);
    uint32_t link = 0;
    for (uint32_t i = 1; i < d->curve_count; i++) {
        cairn_position a = d->curve[i - 1], b = d->curve[i];
        const cairn_node *ends =
            link < path->link_count ? path->nodes + path->links[link].at : NULL;
        if (ends && draw_is_centre(d, a, ends[0]) && draw_is_centre(d, b, ends[1])) {
            link++;
            continue;
        }
        double dx = b.x - a.x, dy = b.y - a.y;
        uint32_t steps = 1 + (uint32_t)(DRAW_SAMPLES * (fabs(dx) + fabs(dy)) / cell);
        for (uint32_t k = 0; k <= steps; k++) {
            double part = (double)k / steps;
            cairn_position p = {a.x + part * dx, a.y + part * dy, 0};
            draw_mark(d, plane, cairn_space_node_at(d->world->space, p), PIXEL_PATH);
        }
    }
}

static void draw_path(const drawing *d, draw_plane *plane)
{
    if (d->curve) {
        draw_curve(d, plane);
        return;
    }
    bool lines = d->smooth || (d->path && d->path->any_angle);
    const cairn_node *points = d->smooth ? d->smooth : lines ? d->path->nodes : NULL;
    uint32_t count = d->smooth ? d->smooth_count : lines ? d->path->count : 0, link = 0;
    for (uint32_t i = 1; i < count; i++)
        if (!draw_is_link(d, points[i - 1], points[i], &link))
            draw_line(d, plane, points[i - 1], points[i]);
    if (lines || !d->path || !d->path->count) return;
    cairn_path_iterator it = cairn_path_begin(d->world->space, d->path);
    for (cairn_node node; (node = cairn_path_next(&it)) != CAIRN_NO_NODE;)
        draw_mark(d, plane, node, PIXEL_PATH);
}

static bool draw_fill(const drawing *d, draw_plane *plane, uint32_t columns)
{
    plane->width = cairn_grid_width(d->world->grid);
    plane->height = cairn_grid_height(d->world->grid);
    plane->range = cairn_recording_range(d->recording, d->colour);
    plane->shifted =
        cairn_grid_layout(d->world->grid) == CAIRN_LAYOUT_HEX && plane->width * 2 + 1 <= columns;
    plane->shrink = (plane->width + columns - 1) / columns;
    plane->columns = (plane->width + plane->shrink - 1) / plane->shrink;
    plane->rows = (plane->height + plane->shrink - 1) / plane->shrink;
    plane->pixels = malloc((size_t)plane->columns * plane->rows);
    if (!plane->pixels) return complain("there is not enough memory to draw"), false;
    for (uint32_t y = 0; y < plane->rows; y++)
        for (uint32_t x = 0; x < plane->columns; x++)
            plane->pixels[(size_t)y * plane->columns + x] = draw_most(d, plane, x, y);
    draw_path(d, plane);
    draw_mark(d, plane, d->from, PIXEL_START);
    draw_mark(d, plane, d->to, PIXEL_GOAL);
    return true;
}

static uint8_t draw_pixel(const draw_plane *plane, uint32_t x, uint32_t y)
{
    return y < plane->rows ? plane->pixels[(size_t)y * plane->columns + x] : (uint8_t)PIXEL_WALL;
}

static bool draw_has(const draw_plane *plane, uint8_t pixel)
{
    return memchr(plane->pixels, pixel, (size_t)plane->columns * plane->rows) != NULL;
}

/* ---- with colours ---- */

/* Of the 256 colours that terminals share; the ramp climbs in lightness. */
static const uint8_t draw_colours[PIXELS] = {[PIXEL_GROUND] = 255,
                                             [PIXEL_SWAMP] = 187,
                                             [PIXEL_WATER] = 117,
                                             [PIXEL_TREES] = 108,
                                             [PIXEL_WALL] = 236,
                                             [PIXEL_NARROW] = 247,
                                             [PIXEL_PATH] = 161,
                                             [PIXEL_START] = 27,
                                             [PIXEL_GOAL] = 208,
                                             [PIXEL_FILL] = 60,
                                             61,
                                             67,
                                             67,
                                             73,
                                             72,
                                             113,
                                             185};

/* A character of two pixels; the colours are sent only where they change. */
static void draw_blocks(const draw_plane *plane, uint32_t y, FILE *out)
{
    int foreground = -1, background = -1;
    bool last = y + 1 == plane->rows;
    for (uint32_t x = 0; x < plane->columns; x++) {
        int upper = draw_colours[draw_pixel(plane, x, y)],
            lower = draw_colours[draw_pixel(plane, x, y + 1)];
        if (upper != foreground) fprintf(out, "\033[38;5;%dm", upper);
        if (lower != background && !last) fprintf(out, "\033[48;5;%dm", lower);
        fputs("▀", out);
        foreground = upper;
        background = lower;
    }
}

/* A character of one pixel, where there are no half blocks; two for a hexagon. */
static void draw_blanks(const draw_plane *plane, uint32_t y, FILE *out)
{
    if (plane->shifted && y & 1) fputc(' ', out);
    for (uint32_t x = 0; x < plane->columns; x++)
        fprintf(out, "\033[48;5;%dm%s", draw_colours[draw_pixel(plane, x, y)],
                plane->shifted ? "  " : " ");
}

static void draw_print_colours(const drawing *d, const draw_plane *plane, FILE *out)
{
    bool blocks = text_utf8() && !plane->shifted;
    for (uint32_t y = 0; y < plane->rows; y += blocks ? 2 : 1) {
        if (blocks)
            draw_blocks(plane, y, out);
        else
            draw_blanks(plane, y, out);
        fputs("\033[0m\n", out);
    }
    fprintf(
        out,
        "\033[48;5;%dm  \033[0m start  \033[48;5;%dm  \033[0m goal  \033[48;5;%dm  \033[0m path  ",
        draw_colours[PIXEL_START], draw_colours[PIXEL_GOAL], draw_colours[PIXEL_PATH]);
    if (draw_has(plane, PIXEL_NARROW))
        fprintf(out, "\033[48;5;%dm  \033[0m too narrow  ", draw_colours[PIXEL_NARROW]);
    for (uint32_t i = 0; i < DRAW_RAMP && d->colour != CAIRN_COLOUR_NONE; i++)
        fprintf(out, "\033[48;5;%dm ", draw_colours[PIXEL_FILL + i]);
    fputs("\033[0m", out);
    if (d->colour == CAIRN_COLOUR_ORDER)
        fputs(" expanded, from first to last\n", out);
    else if (d->colour == CAIRN_COLOUR_NONE)
        fputs("\n", out);
    else
        fprintf(out, " expanded, from the least %s to the greatest\n",
                cairn_colouring_name(d->colour));
}

/* ---- with letters ---- */

static const char *draw_letter(uint8_t pixel, bool utf8)
{
    static const char *const letters[][2] = {
        [PIXEL_GROUND] = {" ", " "}, [PIXEL_SWAMP] = {"~", "~"}, [PIXEL_WATER] = {"w", "≈"},
        [PIXEL_TREES] = {"T", "♣"},  [PIXEL_WALL] = {"#", "█"},  [PIXEL_PATH] = {"*", "●"},
        [PIXEL_NARROW] = {"%", "▒"}, [PIXEL_START] = {"A", "A"}, [PIXEL_GOAL] = {"B", "B"},
        [PIXEL_FILL] = {".", "·"}};
    return letters[pixel < PIXEL_FILL ? pixel : PIXEL_FILL][utf8];
}

/* The stronger of two pixels that share a letter. */
static uint8_t draw_stronger(uint8_t a, uint8_t b)
{
    bool a_marks = a >= PIXEL_PATH && a <= PIXEL_GOAL, b_marks = b >= PIXEL_PATH && b <= PIXEL_GOAL;
    if (a_marks && b_marks) return a > b ? a : b;
    return b_marks ? b : a;
}

static void draw_print_letters(const draw_plane *plane, FILE *out)
{
    bool utf8 = text_utf8();
    uint32_t step = plane->shrink > 1 ? 2 : 1;
    for (uint32_t y = 0; y < plane->rows; y += step) {
        if (plane->shifted && y & 1) fputc(' ', out);
        for (uint32_t x = 0; x < plane->columns; x++) {
            uint8_t pixel = draw_pixel(plane, x, y);
            if (step == 2) pixel = draw_stronger(pixel, draw_pixel(plane, x, y + 1));
            fputs(draw_letter(pixel, utf8), out);
            bool solid = pixel == PIXEL_WALL || pixel == PIXEL_NARROW;
            if (plane->shifted) fputs(solid ? draw_letter(pixel, utf8) : " ", out);
        }
        fputc('\n', out);
    }
    fprintf(out, "A start, B goal, %s path, %s expanded", draw_letter(PIXEL_PATH, utf8),
            draw_letter(PIXEL_FILL, utf8));
    if (draw_has(plane, PIXEL_NARROW))
        fprintf(out, ", %s too narrow", draw_letter(PIXEL_NARROW, utf8));
    fputs("\n", out);
}

bool draw_print(const drawing *d, FILE *out)
{
    draw_plane plane = {0};
    if (!draw_fill(d, &plane, text_columns())) return false;
    if (text_colourful(out))
        draw_print_colours(d, &plane, out);
    else
        draw_print_letters(&plane, out);
    if (plane.shrink > 1)
        fprintf(out, "(a character stands for %u x %u cells)\n", plane.shrink, plane.shrink * 2);
    free(plane.pixels);
    return true;
}
