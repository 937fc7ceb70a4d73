/* sorted_array.c: an open list that is an array, least last.
 *
 * A pop takes the last entry without a comparison. A push finds the place of the entry by O(log n)
 * comparisons, and moves all that come behind it: O(n), a chunk at a time. Each entry of the array
 * is the number of an item, so that four bytes are moved. An entry cannot be found by its state: a
 * state that becomes cheaper is pushed again. Source: thesis of B. Anguelov, section 5.3.3; lecture
 * slides, "Pathfinding Lists". */
#include "open/open_check.h"
#include "open/strict_lists.h"

#define SORTED_ARRAY_STEPS 16u /* what moving a chunk counts */

static void sorted_array_open(void *list, crn_scratch *scratch)
{
    crn_sorted_array *array = list;
    crn_strict_open(&array->strict, scratch);
}

static void sorted_array_close(void *list)
{
    crn_sorted_array *array = list;
    crn_scratch *scratch = array->strict.scratch;
    for (size_t i = 0; i < array->row_count; i++)
        crn_scratch_free(scratch, array->rows[i], CRN_SORTED_CHUNK * sizeof **array->rows);
    crn_scratch_free(scratch, array->rows, array->row_capacity * sizeof *array->rows);
    crn_strict_close(&array->strict);
    array->rows = NULL;
    array->row_count = array->row_capacity = 0;
}

static cairn_status sorted_array_reset(void *list, const crn_open_range *range)
{
    crn_sorted_array *array = list;
    (void)range;
    crn_strict_reset(&array->strict);
    array->count = array->placed = 0;
    return CAIRN_OK;
}

static uint32_t *sorted_array_at(const crn_sorted_array *array, uint32_t index)
{
    return &array->rows[index / CRN_SORTED_CHUNK][index % CRN_SORTED_CHUNK];
}

/* Room for one more; false = no memory. Made when an entry is pushed: what waits has room. */
static bool sorted_array_grow(crn_sorted_array *array)
{
    if (array->strict.used / CRN_SORTED_CHUNK < array->row_count) return true;
    void *rows = array->rows;
    crn_scratch *scratch = array->strict.scratch;
    if (!crn_scratch_grow(scratch, &rows, &array->row_capacity, array->row_count + 1,
                          sizeof *array->rows)) {
        return false;
    }
    array->rows = rows;
    uint32_t *row = crn_scratch_alloc(scratch, CRN_SORTED_CHUNK * sizeof *row);
    if (row) array->rows[array->row_count++] = row;
    return row;
}

static void sorted_array_push(void *list, crn_open_entry entry)
{
    crn_sorted_array *array = list;
    if (sorted_array_grow(array)) crn_strict_wait(&array->strict, entry);
}

/* Where an item belongs: behind all that come after it. */
static uint32_t sorted_array_find(crn_sorted_array *array, uint32_t number)
{
    const crn_strict_item *item = crn_strict_at(&array->strict, number);
    uint32_t low = 0, high = array->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint32_t other = *sorted_array_at(array, middle);
        if (crn_strict_before(&array->strict, item, crn_strict_at(&array->strict, other)))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Moves what lies behind the hole in one chunk, the last one first; with the chunk of the hole, the
 * item gets its place. */
static void sorted_array_move(crn_sorted_array *array)
{
    uint32_t first = array->chunk * CRN_SORTED_CHUNK, end = first + CRN_SORTED_CHUNK - 1;
    if (array->hole > first) first = array->hole;
    if (end >= array->count) {
        end = array->count;
    } else {
        *sorted_array_at(array, end + 1) = *sorted_array_at(array, end);
    }
    uint32_t *row = sorted_array_at(array, first);
    memmove(row + 1, row, (end - first) * sizeof *row);
    if (array->chunk-- > array->hole / CRN_SORTED_CHUNK) return;
    *row = array->placed;
    array->placed = 0;
    array->count++;
}

static bool sorted_array_work(void *list, uint32_t steps)
{
    crn_sorted_array *array = list;
    for (uint32_t done = 0; done < steps; done += SORTED_ARRAY_STEPS) {
        if (!array->placed) {
            if (!array->strict.waiting.first) return true;
            array->placed = crn_strict_waited(&array->strict);
            array->hole = sorted_array_find(array, array->placed);
            array->chunk = array->count / CRN_SORTED_CHUNK;
        }
        sorted_array_move(array);
    }
    return !array->placed && !array->strict.waiting.first;
}

static bool sorted_array_pop(void *list, uint32_t *state)
{
    crn_sorted_array *array = list;
    while (!sorted_array_work(list, CRN_OPEN_STEPS)) {
    }
    if (!array->count) return false;
    uint32_t number = *sorted_array_at(array, --array->count);
    *state = crn_strict_at(&array->strict, number)->state;
    crn_strict_give(&array->strict, number);
    return true;
}

static size_t sorted_array_bytes(const void *list)
{
    const crn_sorted_array *array = list;
    return crn_strict_bytes(&array->strict) + array->strict.peak * sizeof(uint32_t);
}

const crn_open_functions crn_open_sorted_array = {.size = sizeof(crn_sorted_array),
                                                  .open = sorted_array_open,
                                                  .close = sorted_array_close,
                                                  .reset = sorted_array_reset,
                                                  .push = sorted_array_push,
                                                  .pop = sorted_array_pop,
                                                  .work = sorted_array_work,
                                                  .compares = crn_strict_compares,
                                                  .bytes = sorted_array_bytes,
                                                  .check = CRN_CHECKED(crn_sorted_array_check)};
