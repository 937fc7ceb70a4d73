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

/* A node, and what its record says, if it has one.
 *
 * The words of a record are g and rhs. On the queue, the less of them is the second number of its
 * key, and its second word is the other one. The bit says that it is g that is less. */
typedef struct incremental_spot {
    cairn_node node;
    crn_keyed_record record;
    cairn_cost g, rhs; /* CAIRN_NO_COST without a record */
} incremental_spot;

CRN_INLINE incremental_spot incremental_read(const crn_incremental *search, cairn_node node,
                                             crn_keyed_record record)
{
    cairn_cost a = *crn_keyed_a(record), b = *crn_keyed_b(record);
    if (!crn_keyed_is_queued(record)) return (incremental_spot){node, record, a, b};
    cairn_cost least = crn_keyed_entry_at(&search->queue, a >> 1)->second;
    return a & 1 ? (incremental_spot){node, record, least, b}
                 : (incremental_spot){node, record, b, least};
}

CRN_INLINE incremental_spot incremental_peek(const crn_incremental *search, cairn_node node)
{
    crn_keyed_record record = crn_keyed_find(&search->queue.records, node);
    if (!record.page)
        return (incremental_spot){.node = node, .g = CAIRN_NO_COST, .rhs = CAIRN_NO_COST};
    return incremental_read(search, node, record);
}

/* The node of a record. */
CRN_INLINE incremental_spot incremental_at(const crn_incremental *search, crn_keyed_record record)
{
    return incremental_read(search, crn_keyed_node(&search->queue.records, record), record);
}

/* ---- incremental.c ---- */

/* The key of a node. */
uint64_t crn_incremental_key(crn_incremental *search, const incremental_spot *spot);

/* Writes what is known of a node that has a record, and puts it where it belongs: on the queue if
 * it is not consistent, or set aside if it has been expanded in this round, and on neither if it
 * is. */
void crn_incremental_update(crn_incremental *search, const incremental_spot *spot);

/* Notes how much memory is in use. */
void crn_incremental_count_bytes(const crn_incremental *search);

/* ---- incremental_rounds.c ---- */

/* Goes on preparing a round: what was set aside, and sorting. False: nothing is left of that. */
bool crn_incremental_sweep(crn_incremental *search, uint32_t *edges);
bool crn_incremental_sort(crn_incremental *search, uint32_t *edges);

#endif
