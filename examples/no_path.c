/* no_path.c: why is there no path? What the statuses mean, and what to ask next. */
#include <cairn/cairn.h>
#include <stdio.h>
#include <string.h>

static const char map[] = "....................\n"
                          ".....#........WWWWWW\n"
                          ".....#........WW..WW\n"
                          ".....#........WW..WW\n"
                          ".....#........WWWWWW\n"
                          "######..............\n"
                          "....................\n";

static void ask(cairn_grid *grid, const char *what, double radius, cairn_cell to, uint64_t max_work)
{
    static const char *const answers[] = {"no", "yes", "maybe"};
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    const cairn_path *path;
    cairn_profile profile = cairn_profile_default();
    profile.radius = radius;
    cairn_space_of_grid(grid, &profile, &space, NULL);
    cairn_planner_create(space, "astar", &planner, NULL);
    cairn_search_create(planner, NULL, &search);
    cairn_query query = {.from = cairn_grid_node(grid, 2, 3),
                         .to = cairn_grid_node(grid, to.x, to.y)};
    query.max_work = max_work;
    query.partial = true;
    cairn_search_find(search, &query, &path);
    printf("%s: %s; reachable? %s\n", what, cairn_result_text(path->status),
           answers[cairn_reachable(space, query.from, query.to)]);
    cairn_explanation why;
    cairn_explain(space, to.x, to.y, &why);
    if (why.reason != CAIRN_REASON_NONE) printf("    %s\n", why.text);
    if (path->partial) {
        cairn_cell end = cairn_grid_cell(grid, path->end);
        printf("    goes as far as (%d,%d), %.1f cells\n", end.x, end.y, path->length);
    }
    cairn_cell near;
    cairn_status status = cairn_nearest_reachable_cell(space, (cairn_cell){2, 3}, to, &near);
    if (status == CAIRN_OK && (near.x != to.x || near.y != to.y))
        printf("    the nearest cell that can be reached is (%d,%d)\n", near.x, near.y);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
}

int main(void)
{
    cairn_context *context;
    cairn_grid *grid;
    cairn_context_create(NULL, &context);
    cairn_grid_from_text(context, map, strlen(map), &grid, NULL);
    ask(grid, "behind the wall", 0.5, (cairn_cell){8, 3}, 0);
    ask(grid, "the same in haste", 0.5, (cairn_cell){8, 3}, 10);
    ask(grid, "the same for a giant", 1.5, (cairn_cell){8, 3}, 0);
    ask(grid, "a giant by the shore", 1.5, (cairn_cell){13, 3}, 0);
    ask(grid, "the wall", 0.5, (cairn_cell){5, 3}, 0);
    ask(grid, "the lake", 0.5, (cairn_cell){14, 2}, 0);
    ask(grid, "the island", 0.5, (cairn_cell){16, 2}, 0);
    ask(grid, "off the map", 0.5, (cairn_cell){16, 12}, 0);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 * behind the wall: found; reachable? yes
 * the same in haste: out of budget; reachable? yes
 *     goes as far as (4,3), 2.0 cells
 * the same for a giant: unreachable; reachable? no
 *     goes as far as (3,3), 1.0 cells
 *     the nearest cell that can be reached is (3,3)
 * a giant by the shore: blocked goal; reachable? no
 *     (13,3) is open, but the nearest forbidden cell (14,3) is 0.5 cells away and this agent needs 1.5.
 *     goes as far as (3,3), 1.0 cells
 *     the nearest cell that can be reached is (3,3)
 * the wall: blocked goal; reachable? no
 *     (5,3) is blocked.
 *     goes as far as (4,3), 2.0 cells
 *     the nearest cell that can be reached is (4,3)
 * the lake: blocked goal; reachable? no
 *     (14,2) is open, but it is water, which is forbidden to this agent.
 *     goes as far as (13,2), 13.7 cells
 *     the nearest cell that can be reached is (13,2)
 * the island: unreachable; reachable? no
 *     goes as far as (16,0), 15.8 cells
 *     the nearest cell that can be reached is (16,0)
 * off the map: out of bounds; reachable? no
 *     (16,12) lies outside the map of 20 x 7 cells.
 */
