/* validate.c: does a space agree with its world and profile?
 *
 * Searches trust the tables that a space keeps: bitmaps, move sets, prepared costs. This file
 * trusts none of them. It asks the world cell by cell, reads the rules of space.h as literally as
 * possible, and compares with the edges that the space gives. It finds edges that are missing,
 * edges that must not exist, and edges with a wrong cost. It is slow on purpose: the plainer the
 * code, the easier it is to believe.
 */
#include "world/graph.h"
#include "world/grid_space.h"

typedef struct validate_report {
    cairn_fault_report *report;
    void *user;
    uint64_t count;
} validate_report;

static void validate_fault(validate_report *faults, cairn_node from, cairn_node to,
                           const char *text)
{
    faults->count++;
    if (faults->report) faults->report(faults->user, from, to, text);
}

/* ---- grids ---- */

typedef struct validate_grid {
    const cairn_space *space;
    const cairn_grid *grid;
    const cairn_profile *profile;
    cairn_scale scale;
} validate_grid;

/* Open and allowed; outside nothing is. */
static bool validate_is_free(const validate_grid *v, int32_t x, int32_t y)
{
    return cairn_grid_is_open(v->grid, x, y) &&
           v->profile->terrain_cost[cairn_grid_terrain(v->grid, x, y)] != 0;
}

static bool validate_is_hex(const validate_grid *v)
{
    return cairn_grid_layout(v->grid) == CAIRN_LAYOUT_HEX;
}

/* The least of 48 times the square of the distance from (0, 0) to a side from a to b of a hexagon.
 * Numbers count half cells to the right and 12ths of √12 downwards, so that twelve times the
 * product of two vectors is 3·x·x' + y·y', and every side has length √(4/12). */
static int64_t validate_side_48(const int64_t a[2], const int64_t b[2])
{
    int64_t along_x = b[0] - a[0], along_y = b[1] - a[1];
    /* where the foot lies: 0 is a, 4 is b */
    int64_t before = -(3 * a[0] * along_x + a[1] * along_y);
    if (before <= 0) return 4 * (3 * a[0] * a[0] + a[1] * a[1]);
    if (before >= 4) return 4 * (3 * b[0] * b[0] + b[1] * b[1]);
    return 4 * (3 * a[0] * a[0] + a[1] * a[1]) - before * before;
}

/* Twelve times the square of the distance from the centre of cell (x, y) to the cell (to_x,
 * to_y). */
static int64_t validate_gap_12(const validate_grid *v, int32_t x, int32_t y, int32_t to_x,
                               int32_t to_y)
{
    static const int64_t points[6][2] = {{0, -2}, {1, -1}, {1, 1}, {0, 2}, {-1, 1}, {-1, -1}};
    int64_t dx = (int64_t)to_x - x, dy = (int64_t)to_y - y, least = INT64_MAX;
    if (dx == 0 && dy == 0) return 0;
    if (!validate_is_hex(v)) {
        int64_t across = 2 * (dx < 0 ? -dx : dx) - 1, down = 2 * (dy < 0 ? -dy : dy) - 1;
        if (across < 0) across = 0;
        if (down < 0) down = 0;
        return 3 * (across * across + down * down);
    }
    int64_t centre_x = 2 * dx + (to_y & 1) - (y & 1), centre_y = 3 * dy;
    for (int i = 0; i < 6; i++) {
        const int64_t *p = points[i], *q = points[(i + 1) % 6];
        const int64_t a[2] = {centre_x + p[0], centre_y + p[1]},
                      b[2] = {centre_x + q[0], centre_y + q[1]};
        int64_t side = validate_side_48(a, b);
        if (side < least) least = side;
    }
    return least / 4;
}

/* "The agent can stand on a cell if no blocked cell lies nearer than the radius to its centre"; "n
 * × n cells must be free, of which the node is the upper left one". */
static bool validate_can_stand(const validate_grid *v, int32_t x, int32_t y)
{
    if (!validate_is_free(v, x, y)) return false;
    int32_t side = (int32_t)v->profile->footprint;
    for (int32_t i = 0; side > 1 && i < side * side; i++) {
        if (!validate_is_free(v, x + i % side, y + i / side)) return false;
    }
    double radius = v->profile->radius;
    int32_t near = (int32_t)(radius * 1.2) + 2; /* rows of hexagons are less than a cell high */
    for (int32_t to_y = y - near; radius > 0 && to_y <= y + near; to_y++) {
        for (int32_t to_x = x - near; to_x <= x + near; to_x++) {
            if (validate_is_free(v, to_x, to_y)) continue;
            if ((double)validate_gap_12(v, x, y, to_x, to_y) < 12 * radius * radius) return false;
        }
    }
    return true;
}

/* 12 times the square of the distance from a centre to the i-th point of a hexagon. */
static int64_t validate_point_12(cairn_cell from, cairn_cell to, int i)
{
    static const int64_t points[6][2] = {{0, -2}, {1, -1}, {1, 1}, {0, 2}, {-1, 1}, {-1, -1}};
    int64_t dx = 2 * ((int64_t)to.x - from.x) + (to.y & 1) - (from.y & 1) + points[i][0];
    int64_t dy = 3 * ((int64_t)to.y - from.y) + points[i][1];
    return 3 * dx * dx + dy * dy;
}

/* Does the step from a to b, one cell long, pass a blocked hexagon nearer than the radius? A point
 * of it makes a triangle with a and b: of its three sides one has 12 times the square 12, and its
 * height over that one follows from all three. */
static bool validate_grazes(const validate_grid *v, cairn_cell a, cairn_cell b, cairn_cell blocked)
{
    double radius = v->profile->radius;
    for (int i = 0; i < 6; i++) {
        int64_t from_a = validate_point_12(a, blocked, i),
                from_b = validate_point_12(b, blocked, i);
        int64_t foot = from_a - from_b + 12; /* 0 is a, 24 is b */
        if (foot <= 0 || foot >= 24) continue;
        if ((double)(48 * from_a - foot * foot) < 48 * 12 * radius * radius) return true;
    }
    return false;
}

/* "On hexagons a step is legal if no blocked cell lies nearer than the radius to any point of the
 * line between the two centres." */
static bool validate_has_room(const validate_grid *v, cairn_cell a, cairn_cell b)
{
    int32_t near = (int32_t)(v->profile->radius * 1.2) + 2;
    for (int32_t y = a.y - near; y <= a.y + near; y++) {
        for (int32_t x = a.x - near; x <= a.x + near; x++) {
            if (!validate_is_free(v, x, y) && validate_grazes(v, a, b, (cairn_cell){x, y}))
                return false;
        }
    }
    return true;
}

/* Elevation gained from a to b, negative if lost. */
static int32_t validate_rise(const validate_grid *v, cairn_cell a, cairn_cell b)
{
    return cairn_grid_elevation(v->grid, b.x, b.y) - cairn_grid_elevation(v->grid, a.x, a.y);
}

static bool validate_height_allows(const validate_grid *v, cairn_cell a, cairn_cell b)
{
    int32_t rise = validate_rise(v, a, b);
    if (rise > 0 && v->profile->max_climb != CAIRN_ANY_STEP && rise > v->profile->max_climb)
        return false;
    if (rise < 0 && v->profile->max_drop != CAIRN_ANY_STEP && -rise > v->profile->max_drop)
        return false;
    return true;
}

/* "A side cell is free if the agent can stand on it and the two straight steps over it obey the
 * elevation limits." */
static bool validate_side_is_free(const validate_grid *v, cairn_cell a, cairn_cell side,
                                  cairn_cell b)
{
    return validate_can_stand(v, side.x, side.y) && validate_height_allows(v, a, side) &&
           validate_height_allows(v, side, b);
}

static bool validate_corner_allows(const validate_grid *v, cairn_cell a, cairn_cell b)
{
    cairn_cell beside_x = {b.x, a.y}, beside_y = {a.x, b.y};
    bool free_x = validate_side_is_free(v, a, beside_x, b);
    bool free_y = validate_side_is_free(v, a, beside_y, b);
    switch (v->profile->corners) {
    case CAIRN_CORNERS_NEVER: return free_x && free_y;
    case CAIRN_CORNERS_ONE: return free_x || free_y;
    default: return true;
    }
}

#define VALIDATE_ANY UINT64_MAX /* whatever it costs */

/* The cost of the step from a to its neighbour b, 0 if it is not allowed, CAIRN_NO_COST if it does
 * not fit into 32 bits. */
static cairn_cost validate_grid_cost(const validate_grid *v, cairn_cell a, cairn_cell b)
{
    bool diagonal = a.x != b.x && a.y != b.y;
    if (!validate_can_stand(v, a.x, a.y) || !validate_can_stand(v, b.x, b.y)) return 0;
    if (!validate_height_allows(v, a, b)) return 0;
    if (validate_is_hex(v)) diagonal = false;
    if (validate_is_hex(v) && v->profile->radius > 0 && !validate_has_room(v, a, b)) return 0;
    if (diagonal && v->profile->neighbours != CAIRN_NEIGHBOURS_8) return 0;
    if (diagonal && !validate_corner_allows(v, a, b)) return 0;

    uint64_t straight = v->scale.straight;
    uint64_t cost = diagonal ? v->scale.diagonal : v->scale.straight;
    cost *= v->profile->terrain_cost[cairn_grid_terrain(v->grid, b.x, b.y)];
    cost = cost < 256 ? 1 : (cost + 128) / 256;
    cost += straight * cairn_grid_layer(v->grid, b.x, b.y) * v->profile->layer_weight / 256;
    int32_t rise = validate_rise(v, a, b);
    if (rise > 0) cost += straight * (uint64_t)rise * v->profile->gradient / 256;
    return cost > CAIRN_COST_MAX ? CAIRN_NO_COST : (cairn_cost)cost;
}

/* Cells that touch by a side or a corner. Hexagons touch two in the row above, two beside them, two
 * below. */
static bool validate_are_neighbours(const validate_grid *v, cairn_cell a, cairn_cell b)
{
    int32_t dx = b.x - a.x, dy = b.y - a.y;
    if (dy < -1 || dy > 1 || (!dx && !dy)) return false;
    if (!validate_is_hex(v) || dy == 0) return dx >= -1 && dx <= 1;
    return a.y % 2 == 0 ? dx == -1 || dx == 0 : dx == 0 || dx == 1;
}

/* The cost of the step on foot, 0 if there is none. */
static cairn_cost validate_walk(const validate_grid *v, cairn_cell a, cairn_cell b)
{
    return validate_are_neighbours(v, a, b) ? validate_grid_cost(v, a, b) : 0;
}

/* The first link of the grid that leaves a node; they stand in order. */
static uint32_t validate_first_link(const validate_grid *v, cairn_node node)
{
    uint32_t low = 0, high = cairn_grid_link_count(v->grid);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cairn_grid_link_at(v->grid, middle).from < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The cost of the cheapest link that may be used, 0 if there is none. */
static cairn_cost validate_link(const validate_grid *v, cairn_node node, cairn_node to)
{
    cairn_cell a = cairn_grid_cell(v->grid, node), b = cairn_grid_cell(v->grid, to);
    cairn_cost best = 0;
    for (uint32_t i = validate_first_link(v, node); cairn_grid_link_at(v->grid, i).from == node;
         i++) {
        cairn_link link = cairn_grid_link_at(v->grid, i);
        if (link.to != to || !(v->profile->links >> link.kind & 1)) continue;
        if (!validate_can_stand(v, a.x, a.y) || !validate_can_stand(v, b.x, b.y)) continue;
        uint64_t cost = (uint64_t)v->scale.straight * link.cost / 256;
        if (cost < 1) cost = 1;
        if (cost > CAIRN_COST_MAX) cost = CAIRN_NO_COST;
        if (!best || cost < best) best = (cairn_cost)cost;
    }
    return best;
}

/* The i-th edge that the space gives for a node; false past the end. */
static bool validate_space_edge(const cairn_space *space, cairn_node node, uint32_t i,
                                cairn_edge *edge)
{
    return cairn_space_expand(space, node, i, edge, 1) == 1;
}

/* How many of the first `limit` edges of the space lead to `to`; those at exactly `cost` if it is
 * not VALIDATE_ANY. */
static uint64_t validate_count_in_space(const cairn_space *space, cairn_node node, uint32_t limit,
                                        cairn_node to, uint64_t cost)
{
    uint64_t count = 0;
    cairn_edge edge;
    for (uint32_t i = 0; i < limit && validate_space_edge(space, node, i, &edge); i++) {
        count += edge.node == to && (cost == VALIDATE_ANY || edge.cost == cost);
    }
    return count;
}

/* The i-th edge that the space gives for a node: a step on foot, or a link, which may lead to a
 * neighbour too. */
static void validate_grid_edge(const validate_grid *v, cairn_node node, uint32_t i, cairn_edge edge,
                               validate_report *faults)
{
    cairn_cell a = cairn_grid_cell(v->grid, node), b = cairn_grid_cell(v->grid, edge.node);
    cairn_cost walk = b.x < 0 ? 0 : validate_walk(v, a, b);
    cairn_cost link = b.x < 0 ? 0 : validate_link(v, node, edge.node);
    uint64_t right = (uint64_t)(walk == edge.cost) + (link == edge.cost);
    if (!walk && !link) {
        bool beside = b.x >= 0 && validate_are_neighbours(v, a, b);
        validate_fault(faults, node, edge.node,
                       beside ? "a step that the rules do not allow"
                              : "a step to a cell that is no neighbour and that no link leads to");
    } else if (!right) {
        validate_fault(faults, node, edge.node, "a step at a wrong cost");
    } else if (validate_count_in_space(v->space, node, i, edge.node, edge.cost) >= right) {
        validate_fault(faults, node, edge.node, "the same step is listed twice");
    } else if (edge.cost > v->space->max_edge) {
        validate_fault(faults, node, edge.node,
                       "a step that costs more than the space says any does");
    }
}

/* Are all edges from a node to another one listed? */
static void validate_grid_listed(const validate_grid *v, cairn_node node, cairn_node to,
                                 uint32_t limit, validate_report *faults)
{
    cairn_cell a = cairn_grid_cell(v->grid, node), b = cairn_grid_cell(v->grid, to);
    uint64_t must = (uint64_t)(validate_walk(v, a, b) != 0) + (validate_link(v, node, to) != 0);
    if (validate_count_in_space(v->space, node, limit, to, VALIDATE_ANY) >= must) return;
    validate_fault(faults, node, to, "a step that the rules allow is missing");
}

static void validate_grid_node(const validate_grid *v, cairn_node node, validate_report *faults)
{
    cairn_cell a = cairn_grid_cell(v->grid, node);
    if (cairn_space_usable(v->space, node) != validate_can_stand(v, a.x, a.y)) {
        validate_fault(faults, node, node,
                       "the space is wrong about whether this cell can be stood on");
    }
    uint32_t first = validate_first_link(v, node), links = 0;
    while (cairn_grid_link_at(v->grid, first + links).from == node) links++;
    /* One more than there can be: a space that gives too many is caught as well. */
    uint32_t limit = 8 + links + 1, count = 0;
    cairn_edge edge;
    for (; count < limit && validate_space_edge(v->space, node, count, &edge); count++) {
        validate_grid_edge(v, node, count, edge, faults);
    }
    if (count == limit)
        validate_fault(faults, node, node,
                       "more steps lead away than there are neighbours and links");

    for (int32_t y = a.y - 1; y <= a.y + 1; y++) {
        for (int32_t x = a.x - 1; x <= a.x + 1; x++) {
            cairn_cell b = {x, y};
            cairn_node to = cairn_grid_node(v->grid, x, y);
            if (to == CAIRN_NO_NODE || !validate_are_neighbours(v, a, b)) continue;
            validate_grid_listed(v, node, to, limit, faults);
        }
    }
    for (uint32_t i = first; i < first + links; i++) {
        cairn_node to = cairn_grid_link_at(v->grid, i).to;
        bool told = validate_are_neighbours(v, a, cairn_grid_cell(v->grid, to));
        for (uint32_t k = first; k < i; k++) told |= cairn_grid_link_at(v->grid, k).to == to;
        if (!told) validate_grid_listed(v, node, to, limit, faults);
    }
}

uint64_t crn_grid_validate(const cairn_space *space, cairn_fault_report *report, void *user)
{
    validate_grid v = {space, cairn_space_grid(space), cairn_space_profile(space),
                       cairn_space_scale(space)};
    validate_report faults = {report, user, 0};
    uint32_t count = cairn_grid_width(v.grid) * cairn_grid_height(v.grid);
    if (cairn_space_node_count(space) != count) {
        validate_fault(&faults, CAIRN_NO_NODE, CAIRN_NO_NODE,
                       "the space has another number of cells than the grid");
    }
    for (cairn_node node = 0; node < count; node++) validate_grid_node(&v, node, &faults);
    return faults.count;
}

/* ---- graphs ---- */

/* How many edges from `node` to `to` the graph has; those at exactly `cost` if it is not
 * CAIRN_NO_COST. */
static uint64_t validate_count_in_graph(const cairn_graph *graph, cairn_node node, cairn_node to,
                                        cairn_cost cost)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < cairn_graph_degree(graph, node); i++) {
        cairn_graph_edge edge = cairn_graph_edge_at(graph, node, i);
        count += edge.to == to && (cost == CAIRN_NO_COST || edge.weight == cost);
    }
    return count;
}

/* Compares edge by edge in the given order, which is enough if all is well. */
static bool validate_graph_same(const cairn_space *space, const cairn_graph *graph, cairn_node node)
{
    cairn_edge edge;
    uint32_t degree = cairn_graph_degree(graph, node);
    for (uint32_t i = 0; i < degree; i++) {
        cairn_graph_edge given = cairn_graph_edge_at(graph, node, i);
        if (!validate_space_edge(space, node, i, &edge)) return false;
        if (edge.node != given.to || edge.cost != given.weight) return false;
    }
    return !validate_space_edge(space, node, degree, &edge);
}

/* Reports what exactly differs, by counting every edge in both lists: quadratic, but only for wrong
 * nodes. */
static void validate_graph_differences(const cairn_space *space, const cairn_graph *graph,
                                       cairn_node node, validate_report *faults)
{
    cairn_edge edge;
    /* A list that never ends is cut off one after the longest correct one. */
    uint32_t degree = cairn_graph_degree(graph, node), limit = degree + 1;
    for (uint32_t i = 0; i < limit && validate_space_edge(space, node, i, &edge); i++) {
        uint64_t so_far = validate_count_in_space(space, node, i + 1, edge.node, edge.cost);
        if (so_far <= validate_count_in_graph(graph, node, edge.node, edge.cost)) continue;
        bool other_price = validate_count_in_space(space, node, i + 1, edge.node, VALIDATE_ANY) <=
                           validate_count_in_graph(graph, node, edge.node, CAIRN_NO_COST);
        validate_fault(faults, node, edge.node,
                       other_price ? "an edge at a wrong cost"
                                   : "an edge that is not in the graph");
    }
    for (uint32_t i = 0; i < degree; i++) {
        cairn_graph_edge given = cairn_graph_edge_at(graph, node, i);
        bool first = true; /* each target once */
        for (uint32_t k = 0; k < i; k++)
            first &= cairn_graph_edge_at(graph, node, k).to != given.to;
        uint64_t has = validate_count_in_space(space, node, limit, given.to, VALIDATE_ANY);
        uint64_t must = validate_count_in_graph(graph, node, given.to, CAIRN_NO_COST);
        if (first && has < must)
            validate_fault(faults, node, given.to, "an edge of the graph is missing");
    }
}

static void validate_graph_node(const cairn_space *space, const cairn_graph *graph, cairn_node node,
                                validate_report *faults)
{
    if (cairn_space_usable(space, node) != cairn_graph_node_open(graph, node)) {
        validate_fault(faults, node, node,
                       "the space is wrong about whether this node can be stood on");
    }
    for (uint32_t i = 0; i < cairn_graph_degree(graph, node); i++) {
        cairn_graph_edge edge = cairn_graph_edge_at(graph, node, i);
        if (edge.from != node || edge.to >= cairn_graph_node_count(graph) || edge.to == node) {
            validate_fault(faults, node, edge.to,
                           "an edge of the graph leads nowhere or to its own start");
        } else if (edge.weight < 1 || edge.weight > space->max_edge) {
            validate_fault(faults, node, edge.to,
                           "an edge that costs nothing or more than the space says any does");
        }
    }
    if (!validate_graph_same(space, graph, node))
        validate_graph_differences(space, graph, node, faults);
}

uint64_t crn_graph_validate(const cairn_space *space, cairn_fault_report *report, void *user)
{
    const cairn_graph *graph = cairn_space_graph(space);
    validate_report faults = {report, user, 0};
    uint32_t count = cairn_graph_node_count(graph);
    if (cairn_space_node_count(space) != count) {
        validate_fault(&faults, CAIRN_NO_NODE, CAIRN_NO_NODE,
                       "the space has another number of nodes than the graph");
    }
    for (cairn_node node = 0; node < count; node++)
        validate_graph_node(space, graph, node, &faults);
    return faults.count;
}
