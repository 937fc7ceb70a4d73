/* mm_paths.h: the database of `dbastar`: a path from the centre of each region of level 1 to that
 * of every region that an edge leads to, and what it costs.
 *
 * A path is the cheapest one inside the rectangle of the two sectors (of four, if they meet at a
 * corner). So it depends on the cells of the 3×3 sectors round either end alone, as the bytes of a
 * sector do (mm_build.c), and a repair finds it again just where they changed.
 *
 * It is stored as runs, a byte each: 32 · direction + steps less one. A run can be read from either
 * end, so an edge that leads both ways has one path, with the region of the lower number; where
 * steps may lead one way each direction has its own. Costs are stored for both directions: climbing
 * and the terrain at the ends make them differ.
 *
 * The bytes of a path: how many runs there are, in one byte, or if that is 255 in the two bytes
 * behind it, the lower one first; and the runs. An edge whose path does not fit has none, and costs
 * CAIRN_COST_MAX.
 */
#ifndef CRN_MM_PATHS_H
#define CRN_MM_PATHS_H

#include "hierarchy/mm/mm_level.h"
#include "world/grid_space.h"
#include <cairn/planner.h>

typedef struct crn_mm_region_paths {
    uint32_t edge; /* where the costs of its edges begin */
    uint32_t byte; /* where its paths begin */
} crn_mm_region_paths;

/* Costs and paths of a sector follow one another, in the order of its regions and their edges, and
 * can be replaced (mm_blocks.h). */
typedef struct crn_mm_paths {
    crn_mm_blocks costs;   /* a cairn_cost for each edge */
    crn_mm_blocks bytes;   /* paths */
    crn_mm_blocks regions; /* a crn_mm_region_paths for each region; not in files */
    uint32_t *begin;       /* for each sector: where its regions begin there */
    uint32_t sectors;
    /* the most of the costs of some sectors, and of all, which is first: a tree; not in files */
    cairn_cost *most;
    uint32_t leaves;
} crn_mm_paths;

CRN_INLINE const crn_mm_region_paths *crn_mm_region_paths_of(const crn_mm_paths *paths,
                                                             uint32_t sector)
{
    return (const crn_mm_region_paths *)crn_mm_block(&paths->regions, paths->begin[sector]);
}

/* The costs of a region's edges. */
CRN_INLINE const cairn_cost *crn_mm_costs_of(const crn_mm_paths *paths, uint32_t sector,
                                             uint32_t region)
{
    return (const cairn_cost *)crn_mm_block(&paths->costs,
                                            crn_mm_region_paths_of(paths, sector)[region].edge);
}

/* No cost is more. */
cairn_cost crn_mm_most_cost(const crn_mm_paths *paths);

/* A path, to be read: runs, and whether from the last on. */
typedef struct crn_mm_path {
    const uint8_t *runs;
    uint32_t count; /* 0: there is none */
    bool back;
} crn_mm_path;

/* The edges of a region, one after the other. */
typedef struct crn_mm_paths_edges {
    const crn_mm_level *level;
    uint32_t sector, region;
    uint32_t number; /* of the next edge, among those of the region */
    uint32_t to_sector, to;
    crn_mm_edges packed;
} crn_mm_paths_edges;

struct crn_mm;
struct crn_mm_job;

/* Finds the path between two regions of level 1. */
crn_mm_path crn_mm_path_between(const struct crn_mm *mm, cairn_node from, cairn_node to);

uint32_t crn_mm_path_length(const crn_mm_path *path); /* in steps */

/* Writes the directions of steps behind the first ones. Returns how many; fewer than `capacity`
 * only at the end. */
uint32_t crn_mm_path_steps(const crn_mm_path *path, uint32_t skipped, uint8_t *out,
                           uint32_t capacity);

/* A build begins. False = no memory. */
bool crn_mm_paths_begin(struct crn_mm_job *job);

/* Finds the paths of a sector of level 1, when that is there; a piece at a time. In a repair a path
 * is found again if a cell between its ends has changed, or if there was none from the one to the
 * other. Sectors come in ascending order: a path that is kept with another sector is found before
 * it is needed. */
cairn_status crn_mm_find_paths_on(struct crn_mm_job *job, uint32_t sector);

/* All are found. False = no memory. */
bool crn_mm_paths_end(struct crn_mm_job *job);

/* The world has changed: what is being found is found again. */
void crn_mm_paths_again(struct crn_mm_job *job);

/* Sectors whose costs are compared again if those of one change; compares those of one again. */
#define CRN_MM_PATHS_LEAF 16u
void crn_mm_paths_update_most(struct crn_mm *mm, uint32_t sector);

void crn_mm_drop_paths(struct crn_mm *mm, cairn_context *context);
size_t crn_mm_paths_bytes(const crn_mm_paths *paths);

/* Does every path lead from its centre to the other by legal steps, at the cost that is stored? */
bool crn_mm_check_paths(const struct crn_mm *mm, const crn_grid_space *space);

cairn_status crn_mm_save_paths(const struct crn_mm *mm, cairn_context *context, cairn_store *store);
/* The levels are loaded. Only paths that crn_mm_check_paths accepts are. */
cairn_status crn_mm_load_paths(struct crn_mm *mm, const crn_grid_space *space,
                               const cairn_archive *archive, bool borrow, cairn_error *error);

#endif
