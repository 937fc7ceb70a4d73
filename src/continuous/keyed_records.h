/* keyed_records.h: the records of searches that keep what they know, one search for each agent.
 *
 * Only nodes that a search has come to have a record, and memory follows their number, however they
 * are spread over the map. The nodes lie in *regions* of 32,768: rectangles of a grid, or numbers
 * of a graph one after the other. The records of a region are in pages of 64, in the order in which
 * they were made. So there are gaps in its last page only. A hash table of the region finds them:
 * its chains have links of 16 bits, and each page brings 32 buckets more. Then so many old ones are
 * split (linear hashing: Litwin, 1980). So adding a record is bounded work, and no table doubles.
 *
 * A record has 4 bytes for its node and chain, two words of its owner, and a byte more if the owner
 * wants that. With buckets and marks that makes 13.8 bytes, or 14.4. A region takes up to 100 bytes
 * besides, and pages are known by pointers in two lists: at most half a byte for each record.
 *
 * While a record is on a queue (keyed_queue.h), its first word has its place there.
 *
 * Searches in rounds mark records (anytime.h): as closed, which counts for one round, and as
 * inconsistent though not on the queue, until the mark is taken. Records of nodes with other edges
 * than before are marked as dirty. A page has a bit for each. */
#ifndef CRN_KEYED_RECORDS_H
#define CRN_KEYED_RECORDS_H

#include "core/core.h"
#include "world/space.h"

#define CRN_KEYED_PAGE 64u
#define CRN_KEYED_BUCKETS 32u /* that a page brings */
/* bits of a node's number in its region */
#define CRN_KEYED_COLUMN 8u
#define CRN_KEYED_ROW 7u
#define CRN_KEYED_NONE 0xffffu /* the end of a chain */

typedef struct crn_keyed_link {
    uint16_t node; /* in its region */
    uint16_t next; /* record of the chain, by its number in the region */
} crn_keyed_link;

typedef struct crn_keyed_page {
    uint32_t first;  /* the number of its first record */
    uint32_t region; /* whose page it is */
    uint64_t queued; /* bits by record: is it on the queue? */
    uint64_t dirty;  /* ... has it this mark? */
    uint16_t heads[CRN_KEYED_BUCKETS];
    crn_keyed_link links[CRN_KEYED_PAGE];
    uint32_t a[CRN_KEYED_PAGE]; /* twice the place on the queue, and a bit of the owner's; ... */
    uint32_t b[CRN_KEYED_PAGE]; /* ... else both are the owner's */
    union {
        struct {
            uint64_t closed, incons; /* bits by record */
            uint64_t round;          /* in which `closed` counts */
        };
        uint8_t notes[CRN_KEYED_PAGE];
    };
} crn_keyed_page;

typedef struct crn_keyed_region {
    uint32_t number;
    uint32_t count;   /* records */
    uint32_t buckets; /* as many as its pages bring */
    uint32_t mask;    /* the least power of two that is not less than their number, less 1 */
    crn_keyed_page **pages;
    size_t page_capacity;
} crn_keyed_region;

typedef struct crn_keyed_records {
    crn_scratch *scratch;
    uint32_t width, across; /* of a grid that is divided, in nodes and in regions */
    size_t page_size;       /* bytes */
    crn_keyed_page **pages;
    size_t page_capacity;
    uint32_t page_count, pages_used;
    crn_keyed_region **regions;
    size_t region_capacity;
    uint32_t region_count, regions_used;
    crn_keyed_region **slots; /* of a hash table of those in use; NULL = none */
    uint32_t slot_mask;
    uint32_t count;  /* records */
    uint32_t dirty;  /* records with that mark, ... */
    uint32_t incons; /* ... and with this one */
    uint64_t round;  /* from 1 on; a higher number opens all records again */
} crn_keyed_records;

/* A record; page: NULL = none. */
typedef struct crn_keyed_record {
    crn_keyed_page *page;
    uint32_t slot;
} crn_keyed_record;

/* For nodes of a space. `noted`: records have a byte more, and marks for rounds do not exist.
 * `close` may follow a failed `open`. */
cairn_status crn_keyed_records_open(crn_keyed_records *records, crn_scratch *scratch,
                                    const cairn_space *space, bool noted);
void crn_keyed_records_close(crn_keyed_records *records);

/* Forgets all records. */
void crn_keyed_records_reset(crn_keyed_records *records);

/* Bytes in use since the reset. */
size_t crn_keyed_records_bytes(const crn_keyed_records *records);

/* Makes the record of a node, which has none; its words are not set. No page = no memory, which the
 * scratch remembers. */
crn_keyed_record crn_keyed_add(crn_keyed_records *records, cairn_node node);

/* The node of a record. */
cairn_node crn_keyed_node(const crn_keyed_records *records, crn_keyed_record record);

/* ---- where a record is ---- */

/* A node as its region and its number in that. */
typedef struct crn_keyed_spot {
    uint32_t region, offset;
} crn_keyed_spot;

CRN_INLINE uint32_t crn_keyed_hash(uint32_t offset)
{
    return offset * UINT32_C(0x9e3779b1) >> 16;
}

CRN_INLINE crn_keyed_spot crn_keyed_spot_of(const crn_keyed_records *records, cairn_node node)
{
    uint32_t x = node % records->width, y = node / records->width;
    uint32_t column = x % (1u << CRN_KEYED_COLUMN), row = y % (1u << CRN_KEYED_ROW);
    return (crn_keyed_spot){(y >> CRN_KEYED_ROW) * records->across + (x >> CRN_KEYED_COLUMN),
                            row << CRN_KEYED_COLUMN | column};
}

/* Returns NULL if the search has not come there. */
CRN_INLINE crn_keyed_region *crn_keyed_region_of(const crn_keyed_records *records, uint32_t number)
{
    uint32_t at = number & records->slot_mask;
    crn_keyed_region *region = records->slots[at];
    while (CRN_UNLIKELY(region && region->number != number))
        region = records->slots[++at & records->slot_mask];
    return region;
}

/* The bucket of a node: by a bit less of the hash if that one does not exist yet. */
CRN_INLINE uint16_t *crn_keyed_head(const crn_keyed_region *region, uint32_t offset)
{
    uint32_t bucket = crn_keyed_hash(offset) & region->mask;
    if (bucket >= region->buckets) bucket &= region->mask >> 1;
    return &region->pages[bucket / CRN_KEYED_BUCKETS]->heads[bucket % CRN_KEYED_BUCKETS];
}

/* Returns a record; no page: there is none. */
CRN_INLINE crn_keyed_record crn_keyed_find(const crn_keyed_records *records, cairn_node node)
{
    crn_keyed_spot spot = crn_keyed_spot_of(records, node);
    const crn_keyed_region *region = crn_keyed_region_of(records, spot.region);
    if (!region) return (crn_keyed_record){0};
    uint32_t at = *crn_keyed_head(region, spot.offset);
    while (at != CRN_KEYED_NONE) {
        crn_keyed_page *page = region->pages[at / CRN_KEYED_PAGE];
        uint32_t slot = at % CRN_KEYED_PAGE;
        if (page->links[slot].node == spot.offset) return (crn_keyed_record){page, slot};
        at = page->links[slot].next;
    }
    return (crn_keyed_record){0};
}

/* Records have numbers, in the order of their pages. */
CRN_INLINE uint32_t crn_keyed_number(crn_keyed_record record)
{
    return record.page->first + record.slot;
}

CRN_INLINE crn_keyed_record crn_keyed_at(const crn_keyed_records *records, uint32_t number)
{
    return (crn_keyed_record){records->pages[number / CRN_KEYED_PAGE], number % CRN_KEYED_PAGE};
}

/* How many records a page has. */
uint32_t crn_keyed_page_used(const crn_keyed_records *records, uint32_t page);

/* ---- what it says ---- */

CRN_INLINE uint32_t *crn_keyed_a(crn_keyed_record record)
{
    return &record.page->a[record.slot];
}

CRN_INLINE uint32_t *crn_keyed_b(crn_keyed_record record)
{
    return &record.page->b[record.slot];
}

CRN_INLINE uint8_t *crn_keyed_note(crn_keyed_record record)
{
    return &record.page->notes[record.slot];
}

CRN_INLINE bool crn_keyed_is_queued(crn_keyed_record record)
{
    return record.page->queued >> record.slot & 1;
}

/* ---- marks ---- */

bool crn_keyed_is_closed(const crn_keyed_records *records, crn_keyed_record record);
void crn_keyed_close_one(const crn_keyed_records *records, crn_keyed_record record, bool closed);
void crn_keyed_mark(crn_keyed_records *records, crn_keyed_record record);
/* Takes the first mark of a page away, and returns whose it was; no page: there is none. */
crn_keyed_record crn_keyed_unmark(crn_keyed_records *records, crn_keyed_page *page);

void crn_keyed_make_dirty(crn_keyed_records *records, crn_keyed_record record);
/* Takes a dirty mark away from a page from this one on, and returns whose it was. No page: none was
 * found on as many pages as may be passed at once. */
crn_keyed_record crn_keyed_clean(crn_keyed_records *records, uint32_t *page);

#endif
