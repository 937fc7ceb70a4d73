/* dhpa_check.c: what must hold of the routes of DHPA*. See dhpa_check.h. */
#include "hierarchy/dhpa/dhpa_check.h"
#include "abstract/abstract_check.h"
#include "hierarchy/hpa/hpa_check.h"

#if defined(CAIRN_CHECKS)

/* Goes from a cell of the cluster along the route to its i-th node. All cells before it in the
 * cluster have been seen to lead there. */
static const char *dhpa_check_walk(const crn_dhpa *index, uint32_t cluster, uint32_t i,
                                   cairn_node cell)
{
    const crn_grid_space *space = index->graph.clusters.space;
    crn_area area = crn_clusters_area(&index->graph.clusters, cluster);
    const uint32_t *routes = crn_dhpa_routes(index, cluster);
    uint32_t count, width = space->grid->width;
    cairn_node goal = crn_hpa_members(&index->graph, cluster, &count)[i].cell;
    uint32_t start = crn_dhpa_place(area, 0, cell % width, cell / width);
    for (uint32_t left = area.width * area.height; left; left--) {
        uint32_t x = cell % width, y = cell / width;
        uint32_t step = crn_route(routes, crn_dhpa_place(area, i, x, y));
        if (crn_dhpa_place(area, 0, x, y) < start) return NULL;
        if (step == CRN_ROUTE_HERE) return cell == goal ? NULL : "a route ends before its node";
        if (step == CRN_ROUTE_NONE) return cell == goal ? "a node has no route" : NULL;
        if (step > CRN_DIRECTIONS || !cairn_space_usable(&space->base, cell))
            return "a route begins where nobody can stand";
        uint32_t to_x = (uint32_t)((int32_t)x + crn_dx[step]),
                 to_y = (uint32_t)((int32_t)y + crn_dy[step]);
        if (to_x - area.left >= area.width || to_y - area.top >= area.height)
            return "a route leads out of its cluster";
        /* Paths go along routes from their ends: the step is made the other way round. */
        if (!crn_grid_can_step(space, to_x, to_y, x, y)) return "a route leads where no step does";
        cell = to_y * width + to_x;
    }
    return "a route leads round and round";
}

static const char *dhpa_check_cluster(const crn_dhpa *index, uint32_t cluster)
{
    crn_area area = crn_clusters_area(&index->graph.clusters, cluster);
    uint32_t count, cells = area.width * area.height,
                    width = index->graph.clusters.space->grid->width;
    crn_hpa_members(&index->graph, cluster, &count);
    if ((size_t)crn_lists_count(&index->routes, cluster) * 16 < (size_t)count * cells)
        return "a cluster has too few routes";
    const char *wrong = NULL;
    for (uint32_t i = 0; i < count * cells && !wrong; i++) {
        uint32_t at = i % cells;
        wrong = dhpa_check_walk(index, cluster, i / cells,
                                (area.top + at / area.width) * width + area.left + at % area.width);
    }
    return wrong;
}

const char *crn_dhpa_check(const crn_dhpa *index, bool whole)
{
    const char *wrong = crn_hpa_check(&index->graph, whole);
    if (!wrong) wrong = crn_lists_check(&index->routes);
    if (!wrong && index->costliest < crn_hpa_costliest(&index->graph))
        return "the costliest edge is another";
    for (uint32_t i = 0; i < crn_clusters_count(&index->graph.clusters) && !wrong; i++)
        wrong = dhpa_check_cluster(index, i);
    return wrong;
}

#endif
