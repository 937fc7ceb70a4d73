/* sparse.h: an open list for few entries whose keys lie far apart, as jumping searches have them.
 *
 * Like buckets.h it sorts keys into buckets 2^shift units wide, last in, first out within a bucket,
 * and leaves it to the search to expand again what was improved later. But a bucket is only the
 * head of a chain through entries that all share: buckets with one entry each need no blocks of
 * memory, and the time to start a query does not grow with the number of buckets. Entries come in
 * slabs that never move, so that one push is bounded work.
 *
 * An entry keeps the cost it was pushed with. If that is no longer its node's cost, the entry is
 * out of date. Keys must not fall below the bucket that is being emptied. A key beyond the ring
 * goes into its last bucket, which is too early and does no harm.
 */
#ifndef CRN_SPARSE_H
#define CRN_SPARSE_H

#include "core/core.h"

#define CRN_SPARSE_BUCKETS 2048u
#define CRN_SPARSE_SLAB 512u /* entries fetched from the allocator at once */

typedef struct crn_sparse_entry {
    uint32_t value, g;
    struct crn_sparse_entry *next; /* in the bucket, or of those that are free; NULL = the last */
} crn_sparse_entry;

typedef struct crn_sparse {
    crn_scratch *scratch;
    crn_sparse_entry *free;        /* the first of those given back */
    crn_sparse_entry *fresh, *end; /* the slab in use, from the first that was never taken on */
    crn_sparse_entry **slabs;
    size_t slab_capacity;
    uint32_t slab_count, slabs_used; /* there are; taken from by this query */
    uint32_t shift;
    uint64_t current; /* number of the bucket that is being emptied */
    uint64_t bitmap[CRN_SPARSE_BUCKETS / 64];
    crn_sparse_entry *heads[CRN_SPARSE_BUCKETS]; /* of buckets whose bit is set */
} crn_sparse;

void crn_sparse_open(crn_sparse *list, crn_scratch *scratch);
void crn_sparse_close(crn_sparse *list);

/* Entries that were ever taken in this query, and their bytes. */
uint32_t crn_sparse_used(const crn_sparse *list);
size_t crn_sparse_bytes(const crn_sparse *list);

/* Empties the list; the first key to come is no less than this. */
void crn_sparse_reset(crn_sparse *list, uint32_t shift, uint64_t key);

/* Moves to the next bucket that is not empty; false if there is none. */
bool crn_sparse_advance(crn_sparse *list);

/* Goes on with the next slab; false = no memory, which the scratch remembers. */
bool crn_sparse_grow(crn_sparse *list);

CRN_INLINE uint64_t crn_sparse_floor(const crn_sparse *list)
{
    return list->current << list->shift;
}

CRN_INLINE void crn_sparse_push(crn_sparse *list, uint64_t key, uint32_t value, uint32_t g)
{
    uint64_t ahead = (key >> list->shift) - list->current;
    if (CRN_UNLIKELY(ahead >= CRN_SPARSE_BUCKETS)) ahead = CRN_SPARSE_BUCKETS - 1;
    crn_sparse_entry *entry = list->free;
    if (entry) {
        list->free = entry->next;
    } else {
        if (CRN_UNLIKELY(list->fresh == list->end) && !crn_sparse_grow(list)) return;
        entry = list->fresh++;
    }
    uint32_t bucket = (uint32_t)(list->current + ahead) % CRN_SPARSE_BUCKETS;
    uint64_t bit = UINT64_C(1) << bucket % 64;
    uint64_t *word = &list->bitmap[bucket / 64];
    *entry = (crn_sparse_entry){value, g, *word & bit ? list->heads[bucket] : NULL};
    list->heads[bucket] = entry;
    *word |= bit;
}

/* Takes the last entry of the current bucket; false if that bucket is empty. */
CRN_INLINE bool crn_sparse_pop(crn_sparse *list, uint32_t *value, uint32_t *g)
{
    uint32_t bucket = (uint32_t)list->current % CRN_SPARSE_BUCKETS;
    uint64_t bit = UINT64_C(1) << bucket % 64;
    if (!(list->bitmap[bucket / 64] & bit)) return false;
    crn_sparse_entry *entry = list->heads[bucket];
    *value = entry->value;
    *g = entry->g;
    list->heads[bucket] = entry->next;
    if (!entry->next) list->bitmap[bucket / 64] ^= bit;
    entry->next = list->free;
    list->free = entry;
    return true;
}

#endif
