/* indexed.h: a binary heap that knows the place of each state (the slides' "indexed array and
 * binary heap"), so that entries can be removed and changed: the open list of a search that updates
 * costs, and for searches that repair what they know (D* Lite and its relatives).
 *
 * The heap is an array of items, 1 to `used`; the children of place p are at 2p and 2p + 1. Each
 * state is on it at most once (members.h has the places). A push, a pop, a change and a removal
 * take O(log n) comparisons. The HOT queue uses the same heap without places. */
#ifndef CRN_INDEXED_H
#define CRN_INDEXED_H

#include "open/members.h"
#include "open/strict.h"

typedef struct crn_indexed {
    crn_strict strict;
    crn_members members;
    bool plain; /* without places: entries are not changed or removed */
} crn_indexed;

void crn_indexed_open(crn_indexed *heap, crn_scratch *scratch);
void crn_indexed_close(crn_indexed *heap);
/* `places` may be NULL. */
cairn_status crn_indexed_reset(crn_indexed *heap, const crn_open_places *places);
size_t crn_indexed_bytes(const crn_indexed *heap);

/* Puts a state on the heap, or changes its key. */
void crn_indexed_push(crn_indexed *heap, crn_open_entry entry);
bool crn_indexed_pop(crn_indexed *heap, uint32_t *state);
bool crn_indexed_remove(crn_indexed *heap, uint32_t state);
bool crn_indexed_least(const crn_indexed *heap, crn_open_entry *entry);

/* Puts an item of another list on a plain heap, with its order. */
void crn_indexed_put(crn_indexed *heap, const crn_strict_item *item);

#endif
