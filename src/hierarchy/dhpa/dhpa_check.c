/* dhpa_check.c: what must hold of the routes of DHPA*. See dhpa_check.h. */
#include "hierarchy/dhpa/dhpa_check.h"
#include "hierarchy/hpa/hpa_check.h"

#if defined(CAIRN_CHECKS)

/* ---- lists and runs: nothing may be read behind the end ---- */

/* Do runs of `length` numbers that begin at a byte end before the routes do? */
static bool dhpa_check_run(const crn_routes *routes, uint32_t begin, uint32_t length,
                           uint32_t width)
{
    uint64_t end = routes->size - sizeof *routes - routes->records - CRN_ROUTES_SLACK, numbers = 1;
    const uint8_t *bytes = routes->bytes + routes->records + begin;
    if (begin + (length + 7) / 8 > end) return false;
    for (uint32_t i = 0; i < length; i++) numbers += crn_routes_bits(bytes, i, 1);
    return begin + (length + numbers * width + 7) / 8 <= end;
}

static bool dhpa_check_row(const crn_routes *routes, crn_area area, uint32_t y)
{
    uint32_t row = crn_routes_bits(routes->bytes, y * routes->row_bits, routes->row_bits);
    crn_reader reader = crn_routes_reader(routes);
    bool right = dhpa_check_run(routes, row, area.width, routes->zone_bits);
    for (uint32_t x = 0; x < area.width && right; x++)
        right =
            dhpa_check_run(routes, crn_zone_at(&reader, x, y), routes->nodes, routes->answer_bits);
    return right;
}

static const char *dhpa_check_form(const crn_routes *routes, crn_area area, uint32_t count)
{
    if (routes->nodes != count || routes->width != area.width) return "routes of another cluster";
    uint32_t lists = area.height * routes->row_bits;
    if (routes->targets && routes->targets != lists) return "targets stand elsewhere";
    if (routes->targets) lists += routes->none * CRN_TARGET_BITS;
    lists += count * crn_bits_below(count);
    if (routes->records != (lists + 7) / 8 ||
        routes->size < sizeof *routes + routes->records + CRN_ROUTES_SLACK)
        return "the runs of routes begin elsewhere";
    for (uint32_t y = 0; y < area.height; y++) {
        if (!dhpa_check_row(routes, area, y)) return "the runs of routes are too long";
    }
    return NULL;
}

/* ---- routes ---- */

/* Goes from a cell of the cluster along the route to its i-th node. All cells before it in the
 * cluster have been seen to lead there. */
static const char *dhpa_check_walk(const crn_dhpa *index, uint32_t cluster, uint32_t i,
                                   uint32_t start)
{
    const crn_grid_space *space = index->graph.clusters.space;
    crn_area area = crn_clusters_area(&index->graph.clusters, cluster);
    crn_reader reader = crn_routes_reader(index->routes[cluster]);
    uint32_t count, track = crn_track_of(&reader, i);
    cairn_node goal = crn_hpa_members(&index->graph, cluster, &count)[i].cell;
    for (uint32_t left = area.width * area.height, at = start; left; left--) {
        uint32_t x = at % area.width, y = at / area.width, to_x, to_y;
        cairn_node cell = (area.top + y) * space->grid->width + area.left + x;
        uint32_t step = crn_step_at(&reader, x, y, track);
        if (at < start || cell == goal || !cairn_space_usable(&space->base, cell)) return NULL;
        if (step == CRN_ROUTE_NONE && at != start) return "a route ends before its node";
        if (step == CRN_ROUTE_NONE && crn_grid_walk_cost(space, goal, cell) != CAIRN_NO_COST)
            return "no route leads to a node from the cell beside it";
        if (step == CRN_ROUTE_NONE) return NULL;
        to_x = (uint32_t)((int32_t)x + crn_dx[step]), to_y = (uint32_t)((int32_t)y + crn_dy[step]);
        if (to_x >= area.width || to_y >= area.height) return "a route leads out of its cluster";
        /* Paths go along routes from their ends: the step is made the other way round. */
        if (!crn_grid_can_step(space, area.left + to_x, area.top + to_y, area.left + x,
                               area.top + y))
            return "a route leads where no step does";
        at = to_y * area.width + to_x;
    }
    return "a route leads round and round";
}

static const char *dhpa_check_cluster(const crn_dhpa *index, uint32_t cluster)
{
    crn_area area = crn_clusters_area(&index->graph.clusters, cluster);
    const crn_routes *routes = index->routes[cluster];
    uint32_t cells = area.width * area.height,
             count = crn_lists_count(&index->graph.members, cluster);
    if (!routes != !count) return "a cluster without routes, or none without nodes";
    const char *wrong = routes ? dhpa_check_form(routes, area, count) : NULL;
    for (uint32_t i = 0; i < count * cells && !wrong; i++)
        wrong = dhpa_check_walk(index, cluster, i / cells, i % cells);
    return wrong;
}

static const char *dhpa_check_bytes(const crn_dhpa *index)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < crn_clusters_count(&index->graph.clusters); i++)
        bytes += index->routes[i] ? index->routes[i]->size : 0;
    return bytes == index->route_bytes ? NULL : "routes take another number of bytes";
}

const char *crn_dhpa_check(const crn_dhpa *index, bool whole)
{
    const char *wrong = crn_hpa_check(&index->graph, whole);
    if (!wrong) wrong = dhpa_check_bytes(index);
    if (!wrong && index->costliest < crn_hpa_costliest(&index->graph))
        return "the costliest edge is another";
    for (uint32_t i = 0; i < crn_clusters_count(&index->graph.clusters) && !wrong; i++)
        wrong = dhpa_check_cluster(index, i);
    return wrong;
}

#endif
