/* jps.c: jump point search, with nothing precomputed.
 *
 * Reads the straight runs off the bitmap of the space, 57 cells at a time, along rows and, in the
 * transposed bitmap, along columns. The space keeps both bitmaps up to date through all edits, so a
 * search is correct at once after any of them. See jump.h for the idea and its sources, scan.h for
 * the scans.
 *
 * Costs: nothing to build, 5 bits per cell for the bitmaps, and 16 bytes for each jump point of a
 * search. Jumps need steps that cost what the ground does that they lead to, and a single goal.
 * Other queries are delegated to A*, and so are those on maps so full of obstacles, or of borders
 * of ground, that stepping is faster (jump.c).
 */
#include "jump/jump.h"

static const cairn_parameter jps_parameters[] = {
    CRN_PARAMETER_JUMPS,
    {"vectors", "wide registers of the processor, where there are any", CAIRN_PARAMETER_CHOICE, 0,
     1, 0, crn_jump_vectors},
};

static cairn_status jps_create(cairn_planner *planner, cairn_error *error)
{
    cairn_status status = crn_grid_space_keep_runs((crn_grid_space *)(void *)planner->space);
    if (status != CAIRN_OK) return crn_fail(error, status, 0, "no memory for a planner");
    planner->optimal = true;
    planner->bound = 1;
    return CAIRN_OK;
}

static void jps_destroy(cairn_planner *planner)
{
    (void)planner;
}

static cairn_status jps_begin(cairn_search *search)
{
    return crn_jump_begin(search, NULL, NULL);
}

const crn_algorithm crn_algorithm_jps = {
    .info = {.name = "jps",
             .aliases = "jump-point-search",
             .summary = "jumps from turn to turn over the cells between: optimal, fast, no index",
             .source = "Harabor and Grastien 2011, 2014",
             .family = "jump",
             .flags = CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_MANY_GOALS | CAIRN_NO_GOAL,
             .worlds = 1u << CAIRN_WORLD_GRID,
             .neighbourhoods = 1u << CAIRN_NEIGHBOURS_8,
             .corners = (1u << CAIRN_CORNERS_COUNT) - 1,
             .delegates = 1u << CAIRN_FEATURE_MANY_GOALS | 1u << CAIRN_FEATURE_NO_GOAL,
             .parameters = jps_parameters,
             .parameter_count = CRN_COUNT(jps_parameters)},
    .create = jps_create,
    .destroy = jps_destroy,
    .begin = jps_begin,
    CRN_JUMP_SEARCH_FUNCTIONS,
};
