/* trace.h: events of a search, for those who want to watch it, and overlays that show an index. A
 * search with a sink reports every step it takes. Its answers are the same with and without a
 * sink.
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
    /* a node is expanded, whether it was taken from the open list or not */
    CAIRN_EVENT_EXPAND,
    CAIRN_EVENT_CLOSE, /* ... and all its edges are done */
    CAIRN_EVENT_END,   /* the goal that was reached, last of all */
    /* a path turns at this node, but the search keeps no record of the node */
    CAIRN_EVENT_PASS,
    /* a subsearch begins here, on its level (hierarchies): what was known of that level is
     * forgotten, and costs begin at 0 again */
    CAIRN_EVENT_PIECE,
    /* a path leads in a straight line from the parent to this node beside it, without a search
     * (sga); its costs are not known */
    CAIRN_EVENT_SEGMENT,
    /* ... and where the line is blocked, a search is to lead from the parent to this node */
    CAIRN_EVENT_SUBGOAL,
    /* a search that keeps little drops the path to a node: it may generate the node again */
    CAIRN_EVENT_FORGET,
    CAIRN_EVENT_KIND_COUNT
} cairn_event_kind;

/* A bit of `level`: the event is of a search backward from the goals (bidirectional). `parent` is
 * then the next node on the path, `g` the cost from the node to a goal, and `h` estimates the cost
 * from the start to the node. */
#define CAIRN_LEVEL_BACKWARD UINT32_C(0x80000000)

typedef struct cairn_event {
    cairn_event_kind kind;
    /* 0 = the space itself; 1 and more = abstract levels above it; and CAIRN_LEVEL_BACKWARD */
    uint32_t level;
    cairn_node node;   /* on that level */
    cairn_node parent; /* CAIRN_NO_NODE for the start */
    cairn_cost g, h;
} cairn_event;

typedef struct cairn_trace_sink {
    void (*event)(void *user, const cairn_event *event);
    void *user;
} cairn_trace_sink;

/* Returns the name of a kind of event: "expand" and so on. */
CAIRN_API const char *cairn_event_name(cairn_event_kind kind);

/* ---- overlays ---------------------------------------------------------------------- */

/* What an index looks like: cells, lines and points. cairn_planner_overlay sends them to a sink one
 * by one. Drawing them is left to the sink. */
typedef enum cairn_overlay_kind {
    /* a node of the space belongs to a group: a cluster, a clique, a region, a ring */
    CAIRN_OVERLAY_AREA,
    CAIRN_OVERLAY_BORDER, /* a line between two groups */
    CAIRN_OVERLAY_NODE,   /* an abstract node */
    CAIRN_OVERLAY_EDGE,   /* an edge between two abstract nodes */
    CAIRN_OVERLAY_KIND_COUNT
} cairn_overlay_kind;

typedef struct cairn_overlay_item {
    cairn_overlay_kind kind;
    uint32_t level;  /* 1 = the lowest abstract level */
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
