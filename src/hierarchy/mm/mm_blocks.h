/* mm_blocks.h: one block of items for each sector, which can be replaced one by one.
 *
 * A build appends blocks one behind the other, in the order of the sectors: as they are in files,
 * so that those of a file can be used where they are. A repair replaces some. A block that fits
 * into the room of the old one is written there; another one takes a free block of its size, or
 * room behind all others, and the old one becomes free. So the others stay where they are, and a
 * repair costs what it replaces. Room comes in few sizes, a quarter to a seventh apart, with a
 * list of free blocks for each; what a build has packed has no room to spare. Files get the blocks
 * in their order again (crn_mm_blocks_save).
 */
#ifndef CRN_MM_BLOCKS_H
#define CRN_MM_BLOCKS_H

#include "core/core.h"
#include <cairn/store.h>

#define CRN_MM_ROOMS 120u /* sizes of room */

typedef struct crn_mm_blocks {
    const uint8_t *data;
    uint32_t unit;    /* bytes of an item */
    uint32_t used;    /* items, free ones too */
    uint32_t packed;  /* the first ones: without room to spare */
    bool in_order;    /* none has been replaced by one of another size */
    uint8_t *owned;   /* as data, or NULL if that is borrowed, ... */
    size_t capacity;  /* ... and how many items fit */
    uint64_t written; /* items that repairs have written */
    /* of each size of room: where the first free block begins, and one more; 0 = there is none. A
     * free block begins with the next one. */
    uint32_t free[CRN_MM_ROOMS];
} crn_mm_blocks;

void crn_mm_blocks_open(crn_mm_blocks *blocks, uint32_t unit);
void crn_mm_blocks_close(crn_mm_blocks *blocks, cairn_context *context);
size_t crn_mm_blocks_bytes(const crn_mm_blocks *blocks);

/* Building: room makes room for a block behind the others; append says how many items it has got,
 * and returns where it begins; end gives back what is not needed. NULL, false: no memory. */
void *crn_mm_blocks_room(crn_mm_blocks *blocks, cairn_context *context, size_t items);
uint32_t crn_mm_blocks_append(crn_mm_blocks *blocks, size_t items);
bool crn_mm_blocks_end(crn_mm_blocks *blocks, cairn_context *context);

/* Loading: these are the blocks of all sectors. With `borrow` they stay where they are. False = no
 * memory. */
bool crn_mm_blocks_load(crn_mm_blocks *blocks, cairn_context *context, cairn_bytes bytes,
                        bool borrow);

/* Repairing: replaces a block, of so many items so far. False = no memory. */
typedef struct crn_mm_change {
    uint32_t *begin; /* where it begins, and will begin, in items */
    uint32_t before;
    const void *items;
    uint32_t count;
} crn_mm_change;
bool crn_mm_blocks_replace(crn_mm_blocks *blocks, cairn_context *context,
                           const crn_mm_change *change);

/* Adds a section with all blocks in their order; a function says where a sector's begins and how
 * many items it has. */
typedef struct crn_mm_saving {
    cairn_context *context;
    cairn_store *store;
    const char *name;
    uint32_t (*block)(const void *user, uint32_t sector, uint32_t *items);
    const void *user;
    uint32_t sectors;
} crn_mm_saving;
cairn_status crn_mm_blocks_save(const crn_mm_blocks *blocks, const crn_mm_saving *saving);

CRN_INLINE const void *crn_mm_block(const crn_mm_blocks *blocks, uint32_t begin)
{
    return blocks->data + (size_t)begin * blocks->unit;
}

#endif
