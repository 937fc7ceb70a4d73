/* dhpa_index.h: the graph of HPA* with one level, and for every cluster the paths to its nodes.
 *
 * A cluster keeps a *route* for each of its nodes: for every cell of the cluster the direction of
 * the next step towards the node. Following it cell by cell leads to the node. Read backwards, it
 * is the cheapest path from the node to the cell inside the cluster, as the edges of the graph
 * count it. (Both directions cost the same where costs do not depend on terrain.) Of several
 * equally good steps the one of the lowest direction is kept, so routes are a function of the map.
 * In memory they are packed (dhpa_routes.h), or only those between nodes are kept. In files they
 * are complete: four bits for each step.
 */
#ifndef CRN_DHPA_INDEX_H
#define CRN_DHPA_INDEX_H

#include "hierarchy/dhpa/dhpa_routes.h"

typedef struct crn_dhpa {
    crn_hpa graph;
    crn_routes **routes;  /* by cluster; NULL = it has no nodes */
    size_t route_bytes;   /* of all of them */
    uint32_t paths;       /* clusters whose routes are paths */
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

#endif
