/* incremental_rounds.c: between two rounds of a search (incremental.h): the nodes that were set
 * aside go back on the queue, and the queue is sorted again; and what all of them promise. */
#include "continuous/incremental_inside.h"

#define ROUNDS_PAGES 64u  /* without a mark: passed at the price of an edge */
#define ROUNDS_NODES 128u /* looked at for a unit of work */

/* A page from the one with this index on that has a mark, among those for the price of an edge. */
static crn_keyed_page *rounds_page(const crn_keyed_records *records, uint64_t *index)
{
    for (uint32_t i = 0; i < ROUNDS_PAGES && *index < records->pages_used; i++, ++*index) {
        crn_keyed_page *page = records->pages[*index];
        if (page->incons) return page;
    }
    return NULL;
}

bool crn_incremental_sweep(crn_incremental *search, uint32_t *edges)
{
    crn_keyed_records *records = &search->queue.records;
    uint64_t index = search->swept;
    if (index == UINT32_MAX) return false;
    crn_keyed_page *page = rounds_page(records, &index);
    while (*edges && page && page->incons) {
        incremental_spot spot = incremental_at(search, crn_keyed_unmark(records, page));
        crn_incremental_update(search, &spot);
        --*edges;
    }
    if (*edges) --*edges;
    search->swept = records->incons ? (uint32_t)index : UINT32_MAX;
    return true;
}

/* The node at a place of the queue. */
static incremental_spot rounds_spot(const crn_incremental *search, uint32_t place)
{
    uint32_t number = crn_keyed_entry_at(&search->queue, place)->record;
    return incremental_at(search, crn_keyed_at(&search->queue.records, number));
}

/* First all keys, then the order. */
bool crn_incremental_sort(crn_incremental *search, uint32_t *edges)
{
    crn_keyed_queue *queue = &search->queue;
    uint64_t used = queue->used, end = used + used / 2;
    if (search->sorted == UINT64_MAX) return false;
    for (; *edges && search->sorted < end; search->sorted++, --*edges) {
        if (search->sorted >= used) {
            crn_keyed_sink(queue, (uint32_t)(end - search->sorted));
            continue;
        }
        uint32_t place = (uint32_t)search->sorted + 1;
        incremental_spot spot = rounds_spot(search, place);
        crn_keyed_rewrite(queue, place, crn_incremental_key(search, &spot));
    }
    if (search->sorted == end) search->sorted = UINT64_MAX;
    return true;
}

bool crn_incremental_between(const crn_incremental *search)
{
    return search->spreading == CAIRN_NO_NODE && search->sum.node == CAIRN_NO_NODE &&
           !search->queue.records.dirty;
}

/* ---- what is promised ---- */

static void rounds_consider(const crn_incremental *search, crn_incremental_scan *scan,
                            const incremental_spot *spot)
{
    if (spot->g == spot->rhs) return;
    uint64_t f = crn_min_u32(spot->g, spot->rhs) + crn_aimed_node(&search->aimed, spot->node);
    if (f < scan->least) scan->least = f;
}

/* The nodes of a page that are set aside. Returns how many. */
static uint32_t rounds_consider_page(const crn_incremental *search, crn_incremental_scan *scan,
                                     crn_keyed_page *page)
{
    uint32_t count = 0;
    for (uint64_t bits = page->incons; bits; bits &= bits - 1, count++) {
        crn_keyed_record record = {page, crn_lowest_bit(bits)};
        incremental_spot spot = incremental_at(search, record);
        rounds_consider(search, scan, &spot);
    }
    return count;
}

bool crn_incremental_scan_on(const crn_incremental *search, crn_incremental_scan *scan,
                             uint64_t *work)
{
    const crn_keyed_queue *queue = &search->queue;
    const crn_keyed_records *records = &queue->records;
    for (; *work && !scan->done; --*work) {
        for (uint32_t nodes = 0; nodes < ROUNDS_NODES && !scan->done; nodes++) {
            uint64_t index = scan->at - queue->used;
            if (scan->at < queue->used) {
                incremental_spot spot = rounds_spot(search, (uint32_t)++scan->at);
                rounds_consider(search, scan, &spot);
                continue;
            }
            crn_keyed_page *page = records->incons ? rounds_page(records, &index) : NULL;
            if (page) nodes += rounds_consider_page(search, scan, page);
            scan->at = queue->used + index + (page != NULL);
            scan->done = !records->incons || index >= records->pages_used;
        }
    }
    return scan->done;
}
