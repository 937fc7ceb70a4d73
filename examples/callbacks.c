/* callbacks.c: the game keeps its world itself; the library asks functions for it. A tower of three
 * floors: steps on each of them, and stairs between them. */
#include <cairn/cairn.h>
#include <stdio.h>

enum { WIDTH = 8, HEIGHT = 3, FLOORS = 3, STEP = 100, STAIRS = 250 };

/* '<' are stairs that lead up, '>' the floor where they arrive. */
static const char *const tower[FLOORS][HEIGHT] = {
    {"....#...", "..#.#..<", "..#....."},
    {"<...#...", "..#.#..>", "..#....."},
    {">.......", "........", "........"},
};

static bool tower_open(int x, int y, int floor)
{
    return x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT && tower[floor][y][x] != '#';
}

/* A node is a number that we choose. */
static cairn_node tower_node(int x, int y, int floor)
{
    return (cairn_node)((floor * HEIGHT + y) * WIDTH + x);
}

static cairn_position tower_position(void *user, cairn_node node)
{
    (void)user;
    uint32_t row = node / WIDTH;
    return (cairn_position){node % WIDTH, row % HEIGHT, row / HEIGHT};
}

static uint32_t tower_neighbours(void *user, cairn_node node, cairn_edge *out)
{
    static const int steps[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    cairn_position at = tower_position(user, node);
    int x = (int)at.x, y = (int)at.y, floor = (int)at.z;
    uint32_t count = 0;
    for (int i = 0; i < 4; i++) {
        if (tower_open(x + steps[i][0], y + steps[i][1], floor))
            out[count++] = (cairn_edge){tower_node(x + steps[i][0], y + steps[i][1], floor), STEP};
    }
    char here = tower[floor][y][x];
    if (here == '<') out[count++] = (cairn_edge){tower_node(x, y, floor + 1), STAIRS};
    if (here == '>') out[count++] = (cairn_edge){tower_node(x, y, floor - 1), STAIRS};
    return count;
}

int main(void)
{
    cairn_callbacks world = {
        .node_count = WIDTH * HEIGHT * FLOORS,
        .neighbours = tower_neighbours,
        .position = tower_position,
        .estimate = STEP, /* nothing is cheaper than this for its distance */
        .metric = CAIRN_HEURISTIC_MANHATTAN,
        .symmetric = true,
        .unit = STEP, /* lengths count steps */
    };
    cairn_context *context;
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    const cairn_path *path;
    cairn_context_create(NULL, &context);
    cairn_space_of_callbacks(context, &world, &space, NULL);
    cairn_planner_create(space, "astar", &planner, NULL);
    cairn_search_create(planner, NULL, &search);

    cairn_query query = {.from = tower_node(0, 2, 0), .to = tower_node(7, 2, 2)};
    cairn_search_find(search, &query, &path);
    printf("%s, cost %u, length %.1f\n", cairn_result_text(path->status), path->cost, path->length);
    for (uint32_t i = 1; i < path->count; i++) {
        cairn_position at = tower_position(NULL, path->nodes[i - 1]);
        if (tower_position(NULL, path->nodes[i]).z > at.z)
            printf("up the stairs at (%g,%g) of floor %g\n", at.x, at.y, at.z);
    }
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 * found, cost 3600, length 36.0
 * up the stairs at (7,1) of floor 0
 * up the stairs at (0,0) of floor 1
 */
