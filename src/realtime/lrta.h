/* lrta.h: an agent that walks from subgoal to subgoal by LRTA* with a look-ahead of one step.
 *
 * A guide, the database of an algorithm, names the subgoals. The agent walks to each of them:
 *
 * - It climbs (climb.h) as long as it has learnt nothing. That is LRTA* too: where a neighbour has
 *   a smaller h, LRTA* goes where the climb goes. It needs no memory for that.
 * - Where a climb ends early it learns. From then on each move looks at all neighbours and raises
 *   the h of the cell that the agent stands on to the least g + h among them. Ties are broken as
 *   by the climb. Learnt values are kept in a hash table of the agent (open/members.h), and
 *   forgotten with the subgoal: they are about the distance to it.
 *
 * Complete: the climb ends, since h falls with every step. LRTA* reaches every target of its
 * component, since all steps can be walked back and learnt values never exceed true distances. A
 * guide names finitely many subgoals, each in the agent's component, and the goal last.
 *
 * A move is bounded work, whatever the size of the map. A guide that needs more does that in units
 * of work before the next move. A world that changes, a push or another goal begin a new walk.
 *
 * Where ground differs in cost, heights or links matter, other navigators serve the agent
 * (crn_lrta_serves): climbs know nothing of costs.
 *
 * Source: Korf, "Real-Time Heuristic Search", 1990.
 */
#ifndef CRN_LRTA_H
#define CRN_LRTA_H

#include "continuous/walker.h"
#include "open/members.h"
#include "realtime/climb.h"

typedef struct crn_lrta {
    const struct crn_lrta_guide *guide;
    const crn_grid_space *map;
    crn_members learnt;  /* of cells: by how much more than the distance it is to the target */
    cairn_node target;   /* CAIRN_NO_NODE: the guide names the next one */
    bool begun;          /* both ends and the index are right; it has this ... */
    uint64_t generation; /* ... generation */
    bool learning;
    cairn_trace_sink sink;
    size_t size; /* of this struct and what the guide keeps behind it */
} crn_lrta;

typedef struct crn_lrta_guide {
    /* Bytes of what it keeps for an agent, and where they begin (crn_lrta_own). */
    size_t (*bytes)(const cairn_planner *planner);
    /* A new walk from navigator->at to navigator->goal. May be NULL. */
    void (*begin)(cairn_navigator *navigator);
    /* Names the next target, a node of the component other than navigator->at; the goal is the last
     * one. Does at most *budget units of work and subtracts them. CAIRN_NO_NODE: it is not
     * finished. */
    cairn_node (*next)(cairn_navigator *navigator, uint64_t *budget);
    /* The i-th of those that it will name next, as far as it knows now: the one that comes after
     * `node`, which is not the goal. CAIRN_NO_NODE: it does not know. */
    cairn_node (*after)(const cairn_navigator *navigator, uint32_t i, cairn_node node);
} crn_lrta_guide;

/* What the guide keeps for an agent. */
CRN_INLINE void *crn_lrta_own(const cairn_navigator *navigator)
{
    return (crn_lrta *)navigator->own + 1;
}

/* The index that the agents of a planner share. */
CRN_INLINE const void *crn_lrta_index(const cairn_planner *planner)
{
    return crn_index_owner(planner)->index;
}

/* Is every step of a kind as expensive as any other, can it be walked back, and are there no
 * links? */
bool crn_lrta_serves(const cairn_planner *planner);
/* For descriptors: and has the query one goal, no limit of cost, no estimate? */
bool crn_lrta_handles(const cairn_search *search);

cairn_status crn_lrta_open(cairn_navigator *navigator, const crn_lrta_guide *guide);
void crn_lrta_close(cairn_navigator *navigator);
void crn_lrta_forget(cairn_navigator *navigator);
void crn_lrta_stepped(cairn_navigator *navigator, cairn_node from);
cairn_status crn_lrta_next(cairn_navigator *navigator, cairn_move *move);
uint32_t crn_lrta_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity);
uint32_t crn_lrta_subgoals(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity);
size_t crn_lrta_bytes(const cairn_navigator *navigator);
void crn_lrta_trace(cairn_navigator *navigator, const cairn_trace_sink *sink);

/* For descriptors: whom agents of this kind serve. */
#define CRN_LRTA_INFO \
    .family = "realtime", .kind = CAIRN_KIND_NAVIGATOR, \
    .flags = CAIRN_TERRAIN | CAIRN_NEEDS_INDEX | CAIRN_MANY_GOALS | CAIRN_PIECES, \
    .worlds = 1u << CAIRN_WORLD_GRID, .neighbourhoods = (1u << CAIRN_NEIGHBOURS_COUNT) - 1, \
    .corners = (1u << CAIRN_CORNERS_COUNT) - 1, \
    .delegates = 1u << CAIRN_FEATURE_TERRAIN | 1u << CAIRN_FEATURE_HEIGHTS | \
                 1u << CAIRN_FEATURE_LINKS | 1u << CAIRN_FEATURE_MANY_GOALS

/* For a table of crn_navigator_functions; `open` is left. */
#define CRN_LRTA_NAVIGATOR \
    .serves = crn_lrta_serves, .close = crn_lrta_close, .start = crn_lrta_forget, \
    .changed = crn_lrta_forget, .stepped = crn_lrta_stepped, .pushed = crn_lrta_forget, \
    .retargeted = crn_lrta_forget, .next = crn_lrta_next, .ahead = crn_lrta_ahead, \
    .subgoals = crn_lrta_subgoals, .bytes = crn_lrta_bytes, .trace = crn_lrta_trace

#endif
