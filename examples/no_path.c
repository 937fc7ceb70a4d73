/* no_path.c: why is there no path? What each status means, and whom to ask for the reason. */
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

static void ask(cairn_search *search, const cairn_space *space, const char *what, cairn_cell to,
                uint64_t work)
{
    static const char *const reach[] = {"no", "yes", "maybe"};
    const cairn_grid *grid = cairn_space_grid(space);
    cairn_query query = {.from = cairn_grid_node(grid, 1, 3), .to = cairn_grid_node(grid, to.x, to.y)};
    query.max_work = work;
    query.partial = true;
    const cairn_path *path;
    cairn_search_find(search, &query, &path);
    printf("%s (%d,%d): %s", what, to.x, to.y, cairn_status_text(path->status));
    if (path->partial) {
        cairn_cell end = cairn_grid_cell(grid, path->end);
        printf("; part of the way, to (%d,%d)", end.x, end.y);
    }
    cairn_explanation why;
    cairn_explain(space, to.x, to.y, &why);
    printf("\n  reachable: %s; %s: %s\n", reach[cairn_reachable(space, query.from, query.to)],
           cairn_reason_text(why.reason), why.text);
    cairn_node near;
    if (path->status == CAIRN_UNREACHABLE &&
        cairn_nearest_reachable(space, query.from, query.to, &near) == CAIRN_OK) {
        cairn_cell cell = cairn_grid_cell(grid, near);
        printf("  as near as one can get: (%d,%d)\n", cell.x, cell.y);
    }
}

static void fault(void *user, cairn_node from, cairn_node to, const char *text)
{
    (void)user;
    printf("from %u to %u: %s\n", from, to, text);
}

int main(void)
{
    cairn_context *context;
    cairn_grid *grid;
    cairn_context_create(NULL, &context);
    cairn_grid_from_text(context, map, strlen(map), &grid, NULL);
    for (int size = 0; size < 2; size++) {
        cairn_space *space;
        cairn_planner *planner;
        cairn_search *search;
        cairn_profile profile = cairn_profile_default();
        profile.radius = size == 0 ? 0.5 : 1.5;
        cairn_space_of_grid(grid, &profile, &space, NULL);
        cairn_planner_create(space, "astar", &planner, NULL);
        cairn_search_create(planner, NULL, &search);
        if (size == 0) {
            ask(search, space, "behind the wall", (cairn_cell){8, 3}, 0);
            ask(search, space, "in haste", (cairn_cell){8, 3}, 10);
            ask(search, space, "the wall", (cairn_cell){5, 3}, 0);
            ask(search, space, "the lake", (cairn_cell){15, 2}, 0);
            ask(search, space, "the island", (cairn_cell){16, 2}, 0);
            ask(search, space, "the dark", (cairn_cell){16, 12}, 0);
        } else {
            ask(search, space, "a giant behind the wall", (cairn_cell){8, 3}, 0);
        }
        printf("faults of the space: %d\n", (int)cairn_space_validate(space, fault, NULL));
        cairn_search_destroy(search);
        cairn_planner_destroy(planner);
        cairn_space_destroy(space);
    }
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}
