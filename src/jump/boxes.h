/* boxes.h: goal bounding: for every jump point and every direction out of it, a box round all cells
 * to which a shortest path begins in that direction.
 *
 * A search that expands the point skips directions whose box does not hold the goal. A cell to
 * which several first steps lead equally well is in the boxes of all of them, so no path is lost,
 * whatever other rule prunes the rest: every move that begins a shortest path to the goal is
 * allowed, so among the cells on shortest paths to the goal the search does just what it would do
 * without boxes.
 *
 * Source: Rabin and Sturtevant, "Combining Bounding Boxes and JPS to Prune Grid Pathfinding", 2016.
 */
#ifndef CRN_JUMP_BOXES_H
#define CRN_JUMP_BOXES_H

#include "world/grid_space.h"
#include <cairn/planner.h>

/* Both ends inclusive; left > right: nothing. */
typedef struct crn_jump_box {
    uint16_t left, top, right, bottom;
} crn_jump_box;

/* The points of 64 cells of a row: a bit for each, and how many come before them. */
typedef struct crn_jump_points {
    uint64_t bits;
    uint32_t before;
} crn_jump_points;

typedef struct crn_jump_boxes {
    const crn_jump_box *boxes; /* CRN_DIRECTIONS for each point; NULL = there are none */
    crn_jump_box *owned;       /* the same, or NULL if they are borrowed */
    crn_jump_points *points;
    uint32_t words, height; /* of points: in a row, rows */
    uint32_t count;         /* points */
    cairn_scale steps;      /* what they were built for: others may make other paths the shortest */
    struct crn_jump_boxes_slices *slices; /* of a build in slices; NULL = there is none */
} crn_jump_boxes;

typedef struct crn_jump_boxes_slices crn_jump_boxes_slices;

/* Returns those of the moves that may lead to the goal on a shortest path: all, if the place has no
 * boxes. */
CRN_INLINE uint32_t crn_jump_boxes_allow(const crn_jump_boxes *boxes, uint32_t x, uint32_t y,
                                         uint32_t moves, uint32_t goal_x, uint32_t goal_y)
{
    const crn_jump_points *points = &boxes->points[y * boxes->words + x / 64];
    uint64_t bit = UINT64_C(1) << x % 64;
    if (!(points->bits & bit)) return moves;
    size_t point = points->before + crn_count_bits(points->bits & (bit - 1));
    const crn_jump_box *box = boxes->boxes + point * CRN_DIRECTIONS;
    uint32_t allowed = 0;
    for (uint32_t left = moves; left; left &= left - 1) {
        uint32_t d = crn_lowest_bit(left);
        bool inside = goal_x >= box[d].left && goal_x <= box[d].right && goal_y >= box[d].top &&
                      goal_y <= box[d].bottom;
        allowed |= (uint32_t)inside << d;
    }
    return allowed;
}

/* One search of everything for each point, by the context's workers; the same boxes for any number
 * of them. On failure there are none. */
cairn_status crn_jump_boxes_build(crn_jump_boxes *boxes, const crn_grid_space *space,
                                  const cairn_progress *progress, cairn_error *error);

/* The same in slices, without workers: `begin`, then steps until the answer is not CAIRN_RUNNING. A
 * step does what takes as long as the computing of *cells cells of the table of jumps, and
 * subtracts that, as the steps of the table do. */
cairn_status crn_jump_boxes_begin(crn_jump_boxes *boxes, const crn_grid_space *space,
                                  cairn_error *error);
cairn_status crn_jump_boxes_step(crn_jump_boxes *boxes, const crn_grid_space *space,
                                 uint64_t *cells, cairn_error *error);

/* Are they still those of the space, if where one can step has not changed? */
CRN_INLINE bool crn_jump_boxes_fit(const crn_jump_boxes *boxes, const crn_grid_space *space)
{
    return boxes->steps.straight == space->cheapest.straight &&
           boxes->steps.diagonal == space->cheapest.diagonal;
}
void crn_jump_boxes_drop(crn_jump_boxes *boxes, cairn_context *context);
size_t crn_jump_boxes_bytes(const crn_jump_boxes *boxes);

cairn_status crn_jump_boxes_save(const crn_jump_boxes *boxes, cairn_store *store,
                                 cairn_error *error);
/* None, if there are none in the archive. */
cairn_status crn_jump_boxes_load(crn_jump_boxes *boxes, const crn_grid_space *space,
                                 const cairn_archive *archive, bool borrow, cairn_error *error);

#endif
