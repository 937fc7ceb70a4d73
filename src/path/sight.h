/* sight.h: straight lines of any angle between the centres of cells: where they lead, what they
 * cost, how long they are.
 *
 * A line costs its Euclidean length in units times the price of its ground, rounded up, so that
 * decisions need whole numbers only: the least c with c² ≥ (dx² + dy²)·(straight·price)². Rounding
 * up keeps what matters of lengths: a detour over a third cell is never cheaper than the line
 * itself. The extra cost of the cost layer is paid for each step that the line would take if all
 * directions were allowed. The steps of a grid are such lines too, one cell long; a diagonal one
 * may cost a unit more than on the grid, whose √2 is a fraction. From ground to ground there are
 * only steps, at the price of the cell that is entered.
 */
#ifndef CRN_SIGHT_H
#define CRN_SIGHT_H

#include "path/ground.h"
#include <math.h>

/* A cell by both of its names. */
typedef struct crn_point {
    cairn_node node;
    cairn_cell cell;
} crn_point;

static inline crn_point crn_point_of(const crn_grid_space *space, cairn_node node)
{
    uint32_t width = space->grid->width, y = node / width;
    return (crn_point){node, {(int32_t)(node - y * width), (int32_t)y}};
}

/* ⌈√n⌉ */
CRN_INLINE uint64_t crn_sight_root(uint64_t n)
{
    /* A double holds such numbers, and the root of one that lies below a square does not round up
     * to it. */
    bool small = n >> 52 == 0;
    uint64_t root = small ? (uint64_t)(int64_t)sqrt((double)(int64_t)n) : crn_square_root(n);
    return root * root < n ? root + 1 : root;
}

/* What a line costs where not all ground is alike, or on hexagons. */
uint64_t crn_sight_other_cost(const crn_grid_space *space, crn_point a, crn_point b);

/* What the line from a to b costs, or the step: whether there is one is not asked. It may be more
 * than 32 bits hold. */
CRN_INLINE uint64_t crn_sight_cost(const crn_grid_space *space, crn_point a, crn_point b)
{
    if (!space->uniform || space->hex) return crn_sight_other_cost(space, a, b);
    int64_t dx = a.cell.x - b.cell.x, dy = a.cell.y - b.cell.y, unit = space->step[CRN_E];
    uint64_t square = (uint64_t)(dx * dx + dy * dy), factor = (uint64_t)(unit * unit);
    if (CRN_UNLIKELY(square >> 22 && square > UINT64_MAX / factor)) return CAIRN_NO_COST;
    return crn_sight_root(square * factor);
}

/* How many cells it passes at most in its main direction. */
CRN_INLINE uint32_t crn_sight_reach(crn_point a, crn_point b)
{
    int32_t dx = a.cell.x - b.cell.x, dy = a.cell.y - b.cell.y;
    return crn_max_u32((uint32_t)(dx < 0 ? -dx : dx), (uint32_t)(dy < 0 ? -dy : dy));
}

/* Its length in cells. */
double crn_sight_length(const cairn_grid *grid, cairn_node a, cairn_node b);

/* Is the answer of crn_sight_clear exact? Otherwise only its "no" is certain. */
bool crn_sight_plain(const crn_grid_space *space);

/* Squares: is everything free that a point passes on its line from a to b, by the corner rule, if
 * all ground is alike? Tests a row of cells at a time. The answer is the same from b to a. */
bool crn_sight_clear(const crn_grid_space *space, cairn_cell a, cairn_cell b);

/* Does a line lead from a to b, both of which can be stood on? As cairn_raycast, but faster where
 * it can be. */
bool crn_sight(const crn_grid_space *space, crn_point a, crn_point b);

/* The same, or a single step. */
bool crn_sight_or_step(const crn_grid_space *space, crn_point a, crn_point b);

#endif
