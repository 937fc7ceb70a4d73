/* frame_budget.c: a search that never takes more than its share of a frame, in a world that
 * changes. The search is stepped by 40 units of work a frame; when a door closes while it runs
 * it says so ("stale") and is simply asked again.
 */
#include <cairn/cairn.h>
#include <stdio.h>

enum { WIDTH = 48, HEIGHT = 24, WALL = 24, DOOR = 2, GATE = 21 };

/* A wall with a door at the top and a gate at the bottom. */
static void build(cairn_grid *grid)
{
    for (int y = 0; y < HEIGHT; y++) cairn_grid_set_open(grid, WALL, y, y == DOOR || y == GATE);
    cairn_grid_commit(grid);
}

int main(void)
{
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    cairn_grid_options options = {.width = WIDTH, .height = HEIGHT};
    cairn_context_create(NULL, &context);
    cairn_grid_create(context, &options, &grid, NULL);
    cairn_space_of_grid(grid, NULL, &space, NULL);
    cairn_planner_create(space, "astar", &planner, NULL);
    cairn_search_create(planner, NULL, &search);
    build(grid);

    cairn_query query = {.from = cairn_grid_node(grid, 3, 3), .to = cairn_grid_node(grid, 44, 3)};
    cairn_status status = cairn_search_begin(search, &query);
    for (int frame = 1; frame <= 100; frame++) {
        if (frame == 2) {
            cairn_grid_set_open(grid, WALL, DOOR, false);
            cairn_grid_commit(grid);
        }
        status = cairn_search_step(search, 40);
        if (status == CAIRN_STALE) {
            printf("frame %d: the world changed, asking again\n", frame);
            status = cairn_search_begin(search, &query);
        }
        if (status != CAIRN_RUNNING) {
            const cairn_path *path;
            cairn_search_result(search, &path);
            printf("frame %d: %s, length %.2f, %u turning points\n", frame,
                   cairn_result_text(status), path->length, path->count);
            break;
        }
    }
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return status == CAIRN_FOUND ? 0 : 1;
}

/* Output:
 * frame 2: the world changed, asking again
 * frame 14: found, length 55.91, 5 turning points
 */
