/* cells.c: for grids, variants by cell of functions that take nodes. See cells.h. */
#include "search/search.h"
#include <cairn/cells.h>

static const cairn_cell cells_none = {-1, -1};

cairn_node cairn_space_node(const cairn_space *space, cairn_cell cell)
{
    const cairn_grid *grid = cairn_space_grid(space);
    return grid ? cairn_grid_node(grid, cell.x, cell.y) : CAIRN_NO_NODE;
}

cairn_cell cairn_space_cell(const cairn_space *space, cairn_node node)
{
    const cairn_grid *grid = cairn_space_grid(space);
    return grid ? cairn_grid_cell(grid, node) : cells_none;
}

cairn_status cairn_search_find_cells(cairn_search *search, cairn_cell from, cairn_cell to,
                                     const cairn_path **path)
{
    if (!search) return CAIRN_INVALID;
    cairn_query query = {.from = cairn_space_node(search->space, from),
                         .to = cairn_space_node(search->space, to)};
    return cairn_search_find(search, &query, path);
}

cairn_status cairn_distance_cells(cairn_search *search, cairn_cell from, cairn_cell to,
                                  cairn_cost *cost)
{
    if (!search) return CAIRN_INVALID;
    const cairn_space *space = search->space;
    return cairn_distance(search, cairn_space_node(space, from), cairn_space_node(space, to), cost);
}

cairn_reach cairn_reachable_cells(const cairn_space *space, cairn_cell from, cairn_cell to)
{
    return cairn_reachable(space, cairn_space_node(space, from), cairn_space_node(space, to));
}

cairn_status cairn_nearest_reachable_cell(const cairn_space *space, cairn_cell from, cairn_cell to,
                                          cairn_cell *out)
{
    if (!space || !out) return CAIRN_INVALID;
    cairn_node node;
    cairn_status status = cairn_nearest_reachable(space, cairn_space_node(space, from),
                                                  cairn_space_node(space, to), &node);
    *out = status ? cells_none : cairn_space_cell(space, node);
    return status;
}

cairn_status cairn_nearest_usable_cell(const cairn_space *space, cairn_cell cell, double limit,
                                       cairn_cell *out)
{
    if (!space || !out) return CAIRN_INVALID;
    cairn_node node;
    cairn_status status = cairn_nearest_usable(space, cairn_space_node(space, cell), limit, &node);
    *out = status ? cells_none : cairn_space_cell(space, node);
    return status;
}

bool cairn_raycast_cells(const cairn_space *space, cairn_cell from, cairn_cell to, cairn_cell *last)
{
    cairn_node node;
    bool clear = cairn_raycast(space, cairn_space_node(space, from), cairn_space_node(space, to),
                               last ? &node : NULL);
    if (last) *last = cairn_space_cell(space, node);
    return clear;
}

cairn_cell cairn_path_cell(const cairn_space *space, const cairn_path *path, uint32_t i)
{
    return i < path->count ? cairn_space_cell(space, path->nodes[i]) : cells_none;
}

cairn_position cairn_path_position(const cairn_space *space, const cairn_path *path, uint32_t i)
{
    return cairn_space_position(space, path->nodes[i]);
}
