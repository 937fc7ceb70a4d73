/* indexed.h: a binary heap with keys of two numbers that knows the place of each state, so that
 * entries can be removed and changed: for searches that repair what they know (D* Lite and its
 * relatives).
 *
 * Order: least key, then least second number. The order of equal ones depends only on the
 * operations on the heap. Each state is on it at most once. The place of a state is kept in a hash
 * table of the heap's own, with open addressing: the number of slots is a power of two, at least
 * twice the entries. Entries and slots move when they grow, so a push is bounded work only once the
 * heap has its size.
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

#endif
