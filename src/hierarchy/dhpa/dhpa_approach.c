/* dhpa_approach.c: routes that are searched for. See dhpa_approach.h.
 *
 * The open list are buckets of cells with similar costs, in a ring. They are no wider than the
 * cheapest step, unless the most expensive ones would not fit the ring: then a cell may be expanded
 * again when it gets cheaper. The search ends when the bucket of the node is empty, so that all
 * cells on cheapest paths from there have their costs.
 *
 * There is a margin of cells round the cluster that cost nothing: no step makes them cheaper.
 */
#include "hierarchy/dhpa/dhpa_approach.h"

#define APPROACH_CELLS 32u /* in a unit of work */

/* A cell of the world. */
typedef struct approach_spot {
    uint32_t x, y;
    cairn_node cell;
} approach_spot;

static uint32_t approach_place(const crn_approach *approach, cairn_node cell)
{
    uint32_t width = approach->space->grid->width, x = cell % width - approach->area.left,
             y = cell / width - approach->area.top;
    return (y + 1) << approach->row | (x + 1);
}

static approach_spot approach_spot_at(const crn_approach *approach, uint32_t place)
{
    uint32_t x = approach->area.left + (place & ((1u << approach->row) - 1)) - 1,
             y = approach->area.top + (place >> approach->row) - 1;
    return (approach_spot){x, y, y * approach->space->grid->width + x};
}

/* May a step lead from one place to another one beside it? Where none are limited, moves say so. */
static bool approach_steps(const crn_approach *approach, uint32_t from, uint32_t to)
{
    if (CRN_LIKELY(!approach->space->limited)) return true;
    approach_spot a = approach_spot_at(approach, from), b = approach_spot_at(approach, to);
    return crn_grid_can_step(approach->space, a.x, a.y, b.x, b.y);
}

/* The cost of the step from one to the other, which lies in a direction or the opposite one;
 * CAIRN_NO_COST if there is none. */
static cairn_cost approach_cost(const crn_approach *approach, uint32_t from, uint32_t to,
                                uint32_t direction)
{
    approach_spot a = approach_spot_at(approach, from), b = approach_spot_at(approach, to);
    if (!approach_steps(approach, from, to)) return CAIRN_NO_COST;
    return crn_grid_step_cost(approach->space, a.cell, b.cell, direction);
}

/* ---- buckets ---- */

static void approach_remove(crn_approach *approach, uint32_t place)
{
    crn_approach_link *links = approach->links, *link = &links[place];
    if (link->before) {
        links[link->before].next = link->next;
    } else {
        approach->buckets[link->bucket] = link->next;
    }
    if (link->next) links[link->next].before = link->before;
    link->bucket = CRN_APPROACH_BUCKETS;
    approach->queued--;
}

/* At least what the rest costs from the node that is aimed at. */
static uint64_t approach_estimate(const crn_approach *approach, uint32_t place)
{
    uint32_t x = place & ((1u << approach->row) - 1), y = place >> approach->row,
             dx = x < approach->aim_x ? approach->aim_x - x : x - approach->aim_x,
             dy = y < approach->aim_y ? approach->aim_y - y : y - approach->aim_y;
    return (uint64_t)approach->metric.straight * (dx + dy) -
           (uint64_t)approach->metric.shortcut * crn_min_u32(dx, dy);
}

static void approach_insert(crn_approach *approach, uint32_t place, cairn_cost cost)
{
    crn_approach_link *links = approach->links, *link = &links[place];
    bool known = approach->costs[place] != CAIRN_NO_COST;
    if (known && link->bucket != CRN_APPROACH_BUCKETS) approach_remove(approach, place);
    uint64_t key = cost + approach_estimate(approach, place);
    uint32_t bucket = (uint32_t)(key >> approach->shift) % CRN_APPROACH_BUCKETS,
             first = approach->buckets[bucket];
    if (first) links[first].before = (uint16_t)place;
    approach->costs[place] = cost;
    link->next = (uint16_t)first;
    link->before = 0;
    link->bucket = (uint8_t)bucket;
    approach->buckets[bucket] = (uint16_t)place;
    approach->queued++;
}

/* So wide that the keys of all open cells differ by less than the ring holds: a step adds its cost,
 * and as much again if it leads away from the node. */
static uint32_t approach_shift(const crn_grid_space *space)
{
    uint64_t most = 2 * (uint64_t)space->base.max_step;
    uint32_t shift = crn_highest_bit((uint64_t)space->base.min_edge | 1);
    while (most >> shift > CRN_APPROACH_BUCKETS - 2) shift++;
    return shift;
}

/* ---- costs ---- */

/* No cell has been passed. */
static void approach_pass_none(crn_approach *approach)
{
    for (uint32_t i = 0; i < approach->passed; i++)
        approach->links[approach->list[i]].passed = false;
    approach->passed = approach->looked = 0;
}

/* No cell has a cost, and those of the margin have the least one. */
static void approach_clear(crn_approach *approach)
{
    uint32_t width = approach->area.width, height = approach->area.height, row = approach->row;
    cairn_cost *costs = approach->costs;
    memset(approach->buckets, 0, sizeof approach->buckets);
    memset(costs, 0, (width + 2) * sizeof *costs);
    memset(costs + ((height + 1u) << row), 0, (width + 2) * sizeof *costs);
    for (costs += 1u << row; height; height--, costs += 1u << row) {
        memset(costs + 1, 0xff, width * sizeof *costs);
        costs[0] = costs[width + 1] = 0;
    }
}

/* Estimates towards a node, or none. */
static void approach_aim(crn_approach *approach, cairn_node aim)
{
    approach->aim = aim;
    approach->metric = (crn_metric){0};
    if (aim == CAIRN_NO_NODE || approach->space->hex) return;
    uint32_t place = approach_place(approach, aim);
    approach->aim_x = place & ((1u << approach->row) - 1);
    approach->aim_y = place >> approach->row;
    approach->metric = crn_metric_of(&approach->space->base);
}

void crn_approach_begin(crn_approach *approach, const crn_grid_space *space, crn_area area,
                        cairn_node from, cairn_node aim)
{
    bool known = approach->aim == CAIRN_NO_NODE || approach->aim == aim;
    if (approach->from == from && known) return;
    approach->space = space;
    approach->area = area;
    approach->row = crn_highest_bit(area.width + 1) + 1;
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++)
        approach->offsets[d] = crn_dx[d] + crn_dy[d] * (1 << approach->row);
    approach->from = from;
    approach->to = CAIRN_NO_NODE;
    approach->shift = approach_shift(space);
    approach->queued = 0;
    approach_pass_none(approach);
    approach_aim(approach, aim);
    approach_clear(approach);
    uint32_t place = approach->first = approach_place(approach, from);
    approach->bucket = approach_estimate(approach, place) >> approach->shift;
    approach_insert(approach, place, 0);
}

/* The costs of straight and diagonal steps to a cell, where they do not depend on where from. */
static bool approach_prices(const crn_approach *approach, cairn_node cell, cairn_cost prices[2])
{
    const crn_grid_space *space = approach->space;
    if (space->limited || (space->profile.gradient && space->grid->elevation)) return false;
    prices[0] = crn_grid_step_cost(space, cell, cell, CRN_N);
    prices[1] = crn_grid_step_cost(space, cell, cell, CRN_NE);
    return true;
}

/* Relaxes the cells from which a step leads to one. */
static void approach_expand(crn_approach *approach, uint32_t place)
{
    const cairn_cost *costs = approach->costs;
    approach_spot at = approach_spot_at(approach, place);
    uint64_t cost = costs[place];
    cairn_cost prices[2];
    bool priced = approach_prices(approach, at.cell, prices);
    for (uint32_t moves = crn_grid_moves(approach->space, at.x, at.y); moves; moves &= moves - 1) {
        uint32_t direction = crn_lowest_bit(moves),
                 beside = place + (uint32_t)approach->offsets[direction];
        if (costs[beside] <= cost) continue;
        cairn_cost step =
            priced ? prices[direction / CRN_NE] : approach_cost(approach, beside, place, direction);
        uint64_t sum = cost + step;
        if (sum < costs[beside] && sum <= CAIRN_COST_MAX && step != CAIRN_NO_COST)
            approach_insert(approach, beside, (cairn_cost)sum);
    }
}

/* Are the costs of a place, and of all on cheapest paths from there, final? */
static bool approach_settled(const crn_approach *approach, uint32_t place)
{
    cairn_cost cost = approach->costs[place];
    return !approach->queued ||
           (cost != CAIRN_NO_COST && cost >> approach->shift < approach->bucket);
}

/* Some cells more, until one is settled. */
static void approach_spread(crn_approach *approach, uint32_t place)
{
    for (uint32_t left = APPROACH_CELLS; left && !approach_settled(approach, place);) {
        uint32_t first = approach->buckets[approach->bucket % CRN_APPROACH_BUCKETS];
        if (!first) {
            approach->bucket++;
            continue;
        }
        approach_remove(approach, first);
        approach_expand(approach, first);
        left--;
    }
}

/* ---- the route ---- */

static void approach_pass(crn_approach *approach, uint32_t place)
{
    approach->links[place].passed = true;
    approach->list[approach->passed++] = (uint16_t)place;
}

/* Turns to another node: no cell has been passed. */
static void approach_turn_to(crn_approach *approach, cairn_node to)
{
    approach_pass_none(approach);
    approach->to = to;
    approach_pass(approach, approach_place(approach, to));
}

/* Passes the cells that follow one on cheapest paths. */
static void approach_extend(crn_approach *approach, uint32_t place)
{
    approach_spot at = approach_spot_at(approach, place);
    uint64_t cost = approach->costs[place];
    for (uint32_t moves = crn_grid_moves(approach->space, at.x, at.y); moves; moves &= moves - 1) {
        uint32_t direction = crn_lowest_bit(moves),
                 beside = place + (uint32_t)approach->offsets[direction];
        cairn_cost rest = approach->costs[beside];
        bool margin = !rest && beside != approach->first;
        if (rest >= cost || margin || approach->links[beside].passed) continue;
        cairn_cost step = approach_cost(approach, place, beside, direction);
        if (step != CAIRN_NO_COST && (uint64_t)rest + step == cost) approach_pass(approach, beside);
    }
}

bool crn_approach_find(crn_approach *approach, cairn_node to)
{
    uint32_t place = approach_place(approach, to);
    if (!approach_settled(approach, place)) {
        approach_spread(approach, place);
        return false;
    }
    if (approach->to != to) approach_turn_to(approach, to);
    for (uint32_t i = 0; i < APPROACH_CELLS && approach->looked < approach->passed; i++)
        approach_extend(approach, approach->list[approach->looked++]);
    return approach->looked == approach->passed;
}

uint32_t crn_approach_step(const crn_approach *approach, cairn_node cell)
{
    uint32_t place = approach_place(approach, cell);
    approach_spot at = approach_spot_at(approach, place);
    uint64_t cost = approach->costs[place];
    for (uint32_t moves = crn_grid_moves(approach->space, at.x, at.y); moves; moves &= moves - 1) {
        uint32_t direction = crn_lowest_bit(moves),
                 beside = place + (uint32_t)approach->offsets[direction];
        cairn_cost next = approach->costs[beside];
        if (next <= cost || next == CAIRN_NO_COST || !approach->links[beside].passed) continue;
        cairn_cost step = approach_cost(approach, beside, place, direction);
        if (step != CAIRN_NO_COST && cost + step == next) return direction;
    }
    return CRN_ROUTE_NONE;
}
