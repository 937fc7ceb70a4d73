/* hcdps_graph.c: the regions of `hcdps` on graphs.
 *
 * Seeds stand at regular distances here as well: squares of `spacing` times the mean length of
 * edges lie over the positions, and in each of them the node nearest to its middle is a seed. Nodes
 * with very many edges are seeds before them: their neighbours may reach each other only there. All
 * regions grow at the same time, in the order of straight distances from the seed (without
 * positions, of steps). A node joins a region if
 *
 * - its climb to the representative leads into the region with the first step: then all of it lies
 *   inside, because the rest of a climb is a climb;
 * - the climb from the representative to it lies inside too;
 * - both take at most `cutoff` steps.
 *
 * A node that is refused is proposed again when another neighbour has joined, one to which or from
 * which an edge leads. Nodes that no region takes become seeds themselves. Without positions a
 * climb is a single edge: a region is a node and its neighbours.
 *
 * Edges that lead one way only do no harm, as both climbs are tried; but there are no records then,
 * as one path serves both directions. A graph with so many regions that rows would take minutes
 * (most climbs do not lead back) is refused.
 */
#include "open/heap.h"
#include "realtime/hcdps/hcdps_job.h"
#include <float.h>
#include <math.h>

/* Joined nodes between two reports; a node with more edges is a seed. */
enum { GRAPH_REPORT = 16384, GRAPH_HUB = 64 };

typedef struct graph_growth {
    crn_hcdps_job *job;
    const crn_graph_space *map;
    crn_scratch scratch;
    crn_heap proposals; /* nodes, and regions as ties */
    uint64_t joined, reported;
} graph_growth;

/* ---- are there records? ---- */

/* Does an edge that costs no more lead back? Those to a node are in the order of their starts. */
static bool graph_leads_back(const crn_graph_back *back, cairn_node from, cairn_edge edge)
{
    uint32_t low = back->offsets[from], high = back->offsets[from + 1], end = high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (back->edges[middle].node < edge.node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    while (low < end && back->edges[low].node == edge.node && back->edges[low].cost > edge.cost)
        low++;
    return low < end && back->edges[low].node == edge.node;
}

/* Can every edge be walked back for the same cost? */
static bool graph_is_mutual(const crn_graph_space *map)
{
    const cairn_graph *graph = map->graph;
    if (!map->back.offsets) return true;
    for (cairn_node node = 0; node < graph->node_count; node++) {
        for (uint32_t i = graph->offsets[node]; i < graph->offsets[node + 1]; i++) {
            if (!graph_leads_back(&map->back, node, graph->edges[i])) return false;
        }
    }
    return true;
}

bool crn_hcdps_graph_has_records(const crn_hcdps *index, const crn_graph_space *map)
{
    /* no path between representatives is longer: two climbs and a door for each region */
    uint64_t steps = (2 * (uint64_t)index->cutoff + 1) * index->depth;
    return map->graph->max_weight <= CAIRN_COST_MAX / steps && graph_is_mutual(map);
}

/* ---- growing ---- */

/* Smaller ones are tried first. */
static uint64_t graph_key(const graph_growth *g, cairn_node node, uint32_t region, uint32_t steps)
{
    double length = crn_graph_climb_length(g->map, node, crn_hcdps_home(g->job->index, region));
    uint64_t bits; /* of a double that is not negative: they ascend with it */
    if (!g->map->graph->positions) return steps;
    memcpy(&bits, &length, sizeof bits);
    return bits;
}

static void graph_propose(graph_growth *g, cairn_node node, uint32_t region, uint32_t steps)
{
    if (crn_hcdps_job_region(g->job, node) != CRN_HCDPS_NONE) return;
    crn_heap_push(&g->proposals, graph_key(g, node, region, steps), region, node);
}

/* Proposes the neighbours of a node that has joined. */
static void graph_propose_round(graph_growth *g, cairn_node node, uint32_t region)
{
    const cairn_graph *graph = g->map->graph;
    const crn_graph_back *back = &g->map->back;
    uint32_t steps = g->job->steps[node] + 1u;
    for (uint32_t i = graph->offsets[node]; i < graph->offsets[node + 1]; i++)
        graph_propose(g, graph->edges[i].node, region, steps);
    if (!back->offsets || g->job->exact) return;
    for (uint32_t i = back->offsets[node]; i < back->offsets[node + 1]; i++)
        graph_propose(g, back->edges[i].node, region, steps);
}

static void graph_join(graph_growth *g, cairn_node node, uint32_t region, uint32_t steps)
{
    g->job->region[node] = region << 1;
    g->job->steps[node] = (uint16_t)steps;
    g->joined++;
    graph_propose_round(g, node, region);
}

/* Does the climb from the representative to a node stay in the region? */
static bool graph_stays_inside(const graph_growth *g, uint32_t region, cairn_node node)
{
    cairn_node at = crn_hcdps_home(g->job->index, region);
    for (uint32_t left = g->job->index->cutoff; at != node; left--) {
        if (crn_hcdps_job_region(g->job, at) != region || !left) return false;
        if (!crn_graph_climb_step(g->map, &at, node)) return false;
    }
    return true;
}

/* A node is proposed to a region. */
static void graph_try(graph_growth *g, cairn_node node, uint32_t region)
{
    const crn_hcdps_job *job = g->job;
    cairn_node next = node;
    if (crn_hcdps_job_region(job, node) != CRN_HCDPS_NONE ||
        !crn_graph_climb_step(g->map, &next, crn_hcdps_home(job->index, region)) ||
        crn_hcdps_job_region(job, next) != region)
        return;
    uint32_t steps = job->steps[next] + 1u;
    if (steps <= job->index->cutoff && graph_stays_inside(g, region, node))
        graph_join(g, node, region, steps);
}

static cairn_status graph_grow(graph_growth *g)
{
    uint64_t key, region;
    cairn_node node;
    while (crn_heap_first(&g->proposals, &key, &region, &node)) {
        crn_heap_pop(&g->proposals, &node);
        graph_try(g, node, (uint32_t)region);
        if (g->scratch.failed) return CAIRN_OUT_OF_MEMORY;
        if (g->joined - g->reported < GRAPH_REPORT) continue;
        g->reported = g->joined;
        cairn_status status = crn_hcdps_report(g->job, g->joined, g->job->space->node_count);
        if (status != CAIRN_OK) return status;
    }
    return CAIRN_OK;
}

/* ---- seeds ---- */

static cairn_status graph_seed(graph_growth *g, cairn_node node)
{
    crn_hcdps_array *homes = &g->job->index->arrays[CRN_HCDPS_HOMES];
    uint32_t region = (uint32_t)homes->count;
    if (region >= CRN_HCDPS_GRAPH_REGIONS) return CAIRN_UNSUPPORTED;
    if (!crn_hcdps_put(homes, g->job->context, node)) return CAIRN_OUT_OF_MEMORY;
    graph_join(g, node, region, 0);
    return g->scratch.failed ? CAIRN_OUT_OF_MEMORY : CAIRN_OK;
}

/* Has a node an edge to a seed? */
static bool graph_is_beside_seed(const graph_growth *g, cairn_node node)
{
    const cairn_graph *graph = g->map->graph;
    bool beside = false;
    for (uint32_t i = graph->offsets[node]; i < graph->offsets[node + 1] && !beside; i++) {
        cairn_node to = graph->edges[i].node;
        beside = crn_hcdps_job_region(g->job, to) != CRN_HCDPS_NONE;
    }
    return beside;
}

static cairn_status graph_seed_hubs(graph_growth *g)
{
    const cairn_graph *graph = g->map->graph;
    cairn_status status = CAIRN_OK;
    for (cairn_node node = 0; node < graph->node_count && status == CAIRN_OK; node++) {
        if (graph->offsets[node + 1] - graph->offsets[node] > GRAPH_HUB &&
            !graph_is_beside_seed(g, node))
            status = graph_seed(g, node);
    }
    return status;
}

/* Squares over the positions. */
typedef struct graph_squares {
    double left, top, side;
    uint32_t columns, rows;
} graph_squares;

static double graph_mean_length(const crn_graph_space *map)
{
    const cairn_graph *graph = map->graph;
    double sum = 0;
    for (cairn_node node = 0; node < graph->node_count; node++) {
        for (uint32_t i = graph->offsets[node]; i < graph->offsets[node + 1]; i++)
            sum += crn_graph_climb_length(map, node, graph->edges[i].node);
    }
    return graph->edge_count ? sum / graph->edge_count : 0;
}

/* No more squares than nodes. `side` is 0 if there are none: positions are missing, or too far
 * apart to count. */
static graph_squares graph_find_squares(const graph_growth *g)
{
    const cairn_position *positions = g->map->graph->positions;
    uint32_t nodes = g->map->graph->node_count;
    graph_squares squares = {0};
    double side = g->job->index->spacing * graph_mean_length(g->map), right, bottom;
    if (!positions || !(side > DBL_MIN && side < DBL_MAX)) return squares;
    squares.left = right = positions[0].x;
    squares.top = bottom = positions[0].y;
    for (cairn_node node = 1; node < nodes; node++) {
        double x = positions[node].x, y = positions[node].y;
        squares.left = x < squares.left ? x : squares.left;
        squares.top = y < squares.top ? y : squares.top;
        right = x > right ? x : right;
        bottom = y > bottom ? y : bottom;
    }
    double width = right - squares.left, height = bottom - squares.top;
    while ((floor(width / side) + 1) * (floor(height / side) + 1) > nodes && side < DBL_MAX)
        side *= 2;
    if (!(width < DBL_MAX && height < DBL_MAX && side < DBL_MAX)) return squares;
    squares.side = side;
    squares.columns = (uint32_t)(width / side) + 1;
    squares.rows = (uint32_t)(height / side) + 1;
    return squares;
}

/* The node nearest to the middle of each square; CAIRN_NO_NODE: it is empty. */
static void graph_choose_seeds(const graph_growth *g, const graph_squares *squares,
                               cairn_node *seeds, double *least)
{
    const cairn_position *positions = g->map->graph->positions;
    size_t count = (size_t)squares->columns * squares->rows;
    for (size_t i = 0; i < count; i++) seeds[i] = CAIRN_NO_NODE;
    for (cairn_node node = 0; node < g->map->graph->node_count; node++) {
        if (!cairn_space_usable(g->job->space, node)) continue;
        double x = (positions[node].x - squares->left) / squares->side,
               y = (positions[node].y - squares->top) / squares->side;
        uint32_t column = crn_min_u32((uint32_t)x, squares->columns - 1),
                 row = crn_min_u32((uint32_t)y, squares->rows - 1);
        double dx = x - column - 0.5, dy = y - row - 0.5, square = dx * dx + dy * dy;
        size_t i = (size_t)row * squares->columns + column;
        if (seeds[i] != CAIRN_NO_NODE && square >= least[i]) continue;
        seeds[i] = node;
        least[i] = square;
    }
}

static cairn_status graph_seed_squares(graph_growth *g)
{
    graph_squares squares = graph_find_squares(g);
    if (squares.side == 0) return CAIRN_OK;
    cairn_context *context = g->job->context;
    size_t count = (size_t)squares.columns * squares.rows;
    cairn_node *seeds = crn_alloc(context, count * sizeof *seeds);
    double *least = crn_alloc(context, count * sizeof *least);
    cairn_status status = seeds && least ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
    if (status == CAIRN_OK) graph_choose_seeds(g, &squares, seeds, least);
    for (size_t i = 0; i < count && status == CAIRN_OK; i++) {
        if (seeds[i] != CAIRN_NO_NODE && crn_hcdps_job_region(g->job, seeds[i]) == CRN_HCDPS_NONE)
            status = graph_seed(g, seeds[i]);
    }
    crn_free(context, seeds, count * sizeof *seeds);
    crn_free(context, least, count * sizeof *least);
    return status == CAIRN_OK ? graph_grow(g) : status;
}

static cairn_status graph_seed_rest(graph_growth *g)
{
    cairn_status status = CAIRN_OK;
    for (cairn_node node = 0; node < g->job->space->node_count && status == CAIRN_OK; node++) {
        if (crn_hcdps_job_region(g->job, node) != CRN_HCDPS_NONE ||
            !cairn_space_usable(g->job->space, node))
            continue;
        status = graph_seed(g, node);
        if (status == CAIRN_OK) status = graph_grow(g);
    }
    return status;
}

cairn_status crn_hcdps_grow_on_graph(crn_hcdps_job *job)
{
    graph_growth g = {
        .job = job, .map = crn_graph_space_of(job->space), .scratch = {.context = job->context}};
    crn_heap_open(&g.proposals, &g.scratch);
    cairn_status status = graph_seed_hubs(&g);
    if (status == CAIRN_OK) status = graph_seed_squares(&g);
    if (status == CAIRN_OK) status = graph_seed_rest(&g);
    crn_heap_close(&g.proposals);
    return status;
}
