/* mm_planner.h: the functions of an algorithm whose index is a crn_mm: those of `mm`, and of
 * `dbastar`, which has the paths between centres as well. */
#ifndef CRN_MM_PLANNER_H
#define CRN_MM_PLANNER_H

#include "hierarchy/mm/mm_index.h"

CRN_INLINE const crn_grid_space *crn_mm_map(const cairn_planner *planner)
{
    return crn_grid_space_of(planner->space);
}

/* For `create`: an empty index with sectors and levels as the parameters `sector` and `levels`
 * say. */
cairn_status crn_mm_planner_create(cairn_planner *planner, cairn_error *error);
void crn_mm_planner_destroy(cairn_planner *planner);
void crn_mm_planner_drop(cairn_planner *planner);
cairn_status crn_mm_planner_build(cairn_planner *planner, const cairn_progress *progress,
                                  cairn_error *error);
cairn_status crn_mm_planner_repair(cairn_planner *planner, const cairn_progress *progress,
                                   cairn_error *error);
extern const crn_slice_functions crn_mm_planner_slices;
size_t crn_mm_planner_bytes(const cairn_planner *planner);
cairn_status crn_mm_planner_save(const cairn_planner *planner, cairn_store *store,
                                 cairn_error *error);
cairn_status crn_mm_planner_load(cairn_planner *planner, const cairn_archive *archive, bool borrow,
                                 cairn_error *error);
void crn_mm_planner_overlay(const cairn_planner *planner, uint32_t level,
                            const cairn_overlay_sink *sink);
#if defined(CAIRN_CHECKS)
const char *crn_mm_planner_checked(const cairn_planner *planner, bool whole);
#endif

/* For descriptors; `create` and `index` are left. */
#define CRN_MM_PLANNER_FUNCTIONS \
    .destroy = crn_mm_planner_destroy, .open = crn_mm_search_open, .close = crn_mm_search_close, \
    .handles = crn_builder_handles, .delegate = "astar", .begin = crn_mm_search_begin, \
    .step = crn_mm_search_step, .next = crn_mm_search_next, CRN_BUILDER_FUNCTIONS

#define CRN_MM_INDEX_FUNCTIONS \
    .build = crn_mm_planner_build, .drop = crn_mm_planner_drop, .repair = crn_mm_planner_repair, \
    .slices = &crn_mm_planner_slices, .bytes = crn_mm_planner_bytes, .save = crn_mm_planner_save, \
    .load = crn_mm_planner_load, .check = CRN_CHECKED(crn_mm_planner_checked), \
    .overlay = crn_mm_planner_overlay

#endif
