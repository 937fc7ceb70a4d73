/* walking.c: a guard walks while doors close and open. A navigator tells it every turn what to do:
 * it goes on, thinks, stops when no path is left, and goes on by itself when there is one again.
 */
#include <cairn/cairn.h>
#include <stdio.h>
#include <string.h>

static const char map[] = "################\n"
                          "#......#.......#\n"
                          "#..............#\n" /* a door at (7, 2) ... */
                          "#......#.......#\n"
                          "#......#.......#\n"
                          "#..............#\n" /* ... and a gate at (7, 5) */
                          "################\n";

static void set(cairn_grid *grid, int y, bool open)
{
    cairn_grid_set_open(grid, 7, y, open);
    cairn_grid_commit(grid);
    printf("        the %s %s\n", y == 2 ? "door" : "gate", open ? "opens" : "closes");
}

/* What happens before a turn. */
static void events(cairn_grid *grid, int turn)
{
    if (turn == 3) set(grid, 2, false);
    if (turn == 5) set(grid, 5, false);
    if (turn == 8) set(grid, 2, true);
}

static void tell(const cairn_grid *grid, int turn, const cairn_move *move)
{
    cairn_cell cell = cairn_grid_cell(grid, move->to);
    printf("%2d: %-7s (%2d,%d)", turn, cairn_move_name(move->kind), cell.x, cell.y);
    if (move->kind == CAIRN_MOVE_STOP) printf(" %s", cairn_result_text(move->status));
    if (move->broken) printf(", the path is broken");
    if (move->plans) printf(", planned");
    if (move->arrived) printf(", there");
    printf("\n");
}

int main(void)
{
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    cairn_navigator *navigator;
    cairn_context_create(NULL, &context);
    cairn_grid_from_text(context, map, strlen(map), &grid, NULL);
    cairn_space_of_grid(grid, NULL, &space, NULL);
    cairn_planner_create(space, "astar", &planner, NULL);
    cairn_navigator_options options = cairn_navigator_defaults();
    options.work = 1000; /* units of planning a turn, at most; the rest is done in the next one */
    cairn_navigator_create(planner, &options, &navigator);
    cairn_navigator_start(navigator, cairn_grid_node(grid, 2, 2), cairn_grid_node(grid, 11, 2));

    cairn_move move = {0};
    for (int turn = 1; turn < 30 && !move.arrived; turn++) {
        events(grid, turn);
        cairn_navigator_next(navigator, &move);
        tell(grid, turn, &move);
    }
    cairn_walk_sums sums = cairn_navigator_sums(navigator);
    printf("%d steps, %d plans, at most %d units of work in a turn\n", (int)sums.moves,
           (int)sums.plans, (int)sums.most_work);

    cairn_navigator_destroy(navigator);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 *  1: step    ( 3,2), planned
 *  2: step    ( 4,2)
 *         the door closes
 *  3: step    ( 5,3), the path is broken, planned
 *  4: step    ( 6,4)
 *         the gate closes
 *  5: stop    ( 6,4) unreachable, the path is broken
 *  6: stop    ( 6,4) unreachable
 *  7: stop    ( 6,4) unreachable
 *         the door opens
 *  8: step    ( 6,3), planned
 *  9: step    ( 6,2)
 * 10: step    ( 7,2)
 * 11: step    ( 8,2)
 * 12: step    ( 9,2)
 * 13: step    (10,2)
 * 14: step    (11,2), there
 * 11 steps, 3 plans, at most 22 units of work in a turn
 */
