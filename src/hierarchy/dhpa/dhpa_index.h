/* dhpa_index.h: the graph of HPA* with one level, and for every cluster the paths to its nodes.
 *
 * A cluster keeps a *route* for each of its nodes: for every cell of the cluster the direction of
 * the next step towards the node, in four bits. Following it cell by cell leads to the node. Read
 * backwards, it is the cheapest path from the node to the cell inside the cluster, as the edges of
 * the graph count it. (Both directions cost the same where costs do not depend on terrain.) Of
 * several equally good steps the one of the lowest direction is kept, so routes are a function of
 * the map.
 */
#ifndef CRN_DHPA_INDEX_H
#define CRN_DHPA_INDEX_H

#include "hierarchy/hpa/hpa_index.h"

enum { CRN_ROUTE_HERE = CRN_DIRECTIONS, CRN_ROUTE_NONE = 15 };

typedef struct crn_dhpa {
    crn_hpa graph;
    /* by cluster: its routes, 16 steps in each item; those of its first node come first */
    crn_lists routes;
    cairn_cost costliest; /* edge of the graph */
} crn_dhpa;

cairn_status crn_dhpa_build(crn_dhpa *index, const crn_grid_space *space,
                            const crn_hpa_options *options, const cairn_progress *progress,
                            cairn_error *error);
void crn_dhpa_drop(crn_dhpa *index);
size_t crn_dhpa_bytes(const crn_dhpa *index);

/* As crn_hpa_repair. */
cairn_status crn_dhpa_repair(crn_dhpa *index, uint64_t since, const cairn_progress *progress,
                             cairn_error *error);

cairn_status crn_dhpa_save(const crn_dhpa *index, cairn_store *store, cairn_error *error);
cairn_status crn_dhpa_load(crn_dhpa *index, const crn_grid_space *space,
                           const crn_hpa_options *options, const cairn_archive *archive,
                           cairn_error *error);

/* Return the routes of a cluster, and the number of the step from a cell to the i-th of its
 * nodes. */
CRN_INLINE const uint32_t *crn_dhpa_routes(const crn_dhpa *index, uint32_t cluster)
{
    return crn_lists_items(&index->routes, cluster);
}

CRN_INLINE uint32_t crn_dhpa_place(crn_area area, uint32_t i, uint32_t x, uint32_t y)
{
    return (i * area.height + (y - area.top)) * area.width + (x - area.left);
}

CRN_INLINE uint32_t crn_route(const uint32_t *routes, uint32_t place)
{
    return routes[place / 8] >> place % 8 * 4 & 15;
}

#endif
