/* mm_index.c: the index of `mm` as a whole: where its centres lie, files. See mm_index.h;
 * mm_build.c makes it. */
#include "hierarchy/mm/mm_job.h"

static const char *const mm_sections[CRN_MM_LEVELS] = {
    "index.sectors", "index.upper", "index.third", "index.fourth", "index.fifth", "index.sixth"};

crn_area crn_mm_area(const crn_mm *mm, const crn_grid_space *space, uint32_t sector)
{
    const crn_mm_level *level = &mm->levels[0];
    uint32_t left = sector % level->columns * mm->side, top = sector / level->columns * mm->side;
    return (crn_area){left, top, crn_min_u32(mm->side, space->grid->width - left),
                      crn_min_u32(mm->side, space->grid->height - top)};
}

cairn_node crn_mm_cell(const crn_mm *mm, const crn_grid_space *space, uint32_t level,
                       uint32_t sector, uint32_t region)
{
    cairn_cell cell = crn_mm_place(mm, level, sector, region);
    return (uint32_t)cell.y * space->grid->width + (uint32_t)cell.x;
}

void crn_mm_drop(crn_mm *mm, cairn_context *context)
{
    crn_mm_job_close(mm->job);
    mm->job = NULL;
    crn_mm_drop_doors(mm, context);
    crn_mm_drop_paths(mm, context);
    for (uint32_t i = 0; i < CRN_MM_LEVELS; i++) crn_mm_level_close(&mm->levels[i], context);
}

size_t crn_mm_bytes(const crn_mm *mm)
{
    size_t bytes =
        sizeof *mm - sizeof mm->levels + crn_mm_paths_bytes(&mm->paths) + crn_mm_job_bytes(mm->job);
    for (uint32_t i = 0; i < CRN_MM_LEVELS; i++) {
        bytes += crn_mm_level_bytes(&mm->levels[i]);
        bytes += mm->doors[i].capacity * sizeof(crn_mm_door);
    }
    return bytes;
}

/* ---- files ---- */

cairn_status crn_mm_save(const crn_mm *mm, cairn_context *context, cairn_store *store,
                         cairn_error *error)
{
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; i < mm->level_count && status == CAIRN_OK; i++) {
        status = crn_mm_level_save(&mm->levels[i], context, store, mm_sections[i]);
    }
    if (status == CAIRN_OK && mm->stored) status = crn_mm_save_paths(mm, context, store);
    return status == CAIRN_OK
               ? status
               : crn_fail(error, status, 0, "the abstraction cannot be added to the file");
}

typedef struct mm_loading {
    const crn_mm *mm;
    const crn_grid_space *space;
    uint32_t level;
} mm_loading;

/* Is it a usable cell? */
static bool mm_check_cell(const void *user, uint32_t sector, uint32_t centre)
{
    const mm_loading *loading = user;
    crn_area area = crn_mm_area(loading->mm, loading->space, sector);
    uint32_t x = centre % loading->mm->side, y = centre / loading->mm->side;
    return x < area.width && y < area.height &&
           crn_bit(&loading->space->usable, (int32_t)(area.left + x), (int32_t)(area.top + y));
}

/* Are there this many regions in the sector? */
static bool mm_check_rank(const void *user, uint32_t sector, uint32_t centre)
{
    const mm_loading *loading = user;
    const crn_mm_level *upper = &loading->mm->levels[loading->level], *lower = upper - 1;
    uint32_t left = sector % upper->columns * upper->side,
             top = sector / upper->columns * upper->side;
    uint32_t right = crn_min_u32(left + upper->side, lower->columns), count = 0;
    for (uint32_t y = top; y < top + upper->side && y < lower->rows; y++) {
        count += lower->first[y * lower->columns + right] - lower->first[y * lower->columns + left];
    }
    return centre < count;
}

cairn_status crn_mm_load(crn_mm *mm, const crn_grid_space *space, const cairn_archive *archive,
                         bool borrow, cairn_error *error)
{
    cairn_context *context = space->base.context;
    mm_loading loading = {mm, space, 0};
    cairn_status status = CAIRN_OK;
    uint32_t width = space->grid->width, height = space->grid->height;
    for (uint32_t i = 0; i < mm->level_count && status == CAIRN_OK; i++) {
        crn_mm_level *level = &mm->levels[i];
        loading.level = i;
        uint32_t side = i ? CRN_MM_UPPER_SIDE : mm->side, places = i ? UINT32_MAX : side * side;
        if (!crn_mm_level_open(
                level, context,
                (crn_mm_extent){side, places, width, height, crn_grid_may_be_limited(space)})) {
            status = crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the abstraction");
            break;
        }
        crn_mm_section section = {archive, mm_sections[i], borrow,
                                  i ? mm_check_rank : mm_check_cell, &loading};
        status = crn_mm_level_load(level, context, &section, error);
        width = level->columns;
        height = level->rows;
    }
    if (status == CAIRN_OK && crn_mm_finish(mm, space) != CAIRN_OK)
        status = crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the abstraction");
    if (status == CAIRN_OK && mm->stored)
        status = crn_mm_load_paths(mm, space, archive, borrow, error);
    if (status != CAIRN_OK) crn_mm_drop(mm, context);
    return status;
}
