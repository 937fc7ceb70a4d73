/* temporary.c: doors of a graph of waypoints, and obstacles that only one search knows of: a
 * view. */
#include <cairn/cairn.h>
#include <stdio.h>
#include <string.h>

static void tell(cairn_search *search, const char *what, cairn_node from, cairn_node to)
{
    const cairn_path *path;
    cairn_status status = cairn_search_find(search, &(cairn_query){.from = from, .to = to}, &path);
    printf("%s: %s", what, cairn_result_text(status));
    if (status == CAIRN_FOUND) printf(", cost %u", (unsigned)path->cost);
    printf("\n");
}

/* Four rooms in a square; the door between the first and the second is the short path. */
static void doors_of_a_graph(cairn_context *context)
{
    enum { HALL, KITCHEN, CELLAR, GARDEN, ROOMS };
    const cairn_graph_edge doors[] = {
        {HALL, KITCHEN, 10}, {KITCHEN, CELLAR, 10}, {HALL, GARDEN, 30}, {GARDEN, CELLAR, 30}};
    cairn_graph_options options = {
        .node_count = ROOMS, .edge_count = 4, .edges = doors, .both_ways = true};
    cairn_graph *graph;
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    cairn_graph_create(context, &options, &graph, NULL);
    cairn_space_of_graph(graph, &space, NULL);
    cairn_planner_create(space, "astar", &planner, NULL);
    cairn_search_create(planner, NULL, &search);
    tell(search, "to the cellar", HALL, CELLAR);

    cairn_graph_set_edge_open(graph, HALL, KITCHEN, false); /* one way only: back it still opens */
    cairn_graph_commit(graph);
    tell(search, "the kitchen is locked", HALL, CELLAR);
    tell(search, "and back", CELLAR, HALL);

    cairn_graph_set_node_open(graph, GARDEN, false); /* a flood: nobody can be there */
    cairn_graph_commit(graph);
    tell(search, "the garden is flooded", HALL, CELLAR);

    cairn_graph_set_edge_open(graph, HALL, KITCHEN, true);
    cairn_graph_set_weight(graph, HALL, KITCHEN, 25); /* it sticks */
    cairn_graph_commit(graph);
    tell(search, "the kitchen is open", HALL, CELLAR);

    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);
}

static const char map[] = "............\n"
                          ".....#......\n"
                          ".....#......\n"
                          ".....#......\n"
                          "............\n";

static void obstacles_of_one_agent(cairn_context *context)
{
    cairn_grid *grid;
    cairn_space *space, *view;
    cairn_planner *planner;
    cairn_search *search;
    cairn_grid_from_text(context, map, strlen(map), &grid, NULL);
    cairn_space_of_grid(grid, NULL, &space, NULL);
    cairn_space_view_create(space, &view, NULL); /* nothing is copied */
    cairn_planner_create(view, "astar", &planner, NULL);
    cairn_search_create(planner, NULL, &search);
    cairn_node from = cairn_grid_node(grid, 0, 2), to = cairn_grid_node(grid, 11, 2);
    tell(search, "across the yard", from, to);

    /* the agent sees a cart here ... */
    cairn_view_block(view, cairn_grid_node(grid, 5, 0));
    cairn_view_cost(view, cairn_grid_node(grid, 5, 4), 8 * 256); /* ... and smells smoke there */
    tell(search, "a cart and smoke", from, to);
    printf("others may stand where the cart is: %s\n",
           cairn_space_usable(space, cairn_grid_node(grid, 5, 0)) ? "yes" : "no");

    cairn_view_open(view, cairn_grid_node(grid, 5, 2)); /* what if it broke the wall? */
    tell(search, "through the wall", from, to);

    cairn_view_clear(view);
    tell(search, "all gone", from, to);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(view);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

int main(void)
{
    cairn_context *context;
    cairn_context_create(NULL, &context);
    doors_of_a_graph(context);
    obstacles_of_one_agent(context);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 * to the cellar: found, cost 20
 * the kitchen is locked: found, cost 60
 * and back: found, cost 20
 * the garden is flooded: unreachable
 * the kitchen is open: found, cost 35
 * across the yard: found, cost 72663
 * a cart and smoke: found, cost 118591
 * others may stand where the cart is: yes
 * through the wall: found, cost 63151
 * all gone: found, cost 72663
 */
