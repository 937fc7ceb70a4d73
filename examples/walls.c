/* walls.c: a path that keeps away from walls where there is room, and one with as few turns as
 * possible. */
#include <cairn/cairn.h>
#include <stdio.h>
#include <string.h>

static const char map[] = "..............................\n"
                          "..............................\n"
                          "..............................\n"
                          "........######................\n"
                          "........######......####......\n"
                          "........######......####......\n"
                          "....................####......\n"
                          "..............................\n"
                          "..............................\n"
                          "..............................\n";

static void travel(cairn_space *space, const char *algorithm, const char *who)
{
    cairn_planner *planner;
    cairn_search *search;
    const cairn_path *path;
    const cairn_grid *grid = cairn_space_grid(space);
    cairn_planner_create(space, algorithm, &planner, NULL);
    cairn_search_create(planner, NULL, &search);
    cairn_query query = {.from = cairn_grid_node(grid, 3, 4), .to = cairn_grid_node(grid, 26, 5)};
    cairn_search_find(search, &query, &path);
    uint32_t beside = 0;
    cairn_path_iterator it = cairn_path_begin(space, path);
    for (cairn_node n; (n = cairn_path_next(&it)) != CAIRN_NO_NODE;)
        beside += cairn_space_clearance(space, n) < 1.5;
    printf("%-13s length %.1f, %u turns, %u cells near walls\n", who, path->length, path->count - 2,
           beside);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
}

int main(void)
{
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_context_create(NULL, &context);
    cairn_grid_from_text(context, map, strlen(map), &grid, NULL);
    cairn_profile profile = cairn_profile_default();
    profile.layer_weight = 16; /* a unit of the extra layer is a 16th of a step */
    cairn_space_of_grid(grid, &profile, &space, NULL);

    travel(space, "astar", "shortest");
    travel(space, "astar:turns=fewest", "fewest turns");

    cairn_walls walls = {.range = 3, .cost = 32}; /* beside a wall two steps more */
    cairn_space_stage_walls(space, &walls);
    cairn_grid_commit(grid);
    travel(space, "astar", "at a distance");

    /* A wall is built. Only cells near it get other costs. */
    walls.since = cairn_grid_version(grid);
    for (int x = 15; x < 20; x++) cairn_grid_set_open(grid, x, 8, false);
    cairn_grid_commit(grid);
    cairn_space_stage_walls(space, &walls);
    cairn_grid_commit(grid);
    travel(space, "astar", "a wall more");

    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 * shortest      length 25.1, 4 turns, 14 cells near walls
 * fewest turns  length 25.1, 2 turns, 9 cells near walls
 * at a distance length 25.9, 4 turns, 1 cells near walls
 * a wall more   length 25.9, 5 turns, 1 cells near walls
 */
