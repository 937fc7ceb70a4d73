/* sections.h (internal): what the files share that turn objects into sections and hashes. */
#ifndef CRN_SECTIONS_H
#define CRN_SECTIONS_H

#include "store/container.h"

/* Bytes of a row of bits, one a cell, the first in the lowest bit; the bits behind the last cell
 * are zero. */
static inline size_t crn_grid_row_bytes(uint32_t width)
{
    return ((size_t)width + 7) / 8;
}
void crn_grid_pack_row(const cairn_grid *grid, uint32_t y, uint8_t *out);

/* Does a plane say anything? NULL does not. */
bool crn_plane_used(const void *plane, size_t size);

/* The numbers of a profile but its terrain costs, in the order of the section "profile". */
enum { CRN_PROFILE_WORDS = 10 };
void crn_profile_words(const cairn_profile *profile, uint64_t words[CRN_PROFILE_WORDS]);

/* Its terrain costs: whole multiples and the 256ths beyond; returns whether there are any of
 * these. */
bool crn_terrain_split(const uint16_t *costs, uint8_t whole[256], uint8_t parts[256]);

#endif
