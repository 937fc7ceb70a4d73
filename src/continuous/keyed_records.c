/* keyed_records.c: records by node, in pages that are never half empty. See keyed_records.h. */
#include "continuous/keyed_records.h"
#include "world/view.h"
#include <stddef.h>

#define RECORDS_SLOTS 8u   /* of the hash table of regions, at first */
#define RECORDS_FIRST 2u   /* elements of an array, at first */
#define RECORDS_PASSED 64u /* pages without a mark, passed at once */

/* ---- life ---- */

/* Grids that are wide and high are divided in both directions. All else is as a grid that is as
 * wide as a region: so regions are numbers one after the other. */
static void records_divide(crn_keyed_records *records, const cairn_space *space)
{
    const cairn_grid *grid = cairn_space_grid(crn_view_ground(space));
    bool large = grid && grid->width > 1u << CRN_KEYED_COLUMN && grid->height > 1u << CRN_KEYED_ROW;
    records->width = large ? grid->width : 1u << CRN_KEYED_COLUMN;
    records->across = ((records->width - 1) >> CRN_KEYED_COLUMN) + 1;
}

static crn_keyed_region **records_slots(crn_scratch *scratch, uint32_t count)
{
    crn_keyed_region **slots = crn_scratch_alloc(scratch, count * sizeof *slots);
    for (uint32_t i = 0; slots && i < count; i++) slots[i] = NULL;
    return slots;
}

cairn_status crn_keyed_records_open(crn_keyed_records *records, crn_scratch *scratch,
                                    const cairn_space *space, bool noted)
{
    *records = (crn_keyed_records){.scratch = scratch, .round = 1, .slot_mask = RECORDS_SLOTS - 1};
    records->page_size = offsetof(crn_keyed_page, notes);
    records->page_size += noted ? CRN_KEYED_PAGE : 3 * sizeof(uint64_t);
    records_divide(records, space);
    records->slots = records_slots(scratch, RECORDS_SLOTS);
    return records->slots ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

void crn_keyed_records_close(crn_keyed_records *records)
{
    crn_scratch *scratch = records->scratch;
    for (uint32_t i = 0; i < records->region_count; i++) {
        crn_keyed_region *region = records->regions[i];
        crn_scratch_free(scratch, region->pages, region->page_capacity * sizeof *region->pages);
        crn_scratch_free(scratch, region, sizeof *region);
    }
    for (uint32_t i = 0; i < records->page_count; i++)
        crn_scratch_free(scratch, records->pages[i], records->page_size);
    crn_scratch_free(scratch, records->pages, records->page_capacity * sizeof *records->pages);
    crn_scratch_free(scratch, records->regions,
                     records->region_capacity * sizeof *records->regions);
    crn_scratch_free(scratch, records->slots,
                     ((size_t)records->slot_mask + 1) * sizeof *records->slots);
    *records = (crn_keyed_records){.scratch = scratch};
}

void crn_keyed_records_reset(crn_keyed_records *records)
{
    for (uint32_t i = 0; i <= records->slot_mask; i++) records->slots[i] = NULL;
    records->regions_used = records->pages_used = records->count = 0;
    records->dirty = records->incons = 0;
}

size_t crn_keyed_records_bytes(const crn_keyed_records *records)
{
    return ((size_t)records->slot_mask + 1) * sizeof *records->slots +
           records->regions_used * (sizeof **records->regions + sizeof *records->regions) +
           records->pages_used * (records->page_size + 2 * sizeof *records->pages);
}

/* ---- regions ---- */

static void records_enter(const crn_keyed_records *records, crn_keyed_region *region)
{
    uint32_t at = region->number;
    while (records->slots[at & records->slot_mask]) at++;
    records->slots[at & records->slot_mask] = region;
}

/* Twice as many slots: half of them are free again. */
static bool records_widen(crn_keyed_records *records)
{
    uint32_t before = records->slot_mask + 1;
    crn_keyed_region **slots = records_slots(records->scratch, 2 * before);
    if (!slots) return false;
    crn_scratch_free(records->scratch, records->slots, before * sizeof *slots);
    records->slots = slots;
    records->slot_mask = 2 * before - 1;
    for (uint32_t i = 0; i < records->regions_used; i++)
        records_enter(records, records->regions[i]);
    return true;
}

/* Room for `need` elements of an array that begins small. False = no memory. */
static bool records_room(crn_scratch *scratch, void **array, size_t *capacity, size_t need,
                         size_t element)
{
    if (!*capacity) {
        *array = crn_scratch_alloc(scratch, RECORDS_FIRST * element);
        if (!*array) return false;
        *capacity = RECORDS_FIRST;
    }
    return crn_scratch_grow(scratch, array, capacity, need, element);
}

/* Another region, which has no pages yet and is in no slot. NULL = no memory. */
static crn_keyed_region *records_take_region(crn_keyed_records *records, uint32_t number)
{
    uint32_t index = records->regions_used;
    if (2 * (index + 1) > records->slot_mask + 1 && !records_widen(records)) return NULL;
    if (index == records->region_count) {
        void *regions = records->regions;
        bool ok = records_room(records->scratch, &regions, &records->region_capacity, index + 1,
                               sizeof *records->regions);
        records->regions = regions;
        crn_keyed_region *region = ok ? crn_scratch_alloc(records->scratch, sizeof *region) : NULL;
        if (!region) return NULL;
        *region = (crn_keyed_region){0};
        records->regions[records->region_count++] = region;
    }
    crn_keyed_region *region = records->regions[index];
    region->number = number;
    region->count = region->buckets = 0;
    return region;
}

/* ---- pages ---- */

/* Another page, of none of the regions. NULL = no memory. */
static crn_keyed_page *records_take_page(crn_keyed_records *records)
{
    uint32_t index = records->pages_used;
    if (index == records->page_count) {
        void *pages = records->pages;
        bool ok = records_room(records->scratch, &pages, &records->page_capacity, index + 1,
                               sizeof *records->pages);
        records->pages = pages;
        crn_keyed_page *page = ok ? crn_scratch_alloc(records->scratch, records->page_size) : NULL;
        if (!page) return NULL;
        records->pages[records->page_count++] = page;
    }
    records->pages_used++;
    records->pages[index]->first = index * CRN_KEYED_PAGE;
    return records->pages[index];
}

/* Moves those that belong to a new bucket out of the one where they were. */
static void records_split(const crn_keyed_region *region, uint32_t bucket)
{
    uint32_t at, kept = CRN_KEYED_NONE, moved = CRN_KEYED_NONE, mask = region->mask;
    uint32_t old = bucket & mask >> 1;
    uint16_t *from = &region->pages[old / CRN_KEYED_BUCKETS]->heads[old % CRN_KEYED_BUCKETS];
    for (uint32_t next = *from; (at = next) != CRN_KEYED_NONE;) {
        crn_keyed_link *link = &region->pages[at / CRN_KEYED_PAGE]->links[at % CRN_KEYED_PAGE];
        bool moves = (crn_keyed_hash(link->node) & mask) == bucket;
        next = link->next;
        link->next = (uint16_t)(moves ? moved : kept);
        *(moves ? &moved : &kept) = at;
    }
    *from = (uint16_t)kept;
    region->pages[bucket / CRN_KEYED_BUCKETS]->heads[bucket % CRN_KEYED_BUCKETS] = (uint16_t)moved;
}

/* Another page of a region, and its buckets. False = no memory. */
static bool records_add_page(crn_keyed_records *records, crn_keyed_region *region)
{
    uint32_t index = region->buckets / CRN_KEYED_BUCKETS, first = region->buckets;
    void *pages = region->pages;
    bool ok = records_room(records->scratch, &pages, &region->page_capacity, index + 1,
                           sizeof *region->pages);
    region->pages = pages;
    crn_keyed_page *page = ok ? records_take_page(records) : NULL;
    if (!page) return false;
    page->region = region->number;
    page->queued = page->dirty = 0;
    page->closed = page->incons = page->round = 0; /* notes are not set */
    region->pages[index] = page;
    region->buckets += CRN_KEYED_BUCKETS;
    if (!index) {
        region->mask = CRN_KEYED_BUCKETS - 1;
        memset(page->heads, 0xff, sizeof page->heads);
        return true;
    }
    if (first > region->mask) region->mask = 2 * region->mask + 1;
    for (uint32_t i = 0; i < CRN_KEYED_BUCKETS; i++) records_split(region, first + i);
    return true;
}

/* A region with a page; NULL = no memory. */
static crn_keyed_region *records_add_region(crn_keyed_records *records, uint32_t number)
{
    crn_keyed_region *region = records_take_region(records, number);
    if (!region || !records_add_page(records, region)) return NULL;
    records->regions_used++;
    records_enter(records, region);
    return region;
}

crn_keyed_record crn_keyed_add(crn_keyed_records *records, cairn_node node)
{
    crn_keyed_spot spot = crn_keyed_spot_of(records, node);
    crn_keyed_region *region = crn_keyed_region_of(records, spot.region);
    if (!region) region = records_add_region(records, spot.region);
    if (!region) return (crn_keyed_record){0};
    uint32_t at = region->count;
    if (at == region->buckets * CRN_KEYED_PAGE / CRN_KEYED_BUCKETS &&
        !records_add_page(records, region))
        return (crn_keyed_record){0};
    crn_keyed_record record = {region->pages[at / CRN_KEYED_PAGE], at % CRN_KEYED_PAGE};
    uint16_t *head = crn_keyed_head(region, spot.offset);
    record.page->links[record.slot] = (crn_keyed_link){(uint16_t)spot.offset, *head};
    *head = (uint16_t)at;
    region->count++;
    records->count++;
    return record;
}

uint32_t crn_keyed_page_used(const crn_keyed_records *records, uint32_t page)
{
    const crn_keyed_page *here = records->pages[page];
    const crn_keyed_region *region = crn_keyed_region_of(records, here->region);
    uint32_t last = (region->count - 1) / CRN_KEYED_PAGE;
    return region->pages[last] == here ? region->count - last * CRN_KEYED_PAGE : CRN_KEYED_PAGE;
}

cairn_node crn_keyed_node(const crn_keyed_records *records, crn_keyed_record record)
{
    uint32_t number = record.page->links[record.slot].node, region = record.page->region;
    uint32_t x = number % (1u << CRN_KEYED_COLUMN), y = number >> CRN_KEYED_COLUMN;
    x += region % records->across << CRN_KEYED_COLUMN;
    y += region / records->across << CRN_KEYED_ROW;
    return y * records->width + x;
}

/* ---- marks ---- */

static uint64_t records_bit(crn_keyed_record record)
{
    return UINT64_C(1) << record.slot;
}

bool crn_keyed_is_closed(const crn_keyed_records *records, crn_keyed_record record)
{
    return record.page->round == records->round && (record.page->closed & records_bit(record));
}

void crn_keyed_close_one(const crn_keyed_records *records, crn_keyed_record record, bool closed)
{
    crn_keyed_page *page = record.page;
    if (page->round != records->round) page->closed = 0;
    page->round = records->round;
    page->closed &= ~records_bit(record);
    if (closed) page->closed |= records_bit(record);
}

void crn_keyed_mark(crn_keyed_records *records, crn_keyed_record record)
{
    records->incons += !(record.page->incons & records_bit(record));
    record.page->incons |= records_bit(record);
}

/* Takes the first of some bits away; *count less. */
static crn_keyed_record records_take(crn_keyed_page *page, uint64_t *bits, uint32_t *count)
{
    if (!*bits) return (crn_keyed_record){0};
    uint32_t slot = crn_lowest_bit(*bits);
    *bits &= *bits - 1;
    --*count;
    return (crn_keyed_record){page, slot};
}

crn_keyed_record crn_keyed_unmark(crn_keyed_records *records, crn_keyed_page *page)
{
    return records_take(page, &page->incons, &records->incons);
}

void crn_keyed_make_dirty(crn_keyed_records *records, crn_keyed_record record)
{
    records->dirty += !(record.page->dirty & records_bit(record));
    record.page->dirty |= records_bit(record);
}

crn_keyed_record crn_keyed_clean(crn_keyed_records *records, uint32_t *page)
{
    for (uint32_t i = 0; i < RECORDS_PASSED && *page < records->pages_used; i++, ++*page) {
        crn_keyed_page *here = records->pages[*page];
        if (here->dirty) return records_take(here, &here->dirty, &records->dirty);
    }
    return (crn_keyed_record){0};
}
