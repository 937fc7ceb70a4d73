/* mm_index.h: the index of `mm` and of `dbastar`: some packed levels (mm_level.h) over a map, for
 * `dbastar` with the paths between centres (mm_paths.h); building and repairing them. */
#ifndef CRN_MM_INDEX_H
#define CRN_MM_INDEX_H

#include "abstract/flood.h"
#include "hierarchy/mm/mm_level.h"
#include "hierarchy/mm/mm_paths.h"
#include "search/algorithm.h"

#define CRN_MM_LEVELS 6u
#define CRN_MM_SIDE_MAX CRN_FLOOD_SIDE_MAX
#define CRN_MM_UPPER_SIDE 4u /* a sector, in sectors of the level below */

/* A link between two regions of a level: its number among those of the space. */
typedef struct crn_mm_door {
    cairn_node from, to;
    uint32_t link;
} crn_mm_door;

typedef struct crn_mm_doors {
    crn_mm_door *items; /* ascending by from */
    uint32_t count, capacity;
} crn_mm_doors;

typedef struct crn_mm {
    uint32_t side; /* of a sector, in cells */
    uint32_t level_count;
    uint32_t few;   /* a level that has no more to be passed is searched without those above it */
    bool optimised; /* centres lie where searches expand little, not just in the middle */
    bool stored;    /* the paths between centres of level 1 are part of it, and not optimised */
    crn_mm_level levels[CRN_MM_LEVELS];
    crn_mm_doors doors[CRN_MM_LEVELS]; /* not in files */
    crn_mm_paths paths;
    struct crn_mm_job *job; /* what is under way, and what repairs keep at hand; may be NULL */
} crn_mm;

/* The cells of a sector of level 1. */
crn_area crn_mm_area(const crn_mm *mm, const crn_grid_space *space, uint32_t sector);

/* Returns the sector of the level below that the centre of a region of an upper level (1 and more)
 * lies in, and which of the regions there it is; and the same as a node. */
uint32_t crn_mm_descend(const crn_mm *mm, uint32_t level, uint32_t sector, uint32_t region,
                        uint32_t *component_below);
cairn_node crn_mm_lower(const crn_mm *mm, uint32_t level, uint32_t sector, uint32_t region);

/* Where the centre of a region of a level (0 and more) lies, and which cell that is. */
CRN_INLINE cairn_cell crn_mm_place(const crn_mm *mm, uint32_t level, uint32_t sector,
                                   uint32_t region)
{
    const crn_mm_level *lower = &mm->levels[0];
    for (; level; level--) sector = crn_mm_descend(mm, level, sector, region, &region);
    const uint8_t *centres = lower->bytes.data + lower->begin[sector] + crn_mm_head(lower);
    uint32_t centre = crn_mm_number(centres + region * lower->width, lower->width);
    uint32_t row = sector / lower->columns, column = sector - row * lower->columns;
    uint32_t y = centre / mm->side, x = centre - y * mm->side;
    return (cairn_cell){(int32_t)(column * mm->side + x), (int32_t)(row * mm->side + y)};
}

cairn_node crn_mm_cell(const crn_mm *mm, const crn_grid_space *space, uint32_t level,
                       uint32_t sector, uint32_t region);

/* The sector of the level above that a sector of a level lies in. */
uint32_t crn_mm_upper(const crn_mm *mm, uint32_t level, uint32_t sector);

/* The region of the level above that a region of a level is part of; CAIRN_NO_NODE: none, as
 * nothing leads out of what is connected with it there. */
cairn_node crn_mm_above(const crn_mm *mm, uint32_t level, cairn_node node);

/* Which sector of level 1 is a cell's? Which of its regions has a flood of the sector reached?
 * CAIRN_NO_NODE: none. */
uint32_t crn_mm_sector_of_cell(const crn_mm *mm, const crn_grid_space *space, cairn_node cell);
cairn_node crn_mm_flooded(const crn_mm *mm, const crn_flood *flood, uint32_t sector);

/* The first link that leaves a region; those behind it follow. */
uint32_t crn_mm_first_door(const crn_mm_doors *doors, cairn_node from);

/* side, level_count, few, optimised and stored are set. */
cairn_status crn_mm_build(crn_mm *mm, const crn_grid_space *space, const cairn_progress *progress,
                          cairn_error *error);
/* Rebuilds the sectors near cells that changed after version `since`. CAIRN_STALE: the grid has
 * forgotten them. */
cairn_status crn_mm_repair(crn_mm *mm, const crn_grid_space *space, uint64_t since,
                           const cairn_progress *progress, cairn_error *error);

/* The same in slices: begins a build; begins a repair, or takes in what was committed since the one
 * or the other began; does about `work` units. CAIRN_RUNNING; CAIRN_OK: it is done; or why not, and
 * crn_mm_drop must follow. */
cairn_status crn_mm_build_begin(crn_mm *mm, const crn_grid_space *space, cairn_error *error);
cairn_status crn_mm_repair_begin(crn_mm *mm, const crn_grid_space *space, uint64_t since,
                                 cairn_error *error);
cairn_status crn_mm_step(crn_mm *mm, const crn_grid_space *space, uint64_t *work,
                         cairn_error *error);

void crn_mm_drop(crn_mm *mm, cairn_context *context);
size_t crn_mm_bytes(const crn_mm *mm);

cairn_status crn_mm_save(const crn_mm *mm, cairn_context *context, cairn_store *store,
                         cairn_error *error);
cairn_status crn_mm_load(crn_mm *mm, const crn_grid_space *space, const cairn_archive *archive,
                         bool borrow, cairn_error *error);

#endif
