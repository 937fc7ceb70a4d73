/* climb.h: hill climbing, the same for building an index and for walking.
 *
 * A step goes to the neighbour with the least g + h among those whose h is smaller, where g is the
 * cost of the step and h the distance to the target on a map without walls. Of equally good ones
 * the step with the larger g is taken, then the first one in the order of directions
 * (grid_space.h). This order is part of the index: what a build has promised holds only for the
 * same climb. So there is no other one, and ties are never broken at random.
 *
 * - A climb ends where no neighbour has a smaller h. It never visits a cell twice.
 * - From any cell of a climb, the climb to the same target is the rest of it. HCDPS regions and
 *   cairn_planner_next rely on this.
 * - Costs of ground do not matter to it, only which steps are legal.
 *
 * (On grids the neighbour of least g + h has a smaller h if any has, so this is L's rule: "ends
 * where no neighbour has a smaller h".)
 */
#ifndef CRN_CLIMB_H
#define CRN_CLIMB_H

#include "world/grid_space.h"

#define CRN_CLIMB_STUCK CRN_DIRECTIONS

typedef struct crn_climb {
    const crn_grid_space *map;
    int32_t x, y;   /* where it is */
    int32_t tx, ty; /* where it leads */
} crn_climb;

/* The distance between two cells on a map without walls. */
uint64_t crn_climb_distance(const crn_grid_space *map, cairn_cell a, cairn_cell b);

/* The legal moves where the climb is. */
uint32_t crn_climb_moves(const crn_climb *climb);

/* By the signs of both differences: north-west, north, … */
extern const uint8_t crn_climb_towards[9];

/* Returns the direction of the next step, or CRN_CLIMB_STUCK; the target itself must not be
 * reached yet. */
uint32_t crn_climb_direction(const crn_climb *climb);

/* Makes the next step of a climb from one node to another one; false: there is none. */
bool crn_climb_step(const crn_grid_space *map, cairn_node *at, cairn_node to);

CRN_INLINE void crn_climb_move(crn_climb *climb, uint32_t direction)
{
    climb->x += crn_dx[direction];
    climb->y += crn_dy[direction];
}

CRN_INLINE bool crn_climb_arrived(const crn_climb *climb)
{
    return climb->x == climb->tx && climb->y == climb->ty;
}

CRN_INLINE cairn_node crn_climb_node(const crn_climb *climb)
{
    return (cairn_node)((uint32_t)climb->y * climb->map->grid->width + (uint32_t)climb->x);
}

CRN_INLINE crn_climb crn_climb_between(const crn_grid_space *map, cairn_node from, cairn_node to)
{
    uint32_t width = map->grid->width;
    return (crn_climb){map, (int32_t)(from % width), (int32_t)(from / width), (int32_t)(to % width),
                       (int32_t)(to / width)};
}

/* Which steps are legal if only the cell is usable that they lead to: none, straight ones, all. */
typedef enum crn_climb_ease { CRN_CLIMB_HARD, CRN_CLIMB_STRAIGHT, CRN_CLIMB_EASY } crn_climb_ease;
crn_climb_ease crn_climb_easy(const crn_grid_space *map);

/* Does a climb of at most this many steps lead from one node to another? `cost` (may be NULL) gets
 * what its steps cost, as on uniform ground. */
bool crn_climb_reaches(const crn_grid_space *map, cairn_node from, cairn_node to, uint32_t most,
                       uint64_t *cost);

/* The same for a climb that may cost so much at most, as on uniform ground. It ends where it would
 * cost more. */
bool crn_climb_within(const crn_grid_space *map, cairn_node from, cairn_node to, uint32_t most,
                      uint64_t limit);

/* Does the climb between two nodes make exactly these moves, which are legal and lead there? */
bool crn_climb_matches(const crn_grid_space *map, cairn_node from, cairn_node to,
                       const uint8_t *moves, uint32_t count);

/* As crn_climb_reaches, for a try while walking. It gives up where it would go round obstacles more
 * than `turns` times (only on squares with eight neighbours), so it is cheap where it fails. Each
 * step that is not straight towards the target counts, but going on along a wall does not. */
bool crn_climb_glides(const crn_grid_space *map, cairn_node from, cairn_node to, uint32_t most,
                      uint32_t turns);

/* Writes the cells of a climb as far as it leads, its first one too. Returns how many there are;
 * writes at most `capacity` of them. */
uint32_t crn_climb_cells(const crn_grid_space *map, cairn_node from, cairn_node to, cairn_node *out,
                         uint32_t capacity);

#endif
