/* dlrtastar.c: D LRTA*.
 *
 * The cells of the map are divided into areas: the cliques of one level of the abstraction that
 * PRA* uses (abstract/cliques.h). Each area has a representative, the cell that is nearest to the
 * mean of its cells. For every two areas the index holds a subgoal for agents in the one that want
 * to the other: a cell where the cheapest path between the representatives enters another area. An
 * agent walks to that cell by LRTA* with a look-ahead of one step (lrta.h), looks up the next one
 * there, and walks to its goal itself once it is in the goal's area. Agents keep nothing but what
 * they learn. A look-up takes constant time.
 *
 * - The published subgoal is where the path enters the next area. Such subgoals can lead in a
 *   circle: a path that cuts a corner of an area enters it, though its representative may lie
 *   farther from the goal. So the subgoal is where the path enters the first area whose
 *   representative is nearer to the goal's. The distance falls with every subgoal, and the agent
 *   arrives.
 * - One Dijkstra search for each representative finds all paths to it: steps can be walked back.
 * - `level` is that of the cliques. 0: the lowest level with few areas (dlrtastar_build.c). A level
 *   with more than 8192 areas is not used, but the next above it that has fewer.
 * - Complete in worlds whose steps lead both ways. No bound of the path's cost: areas may have dead
 *   ends, in which agents learn.
 * - Queries where ground differs in cost, heights matter or links lead elsewhere are delegated to
 *   A*, and agents plan with it.
 *
 * Sources: Bulitko, Luštrek, Schaeffer, Björnsson and Sigmundarson, "Dynamic Control in Real-Time
 * Heuristic Search", 2008; levels as in Lawrence and Bulitko, "Taking Learning out of Real-Time
 * Heuristic Search for Video-Game Pathfinding", 2010.
 */
#include "realtime/dlrtastar/dlrtastar_index.h"
#include "realtime/lrta.h"

static const cairn_parameter dlrtastar_parameters[] = {
    {"level", "of the cliques that are the areas; 0 = by the size of the map",
     CAIRN_PARAMETER_INTEGER, 0, CRN_CLIQUE_LEVELS, 0, NULL},
};

/* ---- the guide ---- */

static size_t dlrtastar_agent_bytes(const cairn_planner *planner)
{
    (void)planner;
    return 0;
}

/* The subgoal of an agent at a node. An index from a file may name any cell: one that cannot be
 * reached is left out. */
static cairn_node dlrtastar_subgoal(const cairn_navigator *navigator, cairn_node at)
{
    const crn_dlrta *index = crn_lrta_index(navigator->planner);
    cairn_node entry = crn_dlrta_entry(index, at, navigator->goal);
    if (entry == CAIRN_NO_NODE || entry == at ||
        cairn_reachable(navigator->space, at, entry) != CAIRN_REACH_YES)
        return navigator->goal;
    return entry;
}

static cairn_node dlrtastar_next(cairn_navigator *navigator, uint64_t *budget)
{
    (void)budget;
    return dlrtastar_subgoal(navigator, navigator->at);
}

static cairn_node dlrtastar_after(const cairn_navigator *navigator, uint32_t i, cairn_node node)
{
    (void)i;
    return dlrtastar_subgoal(navigator, node);
}

static const crn_lrta_guide dlrtastar_guide = {dlrtastar_agent_bytes, NULL, dlrtastar_next,
                                               dlrtastar_after};

static cairn_status dlrtastar_open(cairn_navigator *navigator)
{
    return crn_lrta_open(navigator, &dlrtastar_guide);
}

static const crn_navigator_functions dlrtastar_navigator = {.open = dlrtastar_open,
                                                            CRN_LRTA_NAVIGATOR};

/* ---- planner and index ---- */

static const crn_grid_space *dlrtastar_map(const cairn_planner *planner)
{
    return crn_grid_space_of(planner->space);
}

static cairn_status dlrtastar_create(cairn_planner *planner, cairn_error *error)
{
    crn_dlrta *index = crn_alloc_zero(planner->space->context, sizeof *index);
    if (!index) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a planner");
    index->level = crn_parameter_of(planner, "level");
    planner->index = index;
    return CAIRN_OK;
}

static void dlrtastar_drop(cairn_planner *planner)
{
    crn_dlrta_drop(planner->index, planner->space->context);
}

static void dlrtastar_destroy(cairn_planner *planner)
{
    dlrtastar_drop(planner);
    crn_free(planner->space->context, planner->index, sizeof(crn_dlrta));
}

static cairn_status dlrtastar_build(cairn_planner *planner, const cairn_progress *progress,
                                    cairn_error *error)
{
    return crn_dlrta_build(planner->index, dlrtastar_map(planner), crn_lrta_serves(planner),
                           progress, error);
}

static size_t dlrtastar_bytes(const cairn_planner *planner)
{
    return crn_dlrta_bytes(planner->index);
}

static uint64_t dlrtastar_work(const cairn_planner *planner)
{
    const crn_dlrta *index = planner->index;
    return index->work;
}

static cairn_status dlrtastar_save(const cairn_planner *planner, cairn_store *store,
                                   cairn_error *error)
{
    return crn_dlrta_save(planner->index, store, error);
}

static cairn_status dlrtastar_load(cairn_planner *planner, const cairn_archive *archive,
                                   bool borrow, cairn_error *error)
{
    return crn_dlrta_load(planner->index, dlrtastar_map(planner), archive, borrow, error);
}

static void dlrtastar_overlay(const cairn_planner *planner, uint32_t level,
                              const cairn_overlay_sink *sink)
{
    const crn_dlrta *index = planner->index;
    if (level > 1) return;
    for (cairn_node node = 0; node < planner->space->node_count && index->count; node++) {
        cairn_overlay_item item = {.kind = CAIRN_OVERLAY_AREA, .level = 1, .node = node};
        item.group = index->areas[node];
        if (item.group != CRN_DLRTA_NONE) sink->item(sink->user, &item);
    }
    for (uint32_t i = 0; i < index->count; i++) {
        cairn_overlay_item item = {.kind = CAIRN_OVERLAY_NODE, .level = 1, .node = i, .group = i};
        item.from = cairn_space_position(planner->space, index->homes[i]);
        sink->item(sink->user, &item);
    }
}

#if defined(CAIRN_CHECKS)
static const char *dlrtastar_checked(const cairn_planner *planner, bool whole)
{
    (void)whole;
    return crn_dlrta_check(planner->index, dlrtastar_map(planner));
}
#endif

static const crn_index_functions dlrtastar_functions = {
    .format = 1,
    .build = dlrtastar_build,
    .drop = dlrtastar_drop,
    .bytes = dlrtastar_bytes,
    .work = dlrtastar_work,
    .save = dlrtastar_save,
    .load = dlrtastar_load,
    .check = CRN_CHECKED(dlrtastar_checked),
    .overlay = dlrtastar_overlay,
};

const crn_algorithm crn_algorithm_dlrtastar = {
    .info = {.name = "dlrtastar",
             .aliases = "d-lrtastar dlrta* d-lrta*",
             .summary = "D LRTA*: walks from area to area by a table of subgoals, and learns where "
                        "an area has dead ends",
             .source = "Bulitko, Luštrek, Schaeffer, Björnsson and Sigmundarson 2008",
             CRN_LRTA_INFO,
             .parameters = dlrtastar_parameters,
             .parameter_count = CRN_COUNT(dlrtastar_parameters)},
    .create = dlrtastar_create,
    .destroy = dlrtastar_destroy,
    .index = &dlrtastar_functions,
    .navigator = &dlrtastar_navigator,
    CRN_WALKER_FUNCTIONS_FOR(crn_lrta_handles),
};
