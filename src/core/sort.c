/* sort.c: heap sort: in place, no memory, no bad case. */
#include "core/core.h"

static void sort_sift(uint32_t *values, size_t root, size_t count)
{
    uint32_t moving = values[root];
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && values[child] < values[child + 1]) child++;
        if (moving >= values[child]) break;
        values[root] = values[child];
    }
    values[root] = moving;
}

size_t crn_sort_unique(uint32_t *values, size_t count)
{
    if (count < 2) return count;
    for (size_t i = count / 2; i-- > 0;) sort_sift(values, i, count);
    for (size_t end = count - 1; end > 0; end--) {
        uint32_t first = values[0];
        values[0] = values[end];
        values[end] = first;
        sort_sift(values, 0, end);
    }
    size_t kept = 1;
    for (size_t i = 1; i < count; i++) {
        if (values[i] != values[kept - 1]) values[kept++] = values[i];
    }
    return kept;
}
