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
#include "hierarchy/mm/mm_check.h"
#include "hierarchy/mm/mm_search.h"
#include "search/path_builder.h"

enum { MM_SIDE_MIN = 4 };
/* Maps of no more sectors have one level; others have levels until there are so few. A query begins
 * at the lowest level that has no more than this many regions. */
enum { MM_SECTORS_MANY = 4096, MM_SECTORS_FEW = 16, MM_REGIONS_FEW = 4096 };
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

static const crn_grid_space *mm_map(const cairn_planner *planner)
{
    return crn_grid_space_of(planner->space);
}

/* ---- the planner and its index ---- */

/* Small maps need fine sectors to be useful; large ones need coarse ones to be searched quickly. */
static uint32_t mm_side_for(const cairn_planner *planner)
{
    uint32_t side = crn_parameter_of(planner, "sector"), nodes = planner->space->node_count;
    if (side) return side;
    return nodes <= 128 * 128 ? 8 : nodes <= 1024 * 1024 ? 16 : 24;
}

/* More on larger maps: until there are few sectors. Which of them is the highest that a query needs
 * depends on how many regions there are (few). */
static uint32_t mm_levels_for(const cairn_planner *planner, uint32_t side)
{
    const cairn_grid *grid = mm_map(planner)->grid;
    uint64_t columns = (grid->width + side - 1) / side, rows = (grid->height + side - 1) / side;
    uint32_t levels = crn_parameter_of(planner, "levels");
    if (crn_grid_may_be_limited(mm_map(planner))) return 1; /* regions above must lead both ways */
    if (levels || columns * rows <= MM_SECTORS_MANY) return levels ? levels : 1;
    for (levels = 1; levels < CRN_MM_LEVELS && columns * rows > MM_SECTORS_FEW; levels++) {
        columns = (columns + CRN_MM_UPPER_SIDE - 1) / CRN_MM_UPPER_SIDE;
        rows = (rows + CRN_MM_UPPER_SIDE - 1) / CRN_MM_UPPER_SIDE;
    }
    return levels;
}

static cairn_status mm_create(cairn_planner *planner, cairn_error *error)
{
    uint32_t side = mm_side_for(planner);
    if (side < MM_SIDE_MIN)
        return crn_fail(error, CAIRN_INVALID, 0, "sector=%u: a number from 4 to 64, or 0", side);
    crn_mm *mm = crn_alloc_zero(planner->space->context, sizeof *mm);
    if (!mm) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a planner");
    mm->side = side;
    mm->level_count = mm_levels_for(planner, side);
    mm->few = crn_parameter_of(planner, "levels") ? 0 : MM_REGIONS_FEW;
    mm->optimised = crn_parameter_of(planner, "centres") == MM_OPTIMISED;
    planner->index = mm;
    return CAIRN_OK;
}

static void mm_drop(cairn_planner *planner)
{
    crn_mm_drop(planner->index, planner->space->context);
}

static void mm_destroy(cairn_planner *planner)
{
    mm_drop(planner);
    crn_free(planner->space->context, planner->index, sizeof(crn_mm));
}

static cairn_status mm_build(cairn_planner *planner, const cairn_progress *progress,
                             cairn_error *error)
{
    return crn_mm_build(planner->index, mm_map(planner), progress, error);
}

static cairn_status mm_repair(cairn_planner *planner, const cairn_progress *progress,
                              cairn_error *error)
{
    return crn_mm_repair(planner->index, mm_map(planner), planner->built_version, progress, error);
}

static size_t mm_bytes(const cairn_planner *planner)
{
    return crn_mm_bytes(planner->index);
}

static cairn_status mm_save(const cairn_planner *planner, cairn_store *store, cairn_error *error)
{
    return crn_mm_save(planner->index, store, error);
}

static cairn_status mm_load(cairn_planner *planner, const cairn_archive *archive, bool borrow,
                            cairn_error *error)
{
    return crn_mm_load(planner->index, mm_map(planner), archive, borrow, error);
}

/* ---- what the index looks like ---- */

static void mm_show_areas(const crn_mm *mm, const crn_grid_space *space,
                          const cairn_overlay_sink *sink)
{
    const crn_mm_level *level = &mm->levels[0];
    crn_flood flood;
    for (uint32_t sector = 0; sector < crn_mm_sector_count(level); sector++) {
        crn_mm_sector packed = crn_mm_sector_at(level, sector);
        crn_area area = crn_mm_area(mm, space, sector);
        crn_flood_open(&flood, space, area);
        for (uint32_t i = 0; i < packed.count; i++) {
            uint32_t centre = crn_mm_centre(&packed, i);
            crn_flood_begin(&flood, centre % mm->side, centre / mm->side);
            while (!crn_flood_sweep(&flood)) {
            }
            for (uint32_t y = 0; y < area.height; y++) {
                for (uint64_t cells = flood.reached[y]; cells; cells &= cells - 1) {
                    uint32_t x = area.left + crn_lowest_bit(cells);
                    cairn_overlay_item item = {
                        .kind = CAIRN_OVERLAY_AREA, .level = 1, .group = level->first[sector] + i};
                    item.node = (area.top + y) * space->grid->width + x;
                    sink->item(sink->user, &item);
                }
            }
        }
    }
}

static cairn_position mm_centre_position(const crn_mm *mm, const crn_grid_space *space,
                                         uint32_t level, uint32_t sector, uint32_t region)
{
    return cairn_space_position(&space->base, crn_mm_cell(mm, space, level, sector, region));
}

/* Nodes, or edges, each once. */
static void mm_show_regions(const crn_mm *mm, const crn_grid_space *space, uint32_t index,
                            bool show_edges, const cairn_overlay_sink *sink)
{
    const crn_mm_level *level = &mm->levels[index];
    for (uint32_t sector = 0; sector < crn_mm_sector_count(level); sector++) {
        crn_mm_sector packed = crn_mm_sector_at(level, sector);
        for (uint32_t i = 0; i < packed.count; i++) {
            cairn_node node = level->first[sector] + i;
            cairn_overlay_item item = {.kind = show_edges ? CAIRN_OVERLAY_EDGE : CAIRN_OVERLAY_NODE,
                                       .level = index + 1};
            item.from = mm_centre_position(mm, space, index, sector, i);
            if (!show_edges) {
                item.node = item.group = node;
                sink->item(sink->user, &item);
                continue;
            }
            crn_mm_edges edges = crn_mm_edges_of(&packed, i);
            uint32_t direction, region;
            while (crn_mm_edges_next(&edges, &direction, &region)) {
                uint32_t beside = crn_mm_lead(level, sector, direction, &region);
                if (level->first[beside] + region < node &&
                    crn_mm_leads(level, beside, region, sector, i))
                    continue;
                item.to = mm_centre_position(mm, space, index, beside, region);
                sink->item(sink->user, &item);
            }
        }
    }
}

static void mm_overlay(const cairn_planner *planner, uint32_t level, const cairn_overlay_sink *sink)
{
    const crn_mm *mm = planner->index;
    for (uint32_t i = 0; i < mm->level_count; i++) {
        if (level && level != i + 1) continue;
        if (!i) mm_show_areas(mm, mm_map(planner), sink);
        mm_show_regions(mm, mm_map(planner), i, false, sink);
        mm_show_regions(mm, mm_map(planner), i, true, sink);
    }
}

#if defined(CAIRN_CHECKS)
static const char *mm_checked(const cairn_planner *planner, bool whole)
{
    return crn_mm_check(planner->index, mm_map(planner), whole);
}
#endif

static const crn_index_functions mm_functions = {
    .format = 3,
    .of_searches = 7u << 3, /* trim, ahead, smooth */
    .build = mm_build,
    .drop = mm_drop,
    .repair = mm_repair,
    .bytes = mm_bytes,
    .save = mm_save,
    .load = mm_load,
    .check = CRN_CHECKED(mm_checked),
    .overlay = mm_overlay,
};

const crn_algorithm crn_algorithm_mm = {
    .info = {.name = "mm",
             .aliases = "minimal-memory",
             .summary =
                 "minimal-memory abstraction: a few bytes per sector, paths a few per cent longer",
             .source = "Sturtevant 2007",
             .family = "hierarchy",
             .flags = CAIRN_TERRAIN | CAIRN_NEEDS_INDEX | CAIRN_REPAIRS | CAIRN_MANY_GOALS |
                      CAIRN_PIECES,
             .worlds = 1u << CAIRN_WORLD_GRID,
             .neighbourhoods = (1u << CAIRN_NEIGHBOURS_COUNT) - 1,
             .corners = (1u << CAIRN_CORNERS_COUNT) - 1,
             .delegates = 1u << CAIRN_FEATURE_MANY_GOALS,
             .parameters = mm_parameters,
             .parameter_count = CRN_COUNT(mm_parameters)},
    .create = mm_create,
    .destroy = mm_destroy,
    .index = &mm_functions,
    .open = crn_mm_search_open,
    .close = crn_mm_search_close,
    .handles = crn_builder_handles,
    .delegate = "astar",
    .begin = crn_mm_search_begin,
    .step = crn_mm_search_step,
    .next = crn_mm_search_next,
    CRN_BUILDER_FUNCTIONS,
};
