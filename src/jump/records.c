/* records.c (jump): growing and clearing the hash table of jump points. See records.h. */
#include "jump/records.h"

#define RECORDS_FIRST_BITS 11u
#define RECORDS_STAMP UINT64_C(0x100)
#define RECORDS_STAMPS (UINT64_C(1) << 32)

/* Slots that are cleared and moved with each record that is added. A table of n slots is cleared
 * while n/64 records are added to one half as long, and holds all records after n/16 more. */
#define RECORDS_CLEARED 64u
#define RECORDS_MOVED 8u

void crn_jump_records_open(crn_jump_records *records, crn_scratch *scratch)
{
    *records = (crn_jump_records){.scratch = scratch};
}

static uint32_t records_length(uint32_t number)
{
    return UINT32_C(1) << (RECORDS_FIRST_BITS + number);
}

static size_t records_size(uint32_t number)
{
    return sizeof(crn_jump_record) * records_length(number);
}

static uint32_t records_shift(uint32_t number)
{
    return 32 - RECORDS_FIRST_BITS - number;
}

void crn_jump_records_close(crn_jump_records *records)
{
    for (uint32_t i = 0; i < CRN_JUMP_TABLES; i++) {
        if (records->tables[i])
            crn_scratch_free(records->scratch, records->tables[i], records_size(i));
    }
    crn_jump_records_open(records, records->scratch);
}

/* Clears a piece of a table that was never used, and makes it if need be; false = no memory. No
 * record has stamp 0. */
static bool records_prepare(crn_jump_records *records, uint32_t number, uint32_t slots)
{
    if (number >= CRN_JUMP_TABLES) {
        records->scratch->failed = true;
        return false;
    }
    if (!records->tables[number]) {
        records->tables[number] = crn_scratch_alloc(records->scratch, records_size(number));
        if (!records->tables[number]) return false;
        records->cleared = 0;
    }
    slots = crn_min_u32(slots, records_length(number) - records->cleared);
    memset(records->tables[number] + records->cleared, 0, sizeof(crn_jump_record) * slots);
    records->cleared += slots;
    if (records->cleared == records_length(number)) records->ready = number + 1;
    return true;
}

static void records_use(crn_jump_records *records, uint32_t number)
{
    records->table = records->tables[number];
    records->shift = records_shift(number);
    records->mask = records_length(number) - 1;
    records->limit = records_length(number) / 2;
}

size_t crn_jump_records_bytes(const crn_jump_records *records)
{
    uint32_t number = 0;
    if (!records->table) return 0;
    while (records->count > records_length(number) / 2) number++;
    return records_size(number);
}

bool crn_jump_records_reset(crn_jump_records *records)
{
    if (records->stamp == RECORDS_STAMPS - RECORDS_STAMP) crn_jump_records_close(records);
    if (!records->ready && !records_prepare(records, 0, records_length(0))) return false;
    records->count = 0;
    records->old = NULL;
    records->stamp += RECORDS_STAMP;
    records_use(records, 0);
    return true;
}

/* ---- growing ---- */

CRN_NOINLINE void crn_jump_records_fetch(const crn_jump_records *records, uint64_t key,
                                         crn_jump_record *slot, bool *known)
{
    const crn_jump_record *record =
        crn_jump_records_slot(records->old, records->mask / 2, records->shift + 1, key, known);
    if (*known) *slot = *record;
}

bool crn_jump_records_move(crn_jump_records *records, uint32_t slots)
{
    if (!records->old) return true;
    uint32_t length = crn_jump_records_length(records) / 2, first = records->moved,
             end = crn_min_u32(first + slots, length);
    for (uint32_t i = first; i < end; i++) {
        const crn_jump_record *record = &records->old[i];
        if (!crn_jump_records_own(records, record)) continue;
        bool known;
        crn_jump_record *slot =
            crn_jump_records_slot(records->table, records->mask, records->shift,
                                  record->key & ~(uint64_t)CRN_JUMP_LOW, &known);
        if (!known) *slot = *record;
    }
    records->moved = end;
    if (end < length) return false;
    records->old = NULL;
    records->limit = length;
    return true;
}

/* A longer table cannot hold records with this stamp, as this query has not used it yet. */
CRN_NOINLINE bool crn_jump_records_tend(crn_jump_records *records)
{
    if (records->old) {
        crn_jump_records_move(records, RECORDS_MOVED);
        return true;
    }
    uint32_t number = records_shift(0) - records->shift + 1;
    records->limit = 0;
    if (number >= records->ready) return records_prepare(records, number, RECORDS_CLEARED);
    records->old = records->table;
    records->moved = 0;
    records_use(records, number);
    records->limit = 0;
    return true;
}
