/* graph.h (internal): how a graph is stored, and what its space looks like. */
#ifndef CRN_GRAPH_H
#define CRN_GRAPH_H

#include "core/core.h"
#include "world/grid.h"
#include "world/space.h"
#include <cairn/graph.h>

struct crn_graph_space;

/* An edge, open or closed. */
typedef struct crn_stock_edge {
    cairn_edge edge;
    bool closed;
} crn_stock_edge;

/* All edges by the node they leave, those that cannot be used included. */
typedef struct crn_graph_stock {
    uint32_t *offsets;
    crn_stock_edge *edges;
    uint32_t edge_count;
} crn_graph_stock;

/* A staged change. */
typedef enum crn_graph_edit_kind {
    CRN_GRAPH_OPEN,
    CRN_GRAPH_WEIGHT,
    CRN_GRAPH_ADD,
    CRN_GRAPH_NODE,
    CRN_GRAPH_MOVE
} crn_graph_edit_kind;

typedef struct crn_graph_edit {
    crn_graph_edit_kind kind;
    cairn_node node, to; /* `to` of edges */
    uint32_t order;      /* of staging */
    bool open;
    cairn_cost weight;
    cairn_position position;
} crn_graph_edit;

/* One remembered commit: the nodes whose edges it changed, ascending. */
typedef struct crn_graph_commit {
    uint64_t version;
    cairn_node *nodes;
    uint32_t count;
} crn_graph_commit;

/* Edges are stored by the node they leave: those of node n are edges[offsets[n]] up to
 * edges[offsets[n + 1]], in the order given. Closed ones, and those of disabled nodes, are not
 * among them. */
struct cairn_graph {
    cairn_context *context;
    crn_holders holders; /* spaces */
    uint32_t node_count;
    uint32_t edge_count; /* directed ones: twice the given number if both_ways */
    uint32_t *offsets;   /* node_count + 1 */
    cairn_edge *edges;
    cairn_cost min_weight, max_weight;
    double unit;          /* cost units per 1.0 of weight; 1 if weights were integers */
    bool integer_weights; /* weights were given as integers */
    bool symmetric;       /* every edge has one back that costs the same: known, not looked for */

    cairn_position *positions; /* NULL = none */
    uint32_t *tree;            /* the nodes as a k-d tree (graph_tree.c); NULL without positions */
    bool tall;                 /* some z is not 0 */

    /* By heuristic: the least weight / distance of all edges in that metric; 0 = no bound. */
    double estimate_scale[CAIRN_HEURISTIC_COUNT];
    size_t bytes; /* of all above */

    /* Edits (graph_commit.c). */
    uint64_t version;
    uint64_t moved_version; /* in which positions were last changed */
    crn_graph_stock stock;  /* only if an edge is closed or a node disabled */
    uint8_t *disabled;      /* 1 for each disabled node; NULL = there is none */
    crn_graph_edit *edits;  /* staged */
    size_t edit_count, edit_capacity;
    crn_graph_commit commits[CRN_COMMITS_KEPT]; /* ring, by version */
    struct crn_graph_space *spaces;             /* linked: they follow every commit */
};

/* How many nodes and edges there are, those that cannot be used included. */
CRN_INLINE uint64_t crn_graph_size(const cairn_graph *graph)
{
    return (uint64_t)graph->node_count +
           (graph->stock.offsets ? graph->stock.edge_count : graph->edge_count);
}

CRN_INLINE bool crn_graph_disabled(const cairn_graph *graph, cairn_node node)
{
    return graph->disabled && graph->disabled[node];
}

/* What a weight is in cost units; 0 if it is out of range. */
cairn_cost crn_graph_round(double weight, double unit);
bool crn_graph_finite(cairn_position position);

/* Finds min_weight, max_weight and, with positions, the scales of estimates. */
void crn_graph_measure(cairn_graph *graph);

/* Frees what edits hold; what they hold in bytes. */
void crn_graph_forget_edits(cairn_graph *graph);
size_t crn_graph_edit_bytes(const cairn_graph *graph);

/* For loading: marks edges as closed and nodes as disabled, one byte each, NULL = none. As if the
 * graph had always been like that. Only before it has spaces. */
cairn_status crn_graph_hide(cairn_graph *graph, const uint8_t *closed, const uint8_t *disabled);

/* Copies a graph as it was committed last, into another context (known.c). CAIRN_OUT_OF_MEMORY. */
cairn_status crn_graph_copy(cairn_context *context, const cairn_graph *graph, cairn_graph **out);

/* Stages in a copy, instead of all that was staged there, what makes it the same as the graph that
 * it is an older copy of. CAIRN_OUT_OF_MEMORY. */
cairn_status crn_graph_stage_changes(cairn_graph *copy, const cairn_graph *graph);

/* The edges by the node they lead to (graph_back.c): those to node n are edges[offsets[n]] up to
 * edges[offsets[n + 1]]. Not made (NULL) where every edge has one back that costs the same. */
typedef struct crn_graph_back {
    uint32_t *offsets;
    cairn_edge *edges;
    uint32_t node_count, edge_count;
} crn_graph_back;

bool crn_graph_back_make(const cairn_graph *graph, crn_graph_back *out); /* false = no memory */
void crn_graph_back_destroy(cairn_context *context, crn_graph_back *back);
size_t crn_graph_back_bytes(const crn_graph_back *back);

typedef struct crn_graph_space {
    cairn_space base;
    cairn_graph *graph;
    struct crn_graph_space *next; /* of the same graph */
    crn_graph_back back;
    struct crn_graph_space *coming; /* while a commit is prepared: what this one becomes */
    uint32_t *component;            /* of each node, from 1 on */
    bool directed;
} crn_graph_space;

/* A space as one of a graph; NULL: it is of another world. */
CRN_INLINE const crn_graph_space *crn_graph_space_of(const cairn_space *space)
{
    return space->world == CAIRN_WORLD_GRAPH ? (const crn_graph_space *)(const void *)space : NULL;
}

/* Fills in the component of each node, and whether a component may have nodes that do not all reach
 * each other (graph_components.c). False = no memory. */
bool crn_graph_components(const cairn_graph *graph, uint32_t *component, bool *directed);

/* Before a commit: makes all that the space will hold when the graph is as `next`; false = no
 * memory. Then either takes it over or drops it. */
bool crn_graph_space_prepare(crn_graph_space *space, const cairn_graph *next);
void crn_graph_space_refresh(crn_graph_space *space);
void crn_graph_space_forget(crn_graph_space *space);

/* Distance by one metric from |dx|, |dy| and |dz|. */
double crn_graph_metric(cairn_heuristic heuristic, double dx, double dy, double dz);

/* A lower bound of the cost from a position to any in the box, if every edge costs at least `scale`
 * for each 1.0 of its length: ⌊scale · distance · (1 − 2⁻⁴⁰)⌋. */
cairn_cost crn_graph_estimate(cairn_heuristic heuristic, double scale, cairn_position position,
                              const crn_box *box);

/* Distances below this are rounded too coarsely to give a bound. */
#define CRN_GRAPH_TINY 1e-290

/* ---- the k-d tree over the positions (graph_tree.c) ---- */

/* A squared distance. Squares of very long or very short distances do not fit a double, so these
 * are scaled by a power of two, and `range` tells the three kinds apart. */
typedef struct crn_tree_distance {
    int range;
    double square;
} crn_tree_distance;

/* A piece of the tree is split along one of these. */
typedef enum crn_tree_axis { CRN_TREE_X, CRN_TREE_Y, CRN_TREE_Z } crn_tree_axis;

/* A piece of the tree still to be done, and for walks how far away it is at least. */
typedef struct crn_tree_piece {
    uint32_t begin, end;
    crn_tree_axis axis;
    crn_tree_distance distance;
} crn_tree_piece;

/* Pieces halve with every level, and one waits at each. */
#define CRN_TREE_LEVELS 34

/* The search for the node nearest to a position. */
typedef struct crn_tree_walk {
    cairn_position position;
    bool open;       /* only open nodes count */
    cairn_node best; /* so far; CAIRN_NO_NODE = none yet, ... */
    crn_tree_distance distance;
    uint32_t height; /* pieces that wait */
    crn_tree_piece stack[CRN_TREE_LEVELS];
} crn_tree_walk;

/* Fills graph->tree. Only for graphs with positions. */
void crn_graph_tree_build(cairn_graph *graph);

/* Begin a walk, and go on with it for at most this many looks, which are subtracted: true = it is
 * over. Without positions, and from one that is not finite, it finds none. */
void crn_graph_tree_begin(const cairn_graph *graph, cairn_position position, bool open,
                          crn_tree_walk *walk);
bool crn_graph_tree_go_on(const cairn_graph *graph, crn_tree_walk *walk, uint32_t *looks);

/* The checker (validate.c). */
uint64_t crn_graph_validate(const cairn_space *space, cairn_fault_report *report, void *user);

#endif
