/* indexed.h: a binary heap with keys of two numbers that knows where each state stands, so that
 * entries can be taken out and changed: for searches that repair what they know (D* Lite and its
 * kin).
 *
 * Order: least key, then least second number; equal ones in an order that depends on nothing but
 * what was done to the heap. Each state is on it once at most. The place of a state is kept in a
 * hash table of the heap's own, by open addressing: as many slots as a power of two no less than
 * twice the entries. Entries and slots are moved when they must grow, so a push is bounded work
 * only once the heap is warm.
 */
#ifndef CRN_INDEXED_H
#define CRN_INDEXED_H

#include "open/open.h"

typedef struct crn_indexed_slot {
    uint32_t state;
    uint32_t place; /* in the heap; CRN_INDEXED_NONE = the slot is free */
} crn_indexed_slot;

typedef struct crn_indexed {
    crn_scratch *scratch;
    crn_open_entry *entries;
    size_t capacity;
    uint32_t count, peak;
    crn_indexed_slot *slots;
    uint32_t slot_bits;
} crn_indexed;

#define CRN_INDEXED_NONE UINT32_MAX

void crn_indexed_open(crn_indexed *heap, crn_scratch *scratch);
void crn_indexed_close(crn_indexed *heap);
void crn_indexed_reset(crn_indexed *heap);
size_t crn_indexed_bytes(const crn_indexed *heap);

/* Puts a state on the heap, or changes its key. */
void crn_indexed_push(crn_indexed *heap, crn_open_entry entry);
bool crn_indexed_pop(crn_indexed *heap, uint32_t *state);
bool crn_indexed_remove(crn_indexed *heap, uint32_t state);
bool crn_indexed_least(const crn_indexed *heap, crn_open_entry *entry);

/* Is it a heap, and does the table know the place of every state? */
bool crn_indexed_check(const crn_indexed *heap);

#endif
