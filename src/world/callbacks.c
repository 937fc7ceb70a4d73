/* callbacks.c: a world that functions of the user describe (callbacks.h).
 *
 * A space is a table of functions (space.h); this one passes them on. Nothing that a function of
 * the user writes is trusted: edges that lead nowhere, or whose costs are not within the bounds
 * that searches rely on, are left out here, in one place. So a wrong function gives wrong paths and
 * no wrong memory access.
 *
 * Components are not computed, because that would visit a world that may be large and made up on
 * the fly: all usable nodes are in one, and steps may be one-way.
 */
#include "world/graph.h"
#include "world/space.h"
#include <cairn/callbacks.h>
#include <float.h>
#include <math.h>

typedef struct callback_space {
    cairn_space base;
    cairn_callbacks world; /* without defaults: every number is set */
    uint64_t version;
} callback_space;

static const callback_space *callback_of(const cairn_space *space)
{
    return (const callback_space *)(const void *)space;
}

/* ---- edges ---- */

static bool callback_usable(const cairn_space *space, cairn_node node)
{
    const cairn_callbacks *world = &callback_of(space)->world;
    return !world->usable || world->usable(world->user, node);
}

/* Is it an edge that searches may see? */
static bool callback_edge(const cairn_space *space, cairn_node from, cairn_edge *edge)
{
    const cairn_callbacks *world = &callback_of(space)->world;
    if (edge->node >= space->node_count || edge->node == from) return false;
    if (!callback_usable(space, edge->node)) return false;
    if (world->cost) edge->cost = world->cost(world->user, from, edge->node);
    return edge->cost >= world->min_cost && edge->cost <= world->max_cost;
}

/* Returns how many of the node's edges stand in `edges`, those left out that are none. */
static uint32_t callback_edges(const cairn_space *space, cairn_node node,
                               cairn_edge edges[CAIRN_CALLBACKS_DEGREE])
{
    const cairn_callbacks *world = &callback_of(space)->world;
    if (!callback_usable(space, node)) return 0;
    uint32_t count = crn_min_u32(world->neighbours(world->user, node, edges), world->max_degree);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        cairn_edge edge = edges[i];
        if (callback_edge(space, node, &edge)) edges[kept++] = edge;
    }
    return kept;
}

static uint32_t callback_expand(const cairn_space *space, cairn_node node, uint32_t first,
                                cairn_edge *out, uint32_t capacity)
{
    cairn_edge edges[CAIRN_CALLBACKS_DEGREE];
    uint32_t count = callback_edges(space, node, edges);
    if (first >= count) return 0;
    count = crn_min_u32(count - first, capacity);
    memcpy(out, edges + first, count * sizeof *out);
    return count;
}

/* ---- positions ---- */

static cairn_position callback_position(const cairn_space *space, cairn_node node)
{
    const cairn_callbacks *world = &callback_of(space)->world;
    if (!world->position || node >= space->node_count) return (cairn_position){0};
    return world->position(world->user, node);
}

static double callback_square(cairn_position a, cairn_position b)
{
    double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return dx * dx + dy * dy + dz * dz;
}

static cairn_node callback_node_at(const cairn_space *space, cairn_position at)
{
    const cairn_callbacks *world = &callback_of(space)->world;
    if (!isfinite(at.x) || !isfinite(at.y) || !isfinite(at.z)) return CAIRN_NO_NODE;
    if (world->node_at) {
        cairn_node node = world->node_at(world->user, at);
        return node < space->node_count ? node : CAIRN_NO_NODE;
    }
    cairn_node best = CAIRN_NO_NODE;
    double least = HUGE_VAL;
    for (cairn_node node = 0; world->position && node < space->node_count; node++) {
        double square = callback_square(world->position(world->user, node), at);
        if (!(square < least)) continue;
        least = square;
        best = node;
    }
    return best;
}

static cairn_cost callback_estimate(const cairn_space *space, cairn_heuristic heuristic,
                                    cairn_node node, const crn_box *box)
{
    const cairn_callbacks *world = &callback_of(space)->world;
    if (heuristic == CAIRN_HEURISTIC_NULL || world->estimate == 0) return 0;
    return crn_graph_estimate(world->metric, world->estimate, callback_position(space, node), box);
}

/* ---- the rest of the table ---- */

static uint64_t callback_version(const cairn_space *space)
{
    return callback_of(space)->version;
}

/* Is every step at least as expensive as its estimate, and, if that was said, as cheap back? */
static uint64_t callback_validate(const cairn_space *space, cairn_fault_report *report, void *user)
{
    cairn_edge edges[CAIRN_CALLBACKS_DEGREE];
    uint64_t faults = 0;
    for (cairn_node node = 0; node < space->node_count; node++) {
        uint32_t count = callback_edges(space, node, edges);
        for (uint32_t i = 0; i < count; i++) {
            const char *wrong = NULL;
            if (cairn_estimate(space, CAIRN_HEURISTIC_AUTO, node, edges[i].node) > edges[i].cost)
                wrong = "the step costs less than its estimate";
            else if (callback_of(space)->world.symmetric &&
                     cairn_space_step_cost(space, edges[i].node, node) != edges[i].cost)
                wrong = "the step back does not cost the same";
            faults += wrong != NULL;
            if (wrong && report) report(user, node, edges[i].node, wrong);
        }
    }
    return faults;
}

static size_t callback_bytes(const cairn_space *space)
{
    (void)space;
    return sizeof(callback_space);
}

static uint64_t callback_component(const cairn_space *space, cairn_node node)
{
    return node < space->node_count && callback_usable(space, node);
}

static bool callback_directed(const cairn_space *space)
{
    (void)space;
    return true;
}

static bool callback_components(const cairn_space *space, uint32_t *count, uint32_t *largest)
{
    for (cairn_node node = 0; node < space->node_count; node++)
        *largest += callback_usable(space, node);
    *count = *largest > 0;
    return true;
}

static void callback_destroy(cairn_space *space)
{
    crn_free(space->context, space, sizeof(callback_space));
}

#define CALLBACK_FUNCTIONS \
    .plural = "worlds of callbacks", .destroy = callback_destroy, .expand = callback_expand, \
    .usable = callback_usable, .position = callback_position, .node_at = callback_node_at, \
    .estimate = callback_estimate, .version = callback_version, .validate = callback_validate, \
    .bytes = callback_bytes, .component = callback_component, .directed = callback_directed, \
    .nearest = crn_space_scan_nearest, .pick = crn_space_scan_pick, \
    .components = callback_components

static const crn_space_functions callback_functions = {CALLBACK_FUNCTIONS};

/* For worlds whose steps can all be walked back. */
static const crn_space_functions callback_both_ways = {CALLBACK_FUNCTIONS,
                                                       .expand_back = callback_expand};

/* ---- creation ---- */

static cairn_status callback_check(const cairn_callbacks *world, cairn_error *error)
{
    const char *wrong = NULL;
    if (!world->neighbours || !world->node_count || world->node_count > INT32_MAX)
        wrong = "a world needs a function for neighbours and 1 to 2^31 - 1 nodes";
    else if (world->max_degree > CAIRN_CALLBACKS_DEGREE)
        wrong = "at most 64 edges can leave a node";
    else if (world->min_cost > world->max_cost || world->max_cost > CAIRN_COST_MAX)
        wrong = "min_cost must not exceed max_cost";
    else if (!(world->estimate >= 0 && world->estimate <= DBL_MAX))
        wrong = "the estimate must be a finite number of at least 0";
    else if (world->estimate > 0 && !world->position)
        wrong = "estimates need positions";
    else if (world->metric == CAIRN_HEURISTIC_NULL || world->metric >= CAIRN_HEURISTIC_HEX)
        wrong = "the metric must be Euclidean, Manhattan, octile or Chebyshev";
    return wrong ? crn_fail(error, CAIRN_INVALID, 0, "%s", wrong) : CAIRN_OK;
}

static cairn_callbacks callback_defaults(const cairn_callbacks *given)
{
    cairn_callbacks world = *given;
    if (!world.max_degree) world.max_degree = 8;
    if (!world.min_cost) world.min_cost = 1;
    if (!world.max_cost) world.max_cost = crn_max_u32(CAIRN_CALLBACKS_COST, world.min_cost);
    if (world.metric == CAIRN_HEURISTIC_AUTO) world.metric = CAIRN_HEURISTIC_EUCLIDEAN;
    if (!world.unit) world.unit = 1;
    return world;
}

cairn_status cairn_space_of_callbacks(cairn_context *context, const cairn_callbacks *callbacks,
                                      cairn_space **out, cairn_error *error)
{
    if (out) *out = NULL;
    if (!context || !callbacks || !out)
        return crn_fail(error, CAIRN_INVALID, 0,
                        "a space needs a context, functions and a place for the result");
    cairn_callbacks world = callback_defaults(callbacks);
    cairn_status status = callback_check(&world, error);
    if (status) return status;
    callback_space *made = crn_alloc_zero(context, sizeof *made);
    if (!made) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a space");
    made->world = world;
    made->version = 1;
    made->base = (cairn_space){
        .functions = world.symmetric ? &callback_both_ways : &callback_functions,
        .context = context,
        .world = CAIRN_WORLD_CALLBACKS,
        .placed = world.position != NULL,
        .node_count = world.node_count,
        .max_edge = world.max_cost,
        .max_step = world.max_cost,
        .min_edge = world.min_cost,
        .default_heuristic = world.estimate > 0 ? world.metric : CAIRN_HEURISTIC_NULL,
        .scale = {.straight = world.unit},
    };
    *out = &made->base;
    return CAIRN_OK;
}

cairn_status cairn_callbacks_changed(cairn_space *space)
{
    if (!space || space->world != CAIRN_WORLD_CALLBACKS) return CAIRN_INVALID;
    ((callback_space *)(void *)space)->version++;
    return CAIRN_OK;
}
