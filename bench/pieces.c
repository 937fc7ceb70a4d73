/* pieces.c: what the first piece of a path costs on maps of several sizes, and how long paths made
 * of pieces are: `bench_pieces [-n SIDE]… [-g GENERATOR]… [-q QUERIES] [-s STEPS] [-o 0] -a
 * ALGORITHM …`.
 *
 * For each generator and side it asks random queries. Told are means: units of work, nodes
 * generated and microseconds until there is a piece of STEPS steps; its share of the first side's;
 * by how much the path, all pieces together, is longer than the cheapest one (not with -o 0);
 * bytes of the index for each cell; milliseconds of the build. Instructions are counted by
 *
 *     valgrind --tool=callgrind --toggle-collect=first_piece bench_pieces -n SIDE …
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <cairn/io.h>

#include <string.h>

#define CHOSEN 16u

typedef struct means {
    double work, generated, us, longer, counted;
} means;

static const char *algorithms[CHOSEN], *generators[CHOSEN];
static uint32_t sides[CHOSEN], algorithm_count, generator_count, side_count;
static uint32_t queries = 30, steps = 16;
static bool optimum = true;
static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % n);
}

static cairn_node random_cell(const cairn_space *space)
{
    const cairn_grid *grid = cairn_space_grid(space);
    cairn_node node;
    do node = random_below(cairn_grid_width(grid) * cairn_grid_height(grid));
    while (!cairn_space_usable(space, node));
    return node;
}

/* The function whose instructions callgrind is to collect. */
cairn_status first_piece(cairn_search *search, const cairn_query *query, const cairn_path **path);
__attribute__((noinline)) cairn_status first_piece(cairn_search *search, const cairn_query *query,
                                                   const cairn_path **path)
{
    return cairn_search_find(search, query, path);
}

/* The cost of all pieces together; 0 if one is missing. */
static uint64_t cost_of_pieces(cairn_search *search, const cairn_path *path)
{
    uint64_t cost = path->cost;
    while (path->partial) {
        if (cairn_search_find_next(search, &path) != CAIRN_FOUND) return 0;
        cost += path->cost;
    }
    return cost;
}

static void ask(cairn_search *search, cairn_search *exact, const cairn_query *query, means *m)
{
    const cairn_path *path;
    double begun = now_us();
    cairn_status status = first_piece(search, query, &path);
    double us = now_us() - begun;
    if (status != CAIRN_FOUND) return;
    cairn_metrics metrics = cairn_search_metrics(search);
    m->work += (double)metrics.work;
    m->generated += (double)metrics.generated;
    m->us += us;
    m->counted++;
    if (!exact) return;
    uint64_t cost = cost_of_pieces(search, path);
    cairn_query whole = *query;
    whole.piece = 0;
    check(cairn_search_find(exact, &whole, &path) == CAIRN_FOUND ? CAIRN_OK : CAIRN_INVALID,
          "the cheapest path");
    m->longer += path->cost ? (double)cost / path->cost - 1 : 0;
}

static cairn_search *make(cairn_space *space, const char *algorithm, cairn_planner **planner)
{
    cairn_search *search;
    check(cairn_planner_create(space, algorithm, planner, NULL), algorithm);
    check(cairn_planner_build(*planner, NULL, NULL), algorithm);
    check(cairn_search_create(*planner, NULL, &search), algorithm);
    return search;
}

static void measure(cairn_space *space, const char *map, uint32_t side, const char *algorithm,
                    double *base)
{
    cairn_planner *planner, *exact_planner = NULL;
    double begun = now_us();
    cairn_search *search = make(space, algorithm, &planner);
    double built = (now_us() - begun) / 1000;
    cairn_search *exact = optimum ? make(space, "jps", &exact_planner) : NULL;
    means m = {0};
    random_state = 99;
    for (uint32_t i = 0; i < queries; i++) {
        cairn_query query = {.from = random_cell(space), .to = random_cell(space), .piece = steps};
        ask(search, exact, &query, &m);
    }
    double n = m.counted > 0 ? m.counted : 1, cells = (double)side * side;
    if (*base == 0) *base = m.work / n;
    printf("%-12s %5u %-24s work %9.0f  generated %9.0f  %9.1f us  of the first %5.2f  longer "
           "%5.2f %%  %6.2f bytes a cell  built in %7.0f ms\n",
           map, side, algorithm, m.work / n, m.generated / n, m.us / n, m.work / n / *base,
           100 * m.longer / n, (double)cairn_planner_index_bytes(planner) / cells, built);
    fflush(stdout);
    cairn_search_destroy(search);
    cairn_search_destroy(exact);
    cairn_planner_destroy(planner);
    cairn_planner_destroy(exact_planner);
}

static void measure_generator(cairn_context *context, const char *name)
{
    double base[CHOSEN] = {0};
    cairn_generator_kind kind = cairn_generator_find(name);
    for (uint32_t s = 0; s < side_count; s++) {
        cairn_grid *grid;
        cairn_space *space;
        cairn_generator generator = cairn_generator_default(kind);
        generator.width = generator.height = sides[s];
        check(cairn_generate(context, &generator, &grid, NULL), name);
        check(cairn_space_of_grid(grid, NULL, &space, NULL), "a space");
        for (uint32_t a = 0; a < algorithm_count; a++)
            measure(space, name, sides[s], algorithms[a], &base[a]);
        cairn_space_destroy(space);
        cairn_grid_destroy(grid);
    }
}

static void read_options(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        uint32_t number = (uint32_t)strtoul(value, NULL, 10);
        char option = argv[i][0] == '-' ? argv[i][1] : 0;
        if (option == 'n' && side_count < CHOSEN) sides[side_count++] = number;
        if (option == 'g' && generator_count < CHOSEN) generators[generator_count++] = value;
        if (option == 'a' && algorithm_count < CHOSEN) algorithms[algorithm_count++] = value;
        if (option == 'q') queries = number;
        if (option == 's') steps = number;
        if (option == 'o') optimum = number != 0;
    }
    if (!generator_count) generators[generator_count++] = "rooms";
    if (!algorithm_count) algorithms[algorithm_count++] = "hpa";
    for (uint32_t side = 1024; !sides[0] || (side > 1024 && side <= 8192); side *= 2)
        sides[side_count++] = side;
}

int main(int argc, char **argv)
{
    cairn_context *context;
    read_options(argc, argv);
    check(cairn_context_create(NULL, &context), "no memory");
    for (uint32_t g = 0; g < generator_count; g++) measure_generator(context, generators[g]);
    cairn_context_destroy(context);
    return 0;
}
