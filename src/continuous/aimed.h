/* aimed.h: the space's own estimate between nodes and a target, for a search that outlives commits.
 *
 * What such a search knows rests on its estimates. So it notes what they depend on besides their
 * ends, their basis, and begins again if a commit has changed that: a cheaper terrain has appeared
 * on the map, a link that is a shortcut has come or gone, a node of a graph has moved.
 *
 * Each agent has one. So room for gates, most of what an estimate takes, is there only where links
 * are shortcuts. */
#ifndef CRN_AIMED_H
#define CRN_AIMED_H

#include "world/space.h"

typedef struct crn_aimed_basis {
    cairn_heuristic metric;
    bool blind;
    cairn_scale cheapest;
    uint32_t times;
    cairn_cost share[2];
    double scale;
    uint64_t moved;
} crn_aimed_basis;

typedef struct crn_aimed {
    const cairn_space *space;
    crn_scratch *memory;
    cairn_node target;
    bool backward;   /* estimates of the cost from the target to a node */
    bool blind;      /* there are to be none: set by its owner before it is bound */
    crn_box box;     /* round the target */
    crn_gate *gates; /* CRN_GATES of them; NULL = it needed none so far */
    crn_aimed_basis basis;
} crn_aimed;

/* Makes one without a target, and gives back what one holds. */
void crn_aimed_open(crn_aimed *aimed, crn_scratch *memory, const cairn_space *space, bool backward);
void crn_aimed_close(crn_aimed *aimed);

/* Aims at a target, in the world as it is. Without memory, which the scratch remembers, it has no
 * target and no estimates. */
void crn_aimed_bind(crn_aimed *aimed, cairn_node target);

/* Are estimates what they were when it was bound? */
bool crn_aimed_holds(const crn_aimed *aimed);

/* Are there links that are shortcuts? */
bool crn_aimed_has_shortcuts(const cairn_space *space);

CRN_INLINE uint64_t crn_aimed_node(const crn_aimed *aimed, cairn_node node)
{
    const cairn_space *space = aimed->space;
    if (aimed->basis.metric == CAIRN_HEURISTIC_NULL) return 0;
    return space->functions->estimate(space, aimed->basis.metric, node, &aimed->box);
}

#endif
