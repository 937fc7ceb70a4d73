/* hpa_past.h: what the edges of HPA*'s nodes were before a repair.
 *
 * The edges of a larger cluster follow from those of the nodes below. When some of these become
 * others, most edges of the larger cluster still cost the same. To tell which ones do, a repair
 * notes every node below a larger cluster that has other edges now, is kept now, is kept no more
 * (hpa_thin.c) or is given up, and the edges that it had. A path that is not what it was passes
 * such a node, and leaves it by an edge that is not what it was (hpa_rows.h).
 */
#ifndef CRN_HPA_PAST_H
#define CRN_HPA_PAST_H

#include "hierarchy/hpa/hpa_index.h"

/* A node that is not what it was. */
typedef struct crn_hpa_former {
    cairn_node node;
    uint32_t level;
    uint32_t first, count; /* where the edges stand that it had */
    bool chosen;           /* paths led through it and do not any more, or the other way round */
} crn_hpa_former;

typedef struct crn_hpa_past {
    crn_scratch *memory;
    crn_hpa_former *formers;
    cairn_edge *edges;
    size_t count, capacity, edge_count, edge_capacity;
    uint64_t some; /* a bit for each number of a node, modulo 64, that is among them */
} crn_hpa_past;

void crn_hpa_past_close(crn_hpa_past *past);

CRN_INLINE void crn_hpa_past_clear(crn_hpa_past *past)
{
    past->count = past->edge_count = 0;
    past->some = 0;
}

/* Notes a node of a level and the edges that it has now; false = no memory. */
bool crn_hpa_past_add(crn_hpa_past *past, const crn_hpa *index, uint32_t level, cairn_node node,
                      bool chosen);

bool crn_hpa_past_has(const crn_hpa_past *past, cairn_node node);

#endif
