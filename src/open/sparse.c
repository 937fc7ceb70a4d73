/* sparse.c: the rarer operations of the open list for few entries. See sparse.h. */
#include "open/sparse.h"

#define SPARSE_WORDS (CRN_SPARSE_BUCKETS / 64)

void crn_sparse_open(crn_sparse *list, crn_scratch *scratch)
{
    memset(list, 0, sizeof *list);
    list->scratch = scratch;
}

void crn_sparse_close(crn_sparse *list)
{
    for (uint32_t i = 0; i < list->slab_count; i++)
        crn_scratch_free(list->scratch, list->slabs[i], sizeof **list->slabs * CRN_SPARSE_SLAB);
    crn_scratch_free(list->scratch, list->slabs, list->slab_capacity * sizeof *list->slabs);
    crn_sparse_open(list, list->scratch);
}

uint32_t crn_sparse_used(const crn_sparse *list)
{
    return list->slabs_used * CRN_SPARSE_SLAB - (uint32_t)(list->end - list->fresh);
}

size_t crn_sparse_bytes(const crn_sparse *list)
{
    return crn_sparse_used(list) * sizeof **list->slabs;
}

void crn_sparse_reset(crn_sparse *list, uint32_t shift, uint64_t key)
{
    memset(list->bitmap, 0, sizeof list->bitmap);
    list->slabs_used = 0;
    list->free = list->fresh = list->end = NULL;
    list->shift = shift;
    list->current = key >> shift;
}

static bool sparse_add_slab(crn_sparse *list)
{
    void *slabs = list->slabs;
    if (!crn_scratch_grow(list->scratch, &slabs, &list->slab_capacity, list->slab_count + 1,
                          sizeof *list->slabs)) {
        return false;
    }
    list->slabs = slabs;
    crn_sparse_entry *slab =
        crn_scratch_alloc(list->scratch, sizeof **list->slabs * CRN_SPARSE_SLAB);
    if (!slab) return false;
    list->slabs[list->slab_count++] = slab;
    return true;
}

CRN_NOINLINE bool crn_sparse_grow(crn_sparse *list)
{
    if (list->slabs_used == list->slab_count && !sparse_add_slab(list)) return false;
    list->fresh = list->slabs[list->slabs_used++];
    list->end = list->fresh + CRN_SPARSE_SLAB;
    return true;
}

bool crn_sparse_advance(crn_sparse *list)
{
    uint32_t at = (uint32_t)list->current % CRN_SPARSE_BUCKETS;
    /* Round the ring from the current bucket, which is empty; its word comes first with its upper
     * part and last with its lower part. */
    uint64_t word = list->bitmap[at / 64] & ~UINT64_C(0) << at % 64;
    for (uint32_t i = 0; i <= SPARSE_WORDS; i++) {
        uint32_t w = (at / 64 + i) % SPARSE_WORDS;
        if (i) word = list->bitmap[w];
        if (!word) continue;
        list->current += (w * 64 + crn_lowest_bit(word) - at) % CRN_SPARSE_BUCKETS;
        return true;
    }
    return false;
}
