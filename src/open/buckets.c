/* buckets.c: the rarer operations of the bucket open list. See buckets.h. */
#include "open/buckets.h"

void crn_bins_open(crn_bins *bins, crn_scratch *scratch)
{
    *bins = (crn_bins){0};
    crn_blocks_open(&bins->blocks, scratch);
}

void crn_bins_close(crn_bins *bins)
{
    crn_scratch_free(bins->blocks.scratch, bins->bins, bins->capacity * sizeof *bins->bins);
    crn_blocks_close(&bins->blocks);
    crn_bins_open(bins, bins->blocks.scratch);
}

/* Bins that hold nothing have no block and no room; all others have their bit set. */
static void bins_empty(crn_bins *bins)
{
    for (uint64_t word = 0; word <= bins->mask / 64; word++) {
        for (uint64_t bits = bins->bitmap[word]; bits; bits &= bits - 1) {
            bins->bins[word * 64 + crn_lowest_bit(bits)] = (crn_bin){NULL, CRN_BLOCK_ENTRIES};
        }
        bins->bitmap[word] = 0;
    }
}

static cairn_status bins_reserve(crn_bins *bins, uint32_t count)
{
    if (count <= bins->capacity) return CAIRN_OK;
    crn_scratch_free(bins->blocks.scratch, bins->bins, bins->capacity * sizeof *bins->bins);
    bins->capacity = 0;
    bins->bins = crn_scratch_alloc(bins->blocks.scratch, count * sizeof *bins->bins);
    if (!bins->bins) return CAIRN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; i++) bins->bins[i] = (crn_bin){NULL, CRN_BLOCK_ENTRIES};
    bins->capacity = count;
    return CAIRN_OK;
}

cairn_status crn_bins_reset(crn_bins *bins, uint32_t shift, uint64_t span)
{
    while ((span >> shift) + 2 > CRN_BINS_MAX) shift++;
    uint32_t count = CRN_BINS_MIN;
    while (count < (span >> shift) + 2) count *= 2;
    if (bins->bins) bins_empty(bins);
    cairn_status status = bins_reserve(bins, count);
    if (status != CAIRN_OK) return status;
    bins->mask = count - 1;
    bins->shift = shift;
    crn_bins_move(bins, 0);
    bins->displaced = false;
    crn_blocks_reset(&bins->blocks);
    return CAIRN_OK;
}

void crn_bins_clear(crn_bins *bins)
{
    bins_empty(bins);
    bins->displaced = false;
    crn_blocks_reset(&bins->blocks);
}

size_t crn_bins_bytes(const crn_bins *bins)
{
    return (bins->bins ? (size_t)bins->mask + 1 : 0) * sizeof *bins->bins +
           crn_blocks_bytes(&bins->blocks);
}

static CRN_NOINLINE void bins_push_after_growing(crn_bins *bins, crn_bin *bin, uint32_t entry)
{
    if (crn_blocks_grow(&bins->blocks)) crn_bins_push_block(bins, bin, entry);
}

CRN_NOINLINE void crn_bins_push_block(crn_bins *bins, crn_bin *bin, uint32_t entry)
{
    crn_block *block = crn_blocks_ready(&bins->blocks);
    if (CRN_UNLIKELY(!block)) {
        bins_push_after_growing(bins, bin, entry);
        return;
    }
    uint32_t at = (uint32_t)(bin - bins->bins);
    bins->bitmap[at / 64] |= UINT64_C(1) << (at % 64);
    block->link = bin->block;
    block->entries[0] = entry;
    bin->block = block;
    bin->fill = 1;
}

/* The highest bin in use; the current one if there is none above it. */
static uint64_t bins_highest(const crn_bins *bins)
{
    uint32_t words = (uint32_t)((bins->mask + 1) / 64), at = (uint32_t)(bins->current & bins->mask);
    /* Down the ring from the bin below the current one, which is the highest of the window; the
     * word of the current bin comes first with its lower part and last with its upper part. */
    uint64_t word = bins->bitmap[at / 64] & ~(~UINT64_C(0) << (at % 64));
    for (uint32_t i = 0; i <= words; i++) {
        uint32_t w = (at / 64 - i) & (words - 1);
        if (i) word = bins->bitmap[w];
        if (word) return bins->current + ((w * 64 + crn_highest_bit(word) - at) & bins->mask);
    }
    return bins->current;
}

/* Moves the window for a bin outside it, if need be; returns the bin to use instead. */
static uint64_t bins_refit(crn_bins *bins, uint64_t number)
{
    if (number > bins->current) return bins->current + bins->mask;
    uint64_t highest = bins_highest(bins);
    if (highest - number > bins->mask) {
        number = highest - bins->mask;
        bins->displaced = true;
    }
    /* The bin that was current may be empty, but its bit is still set: see crn_bins_advance. */
    uint32_t at = (uint32_t)(bins->current & bins->mask);
    if (!bins->bins[at].block) bins->bitmap[at / 64] &= ~(UINT64_C(1) << (at % 64));
    crn_bins_move(bins, number);
    return number;
}

CRN_NOINLINE void crn_bins_push_outside(crn_bins *bins, uint64_t number, uint32_t entry)
{
    crn_bins_push(bins, bins_refit(bins, number) << bins->shift, entry);
}

bool crn_bins_advance(crn_bins *bins)
{
    uint32_t words = (uint32_t)((bins->mask + 1) / 64), at = (uint32_t)(bins->current & bins->mask);
    bins->bitmap[at / 64] &= ~(UINT64_C(1) << (at % 64));
    uint64_t above = bins->bitmap[at / 64] >> (at % 64);
    if (CRN_LIKELY(above)) {
        crn_bins_move(bins, bins->current + crn_lowest_bit(above));
        return true;
    }
    /* From the next word round the ring; the last one is the current word again, of which only the
     * lower part is left. */
    for (uint32_t i = 1; i <= words; i++) {
        uint32_t w = (at / 64 + i) & (words - 1);
        if (!bins->bitmap[w]) continue;
        uint32_t to = w * 64 + crn_lowest_bit(bins->bitmap[w]);
        crn_bins_move(bins, bins->current + ((to - at) & bins->mask));
        return true;
    }
    return false;
}
