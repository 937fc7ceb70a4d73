/* picture.h (internal): what SVG and PNG pictures have in common: which colour a cell gets, where
 * cells, lines and marks go, how thick they are, and what the legend says.
 *
 * A cell has a *paint*, a small number: one of the grounds, a step of the ramp for expanded cells,
 * or the colour of an area of the overlay. Few paints make small files: SVG groups the cells by
 * paint.
 */
#ifndef CRN_IO_PICTURE_H
#define CRN_IO_PICTURE_H

#include "io/overlay.h"
#include "io/recording.h"

typedef struct crn_colour {
    uint8_t red, green, blue;
} crn_colour;

/* The looks of a cell that was not expanded. */
enum {
    CRN_PAINT_GROUND,
    CRN_PAINT_SWAMP,
    CRN_PAINT_WATER,
    CRN_PAINT_TREES,
    CRN_PAINT_OTHER, /* classes of one's own */
    CRN_PAINT_GROUNDS,
    CRN_PAINT_WALL = CRN_PAINT_GROUNDS,
    CRN_PAINT_NARROW,  /* open and allowed, but no room for an agent of this size */
    CRN_PAINT_SEEN,    /* generated, never expanded */
    CRN_PAINT_SEGMENT, /* on a straight line that needed no search */
    CRN_PAINT_SUBGOAL, /* where a search was to lead */
    CRN_PAINT_RAMPS,   /* then CRN_RAMP_STEPS for each ground */
    CRN_RAMP_STEPS = 40,
    /* then CRN_AREA_COLOURS for each ground */
    CRN_PAINT_AREAS = CRN_PAINT_RAMPS + CRN_RAMP_STEPS * CRN_PAINT_GROUNDS,
    CRN_PAINTS = CRN_PAINT_AREAS + CRN_AREA_COLOURS * CRN_PAINT_GROUNDS
};

extern const crn_colour crn_path_colour, crn_path_casing, crn_thin_path_colour;
extern const crn_colour crn_start_colour, crn_goal_colour, crn_outline_colour;
extern const crn_colour crn_paper_colour; /* beside and below the map */

crn_colour crn_paint_colour(uint32_t paint);

/* Tells whoever waits for the picture how far it is. */
static inline void crn_picture_progress(const cairn_picture *picture, uint64_t done, uint64_t total)
{
    if (picture->progress) picture->progress(picture->progress_user, done, total);
}

/* The legend: "g 0.0 [a bar of all colours] 63.2", in pixels from the upper left corner of its
 * strip, in letters that take 6 × 7 pixels, enlarged. */
typedef struct crn_legend {
    bool shown;
    uint32_t enlarge; /* 1, 2 or 3 */
    uint32_t height;  /* of the strip */
    uint32_t text_left, bar_left, bar_width, most_left;
    uint32_t top; /* of bar and letters */
    char least[24], most[24];
} crn_legend;

#define CRN_LETTER_WIDTH 6u
#define CRN_LETTER_HEIGHT 7u

/* The points of a path: nodes, or positions as the game has them. */
typedef struct crn_polyline {
    const cairn_node *nodes; /* NULL = positions */
    const cairn_position *positions;
    uint32_t count;
} crn_polyline;

/* Everything that both kinds of picture need, computed once. Lengths are in pixels unless stated
 * otherwise. */
typedef struct crn_layout {
    const cairn_picture *picture;
    uint32_t width, height; /* cells */
    uint32_t scale;         /* pixels a cell's width */
    bool hexagons;          /* drawn as such */
    /* in cells: from row to row, centre of the first, odd rows to the right */
    double row, first_row, shift;
    double wide, high;   /* of the map, in cells */
    double line, casing; /* widths of the path and of what is below it */
    double thin;         /* of the path as found, when a smoothed one is shown */
    double mark;         /* radius of start and goal */
    bool grid_lines;
    cairn_range range; /* of what expanded nodes are coloured by */
    crn_area_colours areas;
    crn_legend legend;
    crn_polyline bold_line, thin_line;
} crn_layout;

/* Checks the picture; fills the layout (for graphs only what is about lines and colours). Raster
 * pictures with few pixels a cell show hexagons as squares in shifted rows. When the picture is
 * drawn, crn_picture_done frees what the layout holds. */
cairn_status crn_picture_layout(const cairn_picture *picture, bool raster, crn_layout *out,
                                cairn_error *error);
void crn_picture_done(crn_layout *layout);

/* The legend for a picture this many pixels wide: not shown if there is no room or nothing to
 * say. */
void crn_picture_legend(crn_layout *layout, uint32_t pixels);

/* Step of the ramp, 0…CRN_RAMP_STEPS-1; false for nodes that were not expanded. */
bool crn_ramp_step(const crn_layout *layout, cairn_node node, uint32_t *step);
crn_colour crn_ramp_colour(uint32_t step);

/* The step at one of `parts` places from the left of the legend's bar. */
uint32_t crn_legend_step(const crn_layout *layout, uint32_t part, uint32_t parts);

uint32_t crn_cell_paint(const crn_layout *layout, int32_t x, int32_t y);

/* The centre of a cell, in cells. */
cairn_position crn_cell_centre(const crn_layout *layout, cairn_node node);

/* How borders, edges and nodes of a level of the overlay are drawn: as lines this many pixels wide,
 * with round ends. */
typedef struct crn_overlay_style {
    crn_colour colour;
    double width;
} crn_overlay_style;
crn_overlay_style crn_overlay_style_of(const crn_layout *layout, cairn_overlay_kind kind,
                                       uint32_t level);

/* From what lies below to what lies above. */
extern const cairn_overlay_kind crn_overlay_order[3];

/* A position of the overlay of a grid, in cells. */
cairn_position crn_overlay_place(const crn_layout *layout, cairn_position position);

/* The colour of the area that a node belongs to; false if there is none. */
bool crn_area_colour(const crn_layout *layout, cairn_node node, uint32_t *colour);

/* A point of a line on a grid, in cells. */
cairn_position crn_polyline_place(const crn_layout *layout, const crn_polyline *line, uint32_t i);

/* Does the step from point i - 1 to point i of a line use a link of the picture's path? Must be
 * called for the steps in order; *next begins at 0. */
bool crn_step_is_link(const crn_layout *layout, const crn_polyline *line, uint32_t i,
                      uint32_t *next);

#endif
