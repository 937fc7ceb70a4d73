/* cost.c: the cost scales and the estimates that go with them. See cost.h. */
#include "world/cost.h"
#include <math.h>

const cairn_scale crn_cost_scales[CAIRN_COST_SCALES] = {
    {5741, 8119}, {2378, 3363}, {985, 1393}, {408, 577}, {169, 239}, {70, 99}, {29, 41}, {5, 7},
};

uint32_t crn_cost_scale_for(uint64_t cells, uint64_t multiplier)
{
    const uint32_t last = CAIRN_COST_SCALES - 1;
    uint64_t steps = (cells * 2 + 2) / 3;
    for (uint32_t cost_scale = 0; cost_scale < last; cost_scale++) {
        if (steps * multiplier <= CAIRN_COST_MAX / crn_cost_scales[cost_scale].straight)
            return cost_scale;
    }
    return last;
}

uint64_t crn_square_root(uint64_t n)
{
    uint64_t root = (uint64_t)sqrt((double)n);
    /* The double may be off by one in either direction, and is off by more near 2^64. */
    while (root > UINT32_MAX || root * root > n) root--;
    while (root < UINT32_MAX && (root + 1) * (root + 1) <= n) root++;
    return root;
}

/* ⌊unit·√(dx² + dy²)⌋, but never more than octile: on some cost scales D < S·√2 and the plain form
 * would overestimate long diagonals. */
static cairn_cost cost_euclidean(cairn_scale scale, uint32_t dx, uint32_t dy)
{
    uint64_t square = (uint64_t)dx * dx + (uint64_t)dy * dy;
    uint64_t plain = crn_square_root(square * ((uint64_t)scale.straight * scale.straight));
    cairn_cost octile = crn_octile(scale, dx, dy);
    return plain < octile ? (cairn_cost)plain : octile;
}

cairn_cost crn_grid_estimate(cairn_heuristic heuristic, cairn_scale scale, uint32_t dx, uint32_t dy)
{
    switch (heuristic) {
    case CAIRN_HEURISTIC_MANHATTAN:
        return crn_saturate((uint64_t)scale.straight * ((uint64_t)dx + dy));
    case CAIRN_HEURISTIC_OCTILE: return crn_octile(scale, dx, dy);
    case CAIRN_HEURISTIC_EUCLIDEAN: return cost_euclidean(scale, dx, dy);
    case CAIRN_HEURISTIC_HEX:
    case CAIRN_HEURISTIC_CHEBYSHEV:
        return crn_saturate((uint64_t)scale.straight * crn_max_u32(dx, dy));
    default: return 0;
    }
}

/* Going up or down n rows moves a hexagon to the right by up to ⌊n/2⌋ columns for nothing if its
 * row is even, ⌈n/2⌉ if it is odd, and to the left the other way round; whatever is left over costs
 * a step each. */
uint32_t crn_hex_steps(int32_t x, int32_t y, const crn_box *box)
{
    int64_t rows = crn_outside(y, box->top, box->bottom), odd = y & 1;
    int64_t right = box->left - (int64_t)x - (rows + odd) / 2,
            left = x - (int64_t)box->right - (rows + !odd) / 2;
    int64_t more = right > left ? right : left;
    return (uint32_t)(rows + (more > 0 ? more : 0));
}

/* In half cells a centre lies at 2x + (y odd), and n rows are n·√3 half cells: the square of twice
 * the distance is h² + 3·n². A box of several rows reaches from its even rows to its odd ones. */
static cairn_cost cost_hex_euclidean(cairn_scale scale, int32_t x, int32_t y, const crn_box *box)
{
    bool one_row = box->top == box->bottom;
    int32_t low = 2 * box->left + (one_row ? box->top & 1 : 0);
    int32_t high = 2 * box->right + (one_row ? box->top & 1 : 1);
    uint64_t halves = crn_outside(2 * x + (y & 1), low, high);
    uint64_t rows = crn_outside(y, box->top, box->bottom);
    uint64_t square = halves * halves + 3 * rows * rows;
    return crn_saturate(crn_square_root(square * ((uint64_t)scale.straight * scale.straight)) / 2);
}

cairn_cost crn_hex_estimate(cairn_heuristic heuristic, cairn_scale scale, int32_t x, int32_t y,
                            const crn_box *box)
{
    if (heuristic == CAIRN_HEURISTIC_NULL) return 0;
    cairn_cost steps = crn_saturate((uint64_t)scale.straight * crn_hex_steps(x, y, box));
    return heuristic == CAIRN_HEURISTIC_EUCLIDEAN
               ? crn_min_u32(cost_hex_euclidean(scale, x, y, box), steps)
               : steps;
}
