/* members.c: which states are on an open list, and where. See members.h. */
#include "open/members.h"

void crn_members_open(crn_members *members, crn_scratch *scratch)
{
    *members = (crn_members){.scratch = scratch};
}

void crn_members_close(crn_members *members)
{
    crn_scratch *scratch = members->scratch;
    for (size_t i = 0; i < members->chunk_count; i++)
        crn_scratch_free(scratch, members->chunks[i], CRN_MEMBERS_CHUNK * sizeof(crn_member));
    for (size_t i = 0; i < members->head_count; i++)
        crn_scratch_free(scratch, members->heads[i], CRN_MEMBERS_CHUNK * sizeof(uint32_t));
    crn_scratch_free(scratch, members->chunks, members->chunk_capacity * sizeof *members->chunks);
    crn_scratch_free(scratch, members->heads, members->head_capacity * sizeof *members->heads);
    crn_members_open(members, scratch);
}

size_t crn_members_bytes(const crn_members *members)
{
    if (members->places.of) return 0;
    return members->used * sizeof(crn_member) +
           ((size_t)members->whole + members->split) * sizeof(uint32_t);
}

/* ---- the hash table ---- */

static bool members_add_chunk(crn_members *members)
{
    void *chunks = members->chunks;
    if (!crn_scratch_grow(members->scratch, &chunks, &members->chunk_capacity,
                          members->chunk_count + 1, sizeof *members->chunks)) {
        return false;
    }
    members->chunks = chunks;
    crn_member *chunk = crn_scratch_alloc(members->scratch, CRN_MEMBERS_CHUNK * sizeof *chunk);
    if (!chunk) return false;
    members->chunks[members->chunk_count++] = chunk;
    return true;
}

static bool members_add_heads(crn_members *members)
{
    void *heads = members->heads;
    if (!crn_scratch_grow(members->scratch, &heads, &members->head_capacity,
                          members->head_count + 1, sizeof *members->heads)) {
        return false;
    }
    members->heads = heads;
    uint32_t *chunk = crn_scratch_alloc(members->scratch, CRN_MEMBERS_CHUNK * sizeof *chunk);
    if (!chunk) return false;
    members->heads[members->head_count++] = chunk;
    return true;
}

cairn_status crn_members_reset(crn_members *members, const crn_open_places *places)
{
    members->places = places ? *places : (crn_open_places){NULL, NULL};
    members->used = members->spare = members->count = 0;
    members->whole = CRN_MEMBERS_CHUNK;
    members->split = 0;
    if (members->places.of) return CAIRN_OK;
    if (!members->head_count && !members_add_heads(members)) return CAIRN_OUT_OF_MEMORY;
    memset(members->heads[0], 0, CRN_MEMBERS_CHUNK * sizeof **members->heads);
    return CAIRN_OK;
}

/* Splits the next bucket. Without memory the chains become longer. */
static void members_split(crn_members *members)
{
    uint32_t bucket = members->split, added = members->whole + bucket;
    if (added / CRN_MEMBERS_CHUNK >= members->head_count && !members_add_heads(members)) return;
    uint32_t *stays = crn_members_head(members, bucket), *moves = crn_members_head(members, added);
    uint32_t next = *stays;
    *stays = *moves = 0;
    for (uint32_t number; (number = next) != 0;) {
        crn_member *member = crn_members_at(members, number);
        next = member->next;
        uint32_t *head = crn_members_hash(member->state) & members->whole ? moves : stays;
        member->next = *head;
        *head = number;
    }
    if (++members->split < members->whole) return;
    members->whole *= 2;
    members->split = 0;
}

static bool members_add(crn_members *members, uint32_t state, uint32_t place)
{
    if (members->count >= members->whole + members->split) members_split(members);
    uint32_t number = members->spare;
    if (number) {
        members->spare = crn_members_at(members, number)->next;
    } else {
        number = members->used + 1;
        if (number / CRN_MEMBERS_CHUNK >= members->chunk_count && !members_add_chunk(members))
            return false;
        members->used = number;
    }
    uint32_t *head = crn_members_bucket(members, state);
    *crn_members_at(members, number) = (crn_member){state, place, *head};
    *head = number;
    members->count++;
    return true;
}

/* The link that leads to the entry of a state, or the last one of its bucket. */
static uint32_t *members_find(const crn_members *members, uint32_t state)
{
    uint32_t *link = crn_members_bucket(members, state);
    while (*link && crn_members_at(members, *link)->state != state)
        link = &crn_members_at(members, *link)->next;
    return link;
}

/* ---- either ---- */

uint32_t crn_members_place(const crn_members *members, uint32_t state)
{
    if (members->places.of) return *members->places.of(members->places.user, state);
    uint32_t number = crn_members_find(members, state);
    return number ? crn_members_at(members, number)->place : 0;
}

bool crn_members_set(crn_members *members, uint32_t state, uint32_t place)
{
    if (members->places.of) {
        *members->places.of(members->places.user, state) = place;
        return true;
    }
    uint32_t number = crn_members_find(members, state);
    if (!number) return members_add(members, state, place);
    crn_members_at(members, number)->place = place;
    return true;
}

void crn_members_drop(crn_members *members, uint32_t state)
{
    if (members->places.of) {
        *members->places.of(members->places.user, state) = 0;
        return;
    }
    uint32_t *link = members_find(members, state), number = *link;
    crn_member *member = crn_members_at(members, number);
    *link = member->next;
    member->next = members->spare;
    members->spare = number;
    members->count--;
}
