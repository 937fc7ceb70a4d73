/* lists.c: lists in a common pool. See lists.h. */
#include "abstract/lists.h"

void crn_list_pool_open(crn_list_pool *pool, cairn_context *context, size_t element)
{
    *pool = (crn_list_pool){.context = context, .element = element};
}

void crn_list_pool_close(crn_list_pool *pool)
{
    crn_free(pool->context, pool->items, pool->capacity * pool->element);
    crn_list_pool_open(pool, pool->context, pool->element);
}

bool crn_list_pool_copy(crn_list_pool *to, const crn_list_pool *from)
{
    if (!crn_grow(to->context, &to->items, &to->capacity, from->count, to->element)) return false;
    to->count = from->count;
    to->fine = from->fine;
    memcpy(to->vacant, from->vacant, sizeof to->vacant);
    if (from->count) memcpy(to->items, from->items, from->count * from->element);
    return true;
}

/* The least whose places have room for this many items. */
static uint32_t list_pool_class(const crn_list_pool *pool, uint32_t count)
{
    if (count < 2) return 0;
    uint32_t bit = crn_highest_bit(count - 1), unit = 4u >> pool->fine;
    uint64_t power = UINT64_C(1) << bit, fourths = (4 * (count - power) + power - 1) / power;
    return 4 * bit + (uint32_t)(fourths + unit - 1) / unit * unit;
}

static uint8_t *list_pool_at(const crn_list_pool *pool, uint32_t first)
{
    return (uint8_t *)pool->items + first * pool->element;
}

static bool list_pool_take(crn_list_pool *pool, uint32_t class, uint32_t *first)
{
    if (pool->vacant[class]) {
        *first = pool->vacant[class] - 1;
        memcpy(&pool->vacant[class], list_pool_at(pool, *first), sizeof pool->vacant[class]);
        return true;
    }
    size_t size = crn_list_class_size(class);
    if (pool->count + size > UINT32_MAX || !crn_grow(pool->context, &pool->items, &pool->capacity,
                                                     pool->count + size, pool->element)) {
        return false;
    }
    *first = (uint32_t)pool->count;
    pool->count += size;
    return true;
}

bool crn_list_pool_set(crn_list_pool *pool, crn_list *list, const void *from, uint32_t count)
{
    uint32_t before = list_pool_class(pool, list->count), class = list_pool_class(pool, count),
             first = list->first;
    bool moves = !list->count || !count || before != class;
    if (moves && count && !list_pool_take(pool, class, &first)) return false;
    if (moves && list->count) {
        memcpy(list_pool_at(pool, list->first), &pool->vacant[before], sizeof pool->vacant[before]);
        pool->vacant[before] = list->first + 1;
    }
    if (count) memcpy(list_pool_at(pool, first), from, count * pool->element);
    *list = (crn_list){count ? first : 0, count};
    return true;
}

bool crn_lists_open(crn_lists *lists, cairn_context *context, uint32_t count, size_t element)
{
    *lists = (crn_lists){.count = count};
    crn_list_pool_open(&lists->pool, context, element);
    lists->lists = crn_alloc_zero(context, crn_mul_size(count, sizeof *lists->lists));
    if (!lists->lists) lists->count = 0;
    return lists->lists;
}

void crn_lists_close(crn_lists *lists)
{
    if (!lists->pool.context) return;
    crn_list_pool_close(&lists->pool);
    crn_free(lists->pool.context, lists->lists, lists->count * sizeof *lists->lists);
    *lists = (crn_lists){0};
}

size_t crn_lists_bytes(const crn_lists *lists)
{
    return lists->pool.capacity * lists->pool.element + lists->count * sizeof *lists->lists;
}
