/* theta.c: Theta*, A* whose paths are not bound to the grid.
 *
 * When a node relaxes a neighbour, it first tests whether a straight line leads there from its own
 * parent. If so, the neighbour becomes the parent's child, and the path has no turn here. So costs
 * spread along the edges of the grid, but paths are lines of any angle that turn only at obstacles.
 * They are shorter than the shortest paths on the grid and look like those that people walk. They
 * are not always the shortest: a node's parent is a neighbour or a neighbour's parent, never
 * another node.
 *
 * Costs: an A* with a heap, and visibility tests, which take half of the time on large open maps.
 * The published algorithm tests a line for every neighbour that is not closed. Here the line is
 * tested only if it would be cheaper than the known path, which gives the same paths. Lines stop
 * where the ground changes (cairn_raycast), and there it is A*. The estimate is Euclidean, rounded
 * down, and ties go to the larger g. Closed nodes stay closed, as published, even if a cheaper path
 * to one is found.
 *
 * Source: Nash, Daniel, Koenig and Felner, "Theta*: Any-Angle Path Planning on Grids", 2007;
 * Daniel, Nash, Koenig and Felner, the same title, 2010, which names it Basic Theta*.
 */
#include "search/best_first_sight.h"

static cairn_status theta_create(cairn_planner *planner, cairn_error *error)
{
    return crn_best_first_sight_create(planner, CRN_SIGHT_EAGER, error);
}

const crn_algorithm crn_algorithm_theta = {
    .info = {.name = "theta",
             .aliases = "theta-star",
             .summary = "A* with lines of sight: short paths of any angle",
             .source = "Nash, Daniel, Koenig and Felner 2007",
             .family = "search",
             .flags = CAIRN_ANY_ANGLE | CAIRN_TERRAIN | CAIRN_MANY_GOALS,
             .worlds = 1u << CAIRN_WORLD_GRID,
             .neighbourhoods = (1u << CAIRN_NEIGHBOURS_COUNT) - 1,
             .corners = (1u << CAIRN_CORNERS_COUNT) - 1},
    .create = theta_create,
    CRN_BEST_FIRST_FUNCTIONS,
};
