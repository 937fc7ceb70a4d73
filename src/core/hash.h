/* hash.h: one 64-bit hash for checksums of files and identities of worlds.
 *
 * Data is taken as 64-bit words, low byte first on every machine, the last one filled up with
 * zeros. Each word is combined with the state by an exclusive or, a rotation and a multiplication
 * by an odd number. All three are invertible: for a given state every word leads to another state,
 * and vice versa. So two inputs of the same length that differ in a single word never have the same
 * hash. The end mixes the bits (the last step of splitmix64), which is invertible too. It is no
 * protection against somebody who wants to forge a file.
 */
#ifndef CRN_HASH_H
#define CRN_HASH_H

#include "core/core.h"

/* `size`: of everything that will be added. */
static inline uint64_t crn_hash_begin(uint64_t size)
{
    return (size + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

static inline uint64_t crn_hash_word(uint64_t hash, uint64_t word)
{
    hash ^= word;
    return (hash << 29 | hash >> 35) * UINT64_C(0xd6e8feb86659fd93);
}

static inline uint64_t crn_hash_end(uint64_t hash)
{
    hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
    return hash ^ (hash >> 31);
}

/* Bytes as words. All pieces but the last one must be multiples of 8 long. */
uint64_t crn_hash_bytes(uint64_t hash, const void *data, size_t size);

/* The hash of one piece. */
uint64_t crn_hash(const void *data, size_t size);

/* A double by its bits; both zeros are the same. */
uint64_t crn_double_bits(double value);
double crn_bits_double(uint64_t bits);

#endif
