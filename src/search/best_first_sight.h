/* best_first_sight.h: lines of sight in the best-first loop: Theta* and Lazy Theta* (theta.c,
 * lazy_theta.c have the ideas).
 *
 * What differs from A* is whose child a neighbour becomes: not that of the node that is being
 * expanded, but that of its parent, if a straight line leads on from there. So a path is a chain of
 * lines, and the record of a node holds its parent, as in the loop for any space. A parent from
 * which no line can lead on is not asked: the start has none, what lies behind a link is out of
 * sight, and so is other ground; there the children are the node's own.
 *
 * Lazy Theta* believes that a parent is seen until it must know: what is true of a node that waits
 * for its turn is found out when somebody asks. If no line leads there, it is the best of the
 * neighbours that were expanded; links are not asked again.
 */
#ifndef CRN_BEST_FIRST_SIGHT_H
#define CRN_BEST_FIRST_SIGHT_H

#include "search/best_first_loops.h"

extern const crn_best_first_lines crn_best_first_lines_of_sight;

#endif
