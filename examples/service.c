/* service.c: paths for many units, a little work in each frame. Two kinds of units share one
 * service. A unit that the player has just selected asks with a higher priority and is answered
 * first; five units that stand together and go to the same place share one search.
 */
#include <cairn/cairn.h>
#include <stdio.h>
#include <string.h>

enum { UNITS = 8 };

static const char map[] = "................................\n"
                          ".##############################.\n"
                          ".#............................#.\n"
                          ".#.##########################.#.\n"
                          ".#.#........................#.#.\n"
                          ".#.#.######################.#.#.\n"
                          ".#...#......................#...\n"
                          "................................\n"
                          "................................\n";

/* Called by cairn_service_update. */
static void tell(void *user, cairn_ticket ticket, const cairn_path *path)
{
    const char *name = user;
    (void)ticket;
    printf("  %s: %s, length %.1f\n", name, cairn_result_text(path->status), path->length);
}

int main(void)
{
    static char *const names[UNITS] = {"scout",  "unit 1", "unit 2", "unit 3",
                                       "unit 4", "unit 5", "tank",   "hero"};
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space, *wide;
    cairn_planner *scouts, *tanks;
    cairn_service *service;
    uint32_t on_foot, on_tracks;
    cairn_profile profile = cairn_profile_default();
    cairn_context_create(NULL, &context);
    cairn_grid_from_text(context, map, strlen(map), &grid, NULL);
    cairn_space_of_grid(grid, &profile, &space, NULL);
    profile.footprint = 2;
    cairn_space_of_grid(grid, &profile, &wide, NULL);
    cairn_planner_create(space, "astar", &scouts, NULL);
    cairn_planner_create(wide, "astar", &tanks, NULL);

    cairn_service_create(context, NULL, &service);
    cairn_service_add(service, scouts, NULL, &on_foot);
    cairn_service_add(service, tanks, NULL, &on_tracks);
    for (uint32_t i = 0; i < UNITS; i++) {
        cairn_ticket ticket;
        cairn_request request = {.planner = i == 6 ? on_tracks : on_foot,
                                 .from = cairn_grid_node(grid, 12, 4),
                                 .to = cairn_grid_node(grid, 31, 0),
                                 .priority = i == 7 ? 8 : 0,
                                 .answer = tell,
                                 .user = names[i]};
        if (i == 0) request.to = cairn_grid_node(grid, 0, 0);
        if (i == 6) request.from = cairn_grid_node(grid, 0, 7);
        if (i == 6) request.to = cairn_grid_node(grid, 30, 7);
        if (i == 7) request.from = cairn_grid_node(grid, 20, 6);
        cairn_service_request(service, &request, &ticket);
    }
    for (cairn_frame frame = {.work = 60, .waiting = 1}; frame.waiting || frame.running;) {
        cairn_service_update(service, &frame);
        printf("%u units of work, %u answer%s\n", (unsigned)frame.used, frame.answered,
               frame.answered == 1 ? "" : "s");
    }
    cairn_service_use use = cairn_service_usage(service);
    printf("%u requests, %u of them shared a search\n", (unsigned)use.requests,
           (unsigned)use.shared);

    cairn_service_destroy(service);
    cairn_planner_destroy(tanks);
    cairn_planner_destroy(scouts);
    cairn_space_destroy(wide);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 *   hero: found, length 17.8
 * 60 units of work, 1 answer
 *   scout: found, length 21.4
 * 60 units of work, 1 answer
 *   unit 1: found, length 28.4
 *   unit 2: found, length 28.4
 *   unit 3: found, length 28.4
 *   unit 4: found, length 28.4
 *   unit 5: found, length 28.4
 *   tank: found, length 30.0
 * 37 units of work, 6 answers
 * 8 requests, 4 of them shared a search
 */
