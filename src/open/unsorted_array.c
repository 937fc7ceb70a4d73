/* unsorted_array.c: an open list that is an array in no order.
 *
 * A push and a change take no comparison; a pop looks at all n entries, some at a time, and moves
 * the last one into the gap. Source: thesis of B. Anguelov, section 5.3.3; lecture slides,
 * "Pathfinding Lists". */
#include "open/open_check.h"
#include "open/strict_lists.h"

static void unsorted_array_open(void *list, crn_scratch *scratch)
{
    crn_unsorted_array *array = list;
    crn_strict_open(&array->strict, scratch);
    crn_members_open(&array->members, scratch);
}

static void unsorted_array_close(void *list)
{
    crn_unsorted_array *array = list;
    crn_strict_close(&array->strict);
    crn_members_close(&array->members);
}

static cairn_status unsorted_array_reset(void *list, const crn_open_range *range)
{
    crn_unsorted_array *array = list;
    crn_strict_reset(&array->strict);
    array->best = array->at = 0;
    return crn_members_reset(&array->members, range ? range->places : NULL);
}

static void unsorted_array_push(void *list, crn_open_entry entry)
{
    crn_unsorted_array *array = list;
    if (array->strict.scratch->failed) return;
    uint32_t place = crn_members_place(&array->members, entry.state);
    if (!place) {
        place = crn_strict_add(&array->strict);
        if (!place) return;
        if (!crn_members_set(&array->members, entry.state, place)) {
            array->strict.used--;
            return;
        }
    }
    crn_strict_fill(&array->strict, place, entry);
    array->best = array->at = 0;
}

static void unsorted_array_take(crn_unsorted_array *array, uint32_t place)
{
    crn_strict_item *item = crn_strict_at(&array->strict, place);
    crn_members_drop(&array->members, item->state);
    uint32_t last = array->strict.used--;
    if (place != last) {
        *item = *crn_strict_at(&array->strict, last);
        crn_members_set(&array->members, item->state, place);
    }
    array->best = array->at = 0;
}

static bool unsorted_array_work(void *list, uint32_t steps)
{
    crn_unsorted_array *array = list;
    crn_strict *strict = &array->strict;
    uint32_t end = strict->used - array->at > steps ? array->at + steps : strict->used;
    const crn_strict_item *best = array->best ? crn_strict_at(strict, array->best) : NULL;
    while (array->at < end) {
        const crn_strict_item *item = crn_strict_at(strict, ++array->at);
        if (best && !crn_strict_before(strict, item, best)) continue;
        best = item;
        array->best = array->at;
    }
    return end == strict->used;
}

static bool unsorted_array_pop(void *list, uint32_t *state)
{
    crn_unsorted_array *array = list;
    if (!array->strict.used) return false;
    while (!unsorted_array_work(list, CRN_OPEN_STEPS)) {
    }
    *state = crn_strict_at(&array->strict, array->best)->state;
    unsorted_array_take(array, array->best);
    return true;
}

static bool unsorted_array_remove(void *list, uint32_t state)
{
    crn_unsorted_array *array = list;
    uint32_t place = crn_members_place(&array->members, state);
    if (place) unsorted_array_take(array, place);
    return place;
}

static size_t unsorted_array_bytes(const void *list)
{
    const crn_unsorted_array *array = list;
    return crn_strict_bytes(&array->strict) + crn_members_bytes(&array->members);
}

const crn_open_functions crn_open_unsorted_array = {.size = sizeof(crn_unsorted_array),
                                                    .open = unsorted_array_open,
                                                    .close = unsorted_array_close,
                                                    .reset = unsorted_array_reset,
                                                    .push = unsorted_array_push,
                                                    .pop = unsorted_array_pop,
                                                    .remove = unsorted_array_remove,
                                                    .update = unsorted_array_push,
                                                    .work = unsorted_array_work,
                                                    .compares = crn_strict_compares,
                                                    .bytes = unsorted_array_bytes,
                                                    .check = CRN_CHECKED(crn_unsorted_array_check)};
