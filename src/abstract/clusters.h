/* clusters.h: a grid divided into square clusters, and the transitions from one into the next.
 *
 * Two clusters meet along a border, or at a corner. An *entrance* is a longest run of cells along a
 * border with two properties: from each of them one can step straight across and back, and one can
 * step from one to the next on both sides of the border. Each entrance gets one or two
 * *transitions*, pairs of cells by which paths may cross. Since the cells of an entrance are
 * connected on either side, nothing is lost by leaving out the rest.
 *
 * Diagonal steps cross borders too. Such a step is covered if two straight ones, which can be
 * walked back, do the same. Else it is a transition of its own: where corners may be cut, on
 * hexagons (which have two neighbours in the next row) and where heights forbid the straight steps.
 * So two cells are joined by a path if and only if they are joined by transitions and paths inside
 * of clusters; steps that cannot be walked back do not count.
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

/* A transition, seen from the cluster that `from` lies in. */
typedef struct crn_exit {
    cairn_node from, to;
} crn_exit;

/* The largest number of transitions of a cluster: three for each cell along its sides, and one at
 * each corner. */
#define CRN_EXITS_MAX (4u * 3u * CRN_CLUSTER_SIZE_MAX + 4u)

/* Writes all transitions out of a cluster, ascending by `from`, then by `to`, each once. Returns
 * how many. */
uint32_t crn_clusters_exits(const crn_clusters *clusters, uint32_t cluster,
                            crn_exit out[CRN_EXITS_MAX]);

#endif
