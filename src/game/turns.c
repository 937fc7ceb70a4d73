/* turns.c: whose turn is next. See turns.h. */
#include "game/turns.h"

bool crn_turns_reserve(crn_turns *turns, crn_scratch *memory, size_t need)
{
    void *entries = turns->entries;
    bool ok = crn_scratch_grow(memory, &entries, &turns->capacity, need, sizeof *turns->entries);
    turns->entries = entries;
    return ok;
}

void crn_turns_free(crn_turns *turns, crn_scratch *memory)
{
    crn_scratch_free(memory, turns->entries, turns->capacity * sizeof *turns->entries);
    *turns = (crn_turns){0};
}

static bool turns_before(const crn_turn *a, const crn_turn *b)
{
    return a->key < b->key || (a->key == b->key && a->tie < b->tie);
}

static void turns_put(crn_turns *turns, uint32_t *places, size_t at, crn_turn turn)
{
    turns->entries[at] = turn;
    places[turn.item] = (uint32_t)at;
}

static void turns_raise(crn_turns *turns, uint32_t *places, size_t at, crn_turn turn)
{
    while (at && turns_before(&turn, &turns->entries[(at - 1) / 2])) {
        turns_put(turns, places, at, turns->entries[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    turns_put(turns, places, at, turn);
}

static void turns_sink(crn_turns *turns, uint32_t *places, size_t at, crn_turn turn)
{
    for (size_t child; (child = 2 * at + 1) < turns->count; at = child) {
        if (child + 1 < turns->count &&
            turns_before(&turns->entries[child + 1], &turns->entries[child]))
            child++;
        if (!turns_before(&turns->entries[child], &turn)) break;
        turns_put(turns, places, at, turns->entries[child]);
    }
    turns_put(turns, places, at, turn);
}

void crn_turns_add(crn_turns *turns, uint32_t *places, crn_turn turn)
{
    turns_raise(turns, places, turns->count++, turn);
}

void crn_turns_remove(crn_turns *turns, uint32_t *places, uint32_t item)
{
    size_t at = places[item];
    if (at == CRN_NO_TURN) return;
    places[item] = CRN_NO_TURN;
    crn_turn last = turns->entries[--turns->count];
    if (at == turns->count) return;
    if (at && turns_before(&last, &turns->entries[(at - 1) / 2])) {
        turns_raise(turns, places, at, last);
    } else {
        turns_sink(turns, places, at, last);
    }
}
