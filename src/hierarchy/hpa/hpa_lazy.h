/* hpa_lazy.h: edges inside of clusters that are found when they are needed (intra=lazy). */
#ifndef CRN_HPA_LAZY_H
#define CRN_HPA_LAZY_H

#include "hierarchy/hpa/cluster_search.h"

/* The edges of a node that a search has found. */
typedef struct crn_hpa_found {
    crn_list edges;
    bool known;
} crn_hpa_found;

/* What a search has found of the edges. */
typedef struct crn_hpa_lazy {
    const crn_hpa *index;
    crn_scratch *memory;
    crn_space_functions functions; /* of a view that asks for them */
    /* for searches that no sink is told of: another query may have made them before */
    crn_hpa_ground ground;
    crn_hpa_found *nodes;
    cairn_edge *edges;
    size_t node_capacity, edge_count, edge_capacity;
    bool failed; /* there was no memory */
} crn_hpa_lazy;

/* Opens one for the searches of a view; NULL = no memory. */
crn_hpa_lazy *crn_hpa_lazy_open(cairn_search *search, const crn_hpa *index,
                                crn_abstract_view *view);
void crn_hpa_lazy_close(crn_hpa_lazy *lazy); /* may be NULL */

/* The index is another one: nothing is known any more. False = no memory. */
bool crn_hpa_lazy_refresh(crn_hpa_lazy *lazy);

/* The edges of a node that was expanded. */
const cairn_edge *crn_hpa_lazy_edges(const crn_hpa_lazy *lazy, cairn_node node, uint32_t *count);

#endif
