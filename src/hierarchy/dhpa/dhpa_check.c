/* dhpa_check.c: what must hold of the routes of DHPA*. See dhpa_check.h. */
#include "hierarchy/dhpa/dhpa_check.h"
#include "hierarchy/dhpa/dhpa_paths.h"
#include "hierarchy/hpa/hpa_check.h"

#if defined(CAIRN_CHECKS)

/* ---- lists and runs: nothing may be read behind the end ---- */

/* In bytes: how many there are from the first run on, up to the pockets. */
static uint64_t dhpa_check_end(const crn_routes *routes)
{
    return crn_pockets_begin(routes) - sizeof *routes - routes->records;
}

/* Do runs of `length` numbers that begin at a byte end before that? */
static bool dhpa_check_run(const crn_routes *routes, uint32_t begin, uint32_t length,
                           uint32_t width)
{
    uint64_t end = dhpa_check_end(routes), numbers = 1;
    const uint8_t *bytes = routes->bytes + routes->records + begin;
    if (begin + (length + 7) / 8 > end) return false;
    for (uint32_t i = 0; i < length; i++) numbers += crn_routes_bits(bytes, i, 1);
    return begin + (length + numbers * width + 7) / 8 <= end;
}

/* Do the entries of a zone, the last of which is that of the last node? */
static bool dhpa_check_entries(const crn_routes *routes, uint32_t zone)
{
    const uint8_t *bytes = routes->bytes + routes->records;
    uint64_t at = (uint64_t)zone * routes->entry_bits, end = dhpa_check_end(routes) * 8;
    uint32_t last = routes->nodes - 1u;
    for (; at + routes->entry_bits <= end; at += routes->entry_bits) {
        uint32_t entry = crn_routes_bits(bytes, (uint32_t)at, routes->entry_bits);
        if (entry >> routes->answer_bits >= last) return entry >> routes->answer_bits == last;
    }
    return false;
}

/* Is a zone complete, and are all its answers numbers below `most`? */
static bool dhpa_check_zone(const crn_routes *routes, uint32_t zone, uint32_t most)
{
    crn_reader reader = crn_routes_reader(routes);
    bool right = routes->entry_bits
                     ? dhpa_check_entries(routes, zone)
                     : dhpa_check_run(routes, zone, routes->nodes, routes->answer_bits);
    for (uint32_t i = 0; i < routes->nodes && right; i++)
        right = crn_answer_of(&reader, zone, i) < most;
    return right;
}

static bool dhpa_check_row(const crn_routes *routes, crn_area area, uint32_t y, uint32_t most)
{
    uint32_t row = crn_routes_bits(routes->bytes, y * routes->row_bits, routes->row_bits);
    crn_reader reader = crn_routes_reader(routes);
    bool right = dhpa_check_run(routes, row, area.width, routes->zone_bits);
    for (uint32_t x = 0; x < area.width && right; x++)
        right = dhpa_check_zone(routes, crn_zone_at(&reader, x, y), most);
    return right;
}

static const char *dhpa_check_form(const crn_routes *routes, crn_area area, uint32_t count)
{
    if (routes->nodes != count || routes->width != area.width) return "routes of another cluster";
    if (routes->height && routes->height != area.height) return "targets stand elsewhere";
    uint32_t lists = area.height * routes->row_bits + count * crn_bits_below(count),
             bits = routes->records * 8u;
    uint32_t targets = routes->height && bits > lists ? (bits - lists) / CRN_TARGET_BITS : 0;
    lists += targets * CRN_TARGET_BITS;
    uint64_t parts = (uint64_t)crn_pockets_size(routes->pockets, count, routes->zone_bits) +
                     sizeof *routes + routes->records + CRN_ROUTES_SLACK;
    if (routes->records != (lists + 7) / 8 || routes->size < parts)
        return "the runs of routes begin elsewhere";
    uint32_t most = routes->height ? targets + 1 : CRN_DIRECTIONS;
    for (uint32_t y = 0; y < area.height; y++) {
        if (!dhpa_check_row(routes, area, y, most)) return "the runs of routes are too long";
    }
    return NULL;
}

/* ---- paths ---- */

/* Where a path is, and how many steps it may still have. */
typedef struct dhpa_check_path {
    const crn_grid_space *space;
    crn_area area;
    uint32_t x, y, left;
} dhpa_check_path;

/* Goes along a leg. Paths are walked from their ends: steps are made the other way round. */
static const char *dhpa_check_leg(dhpa_check_path *path, crn_leg leg)
{
    const crn_area area = path->area;
    for (; leg.steps; leg.steps--, path->left--) {
        uint32_t x = (uint32_t)((int32_t)path->x + crn_dx[leg.direction]),
                 y = (uint32_t)((int32_t)path->y + crn_dy[leg.direction]);
        if (x >= area.width || y >= area.height) return "a path leads out of its cluster";
        if (!crn_grid_can_step(path->space, area.left + x, area.top + y, area.left + path->x,
                               area.top + path->y))
            return "a path leads where no step does";
        if (!path->left) return "a path leads round and round";
        path->x = x;
        path->y = y;
    }
    return NULL;
}

/* The path between two nodes of a cluster. */
static const char *dhpa_check_between(const crn_dhpa *index, uint32_t cluster, uint32_t from,
                                      uint32_t to)
{
    const crn_routes *routes = index->routes[cluster];
    dhpa_check_path path = {.space = index->graph.clusters.space,
                            .area = crn_clusters_area(&index->graph.clusters, cluster)};
    uint32_t count, width = path.space->grid->width;
    const crn_hpa_member *members = crn_hpa_members(&index->graph, cluster, &count);
    uint32_t x = members[to].cell % width - path.area.left,
             y = members[to].cell / width - path.area.top;
    path.x = members[from].cell % width - path.area.left;
    path.y = members[from].cell / width - path.area.top;
    path.left = path.area.width * path.area.height;
    if (from == to || !crn_reaches(crn_reach_at(routes, path.x, path.y), to)) return NULL;
    crn_path_reader reader = crn_path_between(routes, from, to);
    const char *wrong = NULL;
    while (!wrong && (path.x != x || path.y != y)) {
        if (routes->records + reader.at / 8 >= crn_pockets_begin(routes) - sizeof *routes)
            return "a path is longer than its list";
        wrong = dhpa_check_leg(&path, crn_path_leg(&reader));
    }
    return wrong;
}

/* Where the runs of zones, which are pockets, stand before the paths. */
static const char *dhpa_check_paths(const crn_dhpa *index, uint32_t cluster)
{
    const crn_routes *routes = index->routes[cluster];
    crn_area area = crn_clusters_area(&index->graph.clusters, cluster);
    uint32_t count = routes->nodes, lists = (area.height * routes->row_bits + 7) / 8;
    if (crn_lists_count(&index->graph.members, cluster) != count || routes->width != area.width ||
        routes->height != area.height)
        return "paths of another cluster";
    if (routes->records < lists || (!routes->pockets && routes->records))
        return "paths begin elsewhere";
    const char *wrong = NULL;
    for (uint32_t i = 0; i < count * count && !wrong; i++)
        wrong = dhpa_check_between(index, cluster, i % count, i / count);
    return wrong;
}

/* ---- routes ---- */

/* Goes from a cell of the cluster along the route to its i-th node. All cells before it in the
 * cluster have been seen to lead there. */
static const char *dhpa_check_walk(const crn_dhpa *index, uint32_t cluster, uint32_t i,
                                   uint32_t start)
{
    const crn_grid_space *space = index->graph.clusters.space;
    crn_area area = crn_clusters_area(&index->graph.clusters, cluster);
    const crn_routes *routes = index->routes[cluster];
    crn_reader reader = crn_routes_reader(routes);
    uint32_t count, width = space->grid->width;
    cairn_node goal = crn_hpa_members(&index->graph, cluster, &count)[i].cell;
    crn_route_end end = {crn_track_of(&reader, i),
                         crn_target_place(goal % width - area.left, goal / width - area.top)};
    for (uint32_t left = area.width * area.height, at = start; left; left--) {
        uint32_t x = at % area.width, y = at / area.width, to_x, to_y;
        cairn_node cell = (area.top + y) * space->grid->width + area.left + x;
        if (at < start || cell == goal || !cairn_space_usable(&space->base, cell)) return NULL;
        bool leads = crn_reaches(crn_reach_at(routes, x, y), i);
        if (!leads && at != start) return "a route ends before its node";
        if (!leads && crn_grid_walk_cost(space, goal, cell) != CAIRN_NO_COST)
            return "no route leads to a node from the cell beside it";
        if (!leads) return NULL;
        uint32_t step = crn_step_at(&reader, x, y, end);
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
    if (routes && crn_routes_are_paths(routes)) return dhpa_check_paths(index, cluster);
    const char *wrong = routes ? dhpa_check_form(routes, area, count) : NULL;
    for (uint32_t i = 0; i < count * cells && !wrong; i++)
        wrong = dhpa_check_walk(index, cluster, i / cells, i % cells);
    return wrong;
}

static const char *dhpa_check_bytes(const crn_dhpa *index)
{
    size_t bytes = 0;
    uint32_t paths = 0;
    for (uint32_t i = 0; i < crn_clusters_count(&index->graph.clusters); i++) {
        bytes += index->routes[i] ? index->routes[i]->size : 0;
        paths += index->routes[i] && crn_routes_are_paths(index->routes[i]);
    }
    if (paths != index->paths) return "another number of clusters has paths";
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
