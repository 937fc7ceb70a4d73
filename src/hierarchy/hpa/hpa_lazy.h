/* hpa_lazy.h: edges inside of clusters that are found when they are needed (intra=lazy). */
#ifndef CRN_HPA_LAZY_H
#define CRN_HPA_LAZY_H

#include "hierarchy/hpa/cluster_search.h"

/* The edges of a node that a search has found. */
typedef struct crn_hpa_found {
    const cairn_edge *edges;
    uint32_t count;
    uint32_t units; /* of work that it took to find them */
    bool known;
} crn_hpa_found;

typedef struct crn_hpa_block {
    cairn_edge *edges;
    size_t capacity;
} crn_hpa_block;

/* How far the edges of a node are found. */
typedef enum crn_hpa_lazy_stage {
    CRN_HPA_LAZY_GATHER, /* what leads out of its cluster */
    CRN_HPA_LAZY_BEGIN,
    CRN_HPA_LAZY_SEARCH,
    CRN_HPA_LAZY_WRITE
} crn_hpa_lazy_stage;

/* What a search has found of the edges. */
typedef struct crn_hpa_lazy {
    const crn_hpa *index;
    crn_scratch *memory;
    crn_space_functions functions; /* of a view that asks for them */
    /* for searches that no sink is told of: another query may have made them before */
    crn_hpa_ground ground;
    crn_hpa_found *nodes;
    size_t node_count, cleared; /* this many are of this index */
    /* Edges lie in blocks that never move, up to `used` in the block at `block`. */
    crn_hpa_block *blocks;
    size_t block_count, block_capacity, block, used;
    cairn_node node; /* whose edges are being found; CAIRN_NO_NODE = none */
    crn_hpa_lazy_stage stage;
    crn_hpa_leaving leaving;
    cairn_node waiting; /* the node that is being expanded; CAIRN_NO_NODE = none */
    uint32_t waited;    /* units that were spent on its edges */
    bool failed;        /* there was no memory */
} crn_hpa_lazy;

/* Opens one for the searches of a view; NULL = no memory. */
crn_hpa_lazy *crn_hpa_lazy_open(cairn_search *search, const crn_hpa *index,
                                crn_abstract_view *view);
void crn_hpa_lazy_close(crn_hpa_lazy *lazy); /* may be NULL */

/* The index is another one: nothing is known any more. False = no memory. Then forget_on does a
 * bounded piece of work: true when all is done. */
bool crn_hpa_lazy_forget(crn_hpa_lazy *lazy);
bool crn_hpa_lazy_forget_on(crn_hpa_lazy *lazy);

/* A query begins: nothing is left of the one before but the edges that it has found. */
void crn_hpa_lazy_begin(crn_hpa_lazy *lazy);

/* The edges of a node that was expanded. */
const cairn_edge *crn_hpa_lazy_edges(const crn_hpa_lazy *lazy, cairn_node node, uint32_t *count);

#endif
