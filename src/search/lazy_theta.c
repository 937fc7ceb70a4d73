/* lazy_theta.c: Lazy Theta*, which tests lines only for nodes that are expanded.
 *
 * It works like Theta* (theta.c), but when a node relaxes a neighbour, it assumes that its own
 * parent sees the neighbour. The line is tested when the neighbour is to be expanded. If it is
 * blocked, the best of the neighbours that were expanded becomes the parent. So there is one
 * visibility test for each expanded node, and the paths are about as short, as the assumption is
 * nearly always true or soon corrected. Our Theta* tests a line only if it would be of use, so it
 * makes only 1.2 to 1.9 times as many tests. The gain is smaller than where every neighbour is
 * tested, as in three dimensions, where a node has 26 of them.
 *
 * Source: Nash, Koenig and Tovey, "Lazy Theta*: Any-Angle Path Planning and Path Length Analysis in
 * 3D", 2010.
 */
#include "search/best_first_sight.h"

static cairn_status lazy_theta_create(cairn_planner *planner, cairn_error *error)
{
    return crn_best_first_sight_create(planner, CRN_SIGHT_LAZY, error);
}

const crn_algorithm crn_algorithm_lazy_theta = {
    .info = {.name = "lazy-theta",
             .aliases = "lazy-theta-star",
             .summary = "Theta* with one visibility test for each expanded node",
             .source = "Nash, Koenig and Tovey 2010",
             .family = "search",
             .flags = CAIRN_ANY_ANGLE | CAIRN_TERRAIN | CAIRN_MANY_GOALS,
             .worlds = 1u << CAIRN_WORLD_GRID,
             .neighbourhoods = (1u << CAIRN_NEIGHBOURS_COUNT) - 1,
             .corners = (1u << CAIRN_CORNERS_COUNT) - 1},
    .create = lazy_theta_create,
    CRN_BEST_FIRST_FUNCTIONS,
};
