/* keyed_queue.c: a heap of keys of two numbers whose entries move. See keyed_queue.h. */
#include "continuous/keyed_queue.h"

/* ---- life ---- */

cairn_status crn_keyed_open(crn_keyed_queue *queue, crn_scratch *scratch, const cairn_space *space,
                            bool noted)
{
    *queue = (crn_keyed_queue){0};
    return crn_keyed_records_open(&queue->records, scratch, space, noted);
}

void crn_keyed_close(crn_keyed_queue *queue)
{
    crn_scratch *scratch = queue->records.scratch;
    for (size_t i = 0; i < queue->chunk_count; i++)
        crn_scratch_free(scratch, queue->chunks[i], CRN_KEYED_CHUNK * sizeof **queue->chunks);
    crn_scratch_free(scratch, queue->chunks, queue->chunk_capacity * sizeof *queue->chunks);
    crn_keyed_records_close(&queue->records);
}

void crn_keyed_reset(crn_keyed_queue *queue)
{
    crn_keyed_records_reset(&queue->records);
    queue->used = queue->peak = 0;
}

size_t crn_keyed_bytes(const crn_keyed_queue *queue)
{
    return crn_keyed_records_bytes(&queue->records) + queue->peak * sizeof(crn_keyed_entry);
}

/* ---- the heap ---- */

/* One entry more; false = no memory. */
static bool keyed_add_entry(crn_keyed_queue *queue)
{
    crn_scratch *scratch = queue->records.scratch;
    if ((queue->used + 1) / CRN_KEYED_CHUNK >= queue->chunk_count) {
        void *chunks = queue->chunks;
        bool ok = crn_scratch_grow(scratch, &chunks, &queue->chunk_capacity, queue->chunk_count + 1,
                                   sizeof *queue->chunks);
        queue->chunks = chunks;
        void *chunk =
            ok ? crn_scratch_alloc(scratch, CRN_KEYED_CHUNK * sizeof **queue->chunks) : NULL;
        if (!chunk) return false;
        queue->chunks[queue->chunk_count++] = chunk;
    }
    if (++queue->used > queue->peak) queue->peak = queue->used;
    return true;
}

static bool keyed_before(const crn_keyed_entry *a, const crn_keyed_entry *b)
{
    if (a->first != b->first) return a->first < b->first;
    return a->second != b->second ? a->second < b->second : a->record > b->record;
}

CRN_INLINE void keyed_write(const crn_keyed_queue *queue, crn_keyed_entry entry, uint32_t place)
{
    uint32_t *a = crn_keyed_a(crn_keyed_at(&queue->records, entry.record));
    *crn_keyed_entry_at(queue, place) = entry;
    *a = place << 1 | (*a & 1);
}

/* Puts an entry where it belongs, at a place that is free or below it. */
static void keyed_sink(const crn_keyed_queue *queue, crn_keyed_entry entry, uint32_t hole)
{
    uint32_t used = queue->used;
    for (uint32_t child; (child = 2 * hole) <= used; hole = child) {
        const crn_keyed_entry *least = crn_keyed_entry_at(queue, child);
        if (child < used) {
            const crn_keyed_entry *other = least + 1; /* in the same chunk */
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
        const crn_keyed_entry *parent = crn_keyed_entry_at(queue, hole / 2);
        if (!keyed_before(&entry, parent)) break;
        keyed_write(queue, *parent, hole);
    }
    keyed_sink(queue, entry, hole);
}

bool crn_keyed_least(const crn_keyed_queue *queue, uint64_t *key, crn_keyed_record *record)
{
    if (!queue->used) return false;
    const crn_keyed_entry *top = crn_keyed_entry_at(queue, 1);
    *key = crn_keyed_key(top->first, top->second);
    *record = crn_keyed_at(&queue->records, top->record);
    return true;
}

bool crn_keyed_set(crn_keyed_queue *queue, crn_keyed_record record, uint64_t key, bool bit)
{
    crn_keyed_entry entry = {(uint32_t)(key >> 32), (uint32_t)key, crn_keyed_number(record)};
    uint32_t *a = crn_keyed_a(record), place = *a >> 1;
    if (!crn_keyed_is_queued(record)) {
        if (!keyed_add_entry(queue)) return false;
        record.page->queued |= UINT64_C(1) << record.slot;
        place = queue->used;
    }
    *a = bit;
    keyed_settle(queue, entry, place);
    return true;
}

void crn_keyed_remove(crn_keyed_queue *queue, crn_keyed_record record)
{
    uint32_t hole = *crn_keyed_a(record) >> 1;
    record.page->queued &= ~(UINT64_C(1) << record.slot);
    crn_keyed_entry last = *crn_keyed_entry_at(queue, queue->used--);
    if (hole <= queue->used) keyed_settle(queue, last, hole);
}

void crn_keyed_rewrite(const crn_keyed_queue *queue, uint32_t place, uint64_t key)
{
    crn_keyed_entry *entry = crn_keyed_entry_at(queue, place);
    entry->first = (uint32_t)(key >> 32);
    entry->second = (uint32_t)key;
}

void crn_keyed_sink(const crn_keyed_queue *queue, uint32_t place)
{
    keyed_sink(queue, *crn_keyed_entry_at(queue, place), place);
}
