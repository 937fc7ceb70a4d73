/* pieces.c: an agent that sets off before its path is worked out. A planner with CAIRN_PIECES (hpa,
 * dhpa, pra, mm) knows roughly where to go at once; the steps come in pieces: while one is walked,
 * the next one is worked out, a little in each frame.
 */
#include <cairn/cairn.h>
#include <stdio.h>

enum { SIDE = 256, ROOM = 16, PIECE = 16, WORK = 200 };

typedef struct agent {
    cairn_search *search;
    cairn_query query;
    cairn_status thinking; /* CAIRN_RUNNING: the next piece is being worked out */
    cairn_owned_path own;  /* the piece that it walks */
    cairn_path_iterator walk;
    cairn_node at;
} agent;

/* Walls, each with two doors. */
static void build(cairn_grid *grid)
{
    for (int x = ROOM; x < SIDE; x += ROOM) {
        for (int y = 0; y < SIDE; y++) cairn_grid_set_open(grid, x, y, (y - x * 7) % 128 == 0);
    }
    cairn_grid_commit(grid);
}

/* Takes the piece that was found, and begins to think about the next one. */
static void take_piece(agent *a, const cairn_space *space)
{
    const cairn_path *path;
    cairn_search_result(a->search, &path);
    cairn_path_free(&a->own);
    cairn_path_copy(cairn_space_context(space), path, &a->own);
    a->walk = cairn_path_begin(space, &a->own.path);
    cairn_path_next(&a->walk); /* where it stands */
    a->thinking = a->own.path.partial ? cairn_search_begin_next(a->search) : CAIRN_FOUND;
}

static void set_off(agent *a, const cairn_space *space)
{
    a->query.from = a->at;
    cairn_search_find(a->search, &a->query, NULL);
    take_piece(a, space);
}

int main(void)
{
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    cairn_grid_options options = {.width = SIDE, .height = SIDE};
    cairn_context_create(NULL, &context);
    cairn_grid_create(context, &options, &grid, NULL);
    build(grid);
    cairn_space_of_grid(grid, NULL, &space, NULL);
    cairn_planner_create(space, "hpa", &planner, NULL);
    cairn_planner_build(planner, NULL, NULL);
    agent a = {.at = cairn_grid_node(grid, 2, 2),
               .query = {.to = cairn_grid_node(grid, SIDE - 3, SIDE - 3), .piece = PIECE}};
    cairn_search_create(planner, NULL, &a.search);

    set_off(&a, space);
    printf("the first %u steps or more are known, the agent sets off\n", a.query.piece);
    int waited = 0;
    for (int frame = 1; a.at != a.query.to && frame < 2000; frame++) {
        if (frame == 40) {
            cairn_grid_set_open(grid, 128, 128, false);
            cairn_grid_commit(grid);
            cairn_planner_sync(planner, NULL, NULL);
        }
        if (a.thinking == CAIRN_RUNNING) a.thinking = cairn_search_step(a.search, WORK);
        if (a.own.path.version != cairn_grid_version(grid)) { /* the running search is stale */
            printf("frame %d: a door has closed, asking again\n", frame);
            set_off(&a, space);
        }
        cairn_node next = cairn_path_next(&a.walk);
        if (next == CAIRN_NO_NODE && a.thinking != CAIRN_RUNNING) {
            take_piece(&a, space);
            next = cairn_path_next(&a.walk);
        }
        waited += next == CAIRN_NO_NODE;
        if (next != CAIRN_NO_NODE) a.at = next;
    }
    printf("%s, after waiting for %d frames\n", a.at == a.query.to ? "there" : "lost", waited);
    cairn_path_free(&a.own);
    cairn_search_destroy(a.search);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}

/* Output:
 * the first 16 steps or more are known, the agent sets off
 * frame 40: a door has closed, asking again
 * there, after waiting for 0 frames
 */
