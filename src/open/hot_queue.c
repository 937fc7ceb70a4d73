/* hot_queue.c: an open list that is a HOT queue: a heap on top of buckets of several levels.
 *
 * A key is seen as digits of six bits. All keys in buckets are no less than the *base*. A key lies
 * on the level of the highest digit in which it differs from the base, in the bucket of its own
 * digit there. So the least keys are in the first bucket of the lowest level in use. To pop, that
 * bucket is opened and the base becomes its least possible key. If it has many entries, they are
 * spread over the levels below. If they are few, that would cost more than it saves: the bucket
 * becomes *active*, and its entries are sorted by a heap. New keys in the range of the active
 * bucket go on the heap too; when it has too many, its entries are spread after all.
 *
 * The published queue takes keys that do not fall below the last one taken. Those that do, as in
 * weighted A*, go on a second heap here, which is emptied first. A bucket of the lowest level,
 * where all keys are equal, is sorted by the heap as well, because the second numbers matter. An
 * entry cannot be found by its state: a state that becomes cheaper is pushed again.
 *
 * Sources: Cherkassky, Goldberg and Silverstein, "Buckets, Heaps, Lists, and Monotone Priority
 * Queues", 1997; lecture slides, "Pathfinding Lists". */
#include "open/open_check.h"
#include "open/strict_lists.h"

#define HOT_QUEUE_FEW 32u   /* entries that are worth a heap */
#define HOT_QUEUE_STEPS 10u /* what a push on a heap counts */

static void hot_queue_open(void *list, crn_scratch *scratch)
{
    crn_hot_queue *queue = list;
    crn_strict_open(&queue->strict, scratch);
    crn_indexed_open(&queue->top, scratch);
    crn_indexed_open(&queue->late, scratch);
    queue->top.plain = queue->late.plain = true;
}

static void hot_queue_close(void *list)
{
    crn_hot_queue *queue = list;
    crn_strict_close(&queue->strict);
    crn_indexed_close(&queue->top);
    crn_indexed_close(&queue->late);
}

static cairn_status hot_queue_reset(void *list, const crn_open_range *range)
{
    crn_hot_queue *queue = list;
    crn_strict_reset(&queue->strict);
    crn_indexed_reset(&queue->top, NULL);
    crn_indexed_reset(&queue->late, NULL);
    queue->base = range ? range->first : 0;
    queue->width = queue->moving = 0;
    memset(queue->used, 0, sizeof queue->used);
    return CAIRN_OK;
}

/* Puts an item into the bucket of its key. */
static void hot_queue_sort(crn_hot_queue *queue, uint32_t number)
{
    crn_strict_item *item = crn_strict_at(&queue->strict, number);
    uint64_t differs = item->key ^ queue->base;
    uint32_t level = differs ? crn_highest_bit(differs) / CRN_HOT_BITS : 0;
    uint32_t digit = item->key >> level * CRN_HOT_BITS & (CRN_HOT_BUCKETS - 1);
    uint32_t *head = &queue->heads[level][digit], *count = &queue->counts[level][digit];
    if (!(queue->used[level] >> digit & 1)) *head = *count = 0;
    queue->used[level] |= UINT64_C(1) << digit;
    item->right = *head;
    *head = number;
    ++*count;
}

/* Spreads the active bucket: it has too many entries for a heap. */
static void hot_queue_spread(crn_hot_queue *queue)
{
    for (uint32_t i = 1; i <= queue->top.strict.used; i++) {
        uint32_t number = crn_strict_take(&queue->strict);
        if (!number) return;
        *crn_strict_at(&queue->strict, number) = *crn_strict_at(&queue->top.strict, i);
        hot_queue_sort(queue, number);
    }
    queue->top.strict.used = 0;
    queue->width = 0;
    queue->active = false; /* what is still to be moved goes there, too */
}

static void hot_queue_push(void *list, crn_open_entry entry)
{
    crn_hot_queue *queue = list;
    uint32_t number = crn_strict_take(&queue->strict);
    if (!number) return;
    crn_strict_fill(&queue->strict, number, entry);
    bool late = entry.key < queue->base;
    if (!late && entry.key - queue->base >= queue->width) {
        hot_queue_sort(queue, number);
        return;
    }
    crn_indexed_put(late ? &queue->late : &queue->top, crn_strict_at(&queue->strict, number));
    crn_strict_give(&queue->strict, number);
    if (queue->top.strict.used > HOT_QUEUE_FEW && queue->width > 1) hot_queue_spread(queue);
}

/* Opens the bucket of the least keys; false if all are empty. */
static bool hot_queue_open_bucket(crn_hot_queue *queue)
{
    uint32_t level = 0;
    while (level < CRN_HOT_LEVELS && !queue->used[level]) level++;
    if (level == CRN_HOT_LEVELS) return false;
    uint32_t digit = crn_lowest_bit(queue->used[level]), shift = level * CRN_HOT_BITS;
    queue->used[level] &= queue->used[level] - 1;
    queue->moving = queue->heads[level][digit];
    queue->active = !level || queue->counts[level][digit] <= HOT_QUEUE_FEW;
    uint64_t above = level + 1 < CRN_HOT_LEVELS ? ~UINT64_C(0) << (shift + CRN_HOT_BITS) : 0;
    queue->base = (queue->base & above) | (uint64_t)digit << shift;
    queue->width = queue->active ? UINT64_C(1) << shift : 0;
    return true;
}

static void hot_queue_move(crn_hot_queue *queue)
{
    uint32_t number = queue->moving;
    const crn_strict_item *item = crn_strict_at(&queue->strict, number);
    queue->moving = item->right;
    if (!queue->active) {
        hot_queue_sort(queue, number);
        return;
    }
    crn_indexed_put(&queue->top, item);
    crn_strict_give(&queue->strict, number);
}

static bool hot_queue_work(void *list, uint32_t steps)
{
    crn_hot_queue *queue = list;
    for (uint32_t done = 0; done < steps; done += queue->active ? HOT_QUEUE_STEPS : 1) {
        if (queue->moving)
            hot_queue_move(queue);
        else if (queue->late.strict.used || queue->top.strict.used || !hot_queue_open_bucket(queue))
            return true;
    }
    return false;
}

static bool hot_queue_pop(void *list, uint32_t *state)
{
    crn_hot_queue *queue = list;
    while (!hot_queue_work(list, CRN_OPEN_STEPS)) {
    }
    return crn_indexed_pop(queue->late.strict.used ? &queue->late : &queue->top, state);
}

static uint64_t hot_queue_compares(const void *list)
{
    const crn_hot_queue *queue = list;
    return queue->top.strict.compares + queue->late.strict.compares;
}

static size_t hot_queue_bytes(const void *list)
{
    const crn_hot_queue *queue = list;
    return crn_strict_bytes(&queue->strict) + crn_indexed_bytes(&queue->top) +
           crn_indexed_bytes(&queue->late);
}

const crn_open_functions crn_open_hot_queue = {.size = sizeof(crn_hot_queue),
                                               .open = hot_queue_open,
                                               .close = hot_queue_close,
                                               .reset = hot_queue_reset,
                                               .push = hot_queue_push,
                                               .pop = hot_queue_pop,
                                               .work = hot_queue_work,
                                               .compares = hot_queue_compares,
                                               .bytes = hot_queue_bytes,
                                               .check = CRN_CHECKED(crn_hot_queue_check)};
