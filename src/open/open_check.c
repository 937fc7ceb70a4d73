/* open_check.c: what must hold of the open lists at any time. See open_check.h. */
#include "open/open_check.h"

#if defined(CAIRN_CHECKS)

/* How many blocks a list has; `most` + 1 if there are more, as in a ring. */
static size_t open_check_blocks(const crn_block *block, size_t most)
{
    size_t count = 0;
    for (; block && count <= most; block = block->link) count++;
    return count;
}

/* ---- buckets ---- */

/* Of one bucket; adds the blocks that it has. */
static const char *open_check_bucket(const crn_buckets *buckets, uint32_t at, size_t *blocks)
{
    const crn_bucket *bucket = &buckets->buckets[at];
    bool marked = buckets->bitmap[at / 64] >> at % 64 & 1;
    if (!bucket->block) {
        if (bucket->fill != CRN_BLOCK_ENTRIES) return "an empty bucket has room";
        return marked && bucket != buckets->top ? "an empty bucket is marked" : NULL;
    }
    if (!marked) return "a bucket with entries is not marked";
    if (!bucket->fill || bucket->fill > CRN_BLOCK_ENTRIES) return "the top block is badly filled";
    *blocks += open_check_blocks(bucket->block, buckets->blocks.fresh);
    return *blocks > buckets->blocks.fresh ? "buckets have more blocks than there are" : NULL;
}

const char *crn_buckets_check(const crn_buckets *buckets)
{
    if (!buckets->buckets) return NULL;
    uint64_t count = buckets->mask + 1;
    if (count & buckets->mask || count > buckets->capacity || count > CRN_BUCKETS_MAX)
        return "the ring is no power of two, or too long";
    if (buckets->top != &buckets->buckets[buckets->current & buckets->mask])
        return "the current bucket is another one";
    size_t blocks = 0;
    for (uint32_t i = 0; i < count; i++) {
        const char *wrong = open_check_bucket(buckets, i, &blocks);
        if (wrong) return wrong;
    }
    blocks += open_check_blocks(buckets->blocks.spent, buckets->blocks.fresh);
    return blocks == buckets->blocks.fresh ? NULL : "blocks are lost, or used twice";
}

/* ---- heap ---- */

const char *crn_heap_check(const crn_heap *heap)
{
    enum { ROOT = 3 };
    if (heap->end < ROOT || heap->peak < heap->end ||
        (heap->end > ROOT && heap->end > heap->chunk_count * CRN_HEAP_CHUNK))
        return "the heap ends outside of its memory";
    for (uint32_t place = ROOT + 1; place < heap->end; place++) {
        uint32_t above = place / 4 + 2;
        const crn_heap_entry *at = &heap->chunks[place / CRN_HEAP_CHUNK][place % CRN_HEAP_CHUNK],
                             *parent =
                                 &heap->chunks[above / CRN_HEAP_CHUNK][above % CRN_HEAP_CHUNK];
        if (at->key < parent->key || (at->key == parent->key && at->rank < parent->rank))
            return "an entry of the heap comes before the one above it";
    }
    return NULL;
}

/* ---- queue and stack ---- */

const char *crn_chain_check(const crn_chain *chain)
{
    size_t fresh = chain->blocks.fresh, used = open_check_blocks(chain->head, fresh);
    if (chain->fill > CRN_BLOCK_ENTRIES || chain->head_at > CRN_BLOCK_ENTRIES)
        return "a block of the chain has more entries than fit";
    if (chain->tail && (!chain->head || chain->tail->link)) return "the queue has no proper end";
    if (used + open_check_blocks(chain->blocks.spent, fresh) != fresh)
        return "blocks are lost, or used twice";
    if (chain->tail) {
        const crn_block *last = chain->head;
        while (last->link) last = last->link;
        if (last != chain->tail) return "the queue does not lead to its end";
        if (chain->head == last && chain->head_at >= chain->fill) return "the queue is badly empty";
    } else if (chain->head && !chain->fill) {
        return "the stack is badly empty";
    }
    return NULL;
}

/* ---- few entries ---- */

/* Adds the entries of a list to *count; false if there are more than were ever taken. */
static bool open_check_entries(const crn_sparse_entry *at, uint32_t used, uint32_t *count)
{
    for (; at; at = at->next) {
        if (++*count > used) return false;
    }
    return true;
}

const char *crn_sparse_check(const crn_sparse *list)
{
    uint32_t count = 0, used = crn_sparse_used(list);
    if (list->slabs_used > list->slab_count) return "more entries than there is memory for";
    for (uint32_t i = 0; i < CRN_SPARSE_BUCKETS; i++) {
        if (!(list->bitmap[i / 64] >> i % 64 & 1)) continue;
        if (!list->heads[i]) return "an empty bucket is marked";
        if (!open_check_entries(list->heads[i], used, &count)) return "a bucket leads astray";
    }
    if (!open_check_entries(list->free, used, &count)) return "the free entries lead astray";
    return count == used ? NULL : "entries are lost";
}

#endif
