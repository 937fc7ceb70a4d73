/* fog.c: fog of war. A scout walks through a world of which it knows nothing. What it assumes is
 * free space; what it sees is written into a world of its own, in which it plans.
 */
#include <cairn/cairn.h>
#include <stdio.h>
#include <string.h>

static const char map[] = "..............\n"
                          ".###########..\n"
                          ".............#\n" /* the end of a bay ... */
                          ".............#\n"
                          ".############.\n"
                          "..............\n";

enum { RANGE = 2 };

/* What is known, and where the scout is. */
static void draw(const cairn_grid *known, cairn_node at)
{
    for (int y = 0; y < (int)cairn_grid_height(known); y++) {
        for (int x = 0; x < (int)cairn_grid_width(known); x++) {
            bool here = cairn_grid_node(known, x, y) == at;
            putchar(here ? 'S' : cairn_grid_is_open(known, x, y) ? '.' : '#');
        }
        putchar('\n');
    }
}

int main(void)
{
    cairn_context *context;
    cairn_grid *truth, *known;
    cairn_space *true_space, *known_space;
    cairn_planner *planner;
    cairn_navigator *scout;
    cairn_error error;
    cairn_context_create(NULL, &context);
    cairn_grid_from_text(context, map, strlen(map), &truth, NULL);
    cairn_space_of_grid(truth, NULL, &true_space, NULL);

    /* CAIRN_KNOW_ALL would be the map as it is now, which may change later. */
    cairn_grid_known(truth, CAIRN_KNOW_NOTHING, CAIRN_TERRAIN_GROUND, &known, NULL);
    cairn_space_of_grid(known, NULL, &known_space, NULL);
    cairn_planner_create(known_space, "dstar-lite", &planner, NULL);
    cairn_navigator_create(planner, NULL, &scout);
    if (cairn_navigator_set_sensor(scout, true_space, RANGE, &error) != CAIRN_OK)
        printf("no sensor: %s\n", error.text);

    cairn_navigator_start(scout, cairn_grid_node(truth, 2, 2), cairn_grid_node(truth, 13, 5));
    cairn_move move = {0};
    for (int turn = 1; turn < 100 && !move.arrived && move.kind != CAIRN_MOVE_STOP; turn++) {
        cairn_navigator_next(scout, &move);
        if (move.seen) {
            cairn_cell cell = cairn_grid_cell(truth, move.from);
            printf("turn %2d: at (%d,%d) it sees %d new things\n", turn, cell.x, cell.y,
                   (int)move.seen);
        }
    }
    draw(known, cairn_navigator_at(scout));
    cairn_walk_sums sums = cairn_navigator_sums(scout);
    printf("%d steps, %d cells were not as it thought\n", (int)sums.moves, (int)sums.seen);

    cairn_navigator_destroy(scout);
    cairn_planner_destroy(planner);
    cairn_space_destroy(known_space);
    cairn_space_destroy(true_space);
    cairn_grid_destroy(known);
    cairn_grid_destroy(truth);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 * turn  1: at (2,2) it sees 8 new things
 * turn  2: at (3,2) it sees 2 new things
 * turn  3: at (4,2) it sees 2 new things
 * turn  4: at (5,2) it sees 2 new things
 * turn  5: at (6,2) it sees 2 new things
 * turn  6: at (7,2) it sees 2 new things
 * turn  7: at (8,2) it sees 2 new things
 * turn  8: at (9,2) it sees 2 new things
 * turn  9: at (10,2) it sees 1 new things
 * turn 10: at (11,2) it sees 2 new things
 * ..............
 * .###########..
 * .............#
 * .............#
 * .############.
 * .............S
 * 35 steps, 25 cells were not as it thought
 */
