/* indexed.c: the binary heap that knows the place of each state. See indexed.h. */
#include "open/indexed.h"

void crn_indexed_open(crn_indexed *heap, crn_scratch *scratch)
{
    *heap = (crn_indexed){.plain = false};
    crn_strict_open(&heap->strict, scratch);
    crn_members_open(&heap->members, scratch);
}

void crn_indexed_close(crn_indexed *heap)
{
    crn_strict_close(&heap->strict);
    crn_members_close(&heap->members);
}

cairn_status crn_indexed_reset(crn_indexed *heap, const crn_open_places *places)
{
    crn_strict_reset(&heap->strict);
    return heap->plain ? CAIRN_OK : crn_members_reset(&heap->members, places);
}

size_t crn_indexed_bytes(const crn_indexed *heap)
{
    return crn_strict_bytes(&heap->strict) + (heap->plain ? 0 : crn_members_bytes(&heap->members));
}

/* Writes an item to a place. Its state has a place already. */
static void indexed_write(crn_indexed *heap, const crn_strict_item *item, uint32_t place)
{
    *crn_strict_at(&heap->strict, place) = *item;
    if (!heap->plain) crn_members_set(&heap->members, item->state, place);
}

/* Puts an item where it belongs, up or down from a place that is free. */
static void indexed_settle(crn_indexed *heap, crn_strict_item item, uint32_t hole)
{
    crn_strict *list = &heap->strict;
    for (; hole > 1; hole /= 2) {
        const crn_strict_item *parent = crn_strict_at(list, hole / 2);
        if (!crn_strict_before(list, &item, parent)) break;
        indexed_write(heap, parent, hole);
    }
    for (uint32_t child; (child = 2 * hole) <= list->used; hole = child) {
        const crn_strict_item *least = crn_strict_at(list, child);
        if (child < list->used) {
            const crn_strict_item *other = crn_strict_at(list, child + 1);
            if (crn_strict_before(list, other, least)) {
                least = other;
                child++;
            }
        }
        if (!crn_strict_before(list, least, &item)) break;
        indexed_write(heap, least, hole);
    }
    indexed_write(heap, &item, hole);
}

void crn_indexed_push(crn_indexed *heap, crn_open_entry entry)
{
    if (heap->strict.scratch->failed) return;
    uint32_t place = crn_members_place(&heap->members, entry.state);
    if (!place) {
        place = crn_strict_add(&heap->strict);
        if (!place) return;
        if (!crn_members_set(&heap->members, entry.state, place)) {
            heap->strict.used--;
            return;
        }
    }
    crn_strict_fill(&heap->strict, place, entry);
    indexed_settle(heap, *crn_strict_at(&heap->strict, place), place);
}

void crn_indexed_put(crn_indexed *heap, const crn_strict_item *item)
{
    uint32_t place = crn_strict_add(&heap->strict);
    if (place) indexed_settle(heap, *item, place);
}

static void indexed_take(crn_indexed *heap, uint32_t place)
{
    crn_strict *list = &heap->strict;
    if (!heap->plain) crn_members_drop(&heap->members, crn_strict_at(list, place)->state);
    crn_strict_item last = *crn_strict_at(list, list->used--);
    if (place <= list->used) indexed_settle(heap, last, place);
}

bool crn_indexed_remove(crn_indexed *heap, uint32_t state)
{
    uint32_t place = heap->strict.used ? crn_members_place(&heap->members, state) : 0;
    if (place) indexed_take(heap, place);
    return place;
}

bool crn_indexed_pop(crn_indexed *heap, uint32_t *state)
{
    if (!heap->strict.used) return false;
    *state = crn_strict_at(&heap->strict, 1)->state;
    indexed_take(heap, 1);
    return true;
}

bool crn_indexed_least(const crn_indexed *heap, crn_open_entry *entry)
{
    if (!heap->strict.used) return false;
    const crn_strict_item *item = crn_strict_at(&heap->strict, 1);
    *entry = (crn_open_entry){item->key, item->second, item->state};
    return true;
}
