/* trace.h: watching a search think. A search with a sink reports every step it takes;
 * taking the sink away changes nothing in its answers.
 */
#ifndef CAIRN_TRACE_H
#define CAIRN_TRACE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cairn_event_kind {
    CAIRN_EVENT_SOURCE,      /* the start, first of all */
    CAIRN_EVENT_DESTINATION, /* each goal, after the source */
    CAIRN_EVENT_GENERATE,    /* a node is seen for the first time */
    CAIRN_EVENT_UPDATE,      /* a cheaper path to a node that waits on the open list */
    CAIRN_EVENT_REOPEN,      /* a cheaper path to a node that was closed */
    /* the edges of a node are followed: it was the next one, waiting on the open list or not */
    CAIRN_EVENT_EXPAND,
    CAIRN_EVENT_CLOSE, /* ... and is done */
    CAIRN_EVENT_END,   /* the goal that was reached, last of all */
    /* a path leads over this node, where it turns, but the node itself is not kept */
    CAIRN_EVENT_PASS,
    /* a subsearch begins here, on its level: what was known of that level is forgotten, and costs
     * begin at 0 again (hierarchies) */
    CAIRN_EVENT_PIECE,
    /* a path leads in a straight line from the parent to this node beside it, without a search
     * (sga); costs are not known */
    CAIRN_EVENT_SEGMENT,
    /* ... and where the line is blocked, from the parent, a search is to lead to this node */
    CAIRN_EVENT_SUBGOAL,
    CAIRN_EVENT_KIND_COUNT
} cairn_event_kind;

typedef struct cairn_event {
    cairn_event_kind kind;
    uint32_t level;    /* 0 = the space itself, more = abstractions above it */
    cairn_node node;   /* of that level */
    cairn_node parent; /* CAIRN_NO_NODE for the start */
    cairn_cost g, h;
} cairn_event;

typedef struct cairn_trace_sink {
    void (*event)(void *user, const cairn_event *event);
    void *user;
} cairn_trace_sink;

/* "expand" and so on. */
CAIRN_API const char *cairn_event_name(cairn_event_kind kind);

/* ---- overlays ---------------------------------------------------------------------- */

/* What an index looks like: cells, lines and points, sent to a sink one by one
 * (cairn_planner_overlay). Drawing is somebody else's. */
typedef enum cairn_overlay_kind {
    /* a node of the space belongs to a group: a cluster, a clique, a region, a ring */
    CAIRN_OVERLAY_AREA,
    CAIRN_OVERLAY_BORDER, /* a line between two groups */
    CAIRN_OVERLAY_NODE,   /* a node of the abstraction stands here */
    CAIRN_OVERLAY_EDGE,   /* two of them are joined */
    CAIRN_OVERLAY_KIND_COUNT
} cairn_overlay_kind;

typedef struct cairn_overlay_item {
    cairn_overlay_kind kind;
    uint32_t level;  /* 1 = the lowest abstraction */
    cairn_node node; /* AREA: of the space; NODE: of the level */
    uint32_t group;  /* AREA, NODE: the number of its group */
    /* BORDER, EDGE: ends; NODE: `from` alone; as cairn_space_position gives them */
    cairn_position from, to;
    cairn_cost cost; /* EDGE; 0 = it has none */
} cairn_overlay_item;

typedef struct cairn_overlay_sink {
    void (*item)(void *user, const cairn_overlay_item *item);
    void *user;
} cairn_overlay_sink;

#ifdef __cplusplus
}
#endif
#endif
