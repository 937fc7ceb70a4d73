/* buckets.h: the bucket queue, an open list.
 *
 * Keys fall into buckets 2^shift units wide; within a bucket the last in is the first out. A bucket
 * is not sorted: the loop re-expands a node that is improved later, and stops when the floor of the
 * next bucket is no less than the best goal's key. So answers are exact whatever the width.
 *
 * The buckets form a ring: a window that begins at the current one, on an endless row of buckets.
 * If keys do not fall, a search adds them at most one (largest edge + change of the estimate) above
 * the bucket it takes from, so a slightly longer ring never has to move its window down. Where keys
 * fall (weighted A*), it does: to the new key, or as far as the highest bucket in use allows. In
 * the latter case the key goes into a bucket above its own, the list is marked `displaced`, and
 * only an empty list is a reason to stop. A key above the window goes into the highest bucket,
 * which is too early and does no harm. A bitmap finds the next bucket in use.
 */
#ifndef CRN_BUCKETS_H
#define CRN_BUCKETS_H

#include "open/blocks.h"

#define CRN_BUCKETS_MAX 4096u
#define CRN_BUCKETS_MIN 64u

typedef struct crn_bucket {
    crn_block *block; /* the top one; NULL = the bucket is empty */
    /* entries in it; CRN_BLOCK_ENTRIES in an empty bucket, so that a push takes a block */
    uint32_t fill;
} crn_bucket;

typedef struct crn_buckets {
    crn_blocks blocks;
    crn_bucket *buckets;
    size_t capacity; /* buckets allocated */
    uint64_t bitmap[CRN_BUCKETS_MAX / 64];
    uint64_t current; /* number of the bucket that is being emptied ... */
    crn_bucket *top;  /* ... and that bucket */
    uint64_t mask;    /* buckets in the ring less one: they are a power of two */
    uint32_t shift;
    bool displaced; /* an entry lies in a bucket above its key */
#if defined(CAIRN_CHECKS)
    uint64_t looks; /* words of the bitmap that were looked at since it was emptied */
#endif
} crn_buckets;

void crn_buckets_open(crn_buckets *buckets, crn_scratch *scratch);
void crn_buckets_close(crn_buckets *buckets);

/* Empties the list and gives it buckets of 2^shift units. They are wider if the ring would be too
 * small for all keys that are open at a time (`span` between them). */
cairn_status crn_buckets_reset(crn_buckets *buckets, uint32_t shift, uint64_t span);

/* Empties it and leaves the buckets as they are. */
void crn_buckets_clear(crn_buckets *buckets);
size_t crn_buckets_bytes(const crn_buckets *buckets);

/* Moves to the next bucket that is not empty; false if there is none. */
bool crn_buckets_advance(crn_buckets *buckets);

/* A push into a bucket outside the window, and one into a bucket whose top block is full or
 * missing. */
void crn_buckets_push_outside(crn_buckets *buckets, uint64_t number, uint32_t entry);
void crn_buckets_push_block(crn_buckets *buckets, crn_bucket *bucket, uint32_t entry);

/* Moves the window so that it begins at this bucket. */
CRN_INLINE void crn_buckets_move(crn_buckets *buckets, uint64_t number)
{
    buckets->current = number;
    buckets->top = &buckets->buckets[number & buckets->mask];
}

/* Sets where the list begins; required before the first push. */
CRN_INLINE void crn_buckets_begin_at(crn_buckets *buckets, uint64_t key)
{
    crn_buckets_move(buckets, key >> buckets->shift);
}

CRN_INLINE uint64_t crn_buckets_floor(const crn_buckets *buckets)
{
    return buckets->current << buckets->shift;
}

/* The bucket of a key inside the window. */
CRN_INLINE crn_bucket *crn_buckets_find(const crn_buckets *buckets, uint64_t key)
{
    return &buckets->buckets[key >> buckets->shift & buckets->mask];
}

CRN_INLINE void crn_buckets_push_near(crn_buckets *buckets, crn_bucket *bucket, uint32_t entry)
{
    /* The rare case comes last in its branch: the compiler then jumps to it, and this stays a
     * leaf without a stack frame. */
    if (CRN_UNLIKELY(bucket->fill == CRN_BLOCK_ENTRIES)) {
        crn_buckets_push_block(buckets, bucket, entry);
    } else {
        bucket->block->entries[bucket->fill++] = entry;
    }
}

CRN_INLINE void crn_buckets_push(crn_buckets *buckets, uint64_t key, uint32_t entry)
{
    uint64_t number = key >> buckets->shift;
    if (CRN_UNLIKELY(number - buckets->current > buckets->mask)) {
        crn_buckets_push_outside(buckets, number, entry);
    } else {
        crn_buckets_push_near(buckets, crn_buckets_find(buckets, key), entry);
    }
}

/* Takes the last entry of the current bucket; false if that bucket is empty. */
CRN_INLINE bool crn_buckets_pop(crn_buckets *buckets, uint32_t *entry)
{
    crn_bucket *bucket = buckets->top;
    crn_block *block = bucket->block;
    if (!block) return false;
    *entry = block->entries[(size_t)bucket->fill - 1];
    if (CRN_UNLIKELY(--bucket->fill == 0)) {
        bucket->block = block->link;
        bucket->fill = CRN_BLOCK_ENTRIES;
        crn_blocks_give(&buckets->blocks, block);
    }
    return true;
}

#endif
