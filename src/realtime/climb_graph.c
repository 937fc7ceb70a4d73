/* climb_graph.c: hill climbing on graphs. See climb_graph.h. */
#include "realtime/climb_graph.h"
#include <math.h>

/* Most edges that a try looks at; most edges to a target that are looked through for one from
 * here. */
enum { CLIMB_TRY = 256, CLIMB_BACK = 64 };

/* The square of a distance. If it is beyond a double no node is nearer than another. */
CRN_INLINE double climb_square(const crn_graph_space *map, cairn_node a, cairn_node b)
{
    const cairn_position *positions = map->graph->positions;
    if (!positions) return 0;
    double dx = positions[a].x - positions[b].x, dy = positions[a].y - positions[b].y,
           dz = positions[a].z - positions[b].z;
    return dx * dx + dy * dy + dz * dz;
}

double crn_graph_climb_length(const crn_graph_space *map, cairn_node a, cairn_node b)
{
    return sqrt(climb_square(map, a, b));
}

static double climb_scale(const crn_graph_space *map)
{
    return map->graph->estimate_scale[CAIRN_HEURISTIC_EUCLIDEAN];
}

/* ---- a step ---- */

/* The edge to the target, if fewer lead there than away from here. */
static void climb_find_target(const crn_graph_space *map, crn_graph_step *step)
{
    const cairn_graph *graph = map->graph;
    const uint32_t *offsets = map->back.offsets ? map->back.offsets : graph->offsets;
    const cairn_edge *edges = map->back.offsets ? map->back.edges : graph->edges;
    uint32_t first = offsets[step->target], end = offsets[step->target + 1];
    uint32_t degree = graph->offsets[step->from + 1] - graph->offsets[step->from];
    if (end - first > CLIMB_BACK || end - first >= degree) return;
    for (uint32_t i = first; i < end; i++) {
        if (edges[i].node != step->from) continue;
        if (step->to == CAIRN_NO_NODE || edges[i].cost < step->cost) step->cost = edges[i].cost;
        step->to = step->target;
        step->edge = UINT32_MAX;
    }
}

crn_graph_step crn_graph_step_begin(const crn_graph_space *map, cairn_node from, cairn_node target)
{
    crn_graph_step step = {.from = from, .target = target, .to = CAIRN_NO_NODE};
    climb_find_target(map, &step);
    if (step.to == CAIRN_NO_NODE) step.square = climb_square(map, from, target);
    return step;
}

/* An edge that does not lead to the target. */
CRN_INLINE void climb_look(const crn_graph_space *map, crn_graph_step *step, cairn_edge edge)
{
    double square = climb_square(map, edge.node, step->target);
    if (!(square < step->square)) return;
    double sum = edge.cost + climb_scale(map) * sqrt(square);
    bool better = step->to == CAIRN_NO_NODE || sum < step->sum ||
                  (sum == step->sum && edge.cost > step->cost);
    if (!better) return;
    step->to = edge.node;
    step->cost = edge.cost;
    step->sum = sum;
}

bool crn_graph_step_go_on(const crn_graph_space *map, crn_graph_step *step, uint32_t *looks)
{
    const cairn_graph *graph = map->graph;
    if (step->edge == UINT32_MAX) return true;
    uint32_t first = graph->offsets[step->from], end = graph->offsets[step->from + 1];
    for (; *looks && first + step->edge < end; --*looks) {
        cairn_edge edge = graph->edges[first + step->edge++];
        if (edge.node == step->target) {
            if (step->to != step->target || edge.cost < step->cost) step->cost = edge.cost;
            step->to = step->target;
        } else if (step->to != step->target) {
            climb_look(map, step, edge);
        }
    }
    if (first + step->edge < end) return false;
    step->edge = UINT32_MAX;
    return true;
}

/* ---- climbs ---- */

bool crn_graph_climb_step(const crn_graph_space *map, cairn_node *at, cairn_node to)
{
    uint32_t looks = UINT32_MAX;
    crn_graph_step step = crn_graph_step_begin(map, *at, to);
    crn_graph_step_go_on(map, &step, &looks);
    if (step.to == CAIRN_NO_NODE) return false;
    *at = step.to;
    return true;
}

static bool climb_all(const crn_graph_space *map, cairn_node at, cairn_node to, uint32_t most,
                      uint32_t looks, uint64_t *cost)
{
    uint64_t sum = 0;
    while (at != to) {
        crn_graph_step step = crn_graph_step_begin(map, at, to);
        bool over = crn_graph_step_go_on(map, &step, &looks);
        if (!over || step.to == CAIRN_NO_NODE || !most--) return false;
        sum += step.cost;
        at = step.to;
    }
    if (cost) *cost = sum;
    return true;
}

bool crn_graph_climb_reaches(const crn_graph_space *map, cairn_node from, cairn_node to,
                             uint32_t most, uint64_t *cost)
{
    return climb_all(map, from, to, most, UINT32_MAX, cost);
}

bool crn_graph_climb_glides(const crn_graph_space *map, cairn_node from, cairn_node to,
                            uint32_t most)
{
    return climb_all(map, from, to, most, CLIMB_TRY, NULL);
}

/* ---- grids or graphs ---- */

uint64_t crn_space_climb_distance(const cairn_space *space, cairn_node a, cairn_node b)
{
    const crn_grid_space *map = crn_grid_space_of(space);
    if (map)
        return crn_climb_distance(map, cairn_grid_cell(map->grid, a),
                                  cairn_grid_cell(map->grid, b));
    const crn_graph_space *graph = crn_graph_space_of(space);
    double distance = climb_scale(graph) * crn_graph_climb_length(graph, a, b);
    return distance < CAIRN_COST_MAX ? (uint64_t)distance : CAIRN_COST_MAX;
}

bool crn_space_climb_step(const cairn_space *space, cairn_node *at, cairn_node to)
{
    const crn_grid_space *map = crn_grid_space_of(space);
    return map ? crn_climb_step(map, at, to)
               : crn_graph_climb_step(crn_graph_space_of(space), at, to);
}

bool crn_space_climb_reaches(const cairn_space *space, cairn_node from, cairn_node to,
                             uint32_t most, uint64_t *cost)
{
    const crn_grid_space *map = crn_grid_space_of(space);
    return map ? crn_climb_reaches(map, from, to, most, cost)
               : crn_graph_climb_reaches(crn_graph_space_of(space), from, to, most, cost);
}

bool crn_space_climb_within(const cairn_space *space, cairn_node from, cairn_node to, uint32_t most,
                            uint64_t limit)
{
    const crn_grid_space *map = crn_grid_space_of(space);
    uint64_t cost;
    if (map) return crn_climb_within(map, from, to, most, limit);
    return crn_graph_climb_reaches(crn_graph_space_of(space), from, to, most, &cost) &&
           cost <= limit;
}
