/* buckets.c: the rarer operations of the bucket open list. See buckets.h. */
#include "open/buckets.h"

void crn_buckets_open(crn_buckets *buckets, crn_scratch *scratch)
{
    *buckets = (crn_buckets){0};
    crn_blocks_open(&buckets->blocks, scratch);
}

void crn_buckets_close(crn_buckets *buckets)
{
    crn_scratch_free(buckets->blocks.scratch, buckets->buckets,
                     buckets->capacity * sizeof *buckets->buckets);
    crn_blocks_close(&buckets->blocks);
    crn_buckets_open(buckets, buckets->blocks.scratch);
}

/* Reads a word of the bitmap. With checks the looks are counted, for tests of how many it takes. */
static inline uint64_t buckets_look(crn_buckets *buckets, uint64_t word)
{
#if defined(CAIRN_CHECKS)
    buckets->looks++;
#endif
    return buckets->bitmap[word];
}

/* Buckets that hold nothing have no block and no room; all others have their bit set. */
static void buckets_empty(crn_buckets *buckets)
{
    for (uint64_t word = 0; word <= buckets->mask / 64; word++) {
        for (uint64_t bits = buckets->bitmap[word]; bits; bits &= bits - 1) {
            buckets->buckets[word * 64 + crn_lowest_bit(bits)] =
                (crn_bucket){NULL, CRN_BLOCK_ENTRIES};
        }
        buckets->bitmap[word] = 0;
    }
}

static cairn_status buckets_reserve(crn_buckets *buckets, uint32_t count)
{
    if (count <= buckets->capacity) return CAIRN_OK;
    crn_scratch_free(buckets->blocks.scratch, buckets->buckets,
                     buckets->capacity * sizeof *buckets->buckets);
    buckets->capacity = 0;
    buckets->buckets = crn_scratch_alloc(buckets->blocks.scratch, count * sizeof *buckets->buckets);
    if (!buckets->buckets) return CAIRN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        buckets->buckets[i] = (crn_bucket){NULL, CRN_BLOCK_ENTRIES};
    buckets->capacity = count;
    return CAIRN_OK;
}

cairn_status crn_buckets_reset(crn_buckets *buckets, uint32_t shift, uint64_t span)
{
    while ((span >> shift) + 2 > CRN_BUCKETS_MAX) shift++;
    uint32_t count = CRN_BUCKETS_MIN;
    while (count < (span >> shift) + 2) count *= 2;
    if (buckets->buckets) buckets_empty(buckets);
    cairn_status status = buckets_reserve(buckets, count);
    if (status != CAIRN_OK) return status;
    buckets->mask = count - 1;
    buckets->shift = shift;
    crn_buckets_move(buckets, 0);
    buckets->displaced = false;
    crn_blocks_reset(&buckets->blocks);
#if defined(CAIRN_CHECKS)
    buckets->looks = 0;
#endif
    return CAIRN_OK;
}

void crn_buckets_clear(crn_buckets *buckets)
{
    buckets_empty(buckets);
    buckets->displaced = false;
    crn_blocks_reset(&buckets->blocks);
}

size_t crn_buckets_bytes(const crn_buckets *buckets)
{
    return (buckets->buckets ? (size_t)buckets->mask + 1 : 0) * sizeof *buckets->buckets +
           crn_blocks_bytes(&buckets->blocks);
}

static CRN_NOINLINE void buckets_push_after_growing(crn_buckets *buckets, crn_bucket *bucket,
                                                    uint32_t entry)
{
    if (crn_blocks_grow(&buckets->blocks)) crn_buckets_push_block(buckets, bucket, entry);
}

CRN_NOINLINE void crn_buckets_push_block(crn_buckets *buckets, crn_bucket *bucket, uint32_t entry)
{
    crn_block *block = crn_blocks_ready(&buckets->blocks);
    if (CRN_UNLIKELY(!block)) {
        buckets_push_after_growing(buckets, bucket, entry);
        return;
    }
    uint32_t at = (uint32_t)(bucket - buckets->buckets);
    buckets->bitmap[at / 64] |= UINT64_C(1) << (at % 64);
    block->link = bucket->block;
    block->entries[0] = entry;
    bucket->block = block;
    bucket->fill = 1;
}

/* The highest bucket in use; the current one if there is none above it. */
static uint64_t buckets_highest(crn_buckets *buckets)
{
    uint32_t words = (uint32_t)((buckets->mask + 1) / 64),
             at = (uint32_t)(buckets->current & buckets->mask);
    /* Down the ring from the bucket below the current one, which is the highest of the window; the
     * word of the current bucket comes first with its lower part and last with its upper part. */
    uint64_t word = buckets_look(buckets, at / 64) & ~(~UINT64_C(0) << (at % 64));
    for (uint32_t i = 0; i <= words; i++) {
        uint32_t w = (at / 64 - i) & (words - 1);
        if (i) word = buckets_look(buckets, w);
        if (word) return buckets->current + ((w * 64 + crn_highest_bit(word) - at) & buckets->mask);
    }
    return buckets->current;
}

/* Is an entry in one of the last buckets of the window? They are those below the current one in the
 * ring. */
static bool buckets_hold_last(crn_buckets *buckets, uint64_t count)
{
    for (uint64_t end = buckets->current & buckets->mask; count;) {
        uint64_t last = (end - 1) & buckets->mask, below = last % 64 + 1,
                 taken = count < below ? count : below;
        if (buckets_look(buckets, last / 64) << (64 - below) >> (64 - taken)) return true;
        end = last + 1 - taken;
        count -= taken;
    }
    return false;
}

/* Moves the window for a bucket outside it, if need be; returns the bucket to use instead. Where
 * keys fall they mostly fall by little: then few buckets would leave the window, and only these are
 * looked at. */
static uint64_t buckets_refit(crn_buckets *buckets, uint64_t number)
{
    if (number > buckets->current) return buckets->current + buckets->mask;
    uint64_t fall = buckets->current - number;
    if (fall > buckets->mask || buckets_hold_last(buckets, fall)) {
        uint64_t highest = buckets_highest(buckets);
        if (highest - number > buckets->mask) {
            number = highest - buckets->mask;
            buckets->displaced = true;
        }
    }
    /* The bucket that was current may be empty, but its bit is still set: see
     * crn_buckets_advance. */
    uint32_t at = (uint32_t)(buckets->current & buckets->mask);
    if (!buckets->buckets[at].block) buckets->bitmap[at / 64] &= ~(UINT64_C(1) << (at % 64));
    crn_buckets_move(buckets, number);
    return number;
}

CRN_NOINLINE void crn_buckets_push_outside(crn_buckets *buckets, uint64_t number, uint32_t entry)
{
    crn_buckets_push(buckets, buckets_refit(buckets, number) << buckets->shift, entry);
}

bool crn_buckets_advance(crn_buckets *buckets)
{
    uint32_t words = (uint32_t)((buckets->mask + 1) / 64),
             at = (uint32_t)(buckets->current & buckets->mask);
    buckets->bitmap[at / 64] &= ~(UINT64_C(1) << (at % 64));
    uint64_t above = buckets_look(buckets, at / 64) >> (at % 64);
    if (CRN_LIKELY(above)) {
        crn_buckets_move(buckets, buckets->current + crn_lowest_bit(above));
        return true;
    }
    /* From the next word round the ring; the last one is the current word again, of which only the
     * lower part is left. */
    for (uint32_t i = 1; i <= words; i++) {
        uint32_t w = (at / 64 + i) & (words - 1);
        uint64_t word = buckets_look(buckets, w);
        if (!word) continue;
        uint32_t to = w * 64 + crn_lowest_bit(word);
        crn_buckets_move(buckets, buckets->current + ((to - at) & buckets->mask));
        return true;
    }
    return false;
}
