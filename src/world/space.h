/* space.h (internal): what a space is made of.
 *
 * A space is a struct with a table of functions, so that every search can run on every
 * world through it; searches that know more (the grid loops) look into the grid part.
 */
#ifndef CRN_SPACE_H
#define CRN_SPACE_H

#include "core/core.h"
#include "world/cost.h"
#include <cairn/space.h>

typedef struct crn_space_functions {
    void (*destroy)(cairn_space *space);
    uint32_t (*expand)(const cairn_space *space, cairn_node node, uint32_t first, cairn_edge *out,
                       uint32_t capacity);
    bool (*usable)(const cairn_space *space, cairn_node node);
    cairn_position (*position)(const cairn_space *space, cairn_node node);
    cairn_node (*node_at)(const cairn_space *space, cairn_position position);
    /* Estimated cost from a node to the nearest place in a box of positions (for grids: of
     * cells). One goal is a box of one point. */
    cairn_cost (*estimate)(const cairn_space *space, cairn_heuristic heuristic, cairn_node node,
                           const crn_box *box);
    uint64_t (*version)(const cairn_space *space);
    uint64_t (*validate)(const cairn_space *space, cairn_fault_report *report, void *user);
    size_t (*bytes)(const cairn_space *space);
    /* Reachability: the component of a node, 0 if it cannot be stood on; are there steps that
     * cannot be made back; the node of a component nearest to another one; any of its nodes.
     * Components given are those of a node. */
    uint64_t (*component)(const cairn_space *space, cairn_node node);
    bool (*directed)(const cairn_space *space);
    cairn_node (*nearest)(const cairn_space *space, uint64_t component, cairn_node to);
    cairn_node (*pick)(const cairn_space *space, uint64_t component, crn_rng *rng);
    /* How many components, and the nodes of the largest; false = no memory. */
    bool (*components)(const cairn_space *space, uint32_t *count, uint32_t *largest);
} crn_space_functions;

struct cairn_space {
    const crn_space_functions *functions;
    cairn_context *context;
    cairn_world_kind world;
    uint32_t node_count;
    cairn_cost max_edge; /* no edge costs more */
    /* nor, links excepted, this; along a step no estimate changes by more */
    cairn_cost max_step;
    cairn_cost min_edge;               /* no edge costs less, links excepted */
    cairn_heuristic default_heuristic; /* what CAIRN_HEURISTIC_AUTO means here */
    cairn_scale scale;
};

/* The names of the heuristics in the order of cairn_heuristic, ended by NULL. */
extern const char *const crn_heuristic_choices[];

/* Does the estimate never fall by more than a step costs? (heuristic.c) */
bool crn_heuristic_consistent(const cairn_space *space, cairn_heuristic heuristic);

/* Does every step cost the same for its kind, and does no height matter? (True on graphs,
 * which have no terrain.) May change with a commit. */
bool crn_space_uniform(const cairn_space *space);

#endif
