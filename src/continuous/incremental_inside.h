/* incremental_inside.h: what the files of incremental.h share among themselves. */
#ifndef CRN_INCREMENTAL_INSIDE_H
#define CRN_INCREMENTAL_INSIDE_H

#include "continuous/incremental.h"

CRN_INLINE crn_scratch *incremental_memory(const crn_incremental *search)
{
    return &search->navigator->memory;
}

CRN_INLINE const cairn_space *incremental_space(const crn_incremental *search)
{
    return search->navigator->space;
}

/* A node and its record, which is NULL if there is no page of it. */
typedef struct incremental_spot {
    cairn_node node;
    uint32_t state;
    crn_keyed_record *record;
} incremental_spot;

CRN_INLINE incremental_spot incremental_peek(const crn_incremental *search, cairn_node node)
{
    uint32_t state = crn_tiles_state(&search->tiles, node);
    return (incremental_spot){node, state, crn_keyed_find(&search->queue, state)};
}

CRN_INLINE cairn_cost incremental_g(const incremental_spot *spot)
{
    return spot->record ? spot->record->g : CAIRN_NO_COST;
}

CRN_INLINE cairn_cost incremental_rhs(const incremental_spot *spot)
{
    return spot->record ? spot->record->rhs : CAIRN_NO_COST;
}

/* ---- incremental.c ---- */

/* The key of a node. */
uint64_t crn_incremental_key(crn_incremental *search, const incremental_spot *spot);

/* Puts a node where it belongs: on the queue if it is not consistent, or set aside if it has been
 * expanded in this round, and on neither if it is. */
void crn_incremental_update(crn_incremental *search, const incremental_spot *spot);

/* ---- incremental_rounds.c ---- */

/* Goes on preparing a round: what was set aside, and sorting. False: nothing is left of that. */
bool crn_incremental_sweep(crn_incremental *search, uint32_t *edges);
bool crn_incremental_sort(crn_incremental *search, uint32_t *edges);

#endif
