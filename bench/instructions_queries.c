/* instructions_queries.c: runs the queries that bench/instructions counts. Loads a map, makes a
 * planner, warms it up, and then asks the first and every K-th problem of the scenario beside
 * the map, each by one call of cairn_search_find: the function whose instructions callgrind is
 * told to collect. Prints how many queries there were, and the sum of their costs in units, so
 * that a count is never compared with one of a different task.
 *
 *     instructions_queries MAP K ALGORITHM [STEPS]
 *
 * STEPS asks for the first piece of the path only (query.piece).
 */
#include <cairn/io.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *what, const cairn_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->text);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc > 5 || atoi(argv[2]) < 1) {
        fprintf(stderr, "usage: instructions_queries MAP K ALGORITHM [STEPS]\n");
        return 2;
    }
    char scenario_name[4096];
    snprintf(scenario_name, sizeof scenario_name, "%s.scen", argv[1]);
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    cairn_scenario scenario;
    cairn_error error = {0};
    if (cairn_context_create(NULL, &context)) return 1;
    if (cairn_grid_load(context, argv[1], &grid, &error)) return fail(argv[1], &error);
    if (cairn_scenario_load(context, scenario_name, &scenario, &error))
        return fail(scenario_name, &error);
    if (cairn_space_of_grid(grid, NULL, &space, &error)) return fail("space", &error);
    if (cairn_planner_create(space, argv[3], &planner, &error)) return fail(argv[3], &error);
    if (cairn_planner_build(planner, NULL, &error)) return fail(argv[3], &error);
    if (cairn_search_create(planner, NULL, &search)) return 1;

    uint64_t cost = 0, queries = 0, expanded = 0;
    uint32_t every = (uint32_t)atoi(argv[2]), piece = argc > 4 ? (uint32_t)atoi(argv[4]) : 0;
    for (uint32_t i = 0; i < scenario.count; i += every) {
        const cairn_problem *problem = &scenario.problems[i];
        cairn_query query = {.from = cairn_grid_node(grid, problem->from.x, problem->from.y),
                             .to = cairn_grid_node(grid, problem->to.x, problem->to.y),
                             .piece = piece};
        const cairn_path *path;
        if (cairn_search_find(search, &query, &path) == CAIRN_FOUND) cost += path->cost;
        expanded += cairn_search_metrics(search).expanded;
        queries++;
    }
    printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", queries, cost, expanded);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_scenario_free(context, &scenario);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}
