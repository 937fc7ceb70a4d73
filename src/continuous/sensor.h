/* sensor.h: agents that know only a part of their world.
 *
 * The planner's world is what is known. The truth is another world of the same kind and size.
 * Before an agent with a sensor decides what to do, it compares the two round where it stands, and
 * corrects what is known by a commit, as a game would after an edit. So every algorithm serves in
 * a partly known world, as long as it serves in one that changes; and agents whose planners work
 * on the same known world share what they see. */
#ifndef CRN_SENSOR_H
#define CRN_SENSOR_H

#include "continuous/navigator.h"
#include "world/graph.h"

/* What a sensor in a graph works with, kept from look to look. */
typedef struct crn_sensor_lists {
    cairn_node *nodes; /* that it has come to, the nearest first */
    size_t count, node_capacity;
    uint8_t *marks; /* by node: a bit if it is among them */
    crn_stock_edge *edges;
    size_t edge_capacity;
} crn_sensor_lists;

#define CRN_SENSOR_MARK_BYTES(navigator) \
    ((size_t)cairn_space_node_count((navigator)->space) / 8 + 1)

typedef struct crn_sensor {
    cairn_space *truth;
    uint32_t range;
    uint32_t least; /* the range that a step of this agent needs */
    cairn_node at;  /* where it looked last; CAIRN_NO_NODE: nowhere, or what it saw is not known */
    uint64_t truth_version, known_version; /* when it looked */
    uint32_t seen;                         /* since the last call of cairn_navigator_next */
    bool owes;                             /* what it has seen is staged, but not committed */
    crn_sensor_lists lists;                /* of graphs */
} crn_sensor;

/* Lets an agent look round, if it has a sensor and anything may have changed. What it saw is in
 * move->seen. CAIRN_OUT_OF_MEMORY: what is known has not changed; it tries again next time. */
cairn_status crn_sensor_look(cairn_navigator *navigator, cairn_move *move);

/* Lets many of them look round, with one commit for each known world. Failures are left to
 * crn_sensor_look. */
void crn_sensors_look(cairn_navigator *const *navigators, uint32_t count);

void crn_sensor_destroy(cairn_navigator *navigator);
size_t crn_sensor_bytes(const cairn_navigator *navigator);

/* Two graphs that are compared, and how many edges and nodes differ so far. */
typedef struct crn_sensor_graphs {
    cairn_navigator *navigator;
    cairn_graph *known;
    const cairn_graph *truth;
    uint32_t seen;
} crn_sensor_graphs;

/* Stages what differs between a known graph and the truth: the edges that leave nodes less than
 * `range` edges away from the agent, and whether the nodes at their ends can be used
 * (sensor_graph.c). */
cairn_status crn_sensor_stage_graph(crn_sensor_graphs *graphs);
void crn_sensor_free_graph(cairn_navigator *navigator);

#endif
