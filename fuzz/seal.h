/* seal.h: right checksums for any `.cairn` file, so that fuzzing gets past them. */
#ifndef FUZZ_SEAL_H
#define FUZZ_SEAL_H

#include "store/container.h"
#include <string.h>

static inline uint64_t seal_get(const uint8_t *at, uint32_t bytes)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes; i++) value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static inline void seal_put(uint8_t *at, uint64_t value)
{
    for (uint32_t i = 0; i < 8; i++) at[i] = (uint8_t)(value >> (8 * i));
}

/* Makes magic, version, size and checksums right, so that what is behind them gets its share of
 * nonsense. */
static inline void seal(uint8_t *file, size_t size)
{
    if (size < CRN_STORE_HEADER) return;
    memcpy(file, "\211CRN\r\n\032\n\1\0\0", 12);
    seal_put(file + 16, size);
    uint64_t count = seal_get(file + 12, 4);
    if (count > (size - CRN_STORE_HEADER) / CRN_STORE_ENTRY) return;
    for (uint64_t i = 0; i < count; i++) {
        uint8_t *entry = file + CRN_STORE_HEADER + i * CRN_STORE_ENTRY;
        uint64_t offset = seal_get(entry + 16, 8), length = seal_get(entry + 24, 8);
        if (offset <= size && length <= size - offset)
            seal_put(entry + 32, crn_hash(file + offset, (size_t)length));
    }
    size_t head = CRN_STORE_HEADER + (size_t)count * CRN_STORE_ENTRY;
    uint64_t hash = crn_hash_bytes(crn_hash_begin(head - 8), file, 24);
    seal_put(file + 24, crn_hash_end(crn_hash_bytes(hash, file + 32, head - 32)));
}

#endif
