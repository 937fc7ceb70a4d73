/* oracle.h: the answer book. A plain Dijkstra written only for the tests: it shares no
 * code with the library and no cleverness with anybody. It reads raw arrays, applies the
 * rules in the words of include/cairn/space.h one cell pair at a time, writes every edge
 * into a list, and counts in 64 bits, so that it cannot overflow where the library might.
 */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include <cairn/cairn.h>

#define ORACLE_NONE UINT64_MAX

/* What the library is given, as it was before the library saw it. Arrays other than
 * `open` may be NULL: all ground, no extra cost, all flat. */
typedef struct oracle_grid {
    uint32_t width, height;
    const uint8_t *open, *terrain, *layer;
    const uint16_t *added; /* on top of the extra layer, in its units */
    const int16_t *elevation;
    bool hex;
    const cairn_link *links;
    uint32_t link_count;
} oracle_grid;

/* All answers from one node. Many planners are asked the same, so the last few are kept. */
typedef struct oracle_answers {
    cairn_node from;
    uint64_t *distance;
    uint32_t *steps;
} oracle_answers;

enum { ORACLE_KEPT = 64 };

typedef struct oracle {
    uint32_t count; /* nodes */
    bool *usable;
    uint32_t *first; /* count + 1: edges of node n are first[n] … first[n + 1] - 1 */
    uint32_t *to;
    uint64_t *cost;
    uint64_t *link; /* of each edge: 1 + the id of the link that it is, 0 for steps */
    /* filled by oracle_search */
    uint64_t *distance; /* ORACLE_NONE = not reachable */
    uint32_t *steps;    /* fewest steps, UINT32_MAX = not reachable */
    oracle_answers kept[ORACLE_KEPT];
    uint32_t searches; /* that were not answered from these */
    bool costs_only;   /* nobody asks for steps: set it to be twice as fast */
    /* scratch */
    uint64_t *heap_key;
    uint32_t *heap_node;
    uint32_t edges, heap_size;
} oracle;

/* `scale` is what a straight and a diagonal step cost. */
oracle *oracle_of_grid(const oracle_grid *grid, const cairn_profile *profile, cairn_scale scale);
oracle *oracle_of_edges(uint32_t count, const cairn_graph_edge *edges, uint32_t edge_count,
                        bool both_ways);
void oracle_destroy(oracle *o);

/* Least cost and fewest steps from one node to all others. From an unusable node nothing
 * is reachable. */
void oracle_search(oracle *o, cairn_node from);

/* The cheapest edge, ORACLE_NONE if there is none. */
uint64_t oracle_edge(const oracle *o, cairn_node a, cairn_node b);

/* The step on foot, and the cheapest link of this id. */
uint64_t oracle_walk(const oracle *o, cairn_node a, cairn_node b);
uint64_t oracle_link(const oracle *o, cairn_node a, cairn_node b, uint32_t id);

/* Where the centre of a cell lies, in cells. */
cairn_position oracle_centre(const oracle_grid *grid, int64_t x, int64_t y);

/* Is b one of the cells round a that a step may lead to? */
bool oracle_touches(const oracle_grid *grid, cairn_node a, cairn_node b);

/* May an agent step from a to b? `pretend` leaves out the question whether it may stand
 * on b. */
bool oracle_may_step(const oracle_grid *grid, const cairn_profile *profile, cairn_node a,
                     cairn_node b, bool pretend);
bool oracle_may_stand(const oracle_grid *grid, const cairn_profile *profile, int64_t x, int64_t y);

#endif
