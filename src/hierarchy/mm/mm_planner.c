/* mm_planner.c: the index of `mm` as that of a planner, and its looks. See mm_planner.h. */
#include "hierarchy/mm/mm_planner.h"
#include "hierarchy/mm/mm_check.h"

enum { PLANNER_SIDE_MIN = 4 };
/* Maps of no more sectors have one level; others have levels until there are so few. A query begins
 * at the lowest level that has no more than this many regions. */
enum { PLANNER_SECTORS_MANY = 4096, PLANNER_SECTORS_FEW = 16, PLANNER_REGIONS_FEW = 4096 };

/* More on larger maps: until there are few sectors. Which of them is the highest that a query needs
 * depends on how many regions there are (few). */
static uint32_t planner_levels(const cairn_planner *planner, uint32_t side)
{
    const cairn_grid *grid = crn_mm_map(planner)->grid;
    uint64_t columns = (grid->width + side - 1) / side, rows = (grid->height + side - 1) / side;
    uint32_t levels = crn_parameter_of(planner, "levels");
    if (crn_grid_may_be_limited(crn_mm_map(planner)))
        return 1; /* regions above must lead both ways */
    if (levels || columns * rows <= PLANNER_SECTORS_MANY) return levels ? levels : 1;
    for (levels = 1; levels < CRN_MM_LEVELS && columns * rows > PLANNER_SECTORS_FEW; levels++) {
        columns = (columns + CRN_MM_UPPER_SIDE - 1) / CRN_MM_UPPER_SIDE;
        rows = (rows + CRN_MM_UPPER_SIDE - 1) / CRN_MM_UPPER_SIDE;
    }
    return levels;
}

/* Small maps need fine sectors to be useful; large ones need coarse ones to be searched quickly. */
static uint32_t planner_side(const cairn_planner *planner)
{
    uint32_t side = crn_parameter_of(planner, "sector"), nodes = planner->space->node_count;
    if (side) return side;
    return nodes <= 128 * 128 ? 8 : nodes <= 1024 * 1024 ? 16 : 24;
}

cairn_status crn_mm_planner_create(cairn_planner *planner, cairn_error *error)
{
    uint32_t side = planner_side(planner);
    if (side < PLANNER_SIDE_MIN)
        return crn_fail(error, CAIRN_INVALID, 0, "sector=%u: a number from 4 to 64, or 0", side);
    crn_mm *mm = crn_alloc_zero(planner->space->context, sizeof *mm);
    if (!mm) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a planner");
    mm->side = side;
    mm->level_count = planner_levels(planner, side);
    mm->few = crn_parameter_of(planner, "levels") ? 0 : PLANNER_REGIONS_FEW;
    planner->index = mm;
    return CAIRN_OK;
}

void crn_mm_planner_drop(cairn_planner *planner)
{
    crn_mm_drop(planner->index, planner->space->context);
}

void crn_mm_planner_destroy(cairn_planner *planner)
{
    crn_mm_planner_drop(planner);
    crn_free(planner->space->context, planner->index, sizeof(crn_mm));
}

cairn_status crn_mm_planner_build(cairn_planner *planner, const cairn_progress *progress,
                                  cairn_error *error)
{
    return crn_mm_build(planner->index, crn_mm_map(planner), progress, error);
}

cairn_status crn_mm_planner_repair(cairn_planner *planner, const cairn_progress *progress,
                                   cairn_error *error)
{
    return crn_mm_repair(planner->index, crn_mm_map(planner), planner->built_version, progress,
                         error);
}

static cairn_status planner_build_begin(cairn_planner *planner, cairn_error *error)
{
    return crn_mm_build_begin(planner->index, crn_mm_map(planner), error);
}

static cairn_status planner_repair_begin(cairn_planner *planner, uint64_t since, cairn_error *error)
{
    return crn_mm_repair_begin(planner->index, crn_mm_map(planner), since, error);
}

static cairn_status planner_sync_step(cairn_planner *planner, uint64_t *work, cairn_error *error)
{
    return crn_mm_step(planner->index, crn_mm_map(planner), work, error);
}

const crn_slice_functions crn_mm_planner_slices = {.build_begin = planner_build_begin,
                                                   .repair_begin = planner_repair_begin,
                                                   .step = planner_sync_step};

size_t crn_mm_planner_bytes(const cairn_planner *planner)
{
    return crn_mm_bytes(planner->index);
}

cairn_status crn_mm_planner_save(const cairn_planner *planner, cairn_store *store,
                                 cairn_error *error)
{
    return crn_mm_save(planner->index, planner->space->context, store, error);
}

cairn_status crn_mm_planner_load(cairn_planner *planner, const cairn_archive *archive, bool borrow,
                                 cairn_error *error)
{
    return crn_mm_load(planner->index, crn_mm_map(planner), archive, borrow, error);
}

/* ---- what the index looks like ---- */

static void planner_show_areas(const crn_mm *mm, const crn_grid_space *space,
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

static cairn_position planner_centre(const crn_mm *mm, const crn_grid_space *space, uint32_t level,
                                     uint32_t sector, uint32_t region)
{
    return cairn_space_position(&space->base, crn_mm_cell(mm, space, level, sector, region));
}

/* Nodes, or edges, each once. */
static void planner_show_regions(const crn_mm *mm, const crn_grid_space *space, uint32_t index,
                                 bool show_edges, const cairn_overlay_sink *sink)
{
    const crn_mm_level *level = &mm->levels[index];
    for (uint32_t sector = 0; sector < crn_mm_sector_count(level); sector++) {
        crn_mm_sector packed = crn_mm_sector_at(level, sector);
        for (uint32_t i = 0; i < packed.count; i++) {
            cairn_node node = level->first[sector] + i;
            cairn_overlay_item item = {.kind = show_edges ? CAIRN_OVERLAY_EDGE : CAIRN_OVERLAY_NODE,
                                       .level = index + 1};
            item.from = planner_centre(mm, space, index, sector, i);
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
                item.to = planner_centre(mm, space, index, beside, region);
                sink->item(sink->user, &item);
            }
        }
    }
}

void crn_mm_planner_overlay(const cairn_planner *planner, uint32_t level,
                            const cairn_overlay_sink *sink)
{
    const crn_mm *mm = planner->index;
    for (uint32_t i = 0; i < mm->level_count; i++) {
        if (level && level != i + 1) continue;
        if (!i) planner_show_areas(mm, crn_mm_map(planner), sink);
        planner_show_regions(mm, crn_mm_map(planner), i, false, sink);
        planner_show_regions(mm, crn_mm_map(planner), i, true, sink);
    }
}

#if defined(CAIRN_CHECKS)
const char *crn_mm_planner_checked(const cairn_planner *planner, bool whole)
{
    return crn_mm_check(planner->index, crn_mm_map(planner), whole);
}
#endif
