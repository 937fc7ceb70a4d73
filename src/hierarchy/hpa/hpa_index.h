/* hpa_index.h: the abstract graph of HPA*: clusters of clusters, and the costs from one into the
 * next.
 *
 * Clusters (clusters.h) make the lowest level; a cluster of the next level has `growth` of them
 * along a side. A node is a cell by which a cluster is entered or left, on each level on which the
 * transition crosses the border of a cluster. Both ends of links are nodes. Edges lead from the
 * node where one has entered a cluster to the nodes where one enters the next ones, right through
 * the cluster and over the border: having entered a cluster, a second path inside of it is never of
 * use. A link inside of a cluster is such a border too: its end is entered again, unless walking
 * there costs no more. On the lowest level
 * edges cost what a search inside the cluster finds. On the others they cost what a search of the
 * level below, inside the larger cluster, finds. So no level is less exact than the lowest, unless
 * levels have few nodes: then they cost what paths through some nodes below do (hpa_rows.h).
 *
 * All levels are one crn_abstract_graph, so one search can cover all of them. An edge over a border
 * of level l that leaves a node of level k ≤ l leads to the nodes of its target on all levels from
 * k to l. Every node above the lowest level has an edge that costs nothing to the one below it.
 * What a search sees depends on the clusters that it shows: the children of those that hold its
 * ends, and all of the highest level.
 *
 * A node keeps its number as long as it is one, so after an edit only clusters near it and those
 * that hold them must be updated. Lists of edges are in the order of their targets' cells. So
 * everything but the numbers is a function of the map.
 */
#ifndef CRN_HPA_INDEX_H
#define CRN_HPA_INDEX_H

#include "abstract/clusters.h"
#include "abstract/area_search.h"
#include "abstract/direct.h"
#include "search/subsearch.h"
#include "abstract/abstract_graph.h"

#define CRN_HPA_LEVELS 5u
#define CRN_HPA_GROWTH_MAX 8u

typedef struct crn_hpa_level {
    uint32_t size;          /* side of its clusters, in cells ... */
    uint32_t growth;        /* ... and in clusters of the level below */
    uint32_t columns, rows; /* of clusters */
    uint32_t first;         /* the number of the first of them among the clusters of all levels */
} crn_hpa_level;

/* A node of a cluster. */
typedef struct crn_hpa_member {
    cairn_node node, cell;
} crn_hpa_member;

typedef struct crn_hpa {
    crn_clusters clusters;
    bool lazy;        /* no edges: searches find them */
    bool thin;        /* few nodes above the lowest level: hpa_thin.c */
    uint32_t edition; /* another one after every build, load and repair */
    uint32_t levels;
    crn_hpa_level level[CRN_HPA_LEVELS];
    uint32_t cluster_count; /* of all levels; 0 = not built */
    crn_metric metric;      /* of the space when it was built or repaired last */
    crn_abstract_graph abstract;
    crn_lists members; /* by cluster: crn_hpa_member, ascending by cell */
    /* The costliest edge of each cluster, from cluster_count on, and of pairs of them, pairs of
     * pairs and so on: of entries 2i and 2i + 1 the larger one is entry i. */
    cairn_cost *costliest;
    uint32_t *groups; /* by node: its cluster; of numbers not in use: the next one, plus 1 */
    uint8_t *tops;    /* by node: the highest level that its cell is a node of */
    /* thin: by node: what it is connected to inside of its cluster, and more (hpa_thin.c); not on
     * the highest level */
    uint32_t *components;
    size_t group_capacity, top_capacity, component_capacity;
    uint32_t vacant; /* a number not in use, plus 1 */
    /* the same for those given up since the repair began: no list may use such a number for another
     * node */
    uint32_t retired;
    /* a build or repair in slices, or the memory that the last repair used; NULL = none */
    struct crn_hpa_job *job;
    uint64_t work; /* units of the last build, repair or slice */
} crn_hpa;

/* levels 0: by the size of the map, with few nodes above the lowest one. */
typedef struct crn_hpa_options {
    uint32_t size, threshold, levels, growth;
    crn_entrances rule;
    bool lazy;
    bool tight; /* lists have places of more sizes: fewer bytes, but they move more often */
} crn_hpa_options;

cairn_status crn_hpa_build(crn_hpa *index, const crn_grid_space *space,
                           const crn_hpa_options *options, const cairn_progress *progress,
                           cairn_error *error);
void crn_hpa_drop(crn_hpa *index);
size_t crn_hpa_bytes(const crn_hpa *index);

/* After a build: gives back most of the memory that no node and no edge uses. False = no memory,
 * and some of it stays. */
bool crn_hpa_trim(crn_hpa *index);

/* Makes the index what a build would make it now, given that it was right in version `since`.
 * - CAIRN_STALE: better build it; the grid has forgotten a commit, or so much has changed that
 *   building is no more work.
 * - On failure it must not be used. */
cairn_status crn_hpa_repair(crn_hpa *index, uint64_t since, const cairn_progress *progress,
                            cairn_error *error);

/* Returns the clusters of the lowest level that the last repair updated, ascending. */
const uint32_t *crn_hpa_repaired(const crn_hpa *index, uint32_t *count);

/* The same in slices.
 * - begin: CAIRN_RUNNING or as above. If a build fails, there is no index.
 * - repair_begin, while a job runs: takes in what was committed since version `since`. CAIRN_STALE:
 *   the job is gone, better build it.
 * - step: clusters one by one until *work units are used up, and subtracts them; what the last
 *   search takes above that is paid by the next steps. A unit is that of its searches, about an
 *   expansion. CAIRN_RUNNING, CAIRN_OK when all is done, or why not; CAIRN_STALE as above.
 * - abandon: ends the job; the index must not be used any more. */
cairn_status crn_hpa_build_begin(crn_hpa *index, const crn_grid_space *space,
                                 const crn_hpa_options *options, cairn_error *error);
cairn_status crn_hpa_repair_begin(crn_hpa *index, uint64_t since, cairn_error *error);
cairn_status crn_hpa_step(crn_hpa *index, uint64_t *work, cairn_error *error);
void crn_hpa_abandon(crn_hpa *index);

cairn_status crn_hpa_save(const crn_hpa *index, cairn_store *store, cairn_error *error);
cairn_status crn_hpa_load(crn_hpa *index, const crn_grid_space *space,
                          const crn_hpa_options *options, const cairn_archive *archive,
                          cairn_error *error);

void crn_hpa_overlay(const crn_hpa *index, uint32_t abstract, const cairn_overlay_sink *sink);

/* ---- looking things up ---- */

/* The cluster of a level that holds a cell. */
CRN_INLINE uint32_t crn_hpa_cluster(const crn_hpa *index, uint32_t level, cairn_node cell)
{
    const crn_hpa_level *l = &index->level[level];
    uint32_t width = index->clusters.space->grid->width;
    return l->first + cell / width / l->size * l->columns + cell % width / l->size;
}

CRN_INLINE cairn_node crn_hpa_cell(const crn_hpa *index, cairn_node node)
{
    const crn_abstract_node *n = &index->abstract.nodes[node];
    uint32_t x = (uint32_t)n->x / CRN_ABSTRACT_UNITS, y = (uint32_t)n->y / CRN_ABSTRACT_UNITS;
    return y * index->clusters.space->grid->width + x;
}

uint32_t crn_hpa_level_of(const crn_hpa *index, cairn_node node);

/* The nodes of a cluster. */
CRN_INLINE const crn_hpa_member *crn_hpa_members(const crn_hpa *index, uint32_t cluster,
                                                 uint32_t *count)
{
    *count = crn_lists_count(&index->members, cluster);
    return crn_lists_items(&index->members, cluster);
}

/* The node of a cell on a level; CAIRN_NO_NODE if it has none. */
cairn_node crn_hpa_find(const crn_hpa *index, uint32_t level, cairn_node cell);

/* The same: where it stands in the list of its cluster; NULL if it has none. */
const crn_hpa_member *crn_hpa_find_member(const crn_hpa *index, uint32_t level, cairn_node cell);

/* May an edge lead from a node of a level to another node, over a border of its cluster or along a
 * link? */
bool crn_hpa_may_lead(const crn_hpa *index, cairn_node node, uint32_t level, cairn_node target);

/* Do the edges of the next level lead through a node? Where nodes are few, only through some
 * (hpa_thin.c). */
#define CRN_HPA_KEPT (UINT32_C(1) << 30)
CRN_INLINE bool crn_hpa_kept(const crn_hpa *index, cairn_node node)
{
    return !index->thin || index->components[node] & CRN_HPA_KEPT;
}

/* Calls for every child of a cluster above the lowest level. */
typedef struct crn_hpa_children {
    uint32_t first, columns, rows, stride; /* the number of the first, and how they lie */
} crn_hpa_children;
crn_hpa_children crn_hpa_children_of(const crn_hpa *index, uint32_t level, uint32_t cluster);

CRN_INLINE uint32_t crn_hpa_child(const crn_hpa_children *children, uint32_t i)
{
    return children->first + i / children->columns * children->stride + i % children->columns;
}

/* The costs of the most expensive edges: of all, of a cluster. */
cairn_cost crn_hpa_costliest(const crn_hpa *index);
CRN_INLINE cairn_cost crn_hpa_costliest_of(const crn_hpa *index, uint32_t cluster)
{
    return index->costliest[index->cluster_count + cluster];
}
void crn_hpa_set_costliest(crn_hpa *index, uint32_t cluster, cairn_cost cost);

/* ---- what leads out of a cluster ---- */

/* The cells in which other clusters are entered from one of the lowest level, ascending, each with
 * the cells from which it is entered. */
typedef struct crn_hpa_outlet {
    cairn_node from, to;
    cairn_cost step;                  /* from one to the other */
    bool last;                        /* for this `to` */
    bool inside;                      /* a link: both lie in the cluster */
    uint8_t levels;                   /* over a border of that many levels ... */
    cairn_node nodes[CRN_HPA_LEVELS]; /* ... and the nodes of `to` on them */
} crn_hpa_outlet;

/* The highest level of which a step crosses a border. */
uint32_t crn_hpa_crossed(const crn_hpa *index, cairn_node from, cairn_node to);

/* What a search inside a cluster needs to find these paths. */
typedef struct crn_hpa_ground {
    crn_scratch *memory;
    crn_part part;
    crn_subsearch subsearch;
    uint32_t shown;     /* cluster; CAIRN_NO_NODE = none */
    uint32_t seen;      /* the cluster that `direct` is of */
    bool seen_directly; /* costs are those of `direct`, not of a search */
    bool apart;         /* they are in `known`, found one by one: cells and costs */
    bool found_in_area; /* they are those of `area` */
    crn_direct direct;
    crn_area_search *area; /* of jobs: of the cluster that is shown; NULL = not used */
    bool area_open;        /* it has been opened */
    crn_exits exits;
    bool gathered; /* they are complete: they become outlets, from this one on */
    uint32_t exit;
    crn_hpa_outlet *outlets;
    uint32_t count;
    size_t outlet_capacity;
    cairn_edge *known;
    uint32_t known_count;
    size_t known_capacity;
} crn_hpa_ground;

/* How far the edges that lead out are written. */
typedef struct crn_hpa_leaving {
    uint32_t outlet, count; /* the next one, and edges */
    uint64_t best;          /* the cost of the path to where it leads */
    cairn_cost costliest;
} crn_hpa_leaving;

cairn_status crn_hpa_ground_open(crn_hpa_ground *ground, crn_scratch *memory, cairn_search *outer,
                                 const crn_grid_space *space);
void crn_hpa_ground_close(crn_hpa_ground *ground);

/* What the last repair searched clusters with. It shows none. */
crn_hpa_ground *crn_hpa_repair_ground(const crn_hpa *index);

/* Finds the outlets of a cluster; false = no memory. Or in pieces: CAIRN_RUNNING until all are
 * found. */
bool crn_hpa_ground_leave(crn_hpa_ground *ground, const crn_hpa *index, uint32_t cluster);
void crn_hpa_ground_begin_leaving(crn_hpa_ground *ground);
cairn_status crn_hpa_ground_leave_on(crn_hpa_ground *ground, const crn_hpa *index,
                                     uint32_t cluster);

/* Only this cluster can be searched from now on; CAIRN_NO_NODE: none. */
void crn_hpa_ground_show(crn_hpa_ground *ground, const crn_hpa *index, uint32_t cluster);

/* Finds the costs from a cell of the cluster without a search, where that is possible. Returns
 * whether the costs to all of its nodes, and to another cell unless that is CAIRN_NO_NODE, are
 * known. */
bool crn_hpa_ground_direct(crn_hpa_ground *ground, const crn_hpa *index, cairn_node from,
                           cairn_node to);

/* The same where that is a bounded amount of work: not in clusters with a lot of nodes. */
bool crn_hpa_ground_sees(crn_hpa_ground *ground, const crn_hpa *index, cairn_node from,
                         cairn_node to);

/* Begins to find costs one by one, ascending by cell but for the last one, for at most this many
 * cells (false = no memory); notes one. */
bool crn_hpa_ground_apart(crn_hpa_ground *ground, uint32_t most);
void crn_hpa_ground_note(crn_hpa_ground *ground, cairn_node cell, cairn_cost cost);

/* Jobs: finds the costs from a cell of the cluster by a search, and adds its work to *work. The
 * cell is usable, or is to be taken as such. CAIRN_OUT_OF_MEMORY or CAIRN_OK. */
cairn_status crn_hpa_ground_find(crn_hpa_ground *ground, const crn_hpa *index, cairn_node from,
                                 uint64_t *work);

/* After a direct test or a search: returns the cost of the path to a cell, or CAIRN_NO_COST if
 * there is none. */
cairn_cost crn_hpa_ground_cost(const crn_hpa_ground *ground, cairn_node cell);

/* Writes the edges from there. `out` has room for CRN_HPA_LEVELS times the number of outlets. Or
 * those of at most this many, after `leaving` was {.best = CAIRN_NO_COST}: true when all are
 * written. */
uint32_t crn_hpa_ground_edges(const crn_hpa_ground *ground, cairn_edge *out, cairn_cost *costliest);
bool crn_hpa_ground_edges_on(const crn_hpa_ground *ground, crn_hpa_leaving *leaving,
                             cairn_edge *out, uint32_t outlets);

#endif
