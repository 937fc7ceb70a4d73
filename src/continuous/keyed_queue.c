/* keyed_queue.c: records, and a heap of keys of two numbers whose entries move. See
 * keyed_queue.h. */
#include "continuous/keyed_queue.h"

/* ---- life ---- */

cairn_status crn_keyed_open(crn_keyed_queue *queue, crn_scratch *scratch, uint32_t page_count,
                            size_t record_size)
{
    *queue = (crn_keyed_queue){.scratch = scratch,
                               .page_count = page_count,
                               .record_size = (uint32_t)record_size,
                               .round = 1};
    queue->page_size = (uint32_t)(sizeof(crn_keyed_page) + CRN_KEYED_PAGE * record_size);
    queue->table = crn_scratch_alloc(scratch, page_count * sizeof *queue->table);
    if (!queue->table) return CAIRN_OUT_OF_MEMORY;
    memset(queue->table, 0, page_count * sizeof *queue->table);
    return CAIRN_OK;
}

void crn_keyed_close(crn_keyed_queue *queue)
{
    crn_scratch *scratch = queue->scratch;
    for (size_t i = 0; i < queue->chunk_count; i++)
        crn_scratch_free(scratch, queue->chunks[i], CRN_KEYED_CHUNK * sizeof **queue->chunks);
    for (size_t i = 0; i < queue->slab_count; i++)
        crn_scratch_free(scratch, queue->slabs[i], CRN_KEYED_SLAB * queue->page_size);
    crn_scratch_free(scratch, queue->chunks, queue->chunk_capacity * sizeof *queue->chunks);
    crn_scratch_free(scratch, queue->slabs, queue->slab_capacity * sizeof *queue->slabs);
    crn_scratch_free(scratch, queue->table, queue->page_count * sizeof *queue->table);
    *queue = (crn_keyed_queue){.scratch = scratch};
}

void crn_keyed_reset(crn_keyed_queue *queue)
{
    queue->used = queue->peak = queue->pages_used = queue->incons = 0;
}

void crn_keyed_empty(crn_keyed_queue *queue)
{
    queue->used = 0;
}

size_t crn_keyed_bytes(const crn_keyed_queue *queue)
{
    return queue->page_count * sizeof *queue->table + (size_t)queue->pages_used * queue->page_size +
           queue->peak * sizeof(crn_keyed_entry);
}

/* One more block of `size` bytes at the end of a list; false = no memory. */
static bool keyed_grow(crn_scratch *scratch, void **list, size_t *capacity, size_t count,
                       size_t size)
{
    if (!crn_scratch_grow(scratch, list, capacity, count + 1, sizeof(void *))) return false;
    void *block = crn_scratch_alloc(scratch, size);
    if (block) memcpy((char *)*list + count * sizeof block, &block, sizeof block);
    return block;
}

/* ---- records ---- */

void *crn_keyed_add(crn_keyed_queue *queue, uint32_t state)
{
    uint32_t index = queue->pages_used, number = state / CRN_KEYED_PAGE;
    if (index / CRN_KEYED_SLAB >= queue->slab_count) {
        void *slabs = queue->slabs;
        bool ok = keyed_grow(queue->scratch, &slabs, &queue->slab_capacity, queue->slab_count,
                             CRN_KEYED_SLAB * queue->page_size);
        queue->slabs = slabs;
        if (!ok) return NULL;
        queue->slab_count++;
    }
    queue->pages_used++;
    queue->table[number] = index;
    crn_keyed_page *page = crn_keyed_page_at(queue, index);
    page->number = number;
    page->round = page->closed = page->incons = 0;
    memset(page + 1, 0xff, queue->page_size - sizeof *page);
    for (uint32_t i = 0; i < CRN_KEYED_PAGE; i++)
        *(uint32_t *)crn_keyed_record_at(queue, page, i) = 0;
    return crn_keyed_record_at(queue, page, state % CRN_KEYED_PAGE);
}

/* ---- the heap ---- */

/* One entry more; false = no memory. */
static bool keyed_add_entry(crn_keyed_queue *queue)
{
    if ((queue->used + 1) / CRN_KEYED_CHUNK >= queue->chunk_count) {
        void *chunks = queue->chunks;
        bool ok = keyed_grow(queue->scratch, &chunks, &queue->chunk_capacity, queue->chunk_count,
                             CRN_KEYED_CHUNK * sizeof **queue->chunks);
        queue->chunks = chunks;
        if (!ok) return false;
        queue->chunk_count++;
    }
    if (++queue->used > queue->peak) queue->peak = queue->used;
    return true;
}

static crn_keyed_entry *keyed_at(const crn_keyed_queue *queue, uint32_t place)
{
    return &queue->chunks[place / CRN_KEYED_CHUNK][place % CRN_KEYED_CHUNK];
}

static bool keyed_before(const crn_keyed_entry *a, const crn_keyed_entry *b)
{
    if (a->first != b->first) return a->first < b->first;
    return a->second != b->second ? a->second < b->second : a->state < b->state;
}

/* The place of a record that there is. */
static uint32_t *keyed_place(const crn_keyed_queue *queue, uint32_t state)
{
    return crn_keyed_find(queue, state);
}

static void keyed_write(const crn_keyed_queue *queue, crn_keyed_entry entry, uint32_t place)
{
    *keyed_at(queue, place) = entry;
    *keyed_place(queue, entry.state) = place;
}

/* Puts an entry where it belongs, at a place that is free or below it. */
static void keyed_sink(const crn_keyed_queue *queue, crn_keyed_entry entry, uint32_t hole)
{
    for (uint32_t child; (child = 2 * hole) <= queue->used; hole = child) {
        const crn_keyed_entry *least = keyed_at(queue, child);
        if (child < queue->used) {
            const crn_keyed_entry *other = keyed_at(queue, child + 1);
            if (keyed_before(other, least)) {
                least = other;
                child++;
            }
        }
        if (!keyed_before(least, &entry)) break;
        keyed_write(queue, *least, hole);
    }
    keyed_write(queue, entry, hole);
}

/* The same, above it or below. */
static void keyed_settle(const crn_keyed_queue *queue, crn_keyed_entry entry, uint32_t hole)
{
    for (; hole > 1; hole /= 2) {
        const crn_keyed_entry *parent = keyed_at(queue, hole / 2);
        if (!keyed_before(&entry, parent)) break;
        keyed_write(queue, *parent, hole);
    }
    keyed_sink(queue, entry, hole);
}

uint64_t crn_keyed_key_at(const crn_keyed_queue *queue, uint32_t place)
{
    const crn_keyed_entry *entry = keyed_at(queue, place);
    return crn_keyed_key(entry->first, entry->second);
}

bool crn_keyed_least(const crn_keyed_queue *queue, uint64_t *key, uint32_t *state)
{
    if (!queue->used) return false;
    const crn_keyed_entry *top = keyed_at(queue, 1);
    *key = crn_keyed_key(top->first, top->second);
    *state = top->state;
    return true;
}

bool crn_keyed_set(crn_keyed_queue *queue, uint32_t state, uint64_t key)
{
    uint32_t place = *keyed_place(queue, state);
    if (!place && !keyed_add_entry(queue)) return false;
    crn_keyed_entry entry = {(uint32_t)(key >> 32), (uint32_t)key, state};
    keyed_settle(queue, entry, place ? place : queue->used);
    return true;
}

void crn_keyed_remove(crn_keyed_queue *queue, uint32_t state)
{
    uint32_t *place = keyed_place(queue, state), hole = *place;
    if (!hole) return;
    *place = 0;
    crn_keyed_entry last = *keyed_at(queue, queue->used--);
    if (hole <= queue->used) keyed_settle(queue, last, hole);
}

uint32_t crn_keyed_at(const crn_keyed_queue *queue, uint32_t place)
{
    return keyed_at(queue, place)->state;
}

void crn_keyed_rewrite(const crn_keyed_queue *queue, uint32_t place, uint64_t key)
{
    crn_keyed_entry *entry = keyed_at(queue, place);
    entry->first = (uint32_t)(key >> 32);
    entry->second = (uint32_t)key;
}

void crn_keyed_sink(const crn_keyed_queue *queue, uint32_t place)
{
    keyed_sink(queue, *keyed_at(queue, place), place);
}

/* ---- marks ---- */

static crn_keyed_page *keyed_page(const crn_keyed_queue *queue, uint32_t state)
{
    return crn_keyed_page_at(queue, queue->table[state / CRN_KEYED_PAGE]);
}

static uint64_t keyed_bit(uint32_t state)
{
    return UINT64_C(1) << state % CRN_KEYED_PAGE;
}

bool crn_keyed_is_closed(const crn_keyed_queue *queue, uint32_t state)
{
    const crn_keyed_page *page = keyed_page(queue, state);
    return page->round == queue->round && (page->closed & keyed_bit(state));
}

void crn_keyed_close_one(const crn_keyed_queue *queue, uint32_t state, bool closed)
{
    crn_keyed_page *page = keyed_page(queue, state);
    if (page->round != queue->round) page->closed = 0;
    page->round = queue->round;
    page->closed &= ~keyed_bit(state);
    if (closed) page->closed |= keyed_bit(state);
}

void crn_keyed_mark(crn_keyed_queue *queue, uint32_t state)
{
    crn_keyed_page *page = keyed_page(queue, state);
    queue->incons += !(page->incons & keyed_bit(state));
    page->incons |= keyed_bit(state);
}

bool crn_keyed_unmark(crn_keyed_queue *queue, crn_keyed_page *page, uint32_t *state)
{
    if (!page->incons) return false;
    uint32_t slot = crn_lowest_bit(page->incons);
    page->incons &= page->incons - 1;
    queue->incons--;
    *state = page->number * CRN_KEYED_PAGE + slot;
    return true;
}
