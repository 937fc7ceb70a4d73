/* links.h: links of a grid as one space sees them: doors, ladders, teleports between any two cells.
 *
 * A space keeps the links that its agent may use: of a kind that the profile allows, with both ends
 * usable.
 *
 * Estimates. A link may be a shortcut, so that the straight-line estimate is too large. For the few
 * links that are (their cost is less than the estimate between their ends), a query computes a
 * lower bound of the rest from each entrance, by links or on foot:
 *
 *     D(l) = cost(l) + min(h(exit, goal), min over m of h(exit, entrance of m) + D(m)).
 *
 * The estimate of a node is then min(h(node, goal), min over l of h(node, entrance of l) + D(l)).
 * It never exceeds the true cost, it is consistent if h is, and it still aims at the goal. gates.c
 * computes it for the entrances of most use; the others share a bound.
 */
#ifndef CRN_LINKS_H
#define CRN_LINKS_H

#include "world/gates_arrays.h"
#include "world/grid.h"
#include "world/space.h"

struct crn_grid_space;

typedef struct crn_space_link {
    cairn_node from, to;
    cairn_cost cost;
    uint32_t id;
    uint32_t target; /* number of `to` among the targets */
} crn_space_link;

/* A link by the cell it leads to. */
typedef struct crn_link_arrival {
    cairn_node to;
    uint32_t link; /* its number */
} crn_link_arrival;

/* Components that links join: which one represents all of them. */
typedef struct crn_joint {
    uint64_t component, root;
} crn_joint;

/* Shortcuts in groups of those that lie together (gates.c). */
typedef struct crn_gate_groups {
    uint32_t count;
    crn_gate entrance[CRN_GATES], out[CRN_GATES]; /* out.rest: the cost of the cheapest link */
    bool single[CRN_GATES];                       /* there is one link in the group */
} crn_gate_groups;

/* The groups, and what is the same for all queries: what it costs at least to get from one entrance
 * to another one by links, and on foot, at these costs of steps. */
typedef struct crn_gate_table {
    crn_gate_groups groups;
    uint32_t eights; /* this many times eight groups, with some that are not there */
    cairn_scale cheapest;
    uint32_t times;
    crn_gate_arrays entrances, exits;    /* the same, if they fit */
    int32_t reach[CRN_GATES][CRN_GATES]; /* to the first from the second */
    /* the estimate to the second from the farthest cell of the first; one more if the second comes
     * later; CRN_GATE_FAR to itself */
    int32_t most[CRN_GATES][CRN_GATES];
} crn_gate_table;

/* Beyond CRN_GATES shortcuts: a node of a tree over their exits (gates.c). First come the exits
 * themselves, last the root. */
typedef struct crn_gate_node {
    crn_gate box;        /* round its exits; rest: the cost of the cheapest link */
    uint32_t first, end; /* its children; of an exit, the number of its link */
} crn_gate_node;

/* ... and for each one the links with the nearest exits to its entrance, ascending by what it costs
 * to get to that with them. */
#define CRN_GATES_NEAR 8u
#define CRN_GATES_NONE UINT32_MAX       /* there are no more ... */
#define CRN_GATES_CUT (UINT32_MAX - 1u) /* ... or there may be */
typedef uint32_t crn_gate_near[CRN_GATES_NEAR];

typedef struct crn_links {
    uint32_t count; /* links in use; 0 is by far the most frequent */
    /* usable links of the grid; `count` is less if several join the same two cells */
    uint32_t usable;
    uint32_t target_count, joint_count, shortcut_count, component_count;
    crn_space_link *links;      /* ascending by from, then by to */
    cairn_node *targets;        /* ascending, each once */
    crn_link_arrival *arrivals; /* of each link, ascending by to, then by number */
    crn_joint *joints;          /* ascending by component */
    /* links that cost less than the estimate between their ends: the number of each in the lower
     * half; ascending by the upper one, in which entrances that lie together follow each other */
    uint64_t *shortcuts;
    const crn_gate_groups *groups; /* of the shortcuts; NULL = there are none */
    crn_gate_table *gates;         /* the same with a table; NULL = there is none */
    crn_gate_node *nodes;          /* a tree over the exits of shortcuts, if there are many ... */
    uint32_t root;
    crn_gate_near *near;  /* ... and lists, by the number of a link */
    uint64_t *components; /* of both ends of each link */
    uint32_t *set;        /* for joining components */
    crn_bits from;        /* a bit for each cell that links leave */
    uint32_t capacity;
    uint32_t least;       /* the space's cheapest ground when they were collected */
    cairn_cost costliest; /* the largest cost of a link */
} crn_links;

/* Reserves memory for this many links; false = there is none. */
bool crn_links_reserve(crn_links *links, const struct crn_grid_space *space, uint32_t count);
void crn_links_destroy(crn_links *links, cairn_context *context);
size_t crn_links_bytes(const crn_links *links);

/* refresh: finds the links in use, if they may have changed; returns whether they have. join: once
 * the components are known, finds what the links join. */
bool crn_links_refresh(crn_links *links, const struct crn_grid_space *space, bool links_changed);
void crn_links_join(crn_links *links, const struct crn_grid_space *space);

/* Returns how many nodes the tree over this many exits has at most. */
size_t crn_gates_nodes(size_t exits);

/* Fills the table of gates, or the tree and the lists; or only the groups, from the shortcut *at
 * on, at most this many: true if those were the last (gates.c). */
void crn_gates_learn(const struct crn_grid_space *space, crn_links *links);
bool crn_gates_group(const struct crn_grid_space *space, crn_gate_groups *groups, uint32_t *at,
                     uint32_t most);

/* Does a link cost less than the estimate between its ends? If so, the item of `shortcuts` for it,
 * and their order. */
bool crn_links_shortens(const struct crn_grid_space *space, const crn_space_link *link);
uint64_t crn_links_shortcut(const cairn_grid *grid, uint32_t number, const crn_space_link *link);
crn_before crn_links_shortcut_before;

/* May the agent use a link of this kind, and what does it pay for it? */
bool crn_links_allowed(const struct crn_grid_space *space, const cairn_link *link);
cairn_cost crn_links_price(const struct crn_grid_space *space, const cairn_link *link);

/* Returns the first link that leaves a node, or `count` if there is none. The node's others follow
 * it. */
uint32_t crn_links_first(const crn_links *links, cairn_node from);

/* The first arrival at a node; those behind it follow, ascending by where they come from. `count`
 * if there is none. The second one: the first that comes from this node or one behind it. */
uint32_t crn_links_first_arrival(const crn_links *links, cairn_node to);
uint32_t crn_links_arrival_from(const crn_links *links, cairn_node to, cairn_node from);

/* Return the link from a to b (at most one: the cheapest), or NULL if there is none; the second one
 * only if it is cheaper than a step between the two. */
const crn_space_link *crn_links_between(const crn_links *links, cairn_node a, cairn_node b);
const crn_space_link *crn_links_used(const struct crn_grid_space *space, cairn_node a,
                                     cairn_node b);

/* Returns the cost of the cheapest link with this id from a to b that the agent may use, even if
 * another link is cheaper; CAIRN_NO_COST if there is none. */
cairn_cost crn_links_cost(const struct crn_grid_space *space, cairn_node a, cairn_node b,
                          uint32_t id);

/* Returns the number of a node among the targets. */
uint32_t crn_links_target(const crn_links *links, cairn_node node);

/* Returns the component that represents this one and all that links join with it. */
uint64_t crn_links_root(const crn_links *links, uint64_t component);

#endif
