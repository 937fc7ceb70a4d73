/* incremental_rounds.c: between two rounds of a search (incremental.h): the nodes that were set
 * aside go back on the queue, and the queue is sorted again; and what all of them promise. */
#include "continuous/incremental_inside.h"

#define ROUNDS_PAGES 64u  /* without a mark: passed at the price of an edge */
#define ROUNDS_NODES 128u /* looked at for a unit of work */

/* A page from the one with this index on that has a mark, among those for the price of an edge. */
static crn_keyed_page *rounds_page(const crn_keyed_queue *queue, uint64_t *index)
{
    for (uint32_t i = 0; i < ROUNDS_PAGES && *index < queue->pages_used; i++, ++*index) {
        crn_keyed_page *page = crn_keyed_page_at(queue, (uint32_t)*index);
        if (page->incons) return page;
    }
    return NULL;
}

bool crn_incremental_sweep(crn_incremental *search, uint32_t *edges)
{
    uint64_t index = search->swept;
    uint32_t state;
    if (index == UINT32_MAX) return false;
    crn_keyed_page *page = rounds_page(&search->queue, &index);
    while (*edges && page && crn_keyed_unmark(&search->queue, page, &state)) {
        incremental_spot spot = incremental_peek(search, crn_tiles_node(&search->tiles, state));
        crn_incremental_update(search, &spot);
        --*edges;
    }
    if (*edges) --*edges;
    search->swept = search->queue.incons ? (uint32_t)index : UINT32_MAX;
    return true;
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
        cairn_node node = crn_tiles_node(&search->tiles, crn_keyed_at(queue, place));
        incremental_spot spot = incremental_peek(search, node);
        crn_keyed_rewrite(queue, place, crn_incremental_key(search, &spot));
    }
    if (search->sorted == end) search->sorted = UINT64_MAX;
    return true;
}

bool crn_incremental_between(const crn_incremental *search)
{
    return search->spreading == CAIRN_NO_NODE && search->sum.node == CAIRN_NO_NODE &&
           search->next == search->changed.count;
}

/* ---- what is promised ---- */

static void rounds_consider(const crn_incremental *search, crn_incremental_scan *scan,
                            uint32_t state)
{
    incremental_spot spot = incremental_peek(search, crn_tiles_node(&search->tiles, state));
    cairn_cost g = spot.record->g, rhs = spot.record->rhs;
    if (g == rhs) return;
    uint64_t f = crn_min_u32(g, rhs) + crn_aimed_node(&search->aimed, spot.node);
    if (f < scan->least) scan->least = f;
}

/* The nodes of a page that are set aside. Returns how many. */
static uint32_t rounds_consider_page(const crn_incremental *search, crn_incremental_scan *scan,
                                     const crn_keyed_page *page)
{
    uint32_t count = 0;
    for (uint64_t bits = page->incons; bits; bits &= bits - 1, count++)
        rounds_consider(search, scan, page->number * CRN_KEYED_PAGE + crn_lowest_bit(bits));
    return count;
}

bool crn_incremental_scan_on(const crn_incremental *search, crn_incremental_scan *scan,
                             uint64_t *work)
{
    const crn_keyed_queue *queue = &search->queue;
    for (; *work && !scan->done; --*work) {
        for (uint32_t nodes = 0; nodes < ROUNDS_NODES && !scan->done; nodes++) {
            uint64_t index = scan->at - queue->used;
            if (scan->at < queue->used) {
                rounds_consider(search, scan, crn_keyed_at(queue, (uint32_t)scan->at++ + 1));
                continue;
            }
            const crn_keyed_page *page = queue->incons ? rounds_page(queue, &index) : NULL;
            if (page) nodes += rounds_consider_page(search, scan, page);
            scan->at = queue->used + index + (page != NULL);
            scan->done = !queue->incons || index >= queue->pages_used;
        }
    }
    return scan->done;
}
