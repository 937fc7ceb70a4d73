/* best_first_sight.h: lines of sight in the best-first loop: Theta* and Lazy Theta*. theta.c and
 * lazy_theta.c explain the ideas.
 *
 * What differs from A* is whose child a neighbour becomes: not that of the node that is being
 * expanded, but that of its parent, if a straight line leads there from the parent. So a path is a
 * chain of lines, and the record of a node holds its parent, as in the loop for any space. Where no
 * line can lead on from the parent, the children are the node's own: at the start, which has no
 * parent, after a link, and on other ground than the parent's.
 *
 * Lazy Theta* assumes that the parent is visible until it must know. A node on the open list is
 * tested when it is needed. If no line leads there, its parent becomes the best of the neighbours
 * that were expanded. Links are not considered again.
 */
#ifndef CRN_BEST_FIRST_SIGHT_H
#define CRN_BEST_FIRST_SIGHT_H

#include "search/best_first_loops.h"

extern const crn_best_first_lines crn_best_first_lines_of_sight;

/* A planner that asks for lines of sight at once, or lazily. */
cairn_status crn_best_first_sight_create(cairn_planner *planner, crn_sight_kind sight,
                                         cairn_error *error);

#endif
