/* climb_graph.h: hill climbing on graphs, the same for building an index and for walking.
 *
 * A step follows the edge with the least g + h among those that come nearer, where g is what the
 * edge costs and h the straight distance from its end to the target, in units of cost: each 1.0 of
 * it counts as much as on the edge that is the cheapest for its length. So h is admissible; but it
 * is not rounded, or short edges would not come nearer. Of equally good ones the edge with the
 * larger g is taken, then the first one in the order of edges. An edge to the target itself is
 * taken before all others: so every neighbour can be climbed to, whatever the positions are, and
 * there may be none.
 *
 * As on grids (climb.h), a climb never visits a node twice, and from any node of a climb, the climb
 * to the same target is the rest of it.
 *
 * A node may have as many edges as the graph has nodes. So a step can be looked for in pieces.
 */
#ifndef CRN_CLIMB_GRAPH_H
#define CRN_CLIMB_GRAPH_H

#include "realtime/climb.h"
#include "world/graph.h"

/* The search for the step of a climb. */
typedef struct crn_graph_step {
    cairn_node from, target;
    double square;   /* of the distance between them */
    uint32_t edge;   /* the next one to be looked at, of all that leave `from`: UINT32_MAX = over */
    cairn_node to;   /* where the best one so far leads; CAIRN_NO_NODE = there is none */
    cairn_cost cost; /* g of it, ... */
    double sum;      /* ... and g + h */
} crn_graph_step;

crn_graph_step crn_graph_step_begin(const crn_graph_space *map, cairn_node from, cairn_node target);

/* Looks at some more edges, at most *looks, which are subtracted: true = it is over. */
bool crn_graph_step_go_on(const crn_graph_space *map, crn_graph_step *step, uint32_t *looks);

/* The same as the functions of climb.h without "graph". Instead of turns, a try counts edges that
 * are looked at, and gives up when there are too many. */
bool crn_graph_climb_step(const crn_graph_space *map, cairn_node *at, cairn_node to);
bool crn_graph_climb_reaches(const crn_graph_space *map, cairn_node from, cairn_node to,
                             uint32_t most, uint64_t *cost);
bool crn_graph_climb_glides(const crn_graph_space *map, cairn_node from, cairn_node to,
                            uint32_t most);

/* The straight distance between two nodes, 0 without positions. */
double crn_graph_climb_length(const crn_graph_space *map, cairn_node a, cairn_node b);

/* ---- grids or graphs ---- */

/* The cost of the climb between two nodes if nothing were in the way. */
uint64_t crn_space_climb_distance(const cairn_space *space, cairn_node a, cairn_node b);
bool crn_space_climb_step(const cairn_space *space, cairn_node *at, cairn_node to);
bool crn_space_climb_reaches(const cairn_space *space, cairn_node from, cairn_node to,
                             uint32_t most, uint64_t *cost);
bool crn_space_climb_within(const cairn_space *space, cairn_node from, cairn_node to, uint32_t most,
                            uint64_t limit);

#endif
