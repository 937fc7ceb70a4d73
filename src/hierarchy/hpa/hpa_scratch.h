/* hpa_scratch.h: what the searches of HPA* hold. hpa_search.c makes paths, hpa_ends.c joins the
 * ends of a query to the graph. */
#ifndef CRN_HPA_SCRATCH_H
#define CRN_HPA_SCRATCH_H

#include "hierarchy/hpa/hpa_lazy.h"
#include "hierarchy/hpa/hpa_search.h"
#include "search/nodes.h"

/* An edge of the path through the graph. */
typedef struct crn_hpa_hop {
    cairn_node from, to;
} crn_hpa_hop;

typedef enum crn_hpa_phase {
    HPA_RENEW,   /* the index is another one: tables are made again */
    HPA_GATHER,  /* what leads out of the cluster of the start */
    HPA_DEPART,  /* with many of them, and in large clusters: the next phase is a unit of its own */
    HPA_LEAVE,   /* paths from the start out of its cluster */
    HPA_LEFT,    /* they become edges */
    HPA_TURN,    /* with links, and in large clusters: the next phase is a unit of its own */
    HPA_ARRIVE,  /* paths to the goal inside its cluster */
    HPA_ARRIVED, /* they become edges */
    HPA_SORT,    /* which are sorted */
    HPA_AIM,     /* the same */
    HPA_CROSS,   /* a path through the graph */
    HPA_RECALL,  /* its edges are read off, the last one first */
    HPA_REFINE,  /* the next edge is begun */
    HPA_DESCEND, /* it is turned into edges of the level below */
    HPA_WALK,    /* it is turned into steps */
    HPA_SMOOTH
} crn_hpa_phase;

typedef struct crn_hpa_scratch {
    crn_cluster_search base; /* first */
    const crn_hpa *index;
    crn_hpa_phase phase;
    uint32_t *shown; /* by cluster: 1 = the search across the map sees it ... */
    uint32_t *marks; /* ... and for searches below an edge: the stamp of the last one that does */
    uint32_t cluster_count, stamp;
    uint32_t edition;   /* of the index that they are for */
    bool renewing;      /* they are being made for another one: ... */
    uint32_t renewed;   /* ... this many clusters are done */
    crn_hpa_lazy *lazy; /* its edges; NULL: they are in the index */
    crn_hpa_insert insert;
    cairn_cost costliest; /* edge of the index */
    cairn_node ends[2];   /* for which clusters are shown; CAIRN_NO_NODE = none are */
    bool wide;            /* and those around them */
    uint32_t leave_count, arrive_count;
    crn_hpa_leaving leaving; /* HPA_LEFT */
    /* HPA_LEAVE, HPA_ARRIVE, HPA_ARRIVED: the node of the cluster, by number */
    uint32_t member;
    bool ascending;      /* the edges to the goal are, by node */
    crn_sorting sorting; /* HPA_SORT */
    cairn_cost arriving; /* the costliest edge to the goal */
    crn_nodes hops;      /* still to go, the next one last: `to` and `from` of each */
    cairn_node recalled; /* HPA_RECALL: where it is */
    crn_hpa_hop hop;     /* HPA_DESCEND, HPA_WALK: this one */
    /* HPA_WALK: the last step of it: its direction, or CRN_DIRECTIONS and more: the link with this
     * place among those that lead to its end; HPA_STAYS: there is none */
    uint32_t crossing;
    cairn_cost expected; /* what the edge says it costs */
} crn_hpa_scratch;

/* Begins a subsearch. Its result is read when it continues. */
CRN_INLINE cairn_status crn_hpa_look(crn_subsearch *subsearch, cairn_node from, cairn_node to)
{
    return crn_subsearch_begin(subsearch, from, to) == CAIRN_OUT_OF_MEMORY ? CAIRN_OUT_OF_MEMORY
                                                                           : CAIRN_RUNNING;
}

/* Makes the tables again if the index is another one than before: CAIRN_OK when that is done,
 * CAIRN_RUNNING if it needs another unit of work. */
cairn_status crn_hpa_ends_renew(crn_hpa_scratch *hpa);

/* Joins the start and the goal to the graph, and begins the search between them. Each does a
 * bounded piece of work, and sets the phase of the next one.
 * - start: from the beginning, and in phase HPA_GATHER.
 * - go_on: in the phases after it, up to HPA_AIM, but those of searches.
 * - searched: the search of HPA_LEAVE or HPA_ARRIVE has ended. */
cairn_status crn_hpa_ends_start(crn_hpa_scratch *hpa);
cairn_status crn_hpa_ends_go_on(crn_hpa_scratch *hpa);
cairn_status crn_hpa_ends_searched(crn_hpa_scratch *hpa);

#endif
