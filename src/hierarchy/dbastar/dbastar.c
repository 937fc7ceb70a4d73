/* dbastar.c: DBA*, paths from a database.
 *
 * Sectors, regions and centres are those of the minimal-memory abstraction (mm.c). To these comes a
 * database: for every two regions that are joined the path between their centres (mm_paths.h). A
 * query floods the sectors of its start and its goal, finds a route from region to region, by what
 * the stored paths cost, and takes the paths along it from the database. Only the two ends are
 * searched on the map, by A*.
 *
 * Centres lie off the best path, so paths are trimmed: the search from the start leads past the
 * first centre, to a cell of the path behind it, and the search to the goal begins on the path
 * before the last one. Where two stored paths meet, the end of one and the beginning of the next
 * are replaced by a search too, if they are a detour: longer than the distance by some per cent. In
 * the open they are not, and nothing is searched. Rays straighten the rest.
 *
 * On large maps there are levels above, as `mm` has them, so that the first steps take no longer
 * there.
 *
 * Paths are not optimal. Costs: two floods, a search of regions, two short searches of the map, and
 * a few instructions for each step; memory 50 to 90 bytes a region.
 *
 * Source: Lee and Lawrence, "Fast Grid-Based Path Finding for Video Games", 2013. The paper's paths
 * are optimal on the whole map, and stored as subgoals for hill climbing; here they are the best
 * inside the two sectors, so that a repair stays near what changed, and stored as runs of steps,
 * which takes no more bytes. How it trims is not said in detail; this is ours. It finds routes in a
 * table of the next region for every pair; here it is A*, as such a table has the square of the
 * number of regions, and one edit may change all of it.
 */
#include "hierarchy/mm/mm_planner.h"
#include "hierarchy/mm/mm_search.h"
#include "search/path_builder.h"

static const cairn_parameter dbastar_parameters[] = {
    {"sector", "side of a sector, in cells, not 1 to 3; 0 = by the size of the map",
     CAIRN_PARAMETER_INTEGER, 0, CRN_MM_SIDE_MAX, 0, NULL},
    {"levels", "of the abstraction; 0 = by size and regions", CAIRN_PARAMETER_INTEGER, 0,
     CRN_MM_LEVELS, 0, NULL},
    {"trim", "per cent of the stored paths next to both ends that are left out",
     CAIRN_PARAMETER_INTEGER, 0, 100, 50, NULL},
    {"detour", "per cent that stored paths may be longer than need be where they meet",
     CAIRN_PARAMETER_INTEGER, 0, 1000, 5, NULL},
    {"smooth", "straighten paths by rays, of any length or inside a box", CAIRN_PARAMETER_CHOICE,
     CRN_SMOOTH_NONE, CRN_SMOOTH_BOX, CRN_SMOOTH_RAYS, crn_smooth_choices},
};

static cairn_status dbastar_create(cairn_planner *planner, cairn_error *error)
{
    cairn_status status = crn_mm_planner_create(planner, error);
    if (status != CAIRN_OK) return status;
    ((crn_mm *)planner->index)->stored = true;
    return CAIRN_OK;
}

static const crn_index_functions dbastar_functions = {
    .format = 1,
    .of_searches = 7u << 2, /* trim, detour, smooth */
    CRN_MM_INDEX_FUNCTIONS,
};

const crn_algorithm crn_algorithm_dbastar = {
    .info =
        {.name = "dbastar",
         .aliases = "dba*",
         .summary =
             "DBA*: paths from sector to sector come from a database; about one per cent longer",
         .source = "Lee, Lawrence 2013",
         .family = "hierarchy",
         .flags = CAIRN_TERRAIN | CAIRN_NEEDS_INDEX | CAIRN_REPAIRS | CAIRN_MANY_GOALS |
                  CAIRN_PIECES | CAIRN_SLICES,
         .worlds = 1u << CAIRN_WORLD_GRID,
         .neighbourhoods = (1u << CAIRN_NEIGHBOURS_COUNT) - 1,
         .corners = (1u << CAIRN_CORNERS_COUNT) - 1,
         .delegates = 1u << CAIRN_FEATURE_MANY_GOALS,
         .parameters = dbastar_parameters,
         .parameter_count = CRN_COUNT(dbastar_parameters)},
    .create = dbastar_create,
    .index = &dbastar_functions,
    CRN_MM_PLANNER_FUNCTIONS,
};
