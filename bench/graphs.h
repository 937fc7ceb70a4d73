/* graphs.h: generated graphs for benchmark programs, by name: KIND:NODES.
 *
 * - streets: crossings on a square, moved at random, each joined to the next ones; a tenth of the
 *   streets is missing. Weights are lengths.
 * - roads: the same with three tenths missing. Every tenth row and column is a main road: its
 *   weights are 0.4 times the length, those of all others 1 to 1.5 times.
 * - near: points thrown on a square, each joined to all those nearer than a radius, so that they
 *   have eight neighbours on the mean. Weights are lengths.
 */
#ifndef BENCH_GRAPHS_H
#define BENCH_GRAPHS_H

#include "bench.h"
#include <math.h>
#include <string.h>

typedef struct bench_graph {
    uint32_t nodes, side;
    cairn_position *positions;
    cairn_graph_edge *edges;
    double *weights;
    uint32_t count, capacity;
    uint64_t state;
} bench_graph;

static inline double bench_random(bench_graph *g)
{
    return random_below(&g->state, 1000000) / 1e6;
}

static inline double bench_length(const bench_graph *g, uint32_t a, uint32_t b)
{
    double dx = g->positions[a].x - g->positions[b].x, dy = g->positions[a].y - g->positions[b].y;
    return sqrt(dx * dx + dy * dy);
}

static inline void bench_join(bench_graph *g, uint32_t a, uint32_t b, double factor)
{
    if (g->count == g->capacity) {
        g->capacity = 2 * g->capacity + 1024;
        g->edges = realloc(g->edges, g->capacity * sizeof *g->edges);
        g->weights = realloc(g->weights, g->capacity * sizeof *g->weights);
        if (!g->edges || !g->weights) exit(1);
    }
    g->weights[g->count] = factor * bench_length(g, a, b);
    g->edges[g->count++] = (cairn_graph_edge){a, b, 1};
}

/* What a metre of road between two crossings costs. */
static inline double bench_pace(bench_graph *g, uint32_t a, uint32_t b)
{
    uint32_t row = a / g->side, column = a % g->side;
    bool fast = b == a + 1 ? row % 10 == 5 : column % 10 == 5;
    return fast ? 0.4 : 1 + 0.5 * bench_random(g);
}

static inline void bench_draw_streets(bench_graph *g, bool roads)
{
    g->nodes = g->side * g->side;
    for (uint32_t i = 0; i < g->nodes; i++) {
        g->positions[i].x = i % g->side + 0.6 * bench_random(g);
        g->positions[i].y = i / g->side + 0.6 * bench_random(g);
    }
    for (uint32_t i = 0; i < g->nodes; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t to = k ? i + g->side : i + 1;
            bool inside = k ? to < g->nodes : to % g->side != 0;
            if (inside && bench_random(g) > (roads ? 0.3 : 0.1))
                bench_join(g, i, to, roads ? bench_pace(g, i, to) : 1);
        }
    }
}

/* Squares as large as the radius hold lists of their points. */
static inline void bench_draw_near(bench_graph *g)
{
    double radius = sqrt(8 / (3.141592653589793 * g->nodes));
    uint32_t squares = (uint32_t)(1 / radius) + 1;
    uint32_t *next = malloc(g->nodes * sizeof *next),
             *first = malloc((size_t)squares * squares * sizeof *first);
    if (!next || !first) exit(1);
    memset(first, 0xff, (size_t)squares * squares * sizeof *first);
    for (uint32_t i = 0; i < g->nodes; i++) {
        g->positions[i] = (cairn_position){bench_random(g), bench_random(g), 0};
        uint32_t column = (uint32_t)(g->positions[i].x / radius),
                 row = (uint32_t)(g->positions[i].y / radius);
        for (uint32_t k = 0; k < 9; k++) {
            uint32_t x = column + k % 3 - 1, y = row + k / 3 - 1;
            if (x >= squares || y >= squares) continue;
            for (uint32_t j = first[y * squares + x]; j != UINT32_MAX; j = next[j]) {
                if (bench_length(g, i, j) < radius) bench_join(g, i, j, 1000);
            }
        }
        next[i] = first[row * squares + column];
        first[row * squares + column] = i;
    }
    free(next), free(first);
}

/* NULL: the name is none of these. */
static inline cairn_graph *bench_graph_of(cairn_context *context, const char *name)
{
    static const char *const kinds[] = {"streets:", "roads:", "near:"};
    uint32_t kind = 0;
    while (kind < 3 && strncmp(name, kinds[kind], strlen(kinds[kind])) != 0) kind++;
    if (kind == 3) return NULL;
    bench_graph g = {.nodes = (uint32_t)strtoul(strchr(name, ':') + 1, NULL, 10), .state = 1};
    cairn_graph *graph;
    g.side = (uint32_t)sqrt(g.nodes);
    g.positions = calloc(g.nodes + 1, sizeof *g.positions);
    if (!g.positions) exit(1);
    if (kind == 2) {
        bench_draw_near(&g);
    } else {
        bench_draw_streets(&g, kind == 1);
    }
    cairn_graph_options options = {.node_count = g.nodes,
                                   .edge_count = g.count,
                                   .positions = g.positions,
                                   .edges = g.edges,
                                   .weights = g.weights,
                                   .both_ways = true};
    check(cairn_graph_create(context, &options, &graph, NULL), name);
    free(g.positions), free(g.edges), free(g.weights);
    return graph;
}

#endif
