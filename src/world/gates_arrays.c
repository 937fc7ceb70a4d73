/* gates_arrays.c: see gates_arrays.h. Loops of a whole multiple of eight turns, with no more than
 * this in them, are what gcc with -O2 and clang make loops of vectors from.
 */
#include "world/gates_arrays.h"

void crn_gate_arrays_measure(crn_gate_arrays *arrays, const cairn_grid *grid, uint64_t straight,
                             uint64_t diagonal)
{
    arrays->fits = grid->width <= INT16_MAX && grid->height <= INT16_MAX && diagonal <= INT16_MAX;
    arrays->straight = (int16_t)straight;
    arrays->diagonal = (int16_t)diagonal;
}

void crn_gate_arrays_copy(crn_gate_arrays *arrays, const crn_gate *gates, uint32_t count)
{
    static const crn_gate nowhere = {0, 0, 0, 0, CAIRN_COST_MAX};
    if (!arrays->fits) return;
    arrays->eights = (count + 7) / 8;
    for (uint32_t i = 0; i < 8 * arrays->eights; i++) {
        const crn_gate *entrance = i < count ? &gates[i] : &nowhere;
        arrays->left[i] = (int16_t)entrance->left;
        arrays->top[i] = (int16_t)entrance->top;
        arrays->right[i] = (int16_t)entrance->right;
        arrays->bottom[i] = (int16_t)entrance->bottom;
        arrays->rest[i] = crn_gate_cost(entrance->rest);
    }
}

/* The larger of two numbers, or 0. */
CRN_INLINE int16_t arrays_apart(int16_t a, int16_t b)
{
    int16_t most = a > b ? a : b;
    return most > 0 ? most : 0;
}

CRN_INLINE int32_t arrays_walk(const crn_gate_arrays *arrays, int16_t dx, int16_t dy)
{
    int16_t low = dx < dy ? dx : dy, high = dx < dy ? dy : dx;
    return arrays->straight * (int16_t)(high - low) + arrays->diagonal * low;
}

uint64_t crn_gate_arrays_least(const crn_gate_arrays *arrays, uint32_t x, uint32_t y, uint64_t walk)
{
    const int16_t cx = (int16_t)x, cy = (int16_t)y;
    int32_t best = (int32_t)walk;
    uint32_t eights = 0;
    while (eights < arrays->eights && arrays->rest[8 * eights] < best) eights++;
    for (uint32_t i = 0, end = 8 * eights; i != end; i++) {
        int16_t dx =
            arrays_apart((int16_t)(arrays->left[i] - cx), (int16_t)(cx - arrays->right[i]));
        int16_t dy =
            arrays_apart((int16_t)(arrays->top[i] - cy), (int16_t)(cy - arrays->bottom[i]));
        int32_t cost = arrays_walk(arrays, dx, dy) + arrays->rest[i];
        best = cost < best ? cost : best;
    }
    return (uint64_t)best;
}

void crn_gate_arrays_reach(const crn_gate_arrays *arrays, const crn_gate *box, bool farthest,
                           int32_t *restrict costs)
{
    const int16_t *left = farthest ? arrays->right : arrays->left,
                  *right = farthest ? arrays->left : arrays->right,
                  *top = farthest ? arrays->bottom : arrays->top,
                  *bottom = farthest ? arrays->top : arrays->bottom;
    const int16_t low_x = (int16_t)box->left, high_x = (int16_t)box->right,
                  low_y = (int16_t)box->top, high_y = (int16_t)box->bottom;
    for (uint32_t i = 0, end = 8 * arrays->eights; i != end; i++) {
        int16_t dx = arrays_apart((int16_t)(low_x - right[i]), (int16_t)(left[i] - high_x));
        int16_t dy = arrays_apart((int16_t)(low_y - bottom[i]), (int16_t)(top[i] - high_y));
        costs[i] = arrays_walk(arrays, dx, dy) + arrays->rest[i];
    }
}
