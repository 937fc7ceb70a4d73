/* hpa_job.h: the work of building and repairing HPA*'s graph.
 *
 * A build is a job in which all clusters are dirty, a repair one with those that an edit touches.
 * It goes over the dirty clusters of each level, from the lowest on: first for their nodes, then
 * for their edges. A cluster that changes makes the one that holds it dirty.
 *
 * The work of a repair must not grow with the map. So dirty clusters are listed, and the job of a
 * repair is kept for the next one, with all memory that is as large as the map. A build looks at
 * every cluster anyway and needs no lists.
 *
 * Nor should it grow with the number of nodes. Most edits change cells inside of a cluster, and its
 * nodes stay the same. Then an edge costs what it did, on any level, if even the distances from
 * its node to the changed cells and on to its target are more: neither did its path use these
 * cells, nor will another one. A node whose edges are all of that kind needs no search
 * (hpa_near.h, hpa_edges.c). Above the lowest level two searches tell for all nodes of a cluster
 * (hpa_rows.h).
 */
#ifndef CRN_HPA_JOB_H
#define CRN_HPA_JOB_H

#include "hierarchy/hpa/hpa_near.h"
#include "hierarchy/hpa/hpa_rows.h"

/* A cell that is to be a node. */
typedef struct crn_hpa_transition {
    cairn_node cell;
    uint32_t top;
} crn_hpa_transition;

/* A transition over a border of a cluster, and with which others it is grouped (hpa_thin.c). */
typedef struct crn_hpa_pair {
    uint32_t group[4]; /* the cluster behind it, components in both, directions */
    uint32_t far;      /* from the middle */
    cairn_node low;    /* the cell with the lower number */
    uint32_t member;   /* the node inside, among those of the cluster */
    uint32_t crosses;  /* a border of the level above, too */
    uint32_t size;     /* of its group */
    uint32_t next;     /* the next group of its component: see thin_add_pair */
} crn_hpa_pair;

/* A job has two stages, each of them level by level from the lowest on. */
typedef enum crn_hpa_stage {
    CRN_HPA_NODES, /* which cells are nodes */
    CRN_HPA_EDGES,
    CRN_HPA_STAGES
} crn_hpa_stage;

/* What a flag says of a cluster. Two of them together are DIRTY. */
enum {
    CRN_HPA_CLEAN,
    CRN_HPA_DIRTY_ABOVE,  /* its edges cost the same, but lead to other nodes of higher levels */
    CRN_HPA_DIRTY_INSIDE, /* its nodes are the same, and only cells inside of it changed */
    CRN_HPA_DIRTY_BY_LINK,
    CRN_HPA_DIRTY
};

/* How far what was committed is read: edited cells, then the links whose ends may have become
 * usable or blocked, then edited links. */
typedef struct crn_hpa_reading {
    bool begun;
    uint64_t since; /* this version */
    crn_edits edits;
    bool cells;    /* all of them are read */
    uint32_t link; /* the next one */
    crn_link_edits links;
    uint32_t fresh; /* clusters that they have made dirty */
} crn_hpa_reading;

/* How far the edges of a cluster are found. A piece is those of one node. */
typedef struct crn_hpa_finding {
    bool begun;
    bool led;             /* the lowest level: what leads out of it is known */
    uint32_t member;      /* the next node; behind the last one come edges in doubt, ... */
    bool settling;        /* ... of which some are found */
    cairn_cost costliest; /* the lowest level: edge so far, ... */
    uint32_t misses;      /* ... nodes that could not be seen, ... */
    bool measured;        /* ... and job->detours are known */
    bool gathered;        /* above: job->rows has the small graph, and what stays as it was */
} crn_hpa_finding;

struct crn_hpa_job {
    crn_hpa *index;
    bool busy;  /* it is not finished */
    bool whole; /* a build */
    crn_scratch memory;
    crn_hpa_ground ground;
    crn_hpa_rows rows;
    crn_hpa_reading reading;        /* what was committed */
    crn_hpa_near near;              /* what changed: cells ... */
    crn_hpa_past past;              /* ... and nodes; not of a build */
    uint8_t *dirty[CRN_HPA_STAGES]; /* by cluster: what the stage is still to find */
    /* the same as lists, in the order of clusters once their turn has come; not of a build */
    crn_nodes lists[CRN_HPA_STAGES][CRN_HPA_LEVELS];
    crn_hpa_stage stage; /* what comes next: ... */
    uint32_t level, at;  /* ... this cluster of this level, or of its list, ... */
    bool sorts;          /* ... which is brought into order */
    crn_sorting sorting;
    crn_hpa_finding finding;
    uint64_t work; /* units done, ... */
    uint64_t owed; /* ... of which the last slices were not granted so many */
    uint32_t
        seen; /* transitions and nodes that no search was needed for, not yet counted as work */
    crn_exits exits;
    crn_hpa_transition *transitions;
    crn_hpa_member *members;
    cairn_edge *edges;
    cairn_cost *detours; /* hpa_edges.c */
    size_t transition_capacity, member_capacity, edge_capacity, detour_capacity;
    /* where levels have few nodes: */
    uint16_t *choices; /* by cluster: what it is to choose again (hpa_thin.c) */
    crn_nodes bays;    /* clusters that are to find theirs, once all components are known */
    bool stepped; /* nodes that were in the cluster found last have other steps over its border */
    bool placed;  /* its edges are other ones: it has other nodes or steps */
    bool parted;  /* other nodes than before are connected, in any cluster */
    crn_flood flood;
    crn_hpa_pair *pairs;
    uint32_t *roots, pair_count;
    size_t pair_capacity, root_capacity;
    const cairn_progress *progress;
    uint64_t done;
};
typedef struct crn_hpa_job crn_hpa_job;

cairn_status crn_hpa_job_open(crn_hpa_job *job, crn_hpa *index, bool whole);
void crn_hpa_job_close(crn_hpa_job *job);

/* Begins with the first stage, or begins again: what is dirty stays so, and searches see the world
 * as it is now. */
void crn_hpa_job_begin(crn_hpa_job *job);

/* Reads some more of what was committed, and marks the clusters of the lowest level that must be
 * updated (hpa_index.c). CAIRN_OK: all is read. CAIRN_STALE: building is no more work. */
cairn_status crn_hpa_read_on(crn_hpa_job *job);

/* Marks a cluster of a level for the stages from one on; false = no memory. */
bool crn_hpa_job_mark(crn_hpa_job *job, crn_hpa_stage stage, uint32_t level, uint32_t cluster,
                      uint8_t how);

/* The same for one stage only. */
bool crn_hpa_job_mark_stage(crn_hpa_job *job, crn_hpa_stage stage, uint32_t level, uint32_t cluster,
                            uint8_t how);

/* Memory for one more group of pairs, for this many transitions or edges; false = there is none. */
bool crn_hpa_job_reserve_pair(crn_hpa_job *job);
bool crn_hpa_job_reserve_transitions(crn_hpa_job *job, uint32_t count);
bool crn_hpa_job_reserve_edges(crn_hpa_job *job, size_t count);

/* ---- edges: hpa_edges.c ---- */

/* Find the next edges of a cluster of the lowest level, or of the level that the job is at:
 * CAIRN_RUNNING = there are more. *changed: to the larger cluster they are other ones than before.
 */
cairn_status crn_hpa_connect_ground(crn_hpa_job *job, uint32_t cluster, uint8_t how, bool *changed);
cairn_status crn_hpa_connect_above(crn_hpa_job *job, uint32_t cluster, uint8_t how, bool *changed);

/* The same edges, to other nodes of the higher levels. */
cairn_status crn_hpa_lead_above(crn_hpa_job *job, uint32_t cluster, bool *changed);

/* ---- few nodes above the lowest level: hpa_thin.c. False = no memory. ---- */

/* Find the components of the nodes of a cluster. *changed: other ones than before. `found`: its
 * transitions, job->exits, were found just now; otherwise they are the same as before. */
bool crn_hpa_thin_component_ground(crn_hpa_job *job, uint32_t cluster, bool found, bool *changed);
bool crn_hpa_thin_component_above(crn_hpa_job *job, uint32_t level, uint32_t cluster,
                                  bool *changed);

/* Chooses which nodes of the level below are kept, and writes the transitions of a larger cluster,
 * in no order, some of them twice. *same: they are the same as before, and none are written. */
bool crn_hpa_thin_choose(crn_hpa_job *job, uint32_t level, uint32_t cluster, uint32_t *count,
                         bool *same);

/* Finds the bays of the last cluster of job->bays. */
bool crn_hpa_thin_next_bays(crn_hpa_job *job);

/* Mark what changes with a node of a cell, and with the nodes and components of a cluster. */
bool crn_hpa_thin_mark_around(crn_hpa_job *job, uint32_t level, cairn_node cell);
bool crn_hpa_thin_mark_choices(crn_hpa_job *job, uint32_t level, uint32_t cluster);

/* Writes the edges of a node, which cost what they did, to the nodes that there are now. */
bool crn_hpa_thin_lead(crn_hpa_job *job, uint32_t level, cairn_node node, uint32_t *count);

/* Finds the nodes of all dirty clusters, then their edges, until `work` units are used up. Does not
 * stop in the middle of a search: what that takes above is paid by the next steps, which do nothing
 * until then. */
cairn_status crn_hpa_job_step(crn_hpa_job *job, uint64_t work);

/* From now on the numbers of nodes given up can be used again. */
void crn_hpa_reuse(crn_hpa *index);

#endif
