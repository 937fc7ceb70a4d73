/* hash.c: the hash over bytes (see hash.h). */
#include "core/hash.h"

/* Compilers make one load of this where the machine keeps the low byte first. */
static uint64_t hash_load(const uint8_t *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
           (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

uint64_t crn_hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (; size >= 8; bytes += 8, size -= 8) hash = crn_hash_word(hash, hash_load(bytes));
    if (!size) return hash;
    uint8_t last[8] = {0};
    memcpy(last, bytes, size);
    return crn_hash_word(hash, hash_load(last));
}

uint64_t crn_hash(const void *data, size_t size)
{
    return crn_hash_end(crn_hash_bytes(crn_hash_begin(size), data, size));
}

uint64_t crn_double_bits(double value)
{
    uint64_t bits;
    if (value == 0) value = 0; /* minus zero */
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

double crn_bits_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
