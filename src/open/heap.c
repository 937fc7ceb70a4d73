/* heap.c: the 4-ary heap with strict ties. See heap.h. */
#include "open/heap.h"

void crn_heap_open(crn_heap *heap, crn_scratch *scratch)
{
    *heap = (crn_heap){.scratch = scratch};
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
    heap->count = heap->peak = heap->pushed = 0;
}

size_t crn_heap_bytes(const crn_heap *heap)
{
    return ((size_t)heap->peak + CRN_HEAP_CHUNK - 1) / CRN_HEAP_CHUNK * CRN_HEAP_CHUNK * sizeof(crn_heap_entry);
}

static crn_heap_entry *heap_at(const crn_heap *heap, uint32_t i)
{
    return &heap->chunks[i / CRN_HEAP_CHUNK][i % CRN_HEAP_CHUNK];
}

static bool heap_before(const crn_heap_entry *a, const crn_heap_entry *b)
{
    if (a->key != b->key) return a->key < b->key;
    if (a->tie != b->tie) return a->tie < b->tie;
    return a->order > b->order;
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
    uint32_t hole = heap->count;
    if (hole / CRN_HEAP_CHUNK >= heap->chunk_count && !heap_add_chunk(heap)) return;
    if (++heap->count > heap->peak) heap->peak = heap->count;
    crn_heap_entry entry = {key, tie, heap->pushed++, node};
    while (hole) {
        uint32_t parent = (hole - 1) / 4;
        if (!heap_before(&entry, heap_at(heap, parent))) break;
        *heap_at(heap, hole) = *heap_at(heap, parent);
        hole = parent;
    }
    *heap_at(heap, hole) = entry;
}

bool crn_heap_pop(crn_heap *heap, uint32_t *node)
{
    if (heap->count == 0) return false;
    *node = heap_at(heap, 0)->node;
    crn_heap_entry last = *heap_at(heap, --heap->count);
    uint32_t hole = 0;
    for (;;) {
        uint32_t first = hole * 4 + 1, end = crn_min_u32(first + 4, heap->count);
        if (first >= heap->count) break;
        uint32_t least = first;
        for (uint32_t child = first + 1; child < end; child++) {
            if (heap_before(heap_at(heap, child), heap_at(heap, least))) least = child;
        }
        if (!heap_before(heap_at(heap, least), &last)) break;
        *heap_at(heap, hole) = *heap_at(heap, least);
        hole = least;
    }
    if (heap->count) *heap_at(heap, hole) = last;
    return true;
}
