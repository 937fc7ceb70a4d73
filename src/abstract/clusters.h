/* clusters.h: a grid divided into square clusters, and the transitions from one into the next.
 *
 * Two clusters meet along a border, or at a corner. An *entrance* is a longest run of cells along a
 * border with two properties: from each of them one can step straight across and back, and one can
 * step from one to the next on both sides of the border. Each entrance gets one or two
 * *transitions*, pairs of cells by which paths may cross. Since the cells of an entrance are
 * connected on either side, nothing is lost by leaving out the rest.
 *
 * Where heights allow a step across a border in one direction only, the same holds for each
 * direction by itself: pairs that can be crossed in the same one only make up *one-way* entrances.
 * The cells along either side must still be joined in both directions.
 *
 * Diagonal steps cross borders too. Such a step is covered if two straight ones do the same. Else
 * it is a transition of its own: where corners may be cut, on hexagons (which have two neighbours
 * in the next row) and where heights forbid the straight steps.
 *
 * A *link* is a transition from the cell that it leaves to the one that it leads to, wherever that
 * lies, even in the same cluster.
 *
 * So a path leads from one cell to another if and only if transitions and paths inside of clusters
 * do.
 *
 * All of this is a function of the map, whatever its history.
 *
 * Sources: Botea, Müller and Schaeffer, "Near Optimal Hierarchical Path-Finding", 2004. Its rule
 * for transitions is `single`; that of `tiers` keeps away from the ends of long entrances.
 */
#ifndef CRN_CLUSTERS_H
#define CRN_CLUSTERS_H

#include "abstract/part.h"

#define CRN_CLUSTER_SIZE_MIN 2u
#define CRN_CLUSTER_SIZE_MAX 64u

/* How many transitions an entrance gets. Single: from the threshold on one at either end, else one
 * in the middle. Tiers: one in the middle below 5 cells, one at either end below 7, else two cells
 * from the ends. */
typedef enum crn_entrances { CRN_ENTRANCES_SINGLE, CRN_ENTRANCES_TIERS } crn_entrances;

typedef struct crn_clusters {
    const crn_grid_space *space;
    uint32_t size;          /* side of a cluster, in cells */
    uint32_t columns, rows; /* of clusters; those in the last ones may be smaller */
    crn_entrances rule;
    uint32_t threshold;
} crn_clusters;

void crn_clusters_divide(crn_clusters *out, const crn_grid_space *space, uint32_t size,
                         crn_entrances rule, uint32_t threshold);

CRN_INLINE uint32_t crn_clusters_count(const crn_clusters *clusters)
{
    return clusters->columns * clusters->rows;
}

/* Clusters are numbered row by row. */
CRN_INLINE uint32_t crn_clusters_at(const crn_clusters *clusters, cairn_node cell)
{
    uint32_t width = clusters->space->grid->width;
    return cell / width / clusters->size * clusters->columns + cell % width / clusters->size;
}

crn_area crn_clusters_area(const crn_clusters *clusters, uint32_t cluster);

/* In which directions a transition can be used. */
enum { CRN_EXIT_OUT = 1, CRN_EXIT_IN = 2, CRN_EXIT_BOTH = CRN_EXIT_OUT | CRN_EXIT_IN };

/* A transition, seen from the cluster that `from` lies in. */
typedef struct crn_exit {
    cairn_node from, to;
    uint32_t use; /* out: from `from` to `to` */
} crn_exit;

/* The largest number of transitions of a cluster without links: three for each cell along its
 * sides, and one at each corner. */
#define CRN_EXITS_OF(size) (4u * 3u * (size) + 4u)
#define CRN_EXITS_MAX CRN_EXITS_OF(CRN_CLUSTER_SIZE_MAX)

/* Writes all transitions of a cluster but links, ascending by `from`, then by `to`, each once.
 * `out` has room for CRN_EXITS_OF(clusters->size). Returns how many. */
uint32_t crn_clusters_exits(const crn_clusters *clusters, uint32_t cluster, crn_exit *out);

/* Transitions in the memory of a search or of a job. */
typedef struct crn_exits {
    crn_exit *items;
    uint32_t count;
    size_t capacity;
    /* how far outlets are gathered: sides, then rows of links from this link on, then sorting */
    uint32_t side, row, link;
    bool sorts;
    crn_sorting sorting;
} crn_exits;

/* The same with links, a link inside of the cluster from both of its ends. Steps and links between
 * the same two cells are one transition. False = no memory. */
bool crn_clusters_transitions(const crn_clusters *clusters, uint32_t cluster, crn_scratch *memory,
                              crn_exits *out);

/* Those that lead out only, ascending by `to`, then by `from`; steps and links between the same two
 * cells stand side by side. In pieces: CAIRN_RUNNING until all are there. */
void crn_clusters_begin_outlets(crn_exits *out);
cairn_status crn_clusters_outlets(const crn_clusters *clusters, uint32_t cluster,
                                  crn_scratch *memory, crn_exits *out);

/* The first arrival at a cell, from the i-th on, by a link that leaves the cluster; the number of
 * all links if there is none. */
uint32_t crn_clusters_arrival(const crn_clusters *clusters, uint32_t cluster, cairn_node to,
                              uint32_t i);
void crn_exits_close(crn_exits *exits, crn_scratch *memory);

/* Is the cell an end of a link? */
bool crn_clusters_linked(const crn_clusters *clusters, cairn_node cell);

/* Returns the cost of a transition, by a step or a link, whichever is cheaper; CAIRN_COST_MAX if it
 * does not fit. */
cairn_cost crn_clusters_crossing(const crn_clusters *clusters, cairn_node from, cairn_node to);

/* Are there steps that cannot be walked back? */
CRN_INLINE bool crn_clusters_one_way(const crn_clusters *clusters)
{
    const crn_grid_space *space = clusters->space;
    return space->steep && space->profile.max_climb != space->profile.max_drop;
}

#endif
