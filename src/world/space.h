/* space.h (internal): what a space is made of. A space is a struct with a table of functions, so
 * that every search can run on every world through it. Searches that know more (the grid loops) use
 * the grid part directly.
 */
#ifndef CRN_SPACE_H
#define CRN_SPACE_H

#include "core/core.h"
#include "world/cost.h"
#include <cairn/path.h>
#include <cairn/space.h>
#include <cairn/store.h>

/* At this many nodes the functions look that list a set of them in pieces. */
#define CRN_SPACE_PIECE 128u

/* What a path is made of, for its length: steps on a grid, what its links cost, how long its lines
 * of any angle are; its cost; and the nodes it names. */
typedef struct crn_path_sums {
    uint64_t straight, diagonal, linked;
    double lines;
    cairn_cost cost;
    const cairn_node *nodes;
    size_t node_count;
} crn_path_sums;

/* The search for the node of a component that is nearest to another one, in bounded pieces: where
 * it goes on, and the best node so far. To begin, all but the first two is as crn_nearest_begin
 * sets it. */
typedef struct crn_nearest {
    uint64_t component;
    cairn_node to;
    cairn_node best; /* CAIRN_NO_NODE = there is none yet */
    uint64_t least;  /* its distance */
    uint32_t ring, at;
} crn_nearest;

/* The search for the usable node nearest to one that is not, likewise. */
typedef struct crn_closest_usable {
    cairn_node node;
    double limit; /* no farther */
    cairn_node best;
    uint64_t least; /* grids: its distance ... */
    double square;  /* ... and elsewhere */
    uint32_t ring, at;
    struct crn_tree_walk *walk; /* graphs: memory for it, which the caller sets; ... */
    bool walking;               /* ... it has begun */
} crn_closest_usable;

/* What `expand` of a view may return instead of a number of edges: they are not known yet, ask
 * again with the next unit of work. No world does. */
#define CRN_EXPAND_LATER UINT32_MAX

typedef struct crn_space_functions {
    const char *plural; /* what messages call worlds of this kind: "grids" */
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
    /* Reachability: the component of a node, 0 if it is not usable; whether there are steps that
     * cannot be walked back; the node of a component nearest to another one, a bounded piece of
     * that search (true = it is over); any of its nodes. The components given are those of a
     * node. */
    uint64_t (*component)(const cairn_space *space, cairn_node node);
    bool (*directed)(const cairn_space *space);
    bool (*nearest)(const cairn_space *space, crn_nearest *search);
    cairn_node (*pick)(const cairn_space *space, uint64_t component, crn_rng *rng);
    /* How many components, and the nodes of the largest; false = no memory. */
    bool (*components)(const cairn_space *space, uint32_t *count, uint32_t *largest);

    /* Each of the following may be NULL. Then space.c has a default for any space. */

    /* Enlarges the box by the place of a node. NULL: by its position. */
    void (*box_add)(const cairn_space *space, cairn_node node, crn_box *box);
    /* Does the estimate never exceed the cost (NULL: it never does), and does it never fall by more
     * than a step costs (NULL: only if it is always 0)? */
    bool (*admissible)(const cairn_space *space, cairn_heuristic heuristic);
    bool (*consistent)(const cairn_space *space, cairn_heuristic heuristic);
    /* Does every step cost the same for its kind, and does no height matter? NULL: yes. */
    bool (*uniform)(const cairn_space *space);
    /* The length of a path. NULL: its cost in units of scale.straight. */
    double (*length)(const cairn_space *space, const crn_path_sums *sums);
    /* The nodes from which `goal` would be one step away if it were free, and those whose position
     * is at most `radius` from that of `goal`; in any order, usable or not. In pieces: *at is 0 at
     * first and UINT32_MAX after the last one; at most CRN_SPACE_PIECE nodes are looked at and
     * written. Returns how many. NULL: tests every node. */
    uint32_t (*next_to)(const cairn_space *space, cairn_node goal, uint32_t *at, cairn_node *out);
    uint32_t (*within)(const cairn_space *space, cairn_node goal, double radius, uint32_t *at,
                       cairn_node *out);
    /* The opening between a node and one that an edge leads to; if the edge passes none, a point of
     * it twice. NULL: edges pass no openings, and paths have no portals. */
    cairn_portal (*portal)(const cairn_space *space, cairn_node from, cairn_node to);
    /* Continues a hash by everything that paths depend on. NULL: by all nodes and edges. */
    uint64_t (*hash)(const cairn_space *space, uint64_t hash);
    /* Adds the world, and what else makes the space of it, to a store. NULL: CAIRN_UNSUPPORTED. */
    cairn_status (*save)(const cairn_space *space, cairn_store *store);
    /* The predecessors of a node, each with the cost of its edge to the node. NULL: asks every
     * node. */
    uint32_t (*expand_back)(const cairn_space *space, cairn_node node, uint32_t first,
                            cairn_edge *out, uint32_t capacity);
    /* The nodes whose edges differ; see cairn_space_changes. Versions before the present one only.
     * NULL: CAIRN_STALE. */
    cairn_status (*changes)(const cairn_space *space, uint64_t since, cairn_node_report *report,
                            void *user);
} crn_space_functions;

struct cairn_space {
    const crn_space_functions *functions;
    cairn_context *context;
    crn_holders holders; /* planners, and whoever called cairn_space_keep */
    cairn_world_kind world;
    bool placed; /* its nodes have positions */
    uint32_t node_count;
    cairn_cost max_edge; /* no edge costs more */
    /* no edge but links costs more; along a step no estimate changes by more */
    cairn_cost max_step;
    cairn_cost min_edge;               /* no edge costs less, links excepted */
    cairn_heuristic default_heuristic; /* what CAIRN_HEURISTIC_AUTO means here */
    cairn_scale scale;
};

/* The names of the heuristics in the order of cairn_heuristic, ended by NULL. */
extern const char *const crn_heuristic_choices[];

/* The kind of abstract graphs, which only searches use and which are not worlds. */
#define CRN_WORLD_ABSTRACT CAIRN_WORLD_COUNT

/* Does the estimate never fall by more than a step costs? (heuristic.c) */
bool crn_heuristic_consistent(const cairn_space *space, cairn_heuristic heuristic);

/* Functions of a space that look at every node (space.c): the node of a component nearest to
 * another one, and any of its nodes. */
bool crn_space_scan_nearest(const cairn_space *space, crn_nearest *search);
cairn_node crn_space_scan_pick(const cairn_space *space, uint64_t component, crn_rng *rng);

/* Begin the search for the node nearest to `to` that can be reached from `from` (reach.c), and the
 * one for the usable node nearest to `node`, and go on with the latter for a bounded piece
 * (nearest.c). True = it is over. */
bool crn_nearest_begin(const cairn_space *space, cairn_node from, cairn_node to,
                       crn_nearest *search);
bool crn_closest_usable_begin(const cairn_space *space, cairn_node node, double limit,
                              crn_closest_usable *search);
bool crn_closest_usable_go_on(const cairn_space *space, crn_closest_usable *search);

/* The functions of the table that may be NULL. `uniform` may change with a commit. */
bool crn_space_uniform(const cairn_space *space);
double crn_space_length(const cairn_space *space, const crn_path_sums *sums);
uint32_t crn_space_next_to(const cairn_space *space, cairn_node goal, uint32_t *at,
                           cairn_node *out);
uint32_t crn_space_within(const cairn_space *space, cairn_node goal, double radius, uint32_t *at,
                          cairn_node *out);

/* Of grids and graphs, for their tables (store/identity.c, store/world.c). */
uint64_t crn_grid_hash(const cairn_space *space, uint64_t hash);
uint64_t crn_graph_hash(const cairn_space *space, uint64_t hash);
cairn_status crn_grid_save(const cairn_space *space, cairn_store *store);
cairn_status crn_graph_save(const cairn_space *space, cairn_store *store);

#endif
