/* records.h: what a search remembers of each state: its cost so far, how it was reached, and
 * whether it is closed. For most searches a state is a node; others number their states themselves.
 *
 * Records live in pages of 256. A page is fetched from a pool, and cleared, when a search first
 * touches it. So memory is proportional to the part that is searched (a map of 30 million cells
 * needs only a small table before), starting a query costs nothing, and no record needs a stamp to
 * tell old from new: the marks of a fresh page are all 0, "nothing known". On grids costs are not
 * cleared; they are read only where the mark says that there is one. A page of a grid is a tile of
 * 16×16 cells; the costs of one row fill one cache line. Elsewhere a page is 256 consecutive
 * states, the parent is stored too, and an unknown cost is CAIRN_NO_COST. A search may ask for
 * additional bytes for each state (a second cost, a key of two numbers, its place in a heap), which
 * are 0 at first. It may have several sets of records.
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
    uint32_t origin; /* grids: the place of the first record (best_first_loops.h), ... */
    uint64_t gates;  /* ... and a bit for each entrance that may matter to its cells */
    /* CRN_PAGE of them, or none on grids; then the additional bytes */
    uint32_t parent[];
} crn_page;

typedef struct crn_records {
    crn_scratch *scratch;
    crn_page **table;  /* by page number; NULL = not touched by this query */
    uint32_t *touched; /* page numbers */
    uint32_t page_count, touched_count;
    size_t page_bytes;
    /* additional bytes of a state; where they begin in the page */
    size_t extra, extra_at;
    bool parents;
    uint8_t **slabs;
    size_t slab_count, slab_capacity;
    crn_page *spare; /* written to when there is no memory, so that loops need no check */
} crn_records;

/* Opens records for this many pages, with or without parents, with this many additional bytes for
 * each state. */
cairn_status crn_records_open(crn_records *records, crn_scratch *scratch, uint32_t page_count,
                              bool parents, size_t extra);
void crn_records_close(crn_records *records);

/* Forgets everything. */
void crn_records_reset(crn_records *records);

/* Bytes in use by this query. */
size_t crn_records_bytes(const crn_records *records);

/* Fetches a page. On failure returns the spare one, and the scratch remembers. */
crn_page *crn_records_touch(crn_records *records, uint32_t page);

/* Returns the known cost, or CAIRN_NO_COST. */
CRN_INLINE uint32_t crn_record_cost(const crn_page *page, uint32_t slot)
{
    return page->mark[slot] & CRN_MARK_SEEN ? page->g[slot] : CAIRN_NO_COST;
}

/* Returns the additional bytes of a state, aligned for 64 bits if they are a multiple of 8. */
CRN_INLINE void *crn_record_extra(const crn_records *records, crn_page *page, uint32_t slot)
{
    return (uint8_t *)page + records->extra_at + slot * records->extra;
}

#endif
