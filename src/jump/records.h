/* records.h (jump): a hash table of the few cells that a jumping search keeps.
 *
 * Jump points lie far apart, so pages of neighbouring cells (search/records.h) would be mostly
 * empty. Here a record takes 16 bytes and is found by multiplicative hashing. A stamp in its key
 * distinguishes records of this query from older ones, so that beginning a query clears nothing.
 * The stamp has 24 bits: after 2^24 - 1 queries the tables are given back once.
 *
 * A table that is half full grows into one twice as long, a few slots with each record that is
 * added, so that a unit of work stays bounded:
 * - A table that was never used is cleared piece by piece, while the shorter one is filled further.
 * - Then records move. Meanwhile a record that is not in the longer table may be in the shorter
 *   one. It moves when it is looked up, or when its slot is the next one.
 * Moving ends long before the longer table is half full. Every query begins with the shortest one,
 * so that its work and the memory that it reports do not depend on earlier queries; the longer ones
 * are kept for later queries.
 */
#ifndef CRN_JUMP_RECORDS_H
#define CRN_JUMP_RECORDS_H

#include "core/core.h"

/* The low byte of a key. */
enum {
    CRN_JUMP_ARRIVAL = 0x0f, /* direction of the move that led here; CRN_NO_ARRIVAL for the start */
    CRN_JUMP_CLOSED = 0x10,  /* expanded, and not improved since */
    CRN_JUMP_LOW = 0xff
};

typedef struct crn_jump_record {
    uint64_t key; /* place, 32 bits; stamp, 24; arrival and closed, 8 */
    cairn_cost g;
    uint32_t parent; /* place */
} crn_jump_record;

#define CRN_JUMP_TABLES 21u

typedef struct crn_jump_records {
    crn_scratch *scratch;
    crn_jump_record *tables[CRN_JUMP_TABLES]; /* by length; NULL = not needed yet */
    crn_jump_record *table;                   /* the one in use */
    uint32_t mask;                            /* its length less one */
    uint32_t shift;                           /* 32 less the binary logarithm of its length */
    uint32_t count;
    uint32_t limit;       /* with this many records the table is due to grow; 0 while it grows */
    uint64_t stamp;       /* where keys have it */
    crn_jump_record *old; /* records move out of this table, half as long; NULL = of none */
    uint32_t moved;       /* its slots that are done */
    uint32_t ready;       /* tables that were cleared: this many, from the shortest on ... */
    uint32_t cleared;     /* ... and this many slots of the next one */
} crn_jump_records;

void crn_jump_records_open(crn_jump_records *records, crn_scratch *scratch);
void crn_jump_records_close(crn_jump_records *records);

/* Forgets everything. The first call allocates the memory; false = there is none. */
bool crn_jump_records_reset(crn_jump_records *records);

CRN_INLINE uint32_t crn_jump_records_length(const crn_jump_records *records)
{
    return records->table ? records->mask + 1 : 0;
}

/* Bytes of the shortest table that is at most half full. The one in use may be shorter: how soon it
 * grows depends on earlier queries. */
size_t crn_jump_records_bytes(const crn_jump_records *records);

CRN_INLINE uint64_t crn_jump_key(const crn_jump_records *records, uint32_t place)
{
    return (uint64_t)place << 32 | records->stamp;
}

/* Does it belong to this query? */
CRN_INLINE bool crn_jump_records_own(const crn_jump_records *records, const crn_jump_record *record)
{
    return ((uint32_t)record->key ^ (uint32_t)records->stamp) <= CRN_JUMP_LOW;
}

CRN_INLINE uint32_t crn_jump_place(const crn_jump_record *record)
{
    return (uint32_t)(record->key >> 32);
}

/* Places on a lattice, as in regular maps, must not collide: hence the shift. */
CRN_INLINE uint32_t crn_jump_hash(uint32_t place)
{
    return (place ^ place >> 15) * UINT32_C(0x9e3779b1);
}

/* The slot of a place in a table, or the free one that it would get. */
CRN_INLINE crn_jump_record *crn_jump_records_slot(crn_jump_record *table, uint32_t mask,
                                                  uint32_t shift, uint64_t key, bool *known)
{
    for (uint32_t at = crn_jump_hash((uint32_t)(key >> 32)) >> shift;; at = (at + 1) & mask) {
        crn_jump_record *record = &table[at];
        uint64_t difference = record->key ^ key;
        if (difference <= CRN_JUMP_LOW) {
            *known = true;
            return record;
        }
        if ((uint32_t)difference > CRN_JUMP_LOW) { /* of an older query */
            *known = false;
            return record;
        }
    }
}

/* Moves a record out of the shorter table into a free slot of the longer one, if it is there. */
void crn_jump_records_fetch(const crn_jump_records *records, uint64_t key, crn_jump_record *slot,
                            bool *known);

/* The record of a place, or the free one that it would get. */
CRN_INLINE crn_jump_record *crn_jump_records_at(const crn_jump_records *records, uint64_t key,
                                                bool *known)
{
    crn_jump_record *record =
        crn_jump_records_slot(records->table, records->mask, records->shift, key, known);
    if (!*known && CRN_UNLIKELY(records->old != NULL))
        crn_jump_records_fetch(records, key, record, known);
    return record;
}

/* Is there something to do for `tend` before a record is added? */
CRN_INLINE bool crn_jump_records_due(const crn_jump_records *records)
{
    return records->count >= records->limit;
}

/* A bounded piece of growing, which keeps the table about half empty. Slots found before are no
 * longer valid. False = no memory; the scratch remembers. */
bool crn_jump_records_tend(crn_jump_records *records);

/* Moves what this many slots of the shorter table hold; true when all have moved. */
bool crn_jump_records_move(crn_jump_records *records, uint32_t slots);

#endif
