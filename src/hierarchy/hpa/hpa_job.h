/* hpa_job.h: the work of building and repairing HPA*'s graph.
 *
 * A build is a job in which all clusters are dirty, a repair one with those that an edit touches.
 * It goes over the dirty clusters of each level, from the lowest on: first for their nodes, then
 * for their edges. A cluster that changes makes the one that holds it dirty.
 */
#ifndef CRN_HPA_JOB_H
#define CRN_HPA_JOB_H

#include "hierarchy/hpa/hpa_index.h"

/* A cell that is to be a node. */
typedef struct crn_hpa_transition {
    cairn_node cell;
    uint32_t top;
} crn_hpa_transition;

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

struct crn_hpa_job {
    crn_hpa *index;
    crn_scratch memory;
    crn_hpa_ground ground;
    crn_abstract_view view;
    crn_subsearch above;
    uint32_t *stamps; /* by cluster */
    uint32_t stamp;
    bool *dirty[CRN_HPA_STAGES]; /* by cluster: what the stage is still to find */
    crn_hpa_stage stage;         /* what comes next: ... */
    uint32_t level, at;          /* ... this cluster of this level */
    uint64_t work;               /* units done */
    crn_exits exits;
    crn_hpa_transition *transitions;
    crn_hpa_member *members;
    cairn_edge *edges;
    crn_hpa_target *targets;
    uint32_t *slots; /* by node: where it stands in the targets */
    size_t transition_capacity, member_capacity, edge_capacity, target_capacity, slot_capacity;
    const cairn_progress *progress;
    uint64_t done;
};
typedef struct crn_hpa_job crn_hpa_job;

cairn_status crn_hpa_job_open(crn_hpa_job *job, crn_hpa *index, const cairn_progress *progress);
void crn_hpa_job_close(crn_hpa_job *job);

/* The searches of a job see the world as it is now; false = no memory. */
bool crn_hpa_job_open_searches(crn_hpa_job *job);

/* Finds the nodes of all dirty clusters, then their edges, until `work` units are used up. */
cairn_status crn_hpa_job_step(crn_hpa_job *job, uint64_t work);

/* From now on the numbers of nodes given up can be used again. */
void crn_hpa_reuse(crn_hpa *index);

#endif
