/* sorted_list.c: an open list that is a linked list, least first.
 *
 * A pop takes the first entry without a comparison. A push, or a change, walks from the front to
 * the place of the entry, O(n) comparisons, some at a time: the better the key, the fewer. Source:
 * thesis of B. Anguelov, section 5.3.3, lecture slides, "Pathfinding Lists". */
#include "open/open_check.h"
#include "open/strict_lists.h"

static void sorted_list_open(void *list, crn_scratch *scratch)
{
    crn_sorted_list *sorted = list;
    crn_strict_open(&sorted->strict, scratch);
    crn_members_open(&sorted->members, scratch);
}

static void sorted_list_close(void *list)
{
    crn_sorted_list *sorted = list;
    crn_strict_close(&sorted->strict);
    crn_members_close(&sorted->members);
}

static cairn_status sorted_list_reset(void *list, const crn_open_range *range)
{
    crn_sorted_list *sorted = list;
    crn_strict_reset(&sorted->strict);
    sorted->chain = (crn_strict_chain){0, 0};
    sorted->walking = false;
    return crn_members_reset(&sorted->members, range ? range->places : NULL);
}

/* Takes an item out of the list, or from those that wait: out of the chain that it ends, if it is
 * the end of one. */
static void sorted_list_unlink(crn_sorted_list *sorted, uint32_t number)
{
    const crn_strict_chain *waiting = &sorted->strict.waiting;
    bool waits = waiting->first == number || waiting->last == number;
    crn_strict_unlink(&sorted->strict, waits ? &sorted->strict.waiting : &sorted->chain, number);
    sorted->walking = false;
}

static void sorted_list_push(void *list, crn_open_entry entry)
{
    crn_sorted_list *sorted = list;
    crn_strict *strict = &sorted->strict;
    if (strict->scratch->failed) return;
    uint32_t number = crn_members_place(&sorted->members, entry.state);
    if (number) {
        sorted_list_unlink(sorted, number);
        crn_strict_fill(strict, number, entry);
        crn_strict_link(strict, &strict->waiting, number, 0);
        return;
    }
    number = crn_strict_wait(strict, entry);
    if (!number || crn_members_set(&sorted->members, entry.state, number)) return;
    sorted_list_unlink(sorted, number);
    crn_strict_give(strict, number);
}

static bool sorted_list_work(void *list, uint32_t steps)
{
    crn_sorted_list *sorted = list;
    crn_strict *strict = &sorted->strict;
    for (; steps && strict->waiting.first; steps--) {
        uint32_t number = strict->waiting.first;
        if (!sorted->walking) sorted->at = sorted->chain.first;
        sorted->walking = true;
        const crn_strict_item *at = sorted->at ? crn_strict_at(strict, sorted->at) : NULL;
        if (at && crn_strict_before(strict, at, crn_strict_at(strict, number))) {
            sorted->at = at->right;
            continue;
        }
        crn_strict_waited(strict);
        crn_strict_link(strict, &sorted->chain, number, sorted->at);
        sorted->walking = false;
    }
    return !strict->waiting.first;
}

static void sorted_list_take(crn_sorted_list *sorted, uint32_t number)
{
    crn_members_drop(&sorted->members, crn_strict_at(&sorted->strict, number)->state);
    sorted_list_unlink(sorted, number);
    crn_strict_give(&sorted->strict, number);
}

static bool sorted_list_pop(void *list, uint32_t *state)
{
    crn_sorted_list *sorted = list;
    while (!sorted_list_work(list, CRN_OPEN_STEPS)) {
    }
    uint32_t number = sorted->chain.first;
    if (!number) return false;
    *state = crn_strict_at(&sorted->strict, number)->state;
    sorted_list_take(sorted, number);
    return true;
}

static bool sorted_list_remove(void *list, uint32_t state)
{
    crn_sorted_list *sorted = list;
    uint32_t number = crn_members_place(&sorted->members, state);
    if (number) sorted_list_take(sorted, number);
    return number;
}

static size_t sorted_list_bytes(const void *list)
{
    const crn_sorted_list *sorted = list;
    return crn_strict_bytes(&sorted->strict) + crn_members_bytes(&sorted->members);
}

const crn_open_functions crn_open_sorted_list = {.size = sizeof(crn_sorted_list),
                                                 .open = sorted_list_open,
                                                 .close = sorted_list_close,
                                                 .reset = sorted_list_reset,
                                                 .push = sorted_list_push,
                                                 .pop = sorted_list_pop,
                                                 .remove = sorted_list_remove,
                                                 .update = sorted_list_push,
                                                 .work = sorted_list_work,
                                                 .compares = crn_strict_compares,
                                                 .bytes = sorted_list_bytes,
                                                 .check = CRN_CHECKED(crn_sorted_list_check)};
