/* records.c (jump): growing and clearing the hash table of jump points. See records.h. */
#include "jump/records.h"

#define RECORDS_FIRST_BITS 11u
#define RECORDS_STAMP UINT64_C(0x100)
#define RECORDS_STAMPS (UINT64_C(1) << 32)

void crn_jump_records_open(crn_jump_records *records, crn_scratch *scratch)
{
    *records = (crn_jump_records){.scratch = scratch};
}

static size_t records_size(uint32_t number)
{
    return sizeof(crn_jump_record) << (RECORDS_FIRST_BITS + number);
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

/* The table of this number, made if need be; NULL = no memory. No record has stamp 0. */
static crn_jump_record *records_table(crn_jump_records *records, uint32_t number)
{
    if (number >= CRN_JUMP_TABLES) {
        records->scratch->failed = true;
        return NULL;
    }
    size_t size = records_size(number);
    if (!records->tables[number]) {
        records->tables[number] = crn_scratch_alloc(records->scratch, size);
        if (records->tables[number]) memset(records->tables[number], 0, size);
    }
    return records->tables[number];
}

bool crn_jump_records_reset(crn_jump_records *records)
{
    records->count = 0;
    records->shift = records_shift(0);
    records->mask = (UINT32_C(1) << RECORDS_FIRST_BITS) - 1;
    records->table = records_table(records, 0);
    if (!records->table) return false;
    records->stamp += RECORDS_STAMP;
    if (records->stamp == RECORDS_STAMPS) {
        for (uint32_t i = 0; i < CRN_JUMP_TABLES; i++) {
            if (records->tables[i]) memset(records->tables[i], 0, records_size(i));
        }
        records->stamp = RECORDS_STAMP;
    }
    return true;
}

/* A longer table cannot hold records with this stamp, as this query has not used it yet. */
CRN_NOINLINE bool crn_jump_records_grow(crn_jump_records *records)
{
    crn_jump_records larger = *records;
    larger.shift--;
    larger.mask += larger.mask + 1;
    larger.table = records_table(records, records_shift(0) - larger.shift);
    if (!larger.table) return false;
    for (uint32_t i = 0; i < crn_jump_records_length(records); i++) {
        const crn_jump_record *record = &records->table[i];
        if (!crn_jump_records_own(records, record)) continue;
        bool known;
        *crn_jump_records_at(&larger, record->key & ~(uint64_t)CRN_JUMP_LOW, &known) = *record;
    }
    records->table = larger.table;
    records->mask = larger.mask;
    records->shift = larger.shift;
    return true;
}
