/* cost.h: exact integer costs.
 *
 * A straight step costs S units, a diagonal D, where D/S is a continued-fraction
 * convergent of √2. Two paths of a straight steps and b diagonals each are
 * compared by S·a + D·b; the true order is that of a + √2·b. With e = |D − S·√2| the two
 * orders agree as long as the error b·e of the diagonal counts' difference is smaller
 * than the least distance of a nonzero S·a' + D·b' from zero: on the finest cost scale, 5741 and
 * 8119, e = 6.2e-5, the first wrong verdict is a *tie* (difference of 8119 straight
 * against 5741 diagonal steps, where 5741·8119 − 8119·5741 = 0), and the first reversed
 * order comes at a difference of 19,601 diagonals against 27,720 straight steps (both
 * found again by tests/test_cost.c, which walks every bound). So on maps whose paths have fewer
 * diagonals "optimal" means optimal in √2 as well.
 *
 * The cost scale is chosen once for a space: the finest whose longest conceivable shortest path
 * (two thirds of all cells) fits 32 bits.
 */
#ifndef CRN_COST_H
#define CRN_COST_H

#include "core/core.h"
#include <cairn/space.h>

/* The entrance of a link that may be a shortcut to the goals, or a box round those of several, and
 * what the rest costs from there at least. */
typedef struct crn_gate {
    int32_t left, top, right, bottom;
    cairn_cost rest;
} crn_gate;
#define CRN_GATES 48u

/* An axis-parallel box: of cells for grids, of positions for other worlds. Grids with links: also
 * the gates that lead there (links.h), ascending by the rest, or that no estimate holds. */
typedef struct crn_box {
    double x0, y0, z0, x1, y1, z1;    /* positions */
    int32_t left, top, right, bottom; /* grids */
    uint32_t gate_count;
    const crn_gate *gates;
    bool blind;
} crn_box;

/* Returns how far v lies outside low…high (written so that it compiles without branches). */
CRN_INLINE uint32_t crn_outside(int32_t v, int32_t low, int32_t high)
{
    int64_t below = (int64_t)low - v, above = (int64_t)v - high,
            outside = below > above ? below : above;
    return (uint32_t)(outside > 0 ? outside : 0);
}

/* A box that holds nothing, and the box that holds one node more (space.c). */
crn_box crn_box_empty(void);
void crn_box_add(crn_box *box, const cairn_space *space, cairn_node node);

/* Called when the box is complete: finds the gates that lead there, into an array of CRN_GATES
 * (gates.c). */
void crn_box_open_gates(crn_box *box, const cairn_space *space, cairn_heuristic heuristic,
                        crn_gate *gates);

extern const cairn_scale crn_cost_scales[CAIRN_COST_SCALES];

/* Returns the finest cost scale on which ⅔ · cells · straight · multiplier fits 32 bits, else the
 * coarsest. `multiplier` is the cost of the most expensive cell in straight steps. */
uint32_t crn_cost_scale_for(uint64_t cells, uint64_t multiplier);

/* Results saturate at CAIRN_COST_MAX. */
CRN_INLINE cairn_cost crn_saturate(uint64_t cost)
{
    return cost > CAIRN_COST_MAX ? CAIRN_COST_MAX : (cairn_cost)cost;
}

/* Returns the cost of an edge. One that does not fit into 32 bits is CAIRN_NO_COST: with it, no sum
 * fits, so that every search drops it as an overflow, and the cheaper of two is the cheaper one. */
CRN_INLINE cairn_cost crn_edge_cost(uint64_t cost)
{
    return cost > CAIRN_COST_MAX ? CAIRN_NO_COST : (cairn_cost)cost;
}

/* Returns the price of a step of this many units on ground of a terrain cost in 256ths: rounded to
 * the nearest unit, halves up, but at least one unit; 0 if the ground is forbidden. A higher cost
 * never makes a cheaper step, a whole multiple is exact, and of the steps on one ground always
 * straight ≤ diagonal ≤ 2 · straight (on every cost scale, tests/test_profile.c). */
CRN_INLINE cairn_cost crn_price(uint32_t unit, uint32_t terrain_cost)
{
    if (!terrain_cost) return 0;
    return crn_max_u32((uint32_t)(((uint64_t)unit * terrain_cost + 128) / 256), 1);
}

/* Estimates on the grid from |dx|, |dy|. */
CRN_INLINE cairn_cost crn_octile(cairn_scale scale, uint32_t dx, uint32_t dy)
{
    uint32_t low = crn_min_u32(dx, dy), high = crn_max_u32(dx, dy);
    return crn_saturate((uint64_t)scale.straight * (high - low) + (uint64_t)scale.diagonal * low);
}

/* ⌊√n⌋ */
uint64_t crn_square_root(uint64_t n);

/* Return the steps from a hexagon (x, y) to the nearest one in a box, and a lower bound of their
 * cost. Heuristics named after directions that hexagons do not have mean steps as well. */
uint32_t crn_hex_steps(int32_t x, int32_t y, const crn_box *box);
cairn_cost crn_hex_estimate(cairn_heuristic heuristic, cairn_scale scale, int32_t x, int32_t y,
                            const crn_box *box);

cairn_cost crn_grid_estimate(cairn_heuristic heuristic, cairn_scale scale, uint32_t dx,
                             uint32_t dy);

#endif
