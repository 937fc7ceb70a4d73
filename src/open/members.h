/* members.h: which states are on an open list, and where: the membership test of a list that
 * changes and removes entries.
 *
 * Either the record of a state has a word for it, a flag that also says where (thesis of B.
 * Anguelov, section 5.2.2; the "indexed array" of the slides): the search says where these words
 * are (crn_open_places). Or a hash table of the list's own has an entry for each state on the list.
 * Its buckets are chains, and their number grows with the entries, one bucket at a time (linear
 * hashing: Litwin, "Linear Hashing: A New Tool for File and Table Addressing", 1980), so that
 * adding a state is bounded work. */
#ifndef CRN_MEMBERS_H
#define CRN_MEMBERS_H

#include "open/open.h"

#define CRN_MEMBERS_CHUNK 256u /* entries, and heads of buckets, that are allocated at once */

typedef struct crn_member {
    uint32_t state;
    uint32_t place; /* where its entry is on the list: a number above 0 */
    uint32_t next;  /* in the same bucket, or among the free ones; 0 = none */
} crn_member;

typedef struct crn_members {
    crn_scratch *scratch;
    crn_open_places places; /* places.of is NULL: the table below */
    crn_member **chunks;
    size_t chunk_count, chunk_capacity;
    uint32_t **heads; /* of buckets, in chunks as well */
    size_t head_count, head_capacity;
    uint32_t used, spare; /* entries 1 to `used` were taken in this query */
    uint32_t count;
    uint32_t whole, split; /* a power of two of buckets; of them this many are split into two */
} crn_members;

void crn_members_open(crn_members *members, crn_scratch *scratch);
void crn_members_close(crn_members *members);
/* Forgets all states. `places` may be NULL. */
cairn_status crn_members_reset(crn_members *members, const crn_open_places *places);
size_t crn_members_bytes(const crn_members *members); /* peak of this query, of the table */

/* Returns the place of a state, 0 if it is not on the list. */
uint32_t crn_members_place(const crn_members *members, uint32_t state);
/* Notes the place of a state. False if it is new and there is no memory; the scratch remembers. */
bool crn_members_set(crn_members *members, uint32_t state, uint32_t place);
/* Forgets a state that is there. */
void crn_members_drop(crn_members *members, uint32_t state);

/* ---- the hash table ---- */

CRN_INLINE crn_member *crn_members_at(const crn_members *members, uint32_t number)
{
    return &members->chunks[number / CRN_MEMBERS_CHUNK][number % CRN_MEMBERS_CHUNK];
}

CRN_INLINE uint32_t *crn_members_head(const crn_members *members, uint32_t bucket)
{
    return &members->heads[bucket / CRN_MEMBERS_CHUNK][bucket % CRN_MEMBERS_CHUNK];
}

CRN_INLINE uint32_t crn_members_hash(uint32_t state)
{
    return (uint32_t)(state * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* Returns the state that was added as the i-th one, from 1 on, to a table of which none was
 * dropped. */
CRN_INLINE uint32_t crn_members_state(const crn_members *members, uint32_t i)
{
    return crn_members_at(members, i)->state;
}

/* The bucket of a state: by one more bit of the hash if that bucket was split. */
CRN_INLINE uint32_t *crn_members_bucket(const crn_members *members, uint32_t state)
{
    uint32_t hash = crn_members_hash(state), bucket = hash & (members->whole - 1);
    if (bucket < members->split) bucket = hash & (2 * members->whole - 1);
    return crn_members_head(members, bucket);
}

/* Returns the number of the entry of a state, from 1 on; 0 if there is none. */
CRN_INLINE uint32_t crn_members_find(const crn_members *members, uint32_t state)
{
    uint32_t number = *crn_members_bucket(members, state);
    while (number && crn_members_at(members, number)->state != state)
        number = crn_members_at(members, number)->next;
    return number;
}

#endif
