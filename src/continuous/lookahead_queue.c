/* lookahead_queue.c: the queue of a look ahead: a tournament tree. See lookahead.h. */
#include "continuous/lookahead.h"

bool crn_local_queue_open(crn_local_queue *queue, crn_scratch *memory, size_t capacity)
{
    size_t sizes[CRN_LOCAL_LEVELS], count = capacity;
    *queue = (crn_local_queue){0};
    do {
        count = (count + CRN_LOCAL_FAN - 1) / CRN_LOCAL_FAN; /* groups */
        sizes[queue->depth] = count * CRN_LOCAL_FAN;
        queue->size += sizes[queue->depth++];
    } while (count > 1);
    uint64_t *keys = crn_scratch_alloc(memory, queue->size * sizeof *keys);
    if (!keys) return false;
    for (uint32_t i = 0; i < queue->depth; keys += sizes[i++]) queue->levels[i] = keys;
    queue->capacity = sizes[0];
    return true;
}

void crn_local_queue_close(crn_local_queue *queue, crn_scratch *memory)
{
    crn_scratch_free(memory, queue->levels[0], queue->size * sizeof *queue->levels[0]);
}

/* The place of the least of some keys; of equal ones, the first. */
static inline uint32_t local_least(const uint64_t *keys, uint32_t count)
{
    uint32_t least = 0;
    for (uint32_t i = 1; i < count; i++) least = keys[i] < keys[least] ? i : least;
    return least;
}

/* A group without keys. */
static void local_queue_begin(uint64_t *keys)
{
    for (uint32_t i = 0; i < CRN_LOCAL_FAN; i++) keys[i] = CRN_LOCAL_NO_KEY;
}

/* Keys of the highest level that are in use. */
static uint32_t local_queue_top(const crn_local_queue *queue)
{
    return (uint32_t)((queue->count - 1) >> 3 * (queue->depth - 1)) + 1;
}

/* Room for twice as many, when all is in use. There may be one more level then. */
static bool local_queue_grow(crn_local_queue *queue, crn_scratch *memory)
{
    crn_local_queue larger;
    size_t count = queue->count;
    if (!crn_local_queue_open(&larger, memory, 2 * queue->capacity)) return false;
    for (uint32_t i = 0; i < queue->depth; i++) {
        count = (count + CRN_LOCAL_FAN - 1) / CRN_LOCAL_FAN; /* groups */
        memcpy(larger.levels[i], queue->levels[i], count * CRN_LOCAL_FAN * sizeof(uint64_t));
    }
    if (larger.depth > queue->depth) {
        const uint64_t *below = queue->levels[queue->depth - 1];
        local_queue_begin(larger.levels[queue->depth]);
        *larger.levels[queue->depth] = below[local_least(below, CRN_LOCAL_FAN)];
    }
    larger.count = queue->count;
    crn_local_queue_close(queue, memory);
    *queue = larger;
    return true;
}

/* Where a group is the first of a group above it, that begins as well. */
bool crn_local_queue_extend(crn_local_queue *queue, crn_scratch *memory)
{
    if (queue->count == queue->capacity && !local_queue_grow(queue, memory)) return false;
    size_t number = queue->count;
    for (uint32_t i = 0; i < queue->depth && number % CRN_LOCAL_FAN == 0; i++) {
        local_queue_begin(&queue->levels[i][number]);
        number /= CRN_LOCAL_FAN;
    }
    queue->count += CRN_LOCAL_FAN;
    queue->top = local_queue_top(queue);
    return true;
}

uint32_t crn_local_queue_first(const crn_local_queue *queue)
{
    uint32_t i = queue->depth - 1, number = local_least(queue->levels[i], queue->top);
    while (i-- > 0) {
        number *= CRN_LOCAL_FAN;
        number += local_least(&queue->levels[i][number], CRN_LOCAL_FAN);
    }
    return queue->levels[0][number] == CRN_LOCAL_NO_KEY ? UINT32_MAX : number;
}

void crn_local_queue_drop(crn_local_queue *queue, uint32_t number)
{
    queue->levels[0][number] = CRN_LOCAL_NO_KEY;
    for (uint32_t i = 1; i < queue->depth; i++) {
        number /= CRN_LOCAL_FAN;
        const uint64_t *keys = &queue->levels[i - 1][number * CRN_LOCAL_FAN];
        uint64_t least = CRN_LOCAL_NO_KEY;
        for (uint32_t k = 0; k < CRN_LOCAL_FAN; k++) least = keys[k] < least ? keys[k] : least;
        queue->levels[i][number] = least;
    }
}
