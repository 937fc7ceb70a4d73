/* hierarchical_astar_index.h: the levels of hierarchical A*: nodes in groups, groups in groups of
 * groups.
 *
 * A group is a star: a node that is in no group yet, and all nodes in no group that lie at most
 * `radius` edges from it. Two groups are joined by the cheapest of the edges between them, so that
 * no path in the abstraction costs more than one below it.
 *
 * Levels are searched alternately backwards and forwards: level 1 from the goal's group, level 2
 * from the start's, and so on. So each keeps its edges in that direction only.
 */
#ifndef CRN_HIERARCHICAL_ASTAR_INDEX_H
#define CRN_HIERARCHICAL_ASTAR_INDEX_H

#include "search/algorithm.h"
#include "abstract/abstract_graph.h"

#define CRN_STARS_MAX 8u

typedef struct crn_stars_level {
    /* for each node of the level below: its group, CAIRN_NO_NODE if it is not usable */
    uint32_t *groups;
    size_t below;        /* how many nodes that has */
    cairn_node *centres; /* for each group: the node of the space that it was grown from */
    crn_abstract_graph abstract;
    cairn_cost min_edge, max_edge;
} crn_stars_level;

typedef struct crn_stars {
    crn_stars_level levels[CRN_STARS_MAX]; /* from level 1 on */
    uint32_t count;
} crn_stars;

/* Is a level, counted from 0, searched from the goal's group, along reversed edges? */
CRN_INLINE bool crn_stars_backwards(uint32_t level)
{
    return level % 2 == 0;
}

typedef struct crn_stars_options {
    uint32_t levels, radius;
} crn_stars_options;
/* Builds at most this many levels; fewer if the next one would not be much smaller. On failure
 * there are none. */
cairn_status crn_stars_build(crn_stars *stars, const cairn_space *space, crn_stars_options options,
                             const cairn_progress *progress, cairn_error *error);
void crn_stars_drop(crn_stars *stars, cairn_context *context);
size_t crn_stars_bytes(const crn_stars *stars);

cairn_status crn_stars_save(const crn_stars *stars, cairn_context *context, cairn_store *store,
                            cairn_error *error);
cairn_status crn_stars_load(crn_stars *stars, const cairn_space *space, uint32_t levels,
                            const cairn_archive *archive, cairn_error *error);

/* Shows the groups as areas, their centres, and which are joined, level by level. */
void crn_stars_overlay(const crn_stars *stars, const cairn_space *space, uint32_t only,
                       const cairn_overlay_sink *sink);

#endif
