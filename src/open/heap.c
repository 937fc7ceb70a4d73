/* heap.c: the 4-ary heap with strict ties. See heap.h. */
#include "open/heap.h"

#define HEAP_ROOT 3u /* children of place p: 4p - 8 to 4p - 5; its parent: p / 4 + 2 */

void crn_heap_open(crn_heap *heap, crn_scratch *scratch)
{
    *heap = (crn_heap){.scratch = scratch, .end = HEAP_ROOT, .peak = HEAP_ROOT};
}

void crn_heap_close(crn_heap *heap)
{
    for (size_t i = 0; i < heap->chunk_count; i++) {
        crn_scratch_free(heap->scratch, heap->chunks[i], CRN_HEAP_CHUNK * sizeof(crn_heap_entry));
    }
    crn_scratch_free(heap->scratch, heap->chunks, heap->chunk_capacity * sizeof *heap->chunks);
    crn_heap_open(heap, heap->scratch);
}

void crn_heap_reset(crn_heap *heap)
{
    heap->end = heap->peak = HEAP_ROOT;
    heap->pushed = 0;
#if defined(CAIRN_CHECKS)
    heap->compares = 0;
#endif
}

size_t crn_heap_bytes(const crn_heap *heap)
{
    if (heap->peak == HEAP_ROOT) return 0;
    return ((size_t)heap->peak + CRN_HEAP_CHUNK - 1) / CRN_HEAP_CHUNK * CRN_HEAP_CHUNK *
           sizeof(crn_heap_entry);
}

static crn_heap_entry *heap_at(const crn_heap *heap, uint32_t place)
{
    return &heap->chunks[place / CRN_HEAP_CHUNK][place % CRN_HEAP_CHUNK];
}

static bool heap_before(crn_heap *heap, const crn_heap_entry *a, const crn_heap_entry *b)
{
#if defined(CAIRN_CHECKS)
    heap->compares++;
#endif
    (void)heap;
    return a->key < b->key || (a->key == b->key && a->rank < b->rank);
}

static bool heap_add_chunk(crn_heap *heap)
{
    void *chunks = heap->chunks;
    if (!crn_scratch_grow(heap->scratch, &chunks, &heap->chunk_capacity, heap->chunk_count + 1,
                          sizeof *heap->chunks)) {
        return false;
    }
    heap->chunks = chunks;
    crn_heap_entry *chunk = crn_scratch_alloc(heap->scratch, CRN_HEAP_CHUNK * sizeof *chunk);
    if (!chunk) return false;
    heap->chunks[heap->chunk_count++] = chunk;
    return true;
}

void crn_heap_push(crn_heap *heap, uint64_t key, uint32_t tie, uint32_t node)
{
    uint32_t hole = heap->end;
    if (hole / CRN_HEAP_CHUNK >= heap->chunk_count && !heap_add_chunk(heap)) return;
    if (++heap->end > heap->peak) heap->peak = heap->end;
    crn_heap_entry entry = {key, (uint64_t)tie << 32 | (UINT32_MAX - heap->pushed++), node};
    crn_heap_entry *at = heap_at(heap, hole);
    while (hole > HEAP_ROOT) {
        hole = hole / 4 + 2;
        crn_heap_entry *parent = heap_at(heap, hole);
        if (!heap_before(heap, &entry, parent)) break;
        *at = *parent;
        at = parent;
    }
    *at = entry;
}

uint64_t crn_heap_least(const crn_heap *heap)
{
    return heap->end == HEAP_ROOT ? 0 : heap_at(heap, HEAP_ROOT)->key;
}

bool crn_heap_first(const crn_heap *heap, uint64_t *key, uint64_t *tie, uint32_t *node)
{
    if (heap->end == HEAP_ROOT) return false;
    const crn_heap_entry *entry = heap_at(heap, HEAP_ROOT);
    *key = entry->key;
    *tie = entry->rank >> 32;
    *node = entry->node;
    return true;
}

bool crn_heap_pop(crn_heap *heap, uint32_t *node)
{
    if (heap->end == HEAP_ROOT) return false;
    crn_heap_entry *at = heap_at(heap, HEAP_ROOT);
    *node = at->node;
    const crn_heap_entry *last = heap_at(heap, --heap->end);
    for (uint32_t hole = HEAP_ROOT, first; (first = 4 * hole - 8) < heap->end;) {
        crn_heap_entry *children = heap_at(heap, first);
        uint32_t least = 0, count = crn_min_u32(4, heap->end - first);
        for (uint32_t i = 1; i < count; i++) {
            if (heap_before(heap, &children[i], &children[least])) least = i;
        }
        if (!heap_before(heap, &children[least], last)) break;
        *at = children[least];
        at = &children[least];
        hole = first + least;
    }
    *at = *last;
    return true;
}
