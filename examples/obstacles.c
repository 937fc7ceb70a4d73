/* obstacles.c: what stands in the way for a while. A cart blocks a lane and drives on, a crowd makes
 * a square slow, and a wall that is built under the cart stays when the cart is gone.
 */
#include <cairn/cairn.h>
#include <stdio.h>
#include <string.h>

static const char map[] = "..............\n"
                          ".####.#.#####.\n"
                          ".####.#.#####.\n"
                          "..............\n";

typedef struct town {
    cairn_grid *grid;
    cairn_search *search;
    cairn_obstacles *obstacles;
    int frame;
} town;

static void run_frames(town *t, int count)
{
    for (int i = 0; i < count; i++, t->frame++)
        cairn_obstacles_tick(t->obstacles); /* once a frame: one commit for all changes, or none */
}

static void tell(const town *t, const char *what)
{
    const cairn_path *path;
    cairn_query query = {.from = cairn_grid_node(t->grid, 3, 0),
                         .to = cairn_grid_node(t->grid, 3, 3)};
    cairn_search_find(t->search, &query, &path);
    printf("frame %3d, version %u: %s: %s, length %.1f\n", t->frame,
           (unsigned)cairn_grid_version(t->grid), what, cairn_result_text(path->status),
           path->length);
}

/* A closed cell that ends by itself, unless it is told that the cart still stands there. */
static void drive_a_cart(town *t)
{
    cairn_obstacle_options options = {.x = 5, .y = 1, .height = 2, .ticks = 60};
    cairn_obstacle cart;
    cairn_obstacles_put(t->obstacles, &options, &cart);
    run_frames(t, 1);
    tell(t, "a cart in the lane");

    cairn_obstacles_move(t->obstacles, cart, 7, 1);
    run_frames(t, 1);
    tell(t, "in the next one");

    cairn_grid_set_open(t->grid, 7, 1, false); /* somebody builds a wall under it */
    run_frames(t, 30);
    cairn_obstacles_renew(t->obstacles, cart, 60);
    run_frames(t, 59);
    printf("the wall is there: %s\n",
           cairn_obstacles_own_state(t->obstacles, 7, 1).open ? "no" : "yes");
    run_frames(t, 2);
    printf("frame %3d: %u obstacles, (7,1) is %s, (7,2) is %s\n", t->frame,
           (unsigned)cairn_obstacles_count(t->obstacles),
           cairn_grid_is_open(t->grid, 7, 1) ? "open" : "closed",
           cairn_grid_is_open(t->grid, 7, 2) ? "open" : "closed");
}

/* Others in the way do not close a cell: they make it slow. What they cost adds up. */
static void gather_a_crowd(town *t)
{
    for (int i = 0; i < 4; i++) {
        cairn_obstacle_options options = {.x = 5, .y = 1, .cost = 1, .ticks = 20};
        cairn_obstacle waiting;
        cairn_obstacles_put(t->obstacles, &options, &waiting);
        run_frames(t, 1);
        tell(t, "one more waits in the lane");
    }
    run_frames(t, 20);
    tell(t, "all are gone");
}

int main(void)
{
    town t = {0};
    cairn_context *context;
    cairn_space *space;
    cairn_planner *planner;
    cairn_profile profile = cairn_profile_default();
    profile.layer_weight = 256; /* a unit of cost is a step */
    cairn_context_create(NULL, &context);
    cairn_grid_from_text(context, map, strlen(map), &t.grid, NULL);
    cairn_space_of_grid(t.grid, &profile, &space, NULL);
    cairn_planner_create(space, "astar", &planner, NULL);
    cairn_search_create(planner, NULL, &t.search);
    cairn_obstacles_create(t.grid, &t.obstacles);
    tell(&t, "nobody is there");
    drive_a_cart(&t);
    gather_a_crowd(&t);
    cairn_obstacles_destroy(t.obstacles);
    cairn_search_destroy(t.search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(t.grid);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 * frame   0, version 1: nobody is there: found, length 7.0
 * frame   1, version 2: a cart in the lane: found, length 9.0
 * frame   2, version 3: in the next one: found, length 7.0
 * the wall is there: yes
 * frame  93: 0 obstacles, (7,1) is closed, (7,2) is open
 * frame  94, version 5: one more waits in the lane: found, length 7.0
 * frame  95, version 6: one more waits in the lane: found, length 7.0
 * frame  96, version 7: one more waits in the lane: found, length 9.0
 * frame  97, version 8: one more waits in the lane: found, length 9.0
 * frame 117, version 12: all are gone: found, length 7.0
 */
