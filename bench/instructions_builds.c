/* instructions_builds.c: runs the builds and repairs that bench/instructions --builds counts. Loads
 * a map, builds the index of a planner, and syncs it after each of a seeded series of commits: of
 * one cell, then of patches of 16×16. What is counted happens inside count_build, count_cell and
 * count_patch, which callgrind is told of; commits are not counted. With "space" in place of a
 * planner they are: making the space, and the commits themselves. Prints the bytes of the index
 * when it is built and in the end, so that a count is never compared with one of a different task.
 *
 *     instructions_builds MAP ALGORITHM|space CELLS PATCHES
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <cairn/io.h>
#include <inttypes.h>
#include <string.h>

enum { SIDE = 16 };

typedef struct work {
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner; /* NULL: what is counted is the space */
    cairn_error error;
} work;

/* ---- what is counted ---- */

/* Which of the functions is at work: keeps the compiler from making one of several. */
static volatile int counted;

__attribute__((noinline)) static cairn_status count_build(work *w)
{
    counted = 1;
    cairn_status status = w->planner ? cairn_planner_build(w->planner, NULL, &w->error)
                                     : cairn_space_of_grid(w->grid, NULL, &w->space, &w->error);
    counted = 0;
    return status;
}

__attribute__((noinline)) static cairn_status count_cell(work *w)
{
    counted = 2;
    cairn_status status =
        w->planner ? cairn_planner_sync(w->planner, NULL, &w->error) : cairn_grid_commit(w->grid);
    counted = 0;
    return status;
}

__attribute__((noinline)) static cairn_status count_patch(work *w)
{
    counted = 3;
    cairn_status status =
        w->planner ? cairn_planner_sync(w->planner, NULL, &w->error) : cairn_grid_commit(w->grid);
    counted = 0;
    return status;
}

/* ---- edits ---- */

/* Every other patch is blocked, the others are opened; a cell becomes what it was not. */
static void stage(cairn_grid *grid, uint32_t i, uint32_t side, uint64_t *state)
{
    int32_t left = (int32_t)random_below(state, cairn_grid_width(grid) - side + 1);
    int32_t top = (int32_t)random_below(state, cairn_grid_height(grid) - side + 1);
    bool open = side == 1 ? !cairn_grid_is_open(grid, left, top) : i % 2;
    for (uint32_t k = 0; k < side * side; k++)
        cairn_grid_set_open(grid, left + (int32_t)(k % side), top + (int32_t)(k / side), open);
}

__attribute__((noinline)) static cairn_status edit(work *w, uint32_t count, uint32_t side)
{
    uint64_t state = side;
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; i < count && status == CAIRN_OK; i++) {
        stage(w->grid, i, side, &state);
        if (w->planner) status = cairn_grid_commit(w->grid);
        if (status == CAIRN_OK) status = side == 1 ? count_cell(w) : count_patch(w);
    }
    return status;
}

static size_t index_bytes(const work *w)
{
    return w->planner ? cairn_planner_index_bytes(w->planner) : cairn_space_bytes(w->space);
}

static cairn_status run(work *w, const char *spec, uint32_t cells, uint32_t patches)
{
    cairn_status status = CAIRN_OK;
    if (strcmp(spec, "space") != 0) {
        status = cairn_space_of_grid(w->grid, NULL, &w->space, &w->error);
        if (!status) status = cairn_planner_create(w->space, spec, &w->planner, &w->error);
    }
    if (!status) status = count_build(w);
    if (status) return status;
    size_t built = index_bytes(w);
    status = edit(w, cells, 1);
    if (!status) status = edit(w, patches, SIDE);
    printf("%zu %zu\n", built, index_bytes(w));
    return status;
}

int main(int argc, char **argv)
{
    cairn_context *context;
    work w = {0};
    if (argc != 5) {
        fprintf(stderr, "usage: instructions_builds MAP ALGORITHM|space CELLS PATCHES\n");
        return 2;
    }
    if (cairn_context_create(NULL, &context)) return 1; /* without workers */
    cairn_status status = cairn_grid_load(context, argv[1], &w.grid, &w.error);
    if (!status) status = run(&w, argv[2], (uint32_t)atoi(argv[3]), (uint32_t)atoi(argv[4]));
    if (status) fprintf(stderr, "%s, %s: %s\n", argv[1], argv[2], w.error.text);
    cairn_planner_destroy(w.planner);
    cairn_space_destroy(w.space);
    cairn_grid_destroy(w.grid);
    cairn_context_destroy(context);
    return status ? 1 : 0;
}
