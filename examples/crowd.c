/* crowd.c: two hundred units that walk within one budget, and one that goes round them. Their
 * navigators share the searches of a pool, so that a unit keeps little more than its path.
 */
#include <cairn/cairn.h>
#include <math.h>
#include <stdio.h>

enum { UNITS = 200 };

static void start(cairn_space *space, cairn_planner *planner, cairn_navigator **units)
{
    uint64_t seed = 5;
    cairn_node from = 0, to;
    cairn_nearest_usable(space, 0, INFINITY, &from); /* the corner is a wall */
    for (int i = 0; i < UNITS; i++, from = to) {
        cairn_navigator_create(planner, NULL, &units[i]);
        cairn_random_reachable(space, from, &seed, &to);
        cairn_navigator_start(units[i], from, to);
    }
}

static void walk(cairn_navigator **units, int turns)
{
    cairn_turn turn = {.work = 2000}; /* units of work for all of them, in every turn */
    for (int i = 1; i <= turns; i++) {
        cairn_navigators_next(units, UNITS, &turn, NULL); /* or an array of moves */
        if (i % 30 == 1)
            printf("turn %2d: %3u walk, %3u think, %3u are there\n", i, turn.steps, turn.thinking,
                   turn.arrived);
    }
}

/* The cost of a path in straight steps, for a unit that knows where the others stand. */
static void cost(cairn_planner *planner, cairn_query query, const cairn_filter *others)
{
    cairn_search *search;
    const cairn_path *path;
    query.filter = others;
    cairn_search_create(planner, NULL, &search);
    cairn_search_find(search, &query, &path);
    double steps = (double)path->cost / cairn_space_scale(cairn_planner_space(planner)).straight;
    printf("%s by %s: %.1f steps\n", cairn_result_text(path->status), path->answered_by->name,
           steps);
    cairn_search_destroy(search);
}

int main(void)
{
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    cairn_navigator *units[UNITS];
    cairn_generator generator = cairn_generator_default(CAIRN_GENERATE_ROOMS);
    generator.width = generator.height = 80;
    cairn_context_create(NULL, &context);
    cairn_generate(context, &generator, &grid, NULL);
    cairn_space_of_grid(grid, NULL, &space, NULL);
    cairn_planner_create(space, "astar", &planner, NULL);
    start(space, planner, units);
    walk(units, 120);

    /* A stranger goes from one place to another. It takes it as long as five steps to push one of
     * the others aside. */
    cairn_planner *stranger;
    cairn_planner_create(space, "jps", &stranger, NULL);
    cairn_query query = {.from = cairn_navigator_at(units[0]), .to = cairn_navigator_at(units[7])};
    cairn_filter_cell cells[UNITS];
    uint32_t count = 0;
    for (int i = 0; i < UNITS; i++) {
        cairn_node at = cairn_navigator_at(units[i]);
        if (at != query.from && at != query.to)
            cells[count++] = (cairn_filter_cell){.node = at, .extra = 5 * 256};
    }
    cost(stranger, query, NULL);
    cost(stranger, query, &(cairn_filter){.cells = cells, .cell_count = count});

    for (int i = 0; i < UNITS; i++) cairn_navigator_destroy(units[i]);
    cairn_planner_destroy(stranger);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 * turn  1:   1 walk, 199 think,   0 are there
 * turn 31:  75 walk, 117 think,   8 are there
 * turn 61: 135 walk,  30 think,  37 are there
 * turn 91:  89 walk,   0 think, 115 are there
 * found by jps: 82.9 steps
 * found by astar: 83.7 steps
 */
