/* hpa_rows.h: what paths through a larger cluster of HPA* cost.
 *
 * An edge of a higher level costs what a search of the level below finds inside the larger cluster.
 * A cluster has some dozens of nodes, and each of them needs such a search, so the nodes below and
 * the edges between them are copied side by side first: a small graph, in which a search takes a
 * few instructions for each edge.
 *
 * Where levels have few nodes (hpa_thin.c), the small graph has few as well: of the nodes below
 * only those that are kept. That is what makes repairs cheap: the searches go over some hundred
 * edges, not over ten thousand. Costs are those of paths through kept nodes then. They serve to
 * choose between routes; when an edge is refined, paths may use all nodes.
 *
 * After a change two more searches tell which edges cost what they did: one finds how far it is to
 * the nearest node below with an edge that is not what it was (hpa_past.h), the other how far by
 * such an edge to each target. An edge that costs less than both together stays as it is: neither
 * did its path use one of those edges, nor will a cheaper one. The others are in doubt.
 *
 * A search from a node forwards finds all edges from it, and one from a target back all edges to
 * it. So the edges in doubt need as many searches as there are nodes and targets that together
 * cover them: most often fewer than half as many as nodes have such an edge. A search ends as soon
 * as it knows those that it is for.
 */
#ifndef CRN_HPA_ROWS_H
#define CRN_HPA_ROWS_H

#include "hierarchy/hpa/hpa_past.h"
#include "open/sparse.h"
#include "search/nodes.h"

/* A node outside of the cluster, to which edges lead. */
typedef struct crn_hpa_target {
    cairn_node cell;
    uint32_t level, number; /* in the small graph */
} crn_hpa_target;

/* An edge that may cost something else than before. */
typedef struct crn_hpa_doubt {
    uint32_t member;   /* its node, among those of the cluster */
    uint32_t from, to; /* the node below and the target, in the small graph */
    uint32_t target;   /* which one of the targets */
    uint32_t next;     /* the next one with this target, plus 1 */
    cairn_cost cost;   /* at least; what it costs once that is found */
    bool found;
} crn_hpa_doubt;

/* What a search is for: the cost of a node of the small graph, and the least that it can be. */
typedef struct crn_hpa_wanted {
    uint32_t number;
    cairn_cost floor;
} crn_hpa_wanted;

typedef struct crn_hpa_rows {
    crn_scratch *memory;
    crn_sparse open;
    /* of the small graph by number: those inside of the cluster, those inside that paths no longer
     * lead through, and targets */
    crn_nodes nodes;
    uint32_t kept, inside;       /* how many are of the first kind, and of the first two */
    uint32_t *numbers;           /* by node; of nodes of another graph: anything */
    crn_nodes first, back_first; /* by number: the first of its edges; one more at the end */
    cairn_edge *edges, *back;    /* to numbers; the same edges by target, from numbers */
    /* by number: what the last search found; then the costs to nodes with other edges than before,
     * and the costs by one of those edges */
    cairn_cost *costs;
    crn_nodes left; /* the numbers of these nodes */
    bool cheaper;   /* there are edges that cost less than before, or that there were not */
    crn_hpa_target *targets; /* ascending by cell, then by level */
    crn_hpa_doubt *doubts;   /* by member, then by target */
    uint32_t doubt_count;
    crn_nodes doubtful; /* the nodes and targets of doubts that are to be found */
    /* by number: how many of them, and the first one, plus 1 */
    uint32_t *doubt_counts, *doubt_heads;
    crn_hpa_wanted *wanted;
    size_t number_capacity, edge_capacity, back_capacity, cost_capacity, target_capacity,
        doubt_capacity, count_capacity, head_capacity, wanted_capacity;
} crn_hpa_rows;

void crn_hpa_rows_open(crn_hpa_rows *rows, crn_scratch *memory);
void crn_hpa_rows_close(crn_hpa_rows *rows);

/* Makes the small graph of a cluster above the lowest level; false = no memory. */
bool crn_hpa_rows_gather(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level, uint32_t cluster,
                         const crn_hpa_past *past);

/* After that: finds the costs to what is not as it was, and by that. Returns as find does. */
uint32_t crn_hpa_rows_measure(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level,
                              uint32_t cluster, const crn_hpa_past *past);

/* After that: notes the edges of a member that are in doubt. `below` is the node of the level below
 * in its cell. If there are none, *costliest is raised to the most expensive edge. False: there are
 * other targets than before, or no memory, as rows->memory says: then all of its edges must be
 * found. Members come in their order. */
bool crn_hpa_rows_doubt(crn_hpa_rows *rows, const crn_hpa *index, uint32_t member, cairn_node node,
                        cairn_node below, cairn_cost *costliest);

/* Finds all edges that are in doubt. Returns as find does. */
uint32_t crn_hpa_rows_settle(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level);

/* Writes the edges of the node of a doubt: those that were in doubt as they were found, the others
 * as they are. Raises *costliest, and moves *doubt to the first one of the next node. Returns how
 * many. */
uint32_t crn_hpa_rows_mend(const crn_hpa_rows *rows, const crn_hpa *index, cairn_node node,
                           uint32_t *doubt, cairn_edge *out, cairn_cost *costliest);

/* How many edges a node may have. */
CRN_INLINE uint32_t crn_hpa_rows_most(const crn_hpa_rows *rows)
{
    return (uint32_t)rows->nodes.count - rows->inside;
}

/* Finds the costs of all paths from a node of the level below. Returns how many nodes were
 * expanded; if there was no memory, rows->memory says so. */
uint32_t crn_hpa_rows_find(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level,
                           cairn_node below);

/* Writes the edges from there, and raises *costliest to the most expensive one. Returns how
 * many. */
uint32_t crn_hpa_rows_edges(const crn_hpa_rows *rows, cairn_edge *out, cairn_cost *costliest);

#endif
