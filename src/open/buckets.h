/* buckets.h: the bucket open list. Keys fall into bins 2^shift units wide; within a bin the last in is
 * the first out. Order inside a bin is not sorted: the loop re-expands a node that is improved
 * later, and stops when the floor of the next bin is no less than the best goal's key, so that
 * answers are exact whatever the width.
 *
 * The bins form a ring, a window on the endless row of bins that begins at the current one. A
 * search with keys that do not fall adds them at most one (largest edge + change of the estimate)
 * above the bin it takes from, so a ring a little longer than that never has to move its window
 * down. Where keys fall (weighted A*), it does: to the new key, or as far as the highest bin in use
 * allows; then the key goes into a bin above its own and the list is marked `displaced`, and only
 * an empty list is a reason to stop. A key above the window goes into the highest bin, which is too
 * early and does no harm. A bitmap finds the next bin in use.
 */
#ifndef CRN_BINS_H
#define CRN_BINS_H

#include "open/blocks.h"

#define CRN_BINS_MAX 4096u
#define CRN_BINS_MIN 64u

typedef struct crn_bin {
    crn_block *block; /* the top one; NULL = the bin is empty */
    /* entries in it; CRN_BLOCK_ENTRIES in an empty bin, so that a push takes a block */
    uint32_t fill;
} crn_bin;

typedef struct crn_bins {
    crn_blocks blocks;
    crn_bin *bins;
    size_t capacity; /* bins allocated */
    uint64_t bitmap[CRN_BINS_MAX / 64];
    uint64_t current; /* number of the bin that is being emptied ... */
    crn_bin *top;     /* ... and that bin */
    uint64_t mask;    /* bins in the ring less one: they are a power of two */
    uint32_t shift;
    bool displaced; /* an entry lies in a bin above its key */
} crn_bins;

void crn_bins_open(crn_bins *bins, crn_scratch *scratch);
void crn_bins_close(crn_bins *bins);

/* Empties the list and gives it bins of 2^shift units or, if the ring would be too small for
 * all keys that are open at a time (`span` between them), wider ones. */
cairn_status crn_bins_reset(crn_bins *bins, uint32_t shift, uint64_t span);

/* Empties it and leaves the bins as they are. */
void crn_bins_clear(crn_bins *bins);
size_t crn_bins_bytes(const crn_bins *bins);

/* Moves to the next bin with something in it; false if there is none. */
bool crn_bins_advance(crn_bins *bins);

/* A push into a bin outside the window, and one into a bin whose top block is full or missing. */
void crn_bins_push_outside(crn_bins *bins, uint64_t number, uint32_t entry);
void crn_bins_push_block(crn_bins *bins, crn_bin *bin, uint32_t entry);

/* Moves the window so that it begins at this bin. */
CRN_INLINE void crn_bins_move(crn_bins *bins, uint64_t number)
{
    bins->current = number;
    bins->top = &bins->bins[number & bins->mask];
}

/* The list must be told where to begin before the first push. */
CRN_INLINE void crn_bins_begin_at(crn_bins *bins, uint64_t key)
{
    crn_bins_move(bins, key >> bins->shift);
}

CRN_INLINE uint64_t crn_bins_floor(const crn_bins *bins)
{
    return bins->current << bins->shift;
}

/* The bin of a key inside the window. */
CRN_INLINE crn_bin *crn_bins_find(const crn_bins *bins, uint64_t key)
{
    return &bins->bins[key >> bins->shift & bins->mask];
}

CRN_INLINE void crn_bins_push_near(crn_bins *bins, crn_bin *bin, uint32_t entry)
{
    /* The rare case comes last in its branch: the compiler then jumps to it, and this stays a
     * leaf without a stack frame. */
    if (CRN_UNLIKELY(bin->fill == CRN_BLOCK_ENTRIES)) {
        crn_bins_push_block(bins, bin, entry);
    } else {
        bin->block->entries[bin->fill++] = entry;
    }
}

CRN_INLINE void crn_bins_push(crn_bins *bins, uint64_t key, uint32_t entry)
{
    uint64_t number = key >> bins->shift;
    if (CRN_UNLIKELY(number - bins->current > bins->mask)) {
        crn_bins_push_outside(bins, number, entry);
    } else {
        crn_bins_push_near(bins, crn_bins_find(bins, key), entry);
    }
}

/* Takes the last entry of the current bin; false if that bin is empty. */
CRN_INLINE bool crn_bins_pop(crn_bins *bins, uint32_t *entry)
{
    crn_bin *bin = bins->top;
    crn_block *block = bin->block;
    if (!block) return false;
    *entry = block->entries[(size_t)bin->fill - 1];
    if (CRN_UNLIKELY(--bin->fill == 0)) {
        bin->block = block->link;
        bin->fill = CRN_BLOCK_ENTRIES;
        crn_blocks_give(&bins->blocks, block);
    }
    return true;
}

#endif
