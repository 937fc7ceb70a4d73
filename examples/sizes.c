/* sizes.c: four kinds of units of different size on one map: a space for each, one world for
 * all. */
#include <cairn/cairn.h>
#include <stdio.h>
#include <string.h>

static const char map[] = "..............##..............\n"
                          "..............##..............\n"
                          "..............................\n"
                          "..............##..............\n"
                          "..............##..............\n"
                          "..............##..............\n"
                          "..............................\n"
                          "..............................\n"
                          "..............##..............\n"
                          "..............##..............\n"
                          "..............##..............\n"
                          "..............................\n"
                          "..............................\n"
                          "..............................\n"
                          "..............##..............\n"
                          "..............##..............\n";

typedef struct unit {
    const char *name;
    double radius;
    uint32_t footprint;
    cairn_space *space;
} unit;

static void travel(cairn_grid *grid, const unit *who)
{
    cairn_planner *planner;
    cairn_search *search;
    const cairn_path *path;
    cairn_planner_create(who->space, "astar", &planner, NULL);
    cairn_search_create(planner, NULL, &search);
    cairn_query query = {.from = cairn_grid_node(grid, 4, 4), .to = cairn_grid_node(grid, 25, 4)};
    cairn_search_find(search, &query, &path);
    printf("%-6s %s", who->name, cairn_result_text(path->status));
    cairn_path_iterator it = cairn_path_begin(who->space, path);
    for (cairn_node n; (n = cairn_path_next(&it)) != CAIRN_NO_NODE;) {
        cairn_cell cell = cairn_grid_cell(grid, n);
        if (cell.x == 14) printf(", length %.1f, through the gap in row %d", path->length, cell.y);
    }
    printf("\n");
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
}

int main(void)
{
    unit units[] = {{"imp", 0.5, 0, NULL},
                    {"troll", 1.5, 0, NULL},
                    {"dragon", 3, 0, NULL},
                    {"wagon", 0, 2, NULL}};
    cairn_context *context;
    cairn_grid *grid;
    cairn_context_create(NULL, &context);
    cairn_grid_from_text(context, map, strlen(map), &grid, NULL);
    for (int i = 0; i < 4; i++) {
        cairn_profile profile = cairn_profile_default();
        profile.radius = units[i].radius;
        profile.footprint = units[i].footprint;
        cairn_space_of_grid(grid, &profile, &units[i].space, NULL);
        travel(grid, &units[i]);
    }
    for (int y = 2; y <= 12; y += 5) {
        cairn_node gap = cairn_grid_node(grid, 14, y);
        printf("clearance in row %d: %g\n", y, cairn_space_clearance(units[0].space, gap));
    }
    for (int y = 3; y <= 10; y++) {
        cairn_grid_set_open(grid, 14, y, true);
        cairn_grid_set_open(grid, 15, y, true);
    }
    cairn_grid_commit(grid);
    printf("the middle of the wall falls\n");
    for (int i = 0; i < 4; i++) travel(grid, &units[i]);
    for (int i = 0; i < 4; i++) cairn_space_destroy(units[i].space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 * imp    found, length 22.7, through the gap in row 2
 * troll  found, length 27.6, through the gap in row 12
 * dragon unreachable
 * wagon  found, length 22.7, through the gap in row 6
 * clearance in row 2: 0.5
 * clearance in row 7: 0.5
 * clearance in row 12: 1.5
 * the middle of the wall falls
 * imp    found, length 21.0, through the gap in row 4
 * troll  found, length 21.0, through the gap in row 4
 * dragon found, length 21.8, through the gap in row 5
 * wagon  found, length 21.0, through the gap in row 4
 */
