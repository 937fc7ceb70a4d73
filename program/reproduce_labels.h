/* reproduce_labels.h: the series of the table of labels: which problem it is, and who solves it
 * (see reproduce_labels.c). */
#ifndef PROGRAM_REPRODUCE_LABELS_H
#define PROGRAM_REPRODUCE_LABELS_H

#include "reproduce.h"

enum {
    LABELS_ASTAR, /* between edits: start and goal are connected */
    LABELS_V1,
    LABELS_V1_ON,
    LABELS_V2,
    LABELS_V2_ON,
    LABELS_GOAL, /* edits have cut off the goal: A* without labels, and so on */
    LABELS_GOAL_ON,
    LABELS_GOAL_V1,
    LABELS_GOAL_V1_ON,
    LABELS_GOAL_V2,
    LABELS_GOAL_V2_ON,
    LABELS_START, /* edits have enclosed the start */
    LABELS_START_ON,
    LABELS_START_V1,
    LABELS_START_V1_ON,
    LABELS_START_V2,
    LABELS_START_V2_ON,
    LABELS_CELL, /* kinds of edits */
    LABELS_WALL,
    LABELS_RING,
    LABELS_SERIES
};
_Static_assert((int)LABELS_SERIES <= (int)REPRODUCE_SERIES, "a record has room for all series");

#endif
