/* hpa_job.h: the work of building and repairing HPA*'s graph.
 *
 * A build is a job in which all clusters are dirty, a repair one with those that an edit touches.
 * It goes over the dirty clusters of each level, from the lowest on: first for their nodes, then
 * for their edges. A cluster that changes makes the one that holds it dirty.
 *
 * The work of a repair must not grow with the map. So dirty clusters are listed, and the job of a
 * repair is kept for the next one, with all memory that is as large as the map. A build looks at
 * every cluster anyway and needs no lists.
 */
#ifndef CRN_HPA_JOB_H
#define CRN_HPA_JOB_H

#include "hierarchy/hpa/hpa_index.h"
#include "search/nodes.h"

/* A cell that is to be a node. */
typedef struct crn_hpa_transition {
    cairn_node cell;
    uint32_t top;
} crn_hpa_transition;

/* A transition over a border of a level, and with which others it is grouped (hpa_thin.c). */
typedef struct crn_hpa_pair {
    uint32_t group[5]; /* clusters of the level below, components in them, directions */
    uint32_t far;      /* from the middle */
    cairn_node low;    /* the cell with the lower number */
    cairn_node cell;   /* the one inside */
    uint32_t top;
} crn_hpa_pair;

/* Into a larger cluster. */
typedef struct crn_hpa_target {
    cairn_node cell;
    uint32_t level;
    cairn_node node;
    cairn_cost best;
} crn_hpa_target;

/* A job has two stages, each of them level by level from the lowest on. */
typedef enum crn_hpa_stage {
    CRN_HPA_NODES, /* which cells are nodes */
    CRN_HPA_EDGES,
    CRN_HPA_STAGES
} crn_hpa_stage;

/* What a flag says of a cluster. */
enum {
    CRN_HPA_CLEAN,
    CRN_HPA_DIRTY,
    CRN_HPA_DIRTY_BY_LINK,
    CRN_HPA_DIRTY_ABOVE /* its edges cost the same, but lead to other nodes of higher levels */
};

struct crn_hpa_job {
    crn_hpa *index;
    bool busy;  /* it is not finished */
    bool whole; /* a build */
    crn_scratch memory;
    crn_hpa_ground ground;
    crn_abstract_view view;
    crn_subsearch above;
    uint32_t *stamps; /* by cluster */
    uint32_t stamp;
    uint8_t *dirty[CRN_HPA_STAGES]; /* by cluster: what the stage is still to find */
    /* the same as lists, in the order of clusters once their turn has come; not of a build */
    crn_nodes lists[CRN_HPA_STAGES][CRN_HPA_LEVELS];
    crn_hpa_stage stage; /* what comes next: ... */
    uint32_t level, at;  /* ... this cluster of this level, or of its list */
    uint64_t work;       /* units done */
    crn_exits exits;
    crn_hpa_transition *transitions;
    crn_hpa_member *members;
    cairn_edge *edges;
    crn_hpa_target *targets;
    uint32_t *slots; /* by node: where it stands in the targets */
    size_t transition_capacity, member_capacity, edge_capacity, target_capacity, slot_capacity;
    /* where levels have few nodes: */
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

/* Marks a cluster of a level for the stages from one on; false = no memory. */
bool crn_hpa_job_mark(crn_hpa_job *job, crn_hpa_stage stage, uint32_t level, uint32_t cluster,
                      uint8_t how);

/* The same for one stage only. */
bool crn_hpa_job_mark_stage(crn_hpa_job *job, crn_hpa_stage stage, uint32_t level, uint32_t cluster,
                            uint8_t how);

/* Memory for one more pair, for this many transitions or edges; false = there is none. */
bool crn_hpa_job_reserve_pair(crn_hpa_job *job);
bool crn_hpa_job_reserve_transitions(crn_hpa_job *job, uint32_t count);
bool crn_hpa_job_reserve_edges(crn_hpa_job *job, size_t count);

/* ---- few nodes above the lowest level: hpa_thin.c. False = no memory. ---- */

/* Find the components of the nodes of a cluster. *changed: other ones than before. */
bool crn_hpa_thin_component_ground(crn_hpa_job *job, uint32_t cluster, bool *changed);
bool crn_hpa_thin_component_above(crn_hpa_job *job, uint32_t level, uint32_t cluster,
                                  bool *changed);

/* Writes the transitions of a larger cluster, in no order, some of them twice. */
bool crn_hpa_thin_choose(crn_hpa_job *job, uint32_t level, uint32_t cluster, uint32_t *count);

/* Mark what changes with a node of a cell, and with the nodes and components of a cluster. */
bool crn_hpa_thin_mark_around(crn_hpa_job *job, uint32_t level, cairn_node cell);
bool crn_hpa_thin_mark_parents(crn_hpa_job *job, uint32_t level, uint32_t cluster);

/* Writes the edges of a node, which cost what they did, to the nodes that there are now. */
bool crn_hpa_thin_lead(crn_hpa_job *job, uint32_t level, cairn_node node, uint32_t *count);

/* Finds the nodes of all dirty clusters, then their edges, until `work` units are used up. */
cairn_status crn_hpa_job_step(crn_hpa_job *job, uint64_t work);

/* From now on the numbers of nodes given up can be used again. */
void crn_hpa_reuse(crn_hpa *index);

#endif
