/* chain.c: queue and stack of blocks. See chain.h. */
#include "open/chain.h"

void crn_chain_open(crn_chain *chain, crn_scratch *scratch)
{
    *chain = (crn_chain){0};
    crn_blocks_open(&chain->blocks, scratch);
}

void crn_chain_close(crn_chain *chain)
{
    crn_blocks_close(&chain->blocks);
    crn_chain_open(chain, chain->blocks.scratch);
}

void crn_chain_reset(crn_chain *chain)
{
    chain->head = chain->tail = NULL;
    chain->head_at = chain->fill = 0;
    crn_blocks_reset(&chain->blocks);
}

size_t crn_chain_bytes(const crn_chain *chain)
{
    return crn_blocks_bytes(&chain->blocks);
}

void crn_chain_push_first(crn_chain *chain, uint32_t entry)
{
    if (!chain->head || chain->fill == CRN_BLOCK_ENTRIES) {
        crn_block *block = crn_blocks_take(&chain->blocks);
        if (!block) return;
        block->link = chain->head;
        chain->head = block;
        chain->fill = 0;
    }
    chain->head->entries[chain->fill++] = entry;
}

bool crn_chain_pop_first(crn_chain *chain, uint32_t *entry)
{
    if (!chain->head) return false;
    *entry = chain->head->entries[--chain->fill];
    if (chain->fill == 0) {
        crn_block *empty = chain->head;
        chain->head = empty->link;
        chain->fill = CRN_BLOCK_ENTRIES;
        crn_blocks_give(&chain->blocks, empty);
    }
    return true;
}

void crn_chain_push_last(crn_chain *chain, uint32_t entry)
{
    if (!chain->tail || chain->fill == CRN_BLOCK_ENTRIES) {
        crn_block *block = crn_blocks_take(&chain->blocks);
        if (!block) return;
        block->link = NULL;
        if (chain->tail) {
            chain->tail->link = block;
        } else {
            chain->head = block;
            chain->head_at = 0;
        }
        chain->tail = block;
        chain->fill = 0;
    }
    chain->tail->entries[chain->fill++] = entry;
}

bool crn_chain_pop_queue(crn_chain *chain, uint32_t *entry)
{
    if (!chain->head) return false;
    *entry = chain->head->entries[chain->head_at++];
    bool last = chain->head == chain->tail;
    if (chain->head_at == (last ? chain->fill : CRN_BLOCK_ENTRIES)) {
        crn_block *empty = chain->head;
        chain->head = last ? NULL : empty->link;
        if (last) chain->tail = NULL;
        chain->head_at = 0;
        crn_blocks_give(&chain->blocks, empty);
    }
    return true;
}
