/* unsorted_list.c: an open list that is a linked list in no order.
 *
 * A push and a change take no comparison; a pop looks at all n entries, some at a time. Source:
 * thesis of B. Anguelov, section 5.3.3, lecture slides, "Pathfinding Lists". */
#include "open/open_check.h"
#include "open/strict_lists.h"

static void unsorted_list_open(void *list, crn_scratch *scratch)
{
    crn_unsorted_list *unsorted = list;
    crn_strict_open(&unsorted->strict, scratch);
    crn_members_open(&unsorted->members, scratch);
}

static void unsorted_list_close(void *list)
{
    crn_unsorted_list *unsorted = list;
    crn_strict_close(&unsorted->strict);
    crn_members_close(&unsorted->members);
}

/* The search for the least one begins again. */
static void unsorted_list_forget(crn_unsorted_list *unsorted)
{
    unsorted->best = 0;
    unsorted->at = unsorted->chain.first;
}

static cairn_status unsorted_list_reset(void *list, const crn_open_range *range)
{
    crn_unsorted_list *unsorted = list;
    crn_strict_reset(&unsorted->strict);
    unsorted->chain = (crn_strict_chain){0, 0};
    unsorted_list_forget(unsorted);
    return crn_members_reset(&unsorted->members, range ? range->places : NULL);
}

static void unsorted_list_push(void *list, crn_open_entry entry)
{
    crn_unsorted_list *unsorted = list;
    if (unsorted->strict.scratch->failed) return;
    uint32_t number = crn_members_place(&unsorted->members, entry.state);
    if (!number) {
        number = crn_strict_take(&unsorted->strict);
        if (!number) return;
        if (!crn_members_set(&unsorted->members, entry.state, number)) {
            crn_strict_give(&unsorted->strict, number);
            return;
        }
        crn_strict_link(&unsorted->strict, &unsorted->chain, number, unsorted->chain.first);
    }
    crn_strict_fill(&unsorted->strict, number, entry);
    unsorted_list_forget(unsorted);
}

static void unsorted_list_take(crn_unsorted_list *unsorted, uint32_t number)
{
    crn_members_drop(&unsorted->members, crn_strict_at(&unsorted->strict, number)->state);
    crn_strict_unlink(&unsorted->strict, &unsorted->chain, number);
    crn_strict_give(&unsorted->strict, number);
    unsorted_list_forget(unsorted);
}

static bool unsorted_list_work(void *list, uint32_t steps)
{
    crn_unsorted_list *unsorted = list;
    crn_strict *strict = &unsorted->strict;
    const crn_strict_item *best = unsorted->best ? crn_strict_at(strict, unsorted->best) : NULL;
    for (; unsorted->at && steps; steps--) {
        const crn_strict_item *item = crn_strict_at(strict, unsorted->at);
        if (!best || crn_strict_before(strict, item, best)) {
            best = item;
            unsorted->best = unsorted->at;
        }
        unsorted->at = item->right;
    }
    return !unsorted->at;
}

static bool unsorted_list_pop(void *list, uint32_t *state)
{
    crn_unsorted_list *unsorted = list;
    while (!unsorted_list_work(list, CRN_OPEN_STEPS)) {
    }
    if (!unsorted->best) return false;
    *state = crn_strict_at(&unsorted->strict, unsorted->best)->state;
    unsorted_list_take(unsorted, unsorted->best);
    return true;
}

static bool unsorted_list_remove(void *list, uint32_t state)
{
    crn_unsorted_list *unsorted = list;
    uint32_t number = crn_members_place(&unsorted->members, state);
    if (number) unsorted_list_take(unsorted, number);
    return number;
}

static size_t unsorted_list_bytes(const void *list)
{
    const crn_unsorted_list *unsorted = list;
    return crn_strict_bytes(&unsorted->strict) + crn_members_bytes(&unsorted->members);
}

const crn_open_functions crn_open_unsorted_list = {.size = sizeof(crn_unsorted_list),
                                                   .open = unsorted_list_open,
                                                   .close = unsorted_list_close,
                                                   .reset = unsorted_list_reset,
                                                   .push = unsorted_list_push,
                                                   .pop = unsorted_list_pop,
                                                   .remove = unsorted_list_remove,
                                                   .update = unsorted_list_push,
                                                   .work = unsorted_list_work,
                                                   .compares = crn_strict_compares,
                                                   .bytes = unsorted_list_bytes,
                                                   .check = CRN_CHECKED(crn_unsorted_list_check)};
