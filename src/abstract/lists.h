/* lists.h: lists of items of one size in a common pool, each set as a whole.
 *
 * A list lies in a place of as many items as its class has: 1, 2, 4, 8 ...; in a fine pool also 3,
 * 6, 12 ..., and in a finer one also 5, 7, 10, 14 ..., which takes less memory but moves lists more
 * often. A place that is given up waits for
 * the next list of its class, and the first four bytes of it name the next one that waits.
 */
#ifndef CRN_LISTS_H
#define CRN_LISTS_H

#include "core/core.h"

#define CRN_LIST_CLASSES 129u

typedef struct crn_list {
    uint32_t first, count; /* of its items in the pool; an empty list begins at 0 */
} crn_list;

typedef struct crn_list_pool {
    cairn_context *context;
    void *items;
    size_t element; /* bytes of an item, at least four */
    size_t count, capacity;
    uint8_t fine; /* 1 = fine, 2 = finer; may be set while the pool is empty */
    /* places that nobody uses: the first of each class, plus 1 */
    uint32_t vacant[CRN_LIST_CLASSES];
} crn_list_pool;

/* How many items places of a class have. */
CRN_INLINE size_t crn_list_class_size(uint32_t class)
{
    if (!class) return 1;
    size_t power = (size_t)1 << (class - 1) / 4, fourths = (class - 1) % 4 + 1;
    return power + (power * fourths + 3) / 4;
}

void crn_list_pool_open(crn_list_pool *pool, cairn_context *context, size_t element);
void crn_list_pool_close(crn_list_pool *pool);

/* Into an empty pool of the same items; false = no memory. */
bool crn_list_pool_copy(crn_list_pool *to, const crn_list_pool *from);

/* Makes a list out of these items; false = no memory, nothing has changed. They must not lie in the
 * pool. */
bool crn_list_pool_set(crn_list_pool *pool, crn_list *list, const void *from, uint32_t count);

/* Lists with numbers. */
typedef struct crn_lists {
    crn_list_pool pool;
    crn_list *lists;
    uint32_t count;
} crn_lists;

/* This many empty ones; false = no memory. It is to be closed in any case. */
bool crn_lists_open(crn_lists *lists, cairn_context *context, uint32_t count, size_t element);
void crn_lists_close(crn_lists *lists);
size_t crn_lists_bytes(const crn_lists *lists);

CRN_INLINE bool crn_lists_set(crn_lists *lists, uint32_t number, const void *from, uint32_t count)
{
    return crn_list_pool_set(&lists->pool, &lists->lists[number], from, count);
}

CRN_INLINE uint32_t crn_lists_count(const crn_lists *lists, uint32_t number)
{
    return lists->lists[number].count;
}

CRN_INLINE const void *crn_lists_items(const crn_lists *lists, uint32_t number)
{
    const uint8_t *all = lists->pool.items;
    size_t first = lists->lists[number].first;
    return first ? all + first * lists->pool.element : all; /* there may be none at all */
}

#endif
