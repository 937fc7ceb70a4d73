/* part.c: parts of grids. See part.h. */
#include "world/part.h"

cairn_status crn_part_open(crn_part *part, crn_scratch *memory, const crn_grid_space *whole)
{
    *part = (crn_part){.whole = whole, .memory = memory, .version = UINT64_MAX};
    crn_bits shown = whole->usable; /* of the same shape */
    size_t bytes = crn_bits_bytes(&shown);
    uint8_t *block = crn_scratch_alloc(memory, bytes);
    if (!block) return CAIRN_OUT_OF_MEMORY;
    memset(block, 0, bytes);
    part->space.usable = shown;
    part->space.usable.rows = block + 8;
    crn_part_follow(part);
    return CAIRN_OK;
}

void crn_part_close(crn_part *part)
{
    crn_bits *shown = &part->space.usable;
    if (shown->rows) crn_scratch_free(part->memory, shown->rows - 8, crn_bits_bytes(shown));
    shown->rows = NULL;
}

void crn_part_follow(crn_part *part)
{
    uint64_t version = cairn_space_version(&part->whole->base);
    if (version == part->version) return;
    crn_bits shown = part->space.usable;
    part->space = *part->whole;
    part->space.usable = shown;
    part->version = version;
}

/* The bits of at most 64 cells of a row that lie in the area, from x on. */
static uint64_t part_mask(crn_area area, uint32_t x)
{
    uint32_t left = area.left + area.width - x;
    return left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1;
}

void crn_part_show(crn_part *part, crn_area area)
{
    crn_bits *shown = &part->space.usable;
    for (uint32_t y = area.top; y < area.top + area.height; y++) {
        for (uint32_t x = area.left; x < area.left + area.width; x += 64) {
            uint64_t mask = part_mask(area, x);
            uint64_t now = crn_bits_word(shown, (int32_t)x, (int32_t)y),
                     usable = crn_bits_word(&part->whole->usable, (int32_t)x, (int32_t)y);
            crn_bits_set_word(shown, x, y, (now & ~mask) | (usable & mask));
        }
    }
}

void crn_part_hide(crn_part *part, crn_area area)
{
    crn_bits *shown = &part->space.usable;
    for (uint32_t y = area.top; y < area.top + area.height; y++) {
        for (uint32_t x = area.left; x < area.left + area.width; x += 64) {
            uint64_t now = crn_bits_word(shown, (int32_t)x, (int32_t)y);
            crn_bits_set_word(shown, x, y, now & ~part_mask(area, x));
        }
    }
}
