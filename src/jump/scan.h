/* scan.h: how far one can go straight on, read off the bitmaps of world/runs.h.
 *
 * A word is loaded at the byte that holds the first cell to be entered, and shifted by the
 * remaining bits, so it shows at least 57 cells; the next words show 64 each. The padding around
 * the bitmaps ends every run, so there are no bounds checks.
 */
#ifndef CRN_JUMP_SCAN_H
#define CRN_JUMP_SCAN_H

#include "world/grid_space.h"

/* A run: how many cells one can go, and whether the last of them is a jump point. */
#define CRN_RUN_POINT 0x8000u
#define CRN_RUN_LENGTH 0x7fffu

/* So many cells from `bit` on, itself not counted, are passed by a run to higher or lower bits. */
CRN_INLINE uint32_t crn_scan_passed(const uint8_t *row, uint32_t bit, bool up)
{
    uint32_t first = up ? bit + 1 : bit - 1;
    const uint8_t *at = row + (first >> 3);
    if (up) {
        uint64_t stops = ~crn_word_load(at) >> (first & 7);
        if (CRN_LIKELY(stops != 0)) return crn_lowest_bit(stops);
        uint32_t passed = 64 - (first & 7);
        while (!(stops = ~crn_word_load(at += 8))) passed += 64;
        return passed + crn_lowest_bit(stops);
    }
    uint64_t stops = ~crn_word_load(at - 7) << (7 - (first & 7));
    if (CRN_LIKELY(stops != 0)) return 63 - crn_highest_bit(stops);
    uint32_t passed = 57 + (first & 7);
    while (!(stops = ~crn_word_load((at -= 8) - 7))) passed += 64;
    return passed + 63 - crn_highest_bit(stops);
}

CRN_INLINE uint32_t crn_scan_bit(const uint8_t *row, uint32_t bit)
{
    return (uint32_t)row[bit >> 3] >> (bit & 7) & 1;
}

/* The run from cell (x, y) in a straight direction. */
CRN_INLINE uint32_t crn_scan_run(const crn_grid_space *map, uint32_t direction, uint32_t x,
                                 uint32_t y)
{
    bool upright = direction == CRN_N || direction == CRN_S,
         up = direction == CRN_E || direction == CRN_S;
    const crn_bits *pass = &map->runs->pass[direction],
                   *usable = upright ? &map->runs->across : &map->usable;
    size_t row = ((size_t)(upright ? x : y) + 1) * pass->stride;
    uint32_t bit = (upright ? y : x) + 1, passed = crn_scan_passed(pass->rows + row, bit, up);
    uint32_t free = crn_scan_bit(usable->rows + row, up ? bit + passed + 1 : bit - passed - 1);
    return (passed + free) | free << 15;
}

#endif
