/* heuristic.c: the estimates by name. The formulas stand with the worlds they measure:
 * cost.c for grids, graph_space.c for graphs.
 *
 * Admissible on grids: with eight neighbours all but Manhattan, with four or six all of them. Every
 * estimate is multiplied by the cheapest terrain present; extra costs only ever add. The
 * goal is a box, so one goal, several goals and goal areas are the same formula: the
 * distance to the box is never more than to any place in it.
 */
#include "world/space.h"

const char *const crn_heuristic_choices[] = {"auto",      "null",      "manhattan", "octile",
                                             "euclidean", "chebyshev", "hex",       NULL};

const char *cairn_heuristic_name(cairn_heuristic heuristic)
{
    return (unsigned)heuristic < CAIRN_HEURISTIC_COUNT ? crn_heuristic_choices[heuristic]
                                                       : "unknown";
}

bool cairn_heuristic_admissible(const cairn_space *space, cairn_heuristic heuristic)
{
    if (heuristic != CAIRN_HEURISTIC_MANHATTAN || space->world != CAIRN_WORLD_GRID) return true;
    return cairn_space_profile(space)->neighbours != CAIRN_NEIGHBOURS_8;
}

/* The Euclidean estimate is rounded down, which may turn a step of the true distance into one unit
 * more, and so are all estimates on graphs. */
bool crn_heuristic_consistent(const cairn_space *space, cairn_heuristic heuristic)
{
    if (heuristic == CAIRN_HEURISTIC_NULL) return true;
    if (space->world != CAIRN_WORLD_GRID || heuristic == CAIRN_HEURISTIC_EUCLIDEAN) return false;
    return cairn_heuristic_admissible(space, heuristic);
}

cairn_cost cairn_estimate(const cairn_space *space, cairn_heuristic heuristic, cairn_node a,
                          cairn_node b)
{
    if (a >= space->node_count || b >= space->node_count) return CAIRN_NO_COST;
    if (heuristic == CAIRN_HEURISTIC_AUTO) heuristic = space->default_heuristic;
    crn_gate gates[CRN_GATES];
    crn_box box = crn_box_empty();
    crn_box_add(&box, space, b);
    crn_box_open_gates(&box, space, heuristic, gates);
    return space->functions->estimate(space, heuristic, a, &box);
}

crn_box crn_box_empty(void)
{
    return (crn_box){.x0 = 1, .y0 = 1, .left = 1, .top = 1};
}

void crn_box_add(crn_box *box, const cairn_space *space, cairn_node node)
{
    if (space->world == CAIRN_WORLD_GRID) {
        cairn_cell cell = cairn_grid_cell(cairn_space_grid(space), node);
        bool empty = box->left > box->right;
        if (empty || cell.x < box->left) box->left = cell.x;
        if (empty || cell.x > box->right) box->right = cell.x;
        if (empty || cell.y < box->top) box->top = cell.y;
        if (empty || cell.y > box->bottom) box->bottom = cell.y;
        return;
    }
    cairn_position at = cairn_space_position(space, node);
    bool empty = box->x0 > box->x1;
    if (empty || at.x < box->x0) box->x0 = at.x;
    if (empty || at.x > box->x1) box->x1 = at.x;
    if (empty || at.y < box->y0) box->y0 = at.y;
    if (empty || at.y > box->y1) box->y1 = at.y;
}
