/* easy.c: a path in one call. Planner and search are made once and kept in the grid. */
#include "search/search.h"
#include "world/grid.h"

typedef struct easy_kit {
    cairn_context *context;
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
} easy_kit;

static void easy_destroy(void *pointer)
{
    easy_kit *kit = pointer;
    cairn_search_destroy(kit->search);
    cairn_planner_destroy(kit->planner);
    cairn_space_destroy(kit->space);
    crn_free(kit->context, kit, sizeof *kit);
}

static cairn_status easy_create(cairn_grid *grid, easy_kit **out)
{
    easy_kit *kit = crn_alloc_zero(grid->context, sizeof *kit);
    if (!kit) return CAIRN_OUT_OF_MEMORY;
    kit->context = grid->context;
    cairn_status status = cairn_space_of_grid(grid, NULL, &kit->space, NULL);
    if (status == CAIRN_OK) status = cairn_planner_create(kit->space, "astar", &kit->planner, NULL);
    if (status == CAIRN_OK) status = cairn_search_create(kit->planner, NULL, &kit->search);
    if (status != CAIRN_OK) {
        easy_destroy(kit);
        return status;
    }
    *out = kit;
    return CAIRN_OK;
}

cairn_status cairn_find_path(cairn_grid *grid, cairn_cell from, cairn_cell to,
                             cairn_owned_path *found)
{
    if (!grid || !found) return CAIRN_INVALID;
    *found = (cairn_owned_path){.path = {.end = CAIRN_NO_NODE, .cost = CAIRN_NO_COST}};
    easy_kit *kit = grid->easy;
    if (!kit) {
        cairn_status status = easy_create(grid, &kit);
        if (status != CAIRN_OK) return found->path.status = status;
        grid->easy = kit;
        grid->easy_destroy = easy_destroy;
    }
    cairn_query query = {.from = cairn_grid_node(grid, from.x, from.y),
                         .to = cairn_grid_node(grid, to.x, to.y)};
    const cairn_path *view;
    cairn_search_find(kit->search, &query, &view);
    cairn_status status = cairn_path_copy(grid->context, view, found);
    return status == CAIRN_OK ? found->path.status : status;
}
