/* gates_arrays.h: gates as arrays of their sides, so that a processor looks at eight of them at
 * once. For octile estimates on maps, and with costs of steps, that 16 bits hold.
 */
#ifndef CRN_GATES_ARRAYS_H
#define CRN_GATES_ARRAYS_H

#include "world/cost.h"
#include "world/grid.h"

/* Larger costs count as this one, so that sums of two fit into 32 bits. */
#define CRN_GATE_FAR ((INT32_C(1) << 30) - 1)

CRN_INLINE int32_t crn_gate_cost(uint64_t cost)
{
    return cost < (uint64_t)CRN_GATE_FAR ? (int32_t)cost : CRN_GATE_FAR;
}

typedef struct crn_gate_arrays {
    bool fits;       /* else they hold nothing */
    uint32_t eights; /* this many times eight gates; behind the last one, some that lead nowhere */
    int16_t straight, diagonal; /* costs of steps */
    int16_t left[CRN_GATES], top[CRN_GATES], right[CRN_GATES], bottom[CRN_GATES];
    int32_t rest[CRN_GATES];
} crn_gate_arrays;

/* Called first: do the cells of such a map, and these costs of steps, fit? */
void crn_gate_arrays_measure(crn_gate_arrays *arrays, const cairn_grid *grid, uint64_t straight,
                             uint64_t diagonal);

/* Copies gates, if they fit. */
void crn_gate_arrays_copy(crn_gate_arrays *arrays, const crn_gate *gates, uint32_t count);

/* Returns the least of `walk`, the estimate from a cell to the goal, and of those over entrances,
 * which are ascending by the rest. */
uint64_t crn_gate_arrays_least(const crn_gate_arrays *arrays, uint32_t x, uint32_t y,
                               uint64_t walk);

/* Writes the sum of the rest of each one and the estimate from its nearest (or farthest) cell to a
 * box. */
void crn_gate_arrays_reach(const crn_gate_arrays *arrays, const crn_gate *box, bool farthest,
                           int32_t *restrict costs);

#endif
