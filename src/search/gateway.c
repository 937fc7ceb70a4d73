/* gateway.c: A* with the least costs between the gates of the map.
 *
 * The map is divided at its narrow passages, and the exact cost of the cheapest path from each gate
 * between two areas to each other one is computed once and kept in a table. A path to another area
 * must pass a gate of the node's area and one of the goal's, so the table says what lies between
 * them; inside of the two areas the straight estimate is used. Where rooms are joined by doors that
 * is close to the truth. Answers are optimal (heuristic/gateway.h has the proof). The estimate is
 * not consistent, so nodes are reopened. The heap takes bands of keys in turn, so that this is rare
 * (best_first_push_heap).
 *
 * Costs: 2 bytes a cell, 20 for each gate and 4 for each pair of them; by default there are so few
 * gates that the pairs take no more than 16 bytes a cell. Building takes one search of everything
 * for each gate, which workers share. After a commit the index must be built again.
 * Queries with several goals are delegated to A*.
 *
 * Source: Björnsson and Halldórsson, "Improved Heuristics for Optimal Path-finding on Game Maps",
 * 2006; thesis of B. Anguelov, section 5.3.2.
 */
#include "heuristic/heuristic_check.h"
#include "heuristic/gateway.h"
#include "search/areas.h"
#include "search/best_first.h"

static const cairn_parameter gateway_parameters[] = {
    {"width", "of the passages that divide the map, in cells; 0: what serves best",
     CAIRN_PARAMETER_INTEGER, 0, CRN_AREAS_WIDTH, 0, NULL},
    {"gates", "at most, each pair takes 4 bytes; 0: so many that this is 16 bytes per cell",
     CAIRN_PARAMETER_INTEGER, 0, CRN_GATEWAY_MOST, 0, NULL},
    CRN_PARAMETER_BPMX,
};

/* What the planner keeps: the index, and settings that point to its plug. */
typedef struct gateway_data {
    crn_heuristic plug;
    crn_gateway gateway;
} gateway_data;

static gateway_data *gateway_data_of(const cairn_planner *planner)
{
    return (gateway_data *)(void *)((const crn_settings *)planner->index)->plug;
}

static crn_gateway *gateway_index_of(const cairn_planner *planner)
{
    return &gateway_data_of(planner)->gateway;
}

static cairn_status gateway_create(cairn_planner *planner, cairn_error *error)
{
    cairn_context *context = planner->space->context;
    crn_settings preset = {.open = CRN_OPEN_HEAP,
                           .heuristic = CAIRN_HEURISTIC_AUTO,
                           .cost_weight = 1,
                           .estimate_weight = 256};
    gateway_data *data = crn_alloc_zero(context, sizeof *data);
    if (!data) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a planner");
    data->plug = crn_gateway_heuristic(&data->gateway);
    preset.plug = &data->plug;
    cairn_status status = crn_best_first_create(planner, &preset, error);
    if (status != CAIRN_OK) crn_free(context, data, sizeof *data);
    return status;
}

static void gateway_drop(cairn_planner *planner)
{
    crn_gateway_drop(gateway_index_of(planner), planner->space->context);
}

static void gateway_destroy(cairn_planner *planner)
{
    gateway_drop(planner);
    crn_free(planner->space->context, gateway_data_of(planner), sizeof(gateway_data));
    crn_best_first_destroy(planner);
}

static cairn_status gateway_build(cairn_planner *planner, const cairn_progress *progress,
                                  cairn_error *error)
{
    crn_gateway_plan plan = {crn_parameter_of(planner, "width"),
                             crn_parameter_of(planner, "gates")};
    return crn_gateway_build(gateway_index_of(planner), planner->space, plan, progress, error);
}

static size_t gateway_bytes(const cairn_planner *planner)
{
    return crn_gateway_bytes(gateway_index_of(planner));
}

static uint64_t gateway_work(const cairn_planner *planner)
{
    return gateway_index_of(planner)->work;
}

static cairn_status gateway_save(const cairn_planner *planner, cairn_store *store,
                                 cairn_error *error)
{
    return crn_gateway_save(gateway_index_of(planner), store, error);
}

static cairn_status gateway_load(cairn_planner *planner, const cairn_archive *archive, bool borrow,
                                 cairn_error *error)
{
    return crn_gateway_load(gateway_index_of(planner), planner->space, archive, borrow, error);
}

/* A gate is shown in the middle of its cells, as one of its first area. */
static void gateway_show_gate(const cairn_planner *planner, uint32_t gate,
                              const cairn_overlay_sink *sink)
{
    const crn_gateway *gateway = gateway_index_of(planner);
    for (uint32_t area = 0; area < gateway->area_count; area++) {
        for (uint32_t i = gateway->first[area]; i < gateway->first[area + 1]; i++) {
            const crn_gateway_door *door = &gateway->doors[i];
            if (door->gate != gate) continue;
            cairn_node middle =
                cairn_grid_node(cairn_space_grid(planner->space), (door->left + door->right) / 2,
                                (door->top + door->bottom) / 2);
            cairn_overlay_item item = {.kind = CAIRN_OVERLAY_NODE,
                                       .level = 1,
                                       .node = gate,
                                       .group = area,
                                       .from = cairn_space_position(planner->space, middle)};
            sink->item(sink->user, &item);
            return;
        }
    }
}

static void gateway_overlay(const cairn_planner *planner, uint32_t level,
                            const cairn_overlay_sink *sink)
{
    const crn_gateway *gateway = gateway_index_of(planner);
    if (level > 1) return;
    for (cairn_node node = 0; node < gateway->node_count; node++) {
        if (gateway->areas[node] == CRN_GATEWAY_NONE) continue;
        cairn_overlay_item item = {
            .kind = CAIRN_OVERLAY_AREA, .level = 1, .node = node, .group = gateway->areas[node]};
        sink->item(sink->user, &item);
    }
    for (uint32_t i = 0; i < gateway->gate_count; i++) gateway_show_gate(planner, i, sink);
}

#if defined(CAIRN_CHECKS)
static const char *gateway_checked(const cairn_planner *planner, bool whole)
{
    return crn_gateway_check(gateway_index_of(planner), planner->space, whole);
}
#endif

static const crn_index_functions gateway_index = {
    .format = 1,
    .build = gateway_build,
    .drop = gateway_drop,
    .bytes = gateway_bytes,
    .work = gateway_work,
    .save = gateway_save,
    .load = gateway_load,
    .check = CRN_CHECKED(gateway_checked),
    .overlay = gateway_overlay,
};

static bool gateway_handles(const cairn_search *search)
{
    return search->goal_count <= 1;
}

const crn_algorithm crn_algorithm_gateway = {
    .info = {.name = "gateway",
             .aliases = "gateways",
             .summary =
                 "A* with the least costs between gates of areas: optimal, up to 18 bytes per cell",
             .source = "Björnsson and Halldórsson 2006",
             .family = "search",
             .flags = CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_MANY_GOALS | CAIRN_NEEDS_INDEX,
             .delegates = 1u << CAIRN_FEATURE_MANY_GOALS,
             .worlds = 1u << CAIRN_WORLD_GRID,
             .neighbourhoods = (1u << CAIRN_NEIGHBOURS_COUNT) - 1,
             .corners = (1u << CAIRN_CORNERS_COUNT) - 1,
             .parameters = gateway_parameters,
             .parameter_count = CRN_COUNT(gateway_parameters)},
    .create = gateway_create,
    CRN_BEST_FIRST_SEARCH_FUNCTIONS,
    .destroy = gateway_destroy,
    .index = &gateway_index,
    .handles = gateway_handles,
    .delegate = "astar",
};
