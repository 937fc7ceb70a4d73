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
 * did its path use one of those edges, nor will a cheaper one. The others are in doubt. Both
 * searches end where even the most expensive edge of the cluster costs less, unless paths may have
 * appeared between nodes and targets that had none.
 *
 * A search from a node forwards finds all edges from it, and one from a target back all edges to
 * it. So the edges in doubt need as many searches as there are nodes and targets that together
 * cover them: most often fewer than half as many as nodes have such an edge. A search ends as soon
 * as it knows those that it is for.
 */
#ifndef CRN_HPA_ROWS_H
#define CRN_HPA_ROWS_H

#include "hierarchy/hpa/hpa_past.h"
#include "search/nodes.h"

/* The open list of a search: buckets of costs, 2^shift units wide, last in, first out, each a chain
 * through the entries. Entries are taken one after the other and never given back: a search is
 * over after some hundred of them. A cost beyond the ring goes into its last bucket, which is too
 * early and does no harm. */
#define CRN_HPA_BUCKETS 256u
typedef struct crn_hpa_entry {
    uint32_t number;
    cairn_cost cost; /* if that is no longer its node's, the entry is out of date */
    uint32_t next;   /* in the bucket; 0 = the last */
} crn_hpa_entry;

typedef struct crn_hpa_queue {
    crn_hpa_entry *entries; /* from 1 on */
    size_t capacity;
    uint32_t count, shift;
    uint32_t current, last; /* numbers of the bucket that is being emptied and of the last one */
    bool wide;              /* costs may become more than fits */
    uint32_t heads[CRN_HPA_BUCKETS];
} crn_hpa_queue;

/* A node outside of the cluster, to which edges lead. */
typedef struct crn_hpa_target {
    cairn_node cell;
    uint32_t level, number; /* in the small graph */
} crn_hpa_target;

/* An edge that may cost something else than before. */
typedef struct crn_hpa_doubt {
    uint32_t member;   /* its node, among those of the cluster */
    uint32_t from, to; /* the node below and the target, in the small graph */
    uint32_t next;     /* the next one with this target, plus 1 */
    uint32_t edge;     /* which one of its node's edges, or the one that it would stand before */
    cairn_cost cost;   /* at least; what it costs once that is found */
    bool had;          /* there was such an edge */
    bool found;
} crn_hpa_doubt;

/* What a search is for: the cost of a node of the small graph, and the least that it can be. */
typedef struct crn_hpa_wanted {
    uint32_t number;
    cairn_cost floor;
} crn_hpa_wanted;

typedef struct crn_hpa_rows {
    crn_scratch *memory;
    crn_hpa_queue queue;
    /* of the small graph by number: those inside of the cluster, those inside that paths no longer
     * lead through, and targets */
    crn_nodes nodes;
    uint32_t kept, inside;       /* how many are of the first kind, and of the first two */
    uint32_t *numbers;           /* by node; of nodes of another graph: anything */
    crn_nodes first, back_first; /* by number: the first of its edges; one more at the end */
    cairn_edge *edges, *back;    /* to numbers; the same edges by target, from numbers */
    cairn_cost longest;          /* edge */
    cairn_cost costliest;        /* edge of the cluster's own nodes, of those looked at so far */
    /* by number: what the last search found; then the costs to nodes with other edges than before,
     * and the costs by one of those edges */
    cairn_cost *costs;
    crn_nodes left;  /* the numbers of these nodes */
    bool cheaper;    /* there are edges that cost less than before, or that there were not */
    bool added;      /* there are edges that there were not */
    bool missing;    /* and a member does not lead to all targets: it may do so from now on */
    bool same;       /* the nodes of the cluster and its targets are the same as before */
    bool sorted;     /* the targets are: */
    cairn_cost most; /* what costs more than that to these nodes does not matter */
    crn_hpa_target *targets; /* ascending by cell, then by level */
    crn_nodes places;        /* by number behind those inside: which one of them it is */
    crn_nodes passed;        /* the numbers of those that such an edge leads to, in their order */
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

/* Takes the memory that is as large as the index, for this many nodes; false = there is none. */
bool crn_hpa_rows_reserve(crn_hpa_rows *rows, size_t nodes);

/* Makes the small graph of a cluster above the lowest level; false = no memory. */
bool crn_hpa_rows_gather(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level, uint32_t cluster,
                         const crn_hpa_past *past);

/* Has a node of the index a number in the small graph? */
CRN_INLINE bool crn_hpa_rows_has(const crn_hpa_rows *rows, cairn_node node)
{
    uint32_t number = rows->numbers[node];
    return number < rows->nodes.count && rows->nodes.items[number] == node;
}

/* Is a node that is not what it was one of the level below in a cluster? */
CRN_INLINE bool crn_hpa_rows_concerns(const crn_hpa *index, uint32_t level, uint32_t cluster,
                                      const crn_hpa_former *former)
{
    return former->level + 1 == level &&
           crn_hpa_cluster(index, level, crn_hpa_cell(index, former->node)) == cluster;
}

/* Sorts the targets, unless they are sorted; false = no memory. */
bool crn_hpa_rows_sort(crn_hpa_rows *rows, const crn_hpa *index);

/* A search of the small graph, forwards or back. */
typedef struct crn_hpa_rows_search {
    crn_hpa_rows *rows;
    const uint32_t *first;
    const cairn_edge *edges;
    cairn_cost *costs; /* that it finds, by number */
    uint32_t wanted;   /* of rows->wanted: this many are to be found; none: all nodes are */
} crn_hpa_rows_search;

/* Begin with nothing reached: all costs are one more than `most`, and what costs more than that is
 * not found. Paths do not lead through nodes that are not kept, and cost anything. */
void crn_hpa_rows_begin(const crn_hpa_rows_search *search, const crn_hpa *index, uint32_t level,
                        cairn_cost most);
void crn_hpa_rows_begin_paths(const crn_hpa_rows_search *search, const crn_hpa *index,
                              uint32_t level);

/* A path to a node costs this. */
void crn_hpa_rows_push(const crn_hpa_rows_search *search, uint32_t number, uint64_t cost);

/* Expands what was pushed, and what that leads to. Returns as find does. */
uint32_t crn_hpa_rows_run(const crn_hpa_rows_search *search);

/* How many edges a node may have. */
CRN_INLINE uint32_t crn_hpa_rows_most(const crn_hpa_rows *rows)
{
    return (uint32_t)rows->nodes.count - rows->inside;
}

/* Finds the costs of all paths from a node of the level below. Returns how many nodes were
 * expanded; if there was no memory, rows->memory says so. */
uint32_t crn_hpa_rows_find(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level,
                           cairn_node below);

/* Writes the edges from there, and raises rows->costliest. Returns how many. */
uint32_t crn_hpa_rows_edges(crn_hpa_rows *rows, cairn_edge *out);

/* ---- what is not as it was: hpa_doubts.c ---- */

/* After gathering: finds the costs to what is not as it was, and by that. Returns as find does. */
uint32_t crn_hpa_rows_measure(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level,
                              uint32_t cluster, const crn_hpa_past *past);

/* After that: notes the edges of a member that are in doubt. `below` is the node of the level below
 * in its cell. If there are none, rows->costliest is raised to the most expensive edge. False: the
 * node or the one below is new, or no memory, as rows->memory says: then all of its edges must be
 * found. Members come in their order. */
bool crn_hpa_rows_doubt(crn_hpa_rows *rows, const crn_hpa *index, uint32_t member, cairn_node node,
                        cairn_node below);

/* Finds the edges that are in doubt: begins, or by the next search, and adds how many nodes were
 * expanded to *work. False: there are no more, or no memory, as rows->memory says. */
void crn_hpa_rows_begin_settling(crn_hpa_rows *rows);
bool crn_hpa_rows_settle(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level, uint64_t *work);

/* Writes the edges of the node of a doubt: those that were in doubt as they were found, the others
 * as they are. Raises rows->costliest, and moves *doubt to the first one of the next node. Returns
 * how many. */
uint32_t crn_hpa_rows_mend(crn_hpa_rows *rows, const crn_hpa *index, cairn_node node,
                           uint32_t *doubt, cairn_edge *out);

#endif
