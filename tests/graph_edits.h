/* graph_edits.h: graphs that change. A plain list of edges, open or closed, and of nodes is
 * edited beside the graph; what can be used of it is what the graph must say.
 */
#ifndef TESTS_GRAPH_EDITS_H
#define TESTS_GRAPH_EDITS_H

#include "scenes.h"
#include "support.h"

typedef struct drawn_edge {
    cairn_graph_edge edge;
    bool open;
} drawn_edge;

typedef struct drawn_graph {
    uint32_t node_count;
    drawn_edge *edges; /* in the order of adding */
    uint32_t edge_count, capacity;
    bool *open; /* by node */
    cairn_position *positions;
    uint32_t scale; /* of new weights; 0 = 1 */
} drawn_graph;

static inline void drawn_add(drawn_graph *d, cairn_graph_edge edge)
{
    if (d->edge_count == d->capacity) {
        d->capacity = 2 * d->capacity + 16;
        d->edges = realloc(d->edges, d->capacity * sizeof *d->edges);
        if (!d->edges) abort();
    }
    d->edges[d->edge_count++] = (drawn_edge){edge, true};
}

static inline drawn_graph drawn_of(const cairn_graph *graph)
{
    drawn_graph d = {.node_count = cairn_graph_node_count(graph)};
    d.open = malloc(d.node_count * sizeof *d.open);
    d.positions = malloc(d.node_count * sizeof *d.positions);
    if (!d.open || !d.positions) abort();
    for (cairn_node n = 0; n < d.node_count; n++) {
        d.open[n] = true;
        d.positions[n] = cairn_graph_position(graph, n);
        for (uint32_t i = 0; i < cairn_graph_degree(graph, n); i++)
            drawn_add(&d, cairn_graph_edge_at(graph, n, i));
    }
    return d;
}

static inline void drawn_free(drawn_graph *d)
{
    free(d->edges), free(d->open), free(d->positions);
}

/* Can an edge be used? */
static inline bool drawn_usable(const drawn_graph *d, const drawn_edge *e)
{
    return e->open && d->open[e->edge.from] && d->open[e->edge.to];
}

/* The edges that can, in the order that the graph keeps: a list of the caller's. */
static inline cairn_graph_edge *drawn_list(const drawn_graph *d, uint32_t *count)
{
    cairn_graph_edge *list = malloc((d->edge_count + 1) * sizeof *list);
    if (!list) abort();
    *count = 0;
    for (uint32_t i = 0; i < d->edge_count; i++) {
        if (drawn_usable(d, &d->edges[i])) list[(*count)++] = d->edges[i].edge;
    }
    return list;
}

static inline oracle *drawn_oracle(const drawn_graph *d)
{
    uint32_t count;
    cairn_graph_edge *list = drawn_list(d, &count);
    oracle *o = oracle_of_edges(d->node_count, list, count, false);
    for (cairn_node n = 0; n < d->node_count; n++) o->usable[n] = d->open[n];
    free(list);
    return o;
}

static inline cairn_cost drawn_weight(const drawn_graph *d, scene_rng *rng)
{
    return (1 + scene_random(rng, 4000)) * (d->scale ? d->scale : 1);
}

static inline void drawn_edit_edges(drawn_graph *d, cairn_graph *graph, scene_rng *rng,
                                    uint32_t what)
{
    cairn_graph_edge e = d->edges[scene_random(rng, d->edge_count)].edge;
    bool open = scene_random(rng, 2);
    cairn_cost weight = drawn_weight(d, rng);
    for (uint32_t i = 0; i < d->edge_count; i++) {
        drawn_edge *other = &d->edges[i];
        if (other->edge.from != e.from || other->edge.to != e.to) continue;
        if (what) {
            other->edge.weight = weight;
        } else {
            other->open = open;
        }
    }
    CHECK_OK(what ? cairn_graph_set_weight(graph, e.from, e.to, weight)
                  : cairn_graph_set_edge_open(graph, e.from, e.to, open));
}

/* Stages one change, and makes it in the drawing. */
static inline void drawn_edit(drawn_graph *d, cairn_graph *graph, scene_rng *rng)
{
    uint32_t what = scene_random(rng, 8);
    cairn_node a = scene_random(rng, d->node_count), b = scene_random(rng, d->node_count);
    if (what < 4 && d->edge_count) {
        drawn_edit_edges(d, graph, rng, what & 1);
    } else if (what == 4 && a != b) {
        cairn_graph_edge edge = {a, b, drawn_weight(d, rng)};
        drawn_add(d, edge);
        CHECK_OK(cairn_graph_add_edge(graph, &edge));
    } else if (what == 5 && cairn_graph_has_positions(graph)) {
        /* heights come and go */
        double z = scene_random(rng, 4) ? 0 : scene_random(rng, 800) / 8.0;
        d->positions[a] =
            (cairn_position){scene_random(rng, 3000) / 8.0, scene_random(rng, 3000) / 8.0, z};
        CHECK_OK(cairn_graph_set_position(graph, a, d->positions[a]));
    } else {
        d->open[a] = scene_random(rng, 4) > 0;
        CHECK_OK(cairn_graph_set_node_open(graph, a, d->open[a]));
    }
}

#endif
