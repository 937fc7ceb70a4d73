/* cells.h: for grids, variants by cell of functions that take nodes.
 *
 * A node of a grid is a cell, so each of these is a line that a game could write itself. A cell
 * outside the grid is no node, and on graphs there are no cells.
 */
#ifndef CAIRN_CELLS_H
#define CAIRN_CELLS_H

#include "path.h"
#include "planner.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the node of a cell, or CAIRN_NO_NODE. */
CAIRN_API cairn_node cairn_space_node(const cairn_space *space, cairn_cell cell);

/* Returns the cell of a node, or (-1, -1). */
CAIRN_API cairn_cell cairn_space_cell(const cairn_space *space, cairn_node node);

/* Finds a path between two cells, as cairn_search_find does with a query of these and defaults. */
CAIRN_API cairn_status cairn_search_find_cells(cairn_search *search, cairn_cell from, cairn_cell to,
                                               const cairn_path **path);

/* Finds the cost of a path between two cells, as cairn_distance does. */
CAIRN_API cairn_status cairn_distance_cells(cairn_search *search, cairn_cell from, cairn_cell to,
                                            cairn_cost *cost);

/* Returns whether a cell can be reached from another one, as cairn_reachable does. */
CAIRN_API cairn_reach cairn_reachable_cells(const cairn_space *space, cairn_cell from,
                                            cairn_cell to);

/* Finds the cell nearest to `to` that can be reached, as cairn_nearest_reachable does.
 *   - If there is none, *out is (-1, -1). */
CAIRN_API cairn_status cairn_nearest_reachable_cell(const cairn_space *space, cairn_cell from,
                                                    cairn_cell to, cairn_cell *out);

/* Finds the usable cell nearest to `cell`, as cairn_nearest_usable does.
 *   - If there is none, *out is (-1, -1). */
CAIRN_API cairn_status cairn_nearest_usable_cell(const cairn_space *space, cairn_cell cell,
                                                 double limit, cairn_cell *out);

/* Returns whether the agent can walk in a straight line between two cells, as cairn_raycast does.
 * - `last` (may be NULL) becomes the last cell that can be reached; (-1, -1) if there is none. */
CAIRN_API bool cairn_raycast_cells(const cairn_space *space, cairn_cell from, cairn_cell to,
                                   cairn_cell *last);

/* Returns the cell of the i-th turning point of a path; (-1, -1) past the end. */
CAIRN_API cairn_cell cairn_path_cell(const cairn_space *space, const cairn_path *path, uint32_t i);

/* Returns where the i-th turning point of a path lies, on any world; `i` must be less than
 * path->count. */
CAIRN_API cairn_position cairn_path_position(const cairn_space *space, const cairn_path *path,
                                             uint32_t i);

#ifdef __cplusplus
}
#endif
#endif
