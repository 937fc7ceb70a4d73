/* turns.h: whose turn is next: a binary heap of numbered items, each with a key.
 *
 * The least key comes first, and of equal keys the least `tie`. The place of every item in the heap
 * is kept in an array of the owner, so that an item can be removed or become more urgent.
 */
#ifndef CRN_TURNS_H
#define CRN_TURNS_H

#include "core/core.h"

#define CRN_NO_TURN UINT32_MAX /* the place of an item that is not in the heap */

typedef struct crn_turn {
    uint64_t key, tie;
    uint32_t item;
} crn_turn;

typedef struct crn_turns {
    crn_turn *entries;
    size_t count, capacity;
} crn_turns;

/* Makes room for `need` items; false = no memory. */
bool crn_turns_reserve(crn_turns *turns, crn_scratch *memory, size_t need);
void crn_turns_free(crn_turns *turns, crn_scratch *memory);

/* There must be room. `places` has an element for every item. */
void crn_turns_add(crn_turns *turns, uint32_t *places, crn_turn turn);

/* Nothing happens if the item is not there. */
void crn_turns_remove(crn_turns *turns, uint32_t *places, uint32_t item);

#endif
