/* open.c: the open lists with functions of their own as plugs. See open.h. */
#include "open/open_check.h"
#include "open/open.h"
#include "open/buckets.h"
#include "open/chain.h"
#include "open/heap.h"
#include "open/indexed.h"

/* ---- heap ---- */

static void open_heap_open(void *list, crn_scratch *scratch)
{
    crn_heap_open(list, scratch);
}

static void open_heap_close(void *list)
{
    crn_heap_close(list);
}

static cairn_status open_heap_reset(void *list, const crn_open_range *range)
{
    (void)range;
    crn_heap_reset(list);
    return CAIRN_OK;
}

static void open_heap_push(void *list, crn_open_entry entry)
{
    crn_heap_push(list, entry.key, (uint32_t)entry.second, entry.state);
}

static bool open_heap_pop(void *list, uint32_t *state)
{
    return crn_heap_pop(list, state);
}

static bool open_heap_least(const void *list, crn_open_entry *entry)
{
    return crn_heap_first(list, &entry->key, &entry->second, &entry->state);
}

#if defined(CAIRN_CHECKS)
static const char *open_heap_check(const void *list)
{
    return crn_heap_check(list);
}

static uint64_t open_heap_compares(const void *list)
{
    return ((const crn_heap *)list)->compares;
}
#endif

static size_t open_heap_bytes(const void *list)
{
    return crn_heap_bytes(list);
}

const crn_open_functions crn_open_heap = {.size = sizeof(crn_heap),
                                          .open = open_heap_open,
                                          .close = open_heap_close,
                                          .reset = open_heap_reset,
                                          .push = open_heap_push,
                                          .pop = open_heap_pop,
                                          .least = open_heap_least,
                                          .bytes = open_heap_bytes,
                                          .compares = CRN_CHECKED(open_heap_compares),
                                          .check = CRN_CHECKED(open_heap_check)};

/* ---- buckets ---- */

static void open_buckets_open(void *list, crn_scratch *scratch)
{
    crn_buckets_open(list, scratch);
}

static void open_buckets_close(void *list)
{
    crn_buckets_close(list);
}

static cairn_status open_buckets_reset(void *list, const crn_open_range *range)
{
    cairn_status status = crn_buckets_reset(list, crn_highest_bit(range->step | 1), range->span);
    if (status == CAIRN_OK) crn_buckets_begin_at(list, range->first);
    return status;
}

static void open_buckets_push(void *list, crn_open_entry entry)
{
    crn_buckets_push(list, entry.key, entry.state);
}

static bool open_buckets_pop(void *list, uint32_t *state)
{
    while (!crn_buckets_pop(list, state)) {
        if (!crn_buckets_advance(list)) return false;
    }
    return true;
}

#if defined(CAIRN_CHECKS)
static const char *open_buckets_check(const void *list)
{
    return crn_buckets_check(list);
}
#endif

static size_t open_buckets_bytes(const void *list)
{
    return crn_buckets_bytes(list);
}

const crn_open_functions crn_open_buckets = {.size = sizeof(crn_buckets),
                                             .open = open_buckets_open,
                                             .close = open_buckets_close,
                                             .reset = open_buckets_reset,
                                             .push = open_buckets_push,
                                             .pop = open_buckets_pop,
                                             .bytes = open_buckets_bytes,
                                             .check = CRN_CHECKED(open_buckets_check)};

/* ---- queue and stack ---- */

static void open_chain_open(void *list, crn_scratch *scratch)
{
    crn_chain_open(list, scratch);
}

static void open_chain_close(void *list)
{
    crn_chain_close(list);
}

static cairn_status open_chain_reset(void *list, const crn_open_range *range)
{
    (void)range;
    crn_chain_reset(list);
    return CAIRN_OK;
}

static void open_queue_push(void *list, crn_open_entry entry)
{
    crn_chain_push_last(list, entry.state);
}

static bool open_queue_pop(void *list, uint32_t *state)
{
    return crn_chain_pop_queue(list, state);
}

static void open_stack_push(void *list, crn_open_entry entry)
{
    crn_chain_push_first(list, entry.state);
}

static bool open_stack_pop(void *list, uint32_t *state)
{
    return crn_chain_pop_first(list, state);
}

#if defined(CAIRN_CHECKS)
static const char *open_chain_check(const void *list)
{
    return crn_chain_check(list);
}
#endif

static size_t open_chain_bytes(const void *list)
{
    return crn_chain_bytes(list);
}

const crn_open_functions crn_open_queue = {.size = sizeof(crn_chain),
                                           .open = open_chain_open,
                                           .close = open_chain_close,
                                           .reset = open_chain_reset,
                                           .push = open_queue_push,
                                           .pop = open_queue_pop,
                                           .bytes = open_chain_bytes,
                                           .check = CRN_CHECKED(open_chain_check)};

const crn_open_functions crn_open_stack = {.size = sizeof(crn_chain),
                                           .open = open_chain_open,
                                           .close = open_chain_close,
                                           .reset = open_chain_reset,
                                           .push = open_stack_push,
                                           .pop = open_stack_pop,
                                           .bytes = open_chain_bytes,
                                           .check = CRN_CHECKED(open_chain_check)};

/* ---- the heap that knows places ---- */

static void open_indexed_open(void *list, crn_scratch *scratch)
{
    crn_indexed_open(list, scratch);
}

static void open_indexed_close(void *list)
{
    crn_indexed_close(list);
}

static cairn_status open_indexed_reset(void *list, const crn_open_range *range)
{
    return crn_indexed_reset(list, range ? range->places : NULL);
}

static void open_indexed_push(void *list, crn_open_entry entry)
{
    crn_indexed_push(list, entry);
}

static bool open_indexed_pop(void *list, uint32_t *state)
{
    return crn_indexed_pop(list, state);
}

static bool open_indexed_remove(void *list, uint32_t state)
{
    return crn_indexed_remove(list, state);
}

static bool open_indexed_least(const void *list, crn_open_entry *entry)
{
    return crn_indexed_least(list, entry);
}

static size_t open_indexed_bytes(const void *list)
{
    return crn_indexed_bytes(list);
}

const crn_open_functions crn_open_indexed = {.size = sizeof(crn_indexed),
                                             .open = open_indexed_open,
                                             .close = open_indexed_close,
                                             .reset = open_indexed_reset,
                                             .push = open_indexed_push,
                                             .pop = open_indexed_pop,
                                             .remove = open_indexed_remove,
                                             .update = open_indexed_push,
                                             .least = open_indexed_least,
                                             .compares = crn_strict_compares,
                                             .bytes = open_indexed_bytes,
                                             .check = CRN_CHECKED(crn_indexed_check)};
