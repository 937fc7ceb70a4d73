/* mm_paths_edges.h: the edges of regions of level 1 with their paths, for those who read the paths
 * of `dbastar` (mm_paths.c) and those who find them (mm_paths_find.c). */
#ifndef CRN_MM_PATHS_EDGES_H
#define CRN_MM_PATHS_EDGES_H

#include "hierarchy/mm/mm_job.h"

#define CRN_MM_PATHS_LONG 255u /* the number of runs follows in two bytes */
#define CRN_MM_PATHS_RUN 32u   /* steps of a run */

crn_mm_paths_edges crn_mm_paths_edges_of(const crn_mm_level *level, uint32_t sector,
                                         const crn_mm_sector *packed, uint32_t region);
bool crn_mm_paths_next(crn_mm_paths_edges *edges);

/* Is the path of the edge stored with the region that it leaves? Without one-way steps none leads
 * to its own sector. */
bool crn_mm_paths_keep(const crn_mm_paths_edges *edges);

/* The path at some bytes, and the bytes behind it; that of an edge. */
const uint8_t *crn_mm_paths_read(const uint8_t *at, crn_mm_path *path);
crn_mm_path crn_mm_path_of(const crn_mm *mm, const crn_mm_paths_edges *edges);

/* Walks along the path of an edge, and goes on for at least so many steps if there are so many.
 * Returns the steps made. When it is over, crn_mm_path_cost says what the edge costs. */
void crn_mm_path_begin(const crn_mm *mm, const crn_grid_space *space,
                       const crn_mm_paths_edges *edges, crn_mm_walk *walk);
uint32_t crn_mm_path_walk_on(const crn_grid_space *space, const crn_mm_path *path,
                             crn_mm_walk *walk, uint32_t steps);
cairn_cost crn_mm_path_cost(const crn_mm *mm, const crn_grid_space *space,
                            const crn_mm_paths_edges *edges, const crn_mm_path *path,
                            const crn_mm_walk *walk);

/* How many costs and bytes of paths a sector has that was packed so, and where they begin. */
typedef struct crn_mm_paths_extent {
    crn_mm_region_paths first;
    uint32_t costs, bytes;
} crn_mm_paths_extent;
crn_mm_paths_extent crn_mm_paths_extent_of(const crn_mm *mm, uint32_t sector,
                                           const crn_mm_sector *packed);

/* An empty database; false = no memory. */
bool crn_mm_paths_open(crn_mm *mm, cairn_context *context);

/* Compares all costs again. */
void crn_mm_paths_count_most(crn_mm *mm);

#endif
