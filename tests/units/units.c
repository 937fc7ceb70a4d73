/* units.c: how much one unit of work is at most, for every planner of the registry.
 *
 *     units [PLANNER]   on maps of 256×256 and 1024×1024 cells: the worst unit of each planner
 *
 * The library is compiled so that every basic block calls __sanitizer_cov_trace_pc
 * (tools/check_units.sh), and copying and clearing memory goes through the functions below. So
 * work is counted without a clock, the same on every run. A block has 5 to 8 instructions on
 * average, and a unit may take 100,000 instructions: at most 12,500 blocks. What begins a query is
 * a unit, too. Reading the result may be proportional to the path and is not counted.
 *
 * Maps: open ground, random obstacles, a maze, rooms, a spiral; each has a chamber that nothing
 * leads to. Queries: from corner to corner, across, into the chamber, into a wall, out of a wall;
 * with and without a partial path. Ends with 1 if a unit is too large.
 */
#include <cairn/cairn.h>
#include <cairn/generate.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNIT_BLOCKS 12500u
#define UNITS_BUILD 30000000u /* whose index takes more on small maps is not asked on large ones */
#define BYTES_OF_BLOCK 256u   /* eight vector instructions */

/* ---- counting ---- */

static uint64_t blocks;

void __sanitizer_cov_trace_pc(void);
void *__real_memset(void *to, int value, size_t size);
void *__real_memcpy(void *to, const void *from, size_t size);
void *__real_memmove(void *to, const void *from, size_t size);
void *__wrap_memset(void *to, int value, size_t size);
void *__wrap_memcpy(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size);

void __sanitizer_cov_trace_pc(void)
{
    blocks++;
}

void *__wrap_memset(void *to, int value, size_t size)
{
    blocks += size / BYTES_OF_BLOCK;
    return __real_memset(to, value, size);
}

void *__wrap_memcpy(void *to, const void *from, size_t size)
{
    blocks += size / BYTES_OF_BLOCK;
    return __real_memcpy(to, from, size);
}

void *__wrap_memmove(void *to, const void *from, size_t size)
{
    blocks += size / BYTES_OF_BLOCK;
    return __real_memmove(to, from, size);
}

/* Open lists that grow by copying are large units: what moves is counted as if it were copied. */
static void *units_allocate(void *user, void *old, size_t old_size, size_t size)
{
    (void)user;
    if (old && size) blocks += old_size / BYTES_OF_BLOCK;
    if (size) return realloc(old, size);
    free(old);
    return NULL;
}

/* ---- maps ---- */

static void check(cairn_status status, const char *what)
{
    if (status == CAIRN_OK) return;
    fprintf(stderr, "units: %s: %s\n", what, cairn_status_text(status));
    exit(2);
}

typedef struct map {
    const char *name;
    cairn_grid *grid;
    uint32_t side;
} map;

/* Walls of a spiral, four cells apart. */
static bool spiral_is_open(uint32_t side, uint32_t x, uint32_t y)
{
    uint32_t ring = x < y ? x : y, far = side - 1 - (x > y ? x : y);
    if (far < ring) ring = far;
    if (ring % 4 != 3) return true;
    return ring == x && y == ring + 1; /* the way in */
}

/* An island in the middle of the lower right quarter, with a wall round it. */
static void add_chamber(cairn_grid *grid, uint32_t side)
{
    uint32_t from = side / 4 * 3 - 6, to = from + 12;
    for (uint32_t y = from; y <= to; y++) {
        for (uint32_t x = from; x <= to; x++) {
            bool wall = x == from || y == from || x == to || y == to;
            check(cairn_grid_set_open(grid, (int32_t)x, (int32_t)y, !wall), "a chamber");
        }
    }
    check(cairn_grid_commit(grid), "a chamber");
}

static cairn_grid *map_drawn(cairn_context *context, uint32_t side, bool spiral)
{
    uint8_t *open = malloc((size_t)side * side);
    if (!open) exit(2);
    for (uint32_t i = 0; i < side * side; i++)
        open[i] = !spiral || spiral_is_open(side, i % side, i / side);
    cairn_grid_options options = {.width = side, .height = side, .open = open};
    cairn_grid *grid;
    check(cairn_grid_create(context, &options, &grid, NULL), "a map");
    free(open);
    return grid;
}

static cairn_grid *map_generated(cairn_context *context, uint32_t side, cairn_generator_kind kind)
{
    cairn_generator generator = cairn_generator_default(kind);
    generator.width = generator.height = side;
    generator.seed = 5;
    cairn_grid *grid;
    check(cairn_generate(context, &generator, &grid, NULL), "a map");
    return grid;
}

static map map_make(cairn_context *context, uint32_t side, uint32_t kind)
{
    static const char *const names[] = {"open", "spiral", "random", "maze", "rooms"};
    static const cairn_generator_kind kinds[] = {CAIRN_GENERATE_RANDOM, CAIRN_GENERATE_MAZE,
                                                 CAIRN_GENERATE_ROOMS};
    cairn_grid *grid = kind < 2 ? map_drawn(context, side, kind == 1)
                                : map_generated(context, side, kinds[kind - 2]);
    add_chamber(grid, side);
    return (map){names[kind], grid, side};
}

/* ---- queries ---- */

enum { QUERIES = 5 };

typedef struct worst {
    uint64_t begin, step, unit; /* the blocks, and the number of the unit */
    uint64_t build;             /* blocks of building the index */
    const char *map;
    uint32_t side, query;
    bool partial;
} worst;

static cairn_node nearest_node(const cairn_space *space, const map *m, uint32_t x, uint32_t y,
                               bool blocked)
{
    for (uint32_t i = y * m->side + x; i < m->side * m->side; i++) {
        if (cairn_space_usable(space, i) != blocked) return i;
    }
    return 0;
}

static cairn_query query_of(const cairn_space *space, const map *m, uint32_t number, bool partial)
{
    uint32_t last = m->side - 4, chamber = m->side / 4 * 3;
    cairn_query query = {.from = nearest_node(space, m, 1, 1, false),
                         .to = nearest_node(space, m, last, last, false),
                         .partial = partial};
    switch (number) {
    case 1: query.to = nearest_node(space, m, last, 1, false); break;
    case 2: query.to = nearest_node(space, m, chamber, chamber, false); break;
    case 3: query.to = nearest_node(space, m, last / 2, last, true); break;
    case 4:
        query.from = chamber * m->side + chamber - 6; /* the wall round the chamber */
        query.start_within = 1000;
        break;
    default: break;
    }
    return query;
}

static void note(worst *all, const map *m, uint32_t number, const cairn_query *query, uint64_t unit)
{
    uint64_t *most = unit ? &all->step : &all->begin;
    if (blocks <= *most) return;
    *most = blocks;
    if (blocks < all->step || blocks < all->begin) return;
    *all = (worst){.begin = all->begin,
                   .step = all->step,
                   .unit = unit,
                   .build = all->build,
                   .map = m->name,
                   .side = m->side,
                   .query = number,
                   .partial = query->partial};
}

static void ask(cairn_search *search, const map *m, uint32_t number, const cairn_query *query,
                worst *all)
{
    uint64_t unit = 0;
    blocks = 0;
    cairn_status status = cairn_search_begin(search, query);
    note(all, m, number, query, unit);
    while (status == CAIRN_RUNNING) {
        blocks = 0;
        status = cairn_search_step(search, 1);
        note(all, m, number, query, ++unit);
    }
}

static void ask_all(cairn_space *space, const map *m, const char *spec, uint32_t queries,
                    worst *all)
{
    cairn_planner *planner;
    cairn_search *search;
    if (cairn_planner_create(space, spec, &planner, NULL) != CAIRN_OK) return;
    blocks = 0;
    check(cairn_planner_build(planner, NULL, NULL), spec);
    if (blocks > all->build) all->build = blocks;
    check(cairn_search_create(planner, NULL, &search), spec);
    for (uint32_t i = 0; i < QUERIES; i++) {
        for (uint32_t partial = 0; partial < 2 && queries >> i & 1; partial++) {
            cairn_query query = query_of(space, m, i, partial);
            ask(search, m, i, &query, all);
        }
    }
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
}

/* ---- planners ---- */

static bool has_parameter(const cairn_algorithm *algorithm, const char *name)
{
    for (uint32_t i = 0; i < algorithm->parameter_count; i++) {
        if (!strcmp(algorithm->parameters[i].name, name)) return true;
    }
    return false;
}

static bool tell(const char *spec, const worst *all)
{
    bool large = all->begin > UNIT_BLOCKS || all->step > UNIT_BLOCKS || !all->step;
    printf("%-22s begin %7" PRIu64 "  unit %7" PRIu64 "  (%s %u, query %u%s, unit %" PRIu64 ")%s\n",
           spec, all->begin, all->step, all->map, all->side, all->query,
           all->partial ? " partial" : "", all->unit, large ? "  TOO LARGE" : "");
    fflush(stdout);
    return !large;
}

int main(int argc, char **argv)
{
    cairn_context_options options = cairn_context_defaults();
    options.allocate = units_allocate;
    cairn_context *context;
    check(cairn_context_create(&options, &context), "a context");
    bool good = true;
    /* Large maps cost time: random obstacles and rooms have the largest open lists. */
    enum { MAPS = 7 };
    map maps[MAPS];
    cairn_space *spaces[MAPS];
    for (uint32_t i = 0; i < MAPS; i++) {
        maps[i] = map_make(context, i < 5 ? 256 : 1024, i < 5 ? i : i == 5 ? 2 : 4);
        check(cairn_space_of_grid(maps[i].grid, NULL, &spaces[i], NULL), "a space");
    }
    for (uint32_t i = 0; i < 2 * cairn_algorithm_count(); i++) {
        const cairn_algorithm *algorithm = cairn_algorithm_at(i / 2);
        char spec[64];
        if (algorithm->kind != CAIRN_KIND_PLANNER) continue;
        if (i % 2 && !has_parameter(algorithm, "jumps")) continue;
        snprintf(spec, sizeof spec, "%s%s", algorithm->name, i % 2 ? ":jumps=always" : "");
        if (argc > 1 && strcmp(argv[1], spec)) continue;
        worst all = {.map = "", .unit = 0};
        for (uint32_t k = 0; k < MAPS; k++) {
            if (k >= 5 && all.build > UNITS_BUILD) continue;
            ask_all(spaces[k], &maps[k], spec, k < 5 ? 31 : 8 + 1, &all);
        }
        good &= tell(spec, &all);
    }
    for (uint32_t i = 0; i < MAPS; i++) {
        cairn_space_destroy(spaces[i]);
        cairn_grid_destroy(maps[i].grid);
    }
    cairn_context_destroy(context);
    return good ? 0 : 1;
}
