/* mm.c: the minimal-memory abstraction.
 *
 * The map is cut into square sectors. Each connected component inside a sector is a region, and one
 * cell of it, near its middle, is its centre. Regions are joined if a step leads from one to the
 * other. Only a few bytes for each sector are kept of this (mm_level.h); the region of a cell is
 * found by flooding its sector when it is needed. A search floods the sectors of start and goal,
 * finds a path from region to region, and turns it into steps by A* from centre to centre, on the
 * whole map. Centres lie off the path, so each piece is cut short before the next one begins at its
 * new end (trim), or leads to the centre after the next (ahead). Rays straighten the rest.
 *
 * With more levels, 4×4 sectors make a sector of the level above, whose regions are the regions
 * below that are connected in it; each of these knows which one it is part of. Then a path through
 * an upper level comes first, and the level below is searched for one piece of it at a time: each
 * aims three centres ahead (two on upper levels), and only its beginning is kept. By default a
 * query begins at the lowest level that has few regions, so that the first steps take no longer on
 * a large map than on a small one, and paths are no longer than that needs. In open country sectors
 * have one region each, and a level a sixteenth of what is below it; in mazes a fourth, as regions
 * are pieces of corridors that the sides of a sector cut off. So the regions say which level it is.
 *
 * Paths are not optimal. Costs: two floods and a small search for each level; memory about 12 bytes
 * a sector and what a search from centre to centre takes.
 *
 * Sources: Sturtevant, "Memory-Efficient Abstractions for Pathfinding", 2007; Sturtevant and
 * Geisberger, "A Comparison of High-Level Approaches for Speeding Up Pathfinding", 2010 (two
 * levels, sectors by the size of the map, optimised centres); thesis of B. Anguelov, section 7.4.
 * The thesis leaves open what happens to a blocked centre (here: the nearest cell of its region),
 * when pieces are trimmed (before the next one is solved; never the last) and what "two at a time"
 * means (the centre after the next).
 */
#include "hierarchy/mm/mm_planner.h"
#include "hierarchy/mm/mm_search.h"
#include "search/path_builder.h"

enum { MM_PLAIN, MM_OPTIMISED };
static const char *const mm_centres[] = {"plain", "optimised", NULL};

static const cairn_parameter mm_parameters[] = {
    {"sector", "side of a sector, in cells, not 1 to 3; 0 = by the size of the map",
     CAIRN_PARAMETER_INTEGER, 0, CRN_MM_SIDE_MAX, 0, NULL},
    {"levels", "of the abstraction; 0 = by size and regions", CAIRN_PARAMETER_INTEGER, 0,
     CRN_MM_LEVELS, 0, NULL},
    {"centres", "in the middle of regions, or where little is explored from",
     CAIRN_PARAMETER_CHOICE, MM_PLAIN, MM_OPTIMISED, MM_PLAIN, mm_centres},
    {"trim", "per cent of each piece that are cut off before the next one", CAIRN_PARAMETER_INTEGER,
     0, 50, 30, NULL},
    {"ahead", "how many centres ahead a piece aims", CAIRN_PARAMETER_INTEGER, 1, 2, 1, NULL},
    {"smooth", "straighten paths by rays, of any length or inside a box", CAIRN_PARAMETER_CHOICE,
     CRN_SMOOTH_NONE, CRN_SMOOTH_BOX, CRN_SMOOTH_RAYS, crn_smooth_choices},
};

/* ---- the planner and its index ---- */

static cairn_status mm_create(cairn_planner *planner, cairn_error *error)
{
    cairn_status status = crn_mm_planner_create(planner, error);
    if (status != CAIRN_OK) return status;
    crn_mm *mm = planner->index;
    mm->optimised = crn_parameter_of(planner, "centres") == MM_OPTIMISED;
    return CAIRN_OK;
}

static const crn_index_functions mm_functions = {
    .format = 3,
    .of_searches = 7u << 3, /* trim, ahead, smooth */
    CRN_MM_INDEX_FUNCTIONS,
};

const crn_algorithm crn_algorithm_mm = {
    .info = {.name = "mm",
             .aliases = "minimal-memory",
             .summary =
                 "minimal-memory abstraction: a few bytes per sector, paths a few per cent longer",
             .source = "Sturtevant 2007",
             .family = "hierarchy",
             .flags = CAIRN_TERRAIN | CAIRN_NEEDS_INDEX | CAIRN_REPAIRS | CAIRN_MANY_GOALS |
                      CAIRN_PIECES | CAIRN_SLICES,
             .worlds = 1u << CAIRN_WORLD_GRID,
             .neighbourhoods = (1u << CAIRN_NEIGHBOURS_COUNT) - 1,
             .corners = (1u << CAIRN_CORNERS_COUNT) - 1,
             .delegates = 1u << CAIRN_FEATURE_MANY_GOALS,
             .parameters = mm_parameters,
             .parameter_count = CRN_COUNT(mm_parameters)},
    .create = mm_create,
    .index = &mm_functions,
    CRN_MM_PLANNER_FUNCTIONS,
};
