/* indexed.c: the heap that knows the place of each state. See indexed.h. */
#include "open/indexed.h"

#define INDEXED_FIRST_BITS 7u

void crn_indexed_open(crn_indexed *heap, crn_scratch *scratch)
{
    *heap = (crn_indexed){.scratch = scratch};
}

static size_t indexed_slot_bytes(const crn_indexed *heap)
{
    return heap->slots ? sizeof *heap->slots << heap->slot_bits : 0;
}

void crn_indexed_close(crn_indexed *heap)
{
    crn_scratch_free(heap->scratch, heap->slots, indexed_slot_bytes(heap));
    crn_scratch_free(heap->scratch, heap->entries, heap->capacity * sizeof *heap->entries);
    crn_indexed_open(heap, heap->scratch);
}

void crn_indexed_reset(crn_indexed *heap)
{
    if (heap->slots && heap->count) memset(heap->slots, 0xff, indexed_slot_bytes(heap));
    heap->count = heap->peak = 0;
}

size_t crn_indexed_bytes(const crn_indexed *heap)
{
    return heap->peak * (sizeof *heap->entries + 2 * sizeof *heap->slots);
}

/* ---- where a state stands ---- */

static uint32_t indexed_hash(const crn_indexed *heap, uint32_t state)
{
    return (state ^ state >> 15) * UINT32_C(0x9e3779b1) >> (32 - heap->slot_bits);
}

/* The slot of a state, or the free one that it would get. */
static uint32_t indexed_slot(const crn_indexed *heap, uint32_t state)
{
    uint32_t mask = (UINT32_C(1) << heap->slot_bits) - 1, at = indexed_hash(heap, state);
    while (heap->slots[at].place != CRN_INDEXED_NONE && heap->slots[at].state != state)
        at = (at + 1) & mask;
    return at;
}

/* Frees a slot, and moves up those after it that it kept from their own place. */
static void indexed_free_slot(crn_indexed *heap, uint32_t hole)
{
    uint32_t mask = (UINT32_C(1) << heap->slot_bits) - 1;
    for (uint32_t at = (hole + 1) & mask; heap->slots[at].place != CRN_INDEXED_NONE;
         at = (at + 1) & mask) {
        uint32_t home = indexed_hash(heap, heap->slots[at].state);
        if (((at - home) & mask) < ((at - hole) & mask)) continue;
        heap->slots[hole] = heap->slots[at];
        hole = at;
    }
    heap->slots[hole].place = CRN_INDEXED_NONE;
}

/* Room for one more; false = no memory. */
static bool indexed_grow(crn_indexed *heap)
{
    void *entries = heap->entries;
    if (!crn_scratch_grow(heap->scratch, &entries, &heap->capacity, (size_t)heap->count + 1,
                          sizeof *heap->entries)) {
        return false;
    }
    heap->entries = entries;
    if (heap->slots && heap->count < UINT32_C(1) << (heap->slot_bits - 1)) return true;
    uint32_t bits = heap->slots ? heap->slot_bits + 1 : INDEXED_FIRST_BITS;
    crn_indexed_slot *slots = crn_scratch_alloc(heap->scratch, sizeof *slots << bits);
    if (!slots) return false;
    crn_scratch_free(heap->scratch, heap->slots, indexed_slot_bytes(heap));
    heap->slots = slots;
    heap->slot_bits = bits;
    memset(slots, 0xff, sizeof *slots << bits);
    for (uint32_t i = 0; i < heap->count; i++) {
        uint32_t state = heap->entries[i].state;
        slots[indexed_slot(heap, state)] = (crn_indexed_slot){state, i};
    }
    return true;
}

/* ---- the heap ---- */

static bool indexed_before(const crn_open_entry *a, const crn_open_entry *b)
{
    return a->key < b->key || (a->key == b->key && a->second < b->second);
}

/* Notes that an entry moves to another place; the caller writes it there. */
static void indexed_move(crn_indexed *heap, uint32_t from, uint32_t to)
{
    heap->slots[indexed_slot(heap, heap->entries[from].state)].place = to;
    heap->entries[to] = heap->entries[from];
}

/* Puts the entry of this slot where it belongs, up or down from a place that is free. */
static void indexed_settle(crn_indexed *heap, crn_open_entry entry, uint32_t slot, uint32_t hole)
{
    while (hole && indexed_before(&entry, &heap->entries[(hole - 1) / 2])) {
        indexed_move(heap, (hole - 1) / 2, hole);
        hole = (hole - 1) / 2;
    }
    for (uint32_t child; (child = 2 * hole + 1) < heap->count; hole = child) {
        if (child + 1 < heap->count &&
            indexed_before(&heap->entries[child + 1], &heap->entries[child]))
            child++;
        if (!indexed_before(&heap->entries[child], &entry)) break;
        indexed_move(heap, child, hole);
    }
    heap->entries[hole] = entry;
    heap->slots[slot].place = hole;
}

void crn_indexed_push(crn_indexed *heap, crn_open_entry entry)
{
    if (!indexed_grow(heap)) return;
    uint32_t slot = indexed_slot(heap, entry.state), place = heap->slots[slot].place;
    if (place == CRN_INDEXED_NONE) {
        place = heap->count++;
        if (heap->count > heap->peak) heap->peak = heap->count;
        heap->slots[slot] = (crn_indexed_slot){entry.state, place};
    }
    indexed_settle(heap, entry, slot, place);
}

static void indexed_take(crn_indexed *heap, uint32_t slot)
{
    uint32_t place = heap->slots[slot].place;
    indexed_free_slot(heap, slot);
    crn_open_entry last = heap->entries[--heap->count];
    if (place < heap->count) indexed_settle(heap, last, indexed_slot(heap, last.state), place);
}

bool crn_indexed_remove(crn_indexed *heap, uint32_t state)
{
    if (!heap->count) return false;
    uint32_t slot = indexed_slot(heap, state);
    if (heap->slots[slot].place == CRN_INDEXED_NONE) return false;
    indexed_take(heap, slot);
    return true;
}

bool crn_indexed_pop(crn_indexed *heap, uint32_t *state)
{
    if (!heap->count) return false;
    *state = heap->entries[0].state;
    indexed_take(heap, indexed_slot(heap, *state));
    return true;
}

bool crn_indexed_least(const crn_indexed *heap, crn_open_entry *entry)
{
    if (heap->count) *entry = heap->entries[0];
    return heap->count;
}
