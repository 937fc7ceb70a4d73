/* best_first_sight.h: lines of sight in the best-first loop: Theta* and Lazy Theta* (theta.c,
 * lazy_theta.c have the ideas).
 *
 * What differs from A* is whose child a neighbour becomes: not that of the node that is being
 * expanded, but that of its parent, if a straight line leads on from there. So a path is a chain of
 * lines, and the record of a node holds its parent, as in the loop for any space. A parent from
 * which no line can lead on is not asked: the start has none, what lies behind a link is out of
 * sight, and so is other ground; there the children are the node's own.
 */
#ifndef CRN_BEST_FIRST_SIGHT_H
#define CRN_BEST_FIRST_SIGHT_H

#include "path/sight.h"
#include "search/best_first_loops.h"

/* so many cells looked along are a unit of work; the rest of a node's edges comes later */
#define SIGHT_FAR 1024u

/* How a node is reached. */
typedef struct crn_arrival {
    cairn_node parent;
    uint64_t cost;
} crn_arrival;

/* The link from its parent that a node was reached by, NULL if it is a line or a step. */
const crn_space_link *crn_best_first_sight_link(const crn_best_first *bf, cairn_node parent,
                                                cairn_node node);

/* Lazy Theta* believes that a parent is seen until it must know: what is true of a node that waits
 * for its turn. If no line leads there, it is the best of the neighbours that were expanded; links
 * are not asked again. */
crn_arrival crn_best_first_sight_arrival(const crn_best_first *bf, cairn_node node);

#endif
