/* records.c: the pages of search records. See records.h. */
#include "search/records.h"

static size_t records_table_bytes(const crn_records *records)
{
    return (size_t)records->page_count * (sizeof *records->table + sizeof *records->touched);
}

cairn_status crn_records_open(crn_records *records, crn_scratch *scratch, uint32_t page_count,
                              bool parents, size_t extra)
{
    *records = (crn_records){
        .scratch = scratch, .page_count = page_count, .parents = parents, .extra = extra};
    records->page_bytes = sizeof(crn_page) + (parents ? CRN_PAGE * sizeof(uint32_t) : 0);
    if (extra) {
        records->extra_at = (records->page_bytes + 7) / 8 * 8;
        records->page_bytes = records->extra_at + CRN_PAGE * extra;
    }
    records->table = crn_scratch_alloc(scratch, records_table_bytes(records));
    records->spare = crn_scratch_alloc(scratch, records->page_bytes);
    if (!records->table || !records->spare) {
        crn_records_close(records);
        return CAIRN_OUT_OF_MEMORY;
    }
    memset(records->table, 0, records_table_bytes(records));
    memset(records->spare, 0, records->page_bytes);
    if (parents) memset(records->spare->g, 0xff, sizeof records->spare->g);
    records->touched = (uint32_t *)(void *)(records->table + page_count);
    return CAIRN_OK;
}

void crn_records_close(crn_records *records)
{
    crn_scratch *scratch = records->scratch;
    for (size_t i = 0; i < records->slab_count; i++) {
        crn_scratch_free(scratch, records->slabs[i], records->page_bytes * CRN_SLAB);
    }
    crn_scratch_free(scratch, records->slabs, records->slab_capacity * sizeof *records->slabs);
    crn_scratch_free(scratch, records->spare, records->page_bytes);
    crn_scratch_free(scratch, records->table, records_table_bytes(records));
    *records = (crn_records){.scratch = scratch};
}

void crn_records_reset(crn_records *records)
{
    for (uint32_t i = 0; i < records->touched_count; i++)
        records->table[records->touched[i]] = NULL;
    records->touched_count = 0;
}

size_t crn_records_bytes(const crn_records *records)
{
    return records_table_bytes(records) +
           records->page_bytes * ((size_t)records->touched_count + 1);
}

static bool records_add_slab(crn_records *records)
{
    void *slabs = records->slabs;
    if (!crn_scratch_grow(records->scratch, &slabs, &records->slab_capacity,
                          records->slab_count + 1, sizeof *records->slabs)) {
        return false;
    }
    records->slabs = slabs;
    uint8_t *slab = crn_scratch_alloc(records->scratch, records->page_bytes * CRN_SLAB);
    if (!slab) return false;
    records->slabs[records->slab_count++] = slab;
    return true;
}

CRN_NOINLINE crn_page *crn_records_touch(crn_records *records, uint32_t page)
{
    uint32_t n = records->touched_count;
    if (n / CRN_SLAB >= records->slab_count && !records_add_slab(records)) return records->spare;
    crn_page *fresh =
        (crn_page *)(void *)(records->slabs[n / CRN_SLAB] + records->page_bytes * (n % CRN_SLAB));
    memset(fresh->mark, 0, sizeof fresh->mark);
    if (records->parents) memset(fresh->g, 0xff, sizeof fresh->g);
    if (records->extra) memset(crn_record_extra(records, fresh, 0), 0, CRN_PAGE * records->extra);
    records->table[page] = fresh;
    records->touched[records->touched_count++] = page;
    return fresh;
}
