/* within_reach.c: what a turn-based game asks: where can this unit go with its points, what
 * does each place cost, and which of three springs is nearest? One Dijkstra search answers the
 * first two for all cells at once, one search with several goals the third.
 */
#include <cairn/cairn.h>
#include <stdio.h>
#include <string.h>

static const char map[] = "..........\n"
                          "..SSSS....\n"
                          "..SSSS.##.\n"
                          ".......#..\n"
                          "..........\n";

static char picture[sizeof map];

static void mark(void *user, cairn_node node, cairn_cost cost)
{
    const cairn_scale *scale = user;
    picture[node / 10 * 11 + node % 10] = (char)('0' + cost / scale->straight);
}

int main(void)
{
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    cairn_profile profile = cairn_profile_default();
    profile.neighbours = CAIRN_NEIGHBOURS_4;
    profile.terrain_cost[CAIRN_TERRAIN_SWAMP] = CAIRN_TIMES(3); /* wading takes so much longer */
    cairn_context_create(NULL, &context);
    cairn_grid_from_text(context, map, strlen(map), &grid, NULL);
    cairn_space_of_grid(grid, &profile, &space, NULL);
    cairn_planner_create(space, "dijkstra", &planner, NULL);
    cairn_search_create(planner, NULL, &search);

    cairn_scale scale = cairn_space_scale(space);
    cairn_query reach = {.from = cairn_grid_node(grid, 1, 2),
                         .goal_kind = CAIRN_GOAL_NONE,
                         .max_cost = 5 * scale.straight};
    cairn_search_find(search, &reach, NULL);
    memcpy(picture, map, sizeof map);
    cairn_search_reached(search, mark, &scale);
    printf("%s", picture);

    cairn_node springs[3] = {cairn_grid_node(grid, 9, 0), cairn_grid_node(grid, 8, 3),
                             cairn_grid_node(grid, 6, 1)};
    cairn_query nearest = {.from = reach.from, .goals = springs, .goal_count = 3};
    const cairn_path *path;
    cairn_search_find(search, &nearest, &path);
    cairn_cell end = cairn_grid_cell(grid, path->end);
    printf("the nearest spring is at (%d,%d), %u steps away\n", end.x, end.y,
           path->cost / scale.straight);

    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 * 32345.....
 * 214SSS....
 * 103SSS.##.
 * 212345.#..
 * 32345.....
 * the nearest spring is at (6,1), 8 steps away
 */
