/* validate.c: is a space what its world and profile say it is?
 *
 * Searches trust the tables that a space keeps: bitmaps, move sets, prepared costs. This file trusts
 * none of them. It asks the world cell by cell, reads the rules of space.h as literally as
 * possible, and compares with the edges that the space hands out: edges that are missing, edges that
 * must not be there, edges at a wrong price. It is slow on purpose; the plainer the code, the
 * easier it is to believe.
 */
#include "world/graph.h"
#include "world/grid_space.h"

typedef struct validate_report {
    cairn_fault_report *report;
    void *user;
    uint64_t count;
} validate_report;

static void validate_fault(validate_report *faults, cairn_node from, cairn_node to, const char *text)
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

static bool validate_can_stand(const validate_grid *v, int32_t x, int32_t y)
{
    return cairn_grid_is_open(v->grid, x, y) &&
           v->profile->terrain_cost[cairn_grid_terrain(v->grid, x, y)] != 0;
}

/* Elevation gained from a to b, negative if lost. */
static int32_t validate_rise(const validate_grid *v, cairn_cell a, cairn_cell b)
{
    return cairn_grid_elevation(v->grid, b.x, b.y) - cairn_grid_elevation(v->grid, a.x, a.y);
}

static bool validate_height_allows(const validate_grid *v, cairn_cell a, cairn_cell b)
{
    int32_t rise = validate_rise(v, a, b);
    if (rise > 0 && v->profile->max_climb != CAIRN_ANY_STEP && rise > v->profile->max_climb) return false;
    if (rise < 0 && v->profile->max_drop != CAIRN_ANY_STEP && -rise > v->profile->max_drop) return false;
    return true;
}

/* "A side cell is free if it can be stood on and the two straight steps over it obey the elevation
 * limits." */
static bool validate_side_is_free(const validate_grid *v, cairn_cell a, cairn_cell side, cairn_cell b)
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

/* The cost of the step from a to its neighbour b, CAIRN_NO_COST if it is not allowed. */
static cairn_cost validate_grid_cost(const validate_grid *v, cairn_cell a, cairn_cell b)
{
    bool diagonal = a.x != b.x && a.y != b.y;
    if (!validate_can_stand(v, a.x, a.y) || !validate_can_stand(v, b.x, b.y)) return CAIRN_NO_COST;
    if (!validate_height_allows(v, a, b)) return CAIRN_NO_COST;
    if (diagonal && v->profile->neighbours != CAIRN_NEIGHBOURS_8) return CAIRN_NO_COST;
    if (diagonal && !validate_corner_allows(v, a, b)) return CAIRN_NO_COST;

    uint64_t straight = v->scale.straight;
    uint64_t cost = diagonal ? v->scale.diagonal : v->scale.straight;
    cost *= v->profile->terrain_cost[cairn_grid_terrain(v->grid, b.x, b.y)];
    cost += straight * cairn_grid_layer(v->grid, b.x, b.y) * v->profile->layer_weight / 256;
    int32_t rise = validate_rise(v, a, b);
    if (rise > 0) cost += straight * (uint64_t)rise * v->profile->gradient / 256;
    return cost > CAIRN_COST_MAX ? CAIRN_COST_MAX : (cairn_cost)cost;
}

static bool validate_are_neighbours(cairn_cell a, cairn_cell b)
{
    int32_t dx = a.x - b.x, dy = a.y - b.y;
    return dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1 && (dx || dy);
}

/* One edge of those that the space gives for a node; `others` come before it. */
static void validate_grid_edge(const validate_grid *v, cairn_node node, cairn_edge edge,
                               const cairn_edge *others, uint32_t other_count, validate_report *faults)
{
    cairn_cell a = cairn_grid_cell(v->grid, node), b = cairn_grid_cell(v->grid, edge.node);
    for (uint32_t i = 0; i < other_count; i++) {
        if (others[i].node == edge.node) {
            validate_fault(faults, node, edge.node, "the same step is listed twice");
            return;
        }
    }
    if (b.x < 0 || !validate_are_neighbours(a, b)) {
        validate_fault(faults, node, edge.node, "a step to a cell that is no neighbour");
        return;
    }
    cairn_cost cost = validate_grid_cost(v, a, b);
    if (cost == CAIRN_NO_COST) {
        validate_fault(faults, node, edge.node, "a step that the rules do not allow");
    } else if (cost != edge.cost) {
        validate_fault(faults, node, edge.node, "a step at a wrong cost");
    } else if (cost > v->space->max_edge) {
        validate_fault(faults, node, edge.node, "a step that costs more than the space says any does");
    }
}

/* Nine is one more than there can be: a space that gives more than eight is caught as well. */
#define VALIDATE_GRID_EDGES 9u

static void validate_grid_node(const validate_grid *v, cairn_node node, validate_report *faults)
{
    cairn_cell a = cairn_grid_cell(v->grid, node);
    if (cairn_space_usable(v->space, node) != validate_can_stand(v, a.x, a.y)) {
        validate_fault(faults, node, node, "the space is wrong about whether this cell can be stood on");
    }
    cairn_edge edges[VALIDATE_GRID_EDGES];
    uint32_t count = cairn_space_expand(v->space, node, 0, edges, VALIDATE_GRID_EDGES);
    if (count > 8) validate_fault(faults, node, node, "more than eight steps lead away");
    for (uint32_t i = 0; i < count; i++) validate_grid_edge(v, node, edges[i], edges, i, faults);

    for (int32_t y = a.y - 1; y <= a.y + 1; y++) {
        for (int32_t x = a.x - 1; x <= a.x + 1; x++) {
            cairn_cell b = {x, y};
            if ((x == a.x && y == a.y) || validate_grid_cost(v, a, b) == CAIRN_NO_COST) continue;
            cairn_node to = cairn_grid_node(v->grid, x, y);
            bool listed = false;
            for (uint32_t i = 0; i < count; i++) listed |= edges[i].node == to;
            if (!listed) validate_fault(faults, node, to, "a step that the rules allow is missing");
        }
    }
}

uint64_t crn_grid_validate(const cairn_space *space, cairn_fault_report *report, void *user)
{
    validate_grid v = {space, cairn_space_grid(space), cairn_space_profile(space), cairn_space_scale(space)};
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

/* The i-th edge that the space gives for a node; false past the end. */
static bool validate_space_edge(const cairn_space *space, cairn_node node, uint32_t i, cairn_edge *edge)
{
    return cairn_space_expand(space, node, i, edge, 1) == 1;
}

/* How many edges from `node` to `to` the graph has; those at exactly `cost` if it is not CAIRN_NO_COST. */
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

/* The same among the first `limit` edges that the space gives. */
static uint64_t validate_count_in_space(const cairn_space *space, cairn_node node, uint32_t limit,
                                        cairn_node to, cairn_cost cost)
{
    uint64_t count = 0;
    cairn_edge edge;
    for (uint32_t i = 0; i < limit && validate_space_edge(space, node, i, &edge); i++) {
        count += edge.node == to && (cost == CAIRN_NO_COST || edge.cost == cost);
    }
    return count;
}

/* Edge by edge in the given order, which is how it is when all is well. */
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

/* What exactly differs: by counting every edge in both lists, quadratic, but only for nodes at fault. */
static void validate_graph_differences(const cairn_space *space, const cairn_graph *graph, cairn_node node,
                                       validate_report *faults)
{
    cairn_edge edge;
    /* A list that never ends is cut off one behind the longest that is right. */
    uint32_t degree = cairn_graph_degree(graph, node), limit = degree + 1;
    for (uint32_t i = 0; i < limit && validate_space_edge(space, node, i, &edge); i++) {
        uint64_t so_far = validate_count_in_space(space, node, i + 1, edge.node, edge.cost);
        if (so_far <= validate_count_in_graph(graph, node, edge.node, edge.cost)) continue;
        bool other_price = validate_count_in_space(space, node, i + 1, edge.node, CAIRN_NO_COST) <=
                           validate_count_in_graph(graph, node, edge.node, CAIRN_NO_COST);
        validate_fault(faults, node, edge.node,
                       other_price ? "an edge at a wrong cost" : "an edge that is not in the graph");
    }
    for (uint32_t i = 0; i < degree; i++) {
        cairn_graph_edge given = cairn_graph_edge_at(graph, node, i);
        bool first = true; /* each target once */
        for (uint32_t k = 0; k < i; k++) first &= cairn_graph_edge_at(graph, node, k).to != given.to;
        uint64_t has = validate_count_in_space(space, node, limit, given.to, CAIRN_NO_COST);
        uint64_t must = validate_count_in_graph(graph, node, given.to, CAIRN_NO_COST);
        if (first && has < must) validate_fault(faults, node, given.to, "an edge of the graph is missing");
    }
}

static void validate_graph_node(const cairn_space *space, const cairn_graph *graph, cairn_node node,
                                validate_report *faults)
{
    if (!cairn_space_usable(space, node)) {
        validate_fault(faults, node, node, "the space is wrong about whether this node can be stood on");
    }
    for (uint32_t i = 0; i < cairn_graph_degree(graph, node); i++) {
        cairn_graph_edge edge = cairn_graph_edge_at(graph, node, i);
        if (edge.from != node || edge.to >= cairn_graph_node_count(graph) || edge.to == node) {
            validate_fault(faults, node, edge.to, "an edge of the graph leads nowhere or to its own start");
        } else if (edge.weight < 1 || edge.weight > space->max_edge) {
            validate_fault(faults, node, edge.to,
                           "an edge that costs nothing or more than the space says any does");
        }
    }
    if (!validate_graph_same(space, graph, node)) validate_graph_differences(space, graph, node, faults);
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
    for (cairn_node node = 0; node < count; node++) validate_graph_node(space, graph, node, &faults);
    return faults.count;
}
