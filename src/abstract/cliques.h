/* cliques.h: a space in levels: small groups of nodes that are all neighbours of each other become
 * one node of the level above.
 *
 * A clique is a set of at most four nodes, each of which is one step from every other; on a plain
 * grid the blocks of 2×2 cells. The cliques of a level are the nodes of the next one. Two of them
 * are joined if a step leads from a node of one to a node of the other. That continues until no
 * level has an edge, so the top level has one node for each component.
 *
 * Nodes are taken in ascending order: first cliques of four are made, then of three, then of two.
 * On grids, cliques of four and three that lie in one block of an even grid of twice the width of
 * the nodes come before all others: levels aligned with each other have truer distances, and twice
 * as many paths are the best ones. A node that is left over has no neighbour that is left over too.
 * It stays alone or, if it has only one neighbour and orphans are to join, goes to that neighbour's
 * clique, which may then have more than four. Only steps that can be walked in both directions
 * count, so that every node of a clique can be reached from every other.
 *
 * What leads one way, or far away, is kept beside the cliques. On every level where its ends lie in
 * two nodes, a link is a door from the one to the other (cliques_doors.c), and a step that cannot
 * be walked back a ledge (cliques_ledges.c). Searches take both as edges. So a level of a grid
 * joins whatever its ground does.
 *
 * Positions are means of the nodes below, or of the cells below. An edge costs the distance of the
 * positions, times the mean price of a cell. Graphs may have no positions. There the width of a
 * node is the mean length of the edges inside it, and an edge costs the mean of the edges that it
 * stands for, plus half of both widths.
 *
 * After edits (cliques_repair.c), sets that are no longer cliques are split, nodes without a clique
 * find one, and so on upwards, as long as anything changes. The result depends on the history, but
 * obeys the same rules.
 *
 * Sources: Sturtevant and Buro, "Partial Pathfinding Using Map Abstraction and Refinement", 2005;
 * thesis of B. Anguelov, section 7.3; thesis of J. Harvanová, sections 3.2 and 3.3.
 */
#ifndef CRN_CLIQUES_H
#define CRN_CLIQUES_H

#include "abstract/abstract_graph.h"
#include "world/grid_space.h"
#include <cairn/store.h>
#include <cairn/trace.h>

#define CRN_CLIQUE_SIZE 4u /* joined orphans excepted */
#define CRN_CLIQUE_LEVELS \
    40u /* more are not made, even if the top level has edges (stars whose orphans stay alone) */
#define CRN_CLIQUE_CLASSES 32u
#define CRN_CLIQUE_UNIT 256u /* of prices */

/* A node of a level above the ground. */
typedef struct crn_clique {
    /* the first; CAIRN_NO_NODE: there is no such node, and `cells` is the next free number, plus
     * 1 */
    uint32_t child;
    uint32_t cells; /* how many nodes of the space lie below */
} crn_clique;

/* A node of level 1 of a grid (cliques_pack.c). */
typedef struct crn_clique_pack {
    /* the first; CAIRN_NO_NODE: there is no such node, and `mask` is the next free number, plus
     * 1 */
    uint32_t child;
    uint32_t mask; /* its cells, by place */
    /* a cell of each node next to it, by place (CRN_PACK_BESIDE); during a repair also
     * CRN_PACK_NOTED, CRN_PACK_FRESH */
    uint64_t beside;
} crn_clique_pack;

/* A link between two nodes of a level; level 0 has all that are in use. */
typedef struct crn_clique_door {
    cairn_node from, to;
    cairn_node leave, arrive; /* the cells that it joins */
    cairn_cost cost;          /* of the link */
} crn_clique_door;

typedef struct crn_clique_doors {
    crn_clique_door *items; /* ascending by from, leave, arrive */
    size_t count, capacity;
} crn_clique_doors;

/* Nodes that ledges join a node with, ascending; instead of a cost: does one lead there, back? */
#define CRN_LEDGE_THERE 1u
#define CRN_LEDGE_BACK 2u
typedef struct crn_clique_ledges {
    crn_list *lists; /* of each node; NULL: there are none */
    size_t capacity;
    crn_list_pool pool;
} crn_clique_ledges;

typedef struct crn_clique_level {
    crn_abstract_graph graph; /* empty for a grid as ground, and for level 1 of it once built */
    uint32_t *parents;        /* of each node, in the level above; CAIRN_NO_NODE: none */
    /* of each node: the next child of its parent, ascending; not for a grid as ground */
    uint32_t *siblings;
    /* grids: the mean cost of a straight step in each node, in 256ths of one on plain ground, NULL
     * if it is 256 in all; graphs: how wide each is */
    uint32_t *prices;
    crn_clique *cliques;    /* not for the ground, nor where there are packs */
    crn_clique_pack *packs; /* level 1 of a grid */
    size_t parent_capacity, sibling_capacity, price_capacity, clique_capacity, pack_capacity;
    size_t room;                          /* for this many numbers, in all arrays */
    uint32_t count;                       /* of numbers, unused ones included; not for the ground */
    uint32_t vacant;                      /* a number that no node has, plus 1 */
    uint32_t classes[CRN_CLIQUE_CLASSES]; /* how many edges have a cost with this highest bit */
    uint32_t edge_count;
    crn_clique_doors doors;
    crn_clique_ledges ledges; /* not for the ground */
} crn_clique_level;

typedef struct crn_cliques {
    const cairn_space *ground;
    const crn_grid_space *map; /* the same, if it is a grid */
    cairn_context *context;
    crn_metric metric; /* on plain ground */
    /* orphans join; positions are means of positions, however many cells lie below */
    bool join, plain;
    bool one_way; /* graphs: there is an edge without one back */
    bool priced;  /* levels have prices */
    bool ledged;  /* levels have lists of ledges */
    uint32_t top; /* number of the highest level; the ground is 0 */
    uint64_t
        looked; /* edges above level 1, and ledges, that the last repair has looked at or set */
    crn_clique_level levels[CRN_CLIQUE_LEVELS + 1];
} crn_cliques;

typedef struct crn_clique_list {
    uint32_t *items;
    size_t count, capacity;
} crn_clique_list;

typedef struct crn_clique_pairs {
    cairn_edge *items;
    size_t count, capacity;
} crn_clique_pairs;

/* ---- making them ---- */

/* NULL = no memory; nothing is in it yet. */
crn_cliques *crn_cliques_create(const cairn_space *ground, bool join, bool plain);
void crn_cliques_destroy(crn_cliques *cliques);
/* Of a graph: level 0 becomes its edges that lead both ways, each once; false = no memory. */
bool crn_cliques_copy_graph(crn_cliques *cliques);

size_t crn_cliques_bytes(const crn_cliques *cliques);

/* Builds all levels. On failure they must be destroyed. */
cairn_status crn_cliques_build(crn_cliques *cliques, const cairn_progress *progress);

/* Adds levels on top until the last one has no edges, and finds the doors of all of them. Reads
 * only the levels that exist. */
bool crn_cliques_build_up(crn_cliques *cliques);

/* The same as long as it is worth while: the last one may have some edges, for many nodes few. */
bool crn_cliques_build_on(crn_cliques *cliques);

/* A copy of the ground and level 1 only; NULL = no memory. */
crn_cliques *crn_cliques_copy_lowest(const crn_cliques *cliques);

/* ---- changing them (cliques_repair.c) ---- */

/* Repairs the levels after commits since a version.
 * - CAIRN_STALE: too much has changed, or a commit is forgotten; build again.
 * - CAIRN_OUT_OF_MEMORY, CAIRN_CANCELLED: they cannot be used any more.
 * - `lowest`: levels above the first one are not repaired; there must be none. */
cairn_status crn_cliques_repair(crn_cliques *cliques, uint64_t since, bool lowest,
                                const cairn_progress *progress);

/* ---- files (cliques_store.c) ---- */

cairn_status crn_cliques_save(const crn_cliques *cliques, cairn_store *store, cairn_error *error);
/* Loads into new ones. On failure they must be destroyed. */
cairn_status crn_cliques_load(crn_cliques *cliques, const cairn_archive *archive,
                              cairn_error *error);

void crn_cliques_overlay(const crn_cliques *cliques, uint32_t level,
                         const cairn_overlay_sink *sink);

/* ---- what the parts share ---- */

#define CRN_CLIQUE_NEIGHBOURS 54u /* of a cell 8, of a pack as many as CRN_PACK_BESIDE has bits */

/* ---- doors (cliques_doors.c) ---- */

/* Level 0 takes over the links in use; false = no memory. */
bool crn_cliques_take_links(crn_cliques *cliques);
/* Finds the doors of all other levels; false = no memory. */
bool crn_cliques_lift_doors(crn_cliques *cliques);

/* Returns the first door that leaves a node, or where it would be; the others follow it. */
size_t crn_cliques_first_door(const crn_clique_doors *doors, cairn_node from);
/* Returns what it costs to go to a door of a level, through it, and on. */
cairn_cost crn_cliques_door_cost(const crn_cliques *cliques, uint32_t level,
                                 const crn_clique_door *door);

/* ---- ledges (cliques_ledges.c) ---- */

/* Can a step of the ground be one that cannot be walked back? */
bool crn_cliques_sloped(const crn_cliques *cliques);
/* From now on levels have lists of ledges, which are empty; false = no memory. */
bool crn_cliques_add_ledges(crn_cliques *cliques);
/* Returns what ledges join a node with. `room` has CRN_DIRECTIONS entries, for level 0. */
const cairn_edge *crn_cliques_ledges(const crn_cliques *cliques, uint32_t level, cairn_node node,
                                     cairn_edge *room, uint32_t *count);
/* Finds the ledges of all nodes of a level by those of the level below, if there are lists. False =
 * no memory. */
bool crn_cliques_raise_ledges(crn_cliques *cliques, uint32_t level);

/* ---- level 1 of a grid (cliques_pack.c) ---- */

/* Places relative to the first cell: of cells of the pack 7 columns and 4 rows, in 8 bits a row; of
 * those beside it 9 columns and 6 rows, the first one above it. */
#define CRN_PACK_LEFT 3
#define CRN_PACK_ROWS 4
#define CRN_BESIDE_LEFT 4
#define CRN_BESIDE_WIDTH 9
#define CRN_PACK_BESIDE ((UINT64_C(1) << 54) - 1)
#define CRN_PACK_FRESH (UINT64_C(1) << 62) /* its number was given away since the repair began */
#define CRN_PACK_NOTED \
    (UINT64_C(1) << 63) /* it may change, and what its edges cost is not tallied */

/* Returns the next cell of the same pack; CAIRN_NO_NODE: none. */
cairn_node crn_pack_next(const crn_cliques *cliques, cairn_node cell);
/* Adds a cell to a pack; false = too far from the others, and nothing has changed. */
bool crn_pack_join(crn_cliques *cliques, cairn_node node, cairn_node cell);
void crn_pack_leave(crn_cliques *cliques, cairn_node node, cairn_node cell);

/* Finds which nodes lie next to one, ascending, and the places to remember them by. Returns how
 * many. */
uint32_t crn_pack_find(const crn_cliques *cliques, cairn_node node, cairn_edge *out,
                       uint64_t *beside);
/* The same from the places, for a pack that begins at a cell. `moved` lists cells and the nodes
 * that they belonged to, ascending by cell; it tells what was. */
typedef struct crn_pack_past {
    const cairn_edge *moved;
    size_t count;
} crn_pack_past;
uint32_t crn_pack_recall(const crn_cliques *cliques, cairn_node child, uint64_t beside,
                         const crn_pack_past *past, cairn_edge *out);

/* Counts the edge between two nodes this many times, or this many times less. */
void crn_pack_tally(crn_cliques *cliques, cairn_node a, cairn_node b, uint32_t times);

/* Recomputes the price of a node. Returns whether it changed. */
bool crn_pack_price(crn_cliques *cliques, cairn_node node);

/* Makes all nodes out of the parents of cells, with lists of edges (graph) that the next level is
 * built by. *legal: no cell is too far from others of its pack. False = no memory. */
bool crn_packs_make(crn_cliques *cliques, bool *legal);
/* Gives the lists back. */
void crn_packs_finish(crn_cliques *cliques);

/* ---- all levels ---- */

/* Returns how many numbers a level has, unused ones included. */
CRN_INLINE uint32_t crn_cliques_count(const crn_cliques *cliques, uint32_t level)
{
    return level ? cliques->levels[level].count : cliques->ground->node_count;
}

CRN_INLINE bool crn_cliques_packed(const crn_cliques *cliques, uint32_t level)
{
    return level == 1 && cliques->map;
}

/* Is there such a node? */
CRN_INLINE bool crn_cliques_has(const crn_cliques *cliques, uint32_t level, cairn_node node)
{
    const crn_clique_level *l = &cliques->levels[level];
    if (!level) return cliques->ground->functions->usable(cliques->ground, node);
    return (l->packs ? l->packs[node].child : l->cliques[node].child) != CAIRN_NO_NODE;
}

/* Returns the first child of a node. */
CRN_INLINE cairn_node crn_cliques_first(const crn_cliques *cliques, uint32_t level, cairn_node node)
{
    const crn_clique_level *l = &cliques->levels[level];
    return l->packs ? l->packs[node].child : l->cliques[node].child;
}

/* Returns the next child of the parent of a node that has one. */
CRN_INLINE cairn_node crn_cliques_next(const crn_cliques *cliques, uint32_t level, cairn_node node)
{
    const uint32_t *siblings = cliques->levels[level].siblings;
    return siblings ? siblings[node] : crn_pack_next(cliques, node);
}

/* Finds the neighbours of a node that has no list of them: a cell, or a pack once packs are
 * built. */
const cairn_edge *crn_cliques_make_neighbours(const crn_cliques *cliques, uint32_t level,
                                              cairn_node node, cairn_edge *room, uint32_t *count);

/* Returns the neighbours of a node, ascending. `room` has CRN_CLIQUE_NEIGHBOURS entries and may be
 * used for them. Their costs count only where lists hold them: not on grids, level 0 and 1. */
CRN_INLINE const cairn_edge *crn_cliques_neighbours(const crn_cliques *cliques, uint32_t level,
                                                    cairn_node node, cairn_edge *room,
                                                    uint32_t *count)
{
    const crn_abstract_graph *graph = &cliques->levels[level].graph;
    if (!graph->nodes) return crn_cliques_make_neighbours(cliques, level, node, room, count);
    *count = graph->nodes[node].count;
    return crn_abstract_edges(graph, node);
}

/* Returns the first edge that leads to that node or a later one; they are ascending. */
CRN_INLINE uint32_t crn_cliques_seek(const cairn_edge *edges, uint32_t count, cairn_node node)
{
    return (uint32_t)crn_lower_bound(edges, count, node);
}

/* Is there an edge to that node? */
CRN_INLINE bool crn_cliques_leads(const cairn_edge *edges, uint32_t count, cairn_node node)
{
    uint32_t at = crn_cliques_seek(edges, count, node);
    return at < count && edges[at].node == node;
}

/* Position, cells below and price of a node of any level. */
typedef struct crn_clique_body {
    int32_t x, y;
    uint32_t cells, price;
} crn_clique_body;
crn_clique_body crn_cliques_body(const crn_cliques *cliques, uint32_t level, cairn_node node);
/* Of a pack with these cells. */
crn_clique_body crn_pack_body(const crn_cliques *cliques, cairn_node child, uint32_t mask);
/* What an edge between nodes of a grid costs: at least 1, and by so much more than the distance
 * that estimates, which are rounded down, are consistent. */
CRN_INLINE cairn_cost crn_cliques_cost(const crn_cliques *cliques, crn_clique_body a,
                                       crn_clique_body b)
{
    uint64_t prices = (uint64_t)a.price + b.price;
    uint64_t distance = crn_metric_distance(cliques->metric, a.x, a.y, b.x, b.y);
    return crn_saturate(distance * prices / (2 * CRN_CLIQUE_UNIT) + 1);
}

/* Do cells of the grid have prices of their own? */
bool crn_cliques_uneven(const crn_cliques *cliques);
/* From now on the levels have prices; false = no memory. */
bool crn_cliques_add_prices(crn_cliques *cliques);

/* The nodes among which a clique is searched for. */
#define CRN_CLIQUE_FIELD 32u
typedef struct crn_clique_field {
    cairn_node nodes[CRN_CLIQUE_FIELD];
    uint32_t masks[CRN_CLIQUE_FIELD]; /* which of those after it are next to it */
    uint32_t count;
    bool aligned; /* given: only nodes of the same block */
} crn_clique_field;

/* Collects the neighbours of a node without a parent; if they are to be aligned, those in the same
 * block. Fills in masks only if they may make a clique of that size or more with it, and that is
 * more than two. */
void crn_cliques_gather(const crn_cliques *cliques, uint32_t level, cairn_node node, uint32_t size,
                        crn_clique_field *field);
/* Finds the first set of `size` - 1 nodes of the field that are neighbours of each other, and
 * writes it into `members` from 1 on. */
bool crn_cliques_choose(const crn_clique_field *field, uint32_t size,
                        cairn_node members[CRN_CLIQUE_SIZE]);

/* Numbers a new node of a level, without children; CAIRN_NO_NODE = no memory. */
cairn_node crn_cliques_add(crn_cliques *cliques, uint32_t level);

typedef enum crn_clique_change {
    CRN_CLIQUE_SAME,
    CRN_CLIQUE_OTHER, /* it has more or fewer cells, or no children */
    CRN_CLIQUE_MOVED  /* its position or price is another one, so its edges cost something else */
} crn_clique_change;

/* Recomputes a node from its children. Returns what changed. Without children it keeps its
 * values. */
crn_clique_change crn_cliques_update(crn_cliques *cliques, uint32_t level, cairn_node node);

/* Edges under construction. */
typedef struct crn_clique_edge {
    cairn_node node;
    uint32_t count; /* of the edges that it stands for ... */
    uint64_t sum;   /* ... and what they cost; graphs only */
} crn_clique_edge;
typedef struct crn_clique_edges {
    crn_clique_edge *found;
    cairn_edge *made;
    size_t count, found_capacity, made_capacity;
    uint64_t looked; /* how many edges were looked at or set */
} crn_clique_edges;
void crn_clique_edges_close(crn_clique_edges *edges, cairn_context *context);

/* Where an edge of a level leads from and to, and whether it shall exist. */
typedef struct crn_clique_pair {
    uint32_t level;
    cairn_node from, to;
    bool joined;
} crn_clique_pair;

/* Recomputes the edges of a node from its children. *changed: its neighbours are not the same as
 * before. False = no memory. */
bool crn_cliques_relink(crn_cliques *cliques, uint32_t level, cairn_node node,
                        crn_clique_edges *edges, bool *changed);

/* The same for one edge only. Grids. */
bool crn_cliques_patch(crn_cliques *cliques, crn_clique_pair pair, crn_clique_edges *edges,
                       bool *changed);

/* Removes the highest level. */
void crn_cliques_drop_top(crn_cliques *cliques);

/* Lists the unused numbers of a level, the least first. */
void crn_cliques_list_vacant(crn_clique_level *level);

/* Makes the lists of children from the parents. */
void crn_cliques_adopt(crn_cliques *cliques, uint32_t level);

/* Reserves room for this many nodes in a level. */
bool crn_cliques_reserve(crn_cliques *cliques, uint32_t level, size_t count);

/* Sorts numbers, and leaves each only once. Returns how many are left. */
size_t crn_cliques_sort(uint32_t *items, size_t count);

/* Gives back what the list of edges of a level that is made has too much, but for a spare part;
 * false = no memory. */
bool crn_cliques_trim(crn_cliques *cliques, uint32_t level, bool spare);

/* Some more than there are, so that the first repairs need not move whole arrays. */
size_t crn_cliques_with_spare(size_t count);

/* Like crn_grow, but by an eighth, and an empty array by no more than is needed. */
bool crn_cliques_grow(cairn_context *context, void **array, size_t *capacity, size_t need,
                      size_t element);

/* Returns bounds of the costs of a level's edges that depend only on the edges. */
void crn_clique_level_bounds(const crn_clique_level *level, cairn_cost *least, cairn_cost *most);

#endif
