/* nodes.h: a growing list of nodes in the memory of a search. */
#ifndef CRN_NODES_H
#define CRN_NODES_H

#include "core/core.h"

typedef struct crn_nodes {
    cairn_node *items;
    size_t count, capacity;
    size_t most; /* that it has held */
} crn_nodes;

/* False = no memory. */
CRN_INLINE bool crn_nodes_push(crn_nodes *nodes, crn_scratch *memory, cairn_node node)
{
    void *items = nodes->items;
    if (!crn_scratch_grow(memory, &items, &nodes->capacity, nodes->count + 1, sizeof *nodes->items))
        return false;
    nodes->items = items;
    nodes->items[nodes->count++] = node;
    if (nodes->count > nodes->most) nodes->most = nodes->count;
    return true;
}

/* Room for this many more; false = no memory. */
CRN_INLINE bool crn_nodes_reserve(crn_nodes *nodes, crn_scratch *memory, size_t more)
{
    void *items = nodes->items;
    if (nodes->count + more <= nodes->capacity) return true;
    bool ok = crn_scratch_grow(memory, &items, &nodes->capacity, nodes->count + more,
                               sizeof *nodes->items);
    nodes->items = items;
    return ok;
}

CRN_INLINE void crn_nodes_clear(crn_nodes *nodes)
{
    nodes->count = nodes->most = 0;
}

CRN_INLINE void crn_nodes_close(crn_nodes *nodes, crn_scratch *memory)
{
    crn_scratch_free(memory, nodes->items, nodes->capacity * sizeof *nodes->items);
}

#endif
