/* dlrtastar_index.h: the index of `dlrtastar`: areas, their representatives, and the subgoal from
 * each to each. Three arrays, which are saved, loaded and mapped as they are:
 *
 * - `areas`: the number of the area of each cell, 16 bits; CRN_DLRTA_NONE for blocked ones, and for
 *   components that would be a single area: there the goal is the only subgoal.
 * - `homes`: the representative of each area.
 * - `entries`: for each two areas, the subgoal in the first for goals in the second; CAIRN_NO_NODE
 *   if they are the same, or no path leads there.
 */
#ifndef CRN_DLRTASTAR_INDEX_H
#define CRN_DLRTASTAR_INDEX_H

#include "abstract/cliques.h"
#include "world/grid_space.h"
#include <cairn/planner.h>

#define CRN_DLRTA_AREAS 8192u /* at most */
#define CRN_DLRTA_NONE UINT16_MAX

typedef struct crn_dlrta {
    uint32_t level; /* parameter; 0 = by the size of the map */
    uint32_t count; /* of areas */
    uint32_t nodes; /* of cells, 0 where there are no areas */
    const uint16_t *areas;
    const uint32_t *homes, *entries;
    bool owned;    /* else they lie in a file */
    uint64_t work; /* of the last build */
} crn_dlrta;

/* The subgoal of an agent at a cell; CAIRN_NO_NODE: it has none but its goal. */
CRN_INLINE cairn_node crn_dlrta_entry(const crn_dlrta *index, cairn_node at, cairn_node goal)
{
    if (!index->count) return CAIRN_NO_NODE;
    uint32_t from = index->areas[at], to = index->areas[goal];
    if (from == CRN_DLRTA_NONE || to == CRN_DLRTA_NONE) return CAIRN_NO_NODE;
    return index->entries[(size_t)from * index->count + to];
}

/* There are no areas where `plain` does not hold (dlrtastar_build.c). */
cairn_status crn_dlrta_build(crn_dlrta *index, const crn_grid_space *map, bool plain,
                             const cairn_progress *progress, cairn_error *error);
/* Gets the arrays for so many areas; false = no memory. */
bool crn_dlrta_allocate(crn_dlrta *index, const crn_grid_space *map, uint32_t count);
void crn_dlrta_drop(crn_dlrta *index, cairn_context *context);
size_t crn_dlrta_bytes(const crn_dlrta *index);
cairn_status crn_dlrta_save(const crn_dlrta *index, cairn_store *store, cairn_error *error);
cairn_status crn_dlrta_load(crn_dlrta *index, const crn_grid_space *map,
                            const cairn_archive *archive, bool borrow, cairn_error *error);

/* What is wrong with it, NULL = nothing. */
const char *crn_dlrta_check(const crn_dlrta *index, const crn_grid_space *map);

#endif
