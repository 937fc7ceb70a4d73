/* blocks.c: the pool of blocks. See blocks.h. */
#include "open/blocks.h"

void crn_blocks_open(crn_blocks *blocks, crn_scratch *scratch)
{
    *blocks = (crn_blocks){.scratch = scratch};
}

void crn_blocks_close(crn_blocks *blocks)
{
    for (size_t i = 0; i < blocks->slab_count; i++) {
        crn_scratch_free(blocks->scratch, blocks->slabs[i], sizeof(crn_block) * CRN_BLOCK_SLAB);
    }
    crn_scratch_free(blocks->scratch, blocks->slabs, blocks->slab_capacity * sizeof *blocks->slabs);
    crn_blocks_open(blocks, blocks->scratch);
}

void crn_blocks_reset(crn_blocks *blocks)
{
    blocks->fresh = 0;
    blocks->spent = NULL;
}

size_t crn_blocks_bytes(const crn_blocks *blocks)
{
    return blocks->fresh * sizeof(crn_block);
}

CRN_NOINLINE bool crn_blocks_grow(crn_blocks *blocks)
{
    void *slabs = blocks->slabs;
    if (!crn_scratch_grow(blocks->scratch, &slabs, &blocks->slab_capacity, blocks->slab_count + 1,
                          sizeof *blocks->slabs)) {
        return false;
    }
    blocks->slabs = slabs;
    crn_block *slab = crn_scratch_alloc(blocks->scratch, sizeof(crn_block) * CRN_BLOCK_SLAB);
    if (!slab) return false;
    blocks->slabs[blocks->slab_count++] = slab;
    return true;
}
