/* records.h: what a search remembers of each state: its cost so far, how it was reached, and
 * whether it is closed. For most searches a state is a node; others number states as they like.
 *
 * Records live in pages of 256 that are fetched from a pool when a search first touches them and
 * wiped then, so that memory follows the search (a map of 30 million cells costs a small table
 * until it is searched), starting a query costs nothing, and no record needs a stamp to tell old
 * from new: the marks of a fresh page are all 0, "nothing known". Costs are not wiped on grids;
 * they are read only where the mark says that there is one. On grids a page is a tile of 16×16
 * cells, whose costs of one row fill one cache line; elsewhere it is 256 consecutive states, the
 * parent is stored as well, and a cost not known is CAIRN_NO_COST. A search may ask for more bytes
 * for each state (a second cost, a key of two numbers, its place in a heap), which are 0 at first,
 * and may have several sets of records.
 */
#ifndef CRN_RECORDS_H
#define CRN_RECORDS_H

#include "core/core.h"

#define CRN_PAGE 256u
#define CRN_SLAB 32u /* pages fetched from the allocator at once */

enum {
    /* grids: direction of the move that led here; CRN_NO_ARRIVAL for the start */
    CRN_MARK_MOVE = 0x0f,
    CRN_MARK_SEEN = 0x10,   /* a path is known, and its cost */
    CRN_MARK_CLOSED = 0x20, /* expanded, and not improved since */
    CRN_MARK_GOAL = 0x40,
    CRN_MARK_OVERFLOWED = 0x80 /* not seen, and a path to it cost more than 32 bits hold */
};

typedef struct crn_page {
    uint32_t g[CRN_PAGE]; /* only if the mark says so */
    uint8_t mark[CRN_PAGE];
    uint32_t origin; /* grids: the place of the first record (best_first_loops.h) */
    /* CRN_PAGE of them, or none on grids; then the bytes that the search has asked for */
    uint32_t parent[];
} crn_page;

typedef struct crn_records {
    crn_scratch *scratch;
    crn_page **table;  /* by page number; NULL = not touched by this query */
    uint32_t *touched; /* page numbers */
    uint32_t page_count, touched_count;
    size_t page_bytes;
    /* bytes of a state that the search has asked for; where in the page they begin */
    size_t extra, extra_at;
    bool parents;
    uint8_t **slabs;
    size_t slab_count, slab_capacity;
    crn_page *spare; /* written to when there is no memory, so that loops need no check */
} crn_records;

/* For so many pages; with parents or without, and so many bytes more for each state. */
cairn_status crn_records_open(crn_records *records, crn_scratch *scratch, uint32_t page_count,
                              bool parents, size_t extra);
void crn_records_close(crn_records *records);

/* Forget everything. */
void crn_records_reset(crn_records *records);

/* Bytes in use by this query. */
size_t crn_records_bytes(const crn_records *records);

/* Fetches a page; on failure gives the spare one; the scratch remembers. */
crn_page *crn_records_touch(crn_records *records, uint32_t page);

/* What is known of the cost: CAIRN_NO_COST if nothing is. */
CRN_INLINE uint32_t crn_record_cost(const crn_page *page, uint32_t slot)
{
    return page->mark[slot] & CRN_MARK_SEEN ? page->g[slot] : CAIRN_NO_COST;
}

/* The bytes of a state that the search has asked for, aligned for 64 bits if they are a multiple of
 * 8. */
CRN_INLINE void *crn_record_extra(const crn_records *records, crn_page *page, uint32_t slot)
{
    return (uint8_t *)page + records->extra_at + slot * records->extra;
}

#endif
