/* own_world.c: a game's own tiles as a grid: terrain, danger and heights, priced for each kind of
 * unit. */
#include <cairn/cairn.h>
#include <stdio.h>
#include <string.h>

/* What the game has: heights 1 to 3, f: forest, =: a road, !: tiles that the tower T can shoot
 * at. */
static const char world[] = "=====ff====333=========!!T!!========\n"
                            ".....ff....333..........!!!.........\n"
                            "..........12321.....................\n";
enum { WIDTH = 36, HEIGHT = 3, PITCH = WIDTH + 1, SIZE = PITCH * HEIGHT };
enum { GRASS = CAIRN_TERRAIN_FREE, ROAD, FOREST }; /* terrain classes of our own */

typedef struct tile {
    uint8_t wall, terrain, danger;
    int16_t height;
} tile;

static tile game_tile(char c)
{
    uint8_t terrain = c == 'f' ? FOREST : c == '=' ? ROAD : GRASS;
    return (tile){c == 'T', terrain, c == '!', (int16_t)(c >= '1' && c <= '3' ? c - '0' : 0)};
}

static void travel(cairn_grid *grid, const char *who, const cairn_profile *profile)
{
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    const cairn_path *path;
    cairn_space_of_grid(grid, profile, &space, NULL);
    cairn_planner_create(space, "astar", &planner, NULL);
    cairn_search_create(planner, NULL, &search);
    cairn_query query = {.by_position = CAIRN_FROM_POSITION | CAIRN_TO_POSITION,
                         .from_position = {.x = -35.5, .y = 100.2},
                         .to_position = {.x = 34, .y = 101}};
    cairn_search_find(search, &query, &path);
    char picture[sizeof world];
    memcpy(picture, world, sizeof world);
    cairn_path_iterator it = cairn_path_begin(space, path);
    for (cairn_node n; (n = cairn_path_next(&it)) != CAIRN_NO_NODE;)
        picture[n / WIDTH * PITCH + n % WIDTH] = '*';
    printf("%s, %s:", who, cairn_result_text(path->status));
    for (uint32_t i = 0; i < path->count; i++) {
        cairn_position point = cairn_grid_position(grid, path->nodes[i]);
        printf(" (%g,%g)", point.x, point.y);
    }
    printf("\n%s", picture);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
}

int main(void)
{
    static uint8_t open[SIZE], terrain[SIZE], danger[SIZE];
    static int16_t height[SIZE];
    for (int i = 0; i < SIZE; i++) {
        tile t = game_tile(world[i]);
        open[i] = !t.wall, terrain[i] = t.terrain, danger[i] = t.danger, height[i] = t.height;
    }
    cairn_grid_options options = {.width = WIDTH, .height = HEIGHT, .stride = PITCH};
    options.open = open, options.terrain = terrain, options.layer = danger,
    options.elevation = height;
    options.origin = (cairn_position){.x = -36, .y = 100}; /* where cell (0, 0) begins ... */
    options.cell_size = 2;                                 /* ... and how wide it is, in metres */
    cairn_context *context;
    cairn_grid *grid;
    cairn_context_create(NULL, &context);
    cairn_grid_create(context, &options, &grid, NULL);

    cairn_profile scout = cairn_profile_default();
    scout.terrain_cost[GRASS] = CAIRN_TIMES(2); /* what a step costs on the road */
    scout.terrain_cost[FOREST] = CAIRN_TIMES(3);
    scout.gradient = 256; /* a metre up costs one more step */
    travel(grid, "scout", &scout);
    cairn_profile cart = scout;
    cart.terrain_cost[FOREST] = 0; /* impassable */
    cart.max_climb = cart.max_drop = 1;
    travel(grid, "cart", &cart);
    cairn_profile coward = scout;
    coward.layer_weight = 4 * 256; /* a unit of danger is worth four steps */
    travel(grid, "coward", &coward);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 * scout, found: (-35,101) (11,101) (13,103) (19,103) (21,101) (35,101)
 * ************************!T!!********
 * .....ff....333..........****........
 * ..........12321.....................
 * cart, found: (-35,101) (-31,101) (-27,105) (-7,105) (-3,101) (11,101) (13,103) (19,103) (21,101) (35,101)
 * ***==ff====333==********!T!!********
 * ...*.ff....333.*........****........
 * ....***********.....................
 * coward, found: (-35,101) (9,101) (13,105) (17,105) (21,101) (35,101)
 * ***********************!!T!!********
 * .....ff....333.........*!!!*........
 * ..........12321.........***.........
 */
