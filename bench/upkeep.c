/* upkeep.c: what a changing world costs: `bench/upkeep [-a ALGORITHM]… [MAP|SIZE]…`.
 *
 * For each map (a file, or the side of a square one: then one of several kinds is made; in the
 * maze, with corridors one cell wide, nearly every cell that closes cuts a region in two): time to
 * make grid and space; mean, median, 99.9 % and worst time of commits of one cell, and of a patch
 * of 16×16; of the answer "unreachable"; and, with an index of jumps to be synced (jps-plus), time
 * to build it, and of commits of a cell and of a patch, sync included, and of those of a cell
 * together with a search between two random cells. With -a only that, for these algorithms in place
 * of jps-plus, each on the map as it was. Times are the processor's, so that what else the machine
 * does hardly counts.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <cairn/generate.h>
#include <cairn/io.h>

#include <stdlib.h>
#include <string.h>

#define COMMITS 20000u
#define PATCHES 2000u
#define SEARCHES 2000u
#define CHOSEN 32u

static const char *chosen[CHOSEN]; /* by -a */
static uint32_t chosen_count;

static uint64_t random_state;

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void tell(const char *what, double *us, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) sum += us[i];
    qsort(us, count, sizeof *us, by_size);
    printf("    %-22s mean %8.2f us  median %8.2f  99.9 %% %8.2f  worst %8.2f\n", what, sum / count,
           us[count / 2], us[(uint64_t)count * 999 / 1000], us[count - 1]);
}

static void flip(cairn_grid *grid, int32_t x, int32_t y)
{
    check(cairn_grid_set_open(grid, x, y, !cairn_grid_is_open(grid, x, y)), "staging");
}

/* With a planner, it is synced after each commit. */
static void measure_commits(cairn_grid *grid, cairn_planner *planner, uint32_t side, uint32_t count,
                            const char *what)
{
    double *us = malloc(count * sizeof *us);
    uint32_t width = cairn_grid_width(grid), height = cairn_grid_height(grid);
    for (uint32_t i = 0; us && i < count; i++) {
        uint32_t left = random_below(&random_state, width),
                 top = random_below(&random_state, height);
        bool open = random_below(&random_state, 2);
        for (uint32_t y = top; y < top + side && y < height; y++) {
            for (uint32_t x = left; x < left + side && x < width; x++) {
                if (side == 1) {
                    flip(grid, (int32_t)x, (int32_t)y);
                } else {
                    check(cairn_grid_set_open(grid, (int32_t)x, (int32_t)y, open), "staging");
                }
            }
        }
        double start = now_us();
        check(cairn_grid_commit(grid), "commit");
        if (planner) check(cairn_planner_sync(planner, NULL, NULL), "sync");
        us[i] = now_us() - start;
    }
    if (us) tell(what, us, count);
    free(us);
}

/* A commit of one cell, a sync, and a path between two random cells. */
static void measure_search(cairn_grid *grid, cairn_space *space, cairn_planner *planner)
{
    static double us[SEARCHES];
    cairn_search *search;
    check(cairn_search_create(planner, NULL, &search), "search");
    for (uint32_t i = 0; i < SEARCHES; i++) {
        flip(grid, (int32_t)random_below(&random_state, cairn_grid_width(grid)),
             (int32_t)random_below(&random_state, cairn_grid_height(grid)));
        double start = now_us();
        check(cairn_grid_commit(grid), "commit");
        check(cairn_planner_sync(planner, NULL, NULL), "sync");
        us[i] = now_us() - start;
        cairn_query query;
        do {
            query = (cairn_query){.from = random_cell(space, &random_state),
                                  .to = random_cell(space, &random_state)};
        } while (query.from == query.to ||
                 cairn_reachable(space, query.from, query.to) == CAIRN_REACH_NO);
        start = now_us();
        const cairn_path *path;
        cairn_search_find(search, &query, &path);
        us[i] += now_us() - start;
    }
    tell("one cell, and a search", us, SEARCHES);
    cairn_search_destroy(search);
}

static void measure_sync(cairn_grid *grid, cairn_space *space, const char *algorithm)
{
    cairn_planner *planner;
    cairn_error error = {0};
    if (cairn_planner_create(space, algorithm, &planner, &error) != CAIRN_OK) {
        fprintf(stderr, "upkeep: %s\n", error.text);
        exit(1);
    }
    double start = now_us();
    check(cairn_planner_build(planner, NULL, NULL), "index");
    printf("    %s: built in %.1f ms, %.2f bytes a cell\n", algorithm, (now_us() - start) / 1e3,
           (double)cairn_planner_index_bytes(planner) / cairn_space_node_count(space));
    measure_commits(grid, planner, 1, PATCHES, "one cell, synced");
    measure_search(grid, space, planner);
    measure_commits(grid, planner, 16, PATCHES, "16 x 16, synced");
    cairn_planner_destroy(planner);
}

/* A cell walled in on all sides, asked for from far away. */
static void measure_unreachable(cairn_grid *grid, cairn_space *space)
{
    enum { QUESTIONS = 10000 };
    static double us[QUESTIONS];
    int32_t x = (int32_t)cairn_grid_width(grid) / 2, y = (int32_t)cairn_grid_height(grid) / 2;
    for (int32_t dy = -1; dy <= 1; dy++) {
        for (int32_t dx = -1; dx <= 1; dx++)
            check(cairn_grid_set_open(grid, x + dx, y + dy, !dx && !dy), "staging");
    }
    check(cairn_grid_commit(grid), "commit");
    cairn_planner *planner;
    cairn_search *search;
    check(cairn_planner_create(space, "astar", &planner, NULL), "planner");
    check(cairn_search_create(planner, NULL, &search), "search");
    for (uint32_t i = 0; i < QUESTIONS;) {
        cairn_query query = {.from = random_below(&random_state, cairn_space_node_count(space)),
                             .to = cairn_grid_node(grid, x, y)};
        if (!cairn_space_usable(space, query.from) || query.from == query.to) continue;
        double start = now_us();
        cairn_status status = cairn_search_find(search, &query, NULL);
        us[i++] = now_us() - start;
        if (status != CAIRN_UNREACHABLE) check(CAIRN_BAD_DATA, "a walled-in cell was reached");
    }
    tell("unreachable", us, QUESTIONS);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
}

/* Takes the grid. */
static void measure(const char *name, cairn_grid *grid, double load_us, const char *algorithm)
{
    cairn_space *space;
    random_state = 0;
    double start = now_us();
    check(cairn_space_of_grid(grid, NULL, &space, NULL), "space");
    printf(
        "%s: %u x %u\n    grid %.1f ms, space with regions %.1f ms, %.2f and %.2f bytes a cell\n",
        name, cairn_grid_width(grid), cairn_grid_height(grid), load_us / 1e3,
        (now_us() - start) / 1e3, (double)cairn_grid_bytes(grid) / cairn_space_node_count(space),
        (double)cairn_space_bytes(space) / cairn_space_node_count(space));
    if (!algorithm) {
        measure_commits(grid, NULL, 1, COMMITS, "one cell");
        measure_commits(grid, NULL, 16, PATCHES, "patch of 16 x 16");
        measure_unreachable(grid, space);
    }
    measure_sync(grid, space, algorithm ? algorithm : "jps-plus");
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

static void measure_made(cairn_context *context, uint32_t side, const char *algorithm)
{
    static const cairn_generator_kind kinds[] = {CAIRN_GENERATE_RANDOM, CAIRN_GENERATE_ROOMS,
                                                 CAIRN_GENERATE_CAVES, CAIRN_GENERATE_FACILITY,
                                                 CAIRN_GENERATE_MAZE};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        cairn_generator generator = cairn_generator_default(kinds[i]);
        generator.width = generator.height = side;
        generator.corridor = generator.wall = 1;
        cairn_grid *grid;
        double start = now_us();
        check(cairn_generate(context, &generator, &grid, NULL),
              cairn_generator_about(kinds[i])->name);
        measure(cairn_generator_about(kinds[i])->name, grid, now_us() - start, algorithm);
    }
}

/* A map by name, or all that can be made of a size. */
static void measure_place(cairn_context *context, const char *place, const char *algorithm)
{
    char *end;
    unsigned long side = strtoul(place, &end, 10);
    if (!*end && side >= 8 && side <= 32768) {
        measure_made(context, (uint32_t)side, algorithm);
        return;
    }
    cairn_grid *grid;
    cairn_error error = {0};
    double start = now_us();
    if (cairn_grid_load(context, place, &grid, &error) != CAIRN_OK) {
        fprintf(stderr, "upkeep: %s: %s\n", place, error.text);
        exit(1);
    }
    measure(place, grid, now_us() - start, algorithm);
}

static void measure_all(cairn_context *context, const char *place)
{
    if (!chosen_count) measure_place(context, place, NULL);
    for (uint32_t i = 0; i < chosen_count; i++) measure_place(context, place, chosen[i]);
}

int main(int count, char **words)
{
    int first = 1;
    for (; first + 1 < count && !strcmp(words[first], "-a") && chosen_count < CHOSEN; first += 2)
        chosen[chosen_count++] = words[first + 1];
    cairn_context *context;
    check(cairn_context_create(NULL, &context), "context");
    if (first == count) measure_all(context, "4096");
    for (int i = first; i < count; i++) measure_all(context, words[i]);
    cairn_context_destroy(context);
    return 0;
}
