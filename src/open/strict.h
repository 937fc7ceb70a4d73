/* strict.h: what the open lists that sort strictly share: entries, their order, and those that
 * wait.
 *
 * All of these lists have one order: least key, then least second number, then the entry pushed or
 * changed last. No two entries are equal, so every list gives the same entries in the same order,
 * and a search takes the same path with each of them.
 *
 * Items live in chunks that never move, and are known by number; 0 is none. A list either keeps
 * them dense, 1 to `used` (arrays, heaps), or links them by the two numbers in each (lists, trees)
 * and gives back those it has no use for.
 *
 * A push is bounded work. Where finding the place of an entry may take long, the entry waits, and
 * `work` (open.h) puts those that wait in their places, a number of steps at a time. */
#ifndef CRN_STRICT_H
#define CRN_STRICT_H

#include "open/open.h"

#define CRN_STRICT_CHUNK 256u

typedef struct crn_strict_item {
    uint64_t key, second;
    uint32_t state;
    uint32_t order; /* falls with every push */
    uint32_t left, right;
} crn_strict_item;

/* Items that are linked in both directions. */
typedef struct crn_strict_chain {
    uint32_t first, last;
} crn_strict_chain;

typedef struct crn_strict {
    crn_scratch *scratch;
    crn_strict_item **chunks;
    size_t chunk_count, chunk_capacity;
    uint32_t used, peak; /* items of this query, now and at most */
    uint32_t spare;      /* given back, linked to the right */
    uint32_t pushed;
    crn_strict_chain waiting;
    uint64_t compares; /* of this query */
} crn_strict;

void crn_strict_open(crn_strict *list, crn_scratch *scratch);
void crn_strict_close(crn_strict *list);
void crn_strict_reset(crn_strict *list);
size_t crn_strict_bytes(const crn_strict *list); /* peak of this query */

/* Adds an item after the last one. 0 if there is no memory; the scratch remembers that. */
uint32_t crn_strict_add(crn_strict *list);
/* The same, or one that was given back. */
uint32_t crn_strict_take(crn_strict *list);
void crn_strict_give(crn_strict *list, uint32_t number);

/* Puts an entry into an item: pushed last. */
void crn_strict_fill(crn_strict *list, uint32_t number, crn_open_entry entry);

/* Links an item into a chain, in front of another one; 0 = at the end. */
void crn_strict_link(const crn_strict *list, crn_strict_chain *chain, uint32_t number,
                     uint32_t before);
void crn_strict_unlink(const crn_strict *list, crn_strict_chain *chain, uint32_t number);

/* Takes an item for an entry, and makes it wait. 0 if there is no memory. */
uint32_t crn_strict_wait(crn_strict *list, crn_open_entry entry);
/* Takes the first of those that wait, with links to none. */
uint32_t crn_strict_waited(crn_strict *list);

/* For the table of a list that begins with a crn_strict: how many comparisons it made. */
uint64_t crn_strict_compares(const void *list);

CRN_INLINE crn_strict_item *crn_strict_at(const crn_strict *list, uint32_t number)
{
    return &list->chunks[number / CRN_STRICT_CHUNK][number % CRN_STRICT_CHUNK];
}

CRN_INLINE bool crn_strict_before(crn_strict *list, const crn_strict_item *a,
                                  const crn_strict_item *b)
{
    list->compares++;
    if (a->key != b->key) return a->key < b->key;
    return a->second != b->second ? a->second < b->second : a->order < b->order;
}

#endif
