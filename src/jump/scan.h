/* scan.h: how far one can go straight on, 56 cells at a look.
 *
 * A run along a row ends before the first cell that is blocked, or at the first *jump point*: a cell where something beside the way makes a
 * turn necessary that no other equally short way makes. With u and d the bits of the rows beside it, going to higher
 * bits, cell i is one
 *
 *     corners=never    if i is free beside it and i - 1 is not:                 u & ~(u << 1), the same of d
 *     corners=always   if i is blocked beside it and i + 1 is not:              ~u & u >> 1
 *     corners=one      the same, and the way goes on, as one side must be free: ~u & u >> 1 & m >> 1
 *
 * so a run is found by a few operations on words of three rows and a count of zeros. Columns are rows of the transposed
 * bitmap. (Harabor and Grastien, "Improving Jump Point Search", 2014.) A word is loaded at the byte that holds the first
 * cell and shifted by what is left, so it shows at least 57 cells; the pad round the bitmap makes bounds checks needless.
 */
#ifndef CRN_JUMP_SCAN_H
#define CRN_JUMP_SCAN_H

#include "world/grid_space.h"

/* How a run is said: how many cells one can go, and whether the last of them is a jump point. */
#define CRN_RUN_POINT 0x8000u
#define CRN_RUN_LENGTH 0x7fffu

/* From this cell (bit 0) to higher ones: bits 0…56 count. */
CRN_INLINE uint64_t crn_scan_up(const uint8_t *row, uint32_t bit)
{
    return crn_word_load(row + (bit >> 3)) >> (bit & 7);
}

/* From this cell (bit 63) to lower ones: bits 63…7 count. */
CRN_INLINE uint64_t crn_scan_down(const uint8_t *row, uint32_t bit)
{
    return crn_word_load(row + (bit >> 3) - 7) << (7 - (bit & 7));
}

/* The jump points beside one side of a word. */
CRN_INLINE uint64_t crn_scan_points(cairn_corners corners, bool up, uint64_t side, uint64_t middle)
{
    if (corners == CAIRN_CORNERS_NEVER) return side & ~(up ? side << 1 : side >> 1);
    uint64_t points = ~side & (up ? side >> 1 : side << 1);
    return corners == CAIRN_CORNERS_ONE ? points & (up ? middle >> 1 : middle << 1) : points;
}

/* Where a run ends, in a word whose bit 0 or 63 is where it begins. */
CRN_INLINE uint64_t crn_scan_stops(cairn_corners corners, bool up, uint64_t above, uint64_t middle,
                                   uint64_t below)
{
    /* Bits that are valid, less the first; the rules that look ahead know one less. */
    uint64_t mask = corners == CAIRN_CORNERS_NEVER ? (UINT64_C(1) << 57) - 2 : (UINT64_C(1) << 56) - 2;
    if (!up)
        mask = corners == CAIRN_CORNERS_NEVER ? ~UINT64_C(0) << 7 >> 1 << 1 & ~(UINT64_C(1) << 63)
                                              : ~UINT64_C(0) << 8 & ~(UINT64_C(1) << 63);
    return (~middle | crn_scan_points(corners, up, above, middle) |
            crn_scan_points(corners, up, below, middle)) &
           mask;
}

/* The run from cell `bit` of a row. */
CRN_INLINE uint32_t crn_scan_run(cairn_corners corners, bool up, const uint8_t *row, size_t stride,
                                 uint32_t bit)
{
    const uint32_t look = corners == CAIRN_CORNERS_NEVER ? 56 : 55;
    for (uint32_t gone = 0;; gone += look, bit = up ? bit + look : bit - look) {
        uint64_t above = up ? crn_scan_up(row - stride, bit) : crn_scan_down(row - stride, bit);
        uint64_t middle = up ? crn_scan_up(row, bit) : crn_scan_down(row, bit);
        uint64_t below = up ? crn_scan_up(row + stride, bit) : crn_scan_down(row + stride, bit);
        uint64_t stops = crn_scan_stops(corners, up, above, middle, below);
        if (CRN_UNLIKELY(!stops)) continue;
        uint32_t at = up ? crn_lowest_bit(stops) : 63 - crn_highest_bit(stops);
        uint32_t free = (uint32_t)((up ? middle >> at : middle << at >> 63) & 1);
        return (gone + at - 1 + free) | free << 15;
    }
}

#endif
