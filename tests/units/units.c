/* units.c: how many instructions one unit of work takes at most, for every planner of the registry.
 *
 *     units TABLE [--full]             the worst unit of each planner
 *     units TABLE PLANNER              the same of one, in each world
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
 * be proportional to the path and is not counted. Where an index is built and repaired in slices,
 * so is a slice of one unit of work: of a build, and of repairs with and without commits on the way.
 *
 * Worlds: open ground, a spiral, random obstacles, a maze, rooms, each with a chamber that nothing
 * leads to; ground with thousands of links that are shortcuts, and one with thousands that are
 * none, each with a cell that thousands leave and one that thousands lead to; ground with two dozen
 * two-way teleports; a corridor through the whole map with a few links; terrain; heights with steps
 * that lead one way; a graph of streets, one with a node that has 50,000 neighbours, and a ring; one
 * with paths of thousands of steps for searches that keep little, which are asked there by name.
 * Queries: from corner to corner, across, into the chamber, into a wall, out of a wall, with and
 * without a partial path; to many goals: next to a node, near it, anywhere; from positions, of which
 * one is equally far from all nodes; to 700,000 goals.
 *
 * Every planner is asked with its default parameters, and with every other choice of each parameter,
 * the least and the largest of its numbers, as the registry has them, one at a time, on small worlds.
 * Where planners share the loop of A*, its settings are asked with A* only. With --full all of them
 * are asked on all worlds, and each two are combined on small ones.
 * An index that is built and repaired in slices is so on large maps, with large commits meanwhile.
 * Ends with 1 if a unit is too large.
 */
#define _DEFAULT_SOURCE /* fork, ptrace */
#include <cairn/cairn.h>
#include <cairn/generate.h>

#include "search/search.h"
#include "world/gates_arrays.h"
#include "world/grid_space.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define UNIT_INSTRUCTIONS 100000u
#define UNITS_BUILD \
    200000000u                /* whose index takes more on small maps is not asked on large ones, */
#define UNITS_SYNC 400000000u /* with an index in slices who takes more */

/* ---- counting ---- */

/* What a function for memory takes: to be called, and for each 8 bytes. */
#define CALL_INSTRUCTIONS 12u
#define INSTRUCTION_BYTES 8u
#define ALLOCATION_INSTRUCTIONS 200u
#define EIGHT_GATES_INSTRUCTIONS 100u /* a loop of vectors takes no more for eight gates */

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

/* Gates are looked at by loops of vectors (world/gates_arrays.c), in which no block can call. What
 * they take is measured before, by stepping through them: by function and by eights of gates. */
enum { EIGHTS = CRN_GATES / 8 };
static uint32_t gates_least[EIGHTS + 1], gates_reach[EIGHTS + 1];

uint64_t __wrap_crn_gate_arrays_least(const crn_gate_arrays *arrays, uint32_t x, uint32_t y,
                                      uint64_t walk)
{
    instructions += gates_least[arrays->eights];
    return __real_crn_gate_arrays_least(arrays, x, y, walk);
}

void __wrap_crn_gate_arrays_reach(const crn_gate_arrays *arrays, const crn_gate *box, bool farthest,
                                  int32_t *restrict costs)
{
    instructions += gates_reach[arrays->eights];
    __real_crn_gate_arrays_reach(arrays, box, farthest, costs);
}

typedef void gates_function(const crn_gate_arrays *arrays);

static void gates_call_none(const crn_gate_arrays *arrays)
{
    (void)arrays;
}

/* No gate ends the loop early. */
static void gates_call_least(const crn_gate_arrays *arrays)
{
    __real_crn_gate_arrays_least(arrays, 5, 5, INT32_MAX);
}

static void gates_call_reach(const crn_gate_arrays *arrays)
{
    static int32_t costs[CRN_GATES];
    crn_gate box = {1, 2, 3, 4, 0};
    __real_crn_gate_arrays_reach(arrays, &box, true, costs);
}

/* How many instructions a process takes from here to its end that calls this. */
static uint32_t gates_step(gates_function *call, const crn_gate_arrays *arrays)
{
    uint32_t steps = 0;
    int status;
    pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        call(arrays);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) exit(2);
    for (; WIFSTOPPED(status); steps++) {
        if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) || waitpid(child, &status, 0) != child)
            exit(2);
    }
    return steps;
}

/* Measures the functions; false if one of them is no loop of vectors any more. */
static bool measure_gates(void)
{
    static crn_gate_arrays arrays = {.fits = true, .straight = 256, .diagonal = 362};
    uint32_t none = gates_step(gates_call_none, &arrays);
    for (arrays.eights = 0; arrays.eights <= EIGHTS; arrays.eights++) {
        gates_least[arrays.eights] = gates_step(gates_call_least, &arrays) - none;
        gates_reach[arrays.eights] = gates_step(gates_call_reach, &arrays) - none;
    }
    uint32_t least = gates_least[EIGHTS] - gates_least[EIGHTS - 1],
             reach = gates_reach[EIGHTS] - gates_reach[EIGHTS - 1];
    bool good = least <= EIGHT_GATES_INSTRUCTIONS && reach <= EIGHT_GATES_INSTRUCTIONS;
    printf("gates                          least %u + %u for eight, reach %u + %u%s\n",
           gates_least[0], least, gates_reach[0], reach, good ? "" : "  TOO LARGE");
    return good;
}

/* What moves because it grows is counted as if it were copied. What shrinks stays. */
static void *units_allocate(void *user, void *old, size_t old_size, size_t size)
{
    (void)user;
    instructions += ALLOCATION_INSTRUCTIONS;
    if (old && size > old_size) count_bytes(old_size);
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
    PLACED = 1 << 9,
    EVERYWHERE = 1 << 10,
    FROM_ARMS = 1 << 11,
    FROM_HUBS = 1 << 0 | 3 << 5 | 1 << 8
};

typedef struct world {
    const char *name;
    uint32_t side, queries; /* which are asked */
    cairn_grid *grid;
    cairn_graph *graph;
    cairn_space *space;
    cairn_node hub;    /* has the most edges */
    cairn_node *nodes; /* of large maps: all of them */
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

enum { LINKS = 20000, FEW_LINKS = 5000, TELEPORTS = 24, MANY_TELEPORTS = 1000, RADIUS = 1000 };

/* Some leave the hub, others lead to it. */
static void add_links(world *w, bool shortcuts)
{
    uint32_t cells = w->side * w->side, count = w->side < 128 ? FEW_LINKS : LINKS;
    w->hub = w->side * (w->side / 2) + 5;
    for (uint32_t i = 0; i < count; i++) {
        cairn_link link = {.from = i < count / 5 ? w->hub : chance(cells), .id = i};
        link.to = i / (count / 5) == 1 ? w->hub + 1 : chance(cells);
        link.cost = shortcuts ? 256 + chance(2560) : 256 * 600 + chance(2560);
        if (link.from != link.to) check(cairn_grid_add_link(w->grid, &link), "links");
    }
    check(cairn_grid_commit(w->grid), "links");
}

/* Two-way teleports, as many as estimates take one by one. */
static void add_teleports(world *w, uint32_t count)
{
    uint32_t cells = w->side * w->side;
    for (uint32_t i = 0; i < count; i++) {
        cairn_link link = {.from = chance(cells), .to = chance(cells), .id = i, .cost = 256};
        check(cairn_grid_add_link(w->grid, &link), "teleports");
        link = (cairn_link){.from = link.to, .to = link.from, .id = i, .cost = 256};
        check(cairn_grid_add_link(w->grid, &link), "teleports");
    }
    check(cairn_grid_commit(w->grid), "teleports");
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
    if (kind >= 2)
        add_teleports(w, kind == 2 ? TELEPORTS : MANY_TELEPORTS);
    else
        add_links(w, kind == 0);
    finish_grid(w, false);
}

/* One corridor through the whole map, whose path has half as many nodes as the map has cells; with
 * a few links beside steps, every other one cheaper than the step. */
static void make_corridor(cairn_context *context, world *w, uint32_t kind)
{
    (void)kind;
    w->grid = grid_drawn(context, w->side, false);
    for (uint32_t y = 1; y < w->side; y += 2) {
        uint32_t gap = y % 4 == 1 ? w->side - 1 : 0;
        for (uint32_t x = 0; x < w->side; x++)
            check(cairn_grid_set_open(w->grid, (int32_t)x, (int32_t)y, x == gap), "a corridor");
    }
    for (uint32_t i = 0; i < 20; i++) {
        cairn_node from = w->side * (w->side / 20 * i & ~1u) + i + 1;
        cairn_link link = {.from = from, .to = from + 1, .cost = i % 2 ? 200 : 2560, .id = i};
        check(cairn_grid_add_link(w->grid, &link), "links");
    }
    check(cairn_grid_commit(w->grid), "a corridor");
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

/* A circle: from its centre the nodes are equally far. A half of them is disabled. */
static void make_ring(cairn_context *context, world *w, uint32_t kind)
{
    uint32_t nodes = w->side * w->side;
    cairn_position *positions = calloc(nodes, sizeof *positions);
    cairn_graph_edge *edges = calloc(nodes, sizeof *edges);
    if (!positions || !edges || kind) exit(2);
    for (uint32_t i = 0; i < nodes; i++) {
        double angle = 2 * 3.14159265358979 * i / nodes;
        positions[i] = (cairn_position){RADIUS * cos(angle), RADIUS * sin(angle), 0};
        edges[i] = (cairn_graph_edge){i, (i + 1) % nodes, 100};
    }
    cairn_graph_options options = {.node_count = nodes,
                                   .edge_count = nodes,
                                   .positions = positions,
                                   .edges = edges,
                                   .both_ways = true};
    check(cairn_graph_create(context, &options, &w->graph, NULL), "a ring");
    for (uint32_t i = 0; i < nodes / 2; i++)
        check(cairn_graph_set_node_open(w->graph, i, false), "a ring");
    check(cairn_graph_commit(w->graph), "a ring");
    check(cairn_space_of_graph(w->graph, &w->space, NULL), "a space");
    free(positions);
    free(edges);
}

/* Two arms of many steps lead from the hub: a long step away from the goal, then back in small ones.
 * The first ends nearer to the goal than the hub is, with an expensive edge. From each node of the
 * second a path leads to the same node, each cheaper and longer than the one before. */
static void make_arms(cairn_context *context, world *w, uint32_t kind)
{
    uint32_t nodes = w->side * w->side, arm = (nodes - 8) / 3, count = 0, goal, meeting = 1;
    cairn_position *positions = calloc(nodes, sizeof *positions);
    cairn_graph_edge *edges = calloc((size_t)nodes * 2, sizeof *edges);
    if (!positions || !edges || kind) exit(2);
    w->hub = 2;
    goal = (w->side - 4) * w->side + w->side - 4; /* as query_of has it */
    positions[goal].x = -10;
    cairn_node last = w->hub, next = 3;
    for (uint32_t i = 0; i < 3 * arm + 4; i++, last = next++) {
        bool second = i >= arm + 2;
        uint32_t far = second ? 2 * arm : arm, step = second ? i - arm - 2 : i;
        if (i == arm + 2) {
            edges[count++] = (cairn_graph_edge){last, goal, 20 * arm};
            last = w->hub;
        }
        if (next == goal) next++;
        positions[next].x = (double)far - step;
        edges[count++] = (cairn_graph_edge){last, next, step ? 1 : far};
        if (second) edges[count++] = (cairn_graph_edge){next, meeting, 3 * (far - step) + 20};
    }
    edges[count++] = (cairn_graph_edge){last, goal, 9};
    edges[count++] = (cairn_graph_edge){meeting, goal, 20 * arm};
    cairn_graph_options options = {
        .node_count = nodes, .edge_count = count, .positions = positions, .edges = edges};
    check(cairn_graph_create(context, &options, &w->graph, NULL), "arms");
    check(cairn_space_of_graph(w->graph, &w->space, NULL), "a space");
    free(positions);
    free(edges);
}

typedef void make_world(cairn_context *context, world *w, uint32_t kind);

static const struct {
    const char *name;
    make_world *make;
    uint32_t kind, side, queries; /* bits: which are asked */
    uint32_t swept;               /* those that are asked with every parameter */
} worlds[] = {
    {"open", make_map, 0, 256, ALONE | MANY, 0},
    {"spiral", make_map, 1, 256, ALONE, 0},
    {"random", make_map, 2, 256, ALONE, 0},
    {"maze", make_map, 3, 256, ALONE, 0},
    {"rooms", make_map, 4, 256, ALONE, 0},
    {"shortcuts", make_linked, 0, 192, FROM_HUBS, 0},
    {"links", make_linked, 1, 192, FROM_HUBS, 0},
    {"teleports", make_linked, 2, 192, FROM_CORNERS, 0},
    {"many teleports", make_linked, 3, 192, FROM_CORNERS, 0},
    {"corridor", make_corridor, 0, 192, FROM_CORNERS, 0},
    {"terrain", make_ground, 0, 192, FROM_CORNERS, 0},
    {"heights", make_ground, 1, 192, FROM_CORNERS, 0},
    {"streets", make_graph, 0, 160, FROM_CORNERS | MANY | PLACED, 0},
    {"star", make_graph, 1, 224, FROM_HUBS | PLACED, 0},
    {"ring", make_ring, 0, 100, 1 << 4 | PLACED, 0},
    {"arms", make_arms, 0, 250, FROM_ARMS, 0},
    /* Large maps cost time: random obstacles and rooms have the largest open lists. */
    {"random", make_map, 2, 1024, FROM_CORNERS, 0},
    {"rooms", make_map, 4, 1024, FROM_CORNERS | EVERYWHERE, 0},
    /* Small ones, for many parameters. */
    {"open", make_map, 0, 128, 0, 1 << 0 | 1 << 6},
    {"rooms", make_map, 4, 128, 0, 1 << 0 | 1 << 4},
    {"shortcuts", make_linked, 0, 96, 0, 1 << 0 | 1 << 8},
    {"corridor", make_corridor, 0, 128, 0, 1 << 0},
    {"heights", make_ground, 1, 96, 0, 1 << 0},
    {"star", make_graph, 1, 96, 0, 1 << 0 | 1 << 8},
};
enum { WORLDS = sizeof worlds / sizeof *worlds };

static void make(cairn_context *context, world *w, uint32_t i)
{
    *w = (world){.name = worlds[i].name, .side = worlds[i].side, .queries = worlds[i].queries};
    chance_state = 7;
    worlds[i].make(context, w, worlds[i].kind);
    if (!(w->queries & EVERYWHERE)) return;
    w->nodes = calloc((size_t)w->side * w->side, sizeof *w->nodes);
    if (!w->nodes) exit(2);
    for (uint32_t k = 0; k < w->side * w->side; k++) w->nodes[k] = k;
}

static void destroy(world *w)
{
    cairn_space_destroy(w->space);
    cairn_grid_destroy(w->grid);
    cairn_graph_destroy(w->graph);
    free(w->nodes);
}

/* ---- queries ---- */

enum { QUERIES = 12 };

typedef struct worst {
    uint64_t begin, step, unit; /* instructions, and the number of the unit */
    uint64_t sync;              /* of building and repairing the index in slices, if it can be */
    uint64_t build;             /* instructions of building the index */
    int32_t parameter;          /* the only one that is not as by default; -1 = none, or several */
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
        if (w->graph) query.from = w->side * w->side / 4;
        query.start_within = 2 * RADIUS;
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
    case 8:
    case 11: query.from = w->hub; break;
    case 9:
        query.by_position = CAIRN_FROM_POSITION | CAIRN_TO_POSITION;
        query.from_position = (cairn_position){0, 0, 0};
        query.to_position = cairn_space_position(w->space, query.to);
        break;
    case 10: /* more goals than can be moved at once */
        query.goals = w->nodes + 20 * w->side;
        query.goal_count = 700000;
        break;
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

enum { IMPROVEMENTS = 20000 };

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
    /* without the path, which is made again for the caller each time */
    for (uint32_t i = 0; status == CAIRN_FOUND && search->improvable && i < IMPROVEMENTS; i++) {
        instructions = 0;
        status = search->planner->algorithm->improve(search, 1);
        note(all, w, number, ++unit);
    }
}

/* ---- indexes in slices ---- */

static cairn_status sync_unit(cairn_planner *planner, worst *all)
{
    instructions = 0;
    cairn_status status = cairn_planner_sync_step(planner, 1, NULL);
    if (instructions > all->sync) all->sync = instructions;
    return status;
}

/* How many instructions in all. */
static uint64_t sync_in_units(cairn_planner *planner, const char *spec, worst *all)
{
    cairn_status status = CAIRN_RUNNING;
    uint64_t sum = 0;
    for (; status == CAIRN_RUNNING; sum += instructions) status = sync_unit(planner, all);
    check(status, spec);
    return sum;
}

/* Blocks what is open in a square and opens the rest; done twice, all is as it was. */
static void turn_round(const world *w, uint32_t left, uint32_t top, uint32_t side)
{
    for (uint32_t i = 0; i < side * side; i++) {
        int32_t x = (int32_t)(left + i % side), y = (int32_t)(top + i / side);
        check(cairn_grid_set_open(w->grid, x, y, !cairn_grid_is_open(w->grid, x, y)), "an edit");
    }
    check(cairn_grid_commit(w->grid), "an edit");
}

/* Repairs after a ninth of the map was edited, and back again with commits on the way. */
static void repair_in_units(const world *w, cairn_planner *planner, const char *spec, worst *all)
{
    enum { COMMITS = 6, UNITS_BETWEEN = 300 };
    const uint32_t side = w->side / 3, at = w->side / 2 - 3;
    turn_round(w, at, at, side);
    sync_in_units(planner, spec, all);
    turn_round(w, at, at, side);
    for (uint32_t i = 0; i < COMMITS; i++) {
        for (uint32_t n = 0; n < UNITS_BETWEEN; n++) sync_unit(planner, all);
        turn_round(w, at - i / 2, at, 1);
    }
    sync_in_units(planner, spec, all);
}

/* Of HPA* a unit may be a whole search of a cluster, or leave one with thousands of links: it is
 * counted where no search is long, in clusters of default size on ground that costs the same, and
 * with few links. */
static bool syncs_in_units(const world *w, const cairn_planner *planner, const char *spec)
{
    const cairn_algorithm *algorithm = cairn_planner_algorithm(planner);
    const crn_grid_space *space = crn_grid_space_of(w->space);
    if (!space || !(algorithm->flags & CAIRN_SLICES)) return false;
    bool short_searches = !strcmp(spec, "hpa") && space->uniform && !space->limited &&
                          w->grid->link_count <= 2 * TELEPORTS;
    return strcmp(algorithm->name, "hpa") || short_searches;
}

/* The index is the same then, and its slices have been counted. */
static bool is_of_searches(const cairn_planner *planner, int32_t parameter)
{
    const crn_index_functions *index = planner->algorithm->index;
    return parameter >= 0 && index->of_searches >> parameter & 1;
}

static cairn_search *search_of(const world *w, const char *spec, worst *all)
{
    cairn_planner *planner;
    cairn_search *search;
    if (cairn_planner_create(w->space, spec, &planner, NULL) != CAIRN_OK) return NULL;
    bool slices = syncs_in_units(w, planner, spec) && !is_of_searches(planner, all->parameter);
    uint64_t build = slices ? sync_in_units(planner, spec, all) : 0;
    instructions = 0;
    cairn_status built = slices ? CAIRN_OK : cairn_planner_build(planner, NULL, NULL);
    if (built == CAIRN_UNSUPPORTED) { /* as `hcdps` says of arms */
        cairn_planner_destroy(planner);
        return NULL;
    }
    check(built, spec);
    if (!slices) build = instructions;
    if (build > all->build) all->build = build;
    if (slices) repair_in_units(w, planner, spec, all);
    check(cairn_search_create(planner, NULL, &search), spec);
    cairn_planner_destroy(planner); /* the search keeps it */
    return search;
}

/* So many goals cost time, and it is the same for all planners. */
static bool is_asked_once(uint32_t query)
{
    static bool asked;
    bool again = asked;
    if (query / 2 == 10) asked = true;
    return query / 2 == 10 && (again || query % 2);
}

static void ask_all(const world *w, const char *spec, uint32_t queries, worst *all)
{
    cairn_search *search = search_of(w, spec, all);
    for (uint32_t i = 0; search && i < 2 * QUERIES; i++) {
        if (queries >> i / 2 & 1 && !is_asked_once(i)) ask(search, w, i, all);
    }
    cairn_search_destroy(search);
}

/* ---- planners ---- */

static bool tell(const char *spec, const worst *all)
{
    bool large = all->begin > UNIT_INSTRUCTIONS || all->step > UNIT_INSTRUCTIONS ||
                 all->sync > UNIT_INSTRUCTIONS;
    printf("%-30s begin %7" PRIu64 "  unit %7" PRIu64 "  (%s %u, query %u, unit %" PRIu64 ")", spec,
           all->begin, all->step, all->world, all->side, all->query, all->unit);
    if (all->sync) printf("  sync %7" PRIu64, all->sync);
    printf("%s\n", large ? "  TOO LARGE" : "");
    fflush(stdout);
    return !large;
}

typedef enum reach { REACH_SOME, REACH_ALL, REACH_EACH } reach;

/* Asks a planner on some worlds or on all; REACH_EACH: tells of each by itself. */
static bool ask_planner(const world *made, const char *spec, reach reach, int32_t parameter)
{
    bool good = true, each = reach == REACH_EACH;
    worst all = {.world = "", .parameter = parameter};
    for (uint32_t i = 0; i < WORLDS; i++) {
        if (reach == REACH_SOME && !worlds[i].swept) continue;
        if (!each && worlds[i].queries == FROM_ARMS) continue;
        if (made[i].side > 256 && all.build > (all.sync ? UNITS_SYNC : UNITS_BUILD)) continue;
        if (each) all = (worst){.world = "", .parameter = parameter, .build = all.build};
        ask_all(&made[i], spec,
                reach == REACH_SOME ? worlds[i].swept : worlds[i].queries | worlds[i].swept, &all);
        if (each && all.step) good &= tell(spec, &all);
    }
    return each ? good : tell(spec, &all) && all.step;
}

/* ---- parameters ---- */

enum { SETTINGS = 64, SETTING_BYTES = 48, SPEC_BYTES = 160 };

/* The settings of an algorithm that are asked: "key=value", and of which parameter. */
typedef struct settings {
    char text[SETTINGS][SETTING_BYTES];
    uint32_t parameter[SETTINGS], count;
} settings;

/* Some values in a range are refused. */
static bool is_accepted(const world *made, const char *spec)
{
    for (uint32_t i = 0; i < WORLDS; i++) {
        cairn_planner *planner;
        if (!worlds[i].swept) continue;
        bool good = cairn_planner_create(made[i].space, spec, &planner, NULL) == CAIRN_OK;
        cairn_planner_destroy(planner);
        if (good) return true;
    }
    return false;
}

static bool add_setting(const world *made, const cairn_algorithm *algorithm, uint32_t parameter,
                        int64_t value, settings *out)
{
    const cairn_parameter *p = &algorithm->parameters[parameter];
    char *text = out->text[out->count], spec[SPEC_BYTES];
    if (value == p->default_value) return false;
    if (p->type == CAIRN_PARAMETER_CHOICE)
        snprintf(text, SETTING_BYTES, "%s=%s", p->name, p->choices[value]);
    else if (p->type == CAIRN_PARAMETER_NUMBER)
        snprintf(text, SETTING_BYTES, "%s=%g", p->name, (double)value / 256);
    else
        snprintf(text, SETTING_BYTES, "%s=%" PRId64, p->name, value);
    snprintf(spec, sizeof spec, "%s:%s", algorithm->name, text);
    if (out->count + 1 == SETTINGS || !is_accepted(made, spec)) return false;
    out->parameter[out->count++] = parameter;
    return true;
}

/* All but the default one, of choices and of a few numbers; of others the least and the largest. */
static void add_settings(const world *made, const cairn_algorithm *algorithm, uint32_t parameter,
                         settings *out)
{
    enum { FEW = 4 };
    const cairn_parameter *p = &algorithm->parameters[parameter];
    int64_t step = p->type == CAIRN_PARAMETER_NUMBER ? 256 : 1, value = p->minimum;
    bool every = p->type == CAIRN_PARAMETER_CHOICE || p->maximum - p->minimum <= FEW * step;
    for (; value < p->maximum; value += step) {
        if (add_setting(made, algorithm, parameter, value, out) && !every) break;
    }
    add_setting(made, algorithm, parameter, p->maximum, out);
}

static settings settings_of(const world *made, const cairn_algorithm *algorithm)
{
    settings all = {.count = 0};
    for (uint32_t i = 0; i < algorithm->parameter_count; i++) {
        if (strcmp(algorithm->parameters[i].name, "effort")) add_settings(made, algorithm, i, &all);
    }
    return all;
}

/* What an algorithm that may give up is asked with: long searches have the same units as short
 * ones. */
static const char *effort_of(const cairn_algorithm *algorithm)
{
    return algorithm->flags & CAIRN_EXPONENTIAL ? ",effort=3000" : "";
}

/* Planners with the parameter `loop` have the loop of A*, and a setting does there what it does in
 * A*. So those that A* has as well are asked with A* only. */
static bool is_of_astar(const world *made, const cairn_algorithm *algorithm, const char *setting)
{
    static settings astar;
    bool loop = false, same = false;
    if (!astar.count) astar = settings_of(made, cairn_algorithm_find("astar", 5));
    for (uint32_t i = 0; i < algorithm->parameter_count; i++)
        loop |= !strcmp(algorithm->parameters[i].name, "loop");
    for (uint32_t i = 0; i < astar.count; i++) same |= !strcmp(astar.text[i], setting);
    return loop && same && strcmp(algorithm->name, "astar");
}

/* Every setting by itself; with `full` on all worlds, and each two of different parameters. */
static bool ask_settings(const world *made, const cairn_algorithm *algorithm, bool full)
{
    bool good = true;
    char spec[SPEC_BYTES];
    settings all = settings_of(made, algorithm);
    for (uint32_t i = 0; i < all.count; i++) {
        if (!full && is_of_astar(made, algorithm, all.text[i])) continue;
        snprintf(spec, sizeof spec, "%s:%s%s", algorithm->name, all.text[i], effort_of(algorithm));
        good &= ask_planner(made, spec, full ? REACH_ALL : REACH_SOME, (int32_t)all.parameter[i]);
        for (uint32_t j = full ? 0 : i; j < i; j++) {
            if (all.parameter[i] == all.parameter[j]) continue;
            snprintf(spec, sizeof spec, "%s:%s,%s%s", algorithm->name, all.text[j], all.text[i],
                     effort_of(algorithm));
            if (is_accepted(made, spec)) good &= ask_planner(made, spec, REACH_SOME, -1);
        }
    }
    return good;
}

static bool ask_planners(const world *made, bool full)
{
    bool good = true;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *algorithm = cairn_algorithm_at(i);
        char spec[SPEC_BYTES];
        const char *effort = effort_of(algorithm);
        snprintf(spec, sizeof spec, "%s%s%s", algorithm->name, *effort ? ":" : "",
                 *effort ? effort + 1 : "");
        good &= ask_planner(made, spec, REACH_ALL, -1);
        good &= ask_settings(made, algorithm, full);
    }
    return good;
}

/* Long paths, of which a partial one is kept: with memory for one arm and a part of the other. */
static bool ask_along_arms(const world *made)
{
    static const char *const specs[] = {"idastar:effort=60000", "me-idastar:effort=60000",
                                        "smastar:nodes=42000,effort=60000"};
    bool good = true;
    for (uint32_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        worst all = {.world = "", .parameter = -1};
        for (uint32_t k = 0; k < WORLDS; k++)
            if (worlds[k].queries == FROM_ARMS) ask_all(&made[k], specs[i], FROM_ARMS, &all);
        good &= tell(specs[i], &all) && all.step;
    }
    return good;
}

/* ---- indexes in slices ---- */

enum { SLICE_COMMITS = 3, LARGE = 2048, STREWN = 3000, SLICED_LINKS = 2000, SOME_UNITS = 400 };

/* Turns a patch, a row and many single cells, and adds links: the number-th commit. */
static void edit_much(const world *w, uint32_t number)
{
    const uint32_t side = w->side, left = side / 8 * number, patch = side / 8;
    for (uint32_t i = 0; i < patch * patch + side + STREWN; i++) {
        uint32_t cell = i < patch * patch          ? (left + i / patch) * side + left + i % patch
                        : i < patch * patch + side ? (side / 2 + number) * side + i - patch * patch
                                                   : chance(side * side);
        int32_t x = (int32_t)(cell % side), y = (int32_t)(cell / side);
        check(cairn_grid_set_open(w->grid, x, y, !cairn_grid_is_open(w->grid, x, y)), "edits");
    }
    for (uint32_t i = 0; i < SLICED_LINKS; i++) {
        cairn_link link = {.from = chance(side * side), .to = chance(side * side), .id = i};
        link.cost = 256 * side * 2;
        if (link.from != link.to) check(cairn_grid_add_link(w->grid, &link), "links");
    }
    check(cairn_grid_commit(w->grid), "edits");
}

/* At most so many units; false: the index is ready. What begins it is a part of the first unit. */
static bool sync_in_slices(cairn_planner *planner, const world *w, uint64_t most, worst *all)
{
    for (uint64_t unit = 1; unit <= most; unit++) {
        instructions = 0;
        cairn_status status = cairn_planner_sync_step(planner, 1, NULL);
        note(all, w, 0, unit);
        if (status == CAIRN_OK) return false;
        check(-(status != CAIRN_RUNNING), "a slice");
    }
    return true;
}

/* A build and repairs, with commits at their ends and in the middle. */
static bool ask_slices(cairn_context *context, const char *spec, uint32_t place, uint32_t side)
{
    worst all = {.world = "", .parameter = -1};
    world w = {.name = worlds[place].name, .side = side};
    cairn_planner *planner;
    chance_state = 7;
    worlds[place].make(context, &w, worlds[place].kind);
    check(cairn_planner_create(w.space, spec, &planner, NULL), spec);
    for (uint32_t i = 0; i < SLICE_COMMITS; i++) {
        if (sync_in_slices(planner, &w, i % 2 ? UINT64_MAX : SOME_UNITS, &all) || i % 2)
            edit_much(&w, i + 1);
    }
    sync_in_slices(planner, &w, UINT64_MAX, &all);
    cairn_planner_destroy(planner);
    destroy(&w);
    char name[SPEC_BYTES];
    snprintf(name, sizeof name, "%s, in slices", spec);
    return tell(name, &all) && all.step;
}

/* The indexes whose slices are divided into units; the others finish what they have begun
 * (planner.h). */
static bool ask_indexes(cairn_context *context, bool full)
{
    enum { OPEN = 0, RANDOM = 2, SHORTCUTS = 5 };
    bool good = ask_slices(context, "jps-plus", RANDOM, LARGE / 4);
    good &= ask_slices(context, "jps-plus", OPEN, full ? LARGE : LARGE / 2);
    good &= ask_slices(context, "jps-plus", SHORTCUTS, LARGE / 8);
    return good & ask_slices(context, "jps-plus:boxes=on", RANDOM, 64);
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
    uint64_t unit = (uint64_t)atoll(argv[5]);
    worst all = {.world = "", .parameter = -1};
    world w;
    while (place < WORLDS && strncmp(worlds[place].name, argv[3], strcspn(argv[3], "/"))) place++;
    const char *side = strchr(argv[3], '/');
    while (place < WORLDS && side && worlds[place].side != (uint32_t)atoi(side + 1)) place++;
    if (place == WORLDS) exit(2);
    make(context, &w, place);
    cairn_search *search = search_of(&w, argv[2], &all);
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
        bool gates = measure_gates();
        for (uint32_t i = 0; i < WORLDS; i++) make(context, &made[i], i);
        bool full = argc > 2 && !strcmp(argv[2], "--full");
        good = argc == 2 || full ? ask_planners(made, full)
                                 : ask_planner(made, argv[2], REACH_EACH, -1);
        if (argc == 2 || full) good &= ask_along_arms(made);
        if (argc == 2 || full) good &= ask_indexes(context, full);
        good &= gates;
        for (uint32_t i = 0; i < WORLDS; i++) destroy(&made[i]);
    }
    cairn_context_destroy(context);
    free(weights);
    if (strange && argc != 6) fprintf(stderr, "units: %" PRIu64 " blocks of no weight\n", strange);
    return good && (!strange || argc == 6) ? 0 : 1;
}
