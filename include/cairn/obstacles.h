/* obstacles.h: what stands in the way for a while: other agents, carts, fire, a barricade.
 *
 * An obstacle lies on a rectangle of cells of a grid. It closes them, or makes them cost more. It
 * ends by itself after some time, and can be moved, renewed and removed before.
 *
 *     cairn_obstacles_create(grid, &obstacles);
 *
 *     cairn_obstacle_options options = {.x = 7, .y = 3, .ticks = 90};
 *     cairn_obstacles_put(obstacles, &options, &cart);       when it comes
 *     cairn_obstacles_move(obstacles, cart, 8, 3);           when it moves
 *
 *     cairn_obstacles_tick(obstacles);                       once a frame
 *
 * A tick makes all that has happened since the last one effective, in one commit of the grid.
 * All spaces, planners and services of the grid see it as any other edit.
 *
 * Obstacles overlap. A cell is closed until the last obstacle that closes it has ended. What
 * obstacles cost adds up, on top of the cell's extra layer, up to 255.
 *
 * The cells under an obstacle are still yours. You edit and commit them as always. Such edits count
 * for the cell's own state, which is what it has when nothing lies on it any more: a wall that was
 * built under an obstacle stays. What the grid says meanwhile (cairn_grid_is_open,
 * cairn_grid_layer, files) is what agents see; cairn_obstacles_own_state says what is under it.
 *
 * Costs depend on the cells that change, not on the map. Ticks without a change take next to
 * nothing. Besides the commits of the grid nothing is allocated once as many obstacles and cells
 * have been in use.
 *
 * Everything here needs exclusive access to the grid, as commits do.
 */
#ifndef CAIRN_OBSTACLES_H
#define CAIRN_OBSTACLES_H

#include "base.h"
#include "grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_obstacles cairn_obstacles;

/* The number of an obstacle; 0 is none. Numbers of those that have ended are not given again until
 * 2^32 others have been in the same place. */
typedef uint64_t cairn_obstacle;
#define CAIRN_NO_OBSTACLE UINT64_C(0)

#define CAIRN_OBSTACLES_MAX (UINT32_C(1) << 24) /* at a time */

/* Zero means default in every field but x and y. */
typedef struct cairn_obstacle_options {
    int32_t x, y; /* the upper left cell. Parts outside of the grid do not count */
    /* In cells, up to CAIRN_GRID_MAX; 0 = 1. For an agent with a footprint of N: N and N. */
    uint32_t width, height;
    /* 0: the cells are closed. Otherwise so many units of the extra layer are added;
     * profile.layer_weight says what a unit costs. */
    uint8_t cost;
    /* It is effective from the next tick on, for so many ticks; 0 = until it is removed. */
    uint32_t ticks;
} cairn_obstacle_options;

/* Creates the obstacles of a grid, of which there are none yet. They keep the grid alive.
 * CAIRN_INVALID: the grid has some already. */
CAIRN_API cairn_status cairn_obstacles_create(cairn_grid *grid, cairn_obstacles **out);

/* Destroys them. NULL is allowed. Cells on which something lies stay in the grid as they are. If
 * the grid lives on, clear and tick first. */
CAIRN_API void cairn_obstacles_destroy(cairn_obstacles *obstacles);

/* Puts an obstacle on cells, from the next tick on.
 * - CAIRN_OUT_OF_BOUNDS: no cell of it lies in the grid. CAIRN_INVALID: it is too large.
 * - CAIRN_OUT_OF_MEMORY: nothing has changed. Also if there are CAIRN_OBSTACLES_MAX. */
CAIRN_API cairn_status cairn_obstacles_put(cairn_obstacles *obstacles,
                                           const cairn_obstacle_options *options,
                                           cairn_obstacle *out);

/* For all of them: CAIRN_INVALID: the obstacle has ended, was removed, or never put. */

/* Moves an obstacle to another place, from the next tick on. When it ends does not change.
 * - CAIRN_OUT_OF_BOUNDS, CAIRN_OUT_OF_MEMORY: it stays where it is. */
CAIRN_API cairn_status cairn_obstacles_move(cairn_obstacles *obstacles, cairn_obstacle obstacle,
                                            int32_t x, int32_t y);

/* Lets an obstacle last for so many ticks from the next one on, as if it were put now; 0 = until it
 * is removed. */
CAIRN_API cairn_status cairn_obstacles_renew(cairn_obstacles *obstacles, cairn_obstacle obstacle,
                                             uint32_t ticks);

/* Removes an obstacle, or all of them. Their cells are free from the next tick on. */
CAIRN_API cairn_status cairn_obstacles_remove(cairn_obstacles *obstacles, cairn_obstacle obstacle);
CAIRN_API void cairn_obstacles_clear(cairn_obstacles *obstacles);

/* Lets a tick pass: ends obstacles whose time is over, and commits the grid with all edits that are
 * staged in it, your own included. So edits and obstacles of a frame make one version. If nothing
 * has changed there is no new one.
 * - CAIRN_OUT_OF_MEMORY: the tick has passed, but the grid is as it was, and your edits stay
 *   staged. The next tick makes up for it. */
CAIRN_API cairn_status cairn_obstacles_tick(cairn_obstacles *obstacles);

/* Return how many obstacles there are, and bytes of memory besides the grid's. */
CAIRN_API uint32_t cairn_obstacles_count(const cairn_obstacles *obstacles);
CAIRN_API size_t cairn_obstacles_bytes(const cairn_obstacles *obstacles);

/* Returns the committed state of a cell without what lies on it. Outside the grid: all 0. */
CAIRN_API cairn_cell_state cairn_obstacles_own_state(const cairn_obstacles *obstacles, int32_t x,
                                                     int32_t y);

#ifdef __cplusplus
}
#endif
#endif
