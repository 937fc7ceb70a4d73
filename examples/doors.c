/* doors.c: doors that are cells. They open and close by commits; a guard asks before it searches,
 * and notices when the path it follows is no longer one.
 */
#include <cairn/cairn.h>
#include <stdio.h>
#include <string.h>

static const char map[] = "########################\n"
                          "#.........#............#\n"
                          "#......................#\n" /* a door at (10, 2) ... */
                          "#.........#............#\n"
                          "#.........#............#\n"
                          "#......................#\n" /* ... and a gate at (10, 5) */
                          "########################\n";

static void set_door(cairn_grid *grid, const char *name, int y, bool open)
{
    cairn_grid_set_open(grid, 10, y, open);
    cairn_grid_commit(grid);
    printf("the %s %s, version %d\n", name, open ? "opens" : "closes",
           (int)cairn_grid_version(grid));
}

static void plan(cairn_search *search, const cairn_space *space, const cairn_query *query,
                 cairn_owned_path *own)
{
    cairn_path_free(own);
    if (cairn_reachable(space, query->from, query->to) == CAIRN_REACH_NO) {
        printf("  no path at the moment, and no search was needed to know it\n");
        return;
    }
    const cairn_path *path;
    cairn_search_find(search, query, &path);
    /* `path` is the search's, `own` is ours. */
    cairn_path_copy(cairn_space_context(space), path, own);
    printf("  %s, length %.1f\n", cairn_result_text(own->path.status), own->path.length);
}

int main(void)
{
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    cairn_context_create(NULL, &context);
    cairn_grid_from_text(context, map, strlen(map), &grid, NULL);
    cairn_space_of_grid(grid, NULL, &space, NULL);
    cairn_planner_create(space, "astar", &planner, NULL);
    cairn_search_create(planner, NULL, &search);
    cairn_query query = {.from = cairn_grid_node(grid, 2, 2), .to = cairn_grid_node(grid, 20, 2)};
    cairn_owned_path own = {0};
    plan(search, space, &query, &own);

    set_door(grid, "door", 2, false);
    cairn_node from, to;
    if (!cairn_path_valid(space, &own.path, NULL, &from, &to)) {
        cairn_cell before = cairn_grid_cell(grid, from), behind = cairn_grid_cell(grid, to);
        printf("  cannot step from (%d,%d) to (%d,%d)\n", before.x, before.y, behind.x, behind.y);
        plan(search, space, &query, &own);
    }

    cairn_search_begin(search, &query);
    cairn_search_step(search, 5);
    set_door(grid, "gate", 5, false);
    printf("  the search in flight says: %s\n", cairn_status_text(cairn_search_step(search, 5)));
    printf("  tiles whose components were updated: %u\n", cairn_space_upkeep(space).tiles_updated);
    plan(search, space, &query, &own);

    set_door(grid, "door", 2, true);
    plan(search, space, &query, &own);

    cairn_path_free(&own);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 *   found, length 18.0
 * the door closes, version 2
 *   cannot step from (9,2) to (10,2)
 *   found, length 20.5
 * the gate closes, version 3
 *   the search in flight says: stale
 *   tiles whose components were updated: 1
 *   no path at the moment, and no search was needed to know it
 * the door opens, version 4
 *   found, length 18.0
 */
