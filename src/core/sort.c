/* sort.c: heap sort: in place, no memory, no bad case, and it can be interrupted. */
#include "core/core.h"

typedef struct sort_items {
    unsigned char *base;
    size_t size;
    crn_before *before;
} sort_items;

static void *sort_at(const sort_items *items, size_t i)
{
    return items->base + i * items->size;
}

static void sort_swap(const sort_items *items, size_t i, size_t j)
{
    unsigned char *a = sort_at(items, i), *b = sort_at(items, j);
    for (size_t k = 0; k < items->size; k += sizeof(uint32_t)) {
        uint32_t from_a, from_b;
        memcpy(&from_a, a + k, sizeof from_a);
        memcpy(&from_b, b + k, sizeof from_b);
        memcpy(a + k, &from_b, sizeof from_b);
        memcpy(b + k, &from_a, sizeof from_a);
    }
}

static void sort_sift(const sort_items *items, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && items->before(sort_at(items, child), sort_at(items, child + 1)))
            child++;
        if (!items->before(sort_at(items, root), sort_at(items, child))) break;
        sort_swap(items, root, child);
    }
}

crn_sorting crn_sorting_of(size_t count)
{
    return (crn_sorting){count, count + count / 2};
}

/* First half of the items are sifted to make a heap, then the first one goes to the end, again and
 * again. */
bool crn_sort_go_on(crn_sorting *sorting, void *base, size_t size, crn_before *before, size_t sifts)
{
    sort_items items = {base, size, before};
    size_t count = sorting->count;
    for (; sifts && sorting->left; sifts--) {
        size_t left = --sorting->left;
        if (left >= count) {
            sort_sift(&items, left - count, count);
        } else if (left) {
            sort_swap(&items, 0, left);
            sort_sift(&items, 0, left);
        }
    }
    return sorting->left == 0;
}

void crn_sort(void *base, size_t count, size_t size, crn_before *before)
{
    sort_items items = {base, size, before};
    size_t sorted = 1;
    while (sorted < count && !before(sort_at(&items, sorted), sort_at(&items, sorted - 1)))
        sorted++;
    if (sorted >= count) return; /* nothing to do, which is frequent */
    crn_sorting sorting = crn_sorting_of(count);
    crn_sort_go_on(&sorting, base, size, before, SIZE_MAX);
}
