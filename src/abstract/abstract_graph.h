/* abstract_graph.h: the abstract graph of a world, as a space.
 *
 * A node has a position and a list of edges. Both may change while the index lives. So every node's
 * list has a place in a pool, as large as the next power of two, and places that are given up are
 * used again.
 *
 * The space is a view of the graph for one search. It can leave out all nodes but those of chosen
 * groups (a corridor). It has two additional nodes, a start and a goal, each with edges that only
 * this search knows. So searching an abstract graph is searching a space, and the best-first loop
 * does it.
 */
#ifndef CRN_ABSTRACT_GRAPH_H
#define CRN_ABSTRACT_GRAPH_H

#include "abstract/lists.h"
#include "world/grid_space.h"
#include "world/space.h"

#define CRN_ABSTRACT_UNITS 16 /* positions count in 16ths of a cell */

typedef struct crn_abstract_node {
    int32_t x, y;          /* of its centre */
    uint32_t first, count; /* its edges */
} crn_abstract_node;

typedef struct crn_abstract_graph {
    cairn_context *context;
    crn_abstract_node *nodes;
    size_t node_count, node_capacity;
    cairn_edge *edges; /* the items of the pool */
    crn_list_pool pool;
} crn_abstract_graph;

void crn_abstract_open(crn_abstract_graph *graph, cairn_context *context);
void crn_abstract_close(crn_abstract_graph *graph);
size_t crn_abstract_bytes(const crn_abstract_graph *graph);

/* Adds a node without edges and returns its number; CAIRN_NO_NODE = no memory. */
cairn_node crn_abstract_add(crn_abstract_graph *graph, int32_t x, int32_t y);

/* Sets the edges of a node. False = no memory, and nothing has changed. `edges` must not lie in the
 * pool. */
bool crn_abstract_connect(crn_abstract_graph *graph, cairn_node node, const cairn_edge *edges,
                          uint32_t count);

/* All edges, led the other way, into an empty one; false = no memory. */
bool crn_abstract_reverse(const crn_abstract_graph *from, crn_abstract_graph *to);

CRN_INLINE const cairn_edge *crn_abstract_edges(const crn_abstract_graph *graph, cairn_node node)
{
    uint32_t first = graph->nodes[node].first;
    return first ? graph->edges + first : graph->edges; /* there may be none at all */
}

/* A lower bound of the cost between two positions. */
typedef struct crn_metric {
    uint32_t straight,
        shortcut; /* squares: a straight step, and what a diagonal one saves over two of them */
    bool hex;
    bool blind; /* positions say nothing: everything is 0 apart */
} crn_metric;

/* Returns the metric of a world's space, by its cheapest terrain. All but grids are blind. Links
 * that are shortcuts are left out. */
crn_metric crn_metric_of(const cairn_space *ground);

CRN_INLINE uint64_t crn_metric_distance(crn_metric metric, int32_t ax, int32_t ay, int32_t bx,
                                        int32_t by)
{
    uint64_t dx = (uint32_t)(ax < bx ? bx - ax : ax - bx),
             dy = (uint32_t)(ay < by ? by - ay : ay - by);
    if (CRN_UNLIKELY(metric.hex))
        return metric.straight * (dy + (dx > dy / 2 ? dx - dy / 2 : 0)) / CRN_ABSTRACT_UNITS;
    return (metric.straight * (dx + dy) - metric.shortcut * (dx < dy ? dx : dy)) /
           CRN_ABSTRACT_UNITS;
}

/* The entrances of links that may be shortcuts to one cell, and what the rest costs from there at
 * least (world/links.h). */
typedef struct crn_metric_gates {
    crn_gate gates[CRN_GATES]; /* in the units of positions */
    uint32_t count;
} crn_metric_gates;

/* Finds the gates that lead to a cell. True: there are too many, and estimates must be 0. */
bool crn_metric_open_gates(const cairn_space *ground, cairn_node to, crn_metric_gates *gates);

/* Returns a lower bound of the cost between two positions; gates (or NULL) lead to the second. */
uint64_t crn_metric_bound(crn_metric metric, const crn_metric_gates *gates, const int32_t from[2],
                          const int32_t to[2]);

/* Returns where the centre of a cell lies, in 16ths of a cell. Odd rows of hexagons lie half a cell
 * to the right. (Rows count as a cell apart.) */
void crn_abstract_position(const cairn_space *ground, cairn_node cell, int32_t *x, int32_t *y);

/* One search's view. Fields may be set between queries. */
typedef struct crn_abstract_view {
    cairn_space base; /* pass it to a search */
    const crn_abstract_graph *graph;
    const cairn_space *ground;
    crn_metric metric;
    const crn_metric_gates *gates; /* that lead to the goal of the search; NULL = none */

    /* A corridor: a node belongs to group[node], and is left out if stamps[group[node]] != stamp.
     * NULL = all nodes. */
    const uint32_t *group, *stamps;
    uint32_t stamp;

    /* Two nodes that only this view has: their numbers are graph->node_count and the one after it.
     * `leave` holds the edges of the start. `arrive` lists the nodes from which the goal is
     * reached, with the costs, ascending by node. Edges between start and goal are in `leave`. */
    crn_abstract_node start, goal;
    const cairn_edge *leave, *arrive;
    uint32_t leave_count, arrive_count;

    /* The same edges, reversed (crn_abstract_reverse), for walking backwards. NULL: the edges that
     * lead to a node are searched among all edges. */
    const crn_abstract_graph *back;

    /* Writes edges of nodes that no list has, to nodes that are shown, and returns how many. Begins
     * at *at, which is 0 at first, and moves it on: after a bounded number of edges, shown or not;
     * UINT32_MAX: there are no more. They are not walked backwards. NULL: there are none. */
    uint32_t (*more)(const struct crn_abstract_view *view, cairn_node node, uint32_t *at,
                     cairn_edge *out, uint32_t capacity);

    void *owner; /* for a user who gives the view functions of its own, based on these */
} crn_abstract_view;

extern const crn_space_functions crn_abstract_functions;

/* Open a view, and refresh it when the graph has changed. min_edge and max_edge bound the graph's
 * and the view's own edges. They shape the open list; any correct bounds will do. */
void crn_abstract_view_open(crn_abstract_view *view, const crn_abstract_graph *graph,
                            const cairn_space *ground);
void crn_abstract_view_refresh(crn_abstract_view *view, cairn_cost min_edge, cairn_cost max_edge);

/* Call it after a refresh where links may be shortcuts, before a search to a cell: finds the gates
 * that lead there, or makes the view blind if there are too many. `gates` must outlive the view. */
void crn_abstract_view_open_gates(crn_abstract_view *view, cairn_node to, crn_metric_gates *gates);

/* Do estimates compare many gates? */
CRN_INLINE bool crn_abstract_view_sees_gates(const crn_abstract_view *view)
{
    enum { MANY = 24 };
    return view->gates && view->gates->count > MANY;
}

/* The same without a certain goal: blind, if any link is a shortcut. */
void crn_abstract_view_close_gates(crn_abstract_view *view);

/* Returns a lower bound of the cost from a node to the goal that the gates lead to. */
uint64_t crn_abstract_view_distance(const crn_abstract_view *view, const crn_abstract_node *from,
                                    int32_t goal_x, int32_t goal_y);

/* Returns a bound of the cheapest edge that is as large as need be for buckets to suffice. A few
 * very expensive edges, as along links, would make searches sort their nodes. */
CRN_INLINE cairn_cost crn_abstract_least(uint64_t least, cairn_cost most)
{
    enum { MOST_TIMES = 240 }; /* in best_first_prepare_list, 4096 buckets are enough for that */
    while (least * MOST_TIMES < most) least *= 2;
    return (cairn_cost)least;
}

/* Other bounds of the edges. */
CRN_INLINE void crn_abstract_view_bound(crn_abstract_view *view, cairn_cost min_edge,
                                        cairn_cost max_edge)
{
    view->base.min_edge = min_edge;
    view->base.max_edge = view->base.max_step = max_edge;
}

/* Returns the view if the space is one of an abstract graph, else NULL. */
const crn_abstract_view *crn_abstract_view_of(const cairn_space *space);

/* Writes what `more` adds to the edges of a node, but for the first ones. Returns how many. */
uint32_t crn_abstract_view_more(const crn_abstract_view *view, cairn_node node, uint32_t first,
                                cairn_edge *out, uint32_t capacity);

/* Returns the cost of the edge from a node to the goal of the view, or CAIRN_NO_COST if there is
 * none. */
cairn_cost crn_abstract_view_arrival(const crn_abstract_view *view, cairn_node node);

CRN_INLINE cairn_node crn_abstract_view_start(const crn_abstract_view *view)
{
    return (cairn_node)view->graph->node_count;
}

CRN_INLINE cairn_node crn_abstract_view_goal(const crn_abstract_view *view)
{
    return (cairn_node)view->graph->node_count + 1;
}

CRN_INLINE const crn_abstract_node *crn_abstract_view_node(const crn_abstract_view *view,
                                                           cairn_node node)
{
    size_t count = view->graph->node_count;
    return node < count ? &view->graph->nodes[node] : node == count ? &view->start : &view->goal;
}

CRN_INLINE bool crn_abstract_view_shows(const crn_abstract_view *view, cairn_node node)
{
    return !view->group || node >= view->graph->node_count ||
           view->stamps[view->group[node]] == view->stamp;
}

#endif
