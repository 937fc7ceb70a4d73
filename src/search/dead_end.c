/* dead_end.c: A* that enters no dead end.
 *
 * The map is divided at its narrow passages, and where such a passage is the only connection of two
 * parts, they are different chambers. Chambers form a forest (heuristic/dead_ends.h). A path need
 * only lead through those between the start's and the goal's; cells of all others are left out. In
 * all else it is A* with the space's own estimate. Optimal in every space. In mazes without loops
 * nothing but the corridors of the path is searched; where everything is connected in loops, it
 * saves nothing.
 *
 * Where steps or links lead one way, a goal in the same component may be out of reach. If a partial
 * path is wanted then, A* finds its end: it may lie in a chamber that was left out.
 *
 * Costs: 4 bytes a cell, and 12 for each chamber. Building takes a few passes over all edges. After
 * a commit the index must be built again: a new opening may connect what was a dead end.
 *
 * Source: Björnsson and Halldórsson, "Improved Heuristics for Optimal Path-finding on Game Maps",
 * 2006; thesis of B. Anguelov, section 5.3.2.
 */
#include "heuristic/heuristic_check.h"
#include "heuristic/dead_ends.h"
#include "search/areas.h"
#include "search/best_first.h"

static const cairn_parameter dead_end_parameters[] = {
    {"width", "of the passages that divide the map, in cells; 0: what serves best",
     CAIRN_PARAMETER_INTEGER, 0, CRN_AREAS_WIDTH, 0, NULL},
    CRN_PARAMETER_OPEN,
    CRN_PARAMETER_TIE,
    CRN_PARAMETER_LOOP,
};

/* What the planner keeps: the index, and settings that point to its plug. */
typedef struct dead_end_data {
    crn_heuristic plug;
    crn_dead_ends dead_ends;
} dead_end_data;

static dead_end_data *dead_end_data_of(const cairn_planner *planner)
{
    return (dead_end_data *)(void *)((const crn_settings *)planner->index)->plug;
}

static crn_dead_ends *dead_end_index_of(const cairn_planner *planner)
{
    return &dead_end_data_of(planner)->dead_ends;
}

static cairn_status dead_end_create(cairn_planner *planner, cairn_error *error)
{
    cairn_context *context = planner->space->context;
    crn_settings preset = {
        .heuristic = CAIRN_HEURISTIC_AUTO, .cost_weight = 1, .estimate_weight = 256};
    dead_end_data *data = crn_alloc_zero(context, sizeof *data);
    if (!data) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a planner");
    data->plug = crn_dead_ends_heuristic(&data->dead_ends);
    preset.plug = &data->plug;
    cairn_status status = crn_best_first_create(planner, &preset, error);
    if (status != CAIRN_OK) crn_free(context, data, sizeof *data);
    return status;
}

static void dead_end_drop(cairn_planner *planner)
{
    crn_dead_ends_drop(dead_end_index_of(planner), planner->space->context);
}

static void dead_end_destroy(cairn_planner *planner)
{
    dead_end_drop(planner);
    crn_free(planner->space->context, dead_end_data_of(planner), sizeof(dead_end_data));
    crn_best_first_destroy(planner);
}

static cairn_status dead_end_build(cairn_planner *planner, const cairn_progress *progress,
                                   cairn_error *error)
{
    return crn_dead_ends_build(dead_end_index_of(planner), planner->space,
                               crn_parameter_of(planner, "width"), progress, error);
}

static size_t dead_end_bytes(const cairn_planner *planner)
{
    return crn_dead_ends_bytes(dead_end_index_of(planner));
}

static uint64_t dead_end_work(const cairn_planner *planner)
{
    return dead_end_index_of(planner)->work;
}

static cairn_status dead_end_save(const cairn_planner *planner, cairn_store *store,
                                  cairn_error *error)
{
    return crn_dead_ends_save(dead_end_index_of(planner), store, error);
}

static cairn_status dead_end_load(cairn_planner *planner, const cairn_archive *archive, bool borrow,
                                  cairn_error *error)
{
    return crn_dead_ends_load(dead_end_index_of(planner), planner->space, archive, borrow, error);
}

static void dead_end_overlay(const cairn_planner *planner, uint32_t level,
                             const cairn_overlay_sink *sink)
{
    const crn_dead_ends *dead_ends = dead_end_index_of(planner);
    if (level > 1) return;
    for (cairn_node node = 0; node < dead_ends->node_count; node++) {
        if (dead_ends->of[node] == CRN_NO_CHAMBER) continue;
        cairn_overlay_item item = {
            .kind = CAIRN_OVERLAY_AREA, .level = 1, .node = node, .group = dead_ends->of[node]};
        sink->item(sink->user, &item);
    }
}

/* The start decides which nodes are alive. */
static bool dead_end_estimates(const cairn_planner *planner, crn_planner_estimates *out)
{
    const crn_settings *settings = planner->index;
    *out = (crn_planner_estimates){settings->plug, settings->heuristic, false};
    return true;
}

#if defined(CAIRN_CHECKS)
static const char *dead_end_checked(const cairn_planner *planner, bool whole)
{
    return crn_dead_ends_check(dead_end_index_of(planner), planner->space, whole);
}
#endif

static const crn_index_functions dead_end_index = {
    .format = 1,
    .build = dead_end_build,
    .drop = dead_end_drop,
    .bytes = dead_end_bytes,
    .work = dead_end_work,
    .save = dead_end_save,
    .load = dead_end_load,
    .check = CRN_CHECKED(dead_end_checked),
    .overlay = dead_end_overlay,
};

const crn_algorithm crn_algorithm_dead_end = {
    .info = {.name = "dead-end",
             .aliases = "dead-ends",
             .summary = "A* that enters no dead end: optimal, 4 bytes per cell",
             .source = "Björnsson and Halldórsson 2006",
             .family = "search",
             .flags = CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_NEEDS_INDEX,
             CRN_ALL_WORLDS,
             .parameters = dead_end_parameters,
             .parameter_count = CRN_COUNT(dead_end_parameters)},
    .create = dead_end_create,
    .destroy = dead_end_destroy,
    .index = &dead_end_index,
    .delegate = "astar",
    .open = crn_best_first_open,
    .close = crn_best_first_close,
    .begin = crn_best_first_begin,
    .step = crn_best_first_step,
    .path_to = crn_best_first_path_to,
    .cost_to = crn_best_first_cost_to,
    .closest = crn_best_first_closest,
    .reached = crn_best_first_reached,
    .estimates = dead_end_estimates,
};
