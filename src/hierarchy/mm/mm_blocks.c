/* mm_blocks.c: blocks of items that can be replaced. See mm_blocks.h. */
#include "hierarchy/mm/mm_blocks.h"

enum { BLOCKS_GROWTH = 8, BLOCKS_LEAST = 64 }; /* room for an eighth more, and some items */

/* ---- room ---- */

/* Sizes are 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, … items. */
static uint32_t blocks_size(uint32_t room)
{
    return (4 + room % 4) << room / 4;
}

/* The least room that so many items fit into. */
static uint32_t blocks_room(uint32_t items)
{
    uint32_t room = items <= 4 ? 0 : (crn_highest_bit(items) - 2) * 4;
    while (blocks_size(room) < items) room++;
    return room;
}

/* A block that is no longer needed. What is too small to hold a number is lost. */
static void blocks_give(crn_mm_blocks *blocks, uint32_t begin, uint32_t items)
{
    uint32_t room = blocks_room(items);
    if (items && begin >= blocks->packed) items = blocks_size(room);
    if (items < blocks_size(0)) return;
    if (blocks_size(room) > items) room--;
    memcpy(blocks->owned + (size_t)begin * blocks->unit, &blocks->free[room], sizeof(uint32_t));
    blocks->free[room] = begin + 1;
}

/* ---- life ---- */

void crn_mm_blocks_open(crn_mm_blocks *blocks, uint32_t unit)
{
    *blocks = (crn_mm_blocks){.unit = unit, .in_order = true};
}

void crn_mm_blocks_close(crn_mm_blocks *blocks, cairn_context *context)
{
    crn_free(context, blocks->owned, blocks->capacity * blocks->unit);
    *blocks = (crn_mm_blocks){0};
}

size_t crn_mm_blocks_bytes(const crn_mm_blocks *blocks)
{
    return (blocks->owned ? blocks->capacity : blocks->used) * blocks->unit;
}

/* ---- building ---- */

void *crn_mm_blocks_room(crn_mm_blocks *blocks, cairn_context *context, size_t items)
{
    void *grown = blocks->owned;
    size_t need = blocks->used + items;
    bool ok = need < UINT32_MAX &&
              crn_grow(context, &grown, &blocks->capacity, need + !need, blocks->unit);
    blocks->data = blocks->owned = grown;
    return ok ? blocks->owned + (size_t)blocks->used * blocks->unit : NULL;
}

uint32_t crn_mm_blocks_append(crn_mm_blocks *blocks, size_t items)
{
    uint32_t begin = blocks->used;
    blocks->packed = blocks->used += (uint32_t)items;
    return begin;
}

bool crn_mm_blocks_end(crn_mm_blocks *blocks, cairn_context *context)
{
    size_t items = blocks->used ? blocks->used : 1;
    if (!crn_mm_blocks_room(blocks, context, 0)) return false;
    void *exact =
        crn_realloc(context, blocks->owned, blocks->capacity * blocks->unit, items * blocks->unit);
    if (!exact) return false;
    blocks->data = blocks->owned = exact;
    blocks->capacity = items;
    return true;
}

/* ---- loading ---- */

static bool blocks_own(crn_mm_blocks *blocks, cairn_context *context)
{
    size_t items = blocks->used ? blocks->used : 1;
    void *own = crn_alloc(context, items * blocks->unit);
    if (!own) return false;
    memcpy(own, blocks->data, (size_t)blocks->used * blocks->unit);
    blocks->data = blocks->owned = own;
    blocks->capacity = items;
    return true;
}

bool crn_mm_blocks_load(crn_mm_blocks *blocks, cairn_context *context, cairn_bytes bytes,
                        bool borrow)
{
    blocks->data = bytes.data;
    blocks->used = blocks->packed = (uint32_t)(bytes.size / blocks->unit);
    return borrow || blocks_own(blocks, context);
}

/* ---- repairing ---- */

/* Grows by little: an index should be small. */
static bool blocks_grow(crn_mm_blocks *blocks, cairn_context *context, uint32_t more)
{
    size_t need = (size_t)blocks->used + more, wanted = blocks->capacity;
    if (need >= UINT32_MAX) return false;
    if (need <= wanted) return true;
    wanted += wanted / BLOCKS_GROWTH + BLOCKS_LEAST;
    if (wanted < need) wanted = need;
    void *grown =
        crn_realloc(context, blocks->owned, blocks->capacity * blocks->unit, wanted * blocks->unit);
    if (!grown) return false;
    blocks->data = blocks->owned = grown;
    blocks->capacity = wanted;
    return true;
}

/* May the block stay where it is? */
static bool blocks_fits(const crn_mm_blocks *blocks, const crn_mm_change *change)
{
    if (*change->begin < blocks->packed) return change->count <= change->before;
    return change->before && blocks_room(change->before) == blocks_room(change->count);
}

/* Finds other room for it. */
static bool blocks_move(crn_mm_blocks *blocks, cairn_context *context, const crn_mm_change *change)
{
    uint32_t room = blocks_room(change->count), old = *change->begin, next = blocks->free[room];
    if (next) {
        memcpy(&blocks->free[room], crn_mm_block(blocks, next - 1), sizeof next);
        *change->begin = next - 1;
    } else {
        if (!blocks_grow(blocks, context, blocks_size(room))) return false;
        *change->begin = blocks->used;
        blocks->used += blocks_size(room);
    }
    blocks_give(blocks, old, change->before);
    return true;
}

bool crn_mm_blocks_replace(crn_mm_blocks *blocks, cairn_context *context,
                           const crn_mm_change *change)
{
    if (!blocks->owned && !blocks_own(blocks, context)) return false;
    if (change->before != change->count) blocks->in_order = false;
    if (!change->count) {
        if (*change->begin >= blocks->packed) blocks_give(blocks, *change->begin, change->before);
        return true;
    }
    if (!blocks_fits(blocks, change) && !blocks_move(blocks, context, change)) return false;
    blocks->written += change->count;
    memcpy(blocks->owned + (size_t)*change->begin * blocks->unit, change->items,
           (size_t)change->count * blocks->unit);
    return true;
}

/* ---- files ---- */

cairn_status crn_mm_blocks_save(const crn_mm_blocks *blocks, const crn_mm_saving *saving)
{
    size_t unit = blocks->unit, room = ((size_t)blocks->used + 1) * unit, bytes = 0;
    if (blocks->in_order)
        return cairn_store_add(saving->store, saving->name,
                               (cairn_bytes){blocks->data, blocks->used * unit}, (uint32_t)unit,
                               true);
    uint8_t *copy = crn_alloc(saving->context, room);
    if (!copy) return CAIRN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < saving->sectors; i++) {
        uint32_t items, begin = saving->block(saving->user, i, &items);
        memcpy(copy + bytes, crn_mm_block(blocks, begin), items * unit);
        bytes += items * unit;
    }
    cairn_status status = cairn_store_add(saving->store, saving->name, (cairn_bytes){copy, bytes},
                                          (uint32_t)unit, false);
    crn_free(saving->context, copy, room);
    return status;
}
