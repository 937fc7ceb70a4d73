/* blocks.h: blocks of 32-bit entries that open lists are built from.
 *
 * A pool allocates blocks, sixty-four at a time, and never returns them to the allocator. Lists
 * take blocks from the pool and give them back; a query starts by taking all of them back at once.
 * No block is ever moved, so one push is bounded work. */
#ifndef CRN_BLOCKS_H
#define CRN_BLOCKS_H

#include "core/core.h"

#define CRN_BLOCK_ENTRIES 62u
#define CRN_BLOCK_SLAB 64u

typedef struct crn_block {
    struct crn_block *link; /* the next block of a list */
    uint32_t entries[CRN_BLOCK_ENTRIES];
} crn_block;

typedef struct crn_blocks {
    crn_scratch *scratch;
    crn_block **slabs;
    size_t slab_count, slab_capacity;
    size_t fresh;     /* blocks taken for the first time by this query */
    crn_block *spent; /* given back */
} crn_blocks;

void crn_blocks_open(crn_blocks *blocks, crn_scratch *scratch);
void crn_blocks_close(crn_blocks *blocks);
void crn_blocks_reset(crn_blocks *blocks);
size_t crn_blocks_bytes(const crn_blocks *blocks); /* peak of this query */

/* Allocates one more slab; false if there is no memory. */
bool crn_blocks_grow(crn_blocks *blocks);

/* Takes a block; NULL if the pool must grow first. */
CRN_INLINE crn_block *crn_blocks_ready(crn_blocks *blocks)
{
    crn_block *block = blocks->spent;
    if (block) {
        blocks->spent = block->link;
        return block;
    }
    size_t n = blocks->fresh;
    if (CRN_UNLIKELY(n / CRN_BLOCK_SLAB >= blocks->slab_count)) return NULL;
    blocks->fresh++;
    return &blocks->slabs[n / CRN_BLOCK_SLAB][n % CRN_BLOCK_SLAB];
}

/* Takes a block. NULL if there is no memory; the scratch remembers that. */
CRN_INLINE crn_block *crn_blocks_take(crn_blocks *blocks)
{
    crn_block *block = crn_blocks_ready(blocks);
    return block || !crn_blocks_grow(blocks) ? block : crn_blocks_ready(blocks);
}

CRN_INLINE void crn_blocks_give(crn_blocks *blocks, crn_block *block)
{
    block->link = blocks->spent;
    blocks->spent = block;
}

#endif
