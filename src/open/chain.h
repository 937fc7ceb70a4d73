/* chain.h: a list without keys, used as a queue (breadth-first: first in, first out) or as
 * a stack (depth-first: last in, first out). */
#ifndef CRN_CHAIN_H
#define CRN_CHAIN_H

#include "open/blocks.h"

typedef struct crn_chain {
    crn_blocks blocks;
    crn_block *head, *tail; /* queue: taken from head, added to tail; stack: only head */
    uint32_t head_at;       /* queue: first entry not yet taken */
    uint32_t fill;          /* entries in the block that is added to */
} crn_chain;

void crn_chain_open(crn_chain *chain, crn_scratch *scratch);
void crn_chain_close(crn_chain *chain);
void crn_chain_reset(crn_chain *chain);
size_t crn_chain_bytes(const crn_chain *chain);

void crn_chain_push_first(crn_chain *chain, uint32_t entry); /* stack */
bool crn_chain_pop_first(crn_chain *chain, uint32_t *entry); /* stack */
void crn_chain_push_last(crn_chain *chain, uint32_t entry);  /* queue */
bool crn_chain_pop_queue(crn_chain *chain, uint32_t *entry); /* queue */

#endif
