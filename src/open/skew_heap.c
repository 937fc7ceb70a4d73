/* skew_heap.c: an open list that is a skew heap: a binary tree in which no entry comes before the
 * one above it, and that keeps itself in shape.
 *
 * Everything is merging: of the heap with a heap of one entry (a push), and of the two subtrees of
 * the root (a pop). Merging goes down the right paths of both heaps, puts the lesser root on top,
 * and exchanges its children. That takes O(log n) comparisons amortized; one of them may take O(n),
 * so merging is done some steps at a time. A state that becomes cheaper is pushed again. Sources:
 * Sleator and Tarjan, "Self-Adjusting Heaps", 1986; thesis of B. Anguelov, section 5.3.3. */
#include "open/open_check.h"
#include "open/strict_lists.h"

static void skew_heap_open(void *list, crn_scratch *scratch)
{
    crn_skew_heap *heap = list;
    crn_strict_open(&heap->strict, scratch);
}

static void skew_heap_close(void *list)
{
    crn_skew_heap *heap = list;
    crn_strict_close(&heap->strict);
}

static cairn_status skew_heap_reset(void *list, const crn_open_range *range)
{
    crn_skew_heap *heap = list;
    (void)range;
    crn_strict_reset(&heap->strict);
    heap->root = 0;
    heap->merging = false;
    return CAIRN_OK;
}

static void skew_heap_push(void *list, crn_open_entry entry)
{
    crn_skew_heap *heap = list;
    crn_strict_wait(&heap->strict, entry);
}

static void skew_heap_merge(crn_skew_heap *heap, uint32_t one, uint32_t other)
{
    heap->merging = true;
    heap->one = one;
    heap->other = other;
    heap->above = 0;
}

static void skew_heap_attach(crn_skew_heap *heap, uint32_t number)
{
    *(heap->above ? &crn_strict_at(&heap->strict, heap->above)->left : &heap->root) = number;
}

/* The lesser root comes on top. Its right subtree is merged with the other heap, and becomes the
 * left one. */
static void skew_heap_step(crn_skew_heap *heap)
{
    crn_strict *strict = &heap->strict;
    if (!heap->one || !heap->other) {
        skew_heap_attach(heap, heap->one | heap->other);
        heap->merging = false;
        return;
    }
    crn_strict_item *least = crn_strict_at(strict, heap->one);
    uint32_t number = heap->one;
    if (crn_strict_before(strict, crn_strict_at(strict, heap->other), least)) {
        least = crn_strict_at(strict, heap->other);
        number = heap->other;
        heap->other = heap->one;
    }
    skew_heap_attach(heap, number);
    heap->above = number;
    heap->one = least->right;
    least->right = least->left;
}

static bool skew_heap_work(void *list, uint32_t steps)
{
    crn_skew_heap *heap = list;
    for (; steps; steps--) {
        if (heap->merging) {
            skew_heap_step(heap);
        } else if (heap->strict.waiting.first) {
            skew_heap_merge(heap, heap->root, crn_strict_waited(&heap->strict));
        } else {
            return true;
        }
    }
    return false;
}

static bool skew_heap_pop(void *list, uint32_t *state)
{
    crn_skew_heap *heap = list;
    while (!skew_heap_work(list, CRN_OPEN_STEPS)) {
    }
    uint32_t number = heap->root;
    if (!number) return false;
    const crn_strict_item *item = crn_strict_at(&heap->strict, number);
    *state = item->state;
    skew_heap_merge(heap, item->left, item->right);
    crn_strict_give(&heap->strict, number);
    return true;
}

static size_t skew_heap_bytes(const void *list)
{
    return crn_strict_bytes(&((const crn_skew_heap *)list)->strict);
}

const crn_open_functions crn_open_skew_heap = {.size = sizeof(crn_skew_heap),
                                               .open = skew_heap_open,
                                               .close = skew_heap_close,
                                               .reset = skew_heap_reset,
                                               .push = skew_heap_push,
                                               .pop = skew_heap_pop,
                                               .work = skew_heap_work,
                                               .compares = crn_strict_compares,
                                               .bytes = skew_heap_bytes,
                                               .check = CRN_CHECKED(crn_skew_heap_check)};
