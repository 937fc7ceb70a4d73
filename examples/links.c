/* links.c: doors that are links: steps of the game's own with an id, for those who may use them. */
#include <cairn/cairn.h>
#include <stdio.h>
#include <string.h>

/* A house with a locked door D, a balcony from which one can jump, a stone that takes magicians
 * far. */
static const char map[] = "....................\n"
                          "..........#######...\n"
                          "..........#.....#...\n"
                          "..........#.....#...\n"
                          "..........#######...\n"
                          "....................\n";

enum { DOOR, STONE, JUMP };                /* kinds: who may use it, bits of profile.links */
enum { OAK_DOOR = 7, OLD_STONE, BALCONY }; /* ids: what the game plays */
static const char *const scenes[] = {"the oak door", "the old stone", "the balcony"};

static void add(cairn_grid *grid, cairn_cell from, cairn_cell to, uint8_t kind, uint32_t id,
                uint32_t steps)
{
    cairn_link link = {.from = cairn_grid_node(grid, from.x, from.y),
                       .to = cairn_grid_node(grid, to.x, to.y),
                       .id = id,
                       .cost = steps * 256,
                       .kind = kind};
    cairn_grid_add_link(grid, &link);
}

static void travel(cairn_grid *grid, const char *who, uint32_t links, cairn_cell from,
                   cairn_cell to)
{
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    const cairn_path *path;
    cairn_profile profile = cairn_profile_default();
    profile.links = links;
    cairn_space_of_grid(grid, &profile, &space, NULL);
    cairn_planner_create(space, "astar", &planner, NULL);
    cairn_search_create(planner, NULL, &search);
    cairn_search_find_cells(search, from, to, &path);
    printf("%s: %s, length %.1f\n", who, cairn_result_text(path->status), path->length);
    for (uint32_t i = 0, used = 0; i < path->count; i++) {
        cairn_cell cell = cairn_path_cell(space, path, i);
        printf("  (%d,%d)", cell.x, cell.y);
        if (used < path->link_count && path->links[used].at == i)
            printf(" %s", scenes[path->links[used++].id - OAK_DOOR]);
    }
    if (path->count > 0) printf("\n");
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
}

int main(void)
{
    cairn_context *context;
    cairn_grid *grid;
    cairn_context_create(NULL, &context);
    cairn_grid_from_text(context, map, strlen(map), &grid, NULL);
    cairn_cell outside = {9, 3}, inside = {11, 3}, street = {1, 1}, hill = {18, 0};
    add(grid, outside, inside, DOOR, OAK_DOOR, 3);
    /* a link leads one way; this one leads back */
    add(grid, inside, outside, DOOR, OAK_DOOR, 3);
    add(grid, street, hill, STONE, OLD_STONE, 5);
    add(grid, (cairn_cell){13, 2}, (cairn_cell){13, 0}, JUMP, BALCONY, 2);
    cairn_grid_commit(grid);

    travel(grid, "landlord to his bed", 1u << DOOR | 1u << JUMP, street, (cairn_cell){14, 3});
    travel(grid, "thief to the bed", 1u << JUMP, street, (cairn_cell){14, 3});
    travel(grid, "thief away from it", 1u << JUMP, (cairn_cell){14, 3}, hill);
    travel(grid, "magician up the hill", 1u << STONE, street, hill);
    cairn_grid_remove_links(grid, OAK_DOOR); /* both of them */
    cairn_grid_commit(grid);
    travel(grid, "landlord, his door walled up", 1u << DOOR, street, (cairn_cell){14, 3});
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 * landlord to his bed: found, length 14.8
 *   (1,1)  (3,3)  (9,3) the oak door  (11,3)  (14,3)
 * thief to the bed: unreachable, length 0.0
 * thief away from it: found, length 8.4
 *   (14,3)  (13,2) the balcony  (13,0)  (18,0)
 * magician up the hill: found, length 5.0
 *   (1,1) the old stone  (18,0)
 * landlord, his door walled up: unreachable, length 0.0
 */
