/* strict.c: entries of the open lists that sort strictly. See strict.h. */
#include "open/strict.h"

void crn_strict_open(crn_strict *list, crn_scratch *scratch)
{
    *list = (crn_strict){.scratch = scratch};
}

void crn_strict_close(crn_strict *list)
{
    for (size_t i = 0; i < list->chunk_count; i++)
        crn_scratch_free(list->scratch, list->chunks[i], CRN_STRICT_CHUNK * sizeof **list->chunks);
    crn_scratch_free(list->scratch, list->chunks, list->chunk_capacity * sizeof *list->chunks);
    crn_strict_open(list, list->scratch);
}

void crn_strict_reset(crn_strict *list)
{
    list->used = list->peak = list->spare = list->pushed = 0;
    list->waiting = (crn_strict_chain){0, 0};
    list->compares = 0;
}

size_t crn_strict_bytes(const crn_strict *list)
{
    return (size_t)list->peak * sizeof(crn_strict_item);
}

static bool strict_add_chunk(crn_strict *list)
{
    void *chunks = list->chunks;
    if (!crn_scratch_grow(list->scratch, &chunks, &list->chunk_capacity, list->chunk_count + 1,
                          sizeof *list->chunks)) {
        return false;
    }
    list->chunks = chunks;
    crn_strict_item *chunk = crn_scratch_alloc(list->scratch, CRN_STRICT_CHUNK * sizeof *chunk);
    if (!chunk) return false;
    list->chunks[list->chunk_count++] = chunk;
    return true;
}

uint32_t crn_strict_add(crn_strict *list)
{
    uint32_t number = list->used + 1;
    if (number / CRN_STRICT_CHUNK >= list->chunk_count && !strict_add_chunk(list)) return 0;
    if (number > list->peak) list->peak = number;
    return list->used = number;
}

uint32_t crn_strict_take(crn_strict *list)
{
    uint32_t number = list->spare;
    if (!number) return crn_strict_add(list);
    list->spare = crn_strict_at(list, number)->right;
    return number;
}

void crn_strict_give(crn_strict *list, uint32_t number)
{
    crn_strict_at(list, number)->right = list->spare;
    list->spare = number;
}

void crn_strict_fill(crn_strict *list, uint32_t number, crn_open_entry entry)
{
    crn_strict_item *item = crn_strict_at(list, number);
    item->key = entry.key;
    item->second = entry.second;
    item->state = entry.state;
    item->order = UINT32_MAX - list->pushed++;
}

void crn_strict_link(const crn_strict *list, crn_strict_chain *chain, uint32_t number,
                     uint32_t before)
{
    crn_strict_item *item = crn_strict_at(list, number);
    item->right = before;
    item->left = before ? crn_strict_at(list, before)->left : chain->last;
    *(before ? &crn_strict_at(list, before)->left : &chain->last) = number;
    *(item->left ? &crn_strict_at(list, item->left)->right : &chain->first) = number;
}

void crn_strict_unlink(const crn_strict *list, crn_strict_chain *chain, uint32_t number)
{
    const crn_strict_item *item = crn_strict_at(list, number);
    *(item->left ? &crn_strict_at(list, item->left)->right : &chain->first) = item->right;
    *(item->right ? &crn_strict_at(list, item->right)->left : &chain->last) = item->left;
}

uint32_t crn_strict_wait(crn_strict *list, crn_open_entry entry)
{
    uint32_t number = crn_strict_take(list);
    if (!number) return 0;
    crn_strict_fill(list, number, entry);
    crn_strict_link(list, &list->waiting, number, 0);
    return number;
}

uint32_t crn_strict_waited(crn_strict *list)
{
    uint32_t number = list->waiting.first;
    crn_strict_unlink(list, &list->waiting, number);
    crn_strict_at(list, number)->left = crn_strict_at(list, number)->right = 0;
    return number;
}

uint64_t crn_strict_compares(const void *list)
{
    return ((const crn_strict *)list)->compares;
}
