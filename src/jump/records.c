/* records.c (jump): growing and clearing the hash table of jump points. See records.h. */
#include "jump/records.h"

#define RECORDS_FIRST_BITS 8u
#define RECORDS_LAST_BITS 31u
#define RECORDS_STAMPS (UINT32_C(1) << 24)

void crn_jump_records_open(crn_jump_records *records, crn_scratch *scratch)
{
    *records = (crn_jump_records){.scratch = scratch, .shift = 32 - RECORDS_FIRST_BITS};
}

static size_t records_size(uint32_t shift)
{
    return sizeof(crn_jump_record) << (32 - shift);
}

void crn_jump_records_close(crn_jump_records *records)
{
    if (records->table) crn_scratch_free(records->scratch, records->table, records_size(records->shift));
    crn_jump_records_open(records, records->scratch);
}

size_t crn_jump_records_bytes(const crn_jump_records *records)
{
    return records->table ? records_size(records->shift) : 0;
}

/* No record has stamp 0. */
static crn_jump_record *records_make(const crn_jump_records *records, uint32_t shift)
{
    crn_jump_record *table = crn_scratch_alloc(records->scratch, records_size(shift));
    if (table) memset(table, 0, records_size(shift));
    return table;
}

bool crn_jump_records_reset(crn_jump_records *records)
{
    records->count = 0;
    if (!records->table) records->table = records_make(records, records->shift);
    if (!records->table) return false;
    if (++records->stamp == RECORDS_STAMPS) {
        memset(records->table, 0, records_size(records->shift));
        records->stamp = 1;
    }
    return true;
}

CRN_NOINLINE bool crn_jump_records_grow(crn_jump_records *records)
{
    crn_jump_records larger = *records;
    larger.shift--;
    larger.table = 32 - larger.shift > RECORDS_LAST_BITS ? NULL : records_make(records, larger.shift);
    if (!larger.table) {
        records->scratch->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < crn_jump_records_length(records); i++) {
        const crn_jump_record *record = &records->table[i];
        if ((uint32_t)record->key >> 8 != records->stamp) continue;
        bool known;
        *crn_jump_records_at(&larger, record->key & ~(uint64_t)CRN_JUMP_LOW, &known) = *record;
    }
    crn_scratch_free(records->scratch, records->table, records_size(records->shift));
    *records = larger;
    return true;
}
