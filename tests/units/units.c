/* units.c: how many instructions one unit of work takes at most, for every planner of the registry.
 *
 *     units TABLE [PLANNER]            the worst unit of each planner; of one, in each world
 *     units - PLANNER WORLD QUERY UNIT asks one query, and does that unit in units_measured
 *
 * The library is compiled so that every basic block calls __sanitizer_cov_trace_pc
 * (tools/check_units.sh). TABLE says how many instructions follow each of those calls up to the
 * next one; the script has read that off the program's machine code. So instructions are counted
 * without a clock, the same on every run. Copying, clearing and comparing memory goes through the
 * functions below, and counts by bytes. What the calls themselves cost is not counted, but what the
 * compiler does to keep registers over a call is: the count is larger than what a release takes.
 * Compared with callgrind (the second form, compiled as a release, --toggle-collect=units_measured)
 * it was 1.08 to 1.59 times as much for units that were the worst at some time: choosing goals
 * 234,000 to 160,500, beginning with 64 gates 103,600 to 65,000, leaving a cluster 218,500 to
 * 167,100, steps over cliffs 189,500 to 164,900, expanding a hub 219,500 to 203,900. Where it was
 * 0.96 (185,100 to 192,700), files for size were not yet compiled as in a release.
 *
 * A unit may take 100,000 instructions. What begins a query is a unit, too. Reading the result may
 * be proportional to the path and is not counted.
 *
 * Worlds: open ground, a spiral, random obstacles, a maze, rooms, each with a chamber that nothing
 * leads to; ground with thousands of links that are shortcuts, and one with thousands that are
 * none, each with a cell that thousands leave and one that thousands lead to; terrain; heights with
 * steps that lead one way; a graph of streets, and one with a node that has 50,000 neighbours.
 * Queries: from corner to corner, across, into the chamber, into a wall, out of a wall, with and
 * without a partial path; to many goals: next to a node, near it, anywhere. Ends with 1 if a unit
 * is too large.
 */
#include <cairn/cairn.h>
#include <cairn/generate.h>

#include "world/gates_arrays.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNIT_INSTRUCTIONS 100000u
#define UNITS_BUILD 200000000u /* whose index takes more on small maps is not asked on large ones */

/* ---- counting ---- */

/* What a function for memory takes: to be called, and for each 8 bytes. */
#define CALL_INSTRUCTIONS 12u
#define INSTRUCTION_BYTES 8u
#define ALLOCATION_INSTRUCTIONS 200u
/* What a function of world/gates_arrays.c takes, read off a release: once, and for eight gates. */
#define GATES_INSTRUCTIONS 60u
#define EIGHT_GATES_INSTRUCTIONS 60u

static uint64_t instructions, strange;
static uintptr_t first_site, site_end; /* addresses of calls */
static uint16_t *weights;              /* by address, from the first on */

void __sanitizer_cov_trace_pc(void);
void *__real_memset(void *to, int value, size_t size);
void *__real_memcpy(void *to, const void *from, size_t size);
void *__real_memmove(void *to, const void *from, size_t size);
int __real_memcmp(const void *a, const void *b, size_t size);
void *__wrap_memset(void *to, int value, size_t size);
void *__wrap_memcpy(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size);
int __wrap_memcmp(const void *a, const void *b, size_t size);
uint64_t __real_crn_gate_arrays_least(const crn_gate_arrays *arrays, uint32_t x, uint32_t y,
                                      uint64_t walk);
uint64_t __wrap_crn_gate_arrays_least(const crn_gate_arrays *arrays, uint32_t x, uint32_t y,
                                      uint64_t walk);
void __real_crn_gate_arrays_reach(const crn_gate_arrays *arrays, const crn_gate *box, bool farthest,
                                  int32_t *restrict costs);
void __wrap_crn_gate_arrays_reach(const crn_gate_arrays *arrays, const crn_gate *box, bool farthest,
                                  int32_t *restrict costs);

void __sanitizer_cov_trace_pc(void)
{
    uintptr_t site = (uintptr_t)__builtin_return_address(0) - first_site;
    uint16_t weight = site < site_end - first_site ? weights[site] : 0;
    instructions += weight;
    strange += !weight;
}

static void count_bytes(size_t size)
{
    instructions += CALL_INSTRUCTIONS + size / INSTRUCTION_BYTES;
}

void *__wrap_memset(void *to, int value, size_t size)
{
    count_bytes(size);
    return __real_memset(to, value, size);
}

void *__wrap_memcpy(void *to, const void *from, size_t size)
{
    count_bytes(size);
    return __real_memcpy(to, from, size);
}

void *__wrap_memmove(void *to, const void *from, size_t size)
{
    count_bytes(size);
    return __real_memmove(to, from, size);
}

int __wrap_memcmp(const void *a, const void *b, size_t size)
{
    count_bytes(size);
    return __real_memcmp(a, b, size);
}

/* Gates are looked at by loops of vectors, eight at a time. */
static void count_gates(const crn_gate_arrays *arrays)
{
    instructions += GATES_INSTRUCTIONS + EIGHT_GATES_INSTRUCTIONS * arrays->eights;
}

uint64_t __wrap_crn_gate_arrays_least(const crn_gate_arrays *arrays, uint32_t x, uint32_t y,
                                      uint64_t walk)
{
    count_gates(arrays);
    return __real_crn_gate_arrays_least(arrays, x, y, walk);
}

void __wrap_crn_gate_arrays_reach(const crn_gate_arrays *arrays, const crn_gate *box, bool farthest,
                                  int32_t *restrict costs)
{
    count_gates(arrays);
    __real_crn_gate_arrays_reach(arrays, box, farthest, costs);
}

/* What moves because it grows is counted as if it were copied. */
static void *units_allocate(void *user, void *old, size_t old_size, size_t size)
{
    (void)user;
    instructions += ALLOCATION_INSTRUCTIONS;
    if (old && size) count_bytes(old_size);
    if (size) return realloc(old, size);
    free(old);
    return NULL;
}

/* Each line has an address and a number of instructions, ascending. */
static void read_weights(const char *name)
{
    FILE *file = fopen(name, "r");
    uintptr_t site;
    unsigned count;
    if (!file) exit(2);
    for (; fscanf(file, "%" SCNxPTR " %u", &site, &count) == 2; site_end = site + 1) {
        if (!first_site) first_site = site;
        weights = realloc(weights, (site + 1 - first_site) * sizeof *weights);
        if (!weights) exit(2);
        if (site > site_end && site_end)
            memset(weights + (site_end - first_site), 0, (site - site_end) * sizeof *weights);
        weights[site - first_site] = (uint16_t)(count < UINT16_MAX ? count : UINT16_MAX);
    }
    fclose(file);
    instructions = strange = 0;
}

/* ---- worlds ---- */

static void check(cairn_status status, const char *what)
{
    if (status == CAIRN_OK) return;
    fprintf(stderr, "units: %s: %s\n", what, cairn_status_text(status));
    exit(2);
}

enum {
    FROM_CORNERS = 1 << 0 | 1 << 3,
    ALONE = (1 << 5) - 1,
    MANY = 7 << 5,
    FROM_HUBS = 1 << 0 | 3 << 5 | 1 << 8
};

typedef struct world {
    const char *name;
    uint32_t side, queries; /* which are asked */
    cairn_grid *grid;
    cairn_graph *graph;
    cairn_space *space;
    cairn_node hub; /* has the most edges */
} world;

static uint32_t chance_state;
static uint32_t chance(uint32_t below)
{
    chance_state = chance_state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)chance_state * below >> 32);
}

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

static cairn_grid *grid_drawn(cairn_context *context, uint32_t side, bool spiral)
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

static cairn_grid *grid_generated(cairn_context *context, uint32_t side, cairn_generator_kind kind)
{
    cairn_generator generator = cairn_generator_default(kind);
    generator.width = generator.height = side;
    generator.seed = 5;
    cairn_grid *grid;
    check(cairn_generate(context, &generator, &grid, NULL), "a map");
    return grid;
}

/* Terrain in patches, and stairs with steps that are too high for one way. */
static void add_ground(cairn_grid *grid, uint32_t side, bool heights)
{
    for (uint32_t i = 0; i < side * side; i++) {
        int32_t x = (int32_t)(i % side), y = (int32_t)(i / side);
        uint32_t patch = (uint32_t)(x / 5 * 7 + y / 3 * 11);
        if (heights)
            check(cairn_grid_set_elevation(grid, x, y, (int16_t)(patch % 6)), "heights");
        else
            check(cairn_grid_set_terrain(grid, x, y, (uint8_t)(patch % 4)), "terrain");
    }
    check(cairn_grid_commit(grid), "ground");
}

enum { LINKS = 20000, HUB_LINKS = 4000 };

/* Some leave the hub, others lead to it. */
static void add_links(world *w, bool shortcuts)
{
    uint32_t cells = w->side * w->side;
    w->hub = w->side * (w->side / 2) + 5;
    for (uint32_t i = 0; i < LINKS; i++) {
        cairn_link link = {.from = i < HUB_LINKS ? w->hub : chance(cells), .id = i};
        link.to = i / HUB_LINKS == 1 ? w->hub + 1 : chance(cells);
        link.cost = shortcuts ? 256 + chance(2560) : 256 * 600 + chance(2560);
        if (link.from != link.to) check(cairn_grid_add_link(w->grid, &link), "links");
    }
    check(cairn_grid_commit(w->grid), "links");
}

static void finish_grid(world *w, bool heights)
{
    cairn_profile profile = cairn_profile_default();
    profile.terrain_cost[1] = CAIRN_TIMES(2);
    profile.terrain_cost[2] = CAIRN_TIMES(3);
    profile.terrain_cost[3] = CAIRN_TIMES(1.5);
    if (heights) profile.max_climb = 1, profile.max_drop = 3;
    check(cairn_space_of_grid(w->grid, &profile, &w->space, NULL), "a space");
}

static void make_map(cairn_context *context, world *w, uint32_t kind)
{
    static const cairn_generator_kind kinds[] = {CAIRN_GENERATE_RANDOM, CAIRN_GENERATE_MAZE,
                                                 CAIRN_GENERATE_ROOMS};
    w->grid = kind < 2 ? grid_drawn(context, w->side, kind == 1)
                       : grid_generated(context, w->side, kinds[kind - 2]);
    add_chamber(w->grid, w->side);
    finish_grid(w, false);
}

static void make_linked(cairn_context *context, world *w, uint32_t kind)
{
    w->grid = grid_drawn(context, w->side, false);
    add_chamber(w->grid, w->side);
    add_links(w, kind == 0);
    finish_grid(w, false);
}

static void make_ground(cairn_context *context, world *w, uint32_t kind)
{
    w->grid = grid_generated(context, w->side, CAIRN_GENERATE_ROOMS);
    add_chamber(w->grid, w->side);
    add_ground(w->grid, w->side, kind == 1);
    finish_grid(w, kind == 1);
}

/* Streets: every crossing is joined to the next ones. Of a star all are joined to the hub, too. */
static void make_graph(cairn_context *context, world *w, uint32_t kind)
{
    uint32_t nodes = w->side * w->side, count = 0;
    cairn_position *positions = calloc(nodes, sizeof *positions);
    cairn_graph_edge *edges = calloc(nodes * (size_t)3, sizeof *edges);
    if (!positions || !edges) exit(2);
    w->hub = nodes / 2 + w->side / 2;
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t x = i % w->side, y = i / w->side;
        positions[i] = (cairn_position){x + chance(80) * .01, y + chance(80) * .01, 0};
        if (x + 1 < w->side) edges[count++] = (cairn_graph_edge){i, i + 1, 60 + chance(50)};
        if (y + 1 < w->side) edges[count++] = (cairn_graph_edge){i, i + w->side, 60 + chance(50)};
        if (kind == 1 && i != w->hub) edges[count++] = (cairn_graph_edge){w->hub, i, 6000};
    }
    cairn_graph_options options = {.node_count = nodes,
                                   .edge_count = count,
                                   .positions = positions,
                                   .edges = edges,
                                   .both_ways = true};
    check(cairn_graph_create(context, &options, &w->graph, NULL), "a graph");
    check(cairn_space_of_graph(w->graph, &w->space, NULL), "a space");
    free(positions);
    free(edges);
}

typedef void make_world(cairn_context *context, world *w, uint32_t kind);

static const struct {
    const char *name;
    make_world *make;
    uint32_t kind, side, queries;
} worlds[] = {
    {"open", make_map, 0, 256, ALONE | MANY},
    {"spiral", make_map, 1, 256, ALONE},
    {"random", make_map, 2, 256, ALONE},
    {"maze", make_map, 3, 256, ALONE},
    {"rooms", make_map, 4, 256, ALONE},
    {"shortcuts", make_linked, 0, 192, FROM_HUBS},
    {"links", make_linked, 1, 192, FROM_HUBS},
    {"terrain", make_ground, 0, 192, FROM_CORNERS},
    {"heights", make_ground, 1, 192, FROM_CORNERS},
    {"streets", make_graph, 0, 160, FROM_CORNERS | MANY},
    {"star", make_graph, 1, 224, FROM_HUBS},
    /* Large maps cost time: random obstacles and rooms have the largest open lists. */
    {"random", make_map, 2, 1024, FROM_CORNERS},
    {"rooms", make_map, 4, 1024, FROM_CORNERS},
};
enum { WORLDS = sizeof worlds / sizeof *worlds };

static void make(cairn_context *context, world *w, uint32_t i)
{
    *w = (world){.name = worlds[i].name, .side = worlds[i].side, .queries = worlds[i].queries};
    chance_state = 7;
    worlds[i].make(context, w, worlds[i].kind);
}

static void destroy(world *w)
{
    cairn_space_destroy(w->space);
    cairn_grid_destroy(w->grid);
    cairn_graph_destroy(w->graph);
}

/* ---- queries ---- */

enum { QUERIES = 9 };

typedef struct worst {
    uint64_t begin, step, unit; /* instructions, and the number of the unit */
    uint64_t build;             /* instructions of building the index */
    const char *world;
    uint32_t side, query;
} worst;

static cairn_node node_near(const world *w, uint32_t x, uint32_t y, bool blocked)
{
    for (uint32_t i = y * w->side + x; i < w->side * w->side; i++) {
        if (cairn_space_usable(w->space, i) != blocked) return i;
    }
    return 0;
}

/* Twice as many as there are kinds: every other one with a partial path. */
static cairn_query query_of(const world *w, uint32_t number)
{
    uint32_t last = w->side - 4, chamber = w->side / 4 * 3;
    cairn_query query = {.from = node_near(w, 1, 1, false),
                         .to = node_near(w, last, last, false),
                         .partial = number % 2};
    switch (number / 2) {
    case 1: query.to = node_near(w, last, 1, false); break;
    case 2: query.to = node_near(w, chamber, chamber, false); break;
    case 3: query.to = node_near(w, last / 2, last, w->grid != NULL); break;
    case 4:
        query.from = chamber * w->side + chamber - 6; /* the wall round the chamber */
        query.start_within = 1000;
        break;
    case 5:
        query.goal_kind = CAIRN_GOAL_NEXT_TO;
        if (w->hub) query.to = w->hub;
        break;
    case 6:
        query.goal_kind = CAIRN_GOAL_WITHIN;
        query.radius = w->side / 3.0;
        break;
    case 7:
        query.goal_kind = CAIRN_GOAL_WITHIN;
        query.to = node_near(w, chamber, chamber, false);
        query.radius = 3;
        break;
    case 8: query.from = w->hub; break;
    default: break;
    }
    return query;
}

static void note(worst *all, const world *w, uint32_t query, uint64_t unit)
{
    uint64_t *most = unit ? &all->step : &all->begin;
    if (instructions <= *most) return;
    *most = instructions;
    if (instructions < all->step || instructions < all->begin) return;
    all->unit = unit;
    all->world = w->name;
    all->side = w->side;
    all->query = query;
}

static void ask(cairn_search *search, const world *w, uint32_t number, worst *all)
{
    cairn_query query = query_of(w, number);
    uint64_t unit = 0;
    instructions = 0;
    cairn_status status = cairn_search_begin(search, &query);
    note(all, w, number, unit);
    while (status == CAIRN_RUNNING) {
        instructions = 0;
        status = cairn_search_step(search, 1);
        note(all, w, number, ++unit);
    }
}

static cairn_search *search_of(const world *w, const char *spec, uint64_t *build)
{
    cairn_planner *planner;
    cairn_search *search;
    if (cairn_planner_create(w->space, spec, &planner, NULL) != CAIRN_OK) return NULL;
    instructions = 0;
    check(cairn_planner_build(planner, NULL, NULL), spec);
    if (instructions > *build) *build = instructions;
    check(cairn_search_create(planner, NULL, &search), spec);
    cairn_planner_destroy(planner); /* the search keeps it */
    return search;
}

static void ask_all(const world *w, const char *spec, worst *all)
{
    cairn_search *search = search_of(w, spec, &all->build);
    for (uint32_t i = 0; search && i < 2 * QUERIES; i++) {
        if (w->queries >> i / 2 & 1) ask(search, w, i, all);
    }
    cairn_search_destroy(search);
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
    bool large = all->begin > UNIT_INSTRUCTIONS || all->step > UNIT_INSTRUCTIONS;
    printf("%-22s begin %7" PRIu64 "  unit %7" PRIu64 "  (%s %u, query %u, unit %" PRIu64 ")%s\n",
           spec, all->begin, all->step, all->world, all->side, all->query, all->unit,
           large ? "  TOO LARGE" : "");
    fflush(stdout);
    return !large;
}

static bool ask_planner(const world *made, const char *spec, bool each)
{
    bool good = true;
    worst all = {.world = ""};
    for (uint32_t i = 0; i < WORLDS; i++) {
        if (made[i].side > 256 && all.build > UNITS_BUILD) continue;
        if (each) all = (worst){.world = "", .build = all.build};
        ask_all(&made[i], spec, &all);
        if (each && all.step) good &= tell(spec, &all);
    }
    return each ? good : tell(spec, &all) && all.step;
}

static bool ask_planners(const world *made, const char *only)
{
    bool good = true;
    for (uint32_t i = 0; i < 2 * cairn_algorithm_count(); i++) {
        const cairn_algorithm *algorithm = cairn_algorithm_at(i / 2);
        char spec[64];
        if (algorithm->kind != CAIRN_KIND_PLANNER) continue;
        if (i % 2 && !has_parameter(algorithm, "jumps")) continue;
        snprintf(spec, sizeof spec, "%s%s", algorithm->name, i % 2 ? ":jumps=always" : "");
        if (only && strcmp(only, spec)) continue;
        good &= ask_planner(made, spec, only != NULL);
    }
    return good;
}

/* ---- one unit, for callgrind ---- */

cairn_status units_measured(cairn_search *search, const cairn_query *query);

__attribute__((noinline)) cairn_status units_measured(cairn_search *search,
                                                      const cairn_query *query)
{
    return query ? cairn_search_begin(search, query) : cairn_search_step(search, 1);
}

/* The queries before it are asked as well: they leave their memory. */
static void ask_one(cairn_context *context, char **argv)
{
    uint32_t number = (uint32_t)atoi(argv[4]), place = 0;
    uint64_t unit = (uint64_t)atoll(argv[5]), build = 0;
    worst all = {.world = ""};
    world w;
    while (place < WORLDS && strncmp(worlds[place].name, argv[3], strcspn(argv[3], "/"))) place++;
    const char *side = strchr(argv[3], '/');
    while (place < WORLDS && side && worlds[place].side != (uint32_t)atoi(side + 1)) place++;
    if (place == WORLDS) exit(2);
    make(context, &w, place);
    cairn_search *search = search_of(&w, argv[2], &build);
    for (uint32_t i = 0; search && i < number; i++) {
        if (w.queries >> i / 2 & 1) ask(search, &w, i, &all);
    }
    cairn_query query = query_of(&w, number);
    if (unit) check(-(cairn_search_begin(search, &query) != CAIRN_RUNNING), "a query");
    while (unit > 1 && --unit) cairn_search_step(search, 1);
    units_measured(search, unit ? NULL : &query);
    cairn_search_destroy(search);
    destroy(&w);
}

int main(int argc, char **argv)
{
    cairn_context_options options = cairn_context_defaults();
    options.allocate = units_allocate;
    cairn_context *context;
    bool good = argc > 1;
    if (good && argc != 6) read_weights(argv[1]);
    check(cairn_context_create(&options, &context), "a context");
    if (argc == 6) {
        ask_one(context, argv);
    } else if (good) {
        world made[WORLDS];
        for (uint32_t i = 0; i < WORLDS; i++) make(context, &made[i], i);
        good = ask_planners(made, argc > 2 ? argv[2] : NULL);
        for (uint32_t i = 0; i < WORLDS; i++) destroy(&made[i]);
    }
    cairn_context_destroy(context);
    free(weights);
    if (strange && argc != 6) fprintf(stderr, "units: %" PRIu64 " blocks of no weight\n", strange);
    return good && (!strange || argc == 6) ? 0 : 1;
}
