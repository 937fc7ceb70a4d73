/* picture.h (internal): what SVG and PNG pictures have in common: which colour a cell
 * gets, where lines and marks go, and how thick they are.
 *
 * A cell has a *paint*, a small number: one of the grounds, or a step of the ramp for
 * expanded cells. Few paints make small files: SVG groups the cells by paint.
 */
#ifndef CRN_IO_PICTURE_H
#define CRN_IO_PICTURE_H

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
    CRN_PAINT_SEEN,  /* generated, never expanded */
    CRN_PAINT_RAMPS, /* then CRN_RAMP_STEPS for each ground */
    CRN_RAMP_STEPS = 40,
    CRN_PAINTS = CRN_PAINT_RAMPS + CRN_RAMP_STEPS * CRN_PAINT_GROUNDS
};

extern const crn_colour crn_path_colour, crn_path_casing, crn_thin_path_colour;
extern const crn_colour crn_start_colour, crn_goal_colour, crn_outline_colour;

crn_colour crn_paint_colour(uint32_t paint);

/* Tells whoever waits for the picture how far it is. */
static inline void crn_picture_progress(const cairn_picture *picture, uint64_t done, uint64_t total)
{
    if (picture->progress) picture->progress(picture->progress_user, done, total);
}

bool crn_was_expanded(const cairn_recording *recording, cairn_node node);

/* Step 0…CRN_RAMP_STEPS-1 of an expanded node. */
uint32_t crn_ramp_step(const cairn_recording *recording, cairn_node node);
crn_colour crn_ramp_colour(uint32_t step);

uint32_t crn_cell_paint(const cairn_picture *picture, int32_t x, int32_t y);

/* Everything the two kinds of picture need to know, worked out once. Lengths are in
 * pixels. */
typedef struct crn_layout {
    uint32_t width, height; /* cells */
    uint32_t scale;         /* pixels a cell */
    double line, casing;    /* widths of the path and of what is below it */
    double thin;            /* of the path as found, when a smoothed one is shown */
    double mark;            /* radius of start and goal */
    bool grid_lines;
    const cairn_node *bold_points, *thin_points;
    uint32_t bold_count, thin_count;
} crn_layout;

/* Checks the picture; fills the layout (for graphs only what is about lines). */
cairn_status crn_picture_layout(const cairn_picture *picture, crn_layout *out, cairn_error *error);

#endif
