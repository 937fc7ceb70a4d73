/* skip_list.c: an open list that is a skip list: a sorted linked list, with lists above it that
 * have about a quarter of the entries of the one below.
 *
 * A search for the place of an entry begins in the list at the top and goes down a level whenever
 * the next entry comes too late: O(log n) comparisons are expected. A pop takes the first entry of
 * the lowest list, and its copies, which are the first of theirs. How many levels an entry is on is
 * random, from a generator that each query begins with the same seed. An entry cannot be found by
 * its state: a state that becomes cheaper is pushed again. Sources: Pugh, "Skip Lists: A
 * Probabilistic Alternative to Balanced Trees", 1990; lecture slides, "Pathfinding Lists". */
#include "open/open_check.h"
#include "open/strict_lists.h"

#define SKIP_LIST_SEED 2463534242u

static void skip_list_open(void *list, crn_scratch *scratch)
{
    crn_skip_list *skip = list;
    crn_strict_open(&skip->strict, scratch);
}

static void skip_list_close(void *list)
{
    crn_skip_list *skip = list;
    crn_strict_close(&skip->strict);
}

static cairn_status skip_list_reset(void *list, const crn_open_range *range)
{
    crn_skip_list *skip = list;
    (void)range;
    crn_strict_reset(&skip->strict);
    memset(skip->heads, 0, sizeof skip->heads);
    skip->levels = 1;
    skip->seed = SKIP_LIST_SEED;
    skip->searching = false;
    return CAIRN_OK;
}

static void skip_list_push(void *list, crn_open_entry entry)
{
    crn_skip_list *skip = list;
    crn_strict_wait(&skip->strict, entry);
}

/* The link that leaves an item, or the head of a level. */
static uint32_t *skip_list_link(crn_skip_list *skip, uint32_t number, uint32_t level)
{
    return number ? &crn_strict_at(&skip->strict, number)->right : &skip->heads[level];
}

/* On how many levels the next entry is: one more with a chance of a quarter, by Marsaglia's
 * xorshift generator. */
static uint32_t skip_list_height(crn_skip_list *skip)
{
    skip->seed ^= skip->seed << 13;
    skip->seed ^= skip->seed >> 17;
    skip->seed ^= skip->seed << 5;
    return crn_lowest_bit(skip->seed | UINT32_C(1) << 2 * (CRN_SKIP_LEVELS - 1)) / 2 + 1;
}

/* The place of the first that waits is known on each level in use. */
static void skip_list_insert(crn_skip_list *skip)
{
    uint32_t number = crn_strict_waited(&skip->strict), below = 0, height = skip_list_height(skip);
    const crn_strict_item item = *crn_strict_at(&skip->strict, number);
    for (; skip->levels < height; skip->levels++) skip->before[skip->levels] = 0;
    for (uint32_t level = 0; level < height && number; level++) {
        uint32_t *link = skip_list_link(skip, skip->before[level], level);
        crn_strict_item *copy = crn_strict_at(&skip->strict, number);
        *copy = item;
        copy->left = below;
        copy->right = *link;
        *link = below = number;
        if (level + 1 < height) number = crn_strict_take(&skip->strict);
    }
    skip->searching = false;
}

static bool skip_list_work(void *list, uint32_t steps)
{
    crn_skip_list *skip = list;
    crn_strict *strict = &skip->strict;
    for (; steps && strict->waiting.first; steps--) {
        if (!skip->searching) {
            skip->searching = true;
            skip->level = skip->levels - 1;
            skip->at = 0;
        }
        uint32_t next = *skip_list_link(skip, skip->at, skip->level);
        const crn_strict_item *item = crn_strict_at(strict, strict->waiting.first);
        if (next && crn_strict_before(strict, crn_strict_at(strict, next), item)) {
            skip->at = next;
            continue;
        }
        skip->before[skip->level] = skip->at;
        if (skip->level == 0) {
            skip_list_insert(skip);
        } else {
            skip->level--;
            if (skip->at) skip->at = crn_strict_at(strict, skip->at)->left;
        }
    }
    return !strict->waiting.first;
}

static bool skip_list_pop(void *list, uint32_t *state)
{
    crn_skip_list *skip = list;
    crn_strict *strict = &skip->strict;
    while (!skip_list_work(list, CRN_OPEN_STEPS)) {
    }
    if (!skip->heads[0]) return false;
    const crn_strict_item *first = crn_strict_at(strict, skip->heads[0]);
    uint32_t order = first->order;
    *state = first->state;
    for (uint32_t level = 0; level < skip->levels; level++) {
        uint32_t head = skip->heads[level];
        if (!head || crn_strict_at(strict, head)->order != order) break;
        skip->heads[level] = crn_strict_at(strict, head)->right;
        crn_strict_give(strict, head);
    }
    return true;
}

static size_t skip_list_bytes(const void *list)
{
    return crn_strict_bytes(&((const crn_skip_list *)list)->strict);
}

const crn_open_functions crn_open_skip_list = {.size = sizeof(crn_skip_list),
                                               .open = skip_list_open,
                                               .close = skip_list_close,
                                               .reset = skip_list_reset,
                                               .push = skip_list_push,
                                               .pop = skip_list_pop,
                                               .work = skip_list_work,
                                               .compares = crn_strict_compares,
                                               .bytes = skip_list_bytes,
                                               .check = CRN_CHECKED(crn_skip_list_check)};
